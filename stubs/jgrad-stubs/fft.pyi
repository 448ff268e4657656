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
    """The discrete Fourier transform along a dimension. Element k of the result is the sum of `input[j] * exp(-2 * pi * i * j * k / n)` over j.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools are converted to the default dtype
        n: how many points are transformed; the input is cut, or filled up with zeros at its end; None takes all
        dim: the dimension along which to transform
        norm: None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new complex tensor. The dimension has size n. The frequencies are in the order of `fft.fftfreq`.
    
    >>> jgrad.fft.fft(jgrad.tensor([1., 2., 3., 4.]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
def fft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with real or complex numbers
        s: how many points are transformed along the two dimensions; the input is cut, or filled up with zeros at its end; None takes all
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new complex tensor. It is `fft.fftn` with other default dimensions.
    
    >>> jgrad.fft.fft2(jgrad.tensor([[1., 2.], [3., 4.]])).real
    tensor([[10., -2.],
            [-4.,  0.]])
    """
def fftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The frequencies of the elements that `fft.fft` returns: first 0 and the positive ones, then the negative ones.
    
    Args:
        n: how many points were transformed
        d: the distance of the points; the frequencies are in cycles per unit of this distance
        dtype: the dtype of the result, floating point; None is the default dtype
        layout: dense tensors only, as it is by default
        device: the device of the result; None is the default device
        pin_memory: whether the memory of the result is pinned
        requires_grad: whether the result requires grad
    
    Returns a new tensor of shape (n,).
    
    >>> jgrad.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    >>> jgrad.fft.fftfreq(5, d=0.2)
    tensor([ 0.,  1.,  2., -2., -1.])
    """
def fftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along several dimensions, by default along all.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools are converted to the default dtype
        s: how many points are transformed along each dimension; the input is cut, or filled up with zeros at its end; -1 takes all points of
            a dimension, None takes all points of each
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" do not scale the result, "ortho" divides it by the root of n,
            "forward" divides it by n
    
    Returns a new complex tensor.
    
    >>> jgrad.fft.fftn(jgrad.tensor([[1., 2.], [3., 4.]])).real
    tensor([[10., -2.],
            [-4.,  0.]])
    """
def fftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """The elements of a spectrum rolled, so that the frequency 0 is in the middle and not at the front.
    
    Args:
        input: a tensor in the order of `fft.fft`
        dim: the dimension, or dimensions, along which to roll; None takes all
    
    Returns a new tensor.
    
    >>> frequencies = jgrad.fft.fftfreq(4)
    >>> frequencies
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    >>> jgrad.fft.fftshift(frequencies)
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
def hfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The real Fourier transform of a sequence of which the first half is given. The second half mirrors it, conjugated (it is Hermitian).
    
    Args:
        input: the first half of the sequence; real numbers are converted to complex ones
        n: how many points the result has; the input is cut, or filled up with zeros, to n // 2 + 1 points; None takes
            the even number 2 * (size - 1)
        dim: the dimension along which to transform
        norm: None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new real tensor. The dimension has size n.
    
    >>> jgrad.fft.hfft(jgrad.tensor([1., 1., 1.]))  # the whole sequence is 1, 1, 1, 1
    tensor([4., 0., 0., 0.])
    """
def hfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The real Fourier transform of Hermitian numbers (see `fft.hfftn`) along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with complex numbers; real ones are converted
        s: how many points the result has along the two dimensions; None takes the even number 2 * (size - 1) for the last one
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new real tensor. It is `fft.hfftn` with other default dimensions.
    
    >>> jgrad.fft.hfft2(jgrad.ones(2, 2), s=(2, 2))
    tensor([[4., 0.],
            [0., 0.]])
    """
def hfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The real Fourier transform of a Hermitian tensor along several dimensions, by default along all. Of the last one the first half is given.
    
    Args:
        input: the first half of the tensor; real numbers are converted to complex ones
        s: how many points the result has along each dimension; the input is cut, or filled up with zeros, to fit; None takes the sizes of
            the input, and for the last dimension the even number 2 * (size - 1)
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" do not scale the result, "ortho" divides it by the root of n,
            "forward" divides it by n
    
    Returns a new real tensor.
    
    >>> jgrad.fft.hfftn(jgrad.ones(2, 2), s=(2, 2))
    tensor([[4., 0.],
            [0., 0.]])
    """
