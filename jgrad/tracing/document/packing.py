"""A trace document as it is sent and stored: the same rows in a tenth of the room.

Each round of a loop writes rows that differ only in whole numbers, and those grow by the same amounts each time. Three tensors of a loop:

    {"id": 7, "storage": 5, "shape": [2], ...}
    {"id": 9, "storage": 6, "shape": [2], ...}
    {"id": 11, "storage": 7, "shape": [2], ...}

So a row is written in two parts. Its *template* is its JSON text with a hole, the character U+0001, in the place of each whole number. Its
numbers are written as what they *add* to the numbers in the same holes of the row before it with that template (to 0 for the first one).
A template and what is added are a *variant*. Each variant is written once, and a row is the position of its variant:

    "templates": ["{\"id\":␁,\"storage\":␁,\"shape\":[␁],...}"],
    "variants":  [[0, 7, 5, 2], [0, 2, 1, 0]],             the template, then what to add for each of its holes
    "tensors":   [0, 1, 1]

Values and contents are not whole numbers, and the same ones occur again and again: a gradient at each edge that it passes. They are written
once too, their elements in one string. What is left of a value is its *meta*. In a row stands {"v": position in "values"}:

    "metas":     [{"shape": [2], "dtype": "float32"}],
    "values":    [[0, "1. 2.", 2.236068]]                   the meta, the elements, the norm if there is one

The sentence of a step repeats values in words (`sentences.brief`). ␂position␃ stands for them there, and ␂␃ for the character ␂.

Everything else in a document is as it was. `unpack`, at the end of this file, is the shortest description of the format; the front end
unpacks in `js/src/packing.ts`. tests/fixtures/packed holds both to it.

There are two ways to the template of a row. Of the usual rows of a recording, `forms.py` knows the numbers without a look at their text: then
only the first row of each template becomes text. All other rows become text one by one.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from json.encoder import JSONEncoder
from typing import Any, cast

import numpy as np

from jgrad.tracing.document.forms import DESCRIBED, texts_of
from jgrad.tracing.document.schema import Step, TraceDocument, Value
from jgrad.tracing.document.sentences import Brief, Sentence, brief

LISTS = ("storages", "tensors", "nodes", "steps")
VALUES = {"contents", "before", "added", "after", "value", "grads_in", "grads_out"}  # fields that hold values
HOLDERS = VALUES | {"writes", "grad"}  # fields of rows that hold values, or objects with values
APART = ("elements", "norm")  # what is written of a value besides its meta
HOLE = "\x01"  # JSON escapes it, so it can't occur in a text
VALUE = f'{{"v":{HOLE}}}'
LARGE = 10**15  # numbers from here on stay in the template
NUMBER = re.compile(r"(?<![\w.])(0|[1-9][0-9]{0,14})(?![\w.])")  # not a part of a word or a fraction
FRACTION = re.compile(r"\d\.")
SPOKEN = re.compile("␂([0-9]*)␃")
PLACEHOLDER = re.compile("(%[ds%])")  # in the form of a sentence
PLACEHOLDERS = {"%d": HOLE, "%s": f"␂{HOLE}␃", "%%": "%"}
encode = JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
Row = dict[str, Any]


class RecordedDocument(dict[str, Any]):
    """A document that this process recorded, so that it is sound. It keeps the forms of its sentences until it is packed, and then what packed
    it."""

    packer: Packer | None = None
    texts: list[Sentence] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process it is plain data."""
        return dict, ({**self},)


def pack(document: TraceDocument) -> str:
    """The JSON text of a document as it is sent and stored."""
    packer, texts = None, None
    if isinstance(document, RecordedDocument):
        packer, texts = document.packer, document.texts
    if packer is None:
        packer = Packer(Brief())
        for name in LISTS:
            packer.add(name, rows_of(document, name), None if texts is None else texts_of(name, texts))
    return packer.text(document)


