"""The kernels on NumPy arrays: activations, losses and normalizations of neural networks. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations
