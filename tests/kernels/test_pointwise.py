"""Pointwise kernels: paths that only some processors or sizes take."""

import numpy as np
import pytest

from jgrad.kernels.numpy import elementary, pointwise

pytestmark = pytest.mark.quick

NUMBERS = np.random.default_rng(0).uniform(-1, 1, 100_000)


@pytest.mark.parametrize("scale", [1e-30, 1e-6, 0.1, 0.5, 1, 10, 1e4, 1e20])
@pytest.mark.parametrize("name", ["log1p", "tan"])
def test_functions_composed_where_the_processor_has_none(monkeypatch, name, scale):
    """Within 4 units in the last place of the result in double precision, with the same special values."""
    monkeypatch.setattr(elementary, "vectorized", lambda name: False)
    if name == "tan" and scale > 1e4:
        return
    special = [0, -0.0, np.inf, -np.inf, np.nan, -1, 1, np.pi / 2, -np.pi / 2, 3e38]
    a = np.concatenate([NUMBERS * scale, special[: 9 if name == "tan" else None]]).astype(np.float32)
    with np.errstate(all="ignore"):
        given = getattr(elementary, name)(a)
        wanted = getattr(np, name)(a.astype(np.float64)).astype(np.float32)
        assert given.dtype == np.float32
        finite = np.isfinite(wanted)
        assert np.array_equal(given[~finite], wanted[~finite], equal_nan=True)
        assert np.all(np.abs(given[finite] - wanted[finite]) <= 4 * np.spacing(np.abs(wanted[finite])))
    assert np.array_equal(np.signbit(given[a == 0]), np.signbit(a[a == 0]))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "complex64", "bool"])
@pytest.mark.parametrize("shape", [(), (3,), (50, 60), (60, 0)])
def test_choosing_by_bits_is_choosing(dtype, shape):
    generator = np.random.default_rng(1)
    a, b = ((generator.standard_normal(shape) * 3).astype(dtype) for _ in range(2))
    condition = np.asarray(generator.standard_normal(shape) > 0)
    for x, y, c in ((a, b, condition), (np.asarray(a).T, np.asarray(b).T, condition.T)):
        x, y = np.asarray(x), np.asarray(y)
        assert np.array_equal(pointwise.where(c, x, y), np.where(c, x, y))
        assert np.array_equal(pointwise.only_where(x, c), np.where(c, x, np.zeros((), dtype)))


def test_a_gradient_that_is_infinite_is_masked_too():
    grad, mask = np.full(5000, np.inf, np.float32), np.arange(5000) % 2 == 0
    assert np.array_equal(pointwise.only_where(grad, mask), np.where(mask, np.inf, 0).astype(np.float32))
    assert np.array_equal(pointwise.threshold_backward(grad, mask - 0.5, 0), np.where(mask, np.inf, 0))
