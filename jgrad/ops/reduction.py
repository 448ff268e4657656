"""Reductions: many elements to one, over all dimensions or some."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE, composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.kernels.numpy import count_of as count_of  # on shapes, so the same for tensors
from jgrad.ops.by_name import (
    _div_scalar,
    cat,
    conj,
    div,
    exp,
    isnan,
    masked_fill,
    scatter,
    unsqueeze,
    unsqueeze_many,
)
from jgrad.ops.comparison import has_nan, has_zero
from jgrad.ops.copying import to_dtype
from jgrad.ops.creation import zeros_like
from jgrad.ops.reshaping import expand
from jgrad.tensor import Tensor

SAME = "Expected the dtype for input and out to match, but got {result} for input's dtype and {out} for out's dtype."

# ----- Sums -----


@op(
    "sum(Tensor self, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    without_out=True,
    kernel="sum_all",
    batches="dim",
)
class sum:
    """The sum of all elements, or the sums over some dimensions.

    Args:
        input: a tensor of any shape and dtype; the sums of integers and bools have dtype int64
        dim: a dimension, or a tuple of dimensions, to sum over; None, `()` or no `dim` at all means all dimensions
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor. It has no dimensions if all elements are summed. The gradient of a sum goes unchanged to each of its elements.

    >>> x = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> jgrad.sum(x, dim=0)
    tensor([4., 6.], grad_fn=<SumBackward1>)
    >>> jgrad.sum(x).backward()
    >>> x.grad
    tensor([[1., 1.],
            [1., 1.]])
    """

    self = lambda grad, self_shape: expand(grad, self_shape)


@op(
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    batches="dim",
)
class sum_dim:
    self = lambda grad, self_shape, dim, keepdim: expand_reduced(grad, self_shape, dim, keepdim)


@op(
    "mean(Tensor self, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    kernel="mean_all",
    out_dtype="castable",
    batches="dim",
)
class mean:
    """The mean of all elements, or the means over some dimensions.

    Args:
        input: a tensor of any shape, with a floating or complex dtype (or give a `dtype`)
        dim: a dimension, or a tuple of dimensions, to take the mean over; None, `()` or no `dim` at all means all dimensions
        keepdim: if True, the dimensions over which the mean is taken stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor. Raises RuntimeError for integers and bools if there is no `dtype`. The mean of no elements is nan.

    >>> x = jgrad.tensor([[1., 2.], [3., 6.]], requires_grad=True)
    >>> jgrad.mean(x, dim=1)
    tensor([1.5000, 4.5000], grad_fn=<MeanBackward1>)
    >>> jgrad.mean(x).backward()  # each of the four elements gets a quarter of the gradient
    >>> x.grad
    tensor([[0.2500, 0.2500],
            [0.2500, 0.2500]])
    """

    self = lambda grad, self_shape: divided(expand(grad, self_shape), count_of(self_shape, None))


@op(
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    out_dtype="castable",
    batches="dim",
)
class mean_dim:
    self = lambda grad, self_shape, dim, keepdim: divided(
        expand_reduced(grad, self_shape, dim, keepdim), count_of(self_shape, dim)
    )


@formula
def restored(reduced: Any, shape: tuple, dim: Any, keepdim: bool) -> Any:
    """The result of a reduction of something of this shape, with the reduced dimensions put back, so that it broadcasts against it."""
    return unsqueeze_many(reduced, dim, shape) if not keepdim and dim and shape else reduced


@formula
def expand_reduced(grad: Any, shape: tuple, dim: Any, keepdim: bool) -> Any:
    """The gradient of a sum: every element that was summed gets the gradient of its sum."""
    return expand(restored(grad, shape, dim, keepdim), shape)


def divided(a: Tensor, n: int) -> Tensor:
    return _div_scalar(a, n)


@op(
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    batches="dim",
)
class nansum:
    """The sum of the elements that are not nan: every nan counts as 0.

    Args:
        input: a tensor of any shape, with a real dtype; the sums of integers and bools have dtype int64
        dim: a dimension, or a tuple of dimensions, to sum over; None means all dimensions
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor. The gradient of the elements that are nan is 0.

    >>> x = jgrad.tensor([1., float("nan"), 3.], requires_grad=True)
    >>> y = jgrad.nansum(x)
    >>> y
    tensor(4., grad_fn=<NansumBackward0>)
    >>> y.backward()
    >>> x.grad
    tensor([1., 0., 1.])
    """

    self = lambda grad, self, dim, keepdim: expand_reduced(grad, self.shape, dim, keepdim) * (self == self)


@composite(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
)
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The mean of the elements that are not nan. The elements that are nan are not counted either.

    Args:
        input: a tensor of any shape, with a floating dtype
        dim: a dimension, or a tuple of dimensions, to take the mean over; None means all dimensions
        keepdim: if True, the dimensions over which the mean is taken stay in the shape, with size 1
        dtype: the elements are converted to this floating dtype first; None keeps that of `input`

    Returns a new tensor. The mean is nan where all elements are nan. Raises RuntimeError for integers and bools.

    >>> jgrad.nanmean(jgrad.tensor([1., float("nan"), 3.]))
    tensor(2.)
    """
    if input._a.dtype.kind not in INEXACT:
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {input.dtype.type_name}"
        )
    if dtype is not None and dtype.kind not in INEXACT:
        raise RuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: "
            f"{FROM_NUMPY[dtype].type_name}"
        )
    counts = sum(input.detach() == input.detach(), dim, keepdim)
    return div(nansum(input, dim, keepdim, dtype=dtype and FROM_NUMPY[dtype]), counts)


