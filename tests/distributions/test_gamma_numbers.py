"""Gamma and Dirichlet random numbers, and their reparameterised gradients: PyTorch's stream, PyTorch's numbers, and the mathematics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import jgrad  # noqa: E402
from tests.distributions.families import Raised, close, outcome  # noqa: E402

DRAWN = ["_standard_gamma", "_sample_dirichlet"]


def parameters(shape: tuple, dtype: str, seed: int = 0, spread: float = 2.0) -> np.ndarray:
    return np.exp(np.random.default_rng(seed).normal(size=shape) * spread).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1,), (7,), (5000,), (3, 4, 50), (0, 2), (2, 0)], ids=str)
@pytest.mark.parametrize("name", DRAWN)
def test_streams(name, shape, dtype):
    """The numbers and what is drawn after them, several times, so that the spare normal number goes on too."""
    a = parameters(shape, dtype)
    torch.manual_seed(3)
    jgrad.manual_seed(3)
    for _ in range(3):
        theirs = getattr(torch, name)(torch.tensor(a))
        mine = getattr(jgrad, name)(jgrad.tensor(a))
        close(mine, theirs, name, rtol=1e-15, atol=1e-300)
        close(jgrad.randn(3), torch.randn(3), "randn", atol=1e-6)
        close(jgrad.rand(1), torch.rand(1), "rand", rtol=1e-15)


def test_a_number_and_a_transposed_matrix():
    for a in (np.float32(0.3), np.float64(7.5), parameters((3, 5), "float64").T):
        torch.manual_seed(1)
        jgrad.manual_seed(1)
        close(
            jgrad._standard_gamma(jgrad.tensor(a)),
            torch._standard_gamma(torch.tensor(a)),
            "numbers",
            rtol=1e-15,
        )


def test_ends():
    a = [0.0, 1e-30, 1e-8, 1e20, float("inf")]
    for dtype in ("float32", "float64"):
        torch.manual_seed(1)
        jgrad.manual_seed(1)
        theirs = torch._standard_gamma(torch.tensor(a, dtype=getattr(torch, dtype)))
        mine = jgrad._standard_gamma(jgrad.tensor(a, dtype=getattr(jgrad, dtype)))
        close(mine, theirs, "numbers", rtol=1e-14, atol=1e-300)
    assert jgrad._standard_gamma(jgrad.tensor([float("nan")])).isnan().all()


def test_a_generator_of_ones_own():
    mine, theirs = jgrad.Generator().manual_seed(5), torch.Generator().manual_seed(5)
    for name in DRAWN:
        found = getattr(jgrad, name)(jgrad.ones(4), generator=mine)
        close(found, getattr(torch, name)(torch.ones(4), generator=theirs), name)
    assert mine.get_state().tolist() == theirs.get_state().tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_are_pytorchs(dtype):
    """On points of all regions: of series, expansions at and off the mean, and fits."""
    n, wide = 20000, dtype == "float64"
    rng = np.random.default_rng(1)
    a, b = parameters((n,), dtype), parameters((n,), dtype, 5)
    x = np.abs(a + np.sqrt(a) * rng.normal(size=n)).astype(dtype)
    u = rng.uniform(0.001, 0.999, n).astype(dtype)
    near = (a / (a + b) * (1 + 0.01 * rng.normal(size=n))).clip(0.001, 0.999).astype(dtype)
    for name, points in (
        ("_standard_gamma_grad", (a, x)),
        ("_standard_gamma_grad", (a, b)),
        ("_dirichlet_grad", (u, a, a + b)),
        ("_dirichlet_grad", (near, a, a + b)),
        ("_dirichlet_grad", (near, 10 * a, 10 * (a + b))),
    ):
        theirs = getattr(torch, name)(*map(torch.tensor, points))
        mine = torch.tensor(getattr(jgrad, name)(*map(jgrad.tensor, points)).numpy())
        # In float32 PyTorch computes some series in float32, of which little is left where large terms cancel; jgrad takes float64.
        exact = getattr(torch, name)(*[torch.tensor(p).double() for p in points]).to(theirs.dtype)
        assert ((mine - theirs).abs() <= 1e-3 * theirs.abs() + 1e-4).double().mean() > 0.999
        tolerance = {"rtol": 1e-8, "atol": 1e-10} if wide else {"rtol": 1e-5, "atol": 1e-7}
        torch.testing.assert_close(mine, exact, **tolerance, equal_nan=True)


def test_gradients_are_those_of_the_distribution_function():
    """Nobody is asked here: dx/da = -(dF/da) / (dF/dx), to the three digits that the fits have."""
    s = np.random.default_rng(0)
    a = jgrad.tensor(np.exp(s.uniform(-1, 4, 400)))
    x = jgrad._standard_gamma(a)
    h = 1e-5 * a
    f = jgrad.special.gammainc
    of_a = (f(a + h, x) - f(a - h, x)) / (2 * h)
    density = jgrad.distributions.Gamma(a, jgrad.ones_like(a)).log_prob(x).exp()
    exact, found = -of_a / density, jgrad._standard_gamma_grad(a, x)
    assert ((found - exact).abs() / exact.abs()).median() < 1e-3
    assert ((found - exact).abs() / exact.abs()).max() < 2e-2


def test_beta_gradients_are_those_of_quantiles():
    """Nobody is asked here either: between two beta distributions of near parameters, a sample moves along its quantile."""
    a, b = (
        jgrad.tensor([0.6, 2.0, 9.0], dtype=jgrad.float64),
        jgrad.tensor([1.5, 3.0, 7.0], dtype=jgrad.float64),
    )
    grid = jgrad.linspace(0, 1, 200001, dtype=jgrad.float64)[1:-1, None]

    def distribution_function(a, b):
        density = jgrad.distributions.Beta(a, b).log_prob(grid).exp()
        return density, density.cumsum(0) / density.sum(0)

    h = 1e-4
    density, _ = distribution_function(a, b)
    of_a = (distribution_function(a + h, b)[1] - distribution_function(a - h, b)[1]) / (2 * h)
    exact = -of_a / (density / density.sum(0) * len(grid))
    found = jgrad._dirichlet_grad(
        grid.expand_as(exact).contiguous(), a.expand_as(exact), (a + b).expand_as(exact)
    ) * (1 - grid)
    middle = slice(len(grid) // 10, -len(grid) // 10)
    assert ((found - exact)[middle].abs() / exact[middle].abs()).max() < 2e-2


def test_which_dtypes_and_what_is_not_differentiable():
    calls = [
        lambda lib, x: lib._standard_gamma(x),
        lambda lib, x: lib._sample_dirichlet(x),
        lambda lib, x: lib._standard_gamma_grad(x, x),
        lambda lib, x: lib._dirichlet_grad(x, x, x),
    ]
    for dtype in ("int64", "bool", "complex64", "float16"):
        for call in calls:
            theirs, mine = [refused(lib, call, dtype=getattr(lib, dtype)) for lib in (torch, jgrad)]
            assert mine == theirs
    backwards = [
        lambda lib, x: lib._sample_dirichlet(x).sum().backward(),
        lambda lib, x: lib._dirichlet_grad(x.sigmoid(), x, 2 * x).sum().backward(),
        lambda lib, x: lib._standard_gamma_grad(x, lib.ones(2)).sum().backward(),
    ]
    for call in backwards:
        theirs, mine = [refused(lib, call, requires_grad=True) for lib in (torch, jgrad)]
        assert mine == theirs


def refused(lib: Any, call: Callable, **kind: Any) -> Raised:
    found = outcome(lambda: call(lib, lib.ones(2, **kind)))
    assert isinstance(found, Raised)
    return found


def test_names_of_nodes():
    shown = []
    for lib in (torch, jgrad):
        a = lib.ones(2, requires_grad=True)
        gamma = lib._standard_gamma(a)
        (grad,) = lib.autograd.grad(gamma.sum(), a, create_graph=True)
        row = lib.distributions.Dirichlet(a).rsample()
        shown.append([t.grad_fn.name() for t in (gamma, grad, row)])
    assert shown[1] == shown[0]


def test_gradients_have_the_right_mean():
    """Nobody is asked: the mean of x^2 is a * (a + 1) / rate^2, and its derivative (2 a + 1) / rate^2."""
    jgrad.manual_seed(2)
    a = jgrad.full((40000,), 3.0, dtype=jgrad.float64, requires_grad=True)
    (grad,) = jgrad.autograd.grad(jgrad.distributions.Gamma(a, 2.0).rsample().square().sum(), a)
    assert abs(grad.mean().item() - 7 / 4) < 0.05


@pytest.mark.parametrize("name", DRAWN)
def test_under_vmap(name):
    draw = getattr(jgrad, name)
    rows = jgrad.tensor(parameters((3, 4), "float64"))
    with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
        jgrad.vmap(draw)(rows)
    jgrad.manual_seed(1)
    found = jgrad.vmap(draw, randomness="different")(rows)
    jgrad.manual_seed(1)
    assert found.equal(draw(rows))
