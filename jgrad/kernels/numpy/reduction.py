"""The kernels on NumPy arrays: reductions. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.kernels import narrow
from jgrad.kernels.numpy.blocks import (
    LARGE,
    begins_of_rows,
    by_rows,
    is_small_matrix,
    is_small_of_rows,
    joined,
    largest_of_small_rows,
    sums_of_small,
    sums_of_small_rows,
)
from jgrad.kernels.numpy.cumulative import cumprod
from jgrad.kernels.numpy.shape import (
    Array,
    contiguous,
    kept_shape,
    refuse_bool,
    scalar_name,
    wrap_dim,
)
from jgrad.kernels.numpy.values import any_or_unknown

INF, NAN = np.inf, np.nan


# Dimensions ---------------------------------------------------------------------------------------------------------------------


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
    if dim is None or dim == ():
        return math.prod(shape)
    dims = [d % (len(shape) or 1) for d in dim]
    n = 1
    for d in dims:
        if shape:
            n *= shape[d]
    return n


def kept(reduced: Any, a: Array, dims: tuple | None) -> Array:
    """The result of a reduction of `a` over `dims` with these dimensions left in, of size 1."""
    return np.asarray(reduced).reshape(kept_shape(a.shape, range(a.ndim) if dims is None else dims))


def row_major(a: Any) -> Array:
    """A result with the strides PyTorch gives it, also for dimensions of size 1, where NumPy's say nothing."""
    a = contiguous(np.asarray(a))
    return a.reshape(-1).reshape(a.shape) if a.ndim > 1 and a.size else a


def widened(a: Array) -> Array:
    """float16 as float32, in which PyTorch computes what it rounds once at the end."""
    return a.astype(np.float32) if a.dtype == np.float16 else a


# Sums and products --------------------------------------------------------------------------------------------------------------


def sum_all(a: Array, dtype: np.dtype | None = None) -> Array:
    if dtype is None and a.dtype.char in "fd":
        return np.add.reduce(a, None) if a.size < LARGE else total(a, None).reshape(())
    return sum(a, None, False, dtype)


def sum(a: Array, dim: Any = None, keepdim: bool = False, dtype: np.dtype | None = None) -> Array:
    return reduced(summands(a, dtype), (dim,) if isinstance(dim, int) else dim, keepdim)


def summands(a: Array, dtype: np.dtype | None) -> Array:
    """What is summed or multiplied: integers and bools as int64, unless a dtype is asked for."""
    if dtype is None and a.dtype.kind in "iub":
        dtype = np.dtype(np.int64)
    if dtype is None or a.dtype == dtype:
        return a
    return (a.real if a.dtype.kind == "c" and dtype.kind != "c" else a).astype(dtype)


