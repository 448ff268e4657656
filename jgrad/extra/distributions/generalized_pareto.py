"""The generalized Pareto distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all
from jgrad.tensor import Size, Tensor


class GeneralizedPareto(Distribution):
    """Excesses over a threshold: numbers from `loc` on that exceed x with the probability (1 + c z)^(-1 / c), z being (x - loc) / scale."""

    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True
    _parameters = {"loc": 0, "scale": 0, "concentration": 0}

    def __init__(
        self,
        loc: Tensor | float,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> constraints.Constraint:
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, jgrad.where(self.concentration < 0, end, inf))

    def _split(self) -> tuple[Tensor, Tensor]:
        """Where the distribution is exponential, and the concentration with ones there, which are not looked at."""
        exponential = jgrad.isclose(self.concentration, jgrad.zeros_like(self.concentration))
        return exponential, jgrad.where(exponential, jgrad.ones_like(self.concentration), self.concentration)

    def _z(self, value: Tensor) -> Tensor:
        return (value - self.loc) / self.scale

    @property
    def mean(self) -> Tensor:
        finite = self.concentration < 1
        c = jgrad.where(finite, self.concentration, 0.5)
        return jgrad.where(finite, self.loc + self.scale / (1 - c), nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        finite = self.concentration < 0.5
        c = jgrad.where(finite, self.concentration, 0.25)
        return jgrad.where(finite, self.scale**2 / ((1 - c) ** 2 * (1 - 2 * c)), nan)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return self.icdf(jgrad.rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        z, (exponential, c) = self._z(value), self._split()
        power = 1 / c + jgrad.ones_like(z)
        other = jgrad.where(power == 0, power, power * jgrad.log1p(c * z))
        return -self.scale.log() - jgrad.where(exponential, z, other)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of a sample above `value`."""
        self._check(value)
        z, (exponential, c) = self._z(value), self._split()
        return jgrad.where(exponential, -z, -jgrad.log1p(c * z) / c)

    def log_cdf(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of a sample up to `value`."""
        return jgrad.log1p(-jgrad.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return jgrad.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        exponential, c = self._split()
        log_left = jgrad.log1p(-value)
        other = self.loc + self.scale / c * jgrad.expm1(-c * log_left)
        return jgrad.where(exponential, self.loc - self.scale * log_left, other)

    def entropy(self) -> Tensor:
        return (jgrad.log(self.scale) + self.concentration + 1).expand(self._batch_shape)


manual.attach(__name__)
