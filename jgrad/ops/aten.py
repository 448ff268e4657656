"""`jgrad.ops.aten`: operators under the names that PyTorch's dispatcher has for them, such as `aten.mm.default` and `aten.add_.Tensor`.

The policy of a selective checkpoint gets such names. `aten.mm` stands for all overloads of `mm`; `aten.mm.default` is one of them. Both can be called.
"""

from __future__ import annotations

import sys
from typing import Any

from jgrad import manual
from jgrad.dispatch.operators import TABLE
from jgrad.ops import constructors, creation, from_data, ranges
from jgrad.tensor import Tensor

_FACTORIES = (constructors, creation, from_data, ranges)
# Where jgrad declares one overload that takes tensors or numbers, PyTorch has several. These are the ones for tensors.
_TENSOR = ("add", "sub", "mul", "div", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "index")  # fmt: skip
# Of these a Python number as the second operand makes another overload; arithmetic has the first one for numbers too.
_SCALAR = ("eq", "ne", "lt", "le", "gt", "ge", "bitwise_and", "bitwise_or", "bitwise_xor")
_OVERLOADS = {
    **dict.fromkeys((*_TENSOR, *_SCALAR), "Tensor"), "transpose": "int", "unbind": "int", "transpose_copy": "int", "unbind_copy": "int", "where": "self",
}  # fmt: skip
# Overloads that jgrad declares under a name of its own.
_NAMES = {
    "_var": "var.correction", "_std": "std.correction", "_var_mean": "var_mean.correction", "_std_mean": "std_mean.correction",
    "_vector_norm": "linalg_vector_norm.default", "_slice": "slice.Tensor", "_index_put": "index_put.default", "softmax": "_softmax.default",
    "log_softmax": "_log_softmax.default", "_add_scalar": "add.Tensor", "_sub_scalar": "sub.Tensor", "_mul_scalar": "mul.Tensor",
    "_div_scalar": "div.Tensor", "div.Tensor_no_mode": "div.Tensor_mode",
}  # fmt: skip


class OpOverload:
    """One overload of an operator. Its text is PyTorch's: `aten.mm.default`."""

    namespace = "aten"

    def __init__(self, packet: OpOverloadPacket, overload: str) -> None:
        self.overloadpacket, self._overloadname = packet, overload
        self.__name__ = f"{packet.__name__}.{overload}"

    def name(self) -> str:
        """The name with its namespace, as C++ writes it: `aten::add.Tensor`."""
        return f"aten::{self.overloadpacket.__name__}" + f".{self._overloadname}" * (
            self._overloadname != "default"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.overloadpacket(*args, **kwargs)

    def __str__(self) -> str:
        return f"aten.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of an operator: `aten.mm`. Each is an attribute of it: `aten.mm.default`."""

    def __init__(self, name: str, overloads: list[str]) -> None:
        self.__name__, self._overloads = name, overloads
        self._made: dict[str, OpOverload] = {}

    def overloads(self) -> list[str]:
        """The names of the overloads."""
        return list(self._overloads)

    def __getattr__(self, overload: str) -> OpOverload:
        if overload.startswith("__") or overload not in self._overloads:
            raise AttributeError(
                f"The underlying op of 'aten.{self.__name__}' has no overload name '{overload}'"
            )
        if overload not in self._made:
            self._made[overload] = OpOverload(self, overload)
        return self._made[overload]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self.__name__
        if name in TABLE and "function" in TABLE[name].forms:
            return TABLE[name].function(*args, **kwargs)
        chapter = next((c for c in _FACTORIES if name in c.__all__), Tensor)
        return getattr(chapter, name)(*args, **kwargs)

    def __str__(self) -> str:
        return f"aten.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='aten.{self.__name__}')>"


_packets: dict[str, OpOverloadPacket] = {}


def name_of(declared: str, in_place: bool, number: bool) -> tuple[str, str]:
    """PyTorch's names of an operator and of its overload. `declared`: "add", "sum.dim_IntList"; `number`: whether its second operand is a number."""
    name, _, overload = _NAMES.get(declared, declared).partition(".")
    if not overload:
        overload = _OVERLOADS.get(name, "default")
        if number and name in _SCALAR:
            overload = "Scalar"
    return name + "_" * (in_place and not name.endswith("_")), overload


def _all_names() -> dict[str, list[str]]:
    # (Factories and the like are no declared operators. They are not intercepted, but they have names.)
    found = {
        n: ["default"] for n in ("detach", *[name for chapter in _FACTORIES for name in chapter.__all__])
    }
    for operator in list(TABLE.values()):
        for declaration in operator.declarations:
            declared = declaration.text.partition("(")[0]
            for in_place in (False, True):
                for number in (False, True):
                    name, overload = name_of(declared, in_place, number)
                    names = found.setdefault(name, [])
                    if overload not in names:
                        names.append(overload)
    return found


def __getattr__(name: str) -> OpOverloadPacket:
    if name.startswith("__"):
        raise AttributeError(name)
    if not _packets:
        _packets.update({n: OpOverloadPacket(n, overloads) for n, overloads in _all_names().items()})
    if name not in _packets:
        raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
    return _packets[name]


def called(overload: Any, in_place: bool, values: list[Any]) -> OpOverload:
    """The overload that a call of jgrad's is of."""
    number = len(values) > 1 and isinstance(values[1], (bool, int, float, complex))
    declared = overload.schema.overload
    # (An operator may have several overloads under one node: the name of its declaration is that of PyTorch's.)
    name, shown = name_of(declared, in_place, number)
    return getattr(getattr(sys.modules[__name__], name), shown)


manual.attach(__name__)
