"""Where PyTorch has the handles of hooks; `torch.utils.hooks`."""

from jgrad.autograd.node import RemovableHandle

__all__ = ["RemovableHandle"]
