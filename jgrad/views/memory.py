"""A storage at the cursor: what its elements hold, what they held, which of them the step wrote to, and what a tensor reads of them."""

from __future__ import annotations

import re

from jgrad.tracing.document.schema import TraceStorage, TraceTensor, Write
from jgrad.views.geometry import indexes, place_of, scale_of, size_of
from jgrad.views.scene import Frame


class Memory:
    """A storage at the cursor."""

    def __init__(self, f: Frame, s: TraceStorage) -> None:
        self.f = f
        self.id = s["id"]
        self.row = s
        self.key = f"s{s['id']}"
        self.name = f"storage {s['id'] + 1}"
        self.cells = f.contents(s["id"])
        self.former = f.index.contents(s["id"], f.cursor - 1) if f.cursor > 0 else self.cells
        self.writes: list[Write] = [w for w in f.writes() if w["storage"] == s["id"]]
        self.complete = self.cells["numel"] == len(self.cells["elements"])
        self.written: set[int] = set()
        for w in self.writes:
            self.written.update(self._changed(w))

    def _changed(self, w: Write) -> list[int]:
        """The elements that a write changed, as far as they are kept. If they were not compared, those of the tensor that was written to."""
        if w["changed_elements"] is not None:
            return w["changed_elements"]
        t = self.f.state[w["tensor"]]
        scale = scale_of(self.row, t)
        return [e for e in self.kept() if indexes(t, e, scale)]

    def kept(self) -> list[int]:
        """The elements that the document keeps."""
        n, head, tail = self.cells["numel"], self.cells["head"], self.cells["tail"]
        return [*range(head), *range(n - tail, n)]

    def value(self, e: int) -> str:
        """The text of an element; empty if it is not kept."""
        n, head, tail = self.cells["numel"], self.cells["head"], self.cells["tail"]
        if 0 <= e < head:
            return self.cells["elements"][e]
        return self.cells["elements"][e - n + head + tail] if n - tail <= e < n else ""

    def old(self, e: int) -> str:
        """What an element held before the step, if the step wrote something else."""
        if e not in self.written:
            return ""
        n, head, tail = self.former["numel"], self.former["head"], self.former["tail"]
        text = ""
        if 0 <= e < head:
            text = self.former["elements"][e]
        elif n - tail <= e < n:
            text = self.former["elements"][e - n + head + tail]
        return "" if text == self.value(e) else text

    def element_of(self, t: TraceTensor, index: list[int]) -> int:
        """The element of the storage that a tensor reads at an index: the first of them, if it reads several."""
        elements, cells = scale_of(self.row, t)
        return place_of(t, index) * cells // elements

    def read(self, t: TraceTensor, index: list[int]) -> str:
        """The text of an element of a tensor; empty if it is not known."""
        elements, cells = scale_of(self.row, t)
        at = place_of(t, index)
        if t["dtype"] == self.row["dtype"]:
            return self.value(at)
        if elements == 2 and self.row["dtype"].startswith("complex") and t["dtype"].startswith("float"):
            return part_of(self.value(at // 2), at % 2)
        if cells == 2 and t["dtype"].startswith("complex") and self.row["dtype"].startswith("float"):
            re, im = self.value(2 * at), self.value(2 * at + 1)
            return (re + ("" if im.startswith("-") else "+") + im + "j") if re and im else ""
        return ""

    def knows(self, t: TraceTensor) -> bool:
        """Whether all elements of a tensor can be shown, or enough of them, because all of the storage is kept."""
        if 0 in t["shape"]:
            return False
        if self.complete:
            return True
        if size_of(t["shape"]) > 24:
            return False
        scale = scale_of(self.row, t)
        kept = [e for e in self.kept() if indexes(t, e, scale)]
        return len(kept) * scale[0] >= size_of(t["shape"]) * scale[1]


def part_of(s: str, part: int) -> str:
    """The real or the imaginary part of a complex number: "-1.5" and "2." of "-1.5+2.j"."""
    for i in range(len(s) - 1, 0, -1):
        if s[i : i + 1] in ("+", "-") and s[i - 1 : i] != "e":
            if part == 0:
                return s[:i]
            return s[i:-1] if s[i : i + 1] == "-" else s[i + 1 : -1]
    return s


NUMBER = re.compile(r"-?(\d+)(\.\d*)?(e[+-]\d+)?\Z", re.ASCII)


def number_of(s: str) -> float:
    """A printed number as a number: of a complex one its real part, of a truth value 0 or 1."""
    if s in ("True", "False"):
        return 1.0 if s == "True" else 0.0
    s = part_of(s, 0) if s.endswith("j") else s
    return float(s) if NUMBER.match(s) else float("nan")
