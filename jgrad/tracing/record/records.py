"""What the recorder keeps of storages, tensors and nodes.

A record is a weak reference to what it describes: see Note [Identity] in `jgrad/tracing/record/registry.py`.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Sequence

import numpy as np

from jgrad.tracing.record.contents import Held

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


# A use of a custom Function: (step, its class, arguments that are no tensors by position, tensors in order).
FunctionUse = tuple[int, type, dict[str, object], list[int]]

# The recorder fills in the fields of the first line of slots, a replay the others. These objects are small: for a small tensor, touching memory
# costs more than computing. `seen` is the number of steps there were when the object was met.


class StorageRecord(weakref.ref):
    """A storage, and a weak reference to it. `raw` is what it was when it was met; what it `held` is what `Look` gives."""

    __slots__ = ("id", "born", "sharers", "raw", "seen", "dtype", "numel", "device", "held", "freed")

    id: int
    born: int
    sharers: int | list[int]  # the number of the tensor that was seen on it, or of several; some may be dead
    raw: tuple
    seen: int
    dtype: np.dtype
    numel: int
    device: str
    held: Held
    freed: int | None


class TensorRecord(weakref.ref):
    """A tensor, and a weak reference to it. What the recorder looks at to see whether something changed: the addresses of its `array`
    and `fn`, whether it `requires` grad, its `storage`, and the `state` noted last. `raw` is how it was at birth."""

    __slots__ = ("id", "array", "fn", "requires", "storage", "state", "raw", "seen")
    __eq__ = object.__eq__  # not of what they refer to
    __hash__ = object.__hash__

    id: int
    array: int
    fn: int
    requires: bool
    storage: StorageRecord
    state: tuple | None
    raw: tuple
    seen: SeenTensor


class SeenTensor:
    """A tensor as it was at birth; `now_...` is what was seen last."""

    __slots__ = (
        "id", "storage", "shape", "strides", "itemsize", "offset", "dtype", "counter", "version", "base", "born", "seen", "died",
        "is_leaf", "requires_grad", "retains_grad", "grad_fn", "output_nr", "how",
        "now_storage", "now_shape", "now_strides", "now_offset", "now_dtype", "now_leaf", "now_requires", "now_retains", "now_node",
    )  # fmt: skip

    id: int
    storage: int
    shape: tuple
    strides: tuple
    itemsize: int
    offset: int
    dtype: np.dtype
    counter: int
    version: int
    base: int | None
    born: int
    seen: int
    died: int | None
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    grad_fn: int | None
    output_nr: int
    how: str
    now_storage: int
    now_shape: tuple
    now_strides: tuple
    now_offset: int
    now_dtype: np.dtype
    now_leaf: bool
    now_requires: bool
    now_retains: bool
    now_node: int | None


class NodeRecord(weakref.ref):
    """A backward node, and a weak reference to it (or, for an AccumulateGrad, to its leaf). `next` holds nodes, or (node, its output) where
    that is not the first; `saved` (name, tensor, version); `hooks` (step, kind, hook's name, line) as far as a backward call or the end
    found some."""

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

    id: int
    name: str
    formulas: dict[str, str]
    next: Sequence[int | tuple[int, int] | None]
    edges: list[tuple[int | None, int]]  # the same in pairs
    saved: Sequence[tuple[str, int | None, int]]
    born: int | None
    seen: int
    freed: int | None
    variable: int | None
    where: Place | None
    hooks: Sequence[tuple[int, str, str, int | types.CodeType | None]]
