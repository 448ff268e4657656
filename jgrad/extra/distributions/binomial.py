"""The binomial distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.probabilities import Binary
from jgrad.tensor import Size, Tensor


class Binomial(Binary, Distribution):
    """How many of `total_count` independent trials succeed."""

    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True
    _parameters = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(
        self,
        total_count: Tensor | int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        (self.total_count,) = self._set(probs, logits, total_count)
        super().__init__(self._param.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> constraints.Constraint:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with jgrad.no_grad():
            return jgrad.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        n, logits = self.total_count, self.logits
        # max(logits, 0), with half of the gradient at 0
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        normalizer = n * positive + n * jgrad.log1p(jgrad.exp(-logits.abs())) - jgrad.lgamma(n + 1)
        ways = -jgrad.lgamma(value + 1) - jgrad.lgamma(n - value + 1)
        return value * logits + ways - normalizer

    def _common_count(self, method: str) -> int:
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{method}`.")
        return count

    def entropy(self) -> Tensor:
        self._common_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(jgrad.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        count = self._common_count("enumerate_support")
        values = jgrad.arange(1 + count, dtype=self._param.dtype, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


manual.attach(__name__)
