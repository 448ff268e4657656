"""Which way attention is computed: `torch.nn.attention`."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jgrad import manual, switches


class SDPBackend(enum.Enum):
    """The ways in which PyTorch computes attention. Here there are two: FLASH_ATTENTION in one step, MATH by several operations."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    def __int__(self) -> int:
        return self.value


_SWITCHES = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
    "overrideable": SDPBackend.OVERRIDEABLE,
}


@contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[dict]:
    """A block in which `scaled_dot_product_attention` is computed in one of the given ways. If none of them can do it, it raises RuntimeError."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(
            f"Backend must be an instance of SDPBackend or a list of SDPBackend instances, got {type(backends).__name__}"
        )
    chosen = [backends] if isinstance(backends, SDPBackend) else backends
    before = dict(switches.attention)
    switches.attention.update({name: backend in chosen for name, backend in _SWITCHES.items()})
    try:
        yield {}
    finally:
        switches.attention.update(before)


manual.attach(__name__)
