"""The methods of tensors by their names. Here pickle finds them: their own names are those that errors give them, `add` and not `Tensor.add`."""

from __future__ import annotations

import sys
from types import FunctionType

from jgrad.tensor import Tensor


def settle() -> None:
    """Let pickle find here the methods that it can find nowhere else."""
    for name, method in vars(Tensor).items():
        by_hand = isinstance(method, FunctionType) and method.__qualname__ == name
        if by_hand and getattr(sys.modules[method.__module__], name, None) is not method:
            method.__module__, globals()[name] = __name__, method
