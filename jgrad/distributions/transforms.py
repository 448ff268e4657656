"""Differentiable maps between tensors, with their inverses and the determinants of their Jacobians."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad.distributions import constraints
from jgrad.distributions.constraints import Constraint
from jgrad.distributions.distribution import Distribution
from jgrad.distributions.utils import (
    NUMBERS,
    broadcast_all,
    lazy_property,
    sum_rightmost,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)
from jgrad.nn.functional import logsigmoid, pad, softplus
from jgrad.tensor import Size, Tensor

__all__ = [
    "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform",
    "ExpTransform", "IndependentTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform",
    "ReshapeTransform", "SigmoidTransform", "SoftplusTransform", "TanhTransform", "SoftmaxTransform", "StackTransform",
    "StickBreakingTransform", "Transform", "identity_transform",
]  # fmt: skip

Shape = Sequence[int]


class Transform:
    """A map y = t(x), with the inverse `t.inv` and `t.log_abs_det_jacobian(x, y)`.

    Parameters: `cache_size`, 0 or 1: whether the last pair of x and y is kept, so that the inverse of a result is its very argument.

    A transform defines `domain` and `codomain` (constraints), `bijective`, `_call` and `_inverse`; if it takes parameters, it
    names them in `_arguments`, so that `with_cache` can make it again.

    >>> t = jgrad.distributions.ExpTransform()
    >>> t(jgrad.tensor(0.0)), t.inv(jgrad.tensor(1.0)), t.inv
    (tensor(1.), tensor(0.), _InverseTransform(ExpTransform()))
    """

    bijective = False
    domain: Constraint
    codomain: Constraint
    _arguments: tuple[str, ...] = ()

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv: Transform | None = None
        self._cached_x_y: tuple[Any, Any] = (None, None)
        super().__init__()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self) -> int:
        """How many dimensions of x, and of y, are transformed together."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self) -> Transform:
        """The inverse transform."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self) -> Any:
        """Whether a bijective transform of numbers is increasing (1) or decreasing (-1)."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Transform:
        """The same transform, with or without a cache."""
        if self._cache_size == cache_size:
            return self
        maker = next(c for c in type(self).__mro__ if "_arguments" in vars(c))
        if type(self).__init__ is not maker.__init__:  # type: ignore[misc]
            raise NotImplementedError(f"{type(self)}.with_cache is not implemented")
        arguments = [getattr(self, name) for name in maker._arguments]  # type: ignore[attr-defined]
        return type(self)(*arguments, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __call__(self, x: Tensor) -> Tensor:
        """y of x."""
        if not self._cache_size:
            return self._call(x)
        if self._cached_x_y[0] is not x:
            self._cached_x_y = x, self._call(x)
        return self._cached_x_y[1]

    def _inv_call(self, y: Tensor) -> Tensor:
        """x of y."""
        if not self._cache_size:
            return self._inverse(y)
        if self._cached_x_y[1] is not y:
            self._cached_x_y = self._inverse(y), y
        return self._cached_x_y[0]

    def _call(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _inverse(self, y: Tensor) -> Tensor:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """log |det dy/dx|, one number for each event."""
        raise NotImplementedError

    def forward_shape(self, shape: Shape) -> Shape:
        """The shape of y for an x of this shape."""
        return shape

    def inverse_shape(self, shape: Shape) -> Shape:
        """The shape of x for a y of this shape."""
        return shape

    def __repr__(self) -> str:
        return self.__class__.__name__ + "()"


class _Plain(Transform):
    """A transform without parameters: any two of a class are equal."""

    _arguments = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))


class _InverseTransform(Transform):
    """The inverse of a transform, which keeps the cache for both."""

    _inv: Transform

    def __init__(self, transform: Transform) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Constraint:
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Constraint:
        return self._inv.domain

    @property
    def bijective(self) -> bool:
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        return self._inv.sign

    @property
    def inv(self) -> Transform:
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self.inv.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    def __call__(self, x: Tensor) -> Tensor:
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Shape) -> Shape:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Shape) -> Shape:
        return self._inv.forward_shape(shape)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self._inv!r})"


# Transforms made of transforms ---------------------------------------------------------------------------------------------------


