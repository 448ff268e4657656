"""Every text that jgrad shows a user, on one page: `python -m tests.words.page` writes `tests/words/words.md`.

The first half shows the texts as a user meets them: the cells of `cells.py` are run, and the page has what they printed. The second half
lists all texts of the code, module by module, with their blanks. So no text is missing, also where no cell leads to it.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

import jgrad
from jgrad.views.svg import LIGHT, RULES
from tests.record.tracing import trace
from tests.words.cells import ASKED, SEEN, STEPS

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("words.md")
MODULES = (
    "jgrad/notebook/*.py",
    "jgrad/trace.py",
    "jgrad/asking/*.py",
    "jgrad/running/*.py",
    "jgrad/tracing/explain/*.py",
    "jgrad/tracing/explain/rules/*.py",
    "jgrad/tracing/document/noticed.py",
    "jgrad/tracing/document/sentences.py",
    "jgrad/tracing/document/log.py",
    "jgrad/tracing/document/comparison.py",
    "jgrad/tracing/document/check.py",
    "jgrad/views/*.py",
)
INTRODUCTION = """# All words

Every text that jgrad shows a user. `python -m tests.words.page` writes this page, and a test compares it with what the code says. Read it
from top to bottom after a change of a text. [The catalogue](../../docs/mistakes.md) shows each rule of `%why` with its example.
"""
SHAPES = {name for name, _ in RULES} | set(LIGHT)
SHAPES |= {
    "mono",
    "edge",
    "gone",
    "cut",
    "dot",
    "rule",
    "grid",
    "source",
    "late",
    "cell",
    "path",
    "flash",
    "unused",
}
REGEXES = {"compile", "search", "match", "fullmatch", "findall", "sub", "finditer"}


def page() -> Iterator[str]:
    """The page, a part after the other."""
    yield INTRODUCTION
    yield "## What the magics answer\n"
    with a_shell() as shell:
        for title, cells in ASKED.items():
            yield f"### {title}\n"
            yield conversation(shell, cells)
    yield "## What happened in each step\n"
    for title, source in STEPS.items():
        yield f"### {title}\n"
        yield block("python", source)
        yield "".join(f"- {line}\n" for line in steps(source))
    yield "## The views as text\n"
    for title, (source, view, cursor) in SEEN.items():
        yield f"### {title}\n"
        yield block("python", source)
        yield block("text", view_of(source, view, cursor))
    yield "## All texts of the code\n"
    for pattern in MODULES:
        files = sorted(ROOT.glob(pattern))
        assert files, pattern
        for file in files:
            found = list(texts(file))
            if found:
                yield f"### `{file.relative_to(ROOT).as_posix()}`\n"
                # Code such as `layers[0](x)` is no link.
                yield "".join("- {}\n".format(text.replace("](", "]\\(")) for text in found)


def block(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```\n"


@contextmanager
def a_shell() -> Iterator[InteractiveShell]:
    """An IPython with the magics."""
    hook, before = sys.excepthook, getattr(builtins, "get_ipython", None)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell(config=config)
    always, columns = jgrad.is_warn_always_enabled(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "110"  # the width of views as text
    jgrad.set_warn_always(True)  # also the warnings that an earlier test has seen
    try:
        yield shell
    finally:
        jgrad.set_warn_always(always)
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns
        jgrad.trace.recent.clear()
        sys.excepthook = hook
        if before is None and hasattr(builtins, "get_ipython"):
            del builtins.get_ipython


def conversation(shell: InteractiveShell, cells: str) -> str:
    """The cells of a text, which blank lines separate, and what each magic that asks printed."""
    shell.reset()
    jgrad.trace.recent.clear()
    with capture_output():
        shell.run_cell("%reload_ext jgrad\nimport jgrad")
    parts = []
    for cell in cells.strip().split("\n\n"):
        with capture_output(display=False) as captured, warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            shell.run_cell(cell, store_history=True)
        if cell.startswith("%") and not cell.startswith("%%"):
            answer = captured.stdout + captured.stderr
            parts.append(f"{block('python', cell)}\n{quoted(answer)}")
        else:
            parts.append(block("python", cell))
    return "\n".join(parts)


def quoted(text: str) -> str:
    """An answer, each line as a paragraph of its own. (Dashes alone would be a rule of Markdown.)"""
    lines = [line.replace("---", "\\---", line.startswith("---")) for line in text.strip().split("\n")]
    return "\n>\n".join(f"> {line}" for line in lines) + "\n"


def steps(source: str) -> list[str]:
    """The sentences of the steps of a program, and its notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = trace(source).document
    return [step["text"] for step in document["steps"]] + [
        f"({n['severity']}) {n['text']}" for n in document["notes"]
    ]


def view_of(source: str, view: str, cursor: int | None) -> str:
    """A view as text, with its legend."""
    from jgrad import views

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = trace(source).document
    return views.text(document, view, len(document["steps"]) if cursor is None else cursor)


def texts(file: Path) -> Iterator[str]:
    """The texts of a module that look like words for a user, with their blanks."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    hidden = {id(node) for node in _of_the_code(tree)}
    seen = set()
    for node in _in_order(tree, hidden):
        text = re.sub(r"\s*\n\s*", " / ", _text_of(node)).strip()
        if (
            len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", text))) > 1
            and " " in text
            and text not in seen
            and not _a_name(text)
        ):
            seen.add(text)
            yield text


def _in_order(node: ast.AST, hidden: set[int]) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The texts under a node, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        if id(child) in hidden:
            continue
        if isinstance(child, ast.JoinedStr) or (
            isinstance(child, ast.Constant) and isinstance(child.value, str)
        ):
            yield child
        if isinstance(child, ast.JoinedStr):
            for part in child.values:
                if isinstance(part, ast.FormattedValue):
                    yield from _in_order(part, hidden)
        else:
            yield from _in_order(child, hidden)


def _text_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else "{" + _blank(part) + "}"
        for part in node.values
    )


def _blank(part: ast.expr) -> str:
    """A blank of an f-string: its expression, or … for a long one."""
    text = ast.unparse(part.value) if isinstance(part, ast.FormattedValue) else ""
    return text if len(text) <= 30 else "…"


def _of_the_code(tree: ast.Module) -> Iterator[ast.AST]:
    """What is no text for a user: docstrings of functions, patterns, examples, types, comparisons, keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node
        if isinstance(node, (ast.Compare, ast.Subscript)):
            yield from (n for n in ast.walk(node) if isinstance(n, ast.Constant))
        if isinstance(node, ast.arg):
            yield node
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in REGEXES and node.args:
                yield node.args[0]
            if called in ("rule", "by_words"):
                yield from node.args[5:]
                yield from (k.value for k in node.keywords)
            if called == "path":
                yield node


def _a_name(text: str) -> bool:
    """Whether a text is a class of the drawings, a regular expression, or markup."""
    words = set(text.replace("{", " ").replace("}", " ").split())
    return (
        words <= SHAPES
        or re.search(r"\(\?|\\[bwsd]|[\w-]+:var\(|</?\w+[ >]|stroke|fill-opacity|\w\{--", text) is not None
    )


if __name__ == "__main__":
    PAGE.write_text("\n".join(page()), encoding="utf-8")
