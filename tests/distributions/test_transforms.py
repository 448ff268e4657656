"""Every transform and constraint of `jgrad.distributions` against PyTorch's."""

from __future__ import annotations

import copy
import itertools
import pickle

import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.distributions.families import (  # noqa: E402
    COVARIANCE,
    LOWER,
    Maker,
    Raised,
    Side,
    close,
    gradients,
    outcome,
    plain,
    sides,
)

VECTORS = [[0.5, -1.0, 2.0], [0.0, 0.3, -4.0]]
POSITIVE = [[0.5, 1.0, 2.0], [0.1, 0.3, 4.0]]
UNIT = [[0.1, 0.5, 0.9], [0.7, 0.3, 0.01]]

# Each with an argument.
TRANSFORMS: dict[str, tuple[Maker, object]] = {
    "abs": (lambda s: s.d.AbsTransform(), VECTORS),
    "affine": (lambda s: s.d.AffineTransform(s.f([1.0, 2.0, 3.0]), s.f([[2.0], [-1.0]])), VECTORS),
    "affine of numbers": (lambda s: s.d.AffineTransform(1.0, -2.0), VECTORS),
    "affine of vectors": (lambda s: s.d.AffineTransform(0.5, s.f([2.0, -1.0, 3.0]), event_dim=1), VECTORS),
    "affine of vectors by a number": (lambda s: s.d.AffineTransform(0.5, 3.0, event_dim=1), VECTORS),
    "cat": (lambda s: s.d.CatTransform([s.d.ExpTransform(), s.d.AffineTransform(1.0, 2.0)], -1, [1, 2]), VECTORS),
    "cat of rows": (lambda s: s.d.CatTransform([s.d.ExpTransform(), s.d.TanhTransform()], 0), VECTORS),
    "cat of vectors": (
        lambda s: s.d.CatTransform(
            [s.d.AffineTransform(1.0, 2.0, event_dim=1), s.d.ExpTransform()], -1, [1, 2]
        ),
        VECTORS,
    ),
    "compose": (
        lambda s: s.d.ComposeTransform([s.d.AffineTransform(s.f(1.0), s.f(0.5)), s.d.ExpTransform(), s.d.TanhTransform()]),
        VECTORS,
    ),
    "compose to vectors": (
        lambda s: s.d.ComposeTransform([s.d.AffineTransform(1.0, 0.5), s.d.StickBreakingTransform(), s.d.ExpTransform()]),
        VECTORS,
    ),
    "corr cholesky": (lambda s: s.d.CorrCholeskyTransform(), VECTORS),
    "cdf": (lambda s: s.d.CumulativeDistributionTransform(s.d.Normal(s.f(0.0), s.f(1.5))), VECTORS),
    "exp": (lambda s: s.d.ExpTransform(), VECTORS),
    "identity": (lambda s: s.d.identity_transform, VECTORS),
    "independent": (lambda s: s.d.IndependentTransform(s.d.ExpTransform(), 1), VECTORS),
    "independent rows": (lambda s: s.d.IndependentTransform(s.d.AffineTransform(1.0, 2.0, event_dim=1), 1), VECTORS),
    "inverse": (lambda s: s.d.ExpTransform().inv, POSITIVE),
    "lower cholesky": (lambda s: s.d.LowerCholeskyTransform(), COVARIANCE),
    "positive definite": (lambda s: s.d.PositiveDefiniteTransform(), LOWER),
    "power": (lambda s: s.d.PowerTransform(s.f([[2.0], [-0.5]])), POSITIVE),
    "power of a number": (lambda s: s.d.PowerTransform(3), POSITIVE),
    "reshape": (lambda s: s.d.ReshapeTransform((2, 3), (3, 2)), [VECTORS, POSITIVE]),
    "sigmoid": (lambda s: s.d.SigmoidTransform(), [[0.5, -200.0, 200.0]]),
    "softmax": (lambda s: s.d.SoftmaxTransform(), VECTORS),
    "softplus": (lambda s: s.d.SoftplusTransform(), [[0.5, -3.0, 30.0]]),
    "stack": (lambda s: s.d.StackTransform([s.d.ExpTransform(), s.d.AffineTransform(1.0, 2.0)], 0), VECTORS),
    "stack at the end": (
        lambda s: s.d.StackTransform([s.d.ExpTransform(), s.d.TanhTransform(), s.d.identity_transform], -1),
        VECTORS,
    ),
    "stick breaking": (lambda s: s.d.StickBreakingTransform(), VECTORS),
    "tanh": (lambda s: s.d.TanhTransform(), VECTORS),
}  # fmt: skip


