"""What the views share: the items of a scene, the state at a cursor, and how names and values are written.

The views are translated to JavaScript (`js/translator`). So they are plain loops over plain data, without NumPy.
"""

from __future__ import annotations

import math
import re
from typing import Any, TypedDict

from jgrad.tracing.document.index import TraceIndex, living, name_at
from jgrad.tracing.document.numbers import exponential, number
from jgrad.tracing.document.schema import (
    Contents,
    Step,
    TraceDocument,
    TraceStorage,
    TraceTensor,
    Value,
    Write,
)

Item = dict[str, Any]
Scene = dict[str, Any]


class Table(TypedDict):
    """The text form of a scene."""

    columns: list[str]
    rows: list[list[str]]


CHAR = 7.8  # width of a character: a scene's text has 13 px, so that a lecture can read it
NOTE_CHAR = 7.2  # width of a character of notes, which have 12 px. No text is smaller
WIDTH: float = 860  # the width for which a scene is laid out, if nobody says another one


# Items --------------------------------------------------------------------------------------------


def r1(x: float) -> float | int:
    """A coordinate, rounded to 0.1, halves upwards."""
    tenths = int(x * 10 + 0.5 + 100_000) - 100_000
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def rect(x: float, y: float, w: float, h: float, c: str, k: list[str] | None = None) -> Item:
    return _item({"t": "rect", "x": r1(x), "y": r1(y), "w": r1(w), "h": r1(h), "c": c}, k)


def text(x: float, y: float, s: str, c: str, k: list[str] | None = None, a: str = "") -> Item:
    item = {"t": "text", "x": r1(x), "y": r1(y), "s": s, "c": c}
    if a:
        item["a"] = a
    return _item(item, k)


def path(d: str, c: str, k: list[str] | None = None, label: str = "") -> Item:
    return labelled(_item({"t": "path", "d": d, "c": c}, k), label)


def group(items: list[Item], k: list[str] | None = None, label: str = "", role: str = "") -> Item:
    item = labelled(_item({"t": "group", "items": items}, k), label)
    if role:
        item["role"] = role
    return item


def _item(item: Item, k: list[str] | None) -> Item:
    if k:
        item["k"] = k
    return item


def labelled(item: Item, label: str) -> Item:
    """An item with what it says where a pointer rests on it, and to a screen reader."""
    if label:
        item["label"] = label
    return item


def points(*parts: str | float) -> str:
    """The `d` of a path: letters and coordinates, `points("M", 1, 2, "L", 3, 4)`."""
    return " ".join([p if isinstance(p, str) else str(r1(p)) for p in parts])


def chip(x: float, y: float, s: str, c: str, k: list[str] | None = None, label: str = "") -> list[Item]:
    """A name in a rounded box, 20 px high around the line of text at `y`."""
    return [labelled(rect(x, y - 15, chip_width(s), 20, "chip " + c, k), label), text(x + 8, y, s, c, k)]


def chip_width(s: str) -> float:
    return width(s) + 16


def dot(x: float, y: float, r: float = 6) -> str:
    return points("M", x - r, y, "A", r, r, "0 1 0", x + r, y, "A", r, r, "0 1 0", x - r, y, "Z")


def ring(x: float, y: float) -> str:
    return dot(x, y, 5)


def gem(x: float, y: float) -> str:
    return points("M", x, y - 6, "L", x + 6, y, "L", x, y + 6, "L", x - 6, y, "Z")


def cross(x: float, y: float) -> str:
    return points("M", x - 6, y - 5, "L", x + 6, y + 5, "M", x - 6, y + 5, "L", x + 6, y - 5)


def hatched(x: float, y: float, w: float, h: float) -> Item:
    """An area where figures are nan or infinite: hatched, in the colour of errors."""
    lines: list[str | float] = []
    at = math.ceil((x - h) / 6) * 6
    while at < x + w:
        # A line that rises to the right, from (at, y + h) to (at + h, y), as far as it is within.
        left, right = max(at, x), min(at + h, x + w)
        if right > left:
            lines.extend(["M", left, y + h - (left - at), "L", right, y + h - (right - at)])
        at += 6
    items = [rect(x, y, w, h, "nan error")]
    if lines:
        items.append(path(points(*lines), "rule error"))
    return group(items, label="nan or infinite")


