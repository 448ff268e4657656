"""The kernels on NumPy arrays: reading and writing by index. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numbers import fill_number
from jgrad.kernels.numpy.blocks import by_rows
from jgrad.kernels.numpy.shape import (
    Array,
    as_strided,
    c_name_of,
    clone,
    contiguous,
    empty_strides,
    scalar_name,
    wrap_dim,
)
from jgrad.kernels.numpy.values import any_or_unknown, refuse_outside, refuse_unless, taken
from jgrad.kernels.sparse import SparseArray
from jgrad.switches import refuse_if_deterministic


def as_element(value: Any, dtype: np.dtype) -> Any:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
            )
        value = value.item()
    single = np.finfo(np.float16 if dtype == np.float16 else np.float32).max.item()
    if dtype in (np.float16, np.float32, np.complex64) and cmath.isfinite(value) and abs(value) > single:
        raise RuntimeError(f"value cannot be converted to type {c_name_of(dtype)} without overflow")
    return np.asarray(fill_number(value, dtype), dtype)


# One index along a dimension: self[index[i][j]][j]


AT_ONCE = 2**17  # indices that are turned into places and used while they are in the cache


def _places(shape: tuple, dim: int, index: Array, first: int = 0) -> Array:
    """Where the elements are in the flat memory of a row-major array: this dimension by index, the others by position.

    (One flat index reads and writes half as slow again as a tuple of them, and is the only one that ufunc.at is fast for.)
    The positions along the first dimension begin with `first`.
    """
    steps = [1] * len(shape)
    for k in range(len(shape) - 1, 0, -1):
        steps[k - 1] = steps[k] * shape[k]
    others: Any = None
    for k, extent in enumerate(index.shape):
        start = 0 if k else first
        if k != dim and start + extent > 1:
            along = np.arange(start, start + extent) * steps[k]
            along = along.reshape([extent if d == k else 1 for d in range(index.ndim)])
            others = along if others is None else others + along
    return _added_up(index, steps[dim], others).reshape(-1)


def _added_up(index: Array, step: int, others: Array | None) -> Array:
    """index * step + others, in 64 bits."""
    index = index.astype(np.int64, copy=False)
    places = index if step == 1 else index * step
    if others is None:
        return places
    with by_rows(places):
        return places + others


def _check_index(name: str, index: Array) -> None:
    if index.size and index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def _check_bounds(index: Array, dim: int, size: int) -> None:
    """Negative indices are out of bounds here."""

    def error() -> Exception:
        bad = index[(index < 0) | (index >= size)].ravel()[0].item()
        return RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {size}")

    refuse_out_of_bounds(index, size, error)


def refuse_out_of_bounds(index: Array, size: int, error: Callable[[], Exception]) -> None:
    """Raise what `error` gives if an index (of some) is negative or too large. Read as unsigned, a negative one is large: one pass finds
    both."""
    refuse_unless(index.view(np.uint64 if index.itemsize == 8 else np.uint32).max() < size, error)


def from_the_front(index: Array, size: int) -> Array:
    """Indices counted from either end, any number of times, as indices from the front: the very array if they are."""
    unsigned = index.view(np.uint64 if index.itemsize == 8 else np.uint32)
    return index % size if any_or_unknown(unsigned.max() >= size) else index


def gather(a: Array, dim: int, index: Array, sparse_grad: bool = False) -> Array:
    d = wrap_dim(dim, a.ndim)
    if not index.size:
        return np.empty(index.shape, a.dtype)
    _check_index("gather", index)
    if max(a.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    source = a if a.ndim else a.reshape(1)
    flat = index if index.ndim else index.reshape(1)
    for k, (m, n) in enumerate(zip(flat.shape, source.shape, strict=True)):
        if k != d and m > n:
            raise RuntimeError(
                f"Size does not match at dimension {k} expected index {list(index.shape)} to be no larger than self {list(a.shape)} apart "
                f"from dimension {d}"
            )
    _check_bounds(index, d, source.shape[d])
    elements, result = contiguous(source).reshape(-1), np.empty(index.shape, a.dtype)
    found, each = result.reshape(-1), flat.size // len(flat)
    rows = max(1, AT_ONCE // each) if flat.ndim > 1 else len(flat)
    for start in range(0, len(flat), rows):
        places = _places(source.shape, d, flat[start : start + rows], start)
        # With mode "wrap" NumPy takes twice as fast as with "clip", and neither matters within bounds.
        taken(elements, places, out=found[start * each : start * each + len(places)])
    return result


def gather_backward(grad: Array, source: Array, dim: int, index: Array, sparse_grad: bool) -> Array:
    """The gradients added up where they were read from."""
    if sparse_grad:
        return gather_sparse_backward(grad, source, dim, index)
    return scatter_add_(np.zeros(source.shape, grad.dtype), dim, index, grad)


def gather_sparse_backward(grad: Array, source: Array, dim: int, index: Array) -> Any:
    """The same as a sparse array: what arrived, with the places that were read."""
    if not source.ndim:
        return SparseArray(np.zeros((0, grad.size), np.int64), grad.reshape(-1), ())
    places = np.indices(index.shape or (1,)).reshape(source.ndim, index.size)
    places[wrap_dim(dim, source.ndim)] = index.reshape(-1)
    return SparseArray(places.astype(np.int64), grad.reshape(-1), source.shape)


def scatter(a: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    return scatter_(np.array(a, order="C"), dim, index, src, reduce)


def scatter_(a: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    d = refuse_scatter(a, dim, index, src)
    tensor = isinstance(src, np.ndarray)
    if tensor and reduce is not None and index.size:
        warn.once(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use "
            "torch.scatter_reduce instead for more reduction options.",
        )
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    if not index.size:
        return a
    ufunc = {None: None, "add": np.add, "multiply": np.multiply}[reduce]
    _write_along(a, d, index, src if tensor else as_element(src, a.dtype), ufunc)
    return a


def scatter_add(a: Array, dim: int, index: Array, src: Array) -> Array:
    return scatter_add_(np.array(a, order="C"), dim, index, src)


def scatter_add_(a: Array, dim: int, index: Array, src: Array) -> Array:
    d = refuse_scatter(a, dim, index, src)
    if index.size:
        _write_along(a, d, index, src, np.add)
    return a


def refuse_scatter(a: Array, dim: int, index: Array, src: Any, *rest: Any) -> int:
    """Refuse arguments of scatter and its like that don't fit; the dimension counted from the front."""
    d = wrap_dim(dim, a.ndim)
    _check_index("scatter", index)
    tensor = isinstance(src, np.ndarray)
    if tensor and src.dtype != a.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if index.size:
        _check_scatter_shapes(a, d, index, src if tensor else None)
    return d


