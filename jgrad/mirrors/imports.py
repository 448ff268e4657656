"""Watching libraries in a block, also one that the block imports."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

from jgrad import mirrors


class Watches:
    """The watched libraries of a block. An import hook waits for those that are not imported yet."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures = failures
        self.reporting: set[str] = set()  # the names of the libraries that have reported something
        self._stack = ExitStack()
        self._watched: list[Any] = []

    def __enter__(self) -> Watches:
        if any(name not in sys.modules for name in mirrors.KNOWN):
            finder = _Finder(self)
            sys.meta_path.insert(0, finder)
            self._stack.callback(_remove, finder)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, library: Any) -> None:
        """Watch a library from now on."""
        if library not in self._watched:
            self._watched.append(library)
            self._stack.enter_context(library.watch(self.failures, self.reporting))

    def imported(self) -> None:
        """A library was imported within the block."""
        try:
            for library in mirrors.load():
                self.add(library)
        except Exception as error:
            self.failures.append(error)


def _remove(finder: _Finder) -> None:
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)


class _Finder:
    """Finds a library as Python would, and replaces its loader by one that notifies us when the library is loaded."""

    def __init__(self, watches: Watches) -> None:
        self._watches = watches
        self._busy = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in mirrors.KNOWN or self._busy:
            return None
        self._busy = True
        try:
            spec = find_spec(name)
        finally:
            self._busy = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._watches)  # type: ignore[assignment]
        return spec


class _Loader:
    """Loads a library with the loader that Python chose, and then puts that loader back in its place."""

    def __init__(self, loader: Any, watches: Watches) -> None:
        self._loader, self._watches = loader, watches

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        module.__spec__._initializing = False  # (which Python does next)
        self._watches.imported()
