"""Tensors that were made under inference_mode()."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jgrad.tensor import Tensor
from jgrad.tracing.explain.edits import Code
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.operands import failing_tree
from jgrad.tracing.explain.repairs import in_place_write, named
from jgrad.tracing.explain.rule import RUNTIME, Rules

ERRORS = Rules()


def saved(incident: Incident) -> Iterator[dict]:
    """Which tensor it is, and where inference_mode() stands, if it stands in one place."""
    given = dict.fromkeys(n.id for n in ast.walk(failing_tree(incident)) if isinstance(n, ast.Name))
    values = ((name, incident.variables.get(name)) for name in given)
    name = next((name for name, v in values if isinstance(v, Tensor) and v.is_inference()), "a tensor")
    codes = Code.all_of(incident.log) if incident.log is not None else [Code(incident.cell, incident.file)]
    found = [
        (code, n)
        for code in codes
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Attribute) and n.attr == "inference_mode"
    ]
    blanks: dict = {"name": name, "where": ""}
    if len(found) == 1:
        code, node = found[0]
        place = f"{code.file}, line {node.lineno}" if code.file else f"line {node.lineno}"
        blanks["where"] = f" ({place})"
        blanks["edits"] = [code.replaced(node, f"{code.text(node.value)}.no_grad")]
    yield blanks


ERRORS.by_words(
    "inference-inplace", "error", "a tensor made under inference_mode() is written to outside of it",
    "{lead}the tensor was made under inference_mode() and has no version counter, so no write to it is allowed outside.",
    "Write {name} = {name}.clone() first, or make {name} under no_grad().",
    """
with jgrad.inference_mode():
    x = jgrad.ones(2)
x.add_(1)
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
x.add_(1)
""",
    raised=(RUNTIME, r"Inplace update to inference tensor outside InferenceMode is not allowed"),
    blanks=in_place_write,
)  # fmt: skip

ERRORS.by_words(
    "inference-saved", "error", "autograd would have to save a tensor made under inference_mode()",
    "{lead}backward() would need {name}, which was made under inference_mode(){where}, and autograd can't save it.",
    "Make it under no_grad() instead.",
    """
with jgrad.inference_mode():
    x = jgrad.ones(2)
w = jgrad.ones(2, requires_grad=True)
w * x
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
w = jgrad.ones(2, requires_grad=True)
w * x
""",
    raised=(RUNTIME, r"Inference tensors cannot be saved for backward"),
    blanks=saved,
)  # fmt: skip

ERRORS.by_words(
    "inference-asked", "error", "requires_grad_() of a tensor made under inference_mode()",
    "{lead}a tensor that was made under inference_mode() can't require grad.",
    "Write {name} = {name}.clone().requires_grad_(), or make {name} under no_grad().",
    """
with jgrad.inference_mode():
    x = jgrad.ones(2)
x.requires_grad_()
""", """
with jgrad.no_grad():
    x = jgrad.ones(2)
x.requires_grad_()
""",
    raised=(RUNTIME, r"Setting requires_grad=True on inference tensor outside InferenceMode is not allowed"),
    blanks=named("requires_grad_"),
)  # fmt: skip
