"""Reductions: many elements to one, over all dimensions or some."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.numpy import count_of as count_of  # on shapes, so the same for tensors
from jgrad.op import formula, op
from jgrad.ops.pointwise import div
from jgrad.ops.shaping import expand, unsqueeze_many


@op("sum(Tensor self, *, dtype? dtype=None) -> Tensor", forms="function method out")
class sum:
    """The sum of all elements, or over some dimensions; integers are summed as int64."""

    self = lambda grad, self_shape: expand(grad, self_shape)


@op(
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
)
class sum_dim:
    self = lambda grad, self_shape, dim, keepdim: expand_reduced(grad, self_shape, dim, keepdim)


@op("mean(Tensor self, *, dtype? dtype=None) -> Tensor", forms="function method out")
class mean:
    """The mean of all elements, or over some dimensions; floating and complex dtypes only."""

    self = lambda grad, self_shape: div(expand(grad, self_shape), count_of(self_shape, None))


@op(
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
)
class mean_dim:
    self = lambda grad, self_shape, dim, keepdim: div(
        expand_reduced(grad, self_shape, dim, keepdim), count_of(self_shape, dim)
    )


@formula
def expand_reduced(grad: Any, shape: tuple, dim: Any, keepdim: bool) -> Any:
    """The gradient of a sum: every element that was summed gets the gradient of its sum."""
    if not keepdim and dim and shape:
        grad = unsqueeze_many(grad, dim, shape)
    return expand(grad, shape)


@op("all(Tensor self) -> Tensor", forms="function method out")
class all:
    """Whether all elements are non-zero, or all along some dimensions."""


@op("all.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor", forms="function method out")
class all_dims:
    pass


@op("any(Tensor self) -> Tensor", forms="function method out")
class any:
    """Whether some element is non-zero, or some along some dimensions."""


@op("any.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor", forms="function method out")
class any_dims:
    pass
