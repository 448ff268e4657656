"""What the array API standard asks about a library: its devices and dtypes."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad.utils.array_api.functions import KINDS, isdtype

_DTYPES = {str(kind).removeprefix("jgrad."): kind for kinds in ("bool", "numeric") for kind in KINDS[kinds]}


class Info:
    """What `__array_namespace_info__` gives."""

    def capabilities(self) -> dict[str, Any]:
        """What the library can do that others can't, and how many dimensions an array may have."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Any:
        """The device of new arrays."""
        return jgrad.get_default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of new arrays, by kinds."""
        real = jgrad.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": jgrad.int64,
            "indexing": jgrad.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """The dtypes of a kind, or of several kinds, by their names."""
        return {name: value for name, value in _DTYPES.items() if kind is None or isdtype(value, kind)}

    def devices(self) -> list[Any]:
        """The devices that there are."""
        return [jgrad.device("cpu"), *[jgrad.device("cuda", i) for i in range(jgrad.cuda.device_count())]]


def __array_namespace_info__() -> Info:
    """What the standard asks about this library."""
    return Info()
