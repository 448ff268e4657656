"""Names, sources, values, dtypes, messages and loaded documents are data: nothing of them becomes markup, or moves a terminal's cursor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import jgrad
from jgrad import views
from jgrad.notebook.tables import Table
from jgrad.tracing import explain
from jgrad.views.compare import SideBySide
from jgrad.views.svg import lower as in_svg
from jgrad.views.text import lower as in_text
from jgrad.views.twin import twin
from tests.record.tracing import trace

pytestmark = pytest.mark.quick

DOCUMENTS = Path(__file__).parents[1] / "fixtures" / "documents"
HOSTILE = "<img src=x onerror=alert(1)></text><script>alert(1)</script>\"'&]]>{lead}{0}%s\x1b[31m\x07\r\u202e"
PROGRAM = """
parts = {name: jgrad.ones(3, requires_grad=True)}
x = parts[name]
y = x.exp()
out = jgrad.zeros(3).scatter_(0, jgrad.tensor([0, 1]), jgrad.ones(2))
y.add_(1)
if fails:
    raise RuntimeError(name)
"""
# What a reader holds to a list of known words, and refuses otherwise.
KNOWN = {"kind", "severity", "origin", "action", "schema", "reduce", "code"}


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    recorded = trace(PROGRAM, {"name": HOSTILE, "fails": True}).document
    yield "recorded", recorded
    yield "loaded", spoilt(recorded)


def spoilt(thing: Any, key: str = "") -> Any:
    """A document with the hostile text in every string that is free."""
    if isinstance(thing, dict):
        return {k: spoilt(v, k) for k, v in thing.items()}
    if isinstance(thing, list):
        return [spoilt(v, key) for v in thing]
    return f"{HOSTILE}{thing}" if isinstance(thing, str) and key not in KNOWN else thing


def markup_of(svg: str) -> None:
    """That an SVG is XML of nothing but shapes and text."""
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.rpartition("}")[2] in (
            "svg", "title", "desc", "style", "rect", "text", "path", "g",
        )  # fmt: skip
        assert not any(name.lower().startswith("on") or "href" in name for name in element.attrib)


def plain(text: str) -> None:
    """That a text moves no terminal's cursor and changes no colour."""
    assert all(ch == "\n" or ch.isprintable() for ch in text)


@pytest.mark.parametrize("kind", ["recorded", "loaded"])
def test_views_of_hostile_documents(kind: str) -> None:
    document = dict(documents())[kind]
    try:
        shown = views.applicable(document)
    except views.DocumentError:
        pytest.fail("a document with strange strings is sound all the same")
    for view in shown:
        for cursor in (0, len(document["steps"]) // 2, None):
            markup_of(views.svg(document, view, cursor))
            plain(views.text(document, view, cursor))
    page = twin([views.scene(document, view) for view in shown], HOSTILE)
    assert "<script" not in page
    assert page.count("<img") == len(shown)
    assert re.findall(r"\son\w+=", re.sub(r'"[^"]*"', '""', page)) == []


def test_a_comparison_of_hostile_documents() -> None:
    first, second = (document for _, document in documents())
    found = SideBySide(first, second, names=(HOSTILE, "b"))
    page = found._repr_html_()
    assert page.count("<img") == 1
    assert "<script" not in page
    plain(repr(found))


def test_what_is_said_of_hostile_names_and_messages() -> None:
    """Braces in what fills the blanks of a sentence are no blanks (and %why prints nothing unprintable: see tests/notebook/test_why.py)."""
    t = trace(PROGRAM, {"name": HOSTILE, "fails": True})
    assert explain.findings(explain.Log(spoilt(t.document)))
    for rule in (*explain.ERRORS, *explain.OPERATIONS, *explain.WARNINGS):
        message = re.sub(r"\(\?P<\w+>.*?\)", "7", rule.raised[1])
        said = explain.because(explain.Incident(rule.raised[0].split("|")[0], f"{HOSTILE}{message}{HOSTILE}"))
        assert said.count("{0}") in (0, 1, 2)
    assert HOSTILE in explain.reason(explain.Subject.live(HOSTILE, jgrad.ones(1)))["text"]


def test_tables_escape_what_they_show() -> None:
    page = Table([HOSTILE], [[HOSTILE]])._repr_html_()
    assert "<img" not in page
    assert "<script" not in page


BROKEN: tuple[Any, ...] = (None, -1, 10**18, float("nan"), True, "x", [], [None], [[[]]], {}, {"x": 1})


def breakable() -> Iterator[tuple[dict[str, Any], Any, Any]]:
    """For each kind of part that documents have, one that has it, the thing that holds the part, and its key there."""
    known = set()

    def parts(thing: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
        for key, part in list(thing.items() if isinstance(thing, dict) else enumerate(thing)):
            here = (*path, key if isinstance(key, str) else "")
            if here not in known:
                known.add(here)
                yield thing, key
            if isinstance(part, (dict, list)):
                yield from parts(part, here)

    for file in sorted(DOCUMENTS.glob("*.json"), key=lambda file: file.stat().st_size):
        document = json.loads(file.read_text(encoding="utf-8"))
        yield from ((document, *found) for found in parts(document, ()))


@pytest.mark.slow
def test_broken_documents_are_refused_with_a_sentence_or_shown() -> None:
    """Each kind of part in turn is taken away, or replaced by each kind of nonsense."""
    refused = shown = 0
    for document, thing, key in breakable():
        sound = thing[key]
        for broken in (*BROKEN, thing):  # the last one: a document within itself, which no file can hold
            thing[key] = broken
            known = looked_at(document)
            refused, shown = refused + (not known), shown + known
        if isinstance(thing, dict):
            del thing[key]
            refused += not looked_at(document)
        thing[key] = sound
    assert refused > 2 * shown > 200


def looked_at(document: dict[str, Any]) -> bool:
    """Whether a document is sound; then everything that reads it must be able to."""
    refusal = ""
    try:
        names = views.applicable(document)
    except views.DocumentError as error:
        refusal = str(error)
    if refusal:
        assert re.match(r"the trace document is damaged|this document has", refusal)
        assert len(refusal) < 300
        return False
    for view in names:
        for cursor in (1, None):
            made = views.scene(document, view, cursor)
            in_svg(made), in_text(made)
    assert isinstance(explain.findings(explain.Log(document)), list)
    repr(SideBySide(document, document))
    return True


@pytest.mark.parametrize(
    "content", ["", "[]", "3", "null", '"x"', "{}", "[" * 100_000, '{"schema": ["jgrad-trace/2"]}', "\0\1\2"]
)
def test_files_that_are_no_trace_are_refused_with_a_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(ValueError, match="trace document"):
        jgrad.trace.load(tmp_path / "t.json")


def test_bytes_that_are_no_text_are_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="trace document"):
        jgrad.trace.load(tmp_path / "t.json")


def test_a_saved_trace_is_data(tmp_path: Path) -> None:
    t = trace(PROGRAM, {"name": HOSTILE, "fails": False})
    t.save(tmp_path / "t.json")
    assert jgrad.trace.load(tmp_path / "t.json") == json.loads(json.dumps(t.document))
