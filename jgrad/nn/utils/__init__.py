"""Tools for parameters and their gradients; `torch.nn.utils`."""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType
from typing import Any

import jgrad
from jgrad import observer
from jgrad.nn.utils import fusion as fusion
from jgrad.nn.utils import parametrizations as parametrizations
from jgrad.nn.utils import parametrize as parametrize
from jgrad.nn.utils import rnn as rnn
from jgrad.nn.utils.fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
from jgrad.nn.utils.fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
from jgrad.nn.utils.fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
from jgrad.nn.utils.fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
from jgrad.nn.utils.init import skip_init as skip_init
from jgrad.nn.utils.older_norms import remove_spectral_norm as remove_spectral_norm
from jgrad.nn.utils.older_norms import remove_weight_norm as remove_weight_norm
from jgrad.nn.utils.older_norms import spectral_norm as spectral_norm
from jgrad.nn.utils.older_norms import weight_norm as weight_norm
from jgrad.tensor import Tensor
from jgrad.warn import say


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters one after the other, as one vector."""
    return jgrad.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Give parameters the parts of a vector as their data."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_name(vec)}")
    start = 0
    for parameter in parameters:
        part = vec[start : start + parameter.numel()]
        parameter.data = part.view_as(parameter).data
        start += parameter.numel()


def _name(value: Any) -> str:
    from jgrad.nn.modules.module import typename

    return typename(value)


def _gradients(parameters: Any) -> list[Tensor]:
    given = [parameters] if isinstance(parameters, Tensor) else parameters
    return [parameter.grad for parameter in given if parameter.grad is not None]


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of several tensors as if they were one vector."""
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
    """Scale all gradients so that a total norm becomes at most `max_norm`."""
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
    """Scale all gradients so that their total norm is at most `max_norm`; gives the norm they had."""
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not given and isinstance(parameters, GeneratorType):
        say("`parameters` is an empty generator, no gradient clipping will occur.")
    with jgrad.no_grad():
        total = get_total_norm(_gradients(given), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, total)
    observer.report_no_effect("clip_grad_norm_", tuple(given))
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Clip every number of the gradients to [-clip_value, clip_value]."""
    gradients = _gradients(parameters)
    if not gradients:
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be improved?  If so, please report "
            "an enhancement request to PyTorch.)"
        )
    with jgrad.no_grad():
        for grad in gradients:
            grad.clamp_(-float(clip_value), float(clip_value))
