"""Lesson 9, "Functions of your own"."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from jgrad.teach.exercise import Exercise, is_number, library_of, plain, same
from jgrad.teach.running import run

LESSON = "your own functions"
POINTS = (-2.0, -0.5, 0.0, 1.0, 3.0)
LARGE = 800.0  # its exp overflows


def judge_one(
    what: str,
    forward: Callable[[float], float],
    slope: Callable[[float], float],
    points: Sequence[float] = POINTS,
) -> Callable[[Any], str | None]:
    """Judge a Function of one tensor by its values, its gradients, and those of its gradients."""

    def judge(answer: Any) -> str | None:
        if not isinstance(answer, type) or not hasattr(answer, "apply"):
            return f"Give the class itself to check: {what}, without brackets."
        library = library_of(answer)
        for given in (points, [[points[1]], [points[2]]], []):
            x = library.tensor(given, dtype=library.float64, requires_grad=True)
            y = run(answer.apply, x, what=f"{what}.apply(x)")
            if y is None or not hasattr(y, "grad_fn"):
                return "forward returned nothing. It must return the result."
            if not same(plain(y.detach()), _each(forward, given)):
                return _wrong_value(plain(y.detach()), _each(forward, given), given)
            weights = library.arange(1.0, x.numel() + 1, dtype=library.float64).reshape(x.shape)
            (found,) = run(_gradient, library, y, x, weights, what="backward")
            if found is None:
                return "backward returned None. It must return the gradient of x."
            if tuple(found.shape) != tuple(x.shape):
                return "The gradient must have the shape of x."
            slopes = plain(library.tensor(_each(slope, given), dtype=library.float64))
            if same(plain(found.detach()), slopes) and not same(
                slopes, plain(weights * library.tensor(slopes, dtype=library.float64))
            ):
                return "backward gives the slope. What arrives, `grad`, must be multiplied by it."
            if not same(
                plain(found.detach()), plain(weights * library.tensor(slopes, dtype=library.float64))
            ):
                return "forward is right, and the gradient is wrong. Compare it with gradcheck, in float64."
        return None

    return judge


def _wrong_value(found: Any, right: Any, given: Any) -> str:
    """Where the result of forward is wrong first, if it has the shape that it should have."""
    if isinstance(found, list) and isinstance(given, list | tuple) and len(found) == len(given):
        for at, one, x in zip(found, right, given, strict=True):
            if not same(at, one):
                return _wrong_value(at, one, x)
    if is_number(found) and is_number(given):
        return f"The result of forward is wrong: for {given:g} it is {found:.6g}."
    return "The result of forward has the wrong shape."


def _gradient(library: Any, y: Any, x: Any, weights: Any) -> Any:
    return library.autograd.grad(y, x, grad_outputs=weights, allow_unused=True)


def _each(function: Callable[[float], float], given: Any) -> Any:
    return [_each(function, one) for one in given] if isinstance(given, list | tuple) else function(given)


def judge_scale(answer: Any) -> str | None:
    """A Function that multiplies a tensor by a number."""
    if not isinstance(answer, type) or not hasattr(answer, "apply"):
        return "Give the class itself to check: Scale, without brackets."
    library = library_of(answer)
    for given in ([1.0, 2.0, 3.0], [[1.0, -1.0], [0.5, 4.0]], 3.0):
        x = library.tensor(given, dtype=library.float64, requires_grad=True)
        factor = library.tensor(2.0, dtype=library.float64, requires_grad=True)
        y = run(answer.apply, x, factor, what="Scale.apply(x, factor)")
        if not hasattr(y, "grad_fn"):
            return "forward must return a tensor: x * factor."
        if not same(plain(y.detach()), plain((x * 2).detach())):
            return "forward must still return x * factor."
        run((y * y).sum().backward, what="backward")
        if x.grad is None or factor.grad is None:
            return "A gradient is missing: backward must return two."
        if not same(plain(x.grad), plain((8 * x).detach())):
            return "The gradient of x is wrong. It was right before."
        if tuple(factor.grad.shape) != () or not same(plain(factor.grad), plain((4 * x * x).sum().detach())):
            return "The gradient of factor is wrong. It was used once for every element: how many gradients arrive at it?"
    return None


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _class(name: str, forward: str, backward: str) -> str:
    return f"""\
class {name}(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return {forward}

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return {backward}


answer = {name}
"""


SCALE = """\
class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        x, factor = ctx.saved_tensors
        return grad * factor, {}


answer = Scale
"""

EXERCISES = (
    Exercise(
        name="square",
        lesson=LESSON,
        judge=judge_one("Square", lambda x: x * x, lambda x: 2 * x),
        solution=_class("Square", "x * x", "grad * 2 * x"),
        hints=("backward needs x. How does it get it?", "Multiply what arrives, `grad`, by the slope 2x."),
        wrong=(
            _class("Square", "x * x", "2 * x"),
            _class("Square", "x * x", "grad * x"),
            _class("Square", "x * 2", "grad * 2"),
            _class("Square", "x * x", "None"),
            _class("Square", "x * x", "(grad * 2 * x).sum()"),
            _class("Square", "x * x", "grad * 2 * x").replace("        ctx.save_for_backward(x)\n", ""),
            _class("Square", "x * x", "grad * 2 * x").replace("        return x * x", "        x * x"),
            "answer = 9",
        ),
    ),
    Exercise(
        name="softplus",
        lesson=LESSON,
        judge=judge_one("Softplus", _softplus, _sigmoid, (*POINTS, LARGE, -LARGE)),
        solution=_class("Softplus", "jgrad.logaddexp(jgrad.zeros_like(x), x)", "grad * x.sigmoid()"),
        hints=(
            "What is log(1 + exp(1000)) in floating point?",
            "logaddexp(a, b) is log(exp(a) + exp(b)), without an overflow.",
        ),
        wrong=(
            _class("Softplus", "(1 + x.exp()).log()", "grad * x.sigmoid()"),
            _class("Softplus", "jgrad.logaddexp(jgrad.zeros_like(x), x)", "x.sigmoid()"),
            _class("Softplus", "jgrad.logaddexp(jgrad.zeros_like(x), x)", "grad * x.exp() / (1 + x.exp())"),
        ),
    ),
    Exercise(
        name="scale",
        lesson=LESSON,
        judge=judge_scale,
        solution=SCALE.format("(grad * x).sum_to_size(factor.shape)"),
        hints=("What shapes do the two gradients have?", "The gradient of one number is one number."),
        wrong=(
            SCALE.format("(grad * x).mean()"),
            SCALE.format("None"),
            SCALE.format("(grad * x).sum()").replace("grad * factor,", "grad,"),
        ),
    ),
)
