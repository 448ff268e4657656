"""Arithmetic, element by element, with broadcasting and type promotion: sums, products, quotients, powers, and what is composed of them."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import alias_of, composite, formula, op
from jgrad.dispatch.options import ARITHMETIC, FLOATING, FLOATING_EVERYWHERE, POINTWISE, POINTWISE_EVERYWHERE
from jgrad.kernels.numbers import number_log
from jgrad.ops.by_name import conj, imag, log, real, where
from jgrad.ops.complex_numbers import COMPLEX
from jgrad.ops.creation import ZERO, zeros_like
from jgrad.tensor import Tensor


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
    "rsub.Scalar(Tensor self, Number other, Number alpha=1) -> Tensor",
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


@op("neg(Tensor self) -> Tensor", checked_before_overlap="negation", **POINTWISE_EVERYWHERE)
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


@formula
def scaled(a: Any, factor: Any) -> Any:
    return a if factor == 1 else a * factor


alias_of("div", "divide")
alias_of("neg", "negative")
alias_of("mul", "multiply", numbers="other")
alias_of(
    "sub",
    "subtract",
    numbers="other",
    deprecated="",
    also="sub(Tensor self, Number other, Number alpha=1) -> Tensor",
)
