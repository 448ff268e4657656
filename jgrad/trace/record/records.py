"""What the recorder keeps of storages, tensors and nodes, and of the code that is traced.

A record is a weak reference to what it describes: see Note [Identity] in `jgrad/trace/record/registry.py`.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
import sys
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

OUTSIDE = "outside"  # the operation of a step which stands for a write that no tensor made

# Where something happened: the code object, the offset of the instruction in it, the line in its file.
Place = tuple[types.CodeType, int, int]

# The recorder fills in what stands in the first line of slots; these objects stay small, since for a small tensor the memory that is
# touched costs more than what is done in it. `seen` is the number of steps there were when the object was met.


class StorageRecord(weakref.ref):
    """A storage, and a weak reference to it. `raw` is what it was when it was met; what it `held` are the bytes that `contents` gives."""

    __slots__ = ("id", "born", "sharers", "raw", "seen", "dtype", "numel", "device", "held", "freed")

    id: int
    born: int
    sharers: int | list[int]  # the number of the tensor that was seen on it, or of several; some may be dead
    raw: tuple
    seen: int
    dtype: np.dtype
    numel: int
    device: str
    held: bytes
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
        "now_storage", "now_shape", "now_strides", "now_dtype", "now_leaf", "now_requires", "now_retains", "now_node",
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
    now_dtype: np.dtype
    now_leaf: bool
    now_requires: bool
    now_retains: bool
    now_node: int | None


class NodeRecord(weakref.ref):
    """A backward node, and a weak reference to it (or, for an AccumulateGrad, to its leaf). `next` holds nodes, or (node, its output) where
    that is not the first; `saved` (name, tensor, version); `hooks` (step, kind, hook's name, place) as far as a backward call or the end
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
    hooks: Sequence[tuple[int, str, str, Place | None]]


class Scope:
    """Which code is traced: its file, lines and module, where its variables live and which of them matter."""

    def __init__(
        self,
        filename: str,
        namespace: Mapping[str, Any],
        names: Iterable[str],
        lines: tuple[int, int] = (1, sys.maxsize),
        replaced: Mapping[str, int] = {},
        within: tuple[types.CodeType, frozenset[str]] | None = None,
    ) -> None:
        self.filename = filename
        self.namespace = namespace
        self.names = tuple(n for n in dict.fromkeys(names) if self._may_be_a_tensor(n))
        self.old = dict(replaced)  # addresses of what names mean that will be replaced unread
        self.first, self.last = lines
        self.within = within  # the function that a traced block is a part of, and which of its variables the block names
        self.module = namespace.get("__name__", "__main__")

    def _may_be_a_tensor(self, name: str) -> bool:
        value = self.namespace.get(name, self)
        builtin = value is self and hasattr(builtins, name)
        return not (name.startswith("__") or builtin or isinstance(value, types.ModuleType))


def parse(text: str, mode: str = "exec") -> Any:
    """The syntax tree of a text. (In Python 3.11, `ast.parse` now and then fails if another thread parses at the same time.)"""
    for _ in range(100):
        with suppress(SystemError):  # "AST constructor recursion depth mismatch"
            return ast.parse(text, mode=mode)
    return ast.parse(text, mode=mode)


def mentioned(code: types.CodeType, lines: tuple[int, int] = (0, sys.maxsize)) -> Iterator[str]:
    """The variables, but for local ones, that code and the functions defined in it name. `lines`: only what these lines of the code name,
    or functions that they define or name."""
    # In the order of mention: of a tensor's names the first counts, w before optimizer.param_groups[0]['params'][0].
    names = dict.fromkeys(_named(code, lines))
    functions = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    before = -1
    while len(functions) != before:  # a function may name another one
        before, others = len(functions), []
        for function in functions:
            if lines[0] <= function.co_firstlineno <= lines[1] or function.co_name in (*names, "<lambda>"):
                names |= dict.fromkeys(mentioned(function))
            else:
                others.append(function)
        functions = others
    yield from names


# (IMPORT_NAME names a module. The variable it goes to is named by the STORE_NAME after it.)
NAMING = {
    number
    for name, number in dis.opmap.items()
    if name.endswith(("_NAME", "_GLOBAL")) and name != "IMPORT_NAME"
}
LOAD_GLOBAL, EXTENDED_ARG = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]


def _named(code: types.CodeType, lines: tuple[int, int]) -> Iterator[str]:
    """The variables, but for local ones, that some lines of code name: as `dis` would list them, which takes ten times as long."""
    instructions, names, extended = code.co_code, code.co_names, 0
    within: Iterable[int] = range(0, len(instructions), 2)
    if lines[0] > 0 or lines[1] < sys.maxsize:
        spans = [
            range(a, b, 2) for a, b, line in code.co_lines() if line is None or lines[0] <= line <= lines[1]
        ]
        within = [at for span in spans for at in span]
    for at in within:
        operation = instructions[at]
        argument = instructions[at + 1] | extended
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation in NAMING:
            yield names[argument >> (operation == LOAD_GLOBAL)]  # the last bit has another meaning


def local(code: types.CodeType, lines: tuple[int, int]) -> frozenset[str]:
    """The local variables that some lines of a function name."""
    found: set[str] = set()
    for instruction in dis.get_instructions(code):
        if _within(instruction, lines) and re.search("FAST|DEREF|CLOSURE", instruction.opname):
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            found.update(n for n in names if isinstance(n, str))
    return frozenset(found)


def _within(instruction: dis.Instruction, lines: tuple[int, int]) -> bool:
    line = instruction.positions.lineno if instruction.positions is not None else None
    return line is None or lines[0] <= line <= lines[1]


def _accesses(instruction: dis.Instruction) -> Iterator[tuple[str, bool]]:
    """The variables that an instruction uses, in order, each with whether it is stored to. Since Python 3.13 an instruction may use two:
    STORE_FAST_LOAD_FAST stores to the first and loads the second."""
    if instruction.opname == "IMPORT_NAME" or not re.search("_NAME|_GLOBAL|FAST|DEREF", instruction.opname):
        return
    names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
    verbs = re.findall("LOAD|STORE|DELETE|MAKE|COPY", instruction.opname)
    for i, name in enumerate(names):
        if isinstance(name, str):
            yield name, bool(verbs) and verbs[min(i, len(verbs) - 1)] == "STORE"


def replaced(codes: Iterable[types.CodeType], lines: tuple[int, int] = (0, sys.maxsize)) -> set[str]:
    """The variables that code, or some lines of it, gives a value before it reads them: what they mean before is none of its business."""
    stored: set[str] = set()
    read: set[str] = set()
    for code in codes:
        for constant in code.co_consts:  # a function may be called at any time
            if isinstance(constant, types.CodeType):
                read.update({*mentioned(constant), *constant.co_freevars} - stored)
        for instruction in dis.get_instructions(code):
            if _within(instruction, lines):
                for name, stores in _accesses(instruction):
                    if stores:
                        stored.update({name} - read)
                    else:
                        read.update({name} - stored)
    return stored
