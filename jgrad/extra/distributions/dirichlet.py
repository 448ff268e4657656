"""The Dirichlet distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import manual
from jgrad.autograd import Function
from jgrad.autograd.function import once_differentiable
from jgrad.distributions import constraints
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.nn.functional import one_hot
from jgrad.tensor import Tensor


class _Dirichlet(Function):
    """Samples that follow their concentrations."""

    @staticmethod
    def forward(ctx: Any, concentration: Tensor) -> Tensor:
        x = jgrad._sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        # What one element gains the others lose, each in proportion to its size.
        x, concentration = ctx.saved_tensors
        own = jgrad._dirichlet_grad(x, concentration, concentration.sum(-1, True).expand_as(concentration))
        return own * (grad - (x * grad).sum(-1, True))


class Dirichlet(ExponentialFamily):
    """Vectors of probabilities with a density proportional to the product of x_i^(c_i - 1), c being the concentrations."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _parameters = {"concentration": 1}

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = (self.concentration < 1).all(-1)  # all of the mass is drawn to the corners
        mode[corner] = one_hot(mode[corner].argmax(-1), above.shape[-1]).to(mode)
        return mode

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return _Dirichlet.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        powers = jgrad.xlogy(self.concentration - 1.0, value).sum(-1)
        return powers - self._log_normalizer(self.concentration)

    def entropy(self) -> Tensor:
        c, k, total = self.concentration, self.concentration.size(-1), self.concentration.sum(-1)
        spread = (k - total) * jgrad.digamma(total) + ((c - 1.0) * jgrad.digamma(c)).sum(-1)
        return self._log_normalizer(c) - spread

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (self.concentration,)

    def _log_normalizer(self, x: Tensor) -> Tensor:
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()


manual.attach(__name__)
