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

from jgrad.formats import preserve_format
from jgrad.kernels import libraries
from jgrad.kernels.numpy import shape as shapes
from jgrad.kernels.numpy.shape import wrap_dim

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
        numbers = _numbers(a)
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
    target[tuple(c.indices)] += _scaled(values, alpha if name == "add" else -alpha)
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


def _numbers(a: SparseArray) -> np.ndarray:
    """The places as numbers in the order of the elements."""
    if not a.sparse_dim:
        return np.zeros(a.nnz, np.int64)
    numbers = a.indices[0]
    for extent, row in zip(a.shape[1 : a.sparse_dim], a.indices[1:], strict=True):
        numbers = numbers * extent + row
    return numbers


def _added(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
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
    numbers = _numbers(a)
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    return SparseArray(a.indices[:, order[starts]], _added(a.values[order], starts), a.shape, True)


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
    asked = _numbers(SparseArray(indices, np.empty(indices.shape[1], bool), a.shape[: len(indices)]))
    places = np.searchsorted(numbers := _numbers(a), asked)
    found = np.flatnonzero(places < len(numbers))
    found = found[numbers[places[found]] == asked[found]]
    result = np.zeros((len(asked), *a.values.shape[1:]), a.dtype)
    result[found] = a.values[places[found]]
    return result


# Arithmetic ---------------------------------------------------------------------------------------------------------------------


def _scaled(values: Any, alpha: Any) -> Any:
    return (
        values if alpha.__class__ is int and alpha == 1 else (values * np.asarray(alpha)).astype(values.dtype)
    )


@sparse("add")
def _add(a: Any, b: Any, alpha: Any = 1) -> Any:
    if not is_sparse(b):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if not is_sparse(a):
        if np.shape(a) != b.shape:
            raise RuntimeError(
                f"add: expected 'self' and 'other' to have same size, but self has size {list(np.shape(a))} while other has size {list(b.shape)} "
                "(FYI: dense-sparse addition does not currently support broadcasting)"
            )
        result = np.array(a, np.result_type(a.dtype, b.dtype), order="C")
        c = sparse_coalesced(b)
        result[tuple(c.indices)] += _scaled(c.values if c.sparse_dim else c.values.sum(0), alpha)
        return result
    if a.shape != b.shape:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {list(a.shape)} != {list(b.shape)}"
        )
    if not b.nnz:
        return like(a, a.values.copy())
    if not a.nnz:
        return like(b, _scaled(b.values.copy(), alpha))
    if a.sparse_dim != b.sparse_dim:
        raise RuntimeError(
            f"add: expected 'self' and 'other' to have same number of sparse dimensions, but 'self' has {a.sparse_dim} sparse dimensions while "
            f"'other' has {b.sparse_dim} sparse dimensions"
        )
    values = _scaled(b.values, alpha)
    if not (a.values.flags.c_contiguous and b.values.flags.c_contiguous):
        joined = SparseArray(
            np.concatenate([a.indices, b.indices], 1), np.concatenate([a.values, values]), a.shape
        )
        return _uncounted(sparse_coalesced(joined)) if joined.nnz > joined.size else joined
    return _merged(a, like(b, values))


def _uncounted(a: SparseArray) -> SparseArray:
    """The same array, of which it is not known that it is coalesced."""
    return SparseArray(a.indices, a.values, a.shape, a.nnz < 2)


def _merged(a: SparseArray, b: SparseArray) -> SparseArray:
    """The sum, as PyTorch makes it: both are read from their beginnings, always where the place is smaller, and equal places become one. So what was not
    coalesced stays so."""
    from_a, from_b = _merge(_numbers(a), _numbers(b))
    n = max(int(from_a.max(initial=-1)), int(from_b.max(initial=-1))) + 1
    indices = np.empty((a.sparse_dim, n), np.int64)
    values = np.zeros((n, *a.values.shape[1:]), a.dtype)
    indices[:, from_a], indices[:, from_b] = a.indices, b.indices
    values[from_a] = a.values
    values[from_b] += b.values
    return SparseArray(indices, values, a.shape, a.coalesced and b.coalesced)


