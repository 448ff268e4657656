"""The norm of a gradient that arrives at a node on several paths, for tensors that the recorder looks at as seldom as it can."""

from __future__ import annotations

import math

import pytest

import jgrad
from jgrad.tracing.record.contents import COMPARED
from tests.record.tracing import trace

pytestmark = pytest.mark.quick

PATHS = ["y * y", "y + y", "y + y.sin()", "y * y.cos() + y", "y.sin() * y.exp() * y", "y[1:] * y[:-1]"]


@pytest.mark.parametrize("expression", PATHS)
@pytest.mark.parametrize("elements", [COMPARED // 2, 4 * COMPARED])
def test_the_gradient_that_arrives_is_the_sum_of_all_paths(expression: str, elements: int) -> None:
    start = jgrad.linspace(0.1, 1.0, elements)
    t = trace(
        f"x = start.clone().requires_grad_()\ny = x.exp()\ny.retain_grad()\n({expression}).mean().backward()",
        {"start": start},
    )
    document = t.document
    made = next(n["id"] for n in document["nodes"] if n["name"] == "ExpBackward0")
    ran = next(s for s in document["steps"] if s["kind"] == "node" and s["node"] == made)
    assert math.isclose(ran["grads_in"][0]["norm"], t.namespace["y"].grad.norm().item(), rel_tol=1e-3)
