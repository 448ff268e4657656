"""The kernels on NumPy arrays: pooling. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
