"""The operators of all chapters, by name: `from jgrad.ops.by_name import conj, where`.

Formulas of views need sums, and formulas of sums need views. So no order of loading the chapters has every name ready when it is imported. This
module gives a placeholder for any name. When all chapters are loaded, `settle` puts the operator in its place. A formula looks its names
up when it runs, and then finds the operator.

What a chapter needs while it is loaded (a constant, a decorator) is imported from the module that defines it.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, NoReturn


class Placeholder:
    """Stands for an operator whose chapter may not be loaded yet."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(f"jgrad.ops: {self.name}() was called while the chapters are still being loaded")


_placeholders: dict[str, Placeholder] = {}
_settled = False


def __getattr__(name: str) -> Any:
    if _settled or name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _placeholders.setdefault(name, Placeholder(name))


def settle(chapters: Iterable[ModuleType]) -> None:
    """Put the functions that the chapters define in the place of the placeholders that the chapters have imported."""
    global _settled
    imported: list[tuple[ModuleType, str, str]] = []
    functions: dict[str, Any] = {}
    for chapter in chapters:
        for name, value in vars(chapter).items():
            if value.__class__ is Placeholder:
                imported.append((chapter, name, value.name))
            elif name in _placeholders and functions.setdefault(name, value) is not value:
                raise ImportError(f"{chapter.__name__}: there is another {name} in a chapter before")
    for chapter, name, needed in imported:
        if needed not in functions:
            raise ImportError(f"{chapter.__name__} imports {needed} by name, but no chapter defines it")
        setattr(chapter, name, functions[needed])
    globals().update(functions)  # for modules that import one of them later
    _settled = True