def test_every_transform_is_here():
    public = {
        name
        for name in torch.distributions.transforms.__all__
        if name not in ("Transform", "identity_transform")
    }
    made = {type(make(Side(torch))).__name__ for make, _ in TRANSFORMS.values()}
    assert public <= made
    assert sorted(jgrad.distributions.transforms.__all__) == sorted(torch.distributions.transforms.__all__)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", TRANSFORMS)
def test_numbers(name, dtype):
    make, values = TRANSFORMS[name]
    found = []
    for side in sides(dtype):
        t, x = make(side), side.f(values)
        y = t(x)
        back = outcome(lambda t=t, y=y: t.inv(y))
        determinant = outcome(lambda t=t, x=x, y=y: t.log_abs_det_jacobian(x, y))
        other = outcome(lambda t=t, x=x, y=y: t.inv.log_abs_det_jacobian(y, x))
        results = [y, back, determinant, other]
        found.append([(value, gradients(side.module, value, side.leaves)) for value in results])
    for what, theirs, mine in zip(("y", "x", "determinant", "of the inverse"), *found, strict=True):
        close(mine[0], theirs[0], what, atol=1e-5 if dtype == "float32" else None)
        close(
            mine[1],
            theirs[1],
            f"gradient of {what}",
            rtol=1e-3 if dtype == "float32" else None,
            atol=1e-4 if dtype == "float32" else None,
        )


@pytest.mark.parametrize("name", TRANSFORMS)
def test_what_it_is(name):
    make, values = TRANSFORMS[name]
    shown = []
    for side in sides():
        t = make(side)
        facts = {"repr": t, "inverse": t.inv, "bijective": t.bijective, "inverse bijective": t.inv.bijective}
        for of, transform in (("", t), ("inverse ", t.inv)):
            for what in ("domain", "codomain", "sign", "event_dim"):
                facts[of + what] = outcome(lambda transform=transform, what=what: getattr(transform, what))
            for what in ("domain", "codomain"):
                for fact in ("event_dim", "is_discrete"):
                    facts[f"{of}{what} {fact}"] = outcome(
                        lambda c=transform, w=what, f=fact: getattr(getattr(c, w), f)
                    )
            for shape in ((), (2,), (3,), (6,), (2, 3), (3, 2), (3, 3), (4, 2, 3)):
                size = side.module.Size(shape)
                for way in ("forward_shape", "inverse_shape"):
                    facts[f"{of}{way}{shape}"] = outcome(lambda c=transform, w=way, s=size: getattr(c, w)(s))
        x = side.f(values)
        for bad in (x.sum(), x.reshape(-1)[:1], x.reshape(-1)):
            for what in ("__call__", "_inv_call"):
                facts[f"{what} {tuple(bad.shape)}"] = whether_raised(
                    outcome(lambda t=t, w=what, b=bad: getattr(t, w)(b))
                )
        shown.append({key: plain(repr(value)) for key, value in facts.items()})
    for key in shown[0]:
        assert shown[1][key] == shown[0][key], key


def whether_raised(value: object) -> object:
    """An error that the transform itself raises; what operations say of shapes is tested with them."""
    if isinstance(value, Raised):
        return (
            value
            if value.shown.startswith(("AssertionError", "ValueError", "NotImplemented"))
            else "an error"
        )
    return tuple(value.shape)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_caches(name):
    make, values = TRANSFORMS[name]
    shown = []
    for side in sides():
        t = make(side)
        cached = outcome(lambda t=t: t.with_cache())
        if isinstance(cached, Raised):
            shown.append(cached)
            continue
        x = side.f(values)
        y = cached(x)
        again, back = cached(x) is y, cached.inv(y) is x
        other = cached.inv(side.fixed(y.tolist())) is x
        shown.append(
            [
                again,
                back,
                other,
                cached.with_cache() is cached,
                type(cached).__name__,
                t.with_cache(0) is t,
                cached == t,
            ]
        )
    assert shown[1] == shown[0]


