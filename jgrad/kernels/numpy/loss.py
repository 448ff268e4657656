"""The kernels on NumPy arrays: losses. Part of `jgrad.kernels.numpy`. A reduction is 0 for none, 1 for the mean, 2 for the sum."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, can_cast, result_of
from jgrad.kernels.numpy.blocks import LARGE, begins_of_rows
from jgrad.kernels.numpy.nn import F16, F32, element_by_element, in_float32, in_place, only_floating
from jgrad.kernels.numpy.pointwise import neg, rsub, sub
from jgrad.kernels.numpy.reduction import quotient
from jgrad.kernels.numpy.shape import Array, laid_out
from jgrad.kernels.numpy.values import CHECKED, any_or_unknown, refuse_outside, refuse_unless


def reduced_loss(values: Array, reduction: int) -> Array:
    """The losses of the elements, or their mean or sum."""
    if reduction == 0:
        return values
    total = np.add.reduce(values, None)
    return np.asarray(total if reduction == 2 else quotient(total, values.size), values.dtype)


def share_of_one(shape: tuple, reduction: int) -> float:
    """How much one of the elements weighs in the reduced loss."""
    count = 1
    for n in shape:
        count *= n
    return 1 / count if reduction == 1 and count else 1


# Distances ---------------------------------------------------------------------------------------------------------------------


@element_by_element
def mse_loss(a: Array, target: Array, reduction: int) -> Array:
    only_floating("mse_cpu", a)
    distance = np.asarray(a - target)
    return reduced_loss(np.multiply(distance, distance, out=distance), reduction)


@element_by_element
def mse_loss_backward(grad: Array, a: Array, target: Array, reduction: int) -> Array:
    slope = np.asarray(a - target)
    slope *= np.asarray(grad * grad.dtype.type(2 * share_of_one(a.shape, reduction)))
    return slope


@element_by_element
def smooth_l1_loss(a: Array, target: Array, reduction: int, beta: float) -> Array:
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    distance = np.abs(a - target)
    if beta > 0:
        only_floating("smooth_l1_cpu", a)
        near = distance.clip(0, beta)
        distance = near * (distance - 0.5 * near) / beta
    return reduced_loss(distance, reduction)


@element_by_element
def smooth_l1_loss_backward(grad: Array, a: Array, target: Array, reduction: int, beta: float) -> Array:
    distance = np.asarray(a - target)
    slope = np.sign(distance) if beta == 0 else np.clip(distance / beta, -1, 1)
    return slope * grad * share_of_one(a.shape, reduction)


@element_by_element
def huber_loss(a: Array, target: Array, reduction: int, delta: float) -> Array:
    if not delta > 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    common, kept = result_of([a, target]), FROM_NUMPY[a.dtype]
    if not can_cast(common, kept):
        raise RuntimeError(
            f"result type {common.type_name} can't be cast to the desired output type {kept.type_name}"
        )
    only_floating("huber_cpu", a)
    distance = np.abs(a - target)
    near = distance.clip(0, delta)
    loss = near * (distance - 0.5 * near)
    return reduced_loss(loss.astype(a.dtype, copy=False), reduction)


def refuse_two_dtypes(a: Array, target: Array) -> None:
    if target.dtype != a.dtype:
        found, expected = (FROM_NUMPY[x.dtype].type_name for x in (target, a))
        raise RuntimeError(f"Found dtype {found} but expected {expected}")


@element_by_element
def huber_loss_backward(grad: Array, a: Array, target: Array, reduction: int, delta: float) -> Array:
    refuse_two_dtypes(a, target)
    return np.clip(a - target, -delta, delta) * grad * share_of_one(a.shape, reduction)


def soft_margin_loss(a: Array, target: Array, reduction: int) -> Array:
    loss = in_place(np.multiply, neg(a), target)
    if a.dtype.kind not in "fc":
        kind = FROM_NUMPY[a.dtype].type_name
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    return reduced_loss(np.log1p(np.exp(loss, out=loss), out=loss), reduction)


# Of classes --------------------------------------------------------------------------------------------------------------------


def check_classes(a: Array, target: Array, weight: Array | None) -> None:
    """Refuse what does not go together, in PyTorch's words."""
    if a.ndim == 4:
        if target.ndim != 3:
            raise RuntimeError(
                f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.ndim}"
            )
        if a.shape[:1] + a.shape[2:] != target.shape:
            raise RuntimeError(f"size mismatch (got input: {shown_size(a)} , target: {shown_size(target)}")
        if weight is not None and weight.size != a.shape[1]:
            raise RuntimeError("weight tensor should be defined either for all or no classes")
    else:
        if a.ndim not in (1, 2):
            raise RuntimeError("input tensor should be 1D or 2D")
        if target.ndim > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if not (a.ndim == 1 and target.ndim == 0) and a.shape[0] != target.shape[0] and a.ndim == 2:
            raise RuntimeError(f"size mismatch (got input: {shown_size(a)}, target: {shown_size(target)})")
        if weight is not None and (weight.ndim != 1 or weight.size != a.shape[-1]):
            raise RuntimeError(
                f"weight tensor should be defined either for all {a.shape[-1]} classes or no classes but got weight tensor of shape: "
                f"{list(weight.shape)}"
            )
    if target.dtype != np.int64 and target.dtype != np.uint8:
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {FROM_NUMPY[target.dtype].type_name}"
        )
    only_floating("nll_loss_out_frame" if a.ndim < 4 else "nll_loss2d_forward_out_frame", a)
    if a.ndim == 4 and target.dtype != np.int64:
        raise RuntimeError("expected scalar type Long but found Byte")
    if weight is not None and weight.dtype != a.dtype:
        raise RuntimeError(
            f"expected scalar type {FROM_NUMPY[a.dtype].type_name} but found {FROM_NUMPY[weight.dtype].type_name}"
        )


