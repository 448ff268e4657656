"""The part of the training view that is the same in each round: losses, heat map, the curves of update / weight, the axis and the key."""

from __future__ import annotations

import math

from jgrad.tracing.document.bfloat16 import INFINITE, figure
from jgrad.tracing.document.curves import MISSING, RATE, UNREAD, VANISHED, Curve, Line, Row, Training
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import Vanished
from jgrad.views.scene import (
    Item,
    clip_name,
    group,
    hatched,
    labelled,
    note_width,
    path,
    points,
    rect,
    text,
    width,
)

COLUMNS = 240  # of the heat map, at most
LABEL = 16  # columns of a parameter's name at most
INSET = 8  # how far the rows of an opened module are indented
DEEPEST = 3  # from this depth on they are not indented further
PITCH = 20  # height of a row
TOP = 40  # where the losses begin
LOSS = 76  # height of the plot of losses
CELL = 2  # the least width of a column
FLAT = 0.02  # losses that differ by less, relative to themselves, are drawn as a flat line
UNKNOWN = "no figures"  # of a parameter that was not looked at
SHADES = 10
DECADES = 12  # that the shades stand for, at most
ABOVE = 6  # of them above the usual gradient
LOSSES = 12  # places of backward calls whose losses are drawn
NAME = 15  # height of a loss's name


