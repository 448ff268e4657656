"""Sparse gradients, as embeddings of PyTorch's give them. A tensor of ours over the same indices and values stands for such a gradient."""

from __future__ import annotations

import weakref
from typing import Any

from jgrad.mirrors.torch.memory import array_of
from jgrad.tensor import Tensor, wrap


class Shown:
    """The tensor that stands for a sparse tensor of PyTorch's, and the parts over which it was made."""

    __slots__ = ("of", "parts", "tensor")

    def __init__(self, t: Any) -> None:
        key = id(t)
        self.of = weakref.ref(t, lambda _: shown.pop(key, None) and None)
        self.parts: tuple[int, ...] = ()
        self.tensor: Tensor | None = None


shown: dict[int, Shown] = {}  # by the address of PyTorch's tensor


def stand_in(t: Any) -> Tensor | None:
    """The tensor that stands for a sparse one, up to date; None if its elements can't be shown. It is the same one at each call."""
    found = shown.get(id(t))
    if found is None or found.of() is not t:
        found = shown[id(t)] = Shown(t)
    parts = t._version, t._indices().data_ptr(), t._values().data_ptr(), t._nnz()
    if found.tensor is None or found.parts != parts:
        array = array_of(t)
        if array is None:
            return None
        if found.tensor is None:
            found.tensor = wrap(array)
        found.tensor._a, found.parts = array, parts
    return found.tensor
