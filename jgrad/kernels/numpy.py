"""The kernels on NumPy arrays.

Each kernel takes the arguments of the operation of the same name, raw arrays in place of tensors. Derivative formulas run on these names
too, so a kernel must not mutate its arguments (those whose name ends in an underscore write to their first one and nothing else).
The kernels lie in a file per chapter; this one gathers them, and holds those that write.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import warn
from jgrad.kernels.numpy_bessel import *  # noqa: F403
from jgrad.kernels.numpy_combining import *  # noqa: F403
from jgrad.kernels.numpy_convolution import *  # noqa: F403
from jgrad.kernels.numpy_counting import *  # noqa: F403
from jgrad.kernels.numpy_ctc import *  # noqa: F403
from jgrad.kernels.numpy_cumulative import *  # noqa: F403
from jgrad.kernels.numpy_eigenvalues import *  # noqa: F403
from jgrad.kernels.numpy_elementary import *  # noqa: F403
from jgrad.kernels.numpy_factorizations import *  # noqa: F403
from jgrad.kernels.numpy_indefinite import *  # noqa: F403
from jgrad.kernels.numpy_index import *  # noqa: F403
from jgrad.kernels.numpy_layers import *  # noqa: F403
from jgrad.kernels.numpy_linalg import *  # noqa: F403
from jgrad.kernels.numpy_loss import *  # noqa: F403
from jgrad.kernels.numpy_nn import *  # noqa: F403
from jgrad.kernels.numpy_normalization import *  # noqa: F403
from jgrad.kernels.numpy_padding import *  # noqa: F403
from jgrad.kernels.numpy_pointwise import *  # noqa: F403
from jgrad.kernels.numpy_pooling import *  # noqa: F403
from jgrad.kernels.numpy_random import *  # noqa: F403
from jgrad.kernels.numpy_rearranging import *  # noqa: F403
from jgrad.kernels.numpy_reduction import *  # noqa: F403
from jgrad.kernels.numpy_resampling import *  # noqa: F403
from jgrad.kernels.numpy_shape import *  # noqa: F403
from jgrad.kernels.numpy_shape import Array
from jgrad.kernels.numpy_sorting import *  # noqa: F403
from jgrad.kernels.numpy_special import *  # noqa: F403
from jgrad.kernels.numpy_spectral import *  # noqa: F403
from jgrad.kernels.numpy_statistics import *  # noqa: F403
from jgrad.kernels.numpy_subscript import *  # noqa: F403

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
    if src.dtype.kind == "c" and a.dtype.kind != "c":
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
        value = value.item()
    from jgrad.ops.creation import fill_number

    a[...] = fill_number(value, a.dtype)
    return a


def zero_(a: Array) -> Array:
    a[...] = 0
    return a
