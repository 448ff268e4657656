"""GPUs, through CuPy, which is imported when a GPU is first asked for; `torch.cuda`.

Streams are CuPy's: work goes to CuPy's current stream, and `with cupy.cuda.Stream():` is how to choose another.
"""

from __future__ import annotations

from typing import Any

from jgrad import devices, kernels, random

_Device = devices.device
_failed: Exception | None = None  # why there is no GPU to use, once that was found out


def loaded() -> kernels.Library:
    """CuPy and the kernels bound to it; raises PyTorch's errors without CuPy or without a GPU, with a note on what to do."""
    global _failed
    if (found := kernels.registered("cuda")) is not None:
        return found
    if _failed is None:
        try:
            import cupy
            import cupyx.scipy.special

            cupy.cuda.runtime.getDeviceCount()
        except ImportError as error:
            _failed = AssertionError("Torch not compiled with CUDA enabled")
            _failed.add_note(
                f"jgrad computes on GPUs with CuPy, which can't be imported ({error}). Install it with: pip install 'jgrad[cuda]'"
            )
        except Exception as error:  # of CUDA's runtime, whose class only CuPy knows
            _failed = RuntimeError(
                "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from "
                "http://www.nvidia.com/Download/index.aspx"
            )
            _failed.add_note(f"CuPy says: {error}")
        else:
            from jgrad.kernels.cupy import bind

            made = bind(cupy, cupyx)
            kernels.register(made)
            return made
    raise _failed.with_traceback(None)


def index_of(device: Any) -> int:
    """The number of a GPU: of a device, a string, a number, or None for the current one."""
    if device is None:
        return current_device()
    if isinstance(device, int):
        return device
    given = devices.device(device)
    if given.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {given}")
    index = current_device() if given.index is None else given.index
    if not 0 <= index < device_count():
        raise RuntimeError(
            f"CUDA error: invalid device ordinal\nthere are {device_count()} devices, so no 'cuda:{index}'"
        )
    return index


def is_available() -> bool:
    """Whether tensors can live on a GPU."""
    return device_count() > 0


def device_count() -> int:
    """How many GPUs there are to use."""
    try:
        return loaded().np.cuda.runtime.getDeviceCount()
    except (AssertionError, RuntimeError):
        return 0


def is_initialized() -> bool:
    """Whether a GPU was used."""
    return kernels.registered("cuda") is not None


def current_device() -> int:
    """The number of the GPU that "cuda" stands for."""
    return loaded().np.cuda.runtime.getDevice()


def set_device(device: Any) -> None:
    """Have "cuda" stand for this GPU."""
    loaded().np.cuda.Device(index_of(device)).use()


class device:
    """A block in which "cuda" stands for this GPU."""

    def __init__(self, device: Any) -> None:
        self._block = loaded().np.cuda.Device(index_of(device))

    def __enter__(self) -> None:
        self._block.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._block.__exit__(*error)


def get_device_name(device: Any = None) -> str:
    """What the GPU calls itself."""
    return loaded().np.cuda.runtime.getDeviceProperties(index_of(device))["name"].decode()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """The major and minor number of what the GPU can do."""
    found = loaded().np.cuda.runtime.getDeviceProperties(index_of(device))
    return found["major"], found["minor"]


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done all it was told."""
    loaded().np.cuda.Device(index_of(device)).synchronize()
    loaded().kernels.settle()


def memory_allocated(device: Any = None) -> int:
    """Bytes of a GPU's memory that tensors occupy."""
    return _in_pool("used_bytes", device)


def memory_reserved(device: Any = None) -> int:
    """Bytes of a GPU's memory that CuPy holds for tensors, occupied or not."""
    return _in_pool("total_bytes", device)


def empty_cache() -> None:
    """Give memory that no tensor occupies back to the GPU."""
    if is_initialized():
        loaded().np.get_default_memory_pool().free_all_blocks()


def pinned(array: Any) -> Any:
    """A copy of a NumPy array in memory that does not move."""
    copy = loaded().np.cupyx.empty_like_pinned(array)
    copy[...] = array
    return copy


def _in_pool(measure: str, device: Any) -> int:
    if not is_initialized():
        return 0
    on_it = loaded().np
    with on_it.cuda.Device(index_of(device)):
        return getattr(on_it.get_default_memory_pool(), measure)()


# Random numbers: a generator per GPU ------------------------------------------------------------------------------------------


def manual_seed(seed: int) -> None:
    """Begin the stream of this seed on the current GPU; without a GPU, nothing."""
    seed = int(seed)
    if is_available():
        random.default_of(devices.resolve("cuda")).manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Begin the stream of this seed on every GPU; without a GPU, nothing."""
    seed = int(seed)
    for index in range(device_count()):
        random.default_of(_Device("cuda", index)).manual_seed(seed)


def initial_seed() -> int:
    """The seed that the current GPU's stream began with."""
    return random.default_of(devices.resolve("cuda")).initial_seed()


def get_rng_state(device: Any = "cuda") -> Any:
    """The state of a GPU's generator, a uint8 tensor."""
    return random.default_of(devices.resolve(device)).get_state()


def set_rng_state(new_state: Any, device: Any = "cuda") -> None:
    """Put a GPU's generator into a state that `get_rng_state` returned: the same numbers follow."""
    random.default_of(devices.resolve(device)).set_state(new_state)
