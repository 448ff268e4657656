"""A document as a saved notebook keeps it: without most elements of most rounds.

A training writes the same tensors in each round, and their elements are nine tenths of its document. A reader of a saved notebook looks at the
first round, at the end, and at what a remark is about. There everything stays, but for large gradients inside of the graph of the last round.
Elsewhere the contents of small storages stay; of larger gradients the shape and the norm stay. The live views show the whole document.
"""

from __future__ import annotations

from typing import Any

from jgrad.tracing.document.packing import VALUES
from jgrad.tracing.document.schema import TraceDocument

FEW = 6  # elements that stay everywhere: as many as sentences write out
INSIDE = ("grads_in", "grads_out")  # gradients between nodes


def thinned(document: TraceDocument, opens_at: int | None = None) -> TraceDocument:
    """A copy without most elements of most rounds; the document itself if it has few rounds. `opens_at`: the step at which its views open."""
    unseen = _rounds_that_nobody_looks_at(document, opens_at)
    kept = document["rounds"]["kept"] if unseen else []
    if len(kept) < 3:
        return document
    thin = {i for steps in unseen for i in steps}
    end = kept[-1][1] if kept[-1][2] == len(document["steps"]) else len(document["steps"])
    between = range(kept[1][1], end)
    seen = _contents_at_the_end(document)

    def step_of(i: int, step: Any) -> Any:
        if i not in thin:
            return step
        # In the first round and at the end the accumulations show elements, and the graph those of small gradients.
        row = _thin(step) if i in between else step | {k: _thin(step[k], k) for k in INSIDE if k in step}
        if "writes" in step:
            row["writes"] = [
                write if is_seen(write["storage"], i, i) else _thin(write) for write in step["writes"]
            ]
        return row

    def storage_of(row: Any) -> Any:
        born = row["created_step"]
        return row if born not in thin or is_seen(row["id"], None, born) else _thin(row)

    def is_seen(storage: int, wrote: int | None, i: int) -> bool:
        return storage not in states and (i < between.start or (storage, wrote) in seen)

    states = _optimizer_states(document)
    steps = [step_of(i, step) for i, step in enumerate(document["steps"])]
    storages = [storage_of(row) for row in document["storages"]]
    copy: Any = {**document, "steps": steps, "storages": storages}
    return copy


def _rounds_that_nobody_looks_at(document: TraceDocument, opens_at: int | None) -> list[range]:
    """The steps of the rounds that no remark is about, and at which the views do not open."""
    rounds, diagnosis = document.get("rounds"), document.get("diagnosis")
    looked_at = {opens_at, *[note["step"] for note in document["notes"]]}
    if diagnosis is not None:
        looked_at.add(diagnosis["step"])
    found = [range(start, end) for _, start, end in rounds["kept"]] if rounds is not None else []
    return [steps for steps in found if looked_at.isdisjoint(steps)]


def _optimizer_states(document: TraceDocument) -> set[int]:
    """The storages of what optimizers keep, of which no view shows the elements unless somebody asks for all storages."""
    names: dict[int, list[str]] = {}
    for tensor in document["tensors"]:
        names.setdefault(tensor["storage"], []).extend([name for _, name in tensor["names"]])
    return {storage for storage, found in names.items() if found and all(".state[" in name for name in found)}


def _contents_at_the_end(document: TraceDocument) -> set[tuple[int, int | None]]:
    """The contents that the storage map shows at the end: storages, and the steps that wrote them (None for the contents at birth). Of what the last
    step wrote, the contents before it belong to them."""
    alive = {storage["id"] for storage in document["storages"] if storage["freed_step"] is None}
    written: dict[int, list[int | None]] = {storage: [None] for storage in alive}
    for i, step in enumerate(document["steps"]):
        for write in step.get("writes", ()):
            if write["storage"] in alive:
                written[write["storage"]].append(i)
    end = len(document["steps"]) - 1
    return {(storage, i) for storage, steps in written.items() for i in steps[-1 - (steps[-1] == end) :]}


def _thin(thing: Any, field: str = "") -> Any:
    """A row, or a part of it, without the elements of large values."""
    if isinstance(thing, list):
        return [_thin(part, field) for part in thing]
    if not isinstance(thing, dict) or field == "index_map":
        return thing
    if field not in VALUES:
        return {key: _thin(part, key) for key, part in thing.items()}
    elements = thing["elements"]
    if elements is None or len(elements) <= FEW or len({*elements}) == 1:
        return thing
    if "numel" not in thing:
        return thing | {"elements": None}
    contents = {key: part for key, part in thing.items() if key != "bands"}
    return contents | {"elements": [], "head": 0, "tail": 0}
