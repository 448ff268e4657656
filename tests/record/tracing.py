"""Tracing a piece of source, as `%%trace` does it, and a judge of trace documents."""

from __future__ import annotations

import json
import linecache
import math
import re
import types
from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_origin, is_typeddict

import jgrad
from jgrad import dtypes
from jgrad.asking.question import answer
from jgrad.trace import Trace
from jgrad.tracing.document.check import check, fields_of
from jgrad.tracing.document.packing import pack, unpack
from jgrad.tracing.document.rounds import figures_of, losses_of
from jgrad.tracing.document.schema import TraceDocument
from jgrad.tracing.document.source import Source
from jgrad.tracing.record.recorder import MAX_STEPS
from jgrad.tracing.record.scope import Scope, mentioned


def trace(
    source: str,
    namespace: dict[str, Any] | None = None,
    max_steps: int = MAX_STEPS,
    watch: tuple = (),
    patience: float = math.inf,
    grows: bool = False,
    name: str = "<cell>",
) -> Trace:
    """Run a source text under the recorder. What it raised is `t.error`; the namespace it ran in is `t.namespace`. `name`: of the cell, if others are
    to find its text."""
    source = source.strip("\n")
    namespace = {"jgrad": jgrad, "__name__": "__main__"} | (namespace or {})
    code = compile(source, name, "exec")
    if name != "<cell>":
        linecache.cache[name] = (len(source), None, [f"{line}\n" for line in source.split("\n")], name)
    t = Trace(max_steps=max_steps)
    t.patience, t.grows = patience, grows
    t._source = Source(source.split("\n"))
    with t.recording(Scope(name, namespace, [*watch, *mentioned(code)])) as outcome:
        exec(code, namespace)
    t.error, t.namespace = outcome.error, namespace
    assert t.failures == []
    assert valid(t.document)
    assert unpack(json.loads(pack(t.document))) == t.document
    return t


def asked(text: str, t: Trace) -> str:
    """What `%why text` answers after a trace, as plain text."""
    return "\n".join(passage.text for passage in answer(text, t.namespace, [t], {}))


def texts(t: Trace) -> list[str]:
    return [step["text"] for step in t.document["steps"]]


def tensor_of(t: Trace, name: str) -> dict[str, Any]:
    """The tensor that had this name last."""
    return [x for x in t.document["tensors"] if any(n == name for _, n in x["names"])][-1]


# Operators of PyTorch's that count their writes afterwards.
FUSED = (
    "sgd_",
    "adam_",
    "adamw_",
    "amp_update_scale_",
    "amp_foreach_non_finite_check_and_unscale_",
)
ITEMSIZE = {d.name: d.itemsize for d in dtypes.ALL}


