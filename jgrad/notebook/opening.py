"""At which step the views of a trace open."""

from __future__ import annotations

from typing import NamedTuple

from jgrad.tracing.document.schema import TraceDocument


class Shown(NamedTuple):
    """How a trace is shown: the views that were asked for, the step of `--at` (None: those that apply, where it is best), and whether over the whole window."""

    views: list[str] | None
    at: str | int | None
    present: bool


def cursor_at(document: TraceDocument, at: str | int) -> int:
    """The number of steps that are done when the views open. A word means the first step of this kind, and the end if there is none."""
    steps = document["steps"]
    if isinstance(at, int):
        return min(at, len(steps))
    return next((number for number, step in enumerate(steps, 1) if step["kind"] == at), len(steps))
