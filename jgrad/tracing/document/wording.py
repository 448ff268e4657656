"""How an answer reads outside of a notebook: lines as `train.py:12`, and what to do without magics.

Sentences are written for a notebook, where a line of the cell is "line 3" and `%%trace` stands above it. Here they are put into the words of a
program. `Wording` says which file the lines without a file are in. A test puts all texts of the catalogue through it, and looks for
words that are left.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

from jgrad.tracing.document.passage import LINES
from jgrad.tracing.document.schema import TraceDocument


class Wording(NamedTuple):
    """The file whose lines a trace has."""

    file: str
    """What sentences call it: `train.py`."""
    before: int = 0
    """How many lines of the file come before the first line of the trace."""

    @classmethod
    def of(cls, document: TraceDocument) -> Wording | None:
        """How sentences about a trace read; None for a cell."""
        file = document.get("file")
        return None if file is None else cls(file, document.get("first", 1) - 1)

    def entries(self) -> TraceDocument:
        """What a document says of this."""
        first = {"first": self.before + 1} if self.before else {}
        return cast(TraceDocument, {"file": self.file, **first})

    def words(self, text: str) -> str:
        """A text in the words of a program."""
        return _without_magics(self._with_files(text))

    def _with_files(self, text: str) -> str:
        """A text in which each line is named with its file: "line 3 of f (net.py, called at line 7)" is "net.py:3 in f (called at train.py:7)"."""
        parts: list[str] = []
        files: dict[str, str] = {}  # of functions: a text names the file once
        at = 0
        for match in LINES.finditer(text):
            if match["title"]:
                continue
            parts.append(text[at : match.start()])
            at = match.end()
            function, within = match["function"], match["within"]
            if within:
                files[function] = within
            file = match["file"] or match["module"] or files.get(function)
            numbers = [int(n) for n in re.findall(r"\d+", _lines_of(match))]
            if file is None:
                file, numbers = self.file, [n + self.before for n in numbers]
            places = [f"{file}:{number}" for number in numbers]
            parts.append(" and ".join([", ".join(places[:-1])] * (len(places) > 1) + places[-1:]))
            if function:
                parts.append(f" in {function}")
            if within:  # it ends within a parenthesis
                closed = text[at : at + 1] == ")"
                parts.append("" if closed else " (")
                at += 1 if closed else 2 * text.startswith(", ", at)
        return "".join([*parts, text[at:]])


def in_its_words(document: TraceDocument) -> TraceDocument:
    """A document as it is shown: that of a program names all lines with their files, as `train.py:12`. The lines of a block count from its own first
    one, as the pictures have them."""
    wording = Wording.of(document)
    if wording is None or wording.before:
        return document

    def said(one: Any) -> Any:
        return {**one, "text": wording.words(one["text"])}

    found = {**document, "steps": [*map(said, document["steps"])], "notes": [*map(said, document["notes"])]}
    diagnosis = document.get("diagnosis")
    if diagnosis is not None:
        sentences = {key: [*map(said, diagnosis[key])] for key in ("headline", "more", "repair")}
        found["diagnosis"] = {**diagnosis, **sentences}
    return cast(TraceDocument, found)


def _lines_of(match: re.Match[str]) -> str:
    """The numbers that a place names: "lines 3 and 5"."""
    start = match.end("file") if match["file"] else match.start()
    end = next((match.start(group) for group in ("module", "function") if match[group]), match.end())
    return match.string[start:end]


# What a sentence says of a cell or a magic, and what it says of a program. The first pattern that fits a place wins.
WORDS = [
    (r"write %%trace in the first line of (?:its|the) cell, and %why", "run the program by `jgrad run`, which"),
    (r"write %%trace in its first line, and %why", "run it by `jgrad run`, which"),
    (r"`%%trace --rounds ([^`]+)`", r"`jgrad run --rounds \1`"),
    (r"Trace a step of the training with %%trace, then %why (\S+)", r"Trace a step of the training with jgrad.trace(), then jgrad.why(\1)"),
    (r"Ask %why about the error", "Ask jgrad.why() about the error"),
    (r"(?<=Ask )%why (\S+)", r"jgrad.why(\1)"),
    (r"%why(?= (?:itself|knows|found|names|can))", "jgrad"),
    (r"%why (\S+)", r"jgrad.why(\1)"),
    (r"\b([Tt]he|[Tt]his) cell(?= (?:was (?:interrupted|stopped)|raised)|\b(?! (?:of|that|is|\d)))", r"\1 program"),
]  # fmt: skip


def _without_magics(text: str) -> str:
    for pattern, words in WORDS:
        text = re.sub(pattern, words, text)
    return text
