"""Limits of the elements, and the larger or smaller of two: `clamp`, `maximum`, `minimum`, `relu`."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, formula, op
from jgrad.dispatch.options import POINTWISE_EVERYWHERE
from jgrad.ops.by_name import isnan, where
from jgrad.ops.choosing import only_where, unless
from jgrad.ops.creation import ZERO


@op(
    "clamp(Tensor self, Number? min=None, Number? max=None) -> Tensor",
    c_names=True,
    out_dtype="Found dtype {out} but expected {result}",
    node="ClampBackward1",
    **POINTWISE_EVERYWHERE,
)
class clamp:
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name.

    Args:
        input: a tensor of real numbers; nan stays nan
        min: the lower limit, a number or a tensor that broadcasts with `input`; None means no lower limit
        max: the upper limit, a number or a tensor that broadcasts with `input`; None means no upper limit

    Returns a new tensor. One of the limits must be given. If both are given, both must be numbers or both tensors. Where `min` is greater
    than `max`, the result is `max`. The gradient goes to `input` where it lies between the limits or on one of them. Elsewhere it goes to
    the limit that is the result, if that is a tensor. Where both limits are equal, `min` has no gradient.

    >>> x = jgrad.tensor([-1., 0., 0.5, 2.], requires_grad=True)
    >>> y = jgrad.clamp(x, min=0, max=1)
    >>> y
    tensor([0.0000, 0.0000, 0.5000, 1.0000], grad_fn=<ClampBackward1>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 1., 0.])
    """

    self = lambda grad, self, min, max: within(grad, self, min, max)


@op(
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    node="ClampBackward0",
    refuses="clamp",
    **POINTWISE_EVERYWHERE,
)
class clamp_tensor:
    self = lambda grad, self, min, max: within(grad, self, min, max)
    min = lambda grad, self, min, max: below(grad, self, min, max)
    max = lambda grad, self, min, max: above(grad, self, min, max)


@formula
def within(grad: Any, base: Any, low: Any, high: Any) -> Any:
    """The gradient where base lies between both limits, or on one of them."""
    if low is None:
        return only_where(grad, base <= high)
    return only_where(grad, base >= low if high is None else (base >= low) & (base <= high))


@formula
def below(grad: Any, base: Any, low: Any, high: Any) -> Any:
    """The gradient where the lower limit was taken."""
    taken = base < low if high is None else (base < low) & (low < high)
    return only_where(grad, taken)


@formula
def above(grad: Any, base: Any, low: Any, high: Any) -> Any:
    """The gradient where the upper limit was taken."""
    taken = base > high if low is None else (base > high) | (high < low)
    return only_where(grad, taken)


@op(
    "clamp_min(Tensor self, Number min) -> Tensor",
    c_names=True,
    out_dtype="Found dtype {out} but expected {result}",
    **POINTWISE_EVERYWHERE,
)
class clamp_min:
    """`input` with its elements kept at `min` or above: smaller ones become `min`.

    Args:
        input: a tensor of real numbers
        min: the lower limit, a number or a tensor that broadcasts with `input`

    Returns a new tensor. The gradient of an element that is equal to the limit goes to `input`.

    >>> jgrad.clamp_min(jgrad.tensor([1, 5, 9]), 4)
    tensor([4, 5, 9])
    """

    self = lambda grad, self, min: within(grad, self, min, None)


@op("clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", **POINTWISE_EVERYWHERE)
class clamp_min_tensor:
    self = lambda grad, self, min: within(grad, self, min, None)
    min = lambda grad, self, min: below(grad, self, min, None)


@op(
    "clamp_max(Tensor self, Number max) -> Tensor",
    c_names=True,
    out_dtype="Found dtype {out} but expected {result}",
    **POINTWISE_EVERYWHERE,
)
class clamp_max:
    """`input` with its elements kept at `max` or below: larger ones become `max`.

    Args:
        input: a tensor of real numbers
        max: the upper limit, a number or a tensor that broadcasts with `input`

    Returns a new tensor. The gradient of an element that is equal to the limit goes to `input`.

    >>> jgrad.clamp_max(jgrad.tensor([1, 5, 9]), 4)
    tensor([1, 4, 4])
    """

    self = lambda grad, self, max: within(grad, self, None, max)


