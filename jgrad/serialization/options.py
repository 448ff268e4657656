"""How files are saved and loaded where the calls do not state it."""

from __future__ import annotations

import mmap
import os
from enum import Enum

from jgrad import manual


class LoadEndianness(Enum):
    """The order of bytes in a file that does not state it: `NATIVE` (that of this processor), `LITTLE` or `BIG`. Files since PyTorch 2.1 state it."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


class Options:
    def __init__(self) -> None:
        self.endianness: LoadEndianness | None = None
        self.crc32 = True
        self.mmap_flags: int | None = getattr(mmap, "MAP_PRIVATE", None)  # None on Windows


options = Options()


def get_default_load_endianness() -> LoadEndianness | None:
    """The order of bytes that `jgrad.load` assumes for files that do not state it."""
    return options.endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Set the order of bytes that `jgrad.load` assumes for files that do not state it."""
    if not isinstance(endianness, LoadEndianness) and endianness is not None:
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    options.endianness = endianness


def get_crc32_options() -> bool:
    """Whether `jgrad.save` writes checksums. With them, `jgrad.load` notices bytes of the file that have changed."""
    return options.crc32


def set_crc32_options(compute_crc32: bool) -> None:
    """Set whether `jgrad.save` writes checksums. Without them, `jgrad.load` cannot notice bytes of the file that have changed."""
    options.crc32 = compute_crc32


def get_default_mmap_options() -> int | None:
    """How `jgrad.load(..., mmap=True)` maps a file into memory."""
    return options.mmap_flags


class set_default_mmap_options:
    """Set how `jgrad.load(..., mmap=True)` maps a file into memory. A call sets it for good. In a `with` statement it holds for the block only."""

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


manual.attach(__name__)
