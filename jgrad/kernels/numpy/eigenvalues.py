"""The kernels on NumPy arrays: eigenvalues, singular values and what is computed from them. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from jgrad.dtypes import INEXACT
from jgrad.kernels.libraries import _LinAlgError
from jgrad.kernels.numpy.factorizations import (
    _check_batches,
    _check_floating,
    _check_lapack,
    _check_matrix,
    _check_square,
    _column_major,
    adjoint_of,
)
from jgrad.kernels.numpy.shape import Array, scalar_name

# Eigenvalues -------------------------------------------------------------------------------------------------------------------


def _complex_of(dtype: np.dtype) -> np.dtype:
    return np.dtype(np.complex64) if dtype.char in "fF" else np.dtype(np.complex128)


def _check_eig(name: str, a: Array) -> None:
    if a.dtype.kind not in INEXACT:
        raise RuntimeError(f"Unknown Complex ScalarType for {scalar_name(a)}")
    _check_square(name, a)
    _check_lapack("linalg_eig_out_cpu", a)
    if not np.isfinite(a).all().item():
        raise RuntimeError(f"torch.{name}: input tensor should not contain infs or NaNs.")


def linalg_eig(a: Array) -> tuple:
    _check_eig("linalg.eig", a)
    kind = _complex_of(a.dtype)
    values, vectors = np.linalg.eig(a)
    return values.astype(kind), _column_major(vectors.astype(kind))


def check_eigvals(a: Array) -> None:
    _check_eig("linalg.eigvals", a)


def must_be_free_of_phase(diagonal: Array, text: str) -> None:
    """Refuse a gradient that depends on the phase of complex eigenvectors, which is nobody's choice."""
    if diagonal.dtype.kind == "c" and not np.isclose(diagonal.imag, 0, rtol=1e-2, atol=1e-2).all().item():
        raise RuntimeError(text)


def _check_eigh(a: Array, uplo: str) -> None:
    _check_square("linalg.eigh", a)
    if uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    _check_lapack("linalg_eigh_cpu", a)


def eigh_decompose(a: Array, uplo: Any = "L", compute_v: bool = True) -> tuple:
    _check_eigh(a, uplo)
    try:
        if not compute_v:
            return np.linalg.eigvalsh(a, uplo.upper()), np.empty((0,), a.dtype)
        values, vectors = np.linalg.eigh(a, uplo.upper())
    except np.linalg.LinAlgError:
        _refuse_unconverged("linalg.eigh", "eigenvalues", a)
    return values, _column_major(vectors)


def _refuse_unconverged(name: str, values: str, a: Array) -> NoReturn:
    """PyTorch's words for an iteration of LAPACK's that did not end, after the matrix that is likely to blame."""
    wrong = np.flatnonzero(~np.isfinite(a).all((-1, -2)))
    where = f" (Batch element {wrong[0].item() if wrong.size else 0}):" if a.ndim > 2 else ""
    raise _LinAlgError(
        f"{name}:{where} The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated {values} "
        f"(error code: {a.shape[-1] - 1})."
    ) from None


# Singular values ---------------------------------------------------------------------------------------------------------------


def _check_svd(a: Array, driver: str | None) -> None:
    _check_matrix("linalg.svd", a)
    _check_floating("linalg.svd", a, half=True)
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    _check_lapack("linalg_svd_cpu", a)
    unknown = np.isnan(a).any((-1, -2))
    if unknown.any().item():
        where = f" (Batch element {np.flatnonzero(unknown)[0].item()}):" if a.ndim > 2 else ""
        raise _LinAlgError(
            f"linalg.svd:{where} The algorithm failed to converge because the input matrix contained non-finite values."
        )


def svd_decompose(
    a: Array, full_matrices: bool = False, compute_uv: bool = True, driver: str | None = None
) -> tuple:
    _check_svd(a, driver)
    if not compute_uv:
        none = np.empty((0,), a.dtype)
        return none, _singular_values(a), none.copy()
    if not a.size:
        k = min(a.shape[-2:])
        u, vh = (np.zeros((*a.shape[:-2], n, n), a.dtype) for n in a.shape[-2:])
        u[...], vh[...] = np.eye(u.shape[-1]), np.eye(vh.shape[-1])
        if not full_matrices:
            u, vh = u[..., :k], vh[..., :k, :]
        return _column_major(u), np.zeros((*a.shape[:-2], k), a.real.dtype), _column_major(vh)
    u, s, vh = _svd(a, full_matrices)
    return _column_major(u), s, _column_major(vh)


