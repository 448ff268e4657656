"""Where two trace documents, one of jgrad and one of PyTorch, say something different."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

NUMBER = re.compile(r"-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+)")
# When something dies depends on who holds it, and on when a name is looked at:
LIFETIMES = re.compile(r"(\.freed_step|\.names|\.frees|\.met_step)\b")
# PyTorch shows of the node of a write to a view only that it is one:
HIDDEN = re.compile(r"\.nodes\[\d+\]\.(formulas|saved)\b")
FIRST = ("steps", "nodes", "tensors", "storages")


def first_difference(ours: Any, theirs: Any) -> str:
    """In a few words, where the documents part; empty if they don't. Steps go first, lifetimes come last."""
    for a, b in zip(ours["steps"], theirs["steps"], strict=False):
        if _kind(ours, a) != _kind(theirs, b):
            return f"{_kind(ours, a)} / {_kind(theirs, b)}"
    if len(ours["steps"]) != len(theirs["steps"]):
        more, of = (ours, "") if len(ours["steps"]) > len(theirs["steps"]) else (theirs, "/ ")
        return f"more: {of}{_kind(more, more['steps'][min(len(ours['steps']), len(theirs['steps']))])}"
    lifetimes = ""
    for key in (*FIRST, *[key for key in ours if key not in (*FIRST, "library")]):
        for path in _differences(ours.get(key), theirs.get(key), f".{key}"):
            where = re.sub(r"\[\d+\]", "[]", path)
            if HIDDEN.search(path) and _is_copy_slices(ours, path):
                continue
            if not LIFETIMES.search(path):
                return where
            lifetimes = "lifetimes"
    return lifetimes


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
