"""Traces of tensors on the device meta: all of their geometry and graph, no element, and no error of ours."""

from __future__ import annotations

import pytest

import jgrad
from jgrad import views
from jgrad.tracing import explain
from tests.record.tracing import texts, trace, valid

pytestmark = pytest.mark.quick
PROGRAM = """
net = jgrad.nn.Linear(2, 1, device="meta")
opt = jgrad.optim.OPTIMIZER(net.parameters(), lr=0.1)
for _ in range(ROUNDS):
    opt.zero_grad()
    loss = net(jgrad.ones(3, 2, device="meta")).pow(2).mean()
    loss.backward()
    opt.step()
"""


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
@pytest.mark.parametrize("rounds", [2, 900])
def test_training_on_meta_is_recorded(optimizer: str, rounds: int) -> None:
    t = trace(PROGRAM.replace("OPTIMIZER", optimizer).replace("ROUNDS", str(rounds)))
    assert t.error is None
    assert t.failures == []
    assert t.document["notes"] == []
    valid(t.document)
    assert all(s["contents"]["elements"] == [] for s in t.document["storages"] if s["device"] == "meta")
    for view in ("timeline", "storage", "graph", "accumulation"):
        assert views.scene(t.document, view)["items"]
    said, _ = explain.about_model("net", t.namespace["net"], t.namespace, [t], {})
    assert "trains" in said


def test_nothing_is_read_of_what_has_no_elements() -> None:
    """Its elements would need 40 GB."""
    t = trace(
        """
w = jgrad.ones(100_000, 100_000, device="meta", requires_grad=True)
y = (w * 2).sum()
y.backward()
with jgrad.no_grad():
    w.mul_(3)
    w[0] = 1.0
"""
    )
    assert t.error is None
    assert t.failures == []
    assert "line 3: w.grad is a gradient [100000, 100000]" in texts(t)
    assert t.document["notes"] == []
    assert "nan" not in explain.describe(explain.AskedTensor("w", t.namespace["w"], t.namespace, [t]))


def test_a_trace_raises_nothing_that_the_program_does_not() -> None:
    loss = jgrad.ones(1, device="meta", requires_grad=True) * 2
    with jgrad.trace() as t:
        loss.backward()
    assert t.failures == []
