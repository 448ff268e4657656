"""Sentences about a trace, and their parts: which words are code, which name a line, what code they propose."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.schema import TraceDocument

# "line 3", "lines 3 and 5 of trace 'mine'", "cell 4, line 3", "line 3 of f (cell 4, called at line 7)"
LINES = re.compile(
    r"(?:(?P<file>cell \d+|[^\s,()]+\.py|<\w+>), )?\blines? \d+(?:(?:, \d+)* and \d+)?"
    r"(?: of (?P<title>trace (?:'[^']*'|\"[^\"]*\")|cell \d+|another cell)"
    r"| of (?P<module>[^\s,()]+\.py)"
    r"| of (?P<function>a lambda|a generator expression|[^\W\d][\w.]*)"
    r"(?: \((?P<within>cell \d+|another cell|a cell of another session|[^\s,()]+\.py|<[\w ]+>))?)?"
)
CALLS = r"(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\][\n]*\])"
VALUE = rf"(?:[^\W\d]\w*|\((?:[^()\n]|\([^()\n]*\))*\)(?=\.))(?:\.[^\W\d]\w*|{CALLS})+"
NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"
TERM = rf"(?:{VALUE}|[^\W\d]\w*|{NUMBER}|\((?:[^()\n]|\([^()\n]*\))*\))"
SUM = rf"{TERM}(?: (?:[-+*/@]|==) {TERM})+"  # of at least two terms
CODE = re.compile(
    rf"`(?P<quoted>[^`\n]+)`|(?P<set>{VALUE}|[^\W\d]\w*) [-+*/]?= (?P<to>{SUM}|{VALUE}|None|True|False|\d[\w.]*)"
    rf"|(?<![\w.]){SUM}|(?<![\w.=]){VALUE}|\b\w+=(?:True|False|None|{VALUE}|{NUMBER}|(?= ))"
)


@dataclass
class Repair:
    """What sentences propose as edits (`explain.edits.Edit`) of the lines of a cell, or of a file. `files` knows, by the name of a file, passages of it:
    the number of the first line, and the lines."""

    edits: Sequence[Any]
    cell: Sequence[str]
    files: Mapping[str, Sequence[tuple[int, Sequence[str]]]]


@dataclass
class Passage:
    """Sentences. `log` is the trace whose lines they name, `until` the last step that they are about, `source` the code that raised, `code` that
    of the rule behind them."""

    text: str
    log: TraceIndex | None = None
    until: int | None = None
    source: str = ""
    code: str = ""
    repair: Repair | None = None


class Line(NamedTuple):
    """A line that a sentence names. `title`: the trace, or the cell, that it says; `file`: the cell or file of its function."""

    number: int
    title: str | None = None
    file: str | None = None


def divided(text: str) -> Iterator[tuple[str, str, Line | None]]:
    """The parts of a sentence: ("text", words, None), ("code", code, None) or ("line", words, the line). All words together are the sentence."""
    at = 0
    files: dict[str, str] = {}  # of functions: a text names the file once
    for match in LINES.finditer(text):
        yield from _with_code(text[at : match.start()])
        if match["within"]:
            files[match["function"]] = match["within"]
        file = match["file"] or match["module"] or files.get(match["function"])
        begin = match.end("file") if match["file"] else match.start()
        of = next((group for group in ("title", "module", "function") if match[group]), None)
        end = match.end() if of is None else match.start(of)
        if begin > match.start():
            yield "text", text[match.start() : begin], None
        for word in re.finditer(r"(?:\blines? )?\d+|(?:(?!\blines? \d)\D)+", text[begin:end]):
            number = re.search(r"\d+$", word[0])
            if number is None:
                yield "text", word[0], None
            else:
                yield "line", word[0], Line(int(number[0]), match["title"], file)
        at = end
    yield from _with_code(text[at:])


def _with_code(text: str) -> Iterator[tuple[str, str, None]]:
    at = 0
    for match in CODE.finditer(text):
        if match.start() > at:
            yield "text", text[at : match.start()], None
        yield "code", match["quoted"] or match[0], None
        at = match.end()
    if text[at:]:
        yield "text", text[at:], None


def cursor_at(document: TraceDocument, file: str | None, line: int, until: int | None) -> int | None:
    """The position of the cursor after the last step at a line, at best not after step `until`; None if there is no step. `file`: the cell or
    file of the line, if that is not the cell of the trace."""
    steps = [i for i, step in enumerate(document["steps"]) if step["line"] == line]
    if file is not None:
        sources = {i for i, one in enumerate(document.get("sources", ())) if one["name"] == file}
        calls = [(call["source"] in sources, call["line"]) for call in document.get("calls", ())]
        steps = [
            i for i, s in enumerate(document["steps"]) if "call" in s and calls[s["call"]] == (True, line)
        ]
    found = [i for i in steps if until is None or i <= until] or steps
    return found[-1] + 1 if found else None


def proposed(text: str, known: Callable[[str], bool], source: str = "") -> list[str]:
    """The statements that the repair in a text, which is what follows its first sentence, tells the user to write. `known`: whether a name is
    a variable of the user's. `source`: the code that raised."""
    return statements(text[_first_sentence(text) :], known, source)


PLACE = re.compile(r"(?:.*\b)?line \d+(?: of [^:]*)?:|[\w./-]+:\d+:")


def _first_sentence(text: str) -> int:
    """How long the first sentence is. In "W.grad is None: W is not a leaf" it goes on after the colon, with a name that it has mentioned."""
    for match in re.finditer(r"(?<=[.:)]) (?=([A-Z]\w*))", text):
        before = text[: match.start()]
        if PLACE.fullmatch(before):
            continue  # "line 2: W.zero_() writes ..."
        if before.endswith(".") or not re.search(rf"\b{match[1]}\b", before):
            return match.end()
    return len(text)


def statements(repair: str, known: Callable[[str], bool], source: str = "") -> list[str]:
    """The statements in a repair."""
    found: list[str] = []
    for match in CODE.finditer(repair):
        code = match["quoted"] or match[0]
        if code.endswith(":") and source:
            code = f"{code}\n    {source.strip()}"
        if "..." not in code and (_acts(code)) and all(map(known, _names(code))):
            found.append(code)
    return list(dict.fromkeys(found))[:2]


def _acts(code: str) -> bool:
    """Whether code is a statement by itself: a call of a method, an assignment, a block. (`retain_graph=True` is an argument.)"""
    if re.match(r"\w+=[^=]", code):
        return False
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):
        return False
    if isinstance(statement, ast.Expr):
        call = statement.value
        return (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr != "parameters"
        )
    return True


def _names(code: str) -> set[str]:
    """The variables that code reads."""
    tree = ast.parse(code)
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def printable(s: str) -> str:
    """A text without characters that would move a terminal's cursor or change its colours."""
    return "".join([ch if ch.isprintable() else " " for ch in s])
