"""The kernels on NumPy arrays.

Each kernel takes the arguments of the operation of the same name, raw arrays in place of tensors. Derivative formulas run on these names
too, so a kernel must not mutate its arguments (those whose name ends in an underscore write to their first one and nothing else).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.kernels.numpy_index import *  # noqa: F403
from jgrad.kernels.numpy_random import *  # noqa: F403
from jgrad.kernels.numpy_shape import *  # noqa: F403
from jgrad.kernels.numpy_shape import Array, c_name, contiguous, empty_like, kept_shape, scalar_name, wrap_dim

# Pointwise --------------------------------------------------------------------------------------------------------------------

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


# Reductions -------------------------------------------------------------------------------------------------------------------


def sum(a: Array, *arguments: Any) -> Array:
    if len(arguments) == 1 and arguments[0] is None and a.dtype.char in "fd":
        return np.add.reduce(a, None)
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    if dtype is None and a.dtype.kind in "iub":
        dtype = np.dtype(np.int64)
    if dtype is not None and a.dtype != dtype:
        a = a.astype(dtype)
    return reduced(a, dim, keepdim)


def reduced(a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """The sum over some dimensions, row-major as PyTorch has it; float16 is summed in float32."""
    dims = dims_of(dim, a.ndim)
    half = a.dtype == np.float16
    total = np.asarray(np.add.reduce(a, dims, dtype=np.float32 if half else None))
    total = contiguous(total.astype(np.float16) if half else total)
    return total.reshape(kept_shape(a.shape, range(a.ndim) if dims is None else dims)) if keepdim else total


def mean(a: Array, *arguments: Any) -> Array:
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    wanted = a.dtype if dtype is None else dtype
    if wanted.kind not in "fc":
        which, kind = "Input" if dtype is None else "Optional", dtypes.FROM_NUMPY[wanted].type_name
        raise RuntimeError(
            f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. Got: {kind}"
        )
    a = a.astype(wanted, copy=False)
    return np.asarray(np.true_divide(reduced(a, dim, keepdim), count_of(a.shape, dim))).astype(
        a.dtype, copy=False
    )


def dims_of(dim: tuple | None, ndim: int) -> tuple | None:
    """Dimensions as NumPy takes them: None for all; PyTorch also reads an empty tuple as all."""
    if dim is None or dim == () or ndim == 0:
        check_dims(dim, ndim)
        return None
    return check_dims(dim, ndim)


def check_dims(dim: tuple | None, ndim: int) -> tuple | None:
    if dim is None:
        return None
    wrapped = tuple([wrap_dim(d, ndim) for d in dim])
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def count_of(shape: tuple, dim: tuple | None) -> int:
    """How many elements a reduction over `dim` joins."""
    dims = range(len(shape)) if dim is None or dim == () else [d % (len(shape) or 1) for d in dim]
    n = 1
    for d in dims:
        if shape:
            n *= shape[d]
    return n


def all(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_and, a, dim, keepdim)


def any(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_or, a, dim, keepdim)


def truth(join: np.ufunc, a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """Elements as truth values, joined; unlike elsewhere an empty tuple means no dimension. uint8, the old bool, stays."""
    dims = check_dims(dim, a.ndim) if a.ndim else (check_dims(dim, a.ndim), None)[1]
    return np.asarray(join.reduce(a, dims, dtype=bool, keepdims=keepdim)).astype(
        np.uint8 if a.dtype == np.uint8 else bool, copy=False
    )


def sum_to_size(a: Array, shape: tuple) -> Array:
    """Sum over the dimensions that broadcasting added or stretched."""
    added = a.ndim - len(shape)
    dims = tuple(range(added)) + tuple(
        [i + added for i, n in enumerate(shape) if n == 1 and a.shape[i + added] != 1]
    )
    return np.add.reduce(a, dims, keepdims=True).reshape(shape)


# Writing in place: the first argument is changed, nothing is returned that matters --------------------------------------------


def copy_(a: Array, src: Array, non_blocking: bool = False) -> Array:
    src = np.asarray(src)
    if src.shape != a.shape:
        try:
            whole = np.broadcast_shapes(a.shape, src.shape)
        except ValueError:
            np.broadcast(a, src)  # whose error is put in PyTorch's words
        if whole != a.shape:
            raise RuntimeError(
                f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(whole)}"
            )
    if src.dtype.kind == "c" and a.dtype.kind != "c":
        warn.once("Casting complex values to real discards the imaginary part", stacklevel=6)
        src = src.real
    np.copyto(a, src, casting="unsafe")
    return a


def fill_(a: Array, value: Any) -> Array:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
            )
        value = value.item()
    from jgrad.ops.creation import fill_number

    a[...] = fill_number(value, a.dtype)
    return a


def zero_(a: Array) -> Array:
    a[...] = 0
    return a


# Products ---------------------------------------------------------------------------------------------------------------------


def mm(a: Array, b: Array) -> Array:
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {c_name(a)} != {c_name(b)}")
    refuse_bool("addmm_impl_cpu_", a)
    return np.matmul(a, b)


def bmm(a: Array, b: Array) -> Array:
    if a.ndim != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if b.ndim != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] but got: "
            f"[{b.shape[0]}, {b.shape[1]}]."
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(b)}")
    refuse_bool("bmm", a)
    return np.matmul(a, b)


def mv(a: Array, b: Array) -> Array:
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {b.ndim}, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({b.shape[0]})"
        )
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {scalar_name(b)}, {scalar_name(a)}, and {scalar_name(b)}"
        )
    refuse_bool("addmv_impl_cpu", a)
    return np.matmul(a, b)


def dot(a: Array, b: Array) -> Array:
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {scalar_name(a)} and {scalar_name(b)}"
        )
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the same number of elements, but got "
            f"{a.size} and {b.size} elements respectively"
        )
    refuse_bool("dot", a)
    return np.dot(a, b)


def refuse_bool(name: str, a: Array) -> None:
    if a.dtype.kind == "b":
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


def outer_product(a: Array, b: Array) -> Array:
    return np.multiply.outer(a, b)
