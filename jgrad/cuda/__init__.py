"""GPUs, through CuPy: `torch.cuda`. CuPy is imported when a program first asks for a GPU.

To ask whether there is a GPU only imports CuPy. The kernels are bound to it when they are first needed. Streams and events are CuPy's, under
PyTorch's names: work goes to CuPy's current stream. Memory belongs to CuPy's pool.
"""

from __future__ import annotations

import threading
from typing import Any

from jgrad import devices, loading, manual
from jgrad import random as _random
from jgrad.kernels import libraries

_Device = devices.device
_failed: Exception | None = None  # why no GPU can be used, once that is known
_binding = threading.Lock()


def _cupy() -> Any:
    """CuPy's namespace. Without CuPy or without a GPU it raises PyTorch's errors, with a note on what to do."""
    global _failed
    if (library := libraries.registered("cuda")) is not None:
        return library.np
    if _failed is None:
        try:
            import cupy

            cupy.cuda.runtime.getDeviceCount()
            return cupy
        except ImportError as error:
            _failed = AssertionError("Torch not compiled with CUDA enabled")
            _failed.add_note(
                f"jgrad computes on GPUs with CuPy, which can't be imported ({error}). Install it with: pip install cupy-cuda12x"
            )
        except Exception as error:  # of CUDA's runtime, whose class only CuPy knows
            _failed = RuntimeError(
                "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from "
                "http://www.nvidia.com/Download/index.aspx"
            )
            _failed.add_note(f"CuPy says: {error}")
    raise _failed.with_traceback(None)


def loaded() -> libraries.Library:
    """CuPy and the kernels bound to it, which are registered from now on. Raises what `_cupy` raises."""
    if (found := libraries.registered("cuda")) is not None:
        return found
    cupy = _cupy()
    with _binding:
        found = libraries.registered("cuda")
        if found is None:
            import cupyx.scipy.special

            from jgrad.kernels.cupy import bind

            found = bind(cupy, cupyx)
            libraries.register(found)
    return found


def init() -> None:
    """Prepare the GPUs for use. The first use of a GPU does this too, so a program rarely has to call it."""
    loaded()


def is_available() -> bool:
    """Whether tensors can be on a GPU: there is one, and CuPy is installed."""
    return device_count() > 0


def device_count() -> int:
    """The number of GPUs that can be used; 0 if there is none, or if CuPy is not installed."""
    try:
        return _cupy().cuda.runtime.getDeviceCount()
    except (AssertionError, RuntimeError):
        return 0


def is_initialized() -> bool:
    """Whether the program has used a GPU, or called `init`."""
    return libraries.registered("cuda") is not None


# Which GPU -----------------------------------------------------------------------------------------------------------------------


def _number_of(device: Any) -> int | None:
    """The number of the GPU that a device, a number or a block names; None if it has no number."""
    if device is None or isinstance(device, int):
        return device
    if isinstance(device, _Block):
        return device.idx
    named = devices.device(device)
    if named.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {named}")
    return named.index


def _index_of(device: Any) -> int:
    """The number of a GPU. Without a number it is the current GPU, or -1 if there is no GPU."""
    if (number := _number_of(device)) is not None:
        return number
    return current_device() if is_available() else -1


def ordinal_of(device: Any) -> int:
    """The number of a GPU, which must exist."""
    runtime = loaded().np.cuda.runtime
    if (number := _number_of(device)) is None:
        return runtime.getDevice()
    if not 0 <= number < runtime.getDeviceCount():
        raise RuntimeError(
            "CUDA error: invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?"
        )
    return number


devices.openers["cuda"] = lambda requested: devices.device("cuda", ordinal_of(requested))


def current_device() -> int:
    """The number of the current GPU. It is the GPU that the device name "cuda" means."""
    return loaded().np.cuda.runtime.getDevice()


def set_device(device: Any) -> None:
    """Make a GPU the current one, so that the device name "cuda" means this GPU. The block `jgrad.cuda.device` does it for some lines only."""
    if (number := _number_of(device)) is None:
        raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")
    if number >= 0:
        _on(number).use()


def _on(device: Any) -> Any:
    """CuPy's object for a GPU. It is also a block in which that GPU is the current one."""
    return loaded().np.cuda.Device(ordinal_of(device))


class device:
    """A block in which a GPU is the current one, so that the device name "cuda" means this GPU."""

    def __init__(self, device: Any) -> None:
        self.idx = _index_of(device)
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            if not is_available():
                raise RuntimeError("PyTorch was compiled without CUDA support") from _failed
            self.prev_idx = current_device()
            _on(self.idx).use()

    def __exit__(self, *error: Any) -> None:
        if self.prev_idx >= 0:
            _on(self.prev_idx).use()


_Block = device


