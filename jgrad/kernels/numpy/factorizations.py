"""The kernels on NumPy arrays: LU, Cholesky, QR, triangular and linear systems. Part of `jgrad.kernels.numpy`.

NumPy calls LAPACK, but hands out neither pivots nor the number of the element at which a factorization broke down, and has no triangular
solve: those are written here, on whole columns and batches at once, in blocks so that most of the work is matrix products. Where SciPy is
installed, `lapack.py` has LAPACK's own, which are several times as fast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, HALVES, INEXACT
from jgrad.kernels.libraries import _LinAlgError
from jgrad.kernels.numpy import lapack
from jgrad.kernels.numpy.linalg import _product
from jgrad.kernels.numpy.shape import Array, scalar_name
from jgrad.kernels.numpy.values import refuse_outside

SMALL = 8  # rows of a matrix whose determinant is computed here
_BLOCK = 128  # rows of a triangle that are solved without dividing them


# What may be factored ----------------------------------------------------------------------------------------------------------


def _check_matrix(name: str, a: Array, argument: str = "A") -> None:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")


def _check_square(name: str, a: Array, argument: str = "A") -> None:
    _check_matrix(name, a, argument)
    if a.shape[-1] != a.shape[-2]:
        raise RuntimeError(
            f"{name}: {argument} must be batches of square matrices, but they are {a.shape[-2]} by {a.shape[-1]} matrices"
        )


def _check_floating(name: str, a: Array, half: bool = False) -> None:
    """Refuse integers, and numbers of 16 bits unless `half`."""
    if a.dtype.kind not in INEXACT:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {scalar_name(a)}"
        )
    if FROM_NUMPY[a.dtype] in HALVES and not half:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {scalar_name(a)}")


def _check_lapack(name: str, a: Array) -> None:
    """LAPACK knows four dtypes; for the others PyTorch has no kernel."""
    if a.dtype.char not in "fdFD":
        raise NotImplementedError(f"\"{name}\" not implemented for '{FROM_NUMPY[a.dtype].type_name}'")


def _must_be_compatible(name: str, a: Array, b: Array, left: bool = True) -> None:
    """Whether A X = B (or X A = B) makes sense."""
    _check_square(name, a)
    _check_matrix(name, b, "B")
    if a.shape[-2] != b.shape[-2 if left else -1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'}"
            f" ({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )


def _must_have_same_dtype(name: str, argument: str, a: Array, b: Array) -> None:
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"{name}: Expected {argument} and B to have the same dtype, but found {argument} of type {scalar_name(a)} and B of type "
            f"{scalar_name(b)} instead"
        )


def _check_batches(a: Array, b: Array) -> None:
    """Refuse batches that don't broadcast."""
    left, right = b.shape[:-2], a.shape[:-2]
    ndim = max(len(left), len(right))
    for i in range(1, min(len(left), len(right)) + 1):
        x, y = left[-i], right[-i]
        if x != y and 1 not in (x, y):
            raise RuntimeError(
                f"The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {ndim - i}"
            )


# Layout ------------------------------------------------------------------------------------------------------------------------


def adjoint_of(a: Array) -> Array:
    """The transposed conjugate of matrices."""
    return np.conjugate(a.swapaxes(-1, -2)) if a.dtype.kind == "c" else a.swapaxes(-1, -2)


def unit_matrix(like: Array) -> Array:
    """Ones on the diagonal, as large as the matrices of `like`."""
    return np.eye(like.shape[-1], dtype=like.dtype)


def ramp(like: Array) -> Array:
    """1, 2, 3, ... as many as the matrices of `like` have columns."""
    return np.arange(1, like.shape[-1] + 1).astype(like.dtype)


def _column_major(a: Array) -> Array:
    """A copy whose matrices are column-major, as LAPACK's are."""
    return np.array(a.swapaxes(-1, -2), order="C").swapaxes(-1, -2)