def valid(document: dict[str, Any]) -> bool:  # noqa: C901  (a list of conditions)
    """Whether a document is what its schema and docs/trace-document.md say; raises where it is not."""
    assert json.loads(json.dumps(document, allow_nan=False)) == document, "not plain JSON"
    check(document)
    only_known_fields(document, TraceDocument)
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
        assert x["nbytes"] == x["itemsize"] * x["numel"]
        at(x["created_step"])
        cells(x["contents"], x["numel"], x["device"])
        assert x["freed_step"] is None or x["created_step"] < x["freed_step"] < steps
    for x in document["tensors"]:
        refers(x["storage"], "storages")
        refers(x["base"], "tensors", True)
        refers(x["grad_fn"], "nodes", True)
        at(x["created_step"])
        assert x["freed_step"] is None or x["created_step"] < x["freed_step"] < steps
        assert len(x["shape"]) == len(x["stride"])
        assert all(type(s) is int and -1 <= s < max(steps, 1) and isinstance(n, str) for s, n in x["names"])
        assert [s for s, _ in x["names"]] == sorted(s for s, _ in x["names"])
        assert document["storages"][x["storage"]]["created_step"] <= x["created_step"]
        places = (
            1 + x["storage_offset"] + sum((n - 1) * s for n, s in zip(x["shape"], x["stride"], strict=True))
        )
        assert (
            0 in x["shape"] or places * ITEMSIZE[x["dtype"]] <= document["storages"][x["storage"]]["nbytes"]
        )
    for x in document["nodes"]:
        for number, nr in x["next_functions"]:
            refers(number, "nodes", True)
            assert type(nr) is int
        for saved in x["saved"]:
            assert set(saved) == {"name", "tensor", "version"}
            refers(saved["tensor"], "tensors", True)
        refers(x["variable"], "tensors", True)
        assert (x["name"] == "torch::autograd::AccumulateGrad") == (x["variable"] is not None)
        at(x["created_step"])
        assert x["freed_step"] is None or x["created_step"] < x["freed_step"] < steps
        assert x["line"] is None or 1 <= x["line"] <= len(document["source"])
        for since, hook in x.get("hooks", ()):
            at(since)
            assert "hook" in hook
    calls, after_gap = 0, False
    for i, x in enumerate(document["steps"]):
        assert 0 < len(x["text"]) < (2500 if x["kind"] == "error" else 600)
        assert x["line"] is None or 1 <= x["line"] <= len(document["source"])
        line = document["calls"][x["call"]]["line"] if "call" in x else x["line"]
        assert line is None or re.match(rf"line {line}( of .*)?: ", x["text"]), x
        if x["span"] is not None:
            line, column, end_line, end_column = x["span"]
            assert 1 <= line <= end_line <= len(document["source"])
            assert 0 <= column <= len(document["source"][line - 1])
            assert 0 <= end_column <= len(document["source"][end_line - 1])
        for t in (*x.get("reads", ()), *x.get("makes", ()), *x.get("roots", ())):
            refers(t, "tensors")
        for t in x.get("makes", ()):
            assert document["tensors"][t]["created_step"] == i
        for w in x.get("writes", ()):
            refers(w["tensor"], "tensors")
            refers(w["storage"], "storages")
            counted = w["versions"][1] - w["versions"][0]
            expected = (
                counted >= 0
                if x["kind"] == "gap" or x["op"] in FUSED
                else counted == (x["op"] not in ("batch_norm", "outside"))
            )
            assert expected, (x, w)
            assert w["version_counter"] == document["tensors"][w["tensor"]]["version_counter"]
            numel = document["storages"][w["storage"]]["numel"]
            cells(w["contents"], numel, document["storages"][w["storage"]]["device"])
            assert w["changed_elements"] is None or (
                w["changed_elements"] == sorted(set(w["changed_elements"]))
                and all(0 <= c < numel for c in w["changed_elements"])
            )
        for c in x.get("changes", ()):
            refers(c["tensor"], "tensors")
            assert len(c) > 1
        if "node" in x:
            refers(x["node"], "nodes")
        if x["kind"] == "backward":
            assert x["backward_call"] == calls or (after_gap and x["backward_call"] > calls)
            calls, after_gap = x["backward_call"] + 1, False
            assert len(x["roots"]) == len(x["grads_in"])
        for v in (*x.get("grads_in", ()), *x.get("grads_out", ())):
            value(v)
        if x["kind"] == "node":
            assert len(x["grads_out"]) <= len(document["nodes"][x["node"]]["next_functions"])
        assert x["kind"] not in ("accumulate", "grad") or "grad" in x
        assert (x["kind"] == "gap") == ("gap" in x)
        after_gap = after_gap or x["kind"] == "gap"
        assert "updates" not in x or x["kind"] == "gap"
        for grad in (*([x["grad"]] if "grad" in x else []), *x.get("updates", ())):
            refers(grad["tensor"], "tensors")
            for v in (grad["before"], grad["added"], grad["after"]):
                value(v)
            for part in grad["contributions"]:
                refers(part["node"], "nodes")
                assert document["nodes"][part["node"]]["next_functions"][part["edge"]][0] is not None
                value(part["value"])
        for n in x.get("frees", ()):
            assert document["nodes"][n]["freed_step"] == i
        if "index_map" in x:
            m = x["index_map"]
            for grid in (*m["indices"], m["source"], m["before"], m["target"]):
                if grid is not None:
                    kept = [len(at) for at in grid.get("kept", [])] or grid["shape"]
                    assert len(grid["elements"]) == math.prod(kept)
                    refers(grid["tensor"], "tensors", True)
            assert m["total_moves"] >= len(m["moves"]) == len(m["results"])
            assert "forward_step" not in m or "index_map" in document["steps"][m["forward_step"]]
        assert (x["kind"] == "error") == ("error" in x)
    for note in document["notes"]:
        assert -1 <= note["step"] < max(steps, 1)
        for t in note["tensors"]:
            refers(t, "tensors")
        assert all(1 <= line <= len(document["source"]) for line in note["lines"])
        assert "{" not in note["text"]
    if "rounds" in document:
        rounds_are_sound(document)
    truncated = document["truncated"]
    gaps = len([s for s in document["steps"] if s["kind"] == "gap"])
    assert truncated is None or (truncated["kept_steps"] == steps - gaps and steps <= truncated["seen_steps"])
    return True


