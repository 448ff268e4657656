"""The kernels on NumPy arrays: convolutions, pooling and resampling. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
