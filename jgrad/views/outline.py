"""The operations of a large graph as an outline: by module, else by function, then by repetition and by line. What is closed is one row.

Which groups are open follows from the trace: as many as leave few enough rows, from the outside in, and those in which a gradient vanished. The
reader opens and closes others.

A part of the outline is a number: from 0 on the position of an operation, below 0 a group (-1 the first, -2 the second). So an outline of
100,000 operations is lists of numbers. Names are looked up for the rows that are drawn.
"""

from __future__ import annotations

from typing import TypedDict

from jgrad.tracing.document.loops import Loop, loops_of
from jgrad.tracing.document.schema import Value
from jgrad.views.labels import symbol_of
from jgrad.views.operations import Picture, step_of
from jgrad.views.parts import source_of
from jgrad.views.scene import Frame, bad_of, op_name, plural
from jgrad.views.uses import Uses

SHOWN = 22  # so many rows are open by themselves, at most
FEW = 3  # with so few rows, more are opened in any case
ROWS = 40  # at most so many rows are drawn
HIDDEN = 6  # a fold of a repetition hides at least so many rows
LOST = 1e-6  # a gradient so much smaller than that of the loss has vanished
# Operations that only move elements:
SHAPING = (
    "View", "Expand", "T", "Transpose", "Permute", "UnsafeView", "ReshapeAlias", "Unsqueeze", "Squeeze", "Clone", "Select", "Slice",
)  # fmt: skip


class Branch(TypedDict):
    """A group of operations, or the name of one operation that is all of a layer."""

    key: str
    """`m3`: call 3 of a layer; `b3`: backward pass 3, which recorded a graph; `f3`: a function, by its first operation; `e3`: an expression; `g3`:
    operations whose steps were not kept; `n3`: an operation."""
    name: str
    said: str
    """What it is: `Linear(2, 4)`."""
    sign: str
    """Equal for branches that are alike."""
    first: int
    """Its first operation, and the end of its operations, as positions."""
    end: int
    children: list[int]


class Level(TypedDict):
    """A group that further operations may belong to."""

    sign: str
    """What it is a call of."""
    begin: int
    """The place in it at which its first operation ran, and the place of the last one."""
    last: int
    group: int


