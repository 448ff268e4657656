"""The kernels on NumPy arrays: sorting, selecting and searching. Part of `jgrad.kernels.numpy`.

Note [Order of elements]: nan is larger than every number, and 0 equals -0. Elements are ordered by `sort_order`, which is stable. Where PyTorch is not,
and there are equal elements, `in_pytorchs_order` does as it does, unless there are so many that it would take long.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from jgrad import dtypes, warn
from jgrad.kernels.numpy import ties
from jgrad.kernels.numpy.shape import Array, empty_like, scalar_name, wrap_dim
from jgrad.kernels.numpy.values import perhaps, refuse_outside

ROUNDS = 16  # elements that are faster found one by one
FAST = 64  # elements up to which NumPy's plain argsort is faster than anything cleverer

# ----- Order -----


def sort_keys(a: Array) -> Array:
    """Integers of the same width in the order of the elements (see Note [Order of elements])."""
    if a.dtype.kind != "f":
        return a.view(np.uint8) if a.dtype.kind == "b" else a
    if a.dtype == np.float16:
        a = a.astype(np.float32)
    whole: Any = np.dtype(np.int32 if a.dtype == np.float32 else np.int64)
    limits = np.iinfo(whole)
    bits = np.add(a, 0, order="C").view(whole)  # adding 0 makes 0 of -0
    # The bits of a negative number count downwards from its sign.
    keys = np.bitwise_xor(bits, (bits >> (whole.itemsize * 8 - 1)) & limits.max)
    if perhaps(nan := np.isnan(a)):
        np.copyto(keys, limits.max, where=nan)
    return keys


def sort_order(a: Array, descending: bool = False) -> Array:
    """The indices that sort the last dimension; equal elements keep their order."""
    if a.size <= FAST or (a.dtype.itemsize <= 2 and a.dtype.kind in "iub"):
        return stable_order(a, descending)  # NumPy sorts small integers by radix
    if (keys := narrow_keys(a)) is not None:
        # The key in the upper half of an integer, the position in the lower: one plain sort, which NumPy has vectorised.
        packed = packed_keys(keys, descending)
        packed.sort(-1)
        packed &= 2**32 - 1
        return packed
    if not descending and a.dtype.kind in "fi":
        order = np.argsort(a, -1)  # vectorised, but not stable: which shows if elements are equal
        ordered = np.take_along_axis(a, order, -1)
        if not (ordered[..., 1:] == ordered[..., :-1]).any() and not (ordered != ordered).any():
            return order
    return stable_order(a, descending)


def narrow_keys(a: Array) -> Array | None:
    """Keys of 32 bits, if the elements have such."""
    if a.shape[-1] >= 2**31 or not a.size:
        return None
    if a.dtype.itemsize <= 4:
        return sort_keys(a)
    if a.dtype.kind == "i" and a.size > FAST and a.min() >= -(2**31) and a.max() < 2**31:
        return a
    return None


def stable_order(a: Array, descending: bool) -> Array:
    if descending:  # sorted backwards, then turned round, so that equal elements keep their order
        return a.shape[-1] - 1 - np.argsort(a[..., ::-1], -1, kind="stable")[..., ::-1]
    return a.argsort(-1, kind="stable")


def elements_at(rows: Array, order: Array) -> Array:
    """The elements of rows at positions."""
    return rows[order] if rows.ndim == 1 else np.take_along_axis(rows, order, -1)


def last(a: Array, d: int) -> Array:
    """A view with this dimension as the last."""
    return a if d == a.ndim - 1 else np.moveaxis(a, d, -1)


def packed_keys(keys: Array, descending: bool) -> Array:
    """Keys and positions in one integer; sorting these in ascending order sorts the keys in the order asked for, and stably."""
    wide = keys.astype(np.int64)
    if descending:
        np.invert(wide, out=wide)
    wide <<= 32
    wide |= np.arange(keys.shape[-1])
    return wide


def in_pytorchs_order(
    order: Array, rows: Array, descending: bool, k: int, positions: Any, always: bool = False
) -> Array:
    """The order in which PyTorch leaves rows with equal elements among the first k, and at their border to the others (or all rows)."""
    if rows.size > ties.FEW:
        return order[..., :k]
    near = elements_at(rows, order[..., : k + 1])
    equal = near[..., 1:] == near[..., :-1]
    if rows.dtype.kind == "f" and (nan := np.isnan(near)).any():
        equal |= nan[..., 1:] & nan[..., :-1]
    if not always and not equal.any():
        return order[..., :k]
    n = rows.shape[-1]
    first = np.array(order[..., :k]).reshape(-1, k)
    keys = sort_keys(rows).reshape(-1, n)
    for row in np.flatnonzero(equal.reshape(len(keys), -1).any(1) | always).tolist():
        values = keys[row].tolist()
        first[row] = positions([-v for v in values] if descending else values)
    return first.reshape(*rows.shape[:-1], k)


def sort(a: Array, dim: int = -1, descending: bool = False) -> tuple[Array, Array]:
    return sort_stable(a, False, dim, descending)


def sort_stable(
    a: Array, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[Array, Array]:
    d = wrap_dim(dim, a.ndim)
    if a.dtype.kind == "c":
        raise RuntimeError(" Sort does not support complex dtypes on CPU")
    if not a.ndim:
        return a.copy(), np.zeros((), np.int64)
    rows = last(a, d)
    order = sort_order(rows, descending)
    if not stable and rows.shape[-1] > ties.SHORT:
        order = in_pytorchs_order(order, rows, descending, rows.shape[-1], ties.sorted_positions)
    values, indices = empty_like(a), empty_like(a, np.dtype(np.int64))
    last(values, d)[...] = elements_at(rows, order)
    last(indices, d)[...] = order
    return values, indices


def argsort(a: Array, dim: int = -1, descending: bool = False) -> Array:
    return sort(a, dim, descending)[1]


def argsort_stable(a: Array, stable: bool, dim: int = -1, descending: bool = False) -> Array:
    return sort_stable(a, stable, dim, descending)[1]


# ----- Selection -----


def topk(a: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Array, Array]:
    d = wrap_dim(dim, a.ndim)
    if k < 0 or k > (a.shape[d] if a.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if a.dtype.kind in "cb":
        raise RuntimeError(
            f"{'topk does not support bool' if a.dtype.kind == 'b' else ' topk does not support complex'} dtypes on CPU"
        )
    if not a.ndim:
        return a.copy(), np.zeros((), np.int64)
    rows = last(a, d)
    n = rows.shape[-1]
    if (
        0 < k <= ROUNDS
        and 4 * k < n
        and a.size > ties.FEW
        and (found := by_rounds(rows, k, largest)) is not None
    ):
        order = found
    elif k and 4 * k < n < 2**31 and a.dtype.itemsize <= 4 and a.size > ties.FEW:
        packed = packed_keys(sort_keys(rows), largest)
        packed.partition(k - 1, -1)
        order = packed[..., :k]
        order.sort(-1)
        order &= 2**32 - 1
    elif k and 4 * k < n and a.size > ties.FEW and (found := beyond_threshold(rows, k, largest)) is not None:
        order = found
    elif rows.size:
        order = in_pytorchs_order(
            sort_order(rows, largest),
            rows,
            largest,
            k,
            lambda keys: ties.first_positions(keys, k, sorted),
            not sorted,
        )
    else:
        order = np.zeros((*rows.shape[:-1], k), np.int64)
    values = elements_at(rows, order)
    if d != a.ndim - 1:
        values, order = np.moveaxis(values, -1, d), np.moveaxis(order, -1, d)
    return np.array(values, order="C"), np.array(order, np.int64, order="C")


def by_rounds(rows: Array, k: int, largest: bool) -> Array | None:
    """The positions of the k largest (smallest) elements in order, one after the other: to find one is much faster than to sort.

    None if a row has not that many that differ from what marks those already found, or nan, which NumPy takes for the smallest too.
    """
    if rows.dtype.char not in "fdil":
        return None
    n = rows.shape[-1]
    rest = np.array(rows, order="C").reshape(-1)
    info: Any = np.finfo(rows.dtype) if rows.dtype.kind == "f" else np.iinfo(rows.dtype)
    found = (-np.inf if largest else np.inf) if rows.dtype.kind == "f" else info.min if largest else info.max
    begins = np.arange(0, rest.size, n)
    order, values = np.empty((k, len(begins)), np.int64), np.empty((k, len(begins)), rows.dtype)
    for i in range(k):
        places = rest.reshape(-1, n).argmax(1) if largest else rest.reshape(-1, n).argmin(1)
        order[i] = places
        places += begins
        values[i] = rest[places]
        rest[places] = found
    if perhaps(values == found) or (not largest and rows.dtype.kind == "f" and perhaps(np.isnan(values))):
        return None
    return order.T.reshape(*rows.shape[:-1], k)


def beyond_threshold(rows: Array, k: int, largest: bool) -> Array | None:
    """The positions of the k largest (smallest) elements in order, if the k-th of no row is equal to another."""
    keys = sort_keys(rows)
    n = rows.shape[-1]
    place = n - k if largest else k - 1
    threshold = np.partition(keys, place, -1)[..., place : place + 1]
    chosen = keys >= threshold if largest else keys <= threshold
    positions = np.nonzero(chosen.reshape(-1, n))[1]
    if len(positions) != rows.size // n * k:
        return None
    order = positions.reshape(*rows.shape[:-1], k)
    return np.take_along_axis(order, stable_order(np.take_along_axis(rows, order, -1), largest), -1)


def kthvalue(a: Array, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Array, Array]:
    d = wrap_dim(dim, a.ndim)
    n = a.shape[d] if a.ndim else 1
    if not n:
        raise IndexError(f"kthvalue(): Expected reduction dim {d} to have non-zero size.")
    if k < 1 or k > n:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {d}")
    if a.dtype.kind in "cb" and a.ndim:
        kind = dtypes.FROM_NUMPY[a.dtype].type_name
        raise NotImplementedError(f"\"kthvalue_cpu\" not implemented for '{kind}'")
    if not a.ndim:
        return a.copy(), np.zeros((), np.int64)
    rows = last(a, d)
    order = sort_order(rows)
    if rows.size:
        order = in_pytorchs_order(
            order, rows, False, k, lambda keys: [0] * (k - 1) + [ties.kth_position(keys, k - 1)]
        )
    order = order[..., k - 1 : k]
    values = elements_at(rows, order)
    if keepdim:
        values, order = np.moveaxis(values, -1, d), np.moveaxis(order, -1, d)
    else:
        values, order = values[..., 0], order[..., 0]
    return np.array(values, order="C"), np.array(order, np.int64, order="C")


# ----- Searching -----


def isin(elements: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> Array:
    common = dtypes.result_of([elements, test_elements])
    for given in (elements, test_elements):
        if isinstance(given, np.ndarray) and given.dtype.kind in "cb":
            kind = dtypes.FROM_NUMPY[given.dtype].type_name
            raise RuntimeError(f"Unsupported input type encountered for isin(): {kind}")
    # (An integer that is too large for the dtype is among no elements.)
    a, b = (
        np.asarray(g, np.int64 if isinstance(g, int) and common.numpy.kind in "iu" else common.numpy)
        for g in (elements, test_elements)
    )
    return np.isin(a, b, invert=invert)


def searchsorted(
    boundaries: Array,
    values: Any,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Array | None = None,
) -> Array:
    number = not isinstance(values, np.ndarray)
    common = dtypes.result_of([boundaries, values]).numpy
    original = boundaries
    values = np.asarray(values)
    check_search(boundaries, values, right, side, sorter)
    if common.kind in "cb" and values.size:
        kind = dtypes.FROM_NUMPY[common].type_name
        raise NotImplementedError(f"\"searchsorted_out_cpu\" not implemented for '{kind}'")
    if not number and not (original.flags.c_contiguous and values.flags.c_contiguous):
        which = "boundary" if not original.flags.c_contiguous else "input value"
        warn.once(
            f"torch.searchsorted(): {which} tensor is non-contiguous, this will lower the performance due to extra data copy when converting "
            f"non-contiguous tensor to contiguous, please use contiguous {which} tensor if possible. This message will only appear once per "
            "program.",
        )
    boundaries, values = boundaries.astype(common, copy=False), values.astype(common, copy=False)
    if sorter is not None:
        text = "torch.searchsorted(): sorter index out of range"
        refuse_outside(sorter, 0, boundaries.shape[-1], lambda: RuntimeError(text))
        boundaries = np.take_along_axis(boundaries, sorter, -1)
    after = right or side == "right"
    where: Literal["left", "right"] = "right" if after else "left"
    if boundaries.ndim == 1 and in_order(boundaries):
        found = np.searchsorted(boundaries, values, where)
    elif boundaries.ndim > 1 and boundaries.size and values.shape[-1] >= 64 and in_order(boundaries):
        rows = boundaries.reshape(-1, boundaries.shape[-1])
        each = zip(rows, values.reshape(len(rows), -1), strict=True)
        found = np.stack([np.searchsorted(row, sought, where) for row, sought in each]).reshape(values.shape)
    else:
        found = bisect(boundaries, values, after)
    return np.asarray(found).astype(np.int32 if out_int32 else np.int64, order="C", copy=False)


def in_order(boundaries: Array) -> bool:
    """Whether NumPy can search here: nothing is out of order, nor nan."""
    return bool((boundaries[..., 1:] >= boundaries[..., :-1]).all() and not np.isnan(boundaries).any())


def check_search(
    boundaries: Array, values: Array, right: bool, side: str | None, sorter: Array | None
) -> None:
    """Refuse, in PyTorch's words, what can't be searched."""

    def refuse(text: str) -> None:
        raise RuntimeError("torch.searchsorted(): " + text)

    if side is not None and side not in ("left", "right"):
        refuse(f"side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        refuse("side and right can't be set to opposites, got side of left while right was True")
    if sorter is not None and sorter.shape != boundaries.shape:
        refuse(
            f"boundary and sorter must have the same size, but got boundary tensor {list(boundaries.shape)}and got sorter tensor "
            f"{list(sorter.shape)}"
        )
    if sorter is not None and sorter.dtype != np.int64:
        refuse(
            f"sorter must be a tensor of long dtype but got dtype {dtypes.FROM_NUMPY[sorter.dtype].type_name}"
        )
    if not values.ndim and boundaries.ndim != 1:
        refuse(
            "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor "
            f"dim({boundaries.ndim}) and input value's dim(0) numel(1)"
        )
    if not boundaries.ndim:
        refuse("boundaries tensor should have positive dimension, but got 0 dimension")
    if boundaries.ndim > 1 and boundaries.shape[:-1] != values.shape[:-1]:
        refuse(
            "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, "
            f"but we got boundaries tensor {list(boundaries.shape)} and input value tensor {list(values.shape)}"
        )


def bisect(boundaries: Array, values: Array, after: bool) -> Array:
    """Binary search in the rows of the boundaries for all values at once; also where they hold nan or are not in order."""
    low = np.zeros(values.shape, np.int64)
    high = np.full(values.shape, boundaries.shape[-1], np.int64)
    for _ in range(boundaries.shape[-1].bit_length()):
        open_ = low < high
        middle = np.minimum((low + high) >> 1, boundaries.shape[-1] - 1)
        met = boundaries.take(middle) if boundaries.ndim == 1 else np.take_along_axis(boundaries, middle, -1)
        onward = open_ & ~(met > values if after else met >= values)
        low = np.where(onward, middle + 1, low)
        high = np.where(open_ & ~onward, middle, high)
    return low


def bucketize(values: Any, boundaries: Array, out_int32: bool = False, right: bool = False) -> Array:
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, values, out_int32, right)


# ----- Distinct elements -----


def unique2(
    a: Array, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Array, Array, Array]:
    refuse_complex_distinct(a)
    flat = a.reshape(-1)
    if not flat.size:
        return distinct(flat, np.zeros(0, bool), None, a.shape, return_inverse, return_counts)
    order = sort_order(flat)
    ranked = flat[order]
    return distinct(ranked, begins_of_runs(ranked), order, a.shape, return_inverse, return_counts)


def unique_consecutive(
    a: Array, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Array, Array, Array]:
    if dim is not None:
        rows, back = slices(a, dim)
        return runs_of_slices(rows, None, back)
    refuse_complex_distinct(a)
    flat = a.reshape(-1)
    return distinct(flat, begins_of_runs(flat), None, a.shape, return_inverse, return_counts)


def begins_of_runs(a: Array) -> Array:
    """Where an element differs from the one before it."""
    return np.concatenate([np.ones(1, bool), a[1:] != a[:-1]])[: a.size]


def distinct(
    ranked: Array, begins: Array, order: Array | None, shape: tuple, return_inverse: bool, return_counts: bool
) -> tuple[Array, Array, Array]:
    """Of elements in which equal ones follow each other: the first of each run, the run each one is in, the length of the runs."""
    inverse, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if return_inverse:
        inverse = run_of_each(begins, order).reshape(shape)
    if return_counts:
        counts = run_lengths(begins)
    return ranked[begins], inverse, counts


def run_of_each(begins: Array, order: Array | None) -> Array:
    runs = np.cumsum(begins, dtype=np.int64) - 1
    if order is None:
        return runs
    inverse = np.empty(runs.shape, np.int64)
    inverse[order] = runs
    return inverse


def run_lengths(begins: Array) -> Array:
    return np.diff(np.flatnonzero(np.concatenate([begins, np.ones(1, bool)]))).astype(np.int64, copy=False)


def unique_dim(
    a: Array, dim: int, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Array, Array, Array]:
    rows, back = slices(a, dim)
    if a.dtype.kind == "f" and 1 < len(rows) <= INSERTED and np.isnan(rows).any().item():
        return runs_of_slices(rows, np.array(inserted(rows.tolist())), back)
    columns = [sort_keys(np.ascontiguousarray(c)) for c in rows.T[::-1]]
    order = np.lexsort(columns) if columns and len(rows) else np.arange(len(rows))
    return runs_of_slices(rows, order, back)


# So many rows C++ sorts by insertion.
INSERTED = 16


def inserted(rows: list[list[float]]) -> list[int]:
    """The order of rows with nan, which is neither less nor greater than a number: where each row lands depends on how one sorts."""

    def before(i: int, j: int) -> bool:
        different = (x < y for x, y in zip(rows[i], rows[j], strict=True) if x < y or x > y)
        return next(different, False)

    order: list[int] = []
    for i in range(len(rows)):
        place = len(order)
        if order and before(i, order[0]):
            place = 0
        while place and before(i, order[place - 1]):
            place -= 1
        order.insert(place, i)
    return order


def slices(a: Array, dim: int) -> tuple[Array, Any]:
    """The slices along a dimension as rows of a matrix, and the function that makes of such rows again what they were."""
    refuse_complex_distinct(a, "unique_dim")
    if not a.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d = wrap_dim(dim, a.ndim)
    empty = [i for i, n in enumerate(a.shape) if not n]
    if empty and empty != [d]:
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    moved = np.moveaxis(a, d, 0)
    rest = moved.shape[1:]
    size = 1
    for n in rest:
        size *= n
    return np.ascontiguousarray(moved).reshape(a.shape[d], size), lambda rows: np.moveaxis(
        rows.reshape(len(rows), *rest), 0, d
    )


def runs_of_slices(rows: Array, order: Array | None, back: Any) -> tuple[Array, Array, Array]:
    ranked = rows if order is None else rows[order]
    begins = np.concatenate([np.ones(1, bool), (ranked[1:] != ranked[:-1]).any(1)])[: len(rows)]
    return back(ranked[begins]), run_of_each(begins, order), run_lengths(begins)


def refuse_complex_distinct(a: Array, name: str = "unique") -> None:
    if a.dtype.kind == "c":
        raise NotImplementedError(f"\"{name}\" not implemented for '{scalar_name(a)}'")
