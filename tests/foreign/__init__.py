"""A foreign array library for tests: CuPy's names, parameters and refusals over values in host memory.

What runs on it is written for a device: it converts nothing to NumPy by itself, mixes nothing, and reads no value but by `get`,
`item` and `tolist`. `import tests.foreign as cupy` is the namespace. It says nothing about speed, and it is no GPU.
"""

from __future__ import annotations

import math as _math
from types import SimpleNamespace
from typing import Any

import numpy as _np

from tests.foreign import interchange as _interchange
from tests.foreign import memory as _memory
from tests.foreign.api import API as _API
from tests.foreign.arrays import SynchronisationError as SynchronisationError
from tests.foreign.arrays import ndarray as ndarray
from tests.foreign.arrays import waits as waits
from tests.foreign.functions import UFUNCS as _UFUNCS
from tests.foreign.functions import as_strided as _as_strided
from tests.foreign.functions import broadcast as broadcast
from tests.foreign.functions import errstate as _errstate
from tests.foreign.functions import namespace as _namespace
from tests.foreign.functions import scatter as _scatter
from tests.foreign.functions import special as _special
from tests.foreign.functions import ufunc as ufunc
from tests.foreign.fusing import BitGenerator as _BitGenerator
from tests.foreign.fusing import ElementwiseKernel as ElementwiseKernel
from tests.foreign.fusing import Generator as _Generator
from tests.foreign.fusing import ReductionKernel as ReductionKernel

__version__ = _API["cupy"]

linalg = SimpleNamespace(**_namespace("linalg", _np.linalg), LinAlgError=_np.linalg.LinAlgError)
random = SimpleNamespace(Generator=_Generator, Philox4x3210=_BitGenerator)
fft = SimpleNamespace(**_namespace("fft", _np.fft))
lib = SimpleNamespace(
    stride_tricks=SimpleNamespace(
        **{**_namespace("lib.stride_tricks", _np.lib.stride_tricks), "as_strided": _as_strided}
    )
)
cuda = SimpleNamespace(
    Device=_memory.Device,
    Event=_memory.Event,
    Memory=_memory.Memory,
    MemoryHook=_memory.MemoryHook,
    MemoryPointer=_memory.MemoryPointer,
    MemoryPool=_memory.MemoryPool,
    PinnedMemory=_memory.PinnedMemory,
    PinnedMemoryPointer=_memory.PinnedMemoryPointer,
    Stream=_memory.Stream,
    UnownedMemory=_memory.UnownedMemory,
    alloc=_memory.alloc,
    alloc_pinned_memory=_memory.alloc_pinned_memory,
    get_current_stream=_memory.get_current_stream,
    get_device_id=_memory.current,
    get_elapsed_time=_memory.get_elapsed_time,
    is_available=lambda: True,
    memory=SimpleNamespace(OutOfMemoryError=_memory.OutOfMemoryError),
    runtime=SimpleNamespace(
        deviceCanAccessPeer=_memory.can_access_peer,
        getDeviceCount=lambda: _memory.COUNT,
        getDevice=_memory.current,
        getDeviceProperties=_memory.properties,
    ),
)
cupyx = SimpleNamespace(
    scipy=SimpleNamespace(special=SimpleNamespace(erf=_special(_math.erf), erfc=_special(_math.erfc))),
    errstate=_errstate,
    scatter_add=_scatter("add"),
    scatter_max=_scatter("max"),
    scatter_min=_scatter("min"),
    empty_like_pinned=_interchange.empty_like_pinned,
    empty_pinned=_interchange.empty_pinned,
)

globals().update({name: getattr(_np, name) for name in _API["shared"]})
globals().update(_namespace("", _np))
globals().update(_UFUNCS)
globals().update({name: _interchange.taking(globals()[name]) for name in ("array", "asarray", "asanyarray")})
from_dlpack = _interchange.from_dlpack
_pool = _memory.MemoryPool()


def get_default_memory_pool() -> _memory.MemoryPool:
    """The pool that arrays are taken from."""
    return _pool


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'cupy' has no attribute {name!r}")
