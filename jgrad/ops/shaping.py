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
    """The same memory in another shape, if strides allow it; one size may be -1."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@composite("view.dtype(Tensor self, dtype dtype) -> Tensor", forms="method")
@on_the_values
def _view_dtype(input: Tensor, dtype: np.dtype) -> Tensor:
    """The same bytes read as another dtype. Not a view for autograd: no gradient flows through it."""
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
    """A fresh tensor in another shape; not a view for autograd, since nobody else has it."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@op(
    "_reshape_alias(Tensor(a) self, int[] size) -> Tensor(a)",
    kernel="view",
    node="ReshapeAliasBackward0",
    **INTERNAL,
)
class _reshape_alias:
    """The view that `reshape` makes of something that is not contiguous."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@op("alias(Tensor(a) self) -> Tensor(a)", forms="function")
class alias:
    """Another tensor on the same memory."""

    self = lambda grad: grad


@op("permute(Tensor(a) self, int[] dims) -> Tensor(a)", varargs=True)
class permute:
    """The dimensions in another order; a view."""

    self = lambda grad, dims: permute_back(grad, dims)


@op("transpose(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", forms="function method inplace")
class transpose:
    """Two dimensions exchanged; a view."""

    self = lambda grad, dim0, dim1: transpose(grad, dim0, dim1)


@op("t(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class t:
    """A matrix transposed; a view."""

    self = lambda grad: t(grad)


@op("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", forms="function method inplace")
class unsqueeze:
    """A dimension of size 1 put in; a view."""

    self = lambda grad, dim: squeeze_dim(grad, dim)


@op("squeeze(Tensor(a) self) -> Tensor(a)", forms="function method inplace")
class squeeze:
    """Dimensions of size 1 taken out (all, or those named); a view."""

    self = lambda grad, self_shape: unsqueeze_to(grad, self_shape, None)


@op("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", kernel="squeeze_dim")
class squeeze_dim:
    self = lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, (dim,))


@op("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)")
class squeeze_dims:
    self = lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, dim)


@op("expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)", forms="method", varargs=True)
class _expand:
    """Dimensions of size 1 stretched without copying (stride 0); -1 keeps a size; a view."""

    self = lambda grad, self_shape: sum_to_size(grad, self_shape)


@op("select.int(Tensor(a) self, int dim, int index) -> Tensor(a)")
class select:
    """One index of one dimension, which goes away; a view."""

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
    """Pieces of equal size (the last may be smaller); views."""

    self = lambda grads, dim: cat(grads, dim)


@op("split_with_sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]")
class split_with_sizes:
    """Pieces of these sizes; views."""

    self = lambda grads, dim: cat(grads, dim)


@op("unbind(Tensor(a) self, int dim=0) -> Tensor(a)[]")
class unbind:
    """The slices along one dimension, which goes away; views."""

    self = lambda grads, dim: stack(grads, dim)


@op("diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)")
class diagonal:
    """A diagonal of the matrices in two dimensions, as the last dimension; a view."""

    self = lambda grad, self_shape, offset, dim1, dim2: diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    )


@op("unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", forms="method")
class unfold:
    """All windows of a size that are a step apart along a dimension; their elements are along a new last one; a view."""

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
    """A view of the storage with any geometry."""

    self = lambda grad, geometries: as_strided_backward(grad, *geometries)


@formula
def as_strided_backward(grad: Any, whole: tuple, part: tuple) -> Any:
    """The gradients added up where they were read from; elements of self that are the same memory share theirs."""
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
    """Zeros of the input's sizes with `grad` at one index of a dimension."""

    grad = lambda grad, dim, index: select(grad, dim, index)


@op(
    "slice_backward(Tensor grad, int[] input_sizes, int dim, int? start, int? end, int step) -> Tensor",
    forms="function",
    batches="dim",
)
class slice_backward:
    """Zeros of the input's sizes with `grad` in a range of a dimension."""

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
    """Summed over the dimensions that broadcasting from `size` added or stretched."""
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
    """Another shape: a view where strides allow it, a copy where not."""
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
    """The tensor itself if it is contiguous, or in the memory format given, else a copy that is."""
    formats.check("contiguous", memory_format)
    if input.is_contiguous(memory_format=memory_format):
        return input
    if memory_format is preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return input.clone(memory_format=memory_format or contiguous_format)


@composite("view_as(Tensor self, Tensor other) -> Tensor", forms="method")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """A view with the shape of `other`."""
    return input.view(other._a.shape)


