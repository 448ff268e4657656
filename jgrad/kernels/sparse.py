"""Sparse arrays: the raw arrays of tensors with the layout `sparse_coo`.

A `SparseArray` holds the places of some elements (`indices`, a column for each) and what is there (`values`, a number or a dense part for each). All
other elements are zero. A place may occur several times; then its values count together.

It is no subclass of NumPy's array, and has no elements that NumPy could read. So whatever was written for dense arrays and gets a sparse one
raises an error: NumPy asks `__array__` or `__array_ufunc__`, and a method that is missing is refused by name. The operators that have a sparse
form are in `KERNELS` and `ON_VALUES`. The general path asks `around` for it; `around` refuses all other operators in PyTorch's words. Fast paths
leave these arrays to the general path (`libraries.unusual`), so dense operators do not look for them.

What a sparse array holds is replaced, never changed in place. So arrays may share their parts.
"""

from __future__ import annotations

import itertools
import math
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from jgrad.kernels import libraries
from jgrad.kernels.numpy.shape import wrap_dim

# The kernels.
__all__ = [
    "sparse_coalesced",
    "sparse_densified",
    "sparse_of_dense",
    "sparse_parts",
    "sparse_values_of",
    "sparse_indices_of",
    "sparse_with_values",
    "sparse_spread",
    "sparse_masked",
    "sparse_gathered",
]

in_use = False  # whether there may be such arrays

NOT_CONTIGUOUS = types.SimpleNamespace(c_contiguous=False, f_contiguous=False, owndata=True, writeable=True)


