"""A file that is replaced only when the new one is complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO


@contextmanager
def replaced(path: str) -> Iterator[IO[bytes]]:
    """A block that writes a file. What was at `path` before stays there unless the block and the disk succeed.

    The new content is written to a temporary file of the same folder, which needs room for both. Where that is not possible (`path` is a
    device or a pipe, or new files are not allowed in the folder), the file itself is written.
    """
    target = os.path.realpath(path)  # a symbolic link stays a link
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {os.path.dirname(path)} does not exist.")
    temporary = None
    if not os.path.exists(target) or os.path.isfile(target):
        temporary = os.path.join(folder, f".{secrets.token_hex(8)}.tmp")
    try:
        try:
            file = open(temporary or target, "xb" if temporary else "wb")  # noqa: SIM115
        except PermissionError:
            if not os.path.exists(target):
                raise
            temporary, file = None, open(target, "wb")  # noqa: SIM115
        with file:
            yield file
            file.flush()
            if temporary:
                os.fsync(file.fileno())
        if temporary:
            if os.path.exists(target):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            os.replace(temporary, target)
            temporary = None
    except OSError as error:
        if error.filename in (None, temporary):
            error.filename = path
        raise
    finally:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