def reduced(a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """The sum over some dimensions, row-major as PyTorch has it; float16 is summed in float32."""
    dims = dims_of(dim, a.ndim)
    if dims is not None and len(dims) == 1 and is_small_matrix(a):
        result = sums_of_small(a, dims[0])
        return kept(result, a, dims) if keepdim else result
    half = a.dtype == np.float16
    if half or a.size >= LARGE:
        result = total(widened(a), dims).astype(a.dtype, copy=False).reshape(without(a.shape, dims))
    else:
        result = np.asarray(np.add.reduce(a, dims, dtype=a.dtype))
    result = row_major(result)
    return kept(result, a, dims) if keepdim else result


def total(a: Array, dims: tuple | None) -> Array:
    """The sum over dimensions, which are kept, in the dtype of `a`."""
    return joined(np.add, a, dims)


def sum_to_size(a: Array, shape: tuple) -> Array:
    """Sum over the dimensions that broadcasting added or stretched.

    If dimensions were added, the result is a view of the sums, as in PyTorch. So the backward pass adds other gradients to it out of place. Otherwise the
    result is an array of its own.
    """
    added = a.ndim - len(shape)
    if dtypes.narrow_in_use and narrow.is_narrow(a.dtype):  # (the engine calls this itself)
        sums = narrow.rounded(sum_to_size(narrow.widened(a), shape), a.dtype)
        return sums.reshape(shape) if added and shape else sums
    if added == 1 and is_small_matrix(a) and a.shape[1:] == shape:
        return sums_of_small(a, 0).reshape(shape)  # of a bias
    dims = tuple(range(added)) + tuple(
        [i + added for i, n in enumerate(shape) if n == 1 and a.shape[i + added] != 1]
    )
    if dims and (a.size >= LARGE or (len(dims) == 1 and is_small_matrix(a))):
        sums = total(a, dims).reshape(shape)
        return sums if added and shape else sums.copy()
    sums = np.add.reduce(a, dims, keepdims=True)
    if not added:
        return sums
    return sums.reshape(shape) if shape else np.array(sums.item(), a.dtype)


def mean_all(a: Array, dtype: np.dtype | None = None) -> Array:
    if dtype is None and a.size < LARGE and a.dtype.char in "fd":
        return quotient(np.add.reduce(a, None), a.size)
    return mean(a, None, False, dtype)


def mean(a: Array, dim: tuple | None = None, keepdim: bool = False, dtype: np.dtype | None = None) -> Array:
    target = a.dtype if dtype is None else dtype
    if target.kind not in "fc":
        which, kind = "Input" if dtype is None else "Optional", dtypes.FROM_NUMPY[target].type_name
        raise RuntimeError(
            f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. Got: {kind}"
        )
    a = summands(a, target)
    total = reduced(widened(a), dim, keepdim)
    return np.asarray(quotient(total, count_of(a.shape, dim))).astype(a.dtype, copy=False)


def quotient(a: Any, n: int) -> Any:
    """a / n. (To find a dtype for a Python number takes NumPy longer than a few divisions.)"""
    return a / a.dtype.type(n) if a.dtype.char in "fd" else np.true_divide(a, n)


def divided(a: Array, n: int) -> Array:
    """a / n; elements that are one in memory, because they were expanded, are divided once."""
    if a.size < LARGE:
        return np.asarray(quotient(widened(a), n)).astype(a.dtype, copy=False)
    small = a[tuple([slice(0, 1) if stride == 0 else slice(None) for stride in a.strides])]
    result = np.empty(a.shape, a.dtype)
    result[...] = np.true_divide(widened(small), n)
    return result


def nansum(a: Array, dim: tuple | None = None, keepdim: bool = False, dtype: np.dtype | None = None) -> Array:
    if a.dtype.kind == "c":
        raise RuntimeError("nansum on CPU does not support complex inputs")
    if a.dtype.kind == "f" and dtype is not None and dtype.kind in "iub":
        return sum(np.nan_to_num(a, posinf=np.inf, neginf=-np.inf), dim, keepdim, dtype)
    result = sum(a, dim, keepdim, dtype)
    if a.dtype.kind == "f" and (
        a.dtype == np.float16 or any_or_unknown(np.isnan(np.add.reduce(result, None)))
    ):
        # Some element is nan (or there is inf and -inf).
        return sum(np.where(a != a, np.zeros((), a.dtype), a), dim, keepdim, dtype)
    return result


def prod_all(a: Array, dtype: np.dtype | None = None) -> Array:
    return product(summands(a, dtype), None, False)


def prod(a: Array, dim: int | None = None, keepdim: bool = False, dtype: np.dtype | None = None) -> Array:
    return product(summands(a, dtype), None if dim is None else (dim,), keepdim)


def product(a: Array, dim: tuple | None, keepdim: bool) -> Array:
    dims = dims_of(dim, a.ndim)
    wide = widened(a)
    if a.size >= LARGE:
        result = joined(np.multiply, wide, dims).reshape(without(a.shape, dims))
    else:
        result = np.multiply.reduce(wide, dims, dtype=wide.dtype)
    result = row_major(np.asarray(result).astype(a.dtype, copy=False))
    return kept(result, a, dims) if keepdim else result


def prod_backward(grad: Array, a: Array, result: Array, dim: int | None, keepdim: bool) -> Array:
    """grad times the product of all the other elements, also where some are zero."""
    if not a.ndim:
        return grad
    dims = None if dim is None else (dim % a.ndim,)
    if dims and not keepdim:
        grad, result = np.expand_dims(grad, dims), np.expand_dims(result, dims)
    a = a.astype(grad.dtype, copy=False)
    if not any_or_unknown(a == 0):
        return grad * np.conjugate(result / a)
    rows, axis = (a.reshape(-1), 0) if dims is None else (a, dims[0])
    at = (slice(None),) * axis
    ones = np.ones_like(rows[(*at, slice(1))])
    before = cumprod(np.concatenate((ones, rows[(*at, slice(-1))]), axis), axis)
    behind = cumprod(np.concatenate((ones, rows[(*at, slice(None, 0, -1))]), axis), axis)
    others = before * np.flip(behind, axis)
    return grad * np.conjugate(others.reshape(a.shape))


def trace(a: Array) -> Array:
    refuse_bool("trace", a)
    if a.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {a.ndim}")
    return sum(np.diagonal(a))


def trace_backward(grad: Array, shape: tuple) -> Array:
    result = np.zeros(shape, grad.dtype)
    np.fill_diagonal(result[: shape[1]], grad)
    return result


def count_nonzero(a: Array, dim: Any = None) -> Array:
    dims = dims_of((dim,) if isinstance(dim, int) else dim, a.ndim)
    return row_major(np.add.reduce(a != 0, dims, dtype=np.int64))


# Truth --------------------------------------------------------------------------------------------------------------------------


def has_nan(a: Array) -> bool:
    """Whether some element is nan."""
    return any_or_unknown(np.isnan(a))


def has_zero(a: Array) -> bool:
    """Whether some element is zero."""
    return (a == 0).any().item()


def all(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_and, a, dim, keepdim)


def any(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_or, a, dim, keepdim)


def truth(join: np.ufunc, a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """Elements as truth values, joined; unlike elsewhere an empty tuple means no dimension. uint8, the old bool, stays."""
    dims = check_dims(dim, a.ndim) if a.ndim else (check_dims(dim, a.ndim), None)[1]
    result = row_major(join.reduce(a, dims, dtype=bool, keepdims=keepdim))
    return result.astype(np.uint8) if a.dtype == np.uint8 else result


# The largest and the smallest ---------------------------------------------------------------------------------------------------


def amax(a: Array, dim: tuple = (), keepdim: bool = False) -> Array:
    return extreme("amax", np.maximum, a, dim, keepdim)


def amin(a: Array, dim: tuple = (), keepdim: bool = False) -> Array:
    return extreme("amin", np.minimum, a, dim, keepdim)


def extreme(name: str, choose: np.ufunc, a: Array, dim: tuple | None, keepdim: bool) -> Array:
    if not dim and not a.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
        )
    for d in dim or () if not a.size else ():
        if a.ndim and not a.shape[wrap_dim(d, a.ndim)]:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    dims = dims_of(dim, a.ndim)
    if a.size:
        refuse_complex(f"{name[1:]}_values_cpu", a)
    result = extremes(choose, a, dims)
    return kept(result, a, dims) if keepdim else result


def extremes(choose: np.ufunc, a: Array, dims: tuple | None) -> Array:
    if a.size < LARGE:
        return row_major(choose.reduce(a, dims))
    return row_major(joined(choose, a, dims).reshape(without(a.shape, dims)))


def refuse_empty(name: str, a: Array, d: int) -> None:
    if a.ndim and not a.shape[d]:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


def refuse_complex(name: str, a: Array) -> None:
    if a.dtype.kind == "c":
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")


def max(a: Array, dim: int | None = None, keepdim: bool = False) -> Any:
    return with_index("max", np.maximum, a, dim, keepdim)


def min(a: Array, dim: int | None = None, keepdim: bool = False) -> Any:
    return with_index("min", np.minimum, a, dim, keepdim)


def with_index(name: str, choose: np.ufunc, a: Array, dim: int | None, keepdim: bool) -> Any:
    """The largest or smallest of all, or along a dimension with the index of the first one; nan is both."""
    if dim is not None and not keepdim and is_small_of_rows(a, dim):
        indices = (a.argmax(1) if choose is np.maximum else a.argmin(1)).astype(np.int64, copy=False)
        return a.take(indices + begins_of_rows(*a.shape)), indices
    if dim is None:
        if not a.size:
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            )
        refuse_complex(f"{name}_all", a)
        return extremes(choose, a, None)
    d = wrap_dim(dim, a.ndim)
    refuse_empty(name, a, d)
    if a.dtype.kind == "c":
        raise RuntimeError(f"{name}(): does not support complex input")
    indices = first_index(choose, a, d)
    return chosen(a, indices, d, keepdim)