@op("trace(Tensor self) -> Tensor", forms="method", gradient_writes=2)
class trace:
    """The sum of the elements on the diagonal of a matrix.

    Returns a new tensor without dimensions. The matrix need not be square. Raises RuntimeError if the tensor does not have two dimensions.

    >>> x = jgrad.tensor([[1., 2.], [3., 4.]], requires_grad=True)
    >>> y = x.trace()
    >>> y
    tensor(5., grad_fn=<TraceBackward0>)
    >>> y.backward()
    >>> x.grad
    tensor([[1., 0.],
            [0., 1.]])
    """

    self = lambda grad, self_shape: trace_backward(grad, self_shape)


@op("trace_backward(Tensor grad, any shape) -> Tensor", **INTERNAL)
class trace_backward:
    """A matrix of zeros with the gradient along the diagonal."""

    grad = lambda grad: trace(grad)


@op("count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", batches="dim")
class count_nonzero:
    """How many elements are not zero: of all elements, or over some dimensions.

    Args:
        input: a tensor of any shape and dtype
        dim: a dimension, or a tuple of dimensions, over which to count; None means all dimensions

    Returns a new int64 tensor. nan counts as an element that is not zero. Has no gradient.

    >>> x = jgrad.tensor([[0, 1, 2], [0, 0, 3]])
    >>> jgrad.count_nonzero(x)
    tensor(3)
    >>> jgrad.count_nonzero(x, dim=1)
    tensor([2, 1])
    """


@op("count_nonzero(Tensor self, int? dim=None) -> Tensor", batches="dim")
class count_nonzero_dim:
    pass


# ----- Products -----


@op(
    "prod(Tensor self, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    without_out=True,
    kernel="prod_all",
    batches="dim",
)
class prod:
    """The product of all elements, or the products along a dimension.

    Args:
        input: a tensor of any shape and dtype; the products of integers and bools have dtype int64
        dim: the dimension along which to multiply; without it, all elements are multiplied
        keepdim: if True, the dimension stays in the shape, with size 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor. The product of no elements is 1. The gradient of an element is the product of all the others. It is right also
    where some elements are 0.

    >>> x = jgrad.tensor([2., 0., 3.], requires_grad=True)
    >>> jgrad.prod(x).backward()
    >>> x.grad
    tensor([0., 6., 0.])
    """

    self = lambda grad, self, result: prod_backward(grad, self, result, None, False)


