"""The Laplace distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all
from jgrad.tensor import Size, Tensor


class Laplace(Distribution):
    """Numbers with the density exp(-|x - loc| / scale) / (2 scale)."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _parameters = {"loc": 0, "scale": 0}

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Tensor:
        return 2**0.5 * self.scale

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        # The lower end is left out, whose logarithm is not finite.
        eps = jgrad.finfo(self.loc.dtype).eps
        u = self.loc.new_empty(self._extended_shape(sample_shape)).uniform_(eps - 1, 1)
        return self.loc - self.scale * u.sign() * jgrad.log1p(-u.abs())

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return -jgrad.log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        off = value - self.loc
        return 0.5 - 0.5 * off.sign() * jgrad.expm1(-off.abs() / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        off = value - 0.5
        return self.loc - self.scale * off.sign() * jgrad.log1p(-2 * off.abs())

    def entropy(self) -> Tensor:
        return 1 + jgrad.log(2 * self.scale)


manual.attach(__name__)
