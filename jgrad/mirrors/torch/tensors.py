"""Mirrors: jgrad tensors that stand for PyTorch's. They have the same memory, the same version counters and mirrored nodes.

Note [Lifetimes]: a mirror must live exactly as long as its tensor, since the recorder says when a tensor died. So it is kept in a dictionary, by
the address of the tensor, until a weak reference says that the tensor is gone. Mirrors refer to their tensors weakly, and to each other as
PyTorch's tensors and nodes do.

Note [Views under way]: after a write to its base, a view gets a new node when its `grad_fn` is read. PyTorch holds a lock while it
makes this node, and the operators that it runs for this are reported here. If we read the `grad_fn` of the same view then, we would wait for the lock
for ever. So inside of an operator or a backward pass (`careful`), the `grad_fn` of a view is read only if the view has not changed since the last
time, or if the operator has just made it.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import torch

from jgrad.graph import overriding
from jgrad.graph.node import extras_of
from jgrad.kernels.meta import MetaArray, over
from jgrad.mirrors.known import known
from jgrad.mirrors.torch import nodes, sparse
from jgrad.mirrors.torch.far import Far
from jgrad.mirrors.torch.memory import DTYPES, Memory, array_of, memory_of
from jgrad.mirrors.torch.private import is_wrapped, share_counter, without_dispatch
from jgrad.tensor import Tensor, TensorExtras

PLAIN = frozenset((torch.Tensor, torch.nn.Parameter))
NO_GRADIENTS: dict[int, tuple[Any, Any]] = {}  # of a mirror that has read none yet
PLACES = 16  # of gradients that a mirror remembers

tensors: dict[int, Mirror] = known
careful = False  # see Note [Views under way]
made: tuple[int, ...] = ()  # the addresses of the results of the last operation


class ViewOf:
    """What a mirror is a view of. PyTorch itself gives views new nodes."""

    __slots__ = ("base",)

    def __init__(self, base: Mirror) -> None:
        self.base = base

    def refresh(self, tensor: Tensor) -> None:
        pass


class Mirror(Tensor):
    """Stands for a PyTorch tensor."""

    __slots__ = (
        "of",
        "_address",
        "_memory",
        "_geometry",
        "_seen",
        "_inference",
        "_grad_seen",
        "wrapped_number",
    )

    __torch_function__ = overriding.disabled_torch_function_impl

    of: weakref.ref[Any]  # the tensor
    _address: int  # of its first element
    _memory: Memory  # in which it lies
    _geometry: tuple  # what `_a` was made of
    _seen: int  # the version at which `_fn` was read
    _inference: bool  # whether it has no version
    # Of gradients that `_grad_array` read: by their addresses, the dtype and the elements.
    _grad_seen: dict[int, tuple[Any, Any]]
    wrapped_number: bool  # whether it stands for a number that is written to a tensor

    # A jgrad tensor computes these attributes. For a mirror, PyTorch has decided them.
    requires_grad = property(lambda self: self._rg)
    grad_fn = property(lambda self: self._fn)
    is_leaf = property(lambda self: self._fn is None)

    @property
    def _grad(self) -> Any:  # type: ignore[override]
        grad = self._given_grad()
        return None if grad is None else gradient(grad)

    def _grad_array(self) -> Any:
        grad = self._given_grad()
        if grad is None or grad.layout is not torch.strided:
            return array_of(grad)
        address, seen = grad.data_ptr(), self._grad_seen
        # (Each round mostly has a new gradient in memory that one of an earlier round had.)
        if address in seen:
            dtype, found = seen[address]
            if (
                grad.dtype is dtype
                and grad.shape == found.shape
                and grad.is_contiguous()
                and not grad.is_neg()
            ):
                return found
        found = array_of(grad)
        if found.__class__ is np.ndarray and found.flags.c_contiguous and found.dtype.kind == "f":
            if not seen or len(seen) == PLACES:
                seen = self._grad_seen = {}
            seen[address] = grad.dtype, found
        return found

    def _live_array(self) -> Any:
        t = self.of()
        if t is not None:
            shape, strides, _, _, dtype = self._geometry
            if (
                t.data_ptr() == self._address
                and t.shape == shape
                and t.stride() == strides
                and t.dtype is dtype
            ):
                return self._a
        found = None if t is None else current(t)
        return np.empty(0, self._a.dtype) if found is None else found._a

    def _given_grad(self) -> Any:
        """PyTorch's `.grad` of the tensor, None if it has none."""
        t = self.of()
        try:
            return t.grad if t is not None and (t.is_leaf or t.retains_grad) else None
        except RuntimeError:  # of a view that a write has spoilt
            return None

    @property
    def device(self) -> Any:
        t = self.of()
        return super().device if t is None else t.device

    def is_inference(self) -> bool:
        return self._inference


