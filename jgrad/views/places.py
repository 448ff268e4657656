"""The parts of the textbook graph with the room that they need, at whatever step: so the picture doesn't move while one steps."""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.schema import Step, Value
from jgrad.views.labels import (
    factor_of,
    gradient_lines,
    grouped,
    held_lines,
    sum_of,
    symbol,
    value_lines,
    widen,
)
from jgrad.views.layout import Box
from jgrad.views.operations import step_of
from jgrad.views.parts import Edge, Part, name_of, source_of
from jgrad.views.rows import got, sent
from jgrad.views.scene import (
    Frame,
    chip_width,
    clip_name,
    columns_of,
    note_width,
    plural,
    short,
    width,
    wrap,
)
from jgrad.views.stale import involved

FORMULAS = 12  # with at most so many operations, their derivatives are written
RADIUS = 20.0
LINE = 16.0  # height of a line
NAME = 16  # at most so many characters of a name
SUM = 24  # of a sum
PARTS = 10  # of the parts of a sum that is not complete


class Level(TypedDict):
    """How narrow a picture is to be. The first level with which it fits is taken."""

    caption: float
    """The most room that the source of an operation gets."""
    formulas: bool
    """Whether derivatives are written."""
    products: bool
    """Whether the gradient of a number is written as the product that made it."""
    numbers: int
    """At most so many characters of numbers are in a line; of more, a shape or a norm is written."""
    curve: float
    """The room between two columns, at least."""


LEVELS: list[Level] = [
    {"caption": 170.0, "formulas": True, "products": True, "numbers": 16, "curve": 36.0},
    {"caption": 170.0, "formulas": True, "products": False, "numbers": 16, "curve": 24.0},
    {"caption": 100.0, "formulas": False, "products": True, "numbers": 16, "curve": 36.0},
    {"caption": 100.0, "formulas": False, "products": False, "numbers": 16, "curve": 36.0},
    {"caption": 80.0, "formulas": False, "products": False, "numbers": 8, "curve": 24.0},
    {"caption": 60.0, "formulas": False, "products": False, "numbers": 7, "curve": 16.0},
]


class Place(TypedDict):
    """A part, where it is drawn, and what is written at it."""

    part: Part
    box: Box
    label: str
    half: float
    """Half the width of its shape."""
    caption: str
    """The source above it."""
    lines: list[str]
    """The same on two lines, for where it does not fit; none if it is longer."""
    notes: list[str]
    """The lines below it."""
    end: float
    """Where its column ends."""


def places_of(f: Frame, parts: list[Part], level: Level) -> list[Place]:
    """The parts with the room that they need in the end, at whatever step."""
    owners = _layers(f, parts)
    operations = len([p for p in parts if p["kind"] == "op"])
    number = {parts[i]["key"]: i for i in range(len(parts))}
    starts = involved(f.index)
    found: list[Place] = []
    for p in parts:
        place = _place(f, p, owners.get(p["tensor"], ""), level, operations <= FORMULAS)
        box = place["box"]
        if any([n in p["nodes"] for n in starts]):
            box["below"] += 8  # an arrow goes from here to the storage of a tensor
        room = min(
            max([note_width(s) for s in [place["caption"], *place["notes"]]]) if place["lines"] else 0.0,
            level["caption"],
        )
        for i in range(len(p["edges"])):
            e = p["edges"][i]
            lines, below = _label_size(f, e, level)
            wide = max([34.0, *[width(s) for s in [*lines, *below]]])
            if p["kind"] == "op":
                wide = max(wide, room - box["width"] - 22)
            box["slots"].append({
                "source": number[e["source"]], "edge": i, "width": wide + 12, "above": 4 + LINE * max(len(lines), 1),
                "below": 6 + LINE * max(len(below), 1), "x": 0.0, "y": 0.0, "via": [],
            })  # fmt: skip
        found.append(place)
    return found


