"""Triangles. Replaces a function of `jgrad.kernels.numpy.rearranging`."""

from __future__ import annotations

from typing import Any

import numpy as np


def _triangle(name: str, a: Any, diagonal: int, keep_lower: bool) -> Any:
    if a.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return np.tril(a, diagonal) if keep_lower else np.triu(a, diagonal)
