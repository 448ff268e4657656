"""Functions of one element. Replaces parts of `jgrad.kernels.numpy.elementary`."""

from __future__ import annotations

from typing import Any

import numpy as np

LARGE = 2**62  # each function has its own kernel


def times(grad: Any, slope: Any) -> Any:
    return np.multiply(grad, np.conjugate(slope))