def _layers(f: Frame, parts: list[Part]) -> dict[int, str]:
    """What layers call their parameters: `weight` next to the `Linear` that it is part of says as much as `net[0].weight`."""
    owned = [
        (number, name)
        for p in parts
        if p["layer"] >= 0
        for name, number in f.document["layers"][p["layer"]]["parameters"]
    ]
    return {number: name for number, name in owned}  # noqa: C416  (as the translator needs it)


def _place(f: Frame, p: Part, owned: str, level: Level, formulas: bool) -> Place:
    caption = ""
    folded: list[str] = []
    notes: list[str] = []
    end = len(f.index.steps)
    label = clip_name(owned if p["kind"] == "leaf" and owned else name_of(f, p["tensor"], end), NAME)
    half = chip_width(label or "  ") / 2
    above, below, head, foot = 14.0, 14.0, 0.0, 0.0
    wide = 2 * half
    if p["kind"] == "op":
        label = clip_name(symbol(f, p), 20)
        half = max(RADIUS, width(label) / 2 + 10)
        caption = caption_of(f, p)
        folded = wrap(caption, int(level["caption"] / 7.2))
        folded = folded if len(folded) <= 2 else []
        notes = (
            [s for s in _notes(f, p) if note_width(s) <= level["caption"]]
            if formulas and level["formulas"]
            else []
        )
        above, below = RADIUS + 2, RADIUS + 6
        # A line also for a longer source, which may fit where there is room at the sides, and for "stops here".
        head, foot = 4 + LINE * max(len(folded), 1), LINE * len(notes) + (4 if notes else 0)
        if _summed(f, p):
            foot += LINE
        wide = 2 * half
    elif p["kind"] == "cut":
        label = f.index.tensors[p["tensor"]]["origin"]
        label = "no_grad" if label == "op" else f".{label}" if label == "data" else label
        half = width(label) / 2 + 10
        wide = 2 * half
    elif p["kind"] == "leaf":
        lines = _leaf_room(f, p["tensor"], label)
        wide = max(wide, *[width(s) for s in lines])
        below += LINE * len(lines) + 2
    elif not label:
        half = 5.0
        wide = 12.0
    box: Box = {
        "width": wide, "above": above, "below": below, "head": head, "foot": foot, "early": p["kind"] in ("leaf", "input"), "slots": [], "free": label in ("+", "×"),
        "rank": 0, "band": 0, "x": 0.0, "y": 0.0,
    }  # fmt: skip
    return {
        "part": p,
        "box": box,
        "label": label,
        "half": half,
        "caption": caption,
        "lines": folded,
        "notes": notes,
        "end": 0.0,
    }


def caption_of(f: Frame, p: Part) -> str:
    """The source of an operation, or what a layer is."""
    if p["layer"] >= 0:
        layer = f.document["layers"][p["layer"]]
        return f"{layer['type']}({layer['arguments']})"
    step = step_of(f.index, p["nodes"][0])
    if step is None:
        return "" if p["since"] >= 0 else short(f.index.nodes[p["nodes"][0]]["name"])
    call = step.get("layer_call", -1)
    if call >= 0:
        layer = f.document["layers"][f.document["layer_calls"][call][0]]
        return layer["name"] or layer["type"]
    return _backward_of(f, p["since"]) if step.get("backward_call") is not None else source_of(f, step)


def _backward_of(f: Frame, at: int) -> str:
    """The node in whose backward a step ran: "backward of x * x"."""
    call = f.index.steps[at].get("backward_call")
    for i in range(at, len(f.index.steps)):
        s = f.index.steps[i]
        if s["kind"] == "node" and s.get("backward_call") == call:
            made = step_of(f.index, s["node"])
            source = "" if made is None else source_of(f, made)
            return f"backward of {source}" if source else f"in {short(f.index.nodes[s['node']]['name'])}"
    return "in backward"


