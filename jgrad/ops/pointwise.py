"""Pointwise operations: arithmetic, rounding, limits, logic and bits, element by element, with broadcasting and type promotion."""

from __future__ import annotations

import ast
from typing import Any

from jgrad.dispatch import TABLE, alias_of, composite, formula, install_operator, install_swapped, op
from jgrad.dispatch.arithmetic import stands_for
from jgrad.dispatch.options import (
    ARITHMETIC,
    BITWISE,
    FLOATING,
    FLOATING_EVERYWHERE,
    INTERNAL,
    POINTWISE,
    POINTWISE_EVERYWHERE,
)
from jgrad.dispatch.schema import NUMBERS
from jgrad.dtypes import bool_, complex128, float64
from jgrad.kernels.numbers import number_log
from jgrad.ops.by_name import (
    conj,
    imag,
    isfinite,
    isnan,
    log,
    masked_fill,
    real,
    where,
)
from jgrad.ops.choosing import only_where, unless
from jgrad.ops.complex_numbers import COMPLEX
from jgrad.ops.creation import ZERO, as_operand, zeros_like
from jgrad.tensor import Tensor

# ----- Arithmetic -----


@op(
    "add(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
    deprecated="add(Tensor self, Number alpha, Tensor other)",
    **ARITHMETIC,
)
class add:
    """The sum `input + alpha * other`, element by element. Both broadcast with each other.

    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
        alpha: a number by which `other` is multiplied first; if both are integers, it must be an integer too

    Returns a new tensor with the broadcast shape and the common dtype of both. The sum of two bools is their logical or.

    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> y = jgrad.add(x, jgrad.tensor([[10.], [20.]]), alpha=3)
    >>> y
    tensor([[31., 32.],
            [61., 62.]], grad_fn=<AddBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(grad, alpha)


@op(
    "sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
    refuses="subtraction",
    deprecated="sub(Tensor self, Number alpha, Tensor other)",
    **ARITHMETIC,
)
class sub:
    """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name.

    Args:
        input: a tensor of any dtype but bool, or a number
        other: a tensor of any dtype but bool, or a number
        alpha: a number by which `other` is multiplied first; if both are integers, it must be an integer too

    Returns a new tensor with the broadcast shape and the common dtype of both. Raises RuntimeError for tensors of bools.

    >>> jgrad.sub(jgrad.tensor([10, 20]), jgrad.tensor([1, 2]), alpha=3)
    tensor([ 7, 14])
    """

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(-grad, alpha)


@op("mul(Tensor self, Tensor other) -> Tensor", numbers_in_single=True, **ARITHMETIC)
class mul:
    """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name.

    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number

    Returns a new tensor with the broadcast shape and the common dtype of both. The product of two bools is their logical and.

    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> w = jgrad.tensor([3., 4.], requires_grad=True)
    >>> jgrad.mul(x, w).sum().backward()
    >>> x.grad, w.grad
    (tensor([3., 4.]), tensor([1., 2.]))
    """

    self = lambda grad, other: grad * conj(other)
    other = lambda grad, self: grad * conj(self)


@op("div(Tensor self, Tensor other) -> Tensor", numbers="any", numbers_in_single=True, **FLOATING)
class div:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name.

    Args:
        input: a tensor of any dtype, or a number
        other: a tensor of any dtype, or a number
        rounding_mode: "trunc" rounds the quotient towards zero, "floor" rounds it down; without it, or with None, nothing is rounded

    Returns a new tensor with the broadcast shape. Without rounding, integers give the default float dtype. With rounding, integers stay
    integers, and the gradient is 0. Integers divided by 0 with rounding raise RuntimeError. Without it they give inf, -inf or nan.

    >>> a = jgrad.tensor([-7, 7])
    >>> jgrad.div(a, 2)
    tensor([-3.5000,  3.5000])
    >>> jgrad.div(a, 2, rounding_mode="trunc")
    tensor([-3,  3])
    >>> jgrad.div(a, 2, rounding_mode="floor")
    tensor([-4,  3])
    """

    self = lambda grad, other: grad / conj(other)
    other = lambda grad, self, other: -grad * conj((self / other) / other)


