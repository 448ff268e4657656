"""What only values tell, without waiting for them. Replaces functions of `jgrad.kernels.numpy.values`.

The device computes whether something is wrong while the program goes on; the error comes when the device is waited for anyhow, by `item`,
`tolist`, printing, a copy to the CPU or `synchronize`; at once with CUDA_LAUNCH_BLOCKING=1 in the environment, as in PyTorch, whose own
checks of this kind end the program.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from jgrad.kernels.numpy.fusing import summed

CHECKED = False
_pending: list[tuple[Any, int, int, Callable[[], Exception]]] = []  # smallest or largest numbers, and bounds
# Checks that may wait; they keep the arrays alive that their errors would speak of.
_MOST = 1 if os.environ.get("CUDA_LAUNCH_BLOCKING") == "1" else 256


def refuse_unless(holds: Any, error: Callable[[], Exception]) -> None:
    if holds.size:
        _later(holds.all(), 1, 2, error)


def refuse_outside(numbers: Any, low: int, end: int, error: Callable[[], Exception]) -> None:
    if numbers.size:
        wide = numbers if numbers.dtype.itemsize == 8 else numbers.astype(np.int64)
        _later(outside(wide, low, end), 0, 1, error)


@summed
def outside(numbers: Any, low: int, end: int) -> Any:
    return ((numbers < low) | (numbers >= end)).astype(np.int64)


def _later(number: Any, low: int, end: int, error: Callable[[], Exception]) -> None:
    _pending.append((number, low, end, error))
    if len(_pending) >= _MOST:
        settle()


def settle() -> None:
    """Wait for the checks under way, and raise the error of the first that failed."""
    waiting, _pending[:] = list(_pending), []
    for number, low, end, error in waiting:
        # Whatever stream computes it, the default one waits for all.
        if not low <= number.get(cupy.cuda.Stream.null).item() < end:
            with number.device:
                raise error()


def any_or_unknown(mask: Any) -> bool:
    return True


def all_or_refused_later(mask: Any, error: Callable[[], Exception]) -> bool:
    refuse_unless(mask, error)
    return True


def taken(a: Any, index: Any, axis: int | None = None, out: Any = None) -> Any:
    return a.take(index, axis, out)
