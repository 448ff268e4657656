"""The bank of planted mistakes: no answer may become worse than the page says, and none may be wrong that was not."""

from __future__ import annotations

import ast
from functools import cache

import pytest

pytest.importorskip("torch")

from tests.bank.bank import PAGE, VERDICTS, Planted, Ran, planted, results, run, table, texts, verdict
from tests.bank.operators import OPERATORS

OWN = {name: text for name, text in texts().items() if not name.startswith("examples/")}
ALL = [*planted(OWN)]
STORED = results()
# One of each operator, of another program each time.
SAMPLE = [
    known[i % len(known)]
    for i, operator in enumerate(OPERATORS)
    if (known := [one for one in ALL if one.operator is operator and one.name in STORED])
]


@cache
def right(name: str) -> Ran:
    """What a program says without a mistake."""
    return run(OWN[name])


def judge(one: Planted) -> None:
    found = verdict(one, right(one.program), run(one.source))
    worse = VERDICTS.index(found or "silent") > VERDICTS.index(STORED[one.name])
    assert not worse, (found, one.source)


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: one.name)
def test_an_answer_is_not_worse(one: Planted) -> None:
    judge(one)


@pytest.mark.deep
@pytest.mark.parametrize("one", [one for one in ALL if one.name in STORED], ids=lambda one: one.name)
def test_no_answer_is_worse(one: Planted) -> None:
    judge(one)


def test_the_programs_are_right() -> None:
    """Nothing of weight is said of a program without a mistake."""
    for name in OWN:
        ran = right(name)
        assert not ran.raised, name
        assert [code for code, _ in ran.said if code] == [], (name, ran.said)


def test_the_page_has_the_table() -> None:
    assert table(STORED) in PAGE.read_text(encoding="utf-8")


def test_an_operator_changes_one_place() -> None:
    for one in ALL:
        assert one.source != ast.unparse(ast.parse(OWN[one.program])), one.name
        ast.parse(one.source)
    assert {one.operator.name for one in ALL} == {operator.name for operator in OPERATORS}
