"""The rounds of a training loop in a trace document: how they get there, and how they are read."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from jgrad.tracing.document.evidence import evidence_of
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import Losses, ParameterFigures, Rounds
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.figures import Array, Runs, Series, Table, missing
from jgrad.tracing.record.recorder import Recorder

LEAST = 4  # rounds of which there are figures in a document
NONE, NAN = 0xFFFF, 0x7FC0  # the codes of no figure and of nan


def rounds_of(recorder: Recorder, source: Source, name_of: Callable[[int], str]) -> Rounds | None:
    """The rounds of a recording, which may still run, as a document has them; None if there are only a few. `name_of`: what a tensor is
    called."""
    rounds = recorder.rounds
    if rounds.count < LEAST:
        return None
    if recorder.running:
        rounds.settle()
    keeping = recorder.keeping
    kept = recorder.kept_rounds if keeping is None else keeping.kept_rounds()
    table = rounds.table
    parameters = sorted(rounds.series, key=_position)
    found: Any = {
        "total": rounds.count,
        "kept": [[number + 1, begin, end] for number, begin, end in kept],
        "bin": table.bin,
        "losses": [
            {
                "line": None if loss.line is None else source.line(loss.line),
                "figures": encoded(_figures(table, loss.column, rounds.count)),
            }
            for loss in rounds.losses.values()
        ],
        "parameters": [
            _parameter(series, i, table, rounds.count, name_of) for i, series in enumerate(parameters)
        ],
        "remarkable": [
            {"round": first.round + 1, "what": first.what} | ({"late": first.late} if first.late else {})
            for first in sorted(rounds.remarkable.values())
        ],
        "rates": [
            {"round": r.round + 1, "optimizer": r.optimizer, "group": r.group, "rate": r.rate}
            for r in rounds.rates
            if math.isfinite(r.rate)
        ],
        **evidence_of(recorder, source, parameters),
    }
    return cast(Rounds, found)


def _position(series: Series) -> float:
    """Parameters are listed in the order in which they were met."""
    return math.inf if series.record is None else series.record.id


def _parameter(
    series: Series, index: int, table: Table, count: int, name_of: Callable[[int], str]
) -> ParameterFigures:
    number = None if series.record is None else series.record.id
    gradient, update, value = (encoded(_figures(table, column, count)) for column in series.columns)
    found: Any = {
        "tensor": number, "name": (number is not None and name_of(number)) or f"parameter {index + 1}", "shape": list(series.shape),
        "gradient": gradient, "update": update, "value": value,
        "gradient_not_finite": _counted(series.gradients), "value_not_finite": _counted(series.values),
    }  # fmt: skip
    moved = series.moved()
    if moved is not None and all(map(math.isfinite, moved)):
        found["moved"] = [float(f"{x:.5g}") for x in moved]
    return cast(ParameterFigures, found)


def _counted(runs: Runs) -> Any:
    return [[first + 1, last + 1, nan, inf] for first, last, nan, inf in runs.rows]


def _figures(table: Table, column: int, rounds: int) -> Array:
    rows = -(-rounds // table.bin)
    return np.concatenate([part[:rows, column] for part in table.parts])


def encoded(figures: Array) -> str:
    """Figures as a document has them: the upper half of each number, rounded."""
    wide = np.ascontiguousarray(figures).view(np.uint32).astype(np.uint64)
    rounded = (wide + 0x7FFF + ((wide >> 16) & 1)) >> 16
    rounded = np.where(np.isnan(figures), NAN, np.minimum(rounded, 0xFF80))
    return base64.b64encode(np.where(missing(figures), NONE, rounded).astype("<u2").tobytes()).decode()


# Reading ------------------------------------------------------------------------------------------------------------------------------


def decoded(text: str) -> tuple[Array, Array]:
    """Figures, and where there are none."""
    codes = np.frombuffer(base64.b64decode(text), "<u2").astype(np.uint32)
    return (codes << 16).view(np.float32).astype(np.float64), codes == NONE


class Figures:
    """Figures by round: the figure of each bin's first round, the least and the largest. The three are equal where a bin is one round. Where
    there is no figure, `known` is False."""

    def __init__(self, rounds: Rounds, text: str) -> None:
        found, missing = decoded(text)
        self.bin = rounds["bin"]
        shape = (1 if self.bin == 1 else 3, -1)
        found = found.reshape(shape)
        self.known = ~missing.reshape(shape)[0]
        self.first, self.least, self.largest = found if self.bin > 1 else (found[0],) * 3

    def round_of(self, index: int) -> int:
        """The first round, counted from 1, of a bin."""
        return index * self.bin + 1

    def at(self, number: int) -> float | None:
        """The figure of a round, counted from 1, or of the first one in its bin; None if there is none."""
        index = (number - 1) // self.bin
        return float(self.first[index]) if 0 <= index < len(self.first) and self.known[index] else None


def losses_of(rounds: Rounds, losses: Losses) -> Figures:
    """The losses at a place."""
    return Figures(rounds, losses["figures"])


def in_words(figure: float) -> str:
    """A figure as sentences say it: a document keeps less than three digits."""
    return number(float(f"{figure:.3g}"))


def figures_of(rounds: Rounds, parameter: ParameterFigures, what: str) -> Figures:
    """The figures of a parameter: `gradient`, `update` or `value`."""
    return Figures(rounds, cast(dict[str, Any], parameter)[what])


class Stretch(NamedTuple):
    """Rounds, from one index to another, that train the same parameters: all of a program, or those of one of several trainings in turn."""

    first: int
    end: int
    parameters: list[ParameterFigures]

    def losses(self, rounds: Rounds) -> list[Array]:
        """The known losses of these rounds, by place."""
        found = [losses_of(rounds, losses) for losses in rounds["losses"]]
        parts = [f.first[self.first : self.end][f.known[self.first : self.end]] for f in found]
        return [part for part in parts if len(part)]


def stretches(rounds: Rounds) -> list[Stretch]:
    """The trainings of a program, one after the other. Parameters that get gradients in the same time are of one training."""
    found: list[Stretch] = []
    fed = [figures_of(rounds, p, "gradient").known.nonzero()[0] for p in rounds["parameters"]]
    ends = [(int(at[0]), int(at[-1]) + 1, n) for n, at in enumerate(fed) if len(at)]
    for first, end, n in sorted(ends) if rounds["bin"] == 1 else ():
        parameter = rounds["parameters"][n]
        if found and first < found[-1].end:
            last = found[-1]
            found[-1] = Stretch(last.first, max(last.end, end), [*last.parameters, parameter])
        else:
            found.append(Stretch(first, end, [parameter]))
    return found


def go_on(rounds: Rounds, first: int, last: int) -> bool:
    """Whether in each of these rounds the same parameters got gradients, and the same changed, as in the round before them."""
    before, end = (first - 2) // rounds["bin"], (last - 1) // rounds["bin"]
    if before < 0:
        return False
    for parameter in rounds["parameters"]:
        gradients, updates = (figures_of(rounds, parameter, what) for what in ("gradient", "update"))
        for happened in (gradients.known, updates.known & (updates.largest != 0)):
            if (happened[before : end + 1] != happened[before]).any():
                return False
    return True
