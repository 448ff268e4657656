"""Indexing. Replaces parts of `jgrad.kernels.numpy.indexing`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.kernels.numpy.fusing import fused
from jgrad.kernels.numpy.indexing import _reduce_flat
from jgrad.kernels.numpy.values import refuse_outside

AT_ONCE = 2**62  # there is no cache to stay in, and each part would be a launch


def refuse_out_of_bounds(index: Any, size: int, error: Callable[[], Exception]) -> None:
    refuse_outside(index, 0, size, error)


@fused
def _added_up(index: Any, step: int, others: Any) -> Any:
    places = index.astype(np.int64, copy=False) * step
    return places if others is None else places + others


def from_the_front(index: Any, size: int) -> Any:
    return index % size


def add_rows(target: Any, places: Any, rows: Any) -> None:
    np.add.at(target, places, rows)


def added_rows(rows: Any, places: Any, count: int) -> Any:
    result = np.zeros((count, rows.shape[1]), rows.dtype)
    np.add.at(result, places, rows)
    return result


def reduce_rows(target: Any, places: Any, rows: Any, reduce: str, include_self: bool) -> None:
    width = rows.shape[1]
    flat = (places.reshape(-1, 1) * width + np.arange(width)).reshape(-1)
    _reduce_flat(target, flat, rows.reshape(-1), reduce, include_self)
