"""The older names of mixed precision on a GPU; `torch.cuda.amp`. New code uses `jgrad.amp`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import amp, dtypes, manual, warn

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(amp.autocast):
    """The older name of `jgrad.autocast("cuda", ...)`. It gives a FutureWarning."""

    def __init__(
        self, enabled: bool = True, dtype: dtypes.dtype = dtypes.float16, cache_enabled: bool = True
    ) -> None:
        warn.say(
            "`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `jgrad.amp.GradScaler("cuda", ...)`. It gives a FutureWarning."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        warn.say(
            "`torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def _say_of_decorator(name: str) -> None:
    warn.say(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}(args..., device_type='cuda')` instead.",
        FutureWarning,
    )


def custom_fwd(fwd: Callable | None = None, *, cast_inputs: dtypes.dtype | None = None) -> Callable:
    """The older name of `jgrad.amp.custom_fwd(..., device_type="cuda")`. It gives a FutureWarning."""
    _say_of_decorator("custom_fwd")
    return functools.partial(amp.custom_fwd, device_type="cuda")(fwd=fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Callable:
    """The older name of `jgrad.amp.custom_bwd(..., device_type="cuda")`. It gives a FutureWarning."""
    _say_of_decorator("custom_bwd")
    return functools.partial(amp.custom_bwd, device_type="cuda")(bwd)


manual.attach(__name__)
