"""Functions of the array API standard that differ from jgrad's functions of the same name, or that jgrad has under another name."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

import jgrad
from jgrad import Tensor, dtype
from jgrad.dtypes import FROM_NUMPY

own: Any = jgrad
Array: TypeAlias = Any  # a Tensor, with the operators that are declared elsewhere

# Dtypes ------------------------------------------------------------------------------------------------------------------------

SIGNED = [jgrad.int8, jgrad.int16, jgrad.int32, jgrad.int64]
UNSIGNED = [jgrad.uint8, jgrad.uint16, jgrad.uint32, jgrad.uint64]
REAL = [jgrad.float32, jgrad.float64]
COMPLEX = [jgrad.complex64, jgrad.complex128]
KINDS = {
    "bool": [jgrad.bool],
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": REAL,
    "complex floating": COMPLEX,
    "numeric": SIGNED + UNSIGNED + REAL + COMPLEX,
}


def isdtype(dtype: dtype, kind: Any) -> bool:
    """Whether a dtype is one, is of a kind such as "real floating", or is so of one of several."""
    if isinstance(kind, tuple):
        return builtins.any([isdtype(dtype, one) for one in kind])
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"Unrecognized data type kind: {kind!r}")
        return dtype in KINDS[kind]
    return dtype == kind


def result_type(*arrays_and_dtypes: Any) -> dtype:
    """The dtype to which arrays and dtypes are promoted. A 0-dimensional array counts as any other; a Python number keeps the dtype if it can."""
    typed = [
        x.dtype if isinstance(x, Tensor) else x for x in arrays_and_dtypes if isinstance(x, (Tensor, dtype))
    ]
    if not typed:
        raise ValueError("result_type() takes at least one array or dtype")
    found = functools.reduce(_promoted, typed)
    numbers = [x for x in arrays_and_dtypes if not isinstance(x, (Tensor, dtype))]
    return _with(found, numbers)


def _promoted(a: dtype, b: dtype) -> dtype:
    """The common dtype of two. Of integers it is NumPy's: jgrad does not promote large unsigned ones, as PyTorch."""
    if isdtype(a, "integral") and isdtype(b, "integral"):
        return FROM_NUMPY[np.promote_types(a.numpy, b.numpy)]
    return jgrad.promote_types(a, b)


def _with(found: dtype, numbers: list[Any]) -> dtype:
    for number in numbers:
        found = jgrad.result_type(jgrad.empty(1, dtype=found), number)
    return found


def can_cast(from_: Any, to: dtype, /) -> bool:
    """Whether the dtype of an array, or a dtype, can be promoted to another one."""
    return _promoted(from_.dtype if isinstance(from_, Tensor) else from_, to) == to


