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

Of the steps of a recording `jgrad/trace/document/forms.py` says which are alike. Other rows are looked at field by field, which takes less than one by
one: all rows that are alike so far are one list of what they have in that field, and where they differ in more than a number the list is split.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

import numpy as np

from jgrad.trace.document.forms import DESCRIBED, said_of
from jgrad.trace.document.schema import TraceDocument
from jgrad.trace.document.sentences import Brief, Said, brief

LISTS = ("storages", "tensors", "nodes", "steps")
VALUES = {"contents", "before", "added", "after", "value", "grads_in", "grads_out"}  # fields that hold values
WHOLE = {"index_map"}  # fields that are rarely alike
PLACE = {"line", "span"}  # fields in which all rows of a form are the same
FORMAT = re.compile("(%[ds%])")
TOLD = ("elements", "norm")  # what is told of each value by itself
HOLE = "\x01"  # can't occur in JSON
VALUE = f'{{"v":{HOLE}}}'
FORMATS = {"%d": HOLE, "%s": f"␂{HOLE}␃", "%%": "%"}  # of what stands in a form
FEW = 16  # different words in a field by which rows are told apart
DIGITS = 15  # of a number that has a hole
LARGE = 10**DIGITS
AT_ONCE = 4096  # rows: what is made of them on the way fits into the processor's cache
WORD = np.array([chr(c).isalnum() or chr(c) in "_." for c in range(128)] + [False] * 128)
SAID = re.compile("␂(\\d*)␃")
FRACTION = re.compile(r"\d\.")
DIGIT = re.compile(r"\d")
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
Row = dict[str, Any]
# Things that are alike: which of those that were asked about (None: all), their JSON with holes, and for each hole their numbers.
Alike = tuple[Sequence[int] | None, str, list[Any]]