@op("clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", **POINTWISE_EVERYWHERE)
class clamp_max_tensor:
    self = lambda grad, self, max: within(grad, self, None, max)
    max = lambda grad, self, max: above(grad, self, None, max)


@op(
    "maximum(Tensor self, Tensor other) -> Tensor",
    promote="default",
    forms="function method out",
    gradient_writes=1,
)
class maximum:
    """The larger of two elements, element by element. If one of them is nan, the result is nan.

    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`; it may not be a number

    Returns a new tensor with the broadcast shape and the common dtype of both. Equal elements share the gradient: each gets half of it.

    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> jgrad.maximum(a, jgrad.tensor([2., 2., 2.])).sum().backward()
    >>> a.grad
    tensor([0.0000, 0.5000, 1.0000])
    """

    self = lambda grad, self, other: share(grad, self < other, self == other)
    other = lambda grad, self, other: share(grad, self > other, self == other)


@op(
    "minimum(Tensor self, Tensor other) -> Tensor",
    promote="default",
    forms="function method out",
    gradient_writes=1,
)
class minimum:
    """The smaller of two elements, element by element. If one of them is nan, the result is nan.

    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`; it may not be a number

    Returns a new tensor with the broadcast shape and the common dtype of both. Equal elements share the gradient: each gets half of it.

    >>> a = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> jgrad.minimum(a, jgrad.tensor([2., 2., 2.])).sum().backward()
    >>> a.grad
    tensor([1.0000, 0.5000, 0.0000])
    """

    self = lambda grad, self, other: share(grad, self > other, self == other)
    other = lambda grad, self, other: share(grad, self < other, self == other)


@op("fmax(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmax:
    """The larger of two elements, element by element. If one of them is nan, the result is the other one.

    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both. The gradient of equal elements goes to `input`.

    >>> nan = float("nan")
    >>> jgrad.fmax(jgrad.tensor([1., nan, nan]), jgrad.tensor([2., 3., nan]))
    tensor([2., 3., nan])
    """

    self = lambda grad, self, other: unless(grad, ~((self >= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self >= other) | isnan(other))


@op("fmin(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmin:
    """The smaller of two elements, element by element. If one of them is nan, the result is the other one.

    Args:
        input: a tensor of real numbers or bools
        other: a tensor of real numbers or bools that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both. The gradient of equal elements goes to `input`.

    >>> nan = float("nan")
    >>> jgrad.fmin(jgrad.tensor([1., nan, nan]), jgrad.tensor([2., 3., nan]))
    tensor([1., 3., nan])
    """

    self = lambda grad, self, other: unless(grad, ~((self <= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self <= other) | isnan(other))


@op(
    "relu(Tensor self) -> Tensor",
    promote="default",
    checked_before_overlap="relu",
    forms="function method inplace function_",
)
class relu:
    """The rectified linear unit: the element where it is positive, 0 elsewhere.

    Args:
        input: a tensor of real numbers; bools raise RuntimeError

    Returns a new tensor with the dtype of `input`. The gradient at 0 is 0.

    >>> x = jgrad.tensor([-1., 0., 2.], requires_grad=True)
    >>> jgrad.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """

    self = lambda grad, result: threshold_backward(grad, result, 0)


@op("threshold_backward(Tensor grad_output, Tensor self, Number threshold) -> Tensor", batches="elementwise")
class threshold_backward:
    """The gradient of `relu` and `threshold`: `grad_output` where `self` is above the threshold, 0 elsewhere."""

    grad_output = lambda grad, self, threshold: threshold_backward(grad, self, threshold)
    self = ZERO


@formula
def share(grad: Any, lost: Any, tie: Any) -> Any:
    """The gradient for an input of maximum or minimum: none where the other was chosen, half where both were."""
    return unless(where(tie, grad / 2, grad), lost)


alias_of("clamp", "clip")