def _broadcast_batches(a: Array, b: Array) -> tuple[Array, Array]:
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return np.broadcast_to(a, batch + a.shape[-2:]), np.broadcast_to(b, batch + b.shape[-2:])


# Triangular systems ------------------------------------------------------------------------------------------------------------


def _solve_lower(a: Array, b: Array, unit: bool) -> Array:
    """X of A X = B, with the lower triangle of A (with ones on its diagonal, if `unit`); batches broadcast."""
    n = a.shape[-1]
    if n > _BLOCK:
        half = n // 2
        top = _solve_lower(a[..., :half, :half], b[..., :half, :], unit)
        rest = b[..., half:, :] - np.matmul(a[..., half:, :half], top)
        return np.concatenate([top, _solve_lower(a[..., half:, half:], rest, unit)], axis=-2)
    found = _solve_from_below(np.tril(a)[..., ::-1, ::-1], b[..., ::-1, :], unit)
    if found is not None:
        return found[..., ::-1, :]
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.empty(batch + b.shape[-2:], b.dtype)
    x[...] = b
    for i in range(n):
        if i:
            x[..., i : i + 1, :] -= np.matmul(a[..., i : i + 1, :i], x[..., :i, :])
        if not unit:
            x[..., i, :] /= a[..., i, i, None]
    return x


def _solve_from_below(a: Array, b: Array, unit: bool) -> Array | None:
    """X of A X = B with an upper triangle, zeros below it. The general solver exchanges no rows of it and substitutes backwards.

    None if it is singular, or has infinite elements or nan, which the general solver would spread over zeros.
    """
    if unit:
        a = a.copy()
        np.einsum("...ii->...i", a)[...] = 1
    try:
        x = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return None
    return x if np.isfinite(x).all().item() else None


def _solve_triangle(a: Array, b: Array, upper: bool, left: bool = True, unit: bool = False) -> Array:
    """X of A X = B or X A = B for a triangular A."""
    x = lapack.triangle_solution(a, b, upper, left, unit) if a.ndim == b.ndim == 2 else None
    if x is not None:
        return x
    if not left:
        return _solve_triangle(a.swapaxes(-1, -2), b.swapaxes(-1, -2), not upper, True, unit).swapaxes(-1, -2)
    if upper:  # the same seen from the other end
        return _solve_lower(a[..., ::-1, ::-1], b[..., ::-1, :], unit)[..., ::-1, :]
    return _solve_lower(a, b, unit)


def linalg_solve_triangular(
    a: Array, b: Array, upper: bool, left: bool = True, unitriangular: bool = False
) -> Array:
    name = "linalg.solve_triangular"
    _check_matrix(name, a, "A")
    _check_matrix(name, b, "B")
    _must_be_compatible(name, a, b, left)
    _check_batches(a, b)
    _check_lapack("triangular_solve_cpu", a)
    _must_have_same_dtype(name, "A", a, b)
    x = _solve_triangle(a, b, upper, left, unitriangular)
    return _column_major(x)


def triangular_solve(
    b: Array, a: Array, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple:
    for name, m in (("b", b), ("A", a)):
        if m.ndim < 2:
            raise RuntimeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has {m.ndim} dimensions instead"
            )
    if a.shape[-1] == a.shape[-2] != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for triangular_solve: each A matrix is {a.shape[-1]} by {a.shape[-1]} but each b matrix is "
            f"{b.shape[-2]} by {b.shape[-1]}"
        )
    _old_checks(b, a)
    _check_lapack("triangular_solve_cpu", a)
    matrix = a.swapaxes(-1, -2) if transpose else a
    x = _solve_triangle(matrix, b, upper != transpose, True, unitriangular)
    return _column_major(x), _column_major(_broadcast_batches(a, b)[0])


# LU ----------------------------------------------------------------------------------------------------------------------------


