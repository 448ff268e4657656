"""The graph of a model, a row for each module: forward goes down, gradients go back up along lanes.

The norm of the gradient of each result is a dot on one logarithmic axis, since positions compare at a glance. What vanished is hollow, dashed
and red. A row with a triangle opens in place.
"""

from __future__ import annotations

import math
import re
from typing import TypedDict

from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import Value
from jgrad.views.operations import picture_of
from jgrad.views.outline import is_lost
from jgrad.views.outline_rows import Row, parameters_of, rows_of
from jgrad.views.parts import Part, name_of, node_of
from jgrad.views.rows import Flow, flow_at, lanes_of, sent
from jgrad.views.scene import (
    CHAR,
    Frame,
    Item,
    Scene,
    chip_width,
    clip,
    clip_name,
    cross,
    finished,
    group,
    legend,
    note_width,
    path,
    plural,
    points,
    rect,
    ring,
    shape_text,
    short,
    text,
    width,
)
from jgrad.views.stale import panel, stale_of
from jgrad.views.uses import Uses, uses_of

HIGH = 24  # of a row
INDENT = 14  # of a row within an open one
INPUTS = 4  # at most so many inputs have rows
LEAST = 60  # an expression is cut only to at least this width
LARGE = 30.0  # a softmax of such values has no slope
DECIMAL = re.compile(r"-?[0-9.]+(e[+-][0-9]+)?\Z")
DECADES = 4  # the axis has at least so many, and at most three times as many
CHIPS = 12  # at most so many parameters have chips of their own
COLUMNS = ["module", "what", "result", "norm of its gradient", "parameters, norm of .grad"]
LEGEND = [
    ("edge gradient", "a gradient came back"),
    ("ring error", "vanished: below 1e-6 of that of the loss"),
    ("chip leaf", "parameter, norm of .grad"),
    ("chip error", "its gradient vanished"),
    ("mark error", "raised the error"),
]


class Columns(TypedDict):
    """Where the columns are. A column that there is no room for has the width 0."""

    lanes: float
    spacing: float
    shape: float
    """Its right end."""
    axis: float
    axis_width: float
    chips: float
    right: float


class Axis(TypedDict):
    low: float
    high: float


def scene(f: Frame) -> Scene:
    """The scene of a graph in rows, at a frame."""
    picture = picture_of(f)
    if not picture["operations"]:
        said = "autograd has recorded no operation"
        return finished(
            "graph", "Graph", f, 34, [text(12, 20, said, "muted")], COLUMNS, [[said, "", "", "", ""]]
        )
    uses = uses_of(f, picture)
    flow = flow_at(f)
    focus = _focus(f, uses)
    rows, above, below = rows_of(f, picture, uses, focus)
    used = _inputs(f, uses, rows)
    inputs = used[:INPUTS]
    drawn = [r for r in rows if r["kind"] != "open"]
    lane_of, lanes = lanes_of(
        [*[p["key"] for p in inputs], *[r["key"] for r in drawn]],
        [*[[] for _ in inputs], *[[*_used(uses, inputs, r), *r["uses"]] for r in drawn]],
    )
    columns = _columns(f, lanes)
    results = [uses.result_of(r["first"], r["end"]) for r in rows]
    axis = _axis(f, uses, results)
    top = 32.0
    items: list[Item] = []
    _heads(columns, axis, top + HIGH * len(rows) + (18 if above else 0), items)
    top, y_of = _placed(inputs, len(used) - len(inputs), rows, above, top, items)
    for r in rows:
        _edges(uses, inputs, flow, r, lane_of, columns, y_of, items)
    table: list[list[str]] = []
    for p in inputs:
        _input(f, p, lane_of, columns, y_of[p["key"]], items)
        table.append(
            [name_of(f, p["tensor"], f.cursor), "input", shape_text(f.state[p["tensor"]]["shape"]), "", ""]
        )
    causes = _causes(f, flow, uses, rows, results)
    for k in range(len(rows)):
        gradient = _gradient(flow, uses.last_node(results[k])) if rows[k]["kind"] != "open" else None
        chips = _chips(f, flow, uses, rows[k])
        items.append(
            _row(
                f,
                flow,
                uses,
                rows[k],
                results[k],
                gradient,
                chips,
                lane_of,
                columns,
                axis,
                y_of,
                focus,
                causes.get(rows[k]["key"], ""),
            )
        )
        table.append([
            "  " * rows[k]["depth"] + rows[k]["name"], rows[k]["said"], _shape(f, uses.part(results[k]), rows[k]),
            "" if gradient is None else _norm_text(gradient), ", ".join([c[0] for c in chips]),
        ])  # fmt: skip
    y = top + HIGH * len(rows) + 6
    if below:
        items.append(text(12, y + 12, f"… {plural(below, 'row')} below", "note muted"))
        y += 18
    if picture["rounds"] > 1:
        said = f"round {picture['round']:,} of {picture['rounds']:,}, which are alike"
        items.append(text(12, y + 12, said, "note muted"))
        y += 18
    y = panel(f, flow, f.width, y, {}, items)
    y = legend(LEGEND, y, items, f.width)
    return finished(
        "graph", "Graph", f, y + 4, items, COLUMNS, table
    )  # fmt: skip


