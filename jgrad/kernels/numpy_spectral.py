"""The kernels on NumPy arrays: Fourier transforms and windows. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
