"""The older place of `jgrad.func.functional_call`: `torch.nn.utils.stateless`."""

from __future__ import annotations

from typing import Any

from jgrad import warn
from jgrad.func.module_state import functional_call as _functional_call
from jgrad.nn import Module
from jgrad.tensor import Tensor

__all__ = ["functional_call"]


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """What `jgrad.func.functional_call` does, with a FutureWarning."""
    warn.say(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed in a future version of PyTorch. "
        "Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )
