"""Custom Functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import RUNTIME, Rules

ERRORS = Rules()

ERRORS.by_words(
    "gradient-of-wrong-shape", "error", "a backward of a custom Function returns a gradient of another shape than its input",
    "{lead}{node} returned a gradient of shape {given} for input {index}, which has shape {shape}: a gradient has the shape of its input.",
    "Sum over the dimensions that forward broadcast, or reshape.",
    """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return jgrad.ones(2)

x = jgrad.ones(3, requires_grad=True)
Twice.apply(x).sum().backward()
""", """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

x = jgrad.ones(3, requires_grad=True)
Twice.apply(x).sum().backward()
""",
    raised=(RUNTIME, r"Function (?P<node>\w+) returned an invalid gradient at index (?P<index>\d+) - got (?P<given>\[.*?\]) but expected "
                     r"shape compatible with (?P<shape>\[.*?\])"),
)  # fmt: skip


@ERRORS.rule(
    "too-few-gradients", "error", "a backward of a custom Function returns more or fewer gradients than forward has inputs",
    "{lead}backward of {node} returned {got} gradient{s} where forward has {expected} inputs.",
    "Return one for each input of forward, in their order, and None for those that have no gradient.",
    """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3.).sum().backward()
""", """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3.).sum().backward()
""",
    raised=(RUNTIME, r"function (?P<node>\w+) returned an incorrect number of gradients \(expected (?P<expected>\d+), got (?P<got>\d+)\)"),
)  # fmt: skip
def too_few_gradients(incident: Incident) -> Iterator[dict]:
    yield {"s": "" if "got 1)" in incident.message else "s"}


ERRORS.by_words(
    "save-for-backward-of-no-tensor", "error", "save_for_backward() is given something that is no tensor",
    "{lead}save_for_backward() keeps tensors; argument {index} is of type {kind}.",
    "Put it on ctx, as in ctx.factor = factor.",
    """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        x, factor = ctx.saved_tensors
        return grad * factor, None

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3).sum().backward()
""", """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3).sum().backward()
""",
    raised=("TypeError", r"save_for_backward can only save variables, but argument (?P<index>\d+) is of type (?P<kind>\w+)"),
)  # fmt: skip


@ERRORS.rule(
    "saved-tensors-unpacked", "error", "backward of a custom Function takes more or fewer saved tensors than forward saved",
    "{lead}ctx.saved_tensors holds what forward gave to ctx.save_for_backward(), which is {got}.",
    "Give all that backward needs to one ctx.save_for_backward(...), and unpack as many.",
    """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return 2 * x * grad

x = jgrad.ones(2, requires_grad=True)
Square.apply(x).sum().backward()
""", """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return 2 * x * grad

x = jgrad.ones(2, requires_grad=True)
Square.apply(x).sum().backward()
""",
    raised=("ValueError", r"(?:not enough|too many) values to unpack \(expected \d+"),
)  # fmt: skip
def saved_tensors_unpacked(incident: Incident) -> Iterator[dict]:
    got = re.search(r"got (\d+)\)", incident.message)
    if "saved_tensors" in incident.failing():
        count = (
            "more than is taken here"
            if got is None
            else "nothing"
            if got[1] == "0"
            else f"{got[1]} tensor{'s' * (got[1] != '1')}"
        )
        yield {"got": count}


ERRORS.by_words(
    "gradient-for-no-tensor", "error", "a backward of a custom Function returns a gradient for an input that is no tensor",
    "{lead}backward of {node} returned a gradient for input {index}, which is no tensor.",
    "Return None in its place.",
    """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, grad

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3).sum().backward()
""", """
class Scale(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None

x = jgrad.ones(2, requires_grad=True)
Scale.apply(x, 3).sum().backward()
""",
    raised=(RUNTIME, r"function (?P<node>\w+) returned a gradient different than None at position (?P<index>\d+)"),
)  # fmt: skip

ERRORS.by_words(
    "differentiated-twice", "error", "a second derivative goes through a backward marked @once_differentiable",
    "{lead}the backward of a custom Function is marked @once_differentiable, so its result has no derivative.",
    "Write backward with operations on tensors and without that mark, or don't ask for second derivatives.",
    """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    @jgrad.autograd.function.once_differentiable
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * 2 * x

x = jgrad.ones(2, requires_grad=True)
y = (Square.apply(x) ** 2).sum()
g, = jgrad.autograd.grad(y, x, create_graph=True)
g.sum().backward()
""", """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * 2 * x

x = jgrad.ones(2, requires_grad=True)
y = (Square.apply(x) ** 2).sum()
g, = jgrad.autograd.grad(y, x, create_graph=True)
g.sum().backward()
""",
    raised=(RUNTIME, r"trying to differentiate twice a function that was marked with @once_differentiable"),
)  # fmt: skip

ERRORS.by_words(
    "dirty-not-returned", "error", "forward of a custom Function marks an input as changed and does not return it",
    "{lead}what forward changes in place and gives to mark_dirty() has to be among what it returns, since it is the result from then on. "
    "(It has been changed all the same, and its version counted.)",
    "Return it, as in ctx.mark_dirty(x); return x.mul_(2), or compute a new tensor and mark nothing.",
    """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

y = jgrad.ones(2, requires_grad=True) + 1
Twice.apply(y)
""", """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

y = jgrad.ones(2, requires_grad=True) + 1
Twice.apply(y)
""",
    raised=(RUNTIME, r"Some elements marked as dirty during the forward method were not returned as output"),
)  # fmt: skip

ERRORS.by_words(
    "function-called", "error", "a custom Function is made an object and called, instead of applied",
    "{lead}a Function is no layer: its forward and backward are static, and it is used by apply.",
    "Mark both with @staticmethod, take ctx as the first argument, and write Twice.apply(x) for Twice()(x).",
    """
class Twice(jgrad.autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, grad):
        return grad * 2

x = jgrad.ones(2, requires_grad=True)
Twice()(x)
""", """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

x = jgrad.ones(2, requires_grad=True)
Twice.apply(x)
""",
    raised=(RUNTIME, r"Legacy autograd function with non-static forward method is deprecated"),
)  # fmt: skip

ERRORS.by_words(
    "derivative-is-wrong", "error", "gradcheck() finds that backward is not the derivative of forward",
    "{lead}backward is not the derivative of forward: for output {output} and input {input}, `numerical` is what forward does when the "
    "input changes a little, `analytical` what backward says.",
    "Compare the two tables entry by entry: a factor, a sign, a transposed or a missing term. They also differ when the input is not "
    "of dtype float64.",
    """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * x

x = jgrad.ones(2, dtype=jgrad.float64, requires_grad=True)
jgrad.autograd.gradcheck(Square.apply, x)
""", """
class Square(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * 2 * x

x = jgrad.ones(2, dtype=jgrad.float64, requires_grad=True)
jgrad.autograd.gradcheck(Square.apply, x)
""",
    raised=("GradcheckError", r"Jacobian mismatch for output (?P<output>\d+) with respect to input (?P<input>\d+)"),
)  # fmt: skip