class Outline:
    """The outline of the operations of a picture."""

    def __init__(self, f: Frame, uses: Uses) -> None:
        self.index = f.index
        self.f = f
        self.uses = uses
        self.groups: list[Branch] = []
        self.named: dict[int, Branch] = {}  # operations that are all of a layer, which has a name
        self.short: dict[str, str] = {}  # by the name of a node: that of its operator
        self.symbols: dict[str, str] = {}  # by the name of a node: its symbol
        self.makers: list[int] = []  # by position: the step that made the first node, -1 if it was not kept
        self.names: list[str] = []  # by position: the name of the first node
        self.lines: list[int] = []  # by position: the source line of it, -1 for none
        for i in range(len(uses.numbers)):
            node = self.index.nodes[uses.head(i)]
            line = node["line"]
            self.makers.append(self.index.node_maker.get(node["id"], -1))
            self.names.append(node["name"])
            self.lines.append(-1 if line is None else line)
        self.roots: list[int] = self._grown()

    # What it consists of --------------------------------------------------------------------------

    def group(self, unit: int) -> Branch:
        return self.groups[-1 - unit]

    def first(self, unit: int) -> int:
        return unit if unit >= 0 else self.group(unit)["first"]

    def end(self, unit: int) -> int:
        return unit + 1 if unit >= 0 else self.group(unit)["end"]

    def key(self, unit: int) -> str:
        return f"n{self.uses.head(unit)}" if unit >= 0 else self.group(unit)["key"]

    def sign(self, unit: int) -> str:
        """Equal for units that are alike."""
        if unit < 0:
            return self.group(unit)["sign"]
        if unit in self.named:
            return self.named[unit]["sign"]
        if self.uses.layer(unit) >= 0:
            return self._call(unit)
        line = self.lines[unit]
        return f"{'None' if line < 0 else line} {self.operator(unit)}"

    def operator(self, i: int) -> str:
        """The name of the operator of an operation."""
        name = self.names[i]
        found = self.short.get(name, "")
        if not found:
            found = op_name(name)
            self.short[name] = found
        return found

    def name(self, unit: int) -> str:
        if unit < 0:
            return self.group(unit)["name"]
        if unit in self.named:
            return self.named[unit]["name"]
        if self.uses.layer(unit) >= 0:
            return symbol_of(self.f, self.uses.head(unit), self.uses.layer(unit))
        step = self.makers[unit]
        kind = f"{self.index.steps[step]['kind'] if step >= 0 else ''} {self.names[unit]}"
        found = self.symbols.get(kind, "")
        if not found:
            found = symbol_of(self.f, self.uses.head(unit), -1)
            self.symbols[kind] = found
        return found

    def said(self, unit: int) -> str:
        if unit < 0:
            return self.group(unit)["said"]
        if unit in self.named:
            return self.named[unit]["said"]
        if self.uses.layer(unit) >= 0:
            layer = self.f.document["layers"][self.uses.layer(unit)]
            return self._call(unit) if layer["name"] else f"({layer['arguments']})"
        return source_of(self.f, step_of(self.index, self.uses.head(unit)))

    def _call(self, i: int) -> str:
        """`Linear(2, 4)`."""
        layer = self.f.document["layers"][self.uses.layer(i)]
        return f"{layer['type']}({layer['arguments']})"

    # How it grows ---------------------------------------------------------------------------------

    def _grown(self) -> list[int]:
        roots: list[int] = []
        levels: list[Level] = []
        keys: set[str] = set()
        last = (-1, -1, False)
        apart = 0  # where the operations end that a gap made
        for i in range(len(self.makers)):
            at = self._place(i)
            if i >= apart and self._in_gap(i):
                apart = self._end_of_gap(i)
                levels = self._around_gap(i, apart, levels)
                self._children(levels, roots).append(-1 - len(self.groups))
                branch = _a_branch(f"g{i}", "steps not kept", plural(apart - i, "operation"), "gap", i)
                branch["children"] = list(range(i, apart))
                branch["end"] = apart
                self.groups.append(branch)
                last = (-2, -2, False)
            if i < apart:
                continue
            if at is not None and at != last:
                last = at
                path = self._path(at)
                depth = 0
                while depth < min(len(levels), len(path)):
                    level, (sign, place) = levels[depth], path[depth]
                    again = sign.startswith("f") and place == level["begin"] and place != level["last"]
                    if level["sign"] != sign or again:
                        break
                    level["last"] = place
                    depth += 1
                for level in levels[depth:]:
                    self.groups[level["group"]]["end"] = i
                levels = levels[:depth]
                for sign, place in path[depth:]:
                    branch = self._branch(sign, i)
                    if branch["key"] in keys:
                        branch["key"] += f" {i}"
                    keys.add(branch["key"])
                    self._children(levels, roots).append(-1 - len(self.groups))
                    levels.append({"sign": sign, "begin": place, "last": place, "group": len(self.groups)})
                    self.groups.append(branch)
            self._children(levels, roots).append(i)
        for level in levels:
            self.groups[level["group"]]["end"] = len(self.makers)
        return self._by_expression([self._simple(unit) for unit in roots])

    def _in_gap(self, i: int) -> bool:
        """Whether the step of an operation was dropped, so that nothing says what it was part of."""
        since = self.uses.birth(i)
        return self.makers[i] < 0 and since >= 0 and self.index.steps[since]["kind"] == "gap"

    def _end_of_gap(self, i: int) -> int:
        while i < len(self.makers) and self._in_gap(i):
            i += 1
        return i

    def _around_gap(self, first: int, end: int, levels: list[Level]) -> list[Level]:
        """The groups around operations whose steps were dropped: those that go on after them. The others end."""
        at = self._place(end) if end < len(self.makers) else None
        path = [] if at is None else self._path(at)
        depth = 0
        while depth < min(len(levels), len(path)) and levels[depth]["sign"] == path[depth][0]:
            depth += 1
        for level in levels[depth:]:
            self.groups[level["group"]]["end"] = first
        return levels[:depth]

    def _children(self, levels: list[Level], roots: list[int]) -> list[int]:
        return self.groups[levels[-1]["group"]]["children"] if levels else roots

    def _place(self, i: int) -> tuple[int, int, bool] | None:
        """Where an operation ran: the call of a layer, the call of a function or the backward pass (-2 for pass 0, -3 for pass 1, ...), and whether
        it is the call of a layer itself. None if its step was not kept."""
        if self.makers[i] < 0:
            return None if self.uses.birth(i) >= 0 else (-1, -1, False)
        step = self.index.steps[self.makers[i]]
        call = step.get("backward_call", -1)
        if call >= 0:
            return -1, -2 - call, False
        call = step.get("layer_call", -1)
        if call >= 0:
            return call, -1, self.uses.layer(i) >= 0
        return -1, step.get("call", -1), False

    def _path(self, at: tuple[int, int, bool]) -> list[tuple[str, int]]:
        """The groups that an operation is part of, from the outside in: (what, the place in it)."""
        path: list[tuple[str, int]] = []
        layer_call, call, itself = at
        calls = self.f.document.get("layer_calls", [])
        if layer_call >= 0 and itself:
            layer_call = _or_none(calls[layer_call][1])
        while layer_call >= 0:
            path.append((f"m{layer_call}", 0))
            layer_call = _or_none(calls[layer_call][1])
        if call < -1:
            path.append((f"b{-2 - call}", 0))
        while call >= 0:
            place = self.f.document["calls"][call]
            caller = _or_none(place["caller"])
            path.append((f"f{place['function']} {caller}", call))
            call = caller
        return [path[len(path) - 1 - i] for i in range(len(path))]

    def _branch(self, sign: str, first: int) -> Branch:
        if sign.startswith("m"):
            call = int(sign[1:])
            layer = self.f.document["layers"][self.f.document["layer_calls"][call][0]]
            name, said = layer["name"] or layer["type"], layer["type"] if layer["name"] else ""
            if layer["arguments"]:
                said = f"{layer['type']}({layer['arguments']})"
            return _a_branch(sign, name, said, said or name, first)
        if sign.startswith("b"):
            call = int(sign[1:])
            at = self.index.calls.get(call, -1)
            roots = [] if at < 0 else self.index.steps[at].get("roots", [])
            said = f"from {self.f.label(roots[0])}" if roots else ""
            return _a_branch(sign, f"backward {call + 1}", said, "b", first)
        name = sign[1 : sign.rfind(" ")]
        at = name.rfind(".")
        return _a_branch(f"f{first} {sign}", name[at + 1 :] + "()", "", sign, first)

    def _by_expression(self, units: list[int]) -> list[int]:
        """Parts of the outline with the operations of one expression as one: `q @ k` may need six."""
        found: list[int] = []
        i = 0
        while i < len(units):
            j = i + 1
            while j < len(units) and self._same_expression(units[i], units[j]):
                j += 1
            if j - i > 1:
                main = units[i]
                for other in units[i:j]:
                    if not self.operator(other).startswith(SHAPING):
                        main = other
                first = self.first(units[i])
                branch = _a_branch(f"e{first}", self.name(main), self.said(units[i]), self.sign(main), first)
                branch["end"] = self.end(units[j - 1])
                branch["children"] = units[i:j]
                found.append(-1 - len(self.groups))
                self.groups.append(branch)
            else:
                found.append(units[i])
            i = j
        return found

    def _same_expression(self, a: int, b: int) -> bool:
        """Whether two parts are operations of the same expression."""
        if a < 0 or b < 0 or self.lines[a] != self.lines[b] or self.makers[a] < 0 or self.makers[b] < 0:
            return False
        one, two = self.index.steps[self.makers[a]], self.index.steps[self.makers[b]]
        if (
            one["span"] != two["span"]
            or one.get("call", -1) != two.get("call", -1)
            or self.uses.layer(a) >= 0
        ):
            return False
        said = self.said(a)
        return bool(said) and said == self.said(b)

    def _simple(self, unit: int) -> int:
        """A part of the outline without groups that have but one thing in them. The call of a layer with one operation keeps the name of the
        layer."""
        if unit >= 0:
            return unit
        branch = self.group(unit)
        children = self._by_expression([self._simple(child) for child in branch["children"]])
        if len(children) == 1:
            only = children[0]
            if branch["key"].startswith("m") and only >= 0 and self.sign(only) != self.said(only):
                self.named[only] = branch
                return only
            if not branch["key"].startswith("m") or only >= 0:
                return only
        branch["children"] = children
        return unit


