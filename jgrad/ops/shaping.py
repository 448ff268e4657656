"""Operations that change the shape: nearly all of them give views, tensors on the same memory."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from jgrad import formats, observer, warn
from jgrad.dispatch import TABLE, composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.formats import contiguous_format, preserve_format
from jgrad.graph import view as views
from jgrad.graph.batched import on_the_values
from jgrad.graph.node import Node
from jgrad.graph.view import geometry_of
from jgrad.kernels import lazy, libraries
from jgrad.kernels.numpy import kept_shape as kept_shape  # on shapes, so the same for tensors
from jgrad.kernels.numpy.shape import can_view, infer_size, is_dense_or_gapped, wrap_dim
from jgrad.ops.by_name import cat, conj, stack
from jgrad.ops.by_name import resolve_conj as resolve_conj  # for `CopySlices`

# For `CopySlices` in `jgrad/graph/view.py`, whose `operators` this chapter is.
from jgrad.ops.by_name import view_as_complex as view_as_complex
from jgrad.ops.by_name import view_as_real as view_as_real
from jgrad.ops.creation import ones_like
from jgrad.tensor import Tensor, wrap


@op("view(Tensor(a) self, int[] size) -> Tensor(a)", forms="method", varargs=True)
class view:
    """A tensor on the same memory with another shape. It works only if the strides allow this without a copy.

    Args:
        size: the new shape, as integers or as one tuple; one size may be -1, then it is computed from the others
        dtype: instead of a shape, the dtype as which the same bytes are read; if its elements have another size, the last dimension
            becomes longer or shorter

    Returns a view with the given shape, or, with `dtype`, a tensor on the same memory through which no gradient flows.

    Raises RuntimeError if the new shape has another number of elements, or if the strides don't allow it. `reshape` makes a copy in the
    second case.

    >>> x = jgrad.arange(6)
    >>> y = x.view(2, -1)
    >>> y[0, 0] = 9
    >>> x
    tensor([9, 1, 2, 3, 4, 5])
    >>> y
    tensor([[9, 1, 2],
            [3, 4, 5]])
    >>> jgrad.tensor([1.0]).view(jgrad.int32)
    tensor([1065353216], dtype=jgrad.int32)
    """

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
    """The tensor with its dimensions in another order.

    Args:
        input: a tensor of any shape
        dims: all dimensions of `input` in their new order, each of them once; negative numbers count from the last one

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.zeros(2, 3, 5)
    >>> jgrad.permute(x, (2, 0, 1)).shape
    jgrad.Size([5, 2, 3])
    >>> jgrad.permute(x, (0, -1, 1)).shape
    jgrad.Size([2, 5, 3])
    """

    self = lambda grad, dims: permute_back(grad, dims)


@op("transpose(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", forms="function method inplace")
class transpose:
    """The tensor with two of its dimensions exchanged.

    Args:
        input: a tensor of any shape
        dim0, dim1: the two dimensions; negative numbers count from the last one

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.tensor([[1, 2, 3],
    ...                   [4, 5, 6]])
    >>> y = jgrad.transpose(x, 0, 1)
    >>> y
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    >>> y[0, 0] = 9
    >>> x
    tensor([[9, 2, 3],
            [4, 5, 6]])
    """

    self = lambda grad, dim0, dim1: transpose(grad, dim0, dim1)


@op("t(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class t:
    """The transposed matrix: rows become columns.

    Args:
        input: a matrix; tensors with no dimension or with one are also accepted, and their shape stays the same

    Returns a view: it shares the memory of `input`. Raises RuntimeError if `input` has more than two dimensions.

    >>> jgrad.t(jgrad.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """

    self = lambda grad: t(grad)


@op("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", forms="function method inplace")
class unsqueeze:
    """The tensor with one more dimension, which has size 1.

    Args:
        input: a tensor of any shape
        dim: the place of the new dimension in the result; negative numbers count from the end, -1 puts it last

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.tensor([1, 2, 3])
    >>> jgrad.unsqueeze(x, 0)
    tensor([[1, 2, 3]])
    >>> jgrad.unsqueeze(x, -1)
    tensor([[1],
            [2],
            [3]])
    """

    self = lambda grad, dim: squeeze_dim(grad, dim)


@op("squeeze(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class squeeze:
    """The tensor without its dimensions of size 1, or without some of them.

    Args:
        input: a tensor of any shape
        dim: the dimension to remove, or a tuple of dimensions; those whose size is not 1 stay. Without this argument all dimensions of
            size 1 are removed

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.zeros(1, 3, 1, 2)
    >>> jgrad.squeeze(x).shape
    jgrad.Size([3, 2])
    >>> jgrad.squeeze(x, 0).shape
    jgrad.Size([3, 1, 2])
    >>> jgrad.squeeze(x, (1, 2)).shape
    jgrad.Size([1, 3, 2])
    """

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
    are read again and again.

    Args:
        size: the new shape, as integers or as one tuple; -1 keeps the size of a dimension; more sizes than the tensor has dimensions put
            new dimensions in front
        implicit: changes nothing; PyTorch has this argument for its own use

    Returns a view. Several of its elements can have the same place in memory; in-place arithmetic such as `add_` then raises RuntimeError.

    The gradient is summed over the dimensions that were made larger.

    >>> x = jgrad.tensor([[1.], [2.]], requires_grad=True)
    >>> y = x.expand(-1, 3)
    >>> y.detach()
    tensor([[1., 1., 1.],
            [2., 2., 2.]])
    >>> y.stride()
    (1, 0)
    >>> y.sum().backward()
    >>> x.grad
    tensor([[3.],
            [3.]])
    """

    self = lambda grad, self_shape: sum_to_size(grad, self_shape)


@op("select.int(Tensor(a) self, int dim, int index) -> Tensor(a)")
class select:
    """The part of the tensor at one index of a dimension. This dimension goes away. `x.select(1, 2)` is the same as `x[:, 2]`.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one
        index: the place in this dimension, an integer; negative numbers count from its end

    Returns a view: it shares the memory of `input`. It has one dimension less.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.select(x, 0, 1)
    tensor([4, 5, 6])
    >>> jgrad.select(x, 1, -1)
    tensor([3, 6])
    """

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
    """Pieces of the tensor along a dimension: all of the same size, where the last may be smaller.

    Args:
        input: a tensor with at least one dimension
        split_size: the size of the pieces
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of views, which share the memory of `input`.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> jgrad.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """

    self = lambda grads, dim: cat(grads, dim)


@op("split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]")
class split_with_sizes:
    """Pieces of the tensor along a dimension, with the given sizes.

    Args:
        input: a tensor with at least one dimension
        split_sizes: the size of each piece; their sum must be the size of the dimension
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of views, which share the memory of `input`.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> jgrad.split_with_sizes(jgrad.arange(5), [1, 0, 4])
    (tensor([0]), tensor([], dtype=jgrad.int64), tensor([1, 2, 3, 4]))
    """

    self = lambda grads, dim: cat(grads, dim)


@op("unbind(Tensor(a) self, int dim=0) -> Tensor(a)[]")
class unbind:
    """All parts of the tensor along a dimension, one for each index. This dimension goes away. It is the inverse of `stack`.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one

    Returns a tuple of views, which share the memory of `input`.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> x = jgrad.tensor([[1, 2], [3, 4], [5, 6]])
    >>> jgrad.unbind(x)
    (tensor([1, 2]), tensor([3, 4]), tensor([5, 6]))
    >>> jgrad.unbind(x, 1)
    (tensor([1, 3, 5]), tensor([2, 4, 6]))
    """

    self = lambda grads, dim: stack(grads, dim)


@op("diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)")
class diagonal:
    """A diagonal of the matrices that two dimensions form. These two go away, and the diagonal becomes a new last dimension.

    Args:
        input: a tensor with at least two dimensions
        offset: which diagonal: 0 is the main one, positive numbers are above it, negative ones below it
        dim1, dim2: the dimensions of the rows and of the columns; negative numbers count from the last one

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> jgrad.diagonal(x)
    tensor([1, 5, 9])
    >>> jgrad.diagonal(x, 1)
    tensor([2, 6])
    >>> jgrad.diagonal(jgrad.zeros(2, 3, 5), dim1=0, dim2=2).shape
    jgrad.Size([3, 2])
    """

    self = lambda grad, self_shape, offset, dim1, dim2: diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    )


