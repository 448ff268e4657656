"""Something that was raised, with all that can be known of it: its words, its line, the trace it ended, the graph it failed in, the
traces before. The rules about errors and warnings ask it."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from typing import Any

from jgrad.graph.node import Node
from jgrad.tensor import Tensor
from jgrad.trace.document.log import Log, statement
from jgrad.trace.document.source import Source
from jgrad.trace.explain.traces import Recorded

THIS = "this call"  # what raised, if nothing more is known of it
LONGEST = 60  # characters of an expression that a sentence repeats


class Incident:
    """An error or a warning. `log` and `step` if it ended a trace; `error` if the exception itself is there."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        self.message = message
        self.line: int | None = None
        self.what = ""  # the expression that raised, as it stands in the source
        self.log: Log | None = None
        self.step = -1
        self.roots: Sequence[Tensor] = ()  # where the backward pass that failed began
        self.node: Node | None = None  # and in which node it failed
        self.variables: Mapping[str, Any] = {}
        self.source = ""  # the line, or lines, of the expression
        self.code = ""  # the whole cell
        self.code_line: int | None = None  # the line in it
        self.function = ""  # the innermost function of the user's that ran
        self.traces: Sequence[Recorded] = ()  # those before, the last one first
        self.cells: Mapping[int, str] = {}  # the sources of a notebook's cells, by number
        self.elsewhere = (
            ""  # " of cell 2" if `line` is not in the cell that was run, but in one whose function it called
        )
        self.untraced = False  # whether it was raised by a cell that was not traced

    @classmethod
    def of_step(cls, log: Log, step: int) -> Incident:
        """The error that ended a trace."""
        record = log.steps[step]
        made = cls(record["error"]["type"], record["error"]["message"])
        made.log, made.step, made.line = log, step, record["line"]
        span = record["span"]
        if span is not None:
            made.source = "\n".join(log.source[span[0] - 1 : span[2]])
            made.what = statement(log.source, span, LONGEST) or made.what
        return made

    @classmethod
    def of_error(
        cls,
        error: BaseException,
        variables: Mapping[str, Any],
        traces: Sequence[Recorded] = (),
        cells: Mapping[int, str] | None = None,
    ) -> Incident:
        """An exception of code whose global variables these are."""
        made = cls(type(error).__name__, str(error))
        made.variables, made.cells = variables, cells or {}
        made.traces = traces
        places = []  # in the user's cells
        tb = error.__traceback__
        while tb is not None:
            frame = tb.tb_frame
            if frame.f_globals is variables:
                places.append(tb)
                made.variables = {**variables, **frame.f_locals}
            module, function = frame.f_globals.get("__name__"), frame.f_code.co_name
            if module == "jgrad.engine.graph_task" and isinstance(frame.f_locals.get("node"), Node):
                made.node = frame.f_locals["node"]
            elif module == "jgrad.engine.differentiate" and function == "_differentiate":
                made.roots = [t for t in frame.f_locals["outputs"] if isinstance(t, Tensor)]
            tb = tb.tb_next
        if places:
            made._locate(places[-1])
            made.untraced = True
        for trace in traces:
            if trace.ended_with(error):
                made.untraced = False
                made._found_in(Log(trace.document))
                break
        else:
            if places and places[0].tb_frame.f_code.co_filename != places[-1].tb_frame.f_code.co_filename:
                known = [k for k, source in made.cells.items() if source.strip() == made.code.strip()]
                made.elsewhere = f" of cell {known[-1]}" if known else " of another cell"
        return made

    def _found_in(self, log: Log) -> None:
        """The trace that it ended."""
        step = log.steps[-1] if log.steps else None
        if step is not None and "error" in step:  # else the recorder failed to see it
            self.log, self.step, self.line = log, len(log.steps) - 1, step["line"]

    def _locate(self, tb: Any) -> None:
        """The line and the expression at a traceback's place."""
        code = tb.tb_frame.f_code
        lines = [text.rstrip("\n") for text in linecache.getlines(code.co_filename, tb.tb_frame.f_globals)]
        self.line = None if code.co_filename.startswith("<%") else tb.tb_lineno
        self.code, self.code_line, self.function = "\n".join(lines), tb.tb_lineno, code.co_name
        source = Source(lines)
        span = source.span((code, tb.tb_lasti, tb.tb_lineno))
        if span is not None:
            self.source = "\n".join(lines[span[0] - 1 : span[2]])
            self.what = statement(lines, span, LONGEST) or self.what
        elif 1 <= tb.tb_lineno <= len(lines):
            self.source = lines[tb.tb_lineno - 1]

    @property
    def at(self) -> str:
        """ "line 3", or what raised."""
        return self.what or THIS if self.line is None else f"line {self.line}{self.elsewhere}"

    def blanks(self) -> dict[str, Any]:
        """What every sentence may say."""
        lead = "" if self.line is None else f"{self.at}: "
        return {"lead": lead, "at": self.at, "what": self.what or THIS}

    @property
    def cell(self) -> list[str]:
        """The lines of the cell that raised."""
        return self.code.split("\n") if self.log is None else self.log.source

    def failing(self) -> str:
        """The source of what raised, as far as it is known."""
        known = self.log is not None and self.line is not None and not self.source
        return self.log.source[self.line - 1] if known else self.source  # type: ignore[union-attr,operator]

    @property
    def raising(self) -> tuple[list[str], int | None]:
        """The source that has the line that raised, and that line; None for an expression that %why ran."""
        if self.code:
            return self.code.split("\n"), self.code_line
        return (self.log.source, self.line) if self.log is not None else (self.source.split("\n"), None)

    def place_in(self, log: Log, place: str) -> str:
        """A place in a trace, with the trace's name unless it is the one that failed."""
        here = self.log is not None and log.document is self.log.document
        return place if here else f"{place} of {log.title()}"
