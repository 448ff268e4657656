"""A tensor of an index operator as a grid of cells, and the rule of the operator with the numbers of one cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jgrad.tracing.document.schema import Grid, IndexMap
from jgrad.views.geometry import place_of, size_of, unravel
from jgrad.views.scene import (
    Frame,
    Item,
    clip,
    group,
    labelled,
    note_width,
    path,
    plural,
    points,
    rect,
    shape_text,
    text,
    width,
)

CELLS = 12  # at most so many rows and columns of a grid are drawn
SLICES = 4  # at most so many two-dimensional slices of a larger grid are drawn
HEIGHT = 26  # height of a cell
HEAD = 44  # room for the name of a grid and the numbers of its columns


class Cell:
    """A cell of a grid that is drawn."""

    def __init__(self, x: float, y: float, w: float, place: int, value: str) -> None:
        """`place`: its position in the document."""
        self.x, self.y, self.w, self.place, self.value = x, y, w, place, value

    def middle(self) -> float:
        return self.x + self.w / 2


class IndexedGrid:
    """A tensor as a grid of cells. With more than two dimensions it is drawn as slices side by side.

    First it is made, then placed: its corner is that of the space for its name.
    """

    def __init__(
        self,
        f: Frame,
        grid: Grid,
        fit: tuple[float, int, float],
        picked: list[int] | None,
        keys: dict[int, list[str]],
    ) -> None:
        """`fit`: its greatest width (unless one column is wider), its greatest number of rows, and how wide its name is at its left, 0 if that
        stands above. `keys` are those of each cell's moves."""
        self.f, self.grid, self.keys = f, grid, keys
        room, most, inset = fit
        self.inset = inset
        self.top = 22 if inset else HEAD
        shape, coordinates = grid["shape"], kept(grid)
        self.rows = coordinates[-2] if len(shape) > 1 else [0]
        self.columns = coordinates[-1] if shape else [0]
        self.leads = product(coordinates[:-2])
        self.cell = 34.0
        for t in grid["elements"]:
            self.cell = max(self.cell, width(t) + 12)
        self.margin = 10 + note_width(str(self.rows[-1])) if self.rows and len(shape) > 1 else inset
        room = max(room - self.margin, 0)
        self.across = max(min(len(self.columns), CELLS, int(room / self.cell)), min(len(self.columns), 1))
        self.down = min(len(self.rows), most)
        self.gap = self.across * self.cell + 20
        drawn = [picked] if picked in self.leads else self.leads
        self.drawn = drawn[: min(max(int((room + 20) / self.gap), 1), SLICES)]
        self.values: dict[int, str] = {}  # by cell that the document keeps, its text
        self.cells: dict[int, Cell] = {}  # by cell that is drawn
        self.x = 0.0
        self.y = 0.0
        self._fill()
        self.hidden = size_of(shape) - len(self.cells)
        self.head = head_of(grid)
        self.width = max(self.margin + len(self.drawn) * self.gap - 20, width(self.head))
        self.height = (
            self.top + self.down * HEIGHT + (18 if len(shape) > 2 else 0) + (18 if self.hidden else 0)
        )

    def _fill(self) -> None:
        """Find the value of each cell that is kept, and where those lie that are drawn."""
        shape, n = self.grid["shape"], 0
        for lead in self.leads:
            for i in range(len(self.rows)):
                for j in range(len(self.columns)):
                    e = 0
                    for d, p in enumerate([*lead, *[self.rows[i], self.columns[j]][-len(shape) :]]):
                        e = e * (shape[d] if shape else 1) + p
                    value = self.grid["elements"][n]
                    self.values[e] = value
                    if lead in self.drawn and i < self.down and j < self.across:
                        left = self.margin + self.drawn.index(lead) * self.gap + j * self.cell
                        self.cells[e] = Cell(left, self.top + i * HEIGHT, self.cell, n, value)
                    n += 1

    def place(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        for e in self.cells:
            cell = self.cells[e]
            cell.x += x
            cell.y += y

    def right(self) -> float:
        """The right end of its cells."""
        return self.x + self.margin + len(self.drawn) * self.gap - 20

    def bottom(self) -> float:
        return self.y + self.height

    def draw(self, items: list[Item], words: list[Item], look: Callable[[int, int], tuple[str, str]]) -> None:
        """Draw all cells, with their texts in `words`. `look` gives the class of each cell, and a remark."""
        grid, shape, name = self.grid, self.grid["shape"], self.grid["name"]
        k = [] if grid["tensor"] is None else [f"t{grid['tensor']}"]
        items.append(text(self.x, self.y + (self.top + 18 if self.inset else 16), self.head, "title", k))
        cells: list[Item] = []
        self._draw_labels(cells)
        for e in self.cells:
            cell = self.cells[e]
            c, remark = look(cell.place, e)
            label = f"{name}{at_text(e, shape)} is {cell.value}" + (f", {remark}" if remark else "")
            keys = self._element(e) + self.keys.get(e, [])
            cells.append(labelled(rect(cell.x, cell.y, cell.w, HEIGHT, "box " + c, keys), label))
            words.append(text(cell.x + cell.w / 2, cell.y + 18, cell.value, "mono " + c, keys, a="middle"))
        items.append(group(cells, k, self.head))

    def _draw_labels(self, cells: list[Item]) -> None:
        """The numbers of rows and columns, what is left out between columns, and the positions of slices."""
        shape, top = self.grid["shape"], self.y + self.top
        x, under = self.x + self.margin, top + self.down * HEIGHT
        for lead in self.drawn:
            for j in range(self.across):
                left = x + j * self.cell
                if shape:
                    cells.append(
                        text(left + self.cell / 2, top - 9, str(self.columns[j]), "note muted", a="middle")
                    )
                if j > 0 and self.columns[j] > self.columns[j - 1] + 1:
                    cells.append(path(points("M", left, top - 14, "V", under), "edge cut muted"))
            if len(shape) > 2:
                cells.append(
                    text(x + self.gap / 2 - 10, under + 14, brackets(lead), "note muted", a="middle")
                )
            x += self.gap
        if self.margin and not self.inset:
            for i in range(self.down):
                at = self.x + self.margin - 6
                cells.append(text(at, top + i * HEIGHT + 18, str(self.rows[i]), "note muted", a="end"))
        if self.hidden:
            said = f"… {plural(self.hidden, 'more cell')}"
            cells.append(text(self.x + self.margin, self.bottom() - 4, said, "note muted"))

    def _element(self, e: int) -> list[str]:
        """The link key of the storage element that a cell shows."""
        tensor = self.grid["tensor"]
        t = None if tensor is None else self.f.state[tensor]
        if t is None or t["shape"] != self.grid["shape"]:
            return []
        return [f"s{t['storage']}:{place_of(t, unravel(e, t['shape']))}"]


def head_of(grid: Grid) -> str:
    """The name of a grid."""
    return f"{clip(grid.get('title', grid['name']), 26)} {shape_text(grid['shape'])}"


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
    position: list[int | str] = list(unravel(e, shape))
    for n, d in enumerate(m["indexed_dims"]):
        position[d] = names[n]
    return brackets(position)


def at_text(e: int, shape: list[int]) -> str:
    """A flat position as an index: "[0][3]"."""
    return brackets(unravel(e, shape))


def brackets(position: Sequence[int | str]) -> str:
    return "".join([f"[{i}]" for i in position])


def product(coordinates: list[list[int]]) -> list[list[int]]:
    """All positions with these coordinates, in row-major order."""
    found: list[list[int]] = [[]]
    for choices in coordinates:
        found = [[*place, i] for place in found for i in choices]
    return found