@op(
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
    batches="dim",
)
class prod_dim:
    self = lambda grad, self, result, dim, keepdim: prod_backward(grad, self, result, dim, keepdim)


def prod_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    """grad times the product of all the other elements, also where some are zero."""
    shape = self.shape
    if not shape:
        return grad
    self = to_dtype(self, grad._a.dtype)
    dims = () if dim is None else (dim,)
    if not has_zero(self):
        return restored(grad, shape, dims, keepdim) * conj(restored(result, shape, dims, keepdim) / self)
    if dim is None:
        return (grad * conj(products_of_others(self.reshape((-1,)), 0))).reshape(shape)
    return restored(grad, shape, dims, keepdim) * conj(products_of_others(self, dim))


def products_of_others(self: Tensor, dim: int) -> Tensor:
    """For each element the product of all the others along a dimension: of those before it and those behind it."""

    ones = zeros_like(self.narrow(dim, 0, 1)) + 1
    n = self.shape[dim]
    before = cat([ones, self.narrow(dim, 0, n - 1)], dim)
    behind = cat([self.narrow(dim, 1, n - 1), ones], dim)
    step = 1
    while step < n:  # each round doubles how many factors are in
        rest = n - step
        before = cat(
            [before.narrow(dim, 0, step), before.narrow(dim, step, rest) * before.narrow(dim, 0, rest)], dim
        )
        behind = cat(
            [behind.narrow(dim, 0, rest) * behind.narrow(dim, step, rest), behind.narrow(dim, rest, step)],
            dim,
        )
        step *= 2
    return before * behind


# ----- Truth -----


@op("all(Tensor self) -> Tensor", forms="function method out", out_dtype="truth", batches="dim")
class all:
    """Whether all elements are not zero: all of them, or all along some dimensions.

    Args:
        input: a tensor of any shape and dtype; nan counts as an element that is not zero
        dim: a dimension, or a tuple of dimensions, to test along; None or no `dim` at all means all dimensions, `()` means none
        keepdim: if True, the dimensions that are tested along stay in the shape, with size 1

    Returns a new bool tensor; for uint8 it is a uint8 tensor. The answer for no elements is True. Has no gradient.

    >>> x = jgrad.tensor([[True, True], [True, False]])
    >>> jgrad.all(x)
    tensor(False)
    >>> jgrad.all(x, dim=0)
    tensor([ True, False])
    """


@op(
    "all.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype="truth",
    batches="dim",
)
class all_dims:
    pass


@op("any(Tensor self) -> Tensor", forms="function method out", out_dtype="truth", batches="dim")
class any:
    """Whether at least one element is not zero: of all elements, or along some dimensions.

    Args:
        input: a tensor of any shape and dtype; nan counts as an element that is not zero
        dim: a dimension, or a tuple of dimensions, to test along; None or no `dim` at all means all dimensions, `()` means none
        keepdim: if True, the dimensions that are tested along stay in the shape, with size 1

    Returns a new bool tensor; for uint8 it is a uint8 tensor. The answer for no elements is False. Has no gradient.

    >>> x = jgrad.tensor([[0, 0], [3, 0]])
    >>> jgrad.any(x)
    tensor(True)
    >>> jgrad.any(x, dim=1)
    tensor([False,  True])
    """


@op(
    "any.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype="truth",
    batches="dim",
)
class any_dims:
    pass


# ----- The largest and the smallest -----


