"""The kernels on NumPy arrays: activations of neural networks. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, can_cast, result_of
from jgrad.kernels.numbers import fill_number
from jgrad.kernels.numpy.choosing import either
from jgrad.kernels.numpy.fusing import fused
from jgrad.kernels.numpy.random import _stream, streams
from jgrad.kernels.numpy.shape import Array, laid_out, wrap_dim
from jgrad.kernels.numpy.special import erf

F16, F32 = np.dtype(np.float16), np.dtype(np.float32)
SIXTH = float(np.float32(1 / 6))  # PyTorch's constant is of single precision, for doubles too


def in_float32(kernel: Callable) -> Callable:
    """Half precision is computed in float32 and rounded once, as in PyTorch."""

    @functools.wraps(kernel)
    def computed(a: Array, *arguments: Any) -> Any:
        if a.dtype != F16:
            return kernel(a, *arguments)
        wide = [b.astype(F32) if isinstance(b, np.ndarray) and b.dtype == F16 else b for b in arguments]
        result = kernel(a.astype(F32), *wide)
        if isinstance(result, tuple):
            return tuple([r if r is None or r.dtype != F32 else r.astype(F16) for r in result])
        return np.asarray(result).astype(F16)

    return computed


def element_by_element(kernel: Callable) -> Callable:
    """A kernel that goes element by element: half precision in float32, and the strides of the result as PyTorch lays them out."""
    narrow = fused(in_float32(kernel))

    @functools.wraps(kernel)
    def computed(a: Array, *arguments: Any) -> Any:
        result = narrow(a, *arguments)
        if a.ndim < 2 or a.flags.c_contiguous or result.shape != a.shape:
            return result
        return laid_out(result, [a, *[b for b in arguments if isinstance(b, np.ndarray)]])

    return computed


def with_rounded_numbers(kernel: Callable) -> Callable:
    """A kernel for which numbers have the dtype of the elements, also where these have half precision."""

    @functools.wraps(kernel)
    def computed(a: Array, *arguments: Any) -> Any:
        if a.dtype == F16:
            arguments = tuple([float(F16.type(v)) if v.__class__ is float else v for v in arguments])
        return kernel(a, *arguments)

    return computed


def in_place(operation: Callable, a: Array, b: Array) -> Array:
    """What an operation written in place of `a` leaves there; refused if that has not its shape or not its category of dtypes."""
    if a.dtype is b.dtype and a.shape == b.shape:
        return np.asarray(operation(a, b))
    shape = np.broadcast_shapes(a.shape, b.shape)
    if shape != a.shape:
        raise RuntimeError(
            f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(shape)}"
        )
    common, kept = result_of([a, b]), FROM_NUMPY[a.dtype]
    if not can_cast(common, kept):
        raise RuntimeError(
            f"result type {common.type_name} can't be cast to the desired output type {kept.type_name}"
        )
    result = operation(a.astype(common.numpy, copy=False), b.astype(common.numpy, copy=False))
    return np.asarray(result).astype(a.dtype, copy=False)


def only_floating(name: str, a: Array, kinds: str = "f", half: bool = True) -> None:
    """Refuse a dtype that PyTorch's kernel `name` lacks."""
    if a.dtype.kind not in kinds or (a.dtype == F16 and not half):
        raise NotImplementedError(f"\"{name}\" not implemented for '{FROM_NUMPY[a.dtype].type_name}'")


# Clamped to a range ------------------------------------------------------------------------------------------------------------


def refuse_hardtanh(a: Array, min_val: Any, max_val: Any) -> None:
    if a.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if a.dtype.kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")


@element_by_element
def hardtanh(a: Array, min_val: Any, max_val: Any) -> Array:
    refuse_hardtanh(a, min_val, max_val)
    if a.dtype.kind == "u":
        min_val, max_val = [fill_number(limit, np.dtype(np.int64)) for limit in (min_val, max_val)]
        if min_val < 0 or max_val < 0:
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    least, most = (np.asarray(fill_number(limit, a.dtype), a.dtype) for limit in (min_val, max_val))
    return a.clip(least, most)


def hardtanh_(a: Array, min_val: Any, max_val: Any) -> None:
    np.copyto(a, hardtanh(a, min_val, max_val))


@element_by_element
def hardtanh_backward(grad: Array, a: Array, min_val: Any, max_val: Any) -> Array:
    return either((a <= min_val) | (a >= max_val), 0, grad)


@element_by_element
def hardsigmoid(a: Array) -> Array:
    only_floating("hardsigmoid_cpu", a)
    return shifted_relu6(a) / 6


def shifted_relu6(a: Array) -> Array:
    raised = np.asarray(a + 3)
    return raised.clip(0, 6, out=raised)


@element_by_element
def hardsigmoid_backward(grad: Array, a: Array) -> Array:
    return either((a > -3) & (a < 3), grad * SIXTH, 0)


@element_by_element
def hardswish(a: Array) -> Array:
    only_floating("hardswish_cpu", a)
    return a * shifted_relu6(a) / 6


