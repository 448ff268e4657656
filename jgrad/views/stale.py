"""A saved tensor that was overwritten: what autograd compares, and why it refuses.

Below the graph, the storage of the tensor at two times: the version that the node needs, and the one that it found. Where the derivative is plain
arithmetic, what each of them would have given.
"""

from __future__ import annotations

import re
from typing import TypedDict

from jgrad.tracing.document.formulas import of_dtype
from jgrad.tracing.document.index import TraceIndex, name_at
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import SavedTensor
from jgrad.views.arrows import Arrows
from jgrad.views.labels import ELEMENTS
from jgrad.views.parts import elements_at, line_of, line_within, source_of
from jgrad.views.rows import Flow
from jgrad.views.scene import (
    Frame,
    Item,
    clip,
    columns_of,
    gem,
    labelled,
    note_width,
    path,
    points,
    rect,
    short,
    text,
    width,
)

TOKEN = re.compile(r"[0-9.]+|[A-Za-z_]+|\*\*|[-+*/(),]", re.ASCII)
PLAIN = re.compile(r"-?\d+\.?\d*(e[-+]?\d+)?\Z", re.ASCII)
FAILED = (0.0, -1)
BESIDE = 400  # so much room is enough for the panel beside the graph
STRIP = 56.0  # height of the strip below the graph through which arrows go to the panel


class Stale(TypedDict):
    """A saved tensor that was overwritten."""

    node: int
    saved: SavedTensor
    tensor: int
    now: int
    """The version that the node found."""
    writer: int
    """The step that first overwrote it; -1 if it is not known."""


def stale_of(index: TraceIndex, at: int) -> Stale | None:
    """The saved tensor that stopped the backward pass at a step."""
    step = index.steps[at] if at >= 0 else None
    if step is None or step["kind"] != "error" or step.get("node") is None:
        return None
    node = index.nodes[step["node"]]
    if node["freed_step"] is not None and node["freed_step"] < at:
        return None  # it ran before: that its saved tensors are gone is what stopped it, whatever was written to them
    for s in node["saved"]:
        if s["tensor"] is not None:
            counter = index.state(s["tensor"], at + 1)["version_counter"]
            now = index.version(counter, at + 1)
            if now is not None and now != s["version"]:
                writer = _writer(index, counter, s["version"])
                return {"node": step["node"], "saved": s, "tensor": s["tensor"], "now": now, "writer": writer}
    return None


def _writer(index: TraceIndex, counter: int, version: int) -> int:
    """The step that first overwrote a version; -1 if it is not known."""
    for i, write in index.writes_to.get(counter, []):
        if write["versions"][0] <= version < write["versions"][1]:
            return i
    return -1


def involved(index: TraceIndex) -> list[int]:
    """The nodes from which arrows go to the storage of a saved tensor that was overwritten, at whatever step."""
    found: list[int] = []
    for i, _ in index.of("error"):
        stale = stale_of(index, i)
        if stale is not None:
            found.append(stale["node"])
            found.append(index.steps[stale["writer"]].get("node", -1) if stale["writer"] >= 0 else -1)
    return found


def sentence(f: Frame) -> str:
    """Why the backward pass stopped at the cursor; empty if no saved tensor was overwritten."""
    stale = stale_of(f.index, f.cursor - 1)
    if stale is None:
        return ""
    name, needed = _called(f, stale["tensor"]), stale["saved"]["version"]
    node = short(f.index.nodes[stale["node"]]["name"])
    return f"{node} needs {name} as it was at v{needed}, finds v{stale['now']}, and stops."


def _named(f: Frame, tensor: int) -> int:
    """A tensor, or if no variable means it, one in its storage that has a name: `model[2].weight` instead of the transposed view that a layer saves."""
    if not f.index.tensors[tensor]["names"]:
        for t in f.index.tensors_on.get(f.state[tensor]["storage"], []):
            if name_at(f.index.tensors[t], f.cursor):
                return t
    return tensor


def _called(f: Frame, tensor: int) -> str:
    named = _named(f, tensor)
    return f.label(tensor) if named == tensor else f"a view of {f.label(named)}"


