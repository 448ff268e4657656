"""Tensors that look like views and are copies: reshape(), flatten() and contiguous() copy where the elements lie in another order in memory, and an index
by a mask or a list always does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jgrad.tracing.document.log import Log, called_in
from jgrad.tracing.explain.edits import Edit, at_step
from jgrad.tracing.explain.rule import Rules

NOTES = Rules()

COPY_IF_NEEDED = ("reshape", "reshape_as", "flatten", "ravel", "contiguous")
COPIED = "{at} ({doing}) copied, since the elements of {source} lie in another order in memory. Its shape is {shape}, and its strides are {strides}, not {plain}"
TRANSPOSED = """
x = jgrad.arange(6.).view(2, 3)
r = x{way}
r[0] = 100
total = x.sum()
"""


@NOTES.rule(
    "write-to-copy", "info", "a write to what reshape() or flatten() copied",
    "{written} wrote to {name}, which is a copy, so {owner} did not change. Here {copied}.",
    "Write to {owner} itself; view() raises an error where reshape() would copy.",
    TRANSPOSED.format(way=".t().reshape(6)"),
    TRANSPOSED.format(way=".reshape(6)"),
)  # fmt: skip
def write_to_copy(log: Log) -> Iterator[dict]:
    """Nothing reads such a copy after it was written to, and what it was copied from is read: the write may have been meant for that."""
    if "clone" not in log.operations:
        return
    reported = set()
    for i, write in log.writes:
        step = log.steps[i]
        target = log.through(write["tensor"], i)
        if step["kind"] != "write" or target is None or target in reported or not write["changed_elements"]:
            continue
        found = copied(log, target)
        if found is None or found["call"] == "contiguous":
            continue
        owner = log.through(found["from"], found["step"])
        later = [
            t
            for s in log.steps[i + 1 :]
            if s["kind"] in ("op", "view", "backward")
            for t in s.get("reads", ())
        ]
        storage = log.final[target]["storage"]
        read = any(log.tensors[t]["storage"] == storage for t in later)
        if (
            owner is not None
            and not read
            and any(log.tensors[t]["storage"] == log.tensors[owner]["storage"] for t in later)
        ):
            reported.add(target)
            yield found | {
                "step": i, "tensors": [target, owner], "lines": log.lines(found["step"], i), "written": log.at(i), "name": log.name(target, i),
                "owner": log.name(owner, i), "copied": COPIED.format(**found),
            }  # fmt: skip


@NOTES.rule(
    "write-to-picked", "warning", "a write to what an index by a mask or a list picked",
    "{written} writes to {picked}, which is a copy: an index by a mask or a list always makes one. So {owner} does not change.",
    "{repair}",
    "x = jgrad.zeros(3, 2)\nx[x[:, 0] == 0][:, 1] = 5\ntotal = x.sum()",
    "x = jgrad.zeros(3, 2)\nx[x[:, 0] == 0, 1] = 5\ntotal = x.sum()",
)  # fmt: skip
def write_to_picked(log: Log) -> Iterator[dict]:
    """The copy has no name, and nothing reads it, before or after the write."""
    said = set()
    for i, write in log.writes:
        step, owner = log.steps[i], log.made_by(write["tensor"], ())
        made = owner if owner is not None and log.steps[owner]["op"] == "index" else None
        family = (
            ()
            if made is None
            else [
                t for t in log.tensors if t["storage"] == log.tensors[log.steps[made]["makes"][0]]["storage"]
            ]
        )
        users = {k for t in family for k in log.users.get(t["id"], ())}
        if (
            made is None
            or step["kind"] != "write"
            or log.at(i) in said
            or any(n for t in family for _, n in t["names"])
        ):
            continue
        if all(k == i or log.steps[k]["kind"] == "view" for k in users):
            said.add(log.at(i))
            new = _in_one(log, i)
            yield {
                "step": i, "tensors": [write["tensor"]], "lines": log.lines(i), "written": log.at(i), "picked": log.text(made) or log.doing(made),
                "owner": log.name(log.steps[made]["reads"][0], made), "edits": new,
                "repair": f"Write {new[0].text} = ..." if new else "Write to it in one pair of brackets, as in x[mask, 0] = 0.",
            }  # fmt: skip


def _in_one(log: Log, index: int) -> list[Edit]:
    """`x[mask, 0]` for `x[mask][:, 0]`, to which a statement assigns."""
    place = at_step(log, index)
    targets = [] if place is None else getattr(place[1], "targets", [getattr(place[1], "target", None)])
    outer = targets[0] if len(targets) == 1 else None
    if place is None or not isinstance(outer, ast.Subscript) or not isinstance(outer.value, ast.Subscript):
        return []
    inner, parts = outer.value, outer.slice.elts if isinstance(outer.slice, ast.Tuple) else [outer.slice]
    if ast.unparse(parts[0]) != ":" or isinstance(inner.slice, ast.Tuple):
        return []
    more = "".join(f", {ast.unparse(part)}" for part in parts[1:])
    return [place[0].replaced(outer, f"{place[0].text(inner.value)}[{place[0].text(inner.slice)}{more}]")]


def copied(log: Log, number: int) -> dict | None:
    """That a tensor is what reshape(), flatten() or contiguous() copied: the step, what it was copied from, its strides; None if it is not."""
    made = log.maker.get(number)
    call = "" if made is None else called_in(log.text(made))
    if made is None or call not in COPY_IF_NEEDED:
        return None
    span, at = log.steps[made]["span"], made
    while log.steps[at]["op"] != "clone":  # the copy is one of the operations that the call ran
        reads = log.steps[at].get("reads", ())
        before = log.maker.get(reads[0]) if reads else None
        if before is None or log.steps[before]["span"] != span:
            return None
        at = before
    source = log.steps[at]["reads"][0]
    known = log.state(source, at)
    return {
        "step": made, "from": source, "call": call, "at": log.at(made), "doing": log.doing(made) if log.steps[made]["op"] == call else log.text(made),
        "source": log.name(source, made), "shape": known["shape"], "strides": _tuple(known["stride"]), "plain": _tuple(_row_major(known["shape"])),
    }  # fmt: skip


def memory_of_copy(log: Log, number: int) -> dict | None:
    """What a tensor that looks like a view was copied from: `whose`, and how (`copied`); None if it is no copy."""
    found = copied(log, number)
    if found is None:
        return None
    owner = log.through(found["from"], found["step"])
    whose = found["source"] if owner is None else log.name(owner, found["step"])
    return {"whose": whose, "copied": COPIED.format(**found), "call": found["call"]}


def _row_major(shape: list[int]) -> list[int]:
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * max(shape[d + 1], 1)
    return strides


def _tuple(numbers: list[int]) -> str:
    return str(tuple(numbers))
