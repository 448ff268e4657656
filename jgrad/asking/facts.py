"""What stands out in a trace without a mistake that is known: the loss, the parameters, and what was not recorded. It makes no claim."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.rounds import Figures, figures_of, losses_of
from jgrad.tracing.document.schema import ParameterFigures, Rounds
from jgrad.tracing.explain import Log
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.indexes import plural

MOST_LOSSES = 2
NEAR = 0.01  # a loss that changed by a smaller part of itself is said to be about where it began
LOOKED_AT = "No mistake of the kinds that jgrad knows was found. This does not mean that there is none."


def facts(log: Log) -> list[str]:
    """At most five sentences."""
    if not log.steps:
        return ["No tensor operation ran."]
    rounds = log.document.get("rounds")
    said = [LOOKED_AT]
    if rounds is None:
        said += [*_backward_calls(log)]
    else:
        said += [*_losses(log, rounds), *_parameters(rounds)]
    return [*said, *_not_recorded(log)]


def _losses(log: Log, rounds: Rounds) -> Iterator[str]:
    for losses in rounds["losses"][:MOST_LOSSES]:
        figures = losses_of(rounds, losses)
        known = [float(x) for x in figures.first[figures.known]]
        if len(known) < 2 or not all(map(math.isfinite, known)):
            continue
        at = "" if losses["line"] is None else f" in {log.places.of_line(losses['line'])}"
        first, last, least = known[0], known[-1], min(known)
        if abs(last - first) <= NEAR * abs(first):
            yield f"The loss{at} is {number(last)} after {rounds['total']:,} rounds, about what it was at first."
            continue
        text = f"The loss{at} went from {number(first)} to {number(last)} in {rounds['total']:,} rounds"
        lower = least < last - NEAR * abs(first - least)
        at_least = (
            f"; its least value was {number(least)}, in round {figures.round_of(_where(figures, least)):,}"
        )
        yield f"{text}{at_least if lower else ''}."


def _where(figures: Figures, value: float) -> int:
    return int(np.flatnonzero(figures.known & (figures.first == value))[0])


def _parameters(rounds: Rounds) -> Iterator[str]:
    parameters = rounds["parameters"]
    if not parameters:
        return
    without = [p["name"] for p in parameters if not _last(rounds, p, "gradient")]
    moved = {p["name"]: part for p in parameters if (part := _moved(rounds, p)) is not None}
    count = plural(len(parameters), "parameter")
    got = f"{len(parameters) - len(without)} of {count} got a gradient in the last round"
    if len(moved) > 1:
        most, least = max(moved, key=moved.__getitem__), min(moved, key=moved.__getitem__)
        got += f"; its step changed {most} most ({_percent(moved[most])} of its norm), {least} least ({_percent(moved[least])})"
    yield f"{got}."
    if without:
        yield f"The gradient of {listed(without[:3])}{f' and {len(without) - 3} more' * (len(without) > 3)} was zero or None."


def _last(rounds: Rounds, parameter: ParameterFigures, what: str) -> float | None:
    figures = figures_of(rounds, parameter, what)
    known = figures.first[figures.known]
    return float(known[-1]) if len(known) else None


def _moved(rounds: Rounds, parameter: ParameterFigures) -> float | None:
    """Which part of its norm the last step of an optimizer changed."""
    update, value = _last(rounds, parameter, "update"), _last(rounds, parameter, "value")
    if update is None or not value or not math.isfinite(update / value):
        return None
    return update / value


def _percent(part: float) -> str:
    return f"{100 * part:.2g} %"


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
        yield f"All {len(log.steps):,} steps were recorded."
        return
    whole = "" if rounds is None else f": {len(rounds['kept']):,} of {rounds['total']:,} rounds in full"
    yield f"{cut['kept_steps']:,} of at least {cut['seen_steps']:,} steps were kept{whole}."
