"""The kernels on NumPy arrays: pointwise operations. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.dtypes import FROM_NUMPY, INEXACT, REAL, limits_of
from jgrad.kernels import lazy
from jgrad.kernels.numbers import fill_number
from jgrad.kernels.numbers import number_log as number_log  # for formulas
from jgrad.kernels.numpy.choosing import MANY, either, only_where
from jgrad.kernels.numpy.elementary import half_in_single, only_floats, reciprocal, rsqrt
from jgrad.kernels.numpy.fusing import fused
from jgrad.kernels.numpy.memory import moved as moved  # for formulas
from jgrad.kernels.numpy.memory import offset_of
from jgrad.kernels.numpy.shape import (
    Array,
    c_name,
    clone,
    empty_like,
    laid_out,
    like,
    refuse_bool,
    scalar_name,
    strided,
)
from jgrad.kernels.numpy.values import any_or_unknown, refuse_unless

plain_add, plain_sub = np.add, np.subtract
mul = np.multiply
div = np.true_divide
eq, ne = np.equal, np.not_equal
logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not
logical_xor = np.logical_xor
bitwise_and, bitwise_or, bitwise_xor, bitwise_not = (
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.bitwise_not,
)
isnan, isfinite, isinf = np.isnan, np.isfinite, np.isinf


zeros = np.zeros
COMPLEX = (dtypes.complex64, dtypes.complex128, np.dtype(np.complex64), np.dtype(np.complex128))


def abs(a: Array) -> Array:
    if a.dtype.kind == "b":
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")
    # NumPy's of complex numbers is wrong in the last digit of each third one. (Of many complex128 the right one takes ten times as long.)
    if a.dtype.kind == "c" and (a.itemsize == 8 or a.size <= 10_000):
        return np.hypot(a.real, a.imag)
    return np.abs(a)


def abs_(a: Array) -> None:
    if a.dtype.kind == "c":
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    np.copyto(a, abs(a))


def sign(a: Array) -> Array:
    if a.dtype.kind == "b":
        return a.copy()
    if a.dtype.kind == "c":
        raise NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
        )
    result = np.asarray(np.sign(a))
    if a.dtype.kind == "f":
        np.copyto(result, 0, where=a != a)  # PyTorch's sign of nan is 0
    return result


def sgn(a: Array) -> Array:
    if a.dtype.kind != "c":
        return sign(a)
    size = abs(a)
    result = np.empty(a.shape, a.dtype)
    result.real, result.imag = a.real / size, a.imag / size  # more exact than a complex division
    np.copyto(result, np.nan * (1 + 1j), where=np.isinf(size))
    np.copyto(result, 0, where=size == 0)
    return result


def conj(a: Any) -> Any:
    if a.__class__ is float or a.__class__ is int:
        return a
    try:
        kind = a.dtype.kind
    except AttributeError:
        return a.conjugate()  # a Python number
    return np.conjugate(a) if kind == "c" else a


def add(a: Array, b: Array, alpha: Any = 1) -> Array:
    return np.add(a, b) if alpha == 1 else _add_times(a, b, _factor(alpha, a))


@half_in_single
def _add_times(a: Array, b: Array, alpha: Any) -> Array:
    return np.add(a, b * alpha)


def _factor(alpha: Any, a: Array) -> Any:
    """A number that an array of the dtype of `a` is multiplied by, which does not change the dtype."""
    return np.asarray(fill_number(alpha, a.dtype), a.dtype)


def refuse_subtraction(operands: list) -> None:
    """Booleans take no part in subtractions, not even with numbers of another dtype. (Of two booleans `sub` says so itself.)"""
    boolean = [(o._a.dtype.kind == "b" if hasattr(o, "_a") else isinstance(o, bool)) for o in operands[:2]]
    if any(boolean) and not all(boolean):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )


def sub(a: Array, b: Array, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    return np.subtract(a, b) if alpha == 1 else _add_times(a, b, _factor(-alpha, a))


def rsub(a: Array, other: Any, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    other = wrapped(other, a)
    return np.subtract(other, a) if alpha == 1 else np.subtract(other, a * _factor(alpha, a))


def refuse_negation(a: Array) -> None:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )


def neg(a: Array) -> Array:
    if a.dtype.kind == "b":
        refuse_negation(a)
    return np.negative(a)


def _cube(a: Array) -> Array:
    return a * a * a


def _fourth(a: Array) -> Array:
    square = np.square(a)
    return square * square


def _inverse_square(a: Array) -> Array:
    return reciprocal(np.square(a))


# Powers in one to three operations, in place of a loop that costs thirty multiplications an element.
POWERS: dict[float, Any] = {
    0.5: np.sqrt,
    -0.5: rsqrt,
    1: np.positive,
    2: np.square,
    3: _cube,
    4: _fourth,
    -1: reciprocal,
    -2: _inverse_square,
}


def pow(base: Any, exponent: Any) -> Array:
    if isinstance(base, np.ndarray) and isinstance(exponent, (int, float)):
        shorter = None if base.dtype == np.float16 else POWERS.get(exponent)
        if shorter is not None and (base.dtype.kind in "fc" or exponent in (2, 3)):
            return shorter(base)
        if base.dtype.kind in "iu":
            if exponent < 0:
                raise RuntimeError("Integers to negative integer powers are not allowed.")
            exponent = _element(exponent, base.dtype)
        elif base.dtype.kind == "b":
            return base | (not exponent)
    if isinstance(exponent, np.ndarray):
        refuse_bool("pow", exponent)
        base = wrapped(base, exponent)
        if np.result_type(base, exponent).kind == "i" and any_or_unknown(exponent < 0):
            # Of integers PyTorch keeps what is an integer: 1 and -1 to any power, everything else becomes 0.
            base = np.asarray(base)
            inverse = np.where(np.equal(base, 1), 1, np.where(np.equal(base, -1), 1 - 2 * (exponent & 1), 0))
            result = np.where(exponent < 0, inverse, np.power(base, np.maximum(exponent, 0)))
            return result.astype(exponent.dtype)
        result = np.power(base, exponent)
        if result.dtype.kind == "c":  # exp(exponent * log(base)), where the logarithm of 0 is infinite
            zero, kind = np.equal(base, 0), result.dtype.type
            result = np.where(zero & np.equal(exponent, 0), kind(math.nan + cmath.nanj), result)
            result = np.where(zero & (exponent.real < 0), kind(math.inf + cmath.nanj), result)
        return result
    return np.power(base, exponent)


def threshold_backward(grad: Array, a: Array, threshold: Any) -> Array:
    # NumPy would round a number of Python's.
    limit = np.float32(threshold) if a.dtype == np.float16 else threshold
    return only_where(grad, ~np.less_equal(a, limit))  # of nan the gradient is kept


def refuse_relu(a: Array) -> None:
    if a.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if a.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")


def relu(a: Array) -> Array:
    if a.dtype.kind in "bc":
        refuse_relu(a)
    return a.clip(0, np.inf) if is_clipped(a) else _limited(np.maximum, a, np.asarray(0, a.dtype))


def remainder(a: Any, b: Any) -> Array:
    """The rest with the sign of the divisor, as Python's %; nothing left keeps the sign of the dividend."""
    if not (fits_floats(a) and fits_floats(b)):
        a, b = wrapped(a, b), wrapped(b, a)
        kind = np.result_type(a, b).kind
        if kind in "bc":
            only_floats("remainder_cpu", np.asarray(a if isinstance(a, np.ndarray) else b))
        check_divisor(a, b)
        if kind != "f":
            return np.remainder(a, b)
    rest = np.asarray(np.fmod(a, b))
    if isinstance(b, np.ndarray):
        other_sign = (rest != 0) & ((b < 0) != (rest < 0))
    else:
        other_sign = rest > 0 if b < 0 else rest < 0
    return either(other_sign, np.asarray(rest + b), rest)


