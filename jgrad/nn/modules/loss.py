"""Losses and distances: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.dispatch.source import load
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.functional.arguments import reduction_of_flags, shown
from jgrad.nn.modules.module import Module, fields
from jgrad.tensor import Tensor
from jgrad.warn import say


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


def loss(name: str, without: str = "", keyword_only: bool = False, **defaults: Any) -> Callable[[type], type]:
    """A class decorator that makes a module of a loss of `nn.functional`."""
    parameters = inspect.signature(getattr(F, name)).parameters
    kept = {key: p for key, p in parameters.items() if p.default is not p.empty and key != without}
    inputs = [key for key, p in parameters.items() if p.default is p.empty]
    older = [key for key in ("size_average", "reduce") if key in kept]
    own = [key for key in kept if key not in (*older, "reduction")]
    buffers = [key for key in own if kept[key].annotation == "Tensor | None"]
    written = [
        f"{key}=None" if key in older else shown(p.replace(default=defaults.get(key, p.default)))
        for key, p in kept.items()
    ]
    source = f"""
from __future__ import annotations
def __init__(self, {"*, " * keyword_only}{", ".join(written)}) -> None:
    _Loss.__init__(self, {", ".join(older or ("None", "None"))}, reduction)
    {"; ".join(f"self.register_buffer({key!r}, {key})" for key in buffers)}
    {"; ".join(f"self.{key} = {key}" for key in own if key not in buffers)}
def forward(self, {": Tensor, ".join(inputs)}: Tensor) -> Tensor:
    return F.{name}({", ".join([*inputs, *(f"{key}=self.{key}" for key in (*own, "reduction"))])})
methods = __init__, forward
"""

    def decorate(cls: Any) -> type:
        for method in load(source, cls.__name__, "methods", globals()):
            if method.__name__ not in vars(cls) and (method.__name__ == "forward" or own):
                method.__qualname__ = f"{cls.__name__}.{method.__name__}"
                setattr(cls, method.__name__, method)
        return cls

    return decorate


@loss("l1_loss", without="weight")
class L1Loss(_Loss):
    """The absolute values of the differences `input - target`, and their mean (mean absolute error)."""


@loss("mse_loss", without="weight")
class MSELoss(_Loss):
    """The squares of the differences `input - target`, and their mean (mean squared error)."""


@loss("smooth_l1_loss")
class SmoothL1Loss(_Loss):
    """The absolute difference d between `input` and `target`, minus `beta / 2`. Where d is below `beta`, it is `d * d / (2 * beta)` instead, a curve
    without a corner at 0."""


@loss("huber_loss", without="weight")
class HuberLoss(_Loss):
    """Half the square of the difference d between `input` and `target`. Where d is above `delta`, it is the straight line `delta * (d - delta / 2)`
    instead."""


@loss("nll_loss")
class NLLLoss(_WeightedLoss):
    """Minus the element of the input at the target class (negative log-likelihood). The input holds logarithms of probabilities."""


class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss`. It gives a FutureWarning."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        say(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
            "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
            FutureWarning,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)  # type: ignore[call-arg]


@loss("cross_entropy")
class CrossEntropyLoss(_WeightedLoss):
    """Minus the logarithm of the target's probability, where the classes have the probabilities `softmax(input)`. The input holds scores (logits); do
    not put a `Softmax` before this loss."""


@loss("poisson_nll_loss")
class PoissonNLLLoss(_Loss):
    """Minus the logarithm of the probability of counts under Poisson distributions. Unless `full` is True, the part that does not depend on the input
    is left out."""

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


@loss("gaussian_nll_loss", keyword_only=True)
class GaussianNLLLoss(_Loss):
    """Minus the logarithm of the density of `target` under normal distributions with the mean `input` and the variance `var`:
    `(log(var) + (input - target) ** 2 / var) / 2`. Unless `full` is True, a constant is left out."""


@loss("kl_div")
class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`: `target * (log(target) - input)` for each
    element."""


@loss("binary_cross_entropy")
class BCELoss(_WeightedLoss):
    """Binary cross-entropy: `-(target * log(input) + (1 - target) * log(1 - input))`. The input holds the probabilities that the target is 1."""


@loss("binary_cross_entropy_with_logits")
class BCEWithLogitsLoss(_Loss):
    """`BCELoss` of `sigmoid(input)`, computed in one step, which does not overflow. The input holds scores (logits)."""


@loss("hinge_embedding_loss")
class HingeEmbeddingLoss(_Loss):
    """A loss of distances: the input itself where the target is 1; `margin - input`, at least 0, where the target is -1."""


@loss("multilabel_margin_loss")
class MultiLabelMarginLoss(_Loss):
    """`MultiMarginLoss` where a sample has several labels: the sum over all pairs of a label and another class of `1 - input[label] + input[class]`,
    at least 0, divided by the number of classes C."""


@loss("soft_margin_loss")
class SoftMarginLoss(_Loss):
    """`log(1 + exp(-target * input))` for each element, with targets 1 and -1. It is small where the input is large and has the sign of the target."""


@loss("multilabel_soft_margin_loss")
class MultiLabelSoftMarginLoss(_WeightedLoss):
    """`BCEWithLogitsLoss` for each of C labels, averaged over the labels. A sample may have several labels or none."""

    __init__ = _WeightedLoss.__init__


@loss("cosine_embedding_loss", margin=0.0)
class CosineEmbeddingLoss(_Loss):
    """1 minus the cosine of the angle between two vectors where the target is 1. Where the target is -1, it is the cosine minus `margin`, at least 0."""


@loss("margin_ranking_loss", margin=0.0)
class MarginRankingLoss(_Loss):
    """`-target * (input1 - input2) + margin`, at least 0. This is how far `input1` is from exceeding `input2` by the margin (target 1), or `input2`
    from exceeding `input1` (target -1)."""


@loss("multi_margin_loss")
class MultiMarginLoss(_WeightedLoss):
    """How far the scores of the other classes are from being below the score of the target class by the margin. It is the sum over the other classes
    of `max(0, margin - input[target] + input[class]) ** p`, divided by the number of classes C."""

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
            raise ValueError(
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead"
            )
        self.p, self.margin = p, margin


@loss("triplet_margin_loss")
class TripletMarginLoss(_Loss):
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0."""

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


@loss("triplet_margin_with_distance_loss")
class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with any distance: `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0."""

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


@loss("ctc_loss")
class CTCLoss(_Loss):
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step. All
    alignments count: after repeated classes are joined and blanks are left out, the target must remain."""


@fields("dim: int = 1, eps: float = 1e-8")
class CosineSimilarity(Module):
    """The cosine of the angle between vectors: their dot product, divided by the product of their lengths."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The norm of the differences `x1 - x2 + eps`, along the last dimension: the distances between vectors."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


manual.attach(__name__)
