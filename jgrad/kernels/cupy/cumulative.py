"""Running joins. Replaces parts of `jgrad.kernels.numpy.cumulative`."""

from __future__ import annotations

WIDE = 2**62  # each step would be a launch: so as few as there can be
