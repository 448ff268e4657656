"""The notes of a trace document: what the rules find in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from jgrad.tensor import Tensor
from jgrad.trace.document.log import UNKNOWN_STEPS, Log
from jgrad.trace.document.schema import Note, TraceDocument
from jgrad.trace.explain.answers import why_raised
from jgrad.trace.explain.catalogue import NOTES
from jgrad.trace.explain.incident import Incident
from jgrad.trace.explain.rule import SEVERITIES
from jgrad.trace.explain.rules import rounds
from jgrad.trace.explain.rules.first_nan import first_nan
from jgrad.trace.explain.rules.grads import reason
from jgrad.trace.explain.subject import Subject
from jgrad.trace.record.records import FunctionUse

MOST = 100  # notes of one document


def notes(
    document: TraceDocument,
    living: Callable[[int], Tensor | None] | None = None,
    functions: Mapping[type, Sequence[FunctionUse]] = {},
) -> list[Note]:
    """The notes of a trace document, in the order of their steps. `living`: the tensor that has a number, if it is still there; `functions`:
    the custom Functions that ran."""
    log = Log(document)
    log.functions = functions
    found = [
        _note(rule.code, case.get("severity", rule.severity), rule.sentence(case), case)
        for rule in NOTES
        for case in (first_nan(log, living) if rule.find is first_nan else rule.find(log))
        if rule in rounds.NOTES or not _blames_a_gap(log, case["step"], rule.sentence(case))
    ]
    for i, _ in log.of("error"):
        because = why_raised(Incident.of_step(log, i))
        if because is not None:
            rule, text, case = because
            place = {"step": i, "tensors": case.get("tensors", []), "lines": case.get("lines", log.lines(i))}
            found.append(_note(rule.code, rule.severity, text, place))
    mentioned = [_note(case["code"], "info", case["text"], case) for case in _mentioned_grads(log)]
    mentioned = [n for n in mentioned if not _blames_a_gap(log, n["step"], n["text"])]
    found += [n for n in mentioned if not any(_says(known, n) for known in found)]
    log.training = None  # which knows the log: no cycle stays
    log.functions = {}
    gravest = sorted(found, key=lambda note: SEVERITIES.index(note["severity"]))[:MOST]
    return sorted(gravest, key=lambda note: note["step"])


def _blames_a_gap(log: Log, step: int, text: str) -> bool:
    """Whether a rule takes the sum of many steps that were not kept for one step that the user wrote."""
    return bool(log.gaps) and (step in log.gaps or UNKNOWN_STEPS in text)


def _note(code: str, severity: str, text: str, case: dict) -> Note:
    found = {"step": case["step"], "code": code, "severity": severity, "text": text}
    return cast(Note, found | {"tensors": case["tensors"], "lines": case["lines"]})


def _says(known: Note, note: Note) -> bool:
    """Whether a note says already what a note on a `.grad` would say."""
    subject, _, words = note["text"].partition(" is None: ")
    return words in known["text"] or (bool(words) and f"{subject} stays None" in known["text"])


def _mentioned_grads(log: Log) -> Iterator[dict]:
    """What `WHY` says of every `name.grad` that the source reads and that is None in the end."""
    text = "\n".join(log.source)
    for name in dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\.grad\b(?!\s*(?:=[^=]|_fn))", text)):
        subject = Subject.of(log, name)
        if subject is not None and not subject.has_grad:
            found = reason(subject)
            if found["code"] not in ("grad-cleared", "grad-no-backward", "grad-in-gap"):
                yield found | {"tensors": [subject.number]}