def fits_floats(a: Any) -> bool:
    """A floating-point array, or a number that becomes one next to an array (of two operands, one is an array)."""
    return a.dtype.kind == "f" if isinstance(a, np.ndarray) else a.__class__ is float or a.__class__ is int


def floor_divide(a: Any, b: Any) -> Array:
    a, b = wrapped(a, b), wrapped(b, a)
    if np.result_type(a, b).kind in "bc":
        only_floats("div_floor_cpu", np.asarray(a if isinstance(a, np.ndarray) else b))
    check_divisor(a, b)
    return np.floor_divide(a, b)


def wrapped(number: Any, a: Any) -> Any:
    """A Python integer as an integer of the dtype of `a`, wrapped around if it is too large, as in C."""
    if isinstance(number, int) and isinstance(a, np.ndarray) and a.dtype.kind in "iu":
        return np.asarray(number, np.int64).astype(a.dtype)
    return number


def check_divisor(a: Any, b: Any) -> None:
    if np.result_type(a, b).kind in "iub":
        refuse_unless(np.asarray(b), lambda: RuntimeError("ZeroDivisionError"))


def div_rounded(a: Array, b: Any, rounding_mode: str | None) -> Array:
    if rounding_mode is None:
        return np.true_divide(a, b)
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    only_floats(f"div_{rounding_mode}_cpu", a, "fiu")
    if rounding_mode == "floor":
        return floor_divide(a, b)
    check_divisor(a, b)
    if a.dtype.kind == "f":
        return np.trunc(np.true_divide(a, b))
    quotient = np.floor_divide(a, b)
    return quotient + ((quotient < 0) & (quotient * b != a))