def _merge(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the places of two arrays go in their sum."""
    if (a[1:] > a[:-1]).all() and (b[1:] > b[:-1]).all():
        all_places = np.union1d(a, b)
        return np.searchsorted(all_places, a), np.searchsorted(all_places, b)
    first, second = a.tolist(), b.tolist()
    i = j = n = 0
    from_a, from_b = np.empty(len(first), np.int64), np.empty(len(second), np.int64)
    while i < len(first) or j < len(second):
        ahead = 1 if j == len(second) else -1 if i == len(first) else second[j] - first[i]
        if ahead >= 0:
            from_a[i] = n
            i += 1
        if ahead <= 0:
            from_b[j] = n
            j += 1
        n += 1
    return from_a, from_b


@sparse("sub")
def _sub(a: Any, b: Any, alpha: Any = 1) -> Any:
    return _add(a, b, -alpha)


@sparse("rsub")
def _rsub(a: Any, b: Any, alpha: Any = 1) -> Any:
    return _add(b, a, -alpha)


@sparse("mul")
def _mul(a: Any, b: Any) -> Any:
    if not is_sparse(a):
        a, b = b, a
    if not is_sparse(b):
        if not np.ndim(b):
            return like(a, a.values * b)
        if b.shape != a.shape:
            b = np.broadcast_to(b, np.broadcast_shapes(a.shape, b.shape))
            if b.shape != a.shape:
                raise RuntimeError("mul(dense, sparse): the sparse tensor can not be broadcast")
        return like(a, a.values * b[tuple(a.indices)])
    if a.shape != b.shape:
        raise RuntimeError(
            f"mul: expected 'self' and 'other' to have same sizes when both are sparse, but {list(a.shape)} != {list(b.shape)}"
        )
    both = a.coalesced and b.coalesced
    a, b = sparse_coalesced(a), sparse_coalesced(b)
    _, of_a, of_b = np.intersect1d(_numbers(a), _numbers(b), True, return_indices=True)
    return SparseArray(a.indices[:, of_a], a.values[of_a] * b.values[of_b], a.shape, both)


@sparse("div")
def _div(a: Any, b: Any, rounding_mode: str | None = None) -> Any:
    if not is_sparse(a) or is_sparse(b) or np.ndim(b):
        raise RuntimeError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(np.shape(b) if not is_sparse(b) else b.shape)} "
            "for divisor)"
        )
    if rounding_mode is None:
        return like(a, np.true_divide(a.values, b))
    a = sparse_coalesced(a)
    quotient = libraries.NUMPY.kernels.div_rounded(a.values, b, rounding_mode)
    return like(a, quotient)


@sparse("floor_divide")
def _floor_divide(a: Any, b: Any) -> Any:
    return _div(a, b, "floor")


@sparse("conj")
def _conj(a: SparseArray) -> SparseArray:
    return like(a, np.conjugate(a.values))


KERNELS["_conj"] = _conj


@sparse("pow")
def _pow(a: Any, exponent: Any) -> SparseArray:
    if not is_sparse(a) or is_sparse(exponent) or np.ndim(exponent):
        raise refused("pow")
    if exponent == 0:
        raise RuntimeError("pow: exponent must not be zero for a sparse tensor")
    a = sparse_coalesced(a)
    return like(a, libraries.NUMPY.kernels.pow(a.values, exponent))


# Reductions and products --------------------------------------------------------------------------------------------------------


def sparse_sum(a: SparseArray, dims: Sequence[int], keepdim: bool = False) -> Any:
    """The sums over some dimensions: a dense array if no sparse dimension is left, else a sparse one."""
    gone = {wrap_dim(d, a.ndim) for d in dims}
    n = a.sparse_dim
    kept = [d for d in range(n) if d not in gone]
    values = (
        a.values.sum(tuple([d - n + 1 for d in gone if d >= n]), a.dtype)
        if max(gone, default=-1) >= n
        else a.values
    )
    shape = [extent for d, extent in enumerate(a.shape) if d not in gone]
    if not kept:
        return values.sum(0, a.dtype)
    result = sparse_coalesced(SparseArray(a.indices[kept], values, shape))
    for d in sorted(gone) if keepdim else ():
        result = _unsqueeze(result, d)
    return result


@sparse("sum")
def _sum(a: SparseArray, dims: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dims is None or isinstance(dims, np.dtype):  # `x.sum(dtype=...)`, which has no dims
        kind = (
            np.sum(np.zeros(1, a.dtype)).dtype if dims is None and dtype is None else np.dtype(dims or dtype)
        )
        return np.asarray(a.values.sum(dtype=kind))
    wide = np.dtype(dtype) if dtype is not None else np.dtype(np.int64) if a.dtype.kind in "iub" else a.dtype
    return sparse_sum(a.astype(wide), dims or range(a.ndim), keepdim)


@sparse("any")
def _any(a: SparseArray, *dims: Any) -> Any:
    if any(d is not None and d is not False for d in dims):
        raise refused("any.dims")
    return np.asarray(bool(a.values.any()))


def _times(a: SparseArray, dense: np.ndarray) -> np.ndarray:
    """A sparse matrix times a dense one (or a vector)."""
    result = np.zeros((a.shape[0], *dense.shape[1:]), np.result_type(a.dtype, dense.dtype))
    if not a.nnz:
        return result
    order = np.argsort(a.indices[0], kind="stable")
    rows, columns = a.indices[:, order]
    values = a.values[order].reshape((-1,) + (1,) * (dense.ndim - 1))
    starts = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
    result[rows[starts]] = _added(values * dense[columns], starts)
    return result


def _turned(a: SparseArray) -> SparseArray:
    return _transpose(a, 0, 1)


def _check_matrices(a: Any, b: Any) -> None:
    for m in (a, b):
        dims = m.sparse_dim if is_sparse(m) else m.ndim
        if dims != 2 or len(m.shape) != 2:
            raise RuntimeError(f"addmm: matrices expected, got {dims}D tensor")
    if a.shape[1] != b.shape[0] and is_sparse(a) and not is_sparse(b):
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {a.shape[1]}, got {b.shape[0]}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {shapes.c_name_of(a.dtype)} != {shapes.c_name_of(b.dtype)}"
        )


@sparse("mm")
def _mm(a: Any, b: Any) -> Any:
    _check_matrices(a, b)
    if is_sparse(a) and is_sparse(b):
        return _sparse_product(sparse_coalesced(a), sparse_coalesced(b))
    return _times(a, b) if is_sparse(a) else np.ascontiguousarray(_times(_turned(b), a.T).T)


def _sparse_product(a: SparseArray, b: SparseArray) -> SparseArray:
    """The product of two sparse matrices: for each element of the first, the row of the second that it meets."""
    starts = np.searchsorted(b.indices[0], np.arange(a.shape[1] + 1))
    first, counts = starts[a.indices[1]], np.diff(starts)[a.indices[1]]
    of_a = np.repeat(np.arange(a.nnz), counts)
    of_b = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    indices = np.stack([a.indices[0, of_a], b.indices[1, of_b]])
    return sparse_coalesced(SparseArray(indices, a.values[of_a] * b.values[of_b], (a.shape[0], b.shape[1])))


@sparse("mv")
def _mv(a: Any, vector: Any) -> Any:
    if not is_sparse(a) or is_sparse(vector):
        raise refused("mv")
    if a.shape[1:] != vector.shape:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({vector.shape[0]})"
        )
    return _times(a, vector)


@sparse("addmm")
def sparse_addmm(a: Any, b: Any, c: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * a + alpha * (b @ c), for a sparse b."""
    product = _mm(b, c)
    if is_sparse(a) or is_sparse(product):
        if not (is_sparse(a) and is_sparse(product)):
            raise refused("addmm")
        return _add(like(a, _scaled(a.values, beta)), product, alpha)
    return np.asarray(
        _scaled(np.broadcast_to(a, product.shape), beta) + _scaled(product, alpha), product.dtype
    )


# Shape --------------------------------------------------------------------------------------------------------------------------


@sparse("transpose")
def _transpose(a: SparseArray, dim0: int, dim1: int) -> SparseArray:
    order = list(range(a.ndim))
    d0, d1 = wrap_dim(dim0, a.ndim), wrap_dim(dim1, a.ndim)
    order[d0], order[d1] = order[d1], order[d0]
    if (d0 < a.sparse_dim) != (d1 < a.sparse_dim):
        raise RuntimeError(
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {a.sparse_dim}, d0: {d0}, d1: {d1}"
        )
    return _permute(a, order)


@sparse("t")
def _t(a: SparseArray) -> SparseArray:
    if a.ndim > 2 or a.ndim > a.sparse_dim:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {a.sparse_dim} sparse and {a.ndim - a.sparse_dim} dense dimensions"
        )
    return a if a.ndim < 2 else _transpose(a, 0, 1)


