"""The timeline: the source, and below or beside each line its steps as small squares, with words if they are few, else with letters.

Where there is room, it is the slim column at the left of the other views. A loop folds: its first iteration, that of the cursor and the last are
drawn, and those of which a note speaks; the rest is one square, "× 98". Below the source of the cell or program, each other cell and file whose
functions ran is a block of its own. A step stands at the innermost of its lines that is drawn.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.loops import Unit, folded
from jgrad.tracing.document.schema import Step, TraceDocument
from jgrad.views.parts import line_within
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
    kept,
    legend,
    plural,
    rect,
    text,
    width,
    window,
    wrap,
)

LINES = 24  # at most so many source lines are drawn
WITHIN = 12  # at most so many lines of another cell or file
FILES = 12  # at most so many other cells and files
SQUARES = 200  # at most so many squares are drawn, and
NAMED = 40  # so many more of steps that notes name
ROW = 22  # height of a line
MORE = 17  # from line to line of code that is wrapped
CELL = 16  # width and height of a step
GAP = 3  # from square to square
APART = 10  # from square to square where steps in between are on other lines
LEFT = 34  # where the source begins
BESIDE = 560  # from this width on, squares stand beside their line, else below it
FEW = 16  # steps of a trace whose squares carry words instead of letters
COLUMNS = ["", "step", "line", "kind", "what happened"]
MANY = 22  # squares below a line of the slim column
CHIPS = 24  # squares beside a line that are wanted, if there are so many

# By kind of step: its letter, the class of its colour, its word.
KINDS = {
    "create": ("+", "leaf", "new"),
    "op": ("=", "intermediate", "operation"),
    "view": ("v", "alias", "view"),
    "write": ("w", "write", "write"),
    "backward": ("B", "gradient", "backward"),
    "node": ("n", "gradient", "node"),
    "accumulate": ("Σ", "gradient", "to .grad"),
    "grad": ("g", "gradient", ".grad set"),
    "mark": ("f", "leaf", "flag set"),
    "error": ("!", "error", "error"),
    "gap": ("…", "muted", "not kept"),
}


class Place(TypedDict):
    """A line of code that is drawn."""

    key: str
    """Which line: "l3", or "s1l7" of source 1."""
    number: int
    """Its number in its cell or file; 0 for what is no line of code."""
    code: str
    """What is written there."""
    file: str
    """For the first line of a block: the name of its cell or file."""


def scene(f: Frame) -> Scene:
    """The scene of the timeline at a frame."""
    document, cursor = f.document, f.cursor
    steps = document["steps"]
    items: list[Item] = []
    table: list[list[str]] = []
    here = f.step["line"] if f.step is not None else None
    first, last = window(len(document["source"]), (here or 1) - 1, LINES)
    units, before, after = _window(f)
    # Of a fold, one iteration is enough.
    drawn = [s for a, b, loop in units for s in steps[a : a + loop["period"] if loop else b]]
    outside = any(s["line"] is None for s in drawn)
    places = [
        *_more(first, "line", "above"),
        *_more(before, "step", "before"),
        *_places(f, first, last),
        *([_remark("", "steps without a line")] if outside else []),
        *_more(after, "step", "after"),
    ]
    found = _by_place(f, units, places, table)
    y = 4.0
    longest = max([columns_of(p["code"]) for p in places] + [8])
    beside = f.width >= BESIDE
    at = (
        LEFT + 12 + CHAR * min(longest, max(int((f.width - LEFT) / CHAR) - CHIPS * 2, 24)) if beside else LEFT
    )
    listing = Listing(f, at, items)
    for place in places:
        y = listing.put(place, found.get(place["key"], []), y)
    y = _legend(f, drawn, y + 6, items)
    if document["truncated"]:
        for line in wrap(kept(document), int((f.width - 20) / NOTE_CHAR)):
            items.append(text(10, y + 14, line, "note muted"))
            y += 18
        y += 2
    reached = [n for n in document["notes"] if n["step"] < cursor]
    table.extend(
        [["!", "", ", ".join([str(line) for line in n["lines"]]), n["severity"], n["text"]] for n in reached]
    )
    return finished("timeline", "Timeline", f, y + 6, items, {"columns": COLUMNS, "rows": table})


def _remark(key: str, words: str) -> Place:
    """Words between the lines of code."""
    return {"key": key, "number": 0, "code": words, "file": ""}


def _more(n: int, what: str, where: str) -> list[Place]:
    """How many lines or steps are not drawn; nothing if all are."""
    return [_remark("-", f"… {plural(n, what)} {where}")] if n else []


def _program(document: TraceDocument) -> str:
    """The file of a program; nothing for a cell, and for a block, whose lines count from its own first one."""
    return "" if document.get("first") else document.get("file", "")


def _places(f: Frame, first: int, last: int) -> list[Place]:
    """The lines of the cell or program, and below them those of other cells and files."""
    lines = f.document["source"]
    blocks = _blocks(f)
    found: list[Place] = []
    for i in range(first, last):
        title = _program(f.document) if blocks and not found else ""
        found.append({"key": f"l{i + 1}", "number": i + 1, "code": lines[i].rstrip(), "file": title})
    return [*found, *_more(len(lines) - last, "line", "below"), *blocks]


def _blocks(f: Frame) -> list[Place]:
    """The lines of other cells and files that ran, and those around them: a block each, with the lines of the cursor or of a mistake."""
    sources = f.document.get("sources", [])
    here = "" if f.step is None else _keys_of(f.document, f.step)[0]
    culprits = _culprits(f.document)
    found: list[Place] = []
    names: list[str] = []
    for name in [one["name"] for one in sources]:
        if name in names:
            continue
        names.append(name)
        if len(names) > FILES:
            return [*found, _remark("-", "… more files")]
        lines = [
            place for s in range(len(sources)) if sources[s]["name"] == name for place in _lines_of(f, s)
        ]
        at = [k for k in range(len(lines)) if lines[k]["key"] == here]
        at.extend([k for k in range(len(lines)) if lines[k]["key"] in culprits])
        begin, end = window(len(lines), [*at, 0][0], WITHIN)
        found.extend([{**lines[k], "file": name if k == begin else ""} for k in range(begin, end)])
    return found


def _lines_of(f: Frame, s: int) -> list[Place]:
    """The lines of a source; where they are not known, the numbers of those that ran."""
    excerpt = f.document["sources"][s]
    lines, first = excerpt["lines"], excerpt["first"]
    ran = [c["line"] for c in f.document.get("calls", []) if c["source"] == s]
    return [
        {"key": f"s{s}l{n}", "number": n, "code": lines[n - first].rstrip() if lines else "", "file": ""}
        for n in (range(first, first + len(lines)) if lines else sorted(set(ran)))
    ]


class Listing:
    """The source, with the squares of its steps from x = `at` on. In the slim column, `at` is where the source begins."""

    def __init__(self, f: Frame, at: float, items: list[Item]) -> None:
        self.f, self.at, self.paper = f, at, items
        self.culprits, self.noted = _culprits(f.document), _noted(f.document, f.cursor)

    def put(self, place: Place, units: list[Unit], y: float) -> float:
        """Draw a line and its squares, and return the y below them."""
        f, at, number, key, x = self.f, self.at, place["number"], place["key"], LEFT
        row: list[Item] = []
        if place["file"]:
            where = clip(place["file"], int((f.width - x) / 7.2))
            self.paper.append(text(x, y + 14, where, "note title"))
            y += 18
        room = int(((at - 8 if at > LEFT else f.width - 4) - x) / CHAR)
        code = [clip(place["code"], room)] if at > LEFT else _wrapped(place["code"], room)
        more = (len(code) - 1) * MORE
        # In the slim column the squares stand at the right end of the line if both fit, else below it.
        free = f.width - 4 - _reach(f, units)
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
        here = f.step is not None and _keys_of(f.document, f.step)[0] == key
        if here:
            row.append(rect(0, y, f.width, bottom - y, "band now"))
        c = self.culprits.get(key, "")
        if c:
            row.append(rect(0, y, 3, bottom - y, f"end {c}"))
        if number:
            mark = c or self.noted.get(key, "")
            row.append(
                text(
                    x - (9 if number < 1000 else 1),
                    y + 15,
                    str(number),
                    f"title {mark}" if mark else "muted",
                    a="end",
                )
            )
        style = "mono now" if here else "mono" if number else "note mono muted"
        row.extend([text(x, y + 15 + i * MORE, code[i], style) for i in range(len(code)) if code[i].strip()])
        row.extend(squares)
        own = key[:1] == "l"
        counts = f.index.line_counts.get(int(key[1:]), 0) if own else 0
        said = f"line {number}: {place['code'].strip()}, {plural(counts, 'step') if counts else 'no step'}"
        label = said if own else place["code"].strip() or "line"
        self.paper.append(group(row, [key] if own else [], label))
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
        return [" " * depth + inner]
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


def _said(f: Frame, unit: Unit) -> str:
    """What stands in a square."""
    a, b, loop = unit
    if loop:
        return clip(f"× {(b - a) // loop['period']:,}", 7)
    letter, _, word = KINDS[f.document["steps"][a]["kind"]]
    return word if _spells(f) else letter


def _spells(f: Frame) -> bool:
    """Whether the squares carry words."""
    return len(f.document["steps"]) <= FEW


def _wide(f: Frame, unit: Unit) -> float:
    """The width of a square."""
    return max(CELL, width(_said(f, unit)) + 8)


def _reach(f: Frame, units: list[Unit]) -> float:
    """The width of the squares of a line, in one row."""
    wide = 0.0
    before = -1
    for unit in units:
        wide += _wide(f, unit) + (0 if before < 0 else GAP if before == unit[0] else APART)
        before = unit[1]
    return wide


def _squares(f: Frame, units: list[Unit], at: float, y: float, beside: bool) -> tuple[list[Item], float]:
    """The squares of a line, in rows from x = `at` on, and the y below them. The first row is beside the line at `y`, or else below it."""
    found: list[Item] = []
    x, top = at, y + 3 if beside else y + ROW - 1
    before = -1
    for unit in units:
        wide = _wide(f, unit)
        x += 0 if before < 0 else GAP if before == unit[0] else APART
        if x + wide > f.width - 4 and x > at:
            x, top = at, top + CELL + GAP
        found.append(_square(f, unit, x, top))
        x += wide
        before = unit[1]
    return found, top + CELL + (4 if beside else 4 - ROW)


def _square(f: Frame, unit: Unit, x: float, y: float) -> Item:
    """A step, or folded iterations."""
    a, b, loop = unit
    one = f.document["steps"][a : a + loop["period"] if loop else b]
    k = [f"p{a + 1}"] + [f"l{n}" for n in sorted({s["line"] for s in one if s["line"] is not None})]
    state = " now" if b == f.cursor else " later" if b > f.cursor else ""
    wide = _wide(f, unit)
    if loop:
        c = "muted"
        said = f"{(b - a) // loop['period']:,} more of {loop['times']:,} iterations, {plural(loop['period'], 'step')} each"
        label = f"{said}: steps {a + 1:,} to {b:,}"
    else:
        _, c, word = KINDS[one[0]["kind"]]
        label = f"step {a + 1:,}, {word}: {one[0]['text']}"
        k.extend(_keys(one[0]))
    return group(
        [
            rect(x + 0.5, y + 0.5, wide - 1, CELL - 1, f"box step {c}{state}"),
            text(x + wide / 2, y + 12.5, _said(f, unit), c + state, a="middle"),
        ],
        k,
        label,
    )


def _by_place(
    f: Frame, units: list[Unit], places: list[Place], table: list[list[str]]
) -> dict[str, list[Unit]]:
    """By line that is drawn, its steps and folds. A fold is at the first of its lines. What is drawn goes into the table, too."""
    known = {p["key"] for p in places}
    found: dict[str, list[Unit]] = {}
    for a, b, loop in units:
        one = f.document["steps"][a : a + loop["period"] if loop else b]
        key = ""
        for step in one:
            drawn = [own for own in _keys_of(f.document, step) if own in known]
            if drawn:
                key = drawn[0]
                break
        if key in known:
            found.setdefault(key, []).append((a, b, loop))
        lines = sorted({s["line"] for s in one if s["line"] is not None})
        line = _named(f.document, one[0] if len(one) == 1 else None, lines)
        if loop:
            many = (b - a) // loop["period"]
            said = f"{many:,} more of {loop['times']:,} iterations, {plural(loop['period'], 'step')} each"
            table.append([">" if b == f.cursor else "", f"{a + 1:,} to {b:,}", line, "loop", said])
        else:
            words = KINDS[one[0]["kind"]][2]
            table.append([">" if b == f.cursor else "", f"{a + 1:,}", line, words, _sentence(one[0], line)])
    return found


def _keys_of(document: TraceDocument, step: Step) -> list[str]:
    """The lines of a step, from the innermost to that of the cell or program."""
    found: list[str] = []
    number = step.get("call")
    while number is not None:
        call = document["calls"][number]
        if call["source"] is None:
            break
        found.append(f"s{call['source']}l{call['line']}")
        number = call["caller"]
    found.append("" if step["line"] is None else f"l{step['line']}")
    return found


def _named(document: TraceDocument, step: Step | None, lines: list[int]) -> str:
    """What the table says of the lines of steps: "3", "3 to 5"; in a program "train.py:3", and of one step the innermost line."""
    file = _program(document)
    within = line_within(document, step) if step is not None and file else ""
    if within or not lines:
        return within
    return (f"{file}:" if file else "") + str(lines[0]) + (f" to {lines[-1]}" if len(lines) > 1 else "")


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


def _culprits(document: TraceDocument) -> dict[str, str]:
    """The lines that the headline names, with the class of its severity."""
    said = document.get("diagnosis")
    found: dict[str, str] = {}
    if said is None or not said["code"]:
        return found
    c = {"error": "error", "warning": "write", "info": "intermediate"}[said["severity"]]
    for part in said["headline"]:
        if part.get("line"):
            found[f"l{part['line']}"] = c
        there = part.get("there")
        if there is not None:
            found[f"s{there[0]}l{there[1]}"] = c
    return found


def _sentence(step: Step, line: str) -> str:
    """The sentence of a step without its line, which is in a column of its own."""
    for prefix in (f"line {line}: ", f"{line}: "):
        if step["text"].startswith(prefix):
            return step["text"][len(prefix) :]
    return step["text"]


def _noted(document: TraceDocument, cursor: int) -> dict[str, str]:
    """By line, the class of the worst of the notes up to the cursor."""
    found: dict[str, str] = {}
    for note in document["notes"]:
        if note["step"] < cursor and note["severity"] != "info":
            for key in [f"l{n}" for n in note["lines"]] + _keys_of(document, document["steps"][note["step"]])[
                :1
            ]:
                if found.get(key) != "error":
                    found[key] = "error" if note["severity"] == "error" else "write"
    return found


def _keys(step: Step) -> list[str]:
    """The link keys of what a step made or wrote to."""
    keys = [f"t{t}" for t in step.get("makes", [])]
    keys.extend([f"t{w['tensor']}" for w in step.get("writes", [])])
    if step.get("node") is not None:
        keys.append(f"n{step['node']}")
    return keys[:8]


def _legend(f: Frame, steps: list[Step], y: float, items: list[Item]) -> float:
    """The letters that occur, with their meanings."""
    occurring = set() if _spells(f) else {s["kind"] for s in steps}
    kinds = [(f"box step {c}", word, kind in occurring, letter) for kind, (letter, c, word) in KINDS.items()]
    return legend([*kinds, ("×", "× 9: 9 more")], y, items, f.width)
