"""A tensor in its own shape: a grid of its elements, slices side by side if it has more than two dimensions."""

from __future__ import annotations

from jgrad.tracing.document.schema import TraceTensor
from jgrad.views.geometry import indexes, place_of, scale_of, unravel
from jgrad.views.memory import Memory
from jgrad.views.scene import CHAR, Frame, Item, clip_name, labelled, note_width, rect, text, width
from jgrad.views.strips import cell_width

HEIGHT = 26  # of a cell
LEAST = 30.0  # width of a cell
GAP = 22.0  # width or height of what is left out
ROWS = 8  # at most so many rows are drawn
SLICES = 4  # at most so many slices


class Cell:
    """A cell of a grid."""

    def __init__(self, x: float, y: float, index: list[int], element: int) -> None:
        self.x, self.y, self.index, self.element = x, y, index, element
        self.first = True  # whether no cell before it shows the same element
        self.row = 0


class Grid:
    """The elements of a tensor as cells around a corner at 0, 0, at most `room` wide unless one column is wider.

    `upright`: a tensor of one dimension is drawn as a column, since it is one of another tensor. `overwritten`: what the step overwrote is
    shown in the cells.
    """

    def __init__(
        self,
        f: Frame,
        memory: Memory,
        t: TraceTensor,
        room: float,
        upright: bool = False,
        overwritten: bool = False,
    ) -> None:
        self.f, self.holdings, self.t, self.overwritten = f, memory, t, overwritten
        shape = t["shape"]
        self.cells: list[Cell] = []
        self.marks: list[tuple[float, float, str]] = []  # words between and below cells: x, y, text
        self.width = 0.0
        self.height = 0.0
        self.cell = LEAST
        if 0 in shape:
            return
        focus = self._focus()
        leading = shape[:-2]
        slices = kept_of(leading, focus, SLICES)
        extent = shape[-1] if shape else 1
        rows = shape[-2] if len(shape) > 1 else 1
        standing = upright and len(shape) == 1
        if standing:
            rows, extent = extent, 1
        self.down = chosen(
            rows, ROWS, [i[-1] if standing else i[-2] for i in focus if standing or len(i) > 1]
        )
        self.cell = self._widest(slices, standing)
        most = max(int((room - GAP) / self.cell), 1)
        if extent * self.cell <= room:
            most = extent
        self.across = chosen(extent, most, [i[-1] for i in focus if i and not standing])
        x = 0.0
        total = 1
        for n in leading:
            total *= n
        for k, lead in enumerate(slices):
            end = self._place(lead, x, standing)
            if len(shape) > 2:
                label = "".join([f"[{i}]" for i in lead])
                wide = max(note_width(label), end - x)
                self.marks.append((x + wide / 2, self.height + 14, label))
                end = x + wide
            self.width = end
            if end + 16 + end - x > room or k + 1 == len(slices):
                if k + 1 < total:
                    self.marks.append((end + 12, HEIGHT / 2 + 4, "…"))
                    self.width += 20
                break
            x = end + 16
        if len(shape) > 2:
            self.height += 18
        self._find_repeated()

    def _focus(self) -> list[list[int]]:
        """The indexes that must be drawn: of what the step wrote to."""
        scale = scale_of(self.holdings.row, self.t)
        found: list[list[int]] = []
        for e in sorted(self.holdings.written)[:4]:
            read = indexes(self.t, e, scale)
            if read:
                found.append([max(i, 0) for i in read[0]])
        return found

    def _widest(self, slices: list[list[int]], standing: bool) -> float:
        """The width of a cell: of the longest number in the rows that are drawn."""
        m, t, wide = self.holdings, self.t, LEAST
        n = t["shape"][-1] if t["shape"] else 1
        looked = list(range(n)) if n <= 64 else [*range(32), *range(n - 32, n)]
        for lead in slices:
            for i in self.down:
                for j in looked if not standing else [0]:
                    if i is None:
                        continue
                    index = self._index(lead, i, j, standing)
                    wide = max(wide, width(m.read(t, index)) + 12)
                    if self.overwritten:
                        e = m.element_of(t, index)
                        if m.old(e):
                            wide = max(wide, cell_width(m, e))
        return wide

    def _index(self, lead: list[int], i: int, j: int, standing: bool) -> list[int]:
        if standing:
            return [i]
        return [*lead, *[i, j][-len(self.t["shape"]) :]] if self.t["shape"] else []

    def _place(self, lead: list[int], x: float, standing: bool) -> float:
        """Place the cells of a slice at x, and return its right end."""
        y = 0.0
        end = 0.0
        for row, i in enumerate(self.down):
            if i is None:
                self.marks.append((x + self.cell / 2, y + 16, "⋮"))
                y += GAP
                continue
            at = x
            for j in self.across:
                if j is None:
                    self.marks.append((at + GAP / 2, y + 17, "…"))
                    at += GAP
                    continue
                index = self._index(lead, i, j, standing)
                cell = Cell(at, y, index, self.holdings.element_of(self.t, index))
                cell.row = row
                self.cells.append(cell)
                at += self.cell
            end = max(end, at)
            y += HEIGHT
        self.height = max(self.height, y)
        return end

    def _find_repeated(self) -> None:
        """Find the cells that show an element once more, which is not there twice."""
        seen: set[int] = set()
        for cell in self.cells:
            at = place_of(self.t, cell.index)
            cell.first = at not in seen
            seen.add(at)

    def draw(self, x: float, y: float, items: list[Item]) -> None:
        """Draw the grid with its corner at x, y."""
        f, m, t = self.f, self.holdings, self.t
        name = clip_name(f.label(t["id"]), 24)
        for cell in self.cells:
            e = cell.element
            hot = e in m.written
            k = [f"t{t['id']}", f"{m.key}:{e}"]
            said = f"{name}[{', '.join([str(i) for i in cell.index])}]" if cell.index else name
            value = m.read(t, cell.index)
            old = m.old(e) if self.overwritten and cell.first else ""
            label = (
                f"{said} is {value or 'not shown'}, element {e} of {m.name}" + repeated(cell) + was(m.old(e))
            )
            c = "box write now" if hot else "box" if cell.first else "box unused"
            items.append(labelled(rect(x + cell.x, y + cell.y, self.cell, HEIGHT, c, k), label))
            c = "mono write now" if hot else "mono" if cell.first else "mono muted"
            if old:
                begin = x + cell.x + (self.cell - width(old) - width(value) - CHAR) / 2
                items.append(text(begin, y + cell.y + 18, old, "mono muted struck", k))
                items.append(text(begin + width(old) + CHAR, y + cell.y + 18, value, c, k))
            else:
                items.append(
                    text(x + cell.x + self.cell / 2, y + cell.y + 18, value or "·", c, k, a="middle")
                )
        for at, down, s in self.marks:
            items.append(text(x + at, y + down, s, "note muted", [f"t{t['id']}"], a="middle"))


