"""Requests for the general path: while one is open, no operator takes its fast path.

The fast paths have no code for inference mode, tangents, anomaly mode and hooks on saved tensors. Code that turns one of these on opens a request.
The fast paths test a global of their own module, because this is fastest. So they register a `listener`, which is called at each change.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

_lock = threading.Lock()
_open = 0
listeners: list[Callable[[bool], None]] = []  # each is called with whether a request is open


def request() -> None:
    """Open a request. Each one needs its own `withdraw`."""
    _change(1)


def withdraw() -> None:
    """Close one request."""
    _change(-1)


def _change(by: int) -> None:
    global _open
    with _lock:
        before, _open = _open, _open + by
        if bool(before) != bool(_open):
            for listener in listeners:
                listener(bool(_open))
