"""What nodes keep for the backward pass: `SavedTensor`, checked when it is read, or what the user's hooks made of the tensor.

Note [Saved tensor hooks]: while hooks are on, a node's slot holds a `Packed` instead of the tensor. The written backward of a node reads
`_vc` and `_a` of what it finds in a slot, and `Packed` has these: reading `_a` unpacks. The fast paths save without asking, so they are
off as long as any thread has hooks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

from jgrad.dispatch.batched import same_without_history
from jgrad.errors import class_name
from jgrad.graph import grad_mode, levels
from jgrad.graph.node import FREED, Node, accumulator_of, display_name, stale
from jgrad.graph.view import edge_to
from jgrad.tensor import Tensor, _plain


class _Hooks(threading.local):
    def __init__(self) -> None:
        self.stack: list[tuple[Callable, Callable]] = []
        self.disabled: str | None = None


hooks = _Hooks()


class Packed:
    """What a pack hook made of a saved tensor, with the tensor's place in the graph: an edge, or OWN for a result of the node that saves
    it (a node that held an edge to itself would be a reference cycle)."""

    __slots__ = ("content", "unpack_hook", "edge", "output_nr")
    _vc = None
    _fn = False  # (no leaf and no node: detached in place it can't be)

    def __init__(
        self, tensor: Tensor, own: bool = False, pair: tuple[Callable, Callable] | None = None
    ) -> None:
        pack, self.unpack_hook = pair or hooks.stack[-1]
        self.edge = OWN if own else edge_to(tensor)
        self.output_nr = tensor._nr
        version = tensor._writes
        with grad_mode.no_grad():
            self.content = pack(tensor if pair is None else tensor.detach())
        if tensor._writes != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be modified by "
                "in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place "
                "operations on the input to a pack hook."
            )

    @property
    def _a(self) -> Any:
        with grad_mode.no_grad():
            return self._unpack()._a

    def _unpack(self) -> Tensor:
        result = self.unpack_hook(self.content)
        if not isinstance(result, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {class_name(result)}"
            )
        return result

    def restore(self, node: Node | None) -> Tensor:
        """The unpacked tensor with the history of the one that was packed, for the node that saved it. (A stand-in for a leaf leads to
        its AccumulateGrad.)"""
        unpacked = self._unpack()
        result = same_without_history(unpacked)
        if isinstance(self.edge, Tensor):
            result._rg = True
            result._fn = accumulator_of(self.edge)
        elif self.edge is not None:
            origin: Any = node if self.edge is OWN else getattr(self.edge, "node", self.edge)
            result._fn, result._nr, result._rg = origin, self.output_nr, True
        return result


def packed(value: Any) -> Any:
    """What goes into a slot of a node: the tensor, or what the hooks make of it."""
    return Packed(value) if hooks.stack and isinstance(value, Tensor) else value


OWN = object()
NEVER = (-1,)  # the version cell of a result that was packed: unlike any version


def refuse_detached() -> NoReturn:
    """Raise PyTorch's error for a saved tensor that lost its history."""
    raise RuntimeError(
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please use out-of-place "
        "`.detach()` instead"
    )


class RawSaved:
    """What a node keeps in one place, for users who want to give it hooks of its own; PyTorch calls it SavedTensor."""

    def __init__(self, node: Any, name: str, index: int | None = None) -> None:
        self.node, self.name, self.index = node, name, index

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep what `pack_hook` makes of the tensor instead, from which `unpack_hook` makes the tensor again."""
        if not (callable(pack_hook) and callable(unpack_hook)):
            raise TypeError("register_hooks(): incompatible function arguments")
        content = self.node.kept(self.name, self.index)
        if content is FREED:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed when you "
                "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
                "you need to access saved variables after calling backward."
            )
        if content is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if isinstance(content, Packed):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed at a "
                "time."
            )
        tensor = self.unpack()
        own = tensor._fn is self.node
        self.node.keep_packed(self.name, self.index, Packed(tensor, own, (pack_hook, unpack_hook)))

    def unpack(self) -> Any:
        """The tensor, checked, with its history."""
        return self.node.looked_at(self.name, self.index)

    @property
    def data(self) -> Any:
        """What the pack hook made of the tensor, or the tensor."""
        content = self.node.kept(self.name, self.index)
        return content.content if isinstance(content, Packed) else self.unpack()

    @property
    def unpack_hook(self) -> Callable | None:
        content = self.node.kept(self.name, self.index)
        return content.unpack_hook if isinstance(content, Packed) else None


RawSaved.__name__ = RawSaved.__qualname__ = "SavedTensor"


class SavedTensor:
    """A tensor as it was when it was saved; `restore` gives it back, or raises if it was written to since.

    An output of the node that saves it is kept as array and version cell, since a node that held its own result would be a reference
    cycle: it comes back as a new tensor with the same history. Anything else comes back as the very same object.
    """

    __slots__ = ("tensor", "array", "cell", "version", "output_nr", "packed", "is_leaf", "twin")

    def __init__(self, tensor: Tensor, node: Node | None) -> None:
        self.cell, self.version, self.output_nr = tensor._counter, tensor._counter[0], tensor._nr
        self.is_leaf = tensor._fn is None
        own = node is not None and tensor._fn is node
        self.packed = Packed(tensor, own) if hooks.stack else None
        self.array = tensor._a if self.packed is None else None
        self.twin = same_without_history(tensor) if levels.anywhere and own else None
        self.tensor = None if own or self.packed is not None else tensor

    def restore(self, node: Node | None) -> Tensor:
        """The tensor, for the node that saved it (None: what saved it is no node)."""
        __tracebackhide__ = True
        if self.packed is not None:
            return self.packed.restore(node)
        origin: Any = node if self.tensor is None else self.tensor.grad_fn
        if origin is None and not self.is_leaf:
            refuse_detached()
        if self.cell[0] != self.version:
            name = None if origin is None else display_name(origin)
            nr = self.output_nr if self.tensor is None else self.tensor._nr
            stale(name, nr, self.array, self.cell[0], self.version)
        if self.tensor is not None:
            return self.tensor
        result = _plain(self.array) if self.twin is None else same_without_history(self.twin)
        result._vc = self.cell
        result._fn, result._nr, result._rg = node, self.output_nr, True
        return result
