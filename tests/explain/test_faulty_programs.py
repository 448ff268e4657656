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

import pytest

import jgrad
from jgrad.asking.calling import about_trace, answer_to
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


def rules_of(program: Program, library: ModuleType) -> list[str]:
    """The rules behind the answer, the first one first."""
    text = IMPORTS.sub(rf"\1\2 {library.__name__}", program.text)
    library.manual_seed(0)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        t = trace(text, {"torch": library})
        answer = about_trace(t) if t.error is None else answer_to(t.error, [t])
    library.set_grad_enabled(True)
    return answer.rules


@pytest.mark.one_in(3)
@pytest.mark.parametrize("library", ["jgrad", "torch"])
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_the_fault_is_named_first(program: Program, library: str) -> None:
    module = jgrad if library == "jgrad" else pytest.importorskip("torch")
    rule = re.match(r"[\w-]+", program.title)
    assert rule is not None
    assert rules_of(program, module)[:1] == [rule[0]]