@op("unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", forms="method")
class unfold:
    """All windows of one size along a dimension. This dimension then counts the windows, and a new last dimension holds the elements of each.

    Args:
        dimension: the dimension along which the windows move; negative numbers count from the last one
        size: the number of elements in a window; at most the size of the dimension
        step: the distance between the beginnings of two windows

    Returns a view: it shares the memory of the tensor. Windows can overlap; the gradient of an element is then the sum over all windows
    that contain it.

    >>> x = jgrad.tensor([1., 2., 3., 4.], requires_grad=True)
    >>> y = x.unfold(0, 2, 1)
    >>> y.detach()
    tensor([[1., 2.],
            [2., 3.],
            [3., 4.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 2., 2., 1.])
    """

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
    """A view with any shape and strides of the memory on which the tensor lies.

    Args:
        input: a tensor of any shape
        size: the shape of the result
        stride: for each dimension, how many elements further in memory the next index lies; not negative
        storage_offset: the position of the first element in the storage; None means that of `input`

    Returns a view: it shares the memory of `input`. Raises RuntimeError if the result would reach beyond the storage.

    If an element occurs several times in the result, its gradients are added up.

    >>> x = jgrad.tensor([1., 2., 3., 4.], requires_grad=True)
    >>> y = x.as_strided((3, 2), (1, 1))
    >>> y.detach()
    tensor([[1., 2.],
            [2., 3.],
            [3., 4.]])
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 2., 2., 1.])
    """

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


