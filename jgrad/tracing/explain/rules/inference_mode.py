"""Tensors that were made under inference_mode()."""

from __future__ import annotations

from jgrad.tracing.explain.repairs import in_place_write, named
from jgrad.tracing.explain.rule import RUNTIME, Rules

ERRORS = Rules()

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
    "{lead}backward() would need a tensor that was made under inference_mode(), and autograd can't save it.",
    "Use x.clone() in place of this tensor x, or make x under no_grad().",
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
