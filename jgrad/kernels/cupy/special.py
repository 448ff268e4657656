"""Special functions. Replaces parts of `jgrad.kernels.numpy.special`."""

from __future__ import annotations

from typing import Any

import cupyx

from jgrad.kernels.cupy.tracing import Traced
from jgrad.kernels.numpy.special import erf as erf_of_any
from jgrad.kernels.numpy.special import erfc as erfc_of_any

BLOCK = BLOCK_SINGLE = 2**62  # there is no cache to stay in, and each part would be a launch


def erf(a: Any) -> Any:
    if type(a) is Traced:
        return a.special("erf")
    return cupyx.scipy.special.erf(a).astype(a.dtype, copy=False) if a.dtype.kind == "f" else erf_of_any(a)


def erfc(a: Any) -> Any:
    if type(a) is Traced:
        return a.special("erfc")
    return cupyx.scipy.special.erfc(a).astype(a.dtype, copy=False) if a.dtype.kind == "f" else erfc_of_any(a)


def gamma_by_scipy(upper: bool) -> None:
    """SciPy's functions take NumPy's arrays alone."""
