"""The backward nodes that were made while the recorder slept.

As many of them are described as the log has room for: those that are nearest to what was recorded next. All others are counted, in groups of those that lead to
the same: to the same leaves, and to the same nodes from before the sleep. A group is one record. So a graph is bounded as the log is, and what leads to a leaf
in the graph leads there in the record of it, and nothing else does.

Nodes count from the first one that was made in a sleep, by sequence number, which no two nodes share. A node leads to older nodes only. So does a group: it leads
to nothing that was made after the recorder fell asleep.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from jgrad.graph.node import HIGHEST, Node
from jgrad.tracing.record.nodes import target_of
from jgrad.tracing.record.records import NodeRecord

if TYPE_CHECKING:
    from jgrad.tracing.record.registry import Registry

# Groups of a sleep. If there would be more, as where each of a thousand nodes brings another leaf, the last one leads to all that the others would.
GROUPS = 32


class GroupRecord(NodeRecord):
    """Stands for nodes of a sleep that are not described and lead to the same."""

    __slots__ = ("count",)

    count: int

    def add(self, count: int) -> None:
        self.count += count
        self.name = f"{self.count} nodes"


class Sleep:
    """A time for which the recorder slept, and the nodes that were made then."""

    __slots__ = ("first", "room", "group", "groups", "by_targets")

    def __init__(self, first: int, room: int) -> None:
        self.first = first  # the sequence number of its first node
        self.room = room  # how many more may be described
        self.group = array("B")  # by node: the place of its group, counted from 1; 0 if it is not known
        self.groups: list[GroupRecord] = []
        self.by_targets: dict[frozenset[NodeRecord], int] = {}

    def group_of(self, node: Node) -> int:
        number = node._seq - self.first
        return self.group[number] if number < len(self.group) else 0

    def set_group(self, node: Node, place: int) -> None:
        number = node._seq - self.first
        if number >= len(self.group):
            self.group.extend(bytes(number + 1 - len(self.group)))
        self.group[number] = place

    def forget(self) -> None:
        del self.groups[:], self.group[:]
        self.by_targets.clear()


class Unrecorded:
    """What a registry knows of the nodes that nothing reported."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.sleeps: list[Sleep] = []

    def sleep_of(self, node: Node) -> Sleep | None:
        """The sleep in which a node was made; None if it is older than the first one, or its number does not say."""
        if node._seq == HIGHEST:
            return None
        at = bisect_right(self.sleeps, node._seq, key=attrgetter("first"))
        return self.sleeps[at - 1] if at else None

    def has_room(self, node: Node) -> bool:
        """Whether a node may be described. (All nodes that were made while the recorder was awake are.)"""
        sleep = self.sleep_of(node)
        if sleep is None:
            return True
        sleep.room -= 1
        return sleep.room >= 0

    def described(self, node: Node) -> None:
        """A node gets a record of its own."""
        sleep = self.sleep_of(node)
        if sleep is not None and (place := sleep.group_of(node)):
            sleep.groups[place - 1].add(-1)

    def group(self, node: Node, index: int) -> int | None:
        """The number of the record that stands for a node without a record of its own."""
        sleep = self.sleep_of(node)
        if sleep is None:
            return None
        stack = [node]
        while stack:
            top = stack[-1]
            of: Sleep = self.sleep_of(top)  # type: ignore[assignment]  # there is one
            if of.group_of(top):
                stack.pop()
            elif missing := self._missing(of, top):
                stack += missing
            else:
                stack.pop()
                self._join(of, top, index)
        return sleep.groups[sleep.group_of(node) - 1].id

    def _missing(self, sleep: Sleep, node: Node) -> list[Node]:
        """The nodes that a node leads to, and that have no record and no group yet."""
        found = []
        for target in self._targets(node):
            if isinstance(target, Node):
                of = self.sleep_of(target)
                known = target._seq < sleep.first and self._record_of(target) is not None
                if of is not None and not known and not of.group_of(target):
                    found.append(target)
        return found

    def _targets(self, node: Node) -> list[Any]:
        return [target for edge in node._next if edge is not None and (target := target_of(edge)) is not None]

    def _join(self, sleep: Sleep, node: Node, index: int) -> None:
        """Put a node into the group of those that lead to the same."""
        places: set[int] = set()  # of the groups of this sleep that it leads to
        direct: set[NodeRecord] = set()
        for target in self._targets(node):
            if not isinstance(target, Node):
                leaf = self.registry.known_tensor(target, self.registry.unmet)
                direct.add(self.registry.nodes[self.registry.accumulator(leaf)])
            elif HIGHEST > target._seq >= sleep.first:
                places.add(sleep.group_of(target))
            elif (known := self._record_of(target) or self._group_record(target)) is not None:
                direct.add(known)
        if len(places) == 1 and not direct:
            (place,) = places
        else:
            reached = direct.union(*(self._reached(sleep.groups[place - 1]) for place in places))
            place = self._place(sleep, frozenset(reached), node, index)
        sleep.set_group(node, place)
        if self._record_of(node) is None:
            sleep.groups[place - 1].add(1)

    def _place(self, sleep: Sleep, targets: frozenset[NodeRecord], node: Node, index: int) -> int:
        """The place of the group that leads to these."""
        place = sleep.by_targets.get(targets)
        if place is None:
            if len(sleep.groups) < GROUPS:
                record: Any = self.registry.new_node(node, "", index, GroupRecord)
                record.count = 0
                sleep.groups.append(record)
                record.next = [target.id for target in targets]
            else:
                record = sleep.groups[-1]
                record.next = [*{*record.next, *[target.id for target in targets]}]
            place = sleep.by_targets[targets] = len(sleep.groups)
        return place

    def _reached(self, group: GroupRecord) -> list[NodeRecord]:
        return [self.registry.nodes[number] for number in group.next if isinstance(number, int)]

    def _record_of(self, node: Node) -> NodeRecord | None:
        known = self.registry.node_of.get(id(node))
        return known if known is not None and known() is node else None

    def _group_record(self, node: Node) -> NodeRecord | None:
        sleep = self.sleep_of(node)
        return None if sleep is None else sleep.groups[sleep.group_of(node) - 1]

    def forget_removed(self) -> None:
        """Records were removed and have new numbers. If those of groups were removed, nodes are counted anew when they are met again."""
        nodes = self.registry.nodes
        for sleep in self.sleeps:
            if not all(one.id < len(nodes) and nodes[one.id] is one for one in sleep.groups):
                sleep.forget()
