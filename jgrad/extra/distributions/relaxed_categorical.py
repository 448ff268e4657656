"""The relaxed categorical distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import ExpTransform
from jgrad.distributions.utils import broadcast_all, clamp_probs
from jgrad.extra.distributions.one_hot_categorical import Categories
from jgrad.tensor import Size, Tensor


class ExpRelaxedCategorical(Categories, Distribution):
    """Logarithms of samples of RelaxedOneHotCategorical: normalized sums of logits and Gumbel numbers, divided by the temperature."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector  # a vector whose exponentials sum up to 1
    has_rsample = True
    _parameters = {"_categorical": 0}
    _kept = ("temperature",)

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        u = clamp_probs(jgrad.rand(shape, dtype=self.logits.dtype, device=self.logits.device))
        scores = (self.logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        k = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        constant = jgrad.full_like(self.temperature, float(k)).lgamma() + self.temperature.log() * (k - 1)
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + constant


class RelaxedOneHotCategorical(TransformedDistribution):
    """Vectors of K probabilities that stand for a choice of one of K and have gradients (Gumbel-softmax)."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """Logarithms of probabilities."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """Probabilities."""
        return self.base_dist.probs


manual.attach(__name__)
