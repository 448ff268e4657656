"""`once_differentiable`: a decorator for the backward of a `Function` that can't be differentiated itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad.graph import grad_mode
from jgrad.graph.node import Node
from jgrad.tensor import Tensor, _plain


class Error(Node):
    """The history of a result that can't be differentiated; asking for its gradient raises."""

    __slots__ = ("message",)

    def __init__(self, edge: Any, array: Any, message: str) -> None:
        super().__init__((edge,), array.shape, array.dtype)
        self.message = message

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grad: Any, needed: Any) -> tuple:
        raise RuntimeError(self.message)

    apply_public = apply


def once_differentiable(backward: Callable) -> Callable:
    """Decorator of a `backward` that can't be differentiated itself: trying to do so raises instead of giving a wrong result."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with grad_mode.no_grad():
            results = backward(ctx, *args, **kwargs)
        if not (
            grad_mode.is_grad_enabled() and any([isinstance(a, Tensor) and a.requires_grad for a in args])
        ):
            return results
        return tuple([_refusing(t) for t in results]) if isinstance(results, tuple) else _refusing(results)

    return wrapper


def _refusing(tensor: Tensor | None) -> Tensor | None:
    """The same values with a history that raises."""
    if tensor is None:
        return None
    leaf = tensor.detach()
    leaf._rg = True
    result = _plain(tensor._a)
    result._vc = tensor._vc
    result._rg = True
    result._fn = Error(
        leaf,
        tensor._a,
        "trying to differentiate twice a function that was marked with @once_differentiable",
    )
    return result
