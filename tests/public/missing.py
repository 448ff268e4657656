"""Names that are not there: a test that needs one fails and says which."""

from __future__ import annotations

import inspect
import types
import unittest
from collections.abc import Callable, Iterator
from typing import Any


class Missing:
    """A name that is not there. Whatever is done with it fails, but for what a test file does while it is read."""

    def __init__(self, name: str) -> None:
        self.missing_name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # As a decorator it takes the test away.
        if len(args) == 1 and not kwargs and inspect.isfunction(args[0]):
            return unittest.skip(f"needs {self.missing_name}")(args[0])
        raise NameError(f"needs {self.missing_name}")

    def __getattr__(self, name: str) -> Missing:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.missing_name}.{name}")

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (unittest.TestCase,)


def with_missing(make: Callable[[], Any]) -> Any:
    """What `make()` gives, where each name that a module lacks is a `Missing` for as long as it takes."""
    put: list[tuple[types.ModuleType, str]] = []
    try:
        while True:
            try:
                return make()
            except AttributeError as error:
                lacking, name = error.obj, str(error.name)
                if not isinstance(lacking, types.ModuleType) or hasattr(lacking, name):
                    raise
                setattr(lacking, name, Missing(f"{lacking.__name__.replace('jgrad', 'torch')}.{name}"))
                put.append((lacking, name))
    finally:
        for module, name in put:
            delattr(module, name)
