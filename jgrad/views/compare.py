"""Two traces side by side: what `jgrad.trace.compare` found, drawn like a view.

It has no twin: the live form (`js/src/side.ts`) gets this scene with the two traces, and marks in it where the cursor is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jgrad.views.scene import CHAR, WIDTH, Item, clip, r1, rect, text, wrap
from jgrad.views.text import printable

if TYPE_CHECKING:
    from jgrad.trace.comparison import Comparison

ROWS = 24  # drawn at most
LINES = 4  # of one step
NUMBER = 90.0  # width of the column of numbers
COLUMN = (WIDTH - NUMBER - 30) / 2


def scene(comparison: Comparison, live: bool) -> dict[str, Any]:
    """The scene of a comparison. Its rows that differ have the link keys `p1`, `p2`, ... of their places in `comparison.pairs`."""
    rows = comparison.rows()
    places = iter(comparison.differences)
    left, right = 10 + NUMBER, 20 + NUMBER + COLUMN
    items: list[Item] = [
        text(left + 6, 16, clip(comparison.names[0], 50), "title"),
        text(right + 6, 16, clip(comparison.names[1], 50), "title"),
    ]
    y = 26.0
    first = True
    for number, a, b in rows[:ROWS]:
        if a == b:
            items.append(text(10, y + 16, clip(number, 12), "muted"))
            items.append(text(left + 6, y + 16, a, "muted"))
            y += 24
            continue
        end = number.startswith("end: ")
        columns = [wrap(s, int((COLUMN - 12) / CHAR)) for s in (a, b)]
        lines = min(max(len(columns[0]), len(columns[1]), 1), LINES)
        height = 17.0 * lines + 8
        now = " now" if first and not end and not live else ""
        k = [] if end else [f"p{next(places) + 1}"]
        first = first and end
        items.append(text(10, y + 17, clip(number, 12), "mono" + now, k))
        for x, said in ((left, columns[0]), (right, columns[1])):
            kind = "muted unused" if not said else f"box{now}"
            items.append(rect(x, y, COLUMN, height, kind, k, " ".join(said)))
            if len(said) > LINES:
                said = [*said[: LINES - 1], said[LINES - 1] + " …"]
            items += [text(x + 6, y + 17 + 17 * i, line, "plain", k) for i, line in enumerate(said)]
        y += height + 6
    if len(rows) > ROWS:
        items.append(text(10, y + 16, f"… {len(rows) - ROWS:,} more rows", "muted"))
        y += 24
    return {
        "view": "compare", "title": f"{comparison.names[0]} and {comparison.names[1]} side by side", "width": WIDTH, "height": r1(y + 4),
        "caption": comparison.sentence, "items": items,
        "table": {"columns": ["step", *map(printable, comparison.names)], "rows": [list(row) for row in rows]},
    }  # fmt: skip
