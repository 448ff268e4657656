"""Losses. A reduction is 0 for none, 1 for the mean, 2 for the sum; `jgrad.nn.functional` gives them their names."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.graph import grad_mode
from jgrad.kernels.numpy import share_of_one as share_of_one  # on shapes, so the same for tensors
from jgrad.ops.by_name import (
    _add_scalar,
    abs,
    exp,
    log,
    mean,
    minimum,
    neg,
    pairwise_distance,
    scaled,
    sigmoid,
    sub,
    sum,
    where,
    xlogy,
)
from jgrad.ops.creation import ZERO, zeros_like
from jgrad.tensor import Tensor

NONE, MEAN, SUM = 0, 1, 2


def reduced(loss: Tensor, reduction: int) -> Tensor:
    """The losses of the elements, or their mean or sum."""
    return loss if reduction == NONE else mean(loss) if reduction == MEAN else sum(loss)


def refuse_gradients(name: str, **arguments: Tensor | None) -> None:
    """Refuse arguments that require grad where PyTorch has no derivative for them."""
    if not grad_mode.mode.enabled:
        return
    for argument, value in arguments.items():
        if value is not None and value.requires_grad:
            raise RuntimeError(
                f"The function '{name}' is not differentiable with respect to argument '{argument}'. This input cannot have "
                "requires_grad True."
            )


def from_number(number: float, other: Tensor) -> Tensor:
    """number - other, where PyTorch makes the number a tensor of the dtype of the other first."""
    return sub(other.new_full((), number), other)


# ----- Distances -----


@op("mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", **INTERNAL, promote="default")
class mse_loss:
    """The square of the distance."""

    self = lambda grad, self, target, reduction: mse_loss_backward(grad, self, target, reduction)
    target = lambda grad, self, target, reduction: mse_loss_backward(grad, target, self, reduction)


@op("mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", **INTERNAL)
class mse_loss_backward:
    """The gradient of mse_loss."""

    grad_output = lambda grad, self, target, reduction: mse_loss_backward(grad, self, target, reduction)
    self = lambda grad, grad_output, self_shape, reduction: (
        grad * grad_output * (2 * share_of_one(self_shape, reduction))
    )
    target = lambda grad, grad_output, self_shape, reduction: (
        -grad * grad_output * (2 * share_of_one(self_shape, reduction))
    )


@op(
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.0) -> Tensor",
    **INTERNAL,
    promote="default",
)
class smooth_l1_loss:
    """The distance, or below beta its square, so that it has no corner."""

    self = lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    )
    target = lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, target, self, reduction, beta
    )


@op(
    "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor",
    **INTERNAL,
)
class smooth_l1_loss_backward:
    """The gradient of smooth_l1_loss."""

    grad_output = lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    )
    self = lambda grad, grad_output, self, target, reduction, beta: where_near(
        grad * grad_output, self, target, reduction, beta
    )
    target = lambda grad, grad_output, self, target, reduction, beta: (
        -where_near(grad * grad_output, self, target, reduction, beta)
    )


@formula
def where_near(grad: Any, base: Any, target: Any, reduction: int, beta: float) -> Any:
    """The curvature of smooth_l1_loss: one over beta where the distance is below it."""
    near = abs(base - target) < beta
    return where(near, grad * (share_of_one(base.shape, reduction) / (beta or 1)), zeros_like(grad))


@op("huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.0) -> Tensor", **INTERNAL)
class huber_loss:
    """Half the square of the distance, from delta on a straight line."""

    self = lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    )
    target = lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, target, self, reduction, delta
    )


@op(
    "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor",
    **INTERNAL,
)
class huber_loss_backward:
    """The gradient of huber_loss."""

    grad_output = lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    )
    self = lambda grad, grad_output, self, target, reduction, delta: scaled(
        where_near(grad * grad_output, self, target, reduction, delta), delta
    )
    target = lambda grad, grad_output, self, target, reduction, delta: (
        -scaled(where_near(grad * grad_output, self, target, reduction, delta), delta)
    )


@op("_soft_margin_loss(Tensor self, Tensor target, int reduction) -> Tensor", **INTERNAL, kernel="soft_margin_loss",
    node="SoftMarginLossBackward0", real_gradient="soft_margin_loss")  # fmt: skip
class _soft_margin_loss:
    """log(1 + exp(-target * self))."""

    self = lambda grad, self, target, reduction: soft_margin_loss_backward(grad, self, target, reduction)


@formula
def soft_margin_loss_backward(grad: Any, base: Any, target: Any, reduction: int) -> Any:
    """The gradient of soft_margin_loss."""
    away = neg(target)
    return away * sigmoid(away * base) * grad * share_of_one(base.shape, reduction)


def soft_margin_loss(input: Tensor, target: Tensor, reduction: int) -> Tensor:
    refuse_gradients("soft_margin_loss", target=target)
    return _soft_margin_loss(input, target, reduction)


# ----- Of classes -----

_NLL = "Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index"
_NLL_BACKWARD = f"Tensor grad_output, {_NLL}, Tensor total_weight"


@op(f"nll_loss_forward({_NLL}) -> (Tensor output, Tensor total_weight)", **INTERNAL, node="NllLossBackward0",
    constant="total_weight")  # fmt: skip
class nll_loss_forward:
    """Minus what stands at the target class, weighted; and the sum of the weights."""

    self = lambda grad, self, target, weight, reduction, ignore_index, total_weight: nll_loss_backward(
        grad, self, target, weight, reduction, ignore_index, total_weight
    )


@op(f"nll_loss_backward({_NLL_BACKWARD}) -> Tensor", **INTERNAL)
class nll_loss_backward:
    """The gradient of nll_loss."""

    grad_output = lambda grad, target, weight, reduction, ignore_index: nll_loss(
        grad, target, weight, reduction, ignore_index
    )
    self = ZERO


@op(f"nll_loss2d_forward({_NLL}) -> (Tensor output, Tensor total_weight)", **INTERNAL, node="NllLoss2DBackward0",
    constant="total_weight")  # fmt: skip
class nll_loss2d_forward:
    """nll_loss of an image of class scores."""

    self = lambda grad, self, target, weight, reduction, ignore_index, total_weight: nll_loss2d_backward(
        grad, self, target, weight, reduction, ignore_index, total_weight
    )


@op(f"nll_loss2d_backward({_NLL_BACKWARD}) -> Tensor", node="NllLoss2DBackwardBackward0", **INTERNAL)
class nll_loss2d_backward:
    """The gradient of nll_loss2d."""

    grad_output = lambda grad, target, weight, reduction, ignore_index: nll_loss2d(
        grad, target, weight, reduction, ignore_index
    )
    self = ZERO


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Tensor:
    refuse_gradients("nll_loss_forward", weight=weight)
    return nll_loss_forward(input, target, weight, reduction, ignore_index)[0]


def nll_loss2d(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Tensor:
    refuse_gradients("nll_loss2d_forward", weight=weight)
    return nll_loss2d_forward(input, target, weight, reduction, ignore_index)[0]


# ----- Of two classes -----


@op("_binary_cross_entropy(Tensor self, Tensor target, Tensor? weight, int reduction) -> Tensor", **INTERNAL,
    kernel="binary_cross_entropy", node="BinaryCrossEntropyBackward0")  # fmt: skip
class _binary_cross_entropy:
    """-(target log self + (1 - target) log(1 - self)); logarithms are not below -100."""

    self = lambda grad, self, target, weight, reduction: binary_cross_entropy_backward(
        grad, self, target, weight, reduction
    )
    target = lambda grad, self, target, weight, reduction: binary_cross_entropy_target_backward(
        grad, self, weight, reduction
    )


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None, reduction: int) -> Tensor:
    refuse_gradients("binary_cross_entropy", weight=weight)
    return _binary_cross_entropy(input, target, weight, reduction)


@op(
    "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction) -> Tensor",
    **INTERNAL,
)
class binary_cross_entropy_backward:
    """The gradient of binary_cross_entropy."""

    grad_output = lambda grad, self, target, weight, reduction: weighted_loss(
        grad * (self - target) / ((self + 1e-12) * (1 - self + 1e-12)), weight, self, reduction
    )
    self = lambda grad, grad_output, self, target, weight, reduction: binary_cross_entropy_curvature(
        grad * grad_output, self, target, weight, reduction
    )
    target = lambda grad, grad_output, self, weight, reduction: weighted_loss(
        -grad * grad_output / (self * (1 - self)), weight, self, reduction
    )


@formula
def weighted_loss(values: Any, weight: Any, base: Any, reduction: int) -> Any:
    """Gradients of single elements, with the weight of the element and its share of the reduced loss."""
    if weight is not None:
        values = values * weight
    return scaled(values, share_of_one(base.shape, reduction))


@formula
def binary_cross_entropy_curvature(grad: Any, base: Any, target: Any, weight: Any, reduction: int) -> Any:
    """grad times the second derivative of binary_cross_entropy."""
    spread = (base + 1e-12) * (1 - base + 1e-12)
    return weighted_loss(
        grad * (base * base - 2 * base * target + target) / (spread * spread), weight, base, reduction
    )


@formula
def binary_cross_entropy_target_backward(grad: Any, base: Any, weight: Any, reduction: int) -> Any:
    """The gradient of binary_cross_entropy for its target."""
    return weighted_loss(grad * (log(1 - base) - log(base)), weight, base, reduction)


_LOGITS = "Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=0"


@op(f"_binary_cross_entropy_with_logits({_LOGITS}) -> Tensor", **INTERNAL, kernel="binary_cross_entropy_with_logits",
    node="BinaryCrossEntropyWithLogitsBackward0", real_gradient="binary_cross_entropy_with_logits")  # fmt: skip
class _binary_cross_entropy_with_logits:
    """binary_cross_entropy of sigmoid(self), without overflow."""

    self = lambda grad, self, target, weight, pos_weight, reduction: logits_backward(
        grad, self, target, weight, pos_weight, reduction
    )
    target = lambda grad, self, weight, pos_weight, reduction: logits_target_backward(
        grad, self, weight, pos_weight, reduction
    )


@formula
def logits_backward(grad: Any, base: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """The gradient of binary_cross_entropy_with_logits."""
    if pos_weight is None:
        slope = sigmoid(base) - target
    else:
        positive = pos_weight * target
        slope = (positive + 1 - target) * sigmoid(base) - positive
    return weighted_loss(grad * slope, weight, base, reduction)


@formula
def logits_target_backward(grad: Any, base: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """The gradient of binary_cross_entropy_with_logits for its target."""
    slope = -base
    if pos_weight is not None:
        slope = log_of_sigmoid(slope) - pos_weight * log_of_sigmoid(base)
    return weighted_loss(grad * slope, weight, base, reduction)


@formula
def log_of_sigmoid(base: Any) -> Any:
    return minimum(base, zeros_like(base)) - log(1 + exp(-abs(base)))


@composite(f"binary_cross_entropy_with_logits({_LOGITS}) -> Tensor", forms="function")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = NONE,
) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, computed in one step, which does not overflow."""
    refuse_gradients("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    return _binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


# ----- Of distributions -----


@composite(
    "kl_div(Tensor self, Tensor target, int reduction=0, *, bool log_target=False) -> Tensor",
    forms="function",
)
def kl_div(input: Tensor, target: Tensor, reduction: int = NONE, log_target: bool = False) -> Tensor:
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`.
    It is `target * (log(target) - input)` for each element."""
    if input._a.dtype.kind == "c" or target._a.dtype.kind == "c":
        raise RuntimeError("kl_div: Complex inputs not supported.")
    if input._a.dtype.kind in "iub" or target._a.dtype.kind in "iub":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    loss = exp(target) * (target - input) if log_target else xlogy(target, target) - target * input
    return reduced(loss, reduction)


@composite(
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor",
    forms="function",
)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int
) -> Tensor:
    """Minus the logarithm of the probability of counts under Poisson distributions, without the part that does not depend on `input`."""
    loss = exp(input) - target * input if log_input else input - target * log(_add_scalar(input, eps))
    if full:
        stirling = target * log(target) - target + 0.5 * log(2 * math.pi * target)
        loss += stirling.masked_fill(target <= 1, 0)
    return reduced(loss, reduction)


# ----- Margins -----


@composite(
    "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=0) -> Tensor",
    forms="function",
)
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = NONE) -> Tensor:
    """For distances: `input` itself where the target is 1, and `margin - input`, at least 0, where it is -1."""
    nothing = zeros_like(input)
    lacking = where(target != 1, from_number(margin, input).clamp_min(0), nothing)
    return reduced(lacking + where(target != -1, input, nothing), reduction)


@composite(
    "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor",
    forms="function",
)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = NONE
) -> Tensor:
    """`-target * (input1 - input2) + margin`, at least 0: how far `input1` is from exceeding `input2` by the margin (target 1), or the other
    way round (target -1)."""
    if not input1._a.ndim == input2._a.ndim == target._a.ndim:
        sizes = f"input1: {input1.shape}, input2: {input2.shape}, target: {target.shape}"
        raise RuntimeError(
            f"margin_ranking_loss : All input tensors should have same dimension but got sizes: {sizes} ".replace(
                "jgrad.Size", "torch.Size"
            )
        )
    return reduced(_add_scalar(-target * (input1 - input2), margin).clamp_min_(0), reduction)


@composite(
    "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor",
    forms="function",
)
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = NONE
) -> Tensor:
    """1 minus the cosine of the angle between two vectors where the target is 1; where it is -1, the cosine minus `margin`, at least 0."""
    dim = target._a.ndim
    if dim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input1._a.ndim != dim + 1 or input2._a.ndim != dim + 1:
        raise RuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes {list(input1._a.shape)} and "
            f"{list(input2._a.shape)}."
        )
    product = (input1 * input2).sum(dim)
    first = _add_scalar((input1 * input1).sum(dim), 1e-12)
    second = _add_scalar((input2 * input2).sum(dim), 1e-12)
    cosine = product / (first * second).sqrt()
    nothing = zeros_like(cosine)
    near = where(target == 1, from_number(1, cosine), nothing)
    far = where(target == -1, _add_scalar(cosine, -margin).clamp_min(0), nothing)
    return reduced(near + far, reduction)


@composite(
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2.0, float eps=1e-06, "
    "bool swap=False, int reduction=0) -> Tensor",
    forms="function",
)
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = NONE,
) -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0."""
    if not anchor._a.ndim == positive._a.ndim == negative._a.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor "
            f"{anchor._a.ndim}D, positive {positive._a.ndim}D, and negative {negative._a.ndim}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced((_add_scalar(near, margin) - far).clamp_min(0), reduction)


_MULTI_MARGIN = "Tensor self, Tensor target, Number p, Number margin, Tensor? weight, int reduction"


@op(
    f"_multi_margin_loss({_MULTI_MARGIN}) -> Tensor",
    **INTERNAL,
    kernel="multi_margin_loss",
    node="MultiMarginLossBackward0",
)
class _multi_margin_loss:
    """How far each other class comes within the margin of the target class."""

    self = lambda grad, self, target, p, margin, weight, reduction: multi_margin_loss_backward(
        grad, self, target, p, margin, weight, reduction
    )


@op(
    f"multi_margin_loss_backward(Tensor grad_output, {_MULTI_MARGIN}) -> Tensor",
    **INTERNAL,
    undifferentiable=True,
)
class multi_margin_loss_backward:
    """The gradient of multi_margin_loss."""


def multi_margin_loss(
    input: Tensor, target: Tensor, p: Any, margin: Any, weight: Tensor | None, reduction: int
) -> Tensor:
    refuse_gradients("multi_margin_loss", weight=weight)
    return _multi_margin_loss(input, target, p, margin, weight, reduction)


@op("multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)", **INTERNAL,
    node="MultilabelMarginLossBackward0", constant="is_target")  # fmt: skip
class multilabel_margin_loss_forward:
    """How far each other class comes within the margin of each label; and which classes are labels."""

    self = lambda grad, self, target, reduction: multilabel_margin_loss_backward(
        grad, self, target, reduction
    )


@op(
    "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    **INTERNAL,
    undifferentiable=True,
)
class multilabel_margin_loss_backward:
    """The gradient of multilabel_margin_loss."""
