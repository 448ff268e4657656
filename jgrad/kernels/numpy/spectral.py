"""The kernels on NumPy arrays: Fourier transforms and windows. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy.shape import Array

# How a transform is scaled, as PyTorch counts it (0: not at all, 1: by the root of the length, 2: by the length), in NumPy's words.
FORWARD_NORMS: tuple[Any, ...] = ("backward", "ortho", "forward")
INVERSE_NORMS: tuple[Any, ...] = ("forward", "ortho", "backward")


def check_kind(a: Array, kind: str) -> None:
    """Transforms are there for float32, float64 and what goes with them."""
    name = FROM_NUMPY[a.dtype].type_name
    if a.dtype.kind != kind:
        raise RuntimeError(
            f"Only supports {'complex' if kind == 'c' else 'floating-point'} dtypes, but found: {name}"
        )
    if a.dtype == np.float16:
        raise RuntimeError(f"MKL FFT doesn't support tensors of type: {name}")


def fft_c2c(a: Array, dim: tuple, normalization: int, forward: bool) -> Array:
    """The transform of complex numbers along some dimensions."""
    check_kind(a, "c")
    if not dim:
        return a.copy()
    dims = by_stride(a, dim)
    if forward:
        return transformed(a, dims, along(np.fft.fft, np.fft.fftn, FORWARD_NORMS[normalization]))
    return transformed(a, dims, along(np.fft.ifft, np.fft.ifftn, INVERSE_NORMS[normalization]))


def fft_r2c(a: Array, dim: tuple, normalization: int, onesided: bool) -> Array:
    """The transform of real numbers; of the last dimension in `dim` the first half alone if `onesided`, the rest mirrors it."""
    check_kind(a, "f")
    dims, norm = (*by_stride(a, dim[:-1]), dim[-1]), FORWARD_NORMS[normalization]
    if onesided:
        return transformed(a, dims, along(np.fft.rfft, np.fft.rfftn, norm))
    if len(dims) > 1:
        return transformed(a, dims, along(np.fft.fft, np.fft.fftn, norm))
    return transformed(a, dims, lambda m, axes: mirrored(np.fft.rfft(m, None, axes[0], norm), m.shape[-1]))


def along(one: Callable, many: Callable, norm: str) -> Callable[[Array, tuple], Array]:
    """NumPy's transform along some axes; that for a single one has less overhead."""
    return lambda m, axes: one(m, None, axes[0], norm) if len(axes) == 1 else many(m, None, axes, norm)


def mirrored(half: Array, n: int) -> Array:
    """The whole spectrum of n real numbers from its first half: thrice as fast as to compute it."""
    whole = np.empty((*half.shape[:-1], n), half.dtype)
    count = half.shape[-1]
    whole[..., :count] = half
    np.conjugate(half[..., (n - 1) // 2 : 0 : -1], out=whole[..., count:])
    return whole


def fft_c2r(a: Array, dim: tuple, normalization: int, last_dim_size: int) -> Array:
    """The inverse of the onesided transform; `last_dim_size` says how many numbers there were."""
    check_kind(a, "c")
    a = fft_c2c(a, dim[:-1], normalization, False) if len(dim) > 1 else a
    norm = INVERSE_NORMS[normalization]
    return transformed(a, dim[-1:], lambda m, axes: np.fft.irfft(m, last_dim_size, axes[0], norm))


def fft_scaled_middle(a: Array, dim: int, n: int, factor: float) -> Array:
    """Half a spectrum of n numbers with those frequencies scaled that stand for two: all but the first and, for even n, the last."""
    result = a.copy()
    middle = [slice(None)] * a.ndim
    middle[dim] = slice(1, (n + 1) // 2)
    result[tuple(middle)] *= factor
    return result


def by_stride(a: Array, dim: tuple) -> tuple:
    """Dimensions in the order of their strides, the longest first."""
    return tuple(sorted(dim, key=lambda d: -a.strides[d]))


def transformed(a: Array, dims: tuple, transform: Callable[[Array, tuple], Array]) -> Array:
    """A transform whose result has the strides of PyTorch's: the dimensions transformed innermost, the others in their old order."""
    if a.flags.c_contiguous and dims == tuple(range(a.ndim - len(dims), a.ndim)):
        with np.errstate(all="ignore"):  # (NumPy computes in its own Python, which our filter does not reach)
            return np.ascontiguousarray(transform(a, dims))
    others = by_stride(a, tuple([d for d in range(a.ndim) if d not in dims]))
    order = (*others, *dims)
    turned, axes = a.transpose(order), tuple(range(len(others), a.ndim))
    with np.errstate(all="ignore"):
        result = np.ascontiguousarray(transform(turned, axes))
    inverse = [0] * a.ndim
    for place, d in enumerate(order):
        inverse[d] = place
    return result.transpose(inverse)
