"""Custom Functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jgrad.tracing.document.syntax import parsed
from jgrad.tracing.explain.edits import Edit
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.rule import RUNTIME, Rules
from jgrad.tracing.explain.rules.layers import class_of

ERRORS = Rules()


def function_called(incident: Incident) -> Iterator[dict]:
    """The class of which `Twice()(x)` made an object."""
    for node in ast.walk(parsed(incident.what.split("\n"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
            yield {"name": ast.unparse(node.func.func)}
            return
    yield {"name": "Twice"}


ERRORS.by_words(
    "gradient-of-wrong-shape", "error", "a backward of a custom Function returns a gradient of another shape than its input",
    "{lead}{node} returned a gradient of shape {given} for input {index} (counted from 0), which has shape {shape}.",
    "Return a gradient of shape {shape}: sum over the dimensions that forward() broadcast, or reshape.",
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
    "{lead}{node} returned {got} gradient{s}, but forward() has {expected} input{s_in}.",
    "Return one gradient for each input of forward() in the same order, and None for an input without one.",
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
    yield {
        "s": "" if "got 1)" in incident.message else "s",
        "s_in": "" if "(expected 1," in incident.message else "s",
        "edits": _with_none(incident, *map(int, re.findall(r"(?:expected|got) (\d+)", incident.message))),
    }


def _with_none(incident: Incident, expected: int, got: int) -> list[Edit]:
    """The only return of backward() with None for the last inputs of forward(), if they are kept on ctx as they are, as numbers are."""
    name = re.search(r"function (\w+)Backward ", incident.message)
    known = None if name is None else class_of(incident, name[1])
    methods = {} if known is None else {m.name: m for m in known[1].body if isinstance(m, ast.FunctionDef)}
    if known is None or not {"forward", "backward"} <= {*methods}:
        return []
    ctx, *inputs = [a.arg for a in methods["forward"].args.args]
    kept = {ast.unparse(s) for s in ast.walk(methods["forward"]) if isinstance(s, ast.Assign)}
    returned = [
        r.value for r in ast.walk(methods["backward"]) if isinstance(r, ast.Return) and r.value is not None
    ]
    if (
        len(returned) != 1
        or len(inputs) != expected
        or any(f"{ctx}.{i} = {i}" not in kept for i in inputs[got:])
    ):
        return []
    return [known[0].replaced(returned[0], known[0].text(returned[0]) + ", None" * (expected - got))]


@ERRORS.rule(
    "save-for-backward-of-no-tensor", "error", "save_for_backward() gets an argument that is not a tensor",
    "{lead}save_for_backward(){where} takes tensors, but argument {index} (counted from 0) is of type {kind}.",
    "Store it on ctx, as in ctx.{name} = {name}.",
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
def save_for_backward_of_no_tensor(incident: Incident) -> Iterator[dict]:
    """The error is raised when forward() has ended. If one call in the cell has such an argument, it is the one."""
    place = int(re.findall(r"argument (\d+)", incident.message)[0])
    calls = [
        node
        for node in ast.walk(parsed(incident.cell))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".save_for_backward")
    ]
    given = [node for node in calls if len(node.args) > place and isinstance(node.args[place], ast.Name)]
    if len(given) == 1:
        yield {"where": f" ({incident.of_line(given[0].lineno)})", "name": ast.unparse(given[0].args[place])}
    else:
        yield {"where": "", "name": "factor"}


@ERRORS.rule(
    "saved-tensors-unpacked", "error", "backward() of a custom Function unpacks more or fewer saved tensors than forward() saved",
    "{lead}backward() unpacks {expected}, but forward() passed {got} to ctx.save_for_backward().",
    "Pass all tensors that backward() needs to one ctx.save_for_backward(...), and unpack as many.",
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
    got, expected = (
        re.search(r"got (\d+)\)", incident.message),
        re.search(r"expected (\d+)", incident.message),
    )
    if "saved_tensors" in incident.failing() and expected is not None:
        count = "more" if got is None else "none" if got[1] == "0" else got[1]
        yield {"got": count, "expected": f"{expected[1]} saved tensor{'' if expected[1] == '1' else 's'}"}


ERRORS.by_words(
    "gradient-for-no-tensor", "error", "backward() of a custom Function returns a gradient for an input that is not a tensor",
    "{lead}{node} returned a gradient for input {index} (counted from 1), which is not a tensor.",
    "Return None for input {index}.",
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
    "{lead}the backward() of this Function is marked @once_differentiable, so its result has no derivative.",
    "Remove @once_differentiable and compute with tensors in backward(), or leave out create_graph=True.",
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
    "dirty-not-returned", "error", "forward() of a custom Function marks an input as changed and does not return it",
    "{lead}forward() passed an input to ctx.mark_dirty() but did not return this input.",
    "Return it, as in ctx.mark_dirty(x); return x.mul_(2), or leave out mark_dirty() and compute a new tensor.",
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
    "function-called", "error", "a custom Function is called like a layer",
    "{lead}a Function is not a layer: apply() runs it, and its forward() and backward() are static methods.",
    "Write {name}.apply(x) instead of {name}()(x), mark both methods with @staticmethod, and take ctx as their first argument.",
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
    blanks=function_called,
)  # fmt: skip

ERRORS.by_words(
    "derivative-is-wrong", "error", "gradcheck() finds that backward is not the derivative of forward",
    "{lead}backward() is not the derivative of forward(). For output {output} and input {input}, numerical (measured with small changes of "
    "the input) and analytical (computed by backward()) differ.",
    "Compare the two tables for a factor, a sign, a transposed or a missing term, and use inputs of dtype float64.",
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
