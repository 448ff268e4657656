"""A trace in a terminal: at most 40 lines, the answer first."""

from __future__ import annotations

from pathlib import Path

import pytest

import jgrad
from jgrad.views.text import BRIEF, WIDE
from jgrad.views.widget import in_brief
from tests.mirrors.both import record
from tests.views.documents import FIXTURES

LOOP = """
w = torch.ones(30, 40, requires_grad=True)
others = [torch.ones(3, requires_grad=True) for _ in range(60)]
for i in range(50):
    loss = (w * w).sum() + sum(o.sum() for o in others)
    loss.backward()
"""


def test_a_long_trace_has_forty_lines_and_the_answer_first() -> None:
    t = record(LOOP, jgrad)
    lines = str(t).splitlines()
    headline = "".join(part["text"] for part in t.document["diagnosis"]["headline"])
    assert len(lines) <= BRIEF
    assert " ".join(lines[:4]).startswith(headline[:60])
    assert "trace.show([" in lines[-1]


def test_a_short_trace_is_printed_as_a_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A text is WIDE where nothing is known of a terminal.
    monkeypatch.setenv("COLUMNS", str(WIDE))
    t = record("x = torch.ones(2)\ny = x[:1]", jgrad)
    t.show()
    assert capsys.readouterr().out.rstrip() == str(t)
    t.show(["storage"])
    assert capsys.readouterr().out.rstrip() in str(t)


def test_a_view_that_was_asked_for_is_printed_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    record(LOOP, jgrad).show(["timeline"])
    assert len(capsys.readouterr().out.splitlines()) > BRIEF


@pytest.mark.parametrize("path", (FIXTURES / "documents").glob("*.json"), ids=lambda path: path.stem)
def test_every_document_is_brief(path: Path) -> None:
    lines = in_brief(jgrad.trace.load(path)).splitlines()
    assert 0 < len(lines) <= BRIEF
    assert max(map(len, lines)) <= 130


def test_a_trace_that_still_runs_has_its_name() -> None:
    with jgrad.trace("mine") as t:
        assert str(t) == repr(t) == "<jgrad.trace 'mine'>"