class Packer:
    """Packs the lists of a document, each at once and in the order of `LISTS`. `say` is how their sentences speak of values."""

    def __init__(self, say: Callable[[Row], str]) -> None:
        self._rows: dict[str, list[int]] = {key: [] for key in LISTS}
        self._say = say
        self._templates: dict[
            tuple[str, str, Any], int
        ] = {}  # by list and text, and form if it is that of one
        self._last: list[Any] = []  # of each the numbers of its last row, as a column
        self._variants: dict[tuple, int] = {}
        self._values: dict[tuple, int] = {}
        self._metas: dict[tuple, int] = {}  # the rest of values, as keys and what they say
        self._numbers: dict[int, int] = {}  # of values, by their identity
        self._same: list[Row] = []  # which stay alive meanwhile
        self._sizes: list[int] = []  # by number

    def add(self, name: str, rows: list[Row], said: Iterable[Said] | None = None) -> Any:
        """Pack the rows of a list; about how many bytes each adds, as an array. `said`: of a recording, the sentences of these rows as forms."""
        sizes, old = np.full(len(rows), 5), len(self._sizes)
        self._found = np.empty(len(rows), np.int64)
        self._valued: list[tuple[Any, Any]] = []  # places of rows that have values, and these
        rest = np.arange(len(rows)) if said is None else self._add_forms(name, rows, said, sizes)
        for i in range(0, len(rest), AT_ONCE):
            some = rest[i : i + AT_ONCE]
            for which, text, columns in self._column([rows[k] for k in some], name):
                places = some if which is None else some[np.array(which)]
                numbers = np.array(columns, np.int64).reshape(len(columns), len(places))
                self._place((name, text, None), places, numbers, sizes)
        self._rows[name] += self._found.tolist()
        if len(self._sizes) > old:
            first = np.full(len(self._sizes), len(rows))
            for places, which in self._valued:
                np.minimum.at(first, which, places)
            np.add.at(sizes, first[old:], self._sizes[old:])
        return sizes

    def _place(self, key: tuple[str, str, Any], places: Any, numbers: Any, sizes: Any) -> None:
        """Note that the rows at some places are of a template and have these numbers in its holes, a column for each row."""
        template, text = self._templates.get(key), key[1]
        if template is None:
            template = self._templates[key] = len(self._templates)
            self._last.append(np.zeros((len(numbers), 1), np.int64))
            sizes[places[0]] += len(text) + text.count('"') + 6 * len(numbers) + 9
        added = np.diff(numbers, prepend=self._last[template])
        self._last[template] = numbers[:, -1:]
        starts = [0, *(np.flatnonzero((added[:, 1:] != added[:, :-1]).any(0)) + 1).tolist()]
        variants = []
        for start, row in zip(starts, added.T[starts].tolist(), strict=True):
            variant = (template, *row)
            number = self._variants.get(variant)
            if number is None:
                number = self._variants[variant] = len(self._variants)
                sizes[places[start]] += 3 * len(variant)
            variants.append(number)
        self._found[places] = np.repeat(variants, np.diff([*starts, len(places)]))
        if VALUE[:5] in text:
            before = text.split(HOLE)
            holes = [k for k in range(len(numbers)) if before[k].endswith(VALUE[:5])]
            self._valued += [(places, numbers[k]) for k in holes]

    def _add_forms(self, name: str, rows: list[Row], said: Iterable[Said], sizes: Any) -> Any:
        """Pack the rows that `DESCRIBED` describes; the places of the others, which are looked through field by field."""
        known, rest, described = self._numbers.get, [], DESCRIBED[name]
        forms: dict[tuple, tuple[str | None, list[int], array]] = {}

        def number_of(value: Row) -> int:
            number = known(id(value))
            return self._value(value) if number is None else number

        for i, (row, sentence) in enumerate(zip(rows, said)):  # noqa: B905
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
        for key, (text, where, all_numbers) in forms.items():
            columns = np.array(all_numbers, np.int64).reshape(len(where), -1).T
            if text is None or np.abs(columns).max(initial=0) >= LARGE:
                rest += where
            else:
                self._place((name, text, key), np.array(where), np.ascontiguousarray(columns), sizes)
        return np.array(sorted(rest), np.int64)

    def _template(self, row: Row, sentence: Said, numbers: tuple) -> str | None:
        """The template of a row that was described, None if these are not its numbers."""
        form, parts = sentence
        found = [*numbers[: len(parts)]]
        said = [FORMATS.get(part) or encode(part)[1:-1].replace("␂", "␂␃") for part in FORMAT.split(form)]
        fields = []
        for key, thing in row.items():
            if key == "text":
                told = f'"{"".join(said)}"'
            else:
                told = encode(thing) if key in PLACE else self._whole(thing, key, found)
            fields.append(f"{encode(key)}:{told}")
        return f"{{{','.join(fields)}}}" if found == [*numbers] else None

    def _whole(self, thing: Any, field: str, found: list[int]) -> str:
        """JSON with holes; the numbers in them are added to `found`."""
        kind = type(thing)
        if kind is int and -LARGE < thing < LARGE:
            found.append(thing)
            return HOLE
        if kind is list:
            return f"[{','.join([self._whole(one, field, found) for one in thing])}]"
        if kind is dict and field in VALUES:
            found.append(self._value(thing))
            return VALUE
        if kind is dict and field not in WHOLE:
            return f"{{{','.join([f'{encode(k)}:{self._whole(v, k, found)}' for k, v in thing.items()])}}}"
        return encode(thing)

    def _column(self, column: Sequence[Any], field: str) -> Iterable[Alike]:
        """What is in one field of things that are alike so far."""
        kinds = {*map(type, column)}
        if len(kinds) > 1:
            return self._apart(column, field, map(type, column))
        one, kind = column[0], kinds.pop()
        if kind is int and min(column) > -LARGE and max(column) < LARGE:
            return [(None, HOLE, [np.fromiter(column, np.int64, len(column))])]
        if kind is str:
            if column.count(one) == len(column) and not DIGIT.search(one):
                return [(None, encode(one), [])]
            return _holed([*map(encode_basestring, column)])
        if kind is bool or one is None:
            if column.count(one) == len(column):
                return [(None, encode(one), [])]
            return self._apart(column, field, column)
        if kind is list:
            lengths = [*map(len, column)]
            if lengths.count(lengths[0]) < len(column):
                return self._apart(column, field, lengths)
            return self._together("[", [("", inner, field) for inner in zip(*column, strict=True)], "]")
        if kind is dict and field in VALUES:
            return [(None, VALUE, [np.array(self._values_of(column), np.int64)])]
        if kind is dict and field not in WHOLE:
            keys = [*map(tuple, column)]
            if keys.count(keys[0]) < len(keys):
                return self._apart(column, field, keys)
            return self._together("{", [*self._fields(column, field)], "}")
        return _holed([*map(encode, column)])

    def _fields(self, column: Sequence[Row], field: str) -> Iterator[tuple[str, Sequence[Any], str]]:
        for key, inner in zip(column[0], zip(*map(dict.values, column), strict=True), strict=True):
            sentences = key == "text" and field == "steps"
            yield f"{encode(key)}:", [*map(self._marked, column)] if sentences else inner, key

    def _apart(self, column: Sequence[Any], field: str, keys: Iterable[Hashable]) -> Iterator[Alike]:
        """A column by parts, each of what has the same key."""
        for which in _groups(keys):
            for inner, text, numbers in self._column(_those(column, which), field):
                yield which if inner is None else _those(which, inner), text, numbers

    def _together(
        self, opens: str, columns: list[tuple[str, Sequence[Any], str]], closes: str
    ) -> Iterator[Alike]:
        """Things that have several columns: (what stands before it, it, its field)."""
        keys = [key for _, column, field in columns if (key := _told_apart(column, field)) is not None]
        groups: Iterable[Sequence[int] | None] = _groups(zip(*keys, strict=True)) if keys else [None]
        for group in groups:
            alike: list[Alike] = [(group, opens, [])]
            comma = ""
            for before, column, field in columns:
                finer: list[Alike] = []
                for which, text, numbers in alike:
                    mine = column if which is None else _those(column, which)
                    for inner, more, found in self._column(mine, field):
                        told = f"{text}{comma}{before}{more}"
                        if inner is None:
                            finer.append((which, told, [*numbers, *found]))
                        else:
                            chosen = inner if which is None else _those(which, inner)
                            some = np.array(inner)
                            finer.append((chosen, told, [*[c[some] for c in numbers], *found]))
                alike, comma = finer, ","
            for which, text, numbers in alike:
                yield which, text + closes, numbers

    def _marked(self, step: Row) -> str:
        """The sentence of a step with marks for what it says of values."""
        text: str = step["text"].replace("␂", "␂␃")
        values = _spoken_of(step)
        if values and FRACTION.search(text):
            for value, number in zip(values, self._values_of(values), strict=True):
                said = self._say(value)
                if FRACTION.search(said) and said in text:  # others are the same each time
                    text = text.replace(said, f"␂{number}␃")
        return text

    def _values_of(self, values: Sequence[Row]) -> list[int]:
        """The numbers of values."""
        found: list = [*map(self._numbers.get, map(id, values))]
        return (
            [self._value(v) if n is None else n for v, n in zip(values, found, strict=True)]
            if None in found
            else found
        )

    def _value(self, value: Row) -> int:
        """The number of a value, a new one if none like it was met."""
        number = self._numbers.get(id(value))
        if number is None:
            texts, norm, size = value["elements"], value.get("norm", self), 0
            rest = [
                (k, v if v.__class__ is not list else tuple(v)) for k, v in value.items() if k not in TOLD
            ]
            meta = tuple(rest)
            which = self._metas.get(meta)
            if which is None:
                which = self._metas[meta] = len(self._metas)
                size = 20 * len(value)
            if texts is not None:
                joined = " ".join(texts)
                texts = tuple(texts) if joined.count(" ") >= max(len(texts), 1) else joined
            written = (which, texts) if norm is self else (which, texts, norm)
            number = self._values.get(written)
            if number is None:
                number = self._values[written] = len(self._values)
                self._sizes.append(size + 20 + len(texts or ""))
            self._numbers[id(value)] = number
            self._same.append(value)
        return number

    def text(self, document: Row) -> str:
        """The JSON text of a document all of whose lists were added."""
        rest = {k: v for k, v in document.items() if k not in LISTS}
        templates = [text for _, text, _ in self._templates]
        packed = {"templates": templates, "variants": [*self._variants], **self._rows}
        found = {"metas": [*map(dict, self._metas)], "values": [*self._values]}
        return encode(rest | {"packed": 1} | packed | found)


