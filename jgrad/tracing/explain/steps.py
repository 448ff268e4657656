"""What `%why opt.step()` answers: what the step would change, or why it would change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from jgrad import mirrors
from jgrad.observer import unobserved
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.values import as_value
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.explain.training import Training
from jgrad.tracing.record.contents import measure
from jgrad.tracing.record.held import held

SHOWN = 4  # parameters that a sentence lists


def would_step(
    text: str,
    optimizer: Any,
    variables: Mapping[str, Any],
    traces: Sequence[Recorded],
    tried: bool,
    cells: Mapping[int, str] = {},
) -> str:
    """What a step of an optimizer would do. `tried`: it may be run, on a copy. `cells`: the sources of the notebook's cells by number."""
    params = [mirrors.mirror(p) for group in optimizer.param_groups for p in group["params"]]
    known = held(variables)
    names = {id(t): n for n, t in reversed(known.items())}
    full = [p for p in params if p._grad is not None]
    if not full:
        what = f"{text} would change nothing, because every parameter has .grad None"
        filled = [
            n for n, t in known.items()
            if t.is_leaf and t._grad is not None and "param_groups[" not in n and not any(t is p for p in params)
            and are_related(text, params, n, [t], traces, cells)
        ]  # fmt: skip
        for trace in traces:
            numbers = [n for n in map(trace.number_of, params) if n is not None]
            log = Log(trace.document, asked_elsewhere=True)
            training = Training(log)
            last = [training.grads[n][-1][1]["action"] for n in numbers if n in training.grads]
            if numbers and set(last) <= {"none"}:  # else something happened that it did not see
                why, repair, _ = training.why_none(numbers, len(log.steps), text)
                seen = f" ({log.title()})" if log.places.cell and log.title() not in why else ""
                return f"{what}: {why}{seen}. {repair}"
        if filled and not optimizer.state:  # one that has made steps had gradients: they were cleared
            have = "has a gradient, but the optimizer does not hold it"
            if len(filled) > 1:
                have = "have gradients, but the optimizer does not hold them"
            return f"{what}: {_some(filled)} {have}. Make the optimizer from the tensors that have gradients."
        return f"{what}. Call backward() first."
    waiting = [names.get(id(p), "a parameter without a name") for p in params if p._grad is None]
    none = (
        f" {_some(waiting)} would not change, because {'its' if len(waiting) == 1 else 'their'} .grad is None."
        if waiting
        else ""
    )
    readable = all(isinstance(p, Tensor) and not p.is_meta for p in params)
    if not (tried and readable):
        have = "has a gradient" if len(full) == 1 else "have gradients"
        return f"{text}: {len(full)} of {len(params)} parameters {have}.{none}"
    changed = _tried(optimizer, params, names)
    if changed:
        return f"{text} would change {_some(changed)}; %why itself changed nothing.{none}"
    if all(group["lr"] == 0 for group in optimizer.param_groups):
        return f"{text} would change nothing, because the learning rate is 0.{none}"
    gradients = [elements_of(p._grad) for p in full]
    if not any(g is None or g.any() for g in gradients):
        name = names.get(id(full[0]), "")
        more = f" Ask %why {name}.grad for the reason." if name else ""
        return f"{text} would change nothing, because all gradients are zero.{more}{none}"
    return f"{text} would change nothing, because the changes are too small for the dtype.{none}"


def _tried(optimizer: Any, params: list[Tensor], names: Mapping[int, str]) -> list[str]:
    """What a step changes, run on a copy."""
    with unobserved():
        memo: dict[int, Any] = {}
        copy = deepcopy(optimizer, memo)
        copies = [memo[id(mirrors.original(p))] for p in params]
        for p, other in zip(params, copies, strict=True):
            grad = mirrors.original(p).grad
            other.grad = None if grad is None else grad.detach().clone()
        copy.step()
        copies = [*map(mirrors.mirror, copies)]
        found = []
        for p, other in zip(params, copies, strict=True):
            if not _same(p, other):
                now, then = (
                    brief(as_value(measure(t._a))).replace("a gradient", "a tensor") for t in (p, other)
                )
                found.append(f"{names.get(id(p), 'a parameter without a name')} from {now} to {then}")
    return found


def _same(a: Tensor, b: Tensor) -> bool:
    return a.detach().allclose(b.detach(), rtol=0, atol=0, equal_nan=True)


def _some(words: list[str]) -> str:
    return listed(words if len(words) <= SHOWN else [*words[: SHOWN - 1], f"{len(words) - SHOWN + 1} more"])
