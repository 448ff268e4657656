"""Memory shared between libraries: DLPack, the CUDA array interface, pinned memory.

Capsules are NumPy's over the host memory, with the device written in.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.foreign import memory
from tests.foreign.arrays import ndarray

CPU, CUDA, MANAGED = 1, 2, 13  # as DLPack numbers devices
# By the name of a capsule: where the tensor begins in it. That of version 1 has a version, an owner, a deleter and flags before.
TENSOR = {b"dltensor": 0, b"dltensor_versioned": 32}

_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def device_of(capsule: Any) -> Any:
    """The type and the number of the device in a capsule, to be read and written."""
    if type(capsule).__name__ != "PyCapsule" or _name(capsule) not in TENSOR:
        raise ValueError(
            "A DLPack tensor object cannot be consumed multiple times (or object was not a DLPack capsule). "
            f"Got: {capsule!r}"
        )
    name = _name(capsule)
    start = _pointer(capsule, name) + TENSOR[name] + ctypes.sizeof(ctypes.c_void_p)
    return (ctypes.c_int32 * 2).from_address(start)


def __dlpack__(  # noqa: N807
    self: ndarray,
    *,
    stream: Any = None,
    max_version: tuple | None = None,
    dl_device: Any = None,
    copy: bool | None = None,
) -> Any:
    if not isinstance(max_version, tuple | None):
        raise TypeError("Argument 'max_version' has incorrect type")
    if dl_device is None or dl_device == self.__dlpack_device__():
        if copy is True:
            raise BufferError("copy=True only supported for copy to CPU.")
    elif dl_device == (CPU, 0):
        if copy is False:
            raise ValueError("GPU memory cannot be exported to CPU without copy.")
        return self.get().__dlpack__(max_version=max_version)
    else:
        raise BufferError("unsupported device requested.")
    if isinstance(stream, int) and stream < -1:
        raise ValueError(
            f"On CUDA, the valid stream for the DLPack protocol is -1, 1, 2, or any larger value, but {stream} was provided"
        )
    assert stream != 0, "CuPy warns of stream 0, which DLPack does not have"
    capsule = np.asarray(_Lent(self)).__dlpack__(max_version=max_version)
    device_of(capsule)[:] = CUDA, self.data.device_id
    return capsule


def from_dlpack(array: Any, *, device: Any = None, copy: bool | None = None) -> ndarray:
    """An array on the memory of another library's, of a device."""
    if not hasattr(array, "__dlpack_device__"):
        return _over(array)
    if device is not None:
        raise NotImplementedError("from_dlpack() does not support device yet.")
    kind, index = array.__dlpack_device__()
    if kind == CPU:
        raise TypeError(
            "CPU arrays cannot be directly imported to CuPy. Use `cupy.array(numpy.from_dlpack(input))` instead."
        )
    if kind not in (CUDA, MANAGED):
        raise TypeError("this array is not on a device that CuPy supports")
    with memory.Device(index):
        stream = memory.get_current_stream().ptr or 1
        try:
            return _over(array.__dlpack__(stream=stream, max_version=(1, 0), copy=copy))
        except TypeError:
            if copy is not None:
                raise
            return _over(array.__dlpack__(stream=stream))


class _Lent:
    """The host memory of an array, for NumPy; who has it has the array too."""

    def __init__(self, array: ndarray) -> None:
        self.array, self.__array_interface__ = array, array._host.__array_interface__


class _Host:
    """A capsule as NumPy takes it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU, 0


def _over(capsule: Any) -> ndarray:
    where = device_of(capsule)
    kind, index = where
    if kind not in (CUDA, MANAGED):
        raise RuntimeError(
            "CuPy is built against CUDA, different from the backend that backs the incoming DLPack tensor"
        )
    where[:] = CPU, 0
    host = np.from_dlpack(_Host(capsule))
    return _array_at(host.__array_interface__["data"][0], host.shape, host.dtype, host.strides, host, index)


def _array_at(ptr: int, shape: tuple, dtype: np.dtype, strides: Any, owner: Any, device: int) -> ndarray:
    """An array over memory that somebody else owns."""
    size = math.prod(shape) and dtype.itemsize
    for extent, stride in zip(shape, strides, strict=True) if size and strides is not None else ():
        size += (extent - 1) * stride
    if strides is None:
        size = math.prod(shape) * dtype.itemsize
    held = memory.UnownedMemory(ptr, size, owner, device if size or device >= 0 else memory.current())
    return ndarray(shape, dtype, memory.MemoryPointer(held, 0), strides)


def __cuda_array_interface__(self: ndarray) -> dict[str, Any]:  # noqa: N807
    return {
        "shape": self.shape,
        "typestr": self.dtype.str,
        "descr": self.dtype.descr,
        "stream": memory.get_current_stream().ptr or 1,
        "version": 3,
        "strides": None if self.flags.c_contiguous else self.strides,
        "data": (self.data.ptr if self.size else 0, False),
    }


def from_interface(value: Any) -> ndarray:
    """An array on the memory of an object with the CUDA array interface."""
    given = value.__cuda_array_interface__
    if given.get("mask") is not None:
        raise ValueError("CuPy currently does not support masked arrays.")
    dtype = np.dtype(given["typestr"])
    return _array_at(given["data"][0], given["shape"], dtype, given.get("strides"), value, -1)


def taking(function: Callable[..., ndarray]) -> Callable[..., ndarray]:
    """`array` and its kin: they also take objects with the interface, and copy from pinned memory while others work."""

    def call(given: Any, *args: Any, blocking: bool = False, **kwargs: Any) -> ndarray:
        if isinstance(given, np.ndarray):
            found = function(given, *args, **kwargs)
            packed = given.flags.c_contiguous or given.flags.f_contiguous
            if (
                memory.is_pinned(given)
                and packed
                and given.ndim
                and given.dtype == found.dtype
                and not blocking
            ):
                memory.depart(given)
            return found
        if not isinstance(given, ndarray) and hasattr(given, "__cuda_array_interface__"):
            given = from_interface(given)
        return function(given, *args, **kwargs)

    call.__name__ = call.__qualname__ = function.__name__
    return call


def empty_like_pinned(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> np.ndarray:
    """A NumPy array in pinned memory like another."""
    model = np.empty_like(np.empty(a.shape), dtype or a.dtype, order, shape=shape)
    if order == "K" and shape is None:
        model = np.empty_like(a, dtype)
    mem = memory.alloc_pinned_memory(model.nbytes)
    return np.ndarray(model.shape, model.dtype, mem, strides=model.strides)


def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray:
    """A NumPy array in pinned memory."""
    return empty_like_pinned(np.empty(shape, dtype, order))


def waited_for(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that reads values: all that was under way before has arrived then. It asks the current stream, which must be one that the
    array's device knows."""

    def call(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        stream = (args[0] if args else None) or memory.get_current_stream()
        assert stream.device_id in (-1, self.data.device_id), "another device's stream is waited for"
        memory.arrive()
        return method(self, *args, **kwargs)

    call.__name__ = method.__name__
    return call


for _method in ("get", "item", "tolist"):
    setattr(ndarray, _method, waited_for(getattr(ndarray, _method)))
ndarray.__dlpack__ = __dlpack__  # type: ignore[attr-defined]
ndarray.__dlpack_device__ = lambda self: (CUDA, self.data.device_id)  # type: ignore[attr-defined]
ndarray.__cuda_array_interface__ = property(__cuda_array_interface__)  # type: ignore[attr-defined]
