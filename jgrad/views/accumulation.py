"""The accumulation view: for each leaf, what every `backward()` added to its `.grad`, through which node, and the running total.

All bars are on one scale, that of norms. What arrived is stacked in the order of its arrival, on top of what was there before. Next to the stack
stands the norm of the sum. It is lower where the parts cancel each other.
"""

from __future__ import annotations

import math
from typing import TypedDict

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.schema import Contribution, GradUpdate, Step, Value
from jgrad.tracing.document.sentences import MADE_BY_HOOK
from jgrad.views.parts import line_of
from jgrad.views.scene import (
    CHAR,
    Frame,
    Item,
    Scene,
    bad_of,
    brief,
    chip,
    clip,
    clip_name,
    finished,
    group,
    hatched,
    labelled,
    legend,
    op_name,
    path,
    plural,
    points,
    rect,
    shape_text,
    short,
    status,
    tensor_class,
    text,
    width,
)

LEAVES = 8  # at most so many are drawn
LEFT = 164  # where the events begin, if there is room for a column before them
ROOMY = 520  # from this width on
COLUMN = 130  # the least width of an event that adds
WIDEST = 400
BAR = 60  # height of the tallest bar
THICK = 26
PARTS = (
    5  # at most so many contributions of an event are drawn; if there are more, the last one is their count
)
DECADES = 8  # of the logarithmic scale, at most
MANY = 20  # rounds of a loop that are too many for this view
LEGEND = [
    ("bar muted", ".grad before"),
    ("bar gradient", "what arrived"),
    ("bar end gradient", ".grad after"),
    ("bar lost", "what was cleared or replaced"),
    ("nan", "nan or infinite"),
]


BAD = float("inf")


class Event(TypedDict):
    """What a step did to a `.grad`."""

    at: int
    """The number of the step."""
    step: Step
    grad: GradUpdate


class Row(TypedDict):
    """A tensor and those of its events for which there is room."""

    tensor: int
    events: list[Event]
    begin: int
    """The first event that is drawn."""
    used: float
    """The least width of all that are drawn."""


class Scale:
    """From norms to heights, for all bars of the picture."""

    def __init__(self, norms: list[float], log: bool) -> None:
        self.log = log
        self.top = max(norms, default=0.0)
        low = min([norm for norm in norms if norm > 0], default=1.0)
        self.high = math.log10(self.top) if self.top > 0 else 0.0
        # A decade more than the smallest norm, so that its bar is seen.
        self.low = max(math.floor(math.log10(low) + 1e-9) - 1, math.ceil(self.high) - DECADES)

    def of_norm(self, norm: float) -> float:
        """The height of a bar. What is not 0 can be seen."""
        if norm <= 0 or self.top <= 0:
            return 0.0
        share = (math.log10(norm) - self.low) / (self.high - self.low) if self.log else norm / self.top
        return max(BAR * min(share, 1.0), 1.5)

    def foot(self) -> str:
        """What the lower end of the scale stands for."""
        return f"≤ 1e{self.low}" if self.log else "0"


def scene(f: Frame, choice: int | None = None) -> Scene:
    """The scene of the accumulation view at a frame. The choice 0 is a logarithmic scale."""
    items: list[Item] = []
    rows: list[list[str]] = []
    events: dict[int, list[Event]] = {}
    for t in f.index.grads_of:
        updates = f.index.grads_of.before(t, f.cursor)
        if updates:
            steps = f.document["steps"]
            events[t] = [{"at": i, "step": steps[i], "grad": grad} for i, grad in updates]
    leaves = list(events)
    shown = leaves
    if len(leaves) > LEAVES:
        # Not those that are gone, such as the inputs of gradient penalties, which are made anew in each round.
        alive = [t for t in leaves if not f.is_gone(t)]
        latest = sorted(alive or leaves, key=lambda t: -events[t][-1]["at"])[:LEAVES]
        shown = [t for t in leaves if t in latest]
    y = 8.0
    total = f.document["rounds"]["total"] if "rounds" in f.document else 0
    if total >= MANY:
        items.append(text(10, y + 14, "the view training has all rounds", "note muted"))
        y += 28
    drawn = [_row(f, t, events[t]) for t in shown]
    scale = Scale(_norms(drawn), choice == 0)
    for row in drawn:
        y = _leaf(f, row, scale, y, items, rows)
    if len(shown) < len(leaves):
        s = f"… {plural(len(leaves) - len(shown), 'more tensor')} with a gradient"
        items.append(text(10, y + 14, s, "note muted"))
        y += 24
    if not leaves:
        items.append(text(10, y + 14, "no .grad has changed yet", "muted"))
        y += 24
    y = legend(LEGEND, y, items, f.width)
    columns = ["tensor", "event", "line", "before", "added", "through", ".grad after"]
    made = finished("accumulation", "Accumulation", f, y, items, {"columns": columns, "rows": rows})
    if leaves:
        made["choices"] = ["logarithmic scale"]
        made["unchosen"] = "one scale for all"
    return made


