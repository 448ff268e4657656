"""What computes beside the CPU, whatever it is; `torch.accelerator`. Here that is a GPU or nothing."""

from __future__ import annotations

from typing import Any

from jgrad import cuda, devices

__all__ = [
    "current_accelerator", "current_device_index", "current_stream", "device_count", "device_index", "empty_cache", "get_memory_info",
    "is_available", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "reset_peak_memory_stats",
    "set_device_index", "set_stream", "synchronize",
]  # fmt: skip

is_available, device_count = cuda.is_available, cuda.device_count


def current_accelerator(check_available: bool = False) -> devices.device | None:
    """The type of device that computes beside the CPU, if there is one."""
    return devices.device("cuda") if is_available() else None


def _there() -> None:
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


def _on_it(function: Any) -> Any:
    """A function of `jgrad.cuda` that needs a GPU."""

    def call(device_index: Any = None, /) -> Any:
        _there()
        return function(device_index)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    return call


current_stream, synchronize, get_memory_info = map(
    _on_it, (cuda.current_stream, cuda.synchronize, cuda.mem_get_info)
)
memory_allocated, memory_reserved, max_memory_allocated, max_memory_reserved, reset_peak_memory_stats = map(
    _on_it,
    (
        cuda.memory_allocated,
        cuda.memory_reserved,
        cuda.max_memory_allocated,
        cuda.max_memory_reserved,
        cuda.reset_peak_memory_stats,
    ),
)


def empty_cache() -> None:
    """Give memory that no tensor occupies back."""
    _there()
    cuda.empty_cache()


def current_device_index() -> int:
    """The number of the device that is used where none is named."""
    _there()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Use this device where none is named; a negative number changes nothing."""
    if not (isinstance(device, int) and device < 0):
        _there()
        cuda.set_device(device)


def set_stream(stream: cuda.Stream) -> None:
    """Have work go to this stream, and to its device."""
    _there()
    cuda.set_stream(stream)


class device_index(cuda.device):
    """A block in which a device is used where none is named; None changes nothing."""

    def __init__(self, device: int | None, /) -> None:
        super().__init__(-1 if device is None else device)

    def __enter__(self) -> None:
        if self.idx >= 0:
            _there()
        super().__enter__()
