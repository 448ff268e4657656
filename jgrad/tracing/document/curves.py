"""The rounds of a training loop as curves: what each parameter did, by round.

The front end has the same curves, translated by `js/translator`. `%why` reads the figures with NumPy (`rounds.py`).

A very long run has figures of *bins* of rounds: of each bin the figure of its first round, the least and the largest. What a drawing shows of
many rounds is the largest figure, so that nothing that stands out is lost.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from operator import itemgetter
from typing import Any, TypedDict

from jgrad.tracing.document.bfloat16 import INFINITE, NONE, codes, figure
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import ParameterFigures, Rate, Rounds, TraceDocument

MISSING = -1.0  # instead of a norm where there is none
NAN = figure(0x7FC0)
UNREAD = -2.0  # instead of that of a gradient where the parameter was not looked at
VANISHED = 1e-5  # of the largest gradient of a round: what is below it is called vanished
RATE = 0.001  # update / weight that is usual
FAST = 0.1  # what is much more
SINGLE = 12  # parameters that have a row each; of more, each module has one
ROWS = 24  # rows that are drawn, of parameters or modules
LOOKS = 16  # rounds from which it is judged which rows are of interest
FEW = 4  # so few rows hide more than they fold


class Curve:
    """The figures of one thing. Rounds are counted from 0."""

    def __init__(self, text: str, bin: int) -> None:
        self.codes = codes(text)
        self.bin = bin
        self.rows = len(self.codes) if bin == 1 else len(self.codes) // 3

    def at(self, number: int) -> int:
        """The code of a round, or of the first round in its bin."""
        row = number // self.bin
        return self.codes[row] if row < self.rows else NONE

    def largest(self, begin: int, end: int) -> int:
        """The largest code from one round to before another. That of nan is the largest of all."""
        a, b = begin // self.bin, (end - 1) // self.bin + 1
        found = max(self.codes[a:b], default=NONE)
        if self.bin > 1 and found <= INFINITE:
            a += 2 * self.rows
            b += 2 * self.rows
            found = max(found, max(self.codes[a:b], default=NONE))
        return found

    def least(self, begin: int, end: int) -> int:
        """The least code that is known."""
        a, b = begin // self.bin, (end - 1) // self.bin + 1
        if self.bin > 1:
            a += self.rows
            b += self.rows
        return min([code for code in self.codes[a:b] if code != NONE], default=NONE)


class Row:
    """A parameter, or the parameters of a module, of which the root of the sum of squares counts. `label` is its name without the part that all
    rows begin with, and `family` the first part of its name: in a GAN, one of the two networks."""

    def __init__(self, name: str, label: str) -> None:
        self.name = name
        self.label = label
        self.family = name[: ends_of(name)[0]]
        self.tensors: list[int] = []
        self.shape: list[int] | None = None  # of a single parameter
        self.places: list[int] = []  # of its parameters among those of the document
        self.gradients: list[Curve] = []
        self.updates: list[Curve] = []
        self.values: list[Curve] = []
        self.bad: list[tuple[int, int, int, int]] = []  # the rounds with a gradient that is not finite
        self.idle = False  # whether no optimizer has any of its parameters
        self.others: list[Row] = []  # the rows that it stands for, if these were too many
        self.parts: list[Row] = []  # what a reader sees who opens it, once it was opened

    @property
    def count(self) -> int:
        """How many parameters it stands for."""
        return len(self.places)

    @property
    def key(self) -> str:
        """By which a reader opens and closes it; nothing if it is a single parameter."""
        if self.count < 2 and not self.others:
            return ""
        return f"{'more' if self.others else 'row'} {self.places[0]} {self.count}"

    def add(self, place: int, p: ParameterFigures, curves: list[Curve]) -> None:
        """Take a parameter in, with the curves of its gradient, its update and its value."""
        if p["tensor"] is not None:
            self.tensors.append(p["tensor"])
        self.shape = None if self.count else p["shape"]
        self.places.append(place)
        self.gradients.append(curves[0])
        self.updates.append(curves[1])
        self.values.append(curves[2])
        self.bad.extend(p["gradient_not_finite"])

    def gradient(self, begin: int, end: int) -> float:
        """The largest norm of the gradient from one round to before another. MISSING: there was no gradient. UNREAD: that is not known."""
        found = together([curve.largest(begin, end) for curve in self.gradients])
        if found == MISSING and together([curve.largest(begin, end) for curve in self.values]) == MISSING:
            return UNREAD
        if found - found == 0 and any([first <= end and begin < last for first, last, *_ in self.bad]):
            return NAN  # in a bin whose other rounds were finite
        return found

    def gradient_at(self, number: int) -> float:
        return together([curve.at(number) for curve in self.gradients])

    def update_at(self, number: int) -> float:
        return together([curve.at(number) for curve in self.updates])

    def value_at(self, number: int) -> float:
        return together([curve.at(number) for curve in self.values])

    def ratio_at(self, number: int) -> float:
        """The update against the value that it led to."""
        return quotient(self.update_at(number), self.value_at(number))

    def ratio(self, begin: int, end: int) -> float:
        """The largest update of some rounds, against the value in the first of them."""
        return quotient(together([curve.largest(begin, end) for curve in self.updates]), self.value_at(begin))


class Line(TypedDict):
    """A row as it is drawn."""

    row: Row
    depth: int
    """In how many opened rows it lies."""
    opened: bool


def together(found: list[int]) -> float:
    """The norm of all, from the codes of the norms of each. MISSING if there is none."""
    known = [figure(code) for code in found if code != NONE]
    if not known:
        return MISSING
    if len(known) == 1:
        return known[0]
    most = max(known)
    if most - most != 0 or most == 0:
        return most
    return most * math.sqrt(sum_of([(x / most) * (x / most) for x in known]))


def sum_of(numbers: list[float]) -> float:
    total = 0.0
    for x in numbers:
        total += x
    return total


def median(numbers: list[float]) -> float:
    return sorted(numbers)[len(numbers) // 2] if numbers else MISSING


def quotient(update: float, value: float) -> float:
    """MISSING where it has no meaning."""
    if update < 0 or not value > 0 or update - update != 0 or value - value != 0:
        return MISSING
    return update / value


class Training:
    """The rounds of a document as curves."""

    def __init__(self, document: TraceDocument) -> None:
        rounds: Rounds = document["rounds"]
        self.rounds = rounds
        self.total = rounds["total"]
        self.bin = rounds["bin"]
        self.losses = [Curve(losses["figures"], self.bin) for losses in rounds["losses"]]
        self.called = [loss_name(document["source"], losses["line"]) for losses in rounds["losses"]]
        self.rates: list[Rate] = rounds.get("rates", [])
        self.stem = ""  # what all names begin with
        self.rows: list[Row] = []
        self.rest: Row | None = None  # all rows that are too many
        # What the view made of the curves, by its width and the rows that are open.
        self.charts: dict[str, Any] = {}
        # The steps with which a round begins, and those that stand for rounds that were not kept: (step, round).
        self.marks: list[tuple[int, int]] = [(begin, number - 1) for number, begin, _ in rounds["kept"]]
        for i, step in enumerate(document["steps"]):
            gap = step.get("gap")
            if gap is not None and gap["rounds"] is not None:
                self.marks.append((i, gap["rounds"][1] - 1))
        self.marks.sort(key=itemgetter(0))
        # A look at a running loop has steps of its present rounds alone. (Where steps are missing, the first round is not whole.)
        self.is_present = not self.marks and not any([step["kind"] == "gap" for step in document["steps"]])
        self._fold()
        self._mark_idle(document)
        limited = self._limited(self.rows)
        if len(limited) > ROWS:
            self.rows, self.rest = limited[:ROWS], limited[ROWS]

    def rates_at(self, number: int) -> list[float]:
        """The learning rates of a round, each once."""
        current: dict[str, float] = {}
        for r in self.rates:
            if r["round"] - 1 <= number:
                current[f"{r['optimizer']} {r['group']}"] = r["rate"]
        found: list[float] = []
        for rate in current.values():
            if rate not in found:
                found.append(rate)
        return found

    def rate_changes(self) -> list[int]:
        """The rounds in which a learning rate was another one than before."""
        found: list[int] = []
        met: set[str] = set()
        for r in self.rates:
            key = f"{r['optimizer']} {r['group']}"
            if key in met and (not found or found[-1] != r["round"] - 1):
                found.append(r["round"] - 1)
            met.add(key)
        return found

    def _fold(self) -> None:
        """Make the rows: of parameters, or, if these are too many, of modules."""
        parameters = self.rounds["parameters"]
        names = [p["name"] for p in parameters]
        if len(names) > SINGLE:
            names = folded(names)
        self.stem = stem_of(names)
        known: dict[str, Row] = {}
        for i, p in enumerate(parameters):
            name = names[i]
            row = known.get(name)
            if row is None or len(parameters) <= SINGLE:
                row = Row(name, label_of(name, self.stem))
                known[name] = row
                self.rows.append(row)
            row.add(i, p, [Curve(text, self.bin) for text in (p["gradient"], p["update"], p["value"])])

    def shown(self, toggled: list[str]) -> list[Line]:
        """The rows as they are drawn, if the reader has opened those with these keys."""
        found: list[Line] = []
        self._show(self.rows if self.rest is None else [*self.rows, self.rest], toggled, 0, found)
        return found

    def _show(self, rows: list[Row], toggled: list[str], depth: int, found: list[Line]) -> None:
        for row in rows:
            opened = row.key in toggled
            found.append({"row": row, "depth": depth, "opened": opened})
            if opened:
                if not row.parts:
                    row.parts = self._limited(row.others or self._parts(row))
                self._show(row.parts, toggled, depth + 1, found)

    def _parts(self, row: Row) -> list[Row]:
        """The parameters of a module; if there are many, the modules in it."""
        parameters = self.rounds["parameters"]
        names = [parameters[place]["name"] for place in row.places]
        depth = len(ends_of(row.name)) + 1
        deepest = max([len(ends_of(name)) for name in names])
        if len(names) <= ROWS:
            depth = deepest
        while depth < deepest and len({beginning(name, depth) for name in names}) == 1:
            depth += 1
        known: dict[str, Row] = {}
        found: list[Row] = []
        for i, place in enumerate(row.places):
            name = beginning(names[i], depth)
            part = known.get(name)
            if part is None or depth >= deepest:
                part = Row(name, label_of(name, row.name))
                part.idle = row.idle
                known[name] = part
                found.append(part)
            part.add(place, parameters[place], [row.gradients[i], row.updates[i], row.values[i]])
        return found

    def _limited(self, rows: list[Row]) -> list[Row]:
        """Of too many rows those that are of interest, and one row for all others."""
        if len(rows) <= ROWS:
            return rows
        kept = self._of_interest(rows)
        others = [row for i, row in enumerate(rows) if i not in kept]
        rest = Row(f"{len(others):,} more", f"{len(others):,} more")
        for row in others:
            for i, place in enumerate(row.places):
                curves = [row.gradients[i], row.updates[i], row.values[i]]
                rest.add(place, self.rounds["parameters"][place], curves)
        rest.idle = all([row.idle for row in others])
        rest.others = others
        return [*[row for i, row in enumerate(rows) if i in kept], rest]

    def _of_interest(self, rows: list[Row]) -> set[int]:
        """The positions of the rows with the smallest gradients, of those with the largest updates, and of that with the largest gradient."""
        rounds = [i * self.total // LOOKS for i in range(LOOKS)]
        sizes: list[tuple[float, int]] = []
        shares: list[tuple[float, int]] = []
        for i, row in enumerate(rows):
            # Not finite is worst.
            size = MISSING if row.bad else median([row.gradient_at(n) for n in rounds])
            sizes.append((size, i))
            shares.append((-median([row.ratio_at(n) for n in rounds]), i))
        most = max(sizes)[1]
        kept = {most, *[i for _, i in sorted(sizes)[: ROWS // 2]]}
        for _, i in sorted(shares):
            if len(kept) < ROWS:
                kept.add(i)
        return kept

    def _mark_idle(self, document: TraceDocument) -> None:
        """Mark the rows whose parameters no optimizer has, and whose values do not change."""
        held: set[int] = set()
        for optimizer in document.get("optimizers", []):
            held.update(optimizer["parameters"])
        for row in self.rows:
            row.idle = bool(held)
            for i, place in enumerate(row.places):
                t = self.rounds["parameters"][place]["tensor"]
                if t is None or t in held or row.updates[i].largest(0, self.total) > 0:
                    row.idle = False

    # Rounds and steps -----------------------------------------------------------------------------------------------------------

    def round_of(self, cursor: int) -> int:
        """The round, counted from 0, that a document is in after so many steps: of those not kept, the last one before."""
        if self.is_present:
            return self.total - 1
        i = bisect_left(self.marks, cursor, key=itemgetter(0))
        return min(self.marks[i - 1][1], self.total - 1) if i else 0

    def cursor_of(self, number: int) -> int:
        """After how many steps a round is over; of a round that was not kept, the steps up to the gap that it is in."""
        steps = self.steps_of(number)
        if steps is not None:
            return steps[1]
        i = bisect_left(self.marks, number, key=itemgetter(1))
        return self.marks[min(i, len(self.marks) - 1)][0] + 1 if self.marks else 0

    def steps_of(self, number: int) -> tuple[int, int] | None:
        """The first step of a round, counted from 0, and the step after its last; None if it was not kept in full."""
        for kept, begin, end in self.rounds["kept"]:
            if kept == number + 1:
                return begin, end
        return None


def loss_name(source: list[str], line: int | None) -> str:
    """What a loss is called: as its line calls backward() on it, or by that line."""
    if line is None:
        return "loss"
    code = source[line - 1].strip()
    end = code.find(".backward(")
    return code[:end] if end > 0 and end <= 16 and " " not in code[:end] else f"line {line}"


def ends_of(name: str) -> list[int]:
    """Where the parts of a name end: of `net[0].weight` after `net`, `[0]` and `weight`."""
    return [i for i in range(1, len(name)) if name[i] in (".", "[")] + [len(name)]


def folded(names: list[str]) -> list[str]:
    """The modules of parameters: as many parts of each name as give at most ROWS of them. If that leaves only a few, one part more."""
    deepest = max([len(ends_of(name)) for name in names])
    for depth in range(deepest - 1, 0, -1):
        cut = [beginning(name, depth) for name in names]
        count = len(set(cut))
        if count <= ROWS:
            return cut if count > FEW else [beginning(name, depth + 1) for name in names]
    return [beginning(name, 1) for name in names] if deepest > 1 else names


def label_of(name: str, stem: str) -> str:
    """A name without the part that it begins with."""
    label = name[len(stem) :]
    return label[1:] if label.startswith(".") else label


def beginning(name: str, depth: int) -> str:
    """The first parts of a name."""
    ends = ends_of(name)
    return name[: ends[min(depth, len(ends)) - 1]]


def stem_of(names: list[str]) -> str:
    """The parts with which all names begin; none if there is only one name."""
    found = ""
    if len(set(names)) > 1:
        for end in ends_of(names[0]):
            stem = names[0][:end]
            if all([name.startswith(stem) and name[end : end + 1] in (".", "[") for name in names]):
                found = stem
    return found


def brief_number(x: float) -> str:
    """A figure in two digits, as many as it has. MISSING is a dash."""
    if x == MISSING:
        return "–"
    if x - x != 0:
        return "nan" if x != x else "inf" if x > 0 else "-inf"
    if x == 0:
        return "0"
    short = exponential(x, 1)
    size = x if x > 0 else -x
    if size < 0.001 or size >= 99_950:
        return short
    return number(float(short))
