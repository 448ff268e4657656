"""The bank of planted mistakes: no answer may become worse than the page says, and none may be wrong that was not."""

from __future__ import annotations

import ast
from functools import cache

import pytest

pytest.importorskip("torch")

from tests.bank.bank import PAGE, VERDICTS, Planted, Ran, planted, results, run, table, texts, verdict
from tests.bank.operators import OPERATORS

OWN = {name: text for name, text in texts().items() if not name.startswith("examples/")}
STORED = {name: verdict for name, verdict in results().items() if name.split(": ")[0] in OWN}
# One of each operator, of another program each time.
SAMPLE = [
    known[i % len(known)]
    for i, operator in enumerate(OPERATORS)
    if (known := [name for name in STORED if name.split(": ")[1].rpartition(", ")[0] == operator.name])
]


@cache
def all_of(program: str) -> dict[str, Planted]:
    """A program with each mistake, by name."""
    return {one.name: one for one in planted({program: OWN[program]})}


@cache
def right(name: str) -> Ran:
    """What a program says without a mistake."""
    return run(OWN[name])


def judge(name: str) -> None:
    one = all_of(name.split(": ")[0])[name]
    found = verdict(one, right(one.program), run(one.source))
    worse = VERDICTS.index(found or "silent") > VERDICTS.index(STORED[name])
    assert not worse, (found, one.source)


@pytest.mark.parametrize("name", SAMPLE)
def test_an_answer_is_not_worse(name: str) -> None:
    judge(name)


@pytest.mark.deep
@pytest.mark.parametrize("name", STORED)
def test_no_answer_is_worse(name: str) -> None:
    judge(name)


def test_the_programs_are_right() -> None:
    """Nothing of weight is said of a program without a mistake."""
    for name in OWN:
        ran = right(name)
        assert not ran.raised, name
        assert [code for code, _ in ran.said if code] == [], (name, ran.said)


def test_the_page_has_the_table() -> None:
    assert table(results()) in PAGE.read_text(encoding="utf-8")


def test_an_operator_changes_one_place() -> None:
    planted_ones = [one for program in OWN for one in all_of(program).values()]
    for one in planted_ones:
        assert one.source != ast.unparse(ast.parse(OWN[one.program])), one.name
        ast.parse(one.source)
    assert {one.operator.name for one in planted_ones} == {operator.name for operator in OPERATORS}
