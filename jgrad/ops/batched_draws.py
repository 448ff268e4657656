"""Random numbers under `vmap`: what the `randomness` of the level allows."""

from __future__ import annotations

from collections.abc import Callable

from jgrad.dispatch import TABLE
from jgrad.dispatch.batched import Batched, batched, everywhere
from jgrad.graph.levels import Level
from jgrad.tensor import Tensor

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or "
    "perform the randomness operation out of vmap"
)


def draw_new(make: Callable, size: tuple, level: Level) -> Tensor:
    """A tensor of random numbers that is made inside of `vmap`: one for each example, or one for all."""
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    return batched(make((level.size, *size)), 0, level) if level.randomness == "different" else make(size)


def draw_like(make: Callable, source: Tensor, level: Level) -> Tensor:
    """The same, like another tensor."""
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    if not (isinstance(source, Batched) and source.level is level):
        source = batched(source, None, level)
    if level.randomness == "different":
        return batched(make(everywhere(source, source)), 0, level)
    return make(source.value if source.bdim is None else source.front.select(0, 0))


def draw_each(make: Callable, level: Level) -> Tensor:
    """The same, where each example needs a drawing of its own."""
    if level.randomness == "error":
        raise RuntimeError(RANDOM)
    if level.randomness == "same":
        return make()
    assert level.size is not None
    return batched(TABLE["stack"].function([make() for _ in range(level.size)]), 0, level)
