"""Devices and memory as CuPy shows them: a pointer into a memory that lives on a device."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

COUNT = 2
_current = [0]


class Device:
    """One of the pretended GPUs; as a context it is the current one."""

    __slots__ = ("id",)

    def __init__(self, device: int | Device | None = None) -> None:
        self.id = _current[-1] if device is None else device.id if isinstance(device, Device) else int(device)

    def use(self) -> None:
        """Makes it the current device of whatever context this is."""
        check(self.id)
        _current[-1] = self.id

    def __enter__(self) -> Device:
        check(self.id)
        _current.append(self.id)
        return self

    def __exit__(self, *error: object) -> None:
        _current.pop()

    def synchronize(self) -> None:
        """Nothing is ever under way in host memory."""

    @property
    def mem_info(self) -> tuple[int, int]:
        return 2**30, 2**31

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"


def check(device: int) -> None:
    if not 0 <= device < COUNT:
        raise RuntimeError("cudaErrorInvalidDevice: invalid device ordinal")


def current() -> int:
    """The id of the current device."""
    return _current[-1]


class Memory:
    """The memory of one allocation. It has no weak references, like CuPy's."""

    __slots__ = ("root", "ptr", "size", "device_id")

    def __init__(self, root: np.ndarray, device: int) -> None:
        # All host arrays on this memory have `root` as their base, or are it.
        self.root, self.ptr, self.size, self.device_id = root, address(root), root.nbytes, device

    @property
    def device(self) -> Device:
        return Device(self.device_id)


class UnownedMemory(Memory):
    """Memory that somebody else owns, at an address: `_owner` keeps it alive."""

    __slots__ = ("_owner",)

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        cells = (ctypes.c_ubyte * size).from_address(ptr)
        super().__init__(np.frombuffer(cells, np.uint8), current() if device_id < 0 else device_id)
        self._owner = owner


class MemoryPointer:
    """An address in a memory."""

    __slots__ = ("mem", "_offset")

    def __init__(self, mem: Memory, offset: int) -> None:
        self.mem, self._offset = mem, offset

    @property
    def ptr(self) -> int:
        return self.mem.ptr + self._offset

    @property
    def device(self) -> Device:
        return self.mem.device

    @property
    def device_id(self) -> int:
        return self.mem.device_id

    def __int__(self) -> int:
        return self.ptr

    def __add__(self, bytes: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self._offset + bytes)

    __radd__ = __add__

    def __sub__(self, bytes: int) -> MemoryPointer:
        return self + -bytes

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Copies bytes from another place of a device."""
        ctypes.memmove(self.ptr, src.ptr, size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: object = None) -> None:
        """The same; nothing is asynchronous here."""
        self.copy_from_device(src, size)

    def memset(self, value: int, size: int) -> None:
        """Fills with a byte."""
        ctypes.memset(self.ptr, value, size)


def address(host: np.ndarray) -> int:
    return host.__array_interface__["data"][0]


def alloc(size: int) -> MemoryPointer:
    """New memory on the current device; what lies in it is no number, so that nobody counts on zeros."""
    return MemoryPointer(Memory(np.full(max(size, 1), 0xFF, np.uint8)[:size], current()), 0)
