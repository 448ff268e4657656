"""The exponential distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import broadcast_all
from jgrad.tensor import Size, Tensor


class Exponential(ExponentialFamily):
    """Waiting times for events that come at a rate: the density is rate * exp(-rate * x), for x from 0."""

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _parameters = {"rate": 0}

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()

    stddev = mean

    @property
    def mode(self) -> Tensor:
        return jgrad.zeros_like(self.rate)

    @property
    def variance(self) -> Tensor:
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self.rate.new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return 1 - jgrad.exp(-self.rate * value)

    def icdf(self, value: Tensor) -> Tensor:
        return -jgrad.log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        return 1.0 - jgrad.log(self.rate)

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (-self.rate,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return -jgrad.log(-x)


manual.attach(__name__)
