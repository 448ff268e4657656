"""The kernels on NumPy arrays: running totals and what is computed with them. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.kernels.numpy.shape import Array, c_name, c_name_of, refuse_bool, wrap_dim
from jgrad.kernels.numpy.values import CHECKED

AT_ONCE = 20_000  # elements that are widened at a time, so that they stay in the cache
WIDE = 64  # from so many elements per step on, a step along the dimension is cheaper than NumPy's accumulate along it

# As PyTorch, which rounds each total once.
ACCUMULATED_IN = {
    "e": np.float64,
    "f": np.float64,
    "F": np.complex128,
}


# ----- Running sums and products -----


def cumsum(a: Array, dim: int, dtype: np.dtype | None = None) -> Array:
    return accumulated(np.add, a, dim, dtype)


def cumsum_(a: Array, dim: int, dtype: np.dtype | None = None) -> None:
    a[...] = accumulated(np.add, a, dim, in_place_dtype("cumsum", a, dtype))


def cumprod(a: Array, dim: int, dtype: np.dtype | None = None) -> Array:
    return accumulated(np.multiply, a, dim, dtype)


def cumprod_(a: Array, dim: int, dtype: np.dtype | None = None) -> None:
    a[...] = accumulated(np.multiply, a, dim, in_place_dtype("cumprod", a, dtype))


def in_place_dtype(name: str, a: Array, dtype: np.dtype | None) -> np.dtype:
    if dtype is not None and dtype != a.dtype:
        raise RuntimeError(
            f"Bad in-place call: input tensor dtype {c_name(a)} and output tensor dtype {c_name_of(dtype)} should match"
        )
    if a.ndim and a.size:
        refuse_bool(f"{name}_out_cpu", a)
    return a.dtype


def reverse_cumsum(a: Array, dim: int) -> Array:
    """The sums from each element to the end."""
    return accumulated(np.add, a, dim, None, backwards=True)


def accumulated(join: np.ufunc, a: Array, dim: int, dtype: np.dtype | None, backwards: bool = False) -> Array:
    """Joined from the first element to each; integers become int64."""
    d = wrap_dim(dim, a.ndim)
    if dtype is None:
        dtype = np.dtype(np.int64) if a.dtype.kind in "iub" else a.dtype
    a = a.astype(dtype, copy=False)
    if not a.ndim or not a.size:
        return a.copy()
    wide: Any = dtype if join in (np.maximum, np.minimum) else ACCUMULATED_IN.get(dtype.char, dtype)
    if a.size < WIDE * a.shape[d]:
        along = (slice(None),) * d + (slice(None, None, -1),)
        totals = join.accumulate(a[along] if backwards else a, d, wide)
        return np.array(totals[along] if backwards else totals, dtype, order="C")
    turned = slice(None, None, -1 if backwards else 1)
    source = np.moveaxis(a, d, 0)
    if abs(source.strides[0]) < abs(source.strides[-1]):
        moved = np.moveaxis(a, d, -1)
        rows = moved.reshape(-1, a.shape[d])
        totals = np.empty(rows.shape, dtype)
        accumulate_rows(join, rows[:, turned], totals[:, turned], np.dtype(wide))
        return np.ascontiguousarray(np.moveaxis(totals.reshape(moved.shape), -1, d))
    result = np.empty(a.shape, dtype)
    source, target = source[turned], np.moveaxis(result, d, 0)[turned]
    total = source[0].astype(wide)
    target[0] = source[0]
    for i in range(1, len(source)):
        join(total, source[i], out=total)
        target[i] = total
    return result


def accumulate_rows(join: np.ufunc, rows: Array, totals: Array, wide: np.dtype) -> None:
    """Join along the rows of a matrix. An addition waits for the one before it, which takes several times as long as the addition: so two rows of
    floats are added at once, as the parts of complex numbers."""
    step = max(1, AT_ONCE // rows.shape[1])
    half = len(rows) // 2 if join is np.add and wide == np.float64 else 0
    for start in range(0, half, step):
        end = min(start + step, half)
        first, second = slice(start, end), slice(half + start, half + end)
        both = np.empty((end - start, rows.shape[1]), np.complex128)
        both.real, both.imag = rows[first], rows[second]
        both = np.add.accumulate(both, 1)
        totals[first], totals[second] = both.real, both.imag
    for start in range(2 * half, len(rows), step):
        some = slice(start, start + step)
        totals[some] = join.accumulate(rows[some], 1, wide)


def cummax(a: Array, dim: int) -> tuple[Array, Array]:
    return running_extreme(np.maximum, a, dim)


def cummin(a: Array, dim: int) -> tuple[Array, Array]:
    return running_extreme(np.minimum, a, dim)


def running_extreme(join: np.ufunc, a: Array, dim: int) -> tuple[Array, Array]:
    """The largest (smallest) element so far and where it was: of equal ones the last, and from the first nan on the last nan."""
    name = "cummax" if join is np.maximum else "cummin"
    if not a.ndim and dim not in (-1, 0):
        raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
    d = wrap_dim(dim, a.ndim)
    if a.dtype.kind == "c" and a.ndim and a.size:
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{kind}'")
    if not a.ndim or not a.size:
        return np.array(a, order="C"), np.zeros(a.shape, np.int64)
    values, n = accumulated(join, a, d, a.dtype), a.shape[d]
    found = a == values
    if a.dtype.kind == "f":
        found |= np.isnan(a)
    if CHECKED and d == a.ndim - 1 and 8 * np.count_nonzero(found) < a.size:
        places = np.flatnonzero(found)
        return values, np.repeat(places % n, np.diff(places, append=a.size)).reshape(a.shape).astype(
            np.int64, copy=False
        )
    positions = np.arange(n, dtype=np.int32).reshape([-1 if i == d else 1 for i in range(a.ndim)])
    return values, accumulated(np.maximum, found * positions, d, np.dtype(np.int32)).astype(np.int64)


def logcumsumexp(a: Array, dim: int) -> Array:
    d = wrap_dim(dim, a.ndim)
    if a.dtype.kind not in "fc":
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        raise NotImplementedError(f"\"logcumsumexp_out_cpu\" not implemented for '{kind}'")
    if not a.ndim or not a.size:
        return a.copy()
    result = np.empty(a.shape, a.dtype)
    if a.dtype.kind == "f":
        result[...] = np.logaddexp.accumulate(a.astype(np.float64, copy=False), d)
        return result
    source, target = np.moveaxis(a, d, 0), np.moveaxis(result, d, 0)
    total = np.asarray(complex(-np.inf, 0), a.dtype)
    for i in range(len(source)):
        target[i] = total = complex_logaddexp(total, source[i])
    return result


def complex_logaddexp(a: Array, b: Array) -> Array:
    """log(exp(a) + exp(b)), from the larger real part on, so that nothing overflows. Where both are log(0), it is `a`."""
    swap = b.real > a.real
    large, small = np.where(swap, b, a), np.where(swap, a, b)
    total = np.log1p(np.exp(small - large)) + large
    total = np.where(np.isposinf(large.real), large, np.where(np.isneginf(large.real), a, total))
    total = np.where(np.isposinf(small.real), np.log(np.exp(a) + np.exp(b)), total)
    return np.where(np.isnan(a) | np.isnan(b), np.asarray(complex(np.nan, np.nan), a.dtype), total)


# ----- Linear recurrences, which the derivatives of products and of logarithms of sums are -----


def linked_sums(terms: Array, links: Array, dim: int, backwards: bool) -> Array:
    """s[i] = terms[i] + links[i - 1] * s[i - 1] along a dimension, or backwards s[i] = terms[i] + links[i] * s[i + 1].

    links[i] stands between i and i + 1; there are as many as terms, and the last is not used.
    """
    d = dim % terms.ndim
    result = np.empty(terms.shape, np.result_type(terms, links))
    t, f, s = (np.moveaxis(x, d, 0) for x in (terms, links, result))
    n = len(t)
    f = f[: n - 1]
    if not backwards:
        t, f, s = t[::-1], f[::-1], s[::-1]
    if terms.size < WIDE * n:
        # Few and long: log2(n) rounds, each of which doubles the number of terms in the sums, rather than n steps.
        s[...] = t
        step, f = 1, f.copy()
        while step < n:
            s[: n - step] += f[: n - step] * s[step:]
            f[: max(n - 1 - step, 0)] *= f[step:]
            step *= 2
        return result
    s[-1] = t[-1]
    for i in range(n - 2, -1, -1):
        s[i] = t[i] + f[i] * s[i + 1]
    return result
