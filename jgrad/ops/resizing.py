"""Giving a tensor another geometry or other memory, in place: `resize_`, `resize_as_`, `set_`."""

from __future__ import annotations

import math
import sys
from typing import Any, NoReturn

import numpy as np

from jgrad import observer
from jgrad.dispatch import composite
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.node import Node
from jgrad.graph.view import bump, check_inplace, edge_to, rebase_history
from jgrad.kernels import libraries
from jgrad.kernels.numpy import c_name
from jgrad.storage import Storage, TypedStorage, offset_of, owner
from jgrad.tensor import Tensor


@composite(
    "resize_(Tensor(a!) self, int[] size, *, memory_format? memory_format=None) -> Tensor",
    forms="method",
    varargs=True,
)
def resize_(self: Tensor, shape: tuple, memory_format: Any = None) -> Tensor:
    """Another shape over the same storage, which grows if it must; elements that were not there before hold anything.

    Raises RuntimeError for tensors that require grad and for memory that NumPy lent; NotImplementedError where a storage
    that other tensors share would have to grow.
    """
    if self.requires_grad and not grad_mode.mode.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if any(n < 0 for n in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    a = self._a
    if a.shape != shape:
        with libraries.on_device_of((a,)):
            self._a = _over_grown(a, shape)
        bump(self)
    if observer.current is not None:
        observer.current.op("resize_", "view", (self,), (self,), None, {})
    return self


def _over_grown(a: np.ndarray, shape: tuple) -> np.ndarray:
    """An array of this shape at the beginning of `a`, whose storage is made larger if need be."""
    offset, root, library = offset_of(a), owner(a), libraries.of(a)
    over = library.kernels.over
    if (offset + math.prod(shape)) * a.itemsize <= root.nbytes:
        return over(root, shape, a.dtype, offset * a.itemsize)
    if not (root.flags.owndata and library.kernels.writeable(root)):
        raise RuntimeError("Trying to resize storage that is not resizable")
    # Referred to by the tensor (or the array that is its view), by our names and by the call's argument; any further reference is somewhere else.
    # (Tensors may also share the view.)
    if sys.getrefcount(root) > (5 if root is a else 3) or sys.getrefcount(a) > (5 if root is a else 4):
        raise NotImplementedError(
            "resize_() of a storage that other tensors share, to more elements than it has"
        )
    grown = library.np.empty(offset + math.prod(shape), a.dtype)
    grown.view(np.uint8)[: root.nbytes] = over(root, (root.nbytes,), np.dtype(np.uint8))
    return over(grown, shape, a.dtype, offset * a.itemsize)


@composite("resize_as_(Tensor(a!) self, Tensor the_template, *, memory_format? memory_format=None) -> Tensor")
def resize_as_(self: Tensor, the_template: Tensor, memory_format: Any = None) -> Tensor:
    """Resized, in place, to the shape of another tensor."""
    return resize_(self, tuple(the_template.shape))


class NotImplemented(Node):
    """What stands in the graph where `set_` gave a tensor other memory: nothing can be derived through it."""

    __slots__ = ()

    def name(self) -> str:
        return "torch::autograd::NotImplemented"

    def apply(self, grad: Any, needed: Any) -> NoReturn:
        raise RuntimeError("derivative for set_ is not implemented")

    apply_public = apply


@composite(
    "set_(Tensor(a!) self, any source=None, int storage_offset=0, int[]? size=None, int[]? stride=None) -> Tensor",
    forms="method",
)
def set_(
    self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
) -> Tensor:
    """This tensor on the memory of another tensor or of a storage, in place; without a source an empty one."""
    recorded = grad_mode.mode.enabled and (
        self.requires_grad or (isinstance(source, Tensor) and source.requires_grad)
    )
    dtype = self._a.dtype
    if isinstance(source, Tensor) and source._a.dtype != dtype:
        raise RuntimeError(
            f"Could not set tensor of type {c_name(source._a)} to a tensor of type {c_name(self._a)}"
        )
    check_inplace(self, recorded)
    if source is None:
        array = libraries.full(0, (0,), dtype, self.device)
    elif isinstance(source, Tensor):
        array = source._a
        if size is not None:
            array = _in_storage(owner(array), dtype, storage_offset, size, stride)
    elif isinstance(source, (Storage, TypedStorage)):
        source = source.untyped() if isinstance(source, TypedStorage) else source
        if size is None:
            size, stride = (source.nbytes() // dtype.itemsize,), (1,)
        array = _in_storage(source._owner, dtype, storage_offset, size, stride)
    else:
        raise TypeError(f"set_() received an invalid combination of arguments - got ({class_name(source)})")
    node = None
    if recorded:
        tensors = (self, source) if isinstance(source, Tensor) else (self,)
        node = NotImplemented(tuple(map(edge_to, tensors)), array.shape, array.dtype)
    self._get_geometry(array)
    bump(self)
    if node is not None:
        rebase_history(self, node)
    if observer.current is not None:
        read = (self, source) if isinstance(source, Tensor) else (self,)
        observer.current.op("set_", "view", read, (self,), node, {})
    return self


def _in_storage(root: Any, dtype: np.dtype, offset: int, size: Any, stride: Any) -> np.ndarray:
    shape, over = tuple(size), libraries.of(root).kernels.over
    if stride is None:
        return over(root, shape, dtype, offset * dtype.itemsize)
    last = offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))
    if math.prod(shape) and (last + 1) * dtype.itemsize > root.nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(stride)}, storage offset {offset}, and itemsize {dtype.itemsize} requiring "
            f"a storage size of {(last + 1) * dtype.itemsize} are out of bounds for storage of size {root.nbytes}"
        )
    return over(root, shape, dtype, offset * dtype.itemsize, tuple([s * dtype.itemsize for s in stride]))
