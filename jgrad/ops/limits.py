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
    """`input` with its elements kept between `min` and `max`: smaller ones become `min`, larger ones become `max`. `clip` is another name."""

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
    """`input` with its elements kept at `min` or above: smaller ones become `min`."""

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
    """`input` with its elements kept at `max` or below: larger ones become `max`."""

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
    """The larger of two elements, element by element. If one of them is nan, the result is nan."""

    self = lambda grad, self, other: share(grad, self < other, self == other)
    other = lambda grad, self, other: share(grad, self > other, self == other)


@op(
    "minimum(Tensor self, Tensor other) -> Tensor",
    promote="default",
    forms="function method out",
    gradient_writes=1,
)
class minimum:
    """The smaller of two elements, element by element. If one of them is nan, the result is nan."""

    self = lambda grad, self, other: share(grad, self > other, self == other)
    other = lambda grad, self, other: share(grad, self < other, self == other)


@op("fmax(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmax:
    """The larger of two elements, element by element. If one of them is nan, the result is the other one."""

    self = lambda grad, self, other: unless(grad, ~((self >= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self >= other) | isnan(other))


@op("fmin(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmin:
    """The smaller of two elements, element by element. If one of them is nan, the result is the other one."""

    self = lambda grad, self, other: unless(grad, ~((self <= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self <= other) | isnan(other))


@op(
    "relu(Tensor self) -> Tensor",
    promote="default",
    checked_before_overlap="relu",
    forms="function method inplace function_",
)
class relu:
    """The rectified linear unit: the element where it is positive, 0 elsewhere."""

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