class Reference(weakref.ref):
    """A weak reference to a tensor, whose mirror goes when the tensor does. `key`: the address of the tensor."""

    __slots__ = ("key",)
    key: int


def mirror(t: Any) -> Mirror | None:
    """The mirror of a tensor, in the state in which it was last brought up to date; None if the tensor can't have a mirror."""
    found = tensors.get(id(t))
    if found is not None and found.of() is t:
        return found
    m = _placed(t)
    if m is None:
        return None
    try:
        base = t._base
        _count(m, t, None if base is None else mirror(base))
        return _state(m, t, False)
    except BaseException:
        tensors.pop(id(t), None)
        m._memory.sharers.pop(id(t), None)
        raise


def mirror_of_result(t: Any, view: bool) -> tuple[Mirror, Any] | None:
    """The mirror of a tensor that an operator has just made as its only result, and the mirror of its node; None if it can't have a mirror, or if
    the node was known before. This reads less than `mirror`: nobody has changed the tensor yet."""
    fn = t.grad_fn
    if fn is not None and nodes.KEY in fn.metadata:
        return None
    m = _placed(t)
    if m is None:
        return None
    base = t._base if view else None
    _count(m, t, None if base is None else mirror(base))
    if m._inference or t._backward_hooks:
        return _state(m, t, False), m._fn
    version = t._version
    if fn is not None:
        m._fn, m._rg = nodes.new_node(fn, version, t, m._a), True
    else:
        m._rg = t.requires_grad
    m._vc[0] = m._seen = version  # type: ignore[index]
    return m, m._fn


def _placed(t: Any) -> Mirror | None:
    """A new mirror of a tensor, of which nothing but the memory is known yet."""
    numpy = DTYPES[t.dtype]
    if numpy is None or t.__class__ not in PLAIN or t.is_nested or is_wrapped(t) or t.is_conj() or t.is_neg():
        return None
    try:
        storage = t.untyped_storage()
        address = storage.data_ptr()
    except (NotImplementedError, RuntimeError):
        # It is sparse or of another layout, or it stands for no memory.
        return None
    m = object.__new__(Mirror)
    m.of = of = Reference(t, _died)
    of.key = key = id(t)
    shape, strides, offset = t.shape, t.stride(), t.storage_offset()
    m._memory = memory = memory_of(storage, address, numpy, shape, t)
    m._address = address = address + offset * numpy.itemsize if memory.address else t.data_ptr()
    m._geometry = shape, strides, address, memory.nbytes, t.dtype
    m._a = _array(memory.array, shape, strides, offset, numpy)
    m._fn = m._rare = m._view = m._vc = None
    m._rg, m._nr, m._seen, m._grad_seen = False, 0, -1, NO_GRADIENTS
    m._inference = t.is_inference()
    tensors[key] = m
    return m


def _count(m: Mirror, t: Any, base: Mirror | None) -> None:
    """Give a new mirror its version cell: that of its base, or of a tensor in the same memory that has the same counter, or a new one."""
    memory = m._memory
    if base is not None:
        m._view, m._vc = ViewOf(base), base._vc
    else:
        m._vc = [0] if m._inference or not memory.sharers else _counter_of(t, memory)
    memory.sharers[id(t)] = m


