"""The zip archives that `torch.save` writes: records of bytes, each of which begins at a multiple of 64 bytes.

`Writer` writes what PyTorch's writer does, to the byte. `Reader` trusts nothing in the file: it checks every number against the size of the
file before it reads or allocates. Records are never unpacked to the disk, so their names are names only.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from jgrad.serialization.errors import LoadError, bad_archive

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LOCAL = struct.Struct("<4s5H3L2H")  # before each record
DESCRIPTOR, DESCRIPTOR64 = struct.Struct("<4sLLL"), struct.Struct("<4sLQQ")  # after each record
CENTRAL = struct.Struct("<4s6H3L5H2L")  # an entry of the central directory
END64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")
END = struct.Struct("<4s4H2LH")
LIMIT = 0xFFFFFFFF  # what is larger stands in 64 bits elsewhere
STREAMED, UTF8 = 8, 0x800  # flags
STORED, DEFLATED = 0, 8
NEWEST_VERSION = 10  # of the format of the archive
LARGEST_RATIO = 100  # of what the records unpack to, to the size of the file
CHUNK = 1 << 24


class Entry(NamedTuple):
    """An entry of the central directory."""

    name: str
    method: int
    crc: int
    packed: int  # bytes in the archive
    size: int  # bytes of the record
    header: int  # where its local header begins


class Writer:
    """Writes records one after the other. The target needs `write` only."""

    def __init__(
        self, write: Callable[[ReadableBuffer], int | None], name: str, alignment: int, with_crc: bool
    ) -> None:
        self._write, self.name, self.alignment, self.with_crc = write, name, alignment, with_crc
        self.position = 0
        self.entries: list[Entry] = []

    def record(self, name: str, data: ReadableBuffer) -> None:
        """Add a record of bytes."""
        content = memoryview(data).cast("B")
        name, size, start = f"{self.name}/{name}", content.nbytes, self.position
        encoded = name.encode()
        large = _large_fields([size, size] if size >= LIMIT else [], start)
        fixed = LOCAL.size + len(encoded) + len(large) + 4
        padding = -(start + fixed) % self.alignment
        flags = UTF8 | STREAMED if size else UTF8
        header = LOCAL.pack(b"PK\3\4", 0, flags, 0, 0, 0, 0, 0, 0, len(encoded), len(large) + 4 + padding)
        self._put(header + encoded + large + b"FB" + struct.pack("<H", padding) + b"Z" * padding)
        self._put(content)
        crc = zlib.crc32(content) if self.with_crc else 0
        if size:
            long = size >= LIMIT or start >= LIMIT
            self._put((DESCRIPTOR64 if long else DESCRIPTOR).pack(b"PK\7\x08", crc, size, size))
        self.entries.append(Entry(name, STORED, crc, size, size, start))

    def finish(self) -> None:
        """Add the version, an identity of the content, and the directory."""
        self.record("version", b"3\n")
        names = "".join(sorted(entry.name for entry in self.entries)).encode()
        sums = struct.pack(f"<{len(self.entries)}L", *[entry.crc for entry in self.entries])
        digests = [hashlib.blake2b(part, digest_size=8).digest() for part in (names, sums)]
        self.record(".data/serialization_id", "".join(f"{int.from_bytes(d):020}" for d in digests).encode())
        start = self.position
        for entry in self.entries:
            self._put(_central(entry))
        size, count = self.position - start, len(self.entries)
        end64 = END64.pack(b"PK\6\6", END64.size - 12, 0x31E, 45, 0, 0, count, count, size, start)
        locator = LOCATOR.pack(b"PK\6\7", 0, self.position, 1)
        short = min(count, 0xFFFF)
        end = END.pack(b"PK\5\6", 0, 0, short, short, min(size, LIMIT), min(start, LIMIT), 0)
        self._put(end64 + locator + end)

    def _put(self, data: ReadableBuffer) -> None:
        view = memoryview(data)
        self.position += view.nbytes
        while view.nbytes:
            written = self._write(view)
            if not isinstance(written, int) or written >= view.nbytes:
                break
            view = view[written:]


def _large_fields(sizes: list[int], header: int) -> bytes:
    """The extra field for numbers of more than 32 bits; empty if there are none."""
    fields = sizes + ([header] if header >= LIMIT else [])
    return struct.pack(f"<2H{len(fields)}Q", 1, 8 * len(fields), *fields) if fields else b""


def _central(entry: Entry) -> bytes:
    name, size = entry.name.encode(), entry.size
    extra = _large_fields([size, size] if size >= LIMIT else [], entry.header)
    flags = UTF8 | STREAMED if size else UTF8
    short, at = min(size, LIMIT), min(entry.header, LIMIT)
    fixed = CENTRAL.pack(
        b"PK\1\2", 0, 0, flags, 0, 0, 0, entry.crc, short, short, len(name), len(extra), 0, 0, 0, 0, at
    )
    return fixed + name + extra


class Reader:
    """Reads records of an archive that begins at the position of `file`."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.start = file, file.tell()
        self.size = file.seek(0, os.SEEK_END) - self.start
        self.entries: dict[str, Entry] = {}
        for entry in self._directory():
            if entry.name in self.entries:
                raise bad_archive("reading zip archive", f"two records are named {entry.name}")
            self.entries[entry.name] = entry
        first = next(iter(self.entries), "")
        self.name, slash, _ = first.partition("/")
        if not slash:
            raise LoadError(f"file in archive is not in a subdirectory: {first}")
        packed, unpacked = (
            sum(sizes) for sizes in zip(*((e.packed, e.size) for e in self.entries.values()), strict=True)
        )
        if packed > self.size or unpacked > LARGEST_RATIO * self.size:
            raise bad_archive("reading zip archive", "the records are larger than the archive")
        self._check_version()

    def _check_version(self) -> None:
        if "version" not in self:
            raise LoadError(
                'Expected hasRecord("version") to be true, but got false.  (Could this error message be improved?  If so, please report '
                "an enhancement request to PyTorch.)"
            )
        text = self.read("version").decode("latin1")
        if not re.match(r"\s*[0-9]{1,18}", text):
            raise LoadError(f"Couldn't parse the version {text[:50]} as Long Long.")
        version = int(text.split()[0]) if text.split()[0].isdigit() else 0
        if version > NEWEST_VERSION:
            raise LoadError(
                f"Attempted to read a PyTorch file with version {version}, but the maximum supported version for reading is "
                f"{NEWEST_VERSION}. The version of your PyTorch installation may be too old, please upgrade PyTorch to latest version to "
                "mitigate this issue."
            )

    def __contains__(self, name: str) -> bool:
        return f"{self.name}/{name}" in self.entries

    def read(self, name: str) -> bytes:
        """The bytes of a record."""
        entry, position = self._found(name)
        packed = self._at(position, entry.packed)
        content = packed if entry.method == STORED else _inflated(packed, entry.size, name)
        _check_crc(entry, content, name)
        return content

    def read_array(self, name: str, size: int) -> np.ndarray:
        """The bytes of a record as an array of its own memory. Raises `LoadError` if there are not exactly `size` of them."""
        entry, position = self._found(name)
        check_size(entry.size, size)
        if entry.method != STORED:
            return np.frombuffer(bytearray(self.read(name)), np.uint8)
        self._seek(position, size)
        array = np.empty(size, np.uint8)
        read_into(self.file, array.data)
        _check_crc(entry, array.data, name)
        return array

    def place(self, name: str, size: int) -> int:
        """Where a record begins in the file, for files that are mapped into memory."""
        entry, position = self._found(name)
        check_size(entry.size, size)
        if entry.method != STORED:
            raise bad_archive(f"mapping file {name}", "the record is compressed")
        return self.start + position

    def _found(self, name: str) -> tuple[Entry, int]:
        """The entry of a record, and the position of its bytes."""
        entry = self.entries.get(f"{self.name}/{name}")
        if entry is None:
            raise bad_archive(f"locating file {name}", "file not found")
        if entry.method not in (STORED, DEFLATED):
            raise bad_archive(f"retrieving file meta-data for {name}", "unsupported method")
        if entry.method == STORED and entry.size != entry.packed:
            raise bad_archive(f"reading file {name}", "invalid header or archive is corrupted")
        signature, *_, name_size, extra_size = LOCAL.unpack(self._at(entry.header, LOCAL.size))
        if signature != b"PK\3\4":
            raise bad_archive(f"reading file {name}", "invalid header or archive is corrupted")
        return entry, entry.header + LOCAL.size + name_size + extra_size

    def _seek(self, position: int, size: int) -> None:
        if position < 0 or size < 0 or position + size > self.size:
            raise bad_archive("reading zip archive", "file read failed")
        self.file.seek(self.start + position)

    def _at(self, position: int, size: int) -> bytes:
        self._seek(position, size)
        return read_exactly(self.file, size)

    def _directory(self) -> Iterator[Entry]:
        position, size, count = self._where_directory_is()
        content = self._at(position, size)
        at = 0
        for _ in range(count):
            if content[at : at + 4] != b"PK\1\2" or at + CENTRAL.size > size:
                raise bad_archive("reading zip archive", "invalid header or archive is corrupted")
            fields = CENTRAL.unpack_from(content, at)
            (
                _,
                _,
                _,
                _,
                method,
                _,
                _,
                crc,
                packed,
                unpacked,
                name_size,
                extra_size,
                comment_size,
                *_,
                header,
            ) = fields
            at += CENTRAL.size
            encoded = content[at : at + name_size]
            extra = content[at + name_size : at + name_size + extra_size]
            at += name_size + extra_size + comment_size
            unpacked, packed, header = _widened([unpacked, packed, header], extra)
            yield Entry(encoded.decode("utf-8", "backslashreplace"), method, crc, packed, unpacked, header)

    def _where_directory_is(self) -> tuple[int, int, int]:
        """The position and the size of the central directory, and the number of its entries."""
        if self.size < END.size:
            raise bad_archive("reading zip archive", "not a ZIP archive")
        tail = min(self.size, END.size + 0xFFFF + LOCATOR.size)
        content = self._at(self.size - tail, tail)
        at = content.rfind(b"PK\5\6", 0, len(content) - END.size + 4)
        if at < 0:
            raise bad_archive("reading zip archive", "failed finding central directory")
        _, _, _, _, count, size, position, _ = END.unpack_from(content, at)
        if content[max(at - LOCATOR.size, 0) :].startswith(b"PK\6\7"):
            _, _, end64, _ = LOCATOR.unpack_from(content, at - LOCATOR.size)
            wide = END64.unpack(self._at(end64, END64.size))
            if wide[0] != b"PK\6\6":
                raise bad_archive("reading zip archive", "invalid header or archive is corrupted")
            count, size, position = wide[-3:]
        return position, size, count


