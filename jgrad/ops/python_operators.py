"""The methods of Tensor that Python calls for `+`, `-=`, `~` and the like. Each calls an operator of arithmetic or logic."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import TABLE, install_operator, install_swapped
from jgrad.dispatch.schema import NUMBERS
from jgrad.ops.arithmetic import floor_divide, pow, remainder, rsub
from jgrad.ops.from_data import as_operand
from jgrad.ops.logic import bitwise_left_shift, bitwise_not, bitwise_right_shift
from jgrad.tensor import Tensor


def _install_operators() -> None:
    names = {
        "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "remainder", "pow": "pow",
        "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
    }  # fmt: skip
    for dunder, name in names.items():
        install_operator(TABLE[name], f"__{dunder}__")
        install_operator(TABLE[name], f"__i{dunder}__", inplace=True)
    for dunder in ("add", "mul", "and", "or", "xor"):
        install_operator(TABLE[names[dunder]], f"__r{dunder}__")
    install_swapped("__rsub__", rsub)
    install_swapped("__rtruediv__", lambda self, other: self.reciprocal() * other)
    # Python 2's names, which PyTorch still has.
    for old in ("div", "rdiv", "idiv"):
        setattr(Tensor, f"__{old}__", getattr(Tensor, f"__{old.replace('div', 'truediv')}__"))
    install_swapped("__rfloordiv__", _floor_divided)
    install_swapped("__rmod__", lambda self, other: remainder(other, self))
    install_swapped("__rpow__", lambda self, other: pow(other, self))
    install_swapped("__rlshift__", lambda self, other: bitwise_left_shift(other, self))
    install_swapped("__rrshift__", lambda self, other: bitwise_right_shift(other, self))
    Tensor.__neg__ = Tensor.neg  # type: ignore[attr-defined]
    Tensor.__pos__ = Tensor.positive  # type: ignore[attr-defined]
    Tensor.__invert__ = _invert  # type: ignore[attr-defined]


def _floor_divided(self: Tensor, other: Any) -> Tensor:
    if not isinstance(other, (Tensor, *NUMBERS)):
        raise TypeError("unsupported operand")
    return floor_divide(as_operand(other), self)


def _invert(self: Tensor) -> Tensor:
    if self._a.dtype.kind not in "iub":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(self)


_install_operators()