def shown_size(a: Array) -> str:
    return str(list(a.shape))


def places_of_classes(shape: tuple, target: Array) -> tuple:
    """The index that picks from a tensor of this shape the element of the target class, for each sample (and pixel)."""
    if len(shape) == 1:
        return (target.reshape(()),)
    if len(shape) == 2:
        return np.arange(shape[0]), target
    n, _, height, width = shape
    return np.arange(n)[:, None, None], target, np.arange(height)[:, None], np.arange(width)


UNSIGNED: dict[int, Any] = {1: np.dtype(np.uint8), 8: np.dtype(np.uint64)}


def _largest(a: Array) -> Any:
    """The largest element, by its place where there are few: NumPy finds that in a sixth of the time."""
    return np.maximum.reduce(a, None) if a.size >= LARGE else a.item(a.argmax())


def picked(a: Array, target: Array) -> Array:
    """The element of the target class, for each sample (and pixel)."""
    if a.ndim == 2 and a.flags.c_contiguous:
        return a.take(begins_of_rows(*a.shape) + target)
    return a[places_of_classes(a.shape, target)]


def weights_of_samples(
    shape: tuple, target: Array, weight: Array | None, ignore_index: int
) -> tuple[Array, Array | None]:
    """The target classes, 0 for those ignored, and what each sample weighs (None: all of them 1)."""
    if len(shape) == 1:
        target = target.reshape(())
    classes = shape[0] if len(shape) == 1 else shape[1]
    # At a glance: as numbers without a sign, negative ones are larger than any class.
    plain = CHECKED and target.size and not 0 <= ignore_index < classes
    if plain and _largest(target.view(UNSIGNED[target.itemsize])) < classes:
        return target, None if weight is None else weight[target]
    ignored = target == ignore_index
    any_ignored = any_or_unknown(ignored)
    if any_ignored:
        target = np.where(ignored, 0, target)

    def error() -> Exception:
        wrong = target[(target < 0) | (target >= classes)].reshape(-1)[0].item()
        return IndexError(f"Target {wrong} is out of bounds.")

    refuse_outside(target, 0, classes, error)
    if weight is not None:
        weights = weight[target]
        return target, np.where(ignored, np.zeros((), weights.dtype), weights) if any_ignored else weights
    return target, ~ignored if any_ignored else None


def nll_loss_forward(
    a: Array, target: Array, weight: Array | None, reduction: int, ignore_index: int
) -> tuple:
    """Minus what stands at the target class, weighted; and the sum of the weights, which the mean is divided by."""
    check_classes(a, target, weight)
    target, weights = weights_of_samples(a.shape, target, weight, ignore_index)
    losses = np.negative(picked(a, target))
    if weights is not None:
        losses = np.where(weights != 0, losses * weights, np.zeros((), a.dtype))
    if reduction == 0:
        return np.asarray(losses, a.dtype), np.zeros((), a.dtype)
    wide = F32 if a.dtype == F16 else a.dtype
    total = wide.type(losses.size) if weights is None else np.add.reduce(weights, None, dtype=wide)
    loss = np.add.reduce(losses, None, dtype=wide)
    if reduction == 1:
        loss = loss / total
    return np.asarray(loss, a.dtype), np.asarray(total, a.dtype)


