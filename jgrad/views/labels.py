"""What is written in the textbook graph: symbols, values above edges, gradients below them, sums at leaves, derivatives at operations."""

from __future__ import annotations

import re

from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import GradUpdate, Step, TraceNode, Value
from jgrad.views.operations import step_of
from jgrad.views.parts import Edge, Part, elements_at
from jgrad.views.rows import got, sent
from jgrad.views.scene import Frame, columns_of, norm_of, op_name, shape_text, short

ELEMENTS = 6  # a tensor of at most so many elements is written out
LINES = 4  # on at most so many lines
ROOM = 16  # of at most so many characters

SYMBOLS: dict[str, str] = {
    "Add": "+", "Sub": "−", "Rsub": "−", "Mul": "×", "Div": "÷", "Mm": "@", "Bmm": "@", "Mv": "@", "Dot": "@", "Sum": "Σ", "Neg": "−", "Sigmoid": "σ",
    "Pow": "xⁿ", "Sqrt": "√", "T": "ᵀ", "Transpose": "ᵀ", "Permute": "ᵀ", "Abs": "|x|", "Select": "[i]", "Slice": "[:]", "Index": "[i]",
    "CopySlices": "[ ]=", "Clone": "copy", "Addmm": "@ +", "Baddbmm": "@ +", "Prod": "Π", "Mean": "mean", "Unsqueeze": "view",
    "UnsafeView": "view", "Squeeze": "view", "ReshapeAlias": "view", "SplitWithSizes": "split", "MaximumBackward": "max", "Stack": "stack",
}  # fmt: skip
CASE = re.compile(r"[A-Z][a-z0-9]*")


def symbol(f: Frame, p: Part) -> str:
    """What is written in an operation: `+`, `σ`, `exp`, the name of a layer."""
    return symbol_of(f, p["nodes"][0], p["layer"])


def symbol_of(f: Frame, first: int, layer_number: int) -> str:
    """What is written in an operation, by its first node and the layer whose call it is."""
    if layer_number >= 0:
        layer = f.document["layers"][layer_number]
        return layer["name"] or layer["type"]
    node = f.index.nodes[first]
    name = op_name(node["name"])
    found = SYMBOLS.get(name, "")
    if not found and node["name"].endswith("Backward"):
        found = name  # a class of the user's
    if not found:
        found = short(name) if "_" in name else "_".join([m[0].lower() for m in CASE.finditer(name)]) or name
    step = step_of(f.index, first)
    return found + "=" if step is not None and step["kind"] == "write" and not found.endswith("=") else found


def is_write(f: Frame, p: Part) -> bool:
    """Whether an operation works in place."""
    step = step_of(f.index, p["nodes"][0])
    return step is not None and step["kind"] == "write"


def value_lines(f: Frame, e: Edge, room: int = ROOM) -> list[str]:
    """The value that goes along an edge: its elements, or its shape if they take more than so many characters."""
    if e["tensor"] < 0:
        return []
    shape = f.index.state(e["tensor"], e["step"])["shape"]
    elements = elements_at(f.index, e["tensor"], e["step"], ELEMENTS)
    found = written(elements, shape, room)
    return found or [shape_text(shape)]


def gradient_lines(value: Value, room: int = ROOM) -> list[str]:
    """A gradient: its elements, or its norm if they take more than so many characters."""
    texts = value["elements"]
    found = written(texts if texts is not None and len(texts) <= ELEMENTS else None, value["shape"], room)
    if found:
        return found
    if texts and all(t == texts[0] for t in texts):
        return [f"all {texts[0]}"]
    norm = norm_of(value)
    return [f"‖{norm}‖" if norm else shape_text(value["shape"])]


def written(elements: list[str] | None, shape: list[int], room: int = ROOM) -> list[str]:
    """A few elements as lines: those of a vector (or of a single row) one below the other, those of a matrix row by row. Nothing if they take too much room."""
    if not elements or len(shape) > 2:
        return []
    row = shape[1] if len(shape) == 2 and shape[0] > 1 else 1
    widest = max([columns_of(s) for s in elements])
    lines = []
    for i in range(len(elements) // row):
        padded = [" " * (widest - columns_of(s)) + s for s in elements[i * row : i * row + row]]
        lines.append(" ".join(padded))
    return lines if len(lines) <= LINES and columns_of(lines[0]) <= room else []


def widen(known: list[str], lines: list[str]) -> None:
    """Make each of some lines at least as long as another one: the room that both need."""
    for i in range(len(lines)):
        if i == len(known):
            known.append(lines[i])
        elif columns_of(lines[i]) > columns_of(known[i]):
            known[i] = lines[i]


def factor_of(f: Frame, node: TraceNode, step: Step, i: int) -> str:
    """What the gradient of a single number was multiplied with on its way: "1. × 2. = ". Empty if it is no such product."""
    arrived, given = got(step, 0), sent(step, i)
    if (
        len(step.get("grads_in", [])) != 1
        or arrived is None
        or given is None
        or not list(node["formulas"])
        or node.get("hooks")
    ):
        return ""
    before, after = arrived["elements"], given["elements"]
    if before is None or after is None or len(before) != 1 or len(after) != 1:
        return ""
    size, result = arrived.get("norm"), given.get("norm")
    if not size or result is None:
        return ""
    negative = before[0].startswith("-") != after[0].startswith("-")
    factor = dotted(-result / size if negative else result / size)
    return f"{before[0]} × {factor} = "


def dotted(x: float) -> str:
    """A number as tensors print it: 2. and not 2."""
    s = number(x)
    return s if "." in s or "e" in s else s + "."


def sum_of(values: list[Value], room: int) -> str:
    """The parts of a sum in the order of their arrival: "3. + 2."; empty if they are no numbers, or too many."""
    parts = []
    for v in values:
        texts = v["elements"]
        if texts is None or len(texts) != 1:
            return ""
        parts.append(texts[0])
    s = " + ".join(parts).replace("+ -", "− ")
    return s if columns_of(s) <= room else ""


def held_lines(grad: GradUpdate, room: int) -> list[str]:
    """What a leaf holds after a gradient was added: "3. + 2. = 5.", or the elements."""
    after = grad["after"]
    if after is None:
        return ["None"]
    before = grad["before"]
    terms = [c["value"] for c in grad["contributions"]]
    if before is not None:
        terms = [before, *terms]
    lines = gradient_lines(after)
    summed = sum_of(terms, room) if len(terms) > 1 else ""
    if summed and len(lines) == 1:
        whole = f"{summed} = {lines[0]}"
        return [whole] if columns_of(whole) <= room else [summed, f"= {lines[0]}"]
    return lines


def grouped(derivatives: list[str]) -> list[str]:
    """The derivatives of an operation. Those of an input that occurs twice are added, "∂y/∂w = w + w"; equal ones are in one line, "∂y/∂a = ∂y/∂b = 1"."""
    sums: dict[str, str] = {}
    whose: dict[str, str] = {}
    for said in derivatives:
        start = said.find("= ") + 2
        if said.startswith("∂"):
            name = said[:start]
            sums[name] = (sums[name] + " + " if name in sums else "") + said[start:]
        elif said:
            whose[said] = ""
    for name, factor in sums.items():
        whose[factor] = whose.get(factor, "") + name
    return [names + factor for factor, names in whose.items()]
