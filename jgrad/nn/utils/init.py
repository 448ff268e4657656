"""Modules without initial values."""

from __future__ import annotations

import inspect
from typing import Any

from jgrad import manual
from jgrad.nn.modules.module import Module


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Module:
    """Make a module without initial values for its parameters: they hold whatever is in memory. It saves time if values are loaded anyway."""
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    place = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=place)


manual.attach(__name__)
