"""Gamma and Dirichlet random numbers that follow their parameters; `jgrad.distributions` draws them."""

from __future__ import annotations

from jgrad.dispatch import op
from jgrad.ops.decompositions import not_implemented


@op("_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", forms="function")
class _standard_gamma:
    """Gamma-distributed numbers of the rate 1, each of the shape parameter that stands at its place."""

    self = lambda grad, self, result: grad * _standard_gamma_grad(self, result)


@op("_standard_gamma_grad(Tensor self, Tensor output) -> Tensor", forms="function")
class _standard_gamma_grad:
    """How the numbers of `_standard_gamma` move with their shape parameter: d output / d self."""

    self = lambda grad: not_implemented("_standard_gamma_grad")


@op(
    "_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor",
    forms="function",
    undifferentiable=True,
)
class _sample_dirichlet:
    """Dirichlet-distributed rows, each of the concentrations that stand in its place."""


@op(
    "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor", forms="function", undifferentiable=True
)
class _dirichlet_grad:
    """How one element of a row of `_sample_dirichlet` moves with its concentration, as far as the element itself goes."""
