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

from jgrad import accelerator as accelerator
from jgrad import amp as amp
from jgrad import autograd as autograd
from jgrad import backends as backends
from jgrad import cuda as cuda
from jgrad import distributions as distributions
from jgrad import fft as fft
from jgrad import func as func
from jgrad import linalg as linalg
from jgrad import nn as nn
from jgrad import optim as optim
from jgrad import random as random
from jgrad import serialization as serialization
from jgrad import signal as signal
from jgrad import special as special
from jgrad import testing as testing
from jgrad import utils as utils
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

class BFloat16Tensor(Tensor): ...
class BoolTensor(Tensor): ...
class ByteTensor(Tensor): ...
class CharTensor(Tensor): ...
class DoubleTensor(Tensor): ...
class Float8_e4m3fnTensor(Tensor): ...
class Float8_e4m3fnuzTensor(Tensor): ...
class Float8_e5m2Tensor(Tensor): ...
class Float8_e5m2fnuzTensor(Tensor): ...
class Float8_e8m0fnuTensor(Tensor): ...
class FloatTensor(Tensor): ...
from jgrad.random import Generator as Generator
class HalfTensor(Tensor): ...
class IntTensor(Tensor): ...
class LongTensor(Tensor): ...
class ShortTensor(Tensor): ...
from jgrad.tensor import Size as Size
from jgrad.storage import TypedStorage as TypedStorage
from jgrad.storage import UntypedStorage as UntypedStorage
__version__: _str
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value; its gradient at 0 is 0."""
def abs_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """abs() in place: the result is written to self."""
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value; its gradient at 0 is 0."""
def absolute_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """abs() in place: the result is written to self."""
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is self."""
def acos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """acos() in place: the result is written to self."""
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of cosh."""
def acosh_(input: Tensor) -> Tensor:
    """`acosh` in place, without a derivative."""
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """The means of windows of a row, as many as asked for."""
def adaptive_max_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> tuple[Tensor, Tensor]:
    """The largest elements of windows of a row, as many as asked for, and where they are."""
