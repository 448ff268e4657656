"""A trace that is shown while it is recorded: what is sent on the way, and that the trace itself is the same."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

import jgrad
from jgrad import observer
from jgrad.trace import Trace
from jgrad.trace.record import keeping, live
from jgrad.views import applicable

pytestmark = pytest.mark.quick


def test_growing_documents_then_glimpses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EARLY", "FRAME", "SHARE"):
        monkeypatch.setattr(live, name, 0)
    sent: list[dict[str, Any]] = []
    trace = Trace("cell 1", max_steps=50)
    trace.early = sent.append
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        for _ in range(60):
            (w * 3).sum().backward()
    assert trace.failures == []
    assert all(applicable(document) for document in sent)
    whole = [d for d in sent if d["name"] == "cell 1"]
    glimpses = [d for d in sent if d["name"] != "cell 1"]
    growing = [len(d["steps"]) for d in whole if all(s["kind"] != "gap" for s in d["steps"])]
    assert growing == sorted(growing)
    assert max(growing) > 50
    assert all(len(d["steps"]) <= 101 for d in whole)
    last = [s["grad"]["after"]["elements"] for s in whole[-1]["steps"] if "grad" in s][-1]
    assert float(last[0]) > 3 * 35, "the last rounds, also after the first ones were dropped"
    assert glimpses[0]["name"].startswith("cell 1, now running: from backward ")
    last = [s["grad"]["after"]["elements"] for s in glimpses[-1]["steps"] if "grad" in s][-1]
    assert float(last[0]) > 3 * 50, "a moment after the recorder fell asleep"
    assert trace.document["truncated"]["kept_steps"] <= 50
    assert trace.document["rounds"]["total"] == 60


def running(monkeypatch: pytest.MonkeyPatch, recorded: int = 2) -> tuple[Trace, list[dict[str, Any]]]:
    """A trace of 50 steps that is shown as soon as it may be. The recorder sleeps after `recorded` times as many."""
    for name in ("EARLY", "FRAME", "SHARE"):
        monkeypatch.setattr(live, name, 0)
    monkeypatch.setattr(keeping, "RECORDED", recorded)
    monkeypatch.setattr(live, "UNHEARD", 1e6)  # only what the test does begins a glimpse
    trace, sent = Trace("cell 1", max_steps=50), []
    trace.early = sent.append
    return trace, sent


def last_gradient(document: dict[str, Any]) -> float:
    return float([s["grad"]["after"]["elements"] for s in document["steps"] if "grad" in s][-1][0])


def test_a_log_that_fills_between_two_looks_is_watched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, sent = running(monkeypatch)
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        trace._recorder.live.due = float("inf")
        for _ in range(100):
            (w * 3).sum().backward()
        assert not sent
        trace._recorder.live.due = 0.0
        for _ in range(20):
            (w * 3).sum().backward()
    assert trace.failures == []
    assert last_gradient(sent[0]) > 300


def test_a_quick_loop_runs_unwatched_and_is_looked_at_after_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, sent = running(monkeypatch)
    monkeypatch.setattr(live, "GLIMPSE", 12)
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        watcher = trace._recorder.live
        watcher.due = float("inf")
        for _ in range(40):
            (w * 3).sum().backward()
        assert observer.current is None
        assert not sent
        watcher.due = 0.0
        for _ in range(3):
            (w * 3).sum().backward()
        assert not sent
        monkeypatch.setattr(live, "FRAME", float("inf"))
        (w * 3).sum().backward()
        (document,) = sent
        assert observer.current is None
    assert observer.listener is None
    assert trace.failures == []
    # The 41st call was the first after which it was time to look; two more are twelve steps, and it ends in the next operation.
    assert document["name"] == "cell 1, now running: from backward 42"
    assert [s["backward_call"] for s in document["steps"] if s["kind"] == "backward"] == [41, 42]
    assert last_gradient(document) == 3 * 43
    assert 40 < len(trace.document["steps"]) <= 50


def test_no_glimpse_begins_within_a_backward_call(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, _ = running(monkeypatch)
    w = jgrad.ones(2, requires_grad=True)

    class Inner(jgrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: jgrad.Tensor) -> jgrad.Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: jgrad.Tensor) -> jgrad.Tensor:
            with jgrad.enable_grad():
                (w * 3).sum().backward()
            assert observer.current is None, "the outer call was not seen to begin"
            return grad * 2

    with trace:
        trace._recorder.live.due = float("inf")
        for _ in range(40):
            (w * 3).sum().backward()
        trace._recorder.live.due = 0.0
        Inner.apply(w).sum().backward()
        assert observer.current is not None
        thread = Thread(target=lambda: (jgrad.ones(1, requires_grad=True) * 2).backward())
        thread.start()
        thread.join()
    assert trace.failures == []
    assert observer.listener is None
