"""What `%why opt.step()` answers: what the step would change, or why it would change nothing. The first rule that applies is the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jgrad import mirrors
from jgrad.observer import unobserved
from jgrad.tensor import Tensor
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.sentences import brief
from jgrad.tracing.document.values import as_value
from jgrad.tracing.explain.elements import elements_of
from jgrad.tracing.explain.related import are_related
from jgrad.tracing.explain.rule import Rules, first, listed
from jgrad.tracing.explain.rules.no_gradients import why_none
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.explain.training import Training
from jgrad.tracing.record.contents import measure
from jgrad.tracing.record.held import held

STEPS = Rules()

SHOWN = 4  # parameters that a sentence lists
NAMELESS = "a parameter without a name"
WEIGHT = "w = jgrad.ones(1, requires_grad=True)\nopt = jgrad.optim.SGD([w], lr={})\n"
TRAINED = WEIGHT + "(w * {}).sum().backward()"


@dataclass
class AskedStep:
    """A question about `opt.step()`. `tried`: the step may be run, on a copy. `cells`: the sources of the notebook's cells by number."""

    text: str
    optimizer: Any
    variables: Mapping[str, Any]
    traces: Sequence[Recorded]
    tried: bool
    cells: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def params(self) -> list[Any]:
        """The parameters that the optimizer holds."""
        return [mirrors.mirror(p) for group in self.optimizer.param_groups for p in group["params"]]

    @cached_property
    def known(self) -> dict[str, Tensor]:
        """The tensors that variables hold."""
        return held(self.variables)

    @cached_property
    def names(self) -> dict[int, str]:
        """Their names, by what `id` gives."""
        return {id(t): n for n, t in reversed(self.known.items())}

    @property
    def full(self) -> list[Any]:
        """The parameters with a gradient."""
        return [p for p in self.params if p._grad is not None]

    @property
    def beside(self) -> str:
        """What to say of the parameters without a gradient, where others have one."""
        waiting = [self.names.get(id(p), NAMELESS) for p in self.params if p._grad is None]
        whose = "its" if len(waiting) == 1 else "their"
        return f" {_some(waiting)} would not change, because {whose} .grad is None." if waiting else ""

    @property
    def may_run(self) -> bool:
        """Whether the step can be run on a copy."""
        return self.tried and all(isinstance(p, Tensor) and not p.is_meta for p in self.params)

    @cached_property
    def changes(self) -> list[str]:
        """What the step changes, run on a copy."""
        return _tried(self.optimizer, self.params, self.names)


def would_step(asked: AskedStep) -> str:
    """What a step of an optimizer would do."""
    said = first(STEPS, asked)
    assert said is not None, "the last rule applies to everything"
    return said.text


@STEPS.rule(
    "step-would-lack-gradients", "warning", "no parameter has a gradient, and a trace shows why",
    "{text} would change nothing, because every parameter has .grad None: {why}{seen}.",
    "{repair}",
    WEIGHT.format(0.1) + "(w * 2).sum().backward()\nopt.zero_grad()",
    TRAINED.format(0.1, 2),
    ask="opt.step()",
)  # fmt: skip
def step_would_lack_gradients(asked: AskedStep) -> Iterator[dict]:
    if asked.full:
        return
    for trace in asked.traces:
        numbers = [n for n in map(trace.number_of, asked.params) if n is not None]
        log = Log(trace.document, asked_elsewhere=True)
        training = Training(log)
        last = [training.grads[n][-1][1]["action"] for n in numbers if n in training.grads]
        if numbers and set(last) <= {"none"}:  # else something happened that it did not see
            why = why_none(training, numbers, len(log.steps), asked.text)
            seen = f" ({log.title()})" if log.places.cell and log.title() not in why.cause else ""
            yield {"text": asked.text, "why": why.cause, "seen": seen, "repair": why.repair}
            return


