# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator

Number = _int | _float | _complex

class Size(tuple[_int, ...]):
    def numel(self) -> _int: ...

class layout:
    name: _str

_Size = Size
_layout = layout
strided: layout
sparse_coo: layout
sparse_csr: layout

def is_tensor(obj: Any) -> _bool: ...

class Tensor:
    """An n-dimensional array that can remember how it was computed; `torch.Tensor`.
    
    `jgrad.tensor(data)` makes one of numbers, with memory of its own. With `requires_grad=True` it is a leaf: `backward()` adds to its
    `.grad`. Results of operations on it have a `grad_fn`, and their `.grad` stays None unless `retain_grad()` was called. Views
    (`x[1:3]`, `x.view(...)`, `x.detach()`) share memory and version counter with what they are views of."""
    __hash__: Any
    @property
    def H(self) -> Tensor: ...
    @property
    def T(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: Tensor | Number) -> Tensor: ...
    def __and__(self, other: Tensor | Number) -> Tensor: ...
    def __array__(self, dtype: Any = None) -> Any: ...
    def __bool__(self) -> _bool: ...
    def __complex__(self) -> _complex: ...
    def __contains__(self, element: Any) -> _bool: ...
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __float__(self) -> _float: ...
    def __floordiv__(self, other: Tensor | Number) -> Tensor: ...
    def __ge__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __getitem__(self, index: Any) -> Tensor: ...
    def __gt__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __iadd__(self, other: Tensor | Number) -> Tensor: ...
    def __iand__(self, other: Tensor | Number) -> Tensor: ...
    def __ifloordiv__(self, other: Tensor | Number) -> Tensor: ...
    def __ilshift__(self, other: Tensor | Number) -> Tensor: ...
    def __imod__(self, other: Tensor | Number) -> Tensor: ...
    def __imul__(self, other: Tensor | Number) -> Tensor: ...
    def __index__(self) -> _int: ...
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __int__(self) -> _int: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: Tensor | Number) -> Tensor: ...
    def __ipow__(self, other: Tensor | Number) -> Tensor: ...
    def __irshift__(self, other: Tensor | Number) -> Tensor: ...
    def __isub__(self, other: Tensor | Number) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __itruediv__(self, other: Tensor | Number) -> Tensor: ...
    def __ixor__(self, other: Tensor | Number) -> Tensor: ...
    def __le__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __len__(self) -> _int: ...
    def __lshift__(self, other: Tensor | Number) -> Tensor: ...
    def __lt__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __matmul__(self, other: Tensor | Number) -> Tensor: ...
    def __mod__(self, other: Tensor | Number) -> Tensor: ...
    def __mul__(self, other: Tensor | Number) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: Tensor | Number) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: Tensor | Number) -> Tensor: ...
    def __radd__(self, other: Tensor | Number) -> Tensor: ...
    def __rand__(self, other: Tensor | Number) -> Tensor: ...
    def __rfloordiv__(self, other: Tensor | Number) -> Tensor: ...
    def __rlshift__(self, other: Tensor | Number) -> Tensor: ...
    def __rmatmul__(self, other: Tensor | Number) -> Tensor: ...
    def __rmod__(self, other: Tensor | Number) -> Tensor: ...
    def __rmul__(self, other: Tensor | Number) -> Tensor: ...
    def __ror__(self, other: Tensor | Number) -> Tensor: ...
    def __rpow__(self, other: Tensor | Number) -> Tensor: ...
    def __rrshift__(self, other: Tensor | Number) -> Tensor: ...
    def __rshift__(self, other: Tensor | Number) -> Tensor: ...
    def __rsub__(self, other: Tensor | Number) -> Tensor: ...
    def __rtruediv__(self, other: Tensor | Number) -> Tensor: ...
    def __rxor__(self, other: Tensor | Number) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __sub__(self, other: Tensor | Number) -> Tensor: ...
    def __truediv__(self, other: Tensor | Number) -> Tensor: ...
    def __xor__(self, other: Tensor | Number) -> Tensor: ...
    def _index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """_index_put() in place: the result is written to self."""
    def _neg_view(self) -> Tensor:
        """The negative, a view: elements are negated when they are read."""
    def _slice(self, dim: _int, start: _int | None, end: _int | None, step: _int) -> Tensor:
        """A range of one dimension; a view."""
    def abs(self) -> Tensor:
        """The absolute value; its gradient at 0 is 0."""
    def abs_(self) -> Tensor:
        """abs() in place: the result is written to self."""
    def absolute(self) -> Tensor:
        """The absolute value; its gradient at 0 is 0."""
    def absolute_(self) -> Tensor:
        """abs() in place: the result is written to self."""
    def acos(self) -> Tensor:
        """The angle whose cosine is self."""
    def acos_(self) -> Tensor:
        """acos() in place: the result is written to self."""
    def acosh(self) -> Tensor:
        """The inverse of cosh."""
    def acosh_(self) -> Tensor:
        """`acosh` in place, without a derivative."""
    def add(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """self + alpha * other."""
    def add_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """add() in place: the result is written to self."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """beta * self + alpha times the sum of the products of two batches of matrices."""
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addbmm() in place: the result is written to self."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """self + value * tensor1 / tensor2."""
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """addcdiv() in place: the result is written to self."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """self + value * tensor1 * tensor2."""
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """addcmul() in place: the result is written to self."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """beta * self + alpha * (mat1 @ mat2); self is broadcast, and with beta=0 ignored."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addmm() in place: the result is written to self."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """beta * self + alpha * (mat @ vec)."""
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addmv() in place: the result is written to self."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """beta * self + alpha times the outer product of two vectors."""
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addr() in place: the result is written to self."""
    def adjoint(self) -> Tensor:
        """The last two dimensions exchanged, and complex numbers conjugated."""
    @overload
    def all(self) -> Tensor:
        """Whether all elements are non-zero, or all along some dimensions."""
    @overload
    def all(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether all elements are non-zero, or all along some dimensions."""
    def allclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
        """Whether all elements are close to each other."""
    def amax(self, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False) -> Tensor:
        """The largest elements over some dimensions (or all); equal ones share the gradient."""
    def amin(self, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False) -> Tensor:
        """The smallest elements over some dimensions (or all); equal ones share the gradient."""
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False) -> return_types.aminmax:
        """The smallest and the largest elements, of all or along a dimension."""
    def angle(self) -> Tensor:
        """The angle of a complex number; of a real one 0, or pi if it is negative."""
    @overload
    def any(self) -> Tensor:
        """Whether some element is non-zero, or some along some dimensions."""
    @overload
    def any(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether some element is non-zero, or some along some dimensions."""
    def apply_(self, callable: Any) -> Tensor:
        """Replace each element, in place, by what a Python function makes of it (and of those of other tensors)."""
    def arccos(self) -> Tensor:
        """The angle whose cosine is self."""
    def arccos_(self) -> Tensor:
        """acos() in place: the result is written to self."""
    def arccosh(self) -> Tensor:
        """The inverse of cosh."""
    def arccosh_(self) -> Tensor:
        """`acosh` in place, without a derivative."""
    def arcsin(self) -> Tensor:
        """The angle whose sine is self."""
    def arcsin_(self) -> Tensor:
        """asin() in place: the result is written to self."""
    def arcsinh(self) -> Tensor:
        """The inverse of sinh."""
    def arcsinh_(self) -> Tensor:
        """`asinh` in place, without a derivative."""
    def arctan(self) -> Tensor:
        """The angle whose tangent is self."""
    def arctan2(self, other: Tensor) -> Tensor:
        """The angle of the point (other, self), in its quadrant."""
    def arctan2_(self, other: Tensor) -> Tensor:
        """atan2() in place: the result is written to self."""
    def arctan_(self) -> Tensor:
        """atan() in place: the result is written to self."""
    def arctanh(self) -> Tensor:
        """The inverse of tanh."""
    def arctanh_(self) -> Tensor:
        """`atanh` in place, without a derivative."""
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the largest element, the first of several: along a dimension, or of all in one row."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the smallest element, the first of several: along a dimension, or of all in one row."""
    @overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that put the elements along a dimension in order; equal elements keep theirs."""
    @overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that put the elements along a dimension in order; equal elements keep theirs."""
    def argwhere(self) -> Tensor:
        """The indices of the elements that are not zero, one row each."""
    def as_strided(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A view of the storage with any geometry."""
    def as_strided_(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """as_strided() in place: the result is written to self."""
    def as_strided_scatter(self, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A copy of self (and of its storage) with src where a geometry says."""
    def asin(self) -> Tensor:
        """The angle whose sine is self."""
    def asin_(self) -> Tensor:
        """asin() in place: the result is written to self."""
    def asinh(self) -> Tensor:
        """The inverse of sinh."""
    def asinh_(self) -> Tensor:
        """`asinh` in place, without a derivative."""
    def atan(self) -> Tensor:
        """The angle whose tangent is self."""
    def atan2(self, other: Tensor) -> Tensor:
        """The angle of the point (other, self), in its quadrant."""
    def atan2_(self, other: Tensor) -> Tensor:
        """atan2() in place: the result is written to self."""
    def atan_(self) -> Tensor:
        """atan() in place: the result is written to self."""
    def atanh(self) -> Tensor:
        """The inverse of tanh."""
    def atanh_(self) -> Tensor:
        """`atanh` in place, without a derivative."""
    def backward(self, gradient: Tensor | None = None, retain_graph: _bool | None = None, create_graph: _bool = False, inputs: Any = None) -> None:
        """Compute the gradient of this tensor with respect to the leaves and add it to their `.grad`.
        
        `gradient` weighs the elements of a non-scalar. The graph's saved tensors are freed unless `retain_graph`; with `create_graph` the
        gradients themselves are recorded. `inputs` limits the accumulation to these tensors."""
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """beta * self + alpha times the products of two batches of matrices."""
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """baddbmm() in place: the result is written to self."""
    @overload
    def bernoulli(self, *, generator: _Generator | None = None) -> Tensor:
        """Ones, each with the probability that stands at its place, and zeros."""
    @overload
    def bernoulli(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Ones, each with the probability that stands at its place, and zeros."""
    @overload
    def bernoulli_(self, p: Tensor, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with ones, each with the probability p, and zeros."""
    @overload
    def bernoulli_(self, p: _float = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with ones, each with the probability p, and zeros."""
    def bfloat16(self, memory_format: Any = None) -> Tensor:
        """This tensor as bfloat16."""
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """How often each of the integers from 0 on occurs, or the sum of the weights where it does."""
    def bitwise_and(self, other: Tensor | Number) -> Tensor:
        """And, bit by bit; for booleans the logical and."""
    def bitwise_and_(self, other: Tensor | Number) -> Tensor:
        """bitwise_and() in place: the result is written to self."""
    def bitwise_left_shift(self, other: Tensor | Number) -> Tensor:
        """self * 2**other, in integers; 0 where other is negative or as large as the number of bits."""
    def bitwise_left_shift_(self, other: Tensor | Number) -> Tensor:
        """bitwise_left_shift() in place: the result is written to self."""
    def bitwise_not(self) -> Tensor:
        """Every bit flipped; for booleans the logical not."""
    def bitwise_not_(self) -> Tensor:
        """bitwise_not() in place: the result is written to self."""
    def bitwise_or(self, other: Tensor | Number) -> Tensor:
        """Or, bit by bit; for booleans the logical or."""
    def bitwise_or_(self, other: Tensor | Number) -> Tensor:
        """bitwise_or() in place: the result is written to self."""
    def bitwise_right_shift(self, other: Tensor | Number) -> Tensor:
        """self / 2**other rounded down, in integers; 0 or -1 where other is negative or as large as the number of bits."""
    def bitwise_right_shift_(self, other: Tensor | Number) -> Tensor:
        """bitwise_right_shift() in place: the result is written to self."""
    def bitwise_xor(self, other: Tensor | Number) -> Tensor:
        """Exclusive or, bit by bit."""
    def bitwise_xor_(self, other: Tensor | Number) -> Tensor:
        """bitwise_xor() in place: the result is written to self."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices."""
    def bool(self, memory_format: Any = None) -> Tensor:
        """This tensor as bool."""
    @overload
    def broadcast_to(self, size: Sequence[_int]) -> Tensor:
        """Expanded to `size`."""
    @overload
    def broadcast_to(self, *size: _int) -> Tensor:
        """Expanded to `size`."""
    def byte(self, memory_format: Any = None) -> Tensor:
        """This tensor as uint8."""
    def cauchy_(self, median: _float = 0.0, sigma: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with Cauchy-distributed numbers."""
    def cdouble(self, memory_format: Any = None) -> Tensor:
        """This tensor as complex128."""
    def ceil(self) -> Tensor:
        """Rounded up."""
    def ceil_(self) -> Tensor:
        """ceil() in place: the result is written to self."""
    def cfloat(self, memory_format: Any = None) -> Tensor:
        """This tensor as complex64."""
    def char(self, memory_format: Any = None) -> Tensor:
        """This tensor as int8."""
    def cholesky(self, upper: _bool = False) -> Tensor:
        """L of A = L L^H (or U of A = U^H U); a matrix that is not positive-definite is an error."""
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """The inverse of A, from its Cholesky factor."""
    def cholesky_solve(self, input2: Tensor, upper: _bool = False) -> Tensor:
        """X of A X = B, from the Cholesky factor of A."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` pieces of equal size (the last may be smaller); views."""
    @overload
    def clamp(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
    @overload
    def clamp(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
    @overload
    def clamp_(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clamp_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clamp_max(self, max: Number) -> Tensor:
        """Nothing above max."""
    @overload
    def clamp_max(self, max: Tensor) -> Tensor:
        """Nothing above max."""
    @overload
    def clamp_max_(self, max: Number) -> Tensor:
        """clamp_max() in place: the result is written to self."""
    @overload
    def clamp_max_(self, max: Tensor) -> Tensor:
        """clamp_max() in place: the result is written to self."""
    @overload
    def clamp_min(self, min: Number) -> Tensor:
        """Nothing below min."""
    @overload
    def clamp_min(self, min: Tensor) -> Tensor:
        """Nothing below min."""
    @overload
    def clamp_min_(self, min: Number) -> Tensor:
        """clamp_min() in place: the result is written to self."""
    @overload
    def clamp_min_(self, min: Tensor) -> Tensor:
        """clamp_min() in place: the result is written to self."""
    @overload
    def clip(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
    @overload
    def clip(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""
    @overload
    def clip_(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clip_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy with memory of its own; gradients flow through it."""
    def combinations(self, r: _int = 2, with_replacement: _bool = False) -> Tensor:
        """All choices of r elements of a vector, as rows; with or without taking an element several times."""
    def conj(self) -> Tensor:
        """The complex conjugate, a view whose elements are conjugated when they are read; a real tensor itself."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate as a tensor of its own; a real tensor itself."""
    def conj_physical_(self) -> Tensor:
        """Conjugate in place."""
    def const_data_ptr(self) -> _int:
        """The address of the first element, 0 if there is none."""
    def contiguous(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor itself if it is contiguous, or in the memory format given, else a copy that is."""
    def copy_(self, other: Tensor | Number, non_blocking: _bool = False) -> Tensor:
        """Write the elements of other into this tensor, with broadcasting and conversion of dtype; gradients flow to other."""
    @overload
    def copysign(self, other: Tensor) -> Tensor:
        """The size of self with the sign of other."""
    @overload
    def copysign(self, other: Number) -> Tensor:
        """The size of self with the sign of other."""
    @overload
    def copysign_(self, other: Tensor) -> Tensor:
        """copysign() in place: the result is written to self."""
    @overload
    def copysign_(self, other: Number) -> Tensor:
        """copysign() in place: the result is written to self."""
    def corrcoef(self) -> Tensor:
        """The correlation coefficients of variables (rows) over observations (columns)."""
    def cos(self) -> Tensor:
        """The cosine."""
    def cos_(self) -> Tensor:
        """cos() in place: the result is written to self."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """cosh() in place: the result is written to self."""
    @overload
    def count_nonzero(self, dim: Sequence[_int]) -> Tensor:
        """How many elements are not zero."""
    @overload
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """How many elements are not zero."""
    def cov(self, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """The covariances of variables (rows) over observations (columns), each of which may count several times or have a weight."""
    def cpu(self, memory_format: Any = None) -> Tensor:
        """This tensor on the CPU."""
    def cross(self, other: Tensor, dim: _int | None = None) -> Tensor:
        """The vectors perpendicular to two given ones, along a dimension of size 3 (the first that there is, if none is named)."""
    def cuda(self, device: Any = None, non_blocking: _bool = False, memory_format: Any = None) -> Tensor:
        """This tensor on a GPU."""
    def cummax(self, dim: _int) -> return_types.cummax:
        """The largest element so far, and where it was: of equal ones the last. From the first nan on it is nan."""
    def cummin(self, dim: _int) -> return_types.cummin:
        """The smallest element so far, and where it was: of equal ones the last. From the first nan on it is nan."""
    def cumprod(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The products from the first element to each; integers are multiplied as int64."""
    def cumprod_(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """cumprod() in place: the result is written to self."""
    def cumsum(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sums from the first element to each; integers are summed as int64."""
    def cumsum_(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """cumsum() in place: the result is written to self."""
    data: Tensor
    def data_ptr(self) -> _int:
        """The address of the first element, 0 if there is none."""
    def deg2rad(self) -> Tensor:
        """Degrees as radians."""
    def deg2rad_(self) -> Tensor:
        """deg2rad() in place: the result is written to self."""
    def det(self) -> Tensor:
        """The determinant."""
    def detach(self) -> Tensor:
        """A tensor on the same memory, with the same version counter, outside the graph."""
    def detach_(self) -> Tensor:
        """Take this tensor out of the graph, in place: it becomes a leaf."""
    @property
    def device(self) -> _device: ...
    def diag(self, diagonal: _int = 0) -> Tensor:
        """A vector as the diagonal of a matrix, or the diagonal of a matrix as a vector (a copy)."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Matrices of zeros (in the dimensions dim1 and dim2) with the last dimension of self on a diagonal."""
    def diagflat(self, offset: _int = 0) -> Tensor:
        """All elements on the diagonal of a matrix."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A diagonal of the matrices in two dimensions, as the last dimension; a view."""
    def diagonal_scatter(self, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A copy of self with src on a diagonal."""
    def diff(self, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
        """The differences between neighbours along a dimension, n times over; of bools, where they differ."""
    def digamma(self) -> Tensor:
        """The derivative of lgamma."""
    def digamma_(self) -> Tensor:
        """digamma() in place: the result is written to self."""
    def dim(self) -> _int:
        """The number of dimensions."""
    def dim_order(self) -> tuple:
        """The dimensions from the outermost in memory to the innermost."""
    def dist(self, other: Tensor, p: Number = 2) -> Tensor:
        """The p-norm of self - other."""
    @overload
    def div(self, other: Tensor | Number) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def div(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def div(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def div_(self, other: Tensor | Number) -> Tensor:
        """div() in place: the result is written to self."""
    @overload
    def div_(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """div() in place: the result is written to self."""
    @overload
    def div_(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """div() in place: the result is written to self."""
    @overload
    def divide(self, other: Tensor | Number) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def divide(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def divide(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """self / other; integers give the default float."""
    @overload
    def divide_(self, other: Tensor | Number) -> Tensor:
        """div() in place: the result is written to self."""
    @overload
    def divide_(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """div() in place: the result is written to self."""
    @overload
    def divide_(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """div() in place: the result is written to self."""
    def dot(self, tensor: Tensor) -> Tensor:
        """The sum of the products of two vectors."""
    def double(self, memory_format: Any = None) -> Tensor:
        """This tensor as float64."""
    @overload
    def dsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces along dimension 2; views."""
    @overload
    def dsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces along dimension 2; views."""
    @property
    def dtype(self) -> _dtype: ...
    def eig(self, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
        """Removed; see `linalg.eig`."""
    def element_size(self) -> _int:
        """Bytes per element."""
    def eq(self, other: Tensor | Number) -> Tensor:
        """self == other, element by element."""
    def eq_(self, other: Tensor | Number) -> Tensor:
        """eq() in place: the result is written to self."""
    def equal(self, other: Tensor) -> _bool:
        """Whether both have the same shape and the same elements."""
    def erf(self) -> Tensor:
        """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to self."""
    def erf_(self) -> Tensor:
        """erf() in place: the result is written to self."""
    def erfc(self) -> Tensor:
        """1 - erf(self), exact also where that is tiny."""
    def erfc_(self) -> Tensor:
        """erfc() in place: the result is written to self."""
    def erfinv(self) -> Tensor:
        """The inverse of erf, between -1 and 1."""
    def erfinv_(self) -> Tensor:
        """erfinv() in place: the result is written to self."""
    def exp(self) -> Tensor:
        """e to the power of self."""
    def exp2(self) -> Tensor:
        """2 to the power of self."""
    def exp2_(self) -> Tensor:
        """exp2() in place: the result is written to self."""
    def exp_(self) -> Tensor:
        """exp() in place: the result is written to self."""
    @overload
    def expand(self, size: Sequence[_int], *, implicit: _bool = False) -> Tensor:
        """Dimensions of size 1 stretched without copying (stride 0); -1 keeps a size; a view."""
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """Dimensions of size 1 stretched without copying (stride 0); -1 keeps a size; a view."""
    def expand_as(self, other: Tensor) -> Tensor:
        """Expanded to the shape of `other`."""
    def expm1(self) -> Tensor:
        """exp(self) - 1, exact near 0."""
    def expm1_(self) -> Tensor:
        """expm1() in place: the result is written to self."""
    def exponential_(self, lambd: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with exponentially distributed numbers of the rate `lambd`."""
    @overload
    def fill_(self, value: Tensor) -> Tensor:
        """Write one value into every element."""
    @overload
    def fill_(self, value: Number) -> Tensor:
        """Write one value into every element."""
    def fill_diagonal_(self, fill_value: Number, wrap: _bool = False) -> Tensor:
        """Write one number along the diagonal, in place; with `wrap` a tall matrix has another diagonal after each square."""
    def fix(self) -> Tensor:
        """Rounded towards zero."""
    def fix_(self) -> Tensor:
        """trunc() in place: the result is written to self."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """A range of dimensions joined into one."""
    @overload
    def flip(self, dims: Sequence[_int]) -> Tensor:
        """The elements along some dimensions in reverse order; a copy."""
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """The elements along some dimensions in reverse order; a copy."""
    def fliplr(self) -> Tensor:
        """The columns in reverse order; a copy."""
    def flipud(self) -> Tensor:
        """The rows in reverse order; a copy."""
    def float(self, memory_format: Any = None) -> Tensor:
        """This tensor as float32."""
    @overload
    def float_power(self, exponent: Tensor) -> Tensor:
        """self to the power of exponent, in double precision."""
    @overload
    def float_power(self, exponent: Number) -> Tensor:
        """self to the power of exponent, in double precision."""
    @overload
    def float_power_(self, exponent: Tensor) -> Tensor:
        """self to the power of exponent, in place; self must be of double precision."""
    @overload
    def float_power_(self, exponent: Number) -> Tensor:
        """self to the power of exponent, in place; self must be of double precision."""
    def floor(self) -> Tensor:
        """Rounded down."""
    def floor_(self) -> Tensor:
        """floor() in place: the result is written to self."""
    @overload
    def floor_divide(self, other: Number) -> Tensor:
        """self / other, rounded down."""
    @overload
    def floor_divide(self, other: Tensor | Number) -> Tensor:
        """self / other, rounded down."""
    @overload
    def floor_divide_(self, other: Number) -> Tensor:
        """floor_divide() in place: the result is written to self."""
    @overload
    def floor_divide_(self, other: Tensor | Number) -> Tensor:
        """floor_divide() in place: the result is written to self."""
    def fmax(self, other: Tensor) -> Tensor:
        """The larger of two elements, or the one that is a number."""
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller of two elements, or the one that is a number."""
    @overload
    def fmod(self, other: Number) -> Tensor:
        """The rest of a division, with the sign of the dividend."""
    @overload
    def fmod(self, other: Tensor) -> Tensor:
        """The rest of a division, with the sign of the dividend."""
    @overload
    def fmod_(self, other: Number) -> Tensor:
        """fmod() in place: the result is written to self."""
    @overload
    def fmod_(self, other: Tensor) -> Tensor:
        """fmod() in place: the result is written to self."""
    def frac(self) -> Tensor:
        """What `trunc` cuts off."""
    def frac_(self) -> Tensor:
        """frac() in place: the result is written to self."""
    def frexp(self) -> return_types.frexp:
        """self as mantissa * 2**exponent, the mantissa between a half and one."""
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """out[i][j] = self[index[i][j]][j] for dim 0, and so on."""
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor."""
    def gcd_(self, other: Tensor) -> Tensor:
        """gcd() in place: the result is written to self."""
    def ge(self, other: Tensor | Number) -> Tensor:
        """self >= other, element by element."""
    def ge_(self, other: Tensor | Number) -> Tensor:
        """ge() in place: the result is written to self."""
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with the numbers of trials until the first success, which has the probability p."""
    def geqrf(self) -> return_types.geqrf:
        """R above the diagonal, and below it the vectors of the reflections whose product is Q; and their factors."""
    def ger(self, vec2: Tensor) -> Tensor:
        """The older name of outer."""
    def get_device(self) -> _int:
        """The number of the GPU; -1 for tensors on the CPU."""
    grad: Tensor | None
    @property
    def grad_dtype(self) -> Any: ...
    @property
    def grad_fn(self) -> Any: ...
    def gradient(self, *, spacing: Any = None, dim: Any = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
        """The slopes along each dimension (or those named): from both neighbours inside, at the edges from `edge_order` neighbours on one side.
        `spacing` is a step, a list of steps, or a list of vectors of coordinates, one per dimension."""
    def greater(self, other: Tensor | Number) -> Tensor:
        """self > other, element by element."""
    def greater_(self, other: Tensor | Number) -> Tensor:
        """gt() in place: the result is written to self."""
    def greater_equal(self, other: Tensor | Number) -> Tensor:
        """self >= other, element by element."""
    def greater_equal_(self, other: Tensor | Number) -> Tensor:
        """ge() in place: the result is written to self."""
    def gt(self, other: Tensor | Number) -> Tensor:
        """self > other, element by element."""
    def gt_(self, other: Tensor | Number) -> Tensor:
        """gt() in place: the result is written to self."""
    def half(self, memory_format: Any = None) -> Tensor:
        """This tensor as float16."""
    def hardshrink(self, lambd: Number = 0.5) -> Tensor:
        """self, with elements between -lambd and lambd set to zero."""
    def heaviside(self, values: Tensor) -> Tensor:
        """0 below zero, 1 above, `values` at zero."""
    def heaviside_(self, values: Tensor) -> Tensor:
        """heaviside() in place: the result is written to self."""
    def histc(self, bins: _int = 100, min: Number = 0, max: Number = 0) -> Tensor:
        """How many elements fall into each of equal bins between min and max (both 0: the smallest and the largest element)."""
    @overload
    def histogram(self, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False) -> return_types.histogram:
        """How many elements (or what weight) fall into each bin, and the edges of the bins: those given, or of equal bins in a range."""
    @overload
    def histogram(self, bins: _int = 100, *, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False) -> return_types.histogram:
        """How many elements (or what weight) fall into each bin, and the edges of the bins: those given, or of equal bins in a range."""
    @overload
    def hsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces side by side: along dimension 1, or 0 if there is no other; views."""
    @overload
    def hsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces side by side: along dimension 1, or 0 if there is no other; views."""
    def hypot(self, other: Tensor) -> Tensor:
        """sqrt(self**2 + other**2), without overflow."""
    def hypot_(self, other: Tensor) -> Tensor:
        """hypot() in place: the result is written to self."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0."""
    def i0_(self) -> Tensor:
        """i0() in place: the result is written to self."""
    def igamma(self, other: Tensor) -> Tensor:
        """The share of the gamma function's integral below other; derivatives by other alone."""
    def igamma_(self, other: Tensor) -> Tensor:
        """igamma() in place: the result is written to self."""
    def igammac(self, other: Tensor) -> Tensor:
        """The share of the gamma function's integral above other; derivatives by other alone."""
    def igammac_(self, other: Tensor) -> Tensor:
        """igammac() in place: the result is written to self."""
    @property
    def imag(self) -> Tensor: ...
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
        """A copy of self with the slices of source added at the indices; repeated indices add up."""
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
        """index_add() in place: the result is written to self."""
    def index_copy(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """A copy of self with the slices of source at the indices."""
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """index_copy() in place: the result is written to self."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """A copy of self with one number in all the slices at the indices."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """A copy of self with one number in all the slices at the indices."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """index_fill() in place: the result is written to self."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """index_fill() in place: the result is written to self."""
    def index_put(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy of self with values where the tuple of index tensors points; with `accumulate` added to what is there."""
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """Write values where the tuple of index tensors points, or with `accumulate` add them."""
    def index_reduce(self, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """A copy of self where the slices of source that have one index are combined: by prod, mean, amax or amin; with the old slice
        unless include_self is False."""
    def index_reduce_(self, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """index_reduce() in place: the result is written to self."""
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """The slices of a dimension that a vector of indices names."""
    def inner(self, other: Tensor) -> Tensor:
        """The sums of products along the last dimension of both; with a 0-d tensor the plain product."""
    def int(self, memory_format: Any = None) -> Tensor:
        """This tensor as int32."""
    def inverse(self) -> Tensor:
        """The inverse; a singular matrix is an error."""
    def is_complex(self) -> _bool:
        ...
    def is_conj(self) -> _bool:
        """Whether elements are conjugated when they are read."""
    def is_contiguous(self, memory_format: Any = None) -> _bool:
        """Whether the elements are in row-major order in memory, without gaps; or in the order of another format."""
    @property
    def is_cpu(self) -> Any: ...
    @property
    def is_cuda(self) -> Any: ...
    def is_floating_point(self) -> _bool:
        ...
    def is_inference(self) -> _bool:
        """Whether this tensor was made in inference mode."""
    @property
    def is_ipu(self) -> Any: ...
    @property
    def is_leaf(self) -> _bool: ...
    @property
    def is_maia(self) -> Any: ...
    @property
    def is_meta(self) -> Any: ...
    @property
    def is_mkldnn(self) -> Any: ...
    @property
    def is_mps(self) -> Any: ...
    @property
    def is_mtia(self) -> Any: ...
    def is_neg(self) -> _bool:
        """Whether elements are negated when they are read."""
    @property
    def is_nested(self) -> Any: ...
    def is_nonzero(self) -> _bool:
        """Whether the one element is not zero."""
    def is_pinned(self, device: Any = None) -> _bool:
        """Whether this tensor is in memory that `pin_memory` gave."""
    @property
    def is_quantized(self) -> Any: ...
    def is_same_size(self, other: Tensor) -> _bool:
        """Whether both tensors have the same size."""
    def is_set_to(self, tensor: Tensor) -> _bool:
        """Whether both are the same elements of one storage, in the same geometry."""
    def is_signed(self) -> _bool:
        """Whether the dtype has negative numbers."""
    @property
    def is_sparse(self) -> Any: ...
    @property
    def is_sparse_csr(self) -> Any: ...
    @property
    def is_vulkan(self) -> Any: ...
    @property
    def is_xla(self) -> Any: ...
    @property
    def is_xpu(self) -> Any: ...
    def isclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
        """Where |self - other| <= atol + |rtol * other|, or both are equal."""
    def isfinite(self) -> Tensor:
        """Where an element is neither infinite nor nan."""
    def isinf(self) -> Tensor:
        """Where an element is infinite."""
    def isnan(self) -> Tensor:
        """Where an element is not a number."""
    def isneginf(self) -> Tensor:
        """Where an element is minus infinity."""
    def isposinf(self) -> Tensor:
        """Where an element is plus infinity."""
    def isreal(self) -> Tensor:
        """Where the imaginary part is 0."""
    def istft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
        """The signal of which this is the stft: the pieces added where they overlap, and divided by what the windows add up to."""
    def item(self) -> Any:
        """The one element as a Python number."""
    @property
    def itemsize(self) -> _int: ...
    def kron(self, other: Tensor) -> Tensor:
        """The Kronecker product: every element of self times the whole of other."""
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> return_types.kthvalue:
        """The k-th smallest element along a dimension (counted from 1), and where it was; of equal elements the one that PyTorch's algorithm
        happens to find (in tensors with more than 8192 elements: the one that comes k-th when they keep their order)."""
    @property
    def layout(self) -> _layout: ...
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple."""
    def lcm_(self, other: Tensor) -> Tensor:
        """lcm() in place: the result is written to self."""
    def ldexp(self, other: Tensor) -> Tensor:
        """self * 2**other."""
    def ldexp_(self, other: Tensor) -> Tensor:
        """ldexp() in place: the result is written to self."""
    def le(self, other: Tensor | Number) -> Tensor:
        """self <= other, element by element."""
    def le_(self, other: Tensor | Number) -> Tensor:
        """le() in place: the result is written to self."""
    @overload
    def lerp(self, end: Tensor, weight: Number) -> Tensor:
        """self + weight * (end - self): the way from self to end, as far as the weight says."""
    @overload
    def lerp(self, end: Tensor, weight: Tensor) -> Tensor:
        """self + weight * (end - self): the way from self to end, as far as the weight says."""
    @overload
    def lerp_(self, end: Tensor, weight: Number) -> Tensor:
        """lerp() in place: the result is written to self."""
    @overload
    def lerp_(self, end: Tensor, weight: Tensor) -> Tensor:
        """lerp() in place: the result is written to self."""
    def less(self, other: Tensor | Number) -> Tensor:
        """self < other, element by element."""
    def less_(self, other: Tensor | Number) -> Tensor:
        """lt() in place: the result is written to self."""
    def less_equal(self, other: Tensor | Number) -> Tensor:
        """self <= other, element by element."""
    def less_equal_(self, other: Tensor | Number) -> Tensor:
        """le() in place: the result is written to self."""
    def lgamma(self) -> Tensor:
        """The logarithm of the gamma function's absolute value."""
    def lgamma_(self) -> Tensor:
        """lgamma() in place: the result is written to self."""
    def log(self) -> Tensor:
        """The natural logarithm."""
    def log10(self) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """log10() in place: the result is written to self."""
    def log1p(self) -> Tensor:
        """log(1 + self), exact near 0."""
    def log1p_(self) -> Tensor:
        """log1p() in place: the result is written to self."""
    def log2(self) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """log2() in place: the result is written to self."""
    def log_(self) -> Tensor:
        """log() in place: the result is written to self."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with numbers whose logarithms are normally distributed."""
    def log_softmax(self, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
        """The logarithm of softmax, computed without its rounding errors."""
    def logaddexp(self, other: Tensor) -> Tensor:
        """log(exp(self) + exp(other)), without overflow."""
    def logaddexp2(self, other: Tensor) -> Tensor:
        """log2(2**self + 2**other), without overflow."""
    def logcumsumexp(self, dim: _int) -> Tensor:
        """The logarithms of the sums of exponentials from the first element to each, without overflow; floating dtypes only."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant; of a negative one nan."""
    def logical_and(self, other: Tensor) -> Tensor:
        """Both are non-zero."""
    def logical_and_(self, other: Tensor) -> Tensor:
        """logical_and() in place: the result is written to self."""
    def logical_not(self) -> Tensor:
        """It is zero."""
    def logical_not_(self) -> Tensor:
        """logical_not() in place: the result is written to self."""
    def logical_or(self, other: Tensor) -> Tensor:
        """One of both is non-zero."""
    def logical_or_(self, other: Tensor) -> Tensor:
        """logical_or() in place: the result is written to self."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """One of both is non-zero, not both."""
    def logical_xor_(self, other: Tensor) -> Tensor:
        """logical_xor() in place: the result is written to self."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """log(self / (1 - self)), of self kept between eps and 1 - eps."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """logit() in place: the result is written to self."""
    def logsumexp(self, dim: _int | Sequence[_int], keepdim: _bool = False) -> Tensor:
        """The logarithm of the sum of exp(self) over some dimensions, without overflow."""
    def long(self, memory_format: Any = None) -> Tensor:
        """This tensor as int64."""
    def lstsq(self, A: Tensor, *, out: Any = None) -> Any:
        """Removed; see `linalg.lstsq`."""
    def lt(self, other: Tensor | Number) -> Tensor:
        """self < other, element by element."""
    def lt_(self, other: Tensor | Number) -> Tensor:
        """lt() in place: the result is written to self."""
    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> tuple:
        """The LU factorization; see `jgrad.lu`."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """X of A X = B, from the LU factorization of A."""
    @property
    def mH(self) -> Tensor: ...
    @property
    def mT(self) -> Tensor: ...
    def map2_(self, x: Tensor, y: Tensor, callable: Any) -> Tensor:
        """Replace each element, in place, by what a Python function makes of it (and of those of other tensors)."""
    def map_(self, other: Tensor, callable: Any) -> Tensor:
        """Replace each element, in place, by what a Python function makes of it (and of those of other tensors)."""
    @overload
    def masked_fill(self, mask: Tensor, value: Number) -> Tensor:
        """self with `value` wherever the mask is true."""
    @overload
    def masked_fill(self, mask: Tensor, value: Tensor) -> Tensor:
        """self with `value` wherever the mask is true."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Number) -> Tensor:
        """masked_fill() in place: the result is written to self."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Tensor) -> Tensor:
        """masked_fill() in place: the result is written to self."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy of self with the elements of source, one after the other, where the mask is true."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """masked_scatter() in place: the result is written to self."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where the mask is true, in one dimension."""
    def matmul(self, other: Tensor) -> Tensor:
        """The matrix product, of vectors, matrices and batches of them; leading dimensions broadcast."""
    def matrix_exp(self) -> Tensor:
        """The sum of A^k / k!."""
    def matrix_power(self, n: _int) -> Tensor:
        """The matrix multiplied with itself n times; of its inverse, if n is negative."""
    @overload
    def max(self) -> Tensor:
        """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the larger elements."""
    @overload
    def max(self, other: Tensor) -> Tensor:
        """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the larger elements."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> return_types.max:
        """The largest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the larger elements."""
    def maximum(self, other: Tensor) -> Tensor:
        """The larger of two elements; equal ones share the gradient."""
    @overload
    def mean(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of all elements, or over some dimensions; floating and complex dtypes only."""
    @overload
    def mean(self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of all elements, or over some dimensions; floating and complex dtypes only."""
    @overload
    def median(self) -> Tensor:
        """The lower of the middle elements: of all (equal ones share the gradient), or along a dimension (values, indices)."""
    @overload
    def median(self, dim: _int, keepdim: _bool = False) -> return_types.median:
        """The lower of the middle elements: of all (equal ones share the gradient), or along a dimension (values, indices)."""
    @overload
    def min(self) -> Tensor:
        """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the smaller elements."""
    @overload
    def min(self, other: Tensor) -> Tensor:
        """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the smaller elements."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> return_types.min:
        """The smallest of all elements (equal ones share the gradient); along a dimension (values, indices), where the first of
        several has the gradient; of two tensors the smaller elements."""
    def minimum(self, other: Tensor) -> Tensor:
        """The smaller of two elements; equal ones share the gradient."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> return_types.mode:
        """The most frequent values along a dimension, the smallest of several, and where they stand last."""
    @overload
    def moveaxis(self, source: _int, destination: _int) -> Tensor:
        """One dimension (or several) put elsewhere among the others; a view."""
    @overload
    def moveaxis(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """One dimension (or several) put elsewhere among the others; a view."""
    @overload
    def movedim(self, source: _int, destination: _int) -> Tensor:
        """One dimension (or several) put elsewhere among the others; a view."""
    @overload
    def movedim(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """One dimension (or several) put elsewhere among the others; a view."""
    def msort(self) -> Tensor:
        """Sorted along the first dimension."""
    def mul(self, other: Tensor | Number) -> Tensor:
        """self * other."""
    def mul_(self, other: Tensor | Number) -> Tensor:
        """mul() in place: the result is written to self."""
    def multinomial(self, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None) -> Tensor:
        """Indices, drawn with the probabilities (or weights) in the rows of the input."""
    def multiply(self, other: Tensor | Number) -> Tensor:
        """self * other."""
    def multiply_(self, other: Tensor | Number) -> Tensor:
        """mul() in place: the result is written to self."""
    def mv(self, vec: Tensor) -> Tensor:
        """A matrix times a vector."""
    def mvlgamma(self, p: _int) -> Tensor:
        """The logarithm of the gamma function of p dimensions."""
    def mvlgamma_(self, p: _int) -> Tensor:
        """mvlgamma() in place: the result is written to self."""
    def nan_to_num(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """nan as 0 and infinities as the largest numbers of the dtype, or as what is given for them."""
    def nan_to_num_(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """nan_to_num() in place: the result is written to self."""
    def nanmean(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of the elements that are numbers."""
    @overload
    def nanmedian(self) -> Tensor:
        """The median of the elements that are numbers."""
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> return_types.nanmedian:
        """The median of the elements that are numbers."""
    @overload
    def nanquantile(self, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles of the elements that are numbers."""
    @overload
    def nanquantile(self, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles of the elements that are numbers."""
    def nansum(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of the elements that are numbers."""
    @overload
    def narrow(self, dim: _int, start: _int, length: _int) -> Tensor:
        """A range of one dimension, by its start and length; a view."""
    @overload
    def narrow(self, dim: _int, start: Tensor, length: _int) -> Tensor:
        """A range of one dimension, by its start and length; a view."""
    def narrow_copy(self, dim: _int, start: _int, length: _int) -> Tensor:
        """A range of one dimension, by its start and length, in memory of its own."""
    @property
    def nbytes(self) -> _int: ...
    @property
    def ndim(self) -> _int: ...
    def ndimension(self) -> _int:
        """The number of dimensions."""
    def ne(self, other: Tensor | Number) -> Tensor:
        """self != other, element by element."""
    def ne_(self, other: Tensor | Number) -> Tensor:
        """ne() in place: the result is written to self."""
    def neg(self) -> Tensor:
        """-self."""
    def neg_(self) -> Tensor:
        """neg() in place: the result is written to self."""
    def negative(self) -> Tensor:
        """-self."""
    def negative_(self) -> Tensor:
        """neg() in place: the result is written to self."""
    def nelement(self) -> _int:
        """The number of elements."""
    def new(self, *args: Any, size: Any = None, device: Any = None) -> Tensor:
        """What `Tensor(...)` gives, in this tensor's dtype."""
    @overload
    def new_empty(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size with whatever was in memory. With this tensor's dtype and device."""
    @overload
    def new_empty(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size with whatever was in memory. With this tensor's dtype and device."""
    def new_empty_strided(self, size: Any, stride: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """Uninitialised, with this size and these strides. With this tensor's dtype and device."""
    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size filled with a number. With this tensor's dtype and device."""
    @overload
    def new_ones(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size filled with 1. With this tensor's dtype and device."""
    @overload
    def new_ones(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size filled with 1. With this tensor's dtype and device."""
    def new_tensor(self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: _bool = False) -> Tensor:
        """A new leaf with a copy of the data, in this tensor's dtype."""
    @overload
    def new_zeros(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size filled with 0. With this tensor's dtype and device."""
    @overload
    def new_zeros(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of this size filled with 0. With this tensor's dtype and device."""
    def nextafter(self, other: Tensor) -> Tensor:
        """The next floating point number after self, towards other."""
    def nextafter_(self, other: Tensor) -> Tensor:
        """nextafter() in place: the result is written to self."""
    @overload
    def nonzero(self) -> Tensor:
        """The indices of the elements that are not zero, one row each; with as_tuple=True a vector per dimension."""
    @overload
    def nonzero(self, *, as_tuple: _bool, out: Tensor | None = None) -> tuple[Tensor, ...]:
        """The indices of the elements that are not zero, one row each; with as_tuple=True a vector per dimension."""
    def nonzero_static(self, *, size: _int, fill_value: _int = -1) -> Tensor:
        """The indices of the first `size` elements that are not zero, one row each; missing ones are filled up."""
    def norm(self, p: Any = 'fro', dim: Any = None, keepdim: _bool = False, dtype: Any = None) -> Tensor:
        """The norm of all elements or over some dimensions; see `jgrad.norm`."""
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with normally distributed numbers."""
    def not_equal(self, other: Tensor | Number) -> Tensor:
        """self != other, element by element."""
    def not_equal_(self, other: Tensor | Number) -> Tensor:
        """ne() in place: the result is written to self."""
    def numel(self) -> _int:
        """The number of elements."""
    def numpy(self, *, force: _bool = False) -> Any:
        """The elements as an ndarray on the same memory; with `force` also for tensors that require grad."""
    def orgqr(self, input2: Tensor) -> Tensor:
        """Another name of linalg.householder_product."""
    def ormqr(self, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False) -> Tensor:
        """Q C, for Q the product of the reflections of `geqrf`; C Q unless left, with transpose Q^H for Q."""
    def outer(self, vec2: Tensor) -> Tensor:
        """All products of an element of one vector and an element of the other."""
    @property
    def output_nr(self) -> _int: ...
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor:
        """The dimensions in another order; a view."""
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """The dimensions in another order; a view."""
    def pin_memory(self, device: Any = None) -> Tensor:
        """This tensor in memory that does not move, from which a GPU can copy while others work."""
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The Moore-Penrose inverse; singular values up to rcond times the largest count as zero."""
    def polygamma(self, n: Any) -> Tensor:
        """The n-th derivative of digamma, of this tensor."""
    def polygamma_(self, n: _int) -> Tensor:
        """The n-th derivative of digamma, in place."""
    def positive(self) -> Tensor:
        """The tensor itself."""
    @overload
    def pow(self, exponent: Number) -> Tensor:
        """self to the power of exponent; either may be a number."""
    @overload
    def pow(self, exponent: Tensor) -> Tensor:
        """self to the power of exponent; either may be a number."""
    @overload
    def pow_(self, exponent: Number) -> Tensor:
        """pow() in place: the result is written to self."""
    @overload
    def pow_(self, exponent: Tensor) -> Tensor:
        """pow() in place: the result is written to self."""
    def prelu(self, weight: Tensor) -> Tensor:
        """self where it is positive, weight * self elsewhere, with one weight or one for each channel (dimension 1)."""
    @overload
    def prod(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The product of all elements, or along a dimension; integers are multiplied as int64."""
    @overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The product of all elements, or along a dimension; integers are multiplied as int64."""
    def put(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy of self with the elements of source at places counted in row-major order, or added there with `accumulate`."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """put() in place: the result is written to self."""
    def qr(self, some: _bool = True) -> return_types.qr:
        """A = Q R with orthogonal columns in Q and an upper R."""
    @overload
    def quantile(self, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The q-quantiles (q from 0 to 1, a number or a vector of them) of all elements or along a dimension."""
    @overload
    def quantile(self, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The q-quantiles (q from 0 to 1, a number or a vector of them) of all elements or along a dimension."""
    def rad2deg(self) -> Tensor:
        """Radians as degrees."""
    def rad2deg_(self) -> Tensor:
        """rad2deg() in place: the result is written to self."""
    @overload
    def random_(self, from_: _int, to: _int | None, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with integers: from `from` (0) up to but without `to` (the largest that the dtype holds)."""
    @overload
    def random_(self, to: _int, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with integers: from `from` (0) up to but without `to` (the largest that the dtype holds)."""
    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with integers: from `from` (0) up to but without `to` (the largest that the dtype holds)."""
    def ravel(self) -> Tensor:
        """One dimension."""
    @property
    def real(self) -> Tensor: ...
    def reciprocal(self) -> Tensor:
        """1 / self."""
    def reciprocal_(self) -> Tensor:
        """reciprocal() in place: the result is written to self."""
    def register_hook(self, hook: Callable) -> Any:
        """Call `hook(grad)` whenever the gradient of this tensor is computed; what it returns replaces the gradient."""
    def register_post_accumulate_grad_hook(self, hook: Callable) -> Any:
        """Call `hook(tensor)` whenever a gradient was added to this leaf's `.grad`."""
    def relu(self) -> Tensor:
        """self where it is positive, 0 elsewhere."""
    def relu_(self) -> Tensor:
        """relu() in place: the result is written to self."""
    @overload
    def remainder(self, other: Number) -> Tensor:
        """The rest of a division, with the sign of the divisor."""
    @overload
    def remainder(self, other: Tensor) -> Tensor:
        """The rest of a division, with the sign of the divisor."""
    @overload
    def remainder_(self, other: Number) -> Tensor:
        """remainder() in place: the result is written to self."""
    @overload
    def remainder_(self, other: Tensor) -> Tensor:
        """remainder() in place: the result is written to self."""
    def renorm(self, p: Number, dim: _int, maxnorm: Number) -> Tensor:
        """Each slice along a dimension whose p-norm is larger than maxnorm is shortened to it."""
    def renorm_(self, p: Number, dim: _int, maxnorm: Number) -> Tensor:
        """renorm() in place: the result is written to self."""
    @overload
    def repeat(self, repeats: Sequence[_int]) -> Tensor:
        """The tensor laid side by side with itself, so many times along each dimension; new dimensions come in front."""
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """The tensor laid side by side with itself, so many times along each dimension; new dimensions come in front."""
    @overload
    def repeat_interleave(self, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
    @overload
    def repeat_interleave(self, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
    @overload
    def repeat_interleave(self, *, output_size: _int | None = None) -> Tensor:
        """Each element (or slice along `dim`) several times in a row; of a tensor of counts alone, each index so many times."""
    requires_grad: _bool
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Switch recording for this leaf on or off, in place."""
    @overload
    def reshape(self, shape: Sequence[_int]) -> Tensor:
        """Another shape: a view where strides allow it, a copy where not."""
    @overload
    def reshape(self, *shape: _int) -> Tensor:
        """Another shape: a view where strides allow it, a copy where not."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """Reshaped to the shape of `other`."""
    @overload
    def resize_(self, size: Sequence[_int], *, memory_format: _memory_format | None = None) -> Tensor:
        """Another shape over the same storage, which grows if it must; elements that were not there before hold anything.
        
        Raises RuntimeError for tensors that require grad and for memory that NumPy lent."""
    @overload
    def resize_(self, *size: _int, memory_format: _memory_format | None = None) -> Tensor:
        """Another shape over the same storage, which grows if it must; elements that were not there before hold anything.
        
        Raises RuntimeError for tensors that require grad and for memory that NumPy lent."""
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
        """Resized, in place, to the shape of another tensor; with `preserve_format` also to channels_last, if that has it."""
    def resolve_conj(self) -> Tensor:
        """The tensor itself, or a conjugated copy if its conjugation is postponed."""
    def resolve_neg(self) -> Tensor:
        """The tensor itself, or a negated copy if its negation is postponed."""
    def retain_grad(self) -> None:
        """Have backward fill `.grad` of this non-leaf too; does nothing on a leaf."""
    @property
    def retains_grad(self) -> _bool: ...
    def roll(self, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = ...) -> Tensor:
        """The elements moved along dimensions (or in the flattened tensor); what leaves at the end comes back at the beginning."""
    def rot90(self, k: _int = 1, dims: Sequence[_int] = ...) -> Tensor:
        """Turned k times by 90 degrees, from the first of two dimensions towards the second; a copy."""
    @overload
    def round(self) -> Tensor:
        """Rounded to the nearest integer, halves to the even one; with `decimals` to so many places."""
    @overload
    def round(self, *, decimals: _int) -> Tensor:
        """Rounded to the nearest integer, halves to the even one; with `decimals` to so many places."""
    @overload
    def round_(self) -> Tensor:
        """round() in place: the result is written to self."""
    @overload
    def round_(self, *, decimals: _int) -> Tensor:
        """round() in place: the result is written to self."""
    def rsqrt(self) -> Tensor:
        """1 / sqrt(self)."""
    def rsqrt_(self) -> Tensor:
        """rsqrt() in place: the result is written to self."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: _str) -> Tensor:
        """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Number, *, reduce: _str) -> Tensor:
        """A copy of self with self[index[i][j]][j] = src[i][j] for dim 0, and so on; of repeated indices one wins."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """scatter() in place: the result is written to self."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """scatter() in place: the result is written to self."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor, *, reduce: _str) -> Tensor:
        """scatter() in place: the result is written to self."""
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: Number, *, reduce: _str) -> Tensor:
        """scatter() in place: the result is written to self."""
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy of self with self[index[i][j]][j] += src[i][j] for dim 0, and so on; repeated indices add up."""
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """scatter_add() in place: the result is written to self."""
    def scatter_reduce(self, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """A copy of self where the elements of src that have one index are combined: by sum, prod, mean, amax or amin; with the old value
        unless include_self is False."""
    def scatter_reduce_(self, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """scatter_reduce() in place: the result is written to self."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """One index of one dimension, which goes away; a view."""
    def select_scatter(self, src: Tensor, dim: _int, index: _int) -> Tensor:
        """A copy of self with src at one index of a dimension."""
    def set_(self, source: Any = None, storage_offset: _int = 0, size: Sequence[_int] | None = None, stride: Sequence[_int] | None = None) -> Tensor:
        """This tensor on the memory of another tensor or of a storage, in place; without a source an empty one."""
    def sgn(self) -> Tensor:
        """The sign: -1, 0 or 1."""
    def sgn_(self) -> Tensor:
        """sgn() in place: the result is written to self."""
    @property
    def shape(self) -> _Size: ...
    def short(self, memory_format: Any = None) -> Tensor:
        """This tensor as int16."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-self))."""
    def sigmoid_(self) -> Tensor:
        """sigmoid() in place: the result is written to self."""
    def sigmoid_backward(self, output: Tensor) -> Tensor:
        """The gradient of sigmoid from its result."""
    def sign(self) -> Tensor:
        """The sign: -1, 0 or 1."""
    def sign_(self) -> Tensor:
        """sign() in place: the result is written to self."""
    def signbit(self) -> Tensor:
        """Where the sign is minus, also that of -0."""
    def sin(self) -> Tensor:
        """The sine."""
    def sin_(self) -> Tensor:
        """sin() in place: the result is written to self."""
    def sinc(self) -> Tensor:
        """sin(pi * self) / (pi * self), 1 for 0."""
    def sinc_(self) -> Tensor:
        """sinc() in place: the result is written to self."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """sinh() in place: the result is written to self."""
    def size(self, dim: _int | None = None) -> Any:
        """The shape, or the extent of one dimension."""
    def slice_scatter(self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1) -> Tensor:
        """A copy of self with src in a range of a dimension."""
    def slogdet(self) -> return_types.slogdet:
        """The sign (for complex matrices the phase) of the determinant, and the logarithm of its absolute value."""
    def softmax(self, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
        """exp(self), divided by its sum along a dimension; `dtype` is what self is converted to first."""
    def solve(self, A: Tensor, *, out: Any = None) -> Any:
        """Removed; see `linalg.solve`."""
    @overload
    def sort(self, *, stable: _bool | None, dim: _int = -1, descending: _bool = False) -> return_types.sort:
        """The elements along a dimension in order, and where they were. Equal elements keep their order with `stable=True`; without, they come in
        that which PyTorch's algorithm happens to leave (of tensors with more than 8192 elements: they keep theirs)."""
    @overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> return_types.sort:
        """The elements along a dimension in order, and where they were. Equal elements keep their order with `stable=True`; without, they come in
        that which PyTorch's algorithm happens to leave (of tensors with more than 8192 elements: they keep theirs)."""
    def split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of equal size (the last may be smaller); views."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of these sizes; views."""
    def sqrt(self) -> Tensor:
        """The square root."""
    def sqrt_(self) -> Tensor:
        """sqrt() in place: the result is written to self."""
    def square(self) -> Tensor:
        """self * self."""
    def square_(self) -> Tensor:
        """Multiply every element by itself, in place."""
    @overload
    def squeeze(self) -> Tensor:
        """Dimensions of size 1 taken out (all, or those named); a view."""
    @overload
    def squeeze(self, dim: _int) -> Tensor:
        """Dimensions of size 1 taken out (all, or those named); a view."""
    @overload
    def squeeze(self, dim: Sequence[_int]) -> Tensor:
        """Dimensions of size 1 taken out (all, or those named); a view."""
    @overload
    def squeeze_(self) -> Tensor:
        """squeeze() in place: the result is written to self."""
    @overload
    def squeeze_(self, dim: _int) -> Tensor:
        """squeeze() in place: the result is written to self."""
    @overload
    def squeeze_(self, dim: Sequence[_int]) -> Tensor:
        """squeeze() in place: the result is written to self."""
    @overload
    def std(self, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor:
        """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
    @overload
    def std(self, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> Tensor:
        """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
    @overload
    def std(self, unbiased: _bool = True) -> Tensor:
        """The standard deviation, of all elements or over some dimensions; `correction` as in var."""
    def stft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
        """The Fourier transforms of pieces of n_fft points that are hop_length apart, each times the window: frequencies by pieces."""
    def storage(self) -> Any:
        """The storage as a flat sequence of this dtype; deprecated: `untyped_storage()` is what stays."""
    def storage_offset(self) -> _int:
        """Elements between the beginning of the storage and the first element."""
    def storage_type(self) -> Any:
        ...
    def stride(self, dim: _int | None = None) -> Any:
        """Elements to skip in memory per step of each dimension, or of one."""
    def sub(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """self - alpha * other."""
    def sub_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """sub() in place: the result is written to self."""
    def subtract(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """self - alpha * other."""
    def subtract_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """sub() in place: the result is written to self."""
    @overload
    def sum(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of all elements, or over some dimensions; integers are summed as int64."""
    @overload
    def sum(self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of all elements, or over some dimensions; integers are summed as int64."""
    @overload
    def sum_to_size(self, size: Sequence[_int]) -> Tensor:
        """Summed over the dimensions that broadcasting from `size` added or stretched."""
    @overload
    def sum_to_size(self, *size: _int) -> Tensor:
        """Summed over the dimensions that broadcasting from `size` added or stretched."""
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> return_types.svd:
        """A = U diag(S) V^H, the singular values in descending order; `linalg.svd` gives V^H itself."""
    def swapaxes(self, axis0: _int, axis1: _int) -> Tensor:
        """Two dimensions exchanged; a view."""
    def swapaxes_(self, axis0: _int, axis1: _int) -> Tensor:
        """Two dimensions exchanged, in place."""
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions exchanged; a view."""
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions exchanged, in place."""
    def symeig(self, eigenvectors: _bool = False, upper: _bool = True, *, out: Any = None) -> Any:
        """Removed; see `linalg.eigh`."""
    def t(self) -> Tensor:
        """A matrix transposed; a view."""
    def t_(self) -> Tensor:
        """t() in place: the result is written to self."""
    def take(self, index: Tensor) -> Tensor:
        """The elements at places counted in row-major order, in the shape of the index."""
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """gather with broadcasting; without dim both are flattened."""
    def tan(self) -> Tensor:
        """The tangent."""
    def tan_(self) -> Tensor:
        """tan() in place: the result is written to self."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """tanh() in place: the result is written to self."""
    def tanh_backward(self, output: Tensor) -> Tensor:
        """The gradient of tanh from its result."""
    @overload
    def tensor_split(self, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
    @overload
    def tensor_split(self, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
        """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
    def threshold_backward(self, input: Tensor, threshold: Number) -> Tensor:
        """The gradient where self is above the threshold, zero elsewhere."""
    @overload
    def tile(self, dims: Sequence[_int]) -> Tensor:
        """As repeat, but dimensions that `dims` leaves out at the front are not repeated."""
    @overload
    def tile(self, *dims: _int) -> Tensor:
        """As repeat, but dimensions that `dims` leaves out at the front are not repeated."""
    def to(self, *args: Any, dtype: Any = None, device: Any = None, non_blocking: _bool = False, copy: _bool = False, memory_format: Any = None, other: Any = None) -> Tensor:
        """This tensor in another dtype or on another device; itself if nothing changes, unless `copy`."""
    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> return_types.topk:
        """The k largest (smallest) elements along a dimension, and where they were; with `sorted=False` in no certain order. Of equal elements
        those that PyTorch's algorithm happens to find (in tensors with more than 8192 elements: the first, and always in order)."""
    def trace(self) -> Tensor:
        """The sum of the diagonal of a matrix."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions exchanged; a view."""
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """transpose() in place: the result is written to self."""
    def triangular_solve(self, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False) -> return_types.triangular_solve:
        """X of A X = B for a triangular A, and a copy of A."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangles of the last two dimensions up to a diagonal, zeros above."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """tril() in place: the result is written to self."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangles of the last two dimensions from a diagonal on, zeros below."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """triu() in place: the result is written to self."""
    def true_divide(self, other: Tensor | Number) -> Tensor:
        """self / other; integers give the default float."""
    def true_divide_(self, other: Tensor | Number) -> Tensor:
        """Divide in place."""
    def trunc(self) -> Tensor:
        """Rounded towards zero."""
    def trunc_(self) -> Tensor:
        """trunc() in place: the result is written to self."""
    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any:
        """The older name of the dtype (`torch.FloatTensor`), or this tensor converted to a dtype."""
    def type_as(self, other: Tensor) -> Tensor:
        """This tensor in the dtype and on the device of another."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """The slices along one dimension, which goes away; views."""
    def unflatten(self, dim: _int, sizes: Sequence[_int]) -> Tensor:
        """One dimension as several, one of whose sizes may be -1; a view."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """All windows of a size that are a step apart along a dimension; their elements are along a new last one; a view."""
    def uniform_(self, from_: _float = 0.0, to: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with numbers that are equally likely anywhere between `from` and `to`."""
    def unique(self, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The distinct elements in order, or the distinct slices along `dim`; if asked for also the index of each element among
        them, and how many there are of each. Always sorted. nan differs from nan."""
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
        """The first element of each run of equal ones (or slice along `dim`); if asked for also the run each element is in, and the
        length of the runs."""
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` pieces of equal size on the same memory, which autograd does not know of."""
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of equal size on the same memory, which autograd does not know of: writing to one leaves self unaware."""
    def unsafe_split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of these sizes on the same memory, which autograd does not know of."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """A dimension of size 1 put in; a view."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """unsqueeze() in place: the result is written to self."""
    def untyped_storage(self) -> Any:
        """The storage this tensor is a view of."""
    @overload
    def var(self, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor:
        """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
    @overload
    def var(self, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> Tensor:
        """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
    @overload
    def var(self, unbiased: _bool = True) -> Tensor:
        """The variance, of all elements or over some dimensions; divided by the number of elements minus `correction` (1)."""
    def vdot(self, other: Tensor) -> Tensor:
        """The sum of the products of two vectors, the first one conjugated."""
    @overload
    def view(self, size: Sequence[_int]) -> Tensor:
        """The same memory in another shape, if strides allow it; one size may be -1."""
    @overload
    def view(self, *size: _int) -> Tensor:
        """The same memory in another shape, if strides allow it; one size may be -1."""
    @overload
    def view(self, dtype: _dtype | _type) -> Tensor:
        """The same memory in another shape, if strides allow it; one size may be -1."""
    def view_as(self, other: Tensor) -> Tensor:
        """A view with the shape of `other`."""
    @overload
    def vsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces one above the other, along dimension 0; views."""
    @overload
    def vsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces one above the other, along dimension 0; views."""
    def where(self, condition: Tensor, other: Any) -> Tensor:
        ...
    @overload
    def xlogy(self, other: Tensor) -> Tensor:
        """self * log(other), 0 where self is 0 (unless other is nan)."""
    @overload
    def xlogy(self, other: Number) -> Tensor:
        """self * log(other), 0 where self is 0 (unless other is nan)."""
    @overload
    def xlogy_(self, other: Tensor) -> Tensor:
        """xlogy() in place: the result is written to self."""
    @overload
    def xlogy_(self, other: Number) -> Tensor:
        """xlogy() in place: the result is written to self."""
    def zero_(self) -> Tensor:
        """Write 0 into every element."""
