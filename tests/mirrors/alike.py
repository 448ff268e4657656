"""Where two trace documents, one of jgrad and one of PyTorch, say something different."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.uninitialized import Uninitialized

NUMBER = re.compile(r"-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+)")
# When something dies depends on who holds it, and on when a name is looked at:
LIFETIMES = re.compile(r"(\.freed_step|\.names|\.frees|\.met_step)\b")
# PyTorch shows of the node of a write to a view only that it is one:
HIDDEN = re.compile(r"\.nodes\[\d+\]\.(formulas|saved)\b")
FIRST = ("steps", "nodes", "tensors", "storages")


def first_difference(ours: Any, theirs: Any) -> str:
    """In a few words, where the documents part; empty if they don't. Steps go first, lifetimes come last."""
    ours, theirs = initialized(ours), initialized(theirs)
    for a, b in zip(kinds_of(ours), kinds_of(theirs), strict=False):
        if a != b:
            return f"{a} / {b}"
    if len(ours["steps"]) != len(theirs["steps"]):
        more, of = (ours, "") if len(ours["steps"]) > len(theirs["steps"]) else (theirs, "/ ")
        return f"more: {of}{_kind(more, more['steps'][min(len(ours['steps']), len(theirs['steps']))])}"
    paths = [*_paths(ours, theirs)]
    lasting = (path for path in paths if not LIFETIMES.search(path))
    return re.sub(r"\[\d+\]", "[]", next(lasting, "lifetimes" if paths else ""))


def numbered_differences(ours: Any, theirs: Any) -> list[str]:
    """The fields that differ, with the numbers of what they belong to, but for lifetimes."""
    ours, theirs = initialized(ours), initialized(theirs)
    return [path for path in _paths(ours, theirs) if not LIFETIMES.search(path)]


def kinds_of(document: Any) -> list[str]:
    """What each step did, in a few words."""
    return [_kind(document, step) for step in document["steps"]]


def _paths(ours: Any, theirs: Any) -> Iterator[str]:
    for key in (*FIRST, *[key for key in ours if key not in (*FIRST, "library")]):
        for path in _differences(ours.get(key), theirs.get(key), f".{key}"):
            if not (HIDDEN.search(path) and _is_copy_slices(ours, path)):
                yield path


def initialized(document: Any) -> Any:
    """A document without the elements that nobody has written: what memory happens to hold, and what was computed from it, is no difference."""
    known = Uninitialized(Log(document))
    if not known.contents and not known.values:
        return document
    storages = [dict(s) for s in document["storages"]]
    for s in storages:
        s["contents"] = _known(s["contents"], known.contents.get((s["created_step"], s["id"]), ()))
    steps = [dict(step) for step in document["steps"]]
    for i, step in enumerate(steps):
        for field in ("grad", "grads_in", "grads_out"):
            if (i, field) in known.values:
                step.pop(field, None)
                step["text"] = ""
        if step.get("writes"):
            step["writes"] = [dict(w) for w in step["writes"]]
            for w in step["writes"]:
                if w["storage"] in known.end:
                    w["contents"] = _known(w["contents"], known.contents.get((i, w["storage"]), ()))
                    w.pop("changed_elements", None)
    return {**document, "storages": storages, "steps": steps}


def _known(contents: Any, unknown: Any) -> Any:
    if not unknown:
        return contents
    elements = ["?" if k in unknown else text for k, text in enumerate(contents["elements"])]
    return {key: value for key, value in contents.items() if key != "bands"} | {"elements": elements}


def _kind(document: Any, step: Any) -> str:
    if step["kind"] == "node":
        return f"node {document['nodes'][step['node']]['name']}"
    return f"{step['kind']} {step['op']}".strip()


def _is_copy_slices(document: Any, path: str) -> bool:
    number = int(re.findall(r"\d+", path)[0])
    return document["nodes"][number]["name"] == "torch::autograd::CopySlices"


def _differences(a: Any, b: Any, path: str) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in {**a, **b}:
            if key in a and key in b:
                yield from _differences(a[key], b[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}"
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield f"{path}.len"
        for i, (x, y) in enumerate(zip(a, b, strict=False)):
            yield from _differences(x, y, f"{path}[{i}]")
    elif not _same(a, b):
        yield path


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        a, b = (re.sub(r"\bjgrad\b", "torch", text) for text in (a, b))
        if a == b:
            return True
        if NUMBER.sub("#", a) != NUMBER.sub("#", b):
            return False
        pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
        return all(math.isclose(float(x), float(y), rel_tol=1e-4, abs_tol=1e-6) for x, y in pairs)
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)
    return bool(a == b)