def repeated(cell: Cell) -> str:
    return "" if cell.first else ", which is there once"


def was(old: str) -> str:
    return f", it was {old}" if old else ""


def chosen(n: int, most: int, focus: list[int]) -> list[int | None]:
    """Which of n rows or columns are drawn, if at most `most` are: the first, those in focus, the last. None stands for those between them."""
    if n <= most:
        return list(range(n))
    kept = {0, n - 1} if most > 1 else {0}
    for i in focus:
        if len(kept) < max(most, 1) or most == 1:
            kept = {i} if most == 1 else kept | {i}
    i = 1
    while len(kept) < most:
        kept = kept | {i}
        i += 1
    found: list[int | None] = []
    before = -1
    for i in sorted(kept):
        if i > before + 1:
            found.append(None)
        found.append(i)
        before = i
    if before < n - 1:
        found.append(None)
    return found


def kept_of(leading: list[int], focus: list[list[int]], most: int) -> list[list[int]]:
    """The leading indexes of the slices that are drawn: that of the focus, and the first ones."""
    n = 1
    for extent in leading:
        n *= extent
    kept: list[list[int]] = []
    for index in focus[:1]:
        lead = index[: len(leading)]
        if len(lead) == len(leading) and n > most:
            kept.append(lead)
    for k in range(min(n, most)):
        lead = unravel(k, leading)
        if lead not in kept and len(kept) < most:
            kept.append(lead)
    return sorted(kept)
