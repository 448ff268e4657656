"""Reductions of large arrays by fewer and longer steps than NumPy's own.

Note [Joining]: NumPy takes a loop per row, which costs more than the elements of a short one, and it adds rows to each other one by
one, with an error that grows with their number. So large arrays are joined by fewer and longer steps, and sums of floats in blocks:
of short rows by einsum, which has no such overhead, and of blocks of rows. The blocks are about as long as those of NumPy's pairwise sums,
and the errors are the same. (Products with ones, by BLAS, would be faster still for rows of less than 64. But BLAS starts threads for them,
which wait for each other where cores are busy, and then a sum takes thirty times as long.)
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator

import numpy as np

from jgrad.kernels.numpy.shape import Array, kept_shape

LARGE = 4096  # elements from which on that pays
SHORT = 32  # a row that is joined column by column
LONG = 400  # a row that is worth a loop of its own
WIDE = 1024  # a row long enough for NumPy


@contextlib.contextmanager
def by_rows(a: Array) -> Iterator[None]:
    """A block in which operations on `a` (C-contiguous, large) and what is broadcast along its rows or for each of them go row by row.

    NumPy would copy what is broadcast into a buffer of several rows, which takes as long as the operation. A buffer too small for a row it
    leaves alone. (Short rows are better off with it, and so is what needs a cast.)
    """
    if a.size < LARGE or a.shape[-1] < LONG:
        yield
        return
    before = np.setbufsize(16)
    try:
        yield
    finally:
        np.setbufsize(before)


def joined(join: np.ufunc, a: Array, dims: tuple | None) -> Array:
    """`join.reduce` over dimensions, which are kept, in the dtype of `a`; see Note [Joining]."""
    if join is np.add and is_small_matrix(a) and dims is not None and len(dims) == 1:
        return sums_of_small(a, dims[0]).reshape((-1, 1) if dims[0] else (1, -1))
    if a.size < LARGE or a.dtype.kind == "c" or not a.flags.c_contiguous:
        # By position: that is quicker.
        return np.asarray(join.reduce(a, dims, a.dtype, None, True))  # type: ignore[call-arg]
    over = range(a.ndim) if dims is None else dims
    shape = kept_shape(a.shape, over)
    tail = a.ndim
    while tail and tail - 1 in over:
        tail -= 1
    if tail < a.ndim:
        result = joined_rows(join, a.reshape(math.prod(a.shape[:tail]), -1))
        result = result.reshape(a.shape[:tail] + shape[tail:])
        rest = tuple([d for d in over if d < tail])
        return np.asarray(join.reduce(result, rest, dtype=a.dtype, keepdims=True)) if rest else result
    if sorted(over) == list(range(len(over))):  # the first ones
        return joined_columns(join, a.reshape(math.prod(a.shape[: len(over)]), -1)).reshape(shape)
    return np.asarray(join.reduce(a, dims, dtype=a.dtype, keepdims=True))


# Note [Small matrices]: for a matrix of a few numbers the time is what NumPy does before it begins: a reduction by a ufunc takes three times
# as long as a product by BLAS, and broadcasting in an operation as long as two operations without. So sums are products with ones, and
# what belongs to a row comes once for each of its elements.


def is_small_matrix(a: Array) -> bool:
    return a.ndim == 2 and a.size < LARGE and a.dtype.char in "fd"


def sums_of_small(a: Array, d: int) -> Array:
    """The sums of the rows (d is 1) or columns of a small matrix."""
    return a.dot(_ones(a.shape[1], a.dtype)) if d else _ones(a.shape[0], a.dtype).dot(a)


def is_small_of_rows(a: Array, dim: int) -> bool:
    """Whether this is a small matrix of short rows, and `dim` goes along them."""
    return (
        a.ndim == 2
        and (dim == 1 or dim == -1)
        and 0 < a.size < LARGE
        and a.shape[1] <= SHORT
        and a.dtype.char in "fd"
        and a.flags.c_contiguous
    )


def sums_of_small_rows(a: Array) -> Array:
    """The sum of each row at every place of the row."""
    n = a.shape[1]
    return a.dot(_ones((n, n), a.dtype))


def largest_of_small_rows(a: Array) -> Array:
    """The largest element of each row at every place of the row; nan if there is one."""
    rows, n = a.shape
    places = a.argmax(1)
    places += begins_of_rows(rows, n)
    return a.take(places).repeat(n).reshape(rows, n)


@functools.lru_cache(64)
def _ones(shape: int | tuple, dtype: np.dtype) -> Array:
    return np.ones(shape, dtype)


def begins_of_rows(rows: int, n: int) -> Array:
    """Where the rows of a matrix begin, counted in elements."""
    return _few_begins(rows, n) if rows < LARGE else np.arange(rows) * n


@functools.lru_cache(64)
def _few_begins(rows: int, n: int) -> Array:
    return np.arange(rows) * n


def joined_rows(join: np.ufunc, a: Array) -> Array:
    """The elements of each row of a matrix, joined."""
    n = a.shape[1]
    floating = a.dtype.char in "fd"
    if join is np.add and floating:
        return sums_of_rows(a)
    if 1 < n <= SHORT:
        result = join(a[:, 0], a[:, 1])
        for i in range(2, n):
            join(result, a[:, i], out=result)
        return result
    if join is np.multiply and floating:
        return product_of_rows(a)
    if floating:
        # NumPy finds the place of the largest faster than the largest.
        places = a.argmax(1) if join is np.maximum else a.argmin(1)
        return a.reshape(-1).take(places + np.arange(0, a.size, n))
    return join.reduce(a, 1, dtype=a.dtype)


@functools.lru_cache(256)
def divisor(n: int, most: int) -> int:
    """The largest divisor of n up to `most`, if it is not too small to be of use, else 0."""
    return next((d for d in range(most, most // 4, -1) if n % d == 0), 0)


def sums_of_rows(a: Array) -> Array:
    n, block = a.shape[1], WIDE // a.itemsize
    if n <= block:
        return np.einsum("ij->i", a)
    whole = n // block * block
    if len(a) == 1:
        parts = sums_of_rows(np.einsum("ij->i", a[:, :whole].reshape(-1, block)).reshape(1, -1))
        return parts + np.add.reduce(a[:, whole:], 1)
    if part := divisor(n, block):
        return sums_of_rows(np.einsum("ij->i", a.reshape(-1, part)).reshape(len(a), -1))
    if n > 16 * block:
        return np.add.reduce(a, 1)
    sums = [np.einsum("ij->i", a[:, i : i + block]) for i in range(0, n, block)]
    return np.add.reduce(np.array(sums), 0)


def joined_columns(join: np.ufunc, a: Array) -> Array:
    """The elements of each column of a matrix, joined: of narrow ones several rows are put side by side first."""
    n, width = a.shape
    count = WIDE // max(width, 1)
    if count > 1 and n >= 2 * count:
        whole = n // count * count
        parts = long_columns(join, a[:whole].reshape(-1, count * width)).reshape(count, width)
        a = parts if whole == n else np.concatenate([parts, a[whole:]])
        while len(a) > 1:
            half = len(a) // 2
            parts = join(a[:half], a[half : 2 * half])
            a = parts if len(a) == 2 * half else np.concatenate([parts, a[-1:]])
        return a[0]
    return long_columns(join, a)


BLOCK = 128  # rows that are added one by one


def long_columns(join: np.ufunc, a: Array) -> Array:
    while join is np.add and a.dtype.kind == "f" and len(a) >= 2 * BLOCK:
        whole = len(a) // BLOCK * BLOCK
        blocks = np.add.reduce(a[:whole].reshape(-1, BLOCK, a.shape[1]), 1)
        a = blocks if whole == len(a) else np.concatenate([blocks, np.add.reduce(a[whole:], 0)[None]])
    return join.reduce(a, 0, dtype=a.dtype)


def product_of_rows(a: Array) -> Array:
    """The products of the rows of a matrix: halves are multiplied with each other, since NumPy takes one element after another."""
    while a.shape[1] > 64:
        half = a.shape[1] // 2
        made = a[:, :half] * a[:, half : 2 * half]
        if a.shape[1] % 2:
            made[:, 0] *= a[:, -1]
        a = made
    return np.multiply.reduce(a, 1, dtype=a.dtype)
