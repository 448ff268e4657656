"""What `%why` answers: about something raised, about a tensor, about a backward() that was not run yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.storage import owner
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.values import as_value
from jgrad.tracing.explain.catalogue import ERRORS, OPERATIONS, WARNINGS
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.incident import Incident
from jgrad.tracing.explain.interruption import KIND, about_interruption
from jgrad.tracing.explain.meaning import meaning
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import Rule, listed
from jgrad.tracing.explain.rules.copies import memory_of_copy
from jgrad.tracing.explain.rules.first_nan import first_nan
from jgrad.tracing.explain.rules.grads import reason
from jgrad.tracing.explain.subject import Subject
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.contents import measure
from jgrad.tracing.record.held import held

UNTRACED = (
    "The line that raised was not traced: write %%trace in the first line of its cell, and %why can say more."
)
MOST = 6  # variables that a sentence lists


def why_raised(incident: Incident) -> tuple[Rule, str, dict] | None:
    """The rule that knows what was raised, what it says, and the blanks of that; None if none does."""
    for rule in (*ERRORS, *OPERATIONS, *WARNINGS):
        kind, pattern = rule.raised
        words = re.search(pattern, incident.message) if re.fullmatch(kind, incident.kind) else None
        if words is not None:
            for case in rule.cases(incident):
                blanks = incident.blanks() | words.groupdict() | case
                return rule, rule.sentence(blanks), blanks
    return None


def because(incident: Incident) -> str:
    """An answer about something raised, whatever it is."""
    known = why_raised(incident)
    if known is not None:
        rule, text, _ = known
        return f"{text} {UNTRACED}" if incident.untraced and rule.knows_more else text
    if incident.kind == KIND:
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


def describe(
    name: str,
    tensor: Tensor,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str] = {},
) -> str:
    """What a tensor is to autograd, whose memory it has, and what is with its .grad: a line for each."""
    subject = Subject.best(name, tensor, traces)
    lines = [_part(name, tensor, subject), _memory(name, tensor, variables, traces), reason(subject)["text"]]
    values = elements_of(tensor) if tensor.dtype.is_floating_point else None
    if values is not None and values.isnan().any():
        lines.insert(1, f"{name} holds nan{_why_nan(subject, traces)}")
    if subject.log is not None and subject.number is not None:
        lines[-1:-1] = filter(None, [memory_of_copy(subject.log, subject.number, name)])
    lines[1:1] = _left_alone(name, tensor, variables, traces, cells)
    return "\n".join(lines)


def _left_alone(
    name: str,
    tensor: Tensor,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded],
    cells: Mapping[int, str],
) -> Iterator[str]:
    """That no optimizer will change a leaf, if there are any, and that it is no parameter of the module in which it lies."""
    if not (tensor.is_leaf and tensor.requires_grad):
        return
    owner_name, _, attribute = name.rpartition(".")
    module = meaning(owner_name, variables) if owner_name else None
    if mirrors.is_module(module) and mirrors.mirror(vars(module).get(attribute)) is tensor:
        yield (
            f"{name} is not a parameter of {owner_name}, so {owner_name}.parameters() leaves it out. "
            f"Write {name} = jgrad.nn.Parameter({name})."
        )
    optimizers = {
        n: [mirrors.mirror(p) for group in v.param_groups for p in group["params"]]
        for n, v in variables.items() if mirrors.is_optimizer(v) and n[0] != "_"
    }  # fmt: skip
    holds_it = any(p is tensor for params in optimizers.values() for p in params)
    optimizers = {
        n: params for n, params in optimizers.items() if are_related(name, [tensor], n, params, traces, cells)
    }
    if optimizers and not holds_it:
        do = "does" if len(optimizers) == 1 else "do"
        yield f"{listed([*optimizers])} {do} not hold {name}, so step() does not change {name}."


def _why_nan(subject: Subject, traces: Sequence[Recorded]) -> str:
    """Which operation made the nan that a tensor holds."""
    log, number = subject.log, subject.number
    trace = next((t for t in traces if log is not None and t.document is log.document), None)
    if log is None or number is None or trace is None:
        return "."
    among = log.sources(number, len(log.steps))
    for note in log.document["notes"]:  # found when the trace ended; the tensors may have changed since
        if note["code"] == "nan-appears" and not among.isdisjoint(log.steps[note["step"]].get("makes", ())):
            title = f"in {log.title()}, " if log.places.cell else ""
            return f": {title}{note['text']}"
    log.living = trace.living
    found = next(first_nan(log, among), None) or next(first_nan(log), None)
    return "." if found is None else f": {found['text']} {found['repair']}".rstrip()


def _part(name: str, tensor: Tensor, subject: Subject) -> str:
    made = subject.made()
    if not tensor.requires_grad:
        return f"{name} is a leaf that does not require grad{made}: autograd does not record operations on {name} alone."
    if tensor.is_leaf:
        return f"{name} is a leaf that requires grad{made}: backward() adds its gradient to {name}.grad."
    return f"{name} is not a leaf: it was computed{made}, and its grad_fn {subject.grad_fn} passes its gradient on to the inputs."


def _memory(name: str, tensor: Tensor, variables: Mapping[str, Any], traces: Sequence[Recorded]) -> str:
    """Which variables lie in the same storage, and who wrote to it."""
    root = owner(tensor._a)
    known = {
        n: v for n, v in held(variables).items()
        if owner(v._a) is root and n != name.replace('"', "'") and "param_groups[" not in n
    }  # fmt: skip
    same = [n for n, v in known.items() if v is tensor]
    others = {n: v for n, v in known.items() if v is not tensor}
    same += [
        f"{n}.grad"
        for n, v in held(variables).items()
        if v._grad is tensor and "param_groups[" not in n and f"{n}.grad" != name
    ]
    arrays = [
        n for n, v in variables.items()
        if isinstance(v, np.ndarray) and v.size and not n.startswith("_") and np.may_share_memory(v, tensor._a)
    ]  # fmt: skip
    shared = f"{name} shares its memory with no other variable"
    if others or arrays:
        sharers = [*others, *(f"the NumPy array {n}" for n in arrays)]
        shown = sharers[:MOST] + ([f"{len(sharers) - MOST} more"] if len(sharers) > MOST else [])
        shared = f"{name} shares memory with {listed(shown)}"
        apart = [n for n, v in others.items() if v._counter is not tensor._counter] + arrays
        if apart:
            shared += (
                f", but a write through {listed(apart[:MOST], 'or')} does not change the version of {name}"
            )
    elif tensor._base is not None:
        shared = f"{name} is a view of a tensor that has no name"
    if same:
        shared = f"{name} is the same tensor as {listed(same[:MOST])} and{shared.removeprefix(name)}"
    if tensor.is_inference():
        return f"{shared}."
    writes, unseen = [], []
    for trace in traces:
        counter = trace.counter_of(tensor._counter)
        if counter is not None:
            log = Log(trace.document, asked_elsewhere=True)
            counted = [i for i, w in log.writes_to.get(counter, ()) if w["versions"][0] != w["versions"][1]]
            writes = [log.at(i) for i in counted]
            number = trace.number_of(tensor)
            storage = None if number is None else log.final[number]["storage"]
            unseen = [
                log.ran(i) for i, w in log.writes
                if w["storage"] == storage and (w["version_counter"] != counter or w["versions"][0] == w["versions"][1])
            ]  # fmt: skip
            break
    version = tensor._version
    wrote = f" ({_distinct(writes)})" if writes else ""
    count = "no write" if version == 0 else "1 write" if version == 1 else f"{version} writes"
    history = f"Its version counter has counted {count} in place{wrote}"
    return f"{shared}. {history} and missed {_distinct(unseen)}." if unseen else f"{shared}. {history}."


def _distinct(places: list[str]) -> str:
    return listed(list(dict.fromkeys(places))[:MOST])


def would_do(name: str, leaves: Sequence[str], gradients: Sequence[Any]) -> str:
    """What a backward() that raises nothing adds to which .grad."""
    both = zip(leaves, gradients, strict=True)
    found = [f"{brief(as_value(measure(g._a)))} to {leaf}" for leaf, g in both if g is not None]
    if not found:
        return f"{name} raises no error and would add to no .grad."
    return f"{name} raises no error. It would add {listed(found[:MOST])}; %why itself added nothing."
