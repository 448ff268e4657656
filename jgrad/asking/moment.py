"""`jgrad.at` and `trace.at`: the values that variables had at a step of a trace."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from jgrad import dtypes, manual, mirrors
from jgrad.asking.answer import recent
from jgrad.asking.naming import BadInput
from jgrad.tracing.document.index import TraceIndex, living, name_at
from jgrad.tracing.document.schema import Contents, TraceDocument, TraceTensor
from jgrad.tracing.explain.rule import listed
from jgrad.tracing.explain.traces import Recorded
from jgrad.tracing.record.indexes import plural

WIDE = 60  # columns of a value in a line


def at(step: int, /) -> Moment:
    """The values that the variables of the last trace had after so many steps, as tensors."""
    if not recent:
        raise BadInput(
            "jgrad.at: no trace was recorded yet; record a cell with %%trace, or a block with jgrad.trace()"
        )
    return moment(recent[-1], step)


class Moment(dict[str, Any]):
    """The values of variables at a step, by the names that code had for them. `missing` says of each of the others why it is not there."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self.missing: dict[str, str] = {}

    def __missing__(self, name: str) -> Any:
        why = self.missing.get(
            name, f"no variable with a tensor was called {name}; there are {listed([*self]) or 'none'}"
        )
        raise KeyError(f"{self.title}: {why}")

    def __repr__(self) -> str:
        lines = [f"{name} = {_in_a_line(value)}" for name, value in self.items()]
        return "\n".join([f"{self.title}:", *lines, *self.missing.values()])


def _in_a_line(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= WIDE else f"{value.dtype} {[*value.shape]}"


def moment(trace: Recorded, step: int) -> Moment:
    """The values at a step of a trace."""
    document = trace.document
    end = len(document["steps"])
    if not isinstance(step, int) or not 0 <= step <= end:
        raise BadInput(
            f"at: {document['name']} has no step {step!r}; write a number from 0 (before the first) to {end}"
        )
    known = TraceIndex(document)
    found = Moment(f"{document['name']}, step {step} of {end}")
    tensors, lives = known.named
    for place in living(lives, step):
        tensor = known.state(tensors[place], step)
        name = name_at(tensor, step - 1)
        contents = known.contents(tensor["storage"], step)
        why = _unknown(known, tensor, contents, id(contents) in trace.elements)
        if why:
            found.missing[name] = f"{name} is not known: {why}"
        else:
            found[name] = _made(document, tensor, trace.elements[id(contents)])
    return found


def _unknown(known: TraceIndex, tensor: TraceTensor, contents: Contents, is_kept: bool) -> str:
    """Why the elements that were kept don't tell the value of a tensor; nothing if they do."""
    storage = known.document["storages"][tensor["storage"]]
    if storage["dtype"].startswith("complex") and known.tensors_on[storage["id"]][0] != tensor["id"]:
        return "it is a view of complex numbers, which may be conjugated"
    if (
        tensor["origin"] == "create"
        and tensor["base"] is None
        and math.prod(tensor["shape"]) < contents["numel"]
    ):
        return "it is a part of other memory, as an example of a batch under vmap"
    if is_kept:
        return ""
    elements = plural(contents["numel"], "element")
    return (
        f"{elements} were too many to keep"
        if contents["head"]
        else f"on the device {storage['device']} there are no elements"
    )


def _made(document: TraceDocument, tensor: TraceTensor, elements: bytes) -> Any:
    """A tensor of the library that the trace is about."""
    library = sys.modules.get(document.get("library", ""), mirrors.library_of())
    dtype = getattr(dtypes, tensor["dtype"]).numpy
    strides = [dtype.itemsize * n for n in tensor["stride"]]
    array = np.ndarray(tensor["shape"], dtype, elements, dtype.itemsize * tensor["storage_offset"], strides)
    numbers = (array.astype(np.float32) if dtype.kind == "V" else array).ravel().tolist()
    made = library.tensor(numbers, dtype=getattr(library, tensor["dtype"]), device=tensor["device"])
    return made.reshape(tensor["shape"])


manual.attach(__name__)
