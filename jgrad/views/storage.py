"""The storage map: each storage is a strip of its elements, and each tensor is a lens on it.

Tensors that share a version counter are joined by one bracket. So one sees that `detach()` has the same counter, and `.data` another one. A
lens shows the index at which the tensor reads the element above. The order of these shows a transpose, and a star shows an `expand`.
"""

from __future__ import annotations

from jgrad.trace.document.schema import Contents, TraceStorage, TraceTensor, Write
from jgrad.views.rows import alive
from jgrad.views.scene import (
    CHAR,
    WIDTH,
    Frame,
    Item,
    Scene,
    chip,
    chip_width,
    clip,
    clip_name,
    columns_of,
    finished,
    group,
    legend,
    path,
    plural,
    points,
    rect,
    shape_text,
    short,
    tensor_class,
    text,
    tuple_text,
)

STORAGES = 10  # at most so many are drawn
LENSES = 10  # at most so many lenses of a storage are drawn
NAME = 50  # where the name of a lens begins, unless its version is long
SHAPE, STRIDE, OFFSET = 192, 282, 372  # where the columns of a lens begin
LEFT = 424  # where the strips begin
LENS = 44  # height of a lens
LOW = 28  # height of a lens without a text about its memory


OWN = "own memory"
LEGEND = [
    ("chip leaf", "leaf, collects .grad"),
    ("chip intermediate", "non-leaf, has a grad_fn"),
    ("chip plain", "no gradient"),
    ("chip gradient", "a .grad"),
    ("chip saved", "saved for backward"),
    ("chip error", "changed since saved"),
    ("box write now", "written by this step"),
    ("v", "v0: version, counts writes"),
]


def scene(f: Frame) -> Scene:
    """The scene of the storage map at a frame."""
    items: list[Item] = []
    rows: list[list[str]] = []
    lenses: dict[int, list[TraceTensor]] = {s["id"]: [] for s in f.storages()}
    for t in f.tensors():
        lenses.setdefault(t["storage"], []).append(t)
    saved, keepers = _saved(f)
    storages = [s for s in f.storages() if lenses[s["id"]] or s["id"] in keepers]
    shown = _chosen(f, storages, lenses)
    y = 8.0
    for s in shown:
        y = _storage(f, s, lenses[s["id"]], saved, keepers, y, items, rows)
    if len(shown) < len(storages):
        items.append(text(10, y + 14, f"… {plural(len(storages) - len(shown), 'more storage')}", "muted"))
        y += 24
    if not storages:
        items.append(text(10, y + 14, "no tensor yet", "muted"))
        y += 24
    y = legend(LEGEND, y, items)
    columns = ["storage", "tensor", "shape", "stride", "offset", "version", "relation", "elements"]
    return finished("storage", "Storage map", f, y, items, columns, rows)


def _chosen(
    f: Frame, storages: list[TraceStorage], lenses: dict[int, list[TraceTensor]]
) -> list[TraceStorage]:
    """The storages to draw: first those that the step touched, then those with named tensors, then the newest."""
    if len(storages) <= STORAGES:
        return storages
    touched = f.touched()
    ranked = []
    for s in storages:
        rank = 2
        for t in lenses[s["id"]]:
            if t["id"] in touched:
                rank = 0
            elif rank == 2 and f.named(t["id"]):
                rank = 1
        ranked.append([rank, -s["id"]])
    ranked.sort()
    kept = [-r[1] for r in ranked[:STORAGES]]
    return [s for s in storages if s["id"] in kept]


