"""The kernels on NumPy arrays: normalizations. Part of `jgrad.kernels.numpy`.

All of them take a mean and a variance, subtract and divide; each is one kernel forward and one backward, since memory traffic is what they
cost. Sums of products come from einsum, which makes no intermediate array.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy_nn import F16, F32, in_float32, only_floating
from jgrad.kernels.numpy_shape import Array


def check_parameters(a: Array, *parameters: Array | None) -> None:
    """Refuse parameters of another dtype (with half precision they may be of single)."""
    for p in parameters:
        if p is not None and p.dtype != a.dtype and not (a.dtype == F16 and p.dtype == F32):
            kind = FROM_NUMPY[a.dtype].type_name
            raise RuntimeError(f"mixed dtype (CPU): expect parameter to have scalar type of {kind}")


def centered(rows: Array, eps: float) -> tuple[Array, Array, Array]:
    """The rows without their means, the means, and one over the standard deviations."""
    n = rows.shape[1]
    mean = np.add.reduce(rows, 1)
    mean /= n
    rest = rows - mean[:, None]
    scale = np.einsum("ij,ij->i", rest, rest)
    scale /= n
    scale += eps
    np.sqrt(scale, out=scale)
    return rest, mean, np.reciprocal(scale, out=scale)


# Over the last dimensions ------------------------------------------------------------------------------------------------------


def check_layer_norm(shape: tuple, normalized: tuple, weight: Any, bias: Any, star: str = "*, ") -> None:
    """Refuse what does not fit, in PyTorch's words; for arrays and tensors alike."""
    if not normalized:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and tuple(p.shape) != tuple(normalized):
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(p.shape)} and normalized_shape = "
                f"{list(normalized)}"
            )
    if len(shape) < len(normalized) or tuple(shape[len(shape) - len(normalized) :]) != tuple(normalized):
        sizes = ", ".join(map(str, normalized))
        raise RuntimeError(
            f"Given normalized_shape={list(normalized)}, expected input with shape [{star}{sizes}], but got input of size{list(shape)}"
        )


@in_float32
def native_layer_norm(
    a: Array, normalized_shape: tuple, weight: Array | None, bias: Array | None, eps: float
) -> tuple:
    check_layer_norm(a.shape, normalized_shape, weight, bias)
    only_floating("LayerNormKernelImpl", a)
    check_parameters(a, weight, bias)
    kept = a.shape[: a.ndim - len(normalized_shape)]
    n = math.prod(normalized_shape)
    result, mean, rstd = centered(a.reshape(math.prod(kept), n), eps)
    result *= rstd[:, None]
    if weight is not None:
        result *= weight.reshape(n)
    if bias is not None:
        result += bias.reshape(n)
    kept += (1,) * len(normalized_shape)
    return result.reshape(a.shape), mean.reshape(kept), rstd.reshape(kept)


@in_float32
def native_layer_norm_backward(
    grad: Array,
    a: Array,
    normalized_shape: tuple,
    mean: Array,
    rstd: Array,
    weight: Array | None,
    bias: Array | None,
    eps: float,
    wanted: tuple,
) -> tuple:
    n = math.prod(normalized_shape)
    grads = grad.reshape(-1, n) if n else grad.reshape(grad.size, n)
    rstd = rstd.reshape(-1, 1)
    unit = a.reshape(grads.shape) - mean.reshape(-1, 1)
    unit *= rstd
    by_weight = by_bias = by_input = None
    if wanted[1] and weight is not None:
        by_weight = np.einsum("ij,ij->j", grads, unit).reshape(weight.shape)
    if wanted[2] and bias is not None:
        by_bias = np.add.reduce(grads, 0).reshape(bias.shape)
    if wanted[0]:
        scaled = grads if weight is None else grads * weight.reshape(n)
        # What is left of the gradient after its parts along the mean and along the unit row are taken away.
        along = np.einsum("ij,ij->i", scaled, unit)[:, None] / n
        level = np.add.reduce(scaled, 1, keepdims=True) / n
        unit *= along
        unit += level
        by_input = np.subtract(scaled, unit, out=unit)
        by_input *= rstd
        by_input = by_input.reshape(a.shape)
    return by_input, by_weight, by_bias


# Over the batch ----------------------------------------------------------------------------------------------------------------


def by_channel(a: Array) -> Array:
    """As (batch, channels, places)."""
    return a.reshape(a.shape[0], a.shape[1] if a.ndim > 1 else 0, math.prod(a.shape[2:]))


def check_batch_norm(a: Array, training: bool, mean: Any, var: Any, **vectors: Array | None) -> None:
    channels = a.shape[1] if a.ndim > 1 else 0
    for name, v in (("running_mean", mean), ("running_var", var), *vectors.items()):
        if v is not None and v.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {v.size}")
        if v is None and not training and name.startswith("running"):
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    only_floating("batch_norm", a)
    if mean is not None and mean.dtype != a.dtype and a.dtype != F16:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    check_parameters(a, *vectors.values())


