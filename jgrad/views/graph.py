"""The graph: backward nodes in order of execution, next to their source lines, with edges in lanes as in `git log --graph`.

A node's lane goes down from its row to the last row that uses it. Leaves have no lanes. They are chips, repeated at each use, because long
edges to shared parameters make a graph unreadable. A detach has a row of its own, and its edge is cut. After a backward step each edge shows the
gradient that went along it, and each node shows what it got and by which formula it passed it on.
"""

from __future__ import annotations

import re
from typing import TypedDict

from jgrad.trace.document.formulas import of_dtype
from jgrad.trace.document.schema import GradUpdate, Step, TraceNode, Value
from jgrad.views.rows import Flow, Row, Words, drop_far, flow_at, focus_of, folded, key_of, lanes_of, rows_of
from jgrad.views.scene import (
    CHAR,
    WIDTH,
    Frame,
    Item,
    Scene,
    brief,
    chip,
    chip_width,
    clip,
    clip_name,
    columns_of,
    cross,
    dot,
    finished,
    group,
    legend,
    norm_of,
    path,
    plural,
    points,
    r1,
    rect,
    short,
    status,
    tensor_class,
    text,
    width,
    window,
    wrap,
)
from jgrad.views.storage import relation_of

ROWS = 24  # at most so many are drawn
UNFOLDED = 12  # so few rows are never folded
SOURCE = 44  # at most so many characters of a source line are drawn
WORDS = 340  # the least width of a row's text
CHIPS = 4  # at most so many leaf chips of a row are drawn
NAME = 15  # at most so many characters are on a chip
FORMULAS = 4  # at most so many formulas of a node are written
KINDS = 6  # a fold names at most so many kinds of nodes
OUTPUTS = 4  # the gradients of at most so many outputs of a node are written
SAID = 3  # at most so many lines for one text
LINE = 16  # height of a line of text
CALL = re.compile(
    r"\w\(|@", re.ASCII
)  # of a function, or a product of matrices: such a formula is not element by element
LEGEND = [
    ("dot intermediate", "grad_fn of a non-leaf"),
    ("dot gradient", "grad_fn that has run backward"),
    ("dot error", "raised the error"),
    ("chip leaf", "leaf, collects .grad"),
    ("chip muted unused", "gets no gradient"),
    ("mark error", "history cut here"),
    ("dot intermediate gone", "freed: nothing holds it"),
    ("#", "#1, #2: order in which nodes ran"),
    ("‖", "‖2.5‖: norm of a gradient"),
]


def scene(f: Frame) -> Scene:
    """The scene of the graph at a frame."""
    flow = flow_at(f)
    rows, hidden = rows_of(f, flow, ROWS)
    if len(rows) > UNFOLDED:
        rows = folded(f, rows, focus_of(f, rows), ROWS)
    home: dict[int, str] = {}  # the row of each node
    for r in rows:
        for n in r["nodes"]:
            home[n] = key_of(r)
    begin, end = window(len(rows), focus_of(f, rows), ROWS)
    drawn = rows[begin:end]
    drop_far(rows, home, begin, end)
    lane_of, lanes = lanes_of(rows, home, begin, end)
    p = _placing(f, drawn, home, lane_of, lanes)
    items: list[Item] = []
    y = 8.0
    if hidden:
        items.append(text(p["lanes"], y + 12, f"{plural(hidden, 'row')} of freed graphs", "muted"))
        y += 22
    if begin > 0:
        items.append(text(p["lanes"], y + 12, f"… {plural(begin, 'row')} above", "muted"))
        y += 22
    p["top"] = y - 6
    for r in drawn:
        r["lines"] = _lines(f, r, flow, p["room"])
        r["y"] = y
        p["tops"][key_of(r)] = y
        y += max(
            len(r["lines"]) * LINE + 12, min(len(r["chips"]), CHIPS + 1) * 24 + 6, 36 if p["wide"] else 30
        )
    behind: list[Item] = []  # edges are under the dots
    front: list[Item] = []
    line_before: int | None = None
    for r in drawn:
        if r["line"] is not None and r["line"] != line_before:
            _source(f, r, r["line"], p, items)
        line_before = r["line"]
        _edges(r, flow, home, p, behind, front)
        front.append(_row(f, r, flow, p))
    items.extend(behind)
    items.extend(front)
    if end < len(rows):
        items.append(text(p["lanes"], y + 12, f"… {plural(len(rows) - end, 'row')} below", "muted"))
        y += 22
    if rows:
        y = legend(LEGEND, y + 6, items, 860)
    else:
        items.append(text(10, y + 14, "autograd has recorded no operation yet", "muted"))
        y += 24
    table = _table(f, drawn, flow, home, lane_of, lanes)
    return finished(
        "graph",
        "Graph",
        f,
        y + 8,
        items,
        ["line", "graph", "tensor", "grad_fn", "inputs", "saved", "gradient"],
        table,
    )


