"""The older names of mixed precision on the CPU; `torch.cpu.amp`. New code uses `jgrad.amp`."""

from __future__ import annotations

from jgrad import amp, dtypes, manual, warn

__all__ = ["GradScaler", "autocast"]


class autocast(amp.autocast):
    """The older name of `jgrad.autocast("cpu", ...)`. It gives a FutureWarning."""

    def __init__(
        self, enabled: bool = True, dtype: dtypes.dtype = dtypes.bfloat16, cache_enabled: bool = True
    ) -> None:
        warn.say(
            "`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `jgrad.amp.GradScaler("cpu", ...)`. It gives a FutureWarning."""

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        warn.say(
            "`torch.cpu.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cpu', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


manual.attach(__name__)
