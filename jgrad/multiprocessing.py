"""`torch.multiprocessing`: Python's `multiprocessing`, and `spawn`. Tensors that are sent to another process share their memory with it."""

from __future__ import annotations

import multiprocessing as _multiprocessing
import multiprocessing.connection as _connection
import signal as _signal
import traceback as _traceback
from collections.abc import Callable as _Callable
from multiprocessing import *  # noqa: F403
from typing import Any as _Any

from jgrad import manual

__all__ = [
    *_multiprocessing.__all__,
    "ProcessContext",
    "ProcessExitedException",
    "ProcessRaisedException",
    "get_all_sharing_strategies",
    "get_sharing_strategy",
    "set_sharing_strategy",
    "spawn",
    "start_processes",
]

_STRATEGIES = {"file_descriptor", "file_system"}
_strategy = "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """The names of PyTorch's ways to send tensors. They all do the same here."""
    return set(_STRATEGIES)


def get_sharing_strategy() -> str:
    """The name that was set last."""
    return _strategy


def set_sharing_strategy(new_strategy: str) -> None:
    """Set one of PyTorch's ways to send tensors."""
    global _strategy
    assert new_strategy in _STRATEGIES
    _strategy = new_strategy


class ProcessException(Exception):
    """A process of `spawn` failed. `error_index` is its number, `pid` its id."""

    def __init__(self, msg: str, error_index: int, pid: int) -> None:
        super().__init__(msg)
        self.msg, self.error_index, self.pid = msg, error_index, pid

    def __reduce__(self) -> tuple:
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """The function of a process raised an error."""


class ProcessExitedException(ProcessException):
    """A process ended by itself or by a signal: `exit_code`, `signal_name`."""

    def __init__(
        self, msg: str, error_index: int, error_pid: int, exit_code: int, signal_name: str | None = None
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code, self.signal_name = exit_code, signal_name

    def __reduce__(self) -> tuple:
        return type(self), (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)


def _run(fn: _Callable[..., _Any], i: int, args: tuple, errors: _Any) -> None:
    """What a process does: it calls the function, and sends the text of its error."""
    try:
        fn(i, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        errors.put(_traceback.format_exc())
        raise SystemExit(1) from None


class ProcessContext:
    """The processes that `spawn(join=False)` started."""

    def __init__(self, processes: list[_Any], errors: list[_Any]) -> None:
        self.processes, self._errors = processes, errors

    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Wait until one of the processes ends, or all have ended."""
        running = {process.sentinel: process for process in self.processes if process.exitcode is None}
        for sentinel in _connection.wait(list(running), timeout) if running else ():
            # It has ended, but its exit code is known only when it has been waited for.
            running[sentinel].join()
        codes = [process.exitcode for process in self.processes]
        failed = next((i for i, code in enumerate(codes) if code not in (None, 0)), None)
        if failed is None:
            return None not in codes
        for process in self.processes:
            if process.is_alive() and grace_period:
                process.join(grace_period)
            if process.is_alive():
                process.terminate()
            process.join()
        raise self._error(failed)

    def _error(self, i: int) -> ProcessException:
        process = self.processes[i]
        if not self._errors[i].empty():
            text = f"\n\n-- Process {i} terminated with the following error:\n{self._errors[i].get()}"
            return ProcessRaisedException(text, i, process.pid)
        if process.exitcode < 0:
            name = _signal.Signals(-process.exitcode).name
            text = f"process {i} terminated with signal {name}"
            return ProcessExitedException(text, i, process.pid, process.exitcode, name)
        text = f"process {i} terminated with exit code {process.exitcode}"
        return ProcessExitedException(text, i, process.pid, process.exitcode)


def start_processes(
    fn: _Callable[..., _Any],
    args: tuple = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Call `fn(i, *args)` in several processes, with i from 0 to `nprocs` - 1."""
    context: _Any = _multiprocessing.get_context(start_method)
    errors = [context.SimpleQueue() for _ in range(nprocs)]
    processes = [
        context.Process(target=_run, args=(fn, i, args, errors[i]), daemon=daemon) for i in range(nprocs)
    ]
    for process in processes:
        process.start()
    started = ProcessContext(processes, errors)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: _Callable[..., _Any],
    args: tuple = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """`start_processes` with new Python processes."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)


manual.attach(__name__)
