"""What is loaded when a program first names it.

A package offers a name without importing what has it: `offer("jgrad.cuda", {"amp": "jgrad.cuda.amp"})`. Then `jgrad.cuda.amp` is the module,
imported at its first use. `jgrad/__init__.py` has all that is offered to a package from a room above it.

A library that knows tensor libraries by name is told of jgrad when a program imports it: `follow({"einops._backends": "jgrad.utils.einops"})`
imports our module after theirs.

A module can have a second name: `rename({"jgrad.accelerator": "jgrad.cuda.accelerator"})`. Then `import jgrad.accelerator` gives the module
whose file is `jgrad/cuda/accelerator.py`.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

from jgrad.garbage import few_collections

_offered: dict[str, dict[str, str]] = {}  # by package and name: a module, or "module:name"
renamed: dict[str, str] = {}  # by second name: the module


def offer(package: str, names: Mapping[str, str]) -> None:
    """Let a package give these names, each the name of a module, or "module:name" for what has this name in a module."""
    _offered.setdefault(package, {}).update(names)


def names_of(package: str) -> dict[str, str]:
    """What a package offers by name."""
    return _offered.get(package, {})


def public_of(package: str) -> list[str]:
    """The functions and classes among what a package offers."""
    return [name for name, target in names_of(package).items() if ":" in target]


def offered(package: str, name: str) -> Any:
    """What a package offers under a name. Raises AttributeError if it is nothing. A package's `__getattr__` calls this."""
    target = names_of(package).get(name)
    if target is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    module, _, inside = target.partition(":")
    with few_collections(0):
        found = import_module(module)
    return getattr(found, inside) if inside else found


def rename(names: Mapping[str, str]) -> None:
    """Let modules be imported by second names too."""
    renamed.update(names)


def follow(modules: Mapping[str, str]) -> None:
    """Import a module of ours (a value) as soon as a module of another library (its key) has been imported: now, or later."""
    for theirs, ours in modules.items():
        if theirs in sys.modules:
            import_module(ours)
        else:
            _followed[theirs] = ours


_followed: dict[str, str] = {}  # by module of another library: the module that is imported after it


class _Followed(importlib.abc.MetaPathFinder):
    """Python asks this finder first. It finds what the others find, with a loader that imports one more module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        ours = _followed.pop(fullname, None)
        spec = None if ours is None else importlib.util.find_spec(fullname)
        if ours is not None and spec is not None and spec.loader is not None:
            original = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                original(module)
                import_module(ours)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def rest(package: str, words: str) -> None:
    """Let a package give what `jgrad/extra/` has for it. A word is the name of a module there, with a colon before the names that it has for the package.

    `rest("jgrad.optim", "muon:Muon")`: `jgrad.optim.Muon` is what `jgrad.extra.optim.muon` has, and this module is `jgrad.optim.muon` too.
    """
    for word in words.split():
        file, _, names = word.partition(":")
        module = f"jgrad.extra{package.removeprefix('jgrad')}.{file}"
        rename({f"{package}.{file}": module})
        offer(package, {file: module, **{name: f"{module}:{name}" for name in names.split(",") if name}})


def public(module: str) -> str:
    """The name of a module as programs know it: what `jgrad/extra/` has is a part of other rooms for them."""
    return module.replace("jgrad.extra.", "jgrad.", 1)


class _Rest(importlib.abc.MetaPathFinder):
    """Finds the modules of `jgrad/extra/`. What they define gets the module that programs know for its own, as messages and files show it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("jgrad.extra."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            original = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                original(module)
                for made in vars(module).values():
                    if isinstance(made, type | FunctionType) and made.__module__ == fullname:
                        made.__module__ = public(fullname)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


class _Renamed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a module by its second name. Python asks this finder first: a package that has two names would find its modules again."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self) if fullname in renamed else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(renamed[spec.name])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification back, which Python has replaced."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _Rest())
sys.meta_path.insert(0, _Renamed())
sys.meta_path.insert(0, _Followed())