def rows_of(document: TraceDocument, name: str) -> list[Row]:
    """One of the `LISTS` of a document."""
    return cast("dict[str, list[Row]]", document)[name]


class Packer:
    """Packs the lists of a document, each at once and in the order of `LISTS`. `say` puts a value into words."""

    def __init__(self, say: Callable[[Value | None], str]) -> None:
        self._rows: dict[str, list[int]] = {name: [] for name in LISTS}
        self._variants: dict[tuple[int, ...], int] = {}
        # The templates, by list and text; those of `forms.py` by their form too, since rows of two forms may have the same text.
        self._templates: dict[tuple[str, str, Any], int] = {}
        self._last: list[Any] = []  # for each template the numbers of its last row, as a column
        self._values = ValueTable(say)

    def add(self, name: str, rows: list[Row], texts: Iterable[Sentence] | None = None) -> Any:
        """Pack the rows of a list. `texts`: for rows of a recording, the forms of their sentences. Returns an array: about how many bytes each
        row adds to the packed text."""
        sizes, values_before = np.full(len(rows), 5), len(self._values.sizes)
        self._found = np.empty(len(rows), np.int64)  # the variant of each row
        self._valued: list[tuple[Any, Any]] = []  # (rows, the values that they hold)
        rest = range(len(rows)) if texts is None else self._add_described(name, rows, texts, sizes)
        self._add_others(name, rows, rest, sizes)
        self._rows[name] += self._found.tolist()
        self._count_values(values_before, sizes)
        return sizes

    def _add_described(
        self, name: str, rows: list[Row], texts: Iterable[Sentence], sizes: Any
    ) -> Sequence[int]:
        """Pack the rows that `forms.py` describes. Returns the others."""
        known, rest, described = self._values.numbers.get, [], DESCRIBED[name]
        forms: dict[tuple, tuple[str | None, list[int], array]] = {}  # key -> template, rows, their numbers

        def number_of(value: Any) -> int:
            number = known(id(value))
            return self._values.number_of(value) if number is None else number

        for i, (row, sentence) in enumerate(zip(rows, texts)):  # noqa: B905
            found = described(row, sentence, number_of)
            if found is None:
                rest.append(i)
                continue
            key, numbers = found
            form = forms.get(key)
            if form is None:
                form = forms[key] = (self._template(row, sentence, numbers), [], array("q"))
            form[1].append(i)
            form[2].extend(numbers)
        for key, (template, where, all_numbers) in forms.items():
            columns = np.array(all_numbers, np.int64).reshape(len(where), -1).T
            if template is None or np.abs(columns).max(initial=0) >= LARGE:
                rest += where
            else:
                self._place((name, template, key), np.array(where), np.ascontiguousarray(columns), sizes)
        return sorted(rest)

    def _template(self, row: Row, sentence: Sentence, numbers: tuple) -> str | None:
        """The template of a row that was described; None if these are not its numbers."""
        form, parts = sentence
        words = [
            PLACEHOLDERS.get(part) or encode(part)[1:-1].replace("␂", "␂␃")
            for part in PLACEHOLDER.split(form)
        ]
        found = [*numbers[: len(parts)]]
        fields = []
        for key, thing in row.items():
            if key == "text":
                text = f'"{"".join(words)}"'
            elif key in ("line", "span"):
                text = encode(thing)  # the same in all rows of a form
            else:
                text = self._holed(thing, key, found)
            fields.append(f"{encode(key)}:{text}")
        return f"{{{','.join(fields)}}}" if found == [*numbers] else None

    def _holed(self, thing: Any, field: str, found: list[int]) -> str:
        """JSON with holes. The numbers in them are added to `found`."""
        if type(thing) is int and -LARGE < thing < LARGE:
            found.append(thing)
            return HOLE
        if type(thing) is list:
            return f"[{','.join([self._holed(one, field, found) for one in thing])}]"
        if type(thing) is dict and field in VALUES:
            found.append(self._values.number_of(cast(Value, thing)))
            return VALUE
        if type(thing) is dict:
            return f"{{{','.join([f'{encode(k)}:{self._holed(v, k, found)}' for k, v in thing.items()])}}}"
        return encode(thing)

    def _add_others(self, name: str, rows: list[Row], which: Sequence[int], sizes: Any) -> None:
        """Pack some of the rows by their texts."""
        alike: dict[str, tuple[list[int], list[list[str]]]] = {}  # template -> rows, their numbers
        for i in which:
            row = rows[i]
            if not HOLDERS.isdisjoint(row):
                row = self._values.replaced(row, name)
            if name == "steps":
                row = row | {"text": self._values.marked(rows[i])}
            parts = NUMBER.split(encode(row))
            where, numbers = alike.setdefault(HOLE.join(parts[::2]), ([], []))
            where.append(i)
            numbers.append(parts[1::2])
        for template, (where, texts) in alike.items():
            columns = np.array(texts, np.int64).reshape(len(where), -1).T
            self._place((name, template, None), np.array(where), np.ascontiguousarray(columns), sizes)

    def _place(self, key: tuple[str, str, Any], where: Any, numbers: Any, sizes: Any) -> None:
        """Note that some rows have a template and these numbers in its holes, a column for each row."""
        template, text = self._templates.get(key), key[1]
        if template is None:
            template = self._templates[key] = len(self._templates)
            self._last.append(np.zeros((len(numbers), 1), np.int64))
            sizes[where[0]] += len(text) + text.count('"') + 6 * len(numbers) + 9
        added = np.diff(numbers, prepend=self._last[template])
        self._last[template] = numbers[:, -1:]
        # Rows that follow each other mostly have the same variant: only the first of such a run is looked up.
        starts = [0, *(np.flatnonzero((added[:, 1:] != added[:, :-1]).any(0)) + 1).tolist()]
        variants = []
        for start, row in zip(starts, added.T[starts].tolist(), strict=True):
            variant = (template, *row)
            number = self._variants.get(variant)
            if number is None:
                number = self._variants[variant] = len(self._variants)
                sizes[where[start]] += 3 * len(variant)
            variants.append(number)
        self._found[where] = np.repeat(variants, np.diff([*starts, len(where)]))
        before = text.split(HOLE)
        self._valued += [(where, numbers[k]) for k in range(len(numbers)) if before[k].endswith('{"v":')]

    def _count_values(self, since: int, sizes: Any) -> None:
        """Add the sizes of new values to those of the first rows that hold them."""
        new = self._values.sizes[since:]
        if new:
            first = np.full(since + len(new), len(sizes))
            for where, values in self._valued:
                np.minimum.at(first, values, where)
            np.add.at(sizes, first[since:], new)

    def text(self, document: TraceDocument) -> str:
        """The JSON text of a document all of whose lists were added."""
        rest = {key: part for key, part in document.items() if key not in LISTS}
        templates = [text for _, text, _ in self._templates]
        tables = {"templates": templates, "variants": [*self._variants], **self._values.tables()}
        return encode(rest | {"packed": 1} | tables | self._rows)