class SparseArray:
    """The elements that are not zero, and where they are.

    `indices`: int64, of shape (sparse dimensions, n). `values`: of shape (n, *extents of the dense dimensions). `coalesced`: the places are sorted and
    none occurs twice.
    """

    __slots__ = ("shape", "dtype", "indices", "values", "coalesced", "__weakref__")

    base = device = None
    flags = NOT_CONTIGUOUS

    def __init__(
        self, indices: np.ndarray, values: np.ndarray, shape: Sequence[int], coalesced: bool = False
    ) -> None:
        if not in_use:
            _begin()
        if libraries.several and libraries.library_of(values) is not libraries.NUMPY:
            raise NotImplementedError("jgrad has sparse tensors on the CPU only")
        self.indices, self.values = indices, values
        self.shape, self.dtype = tuple(shape), values.dtype
        self.coalesced = coalesced

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> NoReturn:
        raise RuntimeError(
            "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes of the indices and "
            "values.  If you want the size of the  equivalent dense tensor, multiply numel() by element_size()"
        )

    @property
    def strides(self) -> tuple[int, ...]:
        """Those of the dense array that it stands for."""
        steps = itertools.accumulate(self.shape[:0:-1], initial=self.itemsize, func=operator.mul)
        return tuple(steps)[::-1][-len(self.shape) :] if self.shape else ()

    @property
    def nnz(self) -> int:
        """The number of places."""
        return self.indices.shape[1]

    @property
    def sparse_dim(self) -> int:
        """The number of dimensions that the indices are for: the first ones."""
        return len(self.indices)

    def become(self, other: SparseArray) -> None:
        """Take what another array holds; the dtype stays."""
        self.shape, self.indices, self.coalesced = other.shape, other.indices, other.coalesced
        self.values = other.values.astype(self.dtype, copy=False)

    # What kernels and the engine ask arrays for.

    def astype(self, dtype: Any, order: str = "K", **_: Any) -> SparseArray:
        return like(self, self.values.astype(dtype))

    def fill(self, value: Any) -> None:
        if value != 0:
            raise refused("fill_.Scalar")
        self.become(empty(self.shape, self.dtype, self.sparse_dim))

    def copy(self, order: str = "C") -> SparseArray:
        return SparseArray(self.indices.copy(), self.values.copy(), self.shape, self.coalesced)

    def ravel(self, order: str = "C") -> Any:
        """The elements one after the other, for those that look at a few of them."""
        return sparse_densified(self).ravel() if self.size <= FEW else FlatSparse(self)

    def tobytes(self, order: str = "C") -> bytes:
        return sparse_densified(self).tobytes()

    def item(self) -> Any:
        return sparse_densified(self).item()

    def tolist(self) -> NoReturn:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    @property
    def real(self) -> SparseArray:
        return like(self, np.real(self.values))

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: tuple = (), **_: Any) -> Any:
        """Sums and the like of gradients on their way, and of helpers that compute on raw arrays."""
        name = UFUNCS.get(ufunc.__name__)
        if name is None or method != "__call__":
            raise refused(ufunc.__name__)
        result = KERNELS[name](*inputs) if name in KERNELS else like(self, ufunc(self.values))
        return assigned(out[0], result) if out else result

    def __array_function__(self, function: Callable, *_: Any) -> NoReturn:
        raise refused(function.__name__)

    def __eq__(self, other: Any) -> NoReturn:
        raise refused("eq")

    __hash__ = object.__hash__

    def __setitem__(self, key: Any, value: Any) -> None:
        if key is not Ellipsis or not isinstance(value, SparseArray):
            raise TypeError("Cannot assign to a sparse tensor")
        self.become(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise refused(name)

    def __getitem__(self, key: Any) -> NoReturn:
        raise refused("index")

    def __add__(self, other: Any) -> Any:
        return np.add(other, self)  # PyTorch puts a gradient that arrives before those that have arrived

    __iadd__ = __add__  # (what it holds is not changed in place)

    def __neg__(self) -> Any:
        return np.negative(self)

    def __reduce__(self) -> tuple:
        return SparseArray, (self.indices, self.values, self.shape, self.coalesced)


class FlatSparse:
    """The elements of a large sparse array in one dimension. A slice of it is a dense array; the whole is never made."""

    ndim = 1

    def __init__(self, array: SparseArray) -> None:
        self.array = sparse_coalesced(array)
        self.size, self.dtype = array.size, array.dtype

    def ravel(self, order: str = "C") -> FlatSparse:
        return self

    def __getitem__(self, part: slice) -> np.ndarray:
        places = np.arange(*part.indices(self.size))
        a = self.array
        width = math.prod(a.shape[a.sparse_dim :])
        rows, columns = np.divmod(places, width)
        numbers = numbers_of(a)
        found = np.minimum(np.searchsorted(numbers, rows), len(numbers) - 1)
        result = np.zeros(len(places), a.dtype)
        there = np.flatnonzero(numbers[found] == rows) if len(numbers) else found[:0]
        result[there] = a.values.reshape(len(numbers), width)[found[there], columns[there]]
        return result


FEW = 4096  # elements that are made dense to be looked at

UFUNCS = {"add": "add", "negative": "neg", "conjugate": "conj"}


def is_sparse(value: Any) -> bool:
    """Whether this is a sparse array."""
    return value.__class__ is SparseArray


def refused(name: str, backend: str = "SparseCPU") -> NotImplementedError:
    """PyTorch's error for an operator that has no sparse form (or for `backend="CPU"`, no dense one). PyTorch's text goes on with a list of all its backends."""
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend. This could be because the operator doesn't exist for this "
        "backend, or was omitted during the selective/custom build process (if using custom build)."
    )


# The library --------------------------------------------------------------------------------------------------------------------


class _Refusing:
    """What the library of sparse arrays has in place of a function that it lacks: an error."""

    ndarray = SparseArray

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise refused(name)


class _Kernels(_Refusing):
    """The few things that code outside of operators asks the kernels of an array's library for."""

    def laid_out(self, array: Any, raw: Any) -> Any:
        return array

    contiguous = laid_out

    def owner(self, array: Any) -> Any:
        return array

    def offset_of(self, array: Any) -> int:
        return 0

    def overlap(self, a: Any, b: Any) -> bool:
        return False

    def writeable(self, array: Any) -> bool:
        return True

    def to_host(self, array: Any) -> Any:
        return array

    def empty_like(self, array: SparseArray, dtype: Any = None, memory_format: Any = None) -> SparseArray:
        if memory_format is not None:
            raise RuntimeError("memory format option is only supported by strided tensors")
        return empty(array.shape, array.dtype if dtype is None else dtype, array.sparse_dim)

    def seen(self, array: SparseArray) -> Any:
        return sparse_densified(array)

    def address(self, array: Any) -> NoReturn:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def sum_to_size(self, array: Any, shape: tuple) -> NoReturn:
        raise RuntimeError("reshape is not implemented for sparse tensors")


LIBRARY = libraries.Library("cpu", _Refusing())
LIBRARY.kernels, LIBRARY.general = _Kernels(), True


def _begin() -> None:
    """From now on there may be sparse arrays."""
    global in_use
    in_use = True
    libraries.register_classes(SparseArray, library=LIBRARY)


