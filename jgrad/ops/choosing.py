"""Choosing between elements: by a condition, by a mask."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, op
from jgrad.ops.by_name import nonzero, unbind, unsqueeze
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor


@op("where(Tensor condition, Tensor self, Tensor other) -> Tensor", forms="function out", promote="default", promoted="self other",
    numbers="other", refuses_overflow=True, out_dtype="Expected out type to be {result} but got {out}")  # fmt: skip
class where:
    """The elements of `input` where the condition is true and those of `other` where it is false. With a condition alone, it gives the indices
    of the elements that are true."""

    self = lambda grad, condition: only_where(grad, condition)
    other = lambda grad, condition: only_where(grad, condition == 0)


@composite("where.condition(Tensor condition) -> Tensor[]", forms="function out")
def _where_true(condition: Tensor) -> tuple:
    """The indices of the elements that are not zero, as a tuple with one vector for each dimension."""
    return unbind(nonzero(condition if condition._a.ndim else unsqueeze(condition, 0)), 1)


def only_where(grad: Tensor, mask: Tensor) -> Tensor:
    """The gradient where the mask is true, 0 elsewhere."""
    return where(mask, grad, zeros_like(grad))


def unless(grad: Tensor, mask: Tensor) -> Tensor:
    """The gradient where the mask is false, 0 elsewhere."""
    return masked_fill(grad, mask, 0)


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """The elements of this tensor where the condition is true and those of `other` where it is false."""
    return where(condition, self, other)


Tensor.where = _where_method  # type: ignore[attr-defined]


@op(
    "masked_fill.Scalar(Tensor self, Tensor mask, Number value) -> Tensor",
    forms="function method inplace",
    checks_overlap="operands",
    batches="elementwise",
)
class masked_fill:
    """A copy of the tensor with `value` where the mask is true."""

    self = lambda grad, mask: unless(grad, mask)


@op(
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    keeps_dtype=True,
    forms="function method inplace",
    checks_overlap="operands",
    batches="elementwise",
)
class masked_fill_tensor:
    self = lambda grad, mask: unless(grad, mask)
    value = lambda grad, mask: only_where(grad, mask).sum()


# Names of the formulas above.
