"""The multinomial distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all
from jgrad.extra.distributions.binomial import Binomial
from jgrad.extra.distributions.one_hot_categorical import Categories
from jgrad.tensor import Size, Tensor


class Multinomial(Categories, Distribution):
    """How often each of K outcomes comes in `total_count` independent trials."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    total_count: int
    _parameters = {"_categorical": 0}
    _kept = ("total_count",)

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> constraints.Constraint:
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add_(-1, drawn, jgrad.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        ways = jgrad.lgamma(value.sum(-1) + 1) - jgrad.lgamma(value + 1).sum(-1)
        impossible = (value == 0) & (logits == -inf)  # 0 * log(0) is 0
        return ways + (logits.masked_fill(impossible, 0) * value).sum(-1)

    def entropy(self) -> Tensor:
        n = jgrad.tensor(self.total_count)
        one = Binomial(self.total_count, self.probs)  # how often a single outcome comes
        counts = one.enumerate_support(expand=False)[1:]
        weighted = jgrad.exp(one.log_prob(counts)) * jgrad.lgamma(counts + 1)
        return n * self._categorical.entropy() - jgrad.lgamma(n + 1) + weighted.sum([0, -1])


manual.attach(__name__)