class Plan:
    """Where things are: the axis of rounds from `x` to `x + w`, and the curves of update / weight at its right, if there is room for them."""

    def __init__(self, wide: float, training: Training, lines: list[Line]) -> None:
        self.margin = 16 if wide >= 520 else 10
        self.log = "log scale" if wide >= 520 else "log"
        least = note_width(self.log) + note_width("1e-10") + 2
        # Names begin behind the signs of rows that can be opened.
        self.indent = 16 if any([line["row"].key for line in lines]) else 0
        shown = max([self.inset(line) + width(self.name(line)) for line in lines] + [least])
        self.x = math.ceil(self.margin + shown + 10)
        self.spark = 100 if wide >= 700 else 64 if wide >= 520 else 0
        self.numbers = wide - self.margin - 56  # where the numbers of the last column begin
        self.curve = self.numbers - 8 - self.spark
        self.w = math.floor(self.curve - 16 - self.x if self.spark else self.numbers - 10 - self.x)
        self.total = training.total
        self.count = max(min(training.total, COLUMNS, self.w // CELL), 1)

    def inset(self, line: Line) -> float:
        """How far from the margin the name of a row begins."""
        return self.indent + INSET * min(line["depth"], DEEPEST)

    def name(self, line: Line) -> str:
        """The name of a row, cut to what there is room for."""
        return clip_name(line["row"].label, LABEL - 1 - min(line["depth"], DEEPEST) if self.indent else LABEL)

    def at(self, number: float) -> float:
        """Where a round begins."""
        return self.x + self.w * number / self.total

    def column(self, c: int) -> int:
        """Where a column begins: at a whole pixel, so that cells have sharp edges."""
        return self.x + self.w * c // self.count


class Chart:
    """The drawing, and where its parts are: the heat map from `heat` to `rows`, all above `bottom`."""

    def __init__(self, training: Training, plan: Plan, lines: list[Line]) -> None:
        self.items: list[Item] = []
        grid = _gradients(training, lines, plan.count)
        self.heat = draw_losses(training, plan, TOP, self.items) + 36
        self.rows = _heat(training, plan, lines, grid, self.heat, self.items)
        y = draw_axis(training, plan, self.rows, self.items)
        self.bottom = _key(training, plan, grid, y, self.items)


def _gradients(training: Training, lines: list[Line], count: int) -> list[list[float]]:
    """The gradients of each row, in so many columns."""
    ends = [c * training.total // count for c in range(count + 1)]
    return [[line["row"].gradient(ends[c], ends[c + 1]) for c in range(count)] for line in lines]


def runs_of(marks: list[bool]) -> list[tuple[int, int]]:
    """Where marks follow each other: from the first to before the end."""
    found: list[tuple[int, int]] = []
    begin = 0
    for i in range(len(marks) + 1):
        if i == len(marks) or not marks[i]:
            if i > begin:
                found.append((begin, i))
            begin = i + 1
    return found


# Losses -----------------------------------------------------------------------------------------------------------------------------


class Scale:
    """From figures to heights: of a plot from `y` on, `h` high."""

    def __init__(self, low: float, high: float, y: float, h: float) -> None:
        """The scale is a logarithm if the figures are positive and span a decade and a half."""
        self.log = low > 0 and high > 30 * low
        self.ends = [float(exponential(low, 1)), float(exponential(high, 1))]
        self.low = math.log10(low) if self.log else low
        self.high = math.log10(high) if self.log else high
        size = max(abs(low), abs(high), 1e-30)
        if not self.log and self.high - self.low < FLAT * size:  # figures have two to three digits
            self.low = self.low - FLAT * size
            self.high = self.high + FLAT * size
        self.y = y
        self.h = h

    def at(self, value: float) -> float:
        share = ((math.log10(value) if self.log else value) - self.low) / (self.high - self.low)
        return self.y + self.h * (1 - min(max(share, 0.0), 1.0))

    def ticks(self) -> list[float]:
        """Two to four round numbers within it."""
        if self.log:
            first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
            by = max((last - first) // 3 + (1 if (last - first) % 3 else 0), 1)
            found = [float(f"1e{e}") for e in range(first, last + 1, by)]
            return found if len(found) > 1 else self.ends
        step = float(f"1e{math.floor(math.log10(self.high - self.low))}")
        for part in (0.2, 0.5, 1.0, 2.0, 5.0):
            if (self.high - self.low) / (step * part) <= 4:
                step = step * part
                break
        begin = math.ceil(self.low / step - 1e-9)
        return [step * i for i in range(begin, begin + 6) if step * i <= self.high + step * 1e-9]


def draw_losses(training: Training, plan: Plan, y: float, items: list[Item]) -> float:
    """Draw the losses, and return the y below them."""
    items.append(text(plan.margin, y + 16, "loss", "title"))
    curves = training.losses[:LOSSES]
    high = max(LOSS, NAME * len(curves))
    known: list[float] = []
    for curve in curves:
        for c in range(plan.count):
            codes = _extremes(curve, plan, c)
            known.extend([figure(code) for code in codes if -INFINITE < code < INFINITE])
    right = plan.x + plan.w
    if not known:
        why = "no loss is finite" if curves else "backward() did not begin at a number"
        items.append(text(plan.x + 4, y + 16, why, "note muted"))
    scale = Scale(min(known, default=0.0), max(known, default=1.0), y, high)
    if known:
        if scale.log:
            items.append(text(plan.margin, y + 33, plan.log, "note muted"))
        for tick in scale.ticks():
            ty = scale.at(tick)
            items.append(path(points("M", plan.x, ty, "H", right), "edge muted"))
            items.append(text(plan.x - 6, ty + 4, _tick(tick), "note muted", a="end"))
    ends: list[tuple[float, int]] = []
    for place, curve in enumerate(curves):
        ends.append((min(_loss(training, plan, scale, place, curve, items), y + high - 8), place))
    if len(curves) > 1:
        # Names stand at the ends of their curves, in the order of these. Those that would touch go down, or up if there is no room.
        ends.sort()
        room = y + high + 7 - NAME * len(ends)
        below = y - NAME
        for i, (end, place) in enumerate(ends):
            at = max(min(end, room + NAME * i), below + NAME)
            below = at
            said = ("┅ " if place else "━ ") + clip_name(training.called[place], 16)
            items.append(text(right + 6, at + 4, said, "note " + _loss_class(place).split(" ")[1]))
    bad = [
        any(
            [
                _extremes(curve, plan, c)[1] >= INFINITE or _extremes(curve, plan, c)[0] == -INFINITE
                for curve in curves
            ]
        )
        for c in range(plan.count)
    ]
    for begin, end in runs_of(bad):
        items.append(hatched(plan.column(begin), y, plan.column(end) - plan.column(begin), high))
    items.append(path(points("M", plan.x, y + high, "H", right), "edge muted"))
    return y + high


def _tick(x: float) -> str:
    if x >= 100_000 or (x > 0 and x < 0.001):
        return exponential(x, 0)
    return number(x)


def _extremes(curve: Curve, plan: Plan, c: int) -> tuple[int, int]:
    """The codes of the least and of the largest figure in a column."""
    begin, end = c * plan.total // plan.count, (c + 1) * plan.total // plan.count
    return curve.least(begin, end), curve.largest(begin, end)


def _loss_class(place: int) -> str:
    return "edge intermediate" if place == 0 else "edge alias cut" if place % 2 else "edge saved cut"


def _loss(training: Training, plan: Plan, scale: Scale, place: int, curve: Curve, items: list[Item]) -> float:
    """Draw one curve: in each column the first figure, and behind it from the least to the largest. Returns the y of its end."""
    c = _loss_class(place)[5:]
    line: list[str | float] = []
    spread: list[str | float] = []
    going = False
    end = scale.y
    codes = [curve.at(i * plan.total // plan.count) for i in range(plan.count)]
    for i, code in enumerate(codes):
        x = (plan.column(i) + plan.column(i + 1)) / 2
        least, largest = _extremes(curve, plan, i)
        finite = -INFINITE < code < INFINITE
        if finite:
            end = scale.at(figure(code))
            # A figure has two to three digits, so a slow loss is a stair of equal codes: only where a stair begins is known.
            if not going or i + 1 == plan.count or code != codes[i - 1] or abs(codes[i + 1] - code) > 1:
                line.extend(["L" if going else "M", x, end])
        going = finite
        if -INFINITE < least < largest < INFINITE:
            spread.extend(["M", x, scale.at(figure(least)), "V", scale.at(figure(largest))])
    if spread:
        items.append(
            path(
                points(*spread),
                "edge spread " + c.split(" ")[0],
                label="from least to largest loss",
            )
        )
    if line:
        items.append(path(points(*line), "edge " + c, label=training.called[place]))
    return end


# The heat map -----------------------------------------------------------------------------------------------------------------------


class Shades:
    """How dark a gradient is: in steps from `low` to `high`, which are powers of ten."""

    def __init__(self, grid: list[list[float]]) -> None:
        sizes: list[float] = []
        for found in grid:
            sizes.extend([math.log10(g) for g in found if g > 0 and g - g == 0])
        sizes.sort()
        usual = sizes[len(sizes) // 2] if sizes else 0.0
        least, most = (sizes[0], sizes[-1]) if sizes else (-3.0, 0.0)
        self.high = math.ceil(min(most, usual + ABOVE) - 1e-9)
        self.low = max(math.floor(least + 1e-9), self.high - DECADES)
        self.low = min(self.low, self.high - 3)
        self.more = most > self.high
        self.less = least < self.low

    def level(self, gradient: float) -> int:
        if gradient <= 0:
            return 0
        share = (math.log10(gradient) - self.low) / (self.high - self.low)
        return math.ceil(min(max(share, 0.0), 1.0) * SHADES)


def _heat(
    training: Training, plan: Plan, lines: list[Line], grid: list[list[float]], y: float, items: list[Item]
) -> float:
    """Draw the gradients, a row for each parameter and a column for each round, and return the y below them."""
    shades = Shades(grid)
    cells: list[list[str | float]] = [[] for _ in range(SHADES + 1)]
    lost: list[str | float] = []  # where there is no gradient
    items.append(text(plan.margin, y - 8, "‖grad‖", "title"))
    if plan.spark:
        items.append(text(plan.curve, y - 8, "update / weight", "note muted"))
    else:
        items.append(text(plan.numbers + 56, y - 24, "update", "note muted", a="end"))
        items.append(text(plan.numbers + 56, y - 8, "/ weight", "note muted", a="end"))
    for r, line in enumerate(lines):
        top = y + PITCH * r
        items.append(_label(plan, line, top))
        found = grid[r]
        for begin, end in runs_of([g == UNREAD for g in found]):
            if note_width(UNKNOWN) <= plan.column(end) - plan.column(begin):
                middle = (plan.column(begin) + plan.column(end)) / 2
                items.append(text(middle, top + 14, UNKNOWN, "note muted", a="middle"))
        c = 0
        while c < plan.count:
            begin, g = c, found[c]
            shade = _shade(shades, g)
            while c < plan.count and _shade(shades, found[c]) == shade:
                c += 1
            if shade != 0 and shade <= SHADES:
                target = lost if shade < 0 else cells[shade]
                target.extend(["M", plan.column(begin), top + 9.5, "h", plan.column(c) - plan.column(begin)])
    items.extend([path(points(*cells[n]), f"heat gradient h{n}") for n in range(1, SHADES + 1) if cells[n]])
    if lost:
        items.append(path(points(*lost), "edge cut muted", label="no gradient"))
    _not_finite(plan, grid, y, items)
    bottom = y + PITCH * len(lines)
    items.append(rect(plan.x - 0.5, y - 0.5, plan.w + 1, bottom - y, "outline"))
    for band in training.rounds.get("vanished", []):
        _frame(plan, lines, band, y, items)
    for r, line in enumerate(lines):
        if plan.spark:
            _spark(training, plan, line["row"], y + PITCH * r, items)
    return bottom


def _label(plan: Plan, line: Line, y: float) -> Item:
    """The name of a row, with a sign if it can be opened or closed."""
    row = line["row"]
    keys = [f"t{t}" for t in row.tensors[:1]] if row.count == 1 else []
    name = labelled(
        text(
            plan.margin + plan.inset(line), y + 14, plan.name(line), "muted" if row.others else "leaf", keys
        ),
        "" if row.key else description(row),
    )
    if not row.key:
        return name
    x = plan.margin + plan.inset(line) - plan.indent
    sign = text(x, y + 14, "▾" if line["opened"] else "▸", "plain")
    ground = rect(plan.margin - 4, y, plan.x - plan.margin, PITCH - 1, "band")
    does = "closes" if line["opened"] else "opens"
    return {**group([ground, sign, name], [], f"{description(row)}, Enter {does} it", "row"), "o": row.key}


def _shade(shades: Shades, gradient: float) -> int:
    """The shade of a cell; 0 also where it was not read, -1 where there is no gradient, and one more than all shades where it is not finite."""
    if gradient < 0:
        return -1 if gradient == MISSING else 0
    return SHADES + 1 if gradient - gradient != 0 else shades.level(gradient)


def description(row: Row) -> str:
    if row.count > 1 or row.others:
        return f"{row.name}: {row.count} parameters, the root of the sum of the squares of their norms"
    shape = ", ".join([str(n) for n in row.shape or []])
    return f"{row.name} [{shape}]"


def _not_finite(plan: Plan, grid: list[list[float]], y: float, items: list[Item]) -> None:
    """Hatch the cells that are not finite: rows with the same ones together."""
    first = 0
    before: list[tuple[int, int]] = []
    for r in range(len(grid) + 1):
        now = runs_of([g - g != 0 for g in grid[r]]) if r < len(grid) else []
        if now != before:
            for begin, end in before:
                x = plan.column(begin)
                items.append(hatched(x, y + PITCH * first, plan.column(end) - x, PITCH * (r - first) - 1))
            first, before = r, now


def _frame(plan: Plan, lines: list[Line], band: Vanished, y: float, items: list[Item]) -> None:
    """Frame a band in which gradients have vanished, and name it."""
    gone = band["parameters"]
    framed = [r for r, line in enumerate(lines) if all([i in gone for i in line["row"].places])]
    if not framed:
        return
    x, right = plan.at(band["rounds"][0] - 1), plan.at(band["rounds"][1])
    top, bottom = y + PITCH * framed[0], y + PITCH * (framed[-1] + 1)
    items.append(rect(x + 0.5, top + 0.5, max(right - x - 1, 2), bottom - top - 2, "unused error"))
    least = exponential(VANISHED, 0)
    for said in (
        f"vanished: below {least} of the largest",
        "vanished",
    ):
        if band["zero"]:
            said = "gradient 0"
        if width(said) + 8 <= right - x:
            items.append(text((x + right) / 2, (top + bottom) / 2 + 4, said, "halo title error", a="middle"))
            return


def _spark(training: Training, plan: Plan, row: Row, y: float, items: list[Item]) -> None:
    """Draw update / weight from 1e-9 to 10, with a line at what is usual and a dot at the round."""
    count = min(training.total, plan.spark // (2 * CELL))
    line: list[str | float] = []
    going = False
    for c in range(count):
        begin, end = c * training.total // count, (c + 1) * training.total // count
        share = row.ratio(begin, end)
        if share > 0:
            line.extend(
                ["L" if going else "M", plan.curve + plan.spark * (c + 0.5) / count, height_of(share, y)]
            )
        going = share > 0
    if row.idle:
        return
    usual = height_of(RATE, y)
    items.append(path(points("M", plan.curve, usual, "H", plan.curve + plan.spark), "edge muted"))
    if line:
        items.append(path(points(*line), "rule write", label=f"update / weight of {row.name}"))


def height_of(share: float, y: float) -> float:
    return y + 18 - 16 * (min(max(math.log10(share), -9.0), 1.0) + 9) / 10


# The axis -----------------------------------------------------------------------------------------------------------------------


def draw_axis(training: Training, plan: Plan, y: float, items: list[Item]) -> float:
    """Draw which rounds were kept, and the numbers of rounds."""
    kept = [number - 1 for number, *_ in training.rounds["kept"]]
    begin = 0
    for i in range(len(kept)):
        if i + 1 == len(kept) or kept[i + 1] != kept[i] + 1:
            a = plan.at(kept[begin])
            items.append(
                labelled(
                    rect(a, y + 3, max(plan.at(kept[i] + 1) - a, 1.5), 3, "end alias"),
                    _kept(kept[begin], kept[i]),
                )
            )
            begin = i + 1
    last = -1.0
    for shown in ticks_of(training.total, plan.w):
        s = f"{shown:,}"
        x = min(max(plan.at(shown - 0.5), plan.x + note_width(s) / 2), plan.x + plan.w - note_width(s) / 2)
        if x - note_width(s) / 2 > last + 8:
            items.append(text(x, y + 20, s, "note muted", a="middle"))
            last = x + note_width(s) / 2
    items.append(text(plan.margin, y + 20, "round", "note muted"))
    return y + 26


def _kept(first: int, last: int) -> str:
    if first == last:
        return f"the steps of round {first + 1:,} are in this trace"
    return f"the steps of rounds {first + 1:,} to {last + 1:,} are in this trace"


def ticks_of(total: int, room: float) -> list[int]:
    """The first round, round numbers, and the last one."""
    step = 1
    while total / step > max(room / 90, 2):
        step *= 5 if str(step).startswith("2") else 2
        if str(step).startswith("4"):
            step = step // 4 * 5
    return [1] + [n for n in range(step, total + 1, step) if n > 1 and total - n >= step / 2] + [total]


def _key(training: Training, plan: Plan, grid: list[list[float]], y: float, items: list[Item]) -> float:
    """Draw what the shades and marks mean, and return the y below it."""
    shades = Shades(grid)
    drawn = [_class_of(item) for item in items]
    low, high = (
        ("≤ " if shades.less else "") + _power(shades.low),
        ("≥ " if shades.more else "") + _power(shades.high),
    )
    x = float(plan.margin)
    items.append(text(x, y + 14, low, "note muted"))
    x += note_width(low) + 6
    boxes = [
        path(points("M", x + 8 * n, y + 10, "h", 8), f"heat key gradient h{n}") for n in range(1, SHADES + 1)
    ]
    items.extend(boxes)
    items.append(rect(x, y + 4.5, 8 * (SHADES + 1), 11, "outline"))
    x += 8 * (SHADES + 1) + 6
    items.append(text(x, y + 14, high, "note muted"))
    x += note_width(high) + 24
    entries = [
        ("nan", "nan or infinite"),
        ("edge cut muted", "no gradient"),
        ("end alias", "steps in this trace"),
    ]
    if plan.spark:
        entries.append(("usual", f"usual: {number(RATE)}"))
    for sign, words in entries:
        if not any([s.startswith(sign) for s in drawn]) and sign != "usual":
            continue
        if x + 26 + note_width(words) > plan.numbers + 56:
            x = float(plan.margin)
            y += 20
        if sign == "nan":
            items.append(hatched(x, y + 4.5, 20, 11))
        elif sign == "end alias":
            items.append(rect(x, y + 9, 20, 3, sign))
        else:
            items.append(path(points("M", x, y + 10, "h", 20), "edge muted" if sign == "usual" else sign))
        items.append(text(x + 26, y + 14, words, "note muted"))
        x += 26 + note_width(words) + 20
    return y + 24


def _class_of(item: Item) -> str:
    """The class by which the key knows a mark."""
    if item["t"] != "group":
        return item["c"]
    return "" if item.get("role") == "row" else "nan"


def _power(exponent: int) -> str:
    return number(float(f"1e{exponent}")) if -3 <= exponent <= 4 else f"1e{exponent}"
