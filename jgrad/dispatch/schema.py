"""Signatures: PyTorch's schema strings, and binding a call's arguments to them with PyTorch's own TypeErrors.

A schema reads `add(Tensor self, Tensor other, *, Number alpha=1) -> Tensor`. Types: Tensor, Tensor[], Number, int, int[], int[1] (an int or
a list), bool, float, str, dtype, layout, device, memory_format, Generator, any; `?` after a type allows None. `Tensor(a)` as the result is
a view of self, `Tensor(a!)` an argument that is written to.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jgrad.dispatch.batched import Batched
from jgrad.dtypes import PYTHON_TYPES, dtype
from jgrad.errors import class_name
from jgrad.kernels.numbers import python_number
from jgrad.random import Generator
from jgrad.tensor import Tensor

NUMBERS = (bool, int, float, complex, np.number, np.bool_)

SHOWN_TYPES = {
    "Tensor": "Tensor", "Tensor(a)": "Tensor", "Tensor(a!)": "Tensor", "Tensor[]": "tuple of Tensors", "Tensor?[]": "tuple of Tensors", "Number": "Number", "int": "int",
    "int[]": "tuple of ints", "int[1]": "tuple of ints", "bool": "bool", "dtype": "torch.dtype", "str": "str", "float": "float",
    "memory_format": "torch.memory_format", "layout": "torch.layout", "device": "torch.device", "Generator": "torch.Generator",
    "any": "object", "float[]": "tuple of floats", "bool[]": "tuple of bools",
}  # fmt: skip

# What else an argument may be called: by PyTorch itself, and by those who come from NumPy.
OTHER_NAMES = {
    "input": ("x", "a", "x1"), "other": ("x2",), "dim": ("axis",), "keepdim": ("keepdims",),
}  # fmt: skip


class Param:
    """One argument of a schema."""

    __slots__ = ("name", "type", "kind", "optional", "default", "required", "keyword_only", "is_tensor", "op")

    def __init__(self, text: str, keyword_only: bool, op: str) -> None:
        self.op = op
        declaration, _, default = text.partition("=")
        self.type, self.name = declaration.split()
        self.kind = re.sub(r"^int\[\d\]$", "int[1]", self.type.rstrip("?"))
        self.required = not default
        self.default = ast.literal_eval(default) if default else None
        self.optional = self.type.endswith("?")
        self.keyword_only = keyword_only
        self.is_tensor = self.kind.startswith("Tensor")  # also lists of them

    def label(self) -> str:
        """The name PyTorch shows: the first tensor of a function is called input."""
        return "input" if self.name == "self" and self.is_tensor else self.name

    def shown(self) -> str:
        """As PyTorch writes it in its error texts."""
        text = f"{SHOWN_TYPES[self.kind]} {self.label()}"
        return text if self.required else f"{text} = {self.default}"

    def accept(self, value: Any, numbers: bool) -> Any:
        """The value that an argument stands for. `numbers`: a Python number may stand for this tensor. Raises ValueError if PyTorch's parser
        would refuse the argument."""
        if self.is_tensor:
            return self.accept_tensor(value, numbers)
        if self.kind == "any":
            return value
        if value is None:
            if self.optional:
                return None
            raise ValueError
        return ACCEPT[self.kind](value, self)

    def accept_tensor(self, value: Any, numbers: bool) -> Any:
        """The same for a parameter that is a tensor or a list of tensors."""
        kind = self.kind
        if isinstance(value, Tensor) and kind[-1] != "]":
            return value
        if value is None and self.optional:
            return None
        if kind == "Tensor?[]" and isinstance(value, (tuple, list)):
            return tuple(value)
        if kind == "Tensor[]" and isinstance(value, (tuple, list)):
            for i, item in enumerate(value):
                if not isinstance(item, Tensor):
                    raise TypeError(
                        f"expected Tensor as element {i} in argument 0, but got {class_name(item)}"
                    )
            return list(value)
        if numbers and isinstance(value, NUMBERS):
            return python_number(value)
        raise ValueError


# What an argument of each kind may be: functions of its value and its parameter, which raise ValueError for anything else.


def _number(value: Any, param: Param) -> Any:
    if isinstance(value, NUMBERS):
        return python_number(value)
    single = isinstance(value, Tensor) and value._a.ndim == 0 and not value.requires_grad
    if single and not isinstance(value, Batched):
        return value._a.item()
    raise ValueError


def _int(value: Any, param: Param) -> int:
    return as_int(value)


def _ints(value: Any, param: Param) -> tuple[int, ...]:
    if isinstance(value, (tuple, list)):
        return as_ints(value, param.op, param.label())
    raise ValueError


def _int_or_ints(value: Any, param: Param) -> tuple[int, ...]:
    return _ints(value, param) if isinstance(value, (tuple, list)) else (as_int(value),)


def _float(value: Any, param: Param) -> float:
    if isinstance(value, complex):
        raise ValueError
    number = _number(value, param)
    if isinstance(number, complex) and number.imag:
        raise RuntimeError("value cannot be converted to type double without overflow")
    return float(number.real)


def _dtype(value: Any, param: Param) -> np.dtype:
    if isinstance(value, dtype):
        return value.numpy
    if isinstance(value, type) and value in PYTHON_TYPES:
        return PYTHON_TYPES[value].numpy
    raise ValueError


def _list_of(cls: Callable[[Any], Any]) -> Callable[[Any, Param], tuple]:
    def accept(value: Any, param: Param) -> tuple:
        if isinstance(value, (tuple, list)):
            return tuple([cls(v) for v in value])
        raise ValueError

    return accept


def _instance_of(cls: type) -> Callable[[Any, Param], Any]:
    def accept(value: Any, param: Param) -> Any:
        if isinstance(value, cls):
            return value
        raise ValueError

    return accept


def _anything(value: Any, param: Param) -> Any:
    return value


ACCEPT: dict[str, Callable[[Any, Param], Any]] = {
    "Number": _number, "int": _int, "int[]": _ints, "int[1]": _int_or_ints, "bool": _instance_of(bool), "float": _float,
    "float[]": _list_of(float), "bool[]": _list_of(bool), "dtype": _dtype, "str": _instance_of(str), "Generator": _instance_of(Generator),
    "memory_format": _anything, "layout": _anything, "device": _anything,
}  # fmt: skip


def as_int(value: Any) -> int:
    """An argument that must be an integer: ints, NumPy's ints, one-element integer tensors; not floats."""
    if value.__class__ is int:
        return value
    if isinstance(value, bool):
        raise ValueError
    try:
        return value.__index__()
    except (AttributeError, TypeError):
        raise ValueError from None


