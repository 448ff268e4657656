"""Normalizations in few kernels. Replaces functions of `jgrad.kernels.numpy.normalization`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import fused, summed, written
from jgrad.kernels.numpy.nn import F16, F32, in_float32
from jgrad.kernels.numpy.normalization import by_channel, check_batch_norm, each
from jgrad.kernels.numpy.normalization import native_batch_norm as native_batch_norm_of_any
from jgrad.kernels.numpy.normalization import native_batch_norm_backward as native_batch_norm_backward_of_any
from jgrad.kernels.numpy.normalization import normalized_rows as normalized_rows_of_any
from jgrad.kernels.numpy.normalization import normalized_rows_backward as normalized_rows_backward_of_any
from jgrad.kernels.numpy.normalization import standardized as standardized_of_any
from jgrad.kernels.numpy.shape import like


@summed
def squares(a: Any, mean: Any) -> Any:
    return np.square(a - mean)


@fused
def inverse_deviation(squares: Any, n: float, eps: float) -> Any:
    return np.reciprocal(np.sqrt(squares / n + eps))


@fused
def placed(a: Any, mean: Any, scale: Any, weight: Any, bias: Any) -> Any:
    result = (a - mean) * scale
    if weight is not None:
        result = result * weight
    return result if bias is None else result + bias


# Over the last dimensions ------------------------------------------------------------------------------------------------------


def normalized_rows(rows: Any, eps: float, weight: Any, bias: Any) -> tuple:
    if not rows.size:
        return normalized_rows_of_any(rows, eps, weight, bias)
    rows = np.ascontiguousarray(rows)
    mean = rows.mean(1, keepdims=True)
    scale = inverse_deviation(squares(rows, mean, axis=1, keepdims=True), float(rows.shape[1]), eps)
    return placed(rows, mean, scale, weight, bias), mean.reshape(-1), scale.reshape(-1)


def standardized(rows: Any, eps: float) -> tuple:
    return normalized_rows(rows, eps, None, None) if rows.size else standardized_of_any(rows, eps)


@summed
def along_rows(grad: Any, a: Any, mean: Any, scale: Any) -> Any:
    return grad * ((a - mean) * scale)


@summed
def weighted(grad: Any, weight: Any, a: Any, mean: Any) -> Any:
    made = grad if weight is None else grad * weight
    return made if a is None else made * (a - mean)


@fused
def by_row(grad: Any, a: Any, mean: Any, scale: Any, weight: Any, along: Any, level: Any, n: float) -> Any:
    made = grad * scale if weight is None else grad * weight * scale
    return made - (a - mean) * (along * (scale * scale * scale / n)) - level * (scale / n)


def normalized_rows_backward(
    grads: Any, rows: Any, mean: Any, rstd: Any, weight: Any, output_mask: tuple
) -> tuple:
    """What is left of the gradient after its parts along the mean and along the row itself are taken away; and those of weight and bias."""
    if not rows.size:
        return normalized_rows_backward_of_any(grads, rows, mean, rstd, weight, output_mask)
    mean, scale = mean[:, None], rstd[:, None]
    by_input = None
    if output_mask[0]:
        along = weighted(grads, weight, rows, mean, axis=1, keepdims=True)
        level = weighted(grads, weight, None, None, axis=1, keepdims=True)
        by_input = by_row(grads, rows, mean, scale, weight, along, level, float(rows.shape[1]))
    by_weight = along_rows(grads, rows, mean, scale, axis=0) if output_mask[1] else None
    return by_input, by_weight, grads.sum(0) if output_mask[2] else None


# Over the batch ----------------------------------------------------------------------------------------------------------------


@written
def moved(running: Any, new: Any, momentum: float, divisor: float) -> Any:
    return running * (1 - momentum) + (momentum * (new / divisor)).astype(running.dtype)


def native_batch_norm(
    a: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> tuple:  # fmt: skip
    if not a.size or a.dtype.kind != "f":
        return native_batch_norm_of_any(a, weight, bias, running_mean, running_var, training, momentum, eps)
    check_batch_norm(a, training, running_mean, running_var, weight=weight, bias=bias)
    rows = np.ascontiguousarray(by_channel(a.astype(F32) if a.dtype == F16 else a))
    n = rows.size // rows.shape[1]
    if training:
        dims = (0,) if rows.ndim == 2 else (0, 2)
        mean = rows.mean(dims)
        spread = squares(rows, each(mean, rows), axis=dims)
        for running, new, divisor in ((running_mean, mean, 1.0), (running_var, spread, n - 1.0)):
            if running is not None:
                moved(running, new, float(momentum), divisor, running)
        invstd = inverse_deviation(spread, float(n), eps)
    else:
        mean = running_mean.astype(rows.dtype, copy=False)
        invstd = inverse_deviation(running_var, 1.0, eps).astype(rows.dtype, copy=False)
    parameters = [p if p is None else each(p, rows) for p in (mean, invstd, weight, bias)]
    result = placed(rows, *parameters).reshape(a.shape).astype(a.dtype, copy=False)
    if a.ndim in (4, 5) and not a.flags.c_contiguous and np.moveaxis(a, 1, -1).flags.c_contiguous:
        result = like(a, result)  # channels last
    if not training:
        return result, np.empty(0, invstd.dtype), np.empty(0, invstd.dtype)
    return result, mean, invstd


@fused
def by_place(grad: Any, invstd: Any, weight: Any) -> Any:
    return grad * (invstd if weight is None else invstd * weight)


@fused
def by_place_of_batch(
    grad: Any, a: Any, mean: Any, invstd: Any, weight: Any, by_weight: Any, by_bias: Any, n: float
) -> Any:
    scale = invstd if weight is None else invstd * weight
    return grad * scale - (a - mean) * (scale * invstd * by_weight / n) - scale * by_bias / n


@in_float32
def native_batch_norm_backward(
    grad: Any, a: Any, weight: Any, running_mean: Any, running_var: Any, mean: Any, invstd: Any, training: bool, eps: float, output_mask: tuple
) -> tuple:  # fmt: skip
    if not a.size or a.dtype.kind != "f":
        return native_batch_norm_backward_of_any(
            grad, a, weight, running_mean, running_var, mean, invstd, training, eps, output_mask
        )
    if not training:
        mean, invstd = running_mean, inverse_deviation(running_var, 1.0, eps).astype(a.dtype, copy=False)
    grads, rows = by_channel(grad), by_channel(a)
    n, dims = rows.size // rows.shape[1], (0,) if rows.ndim == 2 else (0, 2)
    mean, invstd, weight = (p if p is None else each(p, rows) for p in (mean, invstd, weight))
    by_weight: Any = None
    by_bias: Any = None
    by_input: Any = None
    if output_mask[1] or (output_mask[0] and training):
        by_weight = along_rows(grads, rows, mean, invstd, axis=dims)
    if output_mask[2] or (output_mask[0] and training):
        by_bias = grads.sum(dims)
    if output_mask[0] and training:
        sums = each(by_weight, rows), each(by_bias, rows)
        by_input = by_place_of_batch(grads, rows, mean, invstd, weight, *sums, float(n))
    elif output_mask[0]:
        by_input = by_place(grads, invstd, weight)
    if by_input is not None:
        by_input = by_input.reshape(a.shape) if by_input.base is not None else shaped(by_input, a.shape)
    return by_input, by_weight if output_mask[1] else None, by_bias if output_mask[2] else None


def shaped(new: Any, shape: tuple) -> Any:
    """A new array in another shape, and still one of its own: as a gradient it need not be copied."""
    new.shape = shape
    return new
