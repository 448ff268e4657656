"""A scene as plain text: its title, its caption, its table. For terminals, for text/plain, and for screen readers."""

from __future__ import annotations

from typing import Any

from jgrad.views.scene import columns_of, wrap

WIDE = 110  # the default width, in columns
LONGEST = 200  # at most so many rows are printed
BRIEF = 40  # lines of a trace in a terminal
LEAST = 4  # rows of a table that say something


def lower(scene: dict[str, Any], wide: int = WIDE, longest: int = LONGEST) -> str:
    """A scene in lines of at most `wide` columns, with so many rows of its table."""
    lines = [printable(scene["title"]), *wrap(printable(scene["caption"]), wide), ""]
    columns, rows = scene["table"]["columns"], scene["table"]["rows"]
    more = len(rows) - longest
    rows = [[printable(s) for s in row] for row in rows[:longest]]
    used = [c for c in range(len(columns)) if any(row[c] for row in rows)]
    widths = [max(columns_of(s) for s in [columns[c], *[row[c] for row in rows]]) for c in used]
    while sum(widths) + 2 * (len(used) - 1) > wide and max(widths, default=0) > 8:
        # The widest column becomes narrower, and its cells wrap.
        widest = widths.index(max(widths))
        others = sum(widths) - widths[widest] + 2 * (len(used) - 1)
        second = max([w for i, w in enumerate(widths) if i != widest], default=0)
        widths[widest] = max(wide - others, min(second, widths[widest]) - 1, 8)
    if rows:
        lines.extend(_row([columns[c] for c in used], widths))
    for row in rows:
        lines.extend(_row([row[c] for c in used], widths))
    if more > 0:
        lines.append(f"… {more:,} more rows")
    for note in scene.get("notes", []):
        lines.extend(["", *wrap(printable(note), wide)])
    return "\n".join([line.rstrip() for line in lines]).rstrip() + "\n"


def brief(said: str, scenes: list[dict[str, Any]], wide: int = WIDE) -> str:
    """What is said of a trace, and its scenes, in at most BRIEF lines: the answer, then the first scenes as far as there is room, then the names of the
    others."""
    whole = said + "\n".join([lower(scene, wide) for scene in scenes])
    if whole.count("\n") <= BRIEF:
        return whole
    lines, left = said.splitlines()[: BRIEF - LEAST], [scene["view"] for scene in scenes]
    for scene in scenes:
        fitting = _fitting(scene, wide, BRIEF - 1 - len(lines))
        if not fitting:
            break
        lines += fitting
        del left[0]
    asked = left[0] if left else scenes[0]["view"]
    others = f"Not shown: {', '.join(left)}. " if left else ""
    lines += wrap(f'{others}All of a view: trace.show(["{asked}"]) or %%trace --view {asked}', wide)[:1]
    return "\n".join(lines) + "\n"


def _fitting(scene: dict[str, Any], wide: int, room: int) -> list[str]:
    """A scene in at most so many lines, with an empty one at its end; nothing if there is no room for a few rows."""
    most = len(scene["table"]["rows"])
    for rows in range(min(most, room), min(most, LEAST) - 1, -1):
        lines = lower(scene, wide, rows).splitlines()
        if len(lines) < room:
            return [*lines, ""]
    return []


def _row(cells: list[str], widths: list[int]) -> list[str]:
    """A row of the table, in as many lines as its tallest cell needs."""
    wrapped = [[s] if columns_of(s) <= w else wrap(s, w) for s, w in zip(cells, widths, strict=True)]
    lines = []
    for i in range(max([len(w) for w in wrapped] + [1])):
        parts = []
        for cell, w in zip(wrapped, widths, strict=True):
            s = cell[i] if i < len(cell) else ""
            parts.append(s + " " * (w - columns_of(s)))
        lines.append("  ".join(parts))
    return lines


def printable(s: str) -> str:
    """A text without characters that would move a terminal's cursor or change its colours."""
    return "".join([ch if ch.isprintable() else " " for ch in s])
