"""Comments stand where a reader finds them: not behind the brackets that the formatter has put on a line of their own."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmarks", "docs", "examples", "jgrad", "js/translator", "stubs", "tests")
# Programs that are right or wrong on purpose, in any form.
AS_WRITTEN = ("tests/programs", "tests/programs_on_cpu", "tests/trace/right_programs")
CLOSING = re.compile(r"\s*[)\]}][)\]},: ]*(= *(\{\}|\[\]|\(\)|None))?\s*")
FOR_TOOLS = re.compile(r"# *(fmt:|type:|noqa|isort:)")


def torn(text: str) -> Iterator[int]:
    """The lines of comments that follow closing brackets alone."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not FOR_TOOLS.match(token.string):
            before = token.line[: token.start[1]]
            if before.strip() and CLOSING.fullmatch(before):
                yield token.start[0]


def test_no_comment_follows_closing_brackets_alone() -> None:
    """Write it on the line above the statement."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(AS_WRITTEN)
        for line in torn(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "lock = (\n    RLock()\n)  # held while a gradient is added\n",
        "known: dict[\n    int, str\n] = {}  # by id\n",
        "if not (\n    a or b\n):  # a comment\n    pass\n",
    ],
)
def test_a_torn_comment_is_found(text: str) -> None:
    assert [*torn(text)] == [3]
    assert not [*torn("x = f()  # a comment\ny = [\n    1,\n]  # fmt: skip\n")]
