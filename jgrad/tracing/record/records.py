"""What the recorder keeps of storages, tensors and nodes.

A record is a weak reference to what it describes: see Note [Identity] in `jgrad/tracing/record/registry.py`.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jgrad.tracing.record.contents import Held
from jgrad.tracing.record.declared import NodeRef, Plain, StepRef, StorageRef, TensorRef, plain

# Operations in which several processes exchange tensors: they write to tensors, and change no version.
EXCHANGES = frozenset((
    "all_reduce", "all_reduce_coalesced", "broadcast", "reduce", "all_gather", "all_gather_into_tensor", "all_gather_coalesced", "gather",
    "scatter", "reduce_scatter", "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "recv",
))  # fmt: skip
OUTSIDE = "outside"  # the operation of a step which stands for a write that no tensor made


class Place:
    """Where something happened: an instruction of user code, and the places of the calls that led there.

    Places are interned: the same chain of calls is the same object, however often it runs. They hold code objects and never frames.
    """

    __slots__ = ("code", "offset", "line", "caller", "top", "here", "inner")

    def __init__(
        self,
        code: types.CodeType,
        offset: int,
        line: int,
        caller: Place | None = None,
        top: bool = False,
        here: bool = True,
    ) -> None:
        self.code = code
        self.offset = offset  # of the instruction
        self.line = line  # in the file of the code
        self.caller = caller  # None also if the traced code itself is not among the callers
        self.top = top  # whether this is the traced code itself, and no function that it called
        self.here = here  # whether the line is one of the traced cell
        # The places in functions that were called from here, by the address of their code and then by offset:
        self.inner: dict[int, dict[int, Place]] = {}


class FunctionUse(NamedTuple):
    """A use of a custom Function."""

    step: StepRef
    function: type
    arguments: dict[str, object]  # those that are no tensors, by position
    tensors: list[TensorRef]  # in order


class Hook(NamedTuple):
    """A hook of a node, or of its leaf."""

    step: StepRef  # since when it is known
    kind: str
    name: str
    where: int | types.CodeType | None  # its first line in the traced code, or its code elsewhere


# What is read of a storage and of a tensor when it is met. `seen` is the number of steps there were.


class StorageMet(NamedTuple):
    """A storage as it was when it was met."""

    seen: StepRef
    dtype: np.dtype
    numel: int
    device: str
    held: Held


class TensorMet(NamedTuple):
    """A tensor as it was when it was met."""

    seen: StepRef
    born: StepRef
    origin: str
    storage: StorageRef
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in bytes
    dtype: np.dtype
    offset: int
    counter: Any  # the version cell, or what stands for it
    version: int
    base: TensorRef | None
    requires_grad: bool
    is_leaf: bool
    retains_grad: bool
    grad_fn: NodeRef | None
    output_nr: int


class TensorState(NamedTuple):
    """What may change about a tensor."""

    requires_grad: bool
    is_leaf: bool
    grad_fn: NodeRef | None
    retains_grad: bool
    storage: StorageRef
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype
    offset: int


storage_met = plain(StorageMet)
tensor_met = plain(TensorMet)
tensor_state = plain(TensorState)

# The recorder fills in the fields of the first line of slots, a replay the others. These objects are small: for a small tensor, touching memory
# costs more than computing.


class StorageRecord(weakref.ref):
    """A storage, and a weak reference to it."""

    __slots__ = ("id", "born", "sharers", "raw", "freed")

    id: StorageRef
    born: StepRef
    # The number of the tensor that was seen on it, or of several; some may be dead:
    sharers: int | list[int]
    raw: Plain[StorageMet]
    freed: int | None


class TensorRecord(weakref.ref):
    """A tensor, and a weak reference to it. What the recorder looks at to see whether something changed: the addresses of its `array`
    and `fn`, whether it `requires` grad, its `storage`, and the `state` noted last."""

    __slots__ = ("id", "array", "fn", "requires", "storage", "state", "raw", "seen")
    __eq__ = object.__eq__  # not of what they refer to
    __hash__ = object.__hash__

    id: TensorRef
    array: int
    fn: int
    requires: bool
    storage: StorageRecord
    state: Plain[TensorState] | None
    raw: Plain[TensorMet]
    seen: SeenTensor


class SeenTensor:
    """A tensor in a replay: as it was when it was met, or when it was born if that is known, and as it was seen last."""

    __slots__ = ("id", "met", "now", "counter", "died")

    def __init__(self, number: int, met: TensorMet, now: TensorState, counter: int) -> None:
        self.id = number
        self.met = met
        self.now = now
        self.counter = counter  # the number of its version counter
        self.died: int | None = None


class NodeRecord(weakref.ref):
    """A backward node, and a weak reference to it (or, for an AccumulateGrad, to its leaf). `next` holds nodes, or (node, its output) where
    that is not the first; `saved` (name, tensor, version); `hooks` those that a backward call or the end found. `seen` is the number of steps
    there were when it was met."""

    __slots__ = (
        "id",
        "name",
        "formulas",
        "next",
        "edges",
        "saved",
        "born",
        "seen",
        "variable",
        "where",
        "hooks",
        "freed",
    )
    __eq__ = object.__eq__  # not of what they refer to
    __hash__ = object.__hash__

    id: NodeRef
    name: str
    formulas: dict[str, str]
    next: Sequence[int | tuple[int, int] | None]
    edges: list[tuple[int | None, int]]  # the same in pairs
    saved: Sequence[tuple[str, TensorRef | None, int]]
    born: StepRef | None
    seen: StepRef
    freed: int | None
    variable: TensorRef | None
    where: Place | None
    hooks: Sequence[Hook]