# Composed of the above ------------------------------------------------------------------------------------------------------


def expand(a: Tensor, size: tuple) -> Tensor:
    return a.expand(size)


@composite("sum_to_size(Tensor self, int[] size) -> Tensor", forms="method", varargs=True)
def sum_to_size(input: Tensor, size: tuple) -> Tensor:
    """The sums over the dimensions that broadcasting from the shape `size` would add or make larger. It gives the gradient of `expand`.

    Args:
        size: the shape of the result, as integers or as one tuple; it must broadcast to the shape of the tensor

    Returns a new tensor, or the tensor itself if it has this shape already.

    >>> x = jgrad.tensor([[1, 2], [3, 4]])
    >>> x.sum_to_size(2)
    tensor([4, 6])
    >>> x.sum_to_size(2, 1)
    tensor([[3],
            [7]])
    """
    shape = input._a.shape
    added = len(shape) - len(size)
    if added < 0 or any([n not in (1, m) for n, m in zip(size, shape[added:], strict=True)]):
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}.")
    if not size:
        return input.sum()
    dims = tuple([i for i, n in enumerate(shape) if i < added or (size[i - added] == 1 and n != 1)])
    total = input.sum(dims, keepdim=True) if dims else input
    return total.view(size) if added else total


@composite("reshape(Tensor self, int[] shape) -> Tensor", varargs=True, usually="view view_of_contiguous")
def reshape(input: Tensor, shape: tuple) -> Tensor:
    """The same elements in another shape, in the same order (the last index changes fastest).

    Args:
        input: a tensor of any shape
        shape: the new shape, as a tuple; one size may be -1, then it is computed from the others

    Returns a view of `input` if the strides allow it, else a copy. Use `view` or `clone` where you need to know which.

    >>> x = jgrad.arange(6)
    >>> y = jgrad.reshape(x, (2, -1))
    >>> y
    tensor([[0, 1, 2],
            [3, 4, 5]])
    >>> z = jgrad.reshape(y.t(), (6,))  # a copy: no stride fits this order
    >>> z[0] = 9
    >>> x
    tensor([0, 1, 2, 3, 4, 5])
    """
    if input._a.flags.c_contiguous:
        return input.view(shape)
    size = infer_size(shape, input._a.size)
    if can_view(input._a, size):
        return _reshape_alias(input, size)
    return _unsafe_view(input.clone(memory_format=contiguous_format), size)


def unsqueeze_many(grad: Tensor, dims: tuple, shape: tuple) -> Tensor:
    """The dimensions that a reduction of something of this shape over `dims` removed, put back with size 1."""
    for d in sorted([d % (len(shape) or 1) for d in dims]):
        grad = unsqueeze(grad, d)
    return grad


