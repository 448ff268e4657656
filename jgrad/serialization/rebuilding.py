"""Tensors from what a file holds of them: a storage, and a geometry that is checked against the size of the storage."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from jgrad import manual
from jgrad.dtypes import dtype
from jgrad.kernels import libraries
from jgrad.kernels.lazy import toggled
from jgrad.ops.creation import empty_strided
from jgrad.ops.pickling import own_slots
from jgrad.ops.sparse import sparse_coo_tensor
from jgrad.serialization.errors import UnsupportedError, damaged
from jgrad.storage import Storage
from jgrad.tensor import Tensor, _counted, layout, sparse_coo, sparse_csr, strided, wrap
from jgrad.typed_storage import TypedStorage


class StorageType:
    """What files of PyTorch call `torch.FloatStorage`: the class of the storages with elements of one dtype. Loading makes it; users need not."""

    def __init__(self, dtype: dtype) -> None:
        self.dtype = dtype


class Part(NamedTuple):
    """A part of a storage, which files before PyTorch 0.4 may name."""

    whole: TypedStorage
    offset: int  # in elements

    @property
    def dtype(self) -> dtype:
        return self.whole.dtype

    def untyped(self) -> Storage:
        """The storage that this is a part of."""
        return self.whole.untyped()


def missing(what: str) -> UnsupportedError:
    """The error for something in a file that jgrad has no counterpart for."""
    return UnsupportedError(f"jgrad has no counterpart for {what}, which the file uses")


def _counts(values: Any) -> tuple[int, ...]:
    if not isinstance(values, (tuple, list)) or any([type(v) is not int or v < 0 for v in values]):
        raise damaged("a size or a stride is not a tuple of non-negative numbers")
    return tuple(values)


def _over(storage: Any, kind: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor over a storage. Raises `LoadError` if its elements are not all inside of the storage."""
    if not isinstance(storage, (TypedStorage, Part)) or not isinstance(kind, dtype):
        raise damaged("a tensor has no storage")
    size, stride, (offset,) = _counts(size), _counts(stride), _counts((offset,))
    if len(size) != len(stride):
        raise damaged("a tensor has not as many strides as dimensions")
    if isinstance(storage, Part):
        offset += storage.offset
    untyped = storage.untyped()
    last = offset + sum([(n - 1) * s for n, s in zip(size, stride, strict=True)])
    if math.prod(size) == 0:  # PyTorch lets a tensor without elements begin behind the storage
        offset = min(offset, untyped.nbytes() // kind.itemsize)
    elif (last + 1) * kind.itemsize > untyped.nbytes():
        raise damaged(
            f"a tensor of size {list(size)}, strides {list(stride)} and offset {offset} is larger than its storage of {untyped.nbytes()} bytes"
        )
    root = untyped.bytes()
    strides = tuple([s * kind.itemsize for s in stride])
    try:
        array = libraries.library_of(root).kernels.over(
            root, size, kind.numpy, offset * kind.itemsize, strides
        )
    except (ValueError, OverflowError) as error:  # more dimensions or elements than NumPy can have
        raise damaged(str(error)) from None
    return _counted(wrap(array))


def _requiring(tensor: Tensor, requires_grad: Any) -> Tensor:
    if type(requires_grad) is not bool:
        raise damaged("requires_grad is neither True nor False")
    return tensor.requires_grad_(requires_grad)


def rebuild_tensor(storage: Any, storage_offset: Any, size: Any, stride: Any) -> Tensor:
    """A tensor of PyTorch before 0.4."""
    return _over(storage, getattr(storage, "dtype", None), storage_offset, size, stride)


def rebuild_tensor_v2(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    backward_hooks: Any = None,
    metadata: Any = None,
) -> Tensor:
    """A tensor. (Hooks are not in files any more. The metadata state whether it is a lazy conjugate or negative.)"""
    return rebuild_tensor_v3(
        storage,
        storage_offset,
        size,
        stride,
        requires_grad,
        backward_hooks,
        getattr(storage, "dtype", None),
        metadata,
    )


def rebuild_tensor_v3(
    storage: Any,
    storage_offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    """A tensor of a dtype that its storage does not have."""
    tensor = _over(storage, dtype, storage_offset, size, stride)
    if metadata:
        if not isinstance(metadata, dict):
            raise damaged("the metadata of a tensor are not a dictionary")
        if metadata.get("conj") or metadata.get("neg"):  # (a leaf, no view)
            turned = toggled(tensor._a, bool(metadata.get("conj")), bool(metadata.get("neg")))
            tensor = _counted(wrap(turned))
    return _requiring(tensor, requires_grad)


def rebuild_sparse_tensor(kind: Any, data: Any) -> Tensor:
    """A sparse tensor of its indices and values, which are checked."""
    if kind is not sparse_coo:
        raise missing(f"tensors of the layout {kind}")
    if not isinstance(data, tuple) or len(data) not in (3, 4):
        raise damaged("a sparse tensor has not as many parts as it should have")
    indices, values, size, *coalesced = data
    if (
        not (isinstance(indices, Tensor) and isinstance(values, Tensor))
        or indices.ndim != 2
        or not values.ndim
    ):
        raise damaged("a sparse tensor has no indices or values")
    try:
        result = sparse_coo_tensor(indices, values, _counts(size))
    except (RuntimeError, TypeError, ValueError) as error:
        raise damaged(str(error)) from None
    if coalesced and coalesced[0]:  # a file may promise what is not so: the places are looked at
        result._coalesced_(bool(result.coalesce()._indices().equal(result._indices())))
    return result


def rebuild_meta_tensor(kind: Any, size: Any, stride: Any, requires_grad: Any) -> Tensor:
    """A tensor on the meta device, of which a file has no storage."""
    size, stride = _counts(size), _counts(stride)
    if not isinstance(kind, dtype) or len(size) != len(stride):
        raise damaged("a tensor has no dtype, or not as many strides as dimensions")
    try:
        tensor = empty_strided(size, stride, dtype=kind, device="meta")
    except (RuntimeError, ValueError, OverflowError) as error:  # more elements than NumPy can have
        raise damaged(str(error)) from None
    return _requiring(tensor, requires_grad)


def rebuild_parameter(data: Any, requires_grad: Any = True, backward_hooks: Any = None) -> Tensor:
    """A parameter."""
    from jgrad.nn import Parameter

    if not isinstance(data, Tensor) or type(requires_grad) is not bool:
        raise damaged("a parameter has no data")
    return Parameter(data, requires_grad)


def rebuild_parameter_with_state(data: Any, requires_grad: Any, backward_hooks: Any, state: Any) -> Tensor:
    """A parameter with attributes."""
    return _with_attributes(rebuild_parameter(data, requires_grad, backward_hooks), state)


def rebuild_from_type_v2(func: Callable, new_type: Any, args: Any, state: Any) -> Tensor:
    """A tensor with attributes, or of a class derived from Tensor."""
    if func not in FUNCTIONS or not isinstance(args, tuple):
        raise damaged("a tensor is made by an unknown function")
    result = func(*args)
    if type(result) is not new_type:
        if not (isinstance(new_type, type) and issubclass(new_type, Tensor)):
            raise damaged("the class of a tensor is not derived from Tensor")
        result = result.as_subclass(new_type)
    if hasattr(type(result), "__setstate__"):
        result.__setstate__(state)
        return result
    return _with_attributes(result, state)


def _with_attributes(tensor: Tensor, state: Any) -> Tensor:
    attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    for part in (attributes, slots):
        if not isinstance(part, dict | None):
            raise damaged("the attributes of a tensor are not a dictionary")
    for name, value in (attributes or {}).items():
        if type(name) is not str or hasattr(type(tensor), name):
            raise damaged(f"a tensor can't have the attribute {name!r}")
        tensor.__dict__[name] = value
    for name, value in (slots or {}).items():
        if name not in own_slots(type(tensor)):
            raise damaged(f"a {type(tensor).__name__} has no slot {name!r}")
        setattr(tensor, name, value)
    return tensor


def get_layout(name: Any) -> layout:
    """The layout of a name."""
    found = {f"torch.{kind.name}": kind for kind in (strided, sparse_coo, sparse_csr)}
    if name not in found:
        raise missing(f"the layout {name}")
    return found[name]


FUNCTIONS = (
    rebuild_tensor,
    rebuild_tensor_v2,
    rebuild_tensor_v3,
    rebuild_meta_tensor,
    rebuild_sparse_tensor,
    rebuild_parameter,
    rebuild_parameter_with_state,
)


manual.attach(__name__)
