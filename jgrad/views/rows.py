"""The gradients of a backward pass, the nodes that are alive, and lanes: edges between rows that go down side by side."""

from __future__ import annotations

from typing import TypedDict

from jgrad.trace.document.schema import GradUpdate, Step, Value
from jgrad.views.scene import Frame

# A gradient that came to a node: the node from which it came (-1 for the start of the backward call), the number of that node's edge,
# the gradient, and the number of the output of which it is the gradient.
Arrival = tuple[int, int, Value, int]


class Flow(TypedDict):
    """The gradients of a backward call."""

    call: int | None
    op: str
    """What started it: "backward" or "grad"."""
    ran: dict[int, Step]
    """By node: its step."""
    order: dict[int, int]
    """By node: its position in the order of running."""
    arrived: dict[int, list[Arrival]]
    accumulated: dict[int, tuple[int, GradUpdate]]
    """By tensor: the step that added to its `.grad`, and what it did."""
    running: int | None


def got(step: Step, output: int) -> Value | None:
    """The gradient that a node got for one of its outputs. For a backward call: that with which it started at one of its roots."""
    values = step.get("grads_in", [])
    return values[output] if output < len(values) else None


def sent(step: Step, i: int) -> Value | None:
    """The gradient that a node sent along an edge."""
    values = step.get("grads_out", [])
    return values[i] if i < len(values) else None


def flow_at(f: Frame) -> Flow:
    """The gradients of the latest backward call up to the cursor: what nodes got and sent, and what arrived at each node and leaf."""
    steps = f.document["steps"]
    last = f.cursor - 1
    while last >= 0 and (
        steps[last].get("backward_call") is None
        or steps[last]["kind"] not in ("backward", "node", "accumulate")
    ):
        last -= 1
    call = steps[last]["backward_call"] if last >= 0 else None
    flow: Flow = {
        "call": call,
        "op": "",
        "ran": {},
        "order": {},
        "arrived": {},
        "accumulated": {},
        "running": None,
    }
    if call is None:
        return flow
    begin = f.index.calls.get(call, 0)
    flow["op"] = steps[begin]["op"]
    for at in range(begin, f.cursor):
        s = steps[at]
        if s.get("backward_call") != call:
            continue
        if s["kind"] == "backward":
            for i in range(len(s.get("roots", []))):
                node = f.state[s["roots"][i]]["grad_fn"]
                value = s["grads_in"][i]
                if node is not None and value is not None:
                    nr = f.state[s["roots"][i]]["output_nr"]
                    flow["arrived"].setdefault(node, []).append((-1, 0, value, nr))
        elif s["kind"] == "node":
            flow["ran"][s["node"]] = s
            flow["order"][s["node"]] = len(flow["ran"])
            edges = f.document["nodes"][s["node"]]["next_functions"]
            for i in range(min(len(edges), len(s.get("grads_out", [])))):
                target, nr = edges[i]
                value = s["grads_out"][i]
                if target is not None and value is not None:
                    flow["arrived"].setdefault(target, []).append((s["node"], i, value, nr))
        elif s["kind"] == "accumulate":
            flow["accumulated"][s["grad"]["tensor"]] = (at, s["grad"])
    if (
        f.step is not None
        and f.step["kind"] in ("node", "accumulate")
        and f.step.get("backward_call") == call
    ):
        flow["running"] = f.step.get("node")
    return flow


def alive(f: Frame, held: list[int]) -> set[int]:
    """The nodes that a tensor still holds, that this step made, or to which the nodes in `held` lead."""
    nodes = f.document["nodes"]
    stack = held + [t["grad_fn"] for t in f.tensors() if t["grad_fn"] is not None]
    if f.step is not None and f.step.get("node") is not None:
        stack.append(f.step["node"])
    found: set[int] = set()
    while stack:
        n = stack.pop()
        if n not in found:
            found.add(n)
            stack.extend([m for m, _ in nodes[n]["next_functions"] if m is not None])
    return found


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
