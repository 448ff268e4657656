"""Programs of sparse tensors, pruning and quasi-random points show the same in both libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

import jgrad
from tests.programs import Program, hold_alike, programs_of, run

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn.utils.prune")  # (which PyTorch does not import by itself)

pytestmark = pytest.mark.quick
# PyTorch warns, once per process, where nobody has decided this; jgrad does not.
torch.sparse.check_sparse_tensor_invariants.disable()
PROGRAMS = [
    pytest.param(program, id=program.name)
    for path in sorted((Path(__file__).parents[1] / "programs_on_cpu").glob("*.py"))
    if path.name != "__init__.py"
    for program in programs_of(path)
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_shows_the_same(program: Program) -> None:
    hold_alike(program, ("PyTorch", run(torch, program)), ("jgrad", run(jgrad, program)))