class Placing(TypedDict):
    """The positions of the columns: source, lanes, chips, text."""

    spacing: int
    """From lane to lane."""
    wide: bool
    """Whether there is space for numbers between lanes."""
    source: int
    """How many characters of a source line are drawn."""
    lanes: float
    """Where the lanes begin."""
    text: float
    """Where the texts begin."""
    room: int
    """How many characters a text may have."""
    lane_of: dict[str, int]
    """By row: its lane."""
    home: dict[int, str]
    """By node: its row."""
    top: float
    """Where the lanes of rows above the window begin."""
    tops: dict[str, float]
    """By row: where it is drawn."""


def _placing(
    f: Frame, drawn: list[Row], home: dict[int, str], lane_of: dict[str, int], lanes: int
) -> Placing:
    """The positions of the columns: source, lanes, chips, text."""
    spacing = 60 if lanes <= 3 else 44 if lanes <= 5 else 18 if lanes <= 14 else 10
    chip_room = 0.0  # for the chips, and before them for the gradients on their edges
    longest = 0
    for r in drawn:
        for tensor, _, _ in r["chips"]:
            chip_room = max(
                chip_room, chip_width(clip_name(f.label(tensor), NAME)) + (82 if r["kind"] != "leaf" else 18)
            )
        if r["line"] is not None:
            longest = max(longest, columns_of(f.document["source"][r["line"] - 1].strip()))
    most = int((WIDTH - 52 - lanes * spacing - chip_room - WORDS) / CHAR)
    source = max(min(longest, SOURCE, most), 16)
    at = r1(46 + source * CHAR)
    text_at = at + lanes * spacing + chip_room + 12
    return {
        "spacing": spacing, "wide": spacing >= 44, "source": source, "lanes": at, "text": text_at, "room": int((WIDTH - 8 - text_at) / CHAR),
        "lane_of": lane_of, "home": home, "top": 0.0, "tops": {},
    }  # fmt: skip


# How it is drawn ----------------------------------------------------------------------------------


def _source(f: Frame, r: Row, number: int, p: Placing, items: list[Item]) -> None:
    """Draw the source line of a row and of those below it."""
    k = [f"l{number}"]
    line = f.document["source"][number - 1].strip()
    here = f.step is not None and f.step["line"] == number
    items.append(path(points("M", 8, r["y"] + 1, "H", WIDTH - 8), "edge rule muted"))
    items.append(text(26, r["y"] + 19, str(number), "muted", k, a="end"))
    items.append(
        text(
            34,
            r["y"] + 19,
            clip(line, p["source"]),
            "mono now" if here else "mono",
            k,
            label=f"line {number}: {line}",
        )
    )


