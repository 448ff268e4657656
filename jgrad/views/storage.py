"""The storage map: who shares memory. Each storage is drawn once, and below it each tensor that looks at it, in its own shape.

What was touched near the step is shown; `choice` opens the rest. A storage with one tensor needs no strip: the tensor shows its memory.

    memory.py     what the elements of a storage hold, and held before the step
    strips.py     the storage as a strip of cells, or of colours
    grids.py      a tensor in its own shape
    captions.py   the words about a tensor
    copies.py     of what a tensor is a copy, and where it differs by now
"""

from __future__ import annotations

from bisect import bisect_left

from jgrad.tracing.document.index import living
from jgrad.tracing.document.schema import Step, TraceTensor
from jgrad.views.captions import Caption, badge, badge_width, bumped
from jgrad.views.copies import copy_of, relation_of
from jgrad.views.geometry import (
    covers,
    ends_of,
    index_text,
    indexes,
    scale_of,
)
from jgrad.views.grids import HEIGHT, Grid
from jgrad.views.holding import Holding, holding_of
from jgrad.views.memory import Memory
from jgrad.views.scene import (
    NOTE_CHAR,
    Frame,
    Item,
    Scene,
    clip,
    columns_of,
    finished,
    group,
    labelled,
    legend,
    note_width,
    path,
    plural,
    points,
    rect,
    shape_text,
    short,
    tensor_class,
    text,
    tuple_text,
    width,
    wrap,
)
from jgrad.views.strips import Strip

NEAR = 8  # a storage that a step so many steps before the cursor touched is shown
FEW = 4  # so many storages are shown anyhow
STORAGES = 12  # at most so many are drawn at once
PAGES = 200  # of more pages, a list to choose from would be too long
TENSORS = 8  # at most so many of a storage
SIDE = 254  # room for the heading to the left of a strip, where the view is wide
WIDE = 600  # from here on a view is wide
COLUMNS = 720  # from here on there are two columns
CURVES = 12  # at most so many curves of a write are drawn
GAP = 28  # between tensors and between columns
LISTED = 12  # elements of a storage in the table

LEGEND = [
    ("chip leaf", "leaf, collects .grad"),
    ("chip intermediate", "non-leaf, has a grad_fn"),
    ("chip gradient", "a .grad"),
    ("box write now", "written by this step"),
    ("box unused", "the same memory once more"),
    ("v", "v0: version, counts writes"),
]
HEADINGS = ["storage", "tensor", "shape", "stride", "offset", "version", "relation", "elements"]


def scene(f: Frame, choice: int | None = None) -> Scene:
    """The scene of the storage map at a frame. Without a choice it shows what is near the step."""
    numbers = holding_of(f.index).storages(f.cursor)
    near = _near(f, numbers)
    pages = (len(numbers) + STORAGES - 1) // STORAGES if len(near) < len(numbers) else 0
    shown = near
    if choice is not None and choice < pages:
        shown = numbers[choice * STORAGES : (choice + 1) * STORAGES]
    items: list[Item] = []
    rows: list[list[str]] = []
    panels = [Panel(f, s, _tensors_on(f, s)) for s in shown]
    y = _arrange(f, panels, items)
    for panel in panels:
        panel.tell(rows)
    left = len(numbers) - len(shown)
    if left:
        where = ", not touched near this step" if shown is near else ""
        items.append(text(10, y + 14, f"+{plural(left, 'more storage')}{where}", "note muted"))
        y += 24
    if not numbers:
        items.append(text(10, y + 14, "no tensor yet", "note muted"))
        y += 24
    y = legend(LEGEND, y, items, f.width - 20)
    made = finished("storage", "Storage map", f, y, items, {"columns": HEADINGS, "rows": rows})
    if pages:
        made["choices"] = _pages(numbers, pages)
        made["unchosen"] = "near this step"
    return made


def _pages(numbers: list[int], pages: int) -> list[str]:
    if pages == 1:
        return [f"all {len(numbers)} storages"]
    if pages > PAGES:
        return []
    ends = [(numbers[n * STORAGES], numbers[min((n + 1) * STORAGES, len(numbers)) - 1]) for n in range(pages)]
    return [f"storages {first + 1} to {last + 1}" for first, last in ends]


def _tensors_on(f: Frame, storage: int) -> list[TraceTensor]:
    """The tensors that exist in a storage. One that only the graph keeps has none."""
    births, ends = f.index.tensor_lives
    there = [t for t in f.index.tensors_on.get(storage, []) if births[t] < f.cursor <= ends[t]]
    return [f.state[t] for t in there if f.state[t]["storage"] == storage]


