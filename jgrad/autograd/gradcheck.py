"""Derivatives checked against finite differences: `gradcheck` and `gradgradcheck`; `torch.autograd.gradcheck`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.autograd.differentiate import grad
from jgrad.tensor import Tensor, wrap


class GradcheckError(RuntimeError):
    """An analytical and a numerical derivative differ."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients that backward computes with differences of `func`, in every input that requires grad.

    `func` takes the inputs and returns a tensor or several. The inputs are moved by `eps`, so they should be float64 or complex128;
    the two Jacobians must agree within atol + rtol * |numerical|. Raises GradcheckError where they don't, or returns False if
    `raise_exception` is False. Of the other checks of PyTorch's only the default ones exist: anything else raises NotImplementedError.
    """
    for name, asked in (
        ("check_batched_grad", check_batched_grad), ("check_batched_forward_grad", check_batched_forward_grad),
        ("check_forward_ad", check_forward_ad), ("fast_mode", fast_mode), ("masked", bool(masked)),
    ):  # fmt: skip
        if asked:
            raise NotImplementedError(f"gradcheck(): jgrad has no {name}=True")
    try:
        arguments = tuple(inputs) if isinstance(inputs, Sequence) else (inputs,)
        _check_inputs(arguments)
        outputs = _outputs(func(*arguments))
        _check(func, arguments, outputs, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        if check_undefined_grad:
            _check_undefined(arguments, outputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """`gradcheck` of the backward pass of `func`: second derivatives, with respect to the inputs and to the gradients that arrive.

    `grad_outputs` are the gradients to begin with, random ones if None.
    """
    if check_fwd_over_rev:
        raise NotImplementedError("gradgradcheck(): jgrad has no check_fwd_over_rev=True")
    arguments = tuple(inputs) if isinstance(inputs, Sequence) else (inputs,)
    if grad_outputs is None:
        random = np.random.default_rng(0)
        seeds = []
        for t in _outputs(func(*arguments)):
            # All in double precision, as PyTorch makes them; complex where the output is.
            values = random.standard_normal(t._a.shape)
            if t.is_complex():
                values = values + 1j * random.standard_normal(t._a.shape)
            seed = wrap(np.asarray(values, t._a.dtype))
            if gen_non_contig_grad_outputs and t._a.ndim:
                seed = wrap(np.repeat(seed._a[..., None], 2, -1)[..., 0])
            seeds.append(seed.requires_grad_())
    else:
        seeds = list(grad_outputs) if isinstance(grad_outputs, Sequence) else [grad_outputs]

    def backward(*args: Any) -> tuple:
        given, seeds = args[: len(arguments)], args[len(arguments) :]
        given = tuple([_alone(a) for a in given])
        outputs = _outputs(func(*given))
        wanted = tuple([a for a in given if isinstance(a, Tensor) and a.requires_grad])
        found = grad(outputs, wanted, list(seeds), create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(
        backward, (*arguments, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
        fast_mode=fast_mode, masked=masked,
    )  # fmt: skip


def _alone(value: Any) -> Any:
    """The same values as a tensor of its own in the graph, so that an input that is given twice gets two gradients."""
    return value.view_as(value) if isinstance(value, Tensor) and value.requires_grad else value


def _check_inputs(inputs: tuple) -> None:
    checked = [(i, t) for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.requires_grad]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i, t in checked:
        if t._a.dtype.itemsize // (2 if t.is_complex() else 1) != 8:
            warn.say(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will likely fail if "
                "all the inputs are not of double precision floating point or complex. ",
            )
        if t._a.size and any(s == 0 and n > 1 for s, n in zip(t._a.strides, t._a.shape, strict=True)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to "
                "compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck."
            )
        t.retain_grad()


def _outputs(result: Any) -> tuple:
    """What can have a gradient among the results."""
    several = result if isinstance(result, (tuple, list)) else (result,)
    return tuple([t for t in several if isinstance(t, Tensor) and t.requires_grad])


def _check(
    func: Callable[..., Any],
    inputs: tuple,
    outputs: tuple,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    check_dtypes: bool,
) -> None:
    several = func(*inputs)
    several = several if isinstance(several, (tuple, list)) else (several,)
    numbers = [i for i, t in enumerate(several) if isinstance(t, Tensor) and t.requires_grad]
    checked = [t for t in inputs if isinstance(t, Tensor) and t.requires_grad]
    if not outputs:
        # Nothing depends on the inputs, so nothing may change with them.
        plain = [i for i, t in enumerate(several) if isinstance(t, Tensor) and t._a.dtype.kind in "fc"]
        for t in checked:
            if any(np.any(d) for d in _differences(_cut_off(func), inputs, t, plain, eps, 1.0)):
                raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    differentiable = _cut_off(func)
    for j, t in enumerate(checked):
        if not t._a.size:
            continue
        numerical = _differences(differentiable, inputs, t, numbers, eps, 1.0)
        along = _differences(differentiable, inputs, t, numbers, eps, 1j) if t.is_complex() else None
        for i, output in enumerate(outputs):
            # A complex output is two real ones.
            for part, seed in (("real", 1.0), ("imaginary", 1j)) if output.is_complex() else (("", 1.0),):
                expected = _part(numerical[i], part)
                if along is not None:
                    expected = expected + 1j * _part(along[i], part)
                analytical = _analytical(output, t, seed, check_dtypes)
                if nondet_tol >= 0 and not np.allclose(
                    analytical,
                    _analytical(output, t, seed, check_dtypes),
                    atol=nondet_tol,
                    rtol=0,
                    equal_nan=True,
                ):
                    raise GradcheckError(
                        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
                        "values, although analytical gradient matches numerical gradient."
                    )
                if not np.allclose(analytical, expected, rtol=rtol, atol=atol, equal_nan=True):
                    lead = f"While considering the {part} part of complex outputs only, " if part else ""
                    raise GradcheckError(
                        f"{lead}Jacobian mismatch for output {numbers[i]} with respect to input {j},\n"
                        f"numerical:{wrap(expected)}\nanalytical:{wrap(analytical)}\n"
                    )


def _part(jacobian: np.ndarray, part: str) -> np.ndarray:
    return jacobian.real if part == "real" else jacobian.imag if part == "imaginary" else jacobian


def _cut_off(func: Callable[..., Any]) -> Callable[..., Any]:
    """`func`, recording, as some functions (a backward pass) need it; its results cut off."""

    def call(*args: Any) -> Any:
        result = func(*args)
        several = result if isinstance(result, (tuple, list)) else (result,)
        return [t.detach() if isinstance(t, Tensor) else t for t in several]

    return call


def _differences(
    func: Callable[..., Any], inputs: tuple, moved: Tensor, numbers: list[int], eps: float, direction: complex
) -> list[np.ndarray]:
    """Central differences: for each output the Jacobian, a row per element of the input and a column per element of the output."""
    array = moved._a
    rows: list[list[np.ndarray]] = [[] for _ in numbers]
    for place in np.ndindex(array.shape):
        before = array[place]
        step = eps * direction if array.dtype.kind == "c" else eps
        array[place] = before + step
        above = _picked(func(*inputs), numbers)
        array[place] = before - step
        below = _picked(func(*inputs), numbers)
        array[place] = before
        for row, a, b in zip(rows, above, below, strict=True):
            row.append(((a - b) / (2 * eps)).ravel())
    return [np.array(row) for row in rows]


def _picked(results: list, numbers: list[int]) -> list[np.ndarray]:
    return [np.array(results[i]._a) for i in numbers]


def _analytical(output: Tensor, t: Tensor, seed: complex, check_dtypes: bool) -> np.ndarray:
    """The Jacobian that backward computes, laid out as that of `_differences`."""
    columns = []
    for place in np.ndindex(output._a.shape):
        start = np.zeros(output._a.shape, output._a.dtype)
        start[place] = seed
        (g,) = grad(output, t, wrap(start), retain_graph=True, allow_unused=True)
        if g is None:
            columns.append(np.zeros(t._a.size, t._a.dtype))
            continue
        if check_dtypes and g.dtype is not t.dtype:
            raise GradcheckError("Gradient has dtype mismatch")
        if g._a.shape != t._a.shape:
            raise GradcheckError("Gradient has incorrect size")
        columns.append(g._a.ravel())
    return np.stack(columns, 1) if columns else np.zeros((t._a.size, 0), t._a.dtype)


def _check_undefined(inputs: tuple, outputs: tuple) -> None:
    """A backward pass must cope with outputs whose gradient never came."""
    checked = [t for t in inputs if isinstance(t, Tensor) and t.requires_grad]
    if not outputs:
        return
    for absent in range(len(outputs)):
        rest = [o for i, o in enumerate(outputs) if i != absent]
        if rest:
            grad(rest, checked, [o.detach() * 0 for o in rest], retain_graph=True, allow_unused=True)
