"""The Kumaraswamy distribution."""

from __future__ import annotations

from math import nan

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AffineTransform, PowerTransform
from jgrad.distributions.uniform import Uniform
from jgrad.distributions.utils import broadcast_all, euler_constant
from jgrad.tensor import Tensor


class Kumaraswamy(TransformedDistribution):
    """Numbers from 0 to 1 that exceed x with the probability (1 - x^concentration1)^concentration0; much like the beta distribution."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _parameters = {"concentration1": 0, "concentration0": 0}

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        zeros, ones = jgrad.zeros_like(self.concentration0), jgrad.ones_like(self.concentration0)
        transforms = [
            PowerTransform(exponent=self.concentration0.reciprocal()),
            AffineTransform(loc=1.0, scale=-1.0),
            PowerTransform(exponent=self.concentration1.reciprocal()),
        ]
        base = Uniform(zeros, ones, validate_args=validate_args)
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, n: int) -> Tensor:
        """The mean of x^n."""
        b, more = self.concentration0, 1 + n / self.concentration1
        return b * jgrad.exp(jgrad.lgamma(more) + jgrad.lgamma(b) - jgrad.lgamma(more + b))

    @property
    def mean(self) -> Tensor:
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        log_mode = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        return log_mode.masked_fill((b < 1) | (a < 1), nan).exp()

    @property
    def variance(self) -> Tensor:
        return self._moment(2) - self.mean**2

    def entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        harmonic = jgrad.digamma(b + 1) + euler_constant
        return 1 - b.reciprocal() + (1 - a.reciprocal()) * harmonic - jgrad.log(a) - jgrad.log(b)


manual.attach(__name__)