def _check_scatter_shapes(a: Array, d: int, index: Array, src: Array | None) -> None:
    if max(a.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    if src is not None and max(src.ndim, 1) < index.ndim:
        wrap_dim(max(src.ndim, 1), src.ndim)  # which is out of range
    if src is not None and max(src.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    shape = a.shape or (1,)
    too_large = any(k != d and m > n for k, (m, n) in enumerate(zip(index.shape, shape, strict=False)))
    beyond_source = src is not None and any(
        m > n for m, n in zip(index.shape or (1,), src.shape or (1,), strict=False)
    )
    if too_large or beyond_source:
        source = f" and to be no larger size than src {list(src.shape)}" if src is not None else ""
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(a.shape)} apart from dimension {d}{source}"
        )


def _write_along(a: Array, d: int, index: Array, src: Array, ufunc: np.ufunc | None) -> None:
    """Write to where the index points, or combine with what is there; then repeated indices count each time."""
    shape = a.shape or (1,)
    index = index if index.ndim else index.reshape(1)
    _check_bounds(index, d, shape[d])
    if src.ndim:
        src = src[tuple([slice(n) for n in index.shape])].reshape(-1)
    write_flat(a, _places(shape, d, index), src, ufunc)


def write_flat(a: Array, places: Array, values: Any, ufunc: np.ufunc | None = None) -> Array:
    """Write to places counted in row-major order, or combine with what is there."""
    flat = contiguous(a).reshape(-1)
    if ufunc is None:
        flat[places] = values
    elif ufunc is np.add and a.dtype == np.float16 and a.ndim > 1:  # which PyTorch adds up in float32
        flat = flat.astype(np.float32)
        np.add.at(flat, places, values.astype(np.float32))
        flat = flat.astype(np.float16)
    else:
        ufunc.at(flat, places, values)
    if not np.may_share_memory(flat, a):
        a[...] = flat.reshape(a.shape)
    return a


def ones_like(a: Array) -> Array:
    return np.ones(a.shape, a.dtype)


REDUCTIONS: dict[str, Any] = {
    "sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum,
    "max": np.maximum, "min": np.minimum,
}  # fmt: skip


