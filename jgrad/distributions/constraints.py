"""Sets of values that parameters and samples must lie in. `constraint.check(value)` says of each event whether it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jgrad
from jgrad import manual
from jgrad.tensor import Tensor

__all__ = [
    "Constraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property", "greater_than", "greater_than_eq", "independent",
    "integer_interval", "interval", "half_open_interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular",
    "MixtureSameFamilyConstraint", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_semidefinite",
    "positive_definite", "positive_integer", "real", "real_vector", "simplex", "square", "stack", "symmetric", "unit_interval",
]  # fmt: skip


class Constraint:
    """A set of values; `event_dim` is the number of dimensions of one of them."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Tensor) -> Tensor:
        """Which events of `value` lie in this set: a tensor of bools without the last `event_dim` dimensions."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.__class__.__name__[1:] + "()"


# Sets that only an instance can tell ---------------------------------------------------------------------------------------------


class _Dependent(Constraint):
    """A placeholder for a set that depends on other parameters."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self) -> int:
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> _Dependent:
        """The same with more that is known."""
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, x: Tensor) -> Tensor:
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Whether this is a placeholder for a set that only an instance can tell."""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property whose value is a constraint. Read off the class it is a placeholder, read off an instance the constraint."""

    def __init__(
        self,
        fn: Callable[[Any], Any] | None = None,
        *,
        is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[[Any], Any]) -> _DependentProperty:
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


# Numbers -------------------------------------------------------------------------------------------------------------------------


class _Real(Constraint):
    """All numbers, but not nan."""

    def check(self, value: Tensor) -> Tensor:
        return value == value


class _Boolean(Constraint):
    """0 and 1."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value == 0) | (value == 1)


class _From(Constraint):
    """What has a lower bound."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound
        super().__init__()

    def __repr__(self) -> str:
        bounds = ", ".join([f"{name}={bound}" for name, bound in vars(self).items()])
        return f"{self.__class__.__name__[1:]}({bounds})"


class _UpTo(Constraint):
    """What has an upper bound."""

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound
        super().__init__()

    __repr__ = _From.__repr__


class _Between(Constraint):
    """What has both bounds."""

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        super().__init__()

    __repr__ = _From.__repr__


class _GreaterThan(_From):
    """Numbers above a bound."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound < value


class _GreaterThanEq(_From):
    """Numbers from a bound on."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound <= value


class _LessThan(_UpTo):
    """Numbers below a bound."""

    def check(self, value: Tensor) -> Tensor:
        return value < self.upper_bound


class _Interval(_Between):
    """Numbers between two bounds, which belong to it."""

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    """Numbers from one bound up to but without another."""

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Between):
    """Integers between two bounds, which belong to it."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_UpTo):
    """Integers up to a bound."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (value <= self.upper_bound)


class _IntegerGreaterThan(_From):
    """Integers from a bound on."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (value >= self.lower_bound)


# Vectors -------------------------------------------------------------------------------------------------------------------------


class _OneHot(Constraint):
    """Vectors of zeros and a single one."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return boolean.check(value).all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    """Vectors of probabilities, which sum up to 1 (within 1e-6)."""

    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(_UpTo):
    """Vectors of counts, which sum up to no more than a bound."""

    is_discrete = True
    event_dim = 1
    __repr__ = Constraint.__repr__

    def check(self, x: Tensor) -> Tensor:
        return (x >= 0).all(-1) & (x.sum(-1) <= self.upper_bound)


# Matrices ------------------------------------------------------------------------------------------------------------------------


class _LowerTriangular(Constraint):
    """Matrices with zeros above the diagonal."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        return (value.tril() == value).flatten(-2).all(-1)


class _LowerCholesky(_LowerTriangular):
    """Such with a positive diagonal."""

    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Such whose rows have the length 1: factors of correlation matrices."""

    def check(self, value: Tensor) -> Tensor:
        tolerance = jgrad.finfo(value.dtype).eps * value.size(-1) * 10
        lengths = jgrad.linalg.norm(value.detach(), dim=-1)
        return super().check(value) & (lengths - 1.0).abs().le(tolerance).all(-1)


class _Square(Constraint):
    """Square matrices."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        square = value.shape[-2] == value.shape[-1]
        return jgrad.full(value.shape[:-2], square, dtype=jgrad.bool, device=value.device)


