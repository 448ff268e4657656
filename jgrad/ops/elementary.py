"""Elementary functions: exponentials, logarithms, trigonometric and hyperbolic functions."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import alias_of, formula, op
from jgrad.dispatch.options import FLOATING, FLOATING_EVERYWHERE, POINTWISE
from jgrad.ops.by_name import conj, masked_fill, pow, where
from jgrad.ops.complex_numbers import COMPLEX
from jgrad.ops.creation import zeros_like

DEGREE = math.pi / 180  # in radians

# ----- Exponentials and logarithms -----


@op("exp(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class exp:
    """The exponential function: e to the power of each element."""

    self = lambda grad, result: grad * conj(result)


@op("exp2(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class exp2:
    """2 to the power of each element."""

    self = lambda grad, result: grad * conj(result) * 0.6931471805599453


@op("expm1(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class expm1:
    """`exp(input) - 1`, element by element. It stays accurate near 0, where `exp(input)` would be rounded to 1."""

    self = lambda grad, result: grad * (conj(result) + 1)


@op("log(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log:
    """The natural logarithm of each element."""

    self = lambda grad, self: grad / conj(self)


@op("log2(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log2:
    """The logarithm to base 2 of each element."""

    self = lambda grad, self: grad / (conj(self) * 0.6931471805599453)


@op("log10(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log10:
    """The logarithm to base 10 of each element."""

    self = lambda grad, self: grad / (conj(self) * 2.302585092994046)


@op("log1p(Tensor self) -> Tensor", node="Log1PBackward0", **FLOATING_EVERYWHERE)
class log1p:
    """`log(1 + input)`, element by element. It stays accurate near 0, where `1 + input` would be rounded to 1."""

    self = lambda grad, self: grad / conj(self + 1)


@op("logaddexp(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class logaddexp:
    """`log(exp(input) + exp(other))`, element by element, computed without overflow. It adds two numbers that are given by their logarithms."""

    self = lambda grad, self, other: grad / conj(1 + exp(other - self))
    other = lambda grad, self, other: grad / conj(1 + exp(self - other))


@op("logaddexp2(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class logaddexp2:
    """`log2(2**input + 2**other)`, element by element, computed without overflow."""

    self = lambda grad, self, other: grad / (1 + 2 ** (other - self))
    other = lambda grad, self, other: grad / (1 + 2 ** (self - other))


@op("xlogy.Tensor(Tensor self, Tensor other) -> Tensor", **FLOATING_EVERYWHERE)
class xlogy:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`."""

    self = lambda grad, self, other: masked_fill(xlogy(grad, other), (self == 0) & (other <= 0), 0)
    other = lambda grad, self, other: grad * self / other


@op("xlogy.Scalar_Self(Number self, Tensor other) -> Tensor", **FLOATING_EVERYWHERE)
class xlogy_of_number:
    other = lambda grad, self, other: grad * self / other


@op("xlogy.Scalar_Other(Tensor self, Number other) -> Tensor", **FLOATING_EVERYWHERE)
class xlogy_number:
    self = lambda grad, self, other: xlogy_rule(grad, self, other)


@formula
def xlogy_rule(grad: Any, base: Any, other: Any) -> Any:
    """The derivative of base * log(number); where the logarithm does not exist, base 0 still has none."""
    return xlogy(grad, other) if other > 0 else masked_fill(xlogy(grad, other), base == 0, 0)


@op("logit(Tensor self, float? eps=None) -> Tensor", **FLOATING_EVERYWHERE)
class logit:
    """`log(input / (1 - input))`, element by element: the inverse of `sigmoid`. It is also `special.logit`."""

    self = lambda grad, self, eps: logit_backward(grad, self, eps)


@formula
def logit_backward(grad: Any, a: Any, eps: Any) -> Any:
    """No gradient beyond eps and 1 - eps; without eps, nan beyond 0 and 1."""
    outside = zeros_like(grad)
    if eps is None or eps < 0:
        eps, outside = 0.0, outside + float("nan")
    return where((a >= eps) & (a <= 1 - eps), grad / (a * (1 - a)), outside)


# ----- Roots and powers -----


