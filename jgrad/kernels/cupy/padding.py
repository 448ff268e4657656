"""What undoes picking elements. Replaces `added_at` of `jgrad.kernels.numpy.padding`."""

from __future__ import annotations

from typing import Any

import numpy as np


def added_at(a: Any, dim: int, index: Any, weight: Any, size: int) -> Any:
    rows = np.moveaxis(a, dim, 0)
    r = np.zeros((size + 1, *rows.shape[1:]), a.dtype)  # the last is for places of -1, which are none
    if a.size:
        for t in range(len(index)):
            part = rows if weight is None else rows * weight[t].reshape((-1,) + (1,) * (a.ndim - 1))
            np.add.at(r, index[t], part)
    return np.ascontiguousarray(np.moveaxis(r[:size], 0, dim))
