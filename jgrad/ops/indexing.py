"""Reading and writing by index: gather, scatter, masks and related operators. (`x[...]` is in `subscript.py`.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.errors import class_name
from jgrad.kernels import libraries
from jgrad.kernels.numpy.shape import common_shape, wrap_dim
from jgrad.ops.by_name import masked_fill, sparse_densified, unbind, unsqueeze, where
from jgrad.ops.creation import ones_like, zeros_like, zeros_of
from jgrad.ops.reshaping import expand
from jgrad.tensor import Tensor, wrap

# ----- One index along a dimension -----


@op(
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    forms="function method out",
    exclusive=True,
    batches="dim",
    gradient_writes=1,
)
class gather:
    """Elements of the tensor, chosen along a dimension by an index tensor. With two dimensions and `dim=0`, the result is
    `out[i][j] = input[index[i][j]][j]`; with `dim=1` it is `out[i][j] = input[i][index[i][j]]`."""

    self = lambda grad, self, dim, index, sparse_grad: gather_backward(grad, self, dim, index, sparse_grad)


# (The kernels have functions of the same names as the next, and index_select_backward and take_backward, which don't copy the zeros.)


def gather_backward(grad: Any, source: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    """The gradients added up where they were read from."""
    if sparse_grad:
        return gather_sparse_backward(grad, source, dim, index)
    return scatter_add(zeros_of(grad, source.shape), dim, index, grad)


@op("gather_sparse_backward(Tensor grad, Tensor self, int dim, Tensor index) -> Tensor", **INTERNAL)
class gather_sparse_backward:
    """The gradients as a sparse tensor, with the places where they were read from."""

    grad = lambda grad, dim, index: gather(sparse_densified(grad), dim, index)


@op(
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    forms="function method inplace out",
    checks_overlap="all",
    checked_before_overlap="scatter",
    batches="dim",
)
class scatter:
    """A copy of the tensor with other values at the places that an index tensor names. With two dimensions and `dim=0`, it sets
    `out[index[i][j]][j] = src[i][j]`; with `dim=1` it sets `out[i][index[i][j]] = src[i][j]`. It is the opposite of `gather`."""

    self = lambda grad, dim, index: scatter(grad, dim, index, 0)
    src = lambda grad, dim, index: gather(grad, dim, index)


@op(
    "scatter.value(Tensor self, int dim, Tensor index, Number value) -> Tensor",
    forms="function method inplace out",
    batches="dim",
    checks_overlap="all",
    checked_before_overlap="scatter",
)
class scatter_value:
    self = lambda grad, dim, index: scatter(grad, dim, index, 0)


@op(
    "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
    undifferentiable=True,
    batches="dim",
    checks_overlap="all",
    checked_before_overlap="scatter",
)
class scatter_reduced:
    """With reduce="add" or "multiply" the values are combined with those that are there."""


@op(
    "scatter.value_reduce(Tensor self, int dim, Tensor index, Number value, *, str reduce) -> Tensor",
    undifferentiable=True,
    batches="dim",
    checks_overlap="all",
    checked_before_overlap="scatter",
)
class scatter_value_reduced:
    """With reduce="add" or "multiply" the value is combined with those that are there."""


@op(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    forms="function method inplace out",
    checks_overlap="all",
    checked_before_overlap="scatter",
    batches="dim",
)
class scatter_add:
    """A copy of the tensor with values added at the places that an index tensor names. With two dimensions and `dim=0`, it does
    `out[index[i][j]][j] += src[i][j]`; with `dim=1` it does `out[i][index[i][j]] += src[i][j]`. Values with the same index add up."""

    self = lambda grad: grad
    src = lambda grad, dim, index: gather(grad, dim, index)


@op(
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
    forms="function method inplace out",
    real_gradient=True,
    checks_overlap="all",
    checked_before_overlap="scatter",
    batches="dim",
)
class scatter_reduce:
    """A copy of the tensor where the values of `src` that have the same index are combined to one: by their sum, product, mean, largest or
    smallest. The old value takes part in it."""

    self = src = lambda grad, self, dim, index, src, reduce, include_self, result: scatter_reduce_backward(
        grad, self, dim, index, src, reduce, include_self, result
    )


@op("differentiable_once(Tensor self, Tensor wrong, str operation) -> Tensor", **INTERNAL)
class differentiable_once:
    """The gradient of `src` as it is. It has no derivative if `wrong` is true anywhere: the formula for it would be wrong there."""

    self = lambda grad, wrong, operation: refuse_second(grad, wrong, operation)


@op("refuse_second(Tensor self, Tensor wrong, str operation) -> Tensor", **INTERNAL)
class refuse_second:
    """The gradient as it is, or an error if `wrong` is true anywhere."""

    self = lambda grad: grad


@formula
def scatter_reduce_backward(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
    result: Any,
    operation: str = "scatter_reduce",
) -> tuple:
    """The gradients of scatter_reduce for self and src."""
    mine = grad
    if reduce == "sum":
        theirs = gather(grad, dim, index)
    elif reduce == "mean":
        count = ones_like(grad) if include_self else zeros_like(grad)
        count = scatter_add(count, dim, index, ones_like(src))
        mine = grad / where(count == 0, ones_like(count), count)
        theirs = gather(grad / where(count == 0, ones_like(count), count), dim, index)
    elif reduce == "prod":
        # Of a factor: the product of all the others. Where one factor alone is zero, that is the product with a one in its place.
        one = masked_fill(self, self == 0, 1)
        mine = grad * scatter_reduce(one, dim, index, src, reduce, include_self=include_self) / one
        zero = where(src == 0, ones_like(src), zeros_like(src))
        zeros_there = gather(scatter_add(zeros_like(self), dim, index, zero), dim, index)
        only_zero = (src == 0) & (zeros_there == 1)
        others = scatter_reduce(
            self, dim, index, masked_fill(src, only_zero, 1), reduce, include_self=include_self
        )
        theirs = where(
            only_zero,
            gather(grad * others, dim, index),
            gather(grad * result, dim, index) / masked_fill(src, src == 0, 1),
        )
        theirs = differentiable_once(theirs, zeros_there > 1, operation)
    elif reduce not in ("amax", "amin"):
        raise RuntimeError(
            f"Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got {reduce}."
        )
    else:
        # The extreme elements share the gradient.
        chosen = where(self == result, ones_like(self), zeros_like(self))
        chosen_there = where(src == gather(result, dim, index), ones_like(src), zeros_like(src))
        share = grad / scatter_add(chosen, dim, index, chosen_there)
        mine = chosen * share
        theirs = chosen_there * gather(share, dim, index)
    if not include_self:
        mine = scatter(mine, dim, index, 0)
    return mine, theirs


# ----- Slices of a dimension by a vector of indices -----


@op(
    "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    forms="function method out",
    exclusive=True,
    batches="dim",
    gradient_writes=1,
)
class index_select:
    """The slices of a dimension that a vector of indices names, in its order."""

    self = lambda grad, self_shape, dim, index: index_select_backward(grad, self_shape, dim, index)


def index_select_backward(grad: Any, shape: tuple, dim: int, index: Any) -> Any:
    """The gradients added up where they were read from."""
    return index_add(zeros_of(grad, shape), dim, index, grad)


@op(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Number alpha=1) -> Tensor",
    forms="function method inplace out",
    checks_overlap="all",
    checked_before_overlap="index_add",
)
class index_add:
    """A copy of the tensor where the slices of `source` are added to the slices at the indices. If an index occurs several times, its slices
    add up."""

    self = lambda grad: grad
    # (The whole of source, not its shape alone, is kept where PyTorch keeps it.)
    source = lambda grad, source, dim, index, alpha: slices_at(grad, source.shape, dim, index) * alpha


@op(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    forms="function method inplace out",
    checks_overlap="all",
    checked_before_overlap="index_copy",
)
class index_copy:
    """A copy of the tensor where the slices of `source` replace the slices at the indices."""

    self = lambda grad, dim, index: index_fill(grad, dim, index, 0)
    source = lambda grad, source_shape, dim, index: slices_at(grad, source_shape, dim, index)


@formula
def slices_at(grad: Any, shape: tuple, dim: int, index: Any) -> Any:
    """The slices at the indices, in the shape of what was put there."""
    found = index_select(grad, dim, index)
    return found if found.shape == shape else found.reshape(shape)


@op(
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Number value) -> Tensor",
    forms="function method inplace",
    checks_overlap="all operands",
    batches="dim",
)
class index_fill:
    """A copy of the tensor with one number in all elements of the slices at the indices."""

    self = lambda grad, dim, index: index_fill(grad, dim, index, 0)


@op(
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    keeps_dtype=True,
    forms="function method inplace",
    checks_overlap="all operands",
    batches="dim",
)
class index_fill_tensor:
    self = lambda grad, dim, index: index_fill(grad, dim, index, 0)
    value = lambda grad, dim, index: where(
        index_fill(ones_like(grad), dim, index, 0) == 0, grad, zeros_like(grad)
    ).sum()


@op(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
    forms="function method inplace out",
    checks_overlap="all",
    checked_before_overlap="index_reduce",
)
class index_reduce:
    """A copy of the tensor where the slices of `source` that have the same index are combined to one, element by element: by their product,
    mean, largest or smallest. The old slice takes part in it."""

    self = source = lambda grad, self, dim, index, source, reduce, include_self, result: (
        index_reduce_backward(grad, self, dim, index, source, reduce, include_self, result)
    )


@formula
def index_reduce_backward(
    grad: Any, self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool, result: Any
) -> tuple:
    """The gradients of index_reduce for self and source: those of scatter_reduce with the index of each element."""
    shape = source.shape if source.ndim else (1,)
    column = [1] * len(shape)
    column[dim] = shape[dim]
    whole = expand(index.reshape(tuple(column)), shape)
    mine, theirs = scatter_reduce_backward(
        grad, self, dim, whole, source.reshape(shape), reduce, include_self, result, "index_reduce"
    )
    return mine, theirs.reshape(source.shape)


# ----- Places counted in row-major order -----


@op(
    "take(Tensor self, Tensor index) -> Tensor",
    forms="function method out",
    exclusive=True,
    gradient_writes=1,
)
class take:
    """The elements at some places. A place is a position in the flattened tensor: row by row, the last index changes fastest."""

    self = lambda grad, self, index: take_backward(grad, self, index)


def take_backward(grad: Any, source: Any, index: Any) -> Any:
    """The gradients added up where they were read from."""
    return put(zeros_of(grad, source.shape), index, grad, True)


@op(
    "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    forms="function method inplace",
    checks_overlap="all",
    checked_before_overlap="put",
)
class put:
    """A copy of the tensor with the elements of `source` at some places. A place is a position in the flattened tensor: row by row, the last
    index changes fastest."""

    self = lambda grad, index, source, accumulate: put_cleared(grad, index, source, accumulate)
    source = lambda grad, index, source: take(grad, index).reshape(source.shape)


@formula
def put_cleared(grad: Any, index: Any, source: Any, accumulate: bool) -> Any:
    """The gradient of what put overwrote: none."""
    return grad if accumulate else put(grad, index, zeros_like(source))


@op(
    "nonzero(Tensor self) -> Tensor",
    forms="function method out",
    out_dtype="nonzero: Expected out tensor to have scalar type Long but got scalar type{out}",
    batches="dynamic",
)
class nonzero:
    """The indices of all elements that are not zero, row by row."""


@composite(
    "nonzero.numpy(Tensor self, *, bool as_tuple, Tensor? out=None) -> Tensor[]", forms="function method out"
)
def _nonzero_as_tuple(input: Tensor, as_tuple: bool, out: Tensor | None = None) -> Any:
    """The indices of all elements that are not zero, as a tuple with one vector for each dimension."""
    if not as_tuple:
        return nonzero(input, out=out)
    if out is not None:
        if not isinstance(out, Tensor):
            raise TypeError(f"nonzero(): argument 'out' must be Tensor, not {class_name(out)}")
        raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
    return unbind(nonzero(input if input._a.ndim else unsqueeze(input, 0)), 1)


@composite("argwhere(Tensor self) -> Tensor")
def argwhere(input: Tensor) -> Tensor:
    """The indices of all elements that are not zero, row by row: the same as `nonzero`."""
    return nonzero(input)


@op("nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor", forms="function method out")
class nonzero_static:
    """The indices of the first `size` elements that are not zero, row by row. The shape of the result doesn't depend on the values."""