class ValueTable:
    """The values and contents of a document, each once, and their numbers."""

    def __init__(self, say: Callable[[Value | None], str]) -> None:
        self.numbers: dict[int, int] = {}  # by the identities of values
        self.sizes: list[int] = []  # about how many bytes each takes
        self._say = say
        self._alive: list[Any] = []  # keeps the identities
        self._values: dict[tuple, int] = {}
        self._metas: dict[tuple, int] = {}

    def number_of(self, value: Value) -> int:
        """The number of a value or of contents, a new one if there is none like it."""
        number = self.numbers.get(id(value))
        if number is not None:
            return number
        meta = tuple([(k, _hashable(v)) for k, v in value.items() if k not in APART])
        which, size = self._metas.get(meta), 20
        if which is None:
            which, size = len(self._metas), 20 + 20 * len(value)
            if "bands" in value:
                size += 400
            self._metas[meta] = which
        elements: Any = value["elements"]
        if elements is not None:
            joined = " ".join(elements)
            elements = joined if joined.count(" ") < max(len(elements), 1) else tuple(elements)
        written = (which, elements, value["norm"]) if "norm" in value else (which, elements)
        number = self._values.get(written)
        if number is None:
            number = self._values[written] = len(self._values)
            self.sizes.append(size + len(elements or ""))
        self.numbers[id(value)] = number
        self._alive.append(value)
        return number

    def replaced(self, thing: Any, field: str) -> Any:
        """A part of a row with numbers in the place of values."""
        if type(thing) is dict and field != "index_map":  # which holds no values
            if field in VALUES:
                return {"v": self.number_of(cast(Value, thing))}
            return {key: self.replaced(part, key) for key, part in thing.items()}
        return [self.replaced(one, field) for one in thing] if type(thing) is list else thing

    def marked(self, step: Any) -> str:
        """The sentence of a step with marks in the place of values in words."""
        text: str = step["text"].replace("␂", "␂␃")
        for value in _spoken_of(step) if FRACTION.search(text) else ():
            words = self._say(value)
            # Without a fraction they are holes, or the same each time.
            if FRACTION.search(words) and words in text:
                text = text.replace(words, f"␂{self.number_of(value)}␃")
        return text

    def tables(self) -> dict[str, list]:
        metas = [{k: dict(v) if k == "bands" else v for k, v in meta} for meta in self._metas]
        return {"metas": metas, "values": [*self._values]}


