"""How an answer of `%why` is shown in a notebook: its text as HTML that wraps, the lines it names as links, code to copy in blocks.

As with traces, a saved notebook keeps static HTML. A link needs a trace on the screen to move: if one is there, a widget shows the same text with
links, and hides the HTML. The text comes as `Passage`s; here it is divided into the parts that both show.
"""

from __future__ import annotations

import ast
import hashlib
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jgrad.trace.document.index import TraceIndex
from jgrad.trace.document.passage import Passage
from jgrad.views import widget
from jgrad.views.text import printable

# "line 3", "lines 3 and 5 of trace 'mine'", "cell 4, line 3", "line 3 of f (cell 4, called at line 7)"
LINES = re.compile(
    r"(?:(?P<file>cell \d+|[^\s,()]+\.py|<\w+>), )?\blines? \d+(?:(?:, \d+)* and \d+)?"
    r"(?: of (?P<title>trace (?:'[^']*'|\"[^\"]*\")|cell \d+|another cell)"
    r"| of (?P<module>[^\s,()]+\.py)"
    r"| of (?P<function>a lambda|a generator expression|[^\W\d][\w.]*)"
    r"(?: \((?P<within>cell \d+|another cell|a cell of another session|[^\s,()]+\.py|<[\w ]+>))?)?"
)
CALLS = r"(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\][\n]*\])"
VALUE = rf"[^\W\d]\w*(?:\.[^\W\d]\w*|{CALLS})+"
CODE = re.compile(
    rf"`(?P<quoted>[^`\n]+)`|(?P<set>{VALUE}|[^\W\d]\w*) [-+*/]?= (?P<to>{VALUE}|None|\d[\w.]*)|(?<![\w.]){VALUE}|\b\w+=(?:True|False|None)\b"
)

Part = tuple[
    str, str, int, int
]  # kind ("text", "code" or "line"), text, and of a line its trace and the cursor there
Block = tuple[str, list[Part]]  # "p" or "pre"


class Traces:
    """The traces on the screen, which links can move: by title the log and the widget that shows it."""

    def __init__(self, shown: Mapping[str, tuple[TraceIndex, Any]]) -> None:
        self.titles = [*shown]
        self.logs = [log for log, _ in shown.values()]
        self.models: list[str] = [view.model_id for _, view in shown.values()]

    def title_of(self, log: TraceIndex | None) -> str | None:
        """The title of the trace with this log."""
        both = zip(self.titles, self.logs, strict=True)
        return next((t for t, own in both if log is not None and own.document is log.document), None)

    def link(self, title: str | None, file: str | None, line: int, until: int | None) -> tuple[int, int]:
        """(number of the model, cursor) of the last step at a line, at best not after step `until`; (-1, 0) if it can't be shown. `file`: the
        cell or file of the line, if that is not the cell of the trace."""
        if title not in self.titles:
            return -1, 0
        number = self.titles.index(title)
        log = self.logs[number]
        steps = [i for i, step in enumerate(log.steps) if step["line"] == line]
        if file is not None:
            sources = {i for i, one in enumerate(log.document.get("sources", ())) if one["name"] == file}
            calls = [(call["source"] in sources, call["line"]) for call in log.document.get("calls", ())]
            steps = [i for i, s in enumerate(log.steps) if "call" in s and calls[s["call"]] == (True, line)]
        found = [i for i in steps if until is None or i <= until] or steps
        return (number, found[-1] + 1) if found else (-1, 0)


def blocks(passages: Sequence[Passage], traces: Traces, known: Callable[[str], bool]) -> list[Block]:
    """Paragraphs, and below each the code that its repair proposes. `known`: whether a name is a variable of the user's."""
    found: list[Block] = []
    for passage in passages:
        for text in filter(None, printable_lines(passage.text)):
            title = traces.title_of(passage.log)
            found.append(("p", list(_parts(text, passage, title, traces))))
            found += [("pre", [("code", code, -1, 0)]) for code in _proposed(text, passage, known)]
    return found


def printable_lines(text: str) -> list[str]:
    """The lines of a text, without characters that move the cursor of a terminal."""
    return [printable(line) for line in text.split("\n")]