def _edges(
    r: Row,
    flow: Flow,
    home: dict[int, str],
    p: Placing,
    behind: list[Item],
    front: list[Item],
) -> None:
    """Draw the edges from a row up to the rows that it uses, with the gradients that went along them."""
    if r["kind"] == "leaf":
        return
    x, y = _lane_x(p, key_of(r)), r["y"] + 15
    done: list[str] = []
    for m in r["next"]:
        key = home[m]
        if key in done:
            continue
        done.append(key)
        mx = _lane_x(p, key)
        start = p["tops"][key] + 15 if key in p["tops"] else p["top"]
        arrived = [a for a in flow["arrived"].get(m, []) if home.get(a[0]) == key_of(r)]
        values = [a[2] for a in arrived] if r["kind"] == "node" else []
        now = " now" if values and flow["running"] == r["id"] else ""
        c = "edge cut muted" if r["kind"] == "cut" else "edge gradient" + now if arrived else "edge"
        if r["gone"]:
            c += " gone"
        k = [f"n{m}", f"t{r['id']}" if r["kind"] == "cut" else f"n{r['id']}"]
        if mx == x:
            d = points("M", mx, start, "V", y)
        else:
            d = points("M", mx, start, "V", y - 22, "C", mx, y - 8, x, y - 16, x, y)
        # Only gradients of the same output are added.
        plus = " + " if len({a[3] for a in arrived}) == 1 else "; "
        label = plus.join([brief(v, 60) for v in values])
        # Where edges overlap, those with gradients are on top.
        behind.insert(len(behind) if arrived else 0, path(d, c, k, f"gradient {label}" if label else ""))
        if values and p["wide"]:
            said = _pill(values, int((p["spacing"] - 6) / CHAR), plus)
            front.extend(_pill_items(mx, y - 23, said, k, now, f"gradient {label}"))


def _pill(values: list[Value], n: int, plus: str = "") -> str:
    """The gradients on an edge, in n characters: the number, or the terms of the sum, or the norm."""
    whole = plus.join([_plain(v, 60) for v in values])
    if columns_of(whole) <= n:
        return whole
    if len(values) == 1:
        return _plain(values[0], n)
    return f"{len(values)} grads" if n > 6 else "grads"


def _plain(value: Value, n: int) -> str:
    """The text of a value. For a single element it is that element; for a large value it is the norm, with as many digits as fit."""
    texts = value["elements"]
    if texts is not None and len(texts) == 1:
        return clip(texts[0], n)
    if texts is not None and texts and all(t == texts[0] for t in texts) and columns_of(texts[0]) + 3 <= n:
        return (
            f"{texts[0]} ×{len(texts)}" if columns_of(f"{texts[0]} ×{len(texts)}") <= n else clip(texts[0], n)
        )
    s = brief(value, n)
    if not s.startswith("norm") and columns_of(s) <= n and n > 8:
        return s
    for digits in (3, 2, 1, 0):
        norm = norm_of(value, digits)
        if norm and len(norm) + 2 <= n:
            return f"‖{norm}‖"
    return "grad"


def _pill_items(cx: float, y: float, s: str, k: list[str], now: str, label: str) -> list[Item]:
    w = width(s) + 8
    return [
        rect(cx - w / 2, y - 8, w, 16, "chip gradient pill" + now, k, label),
        text(cx, y + 4, s, "gradient" + now, k, a="middle"),
    ]


def _lane_x(p: Placing, key: str) -> float:
    return p["lanes"] + p["lane_of"][key] * p["spacing"] + p["spacing"] / 2


