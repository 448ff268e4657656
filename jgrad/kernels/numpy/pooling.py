"""The kernels on NumPy arrays: pooling over sliding, adaptive and random windows. Part of `jgrad.kernels.numpy`.

The last `dims` dimensions are pooled. Indices of maxima count within them, as if they were one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from jgrad.kernels.numpy.convolution import padded, unpadded, window_places
from jgrad.kernels.numpy.shape import Array, in_channels_last, is_channels_last, keeping_format, scalar_name
from jgrad.kernels.numpy.values import any_or_unknown, refuse_outside
from jgrad.switches import refuse_if_deterministic

# Sliding windows: how many, and what PyTorch refuses ---------------------------------------------------------------------------


def pool_counts(
    sizes: tuple, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, ceil_mode: bool
) -> tuple:
    """How many windows there are along each dimension; with ceil_mode one may begin inside and end outside."""
    counts = []
    for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation, strict=True):
        count = (n + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
        if ceil_mode and (count - 1) * s >= n + p:
            count -= 1
        counts.append(count)
    return tuple(counts)


def pool_geometry(
    name: str,
    a: Array,
    dims: int,
    kernel: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    ceil_mode: bool,
) -> tuple:
    """Kernel, stride, padding, dilation, one for each dimension, and the number of windows."""
    words = ("one int", "two ints", "three ints")[dims - 1]
    may_omit = "omitted, a single int" if name == "avg_pool3d" else "either be omitted, a single int"
    either = "be a single int" if name == "avg_pool3d" else "either be a single int"
    given = {"kernel_size": kernel, "stride": stride or kernel, "padding": padding, "dilation": dilation}
    for what, values in given.items():
        if len(values) not in (1, dims):
            how = {"stride": f"must {may_omit}" if name != "avg_pool3d" else f"must be {may_omit}"}.get(
                what, f"must {either}"
            )
            if what == "dilation":
                how = "must be either a single int"
            raise RuntimeError(f"{name}: {what} {how}, or a tuple of {words}")
    kernel, stride, padding, dilation = (v * dims if len(v) == 1 else tuple(v) for v in given.values())
    if name == "avg_pool2d":
        if a.ndim < 3:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{a.ndim}, {a.ndim - 1}], but got -3)"
            )
    elif a.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input")
    check_windows_of_pool(kernel, stride, padding, dilation)
    check_pooled(name, a, dims)
    check_half(kernel, padding)
    counts = pool_counts(a.shape[-dims:], kernel, stride, padding, dilation, ceil_mode)
    if name == "avg_pool3d" and any([n < k for n, k in zip(a.shape[-3:], kernel, strict=True)]):
        raise RuntimeError(
            f"input image ({named_sizes('', a.shape[-3:])}) smaller than kernel size ({named_sizes('k', kernel)})"
        )
    if min(counts) < 1:
        channels = a.shape[-dims - 1]
        sizes = ["x".join(map(str, (channels, *s))) for s in (a.shape[-dims:], counts)]
        raise RuntimeError(
            f"Given input size: ({sizes[0]}). Calculated output size: ({sizes[1]}). Output size is too small"
        )
    return kernel, stride, padding, dilation, counts


def named_sizes(what: str, values: tuple) -> str:
    """kH: 2 kW: 3."""
    return " ".join([f"{what}{c}: {v}" for c, v in zip("THW"[3 - len(values) :], values, strict=True)])


def check_windows_of_pool(kernel: tuple, stride: tuple, padding: tuple, dilation: tuple) -> None:
    for k, s, p, d in zip(kernel, stride, padding, dilation, strict=True):
        if s == 0:
            raise RuntimeError("stride should not be zero")
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > int(((k - 1) * d + 1) / 2):
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )
    for what, letter, values in (
        ("kernel size", "k", kernel),
        ("stride", "d", stride),
        ("dilation", "dilation", dilation),
    ):
        if min(values) <= 0:
            raise RuntimeError(f"{what} should be greater than zero, but got {named_sizes(letter, values)}")


def check_half(kernel: tuple, padding: tuple) -> None:
    """Padding may not be more than half a window, whatever the dilation."""
    if any([k // 2 < p for k, p in zip(kernel, padding, strict=True)]):
        if len(kernel) == 2:
            (h, w), (top, left) = kernel, padding
            shown = f"padW = {left}, padH = {top}, kW = {w}, kH = {h}"
        else:
            (t, h, w), (front, top, left) = kernel, padding
            shown = f"kT: {t} kW: {w} kH: {h} padT: {front} padW: {left} padH: {top}"
        raise RuntimeError(f"pad should be smaller than or equal to half of kernel size, but got {shown}")


def check_pooled(name: str, a: Array, dims: int) -> None:
    """Only the batch may be empty."""
    if a.ndim <= dims + 2 and 0 not in a.shape[-dims - 1 :]:
        return
    if dims == 3:
        where = name + ("_with_indices_out_cpu_template" if name == "max_pool3d" else "")
        raise RuntimeError(
            f"{where}(): Expected input's non-batch dimensions to have positive length, but input has a shape of {list(a.shape)} "
            "and non-batch dimension 0 has length zero!"
        )
    raise RuntimeError(
        f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{list(a.shape)}"
    )


def refuse_kinds(name: str, a: Array, kinds: str) -> None:
    if a.dtype.kind in kinds:
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")


def behind(
    sizes: tuple, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple
) -> tuple:
    """How much padding the last windows need behind."""
    return tuple(
        [
            max((c - 1) * s + d * (k - 1) + 1 - n - p, 0)
            for n, k, s, p, d, c in zip(sizes, kernel, stride, padding, dilation, counts, strict=True)
        ]
    )


# The largest of each window ----------------------------------------------------------------------------------------------------


@keeping_format(0)
def max_pool2d_with_indices(
    a: Array,
    kernel_size: tuple,
    stride: tuple = (),
    padding: tuple = (0,),
    dilation: tuple = (1,),
    ceil_mode: bool = False,
) -> tuple[Array, Array]:
    geometry = pool_geometry("max_pool2d", a, 2, kernel_size, stride, padding, dilation, ceil_mode)
    refuse_kinds("max_pool2d", a, "bc")
    return window_maxima(a, *geometry)


@keeping_format(0)
def max_pool3d_with_indices(
    a: Array,
    kernel_size: tuple,
    stride: tuple = (),
    padding: tuple = (0,),
    dilation: tuple = (1,),
    ceil_mode: bool = False,
) -> tuple[Array, Array]:
    geometry = pool_geometry("max_pool3d", a, 3, kernel_size, stride, padding, dilation, ceil_mode)
    refuse_kinds("max_pool3d", a, "bc")
    return window_maxima(a, *geometry)


def max_pool1d_values(
    a: Array, kernel_size: tuple, stride: tuple, padding: tuple, dilation: tuple, ceil_mode: bool
) -> Array:
    """The maxima alone; geometry is checked by the caller."""
    refuse_kinds("max_pool1d_impl", a, "biuc")
    counts = pool_counts(a.shape[-1:], kernel_size, stride, padding, dilation, ceil_mode)
    wide = padded(a, padding, -np.inf, behind(a.shape[-1:], kernel_size, stride, padding, dilation, counts))
    places = [wide[elements] for _, elements in window_places(kernel_size, stride, dilation, counts)]
    values = np.maximum(places[0], places[min(1, len(places) - 1)])
    for here in places[2:]:
        np.maximum(values, here, out=values)
    return values


def window_maxima(
    a: Array, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple
) -> tuple[Array, Array]:
    """The largest element of each window, and where it is; the last NaN, if there is one."""
    dims = len(kernel)
    sizes = a.shape[-dims:]
    after = behind(sizes, kernel, stride, padding, dilation, counts)
    lowest = -np.inf if a.dtype.kind == "f" else np.iinfo(a.dtype).min
    wide = padded(a, padding, lowest, after)
    nan = a.dtype.kind == "f" and any_or_unknown(np.isnan(a))
    shape = a.shape[:-dims] + counts
    values = np.full(shape, lowest, a.dtype)
    # First the number of the place in the window, counted from 1, from which then follows the index.
    kind = next(k for k in (np.int8, np.int16, np.int64) if math.prod(kernel) <= np.iinfo(k).max)
    number = np.zeros(shape, kind)
    steps = [d * math.prod(sizes[i + 1 :]) for i, d in enumerate(dilation)]
    offsets = [0]
    for k, (place, elements) in enumerate(window_places(kernel, stride, dilation, counts), 1):
        here = wide[elements]
        better = here > values
        if nan:
            better |= here != here
        np.maximum(values, here, out=values)
        np.maximum(number, better.view(np.int8) * kind(k), out=number)
        offsets.append(sum([p * s for p, s in zip(place, steps, strict=True)]))
    starts = [np.arange(c) * s - p for c, s, p in zip(counts, stride, padding, strict=True)]
    indices = np.array(offsets, np.int64).take(number)
    indices += flat_index(starts, sizes)
    if any_or_unknown(number == 0):
        # A window of nothing but -inf has its maximum at its first element that is no padding.
        firsts = [np.where(s < 0, s + d * -(s // d), s) for s, d in zip(starts, dilation, strict=True)]
        np.copyto(indices, flat_index(firsts, sizes), where=number == 0)
    return values, indices


def flat_index(places: list[Array], sizes: tuple) -> Array:
    """The index of all combinations of places in several dimensions, as if these were one."""
    r = np.zeros((), np.int64)
    for p, n in zip(places, sizes, strict=True):
        r = r[..., None] * n + p
    return r


def max_pool_backward(grad: Array, a: Array, indices: Array, dims: int) -> Array:
    """Every gradient to the element that was the largest."""
    refuse_empty_gradient(f"adaptive_max_pool{dims}d_backward", grad)
    lead, plane = grad.shape[:-dims], math.prod(a.shape[-dims:])
    rows = math.prod(lead)
    count = math.prod(grad.shape[-dims:])
    kind = np.float32 if grad.dtype == np.float16 else grad.dtype
    result = np.zeros(lead + a.shape[-dims:], kind)
    if grad.size:
        flat = indices.reshape(rows, count) + np.arange(0, rows * plane, plane)[:, None]
        np.add.at(result.reshape(-1), flat.ravel(), grad.ravel().astype(kind, copy=False))
    return result.astype(grad.dtype, copy=False)


def adaptive_max_pool_backward(grad: Array, a: Array, indices: Array, dims: int) -> Array:
    return max_pool_backward(grad, a, indices, dims)


def fractional_max_pool_backward(grad: Array, a: Array, indices: Array, dims: int) -> Array:
    return max_pool_backward(grad, a, indices, dims)


def max_pool_gather(a: Array, indices: Array, dims: int) -> Array:
    """The elements at these places."""
    lead = a.shape[:-dims]
    rows = math.prod(lead)
    if not indices.size:
        return np.zeros(indices.shape, a.dtype)
    flat = a.reshape(rows, math.prod(a.shape[-dims:]))
    return np.take_along_axis(flat, indices.reshape(rows, -1), 1).reshape(indices.shape)


# The mean of each window -------------------------------------------------------------------------------------------------------


@keeping_format(0)
def avg_pool2d(
    a: Array,
    kernel_size: tuple,
    stride: tuple = (),
    padding: tuple = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Array:
    geometry = pool_geometry("avg_pool2d", a, 2, kernel_size, stride, padding, (1,), ceil_mode)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    refuse_kinds("avg_pool2d", a, "bc")
    if a.dtype.kind in "iu" and a.dtype != np.int64:
        raise NotImplementedError(f"\"avg_pool2d\" not implemented for '{scalar_name(a)}'")
    return window_means(a, geometry, count_include_pad, divisor_override)


def avg_pool3d(
    a: Array,
    kernel_size: tuple,
    stride: tuple = (),
    padding: tuple = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Array:
    geometry = pool_geometry("avg_pool3d", a, 3, kernel_size, stride, padding, (1,), ceil_mode)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    refuse_kinds("avg_pool3d_out_frame", a, "bc")
    if a.dtype not in (np.float32, np.float64, np.int64):
        raise NotImplementedError(f"\"avg_pool3d_out_frame\" not implemented for '{scalar_name(a)}'")
    return window_means(a, geometry, count_include_pad, divisor_override)


def window_means(a: Array, geometry: tuple, count_include_pad: bool, divisor: int | None) -> Array:
    kernel, stride, padding, dilation, counts = geometry
    sizes = a.shape[-len(kernel) :]
    after = behind(sizes, kernel, stride, padding, dilation, counts)
    kind = np.dtype(np.float32) if a.dtype == np.float16 else a.dtype
    wide = padded(a.astype(kind, copy=False), padding, 0, after)
    r = np.zeros(a.shape[: -len(kernel)] + counts, kind)
    for _, elements in window_places(kernel, stride, dilation, counts):
        r += wide[elements]
    by = window_divisors(sizes, geometry, count_include_pad, divisor, kind)
    if kind.kind in "iu":
        return (np.sign(r) * np.sign(by) * (np.abs(r) // np.abs(by))).astype(kind)
    r /= by
    return r.astype(a.dtype, copy=False)


def avg_pool_backward(
    grad: Array,
    a: Array,
    kernel_size: tuple,
    stride: tuple,
    padding: tuple,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
    dims: int,
) -> Array:
    """Every gradient in equal parts to the elements of its window."""
    geometry = pool_geometry(f"avg_pool{dims}d", a, dims, kernel_size, stride, padding, (1,), ceil_mode)
    kernel, stride, padding, dilation, counts = geometry
    sizes = a.shape[-dims:]
    after = behind(sizes, kernel, stride, padding, dilation, counts)
    kind = np.dtype(np.float32) if grad.dtype == np.float16 else grad.dtype
    parts = grad.astype(kind, copy=False) / window_divisors(
        sizes, geometry, count_include_pad, divisor_override, kind
    )
    shape = [n + b + e for n, b, e in zip(sizes, padding, after, strict=True)]
    r = np.zeros((*a.shape[:-dims], *shape), kind)
    for _, elements in window_places(kernel, stride, dilation, counts):
        r[elements] += parts
    r = r[unpadded(padding, sizes)]
    return np.array(r, grad.dtype, order="C", copy=None)


def window_divisors(
    sizes: tuple, geometry: tuple, count_include_pad: bool, divisor: int | None, kind: np.dtype
) -> Any:
    """By what the sum of each window is divided; elements behind the padding never count."""
    kernel, stride, padding, _, counts = geometry
    if divisor is not None:
        return np.asarray(divisor, kind)
    r: Any = np.ones((), kind)
    for n, k, s, p, c in zip(sizes, kernel, stride, padding, counts, strict=True):
        starts = np.arange(c) * s - p
        ends = np.minimum(starts + k, n + p)
        if not count_include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, n)
        r = r[..., None] * np.maximum(ends - starts, 1).astype(kind)
    return r


# Adaptive windows: as many as are asked for, of nearly equal size --------------------------------------------------------------


FEW_WINDOWS = 64  # up to which they are taken one by one


def adaptive_bounds(size: int, count: int, number: Any) -> tuple[Any, Any]:
    """The first place of window `number` (one of `count` windows over `size` places, or an array of them), and the first one behind it.

    Place i is in the windows from `adaptive_bounds(count, size, i)[0]` up to `[1]`.
    """
    return number * size // count, -((-(number + 1) * size) // count)


def one_by_one(size: int, count: int) -> Iterator[tuple[int, slice]] | None:
    """Each window with its number if they are few beside their places; else None: then `in_steps` has them."""
    if count > max(FEW_WINDOWS, size // max(count, 1)):
        return None
    return ((i, slice(*adaptive_bounds(size, count, i))) for i in range(count))


def in_steps(size: int, count: int, behind: int) -> Iterator[tuple[Array, Array]]:
    """A place of each window, and whether it still is in the window: first the first places, then the second ones. `behind`: dimensions that follow."""
    starts, ends = adaptive_bounds(size, count, np.arange(count))
    for k in range(size // count + 2):
        places = starts + k
        yield np.minimum(places, size - 1), (places < ends).reshape((-1,) + (1,) * behind)


def window_sums(a: Array, dim: int, count: int) -> Array:
    """The sums of the windows along a dimension."""
    size, behind = a.shape[dim], a.ndim - 1 - dim
    total = np.zeros((*a.shape[:dim], count, *a.shape[dim + 1 :]), a.dtype)
    before: tuple[Any, ...] = (slice(None),) * dim
    if (windows := one_by_one(size, count)) is not None:
        for j, window in windows:
            np.add.reduce(a[(*before, window)], dim, out=total[(*before, j)])
        return total
    for places, inside in in_steps(size, count, behind):
        total += np.where(inside, a[(*before, places)], 0)
    return total


def window_lengths(size: int, count: int, dtype: np.dtype) -> Array:
    starts, ends = adaptive_bounds(size, count, np.arange(count))
    return (ends - starts).astype(dtype)


def largest_of_windows(a: Array, found: Array | None, dim: int, count: int) -> tuple[Array, Array]:
    """The largest elements of the windows along a dimension, and where they are: as `found` counts it for each element, or along this dimension. Of
    equal ones the first, of NaN the last."""
    size, behind = a.shape[dim], a.ndim - 1 - dim
    before: tuple[Any, ...] = (slice(None),) * dim
    if found is None:
        found = np.broadcast_to(np.arange(size).reshape((-1,) + (1,) * behind), a.shape)
    shape = (*a.shape[:dim], count, *a.shape[dim + 1 :])
    if (windows := one_by_one(size, count)) is not None:
        values, indices = np.empty(shape, a.dtype), np.empty(shape, np.int64)
        for j, window in windows:
            rows = a[(*before, window)]
            largest = np.expand_dims(last_largest_nan(np.moveaxis(rows, dim, -1)), dim)
            here = (*before, slice(j, j + 1))
            values[here] = np.take_along_axis(rows, largest, dim)
            indices[here] = np.take_along_axis(found[(*before, window)], largest, dim)
        return values, indices
    steps = in_steps(size, count, behind)
    places, _ = next(steps)
    values, indices = a[(*before, places)], found[(*before, places)]
    for places, inside in steps:
        others = a[(*before, places)]
        larger = inside & ((others > values) | np.isnan(others))
        values, indices = (
            np.where(larger, others, values),
            np.where(larger, found[(*before, places)], indices),
        )
    return values, indices


def check_adaptive(name: str, a: Array, dims: int, output_size: tuple, channels_too: bool) -> None:
    """What adaptive pooling refuses."""
    if a.ndim not in (dims + 1, dims + 2):
        colon = ":" if "max" in name else ""
        raise RuntimeError(
            f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got{colon} {list(a.shape)}"
        )
    for i in range(1 if channels_too else a.ndim - dims, a.ndim):
        if a.shape[i] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, "
                f"but input has sizes {list(a.shape)} with dimension {i} being empty"
            )


def refuse_empty_gradient(name: str, grad: Array) -> None:
    for i in range(1, grad.ndim):
        if grad.shape[i] == 0:
            raise RuntimeError(
                f"{name}(): Expected grad_output to have non-zero size for non-batch dimensions, "
                f"but grad_output has sizes {list(grad.shape)} with dimension {i} being empty"
            )


def adaptive_avg_pool(a: Array, output_size: tuple, dims: int) -> Array:
    name = f"adaptive_avg_pool{dims}d"
    check_adaptive(name, a, dims, output_size, dims == 3)
    if dims == 3 or (a.size and 0 not in output_size):
        refuse_kinds(name + ("_cpu" if dims == 3 else ""), a, "biuc")
    r = a.astype(np.float32) if a.dtype == np.float16 else a
    divisors: Any = np.ones((), r.dtype)
    for i, count in enumerate(output_size):
        dim = a.ndim - dims + i
        r = window_sums(r, dim, count)
        divisors = divisors[..., None] * window_lengths(a.shape[dim], count, r.dtype)
    result = np.ascontiguousarray((r / divisors).astype(a.dtype, copy=False))
    return in_channels_last(result) if dims == 2 and is_channels_last(a) else result


def adaptive_avg_pool_backward(grad: Array, a: Array, dims: int) -> Array:
    """Every gradient in equal parts to the elements of its window."""
    refuse_empty_gradient(f"adaptive_avg_pool{dims}d_backward", grad)
    r = grad.astype(np.float32) if grad.dtype == np.float16 else grad
    for i in reversed(range(dims)):  # lines are short while there are few of them
        dim = a.ndim - dims + i
        lengths = window_lengths(a.shape[dim], r.shape[dim], r.dtype).reshape(
            (-1,) + (1,) * (a.ndim - 1 - dim)
        )
        r = window_sums(r / lengths, dim, a.shape[dim])
    return r.astype(grad.dtype, copy=False)


@keeping_format(0)
def adaptive_max_pool2d(a: Array, output_size: tuple) -> tuple[Array, Array]:
    return adaptive_maxima(a, output_size, 2)


def adaptive_max_pool3d(a: Array, output_size: tuple) -> tuple[Array, Array]:
    return adaptive_maxima(a, output_size, 3)


def adaptive_maxima(a: Array, output_size: tuple, dims: int) -> tuple[Array, Array]:
    name = f"adaptive_max_pool{dims}d"
    check_adaptive(name, a, dims, output_size, True)
    if len(output_size) != dims:
        raise RuntimeError(f"{name}(): internal error: output_size.size() must be {dims}")
    lead = a.shape[:-dims]
    if min(output_size) < 0:
        shape = list(lead + tuple(output_size))
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(output_size)}: {shape}")
    refuse_kinds(name + ("_cpu" if dims == 3 else ""), a, "biuc")
    values, indices = a, None
    for i in reversed(range(dims)):
        dim = a.ndim - dims + i
        if indices is not None:  # from places in the dimensions behind to places in this one and those
            rows = np.arange(a.shape[dim]).reshape((-1,) + (1,) * (dims - 1 - i))
            indices = rows * math.prod(a.shape[dim + 1 :]) + indices
        values, indices = largest_of_windows(values, indices, dim, output_size[i])
    return np.ascontiguousarray(values), np.ascontiguousarray(indices)


def last_largest_nan(rows: Array) -> Array:
    """Where the largest element of each row is; PyTorch's pooling finds the last NaN, NumPy the first."""
    largest = np.argmax(rows, -1)
    nan = np.isnan(rows)
    if any_or_unknown(nan):
        last = rows.shape[-1] - 1 - np.argmax(nan[..., ::-1], -1)
        largest = np.where(nan.any(-1), last, largest)
    return largest


