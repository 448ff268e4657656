"""Giving a tensor another geometry or other memory, in place: `resize_`, `resize_as_`, `set_`."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from jgrad import formats, observer
from jgrad.dispatch import composite
from jgrad.errors import class_name
from jgrad.graph import grad_mode
from jgrad.graph.node import Node
from jgrad.graph.view import bump, check_inplace, edge_to, rebase_history
from jgrad.kernels import lazy, libraries
from jgrad.kernels.numpy import c_name
from jgrad.kernels.numpy.shape import is_channels_last, refuse_large_strides
from jgrad.storage import Storage, give_shape, offset_of, owner
from jgrad.tensor import Tensor
from jgrad.typed_storage import TypedStorage


@composite(
    "resize_(Tensor(a!) self, int[] size, *, memory_format? memory_format=None) -> Tensor",
    forms="method",
    varargs=True,
)
def resize_(self: Tensor, shape: tuple, memory_format: Any = None) -> Tensor:
    """Gives the tensor another shape over the same storage, in place. The storage grows if it is too small."""
    if self.requires_grad and not grad_mode.mode.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if any(n < 0 for n in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    formats.check("resize_", memory_format)
    if memory_format is formats.preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    a = self._a
    if math.prod(shape) >= 2**63:
        raise RuntimeError("numel: integer multiplication overflow")
    if math.prod(shape) * a.itemsize >= 2**63:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")
    refuse_large_strides(shape)
    if a.shape != shape:
        with libraries.device_guard((a,)):
            give_shape(self, shape)
        bump(self)
    if memory_format in formats.NDIM:
        strides = tuple([s * a.itemsize for s in formats.strides_in(shape, memory_format)])
        over, memory = libraries.library_of(self._a).kernels.over, lazy.memory_of(self._a)
        self._a = lazy.alike(
            over(owner(memory), shape, a.dtype, offset_of(memory) * a.itemsize, strides), self._a
        )
    if (watch := observer.current) is not None:
        watch.op("resize_", "view", (self,), (self,), None, {})
    return self


@composite("resize_as_(Tensor(a!) self, Tensor the_template, *, memory_format? memory_format=None) -> Tensor")
def resize_as_(self: Tensor, the_template: Tensor, memory_format: Any = None) -> Tensor:
    """Gives the tensor the shape of another one over the same storage, in place. The storage grows if it is too small."""
    if memory_format is formats.preserve_format:
        memory_format = None
        if is_channels_last(the_template._a):
            memory_format = formats.channels_last if the_template._a.ndim == 4 else formats.channels_last_3d
    return resize_(self, tuple(the_template.shape), memory_format=memory_format)


class NotImplemented(Node):
    """The node that stands in the graph where `set_` gave a tensor other memory. It has no derivative: to go backward through it raises
    RuntimeError.
    """

    __slots__ = ()
    runs_first = True

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
    """Puts the tensor on the memory of another tensor or of a storage, in place. Without a source, it becomes empty."""
    recorded = grad_mode.mode.enabled and (
        self.requires_grad or (isinstance(source, Tensor) and source.requires_grad)
    )
    if size is None and storage_offset:
        given = f"{class_name(source)}, {class_name(storage_offset)}"
        raise TypeError(f"set_() received an invalid combination of arguments - got ({given})")
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
            array = _in_storage(Storage.of(array), dtype, storage_offset, size, stride)
    elif isinstance(source, (Storage, TypedStorage)):
        if isinstance(source, TypedStorage) and source.dtype.numpy != dtype:
            raise RuntimeError(
                f"Expected a Storage of type {c_name(self._a)} or an UntypedStorage, but got type {source.dtype.type_name} for argument 1 "
                "'storage'"
            )
        source = source.untyped() if isinstance(source, TypedStorage) else source
        if size is None:
            size, stride = (source.nbytes() // dtype.itemsize,), (1,)
        array = _in_storage(source, dtype, storage_offset, size, stride)
    else:
        raise TypeError(f"set_() received an invalid combination of arguments - got ({class_name(source)})")
    node = None
    if recorded:
        tensors = (self, source) if isinstance(source, Tensor) else (self,)
        node = NotImplemented(tuple(map(edge_to, tensors)), array.shape, array.dtype)
    self._get_geometry(lazy.alike(lazy.memory_of(array), self._a))
    bump(self)
    if node is not None:
        rebase_history(self, node)
    if (watch := observer.current) is not None:
        read = (self, source) if isinstance(source, Tensor) else (self,)
        watch.op("set_", "view", read, (self,), node, {})
    return self


def _in_storage(source: Storage, dtype: np.dtype, offset: int, size: Any, stride: Any) -> np.ndarray:
    """An array over a storage, which is made larger if need be."""
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    shape = tuple(size)
    stride = formats.strides_in(shape, formats.contiguous_format) if stride is None else stride
    needed = (offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True)) + 1) * dtype.itemsize
    if math.prod(shape) and needed > source.nbytes():
        if not source.resizable():
            raise RuntimeError("Trying to resize storage that is not resizable")
        source.resize_(needed)
    root, strides = source._owner, tuple([s * dtype.itemsize for s in stride])
    return libraries.library_of(root).kernels.over(root, shape, dtype, offset * dtype.itemsize, strides)
