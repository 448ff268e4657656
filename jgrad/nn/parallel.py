"""A module on several GPUs at once; `torch.nn.parallel`. jgrad computes on one, where this changes nothing."""

from __future__ import annotations

from typing import Any

from jgrad.nn.modules.module import Module


class DataParallel(Module):
    """Calls a module. In PyTorch it divides the batch among several GPUs; jgrad computes the whole batch on one device.

    Args:
        module: the module to call; it becomes the attribute `module`
        device_ids: accepted, but has no effect
        output_device: accepted, but has no effect
        dim: the batch dimension in PyTorch; it is kept as an attribute, but has no effect

    Returns, when called, what the module returns.

    >>> model = jgrad.nn.DataParallel(jgrad.nn.Linear(2, 1))
    >>> model(jgrad.zeros(4, 2)).shape
    jgrad.Size([4, 1])
    >>> list(model.state_dict())
    ['module.weight', 'module.bias']
    """

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
