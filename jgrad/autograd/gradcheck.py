"""Derivatives checked against finite differences: `gradcheck` and `gradgradcheck`; `torch.autograd.gradcheck`.

The Jacobian that backward (or forward mode) computes is compared with that of central differences, element by element, or in fast mode in
one random direction. Backward is checked for real outputs only and forward mode for real inputs only, so complex ones are taken apart:
first the imaginary parts, then the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from jgrad import random, warn
from jgrad.autograd import forward_ad
from jgrad.autograd.differentiate import grad
from jgrad.autograd.function import Function
from jgrad.devices import CPU
from jgrad.kernels import libraries
from jgrad.tensor import Tensor, wrap


class GradcheckError(RuntimeError):
    """An analytical and a numerical derivative differ."""


class _Options(NamedTuple):
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_dtypes: bool
    fast: bool


class _Part(NamedTuple):
    """The function to differentiate, with real outputs or real inputs, what it gave, and which of them were complex."""

    func: Callable[..., Any]
    inputs: tuple
    result: tuple
    complex_ones: tuple[int, ...] = ()
    imaginary: bool = False


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
    the two Jacobians must agree within atol + rtol * |numerical|, and two backward passes within `nondet_tol`. `fast_mode` compares in
    one random direction. Besides, backward must cope with gradients that never came (`check_undefined_grad`) and with batches of them
    (`check_batched_grad`), and forward mode is compared too on request. Raises GradcheckError where something differs, or returns False
    if `raise_exception` is False.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    options = _Options(eps, atol, rtol, nondet_tol, check_grad_dtypes, fast_mode)
    try:
        arguments = _as_tuple(inputs)
        _check_inputs(arguments)
        result = func(*arguments)
        outputs = _differentiable(result)
        if check_backward_ad:
            for part in _parts_of_outputs(func, arguments, result, outputs):
                _check_backward(part, options)
        if check_forward_ad:
            parts = list(_parts_of_inputs(func, arguments, result))
            for part in parts:
                _check_forward(part, options)
            if check_undefined_grad:
                for part in parts:
                    _check_undefined_tangents(part)
        if check_batched_forward_grad:
            _check_batched_forward(func, arguments)
        if not check_backward_ad:
            return True
        if check_batched_grad:
            for i, output in enumerate(outputs):
                _check_batched(arguments, output, i)
        _check_proportional(outputs, arguments, bool(masked))
        if check_undefined_grad:
            _check_undefined(func, outputs, arguments)
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
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    for name, asked in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        if asked and not check_rev_over_rev:
            raise AssertionError(f"Setting {name}=True requires check_rev_over_rev to be True")
    arguments = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable(func(*arguments))
        seeds = tuple([_random_gradient(o, gen_non_contig_grad_outputs) for o in outputs])
    else:
        seeds = _as_tuple(grad_outputs)
    wanted = [isinstance(t, Tensor) and t.requires_grad for t in (*arguments, *seeds)]

    def backward(*args: Any) -> tuple:
        # (Forward mode gives its inputs cut off, so what is asked for requires grad anew.)
        args = tuple([t.requires_grad_() if asked else t for t, asked in zip(args, wanted, strict=True)])
        given, starts = args[: len(arguments)], args[len(arguments) :]
        outputs = _differentiable(func(*given))
        asked_for = [t for t, asked in zip(given, wanted, strict=False) if asked]
        found = grad(outputs, asked_for, starts, create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(
        backward, (*arguments, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
        fast_mode=fast_mode, check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, masked=masked,
    )  # fmt: skip


def _random_gradient(output: Tensor, non_contiguous: bool) -> Tensor:
    """A gradient of numbers between -1 and 1 that requires grad; non-contiguous is every second of elements that come twice."""
    import jgrad

    result = jgrad.empty(output.shape, dtype=output.dtype, device=output.device)
    (jgrad.view_as_real(result) if output.is_complex() else result).uniform_(-1, 1)
    if non_contiguous and result.numel() > 1:
        result = jgrad.repeat_interleave(result, 2, dim=-1)[..., ::2]
    return result.requires_grad_()


def _numbers(t: Tensor) -> np.ndarray:
    """The elements of a tensor, wherever it lies, for NumPy to compute with."""
    return libraries.moved(t._a, CPU)


def _placed(array: np.ndarray, like: Tensor) -> Tensor:
    """An array as a tensor that lies where another does."""
    return wrap(libraries.moved(array, like.device))


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _differentiable(result: Any) -> tuple:
    """What can have a gradient among the results."""
    return tuple([t for t in _as_tuple(result) if t.requires_grad])


def _checked(inputs: tuple) -> list[tuple[int, Tensor]]:
    """The inputs that require grad, with their places."""
    return [(i, t) for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.requires_grad]


def _has_derivative(value: Any) -> bool:
    return isinstance(value, Tensor) and value._a.dtype.kind in "fc"


def _check_inputs(inputs: tuple) -> None:
    for i, t in _checked(inputs):
        if t.dtype.name not in ("float64", "complex128"):
            warn.say(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will likely fail if "
                "all the inputs are not of double precision floating point or complex. ",
            )
        if not all([s > 0 or n <= 1 for s, n in zip(t.stride(), t.shape, strict=True)]):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to "
                "compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck."
            )
    if not _checked(inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


# Complex numbers --------------------------------------------------------------------------------------------------------------


def _parts_of_outputs(func: Callable, inputs: tuple, result: Any, outputs: tuple) -> Iterator[_Part]:
    """`func` with the imaginary, then with the real parts of its complex outputs; `func` if there are none."""
    if not any([t.is_complex() for t in _as_tuple(result)]):
        yield _Part(func, inputs, _as_tuple(result))
        return

    def part(name: str) -> Callable:
        return lambda *args: tuple(
            [getattr(t, name) if t.is_complex() else t for t in _as_tuple(func(*args))]
        )

    complex_ones = tuple([i for i, t in enumerate(outputs) if t.is_complex()])
    for name in ("imag", "real"):
        yield _Part(part(name), inputs, part(name)(*inputs), complex_ones, name == "imag")


def _parts_of_inputs(func: Callable, inputs: tuple, result: Any) -> Iterator[_Part]:
    """`func` of the imaginary, then of the real parts of its complex inputs, the other part as it is; `func` if there are none."""
    complex_ones = tuple([i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.is_complex()])
    if not complex_ones:
        yield _Part(func, inputs, _as_tuple(result))
        return

    def of(join: Callable) -> Callable:
        return lambda *args: _as_tuple(
            func(*[join(t, inputs[i]) if i in complex_ones else t for i, t in enumerate(args)])
        )

    joins = {"imag": lambda t, whole: whole.real + t * 1j, "real": lambda t, whole: t + whole.imag * 1j}
    for name, join in joins.items():
        given = tuple([getattr(t, name) if i in complex_ones else t for i, t in enumerate(inputs)])
        yield _Part(of(join), given, of(join)(*given), complex_ones, name == "imag")


# Numerical derivatives --------------------------------------------------------------------------------------------------------


def _quotients(part: _Part, input: Tensor, where: Any, step: Any, eps: float) -> list[np.ndarray]:
    """Central differences of all outputs, flat, as `input[where]` moves by `step`."""
    array, np_of_input = input._a, libraries.of(input._a).np
    with libraries.on_device_of((array,)):
        before = np_of_input.array(array[where])
        if isinstance(step, np.ndarray):
            step = np_of_input.asarray(step)
        beneath, above = before - step, before + step
    found = []
    for value in (beneath, above):
        _write(array, where, value)
        results = [t.detach() for t in _as_tuple(part.func(*part.inputs))]
        found.append([(np.array(_numbers(t)), t) for t in results])
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
    with libraries.on_device_of((array,)):
        array[where] = value


def _along(part: _Part, t: Tensor, where: Any, steps: tuple, eps: float) -> list[np.ndarray]:
    """The derivative of all outputs in one direction: for a complex input along the real and along the imaginary axis."""
    real = _quotients(part, t, where, steps[0] * eps, eps)
    if not t.is_complex():
        return real
    return [
        a + 1j * b for a, b in zip(real, _quotients(part, t, where, steps[1] * eps * 1j, eps), strict=True)
    ]


def _numerical(part: _Part, t: Tensor, eps: float) -> list[np.ndarray]:
    """A Jacobian for each output: a row per element of the input, a column per element of the output."""
    rows = [_along(part, t, place, (1.0, 1.0), eps) for place in np.ndindex(t._a.shape)]
    if not rows:
        return [np.zeros((0, o.numel())) for o in part.result]
    return [np.array(column) for column in zip(*rows, strict=True)]


# Backward ---------------------------------------------------------------------------------------------------------------------


def _check_backward(part: _Part, options: _Options) -> None:
    outputs = _differentiable(part.result)
    checked = [t for _, t in _checked(part.inputs)]
    if options.fast:
        _check_backward_fast(part, outputs, checked, options)
        return
    numerical = [_numerical(part, t, options.eps) for t in checked]
    if not outputs:
        if any([np.any(j != 0) for jacobians in numerical for j in jacobians]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    places = [i for i, t in enumerate(part.result) if t.requires_grad]
    for i, output in enumerate(outputs):
        analytical = _jacobians(output, checked, _unit_seeds(output), options)
        for j, a in enumerate(analytical):
            n = numerical[j][places[i]]
            if not np.allclose(a, n, options.rtol, options.atol):
                raise GradcheckError(_mismatch(a, n, i, j, part))


def _jacobians(
    output: Tensor, checked: list[Tensor], seeds: np.ndarray, options: _Options
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
                    column[:, k] = _numbers(g).ravel()
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


def _unit_seeds(output: Tensor) -> np.ndarray:
    """For each element of an output a gradient of one there and zero elsewhere."""
    return np.eye(output.numel(), dtype=output._a.dtype).reshape(output.numel(), *output.shape)


def _gradients(output: Tensor, checked: list[Tensor], seed: np.ndarray) -> tuple:
    return grad(output, checked, _placed(seed.copy(), output), retain_graph=True, allow_unused=True)


def _mismatch(
    analytical: Any, numerical: Any, output: int, input: int, part: _Part, forward: bool = False
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


# Fast mode --------------------------------------------------------------------------------------------------------------------


def _direction(t: Tensor, generator: Any, real: bool) -> np.ndarray:
    """A random vector of length one with as many elements; `real` says whether that of a complex tensor is real."""
    import jgrad

    values = jgrad.rand(t.numel(), generator=generator, device="cpu")._a
    dtype = t._a.real.dtype if real else t._a.dtype
    values = values.astype(dtype)
    return values / np.linalg.norm(values)


def _directions(checked: list[Tensor], outputs: tuple) -> tuple[list[tuple], list[np.ndarray]]:
    """A direction for each input (two for complex ones), and for each output; always the same ones."""
    generator = random.Generator()
    of_inputs = [
        tuple([_direction(t, generator, True) for _ in range(2 if t.is_complex() else 1)]) for t in checked
    ]
    return of_inputs, [_direction(o, generator, False) for o in outputs]


def _check_backward_fast(part: _Part, outputs: tuple, checked: list[Tensor], options: _Options) -> None:
    of_inputs, of_outputs = _directions(checked, outputs)
    numerical = []
    for t, u in zip(checked, of_inputs, strict=True):
        steps = tuple([d.reshape(t.shape) for d in u])
        moved = _along(part, t, Ellipsis, steps, options.eps)
        if not outputs and any([m.size and np.abs(m).max() > options.nondet_tol for m in moved]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        kept = [m for m, o in zip(moved, part.result, strict=True) if _has_derivative(o)]
        numerical.append([np.sum(v * m) for v, m in zip(of_outputs, kept, strict=False)])
    analytical = []
    for output, v in zip(outputs, of_outputs, strict=True):
        columns = _jacobians(output, checked, v.reshape(1, *output.shape), options)
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
    part: _Part,
    i: int,
    j: int,
    u: tuple,
    v: Any,
    output: Any,
    options: _Options,
    forward: bool = False,
) -> None:
    """Compare two sums of elements of the Jacobians. Of Jacobians that may differ by `atol` everywhere they may differ by that much."""
    atol = options.atol * sum(float(d.sum()) for d in u) * (1.0 if v is None else float(np.real(v.sum())))
    if np.allclose(a, n, options.rtol, atol):
        return
    t = _checked(part.inputs)[j][1]
    slow_n = _numerical(part, t, options.eps)[i]
    if forward:
        slow_a = _forward_jacobian(part, j, i, options)
    else:
        slow_a = _jacobians(output, [t], _unit_seeds(output), options)[0]
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


# Forward mode -----------------------------------------------------------------------------------------------------------------


def _tangents(part: _Part, tangents: dict[int, Any]) -> list[tuple[Tensor, Any]]:
    """The outputs that can have a derivative, each with its tangent or None, where the inputs have these tangents by place (None: is a
    tensor without)."""
    with forward_ad.dual_level():
        given = []
        for i, t in enumerate(part.inputs):
            if i in tangents:
                tangent = tangents[i]
                t = t.detach() if tangent is None else forward_ad.make_dual(t.detach(), _placed(tangent, t))
            given.append(t)
        results = [t for t in _as_tuple(part.func(*given)) if _has_derivative(t)]
        return [tuple(forward_ad.unpack_dual(t)) for t in results]  # type: ignore[misc]


def _pushed(part: _Part, j: int, tangent: np.ndarray, options: _Options) -> list[np.ndarray]:
    """Flat derivatives of the outputs along a tangent of the j-th checked input; the others have tangents of zero."""
    found = []
    zeros = {i: np.zeros(t.shape, t._a.dtype) for i, t in _checked(part.inputs)}
    for primal, derivative in _tangents(part, {**zeros, _checked(part.inputs)[j][0]: tangent}):
        if derivative is not None and options.check_dtypes and primal.is_complex() != derivative.is_complex():
            raise GradcheckError("Forward AD gradient has dtype mismatch.")
        found.append(
            np.zeros(primal.numel(), primal._a.dtype)
            if derivative is None
            else _numbers(derivative.detach()).ravel()
        )
    return found


def _forward_jacobian(part: _Part, j: int, i: int, options: _Options) -> np.ndarray:
    """The Jacobian of output i with respect to the j-th checked input, a row per element of the input."""
    t = _checked(part.inputs)[j][1]
    rows = []
    for place in np.ndindex(t._a.shape):
        tangent = np.zeros(t.shape, t._a.dtype)
        tangent[place] = 1
        rows.append(_pushed(part, j, tangent, options)[i])
    return np.array(rows)


def _check_forward(part: _Part, options: _Options) -> None:
    checked = [t for _, t in _checked(part.inputs)]
    outputs = _differentiable(part.result)
    if options.fast:
        of_inputs, _ = _directions(checked, ())
        for j, (t, u) in enumerate(zip(checked, of_inputs, strict=True)):
            moved = _along(part, t, Ellipsis, (u[0].reshape(t.shape),), options.eps)
            expected = [m for m, o in zip(moved, part.result, strict=True) if _has_derivative(o)]
            for i, a in enumerate(_pushed(part, j, u[0].reshape(t.shape), options)):
                _compare_fast(a, expected[i], part, i, j, u, None, None, options, forward=True)
        return
    numerical = [_numerical(part, t, options.eps) for t in checked]
    if not outputs:
        if any([np.any(n != 0) for jacobians in numerical for n in jacobians]):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    places = [i for i, t in enumerate(part.result) if t.requires_grad]
    for i, place in enumerate(places):
        for j, _ in enumerate(checked):
            a, n = _forward_jacobian(part, j, i, options), numerical[j][place]
            if not np.allclose(a, n, options.rtol, options.atol):
                raise GradcheckError(_mismatch(a, n, i, j, part, forward=True))


def _check_undefined_tangents(part: _Part) -> None:
    """An input without a tangent must count as one whose tangent is zero."""
    checked = _checked(part.inputs)
    of_inputs, _ = _directions([t for _, t in checked], ())
    tangents = {
        i: u[0].reshape(t.shape).astype(t._a.dtype) for (i, t), u in zip(checked, of_inputs, strict=True)
    }
    for i, t in checked:
        zero = _tangents(part, {**tangents, i: np.zeros(t.shape, t._a.dtype)})
        absent = _tangents(part, {**tangents, i: None})
        for index, ((_, a), (_, b)) in enumerate(zip(zero, absent, strict=True)):
            if a is not None and b is not None and not np.allclose(_numbers(a), _numbers(b)):
                raise GradcheckError(
                    "Mismatch in tangent values for output with index: ",
                    index, " when input: ", t, " has an undefined tangent value. ", " Got: ", a, " but expected: ", b,
                )  # fmt: skip


# Further demands --------------------------------------------------------------------------------------------------------------


def _check_batched(inputs: tuple, output: Tensor, index: int) -> None:
    """A batch of gradients must give what they give one by one."""
    import jgrad

    checked = [t for _, t in _checked(inputs)]

    def vjp(v: Tensor) -> tuple:
        found = grad(output, checked, v, retain_graph=True, allow_unused=True)
        zeros = [jgrad.zeros([], dtype=t.dtype).expand(t.shape) for t in checked]
        return tuple([z if g is None else g for g, z in zip(found, zeros, strict=True)])

    seeds = [jgrad.randn_like(output) for _ in range(2)]
    _compare_batch(vjp, seeds, _NO_BATCHES, lambda i: (index, i))


def _check_batched_forward(func: Callable, inputs: tuple) -> None:
    """A batch of tangents must give what they give one by one."""
    import jgrad

    for index, current in _checked(inputs):

        def jvp(tangent: Tensor, index: int = index, current: Tensor = current) -> tuple:
            with forward_ad.dual_level():
                dual = forward_ad.make_dual(current.detach(), tangent)
                given = [
                    dual if i == index else t.detach() if isinstance(t, Tensor) else t
                    for i, t in enumerate(inputs)
                ]
                pairs = [forward_ad.unpack_dual(t) for t in _as_tuple(func(*given)) if t is not None]
                return tuple(
                    [jgrad.zeros([], dtype=p.dtype).expand(p.shape) if t is None else t for p, t in pairs]
                )

        tangents = [jgrad.randn_like(current) for _ in range(2)]
        _compare_batch(jvp, tangents, _NO_BATCHES_FORWARD, lambda i: (i, i))


def _compare_batch(function: Callable, seeds: list[Tensor], advice: str, numbers: Callable) -> None:
    import jgrad

    expected = [jgrad.stack(each) for each in zip(*[function(s) for s in seeds], strict=True)]
    try:
        found = jgrad.vmap(function)(jgrad.stack(seeds))
    except RuntimeError as error:
        raise GradcheckError(f"While computing batched gradients, got: {error}\n\n{advice}") from error
    for i, (got, wanted) in enumerate(zip(found, expected, strict=True)):
        if not jgrad.allclose(got, wanted):
            output, given = numbers(i)
            raise GradcheckError(
                f"For output {output} and input {given}:\n\n{advice}\n\nGot:\n{got}\n\nExpected:\n{wanted}"
            )


def _check_proportional(outputs: tuple, inputs: tuple, masked: bool) -> None:
    """Gradients of zero must give gradients of zero, of the inputs' size and dtype."""
    checked = [t for _, t in _checked(inputs)]
    zeros = [_placed(np.zeros(o.shape, o._a.dtype), o) for o in outputs]
    for g, t in zip(
        grad(outputs, checked, zeros, retain_graph=True, allow_unused=True), checked, strict=True
    ):
        if g is None:
            continue
        numbers = _numbers(g)
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


