"""Distributions of what transforms make of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.independent import Independent
from jgrad.distributions.transforms import ComposeTransform, Transform
from jgrad.distributions.utils import sum_rightmost
from jgrad.tensor import Size, Tensor


class TransformedDistribution(Distribution):
    """The distribution of y = t(x), where x has another distribution and t is a transform, or several one after another."""

    arg_constraints: dict[str, constraints.Constraint] = {}
    _parameters: dict[str, int] = {}

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(transforms, (Transform, list)):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not all([isinstance(t, Transform) for t in self.transforms]):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        base, whole = base_distribution, ComposeTransform(self.transforms)
        shape, base_dim = base.batch_shape + base.event_shape, len(base.event_shape)
        taken, given = whole.domain.event_dim, whole.codomain.event_dim
        if len(shape) < taken:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {taken}, but got {shape}."
            )
        # The parameters of transforms may be batched too.
        result = whole.forward_shape(shape)
        expanded = whole.inverse_shape(result)
        if shape != expanded:
            base = base.expand(expanded[: len(expanded) - base_dim])
        self.base_dist = Independent(base, taken - base_dim) if taken > base_dim else base
        event_dim = max(given, base_dim + given - taken)
        if len(result) < event_dim:
            raise AssertionError(f"forward_shape length {len(result)} must be >= event_dim {event_dim}")
        cut = len(result) - event_dim
        super().__init__(result[:cut], result[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        shape = new.batch_shape + self.event_shape
        for t in reversed(self.transforms):
            shape = t.inverse_shape(shape)
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        new.transforms = self.transforms
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> constraints.Constraint:
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:
        return self.base_dist.has_rsample

    def _forward(self, x: Tensor) -> Tensor:
        for t in self.transforms:
            x = t(x)
        return x

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        with jgrad.no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        event_dim, total, y = len(self.event_shape), 0.0, value
        for t in reversed(self.transforms):
            x = t.inv(y)
            event_dim += t.domain.event_dim - t.codomain.event_dim
            total = total - sum_rightmost(t.log_abs_det_jacobian(x, y), event_dim - t.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

    def _turned(self, value: Tensor) -> Tensor:
        """A probability from above where the transforms are decreasing."""
        sign: Any = 1
        for t in self.transforms:
            sign = sign * t.sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        for t in reversed(self.transforms):
            value = t.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._forward(self.base_dist.icdf(self._turned(value)))


manual.attach(__name__)
