"""`once_differentiable`: a decorator for the backward of a `Function` that can't be differentiated itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad.graph import grad_mode
from jgrad.graph.node import Node
from jgrad.tensor import Tensor, _plain


class Error(Node):
    """The history of results that can't be differentiated; asking for their gradients raises."""

    __slots__ = ("_outputs", "others")
    runs_first, materializes = True, False

    def __init__(self, results: list[Tensor | None]) -> None:
        edges = tuple([None if t is None else _leaf(t) for t in results])
        self.others = [(None, None) if t is None else (t._a.shape, t._a.dtype) for t in results]
        super().__init__(edges, *self.others[0])
        self._outputs = len(results)

    def metadata_of(self, output_nr: int) -> tuple:
        return self.others[output_nr]

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grad: Any, needed: Any) -> tuple:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )

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
        found = [*results] if isinstance(results, tuple) else [results]
        node = Error(found)
        refusing = [t if t is None else _with_history(t, node, i) for i, t in enumerate(found)]
        return tuple(refusing) if isinstance(results, tuple) else refusing[0]

    return wrapper


def _leaf(tensor: Tensor) -> Tensor:
    leaf = tensor.detach()
    leaf._rg = True
    return leaf


def _with_history(tensor: Tensor, node: Node, number: int) -> Tensor:
    """The same values as an output of this node."""
    result = _plain(tensor._a)
    result._vc, result._rg, result._fn, result._nr = tensor._vc, True, node, number
    return result
