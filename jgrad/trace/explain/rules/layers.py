"""Modules and layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jgrad.trace.document.syntax import parsed, returns
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import RUNTIME, Rules

OPERATIONS = Rules()

OPERATIONS.by_words(
    "one-value-per-channel", "error", "batch_norm() in training gets a single sample",
    "{lead}in training a batch norm divides by the spread of the batch, and one sample has none.",
    "Use larger batches (drop a last one of a single sample), or call eval() on the model to use the averages it has kept.",
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
    "row-not-whole", "error", "an embedding is asked for rows by numbers of a floating dtype",
    "{lead}an embedding looks rows up by their number, so it takes integers (Long or Int); these are {given}.",
    "Write index.long(), and 1 for 1. where the numbers are given.",
    """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1., 2.]))
""", """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([1, 2]))
""",
    raised=(RUNTIME, r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
                     r"torch\.(?:cuda\.)?(?P<given>\w+)Tensor instead"),
)  # fmt: skip

OPERATIONS.by_words(
    "row-out-of-range", "error", "an embedding is asked for a row that it does not have",
    "{lead}one of the numbers is negative or not less than the number of rows, the first argument of Embedding.",
    "Make as many rows as there are numbers, the highest one plus 1.",
    """
rows = jgrad.nn.Embedding(4, 2)
rows(jgrad.tensor([4]))
""", """
rows = jgrad.nn.Embedding(5, 2)
rows(jgrad.tensor([4]))
""",
    raised=("IndexError", r"index out of range in self"),
)  # fmt: skip

OPERATIONS.by_words(
    "channels-do-not-fit", "error", "a convolution meets an image with another number of channels",
    "{lead}the layer expects {expected} channels (its weight has shape {weight}), the input has {given}; it has shape {shape}, and channels are "
    "the dimension after the batch.",
    "Make the layer with in_channels={given}, or bring the dimensions into order with permute().",
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
    "{lead}a module can't take notice of its {kind} before Module.__init__() has run.",
    "Call super().__init__() first in __init__.",
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
)  # fmt: skip


@OPERATIONS.rule(
    "forward-returns-nothing", "error", "a forward() without return",
    "{lead}{name}.forward (line {line}) returns nothing, so what the module gives is None.",
    "End it with return and the result.",
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
def forward_returns_nothing(incident: Incident) -> Iterator[dict]:
    """A module whose forward has no return, where the cell that fails defines one."""
    source = incident.cell
    classes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.ClassDef)]
    for kind, method in [(one, statement) for one in classes for statement in one.body]:
        forward = isinstance(method, ast.FunctionDef) and method.name == "forward"
        if forward and not returns(method):
            yield {"name": kind.name, "line": method.lineno}
            return
