"""Running a traced cell, or a traced line, as IPython would run it without the magic.

Note [The cell as IPython sees it]: a magic is an ordinary call, and two parts of its work can not be done from within one: awaiting what the cell
awaits, and reporting a syntax error of the cell without the frames of the call. `AwaitTransformer` does both before anything runs.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any

from jgrad.notebook import tracebacks
from jgrad.notebook.nested import RUNNER, Part, Parts, ends_in_semicolon, shift, transformed
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.scope import Scope, mentioned, parse, replaced
from jgrad.warn import silence


class Code:
    """What was compiled: the pieces to run, the magics' parts of them, and the source as the user sees it."""

    def __init__(
        self, filename: str, codes: list[CodeType], parts: Parts, source: Source, within_magic: bool
    ) -> None:
        self.filename = filename
        self.codes = codes
        self.parts = parts
        self.source = source
        self.within_magic = within_magic  # whether all of it is the part of a magic, as of %%time

    def names(self) -> list[str]:
        """The variables that it mentions."""
        return [n for code in [*self.codes, *self.parts.codes] for n in mentioned(code)]

    def replaced(self) -> set[str]:
        """The variables to which it gives a value before it reads them."""
        if self.within_magic:
            return replaced(self.parts[-1].codes)
        return replaced(self.codes) - {n for code in self.parts.codes for n in mentioned(code)}


def compile_cell(shell: Any, above: list[str], magic_line: str | None, cell: str, code: str) -> Code:
    """Compile a cell as IPython would. `above` are the lines above the magic's line (None: there is none), and `code` the Python code of the cell."""
    # The lines above are counted, so that line numbers are those of the cell as the user sees it.
    before = [*above, *([] if magic_line is None else [magic_line])]
    source = "\n".join([*before, code])
    filename = shell.compile.cache(source, shell.displayhook.prompt_count, raw_code=source)
    tree = shell.transform_ast(shell.compile.ast_parse("\n" * len(before) + code, filename))
    compiled, lines = source.split("\n"), [*before, *cell.split("\n")]
    parts = Parts(shell, filename, lines, compiled)
    parts.take(tree)
    if parts:  # what a traceback shows
        linecache.cache[filename] = (
            len(source),
            None,
            [f"{line}\n" for line in "\n".join(compiled).rstrip().split("\n")],
            filename,
        )
    if not len(lines) <= len(compiled) <= len(lines) + 1:
        lines = compiled
    while lines[-1] == "":
        lines.pop()
    interactivity = "none" if ends_in_semicolon(cell) else shell.ast_node_interactivity
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0
    with shell.compile.extra_flags(flags):
        codes = [
            shell.compile(node, filename, mode)
            for node, mode in _parts(tree.body, tree.type_ignores, interactivity)
        ]
    within_magic = len(tree.body) == 1 and bool(parts)
    return Code(filename, codes, parts, Source(lines, compiled=compiled[: len(lines)]), within_magic)


def compile_line(shell: Any, magic: str, text: str) -> Code:
    """Compile what stands after `%trace`: statements, or an expression. `magic` is what stands before it in the line."""
    line = f"{magic}{text}"
    filename = shell.compile.cache(line, shell.displayhook.prompt_count, raw_code=line)
    tree = shell.compile.ast_parse(shell.transform_cell(text), filename)
    shift(tree, len(magic.encode()))
    parts = Parts(shell, filename, [line], [line])
    silent = ends_in_semicolon(text)
    parts.append(Part(shell, shell.transform_ast(tree), filename, silent))
    return Code(filename, [], parts, Source([line]), True)


