"""A passage of an answer about a trace."""

from __future__ import annotations

from dataclasses import dataclass

from jgrad.trace.document.index import TraceIndex


@dataclass
class Passage:
    """Sentences. `log` is the trace whose lines they name, `until` the last step that they are about, `source` the code that raised."""

    text: str
    log: TraceIndex | None = None
    until: int | None = None
    source: str = ""
