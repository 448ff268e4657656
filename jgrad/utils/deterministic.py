"""`torch.utils.deterministic`: `fill_uninitialized_memory`, whether new memory is filled under `use_deterministic_algorithms`."""

from __future__ import annotations

import sys
import types

from jgrad import switches


class _Deterministic(types.ModuleType):
    @property
    def fill_uninitialized_memory(self) -> bool:
        """Whether `empty()` and similar functions fill what they give."""
        return switches.fills_memory

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
        switches.fills_memory = mode


sys.modules[__name__].__class__ = _Deterministic
