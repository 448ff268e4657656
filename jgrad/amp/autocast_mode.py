"""`autocast`, the decorators of custom functions, and the functions that ask for its state and set it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from jgrad import cuda, devices, dtypes, manual, warn
from jgrad.errors import class_name
from jgrad.graph import autocast_mode
from jgrad.graph.autocast_mode import state
from jgrad.tensor import Tensor


class autocast:
    """A block, or a decorator of a function, in which operators convert their tensors to the dtype that suits them."""

    def __init__(
        self,
        device_type: str,
        dtype: dtypes.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type.partition(":")[0]  # cpu of "cpu:0"
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = state.cache_enabled if cache_enabled is None else cache_enabled
        self._enabled = enabled and self._possible()

    def _possible(self) -> bool:
        """Whether there is such a device and it can compute in this dtype; warns if not."""
        if self.device == "cuda":
            if cuda.is_available():
                raise NotImplementedError("autocast on a GPU: jgrad has it on the CPU only")
            warn.say("CUDA is not available or torch_xla is imported. Disabling autocast.")
            return False
        if self.fast_dtype not in dtypes.HALVES:
            warn.say(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
            )
            return False
        return True

    def __enter__(self) -> autocast:
        self.prev_cache_enabled = state.cache_enabled
        self.prev = state.enabled[self.device]
        self.prev_fastdtype = state.dtypes[self.device]
        if self._enabled:
            _ = self.fast_dtype.numpy  # raises here, and not in the middle, if ml_dtypes is missing
        autocast_mode.set_enabled(self.device, bool(self._enabled))
        state.dtypes[self.device] = self.fast_dtype
        autocast_mode.change_nesting(1)
        state.cache_enabled = self._cache_enabled
        return self

    def __exit__(self, *_: object) -> None:
        if autocast_mode.change_nesting(-1) == 0:
            autocast_mode.clear_cache()
        autocast_mode.set_enabled(self.device, self.prev)
        state.dtypes[self.device] = self.prev_fastdtype
        state.cache_enabled = self.prev_cache_enabled

    def __call__(self, func: Callable) -> Callable:
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. Did you mean to use autocast as a context manager? "
                "For example:\n    with torch.autocast(device_type=...):\n        output = model(input)"
            )

        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


# Custom functions -------------------------------------------------------------------------------------------------------------


def _cast(value: Any, device_type: str, dtype: dtypes.dtype) -> Any:
    """Tensors, also those in containers, in a dtype."""
    if isinstance(value, Tensor):
        eligible = value.is_floating_point() and value.device.type == device_type
        return value.to(dtype) if eligible and value.dtype is not dtypes.float64 else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return value
    if isinstance(value, Mapping):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, Iterable):
        cast = (_cast(v, device_type, dtype) for v in value)
        return type(value)(cast) if isinstance(value, (list, tuple)) else cast
    return value


def custom_fwd(
    fwd: Callable | None = None, *, device_type: str, cast_inputs: dtypes.dtype | None = None
) -> Callable:
    """A decorator for the `forward` of a custom function that is used with autocast. `custom_bwd` must decorate its `backward`."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        ctx, enabled = args[0], is_autocast_enabled(device_type)
        ctx._autocast_dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if not enabled or cast_inputs is None:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            cast_args = [_cast(a, device_type, cast_inputs) for a in args[1:]]
            return fwd(ctx, *cast_args, **_cast(kwargs, device_type, cast_inputs))

    return decorated


def custom_bwd(bwd: Callable | None = None, *, device_type: str) -> Callable:
    """A decorator for the `backward` of a custom function, which then runs with autocast on or off as its `forward` did."""
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._autocast_dtype):
            return bwd(*args, **kwargs)

    return decorated


# State ------------------------------------------------------------------------------------------------------------------------


def _device_of(name: str, device_type: Any) -> str:
    """A type of device, checked."""
    if not isinstance(device_type, str):
        raise TypeError(
            f"{name}(): argument 'device_type' (position 1) must be str, not {class_name(device_type)}"
        )
    found = devices.device(device_type).type
    if found not in state.enabled:
        unknown = "unknown device type for autocast in get_autocast_dispatch_key_from_device_type"
        raise RuntimeError("unsupported scalarType" if "dtype" in name else unknown)
    return found


