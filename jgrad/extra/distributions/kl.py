"""Divergences of the families of this room, and of two different families.

Two of one family have a formula of their own. Of two families it is made of two parts: -entropy(p), and the mean of log q(x), for which q
says which means it needs (of x, of log x, ...), and p what they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import singledispatch
from math import inf
from typing import Any

import jgrad
from jgrad.distributions.bernoulli import Bernoulli
from jgrad.distributions.exp_family import ExponentialFamily
from jgrad.distributions.kl import Divergence, Families, of_categorical, of_normal, or_inf
from jgrad.distributions.normal import Normal
from jgrad.distributions.uniform import Uniform
from jgrad.distributions.utils import euler_constant, sum_rightmost
from jgrad.extra.distributions.beta import Beta
from jgrad.extra.distributions.binomial import Binomial
from jgrad.extra.distributions.cauchy import Cauchy
from jgrad.extra.distributions.continuous_bernoulli import ContinuousBernoulli
from jgrad.extra.distributions.dirichlet import Dirichlet
from jgrad.extra.distributions.exponential import Exponential
from jgrad.extra.distributions.gamma import Gamma
from jgrad.extra.distributions.geometric import Geometric
from jgrad.extra.distributions.gumbel import Gumbel
from jgrad.extra.distributions.half_normal import HalfNormal
from jgrad.extra.distributions.laplace import Laplace
from jgrad.extra.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    log_det,
    square_of_solved_low_rank,
)
from jgrad.extra.distributions.multivariate_normal import MultivariateNormal, half_log_det, square_of_solved
from jgrad.extra.distributions.one_hot_categorical import OneHotCategorical
from jgrad.extra.distributions.pareto import Pareto
from jgrad.extra.distributions.poisson import Poisson
from jgrad.tensor import Tensor

FORMULAS: dict[tuple[type, type], Divergence] = {}


def formula(type_p: type, type_q: type) -> Callable[[Divergence], Divergence]:
    """A decorator for the formula of two families."""

    def decorator(function: Divergence) -> Divergence:
        FORMULAS[type_p, type_q] = function
        return function

    return decorator


# Two of one family ---------------------------------------------------------------------------------------------------------------


@formula(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Tensor:
    return _dirichlet(p._dirichlet, q._dirichlet)


@formula(Binomial, Binomial)
def _binomial(p: Binomial, q: Binomial) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    of_one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return or_inf(p.total_count > q.total_count, p.total_count * of_one)


@formula(OneHotCategorical, OneHotCategorical)
def _one_hot_categorical(p: OneHotCategorical, q: OneHotCategorical) -> Tensor:
    return of_categorical(p._categorical, q._categorical)


@formula(Cauchy, Cauchy)
def _cauchy(p: Cauchy, q: Cauchy) -> Tensor:
    square = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return square.log() - (4 * p.scale * q.scale).log()


@formula(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Tensor:
    ends = p._cont_bern_log_norm() + jgrad.log1p(-p.probs) - q._cont_bern_log_norm() - jgrad.log1p(-q.probs)
    return p.mean * (p.logits - q.logits) + ends


@formula(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Tensor:
    a, b = p.concentration, q.concentration
    logs = a.digamma() - a.sum(-1, True).digamma()  # the means of the logarithms
    return q._log_normalizer(b) - p._log_normalizer(a) + ((a - b) * logs).sum(-1)


@formula(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return ratio - 1 - ratio.log()


@formula(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: ExponentialFamily, q: ExponentialFamily) -> Tensor:
    """The Bregman divergence of the log-normalizer."""
    if type(p) is not type(q):
        # PyTorch's text has these blanks.
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot "
            + " " * 28
            + "be computed using Bregman divergences"
        )
    theta, normalizer, means = p._normalizer_and_means()
    result = q._log_normalizer(*q._natural_params) - normalizer
    for of_p, of_q, mean in zip(theta, q._natural_params, means, strict=True):
        result = result - sum_rightmost((of_q - of_p) * mean, len(q.event_shape))
    return result


@formula(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Tensor:
    a, b = p.concentration, q.concentration
    shape = jgrad.lgamma(b) - jgrad.lgamma(a) + (a - b) * jgrad.digamma(a)
    return shape + b * (p.rate / q.rate).log() + (q.rate - p.rate) * (a / p.rate)


@formula(Geometric, Geometric)
def _geometric(p: Geometric, q: Geometric) -> Tensor:
    return -p.entropy() - jgrad.log1p(-q.probs) / p.probs - q.logits


@formula(Gumbel, Gumbel)
def _gumbel(p: Gumbel, q: Gumbel) -> Tensor:
    ratio, off = p.scale / q.scale, p.loc / q.scale - q.loc / q.scale
    tail = jgrad.exp((1 + ratio).lgamma() - off)
    return off - ratio.log() + ratio * euler_constant + tail - (1 + euler_constant)


@formula(HalfNormal, HalfNormal)
def _half_normal(p: HalfNormal, q: HalfNormal) -> Tensor:
    return of_normal(p.base_dist, q.base_dist)


@formula(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Tensor:
    ratio, off = p.scale / q.scale, (p.loc - q.loc).abs()
    return off / q.scale + ratio * jgrad.exp(-off / p.scale) - ratio.log() - 1


@formula(Pareto, Pareto)
def _pareto(p: Pareto, q: Pareto) -> Tensor:
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return or_inf(p.scale < q.scale, found)


@formula(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


# Multivariate normal distributions, of whole and of low rank ----------------------------------------------------------------------

Multivariate = MultivariateNormal | LowRankMultivariateNormal


def _log_det(d: Multivariate) -> Tensor:
    if isinstance(d, LowRankMultivariateNormal):
        return log_det(*d._low_rank, d._capacitance_tril)
    return 2 * half_log_det(d._unbroadcasted_scale_tril)


def _square(d: Multivariate, x: Tensor) -> Tensor:
    """x^T C^-1 x, C being the covariance."""
    if isinstance(d, LowRankMultivariateNormal):
        return square_of_solved_low_rank(*d._low_rank, x, d._capacitance_tril)
    return square_of_solved(d._unbroadcasted_scale_tril, x)


def _roots(d: Multivariate) -> list[Tensor]:
    """Matrices R such that the covariance is the sum of their R R^T."""
    if isinstance(d, LowRankMultivariateNormal):
        w, diagonal = d._low_rank
        return [w, jgrad.diag_embed(diagonal.sqrt())]
    return [d._unbroadcasted_scale_tril]


def _trace_of_solved(d: Multivariate, root: Tensor) -> Tensor:
    """The trace of C^-1 R R^T."""
    if isinstance(d, LowRankMultivariateNormal):
        w, diagonal = d._low_rank
        a = jgrad.linalg.solve_triangular(d._capacitance_tril, w.mT / diagonal.unsqueeze(-2), upper=False)
        whole = (root * diagonal.rsqrt().unsqueeze(-1)).pow(2).sum((-2, -1))
        return whole - (a @ root).pow(2).sum((-2, -1))
    solved = jgrad.linalg.solve_triangular(d._unbroadcasted_scale_tril, root, upper=False)
    return solved.pow(2).sum((-2, -1))


def _multivariate(p: Multivariate, q: Multivariate) -> Tensor:
    if p.event_shape != q.event_shape:
        low = [isinstance(d, LowRankMultivariateNormal) for d in (p, q)]
        kind = "Low Rank " if all(low) else "(Low Rank) " if any(low) else ""
        # PyTorch's text has these blanks.
        raise ValueError(
            f"KL-divergence between two {kind}Multivariate Normals with{' ' * 26}different event shapes cannot be computed"
        )
    trace = sum([_trace_of_solved(q, root) for root in _roots(p)])
    return 0.5 * (_log_det(q) - _log_det(p) + trace + _square(q, q.loc - p.loc) - p.event_shape[0])


for _p in (MultivariateNormal, LowRankMultivariateNormal):
    for _q in (MultivariateNormal, LowRankMultivariateNormal):
        formula(_p, _q)(_multivariate)


# Two families: the means that p gives ----------------------------------------------------------------------------------------------


def _mean(p: Any) -> Tensor:
    """The mean of x; of Pareto where there is one."""
    return p.alpha * p.scale / (p.alpha - 1) if isinstance(p, Pareto) else p.mean


def _mean_of_square(p: Any, loc: Tensor) -> Tensor:
    """The mean of (x - loc)^2."""
    if isinstance(p, Pareto):
        variance = p.scale.pow(2) * p.alpha / ((p.alpha - 1).pow(2) * (p.alpha - 2))
    else:
        variance = p.variance
    return variance + (_mean(p) - loc).pow(2)


def _mean_of_log(p: Any) -> Tensor:
    """The mean of log x."""
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, Gamma):
        return p.concentration.digamma() - p.rate.log()
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return _mean_of_log_between(p.low, p.high)


def _mean_of_log_between(low: Tensor, high: Tensor) -> Tensor:
    return (jgrad.xlogy(high, high) - jgrad.xlogy(low, low)) / (high - low) - 1


def _mean_of_exp(p: Any, loc: Tensor, scale: Tensor) -> Tensor:
    """The mean of exp(-(x - loc) / scale)."""
    if isinstance(p, Exponential):
        product = p.rate * scale
        return jgrad.exp(loc / scale) * product / (product + 1)
    if isinstance(p, Gamma):
        return jgrad.exp(loc / scale) * (1 + (p.rate * scale).reciprocal()).pow(-p.concentration)
    if isinstance(p, Normal):
        return jgrad.exp((loc - p.loc) / scale + 0.5 * (p.scale / scale).pow(2))
    ends = jgrad.exp((loc - p.low) / scale) - jgrad.exp((loc - p.high) / scale)
    return scale / (p.high - p.low) * ends


def _mean_distance(p: Normal, loc: Tensor) -> Tensor:
    """The mean of |x - loc|."""
    off = p.loc - loc
    away = off / p.scale
    near = math.sqrt(2 / math.pi) * p.scale * jgrad.exp(-0.5 * away.pow(2))
    return near + off * jgrad.erf(math.sqrt(0.5) * away)


# Two families: the mean of log q(x) ------------------------------------------------------------------------------------------------


@singledispatch
def _mean_log_prob(q: Any, p: Any) -> Tensor:
    """The mean of log q(x) over x from p."""
    raise NotImplementedError


@_mean_log_prob.register
def _(q: Beta, p: Uniform) -> Tensor:
    logs = (q.concentration1 - 1) * _mean_of_log(p)
    logs = logs + (q.concentration0 - 1) * _mean_of_log_between(1 - p.high, 1 - p.low)
    return logs - q._log_normalizer(q.concentration1, q.concentration0)


@_mean_log_prob.register
def _(q: ContinuousBernoulli, p: Any) -> Tensor:
    return p.mean * q.logits + jgrad.log1p(-q.probs) + q._cont_bern_log_norm()


@_mean_log_prob.register
def _(q: Exponential, p: Any) -> Tensor:
    return q.rate.log() - q.rate * _mean(p)


@_mean_log_prob.register
def _(q: Gamma, p: Any) -> Tensor:
    constant = q.concentration * q.rate.log() - q.concentration.lgamma()
    return constant + (q.concentration - 1) * _mean_of_log(p) - q.rate * _mean(p)


@_mean_log_prob.register
def _(q: Gumbel, p: Any) -> Tensor:
    return -q.scale.log() - (p.mean - q.loc) / q.scale - _mean_of_exp(p, q.loc, q.scale)


@_mean_log_prob.register
def _(q: Laplace, p: Normal) -> Tensor:
    return -(2 * q.scale).log() - _mean_distance(p, q.loc) / q.scale


@_mean_log_prob.register
def _(q: Normal, p: Any) -> Tensor:
    square = _mean_of_square(p, q.loc) / (2 * q.scale.pow(2))
    return -square - q.scale.log() - 0.5 * math.log(2 * math.pi)


@_mean_log_prob.register
def _(q: Pareto, p: Any) -> Tensor:
    return q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _mean_of_log(p)


@_mean_log_prob.register
def _(q: Poisson, p: Bernoulli) -> Tensor:
    return p.probs * q.rate.log() - q.rate


@_mean_log_prob.register
def _(q: Uniform, p: Any) -> Tensor:
    return -(q.high - q.low).log()


# Two families: where the divergence is infinite --------------------------------------------------------------------------------------


def _never(p: Any, q: Any) -> None:
    return None


def _starts_below_zero(p: Uniform, q: Any) -> Tensor:
    return p.low < 0


def _no_moment(order: int) -> Callable[[Pareto, Any], Tensor]:
    return lambda p, q: p.alpha <= order


# By q, the p with a mean of log q(x), and which of them are to be taken for infinite. At the ends of the interval PyTorch is not of one
# mind: Uniform(0, 1) is infinitely far from Uniform(0, 1) taken for a ContinuousBernoulli, and not for a Beta.
_FINITE: dict[type, dict[type, Callable[[Any, Any], Tensor | None]]] = {
    Beta: {Uniform: lambda p, q: (p.high > 1) | (p.low < 0)},
    ContinuousBernoulli: {Beta: _never, Uniform: lambda p, q: (p.high >= 1) | (p.low <= 0)},
    Exponential: {
        Beta: _never,
        ContinuousBernoulli: _never,
        Gamma: _never,
        Pareto: _no_moment(1),
        Uniform: _starts_below_zero,
    },
    Gamma: {Beta: _never, Exponential: _never, Pareto: _no_moment(1), Uniform: _starts_below_zero},
    Gumbel: {Exponential: _never, Gamma: _never, Normal: _never, Uniform: _never},
    Laplace: {Normal: _never},
    Normal: {
        Beta: _never,
        ContinuousBernoulli: _never,
        Exponential: _never,
        Gamma: _never,
        Gumbel: _never,
        Laplace: _never,
        Pareto: _no_moment(2),
        Uniform: _never,
    },
    Pareto: {Uniform: lambda p, q: p.low < q.scale},
    Poisson: {Bernoulli: _never},
    Uniform: {
        Beta: lambda p, q: (q.low > 0) | (q.high < 1),
        ContinuousBernoulli: lambda p, q: (q.low >= 0) | (q.high <= 1),
    },
}

# By p, the q that never reach all of its values.
_INFINITE: dict[type, Families] = {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gamma: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gumbel: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Laplace: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Normal: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Pareto: (Beta, ContinuousBernoulli, Uniform),
    Poisson: (Bernoulli, Binomial),
}


def _of_two_families(is_infinite: Callable[[Any, Any], Tensor | None]) -> Divergence:
    def divergence(p: Any, q: Any) -> Tensor:
        found, infinite = -p.entropy() - _mean_log_prob(q, p), is_infinite(p, q)
        return found if infinite is None else or_inf(infinite, found)

    return divergence


def _infinite(p: Any, q: Any) -> Tensor:
    return jgrad.full_like(p.mean, inf)


for _q, _ps in _FINITE.items():
    for _p, _is_infinite in _ps.items():
        formula(_p, _q)(_of_two_families(_is_infinite))
for _p, _qs in _INFINITE.items():
    for _q in _qs:
        formula(_p, _q)(_infinite)
