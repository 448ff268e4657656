"""A module on several GPUs at once; `torch.nn.parallel`. jgrad computes on one, where this changes nothing."""

from __future__ import annotations

from typing import Any

from jgrad import manual
from jgrad.nn.modules.module import Module


class DataParallel(Module):
    """Calls a module. In PyTorch it divides the batch among several GPUs; jgrad computes the whole batch on one device."""

    def __init__(
        self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.dim = dim
        self.module = module
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module with the whole batch."""
        return self.module(*inputs, **kwargs)


manual.attach(__name__)