def chosen(a: Array, indices: Array, d: int, keepdim: bool) -> tuple[Array, Array]:
    """The elements that the indices name along a dimension, and the indices, as a reduction gives them."""
    if not a.ndim:
        return a.copy(), indices
    if a.flags.c_contiguous:
        values = a.reshape(-1).take(flat_positions(a.shape, d, indices))
    else:
        values = row_major(np.take_along_axis(a, np.expand_dims(indices, d), d).squeeze(d))
    return (kept(values, a, (d,)), kept(indices, a, (d,))) if keepdim else (values, indices)


def flat_positions(shape: tuple, d: int, indices: Array) -> Array:
    """Where the elements that the indices name along a dimension are in a row-major array of this shape; the indices may lack it."""
    if not indices.size:
        return indices
    n, inner = shape[d], math.prod(shape[d + 1 :])
    if inner == 1 and indices.ndim < len(shape):
        begins = begins_of_rows(indices.size, n)
        return indices + (begins if indices.ndim == 1 else begins.reshape(indices.shape))
    begins = np.arange(0, math.prod(shape), n * inner)[:, None, None] + np.arange(inner)
    return (indices.reshape(len(begins), -1, inner) * inner + begins).reshape(indices.shape)


def first_index(choose: np.ufunc, a: Array, d: int) -> Array:
    """The index of the first largest (or smallest) element along a dimension, row-major."""
    if not a.ndim:
        return np.zeros((), np.int64)
    if d < a.ndim - 1 and a.size >= LARGE and a.shape[d] >= 4 * BLOCK and a.flags.c_contiguous:
        return first_index_by_blocks(choose, a, d)
    return index_along(choose, a, d)