@composite("reshape_as(Tensor self, Tensor other) -> Tensor", forms="method")
def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """Reshaped to the shape of `other`."""
    return reshape(input, other._a.shape)


@composite("expand_as(Tensor self, Tensor other) -> Tensor", forms="method")
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Expanded to the shape of `other`."""
    return input.expand(other._a.shape)


@composite("broadcast_to(Tensor self, int[] size) -> Tensor", varargs=True)
def broadcast_to(input: Tensor, size: tuple) -> Tensor:
    """Expanded to `size`."""
    return input.expand(size)


@composite("flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """A range of dimensions joined into one."""
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
    """One dimension."""
    return reshape(input.contiguous(), (-1,))


@composite("narrow(Tensor self, int dim, int start, int length) -> Tensor")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of one dimension, by its start and length; a view."""
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
    """A range of one dimension, by its start and length; a view."""
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
    """At most `chunks` pieces of equal size (the last may be smaller); views."""
    size = chunk_sizes(input, chunks, dim)
    if size == 0:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, size, dim)


# Cutting into pieces as NumPy does: sizes that differ by one at most, or cuts at these indices.


@composite("tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]")
def tensor_split(input: Tensor, sections: int, dim: int = 0) -> tuple:
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
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
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
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
    """So many pieces whose sizes differ by one at most, or pieces between these indices; views."""
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


def _declare_split(name: str, least: int, dim: int, doc: str) -> None:
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

    into.__doc__ = at.__doc__ = doc
    composite(f"{name}.int(Tensor self, int sections) -> Tensor[]")(into)
    composite(f"{name}.array(Tensor self, int[] indices) -> Tensor[]")(at)


_declare_split("hsplit", 1, 1, "Pieces side by side: along dimension 1, or 0 if there is no other; views.")
_declare_split("vsplit", 2, 0, "Pieces one above the other, along dimension 0; views.")
_declare_split("dsplit", 3, 2, "Pieces along dimension 2; views.")


def _split(self: Any, split_size: Any, dim: int = 0) -> tuple:
    """Pieces of one size, or of a list of sizes; views."""
    if isinstance(split_size, (list, tuple)):
        return split_with_sizes(self, split_size, dim)
    return split.op.call((self, split_size, dim), {})


def _split_function(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple:
    """Pieces of one size, or of a list of sizes; views."""
    return _split(tensor, split_size_or_sections, dim)


split.op.function = _split_function
Tensor.split = _split  # type: ignore[attr-defined]


@composite("swapaxes(Tensor self, int axis0, int axis1) -> Tensor")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Two dimensions exchanged; a view."""
    return transpose(input, axis0, axis1)


@composite("swapdims(Tensor self, int dim0, int dim1) -> Tensor")
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged; a view."""
    return transpose(input, dim0, dim1)


@composite("swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor", forms="method")
def swapaxes_(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Two dimensions exchanged, in place."""
    return input.transpose_(axis0, axis1)


@composite("swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor", forms="method")
def swapdims_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two dimensions exchanged, in place."""
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

    one.__doc__ = several.__doc__ = "One dimension (or several) put elsewhere among the others; a view."
    composite(f"{name}.int(Tensor self, int source, int destination) -> Tensor")(one)
    composite(f"{name}.intlist(Tensor self, int[] source, int[] destination) -> Tensor")(several)


_declare_move("movedim")
_declare_move("moveaxis")


@composite("unflatten.int(Tensor self, int dim, int[] sizes) -> Tensor")
def unflatten(input: Tensor, dim: int, sizes: tuple) -> Tensor:
    """One dimension as several, one of whose sizes may be -1; a view."""
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
    """The last two dimensions of a matrix or a batch of them exchanged; a view."""
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
    """The last two dimensions exchanged, and complex numbers conjugated."""
    transposed = _matrix(name, self)
    return conj(transposed) if self._a.dtype.kind == "c" else transposed


@composite("adjoint(Tensor self) -> Tensor")
def adjoint(input: Tensor) -> Tensor:
    """The last two dimensions exchanged, and complex numbers conjugated."""
    return _adjoint("adjoint()", input)


def _reversed(self: Tensor) -> Tensor:
    """The dimensions reversed."""
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
    """A matrix transposed and conjugated."""
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
    lambda self: _adjoint("mH", self), doc="The last two dimensions exchanged, and conjugated."
)  # type: ignore[attr-defined]
