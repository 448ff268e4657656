"""The Bernoulli distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.probabilities import Binary
from jgrad.distributions.utils import broadcast_all
from jgrad.nn.functional import binary_cross_entropy_with_logits
from jgrad.tensor import Size, Tensor


class Bernoulli(Binary, ExponentialFamily):
    """Flips of a coin: 1 with the probability `probs`, else 0."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0
    _parameters = {"probs": 0, "logits": 0}

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._set(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        """1 or 0; nan where both are equally probable."""
        return (self.probs >= 0.5).to(self.probs).masked_fill(self.probs == 0.5, nan)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            return jgrad.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = jgrad.arange(2, dtype=self._param.dtype, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (jgrad.logit(self.probs),)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return jgrad.log1p(jgrad.exp(x))


manual.attach(__name__)