def _near(f: Frame, numbers: list[int]) -> list[int]:
    """The storages that the step and those before it touched, then those that several variables share, then the others, if there are few.
    Those that the step touched come first. `numbers` are all; there may be 100,000, so they are not looked at one by one."""
    last: dict[int, int] = {}  # by storage: the step that touched it last
    for i in range(max(f.cursor - NEAR, 0), f.cursor):
        for t in _tensors_of(f.index.steps[i]):
            last[f.state[t]["storage"]] = i
    names = _names(f)
    touched = _touched(f)
    ranked: list[tuple[int, int, int]] = []
    for s, step_of in last.items():
        at = bisect_left(numbers, s)
        if at < len(numbers) and numbers[at] == s:
            ranked.append((0, -s, s) if step_of == f.cursor - 1 else (1, -step_of, s))
    named: list[int] = []
    for s in names:
        if s in last or (touched and s not in touched):
            continue  # of these a variable of an earlier cell
        if names[s] > 1:
            ranked.append((2, -s, s))
        else:
            named.append(s)
    ranked.extend([(3, -s, s) for s in sorted(named)[-FEW:]])
    n = len(numbers) - 1
    nameless = 0
    while n >= max(len(numbers) - 64, 0) and nameless < FEW:
        s = numbers[n]
        if s not in last and s not in names and (s in touched or not touched):
            ranked.append((4, -s, s))
            nameless += 1
        n -= 1
    ranked.sort()
    kept = [r for i, r in enumerate(ranked) if i < STORAGES and (r[0] <= 2 or i < FEW)]
    return [s for _, s in sorted([(min(rank, 1), s) for rank, _, s in kept])]


def _tensors_of(step: Step) -> list[int]:
    """The tensors that a step made, read, or changed."""
    changed = [one["tensor"] for one in [*step.get("writes", []), *step.get("changes", [])]]
    return [*step.get("makes", []), *step.get("reads", []), *changed]


def _touched(f: Frame) -> set[int]:
    """The storages that some step made, read, or wrote."""
    found: set[int] = f.index.kept.get("touched", set())
    if not found:
        for step in f.index.steps:
            for t in _tensors_of(step):
                found.add(f.index.tensors[t]["storage"])
            for change in step.get("changes", []):
                if "storage" in change:
                    found.add(change["storage"])
        f.index.kept["touched"] = found
    return found


def _names(f: Frame) -> dict[int, int]:
    """By storage: how many of its tensors variables mean now. Storages without any are not in it."""
    tensors, lives = f.index.named
    births, ends = f.index.tensor_lives
    found: dict[int, int] = {}
    for i in living(lives, f.cursor):
        t = tensors[i]
        if births[t] < f.cursor <= ends[t]:
            storage = f.state[t]["storage"]
            found[storage] = found.get(storage, 0) + 1
    return found


def _arrange(f: Frame, panels: list[Panel], items: list[Item]) -> float:
    """Draw panels below each other, small ones in two columns where there is room, and return the y below them."""
    y = 4.0
    room = f.width - 20
    half = (room - GAP) / 2
    n = 0
    while n < len(panels):
        if n:
            items.append(path(points("M", 10, y + 2, "H", f.width - 10), "edge rule muted"))
            y += 10
        panel = panels[n]
        two = f.width >= COLUMNS and n + 1 < len(panels)
        if two and panel.fits(half) and panels[n + 1].fits(half):
            top = y
            y = panel.draw(10, top, half, items)
            y = max(y, panels[n + 1].draw(10 + half + GAP, top, half, items))
            items.append(path(points("M", 10 + half + GAP / 2, top + 8, "V", y - 4), "edge rule muted"))
            n += 2
        else:
            y = panel.draw(10, y, room, items)
            n += 1
    return y + 4


