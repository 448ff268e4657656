"""Two traces side by side: the result of `jgrad.trace.compare`, drawn like a view.

This scene is made only in Python. The live form (`js/src/side.ts`) gets it together with the two traces, and shows the rows around the cursor.
"""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.comparison import Comparison
from jgrad.tracing.document.passage import printable
from jgrad.tracing.document.schema import Diagnosis, Part
from jgrad.views.scene import CHAR, WIDTH, Item, clip, columns_of, group, labelled, r1, rect, text, wrap
from jgrad.views.text import lower
from jgrad.views.twin import twin
from jgrad.views.widget import show_comparison

ROWS = 24  # at most so many are drawn
LIVE = 2_000  # at most so many rows are in the scene of the live form
LINES = 4  # at most so many lines of text for one step
NUMBER = 90.0  # width of the column of numbers, at least
NAMED = 24  # at most so many characters in it: rows of what holds in the end have names
COLUMN = (WIDTH - NUMBER - 30) / 2


class SideBySide(Comparison):
    """A comparison of two traces that shows itself: as text, as a picture, and in Jupyter with the live views of both."""

    views: tuple[str, ...] = ("storage", "graph", "accumulation", "scatter")  # those of both, side by side

    def scene(self, live: bool = False) -> dict[str, Any]:
        """The scene of the comparison. For the live view (`live`) it has more rows, and no row is marked as `now`."""
        return scene(self, live)

    def document(self) -> dict[str, Any]:
        """The document of the live view: its steps are the pairs, and it contains the two traces."""
        steps = []
        cursors = [[0], [0]]
        for place, pair in enumerate(self.pairs):
            for side in (0, 1):
                reached = pair[side]
                cursors[side].append(cursors[side][-1] if reached is None else reached + 1)
            side = 0 if pair[0] is not None else 1
            k = pair[side]
            assert k is not None
            step = self.documents[side]["steps"][k]
            words = self.differences.get(place)
            kind, said = (step["kind"], step["text"]) if words is None else ("difference", f"{words}.")
            steps.append({"kind": kind, "line": None, "op": step["op"], "span": None, "text": said})
        return {
            "schema": self.documents[0]["schema"], "name": self.sentence, "source": [], "storages": [], "tensors": [], "nodes": [],
            "steps": steps, "notes": [], "truncated": None, "diagnosis": self._said(),
            "compared": {"traces": list(self.documents), "cursors": cursors, "scene": self.scene(live=True)},
        }  # fmt: skip

    @property
    def opens(self) -> int:
        """The place of the slider at first: the first pair that differs, or the end."""
        return next(iter(self.differences), -2) + 1

    def _said(self) -> Diagnosis:
        """The sentence of the comparison as a headline."""
        head, _, more = self.sentence.partition(": ")
        parts: list[list[Part]] = [[{"kind": "text", "text": said}] if said else [] for said in (head, more)]
        return {
            "code": "", "severity": "warning" if self.differences else "info", "step": None, "headline": parts[0], "more": parts[1], "repair": [],
            "proposes": [], "error": None,
        }  # fmt: skip

    def _ipython_display_(self) -> None:
        show_comparison(self)

    def __repr__(self) -> str:
        return lower(self.scene()).rstrip("\n")

    def _repr_html_(self) -> str:
        return twin([self.scene()], "compare")


def scene(comparison: Comparison, live: bool) -> dict[str, Any]:
    """The scene of a comparison: two titles, then a group for each row, 17 pixels above its first text. Rows that differ have the link keys
    `p1`, `p2`, ... of their places in `comparison.pairs`."""
    rows = comparison.rows()
    most = LIVE if live else ROWS
    places = iter(comparison.differences)
    # Where the traces have different numbers of the same steps, those of the second are in a line of their own.
    numbers = [[clip(part, NAMED) for part in number.split(" | ")] for number, _, _ in rows[:most]]
    room = max([NUMBER, *[columns_of(part) * CHAR + 12 for parts in numbers for part in parts]])
    left, right = 10 + room, 20 + room + COLUMN
    items: list[Item] = [
        text(left + 6, 16, clip(comparison.names[0], 50), "title"),
        text(right + 6, 16, clip(comparison.names[1], 50), "title"),
    ]
    y = 26.0
    first = True
    for parts, (number, a, b) in zip(numbers, rows, strict=False):
        if a == b:
            heads = [text(10, y + 17 + 17 * i, part, "muted") for i, part in enumerate(parts)]
            items.append(group([*heads, text(left + 6, y + 17, a, "muted")]))
            y += 7 + 17 * len(parts)
            continue
        end = number.startswith("end: ")
        columns = [wrap(s, int((COLUMN - 12) / CHAR)) for s in (a, b)]
        lines = min(max(len(columns[0]), len(columns[1]), len(parts)), LINES)
        height = 17.0 * lines + 8
        now = " now" if first and not end and not live else ""
        k = [] if end else [f"p{next(places) + 1}"]
        first = first and end
        row: list[Item] = [text(10, y + 17 + 17 * i, part, "mono" + now) for i, part in enumerate(parts)]
        for x, said in ((left, columns[0]), (right, columns[1])):
            kind = "muted unused" if not said else f"box{now}"
            row.append(labelled(rect(x, y, COLUMN, height, kind, k), " ".join(said)))
            if len(said) > LINES:
                said = [*said[: LINES - 1], said[LINES - 1] + " …"]
            row += [text(x + 6, y + 17 + 17 * i, line, "plain") for i, line in enumerate(said)]
        items.append(group(row, k))
        y += height + 6
    if len(rows) > most:
        items.append(group([text(10, y + 17, f"… {len(rows) - most:,} more rows", "muted")]))
        y += 24
    return {
        "view": "compare", "title": f"{comparison.names[0]} and {comparison.names[1]} side by side", "width": WIDTH + room - NUMBER, "height": r1(y + 4),
        "caption": comparison.sentence, "items": items,
        "table": {"columns": ["step", *map(printable, comparison.names)], "rows": [list(row) for row in rows]},
    }  # fmt: skip
