"""Python's search for cyclic garbage, less often while many objects are made that all stay: by a recording, and when modules are loaded. At the usual
threshold the search would take more time than the recording, and a third of the time of loading."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

_lock = RLock()
_wishes: dict[object, int] = {}  # block that runs -> its threshold; blocks may end in any order
_usual = gc.get_threshold()  # the threshold without these blocks
_ours = {_usual}  # the thresholds that were set here since


@contextmanager
def few_collections(least: int = 50_000) -> Iterator[None]:
    """Have Python look for cyclic garbage less often, after `least` new objects; 0: never."""
    global _usual
    block = object()
    try:
        with _lock:
            if not _wishes or gc.get_threshold() not in _ours:
                _usual = gc.get_threshold()
                _ours.clear()
            _wishes[block] = least
            _settle()
        yield
    finally:
        try:
            _withdraw(block)
        finally:  # once more, since an interrupt may have come in the middle
            _withdraw(block)


def _withdraw(block: object) -> None:
    with _lock:
        _wishes.pop(block, None)
        if gc.get_threshold() in _ours:  # what was set in the block stays
            if _usual[0] and not gc.get_freeze_count():
                try:
                    gc.freeze()  # all new objects count as old now: they are alive, and a search through them would find nothing
                finally:
                    gc.unfreeze()
            _settle()


def _settle() -> None:
    least = _wishes.values()
    number = _usual[0] and (0 if 0 in least else max(_usual[0], *least, 0))
    _ours.add((number, *_usual[1:]))
    gc.set_threshold(number, *_usual[1:])
