"""The kernels on NumPy arrays: sorting, searching, running totals and counting. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
