"""The timeline: source lines at the left, the steps at the right, each in the row of its line.

A loop is seen as repeated diagonals. Of a long loop, the first iteration and that of the cursor are drawn, and the rest is folded: "× 98".
"""

from __future__ import annotations

from jgrad.trace.document.loops import Unit, folded
from jgrad.trace.document.schema import Note, Step, TraceDocument
from jgrad.views.scene import (
    CHAR,
    WIDTH,
    Frame,
    Item,
    Scene,
    clip,
    columns_of,
    finished,
    group,
    legend,
    path,
    plural,
    points,
    r1,
    rect,
    text,
    window,
    wrap,
)

LINES = 24  # at most so many source lines are drawn
ROW = 20
CELL = 16  # width of a step
SOURCE = 57  # at most so many characters of a source line are drawn
SHORTER = 44  # the same if there are more steps than FEW, which is how many fit next to SOURCE characters
FEW = 26
FOLD = 4  # width of folded iterations, in steps

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


def scene(f: Frame) -> Scene:
    """The scene of the timeline at a frame."""
    document, cursor = f.document, f.cursor
    steps = document["steps"]
    items: list[Item] = []
    counts = f.index.line_counts
    here = f.step["line"] if f.step is not None else None
    first, last = window(len(document["source"]), (here or 1) - 1, LINES)
    longest = max([columns_of(line) for line in document["source"]] + [24])
    source = min(longest, SOURCE if len(steps) <= FEW else SHORTER)
    right = r1(44 + source * CHAR + 70)  # where the steps begin
    units, begin, end = _window(f, int((WIDTH - right - 10) / CELL))
    # Of a fold, one iteration is enough.
    drawn = [s for a, b, loop in units for s in steps[a : a + loop["period"] if loop else b]]
    outside = any(s["line"] is None for s in drawn)
    shown = last - first + (1 if outside else 0)

    # The header: how many steps there are, and which of them are drawn.
    items.append(text(right - 14, 18, "steps", "muted", a="end"))
    if begin > 0:
        items.append(text(right, 18, f"… {begin:,} earlier", "muted"))
    if end < len(steps):
        items.append(text(WIDTH - 10, 18, f"{len(steps) - end:,} later …", "muted", a="end"))
    elif begin == 0 and steps:
        items.append(text(right, 18, f"1 to {len(steps):,}", "muted"))
    top = 28.0
    if first > 0:
        items.append(text(40, 18, f"… {plural(first, 'line')} above", "muted"))
    noted = _noted(document, cursor)
    for i in range(first, last):
        n = i + 1
        y = top + (i - first) * ROW
        k = [f"l{n}"]
        row: list[Item] = []
        if n == here:
            row.append(rect(0, y, WIDTH, ROW, "band now"))
        line = document["source"][i]
        c = "mono now" if n == here else "mono"
        label = f"line {n}: {line.strip()}" + (
            f", {plural(counts[n], 'step')}" if n in counts else ", no step"
        )
        row.append(text(26, y + 14, str(n), "error" if noted.get(n) == "error" else "muted", a="end"))
        if n in noted:
            row.append(text(34, y + 14, "!", "error" if noted[n] == "error" else "write", a="middle"))
        if line.strip():
            row.append(text(44, y + 14, clip(line, source), c))
        if n in counts:
            row.append(text(right - 14, y + 14, f"{counts[n]:,}", "muted", a="end"))
        items.append(group(row, k, label))
    y = top + (last - first) * ROW
    if outside:
        items.append(text(44, y + 14, "elsewhere (in functions of other files)", "muted"))
        y += ROW
    if last < len(document["source"]):
        items.append(text(40, y + 14, f"… {plural(len(document['source']) - last, 'line')} below", "muted"))
    bottom = top + shown * ROW
    items.append(path(points("M", right - 6, top, "V", bottom), "edge muted"))
    table: list[list[str]] = []
    _marks(f, units, (first, last, shown), right, top, items, table)
    y = bottom + (24 if last < len(document["source"]) else 10)
    y = _legend(drawn, y, items)
    for note in document["notes"]:
        if note["step"] < cursor and y < 1200:
            y = _note(note, y, items)
    if document["truncated"]:
        kept = f"only {document['truncated']['kept_steps']:,} of at least {document['truncated']['seen_steps']:,} steps were kept"
        items.append(text(10, y + 14, kept, "muted"))
        y += ROW
    told = [n for n in document["notes"] if n["step"] < cursor]
    table.extend(
        [["!", "", ", ".join([str(line) for line in n["lines"]]), n["severity"], n["text"]] for n in told]
    )
    return finished(
        "timeline", "Timeline", f, y + 6, items, ["", "step", "line", "kind", "what happened"], table
    )


