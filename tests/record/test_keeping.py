"""Long runs of real loops: which rounds are kept, and that what is said of them is what a recording of all steps says."""

from __future__ import annotations

import linecache
import math
import os
import re
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.rounds import figures_of
from jgrad.tracing.document.source import Source
from jgrad.tracing.explain.catalogue import NOTES
from jgrad.tracing.record import compaction, figures, keeping
from jgrad.tracing.record.recorder import MAX_STEPS
from jgrad.tracing.record.scope import Scope, mentioned
from tests.record.tracing import trace, valid

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def no_cell_stays() -> Iterator[None]:
    jgrad.manual_seed(0)
    yield
    linecache.cache.pop("<cell>", None)
    jgrad.set_grad_enabled(True)


def run(
    source: str, max_steps: int = 200, patience: float = math.inf, grows: bool = False, **names: Any
) -> Trace:
    """The trace of a cell whose source Python knows, as it does in a notebook."""
    source = source.strip("\n")
    linecache.cache["<cell>"] = (
        len(source),
        None,
        [f"{line}\n" for line in source.split("\n")],
        "<cell>",
    )
    return trace(source, names, max_steps=max_steps, patience=patience, grows=grows)


STEP = """
w = jgrad.ones(3, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.001)
def step():
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    opt.step()
"""
FORESEEN = {
    "range": "for i in range(3000): step()",
    "a range with a step": "for k in range(0, 2 * 3000, 2):\n    step()",
    "enumerate": "data = [1] * 3000\nfor i, x in enumerate(data):\n    step()",
    "epochs": "for epoch in range(10):\n    for x in iter([0] * 300):\n        step()",
    "epochs that count": "for epoch in range(3):\n    for k in range(1000):\n        step()",
    "one epoch": "for epoch in range(1):\n    for k in range(3000):\n        step()",
    "a function": "def train(n):\n    for i in range(n):\n        step()\ntrain(3000)",
    "a function in a loop": "def train(n):\n    for i in range(n):\n        step()\nfor k in range(3):\n    train(1000)",
    "no optimizer": """
for i in range(3000):
    (w * w).sum().backward()
    with jgrad.no_grad():
        w -= 0.001 * w.grad
    w.grad = None
""",
}


@pytest.mark.parametrize("loop", FORESEEN)
def test_the_last_rounds_are_kept_where_the_source_tells_the_end(loop: str) -> None:
    rounds = run(STEP + FORESEEN[loop]).document["rounds"]
    assert rounds["total"] == 3000
    kept = [number for number, _, _ in rounds["kept"]]
    assert kept[-8:] == [*range(2993, 3001)]
    assert kept[:2] == [1, 2]


@pytest.mark.parametrize(
    "loop",
    [
        "i = 0\nwhile i < 3000:\n    step()\n    i += 1",
        "for i in range(10 ** 6):\n    step()\n    if i == 2999: break",
        "for i in iter(int, 1):\n    step()\n    if len(done.append(1) or done) == 3000: break",
    ],
)
def test_an_end_that_is_not_foreseen_costs_nothing_but_the_last_rounds(loop: str) -> None:
    rounds = run(STEP + loop, done=[]).document["rounds"]
    assert rounds["total"] == 3000
    assert rounds["kept"][-1][0] > 3000 - keeping.SAMPLE


def test_nothing_of_the_users_runs_for_a_forecast_and_nothing_stays_alive() -> None:
    class Loud:
        def __len__(self) -> int:
            raise AssertionError

        def __iter__(self) -> Iterator[int]:
            return iter(range(1000))

        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    t = run(
        STEP
        + """
import weakref
def train():
    for i, x in enumerate(loud):
        big = jgrad.ones(5)
        seen.append(weakref.ref(big))
        step()
        del big
        assert seen[-1]() is None, i
train()
""",
        loud=Loud(),
        seen=[],
    )
    assert t.error is None


def test_what_follows_a_long_loop_is_recorded() -> None:
    sources = [STEP + "for i in range(2000): step()", "\n" * 8 + "last = w * 3\nlast.sum().backward()"]
    codes = [compile(source, "<cell>", "exec") for source in sources]
    names: dict[str, Any] = {"jgrad": jgrad}
    t = Trace(max_steps=100)
    t._source = Source(
        (STEP + "for i in range(2000): step()\nlast = w * 3\nlast.sum().backward()").split("\n")
    )
    with t.recording(Scope("<cell>", names, [n for code in codes for n in mentioned(code)])) as outcome:
        for code in codes:
            exec(code, names)
            t.statement_ended()
    assert outcome.error is None
    assert t.failures == []
    last = [s["op"] for s in t.document["steps"]]
    last = last[len(last) - 1 - last[::-1].index("gap") - 1 :] if last[-1] == "gap" else last
    assert "mul" in last[last.index("gap") :]