class Traced:
    """Code to be run once, in a trace."""

    def __init__(
        self,
        shell: Any,
        code: Code,
        name: str | None,
        watch: list[str],
        max_steps: int | None,
        local: dict[str, Any] | None = None,
        into: Sequence[str] = (),
        rounds: tuple[int, int] | None = None,
    ) -> None:
        self.shell = shell
        self.code = code
        self.local = shell.user_ns if local is None else local
        known = shell.user_ns if self.local is shell.user_ns else {**shell.user_ns, **self.local}
        old = {name: id(known[name]) for name in code.replaced() - {*watch} if name in known}
        self.scope = Scope(code.filename, known, [*watch, *code.names()], replaced=old, into=into)
        self.trace = Trace(
            name or f"cell {shell.displayhook.prompt_count}", max_steps=max_steps, rounds=rounds
        )
        self.trace._source = code.source

    @property
    def awaits(self) -> bool:
        """Whether the code has an `await` outside of functions."""
        return any(code.co_flags & inspect.CO_COROUTINE for code in self.code.codes)

    def line(self) -> tuple[Any, BaseException | None]:
        """Run the one part that there is; its value, and what it raised."""
        value = None
        with self.trace.recording(self.scope) as outcome:
            value = self.code.parts[0].run(self.shell.user_ns, self.local)
        return value, outcome.error

    def sync(self) -> BaseException | None:
        """Run it; what it raised is returned."""
        shell = self.shell
        with self._runner(), self.trace.recording(self.scope) as outcome:
            for code in self.code.codes:
                exec(code, shell.user_global_ns, shell.user_ns)
                self.trace.statement_ended()
        return outcome.error

    async def asynchronous(self) -> BaseException | None:
        """The same for a cell that awaits."""
        shell = self.shell
        with self._runner(), self.trace.recording(self.scope) as outcome:
            for code in self.code.codes:
                if code.co_flags & inspect.CO_COROUTINE:
                    await eval(code, shell.user_global_ns, shell.user_ns)
                else:
                    exec(code, shell.user_global_ns, shell.user_ns)
                self.trace.statement_ended()
        return outcome.error

    @contextmanager
    def _runner(self) -> Iterator[None]:
        """The variable by which the magics of the cell call their parts."""
        variables, parts = self.shell.user_ns, self.code.parts
        if not parts:
            yield
            return
        before = variables.get(RUNNER)
        variables[RUNNER] = lambda number: parts[number].run(variables, variables)
        try:
            yield
        finally:
            if before is None:
                variables.pop(RUNNER, None)
            else:  # of a traced cell around this one
                variables[RUNNER] = before

    def trim(self, error: BaseException) -> None:
        """Have IPython show the traceback from the code on, and to the last line of the user's."""
        tracebacks.trim(self.shell, error, self.code.filename, self.code.parts.codes)


def _parts(body: list[ast.stmt], ignores: list, interactivity: str) -> list[tuple[ast.AST, str]]:
    """The statements in the pieces to run: those whose value is displayed, and the others, up to the end of each loop or other block. (IPython
    compiles every statement by itself.)"""
    if interactivity == "last_expr_or_assign":
        body = [*body, *_assigned(body[-1])]
        interactivity = "last_expr"
    if interactivity == "all":
        shown = len(body)
    elif interactivity == "last" or (interactivity == "last_expr" and isinstance(body[-1], ast.Expr)):
        shown = 1
    else:
        shown = 0
    quiet, loud = body[: len(body) - shown], body[len(body) - shown :]
    parts: list[tuple[ast.AST, str]] = []
    begun: list[ast.stmt] = []
    for node in quiet:
        begun.append(node)
        if isinstance(node, (ast.For, ast.While, ast.With, ast.Try, ast.If)) or node is quiet[-1]:
            parts.append((ast.Module(begun, ignores), "exec"))
            begun = []
    return parts + [(ast.Interactive([node]), "single") for node in loud]


def _assigned(last: ast.stmt) -> list[ast.stmt]:
    target = (
        last.targets[0]
        if isinstance(last, ast.Assign)
        else getattr(last, "target", None)
        if isinstance(last, (ast.AugAssign, ast.AnnAssign))
        else None
    )
    return (
        [ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.Name(target.id, ast.Load())), last))]
        if isinstance(target, ast.Name)
        else []
    )


class AwaitTransformer:
    """Looks at `%%trace` cells before IPython runs them; see Note [The cell as IPython sees it]."""

    CALL = re.compile(r"get_ipython\(\)\.run_cell_magic\('trace', (?=['\"])")

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def __call__(self, lines: list[str]) -> list[str]:
        if not lines or not self.CALL.match(lines[0]):
            return lines
        call = parse("".join(lines)).body[0].value
        line, cell = (ast.literal_eval(a) for a in call.args[1:])
        if "--help" in line.split() and not cell.strip():  # IPython runs no cell magic without a cell
            return [f"get_ipython().run_line_magic('trace', {line!r})\n"]
        cell = transformed(self.shell, cell)
        source = f"{f'%%trace {line}'.rstrip()}\n{cell}"
        filename = self.shell.compile.cache(source, self.shell.execution_count, raw_code=source)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if self.shell.autoawait else 0
        with silence():
            code = compile("\n" + cell, filename, "exec", flags, dont_inherit=True)
        return ["await " + lines[0], *lines[1:]] if code.co_flags & inspect.CO_COROUTINE else lines


def above(running: str, cell: str) -> list[str]:
    """The lines of the running cell that stand above the line of the magic whose body is `cell`."""
    lines = [line.rstrip() for line in running.rstrip().split("\n")]
    body = [line.rstrip() for line in cell.rstrip().split("\n")]
    first = len(lines) - len(body)
    if first < 2 or lines[first:] != body or not lines[first - 1].lstrip().startswith("%%"):
        return []
    return lines[: first - 1]


def code_of(transformed: str) -> str:
    """The cell if it parses; a syntax error is reported where the cell is compiled."""
    try:
        parse(transformed)
    except SyntaxError:
        return "pass"
    return transformed
