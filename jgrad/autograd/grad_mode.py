"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`, per thread."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any


class _Mode(threading.local):
    enabled = True


# Note [Grad mode and the fast path]: reading a thread-local costs half as much as a whole view, so `may_be_off` says whether any thread
# ever turned recording off and did not turn it back on; only then is the thread-local truth read.
mode = _Mode()
_off = 0
_lock = threading.Lock()
may_be_off = False


def is_grad_enabled() -> bool:
    """Whether this thread records operations."""
    return mode.enabled


def _set(enabled: bool) -> None:
    global _off, may_be_off
    if enabled != mode.enabled:
        with _lock:
            _off += -1 if enabled else 1
            may_be_off = _off > 0
        mode.enabled = enabled


class _Context:
    """A grad mode as context manager and as decorator (of functions and generators)."""

    _enabled: bool

    def __enter__(self) -> None:
        self._before = mode.enabled
        _set(self._enabled)

    def __exit__(self, *_: object) -> None:
        _set(self._before)

    def clone(self) -> _Context:
        return type(self)()

    def __call__(self, function: Callable) -> Callable:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                # The mode holds while the generator's own code runs, not while it is suspended.
                with self.clone():
                    iterator = function(*args, **kwargs)
                    item = next(iterator, _DONE)
                while item is not _DONE:
                    received = yield item
                    with self.clone():
                        try:
                            item = iterator.send(received)
                        except StopIteration as stop:
                            return stop.value

            return generator

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return decorated


_DONE = object()


class _WithoutParentheses(_Context):
    """`@no_grad` works as `@no_grad()` does."""

    def __new__(cls, function: Callable | None = None) -> Any:
        mode_object = super().__new__(cls)
        return mode_object if function is None else mode_object(function)


class no_grad(_WithoutParentheses):
    """Do not record operations in this block: results have `requires_grad=False`."""

    _enabled = False


class enable_grad(_WithoutParentheses):
    """Record operations in this block, also inside `no_grad`."""

    _enabled = True


class set_grad_enabled(_Context):
    """Turn recording on or off, from the call on or for a block."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type(mode).__name__}"
            )
        self._before = is_grad_enabled()
        self._enabled = mode
        _set(mode)

    def __enter__(self) -> None:
        _set(self._enabled)

    def __call__(self, function: Callable) -> Callable:
        _set(self._before)  # as a decorator it only holds inside the function
        return super().__call__(function)

    def clone(self) -> set_grad_enabled:
        enabled, before = self._enabled, is_grad_enabled()
        context = set_grad_enabled(enabled)
        context._before = before
        return context