def add(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """self + alpha * other."""
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """beta * self + alpha times the sum of the products of two batches of matrices."""
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """self + value * tensor1 / tensor2."""
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """self + value * tensor1 * tensor2."""
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """beta * self + alpha * (mat1 @ mat2); self is broadcast, and with beta=0 ignored."""
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """beta * self + alpha * (mat @ vec)."""
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """addmv() in place: the result is written to self."""
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """beta * self + alpha times the outer product of two vectors."""
def adjoint(input: Tensor) -> Tensor:
    """The last two dimensions exchanged, and complex numbers conjugated."""
def affine_grid_generator(theta: Tensor, size: Sequence[_int], align_corners: _bool) -> Tensor:
    """The points of a grid, moved by affine maps: to where grid_sample would look."""
def alias(input: Tensor) -> Tensor:
    """Another tensor on the same memory."""
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What the view `alias` shows, in memory of its own."""
@overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are non-zero, or all along some dimensions."""
@overload
def all(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are non-zero, or all along some dimensions."""
def allclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
    """Whether all elements are close to each other."""
def alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Dropout that keeps mean and variance, to go with selu."""
def alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Dropout that keeps mean and variance, to go with selu."""
def amax(input: Tensor, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The largest elements over some dimensions (or all); equal ones share the gradient."""
def amin(input: Tensor, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The smallest elements over some dimensions (or all); equal ones share the gradient."""
def aminmax(input: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: Any = None) -> return_types.aminmax:
    """The smallest and the largest elements, of all or along a dimension."""
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of a complex number; of a real one 0, or pi if it is negative."""
@overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether some element is non-zero, or some along some dimensions."""
@overload
def any(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether some element is non-zero, or some along some dimensions."""
def arange(start: Any = 0, end: Any = ..., step: Any = 1, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Numbers from start (0) up to but without end, in steps of step (1): int64 if all are integers, else the default dtype."""
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is self."""
def arccos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """acos() in place: the result is written to self."""
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of cosh."""
def arccosh_(input: Tensor) -> Tensor:
    """`acosh` in place, without a derivative."""
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is self."""
def arcsin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """asin() in place: the result is written to self."""
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of sinh."""
def arcsinh_(input: Tensor) -> Tensor:
    """`asinh` in place, without a derivative."""
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is self."""
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, self), in its quadrant."""
def arctan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """atan() in place: the result is written to self."""
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of tanh."""
def arctanh_(input: Tensor) -> Tensor:
    """`atanh` in place, without a derivative."""
def are_deterministic_algorithms_enabled() -> _bool:
    """Whether `use_deterministic_algorithms(True)` was called last."""
def argmax(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The index of the largest element, the first of several: along a dimension, or of all in one row."""
def argmin(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The index of the smallest element, the first of several: along a dimension, or of all in one row."""
@overload
def argsort(input: Tensor, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that put the elements along a dimension in order; equal elements keep theirs."""
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that put the elements along a dimension in order; equal elements keep theirs."""
def argwhere(input: Tensor) -> Tensor:
    """The indices of the elements that are not zero, one row each."""
def as_strided(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """A view of the storage with any geometry."""
def as_strided_(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """as_strided() in place: the result is written to self."""
def as_strided_copy(input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """What the view `as_strided` shows, in memory of its own."""
def as_strided_scatter(input: Tensor, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
    """A copy of self (and of its storage) with src where a geometry says."""
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The tensor itself, or a tensor on the memory of an ndarray, where dtype and device allow it; else a copy."""
def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: _bool | None = None, requires_grad: _bool | None = None) -> Tensor:
    """A tensor of the data, sharing memory where it can unless `copy`. The very tensor may come back, with its `requires_grad` changed."""
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is self."""
def asin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """asin() in place: the result is written to self."""
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of sinh."""
def asinh_(input: Tensor) -> Tensor:
    """`asinh` in place, without a derivative."""
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is self."""
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, self), in its quadrant."""
def atan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """atan() in place: the result is written to self."""
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of tanh."""
def atanh_(input: Tensor) -> Tensor:
    """`atanh` in place, without a derivative."""
def atleast_1d(*tensors: Any) -> Any:
    """Tensors with one dimension at least; views, or the tensors themselves."""
def atleast_2d(*tensors: Any) -> Any:
    """Tensors with two dimensions at least; a vector becomes a row. Views, or the tensors themselves."""
def atleast_3d(*tensors: Any) -> Any:
    """Tensors with three dimensions at least; the elements of a vector are along the middle one. Views, or the tensors themselves."""
from jgrad.amp.autocast_mode import autocast as autocast
def autocast_decrement_nesting() -> _int:
    """One block less is open; returns how many are."""
def autocast_increment_nesting() -> _int:
    """One more block is open; returns how many are."""
def avg_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, ceil_mode: _bool = False, count_include_pad: _bool = True) -> Tensor:
    """The mean of each window of a row."""
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """beta * self + alpha times the products of two batches of matrices."""
@overload
def bartlett_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Straight up and straight down. A periodic window leaves out the last point, which would be the first again."""
@overload
def bartlett_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Straight up and straight down. A periodic window leaves out the last point, which would be the first again."""
def batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """Normalize each channel (dimension 1) over the batch, or by running statistics; then times weight, plus bias."""
@overload
def bernoulli(input: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Ones, each with the probability that stands at its place, and zeros."""
@overload
def bernoulli(input: Tensor, p: _float, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Ones, each with the probability that stands at its place, and zeros."""
bfloat16: _dtype
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """For each matrix of weight the product input1 matrix input2, plus bias."""
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: _int = 1) -> Tensor:
    """binary_cross_entropy of sigmoid(input), without overflow."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each of the integers from 0 on occurs, or the sum of the weights where it does."""
def binomial(count: Tensor, prob: Tensor, generator: _Generator | None = None) -> Tensor:
    """How many of `count` trials succeed that have the probability `prob`."""
def bitwise_and(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """And, bit by bit; for booleans the logical and."""
def bitwise_left_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self * 2**other, in integers; 0 where other is negative or as large as the number of bits."""
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every bit flipped; for booleans the logical not."""
def bitwise_or(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Or, bit by bit; for booleans the logical or."""
def bitwise_right_shift(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / 2**other rounded down, in integers; 0 or -1 where other is negative or as large as the number of bits."""
def bitwise_xor(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Exclusive or, bit by bit."""
@overload
def blackman_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Two cosines. A periodic window leaves out the last point, which would be the first again."""
@overload
def blackman_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Two cosines. A periodic window leaves out the last point, which would be the first again."""
def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the given ones (vectors as rows, numbers) on its diagonal and zeros elsewhere."""
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices."""
bool: _dtype
def broadcast_shapes(*shapes: Any) -> _Size:
    """The shape that tensors of these shapes broadcast to."""
def broadcast_tensors(*tensors: Tensor) -> tuple:
    """The tensors expanded to the shape they broadcast to; views."""
@overload
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """Expanded to `size`."""
@overload
def broadcast_to(input: Tensor, *size: _int) -> Tensor:
    """Expanded to `size`."""
@overload
def bucketize(input: Tensor, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None) -> Tensor:
    """The number of the bucket that each value falls into; a bucket contains its upper boundary, or with right=True its lower one."""
@overload
def bucketize(self: Number, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None) -> Tensor:
    """The number of the bucket that each value falls into; a bucket contains its upper boundary, or with right=True its lower one."""
def can_cast(from_: _dtype, to: _dtype) -> _bool:
    """Whether a result of dtype `from_` may be written into a tensor of dtype `to`: its category must not be higher than that of `to`."""
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples with one element of each vector, as rows."""
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Join tensors along a dimension."""
def cdist(x1: Tensor, x2: Tensor, p: _float = 2.0, compute_mode: _str = 'use_mm_for_euclid_dist_if_necessary') -> Tensor:
    """The distance (p-norm of the difference) of each row of x1 from each row of x2, in batches.
    Euclidean distances of more than 25 rows, or with compute_mode="use_mm_for_euclid_dist", can be differentiated twice."""
cdouble: _dtype
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded up."""
def ceil_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """ceil() in place: the result is written to self."""
def celu(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """self where it is positive, alpha * (exp(self / alpha) - 1) elsewhere."""
def celu_(input: Tensor, alpha: Number = 1.0) -> Tensor:
    """celu into its own argument; the derivative is found from the result."""
cfloat: _dtype
def chain_matmul(*matrices: Tensor, out: Any = None) -> Tensor:
    """The product of a chain of matrices; `linalg.multi_dot` takes them as a list."""
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Channels in another order: the first of each group, then the second of each, and so on."""
channels_last: _memory_format
channels_last_3d: _memory_format
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """L of A = L L^H (or U of A = U^H U); a matrix that is not positive-definite is an error."""
def cholesky_inverse(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of A, from its Cholesky factor."""
def cholesky_solve(input: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """X of A X = B, from the Cholesky factor of A."""
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces of equal size (the last may be smaller); views."""
@overload
def clamp(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
@overload
def clamp(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
@overload
def clamp_(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clamp_max(input: Tensor, max: Number, *, out: Tensor | None = None) -> Tensor:
    """Nothing above max."""
@overload
def clamp_max(input: Tensor, max: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Nothing above max."""
@overload
def clamp_max_(input: Tensor, max: Number, *, out: Tensor | None = None) -> Tensor:
    """clamp_max() in place: the result is written to self."""
@overload
def clamp_max_(input: Tensor, max: Tensor, *, out: Tensor | None = None) -> Tensor:
    """clamp_max() in place: the result is written to self."""
@overload
def clamp_min(input: Tensor, min: Number, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min."""
@overload
def clamp_min(input: Tensor, min: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min."""
@overload
def clamp_min_(input: Tensor, min: Number, *, out: Tensor | None = None) -> Tensor:
    """clamp_min() in place: the result is written to self."""
@overload
def clamp_min_(input: Tensor, min: Tensor, *, out: Tensor | None = None) -> Tensor:
    """clamp_min() in place: the result is written to self."""
def clear_autocast_cache() -> None:
    """Forget the casts of weights."""
def clear_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """A copy with zeros where `part` is."""
@overload
def clip(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
@overload
def clip(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
@overload
def clip_(input: Tensor, min: Number | None = None, max: Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
@overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """clamp() in place: the result is written to self."""
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy with memory of its own; gradients flow through it."""
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join side by side, vectors as columns."""
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """All choices of r elements of a vector, as rows; with or without taking an element several times."""
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from their real and imaginary parts."""
complex128: _dtype
complex64: _dtype
def concat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Join tensors along a dimension."""
def concatenate(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Join tensors along a dimension."""
def conj(input: Tensor | Number) -> Tensor:
    """The complex conjugate, a view whose elements are conjugated when they are read; a real tensor itself."""
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate as a tensor of its own; a real tensor itself."""
def conj_physical_(input: Tensor) -> Tensor:
    """Conjugate in place."""
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: Number = 0) -> Tensor:
    """Padding with a value; `pad` begins with the last dimension."""
contiguous_format: _memory_format
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a row, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a row, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of an image, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of an image, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a volume, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
@overload
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _str = 'valid', dilation: _int | Sequence[_int] = 1, groups: _int = 1) -> Tensor:
    """Every window of a volume, times weights of shape (outputs, channels / groups, window), plus a bias per output; padding may be "same" or "valid"."""
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of a row, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv1d, and its gradient."""
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of an image, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv2d, and its gradient."""
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: _int | Sequence[_int] = 1, padding: _int | Sequence[_int] = 0, output_padding: _int | Sequence[_int] = 0, groups: _int = 1, dilation: _int | Sequence[_int] = 1) -> Tensor:
    """Every element of a volume, spread over a window by weights of shape (channels, outputs / groups, window) and added up: what undoes the shapes of conv3d, and its gradient."""
def convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[_int], padding: Sequence[_int], dilation: Sequence[_int], transposed: _bool, output_padding: Sequence[_int], groups: _int) -> Tensor:
    """A convolution, or a transposed one, over any number of dimensions, with all arguments given."""
@overload
def copysign(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The size of self with the sign of other."""
@overload
def copysign(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The size of self with the sign of other."""
def corrcoef(input: Tensor) -> Tensor:
    """The correlation coefficients of variables (rows) over observations (columns)."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine."""
def cos_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """cos() in place: the result is written to self."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine."""
def cosh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """cosh() in place: the result is written to self."""
def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 1) -> Tensor:
    """1 minus the cosine where the target is 1, how far it exceeds the margin where that is -1."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along a dimension."""
@overload
def count_nonzero(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """How many elements are not zero."""
@overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero."""
def cov(input: Tensor, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """The covariances of variables (rows) over observations (columns), each of which may count several times or have a weight."""
def cross(input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The vectors perpendicular to two given ones, along a dimension of size 3 (the first that there is, if none is named)."""
def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: _int = 0, reduction: _int = 1, zero_infinity: _bool = False) -> Tensor:
    """Minus the log-probability of target sequences, in any alignment with blanks, given those of classes in each step."""
def cummax(input: Tensor, dim: _int, *, out: Any = None) -> return_types.cummax:
    """The largest element so far, and where it was: of equal ones the last. From the first nan on it is nan."""
def cummin(input: Tensor, dim: _int, *, out: Any = None) -> return_types.cummin:
    """The smallest element so far, and where it was: of equal ones the last. From the first nan on it is nan."""
def cumprod(input: Tensor, dim: _int, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The products from the first element to each; integers are multiplied as int64."""
def cumsum(input: Tensor, dim: _int, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sums from the first element to each; integers are summed as int64."""
@overload
def cumulative_trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """The integrals from the first sample to each of the others by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
@overload
def cumulative_trapezoid(y: Tensor, *, dx: Number = 1, dim: _int = -1) -> Tensor:
    """The integrals from the first sample to each of the others by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
default_generator: _Generator
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians."""
def deg2rad_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """deg2rad() in place: the result is written to self."""
def det(input: Tensor) -> Tensor:
    """The determinant."""
def detach(input: Tensor) -> Tensor:
    """A tensor on the same memory, with the same version counter, outside the graph."""
def detach_(input: Tensor) -> Tensor:
    """Take this tensor out of the graph, in place: it becomes a leaf."""
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy without history."""
from jgrad.devices import device as device
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """A vector as the diagonal of a matrix, or the diagonal of a matrix as a vector (a copy)."""
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Matrices of zeros (in the dimensions dim1 and dim2) with the last dimension of self on a diagonal."""
def diagflat(input: Tensor, offset: _int = 0) -> Tensor:
    """All elements on the diagonal of a matrix."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A diagonal of the matrices in two dimensions, as the last dimension; a view."""
def diagonal_copy(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """What the view `diagonal` shows, in memory of its own."""
def diagonal_scatter(input: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A copy of self with src on a diagonal."""
def diff(input: Tensor, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """The differences between neighbours along a dimension, n times over; of bools, where they differ."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""
def dist(input: Tensor, other: Tensor, p: Number = 2) -> Tensor:
    """The p-norm of self - other."""
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
@overload
def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
@overload
def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors."""
double: _dtype
def dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """The input with elements set to zero with the probability p, the others scaled up."""
def dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """The input with elements set to zero with the probability p, the others scaled up."""
@overload
def dsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces along dimension 2; views."""
@overload
def dsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces along dimension 2; views."""
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join behind one another: along dimension 2."""
from jgrad.dtypes import dtype as dtype
e: _float
def eig(self: Tensor, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
    """Removed; see `linalg.eig`."""
def einsum(equation: Any, *operands: Any) -> Tensor:
    """Products of tensors, summed over the subscripts that the result lacks: `einsum("ij,jk->ik", a, b)`, or with lists of integers in
    place of letters `einsum(a, [0, 1], b, [1, 2], [0, 2])`. Several operands are multiplied from left to right."""
def embed_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """Zeros shaped like the geometry `base`, with self where `part` is."""
def embedding(weight: Tensor, indices: Tensor, padding_idx: _int = -1, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """Rows of weight."""
def embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: _bool = False, mode: _int = 0, sparse: _bool = False, per_sample_weights: Tensor | None = None, include_last_offset: _bool = False, padding_idx: _int | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The sum (mode 0), mean (1) or maximum (2) of bags of rows; the bag of each index, the bags' sizes, the rows of the maxima."""
def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: _float, norm_type: _float) -> Tensor:
    """Scale down the rows whose norm is above max_norm."""
@overload
def empty(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor of this size with whatever was in memory."""
@overload
def empty(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """A tensor of this size with whatever was in memory."""
def empty_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """Uninitialised, with the size, dtype and strides of the input."""
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Uninitialised, dense, with the dimensions lying in memory in the order of `physical_layout`."""
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Uninitialised, with this size and these strides."""
from jgrad.graph.grad_mode import enable_grad as enable_grad
def eq(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self == other, element by element."""
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether both have the same shape and the same elements."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to self."""
def erf_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """erf() in place: the result is written to self."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(self), exact also where that is tiny."""
def erfc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """erfc() in place: the result is written to self."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of erf, between -1 and 1."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e to the power of self."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of self."""
def exp2_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp2() in place: the result is written to self."""
def exp_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp() in place: the result is written to self."""
def expand_copy(input: Tensor, size: Sequence[_int], *, implicit: _bool = False, out: Tensor | None = None) -> Tensor:
    """What the view `expand` shows, in memory of its own."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(self) - 1, exact near 0."""
def expm1_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """expm1() in place: the result is written to self."""
def extract_strided(input: Tensor, base: Any, part: Any) -> Tensor:
    """Of a tensor shaped like the geometry `base`, the elements that are where `part` is."""
def eye(n: _int, m: Any = ..., *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Ones on the diagonal of an n x m matrix, zeros elsewhere."""
def feature_alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Alpha dropout of whole channels."""
def feature_alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Alpha dropout of whole channels."""
def feature_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """The input with whole channels set to zero with the probability p, the others scaled up."""
def feature_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """The input with whole channels set to zero with the probability p, the others scaled up."""
@overload
def fill(input: Tensor, value: Number) -> Tensor:
    """A tensor like self with one value in every element."""
@overload
def fill(input: Tensor, value: Tensor) -> Tensor:
    """A tensor like self with one value in every element."""
@overload
def fill_(input: Tensor, value: Tensor) -> Tensor:
    """Write one value into every element."""
@overload
def fill_(input: Tensor, value: Number) -> Tensor:
    """Write one value into every element."""
from jgrad.dtypes import finfo as finfo
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded towards zero."""
def fix_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """trunc() in place: the result is written to self."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """A range of dimensions joined into one."""
@overload
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """The elements along some dimensions in reverse order; a copy."""
@overload
def flip(input: Tensor, *dims: _int) -> Tensor:
    """The elements along some dimensions in reverse order; a copy."""
def fliplr(input: Tensor) -> Tensor:
    """The columns in reverse order; a copy."""
def flipud(input: Tensor) -> Tensor:
    """The rows in reverse order; a copy."""
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
    """self to the power of exponent, in double precision."""
@overload
def float_power(self: Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self to the power of exponent, in double precision."""
@overload
def float_power(input: Tensor, exponent: Number, *, out: Tensor | None = None) -> Tensor:
    """self to the power of exponent, in double precision."""
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded down."""
def floor_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """floor() in place: the result is written to self."""
@overload
def floor_divide(input: Tensor | Number, other: Number, *, out: Tensor | None = None) -> Tensor:
    """self / other, rounded down."""
@overload
def floor_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / other, rounded down."""
@overload
def floor_divide(self: Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / other, rounded down."""
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements, or the one that is a number."""
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements, or the one that is a number."""
@overload
def fmod(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The rest of a division, with the sign of the dividend."""
@overload
def fmod(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The rest of a division, with the sign of the dividend."""
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What `trunc` cuts off."""
def frac_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """frac() in place: the result is written to self."""
def frexp(input: Tensor, *, out: Any = None) -> return_types.frexp:
    """self as mantissa * 2**exponent, the mantissa between a half and one."""
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: _bool | None = None) -> Tensor:
    """A tensor on the memory of another library's array (or of a DLPack capsule), without a copy unless asked for."""
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor on the same memory as the array: writes to one show in the other."""
def frombuffer(buffer: Any, *, dtype: _dtype, count: _int = -1, offset: _int = 0, requires_grad: _bool = False) -> Tensor:
    """A tensor on the memory of an object with the buffer protocol, `count` elements (all) from the byte `offset` on."""
def full(size: Any, fill_value: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of this size filled with a number, of the dtype that the number has by itself."""
def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """Filled with a number, with the size, dtype and strides of the input."""
def gather(input: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | None = None) -> Tensor:
    """out[i][j] = self[index[i][j]][j] for dim 0, and so on."""
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor."""
def gcd_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """gcd() in place: the result is written to self."""
def ge(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self >= other, element by element."""
def geqrf(input: Tensor, *, out: Any = None) -> return_types.geqrf:
    """R above the diagonal, and below it the vectors of the reflections whose product is Q; and their factors."""
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The older name of outer."""
def get_autocast_cpu_dtype() -> Any:
    """`get_autocast_dtype("cpu")`, deprecated."""
def get_autocast_dtype(device_type: _str) -> Any:
    """The dtype in which products run in an `autocast` block."""
def get_autocast_gpu_dtype() -> Any:
    """`get_autocast_dtype("cuda")`, deprecated."""
def get_default_device() -> _device:
    """The device of tensors for which no device is given."""
def get_default_dtype() -> _dtype:
    """The dtype of tensors made from Python floats (float32 unless set otherwise)."""
def get_deterministic_debug_mode() -> _int:
    """0, 1 or 2; see `set_deterministic_debug_mode`."""
def get_device(input: Tensor) -> _int:
    """The number of the GPU; -1 for tensors on the CPU."""
def get_float32_matmul_precision() -> _str:
    """What `set_float32_matmul_precision` was last called with."""
def get_num_interop_threads() -> _int:
    """What `set_num_interop_threads` was last called with; at first the number of processors."""
def get_num_threads() -> _int:
    """What `set_num_threads` was last called with; at first the number of processors."""
def get_rng_state() -> Any:
    """The state of the default generator, a uint8 tensor."""
def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
    """The slopes along each dimension (or those named): from both neighbours inside, at the edges from `edge_order` neighbours on one side.
    `spacing` is a step, a list of steps, or a list of vectors of coordinates, one per dimension."""
def greater(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self > other, element by element."""
def greater_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self >= other, element by element."""
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """What images or volumes have at the points of a grid; modes 0 bilinear, 1 nearest, 2 bicubic; paddings 0 zeros, 1 border, 2 reflection."""
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """What images have at the points of a grid."""
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool) -> Tensor:
    """What volumes have at the points of a grid."""
def group_norm(input: Tensor, num_groups: _int, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enabled: _bool = True) -> Tensor:
    """Normalize groups of channels of each sample; then times weight, plus bias."""
def gt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self > other, element by element."""
half: _dtype
@overload
def hamming_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """alpha less beta times a cosine. A periodic window leaves out the last point, which would be the first again."""
@overload
def hamming_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """alpha less beta times a cosine. A periodic window leaves out the last point, which would be the first again."""
@overload
def hamming_window(window_length: _int, periodic: _bool, alpha: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """alpha less beta times a cosine. A periodic window leaves out the last point, which would be the first again."""
@overload
def hamming_window(window_length: _int, periodic: _bool, alpha: _float, beta: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """alpha less beta times a cosine. A periodic window leaves out the last point, which would be the first again."""
@overload
def hann_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Half a cosine, from 0 to 1 and back. A periodic window leaves out the last point, which would be the first again."""
@overload
def hann_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Half a cosine, from 0 to 1 and back. A periodic window leaves out the last point, which would be the first again."""
def hardshrink(input: Tensor, lambd: Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """self, with elements between -lambd and lambd set to zero."""
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """0 below zero, 1 above, `values` at zero."""
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: _float = 1.0, reduction: _int = 1) -> Tensor:
    """The input where the target is 1, what it lacks to the margin where that is -1."""
def histc(input: Tensor, bins: _int = 100, min: Number = 0, max: Number = 0, *, out: Tensor | None = None) -> Tensor:
    """How many elements fall into each of equal bins between min and max (both 0: the smallest and the largest element)."""
@overload
def histogram(input: Tensor, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False, out: Any = None) -> return_types.histogram:
    """How many elements (or what weight) fall into each bin, and the edges of the bins: those given, or of equal bins in a range."""
@overload
def histogram(input: Tensor, bins: _int = 100, *, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False, out: Any = None) -> return_types.histogram:
    """How many elements (or what weight) fall into each bin, and the edges of the bins: those given, or of equal bins in a range."""
def histogramdd(input: Tensor, bins: Any, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False) -> Any:
    """How many points (rows) fall into each cell of a grid, and the edges of the cells: `bins` are numbers of equal bins, or edges."""
@overload
def hsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces side by side: along dimension 1, or 0 if there is no other; views."""
@overload
def hsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces side by side: along dimension 1, or 0 if there is no other; views."""
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join side by side: along dimension 1, vectors along their only one."""
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sqrt(self**2 + other**2), without overflow."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0."""
def i0_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """i0() in place: the result is written to self."""
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The share of the gamma function's integral below other; derivatives by other alone."""
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The share of the gamma function's integral above other; derivatives by other alone."""
from jgrad.dtypes import iinfo as iinfo
def imag(input: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor, a view."""
def index_add(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """A copy of self with the slices of source added at the indices; repeated indices add up."""
def index_copy(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of self with the slices of source at the indices."""
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Number) -> Tensor:
    """A copy of self with one number in all the slices at the indices."""
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor) -> Tensor:
    """A copy of self with one number in all the slices at the indices."""
def index_put(input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of self with values where the tuple of index tensors points; with `accumulate` added to what is there."""
def index_put_(input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """Write values where the tuple of index tensors points, or with `accumulate` add them."""
def index_reduce(input: Tensor, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True, out: Tensor | None = None) -> Tensor:
    """A copy of self where the slices of source that have one index are combined: by prod, mean, amax or amin; with the old slice
    unless include_self is False."""
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The slices of a dimension that a vector of indices names."""
inf: _float
from jgrad.graph.grad_mode import inference_mode as inference_mode
def initial_seed() -> _int:
    """The seed of the default generator."""
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sums of products along the last dimension of both; with a 0-d tensor the plain product."""
def instance_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, use_input_stats: _bool, momentum: _float, eps: _float, cudnn_enabled: _bool) -> Tensor:
    """Normalize each channel of each sample: batch_norm with the samples' channels as channels of a single one."""
int: _dtype
int16: _dtype
int32: _dtype
int64: _dtype
int8: _dtype
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse; a singular matrix is an error."""
def is_anomaly_check_nan_enabled() -> _bool:
    """Whether anomaly mode, when it is on, looks for nan."""
def is_anomaly_enabled() -> _bool:
    """Whether anomaly mode is on."""
def is_autocast_cache_enabled() -> _bool:
    """Whether the casts of weights are kept while autocast is on."""
def is_autocast_cpu_enabled() -> _bool:
    """`is_autocast_enabled("cpu")`, deprecated."""
def is_autocast_enabled(device_type: _str = 'cuda') -> _bool:
    """Whether autocast is on for a type of device."""
def is_complex(input: Tensor) -> _bool:
    ...
def is_conj(input: Tensor) -> _bool:
    """Whether elements are conjugated when they are read."""
def is_deterministic_algorithms_warn_only_enabled() -> _bool:
    """Whether a warning is given in place of an error."""
def is_floating_point(input: Tensor) -> _bool:
    ...
def is_grad_enabled() -> _bool:
    """Whether this thread records operations."""
def is_inference(input: Tensor) -> _bool:
    """Whether this tensor was made in inference mode."""
def is_inference_mode_enabled() -> _bool:
    """Whether this thread makes inference tensors."""
def is_neg(input: Tensor) -> _bool:
    """Whether elements are negated when they are read."""
def is_nonzero(input: Tensor) -> _bool:
    """Whether the one element is not zero."""
def is_same_size(input: Tensor, other: Any) -> _bool:
    """Whether both tensors have the same size."""
def is_signed(input: Tensor) -> _bool:
    """Whether the dtype has negative numbers."""
def is_tensor(obj: Any) -> _bool:
    """Whether `obj` is a Tensor."""
def is_warn_always_enabled() -> _bool:
    """Whether warnings are given every time; see `set_warn_always`."""
def isclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Where |self - other| <= atol + |rtol * other|, or both are equal."""
def isfinite(input: Tensor) -> Tensor:
    """Where an element is neither infinite nor nan."""
@overload
def isin(elements: Tensor, test_elements: Tensor, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Which elements are among `test_elements`; nan never is."""
@overload
def isin(element: Number, test_elements: Tensor, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Which elements are among `test_elements`; nan never is."""
@overload
def isin(elements: Tensor, test_element: Number, *, assume_unique: _bool = False, invert: _bool = False, out: Tensor | None = None) -> Tensor:
    """Which elements are among `test_elements`; nan never is."""
def isinf(input: Tensor) -> Tensor:
    """Where an element is infinite."""
def isnan(input: Tensor) -> Tensor:
    """Where an element is not a number."""
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where an element is minus infinity."""
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where an element is plus infinity."""
def isreal(input: Tensor) -> Tensor:
    """Where the imaginary part is 0."""
def istft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
    """The signal of which this is the stft: the pieces added where they overlap, and divided by what the windows add up to."""
@overload
def kaiser_window(window_length: _int, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Bessel function of a half circle. A periodic window leaves out the last point, which would be the first again."""
@overload
def kaiser_window(window_length: _int, periodic: _bool, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Bessel function of a half circle. A periodic window leaves out the last point, which would be the first again."""
@overload
def kaiser_window(window_length: _int, periodic: _bool, beta: _float, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A Bessel function of a half circle. A periodic window leaves out the last point, which would be the first again."""
def kl_div(input: Tensor, target: Tensor, reduction: _int = 1, *, log_target: _bool = False) -> Tensor:
    """The Kullback-Leibler divergence of the distribution whose logarithms are the input from the target."""
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: every element of self times the whole of other."""
def kthvalue(input: Tensor, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: Any = None) -> return_types.kthvalue:
    """The k-th smallest element along a dimension (counted from 1), and where it was; of equal elements the one that PyTorch's algorithm
    happens to find (in tensors with more than 8192 elements: the one that comes k-th when they keep their order)."""
def layer_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enable: _bool = True) -> Tensor:
    """Normalize over the last dimensions, each sample by itself; then times weight, plus bias."""
from jgrad.tensor import layout as layout
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple."""
def lcm_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """lcm() in place: the result is written to self."""
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * 2**other."""
def ldexp_(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """ldexp() in place: the result is written to self."""
def le(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self <= other, element by element."""
@overload
def lerp(input: Tensor, end: Tensor, weight: Number, *, out: Tensor | None = None) -> Tensor:
    """self + weight * (end - self): the way from self to end, as far as the weight says."""
@overload
def lerp(input: Tensor, end: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self + weight * (end - self): the way from self to end, as far as the weight says."""
def less(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self < other, element by element."""
def less_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self <= other, element by element."""
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function's absolute value."""
def linspace(start: Any, end: Any, steps: _int, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """`steps` numbers from start to end, both included, evenly spaced."""
def load(f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: _bool | None = None, mmap: _bool | None = None, **pickle_load_args: Any) -> Any:
    """The object in a file that `jgrad.save` or `torch.save` wrote.
    
    `f` is a path, or an open file with `read`, `readline`, `seek` and `tell`. Storages come to the device where they were, unless
    `map_location` is another device, a dictionary of devices, or a function of a storage and the name of its device that gives a storage or
    None. With `mmap=True` the file is mapped into memory: the elements are read when they are first used, and writes do not reach the file.
    
    By default (`weights_only=True`) nothing in the file runs code: it may hold tensors, numbers, texts, containers, and what
    `jgrad.serialization.add_safe_globals` allows. Whatever is wrong with a file, the error is `jgrad.serialization.LoadError`, and loading
    needs memory in proportion to the size of the file. `weights_only=False` unpickles whole modules and everything else, as `pickle` does.
    Then a file can run any code. Use it only for files that you trust.
    
    A path that ends in `.safetensors` is read with the library of that name."""
def load_ipython_extension(ipython: Any) -> None:
    """Register the magics; a second time does nothing new."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10."""
def log10_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log10() in place: the result is written to self."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + self), exact near 0."""
def log1p_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log1p() in place: the result is written to self."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2."""
def log2_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log2() in place: the result is written to self."""
def log_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log() in place: the result is written to self."""
def log_softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of softmax, computed without its rounding errors."""
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(exp(self) + exp(other)), without overflow."""
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log2(2**self + 2**other), without overflow."""
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithms of the sums of exponentials from the first element to each, without overflow; floating dtypes only."""
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; of a negative one nan."""
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Both are non-zero."""
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """It is zero."""
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One of both is non-zero."""
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One of both is non-zero, not both."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(self / (1 - self)), of self kept between eps and 1 - eps."""
def logit_(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """logit() in place: the result is written to self."""
def logspace(start: Any, end: Any, steps: _int, base: _float = 10.0, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """`steps` powers of the base, whose exponents go from start to end, both included, evenly spaced."""
def logsumexp(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of exp(self) over some dimensions, without overflow."""
long: _dtype
def lstsq(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    """Removed; see `linalg.lstsq`."""
def lt(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self < other, element by element."""
def lu(A: Tensor, pivot: _bool = True, get_infos: _bool = False, out: Any = None) -> tuple:
    """The LU factorization of `linalg.lu_factor`: (LU, pivots), with get_infos also where it broke down."""
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """X of A X = B, from the LU factorization of A."""
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: _bool = True, unpack_pivots: _bool = True, *, out: Any = None) -> return_types.lu_unpack:
    """P, L and U from what `lu_factor` gave."""
def manual_seed(seed: Any) -> _Generator:
    """Seed the default generators of all devices, and return that of the CPU."""
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = 1) -> Tensor:
    """How far input1 is from exceeding input2 by the margin (target 1) or the other way round (-1)."""
@overload
def masked_fill(input: Tensor, mask: Tensor, value: Number) -> Tensor:
    """self with `value` wherever the mask is true."""
@overload
def masked_fill(input: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """self with `value` wherever the mask is true."""
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy of self with the elements of source, one after the other, where the mask is true."""
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements where the mask is true, in one dimension."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product, of vectors, matrices and batches of them; leading dimensions broadcast."""
def matrix_exp(input: Tensor) -> Tensor:
    """The sum of A^k / k!."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The matrix multiplied with itself n times; of its inverse, if n is negative."""
def matrix_rank(input: Tensor, tol: Any = None, symmetric: _bool = False, *, out: Any = None) -> Any:
    """Removed; see `linalg.matrix_rank`."""
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the larger elements."""
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the larger elements."""
@overload
def max(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.max:
    """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the larger elements."""
def max_pool1d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of a row."""
def max_pool1d_with_indices(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = 0, dilation: _int | Sequence[_int] = 1, ceil_mode: _bool = False) -> tuple[Tensor, Tensor]:
    """The largest element of each window of a row, and where it is: a row is an image with one line."""
def max_pool2d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., dilation: _int | Sequence[_int] = ..., ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of an image."""
def max_pool3d(input: Tensor, kernel_size: _int | Sequence[_int], stride: _int | Sequence[_int] | None = ..., padding: _int | Sequence[_int] = ..., dilation: _int | Sequence[_int] = ..., ceil_mode: _bool = False) -> Tensor:
    """The largest element of each window of a volume."""
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements; equal ones share the gradient."""
@overload
def mean(input: Tensor, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of all elements, or over some dimensions; floating and complex dtypes only."""
@overload
def mean(input: Tensor, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of all elements, or over some dimensions; floating and complex dtypes only."""
@overload
def median(input: Tensor) -> Tensor:
    """The lower of the middle elements: of all (equal ones share the gradient), or along a dimension (values, indices)."""
@overload
def median(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.median:
    """The lower of the middle elements: of all (equal ones share the gradient), or along a dimension (values, indices)."""
class memory_format(Exception): ...
def meshgrid(*tensors: Any, indexing: _str | None = None) -> tuple:
    """The coordinates of all points of a grid, a tensor per axis; with indexing="xy" the first two dimensions are exchanged. Views."""
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the smaller elements."""
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the smaller elements."""
@overload
def min(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.min:
    """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
    several has the gradient; of two tensors the smaller elements."""
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements; equal ones share the gradient."""
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""
def mode(input: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: Any = None) -> return_types.mode:
    """The most frequent values along a dimension, the smallest of several, and where they stand last."""
@overload
def moveaxis(input: Tensor, source: _int, destination: _int) -> Tensor:
    """One dimension (or several) put elsewhere among the others; a view."""
@overload
def moveaxis(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """One dimension (or several) put elsewhere among the others; a view."""
@overload
def movedim(input: Tensor, source: _int, destination: _int) -> Tensor:
    """One dimension (or several) put elsewhere among the others; a view."""
@overload
def movedim(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """One dimension (or several) put elsewhere among the others; a view."""
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sorted along the first dimension."""
def mul(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self * other."""
def multinomial(input: Tensor, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Indices, drawn with the probabilities (or weights) in the rows of the input."""
def multiply(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self * other."""
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A matrix times a vector."""
def mvlgamma(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of p dimensions."""
nan: _float
def nan_to_num(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """nan as 0 and infinities as the largest numbers of the dtype, or as what is given for them."""
def nan_to_num_(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """nan_to_num() in place: the result is written to self."""
def nanmean(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of the elements that are numbers."""
@overload
def nanmedian(input: Tensor) -> Tensor:
    """The median of the elements that are numbers."""
@overload
def nanmedian(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Any = None) -> return_types.nanmedian:
    """The median of the elements that are numbers."""
@overload
def nanquantile(input: Tensor, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles of the elements that are numbers."""
@overload
def nanquantile(input: Tensor, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The quantiles of the elements that are numbers."""
def nansum(input: Tensor, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sum of the elements that are numbers."""
@overload
def narrow(input: Tensor, dim: _int, start: _int, length: _int) -> Tensor:
    """A range of one dimension, by its start and length; a view."""
@overload
def narrow(input: Tensor, dim: _int, start: Tensor, length: _int) -> Tensor:
    """A range of one dimension, by its start and length; a view."""
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int, *, out: Tensor | None = None) -> Tensor:
    """A range of one dimension, by its start and length, in memory of its own."""
def native_batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: _bool, momentum: _float, eps: _float, *, out: Any = None) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized input, and in training the means and one over the standard deviations; running statistics are updated then."""
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """channel_shuffle without a derivative."""
def native_dropout(input: Tensor, p: _float, train: _bool | None) -> tuple[Tensor, Tensor]:
    """The input with elements set to zero at random and the others scaled up, and which are left."""
def native_group_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, N: _int, C: _int, HxW: _int, group: _int, eps: _float) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized input, the means and one over the standard deviations of the groups."""
def native_layer_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None, bias: Tensor | None, eps: _float) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized input, the means and one over the standard deviations."""
def ne(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self != other, element by element."""
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-self."""
def neg_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """neg() in place: the result is written to self."""
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-self."""
def negative_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """neg() in place: the result is written to self."""
newaxis: None
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next floating point number after self, towards other."""
from jgrad.graph.grad_mode import no_grad as no_grad
@overload
def nonzero(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The indices of the elements that are not zero, one row each; with as_tuple=True a vector per dimension."""
@overload
def nonzero(input: Tensor, *, as_tuple: _bool, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero, one row each; with as_tuple=True a vector per dimension."""
def nonzero_static(input: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | None = None) -> Tensor:
    """The indices of the first `size` elements that are not zero, one row each; missing ones are filled up."""
def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: _bool = False, out: Any = None, dtype: Any = None) -> Tensor:
    """The norm of all elements or over some dimensions: of order p, 'fro' (2) or 'nuc' (the sum of the singular values of a matrix)."""
def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor:
    """The norm over all dimensions but one, which weight normalization divides by; -1 for the norm of all elements."""
@overload
def normal(mean: Tensor, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are numbers (then with a size) or tensors."""
@overload
def normal(mean: Tensor, std: _float = 1.0, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are numbers (then with a size) or tensors."""
@overload
def normal(mean: _float, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are numbers (then with a size) or tensors."""
@overload
def normal(mean: _float, std: _float, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are numbers (then with a size) or tensors."""
def not_equal(input: Tensor, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self != other, element by element."""
def numel(input: Tensor) -> _int:
    """The number of elements."""
@overload
def ones(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of this size filled with 1."""
@overload
def ones(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of this size filled with 1."""
def ones_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """Ones with the size, dtype and strides of the input."""
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Another name of linalg.householder_product."""
def ormqr(input: Tensor, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Q C, for Q the product of the reflections of `geqrf`; C Q unless left, with transpose Q^H for Q."""
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All products of an element of one vector and an element of the other."""
def pairwise_distance(x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False) -> Tensor:
    """The norm of the difference of vectors, which are along the last dimension."""
def pca_lowrank(A: Tensor, q: _int | None = None, center: _bool = True, niter: _int = 2) -> tuple:
    """Principal components: `svd_lowrank` of A, less the mean of its columns."""
def pdist(input: Tensor, p: _float = 2.0) -> Tensor:
    """The distance (p-norm of the difference) of each row from each later one, in one vector."""
@overload
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """The dimensions in another order; a view."""
@overload
def permute(input: Tensor, *dims: _int) -> Tensor:
    """The dimensions in another order; a view."""
def permute_copy(input: Tensor, dims: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """What the view `permute` shows, in memory of its own."""
pi: _float
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The Moore-Penrose inverse; singular values up to rcond times the largest count as zero."""
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Groups of r * r channels spread out as r by r pixels."""
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Squares of r by r pixels stacked as channels."""
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Poisson-distributed numbers, each of the rate that stands at its place."""
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: _bool, full: _bool, eps: _float, reduction: _int) -> Tensor:
    """Minus the log-likelihood of counts of the Poisson distribution (`full` adds what does not depend on the input)."""
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from their sizes and angles."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma."""
def positive(input: Tensor) -> Tensor:
    """The tensor itself."""
@overload
def pow(input: Tensor, exponent: Number, *, out: Tensor | None = None) -> Tensor:
    """self to the power of exponent; either may be a number."""
@overload
def pow(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self to the power of exponent; either may be a number."""
@overload
def pow(self: Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self to the power of exponent; either may be a number."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """self where it is positive, weight * self elsewhere, with one weight or one for each channel (dimension 1)."""
preserve_format: _memory_format
@overload
def prod(input: Tensor, *, dtype: _dtype | _type | None = None) -> Tensor:
    """The product of all elements, or along a dimension; integers are multiplied as int64."""
@overload
def prod(input: Tensor, dim: _int, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The product of all elements, or along a dimension; integers are multiplied as int64."""
def promote_types(type1: _dtype, type2: _dtype) -> _dtype:
    """The common dtype of two dtypes: it has the higher category, and holds both."""
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of self with the elements of source at places counted in row-major order, or added there with `accumulate`."""
def qr(input: Tensor, some: _bool = True, *, out: Any = None) -> return_types.qr:
    """A = Q R with orthogonal columns in Q and an upper R."""
@overload
def quantile(input: Tensor, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The q-quantiles (q from 0 to 1, a number or a vector of them) of all elements or along a dimension."""
@overload
def quantile(input: Tensor, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear', out: Tensor | None = None) -> Tensor:
    """The q-quantiles (q from 0 to 1, a number or a vector of them) of all elements or along a dimension."""
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees."""
def rad2deg_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """rad2deg() in place: the result is written to self."""
@overload
def rand(size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Numbers that are equally likely anywhere from 0 up to but without 1."""
@overload
def rand(*size: _int, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Numbers that are equally likely anywhere from 0 up to but without 1."""
def rand_like(input: Tensor, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """`rand` with the size, dtype and strides of the input."""
@overload
def randint(high: _int, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Integers from low (0) up to but without high."""
@overload
def randint(low: _int, high: _int, size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Integers from low (0) up to but without high."""
@overload
def randint_like(input: Tensor, high: _int, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """`randint` with the size, dtype and strides of the input."""
@overload
def randint_like(input: Tensor, low: _int, high: _int, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """`randint` with the size, dtype and strides of the input."""
@overload
def randn(size: Sequence[_int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Normally distributed numbers with mean 0 and standard deviation 1."""
@overload
def randn(*size: _int, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Normally distributed numbers with mean 0 and standard deviation 1."""
def randn_like(input: Tensor, *, generator: _Generator | None = None, memory_format: _memory_format | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """`randn` with the size, dtype and strides of the input."""
def randperm(n: _int, *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The integers from 0 up to but without n in a random order."""
def range(start: Any = 0, end: Any = ..., step: Any = 1, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """Numbers from start to end, the end included, as floats; deprecated: `arange` is what stays."""
def ravel(input: Tensor) -> Tensor:
    """One dimension."""
def real(input: Tensor) -> Tensor:
    """The real parts, a view; of a real tensor itself."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / self."""
def reciprocal_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """reciprocal() in place: the result is written to self."""
def relu(input: Tensor) -> Tensor:
    """self where it is positive, 0 elsewhere."""
def relu_(input: Tensor) -> Tensor:
    """relu() in place: the result is written to self."""
@overload
def remainder(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The rest of a division, with the sign of the divisor."""
@overload
def remainder(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The rest of a division, with the sign of the divisor."""
@overload
def remainder(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The rest of a division, with the sign of the divisor."""
def renorm(input: Tensor, p: Number, dim: _int, maxnorm: Number, *, out: Tensor | None = None) -> Tensor:
    """Each slice along a dimension whose p-norm is larger than maxnorm is shortened to it."""
@overload
def repeat_interleave(input: Tensor, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
    """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
@overload
def repeat_interleave(input: Tensor, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
    """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor:
    """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
@overload
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor:
    """Another shape: a view where strides allow it, a copy where not."""
@overload
def reshape(input: Tensor, *shape: _int) -> Tensor:
    """Another shape: a view where strides allow it, a copy where not."""
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """Resized, in place, to the shape of another tensor; with `preserve_format` also to channels_last, if that has it."""
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself, or a conjugated copy if its conjugation is postponed."""
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself, or a negated copy if its negation is postponed."""
def result_type(tensor1: Any, tensor2: Any) -> _dtype:
    """The common dtype of two operands, which are tensors or numbers."""
def rms_norm(input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, eps: _float | None = None) -> Tensor:
    """Divide by the root of the mean square over the last dimensions; then times weight."""
def roll(input: Tensor, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = ...) -> Tensor:
    """The elements moved along dimensions (or in the flattened tensor); what leaves at the end comes back at the beginning."""
def rot90(input: Tensor, k: _int = 1, dims: Sequence[_int] = ...) -> Tensor:
    """Turned k times by 90 degrees, from the first of two dimensions towards the second; a copy."""
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded to the nearest integer, halves to the even one; with `decimals` to so many places."""
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """Rounded to the nearest integer, halves to the even one; with `decimals` to so many places."""
@overload
def round_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """round() in place: the result is written to self."""
@overload
def round_(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """round() in place: the result is written to self."""
def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join one above the other: along dimension 0, vectors as rows."""
def rrelu(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """leaky_relu, in training with slopes drawn between lower and upper, otherwise with their mean."""
def rrelu_(input: Tensor, lower: Number = 0.125, upper: Number = 0.3333333333333333, training: _bool = False, generator: _Generator | None = None) -> Tensor:
    """rrelu into its own argument."""
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / sqrt(self)."""
def rsqrt_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """rsqrt() in place: the result is written to self."""
@overload
def rsub(input: Tensor, other: Tensor, *, alpha: Number = 1) -> Tensor:
    """other - alpha * self."""
@overload
def rsub(input: Tensor, other: Number, *, alpha: Number = 1) -> Tensor:
    """other - alpha * self."""
def save(obj: Any, f: Any, pickle_module: Any = ..., pickle_protocol: _int = 2, _use_new_zipfile_serialization: _bool = True, _disable_byteorder_record: _bool = False) -> None:
    """Write an object to a file that `jgrad.load` and `torch.load` read.
    
    `obj` is a tensor, a `state_dict()`, or whatever Python can pickle. Tensors that share a storage share one after loading too; the whole
    storage is written. `f` is a path, or an open file with `write`. A file at that path is only replaced when the new one is complete: after
    an error, such as OSError for a full disk, it is as it was before.
    
    >>> weights = {"weight": jgrad.ones(2)}
    >>> jgrad.save(weights, "model.pt")
    >>> jgrad.load("model.pt")
    {'weight': tensor([1., 1.])}"""
def scalar_tensor(s: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A 0-d tensor of the default dtype."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: Number, *, out: Tensor | None = None) -> Tensor:
    """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: _str, out: Tensor | None = None) -> Tensor:
    """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: Number, *, reduce: _str, out: Tensor | None = None) -> Tensor:
    """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
def scatter_add(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of self with self[index[i][j]][j] += src[i][j] for dim 0, and so on; repeated indices add up."""
def scatter_reduce(input: Tensor, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True, out: Tensor | None = None) -> Tensor:
    """A copy of self where the elements of src that have one index are combined: by sum, prod, mean, amax or amin; with the old value
    unless include_self is False."""
@overload
def searchsorted(sorted_sequence: Tensor, input: Tensor, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor:
    """Where in sorted rows values belong: before equal elements, or with right=True (side="right") behind them."""
@overload
def searchsorted(sorted_sequence: Tensor, self: Number, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor:
    """Where in sorted rows values belong: before equal elements, or with right=True (side="right") behind them."""
def seed() -> _int:
    """Seed the default generators of all devices with a random seed, and return the seed."""
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """One index of one dimension, which goes away; a view."""
def select_copy(input: Tensor, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """What the view `select` shows, in memory of its own."""
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """A copy of self with src at one index of a dimension."""
def selu(input: Tensor) -> Tensor:
    """The elu that keeps mean and variance of what goes through many layers."""
def selu_(input: Tensor) -> Tensor:
    """selu into its own argument."""
def set_anomaly_enabled(mode: _bool, check_nan: _bool = True) -> None:
    """Switch anomaly mode, for all threads."""
def set_autocast_cache_enabled(enabled: _bool) -> None:
    """Set whether they are."""
def set_autocast_cpu_dtype(dtype: Any) -> None:
    """`set_autocast_dtype("cpu", dtype)`, deprecated."""
def set_autocast_cpu_enabled(enabled: _bool) -> None:
    """`set_autocast_enabled("cpu", enabled)`, deprecated."""
def set_autocast_dtype(device_type: _str, dtype: Any) -> None:
    """Set that dtype."""
def set_autocast_enabled(device_type: Any, enabled: Any = None) -> None:
    """Turn autocast on or off for a type of device; an `autocast` block does it better."""
def set_autocast_gpu_dtype(dtype: Any) -> None:
    """`set_autocast_dtype("cuda", dtype)`, deprecated."""
def set_default_device(device: Any) -> None:
    """Set the device of tensors for which no device is given; None is the CPU."""
def set_default_dtype(d: _dtype) -> None:
    """Set the dtype of tensors made from Python floats."""
def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype by an older name of it, `FloatTensor` or "torch.FloatTensor"; deprecated."""
def set_deterministic_debug_mode(debug_mode: _int | _str) -> None:
    """`use_deterministic_algorithms` by one word or number: "default" or 0, "warn" or 1, "error" or 2."""
def set_float32_matmul_precision(precision: _str) -> None:
    """Accepted, and without effect: products of float32 are computed in float32."""
from jgrad.graph.grad_mode import set_grad_enabled as set_grad_enabled
def set_num_interop_threads(count: _int) -> None:
    """Accepted, and without effect."""
def set_num_threads(count: _int) -> None:
    """Accepted, and without effect: NumPy's libraries choose how many threads they use."""
def set_printoptions(precision: _int | None = None, threshold: _float | None = None, edgeitems: _int | None = None, linewidth: _int | None = None, profile: _str | None = None, sci_mode: _bool | None = None) -> None:
    """Set how tensors print.
    
    Digits after the point, the number of elements above which only the edges are shown, how many elements an
    edge has, the characters per line; `profile` ("default", "short", "full") sets these four at once.
    `sci_mode` forces scientific notation on or off; a call that does not name it leaves the choice to the
    values again."""
def set_rng_state(new_state: Any) -> None:
    """Set the default generator to a state that `get_rng_state` returned: the same numbers follow."""
def set_warn_always(b: _bool) -> None:
    """Let warnings that are given once per process be given every time."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign: -1, 0 or 1."""
short: _dtype
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-self))."""
def sigmoid_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sigmoid() in place: the result is written to self."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign: -1, 0 or 1."""
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where the sign is minus, also that of -0."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine."""
def sin_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin() in place: the result is written to self."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin(pi * self) / (pi * self), 1 for 0."""
def sinc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sinc() in place: the result is written to self."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine."""
def sinh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sinh() in place: the result is written to self."""
def slice_copy(input: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A range of a dimension, in memory of its own."""
def slice_scatter(input: Tensor, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A copy of self with src in a range of a dimension."""
def slogdet(input: Tensor, *, out: Any = None) -> return_types.slogdet:
    """The sign (for complex matrices the phase) of the determinant, and the logarithm of its absolute value."""
def softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None, *, out: Tensor | None = None) -> Tensor:
    """exp(self), divided by its sum along a dimension; `dtype` is what self is converted to first."""
def solve(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    """Removed; see `linalg.solve`."""
@overload
def sort(input: Tensor, *, stable: _bool | None, dim: _int = -1, descending: _bool = False, out: Any = None) -> return_types.sort:
    """The elements along a dimension in order, and where they were. Equal elements keep their order with `stable=True`; without, they come in
    that which PyTorch's algorithm happens to leave (of tensors with more than 8192 elements: they keep theirs)."""
@overload
def sort(input: Tensor, dim: _int = -1, descending: _bool = False, *, out: Any = None) -> return_types.sort:
    """The elements along a dimension in order, and where they were. Equal elements keep their order with `stable=True`; without, they come in
    that which PyTorch's algorithm happens to leave (of tensors with more than 8192 elements: they keep theirs)."""
sparse_coo: _layout
sparse_csr: _layout
def split(tensor: Tensor, split_size_or_sections: Any, dim: _int = 0) -> tuple:
    """Pieces of one size, or of a list of sizes; views."""
def split_copy(input: Tensor, split_size: _int, dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """What the view `split` shows, in memory of its own."""
def split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of these sizes; views."""
def split_with_sizes_copy(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """What the view `split_with_sizes` shows, in memory of its own."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root."""
def sqrt_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sqrt() in place: the result is written to self."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * self."""
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place."""
@overload
def squeeze(input: Tensor) -> Tensor:
    """Dimensions of size 1 taken out (all, or those named); a view."""
@overload
def squeeze(input: Tensor, dim: _int) -> Tensor:
    """Dimensions of size 1 taken out (all, or those named); a view."""
@overload
def squeeze(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """Dimensions of size 1 taken out (all, or those named); a view."""
@overload
def squeeze_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What the view `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """What the view `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: Tensor, dim: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """What the view `squeeze` shows, in memory of its own."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Join tensors along a new dimension."""
@overload
def std(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
@overload
def std(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor:
    """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
@overload
def std(input: Tensor, unbiased: _bool = True, *, out: Tensor | None = None) -> Tensor:
    """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
@overload
def std_mean(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions; `correction` as in var."""
@overload
def std_mean(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions; `correction` as in var."""
@overload
def std_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, of all elements or over some dimensions; `correction` as in var."""
def stft(input: Tensor, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
    """The Fourier transforms of pieces of n_fft points that are hop_length apart, each times the window: frequencies by pieces."""
strided: _layout
def sub(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """self - alpha * other."""
def subtract(input: Tensor | Number, other: Tensor | Number, *, alpha: Number = 1, out: Tensor | None = None) -> Tensor:
    """self - alpha * other."""
@overload
def sum(input: Tensor, *, dtype: _dtype | _type | None = None) -> Tensor:
    """The sum of all elements, or over some dimensions; integers are summed as int64."""
@overload
def sum(input: Tensor, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None, out: Tensor | None = None) -> Tensor:
    """The sum of all elements, or over some dimensions; integers are summed as int64."""
def svd(input: Tensor, some: _bool = True, compute_uv: _bool = True, *, out: Any = None) -> return_types.svd:
    """A = U diag(S) V^H, the singular values in descending order; `linalg.svd` gives V^H itself."""
def svd_lowrank(A: Tensor, q: _int | None = 6, niter: _int | None = 2, M: Tensor | None = None) -> tuple:
    """The q largest singular values of A (less M) and their vectors, by random projections (Halko, Martinsson and Tropp 2009)."""
def swapaxes(input: Tensor, axis0: _int, axis1: _int) -> Tensor:
    """Two dimensions exchanged; a view."""
def swapdims(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions exchanged; a view."""
def symeig(input: Tensor, eigenvectors: _bool = False, upper: _bool = True, *, out: Any = None) -> Any:
    """Removed; see `linalg.eigh`."""
def t(input: Tensor) -> Tensor:
    """A matrix transposed; a view."""
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What the view `t` shows, in memory of its own."""
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements at places counted in row-major order, in the shape of the index."""
def take_along_dim(input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """gather with broadcasting; without dim both are flattened."""
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent."""
def tan_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """tan() in place: the result is written to self."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""
def tanh_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """tanh() in place: the result is written to self."""
def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: _bool = False, pin_memory: _bool = False) -> Tensor:
    """A new leaf with a copy of the data: a number, nested sequences, an ndarray, another tensor.
    
    Integers give int64, floats the default dtype, arrays and tensors keep theirs. Raises ValueError for ragged sequences."""
@overload
def tensor_split(input: Tensor, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
@overload
def tensor_split(input: Tensor, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
@overload
def tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sums of products over the last `dims` dimensions of a and the first of b, or over two lists of dimensions."""
def threshold(input: Tensor, threshold: Number, value: Number, *, out: Tensor | None = None) -> Tensor:
    """self where it is above the threshold, `value` elsewhere."""
def threshold_(input: Tensor, threshold: Number, value: Number) -> Tensor:
    """`value` into this tensor wherever it is not above the threshold."""
@overload
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """As repeat, but dimensions that `dims` leaves out at the front are not repeated."""
@overload
def tile(input: Tensor, *dims: _int) -> Tensor:
    """As repeat, but dimensions that `dims` leaves out at the front are not repeated."""
def to_dlpack(tensor: Tensor) -> Any:
    """A DLPack capsule of the tensor's memory, also of one that requires grad."""
def topk(input: Tensor, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True, *, out: Any = None) -> return_types.topk:
    """The k largest (smallest) elements along a dimension, and where they were; with `sorted=False` in no certain order. Of equal elements
    those that PyTorch's algorithm happens to find (in tensors with more than 8192 elements: the first, and always in order)."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions exchanged; a view."""
def transpose_copy(input: Tensor, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """What the view `transpose` shows, in memory of its own."""
@overload
def trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """The integral along a dimension by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
@overload
def trapezoid(y: Tensor, *, dx: Number = 1, dim: _int = -1) -> Tensor:
    """The integral along a dimension by the trapezoidal rule, of samples at the points `x` or in steps of `dx`."""
@overload
def trapz(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """Another name of trapezoid."""
@overload
def trapz(y: Tensor, *, dx: _float = 1.0, dim: _int = -1) -> Tensor:
    """Another name of trapezoid."""
def triangular_solve(input: Tensor, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, out: Any = None) -> return_types.triangular_solve:
    """X of A X = B for a triangular A, and a copy of A."""
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangles of the last two dimensions up to a diagonal, zeros above."""
def tril_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Where the lower triangle of a matrix is: row indices above, column indices below."""
def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: _float = 1.0, p: _float = 2.0, eps: _float = 1e-06, swap: _bool = False, reduction: _int = 1) -> Tensor:
    """How far the anchor is from being nearer to the positive than to the negative by the margin."""
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangles of the last two dimensions from a diagonal on, zeros below."""
def triu_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _dtype | _type | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """Where the upper triangle of a matrix is: row indices above, column indices below."""
def true_divide(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """self / other; integers give the default float."""
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded towards zero."""
def trunc_(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """trunc() in place: the result is written to self."""
uint8: _dtype
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """The slices along one dimension, which goes away; views."""
def unbind_copy(input: Tensor, dim: _int = 0, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """What the view `unbind` shows, in memory of its own."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """One dimension as several, one of whose sizes may be -1; a view."""
def unfold_copy(input: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None) -> Tensor:
    """What the view `unfold` shows, in memory of its own."""
def unique(input: Tensor, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
    """The distinct elements in order, or the distinct slices along `dim`; if asked for also the index of each element among
    them, and how many there are of each. Always sorted. nan differs from nan."""
def unique_consecutive(input: Tensor, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
    """The first element of each run of equal ones (or slice along `dim`); if asked for also the run each element is in, and the
    length of the runs."""
def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics and everything that came with them away."""
def unravel_index(indices: Tensor, shape: Any) -> tuple:
    """Places counted in row-major order as coordinates in a shape: a tensor for each dimension."""
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces of equal size on the same memory, which autograd does not know of."""
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of equal size on the same memory, which autograd does not know of: writing to one leaves self unaware."""
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of these sizes on the same memory, which autograd does not know of."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """A dimension of size 1 put in; a view."""
def unsqueeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """What the view `unsqueeze` shows, in memory of its own."""
def use_deterministic_algorithms(mode: _bool, *, warn_only: _bool = False) -> None:
    """Refuse operations whose results may differ from run to run, or with `warn_only` give a warning; fill memory that is not set.
    
    `empty()` and similar functions then give nan, the largest integer, or True, unless
    `jgrad.utils.deterministic.fill_uninitialized_memory` is False."""
def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor:
    """The powers of the elements of a vector as columns, from the highest down, or with increasing=True from the zeroth up."""
@overload
def var(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
@overload
def var(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor:
    """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
@overload
def var(input: Tensor, unbiased: _bool = True, *, out: Tensor | None = None) -> Tensor:
    """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
@overload
def var_mean(input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions; `correction` as in var."""
@overload
def var_mean(input: Tensor, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions; `correction` as in var."""
@overload
def var_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The variance and the mean, of all elements or over some dimensions; `correction` as in var."""
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors, the first one conjugated."""
def view_as_complex(input: Tensor) -> Tensor:
    """Pairs of real numbers, along the last dimension, as complex ones; a view."""
def view_as_complex_copy(input: Tensor) -> Tensor:
    """Pairs of numbers (the last dimension) as complex ones, in memory of their own; not differentiable, as in PyTorch."""
def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones, in one more dimension; a view."""
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What the view `view_as_real` shows, in memory of its own."""
@overload
def view_copy(input: Tensor, dtype: _dtype | _type, *, out: Tensor | None = None) -> Tensor:
    """What the view `view` shows, in memory of its own."""
@overload
def view_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """What the view `view` shows, in memory of its own."""
def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: _str = 'error', *, chunk_size: _int | None = None) -> Callable[..., Any]:
    """The function that maps `func` over a dimension of its arguments, which `func` does not see.
    
    `in_dims` is the dimension of each argument along which the batch is (None: the same for all), `out_dims` where it goes in the results; both may be trees
    that match. `randomness` is what random operations do: "error", "different" or the "same" for each example. With `chunk_size`, no more
    examples than that are computed at a time."""
@overload
def vsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Pieces one above the other, along dimension 0; views."""
@overload
def vsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Pieces one above the other, along dimension 0; views."""
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join one above the other: along dimension 0, vectors as rows."""
@overload
def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """input where the condition holds, other elsewhere."""
@overload
def where(condition: Tensor, *, out: Tensor | None = None) -> tuple[Tensor, ...]:
    """input where the condition holds, other elsewhere."""
@overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
@overload
def xlogy(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
@overload
def xlogy(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
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
    """Write 0 into every element."""
@overload
def zeros(*size: _int, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of this size filled with 0."""
@overload
def zeros(size: Any, *, out: Any = None, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
    """A tensor of this size filled with 0."""
def zeros_like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: Any = False, pin_memory: Any = False, memory_format: Any = ...) -> Tensor:
    """Zeros with the size, dtype and strides of the input."""
