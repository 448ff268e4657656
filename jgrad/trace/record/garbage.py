"""Python's search for cyclic garbage, which is put off where many small objects are made that all stay: at the usual threshold, looking
through them over and over would take more time than recording."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

_lock = RLock()
_wishes: dict[object, int] = {}  # of the blocks that run, which need not end in the order in which they began
_usual = gc.get_threshold()  # as it is without us
_ours = {_usual}  # what was made of it since


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
                    gc.freeze()  # all that is new counts as old now: it is alive, and to look through it at once is in vain
                finally:
                    gc.unfreeze()
            _settle()


def _settle() -> None:
    least = _wishes.values()
    number = _usual[0] and (0 if 0 in least else max(_usual[0], *least, 0))
    _ours.add((number, *_usual[1:]))
    gc.set_threshold(number, *_usual[1:])