def ifft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform `fft.fft` along a dimension.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools are converted to the default dtype
        n: how many points are transformed; the input is cut, or filled up with zeros at its end; None takes all
        dim: the dimension along which to transform
        norm: None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new complex tensor. The dimension has size n.
    
    >>> spectrum = jgrad.fft.fft(jgrad.tensor([1., 2., 3., 4.]))
    >>> jgrad.fft.ifft(spectrum).real
    tensor([1., 2., 3., 4.])
    """
def ifft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.fft2` along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with real or complex numbers
        s: how many points are transformed along the two dimensions; the input is cut, or filled up with zeros at its end; None takes all
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new complex tensor. It is `fft.ifftn` with other default dimensions.
    
    >>> spectrum = jgrad.fft.fft2(jgrad.tensor([[1., 2.], [3., 4.]]))
    >>> jgrad.fft.ifft2(spectrum).real
    tensor([[1., 2.],
            [3., 4.]])
    """
def ifftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform `fft.fftn` along several dimensions, by default along all.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools are converted to the default dtype
        s: how many points are transformed along each dimension; the input is cut, or filled up with zeros at its end; -1 takes all points of
            a dimension, None takes all points of each
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" divide the result by n, "ortho" divides it by the root of n,
            "forward" does not scale it
    
    Returns a new complex tensor.
    
    >>> spectrum = jgrad.fft.fftn(jgrad.tensor([[1., 2.], [3., 4.]]))
    >>> jgrad.fft.ifftn(spectrum).real
    tensor([[1., 2.],
            [3., 4.]])
    """
def ifftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """The inverse of `fft.fftshift`: the elements of a spectrum rolled, so that the frequency 0 moves from the middle to the front.
    
    Args:
        input: a tensor with the frequency 0 in the middle
        dim: the dimension, or dimensions, along which to roll; None takes all
    
    Returns a new tensor.
    
    >>> jgrad.fft.ifftshift(jgrad.tensor([-2, -1, 0, 1, 2]))
    tensor([ 0,  1,  2, -2, -1])
    """
def ihfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.hfft`: the first half of the sequence whose Fourier transform is given. The second half mirrors it, conjugated.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default dtype
        n: how many points are transformed; the input is cut, or filled up with zeros at its end; None takes all
        dim: the dimension along which to transform
        norm: None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new complex tensor. The dimension has size n // 2 + 1. Raises RuntimeError if `input` is complex.
    
    >>> jgrad.fft.ihfft(jgrad.tensor([4., 0., 0., 0.])).real
    tensor([1., 1., 1.])
    """
def ihfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.hfft2` along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with real numbers; complex ones raise RuntimeError
        s: how many points are transformed along the two dimensions; the input is cut, or filled up with zeros at its end; None takes all
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new complex tensor. It is `fft.ihfftn` with other default dimensions.
    
    >>> jgrad.fft.ihfft2(jgrad.tensor([[4., 0.], [0., 0.]])).real
    tensor([[1., 1.],
            [1., 1.]])
    """
def ihfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.hfftn`: the Hermitian tensor whose Fourier transform is given. Of the last dimension it gives only the first half.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default dtype
        s: how many points are transformed along each dimension; the input is cut, or filled up with zeros at its end; -1 takes all points of
            a dimension, None takes all points of each
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" divide the result by n, "ortho" divides it by the root of n,
            "forward" does not scale it
    
    Returns a new complex tensor. The last of the dimensions has size s[-1] // 2 + 1. Raises RuntimeError if `input` is complex.
    
    >>> jgrad.fft.ihfftn(jgrad.tensor([[4., 0.], [0., 0.]])).real
    tensor([[1., 1.],
            [1., 1.]])
    """
def irfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.rfft`: the real numbers of which half a spectrum is given.
    
    Args:
        input: the first half of a spectrum; real numbers are converted to complex ones
        n: how many points the result has; the input is cut, or filled up with zeros, to n // 2 + 1 points; None takes
            the even number 2 * (size - 1)
        dim: the dimension along which to transform
        norm: None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new real tensor. The dimension has size n. Give n if it is odd: the half of a spectrum does not show whether it was.
    
    >>> spectrum = jgrad.fft.rfft(jgrad.tensor([1., 2., 3., 4.]))
    >>> jgrad.fft.irfft(spectrum)
    tensor([1., 2., 3., 4.])
    """
def irfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.rfft2` along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with complex numbers; real ones are converted
        s: how many points the result has along the two dimensions; None takes the even number 2 * (size - 1) for the last one
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" divide the result by n, "ortho" divides it by the root of n, "forward" does not scale it
    
    Returns a new real tensor. It is `fft.irfftn` with other default dimensions.
    
    >>> spectrum = jgrad.fft.rfft2(jgrad.tensor([[1., 2.], [3., 4.]]))
    >>> jgrad.fft.irfft2(spectrum, s=(2, 2))
    tensor([[1., 2.],
            [3., 4.]])
    """
def irfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft.rfftn`: the real numbers of which a spectrum is given, along the last dimension its first half.
    
    Args:
        input: a spectrum; real numbers are converted to complex ones
        s: how many points the result has along each dimension; the input is cut, or filled up with zeros, to fit; None takes the sizes of
            the input, and for the last dimension the even number 2 * (size - 1)
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" divide the result by n, "ortho" divides it by the root of n,
            "forward" does not scale it
    
    Returns a new real tensor.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.fft.irfftn(jgrad.fft.rfftn(a), s=(2, 2))
    tensor([[1., 2.],
            [3., 4.]])
    """
def rfft(input: Tensor, n: _int | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The first half of the Fourier transform of real numbers. The second half is left out, because it mirrors the first one, conjugated.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default dtype
        n: how many points are transformed; the input is cut, or filled up with zeros at its end; None takes all
        dim: the dimension along which to transform
        norm: None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new complex tensor. The dimension has size n // 2 + 1. Raises RuntimeError if `input` is complex.
    
    >>> jgrad.fft.rfft(jgrad.tensor([1., 2., 3., 4.]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j])
    """
def rfft2(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] = ..., norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Half the Fourier transform of real numbers (see `fft.rfftn`) along two dimensions, by default the last two.
    
    Args:
        input: a tensor of at least two dimensions with real numbers; complex ones raise RuntimeError
        s: how many points are transformed along the two dimensions; the input is cut, or filled up with zeros at its end; None takes all
        dim: the two dimensions along which to transform
        norm: with n the product of the numbers of points,
            None and "backward" do not scale the result, "ortho" divides it by the root of n, "forward" divides it by n
    
    Returns a new complex tensor. It is `fft.rfftn` with other default dimensions.
    
    >>> jgrad.fft.rfft2(jgrad.ones(2, 4)).shape
    jgrad.Size([2, 3])
    """
def rfftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The frequencies of the elements that `fft.rfft` returns: 0 and the positive ones.
    
    Args:
        n: how many points were transformed
        d: the distance of the points; the frequencies are in cycles per unit of this distance
        dtype: the dtype of the result, floating point; None is the default dtype
        layout: dense tensors only, as it is by default
        device: the device of the result; None is the default device
        pin_memory: whether the memory of the result is pinned
        requires_grad: whether the result requires grad
    
    Returns a new tensor of shape (n // 2 + 1,).
    
    >>> jgrad.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
def rfftn(input: Tensor, s: _int | Sequence[_int] | None = None, dim: _int | Sequence[_int] | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform of real numbers along several dimensions, by default along all. Of the last one it gives only the first half.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default dtype
        s: how many points are transformed along each dimension; the input is cut, or filled up with zeros at its end; -1 takes all points of
            a dimension, None takes all points of each
        dim: the dimensions along which to transform; None takes the last ones, as many as `s` has numbers, or all if `s` is None
        norm: with n the product of the numbers of points, None and "backward" do not scale the result, "ortho" divides it by the root of n,
            "forward" divides it by n
    
    Returns a new complex tensor. The last of the dimensions has size s[-1] // 2 + 1. Raises RuntimeError if `input` is complex.
    
    >>> jgrad.fft.rfftn(jgrad.ones(2, 4)).shape
    jgrad.Size([2, 3])
    """
