"""The methods of tensors by their names. Here pickle finds them: their own names are those that errors give them, `add` and not `Tensor.add`."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any

from jgrad.tensor import Tensor

# Methods that have another name in PyTorch than that under which they are found. Whoever is asked about a call reads it (`__torch_function__`).
OTHER_NAMES = {"__pow__": "pow", "__ipow__": "pow_", "__rtruediv__": "__rdiv__", "__itruediv__": "__idiv__"}


def settle() -> None:
    """Give the methods that were written under other names their own, and let pickle find here those that it can find nowhere else."""
    for name, value in list(vars(Tensor).items()):
        method: Any = getattr(value, "__func__", value)
        if not isinstance(method, FunctionType):
            continue
        if method.__name__ not in vars(Tensor):
            method.__name__ = name
        if method.__qualname__.rpartition(".")[2] not in vars(Tensor):
            method.__qualname__ = f"Tensor.{name}"
        by_hand = method.__qualname__ == name
        if by_hand and getattr(sys.modules[method.__module__], name, None) is not method:
            method.__module__, globals()[name] = __name__, method
        method.__name__ = OTHER_NAMES.get(name, method.__name__)