@sparse("permute")
def _permute(a: SparseArray, dims: Sequence[int]) -> SparseArray:
    order = [wrap_dim(d, a.ndim) for d in dims]
    n = a.sparse_dim
    if sorted(order[:n]) != list(range(n)):
        raise RuntimeError(
            "permute: dimensions of sparse tensors can only change places within the sparse or within the dense ones"
        )
    values = a.values.transpose((0, *[d - n + 1 for d in order[n:]]))
    shape = [a.shape[d] for d in order]
    same = order[:n] == list(range(n))
    return SparseArray(a.indices[order[:n]], values, shape, a.coalesced and same)


@sparse("unsqueeze")
def _unsqueeze(a: SparseArray, dim: int) -> SparseArray:
    d = wrap_dim(dim, a.ndim + 1)
    shape = (*a.shape[:d], 1, *a.shape[d:])
    if d <= a.sparse_dim:
        return SparseArray(np.insert(a.indices, d, 0, 0), a.values, shape)
    return SparseArray(a.indices, np.expand_dims(a.values, d - a.sparse_dim + 1), shape, a.coalesced)


@sparse("select")
def _select(a: SparseArray, dim: int, index: int) -> Any:
    d = wrap_dim(dim, a.ndim)
    extent = a.shape[d]
    if not -extent <= index < extent:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(a.shape)} at dimension {dim}"
        )
    index %= extent
    shape = (*a.shape[:d], *a.shape[d + 1 :])
    if d >= a.sparse_dim:
        return SparseArray(a.indices, np.take(a.values, index, d - a.sparse_dim + 1), shape, a.coalesced)
    a = sparse_coalesced(a)
    kept = np.flatnonzero(a.indices[d] == index)
    if a.sparse_dim == 1:
        return a.values[kept].sum(0, a.dtype)
    return SparseArray(np.delete(a.indices[:, kept], d, 0), a.values[kept], shape, True)


