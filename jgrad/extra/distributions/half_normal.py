"""The half-normal distribution."""

from __future__ import annotations

import math

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.normal import Normal
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AbsTransform
from jgrad.tensor import Tensor


class HalfNormal(TransformedDistribution):
    """Absolute values of normal numbers with the mean 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the normal numbers."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def mode(self) -> Tensor:
        return jgrad.zeros_like(self.scale)

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return jgrad.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Tensor) -> Tensor:
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() - math.log(2)


manual.attach(__name__)
