"""A trace that is shown while it is recorded: what is sent on the way, and that the trace itself is the same."""

from __future__ import annotations

import math
from threading import Event, Thread
from typing import Any

import pytest

import jgrad
from jgrad import observer
from jgrad.trace import Trace
from jgrad.tracing.document.bfloat16 import NONE, codes
from jgrad.tracing.document.curves import Training
from jgrad.tracing.record import keeping, live
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
    # Once moments of the loop are shown, all that was kept does not come and go between them.
    assert [d["name"] == "cell 1" for d in sent] == sorted(
        [d["name"] == "cell 1" for d in sent], reverse=True
    )
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
    training = Training(glimpses[-1])
    assert training.round_of(len(glimpses[-1]["steps"])) == training.total - 1, (
        "a glimpse shows the present round"
    )


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
    # If the recorder happens to be awake at the first look, that shows all that was kept, with the figures of all rounds that have ended.
    assert sent[0]["rounds"]["total"] >= 99
    gradients = [last_gradient(document) for document in sent]
    assert gradients == sorted(gradients)
    assert sent[-1]["name"].startswith("cell 1, now running")
    assert gradients[-1] > 320


def test_a_round_that_is_recorded_does_not_bring_the_whole_trace_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between glimpses, the views of all that was kept would come and go."""
    trace, sent = running(monkeypatch)
    monkeypatch.setattr(live, "GLIMPSE", 6)
    w = jgrad.ones(2, requires_grad=True)
    slept: list[bool] = []
    with trace:
        while len(slept) < 150:
            (w * 3).sum().backward()
            slept.append(trace._recorder.asleep)
    assert trace.failures == []
    first = slept.index(True)
    assert False in slept[first:], "the recorder was never awake again"
    names = [document["name"] for document in sent]
    glimpse = next(i for i, name in enumerate(names) if name != "cell 1")
    assert len(names) > glimpse + 20
    assert "cell 1" not in names[glimpse:]


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


def test_figures_of_rounds_grow_while_the_block_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in glimpses, when the recorder sleeps; and to look changes none of them."""
    trace, sent = running(monkeypatch)

    def loop(v: jgrad.Tensor, w: jgrad.Tensor) -> None:
        optimizer = jgrad.optim.SGD([w], lr=0.01)
        for _ in range(60):
            optimizer.zero_grad()
            (w * v * w).sum().backward()
            optimizer.step()

    with trace:
        v, w = jgrad.full((2,), 3.0), jgrad.ones(2, requires_grad=True)
        loop(v, w)
    assert trace.failures == []
    whole = trace.document["rounds"]
    quiet = Trace("cell 1", max_steps=50)
    with quiet:
        v, w = jgrad.full((2,), 3.0), jgrad.ones(2, requires_grad=True)
        loop(v, w)
    assert quiet.document["rounds"]["parameters"] == whole["parameters"]
    seen = [document["rounds"] for document in sent if "rounds" in document]
    totals = [rounds["total"] for rounds in seen]
    assert totals == sorted(totals)
    assert len(set(totals)) > 8
    assert any(not rounds["kept"] for rounds in seen), "a glimpse"
    for rounds in seen:
        (parameter,) = rounds["parameters"]
        assert parameter["name"] == "w"
        for what in ("gradient", "update", "value"):
            so_far, figures = codes(parameter[what]), codes(whole["parameters"][0][what])
            known = [(a, b) for a, b in zip(so_far, figures, strict=False) if a != NONE]
            assert all(a == b for a, b in known)
            assert len(known) >= rounds["total"] - 2
        assert rounds["noticed"]


def test_figures_of_a_loop_without_optimizer_are_complete_when_it_was_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace, sent = running(monkeypatch)

    def loop(w: jgrad.Tensor) -> None:
        for _ in range(30):
            (w * w).sum().backward()
            with jgrad.no_grad():
                w -= 0.1 * w.grad
            w.grad = None

    with trace:
        w = jgrad.ones(2, requires_grad=True)
        loop(w)
    quiet = Trace("cell 1", max_steps=50)
    with quiet:
        w = jgrad.ones(2, requires_grad=True)
        loop(w)
    assert len([d for d in sent if "rounds" in d]) > 10
    assert trace.document["rounds"]["parameters"] == quiet.document["rounds"]["parameters"]


def test_figures_are_complete_while_another_thread_is_traced_too() -> None:
    """Then it is not known which leaves a backward call has reached."""

    def loop(w: jgrad.Tensor) -> None:
        for _ in range(40):
            (w * w).sum().backward()
            with jgrad.no_grad():
                w -= 0.1 * w.grad
            w.grad = None

    ready, over = Event(), Event()

    def other() -> None:
        with Trace("another"):
            ready.set()
            over.wait(60)

    thread = Thread(target=other)
    thread.start()
    assert ready.wait(60)
    trace = Trace("cell 1", max_steps=20)
    with trace:
        w = jgrad.ones(2, requires_grad=True)
        loop(w)
    over.set()
    thread.join()
    assert trace.failures == []
    assert trace.document["rounds"]["total"] == 40


def test_after_a_glimpse_nothing_listens_in_the_place_of_what_counts_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The document of a glimpse takes a while. It is no reason to look again at once."""
    trace, _ = running(monkeypatch)
    seen = []
    hand_on = live.Live._hand_on

    def slow(self: live.Live, glimpse: Any, began: float) -> None:
        if glimpse is not None:
            seen.append(self.due)
        hand_on(self, glimpse, began)

    monkeypatch.setattr(live.Live, "_hand_on", slow)

    def loop(w: jgrad.Tensor) -> None:
        for _ in range(40):
            (w * w).sum().backward()

    with trace:
        loop(jgrad.ones(2, requires_grad=True))
    assert seen
    assert min(seen) == math.inf


def test_facts_of_losses_are_noted_also_after_a_glimpse(monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(w: jgrad.Tensor, x: jgrad.Tensor) -> None:
        target = jgrad.tensor([0, 1])
        for _ in range(40):
            jgrad.nn.functional.cross_entropy(x @ w, target).backward()
            with jgrad.no_grad():
                w -= 0.1 * w.grad
            w.grad = None

    objectives = []
    trace, sent = running(monkeypatch)
    for block in (trace, Trace("cell 1", max_steps=50)):
        with block:
            loop(jgrad.ones(3, 2, requires_grad=True), jgrad.arange(6.0).view(2, 3))
        assert block.failures == []
        objectives.append(block.document["rounds"]["objectives"])
    assert any("now running" in document["name"] for document in sent)
    assert objectives[0]
    assert objectives[0] == objectives[1], "what a glimpse sees is not a part of it"
