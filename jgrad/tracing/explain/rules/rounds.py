"""What the figures of rounds show that were not kept in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import Figures, figures_of, losses_of
from jgrad.tracing.document.schema import ParameterFigures, Rounds
from jgrad.tracing.explain.interruption import KINDS
from jgrad.tracing.explain.rule import Rules, listed
from jgrad.tracing.explain.training import Training

NOTES = Rules()

RISEN = 2.0  # a loss that is so many times larger at the end than at first has risen
FEW = 20  # rounds of which nothing is said
SHOWN = 4  # parameters that a sentence names

LONG = """
w, v = jgrad.ones(3, requires_grad=True), jgrad.ones(2, requires_grad=True)
opt = jgrad.optim.SGD([w, v], lr=0.001)
for i in range(1500):
    opt.zero_grad()
    loss = %s
    loss.backward()
    opt.step()
"""
BY_HAND = """
w = jgrad.ones(3, requires_grad=True)
for i in range(1500):
    loss = (w * w).sum()
    loss.backward()
    with jgrad.no_grad():
        w -= %s * w.grad
        w.grad = None
"""


def round_step(log: Log, number: int) -> int:
    """The first step of a round, counted from 1, or the gap that it is in."""
    rounds = log.document["rounds"]
    for kept, begin, _ in rounds["kept"]:
        if kept == number:
            return begin
    for i, step in log.of("gap"):
        within = step["gap"]["rounds"]
        if within is not None and within[0] <= number <= within[1]:
            return i
    return max(len(log.steps) - 1, 0)


def incomplete(log: Log) -> Rounds | None:
    """The rounds of a log that lacks some of them."""
    rounds = log.document.get("rounds")
    return rounds if rounds is not None and len(rounds["kept"]) < rounds["total"] else None


def asking(rounds: Rounds, number: int) -> str:
    """How to see a round in full."""
    if any(kept == number for kept, _, _ in rounds["kept"]):
        return "Its steps are in this trace."
    last = min(number + 1, rounds["total"])
    return f"Its steps were not kept; `%%trace --rounds {max(number - 1, 1)}:{last}` keeps them."


def _with_bad_gradient(rounds: Rounds, number: int) -> list[str]:
    """The parameters whose gradient has nan or infinite elements in a round."""
    return [p["name"] for p in rounds["parameters"] if _in_runs(p["gradient_not_finite"], number)]


def _in_runs(runs: list[tuple[int, int, int, int]], number: int) -> bool:
    return any(first <= number <= last for first, last, _, _ in runs)


@NOTES.rule(
    "loss-not-finite", "warning", "A loss is nan or infinite in a round that is not among those kept in full, or long before the end.",
    "The loss is not finite for the first time in round {round:,} of {count:,}{where}.", "{repair}",
    LONG % '((w * w).sum() + v.sum()) / (0.0 if i == 900 else 1.0)', LONG % "(w * w).sum() + v.sum()",
)  # fmt: skip
def loss_not_finite(log: Log) -> Iterator[dict[str, Any]]:
    rounds = incomplete(log)
    if rounds is None:
        return
    for found in rounds["remarkable"]:
        if found["what"] != "loss-not-finite":
            continue
        number = found["round"]
        before = [p["name"] for p in rounds["parameters"] if _in_runs(p["value_not_finite"], number - 1)]
        here = _with_bad_gradient(rounds, number)
        where = (
            f". At the end of round {number - 1:,} elements of {listed(before[:SHOWN])} were not finite" if before
            else f". In the same round the gradients of {listed(here[:SHOWN])} are not finite either" if here else ""
        )  # fmt: skip
        lines = [one["line"] for one in rounds["losses"] if one["line"] is not None]
        yield {
            "step": round_step(log, number), "round": number, "count": rounds["total"], "where": where,
            "repair": asking(rounds, number), "tensors": [], "lines": lines,
        }  # fmt: skip


@NOTES.rule(
    "gradient-not-finite", "warning", "A gradient is nan or infinite in a round while the loss is finite.",
    "The gradients of {names} are not finite for the first time in {when} of {count:,}, while the loss is still finite.", "{repair}",
    LONG % "(w * w).sum() + (v * (i != 900)).sqrt().sum()",
    LONG % "(w * w).sum() + v.sum()",
)  # fmt: skip
def gradient_not_finite(log: Log) -> Iterator[dict[str, Any]]:
    rounds = incomplete(log)
    if rounds is None:
        return
    first = {found["what"]: found for found in rounds["remarkable"]}
    found, loss = first.get("gradient-not-finite"), first.get("loss-not-finite")
    if found is None or (loss is not None and loss["round"] <= found["round"]):
        return
    number, late = found["round"], found.get("late", 0)
    names = _with_bad_gradient(rounds, number)
    if names:
        when = f"one of the rounds {number - late:,} to {number:,}" if late else f"round {number:,}"
        yield {
            "step": round_step(log, number), "when": when, "count": rounds["total"], "names": listed(names[:SHOWN]),
            "repair": asking(rounds, number - late), "tensors": [], "lines": [],
        }  # fmt: skip


@NOTES.rule(
    "loss-rose", "info", "The loss is larger at the end of a long run than at its beginning.",
    "The loss of line {line} rose: from {first:.2g} in the first rounds to {last:.2g} in the last of {count:,}.",
    "Take a smaller learning rate, and see whether the update has the right sign.",
    BY_HAND % 1.0002, BY_HAND % 0.0005,
)  # fmt: skip
def loss_rose(log: Log) -> Iterator[dict[str, Any]]:
    """There is one loss, which is to become smaller: it is positive, and nothing else is minimized. All of the last rounds are above all of the
    first, so it is no noise of batches."""
    rounds = incomplete(log)
    if rounds is None or len(rounds["losses"]) != 1 or not _learns(rounds) or not is_one_training(rounds):
        return
    if any(optimizer["maximize"] for optimizer in Training.of(log).optimizers):
        return
    for losses in rounds["losses"]:
        found = losses_of(rounds, losses)
        known = found.first[found.known]
        if len(known) < FEW or not np.isfinite(known).all() or not (known > 0).all():
            continue
        part = max(len(known) // 10, FEW // 4)
        first, last = float(np.median(known[:part])), float(np.median(known[-part:]))
        if last > RISEN * first and known[-part:].min() > known[:part].max():
            yield {
                "step": round_step(log, rounds["total"]), "line": losses["line"], "first": first, "last": last, "count": rounds["total"],
                "tensors": [], "lines": [] if losses["line"] is None else [losses["line"]],
            }  # fmt: skip


def is_one_training(rounds: Rounds) -> bool:
    """Whether the rounds train the same parameters throughout. What the first round of others adds to them is not known."""
    return all(figures_of(rounds, p, "update").known[1:].all() for p in rounds["parameters"])


def _learns(rounds: Rounds) -> bool:
    """Whether rounds change parameters."""
    found = [figures_of(rounds, p, "update") for p in rounds["parameters"]]
    return any((f.largest[f.known] > 0).any() for f in found)


@NOTES.rule(
    "gradient-stays-zero", "warning", "The gradient of a parameter is 0 from some round of a long run on, and those of others are not.",
    "The gradient of {names} is 0 from round {round:,} of {count:,} on, while those of others are not.",
    "Look at the operations between it and the loss. A relu whose input is negative for all examples lets no gradient through, nor does a saturated function.",
    LONG % "(w * w).sum() + (v - 0.01 * i).relu().sum()", LONG % "(w * w).sum() + (v * v).sum()",
)  # fmt: skip
def gradient_stays_zero(log: Log) -> Iterator[dict[str, Any]]:
    rounds = incomplete(log)
    if rounds is None or rounds["total"] < FEW:
        return
    figures = [figures_of(rounds, p, "gradient") for p in rounds["parameters"]]
    since = [_zero_since(f) for f in figures]
    dead: dict[int, list[ParameterFigures]] = {}
    for p, at in zip(rounds["parameters"], since, strict=True):
        if at is not None and at > 0:
            dead.setdefault(at, []).append(p)
    if all(at is not None for at in since):
        return
    for at, params in dead.items():
        number = at * rounds["bin"] + 1
        yield {
            "step": round_step(log, number), "names": listed([p["name"] for p in params][:SHOWN]), "round": number, "count": rounds["total"],
            "tensors": [p["tensor"] for p in params if p["tensor"] is not None], "lines": [],
        }  # fmt: skip


def _zero_since(found: Figures) -> int | None:
    """Since which bin all figures are 0, for at least FEW of them; None if they are not."""
    other = np.flatnonzero(~found.known | ~(found.largest == 0))
    at = int(other[-1]) + 1 if len(other) else 0
    return at if len(found.first) - at >= FEW else None


@NOTES.rule(
    "error-in-gap", "info", "The cell raised in a round that was not kept in full.",
    "The error came in round {round:,}, which was not kept in full.",
    "`%%trace --rounds {before}:{round}` keeps the rounds before it.",
    LONG % "(w * w).sum() + v.sum() + (1 / 0 if i == 1400 else 0)", LONG % "(w * w).sum() + v.sum()",
)  # fmt: skip
def error_in_gap(log: Log) -> Iterator[dict[str, Any]]:
    rounds = log.document.get("rounds")
    for i, step in log.of("error"):
        gap = log.steps[i - 1] if i else None
        if rounds is None or gap is None or gap["kind"] != "gap" or gap["gap"]["rounds"] is None:
            continue
        if step["error"]["type"] in KINDS:
            continue
        number = gap["gap"]["rounds"][1]
        yield {"step": i, "round": number, "before": max(number - 1, 1), "tensors": [], "lines": log.lines(i)}
