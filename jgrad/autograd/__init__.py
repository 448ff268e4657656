"""Automatic differentiation: `backward`, `grad`, grad modes, the graph's nodes."""

from jgrad.autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from jgrad.autograd.node import Node

from jgrad.autograd.differentiate import backward, grad  # isort: skip  (needs Tensor, which needs the two above)


def __getattr__(name: str) -> type:
    if name == "Variable":  # declared beside the other older constructors, which need the operations
        from jgrad.ops.constructors import Variable

        return Variable
    raise AttributeError(f"module 'jgrad.autograd' has no attribute '{name}'")


__all__ = ["Node", "backward", "enable_grad", "grad", "is_grad_enabled", "no_grad", "set_grad_enabled"]
