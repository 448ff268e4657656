"""Tensors turned round, repeated, stretched to a common shape, and combined with each other."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from jgrad import dtypes, warn
from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL, LINALG
from jgrad.errors import class_name
from jgrad.formats import contiguous_format
from jgrad.kernels.numpy.shape import common_shape, wrap_dim
from jgrad.ops.by_name import _unsafe_view, conj, dot, index_select, masked_select, mm, slice_, stack
from jgrad.ops.creation import empty, ones
from jgrad.ops.factories import made
from jgrad.ops.ranges import arange
from jgrad.tensor import Size, Tensor

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "meshgrid",
    "tensordot",
]


# ----- Turning round -----


@op("flip(Tensor self, int[] dims) -> Tensor", varargs=True, batches="dim")
class flip:
    """The tensor with its elements in reverse order along some dimensions."""

    self = lambda grad, dims: flip(grad, dims)


@composite("fliplr(Tensor self) -> Tensor")
def fliplr(input: Tensor) -> Tensor:
    """The tensor with its columns in reverse order: `flip` along dimension 1."""
    if input._a.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, (1,))


@composite("flipud(Tensor self) -> Tensor")
def flipud(input: Tensor) -> Tensor:
    """The tensor with its rows in reverse order: `flip` along dimension 0."""
    if input._a.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, (0,))


@op("roll(Tensor self, int[1] shifts, int[1]? dims=()) -> Tensor")
class roll:
    """The tensor with its elements moved along some dimensions. Elements that leave at one end come back at the other end."""

    self = lambda grad, shifts, dims: roll_back(grad, shifts, dims)


@formula
def roll_back(grad: Any, shifts: tuple, dims: tuple | None) -> Any:
    return roll(grad, tuple([-s for s in shifts]), dims)


@op("rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor")
class rot90:
    """The tensor turned by 90 degrees in two dimensions, `k` times. A matrix turns counterclockwise."""

    self = lambda grad, k, dims: rot90(grad, -k, dims)


# ----- Repeating -----


@composite(
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor"
)
def repeat_interleave_by_tensor(
    input: Tensor, repeats: Tensor, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
    repetition: each index as many times as its count says."""
    source = input.flatten() if dim is None else input
    d = 0 if dim is None else wrap_dim(dim, source._a.ndim)
    if not source._a.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    size = source._a.shape[d] if source._a.ndim else 1
    if repeats._a.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if repeats._a.size == 1:
        repeats = repeats.reshape((1,)).expand((size,))
    elif repeats._a.shape[0] != size:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats._a.shape[0]} and input.size({d}) = {size}"
        )
    return index_select(source, d, repeated_indices(repeats, output_size=output_size))


@composite(
    "repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor"
)
def repeat_interleave_by_int(
    input: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    """Each element (or slice along `dim`) several times in a row."""
    source = input.flatten() if dim is None else input
    d = wrap_dim(0 if dim is None else dim, source._a.ndim)
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    if not source._a.ndim:
        wrap_dim(1, 0)  # raises
    shape = source._a.shape
    if output_size is not None and output_size != shape[d] * repeats:
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {shape[d] * repeats} but got {output_size}"
        )

    stretched = source.unsqueeze(d + 1).expand((*shape[: d + 1], repeats, *shape[d + 1 :]))
    return stretched.clone(memory_format=contiguous_format).flatten(d, d + 1)


@op("repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor")
class repeated_indices:
    """Each index as many times in a row as its count says."""


# ----- A common shape -----


def broadcast_tensors(*tensors: Tensor) -> tuple:
    """The tensors expanded to one common shape: that of the result if they were added."""
    _refuse_others(tensors)
    shape: tuple = ()
    for t in tensors:
        shape = common_shape(shape, t._a.shape)
    return tuple([t if t._a.shape == shape else t.expand(shape) for t in tensors])


def _refuse_others(tensors: Any) -> None:
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {class_name(t)}")


def broadcast_shapes(*shapes: Any) -> Size:
    """The common shape to which tensors of these shapes are broadcast. No tensors are made."""
    given = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    result = [1] * max([len(s) for s in given], default=0)
    for number, shape in enumerate(given):
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if shape[i] == 1 or shape[i] == result[i]:
                continue
            if result[i] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching argument at index {number} had {shapes[number]}; "
                    f"but expected shape should be broadcastable to {result}"
                )
            result[i] = shape[i]
    return Size(result)


def _at_least(tensors: tuple, raised: Any) -> Any:
    """One tensor or several (also in one sequence), each raised to more dimensions."""
    if len(tensors) == 1:
        if isinstance(tensors[0], Tensor):
            return raised(tensors[0])
        if not isinstance(tensors[0], (tuple, list)):
            raise TypeError(
                f"{raised.__name__}() received an invalid combination of arguments - got ({class_name(tensors[0])}), but expected one "
                "of:\n * (Tensor input)\n * (tuple of Tensors tensors)\n"
            )
        tensors = tuple(tensors[0])
    _refuse_others(tensors)
    return tuple([raised(t) for t in tensors])


