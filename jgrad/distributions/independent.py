"""Batches of distributions as distributions of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import sum_rightmost
from jgrad.tensor import Size, Tensor


class Independent(Distribution):
    """A distribution whose last batch dimensions are dimensions of the event: their samples belong together, log-probabilities are summed up."""

    arg_constraints: dict[str, constraints.Constraint] = {}
    _parameters: dict[str, int] = {}

    def __init__(
        self,
        base_distribution: Distribution,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        base = base_distribution
        if reinterpreted_batch_ndims > len(base.batch_shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {reinterpreted_batch_ndims} vs {len(base.batch_shape)}"
            )
        cut = len(base.batch_shape) - reinterpreted_batch_ndims
        shape = base.batch_shape + base.event_shape
        self.base_dist, self.reinterpreted_batch_ndims = base, reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new.base_dist = self.base_dist.expand(
            new.batch_shape + self.event_shape[: self.reinterpreted_batch_ndims]
        )
        new.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        return new

    @property
    def has_rsample(self) -> bool:
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> bool:
        return self.reinterpreted_batch_ndims <= 0 and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> constraints.Constraint:
        result, n = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(result, n) if n else result

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


manual.attach(__name__)
