"""Differentiable maps between tensors, with their inverses and the determinants of their Jacobians."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import loading, manual
from jgrad.distributions import constraints
from jgrad.distributions.constraints import Constraint
from jgrad.distributions.utils import (
    NUMBERS,
    lazy_property,
    sum_rightmost,
)
from jgrad.nn.functional import softplus
from jgrad.tensor import Tensor

__all__ = [
    "AffineTransform",
    "ComposeTransform",
    "ExpTransform",
    "IndependentTransform",
    "SigmoidTransform",
    "TanhTransform",
    "Transform",
    "identity_transform",
    *loading.public_of(__name__),
]

Shape = Sequence[int]


class Transform:
    """A map y = t(x), with the inverse `t.inv` and `t.log_abs_det_jacobian(x, y)`."""

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
    """Transforms one after another."""

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
    """A transform of which `reinterpreted_batch_ndims` more dimensions count as one event: determinants are summed up over them."""

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


class ExpTransform(_Plain):
    """y = exp(x)."""

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


def _clipped_sigmoid(x: Tensor) -> Tensor:
    limits = jgrad.finfo(x.dtype)
    return jgrad.sigmoid(x).clamp(min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(_Plain):
    """y = 1 / (1 + exp(-x)), kept away from 0 and 1 by the least that the dtype can show."""

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


class TanhTransform(_Plain):
    """y = tanh(x)."""

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


class AffineTransform(Transform):
    """y = loc + scale * x."""

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


def __getattr__(name: str) -> Any:
    return loading.offered(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *loading.names_of(__name__)})


manual.attach(__name__)
