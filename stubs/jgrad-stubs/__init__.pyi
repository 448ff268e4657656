# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor as Tensor, layout as _layout

from jgrad import amp as amp
from jgrad import autograd as autograd
from jgrad import backends as backends
from jgrad import cpu as cpu
from jgrad import cuda as cuda
from jgrad import distributions as distributions
from jgrad import fft as fft
from jgrad import func as func
from jgrad import linalg as linalg
from jgrad import nn as nn
from jgrad import optim as optim
from jgrad import profiler as profiler
from jgrad import quasirandom as quasirandom
from jgrad import random as random
from jgrad import serialization as serialization
from jgrad import signal as signal
from jgrad import sparse as sparse
from jgrad import special as special
from jgrad import testing as testing
from jgrad import utils as utils
from jgrad import version as version
from jgrad.cuda import accelerator as accelerator
from jgrad.trace import Trace as _Trace

class _TraceModule:
    Trace: _type[_Trace]
    compare: Any
    load: Any
    @overload
    def __call__(self, name: Tensor) -> Tensor: ...
    @overload
    def __call__(self, *, input: Tensor) -> Tensor: ...
    @overload
    def __call__(
        self, name: _str = "trace", *, watch: Iterable[_str] = (), max_steps: _int = ..., rounds: tuple[_int, _int] | None = None,
        show: _bool = False, into: _str | Iterable[_str] = (),
    ) -> _Trace: ...
trace: _TraceModule

class BFloat16Storage(Exception): ...
class BFloat16Tensor(Tensor): ...
class BoolStorage(Exception): ...
class BoolTensor(Tensor): ...
class ByteStorage(Exception): ...
class ByteTensor(Tensor): ...
class CharStorage(Exception): ...
class CharTensor(Tensor): ...
class ComplexDoubleStorage(Exception): ...
class ComplexFloatStorage(Exception): ...
class DoubleStorage(Exception): ...
class DoubleTensor(Tensor): ...
class Float8_e4m3fnTensor(Tensor): ...
class Float8_e4m3fnuzTensor(Tensor): ...
class Float8_e5m2Tensor(Tensor): ...
class Float8_e5m2fnuzTensor(Tensor): ...
class Float8_e8m0fnuTensor(Tensor): ...
class FloatStorage(Exception): ...
class FloatTensor(Tensor): ...
from jgrad.random import Generator as Generator
from jgrad.amp.grad_scaler import GradScaler as GradScaler
class HalfStorage(Exception): ...
class HalfTensor(Tensor): ...
class IntStorage(Exception): ...
class IntTensor(Tensor): ...
class LongStorage(Exception): ...
class LongTensor(Tensor): ...
class ShortStorage(Exception): ...
class ShortTensor(Tensor): ...
from jgrad.tensor import Size as Size
from jgrad.typed_storage import TypedStorage as TypedStorage
from jgrad.storage import UntypedStorage as UntypedStorage
__version__: _str
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element. For a complex number it is the distance from 0. `absolute` is another name.
    
    Args:
        input: a tensor of numbers; bools raise NotImplementedError
    
    Returns a new tensor. For complex numbers it has the real dtype of the same precision. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([-2., 0., 3.], requires_grad=True)
    >>> jgrad.abs(x).sum().backward()
    >>> x.grad
    tensor([-1.,  0.,  1.])
    >>> jgrad.abs(jgrad.tensor([3 + 4j]))
    tensor([5.])
    """
def abs_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """abs() in place: the result is written to self."""
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element. For a complex number it is the distance from 0. `absolute` is another name.
    
    Args:
        input: a tensor of numbers; bools raise NotImplementedError
    
    Returns a new tensor. For complex numbers it has the real dtype of the same precision. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([-2., 0., 3.], requires_grad=True)
    >>> jgrad.abs(x).sum().backward()
    >>> x.grad
    tensor([-1.,  0.,  1.])
    >>> jgrad.abs(jgrad.tensor([3 + 4j]))
    tensor([5.])
    """
def absolute_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """abs() in place: the result is written to self."""
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.
    
    >>> jgrad.acos(jgrad.tensor([-1., 0., 1.]))
    tensor([3.1416, 1.5708, 0.0000])
    """
def acos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """acos() in place: the result is written to self."""
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `cosh`, element by element. `arccosh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than 1 gives nan.
    
    >>> jgrad.acosh(jgrad.tensor([0., 1.]))
    tensor([nan, 0.])
    """
def acosh_(input: Tensor) -> Tensor:
    """Replace every element by its `acosh`, in place. `arccosh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `acosh` where a gradient is needed.
    
    >>> x = jgrad.tensor([1.])
    >>> jgrad.acosh_(x)
    tensor([0.])
    """
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """The means of windows of a row, as many windows as `output_size` says. Together they cover the row, and they overlap if the sizes do not divide.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        output_size: the number of windows
    
    Returns a new tensor of shape (N, C, output_size), or without N.
    
    >>> x = jgrad.tensor([[1., 3., 5.]])
    >>> jgrad.adaptive_avg_pool1d(x, 2)
    tensor([[2., 4.]])
    """
def adaptive_max_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of a row, as many windows as `output_size` says, and where they are. Together the windows cover the row, and
    they overlap if the sizes do not divide.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        output_size: the number of windows
    
    Returns two new tensors of shape (N, C, output_size), or without N: the maxima, and their places in the row as int64.
    
    >>> jgrad.adaptive_max_pool1d(jgrad.tensor([[1., 4., 2.]]), 2)
    (tensor([[4., 4.]]), tensor([[1, 1]]))
    """
def add(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The sum `input + alpha * other`, element by element. Both broadcast with each other.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
        alpha: a number by which `other` is multiplied first; if both are integers, it must be an integer too
    
    Returns a new tensor with the broadcast shape and the common dtype of both. The sum of two bools is their logical or.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> y = jgrad.add(x, jgrad.tensor([[10.], [20.]]), alpha=3)
    >>> y
    tensor([[31., 32.],
            [61., 62.]], grad_fn=<AddBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2).sum(0)`.
    
    Args:
        input: what is added; it is broadcast to the shape of one product
        batch1: matrices in a tensor of shape (b, n, m)
        batch2: as many matrices, in a tensor of shape (b, m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the sum of the products
    
    Returns a new tensor of shape (n, p). All tensors must have the same dtype.
    
    >>> batch1 = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> batch2 = jgrad.ones(2, 2, 1)
    >>> jgrad.addbmm(jgrad.tensor([[100.]]), batch1, batch2)  # 100 + 3 + 7
    tensor([[110.]])
    """
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 / tensor2`, element by element. All three tensors broadcast with each other.
    
    Args:
        input: a tensor to which the quotient is added
        tensor1, tensor2: the dividend and the divisor; they may not both be integers
        value: a number by which the quotient is multiplied
    
    Returns a new tensor with the broadcast shape and the common dtype of the three.
    
    >>> jgrad.addcdiv(jgrad.tensor([1.]), jgrad.tensor([3.]), jgrad.tensor([2.]), value=10)
    tensor([16.])
    """
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 * tensor2`, element by element. All three tensors broadcast with each other.
    
    Args:
        input: a tensor to which the product is added
        tensor1, tensor2: the tensors that are multiplied
        value: a number by which the product is multiplied; if all three tensors are integers, only its integer part counts
    
    Returns a new tensor with the broadcast shape and the common dtype of the three.
    
    >>> one, two, three = jgrad.tensor([1., 1.]), jgrad.tensor([2., 2.]), jgrad.tensor([3., 4.])
    >>> jgrad.addcmul(one, two, three, value=10)
    tensor([61., 81.])
    """
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The matrix product of `mat1` and `mat2`, scaled and added to a tensor: `beta * input + alpha * (mat1 @ mat2)`.
    
    Args:
        input: what is added; it is broadcast to the shape of the product
        mat1: a matrix of shape (n, m)
        mat2: a matrix of shape (m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product
    
    Returns a new tensor of shape (n, p). All tensors must have the same dtype.
    
    >>> bias = jgrad.tensor([10., 20.])
    >>> mat1 = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> mat2 = jgrad.tensor([[1., 0.], [0., 2.]])
    >>> jgrad.addmm(bias, mat1, mat2)
    tensor([[11., 24.],
            [13., 28.]])
    >>> jgrad.addmm(bias, mat1, mat2, beta=0, alpha=10)
    tensor([[10., 40.],
            [30., 80.]])
    """
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector, scaled and added to a tensor: `beta * input + alpha * (mat @ vec)`.
    
    Args:
        input: what is added; it is broadcast to the shape of the product
        mat: a matrix of shape (n, m)
        vec: a vector of shape (m,)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product
    
    Returns a new tensor of shape (n,). All tensors must have the same dtype.
    
    >>> mat = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.addmv(jgrad.tensor([10., 20.]), mat, jgrad.tensor([1., 1.]), alpha=2)
    tensor([16., 34.])
    """
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """addmv() in place: the result is written to self."""
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The outer product of two vectors, scaled and added to a tensor: `beta * input + alpha * outer(vec1, vec2)`.
    
    Args:
        input: what is added; it is broadcast to the shape of the product
        vec1: a vector of shape (n,)
        vec2: a vector of shape (m,)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the product
    
    Returns a new tensor of shape (n, m).
    
    >>> jgrad.addr(jgrad.zeros(2, 3), jgrad.tensor([1., 2.]), jgrad.tensor([1., 2., 3.]))
    tensor([[1., 2., 3.],
            [2., 4., 6.]])
    """
def adjoint(input: Tensor) -> Tensor:
    """The matrices in the last two dimensions, transposed; complex numbers are also conjugated.
    
    Args:
        input: a tensor with at least two dimensions
    
    Returns a view: it shares the memory of `input`.
    
    >>> jgrad.adjoint(jgrad.tensor([[1+2j, 3], [4j, 5]]))
    tensor([[1.-2.j, 0.-4.j],
            [3.-0.j, 5.-0.j]])
    """
def affine_grid_generator(theta: Tensor, size: Sequence[_int], align_corners: _bool) -> Tensor:
    """The points of a grid for images or volumes of a size, moved by affine maps. They are the `grid` of `grid_sampler`.
    
    Args:
        theta: one affine map for each sample, of shape (N, 2, 3) for images or (N, 3, 4) for volumes: a matrix and, in the last column, a shift
        size: the size of the images, (N, C, H, W) or (N, C, D, H, W)
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself
    
    Returns a new tensor of shape (N, H, W, 2), or (N, D, H, W, 3).
    
    >>> identity = jgrad.tensor([[[1., 0., 0.], [0., 1., 0.]]])
    >>> jgrad.affine_grid_generator(identity, (1, 1, 2, 2), True)
    tensor([[[[-1., -1.],
              [ 1., -1.]],
    <BLANKLINE>
             [[-1.,  1.],
              [ 1.,  1.]]]])
    """
def alias(input: Tensor) -> Tensor:
    """Another tensor with the same shape on the same memory: a view."""
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `alias` shows, in new memory. The parameters are those of `alias`."""
@overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are not zero: all of them, or all along some dimensions.
    
    Args:
        input: a tensor of any shape and dtype; nan counts as an element that is not zero
        dim: a dimension, or a tuple of dimensions, to test along; None or no `dim` at all means all dimensions, `()` means none
        keepdim: if True, the dimensions that are tested along stay in the shape, with size 1
    
    Returns a new bool tensor; for uint8 it is a uint8 tensor. The answer for no elements is True. Has no gradient.
    
    >>> x = jgrad.tensor([[True, True], [True, False]])
    >>> jgrad.all(x)
    tensor(False)
    >>> jgrad.all(x, dim=0)
    tensor([ True, False])
    """