def as_ints(values: Sequence[Any], op: str, name: str) -> tuple[int, ...]:
    """A list of integers. PyTorch looks at the first element when it chooses a signature, and at the others when that is done."""
    found: list[int] = []
    for i, value in enumerate(values):
        try:
            found.append(int(value) if i and isinstance(value, bool) else as_int(value))
        except ValueError:
            if i == 0:
                raise
            raise TypeError(
                f"{op}(): argument '{name}' failed to unpack the object at pos {i + 1} with error "
                f'"type must be tuple of ints,but got {class_name(value)}"'
            ) from None
    return tuple(found)


EXACT: dict[str, frozenset[type]] = {
    "Number": frozenset((bool, int, float, complex)),
    **{kind: frozenset((Tensor,)) for kind in ("Tensor", "Tensor(a)", "Tensor(a!)")},
    **{kind.__name__: frozenset((kind,)) for kind in (int, bool, float, str)},
}


def given_name(param: Param, kwargs: Mapping[str, Any], or_number: bool = False) -> str:
    """The name by which an argument was given, among those that it may have. `or_number`: PyTorch has another signature with a number in place
    of this tensor."""
    name = param.label()
    if or_number and name == "input":  # (a number is never called input)
        name = "self" if isinstance(kwargs.get("self"), NUMBERS) else name
        if isinstance(kwargs.get("input"), NUMBERS):
            return ""
    if name in kwargs:
        return name
    return next((other for other in OTHER_NAMES.get(name, ()) if other in kwargs), name)


