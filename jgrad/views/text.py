"""A scene as plain text: its title, its caption, its table. For terminals, for text/plain, and for screen readers."""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.passage import printable
from jgrad.views.scene import columns_of, wrap

WIDE = 110  # the default width, in columns
LONGEST = 200  # at most so many rows are printed


def lower(scene: dict[str, Any], wide: int = WIDE) -> str:
    """A scene in lines of at most `wide` columns."""
    lines = [printable(scene["title"]), *wrap(printable(scene["caption"]), wide), ""]
    columns, rows = scene["table"]["columns"], scene["table"]["rows"]
    rows = [[printable(s) for s in row] for row in rows]
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
    shown = rows if len(rows) <= LONGEST else rows[:LONGEST]
    for row in shown:
        lines.extend(_row([row[c] for c in used], widths))
    if len(rows) > LONGEST:
        lines.append(f"… {len(rows) - LONGEST:,} more rows")
    for note in scene.get("notes", []):
        lines.extend(["", *wrap(printable(note), wide)])
    return "\n".join([line.rstrip() for line in lines]).rstrip() + "\n"


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