def _identity(reduce: str, dtype: np.dtype) -> Any:
    """What a reduction begins with where the old value does not count."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    if dtype.kind == "f":
        return -np.inf if reduce.endswith("max") else np.inf
    if dtype.kind == "b":
        return reduce.endswith("min")
    return np.iinfo(dtype).min if reduce.endswith("max") else np.iinfo(dtype).max


def _reduce_flat(a: Array, places: Array, values: Array, reduce: str, include_self: bool) -> Array:
    """Combine values with what is at places counted in row-major order (or, without include_self, with each other only)."""
    flat = contiguous(a).reshape(-1)
    if not include_self:
        flat[places] = _identity(reduce, a.dtype)
    REDUCTIONS[reduce].at(flat, places, values)
    if reduce == "mean":
        count = np.full(flat.shape, include_self, flat.real.dtype)
        np.add.at(count, places, 1)
        np.copyto(flat, _mean(flat, count))
    if not np.may_share_memory(flat, a):
        a[...] = flat.reshape(a.shape)
    return a


def _mean(total: Array, count: Array) -> Array:
    """The mean of `count` numbers. PyTorch counts in the dtype of the numbers, so the count of many small integers wraps around."""
    count = np.where(count == 0, 1, count)
    return total // count if total.dtype.kind in "iu" else total / count


def scatter_reduce(
    a: Array, dim: int, index: Array, src: Array, reduce: str, include_self: bool = True
) -> Array:
    return scatter_reduce_(np.array(a, order="C"), dim, index, src, reduce, include_self)


def scatter_reduce_(
    a: Array, dim: int, index: Array, src: Array, reduce: str, include_self: bool = True
) -> Array:
    d = refuse_scatter(a, dim, index, src)
    if reduce not in REDUCTIONS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if not index.size:
        return a
    kind = a.dtype.kind
    if (kind == "b" and reduce == "mean") or (kind == "c" and reduce.endswith(("max", "min"))):
        raise NotImplementedError(
            f"\"scatter_gather_tensor_cpu_reduce_{reduce}\" not implemented for '{scalar_name(a)}'"
        )
    shape = a.shape or (1,)
    index = index if index.ndim else index.reshape(1)
    _check_bounds(index, d, shape[d])
    values = src[tuple([slice(n) for n in index.shape])].reshape(-1) if src.ndim else src.reshape(1)
    return _reduce_flat(a, _places(shape, d, index), values, reduce, include_self)


# Whole slices of a dimension by a vector of indices ---------------------------------------------------------------------------


def _slice_places(shape: tuple, d: int, index: Array, like: tuple) -> Array:
    """Where the elements of slices are in row-major order, for a source of the shape `like`."""
    shape, like = shape or (1,), like or (1,)
    column = index.reshape([-1 if k == d else 1 for k in range(len(like))])
    return _places(shape, d, np.broadcast_to(column, like))


def index_select(a: Array, dim: int, index: Array) -> Array:
    d = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not a.ndim and index.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)"
        )
    source = a if a.ndim else a.reshape(1)
    if a.ndim > 1 and index.size and (d or not a.size):
        n = a.shape[d]
        if not n:
            raise RuntimeError("index_select(): self indexing axis dim should be positive")

        def error() -> Exception:
            bad = index[(index < 0) | (index >= n)].ravel()[0].item()
            return RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={n}")

        refuse_out_of_bounds(index, n, error)
    elif index.size:
        refuse_out_of_bounds(index, source.shape[d], lambda: IndexError("index out of range in self"))
    found = contiguous(taken(source, index.reshape(-1), d))
    return found if a.ndim else found.reshape(())


def index_select_backward(grad: Array, shape: tuple, dim: int, index: Array) -> Array:
    """The gradients added up where they were read from."""
    if len(shape) > 1 and dim % len(shape) == 0 and grad.size and grad.dtype != np.float16:
        return added_rows(grad.reshape(index.size, -1), index.reshape(-1), shape[0]).reshape(shape)
    return index_add_(np.zeros(shape, grad.dtype), dim, index, grad)


def index_add(a: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    return index_add_(np.array(a, order="C"), dim, index, source, alpha)


def index_add_(a: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    d = refuse_index_add(a, dim, index, source)
    if index.size:
        n = (a.shape or (1,))[d]
        if alpha == 1 and index.dtype == np.int64 and a.ndim > 1 and d in (0, a.ndim - 1):
            _check_bounds(index, d, n)  # PyTorch scatters here
        else:
            refuse_out_of_bounds(index, n, lambda: IndexError("index out of range in self"))
    addend = (
        source
        if isinstance(alpha, int) and alpha == 1
        else source * np.asarray(fill_number(alpha, a.dtype), a.dtype)
    )
    if d == 0 and a.ndim > 1 and a.size and index.size and a.flags.c_contiguous and a.dtype != np.float16:
        add_rows(a.reshape(len(a), -1), index.reshape(-1), addend.reshape(index.size, -1))
        return a
    return write_flat(a, _slice_places(a.shape, d, index, source.shape), addend.reshape(-1), np.add)


def refuse_index_add(a: Array, dim: int, index: Array, source: Array, *rest: Any) -> int:
    """Refuse arguments of index_add that don't fit; the dimension counted from the front."""
    return _check_slices("index_add_", a, dim, index, source)


