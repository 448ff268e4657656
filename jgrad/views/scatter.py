"""The scatter map: which cell of the source goes to which cell of the target, and by which index.

For the gather family the same picture runs the other way: from the cells of `self` to those of `out`.
"""

from __future__ import annotations

from typing import Any

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
    path,
    plural,
    points,
    rect,
    text,
)

CELLS = 12  # rows and columns drawn of a grid at most
SLICES = 4  # two-dimensional slices drawn of a larger grid at most
HEIGHT = 26  # of a cell
ARROWS = 144  # drawn at most
RULES = 400  # rows of the table at most
SAID = 6  # rules in a tooltip at most

# A move: cell `index` of the index (flat) takes `source` (flat, -1: a value that is the same for all) to `target` (flat).
Move = tuple[int, int, int]


def scene(document: dict[str, Any], cursor: int) -> Scene:
    """The latest scatter-like operation up to the cursor."""
    f = Frame(document, cursor)
    at = -1
    for i in range(cursor):
        if document["steps"][i].get("index"):
            at = i
    if at < 0:
        items = [text(10, 24, "no scatter-like operation yet", "muted")]
        return finished("scatter", f, 48, items, COLUMNS, [])
    return _map(f, at)


COLUMNS = ["index cell", "rule", "result"]


def _map(f: Frame, at: int) -> Scene:
    step = f.document["steps"][at]
    m = step["index"]
    found = moves(m)
    gathers = family(m["op"]) == "gather"
    now = " now" if at == f.cursor - 1 else ""
    items: list[Item] = []
    source = m["self"] if gathers else m["src"]
    words = reduction(m)
    items.append(text(10, 20, general_rule(m), "title mono", [f"p{at + 1}"]))
    along = f" along dim {m['dim']}" if m["dim"] is not None else ""
    items.append(text(10, 38, f"{m['op']}{along}; {words}", "muted"))
    hits: dict[int, list[int]] = {}  # target cell -> moves
    by_index: dict[int, list[int]] = {}
    by_source: dict[int, list[int]] = {}
    for i in range(len(found)):
        by_index.setdefault(found[i][0], []).append(i)
        by_source.setdefault(found[i][1], []).append(i)
        hits.setdefault(found[i][2], []).append(i)
    # Where the grids stand: index above source at the left, target before above after at the right; for gather without the `before`.
    index_keys: dict[int, list[str]] = {}
    source_keys: dict[int, list[str]] = {}
    target_keys: dict[int, list[str]] = {}
    for i in range(len(found)):
        key = f"p{at + 1}:{i}"
        index_keys.setdefault(found[i][0], []).append(key)
        source_keys.setdefault(found[i][1], []).append(key)
        target_keys.setdefault(found[i][2], []).append(key)
    index = _Grid(f, m["index"], "index", 10, 100, WIDTH / 2 - 80, index_keys)
    under = index.bottom + 52
    src = (
        _Grid(f, source, "self" if gathers else source["name"], 10, under, WIDTH / 2 - 80, source_keys)
        if source is not None
        else None
    )
    right = max(index.right, src.right if src is not None else 0, 250) + 130
    before = None if gathers else _Grid(f, m["self"], "self before", right, 100, WIDTH - 10, target_keys)
    top = 100 if before is None else before.bottom + 52
    out = _Grid(f, m["out"], "out" if gathers else "self after", right, top, WIDTH - 10, target_keys)
    words_on_top: list[Item] = []

    def rules(which: list[int]) -> str:
        said = "; ".join([rule(m, found[i]) for i in which[:SAID]])
        return said + (f"; … {len(which) - SAID:,} more" if len(which) > SAID else "")

    index.draw(
        items, words_on_top, lambda e: ("alias" if e in by_index else "muted", rules(by_index.get(e, [])))
    )
    if src is not None:
        src.draw(
            items,
            words_on_top,
            lambda e: ("plain", rules(by_source[e])) if e in by_source else ("unused muted", "not used"),
        )
    if before is not None:
        before.draw(items, words_on_top, lambda e: ("plain", "" if e in hits else "untouched"))

    def outcome(e: int) -> tuple[str, str]:
        writers = hits.get(e, [])
        if not writers:
            return "muted", "untouched: keeps what it had"
        if len(writers) > 1:
            kind = "writes" if not gathers else "reads"
            return (
                "error" if m["reduce"] is None and not gathers else "write"
            ) + now, f"{len(writers)} {kind}: {rules(writers)}"
        return ("gradient" if gathers else "write") + now, rules(writers)

    out.draw(items, words_on_top, outcome)
    arrows = []
    for i in range(min(len(found), ARROWS)):
        start = src.center(found[i][1]) if src is not None else index.center(found[i][0])
        end = out.center(found[i][2])
        if start is None or end is None:
            continue
        # From the lower right of the cell to the upper left of the other, so that the numbers stay free.
        x0, y0 = start[0] + start[2] / 2 - 4, start[1] + HEIGHT / 2 - 5
        x1, y1 = end[0] - end[2] / 2 + 4, end[1] - HEIGHT / 2 + 5
        bend = points(
            "M",
            x0,
            y0,
            "C",
            x0 + 70,
            y0,
            x1 - 80,
            y1 - 6,
            x1,
            y1,
            "M",
            x1 - 6,
            y1 - 4,
            "L",
            x1,
            y1,
            "L",
            x1 - 6,
            y1 + 3,
        )
        collides = len(hits[found[i][2]]) > 1 and not gathers
        k = [f"p{at + 1}:{i}"]
        c = "edge arrow " + (
            "gradient" if gathers else "error" if collides and m["reduce"] is None else "write"
        )
        arrows.append(
            group([path(bend, c, k), rect(x0 - 2, y0 - 2, 4, 4, "end " + c[11:], k)], k, rule(m, found[i]))
        )
    items.append(group(arrows, label="where each cell goes"))
    items.extend(words_on_top)
    y = max(out.bottom, src.bottom if src is not None else index.bottom) + 26
    untouched = _size(m["out"]["shape"]) - len(hits)
    collisions = [t for t in hits if len(hits[t]) > 1]
    if found:
        example = found[hits[collisions[-1]][-1]] if collisions and not gathers else found[-1]
        items.append(text(10, y, clip(rule(m, example), 128), "mono"))
        y += 18
    facts = [plural(len(found), "cell") + (" read" if gathers else " written")]
    if collisions and not gathers:
        facts.append(f"{plural(len(collisions), 'collision')}: {_collision(m)}")
    if not gathers:
        facts.append(f"{plural(untouched, 'cell')} untouched")
    if source is not None and not gathers and len(by_source) < _size(source["shape"]):
        facts.append(
            f"{plural(_size(source['shape']) - len(by_source), 'cell')} of {source['name']} not used"
        )
    items.append(text(10, y, clip(", ".join(facts), 130), "muted"))
    rows = [
        [at_text(i, m["index"]["shape"]), rule(m, (i, s, t)), _after(m, (i, s, t), hits)]
        for i, s, t in found[:RULES]
    ]
    rows.append(["", ", ".join(facts), ""])
    scene = finished("scatter", f, y + 16, items, COLUMNS, rows)
    if at != f.cursor - 1:
        scene["caption"] += f" · shown: {step['text']}"
    return scene