@op(
    "amax(Tensor self, int[1]? dim=(), bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype=SAME,
    batches="dim",
)
class amax:
    """The largest of all elements, or the largest elements over some dimensions.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: a dimension, or a tuple of dimensions, to reduce; `()` means all dimensions
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1

    Returns a new tensor with the dtype of `input`. If some element is nan, the result is nan. Equal largest elements share the gradient:
    each gets the same part. (With `max` along a dimension, one of them gets all of it.)

    >>> x = jgrad.tensor([2., 5., 5.], requires_grad=True)
    >>> jgrad.amax(x).backward()
    >>> x.grad
    tensor([0.0000, 0.5000, 0.5000])
    >>> jgrad.amax(jgrad.tensor([[1, 4], [3, 2]]), dim=0)
    tensor([3, 4])
    """

    self = lambda grad, self, result, dim, keepdim: shared_backward(grad, self, result, dim, keepdim)


@op(
    "amin(Tensor self, int[1]? dim=(), bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype=SAME,
    batches="dim",
)
class amin:
    """The smallest of all elements, or the smallest elements over some dimensions.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: a dimension, or a tuple of dimensions, to reduce; `()` means all dimensions
        keepdim: if True, the dimensions that are reduced stay in the shape, with size 1

    Returns a new tensor with the dtype of `input`. If some element is nan, the result is nan. Equal smallest elements share the gradient:
    each gets the same part. (With `min` along a dimension, one of them gets all of it.)

    >>> x = jgrad.tensor([2., 2., 5.], requires_grad=True)
    >>> jgrad.amin(x).backward()
    >>> x.grad
    tensor([0.5000, 0.5000, 0.0000])
    >>> jgrad.amin(jgrad.tensor([[1, 4], [3, 2]]), dim=0)
    tensor([1, 2])
    """

    self = lambda grad, self, result, dim, keepdim: shared_backward(grad, self, result, dim, keepdim)


