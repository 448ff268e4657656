"""Resizing, sampling at the points of a grid, and channels exchanged with pixels."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.kernels.numpy import check_grid, cubic_far, cubic_near
from jgrad.ops.by_name import abs, clamp, floor, remainder, round, select, stack, where
from jgrad.ops.copying import to_dtype
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor

# Resizing ----------------------------------------------------------------------------------------------------------------------

# By mode, number of dimensions, antialias: what resizes, and its gradient.
RESIZERS: dict[tuple[str, int, bool], Any] = {}
RESIZERS_BACKWARD: dict[tuple[str, int, bool], Any] = {}


def _declare(mode: str, n: int, name: str, node: str, antialias: bool = False) -> None:
    """One of PyTorch's resizing operations: they differ in their names only."""

    @op(
        f"{name}(Tensor self, int[] output_size, str mode, bool align_corners, any scales, bool antialias) -> Tensor",
        kernel="upsample",
        node=f"{node}Backward0",
        **INTERNAL,
    )
    class resize:
        """An image of another size, its elements interpolated."""

        self = lambda grad, self_shape, mode, align_corners, scales, antialias: upsample_backward(
            grad, self_shape, mode, align_corners, scales, antialias
        )

    @op(
        f"{name}_backward(Tensor grad_output, int[] input_size, str mode, bool align_corners, any scales, bool antialias) -> Tensor",
        kernel="upsample_backward",
        node=f"{node}BackwardBackward0",
        **INTERNAL,
    )
    class resize_backward:
        """Gradients of new elements, given to the old ones they were made of."""

        grad_output = lambda grad, grad_output_shape, mode, align_corners, scales, antialias: upsample(
            grad, grad_output_shape[2:], mode, align_corners, scales, antialias
        )

    RESIZERS[mode, n, antialias] = resize
    RESIZERS_BACKWARD[mode, n, antialias] = resize_backward


for _n in (1, 2, 3):
    _declare("nearest", _n, f"upsample_nearest{_n}d", f"UpsampleNearest{_n}D")
    _declare("nearest-exact", _n, f"_upsample_nearest_exact{_n}d", f"UpsampleNearestExact{_n}D")
_declare("linear", 1, "upsample_linear1d", "UpsampleLinear1D")
_declare("bilinear", 2, "upsample_bilinear2d", "UpsampleBilinear2D")
_declare("trilinear", 3, "upsample_trilinear3d", "UpsampleTrilinear3D")
_declare("bicubic", 2, "upsample_bicubic2d", "UpsampleBicubic2D")
_declare("bilinear", 2, "_upsample_bilinear2d_aa", "UpsampleBilinear2DAa", True)
_declare("bicubic", 2, "_upsample_bicubic2d_aa", "UpsampleBicubic2DAa", True)
_declare("lanczos", 2, "_upsample_lanczos2d_aa", "UpsampleLanczos2DAa", True)


def upsample(
    input: Tensor, output_size: tuple, mode: str, align_corners: bool, scales: tuple | None, antialias: bool
) -> Tensor:
    resize = RESIZERS[mode, len(output_size), antialias]
    return resize(input, output_size, mode, align_corners, scales, antialias)


def upsample_backward(
    grad: Tensor, input_size: tuple, mode: str, align_corners: bool, scales: tuple | None, antialias: bool
) -> Tensor:
    resize = RESIZERS_BACKWARD[mode, len(input_size) - 2, antialias]
    return resize(grad, input_size, mode, align_corners, scales, antialias)


# Sampling ----------------------------------------------------------------------------------------------------------------------
#
# What a grid point reads is, along each dimension, a weighted sum of a few elements (its taps), and a product of these over the
# dimensions. The formulas below are written for tensors and arrays alike: the value is the kernel of grid_sampler, the gradients are
# its backward pass, and since they consist of differentiable operations, there is a second one.

NEAREST, BICUBIC = 1, 2  # modes; 0 is bilinear
BORDER, REFLECTION = 1, 2  # paddings; 0 is zeros


@formula
def grid_position(c: Any, size: int, align_corners: bool) -> Any:
    """Where -1 ... 1 is among the elements: at the centers of the first and last one, or at their outer edges."""
    return (c + 1) / 2 * (size - 1) if align_corners else ((c + 1) * size - 1) / 2


@formula
def grid_inside(x: Any, size: int, padding_mode: int, align_corners: bool) -> Any:
    """A position put inside the image as the padding wants it, and by how much it then moves with the position."""
    moves = zeros_like(x) + 1
    if padding_mode == 2:
        low, span = (0.0, float(size - 1)) if align_corners else (-0.5, float(size))
        if span == 0:
            return zeros_like(x), zeros_like(x)
        distance = abs(x - low)
        turns = floor(distance / span)
        rest = distance - turns * span
        back = remainder(turns, 2) == 1
        moves = where(back, -moves, moves)
        moves = where(x < low, -moves, moves)
        x = where(back, span - rest, rest) + low
    if padding_mode:
        moves = where((x > 0) & (x < size - 1), moves, zeros_like(x))
        x = clamp(where(x == x, x, zeros_like(x)), 0, size - 1)  # what is no number counts as the first
    return x, moves


