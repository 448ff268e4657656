"""The older names of mixed precision on a GPU; `torch.cuda.amp`. New code uses `jgrad.amp`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import amp, dtypes, warn

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(amp.autocast):
    """The older name of `jgrad.autocast("cuda", ...)`. It gives a FutureWarning.

    Args:
        enabled: False turns autocast off in the block
        dtype: the short dtype, float16 or bfloat16
        cache_enabled: whether a weight that is used several times is converted only once

    >>> with jgrad.cuda.amp.autocast(enabled=False):
    ...     y = jgrad.ones(2, 2) @ jgrad.ones(2, 2)
    >>> y.dtype
    jgrad.float32
    """

    def __init__(
        self, enabled: bool = True, dtype: dtypes.dtype = dtypes.float16, cache_enabled: bool = True
    ) -> None:
        warn.say(
            "`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.",
            FutureWarning,
        )
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `jgrad.amp.GradScaler("cuda", ...)`. It gives a FutureWarning.

    Args:
        init_scale: the scale at first
        growth_factor: the scale is multiplied by this number to make it larger; greater than 1
        backoff_factor: the scale is multiplied by this number to make it smaller; less than 1
        growth_interval: after so many good steps one after the other the scale becomes larger
        enabled: with False the scaler does nothing

    >>> scaler = jgrad.cuda.amp.GradScaler(enabled=False)
    >>> scaler.scale(jgrad.tensor(2.))
    tensor(2.)
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
    """The older name of `jgrad.amp.custom_fwd(..., device_type="cuda")`. It gives a FutureWarning.

    Args:
        fwd: the method `forward`; None, if the decorator is written with arguments
        cast_inputs: under autocast, floating-point tensors (except float64) are converted to this dtype, and `forward` runs without autocast;
            None leaves both as they are

    Returns the decorated method, or a decorator if `fwd` is None.

    >>> class Double(jgrad.autograd.Function):
    ...     @staticmethod
    ...     @jgrad.cuda.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return x * 2
    >>> Double.apply(jgrad.ones(2))
    tensor([2., 2.])
    """
    _say_of_decorator("custom_fwd")
    return functools.partial(amp.custom_fwd, device_type="cuda")(fwd=fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Callable:
    """The older name of `jgrad.amp.custom_bwd(..., device_type="cuda")`. It gives a FutureWarning.

    Args:
        bwd: the method `backward`

    Returns the decorated method. The `forward` must be decorated with `custom_fwd`.

    >>> class Double(jgrad.autograd.Function):
    ...     @staticmethod
    ...     @jgrad.cuda.amp.custom_fwd
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @jgrad.cuda.amp.custom_bwd
    ...     def backward(ctx, grad):
    ...         return grad * 2
    >>> x = jgrad.ones(2, requires_grad=True)
    >>> Double.apply(x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    _say_of_decorator("custom_bwd")
    return functools.partial(amp.custom_bwd, device_type="cuda")(bwd)
