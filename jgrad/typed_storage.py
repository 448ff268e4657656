"""Storages as sequences of elements of one dtype: `TypedStorage`, and the older names of its kinds, `FloatStorage` and its like.

PyTorch has deprecated them. Files and older programs still use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from jgrad import dtypes, manual, observer, warn
from jgrad.devices import device, resolve
from jgrad.dtypes import dtype as dtype_class
from jgrad.kernels import libraries
from jgrad.storage import UntypedStorage, expose
from jgrad.tensor import _plain

_warned = False


def warn_of_removal() -> None:
    """PyTorch's warning at the first use of a typed storage."""
    global _warned
    if not _warned:
        _warned = True
        warn.say(
            "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. This "
            "should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
            "tensor.untyped_storage() instead of tensor.storage()",
        )


class TypedStorage:
    """A storage as a sequence of elements of one dtype. `tensor.storage()` gives it. PyTorch has deprecated it: use `UntypedStorage`."""

    def __init__(
        self, *content: Any, dtype: Any = None, device: Any = None, wrap_storage: Any = None
    ) -> None:
        warn_of_removal()
        if wrap_storage is not None:
            self._wrap(content, dtype, device, wrap_storage)
            return
        self.dtype = dtypes.get_default_dtype() if dtype is None else dtype
        if not isinstance(self.dtype, dtype_class):
            raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
        if len(content) > 1:
            refuse(RuntimeError, "TypedStorage.__init__", SIGNATURES, "Too many positional arguments")
        given = content[0] if content else 0
        if isinstance(given, str):
            raise TypeError(f"new(): invalid data type '{type(given).__name__}'")
        if not isinstance(given, (int, Sequence)):
            text = f"Argument type not recognized: {type(given)}"
            refuse(TypeError, "TypedStorage.__init__", SIGNATURES, text)
        count = given if isinstance(given, int) else np.size(given)
        elements = libraries.full(0, (count,), self.dtype.numpy, resolve(device))
        if not isinstance(given, int):
            elements[...] = np.array(given).reshape(-1).astype(self.dtype.numpy)
        self._untyped = UntypedStorage.of(elements)

    def _wrap(self, content: tuple, dtype: Any, device: Any, wrap_storage: Any) -> None:
        """Take an `UntypedStorage` instead of making one."""
        if content:
            text = "No positional arguments should be given when using 'wrap_storage'"
            refuse(RuntimeError, "TypedStorage.__init__", SIGNATURES, text)
        if dtype is None:
            refuse(RuntimeError, "TypedStorage.__init__", SIGNATURES, "Argument 'dtype' must be specified")
        if not isinstance(dtype, dtype_class):
            text = f"Argument 'dtype' must be torch.dtype, not {type(dtype)}"
            refuse(TypeError, "TypedStorage.__init__", SIGNATURES, text)
        if device is not None:
            text = "Argument 'device' should not be specified when 'wrap_storage' is given"
            refuse(RuntimeError, "TypedStorage.__init__", SIGNATURES, text)
        if not isinstance(wrap_storage, UntypedStorage):
            text = f"Argument 'wrap_storage' must be UntypedStorage, but got {shown_class(wrap_storage)}"
            refuse(TypeError, "TypedStorage.__init__", SIGNATURES, text)
        self._untyped, self.dtype = wrap_storage, dtype

    @classmethod
    def over(cls, untyped: UntypedStorage, dtype: dtype_class) -> TypedStorage:
        """An untyped storage with a dtype."""
        made = cls.__new__(cls)
        made._untyped, made.dtype = untyped, dtype
        return made

    def _elements(self) -> Any:
        return self._untyped.bytes()[: len(self) * self.dtype.itemsize].view(self.dtype.numpy)

    def __len__(self) -> int:
        return self._untyped.nbytes() // self.dtype.itemsize

    size = __len__

    def nbytes(self) -> int:
        """The size of the storage in bytes."""
        return self._untyped.nbytes()

    def element_size(self) -> int:
        """The size of an element in bytes."""
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        """The address of the first element; 0 if the storage is empty or on the device "meta"."""
        return self._untyped.data_ptr()

    def untyped(self) -> UntypedStorage:
        """The same storage as bytes."""
        return self._untyped

    def is_shared(self) -> bool:
        """Whether other processes can have the same memory: after `share_memory_`, and always on a GPU."""
        return self._untyped.is_shared()

    def share_memory_(self) -> TypedStorage:
        """Move the storage to memory that other processes can have too. Tensors over it stay over it. It cannot be resized afterwards."""
        self._untyped.share_memory_()
        return self

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the storage is pinned: it is in memory of the host that does not move, so that a GPU can copy it while the program continues."""
        return self._untyped.is_pinned()

    def __getitem__(self, index: Any) -> Any:
        self._untyped.check_readable()
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} out of range for storage of size {len(self)}")
        return self._elements()[index].tolist()

    def __setitem__(self, index: Any, value: Any) -> None:
        expose(self._untyped._owner)
        with observer.unobserved():  # no tensor of the user's is written to
            _plain(self._elements())[index] = value

    def clone(self) -> TypedStorage:
        """A new storage with the same elements."""
        return TypedStorage.over(self._untyped.clone(), self.dtype)

    def copy_(self, source: Any, non_blocking: bool = False) -> TypedStorage:
        """Write the elements of another storage into this one. All tensors over this storage change."""
        self._untyped.copy_(source.untyped() if isinstance(source, TypedStorage) else source)
        return self

    def fill_(self, value: Any) -> TypedStorage:
        """Write one number into every element. All tensors over this storage change."""
        self[0 : len(self)] = value
        return self

    def resize_(self, size: int) -> None:
        """Give the storage another number of elements. All tensors over it stay over it. New elements can have any value."""
        self._untyped.resize_(size * self.dtype.itemsize)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The name of the older class in PyTorch for this dtype."""
        return f"torch.{self.dtype.type_name}Storage"

    def pickle_storage_type(self) -> str:
        """The older name of the class without its module, such as `FloatStorage`. It stands in files that `jgrad.save` writes."""
        return f"{self.dtype.type_name}Storage"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

    def __iter__(self) -> Iterator[Any]:
        if not len(self):
            return iter(())
        self._untyped.check_readable()
        return iter(self._elements().tolist())

    def tolist(self) -> list:
        """The elements as a list of Python numbers, in the order in which they are in memory."""
        return list(self)

    filename = None
    is_sparse = False

    def resizable(self) -> bool:
        """Whether `resize_` can make the storage larger; see `UntypedStorage.resizable`."""
        return self._untyped.resizable()

    def get_device(self) -> int | None:
        """The number of the GPU on which the memory is."""
        return self._untyped.get_device()

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self._untyped.is_cuda

    def to(self, *, device: Any, non_blocking: bool = False) -> TypedStorage:
        """The elements of this storage on a device."""
        return TypedStorage.over(self._untyped.to(device=device, non_blocking=non_blocking), self.dtype)

    def cpu(self) -> TypedStorage:
        """The elements of this storage on the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None, non_blocking: bool = False) -> TypedStorage:
        """The elements of this storage on a GPU."""
        return TypedStorage.over(self._untyped.cuda(device, non_blocking), self.dtype)

    @property
    def device(self) -> device:
        """The device on which the memory is."""
        return self._untyped.device

    def __repr__(self) -> str:
        lines = "..." if self.device.type == "meta" else " " + "\n ".join(map(str, self.tolist()))
        return f"{lines}\n[jgrad.storage.TypedStorage(dtype={self.dtype!r}, device={self.device}) of size {len(self)}]"


def is_storage(obj: Any, /) -> bool:
    """Whether an object is a storage, typed or untyped."""
    return isinstance(obj, (UntypedStorage, TypedStorage))


SIGNATURES = """
 * (*, torch.device device, torch.dtype dtype)
 * (int size, *, torch.device device, torch.dtype dtype)
 * (Sequence data, *, torch.device device, torch.dtype dtype)
 * (*, UntypedStorage wrap_storage, torch.dtype dtype)
