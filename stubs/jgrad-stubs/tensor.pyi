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
    (`x[1:3]`, `x.view(...)`, `x.detach()`) share memory and version counter with what they are views of.
    
    Calling `Tensor` itself is the older way to make a tensor. Prefer `jgrad.tensor` for values and `jgrad.empty` for a shape.
    
    Args:
        size: ints are the shape of a tensor whose elements are not set. One list, array, tensor or storage is `data`, `other` or `storage`
        data: a list or an array: its values, in the default dtype
        other: a tensor: a detached alias that shares its memory
        storage: a storage: a tensor of all of its memory
        device: None or the CPU; other devices are not possible here
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    >>> jgrad.Tensor([1, 2])
    tensor([1., 2.])
    >>> jgrad.Tensor(1, 2).shape
    jgrad.Size([1, 2])
    """
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
    def _coalesced_(self, coalesced: _bool) -> Tensor:
        """Declare that a sparse tensor is coalesced, or not, without a look at it.
        
        Args:
            coalesced: what `is_coalesced()` gives from now on
        
        Returns the tensor itself.
        
        >>> jgrad.sparse_coo_tensor([[0, 1]], [1., 2.], (2,))._coalesced_(True).is_coalesced()
        True
        """
    def _index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """_index_put() in place: the result is written to self."""
    def _indices(self) -> Tensor:
        """The places of a sparse tensor as they are kept; they need not be sorted. See `indices`.
        
        >>> jgrad.sparse_coo_tensor([[2, 0]], [1., 2.], (3,))._indices()
        tensor([[2, 0]])
        """
    def _neg_view(self) -> Tensor:
        """The negative, a view: elements are negated when they are read.
        
        See `jgrad._neg_view`.
        """
    def _nnz(self) -> _int:
        """The number of places that a sparse tensor keeps.
        
        >>> jgrad.sparse_coo_tensor([[0, 0]], [1., 2.], (3,))._nnz()
        2
        """
    def _slice(self, dim: _int, start: _int | None, end: _int | None, step: _int) -> Tensor:
        """A range of one dimension; a view."""
    def _values(self) -> Tensor:
        """The values of a sparse tensor as they are kept, without history; a place may occur several times. See `values`.
        
        >>> jgrad.sparse_coo_tensor([[2, 0]], [1., 2.], (3,))._values()
        tensor([1., 2.])
        """
    def abs(self) -> Tensor:
        """The absolute value of each element. For a complex number it is the distance from 0. `absolute` is another name.
        
        See `jgrad.abs`.
        """
    def abs_(self) -> Tensor:
        """abs() in place: the result is written to self."""
    def absolute(self) -> Tensor:
        """The absolute value of each element. For a complex number it is the distance from 0. `absolute` is another name.
        
        See `jgrad.abs`.
        """
    def absolute_(self) -> Tensor:
        """abs() in place: the result is written to self."""
    def acos(self) -> Tensor:
        """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name.
        
        See `jgrad.acos`.
        """
    def acos_(self) -> Tensor:
        """acos() in place: the result is written to self."""
    def acosh(self) -> Tensor:
        """The inverse of `cosh`, element by element. `arccosh` is another name.
        
        See `jgrad.acosh`.
        """
    def acosh_(self) -> Tensor:
        """Replace every element by its `acosh`, in place. `arccosh_` is another name.
        
        See `jgrad.acosh_`.
        """
    def add(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """The sum `input + alpha * other`, element by element. Both broadcast with each other.
        
        See `jgrad.add`.
        """
    def add_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """add() in place: the result is written to self."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """The sum of the products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2).sum(0)`.
        
        See `jgrad.addbmm`.
        """
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addbmm() in place: the result is written to self."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """`input + value * tensor1 / tensor2`, element by element. All three tensors broadcast with each other.
        
        See `jgrad.addcdiv`.
        """
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """addcdiv() in place: the result is written to self."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """`input + value * tensor1 * tensor2`, element by element. All three tensors broadcast with each other.
        
        See `jgrad.addcmul`.
        """
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        """addcmul() in place: the result is written to self."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """The matrix product of `mat1` and `mat2`, scaled and added to a tensor: `beta * input + alpha * (mat1 @ mat2)`.
        
        See `jgrad.addmm`.
        """
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addmm() in place: the result is written to self."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """The product of a matrix and a vector, scaled and added to a tensor: `beta * input + alpha * (mat @ vec)`.
        
        See `jgrad.addmv`.
        """
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addmv() in place: the result is written to self."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """The outer product of two vectors, scaled and added to a tensor: `beta * input + alpha * outer(vec1, vec2)`.
        
        See `jgrad.addr`.
        """
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """addr() in place: the result is written to self."""
    def adjoint(self) -> Tensor:
        """The matrices in the last two dimensions, transposed; complex numbers are also conjugated.
        
        See `jgrad.adjoint`.
        """
    @overload
    def all(self) -> Tensor:
        """Whether all elements are not zero: all of them, or all along some dimensions.
        
        See `jgrad.all`.
        """
    @overload
    def all(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether all elements are not zero: all of them, or all along some dimensions."""
    def allclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
        """Whether all elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity.
        
        See `jgrad.allclose`.
        """
    def amax(self, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False) -> Tensor:
        """The largest of all elements, or the largest elements over some dimensions.
        
        See `jgrad.amax`.
        """
    def amin(self, dim: _int | Sequence[_int] | None = ..., keepdim: _bool = False) -> Tensor:
        """The smallest of all elements, or the smallest elements over some dimensions.
        
        See `jgrad.amin`.
        """
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False) -> return_types.aminmax:
        """The smallest and the largest of all elements, or both along a dimension.
        
        See `jgrad.aminmax`.
        """
    def angle(self) -> Tensor:
        """The angle of each complex number in radians, between -pi and pi. The angle of a real number is 0, or pi if it is negative.
        
        See `jgrad.angle`.
        """
    @overload
    def any(self) -> Tensor:
        """Whether at least one element is not zero: of all elements, or along some dimensions.
        
        See `jgrad.any`.
        """
    @overload
    def any(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether at least one element is not zero: of all elements, or along some dimensions."""
    def apply_(self, callable: Any) -> Tensor:
        """Replace each element, in place, by the result of a Python function of it. It is slow, and only for tensors on the CPU.
        
        Args:
            callable: a function of one number, which returns a number
        
        Returns the tensor itself. Raises RuntimeError if it requires a gradient.
        
        >>> x = jgrad.tensor([1., 2., 3.])
        >>> x.apply_(lambda a: a * a)
        tensor([1., 4., 9.])
        """
    def arccos(self) -> Tensor:
        """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name.
        
        See `jgrad.acos`.
        """
    def arccos_(self) -> Tensor:
        """acos() in place: the result is written to self."""
    def arccosh(self) -> Tensor:
        """The inverse of `cosh`, element by element. `arccosh` is another name.
        
        See `jgrad.acosh`.
        """
    def arccosh_(self) -> Tensor:
        """Replace every element by its `acosh`, in place. `arccosh_` is another name.
        
        See `jgrad.acosh_`.
        """
    def arcsin(self) -> Tensor:
        """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name.
        
        See `jgrad.asin`.
        """
    def arcsin_(self) -> Tensor:
        """asin() in place: the result is written to self."""
    def arcsinh(self) -> Tensor:
        """The inverse of `sinh`, element by element. `arcsinh` is another name.
        
        See `jgrad.asinh`.
        """
    def arcsinh_(self) -> Tensor:
        """Replace every element by its `asinh`, in place. `arcsinh_` is another name.
        
        See `jgrad.asinh_`.
        """
    def arctan(self) -> Tensor:
        """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name.
        
        See `jgrad.atan`.
        """
    def arctan2(self, other: Tensor) -> Tensor:
        """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name.
        
        See `jgrad.atan2`.
        """
    def arctan2_(self, other: Tensor) -> Tensor:
        """atan2() in place: the result is written to self."""
    def arctan_(self) -> Tensor:
        """atan() in place: the result is written to self."""
    def arctanh(self) -> Tensor:
        """The inverse of `tanh`, element by element. `arctanh` is another name.
        
        See `jgrad.atanh`.
        """
    def arctanh_(self) -> Tensor:
        """Replace every element by its `atanh`, in place. `arctanh_` is another name.
        
        See `jgrad.atanh_`.
        """
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the largest element: along a dimension, or of all elements in one row.
        
        See `jgrad.argmax`.
        """
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the smallest element: along a dimension, or of all elements in one row.
        
        See `jgrad.argmin`.
        """
    @overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that put the elements along a dimension in order. A nan is larger than every number.
        
        See `jgrad.argsort`.
        """
    @overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that put the elements along a dimension in order. A nan is larger than every number."""
    def argwhere(self) -> Tensor:
        """The indices of all elements that are not zero, row by row: the same as `nonzero`.
        
        See `jgrad.argwhere`.
        """
    def as_strided(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A view with any shape and strides of the memory on which the tensor lies.
        
        See `jgrad.as_strided`.
        """
    def as_strided_(self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """as_strided() in place: the result is written to self."""
    def as_strided_scatter(self, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None) -> Tensor:
        """A copy of the tensor with `src` at the places in memory that strides describe: as `x.as_strided(size, stride).copy_(src)`, but `x` stays
        as it is.
        
        See `jgrad.as_strided_scatter`.
        """
    def asin(self) -> Tensor:
        """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name.
        
        See `jgrad.asin`.
        """
    def asin_(self) -> Tensor:
        """asin() in place: the result is written to self."""
    def asinh(self) -> Tensor:
        """The inverse of `sinh`, element by element. `arcsinh` is another name.
        
        See `jgrad.asinh`.
        """
    def asinh_(self) -> Tensor:
        """Replace every element by its `asinh`, in place. `arcsinh_` is another name.
        
        See `jgrad.asinh_`.
        """
    def atan(self) -> Tensor:
        """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name.
        
        See `jgrad.atan`.
        """
    def atan2(self, other: Tensor) -> Tensor:
        """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name.
        
        See `jgrad.atan2`.
        """
    def atan2_(self, other: Tensor) -> Tensor:
        """atan2() in place: the result is written to self."""
    def atan_(self) -> Tensor:
        """atan() in place: the result is written to self."""
    def atanh(self) -> Tensor:
        """The inverse of `tanh`, element by element. `arctanh` is another name.
        
        See `jgrad.atanh`.
        """
    def atanh_(self) -> Tensor:
        """Replace every element by its `atanh`, in place. `arctanh_` is another name.
        
        See `jgrad.atanh_`.
        """
    def backward(self, gradient: Tensor | None = None, retain_graph: _bool | None = None, create_graph: _bool = False, inputs: Any = None) -> None:
        """Compute the gradient of this tensor with respect to the leaves of the graph and add it to their `.grad`.
        
        Args:
            gradient: the gradient to start from, of the shape of this tensor; it weighs the elements; None starts from 1 and is possible for a
                real tensor with one element only
            retain_graph: whether to keep the saved tensors, so that another backward pass through this graph is possible; None means the
                value of `create_graph`
            create_graph: whether to record the computation of the gradients, so that derivatives of higher order are possible
            inputs: a tensor or a sequence of tensors whose `.grad` is filled, which need not be leaves; None means all leaves of the graph
        
        Raises RuntimeError if this tensor does not require grad, or if the saved tensors were freed by a pass before or changed in place.
        
        >>> x = jgrad.tensor([1., 2.], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        >>> (x * x).backward(gradient=jgrad.tensor([1., 10.]))
        >>> x.grad  # [2, 40] was added
        tensor([ 4., 44.])
        """
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """The products of two batches of matrices, scaled and added to a tensor: `beta * input + alpha * bmm(batch1, batch2)`.
        
        See `jgrad.baddbmm`.
        """
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1) -> Tensor:
        """baddbmm() in place: the result is written to self."""
    @overload
    def bernoulli(self, *, generator: _Generator | None = None) -> Tensor:
        """Random zeros and ones: each is one with the probability at its place.
        
        See `jgrad.bernoulli`.
        """
    @overload
    def bernoulli(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Random zeros and ones: each is one with the probability at its place."""
    @overload
    def bernoulli_(self, p: Tensor, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random zeros and ones.
        
        Args:
            p: the probability of a one: a number, or a tensor that has a probability for each place and broadcasts to the shape of this one
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a
        gradient. The gradient for `p` is 0.
        
        >>> jgrad.zeros(3).bernoulli_(jgrad.tensor([0., 1., 1.]))
        tensor([0., 1., 1.])
        """
    @overload
    def bernoulli_(self, p: _float = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random zeros and ones."""
    def bfloat16(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to bfloat16. Of complex numbers the real part remains. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).bfloat16()
        >>> x.dtype
        jgrad.bfloat16
        >>> x.tolist()
        [0.0, 2.75]
        """
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """How often each of the integers 0, 1, 2, ... occurs; with weights, the sum of the weights of each.
        
        See `jgrad.bincount`.
        """
    def bitwise_and(self, other: Tensor | Number) -> Tensor:
        """The bits that are 1 in both elements. For bools it is the logical and.
        
        See `jgrad.bitwise_and`.
        """
    def bitwise_and_(self, other: Tensor | Number) -> Tensor:
        """bitwise_and() in place: the result is written to self."""
    def bitwise_left_shift(self, other: Tensor | Number) -> Tensor:
        """The bits of `input` moved to the left by `other` places: `input * 2**other` for integers.
        
        See `jgrad.bitwise_left_shift`.
        """
    def bitwise_left_shift_(self, other: Tensor | Number) -> Tensor:
        """bitwise_left_shift() in place: the result is written to self."""
    def bitwise_not(self) -> Tensor:
        """Each element with every bit flipped. For bools it is the logical not. For signed integers it is `-input - 1`.
        
        See `jgrad.bitwise_not`.
        """
    def bitwise_not_(self) -> Tensor:
        """bitwise_not() in place: the result is written to self."""
    def bitwise_or(self, other: Tensor | Number) -> Tensor:
        """The bits that are 1 in one of both elements, or in both. For bools it is the logical or.
        
        See `jgrad.bitwise_or`.
        """
    def bitwise_or_(self, other: Tensor | Number) -> Tensor:
        """bitwise_or() in place: the result is written to self."""
    def bitwise_right_shift(self, other: Tensor | Number) -> Tensor:
        """The bits of `input` moved to the right by `other` places: `input / 2**other` rounded down, for integers.
        
        See `jgrad.bitwise_right_shift`.
        """
    def bitwise_right_shift_(self, other: Tensor | Number) -> Tensor:
        """bitwise_right_shift() in place: the result is written to self."""
    def bitwise_xor(self, other: Tensor | Number) -> Tensor:
        """The bits that are 1 in exactly one of both elements. For bools it is the logical exclusive or.
        
        See `jgrad.bitwise_xor`.
        """
    def bitwise_xor_(self, other: Tensor | Number) -> Tensor:
        """bitwise_xor() in place: the result is written to self."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices: each matrix of the first is multiplied by the matrix at the same place of the second.
        
        See `jgrad.bmm`.
        """
    def bool(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to bool. 0 becomes False, every other number True. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).bool()
        >>> x.dtype
        jgrad.bool
        >>> x.tolist()
        [False, True]
        """
    @overload
    def broadcast_to(self, size: Sequence[_int]) -> Tensor:
        """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front.
        
        See `jgrad.broadcast_to`.
        """
    @overload
    def broadcast_to(self, *size: _int) -> Tensor:
        """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front."""
    def byte(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to uint8. Digits after the point are cut off. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).byte()
        >>> x.dtype
        jgrad.uint8
        >>> x.tolist()
        [0, 2]
        """
    def cauchy_(self, median: _float = 0.0, sigma: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers of a Cauchy distribution, which has no mean: very large numbers occur now and then.
        
        Args:
            median: the number below which half of the numbers lie
            sigma: half of the numbers lie no farther from the median than this; positive
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(1001).cauchy_(median=3., sigma=0.5)
        >>> bool((x.median() - 3).abs() < 0.2)
        True
        """
    def cdouble(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to complex128. The imaginary part of real numbers becomes 0. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).cdouble()
        >>> x.dtype
        jgrad.complex128
        >>> x.tolist()
        [0j, (2.75+0j)]
        """
    def ceil(self) -> Tensor:
        """Each element rounded up: the smallest integer that is not less than the element.
        
        See `jgrad.ceil`.
        """
    def ceil_(self) -> Tensor:
        """ceil() in place: the result is written to self."""
    def cfloat(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to complex64. The imaginary part of real numbers becomes 0. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).cfloat()
        >>> x.dtype
        jgrad.complex64
        >>> x.tolist()
        [0j, (2.75+0j)]
        """
    def char(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to int8. Digits after the point are cut off. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).char()
        >>> x.dtype
        jgrad.int8
        >>> x.tolist()
        [0, 2]
        """
    def cholesky(self, upper: _bool = False) -> Tensor:
        """The Cholesky factorization A = L L^H of positive-definite matrices. Use `linalg.cholesky` in new code.
        
        See `jgrad.cholesky`.
        """
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """The inverse of A, from the Cholesky factor of A.
        
        See `jgrad.cholesky_inverse`.
        """
    def cholesky_solve(self, input2: Tensor, upper: _bool = False) -> Tensor:
        """The solution X of the linear system A X = B, from the Cholesky factor of A.
        
        See `jgrad.cholesky_solve`.
        """
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller.
        
        See `jgrad.chunk`.
        """
    @overload
    def clamp(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name.
        
        See `jgrad.clamp`.
        """
    @overload
    def clamp(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name."""
    @overload
    def clamp_(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clamp_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clamp_max(self, max: Number) -> Tensor:
        """`input` with its elements kept at `max` or below: larger ones become `max`.
        
        See `jgrad.clamp_max`.
        """
    @overload
    def clamp_max(self, max: Tensor) -> Tensor:
        """`input` with its elements kept at `max` or below: larger ones become `max`."""
    @overload
    def clamp_max_(self, max: Number) -> Tensor:
        """clamp_max() in place: the result is written to self."""
    @overload
    def clamp_max_(self, max: Tensor) -> Tensor:
        """clamp_max() in place: the result is written to self."""
    @overload
    def clamp_min(self, min: Number) -> Tensor:
        """`input` with its elements kept at `min` or above: smaller ones become `min`.
        
        See `jgrad.clamp_min`.
        """
    @overload
    def clamp_min(self, min: Tensor) -> Tensor:
        """`input` with its elements kept at `min` or above: smaller ones become `min`."""
    @overload
    def clamp_min_(self, min: Number) -> Tensor:
        """clamp_min() in place: the result is written to self."""
    @overload
    def clamp_min_(self, min: Tensor) -> Tensor:
        """clamp_min() in place: the result is written to self."""
    @overload
    def clip(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name.
        
        See `jgrad.clamp`.
        """
    @overload
    def clip(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name."""
    @overload
    def clip_(self, min: Number | None = None, max: Number | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    @overload
    def clip_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """clamp() in place: the result is written to self."""
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy with memory of its own; gradients flow through it.
        
        See `jgrad.clone`.
        """
    def coalesce(self) -> Tensor:
        """The same tensor with sorted places, each of which occurs once: values at equal places are added up.
        
        Returns this tensor itself if it is coalesced, else a new one. Raises RuntimeError if it is not sparse.
        
        >>> x = jgrad.sparse_coo_tensor([[1, 0, 1]], [1., 2., 3.], (2,))
        >>> x.coalesce()
        tensor(indices=tensor([[0, 1]]),
               values=tensor([2., 4.]),
               size=(2,), nnz=2, layout=jgrad.sparse_coo)
        """
    def combinations(self, r: _int = 2, with_replacement: _bool = False) -> Tensor:
        """All ways to choose `r` elements of a vector, as the rows of a matrix. The order within a choice doesn't count.
        
        See `jgrad.combinations`.
        """
    def conj(self) -> Tensor:
        """The complex conjugate: each imaginary part gets the opposite sign. The elements are conjugated when they are read.
        
        See `jgrad.conj`.
        """
    def conj_physical(self) -> Tensor:
        """The complex conjugate, computed immediately, in memory of its own. `conj` returns a view instead.
        
        See `jgrad.conj_physical`.
        """
    def conj_physical_(self) -> Tensor:
        """Replace every element by its complex conjugate, in place. Real tensors are not changed.
        
        See `jgrad.conj_physical_`.
        """
    def const_data_ptr(self) -> _int:
        """The memory address of the first element, as an int; 0 if the tensor has no elements.
        
        Two tensors that begin at the same place of the same memory have equal addresses. A tensor on the meta device has the address 0.
        
        >>> x = jgrad.zeros(3)
        >>> x.view(1, 3).data_ptr() == x.data_ptr()
        True
        >>> x[1:].data_ptr() - x.data_ptr()  # one float32 has 4 bytes
        4
        """
    def contiguous(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor with its elements in order in memory, without gaps.
        
        Args:
            memory_format: the order of the dimensions in memory; None means `jgrad.contiguous_format`, where the last index changes fastest.
                `jgrad.channels_last` is for four dimensions, `jgrad.channels_last_3d` for five
        
        Returns the tensor itself if it is contiguous already, else a copy.
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.contiguous() is x
        True
        >>> y = x.t()
        >>> y.is_contiguous()
        False
        >>> y.stride(), y.contiguous().stride()
        ((1, 3), (2, 1))
        """
    def copy_(self, other: Tensor | Number, non_blocking: _bool = False) -> Tensor:
        """Write the elements of another tensor into this one.
        
        Gradients flow to `other`, and none to the old elements.
        
        Args:
            other: a tensor whose shape can be broadcast to this shape; its elements are converted to this dtype
            non_blocking: whether a copy between CPU and GPU may go on while the program continues
        
        Returns this tensor itself. A leaf that requires grad raises RuntimeError, unless recording is off.
        
        >>> x = jgrad.zeros(2, 2)
        >>> x.copy_(jgrad.tensor([1, 2]))
        tensor([[1., 2.],
                [1., 2.]])
        """
    @overload
    def copysign(self, other: Tensor) -> Tensor:
        """The absolute value of `input` with the sign of `other`, element by element.
        
        See `jgrad.copysign`.
        """
    @overload
    def copysign(self, other: Number) -> Tensor:
        """The absolute value of `input` with the sign of `other`, element by element."""
    @overload
    def copysign_(self, other: Tensor) -> Tensor:
        """copysign() in place: the result is written to self."""
    @overload
    def copysign_(self, other: Number) -> Tensor:
        """copysign() in place: the result is written to self."""
    def corrcoef(self) -> Tensor:
        """The correlation coefficients of variables over observations. Each row of the matrix is a variable, each column an observation.
        
        See `jgrad.corrcoef`.
        """
    def cos(self) -> Tensor:
        """The cosine of each element, an angle in radians.
        
        See `jgrad.cos`.
        """
    def cos_(self) -> Tensor:
        """cos() in place: the result is written to self."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine of each element: `(exp(input) + exp(-input)) / 2`.
        
        See `jgrad.cosh`.
        """
    def cosh_(self) -> Tensor:
        """cosh() in place: the result is written to self."""
    @overload
    def count_nonzero(self, dim: Sequence[_int]) -> Tensor:
        """How many elements are not zero: of all elements, or over some dimensions.
        
        See `jgrad.count_nonzero`.
        """
    @overload
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """How many elements are not zero: of all elements, or over some dimensions."""
    def cov(self, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """The covariances of variables over observations. Each row of the matrix is a variable, each column an observation.
        
        See `jgrad.cov`.
        """
    def cpu(self, memory_format: Any = None) -> Tensor:
        """This tensor on the CPU.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a copy of a tensor of another device. A tensor of the CPU is returned itself.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> x.cpu() is x
        True
        """
    def cross(self, other: Tensor, dim: _int | None = None) -> Tensor:
        """The cross products of vectors with three elements: each is perpendicular to both of its vectors.
        
        See `jgrad.cross`.
        """
    def cuda(self, device: Any = None, non_blocking: _bool = False, memory_format: Any = None) -> Tensor:
        """This tensor on a GPU. Without a GPU it raises an error.
        
        Args:
            device: the GPU, as a device, its name or its number; None is the current one
            non_blocking: whether the copy may go on while the program continues; the tensor must be in pinned memory
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor on the GPU. A tensor that is there already is returned itself.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> if jgrad.cuda.is_available():
        ...     x = x.cuda()
        >>> x.is_cuda == jgrad.cuda.is_available()
        True
        """
    def cummax(self, dim: _int) -> return_types.cummax:
        """The largest element up to each one, along a dimension, and where it is.
        
        See `jgrad.cummax`.
        """
    def cummin(self, dim: _int) -> return_types.cummin:
        """The smallest element up to each one, along a dimension, and where it is.
        
        See `jgrad.cummin`.
        """
    def cumprod(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The products of the elements up to each one, along a dimension.
        
        See `jgrad.cumprod`.
        """
    def cumprod_(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """cumprod() in place: the result is written to self."""
    def cumsum(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sums of the elements up to each one, along a dimension.
        
        See `jgrad.cumsum`.
        """
    def cumsum_(self, dim: _int, *, dtype: _dtype | _type | None = None) -> Tensor:
        """cumsum() in place: the result is written to self."""
    data: Tensor
    def data_ptr(self) -> _int:
        """The memory address of the first element, as an int; 0 if the tensor has no elements.
        
        Two tensors that begin at the same place of the same memory have equal addresses. A tensor on the meta device has the address 0.
        
        >>> x = jgrad.zeros(3)
        >>> x.view(1, 3).data_ptr() == x.data_ptr()
        True
        >>> x[1:].data_ptr() - x.data_ptr()  # one float32 has 4 bytes
        4
        """
    def deg2rad(self) -> Tensor:
        """Angles in degrees converted to radians: `input * pi / 180`.
        
        See `jgrad.deg2rad`.
        """
    def deg2rad_(self) -> Tensor:
        """deg2rad() in place: the result is written to self."""
    def dense_dim(self) -> _int:
        """The number of dense dimensions: those of the values after the first one. For a dense tensor, all of its dimensions.
        
        >>> jgrad.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]], (3, 2)).dense_dim()
        1
        """
    def det(self) -> Tensor:
        """The determinant of square matrices. It is `linalg.det`.
        
        See `jgrad.det`.
        """
    def detach(self) -> Tensor:
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
    def detach_(self) -> Tensor:
        """Take this tensor out of the graph, in place: it becomes a leaf that does not require grad.
        
        See `jgrad.detach_`.
        """
    @property
    def device(self) -> _device: ...
    def diag(self, diagonal: _int = 0) -> Tensor:
        """A matrix with a vector on its diagonal, or the diagonal of a matrix as a vector.
        
        See `jgrad.diag`.
        """
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Matrices with the elements of the last dimension on a diagonal and zeros elsewhere.
        
        See `jgrad.diag_embed`.
        """
    def diagflat(self, offset: _int = 0) -> Tensor:
        """A matrix with all elements of the tensor on a diagonal and zeros elsewhere.
        
        See `jgrad.diagflat`.
        """
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A diagonal of the matrices that two dimensions form. These two go away, and the diagonal becomes a new last dimension.
        
        See `jgrad.diagonal`.
        """
    def diagonal_scatter(self, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A copy of the tensor with `src` on a diagonal: as `x.diagonal().copy_(src)`, but `x` stays as it is.
        
        See `jgrad.diagonal_scatter`.
        """
    def diff(self, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
        """The differences of neighbours along a dimension: each element minus the one before it. For bools: whether the two differ.
        
        See `jgrad.diff`.
        """
    def digamma(self) -> Tensor:
        """The digamma function: the derivative of `lgamma`.
        
        See `jgrad.digamma`.
        """
    def digamma_(self) -> Tensor:
        """digamma() in place: the result is written to self."""
    def dim(self) -> _int:
        """The number of dimensions.
        
        >>> jgrad.zeros(2, 3).dim()
        2
        >>> jgrad.tensor(5.).dim()
        0
        """
    def dim_order(self) -> tuple:
        """The dimensions in the order in which they lie in memory: the one with the largest stride comes first.
        
        Returns a tuple of ints.
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.dim_order()
        (0, 1)
        >>> x.t().dim_order()
        (1, 0)
        """
    def dist(self, other: Tensor, p: Number = 2) -> Tensor:
        """The distance of two tensors: the norm of order `p` of their difference.
        
        See `jgrad.dist`.
        """
    @overload
    def div(self, other: Tensor | Number) -> Tensor:
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name.
        
        See `jgrad.div`.
        """
    @overload
    def div(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
    @overload
    def div(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
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
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name.
        
        See `jgrad.div`.
        """
    @overload
    def divide(self, other: Tensor | Number, *, rounding_mode: _str) -> Tensor:
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
    @overload
    def divide(self, other: Tensor | Number, *, rounding_mode: _str | None) -> Tensor:
        """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""
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
        """The sum of the products of two vectors. Complex elements are not conjugated (`vdot` conjugates those of the first vector).
        
        See `jgrad.dot`.
        """
    def double(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to float64. Of complex numbers the real part remains. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).double()
        >>> x.dtype
        jgrad.float64
        >>> x.tolist()
        [0.0, 2.75]
        """
    @overload
    def dsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces of the tensor along dimension 2.
        
        See `jgrad.dsplit`.
        """
    @overload
    def dsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces of the tensor along dimension 2."""
    @property
    def dtype(self) -> _dtype: ...
    def eig(self, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
        """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eig` or `linalg.eigvals`.
        
        Args:
            eigenvectors, e, v: what the removed function took; they are ignored
        
        >>> jgrad.linalg.eigvals(jgrad.tensor([[2., 0.], [0., 3.]]))  # in place of jgrad.eig
        tensor([2.+0.j, 3.+0.j])
        """
    def element_size(self) -> _int:
        """The number of bytes of one element.
        
        >>> jgrad.tensor([1., 2.]).element_size()
        4
        >>> jgrad.tensor([1, 2]).element_size()
        8
        """
    def eq(self, other: Tensor | Number) -> Tensor:
        """Whether both elements are equal: `input == other`, element by element.
        
        See `jgrad.eq`.
        """
    def eq_(self, other: Tensor | Number) -> Tensor:
        """eq() in place: the result is written to self."""
    def equal(self, other: Tensor) -> _bool:
        """Whether two tensors have the same shape and the same elements. They need not have the same dtype.
        
        See `jgrad.equal`.
        """
    def erf(self) -> Tensor:
        """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to the element.
        
        See `jgrad.erf`.
        """
    def erf_(self) -> Tensor:
        """erf() in place: the result is written to self."""
    def erfc(self) -> Tensor:
        """The complement of the error function, `1 - erf(input)`. It is exact also where it is tiny and `1 - erf(input)` would be 0.
        
        See `jgrad.erfc`.
        """
    def erfc_(self) -> Tensor:
        """erfc() in place: the result is written to self."""
    def erfinv(self) -> Tensor:
        """The inverse of the error function: the number whose `erf` is the element.
        
        See `jgrad.erfinv`.
        """
    def erfinv_(self) -> Tensor:
        """erfinv() in place: the result is written to self."""
    def exp(self) -> Tensor:
        """The exponential function: e to the power of each element.
        
        See `jgrad.exp`.
        """
    def exp2(self) -> Tensor:
        """2 to the power of each element.
        
        See `jgrad.exp2`.
        """
    def exp2_(self) -> Tensor:
        """exp2() in place: the result is written to self."""
    def exp_(self) -> Tensor:
        """exp() in place: the result is written to self."""
    @overload
    def expand(self, size: Sequence[_int], *, implicit: _bool = False) -> Tensor:
        """The tensor with its dimensions of size 1 made larger. Nothing is copied: the stride of these dimensions is 0, so that the same elements
        are read again and again.
        
        Args:
            size: the new shape, as integers or as one tuple; -1 keeps the size of a dimension; more sizes than the tensor has dimensions put
                new dimensions in front
            implicit: changes nothing; PyTorch has this argument for its own use
        
        Returns a view. Several of its elements can have the same place in memory; in-place arithmetic such as `add_` then raises RuntimeError.
        
        The gradient is summed over the dimensions that were made larger.
        
        >>> x = jgrad.tensor([[1.], [2.]], requires_grad=True)
        >>> y = x.expand(-1, 3)
        >>> y.detach()
        tensor([[1., 1., 1.],
                [2., 2., 2.]])
        >>> y.stride()
        (1, 0)
        >>> y.sum().backward()
        >>> x.grad
        tensor([[3.],
                [3.]])
        """
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """The tensor with its dimensions of size 1 made larger. Nothing is copied: the stride of these dimensions is 0, so that the same elements
        are read again and again.
        """
    def expand_as(self, other: Tensor) -> Tensor:
        """The tensor expanded to the shape of another one: dimensions of size 1 are made larger without a copy.
        
        Args:
            other: a tensor to whose shape this one can be broadcast; only its shape matters
        
        Returns a view: it shares the memory of the tensor.
        
        >>> jgrad.tensor([[1], [2]]).expand_as(jgrad.zeros(2, 3))
        tensor([[1, 1, 1],
                [2, 2, 2]])
        """
    def expm1(self) -> Tensor:
        """`exp(input) - 1`, element by element. It stays accurate near 0, where `exp(input)` would be rounded to 1.
        
        See `jgrad.expm1`.
        """
    def expm1_(self) -> Tensor:
        """expm1() in place: the result is written to self."""
    def exponential_(self, lambd: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers of an exponential distribution, whose mean is `1 / lambd`.
        
        Args:
            lambd: the rate of the distribution, positive
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(1000).exponential_(lambd=2.)
        >>> bool(x.min() >= 0), bool((x.mean() - 0.5).abs() < 0.1)
        (True, True)
        """
    @overload
    def fill_(self, value: Tensor) -> Tensor:
        """Write one value into every element of a tensor, in place.
        
        See `jgrad.fill_`.
        """
    @overload
    def fill_(self, value: Number) -> Tensor:
        """Write one value into every element of a tensor, in place."""
    def fill_diagonal_(self, fill_value: Number, wrap: _bool = False) -> Tensor:
        """Write one number along the diagonal of this tensor, in place.
        
        Args:
            fill_value: the number
            wrap: if True, a matrix that has more rows than columns gets another diagonal below each square, after one free row
        
        Returns this tensor itself. It must have at least two dimensions, and if more, then all of the same extent; else RuntimeError is raised.
        
        >>> jgrad.zeros(3, 3).fill_diagonal_(5)
        tensor([[5., 0., 0.],
                [0., 5., 0.],
                [0., 0., 5.]])
        >>> jgrad.zeros(5, 2).fill_diagonal_(1, wrap=True).tolist()
        [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        """
    def fix(self) -> Tensor:
        """Each element rounded towards zero: its integer part. `fix` is another name.
        
        See `jgrad.trunc`.
        """
    def fix_(self) -> Tensor:
        """trunc() in place: the result is written to self."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The tensor with several adjacent dimensions joined into one; with all of them by default.
        
        See `jgrad.flatten`.
        """
    @overload
    def flip(self, dims: Sequence[_int]) -> Tensor:
        """The tensor with its elements in reverse order along some dimensions.
        
        See `jgrad.flip`.
        """
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """The tensor with its elements in reverse order along some dimensions."""
    def fliplr(self) -> Tensor:
        """The tensor with its columns in reverse order: `flip` along dimension 1.
        
        See `jgrad.fliplr`.
        """
    def flipud(self) -> Tensor:
        """The tensor with its rows in reverse order: `flip` along dimension 0.
        
        See `jgrad.flipud`.
        """
    def float(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to float32. Of complex numbers the real part remains. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).float()
        >>> x.dtype
        jgrad.float32
        >>> x.tolist()
        [0.0, 2.75]
        """
    @overload
    def float_power(self, exponent: Tensor) -> Tensor:
        """`input` to the power of `exponent`, computed in double precision.
        
        See `jgrad.float_power`.
        """
    @overload
    def float_power(self, exponent: Number) -> Tensor:
        """`input` to the power of `exponent`, computed in double precision."""
    @overload
    def float_power_(self, exponent: Tensor) -> Tensor:
        """This tensor to the power of `exponent`, in place. It must have dtype float64, or complex128 if one of both is complex.
        
        Args:
            exponent: a tensor that broadcasts to the shape of this one, or a number
        
        Returns this tensor. Raises RuntimeError if it has another dtype.
        
        >>> x = jgrad.tensor([2., 3.], dtype=jgrad.float64)
        >>> x.float_power_(2)
        tensor([4., 9.], dtype=jgrad.float64)
        """
    @overload
    def float_power_(self, exponent: Number) -> Tensor:
        """This tensor to the power of `exponent`, in place. It must have dtype float64, or complex128 if one of both is complex."""
    def floor(self) -> Tensor:
        """Each element rounded down: the largest integer that is not greater than the element.
        
        See `jgrad.floor`.
        """
    def floor_(self) -> Tensor:
        """floor() in place: the result is written to self."""
    @overload
    def floor_divide(self, other: Number) -> Tensor:
        """The quotient `input / other`, rounded down, element by element. It is like `//` in Python.
        
        See `jgrad.floor_divide`.
        """
    @overload
    def floor_divide(self, other: Tensor | Number) -> Tensor:
        """The quotient `input / other`, rounded down, element by element. It is like `//` in Python."""
    @overload
    def floor_divide_(self, other: Number) -> Tensor:
        """floor_divide() in place: the result is written to self."""
    @overload
    def floor_divide_(self, other: Tensor | Number) -> Tensor:
        """floor_divide() in place: the result is written to self."""
    def fmax(self, other: Tensor) -> Tensor:
        """The larger of two elements, element by element. If one of them is nan, the result is the other one.
        
        See `jgrad.fmax`.
        """
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller of two elements, element by element. If one of them is nan, the result is the other one.
        
        See `jgrad.fmin`.
        """
    @overload
    def fmod(self, other: Number) -> Tensor:
        """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`.
        
        See `jgrad.fmod`.
        """
    @overload
    def fmod(self, other: Tensor) -> Tensor:
        """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`."""
    @overload
    def fmod_(self, other: Number) -> Tensor:
        """fmod() in place: the result is written to self."""
    @overload
    def fmod_(self, other: Tensor) -> Tensor:
        """fmod() in place: the result is written to self."""
    def frac(self) -> Tensor:
        """The fractional part of each element: `input - trunc(input)`. It has the sign of the element.
        
        See `jgrad.frac`.
        """
    def frac_(self) -> Tensor:
        """frac() in place: the result is written to self."""
    def frexp(self) -> return_types.frexp:
        """Each element written as `mantissa * 2**exponent`. The size of the mantissa is at least 0.5 and less than 1.
        
        See `jgrad.frexp`.
        """
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """Elements of the tensor, chosen along a dimension by an index tensor. With two dimensions and `dim=0`, the result is
        `out[i][j] = input[index[i][j]][j]`; with `dim=1` it is `out[i][j] = input[i][index[i][j]]`.
        
        See `jgrad.gather`.
        """
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor of two integers, element by element. It is never negative, and 0 if both are 0.
        
        See `jgrad.gcd`.
        """
    def gcd_(self, other: Tensor) -> Tensor:
        """gcd() in place: the result is written to self."""
    def ge(self, other: Tensor | Number) -> Tensor:
        """Whether one element is greater than the other or equal to it: `input >= other`, element by element. `greater_equal` is another name.
        
        See `jgrad.ge`.
        """
    def ge_(self, other: Tensor | Number) -> Tensor:
        """ge() in place: the result is written to self."""
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers of a geometric distribution: how many trials are needed until the first success.
        
        Args:
            p: the probability of a success in one trial, above 0 and below 1
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(1000).geometric_(0.5)
        >>> x.min()
        tensor(1.)
        """
    def geqrf(self) -> return_types.geqrf:
        """The QR factorization of matrices in a compact form. `linalg.qr` gives Q and R as matrices of their own.
        
        See `jgrad.geqrf`.
        """
    def ger(self, vec2: Tensor) -> Tensor:
        """The outer product of two vectors. This is the older name of `outer`.
        
        See `jgrad.ger`.
        """
    def get_device(self) -> _int:
        """The number of the GPU on which the tensor is.
        
        Returns an int; it is -1 for a tensor on the CPU.
        
        >>> jgrad.zeros(2).get_device()
        -1
        """
    grad: Tensor | None
    @property
    def grad_dtype(self) -> Any: ...
    @property
    def grad_fn(self) -> Any: ...
    def gradient(self, *, spacing: Any = None, dim: Any = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
        """The slopes of a function that is known at some points: estimates of its derivative along each dimension.
        It does not compute derivatives by autograd.
        
        See `jgrad.gradient`.
        """
    def greater(self, other: Tensor | Number) -> Tensor:
        """Whether one element is greater than the other: `input > other`, element by element. `greater` is another name.
        
        See `jgrad.gt`.
        """
    def greater_(self, other: Tensor | Number) -> Tensor:
        """gt() in place: the result is written to self."""
    def greater_equal(self, other: Tensor | Number) -> Tensor:
        """Whether one element is greater than the other or equal to it: `input >= other`, element by element. `greater_equal` is another name.
        
        See `jgrad.ge`.
        """
    def greater_equal_(self, other: Tensor | Number) -> Tensor:
        """ge() in place: the result is written to self."""
    def gt(self, other: Tensor | Number) -> Tensor:
        """Whether one element is greater than the other: `input > other`, element by element. `greater` is another name.
        
        See `jgrad.gt`.
        """
    def gt_(self, other: Tensor | Number) -> Tensor:
        """gt() in place: the result is written to self."""
    def half(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to float16. Of complex numbers the real part remains. Gradients flow through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).half()
        >>> x.dtype
        jgrad.float16
        >>> x.tolist()
        [0.0, 2.75]
        """
    def hardshrink(self, lambd: Number = 0.5) -> Tensor:
        """Each element, with those from `-lambd` to `lambd` set to zero.
        
        See `jgrad.hardshrink`.
        """
    def heaviside(self, values: Tensor) -> Tensor:
        """The step function: 0 where `input` is negative, 1 where it is positive, and `values` where it is 0.
        
        See `jgrad.heaviside`.
        """
    def heaviside_(self, values: Tensor) -> Tensor:
        """heaviside() in place: the result is written to self."""
    def histc(self, bins: _int = 100, min: Number = 0, max: Number = 0) -> Tensor:
        """How many elements fall into each of some bins of equal width.
        
        See `jgrad.histc`.
        """
    @overload
    def histogram(self, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False) -> return_types.histogram:
        """How many elements fall into each bin, or how much weight; and the edges of the bins.
        
        See `jgrad.histogram`.
        """
    @overload
    def histogram(self, bins: _int = 100, *, range: Sequence[_float] | None = None, weight: Tensor | None = None, density: _bool = False) -> return_types.histogram:
        """How many elements fall into each bin, or how much weight; and the edges of the bins."""
    @overload
    def hsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other.
        
        See `jgrad.hsplit`.
        """
    @overload
    def hsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other."""
    def hypot(self, other: Tensor) -> Tensor:
        """`sqrt(input**2 + other**2)`, element by element, computed without overflow. It is the length of the
        longest side of a right triangle.
        
        See `jgrad.hypot`.
        """
    def hypot_(self, other: Tensor) -> Tensor:
        """hypot() in place: the result is written to self."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind of order 0.
        
        See `jgrad.i0`.
        """
    def i0_(self) -> Tensor:
        """i0() in place: the result is written to self."""
    def igamma(self, other: Tensor) -> Tensor:
        """The regularized lower incomplete gamma function: which share of the gamma function's integral lies below `other`.
        
        See `jgrad.igamma`.
        """
    def igamma_(self, other: Tensor) -> Tensor:
        """igamma() in place: the result is written to self."""
    def igammac(self, other: Tensor) -> Tensor:
        """The regularized upper incomplete gamma function: which share of the gamma function's integral lies above `other`.
        
        See `jgrad.igammac`.
        """
    def igammac_(self, other: Tensor) -> Tensor:
        """igammac() in place: the result is written to self."""
    @property
    def imag(self) -> Tensor: ...
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
        """A copy of the tensor where the slices of `source` are added to the slices at the indices. If an index occurs several times, its slices
        add up.
        
        See `jgrad.index_add`.
        """
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: Number = 1) -> Tensor:
        """index_add() in place: the result is written to self."""
    def index_copy(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """A copy of the tensor where the slices of `source` replace the slices at the indices.
        
        See `jgrad.index_copy`.
        """
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """index_copy() in place: the result is written to self."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """A copy of the tensor with one number in all elements of the slices at the indices.
        
        See `jgrad.index_fill`.
        """
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """A copy of the tensor with one number in all elements of the slices at the indices."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """index_fill() in place: the result is written to self."""
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """index_fill() in place: the result is written to self."""
    def index_put(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy of the tensor with other values at the places that index tensors name: as `x[indices] = values`, but `x` stays as it is.
        
        See `jgrad.index_put`.
        """
    def index_put_(self, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """Writes values to the places that index tensors name, in place: as `x[indices] = values`.
        
        See `jgrad.index_put_`.
        """
    def index_reduce(self, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """A copy of the tensor where the slices of `source` that have the same index are combined to one, element by element: by their product,
        mean, largest or smallest. The old slice takes part in it.
        
        See `jgrad.index_reduce`.
        """
    def index_reduce_(self, dim: _int, index: Tensor, source: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """index_reduce() in place: the result is written to self."""
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """The slices of a dimension that a vector of indices names, in its order.
        
        See `jgrad.index_select`.
        """
    def indices(self) -> Tensor:
        """The places of a sparse tensor that is coalesced.
        
        Returns an int64 tensor of shape (sparse dimensions, places), which shares memory with this one. Raises RuntimeError if this tensor is not
        coalesced or not sparse.
        
        >>> jgrad.sparse_coo_tensor([[2, 0]], [1., 2.], (3,)).coalesce().indices()
        tensor([[0, 2]])
        """
    def inner(self, other: Tensor) -> Tensor:
        """The sums of products along the last dimension of both tensors. If one tensor has no dimensions, it is the plain product.
        
        See `jgrad.inner`.
        """
    def int(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to int32. Digits after the point are cut off. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).int()
        >>> x.dtype
        jgrad.int32
        >>> x.tolist()
        [0, 2]
        """
    def inverse(self) -> Tensor:
        """The inverse of matrices. It is `linalg.inv`.
        
        See `jgrad.inverse`.
        """
    def is_coalesced(self) -> _bool:
        """Whether the places of a sparse tensor are known to be sorted, each once.
        
        Raises RuntimeError if the tensor is not sparse.
        
        >>> x = jgrad.sparse_coo_tensor([[0, 1]], [1., 2.], (2,))
        >>> x.is_coalesced(), x.coalesce().is_coalesced()
        (False, True)
        """
    def is_complex(self) -> _bool:
        """Whether the dtype is one of complex numbers.
        
        >>> jgrad.tensor(1j).is_complex()
        True
        >>> jgrad.tensor(1.).is_complex()
        False
        """
    def is_conj(self) -> _bool:
        """Whether the tensor is a view whose elements are conjugated when they are read.
        
        See `jgrad.is_conj`.
        """
    def is_contiguous(self, memory_format: Any = None) -> _bool:
        """Whether the elements lie in memory in row-major order (the last dimension first), without gaps.
        
        Args:
            memory_format: None or `jgrad.contiguous_format` asks for row-major order; `jgrad.channels_last` (4 dimensions) and
                `jgrad.channels_last_3d` (5 dimensions) ask for the order in which dimension 1 comes first in memory
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.is_contiguous()
        True
        >>> x.t().is_contiguous()
        False
        >>> x.t().contiguous().is_contiguous()
        True
        """
    @property
    def is_cpu(self) -> Any: ...
    @property
    def is_cuda(self) -> Any: ...
    def is_floating_point(self) -> _bool:
        """Whether the dtype is one of real floating-point numbers.
        
        >>> jgrad.tensor(1.).is_floating_point()
        True
        >>> jgrad.tensor(1).is_floating_point()
        False
        >>> jgrad.tensor(1j).is_floating_point()
        False
        """
    def is_inference(self) -> _bool:
        """Whether this tensor was made in inference mode.
        
        Such a tensor has no version counter. It cannot be saved for a backward pass.
        
        >>> with jgrad.inference_mode():
        ...     x = jgrad.ones(2)
        >>> x.is_inference()
        True
        >>> x.clone().is_inference()  # a copy made outside is a normal tensor
        False
        """
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
        """Whether the tensor is a view whose elements are negated when they are read. The imaginary part of a conjugate view is such a view.
        
        See `jgrad.is_neg`.
        """
    @property
    def is_nested(self) -> Any: ...
    def is_nonzero(self) -> _bool:
        """Whether the one element of the tensor is not zero.
        
        Returns a bool. Raises RuntimeError if the tensor has no element, or more than one.
        
        >>> jgrad.tensor([3.]).is_nonzero()
        True
        """
    def is_pinned(self, device: Any = None) -> _bool:
        """Whether this tensor is in pinned memory, which `pin_memory` gives.
        
        Args:
            device: deprecated and without effect, except for a warning
        
        >>> jgrad.zeros(3).is_pinned()
        False
        """
    @property
    def is_quantized(self) -> Any: ...
    def is_same_size(self, other: Tensor) -> _bool:
        """Whether both tensors have the same shape.
        
        Args:
            other: the tensor to compare with; its dtype does not matter
        
        Returns a bool.
        
        >>> jgrad.zeros(2, 3).is_same_size(jgrad.zeros(3, 2))
        False
        """
    def is_set_to(self, tensor: Tensor) -> _bool:
        """Whether two tensors show the same elements of the same memory: they have the same storage, offset, shape and strides.
        
        Args:
            tensor: the tensor to compare with
        
        Returns a bool.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> x.is_set_to(x.view(2))
        True
        >>> x.is_set_to(x.clone())
        False
        """
    def is_signed(self) -> _bool:
        """Whether the dtype has negative numbers.
        
        Returns a bool. It is False for bools and for the unsigned integers.
        
        >>> jgrad.tensor([1.]).is_signed()
        True
        >>> jgrad.tensor([1], dtype=jgrad.uint8).is_signed()
        False
        """
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
        """Whether two elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity.
        
        See `jgrad.isclose`.
        """
    def isfinite(self) -> Tensor:
        """Whether each element is finite: neither infinite nor nan.
        
        See `jgrad.isfinite`.
        """
    def isinf(self) -> Tensor:
        """Whether each element is infinite: inf or -inf.
        
        See `jgrad.isinf`.
        """
    def isnan(self) -> Tensor:
        """Whether each element is nan ("not a number").
        
        See `jgrad.isnan`.
        """
    def isneginf(self) -> Tensor:
        """Whether each element is -inf.
        
        See `jgrad.isneginf`.
        """
    def isposinf(self) -> Tensor:
        """Whether each element is inf.
        
        See `jgrad.isposinf`.
        """
    def isreal(self) -> Tensor:
        """Whether each element is a real number: its imaginary part is 0.
        
        See `jgrad.isreal`.
        """
    def istft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, normalized: _bool = False, onesided: _bool | None = None, length: _int | None = None, return_complex: _bool = False) -> Tensor:
        """The inverse of `stft`: the signal of which the short-time Fourier transform is given.
        
        See `jgrad.istft`.
        """
    def item(self) -> Any:
        """The only element as a Python number.
        
        Returns an int, float, complex or bool, which has no history. Raises RuntimeError if the tensor has another number of elements than one.
        
        >>> jgrad.tensor([[2.5]]).item()
        2.5
        >>> jgrad.tensor([1, 2, 3]).sum().item()
        6
        """
    @property
    def itemsize(self) -> _int: ...
    def kron(self, other: Tensor) -> Tensor:
        """The Kronecker product: each element of `input` is replaced by its product with the whole of `other`.
        
        See `jgrad.kron`.
        """
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> return_types.kthvalue:
        """The `k`-th smallest element along a dimension, and the place where it was. A nan is larger than every number.
        
        See `jgrad.kthvalue`.
        """
    @property
    def layout(self) -> _layout: ...
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple of two integers, element by element. It is never negative, and 0 if one of both is 0.
        
        See `jgrad.lcm`.
        """
    def lcm_(self, other: Tensor) -> Tensor:
        """lcm() in place: the result is written to self."""
    def ldexp(self, other: Tensor) -> Tensor:
        """`input * 2**other`, element by element. It is the inverse of `frexp`.
        
        See `jgrad.ldexp`.
        """
    def ldexp_(self, other: Tensor) -> Tensor:
        """ldexp() in place: the result is written to self."""
    def le(self, other: Tensor | Number) -> Tensor:
        """Whether one element is less than the other or equal to it: `input <= other`, element by element. `less_equal` is another name.
        
        See `jgrad.le`.
        """
    def le_(self, other: Tensor | Number) -> Tensor:
        """le() in place: the result is written to self."""
    @overload
    def lerp(self, end: Tensor, weight: Number) -> Tensor:
        """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1.
        
        See `jgrad.lerp`.
        """
    @overload
    def lerp(self, end: Tensor, weight: Tensor) -> Tensor:
        """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1."""
    @overload
    def lerp_(self, end: Tensor, weight: Number) -> Tensor:
        """lerp() in place: the result is written to self."""
    @overload
    def lerp_(self, end: Tensor, weight: Tensor) -> Tensor:
        """lerp() in place: the result is written to self."""
    def less(self, other: Tensor | Number) -> Tensor:
        """Whether one element is less than the other: `input < other`, element by element. `less` is another name.
        
        See `jgrad.lt`.
        """
    def less_(self, other: Tensor | Number) -> Tensor:
        """lt() in place: the result is written to self."""
    def less_equal(self, other: Tensor | Number) -> Tensor:
        """Whether one element is less than the other or equal to it: `input <= other`, element by element. `less_equal` is another name.
        
        See `jgrad.le`.
        """
    def less_equal_(self, other: Tensor | Number) -> Tensor:
        """le() in place: the result is written to self."""
    def lgamma(self) -> Tensor:
        """The logarithm of the absolute value of the gamma function. For a positive integer n the gamma function is (n - 1)!.
        
        See `jgrad.lgamma`.
        """
    def lgamma_(self) -> Tensor:
        """lgamma() in place: the result is written to self."""
    def log(self) -> Tensor:
        """The natural logarithm of each element.
        
        See `jgrad.log`.
        """
    def log10(self) -> Tensor:
        """The logarithm to base 10 of each element.
        
        See `jgrad.log10`.
        """
    def log10_(self) -> Tensor:
        """log10() in place: the result is written to self."""
    def log1p(self) -> Tensor:
        """`log(1 + input)`, element by element. It stays accurate near 0, where `1 + input` would be rounded to 1.
        
        See `jgrad.log1p`.
        """
    def log1p_(self) -> Tensor:
        """log1p() in place: the result is written to self."""
    def log2(self) -> Tensor:
        """The logarithm to base 2 of each element.
        
        See `jgrad.log2`.
        """
    def log2_(self) -> Tensor:
        """log2() in place: the result is written to self."""
    def log_(self) -> Tensor:
        """log() in place: the result is written to self."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers whose logarithms have a normal distribution.
        
        Args:
            mean: the mean of the logarithms
            std: the standard deviation of the logarithms, positive
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(1000).log_normal_(mean=0., std=1.)
        >>> bool((x.log().mean()).abs() < 0.2)
        True
        """
    def log_softmax(self, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
        """The logarithm of softmax along a dimension. It is more exact than `log(softmax(input, dim))`, and does not overflow.
        
        See `jgrad.log_softmax`.
        """
    def logaddexp(self, other: Tensor) -> Tensor:
        """`log(exp(input) + exp(other))`, element by element, computed without overflow. It adds two numbers that are given by their logarithms.
        
        See `jgrad.logaddexp`.
        """
    def logaddexp2(self, other: Tensor) -> Tensor:
        """`log2(2**input + 2**other)`, element by element, computed without overflow.
        
        See `jgrad.logaddexp2`.
        """
    def logcumsumexp(self, dim: _int) -> Tensor:
        """The logarithms of the sums of the exponentials of the elements up to each one, along a dimension. Large elements do not overflow.
        
        See `jgrad.logcumsumexp`.
        """
    def logdet(self) -> Tensor:
        """The logarithm of the determinant of square matrices.
        
        See `jgrad.logdet`.
        """
    def logical_and(self, other: Tensor) -> Tensor:
        """Whether both elements are non-zero.
        
        See `jgrad.logical_and`.
        """
    def logical_and_(self, other: Tensor) -> Tensor:
        """logical_and() in place: the result is written to self."""
    def logical_not(self) -> Tensor:
        """Whether each element is zero.
        
        See `jgrad.logical_not`.
        """
    def logical_not_(self) -> Tensor:
        """logical_not() in place: the result is written to self."""
    def logical_or(self, other: Tensor) -> Tensor:
        """Whether one of both elements is non-zero, or both are.
        
        See `jgrad.logical_or`.
        """
    def logical_or_(self, other: Tensor) -> Tensor:
        """logical_or() in place: the result is written to self."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """Whether exactly one of both elements is non-zero.
        
        See `jgrad.logical_xor`.
        """
    def logical_xor_(self, other: Tensor) -> Tensor:
        """logical_xor() in place: the result is written to self."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """`log(input / (1 - input))`, element by element: the inverse of `sigmoid`. It is also `special.logit`.
        
        See `jgrad.logit`.
        """
    def logit_(self, eps: _float | None = None) -> Tensor:
        """logit() in place: the result is written to self."""
    def logsumexp(self, dim: _int | Sequence[_int], keepdim: _bool = False) -> Tensor:
        """The logarithm of the sum of the exponentials of the elements, over some dimensions. Large elements do not overflow.
        
        See `jgrad.logsumexp`.
        """
    def long(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to int64. Digits after the point are cut off. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).long()
        >>> x.dtype
        jgrad.int64
        >>> x.tolist()
        [0, 2]
        """
    def lstsq(self, A: Tensor, *, out: Any = None) -> Any:
        """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.lstsq`, which takes A first.
        
        Args:
            input, A: what the removed function took; they are ignored
        
        >>> a, b = jgrad.tensor([[1.], [1.]]), jgrad.tensor([[2.], [4.]])
        >>> jgrad.linalg.lstsq(a, b).solution.round(decimals=3)  # in place of jgrad.lstsq
        tensor([[3.]])
        """
    def lt(self, other: Tensor | Number) -> Tensor:
        """Whether one element is less than the other: `input < other`, element by element. `less` is another name.
        
        See `jgrad.lt`.
        """
    def lt_(self, other: Tensor | Number) -> Tensor:
        """lt() in place: the result is written to self."""
    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> tuple:
        """The LU factorization of this tensor's matrices. It is `jgrad.lu`; use `linalg.lu_factor` in new code.
        
        Args:
            pivot: whether rows are exchanged, which makes the factorization more exact; a tensor on the CPU needs True
            get_infos: whether to return a third tensor, which tells where the factorization broke down
        
        Returns a tuple: the factors L and U in one new tensor, the exchanges of rows (step i exchanged row i and row `pivots[i]`,
        counted from 1), and with `get_infos` also int32 numbers. These are 0 for success, else the place (from 1) of the first zero on the
        diagonal of U.
        
        >>> factors, pivots = jgrad.tensor([[4., 3.], [8., 2.]]).lu()
        >>> factors  # U on and above the diagonal, L below it
        tensor([[8.0000, 2.0000],
                [0.5000, 2.0000]])
        """
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """The solution X of the linear system A X = B, from the LU factorization of A. Use `linalg.lu_solve` in new code, which takes B last.
        
        See `jgrad.lu_solve`.
        """
    @property
    def mH(self) -> Tensor: ...
    @property
    def mT(self) -> Tensor: ...
    def map2_(self, x: Tensor, y: Tensor, callable: Any) -> Tensor:
        """Replace each element, in place, by the result of a Python function of it and of the elements of two other tensors at the same place. It
        is slow, and only for tensors on the CPU.
        
        Args:
            x: a tensor that broadcasts to the shape of this one
            y: another such tensor
            callable: a function of three numbers, which returns a number
        
        Returns the tensor itself. Raises RuntimeError if one of the tensors requires a gradient.
        
        >>> a = jgrad.tensor([1., 2.])
        >>> a.map2_(jgrad.tensor([10., 20.]), jgrad.tensor([3., 4.]), lambda a, x, y: a + x * y)
        tensor([31., 82.])
        """
    def map_(self, other: Tensor, callable: Any) -> Tensor:
        """Replace each element, in place, by the result of a Python function of it and of the element of another tensor at the same place. It is
        slow, and only for tensors on the CPU.
        
        Args:
            other: a tensor that broadcasts to the shape of this one
            callable: a function of two numbers, which returns a number
        
        Returns the tensor itself. Raises RuntimeError if one of the tensors requires a gradient.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> x.map_(jgrad.tensor([10., 20.]), lambda a, b: a + b)
        tensor([11., 22.])
        """
    @overload
    def masked_fill(self, mask: Tensor, value: Number) -> Tensor:
        """A copy of the tensor with `value` where the mask is true.
        
        See `jgrad.masked_fill`.
        """
    @overload
    def masked_fill(self, mask: Tensor, value: Tensor) -> Tensor:
        """A copy of the tensor with `value` where the mask is true."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Number) -> Tensor:
        """masked_fill() in place: the result is written to self."""
    @overload
    def masked_fill_(self, mask: Tensor, value: Tensor) -> Tensor:
        """masked_fill() in place: the result is written to self."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy of the tensor with the elements of `source`, one after the other, where the mask is true.
        
        See `jgrad.masked_scatter`.
        """
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """masked_scatter() in place: the result is written to self."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where the mask is true, in one dimension; they are read row by row.
        
        See `jgrad.masked_select`.
        """
    def matmul(self, other: Tensor) -> Tensor:
        """The matrix product of vectors, matrices and batches of matrices. It is also written `input @ other`.
        
        See `jgrad.matmul`.
        """
    def matrix_exp(self) -> Tensor:
        """The exponential of square matrices: the sum of all A^k / k!, where A^k is the matrix power. It is `linalg.matrix_exp`.
        
        See `jgrad.matrix_exp`.
        """
    def matrix_power(self, n: _int) -> Tensor:
        """The matrix multiplied by itself n times. If n is negative, its inverse is multiplied by itself. It is `linalg.matrix_power`.
        
        See `jgrad.matrix_power`.
        """
    @overload
    def max(self) -> Tensor:
        """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors.
        
        See `jgrad.max`.
        """
    @overload
    def max(self, other: Tensor) -> Tensor:
        """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> return_types.max:
        """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors."""
    def maximum(self, other: Tensor) -> Tensor:
        """The larger of two elements, element by element. If one of them is nan, the result is nan.
        
        See `jgrad.maximum`.
        """
    @overload
    def mean(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of all elements, or the means over some dimensions.
        
        See `jgrad.mean`.
        """
    @overload
    def mean(self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of all elements, or the means over some dimensions."""
    @overload
    def median(self) -> Tensor:
        """The median: the middle one of the elements in order, of all of them or along a dimension. If there are two, it is the smaller one.
        
        See `jgrad.median`.
        """
    @overload
    def median(self, dim: _int, keepdim: _bool = False) -> return_types.median:
        """The median: the middle one of the elements in order, of all of them or along a dimension. If there are two, it is the smaller one."""
    @overload
    def min(self) -> Tensor:
        """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors.
        
        See `jgrad.min`.
        """
    @overload
    def min(self, other: Tensor) -> Tensor:
        """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> return_types.min:
        """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors."""
    def minimum(self, other: Tensor) -> Tensor:
        """The smaller of two elements, element by element. If one of them is nan, the result is nan.
        
        See `jgrad.minimum`.
        """
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices: element (i, j) is the sum of the products of row i of the first and column j of the second.
        
        See `jgrad.mm`.
        """
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> return_types.mode:
        """The most frequent value along a dimension, and the place where it stands last. Of several equally frequent values, it is the smallest.
        
        See `jgrad.mode`.
        """
    @overload
    def moveaxis(self, source: _int, destination: _int) -> Tensor:
        """The tensor with one dimension, or several, moved to other places. The others keep their order.
        
        See `jgrad.moveaxis`.
        """
    @overload
    def moveaxis(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """The tensor with one dimension, or several, moved to other places. The others keep their order."""
    @overload
    def movedim(self, source: _int, destination: _int) -> Tensor:
        """The tensor with one dimension, or several, moved to other places. The others keep their order.
        
        See `jgrad.movedim`.
        """
    @overload
    def movedim(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """The tensor with one dimension, or several, moved to other places. The others keep their order."""
    def msort(self) -> Tensor:
        """The elements in order along the first dimension.
        
        See `jgrad.msort`.
        """
    def mul(self, other: Tensor | Number) -> Tensor:
        """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name.
        
        See `jgrad.mul`.
        """
    def mul_(self, other: Tensor | Number) -> Tensor:
        """mul() in place: the result is written to self."""
    def multinomial(self, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None) -> Tensor:
        """Random indices, drawn with given weights.
        
        See `jgrad.multinomial`.
        """
    def multiply(self, other: Tensor | Number) -> Tensor:
        """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name.
        
        See `jgrad.mul`.
        """
    def multiply_(self, other: Tensor | Number) -> Tensor:
        """mul() in place: the result is written to self."""
    def mv(self, vec: Tensor) -> Tensor:
        """A matrix times a vector: element i is the sum of the products of row i and the vector.
        
        See `jgrad.mv`.
        """
    def mvlgamma(self, p: _int) -> Tensor:
        """The logarithm of the multivariate gamma function of p dimensions.
        
        See `jgrad.mvlgamma`.
        """
    def mvlgamma_(self, p: _int) -> Tensor:
        """mvlgamma() in place: the result is written to self."""
    def nan_to_num(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """`input` with nan and infinities replaced by numbers.
        
        See `jgrad.nan_to_num`.
        """
    def nan_to_num_(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """nan_to_num() in place: the result is written to self."""
    def nanmean(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The mean of the elements that are not nan. The elements that are nan are not counted either.
        
        See `jgrad.nanmean`.
        """
    @overload
    def nanmedian(self) -> Tensor:
        """The median of the elements that are not nan: of all of them, or along a dimension. If there are two in the middle, it is the smaller one.
        
        See `jgrad.nanmedian`.
        """
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> return_types.nanmedian:
        """The median of the elements that are not nan: of all of them, or along a dimension. If there are two in the middle, it is the smaller one."""
    @overload
    def nanquantile(self, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles of the elements that are not nan: of all of them, or along a dimension. A quantile is the value below which a given share lies.
        
        See `jgrad.nanquantile`.
        """
    @overload
    def nanquantile(self, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles of the elements that are not nan: of all of them, or along a dimension. A quantile is the value below which a given share lies."""
    def nansum(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of the elements that are not nan: every nan counts as 0.
        
        See `jgrad.nansum`.
        """
    @overload
    def narrow(self, dim: _int, start: _int, length: _int) -> Tensor:
        """A range of a dimension, given by where it begins and how long it is.
        
        See `jgrad.narrow`.
        """
    @overload
    def narrow(self, dim: _int, start: Tensor, length: _int) -> Tensor:
        """A range of a dimension, given by where it begins and how long it is."""
    def narrow_copy(self, dim: _int, start: _int, length: _int) -> Tensor:
        """A copy of a range of one dimension, in new memory. The range is given by its start and its length.
        
        See `jgrad.narrow_copy`.
        """
    @property
    def nbytes(self) -> _int: ...
    @property
    def ndim(self) -> _int: ...
    def ndimension(self) -> _int:
        """The number of dimensions.
        
        >>> jgrad.zeros(2, 3).dim()
        2
        >>> jgrad.tensor(5.).dim()
        0
        """
    def ne(self, other: Tensor | Number) -> Tensor:
        """Whether both elements differ: `input != other`, element by element. `not_equal` is another name.
        
        See `jgrad.ne`.
        """
    def ne_(self, other: Tensor | Number) -> Tensor:
        """ne() in place: the result is written to self."""
    def neg(self) -> Tensor:
        """The negative `-input`, element by element. `negative` is another name.
        
        See `jgrad.neg`.
        """
    def neg_(self) -> Tensor:
        """neg() in place: the result is written to self."""
    def negative(self) -> Tensor:
        """The negative `-input`, element by element. `negative` is another name.
        
        See `jgrad.neg`.
        """
    def negative_(self) -> Tensor:
        """neg() in place: the result is written to self."""
    def nelement(self) -> _int:
        """The number of elements.
        
        >>> jgrad.zeros(2, 3).numel()
        6
        >>> jgrad.tensor(5.).numel()
        1
        """
    @overload
    def new(self, *size: _int, data: Any = ..., other: Any = ..., storage: Any = ..., device: Any = None) -> Tensor:
        """An older way to make a tensor of this tensor's dtype. `new_empty`, `new_tensor` and related methods are clearer.
        
        Args:
            size: ints are the shape of a tensor that is not filled; without any it is an empty vector. One list, array, tensor or storage is
                `data`, `other` or `storage`
            data: a list, a tuple or a NumPy array: its values
            other: a tensor of the same dtype: an alias that shares its memory
            storage: a storage: a tensor of all of its memory
            device: None or the CPU
        
        Returns a new tensor. It shares the memory of `other` or `storage`.
        
        >>> x = jgrad.tensor([0.5])
        >>> x.new([1, 2])
        tensor([1., 2.])
        >>> x.new(2, 3).shape  # the values may be anything
        jgrad.Size([2, 3])
        """
    @overload
    def new(self, size: Any, *, data: Any = ..., other: Any = ..., storage: Any = ..., device: Any = None) -> Tensor:
        """An older way to make a tensor of this tensor's dtype. `new_empty`, `new_tensor` and related methods are clearer.
        
        Args:
            size: ints are the shape of a tensor that is not filled; without any it is an empty vector. One list, array, tensor or storage is
                `data`, `other` or `storage`
            data: a list, a tuple or a NumPy array: its values
            other: a tensor of the same dtype: an alias that shares its memory
            storage: a storage: a tensor of all of its memory
            device: None or the CPU
        
        Returns a new tensor. It shares the memory of `other` or `storage`.
        
        >>> x = jgrad.tensor([0.5])
        >>> x.new([1, 2])
        tensor([1., 2.])
        >>> x.new(2, 3).shape  # the values may be anything
        jgrad.Size([2, 3])
        """
    @overload
    def new_empty(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size with arbitrary values: memory that is not filled. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> y = x.new_empty(2, 3)  # the values may be anything
        >>> y.shape, y.dtype
        (jgrad.Size([2, 3]), jgrad.int64)
        """
    @overload
    def new_empty(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size with arbitrary values: memory that is not filled. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> y = x.new_empty(2, 3)  # the values may be anything
        >>> y.shape, y.dtype
        (jgrad.Size([2, 3]), jgrad.int64)
        """
    def new_empty_strided(self, size: Any, stride: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor with arbitrary values, with a given size and given strides. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, a tuple or list of integers
            stride: for each dimension, how many elements of memory lie between neighbours along it
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> y = x.new_empty_strided((2, 3), (1, 2))
        >>> y.stride(), y.dtype
        ((1, 2), jgrad.int64)
        """
    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size, filled with one number. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, a tuple or list of integers
            fill_value: the number, or a tensor without dimensions
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> x.new_full((3,), 7)
        tensor([7., 7., 7.])
        """
    @overload
    def new_ones(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size, filled with 1. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.new_ones(3)
        tensor([1, 1, 1])
        """
    @overload
    def new_ones(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size, filled with 1. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.new_ones(3)
        tensor([1, 1, 1])
        """
    def new_tensor(self, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: _bool = False) -> Tensor:
        """A new tensor with a copy of the data. By default it has the dtype and the device of this tensor.
        
        Args:
            data: a number, numbers in nested lists or tuples, a NumPy array, or another tensor (of which `clone().detach()` is the clearer copy)
            dtype: the dtype of the new tensor; None means that of this tensor
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the gradient with respect to the new tensor is computed; only for floating and complex dtypes
        
        Returns a new leaf: it shares no memory with the data, and no gradient flows to the data or to this tensor.
        
        >>> x = jgrad.tensor([0.5, 1.5])
        >>> x.new_tensor([1, 2])
        tensor([1., 2.])
        """
    @overload
    def new_zeros(self, *size: _int, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size, filled with 0. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.new_zeros(3)
        tensor([0, 0, 0])
        """
    @overload
    def new_zeros(self, size: Any, *, dtype: Any = None, layout: Any = ..., device: Any = None, requires_grad: Any = False, pin_memory: Any = False) -> Tensor:
        """A tensor of some size, filled with 0. By default it has the dtype and the device of this tensor.
        
        Args:
            size: the shape, as integers or as one tuple or list of integers
            dtype: the dtype; None means that of this tensor
            layout: `jgrad.strided`; `jgrad.sparse_coo` is possible for zeros
            device: the device of the new tensor; None means that of this tensor
            requires_grad: if True, the new tensor is a leaf that requires a gradient; only for floating and complex dtypes
            pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        
        Returns a new tensor.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.new_zeros(3)
        tensor([0, 0, 0])
        """
    def nextafter(self, other: Tensor) -> Tensor:
        """The floating-point number that comes right after `input` in the direction of `other`, element by element.
        
        See `jgrad.nextafter`.
        """
    def nextafter_(self, other: Tensor) -> Tensor:
        """nextafter() in place: the result is written to self."""
    @overload
    def nonzero(self) -> Tensor:
        """The indices of all elements that are not zero, row by row.
        
        See `jgrad.nonzero`.
        """
    @overload
    def nonzero(self, *, as_tuple: _bool, out: Tensor | None = None) -> tuple[Tensor, ...]:
        """The indices of all elements that are not zero, row by row."""
    def nonzero_static(self, *, size: _int, fill_value: _int = -1) -> Tensor:
        """The indices of the first `size` elements that are not zero, row by row. The shape of the result doesn't depend on the values.
        
        See `jgrad.nonzero_static`.
        """
    def norm(self, p: Any = 'fro', dim: Any = None, keepdim: _bool = False, dtype: Any = None) -> Tensor:
        """The norm of all elements as one vector, or of the vectors (or matrices) along some dimensions.
        
        Args:
            p: the order: a number as in `jgrad.linalg.vector_norm`; "fro" or None means 2, the root of the sum of the squares; "nuc" means the sum
                of the singular values of a matrix
            dim: a dimension, or a tuple of dimensions, to reduce; None means all dimensions. "nuc" needs two dimensions.
            keepdim: if True, the dimensions that are reduced stay in the shape, with size 1
            dtype: the elements are converted to this dtype first; None keeps that of the tensor
        
        Returns a new tensor. Where the norm of order 2 is 0, its gradient is 0. Raises RuntimeError for integers.
        
        >>> x = jgrad.tensor([[3., 4.], [6., 8.]])
        >>> x.norm(dim=1)
        tensor([ 5., 10.])
        >>> x.norm(1)
        tensor(21.)
        """
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers of a normal distribution.
        
        Args:
            mean: the mean of the distribution
            std: its standard deviation, not negative
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(1000).normal_(mean=5., std=0.1)
        >>> bool((x.mean() - 5).abs() < 0.1)
        True
        """
    def not_equal(self, other: Tensor | Number) -> Tensor:
        """Whether both elements differ: `input != other`, element by element. `not_equal` is another name.
        
        See `jgrad.ne`.
        """
    def not_equal_(self, other: Tensor | Number) -> Tensor:
        """ne() in place: the result is written to self."""
    def numel(self) -> _int:
        """The number of elements.
        
        >>> jgrad.zeros(2, 3).numel()
        6
        >>> jgrad.tensor(5.).numel()
        1
        """
    def numpy(self, *, force: _bool = False) -> Any:
        """The elements as a NumPy array on the same memory.
        
        What is written to the array is written to the tensor too, and the other way round.
        
        Args:
            force: with False, an error is raised for a tensor that requires grad (unless recording is off), that is not on the CPU, or that
                is conjugated lazily; with True it is detached, copied to the CPU or computed first, so that the result may be a copy
        
        Returns an array that shares memory with this tensor, or, where `force` had to do more, a copy. NumPy has no bfloat16 and no float8:
        these raise TypeError.
        
        >>> x = jgrad.zeros(2)
        >>> a = x.numpy()
        >>> a[0] = 5.
        >>> x
        tensor([5., 0.])
        """
    def orgqr(self, input2: Tensor) -> Tensor:
        """The first n columns of a product of reflections. It is another name of `linalg.householder_product`.
        
        See `jgrad.orgqr`.
        """
    def ormqr(self, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False) -> Tensor:
        """The product of a matrix and Q, where Q is the square product of reflections that `geqrf` describes. Q itself is not made.
        
        See `jgrad.ormqr`.
        """
    def outer(self, vec2: Tensor) -> Tensor:
        """The outer product of two vectors: element (i, j) is element i of the first times element j of the second.
        
        See `jgrad.outer`.
        """
    @property
    def output_nr(self) -> _int: ...
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor:
        """The tensor with its dimensions in another order.
        
        See `jgrad.permute`.
        """
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """The tensor with its dimensions in another order."""
    def pin_memory(self, device: Any = None) -> Tensor:
        """This tensor in pinned memory, which stays in its place, so that a GPU can copy from it while the CPU computes.
        
        Args:
            device: deprecated and without effect, except for a warning
        
        Returns a new tensor, or this tensor itself if it is in such memory already. Raises RuntimeError without a GPU, and for a tensor that is on
        a GPU.
        
        >>> x = jgrad.zeros(3)
        >>> if jgrad.cuda.is_available():
        ...     x = x.pin_memory()
        >>> x.is_pinned() == jgrad.cuda.is_available()
        True
        """
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The pseudoinverse (Moore-Penrose inverse) of matrices. It is the older form of `linalg.pinv`.
        
        See `jgrad.pinverse`.
        """
    def polygamma(self, n: Any) -> Tensor:
        """The n-th derivative of the digamma function, of this tensor's elements.
        
        Args:
            n: an int, at least 0; with 0 it is `digamma` itself
        
        Returns a new tensor. Raises RuntimeError if n is negative.
        
        >>> jgrad.tensor([1.]).polygamma(1)  # pi * pi / 6
        tensor([1.6449])
        """
    def polygamma_(self, n: _int) -> Tensor:
        """The n-th derivative of the digamma function, in place: the result is written to this tensor.
        
        Args:
            n: an int, at least 0; with 0 it is `digamma` itself
        
        Returns the tensor itself.
        
        >>> x = jgrad.tensor([1.])
        >>> x.polygamma_(1)
        tensor([1.6449])
        >>> x  # pi * pi / 6
        tensor([1.6449])
        """
    def positive(self) -> Tensor:
        """The tensor itself, as `+input` in Python.
        
        See `jgrad.positive`.
        """
    @overload
    def pow(self, exponent: Number) -> Tensor:
        """`input` to the power of `exponent`, element by element. Both broadcast with each other.
        
        See `jgrad.pow`.
        """
    @overload
    def pow(self, exponent: Tensor) -> Tensor:
        """`input` to the power of `exponent`, element by element. Both broadcast with each other."""
    @overload
    def pow_(self, exponent: Number) -> Tensor:
        """pow() in place: the result is written to self."""
    @overload
    def pow_(self, exponent: Tensor) -> Tensor:
        """pow() in place: the result is written to self."""
    def prelu(self, weight: Tensor) -> Tensor:
        """Each element where it is positive, `weight * input` elsewhere. The weight is a tensor, so that it can be learned.
        
        See `jgrad.prelu`.
        """
    @overload
    def prod(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The product of all elements, or the products along a dimension.
        
        See `jgrad.prod`.
        """
    @overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The product of all elements, or the products along a dimension."""
    def put(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy of the tensor with the elements of `source` at some places. A place is a position in the flattened tensor: row by row, the last
        index changes fastest.
        
        See `jgrad.put`.
        """
    def put_(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """put() in place: the result is written to self."""
    def qr(self, some: _bool = True) -> return_types.qr:
        """The QR factorization A = Q R of matrices: the columns of Q are orthogonal, R is upper triangular. Use `linalg.qr` in new code.
        
        See `jgrad.qr`.
        """
    @overload
    def quantile(self, q: Tensor, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles: the values below which given shares of the elements lie, of all elements or along a dimension.
        
        See `jgrad.quantile`.
        """
    @overload
    def quantile(self, q: _float, dim: _int | None = None, keepdim: _bool = False, *, interpolation: _str = 'linear') -> Tensor:
        """The quantiles: the values below which given shares of the elements lie, of all elements or along a dimension."""
    def rad2deg(self) -> Tensor:
        """Angles in radians converted to degrees: `input * 180 / pi`.
        
        See `jgrad.rad2deg`.
        """
    def rad2deg_(self) -> Tensor:
        """rad2deg() in place: the result is written to self."""
    @overload
    def random_(self, from_: _int, to: _int | None, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random integers that are equally likely.
        
        Args:
            from_: the smallest integer; 0 if it is left out. If there is one argument, it is `to`.
            to: the integers lie below it; None (or no argument) means that the largest integer the dtype can hold also occurs. For floating dtypes it
                is the largest up to which all integers are exact.
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> x = jgrad.zeros(100, dtype=jgrad.int64).random_(2, 5)
        >>> x.unique()
        tensor([2, 3, 4])
        """
    @overload
    def random_(self, to: _int, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random integers that are equally likely."""
    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random integers that are equally likely."""
    def ravel(self) -> Tensor:
        """All elements in one dimension, in order (the last index changes fastest).
        
        See `jgrad.ravel`.
        """
    @property
    def real(self) -> Tensor: ...
    def reciprocal(self) -> Tensor:
        """`1 / input`, element by element.
        
        See `jgrad.reciprocal`.
        """
    def reciprocal_(self) -> Tensor:
        """reciprocal() in place: the result is written to self."""
    def register_hook(self, hook: Callable) -> Any:
        """Call a function with the gradient of this tensor whenever a backward pass computes it.
        
        The hook may look at the gradient, or replace it by another one. On a leaf it is called before the gradient is added to `.grad`.
        
        Args:
            hook: a function of one argument, the gradient; if it returns a tensor of the same shape and dtype, that replaces the gradient;
                if it returns None, the gradient stays as it is
        
        Returns a handle. Its method `remove()` takes the hook away. Raises RuntimeError if the tensor does not require grad.
        
        >>> x = jgrad.tensor([1., 2.], requires_grad=True)
        >>> handle = x.register_hook(lambda grad: 10 * grad)
        >>> (3 * x).sum().backward()
        >>> x.grad
        tensor([30., 30.])
        >>> handle.remove()
        """
    def register_post_accumulate_grad_hook(self, hook: Callable) -> Any:
        """Call a function whenever a backward pass has added a gradient to the `.grad` of this leaf.
        
        It is useful to update a parameter, and to free its gradient, while the backward pass is still running.
        
        Args:
            hook: a function of one argument, this tensor; it finds the gradient in `.grad` and must return None
        
        Returns a handle. Its method `remove()` takes the hook away. Raises RuntimeError for a tensor that is not a leaf or does not require grad.
        
        >>> w = jgrad.tensor([1., 2.], requires_grad=True)
        >>> seen = []
        >>> handle = w.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.clone()))
        >>> (w * 3).sum().backward()
        >>> seen
        [tensor([3., 3.])]
        """
    def relu(self) -> Tensor:
        """The rectified linear unit: the element where it is positive, 0 elsewhere.
        
        See `jgrad.relu`.
        """
    def relu_(self) -> Tensor:
        """relu() in place: the result is written to self."""
    @overload
    def remainder(self, other: Number) -> Tensor:
        """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
        `input - other * floor(input / other)`.
        
        See `jgrad.remainder`.
        """
    @overload
    def remainder(self, other: Tensor) -> Tensor:
        """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
        `input - other * floor(input / other)`.
        """
    @overload
    def remainder_(self, other: Number) -> Tensor:
        """remainder() in place: the result is written to self."""
    @overload
    def remainder_(self, other: Tensor) -> Tensor:
        """remainder() in place: the result is written to self."""
    def renorm(self, p: Number, dim: _int, maxnorm: Number) -> Tensor:
        """Each slice along a dimension whose norm of order `p` is larger than `maxnorm` is shortened to that norm. The other slices stay as they are.
        
        See `jgrad.renorm`.
        """
    def renorm_(self, p: Number, dim: _int, maxnorm: Number) -> Tensor:
        """renorm() in place: the result is written to self."""
    @overload
    def repeat(self, repeats: Sequence[_int]) -> Tensor:
        """The tensor several times side by side, along each dimension.
        
        Args:
            repeats: how many times along each dimension, as integers or as one tuple. More numbers than the tensor has dimensions put new
                dimensions in front; fewer raise RuntimeError
        
        Returns a new tensor: this is a copy. (`expand` makes a view.) The gradients of all copies add up.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.repeat(3)
        tensor([1, 2, 1, 2, 1, 2])
        >>> x.repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
        """
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """The tensor several times side by side, along each dimension."""
    @overload
    def repeat_interleave(self, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
        repetition: each index as many times as its count says.
        
        See `jgrad.repeat_interleave`.
        """
    @overload
    def repeat_interleave(self, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None) -> Tensor:
        """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
        repetition: each index as many times as its count says.
        """
    @overload
    def repeat_interleave(self, *, output_size: _int | None = None) -> Tensor:
        """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
        repetition: each index as many times as its count says.
        """
    requires_grad: _bool
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Switch the recording of operations on this leaf on or off, in place.
        
        Args:
            requires_grad: True to record, False to stop; only tensors of a floating-point or complex dtype can have True
        
        Returns this tensor itself. Raises RuntimeError if it would be switched off for a tensor that is not a leaf: use `detach()` there.
        
        >>> w = jgrad.zeros(2).requires_grad_()
        >>> (w * 3).sum().backward()
        >>> w.grad
        tensor([3., 3.])
        """
    @overload
    def reshape(self, shape: Sequence[_int]) -> Tensor:
        """The same elements in another shape, in the same order (the last index changes fastest).
        
        See `jgrad.reshape`.
        """
    @overload
    def reshape(self, *shape: _int) -> Tensor:
        """The same elements in another shape, in the same order (the last index changes fastest)."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """The same elements in the shape of another tensor.
        
        Args:
            other: a tensor with as many elements; only its shape matters
        
        Returns a view if the strides allow it, else a copy.
        
        >>> jgrad.arange(4).reshape_as(jgrad.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
    @overload
    def resize_(self, size: Sequence[_int], *, memory_format: _memory_format | None = None) -> Tensor:
        """Gives the tensor another shape over the same storage, in place. The storage grows if it is too small.
        
        Args:
            size: the new shape, as integers or as one tuple; it can have another number of elements
            memory_format: the order of the dimensions in memory; None means `jgrad.contiguous_format`, where the last index changes fastest
        
        Returns the tensor itself. Elements that the storage did not have before are not initialised: they can hold any values.
        
        Raises RuntimeError if the tensor requires grad.
        
        >>> x = jgrad.tensor([1, 2, 3, 4])
        >>> x.resize_(2)
        tensor([1, 2])
        >>> x.resize_(2, 2)  # the storage still has all four elements
        tensor([[1, 2],
                [3, 4]])
        """
    @overload
    def resize_(self, *size: _int, memory_format: _memory_format | None = None) -> Tensor:
        """Gives the tensor another shape over the same storage, in place. The storage grows if it is too small."""
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
        """Gives the tensor the shape of another one over the same storage, in place. The storage grows if it is too small.
        
        See `jgrad.resize_as_`.
        """
    def resolve_conj(self) -> Tensor:
        """The tensor with its conjugation carried out in memory. A view made by `conj` conjugates its elements only when they are read.
        
        See `jgrad.resolve_conj`.
        """
    def resolve_neg(self) -> Tensor:
        """The tensor with its negation carried out in memory. A view for which `is_neg` is True negates its elements only when they are read.
        
        See `jgrad.resolve_neg`.
        """
    def retain_grad(self) -> None:
        """Let backward passes fill `.grad` of this tensor although it is not a leaf. It does nothing on a leaf, which gets its `.grad` anyway.
        
        Raises RuntimeError if the tensor does not require grad.
        
        >>> x = jgrad.tensor([1., 2.], requires_grad=True)
        >>> y = x * 2
        >>> y.retain_grad()
        >>> (y * y).sum().backward()
        >>> y.grad
        tensor([4., 8.])
        >>> x.grad
        tensor([ 8., 16.])
        """
    @property
    def retains_grad(self) -> _bool: ...
    def roll(self, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = ...) -> Tensor:
        """The tensor with its elements moved along some dimensions. Elements that leave at one end come back at the other end.
        
        See `jgrad.roll`.
        """
    def rot90(self, k: _int = 1, dims: Sequence[_int] = ...) -> Tensor:
        """The tensor turned by 90 degrees in two dimensions, `k` times. A matrix turns counterclockwise.
        
        See `jgrad.rot90`.
        """
    @overload
    def round(self) -> Tensor:
        """Each element rounded to the nearest integer. A half is rounded to the even neighbour.
        
        See `jgrad.round`.
        """
    @overload
    def round(self, *, decimals: _int) -> Tensor:
        """Each element rounded to the nearest integer. A half is rounded to the even neighbour."""
    @overload
    def round_(self) -> Tensor:
        """round() in place: the result is written to self."""
    @overload
    def round_(self, *, decimals: _int) -> Tensor:
        """round() in place: the result is written to self."""
    def rsqrt(self) -> Tensor:
        """`1 / sqrt(input)`, element by element.
        
        See `jgrad.rsqrt`.
        """
    def rsqrt_(self) -> Tensor:
        """rsqrt() in place: the result is written to self."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
        `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
        
        See `jgrad.scatter`.
        """
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Number) -> Tensor:
        """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
        `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
        """
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: _str) -> Tensor:
        """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
        `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
        """
    @overload
    def scatter(self, dim: _int, index: Tensor, value: Number, *, reduce: _str) -> Tensor:
        """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
        `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`.
        """
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
        """A copy of the tensor with values added at the places that an index tensor names. With two dimensions and `dim=0`, it does
        `out[index[i][j]][j] += src[i][j]`; with `dim=1` it does `out[i][index[i][j]] += src[i][j]`. Values with the same index add up.
        
        See `jgrad.scatter_add`.
        """
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """scatter_add() in place: the result is written to self."""
    def scatter_reduce(self, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """A copy of the tensor where the values of `src` that have the same index are combined to one: by their sum, product, mean, largest or
        smallest. The old value takes part in it.
        
        See `jgrad.scatter_reduce`.
        """
    def scatter_reduce_(self, dim: _int, index: Tensor, src: Tensor, reduce: _str, *, include_self: _bool = True) -> Tensor:
        """scatter_reduce() in place: the result is written to self."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """The part of the tensor at one index of a dimension. This dimension goes away. `x.select(1, 2)` is the same as `x[:, 2]`.
        
        See `jgrad.select`.
        """
    def select_scatter(self, src: Tensor, dim: _int, index: _int) -> Tensor:
        """A copy of the tensor with `src` at one index of a dimension: as `x.select(dim, index).copy_(src)`, but `x` stays as it is.
        
        See `jgrad.select_scatter`.
        """
    def set_(self, source: Any = None, storage_offset: _int = 0, size: Sequence[_int] | None = None, stride: Sequence[_int] | None = None) -> Tensor:
        """Puts the tensor on the memory of another tensor or of a storage, in place. Without a source, it becomes empty.
        
        Args:
            source: a tensor with the same dtype, or a storage; None means new memory without elements
            storage_offset: the position of the first element in the storage; it is used together with `size`
            size: the new shape; None means that of the source, or for a storage one dimension with all its elements
            stride: the new strides; None means those of a contiguous tensor
        
        Returns the tensor itself, which then shares the memory of the source.
        
        Has no gradient: if the tensor or the source requires grad, `backward` through the result raises RuntimeError.
        
        >>> x, y = jgrad.zeros(2), jgrad.tensor([1., 2., 3.])
        >>> x.set_(y)
        tensor([1., 2., 3.])
        >>> x[0] = 9
        >>> y
        tensor([9., 2., 3.])
        """
    def sgn(self) -> Tensor:
        """The sign of each element: -1, 0 or 1. For a complex number it is `input / abs(input)`, which has size 1, or 0 for 0.
        
        See `jgrad.sgn`.
        """
    def sgn_(self) -> Tensor:
        """sgn() in place: the result is written to self."""
    @property
    def shape(self) -> _Size: ...
    def short(self, memory_format: Any = None) -> Tensor:
        """This tensor converted to int16. Digits after the point are cut off. No gradient flows through it.
        
        Args:
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([0., 2.75]).short()
        >>> x.dtype
        jgrad.int16
        >>> x.tolist()
        [0, 2]
        """
    def sigmoid(self) -> Tensor:
        """The logistic function `1 / (1 + exp(-input))`, element by element. Its values lie between 0 and 1. It is also `special.expit`.
        
        See `jgrad.sigmoid`.
        """
    def sigmoid_(self) -> Tensor:
        """sigmoid() in place: the result is written to self."""
    def sigmoid_backward(self, output: Tensor) -> Tensor:
        """The gradient of `sigmoid`, computed from its result.
        
        See `jgrad.sigmoid_backward`.
        """
    def sign(self) -> Tensor:
        """The sign of each element: -1, 0 or 1. `sgn` does the same for complex numbers too.
        
        See `jgrad.sign`.
        """
    def sign_(self) -> Tensor:
        """sign() in place: the result is written to self."""
    def signbit(self) -> Tensor:
        """Whether each element has a minus sign. The sign of -0.0 is minus too.
        
        See `jgrad.signbit`.
        """
    def sin(self) -> Tensor:
        """The sine of each element, an angle in radians.
        
        See `jgrad.sin`.
        """
    def sin_(self) -> Tensor:
        """sin() in place: the result is written to self."""
    def sinc(self) -> Tensor:
        """The normalized sinc function `sin(pi * input) / (pi * input)`. It is 1 where the element is 0.
        
        See `jgrad.sinc`.
        """
    def sinc_(self) -> Tensor:
        """sinc() in place: the result is written to self."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine of each element: `(exp(input) - exp(-input)) / 2`.
        
        See `jgrad.sinh`.
        """
    def sinh_(self) -> Tensor:
        """sinh() in place: the result is written to self."""
    def size(self, dim: _int | None = None) -> Any:
        """The shape, or the extent of one dimension.
        
        Args:
            dim: the dimension whose extent is asked for; negative numbers count from the last one; None asks for the whole shape
        
        Returns a `Size` if `dim` is None, else an int.
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.size()
        jgrad.Size([2, 3])
        >>> x.size(-1)
        3
        """
    def slice_scatter(self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1) -> Tensor:
        """A copy of the tensor with `src` in a range of a dimension: as `x[start:end:step] = src` for dimension 0, but `x` stays as it is.
        
        See `jgrad.slice_scatter`.
        """
    def slogdet(self) -> return_types.slogdet:
        """The sign of the determinant and the logarithm of its absolute value. It is `linalg.slogdet`.
        
        See `jgrad.slogdet`.
        """
    def softmax(self, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
        """The exponentials of the elements, divided by their sum along a dimension: positive numbers that add up to 1. No element overflows.
        
        See `jgrad.softmax`.
        """
    def solve(self, A: Tensor, *, out: Any = None) -> Any:
        """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.solve`, which takes A first.
        
        Args:
            input, A: what the removed function took; they are ignored
        
        >>> jgrad.linalg.solve(jgrad.tensor([[2., 0.], [0., 4.]]), jgrad.tensor([2., 2.]))  # in place of jgrad.solve
        tensor([1.0000, 0.5000])
        """
    @overload
    def sort(self, *, stable: _bool | None, dim: _int = -1, descending: _bool = False) -> return_types.sort:
        """The elements along a dimension in order, and the places where they were. A nan is larger than every number.
        
        See `jgrad.sort`.
        """
    @overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> return_types.sort:
        """The elements along a dimension in order, and the places where they were. A nan is larger than every number."""
    def sparse_dim(self) -> _int:
        """The number of sparse dimensions: those that the indices are for. 0 for a dense tensor.
        
        >>> jgrad.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]], (3, 2)).sparse_dim()
        1
        """
    def sparse_mask(self, mask: Tensor) -> Tensor:
        """The elements of a tensor at the places of a sparse one.
        
        Args:
            mask: a sparse tensor of the same shape; its values do not matter
        
        Returns a new sparse tensor. Raises RuntimeError for other shapes.
        
        >>> mask = jgrad.sparse_coo_tensor([[0, 2]], [1., 1.], (3,))
        >>> jgrad.tensor([5., 6., 7.]).sparse_mask(mask)._values()
        tensor([5., 7.])
        """
    def split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension: all of the same size, where the last may be smaller.
        
        See `jgrad.split`.
        """
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension, with the given sizes.
        
        See `jgrad.split_with_sizes`.
        """
    def sqrt(self) -> Tensor:
        """The square root of each element.
        
        See `jgrad.sqrt`.
        """
    def sqrt_(self) -> Tensor:
        """sqrt() in place: the result is written to self."""
    def square(self) -> Tensor:
        """The square `input * input`, element by element.
        
        See `jgrad.square`.
        """
    def square_(self) -> Tensor:
        """Multiply every element by itself, in place.
        
        See `jgrad.square_`.
        """
    @overload
    def squeeze(self) -> Tensor:
        """The tensor without its dimensions of size 1, or without some of them.
        
        See `jgrad.squeeze`.
        """
    @overload
    def squeeze(self, dim: _int) -> Tensor:
        """The tensor without its dimensions of size 1, or without some of them."""
    @overload
    def squeeze(self, dim: Sequence[_int]) -> Tensor:
        """The tensor without its dimensions of size 1, or without some of them."""
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
        """The standard deviation: the square root of the variance, of all elements or over some dimensions.
        
        See `jgrad.std`.
        """
    @overload
    def std(self, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> Tensor:
        """The standard deviation: the square root of the variance, of all elements or over some dimensions."""
    @overload
    def std(self, unbiased: _bool = True) -> Tensor:
        """The standard deviation: the square root of the variance, of all elements or over some dimensions."""
    def stft(self, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: Tensor | None = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool | None = None, return_complex: _bool | None = None, align_to_window: _bool | None = None) -> Tensor:
        """The short-time Fourier transform: the Fourier transforms of overlapping pieces of a signal. It shows how the frequencies change with time.
        
        See `jgrad.stft`.
        """
    def storage(self) -> Any:
        """The memory of the tensor as a flat sequence of numbers of its dtype. Deprecated: use `untyped_storage()`.
        
        Returns a `TypedStorage` that shares the memory of the tensor. It has all elements of the memory, also those that a view does not show.
        
        >>> x = jgrad.tensor([1., 2., 3.])
        >>> list(x[:1].storage())
        [1.0, 2.0, 3.0]
        """
    def storage_offset(self) -> _int:
        """The number of elements between the beginning of the storage and the first element of this tensor.
        
        >>> x = jgrad.tensor([10, 20, 30, 40])
        >>> x.storage_offset()
        0
        >>> x[2:].storage_offset()
        2
        """
    def storage_type(self) -> _str:
        """The name of the older class of storages with the tensor's dtype.
        
        Returns a string.
        
        >>> jgrad.tensor([1., 2.]).storage_type()  # jgrad only
        "<class 'jgrad.FloatStorage'>"
        """
    def stride(self, dim: _int | None = None) -> Any:
        """The distance in memory, counted in elements, between neighbours along each dimension, or along one dimension.
        
        Args:
            dim: the dimension that is asked for; negative numbers count from the last one; None asks for all of them
        
        Returns a tuple of ints if `dim` is None, else an int.
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.stride()
        (3, 1)
        >>> x.t().stride()  # a view of the same memory, read in another order
        (1, 3)
        >>> x.stride(0)
        3
        """
    def sub(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name.
        
        See `jgrad.sub`.
        """
    def sub_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """sub() in place: the result is written to self."""
    def subtract(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name.
        
        See `jgrad.sub`.
        """
    def subtract_(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """sub() in place: the result is written to self."""
    @overload
    def sum(self, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of all elements, or the sums over some dimensions.
        
        See `jgrad.sum`.
        """
    @overload
    def sum(self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | _type | None = None) -> Tensor:
        """The sum of all elements, or the sums over some dimensions."""
    @overload
    def sum_to_size(self, size: Sequence[_int]) -> Tensor:
        """The sums over the dimensions that broadcasting from the shape `size` would add or make larger. It gives the gradient of `expand`.
        
        Args:
            size: the shape of the result, as integers or as one tuple; it must broadcast to the shape of the tensor
        
        Returns a new tensor, or the tensor itself if it has this shape already.
        
        >>> x = jgrad.tensor([[1, 2], [3, 4]])
        >>> x.sum_to_size(2)
        tensor([4, 6])
        >>> x.sum_to_size(2, 1)
        tensor([[3],
                [7]])
        """
    @overload
    def sum_to_size(self, *size: _int) -> Tensor:
        """The sums over the dimensions that broadcasting from the shape `size` would add or make larger. It gives the gradient of `expand`."""
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> return_types.svd:
        """The singular value decomposition of matrices: `A = U @ diag(S) @ V.mH`. Use `linalg.svd` in new code, which gives `V.mH` itself.
        
        See `jgrad.svd`.
        """
    def swapaxes(self, axis0: _int, axis1: _int) -> Tensor:
        """The tensor with two of its dimensions exchanged: another name of `transpose`.
        
        See `jgrad.swapaxes`.
        """
    def swapaxes_(self, axis0: _int, axis1: _int) -> Tensor:
        """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change.
        
        Args:
            axis0, axis1: the two dimensions; negative numbers count from the last one
        
        Returns the tensor itself.
        
        >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
        >>> x.swapaxes_(0, 1).shape
        jgrad.Size([3, 2])
        >>> x
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
        """
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """The tensor with two of its dimensions exchanged: another name of `transpose`.
        
        See `jgrad.swapdims`.
        """
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change.
        
        Args:
            dim0, dim1: the two dimensions; negative numbers count from the last one
        
        Returns the tensor itself.
        
        >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
        >>> x.swapdims_(0, 1).shape
        jgrad.Size([3, 2])
        >>> x
        tensor([[1, 4],
                [2, 5],
                [3, 6]])
        """
    def symeig(self, eigenvectors: _bool = False, upper: _bool = True, *, out: Any = None) -> Any:
        """This function was removed from PyTorch. It always raises RuntimeError. Use `linalg.eigh` or `linalg.eigvalsh`.
        
        Args:
            input, eigenvectors, upper: what the removed function took; they are ignored
        
        >>> jgrad.linalg.eigvalsh(jgrad.tensor([[3., 0.], [0., 2.]]))  # in place of jgrad.symeig
        tensor([2., 3.])
        """
    def t(self) -> Tensor:
        """The transposed matrix: rows become columns.
        
        See `jgrad.t`.
        """
    def t_(self) -> Tensor:
        """t() in place: the result is written to self."""
    def take(self, index: Tensor) -> Tensor:
        """The elements at some places. A place is a position in the flattened tensor: row by row, the last index changes fastest.
        
        See `jgrad.take`.
        """
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """Elements of the tensor, chosen along a dimension by an index tensor: as `gather`, but the two tensors are broadcast first.
        It fits the results of `argsort` and of `argmax` with `keepdim=True`.
        
        See `jgrad.take_along_dim`.
        """
    def tan(self) -> Tensor:
        """The tangent of each element, an angle in radians.
        
        See `jgrad.tan`.
        """
    def tan_(self) -> Tensor:
        """tan() in place: the result is written to self."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent of each element: `sinh(input) / cosh(input)`. Its values lie between -1 and 1.
        
        See `jgrad.tanh`.
        """
    def tanh_(self) -> Tensor:
        """tanh() in place: the result is written to self."""
    def tanh_backward(self, output: Tensor) -> Tensor:
        """The gradient of `tanh`, computed from its result.
        
        See `jgrad.tanh_backward`.
        """
    @overload
    def tensor_split(self, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices.
        
        See `jgrad.tensor_split`.
        """
    @overload
    def tensor_split(self, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices."""
    def threshold_backward(self, input: Tensor, threshold: Number) -> Tensor:
        """The gradient of `relu` and `threshold`: `grad_output` where `self` is above the threshold, 0 elsewhere.
        
        See `jgrad.threshold_backward`.
        """
    @overload
    def tile(self, dims: Sequence[_int]) -> Tensor:
        """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape.
        
        See `jgrad.tile`.
        """
    @overload
    def tile(self, *dims: _int) -> Tensor:
        """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape."""
    def to(self, device: Any = ..., dtype: Any = None, non_blocking: _bool = False, copy: _bool = False, *, memory_format: Any = None, tensor: Any = ...) -> Tensor:
        """This tensor in another dtype or on another device. Gradients flow through the conversion.
        
        It is called as `x.to(dtype)`, `x.to(device)`, `x.to(device, dtype)` or `x.to(tensor)`; `non_blocking` and `copy` may follow.
        
        Args:
            device: the device of the result; None keeps this one
            dtype: the dtype of the result; None keeps this one. It may be the first argument
            non_blocking: whether a copy between CPU and GPU may go on while the program continues
            copy: whether to make a copy even if nothing changes
            memory_format: the order of the elements in memory, such as `jgrad.channels_last`; None keeps it
            tensor: a tensor whose dtype and device are taken. It may be the first argument
        
        Returns this tensor itself if nothing changes and `copy` is False, else a new tensor: the result shares memory only in the first case.
        
        >>> x = jgrad.tensor([1, 2])
        >>> x.to(jgrad.float32)
        tensor([1., 2.])
        >>> x.to(jgrad.int64) is x
        True
        >>> x.to(jgrad.int64, copy=True) is x
        False
        """
    def to_dense(self, dtype: _dtype | _type | None = None, *, masked_grad: _bool | None = None) -> Tensor:
        """The dense tensor with the same elements.
        
        Args:
            dtype: of a dense tensor, the dtype of the result; a sparse one refuses it
            masked_grad: whether the gradient of a sparse tensor is kept at its places only; None means True
        
        Returns a new tensor, or this one if it is dense.
        
        >>> jgrad.sparse_coo_tensor([[0, 0]], [1., 2.], (3,)).to_dense()
        tensor([3., 0., 0.])
        """
    def to_sparse(self, sparse_dim: _int | None = None, layout: Any = None, blocksize: Any = None, dense_dim: _int | None = None) -> Tensor:
        """The sparse tensor with the same elements. It is coalesced.
        
        Args:
            sparse_dim: how many of the first dimensions are sparse; None means all of them
            layout: None or `jgrad.sparse_coo`, the only sparse layout here; `jgrad.strided` gives the dense tensor
            blocksize: for layouts that jgrad does not have
            dense_dim: for layouts that jgrad does not have
        
        Returns a new tensor, or this one if it is sparse already.
        
        >>> jgrad.tensor([0., 5.]).to_sparse()
        tensor(indices=tensor([[1]]),
               values=tensor([5.]),
               size=(2,), nnz=1, layout=jgrad.sparse_coo)
        """
    def to_sparse_coo(self) -> Tensor:
        """The sparse tensor of the layout `sparse_coo` with the same elements: the same as `to_sparse()`.
        
        >>> jgrad.tensor([0., 5.]).to_sparse_coo()._nnz()
        1
        """
    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers.
        
        Returns lists as deep as the tensor has dimensions; a plain number for a tensor without dimensions. The numbers have no history.
        
        >>> jgrad.tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        >>> jgrad.tensor(0.5).tolist()
        0.5
        """
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> return_types.topk:
        """The `k` largest (or smallest) elements along a dimension, and the places where they were. A nan is larger than every number.
        
        See `jgrad.topk`.
        """
    def trace(self) -> Tensor:
        """The sum of the elements on the diagonal of a matrix.
        
        Returns a new tensor without dimensions. The matrix need not be square. Raises RuntimeError if the tensor does not have two dimensions.
        
        >>> x = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
        >>> y = x.trace()
        >>> y
        tensor(5., grad_fn=<TraceBackward0>)
        >>> y.backward()
        >>> x.grad
        tensor([[1., 0.],
                [0., 1.]])
        """
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """The tensor with two of its dimensions exchanged.
        
        See `jgrad.transpose`.
        """
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """transpose() in place: the result is written to self."""
    def triangular_solve(self, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False) -> return_types.triangular_solve:
        """The solution X of the linear system A X = B for a triangular matrix A. Use `linalg.solve_triangular` in new code, which takes A first.
        
        See `jgrad.triangular_solve`.
        """
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangles of matrices: the elements above a diagonal are replaced by zeros.
        
        See `jgrad.tril`.
        """
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """tril() in place: the result is written to self."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangles of matrices: the elements below a diagonal are replaced by zeros.
        
        See `jgrad.triu`.
        """
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """triu() in place: the result is written to self."""
    def true_divide(self, other: Tensor | Number) -> Tensor:
        """The quotient `input / other`, element by element, without rounding. It is the same as `div` without `rounding_mode`.
        
        See `jgrad.true_divide`.
        """
    def true_divide_(self, other: Tensor | Number) -> Tensor:
        """Divide this tensor by `other`, element by element, in place.
        
        Args:
            other: a tensor that broadcasts to the shape of this one, or a number
        
        Returns this tensor. Raises RuntimeError for a tensor of integers, which cannot hold the quotients.
        
        >>> x = jgrad.tensor([1., 2.])
        >>> x.true_divide_(4)
        tensor([0.2500, 0.5000])
        >>> x
        tensor([0.2500, 0.5000])
        """
    def trunc(self) -> Tensor:
        """Each element rounded towards zero: its integer part. `fix` is another name.
        
        See `jgrad.trunc`.
        """
    def trunc_(self) -> Tensor:
        """trunc() in place: the result is written to self."""
    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any:
        """The older name of the dtype, or this tensor converted to a dtype.
        
        Args:
            dtype: None to ask for the name; otherwise a dtype, its older name such as "torch.LongTensor", or a class such as
                `jgrad.LongTensor`; a name and a class stand for a device too
            non_blocking: whether a copy between CPU and GPU may go on while the program continues
        
        Returns a str if `dtype` is None. Otherwise a new tensor, or this tensor itself if nothing changes.
        
        >>> x = jgrad.tensor([1.7, -1.7])
        >>> x.type(jgrad.int64)
        tensor([ 1, -1])
        >>> x.type("torch.DoubleTensor").dtype
        jgrad.float64
        >>> x.type() == "torch.FloatTensor"
        True
        """
    def type_as(self, other: Tensor) -> Tensor:
        """This tensor in the dtype and on the device of another tensor.
        
        Args:
            other: the tensor whose dtype and device are taken
        
        Returns a new tensor, or this tensor itself if nothing changes.
        
        >>> jgrad.tensor([1, 2]).type_as(jgrad.tensor(0.5))
        tensor([1., 2.])
        """
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """All parts of the tensor along a dimension, one for each index. This dimension goes away. It is the inverse of `stack`.
        
        See `jgrad.unbind`.
        """
    def unflatten(self, dim: _int, sizes: Sequence[_int]) -> Tensor:
        """The tensor with one dimension cut into several. It is the inverse of `flatten`.
        
        See `jgrad.unflatten`.
        """
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """All windows of one size along a dimension. This dimension then counts the windows, and a new last dimension holds the elements of each.
        
        Args:
            dimension: the dimension along which the windows move; negative numbers count from the last one
            size: the number of elements in a window; at most the size of the dimension
            step: the distance between the beginnings of two windows
        
        Returns a view: it shares the memory of the tensor. Windows can overlap; the gradient of an element is then the sum over all windows
        that contain it.
        
        >>> x = jgrad.tensor([1., 2., 3., 4.], requires_grad=True)
        >>> y = x.unfold(0, 2, 1)
        >>> y.detach()
        tensor([[1., 2.],
                [2., 3.],
                [3., 4.]])
        >>> y.sum().backward()
        >>> x.grad
        tensor([1., 2., 2., 1.])
        """
    def uniform_(self, from_: _float = 0.0, to: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill this tensor with random numbers that are equally likely anywhere from `from_` to `to`.
        
        Args:
            from_: the lower end
            to: the upper end, which itself does not occur
            generator: the stream of random numbers; None means the default generator of the device
        
        Returns the tensor itself. No gradient flows through it to the earlier values. Raises RuntimeError for a leaf that requires a gradient.
        
        >>> jgrad.zeros(2).uniform_()
        tensor([0.4963, 0.7682])
        """
    def unique(self, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
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
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> Any:
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
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of
        `input`, but autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.
        
        See `jgrad.unsafe_chunk`.
        """
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of `input`, but
        autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.
        
        See `jgrad.unsafe_split`.
        """
    def unsafe_split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the tensor along a dimension, with the given sizes. They share the memory of `input`, but autograd does not treat them as views:
        a write to one piece is not noticed by `input` and the other pieces.
        
        See `jgrad.unsafe_split_with_sizes`.
        """
    def unsqueeze(self, dim: _int) -> Tensor:
        """The tensor with one more dimension, which has size 1.
        
        See `jgrad.unsqueeze`.
        """
    def unsqueeze_(self, dim: _int) -> Tensor:
        """unsqueeze() in place: the result is written to self."""
    def untyped_storage(self) -> Any:
        """The storage of this tensor: the bytes that it and its views read and write.
        
        Returns a storage that shares this memory.
        
        >>> x = jgrad.zeros(2, 3)
        >>> x.untyped_storage().nbytes()
        24
        >>> x[0].untyped_storage().nbytes()  # the storage of a view is that of the whole tensor
        24
        """
    def values(self) -> Tensor:
        """The values of a sparse tensor that is coalesced. Gradients flow through it.
        
        Returns a tensor of shape (places, *dense dimensions), which shares memory and version counter with this one. Raises RuntimeError if this
        tensor is not coalesced or not sparse.
        
        >>> jgrad.sparse_coo_tensor([[2, 0]], [1., 2.], (3,)).coalesce().values()
        tensor([2., 1.])
        """
    @overload
    def var(self, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor:
        """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions.
        
        See `jgrad.var`.
        """
    @overload
    def var(self, dim: _int | Sequence[_int] | None = None, *, correction: Number | None = None, keepdim: _bool = False) -> Tensor:
        """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions."""
    @overload
    def var(self, unbiased: _bool = True) -> Tensor:
        """The variance: the mean of the squared distances from the mean, of all elements or over some dimensions."""
    def vdot(self, other: Tensor) -> Tensor:
        """The sum of the products of two vectors, where the elements of the first one are conjugated. For real numbers it is `dot`.
        
        See `jgrad.vdot`.
        """
    @overload
    def view(self, size: Sequence[_int]) -> Tensor:
        """A tensor on the same memory with another shape. It works only if the strides allow this without a copy.
        
        Args:
            size: the new shape, as integers or as one tuple; one size may be -1, then it is computed from the others
            dtype: instead of a shape, the dtype as which the same bytes are read; if its elements have another size, the last dimension
                becomes longer or shorter
        
        Returns a view with the given shape, or, with `dtype`, a tensor on the same memory through which no gradient flows.
        
        Raises RuntimeError if the new shape has another number of elements, or if the strides don't allow it. `reshape` makes a copy in the
        second case.
        
        >>> x = jgrad.arange(6)
        >>> y = x.view(2, -1)
        >>> y[0, 0] = 9
        >>> x
        tensor([9, 1, 2, 3, 4, 5])
        >>> y
        tensor([[9, 1, 2],
                [3, 4, 5]])
        >>> jgrad.tensor([1.0]).view(jgrad.int32)
        tensor([1065353216], dtype=jgrad.int32)
        """
    @overload
    def view(self, *size: _int) -> Tensor:
        """A tensor on the same memory with another shape. It works only if the strides allow this without a copy."""
    @overload
    def view(self, dtype: _dtype | _type) -> Tensor:
        """A tensor on the same memory with another shape. It works only if the strides allow this without a copy."""
    def view_as(self, other: Tensor) -> Tensor:
        """The tensor as a view with the shape of another one.
        
        Args:
            other: a tensor with as many elements; only its shape matters
        
        Returns a view: it shares the memory of the tensor. Raises RuntimeError if the strides don't allow it.
        
        >>> jgrad.arange(4).view_as(jgrad.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
    @overload
    def vsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Pieces of the tensor from top to bottom: along dimension 0.
        
        See `jgrad.vsplit`.
        """
    @overload
    def vsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]:
        """Pieces of the tensor from top to bottom: along dimension 0."""
    def where(self, condition: Tensor, other: Any) -> Tensor:
        """The elements of this tensor where the condition is true and those of `other` where it is false.
        
        Args:
            condition: a bool tensor
            other: a tensor or number for where the condition is false
        
        Returns a new tensor: the three are broadcast together, and its dtype is the one to which those of this tensor and `other` are promoted.
        
        >>> x = jgrad.tensor([1, -2, 3])
        >>> x.where(x > 0, 0)
        tensor([1, 0, 3])
        """
    @overload
    def xlogy(self, other: Tensor) -> Tensor:
        """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
        `special.xlogy`.
        
        See `jgrad.xlogy`.
        """
    @overload
    def xlogy(self, other: Number) -> Tensor:
        """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
        `special.xlogy`.
        """
    @overload
    def xlogy_(self, other: Tensor) -> Tensor:
        """xlogy() in place: the result is written to self."""
    @overload
    def xlogy_(self, other: Number) -> Tensor:
        """xlogy() in place: the result is written to self."""
    def zero_(self) -> Tensor:
        """Write 0 into every element of a tensor, in place. The gradient of the old elements is 0.
        
        See `jgrad.zero_`.
        """
