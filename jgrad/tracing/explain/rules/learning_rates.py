"""Learning rates that are too large: steps that move a parameter by many times its size, while the loss does not fall."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import Stretch, figures_of, losses_of, stretches
from jgrad.tracing.document.schema import ParameterFigures, Rounds
from jgrad.tracing.explain.edits import calls_of
from jgrad.tracing.explain.rule import Rules
from jgrad.tracing.explain.rules.loops import loss_grows, losses
from jgrad.tracing.explain.rules.rounds import loss_rose
from jgrad.tracing.explain.training import Training

NOTES = Rules()

# A step of so many times the norm of a parameter is too large if the loss became so many times larger, behind it or in the end:
FAR, RISE = 10.0, 2.0
OWN_SIZE, DIVERGED = 1.0, 10.0
FARTHER = 100.0  # one of so many times also if it just did not fall
LARGE, FELL = 1.0, 0.5  # and with a rate from here on also if it fell to no less than this part
TENTH = 10  # losses of the first and of the last of so many parts are compared, not two of them
LARGE_RATE = """
jgrad.manual_seed(0)
net = jgrad.nn.Linear(2, 2)
opt = jgrad.optim.SGD(net.parameters(), lr=%s)
x, y = jgrad.randn(8, 2), jgrad.tensor([0, 1] * 4)
for epoch in range(4):
    opt.zero_grad()
    loss = jgrad.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""


@NOTES.rule(
    "step-too-large", "warning", "a learning rate is so large that a step throws away what was learned",
    "{at} ({what}) moved {name} by {times} times {its} size, and {loss} {went} from {first} to {last}{rate}.",
    "Use a smaller learning rate.",
    LARGE_RATE % "100.",
    LARGE_RATE % "0.1",
)  # fmt: skip
def step_too_large(log: Log) -> Iterator[dict]:
    """The step of an optimizer changed a parameter by many times its norm, and the loss of later rounds is not below the first."""
    if len(losses(log)) == 1 and next(loss_grows(log), None) is not None:
        return  # (which says the same; of two losses this one tells whose steps are too large)
    training = Training.of(log)
    if any(optimizer["maximize"] for optimizer in training.optimizers):
        return
    if log.document.get("rounds") is not None:
        yield from _of_rounds(log, training)
        return
    for found in losses(log).values():
        known = [one for one in found if one[1] - one[1] == 0]
        if len(known) < 2 or not 0 < known[0][1] <= known[-1][1]:
            continue
        rise = known[-1][1] / known[0][1]
        steps = {
            i: p for p in training.grads for i, _ in training.steps_of(p) if found[0][0] < i < known[-1][0]
        }
        times, i = max(((_ratio(log, training, i), i) for i in steps), default=(0.0, 0))
        if times < FAR or (rise < RISE and times < FARTHER) or math.isinf(times):
            continue
        call = known[-1][0]
        yield {
            "step": i, "tensors": [steps[i]], "lines": log.lines(i, call), "at": log.at(i), "what": training.step_called(i, steps[i]),
            **_trained(training, steps[i], i), "times": f"{times:.0f}", "loss": log.name(log.steps[call]["roots"][0], call), "went": "went", "first": known[0][2],
            "last": known[-1][2], "rate": _rate(training, steps[i]),
        }  # fmt: skip


def _rate(training: Training, parameter: int) -> str:
    """ " (the learning rate is 100)", if it is a large one."""
    rate = max(_rates(training, parameter), default=0.0)
    return f" (the learning rate is {rate:g})" if rate >= LARGE else ""


def _rates(training: Training, parameter: int) -> list[float]:
    return [r for o in training.optimizers if parameter in o["parameters"] for r in o["rates"]]


def _trained(training: Training, parameter: int, index: int) -> dict[str, str]:
    """What a step moves, in words: one parameter, or those of an optimizer."""
    owner = next((o for o in training.optimizers if parameter in o["parameters"]), None)
    if owner is None or len(owner["parameters"]) == 1:
        return {"name": training.log.name(parameter, index), "its": "its"}
    return {"name": f"the parameters of {owner['name']}", "its": "their"}


def _ratio(log: Log, training: Training, index: int) -> float:
    """How many times their norm all parameters were moved by a step; 0 if they were zero before."""
    sizes, moves = [], []
    for parameter in training.grads:
        for i, write in training.steps_of(parameter):
            if i != index:
                continue
            try:
                old = [float(x) for x in log.contents(write["storage"], index)["elements"]]
                new = [float(x) for x in write["contents"]["elements"]]
            except ValueError:  # complex numbers
                return 0.0
            sizes.append(math.hypot(*old))
            moves.append(math.hypot(*(b - a for a, b in zip(old, new, strict=False))))
    size, moved = math.hypot(*sizes), math.hypot(*moves)
    return moved / size if size > 0 and math.isfinite(moved) else 0.0


