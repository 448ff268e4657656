"""The catalogue of mistakes on PyTorch: the same words, with PyTorch's name."""

from __future__ import annotations

import re
from typing import Any

import pytest

import jgrad
from jgrad import mirrors
from jgrad.asking.question import answer
from jgrad.tracing import explain
from jgrad.tracing.explain import Rule, protocol
from tests.explain.mistakes import IN_ANSWERS, RULES, heard, of_trace
from tests.mirrors.both import record

torch = pytest.importorskip("torch")

WITH_EXAMPLE = [rule for rule in RULES if rule.example]
# What some releases of PyTorch's lack, and the rules that say nothing without it (`jgrad/mirrors/torch/private.py`, docs/torch.md):
LACKED = set() if hasattr(torch.nn.utils.clip_grad, "_get_total_norm") else {"clip-of-nothing"}
# Of PyTorch's gradients that a hook clears as soon as they are accumulated, nothing is seen.
LACKED.add("cleared-by-callback")


def of_torch(text: str) -> str:
    return re.sub(r"\bjgrad\b", "torch", text)


def traced(source: str, library: Any) -> tuple[Any, list[Any]]:
    """A program's trace on a library, and the warnings that it heard."""
    library.manual_seed(0)
    with heard(library) as warned:
        return record(of_torch(source), library), warned


def said(rule: Rule, t: Any, warned: list[Any]) -> list[str]:
    """What the rule says of a program that was traced, in PyTorch's name."""
    if rule in IN_ANSWERS:
        with protocol.kept() as asked_rules:
            passages = answer(rule.ask, t.namespace, [t], {}) if rule.ask else []
            texts = [p.text for p in passages] if rule.ask else [of_trace(t)]
        spoke = any(one.rule is rule and not one.silent for one in asked_rules)
        return [of_torch(line) for text in texts for line in text.split("\n")] if spoke else []
    if rule.ask:
        name = rule.ask.removesuffix(".grad")
        found = explain.reason(explain.Subject.best(name, mirrors.mirror(t.namespace[name]), [t]))
        return [of_torch(found["text"])] if found["code"] == rule.code else []
    answers = [explain.why_raised(explain.Incident(w.category.__name__, str(w.message))) for w in warned]
    notes = [n["text"] for n in t.document["notes"] if n["code"] == rule.code]
    if t.namespace["torch"] is torch:
        assert not any("jgrad." in text for text in notes)
    return [of_torch(text) for text in notes + [k[1] for k in answers if k is not None and k[0] is rule]]


@pytest.mark.one_in(16)
@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.code)
def test_a_mistake_is_explained_in_the_same_words(rule: Rule) -> None:
    of_pytorch = said(rule, *traced(rule.example, torch))
    if rule.code in LACKED:
        assert of_pytorch == []
    else:
        assert of_pytorch == said(rule, *traced(rule.example, jgrad)) != []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rule", [r for r in WITH_EXAMPLE if r.repaired], ids=lambda rule: rule.code)
def test_nothing_is_said_of_the_mended_program(rule: Rule) -> None:
    t, warned = traced(rule.repaired, torch)
    assert said(rule, t, warned) == []
    assert [n["code"] for n in t.document["notes"] if n["severity"] != "info"] == []
