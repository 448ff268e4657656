"""Memory shared with other libraries: DLPack, the CUDA array interface; and memory that a GPU can read by itself."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from jgrad import cuda, devices, dtypes, loading, warn
from jgrad.devices import CPU, device, resolve
from jgrad.dispatch import op
from jgrad.dispatch.options import INTERNAL
from jgrad.errors import class_name
from jgrad.kernels import libraries
from jgrad.kernels.narrow import is_narrow
from jgrad.ops.factories import made
from jgrad.storage import device_of, expose, lend
from jgrad.tensor import Tensor

_Device = device


DLDeviceType = enum.IntEnum(
    "DLDeviceType",
    {
        "kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLOpenCL": 4, "kDLVulkan": 7, "kDLMetal": 8, "kDLVPI": 9, "kDLROCM": 10,
        "kDLROCMHost": 11, "kDLExtDev": 12, "kDLCUDAManaged": 13, "kDLOneAPI": 14, "kDLWebGPU": 15, "kDLHexagon": 16, "kDLMAIA": 17,
    },
    module="jgrad.utils.dlpack",
)  # fmt: skip
# By the name of a capsule: the bytes before the tensor in it.
_TENSORS = {b"dltensor": 0, b"dltensor_versioned": 32}
# DLPack's codes of narrow floats, and integers of as many bytes.
_CODES = {
    dtypes.bfloat16: 4, dtypes.float8_e4m3fn: 10, dtypes.float8_e4m3fnuz: 11, dtypes.float8_e5m2: 12, dtypes.float8_e5m2fnuz: 13,
    dtypes.float8_e8m0fnu: 14,
}  # fmt: skip
_BITS = {1: np.uint8, 2: np.int16}

ARRAY_API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

# Out -----------------------------------------------------------------------------------------------------------------------------


def _dlpack(
    self: Tensor, *, stream: Any = -1, max_version: Any = None, dl_device: Any = None, copy: Any = None
) -> Any:
    """A DLPack capsule of this tensor's memory, which another library takes over without a copy."""
    if self.is_conj():
        raise BufferError("Can't export tensors with the conjugate bit set")
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if self.is_cuda and self.device.index != cuda.current_device():
        raise BufferError(
            f"Can't export tensors on a different CUDA device index. Expected: {self.device.index}. Current device: "
            f"{cuda.current_device()}."
        )
    if stream is not None and type(stream) is not int:
        raise TypeError("stream must be ``int`` or ``none``")
    if self.is_cuda and stream == 2:
        raise BufferError("per-thread default stream is not supported.")
    if self.is_cuda and stream == 0:
        raise AssertionError("unsupported stream on CUDA: 0.")
    if not self.is_cuda and stream not in (None, -1):
        raise AssertionError("stream should be None on cpu.")
    versioned = not (max_version is None or max_version[0] < 1)
    return _capsule(self, versioned, stream, dl_device, copy)


def _capsule(
    tensor: Tensor, versioned: bool, stream: Any = -1, dl_device: Any = None, copy: Any = None
) -> Any:
    if dl_device is not None and not isinstance(dl_device, tuple):
        raise TypeError(
            f"_to_dlpack(): argument 'dl_device' must be tuple of ints, not {class_name(dl_device)}"
        )
    if not isinstance(copy, bool | None):
        raise TypeError(f"_to_dlpack(): argument 'copy' must be bool, not {class_name(copy)}")
    if dl_device is not None:
        if len(dl_device) != 2:
            raise RuntimeError("dl_device must be either None or a tuple of ints")
        kind, index = dl_device
        if kind not in (DLDeviceType.kDLCPU, DLDeviceType.kDLCUDA):
            raise BufferError(f"Unsupported device_type: {int(kind)}")
        target = CPU if kind == DLDeviceType.kDLCPU else _Device("cuda", index)
        if target != tensor.device and copy is False:
            raise ValueError(
                f"cannot move (i.e. copy=False) tensor from {tensor.device} to {target} without copying."
            )
        tensor, copy = tensor.to(target), copy and target == tensor.device
    array = tensor.clone()._a if copy else tensor._a
    expose(array)
    options = {"stream": stream} if tensor.is_cuda else {}
    version = (1, 0) if versioned else None
    if tensor.dtype not in _CODES:
        return array.__dlpack__(max_version=version, **options)
    # NumPy exports no narrow floats. So it exports their bits as integers, and the capsule gets the type afterwards.
    capsule = array.view(_BITS[array.itemsize]).__dlpack__(max_version=version, **options)
    _type_in(capsule).code = _CODES[tensor.dtype]
    return capsule