class device_of(device):
    """A block in which the GPU of a tensor or a storage is the current one. The block changes nothing if the tensor is not on a GPU."""

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.device.index if obj.device.type == "cuda" else -1)


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Whether one GPU can read the memory of another one directly."""
    runtime = loaded().np.cuda.runtime
    return bool(runtime.deviceCanAccessPeer(_identified(device), _identified(peer_device, "peer device")))


def _identified(device: Any, what: str = "device") -> int:
    index = _index_of(device)
    if not 0 <= index < device_count():
        raise AssertionError(f"Invalid {what} id")
    return index


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done all its work. A GPU works while the Python program goes on. So call this before you measure time."""
    _on(device).synchronize()
    loaded().kernels.settle()


# Properties of a GPU -------------------------------------------------------------------------------------------------------------------

# From PyTorch's names of properties to CUDA's.
_PROPERTIES = {
    "major": "major", "minor": "minor", "total_memory": "totalGlobalMem", "multi_processor_count": "multiProcessorCount",
    "is_integrated": "integrated", "is_multi_gpu_board": "isMultiGpuBoard", "warp_size": "warpSize",
    "max_threads_per_multi_processor": "maxThreadsPerMultiProcessor", "max_threads_per_block": "maxThreadsPerBlock",
    "regs_per_multiprocessor": "regsPerMultiprocessor", "L2_cache_size": "l2CacheSize",
    "shared_memory_per_block": "sharedMemPerBlock", "shared_memory_per_block_optin": "sharedMemPerBlockOptin",
    "shared_memory_per_multiprocessor": "sharedMemPerMultiprocessor", "clock_rate": "clockRate",
    "memory_clock_rate": "memoryClockRate", "memory_bus_width": "memoryBusWidth", "pci_bus_id": "pciBusID",
    "pci_device_id": "pciDeviceID", "pci_domain_id": "pciDomainID",
}  # fmt: skip


class _CudaDeviceProperties:
    """The properties of a GPU that CUDA reports, by PyTorch's names."""

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    uuid: str | None
    L2_cache_size: int

    def __init__(self, found: dict[str, Any]) -> None:
        self.name = found["name"].decode()
        # CuPy reads the uuid as text, which ends at the first zero byte.
        digits = found["uuid"].hex()
        parts = [digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))]
        self.uuid = "-".join(parts) if len(digits) == 32 else None
        for name, key in _PROPERTIES.items():
            setattr(self, name, found[key])

    def __repr__(self) -> str:
        return (
            f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
            f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
            f"L2_cache_size={self.L2_cache_size // 2**20}MB)"
        )


def get_device_properties(device: Any = None) -> _CudaDeviceProperties:
    """The properties of a GPU: its name, the size of its memory and more."""
    runtime = loaded().np.cuda.runtime
    return _CudaDeviceProperties(runtime.getDeviceProperties(_identified(device)))


def get_device_name(device: Any = None) -> str:
    """The name of a GPU, such as "NVIDIA H100 80GB HBM3"."""
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The compute capability of a GPU: the version of the set of features that it has."""
    found = get_device_properties(device)
    return found.major, found.minor


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether tensors on a GPU can be bfloat16. In jgrad they cannot, because CuPy has no such dtype."""
    return False


# Memory --------------------------------------------------------------------------------------------------------------------------

_most_used: dict[int, int] = {}  # by GPU: the peak of the bytes in tensors, for GPUs whose peak is measured
_most_held: dict[int, int] = {}  # by GPU: the peak of the bytes that CuPy held before it gave some back
_thread = threading.local()


def memory_allocated(device: Any = None) -> int:
    """How many bytes of a GPU's memory are in use by tensors."""
    return _in_pool("used_bytes", device)


def memory_reserved(device: Any = None) -> int:
    """How many bytes of a GPU's memory CuPy holds for tensors. It keeps the memory of tensors that are gone, and uses it for new ones."""
    return _in_pool("total_bytes", device)


def max_memory_allocated(device: Any = None) -> int:
    """The largest number of bytes that were in use by tensors since `jgrad.cuda.reset_peak_memory_stats` was called."""
    if not is_initialized():
        return 0
    if (index := ordinal_of(device)) not in _most_used:
        raise NotImplementedError(
            "CuPy does not keep the peak of its memory by itself: call jgrad.cuda.reset_peak_memory_stats() before what is to be measured"
        )
    return max(_most_used[index], memory_allocated(index))


def max_memory_reserved(device: Any = None) -> int:
    """The largest number of bytes that CuPy has held for tensors, since `jgrad.cuda.reset_peak_memory_stats` or since the program began."""
    if not is_initialized():
        return 0
    index = ordinal_of(device)
    return max(_most_held.get(index, 0), memory_reserved(index))


