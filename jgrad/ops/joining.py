"""Joining tensors."""

from __future__ import annotations

from typing import Any

from jgrad.op import alias_of, op


@op("cat(Tensor[] tensors, int dim=0) -> Tensor", forms="function out", promote="default", exclusive=True)
class cat:
    """Join tensors along a dimension."""

    tensors = lambda grad, tensors_shape, dim: cat_parts(grad, tensors_shape, dim)


@op("stack(Tensor[] tensors, int dim=0) -> Tensor", forms="function out", promote="default")
class stack:
    """Join tensors along a new dimension."""

    tensors = lambda grad, dim: unbind(grad, dim)


from jgrad.ops.shaping import slice_, unbind  # noqa: E402  (shaping's formulas join what they divided)


def cat_parts(grad: Any, shapes: list, dim: int) -> list:
    """The gradient of cat: each tensor's part."""
    from jgrad.ops.creation import zeros

    parts, start = [], 0
    d = dim % grad.ndim
    for shape in shapes:
        if shape == (0,):
            parts.append(zeros(0, dtype=grad.dtype))
            continue
        parts.append(slice_(grad, d, start, start + shape[d], 1))
        start += shape[d]
    return parts


alias_of("cat", "concat")
alias_of("cat", "concatenate")
