"""Gradients that are kept small; `torch.nn.utils.clip_grad`."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

import jgrad
from jgrad import manual, observer
from jgrad.tensor import Tensor
from jgrad.warn import say


def _gradients(parameters: Any) -> list[Tensor]:
    given = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in given if parameter.grad is not None]


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of several tensors together, as if all their elements were in one vector."""
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
    """Scale the gradients of all parameters by one factor, so that a norm of `total_norm` becomes at most `max_norm`. It works in place."""
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
    """Scale the gradients of all parameters by one factor, so that their norm, all taken as one vector, is at most `max_norm`."""
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
    """The older name of `clip_grad_norm_`. It gives a FutureWarning."""
    say(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Clip each element of the gradients to the range from -clip_value to clip_value. It works in place."""
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


manual.attach(__name__)
