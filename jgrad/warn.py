"""Warnings. They are shown at the user's line: frames of jgrad, and of code that jgrad has written, are skipped."""

from __future__ import annotations

import os
import sys
import warnings
from collections import deque

said: deque[tuple[str, str]] = deque(maxlen=20)  # (category, text) of the latest warnings, for %why
_given: set[str] = set()
_always = False
_HERE = os.path.dirname(__file__) + os.sep


def say(text: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning at the user's line."""
    said.append((category.__name__, text))
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, "<jgrad ")):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def once(text: str, key: str | None = None) -> None:
    """Give a warning, unless one with the same key (by default the text) was given before. See `set_warn_always`."""
    if _always or (key or text) not in _given:
        _given.add(key or text)
        say(text)


def set_warn_always(b: bool, /) -> None:
    """Let warnings that are given once per process be given every time."""
    global _always
    _always = bool(b)


def is_warn_always_enabled() -> bool:
    """Whether warnings are given every time; see `set_warn_always`."""
    return _always
