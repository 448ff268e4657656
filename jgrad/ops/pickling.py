"""Copies of tensors by `copy`, `deepcopy` and `pickle`. Attributes that a program gave to a tensor go along, and memory that was shared stays shared."""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Callable
from typing import Any

from jgrad import observer
from jgrad import storage as storages
from jgrad.dtypes import FROM_NUMPY, dtype
from jgrad.graph.grad_mode import no_grad
from jgrad.kernels import lazy, libraries
from jgrad.kernels.sparse import SparseArray, shared
from jgrad.ops.creation import empty_strided
from jgrad.ops.subclasses import SLOTS
from jgrad.storage import UntypedStorage
from jgrad.tensor import Tensor, _counted, _plain, wrap

# Attributes --------------------------------------------------------------------------------------------------------------------


def own_slots(cls: type) -> list[str]:
    """The slots that a subclass of Tensor adds."""
    return [name for name in copyreg._slotnames(cls) if name not in Tensor.__slots__]  # type: ignore[attr-defined]


def _getstate(self: Tensor) -> Any:
    """The attributes that a program gave to this tensor, as `pickle` has those of any object."""
    attributes = self.__dict__ or None
    slots = {name: getattr(self, name) for name in own_slots(type(self)) if hasattr(self, name)}
    return (attributes, slots) if slots else attributes


def set_state(tensor: Tensor, state: Any) -> Tensor:
    """Give a tensor the attributes of another one."""
    parts = state if isinstance(state, tuple) else (state, None)
    if len(parts) != 2:
        raise RuntimeError(f"Invalid serialized state: {state}")
    for part in parts:
        for name, value in (part or {}).items():
            setattr(tensor, name, value)
    return tensor


# Pickles and shallow copies ----------------------------------------------------------------------------------------------------


def _reduce_ex(self: Tensor, protocol: Any) -> tuple:
    rebuild, parts = parts_of(self)
    state = self.__getstate__()
    if type(self) is Tensor and not state:
        return rebuild, parts
    return _rebuild_with_class, (rebuild, type(self), parts, state)


def parts_of(tensor: Tensor) -> tuple[Callable[..., Tensor], tuple]:
    """A function that makes a tensor without attributes again, and its arguments."""
    tensor._warn_of_hooks()
    if tensor.is_sparse:
        return _rebuild_sparse, (shared(tensor._a),)
    if libraries.several and tensor.is_meta:
        return _rebuild_meta, (tensor.dtype, tensor.shape, tensor.stride(), tensor.requires_grad)
    # With the storage, so that what shares a storage shares one afterwards too.
    offset = tensor.storage_offset() * tensor.itemsize
    geometry = tensor.dtype, offset, tensor._a.shape, tensor._a.strides, tensor.requires_grad
    bits = lazy.bits_of(tensor._a) if isinstance(tensor._a, lazy.Lazy) else ()
    return _rebuild, (tensor.untyped_storage(), *geometry, *bits)


def _rebuild(
    storage: UntypedStorage,
    dtype: dtype,
    offset: int,
    shape: tuple,
    strides: tuple,
    requires_grad: bool,
    conjugated: bool = False,
    negated: bool = False,
) -> Tensor:
    """A leaf over a storage. Offset and strides are in bytes."""
    root = storage._owner.view(dtype.numpy)
    whole = root.shape == shape and root.strides == strides
    over = libraries.library_of(root).kernels.over
    array = root if whole else over(root.ravel("K"), shape, dtype.numpy, offset, strides)
    if conjugated or negated:
        array = lazy.toggled(array, conjugated, negated)
    return _counted(wrap(array, requires_grad))


def _rebuild_sparse(array: SparseArray) -> Tensor:
    """A sparse tensor; its copy does not require grad, as in PyTorch. (Pickled arrays have dtypes of their own, equal but not the same.)"""
    values = storages.writable(array.values)
    values = values.view(FROM_NUMPY[values.dtype].numpy)
    return wrap(SparseArray(storages.writable(array.indices), values, array.shape, array.coalesced))


def _rebuild_meta(dtype: dtype, shape: tuple, strides: tuple, requires_grad: bool) -> Tensor:
    return empty_strided(shape, strides, dtype=dtype, device="meta").requires_grad_(requires_grad)


def _rebuild_with_class(rebuild: Callable[..., Tensor], cls: type, parts: tuple, state: Any) -> Any:
    """A tensor with attributes, or of a subclass."""
    result: Any = rebuild(*parts)
    if type(result) is not cls:
        result = result.as_subclass(cls)
    if hasattr(cls, "__setstate__"):
        result.__setstate__(state)
        return result
    return set_state(result, state)


# Deep copies -------------------------------------------------------------------------------------------------------------------


def _deepcopy(self: Tensor, memo: dict) -> Any:
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were "
            "attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    if id(self) in memo:
        return memo[id(self)]
    result = _with_own_memory(self, memo)
    result._rg = self.requires_grad
    watch = observer.current
    if watch is not None:
        watch.op("deepcopy", "op", (self,), (result,), None, {})
    if self._grad is not None:
        result._grad = self._grad.__deepcopy__(memo)
        if watch is not None:
            watch.grad_assigned(result, None, result._grad._a)
    for name in own_slots(type(self)):
        if hasattr(self, name):
            setattr(result, name, copy.deepcopy(getattr(self, name), memo))
    if self.__dict__:
        result.__dict__ = copy.deepcopy(self.__dict__, memo)
    memo[id(self)] = result
    return result


def _with_own_memory(tensor: Tensor, memo: dict) -> Any:
    """A leaf of the same class with a copy of the elements. Tensors that share a storage share one in the copy too."""
    a = tensor._a
    with observer.unobserved(), no_grad():
        if (
            tensor.is_sparse
            or (libraries.several and tensor.is_meta)
            or (type(tensor) is not Tensor and not a.size)
        ):
            return _of_same_class(tensor, tensor.clone(), "wrapper subclasses", "clone()", "cloning")
        if isinstance(a, lazy.Lazy):
            result = _plain(lazy.resolved(a))
        else:
            root = UntypedStorage.of(a).__deepcopy__(memo)._owner
            over = libraries.library_of(a).kernels.over
            result = _counted(
                _plain(over(root, a.shape, a.dtype, a.itemsize * tensor.storage_offset(), a.strides))
            )
        if type(tensor) is Tensor:
            return result
        made = _of_same_class(
            tensor, tensor.new_empty([]), "non-wrapper subclasses", "new_empty()", "that function"
        )
        for slot in SLOTS:
            setattr(made, slot, getattr(result, slot))
        return made


def _of_same_class(tensor: Tensor, made: Any, kind: str, method: str, what: str) -> Any:
    if type(made) is type(tensor):
        return made
    raise RuntimeError(
        f"The default implementation of __deepcopy__() for {kind} only works for subclass types that implement {method} and for which "
        f"{what} returns another instance of the same subclass. You should either properly implement {method} for your subclass or "
        f"override __deepcopy__() if it is intended behavior for {method} to return an instance of a different type."
    )


for _name, _method in {
    "__getstate__": _getstate,
    "__reduce_ex__": _reduce_ex,
    "__deepcopy__": _deepcopy,
}.items():
    setattr(Tensor, _name, _method)
