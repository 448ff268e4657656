"""Something that was raised, with all that can be known of it: its words, its line, the trace it ended, the graph it failed in, the
traces before. The rules about errors and warnings ask it."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from types import CodeType, TracebackType
from typing import Any

from jgrad import mirrors
from jgrad.graph.node import Node
from jgrad.tensor import Tensor
from jgrad.tracing.document.calls import Calls
from jgrad.tracing.document.log import Log, statement
from jgrad.tracing.document.places import Places
from jgrad.tracing.document.schema import Span
from jgrad.tracing.document.source import Source
from jgrad.tracing.document.user_sources import name_of
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.scope import Scope
from jgrad.tracing.record.stacks import Stacks, line_of
from jgrad.tracing.record.user_code import UserCode
from jgrad.warn import Said

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
        self.expression = ""  # it alone
        self.code = ""  # the whole cell
        self.code_line: int | None = None  # the line in it
        self.function = ""  # the innermost function of the user's that ran
        self.traces: Sequence[Recorded] = ()  # those before, the last one first
        self.cells: Mapping[int, str] = {}  # the sources of a notebook's cells, by number
        self.place = ""  # `line` in words, with its function and file if it is not in the cell that was run
        self.file = ""  # "cell 2", "model.py" if `line` and `code` are not those of the cell that was run
        self.untraced = False  # whether it was raised by a cell that was not traced

    @classmethod
    def of_step(cls, log: Log, step: int) -> Incident:
        """The error that ended a trace."""
        record = log.steps[step]
        made = cls(record["error"]["type"], record["error"]["message"])
        made.log, made.step, made.line = log, step, record["line"]
        made.place = log.places.at(record)
        lines, span = log.places.written(record)
        if span is not None:
            made._stands(lines, span)
        return made

    @classmethod
    def of_warning(cls, said: Said) -> Incident:
        """A warning, with the line of the user's code that it names."""
        made = cls(said.category, said.text)
        if said.code is None or not UserCode().has_file(said.code.co_filename):
            return made
        source = _cell_of(said.code)
        made.line = line_of(said.code, said.instruction)
        made.place = f"line {made.line}"
        if not said.in_cell:
            made.file = name_of(said.code.co_filename)
            made.place = f"{made.file}, {made.place}"
        span = source.span(said.code, said.instruction)
        if span is not None:
            made._stands(source.lines, span)
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
        # The part of the traceback that is in the user's code, from the cell that was run on.
        own: list[TracebackType] = []
        outputs: Sequence[Any] = ()  # where a backward pass of PyTorch's began
        user, tb = UserCode(), error.__traceback__
        while tb is not None:
            frame = tb.tb_frame
            of_cell = frame.f_globals is variables or _is_asked(frame.f_code)
            if (of_cell or own) and (_is_asked(frame.f_code) or user.has(frame.f_code, frame.f_globals)):
                own.append(tb)
                made.variables = {**variables, **({} if of_cell else frame.f_globals), **frame.f_locals}
            module, function = frame.f_globals.get("__name__"), frame.f_code.co_name
            if module == "jgrad.engine.graph_task" and isinstance(frame.f_locals.get("node"), Node):
                made.node = frame.f_locals["node"]
            elif module == "jgrad.engine.differentiate" and function == "_differentiate":
                made.roots = [t for t in frame.f_locals["outputs"] if isinstance(t, Tensor)]
            elif module == "torch.autograd.graph" and function == "_engine_run_backward":
                outputs = frame.f_locals["t_outputs"]
                made.roots = [t for t in map(mirrors.mirror, outputs) if isinstance(t, Tensor)]
            tb = tb.tb_next
        made.variables = {name: mirrors.mirror(value) for name, value in made.variables.items()}
        if outputs:
            mirrors.refresh()
            made.node = mirrors.failed_node(outputs, made.message)
        if own:
            made._locate(own[0], own[-1])
            made.untraced = True
        for trace in traces:
            if trace.ended_with(error):
                made.untraced = False
                made._found_in(Log(trace.document))
                break
        return made

    def _found_in(self, log: Log) -> None:
        """The trace that it ended."""
        step = log.steps[-1] if log.steps else None
        if step is not None and "error" in step:  # else the recorder failed to see it
            self.log, self.step, self.line = log, len(log.steps) - 1, step["line"]
            self.place = log.places.at(step)
            lines, span = log.places.written(step)
            if not self.expression and span is not None:
                self._stands(lines, span)

    def _locate(self, first: TracebackType, last: TracebackType) -> None:
        """The line and the expression at the end of a traceback that begins in the cell that was run."""
        cell, code = first.tb_frame.f_code, last.tb_frame.f_code
        stacks = Stacks(Scope(cell.co_filename, {}, ()))
        place = stacks.of_traceback(first)
        calls = Calls(_cell_of(cell), stacks.met)
        number = calls.of(place)
        table, excerpts = calls.tables()
        document: Any = {"source": [], "calls": table, "sources": excerpts}
        self.line = None if _is_asked(code) else last.tb_lineno
        if number is not None and table[number]["source"] is not None:
            self.place = Places(document).at({"line": None, "call": number})  # type: ignore[typeddict-item]
            self.file = name_of(code.co_filename)
        elif self.line is not None:
            self.place = f"line {self.line}"
        source: Source | None = calls.cell
        if code.co_filename != cell.co_filename:
            source, code, _ = calls.sources.of(code)
        lines = [] if source is None else source.lines
        self.code, self.code_line, self.function = (
            "\n".join(lines),
            line_of(code, last.tb_lasti),
            code.co_name,
        )
        span = None if source is None else source.span(code, last.tb_lasti)
        if span is not None:
            self._stands(lines, span)
        elif 1 <= self.code_line <= len(lines):
            self.source = lines[self.code_line - 1]

    def _stands(self, lines: list[str], span: Span) -> None:
        """What raised is the expression at a span of these lines."""
        self.source = "\n".join(lines[span[0] - 1 : span[2]])
        self.what = statement(lines, span, LONGEST) or self.what
        self.expression = _within(lines, span)

    @property
    def at(self) -> str:
        """ "line 3", or what raised."""
        return self.what or THIS if self.line is None else self.place or f"line {self.line}"

    @property
    def spot(self) -> str:
        """The same in few words."""
        known = self.log is not None and self.line is not None
        return self.log.spot(self.step) if known else self.at  # type: ignore[union-attr]

    def of_line(self, line: int) -> str:
        """A line of `code` in words: "line 3", "cell 2, line 3"."""
        return f"{self.file}, line {line}" if self.file else f"line {line}"

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


def _within(lines: Sequence[str], span: Span) -> str:
    """The text at a span."""
    found = [*lines[span[0] - 1 : span[2]]]
    found[-1] = found[-1][: span[3]]
    return "\n".join([found[0][span[1] :], *found[1:]])


def _is_asked(code: CodeType) -> bool:
    """Whether code is what stands behind %why."""
    return code.co_filename.startswith("<%")


def _cell_of(code: CodeType) -> Source:
    """The source of the cell that was run. What stands behind %why has no lines to name."""
    lines = [] if _is_asked(code) else linecache.getlines(code.co_filename)
    return Source([line.rstrip("\n") for line in lines])
