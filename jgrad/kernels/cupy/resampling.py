"""Resizing. Replaces functions of `jgrad.kernels.numpy.resampling`."""

from __future__ import annotations

import functools
from typing import Any

import cupy

from jgrad.kernels.libraries import NUMPY


@functools.lru_cache(64)
def taps(function: str, arguments: tuple, device: int) -> tuple:
    """From which old elements each new one is made: some numbers for each size, which the CPU computes once."""
    found = getattr(NUMPY.kernels, function)(*arguments)
    return tuple([a if a is None else cupy.asarray(a) for a in found])


def taps_of(*arguments: Any) -> tuple:
    return taps("taps_of", arguments, cupy.cuda.runtime.getDevice())


def smooth_taps(*arguments: Any) -> tuple:
    return taps("smooth_taps", arguments, cupy.cuda.runtime.getDevice())
