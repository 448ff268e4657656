"""What `inspect.signature` says of a function that reads its arguments itself. Of an operator: one signature for all of its overloads.

Jupyter reads it for Shift-Tab and for the names that Tab completes in a call. It is worked out when it is asked for, because that takes time
(an operator's declarations are read).
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from jgrad.dispatch.declaration import Operator
    from jgrad.dispatch.schema import Param

EMPTY = inspect.Parameter.empty
Shown = TypeVar("Shown", bound=Callable[..., Any])


class _Omitted:
    """The default of an argument that some overloads are called without."""

    def __repr__(self) -> str:
        return "..."


OMITTED = _Omitted()


class LazySignature(inspect.Signature):
    """A signature that `make` works out when it is first asked for."""

    def __init__(self, make: Callable[[], inspect.Signature]) -> None:
        self._make = make

    @cached_property
    def _plain(self) -> inspect.Signature:
        return self._make()

    @property
    def parameters(self) -> MappingProxyType[str, inspect.Parameter]:
        return self._plain.parameters

    @property
    def return_annotation(self) -> Any:
        return self._plain.return_annotation

    def replace(self, **changed: Any) -> inspect.Signature:  # type: ignore[override]
        return self._plain.replace(**changed)

    def __reduce__(self) -> Any:
        return self._plain.__reduce__()


def of_operator(op: Operator, method: bool) -> inspect.Signature:
    """The signature of an operator's function, or of its method."""
    return LazySignature(lambda: inspect.Signature(_parameters(op, method)))


def shown_as(*patterns: Callable[..., Any]) -> Callable[[Shown], Shown]:
    """A decorator: the function takes the parameters of these functions, although it reads them from `*args` and `**kwargs` to word its
    errors. All functions but the first have keyword-only parameters alone."""

    def describe(function: Shown) -> Shown:
        function.__signature__ = LazySignature(partial(_like, patterns, function))  # type: ignore[attr-defined]
        return function

    return describe


def _like(patterns: Sequence[Callable[..., Any]], function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of `patterns`, with the types that `function` states."""
    types = {name: kind for name, kind in inspect.get_annotations(function).items() if kind != "Any"}
    shown = [p for pattern in patterns for p in inspect.signature(pattern).parameters.values()]
    return inspect.Signature(
        [p.replace(annotation=types.get(p.name, EMPTY)) for p in shown],
        return_annotation=types.get("return", EMPTY),
    )


def _parameters(op: Operator, method: bool) -> list[inspect.Parameter]:
    """The parameters of the longest overload. What others are called without has a default. What only others have is given by name."""
    ways = [{p.label(): p for p in o.schema.params[method:]} for o in op.overloads]
    longest = max(ways, key=len)
    found = _positional(op, [p for p in longest.values() if not p.keyword_only], ways, method)
    there = {p.name for p in found}
    names = dict.fromkeys([*longest, *[name for way in ways for name in way]])
    found += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(name, ways))
        for name in names
        if name not in there and not keyword.iskeyword(name)
    ]
    takes_out = not method and "out" in op.forms and "out" not in names
    if takes_out and any(o.schema.out for o in op.overloads):
        found.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None))
    return found


def _positional(
    op: Operator, params: Sequence[Param], ways: Sequence[dict[str, Param]], method: bool
) -> list[inspect.Parameter]:
    """The parameters that may be given by position. After one with a default, each has one."""
    # Sizes may be given one by one, but not by functions of a tensor.
    several = op.varargs and (method or not params[0].is_tensor)
    only = max([i for i, p in enumerate(params) if keyword.iskeyword(p.name)], default=-1)
    first = inspect.Parameter.POSITIONAL_ONLY if only >= 0 else inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = [inspect.Parameter("self", first)] if method else []
    some = False
    for i, p in enumerate(params):
        name = p.label()
        if several and p is params[-1] and p.kind == "int[]":
            found.append(inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL))
            continue
        default = _default(name, ways)
        default = OMITTED if some and default is EMPTY else default
        some = default is not EMPTY
        kind = inspect.Parameter.POSITIONAL_ONLY if i <= only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        found.append(inspect.Parameter(name + "_" * keyword.iskeyword(name), kind, default=default))
    return found


def _default(name: str, ways: Sequence[dict[str, Param]]) -> Any:
    """The default of a parameter; none if every overload requires it."""
    found = [way[name] for way in ways if name in way]
    if len(found) == len(ways) and all(p.required for p in found):
        return EMPTY
    return next((p.default for p in found if not p.required), OMITTED)
