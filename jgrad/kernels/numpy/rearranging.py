"""The kernels on NumPy arrays: repeating, diagonals, triangles, and views that are copied or written into. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.kernels.numpy.memory import address, over
from jgrad.kernels.numpy.pointwise import view_as_real
from jgrad.kernels.numpy.shape import (
    Array,
    alias,
    as_strided,
    clone,
    diagonal,
    expand,
    infer_size,
    owner,
    permute,
    select,
    slice_,
    split,
    split_with_sizes,
    squeeze,
    squeeze_dim,
    strided,
    t,
    transpose,
    unbind,
    unfold,
    unsqueeze,
    view_dtype,
    wrap_dim,
)
from jgrad.kernels.numpy.writing import copy_

# Repeating --------------------------------------------------------------------------------------------------------------------


def repeat(a: Array, repeats: tuple) -> Array:
    added = len(repeats) - a.ndim
    if added < 0:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    extents = (1,) * added + a.shape
    shape = tuple([n * r for n, r in zip(extents, repeats, strict=True)])
    if any([n < 0 for n in shape]):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {next(n for n in shape if n < 0)}: {list(shape)}"
        )
    # Each dimension as (times, extent), of which only the extents are there to read: one copy fills it all.
    apart, source = [], []
    for n, r in zip(extents, repeats, strict=True):
        apart += [r, n]
        source += [1, n]
    result = np.empty(shape, a.dtype)
    if result.size:
        result.reshape(apart)[...] = a.reshape(source)
    return result


def repeat_backward(grad: Array, repeats: tuple, shape: tuple) -> Array:
    """The gradients of all copies added up."""
    apart = []
    for n, r in zip((1,) * (len(repeats) - len(shape)) + shape, repeats, strict=True):
        apart += [r, n]
    dims = tuple([2 * i for i, r in enumerate(repeats) if r != 1])
    half = grad.dtype == np.float16
    total = grad.reshape(apart)
    if dims:
        total = np.add.reduce(total, dims, dtype=np.float32 if half else None)
    return total.reshape(shape).astype(grad.dtype, copy=False)


# Diagonals and triangles ------------------------------------------------------------------------------------------------------


def diag_embed(a: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    first, second = wrap_dim(dim1, a.ndim + 1), wrap_dim(dim2, a.ndim + 1)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = (a.shape[-1] if a.ndim else 1) + abs(offset)
    shape = list(a.shape[:-1])
    for d in sorted((first, second)):
        shape.insert(d, n)
    result = np.zeros(shape, a.dtype)
    diagonal(result, offset, first, second)[...] = a
    return result


def _triangle(name: str, a: Array, diagonal: int, keep_lower: bool) -> Array:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    rows, columns = a.shape[-2:]
    result = np.zeros(a.shape, a.dtype)
    if rows < 4 * columns and a.size > 4096:  # a row at a time reads and writes only what is kept
        for k in range(rows):
            cut = max(k + diagonal + keep_lower, 0)
            kept = slice(None, cut) if keep_lower else slice(cut, None)
            result[..., k, kept] = a[..., k, kept]
        return result
    lower = np.arange(columns) - np.arange(rows)[:, None] <= (diagonal if keep_lower else diagonal - 1)
    np.copyto(result, a, where=lower if keep_lower else ~lower)
    return result


def tril(a: Array, diagonal: int = 0) -> Array:
    return _triangle("tril", a, diagonal, True)


def triu(a: Array, diagonal: int = 0) -> Array:
    return _triangle("triu", a, diagonal, False)


def _clear_triangle(name: str, a: Array, diagonal: int, keep_lower: bool) -> Array:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    rows, columns = a.shape[-2:]
    lower = np.arange(columns) - np.arange(rows)[:, None] <= (diagonal if keep_lower else diagonal - 1)
    np.copyto(a, np.zeros((), a.dtype), where=~lower if keep_lower else lower)
    return a


def tril_(a: Array, diagonal: int = 0) -> Array:
    return _clear_triangle("tril", a, diagonal, True)


def triu_(a: Array, diagonal: int = 0) -> Array:
    return _clear_triangle("triu", a, diagonal, False)


# A copy with one of its views written to --------------------------------------------------------------------------------------


def clone_of_storage(a: Array) -> Array:
    """A copy at the place in a copy of the whole storage that `a` has in its own: strides, offset and gaps are kept."""
    root = owner(a)
    if root is a or any([s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)]) or not a.size:
        return clone(a)
    offset = address(a) - address(root)
    memory = strided(a, (root.nbytes // a.itemsize,), (a.itemsize,), -offset).copy()
    return over(memory, a.shape, a.dtype, offset, a.strides)


def _written(a: Array, part_of: Callable, src: Array, *where: Any) -> Array:
    """A copy of `a` with `src` in a part of it."""
    result = clone_of_storage(a)
    part = part_of(result, *where)
    if part.shape != src.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(src.shape)}, slice size = {list(part.shape)}"
        )
    copy_(part, src)
    return result


def select_scatter(a: Array, src: Array, dim: int, index: int) -> Array:
    return _written(a, select, src, dim, index)


def slice_scatter(
    a: Array, src: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Array:
    return _written(a, narrowed, src, dim, start, end, step)


def diagonal_scatter(a: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    return _written(a, diagonal, src, offset, dim1, dim2)


def as_strided_scatter(
    a: Array, src: Array, size: tuple, stride: tuple, storage_offset: int | None = None
) -> Array:
    return _written(a, as_strided, src, size, stride, storage_offset)


def narrowed(
    a: Array, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Array:
    """A range of one dimension, as a view."""
    if not a.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, a.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    return slice_(a, d, start, end, step)


# Views, copied ----------------------------------------------------------------------------------------------------------------


def _copying(view_of: Callable) -> Callable:
    """The kernel that gives what a view would show, in memory of its own, row-major."""

    def kernel(*arguments: Any) -> Any:
        seen = view_of(*arguments)
        if seen.__class__ is tuple:
            return tuple([np.array(part, order="C") for part in seen])
        return np.array(seen, order="C")

    return kernel


alias_copy = detach_copy = _copying(alias)
as_strided_copy = _copying(as_strided)
diagonal_copy = _copying(diagonal)
expand_copy = _copying(expand)
permute_copy = _copying(permute)
select_copy = _copying(select)
slice_copy = _copying(narrowed)
split_copy = _copying(split)
split_with_sizes_copy = _copying(split_with_sizes)
squeeze_copy = _copying(squeeze)
squeeze_dim_copy = _copying(squeeze_dim)
t_copy = _copying(t)
transpose_copy = _copying(transpose)
unbind_copy = _copying(unbind)
unfold_copy = _copying(unfold)
unsqueeze_copy = _copying(unsqueeze)
view_copy = _copying(lambda a, size: a.reshape(infer_size(size, a.size)))
view_as_real_copy = _copying(view_as_real)
view_dtype_copy = _copying(view_dtype)


def narrow_copy(a: Array, dim: int, start: int, length: int) -> Array:
    if not a.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, a.ndim)
    n = a.shape[d]
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [-{n}, {n}], but got {start})")
    first = start + n if start < 0 else start
    if not first <= first + length <= n:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({n}).")
    return np.array(slice_(a, d, first, first + length, 1), order="C")


def unsafe_split(a: Array, split_size: int, dim: int = 0) -> tuple:
    return split(a, split_size, dim)


def unsafe_split_with_sizes(a: Array, split_sizes: tuple, dim: int = 0) -> tuple:
    return split_with_sizes(a, split_sizes, dim)
