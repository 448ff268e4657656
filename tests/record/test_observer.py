"""Traces that run at once, end in any order, or are cut short: nothing of them stays, and the traced code does what it does otherwise."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import random
import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any

import pytest

import jgrad
from jgrad import garbage, observer
from jgrad.autograd import forward_ad
from jgrad.dispatch import fast
from jgrad.trace import Trace
from jgrad.tracing.document.source import Source
from jgrad.tracing.record import keeping, live
from jgrad.tracing.record.scope import Scope, mentioned

pytestmark = pytest.mark.quick

ENGINE = tuple(module.__file__ for module in (live, observer, garbage, sys.modules["jgrad.trace"]))


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    assert (observer.current, observer.listener, fast.WATCHING, observer._watches) == (
        None,
        None,
        False,
        [],
    )
    assert gc.get_threshold() == before


@pytest.fixture(params=[0, float("inf")], ids=["asleep", "recorded"])
def at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live views look whenever they may, at a loop that is recorded for long and at one whose recorder soon sleeps."""
    for name in ("EARLY", "FRAME", "SHARE"):
        monkeypatch.setattr(live, name, 0)
    monkeypatch.setattr(live, "GLIMPSE", 4)
    monkeypatch.setattr(live, "UNHEARD", 1e6)
    monkeypatch.setattr(keeping, "RECORDED", request.param)


def gradients(document: dict[str, Any]) -> list[float]:
    """The first element of `.grad` after each step that changed one."""
    updates = [
        u for s in document["steps"] for u in (*([s["grad"]] if "grad" in s else []), *s.get("updates", ()))
    ]
    return [float(u["after"]["elements"][0]) for u in updates]


def steps(trace: Trace) -> list[str]:
    return [step["op"] for step in trace.document["steps"]]


def test_blocks_end_in_any_order() -> None:
    first, second, x = Trace(), Trace(), jgrad.ones(2)
    first.__enter__()
    x + 1
    second.__enter__()
    x * 2
    first.__exit__(None, None, None)
    x - 3
    second.__exit__(None, None, None)
    x / 4
    assert (steps(first), steps(second)) == (["add"], ["mul", "sub"])


def test_tasks_that_take_turns_leave_nothing() -> None:
    async def task() -> None:
        w = jgrad.ones(2, requires_grad=True)
        with Trace():
            for _ in range(5):
                (w * 3).sum().backward()
                await asyncio.sleep(0)
        assert w.grad is not None

    async def both() -> None:
        await asyncio.gather(task(), task(), task())

    asyncio.run(both())


def test_a_generator_that_is_not_run_to_its_end() -> None:
    def numbers() -> Iterator[jgrad.Tensor]:
        with Trace():
            yield jgrad.ones(1)
            yield jgrad.ones(1)

    with Trace() as outer:
        made = numbers()
        next(made)
        del made
        jgrad.ones(1) * 2
    assert steps(outer) == ["ones", "mul"]


