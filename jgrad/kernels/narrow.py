"""Narrow floats (bfloat16, float8) on their way to float32, in which they are computed, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes

SINGLE = np.dtype(np.float32)
NUMPY: set[np.dtype] = set()  # NumPy's dtypes of the narrow floats, as soon as they are in use

dtypes.listeners.append(lambda: NUMPY.update([d.numpy for d in dtypes.NARROW]))


def is_narrow(dtype: Any) -> bool:
    """Whether this is NumPy's dtype of a narrow float."""
    return isinstance(dtype, np.dtype) and dtype in NUMPY


def widened(a: np.ndarray) -> np.ndarray:
    """An array of narrow floats as float32, with strides of the same order; elements that share their memory share it still."""
    reach, shared = a.itemsize, False
    for stride, n in sorted(zip(a.strides, a.shape, strict=True)):
        shared = shared or (n > 1 and 0 <= stride < reach)
        reach += stride * (n - 1)
    if not shared or not a.size:
        return a.astype(SINGLE)
    memory = np.lib.stride_tricks.as_strided(a, (reach // a.itemsize,), (a.itemsize,)).astype(SINGLE)
    return np.lib.stride_tricks.as_strided(
        memory, a.shape, [s // a.itemsize * SINGLE.itemsize for s in a.strides]
    )


def rounded(a: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers in a narrow dtype, as PyTorch rounds them; as they are, if the dtype is not narrow."""
    if not is_narrow(dtype):
        return a
    kind = dtypes.FROM_NUMPY[dtype]
    single = (a.real if a.dtype.kind == "c" else a).astype(SINGLE, copy=False)
    # Which has no infinities: the largest number stands for all that are larger.
    if kind is dtypes.float8_e4m3fn:
        single = np.clip(single, -448, 448)
    if kind is dtypes.float8_e8m0fnu:
        return _exponents(np.asarray(single)).view(dtype)
    return np.asarray(single.astype(dtype))


def _exponents(a: np.ndarray) -> np.ndarray:
    """The exponents of float32 numbers, rounded to the nearest, and of two that are equally near to the even one; 255 is nan. Signs are
    lost, and zero becomes the smallest exponent, as in PyTorch."""
    bits = a.view(np.uint32)
    exponents = bits >> 23 & 0xFF
    mantissas = bits & 0x7FFFFF
    up = (mantissas > 0x400000) | ((mantissas == 0x400000) & (exponents > 0))
    return np.where(exponents == 255, 255, exponents + up).astype(np.uint8)


def cast(a: Any, dtype: np.dtype) -> Any:
    """An array in another dtype, which may be a narrow one."""
    return rounded(a, dtype) if is_narrow(dtype) else a.astype(dtype)