def add_rows(target: Array, places: Array, rows: Array) -> None:
    """Add rows to those of a matrix at the places given, repeated ones each time, in their order."""
    rows = np.ascontiguousarray(rows)  # of an expanded gradient `take` would make a copy each time
    count, width = rows.shape
    if width < 8 or count < 64:
        flat = (places[:, None] * width + np.arange(width)).reshape(-1)
        np.add.at(target.reshape(-1), flat, rows.reshape(-1))
        return
    order, first, times = runs_of(places)
    found = places[order[first]]
    sums, most = joined_runs(np.add, rows, order, first, times, target.take(found, 0))
    target[found[most]] = sums


def added_rows(rows: Array, places: Array, count: int) -> Array:
    """Zeros with rows added at the places given."""
    result = np.zeros((count, rows.shape[1]), rows.dtype)
    if rows.shape[1] < 8 or len(rows) < 64:
        add_rows(result, places, rows)
    else:
        order, first, times = runs_of(places)
        sums, most = joined_runs(np.add, np.ascontiguousarray(rows), order, first, times)
        result[places[order[first[most]]]] = sums
    return result


def runs_of(places: Array) -> tuple[Array, Array, Array]:
    """An order that brings equal places together, those first that come first; where each run of them begins, and how long it is."""
    keys = (places.astype(np.int64) << 32) | np.arange(len(places))
    keys.sort()
    first = np.flatnonzero(np.diff(keys >> 32, prepend=-1))
    return keys & 0xFFFFFFFF, first, np.diff(first, append=len(keys))


def joined_runs(
    join: np.ufunc, table: Array, order: Array, first: Array, times: Array, start: Array | None = None
) -> tuple[Array, Array]:
    """Of each run the rows of a table that order[first : first + times] names, joined (after that of `start`, if there is one); and
    which run each is: the longest come first.

    In rounds: the first row of every run, then the second of those that have one, and so on. (NumPy's reduceat is ten times as slow.)
    """
    most = np.argsort(-np.minimum(times, 32767).astype(np.int16), kind="stable")  # short: a radix sort
    first, times = first[most], times[most]
    joined, done = (table.take(order[first], 0), 1) if start is None else (start.take(most, 0), 0)
    left = int(np.searchsorted(-times, -done))
    while left >= 16 and done < 32767:
        part = joined[:left]
        join(part, table.take(order[first[:left] + done], 0), out=part)
        done += 1
        left = int(np.searchsorted(-times, -done))
    for i in range(left):  # a few runs of many rows
        rest = table.take(order[first[i] + done : first[i] + times[i]], 0)
        joined[i] = join(joined[i], join.reduce(rest, 0, joined.dtype))
    return joined, most


def _check_slices(name: str, a: Array, dim: int, index: Array, source: Array) -> int:
    """Refuse slices that don't fit; the dimension counted from the front."""
    d = wrap_dim(dim, a.ndim)
    if index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index but got: {scalar_name(index)}")
    if source.dtype != a.dtype:
        raise RuntimeError(
            f"{name}(): self ({scalar_name(a)}) and source ({scalar_name(source)}) must have the same scalar type"
        )
    if index.ndim > 1:
        raise IndexError(
            f"{name}(): Index is supposed to be a vector, but got dim: {index.ndim} with type: {scalar_name(index)} and size: "
            f"{list(index.shape)}"
        )
    if d and d >= source.ndim:
        raise RuntimeError(
            f"{name}(): Indexing dim {d} is out of bounds of the source tensor with dim {source.ndim}"
        )
    if not source.ndim and index.size != 1:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    count = source.shape[d] if source.ndim else 1
    if index.size != count:
        raise RuntimeError(
            f"{name}(): Number of indices ({index.size}) should be equal to source.size(dim): ({count}), for dim: {d}"
        )
    if a.ndim != source.ndim or a.shape[:d] + a.shape[d + 1 :] != source.shape[:d] + source.shape[d + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{list(a.shape)} source.shape = {list(source.shape)}"
        )
    return d


