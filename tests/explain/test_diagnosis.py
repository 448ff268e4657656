"""What is said of a trace at first: for all mistakes of the catalogue, and for cells without one."""

from __future__ import annotations

import cProfile
import dataclasses
import pstats
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing.document.check import check
from jgrad.tracing.explain.diagnosis import LONG
from tests.explain.mistakes import RULES
from tests.record.tracing import trace

pytestmark = pytest.mark.quick
EXAMPLES = {rule.code: rule for rule in RULES if rule.example and not rule.ask}


def words(parts: list[dict[str, Any]], line: str = "[{}]", code: str = "`{}`") -> str:
    """A sentence, its lines in brackets and its code in backticks."""
    forms = {"text": "{}", "code": code, "number": "<{}>", "line": line}
    return "".join([forms[part["kind"]].format(part["text"]) for part in parts])


def said(source: str) -> dict[str, Any]:
    return trace(source).document["diagnosis"]


@pytest.fixture(autouse=True)
def warnings_come_every_time() -> Iterator[None]:
    """Some are given once per process, and what they say is a diagnosis too."""
    jgrad.set_warn_always(True)
    yield
    jgrad.set_warn_always(False)


@pytest.mark.slow
@pytest.mark.parametrize("code", EXAMPLES)
def test_every_mistake_has_a_headline(code: str) -> None:
    t = trace(EXAMPLES[code].example)
    found = t.document["diagnosis"]
    headline = words(found["headline"], "§", "{}")
    assert 10 < len(headline) <= LONG + 20, headline
    assert not re.match(r"[Ll]ines? \d", headline), headline
    assert "  " not in headline
    assert headline[-1] not in ".,:;"
    begins = found["headline"][0]
    assert begins["kind"] != "text" or not begins["text"][0].islower(), headline
    more = words(found["more"])
    assert not more or more.endswith("."), more
    for text in (headline, more, words(found["repair"])):
        assert text.count("(") == text.count(")"), text
        assert "`" not in re.sub(r"`[^`]*`", "", text), text
    for part in [*found["headline"], *found["more"], *found["repair"]]:
        assert part["text"]
        if part["kind"] == "line" and "cursor" in part and "line" in part:
            assert t.document["steps"][part["cursor"] - 1]["line"] == part["line"]
    check(t.document)
    is_about_what_why_says(t.document)


def is_about_what_why_says(document: dict[str, Any]) -> None:
    """The headline is about the gravest note, about that of the error if there is one; and all statements that it proposes can be read in its repair."""
    found, notes = document["diagnosis"], document["notes"]
    if notes:
        graver = {"error": 0, "warning": 1, "info": 2}
        assert graver[found["severity"]] == min(graver[note["severity"]] for note in notes)
        assert found["code"] in {note["code"] for note in notes}
    for code in found["proposes"]:
        assert code.split("\n")[0] in words(found["repair"], code="{}")


def test_what_was_saved_and_overwritten() -> None:
    found = said("""w = jgrad.ones(2, requires_grad=True)
h = w.sigmoid()
h += 1
h.sum().backward()
""")
    assert (
        words(found["headline"]) == "`h` was saved by `sigmoid` [line 2] and overwritten by `h += 1` [line 3]"
    )
    assert words(found["repair"]) == "Write `h = h + 1`, which makes a new tensor."
    assert found["proposes"] == ["h = h + 1"]
    assert found["error"].startswith("RuntimeError: one of the variables needed")
    assert found["severity"] == "error"


