"""Memory that other libraries lend. Replaces functions of `jgrad.kernels.numpy.lending`."""

from __future__ import annotations

from typing import Any

import cupy


def row_from(a: Any, cells: int) -> Any:
    return cupy.ndarray((cells,), a.dtype, a.data)
