"""Distances between vectors, and vectors shortened to a norm."""

from __future__ import annotations

import math
from typing import Any

from jgrad.dispatch import alias_of, composite, formula, op
from jgrad.dispatch.options import INTERNAL
from jgrad.dtypes import REAL, promote_types
from jgrad.graph import grad_mode
from jgrad.kernels.numpy.shape import c_name, common_shape
from jgrad.ops.by_name import (
    _add_scalar,
    abs,
    bmm,
    conj,
    linalg_vector_norm,
    mul,
    norm_backward,
    real,
    refuse_derivative,
    sgn,
    sqrt,
    sum,
    transpose,
    where,
)
from jgrad.ops.choosing import unless
from jgrad.ops.creation import zeros_like
from jgrad.ops.reshaping import expand
from jgrad.tensor import Tensor

__all__ = ["cdist"]

COMPUTE_MODES = {
    "use_mm_for_euclid_dist_if_necessary": 0,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}
MANY = 25  # rows from which on PyTorch computes Euclidean distances by a matrix product


@op(
    "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
    kernel="cdist_forward",
    node="CdistBackward0",
    **INTERNAL,
)
class _cdist_forward:
    """The p-norms of the differences of all rows of x1 from all rows of x2."""

    x1 = lambda grad, x1, x2, p, result: cdist_backward(grad, x1, x2, p, result)
    x2 = lambda grad, x1, x2, p, result: cdist_backward(
        transpose(grad, -1, -2), x2, x1, p, transpose(result, -1, -2)
    )


@op(
    "cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
    node="CdistBackwardBackward0",
    **INTERNAL,
)
class cdist_backward:
    """The gradient of distances for x1. It has no derivative, as in PyTorch."""

    grad = x1 = x2 = cdist = lambda grad, x1, x2, p, cdist, output_mask: refuse_derivative("_cdist_backward")


@op(
    "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor",
    kernel="euclidean_dist",
    node="EuclideanDistBackward0",
    **INTERNAL,
)
class _euclidean_dist:
    """Euclidean distances, with a derivative that can be differentiated again."""

    x1 = lambda grad, x1, x2, result: euclidean_backward(grad, x1, x2, result)
    x2 = lambda grad, x1, x2, result: euclidean_backward(
        transpose(grad, -1, -2), x2, x1, transpose(result, -1, -2)
    )


@formula
def euclidean_backward(grad: Any, x1: Any, x2: Any, result: Any) -> Any:
    """The sum of grad * (x1 - x2) / distance over the rows of x2; nothing where the distance is 0."""
    ratio = unless(grad / result, result == 0)
    return x1 * sum(ratio, (-1,), True) - bmm(ratio, x2)


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """The distance of each row of `x1` from each row of `x2`: the norm of order `p` of their difference."""
    if compute_mode not in COMPUTE_MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    mode = COMPUTE_MODES[compute_mode]
    return _cdist(x1, x2, p, mode or None)


@composite("cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor", **INTERNAL)
def _cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: int | None = None) -> Tensor:
    """The distances of all rows of x1 from all rows of x2."""
    for label, x in (("X1", x1), ("X2", x2)):
        if x._a.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {label} got: {x._a.ndim}D")
    for label, x in (("X1", x1), ("X2", x2)):
        if x._a.dtype.kind not in REAL:
            raise RuntimeError(f"cdist only supports floating-point dtypes, {label} got: {x.dtype.type_name}")
    columns = x1._a.shape[-1]
    if columns != x2._a.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {columns} X2: {x2._a.shape[-1]}"
        )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    rows, others = x1._a.shape[-2], x2._a.shape[-2]
    batch = common_shape(x1._a.shape[:-2], x2._a.shape[:-2])
    by_product = p == 2 and (compute_mode == 1 or (compute_mode is None and max(rows, others) > MANY))
    if x1._a.size and x2._a.size:
        if not by_product and x1._a.itemsize == 2:
            raise NotImplementedError(f"\"cdist\" not implemented for '{x1.dtype.type_name}'")
        if x1.dtype is not x2.dtype and by_product:
            raise RuntimeError(
                f"expected m1 and m2 to have the same dtype, but got: {c_name(x1._a)} != {c_name(x2._a)}"
            )
        if x1.dtype is not x2.dtype:
            raise RuntimeError(f"expected scalar type {x1.dtype.type_name} but found {x2.dtype.type_name}")
    count = math.prod(batch)
    if not (by_product and columns and rows and others and count):
        return _cdist_forward(x1, x2, p, compute_mode)
    a = _stretched(x1, (*batch, rows, columns)).reshape((count, rows, columns))
    b = _stretched(x2, (*batch, others, columns)).reshape((count, others, columns))
    return _euclidean_dist(a, b).view((*batch, rows, others))


def _stretched(x: Tensor, shape: tuple) -> Tensor:
    return x if x._a.shape == shape else x.expand(shape)


@op(
    "_pdist_forward(Tensor self, float p=2.0) -> Tensor",
    kernel="pdist_forward",
    node="PdistBackward0",
    **INTERNAL,
)
class _pdist_forward:
    """The distances between all pairs of rows."""

    self = lambda grad, self, p, result: pdist_backward(grad, self, p, result)


@op(
    "pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    node="PdistBackwardBackward0",
    **INTERNAL,
)
class pdist_backward:
    """The gradient of the distances between pairs of rows. It has no derivative, as in PyTorch."""

    grad = self = pdist = lambda grad, self, p, pdist, output_mask: refuse_derivative("_pdist_backward")


