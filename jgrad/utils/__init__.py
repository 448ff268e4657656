"""Tools for work with tensors; `torch.utils`."""

from typing import Any as _Any

from jgrad.utils import checkpoint as checkpoint
from jgrad.utils import deterministic as deterministic
from jgrad.utils import dlpack as dlpack
from jgrad.utils import hooks as hooks


def __getattr__(name: str) -> _Any:
    if name == "data":  # loaded when first used
        import importlib

        return importlib.import_module("jgrad.utils.data")
    raise AttributeError(f"module 'jgrad.utils' has no attribute '{name}'")
