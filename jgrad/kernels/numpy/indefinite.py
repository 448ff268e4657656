"""The kernels on NumPy arrays: symmetric and Hermitian matrices that are not positive-definite. Part of `jgrad.kernels.numpy`.

LAPACK's factorization of Bunch and Kaufman, A = L D L^T with blocks of one or two rows in D, matrix by matrix and column by column.
"""

from __future__ import annotations

import numpy as np

from jgrad.kernels.numpy import lapack
from jgrad.kernels.numpy.factorizations import (
    _check_floating,
    _check_lapack,
    _check_square,
    _column_major,
    _old_checks,
)
from jgrad.kernels.numpy.shape import Array, scalar_name
from jgrad.kernels.numpy.shape import wrap_dim as _wrap_dim

_GROWTH = (1 + 17**0.5) / 8  # bounds the growth of the elements: a smaller pivot is taken in a block of two


def _size_of(a: Array) -> Array:
    """The size by which LAPACK compares elements."""
    return np.abs(a.real) + np.abs(a.imag)


def _pivot(a: Array, k: int) -> tuple[int, int]:
    """The row to exchange for the pivot of column k, and how many rows its block has; (-1, 1) if the column is zero."""
    n = a.shape[0]
    size = _size_of(a[k, k]).item()
    below = _size_of(a[k + 1 :, k])
    largest = np.maximum.reduce(below, 0, initial=0).item()
    if max(size, largest) == 0 or size != size:
        return -1, 1
    if size >= _GROWTH * largest:
        return k, 1
    row = k + 1 + np.argmax(below).item()
    others = np.concatenate([_size_of(a[row, k:row]), _size_of(a[row + 1 :, row])])
    others = np.maximum.reduce(others, 0, initial=0).item()
    if size >= _GROWTH * largest * (largest / others):
        return k, 1
    return row, 1 if _size_of(a[row, row]).item() >= _GROWTH * others or n == 1 else 2


def _exchange(a: Array, k: int, row: int, kept: int, hermitian: bool) -> None:
    """Rows and columns `kept` and `row` of the lower triangle exchanged."""
    a[row + 1 :, [kept, row]] = a[row + 1 :, [row, kept]]
    column = a[kept + 1 : row, kept].copy()
    along = a[row, kept + 1 : row].copy()
    a[kept + 1 : row, kept] = np.conjugate(along) if hermitian else along
    a[row, kept + 1 : row] = np.conjugate(column) if hermitian else column
    if hermitian:
        a[row, kept] = np.conjugate(a[row, kept])
    both, turned = [kept, row], [row, kept]
    a[both, both] = a[turned, turned]
    if kept != k:
        a[both, k] = a[turned, k]


def _ldl(a: Array, pivots: Array, hermitian: bool) -> int:
    """Factor one matrix in place; gives the number of the first zero block (0: none)."""
    found = lapack.ldl_of(a, hermitian)
    if found is not None:
        a[...], pivots[...], info = found
        return info
    n, info, k = a.shape[0], 0, 0
    turned = np.conjugate if hermitian else np.asarray
    while k < n:
        row, rows = _pivot(a, k)
        if row < 0:
            info = info or k + 1
            pivots[k] = k + 1
            k += 1
            continue
        kept = k + rows - 1
        if row != kept:
            _exchange(a, k, row, kept, hermitian)
        rest = slice(k + rows, n)
        if hermitian:
            a[k, k], a[kept, kept] = a[k, k].real, a[kept, kept].real
        if rows == 1:
            column = a[rest, k].copy()
            scaled = column / a[k, k]
            a[rest, rest] -= np.multiply.outer(scaled, turned(column))
            a[rest, k] = scaled
            pivots[k] = row + 1
        else:
            block = a[k : k + 2, k : k + 2].copy()
            block[0, 1] = turned(block[1, 0])
            columns = a[rest, k : k + 2].copy()
            scaled = np.linalg.solve(block.T, columns.T).T if columns.size else columns
            a[rest, rest] -= np.matmul(scaled, turned(columns).T)
            a[rest, k : k + 2] = scaled
            pivots[k] = pivots[k + 1] = -(row + 1)
        k += rows
    if hermitian:
        places = np.arange(n)
        a[places, places] = np.diagonal(a).real
    return info


def linalg_ldl_factor_ex(a: Array, hermitian: bool = False, check_errors: bool = False) -> tuple:
    name = "torch.linalg.ldl_factor_ex"
    _check_square(name, a)
    _check_floating(name, a, half=True)
    _check_lapack("ldl_factor_kernel_cpu", a)
    n = a.shape[-1]
    factors = np.tril(a)
    pivots = np.zeros(a.shape[:-1], np.int32)
    info = np.zeros(a.shape[:-2], np.int32)
    for place in np.ndindex(a.shape[:-2]) if n else ():
        info[place] = _ldl(factors[place], pivots[place], hermitian and a.dtype.kind == "c")
    if check_errors and info.any().item():
        raise RuntimeError(f"{name}: a block of the factorization is zero (error code: {info.max().item()})")
    return _column_major(np.tril(factors)), pivots, info


def linalg_ldl_solve(factors: Array, pivots: Array, b: Array, hermitian: bool = False) -> Array:
    name = "torch.linalg.ldl_solve"
    _wrap_dim(-2, b.ndim)
    if factors.ndim > 1 and factors.shape[-1] == factors.shape[-2] != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {factors.shape[-1]} by {factors.shape[-1]} but each b matrix is "
            f"{b.shape[-2]} by {b.shape[-1]}"
        )
    _check_square(name, factors)
    if factors.shape[:-1] != pivots.shape:
        raise RuntimeError(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape {list(pivots.shape)} instead"
        )
    if pivots.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {scalar_name(pivots)}")
    _check_floating(name, factors, half=True)
    _old_checks(b, factors)
    _check_lapack("ldl_solve_kernel_cpu", factors)
    batch = np.broadcast_shapes(factors.shape[:-2], b.shape[:-2])
    x = np.empty((*batch, *b.shape[-2:]), b.dtype)
    x[...] = b
    factors = np.broadcast_to(factors, (*batch, *factors.shape[-2:]))
    pivots = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    for place in np.ndindex(batch):
        _solve_ldl(factors[place], pivots[place], x[place], hermitian and factors.dtype.kind == "c")
    return _column_major(x)


def _solve_ldl(a: Array, pivots: Array, x: Array, hermitian: bool) -> None:
    """Solve one system in place: forward through L and D, then backward through L^T."""
    turned = np.conjugate if hermitian else np.asarray
    n, k, blocks = a.shape[0], 0, []
    while k < n:
        pivot = pivots[k].item()
        rows = 1 if pivot > 0 else 2
        other, kept = abs(pivot) - 1, k + rows - 1
        if other != kept:
            x[[kept, other]] = x[[other, kept]]
        block = a[k : k + rows, k : k + rows].copy()
        if rows == 2:
            block[0, 1] = turned(block[1, 0])
        x[k + rows :] -= np.matmul(a[k + rows :, k : k + rows], x[k : k + rows])
        x[k : k + rows] = x[k] / block[0, 0] if rows == 1 else np.linalg.solve(block, x[k : k + rows])
        blocks.append((k, rows, other, kept))
        k += rows
    for k, rows, other, kept in reversed(blocks):
        x[k : k + rows] -= np.matmul(turned(a[k + rows :, k : k + rows]).T, x[k + rows :])
        if other != kept:
            x[[kept, other]] = x[[other, kept]]
