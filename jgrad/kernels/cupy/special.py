"""Special functions. Replaces parts of `jgrad.kernels.numpy.special`."""

from __future__ import annotations

BLOCK = BLOCK_SINGLE = 2**62  # there is no cache to stay in, and each part would be a launch
