"""The kernels on NumPy arrays: memory that other libraries lend, and memory that a GPU reads by itself. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import numpy as np

from jgrad.kernels import libraries
from jgrad.kernels.numpy.memory import Array, over, owner
from jgrad.kernels.numpy.shape import is_dense


def spanned(a: Array) -> Array:
    """The array over a root without gaps, as storages are; arrays of other libraries may have gaps between their elements."""
    item = a.itemsize
    root = owner(a)
    if not a.size or is_dense(root.shape, tuple([s // item for s in root.strides])):
        return a
    cells = 1 + sum([(n - 1) * s // item for n, s in zip(a.shape, a.strides, strict=True)])
    return over(row_from(a, cells), a.shape, a.dtype, 0, a.strides)


def row_from(a: Array, cells: int) -> Array:
    """So many elements one behind the other from the first of `a` on, as an array of its own."""
    return np.lib.stride_tricks.as_strided(a, (cells,), (a.itemsize,))


pinned = libraries.pinned
