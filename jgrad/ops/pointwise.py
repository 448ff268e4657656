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
    """self + alpha * other."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(grad, alpha)


@op(
    "sub(Tensor self, Tensor other, *, Number alpha=1) -> Tensor",
    refuses_bool=True,
    deprecated="sub(Tensor self, Number alpha, Tensor other)",
    **ARITHMETIC,
)
class sub:
    """self - alpha * other."""

    self = lambda grad: grad
    other = lambda grad, alpha: scaled(-grad, alpha)


@op("mul(Tensor self, Tensor other) -> Tensor", numbers_in_single=True, **ARITHMETIC)
class mul:
    """self * other."""

    self = lambda grad, other: grad * conj(other)
    other = lambda grad, self: grad * conj(self)


@op("div(Tensor self, Tensor other) -> Tensor", numbers="any", numbers_in_single=True, **FLOATING)
class div:
    """self / other; integers give the default float."""

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
    refuses_bool=True,
    promote="default",
    forms="function",
)
class rsub:
    """other - alpha * self."""

    self = lambda grad, alpha: scaled(-grad, alpha)
    other = lambda grad: grad


@op(
    "rsub.Scalar(Tensor self, Number other, *, Number alpha=1) -> Tensor",
    refuses_bool=True,
    promote="default",
)
class rsub_number:
    self = lambda grad, alpha: scaled(-grad, alpha)


@op("pow.Tensor_Scalar(Tensor self, Number exponent) -> Tensor", **POINTWISE)
class pow:
    """self to the power of exponent; either may be a number."""

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
    """The rest of a division, with the sign of the divisor."""

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
    """self / other, rounded down."""


@op("floor_divide(Tensor self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_tensor:
    pass


@op("floor_divide.Scalar_Tensor(Number self, Tensor other) -> Tensor", undifferentiable=True, **POINTWISE)
class floor_divide_of_number:
    pass


@op("neg(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class neg:
    """-self."""

    self = lambda grad: -grad


@op("reciprocal(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class reciprocal:
    """1 / self."""

    self = lambda grad, result: -grad * conj(result * result)


@op("sign(Tensor self) -> Tensor", **POINTWISE)
class sign:
    """The sign: -1, 0 or 1."""

    self = ZERO


# ----- Rounding -----


@op("floor(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class floor:
    """Rounded down."""

    self = ZERO


@op("ceil(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class ceil:
    """Rounded up."""

    self = ZERO


@op("trunc(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class trunc:
    """Rounded towards zero."""

    self = ZERO


@op("round(Tensor self) -> Tensor", **POINTWISE_EVERYWHERE)
class round:
    """Rounded to the nearest integer, halves to the even one; with `decimals` to so many places."""

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
    """What `trunc` cuts off."""

    self = lambda grad: grad


@op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    forms="function method out",
    batches="elementwise",
)
class frexp:
    """self as mantissa * 2**exponent, the mantissa between a half and one."""

    self = lambda grad, exponent: ldexp(grad, -exponent)


@op("ldexp.Tensor(Tensor self, Tensor other) -> Tensor", node="LdexpBackward0", **FLOATING_EVERYWHERE)
class ldexp:
    """self * 2**other."""

    self = lambda grad, other: ldexp(grad, conj(other))
    other = lambda grad, result: grad * conj(result) * 0.6931471805599453


@op("copysign.Tensor(Tensor self, Tensor other) -> Tensor", **FLOATING)
class copysign:
    """The size of self with the sign of other."""

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
    """Where the sign is minus, also that of -0."""


@op("nextafter(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class nextafter:
    """The next floating point number after self, towards other."""

    self = lambda grad, self, other: only_where(grad, self != other)
    other = ZERO


@op("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", **POINTWISE_EVERYWHERE,
    real_gradient=True,
    out_dtype="nan_to_num: dtype of out: {out} should be same as input: {result}")  # fmt: skip
class nan_to_num:
    """nan as 0 and infinities as the largest numbers of the dtype, or as what is given for them."""

    self = lambda grad, self: grad * isfinite(self)


@op(
    "heaviside(Tensor self, Tensor values) -> Tensor",
    undifferentiable=True,
    promoted="",
    out_dtype="heaviside is not yet implemented for tensors with different dtypes.",
    **POINTWISE,
)
class heaviside:
    """0 below zero, 1 above, `values` at zero."""


# ----- Limits -----


@op(
    "clamp(Tensor self, Number? min=None, Number? max=None) -> Tensor",
    c_names=True,
    out_dtype="Found dtype {out} but expected {result}",
    node="ClampBackward1",
    **POINTWISE_EVERYWHERE,
)
class clamp:
    """Nothing below min, nothing above max (numbers or tensors); where both contradict each other, max."""

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
    """Nothing below min."""

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
    """Nothing above max."""

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
    """The larger of two elements; equal ones share the gradient."""

    self = lambda grad, self, other: share(grad, self < other, self == other)
    other = lambda grad, self, other: share(grad, self > other, self == other)


@op(
    "minimum(Tensor self, Tensor other) -> Tensor",
    promote="default",
    forms="function method out",
    gradient_writes=1,
)
class minimum:
    """The smaller of two elements; equal ones share the gradient."""

    self = lambda grad, self, other: share(grad, self > other, self == other)
    other = lambda grad, self, other: share(grad, self < other, self == other)


@op("fmax(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmax:
    """The larger of two elements, or the one that is a number."""

    self = lambda grad, self, other: unless(grad, ~((self >= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self >= other) | isnan(other))


@op("fmin(Tensor self, Tensor other) -> Tensor", promote="default", forms="function method out")
class fmin:
    """The smaller of two elements, or the one that is a number."""

    self = lambda grad, self, other: unless(grad, ~((self <= other) | isnan(other)))
    other = lambda grad, self, other: unless(grad, (self <= other) | isnan(other))


@op("relu(Tensor self) -> Tensor", promote="default", forms="function method inplace function_")
class relu:
    """self where it is positive, 0 elsewhere."""

    self = lambda grad, result: threshold_backward(grad, result, 0)


@op("threshold_backward(Tensor grad_output, Tensor self, Number threshold) -> Tensor", batches="elementwise")
class threshold_backward:
    """The gradient where self is above the threshold, zero elsewhere."""

    grad_output = lambda grad, self, threshold: threshold_backward(grad, self, threshold)
    self = ZERO


# ----- Combined arithmetic -----


@op(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcmul(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    **POINTWISE,
)
class addcmul:
    """self + value * tensor1 * tensor2."""

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(scaled(tensor2, value))
    tensor2 = lambda grad, tensor1, value: grad * conj(scaled(tensor1, value))


@op(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Number value=1) -> Tensor",
    deprecated="addcdiv(Tensor self, Number value, Tensor tensor1, Tensor tensor2)",
    **POINTWISE,
)
class addcdiv:
    """self + value * tensor1 / tensor2."""

    self = lambda grad: grad
    tensor1 = lambda grad, tensor2, value: grad * conj(value / tensor2)
    tensor2 = lambda grad, tensor1, tensor2, value: -grad * conj(value * tensor1 / (tensor2 * tensor2))


@op("lerp.Scalar(Tensor self, Tensor end, Number weight) -> Tensor", promoted="", **POINTWISE)
class lerp:
    """self + weight * (end - self): the way from self to end, as far as the weight says."""

    self = lambda grad, weight: grad * (1 - conj(weight))
    end = lambda grad, weight: grad * conj(weight)


@op("lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", promoted="", **POINTWISE)
class lerp_tensor:
    self = lambda grad, weight: grad * conj(1 - weight)
    end = lambda grad, weight: grad * conj(weight)
    weight = lambda grad, self, end: grad * conj(end - self)


@op("fmod.Scalar(Tensor self, Number other) -> Tensor", **POINTWISE)
class fmod:
    """The rest of a division, with the sign of the dividend."""

    self = lambda grad: grad


@op("fmod.Tensor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class fmod_tensor:
    self = lambda grad: grad
    other = lambda grad, self, other: -grad * rounded_quotient(self, other, "trunc")


@composite("square(Tensor self) -> Tensor", forms="function method out", out_dtype="castable")
def square(input: Tensor) -> Tensor:
    """self * self."""
    return pow(input, 2)


@composite("square_(Tensor(a!) self) -> Tensor")
def square_(input: Tensor) -> Tensor:
    """Multiply every element by itself, in place."""
    return input.pow_(2)


def float_power_operand(value: Any, other: Any) -> Any:
    """In double precision, or complex double if one of both is complex."""
    if any(v.is_complex() if isinstance(v, Tensor) else isinstance(v, complex) for v in (value, other)):
        target, number = complex128, complex
    else:
        target, number = float64, float
    return value.to(target) if isinstance(value, Tensor) else number(value)


def _float_power(input: Any, exponent: Any) -> Tensor:
    """self to the power of exponent, in double precision."""
    return pow(float_power_operand(input, exponent), float_power_operand(exponent, input))


for _schema in (
    "Tensor_Tensor(Tensor self, Tensor exponent)",
    "Scalar(Number self, Tensor exponent)",
    "Tensor_Scalar(Tensor self, Number exponent)",
):
    composite(f"float_power.{_schema} -> Tensor", forms="function method out")(_float_power)


def _float_power_(input: Tensor, exponent: Any) -> Tensor:
    """self to the power of exponent, in place; self must be of double precision."""
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
    """The tensor itself."""
    if input.dtype is bool_:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@op("fill.Scalar(Tensor self, Number value) -> Tensor", forms="function")
class fill:
    """A tensor like self with one value in every element."""

    self = ZERO


@op("fill.Tensor(Tensor self, Tensor value) -> Tensor", forms="function")
class fill_tensor:
    self = ZERO
    value = lambda grad: grad.sum()


# ----- Logic -----


@op("logical_and(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_and:
    """Both are non-zero."""


@op("logical_or(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_or:
    """One of both is non-zero."""


@op("logical_not(Tensor self) -> Tensor", **POINTWISE)
class logical_not:
    """It is zero."""


@op("logical_xor(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class logical_xor:
    """One of both is non-zero, not both."""


@op("bitwise_and(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_and:
    """And, bit by bit; for booleans the logical and."""


@op("bitwise_or(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_or:
    """Or, bit by bit; for booleans the logical or."""


@op("bitwise_xor(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_xor:
    """Exclusive or, bit by bit."""


@op("bitwise_not(Tensor self) -> Tensor", **POINTWISE)
class bitwise_not:
    """Every bit flipped; for booleans the logical not."""


@op("bitwise_left_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_left_shift:
    """self * 2**other, in integers; 0 where other is negative or as large as the number of bits."""


@op("bitwise_right_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_right_shift:
    """self / 2**other rounded down, in integers; 0 or -1 where other is negative or as large as the number of bits."""


@op("gcd(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class gcd:
    """The greatest common divisor."""


@op("lcm(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class lcm:
    """The least common multiple."""


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
    """self / other; integers give the default float."""
    return div(input, other)


@composite("true_divide_(Tensor(a!) self, Tensor other) -> Tensor", numbers="other", forms="method")
def true_divide_(input: Tensor, other: Any) -> Tensor:
    """Divide in place."""
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
