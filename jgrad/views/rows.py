"""The rows of the graph: which nodes, leaves and cuts are shown, the gradients that passed them, how repetitions fold, and the lane of each row."""

from __future__ import annotations

from bisect import bisect_left
from typing import NotRequired, TypedDict

from jgrad.trace.document.loops import folded as units_of
from jgrad.trace.document.loops import loops_of
from jgrad.trace.document.schema import GradUpdate, Step, TraceTensor, Value
from jgrad.views.scene import Frame

HIDDEN = 4  # a fold of a repetition hides at least so many rows
OF_LINE = 4  # only so many rows of one source line, or more, are folded
FAR = 6  # at most so many rows above the window have a lane into it

# A tensor next to a row: its number, the number of the edge that uses it (-1 for none), and whether a gradient can reach it.
Chip = tuple[int, int, bool]
# A gradient that came to a node: the node from which it came (-1 for the start of the backward call), the number of that node's edge,
# the gradient, and the number of the output of which it is the gradient.
Arrival = tuple[int, int, Value, int]
# A part of a line of text: the text, its class, the column in which it begins.
Words = tuple[str, str, int]


class Row(TypedDict):
    """A row of the graph: a node, a leaf (a tensor that collects a gradient), a cut (a tensor that detach or .data made), or a fold of many rows."""

    kind: str
    id: int
    line: int | None
    tensor: int | None
    """The tensor that it computes."""
    nodes: list[int]
    next: list[int]
    """The nodes that it uses by lanes."""
    chips: list[Chip]
    gone: bool
    far: NotRequired[int]
    """How many of `next` are too far above to be drawn."""
    rows: NotRequired[list[Row]]
    """Of a fold: the rows that it hides."""
    times: NotRequired[int]
    """Of a fold: how often they repeat."""
    lines: NotRequired[list[list[Words]]]
    y: NotRequired[float]
    """Where it is drawn."""


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


def key_of(r: Row) -> str:
    return f"{r['kind']}{r['id']}"


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


def rows_of(f: Frame, flow: Flow, most: int) -> tuple[list[Row], int]:
    """The rows in order of execution, and how many are hidden. A row is always above the rows that use it. If there are more than `most` rows,
    those of graphs that are gone are hidden."""
    held = alive(f, list(flow["ran"]))
    seen = {t["id"] for t in f.tensors()}
    births, nodes, places = f.index.nodes_in_order
    count = bisect_left(births, f.cursor)  # so many nodes were made before the cursor
    order = _tensors_in_rows(f, held, seen)
    many = count + len(order) > most
    shown = [n for n in held if places.get(n, count) < count] if many else nodes[:count]
    order.extend([(births[places[n]], 1, places[n]) for n in shown])
    rows: list[Row] = []
    hidden = count - len(shown)
    for since, rank, number in sorted(order):
        n = nodes[number] if rank == 1 else -1
        gone = n not in held if rank == 1 else rank == 0 and number not in seen
        if gone and many:
            hidden += 1
        elif rank == 1:
            rows.append(_node_row(f, n, f.index.owner(n, f.cursor), gone))
        elif rank == 0:
            rows.append(_a_row("leaf", number, _line_of(f, number), number, [], [(number, -1, True)], gone))
        else:
            source = cut_from(f, f.state[number])
            assert source is not None
            node = f.index.node_at(source, since)
            above: list[int] = []
            chips: list[Chip] = [(number, -1, False)]
            if node is not None and node in places and births[places[node]] <= since:
                above = [node]
            else:
                chips.insert(0, (source, -1, False))
            rows.append(_a_row("cut", number, _line_of(f, number), number, above, chips, False))
    return rows, hidden


