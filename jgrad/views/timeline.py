"""The timeline: source lines at the left, the steps at the right, each in the row of its line. Loops show as repeated diagonals."""

from __future__ import annotations

from typing import Any

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
    path,
    plural,
    points,
    r1,
    rect,
    text,
    window,
    wrap,
)

LINES = 24  # source lines drawn at most
ROW = 20
CELL = 16  # a step
SOURCE = 57  # characters of a source line at most

# What a step is: its letter, its colour, its words.
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
}


def scene(document: dict[str, Any], cursor: int) -> Scene:
    """The source and the steps of a document, the cursor after `cursor` steps."""
    f = Frame(document, cursor)
    steps = document["steps"]
    items: list[Item] = []
    counts: dict[int, int] = {}
    for s in steps:
        if s["line"] is not None:
            counts[s["line"]] = counts.get(s["line"], 0) + 1
    here = f.step["line"] if f.step is not None else None
    first, last = window(len(document["source"]), (here or 1) - 1, LINES)
    longest = max([columns_of(line) for line in document["source"][first:last]] + [24])
    right = r1(44 + min(longest, SOURCE) * CHAR + 70)  # where the steps begin
    begin, end = window(len(steps), max(cursor - 1, 0), int((WIDTH - right - 10) / CELL))
    outside = any(s["line"] is None for s in steps[begin:end])
    shown = last - first + (1 if outside else 0)

    # Header: how many steps, and where the drawn ones are among them.
    items.append(text(right - 14, 18, "steps", "muted", a="end"))
    if begin > 0:
        items.append(text(right, 18, f"… {begin:,} earlier", "muted"))
    if end < len(steps):
        items.append(text(WIDTH - 10, 18, f"{len(steps) - end:,} later …", "muted", a="end"))
    elif begin == 0 and steps:
        items.append(text(right, 18, f"1 to {len(steps)}", "muted"))
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
            row.append(rect(0, y, WIDTH, ROW, "band now", k))
        line = document["source"][i]
        c = "mono now" if n == here else "mono"
        label = f"line {n}: {line.strip()}" + (
            f", {plural(counts[n], 'step')}" if n in counts else ", no step"
        )
        row.append(text(26, y + 14, str(n), "error" if noted.get(n) == "error" else "muted", k, a="end"))
        if n in noted:
            row.append(text(34, y + 14, "!", "error" if noted[n] == "error" else "write", k, a="middle"))
        if line.strip():
            row.append(text(44, y + 14, clip(line, SOURCE), c, k, label=label))
        if n in counts:
            row.append(text(right - 14, y + 14, f"{counts[n]:,}", "muted", k, a="end"))
        items.append(group(row, k, label, "listitem"))
    y = top + (last - first) * ROW
    if outside:
        items.append(text(44, y + 14, "elsewhere (in functions of other files)", "muted"))
        y += ROW
    if last < len(document["source"]):
        items.append(text(40, y + 14, f"… {plural(len(document['source']) - last, 'line')} below", "muted"))
    bottom = top + shown * ROW
    items.append(path(points("M", right - 6, top, "V", bottom), "edge muted"))
    table: list[list[str]] = []
    for i in range(begin, end):
        s = steps[i]
        letter, c, words = KINDS[s["kind"]]
        k = [f"p{i + 1}"] + ([f"l{s['line']}"] if s["line"] is not None else []) + _keys(s)
        state = " now" if i + 1 == cursor else " later" if i + 1 > cursor else ""
        x = right + (i - begin) * CELL
        at = s["line"] - 1 - first if s["line"] is not None else last - first
        if 0 <= at < shown:
            y = top + at * ROW
            label = f"step {i + 1}, {words}: {s['text']}"
            mark = [
                rect(x + 0.5, y + 2.5, CELL - 1, ROW - 5, f"box step {c}{state}", k),
                text(x + CELL / 2, y + 14, letter, c + state, k, a="middle"),
            ]
            items.append(group(mark, k, label, "listitem"))
        table.append(
            [
                ">" if i + 1 == cursor else "",
                str(i + 1),
                "" if s["line"] is None else str(s["line"]),
                words,
                _sentence(s),
            ]
        )
    y = bottom + (24 if last < len(document["source"]) else 10)
    if 0 < cursor <= end and cursor > begin:
        x = right + (cursor - begin) * CELL
        items.append(path(points("M", x, top - 4, "V", bottom + 4), "edge now", [f"p{cursor}"]))
    y = _legend(steps[begin:end], y, items)
    for note in document["notes"]:
        if note["step"] < cursor and y < 1200:
            y = _note(note, y, items)
    if document["truncated"]:
        kept = f"only the first {document['truncated']['kept']:,} of {document['truncated']['seen']:,} steps were kept"
        items.append(text(10, y + 14, kept, "muted"))
        y += ROW
    told = [n for n in document["notes"] if n["step"] < cursor]
    table.extend(
        [["!", "", ", ".join([str(line) for line in n["lines"]]), n["severity"], n["text"]] for n in told]
    )
    return finished("timeline", f, y + 6, items, ["", "step", "line", "kind", "what happened"], table)


def _sentence(step: dict[str, Any]) -> str:
    """The sentence of a step without its line, which stands beside it."""
    prefix = f"line {step['line']}: "
    return step["text"][len(prefix) :] if step["text"].startswith(prefix) else step["text"]


def _noted(document: dict[str, Any], cursor: int) -> dict[int, str]:
    """The worst severity that notes up to the cursor give to each line."""
    found: dict[int, str] = {}
    for note in document["notes"]:
        if note["step"] < cursor and note["severity"] != "info":
            for n in note["lines"]:
                if found.get(n) != "error":
                    found[n] = note["severity"]
    return found


def _keys(step: dict[str, Any]) -> list[str]:
    """What a step made or wrote to."""
    keys = [f"t{t}" for t in step.get("makes", [])]
    keys.extend([f"t{w['tensor']}" for w in step.get("writes", [])])
    if step.get("node") is not None:
        keys.append(f"n{step['node']}")
    return keys[:8]


def _legend(steps: list[dict[str, Any]], y: float, items: list[Item]) -> float:
    """The letters that occur, with their words."""
    x = 10.0
    for kind in KINDS:
        if not any(s["kind"] == kind for s in steps):
            continue
        letter, c, words = KINDS[kind]
        if x + 30 + len(words) * CHAR > WIDTH:
            x = 10.0
            y += ROW
        items.append(rect(x, y + 2.5, CELL - 1, ROW - 5, "box step " + c))
        items.append(text(x + CELL / 2, y + 14, letter, c, a="middle"))
        items.append(text(x + CELL + 5, y + 14, words, "muted"))
        x += CELL + 5 + len(words) * CHAR + 18
    return y + ROW + 8


def _note(note: dict[str, Any], y: float, items: list[Item]) -> float:
    """What `explain` found, in full."""
    c = {"error": "error", "warning": "write", "info": "muted"}[note["severity"]]
    k = [f"l{n}" for n in note["lines"]] + [f"t{t}" for t in note["tensors"]]
    lines = wrap(note["text"], 124)
    parts = [text(24, y + 14 + i * 17, lines[i], "mono", k) for i in range(len(lines))]
    parts.insert(0, rect(10, y, 4, len(lines) * 17 + 4, "bar " + c, k))
    items.append(group(parts, k, f"{note['severity']}: {note['text']}", "note"))
    return y + len(lines) * 17 + 10
