"""Custom Functions whose backward is not the derivative of their forward."""

from __future__ import annotations

import math
from collections.abc import Iterator

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.explain.derivatives import Wrong, wrong_derivative
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.subject import Subject

NOTES = Rules()
WHY = Rules()

CUBE = """
class Cube(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * {factor} * x ** 2

x = jgrad.tensor([1., 2.], requires_grad=True)
y = Cube.apply(x)
y.sum().backward()
"""


@NOTES.rule(
    "backward-is-wrong", "warning", "backward of a custom Function is not the derivative of its forward",
    "{at}: backward of {function} {is_not} the derivative of its forward: {what}.",
    "Compare both with jgrad.autograd.gradcheck({function}.apply, {inputs}) and float64 inputs.",
    CUBE.format(factor=2),
    CUBE.format(factor=3),
)  # fmt: skip
def backward_is_wrong(log: Log) -> Iterator[dict]:
    """Each Function is tried out on the numbers of its first uses."""
    for function, uses in log.functions.items():
        for use in uses:
            found = wrong_derivative(log, use)
            if found is not None:
                step, numbers = use.step, use.tensors
                names = [log.name(t, step) for t in numbers]
                yield {
                    "step": step, "tensors": numbers, "lines": log.lines(step), "at": log.at(step), "function": function.__name__,
                    "is_not": "is not" if found.factor is not None else "may not be", "what": _words(found, names[found.argument]),
                    "inputs": "inputs" if len(names) > 1 else names[0],
                }  # fmt: skip
                break


def _words(found: Wrong, name: str) -> str:
    """What is wrong with a gradient."""
    if found.factor is None:
        return f"for an element of {name} it gives {found.given:.4g}, and a small change of that element shows {found.right:.4g}"
    if math.isclose(found.factor, -1, rel_tol=1e-3):
        return f"its gradient of {name} has the wrong sign"
    return f"its gradient of {name} is {found.factor:.4g} times what a small change of {name} shows"


@WHY.rule(
    "grad-of-wrong-backward", "warning", "it is wrong, because the backward of a custom Function is",
    "{name}.grad is {value}, but it went through a Function that does not compute its derivative: {note}",
    "",
    CUBE.format(factor=2),
    CUBE.format(factor=3),
    ask="x.grad",
)  # fmt: skip
def grad_of_wrong_backward(s: Subject) -> Iterator[dict]:
    """A note of the trace blames a Function whose node is on the way."""
    if not s.has_grad or s.log is None or s.number is None or s.value is None:
        return
    towards = s.log.nodes_towards(s.number)
    for note in s.log.document["notes"]:
        if note["code"] == "backward-is-wrong" and s.log.steps[note["step"]].get("node") in towards:
            yield {"value": brief(s.value), "note": note["text"]} | s.place(note["step"])
            return
