"""What `tensor` reads off the data it is given: numbers, nested sequences, arrays and tensors."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.dispatch.batched import Batched
from jgrad.dispatch.schema import NUMBERS
from jgrad.dtypes import FROM_NUMPY, INEXACT, REAL, dtype
from jgrad.errors import class_name, of_dimensions
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.kernels.narrow import cast, is_narrow, rounded
from jgrad.kernels.numbers import python_number
from jgrad.tensor import Tensor

MOST_DIMS = 128  # of nested sequences, as in PyTorch


def array_of(data: Any, target: np.dtype | None) -> np.ndarray:
    """The values of numbers, (nested) sequences, arrays and tensors in a fresh array, in the dtype that is given or that PyTorch infers."""
    if isinstance(data, Tensor):
        if isinstance(data, Batched):
            data.item()  # which says what is wrong
        array = data._a
        if target is not None and array.dtype.kind == "c" and target.kind not in "cb":
            if array.size:
                warn.once("Casting complex values to real discards the imaginary part")
            array = array.real
        return copied(array, array.dtype if target is None else target)
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        refuse_negative_strides(array)
        return copied(array, dtypes.from_numpy(array.dtype).numpy if target is None else target)
    if data.__class__ is list and data:
        array = _of_plain_lists(data, target)
        if array is not None:
            return array
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{class_name(data)}'")
    values: list[Any] = []
    shape = _shape_of(data)
    kinds: list[dtype] = []
    _flatten(data, shape, 0, values, kinds, target)
    if target is None:
        found: dtype | None = None
        for kind in dict.fromkeys(kinds):
            found = kind if found is None else dtypes.promote_types(found, kind)
        target = (found or dtypes.get_default_dtype()).numpy
    array = np.empty(shape, target)
    flat = array.reshape(-1)
    for i, value in enumerate(values):
        flat[i] = number_as(value, target)
    return array


def refuse_negative_strides(array: np.ndarray) -> None:
    if any([s < 0 for s in array.strides]):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. "
            "(You can probably work around this by making a copy of your array  with array.copy().) "
        )


def warn_if_read_only(array: np.ndarray) -> None:
    """Say that a tensor will lie on memory that must not be written to."""
    if not array.flags.writeable:
        warn.once(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor "
            "will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting "
            "it to a tensor. This type of warning will be suppressed for the rest of this program.",
        )


def copied(array: np.ndarray, target: np.dtype) -> np.ndarray:
    """A copy with the strides PyTorch gives it: in the order of those given, row by row if elements are repeated."""
    array = resolved(array)
    order = "C" if 0 in array.strides else "K"
    if is_narrow(target) and array.dtype != target:
        return cast(np.array(array, order=order), target)
    if array.__class__ is np.ndarray:
        return np.array(array, target, order=order)
    with libraries.device_guard((array,)):
        return libraries.library_of(array).np.array(array, target, order=order)


def _of_plain_lists(data: list, target: np.dtype | None) -> np.ndarray | None:
    """The common case, nested lists of equal lengths with numbers of one class; None for anything else."""
    _refuse_endless(data)
    shape = [len(data)]
    while data and data[0].__class__ is list:
        extent = len(data[0])
        if not all([item.__class__ is list and len(item) == extent for item in data]):
            return None
        data = list(itertools.chain.from_iterable(data))
        shape.append(extent)
    kinds = set(map(type, data))
    if kinds == {float}:
        found = dtypes.get_default_dtype().numpy
    elif kinds == {int}:
        found = np.dtype(np.int64)
    elif kinds == {bool}:
        found = np.dtype(bool)
    else:
        return None
    if target is not None and target.kind not in REAL and target != found:
        return None
    try:
        if is_narrow(target):
            array = cast(np.array(data, found), target)
        else:
            array = np.array(data, found if target is None else target)
    except OverflowError:
        return None
    if len(shape) == 1:
        return array
    try:
        # What owns its memory is written to faster.
        return array.reshape(shape).copy()
    except ValueError as error:
        raise of_dimensions(error) from None


def _refuse_endless(data: Any) -> None:
    """Refuse lists that are nested too deep, such as one that contains itself."""
    for _ in range(MOST_DIMS + 1):
        if data.__class__ is not list or not data:
            return
        data = data[0]
    raise ValueError(f"too many dimensions '{class_name(data)}'")


def _shape_of(data: Any) -> tuple:
    """The extents along the first elements."""
    shape: list[int] = []
    while True:
        if len(shape) > MOST_DIMS:
            raise ValueError(f"too many dimensions '{class_name(data)}'")
        if isinstance(data, Tensor):  # which stands for a number, if it is the first thing at its depth
            return tuple(shape)
        if isinstance(data, np.ndarray):
            return (*shape, *data.shape)
        if isinstance(data, (str, bytes)):
            raise ValueError(f"too many dimensions '{class_name(data)}'")
        if isinstance(data, NUMBERS):
            return tuple(shape)
        if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")) or isinstance(data, dict):
            raise RuntimeError(f"Could not infer dtype of {class_name(data)}")
        shape.append(len(data))
        if not len(data):
            return tuple(shape)
        try:
            data = data[0]
        except Exception:  # whatever the user's class raises
            raise ValueError(f"could not determine the shape of object type '{class_name(data)}'") from None


def _flatten(
    data: Any, shape: tuple, dim: int, values: list, kinds: list[dtype], target: np.dtype | None
) -> None:
    """Append the numbers in row-major order, and the dtype that each has by itself."""
    if isinstance(data, Tensor) and dim == len(shape) and data._a.size == 1:
        kinds.append(FROM_NUMPY[data._a.dtype])
        values.append(data)
        return
    if isinstance(data, (Tensor, np.ndarray)):
        array = data._a if isinstance(data, Tensor) else data
        if array is data and array.size:
            warn.once(
                "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single "
                "numpy.ndarray with numpy.array() before converting to a tensor.",
            )
        if array.shape != shape[dim:]:
            if array.ndim and len(shape) > dim:
                raise ValueError(
                    f"expected sequence of length {shape[dim]} at dim {dim} (got {array.shape[0]})"
                )
            raise ValueError("only one element tensors can be converted to Python scalars")
        kinds.append(dtypes.from_numpy(array.dtype))
        values += array.reshape(-1).tolist()
        return
    if dim == len(shape):
        if not isinstance(data, NUMBERS):
            raise _no_number(data, target)
        kinds.append(FROM_NUMPY[data.dtype] if isinstance(data, np.generic) else dtypes.of_number(data))
        values.append(python_number(data))
        return
    if not hasattr(data, "__len__"):
        raise TypeError("not a sequence")
    items = data if isinstance(data, (list, tuple)) else list(data)
    # (a DataFrame of pandas has as many rows as len() says, and gives its columns)
    if len(items) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(items)})")
    # (Some sequences give other objects when one iterates over them: a Series of pandas gives Python's numbers, but NumPy's by position.)
    for item in items if items is data else [data[i] for i in range(len(items))]:
        _flatten(item, shape, dim + 1, values, kinds, target)


def _no_number(data: Any, target: np.dtype | None) -> Exception:
    """The error about something among numbers that is none."""
    name = class_name(data)
    if target is not None and target.kind in INEXACT:
        return TypeError(f"must be real number, not {name}")
    if target is None and isinstance(data, list) and any([item is data for item in data]):
        return TypeError("new(): self-referential lists are incompatible")
    if target is not None or isinstance(data, (list, tuple)):
        return TypeError(f"'{name}' object cannot be interpreted as an integer")
    if isinstance(data, (str, bytes)):
        return TypeError(f"new(): invalid data type '{name}'")
    return RuntimeError(f"Could not infer dtype of {name}")


def number_as(value: Any, target: np.dtype) -> Any:
    """A Python number, or a tensor that stands for one, as an element of this dtype, with PyTorch's errors where it does not fit."""
    kind = target.kind
    if isinstance(value, Tensor):
        value = complex(value) if kind == "c" else operator.index(value) if kind in "iub" else float(value)
    if kind in "iu":
        if isinstance(value, complex):
            raise TypeError("must be real number, not complex")
        number = int(value)
        if target == np.uint64:
            if number < 0:
                raise OverflowError("can't convert negative int to unsigned")
            if number >= 2**64:
                raise OverflowError("int too big to convert")
        elif not -(2**63) <= number < 2**63:
            raise ValueError("Overflow when unpacking long long")
        limits = np.iinfo(target)
        # Unsigned dtypes take negative numbers and wrap them around.
        low = limits.min if kind == "i" else -limits.max - 1
        if not low <= number <= limits.max:
            raise RuntimeError(f"value cannot be converted to type {target.name} without overflow")
        return number % (limits.max + 1) if kind == "u" else number
    if kind == "f":
        if isinstance(value, complex):
            raise TypeError("must be real number, not complex")
        return float(value)
    if kind == "V":
        return rounded(np.asarray(value, np.float64), target)
    return bool(value) if kind == "b" else value
