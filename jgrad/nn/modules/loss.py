"""Losses and distances: each a function of `nn.functional` with its arguments kept."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

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
    """A class decorator that makes a module of a loss of `nn.functional`.

    `__init__` keeps what the function has a default for: tensors as buffers, `size_average` and `reduce` as the reduction that they stand for. `forward`
    takes the rest. `without` names what the module does not have, and `defaults` what has another default. A method that the class has is left as
    it is.
    """
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
        if older and cls.__doc__ is not None:
            follower = next(key for key in [*kept][[*kept].index("size_average") + 1 :] if key != "reduce")
            cls.__doc__ = cls.__doc__.replace(f"        {follower}: ", f"{OLDER}        {follower}: ", 1)
        return cls

    return decorate


OLDER = "        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning\n"


@loss("l1_loss", without="weight")
class L1Loss(_Loss):
    """The absolute values of the differences `input - target`, and their mean (mean absolute error).

    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. A `target` of another
    shape is broadcast, with a warning.

    The gradient has the same size for small and large differences. Where the two are equal it is 0.

    >>> x = jgrad.tensor([1., 2., 9.], requires_grad=True)
    >>> loss = jgrad.nn.L1Loss(reduction="sum")(x, jgrad.tensor([1., 6., 8.]))
    >>> loss.item()
    5.0
    >>> loss.backward()
    >>> x.grad
    tensor([ 0., -1.,  1.])
    """


@loss("mse_loss", without="weight")
class MSELoss(_Loss):
    """The squares of the differences `input - target`, and their mean (mean squared error).

    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. A `target` of another
    shape is broadcast, with a warning.

    The gradient of the input is `2 * (input - target)`, for the mean divided by the number of elements. The target gets a gradient too, if it
    requires grad.

    >>> x = jgrad.tensor([1., 5.], requires_grad=True)
    >>> loss = jgrad.nn.MSELoss()(x, jgrad.tensor([1., 2.]))
    >>> loss.item()
    4.5
    >>> loss.backward()
    >>> x.grad
    tensor([0., 3.])
    """


@loss("smooth_l1_loss")
class SmoothL1Loss(_Loss):
    """The absolute difference d between `input` and `target`, minus `beta / 2`. Where d is below `beta`, it is `d * d / (2 * beta)` instead, a curve
    without a corner at 0.

    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        beta: the difference at which the curve becomes a straight line; must not be negative, and 0 gives `L1Loss`

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`.

    The slope of the straight line is 1 for every `beta`. `HuberLoss` is `beta` times this loss, for `delta=beta`.

    >>> loss = jgrad.nn.SmoothL1Loss(reduction="none")
    >>> loss(jgrad.tensor([1., 2., 5.]), jgrad.tensor([1., 3., 1.]))
    tensor([0.0000, 0.5000, 3.5000])
    """


@loss("huber_loss", without="weight")
class HuberLoss(_Loss):
    """Half the square of the difference d between `input` and `target`. Where d is above `delta`, it is the straight line `delta * (d - delta / 2)`
    instead.

    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        delta: the difference at which the curve becomes a straight line; it is also the slope of this line. It must be positive

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`.

    Where the difference is above `delta`, the gradient has the size `delta`, so that single large differences do not dominate.

    >>> x = jgrad.tensor([1., 2., 5.], requires_grad=True)
    >>> values = jgrad.nn.HuberLoss("none", delta=2.0)(x, jgrad.tensor([1., 3., 1.]))
    >>> values.detach()
    tensor([0.0000, 0.5000, 6.0000])
    >>> values.sum().backward()
    >>> x.grad
    tensor([ 0., -1.,  2.])
    """


@loss("nll_loss")
class NLLLoss(_WeightedLoss):
    """Minus the element of the input at the target class (negative log-likelihood). The input holds logarithms of probabilities.

    Args:
        weight: a factor for each class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It cannot
            require grad
        ignore_index: targets that are this number are left out, also from the mean
        reduction: 'mean', 'sum' or 'none'; the mean is weighted by `weight`

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. `input` has shape (N, C)
    for N samples and C classes, or (C,), or (N, C, d1, ...). `target` holds the numbers of the classes as int64, in the shape of `input` without C.

    `LogSoftmax` gives such inputs. `CrossEntropyLoss` does both in one step.

    >>> logs = jgrad.tensor([[-1., -2.], [-3., -4.]], requires_grad=True)
    >>> loss = jgrad.nn.NLLLoss()(logs, jgrad.tensor([1, 0]))
    >>> loss.item()
    2.5
    >>> loss.backward()
    >>> logs.grad
    tensor([[ 0.0000, -0.5000],
            [-0.5000,  0.0000]])
    """


class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss`. It gives a FutureWarning.

    Args:
        weight: a factor for each class, of shape (C,); None stands for ones
        size_average, reduce: deprecated, use `reduction`; unless both are None, they override it, with a warning
        ignore_index: targets that are this number are left out, also from the mean
        reduction: 'mean', 'sum' or 'none'; the mean is weighted by `weight`

    >>> logs = jgrad.full((1, 2, 3, 3), -1.)
    >>> jgrad.nn.NLLLoss2d()(logs, jgrad.zeros(1, 3, 3, dtype=jgrad.long))
    tensor(1.)
    """

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
    not put a `Softmax` before this loss.

    Args:
        weight: a factor for each class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`.
        ignore_index: class numbers equal to it are left out, also from the mean. If the target holds probabilities, it must be negative and has no
            effect
        reduction: 'mean', 'sum' or 'none'. With class numbers the mean is weighted by `weight`; with probabilities it divides by the number of
            samples
        label_smoothing: the share of the target's probability, between 0 and 1, that is spread evenly over all classes

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input` without C. `input` has
    shape (N, C) for N samples and C classes, or (C,), or (N, C, d1, ...) for images. `target` holds the numbers of the classes as int64, in the shape
    of `input` without C. Or it holds the probabilities of all classes, in the shape of `input`.

    The gradient of the scores of a sample is `softmax(input)` minus 1 at the target class, for the mean divided by N.

    >>> scores = jgrad.tensor([[0., 0.], [200., 0.]], requires_grad=True)
    >>> target = jgrad.tensor([0, 1])
    >>> jgrad.nn.CrossEntropyLoss(reduction="none")(scores, target).detach()
    tensor([  0.6931, 200.0000])
    >>> jgrad.nn.CrossEntropyLoss()(scores, target).backward()
    >>> scores.grad
    tensor([[-0.2500,  0.2500],
            [ 0.5000, -0.5000]])
    """


@loss("poisson_nll_loss")
class PoissonNLLLoss(_Loss):
    """Minus the logarithm of the probability of counts under Poisson distributions. Unless `full` is True, the part that does not depend on the input
    is left out.

    Args:
        log_input: whether the input holds logarithms of the expected counts: then the loss is `exp(input) - target * input`, otherwise
            `input - target * log(input + eps)`
        full: whether to add an approximation (Stirling's formula) of the part that depends on the target alone
        eps: a small number that avoids the logarithm of 0; it has no effect if `log_input` is True
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with the expected counts and the observed counts, a tensor without dimensions; with 'none' one with the shape of the input.

    The loss is smallest where the expected count is the observed one. There the gradient is 0.

    >>> x = jgrad.tensor([0., 0.], requires_grad=True)  # exp(0) = 1 is expected
    >>> jgrad.nn.PoissonNLLLoss(reduction="sum")(x, jgrad.tensor([1., 3.])).backward()
    >>> x.grad
    tensor([ 0., -2.])
    """

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
    `(log(var) + (input - target) ** 2 / var) / 2`. Unless `full` is True, a constant is left out.

    Args:
        full: whether to add the constant `log(2 * pi) / 2`
        eps: variances below it are replaced by it; the gradient of `var` does not take this into account
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input`, `target` and `var`, a tensor without dimensions; with 'none' one with the shape of `input`. `var` is a float,
    or a tensor with the shape of `input`, or one with size 1 in one dimension, or one without the last dimension.

    Raises ValueError if a variance is negative.

    >>> loss = jgrad.nn.GaussianNLLLoss(reduction="none")
    >>> loss(jgrad.tensor([1., 2.]), jgrad.tensor([1., 6.]), jgrad.ones(2))
    tensor([0., 8.])
    """


@loss("kl_div")
class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`: `target * (log(target) - input)` for each
    element.

    Args:
        reduction: 'batchmean' gives the sum divided by the size of dimension 0, 'mean' the mean of the elements (with a warning), 'sum' their sum,
            'none' all of them
        log_target: whether `target` holds logarithms of probabilities, too

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. Elements with the target 0
    give 0.

    The divergence of two distributions is what 'batchmean' gives. The default 'mean' also divides by the number of classes.

    >>> loss = jgrad.nn.KLDivLoss(reduction="batchmean")
    >>> p = jgrad.tensor([[0.5, 0.5]])
    >>> loss(p.log(), p)
    tensor(0.)
    >>> loss(jgrad.tensor([[-1., -2.]]), jgrad.tensor([[1., 0.]]))
    tensor(1.)
    """


@loss("binary_cross_entropy")
class BCELoss(_WeightedLoss):
    """Binary cross-entropy: `-(target * log(input) + (1 - target) * log(1 - input))`. The input holds the probabilities that the target is 1.

    Args:
        weight: a factor for each element, which is broadcast; None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and holds 0, 1 or probabilities, as floating point numbers.

    The logarithms are never below -100, so that no result is infinite. Raises RuntimeError if an element of `input` is not between 0 and 1.
    `BCEWithLogitsLoss` takes scores instead. It is more exact where the probability is very near 0 or 1.

    >>> loss = jgrad.nn.BCELoss(reduction="none")
    >>> loss(jgrad.tensor([0., 0.5, 0.5]), jgrad.tensor([1., 1., 0.]))
    tensor([100.0000,   0.6931,   0.6931])
    """


@loss("binary_cross_entropy_with_logits")
class BCEWithLogitsLoss(_Loss):
    """`BCELoss` of `sigmoid(input)`, computed in one step, which does not overflow. The input holds scores (logits).

    Args:
        weight: a factor for each element, which is broadcast; None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them
        pos_weight: a factor for the part of the loss that belongs to target 1, which is broadcast; None stands for 1. It is a buffer as well. It
            cannot require grad

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and holds 0, 1 or probabilities, as floating point numbers.

    The gradient of the input is `sigmoid(input) - target`, for the mean divided by the number of elements.

    >>> scores = jgrad.tensor([0., -200.], requires_grad=True)
    >>> loss = jgrad.nn.BCEWithLogitsLoss(reduction="none")(scores, jgrad.tensor([1., 1.]))
    >>> loss.detach()
    tensor([  0.6931, 200.0000])
    >>> loss.sum().backward()
    >>> scores.grad
    tensor([-0.5000, -1.0000])
    """


@loss("hinge_embedding_loss")
class HingeEmbeddingLoss(_Loss):
    """A loss of distances: the input itself where the target is 1; `margin - input`, at least 0, where the target is -1.

    Args:
        margin: pairs with target -1 give no loss if their distance is at least this number
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `input` holds distances
    between pairs. `target` is 1 for pairs that should be near each other and -1 for the others.

    >>> loss = jgrad.nn.HingeEmbeddingLoss(reduction="none")
    >>> loss(jgrad.tensor([3., 0.25, 3.]), jgrad.tensor([1, -1, -1]))
    tensor([3.0000, 0.7500, 0.0000])
    """


@loss("multilabel_margin_loss")
class MultiLabelMarginLoss(_Loss):
    """`MultiMarginLoss` where a sample has several labels: the sum over all pairs of a label and another class of `1 - input[label] + input[class]`,
    at least 0, divided by the number of classes C.

    Args:
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with one element for each sample. `input` holds
    scores of shape (N, C) or (C,). `target` holds the labels as int64 in the same shape; in each row those from the first -1 on do not count.

    Its gradient cannot be differentiated again.

    >>> scores = jgrad.tensor([[3., 0., 2., 2.5]])
    >>> labels = jgrad.tensor([[0, 2, -1, -1]])  # class 3 is too near to both labels
    >>> jgrad.nn.MultiLabelMarginLoss()(scores, labels)
    tensor(0.5000)
    """


@loss("soft_margin_loss")
class SoftMarginLoss(_Loss):
    """`log(1 + exp(-target * input))` for each element, with targets 1 and -1. It is small where the input is large and has the sign of the target.

    Args:
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input`. `target` has the same
    shape and cannot require grad.

    >>> loss = jgrad.nn.SoftMarginLoss(reduction="none")
    >>> loss(jgrad.tensor([200., 0., 40.]), jgrad.tensor([1., 1., -1.]))
    tensor([ 0.0000,  0.6931, 40.0000])
    """


@loss("multilabel_soft_margin_loss")
class MultiLabelSoftMarginLoss(_WeightedLoss):
    """`BCEWithLogitsLoss` for each of C labels, averaged over the labels. A sample may have several labels or none.

    Args:
        weight: a factor for each label, of shape (C,), or for each element; it is broadcast. None stands for ones. It is kept as a buffer, so it is
            saved in the `state_dict`.
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `input` without the last dimension.
    `input` holds scores of shape (..., C). `target` has the same shape: 1 for labels that the sample has, 0 for the others.

    >>> scores = jgrad.tensor([[200., -200.], [200., 200.]])
    >>> labels = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> jgrad.nn.MultiLabelSoftMarginLoss(reduction="none")(scores, labels)
    tensor([  0., 100.])
    """

    __init__ = _WeightedLoss.__init__


@loss("cosine_embedding_loss", margin=0.0)
class CosineEmbeddingLoss(_Loss):
    """1 minus the cosine of the angle between two vectors where the target is 1. Where the target is -1, it is the cosine minus `margin`, at least 0.

    Args:
        margin: pairs with target -1 give no loss if their cosine is at most this number
        reduction: 'mean' gives the mean of the pairs, 'sum' their sum, 'none' all of them

    Returns, when called with `input1`, `input2` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. The inputs
    hold vectors of shape (N, D) or (D,). `target` has the shape (N,), or no dimensions for single vectors: 1 for pairs that should point in the same
    direction, -1 for the others.

    >>> first = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> second = jgrad.tensor([[0., 2.], [3., 0.]])
    >>> jgrad.nn.CosineEmbeddingLoss(reduction="none")(first, second, jgrad.tensor([1, -1]))
    tensor([1., 1.])
    """


@loss("margin_ranking_loss", margin=0.0)
class MarginRankingLoss(_Loss):
    """`-target * (input1 - input2) + margin`, at least 0. This is how far `input1` is from exceeding `input2` by the margin (target 1), or `input2`
    from exceeding `input1` (target -1).

    Args:
        margin: how much higher the score should be that should be the higher one
        reduction: 'mean' gives the mean of the elements, 'sum' their sum, 'none' all of them

    Returns, when called with `input1`, `input2` and `target`, a tensor without dimensions; with 'none' one with the common shape of the three, which
    are broadcast. The inputs hold the scores of the first and of the second items.

    >>> first, second = jgrad.tensor([5., 5.]), jgrad.tensor([2., 2.])
    >>> loss = jgrad.nn.MarginRankingLoss(margin=1.0, reduction="none")
    >>> loss(first, second, jgrad.tensor([1, -1]))
    tensor([0., 4.])
    """


@loss("multi_margin_loss")
class MultiMarginLoss(_WeightedLoss):
    """How far the scores of the other classes are from being below the score of the target class by the margin. It is the sum over the other classes
    of `max(0, margin - input[target] + input[class]) ** p`, divided by the number of classes C.

    Args:
        p: the power, 1 or 2
        margin: how much higher the score of the target class should be
        weight: a factor for each target class, of shape (C,); None stands for ones. It is kept as a buffer, so it is saved in the `state_dict`. It
            cannot require grad
        reduction: 'mean' gives the mean of the samples, 'sum' their sum, 'none' all of them

    Returns, when called with `input` and `target`, a tensor without dimensions; with 'none' one with the shape of `target`. `input` holds scores of
    shape (N, C) or (C,). `target` holds the numbers of the classes as int64, of shape (N,), or without dimensions for a single sample.

    Its gradient cannot be differentiated again. Raises ValueError if `p` is neither 1 nor 2.

    >>> scores = jgrad.tensor([[3., 2.5, 0., 1.]])
    >>> jgrad.nn.MultiMarginLoss()(scores, jgrad.tensor([0]))  # only class 1 is too near: 0.5 / 4
    tensor(0.1250)
    """

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
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.

    Args:
        margin: how much larger the distance to the negative should be; must be positive
        p: the norm that gives the distance; 2 is the usual length
        eps: a small number that is added to each difference, so that the gradient of the distance 0 exists
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them

    Returns, when called with `anchor`, `positive` and `negative`, a tensor without dimensions; with 'none' one with one element for each triplet. The
    three hold vectors of shape (N, D) or (D,).

    Raises ValueError if `margin` is not positive.

    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> jgrad.nn.TripletMarginLoss(margin=1.0)(anchor, near, far)  # the distances are 2 and 5
    tensor(0.)
    >>> jgrad.nn.TripletMarginLoss(margin=4.0, eps=0.0)(anchor, near, far)
    tensor(1.)
    """

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
    """`TripletMarginLoss` with any distance: `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.

    Args:
        distance_function: a function of two tensors that gives their distances; None stands for `PairwiseDistance()`
        margin: how much larger the distance to the negative should be; must be positive
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        reduction: 'mean' gives the mean of the triplets, 'sum' their sum, 'none' all of them

    Returns, when called with `anchor`, `positive` and `negative`, a tensor without dimensions; with 'none' one with the shape that
    `distance_function` gives.

    Raises ValueError if `margin` is not positive.

    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> def largest(a, b):
    ...     return (a - b).abs().amax(1)
    >>> loss = jgrad.nn.TripletMarginWithDistanceLoss(distance_function=largest, margin=3.0)
    >>> loss(anchor, near, far)  # 2 - 4 + 3
    tensor(1.)
    """

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
    alignments count: after repeated classes are joined and blanks are left out, the target must remain.

    Args:
        blank: the number of the class that stands for nothing
        reduction: 'mean' divides each loss by its target's length and then gives the mean, 'sum' gives the sum, 'none' all of them
        zero_infinity: whether an infinite loss, of a target that is too long for its steps, becomes 0, and its gradient too

    Returns, when called with `log_probs`, `targets`, `input_lengths` and `target_lengths`, a tensor without dimensions; with 'none' one with one
    element for each sample. `log_probs` has shape (T, N, C) for T steps, N samples and C classes, the blank included, or (T, C) for a single sample.
    `targets` has shape (N, S), padded to the largest length S, or is a single row with the targets of all samples. The lengths are tensors or tuples
    of N integers.

    Its gradient cannot be differentiated again. It is right only if `log_probs` comes from `log_softmax`.

    >>> log_probs = jgrad.log_softmax(jgrad.zeros(2, 1, 2), 2)
    >>> loss = jgrad.nn.CTCLoss()(log_probs, jgrad.tensor([[1]]), (2,), (1,))
    >>> (-loss).exp()  # three of the four sequences give the target: 11, 01, 10
    tensor(0.7500)
    """


@fields("dim: int = 1, eps: float = 1e-8")
class CosineSimilarity(Module):
    """The cosine of the angle between vectors: their dot product, divided by the product of their lengths.

    Args:
        dim: the dimension along which the vectors lie; negative numbers count from the last one
        eps: a small number; shorter lengths are replaced by it, so that nothing is divided by zero

    Returns, when called with `x1` and `x2`, a new tensor without the dimension `dim`. The two inputs are broadcast. The results are between -1 and 1.

    >>> x = jgrad.tensor([[3., 4.], [1., 0.], [1., 0.]])
    >>> y = jgrad.tensor([[6., 8.], [0., 5.], [-2., 0.]])
    >>> jgrad.nn.CosineSimilarity(dim=1)(x, y)
    tensor([ 1.,  0., -1.])
    """

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The norm of the differences `x1 - x2 + eps`, along the last dimension: the distances between vectors.

    Args:
        p: the norm: 2 is the usual length, 1 the sum of the absolute values
        eps: a small number that is added to each difference, so that the gradient of the distance 0 exists
        keepdim: whether the last dimension stays, with size 1

    Returns, when called with `x1` and `x2`, a new tensor without the last dimension. The two inputs, of shape (N, D) or (D,), are broadcast.

    >>> x = jgrad.tensor([[0., 0.], [1., 1.]])
    >>> y = jgrad.tensor([[3., 4.], [1., 3.]])
    >>> jgrad.nn.PairwiseDistance(eps=0.0)(x, y)
    tensor([5., 2.])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
