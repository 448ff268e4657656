"""What einops does with tensors of jgrad. einops finds this class by itself, among the subclasses of its own (see `loading.follow`)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from einops._backends import AbstractBackend

import jgrad
from jgrad.tensor import Tensor


class JgradBackend(AbstractBackend):
    """The operations that einops is made of, on tensors of jgrad."""

    framework_name = "jgrad"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, Tensor)

    def from_numpy(self, x: Any) -> Tensor:
        tensor = jgrad.from_numpy(x)
        return tensor.requires_grad_() if self.is_float_type(tensor) else tensor

    def to_numpy(self, x: Tensor) -> Any:
        return x.detach().cpu().numpy()

    def arange(self, start: int, stop: int) -> Tensor:
        return jgrad.arange(start, stop)

    def transpose(self, x: Tensor, axes: Any) -> Tensor:
        return x.permute(axes)

    def reduce(self, x: Tensor, operation: str, reduced_axes: Any) -> Tensor:
        axes = tuple(reduced_axes)
        if operation in ("min", "max"):
            return getattr(x, f"a{operation}")(axes)
        if operation in ("sum", "mean", "any", "all"):
            return getattr(x, operation)(axes)
        if operation == "prod":
            for axis in sorted(axes, reverse=True):
                x = x.prod(axis)
            return x
        raise NotImplementedError("Unknown reduction ", operation)

    def stack_on_zeroth_dimension(self, tensors: list) -> Tensor:
        return jgrad.stack(tensors)

    def add_axes(self, x: Tensor, n_axes: int, pos2len: dict[int, int]) -> Tensor:
        repeats = [-1] * n_axes
        for position, length in pos2len.items():
            x = x.unsqueeze(position)
            repeats[position] = length
        return x.expand(repeats)

    def add_axis(self, x: Tensor, new_position: int) -> Tensor:
        return x.unsqueeze(new_position)

    def tile(self, x: Tensor, repeats: Any) -> Tensor:
        return x.repeat(repeats)

    def concat(self, tensors: list, axis: int) -> Tensor:
        return jgrad.cat(tensors, axis)

    def is_float_type(self, x: Tensor) -> bool:
        return x.is_floating_point()

    def layers(self) -> ModuleType:
        from jgrad.utils import einops_layers

        return einops_layers

    def einsum(self, pattern: str, *x: Tensor) -> Tensor:
        return jgrad.einsum(pattern, *x)