def gaps(t: Trace) -> list[str]:
    return [s["text"] for s in t.document["steps"] if s["kind"] == "gap"]


def test_a_gap_names_only_rounds_that_there_were() -> None:
    """What was dropped may reach behind the last round, and a program without rounds has none."""
    t = run("""
ps = [jgrad.full((2,), 0.1 * k, requires_grad=True) for k in range(30)]
opt = jgrad.optim.SGD(ps, lr=0.01)
for _ in range(6):
    opt.zero_grad()
    sum((p * p).sum() for p in ps).backward()
    opt.step()
""")
    assert t.document["rounds"]["total"] == 6
    assert gaps(t)[-1] == "rounds 1 to 6 were not kept in full"
    (said,) = gaps(
        run("y = jgrad.ones(2, requires_grad=True)\nfor _ in range(300): y = y * 2\ny.sum().backward()")
    )
    assert re.fullmatch(r"\d+ steps were not kept", said)


@pytest.mark.parametrize(
    ("bad", "what"),
    [("0.0", "gradient-zero"), ("1e6", "gradient-jump"), ("float('inf')", "gradient-not-finite")],
)
def test_the_round_after_a_remarkable_gradient_is_kept(bad: str, what: str) -> None:
    t = run(f"""
w = jgrad.ones(3, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.0)
i = 0
while i < 2000:
    i += 1
    opt.zero_grad()
    (w * w * ({bad} if i == 1234 else 1.0)).sum().backward()
    opt.step()
""")
    rounds = t.document["rounds"]
    assert {"round": 1234, "what": what} in rounds["remarkable"]
    assert 1235 in [number for number, _, _ in rounds["kept"]]


def test_a_loop_without_an_optimizer_has_rounds_also_after_one_with() -> None:
    t = run(
        STEP
        + """
for i in range(500): step()
i = 0
while i < 2000:
    i += 1
    (w * w).sum().backward()
    with jgrad.no_grad():
        w -= 0.001 * w.grad
    w.grad = None
"""
    )
    rounds = t.document["rounds"]
    assert 2300 <= rounds["total"] <= 2500
    assert rounds["kept"][-1][0] > rounds["total"] - keeping.SAMPLE


def test_gradients_of_many_small_batches_are_one_round() -> None:
    t = run(
        STEP
        + """
for i in range(12):
    opt.zero_grad()
    for part in range(250):
        (w * w).sum().backward()
    opt.step()
"""
    )
    assert t.document["rounds"]["total"] == 12


@pytest.mark.parametrize("count", [1, 3])
def test_new_models_and_optimizers_go_on_where_others_ended(count: int) -> None:
    t = run(f"""
for trial in range(400):
    nets = [jgrad.nn.Linear(2, 1) for _ in range({count})]
    opts = [jgrad.optim.SGD(net.parameters(), lr=0.1) for net in nets]
    for step in range(5):
        for net, opt in zip(nets, opts):
            opt.zero_grad()
            net(jgrad.ones(4, 2)).pow(2).mean().backward()
            opt.step()
""")
    rounds = t.document["rounds"]
    assert rounds["total"] == 2000
    assert len(rounds["parameters"]) == 2 * count


def test_parameters_beyond_those_with_figures_harm_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "SERIES", 9)
    monkeypatch.setattr("jgrad.tracing.record.rounds.SERIES", 10)
    t = run("""
params = [jgrad.ones(2, requires_grad=True) for _ in range(8)]
opt = jgrad.optim.SGD(params, lr=0.01)
for i in range(300):
    opt.zero_grad()
    sum([(p * p).sum() for p in params]).backward()
    opt.step()
""")
    rounds = t.document["rounds"]
    assert rounds["total"] == 300
    assert len(rounds["parameters"]) == 3
    assert len(rounds["losses"]) == 1  # there is room for it, however many parameters came first


def test_uses_of_a_function_whose_step_is_gone_are_dropped() -> None:
    t = run("""
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 3

w = jgrad.ones(2, requires_grad=True)
for i in range(1000):
    y = w * 2 if 20 < i < 990 else w * 3
    y = Twice.apply(y) if 30 < i < 60 or i > 995 else y
    y.sum().backward()
    w.grad = None
""")
    [note] = [n for n in t.document["notes"] if n["code"] == "backward-is-wrong"]
    assert t.document["steps"][note["step"]]["op"] == "Twice"


LOOP = re.compile(r"for (\w+) in range\(\d+\)")
LONG = [
    (rule.code, kind, LOOP.sub(r"for \1 in range(200)", text))
    for rule in NOTES
    for kind, text in (("example", rule.example), ("repaired", rule.repaired))
    if LOOP.search(text) and "range(1500)" not in text
]
# What figures of rounds that were not kept tell is said in other words.
ELSEWHERE = {"nan-appears": "loss-not-finite"}
# What is said of the values of each round alone, most of which were not kept.
OF_VALUES = {"gradient-vanishes", "grad-not-finite"}


