"""The scatter map: which cell an index operator reads, and to which cell it writes it. Below it is the same for its backward.

The recorder works out what the operator does (`jgrad/tracing/record/indexes.py`). This file knows only grids, and moves between their cells. A
grid of more than two dimensions is drawn as slices side by side; `choice` is the position of one of the scene's `choices`. Where the view is
narrow, or all grids have one row, the target is below the source.
"""

from __future__ import annotations

from jgrad.tracing.document.schema import IndexMap
from jgrad.views.indexed import (
    CELLS,
    HEIGHT,
    Cell,
    IndexedGrid,
    at_text,
    brackets,
    head_of,
    kept,
    product,
    rule,
)
from jgrad.views.scene import (
    CHAR,
    NOTE_CHAR,
    Frame,
    Item,
    Scene,
    clip,
    finished,
    group,
    labelled,
    legend,
    path,
    plural,
    points,
    rect,
    text,
    width,
    wrap,
)

HALVED = 8  # at most so many rows of a grid if there is a second map below
ARROWS = 144  # at most so many are drawn
RULES = 400  # the table has at most so many rows
SAID = 6  # a tooltip has at most so many rules
WIDE = 700  # from here on the target is beside the source
BETWEEN = 110  # room for arrows between source and target
DROP = 30  # the same, where they go straight down
COLUMNS = ["index cell", "rule", "result"]
LEGEND = [
    ("box alias", "index"),
    ("box gradient", "read from the source"),
    ("box write", "written to"),
    ("box error", "several values meet here"),
    ("box unused", "not used"),
    ("box muted", "untouched"),
]
LOST = ("unused muted", "overwritten: no gradient passes")


def scene(f: Frame, choice: int | None = None) -> Scene:
    """The scene of the latest index operator up to the cursor, and of its backward if that has run."""
    steps, cursor = f.document["steps"], f.cursor
    latest = max([i for i, _ in f.index.maps if i < cursor], default=-1)
    at = latest
    told = f.document.get("diagnosis")
    if cursor == len(steps) and told is not None and told["step"] in [i for i, _ in f.index.maps]:
        # At the end, what the headline is about.
        at = told["step"]
    if at < 0:
        items = [text(10, 24, "no scatter or gather yet", "note muted")]
        return finished("scatter", "Scatter map", f, 48, items, {"columns": COLUMNS, "rows": []})
    of = steps[at]["index_map"].get("forward_step")
    shown = [at] if of is None or not steps[of].get("index_map") else [of, at]
    if at < latest and latest == cursor - 1:
        shown = [at, latest]
    items = []
    rows: list[list[str]] = []
    slices = _slices(steps[shown[0]]["index_map"])
    picked = slices[choice] if choice is not None and choice < len(slices) else None
    y = 0.0
    for n in shown:
        if n != shown[0]:
            items.append(path(points("M", 10, y + 2, "H", f.width - 10), "edge rule muted"))
            y += 14
            rows.append(["", steps[n]["index_map"]["rule"], ""])
        drawn = Moves(f, n, CELLS if len(shown) == 1 else HALVED, picked)
        if at < latest:
            # The view scrolls to what is marked: that is the map of the headline.
            drawn.now = " now" if n == at else ""
        y = drawn.draw(y, items)
        y = drawn.tell(y, n == shown[-1], items, rows)
    y = legend(LEGEND, y - 4, items, f.width - 20)
    made = finished("scatter", "Scatter map", f, y, items, {"columns": COLUMNS, "rows": rows})
    if cursor - 1 not in shown:
        made["caption"] += f" · shown: {steps[at]['text']}"
    if len(slices) > 1:
        made["choices"] = [brackets(lead) for lead in slices]
    return made


def _slices(m: IndexMap) -> list[list[int]]:
    """The leading coordinates between which the reader can choose: those of the grid whose elements move."""
    for grid in [m["target"] if m["gathers"] else m["source"], *m["indices"], m["target"]]:
        if grid is not None and len(grid["shape"]) > 2:
            return product(kept(grid)[:-2])
    return []


