"""How many kernels a program would launch: the calls of the foreign library that compute or copy, those within another not counted."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from jgrad.kernels import cupy as room
from jgrad.kernels import libraries
from tests import foreign
from tests.foreign import fusing
from tests.foreign.api import API
from tests.foreign.arrays import ndarray

# What looks at shapes alone, or gives views, or memory that nothing is written to.
FREE = {
    "atleast_1d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "can_cast", "diagonal", "empty",
    "empty_like", "expand_dims", "flip", "iscomplexobj", "may_share_memory", "moveaxis", "ndim", "promote_types", "ravel", "reshape", "result_type", "shape", "size",
    "split", "squeeze", "swapaxes", "transpose",
}  # fmt: skip
# What may give its argument back.
GIVES_BACK = {"array", "asarray", "ascontiguousarray", "astype"}
METHODS = {
    "__setitem__", "__matmul__", "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumprod", "cumsum", "dot", "fill",
    "max", "mean", "min", "nonzero", "prod", "repeat", "searchsorted", "sort", "std", "sum", "take", "var",
}  # fmt: skip

_depth = 0
_seen: Counter[str] = Counter()


def counting(name: str, call: Callable) -> Callable:
    @functools.wraps(call)
    def counted(*args: Any, **options: Any) -> Any:
        global _depth
        _depth += 1
        try:
            result = call(*args, **options)
        finally:
            _depth -= 1
        if not _depth and not (name in GIVES_BACK and result is args[0]):
            _seen[getattr(args[0], "name", name) if name == "__call__" else name] += 1
        return result

    return counted


def getting(call: Callable) -> Callable:
    """Reading is a kernel where it is by arrays."""
    by_arrays = counting("__getitem__", call)

    def get(self: Any, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        return (by_arrays if any([isinstance(p, ndarray) for p in parts]) else call)(self, index)

    return get


def wrapped(names: dict[str, Any], module: str) -> dict[str, Any]:
    counted = API["functions"][module].keys() - FREE
    return {name: counting(name, f) if name in counted else f for name, f in names.items()}


@functools.cache
def library() -> Any:
    """The kernels bound to the foreign library, of which functions are counted."""
    names = wrapped(vars(foreign), "")
    for module in ("linalg", "fft"):
        names[module] = SimpleNamespace(**wrapped(vars(getattr(foreign, module)), module))
    cupyx = SimpleNamespace(**vars(foreign.cupyx))
    for name in ("scatter_add", "scatter_max", "scatter_min"):
        setattr(cupyx, name, counting(name, getattr(foreign.cupyx, name)))
    return room.bind(SimpleNamespace(**names), cupyx)


@contextmanager
def launches() -> Iterator[Counter[str]]:
    """A block in which `device="cuda"` is the foreign library; how often it calls what, by name."""
    patched = [patch.object(ndarray, name, counting(name, getattr(ndarray, name))) for name in METHODS]
    patched.append(patch.object(ndarray, "__getitem__", getting(ndarray.__getitem__)))
    kinds = foreign.ufunc, fusing.ElementwiseKernel, fusing.DrawingKernel, fusing.ReductionKernel
    patched += [patch.object(kind, "__call__", counting("__call__", kind.__call__)) for kind in kinds]
    patched.append(patch.object(foreign.ufunc, "at", counting("at", foreign.ufunc.at)))
    libraries.register(library())
    try:
        for p in patched:
            p.start()
        _seen.clear()
        yield _seen
    finally:
        for p in patched:
            p.stop()
        libraries.unregister(library())