def unsqueeze_to(grad: Tensor, shape: tuple, dims: tuple | None) -> Tensor:
    """The dimensions of size 1 that `squeeze` took out of something of this shape, put back. None: all of them."""
    named = range(len(shape)) if dims is None else [d % (len(shape) or 1) for d in dims]
    return unsqueeze_many(grad, tuple([d for d in named if shape and shape[d] == 1]), shape)


def permute_back(grad: Tensor, dims: tuple) -> Tensor:
    inverse = [0] * len(dims)
    for i, d in enumerate(dims):
        inverse[d % len(dims)] = i
    return grad.permute(inverse)


@composite("contiguous(Tensor self, *, memory_format? memory_format=None) -> Tensor", forms="method")
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor with its elements in order in memory, without gaps.

    Args:
        memory_format: the order of the dimensions in memory; None means `jgrad.contiguous_format`, where the last index changes fastest.
            `jgrad.channels_last` is for four dimensions, `jgrad.channels_last_3d` for five

    Returns the tensor itself if it is contiguous already, else a copy.

    >>> x = jgrad.zeros(2, 3)
    >>> x.contiguous() is x
    True
    >>> y = x.t()
    >>> y.is_contiguous()
    False
    >>> y.stride(), y.contiguous().stride()
    ((1, 3), (2, 1))
    """
    formats.check("contiguous", memory_format)
    if input.is_contiguous(memory_format=memory_format):
        return input
    if memory_format is preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return input.clone(memory_format=memory_format or contiguous_format)


@composite("view_as(Tensor self, Tensor other) -> Tensor", forms="method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor as a view with the shape of another one.

    Args:
        other: a tensor with as many elements; only its shape matters

    Returns a view: it shares the memory of the tensor. Raises RuntimeError if the strides don't allow it.

    >>> jgrad.arange(4).view_as(jgrad.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return input.view(other._a.shape)


@composite("reshape_as(Tensor self, Tensor other) -> Tensor", forms="method")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor.

    Args:
        other: a tensor with as many elements; only its shape matters

    Returns a view if the strides allow it, else a copy.

    >>> jgrad.arange(4).reshape_as(jgrad.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return reshape(input, other._a.shape)


@composite("expand_as(Tensor self, Tensor other) -> Tensor", forms="method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor expanded to the shape of another one: dimensions of size 1 are made larger without a copy.

    Args:
        other: a tensor to whose shape this one can be broadcast; only its shape matters

    Returns a view: it shares the memory of the tensor.

    >>> jgrad.tensor([[1], [2]]).expand_as(jgrad.zeros(2, 3))
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    return input.expand(other._a.shape)


@composite("broadcast_to(Tensor self, int[] size) -> Tensor", varargs=True)
def broadcast_to(input: Tensor, size: tuple) -> Tensor:
    """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front.

    Args:
        input: a tensor of any shape
        size: the new shape, as a tuple; -1 keeps the size of a dimension

    Returns a view: it shares the memory of `input`. The gradient is summed over the dimensions that were made larger.

    >>> jgrad.broadcast_to(jgrad.tensor([1, 2, 3]), (2, 3))
    tensor([[1, 2, 3],
            [1, 2, 3]])
    """
    return input.expand(size)


@composite("flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The tensor with several adjacent dimensions joined into one; with all of them by default.

    Args:
        input: a tensor of any shape; one without dimensions becomes a vector with one element
        start_dim: the first of the dimensions to join; negative numbers count from the last one
        end_dim: the last of them, which is included

    Returns `input` itself if there is nothing to join, else a view of it if the strides allow it, else a copy.

    >>> jgrad.flatten(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    >>> jgrad.flatten(jgrad.zeros(2, 3, 5), start_dim=1).shape
    jgrad.Size([2, 15])
    """
    shape = input._a.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshape(input, (1,))
    if start == end:
        return input
    return reshape(input, (*shape[:start], input.size()[start : end + 1].numel(), *shape[end + 1 :]))


