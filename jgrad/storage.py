"""Storages: the flat buffers that tensors are geometry over.

A tensor holds a raw array; NumPy collapses chains of views, so `array.base` leads to the array (or foreign buffer) that owns the memory.
That owner *is* the storage; `Storage` is the handle that users see (`tensor.untyped_storage()`), one object per owner while it is held.
"""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from jgrad import loading, manual, observer, shared_memory
from jgrad.devices import CPU, device, resolve
from jgrad.errors import class_name, of_dimensions
from jgrad.kernels import lazy, libraries
from jgrad.switches import fill_if_deterministic


def owner(array: Any) -> Any:
    """The array that owns the memory: what two arrays share when they share storage."""
    return libraries.library_of(array).kernels.owner(array)


def address(array: Any) -> int:
    """The address of the first element, as `data_ptr()`; 0 for empty tensors."""
    return libraries.library_of(array).kernels.address(array) if array.size else 0


def offset_of(array: Any) -> int:
    """Elements between the beginning of the storage and the first element of `array`."""
    return libraries.library_of(array).kernels.offset_of(array)


def device_of(array: Any) -> device:
    """The device of an array."""
    library = libraries.library_of(array)
    return CPU if library.device == "cpu" else device(library.device, array.device.id)


exposed: dict[int, weakref.ref] = {}  # owners of memory that others than tensors may write to, by their ids


def expose(array: Any) -> None:
    """The memory of an array is handed out, as `numpy()` does: from now on it may change without a call of jgrad."""
    root = owner(array)
    key = id(root)
    if key not in exposed and isinstance(root, np.ndarray):
        exposed[key] = weakref.ref(root, lambda _: exposed.pop(key, None) and None)
        if (watch := observer.current) is not None:
            watch.exposed(root)


lent: dict[int, weakref.ref] = {}  # owners of memory that a NumPy array has too, by their ids


def lend(array: Any) -> None:
    """The memory of an array is that of a NumPy array from now on, as with `numpy()` and `from_numpy()`. So it cannot be resized."""
    root = owner(array)
    key = id(root)
    if key not in lent and isinstance(root, np.ndarray):
        lent[key] = weakref.ref(root, lambda _: lent.pop(key, None) and None)
        expose(root)


def resizable(root: Any) -> bool:
    """Whether the storage of an array that owns its memory can be resized."""
    return bool(root.flags.owndata) and id(root) not in lent


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

