"""Notices that a watched block computes in other threads or processes. The trace does not record these, and a note says so.

A thread that is started in a watched block has a function mode of ours, which sees the first call of PyTorch there. So has one that was started before,
while it does what the block gives it through a `ThreadPoolExecutor`. Of other threads that were started before some calls are seen: a backward pass,
and the functions of `torch.nn.functional`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from threading import get_ident
from typing import Any

from torch.overrides import TorchFunctionMode

from jgrad import observer
from jgrad.mirrors.torch.plans import READS, call_of, known_calls
from jgrad.mirrors.torch.private import remove_function_mode
from jgrad.mirrors.torch.watch import Watch

THREAD = "another thread computes with tensors"
WORKERS = "the workers of a DataLoader run in other processes"
PROCESS = "another process was started"

noticing: dict[int, Noticing] = {}  # by thread: the modes that still wait for a call


class Noticing(TorchFunctionMode):
    """Sees the first call in a thread."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch: Watch | None = watch

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        __tracebackhide__ = True
        if self.watch is not None:
            call = known_calls.get(func) or call_of(func)
            if call.kind != READS and not call.always_seen:  # (backward passes have a note of their own)
                watch, self.watch = self.watch, None
                watch.runs_elsewhere(THREAD)
        return func(*args, **(kwargs or {}))


def starting_thread(start: Callable, asking: Callable[[], Watch | None]) -> Callable:
    """`Thread.start`, which has what runs in the thread noticed."""

    @wraps(start)
    def begin(thread: Any) -> None:
        watch = asking()
        if watch is None:
            return start(thread)
        run = thread.run

        def noticed() -> None:
            vars(thread).pop("run", None)
            mode = noticing[get_ident()] = Noticing(watch)
            mode.__enter__()
            try:
                run()
            finally:
                stop_noticing()

        thread.run = noticed
        try:
            return start(thread)
        except BaseException:
            vars(thread).pop("run", None)
            raise

    return begin


def submitting(submit: Callable, asking: Callable[[], Watch | None]) -> Callable:
    """`ThreadPoolExecutor.submit`, which has what runs in the pool's thread noticed."""

    @wraps(submit)
    def submitted(pool: Any, function: Callable, /, *args: Any, **kwargs: Any) -> Any:
        watch = asking()
        if watch is not None:
            function = partial(_noticed, watch, function)
        return submit(pool, function, *args, **kwargs)

    return submitted


def _noticed(watch: Watch, function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function in a thread that may have no mode of ours yet."""
    __tracebackhide__ = True
    if watch.left or get_ident() in noticing:
        return function(*args, **kwargs)
    mode = noticing[get_ident()] = Noticing(watch)
    mode.__enter__()
    try:
        return function(*args, **kwargs)
    finally:
        stop_noticing()


def stop_noticing() -> None:
    """Take the mode of this thread away."""
    mode = noticing.pop(get_ident(), None)
    if mode is not None:
        remove_function_mode(mode)


def starting_process(start: Callable, asking: Callable[[], Watch | None]) -> Callable:
    """`Process.start`, with a note."""

    @wraps(start)
    def begin(process: Any) -> None:
        watch = asking()
        if watch is not None:
            of = getattr(getattr(process, "_target", None), "__module__", None) or ""
            watch.not_followed(WORKERS if of.startswith("torch.utils.data.") else PROCESS)
        return start(process)

    return begin


def forget_in_children(watches: dict[int, Watch]) -> None:
    """A process that is forked in a watched block has a copy of the recorder, of which nobody will read anything."""

    def forked() -> None:
        for watch in watches.values():
            watch.leave()
        if watches:
            observer.remove_all()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=forked)