def index_reduce(
    a: Array, dim: int, index: Array, source: Array, reduce: str, include_self: bool = True
) -> Array:
    return index_reduce_(np.array(a, order="C"), dim, index, source, reduce, include_self)


def index_reduce_(
    a: Array, dim: int, index: Array, source: Array, reduce: str, include_self: bool = True
) -> Array:
    d = refuse_index_reduce(a, dim, index, source, reduce)
    warn.once("index_reduce() is in beta and the API may change at any time.")
    if a.dtype.kind == "b" and a.ndim < 2:
        raise NotImplementedError("\"index_func_\" not implemented for 'Bool'")
    if not index.size:
        return a
    if a.ndim > 1 and not a.shape[d]:
        raise IndexError(
            f"select(): index 0 out of range for tensor of size {list(a.shape)} at dimension {d}"
        )
    refuse_outside(index, 0, (a.shape or (1,))[d], lambda: IndexError("index out of range in self"))
    if a.dtype.kind == "b" and reduce == "mean":
        raise NotImplementedError("\"div_floor_cpu\" not implemented for 'Bool'")
    if a.dtype.kind == "c" and (a.ndim < 2 or reduce in ("amax", "amin")):
        operation = "index_func_" if a.ndim < 2 else "maximum_cpu" if reduce == "amax" else "minimum_cpu"
        raise NotImplementedError(f"\"{operation}\" not implemented for '{scalar_name(a)}'")
    if d == 0 and a.ndim > 1 and a.size and a.flags.c_contiguous:
        reduce_rows(a.reshape(len(a), -1), index, source.reshape(index.size, -1), reduce, include_self)
        return a
    places = _slice_places(a.shape, d, index, source.shape)
    return _reduce_flat(a, places, source.reshape(-1), reduce, include_self)