def _placed(
    inputs: list[Part], hidden: int, rows: list[Row], above: int, top: float, items: list[Item]
) -> tuple[float, dict[str, float]]:
    """Where the rows begin, and the height of the middle of each input and row. What is left out above and among the inputs is said."""
    if above:
        items.append(text(12, top + 12, f"… {plural(above, 'row')} above", "note muted"))
        top += 18
    y_of: dict[str, float] = {}
    for k in range(len(inputs)):
        y_of[inputs[k]["key"]] = top + HIGH * k + HIGH / 2
    top += HIGH * len(inputs)
    if hidden:
        items.append(text(28, top + 12, f"… {plural(hidden, 'more input')}", "note muted"))
        top += 18
    for k in range(len(rows)):
        y_of[rows[k]["key"]] = top + HIGH * k + HIGH / 2
    return top, y_of


def _focus(f: Frame, uses: Uses) -> int:
    """The operation that the step at the cursor is about, -1 if none is drawn."""
    if f.step is None:
        return -1
    node = f.step.get("node", -1)
    if f.step["kind"] == "backward" and f.step.get("roots"):
        node = node_of(f.index, f.step["roots"][0], f.cursor)
    place = uses.place_of(node)
    return uses.sinks.get(node, -1) if place < 0 and f.step["kind"] == "accumulate" else place


def _columns(f: Frame, lanes: int) -> Columns:
    """The columns that fit into the width."""
    w = f.width
    spacing = 17.0 if lanes <= 4 else max(70 / lanes, 5)
    if w >= 760:
        at = 224.0 + (w - 860) * 0.4
        end = at + lanes * spacing + 4
        return {
            "lanes": at, "spacing": spacing, "shape": end + 104, "axis": end + 120, "axis_width": 120, "chips": end + 120 + 120 + 70, "right": w - 8,
        }  # fmt: skip
    if w >= 540:
        at = 180.0 + (w - 600) * 0.3
        end = at + lanes * spacing + 8
        return {
            "lanes": at,
            "spacing": spacing,
            "shape": 0,
            "axis": end,
            "axis_width": 96,
            "chips": end + 96 + 74,
            "right": w - 8,
        }
    at = 150.0
    end = at + lanes * spacing + 8
    return {
        "lanes": at,
        "spacing": spacing,
        "shape": 0,
        "axis": end,
        "axis_width": max(w - end - 76, 40),
        "chips": 0,
        "right": w - 8,
    }


