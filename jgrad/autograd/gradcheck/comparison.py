"""The comparison of the Jacobians: element by element, or in fast mode in one random direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import random
from jgrad.autograd.gradcheck.jacobians import (
    backward_jacobians,
    derivative_along,
    forward_jacobian,
    numerical_jacobians,
    pushed_forward,
    unit_seeds,
)
from jgrad.autograd.gradcheck.parts import (
    GradcheckError,
    Options,
    Part,
    differentiable_ones,
    has_derivative,
    inputs_to_check,
)
from jgrad.tensor import Tensor, wrap


def check_backward(part: Part, options: Options) -> None:
    """Raise if the Jacobians that backward computes differ from the numerical ones."""
    outputs = differentiable_ones(part.result)
    checked = [t for _, t in inputs_to_check(part.inputs)]
    if options.fast:
        _check_backward_fast(part, outputs, checked, options)
        return
    numerical = [numerical_jacobians(part, t, options.eps) for t in checked]
    if not outputs:
        if any([np.any(j != 0) for jacobians in numerical for j in jacobians]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    places = [i for i, t in enumerate(part.result) if t.requires_grad]
    for i, output in enumerate(outputs):
        analytical = backward_jacobians(output, checked, unit_seeds(output), options)
        for j, a in enumerate(analytical):
            n = numerical[j][places[i]]
            if not np.allclose(a, n, options.rtol, options.atol):
                raise GradcheckError(_mismatch(a, n, i, j, part))


def _mismatch(
    analytical: Any, numerical: Any, output: int, input: int, part: Part, forward: bool = False
) -> str:
    complex_one = (input if forward else output) in part.complex_ones
    name = "imaginary" if part.imaginary else "real"
    lead = (
        f"While considering the {name} part of complex {'inputs' if forward else 'outputs'} only, "
        if complex_one
        else ""
    )
    mode = "computed with forward mode " if forward else ""
    return (
        f"{lead}Jacobian {mode}mismatch for output {output} with respect to input {input},\n"
        f"numerical:{wrap(numerical)}\nanalytical:{wrap(analytical)}\n"
    )


def check_forward(part: Part, options: Options) -> None:
    """Raise if the Jacobians that forward mode computes differ from the numerical ones."""
    checked = [t for _, t in inputs_to_check(part.inputs)]
    outputs = differentiable_ones(part.result)
    if options.fast:
        of_inputs, _ = random_directions(checked, ())
        for j, (t, u) in enumerate(zip(checked, of_inputs, strict=True)):
            moved = derivative_along(part, t, Ellipsis, (u[0].reshape(t.shape),), options.eps)
            expected = [m for m, o in zip(moved, part.result, strict=True) if has_derivative(o)]
            for i, a in enumerate(pushed_forward(part, j, u[0].reshape(t.shape), options)):
                _compare_fast(a, expected[i], part, i, j, u, None, None, options, forward=True)
        return
    numerical = [numerical_jacobians(part, t, options.eps) for t in checked]
    if not outputs:
        if any([np.any(n != 0) for jacobians in numerical for n in jacobians]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    places = [i for i, t in enumerate(part.result) if t.requires_grad]
    for i, place in enumerate(places):
        for j, _ in enumerate(checked):
            a, n = forward_jacobian(part, j, i, options), numerical[j][place]
            if not np.allclose(a, n, options.rtol, options.atol):
                raise GradcheckError(_mismatch(a, n, i, j, part, forward=True))


# Fast mode ---------------------------------------------------------------------------------------------------------------------


def _random_direction(t: Tensor, generator: Any, real: bool) -> np.ndarray:
    """A random vector of length one with as many elements; with `real` a real one for complex tensors too."""
    import jgrad

    values = jgrad.rand(t.numel(), generator=generator, device="cpu")._a
    dtype = t._a.real.dtype if real else t._a.dtype
    values = values.astype(dtype)
    return values / np.linalg.norm(values)


def random_directions(checked: list[Tensor], outputs: tuple) -> tuple[list[tuple], list[np.ndarray]]:
    """A direction for each input (two for complex ones), and for each output; always the same ones."""
    generator = random.Generator()
    of_inputs = [
        tuple([_random_direction(t, generator, True) for _ in range(2 if t.is_complex() else 1)])
        for t in checked
    ]
    return of_inputs, [_random_direction(o, generator, False) for o in outputs]


def _check_backward_fast(part: Part, outputs: tuple, checked: list[Tensor], options: Options) -> None:
    """Compare one number for each pair of an output and an input: the Jacobian times a random direction from either side."""
    of_inputs, of_outputs = random_directions(checked, outputs)
    numerical = []
    for t, u in zip(checked, of_inputs, strict=True):
        steps = tuple([d.reshape(t.shape) for d in u])
        moved = derivative_along(part, t, Ellipsis, steps, options.eps)
        if not outputs and any([m.size and np.abs(m).max() > options.nondet_tol for m in moved]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        kept = [m for m, o in zip(moved, part.result, strict=True) if has_derivative(o)]
        numerical.append([np.sum(v * m) for v, m in zip(of_outputs, kept, strict=False)])
    analytical = []
    for output, v in zip(outputs, of_outputs, strict=True):
        columns = backward_jacobians(output, checked, v.reshape(1, *output.shape), options)
        row = []
        for column, u in zip(columns, of_inputs, strict=True):
            vector = column[:, 0]
            complex_one = vector.dtype.kind == "c"
            row.append(vector.real @ u[0] + 1j * (vector.imag @ u[1]) if complex_one else vector @ u[0])
        analytical.append(row)
    for j, _ in enumerate(checked):
        for i, output in enumerate(outputs):
            _compare_fast(
                analytical[i][j], numerical[j][i], part, i, j, of_inputs[j], of_outputs[i], output, options
            )


def _compare_fast(
    a: Any,
    n: Any,
    part: Part,
    i: int,
    j: int,
    u: tuple,
    v: Any,
    output: Any,
    options: Options,
    forward: bool = False,
) -> None:
    """Compare two sums of elements of the Jacobians. Of Jacobians that may differ by `atol` everywhere they may differ by that much."""
    atol = options.atol * sum(float(d.sum()) for d in u) * (1.0 if v is None else float(np.real(v.sum())))
    if np.allclose(a, n, options.rtol, atol):
        return
    t = inputs_to_check(part.inputs)[j][1]
    slow_n = numerical_jacobians(part, t, options.eps)[i]
    if forward:
        slow_a = forward_jacobian(part, j, i, options)
    else:
        slow_a = backward_jacobians(output, [t], unit_seeds(output), options)[0]
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {wrap(slow_n)}\nAnalytical:\n{wrap(slow_a)}\n\n"
        f"The max per-element difference (slow mode) is: {np.abs(slow_n - slow_a).max()}.\n"
    )
    if np.allclose(slow_a, slow_n, options.rtol, options.atol):
        text += _SLOW_WOULD_PASS
    raise GradcheckError(_mismatch(a, n, i, j, part, forward) + text)


# PyTorch adds what its own developers can do in such a case.
_SLOW_WOULD_PASS = "Fast gradcheck failed but element-wise differences are small. This means that the\ntest might've passed in slow_mode!"
