"""Random programs of views, writes, Functions, hooks and backward passes: both libraries show the same. See `random_programs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jgrad.dispatch import fast

pytest.importorskip("torch")

from tests.same_as_torch.random_programs import always_warning, compare, forget_inferred, program


@pytest.fixture(autouse=True, scope="module")
def warnings_come_every_time() -> Iterator[None]:
    with always_warning():
        yield


@st.composite
def programs(draw: Any) -> list[str]:
    return program(lambda options: draw(st.sampled_from(options)))


profile = settings(
    max_examples=400,
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
@settings(profile, max_examples=200)
def test_programs_without_fast_paths(statements):
    forget_inferred()
    before, fast.ENABLED = fast.ENABLED, False
    try:
        compare(statements, every=True)
    finally:
        fast.ENABLED = before