# Operators ----------------------------------------------------------------------------------------------------------------------


KERNELS: dict[str, Callable[..., Any]] = {}  # by the name of the overload

# Functions that are 0 at 0, which are computed of the values. These, of values that must be added up first:
ON_VALUES = frozenset(
    """
        abs angle asin asinh atan atanh ceil deg2rad erf erfinv expm1 floor frac isinf isnan
        isneginf isposinf log1p nan_to_num pow rad2deg relu round sgn sign signbit sin sinh sqrt
        tan tanh trunc
    """.split()
)
# These, of values as they are:
LINEAR = frozenset(("neg", "positive", "_mul_scalar", "_div_scalar"))
# Operators whose own kernels take sparse arrays.
SPARSE = frozenset(
    (
        "sparse_coalesced", "sparse_densified", "sparse_of_dense", "sparse_values_of", "sparse_indices_of", "sparse_parts", "sparse_masked",
        "sparse_gathered", "sparse_sum", "sparse_spread", "sparse_with_values", "sparse_addmm",
    )
)  # fmt: skip


def around(overload: Any, kernel: Callable, raw: list[Any]) -> Callable | None:
    """The sparse form of an operator, for arguments of which some are sparse; None if none is. Raises PyTorch's error for one without a sparse
    form."""
    if not any([is_sparse(a) for v in raw for a in (v if v.__class__ in (list, tuple) else (v,))]):
        return None
    name = overload.name
    if name in SPARSE:
        return kernel
    found = KERNELS.get(name)
    if found is None and (name in ON_VALUES or name in LINEAR):
        return _on_values(kernel, name in LINEAR)
    if found is None:
        raise refused(overload.op.name if overload.writes or not name.endswith("_") else name)
    return found


def _on_values(kernel: Callable, linear: bool) -> Callable:
    def computed(a: Any, *options: Any) -> Any:
        if not is_sparse(a) or any(map(is_sparse, options)):
            raise refused(kernel.__name__)
        a = a if linear else sparse_coalesced(a)
        return like(a, libraries.as_array(kernel(a.values, *options)))

    return computed


def added_to(target: Any, name: str, raw: list[Any]) -> bool:
    """Add a sparse array to a dense one in place, if that is what an operator asks for: only the places of the sparse one are touched."""
    if name not in ("add", "sub") or raw[0] is not target or is_sparse(target) or not is_sparse(raw[1]):
        return False
    _, b, alpha = raw
    if target.shape != b.shape or target.dtype != b.dtype:
        return False
    c = sparse_coalesced(b)
    values = c.values if c.sparse_dim else c.values.sum(0)
    target[tuple(c.indices)] += scaled(values, alpha if name == "add" else -alpha)
    return True


def refuse_write(target: Any, name: str) -> None:
    """Refuse an in-place function of values that must be added up first, if they are not."""
    if name == "pow":
        raise refused("pow_.Scalar")
    if name in ON_VALUES and is_sparse(target) and not target.coalesced:
        raise RuntimeError(f"{name}_ requires coalesced input")


def written(target: Any, result: Any, name: str, other: Any) -> None:
    """Write the result of an in-place operator to its target. PyTorch forgets that a product with a number or a dense tensor is coalesced."""
    assigned(target, result)
    if name == "mul" and is_sparse(target) and not is_sparse(other):
        target.coalesced = False


def assigned(target: Any, result: Any) -> Any:
    """Write the result of an operator to its target; dense and sparse ones may meet."""
    if is_sparse(target):
        target[...] = result
    else:
        target[...] = sparse_densified(result) if is_sparse(result) else result
    return target


def like(a: SparseArray, values: np.ndarray) -> SparseArray:
    """Other values at the same places."""
    shape = (*a.shape[: a.sparse_dim], *values.shape[1:])
    return SparseArray(a.indices, values, shape, a.coalesced)


def sparse(name: str) -> Callable[[Callable], Callable]:
    """Declare the sparse form of an operator."""

    def keep(function: Callable) -> Callable:
        KERNELS[name] = function
        return function

    return keep


# Places -------------------------------------------------------------------------------------------------------------------------


def numbers_of(a: SparseArray) -> np.ndarray:
    """The places as numbers in the order of the elements."""
    if not a.sparse_dim:
        return np.zeros(a.nnz, np.int64)
    numbers = a.indices[0]
    for extent, row in zip(a.shape[1 : a.sparse_dim], a.indices[1:], strict=True):
        numbers = numbers * extent + row
    return numbers