@formula
def shared_backward(grad: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """A gradient divided among the elements that equal the result."""
    if not keepdim:
        reduced = [d % (self.ndim or 1) for d in dim] or range(self.ndim)
        kept = tuple([1 if d in reduced else n for d, n in enumerate(self.shape)])
        grad, result = grad.reshape(kept), result.reshape(kept)
    chosen = self == result
    return grad / sum(chosen, dim, True, dtype=grad.dtype) * chosen


@op(
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    forms="function method out",
    batches="dim",
    gradient_writes=1,
)
class aminmax:
    """The smallest and the largest of all elements, or both along a dimension.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension to reduce; None means all dimensions
        keepdim: if True, the dimension that is reduced stays in the shape, with size 1

    Returns a named tuple of two new tensors, `min` and `max`. Equal smallest (or largest) elements share the gradient.

    >>> low, high = jgrad.aminmax(jgrad.tensor([[1, 4], [3, 2]]), dim=1)
    >>> low
    tensor([1, 2])
    >>> high
    tensor([4, 3])
    """

    self = lambda grads, self, dim, keepdim, min, max: aminmax_backward(grads, self, dim, keepdim, min, max)


@formula
def aminmax_backward(grads: Any, self: Any, dim: int | None, keepdim: bool, least: Any, most: Any) -> Any:
    dims = () if dim is None else (dim,)
    if grads[0] is None:
        return shared_backward(grads[1], self, most, dims, keepdim)
    share = shared_backward(grads[0], self, least, dims, keepdim)
    return share if grads[1] is None else share + shared_backward(grads[1], self, most, dims, keepdim)


@op(
    "max(Tensor self) -> Tensor",
    forms="function method out",
    node="MaxBackward1",
    out_dtype="castable",
    batches="dim",
    gradient_writes=1,
)
class max:
    """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to look for the largest elements; without it (and without `other`), all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
        other: a tensor that broadcasts with `input`; then the result is `maximum(input, other)`

    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension.

    Equal largest elements of the whole tensor share the gradient. With `dim`, only the first of them gets it. A nan counts as the largest.

    >>> x = jgrad.tensor([[1., 7.], [9., 2.]])
    >>> jgrad.max(x)
    tensor(9.)
    >>> values, indices = jgrad.max(x, dim=1)
    >>> values, indices
    (tensor([7., 9.]), tensor([1, 0]))
    >>> jgrad.max(x, jgrad.tensor(5.))
    tensor([[5., 7.],
            [9., 5.]])
    """

    self = lambda grad, self, result: equal_backward(grad, self, result)


@op(
    "min(Tensor self) -> Tensor",
    forms="function method out",
    node="MinBackward1",
    out_dtype="castable",
    batches="dim",
    gradient_writes=1,
)
class min:
    """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to look for the smallest elements; without it (and without `other`), all elements are compared
        keepdim: if True, the dimension stays in the shape, with size 1
        other: a tensor that broadcasts with `input`; then the result is `minimum(input, other)`

    Returns a new tensor. With `dim` it returns a named tuple of two: `values`, and `indices` (int64) along the dimension.

    Equal smallest elements of the whole tensor share the gradient. With `dim`, only the first of them gets it. If there is a nan, the result
    is nan.

    >>> x = jgrad.tensor([[1., 7.], [9., 2.]])
    >>> jgrad.min(x)
    tensor(1.)
    >>> values, indices = jgrad.min(x, dim=1)
    >>> values, indices
    (tensor([1., 2.]), tensor([0, 1]))
    >>> jgrad.min(x, jgrad.tensor(5.))
    tensor([[1., 5.],
            [5., 2.]])
    """

    self = lambda grad, self, result: equal_backward(grad, self, result)


@formula
def equal_backward(grad: Any, self: Any, result: Any) -> Any:
    """A gradient divided among all elements that equal the result; if it is nan, among those that are."""
    chosen = (self == result) | (isnan(self) & isnan(result)) if has_nan(result) else self == result
    return masked_fill(zeros_like(self), chosen, grad / sum(chosen, dtype=grad.dtype))


@composite(
    "max.other(Tensor self, Tensor other) -> Tensor", forms="function method out", out_dtype="castable"
)
def _max_of_two(input: Tensor, other: Tensor) -> Tensor:
    return TABLE["maximum"].function(input, other)


@composite(
    "min.other(Tensor self, Tensor other) -> Tensor", forms="function method out", out_dtype="castable"
)
def _min_of_two(input: Tensor, other: Tensor) -> Tensor:
    return TABLE["minimum"].function(input, other)


@op(
    "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    forms="function method out",
    node="MaxBackward0",
    batches="dim",
    gradient_writes=2,
)
class max_dim:
    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


@op(
    "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    forms="function method out",
    node="MinBackward0",
    batches="dim",
    gradient_writes=2,
)
class min_dim:
    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


def value_selecting_reduction_backward(
    grad: Tensor, dim: int, indices: Tensor, shape: tuple, keepdim: bool
) -> Tensor:
    """Zeros of this shape, with the gradient where the indices along the dimension point."""
    if not keepdim and shape:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter(grad.new_zeros(shape), dim, indices, grad)


@op(
    "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    forms="function method out",
    batches="dim",
)
class argmax:
    """The index of the largest element: along a dimension, or of all elements in one row.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; None means that the index is that in the flattened tensor
        keepdim: if True, the dimensions that are searched stay in the shape, with size 1

    Returns a new int64 tensor. Of several equal largest elements it is the index of the first. A nan counts as the largest. Has no gradient.

    >>> x = jgrad.tensor([[1, 5, 5], [8, 2, 0]])
    >>> jgrad.argmax(x, dim=1)
    tensor([1, 0])
    >>> jgrad.argmax(x)
    tensor(3)
    """


@op(
    "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    forms="function method out",
    batches="dim",
)
class argmin:
    """The index of the smallest element: along a dimension, or of all elements in one row.

    Args:
        input: a tensor of any shape, with a real dtype
        dim: the dimension along which to search; None means that the index is that in the flattened tensor
        keepdim: if True, the dimensions that are searched stay in the shape, with size 1

    Returns a new int64 tensor. Of several equal smallest elements it is the index of the first. The first nan, if there is one, is chosen.
    Has no gradient.

    >>> x = jgrad.tensor([[1, 5, 1], [8, 2, 0]])
    >>> jgrad.argmin(x, dim=1)
    tensor([0, 2])
    >>> jgrad.argmin(x)
    tensor(5)
    """


# ----- Softmax -----


@op(
    "_softmax(Tensor self, int dim) -> Tensor",
    kernel="softmax",
    node="SoftmaxBackward0",
    real_gradient=True,
    batches="dim",
    **INTERNAL,
)
class _softmax:
    """softmax without a dtype."""

    self = lambda grad, result, dim: softmax_backward(grad, result, dim)


@op(
    "softmax_backward(Tensor grad_output, Tensor output, int dim) -> Tensor",
    node="SoftmaxBackwardDataBackward0",
    batches="dim",
    **INTERNAL,
)
class softmax_backward:
    """output * (grad_output - the sum of grad_output * output)."""

    grad_output = lambda grad, output, dim: softmax_backward(grad, output, dim)
    output = lambda grad, grad_output, output, dim: (
        grad * (grad_output - sum(grad_output * output, dim, True))
        - grad_output * sum(grad * output, dim, True)
    )


@op(
    "_log_softmax(Tensor self, int dim) -> Tensor",
    kernel="log_softmax",
    node="LogSoftmaxBackward0",
    real_gradient=True,
    batches="dim",
    **INTERNAL,
)
class _log_softmax:
    """log_softmax without a dtype."""

    self = lambda grad, result, dim: log_softmax_backward(grad, result, dim)


@op(
    "log_softmax_backward(Tensor grad_output, Tensor output, int dim) -> Tensor",
    node="LogSoftmaxBackwardDataBackward0",
    batches="dim",
    **INTERNAL,
)
class log_softmax_backward:
    """grad_output - exp(output) * the sum of grad_output."""

    grad_output = lambda grad, output, dim: grad - sum(grad * exp(output), dim, True)
    output = lambda grad, grad_output, output, dim: -grad * exp(output) * sum(grad_output, dim, True)


@composite(
    "softmax(Tensor self, int dim, dtype? dtype=None) -> Tensor",
    forms="function method out",
    usually="_softmax softmax",
    out_dtype="exact",
)
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The exponentials of the elements, divided by their sum along a dimension: positive numbers that add up to 1. No element overflows.

    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.

    >>> jgrad.softmax(jgrad.tensor([[0., 0.], [1000., 0.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    """
    return _softmax(input if dtype is None else to_dtype(input, dtype), dim)


@composite(
    "log_softmax(Tensor self, int dim, dtype? dtype=None) -> Tensor",
    forms="function method out",
    usually="_log_softmax log_softmax",
    out_dtype="exact",
)
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension. It is more exact than `log(softmax(input, dim))`, and does not overflow.

    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the exponentials of the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.

    >>> x = jgrad.tensor([1000., 0.])
    >>> jgrad.log_softmax(x, dim=0)
    tensor([    0., -1000.])
    >>> jgrad.log(jgrad.softmax(x, dim=0))
    tensor([0., -inf])
    """
    return _log_softmax(input if dtype is None else to_dtype(input, dtype), dim)


@op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype="castable",
    batches="dim",
)
class logsumexp:
    """The logarithm of the sum of the exponentials of the elements, over some dimensions. Large elements do not overflow.

    Args:
        input: a tensor of any shape; integers and bools are converted to the default dtype
        dim: a dimension, or a tuple of dimensions, to sum over
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1

    Returns a new tensor. Its gradient with respect to `input` is the softmax of `input`.

    >>> x = jgrad.tensor([1000., 1000.], requires_grad=True)
    >>> jgrad.exp(x).sum().log()
    tensor(inf, grad_fn=<LogBackward0>)
    >>> jgrad.logsumexp(x, dim=0).backward()
    >>> x.grad
    tensor([0.5000, 0.5000])
    """

    self = lambda grad, self, result, dim, keepdim: (
        restored(grad, self.shape, dim, keepdim)
        * conj(exp(self - restored(result, self.shape, dim, keepdim)))
    )
