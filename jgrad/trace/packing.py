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
from collections.abc import Iterable, Mapping, Sequence
from operator import sub
from typing import Any

from jgrad.trace.sentences import brief

LISTS = ("storages", "tensors", "nodes", "steps")
VALUED = ("grads_in", "grads_out", "writes", "grad")  # where steps have values
HOLE = "\x01"  # can't occur in JSON
# A digit comes first: a pattern that begins with one of few characters is looked for several times as fast.
WHOLE_NUMBER = re.compile(r"([0-9](?<![\w.][0-9])(?:(?<=0)|(?<=[1-9])[0-9]{0,14}))(?![\w.])")
SAID = re.compile("␂(\\d*)␃")
FRACTION = re.compile(r"\d\.")
BETWEEN: dict[str, Any] = {"": {}}  # rows: nothing in a document is like it
MANY = 2000  # rows that are packed at a time
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
Row = dict[str, Any]


class Packer:
    """Packs rows as they come; `size` is about how many bytes all take. `said` is what `brief` says of values, by their identity, as far as
    that is known."""

    def __init__(self, said: Mapping[int, str] | None = None) -> None:
        self.rows: dict[str, list[int]] = {key: [] for key in LISTS}
        self.size = 0
        self._briefs = said or {}
        self._templates: list[str] = []
        # By list, text without keys, and keys: the template, how many numbers it has, and those of its last row.
        self._known: dict[tuple, list[Any]] = {}
        self._variants: dict[tuple, int] = {}
        self._values: dict[tuple, int] = {}
        self._metas: dict[str, int] = {}
        self._rests: list[Row] = []
        self._stands: dict[int, Row] = {}  # by the identity of a value: what stands in its place
        self._same: list[Row] = []  # which stay alive meanwhile
        self._said: list[str | None] = []

    def add(self, rows: Sequence[tuple[str, Row]], room: float = math.inf) -> int | None:
        """Rows, each with the name of its list; how many of them there is room for, None if for all."""
        begun, values = self.size, []
        told = []
        for key, row in rows:
            told.append(self._step(row) if key == "steps" else self._thing(row))
            values.append(self.size - begun)
        # All in one text, since a call for each row takes longer than what it does.
        text = encode([BETWEEN, *[part for row in told for part in ([*row.values()], BETWEEN)]])
        parts = WHOLE_NUMBER.split(text)
        numbers = [*map(int, parts[1::2])]
        texts = HOLE.join(parts[::2]).split('{"":{}}')[1:-1]
        if len(texts) != len(rows):
            raise ValueError("a row has what no row of a trace document has")
        variants, end = self._variants, 0
        for i, ((key, row), text) in enumerate(zip(rows, texts, strict=True)):
            place = (key, text, *row)
            known = self._known.get(place)
            if known is None:
                known = self._known[place] = self._template(told[i], text.count(HOLE))
            template, many, last = known
            begin, end = end, end + many
            known[2] = numbers[begin:end]
            added = (template, *map(sub, known[2], last))
            variant = variants.get(added)
            if variant is None:
                variant = variants[added] = len(variants)
                self.size += 3 * len(added)
            self.rows[key].append(variant)
            self.size += 5
            if self.size - values[-1] + values[i] > room:
                return i
        return None

    def _template(self, row: Row, holes: int) -> list[Any]:
        text = ",".join(
            [f"{encode(k)}:{HOLE.join(WHOLE_NUMBER.split(encode(v))[::2])}" for k, v in row.items()]
        )
        self._templates.append(f"{{{text}}}")
        self.size += len(text) + text.count('"') + holes * 6 + 11
        return [len(self._templates) - 1, holes, [0] * holes]

    def _thing(self, row: Row) -> Row:
        return row | {"cells": self._value(row["cells"])} if "cells" in row else row

    def _step(self, row: Row) -> Row:
        """A step with numbers in place of its values."""
        text = row["text"]
        valued = [key for key in VALUED if key in row]
        if not valued and "␂" not in text:
            return row
        row = row.copy()
        values: list[Row] = []
        value = self._value
        for key in valued:
            there = row[key]
            if key == "writes":
                row[key] = [w | {"cells": value(w["cells"])} for w in there]
            elif key == "grad":
                values += [v for v in (there["before"], there["add"], there["after"]) if v is not None]
                values += [p["value"] for p in there["parts"]]
                parts = [p | {"value": value(p["value"])} for p in there["parts"]]
                changed = {k: there[k] and value(there[k]) for k in ("before", "add", "after")}
                row[key] = there | changed | {"parts": parts}
            else:
                values += [v for v in there if v is not None]
                row[key] = [v and value(v) for v in there]
        text = text.replace("␂", "␂␃")
        if values and FRACTION.search(text):
            for v in values:
                number = self._stands[id(v)]["v"]
                said = self._said[number]
                if said is not None and said in text:
                    text = text.replace(said, f"␂{number}␃")
        row["text"] = text
        return row

    def _value(self, value: Row) -> Row:
        """What stands in the place of a value."""
        found = self._stands.get(id(value))
        if found is None:
            rest = value.copy()
            texts, norm = rest.pop("text"), rest.pop("norm", self)
            meta = str(rest)
            which = self._metas.get(meta)
            if which is None:
                which = self._metas[meta] = len(self._rests)
                self._rests.append(rest)
                self.size += len(meta)
            if texts is not None:
                joined = " ".join(texts)
                texts = tuple(texts) if joined.count(" ") >= max(len(texts), 1) else joined
            written = (which, texts) if norm is self else (which, texts, norm)
            number = self._values.get(written)
            if number is None:
                number = self._values[written] = len(self._values)
                said = self._briefs.get(id(value)) or (brief(value) if "shape" in value else "")
                # What is said with fractions is different each time.
                self._said.append(said if FRACTION.search(said) else None)
                self.size += 20 + len(texts or "")
            found = self._stands[id(value)] = {"v": number}
            self._same.append(value)
        return found

    def text(self, document: Row) -> str:
        """The JSON text of a document all of whose rows were added."""
        rest = {k: v for k, v in document.items() if k not in LISTS}
        packed = {"templates": self._templates, "variants": [*self._variants], **self.rows}
        found = {"metas": self._rests, "values": [*self._values]}
        return encode(rest | {"packed": 1} | packed | found)


class Document(dict[str, Any]):
    """A trace document, with what packed it if that was done."""

    packer: Packer | None = None


def pack(document: dict[str, Any]) -> str:
    """The JSON text of a document as it is sent and stored."""
    if isinstance(document, Document) and document.packer is not None:
        return document.packer.text(document)
    packer = Packer()
    for key in LISTS:
        rows = [(key, row) for row in document[key]]
        for i in range(0, len(rows), MANY):
            packer.add(rows[i : i + MANY])
    return packer.text(document)


def unpack(packed: dict[str, Any]) -> dict[str, Any]:
    """The document that was packed."""
    values = [*map(_value, packed["values"], [packed["metas"]] * len(packed["values"]))]
    templates = [t.split(HOLE) for t in packed["templates"]]
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
