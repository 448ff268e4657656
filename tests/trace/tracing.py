"""Tracing a piece of source, as `%%trace` does it, and a judge of trace documents."""

from __future__ import annotations

import json
import math
from typing import Any

import jgrad
from jgrad import dtypes
from jgrad.trace import Trace
from jgrad.trace.document.packing import pack, unpack
from jgrad.trace.document.source import Source
from jgrad.trace.record.capture import MAX_STEPS
from jgrad.trace.record.records import Scope, mentioned


def trace(
    source: str, namespace: dict[str, Any] | None = None, max_steps: int = MAX_STEPS, watch: tuple = ()
) -> Trace:
    """Run a source text under the recorder. What it raised is `t.error`; the namespace it ran in is `t.namespace`."""
    source = source.strip("\n")
    namespace = {"jgrad": jgrad, "__name__": "__main__"} | (namespace or {})
    code = compile(source, "<cell>", "exec")
    t = Trace("cell", max_steps=max_steps)
    t._source = Source(source.split("\n"))
    with t.recording(Scope("<cell>", namespace, [*watch, *mentioned(code)])) as outcome:
        exec(code, namespace)
    t.error, t.namespace = outcome.error, namespace
    assert t.failures == []
    assert valid(t.document)
    assert unpack(json.loads(pack(t.document))) == t.document
    return t


def texts(t: Trace) -> list[str]:
    return [step["text"] for step in t.document["steps"]]


def tensor_of(t: Trace, name: str) -> dict[str, Any]:
    """The tensor that had this name last."""
    return [x for x in t.document["tensors"] if any(n == name for _, n in x["names"])][-1]


KINDS = {"create", "op", "view", "write", "backward", "node", "accumulate", "grad", "error"}
OPTIONAL = {
    "reads", "makes", "writes", "changes", "node", "backward", "grads_in", "grads_out", "roots", "grad", "frees", "index", "error",
}  # fmt: skip


ITEMSIZE = {d.name: d.itemsize for d in dtypes.ALL}


