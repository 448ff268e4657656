"""The kernels on NumPy arrays: padding, and elements picked along a dimension. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jgrad.kernels.numbers import fill_number
from jgrad.kernels.numpy.shape import Array, clone, keeping_format, refuse_bool

# Picking elements along one dimension, and its derivative ----------------------------------------------------------------------


def added_at(a: Array, dim: int, index: Array, weight: Array | None, size: int) -> Array:
    """Zeros with `size` elements along a dimension, to whose elements `index` those of `a` are added: what undoes `np.take`.

    `index` has a row for each time that all elements are added, and so has `weight`, by which they are multiplied before.
    """
    groups = [[(evenly(places[c]), evenly(c)) for c in without_repetitions(places)] for places in index]
    slices = all([i.__class__ is slice for group in groups for pair in group for i in pair])
    if not slices:  # then whole rows are read and written
        a, dim, last = np.ascontiguousarray(np.moveaxis(a, dim, 0)), 0, dim
    r, along = np.zeros((*a.shape[:dim], size, *a.shape[dim + 1 :]), a.dtype), (slice(None),) * dim
    if a.size:
        for t, group in enumerate(groups):
            part = a if weight is None else a * weight[t].reshape((-1,) + (1,) * (a.ndim - 1 - dim))
            for places, chosen in group:
                r[(*along, places)] += part[(*along, chosen)]
    return r if slices else np.ascontiguousarray(np.moveaxis(r, 0, last))


def without_repetitions(index: Array) -> list[Array]:
    """Positions in an index (without those of -1), in groups in each of which no element comes twice: NumPy's unbuffered addition
    would be much slower."""
    order = np.argsort(index, kind="stable")
    order = order[index[order] >= 0]
    if not len(order):
        return []
    starts = np.flatnonzero(np.diff(index[order], prepend=-1))
    turn = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return [order[turn == k] for k in range(int(turn.max()) + 1)]


def evenly(index: Array) -> Array | slice:
    """An increasing index as a slice if its steps are equal, which NumPy reads without copying."""
    if len(index) < 2:
        return slice(int(index[0]), int(index[0]) + 1)
    step = int(index[1] - index[0])
    if step > 0 and np.all(np.diff(index) == step):
        return slice(int(index[0]), int(index[-1]) + 1, step)
    return index


# Padding -----------------------------------------------------------------------------------------------------------------------


@keeping_format(0)
def constant_pad_nd(a: Array, pad: tuple, value: float = 0) -> Array:
    sides = pad_sides(a.ndim, pad)
    shape = []
    for n, (before, after) in zip(a.shape, sides, strict=True):
        kept = n + min(before, 0) + min(after, 0)
        if kept < 0 or n + before + after < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        shape.append(n + before + after)
    inner = a[tuple([slice(max(-b, 0), n - max(-e, 0)) for n, (b, e) in zip(a.shape, sides, strict=True)])]
    if inner.shape == tuple(shape):
        return clone(inner)
    r = np.zeros(shape, a.dtype) if value == 0 else np.full(shape, fill_number(value, a.dtype), a.dtype)
    place = [slice(max(b, 0), max(b, 0) + n) for n, (b, _) in zip(inner.shape, sides, strict=True)]
    r[tuple(place)] = inner
    return r


def pad_sides(ndim: int, pad: tuple) -> list[tuple[int, int]]:
    """What is put before and after each dimension; PyTorch lists the last dimension first."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension "
            f"but got padding length {len(pad)} and input of dimension {ndim}"
        )
    pairs = list(zip(pad[::2], pad[1::2], strict=True))[::-1]
    return [(0, 0)] * (ndim - len(pairs)) + pairs


@keeping_format(0)
def reflection_pad(a: Array, padding: tuple) -> Array:
    check_padding(a, padding, "reflection")
    return padded_from(a, padding, reflected)


def reflection_pad_backward(grad: Array, a: Array, padding: tuple) -> Array:
    return unpadded_to(grad, a.shape, padding, reflected)


@keeping_format(0)
def replication_pad(a: Array, padding: tuple) -> Array:
    check_padding(a, padding, "replication")
    return padded_from(a, padding, replicated)


def replication_pad_backward(grad: Array, a: Array, padding: tuple) -> Array:
    return unpadded_to(grad, a.shape, padding, replicated)


