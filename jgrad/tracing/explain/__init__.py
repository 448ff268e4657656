"""Why a `.grad` is None, doubled or wrong, what raised and why, which line overwrote what backward needs, which line saved it.

Each mistake is a `Rule`: `rules/` has a module for each topic, in which a rule stands next to the function that finds it, and `catalogue` brings
them together. `notes` applies them to a trace document, `diagnosis` says what the views show at first, `answers` puts them into words for `%why`. `docs/mistakes.md` is made from them.

Sixty modules with rules take a while to load. This happens when the first name is used: at the end of a program that `jgrad run` runs, and not before it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jgrad.tracing.explain.names import *  # noqa: F403


# (A module of this folder is no such name, and Python asks for it before it imports it.)
NAMES = frozenset((
    "ERRORS", "GROWS", "MOST", "NOTES", "OPERATIONS", "QUESTIONS", "REASONS", "SEVERITIES", "WARNINGS", "WHY", "AskedStep", "AskedTensor", "Incident", "Learning", "Log", "Rule", "Subject", "about_model", "about_words", "because", "cause_of", "describe", "describe_recorded", "diagnosis", "edits_of", "findings", "followed_by", "named", "parts", "reason", "repair_of_changed", "why_raised", "would_do", "would_step",
))  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jgrad.tracing.explain import names

    # All of them: one has the name of a module, which Python puts into its place when that is imported.
    globals().update({each: getattr(names, each) for each in NAMES})
    return globals()[name]