def avg_pool(a: Array, *arguments: Any) -> Array:
    """The mean of each window, in as many dimensions as the last argument says."""
    return (avg_pool2d, avg_pool3d)[arguments[-1] - 2](a, *arguments[:-1])


# Random windows ----------------------------------------------------------------------------------------------------------------


def fractional_max_pool2d(
    a: Array, kernel_size: tuple, output_size: tuple, random_samples: Array
) -> tuple[Array, Array]:
    # In two dimensions PyTorch takes the random numbers in the other order.
    return fractional_maxima(a, kernel_size, output_size, random_samples[..., ::-1], 2)


def fractional_max_pool3d(
    a: Array, kernel_size: tuple, output_size: tuple, random_samples: Array
) -> tuple[Array, Array]:
    return fractional_maxima(a, kernel_size, output_size, random_samples, 3)


def fractional_maxima(
    a: Array, kernel: tuple, counts: tuple, samples: Array, dims: int
) -> tuple[Array, Array]:
    """The maxima of windows that begin at random places, about equally far apart."""
    kernel, counts = (
        kernel * dims if len(kernel) == 1 else kernel,
        counts * dims if len(counts) == 1 else counts,
    )
    check_fractional(a, kernel, counts, samples, dims)
    sizes, lead = a.shape[-dims:], a.shape[:-dims]
    rows, length, window = math.prod(lead), math.prod(counts), math.prod(kernel)
    index = np.zeros((rows, 1, 1), np.int64)  # of every element of every window, in the plane
    for i in range(dims):
        starts = random_starts(samples.reshape(rows, dims)[:, i], sizes[i], counts[i], kernel[i])
        places = starts[:, :, None] + np.arange(kernel[i])
        before = index.shape[1:]
        index = index[:, :, None, :, None] * sizes[i] + places[:, None, :, None, :]
        index = index.reshape(rows, before[0] * counts[i], before[1] * kernel[i])
    planes, flat = a.reshape(rows, math.prod(sizes)), index.reshape(rows, length * window)
    values = np.take_along_axis(planes, flat, 1).reshape(rows, length, window)
    largest = last_largest_nan(values)[..., None]
    shape = lead + tuple(counts)
    return (
        np.take_along_axis(values, largest, 2).reshape(shape),
        np.take_along_axis(index, largest, 2).reshape(shape),
    )


