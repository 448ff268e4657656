"""Settings of the whole process: whether results must be the same in each run, precision of products, threads.

jgrad's kernels compute the same in each run. So all that `use_deterministic_algorithms` changes is what PyTorch would also do on a CPU: memory
that is not set is filled, and two operations are refused.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from jgrad.errors import class_name
from jgrad.warn import say

__all__ = [
    "are_deterministic_algorithms_enabled", "get_deterministic_debug_mode", "get_float32_matmul_precision", "get_num_interop_threads",
    "get_num_threads", "is_deterministic_algorithms_warn_only_enabled", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_num_interop_threads", "set_num_threads", "use_deterministic_algorithms",
]  # fmt: skip

deterministic = False
fills_memory = True  # if deterministic; `jgrad.utils.deterministic.fill_uninitialized_memory`
_warns_only = False
_precision = "highest"
_threads = {"num_threads": os.cpu_count() or 1, "num_interop_threads": os.cpu_count() or 1}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Refuse operations whose results may differ from run to run, or with `warn_only` give a warning; fill memory that is not set.

    `empty()` and similar functions then give nan, the largest integer, or True, unless
    `jgrad.utils.deterministic.fill_uninitialized_memory` is False.
    """
    global deterministic, _warns_only
    for name, value, where in (("mode", mode, " (position 1)"), ("warn_only", warn_only, "")):
        if not isinstance(value, bool):
            raise TypeError(
                f"_set_deterministic_algorithms(): argument '{name}'{where} must be bool, not {class_name(value)}"
            )
    deterministic, _warns_only = mode, warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms(True)` was called last."""
    return deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether a warning is given in place of an error."""
    return _warns_only


_MODES = ("default", "warn", "error")


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """`use_deterministic_algorithms` by one word or number: "default" or 0, "warn" or 1, "error" or 2."""
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError(
                f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
            )
        debug_mode = _MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """0, 1 or 2; see `set_deterministic_debug_mode`."""
    return (1 if _warns_only else 2) if deterministic else 0


def refuse_if_deterministic(operation: str) -> None:
    """Refuse an operation of which PyTorch says that its results may differ from run to run, if that was asked for."""
    if not deterministic:
        return
    begins = f"{operation} does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True"
    ends = "file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this operation."
    if _warns_only:
        say(f"{begins}, warn_only=True)'. You can {ends}")
        return
    raise RuntimeError(
        f"{begins})'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's "
        f"acceptable for your application. You can also {ends}"
    )


def fill_if_deterministic(array: Any) -> None:
    """Fill new memory such that each run finds the same in it."""
    if deterministic and fills_memory:
        kind = array.dtype.kind
        array[...] = np.iinfo(array.dtype).max if kind in "iu" else True if kind == "b" else np.nan


def set_float32_matmul_precision(precision: str) -> None:
    """Accepted, and without effect: products of float32 are computed in float32."""
    global _precision
    if not isinstance(precision, str):
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {class_name(precision)}")
    if precision not in ("highest", "high", "medium"):
        say(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has no effect."
        )
        return
    _precision = precision


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` was last called with."""
    return _precision


def _set_threads(name: str, count: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool):
        raise RuntimeError(f"set_{name} expects an int, but got {class_name(count)}")
    if count <= 0:
        raise RuntimeError(f"set_{name} expects a positive integer")
    _threads[name] = count


def set_num_threads(count: int, /) -> None:
    """Accepted, and without effect: NumPy's libraries choose how many threads they use."""
    _set_threads("num_threads", count)


def get_num_threads() -> int:
    """What `set_num_threads` was last called with; at first the number of processors."""
    return _threads["num_threads"]


def set_num_interop_threads(count: int, /) -> None:
    """Accepted, and without effect."""
    _set_threads("num_interop_threads", count)


def get_num_interop_threads() -> int:
    """What `set_num_interop_threads` was last called with; at first the number of processors."""
    return _threads["num_interop_threads"]
