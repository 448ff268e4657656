"""Long runs: the figures of each round, and what is kept of the steps."""

from __future__ import annotations

import gc
import math
import random
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.index import TraceIndex
from jgrad.tracing.document.packing import pack
from jgrad.tracing.document.rounds import figures_of, losses_of
from jgrad.tracing.record import figures, keeping, resting, rounds
from tests.record.tracing import trace

pytestmark = pytest.mark.quick

# Each program calls note(loss, parameters with gradients) where a round ends, as its author would write it down.
PLAIN = """
optimizer = jgrad.optim.{optimizer}(params, lr=0.01)
for i in range({rounds}):
    optimizer.zero_grad()
    loss = model()
    loss.backward()
    optimizer.step()
    note(loss)
"""
ACCUMULATION = """
optimizer = jgrad.optim.SGD(params, lr=0.01)
for i in range({rounds}):
    optimizer.zero_grad()
    losses = []
    for part in range(3):
        loss = model() / 3
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    note(sum(losses) / 3)
"""
CLOSURE = """
optimizer = jgrad.optim.LBFGS(params, lr=0.1, max_iter=4)
def closure():
    optimizer.zero_grad()
    loss = model()
    loss.backward()
    return loss
for i in range({rounds}):
    note(optimizer.step(closure))
"""
BY_HAND = """
for i in range({rounds}):
    loss = model()
    loss.backward()
    grads[:] = [p.grad.clone() for p in params]
    with jgrad.no_grad():
        for p in params:
            p -= 0.01 * p.grad
            p.grad = None
    note(loss)
"""
VALIDATION = """
optimizer = jgrad.optim.SGD(params, lr=0.01)
for i in range({rounds}):
    loss = model()
    loss.backward()
    optimizer.step()
    note(loss)
    optimizer.zero_grad(set_to_none=i % 2 == 0)
    with jgrad.no_grad():
        model()
"""
KINDS = {
    "plain": PLAIN,
    "accumulation": ACCUMULATION,
    "closure": CLOSURE,
    "by hand": BY_HAND,
    "validation": VALIDATION,
}


def norm(array: Any) -> float:
    return float(np.linalg.norm(np.asarray(array, np.float64).ravel()))


