"""Small plain copies of what lies in arrays, and how their numbers are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.autograd.batched import NoData
from jgrad.autograd.engine import expandable
from jgrad.autograd.node import AccumulateGrad, Edge, Node
from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy import sum_to_size

WHOLE = 64  # elements up to which contents are kept in full
ENDS = 24  # elements kept from each end of longer ones
COMPARED = 4096  # elements up to which a write's contents are compared, an index map drawn
MEASURED = 16_384  # elements up to which min, max and mean are taken
CHANGED = 256  # changed places listed per write


def contents(root: Any) -> tuple[int, list]:
    """The number of elements of a storage, and the elements in memory order: all of them or both ends."""
    n = root.size
    if n <= WHOLE:
        return n, root.ravel("K").tolist()
    flat = root.ravel("K")
    return n, flat[:ENDS].tolist() + flat[-ENDS:].tolist()


def measure(array: Any) -> tuple | None:
    """(shape, dtype, elements or None, statistics or None) of an array: what a Value is made of afterwards."""
    if array is None:
        return None
    if isinstance(array, NoData):  # one example of vmap's
        return array.shape, array.dtype, None, {}
    n = array.size
    if n <= WHOLE:
        return array.shape, array.dtype, array.ravel().tolist(), None
    if array.dtype.kind not in "fiu":
        return array.shape, array.dtype, None, {}
    if n > MEASURED:
        # One pass, and the fastest there is: the rest would cost more than the operation itself. The gradient of a sum, one element
        # seen many times, needs none.
        repeated = not any(array.strides)
        flat = array[(slice(0, 1),) * array.ndim].ravel() if repeated else array.ravel()
        norm = float(np.sqrt(np.dot(flat, flat) * (n if repeated else 1))) if flat.dtype.kind == "f" else None
        return (
            array.shape,
            array.dtype,
            None,
            {"norm": norm} if norm is not None and np.isfinite(norm) else {},
        )
    flat = array.ravel().astype(np.float64)
    finite = np.isfinite(flat)
    nan = int(np.count_nonzero(np.isnan(flat)))
    inf = n - int(np.count_nonzero(finite)) - nan
    known = flat if nan + inf == 0 else flat[~np.isnan(flat)]
    return array.shape, array.dtype, None, statistics(known, nan, inf)


def statistics(known: Any, nan: int, inf: int) -> dict:
    """min, max, mean and norm of the elements that are numbers, with the count of those that are not."""
    with np.errstate(all="ignore"):
        low, high, mean, norm = (
            (known.min(), known.max(), known.mean(), np.sqrt(np.dot(known, known)))
            if known.size
            else (None,) * 4
        )
    return {
        "min": plain(low),
        "max": plain(high),
        "mean": plain(mean),
        "norm": plain(norm),
        "nan": nan,
        "inf": inf,
    }


def plain(x: Any) -> float | None:
    """A number that JSON can hold, in seven digits; infinities and nan are None."""
    return None if x is None or not np.isfinite(x) else float(f"{float(x):.7g}")


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
        gradient = sum_to_size(gradient, shape)
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
    return _floats(elements) if kind == "f" else [str(x) for x in elements]


def _floats(elements: list[float]) -> list[str]:
    finite = [x for x in elements if x - x == 0]
    if all([x == int(x) for x in finite]):
        style = "{:.0f}." if not finite or max(map(abs, finite)) < 1e8 else "{:.4e}"
    else:
        sizes = [abs(x) for x in finite if x]
        low, high = min(sizes), max(sizes)
        style = "{:.4e}" if high / low > 1000 or high > 1e8 or low < 1e-4 else "{:.4f}"
    return [style.format(x) if x - x == 0 else str(x) for x in elements]


def dtype_name(dtype: Any) -> str:
    """A NumPy dtype by its PyTorch name."""
    known = FROM_NUMPY.get(dtype)
    return str(dtype) if known is None else known.name


def as_cells(raw: tuple[int, list], dtype: Any) -> dict:
    """`Cells` of a trace document."""
    numel, elements = raw
    head, tail = (numel, 0) if numel <= WHOLE else (ENDS, ENDS)
    return {"numel": numel, "text": texts(elements, dtype), "head": head, "tail": tail}


def as_value(raw: tuple | None) -> dict | None:
    """`Value` of a trace document."""
    if raw is None:
        return None
    shape, dtype, elements, measured = raw
    value: dict[str, Any] = {"shape": list(shape), "dtype": dtype_name(dtype), "text": None}
    if elements is None:
        return value | measured
    value["text"] = texts(elements, dtype)
    if dtype.kind in "fiu":
        array = np.array(elements, np.float64)
        nan, inf = int(np.isnan(array).sum()), int(np.isinf(array).sum())
        value |= statistics(array[~np.isnan(array)] if nan else array, nan, inf)
    return value


def as_grid(number: int | None, name: str, array: Any, integers: bool = False) -> dict:
    """`Grid` of an index map."""
    flat = array.ravel().tolist()
    grid = {"tensor": number, "name": name, "shape": list(array.shape), "text": texts(flat, array.dtype)}
    return grid | {"data": [int(i) for i in flat]} if integers else grid
