"""Rounding, and the parts of a floating-point number: sign, mantissa and exponent, neighbours, nan and infinity."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, formula, op
from jgrad.dispatch.options import FLOATING, FLOATING_EVERYWHERE, POINTWISE, POINTWISE_EVERYWHERE
from jgrad.ops.by_name import conj, isfinite, masked_fill
from jgrad.ops.choosing import only_where
from jgrad.ops.creation import ZERO


@op("floor(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class floor:
    """Each element rounded down: the largest integer that is not greater than the element."""

    self = ZERO


@op("ceil(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class ceil:
    """Each element rounded up: the smallest integer that is not less than the element."""

    self = ZERO


@op("trunc(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class trunc:
    """Each element rounded towards zero: its integer part. `fix` is another name."""

    self = ZERO


@op("round(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class round:
    """Each element rounded to the nearest integer. A half is rounded to the even neighbour."""

    self = ZERO


@op(
    "round.decimals(Tensor self, *, int decimals) -> Tensor",
    out_dtype="Found dtype {out} but expected {result}",
    **POINTWISE_EVERYWHERE,
)
class round_decimals:
    self = ZERO


@op("frac(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class frac:
    """The fractional part of each element: `input - trunc(input)`. It has the sign of the element."""

    self = lambda grad: grad


@op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    forms="function method out",
    batches="elementwise",
    out_dtype="torch.frexp() expects {name} to have dtype {c_result} but got {c_out}",
)
class frexp:
    """Each element written as `mantissa * 2**exponent`. The size of the mantissa is at least 0.5 and less than 1."""

    self = lambda grad, exponent: ldexp(grad, -exponent)


@op(
    "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
    node="LdexpBackward0",
    refuses="ldexp",
    inplace_cast_error="ldexp can't be cast to the desired output type {target}",
    **FLOATING_EVERYWHERE,
)
class ldexp:
    """`input * 2**other`, element by element. It is the inverse of `frexp`."""

    self = lambda grad, other: ldexp(grad, conj(other))
    other = lambda grad, result: grad * conj(result) * 0.6931471805599453


@op("copysign.Tensor(Tensor self, Tensor other) -> Tensor", **FLOATING)
class copysign:
    """The absolute value of `input` with the sign of `other`, element by element."""

    self = lambda grad, self, result: copysign_rule(grad, self, result)
    other = ZERO


@op("copysign.Scalar(Tensor self, Number other) -> Tensor", **FLOATING)
class copysign_number:
    self = lambda grad, self, result: copysign_rule(grad, self, result)


@formula
def copysign_rule(grad: Any, base: Any, result: Any) -> Any:
    """Plus or minus the gradient, as the sign was turned or not; none at 0."""
    return grad * masked_fill(result / base, base == 0, 0)


@op("signbit(Tensor self) -> Tensor", forms="function method out", promote="default",
    out_dtype="signbit does not support non-boolean outputs.")  # fmt: skip
class signbit:
    """Whether each element has a minus sign. The sign of -0.0 is minus too."""


@op("nextafter(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class nextafter:
    """The floating-point number that comes right after `input` in the direction of `other`, element by element."""

    self = lambda grad, self, other: only_where(grad, self != other)
    other = ZERO


@op("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", **POINTWISE_EVERYWHERE,
    real_gradient=True,
    out_dtype="nan_to_num: dtype of out: {out} should be same as input: {result}")  # fmt: skip
class nan_to_num:
    """`input` with nan and infinities replaced by numbers."""

    self = lambda grad, self: grad * isfinite(self)


@op(
    "heaviside(Tensor self, Tensor values) -> Tensor",
    undifferentiable=True,
    promoted="",
    out_dtype="heaviside is not yet implemented for tensors with different dtypes.",
    **POINTWISE,
)
class heaviside:
    """The step function: 0 where `input` is negative, 1 where it is positive, and `values` where it is 0."""


alias_of("trunc", "fix")
