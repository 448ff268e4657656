"""The Kullback-Leibler divergence KL(p || q), the mean of log p(x) - log q(x) over x from p.

The formulas of the families in this room are here. Those of all others, and of two different families, are `FORMULAS`, which is loaded when another
pair is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import jgrad
from jgrad import loading, manual, warn
from jgrad.distributions.bernoulli import Bernoulli
from jgrad.distributions.categorical import Categorical
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.independent import Independent
from jgrad.distributions.normal import Normal
from jgrad.distributions.transformed_distribution import TransformedDistribution
from jgrad.distributions.uniform import Uniform
from jgrad.distributions.utils import sum_rightmost
from jgrad.nn.functional import softplus
from jgrad.tensor import Tensor

__all__ = ["kl_divergence", "register_kl"]

Divergence = Callable[[Any, Any], Tensor]
Families = tuple[type, ...]

_KL_REGISTRY: dict[tuple[type, type], Divergence] = {}
_KL_MEMOIZE: dict[tuple[type, type], Divergence | None] = {}


# Which formula is taken ----------------------------------------------------------------------------------------------------------


def register_kl(type_p: type, type_q: type) -> Callable[[Divergence], Divergence]:
    """A decorator that makes a function of (p, q) the divergence of two classes of distributions, and of classes derived from them."""
    for name, given in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(given, type) and issubclass(given, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {given}")

    def decorator(function: Divergence) -> Divergence:
        _KL_REGISTRY[type_p, type_q] = function
        _KL_MEMOIZE.clear()
        return function

    return decorator


def _closest(matches: list[Families]) -> Families:
    """The pair whose first class is the most derived one, and among those whose second is."""
    best = matches[0]
    for match in matches[1:]:
        differ = next((i for i in range(2) if match[i] is not best[i]), None)
        if differ is not None and issubclass(match[differ], best[differ]):
            best = match
    return best


def _dispatch(type_p: type, type_q: type) -> Divergence | None:
    if (type_p, type_q) in _KL_REGISTRY:
        return _KL_REGISTRY[type_p, type_q]
    known = {**loading.offered(__name__, "FORMULAS"), **_KL_REGISTRY}
    matches = [(p, q) for p, q in known if issubclass(type_p, p) and issubclass(type_q, q)]
    if not matches:
        return None
    by_p, by_q = _closest(matches), _closest([(q, p) for p, q in matches])[::-1]
    if known[by_p] is not known[by_q]:
        warn.say(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
        )
    return known[by_p]


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """KL(p || q), the mean of log p(x) - log q(x) over x from p, of the shape of the batches."""
    types = type(p), type(q)
    if types not in _KL_MEMOIZE:
        _KL_MEMOIZE[types] = _dispatch(*types)
    found = _KL_MEMOIZE[types]
    if found is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {types[0].__name__} and q type {types[1].__name__}"
        )
    return found(p, q)


# Two of one family ---------------------------------------------------------------------------------------------------------------


def or_inf(where: Tensor, value: Tensor) -> Tensor:
    return jgrad.where(where, inf, value)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Tensor:
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    one = jgrad.where(p.probs == 0, 0.0, or_inf(q.probs == 0, one))
    return one + jgrad.where(p.probs == 1, 0.0, or_inf(q.probs == 1, zero))


@register_kl(Categorical, Categorical)
def of_categorical(p: Categorical, q: Categorical) -> Tensor:
    terms = or_inf(q.probs == 0, p.probs * (p.logits - q.logits))
    return jgrad.where(p.probs == 0, 0.0, terms).sum(-1)


@register_kl(Normal, Normal)
def of_normal(p: Normal, q: Normal) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Tensor:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return or_inf((q.low > p.low) | (q.high < p.high), found)


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: TransformedDistribution, q: TransformedDistribution) -> Tensor:
    """A bijection of both changes nothing."""
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


manual.attach(__name__)
