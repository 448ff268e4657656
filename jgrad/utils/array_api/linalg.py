"""`linalg` of the array API standard."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad.utils.array_api.functions import (
    Array,
    alike,
    matmul,
    matrix_transpose,
    of_one_dtype,
    sum,
    tensordot,
    vecdot,
)

own: Any = jgrad.linalg
det, eigh, eigvalsh, inv, matrix_power, qr, slogdet, svdvals = (
    own.det, own.eigh, own.eigvalsh, own.inv, own.matrix_power, own.qr,
    own.slogdet, own.svdvals,
)  # fmt: skip
eig, eigvals = own.eig, own.eigvals
outer = of_one_dtype(jgrad.outer, "outer")

__all__ = ["cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose",
           "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]  # fmt: skip


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """The Cholesky factor of matrices."""
    return own.cholesky(x, upper=upper)


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The vector products of vectors with three elements."""
    return own.cross(*jgrad.broadcast_tensors(*alike(x1, x2)), dim=axis)


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """The diagonals of matrices."""
    return jgrad.diagonal(x, offset, -2, -1)


def trace(x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """The sums of the diagonals of matrices."""
    return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """The norms of matrices."""
    return own.matrix_norm(x, ord, keepdim=keepdims)


def vector_norm(x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Array:
    """The norms of vectors; those along several dimensions are one vector."""
    if axis == ():
        return jgrad.abs(x) if ord else (x != 0).to(jgrad.abs(x).dtype)
    return own.vector_norm(x, ord, axis, keepdims)


def matrix_rank(x: Array, /, *, rtol: Any = None) -> Array:
    """The ranks of matrices."""
    return own.matrix_rank(x, rtol=rtol)


def pinv(x: Array, /, *, rtol: Any = None) -> Array:
    """The pseudo-inverses of matrices."""
    return own.pinv(x, rtol=rtol)


def solve(x1: Array, x2: Array, /) -> Array:
    """The solutions of linear systems. `x2` is a vector only if it has one dimension."""
    x1, x2 = alike(x1, x2)
    if x2.ndim == 1:
        return own.solve(x1, x2[:, None])[..., 0]
    shape = jgrad.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return own.solve(x1.expand(*shape, *x1.shape[-2:]), x2.expand(*shape, *x2.shape[-2:]))


def svd(x: Array, /, *, full_matrices: bool = True) -> Any:
    """The singular value decompositions of matrices: `U`, `S` and `Vh`."""
    return own.svd(x, full_matrices=full_matrices)
