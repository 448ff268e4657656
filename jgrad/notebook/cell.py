"""Running a traced cell as IPython would run it without `%%trace`.

Note [The cell as IPython sees it]: a magic is an ordinary call, and two parts of its work can not be done from within one: awaiting what the cell
awaits, and reporting a syntax error of the cell without the frames of the call. `AwaitTransformer` does both before anything runs.
"""

from __future__ import annotations

import ast
import inspect
import re
from contextlib import suppress
from typing import Any

from IPython.core.displayhook import DisplayHook

from jgrad.trace import Trace
from jgrad.trace.document.source import Source
from jgrad.trace.record.scope import Scope, mentioned, parse, replaced


class TracedCell:
    """A traced cell: compiled as IPython would compile it, to be run once."""

    def __init__(
        self,
        shell: Any,
        magic_line: str,
        cell: str,
        transformed: str,
        name: str | None,
        watch: list[str],
        max_steps: int,
        rounds: tuple[int, int] | None = None,
    ) -> None:
        self.shell = shell
        # The magic's own line is counted, so that line numbers are those of the cell as the user sees it.
        source = f"{magic_line}\n{transformed}"
        self.filename = shell.compile.cache(source, shell.displayhook.prompt_count, raw_code=source)
        tree = shell.transform_ast(shell.compile.ast_parse("\n" + transformed, self.filename))
        interactivity = (
            "none" if DisplayHook.semicolon_at_end_of_expression(cell) else shell.ast_node_interactivity
        )
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0
        with shell.compile.extra_flags(flags):
            self.codes = [
                shell.compile(node, self.filename, mode)
                for node, mode in _parts(tree.body, tree.type_ignores, interactivity)
            ]
        self.awaits = any(code.co_flags & inspect.CO_COROUTINE for code in self.codes)
        compiled, lines = source.split("\n"), [magic_line, *cell.split("\n")]
        if not len(lines) <= len(compiled) <= len(lines) + 1:
            lines = compiled
        while lines[-1] == "":
            lines.pop()
        names = [*watch, *(n for code in self.codes for n in mentioned(code))]
        known = shell.user_ns
        old = {name: id(known[name]) for name in replaced(self.codes) - {*watch} if name in known}
        self.scope = Scope(self.filename, known, names, replaced=old)
        self.trace = Trace(
            name or f"cell {shell.displayhook.prompt_count}", max_steps=max_steps, rounds=rounds
        )
        self.trace._source = Source(lines, compiled=compiled[: len(lines)])

    def sync(self) -> BaseException | None:
        """Run it; what it raised is returned."""
        shell = self.shell
        with self.trace.recording(self.scope) as outcome:
            for code in self.codes:
                exec(code, shell.user_global_ns, shell.user_ns)
        return outcome.error

    async def asynchronous(self) -> BaseException | None:
        """The same for a cell that awaits."""
        shell = self.shell
        with self.trace.recording(self.scope) as outcome:
            for code in self.codes:
                if code.co_flags & inspect.CO_COROUTINE:
                    await eval(code, shell.user_global_ns, shell.user_ns)
                else:
                    exec(code, shell.user_global_ns, shell.user_ns)
        return outcome.error

    def trim(self, error: BaseException) -> None:
        """Have IPython show the traceback from the cell on, as it would be without the magic."""
        tb = error.__traceback__
        while tb is not None and tb.tb_frame.f_code.co_filename != self.filename:
            tb = tb.tb_next
        if tb is None or isinstance(error, SyntaxError) or hasattr(error, "_render_traceback_"):
            return
        shown = self.shell.InteractiveTB

        def render() -> list[str]:
            return shown.structured_traceback(type(error), error, tb, tb_offset=0)

        with suppress(AttributeError):  # a class may have a read-only attribute of this name
            BaseException.__setattr__(error, "_render_traceback_", render)  # past a __setattr__ of the user's


def _parts(body: list[ast.stmt], ignores: list, interactivity: str) -> list[tuple[ast.AST, str]]:
    """The statements in the pieces that IPython compiles them in: those whose value is displayed, and the others."""
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
    parts: list[tuple[ast.AST, str]] = [(ast.Module(quiet, ignores), "exec")] if quiet else []
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
        cell = self.shell.input_transformer_manager.transform_cell(cell)
        source = f"{f'%%trace {line}'.rstrip()}\n{cell}"
        filename = self.shell.compile.cache(source, self.shell.execution_count, raw_code=source)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if self.shell.autoawait else 0
        code = compile("\n" + cell, filename, "exec", flags, dont_inherit=True)
        return ["await " + lines[0], *lines[1:]] if code.co_flags & inspect.CO_COROUTINE else lines


def code_of(transformed: str) -> str:
    """The cell if it parses; a syntax error is reported where the cell is compiled."""
    try:
        parse(transformed)
    except SyntaxError:
        return "pass"
    return transformed
