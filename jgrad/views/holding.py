"""What the graph holds for backward: which tensors and storages nodes keep, and how long.

A graph may have 100,000 nodes, so this is found once, not at each step.
"""

from __future__ import annotations

from jgrad.tracing.document.index import NEVER, TraceIndex, living
from jgrad.views.scene import Frame

# A node that keeps a tensor: the node, the version at which it saved it, and the last frame before and the last frame in which it keeps it.
Hold = tuple[int, int, int, int]


class Holding:
    """The tensors that nodes keep."""

    def __init__(self, index: TraceIndex) -> None:
        self.holds: dict[int, list[Hold]] = {}  # by tensor, in the order of the nodes
        self.on: dict[int, list[int]] = {}  # by storage: the tensors on it that nodes keep
        for node in index.nodes:
            freed, until = node["freed_step"], index.node_ends[node["id"]]
            if freed is not None:
                until = min(until, freed)
            for s in node["saved"]:
                if s["tensor"] is not None:
                    hold = (node["id"], s["version"], node["created_step"], until)
                    self.holds.setdefault(s["tensor"], []).append(hold)
        for tensor in self.holds:
            for storage in {index.tensors[tensor]["storage"], *_moves(index, tensor)}:
                self.on.setdefault(storage, []).append(tensor)
        # The storages that something uses, and from when to when, in the order of their numbers, once for each time:
        self.used: list[int] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self._find_used(index)

    def _find_used(self, index: TraceIndex) -> None:
        """Find out when a tensor in a storage exists, or is kept by a node."""
        births, ends = index.storage_lives
        spells: dict[int, list[tuple[int, int]]] = {}  # by storage
        for t in index.tensors:
            times = [(t["created_step"], NEVER if t["freed_step"] is None else t["freed_step"])]
            for hold in self.holds.get(t["id"], []):
                times.append((hold[2], hold[3]))  # noqa: PERF401  (quicker in JavaScript)
            storage, since = t["storage"], -NEVER
            moves = [(NEVER, -1)]
            if t["id"] in index.changes:
                moves = [(i, c["storage"]) for i, c in index.changes[t["id"]] if "storage" in c]
                moves.append((NEVER, -1))
            for step, after in moves:
                for first, last in times:
                    begin, end = max(first, since, births[storage]), min(last, step, ends[storage])
                    if begin < end:
                        spells.setdefault(storage, []).append((begin, end))
                storage, since = after, step
        for s in range(len(births)):
            until = -NEVER
            for begin, end in sorted(spells.get(s, []), key=lambda spell: spell[0]):
                if begin > until:
                    self.used.append(s)
                    self.begins.append(begin)
                    self.ends.append(end)
                until = max(until, end)
                self.ends[len(self.ends) - 1] = until

    def storages(self, cursor: int) -> list[int]:
        """The storages that something uses in a frame."""
        return [self.used[i] for i in living((self.begins, self.ends), cursor)]

    def hold(self, tensor: int, cursor: int) -> Hold | None:
        """The first node that keeps a tensor."""
        for hold in self.holds.get(tensor, []):
            if hold[2] < cursor <= hold[3]:
                return hold
        return None

    def saved(self, tensor: int, cursor: int) -> int | None:
        """The version at which the first node that keeps a tensor saved it."""
        hold = self.hold(tensor, cursor)
        return None if hold is None else hold[1]

    def keeper(self, f: Frame, storage: int) -> int:
        """The first node that keeps a storage, -1 for none."""
        first = -1
        for tensor in self.on.get(storage, []):
            hold = self.hold(tensor, f.cursor) if f.state[tensor]["storage"] == storage else None
            if hold is not None and (first < 0 or hold[0] < first):
                first = hold[0]
        return first


def _moves(index: TraceIndex, tensor: int) -> list[int]:
    """The storages to which a tensor changed."""
    return [c["storage"] for _, c in index.changes.get(tensor, []) if "storage" in c]


def holding_of(index: TraceIndex) -> Holding:
    """The tensors that the nodes of a document keep."""
    found: Holding | None = index.kept.get("holding", None)
    if found is None:
        found = Holding(index)
        index.kept["holding"] = found
    return found
