"""Statistics: variances, norms and distances, medians, modes and quantiles, covariances."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from jgrad import manual, warn
from jgrad.dispatch import TABLE, composite, document, formula, op
from jgrad.dispatch.options import INTERNAL, LINALG
from jgrad.dtypes import FROM_NUMPY, INEXACT, promote_types
from jgrad.kernels.numpy import INF as INF
from jgrad.kernels.numpy import NAN as NAN
from jgrad.kernels.numpy.shape import wrap_dim
from jgrad.ops.by_name import (
    abs,
    complex,
    conj,
    equal_backward,
    expand_reduced,
    isnan,
    linalg_matrix_norm,
    mean,
    mm,
    pow,
    restored,
    sgn,
    sparse_coalesced,
    sparse_values_of,
    sum,
    value_selecting_reduction_backward,
    where,
)
from jgrad.ops.choosing import unless
from jgrad.ops.copying import to_dtype
from jgrad.ops.creation import zeros_like
from jgrad.ops.from_data import tensor
from jgrad.ops.reduction import count_of, divided
from jgrad.tensor import Tensor

# ----- Variance and standard deviation -----

# `unbiased` is the older way to say what `correction` says: 1 if true, 0 if not.


@op(
    "_var(Tensor self, int[1]? dim, Number? correction, bool keepdim) -> Tensor",
    kernel="var",
    node="VarBackward0",
    warns=True,
    **INTERNAL,
)
class _var:
    """var, all of whose signatures come here."""

    self = lambda grad, self, dim, correction, keepdim: var_backward(grad, self, dim, correction, keepdim)


@op(
    "_std(Tensor self, int[1]? dim, Number? correction, bool keepdim) -> Tensor",
    kernel="std",
    node="StdBackward0",
    warns=True,
    **INTERNAL,
)
class _std:
    """std, all of whose signatures come here."""

    self = lambda grad, self, result, dim, correction, keepdim: std_backward(
        grad, self, result, dim, correction, keepdim
    )


@op(
    "_var_mean(Tensor self, int[1]? dim, Number? correction, bool keepdim) -> (Tensor, Tensor)",
    kernel="var_mean",
    node="VarMeanBackward0",
    warns=True,
    **INTERNAL,
)
class _var_mean:
    """var_mean, all of whose signatures come here."""

    self = lambda grads, self, dim, correction, keepdim: both_backward(
        grads, self, None, dim, correction, keepdim
    )


@op(
    "_std_mean(Tensor self, int[1]? dim, Number? correction, bool keepdim) -> (Tensor, Tensor)",
    kernel="std_mean",
    node="StdMeanBackward0",
    warns=True,
    **INTERNAL,
)
class _std_mean:
    """std_mean, all of whose signatures come here."""

    self = lambda grads, self, result0, dim, correction, keepdim: both_backward(
        grads, self, result0, dim, correction, keepdim
    )


def var_backward(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """2 / (n - correction) * (self - mean), infinite or nan where PyTorch has it so."""
    grad = restored(grad, self.shape, dim, keepdim)
    centred = self - (mean(self) if dim is None else mean(self, dim, True))
    free = count_of(self.shape, dim) - (1 if correction is None else correction)
    if free <= 0 and (dim is None or not self.shape):
        return grad * where(centred == 0, zeros_like(self) + NAN, zeros_like(self) + INF)
    return (2 / free if free else INF) * grad * centred


def std_backward(grad: Any, self: Any, result: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """As if the root had no infinite slope at zero."""
    grad = unless(grad / (result * 2), result == 0)
    return var_backward(grad, self, dim, correction, keepdim)


@formula
def both_backward(grads: Any, self: Any, std: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """The gradients of a variance (or standard deviation) and of the mean, added."""
    total = None
    if grads[0] is not None:
        total = (
            var_backward(grads[0], self, dim, correction, keepdim)
            if std is None
            else std_backward(grads[0], self, std, dim, correction, keepdim)
        )
    if grads[1] is not None:
        share = divided(expand_reduced(grads[1], self.shape, dim, keepdim), count_of(self.shape, dim))
        total = share if total is None else total + share
    return total


def _spread(name: str, what: str) -> None:
    """Declare the three signatures of var, std, var_mean or std_mean."""
    results = "(Tensor, Tensor)" if name.endswith("_mean") else "Tensor"
    forms = "function" if name.endswith("_mean") else "function method out"
    internal = TABLE["_" + name].function

    @composite(
        f"{name}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> {results}",
        forms=forms,
        out_dtype="castable",
    )
    def along(input: Tensor, dim: Any, unbiased: bool = True, keepdim: bool = False) -> Any:
        return internal(input, dim, int(unbiased), keepdim)

    @composite(
        f"{name}.correction(Tensor self, int[1]? dim=None, *, Number? correction=None, bool keepdim=False) -> {results}",
        forms=forms,
        out_dtype="castable",
    )
    def corrected(input: Tensor, dim: Any = None, correction: Any = None, keepdim: bool = False) -> Any:
        return internal(input, dim, correction, keepdim)

    @composite(f"{name}(Tensor self, bool unbiased=True) -> {results}", forms=forms, out_dtype="castable")
    def whole(input: Tensor, unbiased: bool = True) -> Any:
        return internal(input, None, int(unbiased), False)

    TABLE[name].doc = manual.text(__name__, name, f"{what}, of all elements or over some dimensions.")
    document(TABLE[name])


_spread("var", "The variance: the mean of the squared distances from the mean")
_spread("std", "The standard deviation: the square root of the variance")
_spread("var_mean", "The variance and the mean")
_spread("std_mean", "The standard deviation and the mean")


# ----- Norms and distances -----


@op(
    "_vector_norm(Tensor self, Number ord, int[1]? dim, bool keepdim) -> Tensor",
    kernel="vector_norm",
    node="LinalgVectorNormBackward0",
    **INTERNAL,
)
class _vector_norm:
    """linalg.vector_norm without a dtype."""

    self = lambda grad, self, ord, result, dim, keepdim: norm_backward(grad, self, ord, result, dim, keepdim)


@formula
def norm_backward(grad: Any, self: Any, p: Any, norm: Any, dim: Any, keepdim: bool) -> Any:
    """The derivative of the p-norm, 0 where it has none, and where PyTorch has it so."""
    if p == 0:
        return None
    grad, norm = restored(grad, self.shape, dim, keepdim), restored(norm, self.shape, dim, keepdim)
    if p == 1:
        return sgn(self) * grad
    if p == 2:
        return grad * unless(self / norm, norm == 0)
    if p == INF or p == -INF:
        size = abs(self)
        chosen = (size == norm) | isnan(size)
        return sgn(self) * (grad / sum(chosen, dim, True, dtype=grad.dtype) * chosen)
    if p < 1:
        slope = pow(abs(self), p - 1)
        return sgn(self) * where(self == 0, zeros_like(slope), slope) * grad * pow(norm, 1 - p)
    share = unless(grad / pow(norm, p - 1), norm == 0)
    if p < 2:
        return sgn(self) * pow(abs(self), p - 1) * share
    return self * pow(abs(self), p - 2) * share


@composite(
    "linalg_vector_norm(Tensor self, Number ord=2, int[1]? dim=None, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
    out_dtype="exact",
    **LINALG,
)
def linalg_vector_norm(
    self: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """The norm of order `ord` of all elements as one vector, or of the vectors along some dimensions."""
    if self._a.dtype.kind not in INEXACT:
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {self.dtype.type_name}"
        )
    if isinstance(ord, builtins.complex):
        raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")
    if dtype is not None:
        check_dtype_of_norm("linalg.vector_norm", self, dtype)
        self = to_dtype(self, dtype)
    return _vector_norm(self, ord, dim, keepdim)


def check_dtype_of_norm(name: str, input: Tensor, dtype: np.dtype) -> None:
    """Refuse a dtype asked of a norm that can't hold the input."""
    given, asked = input.dtype, FROM_NUMPY[dtype]
    if dtype.kind not in INEXACT:
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {asked.type_name}")
    if given.is_complex != asked.is_complex:
        kind = "complex" if given.is_complex else "real"
        raise RuntimeError(f"{name}: dtype should be {kind} for {kind} inputs, but got {asked.type_name}")
    if promote_types(given, asked) != asked:
        raise RuntimeError(
            f"{name}: the dtype of the input ({given.type_name}) should be convertible without narrowing to the "
            f"specified dtype ({asked.type_name})"
        )


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Tensor:
    """The norm of all elements as one vector, or of the vectors (or matrices) along some dimensions."""
    dims = (dim,) if isinstance(dim, int) else dim
    options: dict[str, Any] = {"dtype": dtype} | ({} if out is None else {"out": out})
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) <= 2)):
        dims = tuple(range(input.ndim)) if dims is None else dims
        return TABLE["linalg.matrix_norm"].function(input, p, dims, keepdim, **options)
    order = 2 if p is None or p == "fro" else p
    if input.is_sparse and dims is None:
        input = sparse_values_of(sparse_coalesced(input))
    return linalg_vector_norm(input, order, dims, keepdim, **options)