def _widened(fields: list[int], extra: bytes) -> list[int]:
    """Numbers of an entry, with those of 64 bits from its extra field."""
    at = 0
    while LIMIT in fields and at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            wide = [int.from_bytes(extra[i : i + 8], "little") for i in range(at + 4, at + 4 + size - 7, 8)]
            fields = [wide.pop(0) if field == LIMIT and wide else field for field in fields]
            break
        at += 4 + size
    return fields


def _inflated(packed: bytes, size: int, name: str) -> bytes:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = stream.decompress(packed, size + 1)
    except zlib.error as error:
        raise bad_archive(f"reading file {name}", str(error)) from None
    if len(content) != size or not stream.eof:
        raise bad_archive(f"reading file {name}", "decompression failed or archive is corrupted")
    return content


def _check_crc(entry: Entry, content: ReadableBuffer, name: str) -> None:
    """Raise an error if bytes have changed since they were written. (0 stands for no checksum: `set_crc32_options(False)`.)"""
    if entry.crc and zlib.crc32(content) != entry.crc:
        raise bad_archive(f"reading file {name}", "CRC-32 check failed")


def check_size(found: int, expected: int) -> None:
    """Raise PyTorch's error if a record has not as many bytes as its storage."""
    if found != expected:
        raise LoadError(
            f"record size ({found} bytes) does not match expected size ({expected} bytes = {expected} elements * 1 bytes/element) for dtype Byte"
        )


def read_exactly(file: IO[bytes], size: int) -> bytes:
    """The next `size` bytes of a file, which must have been checked against the size of the file."""
    if size <= CHUNK:
        content = file.read(size)
        if len(content) == size:
            return content
        file.seek(-len(content), os.SEEK_CUR)
    buffer = bytearray(size)
    read_into(file, memoryview(buffer))
    return bytes(buffer)


def read_into(file: IO[bytes], target: memoryview) -> None:
    """Fill memory with the next bytes of a file."""
    directly = getattr(file, "readinto", None)
    while target.nbytes:
        part = target[:CHUNK]
        if directly is None:
            piece = file.read(part.nbytes)
            count = len(piece)
            part[:count] = piece
        else:
            count = directly(part)
        if not count:
            raise LoadError(
                f"unexpected EOF, expected {target.nbytes} more bytes. The file might be corrupted."
            )
        target = target[count:]
