"""What SciPy computes where it is installed, and loops where it is not, has PyTorch's numbers both ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad.kernels import sparse_operators
from jgrad.kernels.numpy import lapack, special

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.quick

DTYPES = ["float32", "complex128"]
SIZES = [(1, 1), (17, 17), (40, 23), (23, 40), (3, 33, 33)]


@pytest.fixture(params=["SciPy", "loops"], autouse=True)
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "loops":
        monkeypatch.setattr(lapack, "_routines", lambda: None)
        monkeypatch.setattr(special, "gamma_by_scipy", lambda upper: None)
        monkeypatch.setattr(sparse_operators, "_module_of_scipy", lambda: None)
    else:
        pytest.importorskip("scipy")


def numbers(*size: int, dtype: str) -> Any:
    rng = np.random.default_rng(0)
    real = rng.normal(size=size)
    return (real + 1j * rng.normal(size=size) if dtype[0] == "c" else real).astype(dtype)


def same(mine: Any, theirs: Any) -> None:
    single = theirs.dtype in (torch.float32, torch.complex64)
    assert mine.stride() == theirs.stride()
    np.testing.assert_allclose(
        mine.numpy(), theirs.numpy(), rtol=2e-3 if single else 1e-9, atol=2e-4 if single else 1e-10
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_lu(size: tuple[int, ...], dtype: str) -> None:
    a = numbers(*size, dtype=dtype)
    mine, theirs = jgrad.linalg.lu_factor(jgrad.tensor(a)), torch.linalg.lu_factor(torch.tensor(a))
    assert mine.pivots.tolist() == theirs.pivots.tolist()
    same(mine.LU, theirs.LU)


def test_the_first_zero_pivot_is_told() -> None:
    a = np.eye(20)
    a[5, 5] = a[9, 9] = 0
    mine, theirs = jgrad.linalg.lu_factor_ex(jgrad.tensor(a)), torch.linalg.lu_factor_ex(torch.tensor(a))
    assert mine.info.item() == theirs.info.item() == 6


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("size", [(1, 1), (40, 40), (3, 20, 20)])
def test_ldl(size: tuple[int, ...], hermitian: bool, dtype: str) -> None:
    a = numbers(*size, dtype=dtype)
    a = a + (a.conj() if hermitian else a).swapaxes(-1, -2)
    mine = jgrad.linalg.ldl_factor(jgrad.tensor(a), hermitian=hermitian)
    theirs = torch.linalg.ldl_factor(torch.tensor(a), hermitian=hermitian)
    assert mine.pivots.tolist() == theirs.pivots.tolist()
    same(mine.LD, theirs.LD)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_triangular_systems(turned: bool, unit: bool, left: bool, upper: bool, dtype: str) -> None:
    # Small elements beside the diagonal keep the solutions small. What lies in the other triangle is not read.
    a = numbers(30, 30, dtype=dtype) / 30 + np.eye(30, dtype=dtype)
    a[(np.tril_indices if upper else np.triu_indices)(30, -1 if upper else 1)] = np.nan
    b = numbers(*((30, 7) if left else (7, 30)), dtype=dtype)

    def solution(lib: Any) -> Any:
        matrix = lib.tensor(np.ascontiguousarray(a.T)).mT if turned else lib.tensor(a)
        return lib.linalg.solve_triangular(matrix, lib.tensor(b), upper=upper, left=left, unitriangular=unit)

    same(solution(jgrad), solution(torch))


def test_a_zero_on_the_diagonal_divides() -> None:
    a, b = np.eye(20), np.ones((20, 2))
    a[3, 3] = 0
    mine = jgrad.linalg.solve_triangular(jgrad.tensor(a), jgrad.tensor(b), upper=True)
    same(mine, torch.linalg.solve_triangular(torch.tensor(a), torch.tensor(b), upper=True))


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_the_incomplete_gamma_function(name: str) -> None:
    of = np.array([-1, 0, 1e-30, 0.3, 1, 7.5, 150, 3e4, np.inf, np.nan])
    a, x = np.meshgrid(of, of)
    mine = getattr(jgrad.special, name)(jgrad.tensor(a), jgrad.tensor(x))
    same(mine, getattr(torch.special, name)(torch.tensor(a), torch.tensor(x)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("coalesced", [False, True])
def test_a_sparse_matrix_times_a_dense_one(coalesced: bool, dtype: str) -> None:
    rng = np.random.default_rng(0)
    places, values = rng.integers(0, 30, (2, 500)), numbers(500, dtype=dtype)
    dense, vector = numbers(40, 12, dtype=dtype), numbers(40, dtype=dtype).repeat(10)[:40]
    products = []
    for library in (jgrad, torch):
        a = library.sparse_coo_tensor(places, library.tensor(values), (30, 40), check_invariants=False)
        a = a.coalesce() if coalesced else a
        b = library.tensor(dense)
        products.append((a @ b, b.T @ a.T, a @ library.tensor(vector)))
    for mine, theirs in zip(*products, strict=True):
        same(mine, theirs)
