"""The scatter map: which cell an index operator reads, and to which cell it writes it. Below it is the same for its backward.

The recorder works out what the operator does (`jgrad/trace/record/indexes.py`). This file knows only grids, and moves between their cells. A
grid of more than two dimensions is drawn as slices side by side; `choice` is the position of one of the scene's `choices`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jgrad.trace.document.schema import Grid, IndexMap
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
    rect,
    shape_text,
    text,
)

CELLS = 12  # at most so many rows and columns of a grid are drawn
HALVED = 8  # at most so many rows of a grid if there is a second map below
SLICES = 4  # at most so many two-dimensional slices of a larger grid are drawn
HEIGHT = 26  # height of a cell
ARROWS = 144  # at most so many are drawn
RULES = 400  # the table has at most so many rows
SAID = 6  # a tooltip has at most so many rules
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
    at = max([i for i, _ in f.index.maps if i < cursor], default=-1)
    if at < 0:
        items = [text(10, 24, "no scatter or gather operation yet", "muted")]
        return finished("scatter", "Scatter map", f, 48, items, COLUMNS, [])
    of = steps[at]["index_map"].get("forward_step")
    shown = [at] if of is None or not steps[of].get("index_map") else [of, at]
    items = []
    rows: list[list[str]] = []
    slices = _slices(steps[shown[0]]["index_map"])
    picked = slices[choice] if choice is not None and choice < len(slices) else None
    y = 0.0
    for n in shown:
        if n != shown[0]:
            items.append(path(points("M", 10, y + 2, "H", WIDTH - 10), "edge rule muted"))
            y += 14
            rows.append(["", f"backward: {steps[n]['index_map']['rule']}", ""])
        y = _map(f, n, y, CELLS if len(shown) == 1 else HALVED, picked, n == shown[-1], items, rows)
    y = legend(LEGEND, y - 4, items)
    made = finished("scatter", "Scatter map", f, y, items, COLUMNS, rows)
    if at != cursor - 1:
        made["caption"] += f" · shown: {steps[at]['text']}"
    if len(slices) > 1:
        made["choices"] = [_brackets(lead) for lead in slices]
    return made


def _slices(m: IndexMap) -> list[list[int]]:
    """The leading coordinates between which the reader can choose: those of the grid whose elements move."""
    for grid in [m["target"] if m["gathers"] else m["source"], *m["indices"], m["target"]]:
        if grid is not None and len(grid["shape"]) > 2:
            return product(kept(grid)[:-2])
    return []


def _map(  # noqa: C901  (see "Long functions" in docs/architecture.md)
    f: Frame,
    at: int,
    y: float,
    most: int,
    picked: list[int] | None,
    last: bool,
    items: list[Item],
    rows: list[list[str]],
) -> float:
    """Draw one map below `y`, and return the y at its end."""
    m = f.document["steps"][at]["index_map"]
    moves, gathers, lost = m["moves"], m["gathers"], m.get("drops_overwritten", False)
    now = " now" if at == f.cursor - 1 else ""
    items.append(text(10, y + 20, clip(m["rule"], 128), "title mono", [f"p{at + 1}"]))
    items.append(text(10, y + 38, clip(m["description"], 130), "muted"))
    # The moves of each cell of the index, the source and the target.
    of: list[dict[int, list[int]]] = [{}, {}, {}]
    for i in range(len(moves)):
        for side in range(3):
            of[side].setdefault(moves[i][side], []).append(i)
    # A grid that is indexed along a leading dimension shows all its slices, whichever slice of the others was chosen.
    indexed = m["source"] if gathers else m["target"]
    across = indexed is not None and any([d < len(indexed["shape"]) - 2 for d in m["indexed_dims"] or []])
    # At the left the index above the source, at the right the target before and, below it, after.
    half = WIDTH / 2 - 80
    grids: list[_Grid] = []
    bottom = y + 48
    for n, grid in enumerate([*m["indices"], m["source"]]):
        if grid is not None:
            is_source = n == len(m["indices"])
            of_grid = of[1] if is_source else of[0]
            pick = None if across and is_source and gathers else picked
            grids.append(_Grid(f, at, grid, 10, bottom + 52, half, most, pick, of_grid))
            bottom = grids[-1].bottom
    indexes, source = (grids, None) if m["source"] is None else (grids[:-1], grids[-1])
    right = max([g.right for g in grids] + [250]) + 110
    pick = None if across and not gathers else picked
    before, below = None, y + 100
    if m["before"] is not None:
        before = _Grid(
            f,
            at,
            m["before"],
            right,
            below,
            WIDTH - 10,
            most,
            None if across else picked,
            {} if gathers else of[2],
        )
        below = before.bottom + 52
    out = _Grid(f, at, m["target"], right, below, WIDTH - 10, most, pick, of[2])
    values = source.values if source is not None else {}
    words: list[Item] = []

    def rules(which: list[int]) -> str:
        said = "; ".join([rule(m, moves[i], values) for i in which[:SAID]])
        return said + (f"; … {plural(len(which) - SAID, 'move')} more" if len(which) > SAID else "")

    def index_cell(n: int, e: int) -> tuple[str, str]:
        return ("alias" if e in of[0] else "muted"), rules(of[0].get(e, []))

    def source_cell(n: int, e: int) -> tuple[str, str]:
        if lost and not moves and m["source_counts"][n]:
            return LOST
        return (
            ("plain", rules(of[1].get(e, [])))
            if lost or m["source_counts"][n]
            else ("unused muted", "not used")
        )

    def before_cell(n: int, e: int) -> tuple[str, str]:
        if gathers:
            return LOST if lost and m["source_counts"][n] else ("plain", "")
        return "plain", "" if m["target_counts"][n] else "untouched"

    def target_cell(n: int, e: int) -> tuple[str, str]:
        count, said = m["target_counts"][n], rules(of[2].get(e, []))
        if count <= 0:  # -1: not counted
            return "muted", "" if gathers or count else "untouched: keeps its value"
        c = "error" if m["undefined_order"] and count > 1 else "gradient" if gathers else "write"
        many = f"{count:,} {'reads' if gathers else 'writes'}" if count > 1 else ""
        return c + now, ": ".join([s for s in (many, said) if s])

    for drawn in indexes:
        drawn.draw(items, words, index_cell)
    if source is not None:
        source.draw(items, words, source_cell)
    if before is not None:
        before.draw(items, words, before_cell)
    out.draw(items, words, target_cell)
    arrows = []
    for i in range(min(len(moves), ARROWS)):
        start = source.places.get(moves[i][1]) if source is not None else indexes[0].places.get(moves[i][0])
        end = out.places.get(moves[i][2])
        if start is None or end is None:
            continue
        # From the lower right of the cell to the upper left of the other, so that the numbers stay free.
        x0, y0 = start[0] + start[2] - 4, start[1] + HEIGHT - 5
        x1, y1 = end[0] + 4, end[1] + 5
        curve = points("M", x0, y0, "C", x0 + 70, y0, x1 - 80, y1 - 6, x1, y1)
        tip = points("M", x1 - 6, y1 - 4, "L", x1, y1, "L", x1 - 6, y1 + 3)
        meets = m["undefined_order"] and len(of[2][moves[i][2]]) > 1
        c = "gradient" if gathers else "error" if meets else "write"
        k = [f"p{at + 1}:{i}"]
        ends = [path(f"{curve} {tip}", f"edge arrow {c}", k), rect(x0 - 2, y0 - 2, 4, 4, f"end {c}", k)]
        arrows.append(group(ends, k, rule(m, moves[i], values)))
    items.append(group(arrows, label="where each cell goes"))
    items.extend(words)
    y = max(out.bottom, bottom) + 26
    lines = []
    if moves:
        meeting = [t for t in of[2] if len(of[2][t]) > 1]
        example = of[2][meeting[-1]][-1] if meeting and not gathers else len(moves) - 1
        items.append(text(10, y, clip(rule(m, moves[example], values), 128), "mono"))
        y += 18
        lines.append(m["summary"])
        if len(moves) < m["total_moves"]:
            lines[0] += f"; {plural(len(moves), 'move')} of {m['total_moves']:,} drawn"
        for i in range(min(len(moves), RULES)):
            cell = at_text(moves[i][0], m["indices"][0]["shape"])
            rows.append([cell, rule(m, moves[i], values), m["results"][i]])
    if last and m.get("backward_rule"):
        lines.append(f"backward: {m['backward_rule']}")
    for line in lines:
        items.append(text(10, y, clip(line, 130), "muted"))
        rows.append(["", line, ""])
        y += 18
    return y


class _Grid:
    """A tensor as a grid of cells. With more than two dimensions it is drawn as slices side by side."""

    def __init__(
        self,
        f: Frame,
        at: int,
        grid: Grid,
        x: float,
        y: float,
        right: float,
        most: int,
        picked: list[int] | None,
        moves: dict[int, list[int]],
    ) -> None:
        """The grid is at x, y, reaches to `right` at most, and has at most `most` rows. `moves` are the moves of each cell."""
        self.f, self.at, self.grid, self.x, self.y, self.moves = f, at, grid, x + 20, y, moves
        shape, coordinates = grid["shape"], kept(grid)
        self.rows = coordinates[-2] if len(shape) > 1 else [0]
        self.columns = coordinates[-1] if shape else [0]
        leads = product(coordinates[:-2])
        self.cell = min(max(max([columns_of(t) for t in grid["elements"]] + [2]) * CHAR + 10, 34.0), 84.0)
        room = right - x - 24
        self.across = min(len(self.columns), CELLS, int(room / self.cell))
        self.down = min(len(self.rows), most)
        self.gap = self.across * self.cell + 20
        drawn = [picked] if picked in leads else leads
        self.drawn = drawn[: min(max(int((room + 20) / self.gap), 1), SLICES)]
        self.values: dict[int, str] = {}  # by cell that the document keeps, its text
        self.places: dict[
            int, tuple[float, float, float, int]
        ] = {}  # by cell that is drawn: x, y, width, position in the document
        n = 0
        for lead in leads:
            for i in range(len(self.rows)):
                for j in range(len(self.columns)):
                    e = 0
                    for d, p in enumerate([*lead, *[self.rows[i], self.columns[j]][-len(shape) :]]):
                        e = e * (shape[d] if shape else 1) + p
                    self.values[e] = grid["elements"][n]
                    if lead in self.drawn and i < self.down and j < self.across:
                        left = self.x + self.drawn.index(lead) * self.gap + j * self.cell
                        self.places[e] = left, y + i * HEIGHT, self.cell, n
                    n += 1
        self.hidden = _size(shape) - len(self.places)
        self.right = self.x + len(self.drawn) * self.gap - 20
        self.bottom = y + self.down * HEIGHT + (18 if len(shape) > 2 else 0) + (18 if self.hidden else 0)

    def draw(self, items: list[Item], words: list[Item], look: Callable[[int, int], tuple[str, str]]) -> None:
        """Draw all cells, with their texts in `words`. `look` gives the class of each cell, and a remark."""
        grid, shape, x, y = self.grid, self.grid["shape"], self.x, self.y
        name, tensor = grid["name"], grid["tensor"]
        k = [] if tensor is None else [f"t{tensor}"]
        variable = "" if tensor is None else self.f.named(tensor)
        head = grid.get("title", name) + (f" = {variable}" if variable not in ("", name) else "")
        items.append(text(x, y - 18, f"{clip(head, 30)} {shape_text(shape)}", "title", k))
        cells: list[Item] = []
        under = y + self.down * HEIGHT
        for lead in self.drawn:
            for j in range(self.across):
                left = x + j * self.cell
                cells.append(text(left + self.cell / 2, y - 4, str(self.columns[j]), "muted", a="middle"))
                if j > 0 and self.columns[j] > self.columns[j - 1] + 1:
                    cells.append(path(points("M", left, y - 12, "V", under), "edge cut muted"))
            if len(shape) > 2:
                cells.append(text(x + self.gap / 2 - 10, under + 14, _brackets(lead), "muted", a="middle"))
            x += self.gap
        for i in range(self.down if len(shape) > 1 else 0):
            cells.append(text(self.x - 6, y + i * HEIGHT + 17, str(self.rows[i]), "muted", a="end"))  # noqa: PERF401
        for e in self.places:
            left, top, w, n = self.places[e]
            c, remark = look(n, e)
            value = self.values[e]
            label = f"{name}{at_text(e, shape)} is {value}" + (f", {remark}" if remark else "")
            keys = self._element(e) + [f"p{self.at + 1}:{i}" for i in self.moves.get(e, [])]
            cells.append(rect(left, top, w, HEIGHT, "box " + c, keys, label))
            fits = clip(value, int((w - 4) / CHAR))
            words.append(text(left + w / 2, top + 17, fits, "mono " + c, keys, a="middle"))
        if self.hidden:
            cells.append(text(self.x, self.bottom - 2, f"… {plural(self.hidden, 'more cell')}", "muted"))
        items.append(group(cells, k, f"{head} {shape_text(shape)}"))

    def _element(self, e: int) -> list[str]:
        """The link key of the storage element that a cell shows."""
        tensor = self.grid["tensor"]
        t = None if tensor is None else self.f.state[tensor]
        if t is None or t["shape"] != self.grid["shape"]:
            return []
        at, place = t["storage_offset"], _unravel(e, t["shape"])
        for d in range(len(place)):
            at += place[d] * t["stride"][d]
        return [f"s{t['storage']}:{at}"]


def kept(grid: Grid) -> list[list[int]]:
    """The coordinates of a grid's cells along each dimension."""
    return grid.get("kept") or [list(range(n)) for n in grid["shape"]]