rounded_quotient = div_rounded


def where(condition: Array, a: Any, b: Any) -> Array:
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise RuntimeError(
                f"where expected condition to be a boolean tensor, but got a tensor with dtype {scalar_name(condition)}"
            )
        warn.once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a "
            "boolean condition instead.",
        )
    if (
        isinstance(a, np.ndarray)
        and isinstance(b, np.ndarray)
        and a.dtype == b.dtype
        and a.shape == b.shape
        and condition.dtype.kind == "b"
    ):
        return either(condition, a, b)
    return np.where(condition, a, b)


def zeros_of(a: Array, shape: tuple) -> Array:
    """Zeros of this shape, of the dtype and on the device of an array."""
    return np.zeros(shape, a.dtype)


def zeros_like(a: Array) -> Array:
    return np.zeros(a.shape, a.dtype)


def to_dtype(a: Array, dtype: np.dtype) -> Array:
    return a if a.dtype == dtype else astype(a, dtype)


def to_copy(
    a: Array, dtype: np.dtype, device: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Array:
    if memory_format is not None:
        converted = clone(astype(a, dtype), memory_format)
        return converted if device is None else moved(converted, device)
    if device is not None and a.dtype == dtype and a.flags.c_contiguous:
        found = moved(a, device, non_blocking)
        if found is not a and found.strides == a.strides:
            return found
    converted = astype(a, dtype)
    return converted if device is None else moved(converted, device)


def to_place(a: Array, dtype: np.dtype, device: Any) -> Array:
    return moved(to_dtype(a, dtype), device)


def astype(a: Array, dtype: np.dtype) -> Array:
    """A copy in another dtype, strides kept as `clone` keeps them."""
    if a.dtype.kind == "c" and dtype.kind not in "cb":
        a = a.real
    result = empty_like(a, dtype)
    np.copyto(result, a, casting="unsafe")
    return result


# Rounding and the parts of numbers ---------------------------------------------------------------------------------------------


def round(a: Array, decimals: int | None = None) -> Array:
    """Rounded, halves to the even neighbour."""
    if decimals is None or decimals == 0:
        only_floats("round_vml_cpu", a, "fiu" if decimals is None else "f")
        return np.round(a)
    return _round_decimals(a, decimals)


@half_in_single
def _round_decimals(a: Array, decimals: int) -> Array:
    only_floats("round_cpu", a)
    power = a.dtype.type(10.0 ** (decimals if decimals > 0 else -decimals))
    return np.round(a * power) / power if decimals > 0 else np.round(a / power) * power


def floor(a: Array) -> Array:
    return np.floor(_rounded("floor", a))


def ceil(a: Array) -> Array:
    return np.ceil(_rounded("ceil", a))


def trunc(a: Array) -> Array:
    return np.trunc(_rounded("trunc", a))


def _rounded(name: str, a: Array) -> Array:
    if a.dtype.kind == "c":
        raise NotImplementedError(f"{name} is not supported for complex inputs")
    refuse_bool(f"{name}_vml_cpu", a)
    return a


def frac(a: Array) -> Array:
    only_floats("frac_cpu", a)
    return a - np.trunc(a)


def frexp(a: Array) -> tuple:
    if a.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return np.frexp(a)


def refuse_ldexp(operands: list) -> None:
    """Bools are no exponents, unless a complex number is multiplied."""
    a, b = [o._a.dtype.kind for o in operands]
    if b == "b" and a == "f":
        raise NotImplementedError("\"ldexp_cpu_exp\" not implemented for 'Bool'")


def ldexp(a: Array, b: Array) -> Array:
    return a * np.exp2(b if b.dtype.kind in "fc" else b.astype(a.dtype))


def refuse_clamp(operands: list) -> None:
    """Limits that are complex: the kernel that PyTorch then misses depends on which limits there are."""
    complex_operands = [o is not None and o._a.dtype.kind == "c" for o in operands]
    if any(complex_operands) and not complex_operands[0]:
        name = "minimum" if operands[1] is None else "maximum" if operands[2] is None else "clamp"
        kind = FROM_NUMPY[np.result_type(*[o._a.dtype for o in operands if o is not None])].type_name
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{kind}'")


def signbit(a: Array) -> Array:
    if a.dtype.kind == "c":
        raise NotImplementedError("signbit is not implemented for complex tensors.")
    return np.signbit(a) if a.dtype.kind == "f" else np.less(a, 0)


def copysign(a: Array, b: Any) -> Array:
    only_floats("copysign_cpu", a)
    return np.copysign(a, b)


def nextafter(a: Array, b: Array) -> Array:
    only_floats("nextafter_cpu", a, REAL)
    return np.nextafter(a, b)


def heaviside(a: Array, values: Array) -> Array:
    """0 below zero, 1 above, `values` at zero."""
    if a.dtype.kind == "c" or values.dtype.kind == "c":
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if a.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return np.where(a == 0, values, (a > 0).astype(a.dtype))


def nan_to_num(
    a: Array, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Array:
    """nan as 0 and infinities as the largest numbers, unless others are given; of complex numbers both parts."""
    result = like(a, a)
    if a.dtype.kind in INEXACT:
        limits = np.finfo(a.dtype) if a.dtype.kind in "fc" else limits_of(a.dtype)
        for part in (result,) if a.dtype.kind != "c" else (result.real, result.imag):
            infinite = np.isinf(part)
            above, below = infinite & (part > 0), infinite & (part < 0)
            np.copyto(part, 0 if nan is None else nan, where=np.isnan(part), casting="unsafe")
            np.copyto(part, limits.max if posinf is None else posinf, where=above, casting="unsafe")
            np.copyto(part, limits.min if neginf is None else neginf, where=below, casting="unsafe")
    return result


# Limits -----------------------------------------------------------------------------------------------------------------------


@fused
def clamp(a: Array, min: Any = None, max: Any = None) -> Array:
    """Nothing below min, nothing above max; where both contradict each other, max."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if a.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    if not (isinstance(min, np.ndarray) or isinstance(max, np.ndarray)):
        which = (
            "clamp" if min is not None and max is not None else "clamp_max" if min is None else "clamp_min"
        )
        refuse_bool(f"{which}_scalar_cpu", a)
        if is_clipped(a):
            low, high = (-np.inf if min is None else min), (np.inf if max is None else max)
            if low <= high:  # neither is nan
                return a.clip(_element(low, a.dtype), _element(high, a.dtype))
    if min is not None:
        a = _limited(np.maximum, a, _element(min, a.dtype))
    return a if max is None else _limited(np.minimum, a, _element(max, a.dtype))


def is_clipped(a: Array) -> bool:
    """Whether `clip` is best, which NumPy vectorizes, unlike the maximum of a number and an array, if there are many elements."""
    return a.size >= MANY and a.dtype.char in "fd"


def _limited(ufunc: np.ufunc, a: Array, limit: Array) -> Array:
    """The larger or smaller of both; of equal ones, 0 and -0, `a` (NumPy takes the second, but of float16 the first)."""
    return ufunc(a, limit) if a.dtype == np.float16 else ufunc(limit, a)


def clamp_min(a: Array, min: Any) -> Array:
    if isinstance(min, np.ndarray):
        only_floats("maximum_cpu", a, "biuf")
    return clamp(a, min)


def clamp_max(a: Array, max: Any) -> Array:
    if isinstance(max, np.ndarray):
        only_floats("minimum_cpu", a, "biuf")
    return clamp(a, None, max)


def _element(value: Any, dtype: np.dtype) -> Any:
    """A number as it is stored in this dtype; raises PyTorch's error where it would overflow."""
    if isinstance(value, np.ndarray):
        return value
    if value.__class__ in (int, float) and (
        dtype == np.float64 or (dtype == np.float32 and -1e38 < value < 1e38)
    ):
        return value
    return np.asarray(fill_number(value, dtype), dtype)


def _no_complex(name: str, a: Array) -> None:
    if a.dtype.kind == "c":
        raise RuntimeError(f"{name} not implemented for complex tensors.")


def fmax(a: Array, b: Array) -> Array:
    _no_complex("fmax", a)
    return np.fmax(a, b)


def fmin(a: Array, b: Array) -> Array:
    _no_complex("fmin", a)
    return np.fmin(a, b)


def maximum(a: Array, b: Array) -> Array:
    _no_complex("maximum", a)
    return np.maximum(a, b)


def minimum(a: Array, b: Array) -> Array:
    _no_complex("minimum", a)
    return np.minimum(a, b)


# Combined arithmetic ----------------------------------------------------------------------------------------------------------


def fmod(a: Any, b: Any) -> Array:
    """The rest of a division, with the sign of the dividend, as C's %."""
    only_floats("fmod_cpu", a, "fiu")
    b = wrapped(b, a)
    check_divisor(a, b)
    return np.fmod(a, b)


@half_in_single
def addcmul(a: Array, b: Array, c: Array, value: Any = 1) -> Array:
    """a + value * b * c."""
    if a.dtype.kind == "b":
        raise NotImplementedError("\"addcmul_cpu_out\" not implemented for 'Bool'")
    return a + (b * c if _is_one(value) else _element(value, a.dtype) * b * c)


def refuse_integer_division(operands: list) -> None:
    """`addcdiv` divides no integers, whatever dtype the quotient is added to."""
    if all([o._a.dtype.kind in "iub" for o in operands[1:3]]):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of "
            "tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))."
            "to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior "
            "is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )


@half_in_single
def addcdiv(a: Array, b: Array, c: Array, value: Any = 1) -> Array:
    """a + value * b / c."""
    return a + (b / c if _is_one(value) else _element(value, a.dtype) * b / c)


def _is_one(value: Any) -> bool:
    return not isinstance(value, np.ndarray) and value == 1


def lerp(a: Array, end: Array, weight: Any) -> Array:
    """a + weight * (end - a), computed from the nearer side. A weight without dimensions may have another dtype, as a number may."""
    if (
        isinstance(weight, np.ndarray)
        and not weight.ndim
        and weight.dtype != a.dtype
        and end.dtype == a.dtype
    ):
        kind = np.result_type(a, weight) if weight.dtype.kind == "c" and a.dtype.kind != "c" else a.dtype
        a, end, weight = a.astype(kind, copy=False), end.astype(kind, copy=False), weight.astype(kind)
    for name, other in (("end", end), ("weight", weight)):
        if isinstance(other, np.ndarray) and other.dtype != a.dtype:
            raise RuntimeError(f"expected dtype {c_name(a)} for `{name}` but got dtype {c_name(other)}")
    only_floats(f"lerp_kernel_{'tensor' if isinstance(weight, np.ndarray) else 'scalar'}", a, "fc")
    return _lerp(a, end, weight)


def refuse_lerp(operands: list) -> None:
    """Refuse ends of two dtypes. (A write looks at them before it looks at the memory.)"""
    a, end = [o._a for o in operands[:2]]
    if end.dtype != a.dtype:
        raise RuntimeError(f"expected dtype {c_name(a)} for `end` but got dtype {c_name(end)}")


@half_in_single
def _lerp(a: Array, end: Array, weight: Any) -> Array:
    way = end - a
    if not isinstance(weight, np.ndarray):
        return a + way * weight if _size(weight) < 0.5 else end - way * (1 - weight)
    return np.where(np.abs(weight) < 0.5, a + way * weight, end - way * (1 - weight))


def _size(number: Any) -> float:
    return (number.real**2 + number.imag**2) ** 0.5


# Integers ---------------------------------------------------------------------------------------------------------------------


def gcd(a: Array, b: Array) -> Array:
    only_floats("gcd_cpu", a, "iu")
    return np.gcd(a, b)


def lcm(a: Array, b: Array) -> Array:
    only_floats("lcm_cpu", a, "iu")
    return np.lcm(a, b)


def bitwise_left_shift(a: Array, b: Array) -> Array:
    """a * 2**b; by a negative number or by all bits gives 0."""
    only_floats("lshift_cpu", a, "iu")
    outside = (b < 0) | (b >= 8 * a.itemsize)
    return np.where(outside, a.dtype.type(0), np.left_shift(a, np.where(outside, b.dtype.type(0), b)))


def bitwise_right_shift(a: Array, b: Array) -> Array:
    """a / 2**b, rounded down; by a negative number or by all bits leaves nothing but the sign."""
    only_floats("rshift_cpu", a, "iu")
    signed = a.dtype.kind == "i"
    most = 8 * a.itemsize - signed
    outside = (b < 0) | (b >= most)
    if signed:
        return np.right_shift(a, np.where(outside, b.dtype.type(most), b))
    return np.where(outside, a.dtype.type(0), np.right_shift(a, np.where(outside, b.dtype.type(0), b)))


# Complex numbers --------------------------------------------------------------------------------------------------------------


def conj_physical_(a: Array) -> None:
    if a.dtype.kind == "c":
        np.conjugate(a, out=a)


def real(a: Array) -> Array:
    return a.real


def imag(a: Array) -> Array:
    return a.imag


def angle(a: Array) -> Array:
    """The angle of a complex number; of a real one 0, or pi if it is negative."""
    if a.dtype.kind == "c":
        return np.arctan2(a.imag, a.real)
    return either(np.isnan(a), a, np.multiply(a < 0, a.dtype.type(np.pi)))


def _two_floats(a: Array, b: Array) -> None:
    for x in (a, b):
        if x.dtype.kind != "f":
            raise RuntimeError(
                f"Expected both inputs to be Half, Float or Double tensors but got {scalar_name(a)} and {scalar_name(b)}"
            )
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {scalar_name(a)} but got scalar type {scalar_name(b)} for second argument"
        )
    if a.dtype == np.float16:
        raise NotImplementedError("jgrad has no complex32, the complex dtype of float16")


def complex(real: Array, imag: Array) -> Array:
    _two_floats(real, imag)
    result = np.empty(np.broadcast(real, imag).shape, np.result_type(real.dtype, np.complex64))
    result.real, result.imag = real, imag
    return laid_out(result, [real, imag])


def polar(abs: Array, angle: Array) -> Array:
    _two_floats(abs, angle)
    return complex(abs * np.cos(angle), abs * np.sin(angle))


def lazy_conj(a: Array) -> Array:
    """The same memory, to be conjugated when it is read."""
    return lazy.toggled(a, conjugated=True)


def resolve_conj(a: Array) -> Array:
    """The array after what was postponed is done; for formulas."""
    return lazy.resolved(a)


def lazy_neg(a: Array) -> Array:
    """The same memory, to be negated when it is read."""
    return lazy.toggled(a, negated=True)


def view_as_real(a: Array) -> Array:
    """The same memory as pairs of numbers, in one more dimension."""
    if a.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    conjugated, negated = lazy.bits_of(a)
    if conjugated:
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use "
            "self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original."
        )
    parts = np.asarray(a).real  # a gradient may be a NumPy scalar, which has no memory to show
    parts = strided(parts, (*a.shape, 2), (*a.strides, parts.itemsize))
    return lazy.toggled(parts, negated=True) if negated else parts