@overload
def all(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are not zero: all of them, or all along some dimensions."""
def allclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
    """Whether all elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity.
    
    Args:
        input: a tensor of any dtype
        other: a tensor with the dtype of `input` that broadcasts with it; another dtype raises RuntimeError
        rtol: the tolerance relative to the size of `other`; not negative
        atol: the absolute tolerance, which matters near 0; not negative
        equal_nan: True counts nan as equal to nan; the default is False
    
    Returns a bool of Python.
    
    >>> a = jgrad.tensor([0.1]) + jgrad.tensor([0.2])
    >>> jgrad.allclose(a, jgrad.tensor([0.3]))
    True
    >>> jgrad.allclose(a, jgrad.tensor([0.4]))
    False
    """
def alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets elements to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns a new tensor; if `train` is False or `p` is 0 it returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.alpha_dropout(jgrad.ones(1000), 0.5, True)
    >>> x.unique()
    tensor([-0.7792,  1.6656])
    """
def alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets elements to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of any shape with a floating point dtype; it is changed in place
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.ones(1000)
    >>> jgrad.alpha_dropout_(x, 0.5, True) is x
    True
    >>> x.unique()
    tensor([-0.7792,  1.6656])
    """
def amax(input: Tensor, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The largest of all elements, or the largest elements over some dimensions.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: a dimension, or a tuple of dimensions, to reduce; `()` means all dimensions
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a new tensor with the dtype of `input`. If some element is nan, the result is nan. Equal largest elements share the gradient:
    each gets the same part. (With `max` along a dimension, one of them gets all of it.)
    
    >>> x = jgrad.tensor([2., 5., 5.], requires_grad=True)
    >>> jgrad.amax(x).backward()
    >>> x.grad
    tensor([0.0000, 0.5000, 0.5000])
    >>> jgrad.amax(jgrad.tensor([[1, 4], [3, 2]]), dim=0)
    tensor([3, 4])
    """
def amin(input: Tensor, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The smallest of all elements, or the smallest elements over some dimensions.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: a dimension, or a tuple of dimensions, to reduce; `()` means all dimensions
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a new tensor with the dtype of `input`. If some element is nan, the result is nan. Equal smallest elements share the gradient:
    each gets the same part. (With `min` along a dimension, one of them gets all of it.)
    
    >>> x = jgrad.tensor([2., 2., 5.], requires_grad=True)
    >>> jgrad.amin(x).backward()
    >>> x.grad
    tensor([0.5000, 0.5000, 0.0000])
    >>> jgrad.amin(jgrad.tensor([[1, 4], [3, 2]]), dim=0)
    tensor([1, 2])
    """
def aminmax(input: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: Any = None) -> return_types.aminmax:
    """The smallest and the largest of all elements, or both along a dimension.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension to reduce; None means all dimensions
        keepdim: if True, the dimension that is reduced stays in the shape, with size 1
    
    Returns a named tuple of two new tensors, `min` and `max`. Equal smallest (or largest) elements share the gradient.
    
    >>> low, high = jgrad.aminmax(jgrad.tensor([[1, 4], [3, 2]]), dim=1)
    >>> low
    tensor([1, 2])
    >>> high
    tensor([4, 3])
    """
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of each complex number in radians, between -pi and pi. The angle of a real number is 0, or pi if it is negative.
    
    Args:
        input: a tensor of any dtype; integers are converted to the default float dtype
    
    Returns a new tensor of real numbers. The angle of a real nan is nan. The gradient of real numbers is 0.
    
    >>> jgrad.angle(jgrad.tensor([1., -1.]))
    tensor([0.0000, 3.1416])
    >>> jgrad.angle(jgrad.tensor([1 + 1j, 2j]))
    tensor([0.7854, 1.5708])
    """
@overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether at least one element is not zero: of all elements, or along some dimensions.
    
    Args:
        input: a tensor of any shape and dtype; nan counts as an element that is not zero
        dim: a dimension, or a tuple of dimensions, to test along; None or no `dim` at all means all dimensions, `()` means none
        keepdim: if True, the dimensions that are tested along stay in the shape, with size 1
    
    Returns a new bool tensor; for uint8 it is a uint8 tensor. The answer for no elements is False. Has no gradient.
    
    >>> x = jgrad.tensor([[0, 0], [3, 0]])
    >>> jgrad.any(x)
    tensor(True)
    >>> jgrad.any(x, dim=1)
    tensor([False,  True])
    """
@overload
def any(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether at least one element is not zero: of all elements, or along some dimensions."""
def arange(start: Any = 0, end: Any = ..., step: Any = 1, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Numbers from `start` up to `end`, without `end`, in equal steps.
    
    Args:
        start: the first number; one argument alone is `end`, and then the first number is 0
        end: where the numbers stop; it is not one of them
        step: the difference of two neighbours, not 0; a negative one counts down
        dtype: the dtype; None means int64 if the three are integers, else the default dtype
        layout: `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new vector. Raises RuntimeError if `step` points away from `end`.
    
    >>> jgrad.arange(4)
    tensor([0, 1, 2, 3])
    >>> jgrad.arange(1, 6, 2)
    tensor([1, 3, 5])
    >>> jgrad.arange(0, 1, 0.25)
    tensor([0.0000, 0.2500, 0.5000, 0.7500])
    """
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.
    
    >>> jgrad.acos(jgrad.tensor([-1., 0., 1.]))
    tensor([3.1416, 1.5708, 0.0000])
    """
def arccos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """acos() in place: the result is written to self."""
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `cosh`, element by element. `arccosh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than 1 gives nan.
    
    >>> jgrad.acosh(jgrad.tensor([0., 1.]))
    tensor([nan, 0.])
    """
def arccosh_(input: Tensor) -> Tensor:
    """Replace every element by its `acosh`, in place. `arccosh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `acosh` where a gradient is needed.
    
    >>> x = jgrad.tensor([1.])
    >>> jgrad.acosh_(x)
    tensor([0.])
    """
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.
    
    >>> jgrad.asin(jgrad.tensor([-1., 0., 1.]))
    tensor([-1.5708,  0.0000,  1.5708])
    """
def arcsin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """asin() in place: the result is written to self."""
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `sinh`, element by element. `arcsinh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> jgrad.asinh(jgrad.tensor([0.]))
    tensor([0.])
    """
def arcsinh_(input: Tensor) -> Tensor:
    """Replace every element by its `asinh`, in place. `arcsinh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `asinh` where a gradient is needed.
    
    >>> x = jgrad.tensor([0.])
    >>> jgrad.asinh_(x)
    tensor([0.])
    """
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `1 / (1 + input**2)`.
    
    >>> jgrad.atan(jgrad.tensor([-1., 0., 1.]))
    tensor([-0.7854,  0.0000,  0.7854])
    """
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name.
    
    Args:
        input: the y coordinates: a tensor of real numbers; integers are converted to the default float dtype
        other: the x coordinates: a tensor of real numbers that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape. Unlike `atan(input / other)`, it knows in which quadrant the point lies. The gradient at
    the origin is 0.
    
    >>> y = jgrad.tensor([0., 1., 0., -1.])
    >>> x = jgrad.tensor([1., 0., -1., 0.])
    >>> jgrad.atan2(y, x)
    tensor([ 0.0000,  1.5708,  3.1416, -1.5708])
    """
def arctan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """atan() in place: the result is written to self."""
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `tanh`, element by element. `arctanh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The result at 1 is inf, that at -1 is -inf. A real number less than -1 or greater than 1 gives nan.
    
    >>> jgrad.atanh(jgrad.tensor([0., 1., 2.]))
    tensor([0., inf, nan])
    """
def arctanh_(input: Tensor) -> Tensor:
    """Replace every element by its `atanh`, in place. `arctanh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `atanh` where a gradient is needed.
    
    >>> x = jgrad.tensor([0.])
    >>> jgrad.atanh_(x)
    tensor([0.])
    """
def are_deterministic_algorithms_enabled() -> _bool:
    """Whether `use_deterministic_algorithms` was last called with True.
    
    Returns a bool. It is True with `warn_only=True` too.
    
    >>> jgrad.are_deterministic_algorithms_enabled()
    False
    """
def argmax(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The index of the largest element: along a dimension, or of all elements in one row.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; None means that the index is that in the flattened tensor
        keepdim: if True, the dimensions that are searched stay in the shape, with size 1
    
    Returns a new int64 tensor. Of several equal largest elements it is the index of the first. A nan counts as the largest. Has no gradient.
    
    >>> x = jgrad.tensor([[1, 5, 5], [8, 2, 0]])
    >>> jgrad.argmax(x, dim=1)
    tensor([1, 0])
    >>> jgrad.argmax(x)
    tensor(3)
    """
def argmin(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The index of the smallest element: along a dimension, or of all elements in one row.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; None means that the index is that in the flattened tensor
        keepdim: if True, the dimensions that are searched stay in the shape, with size 1
    
    Returns a new int64 tensor. Of several equal smallest elements it is the index of the first. The first nan, if there is one, is chosen.
    Has no gradient.
    
    >>> x = jgrad.tensor([[1, 5, 1], [8, 2, 0]])
    >>> jgrad.argmin(x, dim=1)
    tensor([0, 2])
    >>> jgrad.argmin(x)
    tensor(5)
    """
@overload
def argsort(input: Tensor, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that put the elements along a dimension in order. A nan is larger than every number.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to sort; negative numbers count from the last one
        descending: if True, the index of the largest element comes first
        stable: if True, equal elements keep their order; else PyTorch's algorithm decides it. Tensors with more than 8192 elements are always
            sorted stably
    
    Returns a new int64 tensor with the shape of `input`. Has no gradient.
    
    >>> x = jgrad.tensor([30, 10, 20])
    >>> i = jgrad.argsort(x)
    >>> i
    tensor([1, 2, 0])
    >>> x[i]
    tensor([10, 20, 30])
    """
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that put the elements along a dimension in order. A nan is larger than every number."""
def argwhere(input: Tensor) -> Tensor:
    """The indices of all elements that are not zero, row by row: the same as `nonzero`.
    
    Args:
        input: a tensor of any shape and dtype
    
    Returns an int64 matrix with one row for each such element. Has no gradient.
    
    >>> jgrad.argwhere(jgrad.tensor([[0, 5], [6, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
def as_strided(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """A view with any shape and strides of the memory on which the tensor lies.
    
    Args:
        input: a tensor of any shape
        size: the shape of the result
        stride: for each dimension, how many elements further in memory the next index lies; not negative
        storage_offset: the position of the first element in the storage; None means that of `input`
    
    Returns a view: it shares the memory of `input`. Raises RuntimeError if the result would reach beyond the storage.
    
    If an element occurs several times in the result, its gradients are added up.
    
    >>> x = jgrad.tensor([1., 2., 3., 4.], requires_grad=True)
    >>> y = x.as_strided((3, 2), (1, 1))
    >>> y.detach()
    tensor([[1., 2.],
            [2., 3.],
            [3., 4.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 2., 2., 1.])
    """
def as_strided_(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """as_strided() in place: the result is written to self."""
def as_strided_copy(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `as_strided` shows, in new memory. The parameters are those of `as_strided`."""
def as_strided_scatter(input: Tensor, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """A copy of the tensor with `src` at the places in memory that strides describe: as `x.as_strided(size, stride).copy_(src)`, but `x` stays
    as it is.
    
    Args:
        input: the tensor to copy
        src: a tensor with the shape `size`; it is converted to the dtype of `input`
        size: the shape of the part that is replaced
        stride: for each dimension, how many elements further in memory the next index lies; not negative
        storage_offset: the position of the first element in the storage; None means that of `input`
    
    Returns a new tensor. The gradient of `input` is 0 where it was replaced.
    
    >>> jgrad.as_strided_scatter(jgrad.zeros(3, 3), jgrad.tensor([1., 2., 3.]), (3,), (4,))
    tensor([[1., 0., 0.],
            [0., 2., 0.],
            [0., 0., 3.]])
    """
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, without a copy if possible.
    
    Args:
        data: a tensor, a NumPy array, a number, or numbers in nested lists or tuples
        dtype: the dtype of the result; None means that of `data`, or the one that `jgrad.tensor` would choose
        device: the device of the result; None means the device of `data` if it is a tensor, else the default device
    
    Returns the tensor itself, or a tensor that shares the memory of the NumPy array, if dtype and device already fit. Else it returns a copy.
    If the copied data is a tensor with a gradient, the copy is part of the graph.
    
    >>> x = jgrad.tensor([1., 2.])
    >>> jgrad.as_tensor(x) is x
    True
    >>> jgrad.as_tensor(x, dtype=jgrad.int64)
    tensor([1, 2])
    """
def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: _bool | None = None, requires_grad: _bool | None = None) -> Tensor:
    """The data as a tensor, which shares the memory of the data if possible.
    
    Args:
        obj: a tensor, a NumPy array, an object with the buffer protocol (as bytes), a DLPack capsule, a number, or numbers in nested lists
        dtype: the dtype of the result; None means that of `obj`; of a buffer it is the default dtype
        device: the device of the result; None means the device of `obj` if it is a tensor, else the default device
        copy: True always copies, False raises ValueError where a copy is needed, None copies only where it must
        requires_grad: whether the result requires a gradient; None means as `obj` does if it is a tensor, else False
    
    Returns a tensor, which may be `obj` itself. Then `requires_grad` changes `obj` too. If `requires_grad` is False and the result would be
    part of a graph, it is detached.
    
    >>> x = jgrad.tensor([1., 2.])
    >>> y = jgrad.asarray(x)
    >>> y is x
    True
    >>> jgrad.asarray(x, copy=True) is x
    False
    """
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.
    
    >>> jgrad.asin(jgrad.tensor([-1., 0., 1.]))
    tensor([-1.5708,  0.0000,  1.5708])
    """
def asin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """asin() in place: the result is written to self."""
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `sinh`, element by element. `arcsinh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> jgrad.asinh(jgrad.tensor([0.]))
    tensor([0.])
    """
def asinh_(input: Tensor) -> Tensor:
    """Replace every element by its `asinh`, in place. `arcsinh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `asinh` where a gradient is needed.
    
    >>> x = jgrad.tensor([0.])
    >>> jgrad.asinh_(x)
    tensor([0.])
    """
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `1 / (1 + input**2)`.
    
    >>> jgrad.atan(jgrad.tensor([-1., 0., 1.]))
    tensor([-0.7854,  0.0000,  0.7854])
    """
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name.
    
    Args:
        input: the y coordinates: a tensor of real numbers; integers are converted to the default float dtype
        other: the x coordinates: a tensor of real numbers that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape. Unlike `atan(input / other)`, it knows in which quadrant the point lies. The gradient at
    the origin is 0.
    
    >>> y = jgrad.tensor([0., 1., 0., -1.])
    >>> x = jgrad.tensor([1., 0., -1., 0.])
    >>> jgrad.atan2(y, x)
    tensor([ 0.0000,  1.5708,  3.1416, -1.5708])
    """
def atan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """atan() in place: the result is written to self."""
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `tanh`, element by element. `arctanh` is another name.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The result at 1 is inf, that at -1 is -inf. A real number less than -1 or greater than 1 gives nan.
    
    >>> jgrad.atanh(jgrad.tensor([0., 1., 2.]))
    tensor([0., inf, nan])
    """
def atanh_(input: Tensor) -> Tensor:
    """Replace every element by its `atanh`, in place. `arctanh_` is another name.
    
    Args:
        input: the floating-point or complex tensor that is changed
    
    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `atanh` where a gradient is needed.
    
    >>> x = jgrad.tensor([0.])
    >>> jgrad.atanh_(x)
    tensor([0.])
    """
def atleast_1d(*tensors: Any) -> Any:
    """Tensors with at least one dimension: one without dimensions becomes a vector with one element.
    
    Args:
        tensors: one tensor, or several, or a list of them
    
    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.
    
    >>> jgrad.atleast_1d(jgrad.tensor(5))
    tensor([5])
    >>> jgrad.atleast_1d(jgrad.tensor(5), jgrad.tensor([1, 2]))
    (tensor([5]), tensor([1, 2]))
    """
def atleast_2d(*tensors: Any) -> Any:
    """Tensors with at least two dimensions: a vector becomes a matrix with one row.
    
    Args:
        tensors: one tensor, or several, or a list of them
    
    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.
    
    >>> jgrad.atleast_2d(jgrad.tensor([1, 2]))
    tensor([[1, 2]])
    >>> jgrad.atleast_2d(jgrad.tensor(5))
    tensor([[5]])
    """
def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three dimensions. A matrix gets a new last dimension of size 1. The elements of a vector lie along the middle one.
    
    Args:
        tensors: one tensor, or several, or a list of them
    
    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.
    
    >>> jgrad.atleast_3d(jgrad.zeros(5)).shape
    jgrad.Size([1, 5, 1])
    >>> jgrad.atleast_3d(jgrad.zeros(2, 5)).shape
    jgrad.Size([2, 5, 1])
    """
from jgrad.amp.autocast_mode import autocast as autocast
def autocast_decrement_nesting() -> _int:
    """Count one open `autocast` block less. An `autocast` block calls this itself.
    
    Returns how many blocks are open.
    
    >>> jgrad.autocast_increment_nesting()
    1
    >>> jgrad.autocast_decrement_nesting()
    0
    """
def autocast_increment_nesting() -> _int:
    """Count one more open `autocast` block. An `autocast` block calls this itself.
    
    Returns how many blocks are open.
    
    >>> jgrad.autocast_increment_nesting()
    1
    >>> jgrad.autocast_decrement_nesting()
    0
    """
def avg_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of a row.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        kernel_size: the size of a window: one number
        stride: how far the window moves each time; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many zeros are added on each side; at most half of `kernel_size`
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
        count_include_pad: whether the zeros of the padding count as elements of the mean
    
    Returns a new tensor. The gradient is spread evenly over the elements of a window.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]])
    >>> jgrad.avg_pool1d(x, 2)
    tensor([[2.5000, 2.5000]])
    """
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2)`.
    
    Args:
        input: what is added; it is broadcast to the shape of the products
        batch1: matrices in a tensor of shape (b, n, m)
        batch2: as many matrices, in a tensor of shape (b, m, p)
        beta: a number that multiplies `input`; if it is 0, `input` is ignored, even where it is nan or inf
        alpha: a number that multiplies the products
    
    Returns a new tensor of shape (b, n, p). All tensors must have the same dtype.
    
    >>> batch1 = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> batch2 = jgrad.ones(2, 2, 1)
    >>> jgrad.baddbmm(jgrad.tensor([100.]), batch1, batch2)
    tensor([[[103.]],
    <BLANKLINE>
            [[107.]]])
    """
@overload
def bartlett_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Bartlett window: a triangle, which goes straight up from 0 to 1, and straight down again.
    A window is multiplied with a piece of a signal before its Fourier transform.
    
    Args:
        window_length: how many points the window has, not negative
        periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
            the window is symmetric
        dtype: the dtype, a floating one; None means the default dtype
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new vector. A window of one point is 1.
    
    >>> jgrad.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    >>> jgrad.bartlett_window(5, periodic=False)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
@overload
def bartlett_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Bartlett window: a triangle, which goes straight up from 0 to 1, and straight down again.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
def batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """Normalizes each channel over the batch: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    In training both are computed from the batch; otherwise the running statistics are used.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        running_mean: the running means, of shape (C,); in training they are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,); in training they are updated in place. None, if none are kept
        training: whether to use the statistics of the batch, and to update the running ones
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero
        cudnn_enabled: has no effect here; it is a setting for GPUs
    
    Returns a new tensor with the shape of `input`.
    
    The batch's own variance divides by n, the one for `running_var` by n - 1. In training the gradient flows through mean and variance, so
    each sample's gradient depends on the others.
    
    >>> x = jgrad.tensor([[1., 0.], [3., 8.]])
    >>> mean, var = jgrad.zeros(2), jgrad.ones(2)
    >>> jgrad.batch_norm(x, None, None, mean, var, True, 0.5, 1e-12, False)
    tensor([[-1., -1.],
            [ 1.,  1.]])
    >>> mean, var
    (tensor([1., 2.]), tensor([ 1.5000, 16.5000]))
    """
@overload
def bernoulli(input: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random zeros and ones: each is one with the probability at its place.
    
    Args:
        input: a tensor of probabilities from 0 to 1, with a floating dtype; with `p`, it gives only shape and dtype
        p: one probability for all places, a number; without it, the probabilities are those in `input`
        generator: the stream of random numbers; None means the default generator of the device
    
    Returns a new tensor with the shape and dtype of `input`. The gradient for `input` is 0.
    
    >>> jgrad.bernoulli(jgrad.tensor([0., 1., 1.]))
    tensor([0., 1., 1.])
    """
@overload
def bernoulli(input: Tensor, p: _float, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random zeros and ones: each is one with the probability at its place."""
bfloat16: _dtype
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A map of two vectors: for each matrix of `weight` the product `input1 @ matrix @ input2`, plus `bias`.
    
    Args:
        input1: the first vectors, of shape (..., D1)
        input2: the second vectors, of shape (..., D2), with the same sizes in front
        weight: M matrices, of shape (M, D1, D2)
        bias: is added to each result, of shape (M,); None adds nothing
    
    Returns a new tensor of shape (..., M). Raises RuntimeError unless all dtypes are equal.
    
    >>> a, b = jgrad.tensor([[1., 2.]]), jgrad.tensor([[3., 4.]])
    >>> weight = jgrad.tensor([[[1., 0.], [0., 1.]], [[0., 1.], [0., 0.]]])
    >>> jgrad.bilinear(a, b, weight)
    tensor([[11.,  4.]])
    """
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: _int = 0) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, computed in one step, which does not overflow.
    
    Args:
        input: scores (logits, not probabilities) of any shape
        target: 1 for yes and 0 for no, or a probability, as floating point numbers in the shape of `input`
        weight: a factor for each element, which is broadcast; None stands for ones. It cannot require grad
        reduction: 1 gives the mean of the elements, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
        pos_weight: a factor for the part of the loss that belongs to target 1, which is broadcast; None stands for 1. It cannot require grad
    
    Returns a tensor without dimensions; with reduction 0 one with the shape of `input`.
    
    The gradient of `input` is `sigmoid(input) - target`, for the mean divided by the number of elements.
    
    >>> scores = jgrad.tensor([0., -200.], requires_grad=True)
    >>> target = jgrad.tensor([1., 1.])
    >>> jgrad.binary_cross_entropy_with_logits(scores, target, reduction=0).detach()
    tensor([  0.6931, 200.0000])
    >>> jgrad.binary_cross_entropy_with_logits(scores, target, reduction=2).backward()
    >>> scores.grad
    tensor([-0.5000, -1.0000])
    """
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each of the integers 0, 1, 2, ... occurs; with weights, the sum of the weights of each.
    
    Args:
        input: a vector of integers that are not negative
        weights: a tensor with the shape of `input`: how much each element counts; None means 1
        minlength: the result has at least this many elements
    
    Returns a new vector, whose element i belongs to the integer i. Its dtype is int64 without weights; float32 weights give float32, others
    float64. Has no gradient. Raises RuntimeError for negative numbers.
    
    >>> x = jgrad.tensor([0, 2, 2])
    >>> jgrad.bincount(x)
    tensor([1, 0, 2])
    >>> jgrad.bincount(x, weights=jgrad.tensor([0.5, 1., 1.]))
    tensor([0.5000, 0.0000, 2.0000])
    """
def binomial(count: Tensor, prob: Tensor, generator: _Generator | None = None) -> Tensor:
    """Random numbers of binomial distributions: how many of some trials succeed.
    
    Args:
        count: a tensor with the number of trials, with a floating dtype
        prob: a tensor with the probability of a success in one trial; it broadcasts with `count`
        generator: the stream of random numbers; None means the default generator of the device
    
    Returns a new tensor. The gradients are 0.
    
    >>> jgrad.binomial(jgrad.tensor([10., 10.]), jgrad.tensor([0., 1.]))
    tensor([ 0., 10.])
    """
def bitwise_and(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that are 1 in both elements. For bools it is the logical and.
    
    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape and the common dtype of both.
    
    >>> jgrad.bitwise_and(jgrad.tensor([0b1100]), 0b1010) == 0b1000
    tensor([True])
    """
def bitwise_left_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The bits of `input` moved to the left by `other` places: `input * 2**other` for integers.
    
    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape. The result is 0 where `other` is negative, or not less than the number of bits of the dtype.
    
    >>> jgrad.bitwise_left_shift(jgrad.tensor([1, 3]), 2)
    tensor([ 4, 12])
    """
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element with every bit flipped. For bools it is the logical not. For signed integers it is `-input - 1`.
    
    Args:
        input: a tensor of integers or bools
    
    Returns a new tensor with the dtype of `input`.
    
    >>> jgrad.bitwise_not(jgrad.tensor([0, 5]))
    tensor([-1, -6])
    >>> jgrad.bitwise_not(jgrad.tensor([True, False]))
    tensor([False,  True])
    """
def bitwise_or(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that are 1 in one of both elements, or in both. For bools it is the logical or.
    
    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape and the common dtype of both.
    
    >>> jgrad.bitwise_or(jgrad.tensor([0b1100]), 0b1010) == 0b1110
    tensor([True])
    """
def bitwise_right_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The bits of `input` moved to the right by `other` places: `input / 2**other` rounded down, for integers.
    
    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape. Where `other` is negative, or not less than the number of bits of the dtype, the result
    is -1 for a negative `input` and 0 for others.
    
    >>> jgrad.bitwise_right_shift(jgrad.tensor([-9, 9]), 1)
    tensor([-5,  4])
    """
def bitwise_xor(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that are 1 in exactly one of both elements. For bools it is the logical exclusive or.
    
    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape and the common dtype of both.
    
    >>> jgrad.bitwise_xor(jgrad.tensor([0b1100]), 0b1010) == 0b0110
    tensor([True])
    """
@overload
def blackman_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Blackman window: 0.42, minus 0.5 times a cosine, plus 0.08 times a cosine of twice the frequency.
    A window is multiplied with a piece of a signal before its Fourier transform.
    
    Args:
        window_length: how many points the window has, not negative
        periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
            the window is symmetric
        dtype: the dtype, a floating one; None means the default dtype
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new vector. A window of one point is 1.
    
    >>> jgrad.blackman_window(4)[1:]
    tensor([0.3400, 1.0000, 0.3400])
    """
@overload
def blackman_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Blackman window: 0.42, minus 0.5 times a cosine, plus 0.08 times a cosine of twice the frequency.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the given matrices on its diagonal, one after the other, and zeros elsewhere.
    
    Args:
        tensors: matrices, vectors, which count as rows, and tensors without dimensions, which count as matrices with one element
    
    Returns a new matrix. Its dtype is the one to which those of the tensors are promoted.
    
    >>> jgrad.block_diag(jgrad.tensor([[1, 2], [3, 4]]), jgrad.tensor(5), jgrad.tensor([6, 7]))
    tensor([[1, 2, 0, 0, 0],
            [3, 4, 0, 0, 0],
            [0, 0, 5, 0, 0],
            [0, 0, 0, 6, 7]])
    """
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices: each matrix of the first is multiplied by the matrix at the same place of the second.
    
    Args:
        input: matrices in a tensor of shape (b, n, m)
        mat2: as many matrices, in a tensor of shape (b, m, p), with the dtype of `input`
    
    Returns a new tensor of shape (b, n, p). Nothing is broadcast; `matmul` broadcasts the batches.
    
    >>> a = jgrad.tensor([[[1., 2.]], [[3., 4.]]])  # two matrices of shape (1, 2)
    >>> b = jgrad.tensor([[[1.], [1.]], [[1.], [-1.]]])  # two matrices of shape (2, 1)
    >>> jgrad.bmm(a, b)
    tensor([[[ 3.]],
    <BLANKLINE>
            [[-1.]]])
    """
bool: _dtype
def broadcast_shapes(*shapes: Any) -> _Size:
    """The common shape to which tensors of these shapes are broadcast. No tensors are made.
    
    Args:
        shapes: the shapes, as tuples; an integer stands for a shape with one dimension
    
    Returns a `jgrad.Size`. Raises RuntimeError if the shapes can't be broadcast together.
    
    >>> jgrad.broadcast_shapes((3, 1), (1, 2), (2,))
    jgrad.Size([3, 2])
    """
def broadcast_tensors(*tensors: Tensor) -> tuple:
    """The tensors expanded to one common shape: that of the result if they were added.
    
    Args:
        tensors: tensors whose shapes can be broadcast together
    
    Returns a tuple of views, which share the memory of the tensors. A tensor that has this shape already is returned itself.
    
    >>> a, b = jgrad.broadcast_tensors(jgrad.tensor([[1], [2]]), jgrad.tensor([5, 6, 7]))
    >>> a
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> b
    tensor([[5, 6, 7],
            [5, 6, 7]])
    """
@overload
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front.
    
    Args:
        input: a tensor of any shape
        size: the new shape, as a tuple; -1 keeps the size of a dimension
    
    Returns a view: it shares the memory of `input`. The gradient is summed over the dimensions that were made larger.
    
    >>> jgrad.broadcast_to(jgrad.tensor([1, 2, 3]), (2, 3))
    tensor([[1, 2, 3],
            [1, 2, 3]])
    """
@overload
def broadcast_to(input: Tensor, *size: _int) -> Tensor:
    """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front."""
@overload
def bucketize(input: Tensor, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None) -> Tensor:
    """The number of the bucket into which each value falls. The buckets lie between neighbouring boundaries.
    
    Args:
        input: the values, a tensor of any shape, or a number
        boundaries: a vector in ascending order
        out_int32: if True, the numbers have dtype int32, else int64
        right: if False, a bucket contains its upper boundary; if True, its lower one
    
    Returns a new tensor with the shape of `input`. Values below the first boundary are in bucket 0, those above the last one in bucket
    `len(boundaries)`. Has no gradient.
    
    >>> boundaries = jgrad.tensor([1, 3, 5])
    >>> jgrad.bucketize(jgrad.tensor([0, 3, 9]), boundaries)
    tensor([0, 1, 3])
    >>> jgrad.bucketize(jgrad.tensor([0, 3, 9]), boundaries, right=True)
    tensor([0, 2, 3])
    """
@overload
def bucketize(self: Number, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None) -> Tensor:
    """The number of the bucket into which each value falls. The buckets lie between neighbouring boundaries."""
def can_cast(from_: _dtype, to: _dtype) -> _bool:
    """Whether a result of one dtype may be written into a tensor of another dtype, as an in-place operation does.
    
    It may, if its category (bool, integer, floating point, complex) is not higher. That digits may be lost does not matter.
    
    Args:
        from_: the dtype of the result
        to: the dtype of the tensor
    
    >>> jgrad.can_cast(jgrad.float64, jgrad.float32)
    True
    >>> jgrad.can_cast(jgrad.float32, jgrad.int64)
    False
    """
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations with one element of each vector, as the rows of a matrix. The last column changes fastest.
    
    Args:
        tensors: vectors of one dtype
    
    Returns a new tensor with a column for each vector; with one vector only, returns the vector itself.
    
    >>> jgrad.cartesian_prod(jgrad.tensor([1, 2]), jgrad.tensor([5, 6]))
    tensor([[1, 5],
            [1, 6],
            [2, 5],
            [2, 6]])
    """
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Joins tensors along one of their dimensions.
    
    Args:
        tensors: a list or tuple of tensors; their sizes must be equal in all dimensions but `dim`. Vectors without elements are skipped
        dim: the dimension along which to join; negative numbers count from the last one
    
    Returns a new tensor. Its dtype is the one to which those of the tensors are promoted. Each tensor gets its part of the gradient.
    
    >>> a, b = jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])
    >>> jgrad.cat([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.cat([a, b], 1)
    tensor([[1, 2, 3, 4]])
    """
def cdist(x1: Tensor, x2: Tensor, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary') -> Tensor:
    """The distance of each row of `x1` from each row of `x2`: the norm of order `p` of their difference.
    
    Args:
        x1: a tensor of shape (..., n, d) with a floating dtype: n points with d coordinates, in batches
        x2: a tensor of shape (..., m, d) with the dtype of `x1`; the batch dimensions of both broadcast
        p: the order of the norm, not negative: 2 gives Euclidean distances, 1 the sums of absolute differences
        compute_mode: whether a matrix product computes Euclidean distances: "use_mm_for_euclid_dist" always does, "donot_use_mm_for_euclid_dist"
            never, and "use_mm_for_euclid_dist_if_necessary" does for more than 25 rows. A product is fast, but less exact.
    
    Returns a new tensor of shape (..., n, m). Where a Euclidean distance is 0, its gradient is 0. Only distances computed by a product can be
    differentiated twice.
    
    >>> x = jgrad.tensor([[0., 0.], [3., 4.]])
    >>> jgrad.cdist(x, jgrad.tensor([[0., 0.], [6., 8.]]))
    tensor([[ 0., 10.],
            [ 5.,  5.]])
    """
cdouble: _dtype
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded up: the smallest integer that is not less than the element.
    
    Args:
        input: a tensor of real numbers; integers stay as they are
    
    Returns a new tensor with the dtype of `input`. The gradient is 0.
    
    >>> jgrad.ceil(jgrad.tensor([-1.5, 1.5]))
    tensor([-1.,  2.])
    """
def ceil_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """ceil() in place: the result is written to self."""
def celu(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere.
    For every `alpha` the slope is 1 on both sides of zero; `elu` has this for `alpha` = 1 only.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        alpha: the result approaches `-alpha` for large negative elements; must not be 0
    
    Returns a new tensor.
    
    >>> jgrad.celu(jgrad.tensor([-100., 0., 2.]), alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    """
def celu_(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """Replaces each element of the tensor by its `celu`: positive ones stay, the others become `alpha * (exp(input / alpha) - 1)`.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        alpha: the result approaches `-alpha` for large negative elements; must not be 0
    
    Returns `input` itself.
    
    The gradient is computed from the result. Therefore `backward` raises RuntimeError if `alpha` is negative.
    
    >>> x = jgrad.tensor([-100., 0., 2.])
    >>> jgrad.celu_(x, alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    >>> x
    tensor([-0.5000,  0.0000,  2.0000])
    """
cfloat: _dtype
def chain_matmul(*matrices: Tensor, out: Any = None) -> Tensor:
    """The product of a chain of matrices, in the order that needs the fewest multiplications of numbers. Use `linalg.multi_dot` in new code.
    
    Args:
        matrices: one or more matrices of one dtype, each an argument of its own (`linalg.multi_dot` takes a list)
    
    Returns a new tensor. The first call in a program warns that PyTorch will remove this function.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.chain_matmul(a, a, jgrad.eye(2))
    tensor([[ 7., 10.],
            [15., 22.]])
    """
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Changes the order of the channels: the first of each group, then the second of each, and so on.
    
    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions
        groups: the number of groups, by which C must be divisible
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([1, 2, 3, 4, 5, 6]).reshape(1, 6, 1)
    >>> jgrad.channel_shuffle(x, 2).flatten()
    tensor([1, 4, 2, 5, 3, 6])
    """
channels_last: _memory_format
channels_last_3d: _memory_format
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The Cholesky factorization A = L L^H of positive-definite matrices. Use `linalg.cholesky` in new code.
    
    Args:
        input: symmetric (complex: Hermitian) matrices in a tensor of shape (..., n, n); only the
            lower triangle is read, with `upper` only the upper one
        upper: whether the factor is upper triangular: A = U^H U
    
    Returns a new tensor, the factor. Raises `linalg.LinAlgError`, a RuntimeError, if a matrix is not positive-definite.
    The first call in a program warns that PyTorch will remove this function.
    
    >>> jgrad.cholesky(jgrad.tensor([[4., 2.], [2., 5.]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
def cholesky_inverse(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of A, from the Cholesky factor of A.
    
    Args:
        input: the Cholesky factor, of shape (..., n, n)
        upper: whether the factor is upper triangular (A = U^H U) or lower triangular (A = L L^H)
    
    Returns a new tensor with the shape of `input`.
    
    >>> factor = jgrad.linalg.cholesky(jgrad.tensor([[4., 2.], [2., 5.]]))
    >>> jgrad.cholesky_inverse(factor)
    tensor([[ 0.3125, -0.1250],
            [-0.1250,  0.2500]])
    """
def cholesky_solve(input: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B, from the Cholesky factor of A.
    
    Args:
        input: B, the right side, of shape (..., n, k)
        input2: the Cholesky factor of A, of shape (..., n, n); the batch dimensions are broadcast
        upper: whether the factor is upper triangular (A = U^H U) or lower triangular (A = L L^H)
    
    Returns a new tensor of shape (..., n, k).
    
    >>> factor = jgrad.linalg.cholesky(jgrad.tensor([[4., 2.], [2., 5.]]))
    >>> jgrad.cholesky_solve(jgrad.tensor([[6.], [7.]]), factor)
    tensor([[1.],
            [1.]])
    """
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller.
    
    Args:
        input: a tensor with at least one dimension
        chunks: into how many pieces to cut; there can be fewer, because the size of the pieces is rounded up
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of views, which share the memory of `input`. `tensor_split` always gives the number asked for.
    
    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.
    
    >>> jgrad.chunk(jgrad.arange(6), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4, 5]))
    >>> jgrad.chunk(jgrad.arange(5), 4)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
@overload
def clamp(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name.
    
    Args:
        input: a tensor of real numbers; nan stays nan
        min: the lower limit, a number or a tensor that broadcasts with `input`; None means no lower limit
        max: the upper limit, a number or a tensor that broadcasts with `input`; None means no upper limit
    
    Returns a new tensor. One of the limits must be given. If both are given, both must be numbers or both tensors. Where `min` is greater
    than `max`, the result is `max`. The gradient goes to `input` where it lies between the limits or on one of them. Elsewhere it goes to
    the limit that is the result, if that is a tensor. Where both limits are equal, `min` has no gradient.
    
    >>> x = jgrad.tensor([-1., 0., 0.5, 2.], requires_grad=True)
    >>> y = jgrad.clamp(x, min=0, max=1)
    >>> y
    tensor([0.0000, 0.0000, 0.5000, 1.0000], grad_fn=<ClampBackward1>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 1., 0.])
    """
@overload
def clamp(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name."""
@overload
def clamp_(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clamp_max(input: Tensor, max: Number, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept at `max` or below: larger ones become `max`.
    
    Args:
        input: a tensor of real numbers
        max: the upper limit, a number or a tensor that broadcasts with `input`
    
    Returns a new tensor. The gradient of an element that is equal to the limit goes to `input`.
    
    >>> jgrad.clamp_max(jgrad.tensor([1, 5, 9]), 4)
    tensor([1, 4, 4])
    """
@overload
def clamp_max(input: Tensor, max: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept at `max` or below: larger ones become `max`."""
@overload
def clamp_max_(input: Tensor, max: Number, *, out: Tensor | None = None) -> Tensor:
    """clamp_max() in place: the result is written to self."""
@overload
def clamp_max_(input: Tensor, max: Tensor, *, out: Tensor | None = None) -> Tensor:
    """clamp_max() in place: the result is written to self."""
@overload
def clamp_min(input: Tensor, min: Number, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept at `min` or above: smaller ones become `min`.
    
    Args:
        input: a tensor of real numbers
        min: the lower limit, a number or a tensor that broadcasts with `input`
    
    Returns a new tensor. The gradient of an element that is equal to the limit goes to `input`.
    
    >>> jgrad.clamp_min(jgrad.tensor([1, 5, 9]), 4)
    tensor([4, 5, 9])
    """
@overload
def clamp_min(input: Tensor, min: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept at `min` or above: smaller ones become `min`."""
@overload
def clamp_min_(input: Tensor, min: Number, *, out: Tensor | None = None) -> Tensor:
    """clamp_min() in place: the result is written to self."""
@overload
def clamp_min_(input: Tensor, min: Tensor, *, out: Tensor | None = None) -> Tensor:
    """clamp_min() in place: the result is written to self."""
def clear_autocast_cache() -> None:
    """Forget the converted weights that autocast has kept. The end of the outermost `autocast` block does it too.
    
    >>> jgrad.clear_autocast_cache()
    """
def clear_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """A copy with zeros where `part` is."""
@overload
def clip(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name.
    
    Args:
        input: a tensor of real numbers; nan stays nan
        min: the lower limit, a number or a tensor that broadcasts with `input`; None means no lower limit
        max: the upper limit, a number or a tensor that broadcasts with `input`; None means no upper limit
    
    Returns a new tensor. One of the limits must be given. If both are given, both must be numbers or both tensors. Where `min` is greater
    than `max`, the result is `max`. The gradient goes to `input` where it lies between the limits or on one of them. Elsewhere it goes to
    the limit that is the result, if that is a tensor. Where both limits are equal, `min` has no gradient.
    
    >>> x = jgrad.tensor([-1., 0., 0.5, 2.], requires_grad=True)
    >>> y = jgrad.clamp(x, min=0, max=1)
    >>> y
    tensor([0.0000, 0.0000, 0.5000, 1.0000], grad_fn=<ClampBackward1>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 1., 0.])
    """
@overload
def clip(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name."""
@overload
def clip_(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy with memory of its own; gradients flow through it.
    
    Args:
        input: any tensor
        memory_format: the order of the elements in memory, such as `jgrad.contiguous_format`; None and `jgrad.preserve_format` keep the
            strides, if the elements lie without gaps and overlaps
    
    Returns a new tensor. Use `x.detach().clone()` for a copy without history.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> y = x.clone()
    >>> (y * 3).sum().backward()
    >>> x.grad
    tensor([3., 3.])
    >>> y.data_ptr() == x.data_ptr()
    False
    """
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Joins tensors from left to right, along dimension 1. Each vector becomes a column.
    
    Args:
        tensors: a list or tuple of tensors with equal heights; one without dimensions counts as a vector with one element
    
    Returns a new tensor.
    
    >>> jgrad.column_stack([jgrad.tensor([1, 2]), jgrad.tensor([[3, 4], [5, 6]])])
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """All ways to choose `r` elements of a vector, as the rows of a matrix. The order within a choice doesn't count.
    
    Args:
        input: a vector
        r: how many elements to choose
        with_replacement: whether the same element can be chosen several times
    
    Returns a new tensor with `r` columns. With `r=0` it is an empty vector.
    
    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.combinations(x)
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    >>> jgrad.combinations(x, with_replacement=True)
    tensor([[1, 1],
            [1, 2],
            [1, 3],
            [2, 2],
            [2, 3],
            [3, 3]])
    """
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers made of their real and imaginary parts.
    
    Args:
        real: a floating-point tensor
        imag: a tensor with the dtype of `real` that broadcasts with it; another dtype raises RuntimeError
    
    Returns a new tensor with the broadcast shape and the complex dtype of the same precision.
    
    >>> jgrad.complex(jgrad.tensor([1., 2.]), jgrad.tensor([3., 4.]))
    tensor([1.+3.j, 2.+4.j])
    """
complex128: _dtype
complex64: _dtype
def concat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Joins tensors along one of their dimensions.
    
    Args:
        tensors: a list or tuple of tensors; their sizes must be equal in all dimensions but `dim`. Vectors without elements are skipped
        dim: the dimension along which to join; negative numbers count from the last one
    
    Returns a new tensor. Its dtype is the one to which those of the tensors are promoted. Each tensor gets its part of the gradient.
    
    >>> a, b = jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])
    >>> jgrad.cat([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.cat([a, b], 1)
    tensor([[1, 2, 3, 4]])
    """
def concatenate(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Joins tensors along one of their dimensions.
    
    Args:
        tensors: a list or tuple of tensors; their sizes must be equal in all dimensions but `dim`. Vectors without elements are skipped
        dim: the dimension along which to join; negative numbers count from the last one
    
    Returns a new tensor. Its dtype is the one to which those of the tensors are promoted. Each tensor gets its part of the gradient.
    
    >>> a, b = jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])
    >>> jgrad.cat([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.cat([a, b], 1)
    tensor([[1, 2, 3, 4]])
    """
def conj(input: Tensor) -> Tensor:
    """The complex conjugate: each imaginary part gets the opposite sign. The elements are conjugated when they are read.
    
    Args:
        input: a tensor of any dtype
    
    Returns a view, which shares the memory of `input`. For a real tensor it returns `input` itself. What is written into the view is
    conjugated and stored in `input`. On a CUDA device jgrad returns a new tensor, not a view.
    `resolve_conj` gives a copy with conjugated elements.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> c = jgrad.conj(z)
    >>> c
    tensor([1.-2.j])
    >>> c[0] = 5j
    >>> z
    tensor([0.-5.j])
    """
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate, computed immediately, in memory of its own. `conj` returns a view instead.
    
    Args:
        input: a tensor of any dtype
    
    Returns a new tensor. For a real tensor it returns `input` itself, which shares its memory.
    
    >>> jgrad.conj_physical(jgrad.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
def conj_physical_(input: Tensor) -> Tensor:
    """Replace every element by its complex conjugate, in place. Real tensors are not changed.
    
    Args:
        input: the tensor that is changed, of any dtype
    
    Returns `input` itself.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> jgrad.conj_physical_(z)
    tensor([1.-2.j])
    """
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: Number = 0) -> Tensor:
    """The tensor with some of its last dimensions made longer at both ends, where a constant is put.
    
    Args:
        input: a tensor of any shape
        pad: pairs of numbers: how many elements are put before and after the last dimension, then before and after the last but one, and so
            on. Negative numbers cut elements off
        value: the constant; it is converted to the dtype of `input`
    
    Returns a new tensor. The gradient of `input` is that of its own elements in the result; the constants have none.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.constant_pad_nd(x, (1, 2))
    tensor([[0, 1, 2, 0, 0],
            [0, 3, 4, 0, 0]])
    >>> jgrad.constant_pad_nd(x, (0, 0, 1, 0), 9)
    tensor([[9, 9],
            [1, 2],
            [3, 4]])
    >>> jgrad.constant_pad_nd(x, (-1, 0))
    tensor([[2],
            [4]])
    """
contiguous_format: _memory_format
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each row, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        weight: the weights of M output channels, of shape (M, C / groups, K), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number
        padding: how many zeros are added on each side: one number.
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, L2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(3.).reshape(1, 1, 3)
    >>> weight = jgrad.ones(1, 1, 2)
    >>> jgrad.conv1d(x, weight)
    tensor([[[1., 3.]]])
    """
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each row, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each image, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        weight: the weights of M output channels, of shape (M, C / groups, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number, or a pair (height, width)
        padding: how many zeros are added on each side: one number, or a pair (height, width).
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, H2, W2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(6.).reshape(1, 1, 2, 3)
    >>> weight = jgrad.ones(1, 1, 2, 2)
    >>> jgrad.conv2d(x, weight)
    tensor([[[[ 8., 12.]]]])
    """
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each image, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each volume, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        weight: the weights of M output channels, of shape (M, C / groups, KD, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time: one number, or three (depth, height, width)
        padding: how many zeros are added on each side: one number, or three (depth, height, width).
            'valid' adds none, 'same' as many as keep the sizes (with stride 1 only)
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, D2, H2, W2), or without N.
    
    With the defaults a size of S becomes S - K + 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.arange(12.).reshape(1, 1, 2, 2, 3)
    >>> weight = jgrad.ones(1, 1, 2, 2, 2)
    >>> jgrad.conv3d(x, weight)
    tensor([[[[[40., 48.]]]]])
    """
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """A convolution: every window of each volume, times the weights of each output channel and summed, plus a bias.
    The weights are not turned around, so it is a cross-correlation.
    """
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each row, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv1d` has for its input, and turns sizes back to those before `conv1d`. It is not its inverse.
    
    Args:
        input: rows of shape (N, C, L) or (C, L)
        weight: the weights of M output channels, of shape (C, M / groups, K), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number
        padding: how many elements are cut off on each side of the result: one number
        output_padding: how much larger the result is at the end of each dimension: one number.
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number
    
    Returns a new tensor of shape (N, M, L2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 2)
    >>> jgrad.conv_transpose1d(x, weight)
    tensor([[[ 1., 11., 10.]]])
    """
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each image, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv2d` has for its input, and turns sizes back to those before `conv2d`. It is not its inverse.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        weight: the weights of M output channels, of shape (C, M / groups, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number, or a pair (height, width)
        padding: how many elements are cut off on each side of the result: one number, or a pair (height, width)
        output_padding: how much larger the result is at the end of each dimension: one number, or a pair (height, width).
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number, or a pair (height, width)
    
    Returns a new tensor of shape (N, M, H2, W2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 1, 2)
    >>> jgrad.conv_transpose2d(x, weight)
    tensor([[[[ 1., 11., 10.]]]])
    """
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """A transposed convolution: every element of each volume, times the weights, is spread over a window.
    Where windows overlap, they are added.
    It computes the gradient that `conv3d` has for its input, and turns sizes back to those before `conv3d`. It is not its inverse.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        weight: the weights of M output channels, of shape (C, M / groups, KD, KH, KW), with the dtype of `input`
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves for each element: one number, or three (depth, height, width)
        padding: how many elements are cut off on each side of the result: one number, or three (depth, height, width)
        output_padding: how much larger the result is at the end of each dimension: one number, or three (depth, height, width).
            It must be smaller than `stride` or `dilation`
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
        dilation: the distance between the elements of a window: one number, or three (depth, height, width)
    
    Returns a new tensor of shape (N, M, D2, H2, W2), or without N.
    
    With the defaults a size of S becomes S + K - 1, where K is the size of the window. `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([1., 10.]).reshape(1, 1, 1, 1, 2)
    >>> weight = jgrad.ones(1, 1, 1, 1, 2)
    >>> jgrad.conv_transpose3d(x, weight)
    tensor([[[[[ 1., 11., 10.]]]]])
    """
def convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[_int], padding: Sequence[_int], dilation: Sequence[_int], transposed: _bool, output_padding: Sequence[_int], groups: _int) -> Tensor:
    """A convolution, or a transposed one, over any number of dimensions, with all arguments given. `conv1d`, `conv_transpose1d` and the like call it.
    
    Args:
        input: a tensor of shape (N, C, ...), with one to three dimensions after the channels
        weight: the weights of M output channels, of shape (M, C / groups, ...), or (C, M / groups, ...) if it is transposed
        bias: is added to each output channel, of shape (M,); None adds nothing
        stride: how far the window moves each time, as a tuple with one number for each dimension, like the next ones
        padding: how many zeros are added on each side; if it is transposed, how many elements are cut off
        dilation: the distance between the elements of a window
        transposed: whether it is a transposed convolution
        output_padding: how much larger the result of a transposed convolution is at the end of each dimension
        groups: into how many groups the channels are split; each group of outputs reads one group of inputs
    
    Returns a new tensor of shape (N, M, ...). `input`, `weight` and `bias` get a gradient.
    
    >>> x = jgrad.tensor([[[0., 1., 2.]]])
    >>> jgrad.convolution(x, jgrad.ones(1, 1, 2), None, (1,), (0,), (1,), False, (0,), 1)
    tensor([[[1., 3.]]])
    """
@overload
def copysign(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of `input` with the sign of `other`, element by element.
    
    Args:
        input: a tensor of real numbers; integers are converted to the default float dtype
        other: a tensor of real numbers that broadcasts with `input`, or a number; the sign of -0.0 is minus
    
    Returns a new tensor with the broadcast shape. The gradient of `input` is 1 where the sign stays, -1 where it changes, and 0 at 0.
    The gradient of `other` is 0.
    
    >>> jgrad.copysign(jgrad.tensor([1., -2., 3.]), jgrad.tensor([-5., 5., -0.]))
    tensor([-1.,  2., -3.])
    """
@overload
def copysign(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of `input` with the sign of `other`, element by element."""
def corrcoef(input: Tensor) -> Tensor:
    """The correlation coefficients of variables over observations. Each row of the matrix is a variable, each column an observation.
    
    Args:
        input: a matrix, or a vector, which is one variable; no bools
    
    Returns a new square matrix, with a row and a column for each variable; of a single variable a tensor without dimensions. All
    coefficients lie from -1 to 1.
    
    >>> x = jgrad.tensor([[1., 2., 3.], [6., 4., 2.]])
    >>> jgrad.corrcoef(x)
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of each element, an angle in radians.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `-sin(input)`.
    
    >>> jgrad.cos(jgrad.tensor([0., jgrad.pi]))
    tensor([ 1., -1.])
    """
def cos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """cos() in place: the result is written to self."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of each element: `(exp(input) + exp(-input)) / 2`.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `sinh(input)`.
    
    >>> jgrad.cosh(jgrad.tensor([0.]))
    tensor([1.])
    """
def cosh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """cosh() in place: the result is written to self."""
def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 0) -> Tensor:
    """1 minus the cosine of the angle between two vectors where the target is 1; where it is -1, the cosine minus `margin`, at least 0.
    
    Args:
        input1: the first vectors, of shape (N, D), or a single one of shape (D,)
        input2: the second vectors, in the same shape
        target: 1 for pairs that should point in the same direction, -1 for the others; of shape (N,), or without dimensions for single vectors
        margin: pairs of the second kind give no loss if their cosine is at most this number
        reduction: 1 gives the mean of the pairs, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
    
    Returns a tensor without dimensions; with reduction 0 one with the shape of `target`.
    
    >>> first = jgrad.tensor([[1., 0.], [1., 0.]])
    >>> second = jgrad.tensor([[0., 2.], [0., 2.]])
    >>> jgrad.cosine_embedding_loss(first, second, jgrad.tensor([1, -1]), reduction=0)
    tensor([1., 0.])
    """
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along a dimension: 1 for vectors of the same direction, 0 for a right angle, -1 for the opposite one.
    
    Args:
        x1: a tensor, whose dtype and that of `x2` promote to a floating one
        x2: a tensor that broadcasts with `x1`
        dim: the dimension along which the vectors lie
        eps: a smaller length of a vector counts as this, so that the zero vector gives 0
    
    Returns a new tensor without the dimension `dim`.
    
    >>> x = jgrad.tensor([[1., 0.], [0., 1.]])
    >>> y = jgrad.tensor([[2., 0.], [3., 0.]])
    >>> jgrad.cosine_similarity(x, y)
    tensor([1., 0.])
    """
@overload
def count_nonzero(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """How many elements are not zero: of all elements, or over some dimensions.
    
    Args:
        input: a tensor of any shape and dtype
        dim: a dimension, or a tuple of dimensions, over which to count; None means all dimensions
    
    Returns a new int64 tensor. nan counts as an element that is not zero. Has no gradient.
    
    >>> x = jgrad.tensor([[0, 1, 2], [0, 0, 3]])
    >>> jgrad.count_nonzero(x)
    tensor(3)
    >>> jgrad.count_nonzero(x, dim=1)
    tensor([2, 1])
    """
@overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero: of all elements, or over some dimensions."""
def cov(input: Tensor, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """The covariances of variables over observations. Each row of the matrix is a variable, each column an observation.
    
    Args:
        input: a matrix, or a vector, which is one variable; no bools
        correction: the sum of the products of distances from the means is divided by the number of observations minus this
        fweights: a vector of integers: how often each observation counts; None means once
        aweights: a vector of floating numbers: the weight of each observation; None means equal weights
    
    Returns a new square matrix, with a row and a column for each variable; of a single variable its variance, without dimensions.
    
    >>> x = jgrad.tensor([[1., 2., 3.], [3., 2., 1.]])
    >>> jgrad.cov(x)
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
def cross(input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors.
    
    Args:
        input: a tensor with the first vectors along the dimension `dim`, whose size is 3
        other: a tensor with the second vectors; it has as many dimensions as `input`, and the two are broadcast together
        dim: the dimension of the vectors; negative numbers count from the last one. None means the first dimension of size 3, with a warning:
            this is deprecated
    
    Returns a new tensor.
    
    >>> a, b = jgrad.tensor([[1, 0, 0], [0, 1, 0]]), jgrad.tensor([[0, 1, 0], [0, 0, 1]])
    >>> jgrad.cross(a, b, dim=1)
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: _int = 0, zero_infinity: _bool = False) -> Tensor:
    """Minus the logarithm of the probability that a target sequence is written, where a network gives the probabilities of classes in each step.
    All alignments count: after repeated classes are joined and blanks are left out, the target must remain.
    
    Args:
        log_probs: log-probabilities of shape (T, N, C) for T steps, N samples and C classes, the blank included; or (T, C)
        targets: the target classes, of shape (N, S), padded to the largest length S; or those of all samples in a
            single row. The blank must not be among them
        input_lengths: the number of steps of each sample: a tensor or tuple of N integers
        target_lengths: the length of each target: a tensor or tuple of N integers
        blank: the number of the class that stands for nothing
        reduction: 1 divides each loss by its target's length and then gives the mean, 2 gives the sum, 0 all of them, which is the
            default here (and not in `jgrad.nn.functional`)
        zero_infinity: whether an infinite loss, of a target that is too long for its steps, becomes 0, and its gradient too
    
    Returns a tensor without dimensions; with reduction 0 one with one element for each sample.
    
    Its gradient cannot be differentiated again. It is right only if `log_probs` comes from `log_softmax`.
    
    >>> log_probs = jgrad.log_softmax(jgrad.zeros(2, 1, 2), 2)
    >>> loss = jgrad.ctc_loss(log_probs, jgrad.tensor([[1]]), (2,), (1,), reduction=1)
    >>> (-loss).exp()
    tensor(0.7500)
    """
def cummax(input: Tensor, dim: _int, *, out: Any = None) -> return_types.cummax:
    """The largest element up to each one, along a dimension, and where it is.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; negative numbers count from the last one
    
    Returns a named tuple of two new tensors with the shape of `input`: `values`, and `indices` (int64) along the dimension. Of equal elements the
    index is that of the last one so far, and this one gets the gradient. From the first nan on, the values are nan.
    
    >>> values, indices = jgrad.cummax(jgrad.tensor([1., 3., 3., 2.]), 0)
    >>> values
    tensor([1., 3., 3., 3.])
    >>> indices
    tensor([0, 1, 2, 2])
    """
def cummin(input: Tensor, dim: _int, *, out: Any = None) -> return_types.cummin:
    """The smallest element up to each one, along a dimension, and where it is.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; negative numbers count from the last one
    
    Returns a named tuple of two new tensors with the shape of `input`: `values`, and `indices` (int64) along the dimension. Of equal elements the
    index is that of the last one so far, and this one gets the gradient. From the first nan on, the values are nan.
    
    >>> values, indices = jgrad.cummin(jgrad.tensor([3., 1., 1., 2.]), 0)
    >>> values
    tensor([3., 1., 1., 1.])
    >>> indices
    tensor([0, 1, 2, 2])
    """
def cumprod(input: Tensor, dim: _int, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The products of the elements up to each one, along a dimension.
    
    Args:
        input: a tensor of any shape and dtype; the products of integers and bools have dtype int64
        dim: the dimension along which to multiply; negative numbers count from the last one
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. The gradient is right also where elements are 0.
    
    >>> jgrad.cumprod(jgrad.tensor([1, 2, 3, 4]), 0)
    tensor([ 1,  2,  6, 24])
    """
def cumsum(input: Tensor, dim: _int, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sums of the elements up to each one, along a dimension.
    
    Args:
        input: a tensor of any shape and dtype; the sums of integers and bools have dtype int64
        dim: the dimension along which to add; negative numbers count from the last one
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. The gradient of an element is the sum of the gradients from its place on.
    
    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> y = jgrad.cumsum(x, 0)
    >>> y
    tensor([1., 3., 6.], grad_fn=<CumsumBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([3., 2., 1.])
    """
@overload
def cumulative_trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """The integrals of a function that is known at some points, from the first point to each of the others. The trapezoidal rule joins neighbouring
    points by straight lines.
    
    Args:
        y: the values of the function; bools are not allowed
        x: the points: a vector, or a tensor that broadcasts with `y`; without it, the points lie at distances of `dx`
        dx: the distance of neighbouring points, a number; not together with `x`
        dim: the dimension along which to integrate
    
    Returns a new tensor. It has one element fewer than `y` along the dimension.
    
    >>> y = jgrad.tensor([1., 5., 10.])
    >>> jgrad.cumulative_trapezoid(y)
    tensor([ 3.0000, 10.5000])
    """
@overload
def cumulative_trapezoid(y: Tensor, *, dx: Number = 1, dim: _int = -1) -> Tensor:
    """The integrals of a function that is known at some points, from the first point to each of the others. The trapezoidal rule joins neighbouring
    points by straight lines.
    """
default_generator: _Generator
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Angles in degrees converted to radians: `input * pi / 180`.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> jgrad.deg2rad(jgrad.tensor([0., 90., 180.]))
    tensor([0.0000, 1.5708, 3.1416])
    """
def deg2rad_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """deg2rad() in place: the result is written to self."""
def det(input: Tensor) -> Tensor:
    """The determinant of square matrices. It is `linalg.det`.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with one number for each matrix.
    
    >>> jgrad.det(jgrad.tensor([[2., 1.], [0., 4.]]))
    tensor(8.)
    """
def detach(input: Tensor) -> Tensor:
    """A tensor on the same memory, with the same version counter, outside the graph.
    
    No gradient flows from the result to `input`. Since the memory is the same, a write to one of them changes the other too. Backward
    notices such writes.
    
    Args:
        input: any tensor
    
    Returns a view that shares memory with `input` and has `requires_grad=False`.
    
    >>> x = jgrad.tensor(3., requires_grad=True)
    >>> y = x * x.detach()  # the second factor counts as a constant
    >>> y.backward()
    >>> x.grad
    tensor(3.)
    """
def detach_(input: Tensor) -> Tensor:
    """Take this tensor out of the graph, in place: it becomes a leaf that does not require grad.
    
    Args:
        input: a tensor that is no view; a view raises RuntimeError
    
    Returns the tensor itself.
    
    >>> x = jgrad.tensor(3., requires_grad=True)
    >>> y = x * x
    >>> y.detach_()
    tensor(9.)
    >>> y.requires_grad, y.grad_fn
    (False, None)
    """
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `detach` shows, in new memory. It has no derivative.
    
    Args:
        input: a tensor of any shape
    
    Returns a new tensor. Unlike the result of `detach`, it requires grad if `input` does, but `backward` through it raises RuntimeError. Use
    `x.detach().clone()` for a copy without history.
    
    >>> jgrad.detach_copy(jgrad.tensor([1., 2.]))
    tensor([1., 2.])
    >>> jgrad.detach_copy(jgrad.tensor([1., 2.], requires_grad=True)).requires_grad
    True
    """
from jgrad.devices import device as device
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """A matrix with a vector on its diagonal, or the diagonal of a matrix as a vector.
    
    Args:
        input: a vector or a matrix
        diagonal: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
    
    Returns a new tensor. (`diagonal` gives a view of the diagonal of a matrix.)
    
    >>> jgrad.diag(jgrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> jgrad.diag(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Matrices with the elements of the last dimension on a diagonal and zeros elsewhere.
    
    Args:
        input: a tensor with at least one dimension
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns in the result; negative numbers count from the last one
    
    Returns a new tensor with one dimension more than `input`. It is the opposite of `diagonal`.
    
    >>> jgrad.diag_embed(jgrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> jgrad.diag_embed(jgrad.tensor([1, 2]), offset=1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
def diagflat(input: Tensor, offset: _int = 0) -> Tensor:
    """A matrix with all elements of the tensor on a diagonal and zeros elsewhere.
    
    Args:
        input: a tensor of any shape; it is flattened first
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
    
    Returns a new matrix.
    
    >>> jgrad.diagflat(jgrad.tensor([[1], [2], [3]]))
    tensor([[1, 0, 0],
            [0, 2, 0],
            [0, 0, 3]])
    """
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A diagonal of the matrices that two dimensions form. These two go away, and the diagonal becomes a new last dimension.
    
    Args:
        input: a tensor with at least two dimensions
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns; negative numbers count from the last one
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.diagonal(x)
    tensor([1, 5, 9])
    >>> jgrad.diagonal(x, 1)
    tensor([2, 6])
    >>> jgrad.diagonal(jgrad.zeros(2, 3, 5), dim1=0, dim2=2).shape
    jgrad.Size([3, 2])
    """
def diagonal_copy(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `diagonal` shows, in new memory. The parameters are those of `diagonal`."""
def diagonal_scatter(input: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A copy of the tensor with `src` on a diagonal: as `x.diagonal().copy_(src)`, but `x` stays as it is.
    
    Args:
        input: the tensor to copy, with at least two dimensions
        src: a tensor with the shape of this diagonal of `input`; it is converted to the dtype of `input`
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns; negative numbers count from the last one
    
    Returns a new tensor. The gradient of `input` is 0 where it was replaced.
    
    >>> jgrad.diagonal_scatter(jgrad.zeros(2, 3), jgrad.tensor([5., 6.]), 1)
    tensor([[0., 5., 0.],
            [0., 0., 6.]])
    """
def diff(input: Tensor, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """The differences of neighbours along a dimension: each element minus the one before it. For bools: whether the two differ.
    
    Args:
        input: a tensor with at least one dimension
        n: how often to take differences; 2 gives the differences of the differences
        dim: the dimension along which the neighbours lie
        prepend: a tensor that is put before `input` along the dimension first; its other dimensions have the sizes of those of `input`
        append: a tensor that is put behind `input` likewise
    
    Returns a new tensor. It has `n` elements fewer along the dimension.
    
    >>> x = jgrad.tensor([1, 4, 9, 16])
    >>> jgrad.diff(x)
    tensor([3, 5, 7])
    >>> jgrad.diff(x, n=2)
    tensor([2, 2])
    >>> jgrad.diff(x, prepend=jgrad.tensor([0]))
    tensor([1, 3, 5, 7])
    """
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The digamma function: the derivative of `lgamma`.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for 0 and nan for negative integers.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> jgrad.lgamma(x).sum().backward()
    >>> x.grad
    tensor([-0.5772,  0.4228])
    >>> jgrad.digamma(x.detach())  # the same; the second is greater by 1
    tensor([-0.5772,  0.4228])
    """
def dist(input: Tensor, other: Tensor, p: Number = 2) -> Tensor:
    """The distance of two tensors: the norm of order `p` of their difference.
    
    Args:
        input: a tensor with a floating or complex dtype
        other: a tensor that broadcasts with `input`
        p: the order of the norm: 2 gives the usual (Euclidean) distance, 1 the sum of the absolute differences
    
    Returns a new tensor without dimensions. Where the distance of order 2 is 0, its gradient is 0.
    
    >>> jgrad.dist(jgrad.tensor([1., 1.]), jgrad.tensor([4., 5.]))
    tensor(5.)
    """
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
        rounding_mode: "trunc" rounds the quotient towards zero, "floor" rounds it down; without it, or with None, nothing is rounded
    
    Returns a new tensor with the broadcast shape. Without rounding, integers give the default float dtype. With rounding, integers stay
    integers, and the gradient is 0. Integers divided by 0 with rounding raise RuntimeError. Without it they give inf, -inf or nan.
    
    >>> a = jgrad.tensor([-7, 7])
    >>> jgrad.div(a, 2)
    tensor([-3.5000,  3.5000])
    >>> jgrad.div(a, 2, rounding_mode="trunc")
    tensor([-3,  3])
    >>> jgrad.div(a, 2, rounding_mode="floor")
    tensor([-4,  3])
    """
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
        rounding_mode: "trunc" rounds the quotient towards zero, "floor" rounds it down; without it, or with None, nothing is rounded
    
    Returns a new tensor with the broadcast shape. Without rounding, integers give the default float dtype. With rounding, integers stay
    integers, and the gradient is 0. Integers divided by 0 with rounding raise RuntimeError. Without it they give inf, -inf or nan.
    
    >>> a = jgrad.tensor([-7, 7])
    >>> jgrad.div(a, 2)
    tensor([-3.5000,  3.5000])
    >>> jgrad.div(a, 2, rounding_mode="trunc")
    tensor([-3,  3])
    >>> jgrad.div(a, 2, rounding_mode="floor")
    tensor([-4,  3])
    """
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors. Complex elements are not conjugated (`vdot` conjugates those of the first vector).
    
    Args:
        input: a vector, that is a tensor with one dimension
        tensor: a vector with the same number of elements and the same dtype
    
    Returns a new tensor with no dimensions. The gradient of one vector is the other vector.
    
    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> product = jgrad.dot(a, jgrad.tensor([4., 5., 6.]))
    >>> product
    tensor(32., grad_fn=<DotBackward0>)
    >>> product.backward()
    >>> a.grad
    tensor([4., 5., 6.])
    """
double: _dtype
def dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns a new tensor; if `train` is False or `p` is 0 it returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.dropout(jgrad.ones(1000), 0.5, True)
    >>> x.unique()
    tensor([0., 2.])
    """
def dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of any shape with a floating point dtype; it is changed in place
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.ones(1000)
    >>> jgrad.dropout_(x, 0.5, True) is x
    True
    >>> x.unique()
    tensor([0., 2.])
    """
@overload
def dsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces of the tensor along dimension 2.
    
    Args:
        input: a tensor with at least 3 dimensions
        sections: the number of pieces, all of the same size; the size of the dimension must be divisible by it. In its place, the second
            argument can also be a list of indices
        indices: the indices at which the dimension is cut, as a list; then the pieces can have different sizes
    
    Returns a tuple of views, which share the memory of `input`.
    
    >>> [piece.tolist() for piece in jgrad.dsplit(jgrad.tensor([[[1, 2], [3, 4]]]), 2)]
    [[[[1], [3]]], [[[2], [4]]]]
    """
@overload
def dsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces of the tensor along dimension 2."""
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Joins tensors along dimension 2.
    
    Args:
        tensors: a list or tuple of tensors; those with fewer than three dimensions are raised to three first, as `atleast_3d` does it
    
    Returns a new tensor with at least three dimensions.
    
    >>> jgrad.dstack([jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])])
    tensor([[[1, 3],
             [2, 4]]])
    """
from jgrad.dtypes import dtype as dtype
e: _float
def eig(self: Tensor, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eig` or `linalg.eigvals`.
    
    Args:
        eigenvectors, e, v: what the removed function took; they are ignored
    
    >>> jgrad.linalg.eigvals(jgrad.tensor([[2., 0.], [0., 3.]]))  # in place of jgrad.eig
    tensor([2.+0.j, 3.+0.j])
    """
def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products of tensors, by Einstein's convention: each letter of the equation stands for a dimension.
    
    Elements whose letters agree are multiplied. The products are summed over the letters that are missing after `->`.
    Without `->` the result has the letters that occur once, in alphabetical order, where capital letters come first.
    A letter that is repeated in one operand stands for its diagonal. `...` stands for the remaining dimensions, which are broadcast.
    In place of letters, lists of integers from 0 to 51 may follow each operand, and at the end that of the result:
    `einsum(a, [0, 1], b, [1, 2], [0, 2])`.
    
    Args:
        equation: the letters of the operands, separated by commas, and after `->` those of the result, as in "ij,jk->ik"
        operands: the tensors, each an argument of its own, or all in one list; they are multiplied from left to right
    
    Returns a tensor. With one operand and no sum (a transposed matrix, a diagonal) it is a view of the operand, else a new tensor.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> b = jgrad.tensor([[1., 0.], [10., 1.]])
    >>> jgrad.einsum("ij,jk->ik", a, b)  # the matrix product
    tensor([[21.,  2.],
            [43.,  4.]])
    >>> jgrad.einsum("ij->i", a)  # the sums of the rows
    tensor([3., 7.])
    >>> jgrad.einsum("ii", a)  # the trace
    tensor(5.)
    """
def embed_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """Zeros shaped like the geometry `base`, with self where `part` is."""
def embedding(weight: Tensor, indices: Tensor, padding_idx: _int = -1, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """Rows of `weight`: the row `indices[i]` for each i. The gradient of a row is the sum over all places where it was taken.
    
    Args:
        weight: a matrix with one row for each index
        indices: the numbers of the rows, as int64 or int32, of any shape
        padding_idx: the number of a row that gets no gradient; -1 for none
        scale_grad_by_freq: whether the gradient of a row is divided by the number of times that it was taken
        sparse: whether the gradient of `weight` is a sparse tensor, with the rows that were taken
    
    Returns a new tensor of shape (*indices.shape, D) for rows of length D.
    
    >>> weight = jgrad.tensor([[0., 0.], [1., 2.], [3., 4.]], requires_grad=True)
    >>> rows = jgrad.embedding(weight, jgrad.tensor([1, 2, 1]))
    >>> rows.detach()
    tensor([[1., 2.],
            [3., 4.],
            [1., 2.]])
    >>> rows.sum().backward()
    >>> weight.grad
    tensor([[0., 0.],
            [2., 2.],
            [1., 1.]])
    """
def embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: _bool = False, mode: _int = 0, sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Combines rows of `weight` in bags: each bag becomes the sum (mode 0), the mean (1) or the maximum (2) of its rows.
    
    Args:
        weight: a matrix with one row for each index
        indices: the numbers of the rows of all bags, one bag after the other, of shape (L,)
        offsets: where each bag begins in `indices`; the first number is 0
        scale_grad_by_freq: whether the gradient of a row is divided by the number of times that it was taken
        mode: 0 for the sum, 1 for the mean, 2 for the maximum
        sparse: whether the gradient of `weight` is a sparse tensor, with the rows that were taken
        per_sample_weights: a factor for each index, of shape (L,), for mode 0 only; None stands for ones
        include_last_offset: whether `offsets` ends with the length of `indices`, as one more number
        padding_idx: the number of a row that is left out of the bags and gets no gradient; None for none
    
    Returns four new tensors: the bags, one in a row; the number of the bag of each index; the sizes of the bags; and for mode 2 the rows that hold
    the maxima. Only the first has a gradient. For the sum the others have no meaning, and for the mean the fourth.
    
    >>> weight = jgrad.tensor([[1., 1.], [10., 20.], [3., 4.]])
    >>> jgrad.embedding_bag(weight, jgrad.tensor([0, 1, 2]), jgrad.tensor([0, 2]))[0]
    tensor([[11., 21.],
            [ 3.,  4.]])
    """
def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: _float, norm_type: _float) -> Tensor:
    """Scales down, in place, those of the named rows of a matrix whose norm is above `max_norm`. Their norm is then almost exactly `max_norm`.
    
    Args:
        input: the matrix that is changed
        indices: the numbers of the rows that are checked, as int64 or int32
        max_norm: the largest norm that a row may have
        norm_type: which norm; 2 is the usual length
    
    Returns `input` itself. Has no gradient.
    
    >>> weight = jgrad.tensor([[0., 5.], [0., 5.], [0., 0.5]])
    >>> jgrad.embedding_renorm_(weight, jgrad.tensor([0, 2]), max_norm=1., norm_type=2.)
    tensor([[0.0000, 1.0000],
            [0.0000, 5.0000],
            [0.0000, 0.5000]])
    """
@overload
def empty(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor of some size with arbitrary values: memory that is not filled. With deterministic algorithms, it is filled with nan or the largest integer.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory: `contiguous_format`, or `channels_last` for images
    
    Returns a new tensor.
    
    >>> jgrad.empty(2, 3).shape  # the values may be anything
    jgrad.Size([2, 3])
    """
@overload
def empty(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor of some size with arbitrary values: memory that is not filled. With deterministic algorithms, it is filled with nan or the largest integer.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory: `contiguous_format`, or `channels_last` for images
    
    Returns a new tensor.
    
    >>> jgrad.empty(2, 3).shape  # the values may be anything
    jgrad.Size([2, 3])
    """
def empty_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor with the size of another one, with arbitrary values: memory that is not filled.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means that of `input`
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps
    
    Returns a new tensor. No gradient flows to `input`.
    
    >>> x = jgrad.zeros(3, 2).t()
    >>> y = jgrad.empty_like(x)  # the values may be anything
    >>> y.shape, y.stride() == x.stride()
    (jgrad.Size([2, 3]), True)
    """
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor with arbitrary values, without gaps in memory, whose dimensions lie in memory in a given order.
    
    Args:
        size: the shape, a tuple or list of integers
        physical_layout: the dimensions, each once, from the one with the largest stride to the one with the smallest
        dtype: the dtype; None means the default dtype
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor. Raises RuntimeError if `physical_layout` does not name each dimension once.
    
    >>> jgrad.empty_permuted((2, 3), (1, 0)).stride()
    (1, 2)
    >>> jgrad.empty_permuted((2, 3), (0, 1)).stride()
    (3, 1)
    """
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor with arbitrary values, with a given size and given strides.
    
    Args:
        size: the shape, a tuple or list of integers
        stride: for each dimension, how many elements of memory lie between neighbours along it
        dtype: the dtype; None means the default dtype
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor. Raises RuntimeError if `size` and `stride` differ in length.
    
    >>> x = jgrad.empty_strided((2, 3), (1, 2))
    >>> x.stride(), x.is_contiguous()
    ((1, 2), False)
    """
from jgrad.graph.grad_mode import enable_grad as enable_grad
def eq(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether both elements are equal: `input == other`, element by element.
    
    Args:
        input: a tensor of any dtype
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. nan is not equal to anything, not even to nan.
    
    >>> jgrad.eq(jgrad.tensor([1., 2., float("nan")]), jgrad.tensor([1., 3., float("nan")]))
    tensor([ True, False, False])
    """
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether two tensors have the same shape and the same elements. They need not have the same dtype.
    
    Args:
        input: a tensor of any dtype
        other: a tensor of any dtype, which does not broadcast
    
    Returns a bool of Python. nan is not equal to nan, so a tensor with nan is not equal to a copy of it.
    
    >>> jgrad.equal(jgrad.tensor([1, 2]), jgrad.tensor([1., 2.]))
    True
    >>> jgrad.equal(jgrad.tensor([1, 1]), jgrad.tensor([1]))
    False
    """
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to the element.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its elements are between -1 and 1.
    
    >>> x = jgrad.tensor([-1., 0., 1.], requires_grad=True)
    >>> y = jgrad.erf(x)
    >>> y
    tensor([-0.8427,  0.0000,  0.8427], grad_fn=<ErfBackward0>)
    >>> y.sum().backward()
    >>> x.grad  # 2 / sqrt(pi) * exp(-x * x)
    tensor([0.4151, 1.1284, 0.4151])
    """
def erf_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """erf() in place: the result is written to self."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complement of the error function, `1 - erf(input)`. It is exact also where it is tiny and `1 - erf(input)` would be 0.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([5.])
    >>> jgrad.erfc(x), 1 - jgrad.erf(x)
    (tensor([1.5375e-12]), tensor([0.]))
    """
def erfc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """erfc() in place: the result is written to self."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the error function: the number whose `erf` is the element.
    
    Args:
        input: a tensor of real numbers between -1 and 1; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for -1, inf for 1, and nan for numbers outside of this range.
    
    >>> jgrad.erfinv(jgrad.tensor([-1., 0., 0.5, 1., 2.]))
    tensor([  -inf, 0.0000, 0.4769,    inf,    nan])
    """
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exponential function: e to the power of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is the result itself.
    
    >>> x = jgrad.tensor([0., 1.], requires_grad=True)
    >>> jgrad.exp(x)
    tensor([1.0000, 2.7183], grad_fn=<ExpBackward0>)
    >>> jgrad.exp(x).sum().backward()
    >>> x.grad
    tensor([1.0000, 2.7183])
    """
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is the result times the natural logarithm of 2.
    
    >>> jgrad.exp2(jgrad.tensor([-1., 0., 3.]))
    tensor([0.5000, 1.0000, 8.0000])
    """
def exp2_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp2() in place: the result is written to self."""
def exp_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp() in place: the result is written to self."""
def expand_copy(input: Tensor, size: Sequence[_int], *, implicit: _bool = False, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `expand` shows, in new memory. The parameters are those of `expand`."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`exp(input) - 1`, element by element. It stays accurate near 0, where `exp(input)` would be rounded to 1.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.exp(x) - 1
    tensor([0.])
    >>> jgrad.expm1(x)
    tensor([1.0000e-09])
    """
def expm1_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """expm1() in place: the result is written to self."""
def extract_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """Of a tensor shaped like the geometry `base`, the elements that are where `part` is."""
def eye(n: _int, m: Any = ..., *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A matrix with ones on the diagonal, and zeros elsewhere.
    
    Args:
        n: the number of rows
        m: the number of columns; if it is left out, there are `n`
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new matrix.
    
    >>> jgrad.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
def feature_alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets whole channels to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns a new tensor; if `train` is False or `p` is 0 it returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.feature_alpha_dropout(jgrad.ones(1, 3, 2), 0.5, True)
    >>> jgrad.equal(x[..., 0], x[..., 1])
    True
    """
def feature_alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets whole channels to the negative limit of `selu` at random, with the probability `p`.
    Then all elements are scaled and shifted so that a mean of 0 and a variance of 1 are kept. It goes with `selu`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; it is changed in place
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.ones(1, 3, 2)
    >>> jgrad.feature_alpha_dropout_(x, 0.5, True) is x
    True
    >>> jgrad.equal(x[..., 0], x[..., 1])
    True
    """
def feature_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets whole channels to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns a new tensor; if `train` is False or `p` is 0 it returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.feature_dropout(jgrad.ones(1, 3, 2), 0.5, True)
    >>> jgrad.equal(x[..., 0], x[..., 1])
    True
    """
def feature_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets whole channels to zero at random, with the probability `p`, and divides the others by `1 - p`, which keeps the mean.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; it is changed in place
        p: the probability, from 0 to 1
        train: False changes nothing
    
    Returns `input` itself.
    
    The gradient goes through the elements that are kept, with the factor that they have.
    
    >>> x = jgrad.ones(1, 3, 2)
    >>> jgrad.feature_dropout_(x, 0.5, True) is x
    True
    >>> jgrad.equal(x[..., 0], x[..., 1])
    True
    """
@overload
def fill(input: Tensor, value: Number) -> Tensor:
    """A tensor like `input` with one value in every element.
    
    Args:
        input: a tensor that gives the shape and the dtype; its elements do not matter, and its gradient is 0
        value: a number, or a tensor with 0 dimensions; the gradient of such a tensor is the sum over all elements
    
    Returns a new tensor.
    
    >>> v = jgrad.tensor(7., requires_grad=True)
    >>> y = jgrad.fill(jgrad.zeros(2, 2), v)
    >>> y.sum().backward()
    >>> v.grad
    tensor(4.)
    """
@overload
def fill(input: Tensor, value: Tensor) -> Tensor:
    """A tensor like `input` with one value in every element."""
@overload
def fill_(input: Tensor, value: Tensor) -> Tensor:
    """Write one value into every element of a tensor, in place.
    
    The gradient of the old elements is 0. The gradient of a tensor `value` is the sum over all elements.
    
    Args:
        input: the tensor to write to; a leaf that requires grad raises RuntimeError, unless recording is off
        value: a number, or a tensor without dimensions; it is converted to the dtype of `input`
    
    Returns `input` itself.
    
    >>> jgrad.zeros(3).fill_(7)
    tensor([7., 7., 7.])
    >>> value = jgrad.tensor(2., requires_grad=True)
    >>> jgrad.zeros(3).fill_(value).sum().backward()
    >>> value.grad
    tensor(3.)
    """
@overload
def fill_(input: Tensor, value: Number) -> Tensor:
    """Write one value into every element of a tensor, in place."""
from jgrad.dtypes import finfo as finfo
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded towards zero: its integer part. `fix` is another name.
    
    Args:
        input: a tensor of real numbers; integers stay as they are
    
    Returns a new tensor with the dtype of `input`. The gradient is 0.
    
    >>> jgrad.trunc(jgrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
def fix_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """trunc() in place: the result is written to self."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """The tensor with several adjacent dimensions joined into one; with all of them by default.
    
    Args:
        input: a tensor of any shape; one without dimensions becomes a vector with one element
        start_dim: the first of the dimensions to join; negative numbers count from the last one
        end_dim: the last of them, which is included
    
    Returns `input` itself if there is nothing to join, else a view of it if the strides allow it, else a copy.
    
    >>> jgrad.flatten(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    >>> jgrad.flatten(jgrad.zeros(2, 3, 5), start_dim=1).shape
    jgrad.Size([2, 15])
    """
@overload
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """The tensor with its elements in reverse order along some dimensions.
    
    Args:
        input: a tensor of any shape
        dims: the dimensions to reverse, as a tuple; negative numbers count from the last one
    
    Returns a new tensor: this is a copy, not a view.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.flip(x, (1,))
    tensor([[3, 2, 1],
            [6, 5, 4]])
    >>> jgrad.flip(x, (0, 1))
    tensor([[6, 5, 4],
            [3, 2, 1]])
    """
@overload
def flip(input: Tensor, *dims: _int) -> Tensor:
    """The tensor with its elements in reverse order along some dimensions."""
def fliplr(input: Tensor) -> Tensor:
    """The tensor with its columns in reverse order: `flip` along dimension 1.
    
    Args:
        input: a tensor with at least two dimensions
    
    Returns a new tensor: this is a copy, not a view.
    
    >>> jgrad.fliplr(jgrad.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[3, 2, 1],
            [6, 5, 4]])
    """
def flipud(input: Tensor) -> Tensor:
    """The tensor with its rows in reverse order: `flip` along dimension 0.
    
    Args:
        input: a tensor with at least one dimension
    
    Returns a new tensor: this is a copy, not a view.
    
    >>> jgrad.flipud(jgrad.tensor([[1, 2], [3, 4], [5, 6]]))
    tensor([[5, 6],
            [3, 4],
            [1, 2]])
    """
float: _dtype
float16: _dtype
float32: _dtype
float64: _dtype
float8_e4m3fn: _dtype
float8_e4m3fnuz: _dtype
float8_e5m2: _dtype
float8_e5m2fnuz: _dtype
float8_e8m0fnu: _dtype
@overload
def float_power(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision.
    
    Args:
        input: a tensor, or a number if `exponent` is a tensor
        exponent: a tensor that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with dtype float64, or complex128 if one of both is complex. A negative real number to a fractional power is nan.
    
    >>> jgrad.float_power(jgrad.tensor([2, 4]), -1)
    tensor([0.5000, 0.2500], dtype=jgrad.float64)
    """
@overload
def float_power(self: Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision."""
@overload
def float_power(input: Tensor, exponent: Number, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision."""
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded down: the largest integer that is not greater than the element.
    
    Args:
        input: a tensor of real numbers; integers stay as they are
    
    Returns a new tensor with the dtype of `input`. The gradient is 0.
    
    >>> jgrad.floor(jgrad.tensor([-1.5, 1.5]))
    tensor([-2.,  1.])
    """
def floor_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """floor() in place: the result is written to self."""
@overload
def floor_divide(input: Tensor | Number, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, rounded down, element by element. It is like `//` in Python.
    
    Args:
        input: a tensor of real numbers, or a number
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError.
    It has no derivative: the result requires grad if an input does, but the backward pass raises RuntimeError.
    `jgrad.div(input, other, rounding_mode="floor")` computes the same and has the gradient 0.
    
    >>> jgrad.floor_divide(jgrad.tensor([-7, 7]), 2)
    tensor([-4,  3])
    >>> jgrad.floor_divide(jgrad.tensor([-7., 7.]), 2)
    tensor([-4.,  3.])
    """
@overload
def floor_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, rounded down, element by element. It is like `//` in Python."""
@overload
def floor_divide(self: Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, rounded down, element by element. It is like `//` in Python."""
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements, element by element. If one of them is nan, the result is the other one.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape and the common dtype of both. The gradient of equal elements goes to `input`.
    
    >>> nan = float("nan")
    >>> jgrad.fmax(jgrad.tensor([1., nan, nan]), jgrad.tensor([2., 3., nan]))
    tensor([2., 3., nan])
    """
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements, element by element. If one of them is nan, the result is the other one.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape and the common dtype of both. The gradient of equal elements goes to `input`.
    
    >>> nan = float("nan")
    >>> jgrad.fmin(jgrad.tensor([1., nan, nan]), jgrad.tensor([2., 3., nan]))
    tensor([1., 3., nan])
    """
@overload
def fmod(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`.
    
    Args:
        input: a tensor of real numbers
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError, floats give nan.
    
    >>> jgrad.fmod(jgrad.tensor([-7, 7]), 3)
    tensor([-1,  1])
    >>> jgrad.fmod(jgrad.tensor([-7, 7]), -3)
    tensor([-1,  1])
    """
@overload
def fmod(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`."""
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The fractional part of each element: `input - trunc(input)`. It has the sign of the element.
    
    Args:
        input: a floating-point tensor; integers raise NotImplementedError
    
    Returns a new tensor. The gradient is that of `input` itself: 1.
    
    >>> jgrad.frac(jgrad.tensor([-1.5, 2.25]))
    tensor([-0.5000,  0.2500])
    """
def frac_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """frac() in place: the result is written to self."""
def frexp(input: Tensor, *, out: Any = None) -> return_types.frexp:
    """Each element written as `mantissa * 2**exponent`. The size of the mantissa is at least 0.5 and less than 1.
    
    Args:
        input: a floating-point tensor; others raise RuntimeError
    
    Returns a named tuple of two new tensors: `mantissa` has the dtype of `input`, `exponent` has dtype int32. For 0 both are 0.
    The mantissa has a gradient, the exponent has none.
    
    >>> mantissa, exponent = jgrad.frexp(jgrad.tensor([8., -0.75]))
    >>> mantissa
    tensor([ 0.5000, -0.7500])
    >>> exponent
    tensor([4, 0], dtype=jgrad.int32)
    >>> jgrad.ldexp(mantissa, exponent)
    tensor([ 8.0000, -0.7500])
    """
def frobenius_norm(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The root of the sum of the squares along one dimension or two. `linalg.vector_norm` and `linalg.matrix_norm` do the same, and more.
    
    Args:
        input: a tensor with a floating point or complex dtype
        dim: one dimension or a list of at most two; an empty list means all
        keepdim: whether the dimensions stay, with size 1
    
    Returns a new real tensor. Raises RuntimeError for integers and for more than two dimensions.
    
    >>> jgrad.frobenius_norm(jgrad.tensor([[3., 4.], [0., 2.]]), 1)
    tensor([5., 2.])
    """
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: _bool | None = None) -> Tensor:
    """A tensor on the memory of another library's array, or of a DLPack capsule.
    
    Args:
        ext_tensor: an array of a library that knows DLPack (NumPy, CuPy, PyTorch, JAX, ...), or a capsule; a tensor that requires grad raises
            BufferError
        device: the device of the result; None is that of the array; not possible for a capsule
        copy: True always copies, False raises ValueError where a copy is needed, None copies only then; True and False are not possible for a
            capsule
    
    Returns a tensor that shares memory with `ext_tensor`, unless it was copied.
    
    >>> import numpy
    >>> a = numpy.zeros(3)
    >>> x = jgrad.from_dlpack(a)
    >>> x.add_(1)
    tensor([1., 1., 1.], dtype=jgrad.float64)
    >>> a.tolist()
    [1.0, 1.0, 1.0]
    """
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor on the memory of a NumPy array: a change of one is a change of the other.
    
    Args:
        ndarray: an array of a dtype that tensors have, without negative strides
    
    Returns a new tensor that shares the memory of the array. It is a leaf, and requires no gradient. Raises TypeError for other dtypes, and
    ValueError for negative strides: copy such an array first.
    
    >>> import numpy
    >>> array = numpy.array([1., 2., 3.])
    >>> x = jgrad.from_numpy(array)
    >>> array[0] = 10
    >>> x
    tensor([10.,  2.,  3.], dtype=jgrad.float64)
    """
def frombuffer(buffer: Any, *, dtype: _dtype, count: _int = -1, offset: _int = 0, requires_grad: _bool = False) -> Tensor:
    """A vector on the memory of an object with the buffer protocol, as a bytearray.
    
    Args:
        buffer: a bytearray, an array of the module `array`, a NumPy array, or another such object
        dtype: how the bytes are to be read
        count: how many elements the result has; a negative number means as many as there are
        offset: how many bytes to skip at the start
        requires_grad: if True, the result requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor that shares the memory of the buffer: a change of one is a change of the other. If the buffer cannot be written to, as
    `bytes`, there is a warning. Raises ValueError if the sizes do not fit.
    
    >>> buffer = bytearray([1, 2, 3, 4])
    >>> x = jgrad.frombuffer(buffer, dtype=jgrad.uint8, count=2, offset=1)
    >>> x
    tensor([2, 3], dtype=jgrad.uint8)
    >>> buffer[1] = 20
    >>> x
    tensor([20,  3], dtype=jgrad.uint8)
    """
def full(size: Any, fill_value: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of some size, filled with one number.
    
    Args:
        size: the shape, a tuple or list of integers
        fill_value: the number, or a tensor without dimensions
        dtype: the dtype; None means that of `fill_value`: int64, bool, or the default dtype for floats; or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor. No gradient flows to `fill_value`.
    
    >>> jgrad.full((2, 3), 7)
    tensor([[7, 7, 7],
            [7, 7, 7]])
    >>> jgrad.full((2,), 0.5)
    tensor([0.5000, 0.5000])
    """
def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor with the size of another one, filled with one number.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        fill_value: the number
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means that of `input`
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps
    
    Returns a new tensor. Unlike `jgrad.full`, it does not take the dtype from the number.
    
    >>> x = jgrad.tensor([1., 2.])
    >>> jgrad.full_like(x, 5)
    tensor([5., 5.])
    """
def gather(input: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | None = None) -> Tensor:
    """Elements of the tensor, chosen along a dimension by an index tensor. With two dimensions and `dim=0`, the result is
    `out[i][j] = input[index[i][j]][j]`; with `dim=1` it is `out[i][j] = input[i][index[i][j]]`.
    
    Args:
        input: the tensor to read from
        dim: the dimension along which `index` chooses; negative numbers count from the last one
        index: an int64 or int32 tensor with as many dimensions as `input`; in all dimensions but `dim` its size is at most that of `input`.
            Its values must not be negative
        sparse_grad: whether the gradient of `input` is a sparse tensor, with the places that were read
    
    Returns a new tensor with the shape of `index`. It is not broadcast: see `take_along_dim` for that.
    
    The gradient of each result goes to the element from which it was read; the gradients of repeated indices add up.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> y = jgrad.gather(x, 1, jgrad.tensor([[0, 0], [1, 0]]))
    >>> y.detach()
    tensor([[1., 1.],
            [4., 3.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[2., 0.],
            [1., 1.]])
    """
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor of two integers, element by element. It is never negative, and 0 if both are 0.
    
    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape and the common dtype of both.
    
    >>> jgrad.gcd(jgrad.tensor([12, -18]), jgrad.tensor([18, 12]))
    tensor([6, 6])
    """
def gcd_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """gcd() in place: the result is written to self."""
def ge(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is greater than the other or equal to it: `input >= other`, element by element. `greater_equal` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.ge(jgrad.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
def geqrf(input: Tensor, *, out: Any = None) -> return_types.geqrf:
    """The QR factorization of matrices in a compact form. `linalg.qr` gives Q and R as matrices of their own.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
    
    Returns a named tuple of new tensors: `a` has R on and above the diagonal, and below it the vectors of the reflections whose product is Q;
    `tau` has the factors of the reflections (see `linalg.householder_product`). The gradient is not
    implemented: backward raises NotImplementedError.
    
    >>> a, tau = jgrad.geqrf(jgrad.tensor([[3.], [4.]]))
    >>> a.round(decimals=3)
    tensor([[-5.0000],
            [ 0.5000]])
    >>> tau.round(decimals=3)
    tensor([1.6000])
    """
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The outer product of two vectors. This is the older name of `outer`.
    
    Args:
        input: a vector of shape (n,)
        vec2: a vector of shape (m,)
    
    Returns a new tensor of shape (n, m). Element (i, j) is element i of the first vector times element j of the second.
    
    >>> jgrad.ger(jgrad.tensor([1., 2.]), jgrad.tensor([1., 10., 100.]))
    tensor([[  1.,  10., 100.],
            [  2.,  20., 200.]])
    """
def get_autocast_cpu_dtype() -> Any:
    """The short dtype that autocast uses on the CPU. PyTorch has deprecated it: use `get_autocast_dtype("cpu")`.
    
    Returns a dtype, at first bfloat16. Gives a DeprecationWarning.
    
    >>> jgrad.get_autocast_cpu_dtype()
    jgrad.bfloat16
    """
def get_autocast_dtype(device_type: _str) -> Any:
    """The short dtype in which matrix products and convolutions run under autocast.
    
    Args:
        device_type: the type of device, such as "cpu"
    
    Returns a dtype, at first bfloat16 for "cpu" and float16 for "cuda".
    
    >>> jgrad.get_autocast_dtype("cpu")
    jgrad.bfloat16
    """
def get_autocast_gpu_dtype() -> Any:
    """The short dtype that autocast uses on a GPU. PyTorch has deprecated it: use `get_autocast_dtype("cuda")`.
    
    Returns a dtype, at first float16. Gives a DeprecationWarning.
    
    >>> jgrad.get_autocast_gpu_dtype()
    jgrad.float16
    """
def get_default_device() -> _device:
    """The device of tensors for which no device is given: the CPU, unless it was changed.
    
    >>> jgrad.get_default_device()
    device(type='cpu')
    >>> with jgrad.device("meta"):
    ...     jgrad.get_default_device()
    device(type='meta')
    """
def get_default_dtype() -> _dtype:
    """The dtype of tensors made from Python floats: float32, unless `set_default_dtype` set another one.
    
    >>> jgrad.get_default_dtype()
    jgrad.float32
    >>> jgrad.tensor([1.5]).dtype
    jgrad.float32
    """
def get_deterministic_debug_mode() -> _int:
    """What `use_deterministic_algorithms` or `set_deterministic_debug_mode` has set, as a number.
    
    Returns 0 for "default", 1 for "warn", or 2 for "error".
    
    >>> jgrad.set_deterministic_debug_mode("error")
    >>> jgrad.get_deterministic_debug_mode()
    2
    >>> jgrad.set_deterministic_debug_mode("default")
    """
def get_device(input: Tensor) -> _int:
    """The number of the GPU on which a tensor is.
    
    Args:
        input: a tensor
    
    Returns an int; it is -1 for a tensor on the CPU.
    
    >>> jgrad.get_device(jgrad.zeros(2))
    -1
    """
def get_float32_matmul_precision() -> _str:
    """The word that `set_float32_matmul_precision` has set.
    
    Returns "highest", "high" or "medium"; at first it is "highest".
    
    >>> jgrad.get_float32_matmul_precision()
    'highest'
    """
def get_num_interop_threads() -> _int:
    """The number that `set_num_interop_threads` has set; at first it is the number of processors.
    
    Returns an integer.
    
    >>> jgrad.get_num_interop_threads() >= 1
    True
    """
def get_num_threads() -> _int:
    """The number that `set_num_threads` has set; at first it is the number of processors.
    
    Returns an integer.
    
    >>> jgrad.get_num_threads() >= 1
    True
    """
def get_rng_state() -> Any:
    """The state of the default generator of the CPU: where it is in its stream of random numbers.
    
    Returns a new uint8 tensor. `jgrad.set_rng_state` goes back to this place of the stream.
    
    >>> state = jgrad.get_rng_state()
    >>> x = jgrad.rand(2)
    >>> jgrad.set_rng_state(state)
    >>> bool((jgrad.rand(2) == x).all())  # the same numbers again
    True
    """
def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
    """The slopes of a function that is known at some points: estimates of its derivative along each dimension.
    It does not compute derivatives by autograd.
    
    Args:
        input: the values of the function at the points of a grid
        spacing: the distance of neighbouring points: one number for all dimensions, or a list with one per dimension. It may also be a list of
            vectors, one per dimension, with the coordinates of the points. None means 1.
        dim: a dimension, or a list of dimensions, along which to estimate; None means all
        edge_order: 1 or 2: how exact the slopes at the two ends are. Inside, a slope uses both neighbours. At the ends it uses one neighbour,
            or two with `edge_order=2`.
    
    Returns a tuple of new tensors with the shape of `input`, one per dimension. Raises RuntimeError if a dimension has fewer than
    `edge_order + 1` points.
    
    >>> squares = jgrad.tensor([1., 4., 9., 16.])
    >>> jgrad.gradient(squares)
    (tensor([3., 4., 6., 7.]),)
    >>> jgrad.gradient(squares, edge_order=2)
    (tensor([2., 4., 6., 8.]),)
    """
def greater(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is greater than the other: `input > other`, element by element. `greater` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.gt(jgrad.tensor([1, 2, 3]), jgrad.tensor([[0], [2]]))
    tensor([[ True,  True,  True],
            [False, False,  True]])
    """
def greater_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is greater than the other or equal to it: `input >= other`, element by element. `greater_equal` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.ge(jgrad.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """Reads images or volumes at the points of a grid. It is `nn.functional.grid_sample` with numbers instead of names.
    
    Args:
        input: images of shape (N, C, H, W), or volumes of shape (N, C, D, H, W)
        grid: points of shape (N, H2, W2, 2), or (N, D2, H2, W2, 3), with the dtype of `input`. The first coordinate of a point goes from left (-1) to
            right (1), the second from top to bottom, the third from front to back
        interpolation_mode: 0 interpolates on straight lines (bilinear), 1 takes the nearest element, 2 interpolates by cubics (images only)
        padding_mode: what is outside: 0 for zeros, 1 for the elements at the edge, 2 for the image in a mirror
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself
    
    Returns a new tensor of shape (N, C, H2, W2), or (N, C, D2, H2, W2). Both `input` and `grid` get a gradient; with mode 1 that of `grid` is zero.
    
    >>> x = jgrad.tensor([[[[1., 2.], [3., 4.]]]])
    >>> jgrad.grid_sampler(x, jgrad.tensor([[[[-1., -1.], [0., 0.]]]]), 0, 0, True)
    tensor([[[[1.0000, 2.5000]]]])
    """
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """Reads images at the points of a grid. It is `grid_sampler` for images.
    
    Args:
        input: images of shape (N, C, H, W)
        grid: points of shape (N, H2, W2, 2) with the dtype of `input`; the first coordinate goes from left (-1) to right (1), the second from top to
            bottom
        interpolation_mode: 0 interpolates on straight lines (bilinear), 1 takes the nearest element, 2 interpolates by cubics
        padding_mode: what is outside: 0 for zeros, 1 for the elements at the edge, 2 for the image in a mirror
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself
    
    Returns a new tensor of shape (N, C, H2, W2). Both `input` and `grid` get a gradient; with mode 1 that of `grid` is zero.
    
    >>> x = jgrad.tensor([[[[1., 2.], [3., 4.]]]])
    >>> jgrad.grid_sampler_2d(x, jgrad.tensor([[[[-1., -1.], [0., 0.]]]]), 0, 0, True)
    tensor([[[[1.0000, 2.5000]]]])
    """
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """Reads volumes at the points of a grid. It is `grid_sampler` for volumes.
    
    Args:
        input: volumes of shape (N, C, D, H, W)
        grid: points of shape (N, D2, H2, W2, 3) with the dtype of `input`; the first coordinate goes from left (-1) to right (1), the second from
            top to bottom, the third from front to back
        interpolation_mode: 0 interpolates on straight lines (trilinear), 1 takes the nearest element
        padding_mode: what is outside: 0 for zeros, 1 for the elements at the edge, 2 for the volume in a mirror
        align_corners: whether -1 and 1 are the centers of the elements at the edge; otherwise they are the edge itself
    
    Returns a new tensor of shape (N, C, D2, H2, W2). Both `input` and `grid` get a gradient; with mode 1 that of `grid` is zero.
    
    >>> x = jgrad.arange(8.).reshape(1, 1, 2, 2, 2)
    >>> jgrad.grid_sampler_3d(x, jgrad.zeros(1, 1, 1, 1, 3), 0, 0, True)
    tensor([[[[[3.5000]]]]])
    """
def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enabled: _bool = True) -> Tensor:
    """Normalizes groups of channels of each sample: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        num_groups: the number of groups, by which C must be divisible; 1 normalizes each sample, C each channel of each sample
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero
        cudnn_enabled: has no effect here; it is a setting for GPUs
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[1., 3., 10., 30.]])
    >>> jgrad.group_norm(x, 2, eps=0.)
    tensor([[-1.,  1., -1.,  1.]])
    """
def gru_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """One step of a gated recurrent unit: a gate says how much of the hidden state stays. `nn.GRUCell` is the layer of it.
    
    With `r = sigmoid(...)` and `z = sigmoid(...)`, each of the input and the hidden state, and `n = tanh(w_in x + b_in + r * (w_hn h + b_hn))`,
    the next hidden state is `(1 - z) * n + z * h`.
    
    Args:
        input: a batch of inputs, of shape (N, input_size), with a floating point dtype
        hx: the hidden states, of shape (N, hidden_size), with the dtype of `input`
        w_ih: the weights of the input for r, z and n, one below the other, of shape (3 * hidden_size, input_size)
        w_hh: the weights of the hidden state in the same order, of shape (3 * hidden_size, hidden_size)
        b_ih, b_hh: the two biases, of shape (3 * hidden_size,); None adds nothing
    
    Returns the next hidden states, a new tensor of shape (N, hidden_size). Raises RuntimeError if sizes do not fit each other.
    
    >>> x, h = jgrad.zeros(1, 2), jgrad.tensor([[8.]])
    >>> jgrad.gru_cell(x, h, jgrad.zeros(3, 2), jgrad.zeros(3, 1))  # z is sigmoid(0), so half of the state stays
    tensor([[4.]])
    """
def gt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is greater than the other: `input > other`, element by element. `greater` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.gt(jgrad.tensor([1, 2, 3]), jgrad.tensor([[0], [2]]))
    tensor([[ True,  True,  True],
            [False, False,  True]])
    """
half: _dtype
@overload
def hamming_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hamming window: `alpha` minus `beta` times a cosine. It does not go down to 0.
    A window is multiplied with a piece of a signal before its Fourier transform.
    
    Args:
        window_length: how many points the window has, not negative
        periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
            the window is symmetric
        alpha: the mean value of the window
        beta: the factor of the cosine
        dtype: the dtype, a floating one; None means the default dtype
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new vector. A window of one point is 1.
    
    >>> jgrad.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
@overload
def hamming_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hamming window: `alpha` minus `beta` times a cosine. It does not go down to 0.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
@overload
def hamming_window(window_length: _int, periodic: _bool, alpha: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hamming window: `alpha` minus `beta` times a cosine. It does not go down to 0.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
@overload
def hamming_window(window_length: _int, periodic: _bool, alpha: _float, beta: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hamming window: `alpha` minus `beta` times a cosine. It does not go down to 0.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
@overload
def hann_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hann window: 0.5 minus 0.5 times a cosine, which goes from 0 to 1 and back.
    A window is multiplied with a piece of a signal before its Fourier transform.
    
    Args:
        window_length: how many points the window has, not negative
        periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
            the window is symmetric
        dtype: the dtype, a floating one; None means the default dtype
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new vector. A window of one point is 1.
    
    >>> jgrad.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    >>> jgrad.hann_window(5, periodic=False)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
@overload
def hann_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Hann window: 0.5 minus 0.5 times a cosine, which goes from 0 to 1 and back.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
def hardshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element, with those from `-lambd` to `lambd` set to zero.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        lambd: the largest absolute value that becomes zero
    
    Returns a new tensor. The gradient is 0 where the element was set to zero and 1 elsewhere.
    
    >>> jgrad.hardshrink(jgrad.tensor([-2., -0.5, 0.25, 1.]))
    tensor([-2.,  0.,  0.,  1.])
    """
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The step function: 0 where `input` is negative, 1 where it is positive, and `values` where it is 0.
    
    Args:
        input: a tensor of real numbers
        values: a tensor with the dtype of `input` that broadcasts with it: the results where `input` is 0
    
    Returns a new tensor with the broadcast shape. It has no derivative: the backward pass raises RuntimeError.
    
    >>> jgrad.heaviside(jgrad.tensor([-2., 0., 2.]), jgrad.tensor(0.5))
    tensor([0.0000, 0.5000, 1.0000])
    """
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, reduction: _int = 0) -> Tensor:
    """For distances: `input` itself where the target is 1, and `margin - input`, at least 0, where it is -1.
    
    Args:
        input: distances between pairs, of any shape
        target: 1 for pairs that should be near each other, -1 for the others
        margin: pairs of the second kind give no loss if their distance is at least this number
        reduction: 1 gives the mean of the elements, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
    
    Returns a tensor without dimensions; with reduction 0 one with the shape of `input`.
    
    >>> distances = jgrad.tensor([3., 0.5, 3.])
    >>> jgrad.hinge_embedding_loss(distances, jgrad.tensor([1, -1, -1]), reduction=0)
    tensor([3.0000, 0.5000, 0.0000])
    """
def histc(input: Tensor, bins: _int = 100, min: Number = 0, max: Number = 0, *, out: Tensor | None = None) -> Tensor:
    """How many elements fall into each of some bins of equal width.
    
    Args:
        input: a tensor of any shape, with a floating dtype
        bins: how many bins
        min: the lower end of the first bin
        max: the upper end of the last bin; if it equals `min`, the ends are the smallest and the largest element
    
    Returns a new vector with the counts, in the dtype of `input`. Elements outside the ends are not counted. Has no gradient.
    
    >>> jgrad.histc(jgrad.tensor([1., 2., 1., 9.]), bins=4, min=0, max=4)
    tensor([0., 2., 1., 0.])
    """
@overload
def histogram(input: Tensor, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False, out: Any = None) -> return_types.histogram:
    """How many elements fall into each bin, or how much weight; and the edges of the bins.
    
    Args:
        input: a tensor of any shape, with a floating dtype
        bins: the number of bins of equal width, or a vector with the edges of the bins in ascending order
        range: the lower and the upper end of the bins, as a pair of floats, if `bins` is a number; None means the smallest and the largest element
        weight: a tensor with the shape of `input`: how much each element counts; None means 1
        density: if True, the counts are divided by their sum and by the widths of the bins, so that the histogram has the area 1
    
    Returns a named tuple of two new vectors: `hist`, and `bin_edges`, which has one element more. Elements outside are not counted. A bin contains
    its lower edge, and the last one also its upper edge. Has no gradient.
    
    >>> x = jgrad.tensor([1., 2., 1., 4.])
    >>> hist, edges = jgrad.histogram(x, bins=3, range=(0., 3.))
    >>> hist
    tensor([0., 2., 1.])
    >>> edges
    tensor([0., 1., 2., 3.])
    """
@overload
def histogram(input: Tensor, bins: _int = 100, *, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False, out: Any = None) -> return_types.histogram:
    """How many elements fall into each bin, or how much weight; and the edges of the bins."""
def histogramdd(input: Tensor, bins: Any, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False) -> Any:
    """How many points fall into each cell of a grid, or how much weight; and the edges of the cells.
    
    Args:
        input: the points: a matrix with a floating dtype, with a row for each point and a column for each dimension of the grid
        bins: how many cells of equal width there are along each dimension, one number or a list of one per dimension; or a list of vectors with
            the edges in ascending order
        range: the lower and the upper ends, for each dimension in turn, as one flat tuple of floats; None means the smallest and largest elements
        weight: a vector with a number for each point: how much it counts; None means 1
        density: if True, the counts are divided by their sum and by the sizes of the cells
    
    Returns a named tuple: `hist`, a new tensor with one dimension per column, and `bin_edges`, a tuple of vectors. Has no gradient.
    
    >>> points = jgrad.tensor([[0., 0.], [1., 1.], [1., 1.]])
    >>> hist, edges = jgrad.histogramdd(points, bins=2)
    >>> hist
    tensor([[1., 0.],
            [0., 2.]])
    >>> edges[0]
    tensor([0.0000, 0.5000, 1.0000])
    """
@overload
def hsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other.
    
    Args:
        input: a tensor with at least 1 dimension
        sections: the number of pieces, all of the same size; the size of the dimension must be divisible by it. In its place, the second
            argument can also be a list of indices
        indices: the indices at which the dimension is cut, as a list; then the pieces can have different sizes
    
    Returns a tuple of views, which share the memory of `input`.
    
    >>> [piece.tolist() for piece in jgrad.hsplit(jgrad.tensor([[1, 2], [3, 4]]), 2)]
    [[[1], [3]], [[2], [4]]]
    """
@overload
def hsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other."""
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Joins tensors from left to right: along dimension 1, or vectors along their only dimension.
    
    Args:
        tensors: a list or tuple of tensors; one without dimensions counts as a vector with one element
    
    Returns a new tensor.
    
    >>> jgrad.hstack([jgrad.tensor([1, 2]), jgrad.tensor([3])])
    tensor([1, 2, 3])
    >>> jgrad.hstack([jgrad.tensor([[1], [2]]), jgrad.tensor([[3], [4]])])
    tensor([[1, 3],
            [2, 4]])
    """
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`sqrt(input**2 + other**2)`, element by element, computed without overflow. It is the length of the
    longest side of a right triangle.
    
    Args:
        input: a floating-point tensor of real numbers
        other: a tensor of real numbers that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape. If both are integers, NotImplementedError is raised. The gradient is nan where both are 0.
    
    >>> jgrad.hypot(jgrad.tensor([3.]), jgrad.tensor([4.]))
    tensor([5.])
    >>> jgrad.hypot(jgrad.tensor([3e30]), jgrad.tensor([4e30]))
    tensor([5.0000e+30])
    """
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its derivative is `special.i1`.
    
    >>> x = jgrad.tensor([0., 1.], requires_grad=True)
    >>> y = jgrad.i0(x)
    >>> y
    tensor([1.0000, 1.2661], grad_fn=<I0Backward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.0000, 0.5652])
    """
def i0_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """i0() in place: the result is written to self."""
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularized lower incomplete gamma function: which share of the gamma function's integral lies below `other`.
    
    The integral is that of `t ** (input - 1) * exp(-t)` over t from 0 to infinity. `igammac` gives the share above `other`.
    
    Args:
        input: a tensor of floating point numbers, at least 0
        other: a tensor of floating point numbers, at least 0; the shapes are broadcast
    
    Returns a new tensor with numbers between 0 and 1, and nan for negative arguments and where both are 0. Only `other` has a
    gradient: where `input` requires grad, backward raises NotImplementedError.
    
    >>> a, x = jgrad.tensor([1., 2., 3.]), jgrad.tensor([1.])
    >>> jgrad.igamma(a, x)
    tensor([0.6321, 0.2642, 0.0803])
    >>> 1 - jgrad.igammac(a, x)  # the same
    tensor([0.6321, 0.2642, 0.0803])
    """
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularized upper incomplete gamma function: which share of the gamma function's integral lies above `other`.
    
    The integral is that of `t ** (input - 1) * exp(-t)` over t from 0 to infinity. `igamma` gives the share below `other`.
    
    Args:
        input: a tensor of floating point numbers, at least 0
        other: a tensor of floating point numbers, at least 0; the shapes are broadcast
    
    Returns a new tensor with numbers between 0 and 1, and nan for negative arguments and where both are 0. Only `other` has a
    gradient: where `input` requires grad, backward raises NotImplementedError.
    
    >>> jgrad.igammac(jgrad.tensor([1., 2., 3.]), jgrad.tensor([1.]))
    tensor([0.3679, 0.7358, 0.9197])
    """
from jgrad.dtypes import iinfo as iinfo
def imag(input: Tensor) -> Tensor:
    """The imaginary part of each element.
    
    Args:
        input: a complex tensor; a real one raises RuntimeError
    
    Returns a view, which shares the memory of `input`: what is written into it changes `input`.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> jgrad.imag(z)
    tensor([2.])
    >>> jgrad.imag(z)[0] = 7
    >>> z
    tensor([1.+7.j])
    """
def index_add(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor where the slices of `source` are added to the slices at the indices. If an index occurs several times, its slices
    add up.
    
    Args:
        input: the tensor to copy
        dim: the dimension; negative numbers count from the last one
        index: an int64 or int32 vector with an index for each slice of `source`; indices must not be negative
        source: a tensor with the slices to add; it has the dtype of `input`, and its shape in all dimensions but `dim`
        alpha: `source` is multiplied by this number first
    
    Returns a new tensor with the shape of `input`.
    
    >>> source = jgrad.tensor([[1., 2.], [3., 4.], [5., 6.]])
    >>> jgrad.index_add(jgrad.zeros(2, 2), 0, jgrad.tensor([1, 0, 1]), source)
    tensor([[3., 4.],
            [6., 8.]])
    """
def index_copy(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor where the slices of `source` replace the slices at the indices.
    
    Args:
        input: the tensor to copy
        dim: the dimension; negative numbers count from the last one
        index: an int64 vector with an index for each slice of `source`; each index should occur once, and must not be negative
        source: a tensor with the new slices; it has the dtype of `input`, and its shape in all dimensions but `dim`
    
    Returns a new tensor with the shape of `input`.
    
    The gradient of `input` is 0 where it was overwritten.
    
    >>> jgrad.index_copy(jgrad.zeros(3, 2), 0, jgrad.tensor([2, 0]), jgrad.tensor([[1., 2.], [3., 4.]]))
    tensor([[3., 4.],
            [0., 0.],
            [1., 2.]])
    """
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Number) -> Tensor:
    """A copy of the tensor with one number in all elements of the slices at the indices.
    
    Args:
        input: the tensor to copy
        dim: the dimension; negative numbers count from the last one
        index: an int64 vector of indices; negative ones count from the end of the dimension
        value: a number or a tensor without dimensions; it is converted to the dtype of `input`
    
    Returns a new tensor with the shape of `input`.
    
    The gradient of `input` is 0 where it was overwritten.
    
    >>> jgrad.index_fill(jgrad.zeros(2, 3), 1, jgrad.tensor([0, 2]), 7)
    tensor([[7., 0., 7.],
            [7., 0., 7.]])
    """
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor) -> Tensor:
    """A copy of the tensor with one number in all elements of the slices at the indices."""
def index_put(input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of the tensor with other values at the places that index tensors name: as `x[indices] = values`, but `x` stays as it is.
    
    Args:
        input: the tensor to copy
        indices: a tuple of index tensors for the first dimensions: integers (negative ones count from the end) or bool masks. They are
            broadcast together
        values: a tensor with the dtype of `input`; it is broadcast to the shape of `x[indices]`
        accumulate: if True, the values are added to those that are there, and repeated places add up
    
    Returns a new tensor with the shape of `input`.
    
    If a place occurs several times and `accumulate` is False, one of its values is kept.
    
    >>> x = jgrad.tensor([1., 2., 3.])
    >>> index = jgrad.tensor([0, 0, 2])
    >>> jgrad.index_put(x, (index,), jgrad.tensor(10.))
    tensor([10.,  2., 10.])
    >>> jgrad.index_put(x, (index,), jgrad.tensor(10.), accumulate=True)
    tensor([21.,  2., 13.])
    """
def index_put_(input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """Writes values to the places that index tensors name, in place: as `x[indices] = values`.
    
    Args:
        input: the tensor that is changed
        indices: a tuple of index tensors for the first dimensions: integers (negative ones count from the end) or bool masks. They are
            broadcast together
        values: a tensor with the dtype of `input`; it is broadcast to the shape of `x[indices]`
        accumulate: if True, the values are added to those that are there, and repeated places add up
    
    Returns `input` itself. The gradients at these places go to `values`.
    
    >>> x = jgrad.zeros(2, 3)
    >>> x.index_put_((jgrad.tensor([0, 1]), jgrad.tensor([2, 0])), jgrad.tensor([5., 6.]))
    tensor([[0., 0., 5.],
            [6., 0., 0.]])
    >>> x
    tensor([[0., 0., 5.],
            [6., 0., 0.]])
    """
def index_reduce(input: Tensor, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor where the slices of `source` that have the same index are combined to one, element by element: by their product,
    mean, largest or smallest. The old slice takes part in it.
    
    Args:
        input: the tensor to copy
        dim: the dimension; negative numbers count from the last one
        index: an int64 or int32 vector with an index for each slice of `source`; indices must not be negative
        source: a tensor with the slices to combine; it has the dtype of `input`, and its shape in all dimensions but `dim`
        reduce: "prod", "mean", "amax" or "amin"
        include_self: whether the old slice of `input` counts as one of the slices to combine; slices that no index names stay anyway
    
    Returns a new tensor with the shape of `input`. `index_add` computes sums.
    
    >>> x = jgrad.tensor([10., 20.])
    >>> index, source = jgrad.tensor([0, 0]), jgrad.tensor([2., 3.])
    >>> jgrad.index_reduce(x, 0, index, source, "prod")
    tensor([60., 20.])
    >>> jgrad.index_reduce(x, 0, index, source, "prod", include_self=False)
    tensor([ 6., 20.])
    """
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The slices of a dimension that a vector of indices names, in its order.
    
    Args:
        input: the tensor to read from
        dim: the dimension; negative numbers count from the last one
        index: an int64 or int32 vector; an index can occur several times, and must not be negative
    
    Returns a new tensor. Its size in the dimension is the length of `index`.
    
    The gradients of repeated indices add up.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.], [5., 6.]], requires_grad=True)
    >>> y = jgrad.index_select(x, 0, jgrad.tensor([2, 0, 2]))
    >>> y.detach()
    tensor([[5., 6.],
            [1., 2.],
            [5., 6.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[1., 1.],
            [0., 0.],
            [2., 2.]])
    """
inf: _float
from jgrad.graph.grad_mode import inference_mode as inference_mode
def initial_seed() -> _int:
    """The seed with which the default generator of the CPU was started.
    
    Returns an int.
    
    >>> _ = jgrad.manual_seed(5)
    >>> jgrad.initial_seed()
    5
    """
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sums of products along the last dimension of both tensors. If one tensor has no dimensions, it is the plain product.
    
    Args:
        input: a tensor of shape (..., n) or with no dimensions
        other: a tensor whose last dimension has the same size n, or with no dimensions; the dtypes must be equal if both have dimensions
    
    Returns a new tensor. Its shape is that of `input` without the last dimension, then that of `other` without the last dimension.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.inner(a, jgrad.tensor([1., 10.]))
    tensor([21., 43.])
    >>> jgrad.inner(a, a)  # the products of each row with each row
    tensor([[ 5., 11.],
            [11., 25.]])
    """
def instance_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, use_input_stats: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """Normalizes each channel of each sample by itself: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        running_mean: the running means, of shape (C,), which are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,), which are updated in place. None, if none are kept
        use_input_stats: whether to use the statistics of `input`; otherwise the running ones are used and not changed
        momentum: how far the running statistics move towards those of `input`: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero
        cudnn_enabled: has no effect here; it is a setting for GPUs
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[[1., 3.], [10., 30.]]])
    >>> jgrad.instance_norm(x, None, None, None, None, True, 0.1, 0., False)
    tensor([[[-1.,  1.],
             [-1.,  1.]]])
    """
int: _dtype
int16: _dtype
int32: _dtype
int64: _dtype
int8: _dtype
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of matrices. It is `linalg.inv`.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with the shape of `input`. Raises `linalg.LinAlgError`, a RuntimeError, if a matrix is singular.
    
    >>> jgrad.inverse(jgrad.tensor([[2., 1.], [0., 4.]]))
    tensor([[ 0.5000, -0.1250],
            [ 0.0000,  0.2500]])
    """
def is_anomaly_check_nan_enabled() -> _bool:
    """Whether anomaly mode, when it is on, looks for nan in the gradients.
    
    >>> jgrad.is_anomaly_check_nan_enabled()
    True
    >>> with jgrad.autograd.set_detect_anomaly(True, check_nan=False):
    ...     jgrad.is_anomaly_check_nan_enabled()
    False
    """
def is_anomaly_enabled() -> _bool:
    """Whether anomaly mode is on.
    
    >>> jgrad.is_anomaly_enabled()
    False
    >>> with jgrad.autograd.set_detect_anomaly(True):
    ...     jgrad.is_anomaly_enabled()
    True
    """
def is_autocast_cache_enabled() -> _bool:
    """Whether a weight that is used several times in an `autocast` block is converted only once.
    
    Returns a bool; at first it is True.
    
    >>> jgrad.is_autocast_cache_enabled()
    True
    """
def is_autocast_cpu_enabled() -> _bool:
    """Whether autocast is on for the CPU. PyTorch has deprecated it: use `is_autocast_enabled("cpu")`.
    
    Returns a bool. Gives a DeprecationWarning.
    
    >>> jgrad.is_autocast_cpu_enabled()
    False
    """
def is_autocast_enabled(device_type: _str = 'cuda') -> _bool:
    """Whether autocast is on for a type of device.
    
    Args:
        device_type: the type of device, such as "cpu"; by default "cuda"
    
    Returns a bool. Raises RuntimeError for a type of device that has no autocast.
    
    >>> with jgrad.autocast("cpu"):
    ...     jgrad.is_autocast_enabled("cpu")
    True
    >>> jgrad.is_autocast_enabled("cpu")
    False
    """
def is_complex(input: Tensor) -> _bool:
    """Whether the dtype of a tensor is a complex one.
    
    Args:
        input: a tensor
    
    Returns a bool.
    
    >>> jgrad.is_complex(jgrad.tensor([1j]))
    True
    """
def is_conj(input: Tensor) -> _bool:
    """Whether the tensor is a view whose elements are conjugated when they are read.
    
    Args:
        input: a tensor of any dtype; for a real tensor the result is False
    
    Returns a bool of Python.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> jgrad.is_conj(z), jgrad.is_conj(jgrad.conj(z))
    (False, True)
    """
def is_deterministic_algorithms_warn_only_enabled() -> _bool:
    """Whether `use_deterministic_algorithms` was last called with `warn_only=True`: its refused operations give a warning instead of an error.
    
    Returns a bool.
    
    >>> jgrad.use_deterministic_algorithms(True, warn_only=True)
    >>> jgrad.is_deterministic_algorithms_warn_only_enabled()
    True
    >>> jgrad.use_deterministic_algorithms(False)
    """
def is_floating_point(input: Tensor) -> _bool:
    """Whether the dtype of a tensor is a floating one. Complex dtypes are not.
    
    Args:
        input: a tensor
    
    Returns a bool.
    
    >>> jgrad.is_floating_point(jgrad.tensor([1.])), jgrad.is_floating_point(jgrad.tensor([1]))
    (True, False)
    """
def is_grad_enabled() -> _bool:
    """Whether this thread records operations for a later backward pass.
    
    >>> jgrad.is_grad_enabled()
    True
    >>> with jgrad.no_grad():
    ...     jgrad.is_grad_enabled()
    False
    """
def is_inference(input: Tensor) -> _bool:
    """Whether a tensor was made in inference mode. Autograd cannot save such a tensor for the backward pass.
    
    Args:
        input: a tensor
    
    Returns a bool.
    
    >>> with jgrad.inference_mode():
    ...     x = jgrad.ones(2)
    >>> jgrad.is_inference(x), jgrad.is_inference(jgrad.ones(2))
    (True, False)
    """
def is_inference_mode_enabled() -> _bool:
    """Whether this thread is in inference mode, so that new tensors are inference tensors.
    
    >>> jgrad.is_inference_mode_enabled()
    False
    >>> with jgrad.inference_mode():
    ...     jgrad.is_inference_mode_enabled()
    True
    """
def is_neg(input: Tensor) -> _bool:
    """Whether the tensor is a view whose elements are negated when they are read. The imaginary part of a conjugate view is such a view.
    
    Args:
        input: a tensor of any dtype
    
    Returns a bool of Python.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> jgrad.is_neg(jgrad.imag(z)), jgrad.is_neg(jgrad.imag(jgrad.conj(z)))
    (False, True)
    """
def is_nonzero(input: Tensor) -> _bool:
    """Whether the one element of a tensor is not zero.
    
    Args:
        input: a tensor with exactly one element
    
    Returns a bool. Raises RuntimeError if the tensor has no element, or more than one.
    
    >>> jgrad.is_nonzero(jgrad.tensor([3.])), jgrad.is_nonzero(jgrad.tensor(0))
    (True, False)
    """
def is_same_size(input: Tensor, other: Any) -> _bool:
    """Whether two tensors have the same shape.
    
    Args:
        input, other: two tensors; their dtypes do not matter
    
    Returns a bool.
    
    >>> jgrad.is_same_size(jgrad.zeros(2, 3), jgrad.zeros(3, 2))
    False
    """
def is_signed(input: Tensor) -> _bool:
    """Whether the dtype of a tensor has negative numbers.
    
    Args:
        input: a tensor
    
    Returns a bool. It is False for bools and for the unsigned integers.
    
    >>> jgrad.is_signed(jgrad.tensor([1.])), jgrad.is_signed(jgrad.tensor([True]))
    (True, False)
    """
def is_storage(obj: Any) -> _bool:
    """Whether an object is a storage, typed or untyped.
    
    Args:
        obj: any object
    
    Returns a bool.
    
    >>> x = jgrad.ones(2)
    >>> jgrad.is_storage(x.untyped_storage()), jgrad.is_storage(x)
    (True, False)
    """
def is_tensor(obj: Any) -> _bool:
    """Whether an object is a Tensor (or of a subclass, such as a Parameter).
    
    Args:
        obj: any object
    
    >>> jgrad.is_tensor(jgrad.tensor([1, 2]))
    True
    >>> jgrad.is_tensor([1, 2])
    False
    """
def is_warn_always_enabled() -> _bool:
    """Whether warnings that are usually given once in a program are given every time. `set_warn_always` sets it.
    
    Returns a bool; at first it is False.
    
    >>> jgrad.is_warn_always_enabled()
    False
    """
def isclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Whether two elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity.
    
    Args:
        input: a tensor of any dtype
        other: a tensor with the dtype of `input` that broadcasts with it; another dtype raises RuntimeError
        rtol: the tolerance relative to the size of `other`; not negative
        atol: the absolute tolerance, which matters near 0; not negative
        equal_nan: True counts nan as equal to nan; the default is False
    
    Returns a new tensor of bools with the broadcast shape.
    
    >>> a = jgrad.tensor([1., 100., 100.])
    >>> b = jgrad.tensor([1., 101., 120.])
    >>> jgrad.isclose(a, b, rtol=0.1)
    tensor([ True,  True, False])
    """
def isfinite(input: Tensor) -> Tensor:
    """Whether each element is finite: neither infinite nor nan.
    
    Args:
        input: a tensor of any dtype; a complex number is finite if its real and its imaginary part are finite
    
    Returns a new tensor of bools.
    
    >>> jgrad.isfinite(jgrad.tensor([1., float("nan"), float("inf")]))
    tensor([ True, False, False])
    """
@overload
def isin(elements: Tensor, test_elements: Tensor, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Whether each element is also among the elements of another tensor. A nan never is.
    
    Args:
        elements: a tensor of any shape, or a number
        element: the one element to look for, as a number
        test_elements: the elements among which to look, a tensor of any shape
        test_element: the one element among which to look, as a number
        assume_unique: True says that no element occurs twice in `elements` or in `test_elements`; if that is not true, the result may be wrong
        invert: if True, the answers are the opposite ones
    
    Returns a new bool tensor with the shape of `elements`; it has no dimensions for an `element`. Has no gradient.
    
    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.isin(x, jgrad.tensor([3, 1, 7]))
    tensor([ True, False,  True])
    """
@overload
def isin(element: Number, test_elements: Tensor, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Whether each element is also among the elements of another tensor. A nan never is."""
@overload
def isin(elements: Tensor, test_element: Number, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Whether each element is also among the elements of another tensor. A nan never is."""
def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite: inf or -inf.
    
    Args:
        input: a tensor of any dtype; a complex number is infinite if its real or its imaginary part is infinite
    
    Returns a new tensor of bools.
    
    >>> jgrad.isinf(jgrad.tensor([1., float("nan"), float("-inf")]))
    tensor([False, False,  True])
    """
def isnan(input: Tensor) -> Tensor:
    """Whether each element is nan ("not a number").
    
    Args:
        input: a tensor of any dtype; a complex number is nan if its real or its imaginary part is nan
    
    Returns a new tensor of bools.
    
    >>> jgrad.isnan(jgrad.tensor([1., float("nan"), float("inf")]))
    tensor([False,  True, False])
    """
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is -inf.
    
    Args:
        input: a tensor of real numbers or bools; complex numbers raise RuntimeError
    
    Returns a new tensor of bools.
    
    >>> jgrad.isneginf(jgrad.tensor([1., float("inf"), float("-inf")]))
    tensor([False, False,  True])
    """
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is inf.
    
    Args:
        input: a tensor of real numbers or bools; complex numbers raise RuntimeError
    
    Returns a new tensor of bools.
    
    >>> jgrad.isposinf(jgrad.tensor([1., float("inf"), float("-inf")]))
    tensor([False,  True, False])
    """
def isreal(input: Tensor) -> Tensor:
    """Whether each element is a real number: its imaginary part is 0.
    
    Args:
        input: a tensor of any dtype; every element of a real tensor is real
    
    Returns a new tensor of bools.
    
    >>> jgrad.isreal(jgrad.tensor([1 + 0j, 2j]))
    tensor([ True, False])
    """
def istft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
    """The inverse of `stft`: the signal of which the short-time Fourier transform is given.
    
    Where the pieces overlap they are added. The sum is divided by what the squares of the windows add up to.
    
    Args:
        input: the complex result of `stft`, of shape (frequencies, pieces) or (batch, frequencies, pieces)
        n_fft: how many points each piece has
        hop_length: the distance of the pieces; None is n_fft // 4
        win_length: how many points the window has, at most n_fft; None is n_fft
        window: the window that was given to `stft`; None is a window of ones, with a warning
        center: whether `stft` added n_fft // 2 points at both ends; they are removed
        normalized: whether the results of `stft` were divided by the root of n_fft
        onesided: whether only the first half of each spectrum is given; None means that it is seen from the number of frequencies
        length: how many points the signal has; it is cut, or filled up with zeros; None takes what the pieces give
        return_complex: whether the signal is complex
    
    Returns a new tensor of shape (length,) or (batch, length). Raises RuntimeError if the windows are zero at a point of the signal.
    
    >>> signal, window = jgrad.tensor([1., 2., 3., 4., 5., 6.]), jgrad.ones(2)
    >>> spectrum = jgrad.stft(signal, 2, hop_length=1, window=window, return_complex=True)
    >>> jgrad.istft(spectrum, 2, hop_length=1, window=window).round(decimals=3)
    tensor([1., 2., 3., 4., 5., 6.])
    """
@overload
def kaiser_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Kaiser window: a Bessel function (`jgrad.i0`) of the height of a half circle, 1 in the middle.
    A window is multiplied with a piece of a signal before its Fourier transform.
    
    Args:
        window_length: how many points the window has, not negative
        periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
            the window is symmetric
        beta: how narrow the window is; 0 makes all values 1
        dtype: the dtype, a floating one; None means the default dtype
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new vector. A window of one point is 1.
    
    >>> jgrad.kaiser_window(4, True, 0.)
    tensor([1., 1., 1., 1.])
    >>> jgrad.kaiser_window(5, periodic=False).argmax()
    tensor(2)
    """
@overload
def kaiser_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Kaiser window: a Bessel function (`jgrad.i0`) of the height of a half circle, 1 in the middle.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
@overload
def kaiser_window(window_length: _int, periodic: _bool, beta: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Kaiser window: a Bessel function (`jgrad.i0`) of the height of a half circle, 1 in the middle.
    A window is multiplied with a piece of a signal before its Fourier transform.
    """
def kl_div(input: Tensor, target: Tensor, reduction: _int = 0, *, log_target: _bool = False) -> Tensor:
    """The Kullback-Leibler divergence of `target` from the distribution whose logarithms are `input`.
    It is `target * (log(target) - input)` for each element.
    
    Args:
        input: logarithms of probabilities, of any shape
        target: probabilities, or their logarithms with `log_target`, in the shape of `input`
        reduction: 1 gives the mean of the elements, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
        log_target: whether `target` holds logarithms
    
    Returns a tensor without dimensions; with reduction 0 one with the shape of `input`. Elements with the target 0 give 0.
    
    Raises RuntimeError for integers and complex numbers.
    
    >>> p = jgrad.tensor([[0.5, 0.5]])
    >>> jgrad.kl_div(p.log(), p, reduction=2)
    tensor(0.)
    >>> jgrad.kl_div(jgrad.tensor([[-1., -2.]]), jgrad.tensor([[1., 0.]]), reduction=2)
    tensor(1.)
    """
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: each element of `input` is replaced by its product with the whole of `other`.
    
    Args:
        input: a tensor of any shape
        other: a tensor of any shape; if the two have different numbers of dimensions, dimensions of size 1 are put in front
    
    Returns a new tensor. Its size in each dimension is the product of the two sizes.
    
    >>> jgrad.kron(jgrad.tensor([[1, 2], [3, 4]]), jgrad.tensor([[1, 10]]))
    tensor([[ 1, 10,  2, 20],
            [ 3, 30,  4, 40]])
    """
def kthvalue(input: Tensor, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: Any = None) -> return_types.kthvalue:
    """The `k`-th smallest element along a dimension, and the place where it was. A nan is larger than every number.
    
    Args:
        input: a tensor of any shape, with a real dtype
        k: which element: 1 for the smallest
        dim: the dimension along which to search; negative numbers count from the last one
        keepdim: if True, the dimension stays in the shape, with size 1
    
    Returns a named tuple of two new tensors, `values` and `indices` (int64), without the dimension. Of equal elements, PyTorch's algorithm
    decides which index is given. In tensors with more than 8192 elements it is the one that a stable sort puts at that
    place. Raises RuntimeError if `k` is smaller than 1, or larger than the size of the dimension.
    
    >>> value, index = jgrad.kthvalue(jgrad.tensor([3., 1., 2.]), 2)
    >>> value, index
    (tensor(2.), tensor(2))
    """
def layer_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enable: _bool = True) -> Tensor:
    """Normalizes each sample over its last dimensions: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    
    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which mean and variance are computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        bias: is added to each element of a sample, of shape `normalized_shape`; None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero
        cudnn_enable: has no effect here; it is a setting for GPUs
    
    Returns a new tensor with the shape of `input`.
    
    The variance is the mean of the squared differences (it divides by n, not by n - 1). Mean and variance depend on `input`, and the gradient
    flows through them: without `weight` the gradient of `input` sums to 0 for each sample.
    
    >>> x = jgrad.tensor([[1., 3.], [10., 30.]])
    >>> jgrad.layer_norm(x, (2,), eps=0.)
    tensor([[-1.,  1.],
            [-1.,  1.]])
    """
from jgrad.tensor import layout as layout
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple of two integers, element by element. It is never negative, and 0 if one of both is 0.
    
    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape and the common dtype of both.
    
    >>> jgrad.lcm(jgrad.tensor([4, 0]), jgrad.tensor([6, 5]))
    tensor([12,  0])
    """
def lcm_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """lcm() in place: the result is written to self."""
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * 2**other`, element by element. It is the inverse of `frexp`.
    
    Args:
        input: a tensor; integers are converted to the default float dtype
        other: a tensor that broadcasts with `input`: the exponents
    
    Returns a new tensor with the broadcast shape.
    
    >>> jgrad.ldexp(jgrad.tensor([1., 3.]), jgrad.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """
def ldexp_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """ldexp() in place: the result is written to self."""
def le(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is less than the other or equal to it: `input <= other`, element by element. `less_equal` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.le(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
@overload
def lerp(input: Tensor, end: Tensor, weight: Number, *, out: Tensor | None = None) -> Tensor:
    """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1.
    
    Args:
        input: a floating-point or complex tensor: the start
        end: a tensor with the dtype of `input` that broadcasts with it
        weight: how far to go, a number or a tensor with the dtype of `input`; it may be less than 0 or greater than 1. A tensor without dimensions
            may have another dtype
    
    Returns a new tensor with the broadcast shape.
    
    >>> jgrad.lerp(jgrad.tensor([0., 10.]), jgrad.tensor([4., 20.]), 0.25)
    tensor([ 1.0000, 12.5000])
    """
@overload
def lerp(input: Tensor, end: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1."""
def less(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is less than the other: `input < other`, element by element. `less` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.lt(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
def less_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is less than the other or equal to it: `input <= other`, element by element. `less_equal` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.le(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function. For a positive integer n the gamma function is (n - 1)!.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has inf for 0 and for negative integers. Its derivative is `digamma`.
    
    >>> x = jgrad.tensor([1., 2., 5.])
    >>> jgrad.lgamma(x)
    tensor([0.0000, 0.0000, 3.1781])
    >>> jgrad.lgamma(x).exp().round(decimals=3)  # 0!, 1! and 4!
    tensor([ 1.,  1., 24.])
    """
def linspace(start: Any, end: Any, steps: _int, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Some number of points from `start` to `end`, both included, at equal distances.
    
    Args:
        start: the first point, a number or a tensor without dimensions
        end: the last point, a number or a tensor without dimensions
        steps: how many points; 1 gives only `start`
        dtype: the dtype; None means the default dtype, or a complex one if `start` or `end` is complex
        layout: `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new vector with `steps` elements. No gradient flows to `start` and `end`.
    
    >>> jgrad.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
def load(f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: _bool | None = None, mmap: _bool | None = None, **pickle_load_args: Any) -> Any:
    """Read the object in a file that `jgrad.save` or `torch.save` wrote.
    
    By default (`weights_only=True`) nothing in the file runs code. The file may hold tensors, numbers, texts, containers, and what
    `jgrad.serialization.add_safe_globals` allows. Whatever is wrong with it, the error is `jgrad.serialization.LoadError`. Loading needs memory in
    proportion to the size of the file.
    
    `weights_only=False` reads everything that `pickle` can read, such as whole modules. Then a file can run any code: use it only for files that
    you trust.
    
    Args:
        f: a path, or an open file with `read`, `readline`, `seek` and `tell`; a path that ends in `.safetensors` is read with the library of
            that name
        map_location: where storages go: a device; or a dictionary from saved to new devices; or a function that gets a storage and the name of
            its saved device, and returns a storage or None; None means the devices where they were saved
        pickle_module: the module that reads the pickle with `weights_only=False`; None means `pickle`
        weights_only: whether only data is read, and no code is run; None means True, unless `pickle_module` is given
        mmap: whether the file is mapped into memory; then elements are read when they are first used, and writes do not reach the file
            (`jgrad.serialization.set_default_mmap_options` can change that); `f` must be a path; None means False
        **pickle_load_args: keyword arguments for the pickle module, such as `encoding`; for `weights_only=False`
    
    Returns the object, with new tensors.
    
    >>> import io
    >>> file = io.BytesIO()
    >>> jgrad.save([jgrad.ones(2), "text"], file)
    >>> _ = file.seek(0)
    >>> jgrad.load(file, map_location="cpu")
    [tensor([1., 1.]), 'text']
    """
def load_ipython_extension(ipython: Any) -> None:
    """Register the magics; a second time does nothing new."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan. The gradient is `1 / input`.
    
    >>> x = jgrad.tensor([1., 4.], requires_grad=True)
    >>> jgrad.log(x)
    tensor([0.0000, 1.3863], grad_fn=<LogBackward0>)
    >>> jgrad.log(x).sum().backward()
    >>> x.grad
    tensor([1.0000, 0.2500])
    """
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10 of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan.
    
    >>> jgrad.log10(jgrad.tensor([2., 10., 1000.]))
    tensor([0.3010, 1.0000, 3.0000])
    """
def log10_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log10() in place: the result is written to self."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`log(1 + input)`, element by element. It stays accurate near 0, where `1 + input` would be rounded to 1.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The result at -1 is -inf, that below -1 is nan.
    
    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.log(1 + x)
    tensor([0.])
    >>> jgrad.log1p(x)
    tensor([1.0000e-09])
    """
def log1p_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log1p() in place: the result is written to self."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan.
    
    >>> jgrad.log2(jgrad.tensor([0.5, 1., 3.]))
    tensor([-1.0000,  0.0000,  1.5850])
    """
def log2_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log2() in place: the result is written to self."""
def log_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log() in place: the result is written to self."""
def log_softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of softmax along a dimension. It is more exact than `log(softmax(input, dim))`, and does not overflow.
    
    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the exponentials of the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.
    
    >>> x = jgrad.tensor([1000., 0.])
    >>> jgrad.log_softmax(x, dim=0)
    tensor([    0., -1000.])
    >>> jgrad.log(jgrad.softmax(x, dim=0))
    tensor([0., -inf])
    """
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`log(exp(input) + exp(other))`, element by element, computed without overflow. It adds two numbers that are given by their logarithms.
    
    Args:
        input: a floating-point or complex tensor
        other: a floating-point or complex tensor that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape. The gradient is shared in proportion to `exp(input)` and `exp(other)`.
    
    >>> a = jgrad.tensor([1000.], requires_grad=True)
    >>> b = jgrad.tensor([1000.], requires_grad=True)
    >>> jgrad.logaddexp(a, b).backward()
    >>> a.grad, b.grad
    (tensor([0.5000]), tensor([0.5000]))
    """
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`log2(2**input + 2**other)`, element by element, computed without overflow.
    
    Args:
        input: a floating-point tensor
        other: a floating-point tensor that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape.
    
    >>> jgrad.logaddexp2(jgrad.tensor([3., 1000.]), jgrad.tensor([3., 1000.]))
    tensor([   4., 1001.])
    """
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithms of the sums of the exponentials of the elements up to each one, along a dimension. Large elements do not overflow.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        dim: the dimension along which to add; negative numbers count from the last one
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([1000., 0.])
    >>> jgrad.logcumsumexp(x, 0)
    tensor([1000., 1000.])
    >>> jgrad.cumsum(jgrad.exp(x), 0).log()
    tensor([inf, inf])
    """
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant of square matrices.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with one number for each matrix: -inf if the determinant is 0, and nan if it is negative.
    
    >>> a = jgrad.tensor([[2., 0.], [0., 4.]], requires_grad=True)
    >>> jgrad.logdet(jgrad.eye(2)), jgrad.logdet(-jgrad.eye(3))
    (tensor(0.), tensor(nan))
    >>> jgrad.logdet(a).backward()
    >>> a.grad  # the transposed inverse
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether both elements are non-zero.
    
    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient.
    
    >>> jgrad.logical_and(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([False, False,  True])
    """
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is zero.
    
    Args:
        input: a tensor of any dtype; nan counts as non-zero
    
    Returns a new tensor of bools. It has no gradient.
    
    >>> jgrad.logical_not(jgrad.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether one of both elements is non-zero, or both are.
    
    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient.
    
    >>> jgrad.logical_or(jgrad.tensor([0, 3, 0]), jgrad.tensor([5., 0., 0.]))
    tensor([ True,  True, False])
    """
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether exactly one of both elements is non-zero.
    
    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient.
    
    >>> jgrad.logical_xor(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([ True,  True, False])
    """
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """`log(input / (1 - input))`, element by element: the inverse of `sigmoid`. It is also `special.logit`.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype; without `eps`
            a value less than 0 or greater than 1 gives nan
        eps: if given, `input` is first clamped to lie between `eps` and `1 - eps`; this avoids infinite results
    
    Returns a new tensor. With `eps`, elements that are not between these limits have the gradient 0.
    
    >>> jgrad.logit(jgrad.tensor([0., 0.5, 1.]))
    tensor([-inf, 0., inf])
    >>> x = jgrad.tensor([0., 0.5], requires_grad=True)
    >>> jgrad.logit(x, eps=0.25).sum().backward()
    >>> x.grad
    tensor([0., 4.])
    """
def logit_(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """logit() in place: the result is written to self."""
def logspace(start: Any, end: Any, steps: _int, base: _float = 10.0, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Powers of a base, whose exponents lie from `start` to `end`, both included, at equal distances.
    
    Args:
        start: the first exponent, a number or a tensor without dimensions
        end: the last exponent, a number or a tensor without dimensions
        steps: how many powers; 1 gives only that of `start`
        base: the number whose powers are taken
        dtype: the dtype; None means the default dtype, or a complex one if `start` or `end` is complex
        layout: `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new vector with `steps` elements. No gradient flows to `start` and `end`.
    
    >>> jgrad.logspace(0, 3, 4, base=2)
    tensor([1., 2., 4., 8.])
    """
def logsumexp(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of the exponentials of the elements, over some dimensions. Large elements do not overflow.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default dtype
        dim: a dimension, or a tuple of dimensions, to sum over
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
    
    Returns a new tensor. Its gradient with respect to `input` is the softmax of `input`.
    
    >>> x = jgrad.tensor([1000., 1000.], requires_grad=True)
    >>> jgrad.exp(x).sum().log()
    tensor(inf, grad_fn=<LogBackward0>)
    >>> jgrad.logsumexp(x, dim=0).backward()
    >>> x.grad
    tensor([0.5000, 0.5000])
    """
long: _dtype
def lstm_cell(input: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """One step of long short-term memory: gates say what the cell forgets, takes in and gives out. `nn.LSTMCell` is the layer of it.
    
    With the gates `i`, `f`, `o` (by sigmoid) and `g` (by tanh), each of the input and the hidden state, the next cell state is `c' = f * c + i * g`,
    and the next hidden state is `h' = o * tanh(c')`.
    
    Args:
        input: a batch of inputs, of shape (N, input_size), with a floating point dtype
        hx: a tuple or list of the hidden states and the cell states, each of shape (N, hidden_size), with the dtype of `input`
        w_ih: the weights of the input for i, f, g and o, one below the other, of shape (4 * hidden_size, input_size)
        w_hh: the weights of the hidden state in the same order, of shape (4 * hidden_size, hidden_size)
        b_ih, b_hh: the two biases, of shape (4 * hidden_size,); None adds nothing
    
    Returns a tuple of the next hidden states and the next cell states, new tensors of shape (N, hidden_size). Raises RuntimeError if sizes do
    not fit each other.
    
    >>> x, state = jgrad.zeros(1, 2), (jgrad.zeros(1, 1), jgrad.tensor([[8.]]))
    >>> h, c = jgrad.lstm_cell(x, state, jgrad.zeros(4, 2), jgrad.zeros(4, 1))  # half of the cell state stays
    >>> h, c
    (tensor([[0.4997]]), tensor([[4.]]))
    """
def lstsq(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.lstsq`, which takes A first.
    
    Args:
        input, A: what the removed function took; they are ignored
    
    >>> a, b = jgrad.tensor([[1.], [1.]]), jgrad.tensor([[2.], [4.]])
    >>> jgrad.linalg.lstsq(a, b).solution.round(decimals=3)  # in place of jgrad.lstsq
    tensor([[3.]])
    """
def lt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether one element is less than the other: `input < other`, element by element. `less` is another name.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. Complex numbers raise NotImplementedError.
    
    >>> jgrad.lt(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
def lu(A: Tensor, pivot: _bool = True, get_infos: _bool = False, out: Any = None) -> tuple:
    """The LU factorization of matrices under its older name. Use `linalg.lu_factor` or `linalg.lu_factor_ex` in new code.
    
    Args:
        A: a tensor of shape (..., m, n) with a floating point or complex dtype
        pivot: whether rows are exchanged, which makes the factorization more exact; a tensor on the CPU needs True
        get_infos: whether to return a third tensor, which tells where the factorization broke down
    
    Returns a tuple: the factors L and U in one new tensor, the exchanges of rows (step i exchanged row i and row `pivots[i]`,
    counted from 1), and with `get_infos` also int32 numbers. These are 0 for success, else the place (from 1) of the first zero on the
    diagonal of U.
    
    >>> factors, pivots = jgrad.lu(jgrad.tensor([[4., 3.], [8., 2.]]))
    >>> factors  # U on and above the diagonal, L below it
    tensor([[8.0000, 2.0000],
            [0.5000, 2.0000]])
    >>> pivots  # step 1 exchanged rows 1 and 2; step 2 exchanged nothing
    tensor([2, 2], dtype=jgrad.int32)
    """
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The solution X of the linear system A X = B, from the LU factorization of A. Use `linalg.lu_solve` in new code, which takes B last.
    
    Args:
        input: B, the right side, of shape (..., n, k)
        LU_data: the factors of A, as `linalg.lu_factor` returns them, of shape (..., n, n)
        LU_pivots: the exchanges of rows that belong to them
    
    Returns a new tensor of shape (..., n, k). The first call in a program warns that PyTorch will remove this function.
    
    >>> factors, pivots = jgrad.linalg.lu_factor(jgrad.tensor([[4., 3.], [8., 2.]]))
    >>> jgrad.lu_solve(jgrad.tensor([[7.], [10.]]), factors, pivots)
    tensor([[1.],
            [1.]])
    """
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: _bool = True, unpack_pivots: _bool = True, *, out: Any = None) -> return_types.lu_unpack:
    """The matrices P, L and U from the compact form that `linalg.lu_factor` returns.
    
    Args:
        LU_data: the factors in one tensor of shape (..., m, n)
        LU_pivots: the exchanges of rows, int32
        unpack_data: whether L and U are made; if False, they are empty tensors
        unpack_pivots: whether P is made; if False, it is an empty tensor
    
    Returns a named tuple of new tensors: `P` of shape (..., m, m), `L` of shape (..., m, k) and `U` of shape (..., k, n), where k is the smaller
    of m and n.
    
    >>> factors, pivots = jgrad.linalg.lu_factor(jgrad.tensor([[4., 3.], [8., 2.]]))
    >>> p, l, u = jgrad.lu_unpack(factors, pivots)
    >>> p @ l @ u
    tensor([[4., 3.],
            [8., 2.]])
    """
def manual_seed(seed: Any) -> _Generator:
    """Seed the default generators of all devices, so that the same random numbers are drawn each time a program runs.
    
    Args:
        seed: an int, or a number whose integer part is taken; a negative seed s means 2**64 + s
    
    Returns the default generator of the CPU.
    
    >>> _ = jgrad.manual_seed(0)
    >>> jgrad.rand(2)
    tensor([0.4963, 0.7682])
    >>> _ = jgrad.manual_seed(0)
    >>> jgrad.rand(2)
    tensor([0.4963, 0.7682])
    """
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 0) -> Tensor:
    """`-target * (input1 - input2) + margin`, at least 0: how far `input1` is from exceeding `input2` by the margin (target 1), or the other
    way round (target -1).
    
    Args:
        input1: the scores of the first items
        input2: the scores of the second items, with as many dimensions as `input1`
        target: 1 where the first item should have the higher score, -1 where the second one should
        margin: how much higher this score should be
        reduction: 1 gives the mean of the elements, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
    
    Returns a tensor without dimensions; with reduction 0 one with the common shape of the three, which are broadcast.
    
    >>> first, second = jgrad.tensor([5., 5.]), jgrad.tensor([2., 2.])
    >>> jgrad.margin_ranking_loss(first, second, jgrad.tensor([1, -1]), margin=1.0, reduction=0)
    tensor([0., 4.])
    """
@overload
def masked_fill(input: Tensor, mask: Tensor, value: Number) -> Tensor:
    """A copy of the tensor with `value` where the mask is true.
    
    Args:
        input: the tensor to copy; it is broadcast with `mask`
        mask: a bool tensor
        value: a number or a tensor without dimensions; it is converted to the dtype of `input`
    
    Returns a new tensor.
    
    The gradient of `input` is 0 where the mask is true. If `value` is a tensor, its gradient is the sum over these elements.
    
    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> y = jgrad.masked_fill(x, x > 1.5, 0)
    >>> y.detach()
    tensor([1., 0., 0.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 0., 0.])
    """
@overload
def masked_fill(input: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """A copy of the tensor with `value` where the mask is true."""
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy of the tensor with the elements of `source`, one after the other, where the mask is true.
    
    Args:
        input: the tensor to copy; it is broadcast with `mask`
        mask: a bool tensor
        source: a tensor with the dtype of `input` and at least as many elements as the mask has true ones; the rest is not used
    
    Returns a new tensor.
    
    The gradient of `input` is 0 where the mask is true.
    
    >>> mask = jgrad.tensor([True, False, True])
    >>> jgrad.masked_scatter(jgrad.zeros(3), mask, jgrad.tensor([5., 6., 7.]))
    tensor([5., 0., 6.])
    """
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements where the mask is true, in one dimension; they are read row by row.
    
    Args:
        input: the tensor to read from; it is broadcast with `mask`
        mask: a bool tensor
    
    Returns a new tensor with one dimension. Its size depends on the values of the mask.
    
    The gradient is 0 where the mask is false.
    
    >>> x = jgrad.tensor([[1., 5.], [7., 2.]], requires_grad=True)
    >>> y = jgrad.masked_select(x, x > 3)
    >>> y.detach()
    tensor([5., 7.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[0., 1.],
            [1., 0.]])
    """
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product of vectors, matrices and batches of matrices. It is also written `input @ other`.
    
    The last two dimensions are those of the matrices. All dimensions before them are batch dimensions, which are broadcast.
    A vector on the left counts as a matrix with one row, a vector on the right as a matrix with one column; the result lacks that dimension.
    
    Args:
        input: a tensor of shape (..., n, m) or (m,)
        other: a tensor of shape (..., m, p) or (m,), with the dtype of `input`
    
    Returns a new tensor of shape (..., n, p). Raises RuntimeError if one tensor has no dimensions, or if the sizes m differ.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> v = jgrad.tensor([1., 10.])
    >>> jgrad.matmul(a, v), jgrad.matmul(v, a), jgrad.matmul(v, v)
    (tensor([21., 43.]), tensor([31., 42.]), tensor(101.))
    >>> (jgrad.ones(5, 1, 2, 3) @ jgrad.ones(4, 3, 6)).shape  # the batches (5, 1) and (4,) are broadcast
    jgrad.Size([5, 4, 2, 6])
    """
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices: the sum of all A^k / k!, where A^k is the matrix power. It is `linalg.matrix_exp`.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a new tensor with the shape of `input`.
    
    >>> jgrad.matrix_exp(jgrad.tensor([[0., 2.], [0., 0.]]))  # A @ A is zero, so the sum is 1 + A
    tensor([[1., 2.],
            [0., 1.]])
    """
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The matrix multiplied by itself n times. If n is negative, its inverse is multiplied by itself. It is `linalg.matrix_power`.
    
    Args:
        input: a square matrix, or a batch of them in a tensor of shape (..., n, n)
        n: the exponent, an int; 0 gives unit matrices
    
    Returns a new tensor with the shape of `input`. Raises an error if n is negative and a matrix has no inverse.
    
    >>> jgrad.matrix_power(jgrad.tensor([[1., 1.], [0., 1.]]), 10)
    tensor([[ 1., 10.],
            [ 0.,  1.]])
    """
def matrix_rank(input: Tensor, tol: Any = None, symmetric: _bool = False, *, out: Any = None) -> Any:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.matrix_rank`.
    
    Args:
        input, tol, symmetric: what the removed function took; they are ignored
    
    >>> jgrad.linalg.matrix_rank(jgrad.tensor([[1., 1.], [1., 1.]]))  # in place of jgrad.matrix_rank
    tensor(1)
    """
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to look for the largest elements; without it (and without `other`), all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
        other: a tensor that broadcasts with `input`; then the result is `maximum(input, other)`
    
    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension.
    
    Equal largest elements of the whole tensor share the gradient. With `dim`, only the first of them gets it. A nan counts as the largest.
    
    >>> x = jgrad.tensor([[1., 7.], [9., 2.]])
    >>> jgrad.max(x)
    tensor(9.)
    >>> values, indices = jgrad.max(x, dim=1)
    >>> values, indices
    (tensor([7., 9.]), tensor([1, 0]))
    >>> jgrad.max(x, jgrad.tensor(5.))
    tensor([[5., 7.],
            [9., 5.]])
    """
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors."""
@overload
def max(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.max:
    """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors."""
def max_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of a row.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        kernel_size: the size of a window: one number
        stride: how far the window moves each time; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side; at most half of `kernel_size`
        dilation: the distance between the elements of a window
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor. The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.tensor([[1., 4., 2., 3.]], requires_grad=True)
    >>> y = jgrad.max_pool1d(x, 2)
    >>> y.detach()
    tensor([[4., 3.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([[0., 1., 0., 1.]])
    """
def max_pool1d_with_indices(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, ceil_mode: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window of a row, and where it is.
    
    Args:
        input: rows of shape (N, C, L) or (C, L) with a floating point dtype
        kernel_size: the size of a window: one number
        stride: how far the window moves each time; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side; at most half of `kernel_size`
        dilation: the distance between the elements of a window
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns two new tensors: the maxima, and their places in the row as int64.
    
    The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> jgrad.max_pool1d_with_indices(jgrad.tensor([[1., 4., 2., 3.]]), 2)
    (tensor([[4., 3.]]), tensor([[1, 3]]))
    """
def max_pool2d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., dilation: _int | Sequence[_int] = ..., ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of an image.
    
    Args:
        input: images of shape (N, C, H, W) or (C, H, W)
        kernel_size: the size of a window: one number, or a pair (height, width)
        stride: how far the window moves each time; one number or a pair; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side; one number or a pair; at most half of `kernel_size`
        dilation: the distance between the elements of a window; one number or a pair
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor. The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(16.).reshape(1, 4, 4)
    >>> jgrad.max_pool2d(x, 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
def max_pool3d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., dilation: _int | Sequence[_int] = ..., ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of a volume.
    
    Args:
        input: volumes of shape (N, C, D, H, W) or (C, D, H, W)
        kernel_size: the size of a window: one number, or three (depth, height, width)
        stride: how far the window moves each time; one number or three; None stands for `kernel_size`, so that the windows do not overlap
        padding: how many places that never count are added on each side; one number or three; at most half of `kernel_size`
        dilation: the distance between the elements of a window; one number or three
        ceil_mode: whether a last window that reaches over the edge counts too, if it begins inside
    
    Returns a new tensor. The gradient goes to the element that was the largest; if several are equal, to the first of them.
    
    >>> x = jgrad.arange(8.).reshape(1, 2, 2, 2)
    >>> jgrad.max_pool3d(x, 2)
    tensor([[[[7.]]]])
    """
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements, element by element. If one of them is nan, the result is nan.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`; it may not be a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Equal elements share the gradient: each gets half of it.
    
    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> jgrad.maximum(a, jgrad.tensor([2., 2., 2.])).sum().backward()
    >>> a.grad
    tensor([0.0000, 0.5000, 1.0000])
    """
@overload
def mean(input: Tensor, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of all elements, or the means over some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype (or give a `dtype`)
        dim: a dimension, or a tuple of dimensions, to take the mean over; None, `()` or no `dim` at all means all dimensions
        keepdim: if True, the dimensions over which the mean is taken stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor. Raises RuntimeError for integers and bools if there is no `dtype`. The mean of no elements is nan.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 6.]], requires_grad=True)
    >>> jgrad.mean(x, dim=1)
    tensor([1.5000, 4.5000], grad_fn=<MeanBackward1>)
    >>> jgrad.mean(x).backward()  # each of the four elements gets a quarter of the gradient
    >>> x.grad
    tensor([[0.2500, 0.2500],
            [0.2500, 0.2500]])
    """
@overload
def mean(input: Tensor, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of all elements, or the means over some dimensions."""
@overload
def median(input: Tensor) -> Tensor:
    """The median: the middle one of the elements in order, of all of them or along a dimension. If there are two, it is the smaller one.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; without it, all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
    
    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension. If there is a nan, the
    median is nan. Elements of the whole tensor that equal the median share the gradient. With `dim`, only one of them gets it.
    
    >>> x = jgrad.tensor([[4., 1., 3., 2.], [0., 0., 9., 9.]])
    >>> jgrad.median(x)
    tensor(2.)
    >>> jgrad.median(x, dim=1).values
    tensor([2., 0.])
    """
@overload
def median(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.median:
    """The median: the middle one of the elements in order, of all of them or along a dimension. If there are two, it is the smaller one."""
class memory_format(Exception): ...
def meshgrid(*tensors: Any, indexing: _str | None = None) -> tuple:
    """The coordinates of all points of a grid. Each vector holds the coordinates along one axis, and each result holds one coordinate of all
    points.
    
    Args:
        tensors: vectors of one dtype, or a list of them; tensors without dimensions count as vectors with one element
        indexing: "ij" gives the shape (length of the first vector, length of the second, ...); "xy" exchanges the first two dimensions;
            None is "ij" with a warning
    
    Returns a tuple with a view for each vector, whose memory it shares.
    
    >>> x, y = jgrad.meshgrid(jgrad.tensor([1, 2]), jgrad.tensor([5, 6, 7]), indexing="ij")
    >>> x
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> y
    tensor([[5, 6, 7],
            [5, 6, 7]])
    """
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to look for the smallest elements; without it (and without `other`), all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
        other: a tensor that broadcasts with `input`; then the result is `minimum(input, other)`
    
    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension.
    
    Equal smallest elements of the whole tensor share the gradient. With `dim`, only the first of them gets it. If there is a nan, the result
    is nan.
    
    >>> x = jgrad.tensor([[1., 7.], [9., 2.]])
    >>> jgrad.min(x)
    tensor(1.)
    >>> values, indices = jgrad.min(x, dim=1)
    >>> values, indices
    (tensor([1., 2.]), tensor([0, 1]))
    >>> jgrad.min(x, jgrad.tensor(5.))
    tensor([[1., 5.],
            [5., 2.]])
    """
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors."""
@overload
def min(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.min:
    """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors."""
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements, element by element. If one of them is nan, the result is nan.
    
    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`; it may not be a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Equal elements share the gradient: each gets half of it.
    
    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> jgrad.minimum(a, jgrad.tensor([2., 2., 2.])).sum().backward()
    >>> a.grad
    tensor([1.0000, 0.5000, 0.0000])
    """
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices: element (i, j) is the sum of the products of row i of the first and column j of the second.
    
    Args:
        input: a matrix of shape (n, m)
        mat2: a matrix of shape (m, p), with the dtype of `input`
    
    Returns a new tensor of shape (n, p). Nothing is broadcast; `matmul` also takes vectors and batches.
    
    >>> a = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> b = jgrad.tensor([[1., 0.], [1., 1.]])
    >>> c = jgrad.mm(a, b)
    >>> c
    tensor([[3., 2.],
            [7., 4.]], grad_fn=<MmBackward0>)
    >>> c.sum().backward()
    >>> a.grad  # each row holds the sums of the rows of b
    tensor([[1., 2.],
            [1., 2.]])
    """
def mode(input: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: Any = None) -> return_types.mode:
    """The most frequent value along a dimension, and the place where it stands last. Of several equally frequent values, it is the smallest.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to count; negative numbers count from the last one
        keepdim: if True, the dimension stays in the shape, with size 1
    
    Returns a named tuple of two new tensors, `values` and `indices` (int64). Only the element at the index gets the gradient.
    
    >>> value, index = jgrad.mode(jgrad.tensor([1, 2, 2, 0]))
    >>> value, index
    (tensor(2), tensor(2))
    """
@overload
def moveaxis(input: Tensor, source: _int, destination: _int) -> Tensor:
    """The tensor with one dimension, or several, moved to other places. The others keep their order.
    
    Args:
        input: a tensor of any shape
        source: the dimension to move, or a tuple of dimensions; negative numbers count from the last one
        destination: the place of each of them in the result, as many as in `source`
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.zeros(2, 3, 5, 7)
    >>> jgrad.moveaxis(x, 0, 2).shape
    jgrad.Size([3, 5, 2, 7])
    >>> jgrad.moveaxis(x, (2, 3), (0, 1)).shape
    jgrad.Size([5, 7, 2, 3])
    """
@overload
def moveaxis(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """The tensor with one dimension, or several, moved to other places. The others keep their order."""
@overload
def movedim(input: Tensor, source: _int, destination: _int) -> Tensor:
    """The tensor with one dimension, or several, moved to other places. The others keep their order.
    
    Args:
        input: a tensor of any shape
        source: the dimension to move, or a tuple of dimensions; negative numbers count from the last one
        destination: the place of each of them in the result, as many as in `source`
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.zeros(2, 3, 5, 7)
    >>> jgrad.movedim(x, 0, 2).shape
    jgrad.Size([3, 5, 2, 7])
    >>> jgrad.movedim(x, (2, 3), (0, 1)).shape
    jgrad.Size([5, 7, 2, 3])
    """
@overload
def movedim(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """The tensor with one dimension, or several, moved to other places. The others keep their order."""
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in order along the first dimension.
    
    Args:
        input: a tensor with a real dtype
    
    Returns a new tensor with the shape of `input`. It is `jgrad.sort(input, dim=0).values`.
    
    >>> jgrad.msort(jgrad.tensor([[3, 1], [2, 5]]))
    tensor([[2, 1],
            [3, 5]])
    """
def mul(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. The product of two bools is their logical and.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> w = jgrad.tensor([3., 4.], requires_grad=True)
    >>> jgrad.mul(x, w).sum().backward()
    >>> x.grad, w.grad
    (tensor([3., 4.]), tensor([1., 2.]))
    """
def multinomial(input: Tensor, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random indices, drawn with given weights.
    
    Args:
        input: a vector or a matrix with a floating dtype: the weights of the indices, not negative, at least one of
            them positive. For a matrix, each row gives a draw of its own.
        num_samples: how many indices to draw
        replacement: if True, an index may be drawn several times; if False, no index is drawn twice
        generator: the stream of random numbers; None means the default generator of the device
    
    Returns a new int64 tensor with `num_samples` as its last dimension. Has no gradient. Raises RuntimeError if more indices are drawn than
    there are, and none may be drawn twice.
    
    >>> jgrad.multinomial(jgrad.tensor([0., 0., 5.]), 4, replacement=True)
    tensor([2, 2, 2, 2])
    >>> jgrad.multinomial(jgrad.tensor([1., 2., 5.]), 3).sort().values
    tensor([0, 1, 2])
    """
def multiply(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
    
    Returns a new tensor with the broadcast shape and the common dtype of both. The product of two bools is their logical and.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> w = jgrad.tensor([3., 4.], requires_grad=True)
    >>> jgrad.mul(x, w).sum().backward()
    >>> x.grad, w.grad
    (tensor([3., 4.]), tensor([1., 2.]))
    """
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A matrix times a vector: element i is the sum of the products of row i and the vector.
    
    Args:
        input: a matrix of shape (n, m)
        vec: a vector of shape (m,), with the dtype of `input`
    
    Returns a new tensor of shape (n,).
    
    >>> jgrad.mv(jgrad.tensor([[1., 2.], [3., 4.]]), jgrad.tensor([1., -1.]))
    tensor([-1., -1.])
    """
def mvlgamma(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of p dimensions.
    
    It is the sum of `lgamma(input - j / 2)` for j from 0 to p - 1, and a constant: `p * (p - 1) / 4 * log(pi)`.
    
    Args:
        input: a tensor of real numbers, greater than (p - 1) / 2; integers and bools give results of the default dtype
        p: the number of dimensions, an int, at least 1
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([3., 4.])
    >>> jgrad.mvlgamma(x, 1)  # lgamma
    tensor([0.6931, 1.7918])
    >>> jgrad.mvlgamma(x, 2)
    tensor([1.5502, 3.5651])
    """
nan: _float
def nan_to_num(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """`input` with nan and infinities replaced by numbers.
    
    Args:
        input: a tensor of any dtype
        nan: the number that replaces nan; None means 0
        posinf: the number that replaces inf; None means the largest number of the dtype
        neginf: the number that replaces -inf; None means the lowest number of the dtype
    
    Returns a new tensor with the shape and dtype of `input`. The gradient of the replaced elements is 0.
    
    >>> inf = float("inf")
    >>> jgrad.nan_to_num(jgrad.tensor([1., inf - inf, inf, -inf]), nan=0.5, posinf=9., neginf=-9.)
    tensor([ 1.0000,  0.5000,  9.0000, -9.0000])
    """
def nan_to_num_(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """nan_to_num() in place: the result is written to self."""
def nanmean(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of the elements that are not nan. The elements that are nan are not counted either.
    
    Args:
        input: a tensor of any shape, with a floating dtype
        dim: a dimension, or a tuple of dimensions, to take the mean over; None means all dimensions
        keepdim: if True, the dimensions over which the mean is taken stay in the shape, with size 1
        dtype: the elements are converted to this floating dtype first; None keeps that of `input`
    
    Returns a new tensor. The mean is nan where all elements are nan. Raises RuntimeError for integers and bools.
    
    >>> jgrad.nanmean(jgrad.tensor([1., float("nan"), 3.]))
    tensor(2.)
    """
@overload
def nanmedian(input: Tensor) -> Tensor:
    """The median of the elements that are not nan: of all of them, or along a dimension. If there are two in the middle, it is the smaller one.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; without it, all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
    
    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension. If all elements are nan,
    the median is nan. Elements of the whole tensor that equal the median share the gradient. With `dim`, only one of them gets it.
    
    >>> x = jgrad.tensor([1., float("nan"), 3., 4.])
    >>> jgrad.median(x)
    tensor(nan)
    >>> jgrad.nanmedian(x)
    tensor(3.)
    """
@overload
def nanmedian(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.nanmedian:
    """The median of the elements that are not nan: of all of them, or along a dimension. If there are two in the middle, it is the smaller one."""
@overload
def nanquantile(input: Tensor, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles of the elements that are not nan: of all of them, or along a dimension. A quantile is the value below which a given share lies.
    
    Args:
        input: a tensor of any shape that is not empty, float32 or float64
        q: the share, a number from 0 to 1, or a vector of shares with the dtype of `input`; 0.5 gives the median
        dim: the dimension along which to compute; None means all elements
        keepdim: if True, the dimension stays in the shape, with size 1; with no `dim`, all of them
        interpolation: which value to take if the quantile lies between two elements: "linear" (by the distances from both), "lower", "higher",
            "midpoint" (halfway), or "nearest"
    
    Returns a new tensor. If `q` is a vector, its size is the first dimension of the result. If all elements are nan, the quantiles are nan.
    
    >>> jgrad.nanquantile(jgrad.tensor([1., float("nan"), 3.]), 0.5)
    tensor(2.)
    """
@overload
def nanquantile(input: Tensor, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles of the elements that are not nan: of all of them, or along a dimension. A quantile is the value below which a given share lies."""
def nansum(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sum of the elements that are not nan: every nan counts as 0.
    
    Args:
        input: a tensor of any shape, with a real dtype; the sums of integers and bools have dtype int64
        dim: a dimension, or a tuple of dimensions, to sum over; None means all dimensions
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor. The gradient of the elements that are nan is 0.
    
    >>> x = jgrad.tensor([1., float("nan"), 3.], requires_grad=True)
    >>> y = jgrad.nansum(x)
    >>> y
    tensor(4., grad_fn=<NansumBackward0>)
    >>> y.backward()
    >>> x.grad
    tensor([1., 0., 1.])
    """
@overload
def narrow(input: Tensor, dim: _int, start: _int, length: _int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one
        start: the first index of the range, an integer or an integer tensor without dimensions; negative numbers count from the end
        length: the number of indices in the range
    
    Returns a view: it shares the memory of `input`. Raises RuntimeError if the range ends beyond the dimension.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.narrow(x, 1, 0, 2)
    tensor([[1, 2],
            [4, 5]])
    >>> jgrad.narrow(x, 1, -1, 1)
    tensor([[3],
            [6]])
    """
@overload
def narrow(input: Tensor, dim: _int, start: Tensor, length: _int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is."""
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of a range of one dimension, in new memory. The range is given by its start and its length.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension of the range; negative numbers count from the last one
        start: the first index of the range; negative numbers count from the end
        length: how many indices the range has
    
    Returns a new tensor. Its size in dimension `dim` is `length`.
    
    >>> jgrad.narrow_copy(jgrad.arange(6), 0, 2, 3)
    tensor([2, 3, 4])
    """
def native_batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, *, out: Any = None) -> tuple[Tensor, Tensor, Tensor]:
    """`batch_norm` with all arguments given. It also returns the statistics that its gradient needs.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        running_mean: the running means, of shape (C,); in training they are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,); in training they are updated in place. None, if none are kept
        training: whether to use the statistics of the batch, and to update the running ones
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns three new tensors: the normalized input, the means, and one over the standard deviations of the channels. The last two are empty
    if `training` is False. The gradient flows through the first alone.
    
    >>> x = jgrad.tensor([[1., 0.], [3., 8.]])
    >>> jgrad.native_batch_norm(x, None, None, None, None, True, 0.5, 1e-12)
    (tensor([[-1., -1.],
            [ 1.,  1.]]), tensor([2., 4.]), tensor([1.0000, 0.2500]))
    """
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Changes the order of the channels: the first of each group, then the second of each, and so on. It is `channel_shuffle` without a gradient.
    
    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions
        groups: the number of groups, by which C must be divisible
    
    Returns a new tensor with the shape of `input`. Raises RuntimeError in `backward`: it has no derivative.
    
    >>> x = jgrad.tensor([1., 2., 3., 4., 5., 6.]).reshape(1, 6, 1)
    >>> jgrad.native_channel_shuffle(x, 2).flatten()
    tensor([1., 4., 2., 5., 3., 6.])
    """
def native_dropout(input: Tensor, p: _float, train: _bool | None) -> tuple[Tensor, Tensor]:
    """Sets elements to zero at random, with the probability `p`, and divides the others by `1 - p`.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        p: the probability that an element becomes zero
        train: False changes nothing; None stands for True
    
    Returns two new tensors: the result, and a tensor of bools that says which elements are left.
    
    >>> result, left = jgrad.native_dropout(jgrad.ones(4), 0.5, True)
    >>> jgrad.equal(result, left * 2.)
    True
    """
def native_group_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, N: _int, C: _int, HxW: _int, group: _int, eps: _float) -> tuple[Tensor, Tensor, Tensor]:
    """`group_norm` with all arguments given, the sizes of the tensor too. It also returns the statistics that its gradient needs.
    
    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        N: the number of samples
        C: the number of channels
        HxW: the number of elements of each channel
        group: the number of groups, by which C must be divisible
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns three new tensors: the normalized input, and of shape (N, group) the means and one over the standard deviations.
    
    >>> x = jgrad.tensor([[1., 3., 10., 30.]])
    >>> jgrad.native_group_norm(x, None, None, 1, 4, 1, 2, 0.)
    (tensor([[-1.,  1., -1.,  1.]]), tensor([[ 2., 20.]]), tensor([[1.0000, 0.1000]]))
    """
def native_layer_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None, bias: Tensor | None, eps: _float) -> tuple[Tensor, Tensor, Tensor]:
    """`layer_norm` with all arguments given. It also returns the statistics that its gradient needs.
    
    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which mean and variance are computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        bias: is added to each element of a sample, of shape `normalized_shape`; None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero
    
    Returns three new tensors: the normalized input, the means, and one over the standard deviations. The gradient flows through the first alone.
    
    >>> x = jgrad.tensor([[1., 3.], [10., 30.]])
    >>> jgrad.native_layer_norm(x, (2,), None, None, 0.)
    (tensor([[-1.,  1.],
            [-1.,  1.]]), tensor([[ 2.],
            [20.]]), tensor([[1.0000],
            [0.1000]]))
    """
def ne(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether both elements differ: `input != other`, element by element. `not_equal` is another name.
    
    Args:
        input: a tensor of any dtype
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. nan differs from everything, and even from nan.
    
    >>> jgrad.ne(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True, False,  True])
    """
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative `-input`, element by element. `negative` is another name.
    
    Args:
        input: a tensor of numbers; bools raise RuntimeError
    
    Returns a new tensor.
    
    >>> jgrad.neg(jgrad.tensor([1, -2]))
    tensor([-1,  2])
    """
def neg_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """neg() in place: the result is written to self."""
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative `-input`, element by element. `negative` is another name.
    
    Args:
        input: a tensor of numbers; bools raise RuntimeError
    
    Returns a new tensor.
    
    >>> jgrad.neg(jgrad.tensor([1, -2]))
    tensor([-1,  2])
    """
def negative_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """neg() in place: the result is written to self."""
newaxis: None
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The floating-point number that comes right after `input` in the direction of `other`, element by element.
    
    Args:
        input: a floating-point tensor
        other: a floating-point tensor that broadcasts with `input`
    
    Returns a new tensor with the broadcast shape. Where both are equal, that is their value. The gradient goes to `input` where the two
    differ. The gradient of `other` is 0.
    
    >>> one = jgrad.tensor([1.])
    >>> jgrad.nextafter(one, jgrad.tensor([2.])) - one == 2**-23
    tensor([True])
    """
from jgrad.graph.grad_mode import no_grad as no_grad
@overload
def nonzero(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The indices of all elements that are not zero, row by row.
    
    Args:
        input: a tensor of any shape and dtype
        as_tuple: if True, the result is a tuple of vectors, one for each dimension: `x[x.nonzero(as_tuple=True)]` are the elements. False is
            the default
    
    Returns an int64 matrix with one row for each such element, or the tuple of int64 vectors. Has no gradient.
    
    >>> x = jgrad.tensor([[0, 5], [6, 0]])
    >>> jgrad.nonzero(x)
    tensor([[0, 1],
            [1, 0]])
    >>> jgrad.nonzero(x, as_tuple=True)
    (tensor([0, 1]), tensor([1, 0]))
    """
@overload
def nonzero(input: Tensor, *, as_tuple: _bool, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """The indices of all elements that are not zero, row by row."""
def nonzero_static(input: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | None = None) -> Tensor:
    """The indices of the first `size` elements that are not zero, row by row. The shape of the result doesn't depend on the values.
    
    Args:
        input: a tensor of any shape and dtype
        size: the number of rows of the result
        fill_value: the number in the rows that are left over, if there are fewer such elements
    
    Returns an int64 matrix with `size` rows and a column for each dimension of `input`. Has no gradient.
    
    >>> jgrad.nonzero_static(jgrad.tensor([[0, 5], [6, 0]]), size=3)
    tensor([[ 0,  1],
            [ 1,  0],
            [-1, -1]])
    """
def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: _bool = False, out: Any = None, dtype: Any = None) -> Tensor:
    """The norm of all elements as one vector, or of the vectors (or matrices) along some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        p: the order: a number as in `jgrad.linalg.vector_norm`; "fro" or None means 2, the root of the sum of the squares; "nuc" means the sum
            of the singular values of a matrix
        dim: a dimension, or a tuple of dimensions, to reduce; None means all dimensions. "nuc" needs two dimensions.
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor. Where the norm of order 2 is 0, its gradient is 0. Raises RuntimeError for integers.
    
    >>> x = jgrad.tensor([3., 4.], requires_grad=True)
    >>> y = jgrad.norm(x)
    >>> y.backward()
    >>> y.item(), x.grad
    (5.0, tensor([0.6000, 0.8000]))
    """
def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor:
    """The norms over all dimensions but one. Weight normalization divides the weight by them.
    
    Args:
        v: a tensor with a floating or complex dtype
        pow: the order of the norm
        dim: the dimension that is left; -1 means none, which gives the norm of all elements
    
    Returns a new tensor, whose dimensions have size 1 except `dim`. With -1 it has no dimensions.
    
    >>> v = jgrad.tensor([[3., 4.], [6., 8.]])
    >>> jgrad.norm_except_dim(v)
    tensor([[ 5.],
            [10.]])
    """
@overload
def normal(mean: Tensor, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size.
    
    Args:
        mean: a tensor with the mean of each number, or one number for all
        std: a tensor with the standard deviation of each number, or one number for all; not negative; 1 if it is left out with a tensor `mean`
        size: the shape, a tuple or list of integers, if `mean` and `std` are numbers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, if there is a `size`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient
    
    Returns a new tensor with the shape to which `mean` and `std` broadcast, or of this size. The gradients for `mean` and `std` are 0.
    
    >>> jgrad.normal(jgrad.tensor([1., 10.]), jgrad.tensor([0., 0.]))
    tensor([ 1., 10.])
    >>> jgrad.normal(0., 1., size=(2, 3)).shape
    jgrad.Size([2, 3])
    """
@overload
def normal(mean: Tensor, std: _float = 1.0, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size."""
@overload
def normal(mean: _float, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size."""
@overload
def normal(mean: _float, std: _float, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of normal distributions. Mean and standard deviation are tensors, or numbers together with a size."""
def not_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Whether both elements differ: `input != other`, element by element. `not_equal` is another name.
    
    Args:
        input: a tensor of any dtype
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor of bools with the broadcast shape. It has no gradient. nan differs from everything, and even from nan.
    
    >>> jgrad.ne(jgrad.tensor([1, 2, 3]), 2)
    tensor([ True, False,  True])
    """
@overload
def nuclear_norm(input: Tensor, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The sum of the singular values of matrices. It is `linalg.matrix_norm` with `ord="nuc"`.
    
    Args:
        input: matrices in a tensor of two or more dimensions, with a floating point or complex dtype
        dim: the two dimensions of the matrices; without it they are the last two
        keepdim: whether these dimensions stay, with size 1
    
    Returns a new real tensor with one number for each matrix.
    
    >>> jgrad.nuclear_norm(jgrad.tensor([[3., 0.], [0., -4.]]))
    tensor(7.)
    """
@overload
def nuclear_norm(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The sum of the singular values of matrices. It is `linalg.matrix_norm` with `ord="nuc"`."""
def numel(input: Tensor) -> _int:
    """The number of elements of a tensor.
    
    Args:
        input: a tensor
    
    Returns an int.
    
    >>> jgrad.numel(jgrad.zeros(2, 3))
    6
    """
@overload
def ones(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of some size, filled with 1.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor.
    
    >>> jgrad.ones(2, 3, dtype=jgrad.int64)
    tensor([[1, 1, 1],
            [1, 1, 1]])
    """
@overload
def ones(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of some size, filled with 1.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor.
    
    >>> jgrad.ones(2, 3, dtype=jgrad.int64)
    tensor([[1, 1, 1],
            [1, 1, 1]])
    """
def ones_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor with the size of another one, filled with 1.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means that of `input`
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps
    
    Returns a new tensor. No gradient flows to `input`.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.ones_like(x, dtype=jgrad.float32)
    tensor([[1., 1.],
            [1., 1.]])
    """
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The first n columns of a product of reflections. It is another name of `linalg.householder_product`.
    
    Args:
        input: a tensor of shape (..., m, n), where n is at most m; the vectors of the reflections stand below its diagonal
        input2: the factors of the reflections, of shape (..., k), where k is at most n
    
    Returns a new tensor of shape (..., m, n).
    
    >>> a, tau = jgrad.geqrf(jgrad.tensor([[3.], [4.]]))
    >>> jgrad.orgqr(a, tau).round(decimals=3)
    tensor([[-0.6000],
            [-0.8000]])
    """
def ormqr(input: Tensor, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and Q, where Q is the square product of reflections that `geqrf` describes. Q itself is not made.
    
    Args:
        input: the tensor `a` of `geqrf`; the vectors of the reflections stand below its diagonal
        input2: the tensor `tau` of `geqrf`, the factors of the reflections
        input3: the matrix C that is multiplied, or a batch of them
        left: True gives Q C, False gives C Q
        transpose: whether Q is transposed and conjugated
    
    Returns a new tensor with the shape of `input3`.
    
    >>> a, tau = jgrad.geqrf(jgrad.tensor([[3.], [4.]]))
    >>> jgrad.ormqr(a, tau, jgrad.eye(2)).round(decimals=3)  # Q itself
    tensor([[-0.6000, -0.8000],
            [-0.8000,  0.6000]])
    """
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The outer product of two vectors: element (i, j) is element i of the first times element j of the second.
    
    Args:
        input: a vector of shape (n,)
        vec2: a vector of shape (m,)
    
    Returns a new tensor of shape (n, m). The vectors may have different dtypes.
    
    >>> jgrad.outer(jgrad.tensor([1., 2.]), jgrad.tensor([1., 10., 100.]))
    tensor([[  1.,  10., 100.],
            [  2.,  20., 200.]])
    """
def pairwise_distance(x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False) -> Tensor:
    """The distances of vectors from each other, which lie along the last dimension: the norms of order `p` of their differences.
    
    Args:
        x1: a tensor whose last dimension holds the vectors
        x2: another such tensor; its shape broadcasts with that of `x1`
        p: the order of the norm: 2 gives Euclidean distances, 1 the sums of absolute differences
        eps: this is added to each difference, so that the norm of equal vectors has a gradient
        keepdim: if True, the last dimension stays in the shape, with size 1
    
    Returns a new tensor without the last dimension.
    
    >>> x = jgrad.tensor([[0., 0.], [3., 4.]])
    >>> y = jgrad.tensor([[3., 4.], [3., 4.]])
    >>> jgrad.pairwise_distance(x, y, eps=0.)
    tensor([5., 0.])
    """
def pca_lowrank(A: Tensor, q: _int | None = None, center: _bool = True, niter: _int = 2) -> tuple:
    """The principal components of data, approximately: `svd_lowrank` of A, less the mean of its columns.
    
    Args:
        A: a tensor of shape (..., m, n): m samples (rows) of n features (columns)
        q: how many components are computed, at most the smaller of m and n; None is 6, or less if A is smaller
        center: whether the mean of each column is subtracted first
        niter: how many times the approximation is improved
    
    Returns a tuple of new tensors: U of shape (..., m, q), S of shape (..., q) and V of shape (..., n, q), whose columns are the directions.
    
    >>> data = jgrad.tensor([[1., 7.], [2., 7.], [3., 7.]])  # the second feature does not vary
    >>> u, s, v = jgrad.pca_lowrank(data, q=1)
    >>> jgrad.round(v.abs(), decimals=3)
    tensor([[1.],
            [0.]])
    """
def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix: the norms of order `p` of their differences.
    
    Args:
        input: a matrix with a floating dtype; each row is a point
        p: the order of the norm, not negative: 2 gives Euclidean distances, 1 the sums of absolute differences
    
    Returns a new vector: first the distances of row 0 from the later rows, then those of row 1 from the later rows, and so on. It cannot be
    differentiated twice.
    
    >>> jgrad.nn.functional.pdist(jgrad.tensor([[0., 0.], [3., 4.], [6., 8.]]))
    tensor([ 5., 10.,  5.])
    """
@overload
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """The tensor with its dimensions in another order.
    
    Args:
        input: a tensor of any shape
        dims: all dimensions of `input` in their new order, each of them once; negative numbers count from the last one
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.zeros(2, 3, 5)
    >>> jgrad.permute(x, (2, 0, 1)).shape
    jgrad.Size([5, 2, 3])
    >>> jgrad.permute(x, (0, -1, 1)).shape
    jgrad.Size([2, 5, 3])
    """
@overload
def permute(input: Tensor, *dims: _int) -> Tensor:
    """The tensor with its dimensions in another order."""
def permute_copy(input: Tensor, dims: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `permute` shows, in new memory. The parameters are those of `permute`."""
pi: _float
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The pseudoinverse (Moore-Penrose inverse) of matrices. It is the older form of `linalg.pinv`.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
        rcond: singular values up to this number times the largest one count as zero
    
    Returns a new tensor of shape (..., n, m).
    
    >>> jgrad.pinverse(jgrad.tensor([[3.], [4.]])).round(decimals=3)
    tensor([[0.1200, 0.1600]])
    """
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Spreads groups of r * r channels out as r by r pixels, where r is `upscale_factor`.
    
    Args:
        input: a tensor of shape (..., C * r * r, H, W)
        upscale_factor: how many times as high and wide the result is
    
    Returns a new tensor of shape (..., C, H * r, W * r).
    
    >>> x = jgrad.tensor([1., 2., 3., 4.]).reshape(4, 1, 1)
    >>> jgrad.pixel_shuffle(x, 2)
    tensor([[[1., 2.],
             [3., 4.]]])
    """
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Stacks the pixels of each square of r by r as r * r channels, where r is `downscale_factor`. It undoes `pixel_shuffle`.
    
    Args:
        input: a tensor of shape (..., C, H * r, W * r)
        downscale_factor: by how many times height and width become smaller
    
    Returns a new tensor of shape (..., C * r * r, H, W).
    
    >>> x = jgrad.tensor([[[1., 2.], [3., 4.]]])
    >>> jgrad.pixel_unshuffle(x, 2).shape
    jgrad.Size([4, 1, 1])
    >>> jgrad.pixel_unshuffle(x, 2).flatten()
    tensor([1., 2., 3., 4.])
    """
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Random numbers of Poisson distributions: how many events occur if the mean number is given.
    
    Args:
        input: a tensor with the mean for each number, not negative, with a floating dtype
        generator: the stream of random numbers; None means the default generator of the device
    
    Returns a new tensor with the shape and dtype of `input`. Its gradient is 0. Raises RuntimeError for negative means.
    
    >>> jgrad.poisson(jgrad.tensor([0., 0.]))
    tensor([0., 0.])
    >>> means = jgrad.poisson(jgrad.full((1000,), 3.))
    >>> bool((means.mean() - 3).abs() < 0.3)
    True
    """
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool, full: _bool, eps: _float, reduction: _int) -> Tensor:
    """Minus the logarithm of the probability of counts under Poisson distributions, without the part that does not depend on `input`.
    
    Args:
        input: the expected counts, or their logarithms with `log_input`, of any shape
        target: the counts that were observed
        log_input: whether `input` holds logarithms: the loss is `exp(input) - target * input`, otherwise `input - target * log(input + eps)`
        full: whether to add an approximation (Stirling's formula) of the part that depends on `target` alone
        eps: a small number that avoids the logarithm of 0
        reduction: 1 gives the mean of the elements, 2 their sum, 0 all of them
    
    Returns a tensor without dimensions; with reduction 0 one with the shape of `input`.
    
    The loss is smallest where the expected count is the one that was observed; there the gradient is 0.
    
    >>> x = jgrad.tensor([0., 0.], requires_grad=True)
    >>> jgrad.poisson_nll_loss(x, jgrad.tensor([1., 3.]), log_input=True, full=False, eps=1e-8, reduction=2).backward()
    >>> x.grad
    tensor([ 0., -2.])
    """
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers made of their absolute values and their angles: `abs * cos(angle) + 1j * abs * sin(angle)`.
    
    Args:
        abs: a floating-point tensor
        angle: the angles in radians, a tensor with the dtype of `abs` that broadcasts with it; another dtype raises RuntimeError
    
    Returns a new tensor with the broadcast shape and the complex dtype of the same precision.
    
    >>> z = jgrad.polar(jgrad.tensor([2., 3.]), jgrad.tensor([0., jgrad.pi]))
    >>> z.real
    tensor([ 2., -3.])
    """
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of the digamma function. With n = 0 it is `digamma` itself.
    
    Args:
        n: an int, at least 0
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Raises RuntimeError if n is negative. As a method it is called without `input`: `tensor.polygamma(n)`.
    
    >>> jgrad.polygamma(1, jgrad.tensor([1.]))  # pi * pi / 6
    tensor([1.6449])
    """
def positive(input: Tensor) -> Tensor:
    """The tensor itself, as `+input` in Python.
    
    Args:
        input: a tensor of numbers; bools raise RuntimeError
    
    Returns `input` itself, so it is no copy and shares its memory.
    
    >>> x = jgrad.tensor([-1., 2.])
    >>> jgrad.positive(x) is x
    True
    """
@overload
def pow(input: Tensor, exponent: Number, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, element by element. Both broadcast with each other.
    
    Args:
        input: a tensor, or a number if `exponent` is a tensor
        exponent: a tensor, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Two tensors of bools raise NotImplementedError. A negative
    real number to a fractional power is nan. Raises RuntimeError if `input` is a tensor of integers and `exponent` is a negative whole
    number, not a tensor. The gradient of `input` is 0 where the exponent is 0, and the gradient of `exponent` is 0 where 0 is raised to an
    exponent that is not negative.
    
    >>> x = jgrad.tensor([0.5, 3.], requires_grad=True)
    >>> jgrad.pow(x, 3)
    tensor([ 0.1250, 27.0000], grad_fn=<PowBackward0>)
    >>> jgrad.pow(x, 3).sum().backward()
    >>> x.grad
    tensor([ 0.7500, 27.0000])
    >>> jgrad.pow(2, jgrad.tensor([1, 2, 3]))
    tensor([2, 4, 8])
    """
@overload
def pow(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, element by element. Both broadcast with each other."""
@overload
def pow(self: Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power of `exponent`, element by element. Both broadcast with each other."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Each element where it is positive, `weight * input` elsewhere. The weight is a tensor, so that it can be learned.
    
    Args:
        input: a tensor of any shape with a floating point dtype; dimension 1 holds the channels
        weight: one number, or a vector with one number for each channel; it has the dtype of `input`
    
    Returns a new tensor with the shape of `input`. Both tensors get a gradient.
    
    >>> x = jgrad.tensor([[-2., -2.], [3., -4.]])
    >>> weight = jgrad.tensor([0.5, 0.25], requires_grad=True)
    >>> y = jgrad.prelu(x, weight)
    >>> y.detach()
    tensor([[-1.0000, -0.5000],
            [ 3.0000, -1.0000]])
    >>> y.sum().backward()
    >>> weight.grad
    tensor([-2., -6.])
    """
preserve_format: _memory_format
@overload
def prod(input: Tensor, *, dtype: _dtype | _type | None = None) -> Tensor:
    """The product of all elements, or the products along a dimension.
    
    Args:
        input: a tensor of any shape and dtype; the products of integers and bools have dtype int64
        dim: the dimension along which to multiply; without it, all elements are multiplied
        keepdim: if True, the dimension stays in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor. The product of no elements is 1. The gradient of an element is the product of all the others. It is right also
    where some elements are 0.
    
    >>> x = jgrad.tensor([2., 0., 3.], requires_grad=True)
    >>> jgrad.prod(x).backward()
    >>> x.grad
    tensor([0., 6., 0.])
    """
@overload
def prod(input: Tensor, dim: _int, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The product of all elements, or the products along a dimension."""
def promote_types(type1: _dtype, type2: _dtype) -> _dtype:
    """The common dtype of two dtypes, which an operation on tensors of both would have.
    
    It has the higher category of the two (bool, integer, floating point, complex), and it holds the numbers of both if they have the same
    category. A floating-point dtype need not hold all integers of the other dtype.
    
    Args:
        type1, type2: the dtypes; two different dtypes of which one is a float8 raise RuntimeError
    
    >>> jgrad.promote_types(jgrad.int32, jgrad.float32)
    jgrad.float32
    >>> jgrad.promote_types(jgrad.uint8, jgrad.int8)
    jgrad.int16
    >>> jgrad.promote_types(jgrad.int64, jgrad.float16)
    jgrad.float16
    """
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of the tensor with the elements of `source` at some places. A place is a position in the flattened tensor: row by row, the last
    index changes fastest.
    
    Args:
        input: the tensor to copy, of any shape
        index: an int64 tensor of places; negative ones count from the end
        source: a tensor with the new elements, as many as places, with the dtype of `input`
        accumulate: if True, the elements are added to those that are there, and repeated places add up
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[10, 20], [30, 40]])
    >>> jgrad.put(x, jgrad.tensor([1, 2]), jgrad.tensor([5, 6]))
    tensor([[10,  5],
            [ 6, 40]])
    >>> jgrad.put(x, jgrad.tensor([1, 1]), jgrad.tensor([5, 6]), accumulate=True)
    tensor([[10, 31],
            [30, 40]])
    """
def qr(input: Tensor, some: _bool = True, *, out: Any = None) -> return_types.qr:
    """The QR factorization A = Q R of matrices: the columns of Q are orthogonal, R is upper triangular. Use `linalg.qr` in new code.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
        some: True gives Q with as many columns as the smaller of m and n, False gives a square Q
    
    Returns a named tuple of new tensors, `Q` and `R`. The first call in a program warns that PyTorch will remove this function.
    
    >>> q, r = jgrad.qr(jgrad.tensor([[3., 5.], [4., 10.]]))
    >>> r.round(decimals=3)
    tensor([[ -5., -11.],
            [  0.,   2.]])
    """
@overload
def quantile(input: Tensor, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles: the values below which given shares of the elements lie, of all elements or along a dimension.
    
    Args:
        input: a tensor of any shape that is not empty, float32 or float64
        q: the share, a number from 0 to 1, or a vector of shares with the dtype of `input`; 0.5 gives the median
        dim: the dimension along which to compute; None means all elements
        keepdim: if True, the dimension stays in the shape, with size 1; with no `dim`, all of them
        interpolation: which value to take if the quantile lies between two elements: "linear" (by the distances from both), "lower", "higher",
            "midpoint" (halfway), or "nearest"
    
    Returns a new tensor. If `q` is a vector, its size is the first dimension of the result. If there is a nan, the quantiles are nan.
    
    >>> x = jgrad.tensor([10., 20., 30., 40.])
    >>> jgrad.quantile(x, 0.5)
    tensor(25.)
    >>> jgrad.quantile(x, jgrad.tensor([0., 1.]))
    tensor([10., 40.])
    >>> jgrad.quantile(x, 0.5, interpolation="lower")
    tensor(20.)
    """
@overload
def quantile(input: Tensor, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles: the values below which given shares of the elements lie, of all elements or along a dimension."""
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Angles in radians converted to degrees: `input * 180 / pi`.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> jgrad.rad2deg(jgrad.tensor([1., jgrad.pi]))
    tensor([ 57.2958, 180.0000])
    """
def rad2deg_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """rad2deg() in place: the result is written to self."""
@overload
def rand(size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers that are equally likely anywhere from 0 to 1; 1 itself does not occur.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor.
    
    >>> jgrad.rand(2)
    tensor([0.4963, 0.7682])
    >>> jgrad.rand(2, 3).shape
    jgrad.Size([2, 3])
    """
@overload
def rand(*size: _int, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers that are equally likely anywhere from 0 to 1; 1 itself does not occur."""
def rand_like(input: Tensor, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers that are equally likely anywhere from 0 to 1 (which itself does not occur), in the size of another tensor.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor. No gradient flows to `input`. The dtype must be a floating or complex one.
    
    >>> jgrad.rand_like(jgrad.zeros(2))
    tensor([0.4963, 0.7682])
    """
@overload
def randint(high: _int, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, that are equally likely.
    
    Args:
        low: the smallest integer; 0 if it is left out
        high: the integers lie below it; if there is one number before the size, it is this one
        size: the shape, a tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means int64, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor. Raises RuntimeError if `low` is not less than `high`.
    
    >>> jgrad.randint(2, 5, (100,)).unique()
    tensor([2, 3, 4])
    >>> jgrad.randint(10, (2, 3)).shape
    jgrad.Size([2, 3])
    """
@overload
def randint(low: _int, high: _int, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, that are equally likely."""
@overload
def randint_like(input: Tensor, high: _int, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, in the size and dtype of another tensor.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        low: the smallest integer; 0 if it is left out
        high: the integers lie below it; if there is one number, it is this one
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor. No gradient flows to `input`. Raises RuntimeError if `low` is not less than `high`.
    
    >>> x = jgrad.zeros(100)
    >>> jgrad.randint_like(x, 2, 5).unique()
    tensor([2., 3., 4.])
    """
@overload
def randint_like(input: Tensor, low: _int, high: _int, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers from `low` up to `high`, without `high`, in the size and dtype of another tensor."""
@overload
def randn(size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor.
    
    >>> x = jgrad.randn(2, 3)
    >>> x.shape, x.dtype
    (jgrad.Size([2, 3]), jgrad.float32)
    >>> bool(jgrad.randn(1000).mean().abs() < 0.2)
    True
    """
@overload
def randn(*size: _int, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1."""
def randn_like(input: Tensor, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1, in the size of another tensor.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        generator: the stream of random numbers; None means the default generator of the device
        memory_format: the order of the dimensions in memory; None and `preserve_format` keep that of `input`, if it has no gaps
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means that of `input`
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new tensor. No gradient flows to `input`. The dtype must be a floating or complex one.
    
    >>> x = jgrad.zeros(2, 3, dtype=jgrad.float64)
    >>> y = jgrad.randn_like(x)
    >>> y.shape, y.dtype
    (jgrad.Size([2, 3]), jgrad.float64)
    """
def randperm(n: _int, *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The integers from 0 up to `n`, without `n`, in a random order.
    
    Args:
        n: how many integers
        generator: the stream of random numbers; None means the default generator of the device
        dtype: the dtype; None means int64, or that of `out`
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
    
    Returns a new vector with `n` elements. Every order is equally likely.
    
    >>> x = jgrad.randperm(5)
    >>> x.sort().values
    tensor([0, 1, 2, 3, 4])
    """
def range(start: Any = 0, end: Any = ..., step: Any = 1, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Numbers from `start` to `end`, the end included, in equal steps. Deprecated: use `jgrad.arange`, which leaves out the end.
    
    Args:
        start: the first number
        end: the last number, if the steps reach it exactly; no number lies behind it
        step: the difference of two neighbours, not 0; a negative one counts down
        dtype: the dtype; None means the default dtype, also for integers
        layout: `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new vector. Each call gives a warning.
    
    >>> jgrad.range(1, 4)
    tensor([1., 2., 3., 4.])
    """
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension, in order (the last index changes fastest).
    
    Args:
        input: a tensor of any shape
    
    Returns a view of `input` if it is contiguous, else a copy.
    
    >>> jgrad.ravel(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
def real(input: Tensor) -> Tensor:
    """The real part of each element.
    
    Args:
        input: a tensor of any dtype
    
    Returns a view, which shares the memory of `input`: what is written into it changes `input`. For a real tensor it returns `input` itself.
    
    >>> z = jgrad.tensor([1 + 2j])
    >>> jgrad.real(z)
    tensor([1.])
    >>> jgrad.real(z)[0] = 5
    >>> z
    tensor([5.+2.j])
    """
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`1 / input`, element by element.
    
    Args:
        input: a tensor of any shape; integers are converted to the default float dtype
    
    Returns a new tensor. Its value at 0 is inf. The gradient is `-1 / input**2`.
    
    >>> x = jgrad.tensor([2., 4.], requires_grad=True)
    >>> jgrad.reciprocal(x)
    tensor([0.5000, 0.2500], grad_fn=<ReciprocalBackward0>)
    >>> jgrad.reciprocal(x).sum().backward()
    >>> x.grad
    tensor([-0.2500, -0.0625])
    """
def reciprocal_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """reciprocal() in place: the result is written to self."""
def relu(input: Tensor) -> Tensor:
    """The rectified linear unit: the element where it is positive, 0 elsewhere.
    
    Args:
        input: a tensor of real numbers; bools raise RuntimeError
    
    Returns a new tensor with the dtype of `input`. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([-1., 0., 2.], requires_grad=True)
    >>> jgrad.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
def relu_(input: Tensor) -> Tensor:
    """relu() in place: the result is written to self."""
@overload
def remainder(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
    `input - other * floor(input / other)`.
    
    Args:
        input: a tensor of real numbers, or a number if `other` is a tensor
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError, floats give nan.
    If `input` is a number, the result has no derivative: the backward pass raises RuntimeError.
    
    >>> jgrad.remainder(jgrad.tensor([-7, 7]), 3)
    tensor([2, 1])
    >>> jgrad.remainder(jgrad.tensor([-7, 7]), -3)
    tensor([-1, -2])
    """
@overload
def remainder(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
    `input - other * floor(input / other)`.
    """
@overload
def remainder(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
    `input - other * floor(input / other)`.
    """
def renorm(input: Tensor, p: Number, dim: _int, maxnorm: Number, *, out: Tensor | None = None) -> Tensor:
    """Each slice along a dimension whose norm of order `p` is larger than `maxnorm` is shortened to that norm. The other slices stay as they are.
    
    Args:
        input: a tensor with two or more dimensions, with a floating or complex dtype
        p: the order of the norm, positive
        dim: the dimension along which the slices lie: slice i has index i in it
        maxnorm: the largest norm that is allowed
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[3., 4.], [0.25, 0.]])
    >>> jgrad.renorm(x, p=2, dim=0, maxnorm=1)
    tensor([[0.6000, 0.8000],
            [0.2500, 0.0000]])
    """
@overload
def repeat_interleave(input: Tensor, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
    """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
    repetition: each index as many times as its count says.
    
    Args:
        input: a tensor of any shape; without `dim` it is flattened
        repeats: how many times, an integer, or an integer vector with one count for each element or slice. Counts must not be negative
        dim: the dimension whose slices are repeated; negative numbers count from the last one. None means all elements of the flattened tensor
        output_size: the size of the result in the dimension, if you know it; RuntimeError is raised if it is wrong
    
    Returns a new tensor. The gradients of all repetitions add up.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.repeat_interleave(x, 2)
    tensor([1, 1, 2, 2, 3, 3, 4, 4])
    >>> jgrad.repeat_interleave(x, jgrad.tensor([1, 2]), dim=0)
    tensor([[1, 2],
            [3, 4],
            [3, 4]])
    >>> jgrad.repeat_interleave(jgrad.tensor([0, 2, 3]))
    tensor([1, 1, 2, 2, 2])
    """
@overload
def repeat_interleave(input: Tensor, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
    """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
    repetition: each index as many times as its count says.
    """
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor:
    """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
    repetition: each index as many times as its count says.
    """
@overload
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor:
    """The same elements in another shape, in the same order (the last index changes fastest).
    
    Args:
        input: a tensor of any shape
        shape: the new shape, as a tuple; one size may be -1, then it is computed from the others
    
    Returns a view of `input` if the strides allow it, else a copy. Use `view` or `clone` where you need to know which.
    
    >>> x = jgrad.arange(6)
    >>> y = jgrad.reshape(x, (2, -1))
    >>> y
    tensor([[0, 1, 2],
            [3, 4, 5]])
    >>> z = jgrad.reshape(y.t(), (6,))  # a copy: no stride fits this order
    >>> z[0] = 9
    >>> x
    tensor([0, 1, 2, 3, 4, 5])
    """
@overload
def reshape(input: Tensor, *shape: _int) -> Tensor:
    """The same elements in another shape, in the same order (the last index changes fastest)."""
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """Gives the tensor the shape of another one over the same storage, in place. The storage grows if it is too small.
    
    Args:
        input: the tensor that is changed; it must not require grad
        the_template: a tensor; only its shape is used, and with `jgrad.preserve_format` its memory format
        memory_format: the order of the dimensions in memory; None means `jgrad.contiguous_format`, where the last index changes fastest.
            With `jgrad.preserve_format` the tensor also gets the order channels_last from `the_template`, if that has it
    
    Returns `input` itself. Elements that the storage did not have before are not initialised: they can hold any values.
    
    >>> x = jgrad.tensor([1, 2, 3, 4])
    >>> jgrad.resize_as_(x, jgrad.zeros(2, 2))
    tensor([[1, 2],
            [3, 4]])
    """
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor with its conjugation carried out in memory. A view made by `conj` conjugates its elements only when they are read.
    
    Args:
        input: a tensor of any dtype
    
    Returns a new tensor if `is_conj(input)` is True. Otherwise it returns `input` itself.
    
    >>> c = jgrad.conj(jgrad.tensor([1 + 2j]))
    >>> r = jgrad.resolve_conj(c)
    >>> c.is_conj(), r.is_conj()
    (True, False)
    >>> r
    tensor([1.-2.j])
    """
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor with its negation carried out in memory. A view for which `is_neg` is True negates its elements only when they are read.
    
    Args:
        input: a tensor of any dtype
    
    Returns a new tensor if `is_neg(input)` is True. Otherwise it returns `input` itself.
    
    >>> y = jgrad.imag(jgrad.conj(jgrad.tensor([1 + 2j])))
    >>> r = jgrad.resolve_neg(y)
    >>> y.is_neg(), r.is_neg()
    (True, False)
    >>> r
    tensor([-2.])
    """
def result_type(tensor1: Any, tensor2: Any) -> _dtype:
    """The dtype of the result of an operation on two operands.
    
    Tensors with dimensions decide. A tensor without dimensions, and still less a number, only counts if its category (bool, integer, floating
    point, complex) is higher than theirs.
    
    Args:
        tensor1, tensor2: the operands, tensors or Python numbers
    
    >>> half = jgrad.tensor([1.], dtype=jgrad.float16)
    >>> jgrad.result_type(half, jgrad.tensor([1.]))
    jgrad.float32
    >>> jgrad.result_type(half, jgrad.tensor(1.))  # it has no dimensions
    jgrad.float16
    >>> jgrad.result_type(jgrad.tensor([1, 2]), 0.5)
    jgrad.float32
    """
def rms_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """Divides each sample by its root mean square over the last dimensions; then times `weight`. No mean is subtracted.
    
    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which the mean of the squares is computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        eps: a small number that is added to the mean square; None stands for `finfo(dtype).eps`
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[1., 7.], [10., 70.]])
    >>> jgrad.rms_norm(x, (2,))
    tensor([[0.2000, 1.4000],
            [0.2000, 1.4000]])
    """
def rnn_relu_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """One step of a recurrent cell with relu: `relu(w_ih x + b_ih + w_hh h + b_hh)`. `nn.RNNCell(nonlinearity="relu")` is the layer of it.
    
    Args:
        input: a batch of inputs, of shape (N, input_size), with a floating point dtype
        hx: the hidden states, of shape (N, hidden_size), with the dtype of `input`
        w_ih: the weight of the input, of shape (hidden_size, input_size)
        w_hh: the weight of the hidden state, of shape (hidden_size, hidden_size)
        b_ih, b_hh: the two biases, of shape (hidden_size,); None adds nothing
    
    Returns the next hidden states, a new tensor of shape (N, hidden_size). Raises RuntimeError if sizes do not fit each other.
    
    >>> x, h = jgrad.tensor([[1., 2.]]), jgrad.tensor([[0.5]])
    >>> jgrad.rnn_relu_cell(x, h, jgrad.tensor([[3., 4.]]), jgrad.tensor([[2.]]))
    tensor([[12.]])
    """
def rnn_tanh_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """One step of a recurrent cell with tanh: `tanh(w_ih x + b_ih + w_hh h + b_hh)`. `nn.RNNCell` is the layer of it.
    
    Args:
        input: a batch of inputs, of shape (N, input_size), with a floating point dtype
        hx: the hidden states, of shape (N, hidden_size), with the dtype of `input`
        w_ih: the weight of the input, of shape (hidden_size, input_size)
        w_hh: the weight of the hidden state, of shape (hidden_size, hidden_size)
        b_ih, b_hh: the two biases, of shape (hidden_size,); None adds nothing
    
    Returns the next hidden states, a new tensor of shape (N, hidden_size). Raises RuntimeError if sizes do not fit each other.
    
    >>> x, h = jgrad.tensor([[1., 2.]]), jgrad.tensor([[0.5]])
    >>> jgrad.rnn_tanh_cell(x, h, jgrad.tensor([[0.1, 0.2]]), jgrad.tensor([[1.]]))
    tensor([[0.7616]])
    """
def roll(input: Tensor, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = ...) -> Tensor:
    """The tensor with its elements moved along some dimensions. Elements that leave at one end come back at the other end.
    
    Args:
        input: a tensor of any shape
        shifts: how far to move, an integer or a tuple with one for each of `dims`; negative numbers move towards the beginning
        dims: the dimensions, an integer or a tuple; negative numbers count from the last one. Without it, the elements move in the flattened
            tensor, and the shape stays
    
    Returns a new tensor with the shape of `input`.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.roll(x, 1, 1)
    tensor([[3, 1, 2],
            [6, 4, 5]])
    >>> jgrad.roll(x, -1)
    tensor([[2, 3, 4],
            [5, 6, 1]])
    """
def rot90(input: Tensor, k: _int = 1, dims: Sequence[_int] = ...) -> Tensor:
    """The tensor turned by 90 degrees in two dimensions, `k` times. A matrix turns counterclockwise.
    
    Args:
        input: a tensor with at least two dimensions
        k: how many times to turn; negative numbers turn in the other direction
        dims: the two dimensions; the rotation goes from the first one towards the second one
    
    Returns a new tensor: this is a copy, not a view.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.rot90(x)
    tensor([[2, 4],
            [1, 3]])
    >>> jgrad.rot90(x, -1)
    tensor([[3, 1],
            [4, 2]])
    """
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded to the nearest integer. A half is rounded to the even neighbour.
    
    Args:
        input: a tensor of real numbers; integers stay as they are
        decimals: the number of decimal places to keep, for floating-point tensors only; a negative number rounds to tens, hundreds, ...
    
    Returns a new tensor with the dtype of `input`. The gradient is 0.
    
    >>> jgrad.round(jgrad.tensor([0.5, 1.5, 2.5]))
    tensor([0., 2., 2.])
    >>> jgrad.round(jgrad.tensor([1.28, 1.32]), decimals=1)
    tensor([1.3000, 1.3000])
    >>> jgrad.round(jgrad.tensor([14., 27.]), decimals=-1)
    tensor([10., 30.])
    """
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """Each element rounded to the nearest integer. A half is rounded to the even neighbour."""
@overload
def round_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """round() in place: the result is written to self."""
@overload
def round_(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """round() in place: the result is written to self."""
def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Joins tensors from top to bottom: along dimension 0.
    
    Args:
        tensors: a list or tuple of tensors; a vector counts as a row, and a tensor without dimensions as a matrix with one element
    
    Returns a new tensor with at least two dimensions.
    
    >>> jgrad.vstack([jgrad.tensor([1, 2]), jgrad.tensor([[3, 4], [5, 6]])])
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
def rrelu(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """`leaky_relu` with a random slope for each element that is not positive.
    In training the slopes are drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two.
    
    Args:
        input: a tensor of any shape with a floating point dtype
        lower: the smallest slope
        upper: the largest slope
        training: whether to draw random slopes
        generator: the random number generator; None stands for the default one
    
    Returns a new tensor.
    
    >>> jgrad.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75)
    tensor([-4.,  8.])
    >>> noisy = jgrad.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75, training=True)
    >>> -6 <= noisy[0] <= -2
    tensor(True)
    """
def rrelu_(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """Multiplies each element of the tensor that is not positive by a slope.
    In training each slope is drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
        lower: the smallest slope
        upper: the largest slope
        training: whether to draw random slopes
        generator: the random number generator; None stands for the default one
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([-8., 8.])
    >>> jgrad.rrelu_(x, lower=0.25, upper=0.75)
    tensor([-4.,  8.])
    >>> x
    tensor([-4.,  8.])
    """
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`1 / sqrt(input)`, element by element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The result at 0 is inf, that of a negative real number is nan.
    
    >>> jgrad.rsqrt(jgrad.tensor([0., 1., 4.]))
    tensor([   inf, 1.0000, 0.5000])
    """
def rsqrt_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """rsqrt() in place: the result is written to self."""
@overload
def rsub(input: Tensor, other: Tensor, *, alpha: Number = 1) -> Tensor:
    """The difference in reverse order: `other - alpha * input`, element by element.
    
    Args:
        input: a tensor of any dtype but bool
        other: a tensor that broadcasts with `input`, or a number
        alpha: a number by which `input` is multiplied first; if both are integers, it must be an integer too
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Raises RuntimeError for tensors of bools.
    
    >>> jgrad.rsub(jgrad.tensor([1, 2]), 10)
    tensor([9, 8])
    >>> jgrad.rsub(jgrad.tensor([1, 2]), 10, alpha=3)
    tensor([7, 4])
    """
@overload
def rsub(input: Tensor, other: Number, alpha: Number = 1) -> Tensor:
    """The difference in reverse order: `other - alpha * input`, element by element."""
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: _int = 2, _use_new_zipfile_serialization: _bool = True, _disable_byteorder_record: _bool = False) -> None:
    """Write an object to a file that `jgrad.load` and `torch.load` read.
    
    Tensors that share a storage share one after loading too. The whole storage of a tensor is written, also if the tensor is a small view of it.
    A file at that path is replaced only when the new one is complete. After an error, such as OSError for a full disk, the old file is still there.
    
    Args:
        obj: a tensor, a `state_dict()`, or whatever Python can pickle
        f: a path, or an open file with `write`
        pickle_module: must be the module `pickle`; any other one raises NotImplementedError
        pickle_protocol: the version of the pickle format in the file; 2 is also what PyTorch writes
    
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "model.pt")
    >>> jgrad.save({"weight": jgrad.ones(2)}, path)
    >>> jgrad.load(path)
    {'weight': tensor([1., 1.])}
    """
def scalar_tensor(s: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor without dimensions, that holds one number.
    
    Args:
        s: the number
        dtype: the dtype; None means the default dtype, also for integers
        layout: `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor.
    
    >>> jgrad.scalar_tensor(3)
    tensor(3.)
    >>> jgrad.tensor(3)  # keeps the integer
    tensor(3)
    """
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
    `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
    
    Args:
        input: the tensor to copy
        dim: the dimension along which `index` names places; negative numbers count from the last one
        index: an int64 or int32 tensor with as many dimensions as `input`; it is at most as large as `src` in each dimension, and as `input`
            in all but `dim`. Its values must not be negative
        src: a tensor with the new values and the dtype of `input`; or a number, which is written to all places
        value: a number instead of `src`
        reduce: "add" or "multiply" combines the values with those that are there; such a result has no gradient. `scatter_reduce` has one
    
    Returns a new tensor with the shape of `input`.
    
    If an index occurs several times, one of its values is kept; the gradient of `src` is right only without such repetitions.
    The gradient of `input` is 0 where it was overwritten.
    
    >>> x = jgrad.zeros(2, 3)
    >>> index = jgrad.tensor([[2, 0], [1, 2]])
    >>> jgrad.scatter(x, 1, index, jgrad.tensor([[1., 2.], [3., 4.]]))
    tensor([[2., 0., 1.],
            [0., 3., 4.]])
    >>> jgrad.scatter(x, 1, index, 5)
    tensor([[5., 0., 5.],
            [0., 5., 5.]])
    """
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: Number, *, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
    `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
    """
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: _str, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
    `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
    """
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: Number, *, reduce: _str, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
    `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
    """
def scatter_add(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with values added at the places that an index tensor names. With two dimensions and `dim=0`, it does
    `out[index[i][j]][j] += src[i][j]`; with `dim=1` it does `out[i][index[i][j]] += src[i][j]`. Values with the same index add up.
    
    Args:
        input: the tensor to copy
        dim: the dimension along which `index` names places; negative numbers count from the last one
        index: an int64 or int32 tensor with as many dimensions as `input`; it is at most as large as `src` in each dimension, and as `input`
            in all but `dim`. Its values must not be negative
        src: a tensor with the values to add and the dtype of `input`
    
    Returns a new tensor with the shape of `input`.
    
    >>> src = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> y = jgrad.scatter_add(jgrad.zeros(2), 0, jgrad.tensor([1, 0, 1]), src)
    >>> y.detach()
    tensor([2., 4.])
    >>> y[1].backward()
    >>> src.grad
    tensor([1., 0., 1.])
    """
def scatter_reduce(input: Tensor, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor where the values of `src` that have the same index are combined to one: by their sum, product, mean, largest or
    smallest. The old value takes part in it.
    
    Args:
        input: the tensor to copy
        dim: the dimension along which `index` names places; negative numbers count from the last one
        index: an int64 or int32 tensor with as many dimensions as `input`; it is at most as large as `src` in each dimension, and as `input`
            in all but `dim`. Its values must not be negative
        src: a tensor with the values and the dtype of `input`
        reduce: "sum", "prod", "mean", "amax" or "amin"
        include_self: whether the old value of `input` counts as one of the values to combine; places that no index names keep it anyway
    
    Returns a new tensor with the shape of `input`.
    
    With "amax" and "amin", equal extreme values share the gradient.
    
    >>> x = jgrad.tensor([10., 20., 30.])
    >>> index, src = jgrad.tensor([0, 0, 1]), jgrad.tensor([2., 6., 8.])
    >>> jgrad.scatter_reduce(x, 0, index, src, "mean")
    tensor([ 6., 14., 30.])
    >>> jgrad.scatter_reduce(x, 0, index, src, "mean", include_self=False)
    tensor([ 4.,  8., 30.])
    """
@overload
def searchsorted(sorted_sequence: Tensor, input: Tensor, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor:
    """Where values belong in a sorted sequence: the index at which each value can be inserted so that the sequence stays sorted.
    
    Args:
        sorted_sequence: a vector in ascending order, or a tensor whose last dimension holds such vectors
        input: the values to look for: a tensor, or a number for a vector. It has the same first dimensions as `sorted_sequence` if that is no vector.
        out_int32: if True, the indices have dtype int32, else int64
        right: if True, a value belongs behind the elements that equal it, else before them
        side: "left" or "right", another way to say `right`; None leaves it to `right`
        sorter: the indices that would sort `sorted_sequence`; with it, the sequence need not be sorted
    
    Returns a new tensor with the shape of `input`. Has no gradient.
    
    >>> edges = jgrad.tensor([1, 3, 5])
    >>> jgrad.searchsorted(edges, jgrad.tensor([3, 4]))
    tensor([1, 2])
    >>> jgrad.searchsorted(edges, jgrad.tensor([3, 4]), right=True)
    tensor([2, 2])
    """
@overload
def searchsorted(sorted_sequence: Tensor, self: Number, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor:
    """Where values belong in a sorted sequence: the index at which each value can be inserted so that the sequence stays sorted."""
def seed() -> _int:
    """Seed the default generators of all devices with a random seed, so that other random numbers are drawn each time a program runs.
    
    Returns the seed, an int.
    
    >>> chosen = jgrad.seed()
    >>> chosen == jgrad.initial_seed()
    True
    """
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """The part of the tensor at one index of a dimension. This dimension goes away. `x.select(1, 2)` is the same as `x[:, 2]`.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one
        index: the place in this dimension, an integer; negative numbers count from its end
    
    Returns a view: it shares the memory of `input`. It has one dimension less.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.select(x, 0, 1)
    tensor([4, 5, 6])
    >>> jgrad.select(x, 1, -1)
    tensor([3, 6])
    """
def select_copy(input: Tensor, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `select` shows, in new memory: the tensor at one index of a dimension.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension in which the index counts; negative numbers count from the last one
        index: the place in dimension `dim`; negative numbers count from the end
    
    Returns a new tensor with the shape of `input` without dimension `dim`.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> row = jgrad.select_copy(x, 0, 1)
    >>> row.zero_()
    tensor([0, 0])
    >>> x
    tensor([[1, 2],
            [3, 4]])
    """
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """A copy of the tensor with `src` at one index of a dimension: as `x.select(dim, index).copy_(src)`, but `x` stays as it is.
    
    Args:
        input: the tensor to copy
        src: a tensor with the shape of `input.select(dim, index)`; it is converted to the dtype of `input`
        dim: the dimension; negative numbers count from the last one
        index: the place in this dimension, an integer; negative numbers count from its end
    
    Returns a new tensor. The gradient of `input` is 0 where it was replaced.
    
    >>> jgrad.select_scatter(jgrad.zeros(2, 3), jgrad.tensor([5., 6.]), 1, 0)
    tensor([[5., 0., 0.],
            [6., 0., 0.]])
    """
def selu(input: Tensor) -> Tensor:
    """`elu` with fixed numbers: `scale * elu(input, alpha)` with `scale` = 1.0507 and `alpha` = 1.6733 (rounded).
    These two numbers keep the mean at 0 and the variance at 1 through many layers.
    
    Args:
        input: a tensor of any shape with a floating point dtype
    
    Returns a new tensor.
    
    >>> jgrad.selu(jgrad.tensor([-100., 0., 1.]))
    tensor([-1.7581,  0.0000,  1.0507])
    """
def selu_(input: Tensor) -> Tensor:
    """Replaces each element of the tensor by its `selu`.
    
    Args:
        input: the tensor that is changed; it has a floating point dtype and must not be a leaf that requires grad
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([-100., 0., 1.])
    >>> jgrad.selu_(x)
    tensor([-1.7581,  0.0000,  1.0507])
    >>> x
    tensor([-1.7581,  0.0000,  1.0507])
    """
def set_anomaly_enabled(mode: _bool, check_nan: _bool = True) -> None:
    """Switch anomaly mode on or off, for all threads. `detect_anomaly` explains the mode and switches it for a block.
    
    Args:
        mode: True to switch it on, False to switch it off
        check_nan: whether a nan that a backward step makes is an error while the mode is on
    
    >>> jgrad.set_anomaly_enabled(True)
    >>> jgrad.is_anomaly_enabled()
    True
    >>> jgrad.set_anomaly_enabled(False)
    """
def set_autocast_cache_enabled(enabled: _bool) -> None:
    """Set whether a weight that is used several times in an `autocast` block is converted only once.
    
    Args:
        enabled: True keeps converted weights until the outermost block ends, False converts them for each use
    
    >>> jgrad.set_autocast_cache_enabled(False)
    >>> jgrad.is_autocast_cache_enabled()
    False
    >>> jgrad.set_autocast_cache_enabled(True)
    """
def set_autocast_cpu_dtype(dtype: Any) -> None:
    """Set the short dtype that autocast uses on the CPU. PyTorch has deprecated it: use `set_autocast_dtype("cpu", dtype)`.
    
    Args:
        dtype: the short dtype, bfloat16 or float16
    
    Gives a DeprecationWarning.
    
    >>> jgrad.set_autocast_cpu_dtype(jgrad.float16)
    >>> jgrad.get_autocast_dtype("cpu")
    jgrad.float16
    >>> jgrad.set_autocast_cpu_dtype(jgrad.bfloat16)
    """
def set_autocast_cpu_enabled(enabled: _bool) -> None:
    """Turn autocast on or off for the CPU. PyTorch has deprecated it: use `set_autocast_enabled("cpu", enabled)`.
    
    Args:
        enabled: True turns it on, False turns it off
    
    Gives a DeprecationWarning.
    
    >>> jgrad.set_autocast_cpu_enabled(True)
    >>> jgrad.is_autocast_enabled("cpu")
    True
    >>> jgrad.set_autocast_cpu_enabled(False)
    """
def set_autocast_dtype(device_type: _str, dtype: Any) -> None:
    """Set the short dtype in which matrix products and convolutions run under autocast. An `autocast` block has a parameter for it.
    
    Args:
        device_type: the type of device, such as "cpu"
        dtype: the short dtype, bfloat16 or float16
    
    >>> jgrad.set_autocast_dtype("cpu", jgrad.float16)
    >>> jgrad.get_autocast_dtype("cpu")
    jgrad.float16
    >>> jgrad.set_autocast_dtype("cpu", jgrad.bfloat16)
    """
def set_autocast_enabled(device_type: Any, enabled: Any = None) -> None:
    """Turn autocast on or off for a type of device. An `autocast` block is better, because it also goes back to what was before.
    
    Args:
        device_type: the type of device, such as "cpu"; a bool alone, as in `set_autocast_enabled(True)`, is the value for "cuda"
        enabled: True turns it on, False turns it off
    
    >>> jgrad.set_autocast_enabled("cpu", True)
    >>> jgrad.is_autocast_enabled("cpu")
    True
    >>> jgrad.set_autocast_enabled("cpu", False)
    """
def set_autocast_gpu_dtype(dtype: Any) -> None:
    """Set the short dtype that autocast uses on a GPU. PyTorch has deprecated it: use `set_autocast_dtype("cuda", dtype)`.
    
    Args:
        dtype: the short dtype, bfloat16 or float16
    
    Gives a DeprecationWarning.
    
    >>> jgrad.set_autocast_gpu_dtype(jgrad.bfloat16)
    >>> jgrad.get_autocast_dtype("cuda")
    jgrad.bfloat16
    >>> jgrad.set_autocast_gpu_dtype(jgrad.float16)
    """
def set_default_device(device: Any) -> None:
    """Set the device of tensors for which no device is given.
    
    `with jgrad.device(...):` does it for a block.
    
    Args:
        device: a device or its name; None is the CPU
    
    >>> jgrad.set_default_device("meta")
    >>> jgrad.zeros(2).device
    device(type='meta')
    >>> jgrad.set_default_device(None)
    """
def set_default_dtype(d: _dtype) -> None:
    """Set the dtype of tensors made from Python floats.
    
    The dtype of tensors made from Python complex numbers follows it: complex128 for float64.
    
    Args:
        d: a dtype of real floating-point numbers; others raise TypeError
    
    >>> jgrad.set_default_dtype(jgrad.float64)
    >>> jgrad.tensor([1.5]).dtype
    jgrad.float64
    >>> jgrad.set_default_dtype(jgrad.float32)
    """
def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype by an older name for it. Deprecated: use `jgrad.set_default_dtype`.
    
    Args:
        t: a class as `jgrad.DoubleTensor`, or its name as `"torch.DoubleTensor"`; the dtype must be a floating one
    
    Raises TypeError for other dtypes. The first call gives a warning.
    
    >>> jgrad.set_default_tensor_type(jgrad.DoubleTensor)
    >>> jgrad.tensor(1.).dtype
    jgrad.float64
    >>> jgrad.set_default_tensor_type(jgrad.FloatTensor)
    """
def set_deterministic_debug_mode(debug_mode: _int | _str) -> None:
    """Call `use_deterministic_algorithms` with one word or number for both of its arguments.
    
    Args:
        debug_mode: "default" or 0 turns it off; "warn" or 1 lets refused operations give a warning; "error" or 2 lets them raise RuntimeError
    
    Raises RuntimeError for any other word or number.
    
    >>> jgrad.set_deterministic_debug_mode("warn")
    >>> jgrad.is_deterministic_algorithms_warn_only_enabled()
    True
    >>> jgrad.set_deterministic_debug_mode("default")
    """
def set_float32_matmul_precision(precision: _str) -> None:
    """Set how exactly PyTorch multiplies float32 matrices. jgrad keeps the setting, but always computes these products in float32.
    
    Args:
        precision: "highest", "high" or "medium"; any other word gives a warning and changes nothing
    
    >>> jgrad.set_float32_matmul_precision("high")
    >>> jgrad.get_float32_matmul_precision()
    'high'
    >>> jgrad.set_float32_matmul_precision("highest")
    """
def set_flush_denormal(mode: _bool) -> _bool:
    """Set whether numbers below the smallest normal one count as zero, in what this thread computes.
    
    Such numbers (of float32, those below 1.18e-38) take many processors a hundred times as long as others.
    
    Args:
        mode: True makes them zero, False leaves them what they are
    
    Returns a bool: whether the processor and the system can do this. In jgrad, these are Linux on x86-64 and on 64-bit ARM. Raises RuntimeError if
    `mode` is not a bool.
    
    >>> tiny = jgrad.tensor([1e-40])
    >>> jgrad.set_flush_denormal(True)
    True
    >>> (tiny * 1 > 0).item()
    False
    >>> jgrad.set_flush_denormal(False)
    True
    >>> (tiny * 1 > 0).item()
    True
    """
from jgrad.graph.grad_mode import set_grad_enabled as set_grad_enabled
def set_num_interop_threads(count: _int) -> None:
    """Set how many operations PyTorch may run at the same time. jgrad keeps the number, but it has no effect.
    
    In PyTorch this works only once, and only before the first operation. In jgrad it always works.
    
    Args:
        count: a positive integer
    
    Raises RuntimeError if `count` is not a positive integer.
    
    >>> before = jgrad.get_num_interop_threads()  # jgrad only
    >>> jgrad.set_num_interop_threads(3)
    >>> jgrad.get_num_interop_threads()
    3
    >>> jgrad.set_num_interop_threads(before)
    """
def set_num_threads(count: _int) -> None:
    """Set how many threads PyTorch uses for one operation. jgrad keeps the number, but it has no effect: NumPy's libraries choose it themselves.
    
    Args:
        count: a positive integer
    
    Raises RuntimeError if `count` is not a positive integer.
    
    >>> before = jgrad.get_num_threads()
    >>> jgrad.set_num_threads(1)
    >>> jgrad.get_num_threads()
    1
    >>> jgrad.set_num_threads(before)
    """
def set_printoptions(precision: _int | None = None, threshold: _float | None = None, edgeitems: _int | None = None, linewidth: _int | None = None, profile: _str | None = None, sci_mode: _bool | None = None) -> None:
    """Set how tensors are printed. It changes the text only, not the numbers.
    
    Args:
        precision: how many digits follow the point; 4 at first
        threshold: a tensor with more elements is shortened, so that only its edges are shown; 1000 at first
        edgeitems: how many elements are shown at the beginning and at the end of each dimension of a shortened tensor; 3 at first
        linewidth: the number of characters in a line; 80 at first
        profile: "default", "short" or "full" sets the four options above at once; one of them that is given too is used instead
        sci_mode: True or False turns scientific notation on or off; None (also if it is not given) lets the values decide
    
    An option of the first four that is None keeps its setting.
    
    >>> jgrad.set_printoptions(precision=2)
    >>> jgrad.tensor([1.2345])
    tensor([1.23])
    >>> jgrad.set_printoptions(threshold=5, edgeitems=2)
    >>> jgrad.arange(10)
    tensor([0, 1,  ..., 8, 9])
    >>> jgrad.set_printoptions(profile="default")
    """
def set_rng_state(new_state: Any) -> None:
    """Set the default generator of the CPU to a state that `jgrad.get_rng_state` returned: the same random numbers follow as then.
    
    Args:
        new_state: the state, a uint8 tensor
    
    Raises TypeError for other dtypes, and RuntimeError if the size is not that of a state.
    
    >>> state = jgrad.get_rng_state()
    >>> x = jgrad.rand(2)
    >>> jgrad.set_rng_state(state)
    >>> bool((jgrad.rand(2) == x).all())
    True
    """
def set_warn_always(b: _bool) -> None:
    """Set whether warnings that are usually given once in a program are given every time.
    
    Args:
        b: True for every time, False for once
    
    >>> jgrad.set_warn_always(True)
    >>> jgrad.is_warn_always_enabled()
    True
    >>> jgrad.set_warn_always(False)
    """
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element: -1, 0 or 1. For a complex number it is `input / abs(input)`, which has size 1, or 0 for 0.
    
    Args:
        input: a tensor of any dtype
    
    Returns a new tensor with the dtype of `input`. The gradient of real numbers is 0.
    
    >>> jgrad.sgn(jgrad.tensor([-3., 0., 2.]))
    tensor([-1.,  0.,  1.])
    >>> jgrad.sgn(jgrad.tensor([0j, 2j]))
    tensor([0.+0.j, 0.+1.j])
    """
short: _dtype
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logistic function `1 / (1 + exp(-input))`, element by element. Its values lie between 0 and 1. It is also `special.expit`.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `y * (1 - y)`, where `y` is the result.
    
    >>> x = jgrad.tensor([0., 1000.], requires_grad=True)
    >>> jgrad.sigmoid(x)
    tensor([0.5000, 1.0000], grad_fn=<SigmoidBackward0>)
    >>> jgrad.sigmoid(x).sum().backward()
    >>> x.grad
    tensor([0.2500, 0.0000])
    """
def sigmoid_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sigmoid() in place: the result is written to self."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element: -1, 0 or 1. `sgn` does the same for complex numbers too.
    
    Args:
        input: a tensor of real numbers or bools
    
    Returns a new tensor with the dtype of `input`. The sign of nan is 0. The gradient is 0.
    
    >>> jgrad.sign(jgrad.tensor([-3., 0., 2.]))
    tensor([-1.,  0.,  1.])
    """
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element has a minus sign. The sign of -0.0 is minus too.
    
    Args:
        input: a tensor of real numbers or bools; complex numbers raise NotImplementedError
    
    Returns a new tensor of bools.
    
    >>> jgrad.signbit(jgrad.tensor([-1., -0., 0., 1.]))
    tensor([ True,  True, False, False])
    """
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of each element, an angle in radians.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `cos(input)`.
    
    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.sin(x).backward()
    >>> x.grad
    tensor([1.])
    """
def sin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin() in place: the result is written to self."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The normalized sinc function `sin(pi * input) / (pi * input)`. It is 1 where the element is 0.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([0., 0.5, 1.5], requires_grad=True)
    >>> y = jgrad.sinc(x)
    >>> y
    tensor([ 1.0000,  0.6366, -0.2122], grad_fn=<SincBackward0>)
    >>> y[0].backward()
    >>> x.grad[0]
    tensor(0.)
    """
def sinc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sinc() in place: the result is written to self."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of each element: `(exp(input) - exp(-input)) / 2`.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `cosh(input)`.
    
    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.sinh(x).backward()
    >>> x.grad
    tensor([1.])
    """
def sinh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sinh() in place: the result is written to self."""
def slice_copy(input: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A copy of a range of a dimension, in new memory.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension of the range; negative numbers count from the last one
        start: the first index of the range; negative numbers count from the end; None means 0
        end: the index after the last one of the range; negative numbers count from the end; None means the end of the dimension
        step: the distance between the indices of the range; a positive number
    
    Returns a new tensor.
    
    >>> jgrad.slice_copy(jgrad.arange(6), 0, 1, 6, 2)
    tensor([1, 3, 5])
    """
def slice_scatter(input: Tensor, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A copy of the tensor with `src` in a range of a dimension: as `x[start:end:step] = src` for dimension 0, but `x` stays as it is.
    
    Args:
        input: the tensor to copy
        src: a tensor with the shape of this range of `input`; it is converted to the dtype of `input`
        dim: the dimension; negative numbers count from the last one
        start: the first index of the range; None means 0, and negative numbers count from the end
        end: the index at which the range stops, which is not included; None means the end of the dimension
        step: the distance of the indices, at least 1
    
    Returns a new tensor. The gradient of `input` is 0 where it was replaced.
    
    >>> jgrad.slice_scatter(jgrad.zeros(5), jgrad.tensor([1., 2.]), start=1, step=2)
    tensor([0., 1., 0., 2., 0.])
    """
def slogdet(input: Tensor, *, out: Any = None) -> return_types.slogdet:
    """The sign of the determinant and the logarithm of its absolute value. It is `linalg.slogdet`.
    
    Args:
        input: square matrices in a tensor of shape (..., n, n), with a floating point or complex dtype
    
    Returns a named tuple of new tensors with one number for each matrix: `sign` (1, -1 or 0; for complex matrices a number of absolute value 1,
    or 0) and `logabsdet`, which is real. A singular matrix gives 0 and -inf.
    
    >>> jgrad.slogdet(jgrad.tensor([[0., 1.], [1., 0.]]))
    jgrad.return_types.slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
def softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None, *, out: Tensor | None = None) -> Tensor:
    """The exponentials of the elements, divided by their sum along a dimension: positive numbers that add up to 1. No element overflows.
    
    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.
    
    >>> jgrad.softmax(jgrad.tensor([[0., 0.], [1000., 0.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    """
def solve(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.solve`, which takes A first.
    
    Args:
        input, A: what the removed function took; they are ignored
    
    >>> jgrad.linalg.solve(jgrad.tensor([[2., 0.], [0., 4.]]), jgrad.tensor([2., 2.]))  # in place of jgrad.solve
    tensor([1.0000, 0.5000])
    """
@overload
def sort(input: Tensor, *, stable: _bool | None, dim: _int = -1, descending: _bool = False, out: Any = None) -> return_types.sort:
    """The elements along a dimension in order, and the places where they were. A nan is larger than every number.
    
    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to sort; negative numbers count from the last one
        descending: if True, the largest element comes first
        stable: if True, equal elements keep their order; else PyTorch's algorithm decides it. Tensors with more than 8192 elements are always
            sorted stably
    
    Returns a named tuple of two new tensors with the shape of `input`: `values`, and `indices` (int64) along the dimension. The gradient of each
    value goes back to the place it came from.
    
    >>> x = jgrad.tensor([3., 1., 2.], requires_grad=True)
    >>> values, indices = jgrad.sort(x)
    >>> indices
    tensor([1, 2, 0])
    >>> (values * jgrad.tensor([10., 20., 30.])).sum().backward()
    >>> x.grad
    tensor([30., 10., 20.])
    """
@overload
def sort(input: Tensor, dim: _int = -1, descending: _bool = False, *, out: Any = None) -> return_types.sort:
    """The elements along a dimension in order, and the places where they were. A nan is larger than every number."""
sparse_coo: _layout
def sparse_coo_tensor(indices: Any, values: Any, size: Any = None, *, dtype: Any = None, device: Any = None, pin_memory: _bool = False, requires_grad: _bool = False, check_invariants: _bool | None = None, is_coalesced: _bool | None = None) -> Tensor:
    """A sparse tensor of the layout `sparse_coo`: it keeps some elements with their places, and all others are zero.
    
    Args:
        indices: the places, a matrix of integers (a tensor or nested lists): one row for each sparse dimension, one column for each place
        values: what is at the places, of shape (number of places, ...); the dimensions after the first one are dense: each place has a whole
            part. A place may occur several times; then its values count together.
        size: the shape; None takes the largest indices. If it is given alone, or as ints, the tensor is zero everywhere.
        dtype: the dtype of the values; None keeps theirs
        device: None or the CPU; sparse tensors are on the CPU only
        pin_memory: not possible for sparse tensors
        requires_grad: if True, the result is a leaf whose gradient is computed
        check_invariants: the indices are checked in any case
        is_coalesced: True promises that the places are sorted and that none occurs twice
    
    Returns a new tensor. If `values` requires grad, the result has a history. Raises RuntimeError if the parts do not fit together.
    
    >>> x = jgrad.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3., 4., 5.], (2, 3))
    >>> x.to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 5.]])
    """
sparse_csr: _layout
def split(tensor: Tensor, split_size_or_sections: Any, dim: _int = 0) -> tuple:
    """Pieces of the tensor along a dimension, all of one size or with the given sizes.
    
    Args:
        tensor: a tensor with at least one dimension
        split_size_or_sections: the size of the pieces, where the last may be smaller; or a list of sizes, whose sum is the size of the
            dimension
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of views, which share the memory of `tensor`. The gradient of `tensor` is put together from those of the pieces.
    
    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.
    
    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> a, b = jgrad.split(x, [1, 2])
    >>> b.detach()
    tensor([2., 3.])
    >>> (5 * b).sum().backward()
    >>> x.grad
    tensor([0., 5., 5.])
    """
def split_copy(input: Tensor, split_size: _int, dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """A copy of what the view `split` shows, in new memory. The parameters are those of `split`."""
def split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension, with the given sizes.
    
    Args:
        input: a tensor with at least one dimension
        split_sizes: the size of each piece; their sum must be the size of the dimension
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of views, which share the memory of `input`.
    
    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.
    
    >>> jgrad.split_with_sizes(jgrad.arange(5), [1, 0, 4])
    (tensor([0]), tensor([], dtype=jgrad.int64), tensor([1, 2, 3, 4]))
    """
def split_with_sizes_copy(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """A copy of what the view `split_with_sizes` shows, in new memory. The parameters are those of `split_with_sizes`."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The root of a negative real number is nan. The gradient is `1 / (2 * sqrt(input))`, which is inf at 0.
    
    >>> x = jgrad.tensor([0., 4.], requires_grad=True)
    >>> jgrad.sqrt(x)
    tensor([0., 2.], grad_fn=<SqrtBackward0>)
    >>> jgrad.sqrt(x).sum().backward()
    >>> x.grad
    tensor([   inf, 0.2500])
    """
def sqrt_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sqrt() in place: the result is written to self."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square `input * input`, element by element.
    
    Args:
        input: a tensor of any shape; bools give int64
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([3.], requires_grad=True)
    >>> jgrad.square(x).backward()
    >>> x.grad
    tensor([6.])
    """
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place.
    
    Args:
        input: the tensor that is changed; a leaf that requires grad raises RuntimeError, and so do bools
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([2, -3])
    >>> jgrad.square_(x)
    tensor([4, 9])
    """
@overload
def squeeze(input: Tensor) -> Tensor:
    """The tensor without its dimensions of size 1, or without some of them.
    
    Args:
        input: a tensor of any shape
        dim: the dimension to remove, or a tuple of dimensions; those whose size is not 1 stay. Without this argument all dimensions of
            size 1 are removed
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.zeros(1, 3, 1, 2)
    >>> jgrad.squeeze(x).shape
    jgrad.Size([3, 2])
    >>> jgrad.squeeze(x, 0).shape
    jgrad.Size([3, 1, 2])
    >>> jgrad.squeeze(x, (1, 2)).shape
    jgrad.Size([1, 3, 2])
    """
@overload
def squeeze(input: Tensor, dim: _int) -> Tensor:
    """The tensor without its dimensions of size 1, or without some of them."""
@overload
def squeeze(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """The tensor without its dimensions of size 1, or without some of them."""
@overload
def squeeze_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `squeeze` shows, in new memory. The parameters are those of `squeeze`."""
@overload
def squeeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `squeeze` shows, in new memory. The parameters are those of `squeeze`."""
@overload
def squeeze_copy(input: Tensor, dim: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `squeeze` shows, in new memory. The parameters are those of `squeeze`."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Joins tensors along a new dimension.
    
    Args:
        tensors: a list or tuple of tensors with equal shapes
        dim: the place of the new dimension in the result; negative numbers count from the end, -1 puts it last
    
    Returns a new tensor with one dimension more. Its dtype is the one to which those of the tensors are promoted.
    
    >>> a, b = jgrad.tensor([1, 2]), jgrad.tensor([3, 4])
    >>> jgrad.stack([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.stack([a, b], -1)
    tensor([[1, 3],
            [2, 4]])
    """
@overload
def std(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The standard deviation: the square root of the variance, of all elements or over some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        dim: a dimension, or a tuple of dimensions, to reduce; None or no `dim` at all means all dimensions
        unbiased: an older way to give `correction`: True means 1, False means 0
        correction: the sum of the squared distances from the mean is divided by the number of elements minus this; None means 1
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a new tensor. The standard deviation of one element is nan with a correction of 1. Where it is 0, its gradient is 0.
    
    >>> x = jgrad.tensor([[2., 4., 6.], [1., 1., 1.]])
    >>> jgrad.std(x, dim=1)
    tensor([2., 0.])
    >>> jgrad.std(jgrad.tensor([1., 3.]), correction=0)
    tensor(1.)
    """
@overload
def std(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor:
    """The standard deviation: the square root of the variance, of all elements or over some dimensions."""
@overload
def std(input: Tensor, unbiased: _bool = True, *, out: Tensor | None = None) -> Tensor:
    """The standard deviation: the square root of the variance, of all elements or over some dimensions."""
@overload
def std_mean(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        dim: a dimension, or a tuple of dimensions, to reduce; None or no `dim` at all means all dimensions
        unbiased: an older way to give `correction`: True means 1, False means 0
        correction: the sum of the squared distances from the mean is divided by the number of elements minus this; None means 1
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a tuple of two new tensors, the standard deviation and the mean. The standard deviation of one element is nan with a correction of 1. Where it is 0, its gradient is 0.
    
    >>> jgrad.std_mean(jgrad.tensor([2., 4., 6.]))
    (tensor(2.), tensor(4.))
    """
@overload
def std_mean(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions."""
@overload
def std_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions."""
def stft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
    """The short-time Fourier transform: the Fourier transforms of overlapping pieces of a signal. It shows how the frequencies change with time.
    
    A piece has n_fft points. It is multiplied by the window before it is transformed. The next piece starts hop_length points later.
    
    Args:
        input: the signal, real or complex, of shape (length,) or (batch, length)
        n_fft: how many points each piece has
        hop_length: the distance of the pieces; None is n_fft // 4
        win_length: how many points the window has, at most n_fft; None is n_fft
        window: a tensor of shape (win_length,); if it is shorter than n_fft, zeros are put around it; None is a window of ones, with a warning
        center: whether n_fft // 2 points are added at both ends first, so that piece t has point t * hop_length in its middle
        pad_mode: where these points come from (see `mode` of `nn.functional.pad`)
        normalized: whether the results are divided by the root of n_fft
        onesided: whether only the first half of each spectrum is given (see `fft.rfft`); None means True if signal and window are real
        return_complex: True gives complex numbers; False gives pairs of real numbers in another dimension at the end, with a warning; None is
            True if the signal or the window is complex, and an error otherwise
        align_to_window: whether the first window (not the first piece) starts at the first point; only with center=False and win_length < n_fft
    
    Returns a new tensor with the frequencies in one dimension and the pieces in the next one: (n_fft // 2 + 1, pieces) for a onesided result,
    else (n_fft, pieces). A batch stands in front of them.
    
    >>> signal = jgrad.tensor([1., 1., 1., 1., 0., 0., 0., 0.])
    >>> result = jgrad.stft(signal, 4, hop_length=2, window=jgrad.ones(4), center=False, return_complex=True)
    >>> result.shape  # three frequencies of three pieces
    jgrad.Size([3, 3])
    >>> result[0].real  # the sums of the pieces
    tensor([4., 2., 0.])
    """
strided: _layout
def sub(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name.
    
    Args:
        input: a tensor of any dtype but bool, or a number
        other: a tensor of any dtype but bool, or a number
        alpha: a number by which `other` is multiplied first; if both are integers, it must be an integer too
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Raises RuntimeError for tensors of bools.
    
    >>> jgrad.sub(jgrad.tensor([10, 20]), jgrad.tensor([1, 2]), alpha=3)
    tensor([ 7, 14])
    """
def subtract(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name.
    
    Args:
        input: a tensor of any dtype but bool, or a number
        other: a tensor of any dtype but bool, or a number
        alpha: a number by which `other` is multiplied first; if both are integers, it must be an integer too
    
    Returns a new tensor with the broadcast shape and the common dtype of both. Raises RuntimeError for tensors of bools.
    
    >>> jgrad.sub(jgrad.tensor([10, 20]), jgrad.tensor([1, 2]), alpha=3)
    tensor([ 7, 14])
    """
@overload
def sum(input: Tensor, *, dtype: _dtype | _type | None = None) -> Tensor:
    """The sum of all elements, or the sums over some dimensions.
    
    Args:
        input: a tensor of any shape and dtype; the sums of integers and bools have dtype int64
        dim: a dimension, or a tuple of dimensions, to sum over; None, `()` or no `dim` at all means all dimensions
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor. It has no dimensions if all elements are summed. The gradient of a sum goes unchanged to each of its elements.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> jgrad.sum(x, dim=0)
    tensor([4., 6.], grad_fn=<SumBackward1>)
    >>> jgrad.sum(x).backward()
    >>> x.grad
    tensor([[1., 1.],
            [1., 1.]])
    """
@overload
def sum(input: Tensor, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sum of all elements, or the sums over some dimensions."""
def svd(input: Tensor, some: _bool = True, compute_uv: _bool = True, *, out: Any = None) -> return_types.svd:
    """The singular value decomposition of matrices: `A = U @ diag(S) @ V.mH`. Use `linalg.svd` in new code, which gives `V.mH` itself.
    
    Args:
        input: a tensor of shape (..., m, n) with a floating point or complex dtype
        some: whether U and V have only k columns, where k is the smaller of m and n; if False, they are square
        compute_uv: whether U and V are computed; if False, they are square and filled with zeros
    
    Returns a named tuple of new tensors: `U`, `S` (real and in descending order) and `V`.
    
    >>> u, s, v = jgrad.svd(jgrad.tensor([[0., 2.], [3., 0.], [0., 0.]]))
    >>> u.shape, v.shape
    (jgrad.Size([3, 2]), jgrad.Size([2, 2]))
    >>> s.round(decimals=3)
    tensor([3., 2.])
    """
def svd_lowrank(A: Tensor, q: _int | None = 6, niter: _int | None = 2, M: Tensor | None = None) -> tuple:
    """The largest singular values of matrices and their vectors, approximately: A is close to `U @ diag(S) @ V.mH`.
    
    The matrix is multiplied by random vectors, and only the small product is factorized (Halko, Martinsson and Tropp 2009).
    The result is good if the other singular values are small. For exact results use `linalg.svd`.
    
    Args:
        A: a tensor of shape (..., m, n)
        q: how many singular values are computed, with their vectors; None is 6; the smaller of m and n is the limit
        niter: how many times the approximation is improved; None is 2
        M: a tensor that is subtracted from A first; it is broadcast to the shape of A; None subtracts nothing
    
    Returns a tuple of new tensors: U of shape (..., m, q), S of shape (..., q) and V of shape (..., n, q).
    
    >>> a = jgrad.outer(jgrad.tensor([3., 4., 0.]), jgrad.tensor([0., 1., 0., 0.]))  # its only singular value is 5
    >>> u, s, v = jgrad.svd_lowrank(a, q=1)
    >>> u.shape, s.shape, v.shape
    (jgrad.Size([3, 1]), jgrad.Size([1]), jgrad.Size([4, 1]))
    >>> jgrad.round(s, decimals=3)
    tensor([5.])
    """
def swapaxes(input: Tensor, axis0: _int, axis1: _int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`.
    
    Args:
        input: a tensor of any shape
        axis0, axis1: the two dimensions; negative numbers count from the last one
    
    Returns a view: it shares the memory of `input`.
    
    >>> jgrad.swapaxes(jgrad.zeros(2, 3, 5), 0, -1).shape
    jgrad.Size([5, 3, 2])
    """
def swapdims(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`.
    
    Args:
        input: a tensor of any shape
        dim0, dim1: the two dimensions; negative numbers count from the last one
    
    Returns a view: it shares the memory of `input`.
    
    >>> jgrad.swapdims(jgrad.zeros(2, 3, 5), 0, -1).shape
    jgrad.Size([5, 3, 2])
    """
def symeig(input: Tensor, eigenvectors: _bool = False, upper: _bool = True, *, out: Any = None) -> Any:
    """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eigh` or `linalg.eigvalsh`.
    
    Args:
        input, eigenvectors, upper: what the removed function took; they are ignored
    
    >>> jgrad.linalg.eigvalsh(jgrad.tensor([[3., 0.], [0., 2.]]))  # in place of jgrad.symeig
    tensor([2., 3.])
    """
def t(input: Tensor) -> Tensor:
    """The transposed matrix: rows become columns.
    
    Args:
        input: a matrix; tensors with no dimension or with one are also accepted, and their shape stays the same
    
    Returns a view: it shares the memory of `input`. Raises RuntimeError if `input` has more than two dimensions.
    
    >>> jgrad.t(jgrad.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `t` shows, in new memory. The parameters are those of `t`."""
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements at some places. A place is a position in the flattened tensor: row by row, the last index changes fastest.
    
    Args:
        input: the tensor to read from, of any shape
        index: an int64 tensor of places; negative ones count from the end
    
    Returns a new tensor with the shape of `index`.
    
    The gradients of repeated places add up.
    
    >>> x = jgrad.tensor([[10, 20], [30, 40]])
    >>> jgrad.take(x, jgrad.tensor([0, 2, -1]))
    tensor([10, 30, 40])
    """
def take_along_dim(input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Elements of the tensor, chosen along a dimension by an index tensor: as `gather`, but the two tensors are broadcast first.
    It fits the results of `argsort` and of `argmax` with `keepdim=True`.
    
    Args:
        input: the tensor to read from
        indices: an int64 tensor with as many dimensions as `input`; negative indices count from the end of the dimension
        dim: the dimension along which the indices choose; None means that both tensors are flattened, then no index may be negative
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([[3, 1, 2], [6, 4, 5]])
    >>> jgrad.take_along_dim(x, x.argsort(1), 1)
    tensor([[1, 2, 3],
            [4, 5, 6]])
    >>> jgrad.take_along_dim(x, jgrad.tensor([[0]]), 1)
    tensor([[3],
            [6]])
    """
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of each element, an angle in radians.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `1 + tan(input)**2`.
    
    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.tan(x).backward()
    >>> x.grad
    tensor([1.])
    """
def tan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """tan() in place: the result is written to self."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of each element: `sinh(input) / cosh(input)`. Its values lie between -1 and 1.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `1 - tanh(input)**2`: it is small where the result is close to -1 or 1.
    
    >>> x = jgrad.tensor([0., 100.], requires_grad=True)
    >>> jgrad.tanh(x)
    tensor([0., 1.], grad_fn=<TanhBackward0>)
    >>> jgrad.tanh(x).sum().backward()
    >>> x.grad
    tensor([1., 0.])
    """
def tanh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """tanh() in place: the result is written to self."""
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: _bool = False, pin_memory: _bool = False) -> Tensor:
    """A new tensor with a copy of the data.
    
    Args:
        data: a number, numbers in nested lists or tuples, a NumPy array, or another tensor (of which `clone().detach()` is the clearer copy)
        dtype: the dtype of the new tensor; None means int64 for integers, bool for bools, the default dtype for floats, and the complex
            dtype of the same precision for complex numbers; arrays and tensors keep their dtype
        device: the device of the new tensor; None means the device of `data` if it is a tensor, else the default device
        requires_grad: if True, the gradient with respect to the new tensor is computed; only for floating and complex dtypes
        pin_memory: if True, the copy lies in page-locked memory, from which copies to a GPU are faster; needs a GPU
    
    Returns a new leaf: it shares no memory with the data, and no gradient flows to the data. Raises ValueError if nested lists differ in
    length.
    
    >>> jgrad.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.tensor([1, 2.5])
    tensor([1.0000, 2.5000])
    >>> jgrad.tensor(3., requires_grad=True)
    tensor(3., requires_grad=True)
    """
@overload
def tensor_split(input: Tensor, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices.
    
    Args:
        input: a tensor with at least one dimension
        sections: the number of pieces; the first ones are longer by one where the size is not divisible. In its place, the second argument
            can also be a list of indices or a tensor
        dim: the dimension that is cut; negative numbers count from the last one
        indices: the indices at which the dimension is cut, as a list; an index beyond the end gives an empty piece
        tensor_indices_or_sections: an int64 tensor: without dimensions it is the number of pieces, with one dimension it holds the indices
    
    Returns a tuple of views, which share the memory of `input`.
    
    >>> jgrad.tensor_split(jgrad.arange(5), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> jgrad.tensor_split(jgrad.arange(5), [1, 3])
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
@overload
def tensor_split(input: Tensor, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices."""
@overload
def tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices."""
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sums of products over some dimensions of both tensors. The result has the other dimensions of `a` and then the other dimensions of
    `b`.
    
    Args:
        a: the first tensor
        b: the second tensor, with the dtype of `a`
        dims: the number of dimensions to sum over, the last ones of `a` and the first ones of `b`; or two lists of dimensions, one for each
            tensor. Their sizes must be equal in pairs, or one of the two is 1
    
    Returns a new tensor. With `dims=1` and two matrices this is the matrix product, with `dims=0` the outer product.
    
    >>> a = jgrad.tensor([[1, 2], [3, 4]])
    >>> b = jgrad.tensor([[1, 10], [100, 1000]])
    >>> jgrad.tensordot(a, b, 1)
    tensor([[ 201, 2010],
            [ 403, 4030]])
    >>> jgrad.tensordot(a, b, ([0, 1], [0, 1]))
    tensor(4321)
    >>> jgrad.tensordot(jgrad.ones(2, 3, 5), jgrad.ones(5, 3, 7), ([1, 2], [1, 0])).shape
    jgrad.Size([2, 7])
    """
def threshold(input: Tensor, threshold: Number, value: Number, *, out: Tensor | None = None) -> Tensor:
    """Each element where it is above `threshold`, `value` elsewhere.
    
    Args:
        input: a tensor of any shape
        threshold: elements above this number are kept
        value: the number that replaces the others
    
    Returns a new tensor. The gradient is 1 where the element was kept and 0 elsewhere.
    
    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> y = jgrad.threshold(x, 2, -1)
    >>> y.detach()
    tensor([-1., -1.,  3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """Writes `value` into the tensor at each element that is not above `threshold`.
    
    Args:
        input: the tensor that is changed; it must not be a leaf that requires grad
        threshold: elements above this number are kept
        value: the number that replaces the others
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([1., 2., 3.])
    >>> jgrad.threshold_(x, 2, -1)
    tensor([-1., -1.,  3.])
    >>> x
    tensor([-1., -1.,  3.])
    """
@overload
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape.
    
    Args:
        input: a tensor of any shape
        dims: how many times along each dimension, as a tuple. If it is shorter than the shape, it is for the last dimensions. If it is longer,
            new dimensions are put in front
    
    Returns a new tensor. The gradients of all copies add up.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.tile(x, (2,))
    tensor([[1, 2, 1, 2],
            [3, 4, 3, 4]])
    >>> jgrad.tile(x, (2, 1))
    tensor([[1, 2],
            [3, 4],
            [1, 2],
            [3, 4]])
    """
@overload
def tile(input: Tensor, *dims: _int) -> Tensor:
    """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape."""
def to_dlpack(tensor: Tensor) -> Any:
    """A DLPack capsule of the tensor's memory, which another library can take over without a copy.
    
    It works for a tensor that requires grad too, but what is written to the memory elsewhere goes unnoticed. Most libraries take
    the tensor itself, in their own `from_dlpack`.
    
    Args:
        tensor: the tensor to share
    
    Returns a capsule that shares the memory of `tensor`. It can be used once.
    
    >>> x = jgrad.zeros(3)
    >>> y = jgrad.from_dlpack(jgrad.to_dlpack(x))
    >>> y[0] = 5.
    >>> x
    tensor([5., 0., 0.])
    """
def topk(input: Tensor, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True, *, out: Any = None) -> return_types.topk:
    """The `k` largest (or smallest) elements along a dimension, and the places where they were. A nan is larger than every number.
    
    Args:
        input: a tensor of any shape, with a real dtype
        k: how many elements to take, at most the size of the dimension
        dim: the dimension along which to choose; negative numbers count from the last one
        largest: if False, the smallest elements are chosen
        sorted: if True, the chosen elements come in order, the first of them first; else PyTorch's algorithm decides the order
    
    Returns a named tuple of two new tensors: `values`, and `indices` (int64) along the dimension. Both have `k` elements along it. If too
    many elements are equal, PyTorch's algorithm decides which of them are chosen. In tensors with more than 8192 elements they are the first
    ones, and always in order. Raises RuntimeError if `k` is too large.
    
    >>> values, indices = jgrad.topk(jgrad.tensor([3., 1., 2.]), 2)
    >>> values
    tensor([3., 2.])
    >>> indices
    tensor([0, 2])
    """
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """The tensor with two of its dimensions exchanged.
    
    Args:
        input: a tensor of any shape
        dim0, dim1: the two dimensions; negative numbers count from the last one
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.tensor([[1, 2, 3],
    ...                   [4, 5, 6]])
    >>> y = jgrad.transpose(x, 0, 1)
    >>> y
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    >>> y[0, 0] = 9
    >>> x
    tensor([[9, 2, 3],
            [4, 5, 6]])
    """
def transpose_copy(input: Tensor, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `transpose` shows, in new memory. The parameters are those of `transpose`."""
@overload
def trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. The trapezoidal rule joins neighbouring points by straight lines.
    
    Args:
        y: the values of the function; bools are not allowed
        x: the points: a vector, or a tensor that broadcasts with `y`; without it, the points lie at distances of `dx`
        dx: the distance of neighbouring points, a number; not together with `x`
        dim: the dimension along which to integrate
    
    Returns a new tensor without the dimension `dim`.
    
    >>> y = jgrad.tensor([1., 5., 10.])
    >>> jgrad.trapezoid(y)  # (1 + 5) / 2 + (5 + 10) / 2
    tensor(10.5000)
    >>> jgrad.trapezoid(y, jgrad.tensor([0., 1., 3.]))
    tensor(18.)
    """
@overload
def trapezoid(y: Tensor, *, dx: Number = 1, dim: _int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. The trapezoidal rule joins neighbouring points by straight lines."""
@overload
def trapz(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. It is another name for `jgrad.trapezoid`.
    
    Args:
        y: the values of the function; bools are not allowed
        x: the points: a vector, or a tensor that broadcasts with `y`; without it, the points lie at distances of `dx`
        dx: the distance of neighbouring points, a number; not together with `x`
        dim: the dimension along which to integrate
    
    Returns a new tensor without the dimension `dim`.
    
    >>> jgrad.trapz(jgrad.tensor([1., 5., 10.]), dx=2)
    tensor(21.)
    """
@overload
def trapz(y: Tensor, *, dx: _float = 1.0, dim: _int = -1) -> Tensor:
    """The integral of a function that is known at some points, along a dimension. It is another name for `jgrad.trapezoid`."""
def triangular_solve(input: Tensor, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, out: Any = None) -> return_types.triangular_solve:
    """The solution X of the linear system A X = B for a triangular matrix A. Use `linalg.solve_triangular` in new code, which takes A first.
    
    Args:
        input: B, the right side, of shape (..., n, k)
        A: triangular matrices in a tensor of shape (..., n, n); only that triangle is read; the batch dimensions are broadcast
        upper: whether A is upper triangular (True) or lower triangular (False)
        transpose: whether the transposed A is used; `upper` describes A before it is transposed
        unitriangular: whether the diagonal of A is taken to be ones; it is not read then
    
    Returns a named tuple of new tensors: `solution`, and `cloned_coefficient`, a copy of A.
    The first call in a program warns that PyTorch will remove this function.
    
    >>> b, a = jgrad.tensor([[4.], [8.]]), jgrad.tensor([[2., 1.], [0., 4.]])
    >>> jgrad.triangular_solve(b, a).solution
    tensor([[1.],
            [2.]])
    """
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangles of matrices: the elements above a diagonal are replaced by zeros.
    
    Args:
        input: a tensor with at least two dimensions; the last two are those of the matrices
        diagonal: the last diagonal that is kept: 0 is the main one, positive numbers are above it, negative ones below it
    
    Returns a new tensor. The gradient is 0 for elements that were replaced.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.tril(x)
    tensor([[1, 0, 0],
            [4, 5, 0],
            [7, 8, 9]])
    >>> jgrad.tril(x, -1)
    tensor([[0, 0, 0],
            [4, 0, 0],
            [7, 8, 0]])
    """
def tril_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The indices of the lower triangle of a matrix: the row of each element in the first row of the result, its column in the second.
    
    Args:
        row: the number of rows of the matrix
        col: the number of columns of the matrix
        offset: the last diagonal that belongs to the triangle: 0 is the main one, positive numbers are above it, negative ones below it
        dtype: int32 or int64; None means int64
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: must be False, because integers have no gradient
    
    Returns a new tensor with two rows. It can be used as an index.
    
    >>> i = jgrad.tril_indices(3, 3)
    >>> i
    tensor([[0, 1, 1, 2, 2, 2],
            [0, 0, 1, 0, 1, 2]])
    >>> x = jgrad.arange(9).view(3, 3)
    >>> x[i[0], i[1]]
    tensor([0, 3, 4, 6, 7, 8])
    """
def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2.0, eps: _float = 1e-06, swap: _bool = False, reduction: _int = 0) -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin:
    `distance(anchor, positive) - distance(anchor, negative) + margin`, at least 0.
    
    Args:
        anchor: vectors of shape (N, D), or a single one of shape (D,)
        positive: vectors that should be near the anchors
        negative: vectors that should be far from the anchors
        margin: how much larger the distance of the negative should be
        p: the norm that gives the distance; 2 is the usual length
        eps: a small number that is added to each difference, so that the gradient of the distance 0 exists
        swap: whether the distance of the positive to the negative is used where it is smaller than that of the anchor to the negative
        reduction: 1 gives the mean of the triplets, 2 their sum, 0 all of them, which is the default here (and not in `jgrad.nn.functional`)
    
    Returns a tensor without dimensions; with reduction 0 one with one element for each triplet.
    
    >>> anchor, near, far = jgrad.tensor([[0., 0.]]), jgrad.tensor([[0., 2.]]), jgrad.tensor([[3., 4.]])
    >>> jgrad.triplet_margin_loss(anchor, near, far, margin=1.0, reduction=1)
    tensor(0.)
    >>> jgrad.triplet_margin_loss(anchor, near, far, margin=4.0, reduction=1)
    tensor(1.0000)
    """
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangles of matrices: the elements below a diagonal are replaced by zeros.
    
    Args:
        input: a tensor with at least two dimensions; the last two are those of the matrices
        diagonal: the first diagonal that is kept: 0 is the main one, positive numbers are above it, negative ones below it
    
    Returns a new tensor. The gradient is 0 for elements that were replaced.
    
    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.triu(x)
    tensor([[1, 2, 3],
            [0, 5, 6],
            [0, 0, 9]])
    >>> jgrad.triu(x, 1)
    tensor([[0, 2, 3],
            [0, 0, 6],
            [0, 0, 0]])
    """
def triu_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """The indices of the upper triangle of a matrix: the row of each element in the first row of the result, its column in the second.
    
    Args:
        row: the number of rows of the matrix
        col: the number of columns of the matrix
        offset: the first diagonal that belongs to the triangle: 0 is the main one, positive numbers are above it, negative ones below it
        dtype: int32 or int64; None means int64
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: must be False, because integers have no gradient
    
    Returns a new tensor with two rows. It can be used as an index.
    
    >>> i = jgrad.triu_indices(3, 3, offset=1)
    >>> i
    tensor([[0, 0, 1],
            [1, 2, 2]])
    >>> x = jgrad.arange(9).view(3, 3)
    >>> x[i[0], i[1]]
    tensor([1, 2, 5])
    """
def true_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, element by element, without rounding. It is the same as `div` without `rounding_mode`.
    
    Args:
        input: a tensor of any dtype, or a number
        other: a tensor that broadcasts with `input`, or a number
    
    Returns a new tensor with the broadcast shape. Integers give the default float dtype.
    
    >>> jgrad.true_divide(jgrad.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded towards zero: its integer part. `fix` is another name.
    
    Args:
        input: a tensor of real numbers; integers stay as they are
    
    Returns a new tensor with the dtype of `input`. The gradient is 0.
    
    >>> jgrad.trunc(jgrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
def trunc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """trunc() in place: the result is written to self."""
def typename(obj: Any) -> _str:
    """The name of the type of an object, as errors show it. That of a tensor says its dtype.
    
    Args:
        obj: any object, or a class
    
    Returns a string: the name with its module; without it for classes of Python itself.
    
    >>> jgrad.typename(jgrad.ones(2)), jgrad.typename(3)
    ('torch.FloatTensor', 'int')
    """
uint8: _dtype
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """All parts of the tensor along a dimension, one for each index. This dimension goes away. It is the inverse of `stack`.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one
    
    Returns a tuple of views, which share the memory of `input`.
    
    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4], [5, 6]])
    >>> jgrad.unbind(x)
    (tensor([1, 2]), tensor([3, 4]), tensor([5, 6]))
    >>> jgrad.unbind(x, 1)
    (tensor([1, 3, 5]), tensor([2, 4, 6]))
    """
def unbind_copy(input: Tensor, dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """A copy of what the view `unbind` shows, in new memory. The parameters are those of `unbind`."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """The tensor with one dimension cut into several. It is the inverse of `flatten`.
    
    Args:
        input: a tensor with at least one dimension
        dim: the dimension to cut; negative numbers count from the last one
        sizes: the sizes of the new dimensions; their product must be the size of the old one. One of them may be -1, then it is computed
    
    Returns a view: it shares the memory of `input`.
    
    >>> jgrad.unflatten(jgrad.arange(6), 0, (2, 3))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    >>> jgrad.unflatten(jgrad.zeros(4, 6), 1, (3, -1)).shape
    jgrad.Size([4, 3, 2])
    """
def unfold_copy(input: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `unfold` shows, in new memory. The parameters are those of `unfold`."""
def unique(input: Tensor, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
    """The distinct elements in ascending order, or the distinct slices along a dimension.
    
    Args:
        input: a tensor of any shape
        sorted: has no effect: the result is always sorted
        return_inverse: if True, also give for each element its index in the result
        return_counts: if True, also give how often each distinct element occurs
        dim: the dimension whose slices are compared; None compares the elements of the flattened tensor
    
    Returns a new tensor. With `return_inverse` or `return_counts` it returns a tuple: the values, then the inverse, then the counts.
    No nan equals another one: each counts as distinct.
    Backward through it raises NotImplementedError.
    
    >>> values, inverse, counts = jgrad.unique(jgrad.tensor([3, 1, 3, 2]), return_inverse=True, return_counts=True)
    >>> values
    tensor([1, 2, 3])
    >>> inverse
    tensor([2, 0, 2, 1])
    >>> counts
    tensor([1, 1, 2])
    """
def unique_consecutive(input: Tensor, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
    """The first element of each run of equal elements, or the first slice of each run along a dimension.
    
    Args:
        input: a tensor of any shape
        return_inverse: if True, also give for each element the number of its run
        return_counts: if True, also give the length of each run
        dim: the dimension whose slices are compared; None compares the elements of the flattened tensor
    
    Returns a new tensor. With `return_inverse` or `return_counts` it returns a tuple: the values, then the inverse, then the counts.
    Backward through it raises NotImplementedError.
    
    >>> values, counts = jgrad.unique_consecutive(jgrad.tensor([1, 1, 2, 1]), return_counts=True)
    >>> values
    tensor([1, 2, 1])
    >>> counts
    tensor([2, 1, 1])
    """
def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics and everything that came with them away."""
def unravel_index(indices: Tensor, shape: Any) -> tuple:
    """The indices in each dimension of places in a tensor. A place is a position in the flattened tensor: row by row, the last index changes
    fastest.
    
    Args:
        indices: a tensor of places, of any shape, with an integer dtype
        shape: the shape of the tensor in which they are places, as a tuple or as one integer
    
    Returns a tuple of int64 tensors, one for each dimension, with the shape of `indices`. Has no gradient.
    
    >>> jgrad.unravel_index(jgrad.tensor([0, 4, 5]), (2, 3))
    (tensor([0, 1, 1]), tensor([0, 1, 2]))
    >>> x = jgrad.tensor([[3, 1, 2], [0, 9, 4]])
    >>> jgrad.unravel_index(x.argmax(), x.shape)
    (tensor(1), tensor(1))
    """
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of
    `input`, but autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.
    
    Args:
        input: a tensor with at least one dimension
        chunks: into how many pieces to cut; there can be fewer, because the size of the pieces is rounded up
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of tensors. Use `chunk` unless you need pieces that can be changed in place.
    
    >>> jgrad.unsafe_chunk(jgrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of `input`, but
    autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.
    
    Args:
        input: a tensor with at least one dimension
        split_size: the size of the pieces
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of tensors. Use `split` unless you need pieces that can be changed in place.
    
    >>> x = jgrad.ones(4)
    >>> a, b = jgrad.unsafe_split(x, 2)
    >>> a.zero_()
    tensor([0., 0.])
    >>> x, x._version  # the write is not counted
    (tensor([0., 0., 1., 1.]), 0)
    """
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the tensor along a dimension, with the given sizes. They share the memory of `input`, but autograd does not treat them as views:
    a write to one piece is not noticed by `input` and the other pieces.
    
    Args:
        input: a tensor with at least one dimension
        split_sizes: the size of each piece; their sum must be the size of the dimension
        dim: the dimension that is cut; negative numbers count from the last one
    
    Returns a tuple of tensors. Use `split` unless you need pieces that can be changed in place.
    
    >>> jgrad.unsafe_split_with_sizes(jgrad.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """The tensor with one more dimension, which has size 1.
    
    Args:
        input: a tensor of any shape
        dim: the place of the new dimension in the result; negative numbers count from the end, -1 puts it last
    
    Returns a view: it shares the memory of `input`.
    
    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.unsqueeze(x, 0)
    tensor([[1, 2, 3]])
    >>> jgrad.unsqueeze(x, -1)
    tensor([[1],
            [2],
            [3]])
    """
def unsqueeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `unsqueeze` shows, in new memory. The parameters are those of `unsqueeze`."""
def use_deterministic_algorithms(mode: _bool, *, warn_only: _bool = False) -> None:
    """Set whether a program must compute the same results in each run. Then operations that cannot promise it raise RuntimeError.
    
    In jgrad all operations compute the same in each run. Those that PyTorch refuses on a CPU are refused here too: `put_` with
    `accumulate=False`, and `max_unpool1d` to `max_unpool3d`. Memory that is not set is filled: `empty` and similar functions give nan, the largest
    integer, or True, unless `jgrad.utils.deterministic.fill_uninitialized_memory` is False.
    
    Args:
        mode: True turns this on, False turns it off
        warn_only: whether the operations give a warning instead of an error
    
    >>> jgrad.use_deterministic_algorithms(True)
    >>> jgrad.empty(2)
    tensor([nan, nan])
    >>> jgrad.use_deterministic_algorithms(False)
    """
def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor:
    """The powers of the elements of a vector, as the columns of a matrix (the Vandermonde matrix).
    
    Args:
        x: a vector; the powers of integers and bools have dtype int64
        N: the number of columns; None means the length of `x`
        increasing: if True, the columns begin with the power 0; else they end with it
    
    Returns a new matrix with a row for each element.
    
    >>> jgrad.vander(jgrad.tensor([2, 3, 10]))
    tensor([[  4,   2,   1],
            [  9,   3,   1],
            [100,  10,   1]])
    >>> jgrad.vander(jgrad.tensor([2, 3]), N=4, increasing=True)
    tensor([[ 1,  2,  4,  8],
            [ 1,  3,  9, 27]])
    """
@overload
def var(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        dim: a dimension, or a tuple of dimensions, to reduce; None or no `dim` at all means all dimensions
        unbiased: an older way to give `correction`: True means 1, False means 0
        correction: the sum of the squared distances from the mean is divided by the number of elements minus this; None means 1
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a new tensor. The variance of one element is nan with a correction of 1.
    
    >>> x = jgrad.tensor([2., 4., 6.])
    >>> jgrad.var(x)  # (4 + 0 + 4) / 2
    tensor(4.)
    >>> jgrad.var(x, correction=0)  # (4 + 0 + 4) / 3
    tensor(2.6667)
    """
@overload
def var(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor:
    """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions."""
@overload
def var(input: Tensor, unbiased: _bool = True, *, out: Tensor | None = None) -> Tensor:
    """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions."""
@overload
def var_mean(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions.
    
    Args:
        input: a tensor of any shape, with a floating or complex dtype
        dim: a dimension, or a tuple of dimensions, to reduce; None or no `dim` at all means all dimensions
        unbiased: an older way to give `correction`: True means 1, False means 0
        correction: the sum of the squared distances from the mean is divided by the number of elements minus this; None means 1
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
    
    Returns a tuple of two new tensors, the variance and the mean. The variance of one element is nan with a correction of 1.
    
    >>> jgrad.var_mean(jgrad.tensor([2., 4., 6.]))
    (tensor(4.), tensor(4.))
    """
@overload
def var_mean(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions."""
@overload
def var_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions."""
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors, where the elements of the first one are conjugated. For real numbers it is `dot`.
    
    Args:
        input: a vector, whose complex elements are conjugated
        other: a vector with the same number of elements and the same dtype
    
    Returns a new tensor with no dimensions.
    
    >>> a = jgrad.tensor([1 + 2j, 3 + 0j])
    >>> jgrad.vdot(a, a)  # the sum of the squares of the absolute values
    tensor(14.+0.j)
    >>> jgrad.dot(a, a)
    tensor(6.+4.j)
    """
def view_as_complex(input: Tensor) -> Tensor:
    """Each pair of real numbers as a complex number. The first of a pair is the real part, the second the imaginary part.
    
    Args:
        input: a floating-point tensor whose last dimension has size 2 and stride 1; other tensors raise RuntimeError
    
    Returns a view, which shares the memory of `input`. Its shape is that of `input` without the last dimension.
    
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.view_as_complex(x)
    tensor([1.+2.j, 3.+4.j])
    """
def view_as_complex_copy(input: Tensor) -> Tensor:
    """Complex numbers from pairs of real numbers, in new memory.
    
    Args:
        input: a floating-point tensor whose last dimension has size 2: the real and the imaginary part
    
    Returns a new complex tensor with the shape of `input` without its last dimension.
    
    Has no gradient, as in PyTorch: raises RuntimeError if `input` requires grad and grad mode is on.
    
    >>> jgrad.view_as_complex_copy(jgrad.tensor([[1., 2.], [3., -4.]]))
    tensor([1.+2.j, 3.-4.j])
    """
def view_as_real(input: Tensor) -> Tensor:
    """Each complex number as a pair of real numbers, its real and imaginary part.
    
    Args:
        input: a complex tensor; a conjugate view raises RuntimeError, so apply `resolve_conj` first
    
    Returns a view, which shares the memory of `input`. It has one more dimension of size 2, at the end.
    
    >>> z = jgrad.tensor([1 + 2j, 3 + 4j])
    >>> jgrad.view_as_real(z)
    tensor([[1., 2.],
            [3., 4.]])
    """
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `view_as_real` shows, in new memory. The parameters are those of `view_as_real`."""
@overload
def view_copy(input: Tensor, dtype: _dtype | _type, *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `view` shows, in new memory. The parameters are those of `view`."""
@overload
def view_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what the view `view` shows, in new memory. The parameters are those of `view`."""
def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: _str = 'error', *, chunk_size: _int | None = None) -> Callable[..., Any]:
    """The function that maps `func` over one dimension of its arguments, the batch, which `func` itself does not see.
    
    Write `func` for one example. The result runs it on the whole batch at once, without a loop.
    
    Args:
        func: a function of tensors, or of nested tuples, lists and dicts of tensors, that returns tensors
        in_dims: the dimension of each argument along which the batch is, None for an argument that is the same for all examples; an int
            holds for all arguments, a tuple (possibly nested like the arguments) has an entry for each
        out_dims: the dimension of each result that the batch becomes, None for a result that is the same for all examples; an int holds for
            all results, a tuple (possibly nested like the results) has an entry for each
        randomness: what random operations in `func` do: "error" raises RuntimeError, "same" draws the same numbers for all examples,
            "different" draws others for each
        chunk_size: how many examples to compute at a time; a small number saves memory; None computes all at once
    
    Returns a function with the arguments of `func`. Keyword arguments are passed on as they are: they are not mapped.
    
    >>> def dot(a, b):  # of two vectors
    ...     return (a * b).sum()
    >>> x = jgrad.tensor([[1., 2.], [3., 4.]])
    >>> jgrad.vmap(dot)(x, x)
    tensor([ 5., 25.])
    >>> jgrad.vmap(dot, in_dims=(0, None))(x, jgrad.tensor([1., 10.]))
    tensor([21., 43.])
    >>> jgrad.vmap(jgrad.func.grad(dot))(x, x)  # one gradient for each example
    tensor([[1., 2.],
            [3., 4.]])
    """
@overload
def vsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces of the tensor from top to bottom: along dimension 0.
    
    Args:
        input: a tensor with at least 2 dimensions
        sections: the number of pieces, all of the same size; the size of the dimension must be divisible by it. In its place, the second
            argument can also be a list of indices
        indices: the indices at which the dimension is cut, as a list; then the pieces can have different sizes
    
    Returns a tuple of views, which share the memory of `input`.
    
    >>> [piece.tolist() for piece in jgrad.vsplit(jgrad.tensor([[1, 2], [3, 4], [5, 6]]), [1])]
    [[[1, 2]], [[3, 4], [5, 6]]]
    """
@overload
def vsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces of the tensor from top to bottom: along dimension 0."""
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Joins tensors from top to bottom: along dimension 0.
    
    Args:
        tensors: a list or tuple of tensors; a vector counts as a row, and a tensor without dimensions as a matrix with one element
    
    Returns a new tensor with at least two dimensions.
    
    >>> jgrad.vstack([jgrad.tensor([1, 2]), jgrad.tensor([[3, 4], [5, 6]])])
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
@overload
def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """The elements of `input` where the condition is true and those of `other` where it is false. With a condition alone, it gives the indices
    of the elements that are true.
    
    Args:
        condition: a bool tensor (uint8 works too); alone it can have any dtype, and every number but zero counts as true
        input: a tensor or number for where the condition is true
        other: a tensor or number for where it is false
    
    Returns a new tensor: the three are broadcast together, and its dtype is the one to which those of `input` and `other` are promoted.
    With a condition alone, returns a tuple of int64 vectors, one for each dimension.
    
    Each element of the result gives its gradient to the tensor that it comes from; the other one gets 0.
    
    >>> x = jgrad.tensor([-2., 3.], requires_grad=True)
    >>> y = jgrad.where(x > 0, x, 10 * x)
    >>> y.detach()
    tensor([-20.,   3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([10.,  1.])
    >>> jgrad.where(jgrad.tensor([0, 5, 6]))
    (tensor([1, 2]),)
    """
@overload
def where(condition: Tensor, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """The elements of `input` where the condition is true and those of `other` where it is false. With a condition alone, it gives the indices
    of the elements that are true.
    """
@overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    
    Args:
        input: a tensor of real numbers, or a number if `other` is a tensor
        other: a tensor of real numbers that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape. Integers give the default float dtype. The gradient of `input` is 0 where `input` is 0 and
    `other` is not positive.
    
    >>> p = jgrad.tensor([0., 1.])
    >>> p * jgrad.log(p)
    tensor([nan, 0.])
    >>> jgrad.xlogy(p, p)
    tensor([0., 0.])
    """
@overload
def xlogy(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    """
@overload
def xlogy(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    """
@overload
def xlogy_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """xlogy() in place: the result is written to self."""
@overload
def xlogy_(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """xlogy() in place: the result is written to self."""
@overload
def xlogy_(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """xlogy() in place: the result is written to self."""
def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element of a tensor, in place. The gradient of the old elements is 0.
    
    Args:
        input: the tensor to write to; a leaf that requires grad raises RuntimeError, unless recording is off
    
    Returns `input` itself.
    
    >>> x = jgrad.tensor([1., 2.])
    >>> x.zero_()
    tensor([0., 0.])
    """
@overload
def zeros(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of some size, filled with 0.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor.
    
    >>> jgrad.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
@overload
def zeros(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of some size, filled with 0.
    
    Args:
        size: the shape, as integers or as one tuple or list of integers
        dtype: the dtype; None means the default dtype, or that of `out`
        layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means the default device
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    
    Returns a new tensor.
    
    >>> jgrad.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
def zeros_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor with the size of another one, filled with 0.
    
    Args:
        input: the tensor that gives the size, and by default the dtype, the device and the order of the dimensions in memory
        dtype: the dtype; None means that of `input`
        layout: None or `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
        device: the device of the new tensor; None means that of `input`
        requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        memory_format: the order of the dimensions in memory; `preserve_format` keeps that of `input`, if it has no gaps
    
    Returns a new tensor. No gradient flows to `input`.
    
    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.zeros_like(x)
    tensor([[0, 0],
            [0, 0]])
    """