def _heads(c: Columns, axis: Axis, bottom: float, items: list[Item]) -> None:
    """The titles of the columns, and the decades of the axis."""
    items.append(text(12, 16, "forward is downwards" if c["shape"] else "forward ↓", "note muted"))
    if c["shape"]:
        items.append(text(c["shape"], 16, "result", "note muted", None, "end"))
    said = "norm of the gradient of the result"
    if note_width(said) > (c["chips"] or c["right"]) - c["axis"]:
        said = "norm of gradient"
    items.append(text(c["axis"], 16, said, "note muted"))
    if c["chips"]:
        said = "parameters, norm of .grad"
        items.append(text(c["chips"], 16, clip(said, int((c["right"] - c["chips"]) / 7.2)), "note muted"))
    items.append(path(points("M", 8, 24, "H", c["right"]), "edge rule muted"))
    step = 2 if axis["high"] - axis["low"] <= 12 else 4
    e = math.ceil(axis["low"])
    while e <= axis["high"]:
        if e % step == 0:
            items.append(
                path(
                    points("M", _at(c, axis, e), 26, "V", bottom),
                    "edge rule muted" if e == 0 else "edge rule cut muted",
                )
            )
        e += 1


def _axis(f: Frame, uses: Uses, results: list[int]) -> Axis:
    """The decades that all gradients of the rows need, at whatever step."""
    low, high = 0.0, 0.0
    for i in results:
        for at in f.index.runs.get(uses.last_node(i), [])[-3:]:
            for v in f.index.steps[at].get("grads_in", []):
                norm = None if v is None else v.get("norm")
                if norm is not None and norm > 0:
                    low = min(low, math.log10(norm))
                    high = max(high, math.log10(norm))
    high = float(math.ceil(high))
    low = max(min(math.floor(low), high - DECADES), high - 3 * DECADES)
    return {"low": low - 0.3, "high": high + 0.2}


def _at(c: Columns, axis: Axis, decade: float) -> float:
    share = (min(max(decade, axis["low"]), axis["high"]) - axis["low"]) / (axis["high"] - axis["low"])
    return c["axis"] + share * c["axis_width"]


def _gradient(flow: Flow, node: int) -> Value | None:
    """The gradient of what a node computed, in the present backward pass."""
    step = flow.ran(node)
    if step is not None:
        for v in step.get("grads_in", []):
            if v is not None:
                return v
    arrived = flow.arrived(node)
    return arrived[0][2] if len(arrived) == 1 else None


def _norm_text(value: Value) -> str:
    """The norm of a gradient: "0.0344", "1.5e-8", "nan"."""
    if value.get("nan_count") or value.get("inf_count"):
        return "nan" if value.get("nan_count") else "inf"
    norm = value.get("norm")
    return "" if norm is None else size_text(norm)


def size_text(norm: float) -> str:
    """A norm with three digits, below 0.001 with two and an exponent."""
    if norm and norm < 0.001:
        return exponential(norm, 1)
    return number(float(exponential(norm, 2))) if norm < 100_000 else exponential(norm, 1)


# Rows ---------------------------------------------------------------------------------------------


def _row(
    f: Frame,
    flow: Flow,
    uses: Uses,
    r: Row,
    result: int,
    gradient: Value | None,
    chips: list[tuple[str, str, int]],
    lane_of: dict[str, int],
    c: Columns,
    axis: Axis,
    y_of: dict[str, float],
    focus: int,
    cause: str,
) -> Item:
    """A row: its name, its dot on its lane, the shape of its result, the norm of its gradient, its parameters."""
    y = y_of[r["key"]]
    items: list[Item] = []
    now = " now" if r["kind"] != "open" and r["first"] <= focus < r["end"] else ""
    later = "" if uses.birth(r["first"]) < f.cursor else " later"
    members = [focus] if now else []
    members.extend([i for i in range(r["first"], min(r["end"], r["first"] + 8)) if i not in members])
    keys = [f"n{n}" for i in members for n in uses.nodes(i)][:12]
    if r["kind"] == "open" or r["depth"]:
        items.append(rect(0, y - HIGH / 2, c["right"], HIGH, "band"))
    if now:
        items.append(rect(0, y - HIGH / 2, c["right"], HIGH, "band now"))
    stops = bool(now) and f.step is not None and f.step["kind"] == "error"
    _name(r, "stops here" if stops else cause, c, y, now, later, keys, items)
    lost = gradient is not None and is_lost(gradient, flow.start_norm)
    if r["kind"] != "open":
        x = c["lanes"] + lane_of[r["key"]] * c["spacing"] + 8
        shade = "error" if lost or stops else "gradient" if gradient is not None else "intermediate"
        mark = "mark" if stops else "ring" if lost else "dot"
        drawn = cross(x, y) if stops else ring(x, y)
        items.append(path(drawn, f"{mark} {shade}{now}{later}", keys, _label(f, uses, r)))
        if c["shape"] and not later:
            items.append(text(c["shape"], y + 4, _shape(f, uses.part(result), r), "note muted", None, "end"))
        if gradient is not None:
            _norm(gradient, lost, now, c, axis, y, keys, items)
    _draw_chips(chips, c, y, later, items)
    opens = {"open": "closes", "closed": "opens"}.get(r["kind"], "")
    row = group(items, keys, f"{r['name']} {r['said']}, Enter {opens} it" if opens else "", "row")
    return {**row, "o": r["key"]} if opens else row


