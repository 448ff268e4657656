"""The kernels on NumPy arrays: variances, norms, medians and modes. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numpy.blocks import WIDE, by_rows
from jgrad.kernels.numpy.pointwise import abs as size_of
from jgrad.kernels.numpy.pointwise import sub
from jgrad.kernels.numpy.reduction import (
    INF,
    NAN,
    amax,
    amin,
    chosen,
    count_of,
    dims_of,
    kept,
    reduced,
    refuse_complex,
    refuse_empty,
    row_major,
    total,
    widened,
    without,
)
from jgrad.kernels.numpy.shape import Array, refuse_bool, scalar_name, wrap_dim
from jgrad.kernels.numpy.values import any_or_unknown

# Variance -----------------------------------------------------------------------------------------------------------------------


def var(a: Array, dim: tuple | None = None, correction: Any = None, keepdim: bool = False) -> Array:
    variance, _ = moments("var", a, dim, correction, keepdim)
    return variance.astype(a.real.dtype, copy=False)


def std(a: Array, dim: tuple | None = None, correction: Any = None, keepdim: bool = False) -> Array:
    variance, _ = moments("std", a, dim, correction, keepdim)
    return np.sqrt(variance).astype(a.real.dtype, copy=False)


def var_mean(
    a: Array, dim: tuple | None = None, correction: Any = None, keepdim: bool = False
) -> tuple[Array, Array]:
    variance, mean = moments("var_mean", a, dim, correction, keepdim)
    mean = running_mean(a, dim, mean)
    return variance.astype(a.real.dtype, copy=False), mean.astype(a.dtype, copy=False)


def std_mean(
    a: Array, dim: tuple | None = None, correction: Any = None, keepdim: bool = False
) -> tuple[Array, Array]:
    variance, mean = moments("std_mean", a, dim, correction, keepdim)
    mean = running_mean(a, dim, mean)
    return np.sqrt(variance).astype(a.real.dtype, copy=False), mean.astype(a.dtype, copy=False)


def moments(name: str, a: Array, dim: tuple | None, correction: Any, keepdim: bool) -> tuple[Array, Array]:
    """Variance and mean: the squares of what is left when the mean is subtracted are summed, which no large mean can spoil."""
    if a.dtype.kind not in "fc":
        who = name if name.endswith("mean") else "std and var"
        raise RuntimeError(f"{who} only support floating point and complex dtypes")
    dims = dims_of(dim, a.ndim)
    wide = widened(a)
    mean = total(wide, dims)
    n = a.size // mean.size if mean.size else count_of(a.shape, dim)
    mean /= n
    free = n - (1 if correction is None else correction)
    if free <= 0 or not mean.size:
        warn_of_freedom(name, n if mean.size else 0, free - n)
    variance = sum_of_squares(wide, mean, dims)
    variance /= free if free > 0 else 0
    if not n:  # of nothing: nan without a sign, where 0 / 0 has one
        variance.fill(np.nan)
        mean.fill(complex(np.nan, np.nan) if mean.dtype.kind == "c" else np.nan)
    if keepdim:
        return row_major(variance), row_major(mean)
    shape = without(a.shape, dims)
    return row_major(variance.reshape(shape)), row_major(mean.reshape(shape))


def running_mean(a: Array, dim: tuple | None, mean: Array) -> Array:
    """PyTorch's mean runs on from element to element, so it is nan once an infinite one is followed by another."""
    infinite = np.isinf(mean)
    if mean.dtype.kind == "c" or not a.size or not any_or_unknown(infinite):
        return mean
    dims = dims_of(dim, a.ndim)
    reduced = range(a.ndim) if dims is None else dims
    last = a[tuple([-1 if d in reduced else slice(None) for d in range(a.ndim)])]
    before = np.add.reduce(np.isinf(a), dims) > np.isinf(last)
    return np.where(infinite & before.reshape(mean.shape), NAN, mean)


def warn_of_freedom(name: str, n: int, lost: Any) -> None:
    if n + lost <= 0:
        warn.say(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by "
            "output numel).",
        )


