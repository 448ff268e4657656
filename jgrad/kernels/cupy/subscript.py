"""Reading and writing by index arrays, which may be on the CPU. Replaces functions of `jgrad.kernels.numpy.subscript`."""

from __future__ import annotations

from typing import Any

from jgrad.kernels.libraries import NUMPY
from jgrad.kernels.numpy.memory import from_host
from jgrad.kernels.numpy.subscript import index as index_here
from jgrad.kernels.numpy.subscript import index_put_ as index_put_here


def _here(indices: Any) -> tuple:
    host: Any = NUMPY.array
    return tuple([from_host(i) if i.__class__ is host else i for i in indices])


def index(a: Any, indices: Any) -> Any:
    return index_here(a, _here(indices))


def index_put_(a: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    return index_put_here(a, _here(indices), values, accumulate)
