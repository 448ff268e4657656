"""Losses and distances: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.functional.arguments import reduction_of_flags
from jgrad.nn.modules.module import Module, fields, names_in
from jgrad.tensor import Tensor


class _Loss(Module):
    """Keeps `reduction`; the deprecated `size_average` and `reduce` override it with a warning."""

    reduction: str

    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: str = "mean") -> None:
        super().__init__()
        deprecated = size_average is not None or reduce is not None
        self.reduction = reduction_of_flags(size_average, reduce) if deprecated else reduction


class _WeightedLoss(_Loss):
    """Keeps a weight per class as a buffer, too."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


def loss(signature: str, *buffers: str) -> Callable[[type], type]:
    """`fields` for losses: `size_average`, `reduce` and `reduction` are understood, the named arguments become buffers."""
    names = names_in(signature)
    own = [n for n in names if n not in ("size_average", "reduce", "reduction", *buffers)]
    deprecated = "size_average" in names

    def decorate(cls: type) -> type:
        lines = [f"def __init__(self, {signature}) -> None:"]
        lines.append(
            f"    _Loss.__init__(self, {'size_average, reduce, ' if deprecated else 'None, None, '}reduction)"
        )
        lines += [f"    self.register_buffer({name!r}, {name})" for name in buffers]
        lines += [f"    self.{name} = {name}" for name in own]
        found: dict[str, Any] = {}
        exec("from __future__ import annotations\n" + "\n".join(lines), {"_Loss": _Loss}, found)
        found["__init__"].__qualname__ = f"{cls.__name__}.__init__"
        cls.__init__ = found["__init__"]  # type: ignore[misc]
        return cls

    return decorate


REDUCED = "size_average=None, reduce=None, reduction: str = 'mean'"
WEIGHT = "weight: Tensor | None = None"


class L1Loss(_Loss):
    """|input - target|."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """(input - target)²."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


@loss(f"{REDUCED}, beta: float = 1.0")
class SmoothL1Loss(_Loss):
    """Squares for differences below beta, absolute values above."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


@loss("reduction: str = 'mean', delta: float = 1.0")
class HuberLoss(_Loss):
    """Squares for differences below delta, absolute values above."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


@loss(
    "weight: Tensor | None = None, size_average=None, ignore_index: int = -100, reduce=None, reduction: str = 'mean'",
    "weight",
)
class NLLLoss(_WeightedLoss):
    """Minus the log-probability of the target class."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(
            input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


@loss(
    "weight: Tensor | None = None, size_average=None, ignore_index: int = -100, reduce=None, reduction: str = 'mean', "
    "label_smoothing: float = 0.0",
    "weight",
)
class CrossEntropyLoss(_WeightedLoss):
    """Minus the log-probability of the target class, from logits."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


@loss(
    "log_input: bool = True, full: bool = False, size_average=None, eps: float = 1e-8, reduce=None, reduction: str = 'mean'"
)
class PoissonNLLLoss(_Loss):
    """Minus the log-likelihood of counts."""

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


@loss("*, full: bool = False, eps: float = 1e-6, reduction: str = 'mean'")
class GaussianNLLLoss(_Loss):
    """Minus the log-likelihood of normal variables with given variances."""

    def forward(self, input: Tensor, target: Tensor, var: Tensor) -> Tensor:
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


@loss(f"{REDUCED}, log_target: bool = False")
class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of target from input (log-probabilities)."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


@loss(f"{WEIGHT}, {REDUCED}", "weight")
class BCELoss(_WeightedLoss):
    """Binary cross-entropy of probabilities."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


@loss(f"{WEIGHT}, {REDUCED}, pos_weight: Tensor | None = None", "weight", "pos_weight")
class BCEWithLogitsLoss(_Loss):
    """Binary cross-entropy of logits."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


@loss(f"margin: float = 1.0, {REDUCED}")
class HingeEmbeddingLoss(_Loss):
    """The input where the target is 1, what is missing to the margin where it is -1."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """What each target class lacks of leading by 1, for several targets."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-target * input))."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Binary cross-entropy of logits, meaned over classes."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


@loss(f"margin: float = 0.0, {REDUCED}")
class CosineEmbeddingLoss(_Loss):
    """1 - cosine where the target is 1, the cosine above the margin where it is -1."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


@loss(f"margin: float = 0.0, {REDUCED}")
class MarginRankingLoss(_Loss):
    """What the larger input lacks of leading by the margin."""

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """What the target class lacks of leading by the margin."""

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise AssertionError("weight must be None or have 1 dimension")
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class TripletMarginLoss(_Loss):
    """What the negative lacks of being farther from the anchor than the positive, by the margin."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead")
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(_Loss):
    """The triplet loss with any distance."""

    def __init__(
        self,
        *,
        distance_function: Callable | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


@loss("blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False")
class CTCLoss(_Loss):
    """Minus the log-probability of all alignments of a sequence with its target."""

    def forward(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor
    ) -> Tensor:
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )


@fields("dim: int = 1, eps: float = 1e-8")
class CosineSimilarity(Module):
    """The cosine of the angle between vectors."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of the difference of vectors."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
