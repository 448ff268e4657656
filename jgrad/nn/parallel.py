"""A module on several GPUs at once; `torch.nn.parallel`. jgrad computes on one, where this changes nothing."""

from __future__ import annotations

from typing import Any

from jgrad.nn.modules.module import Module


class DataParallel(Module):
    """Calls `module`. The batch is not divided, whatever `device_ids` says: results are those of one device."""

    def __init__(
        self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.dim = dim
        self.module = module
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the module gives for the whole batch."""
        return self.module(*inputs, **kwargs)