def _of_rounds(log: Log, training: Training) -> Iterator[dict]:
    """The same by the figures of all rounds, for each training that has one loss."""
    if next(loss_rose(log), None) is not None:
        return  # which says the same
    rounds = log.document["rounds"]
    for stretch in stretches(rounds):
        for parameters in _owned(training, stretch.parameters):
            times = _moves(rounds, parameters)[stretch.first : stretch.end]
            most, at = float(times.max()), int(times.argmax())
            rate = max(_rates(training, parameters[0]["tensor"] or 0), default=0.0)
            went = _jumped(rounds, stretch, at) if most >= FAR else None
            went = went or _did_not_fall(stretch.losses(rounds), most, at, rate)
            place = _place(log, training, parameters, stretch.first + at) if went is not None else {}
            if went is not None and place["lines"]:
                yield place | {
                    "times": f"{most:.0f}", "went": "went" if went[0] <= went[1] else "fell only", "first": f"{went[0]:.3g}", "last": f"{went[1]:.3g}", "rate": _rate(training, parameters[0]["tensor"] or 0),
                }  # fmt: skip
                return


def _owned(training: Training, parameters: list[ParameterFigures]) -> list[list[ParameterFigures]]:
    """Those parameters of a training that each optimizer has."""
    owned = ([p for p in parameters if p["tensor"] in o["parameters"]] for o in training.optimizers)
    return [found for found in owned if found]


def _jumped(rounds: Rounds, stretch: Stretch, at: int) -> tuple[float, float] | None:
    """A loss before a step and behind it, if it is so many times larger there."""
    for place in rounds["losses"]:
        before, behind = (losses_of(rounds, place).at(stretch.first + at + k) for k in (1, 2))
        if before is not None and behind is not None and 0 < RISE * before <= behind < math.inf:
            return before, behind
    return None


def _did_not_fall(losses: list[np.ndarray], most: float, at: int, rate: float) -> tuple[float, float] | None:
    """The loss at first and in the end, if it did not fall as it does behind steps of a good size. Of several losses, one may grow as another falls."""
    if len(losses) != 1 or len(losses[0]) < 2 or not np.isfinite(losses[0]).all():
        return None
    # The first rounds, or those before the large step.
    part = max(len(losses[0]) // TENTH, 1)
    first, last = float(losses[0][: min(part, at + 1)].mean()), float(losses[0][-part:].mean())
    if not first > 0:
        return None
    grew = last >= first and most >= (OWN_SIZE if last >= DIVERGED * first else FAR)
    far = grew and (last >= RISE * first or most >= FARTHER)
    return (first, last) if far or (most >= FAR and rate >= LARGE and last > FELL * first) else None


def _place(log: Log, training: Training, parameters: list[ParameterFigures], number: int) -> dict[str, Any]:
    """The step of an optimizer in a round, counted from 0, or in one that was kept; where none was, the lines of the cell that ask for steps."""
    numbers = [p["tensor"] or 0 for p in parameters]
    steps = sorted(i for p in numbers for i, _ in training.steps_of(p))
    roots = [(k, step["roots"][0]) for k, step in log.of("backward") if step["op"] == "backward"]
    if steps and roots:
        begun = [begin for n, begin, _ in log.document["rounds"]["kept"] if n == number + 1]
        i = next((step for step in steps if begun and step >= begun[0]), steps[-1])
        call, root = roots[-1]
        return {
            "step": i, "tensors": numbers[:1], "lines": log.lines(i, call), "at": log.at(i), "what": training.step_called(i, numbers[0]),
            "loss": log.name(root, call), **_trained(training, numbers[0], i),
        }  # fmt: skip
    opt = next((o["name"] for o in training.optimizers if numbers[0] in o["parameters"]), "")
    calls = [c.lineno for c in calls_of(log.tree, "step") if ast.unparse(c.func) == f"{opt}.step"]
    return {
        "step": -1, "tensors": numbers[:1], "lines": calls, "at": log.places.of_lines(calls[:1]), "what": f"{opt}.step()", "name": f"the parameters of {opt}",
        "its": "their", "loss": "the loss",
    }  # fmt: skip


def _moves(rounds: Rounds, parameters: list[ParameterFigures]) -> np.ndarray:
    """How many times their norm all parameters together were moved, by round; 0 where that is not known."""
    moves, sizes = np.zeros(rounds["total"]), np.zeros(rounds["total"])
    for p in parameters:
        updates, values = (figures_of(rounds, p, what) for what in ("update", "value"))
        before = np.concatenate([[p.get("moved", (0.0, 0.0))[0]], values.first[:-1]])
        sure = updates.known & np.isfinite(updates.first) & np.isfinite(before)
        moves += np.where(sure, updates.first, 0.0) ** 2
        sizes += np.where(sure, before, 0.0) ** 2
    return np.sqrt(np.where(sizes > 0, moves / np.where(sizes > 0, sizes, 1.0), 0.0))
