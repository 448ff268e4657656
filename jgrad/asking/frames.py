"""Which frames of a traceback are ours, and a traceback without them."""

from __future__ import annotations

import functools
import itertools
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, TracebackType
from typing import Any

from jgrad import warn
from jgrad.warn import as_without_us

# All that Python's module `traceback` shows of an error goes through these functions of it.
WALKERS = ("walk_tb", "_walk_tb_with_full_positions")


def without_ours(entry: TracebackType | None) -> TracebackType | None:
    """A traceback as it would be without us: without the frames of jgrad, and with all others."""
    entries = entries_of(entry)
    return linked([*itertools.compress(entries, as_without_us([one.tb_frame for one in entries]))])


@contextmanager
def left_out(bottom: CodeType) -> Iterator[None]:
    """A block in which the module `traceback` shows no frames of ours, so that what a program prints or logs of an error that it caught, and of its own
    stack, is what it is without us, and so that a warning names no frame of ours. `bottom`: our code that runs the program."""
    walkers = {name: vars(traceback)[name] for name in WALKERS if name in vars(traceback)}
    walk_stack = traceback.walk_stack

    def without(walk: Callable[..., Any]) -> Callable[..., Any]:
        def walked(entry: TracebackType | None) -> Any:
            if not isinstance(entry, TracebackType):  # what only looks like one
                return walk(entry)
            return walk(without_ours(entry))

        return functools.wraps(walk)(walked)

    @functools.wraps(walk_stack)
    def stack(frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        if frame is None:  # that of a caller, which it counts itself
            return walk_stack(None)
        ran = itertools.takewhile(lambda one: one[0].f_code is not bottom, walk_stack(frame))
        outermost_first = [*ran][::-1]
        shown = as_without_us([one for one, _ in outermost_first])
        return itertools.compress(reversed(outermost_first), reversed(shown))

    show = threading.excepthook

    @functools.wraps(show)
    def excepthook(failed: Any) -> None:  # Python itself shows the error of a thread
        if (error := failed.exc_value) is not None:
            leave_out_ours(error)
            failed = threading.ExceptHookArgs((failed[0], error, error.__traceback__, failed.thread))
        show(failed)

    ours = {**{name: without(walk) for name, walk in walkers.items()}, "walk_stack": stack}
    vars(traceback).update(ours)
    threading.excepthook = excepthook
    warn.bottom = bottom
    try:
        yield
    finally:
        warn.bottom = None
        if threading.excepthook is excepthook:
            threading.excepthook = show
        for name, before in {**walkers, "walk_stack": walk_stack}.items():
            if vars(traceback)[name] is ours[name]:
                setattr(traceback, name, before)


def leave_out_ours(error: BaseException) -> None:
    """Take the frames of jgrad out of the traceback of an error, and of all that are shown with it."""
    for one in shown_with(error):
        one.with_traceback(without_ours(one.__traceback__))


def shown_with(error: BaseException) -> list[BaseException]:
    """An error, those that it is a group of, and those that it came from."""
    found: dict[int, BaseException] = {}
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is not None and id(one) not in found:
            found[id(one)] = one
            todo += [None if one.__suppress_context__ else one.__context__, one.__cause__]
            todo += reversed(one.exceptions) if isinstance(one, BaseExceptionGroup) else ()
    return [*found.values()]


def entries_of(entry: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first."""
    found = []
    while entry is not None:
        found.append(entry)
        entry = entry.tb_next
    return found


def linked(entries: list[TracebackType]) -> TracebackType | None:
    """A traceback of these entries. That of the error stays as it is."""
    made = None
    for entry in reversed(entries):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made
