"""How often gradients were written to while they were made.

The version of a `.grad` begins with the number of writes that made it. PyTorch adds up gradients in place, and makes some of them of zeros, by a
write: that of `x[index]`, for example. The backward pass sends raw arrays, which have no version. So the writes to an array are counted here,
as long as it lives. Arrays that nothing was written to, most of them, are not here.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

_writes: dict[int, tuple[weakref.ref, int]] = {}  # by the address of the array


def count(gradient: Any, writes: int = 1) -> None:
    """Note that a gradient was written to. (Other libraries' arrays and NumPy's scalars are not counted.)"""
    if gradient.__class__ is not np.ndarray:
        return
    array = gradient if gradient.base.__class__ is not np.ndarray else gradient.base
    key, before = id(array), version_of(array)

    def gone(reference: Any) -> None:
        found = _writes.get(key)
        if found is not None and found[0] is reference:
            del _writes[key]

    _writes[key] = weakref.ref(array, gone), before + writes


def version_of(gradient: Any) -> int:
    """The writes to a gradient, or to the array that it is a view of."""
    if not _writes:
        return 0
    array = gradient if getattr(gradient, "base", None).__class__ is not np.ndarray else gradient.base
    found = _writes.get(id(array))
    return found[1] if found is not None and found[0]() is array else 0
