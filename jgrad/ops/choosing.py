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
    of the elements that are true.

    Args:
        condition: a bool tensor (uint8 works too); alone it can have any dtype, and every number but zero counts as true
        input: a tensor or number for where the condition is true
        other: a tensor or number for where it is false

    Returns a new tensor: the three are broadcast together, and its dtype is the one to which those of `input` and `other` are promoted.
    With a condition alone, returns a tuple of int64 vectors, one for each dimension.

    Each element of the result gives its gradient to the tensor that it comes from; the other one gets 0.

    >>> x = jgrad.tensor([-2., 3.], requires_grad=True)
    >>> y = jgrad.where(x > 0, x, 10 * x)
    >>> y.detach()
    tensor([-20.,   3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([10.,  1.])
    >>> jgrad.where(jgrad.tensor([0, 5, 6]))
    (tensor([1, 2]),)
    """

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
    """The elements of this tensor where the condition is true and those of `other` where it is false.

    Args:
        condition: a bool tensor
        other: a tensor or number for where the condition is false

    Returns a new tensor: the three are broadcast together, and its dtype is the one to which those of this tensor and `other` are promoted.

    >>> x = jgrad.tensor([1, -2, 3])
    >>> x.where(x > 0, 0)
    tensor([1, 0, 3])
    """
    return where(condition, self, other)


Tensor.where = _where_method  # type: ignore[attr-defined]


@op(
    "masked_fill.Scalar(Tensor self, Tensor mask, Number value) -> Tensor",
    forms="function method inplace",
    checks_overlap="operands",
    batches="elementwise",
)
class masked_fill:
    """A copy of the tensor with `value` where the mask is true.

    Args:
        input: the tensor to copy; it is broadcast with `mask`
        mask: a bool tensor
        value: a number or a tensor without dimensions; it is converted to the dtype of `input`

    Returns a new tensor.

    The gradient of `input` is 0 where the mask is true. If `value` is a tensor, its gradient is the sum over these elements.

    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> y = jgrad.masked_fill(x, x > 1.5, 0)
    >>> y.detach()
    tensor([1., 0., 0.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 0., 0.])
    """

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