@composite("ravel(Tensor self) -> Tensor")
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension, in order (the last index changes fastest).

    Args:
        input: a tensor of any shape

    Returns a view of `input` if it is contiguous, else a copy.

    >>> jgrad.ravel(jgrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return reshape(input.contiguous(), (-1,))


@composite("narrow(Tensor self, int dim, int start, int length) -> Tensor")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension; negative numbers count from the last one
        start: the first index of the range, an integer or an integer tensor without dimensions; negative numbers count from the end
        length: the number of indices in the range

    Returns a view: it shares the memory of `input`. Raises RuntimeError if the range ends beyond the dimension.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> jgrad.narrow(x, 1, 0, 2)
    tensor([[1, 2],
            [4, 5]])
    >>> jgrad.narrow(x, 1, -1, 1)
    tensor([[3],
            [6]])
    """
    if input._a.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d = wrap_dim(dim, input._a.ndim)
    n = input._a.shape[d]
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [-{n}, {n}], but got {start})")
    start = start + n if start < 0 else start
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return slice_(input, d, start, start + length, 1)


@composite("narrow.Tensor(Tensor self, int dim, Tensor start, int length) -> Tensor")
def _narrow_from(input: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    """A range of a dimension, given by where it begins and how long it is; a view."""
    if start._a.ndim or start._a.dtype.kind not in "iu":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return narrow(input, dim, start._a.item(), length)


def chunk_sizes(input: Tensor, chunks: int, dim: int) -> int:
    """The size of the pieces when a dimension is cut into so many."""
    if input._a.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return -(-input._a.shape[wrap_dim(dim, input._a.ndim)] // chunks)


@composite("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    """At most `chunks` pieces of the tensor along a dimension, all of the same size, where the last may be smaller.

    Args:
        input: a tensor with at least one dimension
        chunks: into how many pieces to cut; there can be fewer, because the size of the pieces is rounded up
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of views, which share the memory of `input`. `tensor_split` always gives the number asked for.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> jgrad.chunk(jgrad.arange(6), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4, 5]))
    >>> jgrad.chunk(jgrad.arange(5), 4)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    size = chunk_sizes(input, chunks, dim)
    if size == 0:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, size, dim)


# Cutting into pieces as NumPy does: sizes that differ by one at most, or cuts at these indices.