def test_an_error_that_no_rule_knows() -> None:
    found = said("x = jgrad.ones(2)\n1 / 0")
    assert words(found["headline"]) == "ZeroDivisionError: division by zero [line 2]"
    assert (found["code"], found["severity"]) == ("", "error")
    assert found["error"] == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("source", "headline"),
    [
        (
            "x = jgrad.tensor(2., requires_grad=True)\nw = jgrad.tensor(1., requires_grad=True)\ny = (x + w) * (w + 1)\ny.backward()",
            "`w.grad` is <5.>: two paths lead to `w`, and they bring <3.> and <2.>",
        ),
        ("w = jgrad.tensor(2., requires_grad=True)\n(w * 3).backward()", "`w.grad` is <3.>"),
        ("w = jgrad.ones(9, requires_grad=True)\n(w * 3).sum().backward()", "`w.grad` has norm <9>"),
        ("w = jgrad.ones(2, requires_grad=True)\ny = w * 3", "2 steps, no backward pass"),
        ("x = jgrad.ones(2)", "1 step: `x` is in storage 1"),
        ("x = jgrad.ones(2)\ny = x + 1", "2 steps: `x` and `y` have memory of their own"),
        ("x = jgrad.ones(2)\ny = x[:1]\nz = x + 1", "3 steps: `x` and `y` share storage 1"),
        ("a = [jgrad.ones(2) for _ in range(9)]", "9 steps: 9 variables in 9 storages"),
        ("x = jgrad.ones(4)\ny = x.gather(0, jgrad.tensor([1, 0]))", "`gather` [line 2]: 2 reads, 2 not read"),
        ("x = 1", "No tensor operation ran"),
        (
            "a = jgrad.ones(2, requires_grad=True)\nb = jgrad.ones(2, requires_grad=True)\n(a * b).sum().backward()",
            "`a.grad` is <[1., 1.]> and `b.grad` is <[1., 1.]>",
        ),
    ],
)  # fmt: skip
def test_what_a_cell_without_a_mistake_did(source: str, headline: str) -> None:
    found = said(source)
    assert words(found["headline"]) == headline
    assert (found["code"], found["step"], found["error"], found["repair"]) == ("", None, None, [])


def test_a_write_to_shared_memory() -> None:
    found = said("a = jgrad.arange(6).view(2, 3)\nc = a[:, 1]\nt = a.t()\nc[0] = 10")
    assert words(found["headline"]) == "`c[0] = 10` also changed `a` and `t` [line 4]"
    assert words(found["more"]) == "`c`, `a` and `t` share storage 1."


def test_a_warning_is_a_diagnosis_where_there_is_no_note() -> None:
    found = said("x = jgrad.ones(2)\ny = jgrad.tensor(x)")
    assert found["severity"] == "warning"
    assert words(found["headline"]).startswith("`tensor(x)` copies the numbers")
    assert found["error"].startswith("UserWarning: ")


def test_names_and_messages_of_the_user_stay_text() -> None:
    found = said("raise ValueError('<b>line 7</b> ' + 'x' * 5000)")
    assert "<b>" in words(found["headline"])
    assert len(words(found["headline"])) < 200
    assert all(set(part) <= {"kind", "text", "line", "cursor", "aside"} for part in found["headline"])
    check(trace("raise ValueError('line 99 and line 1')").document)


ATTENTION = """
class Attention(jgrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.proj = (jgrad.nn.Linear(8, 8) for _ in range(4))
    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(-2, -1)
        return x + self.proj(scores.softmax(-1) @ self.v(x))
jgrad.manual_seed(0)
blocks = jgrad.nn.ModuleList([Attention() for _ in range(2)])
with jgrad.no_grad():
    for block in blocks:
        {start}
x = jgrad.randn(2, 4, 8)
for block in blocks:
    x = block(x)
x.pow(2).sum().backward()
"""


@pytest.mark.parametrize(
    ("start", "code", "headline"),
    [
        # (The gradient of the bias of k is 0 but for rounding, which is each processor's own.)
        ("pass", "", "All 16 parameters got a gradient, largest `blocks[0].v.weight` 60, smallest `blocks["),
        (
            "block.q.weight.mul_(1e3); block.k.weight.mul_(1e3)", "softmax-saturated",
            "`q` and `k` of `blocks[0]` and `blocks[1]` learn nothing: their gradients are 0",
        ),
        (
            "for p in (*block.q.parameters(), *block.k.parameters()): p.zero_()", "factors-both-zero",
            "`q` and `k` of `blocks[0]` and `blocks[1]` learn nothing: their gradients are 0",
        ),
        (
            "block.proj.weight.zero_()", "weight-of-zeros",
            "`q`, `k` and `v` of `blocks[0]` and `blocks[1]` learn nothing in this step: their gradients are 0",
        ),
    ],
)  # fmt: skip
def test_attention_that_learns_nothing(start: str, code: str, headline: str) -> None:
    found = said(ATTENTION.format(start=start))
    assert found["code"] == code
    assert words(found["headline"]).startswith(headline)