def reset_peak_memory_stats(device: Any = None) -> None:
    """Let `jgrad.cuda.max_memory_allocated` and `jgrad.cuda.max_memory_reserved` start again from the memory that is in use now."""
    index = ordinal_of(device)
    if not hasattr(_thread, "peak"):
        _measure_peak()
    _most_used[index], _most_held[index] = memory_allocated(index), memory_reserved(index)


def _measure_peak() -> None:
    """Measure the peak of this thread's allocations from now on."""
    cupy = loaded().np
    pool = cupy.get_default_memory_pool()

    class Peak(cupy.cuda.MemoryHook):  # type: ignore[name-defined]
        name = "jgrad.cuda"

        def malloc_postprocess(self, *, device_id: int, **_: Any) -> None:
            if device_id in _most_used:
                _most_used[device_id] = max(_most_used[device_id], pool.used_bytes())

    _thread.peak = Peak().__enter__()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """How many bytes of a GPU's memory are free, and how many it has. All programs on this GPU count."""
    return _on(device).mem_info


def set_per_process_memory_fraction(fraction: float, device: Any = None) -> None:
    """Limit the part of a GPU's memory that tensors of this program may use. Beyond it, a new tensor raises `jgrad.cuda.OutOfMemoryError`."""
    with _on(device):
        if not isinstance(fraction, float):
            raise TypeError("Invalid type for fraction argument, must be `float`")
        if not 0 <= fraction <= 1:
            raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
        loaded().np.get_default_memory_pool().set_limit(fraction=fraction)


def empty_cache() -> None:
    """Give memory that no tensor uses back to the GPUs, so that other programs can use it. Memory of tensors stays as it is."""
    if is_initialized():
        for index in range(device_count()):
            _most_held[index] = max_memory_reserved(index)
            with _on(index):
                loaded().np.get_default_memory_pool().free_all_blocks()


def _in_pool(measure: str, device: Any) -> int:
    if not is_initialized():
        return 0
    with _on(device):
        return getattr(loaded().np.get_default_memory_pool(), measure)()


# Streams and events --------------------------------------------------------------------------------------------------------------


class Stream:
    """A queue of work on a GPU. Work that a program starts in a block `with jgrad.cuda.stream(s):` goes into the stream `s`."""

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        if not is_available():
            raise RuntimeError("torch.cuda.Stream requires CUDA support")
        with _on(None if _index_of(device) < 0 else device) as home:
            self._wrap(loaded().np.cuda.Stream(priority=priority), home.id)

    def _wrap(self, stream: Any, index: int) -> Stream:
        self.device, self._cupy = _Device("cuda", index), stream
        self._blocks: list[StreamContext] = []
        return self

    @property
    def cuda_stream(self) -> int:
        """CUDA's handle of the stream; 0 is the default stream."""
        return self._cupy.ptr

    @property
    def device_index(self) -> int | None:
        """The number of the stream's GPU."""
        return self.device.index

    @property
    def priority(self) -> int:
        """The priority of the stream: lower numbers go first."""
        with _on(self.device):
            return self._cupy.priority

    def query(self) -> bool:
        """Whether all work in the stream is done."""
        with _on(self.device):
            return self._cupy.done

    def synchronize(self) -> None:
        """Wait until all work in the stream is done."""
        with _on(self.device):
            self._cupy.synchronize()
        loaded().kernels.settle()

    def record_event(self, event: Event | None = None) -> Event:
        """Put an event after the work that is now in the stream."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Let later work of this stream wait for an event. The program itself does not wait."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Let later work of this stream wait for the work that is now in another stream. The program itself does not wait."""
        self.wait_event(stream.record_event())

    def __enter__(self) -> Stream:
        self._blocks.append(StreamContext(self))
        self._blocks[-1].__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._blocks.pop().__exit__(*error)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.cuda_stream

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return False
        return (self.cuda_stream, self.device) == (other.cuda_stream, other.device)

    def __hash__(self) -> int:
        return hash((self.cuda_stream, self.device))

    def __repr__(self) -> str:
        return f"<jgrad.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class Event:
    """A point in the work of a stream. A program or another stream can wait for it, and two events measure the time between them."""

    def __init__(
        self,
        enable_timing: bool = False,
        blocking: bool = False,
        interprocess: bool = False,
        external: bool = False,
    ) -> None:
        if not is_available():
            raise RuntimeError("Tried to instantiate dummy base class Event")
        for name, requested in (("interprocess", interprocess), ("external", external)):
            if requested:
                raise NotImplementedError(f"jgrad.cuda.Event has no {name} events")
        self.enable_timing, self.blocking = enable_timing, blocking
        self.device: _Device | None = None
        self._cupy: Any = None  # made when the event is first recorded, since only then its GPU is known

    @property
    def cuda_event(self) -> int:
        """CUDA's handle of the event; 0 before it is recorded."""
        return 0 if self._cupy is None else self._cupy.ptr

    def record(self, stream: Stream | None = None) -> None:
        """Put the event after the work that is now in a stream."""
        stream = current_stream() if stream is None else stream
        if self.device is None:
            self.device = stream.device
            with _on(self.device):
                self._cupy = loaded().np.cuda.Event(
                    block=self.blocking, disable_timing=not self.enable_timing
                )
        elif self.device != stream.device:
            raise RuntimeError(
                f"Event device {self.device.index} does not match recording stream's device {stream.device_index}."
            )
        with _on(self.device):
            self._cupy.record(stream._cupy)

    def wait(self, stream: Stream | None = None) -> None:
        """Let later work of a stream wait for the event. The program itself does not wait."""
        stream = current_stream() if stream is None else stream
        if self._cupy is not None:
            with _on(stream.device):
                stream._cupy.wait_event(self._cupy)

    def query(self) -> bool:
        """Whether all work before the event is done."""
        return self._cupy is None or self._cupy.done

    def synchronize(self) -> None:
        """Wait until all work before the event is done."""
        if self._cupy is not None:
            self._cupy.synchronize()

    def elapsed_time(self, end_event: Event) -> float:
        """The milliseconds from this event to another one, on the GPU's clock."""
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._cupy is None or end_event._cupy is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        if not (self.query() and end_event.query()):
            raise RuntimeError("Both events must be completed before calculating elapsed time.")
        return loaded().np.cuda.get_elapsed_time(self._cupy, end_event._cupy)

    def __repr__(self) -> str:
        return (
            f"<jgrad.cuda.Event {self.cuda_event:#x}>"
            if self.cuda_event
            else "<jgrad.cuda.Event uninitialized>"
        )


