"""What a declared tuple, or a record, refers to by number: found by the types of its fields, for the compaction.

For each declaration two functions are written: one that gives its numbers new values, and one that marks what it refers to. They look like this:

    lambda e, tensor, storage, node, call, step: (e[0], e[1], ..., [tensor[i0] for i0 in e[5]], ..., node[e[7]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from jgrad.tracing.record.declared import Plain, Ref

NewNumbers = Mapping[int | None, Any]


class Numbers(NamedTuple):
    """The new number of each old one, and of None None. A removed tensor, storage, node or backward call has the new number None."""

    tensor: NewNumbers
    storage: NewNumbers
    node: NewNumbers
    call: NewNumbers
    step: NewNumbers


class Marks(NamedTuple):
    """The numbers of what is referred to. None may be among them."""

    tensor: set[Any]
    storage: set[Any]
    node: set[Any]


@cache
def renumbering(declared: type, entry: bool = False) -> Callable[..., Any]:
    """The function that makes a plain tuple of a declaration with new numbers: of it and `Numbers`, spread out. `entry`: of the entry of an event."""
    first = ["e[0]"] if entry else []
    return _function(", ".join(Numbers._fields), _tuple([*first, *_fields(declared, "e", len(first))]))


@cache
def marking(event: type) -> Callable[..., None]:
    """The function that adds what the entry of an event refers to to `Marks`, spread out."""
    lines: list[str] = []
    for hint, field in _typed(event, "e", 1):
        lines += _marked(hint, field)
    scope: dict[str, Any] = {}
    body = "\n    ".join(lines or ["pass"])
    exec(f"def mark(e, {', '.join(Marks._fields)}):\n    {body}", scope)
    return scope["mark"]


@cache
def renumbering_record(kind: type) -> Callable[..., None]:
    """The function that gives the numbers in the attributes of a record new values: of it and `Numbers`, spread out."""
    lines = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        made = _renumbered(hint, f"r.{name}")
        if made != f"r.{name}":
            lines.append(f"r.{name} = {made}")
    scope: dict[str, Any] = {}
    exec(f"def renumber(r, {', '.join(Numbers._fields)}):\n    " + "\n    ".join(lines), scope)
    return scope["renumber"]


def _function(more: str, result: str) -> Callable[..., Any]:
    return eval(f"lambda e, {more}: {result}")


# Types ----------------------------------------------------------------------------------------------------------------------------------


def _typed(declared: type, e: str, first: int = 0) -> Iterator[tuple[Any, str]]:
    """The types of the fields of a declaration, with the expressions for them. `first`: the position of the first one in `e`."""
    for i, hint in enumerate(get_type_hints(declared, include_extras=True).values(), first):
        yield hint, f"{e}[{i}]"


def _kind(hint: Any) -> str | None:
    """What a type is a number of."""
    return next((ref.kind for ref in getattr(hint, "__metadata__", ()) if isinstance(ref, Ref)), None)


def _optional(hint: Any) -> Any:
    """What is in a type besides None, if that is in it."""
    args = get_args(hint)
    rest = [arg for arg in args if arg is not NoneType]
    return rest[0] if _kind(hint) is None and len(rest) == 1 and len(args) == 2 and NoneType in args else None


def _is_tuple(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _parts(hint: Any, e: str) -> list[tuple[Any, str]] | None:
    """The parts of a tuple, with the expressions for them."""
    origin, args = get_origin(hint), get_args(hint)
    if _is_tuple(hint):
        return [*_typed(hint, e)]
    if origin is Plain:
        return [*_typed(args[0], e)]
    if origin is tuple and Ellipsis not in args:
        return [(arg, f"{e}[{i}]") for i, arg in enumerate(args)]
    return None


def _keys(hint: Any, e: str) -> Iterator[tuple[str, Any, str]]:
    """The keys of a TypedDict, with the types of what they have and the expressions for it."""
    for key, one in get_type_hints(hint, include_extras=True).items():
        yield key, get_args(one)[0] if get_origin(one) is NotRequired else one, f"{e}[{key!r}]"


def _variable(e: str) -> str:
    """A variable that does not occur in an expression."""
    return next(name for n in range(9) if (name := f"i{n}") not in e)


# Expressions ----------------------------------------------------------------------------------------------------------------------------


def _renumbered(hint: Any, e: str) -> str:
    """The expression for `e` with new numbers: `e` itself if there are none in it."""
    kind, inner, origin, args = _kind(hint), _optional(hint), get_origin(hint), get_args(hint)
    if kind is not None:
        return f"{kind}[{e}]"
    if inner is not None:
        made = _renumbered(inner, e)
        return made if made == e or _kind(inner) is not None else f"(None if {e} is None else {made})"
    parts = _parts(hint, e)
    if parts is not None:
        changed = [_renumbered(one, part) for one, part in parts]
        if changed == [part for _, part in parts]:
            return e
        return f"{e}._make({_tuple(changed)})" if _is_tuple(hint) else _tuple(changed)
    if origin in (list, Sequence):
        i = _variable(e)
        each = _renumbered(args[0], i)
        return e if each == i else f"[{each} for {i} in {e}]"
    if origin is dict:
        i = _variable(e)
        pair = [_renumbered(one, f"{i}[{n}]") for n, one in enumerate(args)]
        key = _kind(args[0])
        there = "" if key is None else f" if {i}[0] in {key}"  # what was removed is no key
        return (
            e if pair == [f"{i}[0]", f"{i}[1]"] else f"{{{pair[0]}: {pair[1]} for {i} in {e}.items(){there}}}"
        )
    if is_typeddict(hint):
        found = [(key, _renumbered(one, part), part) for key, one, part in _keys(hint, e)]
        news = [
            f"**({{{key!r}: {made}}} if {key!r} in {e} else {{}})"
            for key, made, part in found
            if made != part
        ]
        return f"{{**{e}, {', '.join(news)}}}" if news else e
    return e


def _fields(declared: type, e: str, first: int) -> list[str]:
    return [_renumbered(hint, field) for hint, field in _typed(declared, e, first)]


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)},)"


def _marked(hint: Any, e: str) -> list[str]:
    """The statements that mark what `e` refers to."""
    kind, inner, origin, args = _kind(hint), _optional(hint), get_origin(hint), get_args(hint)
    if kind is not None:
        return [f"{kind}.add({e})"] if kind in Marks._fields else []
    if inner is not None:
        found = _marked(inner, e)
        return found if _kind(inner) is not None else _block(f"if {e} is not None:", found)
    parts = _parts(hint, e)
    if parts is not None:
        return [line for one, part in parts for line in _marked(one, part)]
    if origin in (list, Sequence):
        i = _variable(e)
        return _block(f"for {i} in {e}:", _marked(args[0], i))
    if origin is dict:
        i = _variable(e)
        lines = [line for n, one in enumerate(args) for line in _marked(one, f"{i}[{n}]")]
        return _block(f"for {i} in {e}.items():", lines)
    if is_typeddict(hint):
        return [
            line
            for key, one, part in _keys(hint, e)
            for line in _block(f"if {key!r} in {e}:", _marked(one, part))
        ]
    return []


def _block(head: str, lines: list[str]) -> list[str]:
    return [head, *["    " + line for line in lines]] if lines else []
