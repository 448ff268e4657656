"""Copies of what variables hold, deep ones, that keep who shares what: an optimizer has the parameters of the copy of its model, and two views of one
storage are two views of its copy. The copies hold none of the user's objects alive, and no code of the user's runs: no `__deepcopy__`, no `__init__`.
"""

from __future__ import annotations

import copyreg
import functools
import io
import itertools
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.tensor import Tensor
from jgrad.tracing.record.user_code import UserCode

MOST_OBJECTS = 50_000
# Flags of classes: one that was made at run time; one that can't be changed. A class that a `class` statement made is the first and not the second.
HEAP_TYPE, IMMUTABLE = 1 << 9, 1 << 8
SAME = (type(None), bool, int, float, complex, str, bytes, range, slice, type, types.ModuleType, types.BuiltinFunctionType)  # fmt: skip
CONTAINERS = (list, dict, set, deque)
# The packages of the notebook itself: its shell, its displays, its widgets. They are no part of the program, and there is one of each.
NOTEBOOK = {"IPython", "ipykernel", "ipywidgets", "anywidget", "comm"}
# What runs or flows can't be had twice.
FLOWING = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, zip, map, filter, enumerate, itertools.chain, itertools.cycle)  # fmt: skip


class NotCopied(Exception):
    """Why something can't be copied: "loader is a generator"."""


class Later:
    """A large tensor that is copied only when the copy is needed: until then its version says whether it is still the same."""

    def __init__(self, tensor: Any) -> None:
        self.tensor, self.version = weakref.ref(tensor), tensor._version


