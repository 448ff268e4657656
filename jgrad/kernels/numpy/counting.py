"""The kernels on NumPy arrays: counts and histograms. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.kernels.numpy.shape import Array, c_name
from jgrad.kernels.numpy.values import refuse_unless


def bincount(a: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if a.dtype.kind not in "iu":
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{kind}'")
    if a.ndim == 1 and not a.size:
        return np.zeros(minlength, np.int64)
    text = "bincount only supports 1-d non-negative integral inputs."
    if a.ndim != 1:
        raise RuntimeError(text)
    refuse_unless(a >= 0, lambda: RuntimeError(text))
    a = a.astype(np.intp, copy=False)  # has 32 bits in WebAssembly, where NumPy refuses wider indices
    if weights is None:
        return np.bincount(a, minlength=minlength).astype(np.int64, copy=False)
    if weights.shape != a.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    if weights.dtype.kind == "c":
        warn.once("Casting complex values to real discards the imaginary part")
    total = np.bincount(a, weights.real, minlength)
    return total.astype(weights.dtype if weights.dtype == np.float32 else np.float64, copy=False)


def histc(a: Array, bins: int = 100, min: Any = 0, max: Any = 0) -> Array:
    check_bins(bins, 0)
    low, high = float(min), float(max)
    if low == high and a.size:
        if a.dtype.kind == "c":
            kind = dtypes.FROM_NUMPY[a.dtype].type_name
            raise NotImplementedError(f"\"aminmax_cpu\" not implemented for '{kind}'")
        low, high = float(a.min().item()), float(a.max().item())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if a.dtype.kind != "f":
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        name = "linspace_cpu" if kind == "Bool" else "histogram_cpu"
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind}'")
    if low == high:
        low, high = low - 1, high + 1
    flat = a.reshape(-1)
    inside = flat[(flat >= low) & (flat <= high)]
    return np.bincount(equal_bin(inside, bins, low, high), minlength=bins).astype(a.dtype)


def equal_bin(values: Array, bins: int, low: float, high: float) -> Array:
    """The number of the bin that each value falls into, of equal bins; the last contains its upper edge."""
    wide = values.astype(np.float32, copy=False) if values.dtype == np.float16 else values
    ends = np.asarray([low, high], wide.dtype)
    found = ((wide - ends[0]) / (ends[1] - ends[0]) * np.asarray(bins, wide.dtype)).astype(np.intp)
    return np.minimum(found, bins - 1)


def check_bins(bins: int, d: int) -> None:
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension {d}")


def histogram_bins(
    a: Array, bins: Array, weight: Array | None = None, density: bool = False
) -> tuple[Array, Array]:
    hist, edges = histogramdd_edges(a.reshape(-1, 1), [bins], None, flattened(weight), density)
    return hist, edges[0]


def histogram(
    a: Array, bins: int = 100, range: tuple | None = None, weight: Array | None = None, density: bool = False
) -> tuple[Array, Array]:
    hist, edges = histogramdd_counts(a.reshape(-1, 1), (bins,), range, flattened(weight), density)
    return hist, edges[0]


def flattened(weight: Array | None) -> Array | None:
    return None if weight is None else weight.reshape(-1)


def histogramdd_counts(
    a: Array, bins: tuple, range: tuple | None = None, weight: Array | None = None, density: bool = False
) -> tuple[Array, list]:
    points, weights = check_points(a, len(bins), weight)
    n = points.shape[1]
    for d, count in enumerate(bins):
        check_bins(count, d)
    if range is not None and len(range) != 2 * n:
        raise RuntimeError(
            f"torch.histogramdd: for a {n}-dimensional histogram range should have {2 * n} elements, but got {len(range)}"
        )
    edges, places = [], []
    if a.dtype.kind == "c":
        refuse_other_dtypes(a)
    for d, count in enumerate(bins):
        column = points[:, d]
        if range is not None:
            low, high = range[2 * d : 2 * d + 2]
        elif len(column):
            low, high = column.min().item(), column.max().item()
        else:
            low = high = 0.0
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RuntimeError(f"torch.histogramdd: dimension {d}'s range [{low:g}, {high:g}] is not finite")
        if low > high:
            raise RuntimeError(
                f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {d}"
            )
        if low == high:
            low, high = (low - 0.5, high + 0.5) if range is not None or len(column) else (0.0, 1.0)
        refuse_other_dtypes(a)
        edges.append(linear_edges(low, high, count, a.dtype))
        inside = (column >= low) & (column <= high)
        places.append(np.where(inside, bin_between(np.where(inside, column, low), edges[-1], low, high), -1))
    return totals(places, edges, weights, density, a.dtype), edges


def linear_edges(low: float, high: float, count: int, dtype: np.dtype) -> Array:
    """count + 1 edges at equal distances, from both ends towards the middle as PyTorch's linspace."""
    start, end = np.asarray(low, dtype), np.asarray(high, dtype)
    step = (end - start) / np.asarray(count, dtype)
    up = np.arange(count + 1, dtype=dtype)
    return np.where(up < (count + 1) // 2, start + step * up, end - step * up[::-1]).astype(dtype)


def bin_between(values: Array, edges: Array, low: float, high: float) -> Array:
    """As `equal_bin`, and next to an edge by comparison with it."""
    count = len(edges) - 1
    place = equal_bin(values, count, low, high)
    place = np.where(values < edges[place], place - 1, place)
    return np.where((place + 1 < count) & (values >= edges[np.minimum(place + 1, count)]), place + 1, place)


def histogramdd_edges(
    a: Array, bins: list, range: tuple | None = None, weight: Array | None = None, density: bool = False
) -> tuple[Array, list]:
    if a.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    if len(bins) != a.shape[-1]:
        raise RuntimeError(
            f"torch.histogramdd: expected {a.shape[-1]} sequences of bin edges for a {a.shape[-1]}-dimensional histogram but got {len(bins)}"
        )
    for d, edges in enumerate(bins):
        if edges.dtype != a.dtype:
            raise RuntimeError(
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
                f"{c_name(a)} and bins for dimension {d} with dtype {c_name(edges)}"
            )
        if edges.ndim != 1:
            raise RuntimeError(
                f"torch.histogramdd: bins tensor should have one dimension, but got {edges.ndim} dimensions in the bins tensor for dimension {d}"
            )
        if not edges.size:
            raise RuntimeError(
                "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension "
                f"{d}"
            )
    points, weights = check_points(a, len(bins), weight)
    for d, edges in enumerate(bins):
        check_bins(len(edges) - 1, d)
    refuse_other_dtypes(a)
    places = []
    for d, edges in enumerate(bins):
        column = points[:, d]
        place = np.searchsorted(edges, column, "right") - 1
        place = np.where(column == edges[-1], len(edges) - 2, place)
        places.append(np.where((column >= edges[0]) & (column <= edges[-1]), place, -1))
    return totals(places, bins, weights, density, a.dtype), [e.copy() for e in bins]


def check_points(a: Array, dims: int, weight: Array | None) -> tuple[Array, Array | None]:
    """The points as rows and the weights as a vector, with PyTorch's errors."""
    if a.ndim < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    if dims != a.shape[-1]:
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of the input."
        )
    if weight is not None:
        if weight.dtype != a.dtype:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got "
                f"input({c_name(a)}), and weight({c_name(weight)})"
            )
        if weight.shape != a.shape[:-1]:
            raise RuntimeError(
                "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its "
                f"innermost dimension, but got input with shape {list(a.shape)} and weight with shape {list(weight.shape)}"
            )
    return a.reshape(math.prod(a.shape[:-1]), a.shape[-1]), None if weight is None else weight.reshape(-1)


