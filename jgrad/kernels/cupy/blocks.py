"""Reductions of large arrays. Replaces functions of `jgrad.kernels.numpy.blocks`."""

from __future__ import annotations

import contextlib
from typing import Any

LARGE = 2**62  # CuPy joins in parts by itself


def by_rows(a: Any) -> Any:
    return contextlib.nullcontext()  # CuPy has no buffers
