"""Where the parts of a layered picture stand: parts in columns from left to right, edges that run between them without crossing a text.

The parts of a column stand below each other. An edge comes to its part at a *slot*, a horizontal piece with room for a text above and below it.
The slots of a part are to the left of it, in its own band, so no other edge passes there. An edge over several columns passes those in
between in a band of its own.

The layout depends on nothing but what it is given, and equal things are ordered by their position: the same picture comes out each time.
"""

from __future__ import annotations

from typing import TypedDict

SWEEPS = 6  # how often columns are ordered from left to right and back
STRETCH = 44.0  # so much more room between two columns where the picture is narrow
PORT = 14.0  # between the end of a slot and its part
PASS = 7.0  # half the height of the band of an edge that passes a column
GAP = 10.0  # between two items of a column
TURN = 40.0  # the room at the ends of a band, where edges go on in another one


class Slot(TypedDict):
    """Where an edge comes to its part."""

    source: int
    """The part that it comes from."""
    edge: int
    """Which edge of its part it is."""
    width: float
    """Of its text."""
    above: float
    """How much room the text above it needs."""
    below: float
    x: float
    """Where it begins, at the left."""
    y: float
    via: list[list[float]]
    """The columns that it passes: [left, right, y, band] of each."""


class Box(TypedDict):
    """A part of the picture."""

    width: float
    """Of its column content."""
    above: float
    """How much room it needs above its centre, and below."""
    below: float
    head: float
    """How much room it needs above its slots, and below them."""
    foot: float
    early: bool
    """Whether it stands next to what uses it, instead of as far to the left as it can."""
    slots: list[Slot]
    free: bool
    """Whether its slots may be in any order."""
    rank: int
    band: int
    """If the picture is wrapped, like a text: its row of columns."""
    x: float
    """Its centre."""
    y: float


class Item(TypedDict):
    """A part in a column, or an edge that passes it."""

    box: int
    """The part; -1 for an edge."""
    above: float
    below: float
    before: list[list[float]]
    """What it is joined to in the columns to the left: [item, offset there, offset here], by the numbers of items."""
    after: list[list[float]]
    at: float
    """Its place in the column, while columns are ordered."""
    y: float


class How(TypedDict):
    """How wide a picture may be."""

    curve: float
    """The room between two columns where edges bend, at least."""
    room: float
    """Up to so much there is room."""
    wrapped: bool
    """Whether it goes on below, like a text, where the room ends."""


class Laid(TypedDict):
    width: float
    height: float
    curve: float
    """The room between two columns."""
    bands: int
    left: float
    """Where edges come in that another band goes on with."""


def lay(boxes: list[Box], left: float, top: float, how: How) -> Laid:
    """Place all parts and slots."""
    _rank(boxes)
    items: list[Item] = []
    columns = _columns(boxes, items)
    _order(columns, items)
    _untwist(boxes, items)
    _align(columns, items)
    return _place(boxes, columns, items, left, top, how)


def _rank(boxes: list[Box]) -> None:
    """Give each part its column: one after the last of its sources."""
    for b in boxes:
        b["rank"] = 0
    changed = True
    rounds = 0
    while changed and rounds <= len(boxes):
        changed = False
        rounds += 1
        for b in boxes:
            for s in b["slots"]:
                if boxes[s["source"]]["rank"] >= b["rank"]:
                    b["rank"] = boxes[s["source"]]["rank"] + 1
                    changed = True
    first: dict[int, int] = {}  # by part: the first column that uses it
    for b in boxes:
        for s in b["slots"]:
            first[s["source"]] = min(first.get(s["source"], b["rank"]), b["rank"])
    for i in range(len(boxes)):
        if boxes[i]["early"] and not boxes[i]["slots"] and i in first:
            boxes[i]["rank"] = first[i] - 1


def _columns(boxes: list[Box], items: list[Item]) -> list[list[int]]:
    """The items of each column, and what each is joined to."""
    columns: list[list[int]] = []
    for i in range(len(boxes)):
        b = boxes[i]
        while len(columns) <= b["rank"]:
            columns.append([])
        offsets = _offsets(b)
        above, below = b["above"], b["below"]
        if b["slots"]:
            above = max(above, b["slots"][0]["above"] - offsets[0])
            below = max(below, b["slots"][-1]["below"] + offsets[-1])
        items.append(_item(i, above + b["head"], below + b["foot"]))
        columns[b["rank"]].append(i)
    for i in range(len(boxes)):
        b = boxes[i]
        offsets = _offsets(b)
        for k in range(len(b["slots"])):
            s = b["slots"][k]
            last = s["source"]
            for rank in range(boxes[s["source"]]["rank"] + 1, b["rank"]):
                items.append(_item(-1, PASS, PASS))
                columns[rank].append(len(items) - 1)
                _join(items, last, len(items) - 1, 0.0)
                s["via"].append([float(len(items) - 1)])
                last = len(items) - 1
            _join(items, last, i, offsets[k])
    return columns


