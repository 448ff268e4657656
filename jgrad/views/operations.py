"""The operations of a graph as columns of numbers, and which of them a picture shows.

A graph may have 100,000 operations, of which a picture draws 40. So nothing here makes an object for each operation: that took 5 seconds.
`parts.py` makes parts of those that are drawn.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.schema import Step
from jgrad.views.scene import Frame, Item, text


class Piece(TypedDict):
    """A connected piece of the graph. Leaves connect nothing: a loop of training shares them in all its rounds."""

    operations: list[int]
    sign: str
    """Pieces with the same sign are drawn alike: the rounds of a loop. Empty if there is only one piece."""
    used: bool
    """Whether the trace has to do with it. A graph that a variable of an earlier cell still holds may lie idle."""


class Picture(TypedDict):
    """What is to be drawn."""

    operations: list[int]
    """In the order of execution."""
    pieces: list[int]
    """The pieces that it shows, by their numbers."""
    key: str
    """Equal for pictures of the same operations."""
    round: int
    """Which of the pieces that are alike it shows, counted from 1; 0 if there is only one."""
    rounds: int


class Operations:
    """The operations, in the order of execution: one for each node, but one for the call of a layer of `nn`. They have the numbers 0, 1, ..."""

    def __init__(self, index: TraceIndex) -> None:
        self.index = index
        self.heads: list[int] = []  # the first node of each
        self.births: list[int] = []  # the step that made this node
        self.more: dict[int, list[int]] = {}  # all nodes of an operation that has several
        self.layers: dict[int, int] = {}  # the module whose call an operation is
        self.of_node: list[int] = [-1] * len(index.nodes)  # by node; AccumulateGrad nodes have none
        self._read()
        self.pieces = self._pieces()
        self.shown: list[int] = [k for k in range(len(self.pieces)) if self.pieces[k]["used"]]
        # Where the cell computed nothing, what its variables hold is all there is to be shown.
        if not self.shown and not any([step.get("makes") or step.get("error") for step in index.steps]):
            self.shown = list(range(len(self.pieces)))
        self.piece_of: list[int] = [0] * len(self.heads) if len(self.pieces) > 1 else []
        if len(self.pieces) > 1:
            for k in range(len(self.pieces)):
                for i in self.pieces[k]["operations"]:
                    self.piece_of[i] = k

    def _read(self) -> None:
        index = self.index
        layers = index.document.get("layers", [])
        calls = index.document.get("layer_calls", [])
        calling = {caller for _, caller in calls if caller is not None}
        of_call: dict[int, int] = {}
        births, order, _ = index.nodes_in_order
        for k in range(len(order)):
            n = order[k]
            call = -1
            if calls:
                step = step_of(index, n)
                call = -1 if step is None else step.get("layer_call", -1)
            single = call >= 0 and call not in calling and layers[calls[call][0]]["arguments"] != ""
            if single and call in of_call:
                i = of_call[call]
                self.more.setdefault(i, [self.heads[i]]).append(n)
                self.of_node[n] = i
                continue
            i = len(self.heads)
            self.of_node[n] = i
            self.heads.append(n)
            self.births.append(births[k])
            if single:
                self.layers[i] = calls[call][0]
                of_call[call] = i

    def nodes(self, i: int) -> list[int]:
        """The nodes of an operation."""
        return self.more.get(i, [self.heads[i]])

    def last_node(self, i: int) -> int:
        return self.more[i][-1] if i in self.more else self.heads[i]

    def layer(self, i: int) -> int:
        """The module whose call an operation is, -1 for none."""
        return self.layers.get(i, -1)

    def _pieces(self) -> list[Piece]:
        """The connected pieces of the graph."""
        index, of_node = self.index, self.of_node
        above = list(range(len(self.heads)))  # by operation: another one of its piece

        def root(i: int) -> int:
            while above[i] != i:
                above[i] = above[above[i]]
                i = above[i]
            return i

        for node in index.nodes:
            i = of_node[node["id"]]
            if i < 0:
                continue
            for m, _ in node["next_functions"]:
                j = -1 if m is None else of_node[m]
                if j >= 0 and j != i and above[j] != above[i]:
                    a, b = root(j), root(i)
                    above[max(a, b)] = min(a, b)
        found: dict[int, list[int]] = {}
        for i in range(len(above)):
            found.setdefault(root(i), []).append(i)
        alone = len(found) == 1
        touched = self._touched()
        return [
            {
                "operations": operations,
                "sign": "" if alone else self._sign(operations),
                "used": any([self.births[i] >= 0 or i in touched for i in operations]),
            }
            for operations in found.values()
        ]

    def _touched(self) -> set[int]:
        """The operations with a step of their own, and those at which a backward call started."""
        index, of_node = self.index, self.of_node
        found = {of_node[step["node"]] for step in index.steps if step.get("node") is not None}
        for i, step in index.of("backward"):
            for t in step.get("roots", []):
                node = index.node_at(t, i)
                if node is not None:
                    found.add(of_node[node])
        return found

    def _sign(self, operations: list[int]) -> str:
        nodes = [self.index.nodes[n] for i in operations for n in self.nodes(i)]
        return ",".join([f"{node['name']} {node['line']}" for node in nodes])


def operations_of(index: TraceIndex) -> Operations:
    """The operations of a document."""
    found: Operations | None = index.kept.get("operations", None)
    if found is None:
        found = Operations(index)
        index.kept["operations"] = found
    return found


def step_of(index: TraceIndex, node: int) -> Step | None:
    """The step that made a node."""
    number = index.node_maker.get(node, -1)
    return index.steps[number] if number >= 0 else None


def picture_of(f: Frame) -> Picture:
    """The operations to show at a frame."""
    all_ = operations_of(f.index)
    shown, at, rounds = _turn(f, all_)
    key = "parts " + ",".join([str(k) for k in shown])
    operations: list[int] = (
        all_.pieces[shown[0]]["operations"] if len(shown) == 1 else f.index.kept.get(key, [])
    )
    if not operations and shown:
        operations = sorted([i for k in shown for i in all_.pieces[k]["operations"]])
        f.index.kept[key] = operations
    return {"operations": operations, "pieces": shown, "key": key, "round": at, "rounds": rounds}


def say_round(picture: Picture, y: float, items: list[Item]) -> int:
    """Say below y which of the rounds that are alike is drawn. Returns how many lines that took."""
    if picture["rounds"] < 2:
        return 0
    said = f"round {picture['round']:,} of {picture['rounds']:,}, which are alike"
    items.append(text(12, y + 12, said, "note muted"))
    return 1


def shows(index: TraceIndex, picture: Picture, node: int) -> bool:
    """Whether a picture shows the operation of a node. -1 is no node."""
    all_ = operations_of(index)
    i = all_.of_node[node] if node >= 0 else -1
    return i >= 0 and (not all_.piece_of or all_.piece_of[i] in picture["pieces"])


def _turn(f: Frame, all_: Operations) -> tuple[list[int], int, int]:
    """The pieces to show, and which one of how many that are alike. Of those, the last that had begun is shown, or the one that the step at
    the cursor is about."""
    pieces = all_.pieces
    if len(all_.shown) <= 1:
        return all_.shown, 0, 1
    about = -1
    if f.step is not None and f.step.get("node") is not None:
        i = all_.of_node[f.step["node"]]
        about = all_.piece_of[i] if i >= 0 else -1
    chosen: dict[str, int] = {}
    counts: dict[str, int] = {}
    numbers: dict[str, int] = {}
    fixed = ""
    for k in all_.shown:
        sign = pieces[k]["sign"]
        counts[sign] = counts.get(sign, 0) + 1
        if about >= 0 and sign == fixed:
            continue
        if sign not in chosen or k == about or all_.births[pieces[k]["operations"][0]] < f.cursor:
            chosen[sign] = k
            numbers[sign] = counts[sign]
        if k == about:
            fixed = sign
    rounds, at = 1, 0
    for sign in counts:
        if counts[sign] > rounds:
            rounds, at = counts[sign], numbers[sign]
    return list(chosen.values()), at, rounds
