"""What the storage map says of a tensor, next to its picture: its name, where it comes from, its geometry, and of what it is a copy."""

from __future__ import annotations

from jgrad.tracing.document.schema import TraceTensor
from jgrad.views.copies import Copy, relation_of
from jgrad.views.geometry import repeats, rule_of
from jgrad.views.memory import Memory
from jgrad.views.scene import (
    NOTE_CHAR,
    Frame,
    Item,
    chip,
    chip_width,
    clip,
    clip_name,
    columns_of,
    labelled,
    note_width,
    rect,
    shape_text,
    tensor_class,
    text,
    tuple_text,
    wrap,
)

LINE = 18  # height of a line of notes
CHIP = 24  # height of a line with a chip
Parts = list[tuple[str, str]]  # texts of a line, with their classes


class Caption:
    """The words about a tensor."""

    def __init__(
        self, f: Frame, memory: Memory, t: TraceTensor, badge: str, saved: int | None, copy: Copy | None
    ) -> None:
        """`badge`: its version, if that stands with it. `saved`: at which version nodes saved it. `copy`: what its storage is a copy of."""
        self.f, self.holdings, self.t, self.badge, self.saved = f, memory, t, badge, saved
        self.name = f.label(t["id"])
        self.relation = relation_of(f, t)
        self.lines: list[Parts] = []
        self._geometry()
        if copy is not None:
            self._copy(copy)
        version = f.version(t["version_counter"])
        self.stale = saved is not None and saved != version
        if saved is not None:
            now = f", now v{version}" if self.stale else ""
            self.lines.append([(f"saved for backward at v{saved}{now}", "error" if now else "saved")])

    def source(self) -> str:
        """The expression that made the tensor, or how it got its memory, if its name does not say that."""
        made = self.f.maker(self.t["id"])
        said = self.f.expression(made) if made is not None else ""
        if said and said != self.name and said not in self.name:
            return said
        return "" if said else self.relation

    def _geometry(self) -> None:
        t, m = self.t, self.holdings
        self.lines.append(
            [("shape ", "muted"), (shape_text(t["shape"]), ""), (" stride ", "muted"), (tuple_text(t["stride"]), "")]
        )  # fmt: skip
        index, rule = rule_of(t)
        obvious = index in ("", "[i]", "[0]") and rule in ("i", "0") and t["dtype"] == m.row["dtype"]
        n = repeats(t)
        if 0 in t["shape"]:
            self.lines.append([("no elements", "muted")])
        elif not obvious:
            lies = " lies at " if index else "lies at "
            self.lines.append([(index, ""), (lies, "muted"), (rule, "")])
        if n > 1:
            self.lines.append([(f"each element is seen {n:,} times", "muted")])
        if t["dtype"] != m.row["dtype"]:
            self.lines.append([(f"reads the memory as {t['dtype']}", "muted")])
        if t["origin"] == "data":
            self.lines.append([("a version counter of its own", "muted")])

    def _copy(self, copy: Copy) -> None:
        self.lines.append([(copy.words(), "")])
        where, what = copy.differs(self.t)
        if where:
            self.lines.append([(where + (" " if what else ""), "muted"), (what, "saved now")])

    def label(self) -> str:
        """All of it as one sentence."""
        t = self.t
        geometry = f"stride {tuple_text(t['stride'])} offset {t['storage_offset']}"
        version = f"version {self.f.version(t['version_counter'])}"
        return f"{self.f.history(t['id'])}, {self.relation}, {geometry}, {version}"

    def chip_class(self) -> str:
        return tensor_class(self.f, self.t) + (" now" if self.t["id"] in self.f.touched() else "")

    def width(self) -> float:
        """The width that the words ask for."""
        found = chip_width(clip_name(self.name, 24)) + (badge_width(self.badge) + 8 if self.badge else 0)
        source = self.source()
        if source:
            found += 8 + min(note_width(source), 170)
        for line in self.lines[:2]:
            found = max(found, note_width("".join([s for s, _ in line])))
        return found

    def draw(self, x: float, y: float, room: float, items: list[Item]) -> float:
        """Draw the words below y, and return the y below them."""
        k = [f"t{self.t['id']}"]
        shown = clip_name(self.name, max(int((room - 16) / 7.8), 6))
        items.extend(chip(x, y + 15, shown, self.chip_class(), k, self.f.history(self.t["id"])))
        at = x + chip_width(shown) + 8
        if self.badge:
            items.extend(badge(self.badge, at, y + 15, self._bumped(), k))
            at += badge_width(self.badge) + 8
        source = self.source()
        left = int((x + room - at) / NOTE_CHAR)
        if source and left >= 8:
            items.append(labelled(text(at, y + 15, clip(source, left), "note mono muted", k), source))
        y += CHIP
        if source and left < 8:
            items.append(
                labelled(text(x, y + 12, clip(source, int(room / NOTE_CHAR)), "note mono muted", k), source)
            )
            y += LINE
        for line in self.lines:
            y = flow(line, x, y, room, items, k)
        return y + 4

    def _bumped(self) -> bool:
        return bumped(self.holdings, self.t["version_counter"])


def bumped(m: Memory, counter: int) -> bool:
    """Whether the step counted on a version counter."""
    return any([w["version_counter"] == counter and w["versions"][0] != w["versions"][1] for w in m.writes])


def badge(version: str, x: float, y: float, hot: bool, k: list[str], said: str = "") -> list[Item]:
    """A version on the line of text at y."""
    c = "write now" if hot else "muted"
    said = said or f"version {version[1:]}: it counts writes"
    box = rect(x, y - 13, badge_width(version), 18, "box lens " + c, k)
    return [labelled(box, said), text(x + 5, y, version, "note " + c, k)]


def badge_width(version: str) -> float:
    return note_width(version) + 10


def flow(parts: Parts, x: float, y: float, room: float, items: list[Item], k: list[str]) -> float:
    """Write texts one after the other, in as many lines as they need, and return the y below them."""
    at = x
    for said, meaning in parts:
        # The parts of a line are of one width: code and prose have the same face.
        rest, c = said, f"note mono {meaning}".strip()
        while rest:
            left = int((x + room - at + 0.01) / NOTE_CHAR)
            if columns_of(rest) <= left:
                items.append(text(at, y + 12, rest, c, k))
                at += note_width(rest)
                break
            line = wrap(rest, left)[0] if left > 0 else ""
            # A part goes on the next line as a whole, if it fits there and is short.
            if at > x and (columns_of(rest) * NOTE_CHAR <= room or columns_of(line) < 12):
                rest = rest.lstrip()
            elif line:
                items.append(text(at, y + 12, line, c, k))
                rest = rest[len(line) :].lstrip()
            else:
                break
            at = x
            y += LINE
    return y + LINE
