"""The accelerator, a device other than the CPU: `torch.accelerator`. In jgrad it is a GPU, or there is none."""

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
    """The type of the accelerator, or None."""
    return devices.device("cuda") if is_available() else None


def _require_accelerator() -> None:
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


def _with_accelerator(function: Any) -> Any:
    """A function of `jgrad.cuda`, with PyTorch's error if there is no GPU."""

    def call(device_index: Any = None, /) -> Any:
        _require_accelerator()
        return function(device_index)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    return call


current_stream, synchronize, get_memory_info = map(
    _with_accelerator, (cuda.current_stream, cuda.synchronize, cuda.mem_get_info)
)
memory_allocated, memory_reserved, max_memory_allocated, max_memory_reserved, reset_peak_memory_stats = map(
    _with_accelerator,
    (
        cuda.memory_allocated,
        cuda.memory_reserved,
        cuda.max_memory_allocated,
        cuda.max_memory_reserved,
        cuda.reset_peak_memory_stats,
    ),
)


def empty_cache() -> None:
    """Give memory that no tensor uses back to the device."""
    _require_accelerator()
    cuda.empty_cache()


def current_device_index() -> int:
    """The number of the current device, which is used if none is given."""
    _require_accelerator()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Make this device the current one, which is used if none is given. A negative number changes nothing."""
    if not (isinstance(device, int) and device < 0):
        _require_accelerator()
        cuda.set_device(device)


def set_stream(stream: cuda.Stream) -> None:
    """Let work go to this stream, and to its device."""
    _require_accelerator()
    cuda.set_stream(stream)


class device_index(cuda.device):
    """A block in which a device is the current one, which is used if none is given. None changes nothing."""

    def __init__(self, device: int | None, /) -> None:
        super().__init__(-1 if device is None else device)

    def __enter__(self) -> None:
        if self.idx >= 0:
            _require_accelerator()
        super().__enter__()
