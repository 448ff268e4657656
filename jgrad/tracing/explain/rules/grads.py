"""Why the `.grad` of a tensor is what it is: the first rule that applies is the reason."""

from __future__ import annotations

from typing import Any

from jgrad.tracing.explain.rule import Rule
from jgrad.tracing.explain.rules import (
    deep_chains,
    flat_operators,
    grad_not_filled,
    grad_not_kept,
    grad_values,
    hooks,
    wrong_derivatives,
)
from jgrad.tracing.explain.subject import Subject


def _before(code: str, rules: list[Rule], more: list[Rule]) -> list[Rule]:
    """Rules with others put in before the one of this code."""
    at = [rule.code for rule in rules].index(code)
    return [*rules[:at], *more, *rules[at:]]


VALUES = _before(
    "grad-vanished",
    grad_values.WHY,
    [*wrong_derivatives.WHY, *hooks.WHY, *deep_chains.WHY, *flat_operators.WHY],
)
WHY = (*VALUES, *grad_not_kept.WHY, *grad_not_filled.WHY)


def reason(subject: Subject) -> dict[str, Any]:
    """Why the `.grad` of a tensor is what it is: `code`, `text`, `step` and `lines`; and of the text the `cause`, the `repair` and the `headline`."""
    for rule in WHY:
        for case in rule.cases(subject):
            blanks = {
                "name": subject.name,
                "dtype": subject.dtype,
                "grad_fn": subject.grad_fn,
                "made": subject.made(),
            }
            blanks |= case
            return {
                "code": rule.code,
                "text": rule.sentence(blanks),
                "cause": rule.cause(blanks),
                "repair": rule.cure(blanks),
                "headline": rule.headline.format(**blanks),
                "step": case["step"],
                "lines": case["lines"],
                "edits": [*case.get("edits", ())],
            }
    raise AssertionError("the last rule applies to everything")
