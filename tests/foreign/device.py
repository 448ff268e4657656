"""The foreign array library as jgrad's device "cuda"."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jgrad.kernels import cupy as room
from jgrad.kernels import libraries
from tests import foreign
from tests.foreign import memory


@functools.cache
def library() -> Any:
    """The kernels bound to the foreign library."""
    return room.bind(foreign, foreign.cupyx)


@contextmanager
def on_the_device(devices: int = 1) -> Iterator[None]:
    """A block in which `device="cuda"` is the foreign library, on a machine with this many devices."""
    before, memory.COUNT = memory.COUNT, devices
    library().many = devices > 1
    libraries.register(library())
    try:
        yield
    finally:
        libraries.unregister(library())
        memory.COUNT = before
