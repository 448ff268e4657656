"""The training view: the loss, and of each parameter its gradients and updates, by round.

The loss, the heat map of gradients and the curves of update / weight share one axis of rounds. One round is marked in all of them: that of the
cursor, or one that the reader has chosen. Its figures are in the table below, next to what stands out in the whole run.
"""

from __future__ import annotations

from jgrad.tracing.document.bfloat16 import NONE, figure
from jgrad.tracing.document.curves import FAST, Line, Row, Training, brief_number
from jgrad.tracing.document.numbers import number
from jgrad.tracing.document.schema import Noticed
from jgrad.views.scene import (
    Frame,
    Item,
    Scene,
    clip,
    clip_name,
    columns_of,
    dot,
    finished,
    labelled,
    note_width,
    path,
    plural,
    points,
    rect,
    text,
    width,
    wrap,
)
from jgrad.views.training_chart import DEEPEST, INSET, PITCH, TOP, Chart, Plan, description, height_of

COLUMNS = ["parameter", "gradient", "update", "weight", "update / weight"]
CHARTS = 4  # drawings that are kept: of some widths, and with other rows opened
RATES = 3  # learning rates that are written
CHANGES = 8  # of a learning rate, that are marked
SHOWN = 12  # rows of the table below
SEVERITIES = {"info": "muted", "warning": "write", "error": "error"}
TWO = 760  # from this width on, table and hints stand side by side


def scene(f: Frame, choice: int | None = None) -> Scene:
    """The scene of the training view at a frame, or at a round of the reader's choice, counted from 0."""
    training = f.index.training
    items: list[Item] = []
    rows: list[list[str]] = []
    if training is None:
        items.append(text(16, 24, "fewer than four rounds so far", "note muted"))
        return finished("training", "Training", f, 40, items, {"columns": ["parameter"], "rows": rows})
    at = training.round_of(f.cursor) if choice is None else min(max(choice, 0), training.total - 1)
    lines = training.shown(f.toggled)
    plan = Plan(f.width, training, lines)
    chart = _chart(f, training, plan, lines)
    items.extend(chart.items)
    _ratios(training, plan, lines, at, chart.heat, items)
    _moments(training, plan, at, chart.rows, items)
    _brush(training, plan, at, chart.rows, items)
    found = training.rounds.get("noticed", [])
    y = _below(f, training, lines, at, chart.bottom + 12, items)
    rows = [[line["row"].name, *_figures(line["row"], at)] for line in lines]
    made = finished("training", "Training", f, y + 8, items, {"columns": COLUMNS, "rows": rows})
    made["caption"] = f"round {at + 1:,} of {training.total:,}{_loss_text(training, at)}"
    made["notes"] = [hint["text"] for hint in found]
    made["axis"] = {
        "x": plan.x,
        "w": plan.w,
        "y": TOP - 26,
        "h": chart.rows - TOP + 34,
        "total": training.total,
        "at": at,
        "cursor": training.cursor_of(at),
    }
    return made


def _chart(f: Frame, training: Training, plan: Plan, lines: list[Line]) -> Chart:
    """What is the same in each round. It is drawn once."""
    key = ",".join([str(int(f.width)), *[line["row"].key for line in lines if line["opened"]]])
    chart: Chart | None = training.charts.get(key)
    if chart is None:
        chart = Chart(training, plan, lines)
        if len(training.charts) >= CHARTS:
            training.charts = {}
        training.charts[key] = chart
    return chart


# What moves with the round ----------------------------------------------------------------------------------------------------------


def _ratios(training: Training, plan: Plan, lines: list[Line], at: int, y: float, items: list[Item]) -> None:
    """Draw update / weight of the round: a dot on each curve, and a number."""
    for line in lines:
        row = line["row"]
        if row.idle and plan.spark:
            items.append(text(plan.numbers + 56, y + 14, "no optimizer", "note muted", a="end"))
            y += PITCH
            continue
        ratio = row.ratio_at(at)
        if plan.spark and ratio > 0:
            x = plan.curve + plan.spark * (at + 0.5) / training.total
            items.append(path(dot(x, height_of(ratio, y), 2.5), "dot"))
        c = "note write" if ratio > FAST else "note"
        said = f"update / weight of {row.name} in round {at + 1:,}"
        items.append(labelled(text(plan.numbers + 56, y + 14, brief_number(ratio), c, a="end"), said))
        y += PITCH