def added(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The sums of stretches of rows."""
    return (
        np.logical_or.reduceat(values, starts)
        if values.dtype == bool
        else np.add.reduceat(values, starts, dtype=values.dtype)
    )


def sparse_coalesced(a: SparseArray) -> SparseArray:
    """The same elements with sorted places, each once."""
    if a.coalesced or a.nnz < 2:
        return a if a.coalesced else SparseArray(a.indices.copy(), a.values.copy(), a.shape, True)
    numbers = numbers_of(a)
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    return SparseArray(a.indices[:, order[starts]], added(a.values[order], starts), a.shape, True)


def sparse_densified(a: Any) -> Any:
    """The dense array that a sparse one stands for; a dense one as it is."""
    if not is_sparse(a):
        return a
    a = sparse_coalesced(a)
    result = np.zeros(a.shape, a.dtype)
    result[tuple(a.indices)] = a.values if a.sparse_dim else a.values.sum(0)
    return result


def sparse_of_dense(a: Any, sparse_dim: int) -> SparseArray:
    """The elements that are not zero; with fewer sparse dimensions, the parts that are not all zero."""
    if is_sparse(a):
        if sparse_dim != a.sparse_dim:
            a = sparse_densified(a)
        else:
            return a
    if not a.ndim:
        n = int(a != 0)
        return SparseArray(np.zeros((0, n), np.int64), np.full(n, a, a.dtype), (), True)
    rest = tuple(range(sparse_dim, a.ndim))
    places = np.nonzero((a != 0).any(rest) if rest else a)
    return SparseArray(np.array(places, np.int64).reshape(sparse_dim, -1), a[places], a.shape, True)


def empty(shape: Sequence[int], dtype: Any, sparse_dim: int | None = None) -> SparseArray:
    """A sparse array of zeros."""
    n = len(shape) if sparse_dim is None else sparse_dim
    return SparseArray(np.zeros((n, 0), np.int64), np.zeros((0, *shape[n:]), dtype), shape, True)


def sparse_parts(
    indices: np.ndarray, values: np.ndarray, size: Sequence[int], is_coalesced: bool
) -> SparseArray:
    """A sparse array of its parts."""
    return SparseArray(
        indices.copy() if not indices.flags.c_contiguous else indices, values, size, is_coalesced
    )


def sparse_values_of(a: SparseArray) -> np.ndarray:
    return a.values


def sparse_indices_of(a: SparseArray) -> np.ndarray:
    return a.indices


def sparse_with_values(values: Any, model: SparseArray) -> SparseArray:
    """A sparse array with other values at the places of another one."""
    return like(model, values)


def sparse_spread(grad: Any, a: SparseArray, dims: Sequence[int]) -> SparseArray:
    """The gradient of sums over some dimensions, at the places of what was summed up."""
    dense = sparse_densified(grad)
    for d in sorted([wrap_dim(d, a.ndim) for d in dims]):
        dense = np.expand_dims(dense, d)
    return sparse_masked(np.broadcast_to(dense, a.shape), sparse_coalesced(a))


def sparse_masked(a: Any, mask: SparseArray) -> SparseArray:
    """The elements of an array at the places of a sparse one."""
    return like(mask, sparse_gathered(a, mask.indices))


def sparse_gathered(a: Any, indices: np.ndarray) -> np.ndarray:
    """What an array has at some places."""
    if not is_sparse(a):
        return a[tuple(indices)]
    a = sparse_coalesced(a)
    asked = numbers_of(SparseArray(indices, np.empty(indices.shape[1], bool), a.shape[: len(indices)]))
    places = np.searchsorted(numbers := numbers_of(a), asked)
    found = np.flatnonzero(places < len(numbers))
    found = found[numbers[places[found]] == asked[found]]
    result = np.zeros((len(asked), *a.values.shape[1:]), a.dtype)
    result[found] = a.values[places[found]]
    return result


def scaled(values: Any, alpha: Any) -> Any:
    return (
        values if alpha.__class__ is int and alpha == 1 else (values * np.asarray(alpha)).astype(values.dtype)
    )


@sparse("alias")
def shared(a: SparseArray) -> SparseArray:
    """Another array with the same parts."""
    return like(a, a.values)