"""

SIGNATURES_OF_KINDS = """
 * no arguments
 * (int size)
 * (Sequence data)
 * (*, UntypedStorage wrap_storage)
"""


def refuse(error: type[Exception], name: str, signatures: str, why: str) -> NoReturn:
    """Raise PyTorch's error for a call that fits none of the signatures."""
    raise error(f"{name} received an invalid combination of arguments. Expected one of:{signatures}{why}")


def shown_class(value: Any) -> str:
    """The class of a value as PyTorch's errors show it."""
    return str(type(value)).replace("jgrad.typed_storage", "torch.storage").replace("jgrad.", "torch.")


# One dtype --------------------------------------------------------------------------------------------------------------------


class KindOfStorage(type):
    """The class of `FloatStorage` and its like. What they make is a `TypedStorage`, and each of the right dtype is an instance of theirs."""

    dtype: dtype_class

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            type(instance) is TypedStorage and instance.dtype is cls.dtype and instance.device.type == "cpu"
        )


def _new(cls: KindOfStorage, *content: Any, wrap_storage: Any = None, **others: Any) -> TypedStorage:
    name = f"{shown_class_of_kind(cls)}.__new__"
    for key in others:
        refuse(RuntimeError, name, SIGNATURES_OF_KINDS, f"Keyword argument '{key}' cannot be specified")
    if wrap_storage is not None:
        if content:
            text = "No positional arguments should be given when using 'wrap_storage'"
            refuse(RuntimeError, name, SIGNATURES_OF_KINDS, text)
        if not isinstance(wrap_storage, UntypedStorage):
            text = f"Argument 'wrap_storage' must be UntypedStorage, but got {shown_class(wrap_storage)}"
            refuse(TypeError, name, SIGNATURES_OF_KINDS, text)
        return TypedStorage(wrap_storage=wrap_storage, dtype=cls.dtype)
    if len(content) > 1:
        refuse(RuntimeError, name, SIGNATURES_OF_KINDS, "Too many positional arguments")
    if content and not isinstance(content[0], (int, Sequence)):
        text = f"Argument type not recognized: {shown_class(content[0])}"
        refuse(TypeError, name, SIGNATURES_OF_KINDS, text)
    return TypedStorage(*content, dtype=cls.dtype)


