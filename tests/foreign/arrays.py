"""The array of the foreign library: NumPy's values behind CuPy's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.foreign.api import API, checker
from tests.foreign.memory import Memory, MemoryPointer, address, alloc, current

# What an index may be made of, besides arrays.
PLAIN = (slice, type(None), type(Ellipsis), bool, np.bool_, int, np.integer)


class SynchronisationError(Exception):
    """Somebody asked for a value where nobody should: on a device the program would wait for it."""


# What made the program wait for a device since somebody emptied this list, by name.
waits: list[str] = []
# Where CuPy itself looks at values, to learn a size or to check arguments.
WAITING = {
    "argwhere", "average", "bincount", "compress", "delete", "digitize", "extract", "flatnonzero", "histogram", "histogramdd", "in1d",
    "interp", "isin", "nonzero", "percentile", "place", "quantile", "ravel_multi_index", "setdiff1d", "shares_memory", "trim_zeros",
    "union1d", "unique", "unravel_index",
}  # fmt: skip


def refuse_value(what: str) -> Callable[..., Any]:
    """A special method that would read a value."""

    def method(self: ndarray, *args: Any) -> Any:
        raise SynchronisationError(
            f"{what} of an array of shape {self.shape} and dtype {self.dtype} reads device memory"
        )

    return method


class Flags:
    """How the elements lie; CuPy has no more."""

    __slots__ = ("c_contiguous", "f_contiguous", "owndata")

    def __init__(self, host: np.ndarray, owndata: bool) -> None:
        self.c_contiguous, self.f_contiguous, self.owndata = (
            host.flags.c_contiguous,
            host.flags.f_contiguous,
            owndata,
        )

    @property
    def forc(self) -> bool:
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        if name not in ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA"):
            raise KeyError(f"{name} is not defined for cupy.ndarray.flags")
        return getattr(self, name.lower())


class ndarray:
    """An array on a device: geometry is known, values are not to be had but by `get`, `item` and `tolist`."""

    __slots__ = ("_host", "data", "base", "__weakref__")
    __hash__ = None  # type: ignore[assignment]
    # NumPy leaves `number * array` to the array, and refuses all else.
    __array_ufunc__ = None

    def __init__(
        self,
        shape: Any,
        dtype: Any = float,
        memptr: MemoryPointer | None = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        dtype = np.dtype(dtype)
        if dtype.char not in "?bhilqBHILQefdFD":
            raise ValueError(f"Unsupported dtype {dtype}")
        layout = np.empty(0, dtype) if strides is not None else None
        if layout is None:
            shape = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
            strides = packed_strides(shape, dtype.itemsize, order or "C")
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        self.data = alloc(size) if memptr is None else memptr
        self.base: ndarray | None = None
        self._host = place(self.data.mem, self.data._offset, shape, dtype, strides)

    # What is there without looking at values ------------------------------------------------------------------------------------

    shape = property(lambda self: self._host.shape, lambda self, shape: self._reshape_in_place(shape))
    strides = property(lambda self: self._host.strides)
    dtype = property(lambda self: self._host.dtype)
    itemsize = property(lambda self: self._host.itemsize)
    size = property(lambda self: self._host.size)
    nbytes = property(lambda self: self._host.nbytes)
    ndim = property(lambda self: self._host.ndim)
    T = property(lambda self: self.transpose())
    mT = property(lambda self: self.swapaxes(-1, -2))  # noqa: N815
    device = property(lambda self: self.data.device)
    flags = property(lambda self: Flags(self._host, self.base is None))
    _c_contiguous = property(lambda self: self._host.flags.c_contiguous)
    _f_contiguous = property(lambda self: self._host.flags.f_contiguous)
    real = property(
        lambda self: self if self.dtype.kind != "c" else self._view(self._host.real),
        lambda self, value: self.real.__setitem__(..., value),
    )

    @property
    def imag(self) -> ndarray:
        """A view of the imaginary parts; zeros of their own where there are none."""
        return self._view(self._host.imag) if self.dtype.kind == "c" else fresh(np.zeros_like(self._host))

    @imag.setter
    def imag(self, value: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError("cupy.ndarray does not have imaginary part to set")
        self.imag[...] = value

    def _reshape_in_place(self, shape: Any) -> None:
        self._host = self._host.reshape(shape, copy=False)

    def _set_shape_and_strides(
        self, shape: Any, strides: Any, c_contiguity: bool, f_contiguity: bool
    ) -> None:
        self._host = place(self.data.mem, self.data._offset, tuple(shape), self.dtype, tuple(strides))

    def _view(self, host: np.ndarray) -> ndarray:
        """An array on the same memory with the geometry of `host`, which lies in it."""
        view = ndarray.__new__(type(self))
        mem = self.data.mem
        view.data = MemoryPointer(mem, address(host) - mem.ptr)
        view.base = self if self.base is None else self.base
        # NumPy forbids writing to some views, CuPy to none.
        view._host = (
            host
            if host.flags.writeable
            else place(mem, view.data._offset, host.shape, host.dtype, host.strides)
        )
        return view

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        """The same memory as another dtype."""
        return self._view(self._host.view(self.dtype if dtype is None else dtype))

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> ndarray:
        """Another shape, as a view where that can be."""
        shape = shape[0] if len(shape) == 1 else shape
        return self._viewed_or_copied(self._host.reshape(shape, order=order, copy=copy))

    def ravel(self, order: str = "C") -> ndarray:
        """All elements in a row, as a view where that can be."""
        return self._viewed_or_copied(self._host.ravel(order))

    def _viewed_or_copied(self, host: np.ndarray) -> ndarray:
        found = wrap(host, [self])
        if found.data.mem is not self.data.mem:
            check_devices([self])
        return found

    def squeeze(self, axis: Any = None) -> ndarray:
        """Without dimensions of size one; the array itself if there are none."""
        host = self._host.squeeze(axis)
        return self if host.ndim == self.ndim else self._view(host)

    def astype(
        self, dtype: Any, order: str = "K", casting: Any = None, subok: Any = None, copy: bool = True
    ) -> ndarray:
        """A copy of another dtype."""
        if not copy and self.dtype == dtype:
            return self
        check_devices([self])
        with np.errstate(all="ignore"):
            return fresh(self._host.astype(dtype, order=order, casting=casting or "unsafe"))

    def copy(self, order: str = "C") -> ndarray:
        """A copy. (CuPy's comes to the current device without a word, which nobody here wants.)"""
        check_devices([self])
        return fresh(self._host.copy(order))

    def fill(self, value: Any) -> None:
        """Sets all elements to a number."""
        self[...] = value

    # Values, and the ways to them -----------------------------------------------------------------------------------------------

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> np.ndarray:
        """A copy in host memory."""
        waits.append("get")
        if out is not None:
            out[...] = self._host
            return out
        return self._host.copy(order)

    def set(self, arr: np.ndarray, stream: Any = None) -> None:
        """Copies from host memory."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if not self.flags.forc:
            raise RuntimeError("Cannot set to non-contiguous array")
        self._host[...] = arr

    def item(self) -> Any:
        """The one element as a Python number."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        waits.append("item")
        return self._host.item()

    def tolist(self) -> Any:
        """The elements as lists of Python numbers."""
        waits.append("tolist")
        return self._host.tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array explicitly."
        )

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise TypeError(f"numpy.{function.__name__} of an array that is not NumPy's")

    __bool__ = refuse_value("the truth")
    __int__ = refuse_value("int()")
    __float__ = refuse_value("float()")
    __complex__ = refuse_value("complex()")
    __index__ = refuse_value("use as an index")
    __contains__ = refuse_value("`in`")
    tobytes = refuse_value("tobytes()")

    def __repr__(self) -> str:
        return f"<foreign array of shape {self.shape} and dtype {self.dtype}>"

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Any:
        if self.ndim < 2:
            raise SynchronisationError(f"iteration over the values of an array of shape {self.shape}")
        return (self[i] for i in range(self.shape[0]))

    def __reduce__(self) -> tuple:
        return on_the_current_device, (self.get(),)

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    # Indexing -------------------------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> ndarray:
        index = self._index(index)
        found = self._host[index]
        # NumPy gives a number where all dimensions are gone, CuPy a view of one element.
        if isinstance(found, np.generic):
            found = self._host[(*index, ...) if isinstance(index, tuple) else (index, ...)]
        return wrap(found, [self], keep_order=False)

    def __setitem__(self, index: Any, value: Any) -> None:
        check_devices([self])
        if isinstance(value, ndarray):
            check_devices([self, value])
            value = value._host
        elif not isinstance(value, bool | int | float | complex | np.generic):
            raise unsupported(value)
        with np.errstate(all="ignore"):
            self._host[self._index(index)] = value

    def _index(self, index: Any) -> Any:
        """NumPy's form of an index; places beyond the end wrap around, as CuPy has it, instead of raising."""
        parts = index if isinstance(index, tuple) else (index,)
        dims = [p.ndim if isinstance(p, ndarray) and p.dtype.kind == "b" else p is not None for p in parts]
        axis, found = 0, []
        for part, consumed in zip(parts, dims, strict=True):
            if part is Ellipsis:
                axis = self.ndim - (sum(dims) - 1) + axis
                found.append(part)
                continue
            if isinstance(part, ndarray):
                check_devices([self, part])
                if part.dtype.kind in "iu":
                    if axis < self.ndim and self.shape[axis]:
                        part = part._host % self.shape[axis]
                    else:
                        part = part._host
                elif part.dtype.kind == "b":
                    waits.append("mask")
                    part = part._host
                else:
                    raise IndexError(
                        f"arrays used as indices must be of integer or boolean type. (actual: {part.dtype.type})"
                    )
            elif isinstance(part, list):
                check_devices([self])
                part = np.array(part, None if part else np.int64)
            elif not isinstance(part, PLAIN):
                raise unsupported(part)
            found.append(part)
            axis += consumed
        return tuple(found) if isinstance(index, tuple) else found[0]

    def _scatter_op(self, slices: Any, value: Any, op: str) -> None:
        check_atomic(op, self.dtype)
        check_devices([self, value] if isinstance(value, ndarray) else [self])
        host = value._host if isinstance(value, ndarray) else value
        SCATTER[op].at(self._host, self._index(slices), host)