class _Grid:
    """A tensor as a grid of cells; more than two dimensions as slices side by side."""

    def __init__(
        self,
        f: Frame,
        grid: dict[str, Any],
        title: str,
        x: float,
        y: float,
        right: float,
        links: dict[int, list[str]],
    ) -> None:
        self.grid, self.title, self.x, self.y, self.links = grid, title, x, y, links
        shape = grid["shape"]
        self.rows = shape[-2] if len(shape) > 1 else 1
        self.columns = shape[-1] if shape else 1
        self.slices = _size(shape[:-2]) if len(shape) > 2 else 1
        longest = max([columns_of(t) for t in grid["text"]] + [2])
        self.cell = min(max(longest * CHAR + 10, 34.0), 76.0)
        fit = int((right - x - 24) / self.cell)
        self.across = min(self.columns, CELLS, fit)
        self.down = min(self.rows, CELLS)
        drawn = min(self.slices, SLICES)
        while drawn > 1 and drawn * (self.across * self.cell + 20) > right - x - 24:
            drawn -= 1
        self.drawn = drawn
        self.gap = self.across * self.cell + 20
        self.right = x + 20 + drawn * self.gap - 20
        extra = 1 if self.down < self.rows else 0
        self.bottom = y + self.down * HEIGHT + (extra + (1 if self.slices > 1 else 0)) * 18
        self.tensor = grid["tensor"]
        self.elements = f.state[self.tensor] if self.tensor is not None else None

    def draw(self, items: list[Item], words: list[Item], look: Any) -> None:
        """All cells, their numbers apart in `words`; `look` gives the class and a remark for each."""
        k = [] if self.tensor is None else [f"t{self.tensor}"]
        name = self.grid["name"]
        head = self.title if name == self.title.split(" ")[0] else f"{self.title} = {name}"
        items.append(
            text(self.x + 20, self.y - 18, f"{clip(head, 30)} {_shape(self.grid['shape'])}", "title", k)
        )
        cells: list[Item] = []
        for s in range(self.drawn):
            x = self.x + 20 + s * self.gap
            cells.extend(
                [
                    text(x + (j + 0.5) * self.cell, self.y - 4, str(j), "muted", a="middle")
                    for j in range(self.across)
                ]
            )
            if self.slices > 1:
                under = self.y + self.down * HEIGHT + 14
                name_of = at_text(s, self.grid["shape"][:-2])
                cells.append(text(x + self.across * self.cell / 2, under, name_of, "muted", a="middle"))
            for i in range(self.down):
                if s == 0 and len(self.grid["shape"]) > 1:
                    cells.append(text(self.x + 14, self.y + i * HEIGHT + 17, str(i), "muted", a="end"))
                for j in range(self.across):
                    e = (s * self.rows + i) * self.columns + j
                    c, remark = look(e)
                    value = self.grid["text"][e]
                    label = f"{name}{at_text(e, self.grid['shape'])} is {value}" + (
                        f", {remark}" if remark else ""
                    )
                    keys = self._element(e) + self.links.get(e, [])
                    left, top = x + j * self.cell, self.y + i * HEIGHT
                    cells.append(rect(left, top, self.cell, HEIGHT, "box " + c, keys, label))
                    words.append(
                        text(
                            left + self.cell / 2,
                            top + 17,
                            clip(value, int((self.cell - 4) / CHAR)),
                            "mono " + c,
                            keys,
                            a="middle",
                        )
                    )
        hidden = self.slices * self.rows * self.columns - self.drawn * self.down * self.across
        if self.down < self.rows:
            cells.append(text(self.x + 20, self.bottom - 2, f"… {plural(hidden, 'more cell')}", "muted"))
        elif hidden:
            cells.append(
                text(
                    self.x + 20 + self.drawn * self.gap - 16,
                    self.y + 16,
                    "…",
                    "muted",
                    label=plural(hidden, "more cell"),
                )
            )
        items.append(group(cells, k, f"{head} {_shape(self.grid['shape'])}"))

    def _element(self, e: int) -> list[str]:
        """The link to the element of the storage that a cell shows."""
        t = self.elements
        if t is None or t["shape"] != self.grid["shape"]:
            return []
        at = t["offset"]
        for d in range(len(t["shape"]) - 1, -1, -1):
            at += (e % t["shape"][d]) * t["stride"][d]
            e //= t["shape"][d]
        return [f"s{t['storage']}:{at}"]

    def center(self, e: int) -> tuple[float, float, float] | None:
        """The middle of a cell and its width, None if it is not drawn."""
        if e < 0:
            e = 0
        s, i, j = e // (self.rows * self.columns), e // self.columns % self.rows, e % self.columns
        if s >= self.drawn or i >= self.down or j >= self.across:
            return None
        return self.x + 20 + s * self.gap + (j + 0.5) * self.cell, self.y + (i + 0.5) * HEIGHT, self.cell