class ComposeTransform(Transform):
    """Transforms one after another.

    >>> t = jgrad.distributions.ComposeTransform([jgrad.distributions.ExpTransform(), jgrad.distributions.AffineTransform(1.0, 2.0)])
    >>> t(jgrad.tensor(0.0)), t.log_abs_det_jacobian(jgrad.tensor(0.0), jgrad.tensor(3.0))
    (tensor(3.), tensor(0.6931))
    """

    _arguments = ("parts",)

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Constraint:
        return _end_of_chain([(p.codomain.event_dim, p.domain) for p in reversed(self.parts)], "domain")

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Constraint:
        return _end_of_chain([(p.domain.event_dim, p.codomain) for p in self.parts], "codomain")

    @lazy_property
    def bijective(self) -> bool:
        return all([p.bijective for p in self.parts])

    @lazy_property
    def sign(self) -> Any:
        return math.prod([p.sign for p in self.parts])

    @property
    def inv(self) -> Transform:
        if self._inv is None:
            self._inv = ComposeTransform([p.inv for p in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def __call__(self, x: Tensor) -> Tensor:
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if not self.parts:
            return jgrad.zeros_like(x)
        stops = [x]
        for part in self.parts[:-1]:
            stops.append(part(stops[-1]))
        stops.append(y)
        event_dim, total = self.domain.event_dim, None
        for part, before, after in zip(self.parts, stops, stops[1:], strict=False):
            term = sum_rightmost(part.log_abs_det_jacobian(before, after), event_dim - part.domain.event_dim)
            total = term if total is None else total + term
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape: Shape) -> Shape:
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Shape) -> Shape:
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        parts = ",\n    ".join([repr(p) for p in self.parts])
        return f"{self.__class__.__name__}(\n    {parts}\n)"


def _end_of_chain(steps: list[tuple[int, Constraint]], name: str) -> Constraint:
    """The set at the end of a chain of steps, each from a number of event dimensions to a set; it covers all dimensions that any takes."""
    if not steps:
        return constraints.real
    last, event_dim = steps[-1][1], steps[0][0]
    for before, after in steps:
        event_dim = max(event_dim + after.event_dim - before, after.event_dim)
    if event_dim < last.event_dim:
        raise AssertionError(f"event_dim {event_dim} must be >= {name}.event_dim {last.event_dim}")
    return constraints.independent(last, event_dim - last.event_dim) if event_dim > last.event_dim else last


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform of which `reinterpreted_batch_ndims` more dimensions count as one event: determinants are summed up over them.

    >>> t = jgrad.distributions.IndependentTransform(jgrad.distributions.ExpTransform(), 1)
    >>> t.log_abs_det_jacobian(jgrad.ones(3), jgrad.ones(3).exp())
    tensor(3.)
    """

    _arguments = ("base_transform", "reinterpreted_batch_ndims")

    def __init__(
        self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Constraint:
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Constraint:
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> bool:
        return self.base_transform.bijective

    @property
    def sign(self) -> Any:
        return self.base_transform.sign

    def _call(self, x: Tensor) -> Tensor:
        _need_dims(x.dim(), self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y: Tensor) -> Tensor:
        _need_dims(y.dim(), self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Shape) -> Shape:
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Shape) -> Shape:
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def _need_dims(found: int, needed: int) -> None:
    if found < needed:
        raise ValueError("Too few dimensions on input")


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
    """Several transforms, each of a number of consecutive elements (`lengths`, by default 1) along a dimension.

    >>> t = jgrad.distributions.CatTransform([jgrad.distributions.ExpTransform(), jgrad.distributions.identity_transform], lengths=[1, 2])
    >>> t(jgrad.zeros(3))
    tensor([1., 0., 0.])
    """

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
    """Several transforms, each of one slice along a dimension.

    >>> t = jgrad.distributions.StackTransform([jgrad.distributions.ExpTransform(), jgrad.distributions.identity_transform])
    >>> t(jgrad.zeros(2, 2))
    tensor([[1., 1.],
            [0., 0.]])
    """

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


class ExpTransform(_Plain):
    """y = exp(x).

    >>> jgrad.distributions.ExpTransform()(jgrad.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def _call(self, x: Tensor) -> Tensor:
        return x.exp()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class PowerTransform(Transform):
    """y = x ** exponent, for positive x.

    >>> jgrad.distributions.PowerTransform(2.0)(jgrad.tensor([1.0, 3.0]))
    tensor([1., 9.])
    """

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


def _clipped_sigmoid(x: Tensor) -> Tensor:
    limits = jgrad.finfo(x.dtype)
    return jgrad.sigmoid(x).clamp(min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(_Plain):
    """y = 1 / (1 + exp(-x)), kept away from 0 and 1 by the least that the dtype can show.

    >>> jgrad.distributions.SigmoidTransform()(jgrad.tensor([0.0, 100.0]))
    tensor([0.5000, 1.0000])
    """

    domain = constraints.real
    codomain = constraints.unit_interval
    bijective = True
    sign = 1

    def _call(self, x: Tensor) -> Tensor:
        return _clipped_sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        limits = jgrad.finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_Plain):
    """y = log(1 + exp(x)).

    >>> jgrad.distributions.SoftplusTransform()(jgrad.tensor([0.0, 100.0]))
    tensor([  0.6931, 100.0000])
    """

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


class TanhTransform(_Plain):
    """y = tanh(x).

    >>> jgrad.distributions.TanhTransform()(jgrad.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """

    domain = constraints.real
    codomain = constraints.interval(-1.0, 1.0)
    bijective = True
    sign = 1

    def _call(self, x: Tensor) -> Tensor:
        return x.tanh()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(_Plain):
    """y = |x|; the inverse gives the positive one of the two x.

    >>> jgrad.distributions.AbsTransform()(jgrad.tensor([-2.0, 1.0]))
    tensor([2., 1.])
    """

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.abs()

    def _inverse(self, y: Tensor) -> Tensor:
        return y


class AffineTransform(Transform):
    """y = loc + scale * x.

    Parameters: `loc` and `scale`, numbers or tensors; `event_dim`, how many dimensions are one event.

    >>> jgrad.distributions.AffineTransform(1.0, 2.0)(jgrad.tensor([0.0, 1.0]))
    tensor([1., 3.])
    """

    bijective = True
    _arguments = ("loc", "scale", "event_dim")

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, event_dim: int = 0, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Constraint:
        return (
            constraints.independent(constraints.real, self.event_dim) if self.event_dim else constraints.real
        )

    codomain = domain

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineTransform):
            return False
        pairs = (self.loc, other.loc), (self.scale, other.scale)
        return all([jgrad.as_tensor(mine == theirs).all().item() for mine, theirs in pairs])

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, NUMBERS):
            return (self.scale > 0) - (self.scale < 0)
        return self.scale.sign()

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if isinstance(self.scale, NUMBERS):
            result = jgrad.full_like(x, math.log(abs(self.scale)))
        else:
            result = self.scale.abs().log()
        return sum_rightmost(result, self.event_dim).expand(x.shape[: x.dim() - self.event_dim])

    def forward_shape(self, shape: Shape) -> Shape:
        return jgrad.broadcast_shapes(shape, *[getattr(v, "shape", ()) for v in (self.loc, self.scale)])

    inverse_shape = forward_shape


