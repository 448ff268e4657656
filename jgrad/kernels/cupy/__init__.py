"""The kernels on CuPy's arrays, which are on a GPU: the chapters of `jgrad.kernels.numpy` with CuPy as their `np`.

A file of this folder that is named like a chapter replaces single functions of it. It runs in the chapter's own namespace, after it, and its
imports of other chapters get these kernels too. `names.py` has what CuPy lacks of NumPy's namespace, made of CuPy's own functions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy

from jgrad.kernels import libraries
from jgrad.kernels.cupy.names import Names
from jgrad.kernels.cupy.tracing import Fused, Writer


class Fusing(libraries.Library):
    """Formulas of derivatives, too, are one kernel where they go element by element, and so are writes."""

    def __init__(self, *args: Any) -> None:
        self.writers: dict[Callable, Fused] = {}
        super().__init__(*args)

    def into(self, kernel: Callable, raw: list[Any], target: Any) -> bool:
        given = tuple([v[()] if v.__class__ is numpy.ndarray and not v.ndim else v for v in raw])
        for v in given:
            if v.__class__ is self.array and v is not target and not self.goes_along(v, target):
                return False
        writer = self.writers.get(kernel)
        if writer is None:
            writer = Fused(self.np.cupy, self.counterpart(kernel), Writer, lambda *args: False)
            self.writers[kernel] = writer
        return writer(given, target) is not False

    def goes_along(self, a: Any, target: Any) -> bool:
        """Whether an array can be read while another is written element by element: it is in other memory of the same device, or is the same array."""
        if a.data.device_id != target.data.device_id:
            return False
        same = a.data.ptr == target.data.ptr and a.shape == target.shape and a.strides == target.strides
        return same or not self.kernels.overlap(a, target)

    def lower(self, formula: Callable) -> Callable:
        return self.kernels.fused(super().lower(formula))


def bind(cupy: Any, cupyx: Any) -> libraries.Library:
    """The kernels bound to CuPy (or to something that has its functions), as a library for the device type "cuda"."""
    names = Names(cupy, cupyx)
    modules = {"numpy": names, "cupy": cupy, "cupyx": cupyx}
    library = Fusing("cuda", names, libraries.bind(__name__, modules, Path(__file__).parent))
    library.array = cupy.ndarray
    return library
