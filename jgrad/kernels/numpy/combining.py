"""The kernels on NumPy arrays: turning round, repeating, joining blocks, distances. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.kernels.numpy.shape import Array, empty_like, scalar_name, wrap_dim
from jgrad.kernels.numpy.values import refuse_unless

# ----- Turning round -----


def flip(a: Array, dims: tuple) -> Array:
    wrapped = []
    for d in dims:
        d = wrap_dim(d, a.ndim)
        if d in wrapped:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        wrapped.append(d)
    result = empty_like(a)
    result[...] = a[tuple([slice(None, None, -1) if i in wrapped else slice(None) for i in range(a.ndim)])]
    return result


def roll(a: Array, shifts: tuple, dims: tuple | None = ()) -> Array:
    dims = dims or ()
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and not (len(shifts) == 1 and not dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not a.size:
        return a.copy()
    if dims and not a.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    wrapped = [wrap_dim(d, a.ndim) for d in dims]
    return np.array(np.roll(a, shifts, tuple(wrapped)) if dims else np.roll(a, shifts[0]), order="C")


def roll_back(grad: Array, shifts: tuple, dims: tuple | None) -> Array:
    return roll(grad, tuple([-s for s in shifts]), dims)


def rot90(a: Array, k: int = 1, dims: tuple = (0, 1)) -> Array:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if a.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {a.ndim}")
    first, second = (wrap_dim(d, a.ndim) for d in dims)
    if first == second:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}"
        )
    if k % 4 == 0:
        return np.array(a, order="C")
    if k % 4 == 2:
        return flip(a, (first, second))
    return np.swapaxes(flip(a, (second if k % 4 == 1 else first,)), first, second)


# ----- Repeating -----


def repeat_interleave(repeats: Array, output_size: int | None = None) -> Array:
    """Each index as often as `repeats` says."""
    if repeats.dtype not in (np.int32, np.int64):
        kind = dtypes.FROM_NUMPY[repeats.dtype].type_name
        raise NotImplementedError(f"\"repeat_interleave_cpu\" not implemented for '{kind}'")
    if repeats.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    refuse_unless(repeats >= 0, lambda: RuntimeError("repeats can not be negative"))
    if output_size is not None:
        text = "allocated size does not match required size"
        refuse_unless(repeats.sum() == output_size, lambda: RuntimeError(text))
    return np.repeat(np.arange(len(repeats), dtype=repeats.dtype), repeats.astype(np.intp, copy=False))


# ----- Blocks -----


def block_diag(arrays: list) -> Array:
    for i, a in enumerate(arrays):
        if a.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {a.ndim} dimensions"
            )
    if not arrays:
        return np.empty((1, 0), dtypes.get_default_dtype().numpy)
    blocks = [np.atleast_2d(a) for a in arrays]
    result = np.zeros((sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)), blocks[0].dtype)
    row = column = 0
    for b in blocks:
        result[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return result


def linalg_cross(a: Array, b: Array, dim: int = -1) -> Array:
    if a.ndim != b.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = wrap_dim(dim, a.ndim)
    if not a.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if a.shape[d] != 3 or b.shape[d] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {a.shape[d]} and {b.shape[d]}"
        )
    a, b = np.broadcast_arrays(a, b)
    if a.dtype.kind == "b":
        raise NotImplementedError("\"cross\" not implemented for 'Bool'")
    if a.dtype != b.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(a)} but found {scalar_name(b)}")
    result = np.empty(a.shape, a.dtype)
    left, right, product = (np.moveaxis(x, d, 0) for x in (a, b, result))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        product[i] = left[j] * right[k] - left[k] * right[j]
    return result


# ----- Distances between rows -----


def cdist_forward(a: Array, b: Array, p: float, compute_mode: int | None = None) -> Array:
    """The p-norms of the differences of each row of a from each row of b, in batches; a column at a time, so that no array is larger
    than the result."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    result = np.zeros((*batch, a.shape[-2], b.shape[-2]), a.dtype)
    for i in range(a.shape[-1]):
        size = np.abs(a[..., :, None, i] - b[..., None, :, i])
        if p == 0:
            result += size != 0
        elif p == np.inf:
            np.maximum(result, size, out=result)
        else:
            result += size if p == 1 else size * size if p == 2 else size**p
    if p == 2:
        np.sqrt(result, out=result)
    elif p not in (0, 1, np.inf):
        np.power(result, 1 / p, out=result)
    return result