@op(
    "frobenius_norm(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    forms="function out",
    node="NormBackward1",
)
class frobenius_norm:
    """The root of the sum of the squares along one dimension or two. `linalg.vector_norm` and `linalg.matrix_norm` do the same, and more."""

    self = lambda grad, self, result, dim, keepdim: norm_backward(grad, self, 2, result, dim, keepdim)


@composite("nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", forms="function out", out_copied=True)
def nuclear_norm(input: Tensor, keepdim: bool = False) -> Tensor:
    """The sum of the singular values of matrices. It is `linalg.matrix_norm` with `ord="nuc"`."""
    return linalg_matrix_norm(input, "nuc", [-2, -1], keepdim)


@composite("nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor")
def nuclear_norm_along(input: Tensor, dim: tuple, keepdim: bool = False) -> Tensor:
    return linalg_matrix_norm(input, "nuc", list(dim), keepdim)


def _norm(self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The norm of all elements as one vector, or of the vectors (or matrices) along some dimensions."""
    return norm(self, p, dim, keepdim, dtype=dtype)


_norm.__qualname__ = "Tensor.norm"
Tensor.norm = _norm  # type: ignore[attr-defined]


@op(
    "dist(Tensor self, Tensor other, Number p=2) -> Tensor",
    promote="default",
    promoted="self other",
    refuses="subtraction",
    batches="examples",
)
class dist:
    """The distance of two tensors: the norm of order `p` of their difference."""

    self = lambda grad, self, other, p, result: norm_backward(grad, self - other, p, result, (), False)
    other = lambda grad, self, other, p, result: norm_backward(-grad, self - other, p, result, (), False)


# ----- Medians and modes -----


@op(
    "median(Tensor self) -> Tensor",
    forms="function method out",
    without_out=True,
    batches="dim",
    real_gradient=True,
    gradient_writes=1,
)
class median:
    """The median: the middle one of the elements in order, of all of them or along a dimension. If there are two, it is the smaller one."""

    self = lambda grad, self, result: equal_backward(grad, self, result)


@op(
    "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    batches="dim",
    gradient_writes=2,
)
class median_dim:
    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


@op(
    "nanmedian(Tensor self) -> Tensor",
    forms="function method out",
    without_out=True,
    batches="dim",
    real_gradient=True,
    gradient_writes=1,
)
class nanmedian:
    """The median of the elements that are not nan: of all of them, or along a dimension. If there are two in the middle, it is the smaller one."""

    self = lambda grad, self, result: equal_backward(grad, self, result)


@op(
    "nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    batches="dim",
    gradient_writes=2,
)
class nanmedian_dim:
    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


@op(
    "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    forms="function method out",
    out_dtype="expected scalar type '{result}' but got '{out}' for {name} output",
    real_gradient=True,
    batches="dim",
    gradient_writes=2,
)
class mode:
    """The most frequent value along a dimension, and the place where it stands last. Of several equally frequent values, it is the smallest."""

    self = lambda grad, self_shape, dim, indices, keepdim: value_selecting_reduction_backward(
        grad, dim, indices, self_shape, keepdim
    )


# ----- Quantiles -----

INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@composite(
    "quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
    forms="function method out",
    out_dtype="quantile() out tensor must be same dtype as the input tensor",
)
def quantile(
    input: Tensor, q: Tensor, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Tensor:
    """The quantiles: the values below which given shares of the elements lie, of all elements or along a dimension."""
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@composite(
    "quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
    forms="function method out",
    out_dtype="quantile() out tensor must be same dtype as the input tensor",
)
def _quantile_number(input: Tensor, q: float, dim: Any, keepdim: bool, interpolation: str) -> Tensor:
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@composite(
    "nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
    forms="function method out",
    out_dtype="quantile() out tensor must be same dtype as the input tensor",
)
def nanquantile(
    input: Tensor, q: Tensor, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
) -> Tensor:
    """The quantiles of the elements that are not nan: of all of them, or along a dimension. A quantile is the value below which a given share lies."""
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


@composite(
    "nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
    forms="function method out",
    out_dtype="quantile() out tensor must be same dtype as the input tensor",
)
def _nanquantile_number(input: Tensor, q: float, dim: Any, keepdim: bool, interpolation: str) -> Tensor:
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


def _quantile(name: str, input: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str) -> Tensor:
    """The element at the rank q * (n - 1) of the sorted elements, or a value between the two next to it."""
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = tensor(q, dtype=input.dtype, device=input.device)
    d, shape = _check_quantile(input, q, dim, interpolation)
    if dim is None:
        rows, shape = input.reshape((-1,)), (1,) * input.ndim if keepdim else ()
    else:
        rows = input if d == input.ndim - 1 or not shape else input.unsqueeze(-1).transpose(d, -1)
        if shape:
            shape = (*shape[:d], *((1,) if keepdim else ()), *shape[d + 1 :])
    ranked = rows.sort()[0]
    last = ranked.shape[-1] - 1 if ranked.ndim else 0
    ranked = ranked.view((*shape, last + 1))
    bad = isnan(ranked.detach())
    if name == "nanquantile":
        ranks = q * ((~bad).sum(-1, keepdim=True) - 1)
        ranks = ranks.masked_fill(ranks < 0, 0)
    else:
        ranks = where(bad.any(-1, keepdim=True), last, q * last)
    if interpolation in ("lower", "higher", "nearest"):
        ranks = {"lower": ranks.floor, "higher": ranks.ceil, "nearest": ranks.round}[interpolation]()
    below = ranks.long()
    result = ranked.gather(-1, below)
    if interpolation in ("linear", "midpoint"):
        weights = zeros_like(ranks) + 0.5 if interpolation == "midpoint" else ranks - below
        result = result.lerp_(ranked.gather(-1, ranks.ceil().long()), weights)
    return result.squeeze_(-1) if not q.ndim else result.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def _check_quantile(input: Tensor, q: Tensor, dim: int | None, interpolation: str) -> tuple[int, tuple]:
    """Refuse what has no quantiles; the dimension from the front, and the shape."""
    if not input.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if q.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if input._a.dtype.char not in "fd":
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if q.dtype is not input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if interpolation not in INTERPOLATIONS:
        raise RuntimeError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    d = 0 if dim is None else wrap_dim(dim, input.ndim)
    if not ((q._a >= 0) & (q._a <= 1)).all().item():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    return d, tuple(input.shape)


# ----- Covariance -----


@composite("cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor")
def cov(
    input: Tensor, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """The covariances of variables over observations. Each row of the matrix is a variable, each column an observation."""
    if input.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    if input._a.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = input if input.ndim == 2 else input.reshape((1, -1))
    weights = _observation_weights(rows.shape[1], fweights, aweights)
    if weights is None:
        total: Any = rows.shape[1]
        means = rows.sum(1) / total
    else:
        total = weights.sum()
        if rows.shape[1] and not total:
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        means = (rows * weights).sum(1) / total
    free = total - correction * (1 if aweights is None else (weights * aweights).sum() / total)
    if free <= 0:
        warn.say(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
        )
        free = 0 * free
    centred = rows - means.unsqueeze(1)
    other = centred if weights is None else centred * weights
    return (mm(centred, conj(other.t())) / free).squeeze()


def _observation_weights(n: int, fweights: Tensor | None, aweights: Tensor | None) -> Tensor | None:
    """How much each observation counts."""
    for name, given, kinds, expected in (
        ("fweights", fweights, "iu", "integral"),
        ("aweights", aweights, "f", "floating point"),
    ):
        if given is None:
            continue
        if given.ndim > 1:
            raise RuntimeError(
                f"cov(): expected {name} to have one or fewer dimensions but got {name} with {given.ndim} dimensions"
            )
        if given._a.dtype.kind not in kinds:
            raise RuntimeError(
                f"cov(): expected {name} to have {expected} dtype but got {name} with {given.dtype.type_name} dtype"
            )
        if given.numel() != n:
            raise RuntimeError(
                f"cov(): expected {name} to have the same numel as there are observations in the input but got {given.numel()} != {n}"
            )
        if n and (given._a < 0).any().item():
            raise RuntimeError(f"cov(): {name} cannot be negative")
    if fweights is None:
        return aweights
    return fweights if aweights is None else fweights * aweights


@composite("corrcoef(Tensor self) -> Tensor")
def corrcoef(input: Tensor) -> Tensor:
    """The correlation coefficients of variables over observations. Each row of the matrix is a variable, each column an observation."""
    if input.ndim > 2:
        raise RuntimeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    covariances = cov(input)
    if not covariances.ndim:
        return covariances / covariances
    deviations = covariances.diagonal().sqrt()
    scaled = covariances / deviations.view((-1, 1)) / deviations.view((1, -1))
    if scaled._a.dtype.kind != "c":
        return scaled.clamp(-1, 1)
    return complex(scaled.real.clamp(-1, 1), scaled.imag.clamp(-1, 1))