def _spoken_of(step: Row) -> list[Row]:
    """The values of which the sentence of a step may speak."""
    if "grads_in" in step:
        said = [*step["grads_in"], *step.get("grads_out", ())]
    elif grad := step.get("grad"):
        said = [
            grad["before"],
            grad["added"],
            grad["after"],
            *[part["value"] for part in grad["contributions"]],
        ]
    else:
        return []
    return [value for value in said if value is not None]


def _groups(keys: Iterable[Hashable]) -> Iterable[list[int]]:
    """The places at which each key stands."""
    groups: dict[Hashable, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return groups.values()


def _told_apart(column: Sequence[Any], field: str) -> Sequence[Hashable] | None:
    """What tells the things in a column apart, as far as that is quickly said; None: nothing does."""
    kinds = {*map(type, column)}
    if len(kinds) > 1:
        return [*map(type, column)]
    kind = kinds.pop()
    keys: Sequence[Hashable] = ()
    if kind is bool:
        keys = column
    elif kind is list:
        keys = [*map(len, column)]
    elif kind is str:
        different = {*column}
        return column if 1 < len(different) <= FEW and not any(map(DIGIT.search, different)) else None
    elif kind is dict and field not in VALUES and field not in WHOLE:
        keys = [*map(tuple, column)]
    return None if not keys or keys.count(keys[0]) == len(keys) else keys


def _those(column: Sequence[Any], which: Sequence[int]) -> Sequence[Any]:
    """What stands at some places."""
    return itemgetter(*which)(column) if len(which) > 1 else [column[which[0]]]


def _holed(texts: list[str]) -> Iterator[Alike]:
    """Texts of JSON that are alike but for their whole numbers."""
    forms, numbers, bounds = _holes("\n".join(["", *texts, ""]).encode("utf-8", "surrogatepass"))
    for which in _groups(forms):
        begin, end = bounds[which], bounds[which[0] + 1]
        columns = [numbers[begin + k] for k in range(end - begin[0])]
        yield which, forms[which[0]].decode("utf-8", "surrogatepass"), columns


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
    holed[begin] = ord(HOLE)
    for k in range(1, long.max(initial=0)):
        longer = np.flatnonzero(long > k)
        places = begin[longer] + k
        numbers[longer] = numbers[longer] * 10 + (text[places] - 48)
        kept[places] = False
    texts = holed[kept].tobytes().split(b"\n")[1:-1]
    return texts, numbers, np.searchsorted(begin, np.flatnonzero(text == 10))


class Document(dict[str, Any]):
    """A trace document, with what packed it if that was done, and the forms of its sentences, which go when it is packed."""

    packer: Packer | None = None
    said: list[Said] | None = None


def pack(document: TraceDocument) -> str:
    """The JSON text of a document as it is sent and stored."""
    packer, said = None, None
    if isinstance(document, Document):
        packer, said = document.packer, document.said
    if packer is None:
        packer = Packer(Brief())
        for name in LISTS:
            packer.add(name, document[name], None if said is None else said_of(name, said))
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
        document[key] = json.loads(f"[{','.join(texts)}]", object_hook=lambda found: _found(found, values))
    for step in document["steps"]:
        if "␂" in step["text"]:
            step["text"] = SAID.sub(lambda m: brief(values[int(m[1])]) if m[1] else "␂", step["text"])
    return document


def _found(row: Row, values: list[Row]) -> Row:
    """A value for what stands in its place."""
    (number,) = row.values() if [*row] == ["v"] else (None,)
    return values[number] if number.__class__ is int else row


def _filled(parts: list[str], numbers: Iterable[int]) -> Iterable[str]:
    yield parts[0]
    for number, part in zip(numbers, parts[1:], strict=True):
        yield str(number)
        yield part


def _value(written: list, metas: list) -> dict[str, Any]:
    which, texts, *norm = written
    value = metas[which] | {
        "elements": (texts.split(" ") if texts else []) if isinstance(texts, str) else texts
    }
    if norm:
        (value["norm"],) = norm
    return value
