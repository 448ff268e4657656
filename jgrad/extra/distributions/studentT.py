"""Student's t distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all, standard_normal
from jgrad.extra.distributions.chi2 import Chi2
from jgrad.tensor import Size, Tensor


class StudentT(Distribution):
    """Normal numbers over the root of a mean of `df` squares of others, scaled and moved: bells with heavy tails."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _parameters = {"df": 0, "loc": 0, "scale": 0, "_chi2": 0}

    def __init__(
        self,
        df: Tensor | float,
        loc: Tensor | float = 0.0,
        scale: Tensor | float = 1.0,
        validate_args: bool | None = None,
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc.masked_fill(self.df <= 1, math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        finite = self.df > 2
        df = self.df.masked_fill(~finite, 3)
        found = jgrad.where(finite, self.scale.pow(2) * df / (df - 2), math.inf)
        return found.masked_fill(self.df <= 1, math.nan)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        normal = standard_normal(self._extended_shape(sample_shape), self.df)
        return self.loc + self.scale * (normal * jgrad.rsqrt(self._chi2.rsample(sample_shape) / self.df))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        y, df = (value - self.loc) / self.scale, self.df
        root = self.scale.log() + 0.5 * df.log() + 0.5 * math.log(math.pi)
        constant = root + jgrad.lgamma(0.5 * df) - jgrad.lgamma(0.5 * (df + 1.0))
        return -0.5 * (df + 1.0) * jgrad.log1p(y**2.0 / df) - constant

    def entropy(self) -> Tensor:
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = jgrad.lgamma(half) + math.lgamma(0.5) - jgrad.lgamma(more)
        spread = more * (jgrad.digamma(more) - jgrad.digamma(half))
        return self.scale.log() + spread + 0.5 * self.df.log() + log_beta


manual.attach(__name__)