# The rules ----------------------------------------------------------------------------------------


def family(op: str) -> str:
    """How an operation reads its index: like scatter, gather, index_add, index_select, take, put or a mask."""
    name = op.rstrip("_")
    return {
        "gather": "gather", "take_along_dim": "gather", "index_select": "gather", "take": "gather", "masked_select": "gather",
    }.get(name, "scatter")  # fmt: skip


def moves(m: dict[str, Any]) -> list[Move]:
    """Every cell of an index map that moves something, in reading order."""
    name, dim = m["op"].rstrip("_"), m["dim"]
    data, shape = m["index"]["data"], m["index"]["shape"]
    self_shape, out_shape = m["self"]["shape"], m["out"]["shape"]
    scalar = m["src"] is None or (len(m["src"]["text"]) == 1 and len(data) != 1)
    found: list[Move] = []
    if name in ("take", "put") or (dim is None and name == "take_along_dim"):
        size = _size(self_shape)
        for i in range(len(data)):
            flat = data[i] + size if data[i] < 0 else data[i]
            found.append((i, flat, i) if name != "put" else (i, -1 if scalar else i, flat))
    elif name in ("masked_select", "masked_fill", "masked_scatter"):
        taken = 0
        for i in range(len(data)):
            if data[i] and shape == self_shape:
                found.append(
                    (i, i, taken)
                    if name == "masked_select"
                    else (i, taken if name == "masked_scatter" else -1, i)
                )
                taken += 1
    elif name in ("index_select", "index_add", "index_copy", "index_fill", "index_reduce"):
        dim = dim + max(len(self_shape), 1) if dim < 0 else dim
        across = out_shape if name == "index_select" else m["src"]["shape"] if not scalar else self_shape
        for e in range(_size(across[:dim]) * len(data) * _size(across[dim + 1 :])):
            moved = list(across)
            if moved:
                moved[dim] = len(data)
            position = _unravel(e, moved)
            i = position[dim] if position else 0
            other = list(position)
            if other:
                other[dim] = data[i] + self_shape[dim] if data[i] < 0 else data[i]
            if name == "index_select":
                found.append((i, _ravel(other, self_shape), e))
            else:
                found.append((i, -1 if scalar else e, _ravel(other, self_shape)))
    elif dim is not None:
        dim = dim + max(len(shape), 1) if dim < 0 else dim
        gathers = name in ("gather", "take_along_dim")
        for i in range(len(data)):
            position = _unravel(i, shape)
            other = list(position)
            if other:
                other[dim] = data[i] + self_shape[dim] if data[i] < 0 else data[i]
            if gathers:
                found.append((i, _ravel(other, self_shape), i))
            else:
                found.append(
                    (i, -1 if scalar else _ravel(position, m["src"]["shape"]), _ravel(other, self_shape))
                )
    return found


