"""What the operations of a large picture use, as columns of numbers. An operation is given by its position in the picture, a range by the first
position and the end."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter

from jgrad.tracing.document.index import TraceIndex
from jgrad.views.operations import Operations, Picture, operations_of
from jgrad.views.parts import Part, arranged, edges_of, outside, part_of
from jgrad.views.scene import Frame

first_of_pair = itemgetter(0)
NEAR = 16  # an edge to one of so many operations before is near


class Uses:
    """What the operations of a picture use, and who uses them."""

    def __init__(self, index: TraceIndex, picture: Picture) -> None:
        self.index = index
        self.all: Operations = operations_of(index)
        self.numbers: list[int] = picture["operations"]  # of the operations, by position
        self.place: dict[int, int] = {}  # by operation: its position
        for i in range(len(self.numbers)):
            self.place[self.numbers[i]] = i
        # By position: how many nodes the operations before it have, and the position of the last one that uses its result.
        self.nodes_before: list[int] = [0]
        self.last_user: list[int] = [-1] * len(self.numbers)
        # The positions of those that use something far before them, and the first that each of these uses.
        self.far: list[int] = []
        self.reach: list[int] = []
        # By leaf: the positions of those that use it. By AccumulateGrad node: the first one that sends it a gradient.
        self.leaves: dict[int, list[int]] = {}
        self.sinks: dict[int, int] = {}
        # What gets no gradient, in the order of use; and by tensor the positions of those that use it without a gradient.
        self.inputs: list[Part] = []
        self.users: dict[int, list[int]] = {}
        self._parts: dict[int, Part] = {}
        self._read(picture)

    def _read(self, picture: Picture) -> None:
        nodes, of_node, place = self.index.nodes, self.all.of_node, self.place
        known: set[int] = set()  # the tensors from outside
        for i in range(len(self.numbers)):
            own = self.all.nodes(self.numbers[i])
            self.nodes_before.append(self.nodes_before[i] + len(own))
            lowest = i
            for n in own:
                open_ = False
                for m, _ in nodes[n]["next_functions"]:
                    if m is None:
                        open_ = True
                    elif of_node[m] >= 0:
                        j = place.get(of_node[m], i)
                        if j != i:
                            lowest = min(lowest, j)
                            self.last_user[j] = i
                    else:
                        self.sinks.setdefault(m, i)
                        variable = nodes[m]["variable"]
                        if variable is not None:
                            self._uses(self.leaves, variable, i)
                            if variable not in known:
                                known.add(variable)
                                self._meet(picture, variable, nodes[n]["created_step"], True)
                if open_:
                    self._inputs(picture, n, i, known)
            if i - lowest > NEAR:
                self.far.append(i)
                self.reach.append(lowest)

    def _uses(self, users: dict[int, list[int]], number: int, i: int) -> None:
        found = users.get(number)
        if found is None:
            users[number] = [i]
        elif found[-1] != i:
            found.append(i)

    def _inputs(self, picture: Picture, node: int, i: int, known: set[int]) -> None:
        """Note the tensors that a node uses without a gradient."""
        for e in edges_of(self.index, node):
            number = e["tensor"]
            if e["target"] < 0 and number >= 0:
                self._uses(self.users, number, i)
                if number not in known:
                    known.add(number)
                    self._meet(picture, number, e["step"], False)

    def _meet(self, picture: Picture, number: int, step: int, needed: bool) -> None:
        part = outside(self.index, picture, number, step, needed)
        if part["kind"] == "input":
            self.inputs.append(part)

    # Operations -----------------------------------------------------------------------------------

    def nodes(self, i: int) -> list[int]:
        return self.all.nodes(self.numbers[i])

    def head(self, i: int) -> int:
        """The first node of an operation."""
        return self.all.heads[self.numbers[i]]

    def last_node(self, i: int) -> int:
        return self.all.last_node(self.numbers[i])

    def birth(self, i: int) -> int:
        """The step that made an operation."""
        return self.all.births[self.numbers[i]]

    def layer(self, i: int) -> int:
        return self.all.layer(self.numbers[i])

    def place_of(self, node: int) -> int:
        """The position of the operation of a node, -1 if the picture does not show it."""
        i = self.all.of_node[node] if node >= 0 else -1
        return self.place.get(i, -1)

    def part(self, i: int) -> Part:
        """An operation that is drawn, with its edges."""
        found = self._parts.get(i)
        if found is None:
            found = arranged(self.index, part_of(self.index, self.numbers[i]))
            self._parts[i] = found
        return found

    # Ranges ---------------------------------------------------------------------------------------

    def entries(self, first: int, end: int) -> list[int]:
        """The operations of a range that may use something before it."""
        found = list(range(first, min(first + NEAR, end)))
        k = bisect_left(self.far, first + NEAR)
        while k < len(self.far) and self.far[k] < end:
            if self.reach[k] < first:
                found.append(self.far[k])
            k += 1
        return found

    def uses_input(self, number: int, first: int, end: int) -> bool:
        """Whether an operation of a range uses a tensor without a gradient."""
        return _within(self.users.get(number, []), first, end) >= 0

    def leaves_of(self, first: int, end: int) -> list[int]:
        """The leaves that a range uses."""
        if end - first > len(self.leaves):
            used = [(_within(self.leaves[t], first, end), t) for t in self.leaves]
            return [t for at, t in sorted(used, key=first_of_pair) if at >= 0]
        found: dict[int, bool] = {}
        for i in range(first, end):
            for n in self.nodes(i):
                for m, _ in self.index.nodes[n]["next_functions"]:
                    variable = None if m is None else self.index.nodes[m]["variable"]
                    if variable is not None:
                        found[variable] = True
        return list(found)

    def first_user(self, leaf: int, first: int, end: int) -> int:
        """The first operation of a range that uses a leaf."""
        return _within(self.leaves[leaf], first, end)

    def result_of(self, first: int, end: int) -> int:
        """The operation whose result is that of a range: the last one that something outside uses, else the last one."""
        for i in range(end - 1, first - 1, -1):
            if self.last_user[i] >= end:
                return i
        return end - 1


def _within(places: list[int], first: int, end: int) -> int:
    """The first of some positions, in order, that is in a range; -1 if none is."""
    k = bisect_left(places, first)
    return places[k] if k < len(places) and places[k] < end else -1


def uses_of(f: Frame, picture: Picture) -> Uses:
    """What the operations of a picture use."""
    key = "uses " + picture["key"]
    found: Uses | None = f.index.kept.get(key, None)
    if found is None:
        found = Uses(f.index, picture)
        f.index.kept[key] = found
    return found
