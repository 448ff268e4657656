"""Every rule of the catalogue, tried out: `python -m tests.explain.mistakes` writes what they say as docs/mistakes.md."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import jgrad
from jgrad.trace import Trace
from jgrad.tracing import explain
from jgrad.tracing.explain import Rule, protocol
from jgrad.tracing.explain.edits import Edit, applied, diff
from jgrad.tracing.explain.subject import Subject
from tests.record.tracing import asked, trace

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
CHAPTERS = {
    "Errors of autograd": explain.ERRORS,
    "Errors of operations": explain.OPERATIONS,
    "Warnings": explain.WARNINGS,
    "What nobody says": explain.NOTES,
    "Why `.grad` is what it is": explain.WHY,
    "Why there is no history, and no gradient": explain.REASONS,
    "What a tensor, a model and a step are asked": explain.QUESTIONS,
}
IN_ANSWERS = (*explain.REASONS, *explain.QUESTIONS)  # rules that say a part of an answer
RULES = [rule for rules in CHAPTERS.values() for rule in rules]
INTRODUCTION = """# Mistakes everyone makes

What `%why` knows: each mistake with a program that makes it, what PyTorch says, what `%why` says, the repair as a diff where `%fix` has
one, and the program mended. The page is made
from the rules in `jgrad/tracing/explain/` by `python -m tests.explain.mistakes`; a test runs every program on jgrad and on PyTorch.

- After an error, `%why` alone explains it; `%%trace` in the first line of the cell lets it name lines.
- `%why x.grad` says why a gradient is None, doubled or of an unexpected shape, `%why x` what x is to autograd and whose memory it has.
- `%why y.backward()` tries the call out, without adding to any `.grad`, and `%why opt.step()` the step, without changing a parameter;
  `%why "words of a warning"` looks a message up.
"""


def outcome(source: str, library: ModuleType) -> dict[str, Any]:
    """What a program raised and warned of under a library that `jgrad` means, and the variables it left."""
    found: dict[str, Any] = {"raised": None, "variables": {"jgrad": library, "__name__": "__main__"}}
    with heard(library) as warned:
        try:
            exec(source, found["variables"])
        except Exception as error:
            found["raised"] = (type(error).__name__, words(error))
    found["warned"] = [(w.category.__name__, words(w.message)) for w in warned]
    return found


@contextmanager
def heard(library: ModuleType) -> Iterator[list[Any]]:
    """All warnings that PyTorch gives, also those that it gives once; without NumPy's. A program may leave recording off."""
    before, recording = library.is_warn_always_enabled(), library.is_grad_enabled()
    library.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            warnings.simplefilter("ignore", RuntimeWarning)
            yield warned
    finally:
        library.set_warn_always(before)
        library.set_grad_enabled(recording)


def words(message: Any) -> str:
    """A message without what only PyTorch's C++ adds, and with PyTorch's name of a shape."""
    return re.sub(r"\s*\(Triggered internally at .*\)$", "", str(message)).strip().replace("jgrad.", "torch.")


def said(rule: Rule, source: str) -> list[str]:
    """What the rule says of a program: nothing if it does not apply."""
    with heard(jgrad) as warned:
        t = trace(source)
    return said_after(rule, t, warned)


def said_after(rule: Rule, t: Trace, warned: list[Any]) -> list[str]:
    """What the rule says of a traced program and of the warnings that it gave."""
    if rule in IN_ANSWERS:
        with protocol.kept() as asked_rules:
            answers = asked(rule.ask, t) if rule.ask else of_trace(t)
        return answers.split("\n") if any(one.rule is rule and not one.silent for one in asked_rules) else []
    if rule.ask:
        name = rule.ask.removesuffix(".grad")
        found = explain.reason(explain.Subject.best(name, t.namespace[name], [t]))
        return [found["text"]] if found["code"] == rule.code else []
    answers = [explain.why_raised(explain.Incident(w.category.__name__, str(w.message))) for w in warned]
    return [n["text"] for n in t.document["notes"] if n["code"] == rule.code] + [
        known[1] for known in answers if known is not None and known[0] is rule
    ]


def of_trace(t: Trace) -> str:
    """What a bare `%why` says after a trace."""
    log = explain.Log(t.document)
    return "\n".join(found.note["text"] for found in explain.findings(log, t.living))


def edits_of(rule: Rule, t: Trace) -> list[Edit]:
    """The edits that a rule proposes after its example."""
    if rule.ask.endswith(".grad") and rule in explain.WHY:
        name = rule.ask.removesuffix(".grad")
        found = explain.reason(Subject.best(name, t.namespace[name], [t]))
        return found["edits"] if found["code"] == rule.code else []
    notes = explain.findings(explain.Log(t.document), t.living)
    if rule in explain.REASONS:  # it ends the sentence of another rule, which has its edits
        return next(([*one.edits] for one in notes if one.edits), [])
    return [edit for one in notes if one.note["code"] == rule.code for edit in one.edits]


def repair(rule: Rule) -> tuple[str, str]:
    """The example with the edit of its rule, and the edit as a diff; nothing if it has none."""
    with heard(jgrad):
        t = trace(rule.example)
    edits, lines = edits_of(rule, t), t.document["source"]
    return ("\n".join(applied(lines, edits)), diff(lines, edits, "the program")) if edits else ("", "")


def in_words(rule: Rule) -> str:
    """When a rule applies, as a sentence without its full stop."""
    code = re.match(r"\w+[.(=]|\w*_", rule.when)
    return rule.when if code else f"{rule.when[0].upper()}{rule.when[1:]}"


def contents() -> Iterator[str]:
    """The mistakes in words, each with a link. Two rules of one code are one mistake, asked in two ways."""
    counted: dict[str, int] = {}
    for title, rules in CHAPTERS.items():
        yield f"\n**{title}**\n"
        for rule in rules:
            again = counted[rule.code] = counted.get(rule.code, -1) + 1
            yield f"- [{in_words(rule)}](#{rule.code}{f'-{again}' if again else ''})"
    yield ""


def section(rule: Rule) -> str:
    """What the page says of a rule."""
    lines = [f"### `{rule.code}`", "", f"{in_words(rule)}.", ""]
    if not rule.example:
        return "\n".join(lines)
    lines += ["```python", rule.example.strip(), "```", ""]
    done = outcome(rule.example, jgrad)
    if rule.raised[0]:
        kinds = [done["raised"]] if done["raised"] else done["warned"]
        kind, message = next(
            k for k in kinds if re.fullmatch(rule.raised[0], k[0]) and re.search(rule.raised[1], k[1])
        )
        lines += ["PyTorch says", "", "```text", f"{kind}: {message}", "```", ""]
    asked = f"%why {rule.ask}" if rule.ask else "%why"
    lines += [f"`{asked}` says", "", *[f"> {text}" for text in said(rule, rule.example)], ""]
    if rule.repaired:
        _, edit = repair(rule)
        if edit:
            lines += ["`%fix` shows", "", "```diff", *edit.split("\n"), "```", ""]
        lines += ["Mended:", "", "```python", rule.repaired.strip(), "```", ""]
    return "\n".join(lines)


def page() -> Iterator[str]:
    yield INTRODUCTION
    yield from contents()
    for title, rules in CHAPTERS.items():
        yield f"## {title}\n"
        yield from map(section, rules)


if __name__ == "__main__":
    PAGE.write_text("\n".join(page()), encoding="utf-8")
