"""How an answer reads in a program: lines with their file, no magic, no cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jgrad
from jgrad.tracing.document.wording import Wording
from tests.words.page import texts

pytestmark = pytest.mark.quick

ROOT = Path(jgrad.__file__).parent
SCRIPT = Wording("train.py")
OF_NOTEBOOKS = re.compile(r"%why|%%\w+|\b[Tt]h(?:e|is) cell\b(?! of| that| is)|\bfirst line\b")


@pytest.mark.parametrize(
    ("said", "in_words"),
    [
        ("line 3: it is 0.", "train.py:3: it is 0."),
        ("lines 3 and 5 write to it.", "train.py:3 and train.py:5 write to it."),
        ("lines 3, 4 and 5 write", "train.py:3, train.py:4 and train.py:5 write"),
        ("line 15 of Net.forward (net.py, called at line 24) saved h", "net.py:15 in Net.forward (called at train.py:24) saved h"),
        ("line 15 of forward (net.py), and line 16 of forward", "net.py:15 in forward, and net.py:16 in forward"),
        ("line 2 of f (called at line 7)", "train.py:2 in f (called at train.py:7)"),
        ("net.py, line 15: it is", "net.py:15: it is"),
        ("line 4 of net.py (run at line 2)", "net.py:4 (run at train.py:2)"),
        ("line 3 (y.mul_(2)) wrote", "train.py:3 (y.mul_(2)) wrote"),
        ("a lambda: line 3 of a lambda (net.py, called at line 9)", "a lambda: net.py:3 in a lambda (called at train.py:9)"),
        ("in line 3 of trace 'other'", "in line 3 of trace 'other'"),
        ("Ask %why model.weight.grad for the reason.", "Ask jgrad.why(model.weight.grad) for the reason."),
        ("Nothing about places.", "Nothing about places."),
    ],
)  # fmt: skip
def test_places_are_named_with_their_file(said: str, in_words: str) -> None:
    assert SCRIPT.words(said) == in_words


def test_lines_of_a_block_are_lines_of_its_file() -> None:
    assert (
        Wording("train.py", 10).words("line 3 of f (net.py, called at line 4)")
        == "net.py:3 in f (called at train.py:14)"
    )


def test_no_text_of_an_answer_speaks_of_a_notebook() -> None:
    """Each text of the catalogue, as it is written in the code with its blanks."""
    files = sorted((ROOT / "tracing" / "explain").rglob("*.py"))
    left = [
        f"{file.name}: {said}"
        for file in files
        for text in texts(file)
        for said in [SCRIPT.words(text)]
        if OF_NOTEBOOKS.search(said)
    ]
    assert left == []
