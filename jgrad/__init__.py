"""jgrad: autograd that behaves like PyTorch's, on NumPy, and can be watched.

`import jgrad` where one would write `import torch`. In a notebook, `%load_ext jgrad` adds the magics `%%trace` and `%grad`.
Importing jgrad needs NumPy alone; the recorder, the views and the magics are loaded when first used.
"""

import warnings as _warnings
from typing import Any as _Any

from jgrad import autograd as autograd
from jgrad import cuda as cuda
from jgrad import dtypes as _dtypes
from jgrad import fft as fft
from jgrad import linalg as linalg
from jgrad import ops as _ops  # declares the operations
from jgrad import random as random
from jgrad import special as special
from jgrad.autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from jgrad.devices import device
from jgrad.dtypes import can_cast, dtype, get_default_dtype, promote_types, set_default_dtype
from jgrad.op import public as _public
from jgrad.ops.copying import detach, detach_
from jgrad.ops.creation import *
from jgrad.ops.resizing import resize_as_
from jgrad.ops.shaping import contiguous_format, preserve_format
from jgrad.ops.shaping import memory_format as memory_format
from jgrad.ops.sorting import unique, unique_consecutive
from jgrad.ops.statistics import norm
from jgrad.printing import set_printoptions
from jgrad.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from jgrad.tensor import Size, Tensor, is_tensor, layout, strided
from jgrad.warn import is_warn_always_enabled, set_warn_always

__version__ = "0.1.0"

globals().update(_public(""))
for _dtype in _dtypes.ALL:
    globals()[_dtype.name] = _dtype
for _name, _dtype in _dtypes.SHORT_NAMES.items():
    globals()[_name] = _dtype

# Divisions by zero and overflows give inf and nan without a word, as in PyTorch. (A filter, since np.errstate costs as much as an addition.)
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"jgrad(\.|$)")


def __getattr__(name: str) -> _Any:
    if name in ("nn", "trace"):
        import importlib

        return importlib.import_module(f"jgrad.{name}")
    raise AttributeError(f"module 'jgrad' has no attribute '{name}'")


def load_ipython_extension(ipython: _Any) -> None:
    """What `%load_ext jgrad` calls."""
    from jgrad.magics import load_ipython_extension as load

    load(ipython)


def unload_ipython_extension(ipython: _Any) -> None:
    """What `%unload_ext jgrad` calls."""
    from jgrad.magics import unload_ipython_extension as unload

    unload(ipython)
