"""Repeating, diagonals and triangles, a part of a copy replaced, and the copies that go with the views."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE, composite, document, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.graph import grad_mode
from jgrad.graph.view import geometry_of
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.ops.by_name import (
    cat,
    clear_strided,
    diagonal,
    extract_strided,
    select,
    select_backward,
    slice_,
    slice_backward,
    view_as_complex,
)
from jgrad.ops.creation import zeros_of
from jgrad.ops.splitting import chunk_sizes
from jgrad.tensor import Tensor

# Repeating --------------------------------------------------------------------------------------------------------------------


@op("repeat(Tensor self, int[] repeats) -> Tensor", forms="method", varargs=True)
class repeat:
    """The tensor several times side by side, along each dimension.

    Args:
        repeats: how many times along each dimension, as integers or as one tuple. More numbers than the tensor has dimensions put new
            dimensions in front; fewer raise RuntimeError

    Returns a new tensor: this is a copy. (`expand` makes a view.) The gradients of all copies add up.

    >>> x = jgrad.tensor([1, 2])
    >>> x.repeat(3)
    tensor([1, 2, 1, 2, 1, 2])
    >>> x.repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """

    self = lambda grad, repeats, self_shape: all_copies(grad, repeats, self_shape)


@formula
def all_copies(grad: Any, repeats: tuple, shape: tuple) -> Any:
    """The sum of the gradients of all copies. If there are no copies, zeros that depend on nothing."""
    return zeros_of(grad, shape) if 0 in repeats else repeat_backward(grad, repeats, shape)


@op("repeat_backward(Tensor grad, int[] repeats, any shape) -> Tensor", **INTERNAL)
class repeat_backward:
    """The sum of the gradients of all copies."""

    grad = lambda grad, repeats: repeat(grad, repeats)


@composite("tile(Tensor self, int[] dims) -> Tensor", varargs=True)
def tile(input: Tensor, dims: tuple) -> Tensor:
    """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape.

    Args:
        input: a tensor of any shape
        dims: how many times along each dimension, as a tuple. If it is shorter than the shape, it is for the last dimensions. If it is longer,
            new dimensions are put in front

    Returns a new tensor. The gradients of all copies add up.

    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> jgrad.tile(x, (2,))
    tensor([[1, 2, 1, 2],
            [3, 4, 3, 4]])
    >>> jgrad.tile(x, (2, 1))
    tensor([[1, 2],
            [3, 4],
            [1, 2],
            [3, 4]])
    """
    return repeat(input, (1,) * (input._a.ndim - len(dims)) + dims)


# Diagonals and triangles ------------------------------------------------------------------------------------------------------


@op("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
class diag_embed:
    """Matrices with the elements of the last dimension on a diagonal and zeros elsewhere.

    Args:
        input: a tensor with at least one dimension
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns in the result; negative numbers count from the last one

    Returns a new tensor with one dimension more than `input`. It is the opposite of `diagonal`.

    >>> jgrad.diag_embed(jgrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> jgrad.diag_embed(jgrad.tensor([1, 2]), offset=1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """

    self = lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2)


@composite("diag(Tensor self, int diagonal=0) -> Tensor", forms="function method out")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with a vector on its diagonal, or the diagonal of a matrix as a vector.

    Args:
        input: a vector or a matrix
        diagonal: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it

    Returns a new tensor. (`diagonal` gives a view of the diagonal of a matrix.)

    >>> jgrad.diag(jgrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> jgrad.diag(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    if input._a.ndim == 1:
        return diag_embed(input, diagonal)
    if input._a.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._a.ndim}D")
    return copies["diagonal"](input, diagonal)


@composite("diagflat(Tensor self, int offset=0) -> Tensor")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all elements of the tensor on a diagonal and zeros elsewhere.

    Args:
        input: a tensor of any shape; it is flattened first
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it

    Returns a new matrix.

    >>> jgrad.diagflat(jgrad.tensor([[1], [2], [3]]))
    tensor([[1, 0, 0],
            [0, 2, 0],
            [0, 0, 3]])
    """
    return diag_embed(input.contiguous().view((-1,)), offset)


@op(
    "tril(Tensor self, int diagonal=0) -> Tensor",
    forms="function method inplace out",
    checks_overlap=False,
    batches="leading",
)
class tril:
    """The lower triangles of matrices: the elements above a diagonal are replaced by zeros.

    Args:
        input: a tensor with at least two dimensions; the last two are those of the matrices
        diagonal: the last diagonal that is kept: 0 is the main one, positive numbers are above it, negative ones below it

    Returns a new tensor. The gradient is 0 for elements that were replaced.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.tril(x)
    tensor([[1, 0, 0],
            [4, 5, 0],
            [7, 8, 9]])
    >>> jgrad.tril(x, -1)
    tensor([[0, 0, 0],
            [4, 0, 0],
            [7, 8, 0]])
    """

    self = lambda grad, diagonal: tril(grad, diagonal)


@op(
    "triu(Tensor self, int diagonal=0) -> Tensor",
    forms="function method inplace out",
    checks_overlap=False,
    batches="leading",
)
class triu:
    """The upper triangles of matrices: the elements below a diagonal are replaced by zeros.

    Args:
        input: a tensor with at least two dimensions; the last two are those of the matrices
        diagonal: the first diagonal that is kept: 0 is the main one, positive numbers are above it, negative ones below it

    Returns a new tensor. The gradient is 0 for elements that were replaced.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.triu(x)
    tensor([[1, 2, 3],
            [0, 5, 6],
            [0, 0, 9]])
    >>> jgrad.triu(x, 1)
    tensor([[0, 2, 3],
            [0, 0, 6],
            [0, 0, 0]])
    """

    self = lambda grad, diagonal: triu(grad, diagonal)


# A part of a copy replaced: what writing to a view does, without the writing --------------------------------------------------


@op(
    "select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
    keeps_dtype=True,
    real_gradient=True,
    batches="dim",
)
class select_scatter:
    """A copy of the tensor with `src` at one index of a dimension: as `x.select(dim, index).copy_(src)`, but `x` stays as it is.

    Args:
        input: the tensor to copy
        src: a tensor with the shape of `input.select(dim, index)`; it is converted to the dtype of `input`
        dim: the dimension; negative numbers count from the last one
        index: the place in this dimension, an integer; negative numbers count from its end

    Returns a new tensor. The gradient of `input` is 0 where it was replaced.

    >>> jgrad.select_scatter(jgrad.zeros(2, 3), jgrad.tensor([5., 6.]), 1, 0)
    tensor([[5., 0., 0.],
            [6., 0., 0.]])
    """

    self = lambda grad, src_shape, dim, index: select_scatter(grad, zeros_of(grad, src_shape), dim, index)
    src = lambda grad, dim, index: select(grad, dim, index)


@op(
    "slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    keeps_dtype=True,
    real_gradient=True,
    forms="function method out",
    batches="dim",
)
class slice_scatter:
    """A copy of the tensor with `src` in a range of a dimension: as `x[start:end:step] = src` for dimension 0, but `x` stays as it is.

    Args:
        input: the tensor to copy
        src: a tensor with the shape of this range of `input`; it is converted to the dtype of `input`
        dim: the dimension; negative numbers count from the last one
        start: the first index of the range; None means 0, and negative numbers count from the end
        end: the index at which the range stops, which is not included; None means the end of the dimension
        step: the distance of the indices, at least 1

    Returns a new tensor. The gradient of `input` is 0 where it was replaced.

    >>> jgrad.slice_scatter(jgrad.zeros(5), jgrad.tensor([1., 2.]), start=1, step=2)
    tensor([0., 1., 0., 2., 0.])
    """

    self = lambda grad, src_shape, dim, start, end, step: slice_scatter(
        grad, zeros_of(grad, src_shape), dim, start, end, step
    )
    src = lambda grad, dim, start, end, step: narrowed(grad, dim, start, end, step)


def narrowed(input: Tensor, dim: int, start: int | None, end: int | None, step: int) -> Tensor:
    return slice_(input, wrap_dim(dim, input._a.ndim), start, end, step)


@op(
    "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    keeps_dtype=True,
)
class diagonal_scatter:
    """A copy of the tensor with `src` on a diagonal: as `x.diagonal().copy_(src)`, but `x` stays as it is.

    Args:
        input: the tensor to copy, with at least two dimensions
        src: a tensor with the shape of this diagonal of `input`; it is converted to the dtype of `input`
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns; negative numbers count from the last one

    Returns a new tensor. The gradient of `input` is 0 where it was replaced.

    >>> jgrad.diagonal_scatter(jgrad.zeros(2, 3), jgrad.tensor([5., 6.]), 1)
    tensor([[0., 5., 0.],
            [0., 0., 6.]])
    """

    self = lambda grad, src_shape, offset, dim1, dim2: diagonal_scatter(
        grad, zeros_of(grad, src_shape), offset, dim1, dim2
    )
    src = lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2)


def _geometry_and_part(
    self: Tensor, src: Tensor, size: tuple, stride: tuple, storage_offset: int | None
) -> tuple:
    """Where self and what is replaced are in the storage."""
    whole = geometry_of(self._a)
    return whole, (size, stride, whole[2] if storage_offset is None else storage_offset)


@op(
    "as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
    keeps_dtype=True,
    derived={"geometries": _geometry_and_part},
    gradient_writes=1,
)
class as_strided_scatter:
    """A copy of the tensor with `src` at the places in memory that strides describe: as `x.as_strided(size, stride).copy_(src)`, but `x` stays
    as it is.

    Args:
        input: the tensor to copy
        src: a tensor with the shape `size`; it is converted to the dtype of `input`
        size: the shape of the part that is replaced
        stride: for each dimension, how many elements further in memory the next index lies; not negative
        storage_offset: the position of the first element in the storage; None means that of `input`

    Returns a new tensor. The gradient of `input` is 0 where it was replaced.

    >>> jgrad.as_strided_scatter(jgrad.zeros(3, 3), jgrad.tensor([1., 2., 3.]), (3,), (4,))
    tensor([[1., 0., 0.],
            [0., 2., 0.],
            [0., 0., 3.]])
    """

    self = lambda grad, geometries: clear_strided(grad, *geometries)
    src = lambda grad, geometries: extract_strided(grad, *geometries)


# What views show, copied ------------------------------------------------------------------------------------------------------


copies: dict[str, Any] = {}


def _copied(name: str, batches: str = "") -> None:
    """Declare `name_copy`: what the view `name` shows, in memory of its own, with the derivatives of the view."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    for number, view in enumerate([d for d in TABLE[name].declarations if isinstance(d.body, type)]):
        head, _, rest = view.text.partition("(")
        which = head.partition(".")[2]
        schema = f"{name}_copy{'.' if which else ''}{which}({rest.replace('Tensor(a)', 'Tensor')}"
        options = {k: v for k, v in view.options.items() if k == "derived"}
        if batches:
            options["batches"] = batches
        kernel = f"{view.options.get('kernel', name)}_copy"
        node = f"{camel}Backward{number}_copy"
        copies[name] = op(schema, forms="function out", kernel=kernel, node=node, **options)(view.body)
    operation = TABLE[name + "_copy"]
    operation.doc = (
        f"A copy of what the view `{name}` shows, in new memory. The parameters are those of `{name}`."
    )
    document(operation)


@op(
    "select_copy.int(Tensor self, int dim, int index) -> Tensor",
    forms="function out",
    node="SelectBackward0_copy",
)
class select_copy:
    """A copy of what the view `select` shows, in new memory: the tensor at one index of a dimension.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension in which the index counts; negative numbers count from the last one
        index: the place in dimension `dim`; negative numbers count from the end

    Returns a new tensor with the shape of `input` without dimension `dim`.

    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> row = jgrad.select_copy(x, 0, 1)
    >>> row.zero_()
    tensor([0, 0])
    >>> x
    tensor([[1, 2],
            [3, 4]])
    """

    self = lambda grad, self_shape, dim, index: select_backward(grad, self_shape, dim, index)


@op(
    "slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    forms="function out",
    node="SliceBackward0_copy",
)
class slice_copy:
    """A copy of a range of a dimension, in new memory.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension of the range; negative numbers count from the last one
        start: the first index of the range; negative numbers count from the end; None means 0
        end: the index after the last one of the range; negative numbers count from the end; None means the end of the dimension
        step: the distance between the indices of the range; a positive number

    Returns a new tensor.

    >>> jgrad.slice_copy(jgrad.arange(6), 0, 1, 6, 2)
    tensor([1, 3, 5])
    """

    self = lambda grad, self_shape, dim, start, end, step: slice_copy_backward(
        grad, self_shape, dim, start, end, step
    )


@formula
def slice_copy_backward(
    grad: Any, shape: tuple, dim: int, start: int | None, end: int | None, step: int
) -> Any:
    return slice_backward(grad, shape, dim % len(shape), start, end, step)


@op("view_copy.dtype(Tensor self, dtype dtype) -> Tensor", forms="function out", kernel="view_dtype_copy")
class view_dtype_copy:
    """The same bytes read as another dtype, as a copy."""


@composite("view_as_complex_copy(Tensor self) -> Tensor", forms="function")
def view_as_complex_copy(input: Tensor) -> Tensor:
    """Complex numbers from pairs of real numbers, in new memory.

    Args:
        input: a floating-point tensor whose last dimension has size 2: the real and the imaginary part

    Returns a new complex tensor with the shape of `input` without its last dimension.

    Has no gradient, as in PyTorch: raises RuntimeError if `input` requires grad and grad mode is on.

    >>> jgrad.view_as_complex_copy(jgrad.tensor([[1., 2.], [3., -4.]]))
    tensor([1.+2.j, 3.-4.j])
    """
    if input.requires_grad and grad_mode.mode.enabled:
        raise RuntimeError(
            "view_as_complex_copy does not support automatic differentiation for outputs with complex dtype."
        )
    return view_as_complex(input).clone()


@op("detach_copy(Tensor self) -> Tensor", forms="function out", undifferentiable=True, batches="elementwise")
class detach_copy:
    """A copy of what the view `detach` shows, in new memory. It has no derivative.

    Args:
        input: a tensor of any shape

    Returns a new tensor. Unlike the result of `detach`, it requires grad if `input` does, but `backward` through it raises RuntimeError. Use
    `x.detach().clone()` for a copy without history.

    >>> jgrad.detach_copy(jgrad.tensor([1., 2.]))
    tensor([1., 2.])
    >>> jgrad.detach_copy(jgrad.tensor([1., 2.], requires_grad=True)).requires_grad
    True
    """


@op("narrow_copy(Tensor self, int dim, int start, int length) -> Tensor", forms="function method out")
class narrow_copy:
    """A copy of a range of one dimension, in new memory. The range is given by its start and its length.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension of the range; negative numbers count from the last one
        start: the first index of the range; negative numbers count from the end
        length: how many indices the range has

    Returns a new tensor. Its size in dimension `dim` is `length`.

    >>> jgrad.narrow_copy(jgrad.arange(6), 0, 2, 3)
    tensor([2, 3, 4])
    """

    self = lambda grad, self_shape, dim, start, length: narrow_copy_backward(
        grad, self_shape, dim, start, length
    )


@formula
def narrow_copy_backward(grad: Any, shape: tuple, dim: int, start: int, length: int) -> Any:
    """Zeros of the input's shape with the gradients where they were read from."""
    first = start + shape[dim] if start < 0 else start
    return slice_backward(grad, shape, dim % len(shape), first, first + length, 1)


# Pieces of the same memory that autograd takes for tensors of their own -------------------------------------------------------


@op("unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]")
class unsafe_split:
    """Pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of `input`, but
    autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.

    Args:
        input: a tensor with at least one dimension
        split_size: the size of the pieces
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of tensors. Use `split` unless you need pieces that can be changed in place.

    >>> x = jgrad.ones(4)
    >>> a, b = jgrad.unsafe_split(x, 2)
    >>> a.zero_()
    tensor([0., 0.])
    >>> x, x._version  # the write is not counted
    (tensor([0., 0., 1., 1.]), 0)
    """

    self = lambda grads, dim: cat(grads, dim)


@op("unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]")
class unsafe_split_with_sizes:
    """Pieces of the tensor along a dimension, with the given sizes. They share the memory of `input`, but autograd does not treat them as views:
    a write to one piece is not noticed by `input` and the other pieces.

    Args:
        input: a tensor with at least one dimension
        split_sizes: the size of each piece; their sum must be the size of the dimension
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of tensors. Use `split` unless you need pieces that can be changed in place.

    >>> jgrad.unsafe_split_with_sizes(jgrad.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """

    self = lambda grads, dim: cat(grads, dim)


@composite("unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of
    `input`, but autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces.

    Args:
        input: a tensor with at least one dimension
        chunks: into how many pieces to cut; there can be fewer, because the size of the pieces is rounded up
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of tensors. Use `chunk` unless you need pieces that can be changed in place.

    >>> jgrad.unsafe_chunk(jgrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    size = chunk_sizes(input, chunks, dim)
    if size == 0:
        return unsafe_split_with_sizes(input, [0] * chunks, dim)
    return unsafe_split(input, size, dim)


for _name in (
    "as_strided", "diagonal", "expand", "permute", "split", "split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold",
    "view", "view_as_real",
):  # fmt: skip
    _copied(_name)
_copied("alias", batches="elementwise")
_copied("unsqueeze", batches="dim")