def test_paths_are_not_added_up_where_a_hook_changed_their_sum() -> None:
    source = """
w = jgrad.tensor([1., 2.], requires_grad=True)
w.register_hook(lambda g: g * 10)
(w * w).sum().backward()
"""
    assert (
        words(said(source)["headline"])
        == "`w.grad` is [20., 40.]: the hook in [line 2] got [1., 2.] + [1., 2.], the gradient of `w`"
    )


def test_a_nan_that_the_program_writes_needs_no_advice_about_divisions() -> None:
    found = said("x = jgrad.ones(3)\nx[1] = float('nan')\ny = x * 2")
    assert found["code"] == "nan-appears"
    assert "put in the first nan" in words(found["headline"])
    assert found["repair"] == []


def test_of_complex_numbers_a_part_may_be_nan() -> None:
    found = said("x = jgrad.zeros(2, dtype=jgrad.complex64)\ny = x / x")
    assert found["code"] == "nan-appears"


def test_the_first_nan_of_a_loop_names_its_round() -> None:
    source = """
x, w = jgrad.tensor([1., 2.]), jgrad.ones(2, requires_grad=True)
for i in range(6):
    (x * w / (3 - i)).sum().backward()
    w.grad = None
    x = x - x if i == 2 else x
"""
    assert "made the first nan in round 4 of 6" in words(said(source)["headline"])


CHAIN = (
    "w = jgrad.tensor(0.5, requires_grad=True)\ny = jgrad.tensor(1.)\nfor i in range(200):\n    y = y * w\n"
)


