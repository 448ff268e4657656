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
    """Joins tensors along one of their dimensions."""

    tensors = lambda grad, tensors_shape, dim: cat_parts(grad, tensors_shape, dim)


@op("stack(Tensor[] tensors, int dim=0) -> Tensor", forms="function out", promote="default")
class stack:
    """Joins tensors along a new dimension."""

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
    """Joins tensors from left to right: along dimension 1, or vectors along their only dimension."""
    _not_empty("hstack", tensors)
    tensors = [_at_least_1d(t) for t in tensors]
    return cat(tensors, 0 if tensors[0]._a.ndim == 1 else 1, out=out)


@composite("vstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def vstack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors from top to bottom: along dimension 0."""
    _not_empty("vstack", tensors)
    return cat([_at_least_2d(t) for t in tensors], 0, out=out)


alias_of("vstack", "row_stack")


@composite("dstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def dstack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors along dimension 2."""
    _not_empty("dstack", tensors)
    return cat([_at_least_3d(t) for t in tensors], 2, out=out)


@composite("column_stack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", forms="function out")
def column_stack(tensors: list[Tensor], out: Tensor | None = None) -> Tensor:
    """Joins tensors from left to right, along dimension 1. Each vector becomes a column."""
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
