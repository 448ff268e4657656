"""Whose memory it is, and arrays over memory. Replaces functions of `jgrad.kernels.numpy.memory`."""

from __future__ import annotations

from typing import Any

import cupy

from jgrad.kernels.libraries import is_pinned
from jgrad.kernels.numpy.values import settle

Array = Any


def owner(array: Array) -> Array:
    return array if array.base is None else array.base


def address(a: Array) -> int:
    return a.data.ptr


def over(root: Array, shape: tuple, dtype: Any, offset: int = 0, strides: tuple | None = None) -> Array:
    dtype = cupy.dtype(dtype)
    if strides is None:
        strides = row_major(shape, dtype.itemsize)
    if not root.nbytes or offset >= root.nbytes:
        view = root.ravel("K").view("u1")[:0].view(dtype)
    else:
        whole = offset + (root.nbytes - offset) // dtype.itemsize * dtype.itemsize
        view = root.ravel("K").view("u1")[offset:whole].view(dtype)
    # Any other way to such a view would forget whose memory it is.
    view._set_shape_and_strides(shape, strides, True, True)
    return view


def row_major(shape: tuple, itemsize: int) -> tuple:
    """The strides in bytes of a fresh array."""
    strides = []
    for extent in reversed(shape):
        strides.append(itemsize)
        itemsize *= max(extent, 1)
    return tuple(reversed(strides))


def in_row_major(root: Array) -> Array:
    return root


def overlap(a: Array, b: Array) -> bool:
    if owner(a) is not owner(b) or not a.size or not b.size:
        return False
    (low_a, high_a), (low_b, high_b) = reach(a), reach(b)
    return low_a < high_b and low_b < high_a


def reach(a: Array) -> tuple[int, int]:
    """The first byte and the one after the last."""
    start = a.data.ptr
    return start, start + a.itemsize + sum([(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)])


def writeable(a: Array) -> bool:
    return True


def to_host(a: Array) -> Any:
    settle()
    return seen(a)


def seen(a: Array) -> Any:
    order, back = by_strides(a)
    with a.device:  # whose stream is waited for
        return a.transpose(order).get().transpose(back)


def from_host(a: Any, non_blocking: bool = False) -> Array:
    order, back = by_strides(a)
    # From pinned memory CuPy copies while the program goes on, which may write to it; of other memory it takes a copy first.
    blocking = not non_blocking and is_pinned(a)
    return cupy.array(a.transpose(order), order="C", blocking=blocking).transpose(back)


def from_neighbour(a: Array) -> Array:
    order, back = by_strides(a)
    packed = a.transpose(order)
    copied = cupy.empty(packed.shape, packed.dtype)
    if not packed.size:
        return copied.transpose(back)
    here = cupy.cuda.get_current_stream()
    with a.device:
        there = cupy.cuda.get_current_stream()
        packed = packed if packed._c_contiguous else packed.copy()
        packed_by = there.record()
    here.wait_event(packed_by)  # the default stream is that of the current device
    copied.data.copy_from_device_async(packed.data, packed.nbytes)
    copied_by = here.record()
    with a.device:
        there.wait_event(copied_by)  # what was copied may be given back or written to from then on
    return copied.transpose(back)


def by_strides(a: Any) -> tuple[list[int], list[int]]:
    """The dimensions from the outermost in memory to the innermost, and the way back."""
    order = sorted(range(a.ndim), key=lambda d: -a.strides[d])
    return order, sorted(range(a.ndim), key=order.__getitem__)
