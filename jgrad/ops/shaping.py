"""Operations that change the shape: nearly all of them give views, tensors on the same memory."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from jgrad import observer
from jgrad.dispatch import TABLE, composite, formula, op
from jgrad.dispatch.batched import on_the_values
from jgrad.dispatch.options import INTERNAL
from jgrad.graph import view as views
from jgrad.graph.node import Node
from jgrad.graph.view import geometry_of
from jgrad.kernels import lazy, libraries
from jgrad.kernels.numpy import kept_shape as kept_shape  # on shapes, so the same for tensors
from jgrad.kernels.numpy.shape import is_dense_or_gapped
from jgrad.ops.by_name import cat, permute_back, reshape, stack, sum_to_size, unsqueeze_to
from jgrad.ops.by_name import conj as conj  # for `CopySlices`
from jgrad.ops.by_name import contiguous as contiguous  # for `CopySlices`
from jgrad.ops.by_name import resolve_conj as resolve_conj  # for `CopySlices`

# For `CopySlices` in `jgrad/graph/view.py`, whose `operators` this chapter is.
from jgrad.ops.by_name import view_as_complex as view_as_complex
from jgrad.ops.by_name import view_as_real as view_as_real
from jgrad.ops.creation import ones_like
from jgrad.tensor import Tensor, wrap


@op("view(Tensor(a) self, int[] size) -> Tensor(a)", forms="method", varargs=True)
class view:
    """A tensor on the same memory with another shape. It works only if the strides allow this without a copy."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@composite("view.dtype(Tensor self, dtype dtype) -> Tensor", forms="method")
@on_the_values
def _view_dtype(input: Tensor, dtype: np.dtype) -> Tensor:
    """The same bytes read as another dtype. For autograd this is no view: no gradient flows through it."""
    if any(lazy.bits_of(input._a)):
        kind = "conjugate view tensors" if input._a.conjugated else "tensors with negative bit set"
        raise RuntimeError(
            f"torch.Tensor.view is not supported for {kind} when converting to a different dtype."
        )
    result = wrap(libraries.of(input._a).kernels.view_dtype(input._a, dtype))
    result._vc = input._counter
    if (watch := observer.current) is not None:
        watch.op("view", "view", (input,), (result,), None, {"dtype": dtype})
    return result


@op(
    "_unsafe_view(Tensor self, int[] size) -> Tensor",
    forms="function",
    kernel="view",
    node="UnsafeViewBackward0",
)
class _unsafe_view:
    """A new tensor in another shape. Autograd does not treat it as a view, because no other tensor uses its memory."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@op(
    "_reshape_alias(Tensor(a) self, int[] size) -> Tensor(a)",
    kernel="view",
    node="ReshapeAliasBackward0",
    **INTERNAL,
)
class _reshape_alias:
    """The view that `reshape` makes of a tensor that is not contiguous."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@op("alias(Tensor(a) self) -> Tensor(a)", forms="function")
class alias:
    """Another tensor with the same shape on the same memory: a view."""

    self = lambda grad: grad


@op("permute(Tensor(a) self, int[] dims) -> Tensor(a)", varargs=True)
class permute:
    """The tensor with its dimensions in another order."""

    self = lambda grad, dims: permute_back(grad, dims)


@op("transpose(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", forms="function method inplace")
class transpose:
    """The tensor with two of its dimensions exchanged."""

    self = lambda grad, dim0, dim1: transpose(grad, dim0, dim1)


@op("t(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class t:
    """The transposed matrix: rows become columns."""

    self = lambda grad: t(grad)


@op("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", forms="function method inplace")
class unsqueeze:
    """The tensor with one more dimension, which has size 1."""

    self = lambda grad, dim: squeeze_dim(grad, dim)


@op("squeeze(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class squeeze:
    """The tensor without its dimensions of size 1, or without some of them."""

    self = lambda grad, self_shape: unsqueeze_to(grad, self_shape, None)


@op("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", kernel="squeeze_dim")
class squeeze_dim:
    self = lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, (dim,))


@op("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)")
class squeeze_dims:
    self = lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, dim)


@op("expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)", forms="method", varargs=True)
class _expand:
    """The tensor with its dimensions of size 1 made larger. Nothing is copied: the stride of these dimensions is 0, so that the same elements
    are read again and again."""

    self = lambda grad, self_shape: sum_to_size(grad, self_shape)


@op("select.int(Tensor(a) self, int dim, int index) -> Tensor(a)")
class select:
    """The part of the tensor at one index of a dimension. This dimension goes away. `x.select(1, 2)` is the same as `x[:, 2]`."""

    self = lambda grad, self_shape, dim, index: select_backward(grad, self_shape, dim, index)


