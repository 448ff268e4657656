"""The Python functions of `jgrad.nn.functional`: losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import loading, manual, warn
from jgrad.dispatch import autocast
from jgrad.dtypes import REAL, int64
from jgrad.nn.functional.arguments import (
    number_of_reduction,
    older_arguments,
    reduction_of_flags,
    warn_of_broadcasting,
)
from jgrad.ops import activation, layers, loss
from jgrad.ops import composed_arithmetic as _composed
from jgrad.ops.combining import broadcast_tensors
from jgrad.tensor import Tensor


def _alike(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both in their common shape."""
    a, b = broadcast_tensors(input, target)
    return a, b


def _weighted(values: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """The weighted losses of elements; their mean is taken by weight."""
    if weight.size() != values.size():
        raise ValueError("Weights and input must have the same size.")
    weighted = values * weight
    if reduction == "none":
        return weighted
    if reduction == "sum":
        return weighted.sum()
    if reduction == "mean":
        return weighted.sum() / weight.sum()
    raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")


# Distances ---------------------------------------------------------------------------------------------------------------------


@older_arguments(same_size=True)
def mse_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squares of the differences `input - target`, and their mean (mean squared error)."""
    a, b = _alike(input, target)
    if weight is not None:
        return _weighted(loss.mse_loss(a, b, 0), weight, reduction)
    return loss.mse_loss(a, b, number_of_reduction(reduction))


@older_arguments(same_size=True)
def l1_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute values of the differences `input - target`, and their mean (mean absolute error)."""
    values, target, weight = autocast.in_single(input, target, weight)
    a, b = _alike(values, target)
    distance = (a - b).abs()
    if weight is not None:
        return _weighted(distance, weight, reduction)
    return loss.reduced(distance, number_of_reduction(reduction))


@older_arguments(same_size=True)
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """The absolute difference d, minus `beta / 2`; where d is below `beta`, it is `d * d / (2 * beta)` instead, a curve without a corner at 0."""
    number = number_of_reduction(reduction)
    a, b = _alike(input, target)
    if beta == 0.0:
        return loss.reduced((a - b).abs(), number)
    return loss.smooth_l1_loss(a, b, number, float(beta))


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Half the square of the difference d; where d is above `delta`, it is the straight line `delta * (d - delta / 2)` instead."""
    warn_of_broadcasting(input, target)
    a, b = _alike(input, target)
    if weight is not None:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        weighted = weight * loss.huber_loss(a, b, 0, float(delta))
        return loss.reduced(weighted, number_of_reduction(reduction))
    return loss.huber_loss(a, b, number_of_reduction(reduction), float(delta))


@older_arguments()
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
) -> Tensor:
    """`log(1 + exp(-target * input))`: it is small where `input` is large and has the sign of the target."""
    return loss.soft_margin_loss(input, target, number_of_reduction(reduction))


# Of classes --------------------------------------------------------------------------------------------------------------------


@older_arguments(before="ignore_index")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """How surprising the targets are if the classes have the probabilities `softmax(input)`: minus the logarithm of the target's probability.
    It is `nll_loss` of `log_softmax(input)`."""
    number = number_of_reduction(reduction)
    scores, target, weight = autocast.in_single(input, target, weight)
    return _cross_entropy(scores, target, weight, number, ignore_index, label_smoothing)


@older_arguments(before="ignore_index")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Minus the element of `input` at the target class (negative log-likelihood), where `input` holds logarithms of probabilities."""
    return _nll_loss(input, target, weight, number_of_reduction(reduction), ignore_index)


def _nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Tensor:
    """nll_loss for samples with any number of further dimensions, which are treated as an image of height 1."""
    shape, expected = input._a.shape, target._a.shape
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) > 1 and shape[:1] != expected[:1]:
        size = expected[0] if expected else 0
        raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({size}).")
    if len(shape) == 1 and len(expected) == 1 and expected[0] != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {expected[0]}")
    if len(shape) <= 2:
        return loss.nll_loss(input, target, weight, reduction, ignore_index)
    if len(shape) == 4:
        return loss.nll_loss2d(input, target, weight, reduction, ignore_index)
    if expected[1:] != shape[2:]:
        size = [shape[0], *shape[2:]]
        raise RuntimeError(f"Expected target size {size}, got {list(expected)}")
    flat = input.contiguous().view((*shape[:2], *((1, -1) if input._a.size else (0, 0))))
    flat_target = target.contiguous().view((shape[0], *((1, -1) if target._a.size else (0, 0))))
    image = loss.nll_loss2d(flat, flat_target, weight, reduction, ignore_index)
    return image.view((shape[0], *shape[2:])) if reduction == loss.NONE else image


def _cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
) -> Tensor:
    """nll_loss of log_softmax for targets that are classes; for probabilities of all classes their cross entropy."""
    dim = 0 if input._a.ndim == 1 else 1
    if input._a.shape == target._a.shape:
        if target._a.dtype.kind not in REAL:
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {target.dtype.type_name}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _against_probabilities(input, target, weight, reduction, label_smoothing, dim)
    if label_smoothing > 0:
        return _smoothed(input, target, weight, reduction, ignore_index, label_smoothing, dim)
    return _nll_loss(jgrad.log_softmax(input, dim), target, weight, reduction, ignore_index)


