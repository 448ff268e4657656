"""Storages: the flat buffers that tensors are geometry over.

A tensor holds a raw array; NumPy collapses chains of views, so `array.base` leads to the array (or foreign buffer) that owns the memory.
That owner *is* the storage; `Storage` is the handle that users see (`tensor.untyped_storage()`), one object per owner while it is held.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from jgrad import observer
from jgrad.devices import CPU, device, resolve
from jgrad.kernels import lazy, libraries


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
        if (watch := observer.current) is not None:
            watch.exposed(root)


_copies: dict[int, tuple[weakref.ref, np.ndarray]] = {}  # of read-only arrays, by their ids


def writable(root: np.ndarray) -> np.ndarray:
    """A pickled array as memory that tensors may write to.

    Buffers that travel beside a pickle may be read-only (`pickle.loads(data, buffers=...)`). Such an array is copied, once for all tensors
    that share it: it lives until the unpickling is done, and so does its entry here.
    """
    if root.flags.writeable:
        return root
    key = id(root)
    if key not in _copies:
        _copies[key] = weakref.ref(root, lambda _: _copies.pop(key, None) and None), root.copy("K")
    return _copies[key][1]


tensor_class: Any = None  # `jgrad.tensor` registers itself here

_sizes: dict[
    int, tuple[weakref.ref, int]
] = {}  # of storages that `resize_` made smaller than their memory, by the ids of the owners


def size_of(root: Any) -> int:
    """How many bytes a storage has."""
    found = _sizes.get(id(root))
    return root.nbytes if found is None or found[0]() is not root else found[1]


def _set_size(root: Any, nbytes: int) -> None:
    key = id(root)
    _sizes.pop(key, None)
    if nbytes != root.nbytes:
        _sizes[key] = weakref.ref(root, lambda _: _sizes.pop(key, None) and None), nbytes


def resize(root: Any, nbytes: int) -> Any:
    """Give a storage another size; returns the array that owns its memory from now on.

    A smaller storage keeps its memory, so that tensors over it stay what they are. A larger one is new memory, with the old elements. All tensors
    over the old one move there. They are looked for among all objects of the program, since nobody keeps a list of them: this takes a
    hundredth of a second, and seldom happens. An array that `numpy()` has lent stays where it was.
    """
    kernels = libraries.of(root).kernels
    if nbytes <= root.nbytes:
        _set_size(root, nbytes)
        return root
    if not (root.flags.owndata and kernels.writeable(root)):
        raise RuntimeError("Trying to resize storage that is not resizable")
    grown = libraries.of(root).np.empty(nbytes // root.itemsize + (nbytes % root.itemsize > 0), root.dtype)
    _set_size(grown, nbytes)
    byte = np.dtype(np.uint8)
    kernels.over(grown, (root.nbytes,), byte)[...] = kernels.over(
        kernels.in_row_major(root), (root.nbytes,), byte
    )
    for thing in gc.get_objects():
        if not issubclass(
            type(thing), tensor_class
        ):  # (isinstance would ask the object, and objects may warn)
            continue
        array = None if thing._waits else getattr(thing, "_a", None)
        if isinstance(array, type(root)) and owner(array) is root:
            offset = offset_of(array) * array.itemsize if array.size else 0
            moved = kernels.over(grown, array.shape, array.dtype, offset, array.strides)
            thing._a = lazy.alike(moved, array)
    handle = UntypedStorage._handles.pop(id(root), None)
    if handle is not None:
        handle._owner = grown
        UntypedStorage._handles[id(grown)] = handle
    return grown


class UntypedStorage:
    """One flat buffer; `torch.UntypedStorage`. `UntypedStorage(8)` is a new one of 8 bytes, `UntypedStorage([1, 2])` one with these."""

    __slots__ = ("_owner", "__weakref__")
    _handles: ClassVar[weakref.WeakValueDictionary[int, UntypedStorage]] = weakref.WeakValueDictionary()

    def __init__(self, content: Any = 0, device: Any = None) -> None:
        if isinstance(content, int):
            content = libraries.full(0, (content,), np.dtype(np.uint8), resolve(device))
        elif isinstance(content, (list, tuple)):
            content = libraries.moved(np.array(content, np.int64).astype(np.uint8), resolve(device))
        self._owner = content

    @classmethod
    def of(cls, array: Any) -> UntypedStorage:
        """The storage of a raw array."""
        root = owner(array)
        # A handle keeps its owner alive, so as long as the entry is there the id cannot have been reused.
        handle = cls._handles.get(id(root))
        if handle is None:
            handle = cls._handles[id(root)] = cls(root)
        return handle

    def nbytes(self) -> int:
        """Size in bytes."""
        return size_of(self._owner)

    size = __len__ = nbytes

    def element_size(self) -> int:
        """Bytes per element: 1."""
        return 1

    def data_ptr(self) -> int:
        """Address of the first byte, 0 if there is none."""
        return address(self._owner) if self.nbytes() and self.device.type != "meta" else 0

    @property
    def _cdata(self) -> int:
        """A number of this storage's own."""
        return id(self._owner)

    def bytes(self) -> Any:
        """The bytes, as a flat array on the same memory."""
        root = self._owner
        if not libraries.is_array(root):
            return np.frombuffer(root, np.uint8)
        bound = libraries.of(root).kernels
        return bound.over(bound.in_row_major(root), (self.nbytes(),), np.dtype(np.uint8))

    def _place(self, index: Any) -> int:
        size = self.nbytes()
        if not -size <= index < size:
            raise IndexError(f"index {index} out of range for storage of size {size}")
        return index % size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise RuntimeError(
                    f"Trying to slice with a step of {index.step}, but only a step of 1 is supported"
                )
            return UntypedStorage(self.bytes()[index])
        return self.bytes()[self._place(index)].item()

    def __setitem__(self, index: Any, value: int) -> None:
        expose(self._owner)
        self.bytes()[index if isinstance(index, slice) else self._place(index)] = value

    def tolist(self) -> list[int]:
        """The bytes as Python numbers."""
        return self.bytes().tolist()

    def clone(self) -> UntypedStorage:
        """A copy of this storage."""
        with libraries.on_device_of((self._owner,)):
            return UntypedStorage(self.bytes().copy())

    __copy__ = clone

    def __deepcopy__(self, memo: dict) -> UntypedStorage:
        copied = memo.get(id(self._owner))  # as `Tensor.__deepcopy__` keeps it
        if copied is None:
            with libraries.on_device_of((self._owner,)):
                copied = memo[id(self._owner)] = self._owner.copy()
            memo.setdefault("_jgrad_alive", []).append(self._owner)
        return UntypedStorage.of(copied)

    def copy_(self, src: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Write the bytes of another storage of the same size into this one."""
        if src.nbytes() != self.nbytes():
            raise RuntimeError(
                f"size does not match, self was {self.nbytes()} bytes but src was {src.nbytes()} bytes"
            )
        expose(self._owner)
        self.bytes()[...] = libraries.moved(src.bytes(), self.device)
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Write one number into every byte."""
        expose(self._owner)
        self.bytes()[...] = value
        return self

    def resize_(self, nbytes: int) -> UntypedStorage:
        """Another size in bytes, for all tensors over this storage; bytes that were not there before hold anything."""
        self._owner = resize(self._owner, nbytes)
        return self

    def resizable(self) -> bool:
        """Whether `resize_` can give it more bytes: not if another library owns the memory."""
        return bool(self._owner.flags.owndata)

    def is_shared(self) -> bool:
        """Whether other processes share it: never."""
        return False

    def is_pinned(self, device: Any = None) -> bool:
        """Whether it is in memory of the host that does not move."""
        return libraries.is_pinned(self._owner)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The name of its class."""
        return "torch.storage.UntypedStorage"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

    filename = None
    is_sparse = is_sparse_csr = False

    @property
    def device(self) -> device:
        return device_of(self._owner)

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    def get_device(self) -> int:
        """The number of the GPU, -1 for the CPU."""
        return self.device.index if self.device.index is not None else -1

    def to(self, *, device: Any, non_blocking: bool = False) -> UntypedStorage:
        """These bytes on a device: the storage itself if they are there."""
        target = resolve(device)
        return (
            self
            if target == self.device
            else UntypedStorage.of(libraries.moved(self.bytes(), target, non_blocking))
        )

    def cpu(self) -> UntypedStorage:
        """These bytes on the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None, non_blocking: bool = False) -> UntypedStorage:
        """These bytes on a GPU, the current one if none is named."""
        return self.to(device="cuda" if device is None else device, non_blocking=non_blocking)

    def __repr__(self) -> str:
        lines = "...\n" if self.device.type == "meta" else "".join(f" {byte}\n" for byte in self.tolist())
        return f"{lines}[jgrad.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"


