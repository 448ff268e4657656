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
    thin = _steps_to_thin(document, opens_at)
    if not thin:
        return document
    # What is alive at the end is seen there as its last write left it.
    alive = {storage["id"] for storage in document["storages"] if storage["freed_step"] is None}
    last = {
        write["storage"]: i for i, step in enumerate(document["steps"]) for write in step.get("writes", ())
    }
    at_the_end = {(storage, i) for storage, i in last.items() if storage in alive}

    def storage_of(row: Any) -> Any:
        is_seen = row["id"] in alive and row["id"] not in last
        return row if is_seen or row["created_step"] not in thin else _thin(row)

    def step_of(i: int, step: Any) -> Any:
        if i not in thin:
            return step
        row = _thin(step)
        if "writes" in step:
            row["writes"] = [
                write if (write["storage"], i) in at_the_end else _thin(write) for write in step["writes"]
            ]
        return row

    steps = [step_of(i, step) for i, step in enumerate(document["steps"])]
    storages = [storage_of(row) for row in document["storages"]]
    copy: Any = {**document, "steps": steps, "storages": storages}
    return copy


def _steps_to_thin(document: TraceDocument, opens_at: int | None) -> set[int]:
    """The steps of all rounds but the first, and but those that somebody looks at."""
    rounds, diagnosis = document.get("rounds"), document.get("diagnosis")
    seen = {opens_at, *[note["step"] for note in document["notes"]]}
    if diagnosis is not None:
        seen.add(diagnosis["step"])
    later = rounds["kept"][1:] if rounds is not None else []
    return {i for _, start, end in later if seen.isdisjoint(range(start, end)) for i in range(start, end)}


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
