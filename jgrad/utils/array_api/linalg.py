"""`linalg` of the array API standard."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import Tensor
from jgrad.utils.array_api.functions import (
    alike,
    matmul,
    matrix_transpose,
    of_one_dtype,
    sum,
    tensordot,
    vecdot,
)

det, eigh, eigvalsh, inv, matrix_power, qr, slogdet, svdvals = (
    jgrad.linalg.det, jgrad.linalg.eigh, jgrad.linalg.eigvalsh, jgrad.linalg.inv, jgrad.linalg.matrix_power, jgrad.linalg.qr,
    jgrad.linalg.slogdet, jgrad.linalg.svdvals,
)  # fmt: skip
eig, eigvals = jgrad.linalg.eig, jgrad.linalg.eigvals
outer = of_one_dtype(jgrad.outer, "outer")

__all__ = ["cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose",
           "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]  # fmt: skip


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The Cholesky factor of matrices."""
    return jgrad.linalg.cholesky(x, upper=upper)


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The vector products of vectors with three elements."""
    return jgrad.linalg.cross(*jgrad.broadcast_tensors(*alike(x1, x2)), dim=axis)


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonals of matrices."""
    return jgrad.diagonal(x, offset, -2, -1)


def trace(x: Tensor, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """The sums of the diagonals of matrices."""
    return sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """The norms of matrices."""
    return jgrad.linalg.matrix_norm(x, ord, keepdim=keepdims)


def vector_norm(x: Tensor, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Tensor:
    """The norms of vectors; those along several dimensions are one vector."""
    if axis == ():
        return jgrad.abs(x) if ord else (x != 0).to(jgrad.abs(x).dtype)
    return jgrad.linalg.vector_norm(x, ord, axis, keepdims)


def matrix_rank(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The ranks of matrices."""
    return jgrad.linalg.matrix_rank(x, rtol=rtol)


def pinv(x: Tensor, /, *, rtol: Any = None) -> Tensor:
    """The pseudo-inverses of matrices."""
    return jgrad.linalg.pinv(x, rtol=rtol)


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The solutions of linear systems. `x2` is a vector only if it has one dimension."""
    x1, x2 = alike(x1, x2)
    if x2.ndim == 1:
        return jgrad.linalg.solve(x1, x2[:, None])[..., 0]
    shape = jgrad.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return jgrad.linalg.solve(x1.expand(*shape, *x1.shape[-2:]), x2.expand(*shape, *x2.shape[-2:]))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> Any:
    """The singular value decompositions of matrices: `U`, `S` and `Vh`."""
    return jgrad.linalg.svd(x, full_matrices=full_matrices)
