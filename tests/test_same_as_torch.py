"""Small programs, run with `torch` meaning PyTorch and meaning jgrad: what they show, raise and warn must be the same.

They are in `tests/programs`. Each also runs with the fast paths off.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import jgrad
from jgrad.dispatch import fast

torch = pytest.importorskip("torch")

from tests.programs import PROGRAMS, Program, hold_alike, run  # noqa: E402
from tests.random_programs import always_warning  # noqa: E402

pytestmark = pytest.mark.quick

EVERY = [pytest.param(program, id=program.name) for program in PROGRAMS]


@pytest.fixture(autouse=True, scope="module")
def always_warn() -> Iterator[None]:
    """Some warnings come once per process; here every program must see them."""
    with always_warning():
        yield


def compare(program: Program) -> None:
    hold_alike(program, ("torch", run(torch, program)), ("jgrad", run(jgrad, program)))


@pytest.mark.parametrize("program", EVERY)
def test_program(program: Program) -> None:
    compare(program)


@pytest.mark.parametrize("program", EVERY)
def test_program_on_the_general_path(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "ENABLED", False)
    compare(program)