def _moments(training: Training, plan: Plan, at: int, bottom: float, items: list[Item]) -> None:
    """Mark rounds in which something happened for the first time, or a learning rate changed."""
    words = {"gradient-jump": "jump", "other-parameters": "others", "gradient-zero": "all 0"}
    taken = [_flag(plan, at)]
    marks: list[tuple[int, str, str]] = []
    changes = training.rate_changes()
    # A rate that changes in each round has no moments: the text of the round has it.
    for at_round in changes if len(changes) <= CHANGES else []:
        rates = " and ".join([number(x) for x in training.rates_at(at_round)[:RATES]])
        marks.append(
            (at_round, f"rate {rates}", f"round {at_round + 1:,}: the learning rate is {rates} from here on")
        )
    for remarkable in training.rounds["remarkable"]:
        said = words.get(remarkable["what"])
        if said is not None:
            marks.append((remarkable["round"] - 1, said, _why(remarkable["what"], remarkable["round"])))
    for at_round, said, label in marks:
        x = plan.at(at_round + 0.5)
        items.append(path(points("M", x, TOP - 4, "V", bottom), "rule cut muted"))
        left = min(max(x - note_width(said) / 2, plan.x), plan.x + plan.w - note_width(said))
        if all([left > b + 6 or left + note_width(said) < a - 6 for a, b in taken]):
            items.append(labelled(text(left, TOP - 10, said, "note muted"), label))
            taken.append((left, left + note_width(said)))


def _why(what: str, number: int) -> str:
    if what == "gradient-jump":
        return f"round {number:,}: the gradients became 100 times as large as was usual before"
    if what == "gradient-zero":
        return f"round {number:,}: all gradients are 0 for the first time"
    return f"round {number:,}: other parameters than before have a gradient"


def _flag(plan: Plan, at: int) -> tuple[float, float]:
    """From where to where the flag of the brush reaches."""
    w = note_width(f"round {at + 1:,}") + 12
    x = min(max(plan.at(at + 0.5) - w / 2, plan.x), plan.x + plan.w - w)
    return x, x + w


def _brush(training: Training, plan: Plan, at: int, bottom: float, items: list[Item]) -> None:
    """Mark the round in all drawings."""
    a, b = plan.at(at), plan.at(at + 1)
    if b - a < 5:
        a, b = (a + b) / 2 - 2.5, (a + b) / 2 + 2.5
    left, right = _flag(plan, at)
    items.append(rect(a, TOP - 6, b - a, bottom - TOP + 8, "brush"))
    items.append(rect(left, TOP - 26, right - left, 20, "flag"))
    items.append(text((left + right) / 2, TOP - 12, f"round {at + 1:,}", "note onflag", a="middle"))


# The round and what to look at ------------------------------------------------------------------------------------------------------


def _figures(row: Row, at: int) -> list[str]:
    return [
        brief_number(x) for x in (row.gradient_at(at), row.update_at(at), row.value_at(at), row.ratio_at(at))
    ]


def _loss_text(training: Training, at: int) -> str:
    found = [curve.at(at) for curve in training.losses]
    said = [brief_number(figure(code)) for code in found if code != NONE]
    text = f", loss {' and '.join(said)}" if said else ""
    rates = training.rates_at(at)
    return text + (
        f", rate {' and '.join([number(x) for x in rates])}" if rates and len(rates) <= RATES else ""
    )


def _below(f: Frame, training: Training, lines: list[Line], at: int, y: float, items: list[Item]) -> float:
    """Draw the table of the round and, beside or below it, what to look at. Returns the y below them."""
    margin = 16.0 if f.width >= 520 else 10.0
    two = f.width >= TWO
    left = f.width * 0.6 if two else f.width
    items.append(path(points("M", margin, y, "H", f.width - margin), "edge muted"))
    found = training.rounds.get("noticed", [])
    table = RoundTable(training, at, margin, left - margin)
    bottom = table.draw_rows(lines, table.draw_head(y + 8, items), items)
    if two:
        return max(bottom, _hints(found, left + 8, f.width - margin, y + 8, items))
    return _hints(found, margin, f.width - margin, bottom + 8, items)


