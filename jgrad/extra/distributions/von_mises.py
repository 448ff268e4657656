"""The von Mises distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import broadcast_all, lazy_property
from jgrad.tensor import Size, Tensor

# Abramowitz and Stegun, 9.8.1 to 9.8.4, lowest power first: I0(x) and I1(x) / x by (x / 3.75)^2, and sqrt(x) exp(-x) I(x) by 3.75 / x.
_SMALL = (
    (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813),
    (0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411),
)
_LARGE = (
    (0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706, 0.02635537, -0.01647633, 0.00392377),
    (0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555, 0.02282967, -0.02895312, 0.01787654, -0.00420059),
)  # fmt: skip


def _polynomial(coefficients: tuple[float, ...], y: Tensor) -> Tensor:
    result: Any = coefficients[-1]
    for c in coefficients[-2::-1]:
        result = c + y * result
    return result


def _log_bessel(x: Tensor, order: int) -> Tensor:
    """log I0(x) or log I1(x), the modified Bessel functions, to seven digits."""
    small = _polynomial(_SMALL[order], (x / 3.75) ** 2)
    if order == 1:
        small = x.abs() * small
    large = x - 0.5 * x.log() + _polynomial(_LARGE[order], 3.75 / x).log()
    return jgrad.where(x < 3.75, small.log(), large)


class VonMises(Distribution):
    """Angles from -pi to pi, with a density proportional to exp(concentration * cos(x - loc)): the normal distribution of a circle."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, Size(), validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        # Not by way of an empty instance: of this family also derived ones with an `__init__` of their own can be expanded.
        loc, concentration = self.loc.expand(batch_shape), self.concentration.expand(batch_shape)
        return type(self)(loc, concentration, validate_args=self.__dict__.get("_validate_args"))

    @property
    def mean(self) -> Tensor:
        """The mean direction."""
        return self.loc

    mode = mean

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance, 1 - I1(concentration) / I0(concentration)."""
        return 1 - (_log_bessel(self.concentration, 1) - _log_bessel(self.concentration, 0)).exp()

    @lazy_property
    def _proposal_r(self) -> Tensor:
        """The parameter of the wrapped Cauchy distribution from which samples are taken, in float64."""
        kappa = self.concentration.to(jgrad.double)
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        return jgrad.where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))

    def sample(self, sample_shape: Sequence[int] = Size()) -> Tensor:
        """Angles, by rejection (Best and Fisher 1979), in float64."""
        with jgrad.no_grad():
            loc, kappa = self.loc.to(jgrad.double), self.concentration.to(jgrad.double)
            r = self._proposal_r
            x = loc.new_empty(self._extended_shape(sample_shape))
            done = jgrad.zeros_like(x, dtype=jgrad.bool)
            while not done.all():
                u1, u2, u3 = jgrad.rand((3, *x.shape), dtype=x.dtype, device=x.device)
                z = jgrad.cos(math.pi * u1)
                f = (1 + r * z) / (r + z)
                c = kappa * (r - f)
                accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                x = jgrad.where(accept, (u3 - 0.5).sign() * f.acos(), x)
                done = done | accept
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        angle = self.concentration * jgrad.cos(value - self.loc)
        return angle - math.log(2 * math.pi) - _log_bessel(self.concentration, 0)


manual.attach(__name__)
