"""The kernels on NumPy arrays: reductions. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.kernels.numpy_shape import Array, contiguous, kept_shape, wrap_dim


def sum(a: Array, *arguments: Any) -> Array:
    if len(arguments) == 1 and arguments[0] is None and a.dtype.char in "fd":
        return np.add.reduce(a, None)
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    if dtype is None and a.dtype.kind in "iub":
        dtype = np.dtype(np.int64)
    if dtype is not None and a.dtype != dtype:
        a = a.astype(dtype)
    return reduced(a, dim, keepdim)


def reduced(a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """The sum over some dimensions, row-major as PyTorch has it; float16 is summed in float32."""
    dims = dims_of(dim, a.ndim)
    half = a.dtype == np.float16
    total = np.asarray(np.add.reduce(a, dims, dtype=np.float32 if half else None))
    total = contiguous(total.astype(np.float16) if half else total)
    return total.reshape(kept_shape(a.shape, range(a.ndim) if dims is None else dims)) if keepdim else total


def mean(a: Array, *arguments: Any) -> Array:
    dim, keepdim, dtype = arguments if len(arguments) == 3 else (None, False, *arguments)
    wanted = a.dtype if dtype is None else dtype
    if wanted.kind not in "fc":
        which, kind = "Input" if dtype is None else "Optional", dtypes.FROM_NUMPY[wanted].type_name
        raise RuntimeError(
            f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. Got: {kind}"
        )
    a = a.astype(wanted, copy=False)
    return np.asarray(np.true_divide(reduced(a, dim, keepdim), count_of(a.shape, dim))).astype(
        a.dtype, copy=False
    )


def dims_of(dim: tuple | None, ndim: int) -> tuple | None:
    """Dimensions as NumPy takes them: None for all; PyTorch also reads an empty tuple as all."""
    if dim is None or dim == () or ndim == 0:
        check_dims(dim, ndim)
        return None
    return check_dims(dim, ndim)


def check_dims(dim: tuple | None, ndim: int) -> tuple | None:
    if dim is None:
        return None
    wrapped = tuple([wrap_dim(d, ndim) for d in dim])
    for i, d in enumerate(wrapped):
        if d in wrapped[:i]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def count_of(shape: tuple, dim: tuple | None) -> int:
    """How many elements a reduction over `dim` joins."""
    dims = range(len(shape)) if dim is None or dim == () else [d % (len(shape) or 1) for d in dim]
    n = 1
    for d in dims:
        if shape:
            n *= shape[d]
    return n


def all(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_and, a, dim, keepdim)


def any(a: Array, dim: tuple | None = None, keepdim: bool = False) -> Array:
    return truth(np.logical_or, a, dim, keepdim)


def truth(join: np.ufunc, a: Array, dim: tuple | None, keepdim: bool) -> Array:
    """Elements as truth values, joined; unlike elsewhere an empty tuple means no dimension. uint8, the old bool, stays."""
    dims = check_dims(dim, a.ndim) if a.ndim else (check_dims(dim, a.ndim), None)[1]
    return np.asarray(join.reduce(a, dims, dtype=bool, keepdims=keepdim)).astype(
        np.uint8 if a.dtype == np.uint8 else bool, copy=False
    )


def sum_to_size(a: Array, shape: tuple) -> Array:
    """Sum over the dimensions that broadcasting added or stretched."""
    added = a.ndim - len(shape)
    dims = tuple(range(added)) + tuple(
        [i + added for i, n in enumerate(shape) if n == 1 and a.shape[i + added] != 1]
    )
    return np.add.reduce(a, dims, keepdims=True).reshape(shape)
