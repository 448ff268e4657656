"""Warnings. They are shown at the user's line: frames of jgrad, and of code that jgrad has written, are skipped."""

from __future__ import annotations

import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import compress
from types import CodeType, FrameType
from typing import Any, NamedTuple

from jgrad import manual


class Said(NamedTuple):
    """A warning that was given."""

    category: str
    text: str
    code: CodeType | None
    """The code of the user's that it names, None if that is not known."""
    instruction: int
    """Which of its instructions gave the warning."""
    in_cell: bool
    """Whether this code is in the cell that ran."""


said: deque[Said] = deque(maxlen=20)  # the latest warnings, for %why
_given: set[str] = set()
_always = False
_saying = False  # whether the warning on its way is one of ours, which is in `said` already
SHOWS = warnings.showwarning
OURS = os.path.dirname(__file__) + os.sep, "<jgrad "  # what the names of files of our code begin with
# What Python names as the place of a warning about the caller of a program.
NOWHERE = ("<sys>", 0) if sys.version_info >= (3, 13) else ("sys", 1)
bottom: CodeType | None = None  # code of ours that runs a program: what called it is not the program's
ASKS, OPERATORS = "handle_torch_function", "torch._ops"  # by which PyTorch calls a mode, and a mode PyTorch


def say(text: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning at the user's line."""
    global _saying
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        level, frame = level + 1, frame.f_back
    _note(category, text, frame)
    _saying = True
    try:
        warnings.warn(text, category, stacklevel=level)
    finally:
        _saying = False


@contextmanager
def listening(is_users: Callable[[FrameType], bool]) -> Iterator[None]:
    """Note what other libraries warn of too: PyTorch's warnings for `%why`. They are shown as without us. `is_users`: whether a frame is that of
    code of the user's."""
    before = warnings.showwarning
    if getattr(before, "__module__", None) == __name__:
        yield  # something around this block listens
        return

    def showwarning(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, *rest: Any, **named: Any
    ) -> None:
        if not _saying:
            filename, lineno, frame = _named(filename, lineno, sys._getframe(1).f_back)
            while frame is not None and not is_users(frame):
                frame = frame.f_back
            _note(category, str(message), frame)
        given, show = sys._getframe(1).f_locals.get("msg"), getattr(warnings, "_showwarnmsg_impl", None)
        if before is SHOWS and show is not None and isinstance(given, warnings.WarningMessage):
            # Only Python's own function is told what a warning is about, such as a coroutine.
            given.filename, given.lineno = filename, lineno
            show(given)
        else:
            before(message, category, filename, lineno, *rest, **named)

    warnings.showwarning = showwarning
    try:
        yield
    finally:
        if warnings.showwarning is showwarning:  # else somebody else has replaced it
            warnings.showwarning = before


def _named(filename: str, lineno: int, frame: FrameType | None) -> tuple[str, int, FrameType | None]:
    """The line that a warning would name without us, and its frame. `frame`: the one that gave it. PyTorch's are about its caller or callers, among which
    we are."""
    frames: list[FrameType] = []
    level = None
    while frame is not None:
        if level is None and (frame.f_code.co_filename, frame.f_lineno) == (filename, lineno):
            level = len(frames)
        frames.append(frame)
        frame = frame.f_back
    if level is None:
        return filename, lineno, None
    codes = [one.f_code for one in frames]
    ran = frames[: codes.index(bottom)] if bottom in codes else frames
    shown = [*compress(ran, reversed(as_without_us(ran[::-1])))]
    if level < len(shown):
        return shown[level].f_code.co_filename, shown[level].f_lineno, shown[level]
    return (filename, lineno, None) if ran is frames else (*NOWHERE, None)


def as_without_us(frames: list[FrameType]) -> list[bool]:
    """Which of some frames, the outermost first, there would be if the program were not recorded: PyTorch's stay, but for those through which it calls us."""
    found = [not is_ours(frame) for frame in frames]
    for i, (frame, is_kept) in enumerate(zip(frames, found, strict=True)):
        if not i or not is_kept:
            continue
        if frame.f_code.co_name == ASKS and not all(found[i + 1 : i + 2]):
            again = any(later.f_code is frames[i - 1].f_code for later in frames[i + 1 :])
            found[i] = False
            # The function is called again in our frames.
            found[i - 1] = found[i - 1] and not again
        if is_ours(frames[i - 1]) and frame.f_globals.get("__name__") == OPERATORS:
            found[i] = False
    return found


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of jgrad, or code that jgrad wrote."""
    return frame.f_code.co_filename.startswith(OURS)


@contextmanager
def silence() -> Iterator[None]:
    """Show no warnings: those of code that is only looked at, and that somebody else compiles too. (`warnings.catch_warnings` would have Python
    forget which warnings it has shown already.)"""
    before = warnings.showwarning
    if before is _show_nothing:
        yield  # something around this block, or another thread, is silent
        return
    warnings.showwarning = _show_nothing
    try:
        yield
    finally:
        warnings.showwarning = before


def _show_nothing(*args: Any, **named: Any) -> None:
    pass


def _note(category: type[Warning], text: str, frame: FrameType | None) -> None:
    """Keep a warning for `%why`, with the place in the user's code that it names."""
    if frame is None:
        said.append(Said(category.__name__, text, None, -1, False))
        return
    code, outer = frame.f_code, frame
    while outer.f_back is not None and not _is_cell(outer):
        outer = outer.f_back
    in_cell = outer.f_code.co_filename == code.co_filename
    said.append(Said(category.__name__, text, code, frame.f_lasti, in_cell))


def _is_cell(frame: FrameType) -> bool:
    """Whether a frame is that of a cell or a script, outside of all functions."""
    return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__"


def once(text: str, key: str | None = None) -> None:
    """Give a warning, unless one with the same key (by default the text) was given before. See `set_warn_always`."""
    if _always or (key or text) not in _given:
        _given.add(key or text)
        say(text)


def set_warn_always(b: bool, /) -> None:
    """Set whether warnings that are usually given once in a program are given every time."""
    global _always
    _always = bool(b)


def is_warn_always_enabled() -> bool:
    """Whether warnings that are usually given once in a program are given every time. `set_warn_always` sets it."""
    return _always


manual.attach(__name__)
