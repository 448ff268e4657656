"""Leaves: how a gradient that arrives is added to `.grad`.

Note [Whose array]: the first gradient becomes `.grad` without a copy if nothing else refers to its array; otherwise a later `.grad += ...`
would change an array that something else reads. NumPy can't say who refers to an array, so its references are counted. The count must not depend on
how deep the calls are nested or on which local variables exist, since Python versions differ in what a call adds. So a gradient that is
complete is held in one place only, the slot `grad` of a `ReadyLeaf`, and is read from there each time. Then the count is that of the slot
and of the argument of `getrefcount`, on every Python; `ONE_HOLDER` is measured in the same way.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import Any

import numpy as np

from jgrad import observer, warn
from jgrad.engine.gradients import Gradient, raw
from jgrad.graph import grad_mode
from jgrad.graph.node import AccumulateGrad
from jgrad.graph.view import assert_no_internal_overlap, bump, dense
from jgrad.graph.written import version_of
from jgrad.kernels import libraries
from jgrad.kernels.numpy.shape import broadcast_error
from jgrad.kernels.sparse import is_sparse, shared
from jgrad.tensor import Tensor, _plain

# Held while a gradient is added to a leaf: passes of several threads may reach one leaf.
lock = threading.RLock()


class ReadyLeaf:
    """A leaf and its complete gradient, which nothing but this slot holds; see Note [Whose array]."""

    __slots__ = ("leaf", "grad")

    def __init__(self, leaf: Tensor, grad: Gradient) -> None:
        self.leaf = leaf
        self.grad = grad

    def __lt__(self, other: object) -> bool:
        return False  # all leaves are equal in the heap: see Note [Order] in `jgrad/engine/graph_task.py`


def accumulate(ready: ReadyLeaf, on_tensors: bool) -> None:
    """Add the gradient of a leaf to its `.grad`, as PyTorch's AccumulateGrad does.

    The first gradient is taken as it is if nothing else holds it, else copied. Later ones are added in place; or out of place, if the
    pass is recorded (`on_tensors`).
    """
    leaf = ready.leaf
    if not leaf._rg:
        return
    sparse = libraries.unusual and _with_sparse(ready)
    if leaf._fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    present, watch = leaf._grad, observer.current
    before = None if watch is None or present is None else watch.keep(present._a)
    if sparse:
        _accumulate_sparse(ready, on_tensors)
    elif present is None:
        leaf._grad = _copy_of(ready) if on_tensors else _taken(ready)
    else:
        if on_tensors:
            leaf._grad = present + ready.grad if grad_mode.mode.enabled else present.add_(ready.grad)
        else:
            _add_in_place(present, ready.grad)
        if leaf._grad._a.strides != leaf._a.strides:  # type: ignore[union-attr]
            _warn_of_layout(leaf)
    if watch is not None:
        watch.accumulated(leaf, before, raw(ready.grad), leaf._grad._a)  # type: ignore[union-attr]


def _with_sparse(ready: ReadyLeaf) -> bool:
    """Whether the gradient or the `.grad` that it is added to is sparse, or the leaf. Refuses a gradient on another device."""
    if libraries.several:
        _check_device(ready)
    present = ready.leaf._grad
    return (
        is_sparse(raw(ready.grad))
        or is_sparse(ready.leaf._a)
        or (present is not None and is_sparse(present._a))
    )


def _accumulate_sparse(ready: ReadyLeaf, on_tensors: bool) -> None:
    """Add a gradient to `.grad` where one of them, or the leaf, is sparse. The first one is copied, or shares the parts of a sparse one that
    lie in memory row by row; a dense one on a sparse one makes a dense `.grad`."""
    leaf, present = ready.leaf, ready.leaf._grad
    taken = present is None and not on_tensors and _parts_may_be_taken(ready)
    new = ready.grad if on_tensors else _plain(ready.grad)
    with contextlib.nullcontext() if on_tensors else observer.unobserved():
        if present is None:
            leaf._grad = _plain(shared(new._a)) if taken else new.clone()
        else:
            leaf._grad = _sum_with_sparse(present, new, on_tensors)


def _parts_may_be_taken(ready: ReadyLeaf) -> bool:
    """Whether the parts of a sparse gradient can become those of `.grad`: they lie row by row, and no other gradient has them."""
    if sys.getrefcount(ready.grad) > ONE_HOLDER or not is_sparse(ready.grad):
        return False
    return sys.getrefcount(ready.grad.values) <= ONE_HOLDER and ready.grad.values.flags.c_contiguous


def _sum_with_sparse(total: Any, new: Tensor, on_tensors: bool) -> Tensor:
    if is_sparse(total._a) and not is_sparse(new._a):
        return new + total
    return total + new if on_tensors and grad_mode.mode.enabled else total.add_(new)


def _check_device(ready: ReadyLeaf) -> None:
    here, there = libraries.device_name(raw(ready.grad)), libraries.device_name(ready.leaf._a)
    if here != there:
        raise RuntimeError(
            f"expected device {there} but got {here}: a gradient must be on the device of its tensor"
        )


def _add_in_place(present: Tensor, grad: Any) -> None:
    """Add a raw gradient to `.grad`."""
    total = present._a
    if not total.flags.c_contiguous:
        assert_no_internal_overlap(total)
    try:
        total += grad
    except ValueError:
        raise RuntimeError(_misfit(total, grad)) from None
    bump(present)


def _misfit(total: Any, grad: Any) -> str:
    """Why a gradient can't be added to a `.grad`: the leaf got another shape since."""
    try:
        shape = np.broadcast_shapes(total.shape, grad.shape)
    except ValueError:
        return broadcast_error([total, grad])
    return f"output with shape {list(total.shape)} doesn't match the broadcast shape {list(shape)}"


