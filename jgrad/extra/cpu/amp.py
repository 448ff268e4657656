"""The older names of mixed precision on the CPU; `torch.cpu.amp`. New code uses `jgrad.amp`."""

from __future__ import annotations

from jgrad import amp, dtypes, warn

__all__ = ["GradScaler", "autocast"]


class autocast(amp.autocast):
    """The older name of `jgrad.autocast("cpu", ...)`. It gives a FutureWarning.

    Args:
        enabled: False turns autocast off in the block
        dtype: the short dtype, bfloat16 or float16
        cache_enabled: whether a weight that is used several times is converted only once

    >>> with jgrad.cpu.amp.autocast():
    ...     y = jgrad.ones(2, 2) @ jgrad.ones(2, 2)
    >>> y.dtype
    jgrad.bfloat16
    """

    def __init__(
        self, enabled: bool = True, dtype: dtypes.dtype = dtypes.bfloat16, cache_enabled: bool = True
    ) -> None:
        warn.say(
            "`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `jgrad.amp.GradScaler("cpu", ...)`. It gives a FutureWarning.

    Args:
        init_scale: the scale at first
        growth_factor: the scale is multiplied by this number to make it larger; greater than 1
        backoff_factor: the scale is multiplied by this number to make it smaller; less than 1
        growth_interval: after so many good steps one after the other the scale becomes larger
        enabled: with False the scaler does nothing

    >>> scaler = jgrad.cpu.amp.GradScaler(init_scale=8.)
    >>> scaler.scale(jgrad.tensor(2.))
    tensor(16.)
    """

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