def sum_of_squares(a: Array, mean: Array, dims: tuple | None) -> Array:
    """The sum over `dims`, which are kept, of the squared distances from the mean."""
    if dims is not None and a.size > 1 << 16 and a.dtype.kind == "f" and a.flags.c_contiguous:
        # As a matrix, if these are the first dimensions or the last.
        n = len(dims)
        if sorted(dims) == list(range(n)):
            matrix = a.reshape(math.prod(a.shape[:n]), -1)
            return squares_by_columns(matrix, mean.reshape(1, -1)).reshape(mean.shape)
        if sorted(dims) == list(range(a.ndim - n, a.ndim)):
            matrix = a.reshape(-1, math.prod(a.shape[-n:]))
            if matrix.shape[1] <= CACHED // 4:
                return squares_by_rows(matrix, mean.reshape(-1, 1)).reshape(mean.shape)
    centred = np.asarray(np.subtract(a, mean))
    if a.dtype.kind == "c":
        return total(np.square(centred.real) + np.square(centred.imag), dims)
    return total(np.square(centred, out=centred), dims)


CACHED = 1 << 17  # elements at a time, so that intermediate arrays stay in the cache


def squares_by_rows(a: Array, mean: Array) -> Array:
    rows, n = a.shape
    if n <= 8:
        result = np.square(a[:, :1] - mean)
        for i in range(1, n):
            distance = a[:, i : i + 1] - mean
            result += np.square(distance, out=distance)
        return result
    count = max(1, CACHED // n)
    space, result = np.empty((count, n), a.dtype), np.empty((rows, 1), a.dtype)
    with by_rows(a):
        for start in range(0, rows, count):
            part = a[start : start + count]
            centred = np.subtract(part, mean[start : start + count], out=space[: len(part)])
            result[start : start + count] = total(np.square(centred, out=centred), (1,))
    return result


def squares_by_columns(a: Array, mean: Array) -> Array:
    rows, n = a.shape
    side = WIDE // n
    if side > 1 and rows > side:  # several rows of a narrow matrix side by side
        whole = rows // side * side
        wide = squares_by_columns(a[:whole].reshape(-1, side * n), np.tile(mean, side))
        result = total(wide.reshape(side, n), (0,))
        return result if whole == rows else result + total(np.square(a[whole:] - mean), (0,))
    count = max(1, CACHED // n)
    space, parts = np.empty((count, n), a.dtype), []
    with by_rows(a):
        for start in range(0, rows, count):
            part = a[start : start + count]
            centred = np.subtract(part, mean, out=space[: len(part)])
            parts.append(total(np.square(centred, out=centred), (0,))[0])
    return total(np.array(parts), (0,))


def var_backward(grad: Array, a: Array, dim: tuple | None, correction: Any, keepdim: bool) -> Array:
    """2 / (n - correction) * (self - mean), infinite or nan where PyTorch has it so; of float16 each step is rounded, as there."""
    n = count_of(a.shape, dim)
    mean = total(widened(a), dims_of(dim, a.ndim))
    mean /= n
    with by_rows(a):
        centred = np.asarray(np.subtract(a, mean.astype(a.dtype, copy=False)))
    grad = np.asarray(grad).reshape(mean.shape)
    free = n - (1 if correction is None else correction)
    if free <= 0 and (dim is None or not a.ndim):
        return (grad * np.where(centred == 0, NAN, INF)).astype(a.dtype, copy=False)
    factor = (widened(grad) * (2 / free if free else INF)).astype(grad.dtype, copy=False)
    with by_rows(centred):
        return np.multiply(centred, factor, out=centred)


def std_backward(
    grad: Array, a: Array, result: Array, dim: tuple | None, correction: Any, keepdim: bool
) -> Array:
    """As if the root had no infinite slope at zero."""
    slope = np.where(result == 0, np.zeros((), result.dtype), grad / (result * 2))
    return var_backward(slope, a, dim, correction, keepdim)


# Norms --------------------------------------------------------------------------------------------------------------------------


def vector_norm(a: Array, ord: Any = 2, dim: tuple | None = None, keepdim: bool = False) -> Array:
    dims = dims_of(dim, a.ndim)
    if not a.size and (ord < 0 or ord == INF):
        refuse_empty_norm(a, ord, dim)
    if ord == 2:
        return euclidean_norm(a, dims, keepdim)
    size = size_of(widened(a))
    if ord == INF or ord == -INF:
        size = np.asarray(size)
        return (amax if ord > 0 else amin)(size, () if dims is None else dims, keepdim).astype(
            a.real.dtype, copy=False
        )
    if ord == 0:
        result: Any = reduced(np.asarray(size != 0).astype(size.dtype), dim, keepdim)
    elif ord == 1:
        result = reduced(np.asarray(size), dim, keepdim)
    else:
        result = np.power(reduced(np.asarray(np.power(size, ord)), dim, keepdim), 1 / ord)
    return np.asarray(result).astype(a.real.dtype, copy=False)


def frobenius_norm(a: Array, dim: tuple, keepdim: bool = False) -> Array:
    if len(dim) > 2:
        raise RuntimeError(f"Expected at most 2 dimensions, but got {len(dim)} dimensions instead.")
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            f"norm(): input dtype should be either floating point or complex. Got {scalar_name(a)} instead."
        )
    return vector_norm(a, 2, dim, keepdim)


def euclidean_norm(a: Array, dims: tuple | None, keepdim: bool) -> Array:
    wide = widened(a)
    if a.dtype.kind == "c":
        squared = total(np.square(wide.real) + np.square(wide.imag), dims)
    elif dims is None and a.flags.c_contiguous and a.size >= 512:
        # Sums of 256 squares, which are then added pairwise: as exact as all squares, without the memory for them.
        flat = wide.reshape(-1)
        whole = a.size // 256 * 256
        rows, rest = flat[:whole].reshape(-1, 256), flat[whole:]
        squared = np.add.reduce(np.einsum("ij,ij->i", rows, rows)) + np.add.reduce(np.square(rest))
        squared = kept(squared, a, None)
    else:
        squared = total(np.square(wide), dims)
    result = np.sqrt(squared).astype(a.real.dtype, copy=False)
    result = row_major(result)
    return result if keepdim else result.reshape(without(a.shape, dims))


def refuse_empty_norm(a: Array, ord: Any, dim: tuple | None) -> None:
    """The largest or smallest of nothing does not exist."""
    shown = "inf" if ord == INF else "-inf" if ord == -INF else f"{ord:g}"
    if not dim:
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {shown} norm on an empty tensor because the operation does not have an identity"
        )
    for d in dim if a.ndim else ():
        if not a.shape[d]:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {shown} norm on the dimension {d}because this dimension is empty and the "
                "operation does not have an identity"
            )


