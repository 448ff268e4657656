"""`%trace on`: every cell is recorded, and a line below it says what is remarkable.

The cell is IPython's: it is compiled, run, awaited and shown as ever. Recording begins at IPython's event before the cell, and ends at the one after
it. So a cell that runs another one, as `%run` of a notebook does, is one trace.
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from types import CodeType
from typing import Any

from jgrad import trace as tracing
from jgrad.notebook.meeting import has_only_plain_words, may_meet_tensors
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.keeping import ALIKE
from jgrad.tracing.record.scope import Scope, mentioned, replaced
from jgrad.warn import silence

# The steps of a cell that are kept: enough for a mistake, and recorded in some 10 ms.
MOST = 300
# What records or runs the cell itself, and cells that are no Python.
OTHERS = re.compile(r"\A\s*%%|^\s*%trace\b", re.MULTILINE)
# Magics that run the cell's Python themselves, out of IPython's sight.
TIMING = re.compile(r"\A\s*%%(timeit|time|prun)\b[^\n]*\n")
# The traces that are kept.
KEPT = 4
MORE = "%why says more."


class EveryCell:
    """Records the cells of a shell while it is on."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.is_on = False
        # Of the cell that runs.
        self._trace: Trace | None = None
        self._info: Any = None
        self._kept: list[Trace] = []
        # The outermost cell that runs, and what is to be said below it: the output of a cell that it runs may be captured.
        self._outermost: Any = None
        self._waiting: list[Trace] = []
        self._said: set[str] = set()  # the magics of which was said that they hide their cells

    def begins(self, info: Any) -> None:
        """Called before each cell."""
        if not self.is_on or self._trace is not None:
            return
        self._outermost = self._outermost or info
        try:
            if OTHERS.search(info.raw_cell):
                with suppress(SyntaxError, ValueError):
                    self._say_hidden(info.raw_cell)
            else:
                self._record(info)
        except Exception as failure:
            if self._trace is not None:
                self._trace._leave()
                self._trace = self._info = None
            _say_failure("recorded", failure)

    def _record(self, info: Any) -> None:
        """Begin the trace of a cell, unless it can't meet tensors."""
        shell = self.shell
        variables = shell.user_ns
        text = getattr(info, "transformed_cell", None)
        if text is not None and has_only_plain_words(text, variables):
            return
        compiled = self._compiled(info)
        if compiled is None or not may_meet_tensors(compiled[0], variables):
            return
        code, source = compiled
        old = {name: id(variables[name]) for name in replaced([code]) if name in variables}
        trace = Trace(f"cell {shell.displayhook.prompt_count}", max_steps=MOST)
        trace.patience, trace.grows = ALIKE, True
        trace._source = source
        self._trace, self._info = trace, info
        trace._begin(Scope(code.co_filename, variables, mentioned(code), replaced=old))

    def _say_hidden(self, cell: str) -> None:
        """Say once of a magic that the cells it runs are not recorded."""
        found = TIMING.match(cell)
        if found is None or found[1] in self._said or re.search(r"^\s*%%?trace\b", cell, re.MULTILINE):
            return
        with silence():
            code = self.shell.compile(self.shell.transform_cell(cell[found.end() :]), "<timed>", "exec")
        if may_meet_tensors(code, self.shell.user_ns):
            self._said.add(found[1])
            print(
                f"%trace on: a cell that %%{found[1]} runs is not recorded. To record one, write %%trace below the line of %%{found[1]}."
            )

    def _compiled(self, info: Any) -> tuple[CodeType, Source] | None:
        """The code of a cell, under the name by which IPython compiles it, and its source; None for what IPython will refuse, and for a cell without
        code. IPython compiles it too, and shows the warnings of that."""
        shell, raw = self.shell, info.raw_cell
        text = getattr(info, "transformed_cell", None)
        try:
            text = shell.transform_cell(raw) if text is None else text
            # (The number of a cell that another one runs is the next one.)
            number = shell.displayhook.prompt_count if info.store_history else shell.execution_count
            filename = shell.compile.cache(text, number, raw_code=raw)
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0
            with shell.compile.extra_flags(flags), silence():
                code = shell.compile(text, filename, "exec")
        except (SyntaxError, ValueError, TypeError, OverflowError):
            return None
        if not text.strip():
            return None
        lines, compiled = raw.rstrip("\n").split("\n"), text.rstrip("\n").split("\n")
        if len(lines) != len(compiled):
            lines = compiled
        above = self._above(raw)
        return code, Source([*above, *lines], 1 - len(above), compiled=[*above, *compiled])

    def _above(self, raw: str) -> list[str]:
        """The lines of the cell that the user wrote which are above this one: that of the magic that runs it, such as %%capture."""
        written, below = self._outermost.raw_cell.rstrip("\n"), raw.rstrip("\n")
        is_part = written.startswith("%%") and written.endswith(f"\n{below}")
        return written.removesuffix(below).split("\n")[:-1] if is_part else []

    def ends(self, result: Any) -> None:
        """Called after each cell, also after those that a cell runs."""
        # The cell's own result matters more than any failure of ours.
        try:
            if self._trace is not None and result.info is self._info:
                self._end(self._trace, result.error_in_exec)
            if result.info is self._outermost:
                self._outermost, waiting, self._waiting = None, self._waiting, []
                for trace in waiting:
                    self._say(trace)
        except Exception as failure:
            _say_failure("explained", failure)

    def _end(self, trace: Trace, error: BaseException | None) -> None:
        self._trace = self._info = None
        trace._end(error)
        recorder = trace._recorder
        if recorder is not None and recorder.seen and recorder.tensors:
            self._keep(trace)
            # As it is now: a cell around this one goes on.
            _ = trace.document
            self._waiting.append(trace)

    def _keep(self, trace: Trace) -> None:
        """Keep a trace, and no more than a few of those that nobody asked for: they must not push out those that somebody did."""
        self._kept.append(trace)
        tracing.recent.append(trace)
        if len(self._kept) > KEPT:
            old = self._kept.pop(0)
            if old in tracing.recent:
                tracing.recent.remove(old)

    def turn(self, on: bool) -> None:
        """Record the cells after this one, or none from now on."""
        self.is_on = on
        if not on and self._trace is not None:
            self._trace._leave()
            self._trace = self._info = None

    def _say(self, trace: Trace) -> None:
        """A line about what is remarkable. In a notebook it opens the views."""
        from jgrad.views.headline import words

        document = trace.document
        found = document.get("diagnosis")
        if found is None or not found["code"] or found["severity"] == "info":
            return
        said = f"jgrad: {words(found['headline']).rstrip('.')}. {MORE}"
        if getattr(self.shell, "kernel", None) is None:
            print(said)
            return
        from jgrad.views.answer import show_line
        from jgrad.views.drawing import applicable, frame_of, scene_of
        from jgrad.views.twin import twin

        picture = twin([scene_of(frame_of(document, None), applicable(document)[0])], "")
        show_line(said, picture, trace.opened, len(document["steps"]))


def _say_failure(what: str, failure: Exception) -> None:
    print(f"%trace on: this cell could not be {what} ({type(failure).__name__}: {failure})")
