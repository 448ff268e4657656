"""Gamma numbers on a GPU: CuPy's, seeded by the place in our stream. Of the right distribution, but not PyTorch's."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.numpy.random import _of_cupy  # type: ignore[attr-defined]

Array = Any


def gamma_numbers(generator: Any, a: Array) -> Array:
    return _of_cupy(generator).standard_gamma(a.astype("f8"))