def _row(f: Frame, r: Row, flow: Flow, p: Placing) -> Item:
    """The dot, the leaf chips and the text of a row."""
    items: list[Item] = []
    y = r["y"] + 15
    node = r["kind"] == "node"
    k = [f"n{n}" for n in r["nodes"][:8]] if r["nodes"] else [f"t{r['id']}"]
    if r["tensor"] is not None and node:
        k.append(f"t{r['tensor']}")
    gone = " gone" if r["gone"] else ""
    now = " now" if _is_now(f, r) else ""
    x = 0.0 if r["kind"] == "leaf" else _lane_x(p, key_of(r))
    sent = _sent(r, flow)
    for i in range(min(len(r["chips"]), CHIPS)):
        tensor, edge, solid = r["chips"][i]
        cy = y + i * 24
        name = clip_name(f.label(tensor), NAME)
        cx = p["text"] - 12 - chip_width(name)
        keys = [f"t{tensor}"] + ([f"n{r['id']}"] if node else [])
        values = [s[1] for s in sent if s[0] == edge]
        if r["kind"] != "leaf":
            arrived = [
                a for n in f.index.sinks.get(tensor, []) for a in flow["arrived"].get(n, []) if p["home"].get(a[0]) == key_of(r)
            ]  # fmt: skip
            c = "edge gradient" + now if values or arrived else "edge" if solid else "edge cut muted"
            d = (
                points("M", x, y, "H", cx)
                if i == 0
                else points("M", x, y, "C", x + 14, cy, x + 6, cy, x + 26, cy, "H", cx)
            )
            items.append(path(d, c + gone, keys))
        if values:
            items.extend(
                _pill_items(cx - 36, cy, _pill(values, 7), keys, now, f"gradient {brief(values[0], 60)}")
            )
        c = tensor_class(f, f.state[tensor]) if solid else "muted unused"
        items.extend(
            chip(cx, cy + 4, name, c + (now if r["kind"] == "leaf" else "") + gone, keys, f.history(tensor))
        )
    if len(r["chips"]) > CHIPS:
        items.append(
            text(p["text"] - 12, y + CHIPS * 24 + 4, f"+ {len(r['chips']) - CHIPS} more", "muted", a="end")
        )
    label = _label(f, r)
    if r["nodes"]:
        failed = f.step is not None and f.step["kind"] == "error" and now != ""
        c = "error" if failed else "gradient" if r["nodes"][0] in flow["ran"] else "intermediate"
        items.append(path(dot(x, y), f"dot {c}{now}{gone}"))
        if r["kind"] == "fold":
            items.append(path(dot(x + 4, y + 4), f"dot {c}{gone}"))
    elif r["kind"] == "cut":
        items.append(path(cross(x, y), "mark error" + now))
    for i in range(len(r["lines"])):
        for s, c, at in r["lines"][i]:
            items.append(
                text(p["text"] + at * CHAR, r["y"] + 19 + i * LINE, s, c + (now if i == 0 else "") + gone)
            )
    return group(items, k, label)


def _sent(r: Row, flow: Flow) -> list[tuple[int, Value]]:
    """The gradients that a node sent along its edges: (edge, value)."""
    step = flow["ran"].get(r["id"]) if r["kind"] == "node" else None
    if step is None:
        return []
    grads = step.get("grads_out", [])
    return [(i, value) for i, value in enumerate(grads) if value is not None]


def _is_now(f: Frame, r: Row) -> bool:
    step = f.step
    if step is None:
        return False
    if r["kind"] == "node":
        return step.get("node") == r["id"]
    if step.get("grad"):
        return r["kind"] == "leaf" and step["grad"]["tensor"] == r["id"]
    return r["id"] in f.touched()


def _label(f: Frame, r: Row) -> str:
    if r["kind"] == "fold":
        return _repeats(f, r)
    if r["kind"] != "node":
        return f.history(r["id"])
    node = f.document["nodes"][r["id"]]
    name = short(node["name"])
    whose = f", the grad_fn of {f.label(r['tensor'])}" if r["tensor"] is not None else ""
    return name + whose + (", freed: nothing holds it" if r["gone"] else "")