def dist(a: Array, b: Array, p: Any = 2) -> Array:
    difference = np.asarray(sub(a, b))
    if difference.dtype.kind in "iu":
        raise RuntimeError(
            f"norm(): input dtype should be either floating point or complex. Got {scalar_name(difference)} instead."
        )
    return vector_norm(difference, p)


# Median and mode ----------------------------------------------------------------------------------------------------------------


def median(a: Array, dim: int | None = None, keepdim: bool = False) -> Any:
    return middle("median", a, dim, keepdim, skips_nan=False)


def nanmedian(a: Array, dim: int | None = None, keepdim: bool = False) -> Any:
    return middle("nanmedian", a, dim, keepdim, skips_nan=True)


def middle(name: str, a: Array, dim: int | None, keepdim: bool, skips_nan: bool) -> Any:
    """The lower of the two middle elements: of all, or along a dimension with its index."""
    if dim is None:
        if a.size:
            refuse_bool("median_cpu", a)
            refuse_complex("median_cpu", a)
        return middle_of_all(a.reshape(-1), skips_nan)
    d = wrap_dim(dim, a.ndim)
    refuse_empty("median", a, d)
    refuse_bool("median_out", a)
    refuse_complex("median_out", a)
    if not a.ndim:
        return a.copy(), np.zeros((), np.int64)
    rows = np.moveaxis(a, d, -1)
    n = rows.shape[-1]
    bad = np.isnan(rows) if a.dtype.kind == "f" else None
    if bad is None or not any_or_unknown(bad):
        place: Any = (n - 1) // 2
        indices = index_of_rank(rows, np.partition(rows, place, -1)[..., place, None], place)
    elif skips_nan:
        place = (np.maximum(n - np.add.reduce(bad, -1, keepdims=True), 1) - 1) // 2
        indices = index_of_rank(rows, np.take_along_axis(np.sort(rows, -1), place, -1), place)
    else:
        place = (n - 1) // 2
        indices = index_of_rank(rows, np.partition(rows, place, -1)[..., place, None], place)
        indices = np.where(bad.any(-1), bad.argmax(-1), indices)
    return chosen(a, row_major(indices), d, keepdim)


