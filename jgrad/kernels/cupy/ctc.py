"""The CTC loss. Replaces `logaddexp_at` of `jgrad.kernels.numpy.ctc`, for which CuPy has no atomic operation."""

from __future__ import annotations

from typing import Any

import cupy


def logaddexp_at(a: Any, places: tuple, b: Any) -> None:
    """Of all that comes to a place the largest first, then the sum of the others against it."""
    largest = a.copy()
    cupy.maximum.at(largest, places, b)
    origin = cupy.where(cupy.isinf(largest), 0, largest)
    total = cupy.exp(a - origin)
    cupy.add.at(total, places, cupy.exp(b - origin[places]))
    a[...] = cupy.log(total) + origin
