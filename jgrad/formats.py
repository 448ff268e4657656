"""Memory formats: in which order the elements of a tensor lie in memory."""

from __future__ import annotations

from typing import Any

from jgrad import manual


class memory_format:
    """The order of a tensor's elements in memory."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"jgrad.{self.name}"

    def __reduce__(self) -> str:
        return self.name


contiguous_format, preserve_format, channels_last, channels_last_3d = FORMATS = (
    memory_format("contiguous_format"),
    memory_format("preserve_format"),
    memory_format("channels_last"),
    memory_format("channels_last_3d"),
)
memory_format.__module__ = "jgrad"
NDIM = {channels_last: 4, channels_last_3d: 5}


def strides_in(shape: tuple[int, ...], given: Any) -> tuple[int, ...]:
    """The strides, in elements, of a fresh tensor of this shape in a format. Raises RuntimeError for a shape that the format is not for."""
    order = range(len(shape))[::-1]
    if given in NDIM:
        if len(shape) != NDIM[given]:
            raise RuntimeError(f"required rank {NDIM[given]} tensor to use {given.name} format")
        order = [1, *range(len(shape) - 1, 1, -1), 0]  # type: ignore[assignment]
    strides, step = [0] * len(shape), 1
    for d in order:
        strides[d] = step
        step *= max(shape[d], 1)
    return tuple(strides)


def is_in(shape: tuple[int, ...], strides: tuple[int, ...], given: Any) -> bool:
    """Whether a tensor of this shape, with strides in elements, is in channels_last or channels_last_3d without gaps."""
    if len(shape) != NDIM[given]:
        return False
    return all([n == 1 or a == b for n, a, b in zip(shape, strides, strides_in(shape, given), strict=True)])


def check(name: str, given: Any) -> None:
    """Refuse what is no memory format, as an argument of a function of this name."""
    if given is not None and not isinstance(given, memory_format):
        raise TypeError(
            f"{name}(): argument 'memory_format' must be torch.memory_format, not {type(given).__name__}"
        )


manual.attach(__name__)