def _dlpack_device(self: Tensor) -> tuple[DLDeviceType, int]:
    if self.is_cuda:
        return DLDeviceType.kDLCUDA, self.device.index or 0
    return DLDeviceType.kDLCUDAHost if self.is_pinned() else DLDeviceType.kDLCPU, 0


def to_dlpack(tensor: Tensor, /) -> Any:
    """A DLPack capsule of the tensor's memory, which another library can take over without a copy."""
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"_to_dlpack(): argument 'data' (position 1) must be Tensor, not {class_name(tensor)}"
        )
    return _capsule(tensor, versioned=False)


def _cuda_array_interface(self: Tensor) -> dict[str, Any]:
    """What other libraries need to know of the memory on a GPU."""
    if not self.is_cuda:
        raise AttributeError(
            f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA data is required use tensor.cuda() to "
            "copy tensor to device memory."
        )
    if self.requires_grad:
        raise RuntimeError(
            "Can't get __cuda_array_interface__ on Variable that requires grad. If gradients aren't required, use var.detach() to get "
            "Variable that doesn't require grad."
        )
    return {
        "typestr": self._a.dtype.str,
        "shape": tuple(self.shape),
        "strides": None if self.is_contiguous() else self._a.strides,
        "data": (self.data_ptr(), False),
        "version": 2,
    }


def _array_namespace(self: Tensor, *, api_version: str | None = None) -> Any:
    """The functions of the array API standard, as a module."""
    if api_version not in (None, *ARRAY_API_VERSIONS):
        raise ValueError(f"Unrecognized array API version: {api_version!r}")
    return loading.offered(__name__, "array_api")


def _to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """`to`, as the array API standard calls it. jgrad only."""
    return self.to(device)


# In ------------------------------------------------------------------------------------------------------------------------------


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor on the memory of another library's array, or of a DLPack capsule."""
    if not hasattr(ext_tensor, "__dlpack__"):
        if device is not None or copy is not None:
            raise AssertionError(
                "device and copy kwargs not supported when ext_tensor is already a DLPack capsule."
            )
        return _taken_over(ext_tensor)
    kind, index = ext_tensor.__dlpack_device__()
    options: dict[str, Any] = {"max_version": (1, 0)}
    if kind == DLDeviceType.kDLCUDA:
        options["stream"] = cuda.current_stream(index).cuda_stream or 1  # as DLPack calls the default stream
    target = None
    if device is not None:
        target = _Device(device) if isinstance(device, str) else device
        if not isinstance(target, _Device):
            raise AssertionError(f"from_dlpack: unsupported device type: {type(target)}")
        target = resolve(target)
        there = (kind, index) if kind == DLDeviceType.kDLCUDA else (1, 0)
        asked_for = (2, target.index) if target.type == "cuda" else (1, 0)
        if copy is False and there != asked_for:
            raise ValueError(
                f"cannot move DLPack tensor from device {(kind, index)} to {asked_for} without copying. Set copy=None or copy=True."
            )
    tensor = _taken_over(_offered(ext_tensor, options))
    moved = tensor if target is None else tensor.to(target)
    return moved.clone() if copy and moved is tensor else moved


def _offered(array: Any, options: dict[str, Any]) -> Any:
    """The capsule of an array; libraries of older protocols know fewer options."""
    try:
        return array.__dlpack__(**options)
    except TypeError:
        return array.__dlpack__(**{key: value for key, value in options.items() if key == "stream"})


def _taken_over(capsule: Any) -> Tensor:
    """A tensor on the memory in a capsule, on the device that the capsule names."""
    kind = _device_in(capsule)
    if kind == DLDeviceType.kDLCUDA:
        array = cuda.loaded().np.from_dlpack(capsule)
    elif kind != DLDeviceType.kDLCPU:
        raise BufferError(f"Unsupported device_type: {kind}")
    else:
        described = _type_in(capsule)
        narrow = next(
            (d for d, code in _CODES.items() if (code, 8 * d.itemsize) == (described.code, described.bits)),
            None,
        )
        if narrow is not None:
            described.code = 1 if narrow.itemsize == 1 else 0  # as in `_capsule`
        array = np.from_dlpack(_Capsule(capsule))
        if not array.flags.writeable:  # NumPy's caution with those who can't say whether one may write
            array = np.asarray(_Writeable(array))
        if narrow is not None:
            array = array.view(narrow.numpy)
    return _adopted("from_dlpack", array)


def _adopted(name: str, array: Any) -> Tensor:
    """A tensor on an array of another library."""
    if not is_narrow(array.dtype):
        dtypes.from_numpy(array.dtype)
    if any([s < 0 for n, s in zip(array.shape, array.strides, strict=True) if n > 1]):
        strides = [s // array.itemsize for s in array.strides]
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(array.shape)} and strides={strides}"
        )
    array = libraries.library_of(array).kernels.spanned(array)
    lend(array)
    return made(name, array, device=device_of(array))