@pytest.mark.one_in(16)
@pytest.mark.parametrize(("code", "kind", "source"), LONG, ids=[f"{code}-{kind}" for code, kind, _ in LONG])
def test_the_same_is_said_of_a_long_run_as_of_one_that_was_kept_whole(
    code: str, kind: str, source: str
) -> None:
    said = []
    for most, patience in ((10**6, math.inf), (200, math.inf), (MAX_STEPS, keeping.ALIKE)):
        jgrad.manual_seed(0)
        said.append({n["code"] for n in run(source, most, patience).document["notes"]})
    whole, *parts = said
    of_figures = {rule.code for rule in NOTES if "range(1500)" in rule.example}
    for part in parts:
        assert {ELSEWHERE.get(one, one) for one in whole} <= part | of_figures | OF_VALUES
        assert part <= whole | of_figures | {*ELSEWHERE, *ELSEWHERE.values()}


LOOP_OF_STEPS = (
    STEP
    + """
for i in range(300):
    if i in asked:
        (w.detach() * 3).sum()
    step()
print(w.detach() + 1)
"""
)


def test_a_recording_that_nobody_asked_for_keeps_what_tells_something() -> None:
    """Ten rounds that are alike, the last ones, and what follows the loop. After a line that is new there are ten more."""
    t = run(LOOP_OF_STEPS, MAX_STEPS, 10, asked=())
    first, last = {*range(1, 11)}, {*range(291, 301)}
    kept = {n for n, _, _ in t.document["rounds"]["kept"]}
    assert first | last <= kept
    assert len(kept) < 30
    assert t.document["steps"][-1]["op"] == "add"
    kept = {n for n, _, _ in run(LOOP_OF_STEPS, MAX_STEPS, 10, asked=(8,)).document["rounds"]["kept"]}
    assert first | {*range(11, 20)} | last <= kept
    assert len(run(LOOP_OF_STEPS, 10**6, asked=()).document["rounds"]["kept"]) == 300


@pytest.mark.parametrize("rounds", [6, 3000])
def test_a_leaf_without_an_optimizer_has_figures_in_all_rounds(rounds: int) -> None:
    t = run(f"""
net, scale = jgrad.nn.Linear(2, 1), jgrad.ones(1, requires_grad=True)
opt = jgrad.optim.SGD(net.parameters(), lr=0.0)
for i in range({rounds}):
    opt.zero_grad()
    (net(jgrad.ones(4, 2)) * scale).mean().backward()
    opt.step()
""")
    found = t.document["rounds"]
    figures = {p["name"]: figures_of(found, p, "gradient") for p in found["parameters"]}
    assert {*figures} == {"net.weight", "net.bias", "scale"}
    assert figures["scale"].known.all()
    one = figures["scale"].first[0]
    np.testing.assert_allclose(figures["scale"].first, one * np.arange(1, rounds + 1), rtol=0.01)


def test_an_interrupt_while_the_log_is_compacted_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    records, began = compaction._Renumbering.records, []

    def interrupted(self: Any) -> None:
        records(self)
        began.append(self)
        if len(began) == 2:
            # The records have new numbers, and the recorder counts the old ones.
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(compaction._Renumbering, "records", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes of pytest-xdist ignore it
    t = jgrad.trace(max_steps=200)

    def loop() -> None:
        with t:
            w = jgrad.ones(2, requires_grad=True)
            for _ in range(2000):
                (w * 3).sum().backward()

    try:
        with pytest.raises(KeyboardInterrupt):
            loop()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert t.failures == []
    assert [step["kind"] for step in t.document["steps"]][-1] == "error"
    assert valid(t.document)


LONG = """
w = jgrad.ones(3, requires_grad=True)
opt = jgrad.optim.SGD([w], lr=0.001)
for i in range(8):
    loss = w.sum()
    for k in range({length}):
        loss = loss * 1.001
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(("length", "whole"), [(90, [1, 2]), (140, [1, 2]), (220, [1])])
def test_whole_rounds_are_kept_of_rounds_that_are_long(length: int, whole: list[int]) -> None:
    """Each is as long as the log, or longer. Of two that follow each other it is seen that nothing clears the gradients."""
    usual = run(LONG.format(length=length))
    assert len(usual.document["rounds"]["kept"]) <= 1
    t = run(LONG.format(length=length), grows=True)
    kept = [number for number, _, _ in t.document["rounds"]["kept"]]
    assert kept[: len(whole)] == whole
    assert len(t.document["steps"]) <= keeping.LONGER * 200
    said = [note["code"] for note in t.document["notes"]]
    assert ("grad-accumulated" in said) == (len(whole) > 1)