def refuse_index_reduce(
    a: Array, dim: int, index: Array, source: Array, reduce: str, include_self: bool = True
) -> int:
    """Refuse arguments of index_reduce that don't fit; the dimension counted from the front."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}."
        )
    return _check_slices("index_reduce_", a, dim, index, source)


def reduce_rows(target: Array, places: Array, rows: Array, reduce: str, include_self: bool) -> None:
    """Combine rows with those of a matrix at the places given (or, without include_self, with each other only)."""
    order, first, times = runs_of(places.reshape(-1))
    found = places.reshape(-1)[order[first]]
    start = target.take(found, 0) if include_self else None
    joined, most = joined_runs(REDUCTIONS[reduce], np.ascontiguousarray(rows), order, first, times, start)
    if reduce == "mean":
        joined = _mean(joined, (times[most] + include_self)[:, None].astype(joined.real.dtype))
    target[found[most]] = joined


def refuse_index_copy(a: Array, dim: int, *rest: Any) -> None:
    """Refuse a dimension out of range."""
    wrap_dim(dim, a.ndim)


def index_copy(a: Array, dim: int, index: Array, source: Array) -> Array:
    return index_copy_(np.array(a, order="C"), dim, index, source)


def index_copy_(a: Array, dim: int, index: Array, source: Array) -> Array:
    d = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if not source.ndim and index.size != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {index.size})"
        )
    if source.ndim != a.ndim and source.ndim and a.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality "
            f"({source.ndim}), destination dimensionality ({a.ndim})"
        )
    if index.dtype != np.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {scalar_name(index)}")
    if source.dtype != a.dtype:
        raise RuntimeError(
            f"index_copy_(): self and source expected to have the same dtype, but got (self) {scalar_name(a)} and (source) "
            f"{scalar_name(source)}"
        )
    target = a if a.ndim else a.reshape(1)
    rest, given = target.shape[:d] + target.shape[d + 1 :], source.shape[:d] + source.shape[d + 1 :]
    if rest != given:
        shown, shown_given = (" ".join(map(str, shape)) for shape in (rest, given))
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{shown} at dimension {d} and source slice shape: {shown_given} at dimension 0."
        )
    if source.ndim and index.size != source.shape[d]:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.size}) should be equal to source.size(dim) ({source.shape[d]})"
        )
    if index.size:
        bad = index[(index < 0) | (index >= target.shape[d])]
        if bad.size:
            raise IndexError(
                f"index_copy_(): index {bad.reshape(-1)[0].item()} is out of bounds for dimension {d} with size {target.shape[d]}"
            )
        target[(slice(None),) * d + (index.reshape(-1),)] = source
    return a


def index_fill(a: Array, dim: int, index: Array, value: Any) -> Array:
    return index_fill_(clone(a), dim, index, value)


def index_fill_(a: Array, dim: int, index: Array, value: Any) -> Array:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
            )
        value = value.item()
    if a.size and any([s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)]):
        warn.say(
            "Use of index_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
            "applies to advanced indexing e.g. tensor[mask] = scalar",
        )
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if isinstance(value, complex) and a.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    d = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    target = a if a.ndim else a.reshape(1)
    n = target.shape[d]
    spread = (*target.shape[:d], index.size, *target.shape[d + 1 :])
    if 0 in spread:
        return a
    if not n:  # PyTorch spreads the dimension over the indices before it looks at them
        strides = [s // a.itemsize for s in empty_strides(target.shape, a.itemsize)]
        as_strided(a, spread, (*strides[:d], 0, *strides[d + 1 :]))
    bad = index[(index < -n) | (index >= n)]
    if bad.size:
        raise IndexError(
            f"index {bad.reshape(-1)[0].item()} is out of bounds for dimension {d} with size {n}"
        )
    target[(slice(None),) * d + (index.reshape(-1),)] = as_element(value, a.dtype)
    return a


# Places counted in row-major order --------------------------------------------------------------------------------------------


def take(a: Array, index: Array) -> Array:
    if index.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {scalar_name(index)}")
    if index.size and not a.size:
        raise IndexError("take(): tried to take from an empty tensor")
    _check_places(index, a.size)
    return np.array(taken(contiguous(a).reshape(-1), index), order="C")


def _check_places(index: Array, size: int) -> None:
    def error() -> Exception:
        bad = index[(index < -size) | (index >= size)].ravel()[0].item()
        return IndexError(f"out of range: tried to access index {bad} on a tensor of {size} elements.")

    refuse_outside(index, -size, size, error)


def take_backward(grad: Array, source: Array, index: Array) -> Array:
    """The gradients added up where they were read from."""
    return put_(np.zeros(source.shape, grad.dtype), index, grad, True)


def put(a: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    return put_(clone(a), index, source, accumulate)


def put_(a: Array, index: Array, source: Array, accumulate: bool = False) -> Array:
    refuse_put(a, index, source, accumulate)
    if index.size and not a.size:
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    _check_places(index, a.size)
    return write_flat(a, index.reshape(-1), source.reshape(-1), np.add if accumulate else None)


def differentiable_once(a: Array, wrong: Array, operation: str) -> Array:
    return a


def refuse_second(a: Array, wrong: Array, operation: str) -> Array:
    source = "src" if operation == "scatter_reduce" else "source"
    refuse_unless(
        ~wrong,
        lambda: RuntimeError(
            f"{operation}(): Double backward is unsupported for {source} when >1 zeros in {source} are scattered to the same position in self"
        ),
    )
    return a


def refuse_put(a: Array, index: Array, source: Array, accumulate: bool = False) -> None:
    """Refuse arguments of put that don't fit each other."""
    if not accumulate:
        refuse_if_deterministic("put_")
    if index.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {scalar_name(index)}")
    if source.dtype != a.dtype:
        raise RuntimeError(
            f"put_(): self and source expected to have the same dtype, but got self.dtype = {scalar_name(a)} and source.dtype = "
            f"{scalar_name(source)}"
        )
    if index.size != source.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source.size}, index.numel() = {index.size}"
        )


def nonzero(a: Array) -> Array:
    places = np.flatnonzero(a)
    if a.ndim == 1:
        return places.astype(np.int64, copy=False).reshape(-1, 1)
    where_ = np.empty((a.ndim, places.size), np.int64)
    for row, coordinate in zip(where_, np.unravel_index(places, a.shape) if a.ndim else (), strict=True):
        row[:] = coordinate
    return where_.T


def nonzero_static(a: Array, size: int, fill_value: int = -1) -> Array:
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = nonzero(a)[:size]
    result = np.full((size, a.ndim), fill_value, np.int64)
    result[: len(found)] = found
    return result
