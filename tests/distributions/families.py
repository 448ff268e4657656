"""Distributions to compare on jgrad and on PyTorch: each is a function of a `Side`, which makes the parameters."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

import jgrad


class Side:
    """One of the two libraries, with the parameters that were made of it."""

    def __init__(self, library: Any, dtype: str = "float32") -> None:
        self.module, self.dtype = library, getattr(library, dtype)
        self.d = library.distributions
        self.leaves: list[Any] = []

    def f(self, values: Any) -> Any:
        """A parameter: a floating-point tensor that requires grad."""
        leaf = self.module.tensor(values, dtype=self.dtype, requires_grad=True)
        self.leaves.append(leaf)
        return leaf

    def fixed(self, values: Any) -> Any:
        """A parameter without a gradient."""
        return self.module.tensor(values, dtype=self.dtype)


def sides(dtype: str = "float32") -> tuple[Side, Side]:
    return Side(torch, dtype), Side(jgrad, dtype)


Maker = Callable[[Side], Any]

COVARIANCE = [[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.5]]
LOWER = [[1.5, 0.0, 0.0], [0.3, 0.8, 0.0], [-0.4, 0.2, 1.1]]
ROWS = [[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]]
LOGITS = [[0.0, 1.0, -1.0], [2.0, 0.3, -0.5]]


def _loc_scale(name: str) -> list[Maker]:
    return [
        lambda s: getattr(s.d, name)(s.f(0.5), s.f(2.0)),
        lambda s: getattr(s.d, name)(0.5, 2.0),
        lambda s: getattr(s.d, name)(s.f([0.0, 1.0, -2.0]), s.f([1.0, 0.5, 3.0])),
        lambda s: getattr(s.d, name)(s.f([[0.0], [1.0]]), s.f([0.5, 1.0, 2.5])),
    ]


def _two_positive(name: str) -> list[Maker]:
    return [
        lambda s: getattr(s.d, name)(s.f(1.5), s.f(2.5)),
        lambda s: getattr(s.d, name)(1.5, 2.5),
        lambda s: getattr(s.d, name)(s.f([0.4, 1.0, 12.0]), s.f([0.7, 3.0, 9.0])),
        lambda s: getattr(s.d, name)(s.f([[0.8], [2.5]]), s.f([0.5, 1.0, 5.5])),
    ]


def _probs_or_logits(name: str, *first: Any, numbers: bool = True) -> list[Maker]:
    made: list[Maker] = [
        lambda s: getattr(s.d, name)(*first, probs=s.f(0.3)),
        lambda s: getattr(s.d, name)(*first, probs=s.f([[0.1, 0.5], [0.7, 0.95]])),
        lambda s: getattr(s.d, name)(*first, logits=s.f([-1.0, 0.0, 2.0])),
    ]
    return [*made, lambda s: getattr(s.d, name)(*first, 0.25)] if numbers else made


def _rows(name: str, *first: Any) -> list[Maker]:
    return [
        lambda s: getattr(s.d, name)(*first, probs=s.f(ROWS[0])),
        lambda s: getattr(s.d, name)(*first, probs=s.f(ROWS)),
        lambda s: getattr(s.d, name)(*first, logits=s.f(LOGITS)),
    ]


FAMILIES: dict[str, list[Maker]] = {
    "Bernoulli": _probs_or_logits("Bernoulli"),
    "Beta": _two_positive("Beta"),
    "Binomial": [
        *_probs_or_logits("Binomial", 7, numbers=False),
        lambda s: s.d.Binomial(s.fixed([3.0, 40.0, 100.0]), s.f([0.2, 0.5, 0.9])),
        lambda s: s.d.Binomial(s.fixed([[3.0], [40.0]]), logits=s.f([0.2, 0.5])),
    ],
    "Categorical": [*_rows("Categorical"), lambda s: s.d.Categorical(s.f([[[1.0, 2.0, 3.0, 4.0]]]))],
    "Cauchy": _loc_scale("Cauchy"),
    "Chi2": [
        lambda s: s.d.Chi2(s.f(3.0)),
        lambda s: s.d.Chi2(2.0),
        lambda s: s.d.Chi2(s.f([0.5, 2.0, 30.0])),
    ],
    "ContinuousBernoulli": [
        *_probs_or_logits("ContinuousBernoulli"),
        lambda s: s.d.ContinuousBernoulli(s.f([0.1, 0.4995, 0.5005, 0.9])),
    ],
    "Dirichlet": [
        lambda s: s.d.Dirichlet(s.f([0.5, 2.0, 10.0])),
        lambda s: s.d.Dirichlet(s.f([[0.5, 0.3, 0.9], [7.0, 8.0, 9.0]])),
        lambda s: s.d.Dirichlet(s.f([[[1.0, 1.0]], [[0.2, 30.0]]])),
    ],
    "Exponential": [
        lambda s: s.d.Exponential(s.f(2.0)),
        lambda s: s.d.Exponential(0.5),
        lambda s: s.d.Exponential(s.f([[0.5, 1.0], [3.0, 8.0]])),
    ],
    "FisherSnedecor": [
        *_two_positive("FisherSnedecor"),
        lambda s: s.d.FisherSnedecor(s.f([3.0, 5.0]), s.f([4.5, 7.0])),
    ],
    "Gamma": _two_positive("Gamma"),
    "GeneralizedPareto": [
        lambda s: s.d.GeneralizedPareto(s.f(0.5), s.f(2.0), s.f(0.3)),
        lambda s: s.d.GeneralizedPareto(0.5, 2.0, 0.3),
        lambda s: s.d.GeneralizedPareto(
            s.f([0.0, 1.0, -1.0, 0.0]), s.f([1.0, 2.0, 0.5, 1.0]), s.f([0.0, 0.4, -0.5, 1.5])
        ),
    ],
    "Geometric": _probs_or_logits("Geometric"),
    "Gumbel": _loc_scale("Gumbel"),
    "HalfCauchy": [lambda s: s.d.HalfCauchy(s.f(2.0)), lambda s: s.d.HalfCauchy(s.f([0.5, 1.0, 3.0]))],
    "HalfNormal": [lambda s: s.d.HalfNormal(s.f(2.0)), lambda s: s.d.HalfNormal(s.f([0.5, 1.0, 3.0]))],
    "Independent": [
        lambda s: s.d.Independent(s.d.Normal(s.f([0.0, 1.0]), s.f([1.0, 2.0])), 1),
        lambda s: s.d.Independent(s.d.Normal(s.f([[0.0, 1.0]]), s.f([[1.0], [2.0]])), 1),
        lambda s: s.d.Independent(s.d.Bernoulli(s.f([[0.2, 0.5]])), 2),
        lambda s: s.d.Independent(s.d.Bernoulli(s.f([0.2, 0.5])), 0),
        lambda s: s.d.Independent(s.d.Dirichlet(s.f([[0.5, 2.0], [1.0, 3.0]])), 1),
    ],
    "InverseGamma": _two_positive("InverseGamma"),
    "Kumaraswamy": _two_positive("Kumaraswamy"),
    "LKJCholesky": [
        lambda s: s.d.LKJCholesky(2, s.f(1.0)),
        lambda s: s.d.LKJCholesky(3, s.f([0.5, 1.0, 4.0])),
        lambda s: s.d.LKJCholesky(4, 2.0),
    ],
    "Laplace": _loc_scale("Laplace"),
    "LogNormal": _loc_scale("LogNormal"),
    "LogisticNormal": [
        lambda s: s.d.LogisticNormal(s.f(0.3), s.f(0.5)),
        lambda s: s.d.LogisticNormal(s.f([0.0, 1.0]), s.f([1.0, 0.5])),
        lambda s: s.d.LogisticNormal(s.f([[0.0, 1.0, 2.0], [1.0, -1.0, 0.0]]), s.f([1.0, 0.5, 0.2])),
    ],
    "LowRankMultivariateNormal": [
        lambda s: s.d.LowRankMultivariateNormal(
            s.f([0.0, 1.0, 2.0]), s.f([[1.0], [0.5], [-0.3]]), s.f([1.0, 2.0, 0.5])
        ),
        lambda s: s.d.LowRankMultivariateNormal(
            s.f([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]),
            s.f([[1.0, 0.2], [0.5, -1.0], [-0.3, 0.1]]),
            s.f([1.0, 2.0, 0.5]),
        ),
    ],
    "MixtureSameFamily": [
        lambda s: s.d.MixtureSameFamily(
            s.d.Categorical(s.f(ROWS[0])), s.d.Normal(s.f([-1.0, 0.0, 2.0]), s.f([0.5, 1.0, 2.0]))
        ),
        lambda s: s.d.MixtureSameFamily(
            s.d.Categorical(logits=s.f(LOGITS)),
            s.d.Independent(s.d.Normal(s.f([[[0.0, 1.0]], [[2.0, 3.0]]]).expand(2, 3, 2), 1.0), 1),
        ),
        lambda s: s.d.MixtureSameFamily(
            s.d.Categorical(s.f(ROWS)), s.d.Poisson(s.f([[1.0, 2.0, 30.0], [0.5, 5.0, 9.0]]))
        ),
    ],
    "Multinomial": [*_rows("Multinomial", 5), lambda s: s.d.Multinomial(1, s.f(ROWS[0]))],
    "MultivariateNormal": [
        lambda s: s.d.MultivariateNormal(s.f([0.0, 1.0, 2.0]), s.f(COVARIANCE)),
        lambda s: s.d.MultivariateNormal(s.f([0.0, 1.0, 2.0]), precision_matrix=s.f(COVARIANCE)),
        lambda s: s.d.MultivariateNormal(s.f([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]), scale_tril=s.f(LOWER)),
        lambda s: s.d.MultivariateNormal(s.f([0.0, 1.0, 2.0]), s.f([[COVARIANCE], [COVARIANCE]])),
    ],
    "NegativeBinomial": [
        *_probs_or_logits("NegativeBinomial", 5, numbers=False),
        lambda s: s.d.NegativeBinomial(s.f([0.5, 3.0, 20.0]), s.f([0.2, 0.5, 0.9])),
        lambda s: s.d.NegativeBinomial(s.fixed([0.0, 3.0]), s.f([0.2, 0.5])),
    ],
    "Normal": _loc_scale("Normal"),
    "OneHotCategorical": _rows("OneHotCategorical"),
    "OneHotCategoricalStraightThrough": _rows("OneHotCategoricalStraightThrough"),
    "Pareto": _two_positive("Pareto"),
    "Poisson": [
        lambda s: s.d.Poisson(s.f(3.5)),
        lambda s: s.d.Poisson(0.5),
        lambda s: s.d.Poisson(s.f([[0.5, 9.5, 10.5], [2.0, 40.0, 300.0]])),
    ],
    "RelaxedBernoulli": [
        lambda s: s.d.RelaxedBernoulli(s.f(0.7), probs=s.f([0.1, 0.5, 0.9])),
        lambda s: s.d.RelaxedBernoulli(s.f(2.0), logits=s.f([[0.1, -0.5]])),
        lambda s: s.d.RelaxedBernoulli(s.f([0.7]), 0.3),
    ],
    "LogitRelaxedBernoulli": [
        lambda s: s.d.relaxed_bernoulli.LogitRelaxedBernoulli(s.f(0.7), probs=s.f([0.1, 0.5, 0.9])),
        lambda s: s.d.relaxed_bernoulli.LogitRelaxedBernoulli(s.f(0.7), logits=s.f(0.3)),
    ],
    "RelaxedOneHotCategorical": [
        lambda s: s.d.RelaxedOneHotCategorical(s.f(0.7), probs=s.f(ROWS)),
        lambda s: s.d.RelaxedOneHotCategorical(s.f(1.5), logits=s.f(LOGITS[0])),
    ],
    "ExpRelaxedCategorical": [
        lambda s: s.d.relaxed_categorical.ExpRelaxedCategorical(s.f(0.7), probs=s.f(ROWS)),
        lambda s: s.d.relaxed_categorical.ExpRelaxedCategorical(s.f(0.7), logits=s.f(LOGITS[0])),
    ],
    "StudentT": [
        lambda s: s.d.StudentT(s.f(3.0)),
        lambda s: s.d.StudentT(4.0, 1.0, 2.0),
        lambda s: s.d.StudentT(s.f([0.5, 1.5, 2.0, 7.0]), s.f([[1.0], [2.0]]), s.f(0.5)),
    ],
    "TransformedDistribution": [
        lambda s: s.d.TransformedDistribution(
            s.d.Normal(s.f([0.0, 1.0]), s.f(1.0)),
            [s.d.AffineTransform(s.f(1.0), s.f(-2.0)), s.d.ExpTransform()],
        ),
        lambda s: s.d.TransformedDistribution(
            s.d.Normal(s.f([0.0, 1.0, 2.0]), 1.0), s.d.StickBreakingTransform()
        ),
        lambda s: s.d.TransformedDistribution(
            s.d.Normal(s.f(0.0), 1.0), [s.d.AffineTransform(s.f([[1.0], [2.0]]), 2.0)]
        ),
        lambda s: s.d.TransformedDistribution(s.d.Uniform(s.f([0.0, 1.0]), s.f(3.0)), []),
        lambda s: s.d.TransformedDistribution(
            s.d.MultivariateNormal(s.f([0.0, 1.0, 2.0]), s.f(COVARIANCE)), [s.d.TanhTransform()]
        ),
    ],
    "Uniform": [
        lambda s: s.d.Uniform(s.f(0.5), s.f(2.0)),
        lambda s: s.d.Uniform(-1.0, 3.0),
        lambda s: s.d.Uniform(s.f([[0.0], [-2.0]]), s.f([1.0, 2.0, 5.0])),
    ],
    "VonMises": [
        lambda s: s.d.VonMises(s.f(0.5), s.f(2.0)),
        lambda s: s.d.VonMises(s.f([-3.0, 0.0, 1.0]), s.f([0.3, 3.75, 20.0])),
    ],
    "Weibull": _two_positive("Weibull"),
    "Wishart": [
        lambda s: s.d.Wishart(s.f(5.0), s.f(COVARIANCE)),
        lambda s: s.d.Wishart(4, scale_tril=s.f(LOWER)),
        lambda s: s.d.Wishart(s.f([3.5, 6.0]), precision_matrix=s.f(COVARIANCE)),
    ],
}

MAKERS = {f"{name}-{i}": make for name, makers in FAMILIES.items() for i, make in enumerate(makers)}


# Comparing -------------------------------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text in which the two libraries have one name."""
    return text.replace("torch", "jgrad")


