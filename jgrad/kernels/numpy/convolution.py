"""The kernels on NumPy arrays: convolutions and sliding windows. Part of `jgrad.kernels.numpy`.

All of them come from two: `columns` copies every window out (one strided copy per place in the window, which is faster than NumPy's sliding
views), and `from_columns` adds windows back. A convolution is then one product of matrices per image.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, can_cast
from jgrad.kernels.numpy.shape import Array, c_name, full_type_name, keeping_format, over, scalar_name
from jgrad.kernels.numpy.values import CHECKED

# Windows -----------------------------------------------------------------------------------------------------------------------


def window_count(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many windows fit along a dimension."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def window_counts(sizes: tuple, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple) -> tuple:
    """How many windows fit along each dimension."""
    return tuple(map(window_count, sizes, kernel, stride, padding, dilation))


@functools.lru_cache(256)
def window_places(
    kernel: tuple, stride: tuple, dilation: tuple, counts: tuple
) -> tuple[tuple[tuple, tuple], ...]:
    """For every place in the window: the place, and which elements of the (padded) input all windows have there, as an index."""
    geometry = list(zip(stride, dilation, counts, strict=True))
    found = []
    for place in itertools.product(*map(range, kernel)):
        spans = [
            slice(p * d, p * d + s * (n - 1) + 1, s) for p, (s, d, n) in zip(place, geometry, strict=True)
        ]
        found.append((place, (..., *spans)))
    return tuple(found)


def padded(a: Array, padding: tuple, value: float = 0, after: tuple | None = None) -> Array:
    """The last dimensions with `padding` elements of `value` before and after them (or `after` after them)."""
    after = padding if after is None else after
    if not any(padding) and not any(after):
        return a
    lead = a.ndim - len(padding)
    shape = a.shape[:lead] + tuple(
        [b + n + e for b, n, e in zip(padding, a.shape[lead:], after, strict=True)]
    )
    r = np.zeros(shape, a.dtype) if value == 0 else np.full(shape, value, a.dtype)
    r[unpadded(padding, a.shape[lead:])] = a
    return r


def unpadded(padding: tuple, sizes: tuple) -> tuple:
    """The index that takes the padding off again."""
    return (..., *[slice(p, p + n) for p, n in zip(padding, sizes, strict=True)])


SMALL_COPY = 20_000  # elements in all windows, up to which NumPy copies them in one go


def columns(a: Array, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple) -> Array:
    """(N, C, sizes) -> (N, C, kernel, counts): the elements of every window."""
    a = padded(a, padding)
    if math.prod(kernel) == 1 and a.shape[2:] == counts:
        return a.reshape(a.shape[:2] + kernel + counts)
    if a.flags.c_contiguous and math.prod(a.shape[:2] + kernel + counts) < SMALL_COPY:
        # The copies of the places, one by one, cost more than their elements.
        steps = a.strides[2:]
        strides = (*a.strides[:2], *map(operator.mul, steps, dilation), *map(operator.mul, steps, stride))
        return over(a, a.shape[:2] + kernel + counts, a.dtype, 0, strides).copy()
    r = np.empty(a.shape[:2] + kernel + counts, a.dtype)
    for place, elements in window_places(kernel, stride, dilation, counts):
        r[(slice(None), slice(None), *place)] = a[elements]
    return r


def from_columns(a: Array, sizes: tuple, stride: tuple, padding: tuple, dilation: tuple) -> Array:
    """(N, C, kernel, counts) -> (N, C, sizes): every element the sum of what the windows have there."""
    n = len(sizes)
    kernel, counts = a.shape[2 : 2 + n], a.shape[2 + n :]
    r = np.zeros(a.shape[:2] + tuple([s + 2 * p for s, p in zip(sizes, padding, strict=True)]), a.dtype)
    for place, elements in window_places(kernel, stride, dilation, counts):
        r[elements] += a[(slice(None), slice(None), *place)]
    return np.array(r[unpadded(padding, sizes)], order="C") if any(padding) else r


# The three products of a convolution: of them each is the derivative of the other two ------------------------------------------

BLOCK = 2**18  # elements of all windows of some images, which are computed together: they stay in the cache


class Windows:
    """Where windows are in images of one shape.

    With a stride of 1 they are one run through the image, line after line. Some of it, across the ends of lines, is of no use; but long
    pieces are copied so much faster than short ones that a few useless products don't matter.
    """

    def __init__(
        self, shape: tuple, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, counts: tuple, outputs: float,
        item: int,
    ) -> None:  # fmt: skip
        channels, *sizes = shape[1:]
        full = [n + 2 * p for n, p in zip(sizes, padding, strict=True)]
        channel, *lines = [math.prod(full[i:]) * item for i in range(len(full) + 1)]
        length = sum([(c - 1) * s for c, s in zip(counts, lines, strict=True)]) // item + 1
        if max(stride) == 1 and (length - math.prod(counts)) * outputs < 64 * math.prod(counts):
            self.run: tuple = (length,)
            along: Any = (item,)
            self.within_run = tuple(lines)
        else:
            self.run = counts
            along = map(operator.mul, lines, stride)
            self.within_run = tuple([math.prod(counts[i + 1 :]) * item for i in range(len(counts))])
        self.counts, self.length, self.padding = (
            counts,
            math.prod(self.run),
            padding if any(padding) else None,
        )
        self.front = (channels, *kernel)
        self.steps = (channel, *map(operator.mul, lines, dilation), channels * channel, *along)
        self.at_once = max(1, BLOCK // max(1, math.prod(self.front) * self.length))

    def blocks(self, a: Array) -> Iterable[tuple[slice, Array]]:
        """The images, padded and in row-major order, some at a time."""
        n = len(a)
        if n <= self.at_once:
            return ((slice(0, n), self.padded(a)),)
        return self.several_blocks(a)

    def several_blocks(self, a: Array) -> Iterator[tuple[slice, Array]]:
        for start in range(0, len(a), self.at_once):
            part = slice(start, min(start + self.at_once, len(a)))
            yield part, self.padded(a[part])

    def padded(self, a: Array) -> Array:
        return np.ascontiguousarray(a) if self.padding is None else padded(a, self.padding)

    def columns(self, images: Array) -> Array:
        """(images, C, sizes) -> (C, kernel, images, run), in row-major order."""
        shape = (*self.front, len(images), *self.run)
        return over(images, shape, images.dtype, 0, self.steps).copy()

    def of(self, a: Array) -> Array:
        """The elements of (C, images, run) that are windows' own, as a view (images, C, counts)."""
        channels, n = a.shape[:2]
        image = self.length * a.itemsize
        return over(a, (n, channels, *self.counts), a.dtype, 0, (image, n * image, *self.within_run))

    def rows(self, a: Array) -> Array:
        """(images, C, counts) -> (C, images, run), with zeros for the windows of no use."""
        new = np.empty if self.run == self.counts else np.zeros
        r = new((a.shape[1], len(a), self.length), a.dtype)
        self.of(r)[...] = a
        return r


