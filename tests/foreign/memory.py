"""Devices and memory as CuPy shows them: a pointer into a memory that lives on a device."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

COUNT = 2
MOST = 8  # devices that there can be
CAPACITY = 2**31  # bytes of each device
UNIT = 512  # CuPy's pool deals memory out in multiples of so many bytes


class _Thread(threading.local):
    """What CUDA keeps per thread: the current device, last of those that blocks put back."""

    def __init__(self) -> None:
        self.devices = [0]
        self.hooks: dict[str, MemoryHook] = {}


_thread = _Thread()


class Device:
    """One of the pretended GPUs; as a context it is the current one."""

    __slots__ = ("id",)

    def __init__(self, device: int | Device | None = None) -> None:
        self.id = current() if device is None else int(device)

    def use(self) -> Device:
        """Makes it the current device of whatever context this is."""
        check(self.id)
        _thread.devices[-1] = self.id
        return self

    def __enter__(self) -> Device:
        check(self.id)
        _thread.devices.append(self.id)
        return self

    def __exit__(self, *error: object) -> None:
        _thread.devices.pop()

    def synchronize(self) -> None:
        """Waits for what is under way: copies from pinned memory."""
        check(self.id)
        arrive()

    @property
    def mem_info(self) -> tuple[int, int]:
        check(self.id)
        return CAPACITY - _held[self.id], CAPACITY

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


def can_access_peer(device: int, peer: int) -> int:
    """Whether a device can read another's memory: none can."""
    check(device)
    check(peer)
    return 0


def properties(device: int) -> dict[str, Any]:
    """What CuPy tells of a device, as far as anybody asks."""
    check(device)
    return {
        "name": b"Foreign Device", "major": 0, "minor": 0, "totalGlobalMem": CAPACITY, "multiProcessorCount": 1,
        "maxThreadsPerMultiProcessor": 2048, "maxThreadsPerBlock": 1024, "warpSize": 32, "regsPerMultiprocessor": 65536,
        "sharedMemPerBlock": 49152, "sharedMemPerBlockOptin": 49152, "sharedMemPerMultiprocessor": 65536, "l2CacheSize": 2**20,
        "clockRate": 10**6, "memoryClockRate": 10**6, "memoryBusWidth": 64, "integrated": 0, "isMultiGpuBoard": 0,
        "uuid": bytes(range(16)), "pciBusID": device, "pciDeviceID": 0, "pciDomainID": 0,
    }  # fmt: skip


def current() -> int:
    """The id of the current device."""
    return _thread.devices[-1]


class BaseMemory:
    """Memory on a device. It has no weak references, like CuPy's."""

    __slots__ = ("root", "ptr", "size", "device_id")

    def __init__(self, root: np.ndarray, device: int) -> None:
        # All host arrays on this memory have `root` as their base, or are it.
        self.root, self.ptr, self.size, self.device_id = root, address(root), root.nbytes, device

    @property
    def device(self) -> Device:
        return Device(self.device_id)


class Memory(BaseMemory):
    """The memory of one allocation, which the pool accounts for."""

    __slots__ = ()

    def __init__(self, root: np.ndarray, device: int) -> None:
        super().__init__(root, device)
        taken, limit = rounded(self.size), _limit[device]
        if limit and _used[device] + taken > limit:
            self.size = 0
            raise OutOfMemoryError(
                f"Out of memory allocating {root.nbytes:,} bytes (allocated so far: {_used[device]:,} bytes, limit set to: {limit:,} bytes)."
            )
        _used[device] += taken
        _held[device] = max(_held[device], _used[device])
        if taken:
            _ranges[self.ptr] = self.size, device
        for hook in list(_thread.hooks.values()):
            hook.malloc_postprocess(
                device_id=device, size=self.size, mem_size=taken, mem_ptr=self.ptr, pmem_id=id(self)
            )

    def __del__(self) -> None:
        if taken := rounded(self.size):
            _used[self.device_id] -= taken
            _ranges.pop(self.ptr, None)


class UnownedMemory(BaseMemory):
    """Memory that somebody else owns, at an address: `_owner` keeps it alive."""

    __slots__ = ("_owner",)

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        if device_id < 0:
            device_id = device_at(ptr)
        root = (
            np.frombuffer((ctypes.c_ubyte * size).from_address(ptr), np.uint8)
            if size
            else np.empty(0, np.uint8)
        )
        super().__init__(root, device_id)
        self.ptr, self._owner = ptr, owner


# What lies where, and how much of it there is on each device.
_ranges: dict[int, tuple[int, int]] = {}
_used, _held, _limit = [0] * MOST, [0] * MOST, [0] * MOST