class RoundTable:
    """The figures of a round, between two x."""

    def __init__(self, training: Training, at: int, x: float, right: float) -> None:
        self.figures, self.number, self.left, self.right = training, at, x, right

    def draw_head(self, y: float, items: list[Item]) -> float:
        """Which round it is, its loss, and whether its steps were kept. Returns the y below."""
        training, at, x = self.figures, self.number, self.left
        title = f"Round {at + 1:,}"
        items.append(text(x, y + 16, title, "title"))
        # The caption has all of them.
        loss = clip(_loss_text(training, at)[2:], int((self.right - x - width(title) - 16) / 7.2))
        items.append(text(x + width(title) + 16, y + 16, loss, "note"))
        steps = training.steps_of(at)
        said = "open its steps" if steps is not None else "steps not kept"
        begin = x + width(title) + 16 + (note_width(loss) + 20 if loss else 0)
        if begin + note_width(said) + 16 > self.right:
            begin = x
            y += 24
        if steps is not None:
            k = [f"p{steps[0] + 1}"]
            items.append(rect(begin, y + 1, note_width(said) + 16, 20, "chip open live", k))
            items.append(text(begin + 8, y + 15, said, "note live", k))
        else:
            asked = _asking(training, at)
            items.append(labelled(text(begin, y + 16, said, "note muted"), asked))
            items.append(text(x, y + 34, asked, "note mono muted"))
            y += 18
        return y + 40

    def draw_rows(self, lines: list[Line], y: float, items: list[Item]) -> float:
        """A row for each parameter. Returns the y below."""
        training, x, right = self.figures, self.left, self.right
        columns = ["gradient", "update", "weight", "upd / weight"]
        wide = max(min((right - x) * 0.6 / 4, 92.0), 62.0)
        ends = [
            right - wide * (3 - i) - (0 if i == 3 else max(note_width(columns[3]) - wide + 10, 0.0))
            for i in range(4)
        ]
        space = int((ends[0] - note_width(columns[0]) - x) / 7.2) - 1
        head = "in " + clip_name(training.stem, min(space - 3, 14)) if training.stem else "parameter"
        if columns_of(head) <= space:
            items.append(text(x, y, head, "note muted"))
        for i, name in enumerate(columns):
            items.append(text(ends[i], y, name, "note muted", a="end"))
        room = max(int((ends[0] - 62 - x) / 7.8), 6)
        for line in lines[:SHOWN]:
            y += PITCH
            self._row(line, y, room, ends, items)
        if len(lines) > SHOWN:
            y += PITCH
            items.append(text(x, y, f"… {plural(len(lines) - SHOWN, 'more row')}", "note muted"))
        return y + 12

    def _row(self, line: Line, y: float, room: int, ends: list[float], items: list[Item]) -> None:
        row, depth = line["row"], min(line["depth"], DEEPEST)
        k = [f"t{t}" for t in row.tensors[:1]] if row.count == 1 else []
        name = clip_name(row.label, max(room - depth, 6))
        named = text(self.left + depth * INSET, y, name, "muted" if row.others else "leaf", k)
        items.append(labelled(named, description(row)))
        for i, s in enumerate(_figures(row, self.number)):
            fast = i == 3 and row.ratio_at(self.number) > FAST
            c = "write" if fast else "error" if s in ("nan", "inf") else "mono"
            items.append(text(ends[i], y, s, "note " + c, a="end"))


def _asking(training: Training, at: int) -> str:
    last = min(at + 2, training.total)
    return f"%%trace --rounds {max(at, 1)}:{last} keeps them"


def _hints(found: list[Noticed], x: float, right: float, y: float, items: list[Item]) -> float:
    """Draw what stands out, sentence by sentence."""
    items.append(text(x, y + 16, "What to look at", "title"))
    y += 26
    for hint in found:
        lines = wrap(hint["text"], int((right - x - 14) / 7.2))
        items.append(rect(x, y, 3, 16 * len(lines) + 4, "end " + SEVERITIES[hint["severity"]]))
        for line in lines:
            y += 16
            items.append(text(x + 12, y - 2, line, "note said"))
        y += 12
    return y
