"""The Weibull distribution."""

from __future__ import annotations

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AffineTransform, PowerTransform
from jgrad.distributions.utils import broadcast_all, euler_constant
from jgrad.extra.distributions.exponential import Exponential
from jgrad.tensor import Tensor


class Weibull(TransformedDistribution):
    """Times to failure that exceed x with the probability exp(-(x / scale)^concentration)."""

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive
    _parameters = {"scale": 0, "concentration": 0, "concentration_reciprocal": 0}

    def __init__(
        self, scale: Tensor | float, concentration: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(jgrad.ones_like(self.scale), validate_args=validate_args)
        transforms = [
            PowerTransform(exponent=self.concentration_reciprocal),
            AffineTransform(loc=0, scale=self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, n: int) -> Tensor:
        """The mean of (x / scale)^n."""
        return jgrad.exp(jgrad.lgamma(1 + n * self.concentration_reciprocal))

    @property
    def mean(self) -> Tensor:
        return self.scale * self._moment(1)

    @property
    def mode(self) -> Tensor:
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration.reciprocal()

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (self._moment(2) - self._moment(1).square())

    def entropy(self) -> Tensor:
        one_by_c = self.concentration_reciprocal
        return euler_constant * (1 - one_by_c) + jgrad.log(self.scale * one_by_c) + 1


manual.attach(__name__)
