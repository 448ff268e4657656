"""What the graph holds for backward: from which step to which each node exists, and which tensors and storages nodes keep.

A graph may have 100,000 nodes, so how long each of them exists is found once, not at each step.
"""

from __future__ import annotations

from jgrad.trace.document.index import NEVER, TraceIndex
from jgrad.views.scene import Frame

# A node that keeps a tensor: the node, the version at which it saved it, and the last frame before and the last frame in which it keeps it.
Hold = tuple[int, int, int, int]


class Holding:
    """The tensors that nodes keep."""

    def __init__(self, index: TraceIndex) -> None:
        self.holds: dict[int, list[Hold]] = {}  # by tensor, in the order of the nodes
        self.on: dict[int, list[int]] = {}  # by storage: the tensors on it that nodes keep
        ends = _ends_of(index)
        for node in index.nodes:
            freed, until = node["freed_step"], ends[node["id"]]
            if freed is not None:
                until = min(until, freed)
            for s in node["saved"]:
                if s["tensor"] is not None:
                    hold = (node["id"], s["version"], node["created_step"], until)
                    self.holds.setdefault(s["tensor"], []).append(hold)
        for tensor in self.holds:
            for storage in {index.tensors[tensor]["storage"], *_moves(index, tensor)}:
                self.on.setdefault(storage, []).append(tensor)

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


def _ends_of(index: TraceIndex) -> list[int]:
    """By node: the last frame in which it exists. It lives as long as a tensor whose grad_fn it is, or as a node that leads to it, or
    until it runs."""
    ends = [node["created_step"] + 1 for node in index.nodes]

    def live(node: int | None, until: int) -> None:
        if node is not None and until > ends[node]:
            ends[node] = until

    for t in index.tensors:
        node = t["grad_fn"]
        for step, change in index.changes.get(t["id"], []):
            if "grad_fn" in change:
                live(node, step)
                node = change["grad_fn"]
        live(node, NEVER if t["freed_step"] is None else t["freed_step"])
    for n in index.runs:
        live(n, index.runs[n][-1] + 1)
    order = index.nodes_in_order[1]
    for i in range(len(order) - 1, -1, -1):
        for m, _ in index.nodes[order[i]]["next_functions"]:
            live(m, ends[order[i]])
    return ends


def holding_of(index: TraceIndex) -> Holding:
    """The tensors that the nodes of a document keep."""
    found: Holding | None = index.kept.get("holding", None)
    if found is None:
        found = Holding(index)
        index.kept["holding"] = found
    return found