def refuse_other_dtypes(a: Array) -> None:
    if a.dtype not in (np.float32, np.float64):
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        raise NotImplementedError(f"\"histogramdd\" not implemented for '{kind}'")


def totals(places: list, edges: list, weights: Array | None, density: bool, dtype: np.dtype) -> Array:
    """The sums of the weights of the points in each bin; by the sum of all and the size of the bin, for a density."""
    if not places:
        return np.zeros((), dtype)
    shape = tuple([len(e) - 1 for e in edges])
    inside = functools.reduce(np.logical_and, [p >= 0 for p in places])
    flat = np.zeros(inside.sum().item(), np.intp)
    for n, place in zip(shape, places, strict=True):
        flat = flat * n + place[inside]
    size = math.prod(shape)
    hist = np.bincount(flat, None if weights is None else weights[inside], size).astype(dtype).reshape(shape)
    if density:
        hist /= hist.sum()
        for d, e in enumerate(edges):
            hist /= np.diff(e).reshape([-1 if i == d else 1 for i in range(len(shape))])
    return hist


def histogramdd_counts_flat(*arguments: Any) -> tuple:
    hist, edges = histogramdd_counts(*arguments)
    return hist, *edges


def histogramdd_hist(*arguments: Any) -> Array:
    return histogramdd_edges(*arguments)[0]
