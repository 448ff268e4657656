# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout

def fft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along a dimension, cut or filled up with zeros to n points."""
def fft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """fftn along the last two dimensions, or other two."""
def fftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The frequencies that fft gives of n points at distance d."""
def fftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along some dimensions, or all; s are the numbers of points."""
def fftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """The frequency 0 moved from the front into the middle."""
def hfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The real spectrum of a Hermitian sequence, of which the first half is given."""
def hfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """hfftn along the last two dimensions, or other two."""
def hfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The real spectrum of Hermitian numbers, of which the first half along the last dimension is given."""
def ifft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of fft."""
def ifft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """ifftn along the last two dimensions, or other two."""
def ifftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of fftn."""
def ifftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """The frequency 0 moved from the middle to the front."""
def ihfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of hfft."""
def ihfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """ihfftn along the last two dimensions, or other two."""
def ihfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of hfftn."""
def irfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of rfft; n is the number of points of the result."""
def irfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """irfftn along the last two dimensions, or other two."""
def irfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of rfftn."""
def rfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The first half of the transform of real numbers, the rest of which mirrors it."""
def rfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """rfftn along the last two dimensions, or other two."""
def rfftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The frequencies that rfft gives of n points at distance d."""
def rfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """fftn of real numbers, of the last dimension the first half alone."""
