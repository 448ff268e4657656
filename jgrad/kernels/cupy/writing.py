"""Writing in place, also from the host and to it. Replaces functions of `jgrad.kernels.numpy.writing`."""

from __future__ import annotations

from typing import Any

import cupy

from jgrad import warn
from jgrad.kernels.libraries import library_of
from jgrad.kernels.numpy.memory import from_host, from_neighbour, to_host
from jgrad.kernels.numpy.shape import broadcast_error


def copy_(a: Any, src: Any, non_blocking: bool = False) -> Any:
    if not isinstance(a, cupy.ndarray):
        return library_of(a).kernels.copy_(a, to_host(src), non_blocking)
    if not isinstance(src, cupy.ndarray):
        src = from_host(src, non_blocking)
    elif src.device != a.device:
        src = from_neighbour(src)
    if src.shape != a.shape:
        try:
            whole = cupy.broadcast_shapes(a.shape, src.shape)
        except ValueError:
            raise RuntimeError(broadcast_error([a, src])) from None
        if whole != a.shape:
            raise RuntimeError(
                f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(whole)}"
            )
    if src.dtype.kind == "c" and a.dtype.kind not in "cb":
        if a.size:
            warn.once("Casting complex values to real discards the imaginary part")
        src = src.real
    a[...] = src
    return a