@op(
    "_slice(Tensor(a) self, int dim, int? start, int? end, int step) -> Tensor(a)",
    forms="method",
    kernel="slice_",
    node="SliceBackward0",
)
class slice_:
    """A range of one dimension; a view."""

    self = lambda grad, self_shape, dim, start, end, step: slice_backward(
        grad, self_shape, dim, start, end, step
    )


@op("split.Tensor(Tensor(a) self, int split_size, int dim=0) -> Tensor(a)[]")
class split:
    """Pieces of the tensor along a dimension: all of the same size, where the last may be smaller."""

    self = lambda grads, dim: cat(grads, dim)


@op("split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]")
class split_with_sizes:
    """Pieces of the tensor along a dimension, with the given sizes."""

    self = lambda grads, dim: cat(grads, dim)


@op("unbind(Tensor(a) self, int dim=0) -> Tensor(a)[]")
class unbind:
    """All parts of the tensor along a dimension, one for each index. This dimension goes away. It is the inverse of `stack`."""

    self = lambda grads, dim: stack(grads, dim)


@op("diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)")
class diagonal:
    """A diagonal of the matrices that two dimensions form. These two go away, and the diagonal becomes a new last dimension."""

    self = lambda grad, self_shape, offset, dim1, dim2: diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    )


@op("unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", forms="method")
class unfold:
    """All windows of one size along a dimension. This dimension then counts the windows, and a new last dimension holds the elements of each."""

    self = lambda grad, self_shape, dimension, size, step: unfold_backward(
        grad, self_shape, dimension, size, step
    )


def _geometries(self: Tensor, size: tuple, stride: tuple, storage_offset: int | None) -> tuple:
    """Where self and the result are in the storage."""
    source = geometry_of(self._a)
    return source, (size, stride, source[2] if storage_offset is None else storage_offset)


@op(
    "as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a)",
    forms="function method inplace function_",
    derived={"geometries": _geometries},
    gradient_writes=1,
)
class as_strided:
    """A view with any shape and strides of the memory on which the tensor lies."""

    self = lambda grad, geometries: as_strided_backward(grad, *geometries)


@formula
def as_strided_backward(grad: Any, whole: tuple, part: tuple) -> Any:
    """The gradients, added up at the places from which the elements were read. Elements of `self` on the same memory share their gradient."""
    result = embed_strided(grad, whole, part)
    if not is_dense_or_gapped(whole):
        result = result / embed_strided(ones_like(result), whole, whole)
    return result


def node_of(name: str) -> type[Node]:
    """The class of the nodes that an operator on views makes."""
    node: type[Node] = TABLE[name].overloads[0].node
    return node


views.operators = sys.modules[__name__]


# Scattering a gradient back to where a view read from: linear operations whose derivative is the view again.


@op(
    "select_backward(Tensor grad, int[] input_sizes, int dim, int index) -> Tensor",
    forms="function",
    batches="dim",
)
class select_backward:
    """The gradient of `select`: zeros of the size of its input, with `grad` at one index of a dimension."""

    grad = lambda grad, dim, index: select(grad, dim, index)


@op(
    "slice_backward(Tensor grad, int[] input_sizes, int dim, int? start, int? end, int step) -> Tensor",
    forms="function",
    batches="dim",
)
class slice_backward:
    """The gradient of a slice: zeros of the size of its input, with `grad` in a range of a dimension."""

    grad = lambda grad, dim, start, end, step: slice_(grad, dim, start, end, step)


@op("diagonal_backward(Tensor grad, any shape, int offset, int dim1, int dim2) -> Tensor", **INTERNAL)
class diagonal_backward:
    """Zeros of the input's shape with `grad` on a diagonal."""

    grad = lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2)


@op("unfold_backward(Tensor grad, any shape, int dimension, int size, int step) -> Tensor", **INTERNAL)
class unfold_backward:
    """The gradients of all windows added up where they were read from."""

    grad = lambda grad, dimension, size, step: unfold(grad, dimension, size, step)


@op("extract_strided(Tensor self, any base, any part) -> Tensor", forms="function")
class extract_strided:
    """Of a tensor shaped like the geometry `base`, the elements that are where `part` is."""

    self = lambda grad, base, part: embed_strided(grad, base, part)


@op("embed_strided(Tensor self, any base, any part) -> Tensor", forms="function")
class embed_strided:
    """Zeros shaped like the geometry `base`, with self where `part` is."""

    self = lambda grad, base, part: extract_strided(grad, base, part)


@op("clear_strided(Tensor self, any base, any part) -> Tensor", forms="function")
class clear_strided:
    """A copy with zeros where `part` is."""

    self = lambda grad, base, part: clear_strided(grad, base, part)