def _or_none(number: int | None) -> int:
    return -1 if number is None else number


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


def outline_of(f: Frame, picture: Picture, uses: Uses) -> Outline:
    """The outline of all operations of a picture."""
    key = "outline " + picture["key"]
    found: Outline | None = f.index.kept.get(key, None)
    if found is None:
        found = Outline(f, uses)
        f.index.kept[key] = found
    return found


# What is open -------------------------------------------------------------------------------------


class Opened(TypedDict):
    """All rows of an outline in which some groups are open, one value of each list for a row."""

    key: str
    units: list[int]
    depths: list[int]
    within: list[str]
    """The name of the module around it, with which its own begins."""
    heads: list[bool]
    """Whether it is the head of an open group."""
    firsts: list[int]
    """Its first operation."""
    loops: list[Loop]
    """The repetitions among the rows; none if there are few rows."""


def opened_of(f: Frame, picture: Picture, outline: Outline) -> Opened:
    """All rows of an outline. They are kept until the reader opens or closes something."""
    known: list[str] = f.index.kept.get("opened " + picture["key"], [])
    if not known:
        known = ["", *_open_by_itself(f, outline)]
        f.index.kept["opened " + picture["key"]] = known
    key = picture["key"] + " " + " ".join(f.toggled)
    kept: Opened | None = f.index.kept.get("rows", None)
    if kept is not None and kept["key"] == key:
        return kept
    both = {*known, *f.toggled}
    open_ = {name for name in both if (name in known) != (name in f.toggled)}
    rows: Opened = {
        "key": key, "units": [], "depths": [], "within": [], "heads": [], "firsts": [], "loops": [],
    }  # fmt: skip
    _add_rows(outline, outline.roots, open_, 0, "", rows)
    if len(rows["units"]) > ROWS:
        signs = [f"{rows['depths'][k]} {outline.sign(rows['units'][k])}" for k in range(len(rows["units"]))]
        rows["loops"] = loops_of(signs, HIDDEN)
    f.index.kept["rows"] = rows
    return rows


