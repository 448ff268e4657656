"""LAPACK's own routines, which SciPy hands out and NumPy does not. Part of `jgrad.kernels.numpy`.

SciPy is several times as large as jgrad and NumPy together, so it is never required: without it, `factorizations.py` and `indefinite.py`
compute the same factors by loops, to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jgrad.kernels.numpy.shape import Array

# Columns from which a routine is called for each matrix. Smaller ones of a batch are factored together, column by column.
WORTH_IT = 16


@cache
def _routines() -> tuple[Any, Any] | None:
    """SciPy's modules of LAPACK's and BLAS's routines; None without SciPy."""
    try:
        from scipy.linalg import blas, lapack
    except ImportError:
        return None
    return lapack, blas


def _routine(name: str, a: Array) -> Callable[..., Any] | None:
    """A routine for the dtype of a matrix, if the matrix is worth it."""
    letter = {"f": "s", "d": "d", "F": "c", "D": "z"}.get(a.dtype.char)
    modules = _routines() if letter and a.shape[-1] >= WORTH_IT else None
    if letter is None or modules is None:
        return None
    return next(found for module in modules if (found := getattr(module, letter + name, None)) is not None)


def lu_of(a: Array) -> tuple[Array, Array, int] | None:
    """The factors of one matrix, its pivots counted from 1, and the number of the first zero pivot; None without a routine."""
    getrf = _routine("getrf", a)
    if getrf is None:
        return None
    lu, pivots, info = getrf(a)
    return lu, pivots + 1, info


def triangle_solution(a: Array, b: Array, upper: bool, left: bool, unit: bool) -> Array | None:
    """X of A X = B or X A = B for one triangular matrix; None without a routine."""
    trsm = _routine("trsm", a)
    if trsm is None or not b.size:
        return None
    # The routine's matrices are column-major, so what it would copy is given as its transposed.
    turned = a.flags.c_contiguous
    matrix = a.T if turned else a
    found: Array = trsm(1.0, matrix, b, side=not left, lower=upper == turned, trans_a=turned, diag=unit)
    return found


def ldl_of(a: Array, hermitian: bool) -> tuple[Array, Array, int] | None:
    """LAPACK's factors of the lower triangle of one symmetric matrix, their pivots, and the number of the first zero block; None without a
    routine."""
    name = "hetrf" if hermitian else "sytrf"
    trf = _routine(name, a)
    if trf is None:
        return None
    work = _routine(name + "_lwork", a)
    size = int(work(a.shape[0], lower=1)[0].real) if work is not None else 0
    factors, pivots, info = trf(a, lower=1, lwork=size)
    return factors, pivots, info
