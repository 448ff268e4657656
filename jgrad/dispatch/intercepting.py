"""A slot for a function that runs around operators: a selective checkpoint keeps some results, and gives them in place of a second computation.

It is called with `(overload, in_place, values, run)`, and returns the result of the operator: `run()`, which computes it as usual, or `run` after a
call of `give`. While a slot is filled, operators take the general path.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from jgrad.graph import general_path

Around = Callable[[Any, bool, list[Any], Callable[[], Any]], Any]


class _Slots(threading.local):
    def __init__(self) -> None:
        self.around: Around | None = None
        self.given: Callable[[Callable[[], Any], list[Any]], Any] | None = None


slots = _Slots()
_lock = threading.Lock()
in_use = 0  # how many slots are filled, in all threads: while there are none, operators need not ask


@contextlib.contextmanager
def intercepting(around: Around) -> Iterator[None]:
    """A block in which the operators of this thread run by way of a function."""
    global in_use
    before = slots.around
    with _lock:
        in_use += 1
    general_path.request()
    slots.around = around
    try:
        yield
    finally:
        slots.around = before
        general_path.withdraw()
        with _lock:
            in_use -= 1


@contextlib.contextmanager
def not_intercepted() -> Iterator[None]:
    """A block in which operators run as usual."""
    before, slots.around = slots.around, None
    try:
        yield
    finally:
        slots.around = before


def give(result: Callable[[Callable[[], Any], list[Any]], Any]) -> None:
    """What the next operator has for a kernel, once: it gets the computation that it replaces, and the raw arguments."""
    slots.given = result


def taken() -> Callable[[Callable[[], Any], list[Any]], Any] | None:
    """What was given, if anything was."""
    given, slots.given = slots.given, None
    return given