@composite("tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]")
def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension: a number of pieces whose sizes differ by at most one, or pieces between given indices.

    Args:
        input: a tensor with at least one dimension
        sections: the number of pieces; the first ones are longer by one where the size is not divisible. In its place, the second argument
            can also be a list of indices or a tensor
        dim: the dimension that is cut; negative numbers count from the last one
        indices: the indices at which the dimension is cut, as a list; an index beyond the end gives an empty piece
        tensor_indices_or_sections: an int64 tensor: without dimensions it is the number of pieces, with one dimension it holds the indices

    Returns a tuple of views, which share the memory of `input`.

    >>> jgrad.tensor_split(jgrad.arange(5), 3)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> jgrad.tensor_split(jgrad.arange(5), [1, 3])
    (tensor([0]), tensor([1, 2]), tensor([3, 4]))
    """
    d = _dim_to_split(input, dim)
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    size, larger = divmod(input._a.shape[d], sections)
    pieces, start = [], 0
    for i in range(sections):
        end = start + size + (i < larger)
        pieces.append(slice_(input, d, start, end, 1))
        start = end
    return tuple(pieces)


@composite("tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]")
def _tensor_split_at(input: Tensor, indices: tuple, dim: int = 0) -> tuple:
    """Pieces of the tensor between these indices; views."""
    d = _dim_to_split(input, dim)
    n = input._a.shape[d]
    pieces, start = [], 0
    for end in (*indices, n):
        first, last, _ = slice(start, end).indices(n)
        pieces.append(slice_(input, d, first, max(first, last), 1))
        start = end
    return tuple(pieces)


@composite(
    "tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]"
)
def _tensor_split_by(input: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0) -> tuple:
    """Pieces of the tensor, as a tensor of indices or of one number says; views."""
    given = tensor_indices_or_sections._a
    if given.dtype != np.int64:
        raise RuntimeError(
            f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {tensor_indices_or_sections.dtype.type_name}"
        )
    if given.ndim > 1:
        raise RuntimeError(
            f"tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with "
            f"{given.ndim} dims"
        )
    if given.ndim:
        return _tensor_split_at(input, tuple(given.tolist()), dim)
    return tensor_split(input, given.item(), dim)


def _dim_to_split(input: Tensor, dim: int) -> int:
    if input._a.ndim == 0:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    return wrap_dim(dim, input._a.ndim)


def _declare_split(name: str, least: int, dim: int, doc: str, arguments: str, pieces: str) -> None:
    """Declare hsplit, vsplit or dsplit: tensor_split along a dimension of its own, into pieces of one size only."""

    def dim_of(input: Tensor) -> int:
        if input._a.ndim < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {input._a.ndim} dimensions!"
            )
        return min(dim, input._a.ndim - 1)

    def into(input: Tensor, sections: int) -> tuple:
        d = dim_of(input)
        n = input._a.shape[d]
        if sections == 0 or n % sections:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {d}, but the size of the dimension {n} is not divisible by the "
                f"split_size {sections}!"
            )
        return tensor_split(input, sections, d)

    def at(input: Tensor, indices: tuple) -> tuple:
        return _tensor_split_at(input, indices, dim_of(input))

    into.__doc__ = at.__doc__ = f"""{doc}

    Args:
        input: a tensor with at least {least} dimension{"s" * (least > 1)}
        sections: the number of pieces, all of the same size; the size of the dimension must be divisible by it. In its place, the second
            argument can also be a list of indices
        indices: the indices at which the dimension is cut, as a list; then the pieces can have different sizes

    Returns a tuple of views, which share the memory of `input`.

    >>> [piece.tolist() for piece in jgrad.{name}({arguments})]
    {pieces}
    """
    composite(f"{name}.int(Tensor self, int sections) -> Tensor[]")(into)
    composite(f"{name}.array(Tensor self, int[] indices) -> Tensor[]")(at)


_declare_split(
    "hsplit", 1, 1, "Pieces of the tensor from left to right: along dimension 1, or along dimension 0 if there is no other.",
    "jgrad.tensor([[1, 2], [3, 4]]), 2", "[[[1], [3]], [[2], [4]]]",
)  # fmt: skip
_declare_split(
    "vsplit", 2, 0, "Pieces of the tensor from top to bottom: along dimension 0.", "jgrad.tensor([[1, 2], [3, 4], [5, 6]]), [1]",
    "[[[1, 2]], [[3, 4], [5, 6]]]",
)  # fmt: skip
_declare_split(
    "dsplit", 3, 2, "Pieces of the tensor along dimension 2.", "jgrad.tensor([[[1, 2], [3, 4]]]), 2", "[[[[1], [3]]], [[[2], [4]]]]",
)  # fmt: skip


def _split(self: Any, split_size: Any, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension, all of one size or with the given sizes.

    Args:
        split_size: the size of the pieces, where the last may be smaller; or a list of sizes, whose sum is the size of the dimension
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of views, which share the memory of the tensor.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> jgrad.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> jgrad.arange(5).split([1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    if isinstance(split_size, (list, tuple)):
        return split_with_sizes(self, split_size, dim)
    return split.op.call((self, split_size, dim), {})


def _split_function(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple:
    """Pieces of the tensor along a dimension, all of one size or with the given sizes.

    Args:
        tensor: a tensor with at least one dimension
        split_size_or_sections: the size of the pieces, where the last may be smaller; or a list of sizes, whose sum is the size of the
            dimension
        dim: the dimension that is cut; negative numbers count from the last one

    Returns a tuple of views, which share the memory of `tensor`. The gradient of `tensor` is put together from those of the pieces.

    If gradients are recorded, a piece can't be changed in place: this raises RuntimeError.

    >>> x = jgrad.tensor([1., 2., 3.], requires_grad=True)
    >>> a, b = jgrad.split(x, [1, 2])
    >>> b.detach()
    tensor([2., 3.])
    >>> (5 * b).sum().backward()
    >>> x.grad
    tensor([0., 5., 5.])
    """
    return _split(tensor, split_size_or_sections, dim)


split.op.function = _split_function
Tensor.split = _split  # type: ignore[attr-defined]


@composite("swapaxes(Tensor self, int axis0, int axis1) -> Tensor")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`.

    Args:
        input: a tensor of any shape
        axis0, axis1: the two dimensions; negative numbers count from the last one

    Returns a view: it shares the memory of `input`.

    >>> jgrad.swapaxes(jgrad.zeros(2, 3, 5), 0, -1).shape
    jgrad.Size([5, 3, 2])
    """
    return transpose(input, axis0, axis1)


