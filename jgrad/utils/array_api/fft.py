"""`fft` of the array API standard: its functions say `axis` and `axes` where jgrad says `dim`."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad.utils.array_api.functions import Array

own: Any = jgrad.fft

__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft", "rfftfreq", "rfftn"]  # fmt: skip


def _along_one(name: str) -> Any:
    function = getattr(own, name)

    def transform(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
        return function(x, n=n, dim=axis, norm=norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = function.__doc__
    return transform


def _along_several(name: str) -> Any:
    function = getattr(own, name)

    def transform(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
        return function(x, s=s, dim=axes, norm=norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = function.__doc__
    return transform


fft, ifft, rfft, irfft, hfft, ihfft = map(_along_one, ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fftn, ifftn, rfftn, irfftn = map(_along_several, ("fftn", "ifftn", "rfftn", "irfftn"))


def fftshift(x: Array, /, *, axes: Any = None) -> Array:
    """The array with frequency 0 in the middle."""
    return own.fftshift(x, dim=axes)


def ifftshift(x: Array, /, *, axes: Any = None) -> Array:
    """The inverse of `fftshift`."""
    return own.ifftshift(x, dim=axes)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of `fft`."""
    return own.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of `rfft`."""
    return own.rfftfreq(n, d, dtype=dtype, device=device)