def _parts(text: str, passage: Passage, own: str | None, traces: Traces) -> Iterator[Part]:
    at = 0
    files: dict[str, str] = {}  # of functions: a text names the file once
    for match in LINES.finditer(text):
        yield from _with_code(text[at : match.start()])
        if match["within"]:
            files[match["function"]] = match["within"]
        file = match["file"] or match["module"] or files.get(match["function"])
        title = match["title"] or own
        if file in traces.titles:
            title, file = file, None
        begin = match.end("file") if match["file"] else match.start()
        of = next((group for group in ("title", "module", "function") if match[group]), None)
        end = match.end() if of is None else match.start(of)
        if begin > match.start():
            yield "text", text[match.start() : begin], -1, 0
        for word in re.finditer(r"(?:\blines? )?\d+|(?:(?!\blines? \d)\D)+", text[begin:end]):
            number = re.search(r"\d+$", word[0])
            model, cursor = traces.link(title, file, int(number[0]), passage.until) if number else (-1, 0)
            yield ("line" if model >= 0 else "text", word[0], model, cursor)
        at = end
    yield from _with_code(text[at:])


def _with_code(text: str) -> Iterator[Part]:
    at = 0
    for match in CODE.finditer(text):
        if match.start() > at:
            yield "text", text[at : match.start()], -1, 0
        yield "code", match["quoted"] or match[0], -1, 0
        at = match.end()
    if text[at:]:
        yield "text", text[at:], -1, 0


def _proposed(text: str, passage: Passage, known: Callable[[str], bool]) -> list[str]:
    """The statements that the repair in a text, which is what follows its first sentence, tells the user to write."""
    repair = re.split(r"(?<=[.:)]) (?=[A-Z])", text, maxsplit=1)[1:]
    found: list[str] = []
    for match in CODE.finditer("".join(repair)):
        code = match["quoted"] or match[0]
        if code.endswith(":") and passage.source:
            code = f"{code}\n    {passage.source.strip()}"
        if "..." not in code and (_acts(code)) and all(map(known, _names(code))):
            found.append(code)
    return list(dict.fromkeys(found))[:2]


def _acts(code: str) -> bool:
    """Whether code is a statement by itself: a call of a method, an assignment, a block. (`retain_graph=True` is an argument.)"""
    if re.fullmatch(r"\w+=\w+", code):
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


def static(found: Sequence[Block], name: str) -> str:
    """The HTML that a saved notebook keeps."""
    inside = []
    for kind, parts in found:
        texts = (
            f"<code>{html.escape(t)}</code>" if k == "code" and kind == "p" else html.escape(t)
            for k, t, *_ in parts
        )
        inside.append(f"<{kind}>{''.join(texts)}</{kind}>")
    style = (widget.STATIC / "answer.css").read_text(encoding="utf-8").strip()
    return f'<style>{style}</style><div class="jgrad-why" data-jgrad-answer="{name}">{"".join(inside)}</div>'


def show(passages: Sequence[Passage], traces: Traces, known: Callable[[str], bool]) -> Any:
    """Show an answer: printed in a terminal, displayed in a notebook. Returns the widget, if there is one."""
    text = "\n".join("\n".join(printable_lines(passage.text)) for passage in passages)
    shell = widget._shell()
    if shell is None:
        print(text)
        return None
    from IPython.display import display

    key = widget.cell_id(shell)
    place = widget._place(key, shell)
    found = blocks(passages, traces, known)
    name = hashlib.sha256(f"{key} {len(place)} {text}".encode("utf-8", "replace")).hexdigest()[:12]
    display({"text/plain": text, "text/html": static(found, name)}, raw=True)
    cls = answer_class()
    if cls is None or not any(part[0] == "line" for _, parts in found for part in parts):
        return None
    live = cls(
        blocks=[[kind, [list(part) for part in parts]] for kind, parts in found],
        models=traces.models,
        twin=name,
    )
    place.append(live)
    display(live)
    return live


@cache
def answer_class() -> Any:
    """The class `AnswerWidget`; None without anywidget or without the built front end."""
    if widget.widget_class() is None or not (widget.STATIC / "answer.js").is_file():
        return None
    import traitlets

    class AnswerWidget(widget.widget_base()):  # type: ignore[misc]
        """An answer whose lines are links."""

        _esm, _css = (
            (widget.STATIC / f"answer.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
        )
        blocks: Any = traitlets.List().tag(sync=True)
        models = traitlets.List(traitlets.Unicode()).tag(sync=True)
        twin = traitlets.Unicode("").tag(sync=True)

    return AnswerWidget