def _check_undefined(func: Callable[..., Any], outputs: tuple, inputs: tuple) -> None:
    """A backward pass must cope with outputs whose gradient never comes: with all of them, and with each if there are several."""
    checked = [t for _, t in _checked(inputs)]
    all_of_them = range(len(outputs))
    for indexes in [set(all_of_them), *([{i} for i in all_of_them] if len(outputs) > 1 else [])]:
        results = _differentiable(func(*inputs))
        results = tuple([_Undefined.apply(t) if i in indexes else t for i, t in enumerate(results)])
        zeros = [_placed(np.zeros(t.shape, t._a.dtype), t) for t in results]
        try:
            found = grad(results, checked, zeros, allow_unused=True)
        except RuntimeError as error:
            warn.say(_NEW_DEMAND)
            raise GradcheckError(
                'Expected backward function to handle undefined output grads. Please look at "Notes about undefined output gradients" in '
                '"tools/autograd/derivatives.yaml"'
            ) from error
        if any([g is not None and np.any(_numbers(g) != 0) for g in found]):
            warn.say(_NEW_DEMAND)
            raise GradcheckError(
                'Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "Notes about '
                'undefined output gradients" in "tools/autograd/derivatives.yaml"'
            )


_NEW_DEMAND = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of "
    'this function. If this is true for you, you can call this function with "check_undefined_grad=False" to disable the feature'
)
# PyTorch adds what its own developers can do in such a case.
_SLOW_WOULD_PASS = "Fast gradcheck failed but element-wise differences are small. This means that the\ntest might've passed in slow_mode!"
_NO_BATCHES = "gradcheck or gradgradcheck failed while testing batched gradient computation."
_NO_BATCHES_FORWARD = "gradcheck failed while testing batched gradient computation with forward-mode AD."