@sparse("unbind")
def _unbind(a: SparseArray, dim: int = 0) -> list[Any]:
    return [_select(a, dim, i) for i in range(a.shape[wrap_dim(dim, a.ndim)])]


@sparse("index_select")
def _index_select(a: SparseArray, dim: int, index: np.ndarray) -> SparseArray:
    if is_sparse(index) or not is_sparse(a):
        raise refused("index_select")
    d = wrap_dim(dim, a.ndim)
    wanted = np.atleast_1d(index)
    wanted = np.where(wanted < 0, wanted + a.shape[d], wanted)
    if wanted.size and not (wanted.min() >= 0 and wanted.max() < a.shape[d]):
        raise IndexError("index_select(): index out of range in self")
    shape = (*a.shape[:d], len(wanted), *a.shape[d + 1 :])
    if d >= a.sparse_dim:
        values = np.take(a.values, wanted, d - a.sparse_dim + 1)
        return SparseArray(a.indices, values, shape, a.coalesced)
    a = sparse_coalesced(a)
    order = np.argsort(a.indices[d], kind="stable")
    rows = a.indices[d, order]
    starts = np.searchsorted(rows, wanted)
    counts = np.searchsorted(rows, wanted, "right") - starts
    places = order[np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())]
    indices = a.indices[:, places].copy()
    indices[d] = np.repeat(np.arange(len(wanted)), counts)
    return _uncounted(sparse_coalesced(SparseArray(indices, a.values[places], shape)))


