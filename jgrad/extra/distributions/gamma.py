"""The gamma distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import broadcast_all
from jgrad.tensor import Size, Tensor


class Gamma(ExponentialFamily):
    """Numbers with the density rate^c x^(c - 1) exp(-rate x) / gamma(c), c being the concentration, for x from 0."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _parameters = {"concentration": 0, "rate": 0}

    def __init__(
        self, concentration: Tensor | float, rate: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        value = jgrad._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=jgrad.finfo(value.dtype).tiny)  # not in the graph
        return value

    def log_prob(self, value: Tensor) -> Tensor:
        value = jgrad.as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        self._check(value)
        powers = jgrad.xlogy(self.concentration, self.rate) + jgrad.xlogy(self.concentration - 1, value)
        return powers - self.rate * value - jgrad.lgamma(self.concentration)

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return jgrad.special.gammainc(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        c = self.concentration
        return c - jgrad.log(self.rate) + jgrad.lgamma(c) + (1.0 - c) * jgrad.digamma(c)

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return jgrad.lgamma(x + 1) + (x + 1) * jgrad.log(-y.reciprocal())


manual.attach(__name__)
