"""Kullback-Leibler divergences against PyTorch's, of every pair that PyTorch's registry has."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch.distributions import kl as theirs  # noqa: E402

import jgrad  # noqa: E402
from jgrad import loading  # noqa: E402
from jgrad.distributions import kl as mine  # noqa: E402
from tests.distributions.families import (  # noqa: E402
    COVARIANCE,
    FAMILIES,
    LOWER,
    ROWS,
    Maker,
    Raised,
    Side,
    close,
    gradients,
    outcome,
    plain,
    sides,
    warned,
)

PAIRS = [(p.__name__, q.__name__) for p, q in theirs._KL_REGISTRY]


class Coins:
    """A family with no formula of its own: coins by their natural parameter."""

    @staticmethod
    def make(side: Side, values: list[float]) -> object:
        class Coin(side.d.ExponentialFamily):
            arg_constraints = {}  # noqa: RUF012
            _mean_carrier_measure = 0

            def __init__(self, theta):
                self.theta = theta
                super().__init__(theta.shape)

            _natural_params = property(lambda self: (self.theta,))

            def _log_normalizer(self, x):
                return side.module.log1p(side.module.exp(x))

        kind = vars(side).setdefault("kind of coins", Coin)
        return kind(side.f(values))


# Several of each family, of one shape or of shapes that broadcast.
INSTANCES: dict[str, list[Maker]] = {
    "Bernoulli": [
        lambda s: s.d.Bernoulli(s.f([0.2, 0.5, 0.9])),
        lambda s: s.d.Bernoulli(logits=s.f([0.3, -1.0, 2.0])),
        lambda s: s.d.Bernoulli(s.f([0.0, 1.0, 0.5])),
    ],
    "Beta": [
        lambda s: s.d.Beta(s.f([0.5, 1.0, 4.0]), s.f([2.0, 1.0, 0.7])),
        lambda s: s.d.Beta(s.f([[1.5], [3.0]]), s.f([2.0, 1.0, 0.7])),
    ],
    "Binomial": [
        lambda s: s.d.Binomial(7, s.f([0.2, 0.5, 0.9])),
        lambda s: s.d.Binomial(s.fixed([7.0, 5.0, 3.0]), logits=s.f([0.2, 0.5, 0.9])),
    ],
    "Categorical": [
        lambda s: s.d.Categorical(s.f(ROWS)),
        lambda s: s.d.Categorical(s.f([[0.0, 0.5, 0.5], [0.3, 0.3, 0.4]])),
        lambda s: s.d.Categorical(logits=s.f([[0.1, -0.2, 0.5], [1.0, 0.0, 0.0]])),
    ],
    "OneHotCategorical": [
        lambda s: s.d.OneHotCategorical(s.f(ROWS)),
        lambda s: s.d.OneHotCategorical(logits=s.f([[0.1, -0.2, 0.5], [1.0, 0.0, 0.0]])),
    ],
    "Cauchy": [
        lambda s: s.d.Cauchy(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.Cauchy(s.f([[0.5]]), s.f(2.0)),
    ],
    "ContinuousBernoulli": [
        lambda s: s.d.ContinuousBernoulli(s.f([0.1, 0.5, 0.8])),
        lambda s: s.d.ContinuousBernoulli(logits=s.f([[0.3], [-1.0]])),
    ],
    "Dirichlet": [
        lambda s: s.d.Dirichlet(s.f([[0.5, 2.0, 1.0], [1.0, 1.0, 1.0]])),
        lambda s: s.d.Dirichlet(s.f([3.0, 0.3, 8.0])),
    ],
    "Exponential": [
        lambda s: s.d.Exponential(s.f([0.5, 1.0, 3.0])),
        lambda s: s.d.Exponential(s.f([[2.0], [0.7]])),
    ],
    "Gamma": [
        lambda s: s.d.Gamma(s.f([0.5, 1.0, 3.0]), s.f([1.0, 2.0, 0.4])),
        lambda s: s.d.Gamma(s.f([[2.0], [0.7]]), s.f([1.5])),
    ],
    "Geometric": [
        lambda s: s.d.Geometric(s.f([0.2, 0.5, 0.9])),
        lambda s: s.d.Geometric(logits=s.f([0.3, -1.0, 2.0])),
    ],
    "Gumbel": [
        lambda s: s.d.Gumbel(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.Gumbel(s.f([[0.5]]), s.f(2.0)),
    ],
    "HalfNormal": [
        lambda s: s.d.HalfNormal(s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.HalfNormal(s.f([[2.0], [1.0]])),
    ],
    "Independent": [
        lambda s: s.d.Independent(s.d.Normal(s.f([[0.0, 1.0, 2.0]]), s.f([1.0, 0.5, 3.0])), 1),
        lambda s: s.d.Independent(s.d.Normal(s.f([[1.0, 1.0, -2.0]]), s.f([1.0, 0.7, 3.0])), 1),
        lambda s: s.d.Independent(s.d.Normal(s.f([[1.0, 1.0, -2.0]]), s.f([1.0, 0.7, 3.0])), 2),
    ],
    "Laplace": [
        lambda s: s.d.Laplace(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.Laplace(s.f([[0.5]]), s.f(2.0)),
    ],
    "LowRankMultivariateNormal": [
        lambda s: s.d.LowRankMultivariateNormal(
            s.f([0.0, 1.0, 2.0]), s.f([[1.0, 0.3], [0.5, 2.0], [-0.3, 0.1]]), s.f([1.0, 2.0, 0.5])
        ),
        lambda s: s.d.LowRankMultivariateNormal(
            s.f([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]), s.f([[1.0], [0.5], [-0.3]]), s.f([0.4, 2.0, 0.5])
        ),
        lambda s: s.d.LowRankMultivariateNormal(s.f([0.0, 1.0]), s.f([[1.0], [0.5]]), s.f([1.0, 2.0])),
    ],
    "MultivariateNormal": [
        lambda s: s.d.MultivariateNormal(s.f([0.0, 1.0, 2.0]), s.f(COVARIANCE)),
        lambda s: s.d.MultivariateNormal(
            s.f([[0.0, 1.0, 2.0], [1.0, -1.0, 0.5]]), scale_tril=s.f([LOWER, LOWER])
        ),
        lambda s: s.d.MultivariateNormal(s.f([0.0, 1.0]), s.f([[1.0, 0.5], [0.5, 2.0]])),
    ],
    "Normal": [
        lambda s: s.d.Normal(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.Normal(s.f([[0.5]]), s.f(2.0)),
    ],
    "Pareto": [
        lambda s: s.d.Pareto(s.f([1.0, 0.5, 3.0]), s.f([0.5, 1.5, 4.0])),
        lambda s: s.d.Pareto(s.f([0.8, 0.2, 0.5]), s.f([2.5, 2.0, 1.0])),
    ],
    "Poisson": [
        lambda s: s.d.Poisson(s.f([1.0, 0.5, 30.0])),
        lambda s: s.d.Poisson(s.f([[2.0], [0.7]])),
    ],
    "TransformedDistribution": [
        lambda s: s.d.LogNormal(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: s.d.LogNormal(s.f([[0.5]]), s.f(2.0)),
        lambda s: s.d.TransformedDistribution(s.d.Normal(s.f([0.5]), s.f(2.0)), [s.d.SigmoidTransform()]),
        lambda s: s.d.Weibull(s.f([1.0, 2.0]), s.f([1.0, 2.0])),
    ],
    "Uniform": [
        lambda s: s.d.Uniform(s.f([0.0, 0.1, -1.0]), s.f([1.0, 0.8, 2.0])),
        lambda s: s.d.Uniform(s.f([0.2, -0.5, 3.0]), s.f([0.5, 1.5, 4.0])),
    ],
    "ExponentialFamily": [
        lambda s: Coins.make(s, [0.5, -1.0, 2.0]),
        lambda s: Coins.make(s, [0.1]),
        lambda s: s.d.Normal(s.f([0.5]), s.f(2.0)),
    ],
}


def test_the_pairs_are_pytorchs():
    known = {*mine._KL_REGISTRY, *loading.offered(mine.__name__, "FORMULAS")}
    assert {(p.__name__, q.__name__) for p, q in known} == set(PAIRS)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("p", "q"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_divergence(p, q, dtype):
    compared = 0
    for make_p in INSTANCES[p]:
        for make_q in INSTANCES[q]:
            found = []
            for side in sides(dtype):
                one, other = make_p(side), make_q(side)
                value = outcome(lambda one=one, other=other, side=side: side.d.kl_divergence(one, other))
                grads = gradients(side.module, value, side.leaves)
                found.append((value, grads))
            if refused_by_indexing(found[0][0]):
                continue
            compared += not isinstance(found[0][0], Raised)
            rough = {"rtol": 2e-3, "atol": 2e-4} if dtype == "float32" else {"rtol": 1e-8, "atol": 1e-9}
            close(found[1][0], found[0][0], "divergence", **(rough if dtype == "float32" else {}))
            close(found[1][1], found[0][1], "gradient", **rough)
    assert compared


def refused_by_indexing(value: object) -> bool:
    """PyTorch writes infinities by a mask, which fails where p and q have different shapes; here they broadcast."""
    return isinstance(value, Raised) and (
        "The shape of the mask" in value.shown or "shape mismatch" in value.shown
    )


OTHERS = sorted(FAMILIES)


@pytest.mark.parametrize("p", OTHERS)
def test_pairs_of_all_families(p):
    """Which function is taken for any two families, and the error where there is none."""
    for q in OTHERS:
        shown = []
        for side in sides():
            one, other = FAMILIES[p][0](side), FAMILIES[q][0](side)
            with warned(said := []):
                value = outcome(lambda one=one, other=other, side=side: side.d.kl_divergence(one, other))
            shown.append([value if isinstance(value, Raised) else tuple(value.shape), said])
        assert shown[1] == shown[0], q


def test_a_divergence_of_a_distribution_from_itself_is_zero():
    for name in sorted({p for p, q in PAIRS if p == q} - {"ExponentialFamily"}):
        s = Side(jgrad, "float64")
        d = INSTANCES[name][0](s)
        value = s.d.kl_divergence(d, d)
        assert value.shape == d.batch_shape
        assert value.abs().max() < 1e-12, name


@pytest.mark.parametrize(
    ("p", "q"), [(p, q) for p, q in PAIRS if p != "TransformedDistribution" and q != "ExponentialFamily"]
)
def test_divergences_are_means_of_samples(p, q):
    """Nobody is asked here: the mean of log p(x) - log q(x) of many samples is the divergence, where it is finite."""
    s = Side(jgrad, "float64")
    jgrad.manual_seed(0)
    one, other = INSTANCES[p][0](s), INSTANCES[q][0](s)
    exact = outcome(lambda: s.d.kl_divergence(one, other))
    with jgrad.no_grad():
        x = one.sample((20000,))
        other._validate_args = False
        for inner in ("_dirichlet", "base_dist"):
            if hasattr(other, inner):
                getattr(other, inner)._validate_args = False
        gaps = one.log_prob(x) - other.log_prob(x)
    estimate, error = gaps.mean(0), gaps.std(0) / 20000**0.5
    finite = exact.isfinite() & error.isfinite()
    assert (((estimate - exact).abs() < 6 * error + 1e-9) | ~finite).all()


def test_registering():
    shown = []
    for library in (torch, jgrad):
        d, kl = library.distributions, library.distributions.kl

        class A(d.Normal):
            pass

        class B(d.Normal):
            pass

        class C(A):
            pass

        before = dict(kl._KL_REGISTRY)
        try:
            said: list[str] = []
            with warned(said):
                d.register_kl(A, d.Normal)(lambda p, q: "A, Normal")
                d.register_kl(d.Normal, B)(lambda p, q: "Normal, B")
                results = [
                    d.kl_divergence(x(0.0, 1.0), y(0.0, 1.0)) for x in (d.Normal, A, B, C) for y in (A, B, C)
                ]
                d.register_kl(A, B)(lambda p, q: "A, B")
                results += [
                    d.kl_divergence(A(0.0, 1.0), B(0.0, 1.0)),
                    d.kl_divergence(C(0.0, 1.0), B(0.0, 1.0)),
                ]
            refused = outcome(lambda d=d: d.register_kl(3, d.Normal))
            shown.append(([str(r) for r in results], said, plain(str(refused))))
        finally:
            kl._KL_REGISTRY.clear()
            kl._KL_REGISTRY.update(before)
            kl._KL_MEMOIZE.clear()
    assert shown[1] == shown[0]
    assert any("Ambiguous" in text for text in shown[0][1])
