"""The kernels on NumPy arrays: writing in place. Part of `jgrad.kernels.numpy`.

The first argument is changed, nothing is returned that matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numbers import fill_number
from jgrad.kernels.numpy.shape import Array


def copy_(a: Array, src: Array, non_blocking: bool = False) -> Array:
    src = np.asarray(src)
    if src.shape != a.shape:
        try:
            whole = np.broadcast_shapes(a.shape, src.shape)
        except ValueError:
            np.broadcast(a, src)  # whose error is put in PyTorch's words
        if whole != a.shape:
            raise RuntimeError(
                f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(whole)}"
            )
    if src.dtype.kind == "c" and a.dtype.kind not in "cb":
        if a.size:
            warn.once("Casting complex values to real discards the imaginary part")
        src = src.real
    np.copyto(a, src, casting="unsafe")
    return a


def fill_(a: Array, value: Any) -> Array:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
            )
        return copy_(a, value)
    a[...] = fill_number(value, a.dtype)
    return a


def zero_(a: Array) -> Array:
    a[...] = 0
    return a
