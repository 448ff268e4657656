"""A trace document as it is sent and stored: the same in a tenth of the room.

Of a loop each round writes the same rows but for some whole numbers, which grow by the same amounts each time. So a row is told by its
*template*, the row as JSON with a hole for each whole number, and by what each number adds to the one in the same hole of the last row of
that template. The pair of both is a *variant*: it is written once, and a row is the number of its variant. Values and contents are written
once each too. Nothing here knows what rows mean; `js/src/document.ts` reads it.

    {"schema": ..., "packed": 1, "name", "source", "notes", ...    as in the document
     "templates": [JSON text],  "variants": [[template, *added]],  "steps": [variant], "tensors": ..., "nodes": ..., "storages": ...,
     "values": [[meta, "1. 2."], [meta, null, norm]],  "metas": [what is left of a value without its texts and norm]}

Where a row has a value stands {"v": its number}, and in the sentence of a step ␂number␃ for what it says about a value (`sentences.brief`);
␂␃ is the character ␂.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from jgrad.trace.sentences import Brief, brief

LISTS = ("storages", "tensors", "nodes", "steps")
VALUED = ("grads_in", "grads_out", "writes", "grad")  # where steps have values
TOLD = ("text", "norm")  # what is told of each value by itself
HOLE = b"\x01"  # can't occur in JSON
DIGITS = 15  # of a number that has a hole
WORD = np.array([chr(c).isalnum() or chr(c) in "_." for c in range(128)] + [False] * 128)
SAID = re.compile("␂(\\d*)␃")
FRACTION = re.compile(r"\d\.")
BETWEEN: dict[str, Any] = {"": {}}  # rows: nothing in a document is like it
MANY = 2000  # rows that are packed at a time
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
Row = dict[str, Any]


class Packer:
    """Packs rows as they come; `size` is about how many bytes all take. `say` is how their sentences speak of values."""

    def __init__(self, say: Callable[[Row], str]) -> None:
        self.rows: dict[str, list[int]] = {key: [] for key in LISTS}
        self.size = 0
        self._say = say
        self._templates: list[str] = []
        self._known: dict[tuple, int] = {}  # a template by its list, its text without keys, and its keys
        self._last: dict[int, Any] = {}  # the numbers of its last row
        self._variants: dict[bytes, int] = {}
        self._values: dict[tuple, int] = {}
        self._metas: dict[tuple, int] = {}  # the rest of values, as keys and what they say
        self._stands: dict[int, Row] = {}  # by the identity of a value: what stands in its place
        self._same: list[Row] = []  # which stay alive meanwhile
        self._said: list[str] = []  # by number, with fractions

    def add(self, rows: Sequence[tuple[str, Row]], room: float = math.inf) -> int | None:
        """Rows, each with the name of its list; how many of them there is room for, None if for all."""
        told, sizes = [], []
        for key, row in rows:
            told.append(self._step(row) if key == "steps" else self._thing(row))
            sizes.append(self.size)
        # All in one text, which NumPy looks through: a call for each row takes longer than what it does.
        whole = encode([BETWEEN, *[part for row in told for part in ([*row.values()], BETWEEN)]])[1:-1]
        texts, numbers, bounds = _holes(_bytes(whole).replace(b'{"":{}}', b"\n"))
        if len(texts) != len(rows):
            raise ValueError("a row has what no row of a trace document has")
        known, variants, more = self._known, self._variants, 0
        templates = []
        for i, ((key, row), text) in enumerate(zip(rows, texts, strict=True)):
            place = (key, text, *row)
            template = known.get(place)
            if template is None:
                template = known[place] = len(self._templates)
                self._templates.append(_template(told[i]))
                more += len(self._templates[-1]) + text.count(b'"') + 6 * text.count(HOLE) + 9
            templates.append(template)
            sizes[i] += more
        more = 0
        for i, variant in enumerate(self._added(templates, numbers, bounds)):
            number = variants.get(variant)
            if number is None:
                number = variants[variant] = len(variants)
                more += 3 * len(variant) // 8
            self.rows[rows[i][0]].append(number)
            more += 5
            if sizes[i] + more > room:
                return i
        self.size = sizes[-1] + more
        return None

    def _added(self, templates: list[int], numbers: Any, bounds: Any) -> list[bytes]:
        """Of each row the bytes of its template and of what its numbers add to those of the row before."""
        which, many = np.array(templates), np.diff(bounds)
        variants = [b""] * len(templates)
        for n in np.unique(many).tolist():
            rows = np.flatnonzero(many == n)
            rows = rows[np.argsort(which[rows], kind="stable")]
            of, here = which[rows], numbers[bounds[rows][:, None] + np.arange(n)]
            added = np.column_stack((of, here))
            first = np.flatnonzero(np.diff(of, prepend=-1))
            added[1:, 1:] -= here[:-1]
            added[first, 1:] = here[first]
            for k, end in zip(first.tolist(), [*first[1:].tolist(), len(rows)], strict=True):
                added[k, 1:] -= self._last.get(templates[rows[k]], 0)
                self._last[templates[rows[k]]] = here[end - 1]
            for i, variant in zip(rows.tolist(), added.view(f"V{8 * n + 8}").ravel().tolist(), strict=True):
                variants[i] = variant
        return variants

    def _thing(self, row: Row) -> Row:
        return row | {"cells": self._value(row["cells"])} if "cells" in row else row

    def _step(self, row: Row) -> Row:
        """A step with numbers in place of its values."""
        text = row["text"]
        if row.keys().isdisjoint(VALUED) and "␂" not in text:
            return row
        row = row.copy()
        found: list[Row | None] = []  # what stands for the values of which the sentence may speak
        value = self._value
        for key in ("grads_in", "grads_out"):
            if key in row:
                row[key] = those = [v and value(v) for v in row[key]]
                found += those
        if "writes" in row:
            row["writes"] = [{**w, "cells": value(w["cells"])} for w in row["writes"]]
        if "grad" in row:
            grad = row["grad"]
            parts = [{**part, "value": value(part["value"])} for part in grad["parts"]]
            before, add, after = [grad[key] and value(grad[key]) for key in ("before", "add", "after")]
            row["grad"] = {**grad, "before": before, "add": add, "after": after, "parts": parts}
            found += before, add, after, *[part["value"] for part in parts]
        text = text.replace("␂", "␂␃")
        if found and FRACTION.search(text):
            for number in [stands["v"] for stands in found if stands is not None]:
                said = self._said[number]
                if said and said in text:
                    text = text.replace(said, f"␂{number}␃")
        row["text"] = text
        return row

    def _value(self, value: Row) -> Row:
        """What stands in the place of a value."""
        found = self._stands.get(id(value))
        if found is None:
            texts, norm = value["text"], value.get("norm", self)
            rest = [
                (k, v if v.__class__ is not list else tuple(v)) for k, v in value.items() if k not in TOLD
            ]
            meta = tuple(rest)
            which = self._metas.get(meta)
            if which is None:
                which = self._metas[meta] = len(self._metas)
                self.size += 20 * len(value)
            if texts is not None:
                joined = " ".join(texts)
                texts = tuple(texts) if joined.count(" ") >= max(len(texts), 1) else joined
            written = (which, texts) if norm is self else (which, texts, norm)
            number = self._values.get(written)
            if number is None:
                number = self._values[written] = len(self._values)
                said = self._say(value) if "shape" in value else ""
                self._said.append(said if FRACTION.search(said) else "")  # which is different each time
                self.size += 20 + len(texts or "")
            found = self._stands[id(value)] = {"v": number}
            self._same.append(value)
        return found

    def text(self, document: Row) -> str:
        """The JSON text of a document all of whose rows were added."""
        rest = {k: v for k, v in document.items() if k not in LISTS}
        variants = [np.frombuffer(variant, np.int64).tolist() for variant in self._variants]
        packed = {"templates": self._templates, "variants": variants, **self.rows}
        found = {"metas": [*map(dict, self._metas)], "values": [*self._values]}
        return encode(rest | {"packed": 1} | packed | found)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _template(row: Row) -> str:
    """A row as JSON with holes; its keys have none."""
    texts, _, _ = _holes(_bytes("\n".join(["", *map(encode, row.values()), ""])))
    values = [text.decode("utf-8", "surrogatepass") for text in texts]
    return "{" + ",".join([f"{encode(key)}:{value}" for key, value in zip(row, values, strict=True)]) + "}"


def _holes(lines: bytes) -> tuple[list[bytes], Any, Any]:
    """Lines, behind and before a newline, with a hole in the place of each whole number that is not part of a word or fraction; all the
    numbers; and where among them those of each line begin and the last end."""
    text = np.frombuffer(lines, np.uint8)
    digit = (text - 48) < 10
    edges = np.flatnonzero(digit[1:] != digit[:-1]) + 1
    begin, end = edges[::2], edges[1::2]
    whole = ~(WORD[text[begin - 1]] | WORD[text[end]])
    whole &= (end - begin == 1) | ((text[begin] != 48) & (end - begin <= DIGITS))
    begin, long = begin[whole], (end - begin)[whole]
    numbers = (text[begin] - 48).astype(np.int64)
    holed, kept = text.copy(), np.ones(len(text), bool)
    holed[begin] = HOLE[0]
    for k in range(1, long.max(initial=0)):
        longer = np.flatnonzero(long > k)
        places = begin[longer] + k
        numbers[longer] = numbers[longer] * 10 + (text[places] - 48)
        kept[places] = False
    texts = holed[kept].tobytes().split(b"\n")[1:-1]
    return texts, numbers, np.searchsorted(begin, np.flatnonzero(text == 10))


class Document(dict[str, Any]):
    """A trace document, with what packed it if that was done."""

    packer: Packer | None = None


def pack(document: dict[str, Any]) -> str:
    """The JSON text of a document as it is sent and stored."""
    if isinstance(document, Document) and document.packer is not None:
        return document.packer.text(document)
    packer = Packer(Brief())
    for key in LISTS:
        rows = [(key, row) for row in document[key]]
        for i in range(0, len(rows), MANY):
            packer.add(rows[i : i + MANY])
    return packer.text(document)


def unpack(packed: dict[str, Any]) -> dict[str, Any]:
    """The document that was packed."""
    values = [*map(_value, packed["values"], [packed["metas"]] * len(packed["values"]))]
    templates = [t.split(HOLE.decode()) for t in packed["templates"]]
    last = [[0] * (len(t) - 1) for t in templates]
    document = {
        k: v for k, v in packed.items() if k not in ("packed", "templates", "variants", "values", "metas")
    }
    for key in LISTS:
        texts = []
        for variant in packed[key]:
            which, *added = packed["variants"][variant]
            numbers = last[which] = [a + b for a, b in zip(last[which], added, strict=True)]
            texts.append("".join(_filled(templates[which], numbers)))
        rows = json.loads(
            f"[{','.join(texts)}]", object_hook=lambda found: values[found["v"]] if "v" in found else found
        )
        document[key] = rows
    for step in document["steps"]:
        if "␂" in step["text"]:
            step["text"] = SAID.sub(lambda m: brief(values[int(m[1])]) if m[1] else "␂", step["text"])
    return document


def _filled(parts: list[str], numbers: Iterable[int]) -> Iterable[str]:
    yield parts[0]
    for number, part in zip(numbers, parts[1:], strict=True):
        yield str(number)
        yield part


def _value(written: list, metas: list) -> dict[str, Any]:
    which, texts, *norm = written
    value = metas[which] | {"text": (texts.split(" ") if texts else []) if isinstance(texts, str) else texts}
    if norm:
        (value["norm"],) = norm
    return value
