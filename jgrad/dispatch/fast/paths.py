"""The fast paths of an operator's overloads, put together: each passes on what does not fit, and the last one to the general path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from jgrad.dispatch.declaration import Operator
from jgrad.dispatch.fast.composite import composite_path
from jgrad.dispatch.fast.fits import fits, fits_inplace
from jgrad.dispatch.fast.function import Function, General, function_path, short, unpacked
from jgrad.dispatch.fast.inplace import inplace_path
from jgrad.dispatch.fast.joining import is_joining, joining_path
from jgrad.dispatch.overload import AnyOverload, Composite, Overload
from jgrad.kernels import numpy as kernels


def fast_path(
    overloads: Sequence[AnyOverload], general: General, table: Mapping[str, Operator]
) -> FunctionType:
    """The quickest way to call an operator. `table` holds the operators that a composite may name by the option `usually`."""
    quick: FunctionType | None = None
    for overload in reversed(overloads):
        following = general if quick is None else repacked(quick)
        if isinstance(overload, Composite):
            quick = composite_path(overload, following)
            if overload.usually:
                name, kernel = overload.usually.split()
                usual = table[name].overloads[0]
                assert isinstance(usual, Overload)
                quick = function_path(usual, repacked(quick), getattr(kernels, kernel))
        elif is_joining(overload):
            quick = joining_path(overload, following)
        elif fits(overload):
            quick = function_path(overload, following, beyond=quick)
        elif overload.writes and fits_inplace(overload):
            quick = inplace_path(overload, following)
    if quick is None:
        return unpacked(general)
    return positional(quick, general) if disagreeing(overloads) else quick


def disagreeing(overloads: Sequence[AnyOverload]) -> bool:
    """Whether an argument of the same name is at different positions in the overloads. Given by name, it would not fit every path."""
    places: dict[str, int | None] = {}
    for overload in overloads:
        for i, p in enumerate(overload.params):
            if places.setdefault(p.name, place := None if p.keyword_only else i) != place:
                return True
    return False


def positional(quick: Function, general: General) -> FunctionType:
    """A fast path for calls without keywords."""
    line = "return general(args, kwargs) if kwargs else quick(*args)"
    return short(line, quick=quick, general=general)


def together(quick: Function, general: General) -> FunctionType:
    """The function of an operator whose method takes its last ints one by one too; the function takes them in a tuple."""
    plain = "len(args) == 2 and args[1].__class__ is tuple and not kwargs"
    return short(f"return quick(*args) if {plain} else general(args, kwargs)", quick=quick, general=general)


def repacked(function: Function) -> Callable[[Any, dict[str, Any]], Any]:
    """A function that takes its arguments as a tuple and a dict."""

    def call(args: tuple, kwargs: dict[str, Any]) -> Any:
        __tracebackhide__ = True
        return function(*args, **kwargs)

    return call
