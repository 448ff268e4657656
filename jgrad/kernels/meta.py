"""The meta device: tensors that have a shape, strides and a dtype, but no elements.

An array here is a `MetaArray`. It lies over memory that the system reserves but never provides, since nothing is written to it. What reads
elements raises PyTorch's errors.

To know the shape and dtype of a result the kernel itself runs, on zeros (with ones on the diagonals). Arrays with few elements are taken as they are. For larger ones each long
dimension is replaced by a short one of a length of its own, and the lengths of the result are translated back. This is done twice, with
different lengths. Where the two do not agree (the kernel computes with the lengths, as a convolution does), the kernel runs on all zeros after all;
for more than 16 million elements NotImplementedError says so.
"""

from __future__ import annotations

import functools
import mmap
import re
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from jgrad import formats
from jgrad.kernels import libraries
from jgrad.kernels.numpy import memory
from jgrad.kernels.numpy.shape import is_dense, packed_strides

# Memory that is only reserved, which may be more than the machine has. (Windows has no such thing; there it counts as used.)
RESERVED: dict[str, int] = {}
if hasattr(mmap, "MAP_NORESERVE"):
    RESERVED = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_NORESERVE, "prot": mmap.PROT_READ}

FEW, MANY = 1 << 16, 1 << 24  # elements
LONG = 32
LENGTHS = ((101, 211, 307, 401, 503, 601, 701, 809), (113, 227, 331, 421, 541, 617, 719, 823))
NO_DATA = "Cannot copy out of meta tensor; no data!"

# Kernels that are about memory alone, so that no element is read whatever the size is.
ON_MEMORY = {
    "over", "owner", "address", "offset_of", "in_row_major", "overlap", "writeable", "strided", "expand", "as_strided", "view",
    "transpose", "t", "permute", "select", "slice_", "squeeze", "squeeze_dim", "squeeze_dims", "unsqueeze", "unsqueeze_many", "diagonal", "unfold",
    "view_as_real", "view_as_complex", "alias", "narrow", "split", "split_with_sizes", "unbind", "movedim",
}  # fmt: skip


# Kernels whose results depend on elements in shape or value.
DYNAMIC = frozenset(
    """
    nonzero masked_select unique unique2 unique_dim unique_consecutive equal bincount nonzero_tuple
    histc
""".split()
)


class MetaArray(np.ndarray):
    """The geometry of an array without elements."""

    device: Any = types.SimpleNamespace(id=None)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        result = inferred(getattr(ufunc, method), inputs, kwargs)
        return result if out is None else out[0] if len(out) == 1 else out

    def __array_function__(self, function: Callable, types: Any, args: Any, kwargs: Any) -> Any:
        return inferred(function, args, kwargs)

    def __setitem__(self, key: Any, value: Any) -> None:
        pass  # there is nothing to write to

    def fill(self, value: Any) -> None:
        pass

    def astype(self, dtype: Any, order: Any = "K", *args: Any, **kwargs: Any) -> Any:
        return _geometry(self.shape, _dense(self), np.dtype(dtype))

    def copy(self, order: Any = "C") -> Any:
        return _geometry(self.shape, _dense(self) if order == "K" else None, self.dtype)

    def _unreadable(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(NO_DATA)

    tobytes = tolist = __iter__ = __contains__ = _unreadable

    def item(self, *_: Any) -> NoReturn:
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")

    __bool__ = __int__ = __float__ = __complex__ = __index__ = item


def _geometry(shape: tuple, strides: tuple | None, dtype: np.dtype) -> Any:
    """A new array without elements; strides in elements, or None for a contiguous one."""
    if strides is None or 0 in shape:
        strides = packed_strides(shape, [])
    cells = 0 if 0 in shape else 1 + sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)])
    return over(storage(cells, dtype), shape, dtype, tuple([s * dtype.itemsize for s in strides]), 0)


def storage(cells: int, dtype: np.dtype) -> Any:
    """A new storage for so many elements, of which there are none."""
    try:
        reserved = mmap.mmap(-1, max(cells * dtype.itemsize, 1), **RESERVED)
        return np.ndarray.__new__(MetaArray, (cells,), dtype, reserved)
    except OSError:  # more than the system lets a program reserve: one element stands for all
        return np.lib.stride_tricks.as_strided(np.zeros(1, dtype), (cells,), (dtype.itemsize,)).view(
            MetaArray
        )