def rule(m: IndexMap, move: list[int], values: dict[int, str]) -> str:
    """The rule with the numbers of one move: "self[index[0][3]][3] = src[0][3] = 4, at self[0][3]". `values` are those of the source."""
    cell, source, target = move
    to, of = m["target"], m["source"]
    value = f" = {values[source]}" if source in values else ""
    if m["gathers"] and of is not None:
        place = at_text(source, of["shape"])
        there = _with_index(m, cell, source, of["shape"])
        again = f" = {of['name']}{place}" if there != place else ""
        return f"{to['name']}{at_text(target, to['shape'])} {m['assignment']} {m['factor']}{of['name']}{there}{again}{value}"
    what = f"value = {m['value']}" if of is None else f"{of['name']}{at_text(source, of['shape'])}{value}"
    place = at_text(target, to["shape"])
    there = _with_index(m, cell, target, to["shape"])
    return f"{to['name']}{there} {m['assignment']} {m['factor']}{what}" + (
        f", at {to['name']}{place}" if there != place else ""
    )


def _with_index(m: IndexMap, cell: int, e: int, shape: list[int]) -> str:
    """The position of a cell, with the index cells that gave its numbers: "[index[0][3]][3]"."""
    names = [f"{g['name']}{at_text(cell, g['shape'])}" for g in m["indices"]]
    if m["indexed_dims"] is None:
        return f".flatten()[{names[0]}]"
    position: list[int | str] = list(_unravel(e, shape))
    for n, d in enumerate(m["indexed_dims"]):
        position[d] = names[n]
    return _brackets(position)


def at_text(e: int, shape: list[int]) -> str:
    """A flat position as an index: "[0][3]"."""
    return _brackets(_unravel(e, shape))


def _brackets(position: Sequence[int | str]) -> str:
    return "".join([f"[{i}]" for i in position])


def product(coordinates: list[list[int]]) -> list[list[int]]:
    """All positions with these coordinates, in row-major order."""
    found: list[list[int]] = [[]]
    for choices in coordinates:
        found = [[*place, i] for place in found for i in choices]
    return found


def _unravel(e: int, shape: list[int]) -> list[int]:
    position = [0] * len(shape)
    for d in range(len(shape) - 1, -1, -1):
        position[d] = e % max(shape[d], 1)
        e //= max(shape[d], 1)
    return position


def _size(shape: list[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n
