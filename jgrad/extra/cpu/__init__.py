"""The CPU under the names that `jgrad.cuda` has; `torch.cpu`. Programs that take either module run with both."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from jgrad.extra.cpu import amp as amp

__all__ = [
    "Event", "Stream", "StreamContext", "current_device", "current_stream", "device_count", "is_available", "is_initialized", "set_device",
    "stream", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether there is a CPU: always True.

    >>> jgrad.cpu.is_available()
    True
    """
    return True


def is_initialized() -> bool:
    """Whether the CPU can be used: always True.

    >>> jgrad.cpu.is_initialized()
    True
    """
    return True


def device_count() -> int:
    """The number of CPUs as devices, not of their cores: always 1.

    >>> jgrad.cpu.device_count()
    1
    """
    return 1


def current_device() -> str:
    """The current CPU: always "cpu".

    >>> jgrad.cpu.current_device()
    'cpu'
    """
    return "cpu"


def set_device(device: Any) -> None:
    """Choose the current CPU. There is only one, so this does nothing.

    Args:
        device: accepted, but has no effect

    >>> jgrad.cpu.set_device("cpu")
    """


def synchronize(device: Any = None) -> None:
    """Wait until all work is done. The CPU computes at once, so this does nothing.

    Args:
        device: accepted, but has no effect

    >>> jgrad.cpu.synchronize()
    """


class Stream:
    """A queue of work. The CPU computes at once, so its methods do nothing.

    Args:
        priority: accepted, but has no effect

    >>> stream = jgrad.cpu.Stream()
    >>> stream.wait_stream(jgrad.cpu.current_stream())
    """

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Wait for another stream, which does nothing.

        Args:
            stream: accepted, but has no effect
        """

    def record_event(self) -> None:
        """Record an event, which does nothing."""

    def wait_event(self, event: Any) -> None:
        """Wait for an event, which does nothing.

        Args:
            event: accepted, but has no effect
        """


class Event:
    """A point in a stream. The CPU computes at once, so it is always over.

    >>> event = jgrad.cpu.Event()
    >>> event.record()
    >>> event.query()
    True
    """

    def query(self) -> bool:
        """Whether the work before the event is done: always True."""
        return True

    def record(self, stream: Any = None) -> None:
        """Record the event, which does nothing.

        Args:
            stream: accepted, but has no effect
        """

    def synchronize(self) -> None:
        """Wait for the event, which does nothing."""

    def wait(self, stream: Any = None) -> None:
        """Make a stream wait for the event, which does nothing.

        Args:
            stream: accepted, but has no effect
        """


_default_stream = Stream()
_current_stream = _default_stream


def current_stream(device: Any = None) -> Stream:
    """The current stream.

    Args:
        device: accepted, but has no effect

    >>> jgrad.cpu.current_stream() is jgrad.cpu.current_stream()
    True
    """
    return _current_stream


class StreamContext(AbstractContextManager):
    """A block in which another stream is the current one.

    Args:
        stream: the stream, or None, which changes nothing

    >>> stream = jgrad.cpu.Stream()
    >>> with jgrad.cpu.StreamContext(stream):
    ...     jgrad.cpu.current_stream() is stream
    True
    """

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
    """A block in which another stream is the current one.

    Args:
        stream: the stream, or None, which changes nothing

    Returns the context manager.

    >>> stream = jgrad.cpu.Stream()
    >>> with jgrad.cpu.stream(stream):
    ...     jgrad.cpu.current_stream() is stream
    True
    """
    return StreamContext(stream)