class Book:
    """What the author of a program writes down by hand: per round the loss, and of each parameter the norms of gradient, update and value."""

    def __init__(self, choose: random.Random) -> None:
        jgrad.manual_seed(choose.randrange(1000))
        self.x = jgrad.randn(6, 3, dtype=choose.choice([jgrad.float32, jgrad.float64]))
        width = choose.choice([1, 4, 900])  # of which the weights are copied, or measured at once
        shapes = [(3, width), (width,), (width, 1)]
        self.params = [jgrad.randn(*s, dtype=self.x.dtype) / math.sqrt(width) for s in shapes]
        for p in self.params:
            p.requires_grad_()
        self.grads: list[jgrad.Tensor] = []
        self.rows: list[tuple[float, list[tuple[float, float, float]]]] = []
        self.before = [p.detach().numpy().copy() for p in self.params]

    def model(self) -> jgrad.Tensor:
        w, b, v = self.params
        return (((self.x @ w + b).tanh() @ v - 1) ** 2).mean()

    def note(self, loss: Any) -> None:
        grads = self.grads or [p.grad for p in self.params]
        now = [p.detach().numpy().copy() for p in self.params]
        norms = [
            (norm(g.numpy()), norm(n.astype(float) - b), norm(n))
            for g, n, b in zip(grads, now, self.before, strict=True)
        ]
        self.rows.append((float(loss), norms))
        self.before = now


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_figures_are_what_numpy_says(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(f"{kind} {seed}")
    # Recorded to the end, or the recorder sleeps and wakes.
    monkeypatch.setattr(keeping, "RECORDED", choose.choice([1, 2, math.inf]))
    monkeypatch.setattr(keeping, "SAMPLE", choose.choice([1, 2, 5, 100]))
    monkeypatch.setattr(
        "jgrad.tracing.record.rounds.WAITING", choose.choice([7, 64] if kind == "closure" else [1, 2, 7, 64])
    )
    book = Book(choose)
    source = KINDS[kind].format(
        rounds=choose.randrange(5, 40), optimizer=choose.choice(["SGD", "Adam", "RMSprop"])
    )
    names = {"params": book.params, "model": book.model, "note": book.note, "grads": book.grads}
    t = trace(source, names, max_steps=choose.choice([60, 400]))
    assert t.error is None
    rounds = t.document["rounds"]
    assert rounds["total"] == len(book.rows)
    assert rounds["bin"] == 1
    (losses,) = rounds["losses"]
    assert losses["line"] is not None
    assert np.allclose(losses_of(rounds, losses).first, [loss for loss, _ in book.rows], rtol=5e-3)
    found_of = {p["tensor"]: p for p in rounds["parameters"]}
    assert {*found_of} == {t.number_of(p) for p in book.params}
    for k, p in enumerate(book.params):
        parameter = found_of[t.number_of(p)]
        assert parameter["shape"] == list(p.shape)
        for j, what in enumerate(("gradient", "update", "value")):
            found = figures_of(rounds, parameter, what)
            expected = np.array([norms[k][j] for _, norms in book.rows])
            known = found.known.copy()
            if what == "update":
                known[0] = (
                    True  # what an optimizer changed first is known only where its parameters were seen before
                )
            assert known.all()
            assert np.allclose(found.first[found.known], expected[found.known], rtol=5e-3, atol=1e-6), what


def test_two_optimizers_share_a_round() -> None:
    t = trace("""
a, b = jgrad.ones(2, requires_grad=True), jgrad.ones(3, requires_grad=True)
first, second = jgrad.optim.SGD([a], lr=0.1), jgrad.optim.SGD([b], lr=0.1)
for i in range(30):
    first.zero_grad()
    (a * a).sum().backward()
    first.step()
    second.zero_grad()
    (b.sum() * a.detach().sum()).backward()
    second.step()
""")
    rounds = t.document["rounds"]
    assert rounds["total"] == 30
    assert [losses["line"] for losses in rounds["losses"]] == [5, 8]
    assert all(losses_of(rounds, losses).known.all() for losses in rounds["losses"])
    assert np.allclose(
        losses_of(rounds, rounds["losses"][0]).first, [2 * 0.64**i for i in range(30)], rtol=5e-3
    )
    assert [p["name"] for p in rounds["parameters"]] == ["a", "b"]
    assert all(figures_of(rounds, p, "gradient").known.all() for p in rounds["parameters"])


def test_several_steps_of_one_optimizer_before_one_of_another_are_one_round() -> None:
    t = trace("""
a, b = jgrad.ones(2, requires_grad=True), jgrad.ones(3, requires_grad=True)
first, second = jgrad.optim.SGD([a], lr=0.1), jgrad.optim.SGD([b], lr=0.1)
for i in range(12):
    for k in range(5):
        first.zero_grad()
        (a * a).sum().backward()
        first.step()
    second.zero_grad()
    (b * b).sum().backward()
    second.step()
""")
    rounds = t.document["rounds"]
    assert rounds["total"] == 12
    moved = figures_of(rounds, rounds["parameters"][0], "value").first
    assert np.allclose(moved, [math.sqrt(2) * 0.8 ** (5 * (i + 1)) for i in range(12)], rtol=5e-3)


def test_a_leaf_that_is_made_anew_in_each_round_has_one_series() -> None:
    t = trace("""
w = jgrad.ones(4, requires_grad=True)
for i in range(50):
    (w * w).sum().backward()
    w = (w.detach() - 0.1 * w.grad).requires_grad_()
""", max_steps=100)  # fmt: skip
    rounds = t.document["rounds"]
    (parameter,) = rounds["parameters"]
    assert rounds["total"] == 50
    assert parameter["name"] == "w"
    assert np.allclose(
        figures_of(rounds, parameter, "gradient").first, [4 * 0.8**i for i in range(50)], rtol=5e-3
    )


def test_grad_and_forward_passes_are_no_rounds() -> None:
    t = trace("""
w = jgrad.ones(2, requires_grad=True)
for i in range(10):
    jgrad.autograd.grad((w * w).sum(), w)
""")
    assert "rounds" not in t.document


NAN = """
w, v = jgrad.ones(3, requires_grad=True), jgrad.ones(2, requires_grad=True)
optimizer = jgrad.optim.SGD([w, v], lr=0.001)
for i in range(ROUNDS):
    optimizer.zero_grad()
    loss = (w * w).sum() + (v * (float("nan") if i == BAD else 1.0)).sum()
    loss.backward()
    optimizer.step()
"""


def test_the_round_of_the_first_nan_is_known_and_the_next_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECORDED", 2)
    t = trace(NAN, {"ROUNDS": 1000, "BAD": 316}, max_steps=300)
    rounds = t.document["rounds"]
    w, v = rounds["parameters"]
    assert rounds["remarkable"] == [
        {"round": 317, "what": "gradient-not-finite"},
        {"round": 317, "what": "loss-not-finite"},
    ]
    assert (v["gradient_not_finite"], v["value_not_finite"]) == ([[317, 317, 2, 0]], [[317, 1000, 2, 0]])
    assert w["gradient_not_finite"] == []
    assert 318 in [number for number, _, _ in rounds["kept"]]
    assert math.isnan(figures_of(rounds, v, "value").at(400))
    (loss,) = [note for note in t.document["notes"] if note["code"] == "loss-not-finite"]
    assert "round 317 of 1,000" in loss["text"]


def test_rounds_that_are_asked_for_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECORDED", 2)
    w = jgrad.ones(3, requires_grad=True)
    optimizer = jgrad.optim.SGD([w], lr=0.001)
    with jgrad.trace(max_steps=100, rounds=(310, 312)) as t:
        for _ in range(600):
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
    assert {310, 311, 312} <= {number for number, _, _ in t.document["rounds"]["kept"]}


def test_an_error_in_a_round_that_was_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RECORDED", 2)
    source = NAN.replace("    loss.backward()", "    loss.backward()\n    if i == BAD: 1 / 0")
    t = trace(source, {"ROUNDS": 1000, "BAD": 316}, max_steps=300)
    assert t.document["steps"][-1]["kind"] == "error"
    assert t.document["steps"][-2]["kind"] == "gap"
    (note,) = [note for note in t.document["notes"] if note["code"] == "error-in-gap"]
    assert "--rounds 316:317" in note["text"]


def test_a_recording_holds_what_it_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of records does not grow with that of the steps, with rounds or without, asleep or not."""
    for recorded in (2, math.inf):
        monkeypatch.setattr(keeping, "RECORDED", recorded)
        for body in ("(w * w).sum().backward()\n    w.grad = None", "x = (x * 1).detach()"):
            t = Trace("cell", max_steps=50)
            most = 0
            x, w = jgrad.ones(2), jgrad.ones(2, requires_grad=True)
            names: dict[str, Any] = {"x": x, "w": w, "jgrad": jgrad}
            code = compile(f"for i in range(100):\n    {body}", "<cell>", "exec")
            with t:
                for _ in range(30):
                    exec(code, names)
                    recorder: Any = t._recorder
                    known = (
                        recorder.events,
                        recorder.tensors,
                        recorder.storages,
                        recorder.nodes,
                        recorder.names.bindings,
                    )
                    most = max(
                        most, *map(len, (*known, recorder.tensor_of, recorder.grad_links, recorder.hookables))
                    )
            assert t.failures == []
            assert most <= 8 * 2 * 50


def test_dropped_steps_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    w = jgrad.ones(2, requires_grad=True)
    with Trace(max_steps=20) as t:
        for _ in range(200):
            (w * w).sum().backward()
        gc.collect()
        events = t._recorder.events  # type: ignore[union-attr]
        assert len(events) < 200
    assert len(pack(t.document)) < 60_000


def test_values_in_kept_rounds_are_those_of_a_run_that_keeps_all() -> None:
    source = """
x, y = jgrad.ones(2, 2), jgrad.full((2, 1), 0.5)
w = jgrad.full((2, 1), 0.25, requires_grad=True)
optimizer = jgrad.optim.Adam([w], lr=0.1)
for i in range(100):
    loss = ((x @ w - y) ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
    whole, part = trace(source, max_steps=100_000).document, trace(source, max_steps=400).document
    spans = {n: (a, b) for n, a, b in whole["rounds"]["kept"]}
    logs = TraceIndex(part), TraceIndex(whole)
    assert 5 < len(part["rounds"]["kept"]) < 100
    for number, begin, end in part["rounds"]["kept"]:
        first = spans[number][0]
        assert end - begin == spans[number][1] - first
        for k in range(end - begin):
            ours, theirs = part["steps"][begin + k], whole["steps"][first + k]
            for field in ("kind", "line", "op", "span"):
                assert ours[field] == theirs[field]
            for field in ("grads_in", "grads_out"):
                assert ours.get(field) == theirs.get(field)
            assert [w["contents"] for w in ours.get("writes", ())] == [
                w["contents"] for w in theirs.get("writes", ())
            ]
            assert [w["versions"] for w in ours.get("writes", ())] == [
                w["versions"] for w in theirs.get("writes", ())
            ]
            for log, step, at in zip(logs, (ours, theirs), (begin + k, first + k), strict=True):
                step["held"] = [log.contents(log.state(t, at)["storage"], at) for t in step.get("reads", ())]
            assert ours["held"] == theirs["held"]
            if "grad" in ours:
                assert (ours["grad"]["before"], ours["grad"]["after"]) == (
                    theirs["grad"]["before"],
                    theirs["grad"]["after"],
                )


LARGE = """
w = jgrad.ones(40_000, requires_grad=True)
x = jgrad.rand(40_000)
optimizer = jgrad.optim.SGD([w], lr=0.00002)
for i in range(80):
    optimizer.zero_grad()
    (w[100:] ** 2 * x[100:]).sum().backward()
    if i in spoilt:
        spoilt[i](w)
    optimizer.step()
    norms.append(float(w.detach().norm()))
"""


def spoil_gradient(w: Any) -> None:
    w.grad[20] = math.nan  # an element that is not in the sample


def spoil_value(w: Any) -> None:
    w._a[20] = math.inf  # in a way that nobody sees


@pytest.mark.parametrize(
    ("spoilt", "latest"), [({}, 80), ({41: spoil_gradient}, 41), ({41: spoil_value}, 41 + figures.FULL)]
)
def test_a_large_value_is_read_in_full_now_and_then(
    spoilt: dict[int, Any], latest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    square_of = figures._square_of
    monkeypatch.setattr(figures, "_square_of", lambda *args: read.append(1) or square_of(*args))
    norms: list[float] = []
    t = trace(LARGE, {"spoilt": spoilt, "norms": norms})
    document = t.document["rounds"]
    found = figures_of(document, document["parameters"][0], "value").first
    assert len(read) < 130  # of which 80 are gradients
    assert np.isfinite(found[: min(spoilt, default=80)]).all()
    assert not np.isfinite(found[latest:]).any()
    good = np.isfinite(found) & np.isfinite(norms)
    assert good.sum() >= 41
    assert np.allclose(found[good], np.array(norms)[good], rtol=0.005)


def test_of_large_gradients_a_sample_is_read_where_nobody_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    square_of = figures._square_of
    monkeypatch.setattr(figures, "_square_of", lambda *args: read.append(1) or square_of(*args))

    def run(patience: float, spoilt: dict[int, Any]) -> Any:
        read.clear()
        source = LARGE.replace("[100:]", "")
        return trace(source, {"spoilt": spoilt, "norms": []}, patience=patience).document

    exact, spared = (
        figures_of(found, found["parameters"][0], "gradient").first
        for found in (run(patience, {})["rounds"] for patience in (math.inf, keeping.ALIKE))
    )
    assert len(read) < 50  # of gradients and values
    assert np.allclose(spared, exact, rtol=0.03)
    # The nan is in no sample. The loss of the round after it tells.
    found = run(keeping.ALIKE, {41: spoil_gradient})
    assert {"round": 43, "what": "loss-not-finite"} in found["rounds"]["remarkable"]
    (w,) = found["rounds"]["parameters"]
    assert w["value_not_finite"][0][:2] == [42, 80]
    assert not np.isfinite(figures_of(found["rounds"], w, "value").first[41])
    (said,) = [note["text"] for note in found["notes"] if note["code"] == "loss-not-finite"]
    assert "round 43 of 80. At the end of round 42 elements of w were not finite" in said
    # It does not tell where it does not depend on the element: then it is seen when the gradient is read in full.
    spoilt = dict.fromkeys(range(41, 80), spoil_gradient)
    found = trace(LARGE, {"spoilt": spoilt, "norms": []}, patience=keeping.ALIKE).document
    (seen,) = found["rounds"]["remarkable"]
    assert (seen["what"], seen["late"]) == ("gradient-not-finite", figures.FULL - 1)
    assert seen["round"] - seen["late"] <= 42 <= seen["round"]
    (said,) = [note["text"] for note in found["notes"] if note["code"] == "gradient-not-finite"]
    when = f"one of the rounds {seen['round'] - seen['late']} to {seen['round']} of 80"
    assert f"not finite for the first time in {when}, while the loss" in said


SMALL = """
w = jgrad.arange(40.0).requires_grad_()
opt = jgrad.optim.SGD([w], lr=0.01)
for i in range(240):
    opt.zero_grad()
    loss = (w[9:] ** 2).mean() * (1000.0 if i == JUMP else 1.0)
    loss.backward()
    if i in spoilt:
        w.grad[spoilt[i]] = float("nan")
    opt.step()
"""


def test_where_nobody_asked_most_rounds_of_a_long_loop_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PART", 16)
    monkeypatch.setattr(rounds, "APART", 8)
    monkeypatch.setattr(rounds, "LEAST", 4)
    read = []
    read_gradients = figures.Group.read_gradients
    monkeypatch.setattr(
        figures.Group, "read_gradients", lambda *args: read.append(args[1]) or read_gradients(*args)
    )

    def run(spoilt: dict[int, int], jump: int = -1, patience: float = keeping.ALIKE) -> Any:
        read.clear()
        given = {"spoilt": spoilt, "JUMP": jump}
        return trace(SMALL, given, patience=patience).document

    exact, spared = (run({}, patience=patience)["rounds"] for patience in (math.inf, keeping.ALIKE))
    assert len(read) < 130
    for what in ("gradient", "update", "value"):
        all_read, held = (figures_of(r, r["parameters"][0], what).first for r in (exact, spared))
        assert np.allclose(held[1:], all_read[1:], rtol=0.02)
    # A round with an unusual loss is read.
    found = run({}, jump=151)["rounds"]["remarkable"]
    assert found == [{"round": 152, "what": "gradient-jump"}]
    # A nan in a round that is not read shows in the loss of the next one, and what it was in is known.
    (rested, *_) = [n for n in range(120, 140) if n not in read]
    found = run({rested: 20})
    assert {"round": rested + 2, "what": "loss-not-finite"} in found["rounds"]["remarkable"]
    (said,) = [note["text"] for note in found["notes"] if note["code"] == "loss-not-finite"]
    assert f"At the end of round {rested + 1} elements of w were not finite" in said
    # If the loss does not depend on it, it is seen in the next round that is read.
    found = run(dict.fromkeys(range(rested, 240), 3))
    (seen,) = found["rounds"]["remarkable"]
    assert seen["what"] == "gradient-not-finite"
    assert seen["round"] - seen["late"] <= rested + 1 <= seen["round"]


RESTING = """
import torch
torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
other = torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], lr=0.01)
schedule = torch.optim.lr_scheduler.StepLR(opt, 70, 0.5)
x = torch.randn(16, 4)
for i in range(500):
    opt.zero_grad()
    loss = (model(x) ** 2).mean() * (1000.0 if KIND == "jump" and i == 331 else 1.0)
    loss.backward()
    if KIND == "twice" and i % 50 == 41:
        (model(x) ** 2).mean().backward()
    if KIND == "nan" and i == 341:
        with torch.no_grad():
            model.weight[0, 2] = float("nan")
    if KIND == "group" and i == 333:
        opt.add_param_group({"params": [torch.nn.Parameter(torch.ones(3))]})
    if KIND == "scheduled":
        schedule.step()
    if KIND == "other" and i % 9 == 0:
        other.step()
    if KIND != "skipped" or i % 31 != 7:
        opt.step()
    if KIND == "error" and i == 337:
        raise ValueError
"""


@pytest.mark.parametrize(
    "kind", ["plain", "jump", "twice", "nan", "group", "scheduled", "other", "skipped", "error"]
)
def test_rounds_that_are_noted_in_less_time_are_noted_alike(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Resting` notes most rounds of a loop on PyTorch, and the document is as without it."""
    pytest.importorskip("torch")
    noted = []
    stepped = resting.Resting.stepped
    monkeypatch.setattr(
        resting.Resting, "stepped", lambda *args: stepped(*args) and (noted.append(1) or True)
    )

    def run() -> Any:
        t = trace(RESTING, {"KIND": kind}, patience=keeping.ALIKE)
        return {k: v for k, v in t.document.items() if k in ("rounds", "steps", "notes", "diagnosis")}

    found = run()
    assert len(noted) > 40
    monkeypatch.setattr(resting.Resting, "begin", lambda *args: None)
    assert found == run()


def test_a_sample_alone_makes_no_jump_and_a_jump_is_seen() -> None:
    rare = "w * (jgrad.arange(40_000) % 640 == i % 640) * (1000.0 if i == JUMP else 1.0)"
    source = LARGE.replace("w[100:] ** 2 * x[100:]", rare)
    for jump, said in ((-1, []), (60, [{"round": 61, "what": "gradient-jump"}])):
        spoilt: dict[int, Any] = {}
        t = trace(source, {"spoilt": spoilt, "norms": [], "JUMP": jump}, patience=keeping.ALIKE)
        assert t.document["rounds"]["remarkable"] == said


def test_a_very_long_run_has_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "LIMIT", 400)
    monkeypatch.setattr(keeping, "RECORDED", 1)
    t = trace("""
w = jgrad.ones(2, requires_grad=True)
optimizer = jgrad.optim.SGD([w], lr=0.001)
for i in range(500):
    loss = ((w - w.detach()) * 2 + i % 10).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""", max_steps=60)  # fmt: skip
    rounds = t.document["rounds"]
    assert rounds["total"] == 500
    assert rounds["bin"] == 16
    losses = losses_of(rounds, rounds["losses"][0])
    assert losses.first.tolist() == [16 * k % 10 for k in range(32)]
    assert (losses.least[:-1].tolist(), losses.largest[:-1].tolist()) == ([0] * 31, [9] * 31)
    gradient = figures_of(rounds, rounds["parameters"][0], "gradient")
    assert np.allclose([gradient.least, gradient.largest], math.sqrt(2), rtol=5e-3)


def test_a_document_of_100_000_rounds_is_small() -> None:
    """Figures of 100,000 rounds of four parameters have their place, each in a row of its own."""
    table = figures.Table()
    for _ in range(13):
        table.add_series(1)
    table.reserve(100_000)
    assert table.bin == 1
    text = 4 * (2 * 13 * 100_000) / 3
    assert text < 3_800_000


def test_models_and_custom_functions_have_the_numbers_of_what_is_left() -> None:
    """Steps are dropped again and again. What the document says of modules, optimizers and Functions still names the right tensors."""
    t = trace(
        """
class Twice(jgrad.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 3

class Net(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = jgrad.nn.Linear(2, 3)
        self.norm = jgrad.nn.BatchNorm1d(3)
        self.rest = [jgrad.nn.Linear(3, 1)]

    def forward(self, x):
        return self.rest[0](self.norm(self.first(x)))

garbage = [jgrad.ones(2) * k for k in range(50)]
net = Net()
opt = jgrad.optim.SGD(net.parameters(), lr=0.001)
x = jgrad.ones(4, 2) * jgrad.arange(4.).unsqueeze(1)
del garbage
for i in range(300):
    net = net if i % 100 else Net()
    opt = opt if i % 100 else jgrad.optim.SGD(net.parameters(), lr=0.001)
    opt.zero_grad()
    y = net(x)
    y = Twice.apply(y) if i >= 20 else y * 2
    loss = y.pow(2).mean()
    loss.backward()
    opt.step()
""",
        max_steps=400,
    )
    document, net = t.document, t.namespace["net"]
    assert document["truncated"] is not None
    [module] = [m for m in document["modules"] if m["training"] is not None]
    assert [t.living(n) for n in module["parameters"]] == [*net.parameters()]
    [attribute] = module["unlisted"]
    assert [t.living(n) for n in attribute["parameters"]] == [*net.rest[0].parameters()]
    assert t.living(module["switched"][0]["running_mean"]) is net.norm.running_mean
    assert any([t.living(n) for n in o["parameters"]] == [*net.parameters()] for o in document["optimizers"])
    for one in (*document["modules"], *document["optimizers"]):
        assert -1 <= one["met_step"] < len(document["steps"])
    wrong = [n for n in document["notes"] if n["code"] == "backward-is-wrong"]
    assert len(wrong) == 1
    step = document["steps"][wrong[0]["step"]]
    assert step["op"] == "Twice"
    assert step["reads"] == wrong[0]["tensors"]


def test_an_optimizer_takes_the_number_of_one_that_is_gone() -> None:
    with Trace("rates") as t:
        a, b = (jgrad.ones(2, requires_grad=True) for _ in range(2))
        one, two = jgrad.optim.SGD([a], lr=0.1), jgrad.optim.SGD([b], lr=0.2)

        def rounds(first: Any, second: Any) -> None:
            for _ in range(12):
                (a * b).sum().backward()
                first.step()
                second.step()

        rounds(one, two)
        del one
        three = jgrad.optim.SGD([a], lr=0.3)
        two.param_groups[0]["lr"] = 0.4
        rounds(three, two)
    rates = [(r["optimizer"], r["rate"]) for r in t.document["rounds"]["rates"]]
    assert rates == [(0, 0.1), (1, 0.2), (0, 0.3), (1, 0.4)]


def test_learning_rates_and_their_changes() -> None:
    with Trace("rates") as t:
        w = jgrad.ones(2, requires_grad=True)
        v = jgrad.ones(2, requires_grad=True)
        optimizer = jgrad.optim.SGD([{"params": [w]}, {"params": [v], "lr": 0.5}], lr=0.1)
        for i in range(12):
            if i == 7:
                optimizer.param_groups[0]["lr"] = 8.0
            optimizer.zero_grad()
            (w * v).sum().backward()
            optimizer.step()
    assert t.document["rounds"]["rates"] == [
        {"round": 1, "optimizer": 0, "group": 0, "rate": 0.1},
        {"round": 1, "optimizer": 0, "group": 1, "rate": 0.5},
        {"round": 8, "optimizer": 0, "group": 0, "rate": 8.0},
    ]
    training = TraceIndex(t.document).training
    assert training is not None
    assert training.rate_changes() == [7]
    assert training.rates_at(6) == [0.1, 0.5]
    assert training.rates_at(7) == [8.0, 0.5]


def test_a_schedule_keeps_some_of_its_changes() -> None:
    with Trace("schedule", max_steps=50) as t:
        w = jgrad.ones(2, requires_grad=True)
        optimizer = jgrad.optim.SGD([w], lr=1.0)
        for i in range(1000):
            optimizer.param_groups[0]["lr"] = 1 / (i + 1)
            (w * w).sum().backward()
            optimizer.step()
    rates = t.document["rounds"]["rates"]
    assert 100 < len(rates) <= 256
    assert rates[0]["round"] == 1
    assert rates[-1]["round"] > 990
    assert all(r["rate"] == 1 / r["round"] for r in rates)
