"""The kernels on NumPy arrays: resizing and sampling of images. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
