"""Which way attention is computed: `torch.nn.attention`."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jgrad import switches


class SDPBackend(enum.Enum):
    """The ways in which PyTorch computes attention. Here there are two: FLASH_ATTENTION in one step, MATH by several operations.

    >>> jgrad.nn.attention.SDPBackend.MATH
    <SDPBackend.MATH: 0>
    """

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
    """A block in which `scaled_dot_product_attention` is computed in one of the given ways. If none of them can do it, it raises RuntimeError.

    Args:
        backends: an `SDPBackend`, or a list of them
        set_priority: whether the first of them that can do it is to be taken; here FLASH_ATTENTION is always tried before MATH

    >>> from jgrad.nn.attention import SDPBackend, sdpa_kernel
    >>> x = jgrad.ones(1, 1, 2, 3, requires_grad=True)
    >>> with sdpa_kernel(SDPBackend.MATH):
    ...     jgrad.nn.functional.scaled_dot_product_attention(x, x, x).grad_fn.name()
    'UnsafeViewBackward0'
    """
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
