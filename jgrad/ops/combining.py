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
    """The tensor with its elements in reverse order along some dimensions.

    Args:
        input: a tensor of any shape
        dims: the dimensions to reverse, as a tuple; negative numbers count from the last one

    Returns a new tensor: this is a copy, not a view.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.flip(x, (1,))
    tensor([[3, 2, 1],
            [6, 5, 4]])
    >>> jgrad.flip(x, (0, 1))
    tensor([[6, 5, 4],
            [3, 2, 1]])
    """

    self = lambda grad, dims: flip(grad, dims)


@composite("fliplr(Tensor self) -> Tensor")
def fliplr(input: Tensor) -> Tensor:
    """The tensor with its columns in reverse order: `flip` along dimension 1.

    Args:
        input: a tensor with at least two dimensions

    Returns a new tensor: this is a copy, not a view.

    >>> jgrad.fliplr(jgrad.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[3, 2, 1],
            [6, 5, 4]])
    """
    if input._a.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, (1,))


@composite("flipud(Tensor self) -> Tensor")
def flipud(input: Tensor) -> Tensor:
    """The tensor with its rows in reverse order: `flip` along dimension 0.

    Args:
        input: a tensor with at least one dimension

    Returns a new tensor: this is a copy, not a view.

    >>> jgrad.flipud(jgrad.tensor([[1, 2], [3, 4], [5, 6]]))
    tensor([[5, 6],
            [3, 4],
            [1, 2]])
    """
    if input._a.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, (0,))


@op("roll(Tensor self, int[1] shifts, int[1]? dims=()) -> Tensor")
class roll:
    """The tensor with its elements moved along some dimensions. Elements that leave at one end come back at the other end.

    Args:
        input: a tensor of any shape
        shifts: how far to move, an integer or a tuple with one for each of `dims`; negative numbers move towards the beginning
        dims: the dimensions, an integer or a tuple; negative numbers count from the last one. Without it, the elements move in the flattened
            tensor, and the shape stays

    Returns a new tensor with the shape of `input`.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.roll(x, 1, 1)
    tensor([[3, 1, 2],
            [6, 4, 5]])
    >>> jgrad.roll(x, -1)
    tensor([[2, 3, 4],
            [5, 6, 1]])
    """

    self = lambda grad, shifts, dims: roll_back(grad, shifts, dims)


@formula
def roll_back(grad: Any, shifts: tuple, dims: tuple | None) -> Any:
    return roll(grad, tuple([-s for s in shifts]), dims)


@op("rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor")
class rot90:
    """The tensor turned by 90 degrees in two dimensions, `k` times. A matrix turns counterclockwise.

    Args:
        input: a tensor with at least two dimensions
        k: how many times to turn; negative numbers turn in the other direction
        dims: the two dimensions; the rotation goes from the first one towards the second one

    Returns a new tensor: this is a copy, not a view.

    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.rot90(x)
    tensor([[2, 4],
            [1, 3]])
    >>> jgrad.rot90(x, -1)
    tensor([[3, 1],
            [4, 2]])
    """

    self = lambda grad, k, dims: rot90(grad, -k, dims)


# ----- Repeating -----


