"""Programs without a fault: a trace has no note about them, and a bare `%why` finds no mistake.

A file of right_programs holds several programs. Each begins with a line `# %% Title`. A line `# %%` without a title begins another cell of
the same program. Programs find the library under the name `torch`.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import jgrad
from jgrad.tracing import explain
from tests.programs import Program, programs_of
from tests.record.tracing import trace

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")

PROGRAMS = [
    program
    for path in sorted((Path(__file__).parent / "right_programs").glob("*.py"))
    for program in programs_of(path)
]
LEAST = 580
# Notes that name no mistake: a write is seen through another variable, or where the nan came in that the program wrote.
FACTS = ("shared-memory", "written-from-outside", "nan-appears")
CELL = (
    "<ipython-input-{}-right>"  # what each cell is compiled as, so that functions of those before are found
)
IMPORTS = re.compile(r"^(\s*)(from|import) torch\b", re.MULTILINE)


def cells(program: Program, library: str) -> list[str]:
    """The cells of a program, importing from a library."""
    text = IMPORTS.sub(rf"\1\2 {library}", program.text)
    return [cell.strip("\n") for cell in re.split(r"^# %%\n", text, flags=re.MULTILINE)]


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    # Other random numbers must not bring a remark either: SEED=1 pytest tests/explain/test_right_programs.py
    jgrad.manual_seed(int(os.environ.get("SEED", "0")))
    yield
    jgrad.set_grad_enabled(True)


def named(program: Program) -> str:
    return program.name


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= LEAST
    assert len({program.title for program in PROGRAMS}) == len(PROGRAMS)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_nothing_is_said_of_a_right_program(program: Program) -> None:
    namespace: dict = {"torch": jgrad}
    for number, cell in enumerate(cells(program, "jgrad")):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            t = trace(cell, namespace, name=CELL.format(number))
        namespace = t.namespace
        assert t.error is None, repr(t.error)
        notes = [n for n in t.document["notes"] if n["severity"] != "info" or n["code"] not in FACTS]
        assert [(n["code"], n["text"]) for n in notes] == []
        known = [explain.why_raised(explain.Incident(w.category.__name__, str(w.message))) for w in warned]
        assert [found[1] for found in known if found is not None] == []


@pytest.mark.one_in(12)
@pytest.mark.parametrize("most", [12, 30, 60])
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_nothing_is_said_of_a_right_program_of_which_a_part_is_kept(program: Program, most: int) -> None:
    """What was dropped is taken neither for what never happened nor for one step."""
    namespace: dict = {"torch": jgrad}
    for number, cell in enumerate(cells(program, "jgrad")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t = trace(cell, namespace, max_steps=most, name=CELL.format(number))
        namespace = t.namespace
        notes = [n for n in t.document["notes"] if n["severity"] != "info" or n["code"] not in FACTS]
        assert [(n["code"], n["text"]) for n in notes] == []


@pytest.mark.one_in(10)
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_nothing_is_said_of_a_right_program_in_a_long_loop(program: Program) -> None:
    lines = textwrap.indent("\n".join(cells(program, "jgrad")), "    ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        t = trace(f"for _ in range(20):\n{lines}", {"torch": jgrad}, max_steps=30)
    # (What the last line of a cell shows is thrown away in a loop, and a training that begins anew in each round learns nothing.)
    known = (*FACTS, "result-thrown-away", "no-better-than-constant")
    notes = [n for n in t.document["notes"] if n["code"] not in known]
    assert [(n["code"], n["text"]) for n in notes] == []


@pytest.mark.one_in(6)
@pytest.mark.parametrize("program", PROGRAMS, ids=named)
def test_nothing_is_said_of_a_right_program_on_pytorch(program: Program) -> None:
    torch: ModuleType = pytest.importorskip("torch")
    torch.manual_seed(0)
    namespace: dict = {"torch": torch}
    for number, cell in enumerate(cells(program, "torch")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t = trace(cell, namespace, name=CELL.format(number))
        namespace = t.namespace
        assert t.error is None, repr(t.error)
        notes = [n for n in t.document["notes"] if n["code"] not in (*FACTS, "not-followed")]
        assert [(n["code"], n["text"]) for n in notes] == []
    assert sys.modules["torch"].is_grad_enabled()
