"""Operators: what declarations of one name have in common, and the public functions and methods made from them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from jgrad import return_types
from jgrad.dispatch import autocast, functions, methods, signatures
from jgrad.dispatch import fast as fast  # from now on the fast paths hear of modes and observers
from jgrad.dispatch.declaration import Operator
from jgrad.dispatch.matching import match, refuse
from jgrad.dispatch.overload import Overload
from jgrad.dispatch.schema import NUMBERS
from jgrad.graph import autocast_mode, overriding
from jgrad.tensor import Tensor

Function = Callable[..., Any]
# Takes the arguments of a call as a sequence and a dict.
General = Callable[[Sequence[Any], dict[str, Any]], Any]

TABLE: dict[str, Op] = {}  # all operators, by the name that users write: "mul", "linalg.inv"


class Op(Operator):
    """An operator, with the public functions made from its declarations."""

    function: Function

    def call(self, args: Sequence[Any], kwargs: dict[str, Any], method: bool = False) -> Any:
        """The general path of the function and the method."""
        __tracebackhide__ = True
        if overriding.in_use and (asked := overriding.asked(args, kwargs)) is not None:
            return self.ask(asked, args, kwargs, self.shown if method else None)
        given, out = kwargs, None
        if "out" in kwargs and "out" in self.forms and not method:
            kwargs = dict(kwargs)
            out = kwargs.pop("out")
        try:
            overload, values = match(self, args, kwargs, method, self.shown)
        except TypeError:
            if asked := overriding.asked(args, given):
                overriding.start()
                return self.ask(asked, args, given, self.shown if method else None)
            raise
        if out is not None and not overload.schema.out:
            refuse(self.shown, [o.schema for o in self.overloads], args, {**kwargs, "out": out}, method)
        if autocast_mode.anywhere and out is None:
            return autocast.run(self.name, overload.run, values)
        return overload.run(values, out)

    def call_method(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The general path of the method."""
        __tracebackhide__ = True
        return self.call(args, kwargs, True)

    def call_inplace(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The general path of `name_`."""
        __tracebackhide__ = True
        if overriding.in_use and (asked := overriding.asked(args, kwargs)) is not None:
            return self.ask(asked, args, kwargs, self.shown + "_")
        overload, values = match(self, args, kwargs, True, self.shown + "_")
        assert isinstance(overload, Overload)  # composites have no in-place form
        return overload.run_inplace(values)

    def ask(self, asked: list[Any], args: Sequence[Any], kwargs: dict[str, Any], method: str | None) -> Any:
        """Leave a call to `__torch_function__` of these arguments. `method`: the name of the method, None for the function."""
        __tracebackhide__ = True
        if method is None:
            place = f"jgrad.{self.namespace}".rstrip(".")
            name = f"{place}.{self.public}".replace("jgrad", "torch", 1)
            return overriding.call(self.function, name, asked, tuple(args), kwargs)
        return overriding.call(getattr(Tensor, method), f"torch.Tensor.{method}", asked, tuple(args), kwargs)


def _names_of_results(name: str) -> tuple[str, ...] | None:
    """The names of an operator's results, None if they have no names; for `jgrad.return_types`."""
    overloads = [o for operator in list(TABLE.values()) if operator.name == name for o in operator.overloads]
    return next((overload.result_names for overload in overloads if overload.named), None)


return_types.names_of = _names_of_results


def public(namespace: str) -> dict[str, Function]:
    """The functions of a namespace ("" for jgrad itself, "linalg", "fft", ...) by name."""
    found = {}
    for key, operator in TABLE.items():
        where, _, name = key.rpartition(".")
        if where == namespace:
            if "function" in operator.forms and not name.endswith("_backward"):
                found[name] = operator.function
                if not namespace and name == operator.function.__name__:
                    operator.function.__module__ = "jgrad"
            if "function_" in operator.forms:
                found[name + "_"] = getattr(Tensor, operator.shown + "_")
    return found


def alias_of(name: str, other: str, **changed: Any) -> None:
    """Give an operator another name, maybe in another namespace: `alias_of("sigmoid", "special.expit")`. `changed`: attributes of `Op` in
    which the other one differs."""
    alias = TABLE[other] = copy.copy(TABLE[name])
    alias.namespace, _, alias.public = other.rpartition(".")
    alias.shown = other.replace(".", "_")
    if alias.namespace:
        alias.forms = ["function", "out"]
    for attribute, value in changed.items():
        setattr(alias, attribute, value)
    install(alias)


# Functions and methods --------------------------------------------------------------------------------------------------------
# The first call of a function reads the declarations and makes the fast path, which the function becomes: Note [A function stays itself] in
# `jgrad/dispatch/fast/__init__.py`. What writes fast paths is imported then, for the sake of `import jgrad`.


def install(operator: Op) -> None:
    """Make the public function, method and in-place method of an operator."""
    name = operator.shown
    operator.function = _function(operator, operator.call, name, method=False)
    if "method" in operator.forms:
        setattr(Tensor, name, _function(operator, operator.call_method, name, method=True))
    if "inplace" in operator.forms:
        _install_inplace(operator, name + "_", operator.call_inplace)


def install_operator(
    operator: Op,
    dunder: str,
    inplace: bool = False,
    numbers: tuple[type, ...] = NUMBERS,
    takes: Callable[[Any], Tensor | None] = lambda other: None,
) -> None:
    """Install an operator of Python like `__mul__`, which leaves operands of unknown classes to Python. `takes(other)` makes a tensor of
    some of them."""

    def general(args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        if (
            dunder in _ASKED_ITSELF
            and overriding.in_use
            and (asked := overriding.asked(args, kwargs)) is not None
        ):
            return _ask_about(dunder, asked, args)
        if isinstance(args[1], (Tensor, *numbers)):
            return operator.call_inplace(args, kwargs) if inplace else operator.call(args, kwargs, True)
        if overriding.has_own(args[1]):
            try:
                return operator.ask(overriding.among(args), args, kwargs, operator.shown + "_" * inplace)
            except TypeError:
                return NotImplemented
        taken = takes(args[1])
        return NotImplemented if taken is None else operator.call((args[0], taken), kwargs, True)

    if inplace:
        _install_inplace(operator, dunder, general)
    else:
        setattr(Tensor, dunder, _function(operator, general, dunder, method=True))


# PyTorch writes these in Python, and so asks about them. About the others it asks as about the methods that do the same.
_ASKED_ITSELF = ("__eq__", "__pow__", "__ipow__", "__floordiv__")


def _ask_about(dunder: str, asked: list[Any], args: Sequence[Any]) -> Any:
    """Leave an operator of Python to `__torch_function__`. As in PyTorch, a TypeError leaves the operands to Python."""
    try:
        return overriding.call(getattr(Tensor, dunder), f"torch.Tensor.{dunder}", asked, tuple(args), {})
    except TypeError:
        return NotImplemented


def install_swapped(dunder: str, function: Function) -> None:
    """Install an operator of Python like `__rsub__`, whose left operand is no tensor. As in PyTorch, a TypeError leaves the operands to Python."""

    def method(self: Tensor, other: Any) -> Any:
        try:
            return function(self, other)
        except TypeError:
            return NotImplemented

    method.__name__ = method.__qualname__ = dunder
    setattr(Tensor, dunder, method)


def _install_inplace(operator: Op, name: str, general: General) -> None:
    """Make an in-place method."""

    def first(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        from jgrad.dispatch.fast.inplace import inplace_path

        fast.become(function, inplace_path(operator.overloads[0], general))
        return function(*args, **kwargs)

    function = described(fast.beginning(first), operator, name, True)
    setattr(Tensor, name, function)


def _function(operator: Op, general: General, name: str, method: bool) -> Function:
    """A function or method of an operator."""

    def first(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        from jgrad.dispatch.fast.paths import fast_path, together

        made = fast_path(operator.overloads, general, TABLE)
        if operator.varargs and "method" in operator.forms and not method:
            made = together(made, general)
        fast.become(function, made)
        return function(*args, **kwargs)

    function = described(fast.beginning(first), operator, name, method)
    return function


def described(function: Any, operator: Op, name: str, method: bool) -> Function:
    """Give a function or method the name, the documentation and the signature of its operator."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = _documentation(operator, name)
    place = methods if method else functions
    function.__module__ = place.__name__
    vars(place).setdefault(name, function)
    function.op = operator
    function.__signature__ = signatures.of_operator(operator, method)
    operator.forms_made.append(function)
    return function


def document(operator: Op) -> None:
    """Write the documentation of an operator's functions and methods again: it has one more overload, or another text."""
    for function in operator.forms_made:
        function.__doc__ = _documentation(operator, function.__name__)


def _documentation(operator: Op, name: str) -> str:
    """How an operator is called, and its docstring."""
    calls = "\n".join([f"{operator.shown}({_arguments(d.text)}" for d in operator.declarations])
    place = (
        f"\n\n{name}() is {operator.shown}() in place: the result is written to the tensor."
        if name == operator.shown + "_"
        else ""
    )
    return f"{calls}{place}\n\n{operator.doc}"


def _arguments(text: str) -> str:
    """The arguments and results of a declaration: without the name of its overload, and without the marks of views and writes."""
    return (
        text.partition("(")[2]
        .replace("Tensor(a)", "Tensor")
        .replace("Tensor(a!)", "Tensor")
        .replace("Tensor self", "Tensor input")
    )
