"""What is known of a cell that the user interrupted: where it was, how far it came."""

from __future__ import annotations

import math

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.rounds import in_words, losses_of
from jgrad.tracing.explain.incident import Incident

STOPPED = "Stopped"  # by an expression that became true
KINDS = ("KeyboardInterrupt", STOPPED)


def headline(log: Log) -> str:
    """ "The cell was interrupted in line 10 after 31 rounds"."""
    at, rounds, raised = log.places.at(log.steps[-1]), log.document.get("rounds"), log.steps[-1]["error"]
    count = 0 if rounds is None else rounds["total"]
    after = f" after {count:,} rounds" if count > 1 else ""
    if raised["type"] == STOPPED:
        return f"The cell was stopped{f' in {at}' if at else ''}{after}, because {raised['message']}"
    return f"The cell was interrupted{f' in {at}' if at else ''}{after}"


def about_interruption(incident: Incident) -> str:
    """Where the cell was interrupted, how far it came, and what was found until then."""
    log, doing = incident.log, f", while {incident.what} ran" if incident.what else ""
    if log is None:
        at = f" in {incident.place}" if incident.place else ""
        return f"The cell was interrupted{at}{doing}. It was not traced: write %%trace in its first line, and %why can say how far it came."
    is_stopped = log.steps[-1]["error"]["type"] == STOPPED  # after what ran
    sentences = [headline(log) + ("" if is_stopped else doing), *_progress(log)]
    if not log.document["notes"]:
        sentences.append("%why found no mistake in what ran before")
    return f"{'. '.join(sentences)}."


def _progress(log: Log) -> list[str]:
    """How the losses went in the rounds; without rounds, how many steps there were."""
    rounds = log.document.get("rounds")
    if rounds is None:
        ran = len(log.steps) - 1
        return [f"{ran:,} step{'s' * (ran != 1)} ran before" if ran else "No tensor operation ran before"]
    said = []
    for loss in rounds["losses"]:
        figures = losses_of(rounds, loss)
        known = [float(x) for x in figures.first[figures.known]]
        if len(known) > 1 and loss["line"] is not None and all(map(math.isfinite, known)):
            said.append(
                f"The loss in {log.places.of_line(loss['line'])} went from {in_words(known[0])} to {in_words(known[-1])}"
            )
    return said[:3]
