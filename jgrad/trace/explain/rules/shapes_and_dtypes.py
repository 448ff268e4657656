"""Shapes and dtypes that do not fit together."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.repairs import instead_of, operand, transposed, written_to
from jgrad.trace.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()


def converted(incident: Incident) -> Iterator[dict[str, str]]:
    """The repairs of a write in place of numbers that its target can't hold."""
    name = written_to(incident) or "x"
    yield {
        "repair": instead_of(incident.what, name, f"Convert the tensor first, as in {name} = {name}.float().")
    }


def made_anew(incident: Incident) -> Iterator[dict[str, str]]:
    """The repairs of a write in place of a result that is larger than its target."""
    name = written_to(incident)
    yield {"repair": instead_of(incident.what, name, "Use the operation that makes a new tensor.")}


OPERATIONS.by_words(
    "dtype-would-be-lost", "error", "an in-place operation gives numbers that its target's dtype can't hold",
    "{lead}{what} computes {given} numbers, but an in-place operation keeps the dtype of its tensor, {target}.",
    "{repair}",
    """
n = jgrad.tensor([1, 2, 3])
n.mul_(0.5)
""", """
n = jgrad.tensor([1, 2, 3])
n = n * 0.5
""",
    raised=(RUNTIME, r"result type (?P<given>\w+) can't be cast to the desired output type (?P<target>\w+)"),
    blanks=converted,
)  # fmt: skip

OPERATIONS.by_words(
    "shapes-do-not-fit", "error", "an operation on elements meets shapes that do not broadcast",
    "{lead}the two shapes do not broadcast: in dimension {dim} one tensor has size {a} and the other has size {b}.",
    "Compare x.shape with y.shape from the right, and add a dimension with x[:, None] or transpose.",
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
    "{lead}the result has shape {wide}, but {what} writes to a tensor of shape {shape}, which can't grow.",
    "{repair}",
    """
a = jgrad.ones(3)
a.add_(jgrad.ones(2, 3))
""", """
a = jgrad.ones(3)
a = a + jgrad.ones(2, 3)
""",
    raised=(RUNTIME, r"output with shape (?P<shape>\[.*?\]) doesn't match the broadcast shape (?P<wide>\[.*?\])"),
    blanks=made_anew,
)  # fmt: skip

OPERATIONS.by_words(
    "matrices-do-not-fit", "error", "a matrix product meets shapes that do not fit",
    "{lead}a {a} matrix can't be multiplied by a {b} matrix: the first must have as many columns as the second has rows.",
    "Transpose one of them, as in {code}, or check which dimension holds the samples.",
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
    blanks=transposed,
)  # fmt: skip

OPERATIONS.by_words(
    "dtypes-do-not-fit", "error", "a matrix product meets two dtypes",
    "{lead}a matrix product needs one dtype, but one tensor is {a} and the other is {b}.",
    "Convert one of them, as in x.to(w.dtype); numbers from NumPy are double by default.",
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
    "dimension-out-of-range", "error", "dim= names a dimension that the tensor does not have",
    "{lead}the tensor has no dimension {dim}: dim= can be {low} to {high}, where negative numbers count from the end.",
    "Look at {name}.shape.",
    """
x = jgrad.ones(2, 3)
x.sum(2)
""", """
x = jgrad.ones(2, 3)
x.sum(1)
""",
    raised=("IndexError", r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<dim>-?\d+)\)"),
    blanks=operand,
)  # fmt: skip

OPERATIONS.by_words(
    "shape-of-another-size", "error", "a tensor is reshaped to a shape of another number of elements",
    "{lead}a tensor of {count} elements can't have shape {shape}.",
    "Let one size be computed with -1, as in {name}.view(2, -1).",
    """
a = jgrad.ones(6)
a.view(4, 2)
""", """
a = jgrad.ones(6)
a.view(3, -1)
""",
    raised=(RUNTIME, r"shape '(?P<shape>\[.*?\])' is invalid for input of size (?P<count>\d+)"),
    blanks=operand,
)  # fmt: skip

OPERATIONS.by_words(
    "sizes-to-join-along", "error", "cat() of tensors that differ in another dimension",
    "{lead}cat() along dimension {dim} needs equal sizes in all other dimensions, but tensor 0 has size {a} where tensor {index} has size "
    "{b}.",
    "Join along the dimension in which they differ, as in cat(tensors, dim=1), or bring them to one size.",
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
    "{lead}stack() needs tensors of one shape, but tensor 0 has shape {a} and tensor {index} has shape {b}.",
    "Use cat() to join them along an existing dimension, or bring them to one shape.",
    """
jgrad.stack([jgrad.ones(2), jgrad.ones(3)])
""", """
jgrad.cat([jgrad.ones(2), jgrad.ones(3)])
""",
    raised=(RUNTIME, r"stack expects each tensor to be equal size, but got (?P<a>\[.*?\]) at entry 0 and (?P<b>\[.*?\]) at entry (?P<index>\d+)"),
)  # fmt: skip