def index_along(choose: np.ufunc, a: Array, d: int) -> Array:
    found = a.argmax(d) if choose is np.maximum else a.argmin(d)
    return row_major(found if found.dtype == np.int64 else np.asarray(found).astype(np.int64))


BLOCK = 16  # elements along the dimension


def first_index_by_blocks(choose: np.ufunc, a: Array, d: int) -> Array:
    """The same where the elements to compare are apart in memory, for which NumPy would transpose all: in which block, and then where in it."""
    n, shape = a.shape[d], a.shape[:d] + a.shape[d + 1 :]
    inner = math.prod(shape[d:])
    rows = a.reshape(-1, n, inner)
    whole = n // BLOCK * BLOCK
    best = choose.reduce(rows[:, :whole].reshape(len(rows), -1, BLOCK, inner), 2)
    if whole < n:
        best = np.concatenate([best, choose.reduce(rows[:, whole:], 1, keepdims=True)], 1)
    begins = index_along(choose, best, 1)[..., None] * BLOCK
    # The last block may be shorter: its last element stands there again.
    near = np.minimum(begins + np.arange(BLOCK), n - 1)
    origins = (np.arange(0, a.size, n * inner)[:, None] + np.arange(inner))[..., None]
    values = a.reshape(-1).take(near * inner + origins)
    return (begins[..., 0] + index_along(choose, values, 2)).reshape(shape)


