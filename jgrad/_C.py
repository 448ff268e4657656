# ruff: noqa: N999
"""The names of `torch._C` that programs use: what turns `__torch_function__` off."""

from jgrad.graph.overriding import DisableTorchFunction as DisableTorchFunction
from jgrad.graph.overriding import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from jgrad.graph.overriding import disabled_torch_function_impl as _disabled_torch_function_impl  # noqa: F401
