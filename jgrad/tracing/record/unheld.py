"""Modules and optimizers that no variable of the program holds, because a framework does.

They get names after their classes: `Net.head.weight`. A framework may let go of them before the program ends, so the names of their tensors are
noted when a module has run. They count at the end, for tensors without any other name.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

from jgrad.tracing.record.models import Model, Models

# Tensors by number, with names.
Named = list[tuple[int, str]]


class Unheld:
    """What was met without a variable that holds it."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._met: dict[int, weakref.ref] = {}  # by address
        self._known: list[tuple[Model, Named]] = []
        self._count: dict[str, int] = {}  # how many of each class there are

    def is_new(self, holder: Any) -> bool:
        """Whether something was not met, neither here nor in a variable."""
        met = self._met.get(id(holder))
        if (met is not None and met() is holder) or self._models.known(holder) is not None:
            return False
        self._met[id(holder)] = weakref.ref(holder)
        return True

    def name_of(self, holder: Any) -> str:
        """A name after its class: `Net`, or `Net#2` for the second one."""
        cls = type(holder).__name__
        count = self._count.get(cls, 0) + 1
        return cls if count == 1 else f"{cls}#{count}"

    def add(self, name: str, holder: Any, tensors: Named) -> None:
        """Note something by that name, and its tensors."""
        cls = type(holder).__name__
        self._count[cls] = self._count.get(cls, 0) + 1
        self._known.append((self._models.notice(name, holder, by_class=True), tensors))

    def renumber(self, numbers: Mapping[int | None, int]) -> None:
        """Take over new numbers of tensors; those that `numbers` lacks are gone."""
        for _, tensors in self._known:
            tensors[:] = [(numbers[n], name) for n, name in tensors if n in numbers]

    def left(self) -> list[tuple[Model, Named]]:
        """What never got a variable. Whole models come before their layers, so that a layer is called `Net.head`."""
        return sorted((known for known in self._known if known[0].by_class), key=lambda known: -len(known[1]))