@element_by_element
def hardswish_backward(grad: Array, a: Array) -> Array:
    return either(a <= -3, 0, either(a < 3, grad * (a / 3 + 0.5), grad))


@element_by_element
def threshold(a: Array, threshold: Any, value: Any) -> Array:
    only_floating("threshold_cpu", a, "fiu")
    if a.dtype.kind != "f":
        threshold, value = fill_number(threshold, a.dtype), fill_number(value, a.dtype)
    return np.where(a <= threshold, np.asarray(value).astype(a.dtype), a)


def threshold_(a: Array, limit: Any, value: Any) -> None:
    np.copyto(a, threshold(a, limit, value))


@with_rounded_numbers
@element_by_element
def hardshrink(a: Array, lambd: Any) -> Array:
    only_floating("hardshrink_cpu", a)
    return either((a >= -lambd) & (a <= lambd), 0, a)


@element_by_element
def softshrink(a: Array, lambd: Any) -> Array:
    only_floating("softshrink_check", a)
    if lambd < 0:
        kind = FROM_NUMPY[a.dtype]
        raise RuntimeError(
            f"lambda must be in range [0, {np.finfo(a.dtype).max:g}] for input dtype {kind.type_name}, but found {lambd:g}"
        )
    limit = a.dtype.type(lambd)
    return a - a.clip(-limit, limit)


@with_rounded_numbers
@element_by_element
def hardshrink_backward(grad: Array, a: Array, lambd: Any) -> Array:
    return either((a >= -lambd) & (a <= lambd), 0, grad)


softshrink_backward = hardshrink_backward


# Smooth at both ends -----------------------------------------------------------------------------------------------------------


@element_by_element
def gelu(a: Array, approximate: str) -> Array:
    check_approximation(approximate)
    only_floating("GeluKernelImpl", a)
    if approximate == "tanh":
        inner = gelu_inner(a)
        return 0.5 * a * (1 + np.tanh(inner, out=inner))
    result = normal_cdf(a)
    result *= a
    return result


def check_approximation(approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


def gelu_inner(a: Array) -> Array:
    """What the tanh of the approximation is taken of."""
    return np.asarray(math.sqrt(2 / math.pi) * (a + 0.044715 * (a * a * a)))


def normal_cdf(a: Array) -> Array:
    """The share of the normal distribution below a."""
    result = erf(np.asarray(a * math.sqrt(0.5)))
    result += 1
    result *= 0.5
    return result


def normal_pdf(a: Array) -> Array:
    result = np.asarray(-0.5 * a * a)
    np.exp(result, out=result)
    result *= 1 / math.sqrt(2 * math.pi)
    return result


@element_by_element
def gelu_backward(grad: Array, a: Array, approximate: str) -> Array:
    if approximate == "none":
        slope = normal_pdf(a)
        slope *= a
        slope += normal_cdf(a)
        return slope * grad  # under vmap there may be more gradients than inputs
    tanh = gelu_inner(a)
    np.tanh(tanh, out=tanh)
    inner = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * (a * a))
    return grad * (0.5 * (1 + tanh) + 0.5 * a * (1 - tanh * tanh) * inner)


@element_by_element
def silu(a: Array) -> Array:
    only_floating("silu_cpu", a, "fc")
    result = np.asarray(np.negative(a))
    np.exp(result, out=result)
    result += 1
    return np.divide(a, result, out=result)


@element_by_element
def mish(a: Array) -> Array:
    only_floating("mish_cpu", a)
    result = np.asarray(np.exp(a))
    np.tanh(np.log1p(result, out=result), out=result)
    result *= a
    return result


@element_by_element
def softplus(a: Array, beta: Any, threshold: Any) -> Array:
    only_floating("softplus_cpu", a)
    scaled = a * beta if beta != 1 else a
    result = np.asarray(np.exp(scaled))
    np.log1p(result, out=result)
    if beta != 1:
        result /= beta
    return either(scaled > threshold, a, result)


@element_by_element
def softplus_backward(grad: Array, a: Array, beta: Any, threshold: Any) -> Array:
    scaled = a * beta if beta != 1 else a
    power = np.exp(scaled)
    return grad * either(scaled > threshold, 1, power / (1 + power))


@in_float32
def log_sigmoid_forward(a: Array) -> tuple:
    """The logarithm of the sigmoid, and exp(-|a|), which its derivative needs."""
    only_floating("log_sigmoid_cpu", a)
    buffer = np.asarray(np.abs(a, order="C"))
    np.exp(np.negative(buffer, out=buffer), out=buffer)
    result = np.asarray(np.log1p(buffer))
    return np.subtract(a.clip(-np.inf, 0), result, out=result), buffer


@in_float32
def log_sigmoid_backward(grad: Array, a: Array, buffer: Array) -> Array:
    """The derivative is the sigmoid of -a."""
    share = buffer / (1 + buffer)
    return grad * either(a < 0, 1 - share, share)


# Of two slopes -----------------------------------------------------------------------------------------------------------------