@op("sqrt(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sqrt:
    """The square root of each element."""

    self = lambda grad, result: grad / conj(2 * result)


@op("rsqrt(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class rsqrt:
    """`1 / sqrt(input)`, element by element."""

    self = lambda grad, result: -0.5 * grad * conj(pow(result, 3))


@op("hypot(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class hypot:
    """`sqrt(input**2 + other**2)`, element by element, computed without overflow. It is the length of the
    longest side of a right triangle."""

    self = lambda grad, self, result: grad * (self / result)
    other = lambda grad, other, result: grad * (other / result)


# ----- Trigonometry -----


@op("sin(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sin:
    """The sine of each element, an angle in radians."""

    self = lambda grad, self: grad * conj(cos(self))


@op("cos(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class cos:
    """The cosine of each element, an angle in radians."""

    self = lambda grad, self: grad * -conj(sin(self))


@op("tan(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class tan:
    """The tangent of each element, an angle in radians."""

    self = lambda grad, result: grad * conj(1 + result**2)


@op("asin(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class asin:
    """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name."""

    self = lambda grad, self: grad * conj(rsqrt(-self * self + 1))


@op("acos(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class acos:
    """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name."""

    self = lambda grad, self: grad * -conj(rsqrt(-self * self + 1))


@op("atan(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class atan:
    """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name."""

    self = lambda grad, self: grad / conj(self * self + 1)


@op("atan2(Tensor self, Tensor other) -> Tensor", **FLOATING)
class atan2:
    """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name."""

    self = lambda grad, self, other: grad * other * inverse_square(self, other)
    other = lambda grad, self, other: grad * -self * inverse_square(self, other)


@formula
def inverse_square(a: Any, b: Any) -> Any:
    """1 / (a**2 + b**2), and 0 in the origin."""
    square = a * a + b * b
    return masked_fill(1 / square, square == 0, 0)


@op("deg2rad(Tensor self) -> Tensor", node="Deg2RadBackward0", **FLOATING_EVERYWHERE)
class deg2rad:
    """Angles in degrees converted to radians: `input * pi / 180`."""

    self = lambda grad: grad * DEGREE


@op("rad2deg(Tensor self) -> Tensor", node="Rad2DegBackward0", **FLOATING_EVERYWHERE)
class rad2deg:
    """Angles in radians converted to degrees: `input * 180 / pi`."""

    self = lambda grad: grad * (1 / DEGREE)


# ----- Hyperbolic functions -----


@op("sinh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sinh:
    """The hyperbolic sine of each element: `(exp(input) - exp(-input)) / 2`."""

    self = lambda grad, self: grad * conj(cosh(self))


@op("cosh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class cosh:
    """The hyperbolic cosine of each element: `(exp(input) + exp(-input)) / 2`."""

    self = lambda grad, self: grad * conj(sinh(self))


@op("tanh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class tanh:
    """The hyperbolic tangent of each element: `sinh(input) / cosh(input)`. Its values lie between -1 and 1."""

    self = lambda grad, result: tanh_backward(grad, result)


@op("tanh_backward(Tensor grad_output, Tensor output) -> Tensor", batches="elementwise")
class tanh_backward:
    """The gradient of `tanh`, computed from its result."""

    grad_output = lambda grad, output: tanh_backward(grad, conj(output))
    output = lambda grad, grad_output, output: conj(grad) * (-2 * conj(output) * grad_output)


@formula
def no_derivative(name: Any) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


@op("asinh(Tensor self) -> Tensor", promote="float", forms="function method out")
class asinh:
    """The inverse of `sinh`, element by element. `arcsinh` is another name."""

    self = lambda grad, self: grad * conj(rsqrt(self**2 + 1))


@op(
    "asinh_(Tensor(a!) self) -> Tensor", forms="function method", node="AsinhBackward1", batches="elementwise"
)
class asinh_:
    """Replace every element by its `asinh`, in place. `arcsinh_` is another name."""

    self = lambda grad: no_derivative("inplace version of asinh")


@op("acosh(Tensor self) -> Tensor", promote="float", forms="function method out")
class acosh:
    """The inverse of `cosh`, element by element. `arccosh` is another name."""

    self = lambda grad, self: acosh_backward(grad, self)


@op(
    "acosh_(Tensor(a!) self) -> Tensor", forms="function method", node="AcoshBackward1", batches="elementwise"
)
class acosh_:
    """Replace every element by its `acosh`, in place. `arccosh_` is another name."""

    self = lambda grad: no_derivative("inplace version of acosh")


@formula
def acosh_backward(grad: Any, a: Any) -> Any:
    """Of complex numbers the two roots must be taken apart, to stay on their branches."""
    if a.dtype in COMPLEX:
        return grad * conj(rsqrt(a + 1) * rsqrt(a - 1))
    return grad * rsqrt(a * a - 1)


@op("atanh(Tensor self) -> Tensor", promote="float", forms="function method out")
class atanh:
    """The inverse of `tanh`, element by element. `arctanh` is another name."""

    self = lambda grad, self: grad * 1 / conj(1 - self**2)


@op(
    "atanh_(Tensor(a!) self) -> Tensor", forms="function method", node="AtanhBackward1", batches="elementwise"
)
class atanh_:
    """Replace every element by its `atanh`, in place. `arctanh_` is another name."""

    self = lambda grad: no_derivative("inplace version of atanh")


@op("sigmoid(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sigmoid:
    """The logistic function `1 / (1 + exp(-input))`, element by element. Its values lie between 0 and 1. It is also `special.expit`."""

    self = lambda grad, result: sigmoid_backward(grad, result)


@op("sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", batches="elementwise")
class sigmoid_backward:
    """The gradient of `sigmoid`, computed from its result."""

    grad_output = lambda grad, output: sigmoid_backward(grad, conj(output))
    output = lambda grad, grad_output, output: conj(grad) * grad_output * (1 - 2 * conj(output))


for _name in ("sin", "cos", "tan"):
    alias_of(f"a{_name}", f"arc{_name}")
    for _form in ("h", "h_"):
        alias_of(f"a{_name}{_form}", f"arc{_name}{_form}")
alias_of("atan2", "arctan2")

# Names of the formulas above.
