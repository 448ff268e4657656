"""The Poisson distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import broadcast_all
from jgrad.tensor import Size, Tensor


class Poisson(ExponentialFamily):
    """How many events come in a unit of time at a rate: k with the probability rate^k exp(-rate) / k!."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _parameters = {"rate": 0}

    def __init__(self, rate: Tensor | float, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate

    variance = mean

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            return jgrad.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (jgrad.log(self.rate),)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return jgrad.exp(x)


manual.attach(__name__)
