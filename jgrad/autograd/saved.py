"""What nodes keep for the backward pass: `SavedTensor`, checked when it is read."""

from __future__ import annotations

from typing import Any

from jgrad.autograd.node import Node, display_name, stale
from jgrad.tensor import Tensor, _plain


class SavedTensor:
    """A tensor as it was when it was saved; `restore` gives it back, or raises if it was written to since.

    An output of the node that saves it is kept as array and version cell, since a node that held its own result would be a reference
    cycle: it comes back as a new tensor with the same history. Anything else comes back as the very same object.
    """

    __slots__ = ("tensor", "array", "cell", "version", "output_nr")

    def __init__(self, tensor: Tensor, node: Node) -> None:
        self.cell, self.version, self.output_nr = tensor._counter, tensor._counter[0], tensor._nr
        self.array = tensor._a
        self.tensor = None if tensor._fn is node else tensor

    def restore(self, node: Node) -> Tensor:
        """The tensor, for the node that saved it."""
        __tracebackhide__ = True
        origin: Any = node if self.tensor is None else self.tensor.grad_fn
        if self.cell[0] != self.version:
            name = None if origin is None else display_name(origin)
            nr = self.output_nr if self.tensor is None else self.tensor._nr
            stale(name, nr, self.array, self.cell[0], self.version)
        if self.tensor is not None:
            return self.tensor
        result = _plain(self.array)
        result._vc = self.cell
        result._fn, result._nr, result._rg = node, self.output_nr, True
        return result