@composite(
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor"
)
def repeat_interleave_by_tensor(
    input: Tensor, repeats: Tensor, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    """Each element several times in a row; or with `dim`, each slice of this dimension. With `repeats` alone, it gives the indices of such a
    repetition: each index as many times as its count says.

    Args:
        input: a tensor of any shape; without `dim` it is flattened
        repeats: how many times, an integer, or an integer vector with one count for each element or slice. Counts must not be negative
        dim: the dimension whose slices are repeated; negative numbers count from the last one. None means all elements of the flattened tensor
        output_size: the size of the result in the dimension, if you know it; RuntimeError is raised if it is wrong

    Returns a new tensor. The gradients of all repetitions add up.

    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.repeat_interleave(x, 2)
    tensor([1, 1, 2, 2, 3, 3, 4, 4])
    >>> jgrad.repeat_interleave(x, jgrad.tensor([1, 2]), dim=0)
    tensor([[1, 2],
            [3, 4],
            [3, 4]])
    >>> jgrad.repeat_interleave(jgrad.tensor([0, 2, 3]))
    tensor([1, 1, 2, 2, 2])
    """
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
    """The tensors expanded to one common shape: that of the result if they were added.

    Args:
        tensors: tensors whose shapes can be broadcast together

    Returns a tuple of views, which share the memory of the tensors. A tensor that has this shape already is returned itself.

    >>> a, b = jgrad.broadcast_tensors(jgrad.tensor([[1], [2]]), jgrad.tensor([5, 6, 7]))
    >>> a
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> b
    tensor([[5, 6, 7],
            [5, 6, 7]])
    """
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
    """The common shape to which tensors of these shapes are broadcast. No tensors are made.

    Args:
        shapes: the shapes, as tuples; an integer stands for a shape with one dimension

    Returns a `jgrad.Size`. Raises RuntimeError if the shapes can't be broadcast together.

    >>> jgrad.broadcast_shapes((3, 1), (1, 2), (2,))
    jgrad.Size([3, 2])
    """
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
    """Tensors with at least one dimension: one without dimensions becomes a vector with one element.

    Args:
        tensors: one tensor, or several, or a list of them

    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.

    >>> jgrad.atleast_1d(jgrad.tensor(5))
    tensor([5])
    >>> jgrad.atleast_1d(jgrad.tensor(5), jgrad.tensor([1, 2]))
    (tensor([5]), tensor([1, 2]))
    """

    def atleast_1d(t: Tensor) -> Tensor:
        return t if t._a.ndim else t.reshape((1,))

    return _at_least(tensors, atleast_1d)


def atleast_2d(*tensors: Any) -> Any:
    """Tensors with at least two dimensions: a vector becomes a matrix with one row.

    Args:
        tensors: one tensor, or several, or a list of them

    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.

    >>> jgrad.atleast_2d(jgrad.tensor([1, 2]))
    tensor([[1, 2]])
    >>> jgrad.atleast_2d(jgrad.tensor(5))
    tensor([[5]])
    """

    def atleast_2d(t: Tensor) -> Tensor:
        return t.reshape((1, 1)) if t._a.ndim == 0 else t.unsqueeze(0) if t._a.ndim == 1 else t

    return _at_least(tensors, atleast_2d)


def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three dimensions. A matrix gets a new last dimension of size 1. The elements of a vector lie along the middle one.

    Args:
        tensors: one tensor, or several, or a list of them

    Returns a tensor for one tensor, else a tuple. Each result is a view, or the tensor itself if it has enough dimensions.

    >>> jgrad.atleast_3d(jgrad.zeros(5)).shape
    jgrad.Size([1, 5, 1])
    >>> jgrad.atleast_3d(jgrad.zeros(2, 5)).shape
    jgrad.Size([2, 5, 1])
    """

    def atleast_3d(t: Tensor) -> Tensor:
        if t._a.ndim == 0:
            return t.reshape((1, 1, 1))
        if t._a.ndim == 1:
            return t.unsqueeze(0).unsqueeze(-1)
        return t.unsqueeze(-1) if t._a.ndim == 2 else t

    return _at_least(tensors, atleast_3d)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple:
    """The coordinates of all points of a grid. Each vector holds the coordinates along one axis, and each result holds one coordinate of all
    points.

    Args:
        tensors: vectors of one dtype, or a list of them; tensors without dimensions count as vectors with one element
        indexing: "ij" gives the shape (length of the first vector, length of the second, ...); "xy" exchanges the first two dimensions;
            None is "ij" with a warning

    Returns a tuple with a view for each vector, whose memory it shares.

    >>> x, y = jgrad.meshgrid(jgrad.tensor([1, 2]), jgrad.tensor([5, 6, 7]), indexing="ij")
    >>> x
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> y
    tensor([[5, 6, 7],
            [5, 6, 7]])
    """
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
    """All combinations with one element of each vector, as the rows of a matrix. The last column changes fastest.

    Args:
        tensors: vectors of one dtype

    Returns a new tensor with a column for each vector; with one vector only, returns the vector itself.

    >>> jgrad.cartesian_prod(jgrad.tensor([1, 2]), jgrad.tensor([5, 6]))
    tensor([[1, 5],
            [1, 6],
            [2, 5],
            [2, 6]])
    """
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
    """All ways to choose `r` elements of a vector, as the rows of a matrix. The order within a choice doesn't count.

    Args:
        input: a vector
        r: how many elements to choose
        with_replacement: whether the same element can be chosen several times

    Returns a new tensor with `r` columns. With `r=0` it is an empty vector.

    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.combinations(x)
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    >>> jgrad.combinations(x, with_replacement=True)
    tensor([[1, 1],
            [1, 2],
            [1, 3],
            [2, 2],
            [2, 3],
            [3, 3]])
    """
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
    """A matrix with the given matrices on its diagonal, one after the other, and zeros elsewhere.

    Args:
        tensors: matrices, vectors, which count as rows, and tensors without dimensions, which count as matrices with one element

    Returns a new matrix. Its dtype is the one to which those of the tensors are promoted.

    >>> jgrad.block_diag(jgrad.tensor([[1, 2], [3, 4]]), jgrad.tensor(5), jgrad.tensor([6, 7]))
    tensor([[1, 2, 0, 0, 0],
            [3, 4, 0, 0, 0],
            [0, 0, 5, 0, 0],
            [0, 0, 0, 6, 7]])
    """
    _refuse_others(tensors)
    return _block_diag(list(tensors))


@composite("kron(Tensor self, Tensor other) -> Tensor", forms="function method out", out_dtype="castable")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each element of `input` is replaced by its product with the whole of `other`.

    Args:
        input: a tensor of any shape
        other: a tensor of any shape; if the two have different numbers of dimensions, dimensions of size 1 are put in front

    Returns a new tensor. Its size in each dimension is the product of the two sizes.

    >>> jgrad.kron(jgrad.tensor([[1, 2], [3, 4]]), jgrad.tensor([[1, 10]]))
    tensor([[ 1, 10,  2, 20],
            [ 3, 30,  4, 40]])
    """
    ndim = max(input._a.ndim, other._a.ndim)
    left = (1,) * (ndim - input._a.ndim) + input._a.shape
    right = (1,) * (ndim - other._a.ndim) + other._a.shape
    a = _unsafe_view(input, tuple([n for size in left for n in (size, 1)]))
    b = _unsafe_view(other, tuple([n for size in right for n in (1, size)]))
    return _unsafe_view(a * b, tuple([m * n for m, n in zip(left, right, strict=True)]))


@op("linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", exclusive=True, **LINALG)
class linalg_cross:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors.

    Args:
        input: a tensor with the first vectors along the dimension `dim`, whose size is 3
        other: a tensor with the second vectors; it has as many dimensions as `input`, and the two are broadcast together
        dim: the dimension of the vectors; negative numbers count from the last one

    Returns a new tensor.

    >>> jgrad.linalg.cross(jgrad.tensor([1, 0, 0]), jgrad.tensor([0, 1, 0]))
    tensor([0, 0, 1])
    """

    self = lambda grad, other, dim: linalg_cross(conj(other), grad, dim=dim)
    other = lambda grad, self, dim: linalg_cross(grad, conj(self), dim=dim)


@composite(
    "cross(Tensor self, Tensor other, int? dim=None) -> Tensor", forms="function method out", exclusive=True
)
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross products of vectors with three elements: each is perpendicular to both of its vectors.

    Args:
        input: a tensor with the first vectors along the dimension `dim`, whose size is 3
        other: a tensor with the second vectors; it has as many dimensions as `input`, and the two are broadcast together
        dim: the dimension of the vectors; negative numbers count from the last one. None means the first dimension of size 3, with a warning:
            this is deprecated

    Returns a new tensor.

    >>> a, b = jgrad.tensor([[1, 0, 0], [0, 1, 0]]), jgrad.tensor([[0, 1, 0], [0, 0, 1]])
    >>> jgrad.cross(a, b, dim=1)
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
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
    `b`.

    Args:
        a: the first tensor
        b: the second tensor, with the dtype of `a`
        dims: the number of dimensions to sum over, the last ones of `a` and the first ones of `b`; or two lists of dimensions, one for each
            tensor. Their sizes must be equal in pairs, or one of the two is 1

    Returns a new tensor. With `dims=1` and two matrices this is the matrix product, with `dims=0` the outer product.

    >>> a = jgrad.tensor([[1, 2], [3, 4]])
    >>> b = jgrad.tensor([[1, 10], [100, 1000]])
    >>> jgrad.tensordot(a, b, 1)
    tensor([[ 201, 2010],
            [ 403, 4030]])
    >>> jgrad.tensordot(a, b, ([0, 1], [0, 1]))
    tensor(4321)
    >>> jgrad.tensordot(jgrad.ones(2, 3, 5), jgrad.ones(5, 3, 7), ([1, 2], [1, 0])).shape
    jgrad.Size([2, 7])
    """
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
    """The powers of the elements of a vector, as the columns of a matrix (the Vandermonde matrix).

    Args:
        x: a vector; the powers of integers and bools have dtype int64
        N: the number of columns; None means the length of `x`
        increasing: if True, the columns begin with the power 0; else they end with it

    Returns a new matrix with a row for each element.

    >>> jgrad.vander(jgrad.tensor([2, 3, 10]))
    tensor([[  4,   2,   1],
            [  9,   3,   1],
            [100,  10,   1]])
    >>> jgrad.vander(jgrad.tensor([2, 3]), N=4, increasing=True)
    tensor([[ 1,  2,  4,  8],
            [ 1,  3,  9, 27]])
    """
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
    """The indices of the lower triangle of a matrix: the row of each element in the first row of the result, its column in the second.

    Args:
        row: the number of rows of the matrix
        col: the number of columns of the matrix
        offset: the last diagonal that belongs to the triangle: 0 is the main one, positive numbers are above it, negative ones below it
        dtype: int32 or int64; None means int64
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: must be False, because integers have no gradient

    Returns a new tensor with two rows. It can be used as an index.

    >>> i = jgrad.tril_indices(3, 3)
    >>> i
    tensor([[0, 1, 1, 2, 2, 2],
            [0, 0, 1, 0, 1, 2]])
    >>> x = jgrad.arange(9).view(3, 3)
    >>> x[i[0], i[1]]
    tensor([0, 3, 4, 6, 7, 8])
    """
    return _triangle("tril_indices", row, col, offset, *options)


@composite("triu" + TRIANGLE, forms="function")
def triu_indices(row: int, col: int, offset: int = 0, *options: Any) -> Tensor:
    """The indices of the upper triangle of a matrix: the row of each element in the first row of the result, its column in the second.

    Args:
        row: the number of rows of the matrix
        col: the number of columns of the matrix
        offset: the first diagonal that belongs to the triangle: 0 is the main one, positive numbers are above it, negative ones below it
        dtype: int32 or int64; None means int64
        layout: None or `jgrad.strided`, the usual layout
        device: the device of the new tensor; None means the default device
        pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
        requires_grad: must be False, because integers have no gradient

    Returns a new tensor with two rows. It can be used as an index.

    >>> i = jgrad.triu_indices(3, 3, offset=1)
    >>> i
    tensor([[0, 0, 1],
            [1, 2, 2]])
    >>> x = jgrad.arange(9).view(3, 3)
    >>> x[i[0], i[1]]
    tensor([1, 2, 5])
    """
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
