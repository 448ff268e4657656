"""Every family of `jgrad.distributions` against `torch.distributions`, in the same process."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.distributions.families import (  # noqa: E402
    FAMILIES,
    MAKERS,
    Maker,
    Raised,
    Side,
    close,
    copied,
    gradients,
    outcome,
    plain,
    sides,
    warned,
)

DTYPES = ["float32", "float64"]
MAKERS_AND_DTYPES = [
    pytest.param(make, dtype, id=f"{name}-{dtype}") for name, make in MAKERS.items() for dtype in DTYPES
]
PROBABILITIES = [0.05, 0.5, 0.93]


@pytest.fixture(autouse=True)
def default_dtype(request):
    """Python numbers as parameters become tensors of the default dtype; GeneralizedPareto compares with a number of it."""
    dtype = getattr(request.node, "callspec", None) and request.node.callspec.params.get("dtype")
    if dtype:
        for library in (torch, jgrad):
            library.set_default_dtype(getattr(library, dtype))
    yield
    for library in (torch, jgrad):
        library.set_default_dtype(library.float32)


def test_every_family_is_here():
    public = {name for name in torch.distributions.__all__ if is_family(getattr(torch.distributions, name))}
    assert public <= FAMILIES.keys()
    assert sorted(jgrad.distributions.__all__) == sorted(torch.distributions.__all__)


def is_family(thing: object) -> bool:
    base = torch.distributions.Distribution
    return (
        isinstance(thing, type)
        and issubclass(thing, base)
        and thing not in (base, torch.distributions.ExponentialFamily)
    )


def make_both(make: Maker, dtype: str) -> list[tuple[Side, object]]:
    """PyTorch's and jgrad's, and that they warn alike."""
    made, said = [], ([], [])
    for side, into in zip(sides(dtype), said, strict=True):
        with warned(into):
            made.append((side, make(side)))
    assert said[0] == said[1]
    return made


def samples(side: Side, d: object, shape: tuple, method: str = "sample") -> object:
    """Samples after a seed, and the number that is drawn next."""
    side.module.manual_seed(7)
    with warned(said := []):
        found = outcome(lambda: getattr(d, method)(shape))
    return [found, side.module.rand(1), said]


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_what_it_is(make, dtype):
    shown = []
    for _, d in make_both(make, dtype):
        kinds = [c.__name__ for c in type(d).__mro__ if c.__name__ in torch.distributions.__all__]
        facts = {
            "kinds": kinds,
            "repr": repr(d),
            "arg_constraints": d.arg_constraints,
            "support": d.support,
            "discrete": outcome(lambda d=d: d.support.is_discrete),
            "event_dim": outcome(lambda d=d: d.support.event_dim),
            "shapes": (d.batch_shape, d.event_shape),
            "has": (d.has_rsample, d.has_enumerate_support),
            "param_shape": d.param_shape
            if hasattr(type(d), "param_shape") and "Geometric" not in kinds
            else None,
            "of the class": [
                outcome(lambda d=d, n=n: getattr(type(d).support, n)) for n in ("is_discrete", "event_dim")
            ],
        }
        shown.append({key: plain(repr(value)) for key, value in facts.items()})
    assert shown[1] == shown[0]


STATISTICS = ["mean", "mode", "variance", "stddev"]
FUNCTIONS = ["entropy", "perplexity"]
ROUGH = {"rtol": 1e-3, "atol": 1e-5}  # terms of the size of one cancel each other in some gradients


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_statistics(make, dtype):
    found = []
    for side, d in make_both(make, dtype):
        values = [outcome(lambda d=d, n=n: getattr(d, n)) for n in STATISTICS]
        values += [outcome(lambda d=d, n=n: getattr(d, n)()) for n in FUNCTIONS]
        found.append([(value, gradients(side.module, value, side.leaves)) for value in values])
    for name, theirs, mine in zip(STATISTICS + FUNCTIONS, *found, strict=True):
        close(mine[0], theirs[0], name)
        close(mine[1], theirs[1], f"gradient of {name}", **(ROUGH if dtype == "float32" else {"rtol": 1e-8}))


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_samples_after_a_seed(make, dtype):
    wide = dtype == "float64"
    for method, shape in (("sample", ()), ("sample", (4,)), ("sample", (2, 30)), ("rsample", (2, 30))):
        theirs, mine = [samples(side, d, shape, method) for side, d in make_both(make, dtype)]
        close(mine, theirs, f"{method}({shape})", rtol=1e-11 if wide else 2e-5, atol=1e-12 if wide else 2e-6)
    for _, d in make_both(make, dtype):
        assert not d.sample().requires_grad


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_gradients_of_samples(make, dtype):
    found = []
    for side, d in make_both(make, dtype):
        value = samples(side, d, (3,), "rsample")[0]
        found.append(gradients(side.module, value, side.leaves))
    close(found[1], found[0], "gradient of rsample", rtol=1e-3 if dtype == "float32" else 1e-7, atol=1e-5)


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_probabilities_of_samples(make, dtype):
    (ours, p), (other, q) = make_both(make, dtype)
    value = samples(ours, p, (2, 3))[0]
    for name in ("log_prob", "cdf"):
        found = []
        for side, d, x in ((ours, p, value.clone()), (other, q, copied(value))):
            leaves = list(side.leaves)
            if x.dtype.is_floating_point:
                leaves.append(x.requires_grad_())
            result = outcome(lambda d=d, x=x, name=name: getattr(d, name)(x))
            found.append((result, gradients(side.module, result, leaves)))
        close(
            found[1][0],
            found[0][0],
            name,
            rtol=2e-4 if dtype == "float32" else None,
            atol=1e-5 if dtype == "float32" else None,
        )
        rough = {"rtol": 5e-3, "atol": 1e-3} if dtype == "float32" else {"rtol": 1e-7, "atol": 1e-7}
        close(found[1][1], found[0][1], f"gradient of {name}", **rough)


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_quantiles(make, dtype):
    found = []
    for side, d in make_both(make, dtype):
        shape = (len(PROBABILITIES),) + (1,) * len(d.batch_shape + d.event_shape)
        at = side.module.tensor(PROBABILITIES, dtype=side.dtype).reshape(shape)
        result = outcome(lambda d=d, at=at: d.icdf(at))
        found.append((result, gradients(side.module, result, side.leaves)))
    close(found[1], found[0], "icdf", rtol=1e-4 if dtype == "float32" else None)


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_all_values(make, dtype):
    for expand in (True, False):
        theirs, mine = [
            outcome(lambda d=d, e=expand: d.enumerate_support(e)) for _, d in make_both(make, dtype)
        ]
        close(mine, theirs, "enumerate_support")
        if isinstance(theirs, torch.Tensor):
            theirs, mine = [d.log_prob(d.enumerate_support(expand)) for _, d in make_both(make, dtype)]
            close(mine, theirs, "log_prob of all values")


@pytest.mark.parametrize(("make", "dtype"), MAKERS_AND_DTYPES)
def test_expanded(make, dtype):
    for computed_before in (False, True):
        compare_expanded(make, dtype, computed_before)


def compare_expanded(make: Maker, dtype: str, computed_before: bool) -> None:
    found = []
    for side, d in make_both(make, dtype):
        if computed_before:  # lazy properties are expanded too
            for name in ("probs", "logits", "covariance_matrix", "precision_matrix", "scale_tril"):
                outcome(lambda d=d, name=name: getattr(d, name))
        e = outcome(lambda d=d: d.expand((2, *d.batch_shape)))
        if isinstance(e, Raised):
            found.append([e])
            continue
        value = samples(side, d, (1,))[0]
        names = (
            "mean",
            "variance",
            "probs",
            "logits",
            "loc",
            "scale",
            "covariance_matrix",
            "temperature",
            "total_count",
        )
        found.append(
            [
                (type(e).__name__, plain(repr(e)), plain(repr(e.support)), e._validate_args),
                (tuple(e.batch_shape), tuple(e.event_shape)),
                samples(side, e, (3,)),
                outcome(lambda e=e, value=value: e.log_prob(value)),
                outcome(lambda e=e: e.entropy()),
                *[
                    outcome(lambda e=e, name=name: getattr(e, name))
                    for name in names
                    if hasattr(type(d), name)
                ],
                plain(str(outcome(lambda e=e: e.expand((4, *e.batch_shape)).batch_shape))),
                plain(str(outcome(lambda e=e: e.expand((3,) * 9).batch_shape))),
            ]
        )
    if plain(repr(found[0][4])).endswith("'Multinomial' object has no attribute '_binomial'"):
        found[0][4] = found[1][4] = None  # a slip of PyTorch's
    close(
        found[1],
        found[0],
        "expanded",
        rtol=2e-4 if dtype == "float32" else None,
        atol=1e-5 if dtype == "float32" else None,
    )


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_derived_families_need_an_expand_of_their_own(name):
    found = []
    for side in sides():
        d = FAMILIES[name][0](side)

        class Derived(type(d)):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)

        class Renamed(type(d)):
            pass

        for derived in (Derived, Renamed):
            twin = derived.__new__(derived)
            vars(twin).update(vars(d))
            twin = outcome(lambda twin=twin, d=d: twin.expand((2, *d.batch_shape)))
            found.append((derived.__name__, repr(twin) if isinstance(twin, Raised) else type(twin).__name__))
    assert found[2:] == found[:2]


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_values_outside_of_the_support(name):
    found = []
    for side in sides():
        d = FAMILIES[name][0](side)
        for value in (math.nan, -1.5, 0.5, 3.0, -math.inf):
            shape = (2, *d.batch_shape, *d.event_shape)
            x = side.module.full(shape, value)
            found.append(
                [repr(outcome(lambda d=d, x=x, m=m: getattr(d, m)(x)))[:3000] for m in ("log_prob", "cdf")]
            )
        odd = [side.module.zeros(5, 7), side.module.zeros(()), 1.0, "text"]
        found += [[plain(repr(outcome(lambda d=d, x=x: d.log_prob(x))))] for x in odd if errs(d, x)]
    half = len(found) // 2
    for mine, theirs in zip(found[half:], found[:half], strict=True):
        assert [plain(m) for m in mine if "Error" in m] == [plain(t) for t in theirs if "Error" in t]


def errs(d: object, x: object) -> bool:
    """Whether both refuse a value by themselves (others find out by errors of their operations)."""
    return isinstance(outcome(lambda: d._validate_sample(x)), Raised)


@pytest.mark.parametrize("value", [math.nan, -1.0, 0.0, 1.5, math.inf])
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_parameters_that_are_refused(name, value):
    """Each parameter in turn has such an element."""
    for make in FAMILIES[name]:
        for which in range(8):
            theirs, mine = [
                outcome(lambda side=side, make=make, which=which: spoiled(side, make, which, value))
                for side in sides()
            ]
            assert repr(mine) == repr(theirs)


def spoiled(side: Side, make: Maker, which: int, value: float) -> str:
    usual, count = side.f, 0

    def f(values):
        nonlocal count
        count += 1
        spoilt = torch.tensor(values)
        # Whether it can be factored with an infinity in it is LAPACK's business.
        matrix = spoilt.shape[-2:] == (
            3,
            3,
        )
        if count - 1 == which and not (matrix and math.isinf(value)):
            spoilt.view(-1)[0] = value
            values = spoilt.tolist()
        return usual(values)

    side.f = f
    with warned([]):
        return plain(repr(make(side)))


REFUSED = {
    "both": lambda s: s.d.Bernoulli(0.5, 0.5),
    "none": lambda s: s.d.Bernoulli(),
    "none of many": lambda s: s.d.Categorical(),
    "binomial": lambda s: s.d.Binomial(3),
    "no dimension": lambda s: s.d.Categorical(s.f(0.5)),
    "no dimension of logits": lambda s: s.d.Categorical(logits=s.f(0.5)),
    "text": lambda s: s.d.Normal("a", 1.0),
    "list": lambda s: s.d.Normal([0.0], [1.0]),
    "shapes": lambda s: s.d.Normal(s.f([0.0, 1.0]), s.f([1.0, 2.0, 3.0])),
    "uniform": lambda s: s.d.Uniform(2.0, 1.0),
    "equal ends": lambda s: s.d.Uniform(s.f([0.0, 1.0]), s.f([1.0, 1.0])),
    "dirichlet": lambda s: s.d.Dirichlet(s.f(1.0)),
    "counts": lambda s: s.d.Multinomial(s.f(3.0), s.f([0.5, 0.5])),
    "half a count": lambda s: s.d.Binomial(s.f(2.5), s.f(0.5)),
    "inhomogeneous counts": lambda s: s.d.Binomial(s.f([2.0, 3.0]), s.f(0.5)).entropy(),
    "geometric": lambda s: s.d.Geometric(s.f([0.0, 0.5])),
    "independent": lambda s: s.d.Independent(s.d.Normal(0.0, 1.0), 1),
    "independent support": lambda s: s.d.Independent(s.d.Bernoulli(s.f([0.5])), 1).enumerate_support(),
    "mixture": lambda s: s.d.MixtureSameFamily(s.d.Normal(0.0, 1.0), s.d.Normal(0.0, 1.0)),
    "components": lambda s: s.d.MixtureSameFamily(s.d.Categorical(s.f([0.5, 0.5])), 3),
    "batch of components": lambda s: s.d.MixtureSameFamily(
        s.d.Categorical(s.f([[0.5, 0.5]] * 3)), s.d.Normal(s.f([[0.0, 1.0]] * 2), 1.0)
    ),
    "number of components": lambda s: s.d.MixtureSameFamily(
        s.d.Categorical(s.f([0.5, 0.5])), s.d.Normal(s.f([0.0, 1.0, 2.0]), 1.0)
    ),
    "lkj": lambda s: s.d.LKJCholesky(1),
    "loc of mvn": lambda s: s.d.MultivariateNormal(s.f(0.0), s.f([[1.0]])),
    "two forms": lambda s: s.d.MultivariateNormal(s.f([0.0]), s.f([[1.0]]), s.f([[1.0]])),
    "no form": lambda s: s.d.MultivariateNormal(s.f([0.0])),
    **{
        f"vector for {form}": lambda s, form=form: s.d.MultivariateNormal(s.f([0.0]), **{form: s.f([1.0])})
        for form in ("scale_tril", "covariance_matrix", "precision_matrix")
    },
    "asymmetric": lambda s: s.d.MultivariateNormal(s.f([0.0, 0.0]), s.f([[1.0, 0.5], [0.0, 1.0]])),
    "indefinite": lambda s: s.d.MultivariateNormal(s.f([0.0, 0.0]), s.f([[1.0, 2.0], [2.0, 1.0]])),
    "upper": lambda s: s.d.MultivariateNormal(s.f([0.0, 0.0]), scale_tril=s.f([[1.0, 2.0], [0.0, 1.0]])),
    "low rank loc": lambda s: s.d.LowRankMultivariateNormal(s.f(0.0), s.f([[1.0]]), s.f([1.0])),
    "low rank factor": lambda s: s.d.LowRankMultivariateNormal(s.f([0.0]), s.f([1.0]), s.f([1.0])),
    "low rank size": lambda s: s.d.LowRankMultivariateNormal(s.f([0.0, 1.0]), s.f([[1.0]]), s.f([1.0])),
    "low rank diagonal": lambda s: s.d.LowRankMultivariateNormal(s.f([0.0]), s.f([[1.0]]), s.f([1.0, 2.0])),
    "low rank batch": lambda s: s.d.LowRankMultivariateNormal(
        s.f([[0.0]] * 2), s.f([[[1.0]]] * 3), s.f([1.0])
    ),
    "wishart df": lambda s: s.d.Wishart(1.0, s.f([[1.0, 0.0], [0.0, 1.0]])),
    "wishart forms": lambda s: s.d.Wishart(1.0),
    "wishart vector": lambda s: s.d.Wishart(1.0, s.f([1.0])),
    "transforms": lambda s: s.d.TransformedDistribution(s.d.Normal(0.0, 1.0), 3),
    "list of transforms": lambda s: s.d.TransformedDistribution(s.d.Normal(0.0, 1.0), [3]),
    "too few dimensions": lambda s: s.d.TransformedDistribution(s.d.Normal(0.0, 1.0), s.d.StickBreakingTransform()),
    "continuous bernoulli": lambda s: s.d.ContinuousBernoulli(1.5, validate_args=True),
    "default": lambda s: s.d.Distribution.set_default_validate_args(3),
    "no expand": lambda s: s.d.Distribution(validate_args=False).expand((2,)),
    "no mode": lambda s: s.d.Distribution(validate_args=False).mode,
    "no repr": lambda s: repr(s.d.Distribution(validate_args=False)),
    "no entropy": lambda s: s.d.ExponentialFamily(validate_args=False).entropy(),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_arguments_that_are_refused(case):
    theirs, mine = [outcome(lambda side=side: REFUSED[case](side)) for side in sides()]
    assert isinstance(theirs, Raised)
    assert mine == theirs


def test_validation_can_be_left_out():
    for library in (torch, jgrad):
        d = library.distributions.Normal(0.0, -1.0, validate_args=False)
        assert math.isnan(d.log_prob(library.tensor(1.0)).item())
        assert d.expand((2,))._validate_args is False
        library.distributions.Distribution.set_default_validate_args(False)
        try:
            library.distributions.Normal(0.0, -1.0)
        finally:
            library.distributions.Distribution.set_default_validate_args(True)
        with pytest.raises(ValueError, match="Expected parameter scale"):
            library.distributions.Normal(0.0, -1.0)


def test_warnings():
    said = [], []
    for library, into in zip((torch, jgrad), said, strict=True):

        class Bare(library.distributions.Distribution):
            pass

        with warned(into):
            Bare()._validate_sample(library.zeros(()))
            library.distributions.Normal(0.0, 1.0).sample_n(3)
            library.distributions.Wishart(1.5, library.eye(2))
    names = [[text.replace(f"{__name__}.test_warnings.<locals>.", "") for text in texts] for texts in said]
    assert names[0]
    assert names[1] == names[0]


def test_lazy_properties_are_computed_once_and_with_gradients():
    for library in (torch, jgrad):
        logits = library.zeros(2, requires_grad=True)
        d = library.distributions.Bernoulli(logits=logits)
        assert "probs" not in vars(d)
        with library.no_grad():
            probs = d.probs
        assert probs.requires_grad
        assert d.probs is probs
        lazy = library.distributions.utils.lazy_property
        assert isinstance(library.distributions.Bernoulli.probs, lazy)


def test_second_derivatives_of_gamma_samples_are_refused():
    for library in (torch, jgrad):
        shape = library.tensor([2.0, 0.5], requires_grad=True)
        (grad,) = library.autograd.grad(
            library.distributions.Gamma(shape, 1.0).rsample().sum(), shape, create_graph=True
        )
        with pytest.raises(
            RuntimeError, match="the derivative for '_standard_gamma_grad' is not implemented"
        ):
            grad.sum().backward()
