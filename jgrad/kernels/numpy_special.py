"""The kernels on NumPy arrays: special functions. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
