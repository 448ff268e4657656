"""The categorical distribution, of vectors with a single one."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.nn.functional import one_hot
from jgrad.tensor import Size, Tensor


class Categories:
    """What distributions that are made of a `_categorical` have of it."""

    _categorical: Categorical

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

    @property
    def probs(self) -> Tensor:
        """Probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Logarithms of probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter."""
        return self._categorical.param_shape


class OneHotCategorical(Categories, Distribution):
    """Vectors of K - 1 zeros and a one, each with a probability of its own."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True
    _parameters = {"_categorical": 0}

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        return one_hot(self.probs.argmax(-1), self.probs.shape[-1]).to(self.probs)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        index = self._categorical.sample(sample_shape)
        return one_hot(index, self._categorical._num_events).to(self.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        n = self.event_shape[0]
        values = jgrad.eye(n, dtype=self._param.dtype, device=self._param.device)
        values = values.view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical with samples whose gradient is taken for that of the probabilities (the straight-through estimator)."""

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


manual.attach(__name__)
