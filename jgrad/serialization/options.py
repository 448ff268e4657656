"""How files are saved and loaded where the calls do not state it."""

from __future__ import annotations

import mmap
import os
from enum import Enum


class LoadEndianness(Enum):
    """The order of bytes that is assumed for files that do not state it."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class Options:
    def __init__(self) -> None:
        self.endianness: LoadEndianness | None = None
        self.crc32 = True
        self.mmap_flags: int | None = None if os.name == "nt" else mmap.MAP_PRIVATE


options = Options()


def get_default_load_endianness() -> LoadEndianness | None:
    """The order of bytes for files that do not state it; None is little-endian."""
    return options.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Set the order of bytes for files that do not state it."""
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    options.endianness = endianness


def get_crc32_options() -> bool:
    """Whether `save` writes checksums. `load` then notices changed bytes."""
    return options.crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Set whether `save` writes checksums."""
    options.crc32 = compute_crc32


def get_default_mmap_options() -> int | None:
    """How `load(..., mmap=True)` maps a file: `mmap.MAP_PRIVATE` unless set otherwise."""
    return options.mmap_flags


class set_default_mmap_options:
    """Set how `load(..., mmap=True)` maps a file, for a block or for good. With `mmap.MAP_SHARED` writes reach the file."""

    def __init__(self, flags: int) -> None:
        if os.name == "nt":
            raise RuntimeError("Changing the default mmap options is currently not supported for Windows")
        if flags not in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE or mmap.MAP_SHARED, but got "
                f"{flags}"
            )
        self.prev = options.mmap_flags
        options.mmap_flags = flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        options.mmap_flags = self.prev
