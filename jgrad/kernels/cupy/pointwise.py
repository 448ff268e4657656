"""Element by element. Replaces functions of `jgrad.kernels.numpy.pointwise`."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.cupy.tracing import Traced
from jgrad.kernels.numpy.pointwise import zeros_like as zeros_like_of_any


def is_clipped(a: Any) -> bool:
    return False  # the larger of two numbers costs no more


def zeros_like(a: Any) -> Any:
    return a.dtype.type(0) if type(a) is Traced else zeros_like_of_any(a)
