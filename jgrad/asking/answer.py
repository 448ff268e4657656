"""What a question is answered with: sentences, as text and as HTML, and the rules, places and repairs behind them as data."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from jgrad import warn
from jgrad.asking.question import about_incident, named, repair_of
from jgrad.tracing import explain
from jgrad.tracing.document.passage import Passage, divided, printable, proposed
from jgrad.tracing.document.schema import Note
from jgrad.tracing.document.wording import Wording
from jgrad.tracing.explain.edits import Overlap, diffs
from jgrad.tracing.explain.traces import Recorded

recent: deque[Any] = deque(maxlen=10)  # the traces that were recorded, the last one at the end
active: list[Any] = []  # those whose blocks run, the innermost at the end


class Place(NamedTuple):
    """A line that an answer names."""

    file: str
    """`train.py`, `cell 4`; empty for the cell or block that was traced."""
    line: int


@dataclass
class Answer:
    """What `jgrad.why` and `trace.why` return. `str(answer)` is its text; a notebook shows it as `%why` does.

    `found` says whether there is anything to say: an error, a remark, an answer to a question. If not, the text says what was looked at.
    """

    passages: list[Passage]
    wording: Wording | None = None
    """How that reads which is not about a trace; None in a notebook."""
    found: bool = True
    names: Collection[str] = ()
    """The variables of the program that asked."""

    def __str__(self) -> str:
        return "\n".join(map(self._words, self.passages))

    def __repr__(self) -> str:
        return str(self)

    def __bool__(self) -> bool:
        return self.found

    def _words(self, passage: Passage) -> str:
        wording = self._wording(passage)
        text = passage.text if wording is None else wording.words(passage.text)
        return "\n".join(map(printable, text.split("\n")))

    def _wording(self, passage: Passage) -> Wording | None:
        return self.wording if passage.log is None else Wording.of(passage.log.document)

    @property
    def rules(self) -> list[str]:
        """The codes of the rules behind it, as the catalogue of mistakes lists them."""
        return list(dict.fromkeys(passage.code for passage in self.passages if passage.code))

    @property
    def places(self) -> list[Place]:
        """The lines that it names, in the order of its sentences."""
        found = []
        for passage in self.passages:
            wording = self._wording(passage)
            for _, _, line in divided(passage.text):
                if line is None or line.title is not None:
                    continue
                if line.file is not None or wording is None:
                    found.append(Place(line.file or "", line.number))
                else:
                    found.append(Place(wording.file, line.number + wording.before))
        return list(dict.fromkeys(found))

    @property
    def repairs(self) -> list[str]:
        """The statements that it tells to write."""
        known = self.names.__contains__
        return [code for p in self.passages for code in proposed(p.text, known, p.source)]

    @property
    def diff(self) -> str:
        """The first repair that is an edit of the code, as a diff; empty where no edit fits for certain. It was not tried."""
        for passage in self.passages:
            if passage.repair is not None:
                wording = self._wording(passage)
                of = () if wording is None else (wording.file, wording.before)
                try:
                    return "\n".join(map(printable, diffs(passage.repair, *of).split("\n")))
                except Overlap:
                    continue
        return ""

    def _repr_html_(self) -> str:
        from jgrad.views.answer import Traces, blocks, static

        return static(blocks(self.passages, Traces({}), self.names.__contains__), "")

    def _ipython_display_(self) -> None:
        self.show()

    def show(self) -> None:
        """Show it as `%why` does: printed in a terminal, displayed in a notebook. Its lines move the traces that are on the screen, and open others."""
        from jgrad.views.answer import Hidden, Traces, show

        about = [passage.log.document for passage in self.passages if passage.log is not None]
        shown: dict[str, tuple[explain.Log, Any]] = {}
        for trace in recent:
            view = trace.view()
            if view is None and any(trace.made is document for document in about):
                view = Hidden(trace.opened)
            if view is not None:
                log = explain.Log(trace.document)
                shown[log.title()] = log, view
        show(self.passages, Traces(shown), self.names.__contains__)


def whole(traces: Iterable[Recorded]) -> list[Recorded]:
    """The traces that can be asked: one that a bug in jgrad broke has no document, and the others know something all the same."""
    found = []
    for trace in traces:
        with suppress(RuntimeError):
            _ = trace.document
            found.append(trace)
    return found


def remarks(log: explain.Log, tensor: int | None = None) -> list[Passage]:
    """What is remarkable about a trace, or about one tensor in it, the gravest first."""
    notes = sorted(log.document["notes"], key=lambda n: explain.SEVERITIES.index(n["severity"]))
    return [
        Passage(n["text"], log, n["step"], code=n["code"], repair=repair_of(explain.edits_of(n), log))
        for n in notes
        if tensor is None or tensor in n["tensors"]
    ]


def about_error(
    error: BaseException,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded] = (),
    cells: Mapping[int, str] | None = None,
    is_recorded: bool = False,
) -> list[Passage]:
    """Why an error was raised, and, of an interrupt, what was remarkable until then. `is_recorded`: it was raised in a block that is being recorded."""
    incident = explain.Incident.of_error(error, variables, traces, cells)
    incident.untraced = incident.untraced and not is_recorded
    interrupted = incident.log if isinstance(error, KeyboardInterrupt) else None
    found = [] if interrupted is None else remarks(interrupted)
    return named([about_incident(incident), *found], dict(variables))


def about_warnings(warnings: Sequence[warn.Said], notes: Sequence[Note]) -> list[Passage]:
    """What is to be said of warnings, but for what these notes of a trace say already."""
    found: dict[str, Passage] = {}
    follows = explain.followed_by({n["code"] for n in notes})
    for said in warnings:
        incident = explain.Incident.of_warning(said)
        answer = explain.why_raised(incident)
        if answer is None or answer[0].code in follows:
            continue
        rule, text, blanks = answer
        same = [n for n in notes if n["code"] == rule.traced and incident.line in (None, *n["lines"])]
        # Of a .grad the trace knows more than the warning about it.
        same += [n for n in notes if n["text"].startswith(f"{blanks.get('name')}.grad ")]
        # A remark that names its line says what came of it.
        same += [n for n in notes if n["severity"] != "info" and f"line {incident.line} " in n["text"]]
        if not same:
            found.setdefault(text, Passage(text, code=rule.code))
    return [*found.values()]
