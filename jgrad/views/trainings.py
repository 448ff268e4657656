"""Two trainings over each other: their losses in one plot, the first round in which they differ, and which parameter's figures part first.

Like the comparison of steps, this scene is made only in Python. What a document has of all rounds is compared, so that rounds whose steps were not kept
count too. A figure is known to about 0.4 percent: what differs by less is the same.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jgrad.tracing.document.curves import Curve, Row, Training
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.rounds import Figures, figures_of, losses_of
from jgrad.tracing.document.schema import ParameterFigures, Rounds, TraceDocument
from jgrad.views.compare import SideBySide
from jgrad.views.scene import WIDTH, Item, clip_name, group, path, points, rect, text
from jgrad.views.training_chart import (
    COLUMNS,
    LABEL,
    PITCH,
    SHADES,
    TOP,
    Plan,
    draw_axis,
    draw_losses,
    runs_of,
)

PLACES = 400  # rounds that the slider of the live views has, at most
SHOWN = 8  # parameters that are drawn, those first that part first
LOSSES = 8  # rounds whose losses are in the table, about
LEAST = 0.004  # a relative difference that has the lightest shade: what a figure may be off
ROUNDING = 0.02  # by which figures of two libraries may differ: they add in another order
# In the order in which a round makes them.
KINDS = {"gradient": "gradient", "update": "update", "value": "weight"}


class Parting(NamedTuple):
    """A figure of both trainings in a round; None where a training has none."""

    round: int
    what: str
    sides: tuple[float | None, float | None]


class Both:
    """The figures of one thing in the rounds that are compared, in both trainings."""

    def __init__(self, one: Figures, other: Figures, rounds: Any, slack: float) -> None:
        self.rounds = rounds
        self.sides = [[figures.at(shown) for shown in rounds] for figures in (one, other)]
        self.apart = np.array([_apart(*sides) for sides in zip(*self.sides, strict=True)])
        self.apart[self.apart <= slack] = 0

    def at(self, place: int) -> tuple[str, str]:
        """Both figures in words."""
        return numbers(self.sides[0][place], self.sides[1][place])

    def first(self, what: str) -> Parting | None:
        """Where they differ first."""
        places = np.flatnonzero(self.apart)
        if not places.size:
            return None
        return Parting(self.rounds[places[0]], what, (self.sides[0][places[0]], self.sides[1][places[0]]))


def _apart(a: float | None, b: float | None) -> float:
    """How far two figures are apart, relative to the larger one."""
    if a == b or (a is not None and b is not None and a != a and b != b):
        return 0.0
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        return 1.0
    return abs(a - b) / max(abs(a), abs(b))


def numbers(a: float | None, b: float | None) -> tuple[str, str]:
    """Two figures, in as many digits as tell them apart."""
    for digits in (3, 4):
        found = [_number(x, digits) for x in (a, b)]
        if found[0] != found[1] or a == b:
            break
    return found[0], found[1]


def _number(x: float | None, digits: int) -> str:
    if x is None:
        return "none"
    return number(float(exponential(x, digits - 1))) if math.isfinite(x) else str(x)


class Pair:
    """A parameter of both trainings."""

    def __init__(self, name: str, figures: dict[str, Both]) -> None:
        self.name = name
        self.apart = np.maximum.reduce([both.apart for both in figures.values()])
        found = [both.first(KINDS[what]) for what, both in figures.items()]
        self.first = min((one for one in found if one is not None), key=lambda one: one.round, default=None)


class Overlay:
    """The drawing: the losses in one plot, and below it how far the figures of each parameter are apart, by round."""

    def __init__(self, of: Trainings) -> None:
        self.of = of
        shown = of.parted[:SHOWN]
        self.total = max(of.totals)
        self.rounds: Any = {"kept": []}
        self.losses = [
            Curve(rounds["losses"][0]["figures"], rounds["bin"]) for rounds in of.of if rounds["losses"]
        ]
        self.called = [*of.names]
        self.items: list[Item] = []
        lines: Any = [{"row": Row(pair.name, pair.name), "depth": 0, "opened": False} for pair in shown]
        plan = self.plan = Plan(WIDTH, self, lines)  # type: ignore[arg-type]
        plan.w = math.floor(WIDTH - 140 - plan.x)
        plan.count = max(min(self.total, COLUMNS, plan.w // 2), 1)
        y = draw_losses(self, plan, TOP - 24, self.items) + 8  # type: ignore[arg-type]
        if shown:
            y = self._apart(shown, y + 24)
        self.bottom = draw_axis(self, plan, y, self.items) + 4  # type: ignore[arg-type]

    def _apart(self, shown: list[Pair], y: float) -> float:
        """A row for each parameter: the darker, the further apart. Returns the y below them."""
        plan, rounds = self.plan, self.of.rounds
        self.items.append(text(plan.margin, y - 6, "how far apart", "title"))
        key = "‖grad‖, update or ‖weight‖: light 0.4 %, dark 100 % of the larger one"
        self.items.append(text(plan.x + plan.w, y - 6, key, "note muted", a="end"))
        cells: list[list[str | float]] = [[] for _ in range(SHADES + 1)]
        ends = [c * self.total // plan.count for c in range(plan.count + 1)]
        at = np.searchsorted(rounds, [end + 1 for end in ends])
        for r, pair in enumerate(shown):
            top = y + PITCH * r
            self.items.append(text(plan.margin, top + 14, clip_name(pair.name, LABEL), "leaf"))
            levels = [_level(max(pair.apart[a:b], default=0.0)) for a, b in pairwise(at)]
            for shade in range(1, SHADES + 1):
                for begin, end in runs_of([level == shade for level in levels]):
                    cells[shade] += [
                        "M",
                        plan.column(begin),
                        top + 9.5,
                        "h",
                        plan.column(end) - plan.column(begin),
                    ]
        self.items += [
            path(points(*cells[n]), f"heat gradient h{n}") for n in range(1, SHADES + 1) if cells[n]
        ]
        self.items.append(rect(plan.x - 0.5, y - 0.5, plan.w + 1, PITCH * len(shown), "outline"))
        return y + PITCH * len(shown)


def _level(apart: float) -> int:
    """The shade of a relative difference."""
    if apart <= 0:
        return 0
    return max(math.ceil(SHADES * (1 - math.log10(apart) / math.log10(LEAST))), 1)


class Trainings(SideBySide):
    """A comparison of two trainings."""

    views = ("training", *SideBySide.views)

    def __init__(self, a: TraceDocument, b: TraceDocument, names: tuple[str, str] | None = None) -> None:
        super().__init__(a, b, names)
        self.of: tuple[Rounds, Rounds] = a["rounds"], b["rounds"]
        totals = [rounds["total"] for rounds in self.of]
        step = max(rounds["bin"] for rounds in self.of)
        self.rounds = [*range(1, min(totals) + 1, step)]
        self.totals = totals
        slack = ROUNDING if self._rounds else 0.0
        self.losses = [
            Both(losses_of(self.of[0], one), losses_of(self.of[1], other), self.rounds, slack)
            for one, other in zip(self.of[0]["losses"], self.of[1]["losses"], strict=False)
        ]
        self.pairs_of_parameters = [
            Pair(
                one["name"],
                {
                    what: Both(
                        figures_of(self.of[0], one, what),
                        figures_of(self.of[1], other, what),
                        self.rounds,
                        slack,
                    )
                    for what in KINDS
                },
            )
            for one, other in self._matched()
        ]

    def _matched(self) -> list[tuple[ParameterFigures, ParameterFigures]]:
        """Parameters of the same name and shape; where no name is in both, those at the same place."""
        one, other = (rounds["parameters"] for rounds in self.of)
        named = {p["name"]: p for p in other}
        if not any(p["name"] in named for p in one):
            named = {p["name"]: q for p, q in zip(one, other, strict=False)}
        return [
            (p, named[p["name"]])
            for p in one
            if p["name"] in named and named[p["name"]]["shape"] == p["shape"]
        ]

    # In words ---------------------------------------------------------------------------------------------------------------------

    @cached_property
    def parted(self) -> list[Pair]:
        """The parameters whose figures differ, those first that part first."""
        found = [pair for pair in self.pairs_of_parameters if pair.first is not None]
        return sorted(found, key=lambda pair: pair.first.round if pair.first else 0)

    @cached_property
    def parting(self) -> Parting | None:
        """Where the losses part."""
        found = [first for both in self.losses if (first := both.first("loss")) is not None]
        return min(found, key=lambda one: one.round, default=None)

    @property
    def sentence(self) -> str:
        """What is to be said at first."""
        a, b = self.names
        found = self.parting
        if found is not None:
            x, y = numbers(*found.sides)
            return f"The losses part in round {found.round:,}: {x} in {a}, {y} in {b}."
        if self.parted:
            return (
                f"The losses of {len(self.rounds):,} rounds are the same, and {self.parted[0].name} differs."
            )
        return f"No figure of the {len(self.rounds):,} rounds differs."

    def reasons(self) -> list[str]:
        """What else is to be said, a sentence each."""
        a, b = self.names
        found: list[str] = []
        starts = [p for p, q in self._matched() if p.get("moved", [0])[0] != q.get("moved", [0])[0]]
        if starts:
            found.append(
                f"They start from other values of {starts[0]['name']}"
                + (f" and {len(starts) - 1} more." if starts[1:] else ".")
            )
        rates = self._rates()
        if rates:
            found.append(rates)
        if self.parted and self.parted[0].first is not None:
            first = self.parted[0].first
            x, y = numbers(*first.sides)
            found.append(
                f"{self.parted[0].name} parts first: its {first.what} in round {first.round:,} is {x} in {a}, {y} in {b}."
            )
        if self.differences and not starts:
            found.append(super().sentence)
        if self.parting is not None:
            x, y = numbers(*(losses_of(of, of["losses"][0]).at(of["total"]) for of in self.of))
            found.append(
                f"At the end the loss is {x} after {self.totals[0]:,} rounds in {a}, {y} after {self.totals[1]:,} in {b}."
            )
        return found

    def _rates(self) -> str:
        """From where on the learning rates differ."""
        changes = sorted({rate["round"] for of in self.of for rate in of.get("rates", ())})
        trainings = [Training(document) for document in self.documents]
        for at in changes:
            x, y = ([number(rate) for rate in training.rates_at(at - 1)] for training in trainings)
            if x != y and x and y:
                return f"The learning rate differs from round {at:,} on: {', '.join(x)} in {self.names[0]}, {', '.join(y)} in {self.names[1]}."
        return ""

    def rows(self) -> list[tuple[str, str, str]]:
        """The losses of some rounds, then where each parameter parts."""
        found: list[tuple[str, str, str]] = []
        for i in self._told():
            x, y = self._losses_at(i)
            found.append((f"round {self.rounds[i]:,}", f"loss {x}", f"loss {y}"))
        for pair in self.parted[:SHOWN]:
            assert pair.first is not None
            x, y = (
                f"{pair.first.what} {side} in round {pair.first.round:,}"
                for side in numbers(*pair.first.sides)
            )
            found.append((pair.name, x, y))
        left = len(self.pairs_of_parameters) - len(self.parted[:SHOWN])
        if left:
            same = left - len(self.parted[SHOWN:])
            word = "the same" if same == left else f"{same} of them the same"
            found.append((f"{left} more", word, word))
        return found

    def _told(self) -> list[int]:
        """The positions of the rounds whose losses are told: the first, that in which they part, the last, and some between."""
        end = len(self.rounds)
        found = {0, end - 1, *[end * k // LOSSES for k in range(1, LOSSES)]}
        if self.parting is not None:
            found.add(self.rounds.index(self.parting.round))
        return sorted(found)

    def _losses_at(self, place: int) -> tuple[str, str]:
        """The losses of both in a round."""
        found = [both.at(place) for both in self.losses] or [("none", "none")]
        return " and ".join([one for one, _ in found]), " and ".join([other for _, other in found])

    # As a picture -----------------------------------------------------------------------------------------------------------------

    def scene(self, live: bool = False) -> dict[str, Any]:
        """The chart, then the rows."""
        chart = Overlay(self)
        items: list[Item] = [group(chart.items)]
        columns = [16.0, WIDTH * 0.3, WIDTH * 0.65]
        places = {f"round {shown:,}": place + 1 for place, shown in enumerate(self._places())}
        y = chart.bottom
        for row in [("", *self.names), *self.rows()]:
            c = "title" if not row[0] else "plain"
            k = [f"p{places[row[0]]}"] if row[0] in places else []
            cells = [text(x, y + 17, clip_name(said, 32), c) for x, said in zip(columns, row, strict=True)]
            items.append(group(cells, k))
            y += 22
        return {
            "view": "compare", "title": f"{self.names[0]} and {self.names[1]} over each other", "width": WIDTH, "height": y + 8,
            "caption": " ".join([self.sentence, *self.reasons()]), "items": items,
            "table": {"columns": ["", *self.names], "rows": [list(row) for row in self.rows()]},
        }  # fmt: skip

    def _places(self) -> list[int]:
        """The rounds to which the slider goes."""
        by = -(-len(self.rounds) // PLACES)
        first = [] if self.parting is None else [self.parting.round]
        return sorted({*self.rounds[::by], self.rounds[-1], *first})

    def document(self) -> dict[str, Any]:
        """The document of the live view: its steps are rounds."""
        found = super().document()
        places = self._places()
        trainings = [Training(document) for document in self.documents]
        parted = 0 if self.parting is None else self.parting.round
        steps = []
        for shown in places:
            x, y = self._losses_at(self.rounds.index(shown))
            said = f"Round {shown:,}: loss {x} in {self.names[0]}, {y} in {self.names[1]}."
            steps.append(
                {
                    "kind": "difference" if shown == parted else "op",
                    "line": None,
                    "op": None,
                    "span": None,
                    "text": said,
                }
            )
        found["steps"] = steps
        found["compared"] |= {
            "cursors": [[0, *(training.cursor_of(shown - 1) for shown in places)] for training in trainings],
            "rounds": [0, *(shown - 1 for shown in places)],
        }
        return found

    def _said(self) -> Any:
        said = super()._said()
        return said | {
            "headline": [{"kind": "text", "text": self.sentence}],
            "more": [{"kind": "text", "text": " ".join(self.reasons())}],
        }

    @property
    def opens(self) -> int:
        """The place of the slider at first: the round in which the losses part, or the end."""
        places = self._places()
        return len(places) if self.parting is None else places.index(self.parting.round) + 1
