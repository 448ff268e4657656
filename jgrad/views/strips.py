"""The memory of a storage as a strip: cells with their numbers, or thin cells or bands in the colours of their numbers."""

from __future__ import annotations

from jgrad.tracing.document.bfloat16 import codes, figure
from jgrad.tracing.document.schema import Bands
from jgrad.views.heat import finite, hatch, heat_of, largest_of, mean_text, ramp, ramp_width
from jgrad.views.memory import Memory, number_of
from jgrad.views.scene import CHAR, Item, labelled, note_width, plural, rect, text, width

HEIGHT = 28  # of a cell
THIN = 20  # height of a cell without a number
LEAST = 30.0  # width of a cell


class Strip:
    """The strip of a storage at x, y, at most `room` wide."""

    def __init__(self, memory: Memory, x: float, y: float, room: float) -> None:
        self.holdings, self.x, self.y, self.room = memory, x, y, room
        self.bands: Bands | None = memory.cells.get("bands")
        self.lefts: list[float] = []  # of each cell; and, at the end, where the last one ends
        n = memory.cells["numel"]
        self.numbers = False
        if memory.complete:
            widths = [max(cell_width(memory, e), width(str(n - 1)) + 8) for e in range(n)]
            common = max([LEAST, *[w for e, w in enumerate(widths) if not memory.old(e)]])
            whole = 0.0
            for w in widths:
                whole += max(common, w)
            self.numbers = whole <= room
            at = x
            for w in widths:
                self.lefts.append(at)
                at += max(common, w) if self.numbers else room / n
            self.lefts.append(at)
        self.right = self.lefts[-1] if self.lefts else x + room
        self.height = HEIGHT if self.numbers else THIN
        self.bottom = y + 16 + self.height

    def middle(self, e: int) -> float:
        """The middle of an element, from left to right."""
        if self.lefts:
            return (self.lefts[e] + self.lefts[e + 1]) / 2
        return self.x + (e + 0.5) / max(self.holdings.cells["numel"], 1) * self.room

    def left(self, e: int) -> float:
        """Where an element begins, or the one before ends."""
        return self.lefts[e] if self.lefts else self.x + e / max(self.holdings.cells["numel"], 1) * self.room

    def draw(self, items: list[Item]) -> None:
        if self.numbers:
            self._draw_numbers(items)
        elif self.holdings.complete:
            self._draw_colours(items)
        elif self.bands is not None:
            self._draw_bands(self.bands, items)
        else:
            items.append(rect(self.x, self.y + 16, self.room, THIN, "box muted", [self.holdings.key]))
            # On the device meta there is nothing to keep.
            if self.holdings.cells["head"] > 0:
                items.append(text(self.x, self.y + 11, "elements not kept", "note muted"))

    def _draw_numbers(self, items: list[Item]) -> None:
        m, top = self.holdings, self.y + 16
        for e in range(m.cells["numel"]):
            x, w = self.lefts[e], self.lefts[e + 1] - self.lefts[e]
            k = self._keys(e)
            hot = e in m.written
            said = f"{m.name}, element {e}: {m.value(e)}"
            old = m.old(e)
            items.append(text(x + w / 2, self.y + 11, str(e), "note muted", k, a="middle"))
            c = "box write now" if hot else "box"
            items.append(labelled(rect(x, top, w, HEIGHT, c, k), said + (f", it was {old}" if old else "")))
            items.extend(number_in_cell(m, e, x, top + 19, w, k))

    def _draw_colours(self, items: list[Item]) -> None:
        """Cells without numbers; those that the step wrote to have them above."""
        m, top, n = self.holdings, self.y + 16, self.holdings.cells["numel"]
        numbers = [number_of(t) for t in m.cells["elements"]]
        largest = largest_of(numbers)
        for e in range(n):
            x, w = self.lefts[e], self.lefts[e + 1] - self.lefts[e]
            old = m.old(e)
            said = f"{m.name}, element {e}: {m.value(e)}" + (f", it was {old}" if old else "")
            items.append(labelled(rect(x, top, w, THIN, heat_of(numbers[e], largest), self._keys(e)), said))
            if not finite(numbers[e]):
                items.append(hatch(x, top, w, THIN))
        items.append(rect(self.x, top, self.right - self.x, THIN, "outline", [m.key]))
        for e in m.written:
            w = self.lefts[e + 1] - self.lefts[e]
            items.append(rect(self.lefts[e], top, w, THIN, "box write now bare", self._keys(e)))
        self._labels([0, n - 1], sorted(m.written), items)

    def _labels(self, ends: list[int], written: list[int], items: list[Item]) -> None:
        """Positions above the strip: of what the step wrote to, with its numbers, and of the ends, where there is room left."""
        m = self.holdings
        taken: list[tuple[float, float]] = []
        for e in [*written, *ends]:
            old = m.old(e)
            said = str(e) if e not in m.written else f"{e}: {old + ' → ' if old else ''}{m.value(e)}"
            w = note_width(said)
            begin = min(max(self.middle(e) - w / 2, self.x), max(self.right - w, self.x))
            if any([begin < b + 8 and a - 8 < begin + w for a, b in taken]):
                continue
            taken.append((begin, begin + w))
            c = "note write now" if e in m.written else "note muted"
            items.append(text(begin, self.y + 11, said, c, self._keys(e)))

    def _draw_bands(self, bands: Bands, items: list[Item]) -> None:
        m, top, n, size = self.holdings, self.y + 16, self.holdings.cells["numel"], bands["size"]
        means = [figure(c) for c in codes(bands["means"])]
        former = m.former.get("bands")
        before = [figure(c) for c in codes(former["means"])] if former is not None else means
        largest = largest_of(means)
        for i in range(len(means)):
            x, end = self.left(i * size), self.left(min((i + 1) * size, n))
            last = min((i + 1) * size, n) - 1
            said = f"{m.name}, elements {i * size:,} to {last:,}: mean {mean_text(means[i])}"
            items.append(labelled(rect(x, top, end - x, THIN, heat_of(means[i], largest), [m.key]), said))
            if not finite(means[i]):
                items.append(hatch(x, top, end - x, THIN))
            changed = i < len(before) and before[i] != means[i] and (finite(before[i]) or finite(means[i]))
            if changed and m.writes:
                items.append(
                    labelled(
                        rect(x, top + THIN + 2, end - x, 4, "bar write now", [m.key]), said + ", changed"
                    )
                )
        items.append(rect(self.x, top, self.right - self.x, THIN, "outline", [m.key]))
        items.append(text(self.x, self.y + 11, "0", "note muted"))
        items.append(text(self.right, self.y + 11, f"{n - 1:,}", "note muted", a="end"))

    def explain(self, y: float, items: list[Item]) -> float:
        """Write what the bands are below the strip, and return the y below."""
        bands = self.bands
        if bands is None:
            return y
        means = [figure(c) for c in codes(bands["means"])]
        size, step = bands["size"], bands["step"]
        of = "each element a band" if size == 1 else f"each band the mean of {size:,}"
        if step > 1:
            of = f"each band the mean of {max(size // step, 1)} of its {size:,} elements"
        extent = ""
        if bands["least"] is not None:
            extent = f"from {bands['least']} to {bands['largest']}"
        bad = len([x for x in means if not finite(x)])
        parts = [s for s in [of, extent] if s]
        x = self.x
        right = self.right - ramp_width(means) - 12
        for said in parts:
            if x > self.x and x + note_width(said) > right:
                x = self.x
                y += 18
            items.append(text(x, y + 12, said, "note muted"))
            x += note_width(said) + 14
        if bad:
            said = f"nan or inf in {plural(bad, 'band')}"
            if x + note_width(said) > right:
                x = self.x
                y += 18
            items.append(text(x, y + 12, said, "note error"))
            x += note_width(said) + 14
        if x > right + 12:
            y += 18
        ramp(self.right, y + 12, means, items)
        return y + 20

    def _keys(self, e: int) -> list[str]:
        m = self.holdings
        found = [m.key, f"{m.key}:{e}"]
        found.extend([f"t{w['tensor']}" for w in m.writes if e in m.written])
        return found


def cell_width(m: Memory, e: int) -> float:
    """The width of a cell with its number, and with the number that was overwritten."""
    old = m.old(e)
    return width(m.value(e)) + (width(old) + CHAR if old else 0) + 12


def number_in_cell(m: Memory, e: int, x: float, y: float, w: float, k: list[str]) -> list[Item]:
    """The number of an element, after the one that the step overwrote."""
    value, old = m.value(e), m.old(e)
    if not old:
        return [text(x + w / 2, y, value, "mono now write" if e in m.written else "mono", k, a="middle")]
    begin = x + (w - width(value) - width(old) - CHAR) / 2
    return [
        text(begin, y, old, "mono muted struck", k),
        text(begin + width(old) + CHAR, y, value, "mono now write", k),
    ]
