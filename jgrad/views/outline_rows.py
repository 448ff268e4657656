"""The rows that are drawn of an outline: repetitions fold, then source lines, then what is far from the cursor is left out. Only then rows are made."""

from __future__ import annotations

from bisect import bisect_right
from typing import TypedDict

from jgrad.tracing.document.loops import folded
from jgrad.views.operations import Picture
from jgrad.views.outline import ROWS, Opened, Outline, opened_of, outline_of
from jgrad.views.parts import name_of
from jgrad.views.scene import Frame, plural, window
from jgrad.views.uses import Uses

OF_LINE = 4  # only so many rows of one source line, or more, are folded
KINDS = 4  # a fold names at most so many kinds of rows


class Row(TypedDict):
    """A row of the outline: an operation or a closed group, the head of an open group, or a fold of many rows."""

    key: str
    kind: str
    """`op`, `closed`, `open`, `fold`."""
    depth: int
    name: str
    said: str
    sign: str
    first: int
    end: int
    uses: list[str]
    """The rows whose results it uses, by their keys."""
    far: int
    """How many rows it uses that are not drawn."""


class Fold(TypedDict):
    """One or more rows of an outline, as one."""

    begin: int
    end: int
    times: int
    """How many iterations of a loop it stands for; 1 for other rows, 0 for a row that stands for itself."""
    folds: list[Fold]
    """If it stands for rows of one source line: these."""


def rows_of(f: Frame, picture: Picture, uses: Uses, focus: int) -> tuple[list[Row], int, int]:
    """The rows to draw, and how many are above and below them. `focus`: the operation that the step at the cursor is about, -1 for none."""
    outline = outline_of(f, picture, uses)
    opened = opened_of(f, picture, outline)
    count = len(opened["units"])
    # (The head of an open group has the same first operation as what is in it, which comes later.)
    row = count - 1 if focus < 0 else bisect_right(opened["firsts"], focus) - 1
    folds: list[Fold] = []
    if count > ROWS:
        for begin, end, loop in folded(opened["loops"], 0, count, [row], True):
            times = 0 if loop is None else (end - begin) // loop["period"]
            folds.append({"begin": begin, "end": end, "times": times, "folds": []})
        if len(folds) > ROWS:
            folds = _by_line(outline, opened, folds, row)
    else:
        folds = [{"begin": k, "end": k + 1, "times": 0, "folds": []} for k in range(count)]
    at = bisect_right([fold["begin"] for fold in folds], row) - 1
    first, last = window(len(folds), at, ROWS)
    drawn = [_row(outline, opened, fold) for fold in folds[first:last]]
    _join(uses, opened, folds, first, drawn)
    return drawn, first, len(folds) - last


def _by_line(outline: Outline, opened: Opened, folds: list[Fold], focus: int) -> list[Fold]:
    """Those of a source line as one, except for its last one. What has the row of the cursor in it stays."""
    lines = [_line_of(outline, opened, fold) for fold in folds]
    found: list[Fold] = []
    i = 0
    while i < len(folds):
        j = i + 1
        while j < len(folds) and lines[i] >= 0 and lines[j] == lines[i]:
            j += 1
        if j - i < OF_LINE or folds[i]["begin"] <= focus < folds[j - 1]["end"]:
            found.extend(folds[i:j])
        else:
            both: Fold = {
                "begin": folds[i]["begin"], "end": folds[j - 1]["begin"], "times": 1, "folds": folds[i : j - 1],
            }  # fmt: skip
            found.extend([both, folds[j - 1]])
        i = j
    return found


def _line_of(outline: Outline, opened: Opened, fold: Fold) -> int:
    """The source line of a fold, -1 if it has several."""
    if not fold["times"] and opened["heads"][fold["begin"]]:
        return -1
    line = outline.lines[opened["firsts"][fold["begin"]]]
    return line if outline.lines[_end_of(outline, opened, fold) - 1] == line else -1


def _end_of(outline: Outline, opened: Opened, fold: Fold) -> int:
    """The end of the operations of a fold."""
    return max([outline.end(unit) for unit in opened["units"][fold["begin"] : fold["end"]][-1:]])


