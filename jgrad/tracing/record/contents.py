"""Small copies of the contents of arrays, how large they are, and how numbers are written."""

from __future__ import annotations

import math
import weakref
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from jgrad.dispatch.batched import NoData
from jgrad.dtypes import FROM_NUMPY, INEXACT, REAL
from jgrad.engine.gradients import expandable
from jgrad.graph.node import AccumulateGrad, Edge, Node
from jgrad.kernels import libraries
from jgrad.kernels.meta import MetaArray
from jgrad.kernels.numpy.memory import Array
from jgrad.kernels.sparse import SparseArray, sparse_coalesced

UNREADABLE = (
    NoData,
    MetaArray,
)  # one example of vmap's, and what lies on the device meta: they have no elements
WHOLE = 64  # elements up to which contents are kept in full
ENDS = 24  # elements kept from each end of longer ones
TINY = 1e-30  # a sum of squares below which some squares may have become 0 in float32
COMPARED = 4096  # elements up to which a write's contents are compared, an index map drawn
BLOCK = 8192  # elements of a large gradient that are squared and added at once
CHANGED = 256  # changed places listed per write
BANDS = 100  # at most so many bands show a storage of more than `WHOLE` elements
SAMPLED = 512  # about so many elements a sample has (up to twice as many)
FULL_LOOKS = 1 << 22  # elements that are read in full in all, and what a look counts at least:
LEAST_LOOK = 1 << 16
# Memory that was never written holds numbers that NumPy warns of when it touches them, and the user may have asked it to raise instead.
silent = np.errstate(all="ignore")
ndarray, F32, F64 = np.ndarray, np.dtype("float32"), np.dtype("float64")


def on_host(array: Array) -> Any:
    """The elements of an array on any device, as a NumPy array. It should be small: the program waits for the device, and the elements are copied."""
    return array if array.__class__ is np.ndarray else libraries.of(array).kernels.seen(array)


def contents(root: Array) -> bytes:
    """The elements of a storage in memory order: all of them or both ends."""
    if root.size <= WHOLE:
        if root.__class__ is ndarray and root.flags.c_contiguous:
            return root.tobytes()
        return on_host(root if root.ndim < 2 or root.flags.c_contiguous else root.ravel("K")).tobytes()
    flat = root.ravel("K")
    return on_host(flat[:ENDS]).tobytes() + on_host(flat[-ENDS:]).tobytes()


class Ends(NamedTuple):
    """What is kept of a storage with many elements."""

    ends: bytes  # its first and its last elements
    sample: bytes  # every `step`-th element, from which `values.py` makes the bands; none if `bands` has them
    step: int
    bands: (
        tuple[bytes, float | None, float | None] | None
    )  # means of float64, the least and the largest finite element


Held = bytes | Ends | None  # contents of a storage; None on the device meta


class Look:
    """Reads the contents of storages for one recording.

    For a large storage we need the mean of each band (`schema.Bands`). Reading a million elements three times takes longer than adding
    them. So only the first large contents of a recording are read in full, and about a thousand elements of each of the others. The number of
    reads is fixed, not their time, so two runs of a program give the same document. Together they take some milliseconds.
    """

    def __init__(self) -> None:
        self._left = FULL_LOOKS

    def __call__(self, root: Array) -> Held:
        """The elements of a storage in memory order: all of them, or both ends and what the bands are made of."""
        n = root.size
        if root.__class__ is MetaArray:
            return None
        if n <= WHOLE:
            return root.tobytes() if root.__class__ is ndarray and root.flags.c_contiguous else contents(root)
        flat = root if root.ndim == 1 else root.ravel("K")
        if root.__class__ is not ndarray:
            return Ends(contents(flat), on_host(flat[:: step_of(n)]).tobytes(), step_of(n), None)
        ends = flat[:ENDS].tobytes() + flat[-ENDS:].tobytes()
        step = step_of(n)
        if step > 1 and self._left >= n and flat.dtype.kind in "biufV":
            self._left -= max(n, LEAST_LOOK)
            return Ends(ends, b"", 1, bands_of(flat))
        return Ends(ends, flat[::step].tobytes(), step, None)


