"""No answer stands on an exported page before its question, or beside it outside of its fold, as far as a machine can tell.

A page is read as a reader sees it: what its style sheet hides below a closed fold is not there. That the style sheet does hide it, in a browser, is
the part of `tests/browser/test_page.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("nbconvert")

from jgrad.notebook.export import Exporter
from tests.notebooks import cells

VOID = {"img", "br", "hr", "meta", "link", "input", "col"}
VALUE = re.compile(r"\[[^\[\]]*,[^\[\]]*\]|-?\d+\.\d\d+|-?\d{3,}|[A-Z]\w+(?:Backward\d|Error)")


@dataclass
class Cell:
    """What a page shows of a cell, outside of its folds and of the code of the reader's own exercises."""

    marks: set[str]
    text: str = ""
    code: str = ""
    heading: bool = False
    shown: str | None = None  # what a question has in its fold


class Page(HTMLParser):
    """The cells of a page, in their order, and the numbers of questions whose stretch its style sheet hides."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[Cell] = []
        self.open: list[tuple[str, set[str]]] = []
        self.hides = set(re.findall(r":is\(\.celltag_(jgrad-below-\d+), [^{]*\) \{ display: none \}", page))
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        kinds = set(found.get("class", "").split())
        if "jp-Cell" in kinds:
            self.cells.append(Cell(set()))
        if self.cells:
            cell = self.cells[-1]
            cell.marks |= {kind.removeprefix("celltag_") for kind in kinds if kind.startswith("celltag_")}
            cell.heading |= bool(re.fullmatch("h[1-6]", tag)) and not cell.text.strip()
            if "data-jgrad-shown" in found:
                cell.shown = found["data-jgrad-shown"]
        if tag not in VOID:
            self.open.append((tag, kinds))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        outer = [tag for tag, _ in self.open]
        if not self.cells or "style" in outer or "script" in outer or "details" in outer:
            return
        is_code = any("jp-CodeMirrorEditor" in kinds for _, kinds in self.open)
        if is_code:
            self.cells[-1].code += data
        else:
            self.cells[-1].text += data


def answers(shown: str | None) -> set[str]:
    """The values by which an answer is known: lists, numbers of some digits, and names of nodes and errors. `True` and 3 stand everywhere."""
    found = json.loads(shown or '{"asked": [], "text": "", "error": null}')
    asked = [one.get("text") or one.get("shows") or "" for one in found["asked"]]
    text = "\n".join(asked or [found["text"]])
    return {plain(value) for value in VALUE.findall(text)} | {found["error"]} - {None}


def plain(text: str) -> str:
    """A text without what differs in how numbers are written."""
    return re.sub(r"(?<=\d)\.0*(?!\d)|\s|jgrad\.Size|tensor", "", text)


def told(page: str) -> Iterator[str]:
    """Each answer that stands outside of its fold, and each cell of a stretch that is not hidden."""
    read = Page(page)
    every = read.cells
    for at, question in enumerate(every):
        asked = next((mark for mark in question.marks if mark.startswith("jgrad-asked-")), None)
        if asked is None:
            continue
        below = asked.replace("asked", "below")
        wanted = {one for one in answers(question.shown) if one not in plain(question.code)}
        first = next((k for k in range(at, -1, -1) if every[k].heading), 0)
        end = next((k for k in range(at + 1, len(every)) if every[k].heading), len(every))
        visible = [
            k
            for k in range(first, end)
            # What is below another question is read after that one.
            if not any(mark in read.hides for mark in every[k].marks - question.marks)
        ]
        for k in visible:
            seen = plain(every[k].text + (every[k].code if k < at else ""))
            places = (re.search(rf"(?<![\d.]){re.escape(one)}(?![\d.]*\d)", seen) and one for one in wanted)
            yield from (f"{asked}: {one} in cell {k}" for one in places if one)
        after = next((k for k in visible if k > at), end)
        # A stretch ends at a heading, at an exercise, or at the text of another question.
        is_end = (
            after == end
            or "exercise" in every[after].marks
            or "jgrad-asked" in " ".join(every[after + 1].marks)
        )
        if not is_end or any(below not in every[k].marks for k in range(at + 1, after)):
            yield f"{asked}: cell {after} is not hidden"


def exported(notebook) -> str:
    """The page of a notebook with its texts, without pictures and traces: they take long, and the text of a view has its headline."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "text/plain" in output.get("data", {}):
                for kind in {*output["data"]} & {"text/html", "application/vnd.jgrad.trace+json"}:
                    del output["data"][kind]
    return Exporter().from_notebook_node(notebook)[0]


ALL = [*cells.paths(), *sorted(cells.NOTEBOOKS.glob("*/*.ipynb"))]


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(cells.NOTEBOOKS).with_suffix("")))
def test_no_answer_stands_before_its_question_or_outside_of_its_fold(path: Path) -> None:
    page = exported(cells.load(path))
    assert [*told(page)] == []
