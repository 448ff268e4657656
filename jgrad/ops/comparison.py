"""Comparisons: their results are boolean and carry no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from jgrad.op import TABLE, alias_of, op, operator
from jgrad.tensor import Tensor

COMPARISON: dict[str, Any] = {
    "promote": "default",
    "numbers": "other",
    "forms": "function method inplace out",
}


@op("eq(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class eq:
    """self == other, element by element."""


@op("ne(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class ne:
    """self != other, element by element."""


@op("lt(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class lt:
    """self < other, element by element."""


@op("le(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class le:
    """self <= other, element by element."""


@op("gt(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class gt:
    """self > other, element by element."""


@op("ge(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class ge:
    """self >= other, element by element."""


@op("isnan(Tensor self) -> Tensor")
class isnan:
    """Where an element is not a number."""


@op("isinf(Tensor self) -> Tensor")
class isinf:
    """Where an element is infinite."""


@op("isfinite(Tensor self) -> Tensor")
class isfinite:
    """Where an element is neither infinite nor nan."""


for _other, _name in {
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
}.items():  # fmt: skip
    alias_of(_name, _other)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    operator(TABLE[_name], f"__{_name}__")


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether both have the same shape and the same elements."""
    return input._a.shape == other._a.shape and bool(np.array_equal(input._a, other._a))


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.type_name} did not match {other.dtype.type_name}")
    from jgrad.tensor import wrap

    return wrap(np.isclose(input._a, other._a, rtol, atol, equal_nan))


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close to each other."""
    return bool(isclose(input, other, rtol, atol, equal_nan)._a.all())


Tensor.equal = equal  # type: ignore[attr-defined]
Tensor.allclose = allclose  # type: ignore[attr-defined]
Tensor.isclose = isclose  # type: ignore[attr-defined]