def test_threads_are_traced_apart(at_once: None) -> None:
    barrier, found, sent = Barrier(3, timeout=300), {}, {}

    def work(factor: int) -> None:
        trace = Trace(max_steps=30)
        documents = sent[factor] = []
        trace.early = documents.append
        w = jgrad.full((2,), float(factor), requires_grad=True)
        barrier.wait()
        with trace:
            barrier.wait()
            for _ in range(60):
                (w * w).sum().backward()
            barrier.wait()
        found[factor] = trace, w

    threads = [Thread(target=work, args=(n,)) for n in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    for factor, (trace, w) in found.items():
        assert trace.failures == []
        assert w.grad.tolist() == [120.0 * factor] * 2
        assert 10 < len(trace.document["steps"]) <= 30
        after = gradients(trace.document)
        assert after == sorted(after)
        assert {*after} <= {2.0 * factor * n for n in range(1, 61)}
        assert after[-1] == 120.0 * factor
        assert sent[factor]


def test_a_parser_that_another_thread_confuses_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, failures = (
        ast.parse,
        [SystemError("AST constructor recursion depth mismatch (before=18, after=11)")] * 3,
    )

    def confused(*args: Any, **options: Any) -> ast.AST:
        if failures:
            raise failures.pop()
        return parse(*args, **options)

    monkeypatch.setattr(ast, "parse", confused)
    with Trace() as trace:
        jgrad.ones(1)
    assert not failures
    assert trace.document["source"] == ["jgrad.ones(1)"]


def test_another_thread_sees_nothing_of_a_trace_that_begins_and_ends() -> None:
    stop, errors = [], []

    def work() -> None:
        w = jgrad.ones(2, requires_grad=True)
        try:
            while not stop:
                (w * 3).sum().backward()
                w[0].item()
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = Thread(target=work)
    thread.start()
    try:
        for _ in range(200):
            with Trace(max_steps=1):
                for _ in range(3):
                    jgrad.ones(1) * 2
    finally:
        stop.append(True)
        thread.join()
        sys.setswitchinterval(before)
    assert errors == []


def test_a_block_that_relays_stays_between_when_a_glimpse_ends(at_once: None) -> None:
    trace, sent = Trace(max_steps=20), []
    trace.early = sent.append
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        for _ in range(12):
            with jgrad.autograd.graph.allow_mutation_on_saved_tensors():
                x = w * 2
                y = x * x
                x.mul_(5)
                y.sum().backward()
            (w * 3).sum().backward()
    assert trace.failures == []
    assert w.grad.tolist() == [12 * (8 + 3.0)] * 2
    grads = [gradients(d) for d in sent]
    ends = [seen[-1] for seen in grads if seen]
    assert ends == sorted(ends)
    assert ends[-1] > 10 * (8 + 3.0)


def test_tangents_are_not_recorded_and_the_rest_is() -> None:
    with Trace() as trace, forward_ad.dual_level():
        x = forward_ad.make_dual(jgrad.ones(2), jgrad.ones(2)) * 3
        x + 1
    assert steps(trace)[-1] == "add"


def test_views_that_cannot_be_shown_are_given_up_with_a_word(
    at_once: None, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def show(document: dict[str, Any]) -> None:
        calls.append(document)
        if len(calls) == 3:
            raise OSError("nobody is there")

    trace = Trace(max_steps=20)
    trace.early = show
    w = jgrad.ones(2, requires_grad=True)
    with trace:
        for _ in range(40):
            (w * 3).sum().backward()
    assert len(calls) == 3
    assert trace.failures == []
    assert "recorder-failed" not in {note["code"] for note in trace.document["notes"]}
    said = "jgrad.trace: the views stand still until the end of the cell (OSError: nobody is there)\n"
    assert capsys.readouterr().err == said


def test_a_loop_without_backward_is_looked_at(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECORDED", 2)
    monkeypatch.setattr(live, "UNHEARD", 1e-3)
    trace, sent = Trace(max_steps=20), []
    trace.early = sent.append
    x = jgrad.ones(2)
    with trace:
        trace._recorder.live.due = float("inf")
        for _ in range(50):
            x = x * 1
        assert observer.current is None
        trace._recorder.live.due = 0.0
        while not sent:
            x = x * 1
    assert trace.failures == []
    assert sent[0]["name"].startswith("trace, now running: from second ")
    assert {step["op"] for step in sent[0]["steps"]} == {"mul"}
    assert len(trace.document["steps"]) == 20


# Cut short -----------------------------------------------------------------------------------------------------------------------

LOOP = """
w = jgrad.tensor([1.0, 2.0], requires_grad=True)
for i in range(5):
    (w * 3).sum().backward()
"""


class Cut(BaseException):
    """As Ctrl-C: not an `Exception`."""


def cut_at(number: int, error: type[BaseException]) -> tuple[int, Trace]:
    """Trace the loop, live; `error` comes at that one of the calls within the machinery, of which there are so many."""
    code, count = compile(LOOP, "<cell>", "exec"), 0
    trace = Trace("cell 1", max_steps=10)
    trace._source = Source(LOOP.split("\n"))
    trace.early = lambda document: None

    def profile(frame: Any, event: str, _: Any) -> None:
        nonlocal count
        # Where Python looks for signals: when a function begins, and when one of C is done.
        if event in ("call", "c_return") and frame.f_code.co_filename in ENGINE:
            count += 1
            if count == number:
                sys.setprofile(None)
                raise error

    before, namespace = sys.getprofile(), {"jgrad": jgrad, "__name__": "__main__"}
    sys.setprofile(profile)
    with contextlib.suppress(error), trace.recording(Scope("<cell>", namespace, mentioned(code))):
        exec(code, namespace)
    sys.setprofile(before)
    return count, trace


@pytest.mark.slow
@pytest.mark.parametrize("error", [Cut, ValueError])
def test_wherever_it_is_cut_short_nothing_stays(
    at_once: None, error: type[BaseException], check: Callable[[], None]
) -> None:
    calls, _ = cut_at(-1, error)
    for number in random.Random(error.__name__).sample(range(1, calls), 8):
        _, trace = cut_at(number, error)
        check()
        if trace._recorder is not None and trace._recorder.kept:
            assert trace.document["steps"]


@pytest.fixture
def check(nothing_stays: None) -> Callable[[], None]:
    before = gc.get_threshold()

    def look() -> None:
        assert (observer.current, observer.listener, fast.WATCHING, observer._watches) == (
            None,
            None,
            False,
            [],
        )
        assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)

    return look


def test_what_is_kept_is_told_after_an_interrupt_of_a_look(at_once: None) -> None:
    trace, sent = Trace(max_steps=50), []

    def show(document: dict[str, Any]) -> None:
        sent.append(document)
        if len(sent) == 4:
            raise Cut

    def loop() -> None:
        w = jgrad.ones(2, requires_grad=True)
        with trace:
            for _ in range(40):
                (w * 3).sum().backward()

    trace.early = show
    with pytest.raises(Cut):
        loop()
    assert steps(trace)[:3] == ["mul", "sum", "backward"]
    assert trace.document["steps"][-1]["kind"] == "error"
