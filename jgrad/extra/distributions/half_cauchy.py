"""The half-Cauchy distribution."""

from __future__ import annotations

import math

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AbsTransform
from jgrad.extra.distributions.cauchy import Cauchy
from jgrad.tensor import Tensor


class HalfCauchy(TransformedDistribution):
    """Absolute values of Cauchy-distributed numbers with the median 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def scale(self) -> Tensor:
        """The median."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return self.scale.new_full(self._extended_shape(), math.inf)

    @property
    def mode(self) -> Tensor:
        return jgrad.zeros_like(self.scale)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        value = jgrad.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device)
        return jgrad.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob: Tensor) -> Tensor:
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() - math.log(2)


manual.attach(__name__)