@op("div.Tensor_mode(Tensor self, Tensor other, *, str rounding_mode) -> Tensor", **POINTWISE, numbers="any",
    kernel="div_rounded", node="DivBackward2")  # fmt: skip
class div_rounded:
    self = other = ZERO


@op("div.Tensor_no_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", **FLOATING, numbers="any",
    kernel="div_rounded", node="DivBackward2")  # fmt: skip
class div_not_rounded:
    self = lambda grad, other: grad / conj(other)
    other = lambda grad, self, other: -grad * conj((self / other) / other)


@op(
    "rsub.Tensor(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
    refuses="subtraction",
    promote="default",
    forms="function",
)
class rsub:
    """The difference in reverse order: `other - alpha * input`, element by element.

    Args:
        input: a tensor of any dtype but bool
        other: a tensor that broadcasts with `input`, or a number
        alpha: a number by which `input` is multiplied first; if both are integers, it must be an integer too

    Returns a new tensor with the broadcast shape and the common dtype of both. Raises RuntimeError for tensors of bools.

    >>> jgrad.rsub(jgrad.tensor([1, 2]), 10)
    tensor([9, 8])
    >>> jgrad.rsub(jgrad.tensor([1, 2]), 10, alpha=3)
    tensor([7, 4])
    """

    self = lambda grad, alpha: scaled(-grad, alpha)
    other = lambda grad: grad


@op(
    "rsub.Scalar(Tensor self, Number other, *, Number alpha=1) -> Tensor",
    refuses="subtraction",
    promote="default",
)
class rsub_number:
    self = lambda grad, alpha: scaled(-grad, alpha)


@op("pow.Tensor_Scalar(Tensor self, Number exponent) -> Tensor", **POINTWISE)
class pow:
    """`input` to the power of `exponent`, element by element. Both broadcast with each other.

    Args:
        input: a tensor, or a number if `exponent` is a tensor
        exponent: a tensor, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both. Two tensors of bools raise NotImplementedError. A negative
    real number to a fractional power is nan. Raises RuntimeError if `input` is a tensor of integers and `exponent` is a negative whole
    number, not a tensor. The gradient of `input` is 0 where the exponent is 0, and the gradient of `exponent` is 0 where 0 is raised to an
    exponent that is not negative.

    >>> x = jgrad.tensor([0.5, 3.], requires_grad=True)
    >>> jgrad.pow(x, 3)
    tensor([ 0.1250, 27.0000], grad_fn=<PowBackward0>)
    >>> jgrad.pow(x, 3).sum().backward()
    >>> x.grad
    tensor([ 0.7500, 27.0000])
    >>> jgrad.pow(2, jgrad.tensor([1, 2, 3]))
    tensor([2, 4, 8])
    """

    self = lambda grad, self, exponent: power_rule(grad, self, exponent)


@op("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", **POINTWISE)
class pow_tensor:
    self = lambda grad, self, exponent: where(
        exponent == 0, zeros_like(grad), grad * conj(exponent * pow(self, exponent - 1))
    )
    exponent = lambda grad, self, exponent, result: exponent_rule(grad, self, exponent, result)


@op("pow.Scalar(Number self, Tensor exponent) -> Tensor", **POINTWISE, row_major=True)
class pow_scalar:
    exponent = lambda grad, self, exponent, result: exponential_rule(grad, self, exponent, result)


@formula
def power_rule(grad: Any, base: Any, exponent: Any) -> Any:
    """The derivative of base ** number: zero for exponent 0, also where base ** -1 would be infinite."""
    return zeros_like(grad) if exponent == 0 else grad * conj(exponent * pow(base, exponent - 1))


@formula
def exponent_rule(grad: Any, base: Any, exponent: Any, result: Any) -> Any:
    """The derivative of base ** exponent with respect to the exponent: none where 0 stays 0."""
    if exponent.dtype in COMPLEX:
        base = base + 0j  # so that negative ones have a logarithm
    return grad * conj(where((base == 0) & nonnegative(exponent), zeros_like(result), result * log(base)))


@formula
def exponential_rule(grad: Any, base: Any, exponent: Any, result: Any) -> Any:
    """The same for a number as base."""
    if base == 0:
        return grad * conj(where(nonnegative(exponent), zeros_like(result), result * number_log(base)))
    return grad * conj(result * number_log(base + 0j if exponent.dtype in COMPLEX else base))


