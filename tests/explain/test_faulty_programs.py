"""Programs with one fault each: the first thing that is said of it is about this fault, on jgrad and on PyTorch.

A file of faulty_programs holds several programs. Each begins with a line `# %% rule: title`; the rule is the one that has to answer. Their right
twins are in right_programs, in the chapter of their subject, as "..., as it should be".
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import jgrad
from jgrad.asking.calling import about_trace, answer_to
from jgrad.tracing.explain.edits import applied
from tests.explain.test_right_programs import IMPORTS
from tests.programs import Program, programs_of
from tests.record.tracing import trace

pytestmark = pytest.mark.filterwarnings("ignore")

PROGRAMS = [
    program
    for path in sorted((Path(__file__).parent / "faulty_programs").glob("*.py"))
    for program in programs_of(path)
]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    jgrad.set_grad_enabled(True)


def named(program: Program) -> str:
    return program.name


class Ran(NamedTuple):
    """What came of a program: the rules behind the answer, the first one first; the program with the first repair that is an edit, nothing if none is;
    its variables; what it raised."""

    rules: list[str]
    mended: str
    variables: dict[str, Any]
    error: BaseException | None


def run(text: str, library: ModuleType) -> Ran:
    """Trace a program and ask what is wrong."""
    library.manual_seed(0)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        t = trace(text, {"torch": library})
        answer = about_trace(t) if t.error is None else answer_to(t.error, [t])
    library.set_grad_enabled(True)
    repair = next((p.repair for p in answer.passages if p.repair is not None), None)
    mended = "" if repair is None else "\n".join(applied(repair.cell, repair.edits))
    return Ran(answer.rules, mended, t.namespace, t.error)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_the_fault_is_named_first_and_its_edit_mends_it(program: Program, library: str) -> None:
    """The mended program runs, and reaches its goal, if it has one (a line `# goal: expression` at its end); nothing is said of the fault any more."""
    module = jgrad if library == "jgrad" else pytest.importorskip("torch")
    text = IMPORTS.sub(rf"\1\2 {library}", program.text)
    rule, goal = re.match(r"[\w-]+", program.title), re.search(r"^# goal: (.*)$", text, re.MULTILINE)
    assert rule is not None
    ran = run(text, module)
    assert ran.rules[:1] == [rule[0]]
    assert ran.mended or goal is None, "a program with a goal has an edit"
    if ran.mended:
        again = run(ran.mended, module)
        assert again.error is None, ran.mended
        assert rule[0] not in again.rules, ran.mended
        assert goal is None or eval(goal[1], again.variables), ran.mended