@formula
def grid_taps(c: Any, size: int, mode: int, padding_mode: int, align_corners: bool) -> list:
    """Along one dimension: for each tap the element's index, whether there is one, the weight, and the weight's derivative by c."""
    x = grid_position(c, size, align_corners)
    stretch = (size - 1) / 2 if align_corners else size / 2
    if mode != 2:
        x, moves = grid_inside(x, size, padding_mode, align_corners)
        moves = moves * stretch
    one = zeros_like(x) + 1
    if mode == 1:
        taps: Any = [(round(x), one, zeros_like(x))]
    elif mode == 0:
        first = floor(x)
        t = x - first
        taps = [(first, 1 - t, -moves), (first + 1, t, moves)]
    else:
        first = floor(x)
        t = x - first
        taps = []
        for k, distance, sign in ((-1, t + 1, 1), (0, t, 1), (1, 1 - t, -1), (2, 2 - t, -1)):
            outer = k in (-1, 2)
            weight = cubic_far(distance) if outer else cubic_near(distance)
            slope = cubic_far_slope(distance) if outer else cubic_near_slope(distance)
            place, _ = grid_inside(first + k, size, padding_mode, align_corners)
            taps.append((round(place) if padding_mode == 2 else place, weight, slope * (sign * stretch)))
    found = []
    for place, weight, slope in taps:
        there = (place >= 0) & (place <= size - 1)
        found.append((to_index(where(there, place, zeros_like(place))), there, weight, slope))
    return found


@formula
def cubic_near_slope(x: Any) -> Any:
    return (3.75 * x - 4.5) * x


@formula
def cubic_far_slope(x: Any) -> Any:
    return (-2.25 * x + 7.5) * x - 6


@formula
def grid_all_taps(points: Any, sizes: tuple, mode: int, padding_mode: int, align_corners: bool) -> list:
    """The taps of each dimension; the last dimension is the first coordinate."""
    n = len(sizes)
    return [
        grid_taps(select(points, 2, n - 1 - i), sizes[i], mode, padding_mode, align_corners) for i in range(n)
    ]


@formula
def grid_reads(taps: list, sizes: tuple) -> tuple:
    """For each combination of taps of all dimensions the place in the flat image, or the one behind it where there is no element; and
    the weight: (N, combinations, L)."""
    places, weights = [], []
    for combination in itertools.product(*taps):
        index, there, weight = 0, True, 1
        for size, tap in zip(sizes, combination, strict=True):
            index, there, weight = index * size + tap[0], tap[1] & there, tap[2] * weight
        places.append(where(there, index, zeros_like(index) + math.prod(sizes)))
        weights.append(weight)
    return stack(places, 1), stack(weights, 1)


@formula
def grid_sampler_values(input: Any, grid: Any, mode: int, padding_mode: int, align_corners: bool) -> Any:
    """What an image of (N, C, sizes) has at the points of a grid of (N, new sizes, coordinates)."""
    n, c, sizes, out = input.shape[0], input.shape[1], tuple(input.shape[2:]), tuple(grid.shape[1:-1])
    points = grid.reshape((n, math.prod(out), len(sizes)))
    places, weights = grid_reads(grid_all_taps(points, sizes, mode, padding_mode, align_corners), sizes)
    return grid_blend(input.reshape((n, c, math.prod(sizes))), places, weights).reshape((n, c, *out))


@formula
def grid_sampler_gradients(
    grad: Any, input: Any, grid: Any, mode: int, padding_mode: int, align_corners: bool, output_mask: tuple
) -> tuple:
    """The gradients of image and grid."""
    n, c, sizes, out = input.shape[0], input.shape[1], tuple(input.shape[2:]), tuple(grid.shape[1:-1])
    length, plane = math.prod(out), math.prod(sizes)
    grad = grad.reshape((n, c, length))
    taps = grid_all_taps(grid.reshape((n, length, len(sizes))), sizes, mode, padding_mode, align_corners)
    places, weights = grid_reads(taps, sizes)
    of_input = of_grid = None
    if output_mask[0]:
        of_input = grid_spread(grad, places, weights, plane).reshape(tuple(input.shape))
    if output_mask[1] and mode == 1:
        nothing = zeros_like(grid)
        of_grid = where(nothing == 0, nothing, grid)  # which depends on the grid for the graph
    elif output_mask[1]:
        felt = grid_felt(grad, input.reshape((n, c, plane)), places)
        of_points: Any = [None] * len(sizes)
        for k, combination in enumerate(itertools.product(*taps)):
            for i in range(len(sizes)):
                slope = select(felt, 1, k)
                for j in range(len(sizes)):
                    slope = slope * combination[j][3 if i == j else 2]
                of_points[i] = slope if of_points[i] is None else of_points[i] + slope
        of_grid = stack(of_points[::-1], 2).reshape(tuple(grid.shape))
    return of_input, of_grid


