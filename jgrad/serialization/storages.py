"""The storages that a pickle names, read from the records of an archive."""

from __future__ import annotations

import mmap
import sys

import numpy as np

from jgrad import dtypes
from jgrad.serialization.archive import Reader
from jgrad.serialization.errors import LoadError, damaged
from jgrad.serialization.locating import Restore
from jgrad.serialization.options import LoadEndianness, options
from jgrad.serialization.rebuilding import StorageType
from jgrad.storage import Storage, address
from jgrad.typed_storage import TypedStorage


def mapped_file(path: str) -> mmap.mmap:
    """A file as memory."""
    if options.mmap_flags is None:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    shared = options.mmap_flags == mmap.MAP_SHARED
    with open(path, "r+b" if shared else "rb") as file:
        return mmap.mmap(file.fileno(), 0, flags=options.mmap_flags)


class ArchivedStorages:
    """The storages of an archive. Each is read when the pickle first names it."""

    def __init__(self, reader: Reader, restore: Restore, mapped: mmap.mmap | None) -> None:
        self.reader, self.restore, self.mapped = reader, restore, mapped
        self.loaded: dict[str, TypedStorage] = {}
        order = options.endianness or LoadEndianness.LITTLE
        self.byteorder = sys.byteorder if order is LoadEndianness.NATIVE else order.name.lower()
        if "byteorder" in reader:
            self.byteorder = reader.read("byteorder").decode("latin1")
            if self.byteorder not in ("little", "big"):
                raise LoadError(f"Unknown endianness type: {self.byteorder}")

    def load(self, saved: tuple) -> TypedStorage:
        """The storage for (type, key, location, number of elements)."""
        dtype, key, location, count = checked_storage(saved)
        if key not in self.loaded:
            name, size = f"data/{key}", count * dtype.itemsize
            content = self._mapped(name, size) if self.mapped and size else self.reader.read_array(name, size)
            if self.byteorder != sys.byteorder and dtype.itemsize > 1:
                part = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
                content = content.view(f"u{part}").byteswap().view(np.uint8)
            self.loaded[key] = TypedStorage.over(self.restore(Storage.of(content), location), dtype)
        return TypedStorage.over(self.loaded[key].untyped(), dtype)

    def _mapped(self, name: str, size: int) -> np.ndarray:
        content = np.frombuffer(
            self.mapped,  # type: ignore[arg-type]
            np.uint8,
            size,
            self.reader.place(name, size),
        )
        # Files of other programs may begin a storage anywhere. NumPy is slow then.
        return content if address(content) % 16 == 0 else content.copy()


def checked_storage(saved: tuple) -> tuple[dtypes.dtype, str, str, int]:
    """What a pickle holds of a storage: the dtype, key, location and number of elements. Raises `LoadError` for anything else."""
    if len(saved) != 4:
        raise damaged("a storage is not described by four values")
    kind, key, location, count = saved
    dtype = dtypes.uint8 if kind is Storage else getattr(kind, "dtype", None)
    if not isinstance(kind, StorageType) and kind is not Storage:
        raise damaged("a storage has no type")
    if type(key) not in (str, bytes) or type(count) is not int or count < 0:
        raise damaged("a storage has no key or no size")
    key, location = (part.decode("latin1") if isinstance(part, bytes) else part for part in (key, location))
    return dtype, key, location, count  # type: ignore[return-value]