class Panel:
    """A storage, with the tensors that look at it."""

    def __init__(self, f: Frame, number: int, tensors: list[TraceTensor]) -> None:
        self.f, self.tensors = f, tensors
        self.row = f.document["storages"][number]
        self.holding: Holding = holding_of(f.index)
        self.keeper = self.holding.keeper(f, number)  # the node that keeps the storage for backward
        self.holdings = Memory(f, self.row)
        self.drawn = self._drawn()
        self.copy = copy_of(f, number)
        counted = [t for t in self.drawn if t["origin"] != "numpy"]  # an array counts nothing
        counters = {t["version_counter"] for t in counted}
        self.together = len(counters) < 2  # one version counter: it stands with the storage
        self.large = not self.holdings.complete
        self.strip_needed = self.large or len(self.drawn) > 1 or not self._shown_by_its_tensor()

    def _drawn(self) -> list[TraceTensor]:
        """The tensors that are drawn. Those without a name are left out where others have one, unless the step made them or they are stale."""
        f = self.f
        ranked: list[tuple[int, int]] = []
        for t in self.tensors:
            label, number = f.named(t["id"]), t["id"]
            saved = self.saved(number)
            stale = saved is not None and saved != f.version(t["version_counter"])
            made = f.step is not None and number in f.step.get("makes", [])
            ranked.append((0 if made or stale else 1 if label else 3, number))
        ranked.sort()
        best = ranked[0][0] if ranked else 0
        kept = {n for rank, n in ranked[:TENSORS] if rank < 3 or best == 3}
        return [t for t in self.tensors if t["id"] in kept]

    def _shown_by_its_tensor(self) -> bool:
        """Whether the only tensor shows all elements of the storage, in the order in which they lie there."""
        if not self.drawn:
            return False
        t = self.drawn[0]
        steps = [t["stride"][d] for d in range(len(t["shape"])) if t["shape"][d] > 1]
        ordered = all([steps[i] >= steps[i + 1] for i in range(len(steps) - 1)])
        whole = ordered and covers(t, self.row["numel"])
        return t["dtype"] == self.row["dtype"] and (whole or self.row["numel"] == 0)

    def version(self, counter: int) -> str:
        return f"v{self.f.version(counter)}"

    def saved(self, tensor: int) -> int | None:
        """The version at which a node that keeps a tensor saved it."""
        return self.holding.saved(tensor, self.f.cursor)

    def caption(self, t: TraceTensor) -> Caption:
        first = bool(self.drawn) and t["id"] == self.drawn[0]["id"]
        version = "" if self.together or t["origin"] == "numpy" else self.version(t["version_counter"])
        return Caption(self.f, self.holdings, t, version, self.saved(t["id"]), self.copy if first else None)

    def fits(self, room: float) -> bool:
        """Whether the panel is small enough for a column."""
        if self.strip_needed or not self.drawn:
            return not self.drawn and not self.large
        return Grid(self.f, self.holdings, self.drawn[0], room, overwritten=True).width <= room

    def _kept(self) -> str:
        """Which node keeps a storage that no tensor is on."""
        return f"kept for backward by {short(self.f.document['nodes'][self.keeper]['name'])}"

    # Drawing ----------------------------------------------------------------------------------------------------------------------

    def draw(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """Draw the panel, and return the y below it."""
        inside: list[Item] = []
        if not self.drawn:
            bottom = self._heading(x, y, room, inside)
            if self.keeper >= 0:
                inside.append(
                    text(
                        x,
                        bottom + 12,
                        clip(self._kept(), int(room / NOTE_CHAR)),
                        "note saved",
                        [self.holdings.key, f"n{self.keeper}"],
                    )
                )
                bottom += 20
        elif self.large:
            bottom = self._draw_large(x, y, room, inside)
        elif self.strip_needed:
            bottom = self._draw_shared(x, y, room, inside)
        else:
            bottom = self._draw_alone(x, y, room, inside)
        items.append(group(inside, [self.holdings.key], f"{self.holdings.name}, {self.what()}"))
        return bottom

    def what(self) -> str:
        s = self.row
        return f"{plural(s['numel'], 'element')}, {s['dtype']}, {size_text(s['nbytes'])}"

    def _heading(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """The name of the storage, its version and what it is, in one line or two."""
        m = self.holdings
        k = [m.key, *[f"t{w['tensor']}" for w in m.writes]]
        said = f"{m.name}: {self.what()}, on {self.row['device']}"
        items.append(labelled(text(x, y + 18, m.name, "title now" if m.writes else "title", k), said))
        at = x + width(m.name) + 10
        counted = [t for t in self.drawn if t["origin"] != "numpy"]
        if self.together and counted:
            counter = counted[0]["version_counter"]
            names = ", ".join([self.f.label(t["id"]) for t in self.drawn])
            k = [f"t{t['id']}" for t in self.drawn]
            version = self.version(counter)
            said = f"version counter of {names}: {version[1:]}"
            items.extend(badge(version, at, y + 18, bumped(m, counter), k, said))
            at += badge_width(version) + 8
        what = self.what()
        if at + note_width(what) <= x + room:
            items.append(text(at, y + 18, what, "note muted", [m.key]))
            return y + 28
        y += 20
        for line in wrap(what, int(room / NOTE_CHAR)):
            items.append(text(x, y + 16, line, "note muted", [m.key]))
            y += 18
        return y + 8

    def _draw_alone(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """The only tensor, which shows its memory."""
        t = self.drawn[0]
        y = self._heading(x, y, room, items)
        grid = Grid(self.f, self.holdings, t, room, overwritten=True)
        caption = self.caption(t)
        inside: list[Item] = []
        grid.draw(x, y, inside)
        indent = grid.width + 14 if grid.cells else 0
        if room - indent >= min(caption.width(), 240):
            bottom = max(caption.draw(x + indent, y, room - indent, inside), y + grid.height + 8)
        else:
            bottom = caption.draw(x, y + grid.height + 6, room, inside)
        items.append(group(inside, [f"t{t['id']}"], caption.label()))
        return bottom

    def _draw_shared(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """The memory as a strip, and below it the tensors that look at it."""
        left = x + SIDE if room >= WIDE - 20 else x
        top = y
        if left > x:
            bottom = self._heading(x, y, SIDE - 10, items)
        else:
            bottom = self._heading(x, y, room, items)
            top = bottom
        strip = Strip(self.holdings, left, top, x + room - left)
        strip.draw(items)
        bottom = max(bottom, strip.bottom)
        return self._draw_tensors(strip, x, bottom, room, items)

    def _draw_tensors(self, strip: Strip, x: float, y: float, room: float, items: list[Item]) -> float:
        """Draw the tensors side by side below a strip, in as many rows as they need."""
        blocks = [Block(self, t, room) for t in self.drawn]
        rows: list[list[Block]] = []
        at = 0.0
        for block in blocks:
            if not rows or at + block.width > room:
                rows.append([])
                at = 0.0
            rows[-1].append(block)
            at += block.width + GAP
        curves = len(self.holdings.written) * len(blocks)
        joined = curves > 0 and curves <= CURVES and not self.large
        first = y + (44 if joined else 14)
        y = first
        for row in rows:
            spare = room - GAP * (len(row) - 1)
            for block in row:
                spare -= block.width
            more = min(spare / len(row), 60.0)  # what is left of the row is shared out
            tallest = max([block.height for block in row])
            bottom = y
            at = x
            for block in row:
                if joined:
                    self._curves(strip, block.grid, at, y, first, items)
                inside: list[Item] = []
                block.draw(at, y, inside)
                bottom = max(bottom, block.caption.draw(at, y + tallest + 6, block.width + more, inside))
                items.append(group(inside, [f"t{block.t['id']}"], block.caption.label()))
                at += block.width + GAP + more
            y = bottom + (20 if joined else 14)
        return self._others(x, y - 14, items)

    def _others(self, x: float, y: float, items: list[Item]) -> float:
        """Count the tensors with names that are not drawn."""
        rest = len([t for t in self.tensors if self.f.named(t["id"])]) - len(self.drawn)
        if rest > 0:
            items.append(text(x, y + 12, f"… {plural(rest, 'more tensor')}", "note muted"))
            y += 20
        return y

    def upright(self, t: TraceTensor) -> bool:
        """Whether a tensor of one dimension is a column of another one."""
        if len(t["shape"]) != 1 or t["stride"][0] < 2:
            return False
        step = t["stride"][0]
        for other in self.tensors:
            if len(other["shape"]) == 2 and other["shape"][1] > 1 and other["stride"][0] == step:
                return other["stride"][1] != step
        return False

    def _curves(self, strip: Strip, grid: Grid, x: float, y: float, first: float, items: list[Item]) -> None:
        """Curves from the elements that the step wrote to, to where a tensor shows them. To a lower row they go along the left side."""
        for cell in grid.cells:
            if cell.element not in self.holdings.written or not cell.first:
                continue
            begin, top = strip.middle(cell.element), strip.bottom
            aside = cell.row > 0 and cell.x == 0
            end = x + cell.x + grid.cell / 2
            down = y + cell.y + HEIGHT / 2
            on: list[str | float] = [end, top + 14, end, y]
            if y > first:
                on = [4, top + 14, 4, first, "V", y - 10, "H", end, "V", y]
            elif aside:
                on = [x - 18, top + 20, x - 10, y, "S", x - 10, down, x, down]
            curve = points("M", begin, top, "C", begin, top + 30, *on)
            items.append(
                path(curve, "edge write", [f"{self.holdings.key}:{cell.element}", f"t{grid.t['id']}"])
            )

    def _draw_large(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """The memory as bands of colour."""
        left = x + SIDE if room >= WIDE - 20 else x
        top = y
        bottom = self._heading(x, y, SIDE - 10 if left > x else room, items)
        if left == x:
            top = bottom
        strip = Strip(self.holdings, left, top, x + room - left)
        strip.draw(items)
        bottom = max(bottom, strip.explain(strip.bottom + (8 if self.holdings.writes else 2), items))
        return self._draw_tensors(strip, x, bottom - 10, room, items)

    # The table --------------------------------------------------------------------------------------------------------------------

    def tell(self, rows: list[list[str]]) -> None:
        """Add the rows of the storage and its tensors to the table."""
        m, f = self.holdings, self.f
        places = listed(m)
        strip = ["…" if e is None else m.value(e) + ("*" if e in m.written else "") for e in places]
        marks: list[list[str]] = []
        for t in self.tensors[: TENSORS * 2]:
            scale = scale_of(self.row, t)
            marks.append(["…" if e is None else index_text(t, indexes(t, e, scale)) or "." for e in places])
        column = max([0, *[columns_of(s) for s in strip], *[columns_of(s) for row in marks for s in row]])
        what = self.what()
        bands = m.cells.get("bands")
        if bands is not None and bands["least"] is not None:
            what += f", from {bands['least']} to {bands['largest']}"
        if not self.drawn and self.keeper >= 0:
            what += f", {self._kept()}"
        rows.append([m.name, "", "", "", "", "", what, padded(strip, column)])
        for n, t in enumerate(self.tensors[: TENSORS * 2]):
            version = "" if t["origin"] == "numpy" else self.version(t["version_counter"])
            saved = self.saved(t["id"])
            relation = relation_of(f, t)
            if self.copy is not None and n == 0:
                relation = "; ".join(
                    [s for s in [self.copy.words(), " ".join(self.copy.differs(t)).strip()] if s]
                )
            rows.append(
                [m.name, f.label(t["id"]), shape_text(t["shape"]), tuple_text(t["stride"]), str(t["storage_offset"]),
                 version + ("" if saved is None else f" (saved v{saved})"), relation, padded(marks[n], column)]
            )  # fmt: skip


class Block:
    """A tensor below a strip: its elements in its own shape, or, of a large storage, which part of it the tensor reads; and its words."""

    def __init__(self, panel: Panel, t: TraceTensor, room: float) -> None:
        self.panel, self.t = panel, t
        self.grid = Grid(panel.f, panel.holdings, t, room, panel.upright(t))
        self.caption = panel.caption(t)
        self.known = panel.holdings.knows(t)
        first, last = ends_of(t, scale_of(panel.row, t))
        self.part = (first, last)
        self.height = self.grid.height
        wide = self.grid.width
        if not self.known:
            whole = first == 0 and last == panel.row["numel"] - 1
            self.height = 0.0 if whole or first > last else 10.0
            wide = 0.0 if whole else 160.0
        self.width = min(max(wide, self.caption.width(), 120), room)

    def draw(self, x: float, y: float, items: list[Item]) -> None:
        if self.known:
            self.grid.draw(x, y, items)
        elif self.height:
            m, (first, last) = self.panel.holdings, self.part
            wide, n, k = min(self.width, 200.0), m.row["numel"], [f"t{self.t['id']}"]
            said = f"{self.caption.name} is between elements {first:,} and {last:,} of {m.name}"
            items.append(rect(x, y, wide, 10, "outline", k))
            part = max((last + 1 - first) / n * wide, 3)
            items.append(
                labelled(
                    rect(
                        x + min(first / n * wide, wide - part),
                        y,
                        part,
                        10,
                        f"bar {tensor_class(self.panel.f, self.t)}",
                        k,
                    ),
                    said,
                )
            )


def listed(m: Memory) -> list[int | None]:
    """The elements in the table. None stands for those that are left out."""
    n, head, tail = m.cells["numel"], m.cells["head"], m.cells["tail"]
    if n <= LISTED and m.complete:
        return list(range(n))
    last = LISTED // 3
    if m.complete:
        return [*range(LISTED - last), None, *range(n - last, n)]
    return [*range(min(LISTED - last, head)), None, *range(n - min(last, tail), n)]


def padded(parts: list[str], n: int) -> str:
    """Parts in columns of n characters, so that also in text the tensors are below their elements."""
    s = ""
    for part in parts:
        s += part + " " * (n + 1 - columns_of(part))
    return s.rstrip()


def size_text(n: int) -> str:
    """A number of bytes."""
    for unit, size in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 10_000)):
        if n >= size:
            whole = n * 10 // (1000 if unit == "kB" else size)
            return f"{whole // 10}.{whole % 10} {unit}" if whole % 10 else f"{whole // 10} {unit}"
    return plural(n, "byte")
