"""Where PyTorch has the handles of hooks; `torch.utils.hooks`."""

from jgrad.graph.node import RemovableHandle

__all__ = ["RemovableHandle"]
