"""What only values tell, without looking. Replaces `jgrad.kernels.numpy.values`."""

from __future__ import annotations

from typing import Any

# PyTorch's own checks of this kind run on the device and end the program; here indexes wrap around.
CHECKED = False


def perhaps(mask: Any) -> bool:
    return True


def taken(a: Any, index: Any, axis: int | None = None, out: Any = None) -> Any:
    return a.take(index, axis, out)
