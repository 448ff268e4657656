"""The named tuples that operations with several results give: `jgrad.max(x, 0)` is a `jgrad.return_types.max(values=..., indices=...)`."""

from __future__ import annotations

from typing import Any


class NamedResults(tuple):
    """The results of an operation, by position and by name."""

    __slots__ = ()
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self.names, self, strict=True))
        return f"jgrad.return_types.{type(self).__name__}(\n{fields})"

    def __reduce__(self) -> tuple:
        return named, (type(self).__name__, self.names, tuple(self))


def named(name: str, names: tuple[str, ...], values: Any) -> NamedResults:
    """The results of the operation `name` as its named tuple, whose class is made when it is first needed."""
    cls = globals().get(name)
    if cls is None:
        from operator import itemgetter

        fields: dict[str, Any] = {field: property(itemgetter(i)) for i, field in enumerate(names)}
        cls = globals()[name] = type(
            name, (NamedResults,), {"__slots__": (), "__module__": __name__, "names": names, **fields}
        )
    return cls(values)
