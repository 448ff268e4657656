"""Tables of text, in a terminal and as HTML."""

from __future__ import annotations

import html
import re
from typing import Any

from jgrad import mirrors


class Table:
    """Rows of text under column heads, as text and as HTML."""

    def __init__(self, columns: list[str], rows: list[list[str]], empty: str = "nothing") -> None:
        self.columns = columns
        self.rows = rows
        self.empty = empty

    def __repr__(self) -> str:
        if not self.rows:
            return self.empty
        cells = [self.columns, *self.rows]
        heights = [max(len(c.split("\n")) for c in row) for row in cells]
        widths = [
            max(len(part) for row in cells for part in row[i].split("\n")) for i in range(len(self.columns))
        ]
        out = []
        for row, height in zip(cells, heights, strict=True):
            split = [c.split("\n") + [""] * height for c in row]
            out += [
                "  ".join(split[i][k].ljust(widths[i]) for i in range(len(row))).rstrip()
                for k in range(height)
            ]
        out.insert(1, "  ".join("-" * w for w in widths))
        return "\n".join(out)

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<p>{html.escape(self.empty)}</p>"

        def row(tag: str, cells: list[str]) -> str:
            texts = (html.escape(c).replace("\n", "<br>") for c in cells)
            return "<tr>" + "".join(f'<{tag} style="text-align:left">{t}</{tag}>' for t in texts) + "</tr>"

        return f"<table>{row('th', self.columns)}{''.join(row('td', r) for r in self.rows)}</table>"


def summary(tensor: Any) -> str:
    """A tensor in at most 60 characters."""
    text = re.sub(r"\s+", " ", repr(tensor.detach()) if mirrors.is_tensor(tensor) else repr(tensor))
    text = mirrors.named_in(re.sub(r"^tensor\((.*?)\)$", r"\1", text), mirrors.library_of(tensor).__name__)
    return text if len(text) <= 60 else f"{text[:40]} … {list(tensor.shape)}"