def _left(f: Frame) -> float:
    """Where the events begin."""
    return LEFT if f.width >= ROOMY else 70


def _row(f: Frame, t: int, events: list[Event]) -> Row:
    """The last events of a tensor, as many as there is room for."""
    room = max(f.width, _left(f) + COLUMN + 10) - _left(f) - 10
    begin = len(events)
    used = 0.0
    while begin > 0 and used + _least(events[begin - 1]) <= room:
        begin -= 1
        used += _least(events[begin])
    return {"tensor": t, "events": events, "begin": begin, "used": used}


def _norms(rows: list[Row]) -> list[float]:
    """The heights of all bars, as far as they are finite."""
    found: list[float] = []
    for row in rows:
        for e in row["events"][row["begin"] :]:
            stack = [_size(e["grad"]["before"])] + [
                _size(part["value"]) for part in e["grad"]["contributions"]
            ]
            height = 0.0
            for norm in stack:
                if norm - norm == 0:
                    height += norm
                    found.append(height)
            after = _size(e["grad"]["after"])
            if after - after == 0:
                found.append(after)
    return found


def _leaf(f: Frame, row: Row, scale: Scale, y: float, items: list[Item], rows: list[list[str]]) -> float:
    """Draw one tensor and the events of its `.grad`, and return the y below them."""
    t, events, begin = row["tensor"], row["events"], row["begin"]
    tensor = f.state[t]
    k = [f"t{t}"]
    left = _left(f)
    name = clip_name(f.label(t), 16)
    items.extend(chip(10, y + 17, name, tensor_class(f, tensor), k, f.history(t)))
    facts = [shape_text(tensor["shape"]), status(tensor).split(", ")[0]]
    if begin:
        facts.append(f"+ {begin:,} before")
    if left < LEFT:
        s = " · ".join(facts)
        items.append(text(10, y + 42, clip(s, int((f.width - 20) / 7.2)), "note muted", k))
        y += 44
    else:
        for i, s in enumerate(facts):
            items.append(text(12, y + 38 + 17 * i, clip(s, 18), "note " + ("muted" if i else "mono"), k))
    drawn = events[begin:]
    parts = max(
        [min(len(e["grad"]["contributions"]), PARTS) for e in drawn if e["grad"]["action"] == "add"] + [1]
    )
    bars = y + 48 + parts * 17
    adding = len([e for e in drawn if e["grad"]["action"] == "add"])
    spare = min(max(f.width - left - 10 - row["used"], 0) / adding, WIDEST - COLUMN) if adding else 0.0
    x = left
    for e in drawn:
        column = _least(e) + (spare if e["grad"]["action"] == "add" else 0)
        items.append(Column(f, t, e, x, bars, scale).draw(column - 10, y))
        x += column
    _axis(scale, left, x - 14, bars, items)
    rows.extend([_event_row(f, t, e) for e in (events if len(events) <= 50 else events[-50:])])
    return bars + BAR + 48


def _axis(scale: Scale, x: float, right: float, y: float, items: list[Item]) -> None:
    """Draw the lower and the upper end of the scale, which is that of all leaves."""
    items.append(path(points("M", x - 16, y + BAR, "H", right), "edge muted"))
    if scale.top > 0:
        items.append(path(points("M", x - 20, y, "H", x - 16, "V", y + BAR, "H", x - 20), "rule muted"))
        items.append(text(x - 23, y + 5, brief_number(scale.top), "note muted", a="end"))
        items.append(text(x - 23, y + BAR + 4, scale.foot(), "note muted", a="end"))


def _event_row(f: Frame, t: int, e: Event) -> list[str]:
    """The row of an event in the table."""
    grad, line = e["grad"], e["step"]["line"]
    through = [_through(f, p) for p in grad["contributions"]]
    added = " + ".join([brief(p["value"], 40) for p in grad["contributions"]]) or (
        brief(grad["added"], 40) if grad["added"] else ""
    )
    return [
        f.label(t), _title(e, f.label(t)), "" if line is None else str(line), brief(grad["before"], 40), added, " + ".join(through),
        brief(grad["after"], 40),
    ]  # fmt: skip


def _least(e: Event) -> float:
    """The least width of an event. One that adds has numbers to show, one that sets to None has none."""
    return COLUMN if e["grad"]["action"] == "add" else 140 if e["grad"]["action"] == "set" else 112


