"""The kernels on NumPy arrays: normalizations. Part of `jgrad.kernels.numpy`.

All of them take a mean and a variance, subtract and divide; each is one kernel forward and one backward, since memory traffic is what they
cost. Sums of products come from einsum, which makes no intermediate array.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy.blocks import by_rows, joined
from jgrad.kernels.numpy.nn import F16, F32, in_float32, only_floating
from jgrad.kernels.numpy.shape import Array, is_channels_last, keeping_format, like, wrap_dim

BLOCK = 1 << 17  # elements


def check_parameters(a: Array, *parameters: Array | None) -> None:
    """Refuse parameters of another dtype (with half precision they may be of single); the first of them tells which it is to be."""
    given = [p.dtype for p in parameters if p is not None]
    if all(d == a.dtype for d in given):
        return
    if given[0] == a.dtype:
        kinds = [FROM_NUMPY[d].type_name for d in given]
        raise RuntimeError(
            f"expected scalar type {kinds[0]} but found {next(k for k in kinds if k != kinds[0])}"
        )
    if any(d != F32 for d in given):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if a.dtype != F16:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def standardized(rows: Array, eps: float) -> tuple[Array, Array, Array]:
    """The rows without their means and divided by their standard deviations; the means, and one over the standard deviations."""
    n = rows.shape[1]
    mean = joined(np.add, rows, (1,))
    mean /= n
    with by_rows(rows):
        rest = np.subtract(rows, mean, order="C")
    scale = np.vecdot(rest, rest)
    scale /= n
    scale += eps
    np.sqrt(scale, out=scale)
    np.reciprocal(scale, out=scale)
    with by_rows(rest):
        rest *= scale[:, None]
    return rest, mean.reshape(-1), scale


# Over the last dimensions ------------------------------------------------------------------------------------------------------


def normalized_rows(rows: Array, eps: float, weight: Array | None, bias: Array | None) -> tuple:
    """The rows standardized, times a weight and with a bias for each column; the means, and one over the standard deviations."""
    result, mean, rstd = standardized(rows, eps)
    with by_rows(result):
        if weight is not None:
            result *= weight
        if bias is not None:
            result += bias
    return result, mean, rstd


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


def in_single(parameter: Array | None) -> Array | None:
    return parameter if parameter is None else parameter.astype(F32, copy=False)


def of_half(results: tuple, *parameters: Array | None) -> tuple:
    """Results computed in float32 from half precision; the statistics stay in float32 if the parameters are."""
    statistics = F32 if any(p is not None and p.dtype == F32 for p in parameters) else F16
    return results[0].astype(F16), *[r.astype(statistics, copy=False) for r in results[1:]]


def native_layer_norm(
    a: Array, normalized_shape: tuple, weight: Array | None, bias: Array | None, eps: float
) -> tuple:
    check_parameters(a, weight, bias)
    check_layer_norm(a.shape, normalized_shape, weight, bias)
    only_floating("LayerNormKernelImpl", a)
    if a.dtype == F16:
        parameters = in_single(weight), in_single(bias)
        wide = native_layer_norm(a.astype(F32), normalized_shape, *parameters, eps)
        return of_half(wide, weight, bias)
    kept = a.shape[: a.ndim - len(normalized_shape)]
    n = math.prod(normalized_shape)
    flat = [p if p is None else p.reshape(n) for p in (weight, bias)]
    result, mean, rstd = normalized_rows(a.reshape(math.prod(kept), n), eps, *flat)
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
    output_mask: tuple,
) -> tuple:
    n = math.prod(normalized_shape)
    grads = grad.reshape(math.prod(grad.shape[: grad.ndim - len(normalized_shape)]), n)
    output_mask = output_mask[0], output_mask[1] and weight is not None, output_mask[2] and bias is not None
    found = normalized_rows_backward(
        grads,
        a.reshape(grads.shape),
        mean.reshape(-1),
        rstd.reshape(-1),
        weight if weight is None else weight.reshape(n),
        output_mask,
    )
    shapes = a.shape, tuple(normalized_shape), tuple(normalized_shape)
    return tuple([g if g is None else g.reshape(s) for g, s in zip(found, shapes, strict=True)])


def normalized_rows_backward(
    grads: Array, rows: Array, mean: Array, rstd: Array, weight: Array | None, output_mask: tuple
) -> tuple:
    """The gradients of the rows, the weight and the bias, as far as they are output_mask."""
    n = rows.shape[1]
    factor = np.ones(n, grads.dtype) if weight is None else weight
    by_input = np.empty(rows.shape, rows.dtype)
    by_weight, by_bias = np.zeros(n, grads.dtype), np.zeros(n, grads.dtype)
    step = max(1, BLOCK // max(n, 1))
    with by_rows(by_input):
        for start in range(0, len(rows), step):  # block by block, so that what is between stays in the cache
            part = slice(start, start + step)
            g, scale, result = grads[part], rstd[part], by_input[part]
            rest = rows[part] - mean[part, None]
            np.multiply(g, rest, out=result)
            by_weight += np.einsum("i,ij->j", scale, result)
            if output_mask[2]:
                by_bias += joined(np.add, g, (0,))[0]
            if output_mask[0]:
                # What is left of the gradient after its parts along the mean and along the row itself are taken away.
                along = np.vecdot(result, factor) * (scale * scale * scale / n)
                level = np.vecdot(g, factor) * (scale / n)
                np.multiply(g, factor if weight is not None else scale[:, None], out=result)
                if weight is not None:
                    result *= scale[:, None]
                rest *= along[:, None]
                result -= rest
                result -= level[:, None]
    return (
        by_input if output_mask[0] else None,
        by_weight if output_mask[1] else None,
        by_bias if output_mask[2] else None,
    )


# Over the batch ----------------------------------------------------------------------------------------------------------------


def by_channel(a: Array) -> Array:
    """As (batch, channels, places), or (batch, channels) if there is one place."""
    places = math.prod(a.shape[2:])
    return a.reshape(a.shape[0], a.shape[1] if a.ndim > 1 else 0, *([] if places == 1 else [places]))


def each(channels: Array, rows: Array) -> Array:
    """Numbers of channels, to be broadcast against what `by_channel` gives."""
    return channels if rows.ndim == 2 else channels[:, None]


def sums(rows: Array) -> Array:
    """The sum of each channel."""
    return (
        joined(np.add, rows, (0,))[0]
        if rows.ndim == 2
        else np.add.reduce(joined(np.add, rows, (2,))[..., 0], 0)
    )


def sums_of_products(rows: Array, others: Array) -> Array:
    return sums(rows * others) if rows.ndim == 2 else np.add.reduce(np.vecdot(rows, others), 0)


def check_batch_norm(a: Array, training: bool, mean: Any, var: Any, **vectors: Array | None) -> None:
    channels = a.shape[1] if a.ndim > 1 else 0
    for name, v in (("running_mean", mean), ("running_var", var), *vectors.items()):
        if v is not None and v.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {v.size}")
        if v is None and not training and name.startswith("running"):
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    wrap_dim(1, a.ndim)  # which raises an error if there is no dimension of channels
    if training and a.dtype.kind not in "fc" and not a.flags.c_contiguous:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
            f"{FROM_NUMPY[a.dtype].type_name}"
        )
    only_floating("batch_norm", a)
    check_parameters(a, *vectors.values(), mean, var)


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
    n = rows.size // rows.shape[1] if rows.size else 0
    if training:
        mean = sums(rows) / n
        with by_rows(rows):
            rest = np.subtract(rows, each(mean, rows), order="C")
        var = sums_of_products(rest, rest) / n
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
    invstd = (1 / np.sqrt(var + eps)).astype(rows.dtype, copy=False)
    scale = invstd if weight is None else invstd * weight
    dense = a.flags.c_contiguous or (a.ndim in (4, 5) and np.moveaxis(a, 1, -1).flags.c_contiguous)
    if training or not dense:
        with by_rows(rows):
            if not training:
                rest = np.subtract(rows, each(mean, rows), order="C")
            rest *= each(scale, rest)
            if bias is not None:
                rest += each(bias, rest)
    else:  # one factor and one summand for each channel: as in PyTorch for dense images, and nan where a factor is infinite
        shift = -mean * scale if bias is None else bias - mean * scale
        with by_rows(rows):
            rest = np.multiply(rows, each(scale, rows), order="C")
            rest += each(shift, rest)
    result = rest.reshape(a.shape).astype(a.dtype, copy=False)
    if dense and not a.flags.c_contiguous:
        result = like(a, result)  # channels last
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
    output_mask: tuple,
) -> tuple:
    if not training:
        assert running_mean is not None
        assert running_var is not None
        mean, invstd = running_mean, (1 / np.sqrt(running_var + eps)).astype(a.dtype, copy=False)
    grads, rows = by_channel(grad), by_channel(a)
    n = rows.size // rows.shape[1] if rows.size else 0
    with by_rows(rows):
        rest = rows - each(mean, rows)
        by_weight = sums_of_products(grads, rest) * invstd
        by_bias = sums(grads)
        by_input = None
        if output_mask[0]:
            scale = invstd if weight is None else invstd * weight
            by_input = grads * each(scale, rows)
            if training:
                rest *= each(scale * invstd * by_weight / n, rows)
                by_input -= rest
                by_input -= each(scale * by_bias / n, rows)
            by_input = by_input.reshape(a.shape)
    return by_input, by_weight if output_mask[1] else None, by_bias if output_mask[2] else None


# Over groups of channels -------------------------------------------------------------------------------------------------------


@keeping_format(0)
def native_group_norm(
    a: Array,
    weight: Array | None,
    bias: Array | None,
    samples: int,
    count: int,
    places: int,
    group: int,
    eps: float,
) -> tuple:
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and (p.ndim != 1 or p.size != count):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{list((p if weight is None else weight).shape)} and input of shape {list(a.shape)}"
            )
    for is_so, what in (
        (a.size == samples * count * places, "X.numel() == N * C * HxW"),
        (not a.size or a.flags.c_contiguous or is_channels_last(a), "X.is_contiguous(memory_format)"),
    ):
        if not is_so:
            raise RuntimeError(
                f"Expected {what} to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement "
                "request to PyTorch.)"
            )
    check_parameters(a, weight, bias)
    only_floating("GroupNormKernelImpl", a)
    if a.dtype == F16:
        parameters = in_single(weight), in_single(bias)
        wide = native_group_norm(a.astype(F32), *parameters, samples, count, places, group, eps)
        return of_half(wide, weight, bias)
    size = count // group * places
    result, mean, rstd = standardized(a.reshape(samples * group, size), eps)
    channels = result.reshape(samples, count, places)
    with by_rows(channels):
        if weight is not None:
            channels *= weight[:, None]
        if bias is not None:
            channels += bias[:, None]
    return channels.reshape(a.shape), mean.reshape(samples, group), rstd.reshape(samples, group)


def native_group_norm_backward(
    grads: list,
    a: Array,
    weight: Array | None,
    mean: Array,
    rstd: Array,
    sizes: tuple,
    eps: float,
    output_mask: tuple,
) -> tuple:
    if a.dtype == F16:
        wide: list[Any] = [g if g is None else g.astype(F32) for g in (*grads, a, weight, mean, rstd)]
        found = native_group_norm_backward(
            wide[:3], wide[3], wide[4], wide[5], wide[6], sizes, eps, output_mask
        )
        return tuple([g if g is None else g.astype(F16) for g in found])
    samples, count, places, group = sizes
    size = count // group * places
    grad = np.zeros(a.shape, a.dtype) if grads[0] is None else grads[0]
    grad, each = grad.reshape(samples, count, places), (samples, group, count // group)
    rows = a.reshape(samples * group, size)
    with by_rows(rows):
        rest = (rows - mean.reshape(-1, 1)).reshape(samples, count, places)
    # All that is summed up is found from two sums for each channel of each sample.
    products, sums = np.vecdot(grad, rest), joined(np.add, grad, (2,))[..., 0]
    by_weight = by_bias = by_input = None
    if output_mask[1]:
        by_weight = np.add.reduce((products.reshape(each) * rstd[:, :, None]).reshape(samples, count), 0)
    if output_mask[2]:
        by_bias = np.add.reduce(sums, 0)
    if output_mask[0]:
        factor = np.ones(count, a.dtype) if weight is None else weight
        along = np.add.reduce((products * factor).reshape(each), 2) * (rstd * rstd * rstd / size)
        level = np.add.reduce((sums * factor).reshape(each), 2) * (rstd / size)
        if grads[1] is not None:
            level -= grads[1] / size
        if grads[2] is not None:
            along += grads[2] * (rstd * rstd * rstd / size)
        scale = (rstd[:, :, None] * factor.reshape(each[1:])).reshape(samples, count, 1)
        with by_rows(grad):
            by_input = (grad * scale).reshape(rows.shape)
        with by_rows(rows):
            rest = rest.reshape(rows.shape)
            rest *= along.reshape(-1, 1)
            by_input -= rest
            by_input -= level.reshape(-1, 1)
        by_input = by_input.reshape(a.shape)
    return by_input, by_weight, by_bias


# Of weights --------------------------------------------------------------------------------------------------------------------


def weight_norm_interface(v: Array, g: Array, dim: int) -> tuple:
    if dim not in (0, v.ndim - 1):
        raise RuntimeError(
            "dim == 0 || dim == v.dim() - 1 INTERNAL ASSERT FAILED: fused kernels can only be applied for first or last dim"
        )
    only_floating("weight_norm_kernel", v)
    wide = v.astype(F32) if v.dtype == F16 else v
    norms = np.sqrt(np.sum(wide * wide, axis=_all_but(dim, v.ndim), keepdims=True))
    return (wide * (g / norms)).astype(v.dtype, copy=False), norms


@in_float32
def weight_norm_backward(
    grad: Array, v: Array, g: Array, norms: Array, dim: int, output_mask: tuple
) -> tuple:
    along = np.sum(grad * v, axis=_all_but(dim, v.ndim), keepdims=True) / norms
    return (
        g / norms * (grad - v * (along / norms)) if output_mask[0] else None,
        along if output_mask[1] else None,
    )


def _all_but(dim: int, ndim: int) -> tuple[int, ...]:
    return tuple(d for d in range(ndim) if d != dim)