@op("grid_blend(Tensor self, Tensor index, Tensor weight) -> Tensor", **INTERNAL)
class grid_blend:
    """Of each channel the elements at these places times the weights, added up over the second dimension of both."""

    self = lambda grad, self_shape, index, weight: grid_spread(grad, index, weight, self_shape[2])
    weight = lambda grad, self, index: grid_felt(grad, self, index)


@op("grid_spread(Tensor self, Tensor index, Tensor weight, int size) -> Tensor", **INTERNAL)
class grid_spread:
    """For each channel zeros, to which elements times the weights are added at these places."""

    self = lambda grad, index, weight: grid_blend(grad, index, weight)
    weight = lambda grad, self, index: grid_felt(self, grad, index)


@op("grid_felt(Tensor self, Tensor other, Tensor index) -> Tensor", **INTERNAL)
class grid_felt:
    """The products of elements of each channel with those of the other at these places, added up over the channels."""

    self = lambda grad, other, index: grid_blend(other, index, grad)
    other = lambda grad, self, index, other_shape: grid_spread(self, index, grad, other_shape[2])


@op("grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
    forms="function", kernel="grid_sampler", node="GridSampler2DBackward0")  # fmt: skip
class grid_sampler_2d:
    """Reads images at the points of a grid. It is `grid_sampler` for images."""

    input = grid = lambda grad, input, grid, interpolation_mode, padding_mode, align_corners, output_mask: (
        grid_sampler_gradients(
            grad, input, grid, interpolation_mode, padding_mode, align_corners, output_mask
        )
    )


@op("grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
    forms="function", kernel="grid_sampler", node="GridSampler3DBackward0")  # fmt: skip
class grid_sampler_3d:
    """Reads volumes at the points of a grid. It is `grid_sampler` for volumes."""

    input = grid = lambda grad, input, grid, interpolation_mode, padding_mode, align_corners, output_mask: (
        grid_sampler_gradients(
            grad, input, grid, interpolation_mode, padding_mode, align_corners, output_mask
        )
    )


@composite("grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
           forms="function")  # fmt: skip
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """Reads images or volumes at the points of a grid. It is `nn.functional.grid_sample` with numbers instead of names."""
    check_grid(input._a, grid._a)
    if input._a.ndim == 5 and interpolation_mode == BICUBIC:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    sampler = grid_sampler_2d if input._a.ndim == 4 else grid_sampler_3d
    return sampler(input, grid, interpolation_mode, padding_mode, align_corners)


def to_index(a: Tensor) -> Tensor:
    return to_dtype(a.detach(), np.dtype(np.int64))


@op("affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor", forms="function")
class affine_grid_generator:
    """The points of a grid for images or volumes of a size, moved by affine maps. They are the `grid` of `grid_sampler`."""

    theta = lambda grad, size, align_corners: affine_grid_backward(grad, size, align_corners)


@op("affine_grid_backward(Tensor grad_output, int[] size, bool align_corners) -> Tensor", **INTERNAL)
class affine_grid_backward:
    """The gradient of affine maps."""

    grad_output = lambda grad, size, align_corners: affine_grid_generator(grad, size, align_corners)


# Channels and pixels exchanged -------------------------------------------------------------------------------------------------


@op("pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", forms="function", batches="leading")
class pixel_shuffle:
    """Spreads groups of r * r channels out as r by r pixels, where r is `upscale_factor`."""

    self = lambda grad, upscale_factor: pixel_unshuffle(grad, upscale_factor)


@op("pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", forms="function", batches="leading")
class pixel_unshuffle:
    """Stacks the pixels of each square of r by r as r * r channels, where r is `downscale_factor`. It undoes `pixel_shuffle`."""

    self = lambda grad, downscale_factor: pixel_shuffle(grad, downscale_factor)


@op("channel_shuffle(Tensor self, int groups) -> Tensor", forms="function")
class channel_shuffle:
    """Changes the order of the channels: the first of each group, then the second of each, and so on."""

    self = lambda grad, groups: channel_shuffle(grad, grad.shape[1] // groups)


@op("native_channel_shuffle(Tensor self, int groups) -> Tensor", forms="function", undifferentiable=True)
class native_channel_shuffle:
    """Changes the order of the channels: the first of each group, then the second of each, and so on. It is `channel_shuffle` without a gradient."""
