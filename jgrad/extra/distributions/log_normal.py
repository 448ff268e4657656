"""The log-normal distribution."""

from __future__ import annotations

from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.normal import Normal
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import ExpTransform
from jgrad.tensor import Tensor


class LogNormal(TransformedDistribution):
    """Numbers whose logarithms are normally distributed."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _parameters: dict[str, int] = {}

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the logarithm."""
        return self.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the logarithm."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Tensor:
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Tensor:
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() + self.loc


manual.attach(__name__)
