"""What a training without a mistake did, as one would say it: "Loss 2.4 to 2 in 24 rounds; all 8 parameters learn"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import Figures, figures_of, losses_of
from jgrad.tracing.document.schema import Rounds, TraceModule, TraceOptimizer
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.record.rounds import PLACES

FEW = 3  # names in a headline
CLOSE = 0.01  # a figure is known to 0.4 percent
FLAT = 0.1  # a loss that moves less than this part of it stays
COURSES = {"fell": lambda x: x < 0, "rose": lambda x: x > 0, "stayed": lambda x: x == 0}


def learned(log: Log) -> str:
    """The headline of a training; nothing where no loss is known in the first and the last round, or nothing was updated."""
    rounds = log.document.get("rounds")
    if rounds is None:
        return ""
    losses, learning = _losses(log, rounds), _learning(rounds)
    if not losses or not learning:
        return ""
    return f"{losses} in {rounds['total']:,} rounds; {_parameters(log, rounds, learning)}"


def _losses(log: Log, rounds: Rounds) -> str:
    """ "Loss 2.4 to 2"; of several "`d_loss` 1.9 to 1.5, `g_loss` stays at 0.64"; of many how many fell."""
    said, moved = [], []
    for losses in rounds["losses"]:
        figures = losses_of(rounds, losses)
        if not len(figures.known) or not (figures.known[0] and figures.known[-1]):
            return ""
        first, last = float(figures.first[0]), float(figures.first[-1])
        name = _name_at(log, losses["line"])
        said.append(
            f"{'Loss' if name == 'loss' or not name else f'`{name}`'} {_course(figures, first, last)}"
        )
        moved.append(0 if abs(last - first) <= CLOSE * abs(first) else last - first)
    if len(said) <= FEW:
        return ", ".join(said)
    counts = {word: sum(map(went, moved)) for word, went in COURSES.items()}
    which = "the first " if len(said) == PLACES else ""  # of more it is not known
    return f"Of {which}{len(said):,} losses " + listed([f"{n:,} {word}" for word, n in counts.items() if n])


def _course(figures: Figures, first: float, last: float) -> str:
    """How a loss went: "2.4 to 2", "stays at 0.64"."""
    ends = [brief_number(first), brief_number(last)]
    if ends[0] == ends[1] and abs(last - first) > CLOSE * abs(first):
        ends = [f"{first:.3g}", f"{last:.3g}"]
    known = figures.known
    span = float(figures.largest[known].max() - figures.least[known].min())
    if ends[0] == ends[1] and span <= FLAT * abs(first):
        return f"stays at {ends[0]}"
    return f"{ends[0]} to {ends[1]}"


def _name_at(log: Log, line: int | None) -> str:
    """What the loss is called at whose line a backward call began."""
    for _, step in log.of("backward"):
        if step["line"] == line and step.get("roots"):
            return log.name(step["roots"][0])
    return ""


def _learning(rounds: Rounds) -> list[int]:
    """The parameters, by their places, that were changed in some round."""
    found = []
    for place, parameter in enumerate(rounds["parameters"]):
        updates = figures_of(rounds, parameter, "update")
        if np.any(updates.largest[updates.known] > 0):
            found.append(place)
    return found


def _parameters(log: Log, rounds: Rounds, learning: list[int]) -> str:
    """Which parameters learn, of those that got gradients and those of the same modules and optimizers."""
    numbers = {n for place in learning if (n := rounds["parameters"][place]["tensor"]) is not None}
    held, owners = held_by(log, numbers, log.document.get("optimizers", ()))
    # Where nobody holds what learned, each leaf that got gradients counts. Otherwise one that nobody holds is an input.
    others = held or {n for t in rounds["parameters"] if (n := t["tensor"]) is not None}
    rest = sorted(others - numbers)
    count = len(learning)
    missing = len(rest) if held else max(len(rounds["parameters"]) - count, len(rest))
    if not missing:
        name = rounds["parameters"][learning[0]]["name"]
        return (
            f"`{name}` learns"
            if count == 1
            else f"{'both' if count == 2 else f'all {count:,}'} parameters learn"
        )
    who = named(log, rest, others, owners, "learn") if len(rest) == missing else ""
    return f"{count:,} of {count + missing:,} parameters learn" + (f": {who}" if who else "")


def held_by(
    log: Log, numbers: set[int], optimizers: Sequence[TraceOptimizer]
) -> tuple[set[int], list[TraceModule]]:
    """The parameters of the modules that have one of these leaves or were called beside them, and of such optimizers; and those modules."""
    called = [layer["name"] for layer in log.document.get("layers", ())]
    modules, beside = [], []
    for module in log.document.get("modules", ()):
        if numbers.intersection(module["parameters"]):
            modules.append(module)
        elif any(re.match(rf"{re.escape(module['name'])}(?![^.\[])", name) for name in called):
            beside.append(module)
    owners = [*modules, *(one for one in optimizers if numbers.intersection(one["parameters"]))]
    owners += beside if modules else []
    held = {n for owner in owners for n in owner["parameters"]}
    return held, [*modules, *beside]


def named(
    log: Log, rest: Sequence[int], held: set[int], owners: Sequence[TraceModule], verb: str = "get none"
) -> str:
    """Of parameters that get nothing: the modules and layers that have no others, or their names; nothing if they are many."""
    left, names = set(rest), []
    for owner in owners:
        if owner["parameters"] and left.issuperset(owner["parameters"]):
            names.append(owner["name"])
            left.difference_update(owner["parameters"])
    layer_of = {n: log.name(n).rpartition(".")[0] for n in held}
    learning = {layer_of[n] for n in held.difference(rest)}
    names += dict.fromkeys(
        log.name(n) if layer_of[n] in learning else layer_of[n] or log.name(n) for n in sorted(left)
    )
    many = len(names) > 1
    if all(not log.final[n]["requires_grad"] for n in rest):
        said = f"{'are' if many else 'is'} frozen"
    elif verb == "learn":
        said = f"{'do' if many else 'does'} not"
    else:
        said = "got none"
    if len(names) > FEW or not all(names):
        return "the others are frozen" if said.endswith("frozen") else ""
    return f"{listed([f'`{name}`' for name in names])} {said}"
