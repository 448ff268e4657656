"""What is said of a part of a program is not contradicted by the whole program: what was not kept is never taken for what did not happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jgrad
from jgrad.trace import Trace
from jgrad.tracing import explain
from jgrad.tracing.document import document as documents
from jgrad.tracing.explain.rules import rounds
from tests.explain.mistakes import RULES
from tests.programs import PROGRAMS, Program, helpers
from tests.record.tracing import trace

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("ignore")]

MOST = 100_000
# Answers that name no cause, and those that say how a tensor was made: the whole program may have a more special one.
GENERAL = {
    "grad-in-gap", "grad-not-reached", "grad-not-leaf", "grad-not-required", "grad-present", "grad-broadcast",
    "saved-overwritten-unseen", "second-backward", "matrices-do-not-fit", "gradient-not-finite", "step-too-large", "no-better-than-constant", "error-in-gap",
    "rate-too-low", "loss-not-finite",
}  # fmt: skip
# What a sentence says of steps that there may have been.
ABSENT = re.compile(
    r"\bnever\b|no backward\(\) ran|no backward pass|code before this cell(?!, or)|does not use it|\bnothing\b|\bhook\b"
)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    jgrad.manual_seed(0)
    yield
    jgrad.set_grad_enabled(True)


def parts(
    source: str, namespace: dict[str, Any], whole: Trace, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Trace]:
    """Traces of a program of which some steps were not kept: the middle (--max-steps), or the end (the size of the document)."""
    steps = len(whole.document["steps"])
    for most in (4, steps // 2):
        if 3 <= most < steps - 1:
            jgrad.manual_seed(0)
            yield trace(source, dict(namespace), max_steps=most)
            jgrad.set_grad_enabled(True)
    monkeypatch.setattr(documents, "RESERVED", 0)
    for size in (3_000,):
        monkeypatch.setattr(documents, "LIMIT", size)
        jgrad.manual_seed(0)
        found = trace(source, dict(namespace), max_steps=MOST)
        jgrad.set_grad_enabled(True)
        if found.document["truncated"] is not None:
            yield found
    monkeypatch.undo()


def answers(t: Trace) -> dict[tuple[str, str], str]:
    """What the notes, the headline and `%why x.grad` say: by the subject and the code of the rule."""
    found = {("", note["code"]): note["text"] for note in t.document["notes"]}
    found["headline", ""] = "".join(part["text"] for part in t.document["diagnosis"]["headline"])
    for name in {n for x in t.document["tensors"] for _, n in x["names"] if n.isidentifier()}:
        if isinstance(t.namespace.get(name), jgrad.Tensor):
            why = explain.reason(explain.Subject.best(name, t.namespace[name], [t]))
            found[name, why["code"]] = why["text"]
    return found


def contradictions(part: Trace, whole: Trace) -> Iterator[str]:
    """What a part says and the whole does not."""
    known = answers(whole)
    for (subject, code), text in answers(part).items():
        if subject != "headline" and (subject, code) not in known and code not in GENERAL:
            yield f"{subject} {code}: {text}"
        said = " ".join([*known.values()])
        for claim in ABSENT.findall(text):
            if claim not in said:
                yield f"{claim!r} in {code or 'the headline'}: {text}"


def agrees(source: str, namespace: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trace(source, dict(namespace), max_steps=MOST)
    jgrad.set_grad_enabled(True)
    for part in parts(source, namespace, whole, monkeypatch):
        assert [*contradictions(part, whole)] == []


# (The examples of long runs are cut in any case.)
EXAMPLES = [
    pytest.param(text, id=f"{rule.code}-{which}")
    for rule in RULES
    for which, text in (("mistake", rule.example), ("mended", rule.repaired))
    if text and rule not in rounds.NOTES
]


@pytest.mark.slow
@pytest.mark.one_in(20)
@pytest.mark.parametrize("source", EXAMPLES)
def test_a_part_of_an_example(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agrees(source, {}, monkeypatch)


@pytest.mark.one_in(200)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_part_of_a_program(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def show(*_: object) -> None: ...

    namespace = {"torch": jgrad, "np": np, "show": show, **helpers(jgrad, show)}
    agrees(program.text, namespace, monkeypatch)


PADDING = "for _ in range(60):\n    c = c * 1\n"  # so that what is between two of them is not kept
LEAVES = "c = jgrad.ones(2)\nw = jgrad.ones(2, requires_grad=True)\nb = jgrad.ones(2, requires_grad=True)\n"
DEEP = PADDING.replace("c", "h")
CLEARED = "(w * b).sum().backward()\nw.grad = None\nb.grad = None\n"
NET = """
c = jgrad.ones(1)
net, y = jgrad.nn.Linear(2, 1), jgrad.ones(2, 1)
opt = jgrad.optim.SGD(net.parameters(), lr=0.1)
x = jgrad.ones(2, 2)
for _ in range(3):
    opt.zero_grad()
    (net(x) - y).pow(2).sum().backward()
"""
# (before, what is not kept, after)
HIDDEN = {
    "a detach()": (LEAVES, "h = (w * 2).detach()\n", "loss = (h * b).sum()\nloss.backward()"),
    "where a result comes from": (LEAVES, "h = (w * 2).detach()\n", "z = h * 3"),
    "the node that makes nan": (LEAVES, "h = w * 0\n" + DEEP + "h = h.sqrt() * 0\n" + DEEP + "h.sum().backward()\n", ""),
    "the step of an optimizer": (NET, "getattr(opt, 'step')()\n", "z = c * 3"),
}  # fmt: skip


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize("cut", ["middle", "end"])
def test_what_is_not_kept_is_not_denied(
    hidden: tuple[str, str, str], cut: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, event, after = hidden
    source = before + PADDING + event + PADDING + after
    whole = trace(source, max_steps=MOST)
    if cut == "middle":
        part = trace(source, max_steps=40)
    else:
        first, pack = len(trace(before, max_steps=MOST).document["steps"]), documents._pack
        monkeypatch.setattr(documents, "LIMIT", 0)
        monkeypatch.setattr(
            documents, "_pack", lambda *args: (pack(*args), first if args[3] == 0 else None)[1]
        )
        part = trace(source, max_steps=MOST)
    assert part.document["truncated"] is not None
    assert [*contradictions(part, whole)] == []


@pytest.mark.parametrize(
    "early",
    [
        "(w * b).sum().backward(inputs=[b])",
        "((w * 2).detach() * b).sum().backward()",
        "(w.item() * b).sum().backward()",
    ],
)
def test_the_reason_is_looked_for_after_what_was_not_kept(early: str) -> None:
    """What an early backward() left out came later, and was cleared."""
    before = LEAVES.replace("ones(2, r", "ones((), r") + early + "\n"
    t = trace(before + PADDING + CLEARED + PADDING + "(b * 2).sum().backward()", max_steps=40)
    why = explain.reason(explain.Subject.best("w", t.namespace["w"], [t]))
    assert why["code"] == "grad-unused"
    assert "line 4" not in why["text"]