def _array(root: Any, shape: Any, strides: tuple, offset: int, numpy: Any) -> Any:
    """The elements of a tensor in the memory of `root`: the root itself if it shows the same."""
    if root.__class__ is Far:
        return root.view(shape, strides, offset)
    item = numpy.itemsize
    strides = (strides[0] * item,) if len(strides) == 1 else tuple([s * item for s in strides])
    if not offset and root.strides == strides and root.shape == shape and root.dtype is numpy:
        return root
    start = offset * item
    if 0 in shape:  # (of a tensor without elements it may lie beyond the end)
        start = min(start, root.nbytes)
    if root.__class__ is MetaArray:
        return over(root, tuple(shape), numpy, strides, start)
    return np.ndarray(tuple(shape), numpy, root, start, strides)


def kind_without_mirror(t: Any) -> str:
    """The kind of a tensor that can't have a mirror, in words."""
    if is_wrapped(t):
        return "a tensor inside of a function that torch.func transforms"
    if t.__class__ not in PLAIN:
        return f"a tensor of the class {t.__class__.__name__}"
    if t.is_nested or t.layout is not torch.strided:
        return f"a {'nested' if t.is_nested else 'sparse'} tensor"
    if t.is_conj() or t.is_neg():
        return "a tensor that is conjugated or negated lazily"
    return f"a tensor of the dtype {t.dtype}"


def why_none(t: Any) -> str:
    """What runs if a tensor is computed that can't have a mirror, in words."""
    if is_wrapped(t):
        return "a function that torch.func transforms runs"
    if t.__class__ in PLAIN and t.layout is torch.strided and (t.is_conj() or t.is_neg()):
        return "a tensor is conjugated or negated lazily"
    return f"{kind_without_mirror(t)} is computed"


def current(t: Any) -> Mirror | None:
    """The mirror of a tensor, up to date."""
    found: Any = tensors.get(id(t))
    if found is None or found.of() is not t:
        return mirror(t)
    if (
        not found._inference
        and t._version == found._seen
        and t.data_ptr() == found._address
        and t.requires_grad is found._rg
        and t._backward_hooks is None
    ):
        return found  # nothing else changes without a call that is reported
    return fresh(found, t)


def gradient(grad: Any) -> Tensor | None:
    """The tensor that stands for a gradient, up to date."""
    return current(grad) if grad.layout is torch.strided else sparse.stand_in(grad)


def _died(reference: Reference, known: dict[int, Mirror] = tensors) -> None:
    # (A default, since the names of this module are gone when the interpreter ends.)
    key = reference.key
    found = known.get(key)
    if found is not None and found.of is reference:
        del known[key]
        found._memory.sharers.pop(key, None)


def _counter_of(t: Any, memory: Memory) -> list[int]:
    """The version cell of a tensor that is no view. One that `detach()` made has that of the tensor it was made of."""
    for other in list(memory.sharers.values()):
        o = other.of()
        if o is not None and o is not t and not other._inference and share_counter(o, t):
            return other._vc
    return [0]


def fresh(m: Mirror, t: Any, unasked: bool = False) -> Mirror:
    """Bring a mirror up to date. `unasked`: the program has not used the tensor. Then the grad_fn of a view must not be read, because this would
    give the view a new node."""
    address = t.data_ptr()
    geometry = t.shape, t.stride(), address, t.untyped_storage().nbytes(), t.dtype
    if geometry != m._geometry:
        _look_at_memory(m, t, geometry)
    return _state(m, t, unasked)


