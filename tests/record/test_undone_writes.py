"""Writes behind the back of autograd that the same line undoes are nobody's mistake. Those of which a trace shows only the ends are reported."""

from __future__ import annotations

import pytest

from tests.record.tracing import trace

pytestmark = pytest.mark.quick

CELL = """
x = jgrad.ones({elements}, requires_grad=True)
y = x * x
for factor in (2.0, {second}):
    x.data[{place}] *= factor
y.sum().backward()
"""


@pytest.mark.parametrize(
    ("elements", "place", "second", "reported"),
    [(4, 1, 0.5, False), (4, 1, 3.0, True), (200, 100, 3.0, True)],
)
def test_a_write_is_undone_if_all_elements_are_as_before(
    elements: int, place: int, second: float, reported: bool
) -> None:
    t = trace(CELL.format(elements=elements, place=place, second=second))
    assert any(note["code"] == "data-write" for note in t.document["notes"]) == reported