class Copier:
    """Copies objects, each once. `budget`: bytes of tensors and arrays; what is above it is copied later if `late`, else refused."""

    def __init__(self, budget: int, late: bool) -> None:
        self.budget, self.late = budget, late
        self.made: dict[int, Any] = {}  # by the address of the original
        self.storages: dict[int, Any] = {}  # copies of storages, by the address of the memory
        self.arrays: dict[int, Any] = {}  # copies of the arrays that own the memory, likewise
        # Those of the user's that were met, also as methods.
        self.functions: dict[types.FunctionType, None] = {}
        self._classes: set[type] = set()
        self._alive: list[Any] = []  # the originals: so no address is used twice
        self._user = UserCode()

    def copy(self, value: Any, name: str) -> Any:
        """The copy of a value. `name`: what a refusal calls it."""
        if isinstance(value, SAME):
            self._meet(value)
            return value
        if any(str(cls.__module__).partition(".")[0] in NOTEBOOK for cls in type(value).__mro__):
            return value
        if id(value) in self.made:
            return self.made[id(value)]
        self._alive.append(value)
        if len(self._alive) > MOST_OBJECTS:
            raise NotCopied(f"{name} holds more than {MOST_OBJECTS:,} objects")
        try:
            return self._copied(value, name)
        except RecursionError:
            raise NotCopied(f"{name} is nested too deeply") from None

    def _keep(self, value: Any, made: Any) -> Any:
        self.made[id(value)] = made
        return made

    def _copied(self, value: Any, name: str) -> Any:
        if isinstance(value, Later):
            return self._now(value, name)
        if isinstance(value, io.IOBase):
            raise NotCopied(f"{name} is an open file")
        if isinstance(value, FLOWING):
            kind = type(value).__name__
            raise NotCopied(f"{name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}, which runs only once")
        if mirrors.is_tensor(value):
            return self._tensor(value, name)
        for kinds, copied in self._kinds():
            if isinstance(value, kinds):
                return copied(value, name)
        return self._object(value, name)

    def _kinds(self) -> Iterator[tuple[Any, Callable[[Any, str], Any]]]:
        yield np.ndarray, self._array
        yield types.FunctionType, self._function
        yield types.MethodType, self._method
        yield weakref.ReferenceType, self._reference
        yield functools.partial, self._partial
        if "torch" in sys.modules:
            yield sys.modules["torch"].Generator, self._generator

    # Tensors and arrays ---------------------------------------------------------------------------------------------------------------

    def _pay(self, size: int, name: str) -> None:
        if size > self.budget:
            raise NotCopied(f"{name} takes {max(size >> 20, 1):,} MB, and with the other variables that is too much to copy")  # fmt: skip
        self.budget -= size

    def _tensor(self, tensor: Any, name: str) -> Any:
        if tensor.grad_fn is not None:
            raise NotCopied(
                f"{name} was computed with history in an earlier cell, and a graph can't be copied"
            )
        original = mirrors.original(tensor)
        strided = str(original.layout).endswith("strided") and not (original.is_conj() or original.is_neg())
        storage = original.untyped_storage() if strided else None
        known = storage is not None and storage.data_ptr() in self.storages
        size = original.numel() * 16 if storage is None else storage.nbytes()
        if not known and size > self.budget and self.late:
            return self._keep(tensor, Later(tensor))
        if storage is None:
            self._pay(size, name)
            made = original.detach().clone()
        else:
            made = self._strided(original, storage, name)
        kind = type(original)
        if kind is not type(made):
            made = type(made)._make_subclass(kind, made, original.requires_grad)
        elif original.requires_grad:
            made.requires_grad_()
        self._keep(tensor, made)
        if original.grad is not None:
            made.grad = self.copy(original.grad, f"{name}.grad")
        for key, held in vars(original).items():
            made.__dict__[key] = self.copy(held, f"{name}.{key}")
        before, after = _hooks(original)
        for hook in before:
            made.register_hook(self.copy(hook, f"a hook of {name}"))
        for hook in after:
            made.register_post_accumulate_grad_hook(self.copy(hook, f"a hook of {name}"))
        return made

    def _strided(self, tensor: Any, storage: Any, name: str) -> Any:
        """A tensor of the copy of a storage."""
        address = storage.data_ptr()
        if address and address in self.arrays:
            raise NotCopied(f"{name} shares its memory with an array of NumPy")
        empty = mirrors.library_of(tensor).empty(0, dtype=tensor.dtype, device=tensor.device)
        copied = self.storages.get(address) if address else None
        if copied is None:
            self._pay(storage.nbytes(), name)
            self._alive.append(storage)
            # (as a tensor: the copy of a storage without a dtype would be one of bytes)
            flat = empty.set_(storage, 0, (storage.nbytes() // tensor.itemsize,), (1,)).clone()
            copied = self.storages[address] = flat.untyped_storage()
            empty = flat
        return empty.set_(copied, tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()))

    def _now(self, later: Later, name: str) -> Any:
        tensor = later.tensor()
        if tensor is None or tensor._version != later.version:
            raise NotCopied(f"{name} is large, and the cell has changed it")
        return self._keep(later, self.copy(tensor, name))

    def _array(self, array: np.ndarray, name: str) -> Any:
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if type(array) is not np.ndarray or array.dtype.hasobject or owner.base is not None:
            if owner.base is not None and not isinstance(owner.base, bytes):
                raise NotCopied(f"{name} shares its memory with something else than arrays")
            self._pay(array.nbytes, name)
            return self._keep(array, array.copy())
        address = owner.__array_interface__["data"][0]
        if address in self.storages:
            raise NotCopied(f"{name} shares its memory with a tensor")
        if address not in self.arrays:
            self._pay(owner.nbytes, name)
            self._alive.append(owner)
            self.arrays[address] = owner.copy(order="K")
        copied = self.arrays[address]
        if owner is array:
            return self._keep(array, copied)
        offset = array.__array_interface__["data"][0] - address
        view = np.ndarray(array.shape, array.dtype, copied, offset, array.strides)
        view.flags.writeable = array.flags.writeable
        return self._keep(array, view)

    # Functions ------------------------------------------------------------------------------------------------------------------------

    def _meet(self, value: Any) -> None:
        """Remember the code of the user's that a class or a function has: it names further variables."""
        if isinstance(value, type) and value not in self._classes and _is_python(value):
            self._classes.add(value)
            for part in [p for cls in value.__mro__ for p in vars(cls).values()]:
                self._meet(getattr(part, "__func__", getattr(part, "fget", part)))
        elif isinstance(value, types.FunctionType) and self._user.has(value.__code__, value.__globals__):
            self.functions[value] = None

    def _function(self, function: types.FunctionType, name: str) -> Any:
        self._meet(function)
        self._keep(function, function)
        cells = function.__closure__ or ()
        held = [(cell, cell.cell_contents) for cell in cells if _is_full(cell)]
        copies = [(cell, old, self.copy(old, f"a variable of {name}")) for cell, old in held]
        if all(old is new for _, old, new in copies):
            return function
        new_cells = {id(cell): types.CellType(new) for cell, _, new in copies}
        made = types.FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__,
            tuple(new_cells.get(id(cell), cell) for cell in cells),
        )  # fmt: skip
        made.__kwdefaults__ = function.__kwdefaults__
        made.__dict__.update(function.__dict__)
        return self._keep(function, made)

    def _method(self, method: types.MethodType, name: str) -> Any:
        bound = self.copy(method.__self__, name), self.copy(method.__func__, name)
        return self._keep(method, types.MethodType(bound[1], bound[0]))

    def _reference(self, reference: weakref.ReferenceType, name: str) -> Any:
        target = reference()
        return self._keep(reference, reference if target is None else weakref.ref(self.copy(target, name)))

    def _partial(self, part: functools.partial, name: str) -> Any:
        called = self.copy(part.func, name)
        given = [self.copy(value, name) for value in part.args]
        named = {key: self.copy(value, name) for key, value in part.keywords.items()}
        return self._keep(part, functools.partial(called, *given, **named))

    def _generator(self, generator: Any, name: str) -> Any:
        made = type(generator)(device=generator.device)
        made.set_state(generator.get_state())
        return self._keep(generator, made)

    # Objects --------------------------------------------------------------------------------------------------------------------------

    def _object(self, value: Any, name: str) -> Any:
        cls = type(value)
        self._meet(cls)
        solid: Any = next(c for c in cls.__mro__ if not _is_python(c))
        if isinstance(value, (tuple, frozenset)):
            return self._fixed(value, solid, name)
        if solid is not object and solid not in CONTAINERS and not isinstance(value, CONTAINERS):
            return self._reduced(value, name)
        if hasattr(cls, "__del__"):
            raise NotCopied(f"{name} has a __del__, which would run a second time")
        if isinstance(value, CONTAINERS) and not _is_python(cls):
            made: Any = deque(maxlen=value.maxlen) if isinstance(value, deque) else solid.__new__(solid)
            if hasattr(value, "default_factory"):
                made.default_factory = value.default_factory
        else:
            try:
                made = solid.__new__(cls)
            except TypeError:  # a class of C's after all
                return self._reduced(value, name)
        self._keep(value, made)
        self._fill(value, made, solid, name)
        for key, held in _attributes(value):
            new = self.copy(held, f"{name}.{key}")
            if hasattr(made, "__dict__") and key in value.__dict__:
                made.__dict__[key] = new
            else:
                object.__setattr__(made, key, new)
        return made

    def _fill(self, value: Any, made: Any, solid: Any, name: str) -> None:
        """What a container holds. `solid`: its class of C's, whose methods no code of the user's replaces."""
        if isinstance(value, dict):
            for i, (key, held) in enumerate([*solid.items(value)]):
                shown = repr(key) if isinstance(key, (str, int)) else str(i)
                solid.__setitem__(made, self.copy(key, name), self.copy(held, f"{name}[{shown}]"))
        elif isinstance(value, set):
            solid.update(made, [self.copy(held, name) for held in solid.__iter__(value)])
        elif isinstance(value, (list, deque)):
            for i, held in enumerate([*solid.__iter__(value)]):
                solid.append(made, self.copy(held, f"{name}[{i}]"))

    def _fixed(self, value: Any, solid: Any, name: str) -> Any:
        """A tuple; itself if nothing in it can change."""
        held = [*solid.__iter__(value)]
        parts = [self.copy(part, f"{name}[{i}]") for i, part in enumerate(held)]
        if all(old is new for old, new in zip(held, parts, strict=True)):
            return self._keep(value, value)
        return self._keep(value, solid.__new__(type(value), parts))

    def _reduced(self, value: Any, name: str) -> Any:
        """What a class of C's says of itself to pickle."""
        kind = type(value).__name__
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            raise NotCopied(f"{name} is {'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}, of which there is no copy") from None  # fmt: skip
        if isinstance(reduced, str) or not isinstance(reduced, tuple):
            return self._keep(value, value)
        function, given, state, items, pairs = (*reduced, None, None, None)[:5]
        made = self._keep(value, function(*[self.copy(one, name) for one in given]))
        if state is not None:
            state = self.copy(state, name)
            if hasattr(made, "__setstate__"):
                made.__setstate__(state)
            else:
                made.__dict__.update(state)
        for one in items or ():
            made.append(self.copy(one, name))
        for key, one in pairs or ():
            made[self.copy(key, name)] = self.copy(one, name)
        return made


def _hooks(leaf: Any) -> tuple[list[Any], list[Any]]:
    """The hooks of a leaf: those that get its gradient, and those that run when it was added."""
    rare = leaf._rare if isinstance(leaf, Tensor) else None
    if rare is not None:
        return [*rare.hooks.values()], [*rare.after_accumulation.values()]
    found = [getattr(leaf, name, None) or {} for name in ("_backward_hooks", "_post_accumulate_grad_hooks")]
    return [*found[0].values()], [*found[1].values()]


def _is_python(cls: type) -> bool:
    return bool(cls.__flags__ & HEAP_TYPE) and not cls.__flags__ & IMMUTABLE


def _is_full(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """What an object holds under names: in its `__dict__`, and in slots."""
    yield from [*getattr(value, "__dict__", {}).items()]
    for name in copyreg._slotnames(type(value)):  # type: ignore[attr-defined]
        if hasattr(value, name):
            yield name, getattr(value, name)