@composite("pdist(Tensor self, float p=2.0) -> Tensor", namespace="nn.functional", forms="function")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The distances of all pairs of rows of a matrix: the norms of order `p` of their differences."""
    if input._a.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input._a.ndim}D")
    if input._a.dtype.kind not in REAL:
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    if input._a.itemsize == 2 and input._a.size and len(input._a) > 1:
        raise NotImplementedError(f"\"pdist\" not implemented for '{input.dtype.type_name}'")
    return _pdist_forward(input.contiguous(), p)


alias_of("nn.functional.pdist", "pdist")


# ----- Norms not above a bound -----


@op("renorm(Tensor self, Number p, int dim, Number maxnorm) -> Tensor", forms="function method inplace out")
class renorm:
    """Each slice along a dimension whose norm of order `p` is larger than `maxnorm` is shortened to that norm. The other slices stay as they are."""

    self = lambda grad, self, p, dim, maxnorm: renorm_backward(grad, self, p, dim, maxnorm)


@formula
def renorm_backward(grad: Any, self: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    """Of self * maxnorm / norm, in which the norm too depends on self; where the norm is small the gradient passes."""
    if 0 in self.shape:
        return grad
    norm = slice_norm(self, p, dim)
    inverse = 1 / (norm + 1e-7)
    along = real(sum_around(self * conj(grad), dim))
    shortened = (grad - norm_slope(self, p, dim, norm) * along * inverse) * inverse * maxnorm
    return where(norm > maxnorm, shortened, grad)


@formula
def slice_norm(a: Any, p: Any, dim: int) -> Any:
    """The p-norm of each slice along a dimension, the others kept with size 1."""
    size = abs(a)
    if p == float("inf"):
        return max_around(size, dim)
    if p == 2:
        return sqrt(sum_around(size * size, dim))
    return sum_around(size**p, dim) ** (1 / p)


@formula
def norm_slope(a: Any, p: Any, dim: int, norm: Any) -> Any:
    """The derivative of a p-norm: where the norm is 0 it is 0; equally large elements share that of the largest."""
    if p == 1:
        return sgn(a)
    if p == float("inf"):
        largest = where(abs(a) == norm, sgn(a), zeros_like(a))
        return largest / sum_around(abs(sgn(largest)), dim)
    size = abs(a)
    if p == 2:
        return unless(a / norm, norm == 0)
    return where((norm == 0) | (size == 0), zeros_like(a), sgn(a) * (size / norm) ** (p - 1))


@op("sum_around(Tensor self, int dim) -> Tensor", batches="dim", **INTERNAL)
class sum_around:
    """The sum of each slice along a dimension, the others kept with size 1."""

    self = lambda grad, self_shape: expand(grad, self_shape)


@op("max_around(Tensor self, int dim) -> Tensor", batches="dim", **INTERNAL)
class max_around:
    """The largest element of each slice along a dimension, the others kept with size 1."""

    self = lambda grad, self, dim, result: share_of_largest(grad, self, dim, result)


@formula
def share_of_largest(grad: Any, self: Any, dim: int, largest: Any) -> Any:
    """The gradient for the elements that are the largest of their slice, shared equally."""
    shares = where(self == largest, zeros_like(self) + 1, zeros_like(self))
    return shares * (grad / sum_around(shares, dim))


# ----- Of vectors along a dimension -----


@op(
    "_norm(Tensor self, Number p, int[1] dim, bool keepdim) -> Tensor",
    **INTERNAL,
    kernel="vector_norm",
    node="NormBackward1",
)
class _norm:
    """The norm of order p over some dimensions, under the name that distances record."""

    self = lambda grad, self, p, result, dim, keepdim: norm_backward(grad, self, p, result, dim, keepdim)


@composite(
    "pairwise_distance(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False) -> Tensor",
    forms="function",
)
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The distances of vectors from each other, which lie along the last dimension: the norms of order `p` of their differences."""
    last = max(x1._a.ndim, x2._a.ndim) - 1
    return _norm(_add_scalar(x1 - x2, eps), p, (last,), keepdim)


def cosine_norm(x: Tensor, dim: int, eps: float) -> Tensor:
    """The length of vectors, at least eps; the gradient takes no notice of that."""
    length = linalg_vector_norm(x, 2, dim, True).clone()
    with grad_mode.no_grad():
        length.clamp_min_(eps)
    return length


@composite("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", forms="function")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along a dimension: 1 for vectors of the same direction, 0 for a right angle, -1 for the opposite one."""
    common = promote_types(x1.dtype, x2.dtype)
    if not common.is_floating_point:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {common.type_name}"
        )
    x1, x2 = (x if x.is_floating_point() else x.to(common) for x in (x1, x2))
    shape = common_shape(x1._a.shape, x2._a.shape)
    x1, x2 = (x if x._a.shape == shape else x.expand(shape) for x in (x1, x2))
    return (mul(x1 / cosine_norm(x1, dim, eps), x2 / cosine_norm(x2, dim, eps))).sum(dim)


@composite("norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", forms="function")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norms over all dimensions but one. Weight normalization divides the weight by them."""
    shape = v._a.shape
    if dim == -1:
        return v.norm(pow)
    kept = [1] * len(shape)
    kept[dim] = shape[dim]
    if dim == 0:
        return _norm(v.contiguous().view((shape[0], -1)), pow, (1,), False).view(tuple(kept))
    if dim == len(shape) - 1:
        return _norm(v.contiguous().view((-1, shape[-1])), pow, (0,), False).view(tuple(kept))
    return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)
