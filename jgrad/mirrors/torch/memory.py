"""NumPy arrays over the memory of PyTorch's tensors.

An array over a whole storage stands for the storage, as the array that owns memory does in jgrad; a tensor that has all of its elements in order
is shown by that very array. PyTorch keeps one `UntypedStorage` object per
storage, as long as that lives; it can be referenced weakly. So the array is kept exactly as long. It shows memory at an address, which is
compared at each look, since a storage may get other memory.
"""

from __future__ import annotations

import ctypes
import weakref
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import torch

from jgrad import devices
from jgrad.dtypes import NARROW, OF_NUMPY
from jgrad.kernels import meta
from jgrad.mirrors.torch import far
from jgrad.mirrors.torch.far import is_far


class _Dtypes(dict[Any, Any]):
    """PyTorch's dtypes in NumPy; None for those that it can't show. Those of bfloat16 and float8 need ml_dtypes, which is imported when a tensor has
    one: jgrad's own operators become slower with it."""

    def __missing__(self, dtype: Any) -> Any:
        narrow = next((d for d in NARROW if f"torch.{d.name}" == str(dtype)), None)
        try:
            found = None if narrow is None else narrow.numpy
        except ImportError:
            found = None
        self[dtype] = found
        return found


STRIDED = torch.strided
DTYPES = _Dtypes({getattr(torch, d.name): d.numpy for d in OF_NUMPY})


class Reference(weakref.ref):
    """A weak reference to a storage. `key`: its address."""

    __slots__ = ("key",)
    key: int


class Memory:
    """A storage: a weak reference to it, the array over it, its address and its size in bytes, and the mirrors of the tensors there by the
    addresses of the tensors."""

    __slots__ = ("of", "array", "address", "nbytes", "sharers")

    def __init__(self, storage: Any, address: int, dtype: Any, shape: tuple, t: Any) -> None:
        self.of = of = Reference(storage, _died)
        of.key = id(storage)
        self.address, self.nbytes = address, storage.nbytes()
        if t.is_meta:
            devices.resolve("meta")
            self.array = meta.storage(self.nbytes // dtype.itemsize, dtype)
        elif is_far(t):
            self.array = far.whole(storage, t.dtype, t.device, dtype)
        else:
            self.array = _over(address, self.nbytes, dtype, shape)
        self.sharers: dict[int, Any] = {}


memories: dict[int, Memory] = {}  # by the address of the UntypedStorage


def memory_of(storage: Any, address: int, dtype: Any, shape: tuple, t: Any) -> Memory:
    """What is known of a storage, up to date. `address`: that of its elements. `t`: a tensor in it, and its shape, which the array gets if it has as
    many elements."""
    found: Any = memories.get(id(storage))
    if found is None or found.of() is not storage:
        found = memories[id(storage)] = Memory(storage, address, dtype, shape, t)
    elif found.address != address or found.nbytes != storage.nbytes():  # it has other memory now
        sharers = found.sharers
        found = memories[id(storage)] = Memory(storage, address, dtype, shape, t)
        found.sharers = sharers
    return found


def _died(reference: Reference) -> None:
    found = memories.get(reference.key)
    if found is not None and found.of is reference:
        del memories[reference.key]


def _over(address: int, nbytes: int, dtype: Any, shape: tuple) -> Any:
    numel = nbytes // dtype.itemsize
    if not address or not numel:
        return np.empty(0, dtype)
    if prod(shape) != numel:
        shape = (numel,)
    return np.ndarray(shape, dtype, _buffer(nbytes)(address))


@lru_cache(1000)
def _buffer(nbytes: int) -> Any:
    """The function that gives the memory of so many bytes at an address."""
    return (ctypes.c_char * nbytes).from_address


def array_of(t: Any) -> Any:
    """The elements of a tensor that PyTorch holds as long as this array is looked at; None if NumPy can't show them."""
    if t is None:
        return None
    layout, dtype = t.layout, DTYPES[t.dtype]
    if layout is not STRIDED and layout is torch.sparse_coo:
        return _sparse_array_of(t)
    if dtype is None or layout is not STRIDED or t.is_neg() or (dtype.kind == "c" and t.is_conj()):
        return None
    shape = t.shape
    try:
        address = t.data_ptr()
    except RuntimeError:  # it stands for no memory, as in a transform
        return None
    if t.is_meta:
        one = meta.storage(1, dtype)  # stands for all elements of a gradient
        return meta.over(one, tuple(shape), dtype, (0,) * len(shape), 0)
    if 0 in shape:
        return np.empty(tuple(shape), dtype)
    if is_far(t):
        return far.of_tensor(t.detach(), dtype)
    item = dtype.itemsize
    if t.is_contiguous():
        return np.ndarray(shape, dtype, _buffer(prod(shape) * item)(address))
    strides = tuple([s * item for s in t.stride()])
    extent = sum([(n - 1) * s for n, s in zip(shape, strides, strict=True)]) + item
    return np.ndarray(shape, dtype, _buffer(extent)(address), 0, strides)


def _sparse_array_of(t: Any) -> Any:
    """The elements of a sparse tensor: where they are, and their values."""
    # Imported late: few programs need it, and jgrad's own operators are slower with it.
    from jgrad.kernels.sparse import SparseArray

    indices, values = array_of(t._indices()), array_of(t._values())
    if not isinstance(indices, np.ndarray) or not isinstance(values, np.ndarray):
        return None  # on a device
    return SparseArray(indices, values, tuple(t.shape), t.is_coalesced())