def index_of_rank(rows: Array, value: Array, place: Any) -> Array:
    """Where the element stands that a stable sort of each row would bring to `place`, given its value."""
    same = rows == value
    indices = np.asarray(same.argmax(-1), np.int64)
    before = np.broadcast_to(place - np.add.reduce(rows < value, -1, keepdims=True), value.shape)[..., 0]
    if any_or_unknown(before > 0):  # the first of several equal ones is not the one
        ties = before > 0
        indices[ties] = (np.cumsum(same[ties], -1) > before[ties, None]).argmax(-1)
    return indices


def middle_of_all(flat: Array, skips_nan: bool) -> Array:
    if flat.dtype.kind == "f":
        bad = np.isnan(flat)
        if bad.any():
            if not skips_nan:
                return np.asarray(NAN, flat.dtype)
            flat = flat[~bad]
    if not flat.size:
        if flat.dtype.kind in "iu":
            return np.asarray(np.iinfo(flat.dtype).min, flat.dtype)
        return np.asarray(NAN, flat.dtype)  # (of bools True)
    place = (flat.size - 1) // 2
    return np.asarray(np.partition(flat, place)[place])


def mode(a: Array, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    """The most frequent element along a dimension, the smallest of several, and a place where it stands.

    PyTorch sorts, by C++'s std::sort, and takes the place of the last of the equal ones. Up to 16 elements that is the last in the row.
    """
    d = wrap_dim(dim, a.ndim)
    refuse_empty("mode", a, d)
    if not a.ndim:
        return a.copy(), np.zeros((), np.int64)
    if a.size:
        refuse_complex("mode_cpu", a)
    rows = np.moveaxis(a, d, -1)
    n = rows.shape[-1]
    ranked = np.sort(rows, -1)
    # How many equal elements stand up to here in the sorted row: the position, counted from where the run began.
    places = np.broadcast_to(np.arange(n), rows.shape)
    begins = np.concatenate([np.ones((*rows.shape[:-1], 1), bool), ranked[..., 1:] != ranked[..., :-1]], -1)
    run = places - np.maximum.accumulate(np.where(begins, places, 0), -1)
    value = np.take_along_axis(ranked, run.argmax(-1)[..., None], -1)
    indices = np.asarray(n - 1 - (rows == value)[..., ::-1].argmax(-1), np.int64)
    if n > 16:
        in_pytorchs_places(indices, rows, value, run)
    return chosen(a, row_major(indices), d, keepdim)


def in_pytorchs_places(indices: Array, rows: Array, value: Array, run: Array) -> None:
    """Put for each row in which some element comes twice the place of the one that PyTorch finds."""
    for place in np.argwhere(run.max(-1) > 0):
        row, sought = rows[tuple(place)], value[tuple(place)][0]
        order = unstable_order(row)
        indices[tuple(place)] = order[np.flatnonzero(row[order] == sought)[-1]]


def unstable_order(row: Array) -> Array:
    """The order in which C++'s std::sort leaves the elements before it ends with insertion, which keeps equal ones in order.

    It divides a range at the median of its second, middle and last element, swapping from both ends, until 16 elements or fewer are left.
    """
    order, values = np.arange(len(row)), row.copy()
    ranges = [(0, len(row))]
    while ranges:
        first, last = ranges.pop()
        if last - first <= 16:
            continue
        x, y, z = (first + 1, (first + last) // 2, last - 1)
        if values[x] < values[y]:
            middle = y if values[y] < values[z] else z if values[x] < values[z] else x
        else:
            middle = x if values[x] < values[z] else z if values[y] < values[z] else y
        swap(order, values, np.array([first]), np.array([middle]))
        rest = values[first + 1 : last]
        upward = np.flatnonzero(~(rest < values[first])) + first + 1
        downward = np.flatnonzero(~(values[first] < rest))[::-1] + first + 1
        both = min(len(upward), len(downward))
        crossed = np.flatnonzero(upward[:both] >= downward[:both])
        count = crossed[0] if len(crossed) else both
        swap(order, values, upward[:count], downward[:count])
        # It ends where the way up meets what it has to swap next, or what the way down left there.
        cut = min([*upward[count : count + 1], *downward[max(count - 1, 0) : count]])
        ranges += [(first, cut), (cut, last)]
    return order


def swap(order: Array, values: Array, here: Array, there: Array) -> None:
    for a in (order, values):
        a[here], a[there] = a[there], a[here]
