"""Joining tensors."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, composite, op
from jgrad.ops.by_name import select, slice_, unsqueeze
from jgrad.ops.creation import zeros_of
from jgrad.tensor import Tensor


@op(
    "cat(Tensor[] tensors, int dim=0) -> Tensor",
    forms="function out",
    promote="default",
    exclusive=True,
    out_layout="result",
)
class cat:
    """Joins tensors along one of their dimensions.

    Args:
        tensors: a list or tuple of tensors; their sizes must be equal in all dimensions but `dim`. Vectors without elements are skipped
        dim: the dimension along which to join; negative numbers count from the last one

    Returns a new tensor. Its dtype is the one to which those of the tensors are promoted. Each tensor gets its part of the gradient.

    >>> a, b = jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])
    >>> jgrad.cat([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.cat([a, b], 1)
    tensor([[1, 2, 3, 4]])
    """

    tensors = lambda grad, tensors_shape, dim: cat_parts(grad, tensors_shape, dim)


@op("stack(Tensor[] tensors, int dim=0) -> Tensor", forms="function out", promote="default")
class stack:
    """Joins tensors along a new dimension.

    Args:
        tensors: a list or tuple of tensors with equal shapes
        dim: the place of the new dimension in the result; negative numbers count from the end, -1 puts it last

    Returns a new tensor with one dimension more. Its dtype is the one to which those of the tensors are promoted.

    >>> a, b = jgrad.tensor([1, 2]), jgrad.tensor([3, 4])
    >>> jgrad.stack([a, b])
    tensor([[1, 2],
            [3, 4]])
    >>> jgrad.stack([a, b], -1)
    tensor([[1, 3],
            [2, 4]])
    """

    tensors = lambda grad, dim: [select(grad, dim, i) for i in range(grad.shape[dim])]


def cat_parts(grad: Any, shapes: list, dim: int) -> list:
    """The gradient of cat: each tensor's part."""

    parts, start = [], 0
    d = dim % grad.ndim
    for shape in shapes:
        if shape == (0,):
            parts.append(zeros_of(grad, 0))
            continue
        parts.append(slice_(grad, d, start, start + shape[d], 1))
        start += shape[d]
    return parts


alias_of("cat", "concat")
alias_of("cat", "concatenate")


# Joining as NumPy does: dimensions that are missing are put in first.


def _not_empty(name: str, tensors: list[Tensor]) -> None:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")


@composite("hstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def hstack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors from left to right: along dimension 1, or vectors along their only dimension.

    Args:
        tensors: a list or tuple of tensors; one without dimensions counts as a vector with one element

    Returns a new tensor.

    >>> jgrad.hstack([jgrad.tensor([1, 2]), jgrad.tensor([3])])
    tensor([1, 2, 3])
    >>> jgrad.hstack([jgrad.tensor([[1], [2]]), jgrad.tensor([[3], [4]])])
    tensor([[1, 3],
            [2, 4]])
    """
    _not_empty("hstack", tensors)
    tensors = [_at_least_1d(t) for t in tensors]
    return cat(tensors, 0 if tensors[0]._a.ndim == 1 else 1, out=out)


@composite("vstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def vstack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors from top to bottom: along dimension 0.

    Args:
        tensors: a list or tuple of tensors; a vector counts as a row, and a tensor without dimensions as a matrix with one element

    Returns a new tensor with at least two dimensions.

    >>> jgrad.vstack([jgrad.tensor([1, 2]), jgrad.tensor([[3, 4], [5, 6]])])
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
    _not_empty("vstack", tensors)
    return cat([_at_least_2d(t) for t in tensors], 0, out=out)


alias_of("vstack", "row_stack")


@composite("dstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def dstack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors along dimension 2.

    Args:
        tensors: a list or tuple of tensors; those with fewer than three dimensions are raised to three first, as `atleast_3d` does it

    Returns a new tensor with at least three dimensions.

    >>> jgrad.dstack([jgrad.tensor([[1, 2]]), jgrad.tensor([[3, 4]])])
    tensor([[[1, 3],
             [2, 4]]])
    """
    _not_empty("dstack", tensors)
    return cat([_at_least_3d(t) for t in tensors], 2, out=out)


@composite("column_stack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def column_stack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors from left to right, along dimension 1. Each vector becomes a column.

    Args:
        tensors: a list or tuple of tensors with equal heights; one without dimensions counts as a vector with one element

    Returns a new tensor.

    >>> jgrad.column_stack([jgrad.tensor([1, 2]), jgrad.tensor([[3, 4], [5, 6]])])
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
    _not_empty("column_stack", tensors)
    return hstack([t.reshape((t._a.size, 1)) if t._a.ndim <= 1 else t for t in tensors], out=out)


def _at_least_1d(t: Tensor) -> Tensor:
    return t if t._a.ndim else t.reshape((1,))


def _at_least_2d(t: Tensor) -> Tensor:
    return unsqueeze(t, 0) if t._a.ndim == 1 else t if t._a.ndim else t.reshape((1, 1))


def _at_least_3d(t: Tensor) -> Tensor:
    if t._a.ndim == 0:
        return t.reshape((1, 1, 1))
    t = _at_least_2d(t)
    return unsqueeze(t, -1) if t._a.ndim == 2 else t
