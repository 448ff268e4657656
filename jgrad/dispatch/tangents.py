"""The tangents that tensors carry in forward mode, by level.

Note [Tangents]: `_rare.tangents` of a tensor holds its tangent for each level that is open, the tangent of a view being a view of the
tangent. A tangent may carry tangents of levels further out; of levels further in it knows nothing. That is what keeps nested derivatives
from being confused: the tangent of a level is computed from arguments that were stripped of this level and all levels inside of it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from jgrad.dispatch import batched
from jgrad.dispatch.batched import Batched, tensors_among
from jgrad.graph import grad_mode, levels
from jgrad.graph.levels import Level
from jgrad.graph.node import accumulator_of
from jgrad.graph.view import dense
from jgrad.kernels import libraries
from jgrad.kernels.lazy import bits_of
from jgrad.tensor import Tensor, _plain


def dual(primal: Tensor, tangent: Tensor, level: Level) -> Tensor:
    """A view of `primal` that carries a tangent."""
    __tracebackhide__ = True
    if level in tangents_of(primal):
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported."
        )
    if level in tangents_of(tangent):
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
        )
    if tangent._a.shape != primal._a.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is "
            f"of size {list(primal._a.shape)} while the given forward gradient is of size {list(tangent._a.shape)}."
        )
    result = primal.view_as(primal)
    attach(result, level, _in_place_of(primal, tangent))
    return result


def _in_place_of(primal: Tensor, tangent: Tensor) -> Tensor:
    """A tangent that a user gives shares its memory with the one of the dual tensor if it lies in its storage as the primal in its own. Else it is
    copied to such a place."""
    if isinstance(primal, Batched) or isinstance(tangent, Batched):
        return tangent
    offset, size = primal.storage_offset(), _storage_size(primal)
    here, there = bits_of(primal._a), bits_of(tangent._a)
    if same_strides(primal, tangent) and (offset, size, here) == (
        tangent.storage_offset(),
        _storage_size(tangent),
        there,
    ):
        return tangent
    whole = tangent.new_zeros(size)
    place = _plain(whole.as_strided(primal.shape, primal.stride(), offset)._a)
    return place.copy_(tangent)


def _storage_size(t: Tensor) -> int:
    return t.untyped_storage().nbytes() // t.itemsize


def same_strides(t: Tensor, other: Tensor) -> bool:
    """Whether two tensors of one shape have the same strides, counted in elements. Those of dimensions of length 1 don't count."""
    a, b = t._a, other._a
    if a.strides == b.strides and a.itemsize == b.itemsize:
        return True
    pairs = zip(a.shape, a.strides, b.strides, strict=True)
    return all([n == 1 or s // a.itemsize == z // b.itemsize for n, s, z in pairs])


def parts(tensor: Tensor, level: Level) -> tuple[Tensor, Tensor | None]:
    """A view of the tensor without its tangent of this level, and the tangent."""
    tangent = tangents_of(tensor).get(level)
    return (tensor.view_as(tensor), None) if tangent is None else (stripped(tensor, level), tangent)


def tangents_of(t: Tensor) -> dict[Level, Tensor]:
    """The tangents that a tensor carries, by level. A view has those that its base got by a write after it was made."""
    found = own(t)
    if t._view is not None and t._view.base._rare is not None:
        for level in tangents_of(t._view.base):
            if level not in found and (part := tangent_of_view(t, level)) is not None:
                found[level] = part
    return {level: tangent for level, tangent in found.items() if tangent is not None}


def own(t: Tensor) -> dict[Level, Tensor | None]:
    """What is stored of a tensor's tangents; None at a level says that there is none, whatever its base has."""
    if t._rare is None or not t._rare.tangents:
        return {}
    return {level: tangent for level, tangent in t._rare.tangents.items() if level.open}


def differentiated(t: Tensor) -> bool:
    """Whether a derivative with respect to this tensor may be asked for, at any level."""
    if (t.requires_grad and grad_mode.mode.enabled) or tangents_of(t):
        return True
    return isinstance(t, Batched) and differentiated(t.value)


def attach(t: Tensor, level: Level, tangent: Tensor) -> None:
    """Give a tensor its tangent, in the tensor's own strides, so that what is a view of the one can be one of the other; and different for
    each example of the batches that are open outside of the level, so that it can be written to whatever the write depends on."""
    if t._view is None:
        tangent = widened(
            tangent, [at for at in levels.stack.levels if at.size is not None and at.number < level.number]
        )
    if isinstance(t, Batched):
        fits = t._view is not None or t.bdim is None or not dense(t.value._a)
    else:
        fits = same_strides(t, tangent) or not dense(t._a)
    if not fits:
        tangent = like(t, tangent.dtype).copy_(tangent)
    t._extras().tangents = {**own(t), level: tangent}


def like(t: Tensor, dtype: Any) -> Any:
    """An empty tensor with the strides of this one, batched where it is."""
    if isinstance(t, Batched):
        return batched.batched(like(t.value, dtype), t.bdim, t.level)
    strides = tuple([stride // t._a.itemsize for stride in t._a.strides])
    return _plain(t._a).new_empty_strided(t._a.shape, strides, dtype=dtype)


def widened(t: Tensor, at: list[Level]) -> Tensor:
    """A tensor that has elements of its own for each example at all of these levels, the outermost first."""
    present = set()
    value = t
    while isinstance(value, Batched):
        if value.bdim is not None:
            present.add(value.level)
        value = value.value
    missing = [level for level in at if level not in present]
    if not missing:
        return t
    shape = (*[level.size or 0 for level in missing], *t._a.shape)
    ones: Any = _plain(libraries.full(1, shape, t._a.dtype, t.device))
    for level in missing:
        ones = batched.wrap(ones, 0, level)
    # An operation, which carries along the history of `t` and its tangents of levels further out.
    return ones * t


def stripped(t: Tensor, level: Level) -> Tensor:
    """The same tensor, at the same place of the graph, without its tangents of this level and those inside of it."""
    found = tangents_of(t)
    kept = {at: tangent for at, tangent in found.items() if at.number < level.number}
    if len(kept) == len(found):
        return t
    result: Any = object.__new__(Batched if isinstance(t, Batched) else Tensor)
    if isinstance(t, Batched):
        result.value, result.bdim, result.level = t.value, t.bdim, t.level
    result._a, result._vc, result._view = t._a, t._counter, t._view
    result._fn, result._nr, result._rg, result._grad, result._rare = t._fn, t._nr, t._rg, None, None
    if t._fn is None and t._rg:
        result._fn = accumulator_of(t)  # it stands for this very leaf
    # None: not even those of its base.
    result._extras().tangents = dict.fromkeys(found) | kept
    return result


class _Ignoring(threading.local):
    tangents = False


ignoring = _Ignoring()


@contextlib.contextmanager
def ignored(value: bool) -> Iterator[None]:
    """A block in which operations carry no tangents on, as `no_grad` for the way forward; or one inside of it in which they do."""
    before, ignoring.tangents = ignoring.tangents, value
    try:
        yield
    finally:
        ignoring.tangents = before


def carried(values: list[Any]) -> list[Level]:
    """The levels at which any argument of an operation carries a tangent, the outermost first."""
    if ignoring.tangents:
        return []
    found = {level for t in tensors_among(values) for level in tangents_of(t)}
    return sorted(found, key=lambda level: level.number)


def tangent_of_view(view: Tensor, level: Level) -> Tensor | None:
    """A view of a tensor that had no tangent so far gets one, of zeros, and its base with it."""
    base = view._view.base
    if base._a.dtype != view._a.dtype:
        return None
    whole = tangents_of(base).get(level)
    if whole is None:
        attach(base, level, zeros(base))
        whole = tangents_of(base)[level]
    part = part_of(whole, base, view)
    if part is None:
        return None
    here, there = bits_of(view._a), bits_of(base._a)
    part = part.conj() if here[0] is not there[0] else part
    part = part._neg_view() if here[1] is not there[1] else part
    view._extras().tangents = {**own(view), level: part}
    return part


def part_of(whole: Any, base: Tensor, view: Tensor) -> Any:
    """Of a tensor with the strides of `base`, what `view` is of `base`; None if it has not these strides."""
    if isinstance(base, Batched) and isinstance(view, Batched):
        if not isinstance(whole, Batched) or whole.level is not base.level or whole.bdim != base.bdim:
            return None
        part = part_of(whole.value, base.value, view.value)
        return None if part is None else batched.batched(part, view.bdim, view.level)
    offset = view.storage_offset() - base.storage_offset() + whole.storage_offset()
    return whole.as_strided(view._a.shape, view.stride(), offset)


def zeros(t: Tensor) -> Tensor:
    """Zeros like a tensor, batched where it is."""
    made: Tensor = _plain(libraries.full(0, t._a.shape, t._a.dtype, t.device))
    return batched.batched(made, None, t.level) if isinstance(t, Batched) else made
