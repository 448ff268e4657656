"""The categorical distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.probabilities import OneOfMany
from jgrad.tensor import Size, Tensor


class Categorical(OneOfMany, Distribution):
    """Integers from 0 to K - 1, each with a probability of its own."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _parameters = {"probs": 1, "logits": 1}
    _kept = ("_num_events",)

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        self._set(probs, logits)
        self._num_events = self._param.shape[-1]
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> constraints.Constraint:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        """nan: the integers are names."""
        return self.probs.new_full(self._extended_shape(), nan)

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    variance = mean

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        sample_shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        found = jgrad.multinomial(rows, sample_shape.numel(), True).T
        return found.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        index, logits = jgrad.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = self.logits.clamp(min=jgrad.finfo(self.logits.dtype).min)  # 0 * log(0) is 0
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = jgrad.arange(self._num_events, dtype=jgrad.long, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


manual.attach(__name__)
