"""How a tensor got its memory, and of a copy: of what it is one, and where it differs by now."""

from __future__ import annotations

import re

from jgrad.tracing.document.schema import Contents, Step, TraceTensor
from jgrad.views.geometry import index_text, indexes, place_of, size_of, unravel
from jgrad.views.memory import NUMBER, part_of
from jgrad.views.scene import Frame, clip_name, plural

COPIES = ("clone", "to", "deepcopy", "tensor")  # operators whose result holds what their argument holds
CALLED = re.compile(r"\.(\w+)\([^()]*\)\Z", re.ASCII)
LAID_OUT = ("reshape", "contiguous", "flatten", "ravel", "view_as", "reshape_as")
LOOKED_BACK = 64  # at most so many writes are looked through for the one that made a difference
COMPARED = 4096  # elements


def relation_of(f: Frame, t: TraceTensor) -> str:
    """How a tensor got its memory. What made the first one on it is not said to be "own memory": its views are on it too, and so may be an array."""
    made = f.maker(t["id"])
    reads = made.get("reads", []) if made is not None else []
    source = clip_name(f.label(reads[0]), 20) if reads else "another"
    op = made["op"] if made is not None else ""
    if t["origin"] == "numpy":
        return "NumPy array"
    if t["origin"] == "detach":
        return f"detach of {source}"
    if t["origin"] == "data":
        return f".data of {source}"
    if op == "clone":
        return f"clone of {source}"
    if t["origin"] == "view" and op:
        if op == "__getitem__":
            op = "view"
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
    if op == "detach":
        op = "Parameter"  # it detaches what it is given
    return op and f"made by {op}()"


class Copy:
    """A storage that was made by copying a tensor."""

    def __init__(self, f: Frame, step: int, made: int) -> None:
        self.f = f
        self.step = step
        made_by: Step = f.index.steps[step]
        self.made = f.index.tensors[made]  # the first tensor on the storage
        self.source = f.index.state(made_by["reads"][0], step)
        self.expression = f.expression(made_by)
        self.op = made_by["op"]
        self.line = made_by["line"]

    def words(self) -> str:
        """What it is a copy of, and why: "a copy of a, by clone() in line 7"."""
        called = CALLED.search(self.expression)
        by = called[1] if called else self.op
        line = "" if self.line is None else f" in line {self.line}"
        said = f"a copy of {self._name()}, by {by}(){line}"
        if by in LAID_OUT:
            return said + ", since its elements don't lie in this order"
        if self.made["dtype"] != self.source["dtype"]:
            return said + f", as {self.made['dtype']}"
        return said

    def _name(self) -> str:
        return clip_name(self.f.label(self.source["id"]), 24)

    def differs(self, t: TraceTensor) -> tuple[str, str]:
        """Where a tensor on the copied storage differs by now from the source: ("differs from a since line 8:", "[0, 1] is 1, in a it is 10").
        Two empty texts if that is not known."""
        f, source = self.f, f_state(self.f, self.source)
        if source is None or not comparable(f, self.made, source, f.cursor):
            return "", ""
        ours, theirs = f.contents(self.made["storage"]), f.contents(source["storage"])
        found: list[int] = []
        for k in range(size_of(self.made["shape"])):
            index = unravel(k, self.made["shape"])
            if differ(
                ours["elements"][place_of(self.made, index)], theirs["elements"][place_of(source, index)]
            ):
                found.append(k)
        name = self._name()
        if not found:
            return f"holds the same as {name}", ""
        index = unravel(found[0], self.made["shape"])
        mine, other = place_of(self.made, index), place_of(source, index)
        line = self._since(mine, source["storage"], other)
        if line is None and self.made["dtype"] != source["dtype"]:
            return "", ""  # rounded when it was copied
        since = "" if line is None else f" since line {line}"
        many = "" if len(found) == 1 else f" in {plural(len(found), 'element')}"
        own = index_text(t, indexes(t, mine)).replace(",", ", ")
        there = ", ".join([str(i) for i in index])
        said = f"[{own}] is " if own and own != "·" else "it is " if own else f"element {mine} is "
        where = "it is" if own == there or not index else f"[{there}] is"
        return (
            f"differs from {name}{many}{since}:",
            f"{said}{ours['elements'][mine]}, in {name} {where} {theirs['elements'][other]}",
        )

    def _since(self, mine: int, storage: int, other: int) -> int | None:
        """The line of the write since which an element differs from its source."""
        index, own = self.f.index, self.made["storage"]
        steps = [i for i, _ in index.writes_on.before(own, self.f.cursor) if i > self.step]
        steps.extend([i for i, _ in index.writes_on.before(storage, self.f.cursor) if i > self.step])
        steps.sort(key=lambda i: -i)
        for i in steps[:LOOKED_BACK]:
            if not differ(
                index.contents(own, i)["elements"][mine], index.contents(storage, i)["elements"][other]
            ):
                return index.steps[i]["line"]
        return None


def copy_of(f: Frame, storage: int) -> Copy | None:
    """Of what a storage is a copy; None if it is not known to be one."""
    on = f.index.tensors_on.get(storage, [])
    if not on:
        return None
    first = on[0]
    step = f.index.maker.get(first, -1)
    if step < 0 or step >= f.cursor or f.index.tensors[first]["storage"] != storage:
        return None
    made = f.index.steps[step]
    if made["kind"] != "op" or made["op"] not in COPIES or not made.get("reads"):
        return None
    return Copy(f, step, first)


def f_state(f: Frame, source: TraceTensor) -> TraceTensor | None:
    """A tensor at the cursor, if it lives and lies as it lay when it was copied."""
    now = f.state[source["id"]]
    alive = now["freed_step"] is None or f.cursor <= now["freed_step"]
    same = now["storage"] == source["storage"] and now["shape"] == source["shape"]
    return now if alive and same and now["stride"] == source["stride"] else None


def comparable(f: Frame, made: TraceTensor, source: TraceTensor, cursor: int) -> bool:
    """Whether all elements of two tensors of one shape are known."""
    if made["shape"] != source["shape"] or size_of(made["shape"]) > COMPARED:
        return False
    storages = f.document["storages"]
    for t in (made, source):
        cells: Contents = f.index.contents(t["storage"], cursor)
        if cells["numel"] != len(cells["elements"]) or storages[t["storage"]]["dtype"] != t["dtype"]:
            return False
    return (made["dtype"] == "bool") == (source["dtype"] == "bool")


def differ(a: str, b: str) -> bool:
    """Whether two printed numbers are certainly different: 1. and 1.0000 may be the same, and so may 0.0012 and 1.2346e-03."""
    if a == b:
        return False
    if a.endswith("j") and b.endswith("j"):
        return differ(part_of(a, 0), part_of(b, 0)) or differ(part_of(a, 1), part_of(b, 1))
    x, y = NUMBER.match(a), NUMBER.match(b)
    if not x or not y:
        return True
    return abs(float(a) - float(b)) > half_unit(a) + half_unit(b)


def half_unit(s: str) -> float:
    """Half of the last digit's place of a printed number; nothing for a whole number."""
    parts = NUMBER.match(s)
    if not parts or (not parts[3] and (not parts[2] or parts[2] == ".")):
        return 0.0
    power = int(parts[3][1:]) if parts[3] else 0
    power -= max(len(parts[2] or "") - 1, 0)
    unit = 0.500001
    for _ in range(abs(power)):
        unit = unit * 10 if power > 0 else unit / 10
    return unit