def _check_smoothing(label_smoothing: float) -> None:
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _along(weight: Tensor, ndim: int, dim: int) -> Tensor:
    """The weights of the classes, to be broadcast along their dimension."""
    return weight.view((1,) * dim + (weight._a.shape[0],) + (1,) * (ndim - dim - 1))


def _against_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, label_smoothing: float, dim: int
) -> Tensor:
    classes = input._a.shape[dim]
    if weight is not None and weight._a.shape != (classes,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight._a.shape)}"
        )
    logs = jgrad.log_softmax(input, dim)
    if label_smoothing > 0:
        _check_smoothing(label_smoothing)
        target = _composed._add_scalar(
            _composed._mul_scalar(target, 1 - label_smoothing),
            label_smoothing / classes if classes else math.inf,
        )
    product = logs * target
    if weight is not None:
        product = product * _along(weight, logs._a.ndim, dim)
    if reduction == loss.NONE:
        return -product.sum(dim)
    total = jgrad.sum(product)
    if reduction == loss.MEAN and not logs._a.size:
        total.fill_(math.nan)
    if reduction == loss.SUM or not logs._a.size:
        return -total
    return _composed._div_scalar(-total, logs._a.size // classes)


def _smoothed(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
    dim: int,
) -> Tensor:
    _check_smoothing(label_smoothing)
    logs = jgrad.log_softmax(input, dim)
    classes = logs._a.shape[dim]
    sharp = _nll_loss(logs, target, weight, reduction, ignore_index)
    weighted = logs if weight is None else logs * _along(weight, logs._a.ndim, dim)
    smooth = -weighted.sum(dim)
    ignored = target == ignore_index
    smooth.masked_fill_(ignored, 0.0)
    if reduction == loss.MEAN:
        if weight is None:
            count = jgrad.sum(~ignored)
        else:
            chosen = weight.gather(0, target.masked_fill(ignored, 0).flatten())
            count = jgrad.sum(chosen.masked_fill_(ignored.flatten(), 0))
        smooth = jgrad.sum(smooth) / count
    elif reduction == loss.SUM:
        smooth = jgrad.sum(smooth)
    spread = _composed._mul_scalar(smooth, label_smoothing / classes if classes else math.inf)
    return _composed._mul_scalar(sharp, 1 - label_smoothing) + spread


@older_arguments()
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`-(target * log(input) + (1 - target) * log(1 - input))`: how surprising the targets are if `input` holds their probabilities."""
    number = number_of_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. Please ensure "
            "they have the same size."
        )
    if weight is not None:
        weight = weight.expand(_infer_size(target._a.shape, weight._a.shape))
    return loss.binary_cross_entropy(input, target, weight, number)


def _infer_size(a: tuple, b: tuple) -> tuple:
    """The shape that two shapes broadcast to."""
    sizes = [1] * (max(len(a), len(b)))
    for shape in (a, b):
        for i, n in enumerate(reversed(shape)):
            if n != 1 and sizes[-1 - i] not in (1, n):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {-1 - i}! Mismatching argument at index 1 had "
                    f"torch.Size({list(b)}); but expected shape should be broadcastable to {list(a)}"
                )
            sizes[-1 - i] = n if n != 1 else sizes[-1 - i]
    return tuple(sizes)


@older_arguments()
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, computed in one step, which does not overflow."""
    number = number_of_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return jgrad.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


# Of distributions --------------------------------------------------------------------------------------------------------------


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`.
    It is `target * (log(target) - input)` for each element."""
    if size_average is not None or reduce is not None:
        number = number_of_reduction(reduction_of_flags(size_average, reduce))
    else:
        if reduction == "mean":
            warn.say(
                "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the "
                "batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in "
                "the next major release.",
            )
        number = 2 if reduction == "batchmean" else number_of_reduction(reduction)
    divergence = jgrad.kl_div(input, target, number, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        return divergence / input.size()[0]
    return divergence


@older_arguments(before="eps")
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """Minus the logarithm of the probability of counts under Poisson distributions, without the part that does not depend on `input`."""
    number = number_of_reduction(reduction)
    return jgrad.poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Minus the logarithm of the density of `target` under normal distributions with the mean `input` and the variance `var`, without a constant:
    `(log(var) + (input - target) ** 2 / var) / 2`."""
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * jgrad.ones_like(input)
    elif jgrad.any(var < 0):
        raise ValueError("var has negative entry/entries")
    sizes, given = input._a.shape, var._a.shape
    if given != sizes:
        unlike = [n for m, n in zip(sizes[::-1], given[::-1], strict=False) if m != n]
        if given == sizes[:-1]:
            var = var.unsqueeze(-1)
        elif len(given) != len(sizes) or sum(unlike) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with jgrad.no_grad():
        var.clamp_(min=eps)
    losses = 0.5 * (jgrad.log(var) + (input - target) ** 2 / var)
    if full:
        losses += 0.5 * math.log(2 * math.pi)
    return loss.reduced(losses, number_of_reduction(reduction))


# Margins -----------------------------------------------------------------------------------------------------------------------


@older_arguments()
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    reduction: str = "mean",
) -> Tensor:
    """For distances: `input` itself where the target is 1, and `margin - input`, at least 0, where it is -1."""
    return jgrad.hinge_embedding_loss(input, target, margin, number_of_reduction(reduction))


@older_arguments()
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    reduction: str = "mean",
) -> Tensor:
    """`-target * (input1 - input2) + margin`, at least 0: how far `input1` is from exceeding `input2` by the margin (target 1), or the other
    way round (target -1)."""
    number = number_of_reduction(reduction)
    return jgrad.margin_ranking_loss(input1, input2, target, margin, number)


@older_arguments()
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    reduction: str = "mean",
) -> Tensor:
    """1 minus the cosine of the angle between two vectors where the target is 1; where it is -1, the cosine minus `margin`, at least 0."""
    number = number_of_reduction(reduction)
    return jgrad.cosine_embedding_loss(input1, input2, target, margin, number)


@older_arguments()
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0."""
    number = number_of_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return jgrad.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with any distance: `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance: Any = jgrad.pairwise_distance if distance_function is None else distance_function
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor "
            f"{anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = jgrad.minimum(far, distance(positive, negative))
    return loss.reduced((margin + near - far).clamp_min(0), number_of_reduction(reduction))


@older_arguments()
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """How far the scores of the other classes are from being below that of the target class by the margin:
    the sum over the other classes of `(margin - input[target] + input[class]) ** p`, of 0 where the bracket is negative, divided by C."""
    number = number_of_reduction(reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return loss.multi_margin_loss(input, target, p, margin, weight, number)


@older_arguments()
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
) -> Tensor:
    """`multi_margin_loss` where a sample has several labels: the sum over all pairs of a label and another class of
    `margin - input[label] + input[class]`, at least 0, with the margin 1, divided by C."""
    number = number_of_reduction(reduction)
    return loss.multilabel_margin_loss_forward(input, target, number)[0]


@older_arguments()
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """`binary_cross_entropy_with_logits` for each of C labels, averaged over the labels."""
    losses = -(target * activation.log_sigmoid(input) + (1 - target) * activation.log_sigmoid(-input))
    if weight is not None:
        losses = losses * weight
    dim = input.dim() - 1
    losses = losses.sum(dim=dim) / input.size(dim)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return loss.reduced(losses, number_of_reduction(reduction))


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step.
    All alignments count: after repeated classes are joined and blanks are left out, the target must remain."""
    return jgrad.ctc_loss(
        log_probs,
        targets,
        input_lengths,
        target_lengths,
        blank,
        number_of_reduction(reduction),
        zero_infinity,
    )


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """`cross_entropy` of the scores that a linear map gives: `cross_entropy(linear(input, linear_weight, linear_bias), target)`."""
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}"
        )
    features, shape = input._a.shape[-1], linear_weight._a.shape
    if features != shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), "
            f"got {features} and {shape[-1]}, respectively"
        )
    if linear_bias is not None and linear_bias._a.shape != shape[:-1]:
        raise RuntimeError(f"expected linear_bias shape {shape[:-1]}, got {linear_bias._a.shape}")
    if len(shape) > 2 and input.dim() == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {shape} requires batched input, (N, {features}), got unbatched input with "
            f"shape {input._a.shape}"
        )
    logits_shape = (*input._a.shape[:-1], *shape[:-1])
    if target._a.shape == logits_shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    index = -100 if ignore_index is None else ignore_index
    if options is not None:
        if (
            len(shape) == 2
            and reduction in ("mean", "sum", "none")
            and label_smoothing == 0
            and target.dtype is int64
        ):
            chunked = loading.offered(__name__, "chunked_linear_cross_entropy")
            return chunked(input, linear_weight, target, linear_bias, weight, reduction, index, options)
        bias_shape = None if linear_bias is None else tuple(linear_bias.shape)
        warn.say(
            "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in {'mean','sum','none'}, label_smoothing == 0, "
            f"target.dtype == int64, out_features == (). Got reduction={reduction!r}, label_smoothing={label_smoothing}, "
            f"target.dtype={target.dtype}, out_features={tuple(shape[1:-1])}, tracing=False, linear_bias.shape={bias_shape}."
        )
    flat = linear_weight.reshape((-1, features)) if len(shape) > 2 else linear_weight
    bias = linear_bias.reshape((-1,)) if linear_bias is not None and len(shape) > 2 else linear_bias
    logits = layers.linear(input, flat, bias)
    logits = logits.reshape(logits_shape)
    return cross_entropy(logits, target, weight, None, index, None, reduction, label_smoothing)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
