"""Normalizations: subtract a mean and divide by a standard deviation, over the last dimensions, the batch, or groups of channels.

The first derivatives are single kernels. Under `create_graph=True` the functions of the same names here run instead: they take the
statistics from the input again, with operations, so that their result can be differentiated any number of times.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad import observer, warn
from jgrad.dispatch import composite, op
from jgrad.dtypes import HALVES, INEXACT
from jgrad.kernels.numpy import c_name, check_layer_norm
from jgrad.kernels.numpy.shape import is_channels_last
from jgrad.ops.by_name import mul, pow, rsqrt
from jgrad.ops.distances import norm_except_dim
from jgrad.tensor import Tensor


def standardized(a: Tensor, dims: tuple, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """a without its mean and divided by its standard deviation over `dims`; the mean; one over the standard deviation."""
    mean = a.mean(dims, keepdim=True)
    rest = a - mean
    rstd = rsqrt((rest * rest).mean(dims, keepdim=True) + eps)
    return rest * rstd, mean, rstd


# ----- Over the last dimensions -----


@op(
    "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
    forms="function",
    constant="result1 result2",
)
class native_layer_norm:
    """`layer_norm` with all arguments given. It also returns the statistics that its gradient needs."""

    input = weight = bias = (
        lambda grad, input, normalized_shape, result1, result2, weight, bias, eps, output_mask: (
            native_layer_norm_backward(
                grad, input, normalized_shape, result1, result2, weight, bias, eps, output_mask
            )
        )
    )


def native_layer_norm_backward(
    grad: Tensor,
    input: Tensor,
    normalized_shape: tuple,
    mean: Tensor,
    rstd: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
    output_mask: tuple,
) -> tuple:
    """The gradients of native_layer_norm, composed of operations."""
    ndim = input._a.ndim
    kept = tuple(range(ndim - len(normalized_shape)))
    unit, _, rstd = standardized(input, tuple(range(len(kept), ndim)), eps)
    scaled = grad if weight is None else grad * weight
    return (
        _projected(scaled, unit, rstd, tuple(range(len(kept), ndim))) if output_mask[0] else None,
        _summed(grad * unit, kept) if output_mask[1] else None,
        _summed(grad, kept) if output_mask[2] else None,
    )


def _projected(grad: Tensor, unit: Tensor, rstd: Tensor, dims: tuple) -> Tensor:
    """What is left of a gradient after its parts along the mean and along the unit row are taken away."""
    return rstd * (grad - grad.mean(dims, keepdim=True) - unit * (grad * unit).mean(dims, keepdim=True))


def _summed(a: Tensor, dims: tuple) -> Tensor:
    return a.sum(dims) if dims else a


@composite(
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) "
    "-> Tensor",
    forms="function",
)
def layer_norm(
    input: Tensor,
    normalized_shape: tuple,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    """Normalizes each sample over its last dimensions: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    return native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


