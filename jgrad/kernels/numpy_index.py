"""The kernels on NumPy arrays: joining, and reading and writing by index. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numpy_shape import (
    Array,
    broadcast_error,
    c_name,
    clone,
    contiguous,
    scalar_name,
    slice_,
    wrap_dim,
)

# Joining and indexing ---------------------------------------------------------------------------------------------------------


def cat(arrays: list, dim: int = 0) -> Array:
    if not arrays:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, a in enumerate(arrays):
        if a.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    real = [a for a in arrays if a.shape != (0,)] or arrays[:1]
    d = wrap_dim(dim, real[0].ndim)
    for i, a in enumerate(arrays):
        if a.shape == (0,):
            continue
        if a.ndim != real[0].ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {real[0].ndim} and {a.ndim}"
            )
        for k, (m, n) in enumerate(zip(real[0].shape, a.shape, strict=True)):
            if k != d and m != n:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {d}. Expected size {m} but got size {n} for tensor number {i} in "
                    "the list."
                )
    return contiguous(np.concatenate(real, d))


def cat_parts(grad: Array, shapes: list, dim: int) -> list:
    """The gradient of cat: each tensor's part."""
    parts, start = [], 0
    d = dim % grad.ndim
    for shape in shapes:
        if shape == (0,):
            parts.append(np.zeros(shape, grad.dtype))
            continue
        parts.append(slice_(grad, d, start, start + shape[d], 1))
        start += shape[d]
    return parts


def stack(arrays: list, dim: int = 0) -> Array:
    if not arrays:
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, a in enumerate(arrays):
        if a.shape != arrays[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(arrays[0].shape)} at entry 0 and {list(a.shape)} at entry {i}"
            )
    return contiguous(np.stack(arrays, wrap_dim(dim, arrays[0].ndim + 1)))


def index(a: Array, indices: tuple) -> Array:
    """Integer-array and mask indexing; None stands for a dimension taken whole."""
    return contiguous(a[_numpy_indices(indices)])


def _numpy_indices(indices: tuple) -> tuple:
    """NumPy puts the result's new dimensions in front when index arrays are separated by slices, and so does PyTorch."""
    return tuple([slice(None) if i is None else i for i in indices])


def index_put(a: Array, indices: tuple, values: Array, accumulate: bool = False) -> Array:
    return index_put_(clone(a), indices, values, accumulate)


def index_put_(a: Array, indices: tuple, values: Array, accumulate: bool = False) -> Array:
    where_ = _numpy_indices(indices)
    if accumulate:
        np.add.at(a, where_, values)
    else:
        a[where_] = values
    return a


def index_backward(grad: Array, shape: tuple, indices: tuple) -> Array:
    """Zeros with the gradients added where they were read from."""
    return index_put_(np.zeros(shape, grad.dtype), indices, grad, True)


def index_clear(grad: Array, indices: tuple, accumulate: bool) -> Array:
    """The gradient for what index_put overwrote: none, unless it was added to."""
    return grad if accumulate else index_put(grad, indices, np.zeros((), grad.dtype))


def masked_select(a: Array, mask: Array) -> Array:
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    a, mask = np.broadcast_arrays(a, mask)
    return a[mask]


def masked_select_backward(grad: Array, shape: tuple, mask: Array) -> Array:
    whole = np.broadcast_shapes(shape, mask.shape)
    result = np.zeros(whole, grad.dtype)
    result[np.broadcast_to(mask, whole)] = grad
    return result


def masked_fill(a: Array, mask: Array, value: Any) -> Array:
    try:
        np.broadcast(mask, a)
    except ValueError:
        raise RuntimeError(broadcast_error([mask, a])) from None
    return contiguous(np.where(_checked_mask(mask), _as_element(value, a.dtype), a))


def masked_fill_(a: Array, mask: Array, value: Any) -> Array:
    whole = np.broadcast(a, _checked_mask(mask)).shape
    if whole != a.shape:
        raise RuntimeError(
            f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(whole)}"
        )
    if any([s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)]):
        warn.once(
            "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
            "applies to advanced indexing e.g. tensor[mask] = scalar",
            stacklevel=6,
        )
    np.copyto(a, _as_element(value, a.dtype), where=mask)
    return a


def _checked_mask(mask: Array) -> Array:
    if mask.dtype.kind != "b":
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {c_name(mask)}"
        )
    return mask


def _as_element(value: Any, dtype: np.dtype) -> Any:
    from jgrad.ops.creation import fill_number

    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
            )
        value = value.item()
    return np.asarray(fill_number(value, dtype), dtype)


# One index along a dimension: self[index[i][j]][j]


