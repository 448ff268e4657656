"""The accelerator, a device other than the CPU: `torch.accelerator`. In jgrad it is a GPU, or there is none."""

from __future__ import annotations

from typing import Any

from jgrad import cuda, devices, manual

__all__ = [
    "current_accelerator", "current_device_index", "current_stream", "device_count", "device_index", "empty_cache", "get_memory_info",
    "is_available", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "reset_peak_memory_stats",
    "set_device_index", "set_stream", "synchronize",
]  # fmt: skip

is_available, device_count = cuda.is_available, cuda.device_count


def current_accelerator(check_available: bool = False) -> devices.device | None:
    """The accelerator that tensors can be on, as a device without a number. In jgrad it is a GPU."""
    return devices.device("cuda") if is_available() else None


def _require_accelerator() -> None:
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


_DOC = """{summary}

Args:
    device_index: the accelerator, as a number, or as a device or its name; None means the current one

{returns}Raises RuntimeError if there is no accelerator.

>>> if jgrad.accelerator.is_available():
...     {example}
"""


def _with_accelerator(function: Any, summary: str, returns: str, example: str) -> Any:
    """A function of `jgrad.cuda`, with PyTorch's error if there is no GPU, and what its docstring says."""

    def call(device_index: Any = None, /) -> Any:
        _require_accelerator()
        return function(device_index)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = _DOC.format(summary=summary, returns=returns, example=example)
    return call


current_stream = _with_accelerator(
    cuda.current_stream,
    "The stream of an accelerator to which work goes now.",
    "Returns a `jgrad.cuda.Stream`. ",
    "stream = jgrad.accelerator.current_stream()",
)
synchronize = _with_accelerator(
    cuda.synchronize,
    "Wait until an accelerator has done all its work. It works while the Python program goes on. So call this before you measure time.",
    "",
    "jgrad.accelerator.synchronize()",
)
get_memory_info = _with_accelerator(
    cuda.mem_get_info,
    "How many bytes of an accelerator's memory are free, and how many it has. All programs on it count.",
    "Returns a tuple of two integers, the free and the total number of bytes. ",
    "free, total = jgrad.accelerator.get_memory_info()",
)
memory_allocated = _with_accelerator(
    cuda.memory_allocated,
    "How many bytes of an accelerator's memory are in use by tensors.",
    "Returns an integer, which is 0 as long as no accelerator was used. ",
    "in_use = jgrad.accelerator.memory_allocated()",
)
memory_reserved = _with_accelerator(
    cuda.memory_reserved,
    "How many bytes of an accelerator's memory CuPy holds for tensors. It keeps the memory of tensors that are gone, and uses it for new ones.",
    "Returns an integer, which is 0 as long as no accelerator was used. ",
    "assert jgrad.accelerator.memory_reserved() >= jgrad.accelerator.memory_allocated()",
)
max_memory_allocated = _with_accelerator(
    cuda.max_memory_allocated,
    "The largest number of bytes that were in use by tensors since `jgrad.accelerator.reset_peak_memory_stats` was called.",
    "Returns an integer. Raises NotImplementedError if that function was not called for this accelerator before. ",
    "jgrad.accelerator.reset_peak_memory_stats(); peak = jgrad.accelerator.max_memory_allocated()",
)
max_memory_reserved = _with_accelerator(
    cuda.max_memory_reserved,
    "The largest number of bytes that CuPy has held for tensors, since `jgrad.accelerator.reset_peak_memory_stats` or since the program began.",
    "Returns an integer, which is 0 as long as no accelerator was used. ",
    "peak = jgrad.accelerator.max_memory_reserved()",
)
reset_peak_memory_stats = _with_accelerator(
    cuda.reset_peak_memory_stats,
    "Let `max_memory_allocated` and `max_memory_reserved` start again from the memory that is in use now.",
    "",
    "jgrad.accelerator.reset_peak_memory_stats()",
)


def empty_cache() -> None:
    """Give memory that no tensor uses back to the accelerator, so that other programs can use it. Memory of tensors stays as it is."""
    _require_accelerator()
    cuda.empty_cache()


def current_device_index() -> int:
    """The number of the current accelerator. It is used wherever a program gives no number."""
    _require_accelerator()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Make an accelerator the current one. It is then used wherever a program gives no number."""
    if not (isinstance(device, int) and device < 0):
        _require_accelerator()
        cuda.set_device(device)


def set_stream(stream: cuda.Stream) -> None:
    """Let work go to a stream from now on, and make its accelerator the current one."""
    _require_accelerator()
    cuda.set_stream(stream)


class device_index(cuda.device):
    """A block in which an accelerator is the current one. After the block, the accelerator from before is the current one again."""

    def __init__(self, device: int | None, /) -> None:
        super().__init__(-1 if device is None else device)

    def __enter__(self) -> None:
        if self.idx >= 0:
            _require_accelerator()
        super().__enter__()


manual.attach(__name__)