@lru_cache(1000)
def step_of(n: int) -> int:
    """The distance between the elements of a sample of n elements. It has no factor that the length of a row usually has. With a common factor only
    some columns would be read."""
    step = max(n // SAMPLED, 1)
    while math.gcd(step, 210) > 1:
        step -= 1
    return step


def band_size(n: int) -> int:
    """How many elements a band of n elements has; the last one may have fewer."""
    return -(-n // BANDS)


@silent
def bands_of(flat: Any, step: int = 1, n: int | None = None) -> tuple[bytes, float | None, float | None]:
    """`Ends.bands` of elements, or of every `step`-th of n elements."""
    size = band_size(len(flat) if n is None else n)
    if flat.dtype.kind == "c":
        flat = abs(flat)
    if flat.dtype is not F32:
        flat = flat.astype(np.float64)
    least: float | None = float(flat.min())
    largest: float | None = float(flat.max())
    if not (math.isfinite(least) and math.isfinite(largest)):  # type: ignore[arg-type]
        finite = flat[np.isfinite(flat)]
        least, largest = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    means = _means(flat, size, step)
    if least is not None and largest is not None and not np.isfinite(means).all():
        # Perhaps only the sum was too large.
        means = _means(flat / np.float64(4 * len(flat)), size, step) * (4.0 * len(flat))
    return means.tobytes(), least, largest


def _means(flat: Any, size: int, step: int) -> Any:
    """The mean of each band of `size` elements, from every `step`-th of them."""
    if step > 1:
        places = np.arange(len(flat)) * step // size
        starts = np.searchsorted(places, np.arange(places[-1] + 1))
        return np.add.reduceat(flat, starts, dtype=np.float64) / np.diff([*starts, len(flat)])
    whole = len(flat) // size
    rows = flat[: whole * size].reshape(whole, size)
    means = np.einsum("ij->i", rows).astype(np.float64) / size  # which takes a third of the time of `sum`
    rest = flat[whole * size :]
    return np.append(means, rest.mean(dtype=np.float64)) if rest.size else means


def kept_of(root: Array) -> tuple[int, Any, bytes]:
    """A copy of a storage's contents: elements (-1 on the device meta), dtype, bytes in memory order."""
    if root.__class__ is MetaArray:
        return -1, root.dtype, b""
    if root.__class__ is ndarray and root.flags.c_contiguous:
        return root.size, root.dtype, root.tobytes()
    return root.size, root.dtype, on_host(root if root.ndim < 2 else root.ravel("K")).tobytes()


def array_of(kept: tuple[int, Any, bytes]) -> Any:
    """What `kept_of` copied, as an array of one dimension."""
    return np.frombuffer(kept[2], kept[1])


@silent
def places_that_differ(before: Any, after: Any) -> list[int] | None:
    """Where two arrays of one dimension differ; None if there are too many to list."""
    differs = before != after
    if after.dtype.kind in INEXACT:
        differs &= (before == before) | (after == after)  # from nan to nan is no change
    places = np.flatnonzero(differs)
    return places.tolist() if places.size <= CHANGED else None


def measure(array: Array) -> tuple | None:
    """(shape, dtype, bytes in reading order or None, how large it is or None) of an array: what a Value is made of afterwards."""
    if array.__class__ is ndarray:
        if array.size <= WHOLE:
            return array.shape, array.dtype, array.tobytes(), None
        return array.shape, array.dtype, None, extent(array)
    if array is None:
        return None
    if isinstance(array, np.generic):
        return measure(np.asarray(array))
    if isinstance(array, UNREADABLE):
        return array.shape, array.dtype, None, {}
    if array.size <= WHOLE:
        return array.shape, array.dtype, on_host(array).tobytes(), None
    with libraries.on_device_of((array,)):
        return array.shape, array.dtype, None, extent(array)


class Measuring:
    """`measure` for gradients, which looks at a large one once while a backward pass hands it on."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref, tuple | None]] = {}
        self._sent: dict[
            Any, int
        ] = {}  # the address of the last large gradient that was sent to a place in the graph

    def __call__(self, array: Array) -> tuple | None:
        if array is None or array.size <= COMPARED:
            return measure(array)
        known = self._known.get(id(array))
        if known is None or known[0]() is not array:
            known = self._known[id(array)] = (weakref.ref(array), measure(array))
        return known[1]

    def sent(self, array: Array, place: Any) -> tuple | None:
        """The measures of a gradient that a node sends to a place in the graph. The engine adds a second gradient for the same place to the first
        one, maybe in place. So what is known of the two is forgotten."""
        found = self(array)
        if array.size > COMPARED:
            before = self._sent.get(place)
            if before is not None:
                self._known.pop(before, None)
                self._known.pop(id(array), None)
            self._sent[place] = id(array)
        return found

    def forget(self) -> None:
        """Something was written to, or a backward pass is over."""
        self._known.clear()
        self._sent.clear()


@silent
def extent(array: Array) -> float | dict[str, Any]:
    """The sum of the squares of an array of numbers. It takes one fast pass over the elements: more passes would take longer than the operation
    itself, and a sample could miss the one element that is nan. If elements are nan or inf, it returns how many, and the norm of the rest. (On a
    device it is computed there.)"""
    dtype, times = array.dtype, 1
    if dtype.kind not in "fiuV":
        return {}
    if isinstance(array, SparseArray):
        array = sparse_coalesced(array).values  # the others are zero
    if 0 in array.strides:  # what is expanded is the same elements seen many times
        size = array.size
        array = array[tuple([slice(0, 1) if s == 0 else slice(None) for s in array.strides])]
        times = size // max(array.size, 1)
    flat = array if array.ndim == 1 else array.ravel("K")
    if dtype is not F32 and dtype is not F64 and (dtype.kind != "f" or dtype.itemsize < 4):
        flat = flat.astype(np.float64)
    square = squared(flat)
    # (`item` takes as long as the product of a hundred elements. But it is the only way to read a number from a device.)
    square = (float(square) if flat.__class__ is ndarray else square.item()) * times
    if square - square == 0:
        return square if square > TINY else small(flat, times)
    of = libraries.of(flat).np
    nan, inf = (what.sum().item() * times for what in (of.isnan(flat), of.isinf(flat)))
    found: dict[str, Any] = {"norm": None}
    if not inf:
        known = flat[~of.isnan(flat)].astype(np.float64)
        found["norm"] = plain(math.sqrt(known.dot(known).item() * times)) if known.size else None
    return found | not_finite(nan, inf)


def squared(flat: Any) -> Any:
    """The sum of the squares of an array of one dimension. Many numbers are added block by block. For all at once BLAS would use several threads. These wait
    for each other, or for the threads of PyTorch, and on a busy machine this takes milliseconds."""
    if flat.__class__ is not ndarray or flat.size <= BLOCK:
        return flat.dot(flat)
    whole = flat.size // BLOCK * BLOCK
    rows = flat[:whole].reshape(-1, BLOCK)
    rest = flat[whole:]
    return np.vecdot(rows, rows).sum(dtype=np.float64) + rest.dot(rest)


def small(flat: Array, times: int) -> dict[str, Any]:
    """The norm of numbers whose squares are too small for their dtype."""
    largest = abs(flat).max().item() if flat.size else 0.0
    if largest == 0:
        return {"norm": 0.0 if flat.size else None}
    scaled = flat.astype(np.float64) / largest
    return {"norm": plain(largest * math.sqrt(scaled.dot(scaled).item() * times))}


def not_finite(nan: int, inf: int) -> dict[str, int]:
    """How many elements are no numbers, as far as there are any."""
    return {key: n for key, n in (("nan_count", nan), ("inf_count", inf)) if n}


def plain(x: float) -> float | None:
    """A number that JSON can hold, in seven digits; infinities and nan are None."""
    return float(f"{x:.7g}") if x - x == 0 else None


def fitted(gradient: Any, edge: Any) -> Any:
    """A gradient as the engine passes it on along `edge`: summed over what was broadcast, in the target's dtype."""
    if gradient is None:
        return None
    if edge.__class__ is Edge:
        shape, dtype = edge.node.metadata_of(edge.nr)
    elif isinstance(edge, Node) and not isinstance(edge, AccumulateGrad):
        shape, dtype = edge.metadata_of(0)
    else:
        leaf = edge.variable if isinstance(edge, AccumulateGrad) else edge
        shape, dtype = leaf._a.shape, leaf._a.dtype
    if isinstance(gradient, NoData):
        return np.broadcast_to(np.empty((), dtype), shape).view(NoData)
    if gradient.shape != shape and expandable(shape, gradient.shape):  # else the engine is about to raise
        gradient = libraries.of(gradient).kernels.sum_to_size(gradient, shape)
    if gradient.dtype != dtype:
        gradient = (gradient.real if gradient.dtype.kind == "c" and dtype.kind != "c" else gradient).astype(
            dtype
        )
    return gradient


# Numbers as text ----------------------------------------------------------------------------------------------------------------------


def texts(elements: list, dtype: Any) -> list[str]:
    """The elements as PyTorch prints them: one style for all, without padding."""
    kind = dtype.kind
    if kind == "c":
        parts = zip(_floats([z.real for z in elements]), _floats([z.imag for z in elements]), strict=True)
        return [f"{re}{im if im.startswith('-') else '+' + im}j" for re, im in parts]
    return _floats(elements) if kind in REAL else [str(x) for x in elements]


def _floats(elements: list[float]) -> list[str]:
    if not elements:
        return []
    if sum([x - x for x in elements]) != 0:  # nan and inf among them, which have no style
        style = _style([x for x in elements if x - x == 0])
        return [style % x if x - x == 0 else str(x) for x in elements]
    # At once: element by element takes twice as long.
    return ("\n".join([_style(elements)] * len(elements)) % tuple(elements)).split("\n")


def rows_of_floats(rows: Any) -> list[list[str]]:
    """`_floats` of each row of an array: all rows of a style at once."""
    size, whole = np.abs(rows), (rows == np.trunc(rows)).all(1)
    high, low = size.max(1), np.where(size > 0, size, np.inf).min(1)
    with np.errstate(all="ignore"):
        far = np.where(whole, high >= 1e8, (high / low > 1000) | (high > 1e8) | (low < 1e-4))
    style = np.where(np.isfinite(high), np.where(far, 1, np.where(whole, 2, 3)), 0)
    found = [_floats(row.tolist()) if one == 0 else [] for row, one in zip(rows, style, strict=True)]
    for one, written in enumerate(("%.4e", "%.0f.", "%.4f"), 1):
        those = np.flatnonzero(style == one)
        lines = "\n".join([" ".join([written] * rows.shape[1])] * len(those)) % tuple(
            rows[those].ravel().tolist()
        )
        for i, line in zip(those.tolist(), lines.split("\n"), strict=False):
            found[i] = line.split(" ")
    return found


def _style(finite: list[float]) -> str:
    for x in finite:
        if x != int(x):
            sizes = [abs(x) for x in finite if x]
            low, high = min(sizes), max(sizes)
            return "%.4e" if high / low > 1000 or high > 1e8 or low < 1e-4 else "%.4f"
    return "%.0f." if not finite or max(map(abs, finite)) < 1e8 else "%.4e"


def dtype_name(dtype: Any) -> str:
    """A NumPy dtype by its PyTorch name."""
    known = FROM_NUMPY.get(dtype)
    return str(dtype) if known is None else known.name
