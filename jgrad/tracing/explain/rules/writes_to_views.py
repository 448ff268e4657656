"""Writes to views that autograd can not follow."""

from __future__ import annotations

from jgrad.tracing.explain.repairs import in_place_write
from jgrad.tracing.explain.rule import RUNTIME, Rules

ERRORS = Rules()

ERRORS.by_words(
    "view-of-several-inplace", "error", "one of several views that one operation returned is written to in place",
    "{lead}the operation {op} returned several views at once, and autograd can't record an in-place write to one of them.",
    "Write {part} = {name}.clone() and change that, or take this part with an index instead.",
    """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a, b = y.split(2)
a.mul_(3)
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a = y[:2]
a.mul_(3)
""",
    raised=(RUNTIME, r"Output \d+ of (?P<op>\w+?)(?:Backward\d*)? is a view and is being modified inplace\. This view is the output of a "
                     r"function that returns multiple views"),
    blanks=in_place_write,
)  # fmt: skip

ERRORS.by_words(
    "view-spoilt", "error", "a view is used after a write to its base that autograd can't follow into the view",
    "{lead}an in-place write to the base of this view, or to another view of it, came after the view was made. Autograd can't update "
    "the view's history.",
    "Make the view after the write, or write to a clone().",
    """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
a, b = y.split(2)
y.mul_(3)
a.sum().backward()
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
y.mul_(3)
a, b = y.split(2)
a.sum().backward()
""",
    raised=(RUNTIME, r"and its base or another view of its base has been modified inplace"),
)  # fmt: skip

ERRORS.by_words(
    "view-under-no-grad-inplace", "error", "a view made under no_grad() is written to in place while autograd records",
    "{lead}the view was made under no_grad(), so autograd can't record a write through it.",
    "Make the view outside of no_grad(), or write inside `with jgrad.no_grad():` too.",
    """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
with jgrad.no_grad():
    v = y[:2]
v.mul_(3)
""", """
x = jgrad.ones(4, requires_grad=True)
y = x * 2
v = y[:2]
v.mul_(3)
""",
    raised=(RUNTIME, r"A view was created in no_grad mode and is being modified inplace with grad mode enabled"),
    blanks=in_place_write,
)  # fmt: skip

ERRORS.by_words(
    "hooked-module-inplace", "error", "the result of a module with a full backward hook is written to in place",
    "{lead}a module with a full backward hook returns a view that autograd watches. A write in place to it would bypass the hook.",
    "Leave out inplace=True after the module, or write to y.clone() of its result y.",
    """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.ReLU(inplace=True))
net[0].register_full_backward_hook(lambda module, before, after: None)
net(jgrad.ones(1, 2))
""", """
net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 2), jgrad.nn.ReLU())
net[0].register_full_backward_hook(lambda module, before, after: None)
net(jgrad.ones(1, 2))
""",
    raised=(RUNTIME, r"Output \d+ of BackwardHookFunction\w* is a view and is being modified inplace"),
)  # fmt: skip

ERRORS.by_words(
    "view-of-function-inplace", "error", "a view that a custom Function returned is written to in place",
    "{lead}{op} returned a view of its input, and an in-place write to this view would replace the derivative that {op} defines.",
    "Write {name} = {name}.clone() first.",
    """
class Same(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad

x = jgrad.ones(2, requires_grad=True)
y = Same.apply(x * 1)
y.add_(1)
""", """
class Same(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad

x = jgrad.ones(2, requires_grad=True)
y = Same.apply(x * 1).clone()
y.add_(1)
""",
    raised=(RUNTIME, r"Output \d+ of (?P<op>\w+?)(?:Backward\d*)? is a view and is being modified inplace\. This view was created inside "
                     r"a custom Function"),
    blanks=in_place_write,
)  # fmt: skip
