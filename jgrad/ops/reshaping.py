"""Other shapes for the same elements, composed of the views of `shaping.py`: `reshape`, `flatten`, `expand`, `contiguous`."""

from __future__ import annotations

from typing import Any

from jgrad import formats
from jgrad.dispatch import composite
from jgrad.formats import contiguous_format, preserve_format
from jgrad.kernels.numpy.shape import can_view, infer_size, wrap_dim
from jgrad.ops.by_name import _reshape_alias, _unsafe_view, unsqueeze
from jgrad.tensor import Tensor


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
