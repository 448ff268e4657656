"""What a leaf may be, what may be done to it, and what its .grad may hold."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jgrad.tracing.document.syntax import around
from jgrad.tracing.explain.edits import ATOMS, Code, Edit
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import (
    at_incident,
    in_place_write,
    mended,
    named,
    new_statement,
    under_no_grad,
)
from jgrad.tracing.explain.rule import RUNTIME, USER_WARNING, Rules

UNRECORDED = "Write inside `with {library}.no_grad():` if the write needs no record, or write to a clone() of the leaf."
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
ERRORS = Rules()
WARNINGS = Rules()


def _write_to_view(incident: Incident) -> Iterator[dict[str, str]]:
    """One case about a write in place to a view of a leaf; `new` is the statement that computes a new tensor instead, where a variable holds the view."""
    place = at_incident(incident)
    for case in in_place_write(incident):
        statement = None if place is None else place[1]
        new = ""
        if (
            place is not None
            and isinstance(statement, ast.AugAssign)
            and isinstance(statement.target, ast.Name)
            and type(statement.op) in SIGNS
        ):
            value = place[0].text(statement.value)
            value = value if isinstance(statement.value, ATOMS) else f"({value})"
            new = f"{statement.target.id} = {statement.target.id} {SIGNS[type(statement.op)]} {value}"
        instead = (
            f"Compute a new tensor: {new}."
            if new
            else UNRECORDED.format(library="jgrad" if place is None else place[0].library)
        )
        yield case | {"new": new, "instead": instead}


def _new_or_unrecorded(code: Code, statement: ast.stmt, case: dict) -> Iterable[Edit]:
    return [code.replaced(statement, case["new"])] if case["new"] else under_no_grad(code, statement, case)


def _unrecorded(code: Code, statement: ast.stmt, case: dict) -> Iterable[Edit]:
    """The write under no_grad(); of a loop over parameters the whole loop, which may write to others too."""
    loops = around(code.tree, statement.lineno, ast.For)
    of_parameters = [loop for loop in loops if "parameters()" in ast.unparse(loop.iter)]
    return under_no_grad(code, (of_parameters or [statement])[0], case)


ERRORS.by_words(
    "leaf-inplace", "error", "an in-place operation writes to a leaf that requires grad",
    "{lead}{what} writes in place to a leaf that requires grad, while autograd records.",
    "Write inside `with jgrad.no_grad():` if the write needs no record, or compute a new tensor.",
    """
w = jgrad.ones(2, requires_grad=True)
w.add_(1)
""", """
w = jgrad.ones(2, requires_grad=True)
with jgrad.no_grad():
    w.add_(1)
""",
    raised=(RUNTIME, r"^a leaf Variable that requires grad is being used in an in-place operation"),
    blanks=mended(in_place_write, _unrecorded),
)  # fmt: skip

ERRORS.by_words(
    "leaf-view-inplace", "error", "an in-place operation writes to a view of a leaf that requires grad",
    "{lead}{what} writes in place to a view of a leaf that requires grad, while autograd records.",
    "{instead}",
    """
w = jgrad.ones(3, requires_grad=True)
w[0] = 5
""", """
w = jgrad.ones(3, requires_grad=True)
with jgrad.no_grad():
    w[0] = 5
""",
    raised=(RUNTIME, r"a view of a leaf Variable that requires grad is being used in an in-place operation"),
    blanks=mended(_write_to_view, _new_or_unrecorded),
)  # fmt: skip

ERRORS.by_words(
    "flag-of-computed", "error", "requires_grad is changed on a tensor that was computed",
    "{lead}requires_grad can only be changed on a leaf, but {subject} was computed.",
    "Write {name} = {name}.detach() to go on without its history.",
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
    blanks=mended(named("requires_grad"), new_statement("{name} = {name}.detach()")),
)  # fmt: skip

ERRORS.by_words(
    "dtype-without-gradient", "error", "a tensor of whole numbers or bools gets requires_grad=True",
    "{lead}only floating point and complex tensors can require grad, because whole numbers and bools can't change by small amounts.",
    "Write 1. instead of 1, or pass dtype=jgrad.float32.",
    """
w = jgrad.tensor([1, 2, 3], requires_grad=True)
""", """
w = jgrad.tensor([1., 2., 3.], requires_grad=True)
""",
    raised=(RUNTIME, r"(?i)only Tensors of floating point (and complex )?dtype can require gradients"),
)  # fmt: skip

ERRORS.by_words(
    "assigned-grad-shape", "error", "a tensor of another shape is assigned to .grad",
    "{lead}a tensor of shape {given} can't be the .grad of a tensor of shape {shape}.",
    "Assign a tensor of shape {shape}, as in {name}.grad = jgrad.zeros_like({name}).",
    """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(2)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3)
""",
    raised=(RUNTIME, r"attempting to assign a gradient of size '(?P<given>.*?)' to a tensor of size '(?P<shape>.*?)'"),
    blanks=named("grad", "w"),
)  # fmt: skip

ERRORS.by_words(
    "assigned-grad-dtype", "error", "a tensor of another dtype is assigned to .grad",
    "{lead}a .grad has the dtype of its tensor, {dtype}, but the assigned tensor has dtype {given}.",
    "Convert it first, as in {name}.grad = g.to({name}.dtype).",
    """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64)
""", """
w = jgrad.ones(3, requires_grad=True)
w.grad = jgrad.ones(3, dtype=jgrad.float64).to(w.dtype)
""",
    raised=(RUNTIME, r"attempting to assign a gradient with dtype '(?P<given>\w+)' to a tensor with grad_dtype '(?P<dtype>\w+)'"),
    blanks=named("grad", "w"),
)  # fmt: skip

ERRORS.by_words(
    "retain-without-grad", "error", "retain_grad() of a tensor that does not require grad",
    "{lead}{subject} does not require grad, so it gets no gradient that retain_grad() could keep.",
    "Call {name}.requires_grad_() first, or compute {name} from a tensor that requires grad.",
    """
x = jgrad.ones(2)
x.retain_grad()
""", """
x = jgrad.ones(2, requires_grad=True)
x.retain_grad()
""",
    raised=(RUNTIME, r"can't retain_grad on Tensor that has requires_grad=False"),
    blanks=named("retain_grad"),
)  # fmt: skip

ERRORS.by_words(
    "data-of-another-type", "error", "whole numbers are assigned to the .data of a tensor that requires grad",
    "{lead}{subject} requires grad, so its .data must be floating point or complex.",
    "Convert the numbers first, as in {name}.data = n.float().",
    """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3])
""", """
w = jgrad.ones(3, requires_grad=True)
w.data = jgrad.tensor([1, 2, 3]).float()
""",
    raised=(RUNTIME, r"data set to a tensor that requires gradients must be floating point or complex dtype"),
    blanks=named("data", "w"),
)  # fmt: skip

WARNINGS.by_words(
    "grad-of-computed", "warning", "the .grad of a tensor that is not a leaf is read",
    "{lead}{subject} was computed, and only leaves keep their gradient, so {name}.grad stays None.",
    "Call {name}.retain_grad() before backward(), or read the .grad of the leaf.",
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
    blanks=named("grad", "y"),
)  # fmt: skip
