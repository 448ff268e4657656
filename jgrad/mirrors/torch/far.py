"""Elements of PyTorch's tensors on a device. Only what the recorder needs is copied to the host: the two ends of a storage, a sample, a norm.

A `Far` has the methods of an array that the recorder uses. It computes on the device where the elements are.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from jgrad.kernels import libraries


class Far:
    """The elements of a tensor on a device, as an array. `get` gives a tensor over them."""

    __slots__ = ("get", "dtype", "shape", "strides", "start", "base", "__weakref__")

    def __init__(
        self,
        get: Callable[[], Any],
        dtype: Any,
        shape: tuple,
        strides: tuple,
        start: int = 0,
        base: Any = None,
    ) -> None:
        self.get, self.dtype = get, dtype
        self.shape, self.strides = tuple(shape), tuple(strides)  # in bytes, as NumPy's
        self.start, self.base = start, base  # in elements, from the beginning of `base`

    size = property(lambda self: prod(self.shape))
    ndim = property(lambda self: len(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    device = property(lambda self: SimpleNamespace(id=self.get().device.index or 0))

    @property
    def flags(self) -> Any:
        return SimpleNamespace(c_contiguous=self.get().is_contiguous(), writeable=True)

    def view(self, shape: tuple, strides: tuple, start: int) -> Far:
        """The elements of a tensor in this storage; strides in elements."""
        item, root = self.itemsize, self.get
        return Far(
            lambda: root().as_strided(shape, strides, start),
            self.dtype,
            shape,
            tuple([s * item for s in strides]),
            start,
            self,
        )

    def ravel(self, order: str = "C") -> Far:
        return of_tensor(self.get().reshape(-1), self.dtype)

    def __getitem__(self, key: Any) -> Far:
        return of_tensor(self.get()[key.get() if isinstance(key, Far) else key], self.dtype)

    def __invert__(self) -> Far:
        return of_tensor(~self.get(), self.dtype)

    def __abs__(self) -> Far:
        return of_tensor(self.get().abs(), self.dtype)

    def __truediv__(self, number: float) -> Far:
        return of_tensor(self.get() / number, self.dtype)

    def astype(self, dtype: Any) -> Far:
        dtype = np.dtype(dtype)
        return of_tensor(self.get().to(getattr(torch, dtype.name)), dtype)

    def dot(self, other: Far) -> Any:
        return torch.dot(self.get(), other.get())

    def item(self) -> Any:
        return to_host(self.get()).item()

    def sum(self) -> Any:
        return self.get().sum()

    def max(self) -> Any:
        return self.get().max()


def whole(storage: Any, of: Any, device: Any, dtype: Any) -> Far:
    """The elements of a storage, which it does not keep alive."""
    register()
    ref, numel = weakref.ref(storage), storage.nbytes() // dtype.itemsize

    def alias() -> Any:
        with torch.no_grad():
            return torch.empty(0, dtype=of, device=device).set_(ref(), 0, (numel,), (1,))

    return Far(alias, dtype, (numel,), (dtype.itemsize,))


def of_tensor(t: Any, dtype: Any) -> Far:
    """The elements of a tensor that nobody else holds."""
    return Far(lambda: t, dtype, t.shape, tuple([s * dtype.itemsize for s in t.stride()]))


def to_host(t: Any) -> Any:
    """A tensor's elements on the host. Every copy from a device to the host is made by this function."""
    return t.detach().contiguous().cpu()


def _seen(array: Far) -> Any:
    t = to_host(array.get())
    if array.dtype.kind == "V":  # of a narrow float, which PyTorch doesn't hand to NumPy
        return t.view(getattr(torch, f"int{8 * array.itemsize}")).numpy().view(array.dtype)
    return t.numpy()


def _owner(array: Far) -> Far:
    return array if array.base is None else array.base


def _summed(array: Far, shape: tuple) -> Far:
    return of_tensor(array.get().sum_to_size(shape), array.dtype)


def is_far(t: Any) -> bool:
    """Whether the elements of a tensor are in memory that only a device can read."""
    return not t.is_cpu


def register() -> None:
    """Register arrays of this kind with the recorder. It is called for the first tensor on a device."""
    if not libraries.is_known(Far):
        lower = SimpleNamespace(
            ndarray=Far,
            isnan=lambda a: of_tensor(a.get().isnan(), np.dtype(bool)),
            isinf=lambda a: of_tensor(a.get().isinf(), np.dtype(bool)),
        )
        library = libraries.Library("cuda", lower)
        library.kernels = SimpleNamespace(
            seen=_seen, to_host=_seen, owner=_owner, sum_to_size=_summed, address=lambda a: a.get().data_ptr(),
            offset_of=lambda a: a.start,
        )  # fmt: skip
        libraries.register_shown_class(Far, library)
