"""The kernels on CuPy's arrays, which lie on a GPU: the chapters of `jgrad.kernels.numpy` with CuPy as their `np`.

A file of this room that is named like a chapter replaces single functions of it; it runs in the chapter's own namespace, after it, and its
imports of other chapters get these kernels too. `names.py` is what CuPy lacks of NumPy's namespace and what can be said with its own words.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jgrad import kernels
from jgrad.kernels.cupy.names import Names


class Fusing(kernels.Library):
    """Formulas of derivatives, too, are one kernel where they go element by element."""

    def lower(self, formula: Callable) -> Callable:
        return self.kernels.fused(super().lower(formula))


def bind(cupy: Any, cupyx: Any) -> kernels.Library:
    """The kernels bound to CuPy (or to something that has its functions), as a library for the device type "cuda"."""
    names = Names(cupy, cupyx)
    modules = {"numpy": names, "cupy": cupy, "cupyx": cupyx}
    library = Fusing("cuda", names, kernels.bind(__name__, modules, Path(__file__).parent))
    library.array = cupy.ndarray
    return library