def shown_class_of_kind(cls: KindOfStorage) -> str:
    return f"<class 'torch.{cls.__name__}'>"


def _kind(dtype: dtype_class) -> Any:
    """The class whose storages have elements of this dtype."""
    name = f"{dtype.type_name}Storage"
    body = {
        "__new__": _new,
        "dtype": dtype,
        "__module__": "jgrad",
        "__slots__": (),
        "__doc__": KIND.format(name=name, dtype=dtype),
    }
    return KindOfStorage(name, (TypedStorage,), body)


KIND = """The older name of a `TypedStorage` with elements of {dtype}. PyTorch has deprecated it: use `UntypedStorage`.

    Args:
        content: an integer makes a new storage with so many elements; a sequence of numbers makes one with these
        wrap_storage: an `UntypedStorage` whose memory is used, instead of `content`
        others: any other keyword is refused with RuntimeError

    Returns a `TypedStorage`. `isinstance(storage, jgrad.{name})` says whether a storage has this dtype and is on the CPU.

    >>> s = jgrad.{name}([1, 0])
    >>> s.dtype
    {dtype}
    >>> isinstance(s, jgrad.{name}), len(s)
    (True, 2)
    """

DoubleStorage, FloatStorage, HalfStorage, BFloat16Storage = map(
    _kind, (dtypes.float64, dtypes.float32, dtypes.float16, dtypes.bfloat16)
)
LongStorage, IntStorage, ShortStorage, CharStorage, ByteStorage = map(
    _kind, (dtypes.int64, dtypes.int32, dtypes.int16, dtypes.int8, dtypes.uint8)
)
BoolStorage, ComplexDoubleStorage, ComplexFloatStorage = map(
    _kind, (dtypes.bool_, dtypes.complex128, dtypes.complex64)
)


# Conversions ------------------------------------------------------------------------------------------------------------------


def _converted(storage: UntypedStorage | TypedStorage, dtype: dtype_class) -> TypedStorage:
    elements = storage.bytes() if isinstance(storage, UntypedStorage) else storage._elements()
    result = _plain(elements).to(dtype)
    return TypedStorage.over((result.clone() if result._a is elements else result).untyped_storage(), dtype)


def _conversion(cls: type, name: str, dtype: dtype_class) -> Callable[[Any], TypedStorage]:
    def convert(self: UntypedStorage | TypedStorage) -> TypedStorage:
        return _converted(self, dtype)

    convert.__name__, convert.__qualname__ = name, f"{cls.__name__}.{name}"
    convert.__doc__ = f"""The elements, or the bytes of an untyped storage, converted to {dtype}.

        Returns a new `TypedStorage`.

        >>> jgrad.UntypedStorage([1, 0]).{name}().dtype
        {dtype}
        """
    return convert


for _name, _dtype in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "bfloat16": dtypes.bfloat16, "long": dtypes.int64, "int": dtypes.int32,
    "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_, "complex_double": dtypes.complex128,
    "complex_float": dtypes.complex64, "float8_e4m3fn": dtypes.float8_e4m3fn, "float8_e4m3fnuz": dtypes.float8_e4m3fnuz,
    "float8_e5m2": dtypes.float8_e5m2, "float8_e5m2fnuz": dtypes.float8_e5m2fnuz,
}.items():  # fmt: skip
    for _class in (UntypedStorage, TypedStorage):
        setattr(_class, _name, _conversion(_class, _name, _dtype))


manual.attach(__name__)
