"""The operators that have a form of their own for sparse arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NoReturn

import numpy as np

from jgrad.formats import channels_last, contiguous_format, preserve_format
from jgrad.kernels import libraries
from jgrad.kernels.numpy import shape as shapes
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.kernels.sparse import (
    KERNELS,
    SparseArray,
    added,
    empty,
    is_sparse,
    like,
    numbers_of,
    refused,
    scaled,
    sparse,
    sparse_coalesced,
)

# Multiplications from which a product with a dense matrix is left to SciPy. (Its product of two sparse ones drops sums that are 0, which
# PyTorch keeps.)
WORTH_IT = 4096

# The kernels.
__all__ = ["sparse_addmm", "sparse_sum"]


# Arithmetic ---------------------------------------------------------------------------------------------------------------------


@sparse("add")
def _add(a: Any, b: Any, alpha: Any = 1) -> Any:
    if not is_sparse(b):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if not is_sparse(a):
        if np.shape(a) != b.shape:
            raise RuntimeError(
                f"add: expected 'self' and 'other' to have same size, but self has size {list(np.shape(a))} while other has size {list(b.shape)} "
                "(FYI: dense-sparse addition does not currently support broadcasting)"
            )
        result = np.array(a, np.result_type(a.dtype, b.dtype), order="C")
        c = sparse_coalesced(b)
        result[tuple(c.indices)] += scaled(c.values if c.sparse_dim else c.values.sum(0), alpha)
        return result
    if a.shape != b.shape:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {list(a.shape)} != {list(b.shape)}"
        )
    if not b.nnz:
        return like(a, a.values.copy())
    if not a.nnz:
        return like(b, scaled(b.values.copy(), alpha))
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same number of sparse dimensions, but 'self' has {a.sparse_dim} sparse dimensions while "
            f"'other' has {b.sparse_dim} sparse dimensions"
        )
    values = scaled(b.values, alpha)
    if not (a.values.flags.c_contiguous and b.values.flags.c_contiguous):
        joined = SparseArray(
            np.concatenate([a.indices, b.indices], 1), np.concatenate([a.values, values]), a.shape
        )
        return _uncounted(sparse_coalesced(joined)) if joined.nnz > joined.size else joined
    return _merged(a, like(b, values))


def _uncounted(a: SparseArray) -> SparseArray:
    """The same array, of which it is not known that it is coalesced."""
    return SparseArray(a.indices, a.values, a.shape, a.nnz < 2)


def _merged(a: SparseArray, b: SparseArray) -> SparseArray:
    """The sum, as PyTorch makes it: both are read from their beginnings, always where the place is smaller, and equal places become one. So what was not
    coalesced stays so."""
    from_a, from_b = _merge(numbers_of(a), numbers_of(b))
    n = max(int(from_a.max(initial=-1)), int(from_b.max(initial=-1))) + 1
    indices = np.empty((a.sparse_dim, n), np.int64)
    values = np.zeros((n, *a.values.shape[1:]), a.dtype)
    indices[:, from_a], indices[:, from_b] = a.indices, b.indices
    values[from_a] = a.values
    values[from_b] += b.values
    return SparseArray(indices, values, a.shape, a.coalesced and b.coalesced)


def _merge(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the places of two arrays go in their sum."""
    if (a[1:] > a[:-1]).all() and (b[1:] > b[:-1]).all():
        all_places = np.union1d(a, b)
        return np.searchsorted(all_places, a), np.searchsorted(all_places, b)
    first, second = a.tolist(), b.tolist()
    i = j = n = 0
    from_a, from_b = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    while i < len(first) or j < len(second):
        ahead = 1 if j == len(second) else -1 if i == len(first) else second[j] - first[i]
        if ahead >= 0:
            from_a[i] = n
            i += 1
        if ahead <= 0:
            from_b[j] = n
            j += 1
        n += 1
    return from_a, from_b


@sparse("sub")
def _sub(a: Any, b: Any, alpha: Any = 1) -> Any:
    return _add(a, b, -alpha)


@sparse("rsub")
def _rsub(a: Any, b: Any, alpha: Any = 1) -> Any:
    return _add(b, a, -alpha)


@sparse("mul")
def _mul(a: Any, b: Any) -> Any:
    if not is_sparse(a):
        a, b = b, a
    if not is_sparse(b):
        if not np.ndim(b):
            return like(a, a.values * b)
        if b.shape != a.shape:
            b = np.broadcast_to(b, np.broadcast_shapes(a.shape, b.shape))
            if b.shape != a.shape:
                raise RuntimeError("mul(dense, sparse): the sparse tensor can not be broadcast")
        return like(a, a.values * b[tuple(a.indices)])
    if a.shape != b.shape:
        raise RuntimeError(
            f"mul: expected 'self' and 'other' to have same sizes when both are sparse, but {list(a.shape)} != {list(b.shape)}"
        )
    both = a.coalesced and b.coalesced
    a, b = sparse_coalesced(a), sparse_coalesced(b)
    _, of_a, of_b = np.intersect1d(numbers_of(a), numbers_of(b), True, return_indices=True)
    return SparseArray(a.indices[:, of_a], a.values[of_a] * b.values[of_b], a.shape, both)


