"""The negative binomial distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.probabilities import Binary
from jgrad.distributions.utils import lazy_property
from jgrad.extra.distributions.gamma import Gamma
from jgrad.nn.functional import logsigmoid
from jgrad.tensor import Size, Tensor


class NegativeBinomial(Binary, Distribution):
    """How many trials succeed before `total_count` have failed."""

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer
    _parameters = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(
        self,
        total_count: Tensor | float,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        (self.total_count,) = self._set(probs, logits, total_count)
        super().__init__(self._param.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.total_count * jgrad.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / jgrad.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        """The distribution of the rate of which the samples are Poisson-distributed."""
        return Gamma(self.total_count, jgrad.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            return jgrad.poisson(self._gamma.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        n, logits = self.total_count, self.logits
        powers = n * logsigmoid(-logits) + value * logsigmoid(logits)
        ways = jgrad.lgamma(n + value) - jgrad.lgamma(1.0 + value) - jgrad.lgamma(n)
        return powers + ways.masked_fill(n + value == 0.0, 0.0)


manual.attach(__name__)
