"""The events of a recording, each declared once.

The *event log* is a list of entries and of records. An entry is a plain tuple that tells of an event: its declaration, then its fields. It is
written by the function that `entry` makes of a declaration. The record of a tensor, storage or node comes into the log when that dies (or, of a node,
when its buffers are freed). `told` reads both.

Tensors, nodes, storages, backward calls and steps are numbers: see `jgrad/tracing/record/declared.py`. A gradient is what `measure` gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NewType, NotRequired, ParamSpec, TypedDict

import numpy as np

from jgrad.tracing.record.contents import Held
from jgrad.tracing.record.declared import (
    CallRef,
    NodeRef,
    Plain,
    StepRef,
    StorageRef,
    TensorRef,
    new,
    plain,
    writing,
)
from jgrad.tracing.record.records import (
    NodeRecord,
    Place,
    StorageRecord,
    TensorRecord,
    TensorState,
)

P = ParamSpec("P")
Measured = tuple[tuple[int, ...], np.dtype, bytes | None, Any] | None
Entry = NewType("Entry", object)  # a plain tuple, into which only this module looks
Noted = Entry | TensorRecord | StorageRecord | NodeRecord


# Parts of events ------------------------------------------------------------------------------------------------------------------------


class Write(NamedTuple):
    """What a write left."""

    tensor: TensorRef
    storage: StorageRef
    counter: Any  # the version cell, or what stands for it
    version: int
    elements: int  # of the tensor
    # Contents before, or the places that changed. None: not known. Which elements of small storages differ is computed later, from both contents.
    changed: tuple[int, np.dtype, bytes] | list[int] | None
    contents: tuple[int, Held]  # of the storage: how many elements, and what is kept of them
    dtype: np.dtype


class GradWrite(NamedTuple):
    """What a write did to the `.grad` of a tensor, if what was written to is one."""

    tensor: TensorRef  # whose .grad it is
    before: Measured
    after: Measured


class GradChange(NamedTuple):
    """The `.grad` of a tensor before and after a gap."""

    before: Measured
    after: Measured


class Grid(TypedDict):
    """A tensor in an index map."""

    tensor: TensorRef | None


class Map(TypedDict):
    """An index map, as far as it has numbers in it (`jgrad/tracing/record/indexes.py`)."""

    indices: list[Grid]
    source: Grid | None
    before: Grid | None
    target: Grid | None
    forward_step: NotRequired[StepRef]


# Steps ----------------------------------------------------------------------------------------------------------------------------------


class Operation(NamedTuple):
    """An operation ran."""

    kind: str
    operator: str
    place: Place | None
    call: CallRef | None  # the backward call in which it ran
    reads: list[TensorRef]
    makes: list[TensorRef]
    node: NodeRef | None


class Backward(NamedTuple):
    """A backward call began."""

    name: str  # "backward" or "grad"
    place: Place | None
    call: CallRef
    roots: list[TensorRef]
    gradients: list[Measured]  # to start with


class NodeRan(NamedTuple):
    """A node was evaluated."""

    node: NodeRef
    place: Place | None
    call: CallRef | None
    arrived: list[Measured]
    sent: list[Measured]


class Accumulated(NamedTuple):
    """A gradient was added to the `.grad` of a tensor."""

    tensor: TensorRef
    place: Place | None
    call: CallRef | None
    node: NodeRef | None
    is_leaf: bool
    output_nr: int
    before: Measured
    added: Measured
    after: Measured
    makes: TensorRef | None  # the .grad, if it is new
    write: Plain[Write] | None


class Assigned(NamedTuple):
    """Code set the `.grad` of a tensor."""

    tensor: TensorRef
    place: Place | None
    grad: TensorRef | None  # the tensor that it is now
    before: Measured
    after: Measured


class Marked(NamedTuple):
    """Code set whether a tensor requires grad, or retains it."""

    name: str
    place: Place | None
    call: CallRef | None
    tensor: TensorRef


class Raised(NamedTuple):
    """The traced code raised an error."""

    place: Place | None
    node: NodeRef | None
    call: CallRef | None
    type: str
    message: str


class Gap(NamedTuple):
    """Steps that were not kept: see Note [Gaps] in `jgrad/tracing/record/compaction.py`."""

    first_round: int | None
    last_round: int | None
    steps: int | None
    writes: dict[tuple[StorageRef, int], Plain[Write]]  # by storage and address of the version counter
    grads: dict[TensorRef, Plain[GradChange]]


STEPS = frozenset((Operation, Backward, NodeRan, Accumulated, Assigned, Marked, Raised, Gap))


# What was noticed about steps -----------------------------------------------------------------------------------------------------------


class Changed(NamedTuple):
    """A tensor is not what it was: by a step if `own`, else unseen, after it."""

    record: TensorRecord
    step: StepRef
    own: bool
    state: Plain[TensorState]


class Wrote(NamedTuple):
    """What a step wrote."""

    step: StepRef
    write: Plain[Write]
    grad: Plain[GradWrite] | None


class Returned(NamedTuple):
    """A step returned a tensor that existed before it."""

    step: StepRef
    write: Plain[Write]


class Mapped(NamedTuple):
    """The index map of a step."""

    step: StepRef
    map: Map | None


class BackwardDone(NamedTuple):
    """The outermost backward call is over."""


class Within(NamedTuple):
    """From now on, operations run in this call of a module; None: in none (`jgrad/tracing/record/layers.py`)."""

    call: Any  # a LayerCall


# The log --------------------------------------------------------------------------------------------------------------------------------


def _entry(event: Callable[P, Any]) -> Callable[P, Entry]:
    """The function that makes the entry of an event from its fields."""
    return writing(event, "(declared, {fields})")


operation = _entry(Operation)
backward = _entry(Backward)
node_ran = _entry(NodeRan)
accumulated = _entry(Accumulated)
assigned = _entry(Assigned)
marked = _entry(Marked)
raised = _entry(Raised)
gap = _entry(Gap)
changed = _entry(Changed)
wrote = _entry(Wrote)
returned = _entry(Returned)
mapped = _entry(Mapped)
backward_done = _entry(BackwardDone)
within = _entry(Within)

write = plain(Write)
grad_write = plain(GradWrite)
grad_change = plain(GradChange)


def kind_of(noted: Any) -> type:
    """The declaration of the event that an entry of the log tells; of a record, its class."""
    return noted[0] if noted.__class__ is tuple else noted.__class__


def told(noted: Any) -> Any:
    """The event that an entry of the log tells, or the record that stands in it."""
    return new(noted[0], noted[1:]) if noted.__class__ is tuple else noted