def unravel_index(indices: Tensor, shape: Any) -> tuple:
    """The indices in each dimension of places in a tensor. A place is a position in the flattened tensor: row by row, the last index changes
    fastest."""
    if not isinstance(indices, Tensor):
        raise AttributeError(f"{type(indices).__name__!r} object has no attribute 'is_complex'")
    if indices._a.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    for n in extents:
        if not isinstance(n, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(n)}")
    if any([n < 0 for n in extents]):
        raise ValueError(f"'shape' cannot have negative values, but got {extents}")
    if not extents:
        return ()
    with libraries.on_device_of((indices,)):
        if indices._a.size and 0 in extents:
            raise RuntimeError("ZeroDivisionError")
        rest, coordinates = indices._a.astype(np.int64), []
        for n in extents[::-1]:
            coordinates.append(rest % n)
            rest = rest // n
        return unbind(wrap(libraries.of(rest).np.stack(coordinates[::-1], -1)), -1)


# ----- Masks -----


@op(
    "masked_select(Tensor self, Tensor mask) -> Tensor",
    forms="function method out",
    exclusive=True,
    gradient_writes=1,
)
class masked_select:
    """The elements where the mask is true, in one dimension; they are read row by row."""

    self = lambda grad, self, mask: masked_select_backward(grad, self.shape, mask)


