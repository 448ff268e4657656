"""The state of autocast in each thread: for which devices it is on, in which dtype, and the weights that it has already cast.

`jgrad/dispatch/autocast.py` reads it when an operator is called, `jgrad/amp/` has what users call.
"""

from __future__ import annotations

import threading
from typing import Any

from jgrad import dtypes
from jgrad.graph import general_path


class _State(threading.local):
    def __init__(self) -> None:
        self.enabled = {"cpu": False, "cuda": False}
        self.dtypes = {"cpu": dtypes.bfloat16, "cuda": dtypes.float16}
        self.cache_enabled = True
        self.nesting = 0
        self.inside = False  # an operator runs that autocast has cast the arguments of: those that it calls are left alone
        # By id: a weight, which the entry keeps alive, and its cast. Both are tensors.
        self.cache: dict[int, tuple[Any, Any]] = {}


state = _State()

# Note [Autocast and the fast path]: the fast paths have no code for autocast. While autocast is on in some thread, there is a request for the
# general path, which reads this state. If `anywhere` is False, it need not read a thread-local.
anywhere = False
_on = 0
_lock = threading.Lock()


def set_enabled(device: str, enabled: bool) -> None:
    """Turn autocast on or off for the tensors on a type of device."""
    global _on, anywhere
    if state.enabled[device] == enabled:
        return
    state.enabled[device] = enabled
    (general_path.request if enabled else general_path.withdraw)()
    with _lock:
        _on += 1 if enabled else -1
        anywhere = _on > 0


def clear_cache() -> None:
    """Forget the weights that were cast."""
    state.cache.clear()


def change_nesting(by: int) -> int:
    """Count one more, or one less, open block in this thread; returns how many are open."""
    state.nesting += by
    return state.nesting


def dtype_for(tensor: Any) -> Any:
    """The dtype that a tensor is cast to where precision may be lower; None if autocast leaves it alone."""
    device = tensor.device.type
    return state.dtypes[device] if state.enabled.get(device) else None
