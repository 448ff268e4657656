"""Small programs that must show the same with `torch` meaning PyTorch and with `torch` meaning jgrad.

A file of this folder holds several programs. Each begins with a line `# %% Title`, which editors take for the beginning of a cell. The title
names the program: the test's id is made of it. A program finds `torch`, `np`, `show(...)` and what `helpers` returns.
"""

from __future__ import annotations

import ast
import math
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jgrad import typed_storage

TITLE = re.compile(r"^# %% (.+)\n", re.MULTILINE)
FILENAME = "<program>"  # under which programs are compiled; some look for it in tracebacks


@dataclass(frozen=True)
class Program:
    """A program, and the line of the file where its title stands."""

    path: Path
    line: int
    title: str
    text: str

    @property
    def name(self) -> str:
        """The id of its test: the file and the words of the title."""
        return f"{self.path.stem}-" + "-".join(re.findall(r"\w+", self.title.lower()))


class Shown(NamedTuple):
    """A text that a program showed, and the line of the program that showed it, if that is known."""

    text: str
    line: int | None


def programs_of(path: Path) -> Iterator[Program]:
    """The programs of a file, in order."""
    source = path.read_text()
    assert TITLE.match(source), f"{path}: the first line is no title (# %% Title)"
    assert "\n# ---\n" not in source, f"{path}: a program begins with its title, a line # %% Title"
    titles = list(TITLE.finditer(source))
    ends = [title.start() for title in titles[1:]] + [len(source)]
    for title, end in zip(titles, ends, strict=True):
        line = source.count("\n", 0, title.start()) + 1
        yield Program(path, line, title[1].strip(), source[title.end() : end].strip("\n") + "\n")


PROGRAMS = [
    program
    for path in sorted(Path(__file__).parent.glob("*.py"))
    if path.name != "__init__.py"
    for program in programs_of(path)
]
assert len({program.name for program in PROGRAMS}) == len(PROGRAMS), "two programs have one name"


def helpers(torch: Any, show: Callable[..., None]) -> dict[str, Callable[..., Any]]:
    """What programs find defined, for one library."""

    def attempt(call: Callable[[], Any]) -> None:
        """Show what a call returns, or its error."""
        try:
            show(call())
        except Exception as error:
            show(type(error).__name__, error)

    def attempt_as(label: object, call: Callable[[], Any]) -> None:
        """Show a label, and what a call returns or its error."""
        try:
            show(label, call())
        except Exception as error:
            show(label, type(error).__name__, error)

    def attempt_each(*calls: Callable[[], Any]) -> None:
        """Show what each call returns, with the strides of a tensor, or its error."""
        for call in calls:
            try:
                show(result := call(), result.stride() if isinstance(result, torch.Tensor) else "")
            except Exception as error:
                show(type(error).__name__, error)

    def result_or_error(call: Callable[[], Any]) -> Any:
        """What a call returns, or its error as text."""
        try:
            return call()
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def history(t: Any) -> Any:
        """The names of a tensor's grad_fn and of the nodes before it, None without a grad_fn."""
        node = t.grad_fn
        return node and (node.name(), [before and before.name() for before, _ in node.next_functions])

    def show_warnings(caught: list[warnings.WarningMessage]) -> None:
        """Show the UserWarnings: their first lines, and those that name a line of the program."""
        for warning in caught:
            lines = str(warning.message).partition(" (Triggered")[0].splitlines()
            if warning.category is UserWarning:
                beginning = lines[: 3 if len(lines) > 2 and not lines[0] else 1]
                show("warned", beginning, [line for line in lines if FILENAME in line])

    return {
        f.__name__: f for f in (attempt, attempt_as, attempt_each, result_or_error, history, show_warnings)
    }


def run(
    library: Any, program: Program, around: Callable[[dict[str, Any]], Any] = lambda variables: nullcontext()
) -> list[Shown]:
    """What a program shows with a library, then its error, then its warnings. `around` gives a block to run it in, for its variables."""
    shown: list[Shown] = []

    def note(text: str, line: int | None) -> None:
        shown.append(Shown(text.replace("torch.", "jgrad."), line))

    def show(*values: Any) -> None:
        note(" ".join(map(str, values)), line_of_program())

    namespace = {"torch": library, "np": np, "show": show, **helpers(library, show)}
    forget_warnings()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")
        warnings.filterwarnings("ignore", message=".*torch.jit.script")  # PyTorch's own use, at the first jvp
        try:
            with around(namespace):
                exec(compile(program.text, FILENAME, "exec"), namespace)
        except Exception as error:
            note(f"{type(error).__name__}: {error}", line_of_error(error))
        finally:
            library.set_grad_enabled(True)
    for warning in caught:
        # PyTorch adds the place in its sources where a warning was triggered.
        text = "warning: " + str(warning.message).partition(" (Triggered")[0]
        note(text, warning.lineno if warning.filename == FILENAME else None)
    return shown


def forget_warnings() -> None:
    """What warns once per process, even with `set_warn_always`, warns again."""
    typed_storage._warned = False
    if "torch" in sys.modules:
        sys.modules["torch"].storage._warn_typed_storage_removal.has_warned = False


def line_of_program() -> int | None:
    """The line of the program that is being executed, None in a thread that runs none."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back  # type: ignore[assignment]
    return frame and frame.f_lineno


def line_of_error(error: Exception) -> int | None:
    """The line of the program that an error came through first."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code.co_filename != FILENAME:
        traceback = traceback.tb_next
    return traceback and traceback.tb_lineno


NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")


def same(one: str, other: str) -> bool:
    """Whether texts are equal, apart from addresses and the last digits of the numbers in them."""
    one, other = (re.sub("0x[0-9a-f]+", "0x", text) for text in (one, other))
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-7) for a, b in pairs)


def hold_alike(
    program: Program,
    expected: tuple[str, list[Shown]],
    found: tuple[str, list[Shown]],
    alike: Callable[[str, str], bool] = same,
) -> None:
    """Fail unless two runs, each with its label, showed the same. The message names the program and the statements that differ."""
    pairs = zip_longest(expected[1], found[1])
    differing = [(a, b) for a, b in pairs if a is None or b is None or not alike(a.text, b.text)]
    if not differing:
        return
    message = ["", f"{program.path.parent.name}/{program.path.name}:{program.line}: {program.title}"]
    before = None
    for pair in differing[:5]:
        line = next((shown.line for shown in pair if shown is not None and shown.line is not None), None)
        statement = "line of the program unknown" if line is None else statement_at(program, line)
        message += [""] if statement == before else ["", statement]
        before = statement
        for (label, _), shown in zip((expected, found), pair, strict=True):
            message.append(f"{label}: " + ("nothing more" if shown is None else shown.text))
    message += ["", f"{len(differing)} differ. The program:", textwrap.indent(program.text, "    ")]
    raise AssertionError("\n".join(message))


def statement_at(program: Program, line: int) -> str:
    """The smallest statement of a program that covers a line, with the lines of the file before it."""
    covering = [
        node
        for node in ast.walk(ast.parse(program.text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    statement = min(covering, key=lambda node: (node.end_lineno or node.lineno) - node.lineno)
    lines = program.text.splitlines()[statement.lineno - 1 : statement.end_lineno]
    if len(lines) > 12:  # a long loop or call: the line, and where it begins
        return f"{program.line + statement.lineno}: {lines[0]}\n{program.line + line}: {program.text.splitlines()[line - 1]}"
    return "\n".join(f"{program.line + statement.lineno + n}: {text}" for n, text in enumerate(lines))
