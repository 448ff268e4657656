"""The Pareto distribution."""

from __future__ import annotations

from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AffineTransform, ExpTransform
from jgrad.distributions.utils import broadcast_all
from jgrad.extra.distributions.exponential import Exponential
from jgrad.tensor import Tensor


class Pareto(TransformedDistribution):
    """Numbers from `scale` on that exceed x with the probability (scale / x)^alpha."""

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}
    _parameters = {"scale": 0, "alpha": 0}

    def __init__(
        self, scale: Tensor | float, alpha: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(loc=0, scale=self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> constraints.Constraint:
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self) -> Tensor:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


manual.attach(__name__)
