"""The Gumbel distribution."""

from __future__ import annotations

import math

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.transforms import AffineTransform, ExpTransform
from jgrad.distributions.uniform import Uniform
from jgrad.distributions.utils import NUMBERS, broadcast_all, euler_constant
from jgrad.tensor import Tensor


class Gumbel(TransformedDistribution):
    """Maxima of many numbers: samples are loc - scale * log(-log(u)) of uniform u."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    _parameters = {"loc": 0, "scale": 0}

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = jgrad.finfo(self.loc.dtype)
        low, high = limits.tiny, 1 - limits.eps
        if isinstance(loc, NUMBERS) and isinstance(scale, NUMBERS):
            base = Uniform(low, high, validate_args=validate_args)
        else:
            base = Uniform(
                jgrad.full_like(self.loc, low), jgrad.full_like(self.loc, high), validate_args=validate_args
            )
        transforms = [
            ExpTransform().inv,
            AffineTransform(loc=0, scale=-jgrad.ones_like(self.scale)),
            ExpTransform().inv,
            AffineTransform(loc=loc, scale=-self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + euler_constant)


manual.attach(__name__)