# Of storages that `resize_` made smaller than their memory, by the ids of the owners.
_sizes: dict[int, tuple[weakref.ref, int]] = {}


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
    hundredth of a second, and seldom happens.
    """
    if nbytes <= root.nbytes:
        _set_size(root, nbytes)
        return root
    grown = _larger(root, nbytes)
    _move(root, grown)
    return grown


def _larger(root: Any, nbytes: int) -> Any:
    """A larger storage that begins with the elements of one."""
    kernels = libraries.library_of(root).kernels
    if not (resizable(root) and kernels.writeable(root)):
        raise RuntimeError("Trying to resize storage that is not resizable")
    grown = libraries.library_of(root).np.empty(
        nbytes // root.itemsize + (nbytes % root.itemsize > 0), root.dtype
    )
    _set_size(grown, nbytes)
    byte = np.dtype(np.uint8)
    kernels.over(grown, (root.nbytes,), byte)[...] = kernels.over(
        kernels.in_row_major(root), (root.nbytes,), byte
    )
    return grown


def give_shape(tensor: Any, shape: tuple) -> None:
    """Give a tensor another shape at the same place of its storage, which is made larger if need be."""
    array = lazy.memory_of(tensor._a)
    library = libraries.library_of(array)
    if library.device == "meta":
        # There is no memory to keep.
        tensor._a = library.np.empty(shape, array.dtype)
        return
    offset, root, kernels = offset_of(array), owner(array), library.kernels
    needed, before = (offset + math.prod(shape)) * array.itemsize, size_of(root)
    if before < needed <= root.nbytes:
        _set_size(root, needed)
    common = _larger(root, needed) if needed > root.nbytes else root
    try:
        changed = kernels.over(common, shape, array.dtype, offset * array.itemsize)
    except ValueError as error:
        raise of_dimensions(error) from None
    if needed > before:
        start = -(-before // array.itemsize) * array.itemsize
        fill_if_deterministic(kernels.over(common, ((needed - start) // array.itemsize,), array.dtype, start))
    tensor._a = lazy.alike(changed, tensor._a)
    if common is not root:
        old = weakref.ref(root)
        del array, root
        _move_others(old, common)


def _move_others(old: weakref.ref, to: Any) -> None:
    """Most tensors have their memory for themselves. Others are looked for only if the old memory is still there."""
    if (root := old()) is not None:
        _move(root, to)


def share(storage: UntypedStorage, tensor: Any = None) -> None:
    """Move a storage to memory that other processes can have too. `tensor`: one that is over it."""
    root = storage._owner
    kernels, byte = libraries.library_of(root).kernels, np.dtype(np.uint8)
    common = shared_memory.allocate(root.nbytes)
    common[...] = kernels.over(kernels.in_row_major(root), (root.nbytes,), byte)
    _set_size(common, size_of(root))
    expose(common)
    if tensor is not None:
        tensor._a = _there(tensor._a, common)
    storage._owner = common
    UntypedStorage._handles.pop(id(root), None)
    UntypedStorage._handles[id(common)] = storage
    old = weakref.ref(root)
    del root
    _move_others(old, common)


def _move(root: Any, to: Any) -> None:
    """Let all tensors over the memory that an array owns be over other memory."""
    for thing in gc.get_objects():
        # (isinstance would ask the object, and objects may warn)
        if not issubclass(type(thing), tensor_class):
            continue
        array = None if thing._waits else getattr(thing, "_a", None)
        if isinstance(array, type(root)) and owner(array) is root:
            thing._a = _there(array, to)
    handle = UntypedStorage._handles.pop(id(root), None)
    if handle is not None:
        handle._owner = to
        UntypedStorage._handles[id(to)] = handle


def _there(array: Any, root: Any) -> Any:
    """An array at the same place of other memory."""
    offset = offset_of(array) * array.itemsize if array.size else 0
    moved = libraries.library_of(root).kernels.over(root, array.shape, array.dtype, offset, array.strides)
    return lazy.alike(moved, array)


def bytes_of(content: Any) -> np.ndarray:
    """A sequence of integers as bytes: of each the lowest 8 bits."""
    if not isinstance(content, Sequence | bytearray):
        raise RuntimeError(
            f"torch.UntypedStorage(): Expected a sequence type, but got {type(content).__name__}"
        )
    for item in content:
        if not isinstance(item, int):
            raise RuntimeError(
                f"torch.UntypedStorage(): tried to construct a storage from a sequence ({type(content).__name__}), but one of the items was "
                f"of type {type(item).__name__} instead of int"
            )
    return np.array([item & 255 for item in content], np.uint8)


class UntypedStorage:
    """A storage: one block of memory, as a sequence of bytes. Tensors that are views of each other share one storage."""

    __slots__ = ("_owner", "__weakref__")
    _handles: ClassVar[weakref.WeakValueDictionary[int, UntypedStorage]] = weakref.WeakValueDictionary()

    def __init__(self, content: Any = 0, device: Any = None) -> None:
        if content.__class__ is int:
            self._owner = libraries.full(0, (content,), np.dtype(np.uint8), resolve(device))
        else:
            self._owner = libraries.moved(bytes_of(content), resolve(device))

    @classmethod
    def over(cls, root: Any) -> UntypedStorage:
        """A new handle of the memory that an array owns."""
        handle = cls.__new__(cls)
        handle._owner = root
        return handle

    @classmethod
    def of(cls, array: Any) -> UntypedStorage:
        """The storage of a raw array."""
        root = owner(array)
        # A handle keeps its owner alive, so as long as the entry is there the id cannot have been reused.
        handle = cls._handles.get(id(root))
        if handle is None:
            handle = cls._handles[id(root)] = cls.over(root)
        return handle

    def nbytes(self) -> int:
        """The size of the storage in bytes."""
        return size_of(self._owner)

    size = __len__ = nbytes

    def element_size(self) -> int:
        """The size of an element in bytes, which is 1."""
        return 1

    def data_ptr(self) -> int:
        """The address of the first byte; 0 if the storage is empty or on the device "meta"."""
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
        bound = libraries.library_of(root).kernels
        return bound.over(bound.in_row_major(root), (self.nbytes(),), np.dtype(np.uint8))

    def _place(self, index: Any) -> int:
        size = self.nbytes()
        if not -size <= index < size:
            raise IndexError(f"index {index} out of range for storage of size {size}")
        return index % size

    def check_readable(self) -> None:
        """There is nothing to read on the device "meta"."""
        if self.device.type == "meta":
            raise NotImplementedError("Not available for 'meta' device type")

    def __getitem__(self, index: Any) -> Any:
        self.check_readable()
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise RuntimeError(
                    f"Trying to slice with a step of {index.step}, but only a step of 1 is supported"
                )
            return UntypedStorage.over(self.bytes()[index])
        return self.bytes()[self._place(index)].item()

    def __setitem__(self, index: Any, value: int) -> None:
        expose(self._owner)
        self.bytes()[index if isinstance(index, slice) else self._place(index)] = value

    def tolist(self) -> list[int]:
        """The bytes as a list of Python integers."""
        return list(self)

    def __iter__(self) -> Iterator[int]:
        if not self.nbytes():
            return iter(())
        self.check_readable()
        return iter(self.bytes().tolist())

    def clone(self) -> UntypedStorage:
        """A new storage with the same bytes."""
        with libraries.device_guard((self._owner,)):
            return UntypedStorage.over(self.bytes().copy())

    __copy__ = clone

    def __deepcopy__(self, memo: dict) -> UntypedStorage:
        copied = memo.get(id(self._owner))  # as `Tensor.__deepcopy__` keeps it
        if copied is None:
            with libraries.device_guard((self._owner,)):
                copied = memo[id(self._owner)] = self._as_it_lies().copy()
            memo.setdefault("_jgrad_alive", []).append(self._owner)
        return UntypedStorage.of(copied)

    def __reduce__(self) -> tuple:
        return _rebuild, (libraries.moved(self._as_it_lies(), CPU), str(self.device))

    def _as_it_lies(self) -> Any:
        """The memory as a row-major array. Copies of arrays of other orders, and pickles of them, have the elements in another place."""
        return libraries.library_of(self._owner).kernels.in_row_major(self._owner)

    def copy_(self, src: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Write the bytes of another storage into this one. All tensors over this storage change."""
        if src.nbytes() != self.nbytes():
            raise RuntimeError(
                f"size does not match, self was {self.nbytes()} bytes but src was {src.nbytes()} bytes"
            )
        expose(self._owner)
        self.bytes()[...] = libraries.moved(src.bytes(), self.device)
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Write one number into every byte. All tensors over this storage change."""
        if not isinstance(value, int):
            raise RuntimeError(f"fill_ expects int, but got {class_name(value)}")
        expose(self._owner)
        self.bytes()[...] = value & 255
        return self

    def resize_(self, nbytes: int) -> UntypedStorage:
        """Give the storage another size. All tensors over it stay over it. New bytes can have any value."""
        if not resizable(self._owner):
            raise RuntimeError("Trying to resize storage that is not resizable")
        self._owner = resize(self._owner, nbytes)
        return self

    def resizable(self) -> bool:
        """Whether `resize_` can give the storage more bytes. It cannot if the memory belongs to another object, such as the bytes in `frombuffer`,
        or if a NumPy array has it too."""
        return resizable(self._owner)

    def is_shared(self) -> bool:
        """Whether other processes can have the same memory: after `share_memory_`, and always on a GPU."""
        return self.is_cuda or shared_memory.is_shared(self._owner)

    def share_memory_(self) -> UntypedStorage:
        """Move the storage to memory that other processes can have too. Tensors over it stay over it. It cannot be resized afterwards."""
        if self.device.type == "meta":
            raise RuntimeError("_share_fd_: only available on CPU")
        if not self.is_shared():
            share(self)
        return self

    @classmethod
    def _new_shared(cls, size: int) -> UntypedStorage:
        return cls(size).share_memory_()

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the storage is pinned: it is in memory of the host that does not move, so that a GPU can copy it while the program continues."""
        return libraries.is_pinned(self._owner)

    def type(self, dtype: Any = None, non_blocking: bool = False) -> str:
        """The name of the class in PyTorch."""
        return "torch.storage.UntypedStorage"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

    filename = None
    is_sparse = is_sparse_csr = False

    @property
    def device(self) -> device:
        """The device on which the memory is."""
        return device_of(self._owner)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self.device.type == "cuda"

    def get_device(self) -> int | None:
        """The number of the GPU on which the memory is."""
        return self.device.index

    def to(self, *, device: Any, non_blocking: bool = False) -> UntypedStorage:
        """The bytes of this storage on a device."""
        target = resolve(device)
        return (
            self
            if target == self.device
            else UntypedStorage.of(libraries.moved(self.bytes(), target, non_blocking))
        )

    def cpu(self) -> UntypedStorage:
        """The bytes of this storage on the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None, non_blocking: bool = False) -> UntypedStorage:
        """The bytes of this storage on a GPU."""
        return self.to(device="cuda" if device is None else device, non_blocking=non_blocking)

    def __repr__(self) -> str:
        lines = "..." if self.device.type == "meta" else " " + "\n ".join(map(str, self.tolist()))
        return f"{lines}\n[jgrad.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"


def _rebuild(root: np.ndarray, place: str) -> UntypedStorage:
    """A storage that was pickled."""
    root = writable(root)
    return UntypedStorage.of(root if place == "cpu" else libraries.moved(root, resolve(place)))


Storage = UntypedStorage


def __getattr__(name: str) -> Any:
    return loading.offered(__name__, name)


manual.attach(__name__)
