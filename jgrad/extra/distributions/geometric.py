"""The geometric distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.probabilities import Binary
from jgrad.distributions.utils import broadcast_all
from jgrad.nn.functional import binary_cross_entropy_with_logits
from jgrad.tensor import Size, Tensor


class Geometric(Binary, Distribution):
    """How many trials fail before the first success: k with the probability (1 - p)^k p."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer
    _parameters = {"probs": 0, "logits": 0}

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._set(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)
        if self._validate_args and probs is not None and not (positive := self.probs > 0).all():
            value = self.probs
            raise ValueError(
                f"Expected parameter probs ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} "
                f"to be positive but found invalid values:\n{value.data[~positive]}"
            )

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return jgrad.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            tiny = jgrad.finfo(self.probs.dtype).tiny
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        value, probs = broadcast_all(value, self.probs)
        failing = probs.masked_fill((probs == 1) & (value == 0), 0)  # 0 * log(0) is 0 here
        return value * (-failing).log1p() + self.probs.log()

    def entropy(self) -> Tensor:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


manual.attach(__name__)
