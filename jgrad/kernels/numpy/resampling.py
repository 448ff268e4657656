"""The kernels on NumPy arrays: resizing and sampling of images. Part of `jgrad.kernels.numpy`.

Resizing works dimension by dimension. Along one, a new element is a weighted sum of a few old ones, its taps: `index` and `weight` are
arrays of shape (taps, new size); -1 is no tap.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels import libraries
from jgrad.kernels.numpy.padding import added_at
from jgrad.kernels.numpy.shape import Array, keeping_format, scalar_name
from jgrad.kernels.numpy.values import any_or_unknown, taken

# Resizing ----------------------------------------------------------------------------------------------------------------------

Taps = tuple[Array, Array | None]  # no weights: one tap, taken as it is


@keeping_format(0)
def upsample(
    a: Array, output_size: tuple, mode: str, align_corners: bool, scales: tuple | None, antialias: bool
) -> Array:
    check_upsample(a, output_size, mode, antialias)
    if a.dtype == np.uint8 and mode not in ("nearest", "nearest-exact"):
        return upsample_bytes(a, output_size, mode, align_corners, scales, antialias)
    kind = np.dtype(np.float32) if a.dtype == np.float16 and not mode.startswith("nearest") else a.dtype
    r = a.astype(kind, copy=False)
    for dim, index, weight in all_taps(a.shape, output_size, mode, align_corners, scales, antialias, kind):
        r = tapped(r, dim, index, weight)
    r = r.astype(a.dtype, copy=False)
    return r.copy() if r is a else r


def upsample_backward(
    grad: Array, input_size: tuple, mode: str, align_corners: bool, scales: tuple | None, antialias: bool
) -> Array:
    """Every gradient to the elements it was made of, by their weights."""
    kind = np.dtype(np.float32) if grad.dtype == np.float16 else grad.dtype
    r = grad.astype(kind, copy=False)
    taps = all_taps(input_size, grad.shape[2:], mode, align_corners, scales, antialias, kind)
    for dim, index, weight in reversed(taps):
        r = added_at(r, dim, index, weight, input_size[dim])
    return r.astype(grad.dtype, copy=False)


def all_taps(
    input_size: tuple,
    output_size: tuple,
    mode: str,
    align_corners: bool,
    scales: tuple | None,
    antialias: bool,
    kind: np.dtype,
) -> list[tuple[int, Array, Array | None]]:
    """The taps of each dimension, the last one first."""
    found: list[tuple[int, Array, Array | None]] = []
    for i in reversed(range(len(output_size))):
        scale = scales[i] if scales is not None else None
        size, count = input_size[2 + i], output_size[i]
        if size == count and antialias:
            continue
        if mode == "nearest" and len(output_size) == 2 and count in (size, 2 * size):
            scale = None  # whatever it is: so PyTorch has it for images
        arguments = size, count, mode, align_corners, scale, np.dtype(kind)
        found.append((2 + i, *(smooth_taps(*arguments) if antialias else taps_of(*arguments))))
    return found


def tapped(a: Array, dim: int, index: Array, weight: Array | None) -> Array:
    """The weighted sums along one dimension."""
    if weight is None:
        return taken(a, index[0], dim)
    along = (-1,) + (1,) * (a.ndim - 1 - dim)
    total: Any = None
    for places, weights in zip(index, weight, strict=True):
        part = taken(a, places, dim)
        part *= weights.reshape(along)
        if any_or_unknown(none := places < 0):
            part[(slice(None),) * dim + (none,)] = 0
        total = part if total is None else np.add(total, part, out=total)
    return total


def step_of(size: int, count: int, align_corners: bool, scale: float | None, real: Any) -> Any:
    """How far apart new elements are among the old ones."""
    if align_corners:
        return real(size - 1) / real(count - 1) if count > 1 else real(0)
    return real(1.0 / scale) if scale is not None and scale > 0 else real(size) / real(count)


def taps_of(
    size: int, count: int, mode: str, align_corners: bool, scale: float | None, kind: np.dtype
) -> Taps:
    """From which old elements, by which weights, each new one is made. Computed in the precision that PyTorch computes it in."""
    real: Any = np.float64 if kind == np.float64 else np.float32
    places: Any = np.arange(count).astype(real)
    if mode.startswith("nearest"):
        # Positions are of single precision here, whatever the elements are.
        step = np.float32(step_of(size, count, False, scale, real))
        places = places.astype(np.float32)
        position = (places + np.float32(0.5)) * step if mode == "nearest-exact" else places * step
        return np.minimum(position.astype(np.int64), size - 1)[None], None
    if size == count and mode != "bicubic":
        # The image itself, whatever the scale; the second tap counts for nothing but infinities.
        index = np.arange(count)
        return np.stack([index, index]), np.stack([np.ones(count), np.zeros(count)]).astype(kind)
    step = step_of(size, count, align_corners, scale, real)
    half = real(0.5)
    position = places * step if align_corners else (places + half) * step - half
    if mode == "bicubic":
        first = np.floor(position)
        t = np.clip(position - first, real(0), real(1))
        near, far = cubic_near, cubic_far
        weights = np.stack([far(t + 1), near(t), near(1 - t), far(2 - t)])
        index = first.astype(np.int64) + np.arange(-1, 3)[:, None]
        return np.clip(index, 0, size - 1), weights.astype(kind)
    position = np.maximum(position, real(0))
    first = np.minimum(position.astype(np.int64), size - 1)
    t = np.clip(position - first.astype(real), real(0), real(1))
    index = np.stack([first, np.minimum(first + 1, size - 1)])
    return index, np.stack([1 - t, t]).astype(kind)


def cubic_near(x: Array, a: float = -0.75) -> Array:
    """The weight of an element at a distance of up to 1 in a cubic convolution."""
    return ((a + 2) * x - (a + 3)) * x * x + 1


def cubic_far(x: Array, a: float = -0.75) -> Array:
    """The weight of an element at a distance of 1 to 2."""
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


# With antialias=True: the filters widen with the step when an image shrinks, so that every old element counts.


def triangle_filter(x: Array) -> Array:
    return np.maximum(1 - np.abs(x), 0)


def cubic_filter(x: Array) -> Array:
    x, a = np.abs(x), -0.5
    return np.where(x < 1, cubic_near(x, a), np.where(x < 2, cubic_far(x, a), 0))


def lanczos_filter(x: Array) -> Array:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


FILTERS = {"bilinear": (triangle_filter, 1), "bicubic": (cubic_filter, 2), "lanczos": (lanczos_filter, 3)}


def smooth_taps(
    size: int, count: int, mode: str, align_corners: bool, scale: float | None, kind: np.dtype
) -> Taps:
    real: Any = np.float64 if kind == np.float64 else np.float32
    shape, reach = FILTERS[mode]
    step = step_of(size, count, align_corners, scale, real)
    support = reach * step if step >= 1 else real(reach)
    narrowing = real(1) / step if step >= 1 else real(1)
    center = step * (np.arange(count).astype(real) + real(0.5))
    first = np.maximum((center - support + real(0.5)).astype(np.int64), 0)
    number = np.minimum((center + support + real(0.5)).astype(np.int64), size) - first
    number = np.clip(number, 0, math.ceil(support) * 2 + 1)
    place = np.arange(max(np.maximum.reduce(number, None, initial=1).item(), 1))[:, None]
    weights = shape((place + first - center + real(0.5)) * narrowing).astype(real)
    weights = np.where(place < number, weights, real(0))
    total = np.add.reduce(weights, 0)
    weights = np.where(total != 0, weights / np.where(total == 0, 1, total), weights)
    # Where others have more taps, there is none, which 0 times an infinite element would not be.
    return np.where(place < number, first + place, -1), weights.astype(kind)


@keeping_format(0)
def upsample_bytes(
    a: Array, output_size: tuple, mode: str, align_corners: bool, scales: tuple | None, antialias: bool
) -> Array:
    """Images of bytes, in whole numbers as image libraries do it: weights are rounded to 16 bits, results after each dimension."""
    r = a
    for i in (1, 0):
        dim = 2 + i
        if output_size[i] == a.shape[dim]:
            continue
        scale = scales[i] if scales is not None else None
        arguments = a.shape[dim], output_size[i], mode, align_corners, scale, np.dtype(np.float64)
        index, weight = smooth_taps(*arguments) if antialias else taps_of(*arguments)
        assert weight is not None
        index, weight = without_repeats(index, weight, a.shape[dim])
        precision, largest = 0, weight.max().item()
        while precision < 22 and int(0.5 + largest * (1 << (precision + 1))) < 1 << 15:
            precision += 1
        scaled = weight * (1 << precision)
        whole = np.where(scaled < 0, scaled - 0.5, scaled + 0.5).astype(np.int64)
        along = (-1,) + (1,) * (a.ndim - 1 - dim)
        total = np.full((*r.shape[:dim], output_size[i], *r.shape[dim + 1 :]), 1 << (precision - 1), np.int64)
        for t in range(len(index)):
            total += np.take(r, index[t], dim) * whole[t].reshape(along)
        r = np.clip(total >> precision, 0, 255).astype(np.uint8)
    return r.copy() if r is a else r


def without_repeats(index: Array, weight: Array, size: int) -> tuple[Array, Array]:
    """Taps that meet at the edge of the image made one."""
    index = np.where(index < 0, index.max(0), index)
    first = index.min(0)
    total = np.zeros(weight.shape)
    np.add.at(total, (index - first, np.arange(index.shape[1])), weight)
    return np.minimum(first + np.arange(len(index))[:, None], size - 1), total


def check_upsample(a: Array, output_size: tuple, mode: str, antialias: bool) -> None:
    """What resizing refuses."""
    n = len(output_size)
    sizes = a.shape[2:]
    if min(*sizes, *output_size) <= 0:
        letters = "DHW"[3 - n :]
        given, expected = (
            ", ".join([f"{c}: {s}" for c, s in zip(letters, values, strict=True)])
            for values in (sizes, output_size)
        )
        between = ") and output (" if n == 1 else ") output ("
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({given}{between}{expected})"
        )
    if 0 in a.shape[1:]:
        raise RuntimeError(
            f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes {list(a.shape)}"
        )
    if antialias and a.dtype not in (np.uint8, np.float32, np.float64):
        raise NotImplementedError(f"\"compute_index_ranges_weights\" not implemented for '{scalar_name(a)}'")
    kind = a.dtype.kind
    bytes_too = mode.startswith("nearest") or n == 2
    if kind != "f" and not (bytes_too and a.dtype == np.uint8):
        family = {"nearest": "nearest", "nearest-exact": "nearest", "bicubic": "cubic"}.get(mode, "linear")
        name = f"compute_indices_weights_{family}"
        if n == 2 and mode in ("nearest", "nearest-exact", "bilinear"):
            name = f"upsample_{mode.removesuffix('-exact')}2d_channels_last"
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")


# Elements at points of a grid --------------------------------------------------------------------------------------------------


def grid_sampler(a: Array, grid: Array, mode: int, padding_mode: int, align_corners: bool) -> Array:
    """Runs the formula of `jgrad/ops/resampling.py`; float16 is computed in float32 and rounded once."""
    check_grid(a, grid)
    refuse_grid_kinds(a, grid)
    kind = np.float32 if a.dtype == np.float16 else a.dtype
    a, half = a.astype(kind, copy=False), a.dtype
    values = libraries.library_of(a).kernels.grid_sampler_values(
        a, grid.astype(kind, copy=False), mode, padding_mode, align_corners
    )
    return values.astype(half, copy=False)


def to_index(a: Array) -> Array:
    return a.astype(np.int64)


# In the following (N, K, L) places in flat images are read, of which the one behind the last element stands for nothing.


def grid_blend(a: Array, index: Array, weight: Array) -> Array:
    """(N, C, P) -> (N, C, L): the elements at the places, times the weights, added up over K."""
    r = np.empty((*a.shape[:2], index.shape[2]), a.dtype)
    for image, places, weights, total in zip(with_nothing(a), index, weight, r, strict=True):
        for k in range(len(places)):
            part = taken(image, places[k], 1)
            part *= weights[k]
            if k:
                total += part
            else:
                total[...] = part
    return r


def grid_spread(a: Array, index: Array, weight: Array, size: int) -> Array:
    """(N, C, L) -> (N, C, P): zeros, to which the elements times the weights are added at the places."""
    r = np.zeros((*a.shape[:2], size + 1), a.dtype)
    for values, places, weights, image in zip(a, index, weight, r, strict=True):
        flat = places.reshape(-1)
        for line, channel in zip(values, image, strict=True):
            np.add.at(channel, flat, (line * weights).reshape(-1))
    return np.ascontiguousarray(r[:, :, :size])


def grid_felt(a: Array, b: Array, index: Array) -> Array:
    """(N, C, L) times the elements of (N, C, P) at the places, added up over the channels: (N, K, L)."""
    r = np.empty(index.shape, a.dtype)
    for values, image, places, found in zip(a, with_nothing(b), index, r, strict=True):
        for k in range(len(places)):
            part = taken(image, places[k], 1)
            part *= values
            np.add.reduce(part, 0, out=found[k])
    return r


def with_nothing(a: Array) -> Array:
    """A zero behind the last element of each channel."""
    r = np.zeros((*a.shape[:2], a.shape[2] + 1), a.dtype)
    r[:, :, :-1] = a
    return r


def affine_base(size: tuple, align_corners: bool, kind: np.dtype) -> Array:
    """The points of a grid from -1 to 1, last dimension first, and a one: (H * W, 3) or (D * H * W, 4)."""
    lines = []
    for n in size[2:]:
        line = np.linspace(-1, 1, n, dtype=kind) if n > 1 else np.zeros(n, kind)
        lines.append(line if align_corners or n < 2 else line * kind.type((n - 1) / n))
    grids = np.meshgrid(*lines, indexing="ij")
    return np.stack([*[g.ravel() for g in reversed(grids)], np.ones(math.prod(size[2:]), kind)], 1)


def affine_grid_generator(theta: Array, size: tuple, align_corners: bool) -> Array:
    if len(size) not in (4, 5):
        raise RuntimeError("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.")
    base = affine_base(size, align_corners, theta.dtype)
    if theta.shape[0] != size[0]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{size[0]}, {base.shape[1]}] "
            f"but got: [{theta.shape[0]}, {theta.shape[2]}]."
        )
    return np.matmul(base, theta.swapaxes(1, 2)).reshape((size[0], *size[2:], len(size) - 2))


def affine_grid_backward(grad: Array, size: tuple, align_corners: bool) -> Array:
    base = affine_base(size, align_corners, grad.dtype)
    rows = grad.reshape(size[0], -1, len(size) - 2)
    return np.ascontiguousarray(np.matmul(rows.swapaxes(1, 2), base))


def check_grid(a: Array, grid: Array) -> None:
    """What grid_sample refuses."""
    for i in range(2, a.ndim):
        if a.shape[i] == 0:
            raise RuntimeError(
                f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {list(a.shape)} "
                f"with dimension {i} being empty"
            )
    if a.shape[0] != grid.shape[0]:
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, but got input with sizes {list(a.shape)} "
            f"and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != a.ndim - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {a.ndim - 2} in last dimension, but got grid with sizes {list(grid.shape)}"
        )
    if a.ndim not in (4, 5) or a.ndim != grid.ndim:
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, "
            f"but got input with sizes {list(a.shape)} and grid with sizes {list(grid.shape)}"
        )


def refuse_grid_kinds(a: Array, grid: Array) -> None:
    if a.dtype.kind != "f":
        name = "grid_sampler_2d_cpu_kernel_impl" if a.ndim == 4 else "grid_sampler3d_cpu"
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")
    if a.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(grid)}")


# Channels and pixels exchanged -------------------------------------------------------------------------------------------------


@keeping_format(0)
def pixel_shuffle(a: Array, upscale_factor: int) -> Array:
    r = upscale_factor
    if a.ndim < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {a.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, c, h, w = a.shape
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={c} is not divisible by {r * r}"
        )
    n = len(lead)
    wide = a.reshape((*lead, c // (r * r), r, r, h, w))
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return np.array(wide.transpose(order), order="C").reshape((*lead, c // (r * r), h * r, w * r))


@keeping_format(0)
def pixel_unshuffle(a: Array, downscale_factor: int) -> Array:
    r = downscale_factor
    if a.ndim < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {a.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *lead, c, h, w = a.shape
    for name, size, dim in (("height", h, -2), ("width", w, -1)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({dim})={size} is not divisible by {r}"
            )
    n = len(lead)
    wide = a.reshape((*lead, c, h // r, r, w // r, r))
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return np.array(wide.transpose(order), order="C").reshape((*lead, c * r * r, h // r, w // r))


@keeping_format(0)
def channel_shuffle(a: Array, groups: int) -> Array:
    if a.ndim <= 2:
        raise RuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(a.shape)}"
        )
    n, c = a.shape[:2]
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if c % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups."
        )
    wide = a.reshape((n, groups, c // groups, *a.shape[2:]))
    return np.array(wide.swapaxes(1, 2), order="C").reshape(a.shape)


native_channel_shuffle = channel_shuffle