class Limits(NamedTuple):
    """What `finfo` gives."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype


class WholeLimits(NamedTuple):
    """What `iinfo` gives."""

    bits: int
    max: int
    min: int
    dtype: dtype


def finfo(type: Any, /) -> Limits:
    """The limits of a dtype of floating-point numbers, or of that of an array; of a complex one, of its parts."""
    kind = type.dtype if isinstance(type, Tensor) else type
    found = jgrad.finfo(kind)
    real = kind.to_real()
    return Limits(found.bits, found.eps, found.max, found.min, found.smallest_normal, real)


def iinfo(type: Any, /) -> WholeLimits:
    """The limits of a dtype of integers, or of that of an array."""
    kind = type.dtype if isinstance(type, Tensor) else type
    found = jgrad.iinfo(kind)
    return WholeLimits(found.bits, found.max, found.min, kind)


def astype(x: Array, dtype: dtype, /, *, copy: bool = True, device: Any = None) -> Array:
    """The elements in another dtype; with `copy=False` maybe the array itself."""
    return x.to(dtype=dtype, device=x.device if device is None else device, copy=copy)


# Creation ----------------------------------------------------------------------------------------------------------------------


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
    """An array of numbers, sequences of numbers, or what has memory to share."""
    return jgrad.asarray(obj, dtype=dtype, device=device, copy=copy)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Array:
    """Evenly spaced numbers; none if `step` leads away from `stop`."""
    start, stop = (0, start) if stop is None else (start, stop)
    if step and (stop - start) * (1 if step > 0 else -1) <= 0:
        whole = builtins.all([isinstance(number, int) for number in (start, stop, step)])
        dtype = dtype or (jgrad.int64 if whole else jgrad.get_default_dtype())
        return jgrad.empty(0, dtype=dtype, device=device)
    return jgrad.arange(start, stop, step, dtype=dtype, device=device)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None
) -> Array:
    """A matrix with ones on its k-th diagonal."""
    result = jgrad.zeros(n_rows, n_rows if n_cols is None else n_cols, dtype=dtype, device=device)
    if -result.shape[0] < k < result.shape[1]:
        result.diagonal(k).fill_(1)
    return result


def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True
) -> Array:
    """So many evenly spaced numbers, with `stop` or without it."""
    if endpoint:
        return jgrad.linspace(start, stop, num, dtype=dtype, device=device)
    return own.linspace(start, stop, num + 1, dtype=dtype, device=device)[:-1]


def tril(x: Array, /, *, k: int = 0) -> Array:
    """Matrices with zeros above the k-th diagonal."""
    return jgrad.tril(x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    """Matrices with zeros below the k-th diagonal."""
    return jgrad.triu(x, k)


def meshgrid(*arrays: Array, indexing: str = "xy") -> list[Array]:
    """Coordinates as arrays of as many dimensions as there are coordinates."""
    return list(jgrad.meshgrid(*arrays, indexing=indexing))


def _shape(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of a shape, whatever is in memory there."""
    return jgrad.empty(_shape(shape), dtype=dtype, device=device)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of zeros."""
    return jgrad.zeros(_shape(shape), dtype=dtype, device=device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of ones."""
    return jgrad.ones(_shape(shape), dtype=dtype, device=device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """An array of one number."""
    return jgrad.full(_shape(shape), fill_value, dtype=dtype, device=device)


# Elementwise functions ---------------------------------------------------------------------------------------------------------


def alike(*arrays: Any) -> list[Any]:
    """Arrays in one dtype. In jgrad a 0-dimensional tensor counts less than others; in the standard it counts as any other."""
    tensors = [x for x in arrays if isinstance(x, Tensor)]
    if len({x.dtype for x in tensors}) < 2:
        return list(arrays)
    common = result_type(*tensors)
    return [x.to(common) if isinstance(x, Tensor) else x for x in arrays]


def of_one_dtype(function: Callable[..., Array], name: str) -> Callable[..., Array]:
    """A function of two arrays that computes in the dtype of both. One of them may be a Python number."""

    def computed(x1: Any, x2: Any, /, **kwargs: Any) -> Array:
        x1, x2 = alike(x1, x2)
        like = x1 if isinstance(x1, Tensor) else x2
        given = [
            x if isinstance(x, Tensor) else jgrad.asarray(x, dtype=_with(like.dtype, [x]), device=like.device)
            for x in (x1, x2)
        ]
        return function(*given, **kwargs)

    computed.__name__ = computed.__qualname__ = name
    computed.__doc__ = function.__doc__
    return computed


_OF_TWO = """
    add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal=eq floor_divide greater greater_equal
    hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal pow remainder subtract
""".split()
for _word in _OF_TWO:
    _name, _, _ours = _word.partition("=")
    globals()[_name] = of_one_dtype(getattr(jgrad, _ours or _name), _name)


def bitwise_invert(x: Array, /) -> Array:
    """The inverse of each bit."""
    return jgrad.bitwise_not(x)


def _of_integers(name: str) -> Callable[[Array], Array]:
    function = getattr(jgrad, name)

    def rounded(x: Array, /) -> Array:
        return x if x.dtype in KINDS["integral"] else function(x)

    rounded.__name__ = rounded.__qualname__ = name
    rounded.__doc__ = function.__doc__
    return rounded


ceil, floor, round, trunc = map(_of_integers, ("ceil", "floor", "round", "trunc"))


def sign(x: Array, /) -> Array:
    """The sign of each element: of a complex number, the number divided by its absolute value."""
    if x.dtype in COMPLEX:
        return jgrad.sgn(x)
    result = jgrad.sign(x)
    return jgrad.where(x.isnan(), x, result) if x.is_floating_point() else result


def clip(x: Array, /, min: Any = None, max: Any = None) -> Array:
    """The elements, but not less than `min` and not more than `max`."""
    for bound, limited in ((min, jgrad.maximum), (max, jgrad.minimum)):
        if bound is not None:
            x = limited(*jgrad.broadcast_tensors(x, jgrad.asarray(bound, device=x.device).to(x.dtype)))
    return x.clone() if min is None and max is None else x


def where(condition: Array, x1: Any, x2: Any, /) -> Array:
    """Elements of `x1` where a condition holds, and of `x2` elsewhere."""
    return jgrad.where(condition, *alike(x1, x2))


# Reductions --------------------------------------------------------------------------------------------------------------------


def _dims(x: Array, axis: Any) -> tuple[int, ...]:
    """The dimensions over which a function reduces."""
    if axis is None:
        return tuple(range(x.ndim))
    return (axis,) if isinstance(axis, int) else tuple(axis)


def _sum_dtype(x: Array, dtype: Any) -> Any:
    """The dtype in which elements are added."""
    return dtype or (jgrad.int64 if x.dtype in KINDS["integral"] else x.dtype)


def _one_by_one(x: Array, axis: Any, keepdims: bool, reduced: Callable[[Array, int], Array]) -> Array:
    """A reduction over several dimensions, one after the other."""
    for dim in sorted([d % x.ndim for d in _dims(x, axis)], reverse=True):
        x = reduced(x, dim)
        x = x.unsqueeze(dim) if keepdims else x
    return x


def sum(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """The sum of the elements."""
    dtype = _sum_dtype(x, dtype)
    dims = _dims(x, axis)
    return jgrad.sum(x, dims, keepdim=keepdims, dtype=dtype) if dims else x.to(dtype, copy=True)


def prod(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """The product of the elements."""
    dtype = _sum_dtype(x, dtype)
    return _one_by_one(x.to(dtype, copy=True), axis, keepdims, lambda a, d: jgrad.prod(a, d, dtype=dtype))


def mean(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """The mean of the elements."""
    dims = _dims(x, axis)
    return jgrad.mean(x, dims, keepdim=keepdims) if dims else x.clone()


def var(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The variance of the elements."""
    dims = _dims(x, axis)
    return jgrad.var(x, dims, correction=correction, keepdim=keepdims) if dims else x - x


def std(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The standard deviation of the elements."""
    return jgrad.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def max(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """The largest element."""
    dims = _dims(x, axis)
    return jgrad.amax(x, dims, keepdim=keepdims) if dims else x.clone()


def min(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """The smallest element."""
    dims = _dims(x, axis)
    return jgrad.amin(x, dims, keepdim=keepdims) if dims else x.clone()


def all(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Whether all elements are true."""
    dims = _dims(x, axis)
    return jgrad.all(x.bool(), dims, keepdim=keepdims) if dims else x.to(jgrad.bool, copy=True)


def any(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Whether any element is true."""
    dims = _dims(x, axis)
    return jgrad.any(x.bool(), dims, keepdim=keepdims) if dims else x.to(jgrad.bool, copy=True)


def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """How many elements are not zero."""
    return sum(x != 0, axis=axis, dtype=jgrad.int64, keepdims=keepdims)


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The place of the first of the largest elements."""
    return _place(jgrad.argmax, x, axis, keepdims)


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The place of the first of the smallest elements."""
    return _place(jgrad.argmin, x, axis, keepdims)


def _place(function: Callable[..., Array], x: Array, axis: int | None, keepdims: bool) -> Array:
    if axis is None and keepdims:
        return function(x).reshape((1,) * x.ndim)
    return function(x, axis, keepdim=keepdims)


def cumulative_sum(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """The sums of the elements up to each place."""
    return _cumulative(jgrad.cumsum, jgrad.zeros, x, axis, dtype, include_initial)


def cumulative_prod(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """The products of the elements up to each place."""
    return _cumulative(jgrad.cumprod, jgrad.ones, x, axis, dtype, include_initial)


def _cumulative(
    function: Any, first: Any, x: Array, axis: int | None, dtype: Any, include_initial: bool
) -> Array:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis must be specified if the array has not one dimension")
        axis = 0
    dtype = _sum_dtype(x, dtype)
    result = function(x.to(dtype), axis, dtype=dtype)
    if not include_initial:
        return result
    shape = list(x.shape)
    shape[axis] = 1
    return jgrad.cat([first(shape, dtype=result.dtype, device=x.device), result], axis)


def diff(
    x: Array, /, *, axis: int = -1, n: int = 1, prepend: Array | None = None, append: Array | None = None
) -> Array:
    """The n-th differences of neighbours."""
    return jgrad.diff(x, n, axis, prepend, append)


# Shapes ------------------------------------------------------------------------------------------------------------------------


def broadcast_arrays(*arrays: Array) -> list[Array]:
    """Arrays in their common shape."""
    return list(jgrad.broadcast_tensors(*arrays))


def concat(arrays: Sequence[Array], /, *, axis: int | None = 0) -> Array:
    """Arrays one after the other along a dimension; with None, their elements in one dimension."""
    arrays = alike(*arrays)
    return jgrad.cat([x.reshape(-1) for x in arrays] if axis is None else arrays, 0 if axis is None else axis)


def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Array:
    """An array in another shape, with the same elements along what is new."""
    return jgrad.broadcast_to(x, shape)


def stack(arrays: Sequence[Array], /, *, axis: int = 0) -> Array:
    """Arrays side by side along a new dimension."""
    return jgrad.stack(alike(*arrays), axis)


def expand_dims(x: Array, /, axis: int) -> Array:
    """The array with a new dimension of extent 1."""
    return jgrad.unsqueeze(x, axis)


def squeeze(x: Array, /, axis: Any) -> Array:
    """The array without some dimensions of extent 1."""
    dims = _dims(x, axis)
    if builtins.any([x.shape[d] != 1 for d in dims]):
        raise ValueError("cannot squeeze a dimension whose extent is not 1")
    return jgrad.squeeze(x, dims)


def flip(x: Array, /, *, axis: Any = None) -> Array:
    """The array with the opposite order along some dimensions, by default along all."""
    return jgrad.flip(x, _dims(x, axis))


def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Array:
    """The array with its dimensions in another order."""
    return jgrad.permute(x, axes)


def matrix_transpose(x: Array, /) -> Array:
    """The array with its last two dimensions exchanged."""
    if x.ndim < 2:
        raise ValueError("x must be at least 2-dimensional for matrix_transpose")
    return jgrad.transpose(x, -1, -2)


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Array:
    """The elements in another shape. `copy`: whether they are copied; None means if it is necessary."""
    if copy is False:
        try:
            return x.view(shape)
        except RuntimeError as error:
            raise ValueError(str(error)) from None
    return jgrad.reshape(x.clone() if copy else x, shape)


def roll(x: Array, /, shift: Any, *, axis: Any = None) -> Array:
    """The array with its elements moved along some dimensions; what falls off at the end comes in at the beginning."""
    if isinstance(axis, tuple) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    return jgrad.roll(x, shift, axis)


def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """The array with each element repeated."""
    times = repeats if isinstance(repeats, int) else repeats.to(jgrad.int64)
    return jgrad.repeat_interleave(x, times, axis)


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The parts of the array along a dimension."""
    return jgrad.unbind(x, axis)


# Places, orders and sets -------------------------------------------------------------------------------------------------------


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """The elements at some places along a dimension."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis must be specified if the array has not one dimension")
        axis = 0
    return jgrad.index_select(x, axis, jgrad.where(indices < 0, indices + x.shape[axis], indices))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Of each line along a dimension, the elements at places of its own."""
    return jgrad.take_along_dim(x, jgrad.where(indices < 0, indices + x.shape[axis], indices).long(), axis)


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """The places of the elements that are not zero, as an array for each dimension."""
    if not x.ndim:
        raise ValueError("nonzero() does not support zero-dimensional arrays")
    return jgrad.nonzero(x, as_tuple=True)


def searchsorted(x1: Array, x2: Any, /, *, side: str = "left", sorter: Array | None = None) -> Array:
    """The places in a sorted array where elements would be inserted."""
    x1, x2 = alike(x1, x2)
    return jgrad.searchsorted(x1, x2, side=side, sorter=sorter)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The elements in order along a dimension."""
    return jgrad.sort(x, dim=axis, descending=descending, stable=stable).values


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The places of the elements in their order along a dimension."""
    return jgrad.sort(x, dim=axis, descending=descending, stable=stable).indices


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def unique_all(x: Array, /) -> UniqueAll:
    """The different elements, where each is first, which of them each element is, and how often each is there. Each nan is an element of its own."""
    flat = x.reshape(-1)
    order = argsort(flat)
    ordered = flat[order]
    begins = jgrad.ones(flat.shape, dtype=jgrad.bool, device=x.device)
    begins[1:] = ordered[1:] != ordered[:-1]
    starts = jgrad.nonzero(begins, as_tuple=True)[0]
    inverse = jgrad.empty(flat.shape, dtype=jgrad.int64, device=x.device)
    inverse[order] = jgrad.cumsum(begins, 0) - 1
    ends = jgrad.cat([starts[1:], own.tensor([flat.shape[0]], device=x.device)[: starts.shape[0]]])
    return UniqueAll(ordered[starts], order[starts], inverse.reshape(x.shape), ends - starts)


def unique_counts(x: Array, /) -> UniqueCounts:
    """The different elements, and how often each is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Array, /) -> UniqueInverse:
    """The different elements, and which of them each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Array, /) -> Array:
    """The different elements."""
    return unique_all(x).values


# Products ----------------------------------------------------------------------------------------------------------------------

matmul = of_one_dtype(jgrad.matmul, "matmul")


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
    """The sum of products over some dimensions of both arrays."""
    return own.tensordot(*alike(x1, x2), axes)


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The scalar products of the vectors along a dimension; of complex vectors, with the conjugate of the first."""
    if not -builtins.min(x1.ndim, x2.ndim) <= axis < 0:
        raise ValueError("axis is out of bounds for x1 and x2")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(
            f"x1 and x2 must have the same size along the given axis: {x1.shape[axis]} != {x2.shape[axis]}"
        )
    x1, x2 = jgrad.broadcast_tensors(*alike(x1, x2))
    row, column = x1.conj().movedim(axis, -1)[..., None, :], x2.movedim(axis, -1)[..., None]
    return jgrad.matmul(row, column)[..., 0, 0]


__all__ = [
    name
    for name, value in list(globals().items())
    if not name.startswith("_")
    and callable(value)
    and getattr(value, "__module__", "") in (__name__, matmul.__module__)
]
