"""One index over a trace document: who made what, who wrote where, what held at a step. `%why` and the views look things up here.

The front end has the same index, translated by `js/translator`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, TypeVar, cast

from jgrad.tracing.document.curves import Training
from jgrad.tracing.document.loops import Loop, loops_of
from jgrad.tracing.document.schema import (
    Change,
    Contents,
    GradUpdate,
    IndexMap,
    Span,
    Step,
    TraceDocument,
    TraceNode,
    TraceStorage,
    TraceTensor,
    Value,
    Write,
)

T = TypeVar("T")
step_number = itemgetter(0)
NEVER = 1_000_000_000  # a step after all others
HIDDEN = 20  # a fold hides at least so many steps


class History(dict[int, list[tuple[int, T]]], Generic[T]):
    """What steps did to each of some things, by its number: (step, what), in the order of steps."""

    def add(self, key: int, step: int, what: T) -> None:
        known = self.get(key)
        if known is None:
            self[key] = [(step, what)]
        else:
            known.append((step, what))

    def before(self, key: int, step: int) -> list[tuple[int, T]]:
        """What was done to a thing before a step."""
        known = self.get(key, [])
        return known[: bisect_left(known, step, key=step_number)]

    def latest(self, key: int, step: int) -> T | None:
        """What was done to a thing last before a step."""
        known = self.get(key)
        if known is None:
            return None
        n = bisect_left(known, step, key=step_number)
        return known[n - 1][1] if n else None


# From which step to which something exists: for each thing the one, and for each the other.
Lives = tuple[list[int], list[int]]


def lives_of(things: Sequence[TraceTensor | TraceStorage]) -> Lives:
    ends = [NEVER if thing["freed_step"] is None else thing["freed_step"] for thing in things]
    return [thing["created_step"] for thing in things], ends


def living(lives: Lives, step: int) -> list[int]:
    """The numbers of the things that exist just before a step."""
    births, ends = lives
    found: list[int] = []
    for i in range(len(births)):  # in JavaScript, a comprehension would make a list of all first
        if births[i] < step <= ends[i]:
            found.append(i)  # noqa: PERF401
    return found


class TraceIndex:
    """A trace document with an index. Tensors, storages, nodes, version counters and steps are given by their numbers."""

    def __init__(self, document: TraceDocument) -> None:
        self.document = document
        self.tensors: list[TraceTensor] = document["tensors"]
        self.nodes: list[TraceNode] = document["nodes"]
        self.steps: list[Step] = document["steps"]
        self.source: list[str] = document["source"]
        self.maker: dict[int, int] = {}  # tensor -> the step that made it last
        # Of a tensor: one that came back from an operator is made again.
        self.makers: History[Step] = History()
        self.node_maker: dict[int, int] = {}  # node -> the step that made it
        self.changes: History[Change] = History()  # of a tensor
        self.writes: list[tuple[int, Write]] = []  # (step, write) in order
        self.writes_on: History[Write] = History()  # a storage
        self.writes_to: History[Write] = History()  # what has a version counter
        self.grads: list[tuple[int, GradUpdate]] = []  # (step, what happened to a .grad) in order
        self.grads_of: History[GradUpdate] = History()  # a tensor
        self.calls: dict[int, int] = {}  # backward call -> the step at which it begins
        self.maps: list[tuple[int, IndexMap]] = []  # (step, index map)
        self.kept: dict[str, Any] = {}  # what views and rules have found out and need again
        # The steps of each kind: a look at all of a long log costs its way through memory, whatever is looked for.
        self._of: dict[str, list[int]] = {}
        self._pairs: dict[str, list[tuple[int, Step]]] = {}
        self._read()

    def _read(self) -> None:
        """Go through the steps once."""
        maker, makers, of = self.maker, self.makers, self._of
        for i, step in enumerate(self.steps):
            kind = step["kind"]
            of.setdefault(kind, []).append(i)
            if "makes" in step:
                for t in step["makes"]:
                    maker[t] = i
                    makers.add(t, i, step)
            if kind == "backward":
                self.calls[step["backward_call"]] = i
            elif "node" in step and kind in ("create", "op", "view", "write"):
                self.node_maker.setdefault(step["node"], i)
            if "writes" in step:
                for write in step["writes"]:
                    self.writes.append((i, write))
                    self.writes_on.add(write["storage"], i, write)
                    self.writes_to.add(write["version_counter"], i, write)
            if "changes" in step:
                for change in step["changes"]:
                    self.changes.add(change["tensor"], i, change)
            if "grad" in step:
                self.grads.append((i, step["grad"]))
                self.grads_of.add(step["grad"]["tensor"], i, step["grad"])
            for update in step.get("updates", ()):
                self.grads.append((i, update))
                self.grads_of.add(update["tensor"], i, update)
            if "index_map" in step:
                self.maps.append((i, step["index_map"]))

    def of(self, kind: str) -> list[tuple[int, Step]]:
        """(number, step) of the steps of a kind."""
        found = self._pairs.get(kind)
        if found is None:
            found = [(i, self.steps[i]) for i in self._of.get(kind, [])]
            self._pairs[kind] = found
        return found

    @cached_property
    def training(self) -> Training | None:
        """The rounds of a training loop, if there are some."""
        return Training(self.document) if "rounds" in self.document else None

    # What held before a step ------------------------------------------------------------------------------------------------------

    def state(self, tensor: int, step: int) -> TraceTensor:
        """A tensor as a step found it."""
        known = self.tensors[tensor]
        for _, change in self.changes.before(tensor, step):
            known = changed(known, change)
        return known

    def contents(self, storage: int, step: int) -> Contents:
        """The contents of a storage as a step found them."""
        write = self.writes_on.latest(storage, step)
        return self.document["storages"][storage]["contents"] if write is None else write["contents"]

    def version(self, counter: int, step: int) -> int | None:
        """The number on a version counter as a step found it; None if no tensor was seen with it."""
        write = self.writes_to.latest(counter, step)
        return self._first_versions.get(counter) if write is None else write["versions"][1]

    def grad(self, tensor: int, step: int) -> Value | None:
        """The `.grad` of a tensor as a step found it, as far as any step tells it: one that touches it says what was there before."""
        update = self.grads_of.latest(tensor, step)
        if update is not None:
            return update["after"]
        later = self.grads_of.get(tensor)
        return None if later is None else later[0][1]["before"]

    def node_at(self, tensor: int, step: int) -> int | None:
        """The grad_fn that a tensor had when a step ran."""
        changes = [c["grad_fn"] for _, c in self.changes.before(tensor, step) if "grad_fn" in c]
        return changes[-1] if changes else self.tensors[tensor]["grad_fn"]

    def owner(self, node: int, step: int) -> int | None:
        """The tensor that a node computed: the first that had it as grad_fn from the start, or the first that got it."""
        for found in (self._owners, self._adopters):
            since, tensor = found.get(node, (step, None))
            if since < step:
                return tensor
        return None

    # Made when they are asked for ---------------------------------------------------------------------------------------------------

    @cached_property
    def final(self) -> list[TraceTensor]:
        """The tensors as they were in the end."""
        end = len(self.steps)
        return [self.state(t["id"], end) if t["id"] in self.changes else t for t in self.tensors]

    @cached_property
    def inner(self) -> dict[int, int]:
        """Tensors that the very expression which made them used up, such as those within model(x): the step that did."""
        found: dict[int, int] = {}
        spans: dict[int, Span | None] = {}  # of the step that made each tensor
        for i, step in enumerate(self.steps):
            if "makes" not in step:  # what is only written to isn't used up
                continue
            span = step["span"]
            if step["kind"] != "backward":
                for t in step.get("reads", ()):
                    if t in spans and spans[t] == span:
                        found.setdefault(t, i)
            for t in step["makes"]:
                spans[t] = span
        return found

    @cached_property
    def line_counts(self) -> dict[int, int]:
        """How many steps each source line has."""
        found: dict[int, int] = {}
        for step in self.steps:
            line = step["line"]
            if line is not None:
                found[line] = found.get(line, 0) + 1
        return found

    @cached_property
    def loops(self) -> list[Loop]:
        """The repetitions of the steps. Steps are alike if they are of the same line, kind and operator."""
        return loops_of([f"{step['line']} {step['kind']} {step['op']}" for step in self.steps], HIDDEN)

    @cached_property
    def sinks(self) -> dict[int, list[int]]:
        """The AccumulateGrad nodes of each leaf."""
        found: dict[int, list[int]] = {}
        for node in self.nodes:
            if node["variable"] is not None:
                found.setdefault(node["variable"], []).append(node["id"])
        return found

    @cached_property
    def nodes_in_order(self) -> tuple[list[int], list[int], dict[int, int]]:
        """The nodes in the order in which the graph shows them, which is that of their creation: for each the step that made it, the
        node, and by node its position. AccumulateGrad nodes are not among them."""
        births: list[int] = []
        order: list[int] = []
        places: dict[int, int] = {}
        for since, first in sorted(
            [(n["created_step"], n["id"]) for n in self.nodes if n["variable"] is None]
        ):
            # A node that was found later than its user (because it was made before the cell) still goes above it.
            stack = [first]
            while stack:
                n = stack[-1]
                if n in places:
                    stack.pop()
                    continue
                missing = [
                    m
                    for m, _ in self.nodes[n]["next_functions"]
                    if m is not None and m not in places and self.nodes[m]["variable"] is None
                ]
                if missing and len(stack) <= len(self.nodes):
                    stack.extend(missing)
                    continue
                places[n] = len(order)
                births.append(since)
                order.append(n)
                stack.pop()
        return births, order, places

    @cached_property
    def node_ends(self) -> list[int]:
        """By node: the last frame in which it exists. It lives as long as a tensor whose grad_fn it is, or as a node that leads to it, or until it
        runs."""
        ends = [node["created_step"] + 1 for node in self.nodes]

        def live(node: int | None, until: int) -> None:
            if node is not None and until > ends[node]:
                ends[node] = until

        for t in self.tensors:
            node = t["grad_fn"]
            for step, change in self.changes.get(t["id"], []):
                if "grad_fn" in change:
                    live(node, step)
                    node = change["grad_fn"]
            live(node, NEVER if t["freed_step"] is None else t["freed_step"])
        for n in self.runs:
            live(n, self.runs[n][-1] + 1)
        order = self.nodes_in_order[1]
        for i in range(len(order) - 1, -1, -1):
            for m, _ in self.nodes[order[i]]["next_functions"]:
                live(m, ends[order[i]])
        return ends

    @cached_property
    def named(self) -> tuple[list[int], Lives]:
        """The tensors that variables meant, and from when to when, once for each time."""
        tensors: list[int] = []
        begins: list[int] = []
        ends: list[int] = []
        for t in self.tensors:
            names = t["names"]
            for k in range(len(names)):
                if names[k][1]:
                    tensors.append(t["id"])
                    begins.append(names[k][0])
                    ends.append(names[k + 1][0] if k + 1 < len(names) else NEVER)
        return tensors, (begins, ends)

    @cached_property
    def tensor_lives(self) -> Lives:
        """Of all tensors."""
        return lives_of(self.tensors)

    @cached_property
    def storage_lives(self) -> Lives:
        """Of all storages."""
        return lives_of(self.document["storages"])

    @cached_property
    def runs(self) -> dict[int, list[int]]:
        """The steps in which each node ran backward."""
        found: dict[int, list[int]] = {}
        for i, step in self.of("node"):
            found.setdefault(step["node"], []).append(i)
        return found

    @cached_property
    def passing(self) -> list[int]:
        """The steps of backward calls: their beginnings, the nodes that ran, and what was added to a `.grad`."""
        found = [i for kind in ("backward", "node", "accumulate") for i in self._of.get(kind, [])]
        return sorted([i for i in found if self.steps[i].get("backward_call") is not None])

    @cached_property
    def senders(self) -> dict[int, list[tuple[int, int, int]]]:
        """The nodes that send each node a gradient: (node, the number of its edge, the output of which it is the gradient)."""
        found: dict[int, list[tuple[int, int, int]]] = {}
        for node in self.nodes:
            edges = node["next_functions"]
            for i in range(len(edges)):
                target, output = edges[i]
                if target is not None:
                    found.setdefault(target, []).append((node["id"], i, output))
        return found

    @cached_property
    def users(self) -> dict[int, list[int]]:
        """The steps that read each tensor."""
        found: dict[int, list[int]] = {}
        for i, step in enumerate(self.steps):
            for t in step.get("reads", ()):
                found.setdefault(t, []).append(i)
        return found

    @cached_property
    def operations(self) -> dict[str, list[tuple[int, Step]]]:
        """(number, step) of the operators of each name."""
        found: dict[str, list[tuple[int, Step]]] = {}
        for pair in self.of("op"):
            found.setdefault(pair[1]["op"], []).append(pair)
        return found

    @cached_property
    def tensors_on(self) -> dict[int, list[int]]:
        """The tensors that were at some time on each storage."""
        found: dict[int, list[int]] = {}
        for t in self.tensors:
            came = [c["storage"] for _, c in self.changes.get(t["id"], ()) if "storage" in c]
            for storage in {t["storage"], *came}:
                found.setdefault(storage, []).append(t["id"])
        return found

    @cached_property
    def _first_versions(self) -> dict[int, int]:
        """The number on each version counter when it was first seen."""
        found: dict[int, int] = {}
        for tensor in self.tensors:
            found.setdefault(tensor["version_counter"], tensor["version"])
        return found

    @cached_property
    def _owners(self) -> dict[int, tuple[int, int]]:
        """The first tensor that had each node as its grad_fn from the start: (since which step, tensor)."""
        found: dict[int, tuple[int, int]] = {}
        for t in self.tensors:
            if t["grad_fn"] is not None:
                found.setdefault(t["grad_fn"], (t["created_step"], t["id"]))
        return found

    @cached_property
    def _adopters(self) -> dict[int, tuple[int, int]]:
        """The first tensor that got each node as its grad_fn later: (by which step, tensor)."""
        changes = sorted(
            [
                (i, c["tensor"], c["grad_fn"])
                for known in self.changes.values()
                for i, c in known
                if "grad_fn" in c
            ],
            key=step_number,
        )
        found: dict[int, tuple[int, int]] = {}
        for i, tensor, node in changes:
            if node is not None:
                found.setdefault(node, (i, tensor))
        return found


def changed(tensor: TraceTensor, change: Change) -> TraceTensor:
    """A tensor after a change."""
    return cast(TraceTensor, {**tensor, **change})


def name_at(tensor: TraceTensor, step: int) -> str:
    """What the user's variables called a tensor when a step had run; nothing if none meant it."""
    found = ""
    for since, name in tensor["names"]:
        if since <= step:
            found = name
    return found