@formula
def nonnegative(exponent: Any) -> Any:
    if exponent.dtype in COMPLEX:
        return (real(exponent) >= 0) & (imag(exponent) == 0)
    return exponent >= 0


@op("remainder.Scalar(Tensor self, Number other) -> Tensor", **POINTWISE)
class remainder:
    """The remainder of the division `input / other`, with the sign of the divisor `other`. It is like `%` in Python:
    `input - other * floor(input / other)`.

    Args:
        input: a tensor of real numbers, or a number if `other` is a tensor
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError, floats give nan.
    If `input` is a number, the result has no derivative: the backward pass raises RuntimeError.

    >>> jgrad.remainder(jgrad.tensor([-7, 7]), 3)
    tensor([2, 1])
    >>> jgrad.remainder(jgrad.tensor([-7, 7]), -3)
    tensor([-1, -2])
    """

    self = lambda grad: grad


@op("remainder.Tensor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class remainder_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * rounded_quotient(self, other, "floor")


@op("remainder.Scalar_Tensor(Number self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class remainder_of_number:
    pass


@op("floor_divide.Scalar(Tensor self, Number other) -> Tensor", undifferentiable=True, **ARITHMETIC)
class floor_divide:
    """The quotient `input / other`, rounded down, element by element. It is like `//` in Python.

    Args:
        input: a tensor of real numbers, or a number
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number

    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError.
    It has no derivative: the result requires grad if an input does, but the backward pass raises RuntimeError.
    `jgrad.div(input, other, rounding_mode="floor")` computes the same and has the gradient 0.

    >>> jgrad.floor_divide(jgrad.tensor([-7, 7]), 2)
    tensor([-4,  3])
    >>> jgrad.floor_divide(jgrad.tensor([-7., 7.]), 2)
    tensor([-4.,  3.])
    """


@op("floor_divide(Tensor self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_tensor:
    pass


@op("floor_divide.Scalar_Tensor(Number self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_of_number:
    pass


@op("neg(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class neg:
    """The negative `-input`, element by element. `negative` is another name.

    Args:
        input: a tensor of numbers; bools raise RuntimeError

    Returns a new tensor.

    >>> jgrad.neg(jgrad.tensor([1, -2]))
    tensor([-1,  2])
    """

    self = lambda grad: -grad


@op("reciprocal(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class reciprocal:
    """`1 / input`, element by element.

    Args:
        input: a tensor of any shape; integers are converted to the default float dtype

    Returns a new tensor. Its value at 0 is inf. The gradient is `-1 / input**2`.

    >>> x = jgrad.tensor([2., 4.], requires_grad=True)
    >>> jgrad.reciprocal(x)
    tensor([0.5000, 0.2500], grad_fn=<ReciprocalBackward0>)
    >>> jgrad.reciprocal(x).sum().backward()
    >>> x.grad
    tensor([-0.2500, -0.0625])
    """

    self = lambda grad, result: -grad * conj(result * result)


@op("sign(Tensor self) -> Tensor", **POINTWISE)
class sign:
    """The sign of each element: -1, 0 or 1. `sgn` does the same for complex numbers too.

    Args:
        input: a tensor of real numbers or bools

    Returns a new tensor with the dtype of `input`. The sign of nan is 0. The gradient is 0.

    >>> jgrad.sign(jgrad.tensor([-3., 0., 2.]))
    tensor([-1.,  0.,  1.])
    """

    self = ZERO


# ----- Rounding -----


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


@op("ldexp.Tensor(Tensor self, Tensor other) -> Tensor", node="LdexpBackward0", **FLOATING_EVERYWHERE)
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


# ----- Limits -----


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


@op("relu(Tensor self) -> Tensor", promote="default", forms="function method inplace function_")
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


# ----- Combined arithmetic -----


@op(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcmul(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    **POINTWISE,
)
class addcmul:
    """`input + value * tensor1 * tensor2`, element by element. All three tensors broadcast with each other.

    Args:
        input: a tensor to which the product is added
        tensor1, tensor2: the tensors that are multiplied
        value: a number by which the product is multiplied; if all three tensors are integers, only its integer part counts

    Returns a new tensor with the broadcast shape and the common dtype of the three.

    >>> one, two, three = jgrad.tensor([1., 1.]), jgrad.tensor([2., 2.]), jgrad.tensor([3., 4.])
    >>> jgrad.addcmul(one, two, three, value=10)
    tensor([61., 81.])
    """

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(scaled(tensor2, value))
    tensor2 = lambda grad, tensor1, value: grad * conj(scaled(tensor1, value))


@op(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcdiv(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    refuses="integer_division",
    **POINTWISE,
)
class addcdiv:
    """`input + value * tensor1 / tensor2`, element by element. All three tensors broadcast with each other.

    Args:
        input: a tensor to which the quotient is added
        tensor1, tensor2: the dividend and the divisor; they may not both be integers
        value: a number by which the quotient is multiplied

    Returns a new tensor with the broadcast shape and the common dtype of the three.

    >>> jgrad.addcdiv(jgrad.tensor([1.]), jgrad.tensor([3.]), jgrad.tensor([2.]), value=10)
    tensor([16.])
    """

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(value / tensor2)
    tensor2 = lambda grad, tensor1, tensor2, value: -grad * conj(value * tensor1 / (tensor2 * tensor2))


@op("lerp.Scalar(Tensor self, Tensor end, Number weight) -> Tensor", promoted="", **POINTWISE)
class lerp:
    """A point on the straight line from `input` to `end`: `input + weight * (end - input)`. It is `input` for weight 0 and `end` for weight 1.

    Args:
        input: a floating-point or complex tensor: the start
        end: a tensor with the dtype of `input` that broadcasts with it
        weight: how far to go, a number or a tensor with the dtype of `input`; it may be less than 0 or greater than 1. A tensor without dimensions
            may have another dtype

    Returns a new tensor with the broadcast shape.

    >>> jgrad.lerp(jgrad.tensor([0., 10.]), jgrad.tensor([4., 20.]), 0.25)
    tensor([ 1.0000, 12.5000])
    """

    self = lambda grad, weight: grad * (1 - conj(weight))
    end = lambda grad, weight: grad * conj(weight)


@op("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", promoted="", **POINTWISE)
class lerp_tensor:
    self = lambda grad, weight: grad * conj(1 - weight)
    end = lambda grad, weight: grad * conj(weight)
    weight = lambda grad, self, end: grad * conj(end - self)


@op("fmod.Scalar(Tensor self, Number other) -> Tensor", **POINTWISE)
class fmod:
    """The remainder of the division `input / other`, with the sign of the dividend `input`. It is `input - other * trunc(input / other)`.

    Args:
        input: a tensor of real numbers
        other: the divisor: a tensor of real numbers that broadcasts with `input`, or a number

    Returns a new tensor with the broadcast shape and the common dtype of both. Integers divided by 0 raise RuntimeError, floats give nan.

    >>> jgrad.fmod(jgrad.tensor([-7, 7]), 3)
    tensor([-1,  1])
    >>> jgrad.fmod(jgrad.tensor([-7, 7]), -3)
    tensor([-1,  1])
    """

    self = lambda grad: grad


@op("fmod.Tensor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class fmod_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * rounded_quotient(self, other, "trunc")


@composite("square(Tensor self) -> Tensor", forms="function method out", out_dtype="castable")
def square(input: Tensor) -> Tensor:
    """The square `input * input`, element by element.

    Args:
        input: a tensor of any shape; bools give int64

    Returns a new tensor.

    >>> x = jgrad.tensor([3.], requires_grad=True)
    >>> jgrad.square(x).backward()
    >>> x.grad
    tensor([6.])
    """
    return pow(input, 2)


@composite("square_(Tensor(a!) self) -> Tensor")
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place.

    Args:
        input: the tensor that is changed; a leaf that requires grad raises RuntimeError, and so do bools

    Returns `input` itself.

    >>> x = jgrad.tensor([2, -3])
    >>> jgrad.square_(x)
    tensor([4, 9])
    """
    return input.pow_(2)


def float_power_operand(value: Any, other: Any) -> Any:
    """In double precision, or complex double if one of both is complex."""
    if any(v.is_complex() if isinstance(v, Tensor) else isinstance(v, complex) for v in (value, other)):
        target, number = complex128, complex
    else:
        target, number = float64, float
    return value.to(target) if isinstance(value, Tensor) else number(value)


def _float_power(input: Any, exponent: Any) -> Tensor:
    """`input` to the power of `exponent`, computed in double precision.

    Args:
        input: a tensor, or a number if `exponent` is a tensor
        exponent: a tensor that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with dtype float64, or complex128 if one of both is complex. A negative real number to a fractional power is nan.

    >>> jgrad.float_power(jgrad.tensor([2, 4]), -1)
    tensor([0.5000, 0.2500], dtype=jgrad.float64)
    """
    return pow(float_power_operand(input, exponent), float_power_operand(exponent, input))


for _schema in (
    "Tensor_Tensor(Tensor self, Tensor exponent)",
    "Scalar(Number self, Tensor exponent)",
    "Tensor_Scalar(Tensor self, Number exponent)",
):
    composite(f"float_power.{_schema} -> Tensor", forms="function method out")(_float_power)


def _float_power_(input: Tensor, exponent: Any) -> Tensor:
    """This tensor to the power of `exponent`, in place. It must have dtype float64, or complex128 if one of both is complex.

    Args:
        exponent: a tensor that broadcasts to the shape of this one, or a number

    Returns this tensor. Raises RuntimeError if it has another dtype.

    >>> x = jgrad.tensor([2., 3.], dtype=jgrad.float64)
    >>> x.float_power_(2)
    tensor([4., 9.], dtype=jgrad.float64)
    """
    target = complex128 if input.is_complex() or (
        exponent.is_complex() if isinstance(exponent, Tensor) else isinstance(exponent, complex)
    ) else float64  # fmt: skip
    if input.dtype is not target:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {input.dtype.type_name} but the operation's result requires dtype {target.type_name}"
        )
    return input.pow_(exponent.to(target) if isinstance(exponent, Tensor) else exponent)


for _schema in ("Tensor(Tensor(a!) self, Tensor exponent)", "Scalar(Tensor(a!) self, Number exponent)"):
    composite(f"float_power_.{_schema} -> Tensor", forms="method")(_float_power_)


@composite("positive(Tensor self) -> Tensor")
def positive(input: Tensor) -> Tensor:
    """The tensor itself, as `+input` in Python.

    Args:
        input: a tensor of numbers; bools raise RuntimeError

    Returns `input` itself, so it is no copy and shares its memory.

    >>> x = jgrad.tensor([-1., 2.])
    >>> jgrad.positive(x) is x
    True
    """
    if input.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@op("fill.Scalar(Tensor self, Number value) -> Tensor", forms="function")
class fill:
    """A tensor like `input` with one value in every element.

    Args:
        input: a tensor that gives the shape and the dtype; its elements do not matter, and its gradient is 0
        value: a number, or a tensor with 0 dimensions; the gradient of such a tensor is the sum over all elements

    Returns a new tensor.

    >>> v = jgrad.tensor(7., requires_grad=True)
    >>> y = jgrad.fill(jgrad.zeros(2, 2), v)
    >>> y.sum().backward()
    >>> v.grad
    tensor(4.)
    """

    self = ZERO


@op("fill.Tensor(Tensor self, Tensor value) -> Tensor", forms="function")
class fill_tensor:
    self = ZERO
    value = lambda grad: grad.sum()


# ----- Logic -----


@op("logical_and(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_and:
    """Whether both elements are non-zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_and(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([False, False,  True])
    """


@op("logical_or(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_or:
    """Whether one of both elements is non-zero, or both are.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_or(jgrad.tensor([0, 3, 0]), jgrad.tensor([5., 0., 0.]))
    tensor([ True,  True, False])
    """


@op("logical_not(Tensor self) -> Tensor", **POINTWISE)
class logical_not:
    """Whether each element is zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero

    Returns a new tensor of bools. It has no gradient.

    >>> jgrad.logical_not(jgrad.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """


@op("logical_xor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_xor:
    """Whether exactly one of both elements is non-zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_xor(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([ True,  True, False])
    """


@op("bitwise_and(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_and:
    """The bits that are 1 in both elements. For bools it is the logical and.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_and(jgrad.tensor([0b1100]), 0b1010) == 0b1000
    tensor([True])
    """


@op("bitwise_or(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_or:
    """The bits that are 1 in one of both elements, or in both. For bools it is the logical or.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_or(jgrad.tensor([0b1100]), 0b1010) == 0b1110
    tensor([True])
    """


@op("bitwise_xor(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_xor:
    """The bits that are 1 in exactly one of both elements. For bools it is the logical exclusive or.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_xor(jgrad.tensor([0b1100]), 0b1010) == 0b0110
    tensor([True])
    """


@op("bitwise_not(Tensor self) -> Tensor", **POINTWISE)
class bitwise_not:
    """Each element with every bit flipped. For bools it is the logical not. For signed integers it is `-input - 1`.

    Args:
        input: a tensor of integers or bools

    Returns a new tensor with the dtype of `input`.

    >>> jgrad.bitwise_not(jgrad.tensor([0, 5]))
    tensor([-1, -6])
    >>> jgrad.bitwise_not(jgrad.tensor([True, False]))
    tensor([False,  True])
    """


@op("bitwise_left_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_left_shift:
    """The bits of `input` moved to the left by `other` places: `input * 2**other` for integers.

    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape. The result is 0 where `other` is negative, or not less than the number of bits of the dtype.

    >>> jgrad.bitwise_left_shift(jgrad.tensor([1, 3]), 2)
    tensor([ 4, 12])
    """


@op("bitwise_right_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_right_shift:
    """The bits of `input` moved to the right by `other` places: `input / 2**other` rounded down, for integers.

    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape. Where `other` is negative, or not less than the number of bits of the dtype, the result
    is -1 for a negative `input` and 0 for others.

    >>> jgrad.bitwise_right_shift(jgrad.tensor([-9, 9]), 1)
    tensor([-5,  4])
    """


@op("gcd(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class gcd:
    """The greatest common divisor of two integers, element by element. It is never negative, and 0 if both are 0.

    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.gcd(jgrad.tensor([12, -18]), jgrad.tensor([18, 12]))
    tensor([6, 6])
    """


@op("lcm(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class lcm:
    """The least common multiple of two integers, element by element. It is never negative, and 0 if one of both is 0.

    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.lcm(jgrad.tensor([4, 0]), jgrad.tensor([6, 5]))
    tensor([12,  0])
    """


# ----- Helpers of formulas -----


@formula
def scaled(a: Any, factor: Any) -> Any:
    return a if factor == 1 else a * factor


@formula
def share(grad: Any, lost: Any, tie: Any) -> Any:
    """The gradient for an input of maximum or minimum: none where the other was chosen, half where both were."""
    return unless(where(tie, grad / 2, grad), lost)


@composite(
    "true_divide(Tensor self, Tensor other) -> Tensor",
    numbers="any",
    forms="function method out",
    out_dtype="castable",
)
def true_divide(input: Any, other: Any) -> Tensor:
    """The quotient `input / other`, element by element, without rounding. It is the same as `div` without `rounding_mode`.

    Args:
        input: a tensor of any dtype, or a number
        other: a tensor that broadcasts with `input`, or a number

    Returns a new tensor with the broadcast shape. Integers give the default float dtype.

    >>> jgrad.true_divide(jgrad.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
    return div(input, other)


@composite("true_divide_(Tensor(a!) self, Tensor other) -> Tensor", numbers="other", forms="method")
def true_divide_(input: Tensor, other: Any) -> Tensor:
    """Divide this tensor by `other`, element by element, in place.

    Args:
        other: a tensor that broadcasts to the shape of this one, or a number

    Returns this tensor. Raises RuntimeError for a tensor of integers, which cannot hold the quotients.

    >>> x = jgrad.tensor([1., 2.])
    >>> x.true_divide_(4)
    tensor([0.2500, 0.5000])
    >>> x
    tensor([0.2500, 0.5000])
    """
    return input.div_(other)


def rounded_quotient(a: Tensor, b: Tensor, rounding_mode: str) -> Tensor:
    return div(a, b, rounding_mode=rounding_mode)


# ----- Other names and operators -----

for _other, _name in {
    "divide": "div", "negative": "neg", "fix": "trunc", "clip": "clamp",
}.items():  # fmt: skip
    alias_of(_name, _other)
alias_of("mul", "multiply", numbers="other")
alias_of("sub", "subtract", numbers="other", deprecated="")


def _install_operators() -> None:
    names = {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "pow": "pow",
        "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
    }  # fmt: skip
    for dunder, name in names.items():
        install_operator(TABLE[name], f"__{dunder}__")
        install_operator(TABLE[name], f"__i{dunder}__", inplace=True)
    for dunder in ("add", "mul", "and", "or", "xor"):
        install_operator(TABLE[names[dunder]], f"__r{dunder}__")
    install_swapped("__rsub__", rsub)
    install_swapped("__rtruediv__", lambda self, other: self.reciprocal() * other)
    # Python 2's names, which PyTorch still has.
    for old in ("div", "rdiv", "idiv"):
        setattr(Tensor, f"__{old}__", getattr(Tensor, f"__{old.replace('div', 'truediv')}__"))
    install_swapped("__rfloordiv__", lambda self, other: floor_divide(as_operand(other), self))
    install_swapped("__rmod__", lambda self, other: remainder(other, self))
    install_swapped("__rpow__", lambda self, other: pow(other, self))
    install_swapped("__rlshift__", lambda self, other: bitwise_left_shift(other, self))
    install_swapped("__rrshift__", lambda self, other: bitwise_right_shift(other, self))
    Tensor.__neg__ = Tensor.neg  # type: ignore[attr-defined]
    Tensor.__pos__ = Tensor.positive  # type: ignore[attr-defined]
    Tensor.__invert__ = _invert  # type: ignore[attr-defined]


def _invert(self: Tensor) -> Tensor:
    if self._a.dtype.kind not in "iub":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(self)


_install_operators()

# ----- Arithmetic with numbers, as PyTorch's own composed functions and formulas record it -----


@op(
    "_add_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="add",
    node="AddBackward1",
    promote="default",
)
class _add_scalar:
    """A sum with a number where PyTorch composes an operation in C++, which shows in the name of the node."""

    self = lambda grad: grad


@op(
    "_sub_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="sub",
    node="SubBackward1",
    promote="default",
)
class _sub_scalar:
    """A difference, likewise."""

    self = lambda grad: grad


@op(
    "_mul_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="mul",
    node="MulBackward1",
    promote="default",
)
class _mul_scalar:
    """A product with a number, likewise."""

    self = lambda grad, other: grad * conj(other)


@op(
    "_div_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="div",
    node="DivBackward1",
    promote="float",
)
class _div_scalar:
    """A quotient, likewise."""

    self = lambda grad, other: grad / conj(other)


@stands_for(ast.Add)
def _sum(a: Any, b: Any) -> Any:
    if isinstance(a, NUMBERS):
        a, b = b, a
    return _add_scalar(a, b) if isinstance(b, NUMBERS) and isinstance(a, Tensor) else a + b


@stands_for(ast.Sub)
def _difference(a: Any, b: Any) -> Any:
    if isinstance(b, NUMBERS) and isinstance(a, Tensor):
        return _sub_scalar(a, b)
    return _full_like(b, a) - b


@stands_for(ast.Mult)
def _product(a: Any, b: Any) -> Any:
    if isinstance(a, NUMBERS):
        a, b = b, a
    return _mul_scalar(a, b) if isinstance(b, NUMBERS) and isinstance(a, Tensor) else a * b


@stands_for(ast.Div)
def _quotient(a: Any, b: Any) -> Any:
    if isinstance(b, NUMBERS) and isinstance(a, Tensor):
        return _div_scalar(a, b)
    return _full_like(b, a) / b


def _full_like(a: Any, number: Any) -> Any:
    """A number, if it is one and stands before a floating tensor, as a tensor of the same shape."""
    floating = (
        isinstance(number, NUMBERS) and isinstance(a, Tensor) and (a.is_floating_point() or a.is_complex())
    )
    return zeros_like(a).fill_(number) if floating else number