def current_stream(device: Any = None) -> Stream:
    """The stream of a GPU to which work goes now."""
    index = ordinal_of(device)
    return Stream.__new__(Stream)._wrap(loaded().np.cuda.get_current_stream(index), index)


def default_stream(device: Any = None) -> Stream:
    """The stream of a GPU to which work goes if the program has chosen no other one."""
    index = ordinal_of(device)
    return Stream.__new__(Stream)._wrap(loaded().np.cuda.Stream.null, index)


def set_stream(stream: Stream | None) -> None:
    """Let work go to a stream from now on, and make its GPU the current one. The block `jgrad.cuda.stream` does it for some lines only."""
    if stream is not None:
        _on(stream.device).use()
        stream._cupy.use()


class StreamContext:
    """A block in which work goes to a stream, and its GPU is the current one. `jgrad.cuda.stream(s)` makes such a block."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        if self.stream is not None:
            self.before = [current_stream(self.stream.device), current_stream()]
            set_stream(self.stream)

    def __exit__(self, *error: Any) -> None:
        for stream in self.before if self.stream is not None else ():
            set_stream(stream)


def stream(stream: Stream | None) -> StreamContext:
    """A block in which work goes to a stream, and its GPU is the current one."""
    return StreamContext(stream)


# Random numbers: a generator per GPU ---------------------------------------------------------------------------------------------


def manual_seed(seed: int) -> None:
    """Seed the random numbers of the current GPU. Without a GPU it does nothing."""
    seed = int(seed)
    if is_available():
        _generator().manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the random numbers of all GPUs. Without a GPU it does nothing."""
    seed = int(seed)
    for index in range(device_count()):
        _generator(index).manual_seed(seed)


def seed() -> None:
    """Seed the random numbers of the current GPU with a random seed. Without a GPU it does nothing."""
    if is_available():
        _generator().seed()


def seed_all() -> None:
    """Seed the random numbers of all GPUs with one random seed. Without a GPU it does nothing."""
    if is_available():
        manual_seed_all(_generator(0).seed())


def initial_seed() -> int:
    """The seed of the current GPU's random numbers."""
    return _generator().initial_seed()


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of the generator of a GPU's random numbers. With `set_rng_state` the same numbers follow again."""
    return _generator(device).get_state()


def get_rng_state_all() -> list[Any]:
    """The states of the generators of all GPUs."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Set the generator of a GPU's random numbers to an earlier state. The same numbers follow as after that state. Without a GPU it does nothing."""
    if is_available():
        _generator(device).set_state(new_state)


def set_rng_state_all(new_states: Any) -> None:
    """Set the generators of all GPUs to earlier states. Without a GPU it does nothing."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def _generator(device: Any = "cuda") -> _random.Generator:
    return _random.default_of(devices.resolve(device))


def __getattr__(name: str) -> Any:
    if name == "OutOfMemoryError":  # CuPy's error is a MemoryError, as NumPy's is
        return _cupy().cuda.memory.OutOfMemoryError if is_available() else MemoryError
    if name == "default_generators":
        return tuple([_generator(index) for index in range(device_count())])
    return loading.offered(__name__, name)


manual.attach(__name__)
