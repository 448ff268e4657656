"""The format before PyTorch 1.6: five pickles (a magic number, a version, facts about the system, the object, the keys of the storages), and
after them the storages, each as its number of elements and its bytes."""

from __future__ import annotations

import pickle
import struct
import sys
from types import ModuleType
from typing import IO, Any

import numpy as np

from jgrad.kernels import libraries
from jgrad.serialization.archive import read_exactly, read_into
from jgrad.serialization.errors import UNSAFE, LoadError, UnsupportedError, damaged
from jgrad.serialization.locating import Restore
from jgrad.serialization.pickling import Pickler
from jgrad.serialization.rebuilding import Part
from jgrad.serialization.storages import checked_storage
from jgrad.serialization.unpickling import ACTIONS, Source, Unpickler, full
from jgrad.storage import Storage
from jgrad.typed_storage import TypedStorage

MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001


class LegacyPickler(Pickler):
    """Writes what stands for a storage as this format has it: with the view that it may be, which is None."""

    def persistent_id(self, obj: Any) -> tuple | None:
        """("storage", type, key, location, number of elements, None)."""
        found = super().persistent_id(obj)
        return None if found is None else (*found, None)


def write(file: IO[bytes], obj: object, protocol: int) -> None:
    """Write a file of this format."""
    sizes = {"short": 2, "int": 4, "long": struct.calcsize("=l")}
    system = {
        "protocol_version": PROTOCOL_VERSION,
        "little_endian": sys.byteorder == "little",
        "type_sizes": sizes,
    }
    for value in (MAGIC_NUMBER, PROTOCOL_VERSION, system):
        pickle.dump(value, file, protocol)
    pickler = LegacyPickler(file, protocol)
    pickler.dump(obj)
    keys = sorted(pickler.storages)
    pickle.dump(keys, file, protocol)
    for key in keys:
        storage, itemsize = pickler.storages[key], pickler.itemsizes[key]
        content = storage.cpu().bytes()
        file.write(struct.pack("<q", len(content) // itemsize))
        file.write(memoryview(content))


def load(
    file: IO[bytes], restore: Restore, pickle_module: ModuleType | None, arguments: dict[str, Any]
) -> Any:
    """The object in a file of this format. `pickle_module` is None for `weights_only`."""
    start, header = file.tell(), file.read(262)
    file.seek(start)
    if header[257:] == b"ustar":
        if pickle_module is None:
            raise LoadError(
                f"Cannot use ``weights_only=True`` with files saved in the legacy .tar format. {UNSAFE}"
            )
        raise UnsupportedError("jgrad does not read the .tar format that PyTorch wrote before 0.1.10")
    if not header:
        raise LoadError("Ran out of input")
    if pickle_module is None and header[:1] != pickle.PROTO and header[:1] in ACTIONS:
        raise LoadError("Invalid magic number; corrupt file?")  # a text, for example
    source = Source(file)
    storages = Storages(restore, source.size)

    def read() -> Any:
        if pickle_module is None:
            return Unpickler(source, storages.load, arguments["encoding"]).load()
        return pickle_module.load(file, **arguments)

    if read() != MAGIC_NUMBER:
        raise LoadError("Invalid magic number; corrupt file?")
    version = read()
    if version != PROTOCOL_VERSION:
        raise LoadError(f"Invalid protocol version: {version}")
    read()
    if pickle_module is None:
        result = read()
    else:
        result = full(pickle_module, file, storages.load_any, arguments).load()
    storages.fill(file, read())
    return result


class Storages:
    """The storages of a file. They are allocated when the pickle first names them, and filled at the end."""

    def __init__(self, restore: Restore, size: int) -> None:
        self.restore, self.left = restore, size
        self.found: dict[str, tuple[TypedStorage, int]] = {}  # with the number of bytes in the file

    def load_any(self, saved: Any) -> Any:
        """A storage; or the class of a module, which comes with its source."""
        return saved[1] if saved[0] == "module" else self.load(saved[1:])

    def load(self, saved: tuple) -> TypedStorage | Part:
        """The storage for (type, key, location, number of elements, view)."""
        dtype, key, location, count = checked_storage(saved[:4])
        if key not in self.found:
            size = count * dtype.itemsize
            self.left -= size
            if self.left < 0:
                raise damaged("its storages are larger than the file")
            empty = Storage.of(np.empty(size, np.uint8))
            self.found[key] = TypedStorage.over(self.restore(empty, location), dtype), size
        whole = TypedStorage.over(self.found[key][0].untyped(), dtype)
        view = saved[4] if len(saved) == 5 else None
        if view is None:
            return whole
        _, offset, extent = view
        if type(offset) is not int or offset < 0 or type(extent) is not int:
            raise damaged("the view of a storage is not described by two numbers")
        return Part(whole, offset)

    def fill(self, file: IO[bytes], keys: Any) -> None:
        """Read the elements of the storages."""
        if not isinstance(keys, list) or sorted(map(str, keys)) != sorted(self.found):
            raise damaged("the list of its storages is not complete")
        for key in keys:
            typed, size = self.found[str(key)]
            (count,) = struct.unpack("<q", read_exactly(file, 8))
            if count * typed.dtype.itemsize != size or typed.nbytes() != size:
                raise damaged("a storage has not the size that was announced")
            untyped = typed.untyped()
            host = untyped.bytes() if untyped.device.type == "cpu" else np.empty(size, np.uint8)
            read_into(file, host.data)
            if untyped.device.type != "cpu":
                there = untyped.bytes()
                with libraries.device_guard((there,)):
                    there[...] = libraries.moved(host, untyped.device)