def _name(
    r: Row, cause: str, c: Columns, y: float, now: str, later: str, keys: list[str], items: list[Item]
) -> None:
    x = 12.0 + INDENT * r["depth"]
    mark = {"open": "▾", "closed": "▸"}.get(r["kind"], "")
    if mark:
        items.append(text(x, y + 5, mark, "plain" + later))
    if mark or not r["depth"]:
        x += 16
    room = int((c["lanes"] - x - 4) / CHAR)
    name = clip(r["name"], room) if r["kind"] == "fold" else clip_name(r["name"], room)
    shade = "muted" if r["kind"] == "fold" else "plain title" if mark or not r["depth"] else "plain"
    items.append(text(x, y + 5, name, shade + now + later, keys))
    left = c["lanes"] - x - width(name) - 14
    said = r["said"]
    if said == r["sign"] and "(" in said and note_width(said) > left:
        short_said = said[: said.find("(")]
        said = short_said if note_width(short_said) <= left else said
    if cause and note_width(cause) <= left:
        # What the row computes stands before the cause, if there is room.
        between = int((left - note_width(cause) - 8) / 7.2)
        at = x + width(name) + 8
        if said and 7.2 * between >= LEAST:
            said = clip(said, between)
            items.append(text(at, y + 5, said, "note muted" + later))
            at += note_width(said) + 8
        tone = "write" if cause.startswith("▲") else "error"
        items.append(text(at, y + 5, cause, f"note {tone}", keys))
    elif said and (note_width(said) <= left or (said != r["sign"] and left >= LEAST)):
        # A layer has its name. Of an operation, a part of its expression says more than its sign alone.
        said = clip(said, int(left / 7.2))
        items.append(text(x + width(name) + 8, y + 5, said, "note muted" + later))


def _shape(f: Frame, p: Part, r: Row) -> str:
    return "" if p["tensor"] < 0 or r["kind"] == "open" else shape_text(f.state[p["tensor"]]["shape"])


def _norm(
    gradient: Value,
    lost: bool,
    now: str,
    c: Columns,
    axis: Axis,
    y: float,
    keys: list[str],
    items: list[Item],
) -> None:
    """The dot of a norm on the axis, with the number."""
    said = _norm_text(gradient)
    if not said:
        return
    norm = gradient.get("norm")
    bad = said in ("nan", "inf")
    x = _at(c, axis, axis["high"] if bad else math.log10(norm) if norm else axis["low"])
    shade = "error" if lost else "gradient"
    items.append(path(points("M", c["axis"], y, "H", x - 5), f"edge rule {shade}"))
    items.append(path(ring(x, y), f"{'ring' if lost else 'dot'} {shade}{now}", keys))
    items.append(text(x + 9, y + 4, said, f"note {shade}{' title' if lost else ''}", keys))