def _offsets(b: Box) -> list[float]:
    """Where the slots of a part are, from its centre."""
    found: list[float] = []
    y = 0.0
    for s in b["slots"]:
        y += s["above"]
        found.append(y)
        y += s["below"]
    if not found:
        return found
    middle = (found[0] + found[-1]) / 2
    return [at - middle for at in found]


def _item(box: int, above: float, below: float) -> Item:
    return {"box": box, "above": above, "below": below, "before": [], "after": [], "at": 0.0, "y": 0.0}


def _join(items: list[Item], a: int, b: int, offset: float) -> None:
    items[a]["after"].append([float(b), offset, 0.0])
    items[b]["before"].append([float(a), 0.0, offset])


# The order within columns -------------------------------------------------------------------------


def _order(columns: list[list[int]], items: list[Item]) -> None:
    """Order the items of each column such that few edges cross."""
    _number(columns, items)
    best = [list(column) for column in columns]
    least = _crossings(columns, items)
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for c in range(len(columns)):
            column = columns[c if forth else len(columns) - 1 - c]
            keyed: list[tuple[float, float, int]] = []
            for n in column:
                joined = items[n]["before"] if forth else items[n]["after"]
                if not joined:
                    joined = items[n]["after"] if forth else items[n]["before"]
                keyed.append((_middle(items, joined, items[n]["at"]), items[n]["at"], n))
            keyed.sort()
            for k in range(len(keyed)):
                column[k] = keyed[k][2]
                items[keyed[k][2]]["at"] = float(k)
        crossings = _crossings(columns, items)
        if crossings < least:
            least = crossings
            best = [list(column) for column in columns]
    for c in range(len(columns)):
        columns[c] = best[c]
    _number(columns, items)


def _untwist(boxes: list[Box], items: list[Item]) -> None:
    """Put slots into the order of what they come from, where their order has no meaning."""
    for i in range(len(boxes)):
        b = boxes[i]
        if not b["free"] or len(b["slots"]) < 2:
            continue
        keyed = [(items[_last(b["slots"][k])]["at"], k) for k in range(len(b["slots"]))]
        keyed.sort()
        b["slots"] = [b["slots"][k] for _, k in keyed]
        items[i]["before"] = []
        for s in b["slots"]:
            items[_last(s)]["after"] = [to for to in items[_last(s)]["after"] if to[0] != i]
        offsets = _offsets(b)
        for k in range(len(b["slots"])):
            _join(items, _last(b["slots"][k]), i, offsets[k])


def _last(s: Slot) -> int:
    """The item before a slot: what it comes from, or the last column that it passes."""
    return int(s["via"][-1][0]) if s["via"] else s["source"]


def _number(columns: list[list[int]], items: list[Item]) -> None:
    for column in columns:
        for k in range(len(column)):
            items[column[k]]["at"] = float(k)


def _middle(items: list[Item], joined: list[list[float]], otherwise: float) -> float:
    """The mean place of what an item is joined to. Several slots of a part count in their order."""
    if not joined:
        return otherwise
    total = 0.0
    for other, there, _ in joined:
        total += items[int(other)]["at"] + there / 1000
    return total / len(joined)


def _crossings(columns: list[list[int]], items: list[Item]) -> int:
    count = 0
    for column in columns:
        ends: list[tuple[float, float]] = []
        for n in column:
            for other, there, _ in items[n]["after"]:
                ends.append((items[n]["at"], items[int(other)]["at"] + there / 1000))
        for i in range(len(ends)):
            for j in range(i):
                if (ends[i][0] - ends[j][0]) * (ends[i][1] - ends[j][1]) < 0:
                    count += 1
    return count


# Heights ------------------------------------------------------------------------------------------


