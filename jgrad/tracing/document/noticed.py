"""What stands out in the rounds of a training loop: where gradients have vanished, and the sentences of "What to look at" in the training view.

A sentence has the numbers that it is about, and names what it compares them with. The thresholds are at the top, here and in `curves.py`.
"""

from __future__ import annotations

from collections import Counter
from operator import itemgetter

from jgrad.tracing.document.bfloat16 import INFINITE, NONE, figure
from jgrad.tracing.document.curves import (
    FAST,
    MISSING,
    RATE,
    VANISHED,
    Curve,
    Row,
    Training,
    brief_number,
    median,
)
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import Noticed, Severity, TraceDocument, Vanished

COLUMNS = 240  # the rounds are looked at in at most so many columns
SHARE = 10  # a band is at least one part in so many of all rounds
LEAST = 4  # and at least so many columns
SLOW = 1e-6  # update / weight that is much less than usual
LONG = 20  # rounds from which on a high rate is said
HINTS = 5  # at most so many sentences
BANDS = 3  # at most so many bands, the largest
NAMED = 3  # parameters that a sentence names


def notice(document: TraceDocument) -> tuple[list[Vanished], list[Noticed]]:
    """Where gradients have vanished in the rounds of a document, and what else stands out."""
    training = Training(document)
    grid = Grid(training, min(training.total, COLUMNS))
    bands = grid.bands()
    vanished: list[Vanished] = [
        {
            "parameters": [i for row in training.rows[band.top : band.bottom] for i in row.places],
            "rounds": [grid.begin(band.begin) + 1, grid.begin(band.end)], "zero": band.zero,  # type: ignore[typeddict-item]
        }
        for band in bands
    ]  # fmt: skip
    return vanished, hints(training, grid, bands, _idle(training, document))


def hint(severity: Severity, text: str, number: int) -> Noticed:
    """A sentence about a round, counted from 0."""
    return {"severity": severity, "text": text, "round": number + 1}


class Band:
    """Rows and columns of the heat map in which gradients have vanished: from the first to before the end."""

    def __init__(self, top: int, bottom: int, begin: int, end: int, zero: bool) -> None:
        self.top = top
        self.bottom = bottom
        self.begin = begin
        self.end = end
        self.zero = zero  # whether they are all 0


