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
    """Each element rounded down: the largest integer that is not greater than the element.

    Args:
        input: a tensor of real numbers; integers stay as they are

    Returns a new tensor with the dtype of `input`. The gradient is 0.

    >>> jgrad.floor(jgrad.tensor([-1.5, 1.5]))
    tensor([-2.,  1.])
    """

    self = ZERO


@op("ceil(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class ceil:
    """Each element rounded up: the smallest integer that is not less than the element.

    Args:
        input: a tensor of real numbers; integers stay as they are

    Returns a new tensor with the dtype of `input`. The gradient is 0.

    >>> jgrad.ceil(jgrad.tensor([-1.5, 1.5]))
    tensor([-1.,  2.])
    """

    self = ZERO


@op("trunc(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class trunc:
    """Each element rounded towards zero: its integer part. `fix` is another name.

    Args:
        input: a tensor of real numbers; integers stay as they are

    Returns a new tensor with the dtype of `input`. The gradient is 0.

    >>> jgrad.trunc(jgrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """

    self = ZERO


@op("round(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class round:
    """Each element rounded to the nearest integer. A half is rounded to the even neighbour.

    Args:
        input: a tensor of real numbers; integers stay as they are
        decimals: the number of decimal places to keep, for floating-point tensors only; a negative number rounds to tens, hundreds, ...

    Returns a new tensor with the dtype of `input`. The gradient is 0.

    >>> jgrad.round(jgrad.tensor([0.5, 1.5, 2.5]))
    tensor([0., 2., 2.])
    >>> jgrad.round(jgrad.tensor([1.28, 1.32]), decimals=1)
    tensor([1.3000, 1.3000])
    >>> jgrad.round(jgrad.tensor([14., 27.]), decimals=-1)
    tensor([10., 30.])
    """

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
    """The fractional part of each element: `input - trunc(input)`. It has the sign of the element.

    Args:
        input: a floating-point tensor; integers raise NotImplementedError

    Returns a new tensor. The gradient is that of `input` itself: 1.

    >>> jgrad.frac(jgrad.tensor([-1.5, 2.25]))
    tensor([-0.5000,  0.2500])
    """

    self = lambda grad: grad


@op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    forms="function method out",
    batches="elementwise",
)
class frexp:
    """Each element written as `mantissa * 2**exponent`. The size of the mantissa is at least 0.5 and less than 1.

    Args:
        input: a floating-point tensor; others raise RuntimeError

    Returns a named tuple of two new tensors: `mantissa` has the dtype of `input`, `exponent` has dtype int32. For 0 both are 0.
    The mantissa has a gradient, the exponent has none.

    >>> mantissa, exponent = jgrad.frexp(jgrad.tensor([8., -0.75]))
    >>> mantissa
    tensor([ 0.5000, -0.7500])
    >>> exponent
    tensor([4, 0], dtype=jgrad.int32)
    >>> jgrad.ldexp(mantissa, exponent)
    tensor([ 8.0000, -0.7500])
    """

    self = lambda grad, exponent: ldexp(grad, -exponent)


@op(
    "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
    node="LdexpBackward0",
    refuses="ldexp",
    inplace_cast_error="ldexp can't be cast to the desired output type {target}",
    **FLOATING_EVERYWHERE,
)
class ldexp:
    """`input * 2**other`, element by element. It is the inverse of `frexp`.

    Args:
        input: a tensor; integers are converted to the default float dtype
        other: a tensor that broadcasts with `input`: the exponents

    Returns a new tensor with the broadcast shape.

    >>> jgrad.ldexp(jgrad.tensor([1., 3.]), jgrad.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """

    self = lambda grad, other: ldexp(grad, conj(other))
    other = lambda grad, result: grad * conj(result) * 0.6931471805599453


@op("copysign.Tensor(Tensor self, Tensor other) -> Tensor", **FLOATING)
class copysign:
    """The absolute value of `input` with the sign of `other`, element by element.

    Args:
        input: a tensor of real numbers; integers are converted to the default float dtype
        other: a tensor of real numbers that broadcasts with `input`, or a number; the sign of -0.0 is minus

    Returns a new tensor with the broadcast shape. The gradient of `input` is 1 where the sign stays, -1 where it changes, and 0 at 0.
    The gradient of `other` is 0.

    >>> jgrad.copysign(jgrad.tensor([1., -2., 3.]), jgrad.tensor([-5., 5., -0.]))
    tensor([-1.,  2., -3.])
    """

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
    """Whether each element has a minus sign. The sign of -0.0 is minus too.

    Args:
        input: a tensor of real numbers or bools; complex numbers raise NotImplementedError

    Returns a new tensor of bools.

    >>> jgrad.signbit(jgrad.tensor([-1., -0., 0., 1.]))
    tensor([ True,  True, False, False])
    """


@op("nextafter(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class nextafter:
    """The floating-point number that comes right after `input` in the direction of `other`, element by element.

    Args:
        input: a floating-point tensor
        other: a floating-point tensor that broadcasts with `input`

    Returns a new tensor with the broadcast shape. Where both are equal, that is their value. The gradient goes to `input` where the two
    differ. The gradient of `other` is 0.

    >>> one = jgrad.tensor([1.])
    >>> jgrad.nextafter(one, jgrad.tensor([2.])) - one == 2**-23
    tensor([True])
    """

    self = lambda grad, self, other: only_where(grad, self != other)
    other = ZERO


@op("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", **POINTWISE_EVERYWHERE,
    real_gradient=True,
    out_dtype="nan_to_num: dtype of out: {out} should be same as input: {result}")  # fmt: skip
class nan_to_num:
    """`input` with nan and infinities replaced by numbers.

    Args:
        input: a tensor of any dtype
        nan: the number that replaces nan; None means 0
        posinf: the number that replaces inf; None means the largest number of the dtype
        neginf: the number that replaces -inf; None means the lowest number of the dtype

    Returns a new tensor with the shape and dtype of `input`. The gradient of the replaced elements is 0.

    >>> inf = float("inf")
    >>> jgrad.nan_to_num(jgrad.tensor([1., inf - inf, inf, -inf]), nan=0.5, posinf=9., neginf=-9.)
    tensor([ 1.0000,  0.5000,  9.0000, -9.0000])
    """

    self = lambda grad, self: grad * isfinite(self)


@op(
    "heaviside(Tensor self, Tensor values) -> Tensor",
    undifferentiable=True,
    promoted="",
    out_dtype="heaviside is not yet implemented for tensors with different dtypes.",
    **POINTWISE,
)
class heaviside:
    """The step function: 0 where `input` is negative, 1 where it is positive, and `values` where it is 0.

    Args:
        input: a tensor of real numbers
        values: a tensor with the dtype of `input` that broadcasts with it: the results where `input` is 0

    Returns a new tensor with the broadcast shape. It has no derivative: the backward pass raises RuntimeError.

    >>> jgrad.heaviside(jgrad.tensor([-2., 0., 2.]), jgrad.tensor(0.5))
    tensor([0.0000, 0.5000, 1.0000])
    """


alias_of("trunc", "fix")
