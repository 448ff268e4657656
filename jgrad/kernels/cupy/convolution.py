"""Convolution. Replaces parts of `jgrad.kernels.numpy.convolution`."""

from __future__ import annotations

BLOCK = (
    2**28
)  # elements of all windows that are computed together: what memory allows, as there is no cache to stay in