def view_as_complex(a: Array) -> Array:
    """The same memory as complex numbers: the last dimension holds real and imaginary part."""
    if a.dtype.kind != "f":
        raise RuntimeError(
            f"view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {scalar_name(a)}"
        )
    if a.ndim == 0:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if a.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if not a.size:
        return np.empty(a.shape[:-1], np.result_type(a.dtype, np.complex64))
    if a.strides[-1] != a.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any([n != 1 and s % (2 * a.itemsize) for n, s in zip(a.shape[:-1], a.strides[:-1], strict=True)]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    if offset_of(a) % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    if a.dtype == np.float16:
        raise NotImplementedError("jgrad has no complex32, the complex dtype of float16")
    return a.view(np.result_type(a.dtype, np.complex64)).reshape(a.shape[:-1])


def fill(a: Array, value: Any) -> Array:
    if isinstance(value, np.ndarray) and value.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
        )
    return like(a, astype(value, a.dtype) if isinstance(value, np.ndarray) else _element(value, a.dtype))


# Comparison -------------------------------------------------------------------------------------------------------------------


def isclose(a: Array, b: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array:
    """Equal, or finite and |a - b| <= atol + |rtol * b|."""
    if a.dtype != b.dtype:
        raise RuntimeError(f"{scalar_name(a)} did not match {scalar_name(b)}")
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not tolerance >= 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {tolerance:g}")
    close = np.asarray(a == b)
    if equal_nan and a.dtype.kind in "fc":
        close |= np.isnan(a) & np.isnan(b)
    if rtol == 0 and atol == 0:
        return close
    if a.dtype.kind in "iub":
        single = dtypes.get_default_dtype().numpy
        a, b = a.astype(single) if a.dtype.kind == "b" else a, b.astype(single)
    allowed = atol + abs(rtol * b)
    distance = abs(a - b)
    return close | (np.isfinite(distance) & (distance <= allowed))


def lt(a: Array, b: Any) -> Array:
    return np.less(_ordered("lt", a), b)


def le(a: Array, b: Any) -> Array:
    return np.less_equal(_ordered("le", a), b)


def gt(a: Array, b: Any) -> Array:
    return np.greater(_ordered("gt", a), b)


def ge(a: Array, b: Any) -> Array:
    return np.greater_equal(_ordered("ge", a), b)


def _ordered(name: str, a: Array) -> Array:
    """Complex numbers have no order, though NumPy compares them."""
    if a.dtype.kind == "c":
        only_floats(f"{name}_cpu", a)
    return a


def isposinf(a: Array) -> Array:
    if a.dtype.kind == "c":
        raise RuntimeError("isposinf does not support complex inputs.")
    return np.equal(a, np.inf) if a.dtype.kind == "f" else np.zeros(a.shape, bool)


def isneginf(a: Array) -> Array:
    if a.dtype.kind == "c":
        raise RuntimeError("isneginf does not support complex inputs.")
    return np.equal(a, -np.inf) if a.dtype.kind == "f" else np.zeros(a.shape, bool)


def isreal(a: Array) -> Array:
    return np.equal(a.imag, 0) if a.dtype.kind == "c" else np.ones(a.shape, bool)
