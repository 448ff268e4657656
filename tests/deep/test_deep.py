"""More samples, more random programs, other numbers. Without `-m deep` these tests are not even collected."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from jgrad.dispatch import fast

torch = pytest.importorskip("torch")

from tests.differential import test_gradients, test_operations  # noqa: E402
from tests.functions import test_func  # noqa: E402
from tests.mirrors import watched  # noqa: E402
from tests.same_as_torch import random_programs  # noqa: E402

pytestmark = pytest.mark.deep


@pytest.fixture(autouse=True)
def as_elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Warnings come every time, and what a test changes of the fast paths is put back."""
    monkeypatch.setattr(fast, "ENABLED", True)
    with random_programs.always_warning():
        yield


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(8, 13))
@pytest.mark.parametrize(("info", "dtype", "names"), test_operations.OPERATIONS)
def test_all_samples(info, dtype, names, seed):
    """All of PyTorch's samples, with other numbers."""
    test_operations.compare_samples(info, names, test_operations.samples_of(info, dtype, None, seed))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("info", "dtype", "name"), test_gradients.DIFFERENTIABLE)
def test_derivatives_of_all_samples(info, dtype, name):
    test_gradients.check(info, name, test_gradients.small_samples(info, dtype, 1000))


@pytest.mark.parametrize("seed", range(2_000_000, 2_100_000, 500))
def test_many_programs(seed: int) -> None:
    """Five hundred from each seed on, a hundred thousand in all; what differs is cut down and printed."""
    assert random_programs.main(seed, 500) == 0


@pytest.mark.parametrize("seed", range(3_000_000, 3_002_000, 50))
def test_long_programs(seed: int) -> None:
    for number in range(seed, seed + 50):
        statements = random_programs.program(random.Random(number).choice, longest=60)
        random_programs.compare(statements, every=False)


@given(test_func.programs())
@settings(test_func.profile, max_examples=20_000)
def test_many_functions_under_transforms(program: str) -> None:
    test_func.compare(program)


@pytest.mark.parametrize("seed", range(20_000, 20_700, 50))
def test_programs_on_pytorch_are_the_same_when_they_are_watched(seed: int) -> None:
    """Seven hundred; `python -m tests.mirrors.watched SEED COUNT` cuts down what differs."""
    assert watched.main(seed, 50) == 0