def _notes(f: Frame, p: Part) -> list[str]:
    """The derivatives of an operation."""
    if p["layer"] >= 0 or len(p["nodes"]) > 1:
        return []
    return grouped(f.index.nodes[p["nodes"][0]].get("derivatives", []))[:2]


def _label_size(f: Frame, e: Edge, level: Level) -> tuple[list[str], list[str]]:
    """The longest texts that an edge ever has above and below it."""
    below: list[str] = []
    for value, before in _gradients(f, e):
        lines = gradient_of(e, value, level["numbers"])
        lines[0] = before + lines[0] if level["products"] else lines[0]
        widen(below, lines)
    if e["node"] < 0 and e["target"] < 0:
        below = ["cut here"]
    return value_lines(f, e, level["numbers"]), below


def gradient_of(e: Edge, value: Value, room: int) -> list[str]:
    return [f"{e['times']} gradients"] if e["times"] > 1 else gradient_lines(value, room)


def _gradients(f: Frame, e: Edge) -> list[tuple[Value, str]]:
    """All gradients that ever go along an edge, and how each was made."""
    found: list[tuple[Value, str]] = []
    if e["input"] < 0:
        return found
    if e["node"] < 0:
        for i, step in f.index.of("backward"):
            value = started(f, step, e["target"], i)
            if value is not None:
                found.append((value, ""))
        return found
    node = f.index.nodes[e["node"]]
    for i in f.index.runs.get(e["node"], []):
        step = f.index.steps[i]
        value = sent(step, e["input"])
        if value is not None:
            found.append((value, "" if e["inner"] else factor_of(f, node, step, e["input"])))
    return found


def started(f: Frame, step: Step, node: int, at: int) -> Value | None:
    """The gradient with which a backward call starts at a node."""
    roots = step.get("roots", [])
    for k in range(len(roots)):
        if f.index.node_at(roots[k], at) == node:
            return got(step, k)
    return None


def _leaf_room(f: Frame, tensor: int, label: str) -> list[str]:
    """The longest lines that a leaf ever has below it. To find them takes a look at all of its gradients, so they are kept for other levels and
    steps."""
    key = f"room of {tensor}"
    below: list[str] = f.index.kept.get(key, [])
    if not below:
        added = [grad for _, grad in f.index.grads_of.get(tensor, []) if grad["action"] == "add"]
        if not added or not all(
            [sum_of([c["value"] for c in grad["contributions"]], PARTS) for grad in added]
        ):
            below.extend(so_far(99))
        for grad in added:
            widen(below, held_lines(grad, SUM))
        f.index.kept[key] = below
    named = grad_of(label)
    returned = any([step["op"] != "backward" for _, step in f.index.of("backward")])
    return [RESULT if returned and columns_of(named) < columns_of(RESULT) else named, *below]


def so_far(n: int) -> list[str]:
    """What is said of gradients that came to a leaf before it adds them, if they are no short numbers."""
    return [plural(n, "gradient"), "so far"]


RESULT = "gradient ="


def grad_of(label: str) -> str:
    return f"{label}.grad =" if columns_of(label) <= 8 else ".grad ="


def _summed(f: Frame, p: Part) -> bool:
    """Whether several gradients ever meet at an operation."""
    for n in p["nodes"][-1:]:
        for i in f.index.runs.get(n, []):
            if len(_arrivals(f, n, i)) > 1:
                return True
    return False


def _arrivals(f: Frame, n: int, at: int) -> list[int]:
    """The steps of a backward call that sent a gradient to a node before it ran at a step."""
    found = []
    call = f.index.steps[at].get("backward_call")
    for i in range(f.index.calls.get(-1 if call is None else call, at), at):
        s = f.index.steps[i]
        if s["kind"] == "node" and s.get("backward_call") == call:
            edges = f.index.nodes[s["node"]]["next_functions"]
            for k in range(len(edges)):
                if edges[k][0] == n and sent(s, k) is not None:
                    found.append(i)  # noqa: PERF401
    return found