class Moves:
    """The map of one operator: its index and source, and its target before and after."""

    def __init__(self, f: Frame, at: int, most: int, picked: list[int] | None) -> None:
        self.f, self.at = f, at
        m = f.document["steps"][at]["index_map"]
        self.m: IndexMap = m
        self.now = " now" if at == f.cursor - 1 else ""
        # The moves of each cell of the index, the source and the target.
        self.moves_of: list[dict[int, list[int]]] = [{}, {}, {}]
        keys_of: list[dict[int, list[str]]] = [{}, {}, {}]
        for i in range(len(m["moves"])):
            for side in range(3):
                self.moves_of[side].setdefault(m["moves"][i][side], []).append(i)
                keys_of[side].setdefault(m["moves"][i][side], []).append(f"p{at + 1}:{i}")
        # A grid that is indexed along a leading dimension shows all its slices, whichever slice of the others was chosen.
        gathers = m["gathers"]
        indexed = m["source"] if gathers else m["target"]
        across = indexed is not None and any([d < len(indexed["shape"]) - 2 for d in m["indexed_dims"] or []])
        grids = [g for g in [*m["indices"], m["source"], m["before"], m["target"]] if g is not None]
        self.straight = all([len(g["shape"]) < 2 for g in grids])
        inset = max([width(head_of(g)) for g in grids]) + 14 if self.straight else 0.0
        self.beside = f.width >= WIDE and not self.straight
        room = (f.width - 20 - BETWEEN) / 2 if self.beside else f.width - 20
        fit = (room, most, inset)
        self.indexes = [IndexedGrid(f, g, fit, picked, keys_of[0]) for g in m["indices"]]
        self.source: IndexedGrid | None = None
        if m["source"] is not None:
            pick = None if across and gathers else picked
            self.source = IndexedGrid(f, m["source"], fit, pick, keys_of[1])
        left = self.indexes if self.source is None else [*self.indexes, self.source]
        self.before: IndexedGrid | None = None
        if self.beside:
            fit = (f.width - 20 - BETWEEN - max([g.width for g in left]), most, inset)
        if m["before"] is not None:
            pick = None if across else picked
            self.before = IndexedGrid(f, m["before"], fit, pick, {} if gathers else keys_of[2])
        pick = None if across and not gathers else picked
        self.out = IndexedGrid(f, m["target"], fit, pick, keys_of[2])
        self.values = self.source.values if self.source is not None else {}

    # Drawing ----------------------------------------------------------------------------------------------------------------------

    def draw(self, y: float, items: list[Item]) -> float:
        """Draw the map below `y`, and return the y at its end."""
        m, f = self.m, self.f
        k = [f"p{self.at + 1}"]
        items.append(
            labelled(
                text(10, y + 20, clip(m["rule"], int((f.width - 20) / CHAR)), "title mono", k), m["rule"]
            )
        )
        y += 24
        for line in wrap(m["description"], int((f.width - 20) / NOTE_CHAR)):
            items.append(text(10, y + 14, line, "note muted"))
            y += 18
        bottom = self._place(y + 4)
        words: list[Item] = []
        for drawn in self.indexes:
            drawn.draw(items, words, lambda n, e: self._index_cell(n, e))
        if self.source is not None:
            self.source.draw(items, words, lambda n, e: self._source_cell(n, e))
        if self.before is not None:
            self.before.draw(items, words, lambda n, e: self._before_cell(n, e))
        self.out.draw(items, words, lambda n, e: self._target_cell(n, e))
        items.append(group(self._arrows(), label="where each cell goes"))
        items.extend(words)
        return bottom + 8

    def _place(self, y: float) -> float:
        """Place the grids, and return the y below them."""
        grids = self.indexes if self.source is None else [*self.indexes, self.source]
        after = [self.out] if self.before is None else [self.before, self.out]
        if self.straight and self.before is not None:
            after = [self.out, self.before]  # nothing stands between source and target
        if not self.beside:
            for grid in [*grids, *after]:
                grid.place(10, y + (DROP if self.straight and grid is self.out else 0))
                y = grid.bottom() + 10
            return y
        left = y
        right = y
        x = 10 + max([grid.width for grid in grids]) + BETWEEN
        for grid in grids:
            grid.place(10, left)
            left = grid.bottom() + 6
        for grid in after:
            grid.place(x, right)
            right = grid.bottom() + 6
        return max(left, right)

    def _index_cell(self, n: int, e: int) -> tuple[str, str]:
        return ("alias" if e in self.moves_of[0] else "muted"), self.rules(self.moves_of[0].get(e, []))

    def _source_cell(self, n: int, e: int) -> tuple[str, str]:
        used, lost = self.m["source_counts"][n], self.m.get("drops_overwritten", False)
        if self.m["undefined_order"] and self._loses(e):
            return "error struck", "overwritten"
        if lost and not self.m["moves"] and used:
            return LOST
        return (
            ("plain", self.rules(self.moves_of[1].get(e, [])))
            if lost or used
            else ("unused muted", "not used")
        )

    def _loses(self, e: int) -> bool:
        """Whether a cell of the source is not what stands in the end where it went."""
        there = [self.m["moves"][i][2] for i in self.moves_of[1].get(e, [])]
        return bool(there) and all([self.out.values.get(t) != self.values.get(e) for t in there])

    def _before_cell(self, n: int, e: int) -> tuple[str, str]:
        if self.m["gathers"]:
            return (
                LOST
                if self.m.get("drops_overwritten", False) and self.m["source_counts"][n]
                else ("plain", "")
            )
        return "plain", "" if self.m["target_counts"][n] else "untouched"

    def _target_cell(self, n: int, e: int) -> tuple[str, str]:
        m, gathers = self.m, self.m["gathers"]
        count, said = m["target_counts"][n], self.rules(self.moves_of[2].get(e, []))
        if count <= 0:  # -1: not counted
            return "muted", "" if gathers or count else "untouched"
        c = "error" if m["undefined_order"] and count > 1 else "gradient" if gathers else "write"
        many = f"{count:,} {'reads' if gathers else 'writes'}" if count > 1 else ""
        return c + self.now, ": ".join([s for s in (many, said) if s])

    def rules(self, which: list[int]) -> str:
        """The rule with the numbers of some moves."""
        said = "; ".join([rule(self.m, self.m["moves"][i], self.values) for i in which[:SAID]])
        return said + (f"; … {plural(len(which) - SAID, 'move')} more" if len(which) > SAID else "")

    # Arrows -----------------------------------------------------------------------------------------------------------------------

    def _arrows(self) -> list[Item]:
        """An arrow for each move, or for each row that moves as a whole."""
        moves = self.m["moves"]
        rows = self._rows()
        done: set[int] = set()
        arrows: list[Item] = []
        for row in rows:
            done.update(row)
        for row in rows[:ARROWS]:
            first, last = self._cells(row[0]), self._cells(row[-1])
            if first is not None and last is not None:
                said = f"{rule(self.m, moves[row[0]], self.values)}, and so the whole row"
                arrows.append(self._row_arrow(row, last[0], first[1], last[1], said))
        for i in range(len(moves)):
            if i not in done and len(arrows) < ARROWS:
                ends = self._cells(i)
                if ends is not None:
                    arrows.append(self._cell_arrow(i, ends[0], ends[1]))
        return arrows

    def _cells(self, i: int) -> tuple[Cell, Cell] | None:
        """The cells between which a move goes, if both are drawn."""
        _, source, target = self.m["moves"][i]
        cells, key = (
            (self.indexes[0].cells, self.m["moves"][i][0])
            if self.source is None
            else (self.source.cells, source)
        )
        start, end = cells.get(key), self.out.cells.get(target)
        return None if start is None or end is None else (start, end)

    def _cell_arrow(self, i: int, start: Cell, end: Cell) -> Item:
        """An arrow from the middle of a cell to that of another. It runs beside the edges of rows: on an edge one would not see it, farther off numbers
        would be under it."""
        lane = 2 + 1.2 * (start.place % 4)  # so that one sees which is which
        x0, y0, x1, y1 = start.middle(), start.y + HEIGHT + lane, end.middle(), end.y - lane
        out, back = self._sides()
        way: list[str | float] = ["V", y0, "H", out, *self._across(out, y0, back, y1), "H", x1, "V"]
        stop = end.y + 6
        if self.straight:
            stop = end.y - 22  # above the numbers of the columns
            way = ["C", x0, y0 + 14, x1, stop - 20, x1]
        tip: list[str | float] = ["M", x1 - 4, stop - 5, "L", x1, stop, "L", x1 + 4, stop - 5]
        said = rule(self.m, self.m["moves"][i], self.values)
        return self._arrow(
            [i], points("M", x0, y0 - lane, *way, stop, *tip), x0, start.y + HEIGHT - 2, said, ""
        )

    def _row_arrow(self, row: list[int], start: Cell, first: Cell, last: Cell, said: str) -> Item:
        """A thick arrow from the end of a row to a row of the target: to its begin, or to its end if that is below the source."""
        x0, y0, y1 = start.x + start.w, start.y + HEIGHT / 2, first.y + HEIGHT / 2
        if len(self.out.drawn) > 1:
            y1 = first.y  # along the edges of the other slices
        out, back = self._sides()
        x1 = first.x if self.beside else last.x + last.w
        if self.beside and first.x < self.out.x + self.out.margin + 1:
            x1 = back  # the number of the row stands between
        ahead = -6 if self.beside else 6
        curve = points("M", x0, y0, "H", out, *self._across(out, y0, back, y1), "H", x1)
        tip = points("M", x1 + ahead, y1 - 4, "L", x1, y1, "L", x1 + ahead, y1 + 4)
        return self._arrow(row, f"{curve} {tip}", x0, y0, said, "mark ")

    def _sides(self) -> tuple[float, float]:
        """Where arrows leave what is at the left, and where they arrive at the target."""
        grids = self.indexes if self.source is None else [*self.indexes, self.source]
        if self.beside:
            return max([grid.right() for grid in grids]) + 4, self.out.x - 4
        below = [self.out] if self.before is None else [self.before, self.out]
        side = max([grid.x + grid.width for grid in [*grids, *below]]) + 4  # beside their headings, too
        return side, side

    def _across(self, x0: float, y0: float, x1: float, y1: float) -> list[str | float]:
        """The curve between the sides."""
        if self.beside:
            bend = (x1 - x0) / 2
            return ["C", x0 + bend, y0, x1 - bend, y1, x1, y1]
        return ["C", x0 + 14, y0, x1 + 14, y1, x1, y1]

    def _arrow(self, row: list[int], d: str, x: float, y: float, said: str, c: str) -> Item:
        m = self.m
        meets = m["undefined_order"] and len(self.moves_of[2][m["moves"][row[0]][2]]) > 1
        meaning = "gradient" if m["gathers"] else "error" if meets else "write"
        k = [f"p{self.at + 1}:{i}" for i in row]
        return group(
            [path(d, f"edge arrow {c}{meaning}", k), rect(x - 2, y - 2, 4, 4, f"end {meaning}", k)], k, said
        )

    def _rows(self) -> list[list[int]]:
        """The moves of each row that moves as a whole, in the order of its columns."""
        source, target = self.m["source"], self.m["target"]
        if source is None or len(target["shape"]) < 2 or len(source["shape"]) < 2:
            return []
        n, columns = target["shape"][-1], len(kept(target)[-1])
        if n < 2 or source["shape"][-1] != n or len(kept(source)[-1]) != columns:
            return []
        found: dict[str, list[int]] = {}
        for i in range(len(self.m["moves"])):
            _, e, to = self.m["moves"][i]
            if e % n == to % n:
                found.setdefault(f"{e // n} {to // n}", []).append(i)
        rows: list[list[int]] = []
        for key in found:
            row = found[key]
            if len(row) == columns and len({self.m["moves"][i][2] for i in row}) == columns:
                row.sort(key=lambda i: self.m["moves"][i][2])
                rows.append(self._shown(row))
        return rows

    def _shown(self, row: list[int]) -> list[int]:
        """The moves of a row, without those at its end that are not drawn: an arrow goes from its last cell to its first."""
        drawn = [i for i in row if self._cells(i) is not None]
        return drawn or row

    # Words ------------------------------------------------------------------------------------------------------------------------

    def tell(self, y: float, last: bool, items: list[Item], rows: list[list[str]]) -> float:
        """Write the summary below the map, add the moves to the table, and return the y below."""
        m, moves, f = self.m, self.m["moves"], self.f
        y += 12
        lines: list[str] = []
        if moves:
            lines.append(m["summary"])
            if len(moves) < m["total_moves"]:
                lines[0] += f"; {plural(len(moves), 'move')} of {m['total_moves']:,} drawn"
            for i in range(min(len(moves), RULES)):
                cell = at_text(moves[i][0], m["indices"][0]["shape"])
                rows.append([cell, rule(m, moves[i], self.values), m["results"][i]])
        if last and m.get("backward_rule"):
            lines.append(f"backward: {m['backward_rule']}")
        for line in lines:
            rows.append(["", line, ""])
            for part in wrap(line, int((f.width - 20) / NOTE_CHAR)):
                items.append(text(10, y, part, "note muted"))
                y += 18
        return y
