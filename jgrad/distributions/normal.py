"""The normal distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import broadcast_all, standard_normal
from jgrad.tensor import Size, Tensor


class Normal(ExponentialFamily):
    """Normally (Gaussian) distributed numbers, with the density exp(-((x - loc) / scale)^2 / 2) / (scale * sqrt(2 pi))."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0
    _parameters = {"loc": 0, "scale": 0}

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with jgrad.no_grad():
            return jgrad.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self.loc + standard_normal(self._extended_shape(sample_shape), self.loc) * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        square = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return square - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return 0.5 * (1 + jgrad.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * jgrad.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        variance = self.scale.pow(2)
        return self.loc / variance, -0.5 * variance.reciprocal()

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return -0.25 * x.pow(2) / y + 0.5 * jgrad.log(-math.pi / y)


manual.attach(__name__)