class _Symmetric(_Square):
    """Symmetric matrices (within 1e-6)."""

    def check(self, value: Tensor) -> Tensor:
        square = super().check(value)
        return jgrad.isclose(value, value.mT, atol=1e-6).all(-2).all(-1) if square.all() else square


class _PositiveSemidefinite(_Symmetric):
    """Such without negative eigenvalues."""

    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return jgrad.linalg.eigvalsh(value).ge(0).all(-1) if symmetric.all() else symmetric


class _PositiveDefinite(_Symmetric):
    """Such that have a Cholesky factor."""

    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        return jgrad.linalg.cholesky_ex(value).info.eq(0) if symmetric.all() else symmetric


# Sets made of sets ---------------------------------------------------------------------------------------------------------------


def _refuse_other(base: Any) -> None:
    if not isinstance(base, Constraint):
        raise AssertionError(f"base_constraint must be a Constraint, got {type(base).__name__}")


def _all_of_last(result: Tensor, kept: int) -> Tensor:
    """Whether all hold in the dimensions after the first `kept` ones."""
    return result.reshape((*result.shape[:kept], -1)).all(-1)


class _IndependentConstraint(Constraint):
    """Events that consist of values of another set, along `reinterpreted_batch_ndims` more dimensions."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        _refuse_other(base_constraint)
        if not isinstance(reinterpreted_batch_ndims, int):
            raise AssertionError(
                f"reinterpreted_batch_ndims must be an int, got {type(reinterpreted_batch_ndims).__name__}"
            )
        if reinterpreted_batch_ndims < 0:
            raise AssertionError(f"reinterpreted_batch_ndims must be >= 0, got {reinterpreted_batch_ndims}")
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> int:
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Tensor) -> Tensor:
        result = self.base_constraint.check(value)
        kept = result.dim() - self.reinterpreted_batch_ndims
        if kept < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return _all_of_last(result, kept)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__[1:]}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """Values that lie in the set of each component of a mixture, which has one batch dimension more."""

    def __init__(self, base_constraint: Constraint) -> None:
        _refuse_other(base_constraint)
        self.base_constraint = base_constraint
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> int:
        return self.base_constraint.event_dim

    def check(self, value: Tensor) -> Tensor:
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        kept = value.dim() - self.event_dim
        if kept < 0:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return _all_of_last(result, kept)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.base_constraint!r})"


class _Several(Constraint):
    """Several sets along a dimension."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        if not all([isinstance(c, Constraint) for c in cseq]):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq, self.dim = list(cseq), dim
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        return any([c.is_discrete for c in self.cseq])

    @property
    def event_dim(self) -> int:
        return max([c.event_dim for c in self.cseq])

    def _refuse_too_few_dims(self, value: Tensor) -> None:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")


class _Cat(_Several):
    """Values of several sets, `lengths` of each, joined along a dimension that they have."""

    def __init__(
        self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None
    ) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    def check(self, value: Tensor) -> Tensor:
        self._refuse_too_few_dims(value)
        starts = [sum(self.lengths[:i]) for i in range(len(self.lengths))]
        parts = [value.narrow(self.dim, s, n) for s, n in zip(starts, self.lengths, strict=True)]
        return jgrad.cat([c.check(part) for c, part in zip(self.cseq, parts, strict=True)], self.dim)


class _Stack(_Several):
    """Values of several sets along a dimension of their own."""

    @property
    def event_dim(self) -> int:
        dim = super().event_dim
        return dim + (self.dim + dim < 0)

    def check(self, value: Tensor) -> Tensor:
        self._refuse_too_few_dims(value)
        parts = value.unbind(self.dim)
        return jgrad.stack([c.check(part) for c, part in zip(self.cseq, parts, strict=False)], self.dim)


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
cat = _Cat
stack = _Stack


manual.attach(__name__)
