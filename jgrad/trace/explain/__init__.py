"""From the log to sentences: why a `.grad` is None, doubled or wrong, which line spoilt what backward needs, which line saved it.

The catalogue is data, a `Rule` for each mistake: `errors`, `operations` and `cautions` about what was raised, `notes` about what happened
without a word, `grads` about one `.grad`. `docs/mistakes.md` is made from it. `answers` puts it into words for `%why`.
"""

from jgrad.trace.document.log import Log
from jgrad.trace.explain.answers import about_words, because, describe, why_raised, would_do
from jgrad.trace.explain.cautions import WARNINGS
from jgrad.trace.explain.errors import ERRORS
from jgrad.trace.explain.grads import WHY, reason
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.notes import MOST, NOTES, notes
from jgrad.trace.explain.operations import OPERATIONS
from jgrad.trace.explain.rule import SEVERITIES, Rule
from jgrad.trace.explain.steps import would_step
from jgrad.trace.explain.subject import Subject

__all__ = [
    "ERRORS", "MOST", "NOTES", "OPERATIONS", "SEVERITIES", "WARNINGS", "WHY", "Incident", "Log", "Rule", "Subject", "about_words", "because",
    "describe", "notes", "reason", "why_raised", "would_do", "would_step",
]  # fmt: skip
