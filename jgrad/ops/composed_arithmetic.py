"""Arithmetic with numbers as PyTorch's composed functions and formulas record it."""

from __future__ import annotations

import ast
from typing import Any

from jgrad.dispatch import op
from jgrad.dispatch.arithmetic import stands_for
from jgrad.dispatch.options import INTERNAL
from jgrad.dispatch.schema import NUMBERS
from jgrad.ops.by_name import conj
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor


@op(
    "_add_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="add",
    node="AddBackward1",
    promote="default",
)
class _add_scalar:
    """A sum with a number where PyTorch composes an operation in C++, which shows in the name of the node."""

    self = lambda grad: grad


@op(
    "_sub_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="sub",
    node="SubBackward1",
    promote="default",
)
class _sub_scalar:
    """A difference, likewise."""

    self = lambda grad: grad


@op(
    "_mul_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="mul",
    node="MulBackward1",
    promote="default",
)
class _mul_scalar:
    """A product with a number, likewise."""

    self = lambda grad, other: grad * conj(other)


@op(
    "_div_scalar(Tensor self, Number other) -> Tensor",
    **INTERNAL,
    kernel="div",
    node="DivBackward1",
    promote="float",
)
class _div_scalar:
    """A quotient, likewise."""

    self = lambda grad, other: grad / conj(other)


@stands_for(ast.Add)
def _sum(a: Any, b: Any) -> Any:
    if isinstance(a, NUMBERS):
        a, b = b, a
    return _add_scalar(a, b) if isinstance(b, NUMBERS) and isinstance(a, Tensor) else a + b


@stands_for(ast.Sub)
def _difference(a: Any, b: Any) -> Any:
    if isinstance(b, NUMBERS) and isinstance(a, Tensor):
        return _sub_scalar(a, b)
    return _full_like(b, a) - b


@stands_for(ast.Mult)
def _product(a: Any, b: Any) -> Any:
    if isinstance(a, NUMBERS):
        a, b = b, a
    return _mul_scalar(a, b) if isinstance(b, NUMBERS) and isinstance(a, Tensor) else a * b


@stands_for(ast.Div)
def _quotient(a: Any, b: Any) -> Any:
    if isinstance(b, NUMBERS) and isinstance(a, Tensor):
        return _div_scalar(a, b)
    return _full_like(b, a) / b


def _full_like(a: Any, number: Any) -> Any:
    """A number, if it is one and stands before a floating tensor, as a tensor of the same shape."""
    floating = (
        isinstance(number, NUMBERS) and isinstance(a, Tensor) and (a.is_floating_point() or a.is_complex())
    )
    return zeros_like(a).fill_(number) if floating else number
