"""What the rules find in a trace document, from which its notes and its diagnosis are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.document.index import name_at
from jgrad.tracing.document.log import UNKNOWN_STEPS, Log
from jgrad.tracing.document.schema import CodeEdit, Note
from jgrad.tracing.explain.answers import why_raised
from jgrad.tracing.explain.catalogue import NOTES
from jgrad.tracing.explain.edits import Edit, Span, importing
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.rule import SEVERITIES, Rule
from jgrad.tracing.explain.rules import rounds, silent_training, tasks
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.record.records import FunctionUse

MOST = 100  # notes of one document
# What is said of how a training went, and not why.
COURSE = {
    "clamp-at-its-limit", "dead-relu", "dead-units", "saturated", "gradient-stays-zero", "gradient-vanishes", "step-too-large", "loss-rose", "step-in-vain",
}  # fmt: skip
SUSPICIONS = {*silent_training.CAUSES}
# What follows from what: if one of the causes is said, none of the consequences is.
FOLLOWS = (
    ({"grad-accumulated", "rate-grows", "step-uphill", "loss-negated", "likelihood-minimized", "loss-arguments-swapped", "clip-of-scaled-gradients"}, {"step-too-large", "loss-rose", "gradient-not-finite", "loss-not-finite"}),
    ({"loss-arguments-swapped"}, {"softmax-twice"}),
    ({"sampler-of-classes"}, {"one-label-only"}),
    ({"buffer-that-learns"}, {"grad-accumulated"}),
    ({"difference-of-equals"}, {"step-in-vain"}),
    # What the network read tells more than how it went.
    ({"shuffled-apart", "rows-alike", "state-made-anew"}, {*silent_training.SYMPTOMS, "step-in-vain", "gradient-stays-zero"}),
    # Without the sigmoid it would learn no better.
    ({"target-no-probability"}, {"softmax-twice"}),
    ({"softmax-of-one"}, {"step-in-vain"}),
    ({"codes-cut-encoder"}, {"network-cut"}),
    ({"optimizer-too-old", "results-copied"}, {"step-without-gradients"}),
    # What no step changes can't learn.
    ({"step-in-vain"}, {"no-better-than-constant", "still-falling"}),
    ({"kl-of-probabilities"}, {"divergence-negative", "divergence-turned"}),
    # (PyTorch warns of that.)
    ({"step-forgotten"}, {"scheduler-before-optimizer"}),
    ({"units-died"}, {"gradient-stays-zero", "dead-units"}),
    # A step that throws the weights away leaves them where nothing can learn.
    ({"step-too-large"}, {"loss-grows", "gradient-stays-zero", "gradient-vanishes", "dead-relu", "dead-units", "saturated"}),
    ({"step-uphill", "loss-negated", "likelihood-minimized", "loss-arguments-swapped"}, {"loss-grows", "gradient-stays-zero"}),
    ({"loss-grows"}, {"nan-appears", "grad-not-finite", "loss-not-finite", "gradient-not-finite"}),
    (SUSPICIONS - {*silent_training.SYMPTOMS} | {rule.code for rule in tasks.NOTES}, COURSE),
)  # fmt: skip
# What follows from what is said of the same tensors: no step changes what gets no gradient, and no optimizer could be made late enough for a new layer.
OF_THE_SAME = (
    ({"path-ends", "path-ends-in-numbers"}, "step-without-gradients"),
    ({"layer-made-anew"}, "optimizer-too-old"),
)
# Of these the first makes the others.
NOT_FINITE = ("nan-appears", "grad-not-finite")
SEEN_NOT_FINITE = ("gradient-not-finite", "loss-not-finite")
# What makes a training grow without end.
GROWS = ("grad-accumulated", "step-uphill", "loss-negated", "likelihood-minimized")


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


def cause_of(incident: Incident, blanks: Mapping[str, Any]) -> Note | None:
    """The remark on the trace of an error from which the error follows; None if none does."""
    notes = [] if incident.log is None else incident.log.document["notes"]
    return next((n for n in notes if n["code"] in blanks.get("causes", ()) and n["severity"] != "info"), None)


def named(found: Finding, log: Log, library: str, modules: Mapping[str, str]) -> None:
    """Have a finding name the library at hand as the code does."""
    note = found.note
    found.cause, found.repair, found.headline, note["text"] = (
        mirrors.named_in(text, library, modules)
        for text in (found.cause, found.repair, found.headline, note["text"])
    )
    if "edits" in note:
        own = [e._replace(text=mirrors.named_in(e.text, library, modules)) for e in edits_of(note)]
        note["edits"] = _written(importing(own, log.source, library, modules))


def edits_of(note: Note) -> list[Edit]:
    """What a note proposes as edits."""
    return [Edit(e["file"], cast(Span, tuple(e["span"])), e["text"]) for e in note.get("edits", ())]


def _written(edits: Iterable[Edit]) -> list[CodeEdit]:
    """Edits as data."""
    return [{"file": e.file, "span": [*e.span], "text": e.text} for e in edits]


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
        if because is not None and not any(one.note["code"] in because[2].get("causes", ()) for one in found):
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
    found = without_consequences(log, found)
    log.training = None  # which knows the log, as what follows: no cycle stays
    log.kept.pop("learning", None)
    log.functions, log.living = {}, None
    gravest = sorted(found, key=lambda one: SEVERITIES.index(one.note["severity"]))[:MOST]
    # In which round it was seen comes after what made it.
    return sorted(gravest, key=lambda one: (one.note["code"] in SEEN_NOT_FINITE, one.note["step"]))


def followed_by(said: set[str]) -> set[str]:
    """What follows from what is said."""
    return {code for causes, codes in FOLLOWS if said & causes for code in codes}


def without_consequences(log: Log, found: list[Finding]) -> list[Finding]:
    """What follows from nothing else that is said: units die because the inputs are large, and a training is stuck because no step is made."""
    found = [*map(_as_cause(log, found), found)]
    said = {one.note["code"] for one in found}
    silent = followed_by(said)
    bad = sorted(
        (one.note["step"], one.note["code"])
        for one in found
        if one.note["code"] in NOT_FINITE and one.note["severity"] != "info"
    )
    silent |= {code for _, code in bad[1:]} - {code for _, code in bad[:1]}
    grows = any(one.note["code"] in GROWS and one.note["severity"] != "info" for one in found)
    passes = [i for i, _ in log.of("backward")]
    if grows and bad and len(passes) > 1 and passes[1] < bad[0][0]:  # what grows without end becomes nan
        silent |= {*NOT_FINITE}
    graver = {one.note["code"] for one in found if one.note["severity"] != "info"} - SUSPICIONS - COURSE
    if graver:
        silent |= SUSPICIONS
    blamed = {
        code: {t for one in found if one.note["code"] in causes for t in one.note["tensors"]}
        for causes, code in OF_THE_SAME
    }
    return [
        one
        for one in found
        if one.note["code"] not in silent
        and not _is_of_no_optimizer(log, one, said)
        and not (one.note["tensors"] and {*one.note["tensors"]} <= blamed.get(one.note["code"], set()))
    ]


def _as_cause(log: Log, found: list[Finding]) -> Callable[[Finding], Finding]:
    """A remark on a nan of the data is as grave as what it made: a gradient that is nan because it was computed from it."""

    def made(nan: Finding, grad: Finding) -> bool:
        node = log.steps[grad.note["step"]].get("node")
        maker = None if node is None else log.node_maker.get(node)
        reads = () if maker is None else log.steps[maker].get("reads", ())
        return any(
            "nan" in log.held(t, maker) and not {t, *log.sources(t, maker)}.isdisjoint(nan.note["tensors"])
            for t in reads
            if maker is not None
        )

    grads = [one for one in found if one.note["code"] == "grad-not-finite" and one.note["severity"] != "info"]

    def raised(one: Finding) -> Finding:
        if one.note["code"] != "nan-appears" or not any(made(one, grad) for grad in grads):
            return one
        return replace(one, note=cast(Note, {**one.note, "severity": "warning"}))

    return raised


def _is_of_no_optimizer(log: Log, one: Finding, said: set[str]) -> bool:
    """Whether gradients add up that the optimizer, which has other tensors, can't clear."""
    optimized = {p for optimizer in log.document.get("optimizers", ()) for p in optimizer["parameters"]}
    return (
        one.note["code"] == "grad-accumulated"
        and "step-without-gradients" in said
        and optimized.isdisjoint(one.note["tensors"])
    )


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
    edits = _written(case.get("edits", ()))
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
        last = max((i for i, _ in log.of("backward")), default=-1)
        if (
            subject.is_leaf
            and subject.requires_grad
            and -1 < last < log.final[subject.number]["created_step"]
        ):
            continue  # it was made for a round to come
        found = reason(subject)
        # A tensor that lost its name need not be the one that the source means: `for p in model.parameters()`.
        if name_at(log.final[subject.number], len(log.steps)) != name and "rebound" not in found["code"]:
            continue
        if found["code"] not in ("grad-cleared", "grad-no-backward", "grad-in-gap"):
            yield found | {"tensors": [subject.number]}
