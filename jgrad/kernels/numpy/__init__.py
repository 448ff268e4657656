"""The kernels on NumPy arrays.

Each kernel takes the arguments of the operation of the same name, raw arrays in place of tensors. Derivative formulas run on these names
too, so a kernel must not mutate its arguments (those whose name ends in an underscore write to their first one and nothing else).
The kernels lie in a file per chapter; this one gathers them, and holds those that write.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numpy.bessel import *  # noqa: F403
from jgrad.kernels.numpy.combining import *  # noqa: F403
from jgrad.kernels.numpy.convolution import *  # noqa: F403
from jgrad.kernels.numpy.counting import *  # noqa: F403
from jgrad.kernels.numpy.ctc import *  # noqa: F403
from jgrad.kernels.numpy.cumulative import *  # noqa: F403
from jgrad.kernels.numpy.eigenvalues import *  # noqa: F403
from jgrad.kernels.numpy.elementary import *  # noqa: F403
from jgrad.kernels.numpy.factorizations import *  # noqa: F403
from jgrad.kernels.numpy.indefinite import *  # noqa: F403
from jgrad.kernels.numpy.indexing import *  # noqa: F403
from jgrad.kernels.numpy.layers import *  # noqa: F403
from jgrad.kernels.numpy.linalg import *  # noqa: F403
from jgrad.kernels.numpy.loss import *  # noqa: F403
from jgrad.kernels.numpy.nn import *  # noqa: F403
from jgrad.kernels.numpy.normalization import *  # noqa: F403
from jgrad.kernels.numpy.padding import *  # noqa: F403
from jgrad.kernels.numpy.pointwise import *  # noqa: F403
from jgrad.kernels.numpy.pooling import *  # noqa: F403
from jgrad.kernels.numpy.random import *  # noqa: F403
from jgrad.kernels.numpy.rearranging import *  # noqa: F403
from jgrad.kernels.numpy.reduction import *  # noqa: F403
from jgrad.kernels.numpy.resampling import *  # noqa: F403
from jgrad.kernels.numpy.shape import *  # noqa: F403
from jgrad.kernels.numpy.shape import Array
from jgrad.kernels.numpy.sorting import *  # noqa: F403
from jgrad.kernels.numpy.special import *  # noqa: F403
from jgrad.kernels.numpy.spectral import *  # noqa: F403
from jgrad.kernels.numpy.statistics import *  # noqa: F403
from jgrad.kernels.numpy.subscript import *  # noqa: F403

# Writing in place: the first argument is changed, nothing is returned that matters --------------------------------------------


def copy_(a: Array, src: Array, non_blocking: bool = False) -> Array:
    src = np.asarray(src)
    if src.shape != a.shape:
        try:
            whole = np.broadcast_shapes(a.shape, src.shape)
        except ValueError:
            np.broadcast(a, src)  # whose error is put in PyTorch's words
        if whole != a.shape:
            raise RuntimeError(
                f"output with shape {list(a.shape)} doesn't match the broadcast shape {list(whole)}"
            )
    if src.dtype.kind == "c" and a.dtype.kind not in "cb":
        warn.once("Casting complex values to real discards the imaginary part")
        src = src.real
    np.copyto(a, src, casting="unsafe")
    return a


def fill_(a: Array, value: Any) -> Array:
    if isinstance(value, np.ndarray):
        if value.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions."
            )
        return copy_(a, value)
    from jgrad.ops.creation import fill_number

    a[...] = fill_number(value, a.dtype)
    return a


def zero_(a: Array) -> Array:
    a[...] = 0
    return a
