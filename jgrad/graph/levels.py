"""The transforms at work in this thread, as a stack of levels: `vmap`, derivatives forward, `grad` and related ones.

Note [Levels]: an operation belongs to the innermost level that any of its arguments is batched at. It is recorded there if one of these
arguments needs a gradient *as an example*, then it runs on the values, one level further out, where the same question is asked again. So
`vmap(grad(f))` records examples and `grad(vmap(f))` records batches, with one and the same engine.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any, Protocol

from jgrad.graph import general_path


class Level:
    """One open transform. `number` counts from 1, the outermost; `size` is that of the batch, None if it batches nothing."""

    def __init__(
        self, number: int, size: int | None, randomness: str, forward: bool, of_function: bool
    ) -> None:
        self.number, self.size, self.randomness = number, size, randomness
        self.forward = forward  # tensors may carry tangents
        self.of_function = of_function  # of `jgrad.func`: the function must not call `backward`
        self.open = True


class Rules(Protocol):
    """What `jgrad.transforms` provides: how an operator runs while levels are open."""

    def compute(self, overload: Any, values: list[Any], out: Any, level: Level) -> tuple: ...
    def write(self, overload: Any, values: list[Any]) -> None: ...
    def check_shared_draw(self, level: Level) -> None: ...
    def write_to_shared(self, overload: Any, level: Level) -> str: ...
    def reshape_in_place(self, overload: Any, values: list[Any]) -> None: ...
    def propagate(self, overload: Any, values: list[Any], outputs: tuple, at: list[Level]) -> None: ...
    def propagate_write(self, overload: Any, values: list[Any], before: Any, at: list[Level]) -> None: ...
    def text(self, t: Any) -> str: ...


rules: Rules  # set by `jgrad.transforms`, which is built on the operators


class _Stack(threading.local):
    def __init__(self) -> None:
        self.levels: list[Level] = []


stack = _Stack()
_lock = threading.Lock()
anywhere = 0  # how many levels are open in any thread: while there are none, operations need not ask


def enter(
    size: int | None = None, randomness: str = "error", forward: bool = False, of_function: bool = True
) -> Level:
    """Open a level."""
    global anywhere
    levels = stack.levels
    opened = Level(levels[-1].number + 1 if levels else 1, size, randomness, forward, of_function)
    levels.append(opened)
    with _lock:
        anywhere += 1
    if forward:
        general_path.request()  # the fast paths know nothing of tangents
    return opened


def leave(level: Level) -> None:
    """Close a level; tangents of it are gone."""
    global anywhere
    stack.levels.remove(level)
    level.open = False
    with _lock:
        anywhere -= 1
    if level.forward:
        general_path.withdraw()


@contextlib.contextmanager
def level(
    size: int | None = None, randomness: str = "error", forward: bool = False, of_function: bool = True
) -> Iterator[Level]:
    """A level for a block: of `vmap` over `size` examples, of a derivative forward, or of a transform that needs neither."""
    opened = enter(size, randomness, forward, of_function)
    try:
        yield opened
    finally:
        leave(opened)


def inside_function() -> bool:
    """Whether this thread runs a function that is being transformed."""
    return any([opened.of_function for opened in stack.levels])


def batching() -> Level | None:
    """The innermost level that batches."""
    return next((opened for opened in reversed(stack.levels) if opened.size is not None), None)


def forward() -> bool:
    """Whether tensors may carry tangents."""
    return any([opened.forward for opened in stack.levels])


@contextlib.contextmanager
def suspended(level: Level) -> Iterator[None]:
    """A block that runs outside of this level and those inside of it."""
    inner = stack.levels[stack.levels.index(level) :]
    del stack.levels[-len(inner) :]
    try:
        yield
    finally:
        stack.levels += inner


def refuse_inside(name: str, also: str) -> None:
    """Refuse what would change the graph under the feet of the transform that records it."""
    if inside_function():
        raise RuntimeError(
            f"You are attempting to call Tensor.{name}(){also} inside of a function being transformed by a functorch transform. This is "
            "unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call "
            f"{name}() outside of a function being transformed instead."
        )