def _storage(
    f: Frame,
    s: TraceStorage,
    lenses: list[TraceTensor],
    saved: dict[int, int],
    keepers: dict[int, int],
    y: float,
    items: list[Item],
    rows: list[list[str]],
) -> float:
    """Draw one storage with its lenses, and return the y below them."""
    key, name = f"s{s['id']}", f"storage {s['id'] + 1}"
    cells = f.contents(s["id"])
    writes = [w for w in f.writes() if w["storage"] == s["id"]]
    groups = _by_counter(lenses)
    ordered = [t for g in groups for t in g]
    kept = _kept(f, ordered)
    drawn = [t for t in ordered if t["id"] in kept]
    places, cell = _places(cells, drawn)
    written = {e for e in places if e is not None and any([_wrote(f, w, e) for w in writes])}
    what = f"{plural(s['numel'], 'element')}, {s['dtype']}, {plural(s['nbytes'], 'byte')}"
    items.append(text(10, y + 29, name, "title" + (" now" if writes else ""), [key]))
    at = 10 + (len(name) + 1) * CHAR
    items.append(
        text(
            at,
            y + 29,
            clip(what, int((LEFT - 4 - at) / CHAR)),
            "muted",
            [key],
            label=f"{name}: {what}, on {s['device']}",
        )
    )
    if y == 8:
        items.append(text(SHAPE, y + 10, "shape", "muted"))
        items.append(text(STRIDE, y + 10, "stride", "muted"))
        items.append(text(OFFSET, y + 10, "offset", "muted"))
    x = float(LEFT)
    for e in places:
        if e is None:
            hidden = cells["numel"] - len(places) + 1
            now = [
                w
                for w in writes
                if w["changed_elements"] is None or any(p not in places for p in w["changed_elements"])
            ]
            items.append(
                text(
                    x + 27,
                    y + 29,
                    "…",
                    "write now" if now else "muted",
                    a="middle",
                    label=plural(hidden, "more element"),
                )
            )
            x += 54
            continue
        c = "box write now" if e in written else "box"
        value = _value(cells, e)
        k = [key, f"{key}:{e}"]
        items.append(text(x + cell / 2, y + 10, str(e), "muted", k, a="middle"))
        items.append(rect(x, y + 14, cell, 22, c, k, f"{name}, element {e}: {value}"))
        items.append(
            text(
                x + cell / 2,
                y + 29,
                clip(value, int((cell - 4) / CHAR)),
                "mono now" if e in written else "mono",
                k,
                a="middle",
            )
        )
        x += cell
    strip = ["…" if e is None else _value(cells, e) + ("*" if e in written else "") for e in places]
    column = max([0, *[columns_of(t) for t in strip], *[len(_last_index(t)) for t in drawn]])
    if not lenses:
        node = keepers[s["id"]]
        held = f"kept for backward by {short(f.document['nodes'][node]['name'])}"
        items.append(text(56, y + 50, held, "saved", [key, f"n{node}"]))
        y += 20
        what += ", " + held
    rows.append([name, "", "", "", "", "", what, _padded(strip, column)])
    y += 44
    for g in groups:
        inside = [t for t in g if t["id"] in kept]
        if not inside:
            continue
        version = f"v{f.version(g[0]['version_counter'])}"
        bumped = any(
            w["version_counter"] == g[0]["version_counter"] and w["versions"][0] != w["versions"][1]
            for w in writes
        )
        names = [f.label(t["id"]) for t in g]
        said = f"version counter of {', '.join(names)}: {version[1:]}"
        k = [f"t{t['id']}" for t in g]
        items.extend(chip(10, y + 17, version, "write now" if bumped else "box", k, said))
        top = y
        at = max(NAME, 16 + chip_width(version))
        for i in range(len(inside)):
            t = inside[i]
            if i > 0:
                # One bracket for all tensors that share the version counter.
                items.append(
                    path(
                        points("M", 22, top + 22 if i == 1 else y - LENS + 13, "V", y + 13, "H", at - 4),
                        "edge muted",
                        k,
                        said,
                    )
                )
            items.append(_lens(f, t, at, y, places, cell, written, version, saved.get(t["id"]), column, rows))
            y += LOW if relation_of(f, t) == OWN and t["id"] not in saved and i == len(inside) - 1 else LENS
    if len(drawn) < len(lenses):
        items.append(
            text(50, y + 12, f"… {plural(len(lenses) - len(drawn), 'more tensor')} on {name}", "muted")
        )
        y += 20
    return y + 12


def _by_counter(lenses: list[TraceTensor]) -> list[list[TraceTensor]]:
    """Tensors grouped by their version counters, in the order in which they were made."""
    groups: dict[int, list[TraceTensor]] = {}
    for t in lenses:
        groups.setdefault(t["version_counter"], []).append(t)
    return list(groups.values())