windows_in = functools.lru_cache(256)(Windows)


# Elements of the windows of one image, beyond which it is computed some lines at a time: memory stays bounded.
LARGEST = 2**21


def bands(
    a: Array, kernel: tuple, counts: tuple, stride: tuple, padding: tuple, dilation: tuple
) -> Iterator[tuple[slice, Array]]:
    """Large images some lines at a time: which lines of windows, and the padded part of the images in which they are."""
    lines = max(1, counts[0] * LARGEST // (a.shape[1] * math.prod(kernel) * math.prod(counts)))
    wide = padded(a, padding)
    for start in range(0, counts[0], lines):
        end = min(start + lines, counts[0])
        last = (end - 1) * stride[0] + dilation[0] * (kernel[0] - 1)
        yield slice(start, end), wide[:, :, start * stride[0] : last + 1]


def correlated(
    a: Array,
    weight: Array,
    bias: Array | None,
    counts: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    groups: int,
) -> Array:
    """(N, C, sizes), (O, C / groups, kernel) -> (N, O, counts): every window times the weights, plus a bias for each output."""
    n, o = a.shape[0], weight.shape[0]
    kernel, sizes = weight.shape[2:], a.shape[2:]
    matrix = weight.reshape((groups, o // groups, -1))
    addend: Any = None if bias is None else bias.reshape((o,) + (1,) * len(counts))
    if math.prod(kernel) == 1 and sizes == counts:
        product = np.matmul(matrix, a.reshape((n, groups, a.shape[1] // groups, math.prod(counts))))
        product = product.reshape((n, o, *counts))
        return product if bias is None else np.add(product, addend, out=product)
    result = np.empty((n, o, *counts), a.dtype)
    if counts[0] > 1 and a.shape[1] * math.prod(kernel) * math.prod(counts) > LARGEST:
        none = (0,) * len(counts)
        for part, images in bands(a, kernel, counts, stride, padding, dilation):
            fewer = (part.stop - part.start, *counts[1:])
            result[:, :, part] = correlated(images, weight, bias, fewer, stride, none, dilation, groups)
        return result
    windows = windows_in(a.shape, kernel, stride, padding, dilation, counts, o // groups, a.itemsize)
    for part, images in windows.blocks(a):
        columns = windows.columns(images).reshape((groups, matrix.shape[2], -1))
        product = windows.of(np.matmul(matrix, columns).reshape((o, len(images), windows.length)))
        if bias is None:
            result[part] = product
        else:
            np.add(product, addend, out=result[part])
    return result


def spread(
    a: Array, weight: Array, sizes: tuple, stride: tuple, padding: tuple, dilation: tuple, groups: int
) -> Array:
    """(N, O, counts), (O, C / groups, kernel) -> (N, C, sizes): every element times the weights, added up where they meet."""
    n, o = a.shape[:2]
    counts, kernel, channels = a.shape[2:], weight.shape[2:], weight.shape[1]
    c = channels * groups
    reach = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    around = tuple(map(operator.sub, reach, padding))
    if max(stride) == 1 and o <= 2 * c and min(around) >= 0:
        sums = tuple([m + 2 * b - r for m, b, r in zip(counts, around, reach, strict=True)])
        if sums == sizes:  # windows of what is spread, times the weights turned round
            turned: Array = np.flip(weight, tuple(range(2, weight.ndim)))
            turned = turned.reshape((groups, o // groups, channels, *kernel)).swapaxes(1, 2)
            turned = np.ascontiguousarray(turned.reshape((c, o // groups, *kernel)))
            return correlated(a, turned, None, sizes, stride, around, dilation, groups)
    length = math.prod(counts)
    matrix = weight.reshape((groups, o // groups, -1)).swapaxes(1, 2)
    result = np.empty((n, c, *sizes), a.dtype)
    at_once = max(1, BLOCK // max(1, c * math.prod(kernel) * length))
    for start in range(0, n, at_once):
        block = a[start : start + at_once].reshape((-1, groups, o // groups, length))
        wide = np.matmul(matrix, block)
        result[start : start + at_once] = from_columns(
            wide.reshape((-1, c, *kernel, *counts)), sizes, stride, padding, dilation
        )
    return result


def weighed(
    narrow: Array,
    a: Array,
    kernel: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    groups: int,
    exact: bool = not CHECKED,
) -> Array:
    """(N, O, counts), (N, C, sizes) -> (O, C / groups, kernel): windows times elements, added up over all windows (`exact`: and no others,
    not even times zero)."""
    o, c, counts = narrow.shape[1], a.shape[1], narrow.shape[2:]
    if counts[0] > 1 and c * math.prod(kernel) * math.prod(counts) > LARGEST:
        total: Any = np.zeros((o, c // groups, *kernel), narrow.dtype)
        none = (0,) * len(counts)
        for part, images in bands(a, kernel, counts, stride, padding, dilation):
            total += weighed(narrow[:, :, part], images, kernel, stride, none, dilation, groups, exact)
        return total
    outputs = math.inf if exact else o // groups
    windows = windows_in(a.shape, kernel, stride, padding, dilation, counts, outputs, a.itemsize)
    size = c // groups * math.prod(kernel)
    total = None
    for part, images in windows.blocks(a):
        rows = windows.rows(narrow[part]).reshape((groups, o // groups, -1))
        columns = windows.columns(images).reshape((groups, size, -1))
        product = np.matmul(rows, columns.swapaxes(1, 2))
        total = product if total is None else np.add(total, product, out=total)
    if not exact and windows.run != windows.counts and np.isnan(total).any():
        return weighed(narrow, a, kernel, stride, padding, dilation, groups, True)
    return total.reshape((o, c // groups, *kernel))


# Convolution -------------------------------------------------------------------------------------------------------------------


@keeping_format(0, 1)
def convolution(
    input: Array,
    weight: Array,
    bias: Array | None,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
) -> Array:
    kind, of_bias = input.dtype, None if bias is None else (bias.shape, bias.dtype)
    stride, padding, dilation, sizes = checked_convolution(
        (input.shape, kind),
        (weight.shape, weight.dtype),
        of_bias,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
    )
    if not input.shape[1]:  # as in PyTorch, the result has no channels either
        return np.zeros((len(input), 0, *sizes), kind)
    if kind == np.float16:  # computed in float32 and rounded once
        input, weight = input.astype(np.float32), weight.astype(np.float32)
    if transposed:
        r = spread(input, weight, sizes, stride, padding, dilation, groups)
        if bias is not None:
            r += bias.astype(r.dtype, copy=False).reshape((-1,) + (1,) * len(stride))
    else:
        r = correlated(input, weight, bias, sizes, stride, padding, dilation, groups)
    return r.astype(kind, copy=False)


def convolution_input(
    grad: Array,
    weight: Array,
    input_shape: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
) -> Array:
    """The gradient of a convolution's input, which is a convolution the other way round."""
    if 0 in input_shape:
        return np.zeros(input_shape, grad.dtype)
    stride, padding, dilation, _ = convolution_geometry(weight, stride, padding, dilation, output_padding, 1)
    kind, grad = grad.dtype, np.ascontiguousarray(grad)  # it may be one number, expanded
    if kind == np.float16:
        grad, weight = grad.astype(np.float32), weight.astype(np.float32)
    if transposed:
        r = correlated(grad, weight, None, input_shape[2:], stride, padding, dilation, groups)
    else:
        r = spread(grad, weight, input_shape[2:], stride, padding, dilation, groups)
    return r.astype(kind, copy=False)


def convolution_weight(
    grad: Array,
    input: Array,
    weight_shape: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
) -> Array:
    """The gradient of a convolution's weights."""
    if 0 in weight_shape:
        return np.zeros(weight_shape, grad.dtype)
    dim = len(weight_shape) - 2
    stride, padding, dilation = [
        expanded(p, name, dim)
        for p, name in ((stride, "stride"), (padding, "padding"), (dilation, "dilation"))
    ]
    kind, grad = grad.dtype, np.ascontiguousarray(grad)
    if kind == np.float16:
        grad, input = grad.astype(np.float32), input.astype(np.float32)
    narrow, wide = (input, grad) if transposed else (grad, input)
    r = weighed(narrow, wide, weight_shape[2:], stride, padding, dilation, groups)
    return r.astype(kind, copy=False)


def convolution_backward(
    grad: Array,
    input: Array,
    weight: Array,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
    output_mask: tuple,
) -> tuple[Array, Array, Array]:
    """The gradients of input, weight and bias; empty where they are not output_mask."""
    geometry = stride, padding, dilation, transposed, output_padding, groups
    none = np.empty(0, grad.dtype)
    return (
        convolution_input(grad, weight, input.shape, *geometry) if output_mask[0] else none,
        convolution_weight(grad, input, weight.shape, *geometry) if output_mask[1] else none,
        bias_gradient(grad, weight.shape[0]) if output_mask[2] else none,
    )


def bias_gradient(grad: Array, outputs: int) -> Array:
    if not grad.shape[1]:
        return np.zeros(outputs, grad.dtype)
    half = grad.dtype == np.float16
    total = np.add.reduce(grad, (0, *range(2, grad.ndim)), dtype=np.float32 if half else None)
    return total.astype(grad.dtype, copy=False)


def transposed_sizes(
    sizes: tuple, kernel: tuple, stride: tuple, padding: tuple, dilation: tuple, output_padding: tuple
) -> tuple:
    """The sizes a transposed convolution gives: as many as a convolution would need to give the input's."""
    return tuple(
        [
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1
            for n, k, s, p, d, o in zip(sizes, kernel, stride, padding, dilation, output_padding, strict=True)
        ]
    )


def expanded(values: tuple, name: str, dim: int) -> tuple:
    """One value per dimension."""
    if len(values) == dim:
        return tuple(values)
    if len(values) == 1:
        return tuple(values) * dim
    raise RuntimeError(
        f"expected {name} to be a single integer value or a list of {dim} values to match the convolution dimensions, "
        f"but got {name}={list(values)}"
    )


def convolution_geometry(
    weight: Array, stride: tuple, padding: tuple, dilation: tuple, output_padding: tuple, groups: int
) -> tuple[tuple, tuple, tuple, tuple]:
    """Stride, padding, dilation and output padding, one for each dimension."""
    dim = weight.ndim - 2
    if dim <= 0:
        raise RuntimeError("weight should have at least three dimensions")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    return (
        expanded(stride, "stride", dim),
        expanded(padding, "padding", dim),
        expanded(dilation, "dilation", dim),
        expanded(output_padding, "output_padding", dim),
    )


@functools.lru_cache(256)
def checked_convolution(
    input: tuple,
    weight: tuple,
    bias: tuple | None,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    transposed: bool,
    output_padding: tuple,
    groups: int,
) -> tuple[tuple, tuple, tuple, tuple]:
    """Stride, padding and dilation, one for each dimension, and the sizes of the result, for a convolution of tensors with these shapes
    and dtypes, if PyTorch allows it."""
    of_input, of_weight = (np.broadcast_to(np.empty((), dtype), shape) for shape, dtype in (input, weight))
    of_bias = None if bias is None else np.broadcast_to(np.empty((), bias[1]), bias[0])
    geometry = convolution_geometry(of_weight, stride, padding, dilation, output_padding, groups)
    check_convolution(of_input, of_weight, of_bias, *geometry, transposed, groups)
    sizes, kernel = input[0][2:], weight[0][2:]
    found = (
        transposed_sizes(sizes, kernel, *geometry)
        if transposed
        else window_counts(sizes, kernel, *geometry[:3])
    )
    return (*geometry[:3], found)


def check_convolution(
    input: Array,
    weight: Array,
    bias: Array | None,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    output_padding: tuple,
    transposed: bool,
    groups: int,
) -> None:
    """What PyTorch refuses, in its words."""
    if bias is not None and bias.dtype != input.dtype and not transposed:
        raise RuntimeError(f"Input type ({c_name(input)}) and bias type ({c_name(bias)}) should be the same")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(output_padding) < 0:
        raise RuntimeError("negative output_padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")
    shape, given = list(weight.shape), list(input.shape)
    if input.ndim != weight.ndim:
        raise RuntimeError(
            f"Expected {weight.ndim}-dimensional input for {weight.ndim}-dimensional weight {shape}, "
            f"but got {input.ndim}-dimensional input of size {given} instead"
        )
    if shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {shape} instead"
        )
    if shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{shape}] instead"
        )
    channels, outputs = (shape[0], shape[1] * groups) if transposed else (shape[1] * groups, shape[0])
    if given[1] != channels:
        kind = f"transposed={int(transposed)}" if transposed else f"groups={groups}"
        raise RuntimeError(
            f"Given {kind}, weight of size {shape}, expected input{given} to have {channels} channels, "
            f"but got {given[1]} channels instead"
        )
    if bias is not None and bias.shape != (outputs,):
        kind = f"transposed={int(transposed)}, " if transposed else ""
        raise RuntimeError(
            f"Given {kind}weight of size {shape}, expected bias to be 1-dimensional with {outputs} elements, "
            f"but got bias of size {list(bias.shape)} instead"
        )
    sizes, kernel = input.shape[2:], weight.shape[2:]
    if transposed:
        of_group = [shape[0] // groups, *shape[1:]]
        check_transposed(sizes, kernel, stride, padding, dilation, output_padding, of_group)
    else:
        check_reach(sizes, kernel, padding, dilation)
    if 0 in sizes and 0 not in given[:2]:
        given[2:2] = [1] * (len(sizes) == 1)
        raise RuntimeError(
            f"Only zero batch or zero channel inputs are supported, but got input shape: {given}"
        )
    if input.dtype != weight.dtype:
        if input.dtype.kind == "c":
            raise RuntimeError(
                f"Input type ({full_type_name(input)}) and weight type ({full_type_name(weight)}) should be the same"
            )
        if transposed and input.dtype.kind in "bu":
            refuse_kind(input, transposed)
        raise RuntimeError(f"expected scalar type {scalar_name(input)} but found {scalar_name(weight)}")
    if input.dtype.kind in "bc":  # complex convolutions are made of real ones
        refuse_kind(input, transposed)
    # A bias that is added in place afterwards, but for volumes.
    if bias is not None and bias.dtype != input.dtype:
        if input.ndim == 5:
            raise RuntimeError(f"expected scalar type {scalar_name(input)} but found {scalar_name(bias)}")
        if not can_cast(FROM_NUMPY[bias.dtype], FROM_NUMPY[input.dtype]):
            raise RuntimeError(
                f"result type {scalar_name(bias)} can't be cast to the desired output type {scalar_name(input)}"
            )


def refuse_kind(input: Array, transposed: bool) -> None:
    deep = input.ndim == 5
    name = "compute_columns3d" if deep else "slow_conv2d_cpu"
    if transposed:
        name = f"slow_conv_transpose{2 + deep}d_out_cpu"
    raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(input)}'")


def check_reach(sizes: tuple, kernel: tuple, padding: tuple, dilation: tuple) -> None:
    """That the windows of a convolution fit, and are none."""
    full = [n + 2 * p for n, p in zip(sizes, padding, strict=True)]
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    if any([f < k for f, k in zip(full, reach, strict=True)]):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, full))}). "
            f"Kernel size: ({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size"
        )
    if 0 in kernel:
        if len(kernel) == 3:
            raise RuntimeError(
                f"kernel size should be greater than zero, but got: {' x '.join(map(str, kernel))} (TxHxW)"
            )
        raise RuntimeError(
            f"kernel size should be greater than zero, but got {by_name('kernel', kernel, 1, ' ')}"
        )
    if 0 in dilation:
        shown = dilation if len(dilation) > 1 else (1, *dilation)
        raise RuntimeError(f"dilation should be greater than zero, but got {list(shown)}")


def by_name(what: str, values: tuple, fill: int, separator: str) -> str:
    """kernel_height: 2 kernel_width: 3. One dimension is computed as two, of which the first has the size `fill`."""
    values = values if len(values) > 1 else (fill, *values)
    names = ("depth", "height", "width")[3 - len(values) :]
    return separator.join([f"{what}_{name}: {value}" for name, value in zip(names, values, strict=True)])


def check_transposed(
    sizes: tuple,
    kernel: tuple,
    stride: tuple,
    padding: tuple,
    dilation: tuple,
    output_padding: tuple,
    weight_shape: list,
) -> None:
    """That a transposed convolution gives something."""
    if 0 in weight_shape:
        if len(kernel) == 3:
            raise RuntimeError(
                "non-empty 5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x kernel_width) tensor expected "
                f"for weight, but got: {weight_shape}"
            )
        if 0 not in kernel:
            weight_shape[2:2] = [1] * (len(kernel) == 1)
            raise RuntimeError(f"non-empty 2D or 4D weight tensor expected, but got: {weight_shape}")
        raise RuntimeError(
            f"kernel size should be greater than zero, but got {by_name('kernel', kernel, 1, ' ')}"
        )
    if 0 in dilation:
        raise RuntimeError(
            f"dilation should be greater than zero, but got {by_name('dilation', dilation, 1, ', ')}"
        )
    if any([o >= s and o >= d for o, s, d in zip(output_padding, stride, dilation, strict=True)]):
        parts = [
            by_name("output_padding", output_padding, 0, " "),
            by_name("stride", stride, 1, " "),
            by_name("dilation", dilation, 1, " "),
        ]
        raise RuntimeError(
            f"output padding must be smaller than either stride or dilation, but got {' '.join(parts)}"
        )
    result = transposed_sizes(sizes, kernel, stride, padding, dilation, output_padding)
    if min(result) < 1:
        shown = [" x ".join(map(str, s if len(s) > 1 else (1, *s))) for s in (sizes, result)]
        raise RuntimeError(
            f"Given input size per channel: ({shown[0]}). Calculated output size per channel: ({shown[1]}). Output size is too small"
        )


# Sliding windows ---------------------------------------------------------------------------------------------------------------


def im2col(a: Array, kernel_size: tuple, dilation: tuple, padding: tuple, stride: tuple) -> Array:
    """(N, C, H, W) -> (N, C * kernel, windows)."""
    check_windows(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    if a.ndim < 3:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{a.ndim}, {a.ndim - 1}], but got {a.ndim})"
        )
    if a.ndim not in (3, 4) or 0 in a.shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(a.shape)}"
        )
    counts = window_counts(a.shape[-2:], kernel_size, stride, padding, dilation)
    if min(counts) < 1:
        raise RuntimeError(
            f"Given input with spatial size {a.shape[-2:]}, kernel_size={kernel_size}, dilation={dilation}, padding={padding}, "
            f"calculated shape of the array of sliding blocks as {counts}, but its components must be at least one."
        )
    refuse_integers("im2col_out_cpu", a)
    batch = a if a.ndim == 4 else a[None]
    r = columns(batch, kernel_size, stride, padding, dilation, counts)
    if np.may_share_memory(r, a):
        r = r.copy()
    r = r.reshape((batch.shape[0], batch.shape[1] * math.prod(kernel_size), math.prod(counts)))
    return r if a.ndim == 4 else r[0]


def col2im(
    a: Array, output_size: tuple, kernel_size: tuple, dilation: tuple, padding: tuple, stride: tuple
) -> Array:
    """(N, C * kernel, windows) -> (N, C, H, W), added up where windows meet."""
    if len(output_size) != 2:
        raise RuntimeError(f"It is expected output_size equals to 2, but got size {len(output_size)}")
    check_windows(kernel_size=kernel_size, stride=stride, dilation=dilation, padding=padding)
    if a.ndim not in (2, 3) or 0 in a.shape[-2:]:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, "
            f"but got: {list(a.shape)}"
        )
    size = math.prod(kernel_size)
    if a.shape[-2] % size:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={a.shape[-2]} and kernel_size={kernel_size}."
        )
    counts = window_counts(output_size, kernel_size, stride, padding, dilation)
    why = ""
    if min(counts) < 1:
        shown = ", ".join(map(str, counts))
        why = (
            f"calculated shape of the array of sliding blocks as ({shown}), which is too small (non-positive)"
        )
    elif math.prod(counts) != a.shape[-1]:
        why = (
            f"expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{counts[0]} * {counts[1]} = {math.prod(counts)}, but got input.size(2)={a.shape[-1]}."
        )
    if why:
        raise RuntimeError(
            f"Given output_size={output_size}, kernel_size={kernel_size}, dilation={dilation}, padding={padding}, stride={stride}, {why}"
        )
    if min(output_size) < 1:
        raise RuntimeError(
            f"Expected output spatial size to be positive, but got: output_size={output_size}."
        )
    refuse_integers("col2im_out_cpu", a)
    batch = a if a.ndim == 3 else a[None]
    wide = batch.reshape((batch.shape[0], batch.shape[1] // size, *kernel_size, *counts))
    half = a.dtype == np.float16
    r = from_columns(wide.astype(np.float32) if half else wide, output_size, stride, padding, dilation)
    r = r.astype(a.dtype, copy=False)
    return r if a.ndim == 3 else r[0]


def check_windows(**given: tuple) -> None:
    """What unfold and fold refuse about windows, in the order in which they look."""
    for name, values in given.items():
        if len(values) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(values)}")
    for name, values in given.items():
        if name == "padding":
            if min(values) < 0:
                raise RuntimeError(
                    f"padding should be non-negative, but got {by_name('pad', values, 0, ' ')}"
                )
        elif min(values) <= 0:
            shown = by_name(name.removesuffix("_size"), values, 0, " ")
            raise RuntimeError(f"{name.replace('_', ' ')} should be greater than zero, but got {shown}")


def refuse_integers(name: str, a: Array) -> None:
    if a.dtype.kind in "iu":
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")
