"""Small programs, run with `torch` meaning PyTorch and meaning jgrad: what they show, raise and warn must be the same.

They are in `tests/programs`. Each also runs with the fast paths off.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

import jgrad
from jgrad.dispatch import fast

torch = pytest.importorskip("torch")

from tests.programs import PROGRAMS, Program, Shown, hold_alike, run  # noqa: E402
from tests.same_as_torch.oracle import ABOUT_CUDA, without_cuda  # noqa: E402
from tests.same_as_torch.random_programs import always_warning, forget_inferred  # noqa: E402

EVERY = [pytest.param(program, id=program.name) for program in PROGRAMS]
OF_THE_BUILD = [program for program in PROGRAMS if ABOUT_CUDA.search(program.text)]


@pytest.fixture(autouse=True, scope="module")
def always_warn() -> Iterator[None]:
    """Some warnings come once per process; here every program must see them."""
    with always_warning():
        yield


def texts(program: Program) -> list[str]:
    return [shown.text for shown in run(torch, program)]


@lru_cache(maxsize=1)
def on_pytorch(program: Program) -> list[Shown]:
    """What a program shows on PyTorch, built without CUDA."""
    if program not in OF_THE_BUILD:
        return run(torch, program)
    return [Shown(text, None) for text in without_cuda(program.name, lambda: texts(program))]


def compare(program: Program) -> None:
    hold_alike(program, ("torch", on_pytorch(program)), ("jgrad", run(jgrad, program)))


@pytest.mark.first_is_quick("program")
@pytest.mark.parametrize("paths", ["fast", "general"])
@pytest.mark.parametrize("program", EVERY)
def test_program(program: Program, paths: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_inferred()
    monkeypatch.setattr(fast, "ENABLED", paths == "fast")
    compare(program)
