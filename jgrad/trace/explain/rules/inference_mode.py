"""Tensors that were made under inference_mode()."""

from __future__ import annotations

from jgrad.trace.explain.rule import RUNTIME, Rules

ERRORS = Rules()

ERRORS.by_words(
    "inference-inplace", "error", "a tensor of inference_mode() is written to outside of it",
    "{lead}the tensor was made under inference_mode(), which keeps neither a history nor a version counter for it.",
    "Write to a clone(), which is an ordinary tensor, or make it under no_grad() instead.",
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
)  # fmt: skip

ERRORS.by_words(
    "inference-saved", "error", "a tensor of inference_mode() is used where autograd would save it",
    "{lead}backward would need a tensor that was made under inference_mode(), which nothing keeps watch over.",
    "Use its clone(), or make it under no_grad() instead.",
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
    "inference-asked", "error", "requires_grad_() of a tensor of inference_mode()",
    "{lead}a tensor that was made under inference_mode() never takes part in autograd.",
    "Use its clone(), or make it under no_grad() instead.",
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
)  # fmt: skip