def over(root: Any, shape: tuple, dtype: np.dtype, strides: tuple, start: int) -> Any:
    """An array in a storage; strides and start in bytes."""
    return np.ndarray.__new__(MetaArray, shape, dtype, root, start, strides)


def _dense(a: np.ndarray) -> tuple:
    return packed_strides(a.shape, [tuple([s // a.itemsize for s in a.strides])])


def without_elements(array: Any) -> Any:
    """The geometry of an array."""
    array = np.asarray(array)
    return _geometry(array.shape, tuple([s // array.itemsize for s in array.strides]), array.dtype)


def _each(value: Any, turn: Callable[[Any], Any]) -> Any:
    if value.__class__ in (tuple, list):
        return type(value)([_each(v, turn) for v in value])
    if isinstance(value, dict):
        return {key: _each(v, turn) for key, v in value.items()}
    return turn(value)


def _arrays(value: Any) -> list[MetaArray]:
    found: list[MetaArray] = []
    _each(value, lambda v: found.append(v) if isinstance(v, MetaArray) else None)
    return found


def inferred(function: Callable, args: Any, kwargs: Any) -> Any:
    """What a kernel gives, without its elements."""
    arrays = _arrays([list(args), kwargs])
    elements = sum([a.size for a in arrays])
    found = None if elements <= FEW else _of_short(function, args, kwargs, arrays, elements <= MANY)
    if found is None:
        found = _shortened(function, args, kwargs, {})
    return _each(found, lambda v: _geometry(*v.parts) if isinstance(v, _Found) else v)


def _of_short(function: Callable, args: Any, kwargs: Any, arrays: list[MetaArray], otherwise: bool) -> Any:
    """What a kernel gives for short dimensions, twice. Where the two do not agree: None if there is another way, or NotImplementedError."""
    long = sorted({n for a in arrays for n in a.shape if n > LONG})
    try:
        first, second = [
            _shortened(function, args, kwargs, dict(zip(long, lengths, strict=False))) for lengths in LENGTHS
        ]
    except RuntimeError:
        if otherwise:
            return None
        raise
    if first == second and len(long) <= len(LENGTHS[0]):
        return first
    if otherwise:
        return None
    raise NotImplementedError(
        f"{getattr(function, '__name__', 'this operation')}() of a tensor with so many elements on the meta device"
    )


def owner(array: Any) -> Any:
    """The array that stands for the storage: the last one of this class among those that the array is a view of."""
    found = array
    while isinstance(array.base, np.ndarray):
        array = array.base
        found = array if isinstance(array, MetaArray) else found
    return found


def offset_of(array: Any) -> int:
    """Elements between the beginning of the storage and the first element."""
    return (memory.address(array) - memory.address(owner(array))) // array.itemsize


def _seen(function: Callable, args: Any, kwargs: Any) -> Any:
    """What a kernel gives that reads no element: views of its arguments, or new geometries."""

    def plain(v: Any) -> Any:
        return np.ndarray.view(v, np.ndarray) if isinstance(v, MetaArray) else v

    result = function(*_each(list(args), plain), **_each(kwargs, plain))

    def hidden(v: Any) -> Any:
        if isinstance(v, MetaArray) or not isinstance(v, np.ndarray):
            return v
        return v.view(MetaArray) if isinstance(owner(v), MetaArray) else without_elements(v)

    return _each(result, hidden)


class _Found:
    """A result's geometry, with its long dimensions as they are: shape, order of strides, dtype."""

    def __init__(self, array: Any, back: dict[int, int]) -> None:
        shape = tuple([back.get(n, n) for n in array.shape])
        strides = tuple([s // array.itemsize for s in array.strides])
        self.parts = shape, packed_strides(shape, [strides]) if back or 0 in strides else strides, array.dtype

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, _Found) and self.parts == other.parts


def _shortened(function: Callable, args: Any, kwargs: Any, short: dict[int, int]) -> Any:
    """What a kernel gives for zeros with short dimensions in the place of long ones."""
    back = {n: m for m, n in short.items()}

    def filled(v: Any) -> Any:
        if isinstance(v, MetaArray):
            shape: Any = tuple([short.get(n, n) for n in v.shape])
            strides = tuple([s // v.itemsize for s in v.strides])
            strides = packed_strides(shape, [strides]) if short or not v.size else strides
            cells = 1 + sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)])
            item = v.itemsize
            zeros = np.ndarray(
                shape, v.dtype, np.zeros(max(cells, 1), v.dtype), 0, tuple([s * item for s in strides])
            )
            # Ones on the diagonal, as some kernels refuse singular matrices.
            if zeros.ndim > 1 and zeros.dtype.kind in "fc":
                diagonal = range(min(shape[-2:]))
                zeros[..., diagonal, diagonal] = 1
            return zeros
        return short.get(v, v) if v.__class__ is int else v

    try:
        with np.errstate(all="ignore"):
            result = function(*_each(list(args), filled), **_each(kwargs, filled))
    except RuntimeError as error:
        raise type(error)(re.sub(r"\d+", lambda m: str(back.get(int(m[0]), int(m[0]))), str(error))) from None
    return _each(result, lambda v: _Found(v, back) if isinstance(v, (np.ndarray, np.generic)) else v)


# The library --------------------------------------------------------------------------------------------------------------------


def _kernel(name: str, kernel: Callable) -> Callable:
    if name in ("owner", "offset_of"):
        return owner if name == "owner" else offset_of
    if name == "address":
        return kernel
    if name == "to_host":
        return kernel
    if name in ("empty_strided", "empty_like"):
        return _geometry if name == "empty_strided" else _like
    if name == "writeable":
        return lambda a: True
    if name in ("to_copy", "to_place", "moved"):
        return _copying(name, kernel)
    if name in DYNAMIC:
        return _refusing(name)
    if name == "seen":
        return lambda a: np.zeros(a.shape if a.size <= FEW else (0,), a.dtype)
    if name in ("from_host", "from_neighbour"):
        return lambda a, non_blocking=False: without_elements(a)
    if name.endswith("_") and name != "slice_":
        return _writing(kernel)

    @functools.wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        if name.startswith("index") and any([a.dtype.kind == "b" for a in _arrays(list(args[1:2]))]):
            _refusing("nonzero")()
        return (_seen if name in ON_MEMORY else inferred)(kernel, args, kwargs)

    return run


def _like(a: Any, dtype: np.dtype | None = None, memory_format: Any = None) -> Any:
    """`empty_like`, without memory."""
    own = tuple([s // a.itemsize for s in a.strides])
    strides: tuple | None = own if is_dense(a.shape, own) else _dense(a)
    if memory_format in formats.NDIM:
        strides = formats.strides_in(a.shape, memory_format)
    elif memory_format is formats.contiguous_format:
        strides = None
    return _geometry(a.shape, strides, np.dtype(dtype or a.dtype))


def _refusing(name: str) -> Callable:
    def run(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            f"aten::{name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered."
        )

    return run


def _copying(name: str, kernel: Callable) -> Callable:
    """A conversion: within the device, or to it."""
    place = 1 if name == "moved" else 2

    @functools.wraps(kernel)
    def run(a: Any, *args: Any, **kwargs: Any) -> Any:
        target = kwargs.get("device", args[place - 1] if len(args) >= place else None)
        if target is not None and target.type != "meta":
            raise NotImplementedError(NO_DATA)
        return a if name == "moved" else inferred(kernel, (a, args[0]), {})

    return run


def _writing(kernel: Callable) -> Callable:
    """A kernel that writes: there is nothing to write to, and nothing to draw."""

    @functools.wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> None:
        if not isinstance(args[0], MetaArray):
            raise NotImplementedError(NO_DATA)

    return run


class _Np(types.SimpleNamespace):
    """NumPy's functions that make arrays, on this device."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if not callable(function) or isinstance(function, type):
            return function
        return lambda *args, **kwargs: _each(
            inferred(function, args, kwargs), lambda v: without_elements(v) if type(v) is np.ndarray else v
        )

    def empty(self, shape: Any, dtype: Any = None, *_: Any, **__: Any) -> Any:
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        return _geometry(shape, None, np.dtype(dtype or np.float64))

    zeros = ones = empty

    def full(self, shape: Any, value: Any, dtype: Any = None) -> Any:
        return self.empty(shape, dtype or np.asarray(value).dtype)


def make() -> libraries.Library:
    """The library of the meta device."""
    library = libraries.Library("meta", _Np())
    library.array = MetaArray
    bound = types.SimpleNamespace()
    for name, value in vars(libraries.NUMPY.kernels).items():
        usable = callable(value) and not isinstance(value, type)
        setattr(bound, name, _kernel(name, value) if usable and not name.startswith("__") else value)
    library.bind_kernels(bound)
    return library
