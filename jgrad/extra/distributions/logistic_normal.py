"""The logistic-normal distribution."""

from __future__ import annotations

from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.normal import Normal
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import StickBreakingTransform
from jgrad.tensor import Tensor


class LogisticNormal(TransformedDistribution):
    """Vectors of K probabilities, made of K - 1 independent normal numbers by `StickBreakingTransform`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        base = base if base.batch_shape else base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the normal numbers."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the normal numbers."""
        return self.base_dist.base_dist.scale


manual.attach(__name__)
