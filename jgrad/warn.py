"""Warnings. They are shown at the user's line: frames of jgrad, and of code that jgrad has written, are skipped."""

from __future__ import annotations

import os
import sys
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

said: deque[tuple[str, str]] = deque(maxlen=20)  # (category, text) of the latest warnings, for %why
_given: set[str] = set()
_always = False
_saying = False  # whether the warning on its way is one of ours, which is in `said` already
_HERE = os.path.dirname(__file__) + os.sep


def say(text: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning at the user's line."""
    global _saying
    said.append((category.__name__, text))
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, "<jgrad ")):
        level, frame = level + 1, frame.f_back
    _saying = True
    try:
        warnings.warn(text, category, stacklevel=level)
    finally:
        _saying = False


@contextmanager
def listening() -> Iterator[None]:
    """Note what other libraries warn of too: PyTorch's warnings for `%why`. They are shown as without us."""
    before = warnings.showwarning
    if getattr(before, "__module__", None) == __name__:
        yield  # something around this block listens
        return

    def showwarning(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
        if not _saying:
            said.append((category.__name__, str(message)))
        before(message, category, *rest, **named)

    warnings.showwarning = showwarning
    try:
        yield
    finally:
        if warnings.showwarning is showwarning:  # else somebody else has replaced it
            warnings.showwarning = before


def once(text: str, key: str | None = None) -> None:
    """Give a warning, unless one with the same key (by default the text) was given before. See `set_warn_always`."""
    if _always or (key or text) not in _given:
        _given.add(key or text)
        say(text)


def set_warn_always(b: bool, /) -> None:
    """Set whether warnings that are usually given once in a program are given every time.

    Args:
        b: True for every time, False for once

    >>> jgrad.set_warn_always(True)
    >>> jgrad.is_warn_always_enabled()
    True
    >>> jgrad.set_warn_always(False)
    """
    global _always
    _always = bool(b)


def is_warn_always_enabled() -> bool:
    """Whether warnings that are usually given once in a program are given every time. `set_warn_always` sets it.

    Returns a bool; at first it is False.

    >>> jgrad.is_warn_always_enabled()
    False
    """
    return _always
