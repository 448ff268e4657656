"""The largest of each window. Replaces a function of `jgrad.kernels.numpy.pooling`: all places of a window at once, not a launch for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels.numpy.convolution import padded, window_places
from jgrad.kernels.numpy.memory import over
from jgrad.kernels.numpy.pooling import behind, flat_index, last_largest_nan


def window_maxima(
    a: Any, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple
) -> tuple[Any, Any]:
    dims = len(kernel)
    sizes, lead = a.shape[-dims:], a.shape[:-dims]
    lowest = -np.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    wide = np.ascontiguousarray(
        padded(a, padding, lowest, behind(sizes, kernel, stride, padding, dilation, counts))
    )
    lines = wide.strides[-dims:]
    strides = wide.strides[:-dims] + tuple(
        [s * n for factors in (stride, dilation) for s, n in zip(factors, lines, strict=True)]
    )
    rows = over(wide, lead + counts + kernel, wide.dtype, 0, strides).reshape(
        (*lead, *counts, math.prod(kernel))
    )
    number = last_largest_nan(rows)
    values = np.take_along_axis(rows, number[..., None], -1)[..., 0]
    steps = [d * math.prod(sizes[i + 1 :]) for i, d in enumerate(dilation)]
    offsets = [
        sum([p * s for p, s in zip(place, steps, strict=True)])
        for place, _ in window_places(kernel, stride, dilation, counts)
    ]
    starts = [np.arange(c) * s - p for c, s, p in zip(counts, stride, padding, strict=True)]
    indices = np.array(offsets, np.int64).take(number) + flat_index(starts, sizes)
    # A window of nothing but -inf has its maximum at its first element that is no padding.
    firsts = [np.where(s < 0, s + d * -(s // d), s) for s, d in zip(starts, dilation, strict=True)]
    return values, np.where(values == lowest, flat_index(firsts, sizes), indices)
