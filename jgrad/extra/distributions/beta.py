"""The beta distribution."""

from __future__ import annotations

from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.utils import NUMBERS, broadcast_all
from jgrad.extra.distributions.dirichlet import Dirichlet
from jgrad.tensor import Tensor


class Beta(ExponentialFamily):
    """Probabilities with a density proportional to x^(concentration1 - 1) (1 - x)^(concentration0 - 1)."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _parameters = {"_dirichlet": 0}

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        if isinstance(concentration1, NUMBERS) and isinstance(concentration0, NUMBERS):
            both = jgrad.tensor([float(concentration1), float(concentration0)])
        else:
            both = jgrad.stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    @property
    def concentration1(self) -> Tensor:
        """The power of x, and one."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        """The power of 1 - x, and one."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return self._dirichlet.log_prob(jgrad.stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x: Tensor, y: Tensor) -> Tensor:
        return jgrad.lgamma(x) + jgrad.lgamma(y) - jgrad.lgamma(x + y)


manual.attach(__name__)
