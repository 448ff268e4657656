"""The timeline: the source, and below or beside each line its steps as small lettered squares.

Where there is room, it is the slim column at the left of the other views. A loop folds: its first iteration, that of the cursor and the last are
drawn, and those of which a note speaks; the rest is one square, "× 98". While the cursor is in a function of another cell or file, the lines of
that function stand below the line that called it.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.loops import Unit, folded
from jgrad.tracing.document.schema import Call, Step, TraceDocument
from jgrad.views.scene import (
    CHAR,
    NOTE_CHAR,
    Frame,
    Item,
    Scene,
    clip,
    columns_of,
    cut,
    finished,
    group,
    legend,
    path,
    plural,
    points,
    rect,
    text,
    width,
    window,
    wrap,
)

LINES = 24  # at most so many source lines are drawn
WITHIN = 10  # at most so many lines of a function of another cell or file
SQUARES = 200  # at most so many squares are drawn, and
NAMED = 40  # so many more of steps that notes name
ROW = 22  # height of a line
MORE = 17  # from line to line of code that is wrapped
CELL = 16  # width and height of a step
GAP = 3  # from square to square
APART = 10  # from square to square where steps in between are on other lines
LEFT = 34  # where the source begins
BESIDE = 560  # from this width on, squares stand beside their line, else below it
FOLD = 44  # width of folded iterations
COLUMNS = ["", "step", "line", "kind", "what happened"]
MANY = 22  # squares below a line of the slim column
CHIPS = 24  # squares beside a line that are wanted, if there are so many

# By kind of step: its letter, the class of its colour, its words.
KINDS = {
    "create": ("+", "leaf", "new tensor"),
    "op": ("=", "intermediate", "operation"),
    "view": ("v", "alias", "view"),
    "write": ("w", "write", "in-place write"),
    "backward": ("B", "gradient", "backward begins"),
    "node": ("n", "gradient", "backward node"),
    "accumulate": ("Σ", "gradient", "added to .grad"),
    "grad": ("g", "gradient", ".grad assigned"),
    "error": ("!", "error", "error"),
    "gap": ("…", "muted", "not kept"),
}
# Shorter words, for the legend of a slim column.
SHORT = {
    "create": "new",
    "write": "write",
    "backward": "backward",
    "node": "node",
    "accumulate": "to .grad",
    "grad": ".grad set",
}


class Place(TypedDict):
    """A line of code that is drawn."""

    key: str
    """Which line: "l3", or "c7" for the line of a call of a function elsewhere."""
    number: int
    """Its number."""
    code: str
    """What is written there."""
    within: str
    """For the first line of a function of another cell or file: what and where that is."""
    inner: bool
    """Whether it is in such a function."""


def scene(f: Frame) -> Scene:
    """The scene of the timeline at a frame."""
    document, cursor = f.document, f.cursor
    steps = document["steps"]
    items: list[Item] = []
    table: list[list[str]] = []
    here = f.step["line"] if f.step is not None else None
    first, last = window(len(document["source"]), (here or 1) - 1, LINES)
    frame = _frame(f)
    places = _places(f, first, last, frame)
    units, before, after = _window(f)
    # Of a fold, one iteration is enough.
    drawn = [s for a, b, loop in units for s in steps[a : a + loop["period"] if loop else b]]
    outside = any(s["line"] is None for s in drawn)
    if outside:
        places.append(
            {"key": "", "number": 0, "code": "elsewhere, in other files", "within": "", "inner": False}
        )
    found = _by_place(f, units, places, frame, table)
    y = 4.0
    if first > 0:
        items.append(text(LEFT, y + 14, f"… {plural(first, 'line')} above", "note muted"))
        y += 20
    if before:
        items.append(text(LEFT, y + 14, f"… {plural(before, 'step')} before", "note muted"))
        y += 20
    longest = max([columns_of(p["code"]) for p in places] + [8])
    beside = f.width >= BESIDE
    at = (
        LEFT + 12 + CHAR * min(longest, max(int((f.width - LEFT) / CHAR) - CHIPS * 2, 24)) if beside else LEFT
    )
    listing = Listing(f, at, items)
    for place in places:
        y = listing.put(place, found.get(place["key"], []), y)
    if last < len(document["source"]):
        items.append(
            text(LEFT, y + 14, f"… {plural(len(document['source']) - last, 'line')} below", "note muted")
        )
        y += 20
    if after:
        items.append(text(LEFT, y + 14, f"… {plural(after, 'step')} after", "note muted"))
        y += 20
    y = _legend(f, drawn, y + 6, items)
    if document["truncated"]:
        kept = f"{document['truncated']['kept_steps']:,} of at least {document['truncated']['seen_steps']:,} steps were kept"
        for line in wrap(kept, int((f.width - 20) / NOTE_CHAR)):
            items.append(text(10, y + 14, line, "note muted"))
            y += 18
        y += 2
    reached = [n for n in document["notes"] if n["step"] < cursor]
    table.extend(
        [["!", "", ", ".join([str(line) for line in n["lines"]]), n["severity"], n["text"]] for n in reached]
    )
    return finished("timeline", "Timeline", f, y + 6, items, {"columns": COLUMNS, "rows": table})


def _frame(f: Frame) -> Call | None:
    """The innermost call of a function of another cell or file in which the step at the cursor ran."""
    number = None if f.step is None else f.step.get("call")
    call = None if number is None else f.document["calls"][number]
    return call if call is not None and call["source"] is not None else None


def _same(a: Call, b: Call) -> bool:
    """Whether two places are in one function that was called at one place."""
    return a["source"] == b["source"] and a["function"] == b["function"] and a["caller"] == b["caller"]


def _places(f: Frame, first: int, last: int, frame: Call | None) -> list[Place]:
    """The lines of the cell, and those of the function in which the cursor is."""
    here = f.step["line"] if f.step is not None else None
    found: list[Place] = []
    for i in range(first, last):
        line = f.document["source"][i]
        found.append(
            {"key": f"l{i + 1}", "number": i + 1, "code": line.rstrip(), "within": "", "inner": False}
        )
        if i + 1 == here and frame is not None:
            found.extend(_inner(f, frame))
    return found


def _inner(f: Frame, frame: Call) -> list[Place]:
    """The lines of a function of another cell or file."""
    numbers = [c["line"] for c in f.document["calls"] if _same(c, frame)]
    excerpt = f.document["sources"][frame["source"] or 0]
    name = frame["function"].split(".")[-1]
    where = f"{name}, {excerpt['name']}"
    shown: list[int] = sorted(set(numbers))
    if excerpt["lines"]:
        # The function's own lines, as far as it ran, with the blank ones and comments between.
        low, high = max(min(numbers) - 1, excerpt["first"]), max(numbers)
        begin, end = window(high + 1 - low, frame["line"] - low, WITHIN)
        shown = list(range(low + begin, low + end))
    found: list[Place] = []
    for n in shown:
        at = n - excerpt["first"]
        code = excerpt["lines"][at].rstrip() if 0 <= at < len(excerpt["lines"]) else ""
        within = "" if found else where
        found.append({"key": f"c{n}", "number": n, "code": code, "within": within, "inner": True})
    return found


class Listing:
    """The source, with the squares of its steps from x = `at` on. In the slim column, `at` is where the source begins."""

    def __init__(self, f: Frame, at: float, items: list[Item]) -> None:
        self.f, self.at, self.paper = f, at, items
        self.culprits, self.noted = _culprits(f.document), _noted(f.document, f.cursor)

    def put(self, place: Place, units: list[Unit], y: float) -> float:
        """Draw a line and its squares, and return the y below them."""
        f, at, number, inner = self.f, self.at, place["number"], place["inner"]
        x = LEFT + (10 if inner else 0)
        row: list[Item] = []
        if place["within"]:
            where = clip(place["within"], int((f.width - x) / 7.2))
            self.paper.append(text(x, y + 14, where, "note muted"))
            y += 18
        room = int(((at - 8 if at > LEFT else f.width - 4) - x) / CHAR)
        code = [clip(place["code"], room)] if at > LEFT else _wrapped(place["code"], room)
        more = (len(code) - 1) * MORE
        # In the slim column the squares stand at the right end of the line if both fit, else below it.
        free = f.width - 4 - _reach(units)
        beside = at > LEFT or (len(code) == 1 and x + width(code[0]) + CHAR <= free)
        shown = self._shown(units)
        begin = max(at, x) if at > LEFT or not beside else free
        squares, below = _squares(f, shown, begin, y + more, beside)
        low = y + more + ROW if beside else y + more + ROW + (below - y - more if shown else 0)
        bottom = max(low, below + 2 if shown and beside else low) + (2 if shown else 0)
        if len(shown) < len(units):
            hidden = f"… {len(units) - len(shown):,} more here"
            self.paper.append(text(x, bottom + 12, hidden, "note muted"))
            bottom += 18
        here = _is_here(f, place)
        if here:
            row.append(rect(0, y, f.width, bottom - y, "band now"))
        own = number and not inner
        c = self.culprits.get(number, "") if own else ""
        if c:
            row.append(rect(0, y, 3, bottom - y, f"end {c}"))
        if inner:
            row.append(path(points("M", LEFT + 4, y, "V", bottom), "edge rule muted"))
        if number:
            mark = c or ("" if inner else self.noted.get(number, ""))
            row.append(text(x - 9, y + 15, str(number), f"title {mark}" if mark else "muted", a="end"))
        style = "mono now" if here else "mono" if number else "note muted"
        row.extend([text(x, y + 15 + i * MORE, code[i], style) for i in range(len(code)) if code[i].strip()])
        row.extend(squares)
        counts = f.index.line_counts.get(number, 0)
        said = f"line {number}: {place['code'].strip()}, {plural(counts, 'step') if counts else 'no step'}"
        label = said if own else place["code"].strip() or "line"
        self.paper.append(group(row, [f"l{number}"] if own else [], label))
        return bottom

    def _shown(self, units: list[Unit]) -> list[Unit]:
        """The squares of a line that are drawn: in the slim column those around the cursor, and those that notes name."""
        f = self.f
        if f.width >= BESIDE or len(units) <= MANY:
            return units
        first, last = window(len(units), len([1 for unit in units if unit[1] < f.cursor]), MANY)
        named = {note["step"] for note in f.document["notes"]}
        return [units[i] for i in range(len(units)) if first <= i < last or units[i][0] in named]


def _wrapped(code: str, room: int) -> list[str]:
    """A line of code in at most three lines of so many columns."""
    inner = code.strip()
    depth = min(len(code) - len(code.lstrip()), int(room / 3))
    if depth + columns_of(inner) <= room:
        return [code.rstrip()]
    found: list[str] = []
    while inner and len(found) < 3:
        indent = depth + (2 if found else 0)
        part = clip(inner, room - indent) if len(found) == 2 else _part(inner, room - indent)
        found.append(" " * indent + part)
        inner = inner[len(part) :].lstrip()
    return found


def _part(code: str, room: int) -> str:
    """As much of some code as fits, up to a place where it may be broken: a space if the rest then fits into a line, a comma, an opening
    bracket, or the dot of a method."""
    most = cut(code, room)
    if most == code:
        return most
    for i in range(len(most), int(room / 4), -1):
        if code[i - 1] == " " and columns_of(code) - i <= room:
            return most[:i].rstrip()
    for i in range(len(most), int(room / 2), -1):
        if code[i - 1] in " ,([{" or code[i - 1 : i + 1] in (").", "]."):
            return most[:i].rstrip()
    return most


def _is_here(f: Frame, place: Place) -> bool:
    """Whether the step at the cursor ran at a line."""
    if f.step is None or not place["number"]:
        return False
    frame = _frame(f)
    if place["inner"]:
        return frame is not None and frame["line"] == place["number"]
    return frame is None and f.step["line"] == place["number"]


def _reach(units: list[Unit]) -> float:
    """The width of the squares of a line, in one row."""
    wide = 0.0
    before = -1
    for a, b, loop in units:
        wide += (FOLD if loop else CELL) + (0 if before < 0 else GAP if before == a else APART)
        before = b
    return wide


def _squares(f: Frame, units: list[Unit], at: float, y: float, beside: bool) -> tuple[list[Item], float]:
    """The squares of a line, in rows from x = `at` on, and the y below them. The first row is beside the line at `y`, or else below it."""
    found: list[Item] = []
    x, top = at, y + 3 if beside else y + ROW - 1
    before = -1
    for unit in units:
        a, b, loop = unit
        wide = FOLD if loop else CELL
        x += 0 if before < 0 else GAP if before == a else APART
        if x + wide > f.width - 4 and x > at:
            x, top = at, top + CELL + GAP
        found.append(_square(f, unit, x, top))
        x += wide
        before = b
    return found, top + CELL + (4 if beside else 4 - ROW)


def _square(f: Frame, unit: Unit, x: float, y: float) -> Item:
    """A step, or folded iterations."""
    a, b, loop = unit
    one = f.document["steps"][a : a + loop["period"] if loop else b]
    k = [f"p{a + 1}"] + [f"l{n}" for n in sorted({s["line"] for s in one if s["line"] is not None})]
    state = " now" if b == f.cursor else " later" if b > f.cursor else ""
    wide = CELL
    if loop:
        many = (b - a) // loop["period"]
        letter, c, wide = f"× {many:,}", "muted", FOLD
        said = f"{many:,} more of {loop['times']:,} iterations, {plural(loop['period'], 'step')} each"
        label = f"{said}: steps {a + 1:,} to {b:,}"
    else:
        letter, c, words = KINDS[one[0]["kind"]]
        label = f"step {a + 1:,}, {words}: {one[0]['text']}"
        k.extend(_keys(one[0]))
    return group(
        [
            rect(x + 0.5, y + 0.5, wide - 1, CELL - 1, f"box step {c}{state}"),
            text(x + wide / 2, y + 12.5, clip(letter, 7), c + state, a="middle"),
        ],
        k,
        label,
    )


def _by_place(
    f: Frame, units: list[Unit], places: list[Place], frame: Call | None, table: list[list[str]]
) -> dict[str, list[Unit]]:
    """By line that is drawn, its steps and folds. A fold is at the first of its lines. What is drawn goes into the table, too."""
    known = {p["key"] for p in places}
    found: dict[str, list[Unit]] = {}
    for a, b, loop in units:
        one = f.document["steps"][a : a + loop["period"] if loop else b]
        key = ""
        for step in one:
            own = _key_of(f, step, frame)
            if own in known:
                key = own
                break
        if key in known:
            found.setdefault(key, []).append((a, b, loop))
        lines = sorted({s["line"] for s in one if s["line"] is not None})
        line = "" if not lines else str(lines[0]) + (f" to {lines[-1]}" if len(lines) > 1 else "")
        if loop:
            many = (b - a) // loop["period"]
            said = f"{many:,} more of {loop['times']:,} iterations, {plural(loop['period'], 'step')} each"
            table.append([">" if b == f.cursor else "", f"{a + 1:,} to {b:,}", line, "loop", said])
        else:
            words = KINDS[one[0]["kind"]][2]
            table.append([">" if b == f.cursor else "", f"{a + 1:,}", line, words, _sentence(one[0])])
    return found


def _key_of(f: Frame, step: Step, frame: Call | None) -> str:
    """The line at which a step is drawn."""
    number = step.get("call")
    call = None if number is None else f.document["calls"][number]
    if frame is not None and call is not None and _same(call, frame):
        return f"c{call['line']}"
    return "" if step["line"] is None else f"l{step['line']}"


def _window(f: Frame) -> tuple[list[Unit], int, int]:
    """The steps that are drawn, as units, and how many before and after the window of the cursor are not. A step that a note names is drawn wherever it
    is."""
    total = len(f.document["steps"])
    named = {note["step"] for note in f.document["notes"][:NAMED]}
    units = folded(f.index.loops, 0, total, [f.cursor - 1, *[n["step"] for n in f.document["notes"]]], True)
    focus = len([1 for unit in units if unit[1] < f.cursor])
    begin, end = window(len(units), focus, SQUARES)
    drawn: list[Unit] = []
    hidden = [0, 0]
    for i in range(len(units)):
        first, last, _ = units[i]
        if begin <= i < end or first in named:
            drawn.append(units[i])
        else:
            hidden[0 if i < begin else 1] += last - first
    return drawn, hidden[0], hidden[1]


def _culprits(document: TraceDocument) -> dict[int, str]:
    """The lines that the headline names, with the class of its severity."""
    said = document.get("diagnosis")
    if said is None or not said["code"]:
        return {}
    c = {"error": "error", "warning": "write", "info": "intermediate"}[said["severity"]]
    found: dict[int, str] = {}
    for part in said["headline"]:
        if part.get("line"):
            found[part["line"]] = c
    return found


def _sentence(step: Step) -> str:
    """The sentence of a step without its line, which is in a column of its own."""
    prefix = f"line {step['line']}: "
    return step["text"][len(prefix) :] if step["text"].startswith(prefix) else step["text"]


def _noted(document: TraceDocument, cursor: int) -> dict[int, str]:
    """By line, the class of the worst of the notes up to the cursor."""
    found: dict[int, str] = {}
    for note in document["notes"]:
        if note["step"] < cursor and note["severity"] != "info":
            for n in note["lines"]:
                if found.get(n) != "error":
                    found[n] = "error" if note["severity"] == "error" else "write"
    return found


def _keys(step: Step) -> list[str]:
    """The link keys of what a step made or wrote to."""
    keys = [f"t{t}" for t in step.get("makes", [])]
    keys.extend([f"t{w['tensor']}" for w in step.get("writes", [])])
    if step.get("node") is not None:
        keys.append(f"n{step['node']}")
    return keys[:8]


def _legend(f: Frame, steps: list[Step], y: float, items: list[Item]) -> float:
    """The letters that occur, with their meanings. In a slim column these are short, so that the lines above have its height."""
    occurring = {s["kind"] for s in steps}
    slim = f.width < BESIDE
    kinds = [
        (f"box step {c}", SHORT.get(kind, words) if slim else words, kind in occurring, letter)
        for kind, (letter, c, words) in KINDS.items()
    ]
    return legend([*kinds, ("×", "× 9: 9 more" if slim else "× 9: 9 more iterations")], y, items, f.width)