def _device_in(capsule: Any) -> int:
    """The type of the device of a capsule's memory."""
    import ctypes

    return ctypes.c_int32.from_address(_tensor_in(capsule) + ctypes.sizeof(ctypes.c_void_p)).value


def _type_in(capsule: Any) -> Any:
    """The type of the elements in a capsule, which can be written to: `code`, `bits`."""
    import ctypes

    class Type(ctypes.Structure):
        _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))

    # (After the address of the memory, the device, and the number of dimensions.)
    return Type.from_address(_tensor_in(capsule) + ctypes.sizeof(ctypes.c_void_p) + 8 + 4)


def _tensor_in(capsule: Any) -> int:
    """The address of the description of the tensor in a capsule."""
    import ctypes

    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule) if type(capsule).__name__ == "PyCapsule" else None
    if name not in _TENSORS:
        raise RuntimeError(
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already "
            "constructed a tensor from it once."
        )
    return pointer_of(capsule, name) + _TENSORS[name]


class _Capsule:
    """A capsule, as an object that offers it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class _Writeable:
    """Memory that NumPy lent for reading, lent for writing too."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        place, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (place, False)}


def lent(data: Any) -> Tensor | None:
    """A tensor on the memory of what offers it by the CUDA array interface or by DLPack; None of anything else."""
    if hasattr(data, "__cuda_array_interface__"):
        return _adopted("as_tensor", _by_interface(data))
    return from_dlpack(data) if hasattr(data, "__dlpack__") else None


def _by_interface(data: Any) -> Any:
    """CuPy's array on the memory of an object with the CUDA array interface; raises PyTorch's errors if that is not what it should be."""
    found = data.__cuda_array_interface__
    if not isinstance(found, dict):
        raise TypeError("`__cuda_array_interface__` must be a dict")
    for name in ("shape", "typestr", "data"):
        if name not in found:
            raise TypeError(f"attribute `{name}` must exist")
    if not isinstance(found["data"], tuple) or len(found["data"]) != 2:
        raise TypeError("`data` must be a 2-tuple of (int, bool)")
    place, read_only = found["data"]
    if read_only:
        raise TypeError("the read only flag is not supported, should always be False")
    strides, item = found.get("strides"), np.dtype(found["typestr"]).itemsize
    if strides is not None and len(strides) != len(found["shape"]):
        raise TypeError("strides must be a sequence of the same length as shape")
    if any([s % item for s in strides or ()]):
        raise ValueError(
            "given array strides not a multiple of the element byte size. Make a copy of the array to reallocate the memory."
        )
    library = cuda.loaded()
    if data.__class__ is library.array:
        return data
    if not place:
        return library.np.asarray(data)
    # CuPy copies memory of another device to the current one. So the device of the memory is made the current one.
    with library.np.cuda.UnownedMemory(place, 0, data).device:
        return library.np.asarray(data)


def home_of(tensor: Tensor) -> _Device:
    """Where a tensor goes that was lent: it stays, unless there is a default device."""
    return tensor.device if devices.get_default_device() is CPU else devices.get_default_device()


# Pinned memory -------------------------------------------------------------------------------------------------------------------


@op("_pin_memory(Tensor self) -> Tensor", kernel="pinned", node="PinMemoryBackward0", **INTERNAL)
class _pin_memory:
    """A copy in memory that does not move."""

    self = lambda grad: grad


def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """This tensor in pinned memory, which stays in its place, so that a GPU can copy from it while the CPU computes."""
    _warn_of_device("pin_memory", device)
    if not cuda.is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")
    if self.is_cuda:
        raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
    if libraries.is_pinned(self._a):
        return self
    cuda.loaded()
    return _pin_memory(self)


def is_pinned(self: Tensor, device: Any = None) -> bool:
    """Whether this tensor is in pinned memory, which `pin_memory` gives."""
    _warn_of_device("is_pinned", device)
    return libraries.is_pinned(self._a)


def _warn_of_device(name: str, device: Any) -> None:
    if device is not None:
        warn.once(
            f"The argument 'device' of Tensor.{name}() is deprecated. Please do not pass this argument."
        )


for _name, _method in {
    "__array_namespace__": _array_namespace, "to_device": _to_device, "__dlpack__": _dlpack, "__dlpack_device__": _dlpack_device, "__cuda_array_interface__": property(_cuda_array_interface),
    "pin_memory": pin_memory, "is_pinned": is_pinned,
}.items():  # fmt: skip
    setattr(Tensor, _name, _method)

__all__ = ["from_dlpack", "to_dlpack"]