def _label(f: Frame, uses: Uses, r: Row) -> str:
    nodes = [n for i in range(r["first"], min(r["end"], r["first"] + 6)) for n in uses.nodes(i)]
    names = [short(f.index.nodes[n]["name"]) for n in nodes[:6]]
    count = uses.nodes_before[r["end"]] - uses.nodes_before[r["first"]]
    more = f" and {count - 6:,} more" if count > 6 else ""
    return f"{r['name']}: {', '.join(names)}{more}"


def _inputs(f: Frame, uses: Uses, rows: list[Row]) -> list[Part]:
    """What comes in from outside and gets no gradient: the data."""
    drawn = [r for r in rows if r["kind"] != "open"]
    if not drawn:
        return []
    first, end = drawn[0]["first"], drawn[-1]["end"]
    return [
        p
        for p in uses.inputs
        if p["since"] < f.cursor
        and uses.uses_input(p["tensor"], first, end)
        and name_of(f, p["tensor"], f.cursor)
    ]


def _used(uses: Uses, inputs: list[Part], r: Row) -> list[str]:
    """The inputs that a row uses."""
    return [p["key"] for p in inputs if uses.uses_input(p["tensor"], r["first"], r["end"])]


def _input(f: Frame, p: Part, lane_of: dict[str, int], c: Columns, y: float, items: list[Item]) -> None:
    """The row of an input: its name, its dot, its shape."""
    tensor = p["tensor"]
    keys = [f"t{tensor}"]
    name = clip_name(name_of(f, tensor, f.cursor), int((c["lanes"] - 32) / CHAR))
    items.append(text(28, y + 5, name, "plain title", keys, label=f.history(tensor)))
    items.append(path(ring(c["lanes"] + lane_of[p["key"]] * c["spacing"] + 8, y), "ring muted", keys))
    if c["shape"]:
        items.append(text(c["shape"], y + 4, shape_text(f.state[tensor]["shape"]), "note muted", keys, "end"))


def _causes(f: Frame, flow: Flow, uses: Uses, rows: list[Row], results: list[int]) -> dict[str, str]:
    """Where a gradient vanishes, and its values are large: how large they are. A softmax or a sigmoid of them has no slope. And where a saved tensor
    was overwritten, if that stopped the backward pass."""
    start = flow.start_norm
    lost: dict[str, bool] = {}
    for k in range(len(rows)):
        gradient = _gradient(flow, uses.last_node(results[k]))
        lost[rows[k]["key"]] = gradient is not None and is_lost(gradient, start)
    found: dict[str, str] = {}
    for r in rows:
        for key in r["uses"]:
            if r["kind"] != "open" and lost.get(key, False) and not lost[r["key"]]:
                same = [k for k in range(len(rows)) if rows[k]["key"] == key]
                largest = _largest(f, uses.part(results[same[0]])["tensor"]) if same else 0.0
                if largest >= LARGE:
                    found[key] = f"up to {size_text(largest)}"
    stale = stale_of(f.index, f.cursor - 1)
    if stale is not None and stale["writer"] >= 0:
        at = uses.place_of(f.index.steps[stale["writer"]].get("node", -1))
        for r in rows:
            if r["kind"] != "open" and r["first"] <= at < r["end"]:
                found[r["key"]] = f"▲ overwrites {clip(f.label(stale['tensor']), 12)}"
    return found


def _largest(f: Frame, tensor: int) -> float:
    """The largest magnitude in a tensor's storage, 0 if it is not known."""
    if tensor < 0:
        return 0.0
    contents = f.contents(f.state[tensor]["storage"])
    bands = contents.get("bands")
    texts = [*contents["elements"]]
    if bands is not None:
        texts.extend([s for s in (bands["least"], bands["largest"]) if s is not None])
    found = 0.0
    for s in texts:
        x = abs(float(s)) if DECIMAL.match(s) else 0.0
        found = max(found, x)
    return found


