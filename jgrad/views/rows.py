"""The gradients of a backward pass, and lanes: edges between rows that go down side by side."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from operator import itemgetter

from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.schema import GradUpdate, Step, Value
from jgrad.views.scene import Frame

# A gradient that came to a node: the node from which it came (-1 for the start of the backward call), the number of that node's edge,
# the gradient, and the number of the output of which it is the gradient.
Arrival = tuple[int, int, Value, int]

step_number = itemgetter(0)


def got(step: Step, output: int) -> Value | None:
    """The gradient that a node got for one of its outputs. For a backward call: that with which it started at one of its roots."""
    values = step.get("grads_in", [])
    return values[output] if output < len(values) else None


def sent(step: Step, i: int) -> Value | None:
    """The gradient that a node sent along an edge."""
    values = step.get("grads_out", [])
    return values[i] if i < len(values) else None


class Flow:
    """The gradients of a backward call up to the cursor. They are looked up for the nodes that are drawn: a call may have run 100,000 nodes."""

    def __init__(self, f: Frame, call: int | None) -> None:
        self.index: TraceIndex = f.index
        self.cursor = f.cursor
        self.call = call
        self.begin = -1 if call is None else f.index.calls.get(call, -1)
        self.op = "" if self.begin < 0 else f.index.steps[self.begin]["op"]
        """What started it: "backward" or "grad"."""
        step = f.step
        here = (
            step is not None
            and call is not None
            and step["kind"] in ("node", "accumulate")
            and step.get("backward_call") == call
        )
        self.running: int | None = step.get("node") if here and step is not None else None

    @cached_property
    def starts(self) -> list[tuple[int, Arrival]]:
        """The gradients with which the call started: (node, gradient)."""
        found: list[tuple[int, Arrival]] = []
        if self.begin >= 0:
            step = self.index.steps[self.begin]
            roots = step.get("roots", [])
            for i in range(len(roots)):
                root = self.index.state(roots[i], self.begin)
                value = got(step, i)
                if root["grad_fn"] is not None and value is not None:
                    found.append((root["grad_fn"], (-1, 0, value, root["output_nr"])))
        return found

    @cached_property
    def start_norm(self) -> float:
        """The norm of the gradient with which the call started, 1 if it is not known."""
        for _, arrival in self.starts:
            norm = arrival[2].get("norm")
            if norm:
                return norm
        return 1.0

    def ran_at(self, node: int) -> int:
        """The step in which a node ran, -1 if it did not."""
        runs = self.index.runs.get(node, [])
        for i in range(bisect_left(runs, self.cursor) - 1, -1, -1):
            if runs[i] < self.begin:
                break
            if self.index.steps[runs[i]].get("backward_call") == self.call:
                return runs[i]
        return -1

    def ran(self, node: int) -> Step | None:
        """The step in which a node ran."""
        at = self.ran_at(node)
        return None if at < 0 else self.index.steps[at]

    def arrived(self, node: int) -> list[Arrival]:
        """The gradients that came to a node, in their order."""
        found: list[tuple[int, Arrival]] = []
        for sender, i, output in self.index.senders.get(node, []):
            at = self.ran_at(sender)
            value = None if at < 0 else sent(self.index.steps[at], i)
            if value is not None:
                found.append((at, (sender, i, value, output)))
        found.sort(key=step_number)
        return [*[arrival for n, arrival in self.starts if n == node], *[arrival for _, arrival in found]]

    def accumulated(self, tensor: int) -> tuple[int, GradUpdate] | None:
        """The step that added to the `.grad` of a tensor, and what it did."""
        updates = self.index.grads_of.before(tensor, self.cursor)
        for i in range(len(updates) - 1, -1, -1):
            at, update = updates[i]
            if at < self.begin:
                break
            step = self.index.steps[at]
            if step["kind"] == "accumulate" and step.get("backward_call") == self.call:
                return at, update
        return None


def flow_at(f: Frame) -> Flow:
    """The gradients of the latest backward call up to the cursor."""
    found = f.index.passing
    i = bisect_left(found, f.cursor) - 1
    return Flow(f, f.index.steps[found[i]].get("backward_call") if i >= 0 else None)


def lanes_of(keys: list[str], uses: list[list[str]]) -> tuple[dict[str, int], int]:
    """The lane of each row, and the number of lanes. `uses`: for each row, the rows above whose results it uses. A row's lane is busy until the
    last row that uses it."""
    last: dict[str, int] = {}
    for i in range(len(keys)):
        for key in uses[i]:
            last[key] = i
    lane_of: dict[str, int] = {}
    busy: list[str] = []

    def free() -> int:
        for lane in range(len(busy)):
            if not busy[lane]:
                return lane
        busy.append("")
        return len(busy) - 1

    for i in range(len(keys)):
        ending = [key for key in uses[i] if last[key] == i]
        for key in ending:
            busy[lane_of[key]] = ""
        lane = min([lane_of[key] for key in ending]) if ending else free()
        lane_of[keys[i]] = lane
        busy[lane] = keys[i] if keys[i] in last else ""
    return lane_of, max(len(busy), 1)