class Schema:
    """A parsed signature."""

    def __init__(self, text: str, name: str, numbers: str, varargs: bool, out: bool = False) -> None:
        head, _, self.returns = text.partition(" -> ")
        declared, _, arguments = head.partition("(")
        self.text = text
        self.name = name  # under which errors speak of it
        self.overload = declared
        self.out = out  # whether functions take `out=` too
        self.numbers = numbers  # whether Python numbers may stand for tensors, and from which argument on
        self.numbers_from = {"any": 0, "either": 0, "other": 1}.get(numbers, sys.maxsize)
        self.varargs = varargs  # the last list of ints may be given one by one (by methods; functions of a tensor take it whole)
        params: list[Param] = []
        keyword_only = False
        for part in re.split(r",\s*(?![^\[]*\])(?![^(]*\))", arguments[: arguments.rindex(")")]):
            if part == "*":
                keyword_only = True
            elif part:
                params.append(Param(part, keyword_only, name))
        self.params = tuple(params)
        self.positional = sum(not p.keyword_only for p in self.params)
        self.defaults = [p.default for p in self.params]
        self.least = sum(p.required for p in self.params)
        # The classes of arguments that are taken as they stand.
        none: frozenset[type] = frozenset((type(None),))
        self.exact = [EXACT.get(p.kind, frozenset()) | (none if p.optional else frozenset()) for p in params]
        for i, p in enumerate(params):
            if p.is_tensor and i >= self.numbers_from:
                self.exact[i] |= EXACT["Number"]

    def results(self) -> tuple[int, tuple[str, ...]]:
        """How many results there are (-1: a list of any length), and the names they have in formulas and named tuples."""
        if self.returns.endswith("[]"):
            return -1, ()
        if not self.returns.startswith("("):
            return 1, ("result",)
        parts = [part.split() for part in self.returns[1:-1].split(",")]
        return len(parts), tuple([p[1] if len(p) == 2 else f"result{i}" for i, p in enumerate(parts)])

    def bind(
        self, args: Sequence[Any], kwargs: dict[str, Any], method: bool, strict: bool
    ) -> list[Any] | None:
        """Arguments in the order of the schema, or None if they don't fit; `strict` raises PyTorch's TypeError instead."""
        __tracebackhide__ = True
        if not kwargs and self.least <= len(args) <= self.positional:
            # The common case at a glance: each argument is exactly of a class that is taken as it stands.
            for arg, classes in zip(args, self.exact, strict=False):
                if arg.__class__ not in classes:
                    break
            else:
                return [*args, *self.defaults[len(args) :]]
        return self.bind_one_by_one(args, kwargs, method, strict)

    def bind_one_by_one(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], method: bool, strict: bool
    ) -> list[Any] | None:
        """The same for arguments that must be converted, or are given by name."""
        __tracebackhide__ = True
        last = self.positional - 1
        sizes = last == method and len(args) > last and self.params[last].kind == "int[]"
        if sizes and hasattr(args[last], "__index__"):  # they come one by one
            args = (*args[:last], tuple(args[last:]))
        if len(args) > self.positional:
            if not strict:
                return None
            raise TypeError(self.too_many(len(args), kwargs, method))
        values: list[Any] = []
        used = 0
        for i, param in enumerate(self.params):
            positional = i < len(args) and not param.keyword_only
            key = "" if positional else given_name(param, kwargs, self.takes_number(i))
            if not positional and key not in kwargs:
                if param.required:
                    if not strict:
                        return None
                    raise TypeError(self.missing(i))
                values.append(param.default)
                continue
            value = args[i] if positional else kwargs[key]
            used += not positional
            try:
                values.append(param.accept(value, i >= self.numbers_from))
            except ValueError:
                if not strict:
                    return None
                raise TypeError(self.refused(i, value, positional, method)) from None
        if used != len(kwargs):
            if not strict:
                return None
            self.refuse_keywords(len(args), kwargs, method)
        return values

    def takes_number(self, i: int) -> bool:
        """Whether PyTorch has another signature with a number in the place of this tensor."""
        return i >= self.numbers_from and self.numbers != "any"

    def refused(self, i: int, value: Any, positional: bool, method: bool) -> str:
        """PyTorch's words for an argument of a wrong type."""
        param = self.params[i]
        where = f" (position {i + 1 - method})" if positional else ""
        got = f"not {class_name(value)}"
        if where and param.kind.startswith("int[") and isinstance(value, (tuple, list)):
            got = f"but found element of type {class_name(value[0])} at pos 0"
        return f"{self.name}(): argument '{param.label()}'{where} must be {SHOWN_TYPES[param.kind]}, {got}"

    def refuse_keywords(self, given: int, kwargs: Mapping[str, Any], method: bool) -> None:
        """Raise PyTorch's TypeError for names that are not in the signature, or that `given` positional arguments have taken."""
        __tracebackhide__ = True
        if method and len(self.params) == 1:
            raise TypeError(f"TensorBase.{self.name}() takes no keyword arguments")
        names = [p.label() for p in self.params]
        for key in kwargs:  # (a name that comes from NumPy is unexpected where PyTorch's is given too)
            if key not in names:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{key}'")
            if names.index(key) < given:
                raise TypeError(f"{self.name}() got multiple values for argument '{key}'")

    def too_many(self, given: int, kwargs: Mapping[str, Any], method: bool) -> str:
        """PyTorch's words for a call with too many positional arguments."""
        least, most, given = self.least - method, self.positional - method, given - method
        if method and len(self.params) == 1:
            what = "keyword arguments" if kwargs else f"arguments ({given} given)"
            return f"TensorBase.{self.name}() takes no {what}"
        if least != most:
            return f"{self.name}() takes from {least} to {most} positional arguments but {given} were given"
        plural, was = "" if most == 1 else "s", "was" if given == 1 else "were"
        return f"{self.name}() takes {most} positional argument{plural} but {given} {was} given"

    def missing(self, first: int) -> str:
        """PyTorch's words (and its plural) for a call with too few arguments: all that were needed from the first one on."""
        names = [f'"{p.label()}"' for p in self.params[first:] if p.required]
        plural = "s" if len(names) == 1 else ""
        return f"{self.name}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"

    def shown(self, method: bool) -> list[str]:
        """The signature in the parts of which PyTorch's error texts list it."""
        parts, starred = [], False
        for p in self.params[method:]:
            if p.keyword_only and not starred:
                parts.append("*")
                starred = True
            parts.append(p.shown())
        if self.out and not method:
            parts += [] if starred else ["*"]
            parts.append("Tensor out = None")
        return parts