def _svd(a: Array, full_matrices: Any, compute_uv: Any = True) -> Any:
    """NumPy's, which may not come back from a matrix with an infinite element: there everything is nan."""
    finite = np.isfinite(a).all((-1, -2))
    if finite.all().item():
        try:
            return np.linalg.svd(a, full_matrices, compute_uv)
        except np.linalg.LinAlgError:
            _refuse_unconverged("linalg.svd", "singular values", a)
    found = np.linalg.svd(np.where(finite[..., None, None], a, 0), full_matrices, compute_uv)
    for result in found if compute_uv else (found,):
        result[~finite] = np.nan
    return found


def _singular_values(a: Array) -> Array:
    if not a.size:
        return np.zeros((*a.shape[:-2], min(a.shape[-2:])), a.real.dtype)
    return _svd(a, False, False)


def _tolerance(a: Array, sizes: Array, atol: Any, rtol: Any) -> Array:
    """Below which singular values count as zero: the greater of atol and rtol times the largest of them, one per matrix."""
    epsilon = np.finfo(a.dtype).eps * max(a.shape[-2:])
    if rtol is None:
        rtol = epsilon if atol is None else np.where(np.asarray(atol) > 0, 0.0, epsilon)
    largest = sizes.max(-1) if sizes.shape[-1] else np.zeros(sizes.shape[:-1], sizes.dtype)
    return np.maximum(0.0 if atol is None else atol, rtol * largest)


def _check_tolerances(name: str, *tolerances: Any) -> None:
    for label, value in zip(("atol", "rtol"), tolerances, strict=False):
        if isinstance(value, np.ndarray) and value.dtype.kind == "c":
            raise RuntimeError(
                f"torch.{name}: {label} tensor of complex type is not supported. Got {scalar_name(value)}"
            )


