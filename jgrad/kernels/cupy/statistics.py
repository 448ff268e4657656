"""Middle elements and variances. Replaces functions of `jgrad.kernels.numpy.statistics`, which look at the values."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import summed
from jgrad.kernels.numpy.statistics import euclidean_norm as euclidean_norm_of_any
from jgrad.kernels.numpy.statistics import sum_of_squares as sum_of_squares_of_any


def middle_of_all(flat: Any, skips_nan: bool) -> Any:
    floating = flat.dtype.kind == "f"
    if not flat.size:
        return np.full((), np.nan if floating else np.iinfo(flat.dtype).min, flat.dtype)
    ranked = np.sort(flat)  # nan comes last
    if not floating:
        return ranked[(flat.size - 1) // 2]
    numbers = np.isnan(flat).sum() * -1 + flat.size
    if skips_nan:
        return ranked.take(np.maximum(numbers - 1, 0) // 2)
    return np.where(numbers < flat.size, np.full((), np.nan, flat.dtype), ranked[(flat.size - 1) // 2])


def index_of_rank(rows: Any, value: Any, place: Any) -> Any:
    same = rows == value
    before = np.broadcast_to(place - np.add.reduce(rows < value, -1, keepdims=True), value.shape)
    return np.where(before[..., 0] > 0, (np.cumsum(same, -1) > before).argmax(-1), same.argmax(-1))


def in_pytorchs_places(indices: Any, rows: Any, value: Any, run: Any) -> None:
    """PyTorch's order of equal elements is that of its CPU."""


@summed
def squared_distances(a: Any, mean: Any) -> Any:
    return np.square(a - mean)


def sum_of_squares(a: Any, mean: Any, dims: tuple | None) -> Any:
    if a.dtype.kind == "c" or dims == ():
        return sum_of_squares_of_any(a, mean, dims)
    return squared_distances(a, mean, axis=dims, keepdims=True)


@summed
def squares(a: Any, dtype: str) -> Any:
    return np.square(a.astype(dtype))


def euclidean_norm(a: Any, dims: tuple | None, keepdim: bool) -> Any:
    if a.dtype.kind != "f" or dims == ():
        return euclidean_norm_of_any(a, dims, keepdim)
    wide = "f" if a.dtype.char == "e" else a.dtype.char
    return np.sqrt(squares(a, wide, axis=dims, keepdims=keepdim)).astype(a.dtype, copy=False)
