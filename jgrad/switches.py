"""Settings of the whole process: whether results must be the same in each run, precision of products, threads.

jgrad's kernels compute the same in each run. So all that `use_deterministic_algorithms` changes is what PyTorch would also do on a CPU: memory
that is not set is filled, and two operations are refused.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from typing import Any

import numpy as np

from jgrad import manual
from jgrad.errors import class_name
from jgrad.warn import say

__all__ = [
    "are_deterministic_algorithms_enabled", "get_deterministic_debug_mode", "get_float32_matmul_precision", "get_num_interop_threads",
    "get_num_threads", "is_deterministic_algorithms_warn_only_enabled", "set_deterministic_debug_mode", "set_float32_matmul_precision", "set_flush_denormal",
    "set_num_interop_threads", "set_num_threads", "use_deterministic_algorithms",
]  # fmt: skip

# Which ways to compute attention may be chosen; `jgrad.nn.attention.sdpa_kernel`. On a CPU there are "flash" and "math".
attention = {"cudnn": True, "flash": True, "mem_efficient": True, "math": True, "overrideable": True}

deterministic = False
fills_memory = True  # if deterministic; `jgrad.utils.deterministic.fill_uninitialized_memory`
_warns_only = False
_precision = "highest"
_threads = {"num_threads": os.cpu_count() or 1, "num_interop_threads": os.cpu_count() or 1}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Set whether a program must compute the same results in each run. Then operations that cannot promise it raise RuntimeError."""
    global deterministic, _warns_only
    for name, value, where in (("mode", mode, " (position 1)"), ("warn_only", warn_only, "")):
        if not isinstance(value, bool):
            raise TypeError(
                f"_set_deterministic_algorithms(): argument '{name}'{where} must be bool, not {class_name(value)}"
            )
    deterministic, _warns_only = mode, warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last called with True."""
    return deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last called with `warn_only=True`: its refused operations give a warning instead of an error."""
    return _warns_only


_MODES = ("default", "warn", "error")


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Call `use_deterministic_algorithms` with one word or number for both of its arguments."""
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
    """What `use_deterministic_algorithms` or `set_deterministic_debug_mode` has set, as a number."""
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


def fill_if_deterministic(array: Any) -> bool:
    """Fill new memory such that each run finds the same in it. Returns whether this is asked for."""
    if deterministic and fills_memory:
        kind = array.dtype.kind
        array[...] = np.iinfo(array.dtype).max if kind in "iu" else True if kind == "b" else np.nan
    return deterministic and fills_memory


def set_float32_matmul_precision(precision: str) -> None:
    """Set how exactly PyTorch multiplies float32 matrices. jgrad keeps the setting, but always computes these products in float32."""
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
    """The word that `set_float32_matmul_precision` has set."""
    return _precision


def _set_threads(name: str, count: int) -> None:
    if not isinstance(count, int) or isinstance(count, bool):
        raise RuntimeError(f"set_{name} expects an int, but got {class_name(count)}")
    if count <= 0:
        raise RuntimeError(f"set_{name} expects a positive integer")
    _threads[name] = count


def set_num_threads(count: int, /) -> None:
    """Set how many threads PyTorch uses for one operation. jgrad keeps the number, but it has no effect: NumPy's libraries choose it themselves."""
    _set_threads("num_threads", count)


def get_num_threads() -> int:
    """The number that `set_num_threads` has set; at first it is the number of processors."""
    return _threads["num_threads"]


def set_num_interop_threads(count: int, /) -> None:
    """Set how many operations PyTorch may run at the same time. jgrad keeps the number, but it has no effect."""
    _set_threads("num_interop_threads", count)


def get_num_interop_threads() -> int:
    """The number that `set_num_interop_threads` has set; at first it is the number of processors."""
    return _threads["num_interop_threads"]


# Where the state of floating-point arithmetic has the bits that make tiny numbers zero: the 32-bit word of C's `fenv_t`, and the bits.
_FLUSHING = {"x86_64": (7, 0x8040), "aarch64": (0, 1 << 24)}


def set_flush_denormal(mode: bool, /) -> bool:
    """Set whether numbers below the smallest normal one count as zero, in what this thread computes."""
    if not isinstance(mode, bool):
        raise RuntimeError(f"flush_denormal expects a bool, but got {class_name(mode)}")
    if sys.platform != "linux" or platform.machine() not in _FLUSHING:
        return False
    word, bits = _FLUSHING[platform.machine()]
    library, state = ctypes.CDLL(None), (ctypes.c_uint32 * 8)()
    if not hasattr(library, "fegetenv"):
        library = ctypes.CDLL("libm.so.6")
    library.fegetenv(state)
    state[word] = state[word] | bits if mode else state[word] & ~bits
    return bool(library.fesetenv(state) == 0)


manual.attach(__name__)
