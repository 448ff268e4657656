"""What a training without a mistake did, as one would say it: "Loss 2.4 to 2 in 24 rounds; all 8 parameters learn"."""

from __future__ import annotations

import numpy as np

from jgrad.tracing.document.curves import brief_number
from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import figures_of, losses_of
from jgrad.tracing.document.schema import Rounds
from jgrad.tracing.explain.rule import listed

FEW = 3  # names in a headline


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
    """ "Loss 2.4 to 2"; of several "`d_loss` 1.9 to 1.5, `g_loss` 0.64 to 0.64"."""
    said = []
    for losses in rounds["losses"]:
        figures = losses_of(rounds, losses)
        if not len(figures.known) or not (figures.known[0] and figures.known[-1]):
            return ""
        ends = f"{brief_number(float(figures.first[0]))} to {brief_number(float(figures.first[-1]))}"
        name = _name_at(log, losses["line"])
        said.append(f"{'Loss' if name == 'loss' or not name else f'`{name}`'} {ends}")
    return ", ".join(said) if len(said) <= FEW else ""


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
    numbers = {rounds["parameters"][place]["tensor"] for place in learning}
    owners = [*log.document.get("modules", ()), *log.document.get("optimizers", ())]
    held = {n for owner in owners if numbers.intersection(owner["parameters"]) for n in owner["parameters"]}
    # Where nobody holds what learned, each leaf that got gradients counts. Otherwise one that nobody holds is an input.
    others = held or {t["tensor"] for t in rounds["parameters"]}
    rest = sorted(n for n in others - numbers if n is not None)
    count = len(learning)
    missing = len(rest) if held else max(len(rounds["parameters"]) - count, len(rest))
    if not missing:
        name = rounds["parameters"][learning[0]]["name"]
        return f"`{name}` learns" if count == 1 else f"all {count:,} parameters learn"
    said = f"{count:,} of {count + missing:,} parameters learn"
    frozen = len(rest) == missing and all(not log.final[n]["requires_grad"] for n in rest)
    layers = [*dict.fromkeys(log.name(n).rpartition(".")[0] or log.name(n) for n in rest)]
    if frozen and all(layers) and len(layers) <= FEW:
        return f"{said}: {listed([f'`{layer}`' for layer in layers])} {'is' if len(layers) == 1 else 'are'} frozen"
    return said
