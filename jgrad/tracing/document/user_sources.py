"""The sources of user code: what a cell or file is called, and the lines that a function was made of.

Nothing is guessed. A file may have been changed since a function was made of it. So its text is compiled, and lines of it are quoted only if
that gives the very code that ran. The function may have moved within the file: then its lines are those of now. Where there is no text, as of
code that `exec` compiled, the document says so.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from jgrad.tracing.document.source import Source
from jgrad.tracing.record.stacks import MetCode

OTHER_SESSION = re.compile(r"ipykernel_\d+[\\/]|<ipython-input-")  # files of cells


class Found(NamedTuple):
    """The source of a function, if it is known, and the code that was compiled from it; or the problem: "missing" or "changed"."""

    source: Source | None
    code: CodeType
    problem: str = ""


class UserSources:
    """The sources of the functions that one recording met."""

    def __init__(self, met: dict[int, MetCode]) -> None:
        self.met = met
        self._found: dict[int, Found] = {}  # by the address of code
        # The texts of files, with the functions in them:
        self._texts: dict[str, list[tuple[Source, list[CodeType]]]] = {}

    def of(self, code: CodeType) -> Found:
        """The source of the cell or file that code was made of."""
        found = self._found.get(id(code))
        if found is None:
            found = self._found[id(code)] = self._find(code)
        return found

    def _find(self, code: CodeType) -> Found:
        filename = code.co_filename
        cached = linecache.cache.get(filename)
        if cached is not None and len(cached) > 1 and cached[1] is None:  # a cell: its text never changes
            return Found(_source_of_cell(filename, [line.rstrip("\n") for line in cached[2]]), code)
        met = self.met.get(id(code))
        if filename[:1] == "<" and met is not None and met.loaded:
            filename = met.file  # %autoreload compiles a new function of a module as "<string>"
        if filename[:1] == "<" or not os.path.isfile(filename):
            return Found(None, code, "missing")
        texts = self._texts.get(filename)
        if texts is None:
            texts = self._texts[filename] = [*_texts_of(filename)]
        if met is not None and not met.loaded:
            return Found(texts[0][0], code)
        for source, codes in texts:
            same = [c for c in codes if _is_same(c, code)]
            exact = [c for c in same if c.co_firstlineno == code.co_firstlineno]
            if exact or len(same) == 1:
                return Found(source, (exact or same)[0])
        return Found(None, code, "changed" if filename == code.co_filename else "missing")


def _texts_of(filename: str) -> Iterator[tuple[Source, list[CodeType]]]:
    """What a file holds now, and what was read of it before, with the functions that this makes."""
    before = linecache.cache.get(filename)
    known = [line.rstrip("\n") for line in before[2]] if before is not None and len(before) > 1 else None
    linecache.checkcache(filename)
    now = [line.rstrip("\n") for line in linecache.getlines(filename)]
    for lines in [now] if known in (None, now) else [now, known]:
        try:
            module = compile("\n".join([*lines, ""]), filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            yield Source(lines), []
            continue
        yield Source(lines), [module, *_functions_in(module)]


def _functions_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _functions_in(constant)


def _is_same(a: CodeType, b: CodeType) -> bool:
    """Whether two functions were compiled from the same text, wherever it stands in its file."""
    return (
        a.co_qualname == b.co_qualname
        and a.co_code == b.co_code
        and (a.co_names, a.co_varnames, a.co_freevars) == (b.co_names, b.co_varnames, b.co_freevars)
        and _lines_within(a) == _lines_within(b)
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_is_same_constant, a.co_consts, b.co_consts))
    )


def _is_same_constant(a: Any, b: Any) -> bool:
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return _is_same(a, b)
    return type(a) is type(b) and repr(a) == repr(b)


def _lines_within(code: CodeType) -> list[int | None]:
    """The lines of the instructions, counted from that of the function."""
    return [None if line is None else line - code.co_firstlineno for _, _, line in code.co_lines()]


def last_line(code: CodeType) -> int:
    """The last line of a function."""
    ends = [end for _, end, _, _ in code.co_positions() if end is not None]
    return max([code.co_firstlineno, *ends, *map(last_line, _own(code))])


def _own(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


# What sources are called --------------------------------------------------------------------------------------------------------------


def name_of(filename: str) -> str:
    """What the user calls the cell or file of some code: "cell 4", "model.py"."""
    number = cell_number(filename)
    if number is not None:
        return f"cell {number}"
    if "__marimo__cell_" in filename:
        return "another cell"
    if OTHER_SESSION.search(filename) and filename not in linecache.cache:
        return "a cell of another session"
    if filename[:1] == "<":
        return filename
    folder, name = os.path.split(filename)
    return f"{os.path.basename(folder)}/{name}" if name == "__init__.py" else name


def cell_number(filename: str) -> int | None:
    """The number that a notebook shows at the cell that was compiled under this name: that of its last run."""
    ipython = shell()
    known = None if ipython is None else ipython.compile.format_code_name(filename)
    number = re.search(r"\d+", known[1]) if known else re.match(r"<ipython-input-(\d+)-", filename)
    return None if number is None else int(number[0] if known else number[1])


def cells() -> Iterator[tuple[int, str, Source]]:
    """The cells of the notebook that were run: the number of each, its file and its source."""
    ipython = shell()
    cache: dict[str, Any] = linecache.cache
    for filename, cached in [*cache.items()] if ipython is not None else ():
        known = len(cached) > 1 and cached[1] is None and ipython.compile.format_code_name(filename)
        if known and (number := cell_number(filename)) is not None:
            yield number, filename, _source_of_cell(filename, [line.rstrip("\n") for line in cached[2]])


def shell() -> Any:
    """IPython's shell, if this process has one."""
    module = sys.modules.get("IPython.core.getipython")
    found = None if module is None else module.get_ipython()
    return found if hasattr(getattr(found, "compile", None), "format_code_name") else None


def _source_of_cell(filename: str, compiled: list[str]) -> Source:
    """The source of a cell as the user wrote it, with its magics, where its lines are those that were compiled."""
    ipython, number = shell(), cell_number(filename)
    written: list[str] = []
    if ipython is not None and number is not None:
        history = ipython.history_manager.input_hist_raw
        written = history[number].split("\n") if number < len(history) else []
    same = len(written) == len(compiled)
    return Source(written if same else compiled, compiled=compiled)
