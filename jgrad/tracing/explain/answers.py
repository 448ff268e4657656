"""What `%why` answers about something raised, and about a backward() that was not run yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.values import as_value
from jgrad.tracing.explain.catalogue import ERRORS, OPERATIONS, WARNINGS
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.interruption import KINDS, about_interruption
from jgrad.tracing.explain.rule import Rule, listed
from jgrad.tracing.record.contents import measure

UNTRACED = (
    "The line that raised was not traced: write %%trace in the first line of its cell, and %why can say more."
)
MOST = 6  # variables that a sentence lists


def why_raised(incident: Incident) -> tuple[Rule, str, dict] | None:
    """The rule that knows what was raised, what it says, and the blanks of that; None if none does."""
    for rule in (*ERRORS, *OPERATIONS, *WARNINGS):
        words = rule.words_in(incident.kind, incident.message)
        if words is not None:
            for case in rule.cases(incident):
                blanks = incident.blanks() | words | case
                return rule, rule.sentence(blanks), blanks
    return None


def because(incident: Incident) -> str:
    """An answer about something raised, whatever it is."""
    known = why_raised(incident)
    if known is not None:
        rule, text, _ = known
        return f"{text} {UNTRACED}" if incident.untraced and rule.knows_more else text
    if incident.kind in KINDS:
        return about_interruption(incident)
    first = incident.message.split("\n", 1)[0]
    words = f"{incident.kind}: {first}" if first else incident.kind
    return f"{incident.blanks()['lead']}{words} (%why knows no more about this error)"


def about_words(message: str) -> str | None:
    """An answer about the words of an error or a warning; None where no rule knows them."""
    for rule in (*ERRORS, *OPERATIONS, *WARNINGS):
        kind, pattern = rule.raised
        if re.search(pattern, message) and len(pattern) > 10:
            known = why_raised(Incident(kind.split("|")[0], message))
            if known is not None:
                return known[1]
    return None


def would_do(name: str, leaves: Sequence[str], gradients: Sequence[Any]) -> str:
    """What a backward() that raises nothing adds to which .grad."""
    both = zip(leaves, gradients, strict=True)
    found = [f"{brief(as_value(measure(g._a)))} to {leaf}" for leaf, g in both if g is not None]
    if not found:
        return f"{name} raises no error and would add to no .grad."
    return f"{name} raises no error. It would add {listed(found[:MOST])}; %why itself added nothing."
