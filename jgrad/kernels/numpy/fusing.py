"""What goes element by element, and may be one kernel on a device. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable)


def fused(function: Function) -> Function:
    """Marks a function of arrays and numbers that is made of element-wise steps alone; on NumPy it is called as it is."""
    return function


def written(function: Callable) -> Callable:
    """Such a function that writes what it makes into an array, which comes after its arguments."""

    def write(*args: Any) -> None:
        args[-1][...] = function(*args[:-1])

    return write


def summed(function: Callable) -> Callable:
    """The sum of such a function over dimensions: all, some or one."""

    def total(*args: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return function(*args).sum(axis, keepdims=keepdims)

    return total
