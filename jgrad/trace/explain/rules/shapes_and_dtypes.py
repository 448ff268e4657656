"""Shapes and dtypes that do not fit together."""

from __future__ import annotations

from jgrad.trace.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()

OPERATIONS.by_words(
    "dtype-would-be-lost", "error", "an in-place operation gives numbers that its target's dtype can't hold",
    "{lead}{what} gives {given} numbers, and a tensor keeps its dtype when it is written to: {target} can't hold them.",
    "Use the operation that makes a new tensor, or convert the target first, as in x = x.float().",
    """
n = jgrad.tensor([1, 2, 3])
n.mul_(0.5)
""", """
n = jgrad.tensor([1, 2, 3])
n = n * 0.5
""",
    raised=(RUNTIME, r"result type (?P<given>\w+) can't be cast to the desired output type (?P<target>\w+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "shapes-do-not-fit", "error", "an operation on elements meets shapes that do not broadcast",
    "{lead}the shapes do not fit: along dimension {dim} one has {a} elements and the other {b}, and neither is 1.",
    "Compare x.shape and y.shape from the right; add a dimension with x[:, None], or transpose.",
    """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2)
a + b[:, None]
""",
    raised=(RUNTIME, r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton dimension "
                     r"(?P<dim>\d+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "target-too-small", "error", "an in-place operation would have to make its target larger",
    "{lead}the result has shape {wide}, but the tensor that {what} writes to has shape {shape}, and writing can't make it larger.",
    "Use the operation that makes a new tensor.",
    """
a = jgrad.ones(3)
a.add_(jgrad.ones(2, 3))
""", """
a = jgrad.ones(3)
a = a + jgrad.ones(2, 3)
""",
    raised=(RUNTIME, r"output with shape (?P<shape>\[.*?\]) doesn't match the broadcast shape (?P<wide>\[.*?\])"),
)  # fmt: skip

OPERATIONS.by_words(
    "matrices-do-not-fit", "error", "a matrix product meets shapes that do not fit",
    "{lead}a matrix of {a} times a matrix of {b}: the columns of the first must be as many as the rows of the second.",
    "Transpose one of them with .T, or check which of the dimensions counts samples.",
    """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w
""", """
x = jgrad.ones(4, 3)
w = jgrad.ones(2, 3)
x @ w.T
""",
    raised=(RUNTIME, r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\w+) and (?P<b>\w+)\)"),
)  # fmt: skip

OPERATIONS.by_words(
    "dtypes-do-not-fit", "error", "a matrix product meets two dtypes",
    "{lead}a matrix product takes two tensors of one dtype, here one is {a} and the other {b}.",
    "Convert one of them, as in x.to(w.dtype); what comes from NumPy is double unless told otherwise.",
    """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x
""", """
w = jgrad.ones(2, 2)
x = jgrad.ones(2, 2, dtype=jgrad.float64)
w @ x.to(w.dtype)
""",
    raised=(RUNTIME, r"expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got: (?P<a>\w+) != (?P<b>\w+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "dimension-out-of-range", "error", "a dim= that the tensor does not have",
    "{lead}there is no dimension {dim}: this tensor's go from {low} to {high}, negative ones counted from the end.",
    "x.shape shows how many dimensions there are.",
    """
x = jgrad.ones(2, 3)
x.sum(2)
""", """
x = jgrad.ones(2, 3)
x.sum(1)
""",
    raised=("IndexError", r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<dim>-?\d+)\)"),
)  # fmt: skip

OPERATIONS.by_words(
    "shape-of-another-size", "error", "a tensor is reshaped to a shape of another number of elements",
    "{lead}shape {shape} does not hold {count} elements.",
    "Let one dimension be worked out with -1, as in x.view(2, -1).",
    """
a = jgrad.ones(6)
a.view(4, 2)
""", """
a = jgrad.ones(6)
a.view(3, -1)
""",
    raised=(RUNTIME, r"shape '(?P<shape>\[.*?\])' is invalid for input of size (?P<count>\d+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "sizes-to-join-along", "error", "cat() of tensors that differ in another dimension",
    "{lead}cat() along dimension {dim} joins tensors that are alike in all other dimensions; where the first has {a} elements, number "
    "{index} has {b}.",
    "Join along the dimension in which they differ, or bring the others to one size.",
    """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b])
""", """
a = jgrad.ones(2, 3)
b = jgrad.ones(2, 4)
jgrad.cat([a, b], dim=1)
""",
    raised=(RUNTIME, r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Expected size (?P<a>\d+) but got size (?P<b>\d+) for "
                     r"tensor number (?P<index>\d+)"),
)  # fmt: skip

OPERATIONS.by_words(
    "sizes-to-join", "error", "stack() of tensors of different shapes",
    "{lead}stack() lays tensors of one shape side by side; the first has {a}, number {index} has {b}.",
    "Use cat() to join them along a dimension that they have, or bring them to one shape.",
    """
jgrad.stack([jgrad.ones(2), jgrad.ones(3)])
""", """
jgrad.cat([jgrad.ones(2), jgrad.ones(3)])
""",
    raised=(RUNTIME, r"stack expects each tensor to be equal size, but got (?P<a>\[.*?\]) at entry 0 and (?P<b>\[.*?\]) at entry (?P<index>\d+)"),
)  # fmt: skip
