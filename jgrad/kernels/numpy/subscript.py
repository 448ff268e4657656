"""The kernels on NumPy arrays: `x[...]` with index arrays and masks. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numpy.indexing import add_rows
from jgrad.kernels.numpy.shape import Array, clone, contiguous, empty_strided, packed_strides
from jgrad.kernels.numpy.values import any_or_unknown, refuse_outside, taken

MASKS = (np.dtype(np.bool_), np.dtype(np.uint8))


def expanded_indices(a: Array, indices: Any) -> list[Any]:
    """Index arrays without masks (each as the indices of what is true); refuses what does not fit, in PyTorch's order and words."""
    for i in indices:
        if i is not None and i.dtype.kind != "b" and i.dtype not in (np.int64, np.int32, np.uint8):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if len(indices) > a.ndim:
        raise IndexError(f"too many indices for tensor of dimension {a.ndim} (got {len(indices)})")
    found: list[Any] = []
    for i in indices:
        if i is None or i.dtype not in MASKS:
            found.append(i)
            continue
        if i.dtype == np.uint8:
            warn.say(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
            )
        check_mask(a, i, len(found))
        found += np.nonzero(i)
    if len(found) > a.ndim:
        raise IndexError(f"too many indices for tensor of dimension {a.ndim} (got {len(found)})")
    arrays = [i for i in found if i is not None]
    try:
        shape = np.broadcast_shapes(*[i.shape for i in arrays])
    except ValueError:
        listed = ", ".join([str(list(i.shape)) for i in arrays])
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        ) from None
    if 0 not in shape and any([i is not None and n == 0 for i, n in zip(found, a.shape, strict=False)]):
        raise IndexError("index is out of bounds for dimension with size 0")
    return found


def check_mask(a: Array, mask: Array, first: int) -> None:
    """Refuse a mask whose shape is not that of the dimensions it stands for."""
    for k, n in enumerate(mask.shape):
        if first + k >= a.ndim:
            raise IndexError(f"too many indices for tensor of dimension {a.ndim}")
        if n != a.shape[first + k]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {k} does not match the shape of the indexed tensor {list(a.shape)} at "
                f"index {first + k}"
            )


def check_bounds(a: Array, indices: Any) -> None:
    """Refuse the first index (in the order of the result) that is out of bounds; the indices are expanded ones."""
    indexed = [(i, n) for i, n in zip(indices, a.shape, strict=False) if i is not None]
    if 0 in shape_of_index(a.shape, indices):
        return
    for i, n in indexed:
        refuse_outside(i, -n, n, lambda: out_of_bounds(a, indices))


def out_of_bounds(a: Array, indices: Any) -> Exception:
    """The error about the first index that is out of bounds."""
    indexed = [(i, n) for i, n in zip(indices, a.shape, strict=False) if i is not None]
    shape = np.broadcast_shapes(*[i.shape for i, _ in indexed])
    bad = [np.broadcast_to((i < -n) | (i >= n), shape).reshape(-1) for i, n in indexed]
    first = min([b.argmax().item() for b in bad if b.any().item()])
    d = next(d for d, b in enumerate(bad) if b[first].item())
    i, n = indexed[d]
    wrong = np.broadcast_to(i, shape).reshape(-1)[first].item()
    return IndexError(f"index {wrong} is out of bounds for dimension {d} with size {n}")


def _numpy_indices(indices: Any) -> tuple:
    """NumPy puts the result's new dimensions in front when index arrays are separated by slices, and so does PyTorch."""
    return tuple(
        [slice(None) if i is None else i.astype(bool) if i.dtype == np.uint8 else i for i in indices]
    )


def index(a: Array, indices: Any) -> Array:
    """Integer-array and mask indexing; None stands for a dimension taken whole."""
    only = indices[0] if len(indices) == 1 else None
    if only is not None and only.dtype.kind == "b" and only.ndim == a.ndim:
        check_mask(a, only, 0)
        return contiguous(a).reshape(-1).compress(only.reshape(-1))
    if (
        only is not None
        and only.dtype == np.int64
        and only.flags.c_contiguous
        and a.flags.c_contiguous
        and a.size
    ):
        refuse_outside(only, -len(a), len(a), lambda: out_of_bounds(a, indices))
        return taken(a, only, 0)
    indices = expanded_indices(a, indices)
    check_bounds(a, indices)
    shape = shape_of_index(a.shape, indices)
    if 0 in shape:
        return np.empty(shape, a.dtype)
    read = a[_numpy_indices(indices)]
    if read.ndim < 2:
        return contiguous(read)
    item = a.itemsize
    strides = _strides_of_result(a, indices, read.shape)
    if read.strides == tuple([s * item for s in strides]):
        return read
    laid = empty_strided(read.shape, strides, a.dtype)
    laid[...] = read
    return laid