nll_loss2d_forward = nll_loss_forward


def nll_loss(a: Array, target: Array, weight: Array | None, reduction: int, ignore_index: int) -> Array:
    return nll_loss_forward(a, target, weight, reduction, ignore_index)[0]


nll_loss2d = nll_loss


def nll_loss_backward(
    grad: Array,
    a: Array,
    target: Array,
    weight: Array | None,
    reduction: int,
    ignore_index: int,
    total_weight: Array,
) -> Array:
    if a.ndim == target.ndim == 1 and a.shape != target.shape:  # PyTorch's backward pass alone refuses this
        raise RuntimeError(f"size mismatch (got input: {list(a.shape)}, target: {list(target.shape)})")
    target, weights = weights_of_samples(a.shape, target, weight, ignore_index)
    slope = -grad / total_weight if reduction == 1 else -grad
    if weights is not None:
        slope = np.where(weights != 0, slope * weights, np.zeros((), a.dtype))
    result = np.zeros(a.shape, a.dtype)
    if a.ndim == 2:
        result.reshape(-1)[begins_of_rows(*a.shape) + target] = slope
    else:
        result[places_of_classes(a.shape, target)] = slope
    return result


nll_loss2d_backward = nll_loss_backward


def binary_cross_entropy(a: Array, target: Array, weight: Array | None, reduction: int) -> Array:
    """-(target log a + (1 - target) log(1 - a)); logarithms are not below -100."""
    refuse_two_dtypes(a, target)
    only_floating("binary_cross_entropy", a)
    for name, b in (("input", a), ("target", target)):
        refuse_unless(
            (b >= 0) & (b <= 1), partial(RuntimeError, f"all elements of {name} should be between 0 and 1")
        )
    loss = (target - 1) * np.log1p(-a).clip(-100, np.inf) - target * np.log(a).clip(-100, np.inf)
    loss = laid_out(np.asarray(loss), [a, target])
    return reduced_loss(loss if weight is None else in_place(np.multiply, loss, weight), reduction)


@in_float32
def binary_cross_entropy_backward(
    grad: Array, a: Array, target: Array, weight: Array | None, reduction: int
) -> Array:
    slope = grad * (a - target) / ((1 - a) * a).clip(1e-12, np.inf)
    slope = slope if weight is None else slope * weight
    return slope * share_of_one(a.shape, reduction)


def binary_cross_entropy_with_logits(
    a: Array, target: Array, weight: Array | None, pos_weight: Array | None, reduction: int
) -> Array:
    only_floating("log_sigmoid_cpu", a)
    wide = a.astype(F32) if a.dtype == F16 else a
    rest = np.asarray(np.negative(np.abs(wide)))
    np.log1p(np.exp(rest, out=rest), out=rest)
    rest -= wide.clip(-np.inf, 0)  # -log(sigmoid(a))
    rest = rest.astype(a.dtype, copy=False)
    if pos_weight is not None:
        rest = in_place(np.multiply, rest, np.asarray(1 - rsub(pos_weight, 1) * target))
    loss = in_place(np.multiply, np.asarray(sub(np.ones((), target.dtype), target)), a)
    loss = in_place(np.add, loss, rest)
    loss = loss if weight is None else in_place(np.multiply, loss, weight)
    return reduced_loss(laid_out(loss, [target, a]), reduction)


# Margins between classes -------------------------------------------------------------------------------------------------------


def rows_of(a: Array) -> Array:
    """A batch of samples; a single one is a batch of one."""
    return a if a.ndim == 2 else a.reshape(1, -1)


def check_multi_margin(a: Array, target: Array, p: Any, weight: Array | None) -> None:
    if p not in (1, 2):
        raise RuntimeError("only p == 1 and p == 2 supported")
    if a.ndim > 2 or (a.ndim and a.shape[-1] == 0):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(a.shape)}"
        )
    samples = a.shape[0] if a.ndim == 2 else 1
    if target.ndim > 1 or target.size != samples:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected target "
            f"size [{samples}], but got {list(target.shape)}. Input has shape {list(a.shape)}."
        )
    if weight is not None and weight.size != rows_of(a).shape[1]:
        raise RuntimeError(
            f"inconsistent weight size, expected {rows_of(a).shape[1]} but got {list(weight.shape)}"
        )
    only_floating("multi_margin_loss_cpu_kernel", a, half=False)
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {FROM_NUMPY[target.dtype].type_name}")
    refuse_outside(target, 0, rows_of(a).shape[1], lambda: RuntimeError("target out of range"))


