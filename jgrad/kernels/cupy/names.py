"""NumPy's names as CuPy has them: CuPy's own namespace, and what it lacks in its own words."""

from __future__ import annotations

from typing import Any

import numpy

# What has no arrays in it, or shapes alone, is NumPy's for both.
SAME = {"broadcast_shapes", "dtype", "errstate", "finfo", "generic", "iinfo", "isscalar", "ndindex", "ufunc"}


class Names:
    """Stands for `numpy` in the kernels. What CuPy can't do raises NotImplementedError, which names it."""

    def __init__(self, cupy: Any, cupyx: Any) -> None:
        self.cupy, self.cupyx = cupy, cupyx

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(numpy if name in SAME else self.cupy, name, None)
        if found is None:
            raise NotImplementedError(f"CuPy has no counterpart of numpy.{name}")
        setattr(self, name, found)
        return found
