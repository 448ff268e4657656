"""The kernels on NumPy arrays: pointwise operations. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.kernels.numpy_elementary import half_in_single, only_floats
from jgrad.kernels.numpy_shape import Array, c_name, empty_like, like, refuse_bool, scalar_name, strided

mul = np.multiply
div = np.true_divide
eq, ne, lt, le, gt, ge = np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal
logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not
logical_xor = np.logical_xor
bitwise_and, bitwise_or, bitwise_xor, bitwise_not = (
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.bitwise_not,
)
isnan, isfinite, isinf = np.isnan, np.isfinite, np.isinf
floor, ceil, trunc = np.floor, np.ceil, np.trunc
reciprocal = np.reciprocal


zeros = np.zeros
COMPLEX = (dtypes.complex64, dtypes.complex128, np.dtype(np.complex64), np.dtype(np.complex128))


def abs(a: Array) -> Array:
    if a.dtype.kind == "b":
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")
    return np.abs(a)


def abs_(a: Array) -> None:
    if a.dtype.kind == "c":
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    np.copyto(a, abs(a))


def sign(a: Array) -> Array:
    if a.dtype.kind == "b":
        return a.copy()
    result = np.asarray(np.sign(a))
    if a.dtype.kind == "f":
        np.copyto(result, 0, where=a != a)  # PyTorch's sign of nan is 0
    return result


sgn = sign


def conj(a: Any) -> Any:
    try:
        kind = a.dtype.kind
    except AttributeError:
        return a.conjugate()  # a Python number
    return np.conjugate(a) if kind == "c" else a


def add(a: Array, b: Array, alpha: Any = 1) -> Array:
    return np.add(a, b) if alpha == 1 else np.add(a, b * np.asarray(alpha, a.dtype))


def sub(a: Array, b: Array, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    return np.subtract(a, b) if alpha == 1 else np.subtract(a, b * np.asarray(alpha, a.dtype))


def rsub(a: Array, other: Any, alpha: Any = 1) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    return np.subtract(other, a) if alpha == 1 else np.subtract(other, a * np.asarray(alpha, a.dtype))


def neg(a: Array) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    return np.negative(a)


def pow(base: Any, exponent: Any) -> Array:
    if isinstance(exponent, int) and not isinstance(exponent, bool) and isinstance(base, np.ndarray):
        # x**3 by NumPy costs thirty multiplications.
        if exponent == 2:
            return np.square(base)
        if exponent == 3:
            return base * base * base
    if isinstance(base, np.ndarray) and base.dtype.kind == "b":
        base = base.astype(np.int64)
    if isinstance(exponent, np.ndarray) and exponent.dtype.kind == "i" and (exponent < 0).any():
        # Of integers PyTorch keeps what is an integer: 1 and -1 to any power, everything else becomes 0.
        unit = np.where(np.asarray(base) == 1, 1, np.where(np.asarray(base) == -1, 1 - 2 * (exponent & 1), 0))
        return np.where(exponent < 0, unit, np.power(base, np.maximum(exponent, 0))).astype(exponent.dtype)
    if (
        isinstance(exponent, np.ndarray)
        and exponent.dtype.kind == "i"
        and np.result_type(base, exponent).kind == "i"
    ):
        # In integers 1 / base is 0, unless the base is 1 or -1.
        base = np.where((exponent < 0) & (np.abs(base) != 1), 0, base).astype(exponent.dtype)
        exponent = np.abs(exponent)
        return np.where((base == 0) & (exponent == 0), 1, np.power(base, exponent))
    return np.power(base, exponent)


def threshold_backward(grad: Array, a: Array, threshold: Any) -> Array:
    return grad * (a > threshold)


def relu(a: Array) -> Array:
    if a.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(a, np.asarray(0, a.dtype))


def remainder(a: Any, b: Any) -> Array:
    """The rest with the sign of the divisor, as Python's %."""
    check_divisor(a, b)
    return np.remainder(a, b)


def floor_divide(a: Any, b: Any) -> Array:
    check_divisor(a, b)
    return np.floor_divide(a, b)


def check_divisor(a: Any, b: Any) -> None:
    if np.result_type(a, b).kind in "iub" and not np.all(b):
        raise RuntimeError("ZeroDivisionError")


def div_rounded(a: Array, b: Any, rounding_mode: str | None) -> Array:
    if rounding_mode is None:
        return np.true_divide(a, b)
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    refuse_bool(f"div_{rounding_mode}_cpu", a)
    if rounding_mode == "floor":
        return floor_divide(a, b)
    check_divisor(a, b)
    if a.dtype.kind == "f":
        return np.trunc(np.true_divide(a, b))
    quotient = np.floor_divide(a, b)
    return quotient + ((quotient < 0) & (quotient * b != a))


def where(condition: Array, a: Any, b: Any) -> Array:
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise RuntimeError(
                f"where expected condition to be a boolean tensor, but got a tensor with dtype {scalar_name(condition)}"
            )
        warn.once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a "
            "boolean condition instead.",
            stacklevel=6,
        )
    return np.where(condition, a, b)


def zeros_like(a: Array) -> Array:
    return np.zeros(a.shape, a.dtype)


def number_log(value: Any) -> Any:
    from jgrad.ops.creation import number_log

    return number_log(value)


def to_dtype(a: Array, dtype: np.dtype) -> Array:
    return a if a.dtype == dtype else astype(a, dtype)