def _add_rows(
    outline: Outline, units: list[int], open_: set[str], depth: int, within: str, rows: Opened
) -> None:
    for unit in units:
        is_open = unit < 0 and outline.key(unit) in open_
        rows["units"].append(unit)
        rows["depths"].append(depth)
        rows["within"].append(within)
        rows["heads"].append(is_open)
        rows["firsts"].append(outline.first(unit))
        if is_open:
            branch = outline.group(unit)
            inner = branch["name"] if branch["key"].startswith("m") else within
            _add_rows(outline, branch["children"], open_, depth + 1, inner, rows)


def _open_by_itself(f: Frame, outline: Outline) -> list[str]:
    """The groups to open without being asked: level by level while there are few rows, then those in which a gradient vanished."""
    opened: list[str] = []
    level = outline.roots
    count = len(level)
    while True:
        groups = _groups_of(outline, level)
        more = 0
        for b in groups:
            more += len(b["children"])
        if not groups or (count + more > SHOWN and count > FEW):
            break
        opened.extend([b["key"] for b in groups])
        count += more
        level = [child for b in groups for child in b["children"]]
    for b in _groups_of(outline, level):
        # (A derivative is often 0 somewhere.)
        fits = count + len(b["children"]) <= ROWS - 6 and not b["key"].startswith("b")
        if fits and _has_lost(f, outline.uses, b["first"], b["end"]):
            opened.append(b["key"])
            count += len(b["children"])
    return opened


def _groups_of(outline: Outline, units: list[int]) -> list[Branch]:
    """The groups among some parts that may be opened."""
    groups = [outline.group(unit) for unit in units if unit < 0]
    return [b for b in groups if not b["key"].startswith(("e", "g"))]


def _has_lost(f: Frame, uses: Uses, first: int, end: int) -> bool:
    """Whether a gradient vanished at one of some operations in the last backward pass, or is not a number."""
    for i in range(first, end):
        runs = f.index.runs.get(uses.last_node(i), [])
        if runs:
            values = f.index.steps[runs[-1]].get("grads_in", [])
            if any([v is not None and is_lost(v, 1.0) for v in values]):
                return True
    return False


def is_lost(value: Value, start: float) -> bool:
    """Whether a gradient has vanished, against the norm with which the backward pass started; or is nan or infinite."""
    norm = value.get("norm")
    return bool(bad_of(value)) or (norm is not None and norm < LOST * start)
