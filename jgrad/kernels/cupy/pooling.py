"""The largest of each window. Replaces a function of `jgrad.kernels.numpy.pooling`: all places of a window at once, not a launch for each."""

from __future__ import annotations

import functools
import math
from typing import Any

import cupy
import numpy as np

from jgrad.kernels.libraries import NUMPY
from jgrad.kernels.numpy.convolution import padded, window_places
from jgrad.kernels.numpy.fusing import fused
from jgrad.kernels.numpy.memory import over
from jgrad.kernels.numpy.pooling import behind, last_largest_nan

FEW = 16  # places of a window that are the arguments of one kernel


def window_maxima(
    a: Any, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple
) -> tuple[Any, Any]:
    dims = len(kernel)
    sizes = a.shape[-dims:]
    lowest = -np.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    wide = np.ascontiguousarray(
        padded(a, padding, lowest, behind(sizes, kernel, stride, padding, dilation, counts))
    )
    steps = [d * math.prod(sizes[i + 1 :]) for i, d in enumerate(dilation)]
    places = window_places(kernel, stride, dilation, counts)
    offsets = [sum([p * s for p, s in zip(place, steps, strict=True)]) for place, _ in places]
    bases = indices_of_windows(sizes, stride, padding, dilation, counts, cupy.cuda.runtime.getDevice())
    if len(places) <= FEW:
        return largest(*bases, *[wide[elements] for _, elements in places], *offsets)
    lines = wide.strides[-dims:]
    strides = wide.strides[:-dims] + tuple(
        [s * n for factors in (stride, dilation) for s, n in zip(factors, lines, strict=True)]
    )
    rows = over(wide, a.shape[:-dims] + counts + kernel, wide.dtype, 0, strides)
    rows = rows.reshape((*a.shape[:-dims], *counts, len(places)))
    number = last_largest_nan(rows)
    values = np.take_along_axis(rows, number[..., None], -1)[..., 0]
    begins, firsts = bases
    return values, np.where(values == lowest, firsts, cupy.asarray(offsets).take(number) + begins)


@functools.lru_cache(64)
def indices_of_windows(
    sizes: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple, device: int
) -> tuple:
    """Where each window begins, perhaps in the padding, and its first element that is none; which the CPU computes once."""
    host, index = NUMPY.np, NUMPY.kernels.flat_index
    starts = [host.arange(c) * s - p for c, s, p in zip(counts, stride, padding, strict=True)]
    firsts = [host.where(s < 0, s + d * -(s // d), s) for s, d in zip(starts, dilation, strict=True)]
    return tuple([cupy.asarray(index(places, sizes)) for places in (starts, firsts)])


@fused
def largest(begins: Any, firsts: Any, *places_and_offsets: Any) -> Any:
    """The largest of elements at the same place of every window, the last nan if there is one, and its index; `firsts` where all are the
    lowest."""
    count = len(places_and_offsets) // 2
    values, *others = places_and_offsets[:count]
    lowest = -np.inf if values.dtype.kind == "f" else int(np.iinfo(values.dtype).min)
    indices = np.where((values > lowest) | (values != values), begins + places_and_offsets[count], firsts)
    for here, offset in zip(others, places_and_offsets[count + 1 :], strict=True):
        better = (here > values) | (here != here)
        values, indices = np.where(better, here, values), np.where(better, begins + offset, indices)
    return values.copy() if count == 1 else values, indices
