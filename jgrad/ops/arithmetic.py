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
    """The sum `input + alpha * other`, element by element. Both broadcast with each other."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(grad, alpha)


@op(
    "sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
    refuses="subtraction",
    deprecated="sub(Tensor self, Number alpha, Tensor other)",
    **ARITHMETIC,
)
class sub:
    """The difference `input - alpha * other`, element by element. Both broadcast with each other. `subtract` is another name."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(-grad, alpha)


@op("mul(Tensor self, Tensor other) -> Tensor", numbers_in_single=True, **ARITHMETIC)
class mul:
    """The product `input * other`, element by element. Both broadcast with each other. `multiply` is another name."""

    self = lambda grad, other: grad * conj(other)
    other = lambda grad, self: grad * conj(self)


@op("div(Tensor self, Tensor other) -> Tensor", numbers="any", numbers_in_single=True, **FLOATING)
class div:
    """The quotient `input / other`, element by element. Both broadcast with each other. `divide` is another name."""

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
    """The difference in reverse order: `other - alpha * input`, element by element."""

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
    """`input` to the power of `exponent`, element by element. Both broadcast with each other."""

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
    `input - other * floor(input / other)`."""

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
    """The quotient `input / other`, rounded down, element by element. It is like `//` in Python."""


@op("floor_divide(Tensor self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_tensor:
    pass


@op("floor_divide.Scalar_Tensor(Number self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_of_number:
    pass


@op("neg(Tensor self) -> Tensor", checked_before_overlap="negation", **POINTWISE_EVERYWHERE)
class neg:
    """The negative `-input`, element by element. `negative` is another name."""

    self = lambda grad: -grad


@op("reciprocal(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class reciprocal:
    """`1 / input`, element by element."""

    self = lambda grad, result: -grad * conj(result * result)


@op("sign(Tensor self) -> Tensor", **POINTWISE)
class sign:
    """The sign of each element: -1, 0 or 1. `sgn` does the same for complex numbers too."""

    self = ZERO


@composite(
    "true_divide(Tensor self, Tensor other) -> Tensor",
    numbers="any",
    forms="function method out",
    out_dtype="castable",
)
def true_divide(input: Any, other: Any) -> Tensor:
    """The quotient `input / other`, element by element, without rounding. It is the same as `div` without `rounding_mode`."""
    return div(input, other)


@composite("true_divide_(Tensor(a!) self, Tensor other) -> Tensor", numbers="other", forms="method")
def true_divide_(input: Tensor, other: Any) -> Tensor:
    """Divide this tensor by `other`, element by element, in place."""
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
