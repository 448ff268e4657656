"""Distributions whose log-density is linear in what is known of their parameters."""

from __future__ import annotations

import jgrad
from jgrad import manual
from jgrad.distributions.distribution import Distribution
from jgrad.tensor import Tensor


class ExponentialFamily(Distribution):
    """A family with the density exp(<t(x), theta> - F(theta) + k(x)): sufficient statistics t, natural parameters theta, log-normalizer F."""

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        raise NotImplementedError

    def _normalizer_and_means(self) -> tuple[list[Tensor], Tensor, tuple[Tensor, ...]]:
        """The natural parameters, detached, F of them, and its gradient: the means of the sufficient statistics."""
        theta = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*theta)
        return theta, normalizer, jgrad.autograd.grad(normalizer.sum(), theta, create_graph=True)

    def entropy(self) -> Tensor:
        """F(theta) - <theta, grad F(theta)> - E[k]."""
        carrier = self._mean_carrier_measure
        theta, result, means = self._normalizer_and_means()
        result = result - carrier
        for p, mean in zip(theta, means, strict=True):
            result = result - (p * mean).reshape((*self._batch_shape, -1)).sum(-1)
        return result


manual.attach(__name__)
