"""Memory that several processes have: where `share_memory_` moves a storage.

It is an unnamed file that each process maps, so it is freed when no process has it any more. Python's `multiprocessing` sends it to other
processes, and those that are forked have it anyway.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from multiprocessing.heap import Arena

# What multiprocessing has of the memory, by the ids of the arrays that own it.
_arenas: dict[int, tuple[weakref.ref, Arena]] = {}
# By what all processes call the memory.
_owners: weakref.WeakValueDictionary[Any, np.ndarray] = weakref.WeakValueDictionary()


def allocate(nbytes: int) -> np.ndarray:
    """New memory as an array of bytes."""
    from multiprocessing.heap import Arena

    return _owning(Arena(max(nbytes, 1)), nbytes)


def is_shared(root: Any) -> bool:
    """Whether an array owns memory that several processes can have."""
    found = _arenas.get(id(root))
    return found is not None and found[0]() is root


def reduced(root: np.ndarray) -> tuple[Callable[..., np.ndarray], tuple]:
    """How `multiprocessing` sends the array that owns such memory."""
    from multiprocessing import reduction

    arena: Any = _arenas[id(root)][1]
    sent = reduction.DupFd(arena.fd) if hasattr(arena, "fd") else arena  # (on Windows it is sent by its name)
    return _received, (sent, root.nbytes)


def _received(sent: Any, nbytes: int) -> np.ndarray:
    """The array that owns memory of another process. It is the one that this process has, if it has one."""
    from multiprocessing.heap import Arena

    arena = sent
    if not isinstance(sent, Arena):
        arena = Arena(max(nbytes, 1), sent.detach())
        weakref.finalize(arena, os.close, arena.fd)
    known = _owners.get(_name(arena))
    return _owning(arena, nbytes) if known is None else known


def _owning(arena: Arena, nbytes: int) -> np.ndarray:
    root = np.ndarray((nbytes,), np.uint8, arena.buffer)
    key = id(root)
    _arenas[key] = weakref.ref(root, lambda _: _arenas.pop(key, None) and None), arena
    _owners[_name(arena)] = root
    return root


def _name(arena: Any) -> Any:
    """What all processes call the memory."""
    if hasattr(arena, "fd"):
        file = os.fstat(arena.fd)
        return file.st_dev, file.st_ino
    return arena.name
