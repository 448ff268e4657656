"""What opt_einsum calls for tensors of jgrad: functions with NumPy's parameters. opt_einsum is told of them when it is imported (`loading.follow`)."""

from __future__ import annotations

from typing import Any

from opt_einsum.backends import dispatch

import jgrad
from jgrad.tensor import Tensor


def einsum(equation: str, *operands: Tensor) -> Tensor:
    """The sums of products that an equation describes. Its letters may be any characters, as opt_einsum takes others after z and Z."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    used = sorted(set(equation) - set("->,."))
    return jgrad.einsum(equation.translate(str.maketrans("".join(used), letters[: len(used)])), *operands)


def tensordot(x: Tensor, y: Tensor, axes: Any = 2) -> Tensor:
    """The sums of products over some dimensions of both tensors."""
    return jgrad.tensordot(x, y, axes)


def transpose(a: Tensor, axes: Any) -> Tensor:
    """The dimensions in another order."""
    return a.permute(tuple(axes))


dispatch._aliases["jgrad"] = __name__