def _edges(
    uses: Uses,
    inputs: list[Part],
    flow: Flow,
    r: Row,
    lane_of: dict[str, int],
    c: Columns,
    y_of: dict[str, float],
    items: list[Item],
) -> None:
    """Draw the edges from a row up to the rows that it uses: thick where a gradient came back, dashed and red where it vanished."""
    if r["kind"] == "open":
        return
    start = flow.start_norm
    x, y = c["lanes"] + lane_of[r["key"]] * c["spacing"] + 8, y_of[r["key"]]
    given: list[Value] = []
    for i in uses.entries(r["first"], r["end"]):
        for e in uses.part(i)["edges"]:
            step = flow.ran(e["node"])
            place = uses.place_of(e["target"])
            outside = place >= 0 and not r["first"] <= place < r["end"]
            value = sent(step, e["input"]) if step is not None and outside and e["input"] >= 0 else None
            if value is not None:
                given.append(value)
    lost = bool(given) and all([is_lost(v, start) for v in given])
    shade = ""
    for key in [*_used(uses, inputs, r), *r["uses"]]:
        if key.startswith("t"):
            shade = "edge cut muted"
        else:
            shade = "edge cut error" if lost else "edge gradient" if given else "edge muted"
        sx, sy = c["lanes"] + lane_of[key] * c["spacing"] + 8, y_of[key]
        if sx == x:
            d = points("M", sx, sy, "V", y)
        elif sx > x:
            d = points("M", sx, sy, "V", y - 14, "C", sx, y - 4, x + 8, y, x, y)
        else:
            d = points("M", sx, sy, "C", x - 4, sy, x, sy + 4, x, sy + 14, "V", y)
        items.append(path(d, shade))


# Parameters ---------------------------------------------------------------------------------------


def _chips(f: Frame, flow: Flow, uses: Uses, r: Row) -> list[tuple[str, str, int]]:
    """The parameters of a row, and the norms of their gradients: (text, class, tensor). Of a group all are one chip."""
    found = parameters_of(f, uses, r)
    if not found:
        return []
    if r["kind"] != "op":
        return [_together(f, found)] if len(found) > 1 else [_chip(f, flow, found[0][0], found[0][1])]
    return [_chip(f, flow, name, number) for name, number in found[:CHIPS]]


def _chip(f: Frame, flow: Flow, name: str, number: int) -> tuple[str, str, int]:
    value = f.grad(number)
    if value is None:
        return clip_name(name, 20), "muted unused", number
    lost = is_lost(value, flow.start_norm)
    return f"{clip_name(name, 20)} {_norm_text(value)}", "error unused" if lost else "leaf", number


def _together(f: Frame, found: list[tuple[str, int]]) -> tuple[str, str, int]:
    """One chip for many parameters: the norm of all their gradients."""
    squares = 0.0
    seen = 0
    bad = False
    for _, tensor in found:
        value = f.grad(tensor)
        if value is not None:
            seen += 1
            norm = value.get("norm")
            bad = bad or bool(value.get("nan_count") or value.get("inf_count"))
            squares += norm * norm if norm is not None else 0.0
    if not seen:
        return f"all {len(found)}", "muted unused", found[0][1]
    return (
        f"all {len(found)} {'nan' if bad else size_text(math.sqrt(squares))}",
        "error unused" if bad else "leaf",
        found[0][1],
    )


def _draw_chips(
    chips: list[tuple[str, str, int]], c: Columns, y: float, later: str, items: list[Item]
) -> None:
    if not c["chips"]:
        return
    x = c["chips"]
    for k in range(len(chips)):
        said, shade, tensor = chips[k]
        rest = f"+{len(chips) - k}"
        last = k == len(chips) - 1
        if x + chip_width(said) + (0 if last else width(rest) + 8) > c["right"]:
            items.append(
                text(x + 2, y + 5, rest if k else clip(said, int((c["right"] - x) / CHAR)), "muted" + later)
            )
            return
        items.append(rect(x, y - 10, chip_width(said), 20, f"chip {shade}{later}", [f"t{tensor}"]))
        items.append(text(x + 8, y + 5, said, f"{shade.replace(' unused', '')}{later}", [f"t{tensor}"]))
        x += chip_width(said) + 6