LETTERS = ["i", "j", "k", "l", "m", "n"]


def general_rule(m: dict[str, Any]) -> str:
    """The rule with letters: "self[index[i][j]][j] = src[i][j]"."""
    name, dim = m["op"].rstrip("_"), m["dim"]
    n = len(m["self"]["shape"])
    letters = LETTERS[:n] if n <= len(LETTERS) else [f"i{d}" for d in range(n)]
    here = "".join([f"[{x}]" for x in letters])
    source = m["src"]["name"] if m["src"] is not None else "value"
    if name == "take" or (dim is None and name == "take_along_dim"):
        return "out[i] = self.flatten()[index[i]]"
    if name == "put":
        return f"self.flatten()[index[i]] {_sign(m)} {source}[i]"
    if name == "masked_select":
        return f"out = the cells of self where mask{here} is True, in reading order"
    if name in ("masked_fill", "masked_scatter"):
        return (
            f"self{here} = "
            + ("value" if name == "masked_fill" else f"the next cell of {source}")
            + f" where mask{here} is True"
        )
    if n == 0:
        return f"self {_sign(m)} {source}"
    dim = dim + n if dim < 0 else dim
    one = name.startswith("index_")
    there = "".join(
        [
            f"[index[{letters[d]}]]"
            if d == dim and one
            else f"[index{here}]"
            if d == dim
            else f"[{letters[d]}]"
            for d in range(n)
        ]
    )
    if family(name) == "gather":
        return f"out{here} = self{there}"
    scalar = m["src"] is None or not m["src"]["shape"]
    return f"self{there} {_sign(m)} {source}" + ("" if scalar else here)


