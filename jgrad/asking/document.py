"""Questions about a trace that was saved: no tensor is there any more, so the document alone answers."""

from __future__ import annotations

import re

from jgrad.asking.answer import Answer, remarks
from jgrad.asking.calling import about_steps
from jgrad.asking.naming import BadInput
from jgrad.tracing import explain
from jgrad.tracing.document.passage import Passage
from jgrad.tracing.document.schema import TraceDocument

IN_GAP = "grad-in-gap"  # the rule that says that the steps which tell why were not kept; a remark was made when they were there
QUESTION = re.compile(r"(.*?)(?:\.(grad|requires_grad|is_leaf|grad_fn))?")


def about_document(document: TraceDocument, question: str | None = None) -> Answer:
    """What is remarkable about a document, or what it knows of a tensor: `w`, `w.grad`."""
    log = explain.Log(document)
    if question is None:
        return about_steps(log)
    asked = QUESTION.fullmatch(question.strip())
    subject = None if asked is None else explain.Subject.of(log, asked[1])
    if subject is None:
        raise BadInput(f"{document['name']} has no tensor {question!r}: {_known(log)}")
    if explain.reason(subject)["code"] == IN_GAP and (said := remarks(log, subject.number)):
        return Answer(said)
    plain = asked is not None and asked[2] is None
    text = explain.describe_recorded(subject) if plain else explain.reason(subject)["text"]
    return Answer([Passage(text, log)])


def _known(log: explain.Log) -> str:
    names = {
        name: None for t in log.tensors if log.met(t["id"])["requires_grad"] for _, name in t["names"] if name
    }
    if not names:
        return "no variable in it held a tensor that requires grad"
    return f"ask about {', '.join([*names][:8])}{', ...' * (len(names) > 8)}"