def _hashable(part: Any) -> Any:
    """A part of a value, as a part of a key."""
    if type(part) is dict:
        return tuple(part.items())
    return tuple(part) if type(part) is list else part


def _spoken_of(step: Step) -> list[Value]:
    """The values that the sentence of a step may contain."""
    grad = step.get("grad")
    values: list[Value | None] = []
    if "grads_in" in step:
        values = [*step["grads_in"], *step.get("grads_out", ())]
    elif grad:
        values = [grad["before"], grad["added"], grad["after"], *[c["value"] for c in grad["contributions"]]]
    return [value for value in values if value is not None]


# Unpacking -----------------------------------------------------------------------------------------------------------------------------


def unpack(packed: dict[str, Any]) -> TraceDocument:
    """The document that was packed."""
    tables = ("packed", "templates", "variants", "values", "metas")
    document = {key: part for key, part in packed.items() if key not in tables}
    values = [_value(packed["metas"][meta], *rest) for meta, *rest in packed["values"]]
    templates = [template.split(HOLE) for template in packed["templates"]]
    last = [[0] * (len(template) - 1) for template in templates]
    for name in LISTS:
        texts = []
        for variant in packed[name]:
            which, *added = packed["variants"][variant]
            last[which] = [a + b for a, b in zip(last[which], added, strict=True)]
            texts.append(_filled(templates[which], last[which]))
        document[name] = json.loads(f"[{','.join(texts)}]", object_hook=lambda part: _resolved(part, values))
    for step in document["steps"]:
        if "␂" in step["text"]:
            step["text"] = SPOKEN.sub(lambda m: brief(values[int(m[1])]) if m[1] else "␂", step["text"])
    return cast(TraceDocument, document)


def _value(meta: dict[str, Any], elements: str | list[str] | None, *norm: float | None) -> Any:
    if isinstance(elements, str):
        elements = elements.split(" ") if elements else []
    return meta | {"elements": elements} | ({"norm": norm[0]} if norm else {})


def _filled(template: list[str], numbers: list[int]) -> str:
    """A template, split at its holes, with numbers in them."""
    return "".join([text + str(n) for text, n in zip(template, [*numbers, ""], strict=True)])


def _resolved(part: dict[str, Any], values: list[Any]) -> Any:
    """The value that an object stands for, or the object itself."""
    (number,) = part.values() if [*part] == ["v"] else (None,)
    return values[number] if type(number) is int else part