def linalg_matrix_rank(a: Array, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Array:
    _check_matrix("torch.linalg.matrix_rank", a, "input")
    _check_tolerances("linalg.matrix_rank", atol, rtol)
    if a.dtype.char not in "fdFD":
        raise RuntimeError("This function doesn't handle types other than float and double")
    if not a.size:
        return np.zeros(a.shape[:-2], np.int64)
    if hermitian:
        sizes = np.abs(eigh_decompose(a, "L", False)[0])
    else:
        _check_svd(a, None)
        sizes = _singular_values(a)
    above = sizes > np.asarray(_tolerance(a, sizes, atol, rtol))[..., None]
    return np.add.reduce(above, -1, dtype=np.int64)


def linalg_pinv(a: Array, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Array:
    if a.ndim < 2 or a.dtype.char not in "fdFD":
        raise RuntimeError(
            f"linalg.pinv({scalar_name(a)}{{{list(a.shape)}}}): expected a tensor with 2 or more dimensions of float, double, cfloat or "
            "cdouble types"
        )
    _check_tolerances("linalg.pinv", atol, rtol)
    if not a.size:
        return np.zeros((*a.shape[:-2], a.shape[-1], a.shape[-2]), a.dtype)
    if hermitian:
        s, u = eigh_decompose(a)
        vh = adjoint_of(u)
    else:
        _check_svd(a, None)
        u, s, vh = _svd(a, False)
    limit = np.asarray(_tolerance(a, np.abs(s), atol, rtol))[..., None]
    inverted = np.where(np.abs(s) > limit, 1 / s, 0).astype(s.dtype)
    return np.ascontiguousarray(np.matmul(adjoint_of(vh) * inverted[..., None, :], adjoint_of(u)))


def matrix_rank_above(a: Array, tol: Any, hermitian: bool = False) -> Array:
    return linalg_matrix_rank(a, tol, 0.0, hermitian)


# Least squares -----------------------------------------------------------------------------------------------------------------

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def linalg_lstsq(a: Array, b: Array, rcond: float | None = None, driver: str | None = None) -> tuple:
    name = "torch.linalg.lstsq"
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if b.ndim < 1:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"{name}: Expected input and other to have the same dtype, but got input's dtype {scalar_name(a)} and other's dtype "
            f"{scalar_name(b)}"
        )
    if a.dtype.char not in "fdFD":
        raise RuntimeError("This function doesn't handle types other than float and double")
    if not 0 <= a.ndim - b.ndim <= 1:
        raise RuntimeError(
            f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
        )
    fewer = b.ndim < a.ndim
    vector = fewer and (b.ndim == 1 or b.shape == a.shape[:-1])
    right = b[..., None] if vector else b
    if right.shape[-2] != a.shape[-2]:
        label = "-1" if vector else "-2"
        raise RuntimeError(f"{name}: input.size(-2) should match other.size({label})")
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    driver = driver or "gelsy"
    if fewer and not vector:  # PyTorch takes the rows of the one matrix for its batch too
        _check_batches(b[..., None], a)
        right = np.broadcast_to(b, (*np.broadcast_shapes(a.shape[:-2], b.shape[:-1]), *b.shape[-2:]))
    _check_batches(right, a)
    m, n = a.shape[-2:]
    x, sizes, rank = _least_squares(a, right, rcond, driver)
    none = np.empty((0,), a.real.dtype)
    residuals, ranks, values = none, np.empty((0,), np.int64), none.copy()
    if m > n and driver != "gelsy" and (driver == "gels" or (rank == n).all().item()):
        rest = np.matmul(a, x) - right
        residuals = np.sum(rest.real**2 + rest.imag**2, axis=-2)
    if driver != "gels":
        ranks = rank.copy()  # of each A, however many right sides it has
    if driver in ("gelsd", "gelss"):
        values = sizes.copy()
    return _stored_in_longer(x, max(m, n), vector), residuals, ranks, values


def _least_squares(a: Array, b: Array, rcond: float | None, driver: str) -> tuple[Array, Array, Array]:
    """The shortest X that brings A X nearest to B, the singular values and the rank of A."""
    m, n = a.shape[-2:]
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if not a.size or not b.size:
        k = min(m, n)
        return (
            np.zeros((*batch, n, b.shape[-1]), a.dtype),
            np.zeros((*a.shape[:-2], k), a.real.dtype),
            np.zeros(a.shape[:-2], np.int64),
        )
    u, s, vh = _svd(a, False)
    if driver == "gels":
        independent = s > np.finfo(a.dtype).eps * s[..., :1] * 1e-3
        short = ~independent[..., -1] & (s[..., 0] > 0)  # LAPACK answers zero for a matrix of zeros
        if short.any().item():
            first = np.flatnonzero(short)[0].item()
            where = f" (Batch element {first}):" if a.ndim > 2 else ""
            raise _LinAlgError(
                f"torch.linalg.lstsq:{where} The least squares solution could not be computed because the input matrix does not have full "
                f"rank (error code: {independent.reshape(-1, s.shape[-1])[first].sum().item() + 1})."
            )
        kept = s > 0
    else:
        limit = np.finfo(a.dtype).eps * max(m, n) if rcond is None else rcond
        kept = s > limit * s[..., :1]
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    x = np.matmul(adjoint_of(vh) * inverted[..., None, :], np.matmul(adjoint_of(u), b))
    return x, s, np.add.reduce(kept, -1, dtype=np.int64)


def _stored_in_longer(x: Array, rows: int, vector: bool) -> Array:
    """The solution in the memory LAPACK wrote it to: columns as long as those of B or X, whichever is longer."""
    *batch, n, columns = x.shape
    memory = np.zeros((*batch, columns, rows), x.dtype)
    solution = memory.swapaxes(-1, -2)[..., :n, :]
    solution[...] = x
    return solution[..., 0] if vector else solution


# The exponential ---------------------------------------------------------------------------------------------------------------


def linalg_matrix_exp(a: Array) -> Array:
    _check_square("linalg.matrix_exp", a)
    _check_floating("linalg.matrix_exp", a, half=True)
    if not a.size:
        return np.empty(a.shape, a.dtype)
    if a.dtype == np.float16:
        return linalg_matrix_exp(a.astype(np.float32)).astype(np.float16)
    norm = np.add.reduce(np.abs(a), -2).max(-1)
    finite = np.where(np.isfinite(norm), norm, 0)
    # exp(A) = exp(A / 2^s)^(2^s), with s large enough for the Taylor polynomial of degree 18.
    halvings = np.maximum(0, np.ceil(np.log2(np.maximum(finite, 1e-300)))).astype(int)
    x = a / (2.0**halvings)[..., None, None].astype(a.real.dtype)
    result = np.asarray(_taylor(x))
    for step in range(np.maximum.reduce(halvings, None, initial=0).item()):
        again = (halvings > step)[..., None, None]
        result = np.where(again, np.matmul(result, result), result)
    result[~np.isfinite(norm)] = np.nan
    return np.ascontiguousarray(result).astype(a.dtype, copy=False)


def _taylor(x: Array) -> Array:
    """The sum of x^k / k! up to k = 18, from the powers up to 4 (Paterson and Stockmeyer)."""
    factorials = [float(math.factorial(k)) for k in range(20)]
    powers = [np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape), x, np.matmul(x, x)]
    powers.append(np.matmul(powers[2], x))
    fourth = np.matmul(powers[2], powers[2])
    total = powers[0] / factorials[16] + x / factorials[17] + powers[2] / factorials[18]
    for block in (12, 8, 4, 0):
        total = np.matmul(total, fourth)
        for i, power in enumerate(powers):
            total = total + power / factorials[block + i]
    return total