def _dtype_of(name: str, dtype: Any) -> dtypes.dtype:
    if not isinstance(dtype, dtypes.dtype):
        raise TypeError(
            f"{name}(): argument 'dtype' (position 2) must be torch.dtype, not {class_name(dtype)}"
        )
    return dtype


def is_autocast_available(device_type: str) -> bool:
    """Whether a type of device has autocast."""
    return devices.device(device_type).type in state.enabled


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on for a type of device."""
    return state.enabled[_device_of("is_autocast_enabled", device_type)]


def set_autocast_enabled(device_type: Any, enabled: Any = None) -> None:
    """Turn autocast on or off for a type of device. An `autocast` block is better, because it also goes back to what was before."""
    if enabled is None and isinstance(device_type, bool):
        device_type, enabled = "cuda", device_type
    if not isinstance(enabled, bool):
        raise TypeError(
            f"set_autocast_enabled(): argument 'enabled' (position 2) must be bool, not {class_name(enabled)}"
        )
    autocast_mode.set_enabled(_device_of("set_autocast_enabled", device_type), enabled)


def get_autocast_dtype(device_type: str) -> dtypes.dtype:
    """The short dtype in which matrix products and convolutions run under autocast."""
    return state.dtypes[_device_of("get_autocast_dtype", device_type)]


def set_autocast_dtype(device_type: str, dtype: dtypes.dtype) -> None:
    """Set the short dtype in which matrix products and convolutions run under autocast. An `autocast` block has a parameter for it."""
    kind = _dtype_of("set_autocast_dtype", dtype)
    state.dtypes[_device_of("set_autocast_dtype", device_type)] = kind


def is_autocast_cache_enabled() -> bool:
    """Whether a weight that is used several times in an `autocast` block is converted only once."""
    return state.cache_enabled


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Set whether a weight that is used several times in an `autocast` block is converted only once."""
    state.cache_enabled = enabled


def clear_autocast_cache() -> None:
    """Forget the converted weights that autocast has kept. The end of the outermost `autocast` block does it too."""
    autocast_mode.clear_cache()


def autocast_increment_nesting() -> int:
    """Count one more open `autocast` block. An `autocast` block calls this itself."""
    return autocast_mode.change_nesting(1)


def autocast_decrement_nesting() -> int:
    """Count one open `autocast` block less. An `autocast` block calls this itself."""
    return autocast_mode.change_nesting(-1)


def _deprecated(name: str, instead: str) -> None:
    warn.say(f"torch.{name} is deprecated. Please use torch.{instead} instead.", DeprecationWarning)


def is_autocast_cpu_enabled() -> bool:
    """Whether autocast is on for the CPU. PyTorch has deprecated it: use `is_autocast_enabled("cpu")`."""
    _deprecated("is_autocast_cpu_enabled()", "is_autocast_enabled('cpu')")
    return is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """Turn autocast on or off for the CPU. PyTorch has deprecated it: use `set_autocast_enabled("cpu", enabled)`."""
    _deprecated("set_autocast_cpu_enabled(enabled)", "set_autocast_enabled('cpu', enabled)")
    set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype() -> dtypes.dtype:
    """The short dtype that autocast uses on the CPU. PyTorch has deprecated it: use `get_autocast_dtype("cpu")`."""
    _deprecated("get_autocast_cpu_dtype()", "get_autocast_dtype('cpu')")
    return get_autocast_dtype("cpu")


def set_autocast_cpu_dtype(dtype: dtypes.dtype) -> None:
    """Set the short dtype that autocast uses on the CPU. PyTorch has deprecated it: use `set_autocast_dtype("cpu", dtype)`."""
    _deprecated("set_autocast_cpu_dtype(dtype)", "set_autocast_dtype('cpu', dtype)")
    set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype() -> dtypes.dtype:
    """The short dtype that autocast uses on a GPU. PyTorch has deprecated it: use `get_autocast_dtype("cuda")`."""
    _deprecated("get_autocast_gpu_dtype()", "get_autocast_dtype('cuda')")
    return get_autocast_dtype("cuda")


def set_autocast_gpu_dtype(dtype: dtypes.dtype) -> None:
    """Set the short dtype that autocast uses on a GPU. PyTorch has deprecated it: use `set_autocast_dtype("cuda", dtype)`."""
    _deprecated("set_autocast_gpu_dtype(dtype)", "set_autocast_dtype('cuda', dtype)")
    set_autocast_dtype("cuda", dtype)


manual.attach(__name__)