def euclidean_dist(a: Array, b: Array) -> Array:
    dtype = a.dtype
    if dtype == np.float64:
        return cdist_forward(a, b, 2.0)  # a product would leave half of the digits
    a, b = a.astype(np.float64), b.astype(np.float64)
    squares = np.add.reduce(a * a, -1)[..., :, None] + np.add.reduce(b * b, -1)[..., None, :]
    squares -= 2 * np.matmul(a, np.swapaxes(b, -1, -2))
    return np.sqrt(np.maximum(squares, 0, out=squares)).astype(dtype)


def cdist_backward(grad: Array, a: Array, b: Array, p: float, cdist: Array) -> Array:
    """The gradient for a; nothing where a distance is 0."""
    result = np.zeros((*grad.shape[:-1], a.shape[-1]), a.dtype)
    if p == 0 or not grad.size:
        return result
    factor = grad if p in (1, np.inf) else np.where(cdist == 0, 0, grad / cdist ** (p - 1))
    for i in range(a.shape[-1]):
        difference = a[..., :, None, i] - b[..., None, :, i]
        if p == 2:
            slope = difference
        elif p == np.inf:
            slope = np.sign(difference) * (np.abs(difference) == cdist)
        elif p == 1:
            slope = np.sign(difference)
        else:
            slope = np.sign(difference) * np.where(difference == 0, 0, np.abs(difference) ** (p - 1))
        result[..., i] = np.add.reduce(slope * factor, -1)
    return result


def pdist_forward(a: Array, p: float) -> Array:
    """The distances of each row from all later ones, in one vector."""
    rows = np.triu_indices(len(a), 1)
    return cdist_forward(a, a, p)[rows]


def pdist_backward(grad: Array, a: Array, p: float, pdist: Array) -> Array:
    rows = np.triu_indices(len(a), 1)
    grads, distances = (np.zeros((len(a), len(a)), a.dtype) for _ in range(2))
    for square, vector in ((grads, grad), (distances, pdist)):
        square[rows] = vector
        square += square.T
    return cdist_backward(grads, a, a, p, distances)


def sum_around(a: Array, dim: int) -> Array:
    """The sum of each slice along a dimension; the other dimensions are kept with size 1."""
    d = dim % a.ndim
    return np.add.reduce(a, tuple([i for i in range(a.ndim) if i != d]), keepdims=True)


def max_around(a: Array, dim: int) -> Array:
    d = dim % a.ndim
    return np.maximum.reduce(a, tuple([i for i in range(a.ndim) if i != d]), keepdims=True, initial=0)


def renorm(a: Array, p: Any, dim: int, maxnorm: Any) -> Array:
    if isinstance(p, complex):
        raise RuntimeError("renorm: p must be real-valued")
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if isinstance(maxnorm, complex):
        raise RuntimeError("renorm: maxnorm must be real-valued")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if a.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {a.ndim} dimensions")
    wrap_dim(dim, a.ndim)
    if a.dtype.kind not in "fc":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {scalar_name(a)}"
        )
    if not a.size:
        return a.copy()
    wide = a.astype(np.float32) if a.dtype == np.float16 else a
    size = np.abs(wide)
    norm = max_around(size, dim) if p == np.inf else sum_around(size**p, dim) ** (1 / p)
    factor = np.where(norm > maxnorm, maxnorm / (norm + np.asarray(1e-7, norm.dtype)), 1).astype(norm.dtype)
    return np.array(a * factor.astype(np.abs(a[:0]).dtype), order="C")
