"""A document as a saved notebook keeps it: without most elements of most rounds.

A training writes the same tensors in each round, and their elements are nine tenths of its document. A reader of a saved notebook looks at the
first round, at the end, and at what a remark is about. There everything stays. Elsewhere the contents of small storages stay, and the first
element of others; of larger gradients the shape and the norm stay. The live views show the whole document.
"""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.packing import VALUES
from jgrad.tracing.document.schema import TraceDocument

FEW = 6  # elements that stay everywhere: as many as sentences write out
LEFT = 1  # elements that stay of larger contents


def thinned(document: TraceDocument, opens_at: int | None = None) -> TraceDocument:
    """A copy without most elements of most rounds; the document itself if it has few rounds. `opens_at`: the step at which its views open."""
    between, last = _rounds_to_thin(document, opens_at)
    if not between:
        return document
    seen = _contents_at_the_end(document)

    def step_of(i: int, step: Any) -> Any:
        if i not in between and i not in last:
            return step
        # The graph at the end shows the gradients of the last round.
        row = _thin(step) if i in between else dict(step)
        if "writes" in step:
            row["writes"] = [
                write if (write["storage"], i) in seen else _thin(write) for write in step["writes"]
            ]
        return row

    def storage_of(row: Any) -> Any:
        born = row["created_step"]
        is_seen = (row["id"], None) in seen or not (born in between or born in last)
        return row if is_seen else _thin(row)

    steps = [step_of(i, step) for i, step in enumerate(document["steps"])]
    storages = [storage_of(row) for row in document["storages"]]
    copy: Any = {**document, "steps": steps, "storages": storages}
    return copy


def _rounds_to_thin(document: TraceDocument, opens_at: int | None) -> tuple[set[int], range]:
    """The steps of the rounds between the first and the last that nobody looks at, and the steps of the last."""
    rounds, diagnosis = document.get("rounds"), document.get("diagnosis")
    looked_at = {opens_at, *[note["step"] for note in document["notes"]]}
    if diagnosis is not None:
        looked_at.add(diagnosis["step"])
    thin = [range(start, end) for _, start, end in rounds["kept"][1:]] if rounds is not None else []
    thin = [steps for steps in thin if looked_at.isdisjoint(steps)]
    end = len(document["steps"])
    last = thin.pop() if thin and thin[-1].stop == end else range(0)
    return {i for steps in thin for i in steps}, last


def _contents_at_the_end(document: TraceDocument) -> set[tuple[int, int | None]]:
    """The contents that the storage map shows at the end, and those that they are compared with: storages, and the steps that wrote them (None for
    the contents at birth)."""
    alive = {storage["id"] for storage in document["storages"] if storage["freed_step"] is None}
    written: dict[int, list[int | None]] = {storage: [None] for storage in alive}
    for i, step in enumerate(document["steps"]):
        for write in step.get("writes", ()):
            if write["storage"] in alive:
                written[write["storage"]].append(i)
    return {(storage, i) for storage, steps in written.items() for i in steps[-2:]}


def _thin(thing: Any, field: str = "") -> Any:
    """A row, or a part of it, without the elements of large values."""
    if isinstance(thing, list):
        return [_thin(part, field) for part in thing]
    if not isinstance(thing, dict) or field == "index_map":
        return thing
    if field not in VALUES:
        return {key: _thin(part, key) for key, part in thing.items()}
    elements = thing["elements"]
    if elements is None or len(elements) <= FEW:
        return thing
    if "numel" not in thing:
        return thing | {"elements": None}
    contents = {key: part for key, part in thing.items() if key != "bands"}
    return contents | {"elements": elements[:LEFT], "head": LEFT, "tail": 0}