def _kept(f: Frame, lenses: list[TraceTensor]) -> list[int]:
    """The lenses that are drawn if there are too many: the touched, the named, then the newest. Among equals, tensors that are no views come first."""
    if len(lenses) <= LENSES:
        return [t["id"] for t in lenses]
    touched = f.touched()
    ranked = []
    for t in lenses:
        rank = 0.0 if t["id"] in touched else 1.0 if f.named(t["id"]) else 2.0
        ranked.append([rank - (0.5 if t["base"] is None else 0), -t["id"]])
    ranked.sort()
    return [-int(r[1]) for r in ranked[:LENSES]]


def _value(cells: Contents, e: int) -> str:
    """The text of element e of a storage, of which only the head and the tail are known."""
    return (
        cells["elements"][e]
        if e < cells["head"]
        else cells["elements"][e - cells["numel"] + cells["head"] + cells["tail"]]
    )


def _wrote(f: Frame, w: Write, e: int) -> bool:
    """Whether the step wrote to an element. If the elements were not compared, it counts as a write to all elements of the tensor."""
    t = f.state[w["tensor"]]
    return (
        bool(indexes(t, e, scale_of(f, t))) if w["changed_elements"] is None else e in w["changed_elements"]
    )


def _places(cells: Contents, lenses: list[TraceTensor]) -> tuple[list[int | None], float]:
    """The elements that are drawn (None for a gap), and the width of each."""
    n = cells["numel"]
    longest = max(
        [len(str(n - 1))] + [min(columns_of(t), 24 if t.endswith("j") else 11) for t in cells["elements"]]
    )
    for t in lenses:
        longest = max(longest, min(len(_last_index(t)), 11))
    cell = max(30.0, longest * CHAR + 8)
    fit = int((WIDTH - LEFT - 10) / cell)
    if n <= fit and n <= cells["head"]:
        return list(range(n)), cell
    fit = int((WIDTH - LEFT - 10 - 54) / cell)
    tail = min(max(fit // 3, 1), max(cells["tail"], 0) if cells["tail"] else n)
    head = min(fit - tail, cells["head"])
    return [*range(head), None, *range(n - tail, n)], cell


def _padded(parts: list[str], n: int) -> str:
    """Parts in columns of n characters, so that also in text the lenses are below their elements."""
    s = ""
    for part in parts:
        s += part + " " * (n + 1 - columns_of(part))
    return s.rstrip()


def _last_index(t: TraceTensor) -> str:
    if len(t["shape"]) > 3:
        size = 1
        for n in t["shape"]:
            size *= n
        return f"#{max(size - 1, 0)}"
    return ",".join(
        ["*" if st == 0 and n > 1 else str(n - 1) for n, st in zip(t["shape"], t["stride"], strict=True)]
    )


def scale_of(f: Frame, t: TraceTensor) -> tuple[int, int]:
    """How many elements of a tensor have the size of how many elements of its storage: (2, 1) for the real view of complex numbers."""
    cell = f.document["storages"][t["storage"]]["itemsize"]
    own = int("".join(c for c in t["dtype"] if c.isdigit()) or 8) // 8
    return max(cell // own, 1), max(own // cell, 1)


def index_text(t: TraceTensor, places: list[list[int]]) -> str:
    """The index at which a tensor reads an element of its storage: "1,2", or "1,*" if a stride of 0 repeats it; empty if it does not read it.

    If a tensor reads an element at several indexes for another reason (overlapping windows), the text is how often. In more than three
    dimensions the index is the one in row-major order.
    """
    if not places:
        return ""
    if not t["shape"]:
        return "·"
    if len(places) > 1:
        return f"×{len(places)}"
    if len(t["shape"]) > 3:
        flat = 0
        for i, n in zip(places[0], t["shape"], strict=True):
            flat = flat * n + max(i, 0)
        return f"#{flat}"
    return ",".join(["*" if i < 0 else str(i) for i in places[0]])


def indexes(t: TraceTensor, e: int, scale: tuple[int, int] = (1, 1)) -> list[list[int]]:
    """The indexes at which a tensor reads element e of its storage, at most nine; -1 means every index of a dimension with stride 0."""
    found: list[list[int]] = []
    dims = [d for d in range(len(t["shape"])) if t["stride"][d] > 0]
    dims.sort(key=lambda d: -t["stride"][d])
    index = [-1 if n > 1 else 0 for n in t["shape"]]
    if 0 not in t["shape"]:
        elements, cells = scale
        for part in range(elements):
            _search(t, dims, 0, e // cells * elements + part - t["storage_offset"], index, found)
    return found


def _search(
    t: TraceTensor, dims: list[int], at: int, rest: int, index: list[int], found: list[list[int]]
) -> None:
    """Go through the dimensions from the largest stride to the smallest. What the later dimensions can reach limits the index in this one."""
    if len(found) == 9:
        return
    if at == len(dims):
        if rest == 0:
            found.append(list(index))
        return
    d = dims[at]
    stride = t["stride"][d]
    reach = 0
    for later in dims[at + 1 :]:
        reach += (t["shape"][later] - 1) * t["stride"][later]
    low = max((rest - reach + stride - 1) // stride, 0)
    high = min(rest // stride, t["shape"][d] - 1)
    for i in range(low, min(high, low + 128) + 1):  # more than a few indexes only if windows overlap
        index[d] = i
        _search(t, dims, at + 1, rest - i * stride, index, found)


def _lens(
    f: Frame, t: TraceTensor, x: float, y: float, places: list[int | None], cell: float, written: set[int], version: str, saved: int | None,
    column: int, rows: list[list[str]],
) -> Item:  # fmt: skip
    number = t["id"]
    name = f.label(number)
    c = tensor_class(f, t)
    now = number in f.touched()
    k = [f"t{number}"]
    shown = clip_name(name, int((SHAPE - 17 - x) / CHAR))
    relation = relation_of(f, t)
    geometry = f"stride {tuple_text(t['stride'])} offset {t['storage_offset']}"
    items = chip(x, y + 17, shown, c + (" now" if now else ""), k, f.history(number))
    items.append(text(SHAPE, y + 17, _tight(shape_text(t["shape"])), "mono", k, label=shape_text(t["shape"])))
    items.append(
        text(STRIDE, y + 17, _tight(tuple_text(t["stride"])), "mono", k, label=tuple_text(t["stride"]))
    )
    items.append(text(OFFSET, y + 17, clip(f"{t['storage_offset']:,}", 7), "mono"))
    room = 44
    if saved is not None:
        stale = f"v{saved}" != version
        what = f"saved for backward at version {saved}" + (
            f", but now at version {version[1:]}: backward() will fail" if stale else ""
        )
        said = f"saved at v{saved}"
        left = LEFT - 14 - chip_width(said)
        items.extend(chip(left, y + 36, said, "error" if stale else "saved", k, what))
        room = int((left - 56) / CHAR)
    if relation != OWN:
        items.append(
            text(
                56,
                y + 36,
                clip(relation, room),
                "alias" if t["origin"] in ("view", "detach", "data") else "muted",
                k,
                label=relation,
            )
        )
    px = float(LEFT)
    marks = []
    begun = -1.0
    scale = scale_of(f, t)
    for e in places:
        if e is None:
            # The part of the gap that the tensor covers is known from its ends.
            first, last = _ends(t, scale)
            gap = places.index(None)
            end = f.contents(t["storage"])["numel"] - len(places) + 1 + gap
            low, high = max(first, gap), min(last, end - 1)
            marks.append("…" if low <= high else ".")
            if low <= high:
                part = 46 / (end - gap)
                items.append(
                    rect(
                        px + 4 + (low - gap) * part,
                        y + 11,
                        max((high - low + 1) * part, 2),
                        5,
                        "box lens " + c,
                        k,
                        f"{name} is between elements {first:,} and {last:,} of storage {t['storage'] + 1}",
                    )
                )
            px += 54
            continue
        found = indexes(t, e, scale)
        mark = index_text(t, found)
        marks.append(mark or ".")
        if mark:
            if begun < 0:
                begun = px
            fill = c + (" now write" if e in written else "")
            element = [*k, f"s{t['storage']}:{e}"]
            items.append(
                rect(
                    px + 1.5,
                    y + 4,
                    cell - 3,
                    19,
                    "box lens " + fill,
                    element,
                    _reading(f, t, e, found[0], scale),
                )
            )
            items.append(
                text(
                    px + cell / 2,
                    y + 17,
                    clip(mark, int((cell - 2) / CHAR)),
                    "mono " + c,
                    element,
                    a="middle",
                )
            )
        px += cell
    rows.append(
        [f"storage {t['storage'] + 1}", name, shape_text(t["shape"]), tuple_text(t["stride"]), str(t["storage_offset"]), version + ("" if saved is None else f" (saved v{saved})"),
         relation, _padded(marks, column)]
    )  # fmt: skip
    return group(items, k, f"{f.history(number)}, {relation}, {geometry}, version {version[1:]}")


def _tight(s: str) -> str:
    """The text of a shape or stride in its column, without spaces if it is long."""
    return s if len(s) <= 11 else clip(s.replace(" ", ""), 11)


def _ends(t: TraceTensor, scale: tuple[int, int]) -> tuple[int, int]:
    """The first and the last element of its storage that a tensor reads. If the tensor has no elements, the last is before the first."""
    elements, cells = scale
    last = t["storage_offset"]
    for n, st in zip(t["shape"], t["stride"], strict=True):
        last += (n - 1) * st
    first = t["storage_offset"] * cells // elements
    return first, first - 1 if 0 in t["shape"] else (last * cells + cells - 1) // elements


def _reading(f: Frame, t: TraceTensor, e: int, index: list[int], scale: tuple[int, int]) -> str:
    """The sum that computes an element's position from an index: "v[1] is element 1 + 1*1 = 2 of storage 2"."""
    name = clip_name(f.label(t["id"]), 24)
    at = ", ".join([":" if i < 0 else str(i) for i in index])
    if scale != (1, 1):
        return f"{name}[{at}] is element {e} of storage {t['storage'] + 1}"
    terms = [str(t["storage_offset"])] + [
        f"{max(i, 0)}*{st}" for i, st in zip(index, t["stride"], strict=True)
    ]
    return f"{name}[{at}]: offset {' + '.join(terms)} = element {e} of storage {t['storage'] + 1}"


def relation_of(f: Frame, t: TraceTensor) -> str:
    """How a tensor got its memory."""
    made = f.maker(t["id"])
    reads = made.get("reads", []) if made is not None else []
    source = clip_name(f.label(reads[0]), 20) if reads else "another"
    if t["origin"] == "detach":
        return f"detach of {source}"
    if t["origin"] == "data":
        return f".data of {source}"
    if made is not None and made["op"] == "clone":
        return f"clone of {source}"
    if t["origin"] == "view" and made is not None:
        op = made["op"] if made["op"] != "__getitem__" else "view"
        at = reads[0] if reads else -1
        while (
            f.is_inner(at)
            and not f.named(at)
            and (inner := f.maker(at))
            and inner["kind"] == "view"
            and inner.get("reads")
        ):
            at = inner["reads"][0]  # several views made by one expression: z.real, x[0, 1:]
            op, source = "view", clip_name(f.label(at), 20)
        return f"{op} of {source}"
    if t["base"] is not None:
        return f"view of {clip_name(f.label(t['base']), 20)}"
    return OWN


def _saved(f: Frame) -> tuple[dict[int, int], dict[int, int]]:
    """By tensor that nodes hold for backward, the version at which the first of them saved it; by storage, the first of the nodes."""
    held = alive(f, [])
    found: dict[int, int] = {}
    keepers: dict[int, int] = {}
    for number in sorted(held):
        n = f.document["nodes"][number]
        if n["created_step"] < f.cursor and not (n["freed_step"] is not None and n["freed_step"] < f.cursor):
            for s in n["saved"]:
                if s["tensor"] is not None:
                    found.setdefault(s["tensor"], s["version"])
                    keepers.setdefault(f.state[s["tensor"]]["storage"], n["id"])
    return found, keepers
