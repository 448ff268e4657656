"""Gradients that are kept small; `torch.nn.utils.clip_grad`."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

import jgrad
from jgrad import observer
from jgrad.tensor import Tensor
from jgrad.warn import say


def _gradients(parameters: Any) -> list[Tensor]:
    given = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in given if parameter.grad is not None]


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of several tensors together, as if all their elements were in one vector.

    Args:
        tensors: a tensor or an iterable of tensors, often gradients
        norm_type: the p of the p-norm; `float("inf")` gives the largest absolute value
        error_if_nonfinite: whether RuntimeError is raised if the norm is infinite or nan
        foreach: accepted, but has no effect: in PyTorch it only chooses an implementation

    Returns a tensor with no dimensions. Without tensors it is 0.

    >>> jgrad.nn.utils.get_total_norm([jgrad.tensor([3.]), jgrad.tensor([0., 4.])])
    tensor(5.)
    """
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return jgrad.tensor(0.0)
    norms = [jgrad.linalg.vector_norm(tensor, norm_type).to(tensors[0].device) for tensor in tensors]
    total = jgrad.linalg.vector_norm(jgrad.stack(norms), norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To disable "
            "this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale the gradients of all parameters by one factor, so that a norm of `total_norm` becomes at most `max_norm`. It works in place.

    The factor is `max_norm / (total_norm + 1e-6)`, and at most 1.

    Args:
        parameters: a tensor or an iterable of tensors; those without `grad` are left out
        max_norm: the largest allowed norm
        total_norm: the norm that the gradients have, a tensor, for example from `get_total_norm`
        foreach: accepted, but has no effect: in PyTorch it only chooses an implementation

    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> w.grad = jgrad.tensor([30., 40.])
    >>> jgrad.nn.utils.clip_grads_with_norm_([w], 5, jgrad.tensor(50.))
    >>> w.grad
    tensor([3.0000, 4.0000])
    """
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    with jgrad.no_grad():
        for grad in _gradients(parameters):
            grad.mul_(factor.to(grad.device))


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients of all parameters by one factor, so that their norm, all taken as one vector, is at most `max_norm`.

    It works in place, between `backward()` and the step of the optimizer. The direction of the gradient stays the same.

    Args:
        parameters: a tensor or an iterable of tensors; those without `grad` are left out
        max_norm: the largest allowed norm
        norm_type: the p of the p-norm; `float("inf")` means the largest absolute value
        error_if_nonfinite: whether RuntimeError is raised if the norm is infinite or nan; if False, such gradients become 0 or nan
        foreach: accepted, but has no effect: in PyTorch it only chooses an implementation

    Returns the norm before the scaling, a tensor with no dimensions.

    >>> w = jgrad.tensor([3., 4.], requires_grad=True)
    >>> (10 * w).norm().backward()
    >>> w.grad
    tensor([6., 8.])
    >>> jgrad.nn.utils.clip_grad_norm_([w], max_norm=1)
    tensor(10.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not given and isinstance(parameters, GeneratorType):
        say("`parameters` is an empty generator, no gradient clipping will occur.")
    with jgrad.no_grad():
        total = get_total_norm(_gradients(given), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, total)
    observer.report_no_effect("clip_grad_norm_", tuple(given))
    return total


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The older name of `clip_grad_norm_`. It gives a FutureWarning.

    Args:
        parameters: a tensor or an iterable of tensors; those without `grad` are left out
        max_norm: the largest allowed norm
        norm_type: the p of the p-norm
        error_if_nonfinite: whether RuntimeError is raised if the norm is infinite or nan
        foreach: accepted, but has no effect

    Returns the norm before the scaling.

    >>> w = jgrad.tensor([3., 4.], requires_grad=True)
    >>> w.sum().backward()
    >>> jgrad.nn.utils.clip_grad_norm([w], max_norm=10)
    tensor(1.4142)
    """
    say(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Clip each element of the gradients to the range from -clip_value to clip_value. It works in place.

    The direction of the gradient can change, other than with `clip_grad_norm_`.

    Args:
        parameters: a tensor or an iterable of tensors; those without `grad` are left out
        clip_value: the largest allowed absolute value
        foreach: accepted, but has no effect: in PyTorch it only chooses an implementation

    Raises RuntimeError if none of the parameters has a gradient.

    >>> w = jgrad.tensor([1., 1.], requires_grad=True)
    >>> (w * jgrad.tensor([0.5, -8.])).sum().backward()
    >>> jgrad.nn.utils.clip_grad_value_([w], 1)
    >>> w.grad
    tensor([ 0.5000, -1.0000])
    """
    gradients = _gradients(parameters)
    if not gradients:
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be improved?  If so, please report "
            "an enhancement request to PyTorch.)"
        )
    with jgrad.no_grad():
        # (PyTorch writes to each gradient twice, and its version says so.)
        for grad in gradients:
            grad.clamp_min_(-float(clip_value))
        for grad in gradients:
            grad.clamp_max_(float(clip_value))
