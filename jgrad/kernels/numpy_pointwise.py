"""The kernels on NumPy arrays: pointwise operations. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.kernels.numpy_shape import Array, empty_like, refuse_bool, scalar_name

mul = np.multiply
div = np.true_divide
exp = np.exp
log = np.log
sin = np.sin
cos = np.cos
tanh = np.tanh
sqrt = np.sqrt
eq, ne, lt, le, gt, ge = np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal
logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not
bitwise_and, bitwise_or, bitwise_xor, bitwise_not = (
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.bitwise_not,
)
isnan, isfinite, isinf = np.isnan, np.isfinite, np.isinf
maximum, minimum = np.maximum, np.minimum
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


def sigmoid(a: Array) -> Array:
    r = np.asarray(np.negative(a))
    np.exp(r, out=r)
    r += 1
    return np.reciprocal(r, out=r)


def sigmoid_backward(grad: Array, output: Array) -> Array:
    return grad * conj((1 - output) * output)


def tanh_backward(grad: Array, output: Array) -> Array:
    return grad * conj(1 - output * output)


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
