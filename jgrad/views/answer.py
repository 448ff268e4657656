"""How an answer of `%why` is shown in a notebook: its text as HTML that wraps, the lines it names as links, code to copy in blocks.

As with traces, a saved notebook keeps static HTML. A link needs a trace on the screen to move: if one is there, a widget shows the same text with
links, and hides the HTML. The text comes as `Passage`s; here it is divided into the parts that both show.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.passage import Passage, cursor_at, divided, printable, proposed
from jgrad.views import widget
from jgrad.views.transport import STATIC

# Kind ("text", "code" or "line"), text, and of a line its trace and the cursor there.
Part = tuple[str, str, int, int]
Block = tuple[str, list[Part]]  # "p" or "pre"
# What stands below an answer whose links lead nowhere any more.
GONE = [
    ["text", "This is about an earlier run of the cell, whose views are gone: ask again for links.", -1, 0]
]


class Hidden:
    """The views of a trace that nobody displayed, such as one of `%%trace --no-show`: they come below an answer when a link to them is followed."""

    model_id = ""

    def __init__(self, opened: Callable[[], Any]) -> None:
        """`opened`: makes the widget; it may give None."""
        self.opened = opened


class Traces:
    """The traces that links can move: by title the log, and the widget that shows it or a `Hidden`."""

    def __init__(self, shown: Mapping[str, tuple[TraceIndex, Any]]) -> None:
        self.titles = [*shown]
        self.logs = [log for log, _ in shown.values()]
        self.views = [view for _, view in shown.values()]
        self.models: list[str] = [view.model_id for view in self.views]

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
        cursor = cursor_at(self.logs[number].document, file, line, until)
        return (-1, 0) if cursor is None else (number, cursor)


def blocks(passages: Sequence[Passage], traces: Traces, known: Callable[[str], bool]) -> list[Block]:
    """Paragraphs, and below each the code that its repair proposes. `known`: whether a name is a variable of the user's."""
    found: list[Block] = []
    for passage in passages:
        for text in filter(None, printable_lines(passage.text)):
            title = traces.title_of(passage.log)
            found.append(("p", list(_parts(text, passage, title, traces))))
            found += [("pre", [("code", code, -1, 0)]) for code in proposed(text, known, passage.source)]
    return found


def printable_lines(text: str) -> list[str]:
    """The lines of a text, without characters that move the cursor of a terminal."""
    return [printable(line) for line in text.split("\n")]


def _parts(text: str, passage: Passage, own: str | None, traces: Traces) -> Iterator[Part]:
    for kind, words, line in divided(text):
        number, cursor = -1, 0
        if line is not None:
            title, file = line.title or own, line.file
            if file in traces.titles:
                title, file = file, None
            number, cursor = traces.link(title, file, line.number, passage.until)
        yield kind if kind != "line" or number >= 0 else "text", words, number, cursor


def static(found: Sequence[Block], name: str) -> str:
    """The HTML that a saved notebook keeps."""
    inside = []
    for kind, parts in found:
        texts = (
            f"<code>{html.escape(t)}</code>" if k == "code" and kind == "p" else html.escape(t)
            for k, t, *_ in parts
        )
        inside.append(f"<{kind}>{''.join(texts)}</{kind}>")
    style = (STATIC / "answer.css").read_text(encoding="utf-8").strip()
    return f'<style>{style}</style><div class="jgrad-why" data-jgrad-answer="{name}">{"".join(inside)}</div>'


def show(passages: Sequence[Passage], traces: Traces, known: Callable[[str], bool]) -> Any:
    """Show an answer: printed in a terminal, displayed in a notebook. Returns the widget, if there is one."""
    text = "\n".join("\n".join(printable_lines(passage.text)) for passage in passages)
    shell = widget._shell()
    if shell is None:
        print(text)
        return None
    found = blocks(passages, traces, known)
    return _display(shell, text, partial(static, found), found, traces)


def show_line(said: str, picture: str, opened: Callable[[], Any], cursor: int) -> Any:
    """Show a line about a trace that nobody displayed, in a notebook. A button at its end opens the views. Where no script runs, a picture is folded
    below the line."""
    line: list[Part] = [("text", f"{said} ", -1, 0), ("line", "Show the steps.", 0, cursor)]
    traces = Traces({})
    traces.views, traces.models = [Hidden(opened)], [Hidden.model_id]

    def folded(name: str) -> str:
        return (
            f'<details data-jgrad-answer="{name}"><summary>{html.escape(said)}</summary>{picture}</details>'
        )

    return _display(widget._shell(), said, folded, [("p", line)], traces)


def _display(shell: Any, text: str, page: Callable[[str], str], found: list[Block], traces: Traces) -> Any:
    """Display the HTML that a saved notebook keeps, which is `page` of the answer's name, and in its place a widget with links, if one can be made."""
    from IPython.display import display

    key = widget.cell_id(shell)
    place = widget._place(key, shell)
    name = hashlib.sha256(f"{key} {len(place)} {text}".encode("utf-8", "replace")).hexdigest()[:12]
    display({"text/plain": text, "text/html": page(name)}, raw=True)
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
    for number, view in enumerate(traces.views):
        if not isinstance(view, Hidden):
            _watch(live, number, view)
    live.on_msg(partial(_asked, traces, place))
    return live


def _asked(traces: Traces, place: list[Any], live: Any, content: Any, _: Any) -> None:
    """A reader followed a link to a trace whose views are hidden."""
    number: Any = content.get("open") if isinstance(content, dict) else None
    hidden = traces.views[number] if number in range(len(traces.views)) else None
    if isinstance(hidden, Hidden):
        view = hidden.opened()
        if view is None:
            _cut(live, number)
            return
        place.append(view)  # it goes when the answer goes
        traces.views[number] = view
        _watch(live, number, view)
        live.models = [one.model_id for one in traces.views]


def _watch(live: Any, number: int, view: Any) -> None:
    view.observe(lambda change: _cut(live, number) if change["new"] is None else None, "comm")


def _cut(live: Any, number: int) -> None:
    """The views of a trace are closed, as when its cell runs again: its lines in an answer are no links any more, and the answer says so."""
    if live.comm is None:
        return
    linked = any(part[0] == "line" and part[2] == number for _, parts in live.blocks for part in parts)
    if linked:
        plain = [
            [kind, [["text", *part[1:]] if part[2] == number else part for part in parts]]
            for kind, parts in live.blocks
            if parts != GONE
        ]
        live.blocks = [*plain, ["p", GONE]]


@cache
def answer_class() -> Any:
    """The class `AnswerWidget`; None without anywidget or without the built front end."""
    if widget.widget_class() is None or not (STATIC / "answer.js").is_file():
        return None
    import traitlets

    class AnswerWidget(widget.widget_base()):  # type: ignore[misc]
        """An answer whose lines are links."""

        _esm, _css = ((STATIC / f"answer.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
        blocks: Any = traitlets.List().tag(sync=True)
        models = traitlets.List(traitlets.Unicode()).tag(sync=True)
        twin = traitlets.Unicode("").tag(sync=True)

    return AnswerWidget
