"""Modules without initial values."""

from __future__ import annotations

import inspect
from typing import Any

from jgrad.nn.modules.module import Module


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Make a module without initial values for its parameters: they hold whatever is in memory. It saves time if values are loaded anyway.

    Args:
        module_cls: the class of the module; it must have a parameter `device`, otherwise RuntimeError is raised
        *args, **kwargs: the arguments of the class; `device` is the device of the module, by default the CPU

    Returns the module.

    >>> layer = jgrad.nn.utils.skip_init(jgrad.nn.Linear, 2, 1)
    >>> _ = layer.load_state_dict({"weight": jgrad.ones(1, 2), "bias": jgrad.zeros(1)})
    >>> layer(jgrad.tensor([3., 4.]))
    tensor([7.], grad_fn=<ViewBackward0>)
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    place = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=place)