@sparse("cat")
def _cat(arrays: Sequence[Any], dim: int = 0) -> SparseArray:
    for i, a in enumerate(arrays):
        if not is_sparse(a):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {i}.")
    first = arrays[0]
    d = wrap_dim(dim, first.ndim)
    for i, a in enumerate(arrays):
        same = a.ndim == first.ndim and a.sparse_dim == first.sparse_dim
        if not same or any(
            n != m for k, (n, m) in enumerate(zip(a.shape, first.shape, strict=True)) if k != d
        ):
            raise RuntimeError(
                f"All tensors must have the same shape: {list(first.shape)} (except in the concatenating dimension), but found shape: "
                f"{list(a.shape)} at position {i}."
            )
    indices, values, start = [], [], 0
    shape = (*first.shape[:d], sum([a.shape[d] for a in arrays]), *first.shape[d + 1 :])
    for a in arrays:
        part, value = a.indices, a.values
        if d < first.sparse_dim:
            part = part.copy()
            part[d] += start
        else:
            value = np.zeros((a.nnz, *shape[first.sparse_dim :]), a.dtype)
            place = d - first.sparse_dim
            value[(slice(None),) * (place + 1) + (slice(start, start + a.shape[d]),)] = a.values
        start += a.shape[d]
        indices.append(part)
        values.append(value)
    return SparseArray(np.concatenate(indices, 1), np.concatenate(values), shape)


@sparse("stack")
def _stack(arrays: Sequence[Any], dim: int = 0) -> SparseArray:
    return _cat([_unsqueeze(a, dim) if is_sparse(a) else a for a in arrays], dim)


def _impossible(text: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError(text)

    return refuse


KERNELS["_reshape_alias"] = _impossible("reshape is not implemented for sparse tensors")
KERNELS["expand"] = KERNELS["repeat"] = _impossible("expand is unsupported for Sparse tensors")


# Copies -------------------------------------------------------------------------------------------------------------------------


@sparse("clone")
def _clone(a: SparseArray, memory_format: Any = None) -> SparseArray:
    if memory_format is not None and memory_format is not preserve_format:
        raise RuntimeError("unsupported memory format option Contiguous")
    return a.copy()


@sparse("alias")
def shared(a: SparseArray) -> SparseArray:
    """Another array with the same parts."""
    return like(a, a.values)


@sparse("_to_copy")
def _to_copy(a: SparseArray, dtype: Any, device: Any = None, *_: Any) -> SparseArray:
    if device is not None and device.type != "cpu":
        raise NotImplementedError(f"jgrad has sparse tensors on the CPU only, not on {device}")
    return SparseArray(a.indices.copy(), a.values.astype(dtype), a.shape, a.coalesced)


@sparse("zero_")
def _zero_(a: SparseArray) -> SparseArray:
    a.become(empty(a.shape, a.dtype, a.sparse_dim))
    return a


@sparse("copy_")
def _copy_(a: Any, b: Any, non_blocking: bool = False) -> Any:
    if not (is_sparse(a) and is_sparse(b)):
        kinds = [
            f"torch.{'sparse.' * is_sparse(x)}{shapes.full_type_name(np.empty(0, x.dtype)).removeprefix('torch.')}"
            for x in (a, b)
        ]
        raise RuntimeError(
            f"copy_() between dense and sparse Tensors is not implemented! Found self type = {kinds[0]} and src type = {kinds[1]}"
        )
    a.become(b.copy())
    return a
