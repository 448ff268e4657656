"""The kernels on NumPy arrays: joining. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import numpy as np

from jgrad.errors import of_dimensions
from jgrad.kernels.numpy.shape import (
    Array,
    contiguous,
    in_channels_last,
    is_channels_last,
    slice_,
    view,
    wrap_dim,
)


def cat(arrays: list, dim: int = 0) -> Array:
    if arrays and arrays[0].ndim < 4:  # too few for channels that are next to each other
        try:
            return contiguous(np.concatenate(arrays, dim))
        except ValueError:
            pass  # which is explained in the following, or allowed
    if not arrays:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, a in enumerate(arrays):
        if a.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    real = [a for a in arrays if a.shape != (0,)]
    if not real:  # PyTorch lets tensors of shape (0,) be joined with anything, along any dimension
        return np.empty((0,), arrays[0].dtype)
    d = wrap_dim(dim, real[0].ndim)
    for i, a in enumerate(arrays):
        if a.shape == (0,):
            continue
        if a.ndim != real[0].ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {real[0].ndim} and {a.ndim}"
            )
        for k, (m, n) in enumerate(zip(real[0].shape, a.shape, strict=True)):
            if k != d and m != n:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {d}. Expected size {m} but got size {n} for tensor number {i} in "
                    "the list."
                )
    joined = np.concatenate(real, d)
    return in_channels_last(joined) if all([is_channels_last(a) for a in arrays]) else contiguous(joined)


def cat_parts(grad: Array, shapes: list, dim: int) -> list:
    """The gradient of cat: each tensor's part."""
    parts, start = [], 0
    d = dim % grad.ndim
    for shape in shapes:
        if shape == (0,):
            parts.append(np.zeros(shape, grad.dtype))
            continue
        parts.append(slice_(grad, d, start, start + shape[d], 1))
        start += shape[d]
    return parts


def stack(arrays: list, dim: int = 0) -> Array:
    if not arrays:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = arrays[0].shape
    for i, a in enumerate(arrays):
        if a.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and {list(a.shape)} at entry {i}"
            )
    d = wrap_dim(dim, len(first) + 1)
    if d < len(first) and len(first) in (4, 5) and all([is_channels_last(a) for a in arrays]):
        return view(cat(arrays, d), (*first[:d], len(arrays), *first[d:]))
    try:
        if d == 0 and first and arrays[0].size:
            return contiguous(np.concatenate(arrays)).reshape(len(arrays), *first)
        return contiguous(np.stack(arrays, d))
    except ValueError as error:
        raise of_dimensions(error) from None
