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
    """The sums over the dimensions that broadcasting from the shape `size` would add or make larger. It gives the gradient of `expand`."""
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
    """The same elements in another shape, in the same order (the last index changes fastest)."""
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
    """The tensor with its elements in order in memory, without gaps."""
    formats.check("contiguous", memory_format)
    if input.is_contiguous(memory_format=memory_format):
        return input
    if memory_format is preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return input.clone(memory_format=memory_format or contiguous_format)


@composite("view_as(Tensor self, Tensor other) -> Tensor", forms="method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor as a view with the shape of another one."""
    return input.view(other._a.shape)


@composite("reshape_as(Tensor self, Tensor other) -> Tensor", forms="method")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of another tensor."""
    return reshape(input, other._a.shape)


@composite("expand_as(Tensor self, Tensor other) -> Tensor", forms="method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor expanded to the shape of another one: dimensions of size 1 are made larger without a copy."""
    return input.expand(other._a.shape)


@composite("broadcast_to(Tensor self, int[] size) -> Tensor", varargs=True)
def broadcast_to(input: Tensor, size: tuple) -> Tensor:
    """The tensor broadcast to a shape: dimensions of size 1 are made larger without a copy, and new ones are put in front."""
    return input.expand(size)


@composite("flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The tensor with several adjacent dimensions joined into one; with all of them by default."""
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
    """All elements in one dimension, in order (the last index changes fastest)."""
    return reshape(input.contiguous(), (-1,))


@composite("unflatten.int(Tensor self, int dim, int[] sizes) -> Tensor")
def unflatten(input: Tensor, dim: int, sizes: tuple) -> Tensor:
    """The tensor with one dimension cut into several. It is the inverse of `flatten`."""
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