def _align(columns: list[list[int]], items: list[Item]) -> None:
    """Give each item its height: as level with what it is joined to as the order and the bands allow."""
    for column in columns:
        _settle(column, items, [0.0 for _ in column])
    for sweep in range(2 * SWEEPS):
        forth = sweep % 2 == 0
        for c in range(len(columns)):
            column = columns[c if forth else len(columns) - 1 - c]
            wanted: list[float] = []
            for n in column:
                joined = items[n]["before"] if forth else items[n]["after"]
                if not joined or sweep > SWEEPS:
                    joined = [*items[n]["before"], *items[n]["after"]]
                total = 0.0
                for other, there, here in joined:
                    total += items[int(other)]["y"] + there - here
                wanted.append(total / len(joined) if joined else items[n]["y"])
            _settle(column, items, wanted)


def _settle(column: list[int], items: list[Item], wanted: list[float]) -> None:
    """The heights nearest to those that are wanted, in sum of squares, such that no bands overlap."""
    # With the distances taken away, heights must not fall: items that would are joined into blocks that share their mean.
    totals: list[float] = []
    counts: list[int] = []
    shift = 0.0
    shifts: list[float] = []
    for k in range(len(column)):
        if k:
            shift += items[column[k - 1]]["below"] + GAP + items[column[k]]["above"]
        shifts.append(shift)
        totals.append(wanted[k] - shift)
        counts.append(1)
        while len(totals) > 1 and totals[-2] / counts[-2] > totals[-1] / counts[-1]:
            total, count = totals.pop(), counts.pop()
            totals.append(totals.pop() + total)
            counts.append(counts.pop() + count)
    k = 0
    for b in range(len(totals)):
        for _ in range(counts[b]):
            items[column[k]]["y"] = totals[b] / counts[b] + shifts[k]
            k += 1


# Places -------------------------------------------------------------------------------------------


def _widths(boxes: list[Box], column: list[int]) -> tuple[float, float]:
    """How wide the slots of a column are, and its parts."""
    slot, wide = 0.0, 0.0
    for n in column:
        if n < len(boxes):
            wide = max(wide, boxes[n]["width"])
            for s in boxes[n]["slots"]:
                slot = max(slot, s["width"])
    return slot, wide


def _place(
    boxes: list[Box], columns: list[list[int]], items: list[Item], left: float, top: float, how: How
) -> Laid:
    """Give parts, slots and passing edges their places on the page."""
    widths = [_widths(boxes, column) for column in columns]
    flats = [slot + PORT if slot else 0.0 for slot, _ in widths]
    total = left
    for c in range(len(columns)):
        total += flats[c] + widths[c][1]
    gaps = max(len(columns) - 1, 1)
    curve = how["curve"]
    if not how["wrapped"]:
        curve += max(min((how["room"] - total) / gaps - curve, STRETCH), 0.0)
    starts: list[float] = []  # of the room for parts in each column
    ends: list[float] = []
    bands: list[int] = []
    x, band, right = left, 0, left
    for c in range(len(columns)):
        x += curve if c else 0.0
        if how["wrapped"] and c and x + flats[c] + widths[c][1] > how["room"] - TURN:
            x, band = left + TURN, band + 1
        starts.append(x)
        x += flats[c] + widths[c][1]
        ends.append(x)
        bands.append(band)
        right = max(right, x)
    low = top
    for n in range(band + 1):
        own = [items[i] for c in range(len(columns)) if bands[c] == n for i in columns[c]]
        shift = low - min([i["y"] - i["above"] for i in own] + [1e9]) if own else low
        for i in own:
            i["y"] += shift
        low = max([i["y"] + i["below"] for i in own] + [low]) + (GAP if n < band else 0.0)
    for c in range(len(columns)):
        for n in columns[c]:
            if n < len(boxes):
                b = boxes[n]
                b["x"] = starts[c] + flats[c] + widths[c][1] / 2
                b["y"] = items[n]["y"]
                b["band"] = bands[c]
                offsets = _offsets(b)
                for k in range(len(b["slots"])):
                    b["slots"][k]["x"] = starts[c]
                    b["slots"][k]["width"] = widths[c][0]
                    b["slots"][k]["y"] = b["y"] + offsets[k]
    for b in boxes:
        for s in b["slots"]:
            first = boxes[s["source"]]["rank"] + 1
            for k in range(len(s["via"])):
                c = first + k
                s["via"][k] = [starts[c], ends[c], items[int(s["via"][k][0])]["y"], float(bands[c])]
    return {
        "width": right + (TURN if band else 0.0),
        "height": low,
        "curve": curve,
        "bands": band + 1,
        "left": left,
    }