def _row(outline: Outline, opened: Opened, fold: Fold) -> Row:
    k = fold["begin"]
    unit = opened["units"][k]
    if fold["times"]:
        return _folded(outline, opened, fold)
    within = opened["within"][k]
    whole = outline.name(unit)
    name = whole[len(within) :] if within and whole.startswith(within) else whole
    return {
        "key": outline.key(unit), "kind": "open" if opened["heads"][k] else "closed" if unit < 0 else "op", "depth": opened["depths"][k],
        "name": name[1:] if name.startswith(".") else name or whole, "said": outline.said(unit), "sign": outline.sign(unit),
        "first": opened["firsts"][k], "end": outline.end(unit), "uses": [], "far": 0,
    }  # fmt: skip


def _folded(outline: Outline, opened: Opened, fold: Fold) -> Row:
    """One row for many."""
    named: dict[str, int] = {}
    rows = fold["end"] - fold["begin"]
    if fold["folds"]:
        rows = len(fold["folds"])
        for one in fold["folds"]:
            _count(_row(outline, opened, one), named)
    else:
        for k in range(fold["begin"], fold["begin"] + rows // fold["times"]):
            _count(_row(outline, opened, {"begin": k, "end": k + 1, "times": 0, "folds": []}), named)
    said = [name if n == 1 else f"{name} ×{n}" for name, n in named.items()]
    if len(said) > KINDS:
        said = [*said[:KINDS], f"{len(said) - KINDS} other kinds"]
    head = f"{fold['times']:,} more like this" if fold["times"] > 1 else plural(rows, "row")
    first = opened["firsts"][fold["begin"]]
    return {
        "key": f"x{first}", "kind": "fold", "depth": opened["depths"][fold["begin"]], "name": f"… {head}", "said": ", ".join(said), "sign": "fold",
        "first": first, "end": _end_of(outline, opened, fold), "uses": [], "far": 0,
    }  # fmt: skip


def _count(r: Row, named: dict[str, int]) -> None:
    if r["kind"] != "open":
        name = r["said"] if r["said"] and r["kind"] == "closed" else r["name"]
        named[name] = named.get(name, 0) + 1


def _join(uses: Uses, opened: Opened, folds: list[Fold], above: int, drawn: list[Row]) -> None:
    """Find out which rows use the results of which. `above`: how many are above those that are drawn."""
    # The first operations of what is not the head of an open group, and which of the folds that is.
    begins: list[int] = []
    which: list[int] = []
    for k in range(len(folds)):
        if folds[k]["times"] or not opened["heads"][folds[k]["begin"]]:
            begins.append(opened["firsts"][folds[k]["begin"]])
            which.append(k)
    for k in range(len(drawn)):
        r = drawn[k]
        if r["kind"] == "open":
            continue
        known = {above + k}
        for i in uses.entries(r["first"], r["end"]):
            for e in uses.part(i)["edges"]:
                place = uses.place_of(e["target"])
                if place < 0 or e["input"] < 0 or r["first"] <= place < r["end"]:
                    continue
                source = which[bisect_right(begins, place) - 1]
                if source in known:
                    continue
                known.add(source)
                if above <= source < above + len(drawn):
                    r["uses"].append(drawn[source - above]["key"])
                else:
                    r["far"] += 1


def parameters_of(f: Frame, uses: Uses, r: Row) -> list[tuple[str, int]]:
    """The leaves that a row uses, with what its layer calls them. The names of many are not looked up."""
    if r["kind"] == "op":
        return _named(f, uses, r["first"], -1)
    leaves = uses.leaves_of(r["first"], r["end"])
    if len(leaves) == 1:
        return _named(f, uses, uses.first_user(leaves[0], r["first"], r["end"]), leaves[0])
    return [("", number) for number in leaves]


def _named(f: Frame, uses: Uses, i: int, only: int) -> list[tuple[str, int]]:
    """The leaves that an operation uses, or only one of them, with their names."""
    part = uses.part(i)
    own: dict[int, str] = {}
    if part["layer"] >= 0:
        own = {number: name for name, number in f.document["layers"][part["layer"]]["parameters"]}
    found: list[tuple[str, int]] = []
    known: set[int] = set()
    for e in part["edges"]:
        number = e["tensor"]
        if (
            e["input"] >= 0
            and e["source"] == f"t{number}"
            and number not in known
            and (only < 0 or only == number)
        ):
            known.add(number)
            found.append((own.get(number, "") or name_of(f, number, e["step"]) or "leaf", number))
    return found