def legend(entries: list[tuple[Any, ...]], y: float, items: list[Item], wide: float = 560) -> float:
    """Draw the meanings of the marks that occur in `items`, and return the y below them.

    An entry is (how the class or text of a mark begins, its meaning), then maybe whether it occurs, which otherwise is found by that
    beginning, and the letter on it. `wide` is the width of a small picture: a wider legend would make such a picture smaller.
    """
    drawn = _said_by(items)
    x = 10.0
    for sign, words, *rest in entries:
        if not (rest[0] if rest else any([s.startswith(sign) for s in drawn])):
            continue
        if x + note_width(words) + 21 > wide:
            x = 10.0
            y += 20
        kind = sign.split(" ")[0]
        if kind in ("dot", "mark"):
            items.append(path((dot if kind == "dot" else cross)(x + 8, y + 10), sign))
        elif kind == "ring":
            items.append(path(ring(x + 8, y + 10), sign))
        elif kind == "edge":
            items.append(path(points("M", x, y + 10, "H", x + 16), sign))
        elif kind == "gem":
            items.append(path(gem(x + 8, y + 10), sign))
        elif kind in ("chip", "box", "bar", "node", "step"):
            items.append(rect(x, y + 3.5, 16, 13, sign))
        elif kind == "nan":
            items.append(hatched(x, y + 3.5, 16, 13))
        else:
            x -= 21
        if len(rest) > 1:
            items.append(text(x + 8, y + 14, rest[1], sign.split(" ")[-1], a="middle"))
        items.append(text(x + 21, y + 14, words, "note muted"))
        x += note_width(words) + 40
    return y + 28


def _said_by(items: list[Item]) -> list[str]:
    """The classes and the texts of items."""
    found: list[str] = []
    for item in items:
        found.extend(_said_by(item["items"]) if item["t"] == "group" else [item["c"], item.get("s", "")])
    return found


def finished(view: str, title: str, frame: Frame, height: float, items: list[Item], table: Table) -> Scene:
    """The scene of a view."""
    name = frame.document["name"]
    # The number of a cell changes with every run; a picture in a saved notebook must not.
    if name and not (name.startswith("cell ") and name[5:].isdigit()):
        title += f" of {name}"
    return {
        "view": view,
        "title": title,
        "width": r1(reach(items) + 10),
        "height": r1(height),
        "caption": frame.caption(),
        "items": items,
        "table": table,
    }


def reach(items: list[Item]) -> float:
    """The right end of the items, where a picture ends. Bands end with the picture, and edges go no further than what they join."""
    right = 0.0
    for item in items:
        if item["t"] == "group":
            right = max(right, reach(item["items"]))
        elif item["t"] == "rect" and not item["c"].startswith("band"):
            right = max(right, item["x"] + item["w"])
        elif item["t"] == "text":
            a = item.get("a", "")
            share = 0.0 if a == "end" else 0.5 if a == "middle" else 1.0
            right = max(right, item["x"] + text_width(item) * share)
    return right


# Text ---------------------------------------------------------------------------------------------


def columns_of(s: str) -> int:
    """How many columns of a monospaced font a text takes. East Asian characters and emoji take two."""
    n = 0
    for ch in s:
        n += 2 if ord(ch) >= 0x2E80 else 1
    return n


def width(s: str) -> float:
    return columns_of(s) * CHAR


def note_width(s: str) -> float:
    return columns_of(s) * NOTE_CHAR


def text_width(item: Item) -> float:
    """The width of a text of a scene."""
    return note_width(item["s"]) if "note" in item["c"].split(" ") else width(item["s"])


NUMBER = re.compile(r"(-?\d+)\.?\d*(e[+-]\d+)?\Z", re.ASCII)