class Raised:
    """That a call raised, and what."""

    def __init__(self, error: Exception) -> None:
        self.shown = f"{type(error).__name__}: {plain(str(error))}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Raised) and self.shown == other.shown

    def __repr__(self) -> str:
        return self.shown


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, or what it raises."""
    try:
        return call()
    except Exception as error:
        return Raised(error)


@contextlib.contextmanager
def warned(into: list[str]) -> Iterator[None]:
    """A block whose warnings are noted."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        # As importing it does.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"(<)?jgrad")
        yield
    into += [f"{w.category.__name__}: {plain(str(w.message))}" for w in found]


def close(found: Any, expected: Any, what: str, rtol: float | None = None, atol: float | None = None) -> None:
    """Fail unless jgrad's result is PyTorch's: of the same shape and dtype, with the same numbers but for rounding; or the same error."""
    if isinstance(expected, torch.Tensor):
        assert isinstance(found, jgrad.Tensor), f"{what}: {found!r} instead of {expected!r}"
        assert plain(str(found.dtype)) == plain(str(expected.dtype)), what
        assert tuple(found.shape) == tuple(expected.shape), what
        wide = expected.dtype == torch.float64
        torch.testing.assert_close(
            torch.from_numpy(found.detach().numpy().copy()),
            expected.detach(),
            rtol=rtol or (1e-9 if wide else 3e-5),
            atol=atol or (1e-10 if wide else 3e-6),
            equal_nan=True,
            msg=lambda text: f"{what}: {text}\njgrad {found}\ntorch {expected}",
        )
    elif isinstance(expected, (tuple, list)) and not isinstance(expected, torch.Size):
        assert len(found) == len(expected), what
        for i, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
            close(mine, theirs, f"{what}[{i}]", rtol, atol)
    else:
        assert found == expected, f"{what}: {found!r} instead of {expected!r}"


def gradients(library: Any, value: Any, leaves: list[Any]) -> Any:
    """The gradients of a weighted sum of a result; None where there are none."""
    if isinstance(value, Raised) or not value.requires_grad or not value.dtype.is_floating_point:
        return None
    weights = library.arange(1, value.numel() + 1, dtype=value.dtype).reshape(value.shape)
    return outcome(lambda: library.autograd.grad((value * weights).sum(), leaves, allow_unused=True))


def copied(tensor: torch.Tensor) -> Any:
    """A tensor of PyTorch's as one of jgrad's."""
    return jgrad.tensor(tensor.detach().numpy().copy())
