"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.probabilities import Binary
from jgrad.distributions.utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs
from jgrad.nn.functional import binary_cross_entropy_with_logits
from jgrad.tensor import Size, Tensor


class ContinuousBernoulli(Binary, ExponentialFamily):
    """Numbers from 0 to 1 with a density proportional to p^x (1 - p)^(1 - x)."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0
    _parameters = {"probs": 0, "logits": 0}
    _kept = ("_lims",)

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._set(probs, logits)
        if probs is not None:
            if validate_args is not None and not self.arg_constraints["probs"].check(self.probs).all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(self._param.shape, validate_args=validate_args)

    @lazy_property
    def probs(self) -> Tensor:
        """p, away from 0 and 1."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _stable(self) -> Tensor:
        """Where p is not near 1/2."""
        low, high = self._lims
        return (self.probs <= low) | (self.probs > high)

    def _cut_probs(self) -> Tensor:
        """p, with another number where it is near 1/2, which is not looked at."""
        return jgrad.where(self._stable(), self.probs, self._lims[0])

    def _cont_bern_log_norm(self) -> Tensor:
        """The logarithm of the factor of the density."""
        p = self._cut_probs()
        below = jgrad.where(p <= 0.5, p, 0.0)
        above = jgrad.where(p >= 0.5, p, 1.0)
        width = jgrad.where(p <= 0.5, jgrad.log1p(-2.0 * below), jgrad.log(2.0 * above - 1.0))
        x = (self.probs - 0.5) ** 2
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return jgrad.where(self._stable(), (jgrad.log1p(-p) - p.log()).abs().log() - width, series)

    @property
    def mean(self) -> Tensor:
        p, x = self._cut_probs(), self.probs - 0.5
        found = p / (2.0 * p - 1.0) + 1.0 / (jgrad.log1p(-p) - p.log())
        return jgrad.where(self._stable(), found, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x)

    @property
    def variance(self) -> Tensor:
        p, x = self._cut_probs(), (self.probs - 0.5) ** 2
        found = p * (p - 1.0) / (1.0 - 2.0 * p) ** 2 + 1.0 / (jgrad.log1p(-p) - p.log()) ** 2
        return jgrad.where(self._stable(), found, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return self.icdf(jgrad.rand(shape, dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none") + self._cont_bern_log_norm()

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        p = self._cut_probs()
        found = (p**value * (1.0 - p) ** (1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        inside = jgrad.where(self._stable(), found, value)
        return jgrad.where(value <= 0.0, 0.0, jgrad.where(value >= 1.0, 1.0, inside))

    def icdf(self, value: Tensor) -> Tensor:
        p = self._cut_probs()
        log_p, log_rest = p.log(), jgrad.log1p(-p)
        found = (jgrad.log1p(-p + value * (2.0 * p - 1.0)) - log_rest) / (log_p - log_rest)
        return jgrad.where(self._stable(), found, value)

    def entropy(self) -> Tensor:
        log_p, log_rest = self.probs.log(), jgrad.log1p(-self.probs)
        return self.mean * (log_rest - log_p) - self._cont_bern_log_norm() - log_rest

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (self.logits,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        low, high = self._lims[0] - 0.5, self._lims[1] - 0.5
        stable = (x <= low) | (x > high)
        cut = jgrad.where(stable, x, low)
        series = 0.5 * x + x**2 / 24.0 - x**4 / 2880.0
        return jgrad.where(stable, cut.expm1().abs().log() - cut.abs().log(), series)


manual.attach(__name__)
