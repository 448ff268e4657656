"""Libraries that PyTorch computes with and jgrad does not, under each of their names: `torch.backends.mkl`, `mkldnn`, `nnpack`, `openmp`, `opt_einsum`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

enabled = False
strategy = None  # in which order `einsum` multiplies: from the left to the right


def is_available() -> bool:
    """Whether the library computes: always False."""
    return False


@contextmanager
def flags(*args: Any, **kwargs: Any) -> Iterator[None]:
    """A block with other settings of the library, which have no effect."""
    yield
