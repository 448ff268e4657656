"""Which elements in a trace document come from uninitialised memory, and so mean nothing: those of `empty`, and all that was computed
from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jgrad.tracing.document.log import Log
from jgrad.tracing.document.schema import Contents, Step, TraceTensor, Write
from jgrad.tracing.record.records import OUTSIDE

ALLOCATE = frozenset(("empty", "empty_like", "empty_strided", "empty_permuted"))
RESIZE = frozenset(("resize_", "resize_as_"))
# In-place operators that write to all of a tensor without reading it:
OVERWRITE = frozenset((
    "fill_", "zero_", "copy_", "normal_", "uniform_", "random_", "bernoulli_", "exponential_", "cauchy_", "geometric_", "log_normal_",
))  # fmt: skip
# Those that write to some elements of a tensor without reading it:
PUT = frozenset((
    "index_put_", "scatter_", "masked_fill_", "masked_scatter_", "index_fill_", "index_copy_", "put_", "fill_diagonal_", OUTSIDE,
))  # fmt: skip
LARGE = 1 << 16  # elements of a storage, above which it counts as a whole

Shown = frozenset[int]  # positions in the `elements` of a Contents
NONE: Shown = frozenset()


def places_of(tensor: TraceTensor) -> np.ndarray:
    """The elements of its storage that a tensor shows."""
    places = np.array([tensor["storage_offset"]])
    for extent, stride in zip(tensor["shape"], tensor["stride"], strict=True):
        if stride:  # the elements of an expanded dimension are one
            places = (places[:, None] + np.arange(extent) * stride).ravel()
    return places


class Uninitialized:
    """What is uninitialised in the record of each step.

    `contents` has (step, storage) -> positions in the contents of the storage as the step left them; `values` has (step, field) for the
    fields `grad`, `grads_in` and `grads_out` of a step; `end` has storage -> positions in its last contents; `grads` the tensors whose
    `.grad` is uninitialised in the end.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.contents: dict[tuple[int, int], Shown] = {}
        self.values: set[tuple[int, str]] = set()
        self.end: dict[int, Shown] = {}
        self.grads: set[int] = set()
        # Storage -> which elements; a single mark for a large storage.
        self._marks: dict[int, np.ndarray] = {}
        self._nodes: set[int] = set()  # to which an uninitialised gradient was sent
        if any(step["op"] in ALLOCATE or step["op"] in RESIZE for step in log.steps):
            for i, step in enumerate(log.steps):
                self._follow(i, step)
            self.end = {s: self._shown(s, self.log.contents(s, len(log.steps))) for s in self._marks}

    def _follow(self, i: int, step: Step) -> None:
        """Note what a step did to uninitialised memory."""
        if step["kind"] == "node":
            self._follow_node(i, step)
        if step["op"] in RESIZE:
            self._follow_resize(i, step)
        target = step["writes"][0]["tensor"] if step.get("writes") else None
        from_others = any(self._reads(t, i) for t in step.get("reads", ()) if t != target)
        if step["kind"] == "accumulate":
            from_others = step.get("node") in self._nodes
        for t in step.get("makes", ()):
            storage = self.log.tensors[t]["storage"]
            if self.log.document["storages"][storage]["created_step"] == i:
                allocated = step["op"] in ALLOCATE and "node" not in step
                if allocated or (from_others and not step["op"].endswith("_like")):
                    self._marks_of(storage)[:] = True
                self._note(i, storage, self.log.document["storages"][storage]["contents"])
        for write in step.get("writes", ()):
            if write["numel"] and step["op"] not in RESIZE:
                self._follow_write(i, step, write, from_others)
            self._note(i, write["storage"], write["contents"])
        if "grad" in step:
            self._follow_grad(i, step, from_others)

    def _follow_write(self, i: int, step: Step, write: Write, from_others: bool) -> None:
        if write["storage"] not in self._marks and not from_others:
            return
        marks, op = self._marks_of(write["storage"]), step["op"]
        places = self._places(self.log.state(write["tensor"], i), marks)
        if op in PUT and not from_others:
            changed = write["changed_elements"]
            if changed is not None and len(marks) > 1:
                marks[changed] = False
        elif op in OVERWRITE or not op.endswith("_"):  # (add with out= has the name add)
            if len(marks) > 1 or write["numel"] >= write["contents"]["numel"]:
                marks[places] = from_others
            else:
                marks |= from_others
        elif from_others:
            marks[places] = True

    def _follow_resize(self, i: int, step: Step) -> None:
        """What memory grows by is uninitialised."""
        for t in step.get("reads", ()):
            before, after = (self.log.state(t, at)["storage"] for at in (i, i + 1))
            if before != after:
                old, new = self._marks.get(before), self._marks_of(after)
                kept = min(self.log.document["storages"][before]["numel"], len(new))
                new[:] = True
                new[:kept] = False if old is None or len(old) < kept else old[:kept]

    def _follow_node(self, i: int, step: Step) -> None:
        node = self.log.nodes[step["node"]]
        arrived = step["node"] in self._nodes
        self._nodes.discard(step["node"])
        if arrived:
            self.values.add((i, "grads_in"))
        if arrived or any(s["tensor"] is not None and self._reads(s["tensor"], i) for s in node["saved"]):
            self.values.add((i, "grads_out"))
            self._nodes.update(target for target, _ in node["next_functions"] if target is not None)

    def _follow_grad(self, i: int, step: Step, from_others: bool) -> None:
        tensor, action = step["grad"]["tensor"], step["grad"]["action"]
        if step["kind"] == "accumulate":
            self._nodes.discard(step.get("node", -1))
        wrote = any(self.contents.get((i, w["storage"])) for w in step.get("writes", ()))
        if from_others or wrote or (action == "add" and tensor in self.grads):
            self.grads.add(tensor)
            self.values.add((i, "grad"))
        else:
            self.grads.discard(tensor)

    def _reads(self, number: int, step: int) -> bool:
        """Whether a tensor has uninitialised elements before a step."""
        if not self._marks:
            return False
        tensor = self.log.state(number, step)
        marks = self._marks.get(tensor["storage"])
        return marks is not None and bool(marks[self._places(tensor, marks)].any())

    def _marks_of(self, storage: int) -> np.ndarray:
        marks = self._marks.get(storage)
        if marks is None:
            numel = self.log.document["storages"][storage]["numel"]
            marks = self._marks[storage] = np.zeros(numel if numel <= LARGE else 1, bool)
        return marks

    def _places(self, tensor: TraceTensor, marks: np.ndarray) -> np.ndarray:
        """The elements of its storage that a tensor has."""
        if 0 in tensor["shape"]:
            return np.zeros(0, np.int64)
        if len(marks) == 1:
            return np.zeros(1, np.int64)
        places = places_of(tensor)
        return places[places < len(marks)]

    def _note(self, i: int, storage: int, contents: Contents) -> None:
        if storage in self._marks:
            self.contents[i, storage] = self._shown(storage, contents)

    def _shown(self, storage: int, contents: Contents) -> Shown:
        """The uninitialised ones among the elements that a document shows of a storage."""
        marks, n = self._marks[storage], len(contents["elements"])
        places: Sequence[int] = range(contents["head"])
        if contents["tail"]:
            places = [*places, *range(contents["numel"] - contents["tail"], contents["numel"])]
        return frozenset(k for k in range(n) if marks[places[k] if len(marks) > 1 else 0])
