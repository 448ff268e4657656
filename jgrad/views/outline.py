"""The operations of a large graph as an outline: by module, else by function, then by repetition and by line. What is closed is one row.

Which groups are open follows from the trace: as many as leave few enough rows, from the outside in, and those in which a gradient vanished. The
reader opens and closes others.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.trace.document.loops import folded, loops_of
from jgrad.trace.document.schema import Value
from jgrad.views.labels import symbol
from jgrad.views.parts import Part, Picture, name_of, source_of, step_of
from jgrad.views.scene import Frame, op_name, plural, window

SHOWN = 22  # so many rows are open by themselves, at most
FEW = 3  # with so few rows, more are opened in any case
ROWS = 40  # at most so many rows are drawn
HIDDEN = 6  # a fold of a repetition hides at least so many rows
OF_LINE = 4  # only so many rows of one source line, or more, are folded
LOST = 1e-6  # a gradient so much smaller than that of the loss has vanished
# Operations that only move elements:
SHAPING = (
    "View", "Expand", "T", "Transpose", "Permute", "UnsafeView", "ReshapeAlias", "Unsqueeze", "Squeeze", "Clone", "Select", "Slice",
)  # fmt: skip
KINDS = 4  # a fold names at most so many kinds of rows


class Branch(TypedDict):
    """A group of operations, or one operation."""

    key: str
    """`m3`: call 3 of a layer; `f3`: a function, by its first operation; `n3`: an operation."""
    name: str
    said: str
    """What it is: `Linear(2, 4)`."""
    sign: str
    """Equal for branches that are alike."""
    first: int
    """Its first operation, and the end of its operations, as positions among all of them."""
    end: int
    children: list[Branch]


class Row(TypedDict):
    """A row of the outline: an operation or a closed group, the head of an open group, or a fold of many rows."""

    key: str
    kind: str
    """`op`, `closed`, `open`, `fold`."""
    depth: int
    name: str
    said: str
    sign: str
    line: int
    """Its source line, -1 if it has none or several."""
    first: int
    end: int
    uses: list[str]
    """The rows whose results it uses, by their keys."""
    far: int
    """How many rows it uses that are not drawn."""


def operations_of(picture: Picture) -> list[Part]:
    return [p for p in picture["parts"] if p["kind"] == "op"]


def outline_of(f: Frame, picture: Picture) -> list[Branch]:
    """The outline of all operations of a picture."""
    key = f"outline {picture['key']}"
    found: list[Branch] = f.index.kept.get(key, [])
    if not found:
        found = _grown(f, operations_of(picture))
        f.index.kept[key] = found
    return found


# The outline --------------------------------------------------------------------------------------


class Level(TypedDict):
    """A group that further operations may belong to."""

    sign: str
    """What it is a call of."""
    begin: int
    """The place in it at which its first operation ran, and the place of the last one."""
    last: int
    branch: Branch


def _grown(f: Frame, operations: list[Part]) -> list[Branch]:
    roots: list[Branch] = []
    levels: list[Level] = []
    keys: set[str] = set()
    for i in range(len(operations)):
        found = _path(f, operations[i])
        depth = len(levels) if found is None else 0
        path = found or []
        while depth < min(len(levels), len(path)):
            level, (sign, place) = levels[depth], path[depth]
            again = sign.startswith("f") and place == level["begin"] and place != level["last"]
            if level["sign"] != sign or again:
                break
            level["last"] = place
            depth += 1
        levels = levels[:depth]
        for sign, place in path[depth:]:
            branch = _branch(f, sign, i)
            if branch["key"] in keys:
                branch["key"] += f" {i}"
            keys.add(branch["key"])
            _children(levels, roots).append(branch)
            levels.append({"sign": sign, "begin": place, "last": place, "branch": branch})
        _children(levels, roots).append(_leaf(f, operations[i], i))
        for level in levels:
            level["branch"]["end"] = i + 1
    return _by_expression(f, operations, [_simple(f, operations, branch) for branch in roots])


def _children(levels: list[Level], roots: list[Branch]) -> list[Branch]:
    return levels[-1]["branch"]["children"] if levels else roots


def _path(f: Frame, p: Part) -> list[tuple[str, int]] | None:
    """The groups that an operation is part of, from the outside in: (what, the place in it). None if its step was not kept."""
    step = step_of(f.index, p["nodes"][0])
    path: list[tuple[str, int]] = []
    if step is None and p["since"] >= 0:
        return None
    if step is None or step.get("backward_call") is not None:
        return path
    call = step.get("layer_call", -1)
    if call >= 0:
        calls = f.document["layer_calls"]
        if p["layer"] >= 0:
            above = calls[call][1]
            call = -1 if above is None else above
        while call >= 0:
            path.append((f"m{call}", 0))
            above = calls[call][1]
            call = -1 if above is None else above
        return _reversed(path)
    call = step.get("call", -1)
    while call >= 0:
        place = f.document["calls"][call]
        caller = place["caller"]
        path.append((f"f{place['function']} {-1 if caller is None else caller}", call))
        call = -1 if caller is None else caller
    return _reversed(path)


def _reversed(path: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [path[len(path) - 1 - i] for i in range(len(path))]


def _branch(f: Frame, sign: str, first: int) -> Branch:
    if sign.startswith("m"):
        call = int(sign[1:])
        layer = f.document["layers"][f.document["layer_calls"][call][0]]
        name, said = layer["name"] or layer["type"], layer["type"] if layer["name"] else ""
        if layer["arguments"]:
            said = f"{layer['type']}({layer['arguments']})"
        return _a_branch(sign, name, said, said or name, first)
    name = sign[1 : sign.rfind(" ")]
    at = name.rfind(".")
    return _a_branch(f"f{first} {sign}", name[at + 1 :] + "()", "", sign, first)


def _a_branch(key: str, name: str, said: str, sign: str, first: int) -> Branch:
    return {
        "key": key,
        "name": name,
        "said": said,
        "sign": sign,
        "first": first,
        "end": first + 1,
        "children": [],
    }


def _leaf(f: Frame, p: Part, i: int) -> Branch:
    if p["layer"] >= 0:
        layer = f.document["layers"][p["layer"]]
        said = f"{layer['type']}({layer['arguments']})"
        return _a_branch(
            p["key"],
            layer["name"] or layer["type"],
            said if layer["name"] else f"({layer['arguments']})",
            said,
            i,
        )
    node = f.index.nodes[p["nodes"][0]]
    source = source_of(f, step_of(f.index, p["nodes"][0]))
    return _a_branch(p["key"], symbol(f, p), source, f"{node['line']} {op_name(node['name'])}", i)


def _by_expression(f: Frame, operations: list[Part], branches: list[Branch]) -> list[Branch]:
    """Branches with the operations of one expression as one: `q @ k` may need six."""
    found: list[Branch] = []
    i = 0
    while i < len(branches):
        b = branches[i]
        j = i + 1
        while (
            j < len(branches)
            and not b["children"]
            and b["said"]
            and _same_place(f, operations, b, branches[j])
        ):
            j += 1
        if j - i > 1:
            main = b
            for other in branches[i:j]:
                if not op_name(f.index.nodes[operations[other["first"]]["nodes"][0]]["name"]).startswith(
                    SHAPING
                ):
                    main = other
            group = _a_branch(f"e{b['first']}", main["name"], b["said"], main["sign"], b["first"])
            group["end"] = branches[j - 1]["end"]
            group["children"] = branches[i:j]
            found.append(group)
        else:
            found.append(b)
        i = j
    return found


def _same_place(f: Frame, operations: list[Part], a: Branch, b: Branch) -> bool:
    """Whether two operations are of the same expression."""
    if b["children"] or a["said"] != b["said"] or not (a["key"].startswith("n") and b["key"].startswith("n")):
        return False
    one = step_of(f.index, operations[a["first"]]["nodes"][0])
    two = step_of(f.index, operations[b["first"]]["nodes"][0])
    if one is None or two is None or operations[a["first"]]["layer"] >= 0:
        return False
    return one["span"] == two["span"] and one.get("call", -1) == two.get("call", -1)


def _simple(f: Frame, operations: list[Part], branch: Branch) -> Branch:
    """A branch without groups that have but one thing in them. The call of a layer with one operation keeps the name of the layer."""
    children = _by_expression(f, operations, [_simple(f, operations, child) for child in branch["children"]])
    if len(children) == 1:
        only = children[0]
        if branch["key"].startswith("m") and not only["children"] and only["sign"] != only["said"]:
            return {**branch, "key": only["key"], "children": []}
        if not branch["key"].startswith("m") or not only["children"]:
            return only
    return {**branch, "children": children}


# The rows -----------------------------------------------------------------------------------------


def rows_of(f: Frame, picture: Picture, focus: int) -> tuple[list[Row], int, int]:
    """The rows to draw, and how many are above and below them. `focus`: the operation that the step at the cursor is about, -1 for none."""
    operations = operations_of(picture)
    outline = outline_of(f, picture)
    rows: list[Row] = []
    _add_rows(f, outline, _opened(f, picture, outline, operations), 0, "", rows)
    at = len(rows) - 1
    for i in range(len(rows)):
        if rows[i]["kind"] != "open" and rows[i]["first"] <= focus < rows[i]["end"]:
            at = i
    if len(rows) > ROWS:
        focused = rows[at]["key"]
        rows = _folded(f, operations, rows, at)
        at = max([0, *[i for i in range(len(rows)) if rows[i]["key"] == focused]])
    begin, end = window(len(rows), at, ROWS)
    _join(operations, rows)
    drawn = rows[begin:end]
    keys = {r["key"] for r in drawn}
    for r in drawn:
        near = [key for key in r["uses"] if key in keys]
        r["far"] = len(r["uses"]) - len(near)
        r["uses"] = near
    return drawn, begin, len(rows) - end


def _opened(f: Frame, picture: Picture, outline: list[Branch], operations: list[Part]) -> set[str]:
    """The groups that are open."""
    key = f"opened {picture['key']}"
    known: list[str] = f.index.kept.get(key, [])
    if not known:
        known = ["", *_open_by_itself(f, outline, operations)]
        f.index.kept[key] = known
    both = {*known, *f.toggled}
    return {name for name in both if (name in known) != (name in f.toggled)}


def _open_by_itself(f: Frame, outline: list[Branch], operations: list[Part]) -> list[str]:
    """The groups to open without being asked: level by level while there are few rows, then those in which a gradient vanished."""
    opened: list[str] = []
    level = outline
    count = len(outline)
    while True:
        groups = [b for b in level if b["children"] and not b["key"].startswith("e")]
        more = 0
        for b in groups:
            more += len(b["children"])
        if not groups or (count + more > SHOWN and count > FEW):
            break
        opened.extend([b["key"] for b in groups])
        count += more
        level = [child for b in groups for child in b["children"]]
    for b in level:
        if (
            b["children"]
            and not b["key"].startswith("e")
            and _has_lost(f, operations, b["first"], b["end"])
            and count + len(b["children"]) <= ROWS - 6
        ):
            opened.append(b["key"])
            count += len(b["children"])
    return opened


def _has_lost(f: Frame, operations: list[Part], first: int, end: int) -> bool:
    """Whether a gradient vanished at one of some operations in the last backward pass, or is not a number."""
    for i in range(first, end):
        runs = f.index.runs.get(operations[i]["nodes"][-1], [])
        if runs:
            values = f.index.steps[runs[-1]].get("grads_in", [])
            if any([v is not None and is_lost(v, 1.0) for v in values]):
                return True
    return False


def is_lost(value: Value, start: float) -> bool:
    """Whether a gradient has vanished, against the norm with which the backward pass started; or is nan or infinite."""
    if value.get("nan_count") or value.get("inf_count"):
        return True
    norm = value.get("norm")
    return norm is not None and norm < LOST * start


def _add_rows(
    f: Frame, branches: list[Branch], opened: set[str], depth: int, within: str, rows: list[Row]
) -> None:
    for b in branches:
        name = b["name"][len(within) :] if within and b["name"].startswith(within) else b["name"]
        is_open = b["key"] in opened and bool(b["children"])
        rows.append({
            "key": b["key"], "kind": "open" if is_open else "closed" if b["children"] else "op", "depth": depth,
            "name": name[1:] if name.startswith(".") else name or b["name"], "said": b["said"], "sign": b["sign"], "line": -1, "first": b["first"], "end": b["end"],
            "uses": [], "far": 0,
        })  # fmt: skip
        if is_open:
            _add_rows(
                f, b["children"], opened, depth + 1, b["name"] if b["key"].startswith("m") else within, rows
            )


def _folded(f: Frame, operations: list[Part], rows: list[Row], focus: int) -> list[Row]:
    """Rows with repetitions folded: the first and the last iteration stay, and that of the cursor. If there are still too many, those of a source
    line become one, except for its last one."""
    loops = loops_of([f"{r['depth']} {r['sign']}" for r in rows], HIDDEN)
    found: list[Row] = []
    for begin, end, loop in folded(loops, 0, len(rows), [focus], True):
        if loop is None:
            found.append(rows[begin])
        else:
            found.append(_fold(rows[begin:end], (end - begin) // loop["period"]))
    if len(found) <= ROWS:
        return found
    for r in found:
        r["line"] = _line_of(f, operations, r)
    lines: list[Row] = []
    i = 0
    while i < len(found):
        j = i + 1
        while j < len(found) and found[i]["line"] >= 0 and found[j]["line"] == found[i]["line"]:
            j += 1
        if j - i < OF_LINE or any([r["key"] == rows[focus]["key"] for r in found[i:j]]):
            lines.extend(found[i:j])
        else:
            lines.append(_fold(found[i : j - 1], 1))
            lines.append(found[j - 1])
        i = j
    return lines


def _line_of(f: Frame, operations: list[Part], r: Row) -> int:
    """The source line of a row, -1 if it has several."""
    line = f.index.nodes[operations[r["first"]]["nodes"][0]]["line"]
    for i in (r["first"], r["end"] - 1):
        if r["kind"] == "open" or f.index.nodes[operations[i]["nodes"][0]]["line"] != line:
            return -1
    return -1 if line is None else line


def _fold(rows: list[Row], times: int) -> Row:
    """One row for many."""
    named: dict[str, int] = {}
    for r in rows[: len(rows) // times]:
        if r["kind"] != "open":
            name = r["said"] if r["said"] and r["kind"] == "closed" else r["name"]
            named[name] = named.get(name, 0) + 1
    said = [name if n == 1 else f"{name} ×{n}" for name, n in named.items()]
    if len(said) > KINDS:
        said = [*said[:KINDS], f"{len(said) - KINDS} other kinds"]
    head = f"{times:,} more like this" if times > 1 else plural(len(rows), "row")
    first, end = rows[0]["first"], max([r["end"] for r in rows])
    return {
        "key": f"x{first}", "kind": "fold", "depth": rows[0]["depth"], "name": f"… {head}", "said": ", ".join(said), "sign": "fold", "line": -1,
        "first": first, "end": end, "uses": [], "far": 0,
    }  # fmt: skip


def _join(operations: list[Part], rows: list[Row]) -> None:
    """Find out which rows use the results of which."""
    row_of: dict[str, int] = {}  # by the key of an operation
    for k in range(len(rows)):
        if rows[k]["kind"] != "open":
            for i in range(rows[k]["first"], rows[k]["end"]):
                row_of.setdefault(operations[i]["key"], k)
    for k in range(len(rows)):
        r = rows[k]
        if r["kind"] == "open":
            continue
        known = {k}
        for i in range(r["first"], r["end"]):
            for e in operations[i]["edges"]:
                source = row_of.get(e["source"], k)
                if source not in known and e["input"] >= 0:
                    known.add(source)
                    r["uses"].append(rows[source]["key"])


def result_of(f: Frame, operations: list[Part], r: Row, outside: dict[str, list[int]]) -> int:
    """The operation of a row whose result is the row's: the last one that something outside uses, else the last one. `outside`: by operation,
    the positions of those that use it."""
    for i in range(r["end"] - 1, r["first"] - 1, -1):
        users = outside.get(operations[i]["key"], [])
        if any([u < r["first"] or u >= r["end"] for u in users]):
            return i
    return r["end"] - 1


def users_of(picture: Picture, f: Frame) -> dict[str, list[int]]:
    """By operation: the positions of the operations that use it."""
    key = f"users {picture['key']}"
    found: dict[str, list[int]] = f.index.kept.get(key, {})
    if not found:
        operations = operations_of(picture)
        for i in range(len(operations)):
            for e in operations[i]["edges"]:
                found.setdefault(e["source"], []).append(i)
        f.index.kept[key] = found
    return found


def parameters_of(f: Frame, operations: list[Part], r: Row) -> list[tuple[str, int]]:
    """The leaves that a row uses, with what its layer calls them."""
    found: list[tuple[str, int]] = []
    known: set[int] = set()
    for i in range(r["first"], r["end"]):
        own = {}
        if operations[i]["layer"] >= 0:
            own = {
                number: name for name, number in f.document["layers"][operations[i]["layer"]]["parameters"]
            }
        for e in operations[i]["edges"]:
            number = e["tensor"]
            if e["input"] >= 0 and e["source"] == f"t{number}" and number not in known:
                known.add(number)
                found.append((own.get(number, "") or name_of(f, number, e["step"]) or "leaf", number))
    return found
