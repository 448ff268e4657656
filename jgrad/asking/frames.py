"""Which frames of a traceback are the user's, and a traceback without the others."""

from __future__ import annotations

import os
from types import FrameType, TracebackType

from jgrad.tracing.record.user_code import JGRAD, UserCode


def without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of jgrad. The frames of PyTorch stay only where nothing of ours lies between them and the user's."""
    entries = entries_of(traceback)
    kept: list[TracebackType] = []
    through_us = False
    user = UserCode()
    for entry in entries:
        if user.runs(entry.tb_frame):
            through_us = False
        elif is_ours(entry.tb_frame):
            through_us = True
        if not through_us:
            kept.append(entry)
    return linked(kept)


def leave_out_ours(error: BaseException) -> None:
    """Take the frames of jgrad out of the traceback of an error, and of the errors that it came from."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.with_traceback(without_ours(one.__traceback__))
            todo += [one.__cause__, one.__context__]


def is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of jgrad, or code that jgrad wrote."""
    return frame.f_code.co_filename.startswith((f"{JGRAD}{os.sep}", "<jgrad "))


def entries_of(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first."""
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def linked(entries: list[TracebackType]) -> TracebackType | None:
    """A traceback of these entries. That of the error stays as it is."""
    made = None
    for entry in reversed(entries):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made