def _sign(m: dict[str, Any]) -> str:
    signs = {
        "sum": "+=",
        "add": "+=",
        "prod": "*=",
        "multiply": "*=",
        "amax": "max=",
        "amin": "min=",
        "mean": "mean=",
    }
    return signs.get(m["reduce"] or "", "=")


def rule(m: dict[str, Any], move: Move) -> str:
    """The rule with one cell's numbers: "self[index[0][3]][3] = self[0][3] = src[0][3] = 4"."""
    name = m["op"].rstrip("_")
    i, source, target = move
    index = f"index{at_text(i, m['index']['shape'])}"
    if name.startswith("masked_"):
        index = f"mask{at_text(i, m['index']['shape'])}"
    if family(name) == "gather":
        text_of = m["self"]["text"][source]
        return f"out{at_text(target, m['out']['shape'])} = self{_with_index(m, source, m['self']['shape'], index)} = self{at_text(source, m['self']['shape'])} = {text_of}"
    what = m["src"]["name"] if m["src"] is not None else "value"
    if source >= 0:
        value = f"{what}{at_text(source, m['src']['shape'])} = {m['src']['text'][source]}"
    else:
        value = what if m["src"] is None else f"{what} = {m['src']['text'][0]}"
    return f"self{_with_index(m, target, m['self']['shape'], index)} {_sign(m)} {value}, at self{at_text(target, m['self']['shape'])}"


def _with_index(m: dict[str, Any], e: int, shape: list[int], index: str) -> str:
    """The place of a cell, with the index where its number came from: "[index[0][3]][3]"."""
    name, dim = m["op"].rstrip("_"), m["dim"]
    if name in ("take", "put") or (dim is None and name == "take_along_dim"):
        return f".flatten()[{index}]"
    if name.startswith("masked_") or dim is None or not shape:
        return at_text(e, shape)
    position = _unravel(e, shape)
    dim = dim + len(shape) if dim < 0 else dim
    return "".join([f"[{index}]" if d == dim else f"[{position[d]}]" for d in range(len(shape))])


def _after(m: dict[str, Any], move: Move, hits: dict[int, list[int]]) -> str:
    """What the target cell holds afterwards, and whether others wrote there too."""
    target = move[2]
    s = m["out"]["text"][target]
    others = len(hits[target]) - 1
    if others > 0 and family(m["op"]) != "gather":
        s += f" ({plural(others, 'other write')} to this cell)"
    return s


def reduction(m: dict[str, Any]) -> str:
    """What becomes of cells that meet."""
    if family(m["op"]) == "gather":
        return "each cell of out reads the cell of self that its index names"
    if m["reduce"] is None:
        return "no reduction: what comes replaces what was there"
    start = "starting from what was there" if m["include_self"] else "without what was there"
    return f"reduction {m['reduce']}: values that meet in a cell are combined, {start}"


def _collision(m: dict[str, Any]) -> str:
    return "PyTorch doesn't say which value stays" if m["reduce"] is None else f"combined by {m['reduce']}"


def at_text(e: int, shape: list[int]) -> str:
    """A flat position as an index: "[0][3]"."""
    return "".join([f"[{i}]" for i in _unravel(e, shape)])


def _unravel(e: int, shape: list[int]) -> list[int]:
    position = [0] * len(shape)
    for d in range(len(shape) - 1, -1, -1):
        position[d] = e % max(shape[d], 1)
        e //= max(shape[d], 1)
    return position


def _ravel(position: list[int], shape: list[int]) -> int:
    e = 0
    for d in range(len(shape)):
        e = e * shape[d] + position[d]
    return e


def _size(shape: list[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def _shape(shape: list[int]) -> str:
    return "[" + ", ".join([str(n) for n in shape]) + "]"