def astype(a: Array, dtype: np.dtype) -> Array:
    """A copy in another dtype, strides kept as `clone` keeps them."""
    if a.dtype.kind == "c" and dtype.kind != "c":
        a = a.real
    result = empty_like(a, dtype)
    np.copyto(result, a, casting="unsafe")
    return result


# Rounding and the parts of numbers ---------------------------------------------------------------------------------------------


def round(a: Array, decimals: int | None = None) -> Array:
    """Rounded, halves to the even neighbour."""
    if decimals is None or decimals == 0:
        return np.round(a)
    return _round_decimals(a, decimals)


@half_in_single
def _round_decimals(a: Array, decimals: int) -> Array:
    only_floats("round_cpu", a)
    power = a.dtype.type(10.0 ** (decimals if decimals > 0 else -decimals))
    return np.round(a * power) / power if decimals > 0 else np.round(a / power) * power


def frac(a: Array) -> Array:
    only_floats("frac_cpu", a)
    return a - np.trunc(a)


def frexp(a: Array) -> tuple:
    if a.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return np.frexp(a)


def ldexp(a: Array, b: Array) -> Array:
    return a * np.exp2(b if b.dtype.kind in "fc" else b.astype(a.dtype))


def signbit(a: Array) -> Array:
    if a.dtype.kind == "c":
        raise NotImplementedError("signbit is not implemented for complex tensors.")
    return np.signbit(a) if a.dtype.kind == "f" else np.less(a, 0)


def copysign(a: Array, b: Any) -> Array:
    only_floats("copysign_cpu", a)
    return np.copysign(a, b)


def nextafter(a: Array, b: Array) -> Array:
    only_floats("nextafter_cpu", a)
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
    if a.dtype.kind in "fc":
        limits = np.finfo(a.dtype)
        for part in (result,) if a.dtype.kind == "f" else (result.real, result.imag):
            infinite = np.isinf(part)
            above, below = infinite & (part > 0), infinite & (part < 0)
            np.copyto(part, 0 if nan is None else nan, where=np.isnan(part), casting="unsafe")
            np.copyto(part, limits.max if posinf is None else posinf, where=above, casting="unsafe")
            np.copyto(part, limits.min if neginf is None else neginf, where=below, casting="unsafe")
    return result


# Limits -----------------------------------------------------------------------------------------------------------------------


def clamp(a: Array, min: Any = None, max: Any = None) -> Array:
    """Nothing below min, nothing above max; where both contradict each other, max."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if a.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    if a.dtype.kind == "b" and not any([isinstance(limit, np.ndarray) for limit in (min, max)]):
        which = (
            "clamp" if min is not None and max is not None else "clamp_max" if min is None else "clamp_min"
        )
        refuse_bool(f"{which}_scalar_cpu", a)
    if min is not None:
        a = np.maximum(a, _element(min, a.dtype))
    return a if max is None else np.minimum(a, _element(max, a.dtype))


def clamp_min(a: Array, min: Any) -> Array:
    return clamp(a, min)


def clamp_max(a: Array, max: Any) -> Array:
    return clamp(a, None, max)


def _element(value: Any, dtype: np.dtype) -> Any:
    """A number as it is stored in this dtype; raises PyTorch's error where it would overflow."""
    if isinstance(value, np.ndarray):
        return value
    from jgrad.ops.creation import fill_number

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
    check_divisor(a, b)
    return np.fmod(a, b)


@half_in_single
def addcmul(a: Array, b: Array, c: Array, value: Any = 1) -> Array:
    """a + value * b * c."""
    return a + (b * c if _is_one(value) else _element(value, a.dtype) * b * c)


@half_in_single
def addcdiv(a: Array, b: Array, c: Array, value: Any = 1) -> Array:
    """a + value * b / c."""
    if b.dtype.kind in "iub" and c.dtype.kind in "iub":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of "
            "tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2))."
            "to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior "
            "is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )
    return a + (b / c if _is_one(value) else _element(value, a.dtype) * b / c)


def _is_one(value: Any) -> bool:
    return not isinstance(value, np.ndarray) and value == 1


def lerp(a: Array, end: Array, weight: Any) -> Array:
    """a + weight * (end - a), computed from the nearer side."""
    for name, other in (("end", end), ("weight", weight)):
        if isinstance(other, np.ndarray) and other.dtype != a.dtype:
            raise RuntimeError(f"expected dtype {c_name(a)} for `{name}` but got dtype {c_name(other)}")
    only_floats(f"lerp_kernel_{'tensor' if isinstance(weight, np.ndarray) else 'scalar'}", a, "fc")
    return _lerp(a, end, weight)


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
    result = np.where(a < 0, a.dtype.type(np.pi), a.dtype.type(0))
    np.copyto(result, a, where=np.isnan(a))
    return result


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
    return result


def polar(abs: Array, angle: Array) -> Array:
    _two_floats(abs, angle)
    return complex(abs * np.cos(angle), abs * np.sin(angle))


def view_as_real(a: Array) -> Array:
    """The same memory as pairs of numbers, in one more dimension."""
    if a.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    parts = a.real
    return strided(parts, (*a.shape, 2), (*a.strides, parts.itemsize))


def view_as_complex(a: Array) -> Array:
    """The same memory as complex numbers: the last dimension holds real and imaginary part."""
    from jgrad.storage import offset_of

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
    if any([s % (2 * a.itemsize) for s in a.strides[:-1]]):
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
    return like(a, _element(value.item() if isinstance(value, np.ndarray) else value, a.dtype))


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
    allowed = atol + np.abs(rtol * b)
    distance = np.abs(a - b)
    return close | (np.isfinite(distance) & (distance <= allowed))


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
