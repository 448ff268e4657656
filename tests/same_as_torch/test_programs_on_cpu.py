"""Programs of sparse tensors, pruning and quasi-random points show the same in both libraries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import jgrad
from tests.programs import Program, hold_alike, programs_of, run

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn.utils.prune")  # (which PyTorch does not import by itself)
from tests.same_as_torch.random_programs import always_warning  # noqa: E402

pytestmark = pytest.mark.quick
PROGRAMS = [
    pytest.param(program, id=program.name)
    for path in sorted((Path(__file__).parents[1] / "programs_on_cpu").glob("*.py"))
    if path.name != "__init__.py"
    for program in programs_of(path)
]


@pytest.fixture(autouse=True)
def always_warn() -> Iterator[None]:
    """Some warnings come once per process, which may have run other programs in one of the libraries."""
    with always_warning():
        yield


@pytest.mark.parametrize("program", PROGRAMS)
def test_shows_the_same(program: Program) -> None:
    hold_alike(program, ("PyTorch", run(torch, program)), ("jgrad", run(jgrad, program)))