def rounds_are_sound(document: dict[str, Any]) -> None:
    """What holds of the rounds of every document."""
    rounds = document["rounds"]
    assert rounds["total"] >= 4
    end = last = 0
    for number, begin, after in rounds["kept"]:
        assert last < number <= rounds["total"]
        assert end <= begin < after <= len(document["steps"])
        assert all(s["kind"] != "gap" for s in document["steps"][begin:after])
        last, end = number, after
    rows = -(-rounds["total"] // rounds["bin"])
    for losses in rounds["losses"]:
        assert len(losses_of(rounds, losses).known) == rows
    for parameter in rounds["parameters"]:
        for what in ("gradient", "update", "value"):
            assert len(figures_of(rounds, parameter, what).known) == rows
        for runs in (parameter["gradient_not_finite"], parameter["value_not_finite"]):
            assert all(1 <= first <= last <= rounds["total"] for first, last, _, _ in runs)
            assert all(nan or inf for _, _, nan, inf in runs)
    numbers = [found["round"] for found in rounds["remarkable"]]
    assert numbers == sorted(numbers)


def only_known_fields(record: Any, kind: Any) -> None:
    """That a document has no fields that its schema doesn't describe."""
    check_fields = fields_check(kind)
    assert check_fields is not None, f"{kind} has no fields"
    check_fields(record)


@cache
def fields_check(kind: Any) -> Callable[[Any], None] | None:
    """The check that values of a type have no fields but those of the schema; None for types without fields."""
    inside = get_args(kind)
    if is_typeddict(kind):
        checks = {name: fields_check(of) for name, (of, _) in fields_of(kind).items()}

        def record(value: dict[str, Any] | None) -> None:
            for name, held in (value or {}).items():
                assert name in checks, (name, kind)
                check = checks[name]
                if check:
                    check(held)

        return record
    if get_origin(kind) is list:
        one = fields_check(inside[0])
        return one and (lambda values: [*map(one, values or ())])
    return fields_check(inside[0]) if get_origin(kind) is types.UnionType else None


def cells(c: dict[str, Any], numel: int, device: str) -> None:
    assert c["numel"] == numel
    kept = (0, 0) if device == "meta" else (numel, 0) if numel <= 64 else (24, 24)
    assert (c["head"], c["tail"]) == kept
    assert len(c["elements"]) == c["head"] + c["tail"]


def value(v: dict[str, Any] | None) -> None:
    if v is None:
        return
    size = 1
    for n in v["shape"]:
        size *= n
    # An example of vmap's batch, or a boolean one.
    no_data = set(v) == {"shape", "dtype", "elements"} and v["elements"] is None
    assert no_data or (v["elements"] is None) == (size > 64)
    assert v["elements"] is None or len(v["elements"]) == size
