"""The kernels on NumPy arrays: checks of values. Part of `jgrad.kernels.numpy`.

A device would have to be waited for. So `kernels/cupy/values.py` lets it compute whether something is wrong, goes on, and raises when the
device is waited for anyhow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray

least, largest = np.minimum.reduce, np.maximum.reduce
CHECKED = True  # whether values can be looked at here and now


def refuse_unless(holds: Any, error: Callable[[], Exception]) -> None:
    """Raise what `error` gives unless all of these are true."""
    if not (holds.all() if holds.ndim else holds):
        raise error()


def refuse_outside(numbers: Array, low: int, end: int, error: Callable[[], Exception]) -> None:
    """Raise what `error` gives unless all of these integers are in [low, end)."""
    if numbers.size and (least(numbers, None) < low or largest(numbers, None) >= end):
        raise error()


def any_or_unknown(mask: Array) -> bool:
    """Whether any element is true. A device that is not waited for answers True, so what is done then must be right in any case."""
    return bool(mask.any())


def all_or_refused_later(mask: Array, error: Callable[[], Exception]) -> bool:
    """Whether all of these are true. A device that is not waited for answers True, and the error comes later if they are not."""
    return bool(mask.all())


def taken(a: Array, index: Array, axis: int | None = None, out: Array | None = None) -> Array:
    """Elements by an index that is within bounds. (With "wrap" NumPy is fastest, but it refuses to take nothing of nothing.)"""
    return a.take(index, axis, out, "wrap" if index.size else "raise")


def settle() -> None:
    """Raise the errors of checks that are still under way; here none are."""