def _tensors_in_rows(f: Frame, held: set[int], seen: set[int]) -> list[tuple[int, int, int]]:
    """The tensors that have a row of their own: (since which step, 0 for a leaf and 2 for a cut, tensor). The nodes of a step (1) come
    between them."""
    used: set[int] = set()  # what nodes read
    for n in held:
        made = _maker_of(f, n)
        if made is not None and made.get("node") == n:
            used.update(made.get("reads", []))
    collected: set[int] = set()
    for leaf, sinks in f.index.sinks.items():
        if any(f.document["nodes"][n]["created_step"] < f.cursor for n in sinks):
            collected.add(leaf)
    found: list[tuple[int, int, int]] = []
    for number in seen | used | collected:
        t = f.state[number]
        if t["created_step"] >= f.cursor:
            continue
        if t["is_leaf"] and t["requires_grad"] and (number in seen or number in collected):
            found.append((t["created_step"], 0, number))
        elif (number in seen or number in used) and cut_from(f, t) is not None:
            found.append((t["created_step"], 2, number))
    return found


def cut_from(f: Frame, t: TraceTensor) -> int | None:
    """The input of a tensor to which no gradient can go back, because of detach, `.data`, or disabled grad mode."""
    made = f.maker(t["id"])
    reads = (
        [] if made is None or t["requires_grad"] or made["op"].endswith("_like") else made.get("reads", [])
    )
    if t["origin"] not in ("detach", "data", "op") or not t["dtype"].startswith(
        ("float", "bfloat", "complex")
    ):
        return None
    for source in reads if t["origin"] == "op" else reads[:1]:
        if f.state[source]["requires_grad"]:
            return source
    return None


def _a_row(
    kind: str,
    number: int,
    line: int | None,
    tensor: int | None,
    above: list[int],
    chips: list[Chip],
    gone: bool,
) -> Row:
    nodes = [number] if kind == "node" else []
    return {
        "kind": kind,
        "id": number,
        "line": line,
        "tensor": tensor,
        "nodes": nodes,
        "next": above,
        "chips": chips,
        "gone": gone,
    }


def _node_row(f: Frame, n: int, tensor: int | None, gone: bool) -> Row:
    """The row of a node: the nodes that it uses by lanes, and the leaves that it uses as chips."""
    node = f.document["nodes"][n]
    made = None if tensor is None else f.maker(tensor)
    reads: list[int] = []
    if made is not None and made.get("node") == n:
        reads = made.get("reads", [])
    above: list[int] = []
    chips: list[Chip] = []
    for i in range(len(node["next_functions"])):
        m = node["next_functions"][i][0]
        if m is None:
            # An input outside of the graph is shown if it is a tensor and not a number.
            if len(reads) == len(node["next_functions"]) and not f.state[reads[i]]["requires_grad"]:
                chips.append((reads[i], i, False))
        elif (variable := f.document["nodes"][m]["variable"]) is not None:
            chips.append((variable, i, True))
        elif m not in above:
            above.append(m)
    return _a_row("node", n, node["line"], tensor, above, chips, gone)


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


def _line_of(f: Frame, tensor: int) -> int | None:
    """The line that made a tensor."""
    made = f.maker(tensor)
    return None if made is None else made["line"]


def _maker_of(f: Frame, node: int) -> Step | None:
    """The step that made the tensor of a node."""
    tensor = f.index.owner(node, f.cursor)
    return None if tensor is None else f.maker(tensor)


def focus_of(f: Frame, rows: list[Row]) -> int:
    """The row that the step at the cursor is about."""
    step = f.step
    if step is None:
        return len(rows) - 1
    touched = f.touched()
    node = step.get("node")
    if step["kind"] == "backward" and step.get("roots"):
        node = f.state[step["roots"][0]]["grad_fn"]
    leaf = step["grad"]["tensor"] if step.get("grad") else -1
    for i in range(len(rows) - 1, -1, -1):
        r = rows[i]
        if (r["kind"] == "node" and r["id"] == node) or (r["kind"] == "leaf" and r["id"] == leaf):
            return i
        if r["kind"] == "cut" and r["id"] in touched:
            return i
    return len(rows) - 1


