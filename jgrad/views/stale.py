"""A saved tensor that was overwritten: what autograd compares, and why it refuses.

Below the graph, the storage of the tensor at two times: the version that the node needs, and the one that it found. Where the derivative is plain
arithmetic, what each of them would have given.
"""

from __future__ import annotations

import re
from typing import TypedDict

from jgrad.trace.document.formulas import of_dtype
from jgrad.trace.document.numbers import exponential, number
from jgrad.trace.document.schema import SavedTensor, Step
from jgrad.views.labels import ELEMENTS
from jgrad.views.parts import elements_at, source_of
from jgrad.views.rows import Flow
from jgrad.views.scene import (
    Frame,
    Item,
    clip,
    gem,
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


class Stale(TypedDict):
    """A saved tensor that was overwritten."""

    node: int
    saved: SavedTensor
    tensor: int
    now: int
    """The version that the node found."""


def stale_at(f: Frame) -> Stale | None:
    """The saved tensor that stopped the backward pass at the cursor."""
    step = f.step
    if step is None or step["kind"] != "error" or step.get("node") is None:
        return None
    for s in f.index.nodes[step["node"]]["saved"]:
        if s["tensor"] is not None:
            now = f.version(f.state[s["tensor"]]["version_counter"])
            if now is not None and now != s["version"]:
                return {"node": step["node"], "saved": s, "tensor": s["tensor"], "now": now}
    return None


def sentence(f: Frame) -> str:
    """Why the backward pass stopped at the cursor; empty if no saved tensor was overwritten."""
    stale = stale_at(f)
    if stale is None:
        return ""
    name, needed = f.label(stale["tensor"]), stale["saved"]["version"]
    node = short(f.index.nodes[stale["node"]]["name"])
    return f"{node} needs {name} as it was at v{needed}, finds v{stale['now']}, and stops."


def panel(f: Frame, flow: Flow, right: float, y: float, items: list[Item]) -> float:
    """Draw the saved tensor that stopped the backward pass at the cursor: right of the graph, which ends at `right`, if there is room, else below.
    Returns the y below."""
    stale = stale_at(f)
    if stale is None:
        return y
    if f.width - right - 36 >= BESIDE:
        return max(y, _storage(f, flow, stale, right + 24, 12, items))
    return _storage(f, flow, stale, 12, y + 8, items)


def _storage(f: Frame, flow: Flow, stale: Stale, left: float, y: float, items: list[Item]) -> float:
    """The storage of a tensor when it was saved, and when it was needed."""
    s, node, tensor, now = stale["saved"], stale["node"], stale["tensor"], stale["now"]
    wide = min(f.width - left - 12, 640)
    name = f.label(tensor)
    formula, whose = _formula(f, node, s["name"])
    writer = _writer(f, tensor, s["version"])
    before = [] if writer < 0 else elements_at(f.index, tensor, writer, ELEMENTS) or []
    after = elements_at(f.index, tensor, f.cursor, ELEMENTS) or []
    needed, found = _slopes(flow, node, formula, whose, before), _slopes(flow, node, formula, whose, after)
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
            items.append(text(left + wide - 12, y + 20, clip(said, room), "note muted", None, "end", said))
    items.append(path(points("M", left, y + 30, "H", left + wide), "edge rule muted"))
    step = None if writer < 0 else f.index.steps[writer]
    _version(
        f,
        "saved",
        f"v{s['version']} needed",
        before,
        needed,
        left,
        y + 52,
        wide,
        None,
        items,
    )
    _version(
        f,
        "write",
        f"v{now} found",
        after,
        found,
        left,
        y + 84,
        wide,
        step,
        items,
    )
    if explained:
        items.append(text(left + 12, y + 116, "✕", "error title"))
        items.append(text(left + 32, y + 116, refused, "note muted"))
    return y + high + 8


def _version(
    f: Frame,
    c: str,
    title: str,
    elements: list[str],
    slopes: list[str],
    left: float,
    y: float,
    wide: float,
    writer: Step | None,
    items: list[Item],
) -> None:
    """A line: which version, what it held, and the gradient that it gives."""
    if c == "saved":
        items.append(path(gem(left + 18, y - 4), "gem saved"))
    else:
        items.append(
            path(points("M", left + 12, y, "L", left + 18, y - 10, "L", left + 24, y, "Z"), "gem write")
        )
    items.append(text(left + 32, y, title, f"{c} title"))
    x = left + 32 + width("v00 needed") + 16
    held = "  ".join(elements)
    if elements and x + width(held) < left + wide - 12:
        items.append(text(x, y, held, c + (" struck" if c == "saved" else "")))
        x += width(held) + 16
    given = "→ " + "  ".join(slopes)
    if slopes and x + width(given) < left + wide - 12:
        items.append(text(x, y, given, "plain" if c == "saved" else "error title"))
        x += width(given) + 16
    source = "" if writer is None else source_of(f, writer)
    line = "" if writer is None or writer["line"] is None else f"line {writer['line']}"
    by = f"{source}, {line}" if source and line else source or line
    if by and x + note_width(f"written by {by}") < left + wide - 12:
        items.append(text(x, y, f"written by {by}", "note muted", None if not line else [f"l{line[5:]}"]))


def _writer(f: Frame, tensor: int, version: int) -> int:
    """The step that first overwrote a version of a tensor; -1 if it is not known."""
    for i, write in f.index.writes_to.get(f.state[tensor]["version_counter"], []):
        if write["versions"][0] <= version < write["versions"][1]:
            return i
    return -1


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