@pytest.mark.parametrize(
    ("source", "whole", "unknown"),
    [
        (CHAIN, "202 steps, no backward pass", "no backward"),
        (CHAIN + "y.backward()", "`w.grad` is zero: `MulBackward0`", "backward"),
        ("a, b = jgrad.ones(2), jgrad.ones(3)\nfor i in range(200):\n    a.add_(1)", "have memory of their own", "memory"),
    ],
)  # fmt: skip
def test_nothing_is_said_of_steps_that_were_not_kept(
    source: str, whole: str, unknown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps are missing because there were more than --max-steps, or because the document became too large."""
    assert whole in words(said(source)["headline"])
    documents = [trace(source, max_steps=30).document]
    monkeypatch.setattr("jgrad.tracing.document.document.LIMIT", 7_000)
    monkeypatch.setattr("jgrad.tracing.document.document.RESERVED", 0)
    documents.append(trace(source, max_steps=1_000).document)
    for document in documents:
        check(document)
        if document["truncated"] is None:
            continue  # (The memory of a few tensors takes little room.)
        assert any(step["kind"] == "gap" for step in document["steps"])
        headline = words(document["diagnosis"]["headline"])
        assert headline.startswith("At least ")
        assert unknown not in headline
    assert documents[0]["truncated"] is not None


def test_a_rule_that_fails_loses_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    from jgrad.tracing.explain import notes

    def fails(log: Any) -> Any:
        raise ZeroDivisionError("of a rule")

    with jgrad.trace() as t:
        w = jgrad.ones(2, requires_grad=True)
        w.sum().backward()
        w.sum().backward()
    broken = dataclasses.replace(notes.NOTES[0], find=fails)
    monkeypatch.setattr(notes, "NOTES", [broken, *notes.NOTES])
    codes = [note["code"] for note in t.document["notes"]]
    assert codes == ["recorder-failed", "grad-accumulated"]
    assert [str(failure) for failure in t.failures] == ["of a rule"]


def test_the_name_of_a_list_is_code_at_the_beginning() -> None:
    t = trace(
        """
for _ in range(3):
    loss = (w * w).sum()
    loss.backward()
    w.grad = None
    losses.append(loss)
""",
        {"w": jgrad.ones(2, requires_grad=True), "losses": []},
    )
    assert t.document["diagnosis"]["headline"][0] == {"kind": "code", "text": "losses"}


def test_data_without_a_gradient_is_no_headline_beside_a_gradient() -> None:
    step = "w = jgrad.ones(2, requires_grad=True)\nx = jgrad.ones(2)\n(w * x).sum().backward()\n"
    beside = trace(f"{step}print(w.grad, x.grad)").document
    assert words(beside["diagnosis"]["headline"]).endswith("`w.grad` is <[1., 1.]>")
    assert beside["diagnosis"]["repair"] == []
    assert [note["code"] for note in beside["notes"]] == ["grad-not-required"]
    assert words(said(f"{step}print(x.grad)")["headline"]).startswith("`x.grad` is None")


def test_two_losses_may_be_meant_to_be_added() -> None:
    two = said("w = jgrad.ones(1, requires_grad=True)\n(w * 2).backward()\n(w * 3).backward()")
    assert words(two["repair"]) == "If you need no sum, write `w.grad = None` before [line 3]."
    loop = said("w = jgrad.ones(1, requires_grad=True)\nfor k in range(3):\n    (w * k).backward()")
    assert words(loop["repair"]) == "Write `w.grad = None` before each `backward()`, unless you need the sum."


def test_a_tensor_that_is_filled_keeps_its_history() -> None:
    """A new one, as from zeros_like(), would have none, and backward() could not start there."""
    start = "x = jgrad.ones(1, requires_grad=True)\ny = x.exp()\n"
    found = said(f"{start}y.zero_()\ny.backward()")
    assert (
        words(found["repair"])
        == "Write `y = x.exp().clone()` in [line 2], so that what is saved keeps its values."
    )
    assert trace(f"{start}y.zero_()\ny.backward()".replace("x.exp()", "x.exp().clone()")).error is None


@pytest.mark.parametrize(
    ("source", "repair"),
    [
        ("a = jgrad.ones(4)\nb = a[1:]\nc = a[2:]\nb.zero_()", "Write .clone() where b is made, if b should have its own memory."),
        ("a = jgrad.ones(4)\nb = a[1:]\nc = a[2:]\na.zero_()", "Write .clone() where c is made, if c should have its own memory."),
        ("a = jgrad.ones(4)\nb = a[1:]\njgrad.add(b, 1, out=b)", ""),
        ("a = jgrad.ones(1)\nkept = [a.detach()]\na += 1", "Make the elements of kept with clone() if they should have their own memory."),
    ],
)  # fmt: skip
def test_who_should_have_memory_of_its_own(source: str, repair: str) -> None:
    assert words(said(source)["repair"], code="{}") == repair


def by_hand(rounds: int) -> Trace:
    w, b, x = jgrad.ones(2, 2, requires_grad=True), jgrad.zeros(2, requires_grad=True), jgrad.ones(3, 2)
    with jgrad.trace(max_steps=100_000) as t:
        for _ in range(rounds):
            ((x @ w + b) ** 2 * 0.5).mean().backward()
            with jgrad.no_grad():
                for p in (w, b):
                    p -= 0.01 * p.grad
                    p.grad.zero_()
    return t


def by_an_optimizer(rounds: int) -> Trace:
    net = jgrad.nn.Sequential(jgrad.nn.Linear(2, 3), jgrad.nn.Tanh(), jgrad.nn.Linear(3, 1))
    opt = jgrad.optim.SGD(net.parameters(), lr=0.01)
    x, y = jgrad.ones(5, 2), jgrad.ones(5, 1)
    with jgrad.trace(max_steps=100_000) as t:
        for _ in range(rounds):
            opt.zero_grad()
            jgrad.nn.functional.mse_loss(net(x) * 1.0, y).backward()
            opt.step()
    return t


@pytest.mark.slow
@pytest.mark.parametrize(("loop", "rounds"), [(by_hand, 600), (by_an_optimizer, 250)])
def test_what_is_said_of_a_trace_costs_no_more_than_its_length(
    loop: Callable[[int], Trace], rounds: int
) -> None:
    """No rule looks at all steps for each step. Calls are counted, not seconds."""
    calls = []
    for many in (rounds, 2 * rounds):
        t = loop(many)
        with cProfile.Profile() as profile:
            assert len(t.document["steps"]) > 15 * many
        calls.append(pstats.Stats(profile).total_calls)
    assert calls[1] < 2.15 * calls[0]
