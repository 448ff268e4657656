"""What else a backward pass must do: cope with batches, with gradients that never come, and multiply by what arrives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.autograd import forward_ad
from jgrad.autograd.function import Function
from jgrad.autograd.gradcheck.comparison import random_directions
from jgrad.autograd.gradcheck.jacobians import tangents_of_outputs
from jgrad.autograd.gradcheck.parts import (
    GradcheckError,
    Part,
    as_tuple,
    differentiable_ones,
    inputs_to_check,
    to_numpy,
    to_tensor,
)
from jgrad.dispatch import batched
from jgrad.engine.differentiate import grad
from jgrad.graph import levels
from jgrad.tensor import Tensor


def check_undefined_tangents(part: Part) -> None:
    """An input without a tangent must count as one whose tangent is zero."""
    checked = inputs_to_check(part.inputs)
    of_inputs, _ = random_directions([t for _, t in checked], ())
    tangents = {
        i: u[0].reshape(t.shape).astype(t._a.dtype) for (i, t), u in zip(checked, of_inputs, strict=True)
    }
    for i, t in checked:
        zero = tangents_of_outputs(part, {**tangents, i: np.zeros(t.shape, t._a.dtype)})
        absent = tangents_of_outputs(part, {**tangents, i: None})
        for index, ((_, a), (_, b)) in enumerate(zip(zero, absent, strict=True)):
            if a is not None and b is not None and not np.allclose(to_numpy(a), to_numpy(b)):
                raise GradcheckError(
                    "Mismatch in tangent values for output with index: ",
                    index, " when input: ", t, " has an undefined tangent value. ", " Got: ", a, " but expected: ", b,
                )  # fmt: skip


def check_batched(inputs: tuple, output: Tensor, index: int) -> None:
    """A batch of gradients must give what they give one by one."""
    import jgrad

    checked = [t for _, t in inputs_to_check(inputs)]

    def vjp(v: Tensor) -> tuple:
        found = grad(output, checked, v, retain_graph=True, allow_unused=True)
        zeros = [jgrad.zeros([], dtype=t.dtype).expand(t.shape) for t in checked]
        return tuple([z if g is None else g for g, z in zip(found, zeros, strict=True)])

    seeds = [jgrad.randn_like(output) for _ in range(2)]
    _compare_batch(vjp, seeds, _NO_BATCHES, lambda i: (index, i))


def check_batched_forward(func: Callable, inputs: tuple) -> None:
    """A batch of tangents must give what they give one by one."""
    import jgrad

    for index, current in inputs_to_check(inputs):

        def jvp(tangent: Tensor, index: int = index, current: Tensor = current) -> tuple:
            with forward_ad.dual_level():
                dual = forward_ad.make_dual(current.detach(), tangent)
                given = [
                    dual if i == index else t.detach() if isinstance(t, Tensor) else t
                    for i, t in enumerate(inputs)
                ]
                pairs = [forward_ad.unpack_dual(t) for t in as_tuple(func(*given)) if t is not None]
                return tuple(
                    [jgrad.zeros([], dtype=p.dtype).expand(p.shape) if t is None else t for p, t in pairs]
                )

        tangents = [jgrad.randn_like(current) for _ in range(2)]
        _compare_batch(jvp, tangents, _NO_BATCHES_FORWARD, lambda i: (i, i))


def _compare_batch(function: Callable, seeds: list[Tensor], advice: str, numbers: Callable) -> None:
    import jgrad

    expected = [jgrad.stack(each) for each in zip(*[function(s) for s in seeds], strict=True)]
    try:
        # (Not `vmap`, which refuses Functions whose forward takes a ctx.)
        with levels.level(len(seeds), of_function=False) as level:
            results = function(batched.wrap(jgrad.stack(seeds), 0, level))
            found = [batched.unwrap(t, 0, level) for t in results]
    except RuntimeError as error:
        raise GradcheckError(f"While computing batched gradients, got: {error}\n\n{advice}") from error
    for i, (got, one_by_one) in enumerate(zip(found, expected, strict=True)):
        if not jgrad.allclose(got, one_by_one):
            output, given = numbers(i)
            raise GradcheckError(
                f"For output {output} and input {given}:\n\n{advice}\n\nGot:\n{got}\n\nExpected:\n{one_by_one}"
            )


def check_proportional(outputs: tuple, inputs: tuple, masked: bool) -> None:
    """Gradients of zero must give gradients of zero, of the inputs' size and dtype."""
    checked = [t for _, t in inputs_to_check(inputs)]
    zeros = [to_tensor(np.zeros(o.shape, o._a.dtype), o) for o in outputs]
    for g, t in zip(
        grad(outputs, checked, zeros, retain_graph=True, allow_unused=True), checked, strict=True
    ):
        if g is None:
            continue
        numbers = to_numpy(g)
        if not np.allclose(numbers, 0) if masked else np.any(numbers != 0):
            raise GradcheckError("backward not multiplied by grad_output")
        if g.dtype is not t.dtype:
            raise GradcheckError("grad is incorrect type")
        if g.shape != t.shape:
            raise GradcheckError("grad is incorrect size")


class _Undefined(Function):
    """The identity, through which no gradient comes back."""

    @staticmethod
    def forward(ctx: Any, t: Tensor) -> Tensor:
        return t.view_as(t)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> None:
        return None


def check_undefined(func: Callable[..., Any], outputs: tuple, inputs: tuple) -> None:
    """A backward pass must cope with outputs whose gradient never comes: with all of them, and with each if there are several."""
    checked = [t for _, t in inputs_to_check(inputs)]
    all_of_them = range(len(outputs))
    for indexes in [set(all_of_them), *([{i} for i in all_of_them] if len(outputs) > 1 else [])]:
        results = differentiable_ones(func(*inputs))
        results = tuple([_Undefined.apply(t) if i in indexes else t for i, t in enumerate(results)])
        zeros = [to_tensor(np.zeros(t.shape, t._a.dtype), t) for t in results]
        try:
            found = grad(results, checked, zeros, allow_unused=True)
        except RuntimeError as error:
            warn.say(_NEW_DEMAND)
            raise GradcheckError(
                'Expected backward function to handle undefined output grads. Please look at "Notes about undefined output gradients" in '
                '"tools/autograd/derivatives.yaml"'
            ) from error
        if any([g is not None and np.any(to_numpy(g) != 0) for g in found]):
            warn.say(_NEW_DEMAND)
            raise GradcheckError(
                'Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "Notes about '
                'undefined output gradients" in "tools/autograd/derivatives.yaml"'
            )


_NEW_DEMAND = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of "
    'this function. If this is true for you, you can call this function with "check_undefined_grad=False" to disable the feature'
)
_NO_BATCHES = "gradcheck or gradgradcheck failed while testing batched gradient computation."
_NO_BATCHES_FORWARD = "gradcheck failed while testing batched gradient computation with forward-mode AD."
