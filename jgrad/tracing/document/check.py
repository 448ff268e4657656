"""Is this a trace document, and a sound one? A document that was loaded or given to a view is checked before anything reads it.

Which fields a document has, and of which types, comes from `schema.py`. What types can't express is in `RULES`, at the end.

A check takes a value and its document, and returns what is wrong with the value, or nothing. What is wrong begins with the place:
`.reads[0] is 'x', not an integer`; each check in which another one is nested adds its own part of the place in front. A type has one check,
for all documents; references are compared with the lengths of the document's lists.
"""

from __future__ import annotations

import base64
import types
from collections.abc import Callable, Sequence
from functools import cache
from math import isfinite, prod
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from jgrad.tracing.document import schema
from jgrad.tracing.document.schema import (
    SCHEMA,
    Refers,
    TraceDocument,
)

Check = Callable[[Any, TraceDocument], str]
MOST_BANDS = 1000  # so that a scene stays small
LARGEST = 16  # bytes of an element: complex128
NOUNS: dict[type, str] = {
    int: "an integer",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class DocumentError(ValueError):
    """Something that was given to a view as a trace document, and is not one."""


def check(document: Any) -> None:
    """Refuse what is not a sound trace document of the schema that this jgrad reads."""
    if not isinstance(document, dict):
        raise DocumentError(
            f"this is not a trace document but {_a(document)}: use trace.document or jgrad.trace.load(file)"
        )
    found = document.get("schema")
    if found != SCHEMA:
        what = "no schema" if found is None else f"the schema {str(found)[:40]!r}"
        raise DocumentError(f"this document has {what}; this version of jgrad reads {SCHEMA!r}")
    for field in misshapen(document):
        is_list = get_origin(fields_of(TraceDocument)[field][0]) is list
        raise DocumentError(
            f"the trace document is damaged: {field!r} is missing or not {NOUNS[list if is_list else str]}"
        )
    wrong = _check(TraceDocument)(document, cast(TraceDocument, document))
    if wrong:
        raise DocumentError(f"the trace document is damaged: {wrong.lstrip('.')[:200]}")


def check_shape(document: Any, what: str = "this") -> TraceDocument:
    """Refuse what is not a trace document of the schema that this jgrad reads, without a look at what its lists hold."""
    found = document.get("schema") if isinstance(document, dict) else None
    if found is None:
        raise ValueError(f'{what} is not a trace document: it has no "schema"')
    if found != SCHEMA:
        raise ValueError(f"{what} is a trace document of schema {found!r}; this jgrad reads {SCHEMA!r}")
    wrong = misshapen(document)
    if wrong:
        are = "is" if len(wrong) == 1 else "are"
        raise ValueError(f"{what} is a broken trace document: {', '.join(wrong)} {are} missing or wrong")
    return document


def misshapen(document: dict[str, Any]) -> list[str]:
    """The texts and lists of a document that it lacks, or that are something else."""
    required = [
        (field, kind)
        for field, (kind, needed) in fields_of(TraceDocument).items()
        if needed or field in document
    ]
    kinds = {field: get_origin(kind) or kind for field, kind in required}
    return [f for f, kind in kinds.items() if kind in (str, list) and not isinstance(document.get(f), kind)]


def _a(thing: Any) -> str:
    name = type(thing).__name__
    return ("an " if name[:1].lower() in "aeiou" else "a ") + name


# Checks made from types ------------------------------------------------------------------------------------------------------------


@cache
def fields_of(record: type) -> dict[str, tuple[Any, bool]]:
    """The fields of a record of the schema: (type, whether it is required)."""
    found = {}
    for name, kind in get_type_hints(record, vars(schema), include_extras=True).items():
        optional = get_origin(kind) is NotRequired
        found[name] = (get_args(kind)[0] if optional else kind, not optional)
    return found


@cache
def _check(kind: Any) -> Check:
    """The check of values of a type."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _reference(parts[1]) if isinstance(parts[1], Refers) else _check(parts[0])
    if origin in (Union, types.UnionType):
        inner = _check(parts[0])
        return lambda value, document: "" if value is None else inner(value, document)
    if origin is Literal:
        return lambda value, _: (
            "" if type(value) is str and value in parts else f" is of the unknown kind {value!r:.40}"
        )
    if origin is list:
        return _list(parts[0])
    if origin is tuple:
        return _tuple([*map(_check, parts)])
    if origin is dict:
        return _dict(_check(parts[1]))
    if is_typeddict(kind):
        return _record(kind)
    if kind is float:
        return _number
    return lambda value, _: "" if type(value) is kind else f" is {value!r:.40}, not {NOUNS[kind]}"


def _number(value: Any, _: TraceDocument) -> str:
    return "" if type(value) in (int, float) and isfinite(value) else f" is {value!r:.40}, not a number"


def _reference(refers: Refers) -> Check:
    to, first = refers

    def reference(value: Any, document: TraceDocument) -> str:
        count = len(document.get(to, ()))  # type: ignore[arg-type]
        if type(value) is int and first <= value < first + count:
            return ""
        if to == "source":
            return f" is on line {value!r:.40} of {count}"
        return " refers to an entry that does not exist"

    return reference


def _list(kind: Any) -> Check:
    inner = _check(kind)
    numbered = is_typeddict(kind) and "id" in fields_of(kind)

    def entries(value: Any, document: TraceDocument) -> str:
        if type(value) is not list:
            return f" is {value!r:.40}, not a list"
        for i, one in enumerate(value):
            wrong = inner(one, document)
            if not wrong and numbered and one["id"] != i:
                wrong = f" has the id {one['id']}"
            if wrong:
                return f"[{i}]{wrong}"
        return ""

    if kind not in (int, str):
        return entries
    return lambda value, document: (
        "" if type(value) is list and all([type(v) is kind for v in value]) else entries(value, document)
    )


def _tuple(inner: list[Check]) -> Check:
    def entries(value: Any, document: TraceDocument) -> str:
        if type(value) is not list or len(value) != len(inner):
            return f" is {value!r:.40}, not a list of {len(inner)}"
        for i, (one, check) in enumerate(zip(value, inner, strict=True)):
            wrong = check(one, document)
            if wrong:
                return f"[{i}]{wrong}"
        return ""

    return entries


def _dict(inner: Check) -> Check:
    def entries(value: Any, document: TraceDocument) -> str:
        if type(value) is not dict:
            return f" is {value!r:.40}, not an object"
        for key, one in value.items():
            wrong = inner(one, document)
            if wrong or type(key) is not str:
                return f"[{key!r:.40}]{wrong}"
        return ""

    return entries


def _record(record: type) -> Check:
    """The check of a record: of each field, and then of the rule for it, if there is one."""
    fields = [(name, _check(kind), required) for name, (kind, required) in fields_of(record).items()]
    rule = RULES.get(record)

    def whole(value: Any, document: TraceDocument) -> str:
        if not isinstance(value, dict):
            return f" is {value!r:.40}, not an object"
        for name, check, required in fields:
            if name in value:
                wrong = check(value[name], document)
                if wrong:
                    return f".{name}{wrong}"
            elif required:
                return f".{name} is missing"
        return "" if rule is None else rule(value, document)

    return whole


# What types can't express ----------------------------------------------------------------------------------------------------------


def _first(*rules: tuple[bool, str]) -> str:
    """The first of some rules that is broken: (whether it holds, what is wrong otherwise)."""
    return next((wrong for holds, wrong in rules if not holds), "")


def _contents(contents: schema.Contents, document: TraceDocument) -> str:
    head, tail, kept = contents["head"], contents["tail"], len(contents["elements"])
    complete = head >= 0 <= tail and kept == head + tail <= contents["numel"]
    bands = contents.get("bands")
    if bands is not None and not _complete_bands(bands, contents["numel"]):
        return ".bands is incomplete"
    return "" if complete else " is incomplete"


def _complete_bands(bands: schema.Bands, numel: int) -> bool:
    """Whether there is a mean of each band."""
    if bands["size"] < 1 or bands["step"] < 1:
        return False
    count = -(-numel // bands["size"])
    return count <= MOST_BANDS and _holds(bands["means"], count)


def _value(value: schema.Value, document: TraceDocument) -> str:
    elements = value["elements"]
    return "" if elements is None or len(elements) == prod(value["shape"]) else " lacks elements"


def _storage(storage: schema.TraceStorage, document: TraceDocument) -> str:
    return _first(
        (storage["contents"]["numel"] == storage["numel"], ".contents is incomplete"),
        (0 < storage["itemsize"] <= LARGEST, ".itemsize is impossible"),
    )


def _geometry(tensor: schema.TraceTensor, document: TraceDocument) -> str:
    shape, stride = tensor["shape"], tensor["stride"]
    # Only NumPy arrays have negative strides.
    low = sum(min(s * (n - 1), 0) for n, s in zip(shape, stride, strict=False) if n)
    return _first(
        (len(shape) == len(stride), " has a shape and strides of different length"),
        (min([*shape, tensor["storage_offset"] + low]) >= 0, " has an impossible geometry"),
    )


def _write(write: schema.Write, document: TraceDocument) -> str:
    numel = document["storages"][write["storage"]]["numel"]
    return _first(
        (write["contents"]["numel"] == numel, ".contents is incomplete"),
        (
            all(0 <= e < numel for e in write["changed_elements"] or ()),
            " changes elements that do not exist",
        ),
    )


def _change(change: schema.Change, document: TraceDocument) -> str:
    changed: Any = {**document["tensors"][change["tensor"]], **change}
    return _geometry(changed, document)


NEEDED = {  # fields that steps of a kind have
    "node": ("node", "grads_in", "grads_out"),
    "backward": ("backward_call", "grads_in", "roots"),
    "accumulate": ("grad",),
    "grad": ("grad",),
    "error": ("error",),
    "gap": ("gap",),
}


def _call(call: schema.Call, document: TraceDocument) -> str:
    span = call["span"]
    if call["source"] is None:
        lines, first = document["source"], 1
    else:
        source = document["sources"][call["source"]]
        lines, first = source["lines"], source["first"]
    inside = span is None or first <= span[0] <= span[2] < first + len(lines)
    return "" if inside else ".span is not in the source"


def _document(document: TraceDocument, _: TraceDocument) -> str:
    for i, call in enumerate(document.get("calls", ())):
        if call["caller"] is not None and call["caller"] >= i:  # else a chain could be endless
            return f".calls[{i}] comes before its caller"
    for i, (_layer, caller) in enumerate(document.get("layer_calls", ())):
        if caller is not None and caller >= i:
            return f".layer_calls[{i}] comes before its caller"
    return ""


def _step(step: schema.Step, document: TraceDocument) -> str:
    kind, span = step["kind"], step["span"]
    for field in NEEDED.get(kind, ()):
        if step.get(field) is None:
            return f".{field} is missing, which a step of kind {kind!r} has"
    if kind == "node" and len(step["grads_out"]) > len(_edges_of(step, document)):
        return " sends gradients nowhere"
    if kind == "backward" and len(step["grads_in"]) < len(step["roots"]):
        return " starts without gradients"
    inside = span is None or 1 <= span[0] <= span[2] <= len(document["source"])
    return "" if inside else ".span is not in the source"


def _edges_of(step: schema.Step, document: TraceDocument) -> list:
    node = step.get("node")
    return [] if node is None else document["nodes"][node]["next_functions"]


def _grid(grid: schema.Grid, document: TraceDocument) -> str:
    shape = grid["shape"]
    kept: Sequence[Sequence[int]] = grid.get("kept") or [range(n) for n in shape]
    fits = len(kept) == len(shape) and all(
        0 <= i < n for k, n in zip(kept, shape, strict=True) for i in (*k[:1], *k[-1:])
    )
    return "" if fits and len(grid["elements"]) == prod(map(len, kept)) else " lacks cells"


def _index_map(made: schema.IndexMap, document: TraceDocument) -> str:
    source, target, dims = made["source"], made["target"], made["indexed_dims"]
    shape = source["shape"] if made["gathers"] and source is not None else target["shape"]
    return _first(
        (bool(made["indices"]), " has no index"),
        (all(0 <= d < len(shape) for d in dims or ()), " indexes dimensions that do not exist"),
        (dims is None or len(dims) <= len(made["indices"]), " lacks an index"),
        (source is not None or (not made["gathers"] and made["value"] is not None), " moves nothing"),
        (len(made["results"]) == len(made["moves"]), " has moves without a result"),
        (len(made["target_counts"]) == len(target["elements"]), " has cells without a count"),
        (
            source is None or len(made["source_counts"]) == len(source["elements"]),
            " has cells without a count",
        ),
        (all(len(move) == 3 for move in made["moves"]), " has a move to nowhere"),
        (0 <= made.get("forward_step", 0) < len(document["steps"]), " is the backward of no step"),
    )


def _rounds(rounds: schema.Rounds, document: TraceDocument) -> str:
    total, steps = rounds["total"], len(document["steps"])
    if total < 1 or rounds["bin"] < 1:
        return " has no rounds"
    parts = 1 if rounds["bin"] == 1 else 3
    figures = parts * -(-total // rounds["bin"])
    texts = [losses["figures"] for losses in rounds["losses"]]
    texts += [text for p in rounds["parameters"] for text in (p["gradient"], p["update"], p["value"])]
    runs = [run for p in rounds["parameters"] for run in (*p["gradient_not_finite"], *p["value_not_finite"])]
    numbers = [number for number, _, _ in rounds["kept"]]
    ends = [step for _, begin, end in rounds["kept"] for step in (begin, end)]
    return _first(
        (all(_holds(text, figures) for text in texts), f" lacks figures: of {figures} none may be missing"),
        (numbers == sorted({*numbers}) and all(1 <= n <= total for n in numbers), ".kept is not in order"),
        (ends == sorted(ends) and all(0 <= end <= steps for end in ends), ".kept refers to other steps"),
        (
            all(0 <= w["parameter"] < len(rounds["parameters"]) for w in rounds.get("weights", [])),
            " has weights of no parameter",
        ),
        (all(1 <= first <= last <= total for first, last, _, _ in runs), " has rounds that do not exist"),
        (
            all(1 <= one["round"] <= total for one in (*rounds["remarkable"], *rounds.get("rates", []))),
            " has rounds that do not exist",
        ),
    )


def _holds(text: str, figures: int) -> bool:
    """Whether a text has so many figures of two bytes."""
    try:
        return len(base64.b64decode(text, validate=True)) == 2 * figures
    except ValueError:
        return False


def _gap(gap: schema.Gap, document: TraceDocument) -> str:
    within = gap["rounds"]
    return "" if within is None or 1 <= within[0] <= within[1] else ".rounds are no rounds"


RULES: dict[type, Callable[[Any, TraceDocument], str]] = {
    schema.TraceDocument: _document,
    schema.Contents: _contents,
    schema.Value: _value,
    schema.TraceStorage: _storage,
    schema.TraceTensor: _geometry,
    schema.Write: _write,
    schema.Change: _change,
    schema.Call: _call,
    schema.Step: _step,
    schema.Grid: _grid,
    schema.IndexMap: _index_map,
    schema.Rounds: _rounds,
    schema.Gap: _gap,
}
