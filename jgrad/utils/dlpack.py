"""Memory shared with other libraries; `torch.utils.dlpack`."""

from jgrad.ops.interchange import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]
