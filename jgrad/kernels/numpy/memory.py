"""The kernels on NumPy arrays: whose memory it is, and arrays over memory. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.kernels import libraries

Array = np.ndarray


def owner(array: Array) -> Array:
    """The array that owns the memory: what two arrays share when they share storage."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address(a: Array) -> int:
    """The address of the first element."""
    return a.__array_interface__["data"][0]


def offset_of(a: Array) -> int:
    """Elements between the beginning of the memory and the first element of `a`."""
    root = owner(a)
    return 0 if root is a else (address(a) - address(root)) // a.itemsize


def over(root: Any, shape: tuple, dtype: np.dtype, offset: int = 0, strides: tuple | None = None) -> Array:
    """An array over the memory of `root`, a dense array or a buffer; offset and strides are in bytes."""
    return np.ndarray(shape, dtype, root, offset, strides)


def in_row_major(root: Any) -> Any:
    """The memory of a dense array as a row-major one: its dimensions in the order of its strides."""
    if isinstance(root, np.ndarray) and not root.flags.c_contiguous:
        return root.transpose(sorted(range(root.ndim), key=lambda d: -root.strides[d]))
    return root


def overlap(a: Array, b: Array) -> bool:
    """Whether two arrays may have elements in common."""
    return np.may_share_memory(a, b)


def writeable(a: Array) -> bool:
    """Whether elements may be written."""
    return a.flags.writeable


def to_host(a: Array) -> Array:
    """The elements as a NumPy array; here the array itself."""
    return a


def seen(a: Array) -> Array:
    """The same for an observer: errors that the device has found are not raised."""
    return a


def from_host(a: Array, non_blocking: bool = False) -> Array:
    """A NumPy array as an array of this library, with its order of strides; here the array itself."""
    return a


def from_neighbour(a: Array) -> Array:
    """A copy of an array on another device of this library, with its order of strides; here there is but one."""
    return a


def moved(a: Array, device: Any, non_blocking: bool = False) -> Any:
    """The array on a device: itself if it is there, else a copy."""
    return libraries.moved(a, device, non_blocking)
