"""What the rules find in a trace document, from which its notes and its diagnosis are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from jgrad.tensor import Tensor
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import UNKNOWN_STEPS, Log
from jgrad.tracing.document.schema import Note
from jgrad.tracing.explain.answers import why_raised
from jgrad.tracing.explain.catalogue import NOTES
from jgrad.tracing.explain.edits import Edit, Span
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.rule import SEVERITIES, Rule
from jgrad.tracing.explain.rules import rounds, silent_training, tasks
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.record.records import FunctionUse

MOST = 100  # notes of one document
# What is said of how a training went, and not why.
CONSEQUENCES = {
    "clamp-at-its-limit", "dead-relu", "dead-units", "saturated", "gradient-stays-zero", "gradient-vanishes", "step-too-large", "loss-rose", "step-in-vain",
}  # fmt: skip


# What follows from what: if one of the causes is said, the consequence is not.
DIVERGES = (
    "grad-accumulated",
    "step-uphill",
    "likelihood-minimized",
    "loss-arguments-swapped",
    "clip-of-scaled-gradients",
)
CAUSES = {
    "step-too-large": DIVERGES,
    "loss-rose": DIVERGES,
    "softmax-twice": ("loss-arguments-swapped",),
    "step-in-vain": ("softmax-of-one",),
}


@dataclass
class Finding:
    """A note, and what it is made of: the cause, the repair, and the cause in short if the rule has it so."""

    note: Note
    cause: str
    repair: str
    headline: str = ""
    raised: bool = False  # whether it explains the error that ended the cell

    @property
    def edits(self) -> list[Edit]:
        """The repair, as edits of the user's code; none where none fits."""
        return edits_of(self.note)


def edits_of(note: Note) -> list[Edit]:
    """What a note proposes as edits."""
    return [Edit(e["file"], cast(Span, tuple(e["span"])), e["text"]) for e in note.get("edits", ())]


def findings(
    log: Log,
    living: Callable[[int], Tensor | None] | None = None,
    functions: Mapping[type, Sequence[FunctionUse]] = {},
    failures: list[Exception] | None = None,
) -> list[Finding]:
    """What the rules find in a log, in the order of the steps. `living`: the tensor that has a number, if it is still there; `functions`:
    the custom Functions that ran; `failures`: gets the error of a rule that fails, so that the other rules are not lost."""
    log.functions, log.living = functions, living
    found: list[Finding] = []
    for rule in NOTES:
        try:
            found += _found_by(rule, log)
        except Exception as error:
            if failures is None:
                raise
            failures.append(error)
    for i, _ in log.of("error"):
        because = why_raised(Incident.of_step(log, i))
        if because is not None:
            rule, _, blanks = because
            place = {
                "step": i,
                "tensors": blanks.get("tensors", []),
                "lines": blanks.get("lines", log.lines(i)),
            }
            found.append(replace(_finding(rule, rule.severity, blanks, place), raised=True))
    for case in _mentioned_grads(log):
        note = _note(case["code"], "info", case["text"], case)
        if not _blames_a_gap(log, note["step"], note["text"]) and not any(_says(f.note, note) for f in found):
            found.append(Finding(note, case["cause"], case["repair"], case["headline"]))
    found = causes_of([*_without_consequences(log, found)])
    log.training = None  # which knows the log, as what follows: no cycle stays
    log.kept.pop("learning", None)
    log.functions, log.living = {}, None
    gravest = sorted(found, key=lambda one: SEVERITIES.index(one.note["severity"]))[:MOST]
    return sorted(gravest, key=lambda one: one.note["step"])


def _without_consequences(log: Log, found: list[Finding]) -> Iterator[Finding]:
    """What follows from nothing else that is said."""
    said = {one.note["code"] for one in found}
    optimized = {p for optimizer in log.document.get("optimizers", ()) for p in optimizer["parameters"]}
    for one in found:
        code = one.note["code"]
        # An optimizer of other tensors can't clear these.
        stale = (
            code == "grad-accumulated"
            and "step-without-gradients" in said
            and optimized.isdisjoint(one.note["tensors"])
        )
        if not stale and said.isdisjoint(CAUSES.get(code, ())):
            yield one


def causes_of(found: list[Finding]) -> list[Finding]:
    """Without what is a consequence of what is said too: units die because the inputs are large, and a training is stuck because no step is made."""
    codes = {one.note["code"] for one in found}
    suspicions = {*silent_training.CAUSES}
    silent: set[str] = set()
    if codes & (suspicions - {*silent_training.SYMPTOMS}) or any(rule.code in codes for rule in tasks.NOTES):
        silent |= CONSEQUENCES
    if "target-no-probability" in codes:  # without the sigmoid it would learn no better
        silent.add("softmax-twice")
    if "units-died" in codes:
        silent |= {"gradient-stays-zero", "dead-units"}
    graver = {
        one.note["code"] for one in found
        if one.note["severity"] != "info" and one.note["code"] not in suspicions | CONSEQUENCES
    }  # fmt: skip
    if graver:
        silent |= suspicions
    return [one for one in found if one.note["code"] not in silent]


def _found_by(rule: Rule, log: Log) -> list[Finding]:
    return [
        _finding(rule, case.get("severity", rule.severity), case, case)
        for case in rule.cases(log)
        if rule in (*rounds.NOTES, *silent_training.NOTES)
        or not _blames_a_gap(log, case["step"], rule.sentence(case))
    ]


def _blames_a_gap(log: Log, step: int, text: str) -> bool:
    """Whether a rule takes the sum of many steps that were not kept for one step that the user wrote."""
    return bool(log.gaps) and (step in log.gaps or UNKNOWN_STEPS in text)


def _finding(rule: Rule, severity: str, blanks: dict, place: dict) -> Finding:
    note = _note(rule.code, severity, rule.sentence(blanks), place | {"edits": blanks.get("edits", ())})
    return Finding(note, rule.cause(blanks), rule.cure(blanks), rule.headline.format(**blanks))


def _note(code: str, severity: str, text: str, case: dict) -> Note:
    found = {"step": case["step"], "code": code, "severity": severity, "text": text}
    found |= {"tensors": case["tensors"], "lines": case["lines"]}
    edits = [{"file": e.file, "span": [*e.span], "text": e.text} for e in case.get("edits", ())]
    return cast(Note, found | ({"edits": edits} if edits else {}))


def _says(known: Note, note: Note) -> bool:
    """Whether a note says already what a note on a `.grad` would say."""
    subject, _, words = note["text"].partition(" is None: ")
    return words in known["text"] or (bool(words) and f"{subject} stays None" in known["text"])


def _mentioned_grads(log: Log) -> Iterator[dict]:
    """What `WHY` says of every `name.grad` that the source reads and that is None in the end."""
    text = "\n".join(log.source)
    own = {
        name.id
        for part in ast.walk(log.tree)
        if isinstance(part, ast.comprehension)
        for name in ast.walk(part.target)
        if isinstance(name, ast.Name)
    }
    for name in dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\.grad\b(?!\s*(?:=[^=]|_fn))", text)):
        subject = None if name in own else Subject.of(log, name)
        if subject is None or subject.number is None or subject.has_grad:
            continue
        found = reason(subject)
        # A tensor that lost its name need not be the one that the source means: `for p in model.parameters()`.
        if name_at(log.final[subject.number], len(log.steps)) != name and "rebound" not in found["code"]:
            continue
        if found["code"] not in ("grad-cleared", "grad-no-backward", "grad-in-gap"):
            yield found | {"tensors": [subject.number]}
