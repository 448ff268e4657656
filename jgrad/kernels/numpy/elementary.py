"""The kernels on NumPy arrays: elementary functions (exponentials, logarithms, trigonometry). Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.kernels.numpy.choosing import only_where
from jgrad.kernels.numpy.fusing import fused
from jgrad.kernels.numpy.shape import Array, scalar_name

exp, exp2, expm1 = np.exp, np.exp2, np.expm1
log, log2, log10 = np.log, np.log2, np.log10
sin, cos = np.sin, np.cos
sinh, cosh, tanh = np.sinh, np.cosh, np.tanh
sqrt = np.sqrt
asinh, acosh, atanh = np.arcsinh, np.arccosh, np.arctanh
asin, acos, atan = np.arcsin, np.arccos, np.arctan


def only_floats(name: str, a: Array, kinds: str = "f") -> None:
    """Refuse dtypes that PyTorch's kernel of this name lacks."""
    if a.dtype.kind not in kinds:
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")


def half_in_single(kernel: Callable) -> Callable:
    """Half precision computed in single and rounded once, as PyTorch does; a kernel of one ufunc needs no help."""

    @functools.wraps(kernel)
    def computed(a: Array, *others: Any) -> Any:
        if a.dtype != np.float16:
            return kernel(a, *others)
        others = tuple([o.astype(np.float32) if isinstance(o, np.ndarray) else o for o in others])
        return np.asarray(kernel(a.astype(np.float32), *others)).astype(np.float16)

    return fused(computed)


# NumPy vectorizes tan and log1p of float32 on processors with AVX-512 alone; elsewhere they call the C library element by element, and
# are faster computed from sin, cos and log, which it vectorizes everywhere. (The same is true of sinh, cosh and expm1, but what is
# needed to keep them exact near 0 costs what is gained.)
LARGE = 2048  # elements, above which several vectorized passes beat one that is not


def is_slow(ufunc: np.ufunc, a: Array) -> bool:
    return a.size >= LARGE and a.dtype == np.float32 and not vectorized(ufunc.__name__)


@functools.cache
def vectorized(name: str) -> bool:
    """Whether NumPy has vector instructions of this processor for a function of float32."""
    from numpy.lib.introspect import opt_func_info

    found = opt_func_info(func_name=f"^{name}$", signature="float32").get(name, {})
    return any(not loop["current"].startswith("baseline") for loop in found.values())


def log1p(a: Array) -> Array:
    """The logarithm of 1 + a (Kahan: what is lost in the sum u = 1 + a is made good by a / (u - 1))."""
    if a.dtype.kind == "c":
        return _complex_log1p(a)
    if not is_slow(np.log1p, a):
        return np.log1p(a)
    u = a + np.float32(1)
    d = u - np.float32(1)
    result = a / d
    result *= np.log(u)
    np.copyto(result, a, where=(d == 0) | (d == np.inf))
    return result


def _complex_log1p(a: Array) -> Array:
    """NumPy's takes the sum 1 + a, and so loses digits of a small one, and where the size of the sum is nearly 1."""
    x, y = a.real, a.imag
    less = x * (2 + x) + y * y  # |1 + a|^2 - 1
    small = (np.hypot(x, y) < 0.5) | (np.abs(less) < 0.5)
    less = np.where(small, less, 0)
    result = np.empty_like(a)
    result.real = np.where(
        small, np.where((x == 0) & (less == 0), x, 0.5 * np.log1p(less)), np.log(np.hypot(x + 1, y))
    )
    result.imag = np.arctan2(y, x + 1)
    return result


def tan(a: Array) -> Array:
    return np.sin(a) / np.cos(a) if is_slow(np.tan, a) else np.tan(a)


def reciprocal(a: Array) -> Array:
    # Of a complex 0 the one is nan, the other inf.
    return np.reciprocal(a) if a.dtype.kind == "f" else np.true_divide(1, a)


@half_in_single
def rsqrt(a: Array) -> Array:
    return reciprocal(np.sqrt(a))