class Grid:
    """The gradients of all rows in some columns, each of which stands for equally many rounds."""

    def __init__(self, training: Training, count: int) -> None:
        self.training = training
        self.count = count
        self.gradients = [
            [row.gradient(self.begin(c), self.begin(c + 1)) for c in range(count)] for row in training.rows
        ]
        self._tops: dict[str, list[float]] = {}
        for r, row in enumerate(training.rows):
            tops = self._tops.setdefault(row.family, [0.0] * count)
            for c in range(count):
                if self.gradients[r][c] - self.gradients[r][c] == 0 and self.gradients[r][c] > tops[c]:
                    tops[c] = self.gradients[r][c]

    def begin(self, column: int) -> int:
        """The first round of a column."""
        return column * self.training.total // self.count

    def top(self, row: int, column: int) -> float:
        """The largest gradient of a column, among the rows of the same network."""
        return self._tops[self.training.rows[row].family][column]

    def bands(self) -> list[Band]:
        """The rectangles in which gradients have vanished."""
        rows = self.training.rows
        parents = [parent_of(row) for row in rows]
        gone = [[self._vanished(r, c) for c in range(self.count)] for r in range(len(rows))]
        found: list[Band] = []
        for r in range(len(rows)):
            # A bias alone may have no gradient for a good reason, such as a batch norm behind it. A layer has none.
            mates = [i for i in range(len(rows)) if parents[i] == parents[r]]
            whole = [all([gone[i][c] for i in mates]) for c in range(self.count)]
            for begin, end in runs_of(whole, max(LEAST, self.count // SHARE)):
                zero = all([self.gradients[r][c] == 0 for c in range(begin, end)])
                above = [
                    band
                    for band in found
                    if band.bottom == r and band.zero == zero and _alike(band, begin, end)
                ]
                if above:
                    above[0].bottom = r + 1
                    above[0].begin = max(above[0].begin, begin)
                    above[0].end = min(above[0].end, end)
                else:
                    found.append(Band(r, r + 1, begin, end, zero))
        return sorted(sorted(found, key=_area)[:BANDS], key=lambda band: band.top)

    def _vanished(self, row: int, column: int) -> bool:
        found, top = self.gradients[row][column], self.top(row, column)
        return found >= 0 and found < VANISHED * top


def _area(band: Band) -> int:
    """For sorting: the largest first."""
    return (band.top - band.bottom) * (band.end - band.begin)


def _alike(band: Band, begin: int, end: int) -> bool:
    """Whether columns are nearly those of a band."""
    shared = min(band.end, end) - max(band.begin, begin)
    return shared >= 0.8 * max(band.end - band.begin, end - begin)


def runs_of(marks: list[bool], least: int) -> list[tuple[int, int]]:
    """Where at least so many marks follow each other."""
    found: list[tuple[int, int]] = []
    begin = 0
    for i in range(len(marks) + 1):
        if i == len(marks) or not marks[i]:
            if i - begin >= least:
                found.append((begin, i))
            begin = i + 1
    return found


def parent_of(row: Row) -> str:
    """The module that a parameter is part of; a module of several parameters stands for itself."""
    name = row.name
    at = name.rfind(".")
    return name if row.count > 1 or at < 0 else name[:at]


# Numbers and names ------------------------------------------------------------------------------------------------------------------


def about(x: float) -> str:
    """A size in one digit."""
    return exponential(x, 0) if x < 0.001 else brief_number(x)


def listed(names: list[str]) -> str:
    """Names in a sentence, a few of them."""
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def named(row: Row) -> str:
    return row.label if len(row.label) <= 40 else row.label[:39] + "…"


# Sentences --------------------------------------------------------------------------------------------------------------------------


def hints(training: Training, grid: Grid, bands: list[Band], idle: list[str]) -> list[Noticed]:
    """What to look at, the gravest first."""
    found = [
        *_not_finite(training),
        *_vanished(training, grid, bands),
        *_jump(training),
        *_still(training, idle),
        *_moves(training),
    ]
    calm = not found
    found = [*found[:HINTS], *_losses(training)]
    if calm:
        found.extend(_usual(training))
    return found


def _first(training: Training, what: str) -> int | None:
    """The first round in which something remarkable happened, counted from 0."""
    for remarkable in training.rounds["remarkable"]:
        if remarkable["what"] == what:
            return remarkable["round"] - 1
    return None


def _not_finite(training: Training) -> list[Noticed]:
    """Where nan or infinity came first."""
    total = training.total
    loss, gradient = _first(training, "loss-not-finite"), _first(training, "gradient-not-finite")
    values: dict[int, list[str]] = {}
    gradients: dict[int, list[str]] = {}
    for p in training.rounds["parameters"]:
        for runs, by in ((p["value_not_finite"], values), (p["gradient_not_finite"], gradients)):
            if runs:
                by.setdefault(min([first for first, *_ in runs]) - 1, []).append(_label(training, p["name"]))
    value = min(list(values), default=total)
    if loss is not None and loss <= value and (gradient is None or loss <= gradient):
        word = _word(training, loss)
        before = "All weights were finite before it" if values or gradients else "The weights stayed finite"
        since = _since(training, loss)
        grown = _grown(training, loss)
        if grown:
            return [
                hint("error", f"{grown}, and is {word} {since}: the training diverges.", max(loss - 1, 0))
            ]
        return [
            hint(
                "error",
                f"The loss is {word} {since}. {before}: it came from the data or the forward pass of round {loss + 1:,}, not from a gradient.",
                loss,
            )
        ]
    if gradient is not None and gradient <= value:
        names = listed(gradients.get(gradient, ["some parameters"]))
        ok = loss is None or loss > gradient
        return [
            hint(
                "error",
                f"The gradient of {names} is nan or infinite in round {gradient + 1:,}"
                + (", while its loss is finite: it arose in backward." if ok else "."),
                gradient,
            )
        ]
    if value < total:
        return [
            hint(
                "error",
                f"The update of round {value + 1:,} made {listed(values[value])} nan or infinite.",
                value,
            )
        ]
    return []


def _label(training: Training, name: str) -> str:
    label = name[len(training.stem) :] if name.startswith(training.stem) else name
    label = label[1:] if label.startswith(".") else label
    return label if len(label) <= 40 else label[:39] + "…"


def _word(training: Training, number: int) -> str:
    """What a loss is that is not finite."""
    if training.bin == 1:
        for curve in training.losses:
            if curve.at(number) > INFINITE:
                return "nan"
            if curve.at(number) in (INFINITE, -INFINITE):
                return "infinite"
    return "nan or infinite"


def _grown(training: Training, number: int) -> str:
    """How a loss grew up to a round; empty if it did not grow to a thousand times what it was."""
    for curve in training.losses:
        first, last = figure(curve.at(0)), figure(curve.at(max(number - 1, 0)))
        if number and first > 0 and 1000 * first < last and last - last == 0:
            return f"The loss grows from {brief_number(first)} in round 1 to {brief_number(last)} in round {number:,}"
    return ""


def _since(training: Training, number: int) -> str:
    """Whether the losses are not finite from a round on, or only there."""
    for curve in training.losses:
        begin = number // training.bin
        if curve.codes[begin] != NONE and abs(curve.codes[begin]) >= INFINITE:
            later = [code for code in curve.codes[begin : curve.rows] if code != NONE]
            if all([abs(code) >= INFINITE for code in later]):
                return f"from round {number + 1:,} on"
    return f"in round {number + 1:,} for the first time"


def _vanished(training: Training, grid: Grid, bands: list[Band]) -> list[Noticed]:
    found: list[Noticed] = []
    for band in bands:
        rows = training.rows[band.top : band.bottom]
        names = list({parent_of(row): 1 for row in rows}) if len(rows) > 1 else [rows[0].name]
        names = [_label(training, name) or name for name in names]
        begin, end = grid.begin(band.begin), grid.begin(band.end)
        when = f"in rounds {begin + 1:,} to {end:,}"
        if band.end == grid.count:
            when = f"from round {begin + 1:,} on" if begin else "in all rounds"
        elif not begin:
            when = f"up to round {end:,}"
        verb = "gets" if len(names) == 1 else "get"
        if band.zero:
            found.append(
                hint("error", f"{listed(names)} {verb} a gradient of 0 {when}, and others do not.", begin)
            )
            continue
        shares: list[float] = []
        for r in range(band.top, band.bottom):
            shares.extend([grid.gradients[r][c] / grid.top(r, c) for c in range(band.begin, band.end)])
        most = max([grid.top(band.top, c) for c in range(band.begin, band.end)])
        here = [i for i in range(len(training.rows)) if training.rows[i].family == rows[0].family]
        top = next(i for i in here if most in grid.gradients[i][band.begin : band.end])
        found.append(
            hint(
                "error",
                f"{listed(names)} {verb} about {about(median(shares))} of the largest gradient, that of {training.rows[top].label}, {when}.",
                begin,
            )
        )
    return found


def _jump(training: Training) -> list[Noticed]:
    at = _first(training, "gradient-jump")
    if at is None:
        return []
    return [
        hint("error", f"In round {at + 1:,} the gradients became 100 times as large as was usual before.", at)
    ]


def _idle(training: Training, document: TraceDocument) -> list[str]:
    """The parameters that no optimizer has, and whose values do not change, while others are trained."""
    held = {t for optimizer in document.get("optimizers", []) for t in optimizer["parameters"]}
    trained: set[int] = set()
    met: list[int] = []
    for p in training.rounds["parameters"]:
        if p["tensor"] is not None:
            moves = p["tensor"] in held or Curve(p["update"], training.bin).largest(0, training.total) > 0
            (trained.add if moves else met.append)(p["tensor"])
    for module in document.get("modules", []):
        if any(t in trained for t in module["parameters"]):
            met.extend(module["parameters"])
    found: dict[str, None] = {}
    last = {
        c["tensor"]: c for step in document["steps"] for c in step.get("changes", ()) if "requires_grad" in c
    }
    tensors = [t | {"requires_grad": last.get(t["id"], t)["requires_grad"]} for t in document["tensors"]]
    for t in met:
        tensor = tensors[t]
        names = [name for _, name in tensor["names"] if name]
        if held and t not in held and t not in trained and tensor["requires_grad"]:
            found.update(dict.fromkeys(names[-1:]))
    # What each round makes anew, such as the input of a gradient penalty, is not to learn.
    leaves = [t for t in tensors if t["requires_grad"] and t["is_leaf"]]
    makes = Counter(name for tensor in leaves for name in {name for _, name in tensor["names"]})
    return [name for name in found if makes[name] < 2]


def _still(training: Training, idle: list[str]) -> list[Noticed]:
    """Parameters that get gradients, or none, and do not move. `idle`: those that no optimizer has."""
    still: list[str] = []
    lost: list[str] = []
    for row in training.rows:
        updates = [curve.largest(0, training.total) for curve in row.updates]
        gradients = [curve.largest(0, training.total) for curve in row.gradients]
        known = [code for code in updates if code != NONE]
        if known and max(known) == 0:
            if all([code == NONE for code in gradients]):
                lost.append(named(row))
            elif max(gradients) > 0 and not row.idle:
                still.append(named(row))
    found: list[Noticed] = []
    if lost:
        has, do = ("has", "does") if len(lost) == 1 else ("have", "do")
        found.append(
            hint("error", f"{listed(lost)} {has} no gradient in any round, and so {do} not learn.", 0)
        )
    if still:
        verb = "gets" if len(still) == 1 else "get"
        found.append(
            hint("warning", f"{listed(still)} {verb} gradients, but no round changes the values.", 0)
        )
    if idle:
        names = [_label(training, name) for name in idle]
        verb = "requires" if len(names) == 1 else "require"
        found.append(
            hint(
                "warning",
                f"{listed(names)} {verb} grad, but no optimizer has {'it' if len(names) == 1 else 'them'}.",
                0,
            )
        )
    return found


def _ratios(training: Training) -> list[tuple[float, Row]]:
    """By row: the median of update / weight in the second half of the rounds that are finite."""
    total = training.total
    end = min(
        [
            n
            for n in (_first(training, "loss-not-finite"), _first(training, "gradient-not-finite"), total)
            if n is not None
        ]
    )
    found: list[tuple[float, Row]] = []
    count = min(end, COLUMNS)
    for row in training.rows:
        shares = [row.ratio_at(c * end // count) for c in range(count // 2, count)]
        known = [share for share in shares if share >= 0]
        if known:
            found.append((median(known), row))
    return found


def _moves(training: Training) -> list[Noticed]:
    """A rate that is too high or too low, as update / weight shows it."""
    found = _ratios(training)
    # A bias near 0 moves by more than its size for no bad reason.
    matrices = [pair for pair in found if pair[1].count > 1 or len(pair[1].shape or ()) > 1]
    fast = [pair for pair in matrices or found if pair[0] > FAST] if training.total >= LONG else []
    fell = _fell(training)
    if fast and not fell:
        most, row = max(fast, key=itemgetter(0))
        more = (
            f" (and {len(fast) - 1} other{'s' if len(fast) > 2 else ''} by more than {number(FAST)})"
            if len(fast) > 1
            else ""
        )
        return [
            hint(
                "warning",
                f"{named(row)} moves by {brief_number(most)} of its size in a round{more}: update / weight is usually about {number(RATE)}.",
                training.total - 1,
            )
        ]
    most = max([share for share, _ in found], default=MISSING)
    if found and 0 < most < SLOW:
        return [
            hint(
                "warning",
                f"No parameter moves by more than {brief_number(most)} of its size in a round: update / weight is usually about {number(RATE)}.",
                training.total - 1,
            )
        ]
    return []


def _ends(training: Training, place: int) -> tuple[float, float] | None:
    """The medians of the losses at a place in the first and in the last tenth of the rounds; None if one is not finite."""
    curve, total = training.losses[place], training.total
    part = max(total // 10, 1)
    step = max(part // 50, 1)
    first = [figure(curve.at(n)) for n in range(0, part, step) if curve.at(n) != NONE]
    last = [figure(curve.at(n)) for n in range(total - part, total, step) if curve.at(n) != NONE]
    if not first or not last or any([x - x != 0 for x in first + last]):
        return None
    return median(first), median(last)


def _fell(training: Training) -> bool:
    """Whether a loss is clearly smaller in the end."""
    for place in range(len(training.losses)):
        ends = _ends(training, place)
        if ends is not None and ends[1] < 0.9 * ends[0]:
            return True
    return False


def _losses(training: Training) -> list[Noticed]:
    found: list[Noticed] = []
    for place in range(len(training.losses)):
        ends = _ends(training, place)
        if ends is None:
            continue
        first, last = ends
        which = ""
        line = training.rounds["losses"][place]["line"]
        if len(training.losses) > 1 and line is not None:
            which = f" of line {line}"
        a, b = brief_number(first), brief_number(last)
        if a == b:
            s = f"The loss{which} stays at about {a}."
        elif last < first:
            s = f"The loss{which} falls from {a} to {b}."
        else:
            s = f"The loss{which} rises from {a} to {b}."
        found.append(hint("info", f"{s[:-1]} (medians of the first and the last tenth).", training.total - 1))
    return found[:NAMED]


def _usual(training: Training) -> list[Noticed]:
    found = [share for share, _ in _ratios(training) if share > 0]
    if not found:
        return []
    low, high = brief_number(min(found)), brief_number(max(found))
    s = (
        f"Update / weight is {low}"
        + ("" if low == high else f" to {high}")
        + f" in the second half; usual is about {number(RATE)}."
    )
    return [hint("info", s, training.total - 1)]
