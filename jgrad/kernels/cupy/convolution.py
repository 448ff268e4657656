"""Convolutions. Replaces parts of `jgrad.kernels.numpy.convolution`."""

from __future__ import annotations

BLOCK = LARGEST = 2**26  # there is no cache to stay in, and each part would be a launch
