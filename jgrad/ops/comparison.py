"""Comparisons: their results are boolean and carry no gradient; written in place into floats they have one, zero."""

from __future__ import annotations

import numpy as np

from jgrad import observer
from jgrad.dispatch import TABLE, alias_of, composite, install_operator, op
from jgrad.dispatch.batched import Batched, whole_array
from jgrad.dispatch.options import COMPARISON
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.kernels import libraries
from jgrad.ops.creation import ZERO
from jgrad.ops.from_data import from_numpy
from jgrad.tensor import Tensor


@op("eq(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class eq:
    """Whether both elements are equal: `input == other`, element by element."""

    self = other = ZERO


@op("ne(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class ne:
    """Whether both elements differ: `input != other`, element by element. `not_equal` is another name."""

    self = other = ZERO


@op("lt(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class lt:
    """Whether one element is less than the other: `input < other`, element by element. `less` is another name."""

    self = other = ZERO


@op("le(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class le:
    """Whether one element is less than the other or equal to it: `input <= other`, element by element. `less_equal` is another name."""

    self = other = ZERO


@op("gt(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class gt:
    """Whether one element is greater than the other: `input > other`, element by element. `greater` is another name."""

    self = other = ZERO


@op("ge(Tensor self, Tensor other) -> Tensor", **COMPARISON)
class ge:
    """Whether one element is greater than the other or equal to it: `input >= other`, element by element. `greater_equal` is another name."""

    self = other = ZERO


@op("isnan(Tensor self) -> Tensor", batches="elementwise")
class isnan:
    """Whether each element is nan ("not a number")."""


@op("isinf(Tensor self) -> Tensor", batches="elementwise")
class isinf:
    """Whether each element is infinite: inf or -inf."""


@op(
    "isfinite(Tensor self) -> Tensor",
    batches="elementwise",
    result_writes={"c": 1},
)
class isfinite:
    """Whether each element is finite: neither infinite nor nan."""


for _other, _name in {
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
}.items():  # fmt: skip
    alias_of(_name, _other)


def _of_array(other: object) -> Tensor | None:
    """A NumPy array as the other operand of `==`, if its dtype is one of ours. PyTorch takes it for `==` alone."""
    if not isinstance(other, np.ndarray) or other.dtype not in FROM_NUMPY:
        return None
    return from_numpy(other)


install_operator(TABLE["eq"], "__eq__", takes=_of_array)
for _name in ("ne", "lt", "le", "gt", "ge"):
    install_operator(TABLE[_name], f"__{_name}__")


def writes_of_isclose(a: np.ndarray, b: np.ndarray, rtol: float, atol: float, equal_nan: bool) -> int:
    """PyTorch begins with `a == b`, and writes where both are nan, and where they are close."""
    return int(equal_nan and a.dtype.kind in INEXACT) + (rtol != 0 or atol != 0)


@op(
    "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    promote="default", promoted="", result_writes=writes_of_isclose,
)  # fmt: skip
class isclose:
    """Whether two elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity."""


@op(
    "isposinf(Tensor self) -> Tensor",
    forms="function method out",
    out_dtype="isposinf does not support non-boolean outputs.",
    batches="elementwise",
)
class isposinf:
    """Whether each element is inf."""


@op(
    "isneginf(Tensor self) -> Tensor",
    forms="function method out",
    out_dtype="isneginf does not support non-boolean outputs.",
    batches="elementwise",
)
class isneginf:
    """Whether each element is -inf."""


@composite(
    "allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool"
)
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are almost equal: `abs(input - other) <= atol + rtol * abs(other)`, or both are the same infinity."""
    if isinstance(input, Batched) or isinstance(other, Batched):
        raise RuntimeError(
            "vmap over torch.allclose isn't supported yet. Please file an issue at https://github.com/pytorch/pytorch/issues if you need "
            "this feature."
        )
    with observer.unobserved():  # it makes no tensor that a user could see
        return isclose(input, other, rtol, atol, equal_nan)._a.all().item()


def has_nan(a: Tensor) -> bool:
    """Whether some element is nan, in a batch that of any example."""
    array = whole_array(a)
    return libraries.of(array).kernels.has_nan(array)


def has_zero(a: Tensor) -> bool:
    """Whether some element is zero, in a batch that of any example: for formulas that then go a longer way."""
    array = whole_array(a)
    return libraries.of(array).kernels.has_zero(array)


@composite("equal(Tensor self, Tensor other) -> bool")
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements. They need not have the same dtype."""
    if isinstance(input, Batched) or isinstance(other, Batched):
        raise RuntimeError("Batching rule not implemented for aten::equal. We could not generate a fallback.")
    return input._a.shape == other._a.shape and (input._a == other._a).all().item()
