"""Losses in few kernels. Replaces functions of `jgrad.kernels.numpy.loss`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import fused, summed
from jgrad.kernels.numpy.loss import check_classes, share_of_one
from jgrad.kernels.numpy.loss import mse_loss as mse_loss_of_any
from jgrad.kernels.numpy.loss import mse_loss_backward as mse_loss_backward_of_any
from jgrad.kernels.numpy.loss import nll_loss_backward as nll_loss_backward_of_any
from jgrad.kernels.numpy.loss import nll_loss_forward as nll_loss_forward_of_any
from jgrad.kernels.numpy.reduction import quotient
from jgrad.kernels.numpy.values import refuse_outside


@summed
def squared_distances(a: Any, target: Any, dtype: str) -> Any:
    return np.square(a.astype(dtype) - target.astype(dtype))


def mse_loss(a: Any, target: Any, reduction: int) -> Any:
    if reduction == 0 or a.dtype.kind != "f":
        return mse_loss_of_any(a, target, reduction)
    total = squared_distances(a, target, "f" if a.dtype.char == "e" else a.dtype.char)
    if reduction == 1:
        total = quotient(total, math.prod(np.broadcast_shapes(a.shape, target.shape)))
    return total.astype(a.dtype, copy=False)


@fused
def scaled_distance(grad: Any, a: Any, target: Any, factor: float) -> Any:
    return (a - target) * (grad * factor)


def mse_loss_backward(grad: Any, a: Any, target: Any, reduction: int) -> Any:
    if a.dtype.char not in "fd":
        return mse_loss_backward_of_any(grad, a, target, reduction)
    return scaled_distance(grad, a, target, 2 * share_of_one(a.shape, reduction))


@fused
def kept(target: Any, ignore_index: int) -> Any:
    return np.where(target == ignore_index, 0, target)


@summed
def losses(picked: Any, weights: Any, target: Any, ignore_index: int, dtype: str) -> Any:
    found = -picked if weights is None else np.where(weights != 0, -picked * weights, 0.0)
    return np.where(target == ignore_index, 0.0, found).astype(dtype)


@summed
def all_weights(weights: Any, target: Any, ignore_index: int, dtype: str) -> Any:
    kept = target != ignore_index
    return kept.astype(dtype) if weights is None else np.where(kept, weights, 0.0).astype(dtype)


@fused
def slopes(
    classes: Any, target: Any, ignore_index: int, grad: Any, weight: Any, total: Any, mean: bool, dtype: str
) -> Any:
    slope = -grad / total if mean else -grad
    if weight is not None:
        slope = np.where(weight != 0, slope * weight, 0.0)
    return np.where((classes == target) & (target != ignore_index), slope, 0.0).astype(dtype)


def _is_plain(a: Any, target: Any) -> bool:
    """Whether these are the classes of some samples in the usual form."""
    return a.ndim == 2 and target.ndim == 1 and a.size > 0 and target.dtype == np.int64


def nll_loss_forward(a: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> tuple:
    check_classes(a, target, weight)
    if not _is_plain(a, target) or reduction == 0:
        return nll_loss_forward_of_any(a, target, weight, reduction, ignore_index)
    a, classes = np.ascontiguousarray(a), a.shape[1]

    places = kept(target, ignore_index)

    def error() -> Exception:
        wrong = places[(places < 0) | (places >= classes)][0].item()
        return IndexError(f"Target {wrong} is out of bounds.")

    refuse_outside(places, 0, classes, error)
    picked = a.take(np.arange(0, a.size, classes) + places)
    weights = None if weight is None else weight.take(places)
    wide = "f" if a.dtype.char == "e" else a.dtype.char
    loss = losses(picked, weights, target, ignore_index, wide)
    total = all_weights(weights, target, ignore_index, wide)
    if reduction == 1:
        loss = loss / total
    return loss.astype(a.dtype, copy=False), total.astype(a.dtype, copy=False)


nll_loss2d_forward = nll_loss_forward


def nll_loss_backward(
    grad: Any, a: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total_weight: Any
) -> Any:
    if not _is_plain(a, target):
        return nll_loss_backward_of_any(grad, a, target, weight, reduction, ignore_index, total_weight)
    grad = grad[:, None] if grad.ndim else grad
    classes = np.arange(a.shape[1])
    mean = reduction == 1
    return slopes(
        classes,
        target[:, None],
        ignore_index,
        grad,
        weight,
        total_weight if mean else None,
        mean,
        a.dtype.char,
    )


nll_loss2d_backward = nll_loss_backward