def argmax(a: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    return index_of("argmax", np.maximum, np.argmax, a, dim, keepdim)


def argmin(a: Array, dim: int | None = None, keepdim: bool = False) -> Array:
    return index_of("argmin", np.minimum, np.argmin, a, dim, keepdim)


def index_of(name: str, choose: np.ufunc, where: Any, a: Array, dim: int | None, keepdim: bool) -> Array:
    if a.dtype.kind in "cb":
        raise RuntimeError(f"{name}(): does not support {'complex' if a.dtype.kind == 'c' else 'bool'} input")
    if dim is None:
        if not a.size:
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        result = np.asarray(where(a)).astype(np.int64, copy=False)
        return kept(result, a, None) if keepdim else result
    d = wrap_dim(dim, a.ndim)
    refuse_empty(name, a, d)
    result = first_index(choose, a, d)
    return kept(result, a, (d,)) if keepdim and a.ndim else result


def aminmax(a: Array, dim: int | None = None, keepdim: bool = False) -> tuple[Array, Array]:
    if dim is None and not a.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    dims = dims_of(None if dim is None else (dim,), a.ndim)
    if dims and not a.shape[dims[0]]:
        raise IndexError(f"aminmax: Expected reduction dim {dims[0]} to have non-zero size.")
    if a.dtype.kind == "c" and dim is not None and not a.ndim:
        raise RuntimeError(f"aminmax not implemented for {scalar_name(a)}")
    refuse_complex("aminmax_cpu", a)
    least, most = [extremes(choose, a, dims) for choose in (np.minimum, np.maximum)]
    return (kept(least, a, dims), kept(most, a, dims)) if keepdim else (least, most)


def value_selecting_reduction_backward(
    grad: Array, dim: int, indices: Array, shape: tuple, keepdim: bool
) -> Array:
    """The gradient of choosing one element along a dimension: it goes to the chosen one."""
    result = np.zeros(shape, grad.dtype)
    if not shape:
        result[...] = grad
        return result
    result.reshape(-1)[flat_positions(shape, dim % len(shape), indices)] = grad
    return result


# Softmax ------------------------------------------------------------------------------------------------------------------------


def softmax_input(name: str, a: Array, dim: int) -> tuple[Array, int]:
    """What is computed with, and the dimension from the front."""
    d = wrap_dim(dim, a.ndim)
    if a.dtype.kind != "f" and a.size:
        name += "_lastdim" if d >= a.ndim - 1 else ""
        raise NotImplementedError(f"\"{name}_kernel_impl\" not implemented for '{scalar_name(a)}'")
    return widened(a), d


def shifted(a: Array, d: int) -> Array:
    """a - max(a), row-major, of which exp can't overflow."""
    if not a.size:
        return np.empty(a.shape, a.dtype)
    if not a.ndim:
        return np.asarray(a - a)
    top = joined(np.maximum, a, (d,))
    with by_rows(a):
        return np.subtract(a, top, order="C")


def softmax(a: Array, dim: int) -> Array:
    if is_small_of_rows(a, dim):
        result = a - largest_of_small_rows(a)
        np.exp(result, result)
        result /= sums_of_small_rows(result)
        return result
    wide, d = softmax_input("softmax", a, dim)
    result = shifted(wide, d)
    if a.size:
        np.exp(result, result)
        sums = total(result, (d,)) if a.ndim else result
        with by_rows(result):
            result /= sums
    return result.astype(a.dtype, copy=False)


def log_softmax(a: Array, dim: int) -> Array:
    if is_small_of_rows(a, dim):
        result = a - largest_of_small_rows(a)
        sums = sums_of_small_rows(np.exp(result))
        result -= np.log(sums, sums)
        return result
    wide, d = softmax_input("log_softmax", a, dim)
    result = shifted(wide, d)
    if a.ndim and a.size:
        sums = np.log(total(np.exp(result), (d,)))
        with by_rows(result):
            result -= sums
    return result.astype(a.dtype, copy=False)


def softmax_backward(grad: Array, result: Array, dim: int) -> Array:
    """result * (grad - the sum of grad * result)."""
    if is_small_of_rows(result, dim):
        made = grad * result
        np.subtract(grad, sums_of_small_rows(made), made)
        made *= result
        return made
    grad, wide = widened(grad), widened(result)
    made = np.asarray(grad * wide)
    sums = total(made, (dim % result.ndim,)) if result.ndim else made
    with by_rows(made):
        np.subtract(grad, sums, out=made)
    made *= wide
    return made.astype(result.dtype, copy=False)


def log_softmax_backward(grad: Array, result: Array, dim: int) -> Array:
    """grad - exp(result) * the sum of grad."""
    if is_small_of_rows(result, dim):
        made = np.exp(result)
        made *= sums_of_small_rows(grad)
        return np.subtract(grad, made, made)
    grad = widened(grad)
    made = np.asarray(np.exp(widened(result)))
    sums = total(grad, (dim % result.ndim,)) if result.ndim else grad
    with by_rows(made):
        made *= sums
    return np.subtract(grad, made, out=made).astype(result.dtype, copy=False)


def logsumexp(a: Array, dim: tuple, keepdim: bool = False) -> Array:
    if a.dtype.kind not in "fc":
        a = a.astype(dtypes.get_default_dtype().numpy)
    dims = dims_of(dim, a.ndim)
    if dim == () and a.ndim and not keepdim and a.size:
        # PyTorch takes the empty tuple once for all dimensions and once for none.
        raise RuntimeError(f"output with shape [] doesn't match the broadcast shape {[1] * a.ndim}")
    wide = widened(a)
    if not a.size:
        result = np.log(np.add.reduce(wide, dims, keepdims=True))
    else:
        top = joined(np.maximum, wide.real if a.dtype.kind == "c" else wide, dims)
        top = np.where(np.abs(top) == INF, np.zeros((), top.dtype), top)
        result = np.log(total(np.exp(wide - top), dims)) + top
    result = row_major(np.asarray(result).astype(a.dtype, copy=False))
    return result if keepdim else result.reshape(without(a.shape, dims))


def without(shape: tuple, dims: tuple | None) -> tuple:
    """The shape that is left when dimensions are reduced."""
    return () if dims is None else tuple([n for i, n in enumerate(shape) if i not in dims])
