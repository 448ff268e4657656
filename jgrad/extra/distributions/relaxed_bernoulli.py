"""The relaxed Bernoulli distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.probabilities import Binary
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import SigmoidTransform
from jgrad.distributions.utils import broadcast_all, clamp_probs
from jgrad.tensor import Size, Tensor


class LogitRelaxedBernoulli(Binary, Distribution):
    """Logits of samples of RelaxedBernoulli: of a logistic distribution around `logits`, divided by the temperature."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real
    _parameters = {"probs": 0, "logits": 0}
    _kept = ("temperature",)

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._set(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(jgrad.rand(shape, dtype=probs.dtype, device=probs.device))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        off = logits - value.mul(self.temperature)
        return self.temperature.log() + off - 2 * off.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    """Numbers from 0 to 1 that stand for the flips of a coin and have gradients; the lower the temperature, the nearer they are to 0 and 1."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """Log-odds."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """Probabilities."""
        return self.base_dist.probs


manual.attach(__name__)