def rounded(size: int) -> int:
    return -(-size // UNIT) * UNIT


def device_at(ptr: int) -> int:
    """The device whose memory this address lies in."""
    if not ptr:
        raise RuntimeError("UnownedMemory requires explicit device ID for a null pointer.")
    for start, (size, device) in list(_ranges.items()):
        if start <= ptr < start + size:
            return device
    raise RuntimeError("cudaErrorInvalidValue: invalid argument")


class MemoryPool:
    """CuPy's pool: memory that was given back stays on the device until `free_all_blocks`. All of it is of the current device."""

    def used_bytes(self) -> int:
        """What arrays occupy."""
        return _used[current()]

    def total_bytes(self) -> int:
        """What was taken from the device."""
        return _held[current()]

    def free_bytes(self) -> int:
        """What nobody occupies."""
        return self.total_bytes() - self.used_bytes()

    def free_all_blocks(self, stream: Stream | None = None) -> None:
        """Gives back what nobody occupies."""
        _held[current()] = _used[current()]

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """How much may be taken at most."""
        if fraction is not None:
            if size is not None:
                raise ValueError("size and fraction cannot be specified at one time")
            if not 0 <= fraction <= 1:
                raise ValueError(f"memory limit fraction out of range: {fraction}")
            size = int(CAPACITY * fraction)
        _limit[current()] = size or 0

    def get_limit(self) -> int:
        """The limit, 0 for none."""
        return _limit[current()]


class MemoryHook:
    """Is called when memory is taken, while its block lasts, in its thread."""

    name = "MemoryHook"

    def __enter__(self) -> MemoryHook:
        if self.name in _thread.hooks:
            raise KeyError(f"memory hook {self.name} already exists")
        _thread.hooks[self.name] = self
        return self

    def __exit__(self, *_: object) -> None:
        del _thread.hooks[self.name]

    def malloc_postprocess(self, **kwargs: Any) -> None:
        """After memory was taken."""


class OutOfMemoryError(MemoryError):
    """The device has no more, or the pool may not take it."""


# Pinned memory, and copies from it that are under way


class PinnedMemory:
    """Memory of the host that does not move."""

    def __init__(self, size: int, flags: int = 0) -> None:
        self.size = size


class PinnedMemoryPointer(bytearray):
    """A place in pinned memory, a buffer; NumPy's arrays over it have it as their base. (The bytes are its own.)"""

    def __init__(self, mem: PinnedMemory, offset: int) -> None:
        super().__init__(b"\xff" * mem.size)
        self.mem = mem

    @property
    def ptr(self) -> int:
        return address(np.frombuffer(self, np.uint8))

    def size(self) -> int:
        """Bytes from here to the end."""
        return self.mem.size


def alloc_pinned_memory(size: int) -> PinnedMemoryPointer:
    """Pinned memory of at least this size: the pool keeps powers of two."""
    return PinnedMemoryPointer(PinnedMemory(1 << (rounded(size) - 1).bit_length() if size else 0), 0)


def is_pinned(host: Any) -> bool:
    """Whether a NumPy array lies in pinned memory."""
    while isinstance(host, np.ndarray):
        host = host.base
    return isinstance(host, PinnedMemoryPointer)


# Pinned arrays that are being read, and what was in them when that began. A device reads them at any time until it is waited for.
_under_way: list[tuple[np.ndarray, bytes]] = []


def depart(host: np.ndarray) -> None:
    """A copy from a pinned array begins that nobody waits for."""
    _under_way.append((host, host.tobytes()))


def arrive() -> None:
    """Copies end; whoever wrote to their source meanwhile gets an error: the device may have copied that."""
    ended, _under_way[:] = list(_under_way), []
    for host, before in ended:
        assert host.tobytes() == before, "pinned memory was written while a device copied from it"


# Streams and events. What they order has always happened here; the rules of whose turn it is are CuPy's.


class _Streams(threading.local):
    def __init__(self) -> None:
        self.stacks: list[list[Stream]] = [[Stream.null] for _ in range(MOST)]
        self.entered: list[int] = []


class Stream:
    """A queue of work of one device; `null` is that of any."""

    null: Stream

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: int | None = None
    ) -> None:
        self.ptr, self.device_id = (0, -1) if null else (2, -1) if ptds else (id(self), current())
        self.is_non_blocking, self.priority = non_blocking, priority or 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.ptr == self.ptr

    def __hash__(self) -> int:
        return self.ptr

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr

    def _home(self) -> int:
        if self.device_id not in (-1, current()):
            raise RuntimeError(
                f"The device that the stream is created on ({self.device_id}) does not match with the current device ({current()})"
            )
        return current()

    def __enter__(self) -> Stream:
        home = self._home()
        _streams.stacks[home].append(self)
        _streams.entered.append(home)
        return self

    def __exit__(self, *_: object) -> None:
        _streams.stacks[_streams.entered.pop()].pop()

    def use(self) -> Stream:
        """Makes it the current one of its device."""
        _streams.stacks[self._home()][-1] = self
        return self

    @property
    def done(self) -> bool:
        return not _under_way

    def synchronize(self) -> None:
        """Waits for it."""
        arrive()

    def record(self, event: Event | None = None) -> Event:
        """Puts an event into the queue."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """What comes later waits for an event."""


Stream.null = Stream(null=True)
_streams = _Streams()


def get_current_stream(device_id: int = -1) -> Stream:
    """The stream of the current device that work goes to."""
    return _streams.stacks[current() if device_id == -1 else device_id][-1]


class Event:
    """A place in a queue."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        if interprocess and not disable_timing:
            raise ValueError("Timing must be disabled for interprocess events")
        self.ptr, self.timed, self.home = id(self), not disable_timing, current()
        self.recorded = False

    @property
    def done(self) -> bool:
        return True

    def record(self, stream: Stream | None = None) -> None:
        """Puts it into a queue, of the device on which it was made."""
        where = stream.device_id if stream is not None and stream.device_id >= 0 else current()
        if where != self.home:
            raise RuntimeError("cudaErrorInvalidResourceHandle: invalid resource handle")
        self.recorded = True

    def synchronize(self) -> None:
        """Waits until it is reached."""
        arrive()


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """The milliseconds between two events."""
    if not all(event.recorded and event.timed for event in (start_event, end_event)):
        raise RuntimeError("cudaErrorInvalidResourceHandle: invalid resource handle")
    return 0.5


class MemoryPointer:
    """An address in a memory."""

    __slots__ = ("mem", "_offset")

    def __init__(self, mem: BaseMemory, offset: int) -> None:
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