SCATTER = {"add": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum,
           "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}  # fmt: skip


# The dtypes for which CuPy has atomic operations.
ATOMIC = {"add": "ilqILQefd", "sub": "iI", "max": "ilqILQfd", "min": "ilqILQfd"}


def check_atomic(op: str, dtype: np.dtype) -> None:
    if dtype.char not in ATOMIC.get(op, "ilqILQ"):
        raise TypeError(f"cupy's scatter by {op} does not support {dtype}")


# Between here and NumPy ---------------------------------------------------------------------------------------------------------


def packed_strides(shape: tuple, item: int, order: str) -> tuple:
    """The strides of a fresh array; CuPy's are 0 where there is no element."""
    strides, step = [], item
    for extent in reversed(shape) if order == "C" else shape:
        strides.append(step)
        step *= extent
    return tuple(reversed(strides) if order == "C" else strides)


def place(mem: Memory, offset: int, shape: Any, dtype: np.dtype, strides: Any) -> np.ndarray:
    """The host array with this geometry over a memory."""
    shape = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
    if 0 in shape:
        offset = 0  # an empty view may begin behind the last element
    flat = (
        mem.root if mem.root.dtype == np.uint8 and mem.root.ndim == 1 else mem.root.ravel("K").view(np.uint8)
    )
    return np.ndarray(shape, dtype, flat, offset, strides)


def fresh(host: np.ndarray) -> ndarray:
    """An array of its own memory, filled with these values."""
    if host.base is not None:
        host = host.copy("K")
    array = ndarray.__new__(ndarray)
    array.data, array.base, array._host = MemoryPointer(Memory(host, current()), 0), None, host
    return array


def on_the_current_device(host: np.ndarray) -> ndarray:
    """What a pickled array becomes again, wherever it was."""
    return fresh(host.copy())


def wrap(result: Any, sources: list[ndarray], keep_order: bool = True) -> Any:
    """What NumPy returned, as arrays: views where they lie in one of the sources, fresh ones in C order else."""
    if isinstance(result, np.ndarray):
        root = result if result.base is None else result.base
        for source in sources:
            if result is source._host:
                return source
            if root is source.data.mem.root or root is source.data.mem.root.base:
                return source._view(result)
        return fresh(result if keep_order or result.flags.c_contiguous else result.copy())
    if isinstance(result, np.generic):
        return fresh(np.array(result))
    if isinstance(result, tuple | list):
        parts = [wrap(r, sources, keep_order) for r in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def unwrap(value: Any, sources: list[ndarray]) -> Any:
    """An argument as NumPy wants it; adds the arrays in it to `sources`, refuses NumPy's."""
    if isinstance(value, ndarray):
        sources.append(value)
        return value._host
    if isinstance(value, np.ndarray):
        raise unsupported(value)
    if isinstance(value, tuple | list):
        return type(value)([unwrap(v, sources) for v in value])
    return value


def unsupported(value: Any) -> TypeError:
    return TypeError(f"Unsupported type {type(value)}")


def check_devices(sources: list[ndarray]) -> None:
    """Arrays that take part must be on the current device."""
    for source in sources:
        there = source.data.device_id
        if there != current():
            raise ValueError(
                f"The device where the array resides ({there}) is different from the current device ({current()}). "
                "Peer access is unavailable between these devices."
            )


VIEWS = {"diagonal", "swapaxes", "transpose"}


def method(name: str, parameters: str) -> Callable[..., Any]:
    """NumPy's method of this name with the parameters that CuPy's has."""
    check = checker(name, "self" + (", " + parameters if parameters else ""))
    names = check.__code__.co_varnames[1 : check.__code__.co_argcount]  # type: ignore[attr-defined]

    def call(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        check(self, *args, **kwargs)
        if any(
            isinstance(v, ndarray)
            for v in (kwargs.get("axis"), args[0] if args and names[:1] == ("axis",) else None)
        ):
            raise SynchronisationError(f"{name}(axis=...) reads device memory")
        sources = [self]
        if "out" in names:  # which stands elsewhere in NumPy
            args, kwargs = (), {**dict(zip(names, args, strict=False)), **kwargs}
        args = unwrap(args, sources)
        kwargs = {key: unwrap(value, sources) for key, value in kwargs.items()}
        if name not in VIEWS:
            check_devices(sources)
        if name in WAITING or (name == "repeat" and len(sources) > 1):
            waits.append(name)
        if name in ("sort", "argsort") and kwargs.get("kind", args[1] if len(args) > 1 else None) not in (
            None,
            "stable",
        ):
            raise ValueError("kind can only be None or 'stable'")
        if name in ("sort", "partition") and not self.flags.c_contiguous:
            raise NotImplementedError("Sorting non-contiguous array is not supported.")
        if name == "argsort":
            kwargs["kind"] = "stable"
        host, narrow = self._host, None
        same = kwargs.get("dtype") in (None, self.dtype) and kwargs.get("out") is None
        if name in ("sum", "mean") and self.dtype.char in "fF" and same:
            # CuPy adds as a tree, with less rounding than NumPy's row after row.
            kwargs.pop("dtype", None)
            host, narrow = host.astype("d" if self.dtype.char == "f" else "D"), self.dtype
        with np.errstate(all="ignore"):
            found = getattr(host, name)(*args, **kwargs)
            return wrap(found if narrow is None else np.asarray(found, narrow), sources, keep_order=False)

    call.__name__ = name
    return call


for _name, _parameters in API["ndarray"].items():
    if _parameters is not None and not hasattr(ndarray, _name) and hasattr(np.ndarray, _name):
        setattr(ndarray, _name, method(_name, _parameters))
