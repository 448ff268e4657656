"""Storages: the flat buffers that tensors are geometry over.

A tensor holds a raw array; NumPy collapses chains of views, so `array.base` leads to the array (or foreign buffer) that owns the memory.
That owner *is* the storage; `Storage` is the handle that users see (`tensor.untyped_storage()`), one object per owner while it is held.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from jgrad import observer
from jgrad.devices import CPU, device, resolve
from jgrad.kernels import libraries


def owner(array: Any) -> Any:
    """The array that owns the memory: what two arrays share when they share storage."""
    return libraries.of(array).kernels.owner(array)


def address(array: Any) -> int:
    """The address of the first element, as `data_ptr()`; 0 for empty tensors."""
    return libraries.of(array).kernels.address(array) if array.size else 0


def offset_of(array: Any) -> int:
    """Elements between the beginning of the storage and the first element of `array`."""
    return libraries.of(array).kernels.offset_of(array)


def device_of(array: Any) -> device:
    """The device of an array."""
    library = libraries.of(array)
    return CPU if library is libraries.NUMPY else device(library.device, array.device.id)


exposed: dict[int, weakref.ref] = {}  # owners of memory that others than tensors may write to, by their ids


def expose(array: Any) -> None:
    """The memory of an array is handed out, as `numpy()` does: from now on it may change without anybody telling."""
    root = owner(array)
    key = id(root)
    if key not in exposed and isinstance(root, np.ndarray):
        exposed[key] = weakref.ref(root, lambda _: exposed.pop(key, None) and None)
        if observer.current is not None:
            observer.current.exposed(root)


class Storage:
    """One flat buffer; `torch.UntypedStorage`."""

    __slots__ = ("_owner", "__weakref__")
    _handles: ClassVar[weakref.WeakValueDictionary[int, Storage]] = weakref.WeakValueDictionary()

    def __init__(self, array_owner: Any) -> None:
        self._owner = array_owner

    @classmethod
    def of(cls, array: Any) -> Storage:
        """The storage of a raw array."""
        root = owner(array)
        # A handle keeps its owner alive, so as long as the entry is there the id cannot have been reused.
        handle = cls._handles.get(id(root))
        if handle is None:
            handle = cls._handles[id(root)] = cls(root)
        return handle

    def nbytes(self) -> int:
        """Size in bytes."""
        return self._owner.nbytes

    size = __len__ = nbytes

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return address(self._owner)

    def bytes(self) -> Any:
        """The bytes, as a flat array on the same memory."""
        root = self._owner
        if not libraries.is_array(root):
            return np.frombuffer(root, np.uint8)
        bound = libraries.of(root).kernels
        return bound.over(bound.in_row_major(root), (root.nbytes,), np.dtype(np.uint8))

    def __getitem__(self, index: Any) -> Any:
        return self.bytes()[index].item()

    def __setitem__(self, index: Any, value: int) -> None:
        expose(self._owner)
        self.bytes()[index] = value

    def tolist(self) -> list[int]:
        """The bytes as Python numbers."""
        return self.bytes().tolist()

    @property
    def device(self) -> device:
        return device_of(self._owner)

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    def get_device(self) -> int:
        """The number of the GPU, -1 for the CPU."""
        return self.device.index if self.device.index is not None else -1

    def to(self, *, device: Any, non_blocking: bool = False) -> Storage:
        """These bytes on a device: the storage itself if they are there."""
        target = resolve(device)
        return (
            self if target == self.device else Storage.of(libraries.moved(self.bytes(), target, non_blocking))
        )

    def cpu(self) -> Storage:
        """These bytes on the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None, non_blocking: bool = False) -> Storage:
        """These bytes on a GPU, the current one if none is named."""
        return self.to(device="cuda" if device is None else device, non_blocking=non_blocking)

    def __repr__(self) -> str:
        lines = "".join(f" {byte}\n" for byte in self.tolist())
        return f"{lines}[jgrad.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"


class TypedStorage:
    """A storage as a flat sequence of elements of one dtype; `torch.TypedStorage`, what `tensor.storage()` gives."""

    def __init__(self, untyped: Storage, dtype: Any) -> None:
        self._untyped, self.dtype = untyped, dtype

    def _elements(self) -> Any:
        return self._untyped.bytes()[: len(self) * self.dtype.itemsize].view(self.dtype.numpy)

    def __len__(self) -> int:
        return self._untyped.nbytes() // self.dtype.itemsize

    size = __len__

    def nbytes(self) -> int:
        """Size in bytes."""
        return self._untyped.nbytes()

    def element_size(self) -> int:
        """Bytes per element."""
        return self.dtype.itemsize

    def data_ptr(self) -> int:
        """Address of the first element."""
        return self._untyped.data_ptr()

    def untyped(self) -> Storage:
        """The same storage as bytes."""
        return self._untyped

    def is_shared(self) -> bool:
        """Whether other processes share it: never."""
        return False

    def __getitem__(self, index: Any) -> Any:
        return self._elements()[index].tolist()

    def __setitem__(self, index: Any, value: Any) -> None:
        expose(self._untyped._owner)
        self._elements()[index] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list:
        """The elements as Python numbers."""
        return self._elements().tolist()

    @property
    def device(self) -> device:
        return self._untyped.device

    def __repr__(self) -> str:
        lines = "".join(f" {element}\n" for element in self.tolist())
        return f"{lines}[jgrad.storage.TypedStorage(dtype={self.dtype!r}, device={self.device}) of size {len(self)}]"