def _lines(f: Frame, r: Row, flow: Flow, room: int) -> list[list[Words]]:  # noqa: C901  (a case for each kind of line)
    """The text of a row: lines of [text, class, column]."""
    if r["kind"] == "leaf":
        words = status(f.state[r["id"]])
        if f.state[r["id"]]["origin"] in ("detach", "data") and f.maker(r["id"]):
            words += ", " + relation_of(f, f.state[r["id"]])
        lines: list[list[Words]] = [[(words, "muted", 0)]]
        added = flow["accumulated"].get(r["id"])
        if added is not None:
            lines.extend(_said(_accumulated(f, r["id"], *added), room))
        for n in f.index.sinks.get(r["id"], []):
            hooks = _hooks(f, n)
            if hooks:
                lines.extend(_said(", ".join(hooks), room, "write"))
            if added is None and n in flow["arrived"]:
                by = "autograd.grad gets" if flow["op"] == "grad" else "arriving"
                lines.extend(_said(f"{by}: {_got(f, flow, n)}", room))
        return lines
    if r["kind"] == "fold":
        return _said(_repeats(f, r), room, "muted")
    if r["kind"] == "cut":
        how = f.state[r["id"]]["origin"]
        by = ": it has no grad_fn" if how == "op" else f" by {'.data' if how == 'data' else 'detach()'}"
        return _said(f"cut here{by}, no gradient passes", room, "muted")
    node = f.document["nodes"][r["id"]]
    name = short(node["name"])
    first: list[Words] = []
    if r["tensor"] is not None:
        label = clip(_owned(f, r), 20)
        first.append((label, "title intermediate", 0))
        first.append((name, "mono", columns_of(label) + 2))
        if f.state[r["tensor"]]["retains_grad"]:
            first.append(("keeps .grad", "leaf", columns_of(label) + len(name) + 4))
    else:
        first.append((name, "mono", 0))
    lines = [first]
    hooks = _hooks(f, r["id"])
    if hooks:
        lines.extend(_said(", ".join(hooks), room, "write"))
    within = "" if r["tensor"] is None else _within(f, r["tensor"])
    if within:
        lines.extend(_said(within, room, "muted"))
    if r["far"]:
        lines.append([(f"… {plural(r['far'], 'input')} far above", "muted", 0)])
    saved = "" if r["gone"] else _saved(f, r["id"])
    if saved:
        freed = node["freed_step"] is not None and node["freed_step"] < f.cursor
        late = not freed and _overwritten(f, r["id"])
        lines.extend(_said(saved, room, "muted" if freed else "error" if late else "saved"))
    if r["id"] in flow["arrived"]:
        lines.extend(_said(_order(flow, r["id"]) + "got " + _got(f, flow, r["id"]), room))
    step = flow["ran"].get(r["id"])
    if step is not None:
        sent = _sent(r, flow)
        for i, value in sent[:FORMULAS]:
            lines.extend(_said(_passed(node, step, i, value, room), room, "mono"))
        if len(sent) > FORMULAS:
            lines.append([(f"… {plural(len(sent) - FORMULAS, 'more input')}", "muted", 0)])
        silent = [
            str(i + 1)
            for i in range(len(step["grads_out"]))
            if step["grads_out"][i] is None and node["next_functions"][i][0] is not None
        ]
        if silent:
            lines.extend(_said(f"no gradient for input {', '.join(silent)}", room, "muted"))
        tensor = r["tensor"]
        if tensor is not None and tensor in flow["accumulated"]:
            lines.extend(_said(_accumulated(f, tensor, *flow["accumulated"][tensor]), room))
    return lines


def _said(s: str, room: int, c: str = "gradient") -> list[list[Words]]:
    """A text in a few lines."""
    lines = [s] if columns_of(s) <= room else wrap(s, room - 2)
    if len(lines) > SAID:
        lines = [*lines[: SAID - 1], clip(" ".join(lines[SAID - 1 :]), room - 2)]
    return [[(lines[i], c, 2 if i else 0)] for i in range(len(lines))]


def _owned(f: Frame, r: Row) -> str:
    """The label of a row's tensor. For a node with several results, the labels of all of them that exist."""
    if r["tensor"] is None:
        return ""
    nr = f.state[r["tensor"]]["output_nr"]
    found = [(nr, r["tensor"])]
    if r["kind"] == "node":
        for t in f.tensors():
            if t["grad_fn"] == r["id"] and t["output_nr"] != nr:
                found.append((t["output_nr"], t["id"]))  # noqa: PERF401
    return ", ".join([f.label(t) for _, t in sorted(found)[:4]])


