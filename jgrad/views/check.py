"""Is this a trace document, and a sound one? Views refuse anything else with a sentence."""

from __future__ import annotations

from math import isfinite
from typing import Any

SCHEMA = "jgrad-trace/1"
KINDS = ("create", "op", "view", "write", "backward", "node", "accumulate", "grad", "error")


class DocumentError(ValueError):
    """Something that was given to a view as a trace document, and is not one."""


def check(document: Any) -> None:
    """Refuse what is not a sound trace document of a schema that is known."""
    if not isinstance(document, dict):
        raise DocumentError(
            f"this is not a trace document but {_a(document)}: use trace.document or jgrad.trace.load(file)"
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


def _a(thing: Any) -> str:
    name = type(thing).__name__
    return ("an " if name[:1].lower() in "aeiou" else "a ") + name


# What each record holds: "int", "str", "bool", "number", "ints" (a list of them), a reference ("tensor", "node", "storage"), "dict"; with "?"
# it may be null, with "-" in front it may be left out.
RECORDS = {
    "storages": {
        "id": "int", "nbytes": "int", "itemsize": "int", "dtype": "str", "device": "str", "numel": "int", "born": "int", "freed": "int?", "cells": "dict",
    },
    "tensors": {
        "id": "int", "storage": "storage", "shape": "ints", "stride": "ints", "offset": "int", "dtype": "str", "device": "str", "counter": "int",
        "version": "int", "base": "tensor?", "born": "int", "died": "int?", "names": "list", "is_leaf": "bool", "requires_grad": "bool",
        "retains_grad": "bool", "node": "node?", "output_nr": "int", "how": "str",
    },
    "nodes": {
        "id": "int", "name": "str", "formulas": "dict", "next": "list", "saved": "list", "born": "int", "freed": "int?",
        "variable": "tensor?", "line": "line?", "-hooks": "list",
    },
    "steps": {
        "kind": "str", "op": "str", "text": "str", "line": "line?", "span": "ints?", "-reads": "tensors", "-makes": "tensors",
        "-roots": "tensors", "-writes": "list", "-changes": "list", "-node": "node?", "-backward": "int?", "-grads_in": "list",
        "-grads_out": "list", "-grad": "dict?", "-frees": "nodes", "-index": "dict?", "-error": "dict?",
    },
    "notes": {"step": "int", "severity": "str", "text": "str", "tensors": "tensors", "lines": "lines"},
}  # fmt: skip
WRITE = {
    "tensor": "tensor",
    "storage": "storage",
    "counter": "int",
    "versions": "ints",
    "elements": "int",
    "changed": "ints?",
    "cells": "dict",
}
CHANGE = {
    "tensor": "tensor", "-requires_grad": "bool", "-is_leaf": "bool", "-node": "node?", "-retains_grad": "bool", "-shape": "ints",
    "-stride": "ints", "-offset": "int", "-storage": "storage", "-dtype": "str",
}  # fmt: skip
GRAD = {
    "tensor": "tensor",
    "action": "str",
    "before": "dict?",
    "add": "dict?",
    "after": "dict?",
    "parts": "list",
}
INDEX = {
    "op": "str", "dim": "int?", "reduce": "str?", "gathers": "bool", "clash": "bool", "-lost": "bool", "rule": "str", "words": "str",
    "facts": "str", "sign": "str", "factor": "str", "by": "ints?", "index": "list", "source": "dict?", "value": "str?", "before": "dict?",
    "out": "dict", "moves": "list", "hits": "ints", "used": "ints", "results": "strs", "total": "int", "-backward": "str", "-of": "int",
}  # fmt: skip
VALUE = {
    "shape": "ints", "dtype": "str", "text": "strs?", "-min": "number?", "-max": "number?", "-mean": "number?", "-norm": "number?",
    "-nan": "int", "-inf": "int",
}  # fmt: skip
GRID = {"tensor": "tensor?", "name": "str", "-title": "str", "shape": "ints", "-at": "list", "text": "strs"}
WIDEST = 16  # bytes of an element: complex128


def _references(d: dict[str, Any]) -> None:
    """Everything is of its kind, and every number that points into a list points at something."""
    _require(
        isinstance(d["name"], str) and all(isinstance(line, str) for line in d["source"]),
        "its name and source must be text",
    )
    if d["truncated"] is not None:
        _fields(d, d["truncated"], {"kept": "int", "seen": "int"}, "truncated")
    for key, fields in RECORDS.items():
        for i, thing in enumerate(d[key]):
            _fields(d, thing, fields, f"{key}[{i}]")
            _require(
                fields.get("id") is None or thing["id"] == i, f"{key}[{i}] has the id {thing.get('id')!r}"
            )
    for i, s in enumerate(d["storages"]):
        _cells(s["cells"], s["numel"], f"storages[{i}]")
        _require(0 < s["itemsize"] <= WIDEST, f"storages[{i}] has elements of an impossible size")
    for i, t in enumerate(d["tensors"]):
        what = f"tensors[{i}]"
        _geometry(t, what)
        _require(
            all(isinstance(name, str) and isinstance(since, int) for since, name in t["names"]),
            f"{what} has impossible names",
        )
    for i, n in enumerate(d["nodes"]):
        for m, nr in n["next"]:
            _kind(d, m, "node?", f"nodes[{i}]")
            _kind(d, nr, "int", f"nodes[{i}]")
        for s in n["saved"]:
            _fields(d, s, {"name": "str", "tensor": "tensor?", "version": "int"}, f"nodes[{i}]")
        _require(
            all(isinstance(f, str) for f in n["formulas"].values()),
            f"nodes[{i}] has a formula that is no text",
        )
        for hook in n.get("hooks", []):
            _require(
                isinstance(hook[0], int) and isinstance(hook[1], str), f"nodes[{i}] has an impossible hook"
            )
    for i, s in enumerate(d["steps"]):
        _step(d, s, f"steps[{i}]")
    for i, note in enumerate(d["notes"]):
        _require(note["severity"] in ("info", "warning", "error"), f"notes[{i}] has an unknown severity")


def _step(d: dict[str, Any], s: dict[str, Any], what: str) -> None:
    _require(s["kind"] in KINDS, f"{what} is of the unknown kind {s['kind'][:40]!r}")
    span = s["span"]
    _require(
        span is None or (len(span) == 4 and 1 <= span[0] <= span[2] <= len(d["source"])),
        f"{what} has an impossible span",
    )
    for w in s.get("writes", []):
        _fields(d, w, WRITE, what)
        _cells(w["cells"], d["storages"][w["storage"]]["numel"], what)
        _require(len(w["versions"]) == 2, f"{what} writes without two versions")
        _require(
            all(0 <= e < w["cells"]["numel"] for e in w["changed"] or ()),
            f"{what} changes elements that are not there",
        )
    for c in s.get("changes", []):
        _fields(d, c, CHANGE, what)
        _geometry(d["tensors"][c["tensor"]] | c, what)
    grad = s.get("grad")
    if grad:
        _fields(d, grad, GRAD, what)
        for part in grad["parts"]:
            _fields(d, part, {"node": "node", "edge": "int", "value": "dict"}, what)
        for value in [grad["before"], grad["add"], grad["after"], *[p["value"] for p in grad["parts"]]]:
            _value(d, value, what)
    for value in [*s.get("grads_in", []), *s.get("grads_out", [])]:
        _value(d, value, what)
    kind = s["kind"]
    if kind == "node":
        _require(s.get("node") is not None, f"{what} runs no node")
        _require(len(s["grads_out"]) <= len(d["nodes"][s["node"]]["next"]), f"{what} sends gradients nowhere")
        _kind(d, s["grads_in"], "list", what)
    elif kind == "backward":
        _kind(d, s["backward"], "int", what)
        _require(len(s["grads_in"]) >= len(s["roots"]), f"{what} starts without gradients")
    _require(kind not in ("accumulate", "grad") or bool(grad), f"{what} has no gradient")
    _require(kind != "error" or bool(s["error"]), f"{what} has no error")
    if s.get("error"):
        _fields(d, s["error"], {"type": "str", "message": "str"}, what)
    if s.get("index"):
        _index(d, s["index"], what)


def _geometry(t: dict[str, Any], what: str) -> None:
    _require(len(t["shape"]) == len(t["stride"]), f"{what} has a shape and strides of different length")
    _require(min([*t["shape"], *t["stride"], t["offset"]]) >= 0, f"{what} has an impossible geometry")


def _index(d: dict[str, Any], m: dict[str, Any], what: str) -> None:
    """A sound index map: grids with all their cells, and moves between cells that are there."""
    _fields(d, m, INDEX, what)
    _require(bool(m["index"]) and all(m["index"]), f"{what} has an index map without an index")
    for grid in [*m["index"], m["source"], m["before"], m["out"]]:
        if grid is not None:
            _fields(d, grid, GRID, what)
            at = grid.get("at") or [range(n) for n in grid["shape"]]
            fits = len(at) == len(grid["shape"]) and all(
                0 <= i < n for k, n in zip(at, grid["shape"], strict=True) for i in (k[0], k[-1]) if k
            )
            _require(
                fits and len(grid["text"]) == _size([len(k) for k in at]),
                f"{what} has a grid with missing cells",
            )
    shape = m["source"]["shape"] if m["gathers"] and m["source"] is not None else m["out"]["shape"]
    _require(all(0 <= k < len(shape) for k in m["by"] or ()), f"{what} indexes dimensions that are not there")
    _require(
        m["source"] is not None or (not m["gathers"] and m["value"] is not None), f"{what} moves nothing"
    )
    _require(m["by"] is None or len(m["by"]) <= len(m["index"]), f"{what} lacks an index")
    _require(len(m["results"]) == len(m["moves"]), f"{what} has moves without a result")
    _require(len(m["hits"]) == len(m["out"]["text"]), f"{what} has cells without a count")
    _require(
        m["source"] is None or len(m["used"]) == len(m["source"]["text"]), f"{what} has cells without a count"
    )
    for move in m["moves"]:
        _kind(d, move, "ints", what)
        _require(len(move) == 3, f"{what} has a move to nowhere")
    if "of" in m:
        _require(0 <= m["of"] < len(d["steps"]), f"{what} is the backward of no step")


def _fields(d: dict[str, Any], record: dict[str, Any], fields: dict[str, str], what: str) -> None:
    for key, kind in fields.items():
        if key[0] != "-":
            _kind(d, record[key], kind, what)
        elif key[1:] in record:
            _kind(d, record[key[1:]], kind, what)


def _kind(d: dict[str, Any], thing: Any, kind: str, what: str) -> None:
    """Refuse a part of a record that is not of its kind. (Messages are made only when needed: this runs over every part of a document.)"""
    if kind[-1] == "?":
        if thing is None:
            return
        kind = kind[:-1]
    plain = PLAIN.get(kind)
    if plain is not None:
        if type(thing) is not plain:
            _refuse(f"{what} has {thing!r:.40} in the place of {plain.__name__}")
    elif kind == "ints":
        if type(thing) is not list or not all([type(n) is int for n in thing]):
            _refuse(f"{what} has {thing!r:.40} in the place of integers")
    elif kind == "strs":
        if type(thing) is not list or not all([type(n) is str for n in thing]):
            _refuse(f"{what} has {thing!r:.40} in the place of texts")
    elif kind == "number":
        if type(thing) not in (int, float) or not isfinite(thing):
            _refuse(f"{what} has {thing!r:.40} in the place of a number")
    elif kind[-1] == "s":
        _kind(d, thing, "list", what)
        for n in thing:
            _kind(d, n, kind[:-1], what)
    elif kind == "line":
        if type(thing) is not int or not 1 <= thing <= len(d["source"]):
            _refuse(f"{what} is on line {thing!r:.40} of {len(d['source'])}")
    elif type(thing) is not int or not 0 <= thing < len(d[kind + "s"]):
        _refuse(f"{what} points at something that is not there")


PLAIN: dict[str, type] = {"int": int, "str": str, "bool": bool, "dict": dict, "list": list}


def _cells(cells: dict[str, Any], numel: int, what: str) -> None:
    head, tail, text = cells["head"], cells["tail"], cells["text"]
    complete = (
        type(text) is list and head >= 0 <= tail and len(text) == head + tail <= cells["numel"] == numel
    )
    if not complete or not all([type(t) is str for t in text]):
        _refuse(f"the contents of {what} are incomplete")


def _value(d: dict[str, Any], value: dict[str, Any] | None, what: str) -> None:
    if value is not None:
        _fields(d, value, VALUE, what)
        if value["text"] is not None and len(value["text"]) != _size(value["shape"]):
            _refuse(f"{what} has a value with missing elements")


def _size(shape: list[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def _require(condition: bool, message: str) -> None:
    if not condition:
        _refuse(message)


def _refuse(message: str) -> None:
    raise DocumentError(f"the trace document is damaged: {message}")
