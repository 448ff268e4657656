"""`fft` of the array API standard: its functions say `axis` and `axes` where jgrad says `dim`."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import Tensor

__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft", "rfftfreq", "rfftn"]  # fmt: skip


def _along_one(name: str) -> Any:
    function = getattr(jgrad.fft, name)

    def transform(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
        return function(x, n=n, dim=axis, norm=norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = function.__doc__
    return transform


def _along_several(name: str) -> Any:
    function = getattr(jgrad.fft, name)

    def transform(x: Tensor, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Tensor:
        return function(x, s=s, dim=axes, norm=norm)

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = function.__doc__
    return transform


fft, ifft, rfft, irfft, hfft, ihfft = map(_along_one, ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fftn, ifftn, rfftn, irfftn = map(_along_several, ("fftn", "ifftn", "rfftn", "irfftn"))


def fftshift(x: Tensor, /, *, axes: Any = None) -> Tensor:
    """The array with frequency 0 in the middle."""
    return jgrad.fft.fftshift(x, dim=axes)


def ifftshift(x: Tensor, /, *, axes: Any = None) -> Tensor:
    """The inverse of `fftshift`."""
    return jgrad.fft.ifftshift(x, dim=axes)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """The frequencies of `fft`."""
    return jgrad.fft.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """The frequencies of `rfft`."""
    return jgrad.fft.rfftfreq(n, d, dtype=dtype, device=device)
