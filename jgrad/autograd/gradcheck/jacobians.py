"""Jacobians as NumPy arrays: by central differences, by backward, and by forward mode.

All have a row per element of an input and a column per element of an output.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.autograd import forward_ad
from jgrad.autograd.gradcheck.parts import (
    GradcheckError,
    Options,
    Part,
    as_tuple,
    has_derivative,
    inputs_to_check,
    to_numpy,
    to_tensor,
)
from jgrad.engine.differentiate import grad
from jgrad.kernels import libraries
from jgrad.tensor import Tensor


def _central_differences(part: Part, input: Tensor, where: Any, step: Any, eps: float) -> list[np.ndarray]:
    """Central differences of all outputs, flat, as `input[where]` moves by `step`."""
    array, np_of_input = input._a, libraries.library_of(input._a).np
    with libraries.device_guard((array,)):
        before = np_of_input.array(array[where])
        if isinstance(step, np.ndarray):
            step = np_of_input.asarray(step)
        beneath, above = before - step, before + step
    found = []
    for value in (beneath, above):
        _write(array, where, value)
        results = [t.detach() for t in as_tuple(part.func(*part.inputs))]
        found.append([(np.array(to_numpy(t)), t) for t in results])
        _write(array, where, before)
    index = "" if where is Ellipsis else f"on index {where} "
    for (_, a), (_, b) in zip(*found, strict=True):
        moved = f" when inputs are perturbed {index}by {eps}, but got:"
        if a.shape != b.shape:
            raise AssertionError(
                f"Expected `func` to return outputs with the same shape{moved} shapes {a.shape} and {b.shape}."
            )
        if a.dtype is not b.dtype:
            raise AssertionError(
                f"Expected `func` to return outputs with the same dtype{moved} dtypes {a.dtype} and {b.dtype}."
            )
    # (Numbers without a derivative are compared too, so bools are taken as numbers.)
    return [
        ((b - a * 1) / (2 * eps) if b.dtype.kind != "b" else (b ^ a) / (2 * eps)).ravel()
        for (a, _), (b, _) in zip(*found, strict=True)
    ]


def _write(array: Any, where: Any, value: Any) -> None:
    with libraries.device_guard((array,)):
        array[where] = value


def derivative_along(part: Part, t: Tensor, where: Any, steps: tuple, eps: float) -> list[np.ndarray]:
    """The derivative of all outputs in one direction: for a complex input along the real and along the imaginary axis."""
    real = _central_differences(part, t, where, steps[0] * eps, eps)
    if not t.is_complex():
        return real
    return [
        a + 1j * b
        for a, b in zip(real, _central_differences(part, t, where, steps[1] * eps * 1j, eps), strict=True)
    ]


def numerical_jacobians(part: Part, t: Tensor, eps: float) -> list[np.ndarray]:
    """A Jacobian for each output: a row per element of the input, a column per element of the output."""
    rows = [derivative_along(part, t, place, (1.0, 1.0), eps) for place in np.ndindex(t._a.shape)]
    if not rows:
        return [np.zeros((0, o.numel())) for o in part.result]
    return [np.array(column) for column in zip(*rows, strict=True)]


def backward_jacobians(
    output: Tensor, checked: list[Tensor], seeds: np.ndarray, options: Options
) -> list[np.ndarray]:
    """What backward makes of each of the seeds, as columns, for each input; computed twice, which must make no difference."""
    found = []
    for _ in range(2):
        columns = [np.zeros((t.numel(), len(seeds)), t._a.dtype) for t in checked]
        sizes = dtypes = True
        for k, seed in enumerate(seeds):
            for t, column, g in zip(checked, columns, _gradients(output, checked, seed), strict=True):
                if g is not None:
                    if g.shape != t.shape:
                        sizes = False
                    elif g.dtype is not t.dtype:
                        dtypes = False
                    column[:, k] = to_numpy(g).ravel()
        found.append(columns)
    if not dtypes and options.check_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not sizes:
        raise GradcheckError("Analytical gradient has incorrect size")
    for a, b in zip(*found, strict=True):
        if a.size and np.abs(a - b).max() > options.nondet_tol:
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, "
                f"although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {options.nondet_tol}."
            )
    return found[0]


def unit_seeds(output: Tensor) -> np.ndarray:
    """For each element of an output a gradient of one there and zero elsewhere."""
    return np.eye(output.numel(), dtype=output._a.dtype).reshape(output.numel(), *output.shape)


def _gradients(output: Tensor, checked: list[Tensor], seed: np.ndarray) -> tuple:
    return grad(output, checked, to_tensor(seed.copy(), output), retain_graph=True, allow_unused=True)


def tangents_of_outputs(part: Part, tangents: dict[int, Any]) -> list[tuple[Tensor, Any]]:
    """The outputs that can have a derivative, each with its tangent or None, where the inputs have these tangents by place (None: is a
    tensor without)."""
    with forward_ad.dual_level():
        given = []
        for i, t in enumerate(part.inputs):
            if i in tangents:
                tangent = tangents[i]
                t = t.detach() if tangent is None else forward_ad.make_dual(t.detach(), to_tensor(tangent, t))
            given.append(t)
        results = [t for t in as_tuple(part.func(*given)) if has_derivative(t)]
        return [tuple(forward_ad.unpack_dual(t)) for t in results]  # type: ignore[misc]


def pushed_forward(part: Part, j: int, tangent: np.ndarray, options: Options) -> list[np.ndarray]:
    """Flat derivatives of the outputs along a tangent of the j-th checked input; the others have tangents of zero."""
    found = []
    zeros = {i: np.zeros(t.shape, t._a.dtype) for i, t in inputs_to_check(part.inputs)}
    for primal, derivative in tangents_of_outputs(
        part, {**zeros, inputs_to_check(part.inputs)[j][0]: tangent}
    ):
        if derivative is not None and options.check_dtypes and primal.is_complex() != derivative.is_complex():
            raise GradcheckError("Forward AD gradient has dtype mismatch.")
        found.append(
            np.zeros(primal.numel(), primal._a.dtype)
            if derivative is None
            else to_numpy(derivative.detach()).ravel()
        )
    return found


def forward_jacobian(part: Part, j: int, i: int, options: Options) -> np.ndarray:
    """The Jacobian of output i with respect to the j-th checked input, a row per element of the input."""
    t = inputs_to_check(part.inputs)[j][1]
    rows = []
    for place in np.ndindex(t._a.shape):
        tangent = np.zeros(t.shape, t._a.dtype)
        tangent[place] = 1
        rows.append(pushed_forward(part, j, tangent, options)[i])
    return np.array(rows)
