"""What stands out in a trace without a mistake that is known: the loss, the parameters, and what was not recorded. It makes no claim."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from jgrad.tracing import explain
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.rounds import Figures, figures_of, in_words, losses_of
from jgrad.tracing.document.schema import ParameterFigures, Rounds
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.indexes import plural

MOST_LOSSES = 2
NEAR = 0.01  # a loss that changed by a smaller part of itself is said to be about where it began
SETTLED = 0.02  # a part of its whole way by which a loss changed no more
FEW = 10  # rounds from which on a curve has a shape
LOOKED_AT = "No mistake of the kinds that jgrad knows was found. This does not mean that there is none."


def facts(log: Log) -> list[str]:
    """At most three lines: what was looked at, how the loss went, and what the parameters got."""
    if not log.steps:
        return ["No tensor operation ran."]
    rounds = log.document.get("rounds")
    said = [[LOOKED_AT, *_not_recorded(log)]]
    if rounds is None:
        said.append([*_backward_calls(log)])
    else:
        said += [[*_losses(log, rounds)], [*_parameters(log, rounds)]]
    log.kept.pop("learning", None)  # which knows the log: no cycle stays
    return [" ".join(sentences) for sentences in said if sentences]


def _losses(log: Log, rounds: Rounds) -> Iterator[str]:
    for losses in rounds["losses"][:MOST_LOSSES]:
        figures = losses_of(rounds, losses)
        known = [float(x) for x in figures.first[figures.known]]
        if len(known) < 2 or not all(map(math.isfinite, known)):
            continue
        at = _place_of(log, losses["line"], len(rounds["losses"]) == 1)
        first, last = known[0], known[-1]
        if abs(last - first) <= NEAR * abs(first):
            yield f"The loss{at} is {in_words(last)} after {rounds['total']:,} rounds, about what it was at first."
        else:
            yield f"The loss{at} went from {in_words(first)} to {in_words(last)} in {rounds['total']:,} rounds{_shape(log, figures, known)}."
    learning = explain.Learning.of(log)
    if learning is not None and learning.constant is not None:
        yield f"Predicting {learning.prediction} would give {number(learning.constant)}."


def _place_of(log: Log, line: int | None, is_only: bool) -> str:
    """Where a loss is: at the call of backward(), or, where a framework makes that call, where the program computes the loss."""
    learning = explain.Learning.of(log)
    if (
        is_only
        and learning is not None
        and line is not None
        and "backward" not in "".join(log.source[line - 1 : line])
    ):
        return f" in {learning.at}"
    return "" if line is None else f" in {log.places.of_line(line)}"


def _shape(log: Log, figures: Figures, known: list[float]) -> str:
    """How a loss went from its first value to its last."""
    first, last, least = known[0], known[-1], min(known)
    if least < last - NEAR * abs(first - least):
        return (
            f"; its least value was {in_words(least)}, in round {figures.round_of(_where(figures, least)):,}"
        )
    learning = explain.Learning.of(log)
    if len(known) < FEW or last >= first:
        return ""
    if learning is not None and learning.still_falls():
        return ", and was still falling"
    near = [abs(x - last) <= SETTLED * (first - last) for x in known]
    since = len(near) - near[::-1].index(False) if False in near else 0
    return f", and hardly changed from round {figures.round_of(since):,} on" if since < len(known) / 2 else ""


def _where(figures: Figures, value: float) -> int:
    return int(np.flatnonzero(figures.known & (figures.first == value))[0])


def _parameters(log: Log, rounds: Rounds) -> Iterator[str]:
    parameters = rounds["parameters"]
    if not parameters:
        return
    without = [p["name"] for p in parameters if not _last(rounds, p, "gradient")]
    moved = {
        p["name"]: p["moved"][1] / p["moved"][0] for p in parameters if "moved" in p and p["moved"][0] > 0
    }
    count = plural(len(parameters), "parameter")
    yield f"{len(parameters) - len(without)} of {count} got a gradient in the last round."
    if without:
        yield f"The gradient of {listed(without[:3])}{f' and {len(without) - 3} more' * (len(without) > 3)} was zero or None."
    held = {p for optimizer in log.document.get("optimizers", ()) for p in optimizer["parameters"]}
    left = [p["name"] for p in parameters if held and p["tensor"] is not None and p["tensor"] not in held]
    if left:
        more = f" and {len(left) - 3} more" * (len(left) > 3)
        yield f"No optimizer holds {listed(left[:3])}{more}: no step changes or clears what backward() gives them."
    if moved and not any(moved.values()):
        yield "None of them changed from the first round to the last: no step used these gradients."
    elif len(moved) > 1:
        most, least = max(moved, key=moved.__getitem__), min(moved, key=moved.__getitem__)
        yield f"From the first round to the last {most} moved most ({_part(moved[most])} its norm), {least} least ({_part(moved[least])} its norm)."
    sizes = {p["name"]: size for p in parameters if (size := _last(rounds, p, "gradient"))}
    if len(sizes) > 1 and all(map(math.isfinite, sizes.values())):
        large, small = max(sizes, key=sizes.__getitem__), min(sizes, key=sizes.__getitem__)
        yield f"In the last round {large} got the largest gradient (norm {in_words(sizes[large])}), {small} the smallest ({in_words(sizes[small])})."


def _last(rounds: Rounds, parameter: ParameterFigures, what: str) -> float | None:
    figures = figures_of(rounds, parameter, what)
    known = figures.first[figures.known]
    return float(known[-1]) if len(known) else None


def _part(times: float) -> str:
    """ "3.2 times", "12 % of"."""
    return f"{number(float(f'{times:.2g}'))} times" if times >= 1 else f"{100 * times:.2g} % of"


def _backward_calls(log: Log) -> Iterator[str]:
    passes = [step for _, step in log.of("backward")]
    if not passes:
        yield "backward() was not called."
        return
    filled = [log.name(t) for t in log.grads_of if log.tensors[t]["freed_step"] is None]
    named = [name for name in filled if not name.startswith("tensor ")]
    which = listed(named) if 0 < len(named) <= 4 else plural(len(filled), "tensor")
    times = "" if len(passes) == 1 else f" {len(passes)} times"
    yield (
        f"backward() ran{times} and gave {which} a gradient."
        if filled
        else f"backward() ran{times} and gave no tensor a gradient."
    )


def _not_recorded(log: Log) -> Iterator[str]:
    cut, rounds = log.document["truncated"], log.document.get("rounds")
    if cut is None or cut["kept_steps"] >= cut["seen_steps"]:
        steps = len(log.steps)
        yield "The one step was recorded." if steps == 1 else f"All {steps:,} steps were recorded."
        return
    if rounds is None:
        yield f"{cut['kept_steps']:,} of at least {cut['seen_steps']:,} steps were kept."
        return
    full, total = len(rounds["kept"]), rounds["total"]
    yield f"{full:,} of {total:,} rounds were recorded in full, and of each the loss and the norms of gradients."