@STEPS.rule(
    "step-would-miss-gradients", "warning", "other tensors have the gradients",
    "{text} would change nothing, because every parameter has .grad None: {names} {have}.",
    "Make the optimizer from the tensors that have gradients.",
)  # fmt: skip
def step_would_miss_gradients(asked: AskedStep) -> Iterator[dict]:
    if asked.full or asked.optimizer.state:  # one that has made steps had gradients: they were cleared
        return
    filled = [
        n for n, t in asked.known.items()
        if t.is_leaf and t._grad is not None and "param_groups[" not in n and not any(t is p for p in asked.params)
        and are_related(asked.text, asked.params, n, [t], asked.traces, asked.cells)
    ]  # fmt: skip
    if filled:
        several = "have gradients, but the optimizer does not hold them"
        one = "has a gradient, but the optimizer does not hold it"
        yield {"text": asked.text, "names": _some(filled), "have": one if len(filled) == 1 else several}


@STEPS.rule(
    "step-would-come-first", "info", "no parameter has a gradient, and no trace shows why",
    "{text} would change nothing, because every parameter has .grad None.",
    "Call backward() first.",
)  # fmt: skip
def step_would_come_first(asked: AskedStep) -> Iterator[dict]:
    if not asked.full:
        yield {"text": asked.text}


@STEPS.rule(
    "step-can-not-be-tried", "info", "the step can't be tried out",
    "{text}: {full} of {total} parameters {have}.{beside}",
    "",
)  # fmt: skip
def step_can_not_be_tried(asked: AskedStep) -> Iterator[dict]:
    if not asked.may_run:
        full = len(asked.full)
        have = "has a gradient" if full == 1 else "have gradients"
        yield {"text": asked.text, "full": full, "total": len(asked.params), "have": have, "beside": asked.beside}  # fmt: skip


@STEPS.rule(
    "step-would-change", "info", "the step changes parameters",
    "{text} would change {changes}; %why itself changed nothing.{beside}",
    "",
    TRAINED.format(0.1, 2),
    ask="opt.step()",
)  # fmt: skip
def step_would_change(asked: AskedStep) -> Iterator[dict]:
    if asked.changes:
        yield {"text": asked.text, "changes": _some(asked.changes), "beside": asked.beside}


@STEPS.rule(
    "step-at-rate-zero", "warning", "the learning rate is 0",
    "{text} would change nothing, because the learning rate is 0.{beside}",
    "",
    TRAINED.format(0, 2),
    TRAINED.format(0.1, 2),
    ask="opt.step()",
)  # fmt: skip
def step_at_rate_zero(asked: AskedStep) -> Iterator[dict]:
    if all(group["lr"] == 0 for group in asked.optimizer.param_groups):
        yield {"text": asked.text, "beside": asked.beside}


@STEPS.rule(
    "step-of-zeros", "warning", "all gradients are zero",
    "{text} would change nothing, because all gradients are zero.{more}{beside}",
    "",
    TRAINED.format(0.1, 0),
    TRAINED.format(0.1, 2),
    ask="opt.step()",
)  # fmt: skip
def step_of_zeros(asked: AskedStep) -> Iterator[dict]:
    gradients = [elements_of(p._grad) for p in asked.full]
    if not any(g is None or g.any() for g in gradients):
        name = asked.names.get(id(asked.full[0]), "")
        more = f" Ask %why {name}.grad for the reason." if name else ""
        yield {"text": asked.text, "more": more, "beside": asked.beside}


@STEPS.rule(
    "step-too-small", "info", "the changes are lost in rounding",
    "{text} would change nothing, because the changes are too small for the dtype.{beside}",
    "",
    TRAINED.format(1e-30, 2),
    TRAINED.format(0.1, 2),
    ask="opt.step()",
)  # fmt: skip
def step_too_small(asked: AskedStep) -> Iterator[dict]:
    yield {"text": asked.text, "beside": asked.beside}


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
                found.append(f"{names.get(id(p), NAMELESS)} from {now} to {then}")
    return found


def _same(a: Tensor, b: Tensor) -> bool:
    return a.detach().allclose(b.detach(), rtol=0, atol=0, equal_nan=True)


def _some(words: list[str]) -> str:
    return listed(words if len(words) <= SHOWN else [*words[: SHOWN - 1], f"{len(words) - SHOWN + 1} more"])
