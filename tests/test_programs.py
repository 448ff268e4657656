"""Random programs of views, writes, Functions, hooks and backward passes: both libraries show the same. See `random_programs`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jgrad.dispatch import fast

pytest.importorskip("torch")

from tests.random_programs import always_warning, compare, main, program


@pytest.fixture(autouse=True, scope="module")
def warnings_come_every_time() -> Iterator[None]:
    with always_warning():
        yield


@st.composite
def programs(draw: Any) -> list[str]:
    return program(lambda options: draw(st.sampled_from(options)))


profile = settings(
    max_examples=700,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@given(programs())
@profile
def test_programs_seen_after_every_statement(statements):
    compare(statements, every=True)


@given(programs())
@profile
def test_programs_seen_at_the_end(statements):
    compare(statements, every=False)


@given(programs())
@settings(profile, max_examples=350)
def test_programs_without_fast_paths(statements):
    before, fast.ENABLED = fast.ENABLED, False
    try:
        compare(statements, every=True)
    finally:
        fast.ENABLED = before


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2_000_000, 2_100_000, 500))
def test_many_more_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five hundred from each seed on, a hundred thousand in all; what differs is cut down and printed."""
    monkeypatch.setattr(fast, "ENABLED", True)  # and put back
    assert main(seed, 500) == 0


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3_000_000, 3_001_000, 50))
def test_long_programs(seed: int) -> None:
    for number in range(seed, seed + 50):
        choose = random.Random(number).choice
        compare(program(choose, longest=60), every=False)
