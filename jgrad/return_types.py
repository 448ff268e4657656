"""The named tuples that operations with several results give: `jgrad.max(x, 0)` is a `jgrad.return_types.max(values=..., indices=...)`."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any


class NamedResults(tuple):
    """The results of an operation, by position and by name."""

    __slots__ = ()
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self.names, self, strict=True))
        return f"jgrad.return_types.{type(self).__name__}(\n{fields})"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'jgrad.return_types.{type(self).__name__}' object has no attribute '{name}'")

    def __reduce__(self) -> tuple:
        return named, (type(self).__name__, self.names, tuple(self))


def named(name: str, names: tuple[str, ...], values: Any) -> NamedResults:
    """The results of the operation `name` as its named tuple."""
    return (globals().get(name) or _made(name, names))(values)


def _made(name: str, names: tuple[str, ...]) -> Any:
    """The class of named tuples of an operation, made when it is first needed."""
    fields: dict[str, Any] = {field: property(itemgetter(i)) for i, field in enumerate(names)}
    body = {"__slots__": (), "__module__": __name__, "names": names, **fields}
    cls = globals()[name] = type(name, (NamedResults,), body)
    return cls


def _no_operators(name: str) -> tuple[str, ...] | None:
    return None


# The names of an operator's results, None if they have no names. `jgrad.dispatch`, which knows the operators, puts its function here.
names_of: Callable[[str], tuple[str, ...] | None] = _no_operators


def __getattr__(name: str) -> Any:
    if not name.startswith("__") and (names := names_of(name)) is not None:
        return _made(name, names)
    raise AttributeError(f"module 'jgrad.return_types' has no attribute '{name}'")