Storage = UntypedStorage


class TypedStorage:
    """A storage as a flat sequence of elements of one dtype; `torch.TypedStorage`, what `tensor.storage()` gives."""

    def __init__(
        self, content: Any = 0, dtype: Any = None, *, wrap_storage: Any = None, device: Any = None
    ) -> None:
        content = content if wrap_storage is None else wrap_storage
        if not isinstance(content, UntypedStorage):
            many = content if isinstance(content, int) else len(content)
            elements = libraries.full(0, (many,), dtype.numpy, resolve(device))
            if not isinstance(content, int):
                elements[...] = np.array(content)
            content = UntypedStorage.of(elements)
        self._untyped, self.dtype = content, dtype

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

    def untyped(self) -> UntypedStorage:
        """The same storage as bytes."""
        return self._untyped

    def is_shared(self) -> bool:
        """Whether other processes share it: never."""
        return False

    def is_pinned(self, device: Any = None) -> bool:
        """Whether it is in memory of the host that does not move."""
        return self._untyped.is_pinned()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} out of range for storage of size {len(self)}")
        return self._elements()[index].tolist()

    def __setitem__(self, index: Any, value: Any) -> None:
        expose(self._untyped._owner)
        self._elements()[index] = value

    def clone(self) -> TypedStorage:
        """A copy of this storage."""
        return TypedStorage(self._untyped.clone(), self.dtype)

    def copy_(self, source: Any, non_blocking: bool = False) -> TypedStorage:
        """Write the elements of another storage of the same dtype and size into this one."""
        self._untyped.copy_(source.untyped() if isinstance(source, TypedStorage) else source)
        return self

    def fill_(self, value: Any) -> TypedStorage:
        """Write one number into every element."""
        self[0 : len(self)] = value
        return self

    def resize_(self, size: int) -> None:
        """Another number of elements, for all tensors over this storage."""
        self._untyped.resize_(size * self.dtype.itemsize)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The older name of the class: `torch.FloatStorage`."""
        return f"torch.{self.dtype.type_name}Storage"

    def pickle_storage_type(self) -> str:
        """The same without its module, as it is in files."""
        return f"{self.dtype.type_name}Storage"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

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