def panel(
    f: Frame, flow: Flow, right: float, y: float, starts: dict[int, list[float]], items: list[Item]
) -> float:
    """Draw the storage of the saved tensor that stopped the backward pass at the cursor: right of the graph, which ends at `right`, if there is room,
    else below it. Arrows say which operation saved it, and which overwrote it; `starts` has where they begin, by node. Returns the y below."""
    stale = stale_of(f.index, f.cursor - 1)
    if stale is None:
        return y
    beside = f.width - right - 52 >= BESIDE
    left, top = (right + 40, 12.0) if beside else (24.0, y + STRIP)
    drawing = Drawing(f, stale, left, min(f.width - left - (12 if beside else 24), 640), items)
    drawing.arrows(starts, y, top, beside)
    return max(y + STRIP, drawing.draw_storage(flow, top))


class Drawing:
    """The storage of a saved tensor that was overwritten, from `left` on, `wide`."""

    def __init__(self, f: Frame, stale: Stale, left: float, wide: float, items: list[Item]) -> None:
        self.f, self.stale, self.left, self.wide, self.paper = f, stale, left, wide, items

    def arrows(self, starts: dict[int, list[float]], y: float, top: float, beside: bool) -> None:
        """The arrows to the storage, which begins at `top`. That of the write goes to its right end, or if it stands beside the graph to its left."""
        f, stale, left, node = self.f, self.stale, self.left, self.stale["node"]
        writer = None if stale["writer"] < 0 else f.index.steps[stale["writer"]]
        arrows = Arrows(self.paper, y, f.width)
        saved = arrows.way(starts.get(node, []), y + 18)
        written = [] if writer is None else arrows.way(starts.get(writer.get("node", -1), []), y + 42)
        name = clip(_called(f, stale["tensor"]), 32)
        own = f.index.node_at(stale["tensor"], f.index.nodes[node]["created_step"] + 1) == node
        said = f"saves its result {name}" if own else f"saves {name}"
        if not saved:
            said = f"{short(f.index.nodes[node]['name'])} {said}"
        arrows.draw("saved cut", said, saved, y + 18, [left - 14, left, top + 48], [f"n{node}"])
        if writer is None:
            return
        said = "writes into the same storage"
        if not written:
            room = int((f.width - note_width(said) - 56) / 7.2)
            by = source_of(f, writer) or writer["op"]
            at = line_within(f.document, writer) or line_of(f.document, writer)
            whole = by if writer["line"] is None else f"{by}, {at},"
            said = f"{whole if columns_of(whole) <= room else clip(by, room)} {said}"
        keys = [] if writer["line"] is None else [f"l{writer['line']}"]
        end = left if beside else left + self.wide
        turn = end + (-7 if beside else 8)
        arrows.draw("write", said, written, y + 42, [turn, end, top + 80], keys)

    def draw_storage(self, flow: Flow, y: float) -> float:
        """The storage of the tensor when it was saved, and when it was needed. Returns the y below."""
        f, items, left, wide = self.f, self.paper, self.left, self.wide
        stale = self.stale
        s, node, tensor, now = stale["saved"], stale["node"], stale["tensor"], stale["now"]
        name = f.label(_named(f, tensor))
        formula, whose = _formula(f, node, s["name"])
        before = [] if stale["writer"] < 0 else elements_at(f.index, tensor, stale["writer"], ELEMENTS) or []
        after = elements_at(f.index, tensor, f.cursor, ELEMENTS) or []
        needed, found = (
            _slopes(flow, node, formula, whose, before),
            _slopes(flow, node, formula, whose, after),
        )
        refused = f"With v{now} the gradient would be wrong, so none is given."
        if note_width(refused) > wide - 44:
            refused = f"With v{now} the gradient would be wrong."
        explained = bool(needed) and bool(found)
        high = 132 if explained else 104
        items.append(rect(left, y, wide, high, "box muted"))
        items.append(text(left + 12, y + 20, f"storage of {clip(name, 20)}", "title", [f"t{tensor}"]))
        if formula:
            room = int((wide - width(f"storage of {clip(name, 20)}") - 40) / 7.2)
            said = f"{short(f.index.nodes[node]['name'])} sends {formula}"
            if room > 20:
                sends = text(left + wide - 12, y + 20, clip(said, room), "note mono muted", None, "end")
                items.append(labelled(sends, said))
        items.append(path(points("M", left, y + 30, "H", left + wide), "edge rule muted"))
        items.append(path(gem(left + 18, y + 48), "gem saved"))
        self._version("saved", f"v{s['version']} needed", before, needed, y + 52)
        tip = y + 84
        corner = points("M", left + 12, tip, "L", left + 18, tip - 10, "L", left + 24, tip, "Z")
        items.append(path(corner, "gem write"))
        self._version("write", f"v{now} found", after, found, tip)
        if explained:
            items.append(text(left + 12, y + 116, "✕", "error title"))
            items.append(text(left + 32, y + 116, refused, "note muted"))
        return y + high + 8

    def _version(self, c: str, title: str, elements: list[str], slopes: list[str], y: float) -> None:
        """A line: which version, what it held, and the gradient that it gives."""
        items, end = self.paper, self.left + self.wide - 12
        items.append(text(self.left + 32, y, title, f"{c} title"))
        x = self.left + 32 + width("v00 needed") + 16
        held = "  ".join(elements)
        kept = elements
        while kept and x + width(held) >= end:
            kept = kept[: len(kept) - 1]
            held = "  ".join(kept) + " …"
        if kept:
            items.append(text(x, y, held, c + (" struck" if c == "saved" else "")))
            x += width(held) + 16
        given = "→ " + "  ".join(slopes)
        if slopes and x + width(given) < end:
            items.append(text(x, y, given, "plain" if c == "saved" else "error title"))


