"""Memory shared with other libraries; `torch.utils.dlpack`."""

from jgrad.ops.constructors import from_dlpack, to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
