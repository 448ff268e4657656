"""Functions of one element. Replaces parts of `jgrad.kernels.numpy.elementary`."""

from __future__ import annotations

LARGE = 2**62  # each function has its own kernel
