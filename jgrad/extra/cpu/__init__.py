"""The CPU under the names that `jgrad.cuda` has; `torch.cpu`. Programs that take either module run with both."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from jgrad import manual
from jgrad.extra.cpu import amp as amp

__all__ = [
    "Event", "Stream", "StreamContext", "current_device", "current_stream", "device_count", "is_available", "is_initialized", "set_device",
    "stream", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is a CPU: always True."""
    return True


def is_initialized() -> bool:
    """Whether the CPU can be used: always True."""
    return True


def device_count() -> int:
    """The number of CPUs as devices, not of their cores: always 1."""
    return 1


def current_device() -> str:
    """The current CPU: always "cpu"."""
    return "cpu"


def set_device(device: Any) -> None:
    """Choose the current CPU. There is only one, so this does nothing."""


def synchronize(device: Any = None) -> None:
    """Wait until all work is done. The CPU computes at once, so this does nothing."""


class Stream:
    """A queue of work. The CPU computes at once, so its methods do nothing."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Wait for another stream, which does nothing."""

    def record_event(self) -> None:
        """Record an event, which does nothing."""

    def wait_event(self, event: Any) -> None:
        """Wait for an event, which does nothing."""


class Event:
    """A point in a stream. The CPU computes at once, so it is always over."""

    def query(self) -> bool:
        """Whether the work before the event is done: always True."""
        return True

    def record(self, stream: Any = None) -> None:
        """Record the event, which does nothing."""

    def synchronize(self) -> None:
        """Wait for the event, which does nothing."""

    def wait(self, stream: Any = None) -> None:
        """Make a stream wait for the event, which does nothing."""


_default_stream = Stream()
_current_stream = _default_stream


def current_stream(device: Any = None) -> Stream:
    """The current stream."""
    return _current_stream


class StreamContext(AbstractContextManager):
    """A block in which another stream is the current one."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream
        self.prev_stream = _default_stream

    def __enter__(self) -> None:
        global _current_stream
        if self.stream is not None:
            self.prev_stream, _current_stream = _current_stream, self.stream

    def __exit__(self, *_: object) -> None:
        global _current_stream
        if self.stream is not None:
            _current_stream = self.prev_stream


def stream(stream: Stream | None) -> StreamContext:
    """A block in which another stream is the current one."""
    return StreamContext(stream)


manual.attach(__name__)