@sparse("div")
def _div(a: Any, b: Any, rounding_mode: str | None = None) -> Any:
    if not is_sparse(a) or is_sparse(b) or np.ndim(b):
        raise RuntimeError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(np.shape(b) if not is_sparse(b) else b.shape)} "
            "for divisor)"
        )
    if rounding_mode is None:
        return like(a, np.true_divide(a.values, b))
    a = sparse_coalesced(a)
    quotient = libraries.NUMPY.kernels.div_rounded(a.values, b, rounding_mode)
    return like(a, quotient)


@sparse("floor_divide")
def _floor_divide(a: Any, b: Any) -> Any:
    return _div(a, b, "floor")


@sparse("conj")
def _conj(a: SparseArray) -> SparseArray:
    return like(a, np.conjugate(a.values))


KERNELS["_conj"] = _conj


@sparse("pow")
def _pow(a: Any, exponent: Any) -> SparseArray:
    if not is_sparse(a) or is_sparse(exponent) or np.ndim(exponent):
        raise refused("pow")
    if exponent == 0:
        raise RuntimeError("pow: exponent must not be zero for a sparse tensor")
    a = sparse_coalesced(a)
    return like(a, libraries.NUMPY.kernels.pow(a.values, exponent))


# Reductions and products --------------------------------------------------------------------------------------------------------


def sparse_sum(a: SparseArray, dims: Sequence[int], keepdim: bool = False) -> Any:
    """The sums over some dimensions: a dense array if no sparse dimension is left, else a sparse one."""
    gone = {wrap_dim(d, a.ndim) for d in dims}
    n = a.sparse_dim
    kept = [d for d in range(n) if d not in gone]
    values = (
        a.values.sum(tuple([d - n + 1 for d in gone if d >= n]), a.dtype)
        if max(gone, default=-1) >= n
        else a.values
    )
    shape = [extent for d, extent in enumerate(a.shape) if d not in gone]
    if not kept:
        return values.sum(0, a.dtype)
    result = sparse_coalesced(SparseArray(a.indices[kept], values, shape))
    for d in sorted(gone) if keepdim else ():
        result = _unsqueeze(result, d)
    return result


@sparse("sum")
def _sum(a: SparseArray, dims: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dims is None or isinstance(dims, np.dtype):  # `x.sum(dtype=...)`, which has no dims
        kind = (
            np.sum(np.zeros(1, a.dtype)).dtype if dims is None and dtype is None else np.dtype(dims or dtype)
        )
        return np.asarray(a.values.sum(dtype=kind))
    wide = np.dtype(dtype) if dtype is not None else np.dtype(np.int64) if a.dtype.kind in "iub" else a.dtype
    return sparse_sum(a.astype(wide), dims or range(a.ndim), keepdim)


@sparse("any")
def _any(a: SparseArray, *dims: Any) -> Any:
    if any(d is not None and d is not False for d in dims):
        raise refused("any.dims")
    return np.asarray(bool(a.values.any()))


@cache
def _module_of_scipy() -> Any:
    """SciPy's module of sparse matrices; None without SciPy."""
    try:
        from scipy import sparse
    except ImportError:
        return None
    return sparse


def _times(a: SparseArray, dense: np.ndarray) -> np.ndarray:
    """A sparse matrix times a dense one (or a vector)."""
    worth_it = a.nnz * math.prod(dense.shape[1:]) >= WORTH_IT and a.dtype.char in "fdFD"
    by_scipy = _module_of_scipy() if worth_it else None
    if by_scipy is not None:
        return by_scipy.csr_array((a.values, tuple(a.indices)), a.shape) @ dense
    result = np.zeros((a.shape[0], *dense.shape[1:]), np.result_type(a.dtype, dense.dtype))
    if not a.nnz:
        return result
    order = np.argsort(a.indices[0], kind="stable")
    rows, columns = a.indices[:, order]
    values = a.values[order].reshape((-1,) + (1,) * (dense.ndim - 1))
    starts = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
    result[rows[starts]] = added(values * dense[columns], starts)
    return result


def _turned(a: SparseArray) -> SparseArray:
    return _transpose(a, 0, 1)


def _check_matrices(a: Any, b: Any) -> None:
    for m in (a, b):
        dims = m.sparse_dim if is_sparse(m) else m.ndim
        if dims != 2 or len(m.shape) != 2:
            raise RuntimeError(f"addmm: matrices expected, got {dims}D tensor")
    if a.shape[1] != b.shape[0] and is_sparse(a) and not is_sparse(b):
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {shapes.c_name_of(a.dtype)} != {shapes.c_name_of(b.dtype)}"
        )