def _strides_of_result(a: Array, indices: Any, shape: tuple) -> tuple:
    """PyTorch's strides of what was read: the whole dimensions in the order of `a`, the new ones in that of the index arrays."""
    arrays = [i for i in indices if i is not None]
    joined, front, whole = _arranged(a.ndim, indices)
    before, after = [a.strides[d] for d in whole[:front]], [a.strides[d] for d in whole[front:]]
    operands = [(*before, *[0] * len(joined), *after)]
    for i in arrays:
        laid: Array = np.broadcast_to(i, joined).reshape((1,) * len(before) + joined + (1,) * len(after))
        operands.append(
            tuple([0 if n != m else s for n, m, s in zip(laid.shape, shape, laid.strides, strict=True)])
        )
    return packed_strides(shape, operands)


def index_put(a: Array, indices: Any, values: Array, accumulate: bool = False) -> Array:
    return index_put_(clone(a), indices, values, accumulate)


def index_put_(a: Array, indices: Any, values: Array, accumulate: bool = False) -> Array:
    if not a.size or 0 in values.shape:
        return a
    if len(indices) == 1 and indices[0].dtype == np.bool_ and a.flags.c_contiguous and indices[0].ndim:
        mask = indices[0]
        places = np.flatnonzero(mask)
        flat = a.reshape((mask.size, *a.shape[mask.ndim :]))
        if accumulate:
            flat[places] += values
        else:
            flat[places] = values
        return a
    if not accumulate:
        a[_numpy_indices(indices)] = values
        return a
    only = indices[0]
    if (
        len(indices) == 1
        and only.dtype == np.int64
        and only.ndim
        and a.ndim > 1
        and a.flags.c_contiguous
        and a.dtype.kind == "f"
    ):
        rows = only.reshape(-1)
        rows = np.where(rows < 0, rows + len(a), rows) if any_or_unknown(rows < 0) else rows
        values = np.broadcast_to(values, only.shape + a.shape[1:])
        add_rows(a.reshape(len(a), -1), rows, values.reshape(rows.size, -1))
        return a
    places, shape = _flat_places(a.shape, indices)
    flat = contiguous(a).reshape(-1)
    values = np.broadcast_to(values, shape).reshape(-1) if values.shape != shape else values.reshape(-1)
    np.add.at(flat, places, values)
    if not np.may_share_memory(flat, a):
        a[...] = flat.reshape(a.shape)
    return a


def _flat_places(shape: tuple, indices: Any) -> tuple[Array, tuple]:
    """Where index arrays point, counted in row-major order, and the shape they make. (ufunc.at is fast for one flat index only.)"""
    found: list[Any] = []
    for i in indices:
        found += [i] if i is None or i.dtype not in MASKS else np.nonzero(i)
    joined, front, whole = _arranged(len(shape), found)
    result_shape = (*[shape[d] for d in whole[:front]], *joined, *[shape[d] for d in whole[front:]])
    steps = [1] * len(shape)
    for k in range(len(shape) - 1, 0, -1):
        steps[k - 1] = steps[k] * max(shape[k], 1)
    behind = len(whole) - front
    total: Any = 0
    for d, i in enumerate(found):
        if i is None:
            continue
        i = np.where(i < 0, i + shape[d], i) if any_or_unknown(i < 0) else i
        total = total + (i * steps[d]).reshape(i.shape + (1,) * behind)
    for position, d in enumerate(whole):
        axis = position if position < front else position + len(joined)
        total = total + (np.arange(shape[d]) * steps[d]).reshape(
            (-1,) + (1,) * (len(result_shape) - axis - 1)
        )
    return np.broadcast_to(total, result_shape).reshape(-1), result_shape


def index_backward(grad: Array, shape: tuple, indices: Any) -> Array:
    """Zeros with the gradients added where they were read from."""
    return index_put_(np.zeros(shape, grad.dtype), indices, grad, True)


def index_clear(grad: Array, indices: Any, accumulate: bool) -> Array:
    """The gradient for what index_put overwrote: none, unless it was added to."""
    return grad if accumulate else index_put(grad, indices, np.zeros((), grad.dtype))


def shape_of_index(shape: tuple, indices: Any) -> tuple:
    """The shape of what expanded index arrays read from something of this shape."""
    joined, front, whole = _arranged(len(shape), indices)
    return (*[shape[d] for d in whole[:front]], *joined, *[shape[d] for d in whole[front:]])


def _arranged(ndim: int, indices: Any) -> tuple[tuple, int, list[int]]:
    """The shape that index arrays make together, how many of the whole dimensions come before it, and these dimensions."""
    joined = np.broadcast_shapes(*[i.shape for i in indices if i is not None])
    places = [d for d, i in enumerate(indices) if i is not None]
    front = places[0] if places[-1] - places[0] == len(places) - 1 else 0
    return joined, front, [d for d in range(ndim) if d not in places]