def test_equality():
    equal = []
    for side in sides():
        made = [make(side) for make, _ in TRANSFORMS.values()]
        twins = [make(side) for make, _ in TRANSFORMS.values()]
        pairs = list(itertools.product(made, twins)) + [
            (t.inv, u.inv) for t, u in itertools.product(made, twins)
        ]
        equal.append([outcome(lambda t=t, u=u: t == u) for t, u in pairs])
        equal.append([outcome(lambda t=t, u=u: t != u) for t, u in pairs])
        equal.append([t.inv.inv is t for t in made])
    for theirs, mine in zip(equal[:3], equal[3:], strict=True):
        assert [str(m) if not isinstance(m, Raised) else "raised" for m in mine] == [
            str(t) if not isinstance(t, Raised) else "raised" for t in theirs
        ]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_copies(name):
    for side in sides():
        if name == "inverse" and side.module is torch:
            continue  # where it loses what it is the inverse of
        make, values = TRANSFORMS[name]
        t, x = make(side), side.fixed(values)
        assert t.inv is t.inv
        for twin in (copy.copy(t), copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
            assert twin(x).equal(t(x))
            assert twin.inv is not t.inv or name == "inverse"


REFUSED = {
    "cache": lambda s: s.d.ExpTransform(cache_size=2),
    "reshape": lambda s: s.d.ReshapeTransform((2, 3), (2, 2)),
    "cat": lambda s: s.d.CatTransform([3]),
    "lengths": lambda s: s.d.CatTransform([s.d.ExpTransform()], 0, [1, 2]),
    "stack": lambda s: s.d.StackTransform([3]),
    "number": lambda s: s.d.StackTransform([s.d.ExpTransform()])(s.f(VECTORS)),
    "number of inverse": lambda s: s.d.StackTransform([s.d.ExpTransform()]).inv(s.f(VECTORS)),
    "number of determinant": lambda s: s.d.StackTransform([s.d.ExpTransform()] * 2).log_abs_det_jacobian(s.f(VECTORS), s.f(POSITIVE[:1])),
    "dim": lambda s: s.d.CatTransform([s.d.ExpTransform()], 3)(s.f(VECTORS)),
    "length": lambda s: s.d.CatTransform([s.d.ExpTransform()], 0)(s.f(VECTORS)),
    "length of inverse": lambda s: s.d.CatTransform([s.d.ExpTransform()], 0).inv(s.f(VECTORS)),
    "event_dim": lambda s: s.d.CorrCholeskyTransform().event_dim,
    "sign": lambda s: s.d.StickBreakingTransform().sign,
    "determinant": lambda s: s.d.SoftmaxTransform().log_abs_det_jacobian(s.f(VECTORS), s.f(VECTORS)),
    "independent": lambda s: s.d.IndependentTransform(s.d.ExpTransform(), 3)(s.f(VECTORS)),
    "bare": lambda s: s.d.Transform()(s.f(1.0)),
    "bare inverse": lambda s: s.d.Transform().inv(s.f(1.0)),
    "derived": lambda s: derived(s).with_cache(),
    "lower triangle": lambda s: s.d.utils.vec_to_tril_matrix(s.f([1.0, 2.0])),
    "diagonal": lambda s: s.d.utils.tril_matrix_to_vec(s.f(COVARIANCE), 3),
}  # fmt: skip


def derived(s: Side) -> object:
    class Own(s.d.AffineTransform):
        def __init__(self, loc):
            super().__init__(loc, 1.0)

    class Bare(s.d.Transform):
        def __init__(self, x):
            super().__init__()

    return Bare(1)


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    theirs, mine = [outcome(lambda side=side: REFUSED[case](side)) for side in sides()]
    assert isinstance(theirs, Raised)
    assert mine.shown.replace("transforms", "families") == theirs.shown.replace("transforms", "families")


def test_triangles_as_vectors():
    for diag in range(-3, 3):
        mine, theirs = (
            lib.distributions.utils.tril_matrix_to_vec(lib.arange(24.0).reshape(2, 3, 4)[..., :3], diag)
            for lib in (jgrad, torch)
        )
        close(mine, theirs, f"vectors {diag}")
    for diag in (-2, -1, 0, 1):
        n = 3
        count = jgrad.distributions.utils.tril_matrix_to_vec(jgrad.zeros(n, n), diag).numel()
        mine, theirs = (
            lib.distributions.utils.vec_to_tril_matrix(lib.arange(2.0 * count).reshape(2, count), diag)
            for lib in (jgrad, torch)
        )
        close(mine, theirs, f"matrices {diag}")


# Constraints -----------------------------------------------------------------------------------------------------------------------------

CONSTRAINTS: dict[str, Maker] = {
    **{
        name: lambda s, name=name: getattr(s.d.constraints, name)
        for name in (
            "boolean", "corr_cholesky", "dependent", "lower_cholesky", "lower_triangular", "nonnegative", "nonnegative_integer", "one_hot",
            "positive", "positive_semidefinite", "positive_definite", "positive_integer", "real", "real_vector", "simplex", "square",
            "symmetric", "unit_interval",
        )
    },
    "greater_than": lambda s: s.d.constraints.greater_than(0.5),
    "greater_than a tensor": lambda s: s.d.constraints.greater_than(s.fixed([0.0, 1.0, 2.0])),
    "greater_than_eq": lambda s: s.d.constraints.greater_than_eq(0.5),
    "less_than": lambda s: s.d.constraints.less_than(0.5),
    "integer_interval": lambda s: s.d.constraints.integer_interval(-1, 2),
    "integer less than": lambda s: s.d.constraints._IntegerLessThan(1),
    "interval": lambda s: s.d.constraints.interval(-1.0, 2),
    "interval of tensors": lambda s: s.d.constraints.interval(s.fixed(0.0), s.fixed([1.0, 2.0, 0.5])),
    "half_open_interval": lambda s: s.d.constraints.half_open_interval(0.0, 1.0),
    "half_open_interval to 2": lambda s: s.d.constraints.half_open_interval(0.0, 2.0),
    "multinomial": lambda s: s.d.constraints.multinomial(3),
    "independent": lambda s: s.d.constraints.independent(s.d.constraints.positive, 1),
    "independent matrices": lambda s: s.d.constraints.independent(s.d.constraints.lower_cholesky, 1),
    "independent integers": lambda s: s.d.constraints.independent(s.d.constraints.positive_integer, 2),
    "mixture": lambda s: s.d.constraints.MixtureSameFamilyConstraint(s.d.constraints.positive),
    "mixture of vectors": lambda s: s.d.constraints.MixtureSameFamilyConstraint(s.d.constraints.simplex),
    "cat": lambda s: s.d.constraints.cat([s.d.constraints.positive, s.d.constraints.real], -1, [1, 2]),
    "cat of two": lambda s: s.d.constraints.cat([s.d.constraints.positive, s.d.constraints.boolean], 0),
    "stack": lambda s: s.d.constraints.stack([s.d.constraints.positive, s.d.constraints.unit_interval], 0),
    "stack of vectors": lambda s: s.d.constraints.stack([s.d.constraints.simplex, s.d.constraints.real_vector], -2),
    "dependent_property": lambda s: s.d.Uniform.support,
    "more of dependent": lambda s: s.d.constraints.dependent(is_discrete=True)(event_dim=2),
}  # fmt: skip

VALUES = {
    "a number": 1.0,
    "nan": float("nan"),
    "vector": [0.0, 1.0, 2.0],
    "one hot": [0.0, 1.0, 0.0],
    "probabilities": [0.2, 0.3, 0.5],
    "rows": [[-1.0, 0.5, 2.0], [0.0, 1.0, 3.5]],
    "units": UNIT,
    "covariance": COVARIANCE,
    "lower": LOWER,
    "two": [COVARIANCE, LOWER],
    "semidefinite": [[1.0, 1.0], [1.0, 1.0]],
    "correlation": [[1.0, 0.0], [0.6, 0.8]],
    "negative": [[-1.0, 0.0], [0.0, 2.0]],
    "wide": [[1.0, 2.0, 3.0]],
    "nearly symmetric": [[1.0, 0.5], [0.5000001, 1.0]],
}


def test_every_constraint_is_here():
    assert sorted(jgrad.distributions.constraints.__all__) == sorted(torch.distributions.constraints.__all__)
    names = set(torch.distributions.constraints.__all__) - {
        "Constraint",
        "is_dependent",
        "MixtureSameFamilyConstraint",
    }
    assert all(any(case.startswith(name) for case in CONSTRAINTS) for name in names)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraint(name, dtype):
    theirs, mine = sides(dtype)
    a, b = CONSTRAINTS[name](theirs), CONSTRAINTS[name](mine)
    assert plain(repr(b)).split(" object at")[0] == plain(repr(a)).split(" object at")[0]
    assert type(b).__name__ == type(a).__name__
    for fact in ("is_discrete", "event_dim"):
        assert outcome(lambda fact=fact: getattr(b, fact)) == outcome(lambda fact=fact: getattr(a, fact))
    assert mine.d.constraints.is_dependent(b) == theirs.d.constraints.is_dependent(a)
    for value in VALUES.values():
        expected = outcome(lambda v=value: a.check(theirs.fixed(v)))
        found = outcome(lambda v=value: b.check(mine.fixed(v)))
        if isinstance(expected, Raised) and not expected.shown.startswith(("ValueError", "AssertionError")):
            assert isinstance(found, Raised)
        else:
            close(found, expected, f"check({value})")


@pytest.mark.parametrize("registry", ["biject_to", "transform_to"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_transforms_to_constraints(name, registry):
    shown = []
    for side in sides("float64"):
        constraint = CONSTRAINTS[name](side)
        t = outcome(lambda side=side, c=constraint: getattr(side.d, registry)(c))
        if isinstance(t, Raised):
            shown.append((t, None))
            continue
        x = side.fixed([[0.5, -1.0, 2.0], [0.0, 0.3, -1.0], [1.0, 0.0, 0.2]])
        x = x[:2] if "cat of two" in name or "stack" in name else x
        y = outcome(lambda t=t, x=x: t(x))
        reached = outcome(lambda c=constraint, y=y: bool(c.check(y).all()))
        assert reached is not False
        shown.append((plain(repr(t)), y))
    assert shown[1][0] == shown[0][0]
    close(shown[1][1], shown[0][1], "y")


def test_registries():
    shown = []
    for side in sides():
        registry = type(side.d.biject_to)()
        shown += [
            outcome(lambda r=registry, b=bad: r.register(b, lambda c: None)) for bad in (3, int, "real")
        ]

        @registry.register(side.d.constraints.positive)
        def made(constraint):
            return constraint.lower_bound

        shown += [
            registry(side.d.constraints.greater_than(3.0)),
            outcome(lambda r=registry, s=side: r(s.d.constraints.real)),
        ]
    half = len(shown) // 2
    assert shown[half:] == shown[:half]


BAD_CONSTRAINTS = {
    "independent": lambda c: c.independent(3, 1),
    "dims": lambda c: c.independent(c.real, 1.5),
    "negative": lambda c: c.independent(c.real, -1),
    "mixture": lambda c: c.MixtureSameFamilyConstraint(3),
    "cat": lambda c: c.cat([3]),
    "lengths": lambda c: c.cat([c.real], 0, [1, 2]),
    "stack": lambda c: c.stack([3]),
    "bare": lambda c: c.Constraint().check(None),
}


@pytest.mark.parametrize("case", BAD_CONSTRAINTS)
def test_constraints_that_are_refused(case):
    theirs, mine = [outcome(lambda s=s: BAD_CONSTRAINTS[case](s.d.constraints)) for s in sides()]
    assert isinstance(theirs, Raised)
    assert mine == theirs
