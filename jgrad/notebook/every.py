"""`%trace on`: every cell is recorded, and a line below it says what is remarkable.

The cell is IPython's: it is compiled, run, awaited and shown as ever. Recording begins at IPython's event before the cell, and ends at the one after
it. So a cell that runs another one, as `%run` of a notebook does, is one trace.
"""

from __future__ import annotations

import ast
import dis
import html
import re
import sys
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from jgrad import trace as tracing
from jgrad.trace import Trace
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned, replaced

MOST = 300  # steps of a cell that are kept: enough for a mistake, and recorded in some 10 ms
# What records or runs the cell itself, and cells that are no Python.
OTHERS = re.compile(r"\s*%%|^\s*%trace\b", re.MULTILINE)
KEPT = 4
MORE = "%why says more."


class EveryCell:
    """Records the cells of a shell while it is on."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.is_on = False
        self._trace: Trace | None = None  # of the cell that runs
        self._info: Any = None
        self._kept: list[Trace] = []

    def begins(self, info: Any) -> None:
        """Called before each cell."""
        if not self.is_on or self._trace is not None or OTHERS.search(info.raw_cell):
            return
        code, shell = self._compiled(info), self.shell
        if code is None or not _may_meet_tensors(code, shell.user_ns):
            return
        old = {name: id(shell.user_ns[name]) for name in replaced([code]) if name in shell.user_ns}
        trace = Trace(f"cell {shell.displayhook.prompt_count}", max_steps=MOST)
        trace._source = self._source
        trace._begin(Scope(code.co_filename, shell.user_ns, mentioned(code), replaced=old))
        self._trace, self._info = trace, info

    def _compiled(self, info: Any) -> CodeType | None:
        """The code of a cell, under the name by which IPython compiles it; None for what IPython will refuse, and for a cell without code."""
        shell, raw = self.shell, info.raw_cell
        text = getattr(info, "transformed_cell", None)
        try:
            text = shell.transform_cell(raw) if text is None else text
            filename = shell.compile.cache(text, shell.displayhook.prompt_count, raw_code=raw)
            with shell.compile.extra_flags(ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0):
                code = shell.compile(text, filename, "exec")
        except (SyntaxError, ValueError, TypeError, OverflowError):
            return None
        lines, compiled = raw.rstrip("\n").split("\n"), text.rstrip("\n").split("\n")
        self._source = Source(lines if len(lines) == len(compiled) else compiled, compiled=compiled)
        return code if text.strip() else None

    def ends(self, result: Any) -> None:
        """Called after each cell, also after those that a cell runs."""
        trace = self._trace
        if trace is None or result.info is not self._info:
            return
        self._trace = self._info = None
        trace._end(result.error_in_exec)
        recorder = trace._recorder
        if recorder is None or not (recorder.seen and recorder.tensors):
            return  # a cell without tensors
        self._keep(trace)
        try:
            self._say(trace.document)
        except Exception as failure:  # the cell's own result matters more
            print(f"%trace on: this cell could not be explained ({type(failure).__name__}: {failure})")

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

    def _say(self, document: TraceDocument) -> None:
        """A line about what is remarkable. In a notebook a click on it shows the first view."""
        from jgrad.views.headline import words

        found = document.get("diagnosis")
        if found is None or not found["code"] or found["severity"] == "info":
            return
        said = f"jgrad: {words(found['headline']).rstrip('.')}. {MORE}"
        if getattr(self.shell, "kernel", None) is None:
            print(said)
            return
        from IPython.display import display

        from jgrad.views.drawing import applicable, frame_of, scene_of
        from jgrad.views.twin import twin

        picture = twin([scene_of(frame_of(document, None), applicable(document)[0])], "")
        shown = f"<details><summary>{html.escape(said)}</summary>{picture}</details>"
        display({"text/plain": said, "text/html": shown}, raw=True)


# Libraries that know no tensors, and whose objects hold none.
APART = frozenset({*sys.stdlib_module_names, "numpy", "pandas", "matplotlib", "PIL", "scipy", "polars"})
PLAIN = (bool, int, float, complex, str, bytes, type(None))
IMPORTS = dis.opmap["IMPORT_NAME"]
FEW = 1000  # elements of a list that are looked at
RUNS_CODE = frozenset({"exec", "eval", "__import__", "get_ipython"})


def _may_meet_tensors(code: CodeType, variables: Mapping[str, Any]) -> bool:
    """Whether a cell may do anything with tensors: not if all that it names is plain, or belongs to a library that knows none. So a cell of another kind
    costs nothing."""
    named = {name for name in mentioned(code) if _may_lead_to_tensors(name, variables.get(name))}
    if named and named - replaced([code]):
        return True
    return any(module.partition(".")[0] not in APART for module in _imported(code))


def _may_lead_to_tensors(name: str, value: Any) -> bool:
    if isinstance(value, (list, tuple, set)) and len(value) <= FEW:
        return not all(isinstance(one, PLAIN) for one in value)
    if isinstance(value, ModuleType):
        owner = value.__name__
    else:
        called = isinstance(value, (type, FunctionType, BuiltinFunctionType))
        owner = (called and value.__module__) or type(value).__module__
    root = str(owner).partition(".")[0]
    is_container = root == "builtins" and not isinstance(value, PLAIN) and not callable(value)
    return name in RUNS_CODE or root not in APART or is_container


def _imported(code: CodeType) -> Iterator[str]:
    """The modules that a cell imports, also in its functions."""
    if IMPORTS in code.co_code[::2]:
        instructions = dis.get_instructions(code)
        yield from [i.argval or "." for i in instructions if i.opcode == IMPORTS]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant)