def folded(f: Frame, rows: list[Row], focus: int, most: int) -> list[Row]:
    """Rows with repetitions folded. Of a repetition, the first and the last iteration stay, and the one with the row `focus`. If there are
    still more than `most` rows, the rows of each source line fold too, except for its last row and for the line with `focus`."""
    loops = loops_of([_sign(f, r) for r in rows], HIDDEN)
    found: list[Row] = []
    for begin, end, loop in units_of(loops, 0, len(rows), focus, True):
        found.append(_fold(rows[begin:end], None, (end - begin) // loop["period"]) if loop else rows[begin])
    if len(found) <= most:
        return found
    lines: list[Row] = []
    i = 0
    while i < len(found):
        line, j = found[i]["line"], i + 1
        # A repetition inside of one line belongs to that line.
        while j < len(found) and line is not None and all(r["line"] == line for r in _rows_in(found[j])):
            j += 1
        if j - i < OF_LINE or any(r is rows[focus] for r in found[i:j]):
            lines.extend(found[i:j])
        else:
            lines.append(_fold([r for of in found[i : j - 1] for r in _rows_in(of)], line, 1))
            lines.append(found[j - 1])
        i = j
    return lines


def _rows_in(r: Row) -> list[Row]:
    return r.get("rows", [r])


def _sign(f: Frame, r: Row) -> str:
    """The sign of a row, which is equal for rows at the same place of a loop."""
    name = f.document["nodes"][r["id"]]["name"] if r["kind"] == "node" else r["kind"]
    return f"{r['line']} {name}" + (" gone" if r["gone"] else "")


def _fold(rows: list[Row], line: int | None, times: int) -> Row:
    """One row for many rows: it uses what they use outside of them."""
    nodes = [n for r in rows for n in r["nodes"]]
    inside = set(nodes)
    above: list[int] = []
    chips: list[Chip] = []
    known: set[int] = set()
    for r in rows:
        for m in r["next"]:
            if m not in inside:
                inside.add(m)
                above.append(m)
        for c in r["chips"]:
            if r["kind"] == "node" and c[2] and c[0] not in known:
                known.add(c[0])
                chips.append((c[0], -1, True))
    fold = _a_row("fold", rows[0]["id"], line, None, above, chips, all(r["gone"] for r in rows))
    fold["nodes"] = nodes
    fold["rows"] = rows
    fold["times"] = times
    return fold


def drop_far(rows: list[Row], home: dict[int, str], begin: int, end: int) -> None:
    """Remove edges to rows that don't exist. In the window, also remove edges to rows above the window, except for the nearest few."""
    row_at = {key_of(rows[i]): i for i in range(len(rows))}
    for r in rows:
        r["next"] = [m for m in r["next"] if m in home]
    above = sorted({row_at[home[m]] for r in rows[begin:end] for m in r["next"] if row_at[home[m]] < begin})
    nearest = above[max(len(above) - FAR, 0) :]
    for r in rows[begin:end]:
        near = [m for m in r["next"] if row_at[home[m]] >= begin or row_at[home[m]] in nearest]
        r["far"] = len(r["next"]) - len(near)
        r["next"] = near


def lanes_of(rows: list[Row], home: dict[int, str], begin: int, end: int) -> tuple[dict[str, int], int]:
    """By row, its lane, if it has one, and the number of lanes. Rows above the window that rows in it use have lanes too."""
    last: dict[str, int] = {}
    for i in range(begin, end):
        for m in rows[i]["next"]:
            last[home[m]] = i
    lane_of: dict[str, int] = {}
    busy: list[str] = []

    def free() -> int:
        for lane in range(len(busy)):
            if not busy[lane]:
                return lane
        busy.append("")
        return len(busy) - 1

    for i in range(begin):
        key = key_of(rows[i])
        if key in last:
            lane_of[key] = free()
            busy[lane_of[key]] = key
    for i in range(begin, end):
        r = rows[i]
        if r["kind"] == "leaf":
            continue
        key = key_of(r)
        ending = [home[m] for m in r["next"] if last[home[m]] == i]
        for used in ending:
            busy[lane_of[used]] = ""
        lane = lane_of[ending[0]] if ending else free()
        lane_of[key] = lane
        busy[lane] = key if key in last else ""
    return lane_of, max(len(busy), 1)
