"""The accumulation view: for each leaf, what every `backward()` added to its `.grad`, through which node, and the running total."""

from __future__ import annotations

from typing import TypedDict

from jgrad.trace.document.schema import Contribution, GradUpdate, Step, Value
from jgrad.trace.document.sentences import MADE_BY_HOOK
from jgrad.views.scene import (
    CHAR,
    WIDTH,
    Frame,
    Item,
    Scene,
    brief,
    chip,
    clip,
    clip_name,
    finished,
    group,
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
LEFT = 150  # where the events begin
COLUMN = 158  # the least width of an event
WIDEST = 264
BAR = 64  # height of the tallest bar
PARTS = (
    5  # at most so many contributions of an event are drawn; if there are more, the last one is their count
)
LEGEND = [
    ("bar muted", "norm of .grad: before"),
    ("bar gradient", "norm of .grad: grown"),
    ("bar lost", "norm of .grad: shrunk"),
]


class Event(TypedDict):
    """What a step did to a `.grad`."""

    at: int
    """The number of the step."""
    step: Step
    grad: GradUpdate


def scene(f: Frame) -> Scene:
    """The scene of the accumulation view at a frame."""
    document = f.document
    items: list[Item] = []
    rows: list[list[str]] = []
    events: dict[int, list[Event]] = {}
    for t in f.index.grads_of:
        updates = f.index.grads_of.before(t, f.cursor)
        if updates:
            events[t] = [{"at": i, "step": document["steps"][i], "grad": grad} for i, grad in updates]
    leaves = list(events)
    shown = leaves
    if len(leaves) > LEAVES:
        latest = sorted(leaves, key=lambda t: -events[t][-1]["at"])[:LEAVES]
        shown = [t for t in leaves if t in latest]
    y = 8.0
    for t in shown:
        y = _leaf(f, t, events[t], y, items, rows)
    if len(shown) < len(leaves):
        items.append(
            text(10, y + 14, f"… {plural(len(leaves) - len(shown), 'more tensor')} with a gradient", "muted")
        )
        y += 24
    if not leaves:
        items.append(text(10, y + 14, "no .grad has changed yet", "muted"))
        y += 24
    y = legend(LEGEND, y, items)
    return finished(
        "accumulation",
        "Accumulation",
        f,
        y,
        items,
        ["tensor", "event", "line", "before", "added", "through", ".grad after"],
        rows,
    )


def _leaf(f: Frame, t: int, events: list[Event], y: float, items: list[Item], rows: list[list[str]]) -> float:
    """Draw one tensor and the events of its `.grad`, and return the y below them."""
    tensor = f.state[t]
    name = clip_name(f.label(t), 16)
    k = [f"t{t}"]
    items.extend(chip(10, y + 17, name, tensor_class(f, tensor), k, f.history(t)))
    items.append(text(12, y + 36, clip(shape_text(tensor["shape"]), 18), "mono", k))
    items.append(text(12, y + 52, clip(status(tensor).split(", ")[0], 18), "muted", k))
    begin = len(events)
    used = 0.0
    while begin > 0 and used + _least(events[begin - 1]) <= WIDTH - LEFT - 10:
        begin -= 1
        used += _least(events[begin])
    if begin:
        items.append(text(12, y + 68, f"{begin:,} earlier …", "muted"))
    drawn = events[begin:]
    parts = max(
        [min(len(e["grad"]["contributions"]), PARTS) for e in drawn if e["grad"]["action"] == "add"] + [1]
    )
    bars = y + 46 + parts * 16
    total = bars + BAR + 18
    tallest = max([_size(e["grad"][side]) for e in drawn for side in ("before", "after")] + [0.0])
    adding = len([e for e in drawn if e["grad"]["action"] == "add"])
    spare = min((WIDTH - LEFT - 10 - used) / adding, WIDEST - COLUMN) if adding else 0.0
    x = float(LEFT)
    for e in drawn:
        column = _least(e) + (spare if e["grad"]["action"] == "add" else 0)
        items.append(_event(f, t, e, x, column - 18, y, bars, tallest))
        x += column
    items.append(path(points("M", LEFT - 6, bars + BAR, "H", x - 14), "edge muted", k))
    for e in events if len(events) <= 50 else events[-50:]:
        grad = e["grad"]
        through = [_through(f, p) for p in grad["contributions"]]
        added = " + ".join([brief(p["value"], 40) for p in grad["contributions"]]) or (
            brief(grad["added"], 40) if grad["added"] else ""
        )
        line = e["step"]["line"]
        rows.append(
            [f.label(t), _title(e, f.label(t)), "" if line is None else str(line), brief(grad["before"], 40), added, " + ".join(through),
             brief(grad["after"], 40)]
        )  # fmt: skip
    return total + 24


def _least(e: Event) -> float:
    """The least width of an event. One that adds has numbers to show, one that sets to None has none."""
    return COLUMN if e["grad"]["action"] == "add" else 140 if e["grad"]["action"] == "set" else 112


def _event(f: Frame, t: int, e: Event, x: float, room: float, y: float, bars: float, tallest: float) -> Item:
    """The column of an event: what happened, what was added, the bar, the total."""
    grad, step = e["grad"], e["step"]
    now = " now" if e["at"] == f.cursor - 1 else ""
    k = [f"t{t}", f"p{e['at'] + 1}"] + ([f"l{step['line']}"] if step["line"] is not None else [])
    adds = grad["action"] == "add"
    items = [
        text(
            x,
            y + 17,
            clip(_title(e, f.label(t)), int(room / CHAR)),
            "title" + now if adds else "write" + now,
        )
    ]
    if step["line"] is not None:
        items.append(text(x, y + 33, f"line {step['line']}", "muted"))
    line = y + 52
    if not adds:
        items.append(
            path(
                points("M", x - 9, y + 4, "V", bars + BAR + 24),
                "edge cut write" + now,
                k,
                _title(e, f.label(t)),
            )
        )
    some = (
        grad["contributions"] if len(grad["contributions"]) <= PARTS else grad["contributions"][: PARTS - 1]
    )
    for part in some:
        node = op_name(f.document["nodes"][part["node"]]["name"])
        value = "+ " + brief(part["value"], int(room / CHAR) - 9)
        keys = [*k, f"n{part['node']}"]
        label = f"{brief(part['value'], 200)} through {_through(f, part)}"
        items.append(text(x, line, value, "gradient" + now, keys, label=label))
        items.append(
            text(
                x + width(value) + CHAR,
                line,
                clip(node, max(int(room / CHAR) - len(value) - 1, 4)),
                "muted",
                keys,
                label=label,
            )
        )
        line += 16
    if len(some) < len(grad["contributions"]):
        items.append(
            text(x, line, f"… {plural(len(grad['contributions']) - len(some), 'more path')}", "muted")
        )
    before, after = _size(grad["before"]), _size(grad["after"])
    scale = BAR / tallest if tallest > 0 else 0.0
    low, high = min(before, after) * scale, max(before, after) * scale
    if low > 0:
        items.append(
            rect(x, bars + BAR - low, 56, low, "bar muted", k, f"before: {brief(grad['before'], 200)}")
        )
    if high > low:
        c = "bar gradient" + now if after > before else "bar lost muted"
        items.append(rect(x, bars + BAR - high, 56, high - low, c, k, f"after: {brief(grad['after'], 200)}"))
    if grad["after"] is None:
        items.append(text(x, bars + BAR + 18, "None", "write" + now))
    else:
        by = " by hook" if MADE_BY_HOOK in step["text"] else ""
        result = brief(grad["after"], int(room / CHAR) - 2 - len(by)) + by
        items.append(
            text(
                x,
                bars + BAR + 18,
                "= " + result,
                "gradient title" + now,
                k,
                label=f"{f.label(t)}.grad is {brief(grad['after'], 400)}",
            )
        )
    return group(items, k, step["text"])


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
    """The height of a value's bar before scaling: its norm."""
    return (value.get("norm") or 0.0) if value is not None else 0.0
