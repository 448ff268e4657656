"""Two traces side by side: what `jgrad.trace.compare` found, drawn like a view.

It has no twin: the live form (`js/src/side.ts`) gets this scene with the two traces, of which it shows the rows around the cursor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jgrad.views.scene import CHAR, WIDTH, Item, clip, group, r1, rect, text, wrap
from jgrad.views.text import printable

if TYPE_CHECKING:
    from jgrad.trace.document.comparison import Comparison

ROWS = 24  # drawn at most
LIVE = 2_000  # that the live form can come to
LINES = 4  # of one step
NUMBER = 90.0  # width of the column of numbers
COLUMN = (WIDTH - NUMBER - 30) / 2


def scene(comparison: Comparison, live: bool) -> dict[str, Any]:
    """The scene of a comparison: two titles, then a group for each row, 17 pixels above its first text. Rows that differ have the link keys
    `p1`, `p2`, ... of their places in `comparison.pairs`."""
    rows = comparison.rows()
    most = LIVE if live else ROWS
    places = iter(comparison.differences)
    left, right = 10 + NUMBER, 20 + NUMBER + COLUMN
    items: list[Item] = [
        text(left + 6, 16, clip(comparison.names[0], 50), "title"),
        text(right + 6, 16, clip(comparison.names[1], 50), "title"),
    ]
    y = 26.0
    first = True
    for number, a, b in rows[:most]:
        if a == b:
            same = [
                text(10, y + 17, clip(number, 12), "muted"),
                text(left + 6, y + 17, a, "muted"),
            ]
            items.append(group(same))
            y += 24
            continue
        end = number.startswith("end: ")
        columns = [wrap(s, int((COLUMN - 12) / CHAR)) for s in (a, b)]
        lines = min(max(len(columns[0]), len(columns[1]), 1), LINES)
        height = 17.0 * lines + 8
        now = " now" if first and not end and not live else ""
        k = [] if end else [f"p{next(places) + 1}"]
        first = first and end
        row: list[Item] = [text(10, y + 17, clip(number, 12), "mono" + now)]
        for x, said in ((left, columns[0]), (right, columns[1])):
            kind = "muted unused" if not said else f"box{now}"
            row.append(rect(x, y, COLUMN, height, kind, k, " ".join(said)))
            if len(said) > LINES:
                said = [*said[: LINES - 1], said[LINES - 1] + " …"]
            row += [text(x + 6, y + 17 + 17 * i, line, "plain") for i, line in enumerate(said)]
        items.append(group(row, k))
        y += height + 6
    if len(rows) > most:
        items.append(group([text(10, y + 17, f"… {len(rows) - most:,} more rows", "muted")]))
        y += 24
    return {
        "view": "compare", "title": f"{comparison.names[0]} and {comparison.names[1]} side by side", "width": WIDTH, "height": r1(y + 4),
        "caption": comparison.sentence, "items": items,
        "table": {"columns": ["step", *map(printable, comparison.names)], "rows": [list(row) for row in rows]},
    }  # fmt: skip
