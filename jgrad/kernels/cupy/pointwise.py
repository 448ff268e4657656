"""Element by element. Replaces a function of `jgrad.kernels.numpy.pointwise`."""

from __future__ import annotations

from typing import Any


def is_clipped(a: Any) -> bool:
    return False  # the larger of two numbers costs no more
