"""Automatic differentiation: `backward`, `grad`, grad modes, the graph's nodes."""

import sys
from types import ModuleType
from typing import Any

from jgrad import loading
from jgrad.graph.anomaly_mode import detect_anomaly, set_detect_anomaly
from jgrad.graph.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from jgrad.graph.node import Node

from jgrad.engine.differentiate import backward, grad  # isort: skip  (needs Tensor, which needs the two above)
from jgrad.autograd import anomaly_mode as anomaly_mode  # isort: skip
from jgrad.autograd import function as function  # isort: skip
from jgrad.autograd import grad_mode as grad_mode  # isort: skip
from jgrad.autograd import graph as graph  # isort: skip
from jgrad.autograd.function import Function  # isort: skip


def __getattr__(name: str) -> Any:
    if name == "Variable":  # declared with the other older constructors, which need the operators
        from jgrad.ops.constructors import Variable

        return Variable
    return loading.offered(__name__, name)


__all__ = [
    "Function",
    "Node",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


class _Autograd(ModuleType):
    """This module, in which `gradcheck` is the function also after `import jgrad.autograd.gradcheck`, as in PyTorch. (Python then sets the
    attribute to the module.)"""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "gradcheck" and isinstance(value, ModuleType):
            value = value.gradcheck
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Autograd
