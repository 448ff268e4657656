"""The kernels on NumPy arrays: what only values tell. Part of `jgrad.kernels.numpy`.

A device would have to be waited for, so `kernels/cupy/values.py` answers without looking.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray

# Whether arguments are refused for their values: an index out of range, a probability above 1.
CHECKED = True


def perhaps(mask: Array) -> bool:
    """Whether any element is true; where nobody looks it is said to be so, and what is done then must be right in any case."""
    return bool(mask.any())


def taken(a: Array, index: Array, axis: int | None = None, out: Array | None = None) -> Array:
    """Elements by an index that is within bounds. (With "wrap" NumPy is fastest, but it refuses to take nothing of nothing.)"""
    return a.take(index, axis, out, "wrap" if index.size else "raise")
