"""Elements at points of a grid. Replaces functions of `jgrad.kernels.numpy.resampling`."""

from __future__ import annotations

from typing import Any

import numpy as np


def grid_gather(a: Any, index: Any) -> Any:
    within = np.clip(index, 0, a.shape[2] - 1)[:, None, :]
    return np.take_along_axis(a, np.broadcast_to(within, (*a.shape[:2], index.shape[1])), 2)


def grid_scatter(a: Any, index: Any, size: int) -> Any:
    r = np.zeros((*a.shape[:2], size), a.dtype)
    images, lines = np.arange(a.shape[0])[:, None, None], np.arange(a.shape[1])[None, :, None]
    np.add.at(r, (images, lines, index[:, None, :]), a)
    return r
