"""Writes that no tensor made: a NumPy array that shares the memory of a tensor, or its storage, was written to."""

from __future__ import annotations

from collections.abc import Iterator

from jgrad.trace.document.log import Log
from jgrad.trace.explain.rule import Rule
from jgrad.trace.record.records import OUTSIDE


def _written_from_outside(log: Log) -> Iterator[dict]:
    told = set()
    for i, step in log.of("write"):
        if step["op"] != OUTSIDE or not step.get("writes"):
            continue
        (write,) = step["writes"]
        storage = write["storage"]
        saver = next(
            (
                n for n in log.nodes
                if n["created_step"] < i and (n["freed_step"] is None or n["freed_step"] > i)
                and any(s["tensor"] is not None and log.tensors[s["tensor"]]["storage"] == storage for s in n["saved"])
            ), None,
        )  # fmt: skip
        if (storage, saver is None) in told:
            continue
        told.add((storage, saver is None))
        name = log.name(write["tensor"], i)
        danger = (
            ""
            if saver is None
            else f", and {log.node(saver['id'])} had saved it: its gradient will be wrong without an error"
        )
        yield {
            "step": i, "tensors": [write["tensor"]], "lines": log.lines(i), "at": log.at(i), "name": name, "danger": danger,
            "severity": "info" if saver is None else "error",
        }  # fmt: skip


OUTSIDE_WRITES = (
    Rule(
        "written-from-outside", "info", "a NumPy array that shares a tensor's memory was written to",
        "{at}: the numbers of {name} had changed from outside, as by a NumPy array that shares its memory; no version counter saw it{danger}.",
        "Take a copy of the array, or make the tensor with jgrad.tensor(array), where they are not to share.",
        _written_from_outside,
        """
w = jgrad.ones(2, requires_grad=True)
array = w.detach().numpy()
loss = (w * w).sum()
array += 1
loss.backward()
""",
        """
w = jgrad.ones(2, requires_grad=True)
array = w.detach().numpy().copy()
loss = (w * w).sum()
array += 1
loss.backward()
""",
    ),
)  # fmt: skip
