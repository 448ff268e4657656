"""The rarer maps between spaces of distributions; `jgrad.distributions.transforms` offers them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import jgrad
from jgrad import manual
from jgrad.distributions import constraints
from jgrad.distributions.constraints import Constraint
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.transforms import Shape, Transform, _clipped_sigmoid, _need_dims, _Plain
from jgrad.distributions.utils import (
    broadcast_all,
    lazy_property,
    sum_rightmost,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)
from jgrad.nn.functional import logsigmoid, pad, softplus
from jgrad.tensor import Size, Tensor


class _Several(Transform):
    """Several transforms, each for its part of the tensor along a dimension."""

    transforms: list[Transform]
    dim: int

    def _set(self, tseq: Sequence[Transform], dim: int, cache_size: int) -> None:
        if not all([isinstance(t, Transform) for t in tseq]):
            raise AssertionError("All elements of tseq must be Transform instances")
        self.transforms, self.dim = [t.with_cache(cache_size) if cache_size else t for t in tseq], dim

    def _parts(self, value: Tensor, name: str, kind: str = "tensor") -> list[Tensor]:
        """The part of each transform."""
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for {kind} with {value.dim()} dimensions")
        return self._split(value, name)

    def _split(self, value: Tensor, name: str) -> list[Tensor]:
        raise NotImplementedError

    def _join(self, parts: list[Tensor]) -> Tensor:
        raise NotImplementedError

    def _call(self, x: Tensor) -> Tensor:
        return self._join([t(part) for t, part in zip(self.transforms, self._parts(x, "x"), strict=True)])

    def _inverse(self, y: Tensor) -> Tensor:
        return self._join([t.inv(part) for t, part in zip(self.transforms, self._parts(y, "y"), strict=True)])

    def _determinants(self, x: Tensor, y: Tensor) -> list[Tensor]:
        parts = zip(self.transforms, self._parts(x, "x", "x"), self._parts(y, "y", "y"), strict=True)
        return [t.log_abs_det_jacobian(x, y) for t, x, y in parts]

    @property
    def bijective(self) -> bool:
        return all([t.bijective for t in self.transforms])


class CatTransform(_Several):
    """Several transforms, each of a number of consecutive elements (`lengths`, by default 1) along a dimension."""

    _arguments = ("transforms", "dim", "lengths")

    def __init__(
        self,
        tseq: Sequence[Transform],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        super().__init__(cache_size=cache_size)
        self._set(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )

    @lazy_property
    def event_dim(self) -> int:
        return max([t.event_dim for t in self.transforms])

    @lazy_property
    def length(self) -> int:
        """The number of elements along the dimension."""
        return sum(self.lengths)

    def _split(self, value: Tensor, name: str) -> list[Tensor]:
        if value.size(self.dim) != self.length:
            raise AssertionError(
                f"{name}.size({self.dim}) = {value.size(self.dim)} must equal length {self.length}"
            )
        return list(value.split(self.lengths, self.dim))

    def _join(self, parts: list[Tensor]) -> Tensor:
        return jgrad.cat(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        found = zip(self.transforms, self._determinants(x, y), strict=True)
        terms = [sum_rightmost(term, self.event_dim - t.event_dim) for t, term in found]
        # Where the dimension is one of those of the event, its parts belong to the same event.
        dim = self.dim - (x.dim() if self.dim >= 0 else 0) + self.event_dim
        return jgrad.cat(terms, dim=dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self) -> Constraint:
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Constraint:
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Several):
    """Several transforms, each of one slice along a dimension."""

    _arguments = ("transforms", "dim")

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self._set(tseq, dim, cache_size)

    def _split(self, value: Tensor, name: str) -> list[Tensor]:
        count, expected = value.size(self.dim), len(self.transforms)
        if count != expected:
            raise AssertionError(f"{name}.size({self.dim}) = {count} must equal len(transforms) {expected}")
        return list(value.unbind(self.dim))

    def _join(self, parts: list[Tensor]) -> Tensor:
        return jgrad.stack(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self._join(self._determinants(x, y))

    @constraints.dependent_property
    def domain(self) -> Constraint:
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Constraint:
        return constraints.stack([t.codomain for t in self.transforms], self.dim)


# Transforms of numbers -----------------------------------------------------------------------------------------------------------


class PowerTransform(Transform):
    """y = x ** exponent, for positive x."""

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True
    _arguments = ("exponent",)

    def __init__(self, exponent: Tensor | float, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @lazy_property
    def sign(self) -> Tensor:
        return self.exponent.sign()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and self.exponent.eq(other.exponent).all().item()

    def _call(self, x: Tensor) -> Tensor:
        return x.pow(self.exponent)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Shape) -> Shape:
        return jgrad.broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


class SoftplusTransform(_Plain):
    """y = log(1 + exp(x))."""

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def _call(self, x: Tensor) -> Tensor:
        return softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -softplus(-x)


class AbsTransform(_Plain):
    """y = |x|; the inverse gives the positive one of the two x."""

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.abs()

    def _inverse(self, y: Tensor) -> Tensor:
        return y


class CumulativeDistributionTransform(Transform):
    """y = cdf(x) of a distribution: uniform, if x has that distribution."""

    bijective = True
    codomain = constraints.unit_interval
    sign = 1
    _arguments = ("distribution",)

    def __init__(self, distribution: Distribution, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Constraint | None:
        return self.distribution.support

    def _call(self, x: Tensor) -> Tensor:
        return self.distribution.cdf(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self.distribution.log_prob(x)


# Transforms of vectors and matrices ----------------------------------------------------------------------------------------------


class ReshapeTransform(Transform):
    """Events of one shape in another shape."""

    bijective = True
    _arguments = ("in_shape", "out_shape")

    def __init__(self, in_shape: Shape, out_shape: Shape, cache_size: int = 0) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Constraint:
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Constraint:
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x: Tensor) -> Tensor:
        return x.reshape(x.shape[: x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.reshape(y.shape[: y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Shape) -> Shape:
        return _replaced(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Shape) -> Shape:
        return _replaced(shape, self.out_shape, self.in_shape)


def _replaced(shape: Shape, end: Size, new: Size) -> Shape:
    """A shape with its end replaced."""
    _need_dims(len(shape), len(end))
    cut = len(shape) - len(end)
    if shape[cut:] != end:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {end}")
    return shape[:cut] + new


class SoftmaxTransform(_Plain):
    """Vectors as logarithms of weights, y = softmax(x): simple, but not bijective. The inverse is log(y)."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        weights = (x - x.max(-1, True)[0]).exp()
        return weights / weights.sum(-1, True)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def forward_shape(self, shape: Shape) -> Shape:
        _need_dims(len(shape), 1)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(_Plain):
    """Vectors of K - 1 numbers as K probabilities: each number says which fraction breaks off of what is left of a stick. Bijective."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    @staticmethod
    def _log_left(x: Tensor) -> Tensor:
        """log(K - 1), ..., log(1): numbers are moved by them, so that zeros mean equal parts."""
        n = x.shape[-1]
        return (n + 1 - x.new_ones(n).cumsum(-1)).log()

    def _call(self, x: Tensor) -> Tensor:
        fraction = _clipped_sigmoid(x - self._log_left(x))
        left = (1 - fraction).cumprod(-1)
        return pad(fraction, [0, 1], value=1) * pad(left, [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        parts = y[..., :-1]
        left = (1 - parts.cumsum(-1)).clamp(min=jgrad.finfo(y.dtype).tiny)
        return parts.log() - left.log() + self._log_left(parts)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        x = x - self._log_left(x)
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Shape) -> Shape:
        _need_dims(len(shape), 1)
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape: Shape) -> Shape:
        _need_dims(len(shape), 1)
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(_Plain):
    """Square matrices as lower triangular ones with a positive diagonal, which is the exponential of theirs."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Plain):
    """Square matrices as positive-definite ones: L L^T, with the L of `LowerCholeskyTransform`."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(jgrad.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    """Vectors of D * (D - 1) / 2 numbers as Cholesky factors of D x D correlation matrices."""

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True
    _arguments = ()

    def _call(self, x: Tensor) -> Tensor:
        eps = jgrad.finfo(x.dtype).eps
        partial = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - partial**2).sqrt().cumprod(-1)
        identity = jgrad.eye(partial.shape[-1], dtype=x.dtype, device=x.device)
        return (partial + identity) * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Tensor) -> Tensor:
        left = pad((1 - (y * y).cumsum(-1))[..., :-1], [1, 0], value=1)
        partial = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (partial.log1p() - partial.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor, intermediates: None = None) -> Tensor:
        left = tril_matrix_to_vec(1 - (y * y).cumsum(-1), diag=-2)
        of_tanh = -2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)
        return 0.5 * left.log().sum(-1) + of_tanh

    def forward_shape(self, shape: Shape) -> Shape:
        _need_dims(len(shape), 1)
        n = shape[-1]
        d = round((0.25 + 2 * n) ** 0.5 + 0.5)
        if d * (d - 1) // 2 != n:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (d, d)

    def inverse_shape(self, shape: Shape) -> Shape:
        _need_dims(len(shape), 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return shape[:-2] + (shape[-1] * (shape[-1] - 1) // 2,)


manual.attach(__name__)