def _state(m: Mirror, t: Any, unasked: bool) -> Mirror:
    """Bring up to date the parts of a mirror that do not depend on its memory."""
    try:
        version = m._vc[0] if m._inference else t._version  # type: ignore[index]
    except RuntimeError:  # see `share_counter`
        m._inference, version = True, m._vc[0]  # type: ignore[index]
    # See Note [Views under way].
    if m._view is None or m._seen == version or (id(t) in made if careful else not unasked):
        guard = None if m._view is None else without_dispatch()  # a view may get a new node now
        try:
            fn = t.grad_fn
        except RuntimeError:  # of a view that a write has spoilt
            fn = None
        finally:
            del guard
        m._fn = None if fn is None else nodes.node(fn, version, t)
        m._seen = version
    m._rg, m._nr = t.requires_grad, t.output_nr
    m._vc[0] = version  # type: ignore[index]
    if m._fn is not None and t.retains_grad:
        _rare(m).retains_grad = True
    if t._backward_hooks or t._post_accumulate_grad_hooks:
        _note_hooks(m, t)
    return m


def _look_at_memory(m: Mirror, t: Any, geometry: tuple) -> None:
    storage = t.untyped_storage()
    numpy = DTYPES[t.dtype]
    memory = memory_of(storage, storage.data_ptr(), numpy, geometry[0], t)
    if memory is not m._memory:
        m._memory.sharers.pop(id(t), None)
        m._memory = memory
        memory.sharers[id(t)] = m
        # The storage may have got other memory, so no array over the old one may stay.
        for other in list(memory.sharers.values()):
            if other._memory is not memory and (o := other.of()) is not None:
                fresh(other, o, True)
    m._a = _array(memory.array, geometry[0], geometry[1], t.storage_offset(), numpy)
    m._geometry, m._address = geometry, geometry[2]


def _note_hooks(m: Mirror, t: Any) -> None:
    if t._backward_hooks:
        hooks: Any = HooksOf(m.of, "_backward_hooks")
        _rare(m).hooks = hooks
        if m._fn is not None:
            extras_of(m._fn).tensor_hooks[m._nr] = hooks
    if t._post_accumulate_grad_hooks:
        after: Any = HooksOf(m.of, "_post_accumulate_grad_hooks")
        _rare(m).after_accumulation = after


class HooksOf:
    """The hooks of a tensor, read when they are asked for: PyTorch's dictionary would keep alive what the hooks refer to, such as the tensor."""

    __slots__ = ("of", "name")

    def __init__(self, of: Any, name: str) -> None:
        self.of, self.name = of, name

    def values(self) -> list[Any]:
        return [*(getattr(self.of(), self.name, None) or {}).values()]


def _rare(m: Mirror) -> TensorExtras:
    if m._rare is None:
        m._rare = TensorExtras()
    return m._rare


def refresh_sharers(m: Mirror) -> None:
    """Bring up to date the others whose elements lie in the same storage."""
    sharers = m._memory.sharers
    if len(sharers) > 1:
        for other in list(sharers.values()):
            if other is not m and (t := other.of()) is not None:
                fresh(other, t, True)


def refresh() -> None:
    """Bring all mirrors up to date."""
    for m in list(tensors.values()):
        t = m.of()
        if t is not None:
            try:
                fresh(m, t, True)
            except RuntimeError:  # of a transform that is over
                tensors.pop(id(t), None)


def all_in(values: Any) -> list[Any]:
    """The tensors among some values, and in lists and tuples there."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif value.__class__ is list or value.__class__ is tuple or isinstance(value, (list, tuple)):
            found += all_in(value)
    return found


def mirrored(values: Any) -> tuple[Mirror, ...]:
    """The mirrors of some tensors, up to date."""
    return tuple([m for t in values if (m := current(t)) is not None])


def with_mirrors(value: Any) -> Any:
    """An argument of an operator, with mirrors in the place of tensors."""
    if isinstance(value, torch.Tensor):
        return mirror(value)
    if isinstance(value, (list, tuple)):
        return (*map(with_mirrors, value),) if isinstance(value, tuple) else [*map(with_mirrors, value)]
    return value