class Column:
    """The column of an event at x: what happened, what was added, the bars from `bars` on, the total."""

    def __init__(self, f: Frame, t: int, e: Event, x: float, bars: float, scale: Scale) -> None:
        self.f, self.whose, self.e, self.left, self.bars, self.scale = f, t, e, x, bars, scale
        line = e["step"]["line"]
        self.now = " now" if e["at"] == f.cursor - 1 else ""
        self.keys = [f"t{t}", f"p{e['at'] + 1}"] + ([f"l{line}"] if line is not None else [])
        self.paper: list[Item] = []

    def draw(self, room: float, y: float) -> Item:
        grad, step, x, now = self.e["grad"], self.e["step"], self.left, self.now
        adds = grad["action"] == "add"
        title = _title(self.e, self.f.label(self.whose))
        fits, end = int(room / CHAR), self.bars + BAR
        self.paper.append(text(x, y + 17, clip(title, fits), ("title" if adds else "write") + now))
        if step["line"] is not None:
            self.paper.append(text(x, y + 34, clip(line_of(self.f.document, step), fits), "note muted"))
        if not adds:
            d = points("M", x - 9, y + 4, "V", end + 24)
            self.paper.append(path(d, "edge cut write" + now, self.keys, title))
        self._arrived(y + 53, fits)
        self._bars()
        if grad["after"] is None:
            self.paper.append(text(x, end + 19, "None", "write" + now))
        else:
            by = " by hook" if MADE_BY_HOOK in step["text"] else ""
            result = "= " + brief(grad["after"], fits - 2 - len(by)) + by
            said = f"{self.f.label(self.whose)}.grad is {brief(grad['after'], 400)}"
            self.paper.append(labelled(text(x, end + 19, result, "gradient title" + now, self.keys), said))
        return group(self.paper, self.keys, step["text"])

    def _arrived(self, y: float, fits: int) -> None:
        """What arrived, line by line, each with the node that sent it."""
        f, x = self.f, self.left
        parts = self.e["grad"]["contributions"]
        some = parts if len(parts) <= PARTS else parts[: PARTS - 1]
        for part in some:
            name = op_name(f.document["nodes"][part["node"]]["name"])
            value = "+ " + brief(part["value"], fits - 3 - min(len(name), 6))
            keys = [*self.keys, f"n{part['node']}"]
            label = f"{brief(part['value'], 200)} through {_through(f, part)}"
            node = clip(name, max(fits - len(value) - 1, 4))
            self.paper.append(labelled(text(x, y, value, "gradient" + self.now, keys), label))
            self.paper.append(
                labelled(text(x + width(value) + CHAR, y, node, "note mono muted", keys), label)
            )
            y += 17
        if len(some) < len(parts):
            self.paper.append(text(x, y, f"… {plural(len(parts) - len(some), 'more path')}", "note muted"))

    def _bars(self) -> None:
        """The stack of what was there and what arrived, and the sum beside it. An event that does not add has one bar: what was there."""
        grad, x, now = self.e["grad"], self.left, self.now
        height = _size(grad["before"])
        after, said = _size(grad["after"]), f"after: {brief(grad['after'], 200)}"
        adds = grad["action"] == "add"
        c = "bar muted" if adds else "bar lost muted"
        self._bar(x, 0.0, height, c, f"before: {brief(grad['before'], 200)}")
        if adds:
            for part in grad["contributions"]:
                norm = _size(part["value"])
                self._bar(x, height, norm, "bar gradient" + now, f"arrived: {brief(part['value'], 200)}")
                height += norm
        if adds or grad["action"] == "set":
            self._bar(x + THICK + 8, 0.0, after, "bar end gradient" + now, said)

    def _bar(self, x: float, under: float, norm: float, c: str, said: str) -> None:
        """A bar on top of what has the norm `under`; hatched from top to bottom if it is not finite."""
        if under - under != 0:
            return
        if norm - norm != 0:
            self.paper.append(hatched(x, self.bars, THICK, BAR))
            return
        low, high = self.scale.of_norm(under), self.scale.of_norm(under + norm)
        if norm <= 0:
            return
        gap = 1 if under > 0 and high - low > 3 else 0  # between two parts
        bar = rect(x, self.bars + BAR - high, THICK, max(high - low - gap, 0.5), c, self.keys)
        self.paper.append(labelled(bar, said))


def _title(e: Event, name: str) -> str:
    grad = e["grad"]
    if grad["action"] == "add":
        return (
            f"backward {e['step']['backward_call'] + 1}"
            if e["step"].get("backward_call") is not None
            else "added"
        )
    if grad["action"] == "none":
        return "set to None"
    if grad["action"] == "zero":
        return "set to zero"
    return "changed in place" if e["step"].get("writes") else "assigned"


def _through(f: Frame, part: Contribution) -> str:
    """The node from which a contribution came, and its line."""
    node = f.document["nodes"][part["node"]]
    return short(node["name"]) + (f" of line {node['line']}" if node["line"] is not None else "")


def _size(value: Value | None) -> float:
    """The norm of a value, which is the height of its bar before scaling; not finite if an element is not."""
    if value is None:
        return 0.0
    return BAD if bad_of(value) else value.get("norm") or 0.0
