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
import re
from collections.abc import Iterable
from operator import sub
from typing import Any

from jgrad.trace.sentences import brief

LISTS = ("storages", "tensors", "nodes", "steps")
HOLE = "\x01"  # can't occur in JSON
WHOLE_NUMBER = re.compile(r"(?<![\w.])(0|[1-9]\d{0,14})(?![\w.])")
SAID = re.compile("␂(\\d*)␃")
FRACTION = re.compile(r"\d\.")
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Packer:
    """Packs rows as they come; `size` is about how many bytes all take."""

    def __init__(self) -> None:
        self.rows: dict[str, list[int]] = {key: [] for key in LISTS}
        self.size = 0
        self._templates: dict[tuple[str, str], int] = {}  # by list and text
        self._last: list[list[int]] = []  # by template: the numbers of its last row
        self._variants: dict[tuple, int] = {}
        self._values: dict[str, int] = {}
        self._metas: dict[str, int] = {}
        self._number_of: dict[int, int] = {}  # by the identity of a value's dict
        self._same: list[dict] = []  # which stay alive meanwhile
        self._said: list[str | None] = []

    def add(self, key: str, row: dict[str, Any]) -> None:
        """A row of one of the lists of a document."""
        text = encode(
            self._step(row)
            if key == "steps"
            else row | {"cells": self._value(row["cells"])}
            if "cells" in row
            else row
        )
        parts = WHOLE_NUMBER.split(text)
        numbers = [*map(int, parts[1::2])]
        template = HOLE.join(parts[::2])
        number = self._templates.get((key, template))
        if number is None:
            number = self._templates[key, template] = len(self._last)
            self._last.append([0] * len(numbers))
            self.size += len(template) + template.count('"') + len(parts) * 3 + 6
        added = (number, *map(sub, numbers, self._last[number]))
        self._last[number] = numbers
        variant = self._variants.get(added)
        if variant is None:
            variant = self._variants[added] = len(self._variants)
            self.size += 3 * len(added)
        self.rows[key].append(variant)
        self.size += 5

    def _step(self, row: dict[str, Any]) -> dict[str, Any]:
        """A step with numbers in place of its values."""
        row = row.copy()
        values: list[dict] = []
        value = self._value
        for key in ("grads_in", "grads_out"):
            if key in row:
                values += [v for v in row[key] if v is not None]
                row[key] = [v and value(v) for v in row[key]]
        if "writes" in row:
            row["writes"] = [w | {"cells": value(w["cells"])} for w in row["writes"]]
        if "grad" in row:
            grad = row["grad"]
            values += [v for v in (grad["before"], grad["add"], grad["after"]) if v is not None]
            values += [p["value"] for p in grad["parts"]]
            parts = [p | {"value": value(p["value"])} for p in grad["parts"]]
            changed = {k: grad[k] and value(grad[k]) for k in ("before", "add", "after")}
            row["grad"] = grad | changed | {"parts": parts}
        text = row["text"] = row["text"].replace("␂", "␂␃")
        if values and FRACTION.search(text):
            for v in values:
                number = self._number_of[id(v)]
                said = self._said[number]
                if said is not None and said in text:
                    text = text.replace(said, f"␂{number}␃")
            row["text"] = text
        return row

    def _value(self, value: dict[str, Any]) -> dict[str, int]:
        number = self._number_of.get(id(value))
        if number is None:
            texts = value.get("text")
            rest = {k: v for k, v in value.items() if k not in ("text", "norm")}
            which = self._metas.setdefault(encode(rest), len(self._metas))
            texts = value["text"]
            joined = texts if texts is None or any([" " in t for t in texts]) else " ".join(texts)
            written = encode([which, joined, value["norm"]] if "norm" in value else [which, joined])
            number = self._values.get(written)
            if number is None:
                number = self._values[written] = len(self._values)
                said = brief(value) if "shape" in value else ""
                # What is said with fractions is different each time.
                self._said.append(said if FRACTION.search(said) else None)
                self.size += len(written) + 1
            self._number_of[id(value)] = number
            self._same.append(value)
        return {"v": number}

    def text(self, document: dict[str, Any]) -> str:
        """The JSON text of a document all of whose rows were added."""
        rest = {k: v for k, v in document.items() if k not in LISTS}
        templates = [text for _, text in self._templates]
        head = encode(
            rest | {"packed": 1, "templates": templates, "variants": [*self._variants], **self.rows}
        )
        return f'{head[:-1]},"metas":[{",".join(self._metas)}],"values":[{",".join(self._values)}]}}'


class Document(dict[str, Any]):
    """A trace document, with what packed it if that was done."""

    packer: Packer | None = None


def pack(document: dict[str, Any]) -> str:
    """The JSON text of a document as it is sent and stored."""
    if isinstance(document, Document) and document.packer is not None:
        return document.packer.text(document)
    packer = Packer()
    for key in LISTS:
        for row in document[key]:
            packer.add(key, row)
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
