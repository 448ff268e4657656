"""Storages: the flat buffers that tensors are geometry over.

A tensor holds a raw array; NumPy collapses chains of views, so `array.base` leads to the array (or foreign buffer) that owns the memory.
That owner *is* the storage; `Storage` is the handle that users see (`tensor.untyped_storage()`), one object per owner while it is held.
"""

from __future__ import annotations

import weakref
from typing import Any, ClassVar

from jgrad.devices import CPU, device
from jgrad.kernels.numpy_shape import owner as owner


def address(array: Any) -> int:
    """The address of the first element, as `data_ptr()`; 0 for empty tensors."""
    return array.__array_interface__["data"][0] if array.size else 0


def offset_of(array: Any) -> int:
    """Elements between the beginning of the storage and the first element of `array`."""
    root = owner(array)
    if root is array:
        return 0
    return (array.__array_interface__["data"][0] - root.__array_interface__["data"][0]) // array.itemsize


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

    @property
    def device(self) -> device:
        return CPU

    def __repr__(self) -> str:
        return f"jgrad.UntypedStorage(device={self.device}) of size {self.nbytes()}"