def _formula(f: Frame, node: int, name: str) -> tuple[str, str]:
    """The derivative that a saved tensor is needed for, and its name there."""
    for formula in f.index.nodes[node]["formulas"].values():
        plain = of_dtype(formula, "float32")
        if any([m[0] == name for m in TOKEN.finditer(plain)]):
            return plain, name
    return "", name


def _slopes(flow: Flow, node: int, formula: str, name: str, elements: list[str]) -> list[str]:
    """The gradient that a node would send for these elements, if its derivative is plain arithmetic with them and the gradient alone."""
    arrived = flow.arrived(node)
    if not formula or not elements or len(arrived) != 1:
        return []
    grads = arrived[0][2]["elements"]
    if grads is None or len(grads) != len(elements):
        return []
    tokens = [m[0] for m in TOKEN.finditer(formula)]
    found: list[str] = []
    for i in range(len(elements)):
        if not PLAIN.match(elements[i]) or not PLAIN.match(grads[i]):
            return []
        value, end = _sum(tokens, 0, {"grad": float(grads[i]), name: float(elements[i])})
        if end != len(tokens):
            return []
        found.append(f"≈{number(float(exponential(value, 2)))}")
    return found


def _sum(tokens: list[str], at: int, known: dict[str, float]) -> tuple[float, int]:
    """The value of a sum that begins at a token, and the position after it, -1 if it is not plain arithmetic."""
    value, at = _product(tokens, at, known)
    while 0 <= at < len(tokens) and tokens[at] in ("+", "-"):
        sign = 1 if tokens[at] == "+" else -1
        other, at = _product(tokens, at + 1, known)
        value += sign * other
    return value, at


def _product(tokens: list[str], at: int, known: dict[str, float]) -> tuple[float, int]:
    value, at = _factor(tokens, at, known)
    while 0 <= at < len(tokens) and tokens[at] in ("*", "/"):
        divide = tokens[at] == "/"
        other, at = _factor(tokens, at + 1, known)
        if divide and not other:
            return FAILED
        value = value / other if divide else value * other
    return value, at


def _factor(tokens: list[str], at: int, known: dict[str, float]) -> tuple[float, int]:
    if at < 0 or at >= len(tokens):
        return FAILED
    if tokens[at] == "-":
        value, at = _factor(tokens, at + 1, known)
        return -value, at
    if tokens[at] == "(":
        value, at = _sum(tokens, at + 1, known)
        return (value, at + 1) if 0 <= at < len(tokens) and tokens[at] == ")" else FAILED
    if PLAIN.match(tokens[at]):
        return float(tokens[at]), at + 1
    return (known[tokens[at]], at + 1) if tokens[at] in known else FAILED