@element_by_element
def elu(a: Array, alpha: Any, scale: Any, input_scale: Any) -> Array:
    only_floating("elu_cpu", a)
    # Of positive elements expm1 would overflow.
    low = np.asarray(a.clip(-np.inf, 0) * input_scale)
    np.expm1(low, out=low)
    low *= alpha * scale
    return either(a > 0, a * scale if scale != 1 else a, low)


def elu_(a: Array, alpha: Any, scale: Any, input_scale: Any) -> None:
    np.copyto(a, elu(a, alpha, scale, input_scale))


@element_by_element
def elu_backward(grad: Array, alpha: Any, scale: Any, input_scale: Any, is_result: bool, a: Array) -> Array:
    """The derivative from the input, or from the result of an `elu_` that overwrote it."""
    if is_result and alpha < 0:
        raise RuntimeError(
            "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling "
            "in-place forward function with a negative slope, please call out-of-place version instead."
        )
    slope = np.asarray(a.clip(-np.inf, 0))
    if is_result:
        slope += alpha * scale
        slope *= input_scale
    else:
        slope *= input_scale
        np.exp(slope, out=slope)
        slope *= input_scale * alpha * scale
    return grad * either(a <= 0, slope, scale)


def celu(a: Array, alpha: Any) -> Array:
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return elu(a, alpha, 1.0, 1.0 / alpha)


def celu_(a: Array, alpha: Any) -> None:
    np.copyto(a, celu(a, alpha))


@element_by_element
def leaky_relu(a: Array, negative_slope: Any) -> Array:
    only_floating("leaky_relu_cpu", a)
    if 0 <= negative_slope <= 1:
        return np.maximum(a, a * negative_slope)
    return either(a > 0, a, a * negative_slope)


def leaky_relu_(a: Array, negative_slope: Any) -> None:
    np.copyto(a, leaky_relu(a, negative_slope))


@element_by_element
def leaky_relu_backward(grad: Array, a: Array, negative_slope: Any, is_result: bool) -> Array:
    """The derivative from the input, or from the result of a `leaky_relu_` that overwrote it."""
    if is_result and negative_slope < 0:
        raise RuntimeError(
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused by calling "
            "in-place forward function with a negative slope, please call out-of-place version instead. File an issue at "
            "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope"
        )
    return grad * either(a > 0, np.ones((), grad.dtype), negative_slope)


@element_by_element
def prelu_kernel(a: Array, weight: Array) -> Array:
    only_floating("prelu_cpu", a)
    return either(a > 0, a, weight * a)


def prelu_kernel_backward(grad: Array, a: Array, weight: Array) -> tuple:
    positive = a > 0
    return either(positive, grad, weight * grad), either(positive, 0, a * grad)


def rrelu_with_noise(
    a: Array, noise: Array, lower: Any, upper: Any, training: bool, generator: Any = None
) -> Array:
    """In training the slope of each negative element is drawn, into `noise`; otherwise it is the middle of the range."""
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training:
        return np.asarray(leaky_relu(a, (lower + upper) / 2), order="C")
    if a.dtype.char not in "fd":
        only_floating("rrelu_with_noise_out_cpu", a, "")
    drawn = a <= 0
    count = drawn.sum().item()
    noise[...] = 1
    noise[drawn] = streams.uniform(
        _stream(generator), (count,), FROM_NUMPY[np.dtype(np.float64)], float(lower), float(upper)
    )
    return np.asarray(either(drawn, a * noise, a), order="C")


def rrelu_with_noise_(a: Array, *arguments: Any) -> None:
    np.copyto(a, rrelu_with_noise(a, *arguments))


def rrelu_with_noise_backward(
    grad: Array, a: Array, noise: Array, lower: Any, upper: Any, training: bool, is_result: bool
) -> Array:
    if training and upper - lower > 1e-6:
        return grad * noise
    return leaky_relu_backward(grad, a, (lower + upper) / 2, is_result)


# Gated -------------------------------------------------------------------------------------------------------------------------


def halves(a: Array, dim: int) -> tuple[Array, Array, tuple]:
    """Both halves along a dimension, and the index of the second."""
    if a.ndim == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    d = wrap_dim(dim, a.ndim)
    if a.shape[d] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {d} is size {a.shape[d]}")
    half = a.shape[d] // 2
    lead = (slice(None),) * d
    second = (*lead, slice(half, None))
    return a[(*lead, slice(half))], a[second], second


@in_float32
def glu(a: Array, dim: int) -> Array:
    first, second, _ = halves(a, dim)
    only_floating("glu_cpu", a)
    return laid_out(first / (1 + np.exp(-second)), [first, second])


@in_float32
def glu_backward(grad: Array, a: Array, dim: int) -> Array:
    first, second, where = halves(a, dim)
    gate = 1 / (1 + np.exp(-second))
    result = np.empty(a.shape, a.dtype)
    result[(*where[:-1], slice(where[-1].start))] = grad * gate
    result[where] = grad * first * gate * (1 - gate)
    return result