@fused
def sigmoid(a: Array) -> Array:
    if a.dtype == np.float16:
        return sigmoid(a.astype(np.float32)).astype(np.float16)
    r = np.asarray(np.negative(a))
    np.exp(r, out=r)
    r += 1
    return np.reciprocal(r, out=r)


def logit(a: Array, eps: float | None = None) -> Array:
    """log(a / (1 - a)), of a kept within eps and 1 - eps."""
    only_floats("logit_cpu", a)
    if eps is not None and eps >= 0:
        low, high = a.dtype.type(eps), a.dtype.type(1 - eps)
        a = np.where(a < low, low, np.where(a > high, high, a))
    return np.log(a / (1 - a))


@half_in_single
def sigmoid_backward(grad: Array, output: Array) -> Array:
    made = np.asarray(1 - output)
    made *= output
    return times(grad, made)


@half_in_single
def tanh_backward(grad: Array, output: Array) -> Array:
    made = np.asarray(np.square(output))
    np.subtract(1, made, out=made)
    return times(grad, made)


def times(grad: Array, slope: Array) -> Array:
    """The gradient times the conjugate of a derivative, whose memory becomes the result's: it is in the cache, and new memory is not."""
    if slope.dtype.kind == "c":
        np.conjugate(slope, out=slope)
    if slope.dtype == grad.dtype and slope.strides == grad.strides and slope.shape == grad.shape:
        return np.multiply(grad, slope, out=slope)
    return np.multiply(grad, slope)


def asinh_(a: Array) -> None:
    _into(np.arcsinh, a)


def acosh_(a: Array) -> None:
    _into(np.arccosh, a)


def atanh_(a: Array) -> None:
    _into(np.arctanh, a)


def _into(ufunc: np.ufunc, a: Array) -> None:
    if a.dtype.kind not in "fc":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {scalar_name(a)}")
    ufunc(a, out=a)


def atan2(a: Array, b: Array) -> Array:
    return np.arctan2(a, b)


def hypot(a: Array, b: Array) -> Array:
    only_floats("hypot_cpu", a)
    return np.hypot(a, b)


def logaddexp(a: Array, b: Array) -> Array:
    """log(exp(a) + exp(b)) without overflow."""
    only_floats("logaddexp_cpu", a, "fc")
    if a.dtype.kind == "f":
        return (
            logaddexp_single(a, b)
            if a.dtype == b.dtype == np.float32 and a.size >= LARGE
            else np.logaddexp(a, b)
        )
    first = a.real >= b.real
    high, low = np.where(first, a, b), np.where(first, b, a)
    same_infinity = np.isinf(high.real) & (high.real == low.real) & (high.imag == low.imag)
    return np.where(same_infinity & (high.real < 0), high, high + np.log1p(np.exp(low - high)))


def logaddexp_single(a: Array, b: Array) -> Array:
    """The same in vectorized passes; where both are equal, and may be infinite, they add log(2)."""
    smaller = only_where(np.abs(a - b), a != b)
    np.exp(np.negative(smaller, out=smaller), out=smaller)
    result = log1p(smaller)
    result += np.maximum(a, b)
    return result


def logaddexp2(a: Array, b: Array) -> Array:
    only_floats("logaddexp2_cpu", a)
    return np.logaddexp2(a, b)


@fused
def xlogy(a: Any, b: Any) -> Array:
    """a * log(b), 0 where a is 0 unless b is nan; one of both may be a number."""
    if not isinstance(b, np.ndarray):
        b = np.asarray(b, a.dtype)
    if not isinstance(a, np.ndarray):
        a = np.asarray(a, b.dtype)
    only_floats("xlogy_cpu", a)
    result = np.asarray(a * np.log(b))
    np.copyto(result, 0, where=(a == 0) & ~np.isnan(b))
    return result


DEGREE = np.pi / 180


@half_in_single
def deg2rad(a: Array) -> Array:
    _refuse_complex("deg2rad", a)
    return a * DEGREE


@half_in_single
def rad2deg(a: Array) -> Array:
    _refuse_complex("rad2deg", a)
    return a * (180 / np.pi)


def _refuse_complex(name: str, a: Array) -> None:
    if a.dtype.kind == "c":
        raise RuntimeError(f"{name} is not supported for complex tensors.")
