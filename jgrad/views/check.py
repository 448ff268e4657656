"""Is this a trace document, and a sound one? Views refuse anything else with a sentence."""

from __future__ import annotations

from typing import Any

SCHEMA = "jgrad-trace/1"
KINDS = ("create", "op", "view", "write", "backward", "node", "accumulate", "grad", "error")


class DocumentError(ValueError):
    """Something that was given to a view as a trace document, and is not one."""


def check(document: Any) -> None:
    """Refuse what is not a sound trace document of a schema that is known."""
    if not isinstance(document, dict):
        raise DocumentError(
            f"this is not a trace document but {_kind(document)}: use trace.document or jgrad.trace.load(file)"
        )
    schema = document.get("schema")
    if schema != SCHEMA:
        what = "no schema" if schema is None else f"the schema {str(schema)[:40]!r}"
        raise DocumentError(f"this document has {what}; this version of jgrad reads {SCHEMA!r}")
    for key in ("source", "storages", "tensors", "nodes", "steps", "notes"):
        if not isinstance(document.get(key), list):
            raise DocumentError(f"the trace document is damaged: {key!r} is missing or not a list")
    try:
        _references(document)
    except DocumentError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as e:
        detail = f"{e} is missing" if isinstance(e, KeyError) else str(e)
        raise DocumentError(f"the trace document is damaged: {detail[:200]}") from None


def _kind(thing: Any) -> str:
    name = type(thing).__name__
    return ("an " if name[:1].lower() in "aeiou" else "a ") + name


def _references(d: dict[str, Any]) -> None:
    """Every number that points into a list points at something."""
    lines, storages, tensors, nodes = len(d["source"]), len(d["storages"]), len(d["tensors"]), len(d["nodes"])
    _require(
        isinstance(d["name"], str) and all(isinstance(line, str) for line in d["source"]),
        "its name and source must be text",
    )
    for key in ("storages", "tensors", "nodes"):
        for i, thing in enumerate(d[key]):
            _require(thing["id"] == i, f"{key}[{i}] has the id {thing['id']!r}")
            _require(isinstance(thing["born"], int), f"{key}[{i}] was never born")
    for i, s in enumerate(d["storages"]):
        _cells(s["cells"], f"storages[{i}]")
        _require(
            s["freed"] is None or isinstance(s["freed"], int), f"storages[{i}] was freed at {s['freed']!r}"
        )
    for i, t in enumerate(d["tensors"]):
        what = f"tensors[{i}]"
        _inside(t["storage"], storages, what)
        _inside(t["node"], nodes, what)
        _require(len(t["shape"]) == len(t["stride"]), f"{what} has a shape and strides of different length")
        _require(
            all(isinstance(n, int) and n >= 0 for n in [*t["shape"], *t["stride"], t["offset"]]),
            f"{what} has an impossible geometry",
        )
        _require(
            all(isinstance(name, str) and isinstance(since, int) for since, name in t["names"]),
            f"{what} has impossible names",
        )
    for i, n in enumerate(d["nodes"]):
        what = f"nodes[{i}]"
        _inside(n["variable"], tensors, what)
        for m, _ in n["next"]:
            _inside(m, nodes, what)
        for s in n["saved"]:
            _inside(s["tensor"], tensors, what)
        _require(
            isinstance(n["name"], str) and isinstance(n["formulas"], dict),
            f"{what} has no name or no formulas",
        )
    for i, s in enumerate(d["steps"]):
        what = f"steps[{i}]"
        _require(s["kind"] in KINDS, f"{what} is of the unknown kind {str(s['kind'])[:40]!r}")
        _require(isinstance(s["text"], str), f"{what} has no sentence")
        _require(
            s.get("line") is None or 1 <= s["line"] <= lines, f"{what} is on line {s.get('line')} of {lines}"
        )
        for t in [*s.get("makes", []), *s.get("reads", []), *s.get("roots", [])]:
            _inside(t, tensors, what)
        for w in s.get("writes", []):
            _inside(w["storage"], storages, what)
            _inside(w["tensor"], tensors, what)
            _cells(w["cells"], what)
            _require(len(w["versions"]) == 2, f"{what} writes without two versions")
        for c in s.get("changes", []):
            _inside(c["tensor"], tensors, what)
            _inside(c.get("node"), nodes, what)
        _inside(s.get("node"), nodes, what)
        if s.get("grad"):
            _inside(s["grad"]["tensor"], tensors, what)
            for part in s["grad"]["parts"]:
                _inside(part["node"], nodes, what)
                _value(part["value"], what)
            for side in ("before", "add", "after"):
                _value(s["grad"][side], what)
        for value in [*s.get("grads_in", []), *s.get("grads_out", [])]:
            _value(value, what)
        if s.get("index"):
            for side in ("self", "index", "src", "out"):
                grid = s["index"][side]
                if grid is not None:
                    _inside(grid["tensor"], tensors, what)
                    _require(
                        len(grid["text"]) == _size(grid["shape"]),
                        f"{what} has a grid {side!r} with missing cells",
                    )
            _require(
                len(s["index"]["index"]["data"]) == len(s["index"]["index"]["text"]),
                f"{what} has an index without numbers",
            )
    for i, note in enumerate(d["notes"]):
        _require(
            note["severity"] in ("info", "warning", "error") and isinstance(note["text"], str),
            f"notes[{i}] is not a note",
        )


def _cells(cells: dict[str, Any], what: str) -> None:
    complete = len(cells["text"]) == cells["head"] + cells["tail"] <= cells["numel"]
    _require(
        complete and all(isinstance(t, str) for t in cells["text"]), f"the contents of {what} are incomplete"
    )


def _value(value: dict[str, Any] | None, what: str) -> None:
    if value is not None and value["text"] is not None:
        _require(len(value["text"]) == _size(value["shape"]), f"{what} has a value with missing elements")


def _size(shape: list[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def _inside(number: int | None, length: int, what: str) -> None:
    _require(
        number is None or (isinstance(number, int) and 0 <= number < length),
        f"{what} points at something that is not there",
    )


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise DocumentError(f"the trace document is damaged: {message}")
