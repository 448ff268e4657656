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
    """The sum of all elements, or the sums over some dimensions."""

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
    """The mean of all elements, or the means over some dimensions."""

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
    """The sum of the elements that are not nan: every nan counts as 0."""

    self = lambda grad, self, dim, keepdim: expand_reduced(grad, self.shape, dim, keepdim) * (self == self)


@composite(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    forms="function method out",
)
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The mean of the elements that are not nan. The elements that are nan are not counted either."""
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
    """The sum of the elements on the diagonal of a matrix."""

    self = lambda grad, self_shape: trace_backward(grad, self_shape)


@op("trace_backward(Tensor grad, any shape) -> Tensor", **INTERNAL)
class trace_backward:
    """A matrix of zeros with the gradient along the diagonal."""

    grad = lambda grad: trace(grad)


@op("count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", batches="dim")
class count_nonzero:
    """How many elements are not zero: of all elements, or over some dimensions."""


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
    """The product of all elements, or the products along a dimension."""

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
    """Whether all elements are not zero: all of them, or all along some dimensions."""


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
    """Whether at least one element is not zero: of all elements, or along some dimensions."""


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
    """The largest of all elements, or the largest elements over some dimensions."""

    self = lambda grad, self, result, dim, keepdim: shared_backward(grad, self, result, dim, keepdim)


@op(
    "amin(Tensor self, int[1]? dim=(), bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype=SAME,
    batches="dim",
)
class amin:
    """The smallest of all elements, or the smallest elements over some dimensions."""

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
    """The smallest and the largest of all elements, or both along a dimension."""

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
    """The largest of all elements; the largest elements along a dimension, and where they are; or the larger elements of two tensors."""

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
    """The smallest of all elements; the smallest elements along a dimension, and where they are; or the smaller elements of two tensors."""

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
    """The index of the largest element: along a dimension, or of all elements in one row."""


@op(
    "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    forms="function method out",
    batches="dim",
)
class argmin:
    """The index of the smallest element: along a dimension, or of all elements in one row."""


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
    """The exponentials of the elements, divided by their sum along a dimension: positive numbers that add up to 1. No element overflows."""
    return _softmax(input if dtype is None else to_dtype(input, dtype), dim)


@composite(
    "log_softmax(Tensor self, int dim, dtype? dtype=None) -> Tensor",
    forms="function method out",
    usually="_log_softmax log_softmax",
    out_dtype="exact",
)
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension. It is more exact than `log(softmax(input, dim))`, and does not overflow."""
    return _log_softmax(input if dtype is None else to_dtype(input, dtype), dim)


@op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    forms="function method out",
    out_dtype="castable",
    batches="dim",
)
class logsumexp:
    """The logarithm of the sum of the exponentials of the elements, over some dimensions. Large elements do not overflow."""

    self = lambda grad, self, result, dim, keepdim: (
        restored(grad, self.shape, dim, keepdim)
        * conj(exp(self - restored(result, self.shape, dim, keepdim)))
    )
