"""Shares of exponentials, in three kernels and two. Replaces functions of `jgrad.kernels.numpy.reduction`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import fused, summed
from jgrad.kernels.numpy.reduction import log_softmax as log_softmax_of_any
from jgrad.kernels.numpy.reduction import log_softmax_backward as log_softmax_backward_of_any
from jgrad.kernels.numpy.reduction import softmax as softmax_of_any
from jgrad.kernels.numpy.reduction import softmax_backward as softmax_backward_of_any
from jgrad.kernels.numpy.reduction import softmax_input, widened


@summed
def powers(a: Any, top: Any) -> Any:
    return np.exp(a - top)


@fused
def shares(a: Any, top: Any, sums: Any, dtype: str) -> Any:
    return (np.exp(a - top) / sums).astype(dtype)


@fused
def logarithms(a: Any, top: Any, sums: Any, dtype: str) -> Any:
    return (a - top - np.log(sums)).astype(dtype)


def _prepared(name: str, a: Any, dim: int) -> tuple:
    wide, d = softmax_input(name, a, dim)
    wide = np.ascontiguousarray(wide)
    top = wide.max(d, keepdims=True)
    return wide, top, powers(wide, top, axis=d, keepdims=True), a.dtype.char


def softmax(a: Any, dim: int) -> Any:
    return shares(*_prepared("softmax", a, dim)) if a.ndim and a.size else softmax_of_any(a, dim)


def log_softmax(a: Any, dim: int) -> Any:
    return logarithms(*_prepared("log_softmax", a, dim)) if a.ndim and a.size else log_softmax_of_any(a, dim)


@summed
def products(a: Any, b: Any) -> Any:
    return a * b


@fused
def without_mean(grad: Any, result: Any, sums: Any, dtype: str) -> Any:
    return ((grad - sums) * result).astype(dtype)


@fused
def without_share(grad: Any, result: Any, sums: Any, dtype: str) -> Any:
    return (grad - np.exp(result) * sums).astype(dtype)


def softmax_backward(grad: Any, result: Any, dim: int) -> Any:
    if not result.ndim or grad.dtype.kind == "c":
        return softmax_backward_of_any(grad, result, dim)
    grad, wide = widened(grad), widened(result)
    return without_mean(grad, wide, products(grad, wide, axis=dim, keepdims=True), result.dtype.char)


def log_softmax_backward(grad: Any, result: Any, dim: int) -> Any:
    if not result.ndim or grad.dtype.kind == "c":
        return log_softmax_backward_of_any(grad, result, dim)
    grad = widened(grad)
    return without_share(grad, widened(result), grad.sum(dim, keepdims=True), result.dtype.char)
