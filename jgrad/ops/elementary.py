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
    """The exponential function: e to the power of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is the result itself.

    >>> x = jgrad.tensor([0., 1.], requires_grad=True)
    >>> jgrad.exp(x)
    tensor([1.0000, 2.7183], grad_fn=<ExpBackward0>)
    >>> jgrad.exp(x).sum().backward()
    >>> x.grad
    tensor([1.0000, 2.7183])
    """

    self = lambda grad, result: grad * conj(result)


@op("exp2(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class exp2:
    """2 to the power of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is the result times the natural logarithm of 2.

    >>> jgrad.exp2(jgrad.tensor([-1., 0., 3.]))
    tensor([0.5000, 1.0000, 8.0000])
    """

    self = lambda grad, result: grad * conj(result) * 0.6931471805599453


@op("expm1(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class expm1:
    """`exp(input) - 1`, element by element. It stays accurate near 0, where `exp(input)` would be rounded to 1.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor.

    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.exp(x) - 1
    tensor([0.])
    >>> jgrad.expm1(x)
    tensor([1.0000e-09])
    """

    self = lambda grad, result: grad * (conj(result) + 1)


@op("log(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log:
    """The natural logarithm of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan. The gradient is `1 / input`.

    >>> x = jgrad.tensor([1., 4.], requires_grad=True)
    >>> jgrad.log(x)
    tensor([0.0000, 1.3863], grad_fn=<LogBackward0>)
    >>> jgrad.log(x).sum().backward()
    >>> x.grad
    tensor([1.0000, 0.2500])
    """

    self = lambda grad, self: grad / conj(self)


@op("log2(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log2:
    """The logarithm to base 2 of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan.

    >>> jgrad.log2(jgrad.tensor([0.5, 1., 3.]))
    tensor([-1.0000,  0.0000,  1.5850])
    """

    self = lambda grad, self: grad / (conj(self) * 0.6931471805599453)


@op("log10(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class log10:
    """The logarithm to base 10 of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The logarithm of 0 is -inf, that of a negative real number is nan.

    >>> jgrad.log10(jgrad.tensor([2., 10., 1000.]))
    tensor([0.3010, 1.0000, 3.0000])
    """

    self = lambda grad, self: grad / (conj(self) * 2.302585092994046)


@op("log1p(Tensor self) -> Tensor", node="Log1PBackward0", **FLOATING_EVERYWHERE)
class log1p:
    """`log(1 + input)`, element by element. It stays accurate near 0, where `1 + input` would be rounded to 1.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The result at -1 is -inf, that below -1 is nan.

    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.log(1 + x)
    tensor([0.])
    >>> jgrad.log1p(x)
    tensor([1.0000e-09])
    """

    self = lambda grad, self: grad / conj(self + 1)


@op("logaddexp(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class logaddexp:
    """`log(exp(input) + exp(other))`, element by element, computed without overflow. It adds two numbers that are given by their logarithms.

    Args:
        input: a floating-point or complex tensor
        other: a floating-point or complex tensor that broadcasts with `input`

    Returns a new tensor with the broadcast shape. The gradient is shared in proportion to `exp(input)` and `exp(other)`.

    >>> a = jgrad.tensor([1000.], requires_grad=True)
    >>> b = jgrad.tensor([1000.], requires_grad=True)
    >>> jgrad.logaddexp(a, b).backward()
    >>> a.grad, b.grad
    (tensor([0.5000]), tensor([0.5000]))
    """

    self = lambda grad, self, other: grad / conj(1 + exp(other - self))
    other = lambda grad, self, other: grad / conj(1 + exp(self - other))


@op("logaddexp2(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class logaddexp2:
    """`log2(2**input + 2**other)`, element by element, computed without overflow.

    Args:
        input: a floating-point tensor
        other: a floating-point tensor that broadcasts with `input`

    Returns a new tensor with the broadcast shape.

    >>> jgrad.logaddexp2(jgrad.tensor([3., 1000.]), jgrad.tensor([3., 1000.]))
    tensor([   4., 1001.])
    """

    self = lambda grad, self, other: grad / (1 + 2 ** (other - self))
    other = lambda grad, self, other: grad / (1 + 2 ** (self - other))


@op("xlogy.Tensor(Tensor self, Tensor other) -> Tensor", **FLOATING_EVERYWHERE)
class xlogy:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.

    Args:
        input: a tensor of real numbers, or a number if `other` is a tensor
        other: a tensor of real numbers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape. Integers give the default float dtype. The gradient of `input` is 0 where `input` is 0 and
    `other` is not positive.

    >>> p = jgrad.tensor([0., 1.])
    >>> p * jgrad.log(p)
    tensor([nan, 0.])
    >>> jgrad.xlogy(p, p)
    tensor([0., 0.])
    """

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
    """`log(input / (1 - input))`, element by element: the inverse of `sigmoid`. It is also `special.logit`.

    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype; without `eps`
            a value less than 0 or greater than 1 gives nan
        eps: if given, `input` is first clamped to lie between `eps` and `1 - eps`; this avoids infinite results

    Returns a new tensor. With `eps`, elements that are not between these limits have the gradient 0.

    >>> jgrad.logit(jgrad.tensor([0., 0.5, 1.]))
    tensor([-inf, 0., inf])
    >>> x = jgrad.tensor([0., 0.5], requires_grad=True)
    >>> jgrad.logit(x, eps=0.25).sum().backward()
    >>> x.grad
    tensor([0., 4.])
    """

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
    """The square root of each element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The root of a negative real number is nan. The gradient is `1 / (2 * sqrt(input))`, which is inf at 0.

    >>> x = jgrad.tensor([0., 4.], requires_grad=True)
    >>> jgrad.sqrt(x)
    tensor([0., 2.], grad_fn=<SqrtBackward0>)
    >>> jgrad.sqrt(x).sum().backward()
    >>> x.grad
    tensor([   inf, 0.2500])
    """

    self = lambda grad, result: grad / conj(2 * result)


@op("rsqrt(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class rsqrt:
    """`1 / sqrt(input)`, element by element.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The result at 0 is inf, that of a negative real number is nan.

    >>> jgrad.rsqrt(jgrad.tensor([0., 1., 4.]))
    tensor([   inf, 1.0000, 0.5000])
    """

    self = lambda grad, result: -0.5 * grad * conj(pow(result, 3))


@op("hypot(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class hypot:
    """`sqrt(input**2 + other**2)`, element by element, computed without overflow. It is the length of the
    longest side of a right triangle.

    Args:
        input: a floating-point tensor of real numbers
        other: a tensor of real numbers that broadcasts with `input`

    Returns a new tensor with the broadcast shape. If both are integers, NotImplementedError is raised. The gradient is nan where both are 0.

    >>> jgrad.hypot(jgrad.tensor([3.]), jgrad.tensor([4.]))
    tensor([5.])
    >>> jgrad.hypot(jgrad.tensor([3e30]), jgrad.tensor([4e30]))
    tensor([5.0000e+30])
    """

    self = lambda grad, self, result: grad * (self / result)
    other = lambda grad, other, result: grad * (other / result)


# ----- Trigonometry -----


@op("sin(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sin:
    """The sine of each element, an angle in radians.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `cos(input)`.

    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.sin(x).backward()
    >>> x.grad
    tensor([1.])
    """

    self = lambda grad, self: grad * conj(cos(self))


@op("cos(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class cos:
    """The cosine of each element, an angle in radians.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `-sin(input)`.

    >>> jgrad.cos(jgrad.tensor([0., jgrad.pi]))
    tensor([ 1., -1.])
    """

    self = lambda grad, self: grad * -conj(sin(self))


@op("tan(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class tan:
    """The tangent of each element, an angle in radians.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `1 + tan(input)**2`.

    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.tan(x).backward()
    >>> x.grad
    tensor([1.])
    """

    self = lambda grad, result: grad * conj(1 + result**2)


@op("asin(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class asin:
    """The inverse sine of each element: the angle in radians, between -pi/2 and pi/2, whose sine is `input`. `arcsin` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.

    >>> jgrad.asin(jgrad.tensor([-1., 0., 1.]))
    tensor([-1.5708,  0.0000,  1.5708])
    """

    self = lambda grad, self: grad * conj(rsqrt(-self * self + 1))


@op("acos(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class acos:
    """The inverse cosine of each element: the angle in radians, between 0 and pi, whose cosine is `input`. `arccos` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. A real number less than -1 or greater than 1 gives nan. The gradient at -1 and 1 is infinite.

    >>> jgrad.acos(jgrad.tensor([-1., 0., 1.]))
    tensor([3.1416, 1.5708, 0.0000])
    """

    self = lambda grad, self: grad * -conj(rsqrt(-self * self + 1))


@op("atan(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class atan:
    """The inverse tangent of each element: the angle in radians, between -pi/2 and pi/2, whose tangent is `input`. `arctan` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `1 / (1 + input**2)`.

    >>> jgrad.atan(jgrad.tensor([-1., 0., 1.]))
    tensor([-0.7854,  0.0000,  0.7854])
    """

    self = lambda grad, self: grad / conj(self * self + 1)


@op("atan2(Tensor self, Tensor other) -> Tensor", **FLOATING)
class atan2:
    """The angle in radians of the point whose coordinates are `x = other` and `y = input`, between -pi and pi. `arctan2` is another name.

    Args:
        input: the y coordinates: a tensor of real numbers; integers are converted to the default float dtype
        other: the x coordinates: a tensor of real numbers that broadcasts with `input`

    Returns a new tensor with the broadcast shape. Unlike `atan(input / other)`, it knows in which quadrant the point lies. The gradient at
    the origin is 0.

    >>> y = jgrad.tensor([0., 1., 0., -1.])
    >>> x = jgrad.tensor([1., 0., -1., 0.])
    >>> jgrad.atan2(y, x)
    tensor([ 0.0000,  1.5708,  3.1416, -1.5708])
    """

    self = lambda grad, self, other: grad * other * inverse_square(self, other)
    other = lambda grad, self, other: grad * -self * inverse_square(self, other)


@formula
def inverse_square(a: Any, b: Any) -> Any:
    """1 / (a**2 + b**2), and 0 in the origin."""
    square = a * a + b * b
    return masked_fill(1 / square, square == 0, 0)


@op("deg2rad(Tensor self) -> Tensor", node="Deg2RadBackward0", **FLOATING_EVERYWHERE)
class deg2rad:
    """Angles in degrees converted to radians: `input * pi / 180`.

    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype

    Returns a new tensor.

    >>> jgrad.deg2rad(jgrad.tensor([0., 90., 180.]))
    tensor([0.0000, 1.5708, 3.1416])
    """

    self = lambda grad: grad * DEGREE


@op("rad2deg(Tensor self) -> Tensor", node="Rad2DegBackward0", **FLOATING_EVERYWHERE)
class rad2deg:
    """Angles in radians converted to degrees: `input * 180 / pi`.

    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype

    Returns a new tensor.

    >>> jgrad.rad2deg(jgrad.tensor([1., jgrad.pi]))
    tensor([ 57.2958, 180.0000])
    """

    self = lambda grad: grad * (1 / DEGREE)


# ----- Hyperbolic functions -----


@op("sinh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sinh:
    """The hyperbolic sine of each element: `(exp(input) - exp(-input)) / 2`.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `cosh(input)`.

    >>> x = jgrad.tensor([0.], requires_grad=True)
    >>> jgrad.sinh(x).backward()
    >>> x.grad
    tensor([1.])
    """

    self = lambda grad, self: grad * conj(cosh(self))


@op("cosh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class cosh:
    """The hyperbolic cosine of each element: `(exp(input) + exp(-input)) / 2`.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `sinh(input)`.

    >>> jgrad.cosh(jgrad.tensor([0.]))
    tensor([1.])
    """

    self = lambda grad, self: grad * conj(sinh(self))


@op("tanh(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class tanh:
    """The hyperbolic tangent of each element: `sinh(input) / cosh(input)`. Its values lie between -1 and 1.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `1 - tanh(input)**2`: it is small where the result is close to -1 or 1.

    >>> x = jgrad.tensor([0., 100.], requires_grad=True)
    >>> jgrad.tanh(x)
    tensor([0., 1.], grad_fn=<TanhBackward0>)
    >>> jgrad.tanh(x).sum().backward()
    >>> x.grad
    tensor([1., 0.])
    """

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
    """The inverse of `sinh`, element by element. `arcsinh` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor.

    >>> jgrad.asinh(jgrad.tensor([0.]))
    tensor([0.])
    """

    self = lambda grad, self: grad * conj(rsqrt(self**2 + 1))


@op(
    "asinh_(Tensor(a!) self) -> Tensor", forms="function method", node="AsinhBackward1", batches="elementwise"
)
class asinh_:
    """Replace every element by its `asinh`, in place. `arcsinh_` is another name.

    Args:
        input: the floating-point or complex tensor that is changed

    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `asinh` where a gradient is needed.

    >>> x = jgrad.tensor([0.])
    >>> jgrad.asinh_(x)
    tensor([0.])
    """

    self = lambda grad: no_derivative("inplace version of asinh")


@op("acosh(Tensor self) -> Tensor", promote="float", forms="function method out")
class acosh:
    """The inverse of `cosh`, element by element. `arccosh` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. A real number less than 1 gives nan.

    >>> jgrad.acosh(jgrad.tensor([0., 1.]))
    tensor([nan, 0.])
    """

    self = lambda grad, self: acosh_backward(grad, self)


@op(
    "acosh_(Tensor(a!) self) -> Tensor", forms="function method", node="AcoshBackward1", batches="elementwise"
)
class acosh_:
    """Replace every element by its `acosh`, in place. `arccosh_` is another name.

    Args:
        input: the floating-point or complex tensor that is changed

    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `acosh` where a gradient is needed.

    >>> x = jgrad.tensor([1.])
    >>> jgrad.acosh_(x)
    tensor([0.])
    """

    self = lambda grad: no_derivative("inplace version of acosh")


@formula
def acosh_backward(grad: Any, a: Any) -> Any:
    """Of complex numbers the two roots must be taken apart, to stay on their branches."""
    if a.dtype in COMPLEX:
        return grad * conj(rsqrt(a + 1) * rsqrt(a - 1))
    return grad * rsqrt(a * a - 1)


@op("atanh(Tensor self) -> Tensor", promote="float", forms="function method out")
class atanh:
    """The inverse of `tanh`, element by element. `arctanh` is another name.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The result at 1 is inf, that at -1 is -inf. A real number less than -1 or greater than 1 gives nan.

    >>> jgrad.atanh(jgrad.tensor([0., 1., 2.]))
    tensor([0., inf, nan])
    """

    self = lambda grad, self: grad * 1 / conj(1 - self**2)


@op(
    "atanh_(Tensor(a!) self) -> Tensor", forms="function method", node="AtanhBackward1", batches="elementwise"
)
class atanh_:
    """Replace every element by its `atanh`, in place. `arctanh_` is another name.

    Args:
        input: the floating-point or complex tensor that is changed

    Returns `input` itself. In place it has no derivative: the backward pass raises NotImplementedError. Use `atanh` where a gradient is needed.

    >>> x = jgrad.tensor([0.])
    >>> jgrad.atanh_(x)
    tensor([0.])
    """

    self = lambda grad: no_derivative("inplace version of atanh")


@op("sigmoid(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sigmoid:
    """The logistic function `1 / (1 + exp(-input))`, element by element. Its values lie between 0 and 1. It is also `special.expit`.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype

    Returns a new tensor. The gradient is `y * (1 - y)`, where `y` is the result.

    >>> x = jgrad.tensor([0., 1000.], requires_grad=True)
    >>> jgrad.sigmoid(x)
    tensor([0.5000, 1.0000], grad_fn=<SigmoidBackward0>)
    >>> jgrad.sigmoid(x).sum().backward()
    >>> x.grad
    tensor([0.2500, 0.0000])
    """

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
