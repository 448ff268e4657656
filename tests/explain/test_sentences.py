"""Sentences of answers are short: those of each rule, filled in for its example, as docs/mistakes.md shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.explain.mistakes import PAGE

pytestmark = pytest.mark.quick

MOST_WORDS = 25
# A sentence may begin with a user's name, which is in small letters. "2. and" is a number.
ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|(?<=[a-z)\]][.!?])\s+")


def sentences() -> Iterator[tuple[str, str]]:
    """(rule, sentence) of all that the page quotes."""
    rule = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            rule = line[4:].strip("`")
        elif line.startswith("> "):
            for sentence in ENDS.split(line[2:]):
                yield rule, sentence


def test_there_are_many() -> None:
    assert len([*sentences()]) > 300


def test_no_sentence_is_long() -> None:
    found = sorted(
        [(len(text.split()), rule, text) for rule, text in sentences() if len(text.split()) > MOST_WORDS],
        reverse=True,
    )
    shown = "\n".join(f"{words} {rule}: {text}" for words, rule, text in found)
    assert not found, shown
