"""Derivatives checked against finite differences: `gradcheck` and `gradgradcheck`; `torch.autograd.gradcheck`.

The Jacobian that backward (or forward mode) computes is compared with that of central differences, element by element, or in fast mode in
one random direction. Backward is checked for real outputs only and forward mode for real inputs only, so complex ones are taken apart:
first the imaginary parts, then the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad import manual, warn
from jgrad.autograd.gradcheck.comparison import check_backward, check_forward
from jgrad.autograd.gradcheck.demands import (
    check_batched,
    check_batched_forward,
    check_proportional,
    check_undefined,
    check_undefined_tangents,
)
from jgrad.autograd.gradcheck.parts import (
    GradcheckError,
    Options,
    as_tuple,
    differentiable_ones,
    inputs_to_check,
    parts_of_inputs,
    parts_of_outputs,
)
from jgrad.engine.differentiate import grad
from jgrad.tensor import Tensor


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
    """Compares the gradients that `backward` computes with differences of the function, for every input that requires grad."""
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    options = Options(eps, atol, rtol, nondet_tol, check_grad_dtypes, fast_mode)
    try:
        arguments = as_tuple(inputs)
        _check_inputs(arguments)
        result = func(*arguments)
        outputs = differentiable_ones(result)
        if check_backward_ad:
            for part in parts_of_outputs(func, arguments, result, outputs):
                check_backward(part, options)
        if check_forward_ad:
            parts = list(parts_of_inputs(func, arguments, result))
            for part in parts:
                check_forward(part, options)
            if check_undefined_grad:
                for part in parts:
                    check_undefined_tangents(part)
        if check_batched_forward_grad:
            check_batched_forward(func, arguments)
        if not check_backward_ad:
            return True
        if check_batched_grad:
            for i, output in enumerate(outputs):
                check_batched(arguments, output, i)
        check_proportional(outputs, arguments, bool(masked))
        if check_undefined_grad:
            check_undefined(func, outputs, arguments)
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
    """`gradcheck` of the backward pass of a function: its second derivatives, with respect to the inputs and to the gradients that arrive."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    for name, asked in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        if asked and not check_rev_over_rev:
            raise AssertionError(f"Setting {name}=True requires check_rev_over_rev to be True")
    arguments = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable_ones(func(*arguments))
        seeds = tuple([_random_gradient(o, gen_non_contig_grad_outputs) for o in outputs])
    else:
        seeds = as_tuple(grad_outputs)
    needs_grad = [isinstance(t, Tensor) and t.requires_grad for t in (*arguments, *seeds)]

    def backward(*args: Any) -> tuple:
        # (Forward mode gives its inputs cut off, so what is asked for requires grad anew.)
        args = tuple([t.requires_grad_() if asked else t for t, asked in zip(args, needs_grad, strict=True)])
        given, starts = args[: len(arguments)], args[len(arguments) :]
        outputs = differentiable_ones(func(*given))
        asked_for = [t for t, asked in zip(given, needs_grad, strict=False) if asked]
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


def _check_inputs(inputs: tuple) -> None:
    for i, t in inputs_to_check(inputs):
        if t.is_sparse:
            raise NotImplementedError(
                f"gradcheck: input {i} is sparse, which is left out. Check a function of its values instead, such as "
                "lambda v: f(jgrad.sparse_coo_tensor(indices, v, size))."
            )
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
    if not inputs_to_check(inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


manual.attach(__name__)
