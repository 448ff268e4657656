"""Fourier transforms: `jgrad.fft.fft`, `jgrad.fft.rfft`, ... declared in `jgrad/ops/spectral.py`."""

from jgrad import ops as _ops  # noqa: F401  declares them
from jgrad.dispatch import public as _public

globals().update(_public("fft"))