def _lu_decompose(a: Array) -> tuple[Array, Array, Array]:
    """LU with row pivoting: the factors in one array, pivots counted from 1, and per matrix the first zero pivot (0: none)."""
    m, n = a.shape[-2:]
    k = min(m, n)
    batch = a.shape[:-2]
    count = math.prod(batch)
    lu: Array = np.array(a).reshape((count, m, n))
    pivots: Array = np.zeros((count, k), np.int32)
    info: Array = np.zeros(count, np.int32)
    if _lu_by_lapack(lu, pivots, info):
        return lu.reshape(a.shape), pivots.reshape((*batch, k)), info.reshape(batch)
    if count == 1:
        info[0] = _lu_columns(lu[0], pivots[0], 0, k)
    else:
        _lu_columns_of_batch(lu, pivots, info, k)
    if k < n and k:
        lu[:, :, k:] = np.linalg.solve(_unit_lower(lu[:, :, :k]), lu[:, :, k:])
    return lu.reshape(a.shape), pivots.reshape((*batch, k)), info.reshape(batch)


def _lu_by_lapack(lu: Array, pivots: Array, info: Array) -> bool:
    """Factor each matrix in place by LAPACK's routine, if there is one."""
    for i, matrix in enumerate(lu):
        found = lapack.lu_of(matrix)
        if found is None:
            return False
        lu[i], pivots[i], info[i] = found
    return True


def _lu_columns(a: Array, pivots: Array, start: int, end: int) -> int:
    """Factor some columns of one matrix in place (all else is done to the left): half of them, then, by products, the other half."""
    if end - start > 24:  # (of fewer columns each takes less than a product and a solution)
        middle = (start + end) // 2
        first = _lu_columns(a, pivots, start, middle)
        a[start:middle, middle:end] = np.linalg.solve(
            _unit_lower(a[start:middle, start:middle]), a[start:middle, middle:end]
        )
        a[middle:, middle:end] -= np.matmul(a[middle:, start:middle], a[start:middle, middle:end])
        second = _lu_columns(a, pivots, middle, end)
        return first or second
    info = 0
    for j in range(start, end):
        column = a[j:, j]
        p = j + _pivot_size(column).argmax().item()
        pivots[j] = p + 1
        if p != j:
            row = a[j].copy()
            a[j] = a[p]
            a[p] = row
        below, pivot = column[1:], column[0].item()
        if pivot == 0:
            info = info or j + 1
            continue
        below /= pivot
        if j + 1 < end:
            a[j + 1 :, j + 1 : end] -= below[:, None] * a[j, j + 1 : end]
    return info


def _lu_columns_of_batch(lu: Array, pivots: Array, info: Array, k: int) -> None:
    """The same for a batch, a column of all matrices at once."""
    rows = np.arange(lu.shape[0])
    for j in range(k):
        chosen = np.argmax(_pivot_size(lu[:, j:, j]), axis=1) + j
        pivots[:, j] = chosen + 1
        kept = lu[rows, j].copy()
        lu[rows, j] = lu[rows, chosen]
        lu[rows, chosen] = kept
        pivot = lu[:, j, j]
        zero = pivot == 0
        info[zero & (info == 0)] = j + 1
        lu[:, j + 1 :, j] /= np.where(zero, 1, pivot)[:, None]
        lu[:, j + 1 :, j + 1 : k] -= lu[:, j + 1 :, j, None] * lu[:, j, None, j + 1 : k]


def _pivot_size(column: Array) -> Array:
    """By what LAPACK chooses a pivot: |re| + |im|."""
    return np.abs(column.real) + np.abs(column.imag) if column.dtype.kind == "c" else np.abs(column)


def _unit_lower(a: Array) -> Array:
    """The lower triangle with ones on the diagonal. (Its elements are 1 at most, so a general solver exchanges no rows.)"""
    return np.tril(a, -1) + np.eye(*a.shape[-2:], dtype=a.dtype)


def _permutation_of(pivots: Array, m: int) -> Array:
    """Where the rows come from that pivots (counted from 1) put in order: A[permutation] = L U."""
    flat = pivots.reshape((math.prod(pivots.shape[:-1]), pivots.shape[-1]))
    order = np.tile(np.arange(m), (flat.shape[0], 1))
    rows = np.arange(flat.shape[0])
    for j in range(flat.shape[1]):
        p = flat[:, j] - 1
        kept = order[:, j].copy()
        order[:, j] = order[rows, p]
        order[rows, p] = kept
    return order.reshape((*pivots.shape[:-1], m))


def linalg_lu_factor_ex(a: Array, pivot: bool = True, check_errors: bool = False) -> tuple:
    if a.ndim < 2:
        raise RuntimeError(
            f"torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: {list(a.shape)} instead"
        )
    _check_lapack("lu_cpu", a)
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    lu, pivots, info = _lu_decompose(a)
    if check_errors:
        raise_info(info, "torch.linalg.lu_factor_ex", "lu_factor")
    return _column_major(lu), pivots, info


def lu_parts(a: Array, pivot: bool = True) -> tuple:
    if a.ndim < 2:
        raise RuntimeError(
            f"linalg.lu: Expected tensor with 2 or more dimensions. Got size: {list(a.shape)} instead"
        )
    lu, pivots, _ = linalg_lu_factor_ex(a, pivot)
    return lu_parts_of(lu, pivots)


