"""What a leaf may be, what may be done to it, and what its .grad may hold."""

from __future__ import annotations

from jgrad.trace.explain.rule import RUNTIME, USER_WARNING, Rules

ERRORS = Rules()
WARNINGS = Rules()

ERRORS.by_words(
    "leaf-inplace", "error", "an in-place operation meets a leaf that requires grad",
    "{lead}{what} writes in place to a leaf that requires grad, while autograd records.",
    "Write inside `with jgrad.no_grad():`, or to a clone().",
    """
w = jgrad.ones(2, requires_grad=True)
w.add_(1)
""", """
w = jgrad.ones(2, requires_grad=True)
with jgrad.no_grad():
    w.add_(1)
""",
    raised=(RUNTIME, r"^a leaf Variable that requires grad is being used in an in-place operation"),
)  # fmt: skip

ERRORS.by_words(
    "leaf-view-inplace", "error", "an in-place operation meets a view of a leaf that requires grad",
    "{lead}{what} writes in place to a part of a leaf that requires grad, while autograd records.",
    "Write inside `with jgrad.no_grad():`, or to a clone() of the leaf.",
    """
w = jgrad.ones(3, requires_grad=True)
w[0] = 5
""", """
w = jgrad.ones(3, requires_grad=True)
with jgrad.no_grad():
    w[0] = 5
""",
    raised=(RUNTIME, r"a view of a leaf Variable that requires grad is being used in an in-place operation"),
)  # fmt: skip

ERRORS.by_words(
    "flag-of-computed", "error", "requires_grad is switched off on a tensor that was computed",
    "{lead}only a leaf has a requires_grad of its own; that of a computed tensor follows from what it was computed from.",
    "Take x.detach() and go on with that.",
    """
x = jgrad.ones(1, requires_grad=True)
y = x * 2
y.requires_grad = False
""", """
x = jgrad.ones(1, requires_grad=True)
y = x * 2
y = y.detach()
""",
    raised=(RUNTIME, r"you can only change requires_grad flags of leaf variables"),
)  # fmt: skip

ERRORS.by_words(
    "dtype-without-gradient", "error", "a tensor of whole numbers or bools is to require grad",
    "{lead}a gradient says how a result changes when an input changes a little, which whole numbers and bools can't.",
    "Make the tensor with a floating point: write 1. for 1, or pass dtype=jgrad.float32.",
    """
w = jgrad.tensor([1, 2, 3], requires_grad=True)
""", """
w = jgrad.tensor([1., 2., 3.], requires_grad=True)
""",
    raised=(RUNTIME, r"(?i)only Tensors of floating point (and complex )?dtype can require gradients"),
)  # fmt: skip

ERRORS.by_words(
    "assigned-grad-shape", "error", "a tensor of another shape is assigned to .grad",
    "{lead}the tensor has shape {shape}, what is assigned {given}: a gradient has one number for each element of its tensor.",
    "Assign a tensor of the same shape, as jgrad.zeros_like(w).",
    """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(2)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3)
""",
    raised=(RUNTIME, r"attempting to assign a gradient of size '(?P<given>.*?)' to a tensor of size '(?P<shape>.*?)'"),
)  # fmt: skip

ERRORS.by_words(
    "assigned-grad-dtype", "error", "a tensor of another dtype is assigned to .grad",
    "{lead}a .grad has the dtype of its tensor, which is {dtype} here; what is assigned is {given}.",
    "Convert it first, as in w.grad = g.to(w.dtype).",
    """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64).to(w.dtype)
""",
    raised=(RUNTIME, r"attempting to assign a gradient with dtype '(?P<given>\w+)' to a tensor with grad_dtype '(?P<dtype>\w+)'"),
)  # fmt: skip

ERRORS.by_words(
    "retain-without-grad", "error", "retain_grad() of a tensor that does not require grad",
    "{lead}this tensor does not require grad, so no gradient will come by that could be kept.",
    "Call requires_grad_() on it, or see that it is computed from something that requires grad.",
    """
x = jgrad.ones(2)
x.retain_grad()
""", """
x = jgrad.ones(2, requires_grad=True)
x.retain_grad()
""",
    raised=(RUNTIME, r"can't retain_grad on Tensor that has requires_grad=False"),
)  # fmt: skip

ERRORS.by_words(
    "data-of-another-type", "error", "whole numbers are assigned to the .data of a tensor that requires grad",
    "{lead}the tensor requires grad, which only floating point and complex numbers can.",
    "Convert them first, as in w.data = n.float().",
    """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3])
""", """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3]).float()
""",
    raised=(RUNTIME, r"data set to a tensor that requires gradients must be floating point or complex dtype"),
)  # fmt: skip

WARNINGS.by_words(
    "grad-of-computed", "warning", "the .grad of a tensor that is not a leaf is read",
    "{lead}only leaves keep their gradient; this tensor was computed, so its .grad stays None.",
    "Call retain_grad() on it before backward(), or read the .grad of the leaf.",
    """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.grad
""", """
x = jgrad.ones(2, requires_grad=True)
y = x * 2
y.retain_grad()
y.sum().backward()
y.grad
""",
    raised=(USER_WARNING, r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed"),
)  # fmt: skip