def clip(s: str, n: int) -> str:
    """A text cut to at most n columns, on one line. A number keeps its magnitude: -5.7e-6, not -5.722…"""
    s = s.replace("\n", " ").replace("\t", " ")
    if columns_of(s) <= n:
        return s
    parts = NUMBER.match(s)
    if parts and (parts[2] or len(parts[1]) >= n):
        for digits in (3, 2, 1, 0):
            shorter = exponential(float(s), digits)
            if len(shorter) <= n:
                return shorter
    return cut(s, n - 1) + "…"


def cut(s: str, n: int) -> str:
    """The first n columns of a text."""
    kept = ""
    used = 0
    for ch in s:
        used += 2 if ord(ch) >= 0x2E80 else 1
        if used > n:
            break
        kept += ch
    return kept


NAME = re.compile(r"(old )?([!-'*-~]+)\Z")
INDEX = re.compile(r"\[\d+\]", re.ASCII)


def clip_name(s: str, n: int) -> str:
    """A label cut to at most n columns. A name keeps its first letter, its last index and its end, in which names of a model's parts differ."""
    parts = NAME.match(s)
    if len(s) <= n or not parts:
        return _around(s, n)
    old, name = parts[1] or "", parts[2]
    room = n - len(old) - 2
    index = ""
    for found in INDEX.finditer(name):
        if found.start() < len(name) - room and len(found[0]) + 4 <= room:
            index = found[0] + "…"
    return f"{old}{name[0]}…{index}{name[len(index) - room :]}"