class CumulativeDistributionTransform(Transform):
    """y = cdf(x) of a distribution: uniform, if x has that distribution.

    >>> t = jgrad.distributions.CumulativeDistributionTransform(jgrad.distributions.Normal(0.0, 1.0))
    >>> t(jgrad.tensor(0.0))
    tensor(0.5000)
    """

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
    """Events of one shape in another shape.

    >>> jgrad.distributions.ReshapeTransform((4,), (2, 2))(jgrad.zeros(3, 4)).shape
    jgrad.Size([3, 2, 2])
    """

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
    """Vectors as logarithms of weights, y = softmax(x): simple, but not bijective. The inverse is log(y).

    >>> jgrad.distributions.SoftmaxTransform()(jgrad.zeros(4))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

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
    """Vectors of K - 1 numbers as K probabilities: each number says which fraction breaks off of what is left of a stick. Bijective.

    >>> jgrad.distributions.StickBreakingTransform()(jgrad.zeros(3))
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

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
    """Square matrices as lower triangular ones with a positive diagonal, which is the exponential of theirs.

    >>> jgrad.distributions.LowerCholeskyTransform()(jgrad.tensor([[0.0, 5.0], [2.0, 0.0]]))
    tensor([[1., 0.],
            [2., 1.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Plain):
    """Square matrices as positive-definite ones: L L^T, with the L of `LowerCholeskyTransform`.

    >>> jgrad.distributions.PositiveDefiniteTransform()(jgrad.tensor([[0.0, 5.0], [2.0, 0.0]]))
    tensor([[1., 2.],
            [2., 5.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(jgrad.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    """Vectors of D * (D - 1) / 2 numbers as Cholesky factors of D x D correlation matrices.

    The tanh of the numbers are partial correlations, which break a stick of the length 1 row by row, by squares.

    >>> jgrad.distributions.CorrCholeskyTransform()(jgrad.zeros(1))
    tensor([[1., 0.],
            [0., 1.]])
    """

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