def _marks(
    f: Frame,
    units: list[Unit],
    window: tuple[int, int, int],
    x: float,
    top: float,
    items: list[Item],
    table: list[list[str]],
) -> None:
    """Draw the steps and the folds in the rows of their lines, and the cursor after its step."""
    first, last, shown = window
    for a, b, loop in units:
        one = f.document["steps"][a : a + loop["period"] if loop else b]  # the step, or an iteration
        lines = [s["line"] for s in one]
        known = sorted({n for n in lines if n is not None})
        k = [f"p{a + 1}"] + [f"l{n}" for n in known]
        room = CELL
        numbers = f"{a + 1:,}"
        if loop:
            many = (b - a) // loop["period"]
            letter, c, words = f"× {many:,}", "muted", "loop"
            said = f"{many:,} more of {loop['times']:,} iterations, {plural(loop['period'], 'step')} each"
            room = FOLD * CELL
            numbers += f" to {b:,}"
            label = f"{said}: steps {numbers}"
        else:
            letter, c, words = KINDS[one[0]["kind"]]
            said = _sentence(one[0])
            label = f"step {numbers}, {words}: {one[0]['text']}"
            k.extend(_keys(one[0]))
        state = " now" if b == f.cursor else " later" if b > f.cursor else ""
        rows = [n - 1 - first if n is not None else last - first for n in lines]
        rows = [n for n in rows if 0 <= n < shown]
        if rows:
            y = top + min(rows) * ROW
            high = (max(rows) - min(rows)) * ROW
            mark = [
                rect(x + 0.5, y + 2.5, room - 1, high + ROW - 5, f"box step {c}{state}"),
                text(x + room / 2, y + high / 2 + 14, letter, c + state, a="middle"),
            ]
            items.append(group(mark, k, label))
        x += room
        line = "" if not known else str(known[0]) + (f" to {known[-1]}" if len(known) > 1 else "")
        table.append([">" if b == f.cursor else "", numbers, line, words, said])
        if b == f.cursor:
            d = points("M", x, top - 4, "V", top + shown * ROW + 4)
            items.append(path(d, "edge now", [f"p{f.cursor}"]))


def _window(f: Frame, cells: int) -> tuple[list[Unit], int, int]:
    """The steps that are drawn, if there is space for this many cells: as units, with the first step and the end."""
    units = folded(f.index.loops, 0, len(f.document["steps"]), f.cursor - 1)
    places = [0]  # of the cells of each unit
    for unit in units:
        places.append(places[-1] + (FOLD if unit[2] else 1))
    focus = len([1 for unit in units if unit[1] < f.cursor])
    begin, end = window(places[-1], places[focus], cells)
    drawn = [units[i] for i in range(len(units)) if begin <= places[i] and places[i + 1] <= end]
    return (drawn, drawn[0][0], drawn[-1][1]) if drawn else (drawn, 0, 0)


def _sentence(step: Step) -> str:
    """The sentence of a step without its line, which is in a column of its own."""
    prefix = f"line {step['line']}: "
    return step["text"][len(prefix) :] if step["text"].startswith(prefix) else step["text"]


def _noted(document: TraceDocument, cursor: int) -> dict[int, str]:
    """By line, the worst severity of the notes up to the cursor."""
    found: dict[int, str] = {}
    for note in document["notes"]:
        if note["step"] < cursor and note["severity"] != "info":
            for n in note["lines"]:
                if found.get(n) != "error":
                    found[n] = note["severity"]
    return found


def _keys(step: Step) -> list[str]:
    """The link keys of what a step made or wrote to."""
    keys = [f"t{t}" for t in step.get("makes", [])]
    keys.extend([f"t{w['tensor']}" for w in step.get("writes", [])])
    if step.get("node") is not None:
        keys.append(f"n{step['node']}")
    return keys[:8]


def _legend(steps: list[Step], y: float, items: list[Item]) -> float:
    """The letters that occur, with their meanings."""
    occurring = {s["kind"] for s in steps}
    kinds = [
        (f"box step {c}", words, kind in occurring, letter) for kind, (letter, c, words) in KINDS.items()
    ]
    return legend([*kinds, ("×", "× 9: 9 more iterations")], y, items, 760)


def _note(note: Note, y: float, items: list[Item]) -> float:
    """Draw a note of `explain` in full."""
    c = {"error": "error", "warning": "write", "info": "muted"}[note["severity"]]
    k = [f"l{n}" for n in note["lines"]] + [f"t{t}" for t in note["tensors"]]
    lines = wrap(note["text"], 96)
    parts = [text(24, y + 14 + i * 17, lines[i], "mono") for i in range(len(lines))]
    parts.insert(0, rect(10, y, 4, len(lines) * 17 + 4, "bar " + c))
    items.append(group(parts, k, f"{note['severity']}: {note['text']}", "note"))
    return y + len(lines) * 17 + 10
