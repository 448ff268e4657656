"""Operations that change the shape: nearly all of them give views, tensors on the same memory."""

from __future__ import annotations

import warnings
from typing import Any

from jgrad.autograd.view import geometry_of
from jgrad.kernels.numpy import kept_shape as kept_shape  # on shapes, so the same for tensors
from jgrad.kernels.numpy_shape import can_view, infer_size, wrap_dim
from jgrad.op import alias_of, composite, formula, op
from jgrad.tensor import Tensor


@op("view(Tensor(a) self, int[] size) -> Tensor(a)", forms="method", varargs=True)
class view:
    """The same memory in another shape, if strides allow it; one size may be -1."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


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
    forms="",
    kernel="view",
    node="ReshapeAliasBackward0",
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


@op("transpose(Tensor(a) self, int dim0, int dim1) -> Tensor(a)")
class transpose:
    """Two dimensions exchanged; a view."""

    self = lambda grad, dim0, dim1: transpose(grad, dim0, dim1)


@op("t(Tensor(a) self) -> Tensor(a)")
class t:
    """A matrix transposed; a view."""

    self = lambda grad: t(grad)


@op("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)")
class unsqueeze:
    """A dimension of size 1 put in; a view."""

    self = lambda grad, dim, self_shape: reshape(grad, self_shape)


@op("squeeze(Tensor(a) self) -> Tensor(a)")
class squeeze:
    """Dimensions of size 1 taken out (all, or those named); a view."""

    self = lambda grad, self_shape: reshape(grad, self_shape)


@op("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", kernel="squeeze_dim")
class squeeze_dim:
    self = lambda grad, self_shape: reshape(grad, self_shape)


@op("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)")
class squeeze_dims:
    self = lambda grad, self_shape: reshape(grad, self_shape)


@op("expand(Tensor(a) self, int[] size) -> Tensor(a)", forms="method", varargs=True)
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


def _geometries(self: Tensor, size: tuple, stride: tuple, storage_offset: int | None) -> tuple:
    """Where self and the result lie in the storage."""
    source = geometry_of(self._a)
    return source, (size, stride, source[2] if storage_offset is None else storage_offset)


@op(
    "as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a)",
    derived={"geometries": _geometries},
)
class as_strided:
    """A view of the storage with any geometry."""

    self = lambda grad, geometries: embed_strided(grad, *geometries)


AsStridedBackward0 = as_strided.op.overloads[0].node


# Scattering a gradient back to where a view read from: linear operations whose derivative is the view again.


@op("select_backward(Tensor grad, int[] input_sizes, int dim, int index) -> Tensor", forms="function")
class select_backward:
    """Zeros of the input's sizes with `grad` at one index of a dimension."""

    grad = lambda grad, dim, index: select(grad, dim, index)


@op(
    "slice_backward(Tensor grad, int[] input_sizes, int dim, int? start, int? end, int step) -> Tensor",
    forms="function",
)
class slice_backward:
    """Zeros of the input's sizes with `grad` in a range of a dimension."""

    grad = lambda grad, dim, start, end, step: slice_(grad, dim, start, end, step)


@op("extract_strided(Tensor self, any base, any part) -> Tensor", forms="function")
class extract_strided:
    """Of a tensor shaped like the geometry `base`, the elements that lie where `part` is."""

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
    if not shape:
        return input.sum()
    dims = tuple([i for i, n in enumerate(shape) if i < added or (size[i - added] == 1 and n != 1)])
    total = input.sum(dims, keepdim=True) if dims else input
    return total.view(size) if added else total


@composite("reshape(Tensor self, int[] shape) -> Tensor", varargs=True)
def reshape(input: Tensor, shape: tuple) -> Tensor:
    """Another shape: a view where strides allow it, a copy where not."""
    if input._a.flags.c_contiguous:
        return input.view(shape)
    size = infer_size(shape, input._a.size)
    if can_view(input._a, size):
        return _reshape_alias(input, size)
    return _unsafe_view(input.clone(memory_format=contiguous_format), size)


@formula
def unsqueeze_many(grad: Any, dims: tuple, shape: tuple) -> Any:
    """The dimensions that a reduction of something of this shape over `dims` removed, put back with size 1."""
    return reshape(grad, kept_shape(shape, dims))


def permute_back(grad: Tensor, dims: tuple) -> Tensor:
    inverse = [0] * len(dims)
    for i, d in enumerate(dims):
        inverse[d % len(dims)] = i
    return grad.permute(inverse)


class memory_format:
    """How a copy lies in memory: `jgrad.contiguous_format`, `jgrad.preserve_format`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"jgrad.{self.name}"


contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")


@composite("contiguous(Tensor self, *, memory_format? memory_format=None) -> Tensor", forms="method")
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself if it is contiguous, else a contiguous copy."""
    return input if input.is_contiguous() else input.clone(memory_format=contiguous_format)


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


@composite("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple:
    """At most `chunks` pieces of equal size (the last may be smaller); views."""
    if input._a.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = input._a.shape[wrap_dim(dim, input._a.ndim)]
    size = -(-n // chunks)
    if size == 0:
        return split_with_sizes(input, [0] * chunks, dim)
    return split(input, size, dim)


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

for _other in ("swapaxes", "swapdims"):
    alias_of("transpose", _other)


def _reversed(self: Tensor) -> Tensor:
    """The dimensions reversed."""
    if self._a.ndim not in (0, 2):
        warnings.warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a "
            "future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse "
            "the dimensions of a tensor.",
            UserWarning,
            stacklevel=2,
        )
    return self.permute(tuple(range(self._a.ndim))[::-1])


def _matrix_transposed(self: Tensor) -> Tensor:
    """The last two dimensions exchanged."""
    if self._a.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {self._a.ndim}-D tensor."
        )
    return self.transpose(-2, -1)


Tensor.T = property(_reversed)  # type: ignore[attr-defined]
Tensor.mT = property(_matrix_transposed)  # type: ignore[attr-defined]

from jgrad.ops.joining import cat, stack  # noqa: E402  (formulas of split and unbind join what they divided)