def random_starts(samples: Array, size: int, count: int, kernel: int) -> Array:
    """Where the windows of each row begin; the last one ends with the row."""
    starts = np.empty((len(samples), count), np.int64)
    if count > 1:
        step = samples.dtype.type(size - kernel) / samples.dtype.type(count - 1)
        places = (np.arange(count - 1).astype(samples.dtype) + samples[:, None]) * step
        starts[:, :-1] = places.astype(np.int64) - (samples[:, None] * step).astype(np.int64)
    if count:
        starts[:, -1] = size - kernel
    return starts


def check_fractional(a: Array, kernel: tuple, counts: tuple, samples: Array, dims: int) -> None:
    name = f"fractional_max_pool{dims}d"
    refuse_kinds(f"{name}_out_frame", a, "biuc")
    if len(kernel) != dims:
        words = {2: "two", 3: "three"}[dims]
        raise RuntimeError(f"{name}: kernel_size must either be a single Int or tuple of {words} Ints")
    if len(counts) != dims:
        words = {2: "two", 3: "three"}[dims]
        raise RuntimeError(f"{name}: output_size must either be a single Int or tuple of {words} Ints")
    if a.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(a.shape)}")
    if 0 in a.shape[1:]:
        raise RuntimeError(
            f"{name if dims == 2 else f'{name}_out'}(): Expected input to have non-zero size for non-batch dimensions, but got{list(a.shape)} "
            f"with dimension {a.shape.index(0, 1)} being empty."
        )
    letters = {2: ("height", "width"), 3: ("time", "height", "width")}[dims]
    for letter, n, k, c in zip(letters, a.shape[-dims:], kernel, counts, strict=True):
        if c + k - 1 > n:
            which = {"height": "H", "width": "W", "time": "T"}[letter]
            raise RuntimeError(
                f"{name}(): pool {letter} {k} too large relative to input {letter} {n}"
                if dims == 2
                else f"fractional_max_pool3d_out(): pool {which} {k} too large relative to input {which} {n}"
            )