def _repeats(f: Frame, r: Row) -> str:
    """The rows that a fold hides: "98 more like this: MulBackward0, AddBackward0"."""
    named: dict[str, int] = {}
    for o in r["rows"][: len(r["rows"]) // r["times"]]:
        named[_name(f, o)] = named.get(_name(f, o), 0) + 1
    said = [name if n == 1 else f"{name} ×{n}" for name, n in named.items()]
    if len(said) > KINDS:
        said = [*said[:KINDS], f"{len(said) - KINDS} other kinds"]
    if r["line"] is not None:
        return f"{len(r['rows']):,} more of line {r['line']}: " + ", ".join(said)
    return f"{r['times']:,} more like this: " + ", ".join(said)


def _name(f: Frame, r: Row) -> str:
    return short(f.document["nodes"][r["id"]]["name"]) if r["kind"] == "node" else r["kind"]


def _accumulated(f: Frame, tensor: int, at: int, grad: GradUpdate) -> str:
    total = brief(grad["after"], 24)
    current = f.grad(tensor)
    name = clip_name(f.label(tensor), 16) + ".grad"
    if current is None or f.index.grads_of.before(tensor, f.cursor)[-1][0] != at:
        return f"{name} = {brief(current, 24)}"
    hooked = any([_hooked(f, n) for n in f.index.sinks.get(tensor, [])])
    own = f.state[tensor]["grad_fn"]
    if own is not None:  # a tensor that keeps its .grad gets it before the prehooks of its node
        hooked = any([said.startswith("hook") for said in _hooks(f, own)])
    added = _sum([p["value"] for p in grad["contributions"]], 14, hooked) or brief(grad["added"], 14)
    if grad["before"] is not None:
        return f"{name} = {brief(grad['before'], 14)} + {added} = {total}"
    return f"{name} = {added} = {total}" if len(grad["contributions"]) > 1 or hooked else f"{name} = {total}"


def _got(f: Frame, flow: Flow, n: int) -> str:
    """What arrived at a node, for each of its outputs: one gradient, or the sum if several paths meet."""
    step = flow["ran"].get(n)
    said = []
    outputs = sorted({a[3] for a in flow["arrived"][n]})
    for nr in outputs:
        parts = [a[2] for a in flow["arrived"][n] if a[3] == nr]
        s = _sum(parts, 24, _hooked(f, n))
        total = step["grads_in"][nr] if step is not None and nr < len(step["grads_in"]) else None
        if total is not None and (len(parts) > 1 or _hooked(f, n)):
            s += " = " + brief(total, 24)
        said.append(f"output {nr}: {s}" if outputs != [0] else s)
    if len(said) > OUTPUTS:
        said = [*said[:OUTPUTS], f"{len(said) - OUTPUTS} more outputs"]
    return "; ".join(said)


def _order(flow: Flow, n: int) -> str:
    """The position of a node in the order in which nodes ran: "#3 "."""
    return f"#{flow['order'][n]} " if n in flow["order"] else ""


def _sum(values: list[Value], n: int, hooked: bool) -> str:
    """Gradients that meet, each in n columns: "[2.] + [3.]". If a hook may have changed them, it is "hook([2.] + [3.])"."""
    s = " + ".join([brief(v, n) for v in values])
    if len(values) > 3:
        s = f"the sum of {len(values)} gradients"
    return f"hook({s})" if hooked else s


def _hooks(f: Frame, n: int) -> list[str]:
    """The hooks that a node is known to have."""
    return [said for since, said in f.document["nodes"][n].get("hooks", []) if since < f.cursor]


def _hooked(f: Frame, n: int) -> bool:
    """Whether hooks may change what a node gets."""
    return any([said.startswith(("hook", "prehook")) for said in _hooks(f, n)])


def _within(f: Frame, tensor: int) -> str:
    """The node that made a tensor when it ran: "computed in MulBackward0 of y"."""
    made = f.maker(tensor)
    if made is None or made.get("backward_call") is None:
        return ""
    steps = f.document["steps"]
    i = f.index.makers.before(tensor, f.cursor)[-1][0]
    while i < len(steps) and not (
        steps[i]["kind"] in ("node", "accumulate") and steps[i]["backward_call"] == made["backward_call"]
    ):
        i += 1
    if i == len(steps) or steps[i].get("node") is None:
        return "computed in backward()"
    node = f.document["nodes"][steps[i]["node"]]
    if node["variable"] is not None:
        return f"computed in a hook of {clip_name(f.label(node['variable']), 16)}"
    return f"computed in {short(node['name'])}" + _whose(f, node["id"])


def _whose(f: Frame, n: int) -> str:
    for t in f.state:
        if t["grad_fn"] == n and t["created_step"] < f.cursor:
            return f" of {clip_name(f.label(t['id']), 16)}"
    return ""


def _passed(node: TraceNode, step: Step, i: int, value: Value, room: int) -> str:
    """A formula with its result: "self: grad * other = 2."."""
    names = list(node["formulas"])
    name = names[i] if len(names) == len(node["next_functions"]) else names[0] if len(names) == 1 else ""
    result = brief(value, 22)
    formula = of_dtype(node["formulas"][name], value["dtype"]) if name else ""
    got = step["grads_in"][0]
    if got is not None and got["shape"] != value["shape"] and not CALL.search(formula):
        # The formula is element by element, so the broadcast of this input is summed.
        formula += ", summed"
    return (
        f"{name}: {clip(formula, 2 * room - len(name) - columns_of(result) - 5)} = {result}"
        if name
        else f"input {i + 1}: {result}"
    )


def _saved(f: Frame, n: int) -> str:
    """The text of a node's saved tensors."""
    node = f.document["nodes"][n]
    if not node["saved"]:
        return ""
    if node["freed_step"] is not None and node["freed_step"] < f.cursor:
        return f"{plural(len(node['saved']), 'saved tensor')} freed"
    parts = []
    for s in node["saved"]:
        what = "its result" if s["tensor"] is None else f.label(s["tensor"])
        stale = ""
        if s["tensor"] is not None:
            now = f.version(f.state[s["tensor"]]["version_counter"])
            if now != s["version"]:
                stale = f", now v{now}!"
        parts.append(f"{clip_name(what, 12)} (v{s['version']}{stale}) as {s['name']}")
    return "saved " + ", ".join(parts)


def _overwritten(f: Frame, n: int) -> bool:
    for s in f.document["nodes"][n]["saved"]:
        if s["tensor"] is not None and f.version(f.state[s["tensor"]]["version_counter"]) != s["version"]:
            return True
    return False


# The same as text ---------------------------------------------------------------------------------


def _table(
    f: Frame,
    drawn: list[Row],
    flow: Flow,
    home: dict[int, str],
    lane_of: dict[str, int],
    lanes: int,
) -> list[list[str]]:
    last: dict[str, int] = {}
    for i in range(len(drawn)):
        for m in drawn[i]["next"]:
            last[home[m]] = i
    keys = [key_of(r) for r in drawn]
    running = [
        key for key in last if key not in keys
    ]  # the lanes that pass this row; at first those from above the window
    rows: list[list[str]] = []
    for i in range(len(drawn)):
        r = drawn[i]
        marks = [" "] * (2 * lanes)
        for key in running:
            marks[2 * lane_of[key]] = "│"
        if keys[i] in lane_of:
            own = lane_of[keys[i]]
            for m in r["next"]:
                lane = lane_of[home[m]]
                if lane != own:
                    for at in range(2 * min(lane, own) + 1, 2 * max(lane, own)):
                        marks[at] = "─" if marks[at] == " " else "┼"
                    ends = last[home[m]] == i
                    marks[2 * lane] = ("╯" if lane > own else "╰") if ends else ("┤" if lane > own else "├")
            marks[2 * own] = {"cut": "×", "fold": "⋮"}.get(r["kind"], "●")
            running = [key for key in running if last[key] > i]
            if keys[i] in last:
                running.append(keys[i])
        line = "" if r["line"] is None else str(r["line"])
        drawing = "".join(marks).rstrip()
        if r["kind"] == "fold":
            rows.append([line, drawing, "", _repeats(f, r), "", "", ""])
            continue
        inputs = [f.label(c[0]) for c in r["chips"] if r["kind"] == "node" or c[0] != r["id"]]
        if r["kind"] == "node":
            what, saved = _name(f, r), "" if r["gone"] else _saved(f, r["id"])
            if r["gone"]:
                what += " (freed)"
            within = "" if r["tensor"] is None else _within(f, r["tensor"])
            what = ", ".join([what, *_hooks(f, r["id"]), *([within] if within else [])])
            gradient = ""
            if r["id"] in flow["arrived"]:
                gradient = _order(flow, r["id"]) + _got(f, flow, r["id"])
        else:
            what, saved = status(f.state[r["id"]]) if r["kind"] == "leaf" else "cut: no gradient passes", ""
            gradient = (
                _accumulated(f, r["id"], *flow["accumulated"][r["id"]])
                if r["id"] in flow["accumulated"]
                else ""
            )
        rows.append(
            [
                line,
                drawing,
                _owned(f, r),
                what,
                ", ".join(inputs),
                saved,
                gradient,
            ]
        )
    return rows
