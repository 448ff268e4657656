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
from jgrad.views.operations import Picture, picture_of, say_round
from jgrad.views.outline import is_lost
from jgrad.views.outline_rows import Row, parameters_of, rows_of
from jgrad.views.parts import Part, name_of, node_of
from jgrad.views.rows import Flow, flow_at, lanes_of, sent
from jgrad.views.scene import (
    CHAR,
    Frame,
    Item,
    Scene,
    Table,
    bad_of,
    chip_width,
    clip,
    clip_name,
    cross,
    finished,
    group,
    labelled,
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


class Chip(TypedDict):
    """A parameter, or several together."""

    said: str
    shade: str
    tensor: int


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
        items = [text(12, 20, said, "muted")]
        return finished(
            "graph", "Graph", f, 34, items, {"columns": COLUMNS, "rows": [[said, "", "", "", ""]]}
        )
    drawing = Drawing(f, picture)
    y = drawing.draw()
    y += 18 * say_round(picture, y, drawing.paper)
    y = panel(f, drawing.flow, f.width, y, {}, drawing.paper)
    y = legend(LEGEND, y, drawing.paper, f.width)
    table: Table = {"columns": COLUMNS, "rows": drawing.listed}
    return finished("graph", "Graph", f, y + 4, drawing.paper, table)


class Drawing:
    """The rows of a graph, and what all of them are drawn with: the columns, the axis, the lane and the height of each row."""

    def __init__(self, f: Frame, picture: Picture) -> None:
        self.f = f
        uses = uses_of(f, picture)
        self.uses = uses
        self.flow = flow_at(f)
        self.focus = _focus(f, uses)
        self.shown, self.above, self.below = rows_of(f, picture, uses, self.focus)
        drawn = [r for r in self.shown if r["kind"] != "open"]
        used = _inputs(f, uses, drawn)
        self.inputs = used[:INPUTS]
        self.hidden = len(used) - len(self.inputs)
        self.lane_of, lanes = lanes_of(
            [*[p["key"] for p in self.inputs], *[r["key"] for r in drawn]],
            [*[[] for _ in self.inputs], *[[*self._used(r), *r["uses"]] for r in drawn]],
        )
        self.spread = _columns(f, lanes)
        self.outcomes = [uses.result_of(r["first"], r["end"]) for r in self.shown]
        self.gradients = [_gradient(self.flow, uses.last_node(i)) for i in self.outcomes]
        self.lost = [g is not None and is_lost(g, self.flow.start_norm) for g in self.gradients]
        self.decades = _axis(f, uses, self.outcomes)
        self.y_of: dict[str, float] = {}  # the middle of each input and row
        self.paper: list[Item] = []
        self.listed: list[list[str]] = []

    def draw(self) -> float:
        """Draw it, and return the y below."""
        rows = self.shown
        y = self._place(32)
        _heads(self.spread, self.decades, y, self.paper)
        for r in rows:
            self._edges(r)
        for p in self.inputs:
            self._input(p)
        causes = self._causes()
        for k in range(len(rows)):
            self._row(k, causes.get(rows[k]["key"], ""))
        return self._more(12, y + 6, self.below, "row", " below")

    def _place(self, y: float) -> float:
        """Find the middle of each input and row, and return where the rows end. What is left out above and among the inputs is said."""
        y = self._stack([p["key"] for p in self.inputs], self._more(12, y, self.above, "row", " above"))
        return self._stack([r["key"] for r in self.shown], self._more(28, y, self.hidden, "more input", ""))

    def _stack(self, keys: list[str], y: float) -> float:
        """Put inputs or rows below each other, and return where they end."""
        for key in keys:
            self.y_of[key] = y + HIGH / 2
            y += HIGH
        return y

    def _more(self, x: float, y: float, count: int, what: str, where: str) -> float:
        """Say how many rows or inputs are left out, if any are, and return the y below."""
        if not count:
            return y
        self.paper.append(text(x, y + 12, f"… {plural(count, what)}{where}", "note muted"))
        return y + 18

    def _lane(self, key: str) -> float:
        """The x of the dot of an input or a row."""
        return self.spread["lanes"] + self.lane_of[key] * self.spread["spacing"] + 8

    def _used(self, r: Row) -> list[str]:
        """The inputs that a row uses."""
        found = [p for p in self.inputs if self.uses.uses_input(p["tensor"], r["first"], r["end"])]
        return [p["key"] for p in found]

    def _input(self, p: Part) -> None:
        """The row of an input: its name, its dot, its shape."""
        f, c, tensor, y = self.f, self.spread, p["tensor"], self.y_of[p["key"]]
        keys = [f"t{tensor}"]
        name, shape = name_of(f, tensor, f.cursor), shape_text(f.state[tensor]["shape"])
        clipped = clip_name(name, int((c["lanes"] - 32) / CHAR))
        self.paper.append(labelled(text(28, y + 5, clipped, "plain title", keys), f.history(tensor)))
        self.paper.append(path(ring(self._lane(p["key"]), y), "ring muted", keys))
        if c["shape"]:
            self.paper.append(text(c["shape"], y + 4, shape, "note mono muted", keys, "end"))
        self.listed.append([name, "input", shape, "", ""])

    def _row(self, k: int, cause: str) -> None:
        """A row: its name, its dot on its lane, the shape of its result, the norm of its gradient, its parameters."""
        f, uses, c, r = self.f, self.uses, self.spread, self.shown[k]
        y = self.y_of[r["key"]]
        now = r["kind"] != "open" and r["first"] <= self.focus < r["end"]
        later = uses.birth(r["first"]) >= f.cursor
        members = [self.focus] if now else []
        members.extend([i for i in range(r["first"], min(r["end"], r["first"] + 8)) if i not in members])
        keys = [f"n{n}" for i in members for n in uses.nodes(i)][:12]
        part = RowDrawing(y, " now" if now else "", " later" if later else "", keys)
        if r["kind"] == "open" or r["depth"]:
            part.paper.append(rect(0, y - HIGH / 2, c["right"], HIGH, "band"))
        if now:
            part.paper.append(rect(0, y - HIGH / 2, c["right"], HIGH, "band now"))
        stops = now and f.step is not None and f.step["kind"] == "error"
        part.put_name(r, "stops here" if stops else cause, c["lanes"])
        shape, gradient = _shape(f, uses.part(self.outcomes[k]), r), None
        if r["kind"] != "open":
            gradient, lost = self.gradients[k], self.lost[k]
            shade = "error" if lost or stops else "gradient" if gradient is not None else "intermediate"
            mark = "mark" if stops else "ring" if lost else "dot"
            x = self._lane(r["key"])
            drawn = cross(x, y) if stops else ring(x, y)
            part.paper.append(path(drawn, f"{mark} {shade}{part.now}{part.later}", keys, _label(f, uses, r)))
            if c["shape"] and not later:
                part.paper.append(text(c["shape"], y + 4, shape, "note mono muted", None, "end"))
            if gradient is not None:
                part.put_norm(gradient, lost, c, self.decades)
        chips = _chips(f, self.flow, uses, r)
        part.put_chips(chips, c)
        opens: str = {"open": "closes", "closed": "opens"}.get(r["kind"], "")
        said = f"{r['name']} {r['said']}, Enter {opens} it" if opens else ""
        row = group(part.paper, keys, said, "row")
        self.paper.append({**row, "o": r["key"]} if opens else row)
        self.listed.append([
            "  " * r["depth"] + r["name"], r["said"], shape, "" if gradient is None else _norm_text(gradient),
            ", ".join([chip["said"] for chip in chips]),
        ])  # fmt: skip

    def _edges(self, r: Row) -> None:
        """Draw the edges from a row up to the rows that it uses: thick where a gradient came back, dashed and red where it vanished."""
        if r["kind"] == "open":
            return
        given = self._given(r)
        lost = bool(given) and all([is_lost(v, self.flow.start_norm) for v in given])
        x, y = self._lane(r["key"]), self.y_of[r["key"]]
        for key in [*self._used(r), *r["uses"]]:
            if key.startswith("t"):
                shade = "edge cut muted"
            else:
                shade = "edge cut error" if lost else "edge gradient" if given else "edge muted"
            sx, sy = self._lane(key), self.y_of[key]
            if sx == x:
                d = points("M", sx, sy, "V", y)
            elif sx > x:
                d = points("M", sx, sy, "V", y - 14, "C", sx, y - 4, x + 8, y, x, y)
            else:
                d = points("M", sx, sy, "C", x - 4, sy, x, sy + 4, x, sy + 14, "V", y)
            self.paper.append(path(d, shade))

    def _causes(self) -> dict[str, str]:
        """Where a gradient vanishes, and its values are large: how large they are. A softmax or a sigmoid of them has no slope. And where a saved
        tensor was overwritten, if that stopped the backward pass."""
        f, uses, rows = self.f, self.uses, self.shown
        place = {rows[k]["key"]: k for k in range(len(rows))}
        found: dict[str, str] = {}
        for k in range(len(rows)):
            for key in rows[k]["uses"]:
                if self.lost[place[key]] and not self.lost[k]:
                    largest = _largest(f, uses.part(self.outcomes[place[key]])["tensor"])
                    if largest >= LARGE:
                        found[key] = f"up to {size_text(largest)}"
        stale = stale_of(f.index, f.cursor - 1)
        if stale is not None and stale["writer"] >= 0:
            at = uses.place_of(f.index.steps[stale["writer"]].get("node", -1))
            for r in rows:
                if r["kind"] != "open" and r["first"] <= at < r["end"]:
                    found[r["key"]] = f"▲ overwrites {clip(f.label(stale['tensor']), 12)}"
        return found

    def _given(self, r: Row) -> list[Value]:
        """The gradients that a row sent to others."""
        given: list[Value] = []
        for i in self.uses.entries(r["first"], r["end"]):
            for e in self.uses.part(i)["edges"]:
                step = self.flow.ran(e["node"])
                place = self.uses.place_of(e["target"])
                outside = place >= 0 and not r["first"] <= place < r["end"]
                value = sent(step, e["input"]) if step is not None and outside and e["input"] >= 0 else None
                if value is not None:
                    given.append(value)
        return given


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
    narrow = w < 540
    at = 150.0 if narrow else 180.0 + (w - 600) * 0.3
    end = at + lanes * spacing + 8
    return {
        "lanes": at,
        "spacing": spacing,
        "shape": 0,
        "axis": end,
        "axis_width": max(w - end - 76, 40) if narrow else 96,
        "chips": 0 if narrow else end + 170,
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
    norm = value.get("norm")
    return bad_of(value) or ("" if norm is None else size_text(norm))


def size_text(norm: float) -> str:
    """A norm with three digits, below 0.001 with two and an exponent."""
    if norm and norm < 0.001:
        return exponential(norm, 1)
    return number(float(exponential(norm, 2))) if norm < 100_000 else exponential(norm, 1)


# Rows ---------------------------------------------------------------------------------------------


class RowDrawing:
    """A row at a height: its items, and the classes and keys that they share."""

    def __init__(self, y: float, now: str, later: str, keys: list[str]) -> None:
        self.y, self.now, self.later, self.keys = y, now, later, keys
        self.paper: list[Item] = []

    def put_name(self, r: Row, cause: str, end: float) -> None:
        """What the row is called, then what it computes or why its gradient vanishes, as far as there is room up to `end`."""
        y, keys, items = self.y, self.keys, self.paper
        x = 12.0 + INDENT * r["depth"]
        mark: str = {"open": "▾", "closed": "▸"}.get(r["kind"], "")
        if mark:
            items.append(text(x, y + 5, mark, "plain" + self.later))
        if mark or not r["depth"]:
            x += 16
        room = int((end - x - 4) / CHAR)
        name = clip(r["name"], room) if r["kind"] == "fold" else clip_name(r["name"], room)
        shade = "muted" if r["kind"] == "fold" else "plain title" if mark or not r["depth"] else "plain"
        items.append(text(x, y + 5, name, shade + self.now + self.later, keys))
        left = end - x - width(name) - 14
        said = r["said"]
        if said == r["sign"] and "(" in said and note_width(said) > left:
            short_said = said[: said.find("(")]
            said = short_said if note_width(short_said) <= left else said
        at = x + width(name) + 8
        if cause and note_width(cause) <= left:
            # What the row computes stands before the cause, if there is room.
            between = int((left - note_width(cause) - 8) / 7.2)
            if said and 7.2 * between >= LEAST:
                said = clip(said, between)
                items.append(text(at, y + 5, said, "note mono muted" + self.later))
                at += note_width(said) + 8
            tone = "write" if cause.startswith("▲") else "error"
            items.append(text(at, y + 5, cause, f"note {tone}", keys))
        elif said and (note_width(said) <= left or (said != r["sign"] and left >= LEAST)):
            # A layer has its name. Of an operation, a part of its expression says more than its sign alone.
            items.append(text(at, y + 5, clip(said, int(left / 7.2)), "note mono muted" + self.later))

    def put_norm(self, gradient: Value, lost: bool, c: Columns, axis: Axis) -> None:
        """The dot of a norm on the axis, with the number."""
        said = _norm_text(gradient)
        if not said:
            return
        norm = gradient.get("norm")
        bad = said in ("nan", "inf")
        x = _at(c, axis, axis["high"] if bad else math.log10(norm) if norm else axis["low"])
        y, shade = self.y, "error" if lost else "gradient"
        self.paper.append(path(points("M", c["axis"], y, "H", x - 5), f"edge rule {shade}"))
        self.paper.append(path(ring(x, y), f"{'ring' if lost else 'dot'} {shade}{self.now}", self.keys))
        self.paper.append(text(x + 9, y + 4, said, f"note {shade}{' title' if lost else ''}", self.keys))

    def put_chips(self, chips: list[Chip], c: Columns) -> None:
        """The parameters of the row, as many as there is room for."""
        if not c["chips"]:
            return
        x, y, later = c["chips"], self.y, self.later
        for k in range(len(chips)):
            said, shade = chips[k]["said"], chips[k]["shade"]
            rest = f"+{len(chips) - k}"
            last = k == len(chips) - 1
            if x + chip_width(said) + (0 if last else width(rest) + 8) > c["right"]:
                more = rest if k else clip(said, int((c["right"] - x) / CHAR))
                self.paper.append(text(x + 2, y + 5, more, "muted" + later))
                return
            keys = [f"t{chips[k]['tensor']}"]
            self.paper.append(rect(x, y - 10, chip_width(said), 20, f"chip {shade}{later}", keys))
            self.paper.append(text(x + 8, y + 5, said, f"{shade.replace(' unused', '')}{later}", keys))
            x += chip_width(said) + 6


def _shape(f: Frame, p: Part, r: Row) -> str:
    return "" if p["tensor"] < 0 or r["kind"] == "open" else shape_text(f.state[p["tensor"]]["shape"])


def _label(f: Frame, uses: Uses, r: Row) -> str:
    nodes = [n for i in range(r["first"], min(r["end"], r["first"] + 6)) for n in uses.nodes(i)]
    names = [short(f.index.nodes[n]["name"]) for n in nodes[:6]]
    count = uses.nodes_before[r["end"]] - uses.nodes_before[r["first"]]
    more = f" and {count - 6:,} more" if count > 6 else ""
    return f"{r['name']}: {', '.join(names)}{more}"


def _inputs(f: Frame, uses: Uses, rows: list[Row]) -> list[Part]:
    """What comes in from outside and gets no gradient: the data."""
    if not rows:
        return []
    first, end = rows[0]["first"], rows[-1]["end"]
    return [
        p
        for p in uses.inputs
        if p["since"] < f.cursor
        and uses.uses_input(p["tensor"], first, end)
        and name_of(f, p["tensor"], f.cursor)
    ]


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


# Parameters ---------------------------------------------------------------------------------------


def _chips(f: Frame, flow: Flow, uses: Uses, r: Row) -> list[Chip]:
    """The parameters of a row, and the norms of their gradients. Of a group all are one chip."""
    found = parameters_of(f, uses, r)
    if not found:
        return []
    if r["kind"] != "op":
        return [_together(f, found)] if len(found) > 1 else [_chip(f, flow, found[0][0], found[0][1])]
    return [_chip(f, flow, name, number) for name, number in found[:CHIPS]]


def _chip(f: Frame, flow: Flow, name: str, number: int) -> Chip:
    value = f.grad(number)
    if value is None:
        return {"said": clip_name(name, 20), "shade": "muted unused", "tensor": number}
    lost = is_lost(value, flow.start_norm)
    said = f"{clip_name(name, 20)} {_norm_text(value)}"
    return {"said": said, "shade": "error unused" if lost else "leaf", "tensor": number}


def _together(f: Frame, found: list[tuple[str, int]]) -> Chip:
    """One chip for many parameters: the norm of all their gradients."""
    squares = 0.0
    seen = 0
    bad = ""
    for _, tensor in found:
        value = f.grad(tensor)
        if value is not None:
            seen += 1
            norm = value.get("norm")
            bad = bad or bad_of(value)
            squares += norm * norm if norm is not None else 0.0
    tensor = found[0][1]
    if not seen:
        return {"said": f"all {len(found)}", "shade": "muted unused", "tensor": tensor}
    said = f"all {len(found)} {bad or size_text(math.sqrt(squares))}"
    return {"said": said, "shade": "error unused" if bad else "leaf", "tensor": tensor}