def native_batch_norm(
    a: Array,
    weight: Array | None,
    bias: Array | None,
    running_mean: Array | None,
    running_var: Array | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple:
    """In training the running statistics are updated in place, which nobody's version counter sees; as in PyTorch."""
    check_batch_norm(a, training, running_mean, running_var, weight=weight, bias=bias)
    wide = a.astype(F32) if a.dtype == F16 else a
    rows = by_channel(wide)
    n = rows.shape[0] * rows.shape[2]
    if training:
        mean = np.add.reduce(np.add.reduce(rows, 2), 0) / n
        rest = rows - mean[:, None]
        var = np.einsum("ncl,ncl->c", rest, rest) / n
        if n:
            unbiased = var * (n / (n - 1)) if n > 1 else var / np.zeros_like(var)
            for running, new in ((running_mean, mean), (running_var, unbiased)):
                if running is not None:
                    running *= 1 - momentum
                    running += (momentum * new).astype(running.dtype, copy=False)
    else:
        assert running_mean is not None
        assert running_var is not None
        mean, var = running_mean.astype(rows.dtype, copy=False), running_var.astype(rows.dtype, copy=False)
        rest = rows - mean[:, None]
    invstd = (1 / np.sqrt(var + eps)).astype(rows.dtype, copy=False)
    rest *= (invstd if weight is None else invstd * weight)[:, None]
    if bias is not None:
        rest += bias[:, None]
    result = rest.reshape(a.shape).astype(a.dtype, copy=False)
    if not training:
        return result, np.empty(0, invstd.dtype), np.empty(0, invstd.dtype)
    return result, mean.astype(rows.dtype, copy=False), invstd


@in_float32
def native_batch_norm_backward(
    grad: Array,
    a: Array,
    weight: Array | None,
    running_mean: Array | None,
    running_var: Array | None,
    mean: Array,
    invstd: Array,
    training: bool,
    eps: float,
    wanted: tuple,
) -> tuple:
    if not training:
        assert running_mean is not None
        assert running_var is not None
        mean, invstd = running_mean, (1 / np.sqrt(running_var + eps)).astype(a.dtype, copy=False)
    grads = by_channel(grad)
    unit = by_channel(a) - mean[:, None]
    unit *= invstd[:, None]
    n = unit.shape[0] * unit.shape[2]
    by_weight = np.einsum("ncl,ncl->c", grads, unit)
    by_bias = np.add.reduce(np.add.reduce(grads, 2), 0)
    by_input = None
    if wanted[0]:
        scale = (invstd if weight is None else invstd * weight)[:, None]
        if training:
            unit *= (by_weight / n)[:, None]
            unit += (by_bias / n)[:, None]
            by_input = np.subtract(grads, unit, out=unit)
            by_input *= scale
        else:
            by_input = grads * scale
        by_input = by_input.reshape(a.shape)
    return by_input, by_weight if wanted[1] else None, by_bias if wanted[2] else None


# Over groups of channels -------------------------------------------------------------------------------------------------------


@in_float32
def native_group_norm(
    a: Array, weight: Array | None, bias: Array | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple:
    only_floating("GroupNormKernelImpl", a)
    check_parameters(a, weight, bias)
    size = C // group * HxW
    result, mean, rstd = centered(a.reshape(N * group, size), eps)
    result *= rstd[:, None]
    channels = result.reshape(N, C, HxW)
    if weight is not None:
        channels *= weight[:, None]
    if bias is not None:
        channels += bias[:, None]
    return channels.reshape(a.shape), mean.reshape(N, group), rstd.reshape(N, group)


def native_group_norm_backward(
    grads: list,
    a: Array,
    weight: Array | None,
    mean: Array,
    rstd: Array,
    sizes: tuple,
    eps: float,
    wanted: tuple,
) -> tuple:
    if a.dtype == F16:
        wide = [g if g is None else g.astype(F32) for g in (*grads, a, weight, mean, rstd)]
        found = native_group_norm_backward(wide[:3], *wide[3:], sizes, eps, wanted)
        return tuple([g if g is None else g.astype(F16) for g in found])
    N, C, HxW, group = sizes
    size = C // group * HxW
    grad = np.zeros(a.shape, a.dtype) if grads[0] is None else grads[0]
    scale = rstd.reshape(-1, 1)
    unit = a.reshape(N * group, size) - mean.reshape(-1, 1)
    unit *= scale
    by_weight = by_bias = by_input = None
    channels = grad.reshape(N, C, HxW)
    if wanted[1]:
        by_weight = np.einsum("ncl,ncl->c", channels, unit.reshape(N, C, HxW))
    if wanted[2]:
        by_bias = np.add.reduce(np.add.reduce(channels, 2), 0)
    if wanted[0]:
        rows = (channels if weight is None else channels * weight[:, None]).reshape(N * group, size)
        along = np.einsum("ij,ij->i", rows, unit)[:, None] / size
        level = np.add.reduce(rows, 1, keepdims=True) / size
        by_input = (rows - level - unit * along) * scale
        if grads[1] is not None:
            by_input += grads[1].reshape(-1, 1) / size
        if grads[2] is not None:
            by_input -= grads[2].reshape(-1, 1) * scale * scale * unit / size
        by_input = by_input.reshape(a.shape)
    return by_input, by_weight, by_bias