# Back to where the maxima were -------------------------------------------------------------------------------------------------


@keeping_format(0)
def max_unpool2d(a: Array, indices: Array, output_size: tuple) -> Array:
    if len(output_size) != 2:
        raise RuntimeError(
            f"There should be exactly two elements (height, width) in output_size, but got {len(output_size)} elements."
        )
    return unpooled(a, indices, output_size)


def max_unpool3d(a: Array, indices: Array, output_size: tuple, stride: tuple, padding: tuple) -> Array:
    if min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    return unpooled(a, indices, output_size)


def unpooled(a: Array, indices: Array, output_size: tuple) -> Array:
    """Zeros, but for these elements at these places."""
    dims = len(output_size)
    name = f"max_unpooling{dims}d"
    refuse_if_deterministic(f"{name}_forward_out")
    if indices.dtype != np.int64:
        but = f" but got: {scalar_name(indices)}" if dims == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{but}")
    if a.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Input to {name} should be a {dims + 1}d or {dims + 2}d Tensor, but got a tensor with {a.ndim} dimensions."
        )
    if a.shape != indices.shape:
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({list(a.shape)}) "
            f"but got indices tensor with shape: {list(indices.shape)}"
        )
    for i in range(1, a.ndim):
        if a.shape[i] == 0:
            raise RuntimeError(
                f"{name}_forward_out_cpu(): Expected input to have non-zero size for non-batch dimensions, "
                f"but got {list(a.shape)} with dimension {i} being empty."
            )
    refuse_kinds(f"max_unpool{dims}d", a, "biuc")
    lead, plane = a.shape[:-dims], math.prod(output_size)

    def error() -> Exception:
        wrong = indices[(indices < 0) | (indices >= plane)][0].item()
        size = "x".join(map(str, output_size))
        return RuntimeError(f"Found an invalid max index: {wrong} (output volumes are of size {size})")

    refuse_outside(indices, 0, plane, error)
    rows = math.prod(lead)
    r = np.zeros((rows, plane), a.dtype)
    if rows:
        np.put_along_axis(r, indices.reshape(rows, -1), a.reshape(rows, -1), 1)
    return r.reshape(lead + tuple(output_size))
