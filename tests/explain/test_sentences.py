"""Sentences of answers are short: those of each rule, filled in for its example, as docs/mistakes.md shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.explain.mistakes import PAGE

pytestmark = pytest.mark.quick

MOST_WORDS = 25
LONG_ONES = 13  # sentences that are longer; this must not rise


def sentences() -> Iterator[tuple[str, str]]:
    """(rule, sentence) of all that the page quotes."""
    rule = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            rule = line[4:].strip("`")
        elif line.startswith("> "):
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`])", line[2:]):
                yield rule, sentence


def test_there_are_many() -> None:
    assert len([*sentences()]) > 300


def test_few_sentences_are_long() -> None:
    found = sorted(
        [(len(text.split()), rule, text) for rule, text in sentences() if len(text.split()) > MOST_WORDS],
        reverse=True,
    )
    shown = "\n".join(f"{words} {rule}: {text}" for words, rule, text in found)
    assert len(found) <= LONG_ONES, shown