@composite(
    "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
    forms="function",
)
def rms_norm(
    input: Tensor, normalized_shape: tuple, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides each sample by its root mean square over the last dimensions; then times `weight`. No mean is subtracted."""
    check_layer_norm(input._a.shape, normalized_shape, weight, None, star="*")
    if input._a.dtype.kind not in INEXACT:
        raise NotImplementedError(f"\"rms_norm\" not implemented for '{input.dtype.type_name}'")
    if weight is not None and weight._a.dtype != input._a.dtype:
        names = f"input dtype = {c_name(input._a)}, weight dtype = {c_name(weight._a)}"
        warn.once(
            f"Mismatch dtype between input and weight: {names}, Cannot dispatch to fused implementation.",
        )
    ndim = input._a.ndim
    if eps is None:
        eps = float(np.finfo(np.float32 if input.dtype in HALVES else input._a.dtype).eps)
    wide = input.float() if input.dtype in HALVES else input
    square = pow(wide, 2).mean(tuple(range(ndim - len(normalized_shape), ndim)), keepdim=True)
    result = mul(wide, rsqrt(square.add_(eps)))
    if weight is not None:
        result = mul(result, weight)
    result = result.contiguous()
    return result if result.dtype is input.dtype else result.to(input.dtype)


# ----- Over the batch -----


@op(
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, "
    "float eps) -> (Tensor, Tensor, Tensor)",
    forms="function out",
    constant="result1 result2",
)
class native_batch_norm:
    """`batch_norm` with all arguments given. It also returns the statistics that its gradient needs."""

    input = weight = bias = (
        lambda grad, input, weight, running_mean, running_var, result1, result2, training, eps, output_mask: (
            native_batch_norm_backward(
                grad, input, weight, running_mean, running_var, result1, result2, training, eps, output_mask
            )
        )
    )


def native_batch_norm_backward(
    grad: Tensor,
    input: Tensor,
    weight: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    mean: Tensor,
    invstd: Tensor,
    training: bool,
    eps: float,
    output_mask: tuple,
) -> tuple:
    """The gradients of native_batch_norm, composed of operations."""
    ndim = input._a.ndim
    dims = (0, *range(2, ndim))
    along = (1, -1) + (1,) * (ndim - 2)
    if training:
        unit, _, rstd = standardized(input, dims, eps)
    else:
        assert running_mean is not None
        assert running_var is not None
        rstd = rsqrt(running_var.view(along) + eps)
        unit = (input - running_mean.view(along)) * rstd
    by_input = None
    if output_mask[0]:
        scaled = grad if weight is None else grad * weight.view(along)
        by_input = _projected(scaled, unit, rstd, dims) if training else scaled * rstd
    return (
        by_input,
        (grad * unit).sum(dims) if output_mask[1] else None,
        grad.sum(dims) if output_mask[2] else None,
    )


_STATISTICS = "Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var"


@composite(
    f"batch_norm({_STATISTICS}, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    forms="function",
)
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """Normalizes each channel over the batch: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    In training both are computed from the batch; otherwise the running statistics are used."""
    if not input._a.size:
        result = input.clone()
        result = result if weight is None else result * weight.select(0, 0)
        return result if bias is None else result + bias.select(0, 0)
    watch = observer.current if training else None
    # (That it writes to these moves no version counter.)
    written = [] if watch is None else [one for one in (running_mean, running_var) if one is not None]
    if watch is not None:
        watch.writing_several(written)
    result = native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]
    for one in written:
        watch.op("batch_norm", "write", (one,), (one,), None, {})  # type: ignore[union-attr]
    return result


@composite(
    f"instance_norm({_STATISTICS}, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    forms="function",
)
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """Normalizes each channel of each sample by itself: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    shape = input._a.shape
    samples, channels = shape[:2]
    mean, var = running_mean, running_var
    if mean is not None and var is not None and var.dtype is input.dtype is not mean.dtype:
        mean = mean.to(input.dtype)  # PyTorch takes means of any dtype, but not variances
    repeated = [v if v is None else v.repeat((samples,)) for v in (weight, bias, mean, var)]
    flat = input.contiguous().view((1, samples * channels, *shape[2:]))
    result = batch_norm(flat, *repeated, use_input_stats, momentum, eps, cudnn_enabled)
    for running, many in zip((running_mean, running_var), repeated[2:], strict=True):
        if running is not None and many is not None:
            running.detach().copy_(many.view((samples, channels)).mean((0,)))
    return result.view(shape)


# ----- Over groups of channels -----


@op(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
    forms="function",
)
class native_group_norm:
    """`group_norm` with all arguments given, the sizes of the tensor too. It also returns the statistics that its gradient needs."""

    input = weight = bias = (
        lambda grads, input, weight, N, C, HxW, group, eps, result1, result2, output_mask: (
            native_group_norm_backward(
                grads, input, weight, result1, result2, (N, C, HxW, group), eps, output_mask
            )
        )
    )


def native_group_norm_backward(
    grads: Any,
    input: Tensor,
    weight: Tensor | None,
    mean: Tensor,
    rstd: Tensor,
    sizes: tuple,
    eps: float,
    output_mask: tuple,
) -> tuple:
    """The gradients of native_group_norm, composed of operations."""
    samples, channels, places, groups = sizes
    split = (samples, groups, channels // groups, places)
    rest = (samples, groups, 1, 1)
    unit, _, rstd = standardized(input.reshape(split), (2, 3), eps)
    grad = input.new_zeros(split) if grads[0] is None else grads[0].reshape(split)
    by_input = None
    if output_mask[0]:
        scaled = grad if weight is None else grad * weight.view((1, groups, channels // groups, 1))
        by_input = _projected(scaled, unit, rstd, (2, 3))
        size = channels // groups * places
        if grads[1] is not None:
            by_input = by_input + grads[1].reshape(rest) / size
        if grads[2] is not None:
            by_input = by_input - grads[2].reshape(rest) * rstd * rstd * unit / size
        by_input = by_input.reshape(input._a.shape)
    return (
        by_input,
        (grad * unit).sum((0, 3)).reshape((channels,)) if output_mask[1] else None,
        grad.sum((0, 3)).reshape((channels,)) if output_mask[2] else None,
    )


@composite(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
    forms="function",
)
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:
    """Normalizes groups of channels of each sample: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    shape = input._a.shape
    if len(shape) < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    samples, channels = shape[:2]
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(shape)} and num_groups={num_groups}"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and p._a.shape != (channels,):
            given = [0] if weight is None else list(weight._a.shape)
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{given} and input of shape {list(shape)}"
            )
    weight, bias = (p if p is None else p.contiguous() for p in (weight, bias))
    input = input if is_channels_last(input._a) else input.contiguous()
    return native_group_norm(input, weight, bias, samples, channels, math.prod(shape[2:]), num_groups, eps)[0]


# ----- Of weights -----


@op(
    "_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)",
    kernel="weight_norm_interface",
    forms="function",
    constant="result1",
)
class _weight_norm_interface:
    """The rows (or columns) of v, each scaled to the length that g has for it; and the lengths that they had."""

    v = g = lambda grad, v, g, result1, dim, output_mask: weight_norm_backward(
        grad, v, g, result1, dim, output_mask
    )


def weight_norm_backward(
    grad: Tensor, v: Tensor, g: Tensor, norms: Tensor, dim: int, output_mask: tuple
) -> tuple:
    """The gradients of _weight_norm_interface, composed of operations. The norms are computed again, since they depend on v too."""
    norms = norm_except_dim(v, 2, dim)
    dims = tuple(d for d in range(v._a.ndim) if d != dim)
    along = (grad * v).sum(dims, keepdim=True) / norms
    return (
        g / norms * (grad - v * (along / norms)) if output_mask[0] else None,
        along if output_mask[1] else None,
    )


@composite("_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", forms="function")
def _weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """v with the norm g for each index of a dimension; -1 for one norm of all elements."""
    last = v._a.ndim - 1
    if dim in (0, last):
        return _weight_norm_interface(v.contiguous(), g.contiguous(), dim)[0]
    return v * (g / norm_except_dim(v, 2, dim))
