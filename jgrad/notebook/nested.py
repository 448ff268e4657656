"""Magics inside a traced cell: `%time y = f(x)`, and `%%time`, `%%capture` or `%%prun` below the line of `%%trace`.

Such a magic compiles its code itself, from a text that starts at line 1. So the places of steps in the cell would be lost. Therefore we compile
the code here, at its place in the cell, and the magic gets a call of it instead: `%time y = f(x)` runs as `%time __traced__(0)`.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType
from typing import Any

from IPython.core.displayhook import DisplayHook

RUNNER = "__traced__"  # the variable through which a magic calls its part of the cell
# The magics that run their code once, in the variables of the user. Each with the options that may come before the code.
LINE_MAGICS = {"time": r"(?:--no-raise-error\s+)*", "prun": r"(?:-[DlsT]\s*\S+\s+|-[rq]+\s+)*"}
CELL_MAGICS = ("time", "capture", "prun")


class Part:
    """Code that a magic within a cell runs: statements, and perhaps an expression at their end, whose value is the result."""

    def __init__(self, shell: Any, tree: ast.Module, filename: str, silent: bool) -> None:
        *before, last = tree.body
        self.value: CodeType | None = None
        self.silent = silent
        if isinstance(last, ast.Expr):
            self.value = shell.compile(ast.Expression(last.value), filename, "eval")
        else:
            before.append(last)
        self.statements = shell.compile(ast.Module(before, []), filename, "exec")

    @property
    def codes(self) -> list[CodeType]:
        """The code in the order in which it runs."""
        return [self.statements] + ([self.value] if self.value else [])

    def run(self, variables: dict[str, Any], local: dict[str, Any]) -> Any:
        """Run it; the value of the expression at its end, None without one or with a semicolon after it."""
        exec(self.statements, variables, local)
        value = eval(self.value, variables, local) if self.value else None
        return None if self.silent else value


class Parts(list[Part]):
    """The parts of a cell, each with its number. `compiled` are the lines that were compiled. A line whose code became a part is set to
    the line of the user there, because the columns are now right."""

    def __init__(self, shell: Any, filename: str, lines: list[str], compiled: list[str]) -> None:
        self.shell = shell
        self.filename = filename
        self.lines = lines
        self.compiled = compiled

    def take(self, tree: ast.Module) -> None:
        """Make parts of the magics in a tree, and change their calls."""
        for call in _calls(tree.body):
            name, line, *body = (argument.value for argument in call.args)  # type: ignore[attr-defined]
            if body:
                self._take_cell(call, name, body[0])
            else:
                self._take_line(call, name, line)

    def _take_line(self, call: ast.Call, name: str, line: str) -> None:
        options = re.match(LINE_MAGICS.get(name, "$^"), line)
        if options is None or not 1 <= call.lineno <= len(self.lines):
            return
        text = line[options.end() :].strip()
        raw = self.lines[call.lineno - 1]
        column = raw.find(text, raw.find(f"%{name}") + 1)
        if not text or column < 0:  # such as a line that goes on after a backslash
            return
        tree = self._parse(text, call.lineno, len(raw[:column].encode()))
        if tree is not None and self._add(tree, text):
            self.compiled[call.lineno - 1] = raw
            call.args[1] = _text(f"{line[: options.end()]}{RUNNER}({len(self) - 1})", call)

    def _take_cell(self, call: ast.Call, name: str, text: str) -> None:
        lines = [line.rstrip() for line in text.rstrip().split("\n")]
        first = call.lineno  # as an index: the line below
        if (
            name not in CELL_MAGICS
            or [line.rstrip() for line in self.lines[first : first + len(lines)]] != lines
        ):
            return
        compiled = transformed(self.shell, text)
        tree = self._parse(compiled, call.lineno + 1, 0)
        if tree is None:
            return
        self.compiled[first - 1 :] = [self.lines[first - 1], *compiled.rstrip("\n").split("\n")]
        self.take(tree)
        if self._add(tree, text):
            call.args[2] = _text(f"{RUNNER}({len(self) - 1})", call)

    def _parse(self, text: str, line: int, column: int) -> ast.Module | None:
        """The tree of a text that begins at this line and column (counted in bytes); None if the magic has to report a syntax error."""
        try:
            tree = self.shell.transform_ast(self.shell.compile.ast_parse(text, self.filename))
        except SyntaxError:
            return None
        shift(tree, column)
        return ast.increment_lineno(tree, line - 1) if tree.body else None

    def _add(self, tree: ast.Module, text: str) -> bool:
        silent = ends_in_semicolon(text)
        try:
            self.append(Part(self.shell, tree, self.filename, silent))
        except SyntaxError:  # such as an await, which these magics do not know
            return False
        return True

    @property
    def codes(self) -> list[CodeType]:
        """The code of all parts."""
        return [code for part in self for code in part.codes]


def shift(tree: ast.AST, columns: int) -> None:
    """Move what stands in the first line of a tree to the right."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt, ast.keyword, ast.arg, ast.alias, ast.excepthandler)):
            node.col_offset += columns * (node.lineno == 1)
            node.end_col_offset = (node.end_col_offset or 0) + columns * (node.end_lineno == 1)


def ends_in_semicolon(cell: str) -> bool:
    """Whether nothing is to be displayed after a cell. A cell with an open bracket, as a line magic may have one, is no Python."""
    with suppress(tokenize.TokenError):
        return bool(DisplayHook.semicolon_at_end_of_expression(cell))
    return False


def transformed(shell: Any, cell: str) -> str:
    """The Python code of a cell, each line at its place: IPython takes away the empty lines at the beginning."""
    code: str = shell.transform_cell(cell)
    empty = len(cell) - len(cell.lstrip())
    return "\n" * cell.count("\n", 0, empty) + code if cell.strip() else code


def _calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """The calls by which IPython runs magics, but for those inside of functions, which have variables of their own."""
    todo: list[ast.AST] = [*body]
    while todo:
        node = todo.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("run_line_magic", "run_cell_magic")
            and len(node.args) == 2 + (node.func.attr == "run_cell_magic")
            and all(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in node.args)
        ):
            yield node
        todo[:0] = ast.iter_child_nodes(node)


def _text(text: str, place: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(text), place)
