"""Modules and layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jgrad.tracing.document.syntax import parsed, returns
from jgrad.tracing.explain.edits import Code, Edit
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.repairs import argument_as, mended, mending, returning
from jgrad.tracing.explain.rule import RUNTIME, Rules, always

OPERATIONS = Rules()


def _begun(code: Code, statement: ast.stmt, case: dict) -> Iterator[Edit]:
    """`super().__init__()` as the first statement of the `__init__` that has the statement."""
    for function in code.statements:
        if (
            isinstance(function, ast.FunctionDef)
            and function.name == "__init__"
            and statement in function.body
        ):
            for late in (s for s in function.body if ast.unparse(s).startswith("super().__init__(")):
                yield code.without(late)
            yield code.before(function.body[0], "super().__init__()")


OPERATIONS.by_words(
    "one-value-per-channel", "error", "batch_norm() in training gets a single sample",
    "{lead}batch norm in training needs the variance of a batch, and a single sample has none.",
    "Use larger batches, as with drop_last=True, or call eval() on the model to use its running averages.",
    """
bn = jgrad.nn.BatchNorm1d(2)
bn(jgrad.ones(1, 2))
""", """
bn = jgrad.nn.BatchNorm1d(2)
bn.eval()
bn(jgrad.ones(1, 2))
""",
    raised=("ValueError", r"Expected more than 1 value per channel when training"),
)  # fmt: skip

OPERATIONS.by_words(
    "row-not-whole", "error", "an embedding gets row numbers of a floating point dtype",
    "{lead}an embedding takes row numbers of dtype Long or Int, but these are {given}.",
    "Write index.long(), or 1 instead of 1. where the numbers are made.",
    """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1., 2.]))
""", """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1, 2]))
""",
    raised=(RUNTIME, r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                     r"torch\.(?:cuda\.)?(?P<given>\w+)Tensor instead"),
    blanks=mended(always, argument_as(0, "{argument}.long()")),
)  # fmt: skip

OPERATIONS.by_words(
    "row-out-of-range", "error", "an embedding gets the number of a row that it does not have",
    "{lead}a row number is negative, or not less than the number of rows of the embedding.",
    "Make the embedding with more rows, as in jgrad.nn.Embedding(int(index.max()) + 1, size), or correct the index.",
    """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([4]))
""", """
rows = jgrad.nn.Embedding(5, 2)
rows(jgrad.tensor([4]))
""",
    raised=("IndexError|RuntimeError", r"index out of range in self|of input takes value -?\d+ which is not in the valid range"),
)  # fmt: skip

OPERATIONS.by_words(
    "channels-do-not-fit", "error", "a convolution gets an image with another number of channels",
    "{lead}the layer expects {expected} channels (its weight has shape {weight}), but the input of shape {shape} has {given}.",
    "Make the layer with in_channels={given}, or use permute() to put the channels right after the batch dimension.",
    """
layer = jgrad.nn.Conv2d(3, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""", """
layer = jgrad.nn.Conv2d(1, 2, 3)
layer(jgrad.ones(2, 1, 5, 5))
""",
    raised=(RUNTIME, r"weight of size (?P<weight>\[.*?\]), expected input(?P<shape>\[.*?\]) to have (?P<expected>\d+) channels, but got "
                     r"(?P<given>\d+) channels"),
)  # fmt: skip

OPERATIONS.by_words(
    "module-not-begun", "error", "a module gets layers or parameters before super().__init__() was called",
    "{lead}no {kind} can be assigned to a module before Module.__init__() has run.",
    "Call super().__init__() first in __init__().",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 2)

Net()
""",
    raised=("AttributeError", r"cannot assign (?P<kind>module|parameters|buffer)\w* before Module.__init__\(\) call"),
    blanks=mended(always, _begun),
)  # fmt: skip


@OPERATIONS.rule(
    "forward-returns-nothing", "error", "forward() of a module has no return",
    "{lead}forward() of {name} (line {line}) returns nothing, so the result of the module is None.",
    "End forward() with return and its result.",
    """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)

net = Net()
net(jgrad.ones(1, 2)).sum()
""", """
class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = jgrad.nn.Linear(2, 1)

    def forward(self, x):
        y = self.layer(x)
        return y

net = Net()
net(jgrad.ones(1, 2)).sum()
""",
    raised=("AttributeError|TypeError", r"NoneType"),
)  # fmt: skip
@mending(returning)
def forward_returns_nothing(incident: Incident) -> Iterator[dict]:
    """A module whose forward has no return, where the cell that fails defines one."""
    source = incident.cell
    classes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.ClassDef)]
    for kind, method in [(one, statement) for one in classes for statement in one.body]:
        forward = isinstance(method, ast.FunctionDef) and method.name == "forward"
        if forward and not returns(method):
            yield {"name": kind.name, "line": method.lineno}
            return
