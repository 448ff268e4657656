"""cuDNN, which jgrad does not use: `torch.backends.cudnn`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

enabled, benchmark, deterministic, allow_tf32 = True, False, False, True


def is_available() -> bool:
    """Whether cuDNN can be used: always False."""
    return False


def is_acceptable(tensor: Any) -> bool:
    """Whether cuDNN computes with a tensor: always False."""
    return False


def version() -> None:
    """The version of cuDNN: always None."""


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
    depthwise_kernel: str = "auto",
) -> Iterator[None]:
    """A block in which the switches are these. They have no effect."""
    given = {
        "enabled": enabled,
        "benchmark": benchmark,
        "deterministic": deterministic,
        "allow_tf32": allow_tf32,
    }
    switches = globals()
    before = {name: switches[name] for name in given}
    switches.update(given)
    try:
        yield
    finally:
        switches.update(before)
