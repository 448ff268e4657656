"""Why a `.grad` is None, doubled or wrong, what raised and why, which line overwrote what backward needs, which line saved it.

Each mistake is a `Rule`: `rules/` has a module for each topic, in which a rule stands next to the function that finds it, and `catalogue` brings
them together. `notes` applies them to a trace document, `diagnosis` says what the views show at first, `answers` puts them into words for `%why`. `docs/mistakes.md` is made from them.
"""

from jgrad.tracing.document.log import Log
from jgrad.tracing.explain.answers import about_words, because, why_raised, would_do
from jgrad.tracing.explain.catalogue import ERRORS, NOTES, OPERATIONS, QUESTIONS, REASONS, WARNINGS, WHY
from jgrad.tracing.explain.diagnosis import diagnosis, parts
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.notes import MOST, findings, named
from jgrad.tracing.explain.rule import SEVERITIES, Rule
from jgrad.tracing.explain.rules.asked_models import about_model
from jgrad.tracing.explain.rules.asked_steps import AskedStep, would_step
from jgrad.tracing.explain.rules.asked_tensors import (
    AskedTensor,
    describe,
    describe_recorded,
    repair_of_changed,
)
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject

__all__ = [
    "ERRORS", "MOST", "NOTES", "OPERATIONS", "QUESTIONS", "REASONS", "SEVERITIES", "WARNINGS", "WHY", "AskedStep", "AskedTensor", "Incident", "Log", "Rule", "Subject", "about_model", "about_words", "because",
    "describe", "describe_recorded", "diagnosis", "findings", "named", "parts", "reason", "repair_of_changed", "why_raised", "would_do", "would_step",
]  # fmt: skip