def reflected(size: int, before: int, after: int) -> Array:
    """For each place of the padded dimension the element that stands there, mirrored at the ends."""
    places = np.abs(np.arange(-before, size + after))
    return size - 1 - np.abs(size - 1 - places)


def replicated(size: int, before: int, after: int) -> Array:
    """For each place of the padded dimension the element that stands there, the ends repeated."""
    return np.clip(np.arange(-before, size + after), 0, size - 1)


def padded_from(a: Array, padding: tuple, places: Callable) -> Array:
    """The elements with a mirrored or repeated edge: written to their place, then the edges of each dimension copied from their neighbours."""
    sides = pad_sides(a.ndim, padding)
    for dim, (before, after) in enumerate(sides):
        if min(before, after) < 0:
            a = np.take(a, places(a.shape[dim], before, after), dim)
            sides[dim] = 0, 0
    r = np.empty([before + n + after for n, (before, after) in zip(a.shape, sides, strict=True)], a.dtype)
    r[tuple([slice(before, before + n) for n, (before, _) in zip(a.shape, sides, strict=True)])] = a
    for dim in reversed(range(a.ndim)):
        inner = tuple(
            [slice(before, before + n) for n, (before, _) in zip(a.shape[:dim], sides, strict=False)]
        )
        for edge, beside in edges(a.shape[dim], *sides[dim], places is reflected):
            r[(*inner, edge)] = r[(*inner, slice(beside.start + sides[dim][0], beside.stop + sides[dim][0]))][
                (slice(None),) * dim + (slice(None, None, -1),)
            ]
    return r


def unpadded_to(grad: Array, shape: tuple, padding: tuple, places: Callable) -> Array:
    sides = pad_sides(len(shape), padding)
    for dim, (before, after) in enumerate(sides):
        if min(before, after) < 0:
            grad = added_at(grad, dim, places(shape[dim], before, after)[None], None, shape[dim])
        elif before or after:
            along, n = (slice(None),) * dim, shape[dim]
            r = grad[(*along, slice(before, before + n))].copy()
            for edge, beside in edges(n, before, after, places is reflected):
                strip = grad[(*along, edge)]
                mirrored = strip[(*along, slice(None, None, -1))]
                r[(*along, beside)] += (
                    mirrored if places is reflected else np.add.reduce(strip, dim, keepdims=True)
                )
            grad = r
    return grad


def edges(n: int, before: int, after: int, mirrored: bool) -> list[tuple[slice, slice]]:
    """The edges of a padded dimension, and the elements that they show, counted without padding: as many, or one that is repeated."""
    found = []
    if before:
        found.append((slice(0, before), slice(1, 1 + before) if mirrored else slice(0, 1)))
    if after:
        beside = slice(n - 1 - after, n - 1) if mirrored else slice(n - 1, n)
        found.append((slice(before + n, before + n + after), beside))
    return found


def check_padding(a: Array, padding: tuple, kind: str) -> None:
    """What reflection_pad and replication_pad refuse."""
    n = len(padding) // 2
    if a.ndim not in (n + 1, n + 2) or 0 in a.shape[-n - 1 :]:
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(a.shape)}"
        )
    if kind == "reflection":
        for i in range(n):
            dim, pair = a.ndim - 1 - i, tuple(padding[2 * i : 2 * i + 2])
            if max(pair) >= a.shape[dim]:
                raise RuntimeError(
                    f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input dimension, "
                    f"but got: padding ({pair[0]}, {pair[1]}) at dimension {dim} of input {list(a.shape)}"
                )
    sizes = a.shape[-n:]
    results = [s + b + e for s, (b, e) in zip(sizes, pad_sides(n, padding), strict=True)]
    if (n == 1 and results[0] < 1) or (n > 1 and max(results) < 1) or (n == 3 and min(results) < 1):
        names = "DHW"[3 - n :]
        given = ", ".join(f"{c}: {s}" for c, s in zip(names, sizes, strict=True))
        found = " ".join(f"{c}: {s}" for c, s in zip(names, results, strict=True))
        raise RuntimeError(f"input ({given}) is too small. Calculated output {found}")
    refuse_bool(f"{kind}_pad{n}d", a)
