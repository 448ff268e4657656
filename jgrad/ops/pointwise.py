"""Pointwise operations: arithmetic and elementary functions, element by element, with broadcasting and type promotion."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.numpy import COMPLEX as COMPLEX  # dtypes, of arrays and tensors alike
from jgrad.op import NUMBERS, TABLE, alias_of, composite, formula, op, operator
from jgrad.ops.creation import as_operand, number_log, zeros_like
from jgrad.tensor import Tensor

UNARY: dict[str, Any] = {"promote": "default", "forms": "function method inplace out"}
FLOATING: dict[str, Any] = {"promote": "float", "forms": "function method inplace out"}
ARITHMETIC: dict[str, Any] = {**UNARY, "numbers": "any"}  # takes Python numbers in place of tensors


# ----- Arithmetic -----


@op("add(Tensor self, Tensor other, *, Number alpha=1) -> Tensor", **ARITHMETIC)
class add:
    """self + alpha * other."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(grad, alpha)


@op("sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor", **ARITHMETIC)
class sub:
    """self - alpha * other."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(-grad, alpha)


@op("mul(Tensor self, Tensor other) -> Tensor", **ARITHMETIC)
class mul:
    """self * other."""

    self = lambda grad, other: grad * conj(other)
    other = lambda grad, self: grad * conj(self)


@op("div(Tensor self, Tensor other) -> Tensor", numbers="any", **FLOATING)
class div:
    """self / other; integers give the default float."""

    self = lambda grad, other: grad / conj(other)
    other = lambda grad, self, other: -grad * conj((self / other) / other)


@op("div.Tensor_mode(Tensor self, Tensor other, *, str rounding_mode) -> Tensor", **UNARY, numbers="any",
    kernel="div_rounded", node="DivBackward2")  # fmt: skip
class div_rounded:
    self = lambda grad: zeros_like(grad)
    other = lambda grad: zeros_like(grad)


@op("div.Tensor_no_mode(Tensor self, Tensor other, *, any rounding_mode) -> Tensor", **FLOATING, numbers="any",
    kernel="div_rounded", node="DivBackward2")  # fmt: skip
class div_not_rounded:
    self = lambda grad, other: grad / conj(other)
    other = lambda grad, self, other: -grad * conj((self / other) / other)


@op(
    "rsub.Tensor(Tensor self, Tensor other, *, Number alpha=1) -> Tensor", promote="default", forms="function"
)
class rsub:
    """other - alpha * self."""

    self = lambda grad, alpha: scaled(-grad, alpha)
    other = lambda grad: grad


@op("rsub.Scalar(Tensor self, Number other, *, Number alpha=1) -> Tensor", promote="default")
class rsub_number:
    self = lambda grad, alpha: scaled(-grad, alpha)


@op("pow.Tensor_Scalar(Tensor self, Number exponent) -> Tensor", **UNARY)
class pow:
    """self to the power of exponent; either may be a number."""

    self = lambda grad, self, exponent: power_rule(grad, self, exponent)


@op("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", **UNARY)
class pow_tensor:
    self = lambda grad, self, exponent: where(
        exponent == 0, zeros_like(grad), grad * conj(exponent * pow(self, exponent - 1))
    )
    exponent = lambda grad, self, exponent, result: (
        grad * conj(where((self == 0) & (exponent >= 0), zeros_like(result), result * log(self)))
    )


@op("pow.Scalar(Number self, Tensor exponent) -> Tensor", **UNARY)
class pow_scalar:
    exponent = lambda grad, self, exponent, result: exponential_rule(grad, self, exponent, result)


@formula
def power_rule(grad: Any, base: Any, exponent: Any) -> Any:
    """The derivative of base ** number: zero for exponent 0, also where base ** -1 would be infinite."""
    return zeros_like(grad) if exponent == 0 else grad * conj(exponent * pow(base, exponent - 1))


@formula
def exponential_rule(grad: Any, base: Any, exponent: Any, result: Any) -> Any:
    """The derivative of number ** exponent."""
    if base == 0:
        return grad * conj(where(exponent >= 0, zeros_like(result), result * number_log(base)))
    return grad * conj(result * number_log(base))


@op("remainder.Scalar(Tensor self, Number other) -> Tensor", **UNARY)
class remainder:
    """The rest of a division, with the sign of the divisor."""

    self = lambda grad: grad


@op("remainder.Tensor(Tensor self, Tensor other) -> Tensor", **UNARY)
class remainder_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * floor(self / other)


@op("remainder.Scalar_Tensor(Number self, Tensor other) -> Tensor", undifferentiable=True, **UNARY)
class remainder_of_number:
    pass


@op("floor_divide.Scalar(Tensor self, Number other) -> Tensor", undifferentiable=True, **UNARY)
class floor_divide:
    """self / other, rounded down."""


@op("floor_divide(Tensor self, Tensor other) -> Tensor", undifferentiable=True, **ARITHMETIC)
class floor_divide_tensor:
    pass


@op("neg(Tensor self) -> Tensor", **UNARY)
class neg:
    """-self."""

    self = lambda grad: -grad


@op("reciprocal(Tensor self) -> Tensor", **FLOATING)
class reciprocal:
    """1 / self."""

    self = lambda grad, result: -grad * conj(result * result)


@op("abs(Tensor self) -> Tensor", **UNARY)
class abs:
    """The absolute value; its gradient at 0 is 0."""

    self = lambda grad, self: grad * sgn(self)


@op("sgn(Tensor self) -> Tensor", **UNARY)
class sgn:
    """The sign: -1, 0 or 1."""

    self = lambda grad, self, result: sgn_backward(self, grad, result)


@formula
def sgn_backward(base: Any, grad: Any, sgn: Any) -> Any:
    """The derivative of z / |z|: nothing for real numbers; for complex ones what is across the direction of z, by |z|."""
    if base.dtype not in COMPLEX:
        return zeros_like(grad)
    size = abs(base)
    ratio = where(size == 0, zeros_like(grad), grad / size)
    along = ratio * conj(sgn)
    return ratio - (along + conj(along)) / 2 * sgn


@op("sign(Tensor self) -> Tensor", **UNARY)
class sign:
    """The sign: -1, 0 or 1."""

    self = lambda grad: zeros_like(grad)


@op("_conj(Tensor self) -> Tensor", forms="", kernel="conj", node="ConjBackward0")
class _conj:
    """The complex conjugate."""

    self = lambda grad: conj(grad)


@composite("conj(Tensor self) -> Tensor", numbers="any")
def conj(input: Any) -> Any:
    """The complex conjugate; a real tensor itself."""
    return _conj(input) if isinstance(input, Tensor) and input.is_complex() else input


# ----- Elementary functions -----


@op("exp(Tensor self) -> Tensor", **FLOATING)
class exp:
    """e to the power of self."""

    self = lambda grad, result: grad * conj(result)


@op("log(Tensor self) -> Tensor", **FLOATING)
class log:
    """The natural logarithm."""

    self = lambda grad, self: grad / conj(self)


@op("sqrt(Tensor self) -> Tensor", **FLOATING)
class sqrt:
    """The square root."""

    self = lambda grad, result: grad / conj(2 * result)


@op("sin(Tensor self) -> Tensor", **FLOATING)
class sin:
    """The sine."""

    self = lambda grad, self: grad * conj(cos(self))


@op("cos(Tensor self) -> Tensor", **FLOATING)
class cos:
    """The cosine."""

    self = lambda grad, self: grad * -conj(sin(self))


@op("tanh(Tensor self) -> Tensor", **FLOATING)
class tanh:
    """The hyperbolic tangent."""

    self = lambda grad, result: tanh_backward(grad, result)


@op("tanh_backward(Tensor grad_output, Tensor output) -> Tensor")
class tanh_backward:
    """The gradient of tanh from its result."""

    grad_output = lambda grad, output: tanh_backward(grad, conj(output))
    output = lambda grad, grad_output, output: conj(grad) * (-2 * conj(output) * grad_output)


@op("sigmoid(Tensor self) -> Tensor", **FLOATING)
class sigmoid:
    """1 / (1 + exp(-self))."""

    self = lambda grad, result: sigmoid_backward(grad, result)


@op("sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor")
class sigmoid_backward:
    """The gradient of sigmoid from its result."""

    grad_output = lambda grad, output: sigmoid_backward(grad, conj(output))
    output = lambda grad, grad_output, output: conj(grad) * grad_output * (1 - 2 * conj(output))


@op("relu(Tensor self) -> Tensor", promote="default", forms="function method inplace")
class relu:
    """self where it is positive, 0 elsewhere."""

    self = lambda grad, result: threshold_backward(grad, result, 0)


@op("threshold_backward(Tensor grad_output, Tensor self, Number threshold) -> Tensor")
class threshold_backward:
    """The gradient where self is above the threshold, zero elsewhere."""

    grad_output = lambda grad, self, threshold: threshold_backward(grad, self, threshold)
    self = lambda grad: zeros_like(grad)


@op("floor(Tensor self) -> Tensor", **UNARY)
class floor:
    """Rounded down."""

    self = lambda grad: zeros_like(grad)


@op("ceil(Tensor self) -> Tensor", **UNARY)
class ceil:
    """Rounded up."""

    self = lambda grad: zeros_like(grad)


@op("trunc(Tensor self) -> Tensor", **UNARY)
class trunc:
    """Rounded towards zero."""

    self = lambda grad: zeros_like(grad)


@op("maximum(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class maximum:
    """The larger of two elements; equal ones share the gradient."""

    self = lambda grad, self, other: share(grad, self > other, self == other)
    other = lambda grad, self, other: share(grad, other > self, self == other)


@op("minimum(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class minimum:
    """The smaller of two elements; equal ones share the gradient."""

    self = lambda grad, self, other: share(grad, self < other, self == other)
    other = lambda grad, self, other: share(grad, other < self, self == other)


# ----- Choosing -----


@op("where(Tensor condition, Tensor self, Tensor other) -> Tensor", forms="function out", promote="default", promoted="self other",
    numbers="any")  # fmt: skip
class where:
    """input where the condition holds, other elsewhere."""

    self = lambda grad, condition: where(condition, grad, zeros_like(grad))
    other = lambda grad, condition: where(condition, zeros_like(grad), grad)


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    return where(condition, self, other)


Tensor.where = _where_method  # type: ignore[attr-defined]


@op(
    "masked_fill.Scalar(Tensor self, Tensor mask, Number value) -> Tensor",
    forms="function method inplace",
    checks_overlap=False,
)
class masked_fill:
    """self with `value` wherever the mask is true."""

    self = lambda grad, mask: masked_fill(grad, mask, 0)


@op(
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    forms="function method inplace",
    checks_overlap=False,
)
class masked_fill_tensor:
    self = lambda grad, mask: masked_fill(grad, mask, 0)
    value = lambda grad, mask: where(mask, grad, zeros_like(grad)).sum()


# ----- Logic -----


@op("logical_and(Tensor self, Tensor other) -> Tensor", **UNARY)
class logical_and:
    """Both are non-zero."""


@op("logical_or(Tensor self, Tensor other) -> Tensor", **UNARY)
class logical_or:
    """One of both is non-zero."""


@op("logical_not(Tensor self) -> Tensor", **UNARY)
class logical_not:
    """It is zero."""


@op("bitwise_and(Tensor self, Tensor other) -> Tensor", **ARITHMETIC)
class bitwise_and:
    """And, bit by bit; for booleans the logical and."""


@op("bitwise_or(Tensor self, Tensor other) -> Tensor", **ARITHMETIC)
class bitwise_or:
    """Or, bit by bit; for booleans the logical or."""


@op("bitwise_xor(Tensor self, Tensor other) -> Tensor", **ARITHMETIC)
class bitwise_xor:
    """Exclusive or, bit by bit."""


@op("bitwise_not(Tensor self) -> Tensor", **UNARY)
class bitwise_not:
    """Every bit flipped; for booleans the logical not."""


# ----- Helpers of formulas -----


@formula
def scaled(a: Any, factor: Any) -> Any:
    return a if factor == 1 else a * factor


@formula
def share(grad: Any, mine: Any, tie: Any) -> Any:
    """The gradient for an input of maximum or minimum: all of it where it was chosen, half where both were."""
    return where(tie, grad / 2, where(mine, grad, zeros_like(grad)))


# ----- Other names and operators -----

for _other, _name in {
    "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div", "negative": "neg", "absolute": "abs",
}.items():  # fmt: skip
    alias_of(_name, _other)


def _install_operators() -> None:
    def swapped(dunder: str, function: Any) -> None:
        def method(self: Tensor, other: Any) -> Any:
            return function(self, other) if isinstance(other, (Tensor, *NUMBERS)) else NotImplemented

        method.__name__ = method.__qualname__ = dunder
        setattr(Tensor, dunder, method)

    names = {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "pow": "pow",
        "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    }  # fmt: skip
    for dunder, name in names.items():
        operator(TABLE[name], f"__{dunder}__")
        operator(TABLE[name], f"__i{dunder}__", inplace=True)
    for dunder in ("add", "mul", "and", "or", "xor"):
        operator(TABLE[names[dunder]], f"__r{dunder}__")
    swapped("__rsub__", rsub)
    swapped("__rtruediv__", lambda self, other: self.reciprocal() * other)
    swapped("__rfloordiv__", lambda self, other: floor_divide(as_operand(other), self))
    swapped("__rmod__", lambda self, other: remainder(other, self))
    swapped("__rpow__", lambda self, other: pow(other, self))
    Tensor.__neg__ = Tensor.neg  # type: ignore[attr-defined]
    Tensor.__pos__ = lambda self: self  # type: ignore[attr-defined]
    Tensor.__abs__ = Tensor.abs  # type: ignore[attr-defined]
    Tensor.__invert__ = _invert  # type: ignore[attr-defined]


def _invert(self: Tensor) -> Tensor:
    if self._a.dtype.kind not in "iub":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(self)


_install_operators()