def multi_margins(a: Array, target: Array, margin: Any) -> tuple[Array, tuple]:
    """How far each class comes within the margin of the target class; and the place of the target class."""
    rows = rows_of(a)
    place = np.arange(len(rows)), target.reshape(-1)
    excess = np.maximum(margin - rows[place][:, None] + rows, 0)
    excess[place] = 0
    return excess, place


def multi_margin_loss(
    a: Array, target: Array, p: Any, margin: Any, weight: Array | None, reduction: int
) -> Array:
    check_multi_margin(a, target, p, weight)
    excess, place = multi_margins(a, target, margin)
    losses = np.add.reduce(excess if p == 1 else excess * excess, 1)
    if weight is not None:
        losses = losses * weight[place[1]]
    losses = losses / excess.shape[1]
    return reduced_loss(losses.reshape(target.shape), reduction)


def multi_margin_loss_backward(
    grad: Array, a: Array, target: Array, p: Any, margin: Any, weight: Array | None, reduction: int
) -> Array:
    excess, place = multi_margins(a, target, margin)
    slope = (excess > 0).astype(a.dtype) if p == 1 else 2 * excess
    if weight is not None:
        slope = slope * weight[place[1]][:, None]
    slope[place] = 0 - np.add.reduce(slope, 1)  # no -0.0
    slope *= share_of_one(excess.shape[:1], reduction) / excess.shape[1]
    return (slope * grad.reshape((-1, 1) if grad.ndim else ())).reshape(a.shape)


def check_multilabel(a: Array, target: Array) -> None:
    if a.ndim > 2 or (a.ndim and a.shape[-1] == 0):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(a.shape)}"
        )
    if target.shape != a.shape and not (target.ndim < 2 > a.ndim and target.size == a.size):
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(a.shape)}"
        )
    only_floating("min_all", target, "fiub")
    only_floating("multilabel_margin_loss_forward_out_frame", a, half=False)
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {FROM_NUMPY[target.dtype].type_name}")
    text = "argument #2 'target' is out of range"
    refuse_outside(target, -1, rows_of(a).shape[1], lambda: RuntimeError(text))


def multilabel_margins(a: Array, target: Array) -> tuple[Array, Array, Array]:
    """Where each label of a sample (in order, up to the first -1) has other classes within the margin of 1; the labels; which classes they are."""
    rows, labels = rows_of(a), rows_of(target)
    valid = np.logical_and.accumulate(labels >= 0, 1)
    labels = np.where(valid, labels, 0)
    is_target = np.zeros(rows.shape, bool)
    sample, _ = np.nonzero(valid)
    is_target[sample, labels[valid]] = True
    excess = 1 - np.take_along_axis(rows, labels, 1)[:, :, None] + rows[:, None, :]
    excess = np.where(valid[:, :, None] & ~is_target[:, None, :], np.maximum(excess, 0), 0)
    return excess.astype(a.dtype, copy=False), labels, is_target


def multilabel_margin_loss_forward(a: Array, target: Array, reduction: int) -> tuple:
    """The loss, and which classes are labels of each sample."""
    check_multilabel(a, target)
    excess, _, is_target = multilabel_margins(a, target)
    losses = np.add.reduce(excess, (1, 2)) / excess.shape[1]
    losses = losses if a.ndim == 2 else losses.reshape(())
    return reduced_loss(losses, reduction), is_target.reshape(target.shape).astype(a.dtype)


def multilabel_margin_loss_backward(grad: Array, a: Array, target: Array, reduction: int) -> Array:
    excess, labels, _ = multilabel_margins(a, target)
    near = (excess > 0).astype(a.dtype)
    slope = np.add.reduce(near, 1)
    sample = np.broadcast_to(np.arange(len(labels))[:, None], labels.shape)
    np.subtract.at(slope, (sample, labels), np.add.reduce(near, 2))
    slope *= share_of_one(slope.shape[:1], reduction) / slope.shape[1]
    return (slope * grad.reshape((-1, 1) if grad.ndim else ())).reshape(a.shape)
