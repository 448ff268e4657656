"""Masks. Replaces parts of `jgrad.kernels.numpy.masking`."""

from __future__ import annotations

from typing import Any

import numpy as np


def fill_where(a: Any, mask: Any, value: Any) -> None:
    np.copyto(a, value, where=mask)
