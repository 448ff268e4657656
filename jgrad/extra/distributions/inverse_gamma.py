"""The inverse gamma distribution."""

from __future__ import annotations

from math import inf

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import PowerTransform
from jgrad.extra.distributions.gamma import Gamma
from jgrad.tensor import Tensor


class InverseGamma(TransformedDistribution):
    """Reciprocals of gamma-distributed numbers."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(
        self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None
    ) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    @property
    def concentration(self) -> Tensor:
        """The concentration of the reciprocals."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Tensor:
        """The rate of the reciprocals."""
        return self.base_dist.rate

    @property
    def mean(self) -> Tensor:
        c = self.concentration
        return jgrad.where(c > 1, self.rate / (c - 1), inf)

    @property
    def mode(self) -> Tensor:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        c = self.concentration
        return jgrad.where(c > 2, self.rate.square() / ((c - 1).square() * (c - 2)), inf)

    def entropy(self) -> Tensor:
        c = self.concentration
        return c + self.rate.log() + c.lgamma() - (1 + c) * c.digamma()


manual.attach(__name__)
