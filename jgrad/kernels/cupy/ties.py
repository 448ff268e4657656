"""Ties. Replaces a number of `jgrad.kernels.numpy.ties`."""

from __future__ import annotations

FEW = 2**62  # whatever the size, selecting is left to the one sort