@composite("swapdims(Tensor self, int dim0, int dim1) -> Tensor")
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two of its dimensions exchanged: another name of `transpose`.

    Args:
        input: a tensor of any shape
        dim0, dim1: the two dimensions; negative numbers count from the last one

    Returns a view: it shares the memory of `input`.

    >>> jgrad.swapdims(jgrad.zeros(2, 3, 5), 0, -1).shape
    jgrad.Size([5, 3, 2])
    """
    return transpose(input, dim0, dim1)


@composite("swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor", forms="method")
def swapaxes_(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change.

    Args:
        axis0, axis1: the two dimensions; negative numbers count from the last one

    Returns the tensor itself.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> x.swapaxes_(0, 1).shape
    jgrad.Size([3, 2])
    >>> x
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    return input.transpose_(axis0, axis1)


@composite("swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor", forms="method")
def swapdims_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchanges two dimensions of the tensor in place. Its elements stay where they are in memory; its shape and strides change.

    Args:
        dim0, dim1: the two dimensions; negative numbers count from the last one

    Returns the tensor itself.

    >>> x = jgrad.tensor([[1, 2, 3], [4, 5, 6]])
    >>> x.swapdims_(0, 1).shape
    jgrad.Size([3, 2])
    >>> x
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    return input.transpose_(dim0, dim1)


def _moved(input: Tensor, source: tuple, destination: tuple) -> Tensor:
    """Dimensions put elsewhere among the others."""
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of dims as "
            f"destination ({list(destination)} dims)"
        )
    ndim = input._a.ndim
    sources = [wrap_dim(d, ndim) for d in source]
    destinations = [wrap_dim(d, ndim) for d in destination]
    for name, given, dims in (("source", source, sources), ("destination", destination, destinations)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if not ndim:
        return alias(input)
    order = [d for d in range(ndim) if d not in sources]
    for place, d in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, d)
    return input.permute(tuple(order))


def _declare_move(name: str) -> None:
    def one(input: Tensor, source: int, destination: int) -> Tensor:
        return _moved(input, (source,), (destination,))

    def several(input: Tensor, source: tuple, destination: tuple) -> Tensor:
        return _moved(input, source, destination)

    one.__doc__ = (
        several.__doc__
    ) = f"""The tensor with one dimension, or several, moved to other places. The others keep their order.

    Args:
        input: a tensor of any shape
        source: the dimension to move, or a tuple of dimensions; negative numbers count from the last one
        destination: the place of each of them in the result, as many as in `source`

    Returns a view: it shares the memory of `input`.

    >>> x = jgrad.zeros(2, 3, 5, 7)
    >>> jgrad.{name}(x, 0, 2).shape
    jgrad.Size([3, 5, 2, 7])
    >>> jgrad.{name}(x, (2, 3), (0, 1)).shape
    jgrad.Size([5, 7, 2, 3])
    """
    composite(f"{name}.int(Tensor self, int source, int destination) -> Tensor")(one)
    composite(f"{name}.intlist(Tensor self, int[] source, int[] destination) -> Tensor")(several)


_declare_move("movedim")
_declare_move("moveaxis")


@composite("unflatten.int(Tensor self, int dim, int[] sizes) -> Tensor")
def unflatten(input: Tensor, dim: int, sizes: tuple) -> Tensor:
    """The tensor with one dimension cut into several. It is the inverse of `flatten`.

    Args:
        input: a tensor with at least one dimension
        dim: the dimension to cut; negative numbers count from the last one
        sizes: the sizes of the new dimensions; their product must be the size of the old one. One of them may be -1, then it is computed

    Returns a view: it shares the memory of `input`.

    >>> jgrad.unflatten(jgrad.arange(6), 0, (2, 3))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    >>> jgrad.unflatten(jgrad.zeros(4, 6), 1, (3, -1)).shape
    jgrad.Size([4, 3, 2])
    """
    shape = input._a.shape
    d = wrap_dim(dim, len(shape))
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not shape:
        raise RuntimeError(
            "unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions"
        )
    known = 1
    for n in sizes:
        known *= 1 if n == -1 else n
    if list(sizes).count(-1) > 1:
        raise RuntimeError("unflatten got an unexpected error:\nonly one dimension can be inferred")
    if known != shape[d] if -1 not in sizes else known == 0 or shape[d] % known:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {d} ({shape[d]}) in the input tensor"
        )
    sizes = tuple([shape[d] // known if n == -1 else n for n in sizes])
    return input.view((*shape[:d], *sizes, *shape[d + 1 :]))


def _matrix(name: str, self: Tensor) -> Tensor:
    """The tensor with its last two dimensions exchanged: each matrix of a batch is transposed.

    Returns a view: it shares the memory of the tensor. Raises RuntimeError if the tensor has one dimension.

    >>> jgrad.zeros(2, 3, 5).mT.shape
    jgrad.Size([2, 5, 3])
    """
    if self._a.ndim == 1:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    if self._a.ndim:
        return self.transpose(-2, -1)
    instead = "This function is the identity in these cases." if name == "mT" else "Consider using x.conj()."
    name = name if name == "adjoint()" else f"Tensor.{name}"
    warn.once(f"{name} is deprecated on 0-D tensors. {instead}")
    return self


def _adjoint(name: str, self: Tensor) -> Tensor:
    """The last two dimensions exchanged, and complex numbers conjugated; a view."""
    transposed = _matrix(name, self)
    return conj(transposed) if self._a.dtype.kind == "c" else transposed


@composite("adjoint(Tensor self) -> Tensor")
def adjoint(input: Tensor) -> Tensor:
    """The matrices in the last two dimensions, transposed; complex numbers are also conjugated.

    Args:
        input: a tensor with at least two dimensions

    Returns a view: it shares the memory of `input`.

    >>> jgrad.adjoint(jgrad.tensor([[1+2j, 3], [4j, 5]]))
    tensor([[1.-2.j, 0.-4.j],
            [3.-0.j, 5.-0.j]])
    """
    return _adjoint("adjoint()", input)


def _reversed(self: Tensor) -> Tensor:
    """The tensor with its dimensions in reverse order: a matrix is transposed.

    Returns a view: it shares the memory of the tensor. Warns that this is deprecated if the tensor has not exactly two dimensions.

    >>> jgrad.tensor([[1, 2, 3], [4, 5, 6]]).T
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    if self._a.ndim == 0:
        warn.once(
            "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.",
        )
    elif self._a.ndim != 2:
        warn.once(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a "
            "future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse "
            "the dimensions of a tensor.",
        )
    return self.permute(tuple(range(self._a.ndim))[::-1])


def _hermitian(self: Tensor) -> Tensor:
    """The transposed matrix; complex numbers are also conjugated.

    Returns a view: it shares the memory of the tensor. Raises RuntimeError if the tensor is not a matrix.

    >>> jgrad.tensor([[1+2j, 3j]]).H
    tensor([[1.-2.j],
            [0.-3.j]])
    """
    if self._a.ndim not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if self._a.ndim > 2 else ""
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {self._a.ndim}-D tensor.{batches}"
        )
    return _adjoint("H", self)


Tensor.T = property(_reversed)  # type: ignore[attr-defined]
Tensor.H = property(_hermitian)  # type: ignore[attr-defined]
Tensor.mT = property(lambda self: _matrix("mT", self), doc=_matrix.__doc__)  # type: ignore[attr-defined]
Tensor.mH = property(
    lambda self: _adjoint("mH", self),
    doc="""The tensor with its last two dimensions exchanged; complex numbers are also conjugated.

Returns a view: it shares the memory of the tensor. Raises RuntimeError if the tensor has one dimension.

>>> jgrad.tensor([[1+2j, 3j]]).mH
tensor([[1.-2.j],
        [0.-3.j]])
""",
)  # type: ignore[attr-defined]