def lu_parts_of(lu: Array, pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple:
    permutation, lower, upper = lu_unpack(lu, pivots, unpack_data, unpack_pivots)
    return lower, upper, permutation


def lu_unpack(lu: Array, pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple:
    if lu.ndim < 2:
        raise RuntimeError(
            "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: "
            + str(list(lu.shape))
            + " instead"
        )
    if unpack_pivots and pivots.dtype != np.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )
    m, n = lu.shape[-2:]
    k = min(m, n)
    if unpack_pivots:
        text = "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of lu_factor?"
        refuse_outside(pivots, 1, m + 1, lambda: RuntimeError(text))
    none = np.empty((0,), lu.dtype)
    p, lower, upper = none, none.copy(), none.copy()
    if unpack_data:
        lower = np.tril(lu[..., :k], -1) + np.eye(m, k, dtype=lu.dtype)
        upper = np.triu(lu[..., :k, :])
    if unpack_pivots:
        order = _permutation_of(pivots, m)
        p = np.zeros((*lu.shape[:-2], m, m), lu.dtype)
        np.put_along_axis(p, order[..., None, :], 1, axis=-2)
    return p, np.ascontiguousarray(lower), np.ascontiguousarray(upper)


def linalg_lu_solve(lu: Array, pivots: Array, b: Array, left: bool = True, adjoint: bool = False) -> Array:
    name = "linalg.lu_solve"
    _check_floating("torch." + name, lu, half=True)
    if pivots.dtype != np.int32:
        raise RuntimeError(f"{name}: pivots should be a Tensor of scalar type torch.int32")
    _must_have_same_dtype(name, "LU", lu, b)
    _check_square("torch." + name, lu)
    _must_be_compatible(name, lu, b, left)
    if pivots.shape != lu.shape[:-1]:
        raise RuntimeError(
            f"{name}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    _check_batches(lu, b)
    _check_lapack("linalg.lu_solve_cpu", lu)
    text = "Pivots given to lu_solve must all be {} or equal to {}. Did you properly pass the result of lu_factor?"
    refuse_outside(pivots, 1, 2**31, lambda: RuntimeError(text.format("greater", 1)))
    refuse_outside(pivots, 1, lu.shape[-1] + 1, lambda: RuntimeError(text.format("smaller", "LU.size(-2)")))
    order = _permutation_of(pivots, lu.shape[-1])
    if not left:  # X A = B, transposed
        return np.ascontiguousarray(
            _lu_solution(lu, order, b.swapaxes(-1, -2), adjoint, True).swapaxes(-1, -2)
        )
    return _column_major(_lu_solution(lu, order, b, adjoint, False))


def _lu_solution(lu: Array, order: Array, b: Array, adjoint: bool, transposed: bool) -> Array:
    """X of op(A) X = B with A[order] = L U; op is nothing, the transposed, the adjoint, or both of them: the conjugate."""
    conjugated = adjoint and lu.dtype.kind == "c"
    if conjugated:
        lu = np.conjugate(lu)
    lu, b = _broadcast_batches(lu, b)
    order = np.broadcast_to(order, lu.shape[:-1])[..., None]
    if adjoint == transposed:
        b = np.take_along_axis(b, order, axis=-2)
        return _solve_triangle(lu, _solve_triangle(lu, b, False, unit=True), True)
    turned = lu.swapaxes(-1, -2)
    x = _solve_triangle(turned, _solve_triangle(turned, b, False), True, unit=True)
    result = np.empty_like(x)
    np.put_along_axis(result, np.broadcast_to(order, x.shape), x, axis=-2)
    return result


# Linear systems, inverses, determinants -----------------------------------------------------------------------------------------


def _solved(a: Array, b: Array) -> tuple[Array, Array]:
    """X of A X = B, and per matrix the first zero pivot."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    try:
        return np.linalg.solve(a, b), np.zeros(a.shape[:-2], np.int32)
    except np.linalg.LinAlgError:
        lu, pivots, info = _lu_decompose(a)
        x = _lu_solution(lu, _permutation_of(pivots, a.shape[-1]), b, False, False)
        return x.reshape((*batch, *b.shape[-2:])), info


def linalg_inv_ex(a: Array, check_errors: bool = False) -> tuple:
    _check_square("linalg.inv", a)
    _check_floating("linalg.inv", a)
    x, info = _solved(a, np.eye(a.shape[-1], dtype=a.dtype))
    if check_errors:
        raise_info(info, "linalg.inv_ex", "inverse")
    return _column_major(x), info


def is_vector_of(a: Array, b: Array) -> bool:
    """Whether linalg.solve reads B as a batch of vectors rather than of matrices."""
    return b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


def linalg_solve_ex(a: Array, b: Array, left: bool = True, check_errors: bool = False) -> tuple:
    name = "linalg.solve"
    _check_floating(name, a, half=True)
    _must_have_same_dtype(name, "A", a, b)
    vector = is_vector_of(a, b)
    right = b[..., None] if vector else b
    _must_be_compatible(name, a, right, left)
    _check_batches(a, right)
    _check_lapack("lu_cpu", a)
    # A system from the right is solved transposed, and its result comes out row-major.
    x, info = _solved(a, right) if left else _solved(a.swapaxes(-1, -2), right.swapaxes(-1, -2))
    if check_errors:
        raise_info(info, "torch.linalg.solve_ex", "solve")
    if not left:
        return np.ascontiguousarray(x.swapaxes(-1, -2)), info
    if vector:  # stored like a matrix of one column, which is contiguous only for a single vector
        return _vectors_apart(x[..., 0]), info
    return _column_major(x), info


def is_regular(det: Array) -> Array:
    return np.asarray(det != 0)


def solved_for_det(a: Array, b: Array) -> Array:
    """The solution of A^H X = B for a diagonal B.

    A itself is inverted, not its adjoint: the determinant is the product of the pivots of A. Of a nearly singular matrix those of the adjoint
    are others, and one of them may be 0.
    """
    return linalg_solve_ex(a.conj(), b)[0].swapaxes(-2, -1)


def solved_for_slogdet(a: Array, b: Array) -> Array:
    return linalg_solve_ex(a, b)[0]


def _vectors_apart(x: Array) -> Array:
    """A batch of vectors in the order in which PyTorch leaves them: it takes them for one matrix, column by column."""
    return _column_major(x) if x.ndim > 1 else np.ascontiguousarray(x)


def _in_columns(a: Array) -> Array:
    """The matrices whose determinant PyTorch computes: the transposed ones, if their columns are as LAPACK wants them. This decides on the rounding,
    and on the sign of a zero."""
    return a.swapaxes(-1, -2) if a.flags.c_contiguous and a.dtype.kind == "f" else a


def _exchanges(pivots: Array) -> Array:
    """How many exchanges of rows the pivots of an LU decomposition are."""
    return np.count_nonzero(pivots != np.arange(1, pivots.shape[-1] + 1), axis=-1)


def linalg_det(a: Array) -> Array:
    _check_square("linalg.det", a)
    _check_floating("linalg.det", a, half=True)
    _check_lapack("lu_cpu", a)
    a = _in_columns(a)
    if a.shape[-1] > SMALL:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.linalg.det(a)).astype(a.dtype, copy=False)
    # NumPy's own goes through the logarithm and loses the last digits, which show in small matrices of integers.
    lu, pivots, _ = _lu_decompose(a)
    size = np.multiply.reduce(np.diagonal(lu, 0, -2, -1), -1)
    return np.asarray(np.where(_exchanges(pivots) % 2, -size, size), a.dtype)


def linalg_slogdet(a: Array) -> tuple:
    _check_square("linalg.slogdet", a)
    _check_floating("linalg.slogdet", a)
    a = _in_columns(a)
    with np.errstate(invalid="ignore", divide="ignore"):
        if a.shape[-1] > SMALL:
            sign, logabsdet = map(np.asarray, np.linalg.slogdet(a))
        else:
            lu, pivots, _ = _lu_decompose(a)
            factors = np.diagonal(lu, 0, -2, -1)
            sizes = np.abs(factors)
            logabsdet = np.add.reduce(np.log(sizes), -1)
            signs = np.multiply.reduce(np.sign(factors), -1)
            sign = np.asarray(np.where(_exchanges(pivots) % 2, -signs, signs), a.dtype)
    return np.where(np.isnan(logabsdet), np.zeros((), sign.dtype), sign), logabsdet


def _old_checks(b: Array, a: Array) -> None:
    """What `cholesky_solve` and `triangular_solve` ask of A and b, in their words."""
    if a.shape[-1] != a.shape[-2]:
        raise RuntimeError(
            f"A must be batches of square matrices, but they are {a.shape[-2]} by {a.shape[-1]} matrices"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {scalar_name(b)} and A of type {scalar_name(a)} instead."
        )
    _check_batches(a, b)


# Cholesky ----------------------------------------------------------------------------------------------------------------------


def _cholesky_decompose(a: Array) -> tuple[Array, Array]:
    """L of A = L L^H from the lower triangle, and per matrix the order of the first minor that is not positive (0: none)."""
    info: Array = np.zeros(a.shape[:-2], np.int32)
    try:
        lower = np.linalg.cholesky(a)
        if np.isfinite(np.diagonal(lower, 0, -2, -1)).all().item():
            return lower, info
    except np.linalg.LinAlgError:
        pass
    n = a.shape[-1]
    work = np.tril(a).reshape((-1, n, n))
    info = info.reshape(-1)
    for i, matrix in enumerate(work):
        for j in range(n):
            minor = matrix[j, j].real - np.vdot(matrix[j, :j], matrix[j, :j]).real
            matrix[j, j] = minor
            if not (minor > 0).item():
                info[i] = j + 1
                break
            matrix[j, j] = np.sqrt(minor)
            below = matrix[j + 1 :, j] - np.matmul(matrix[j + 1 :, :j], np.conjugate(matrix[j, :j]))
            matrix[j + 1 :, j] = below / matrix[j, j]
    return work.reshape(a.shape), info.reshape(a.shape[:-2])


def linalg_cholesky_ex(a: Array, upper: bool = False, check_errors: bool = False) -> tuple:
    _check_square("linalg.cholesky", a)
    _check_floating("linalg.cholesky", a, half=True)
    _check_lapack("cholesky_cpu", a)
    lower, info = _cholesky_decompose(adjoint_of(a) if upper else a)
    if check_errors:
        raise_info(info, "linalg.cholesky_ex", "cholesky")
    return _column_major(adjoint_of(lower) if upper else lower), info


def cholesky(a: Array, upper: bool = False) -> Array:
    if a.ndim >= 2 and a.size == 0 and a.shape[-1] == 0:
        return np.empty(a.shape, a.dtype)
    _check_square("cholesky", a)
    _check_lapack("cholesky_cpu", a)
    lower, info = _cholesky_decompose(adjoint_of(a) if upper else a)
    raise_info(info, "cholesky", "cholesky")
    return _column_major(adjoint_of(lower) if upper else lower)


def cholesky_solve(b: Array, a: Array, upper: bool = False) -> Array:
    for name, m in (("b", b), ("u", a)):
        if m.ndim < 2:
            raise RuntimeError(
                f"{name} should have at least 2 dimensions, but has {m.ndim} dimensions instead"
            )
    if a.shape[-1] == a.shape[-2] != b.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for cholesky_solve: each A matrix is {a.shape[-1]} by {a.shape[-1]} but each b matrix is "
            f"{b.shape[-2]} by {b.shape[-1]}"
        )
    _old_checks(b, a)
    _check_lapack("cholesky_solve_cpu", a)
    lower = adjoint_of(a) if upper else a
    return _column_major(_solve_triangle(adjoint_of(lower), _solve_triangle(lower, b, False), True))


def cholesky_inverse(a: Array, upper: bool = False) -> Array:
    _check_square("cholesky_inverse", a)
    _check_lapack("cholesky_inverse_out_cpu", a)
    lower = adjoint_of(a) if upper else a
    inverse = _solve_triangle(lower, np.eye(a.shape[-1], dtype=a.dtype), False)
    return _column_major(_product(adjoint_of(inverse), inverse))


def raise_info(info: Array, name: str, kind: str) -> None:
    """PyTorch's error for the first matrix of a batch at which a factorization broke down."""
    if not info.any().item():
        return
    first = info.reshape(-1).nonzero()[0][0].item()
    number = info.reshape(-1)[first].item()
    where = f" (Batch element {first}):" if info.ndim else ""
    if kind == "cholesky":
        text = (
            "The factorization could not be completed because the input is not positive-definite (the leading minor of order "
            f"{number} is not positive-definite)."
        )
    elif kind == "solve":
        text = "The solver failed because the input matrix is singular."
    elif kind == "lu_factor":
        raise RuntimeError(
            f"{name}:{where} U[{number},{number}] is zero and using it on lu_solve would result in a division by zero. If you still want to "
            "perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
        )
    else:
        text = f"The diagonal element {number} is zero, the inversion could not be completed because the input matrix is singular."
    raise _LinAlgError(f"{name}:{where} {text}")


# QR ----------------------------------------------------------------------------------------------------------------------------


def linalg_qr(a: Array, mode: Any = "reduced") -> tuple:
    _check_matrix("linalg.qr", a)
    _check_floating("linalg.qr", a, half=True)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    _check_lapack("geqrf_cpu", a)
    if mode == "r":
        r: Any = np.linalg.qr(a, mode="r") if a.size else _empty_r(a, min(a.shape[-2:]))
        return np.empty((0,), a.dtype), _column_major(r)
    if not a.size:
        rows = a.shape[-2] if mode == "complete" else min(a.shape[-2:])
        q = np.broadcast_to(np.eye(a.shape[-2], rows, dtype=a.dtype), (*a.shape[:-1], rows))
        return _column_major(q), _column_major(_empty_r(a, rows))
    q, r = np.linalg.qr(a, mode=mode)
    return _column_major(q), _column_major(r)


def _empty_r(a: Array, rows: int) -> Array:
    return np.zeros((*a.shape[:-2], rows, a.shape[-1]), a.dtype)


def geqrf(a: Array) -> tuple:
    if a.ndim < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    _check_lapack("geqrf_cpu", a)
    k = min(a.shape[-2:])
    if not a.size:
        return _column_major(a), np.zeros((*a.shape[:-2], k), a.dtype)
    h, tau = np.linalg.qr(a, mode="raw")
    return _column_major(h.swapaxes(-1, -2)), tau


def linalg_householder_product(a: Array, tau: Array) -> Array:
    name = "torch.linalg.householder_product"
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if a.shape[-2] < a.shape[-1]:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if tau.shape[-1] > a.shape[-1]:
        raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if a.ndim - tau.ndim != 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.ndim} and input.ndim is equal to {a.ndim}"
        )
    if tau.shape[:-1] != a.shape[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(tau.shape[:-1])}"
        )
    if tau.dtype != a.dtype:
        raise RuntimeError(
            f"{name}: tau dtype {scalar_name(tau)} does not match input dtype {scalar_name(a)}"
        )
    _check_lapack("orgqr_cpu", a)
    q = np.zeros(a.shape, a.dtype)
    q[...] = np.eye(*a.shape[-2:], dtype=a.dtype)
    return _column_major(_reflected(a, tau, q, False))


