"""Fisher's F distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all
from jgrad.extra.distributions.gamma import Gamma
from jgrad.tensor import Size, Tensor


class FisherSnedecor(Distribution):
    """Ratios of two means of squares, of `df1` and of `df2` independent normal numbers."""

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _parameters = {"df1": 0, "df2": 0, "_gamma1": 0, "_gamma2": 0}

    def __init__(self, df1: Tensor | float, df2: Tensor | float, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.shape, validate_args=validate_args)

    def _df2_above(self, least: float) -> Tensor:
        """df2, nan where a moment needs more."""
        return self.df2.masked_fill(self.df2 <= least, nan)

    @property
    def mean(self) -> Tensor:
        df2 = self._df2_above(2)
        return df2 / (df2 - 2)

    @property
    def mode(self) -> Tensor:
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return mode.masked_fill(self.df1 <= 2, nan)

    @property
    def variance(self) -> Tensor:
        df1, df2 = self.df1, self._df2_above(4)
        return 2 * df2.pow(2) * (df1 + df2 - 2) / (df1 * (df2 - 2).pow(2) * (df2 - 4))

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        above, below = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        tiny = jgrad.finfo(below.dtype).tiny
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        half1, half2, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        constant = (half1 + half2).lgamma() - half1.lgamma() - half2.lgamma()
        power = half1 * ratio.log() + (half1 - 1) * jgrad.log(value)
        return constant + power - (half1 + half2) * jgrad.log1p(ratio * value)


manual.attach(__name__)