def _copy_of(ready: ReadyLeaf) -> Tensor:
    """A recorded copy of a gradient that is a tensor, so that the gradient of this gradient can be asked for."""
    array = ready.leaf._a
    if not dense(array):
        return ready.grad.clone()
    strides = tuple([s // array.itemsize for s in array.strides])
    empty = libraries.library_of(array).kernels.empty_strided(array.shape, strides, ready.grad._a.dtype)
    return _plain(empty).copy_(ready.grad)


def _taken(ready: ReadyLeaf) -> Tensor:
    """A raw gradient as `.grad`: its own array where possible, else a copy in the layout of the leaf."""
    array = ready.leaf._a
    if not may_be_taken(ready):
        grad = _plain(laid_out_as(ready.grad, array))
        if dense(array):
            grad._vc = [1]  # PyTorch makes this copy by a write
        return grad
    writes = version_of(ready.grad)
    if not libraries.is_array(ready.grad):
        grad = _plain(laid_out_as(ready.grad, array))  # a scalar of NumPy's has no memory of its own
    else:
        grad = _plain(ready.grad if ready.grad.base is None else _without_sharing(ready))
    if writes:
        grad._vc = [writes]
    return grad


def may_be_taken(ready: ReadyLeaf) -> bool:
    """Whether the array can become `.grad`: it has the strides of the leaf, and nothing else refers to it."""
    if ready.grad.strides != ready.leaf._a.strides:
        return False
    return sys.getrefcount(ready.grad) <= ONE_HOLDER


def _without_sharing(ready: ReadyLeaf) -> Any:
    """A gradient that is a view, as an array that shares no memory with others.

    That is the base of the view, if the view shows all of it and nothing else refers to it, or a copy. (PyTorch takes a view even if
    others share its memory, and so lets one `.grad` change with another.)
    """
    view, base = ready.grad, ready.grad.base
    same = libraries.is_array(base) and base.flags.owndata and base.dtype is view.dtype
    same = same and base.shape == view.shape and base.strides == view.strides
    del base  # only the view must refer to it when its references are counted
    return view.base if same and sys.getrefcount(view.base) <= ONE_HOLDER else view.copy("K")


_measured = ReadyLeaf(Tensor.__new__(Tensor), np.ones(1))
ONE_HOLDER = sys.getrefcount(_measured.grad)


def laid_out_as(grad: Any, variable: Any) -> Any:
    """A copy of a gradient with the strides of the variable, if these are dense."""
    if variable.flags.c_contiguous or not dense(variable):
        copy = libraries.library_of(grad).np.array(grad, order="C")
        # (Along dimensions of extent 1 strides are arbitrary, and taken on too.)
        if copy.strides == variable.strides or not variable.flags.c_contiguous:
            return copy
    strides = tuple([s // variable.itemsize for s in variable.strides])
    copy = libraries.library_of(variable).kernels.empty_strided(variable.shape, strides, grad.dtype)
    try:
        copy[...] = grad
    except ValueError:  # the leaf got another shape since
        raise RuntimeError(broadcast_error([copy, grad])) from None
    return copy


def _warn_of_layout(leaf: Tensor) -> None:
    """Warn if the gradient of a dense leaf has other strides than the leaf, or that of another leaf is not contiguous."""
    grad = leaf._grad
    assert grad is not None
    if dense(leaf._a):
        # (The leaf may have got fewer dimensions since.)
        pairs = zip(leaf._a.shape, leaf.stride(), grad.stride(), strict=False)
        obeys = all([n == 1 or a == b for n, a, b in pairs])
    else:
        obeys = grad._a.flags.c_contiguous
    if not obeys:
        shapes = [
            f"{name}.sizes() = {list(t.shape)}, strides() = {list(t.stride())}"
            for name, t in (("grad", grad), ("param", leaf))
        ]
        warn.once(
            "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance.\n"
            + "\n".join(shapes),
            key="gradient layout contract",
        )


# What a user calls who calls the node of a leaf: `node(grad)`.
def _apply(self: AccumulateGrad, grad: Gradient, needed: Any) -> tuple:
    accumulate(ReadyLeaf(self.variable, grad), on_tensors=False)
    return ()


def _apply_public(self: AccumulateGrad, grad: Gradient, needed: Any) -> tuple:
    accumulate(ReadyLeaf(self.variable, grad), on_tensors=True)
    return ()


AccumulateGrad.apply = _apply  # type: ignore[assignment, method-assign]
AccumulateGrad.apply_public = _apply_public  # type: ignore[assignment, method-assign]