def _places(shape: tuple, dim: int, index: Array) -> Array:
    """Where the elements lie in the flat memory of a row-major array: this dimension by index, the others by position.

    (One flat index reads and writes half as slow again as a tuple of them, and is the only one that ufunc.at is fast for.)
    """
    steps = [1] * len(shape)
    for k in range(len(shape) - 1, 0, -1):
        steps[k - 1] = steps[k] * shape[k]
    places = index if steps[dim] == 1 else index * steps[dim]
    for k, extent in enumerate(index.shape):
        if k != dim and extent > 1:
            along = np.arange(extent).reshape([extent if d == k else 1 for d in range(index.ndim)])
            places = places + along * steps[k]
    return places.reshape(-1)


def _check_index(name: str, index: Array) -> None:
    if index.size and index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def _check_bounds(index: Array, dim: int, size: int) -> None:
    """Negative indices are out of bounds here."""
    if index.min() < 0 or index.max() >= size:
        bad = index[(index < 0) | (index >= size)].flat[0]
        raise RuntimeError(f"index {bad} is out of bounds for dimension {dim} with size {size}")


def gather(a: Array, dim: int, index: Array) -> Array:
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
    return contiguous(source).reshape(-1)[_places(source.shape, d, flat)].reshape(index.shape)


def scatter(a: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    return scatter_(clone(a), dim, index, src, reduce)


def scatter_(a: Array, dim: int, index: Array, src: Any, reduce: str | None = None) -> Array:
    d = wrap_dim(dim, a.ndim)
    _check_index("scatter", index)
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    tensor = isinstance(src, np.ndarray)
    if tensor and src.dtype != a.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return a
    if tensor and reduce is not None:
        warn.once(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch release. Use "
            "torch.scatter_reduce instead for more reduction options.",
            stacklevel=7,
        )
    _check_scatter_shapes(a, d, index, src if tensor else None)
    ufunc = {None: None, "add": np.add, "multiply": np.multiply}[reduce]
    _write_along(a, d, index, src if tensor else _as_element(src, a.dtype), ufunc)
    return a


def scatter_add(a: Array, dim: int, index: Array, src: Array) -> Array:
    return scatter_add_(clone(a), dim, index, src)


def scatter_add_(a: Array, dim: int, index: Array, src: Array) -> Array:
    d = wrap_dim(dim, a.ndim)
    _check_index("scatter", index)
    if src.dtype != a.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return a
    _check_scatter_shapes(a, d, index, src)
    _write_along(a, d, index, src, np.add)
    return a


def _check_scatter_shapes(a: Array, d: int, index: Array, src: Array | None) -> None:
    if max(a.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    if src is not None and max(src.ndim, 1) != max(index.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    shape = a.shape or (1,)
    too_large = any(k != d and m > n for k, (m, n) in enumerate(zip(index.shape, shape, strict=False)))
    beyond_source = src is not None and any(m > n for m, n in zip(index.shape, src.shape, strict=False))
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
    places = _places(shape, d, index)
    flat = contiguous(a).reshape(-1)
    if ufunc is None:
        flat[places] = src
    else:
        ufunc.at(flat, places, src)
    if not np.may_share_memory(flat, a):
        a[...] = flat.reshape(a.shape)


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
    if index.size and (index.min() < 0 or index.max() >= source.shape[d]):
        raise IndexError("index out of range in self")
    taken = np.take(source, index.reshape(-1), d)
    return taken if a.ndim else taken.reshape(())


def index_add(a: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    return index_add_(clone(a), dim, index, source, alpha)


def index_add_(a: Array, dim: int, index: Array, source: Array, alpha: Any = 1) -> Array:
    d = wrap_dim(dim, a.ndim)
    if index.dtype != np.int64 and index.dtype != np.int32:
        raise RuntimeError(
            f"index_add_(): Expected dtype int32/int64 for index but got: {scalar_name(index)}"
        )
    if source.dtype != a.dtype:
        raise RuntimeError(
            f"index_add_(): self ({scalar_name(a)}) and source ({scalar_name(source)}) must have the same scalar type"
        )
    if index.ndim > 1:
        raise IndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {index.ndim} with type: {scalar_name(index)} and size: "
            f"{list(index.shape)}"
        )
    count = source.shape[d] if source.ndim else 1
    if index.size != count:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.size}) should be equal to source.size(dim): ({count}), for dim: {d}"
        )
    if a.shape[:d] + a.shape[d + 1 :] != source.shape[:d] + source.shape[d + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{list(a.shape)} source.shape = {list(source.shape)}"
        )
    target = a if a.ndim else a.reshape(1)
    if index.size:
        _check_bounds(index, d, target.shape[d])
    addend = source if isinstance(alpha, int) and alpha == 1 else source * np.asarray(alpha, a.dtype)
    place: Any = (slice(None),) * d + (index.reshape(-1),)
    np.add.at(target, place, addend if a.ndim else addend.reshape(-1))
    return a
