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
    """The tensor several times side by side, along each dimension."""

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
    """The tensor several times side by side, along each dimension: as `repeat`, but `dims` may be shorter than the shape."""
    return repeat(input, (1,) * (input._a.ndim - len(dims)) + dims)


# Diagonals and triangles ------------------------------------------------------------------------------------------------------


@op("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
class diag_embed:
    """Matrices with the elements of the last dimension on a diagonal and zeros elsewhere."""

    self = lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2)


@composite("diag(Tensor self, int diagonal=0) -> Tensor", forms="function method out")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with a vector on its diagonal, or the diagonal of a matrix as a vector."""
    if input._a.ndim == 1:
        return diag_embed(input, diagonal)
    if input._a.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._a.ndim}D")
    return copies["diagonal"](input, diagonal)


@composite("diagflat(Tensor self, int offset=0) -> Tensor")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all elements of the tensor on a diagonal and zeros elsewhere."""
    return diag_embed(input.contiguous().view((-1,)), offset)


@op(
    "tril(Tensor self, int diagonal=0) -> Tensor",
    forms="function method inplace out",
    checks_overlap=False,
    batches="leading",
)
class tril:
    """The lower triangles of matrices: the elements above a diagonal are replaced by zeros."""

    self = lambda grad, diagonal: tril(grad, diagonal)


@op(
    "triu(Tensor self, int diagonal=0) -> Tensor",
    forms="function method inplace out",
    checks_overlap=False,
    batches="leading",
)
class triu:
    """The upper triangles of matrices: the elements below a diagonal are replaced by zeros."""

    self = lambda grad, diagonal: triu(grad, diagonal)


# A part of a copy replaced: what writing to a view does, without the writing --------------------------------------------------


@op(
    "select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
    keeps_dtype=True,
    real_gradient=True,
    batches="dim",
)
class select_scatter:
    """A copy of the tensor with `src` at one index of a dimension: as `x.select(dim, index).copy_(src)`, but `x` stays as it is."""

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
    """A copy of the tensor with `src` in a range of a dimension: as `x[start:end:step] = src` for dimension 0, but `x` stays as it is."""

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
    """A copy of the tensor with `src` on a diagonal: as `x.diagonal().copy_(src)`, but `x` stays as it is."""

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
    as it is."""

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
    """A copy of what the view `select` shows, in new memory: the tensor at one index of a dimension."""

    self = lambda grad, self_shape, dim, index: select_backward(grad, self_shape, dim, index)


@op(
    "slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    forms="function out",
    node="SliceBackward0_copy",
)
class slice_copy:
    """A copy of a range of a dimension, in new memory."""

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
    """Complex numbers from pairs of real numbers, in new memory."""
    if input.requires_grad and grad_mode.mode.enabled:
        raise RuntimeError(
            "view_as_complex_copy does not support automatic differentiation for outputs with complex dtype."
        )
    return view_as_complex(input).clone()


@op("detach_copy(Tensor self) -> Tensor", forms="function out", undifferentiable=True, batches="elementwise")
class detach_copy:
    """A copy of what the view `detach` shows, in new memory. It has no derivative."""


@op("narrow_copy(Tensor self, int dim, int start, int length) -> Tensor", forms="function method out")
class narrow_copy:
    """A copy of a range of one dimension, in new memory. The range is given by its start and its length."""

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
    autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces."""

    self = lambda grads, dim: cat(grads, dim)


@op("unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]")
class unsafe_split_with_sizes:
    """Pieces of the tensor along a dimension, with the given sizes. They share the memory of `input`, but autograd does not treat them as views:
    a write to one piece is not noticed by `input` and the other pieces."""

    self = lambda grads, dim: cat(grads, dim)


@composite("unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller. They share the memory of
    `input`, but autograd does not treat them as views: a write to one piece is not noticed by `input` and the other pieces."""
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