def _around(s: str, n: int) -> str:
    """A name that is cut in its middle already, cut there to at most n columns; any other text is cut at its end."""
    at = s.find("…")
    if at < 0 or " " in s or columns_of(s) <= n:
        return clip(s, n)
    end = s[max(len(s) - n // 2, at + 1) :]
    shorter = cut(s[:at], n - 1 - columns_of(end)) + "…" + end
    return shorter if columns_of(shorter) <= n else clip(s, n)


def wrap(s: str, n: int) -> list[str]:
    """The lines of a text, broken at spaces, with at most n columns each."""
    lines: list[str] = []
    line = ""
    for word in s.replace("\n", " ").split(" "):
        while columns_of(word) > n:
            if line:
                lines.append(line)
                line = ""
            head = cut(word, n)
            lines.append(head)
            word = word[len(head) :]
        if not line:
            line = word
        elif columns_of(line) + 1 + columns_of(word) <= n:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def shape_text(shape: list[int]) -> str:
    return "[" + ", ".join([str(n) for n in shape]) + "]"


def tuple_text(numbers: list[int]) -> str:
    return "(" + ", ".join([str(n) for n in numbers]) + ("," if len(numbers) == 1 else "") + ")"


def bad_of(value: Value) -> str:
    """What of a value is not finite: "nan", "inf", or nothing."""
    return "nan" if value.get("nan_count") else "inf" if value.get("inf_count") else ""


def norm_of(value: Value, digits: int = 3) -> str:
    """The norm of a value, with this many digits after the first one; empty if it has no norm."""
    norm = value.get("norm")
    return bad_of(value) or ("" if norm is None else number(float(exponential(norm, digits))))


def brief_norm(value: Value, n: int) -> str:
    """The norm of a value in at most n columns, with fewer digits where there is no room for four."""
    said = ""
    for digits in (3, 2, 1, 0):
        said = f"norm {norm_of(value, digits)}"
        if columns_of(said) <= n:
            return said
    return clip(said, n)


def brief(value: Value | None, n: int) -> str:
    """A value in at most n columns: all its elements, or as many as fit, or its norm."""
    if value is None:
        return "None"
    texts, shape, norm = value["elements"], value["shape"], norm_of(value)
    if texts is None:
        return brief_norm(value, n) if norm else clip(shape_text(shape), n)
    if not shape:
        return clip(texts[0], n)
    whole = nested(texts, shape)
    if columns_of(whole) <= n:
        return whole
    if len(texts) > 1 and all(t == texts[0] for t in texts):
        same = f"all {texts[0]}"
        if columns_of(same) <= n:
            return same
    kept, ends, depth = "", 0, len(shape)
    for i in range(len(texts)):
        # In how many dimensions a row begins at this element.
        ends = len([d for d in range(1, depth) if i % math.prod(shape[d:]) == 0])
        longer = kept + ("]" * ends + ", " + "[" * ends if i else "") + texts[i]
        if columns_of(longer) + 3 + 2 * depth > n:
            break
        kept = longer
    if kept:
        return "[" * depth + kept + "]" * ends + ", …" + "]" * (depth - ends)
    return brief_norm(value, n) if norm else clip(whole, n)


def nested(texts: list[str], shape: list[int]) -> str:
    """Elements, given as texts, with the brackets of their shape."""
    for k in range(len(shape) - 1, 0, -1):
        step = max(shape[k], 1)
        texts = ["[" + ", ".join(texts[i : i + step]) + "]" for i in range(0, len(texts), step)]
    return "[" + ", ".join(texts) + "]"


def short(name: str) -> str:
    """A node's name without PyTorch's namespace."""
    return name[len("torch::autograd::") :] if name.startswith("torch::autograd::") else name


def op_name(name: str) -> str:
    """The name of a node's operator: its name without "Backward0"."""
    name = short(name)
    at = name.rfind("Backward")
    return name[:at] if at > 0 else name


def kept(document: TraceDocument) -> str:
    """How much of a long log a document has. (A number of steps would contradict that of the slider, which counts what stands for those that
    were not kept, too.)"""
    if "rounds" not in document:
        return "steps not kept"
    rounds = document["rounds"]
    return f"{len(rounds['kept']):,} of {rounds['total']:,} rounds are in this trace"


def plural(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


# The state at a cursor ----------------------------------------------------------------------------


def called(index: TraceIndex, name: str, tensor: int, gone: bool) -> str:
    """What to call a tensor that had a name: "w", or "old w" if w means another one by the end or it is gone. Of several, "w 2" is the second."""
    names: dict[str, list[tuple[int, int]]] = index.kept.get("names", {})
    if not names:
        for t in index.tensors:
            for since, each in t["names"]:
                names.setdefault(each, []).append((since, t["id"]))
        index.kept["names"] = names
    order = [t for _, t in sorted(names[name])]
    if order[-1] == tensor and not gone:
        return name
    return f"{name} {order.index(tensor) + 1}" if len(order) > 2 else f"old {name}"


class Frame:
    """The state of a document after `cursor` steps, and the width for which scenes are laid out, in CSS pixels. What needs more may be wider."""

    def __init__(
        self, index: TraceIndex, cursor: int, wide: float = WIDTH, toggled: list[str] | None = None
    ) -> None:
        self.width = wide
        self.toggled: list[str] = toggled or []  # the keys of rows that the reader opened or closed
        self.index = index
        self.document = index.document
        self.cursor = cursor
        self.step: Step | None = index.steps[cursor - 1] if cursor > 0 else None
        # By tensor: its row with all changes up to the cursor.
        self.state = list(index.tensors)
        for t in index.changes:
            self.state[t] = index.state(t, cursor)
        self._visible: list[TraceTensor] | None = None

    def contents(self, storage: int) -> Contents:
        """The contents of a storage."""
        return self.index.contents(storage, self.cursor)

    def version(self, counter: int) -> int | None:
        """The number on a version counter."""
        return self.index.version(counter, self.cursor)

    def grad(self, tensor: int) -> Value | None:
        """The `.grad` of a tensor, if a step up to the cursor touched it."""
        return self.index.grad(tensor, self.cursor)

    def maker(self, tensor: int) -> Step | None:
        """The step that made a tensor."""
        return self.index.makers.latest(tensor, self.cursor)

    def is_gone(self, tensor: int) -> bool:
        """Whether a tensor no longer exists."""
        freed = self.index.tensors[tensor]["freed_step"]
        return freed is not None and freed < self.cursor

    def is_inner(self, tensor: int) -> bool:
        """Whether the expression that made a tensor also used it up, as inside of model(x)."""
        return self.index.inner.get(tensor, self.cursor) < self.cursor

    def caption(self) -> str:
        steps = self.document["steps"]
        if self.step is None:
            return f"before the first of {plural(len(steps), 'step')}" if steps else "the current state"
        return f"step {self.cursor:,} of {len(steps):,} · {self.step['text']}"

    def tensors(self) -> list[TraceTensor]:
        """The tensors that exist after the step at the cursor."""
        if self._visible is None:
            self._visible = [self.state[t] for t in living(self.index.tensor_lives, self.cursor)]
        return self._visible

    def storages(self) -> list[TraceStorage]:
        """The storages that exist after the step at the cursor."""
        return [self.document["storages"][s] for s in living(self.index.storage_lives, self.cursor)]

    def named(self, tensor: int) -> str:
        """The name of a variable that now refers to a tensor; empty if there is none."""
        return name_at(self.document["tensors"][tensor], self.cursor - 1)

    def label(self, tensor: int) -> str:
        """The label of a tensor: its name, or an earlier name, or the expression that made it, or its number. If an expression made several
        tensors, one from the other, as the call of a module does, it is the label of the last one."""
        name = self.named(tensor)
        if name:
            return name
        earlier = [n for since, n in self.document["tensors"][tensor]["names"] if n and since < self.cursor]
        if earlier:
            return called(self.index, earlier[-1], tensor, True)
        made = self.maker(tensor)
        if made is not None and made.get("grad") and made["grad"]["tensor"] < tensor:
            return self.label(made["grad"]["tensor"]) + ".grad"
        if made is not None and made["kind"] in ("create", "op", "view") and len(made["makes"]) == 1:
            source = self.expression(made)
            if source:
                # What a function takes a view for, it rarely gives back.
                if self.is_inner(tensor) or (made["kind"] == "view" and "call" in made):
                    source = f"{made['op']} in {source}"
                return source
        return f"tensor {tensor + 1}"

    def expression(self, step: Step) -> str:
        """The source text of a step, if it is short."""
        span = step.get("span")
        if not span or span[0] != span[2] or span[3] - span[1] > 60:
            return ""
        call = self.index.calls.get(step.get("backward_call", -1), self.cursor)
        if call < self.cursor and span == self.index.steps[call]["span"]:
            return ""  # made by the derivative of something
        return "".join(list(self.document["source"][span[0] - 1])[span[1] : span[3]])

    def history(self, tensor: int) -> str:
        """The text of a tensor's tooltip."""
        t = self.state[tensor]
        parts = [
            f"{self.label(tensor)} {shape_text(t['shape'])} {t['dtype']}",
            f"storage {t['storage'] + 1}",
            status(t),
        ]
        if t["grad_fn"] is not None:
            parts.append("grad_fn " + short(self.document["nodes"][t["grad_fn"]]["name"]))
        return ", ".join(parts)

    def writes(self) -> list[Write]:
        """The writes of the step at the cursor."""
        return [] if self.step is None else self.step.get("writes", [])

    def touched(self) -> set[int]:
        """The tensors that the step at the cursor made, wrote to or changed."""
        step = self.step
        if step is None:
            return set()
        found = set(step.get("makes", []))
        found.update([one["tensor"] for one in [*self.writes(), *step.get("changes", [])]])
        return found


def status(tensor: TraceTensor) -> str:
    """The role of a tensor in autograd."""
    if tensor["is_leaf"]:
        return "leaf, collects .grad" if tensor["requires_grad"] else "leaf, no gradient"
    return "non-leaf, keeps .grad" if tensor["retains_grad"] else "non-leaf, .grad not kept"


def tensor_class(f: Frame, tensor: TraceTensor) -> str:
    """The class of a tensor, which is the meaning of its colour."""
    made = f.maker(tensor["id"])
    if f.label(tensor["id"]).endswith(".grad") or (made is not None and made.get("grad")):
        return "gradient"
    if not tensor["requires_grad"]:
        return "plain"
    return "leaf" if tensor["is_leaf"] else "intermediate"


def window(n: int, focus: int, size: int) -> tuple[int, int]:
    """The window (begin, end) of `size` items out of n, such that item `focus` is in it, and not at its edge if possible."""
    if n <= size:
        return 0, n
    start = min(max(focus - size * 2 // 3, 0), n - size)
    return start, start + size
