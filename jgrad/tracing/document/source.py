"""The source of traced code: its lines, and the places in it where steps happen."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from itertools import islice
from types import CodeType, FrameType
from typing import cast

from jgrad.tracing.document.schema import Span
from jgrad.tracing.document.syntax import around
from jgrad.tracing.record.scope import parse

LONGEST = 1000  # characters of a source line that are kept
LONGEST_EXPRESSION = 60  # characters of an expression that a sentence repeats
EVERYWHERE = (0, sys.maxsize)


class Source:
    """The lines of the traced code. `first` is the number, in its file, of the first of them; `indent` what was taken off each; `compiled`
    what was compiled where that is not the same, as for lines with magics in them."""

    def __init__(
        self, lines: list[str], first: int = 1, indent: int = 0, compiled: list[str] | None = None
    ) -> None:
        self.lines = [line if len(line) <= LONGEST else line[:LONGEST] + "…" for line in lines]
        self.compiled = lines if compiled is None else compiled
        self.first = first
        self.indent = indent
        self._positions: dict[int, tuple[CodeType, list]] = {}
        self._spans: dict[tuple[int, int], tuple[CodeType, Span | None]] = {}

    def line(self, line: int) -> int | None:
        """A line of the file, counted from 1 in `lines`."""
        line = line - self.first + 1
        return line if 1 <= line <= len(self.lines) else None

    def span(self, code: CodeType, offset: int) -> Span | None:
        """[line, column, end_line, end_column] of the expression that an instruction belongs to. Of an instruction it is always the same
        object."""
        known = self._spans.get((id(code), offset))
        if known is None:
            known = self._spans[id(code), offset] = code, self._span(code, offset)
        return known[1]

    def _span(self, code: CodeType, offset: int) -> Span | None:
        known = self._positions.get(id(code))
        if known is None:
            known = self._positions[id(code)] = code, list(code.co_positions())
        line, end_line, start, end = known[1][offset // 2] if offset // 2 < len(known[1]) else (None,) * 4
        if line is None or end_line is None or start is None or end is None:
            return None
        line, end_line = line - self.first + 1, end_line - self.first + 1
        if not 1 <= line <= end_line <= len(self.lines):
            return None
        if self.compiled[line - 1 : end_line] != self.lines[line - 1 : end_line]:
            return None
        return cast(Span, [line, self._characters(line, start), end_line, self._characters(end_line, end)])

    def _characters(self, line: int, column: int) -> int:
        """A column in characters; Python counts bytes, and the indentation that was taken off."""
        text, column = self.lines[line - 1], max(column - self.indent, 0)
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))

    def text(self, span: Span | None) -> str | None:
        """What stands at a span, if it is within one line and short."""
        if span is None or span[0] != span[2] or not 0 < span[3] - span[1] <= LONGEST_EXPRESSION:
            return None
        return self.lines[span[0] - 1][span[1] : span[3]]


def block(frame: FrameType) -> tuple[Source, tuple[int, int], tuple[int, int]]:
    """The source of the `with` statement that a frame is in, the lines of its block, and again those of the block alone; the first two are
    all of the source where it is a cell."""
    filename, line = frame.f_code.co_filename, frame.f_lineno
    lines = [text.rstrip("\n") for text in linecache.getlines(filename, frame.f_globals)]
    cell = not os.path.exists(filename)
    whole = Source(lines), (1, max(len(lines), sys.maxsize if not lines else 1))
    try:
        tree = parse("\n".join(lines))
    except SyntaxError:  # not the text that runs
        return (*whole, EVERYWHERE) if cell else (Source([]), EVERYWHERE, EVERYWHERE)
    statements = around(tree, line, (ast.With, ast.AsyncWith))
    if not statements:
        return (*whole, EVERYWHERE)
    statement = statements[-1]
    first, last = statement.body[0].lineno, statement.end_lineno or line
    if cell:
        return (*whole, (first, last))
    shift = _shift(frame, statement)
    if first == statement.lineno:
        indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
        return Source([lines[first - 1].strip()], first, indent - shift), (first, last), (first, last)
    block = lines[first - 1 : last]
    indent = min((len(text) - len(text.lstrip()) for text in block if text.strip()), default=0)
    return Source([text[indent:] for text in block], first, indent - shift), (first, last), (first, last)


def _shift(frame: FrameType, statement: ast.With | ast.AsyncWith) -> int:
    """How many columns further left the `with` statement stands in what was compiled than in the file: marimo compiles the bodies of
    functions by themselves."""
    place = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    for written in (statement, *(item.context_expr for item in statement.items)):
        if (written.lineno, written.end_lineno) == place[:2] and place[2] is not None:
            return written.col_offset - place[2]
    return 0