def atleast_1d(*tensors: Any) -> Any:
    """Tensors with at least one dimension: one without dimensions becomes a vector with one element."""

    def atleast_1d(t: Tensor) -> Tensor:
        return t if t._a.ndim else t.reshape((1,))

    return _at_least(tensors, atleast_1d)


def atleast_2d(*tensors: Any) -> Any:
    """Tensors with at least two dimensions: a vector becomes a matrix with one row."""

    def atleast_2d(t: Tensor) -> Tensor:
        return t.reshape((1, 1)) if t._a.ndim == 0 else t.unsqueeze(0) if t._a.ndim == 1 else t

    return _at_least(tensors, atleast_2d)


def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three dimensions. A matrix gets a new last dimension of size 1. The elements of a vector lie along the middle one."""

    def atleast_3d(t: Tensor) -> Tensor:
        if t._a.ndim == 0:
            return t.reshape((1, 1, 1))
        if t._a.ndim == 1:
            return t.unsqueeze(0).unsqueeze(-1)
        return t.unsqueeze(-1) if t._a.ndim == 2 else t

    return _at_least(tensors, atleast_3d)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple:
    """The coordinates of all points of a grid. Each vector holds the coordinates along one axis, and each result holds one coordinate of all
    points."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    _refuse_others(tensors)
    if indexing is None:
        warn.once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
        )
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any(t.dtype is not tensors[0].dtype for t in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if any(t.device != tensors[0].device for t in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same device")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    for t in tensors:
        if t._a.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}")
    swapped = indexing == "xy" and len(tensors) > 1
    axes = (tensors[1], tensors[0], *tensors[2:]) if swapped else tensors
    shape = tuple([t._a.size for t in axes])
    grids = [
        t.view(tuple([-1 if i == k else 1 for i in range(len(axes))])).expand(shape)
        for k, t in enumerate(axes)
    ]
    if swapped:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


# ----- All pairs -----


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations with one element of each vector, as the rows of a matrix. The last column changes fastest."""
    _refuse_others(tensors)
    for t in tensors:
        if t._a.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t._a.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return stack([g.reshape((-1,)) for g in grids], 1)


@composite("combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All ways to choose `r` elements of a vector, as the rows of a matrix. The order within a choice doesn't count."""
    if input._a.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input._a.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return empty(0, dtype=input.dtype, device=input.device)
    order = operator.le if with_replacement else operator.lt
    places = meshgrid(*[arange(input._a.shape[0], device=input.device)] * r, indexing="ij")
    chosen = ones(places[0]._a.shape, dtype=bool, device=input.device)
    for a, b in itertools.pairwise(places):
        chosen = chosen & order(a, b)
    grids = meshgrid(*[input] * r, indexing="ij")
    return stack([masked_select(g, chosen) for g in grids], 1)


# ----- Blocks and products -----


@op("block_diag(Tensor[] tensors) -> Tensor", promote="default", **INTERNAL)
class _block_diag:
    """A matrix with other matrices on its diagonal."""

    tensors = lambda grad, tensors_shape: block_diag_parts(grad, tensors_shape)


@formula
def block_diag_parts(grad: Any, shapes: list) -> list:
    """The gradient of block_diag: each matrix gets its block."""
    parts: list = []
    row = column = 0
    for shape in shapes:
        height, width = (1, 1, *shape)[-2:]
        block = slice_(slice_(grad, 0, row, row + height, 1), 1, column, column + width, 1)
        parts.append(block.reshape(shape))
        row, column = row + height, column + width
    return parts


def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the given matrices on its diagonal, one after the other, and zeros elsewhere."""
    _refuse_others(tensors)
    return _block_diag(list(tensors))


@composite("kron(Tensor self, Tensor other) -> Tensor", forms="function method out", out_dtype="castable")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each element of `input` is replaced by its product with the whole of `other`."""
    ndim = max(input._a.ndim, other._a.ndim)
    left = (1,) * (ndim - input._a.ndim) + input._a.shape
    right = (1,) * (ndim - other._a.ndim) + other._a.shape
    a = _unsafe_view(input, tuple([n for size in left for n in (size, 1)]))
    b = _unsafe_view(other, tuple([n for size in right for n in (1, size)]))
    return _unsafe_view(a * b, tuple([m * n for m, n in zip(left, right, strict=True)]))


@op("linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", exclusive=True, **LINALG)
class linalg_cross:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors."""

    self = lambda grad, other, dim: linalg_cross(conj(other), grad, dim=dim)
    other = lambda grad, self, dim: linalg_cross(grad, conj(self), dim=dim)


@composite(
    "cross(Tensor self, Tensor other, int? dim=None) -> Tensor", forms="function method out", exclusive=True
)
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors."""
    if dim is None:
        warn.once(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use "
            "torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.",
        )
        dim = next((i for i, n in enumerate(input._a.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim=dim)


@composite("tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor", forms="out")
def _tensordot(input: Tensor, other: Tensor, dims_self: tuple, dims_other: tuple) -> Tensor:
    """The sums of products over two lists of dimensions."""
    if len(dims_self) != len(dims_other):
        raise RuntimeError("both dimension lists should have same length")
    if input.dtype is not other.dtype:
        raise RuntimeError("both inputs should have same dtype")
    first = [wrap_dim(d, input._a.ndim) for d in dims_self]
    second = [wrap_dim(d, other._a.ndim) for d in dims_other]
    for m, n in zip(dims_self, dims_other, strict=True):
        here, there = input._a.shape[m], other._a.shape[n]
        if here == there:
            continue
        if there == 1:
            input = input.sum(m, keepdim=True)
        elif here == 1:
            other = other.sum(n, keepdim=True)
        else:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {here} in dim {m} and second has size {there} in dim {n}"
            )
    for dims in (first, second):
        for i, d in enumerate(dims):
            if d in dims[:i]:
                raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    rows = [i for i in range(input._a.ndim) if i not in first]
    columns = [i for i in range(other._a.ndim) if i not in second]
    shape = tuple([input._a.shape[i] for i in rows] + [other._a.shape[i] for i in columns])
    joined = Size([input._a.shape[i] for i in first]).numel()
    height = Size([input._a.shape[i] for i in rows]).numel()
    width = Size([other._a.shape[i] for i in columns]).numel()
    a, b = input.permute(tuple(rows + first)), other.permute(tuple(second + columns))
    if height == width == 1:
        if not (a.is_contiguous() and b.is_contiguous()):
            return (a.squeeze() * b.squeeze()).sum(dtype=a.dtype).reshape(shape)
        return dot(_row(a), _row(b)).reshape(shape)
    return mm(a.reshape((height, joined)), b.reshape((joined, width))).reshape(shape)


def _row(t: Tensor) -> Tensor:
    return t if t._a.ndim == 1 else t.reshape((-1,))


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sums of products over some dimensions of both tensors. The result has the other dimensions of `a` and then the other dimensions of
    `b`."""
    if not isinstance(dims, (int, Tensor, tuple, list)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got "
            f"dims={dims}"
        )
    if isinstance(dims, Tensor):
        dims = dims.item() if dims._a.size == 1 else dims.tolist()
    if isinstance(dims, (tuple, list)):
        first, second = dims
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        first, second = list(range(-dims, 0)), list(range(dims))
    if out is None:
        return _tensordot(a, b, first, second)
    if out.dtype is not a.dtype:
        raise RuntimeError(
            f"tensordot: Expected the output tensor to have dtype {a.dtype.type_name}, but got an output tensor with dtype "
            f"{out.dtype.type_name}"
        )
    return _tensordot(a, b, first, second, out=out)


# ----- Matrices of powers -----


@composite("vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", forms="function")
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of the elements of a vector, as the columns of a matrix (the Vandermonde matrix)."""
    if x._a.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    size = x._a.shape[0] if N is None else N
    if size < 0:
        raise RuntimeError("N must be non-negative.")

    result = empty(
        (x._a.shape[0], size), dtype=dtypes.int64 if x._a.dtype.kind in "iub" else x.dtype, device=x.device
    )
    if size > 0:
        result.select(1, 0).fill_(1)
    if size > 1:
        result[:, 1:].copy_(x.unsqueeze(-1))
        result[:, 1:].copy_(result[:, 1:].cumprod(1))
    return result if increasing else flip(result, (1,))


# ----- Indices -----


TRIANGLE = (
    "_indices(int row, int col, int offset=0, *, dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=None, "
    "bool requires_grad=False) -> Tensor"
)


@composite("tril" + TRIANGLE, forms="function")
def tril_indices(row: int, col: int, offset: int = 0, *options: Any) -> Tensor:
    """The indices of the lower triangle of a matrix: the row of each element in the first row of the result, its column in the second."""
    return _triangle("tril_indices", row, col, offset, *options)


@composite("triu" + TRIANGLE, forms="function")
def triu_indices(row: int, col: int, offset: int = 0, *options: Any) -> Tensor:
    """The indices of the upper triangle of a matrix: the row of each element in the first row of the result, its column in the second."""
    return _triangle("triu_indices", row, col, offset, *options)


def _triangle(
    name: str,
    row: int,
    col: int,
    offset: int,
    dtype: np.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    for label, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{label} must be non-negative, got{n}")
    np_dtype = np.dtype(np.int64) if dtype is None else dtype
    if np_dtype not in (np.int32, np.int64):
        kind = dtypes.FROM_NUMPY[np_dtype].type_name
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind}'")
    below = np.tri(row, col, offset if name == "tril_indices" else offset - 1, dtype=bool)
    found = np.array(np.nonzero(below if name == "tril_indices" else ~below), np_dtype)
    return made(
        name,
        found,
        arguments={"row": row, "col": col, "offset": offset},
        layout=layout,
        device=device,
        pin_memory=bool(pin_memory),
        requires_grad=requires_grad,
    )