@op("masked_select_backward(Tensor grad, any shape, Tensor mask) -> Tensor", **INTERNAL)
class masked_select_backward:
    """Zeros with the gradients where the mask is true."""

    grad = lambda grad, mask: masked_select(grad, mask)


@op(
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    forms="function method inplace",
    checks_overlap="target",
)
class masked_scatter:
    """A copy of the tensor with the elements of `source`, one after the other, where the mask is true."""

    self = lambda grad, mask: masked_fill(grad, mask, 0)
    source = lambda grad, mask, source_shape: masked_scatter_backward(grad, mask, source_shape)


@op("masked_scatter_backward(Tensor grad, Tensor mask, any shape) -> Tensor", **INTERNAL)
class masked_scatter_backward:
    """The gradients where the mask is true, one after the other, in the shape of the source."""

    grad = lambda grad, grad_shape, mask: masked_scatter(zeros_of(grad, grad_shape), mask, grad)


@composite(
    "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
    forms="function method out",
    exclusive=True,
)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """Elements of the tensor, chosen along a dimension by an index tensor: as `gather`, but the two tensors are broadcast first.
    It fits the results of `argsort` and of `argmax` with `keepdim=True`."""
    if dim is None:
        return gather(input.view((-1,)), 0, indices.view((-1,)))
    if indices._a.dtype != np.int64:
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.type_name}"
        )
    if input._a.ndim != indices._a.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input._a.ndim} dimensions for input, and {indices._a.ndim} dimensions for indices"
        )

    d = wrap_dim(dim, input._a.ndim)
    a, b = list(input._a.shape), list(indices._a.shape)
    if not a:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if indices._a.size and a and not a[d]:
        raise RuntimeError("ZeroDivisionError")
    if a and indices._a.size:
        there = libraries.of(indices._a).kernels.from_the_front(indices._a, a[d])
        indices = indices if there is indices._a else wrap(there)
    whole = list(common_shape(tuple(a[:d] + [1] + a[d + 1 :]), tuple(b[:d] + [1] + b[d + 1 :])))
    input = input.expand((*whole[:d], a[d], *whole[d + 1 :]))
    return gather(input, d, indices.expand((*whole[:d], b[d], *whole[d + 1 :])))