@sparse("mm")
def _mm(a: Any, b: Any) -> Any:
    _check_matrices(a, b)
    if is_sparse(a) and is_sparse(b):
        return _sparse_product(sparse_coalesced(a), sparse_coalesced(b))
    return _times(a, b) if is_sparse(a) else _times(_turned(b), a.T).T


def _sparse_product(a: SparseArray, b: SparseArray) -> SparseArray:
    """The product of two sparse matrices: for each element of the first, the row of the second that it meets."""
    starts = np.searchsorted(b.indices[0], np.arange(a.shape[1] + 1))
    first, counts = starts[a.indices[1]], np.diff(starts)[a.indices[1]]
    of_a = np.repeat(np.arange(a.nnz), counts)
    of_b = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    indices = np.stack([a.indices[0, of_a], b.indices[1, of_b]])
    return sparse_coalesced(SparseArray(indices, a.values[of_a] * b.values[of_b], (a.shape[0], b.shape[1])))


@sparse("mv")
def _mv(a: Any, vector: Any) -> Any:
    if not is_sparse(a) or is_sparse(vector):
        raise refused("mv")
    if a.shape[1:] != vector.shape:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({vector.shape[0]})"
        )
    return _times(a, vector)


@sparse("addmm")
def sparse_addmm(a: Any, b: Any, c: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * a + alpha * (b @ c), for a sparse b."""
    product = _mm(b, c)
    if is_sparse(a) or is_sparse(product):
        if not (is_sparse(a) and is_sparse(product)):
            raise refused("addmm")
        return _add(like(a, scaled(a.values, beta)), product, alpha)
    return np.asarray(scaled(np.broadcast_to(a, product.shape), beta) + scaled(product, alpha), product.dtype)


# Shape --------------------------------------------------------------------------------------------------------------------------


@sparse("transpose")
def _transpose(a: SparseArray, dim0: int, dim1: int) -> SparseArray:
    order = list(range(a.ndim))
    d0, d1 = wrap_dim(dim0, a.ndim), wrap_dim(dim1, a.ndim)
    order[d0], order[d1] = order[d1], order[d0]
    if (d0 < a.sparse_dim) != (d1 < a.sparse_dim):
        raise RuntimeError(
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {a.sparse_dim}, d0: {d0}, d1: {d1}"
        )
    return _permute(a, order)


@sparse("t")
def _t(a: SparseArray) -> SparseArray:
    if a.ndim > 2 or a.ndim > a.sparse_dim:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {a.sparse_dim} sparse and {a.ndim - a.sparse_dim} dense dimensions"
        )
    return a if a.ndim < 2 else _transpose(a, 0, 1)


@sparse("permute")
def _permute(a: SparseArray, dims: Sequence[int]) -> SparseArray:
    order = [wrap_dim(d, a.ndim) for d in dims]
    n = a.sparse_dim
    if sorted(order[:n]) != list(range(n)):
        raise RuntimeError(
            "permute: dimensions of sparse tensors can only change places within the sparse or within the dense ones"
        )
    values = a.values.transpose((0, *[d - n + 1 for d in order[n:]]))
    shape = [a.shape[d] for d in order]
    same = order[:n] == list(range(n))
    return SparseArray(a.indices[order[:n]], values, shape, a.coalesced and same)


@sparse("unsqueeze")
def _unsqueeze(a: SparseArray, dim: int) -> SparseArray:
    d = wrap_dim(dim, a.ndim + 1)
    shape = (*a.shape[:d], 1, *a.shape[d:])
    if d <= a.sparse_dim:
        return SparseArray(np.insert(a.indices, d, 0, 0), a.values, shape)
    return SparseArray(a.indices, np.expand_dims(a.values, d - a.sparse_dim + 1), shape, a.coalesced)


@sparse("select")
def _select(a: SparseArray, dim: int, index: int) -> Any:
    d = wrap_dim(dim, a.ndim)
    extent = a.shape[d]
    if not -extent <= index < extent:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(a.shape)} at dimension {dim}"
        )
    index %= extent
    shape = (*a.shape[:d], *a.shape[d + 1 :])
    if d >= a.sparse_dim:
        return SparseArray(a.indices, np.take(a.values, index, d - a.sparse_dim + 1), shape, a.coalesced)
    a = sparse_coalesced(a)
    kept = np.flatnonzero(a.indices[d] == index)
    if a.sparse_dim == 1:
        return a.values[kept].sum(0, a.dtype)
    return SparseArray(np.delete(a.indices[:, kept], d, 0), a.values[kept], shape, True)


@sparse("unbind")
def _unbind(a: SparseArray, dim: int = 0) -> list[Any]:
    return [_select(a, dim, i) for i in range(a.shape[wrap_dim(dim, a.ndim)])]


@sparse("index_select")
def _index_select(a: SparseArray, dim: int, index: np.ndarray) -> SparseArray:
    if is_sparse(index) or not is_sparse(a):
        raise refused("index_select")
    d = wrap_dim(dim, a.ndim)
    wanted = np.atleast_1d(index)
    wanted = np.where(wanted < 0, wanted + a.shape[d], wanted)
    if wanted.size and not (wanted.min() >= 0 and wanted.max() < a.shape[d]):
        raise IndexError("index_select(): index out of range in self")
    shape = (*a.shape[:d], len(wanted), *a.shape[d + 1 :])
    if d >= a.sparse_dim:
        values = np.take(a.values, wanted, d - a.sparse_dim + 1)
        return SparseArray(a.indices, values, shape, a.coalesced)
    a = sparse_coalesced(a)
    order = np.argsort(a.indices[d], kind="stable")
    rows = a.indices[d, order]
    starts = np.searchsorted(rows, wanted)
    counts = np.searchsorted(rows, wanted, "right") - starts
    places = order[np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())]
    indices = a.indices[:, places].copy()
    indices[d] = np.repeat(np.arange(len(wanted)), counts)
    return _uncounted(sparse_coalesced(SparseArray(indices, a.values[places], shape)))


@sparse("cat")
def _cat(arrays: Sequence[Any], dim: int = 0) -> SparseArray:
    for i, a in enumerate(arrays):
        if not is_sparse(a):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {i}.")
    first = arrays[0]
    d = wrap_dim(dim, first.ndim)
    for i, a in enumerate(arrays):
        same = a.ndim == first.ndim and a.sparse_dim == first.sparse_dim
        if not same or any(
            n != m for k, (n, m) in enumerate(zip(a.shape, first.shape, strict=True)) if k != d
        ):
            raise RuntimeError(
                f"All tensors must have the same shape: {list(first.shape)} (except in the concatenating dimension), but found shape: "
                f"{list(a.shape)} at position {i}."
            )
    indices, values, start = [], [], 0
    shape = (*first.shape[:d], sum([a.shape[d] for a in arrays]), *first.shape[d + 1 :])
    for a in arrays:
        part, value = a.indices, a.values
        if d < first.sparse_dim:
            part = part.copy()
            part[d] += start
        else:
            value = np.zeros((a.nnz, *shape[first.sparse_dim :]), a.dtype)
            place = d - first.sparse_dim
            value[(slice(None),) * (place + 1) + (slice(start, start + a.shape[d]),)] = a.values
        start += a.shape[d]
        indices.append(part)
        values.append(value)
    return SparseArray(np.concatenate(indices, 1), np.concatenate(values), shape)


@sparse("stack")
def _stack(arrays: Sequence[Any], dim: int = 0) -> SparseArray:
    return _cat([_unsqueeze(a, dim) if is_sparse(a) else a for a in arrays], dim)


def _impossible(text: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(text)

    return refuse


KERNELS["_reshape_alias"] = _impossible("reshape is not implemented for sparse tensors")
KERNELS["expand"] = KERNELS["repeat"] = _impossible("expand is unsupported for Sparse tensors")


# Copies -------------------------------------------------------------------------------------------------------------------------


@sparse("clone")
def _clone(a: SparseArray, memory_format: Any = None) -> SparseArray:
    if memory_format is not None:
        words = {preserve_format: "Preserve", contiguous_format: "Contiguous", channels_last: "ChannelsLast"}
        raise RuntimeError(f"unsupported memory format option {words.get(memory_format, 'ChannelsLast3d')}")
    return a.copy()


@sparse("_to_copy")
def _to_copy(a: SparseArray, dtype: Any, device: Any = None, *_: Any) -> SparseArray:
    if device is not None and device.type != "cpu":
        raise NotImplementedError(f"jgrad has sparse tensors on the CPU only, not on {device}")
    return SparseArray(a.indices.copy(), a.values.astype(dtype), a.shape, a.coalesced)


@sparse("zero_")
def _zero_(a: SparseArray) -> SparseArray:
    a.become(empty(a.shape, a.dtype, a.sparse_dim))
    return a


@sparse("copy_")
def _copy_(a: Any, b: Any, non_blocking: bool = False) -> Any:
    if not (is_sparse(a) and is_sparse(b)):
        kinds = [
            f"torch.{'sparse.' * is_sparse(x)}{shapes.full_type_name(np.empty(0, x.dtype)).removeprefix('torch.')}"
            for x in (a, b)
        ]
        raise RuntimeError(
            f"copy_() between dense and sparse Tensors is not implemented! Found self type = {kinds[0]} and src type = {kinds[1]}"
        )
    a.become(b.copy())
    return a