def ormqr(a: Array, tau: Array, other: Array, left: bool = True, transpose: bool = False) -> Array:
    name = "torch.ormqr"
    for label, m in (("input", a), ("other", other)):
        if m.ndim < 2:
            raise RuntimeError(f"{name}: {label} must have at least 2 dimensions.")
    size = other.shape[-2 if left else -1]
    side = "-2" if left else "-1"
    if size < tau.shape[-1]:
        raise RuntimeError(f"{name}: other.shape[{side}] must be greater than or equal to tau.shape[-1]")
    if size != a.shape[-2]:
        raise RuntimeError(f"{name}: other.shape[{side}] must be equal to input.shape[-2]")
    if tau.shape[-1] != min(size, a.shape[-1]):
        raise RuntimeError(
            f"{name}: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])"
        )
    if a.ndim - tau.ndim != 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.ndim} and input.ndim is equal to {a.ndim}"
        )
    if a.ndim != other.ndim:
        raise RuntimeError(
            f"{name}: Expected other to have the same number of dimensions as input, but got other.ndim equal to {other.ndim} and input.ndim is "
            f"equal to {a.ndim}"
        )
    if tau.shape[:-1] != a.shape[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(tau.shape[:-1])}"
        )
    if other.shape[:-2] != a.shape[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of other to be equal to input.shape[:-2], but got {list(other.shape[:-2])}"
        )
    for label, m in (("tau", tau), ("other", other)):
        if m.dtype != a.dtype:
            raise RuntimeError(
                f"{name}: Expected input and {label} to have the same dtype, but input has dtype{scalar_name(a)} and {label} has dtype "
                f"{scalar_name(m)}"
            )
    _check_lapack("ormqr_cpu", a)
    if left:
        return _column_major(_reflected(a, tau, other, transpose))
    return _column_major(adjoint_of(_reflected(a, tau, adjoint_of(other), not transpose)))


def _reflected(a: Array, tau: Array, c: Array, adjoint: bool) -> Array:
    """Q C or Q^H C, for Q the product of the reflections 1 - tau v v^H whose vectors are below the diagonal of `a`."""
    k = tau.shape[-1]
    c = np.array(c)
    for i in range(k) if adjoint else reversed(range(k)):
        v = a[..., i:, i : i + 1].copy()
        v[..., 0, :] = 1
        factor = np.conjugate(tau[..., i]) if adjoint else tau[..., i]
        c[..., i:, :] -= factor[..., None, None] * np.matmul(v, np.matmul(adjoint_of(v), c[..., i:, :]))
    return c