def valid(document: dict[str, Any]) -> bool:
    """Whether a document is what docs/trace-document.md says; raises AssertionError where it is not."""
    assert json.loads(json.dumps(document, allow_nan=False)) == document, "not plain JSON"
    assert set(document) == {
        "schema",
        "name",
        "source",
        "storages",
        "tensors",
        "nodes",
        "steps",
        "notes",
        "truncated",
    }
    assert document["schema"] == "jgrad-trace/1"
    assert all(isinstance(line, str) and "\n" not in line for line in document["source"])
    steps = len(document["steps"])
    counts = {key: len(document[key]) for key in ("storages", "tensors", "nodes")}

    def refers(number: Any, key: str, none: bool = False) -> None:
        assert (none and number is None) or (type(number) is int and 0 <= number < counts[key]), (number, key)

    def at(number: Any) -> None:
        assert type(number) is int, number
        assert -1 <= number < max(steps, 1), number

    for key in counts:
        assert [x["id"] for x in document[key]] == list(range(counts[key]))
    for x in document["storages"]:
        assert set(x) == {"id", "nbytes", "itemsize", "dtype", "device", "numel", "born", "freed", "cells"}
        assert x["nbytes"] == x["itemsize"] * x["numel"]
        at(x["born"])
        cells(x["cells"], x["numel"])
        assert x["freed"] is None or x["born"] < x["freed"] < steps
    for x in document["tensors"]:
        assert set(x) == {
            "id", "storage", "shape", "stride", "offset", "dtype", "device", "counter", "version", "base", "born", "died", "names",
            "is_leaf", "requires_grad", "retains_grad", "node", "output_nr", "how",
        }  # fmt: skip
        refers(x["storage"], "storages")
        refers(x["base"], "tensors", True)
        refers(x["node"], "nodes", True)
        at(x["born"])
        assert x["died"] is None or x["born"] < x["died"] < steps
        assert len(x["shape"]) == len(x["stride"])
        assert x["how"] in ("create", "op", "view", "detach", "data", "copy")
        assert all(type(s) is int and -1 <= s < max(steps, 1) and isinstance(n, str) for s, n in x["names"])
        assert [s for s, _ in x["names"]] == sorted(s for s, _ in x["names"])
        assert document["storages"][x["storage"]]["born"] <= x["born"]
        places = 1 + x["offset"] + sum((n - 1) * s for n, s in zip(x["shape"], x["stride"], strict=True))
        assert (
            0 in x["shape"] or places * ITEMSIZE[x["dtype"]] <= document["storages"][x["storage"]]["nbytes"]
        )
    for x in document["nodes"]:
        assert set(x) - {"hooks"} == {
            "id",
            "name",
            "formulas",
            "next",
            "saved",
            "born",
            "freed",
            "variable",
            "line",
        }
        for number, nr in x["next"]:
            refers(number, "nodes", True)
            assert type(nr) is int
        for saved in x["saved"]:
            assert set(saved) == {"name", "tensor", "version"}
            refers(saved["tensor"], "tensors", True)
        refers(x["variable"], "tensors", True)
        assert (x["name"] == "torch::autograd::AccumulateGrad") == (x["variable"] is not None)
        at(x["born"])
        assert x["freed"] is None or x["born"] < x["freed"] < steps
        assert x["line"] is None or 1 <= x["line"] <= len(document["source"])
        for since, hook in x.get("hooks", ()):
            at(since)
            assert "hook" in hook
    calls = 0
    for i, x in enumerate(document["steps"]):
        assert x["kind"] in KINDS
        assert (
            {"kind", "line", "span", "op", "text"}
            <= set(x)
            <= {"kind", "line", "span", "op", "text"} | OPTIONAL
        ), set(x)
        assert 0 < len(x["text"]) < (2500 if x["kind"] == "error" else 600)
        assert x["line"] is None or (
            1 <= x["line"] <= len(document["source"]) and x["text"].startswith(f"line {x['line']}: ")
        )
        if x["span"] is not None:
            line, column, end_line, end_column = x["span"]
            assert 1 <= line <= end_line <= len(document["source"])
            assert 0 <= column <= len(document["source"][line - 1])
            assert 0 <= end_column <= len(document["source"][end_line - 1])
        for t in (*x.get("reads", ()), *x.get("makes", ()), *x.get("roots", ())):
            refers(t, "tensors")
        for t in x.get("makes", ()):
            assert document["tensors"][t]["born"] == i
        for w in x.get("writes", ()):
            assert set(w) == {"tensor", "storage", "counter", "versions", "elements", "changed", "cells"}
            refers(w["tensor"], "tensors")
            refers(w["storage"], "storages")
            assert w["versions"][1] - w["versions"][0] == (x["op"] not in ("batch_norm", "outside")), (x, w)
            assert w["counter"] == document["tensors"][w["tensor"]]["counter"]
            numel = document["storages"][w["storage"]]["numel"]
            cells(w["cells"], numel)
            assert w["changed"] is None or (
                w["changed"] == sorted(set(w["changed"])) and all(0 <= c < numel for c in w["changed"])
            )
        for c in x.get("changes", ()):
            refers(c["tensor"], "tensors")
            assert set(c) <= {
                "tensor",
                "requires_grad",
                "is_leaf",
                "node",
                "retains_grad",
                "shape",
                "stride",
                "offset",
                "storage",
                "dtype",
            }
            assert len(c) > 1
        if "node" in x:
            refers(x["node"], "nodes")
        if x["kind"] == "backward":
            assert x["backward"] == calls
            calls += 1
            assert len(x["roots"]) == len(x["grads_in"])
        for v in (*x.get("grads_in", ()), *x.get("grads_out", ())):
            value(v)
        if x["kind"] == "node":
            assert len(x["grads_out"]) <= len(document["nodes"][x["node"]]["next"])
        assert x["kind"] not in ("accumulate", "grad") or "grad" in x
        if "grad" in x:
            assert set(x["grad"]) == {"tensor", "action", "before", "add", "after", "parts"}
            refers(x["grad"]["tensor"], "tensors")
            assert x["grad"]["action"] in ("add", "set", "none", "zero")
            for v in (x["grad"]["before"], x["grad"]["add"], x["grad"]["after"]):
                value(v)
            for part in x["grad"]["parts"]:
                refers(part["node"], "nodes")
                assert document["nodes"][part["node"]]["next"][part["edge"]][0] is not None
                value(part["value"])
        for n in x.get("frees", ()):
            assert document["nodes"][n]["freed"] == i
        if "index" in x:
            m = x["index"]
            for grid in (*m["index"], m["source"], m["before"], m["out"]):
                if grid is not None:
                    kept = [len(at) for at in grid.get("at", [])] or grid["shape"]
                    assert len(grid["text"]) == math.prod(kept)
                    refers(grid["tensor"], "tensors", True)
            assert m["total"] >= len(m["moves"]) == len(m["results"])
            assert "of" not in m or "index" in document["steps"][m["of"]]
        assert (x["kind"] == "error") == ("error" in x)
    for note in document["notes"]:
        assert set(note) == {"step", "code", "severity", "text", "tensors", "lines"}
        assert -1 <= note["step"] < max(steps, 1)
        assert note["severity"] in ("info", "warning", "error")
        for t in note["tensors"]:
            refers(t, "tensors")
        assert all(1 <= line <= len(document["source"]) for line in note["lines"])
        assert "{" not in note["text"]
    truncated = document["truncated"]
    assert truncated is None or (truncated["kept"] == steps <= truncated["seen"])
    return True


def cells(c: dict[str, Any], numel: int) -> None:
    assert set(c) == {"numel", "text", "head", "tail"}
    assert c["numel"] == numel
    assert (c["head"], c["tail"]) == ((numel, 0) if numel <= 64 else (24, 24))
    assert len(c["text"]) == c["head"] + c["tail"]


def value(v: dict[str, Any] | None) -> None:
    if v is None:
        return
    assert {"shape", "dtype", "text"} <= set(v) <= {"shape", "dtype", "text", "norm", "nan", "inf"}
    size = 1
    for n in v["shape"]:
        size *= n
    no_data = (
        set(v) == {"shape", "dtype", "text"} and v["text"] is None
    )  # an example of vmap's batch, or a boolean one
    assert no_data or (v["text"] is None) == (size > 64)
    assert v["text"] is None or len(v["text"]) == size
