"""Hooks of all modules: `torch.nn.modules.module.register_module_forward_hook` and its like."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from jgrad import manual
from jgrad.graph.node import RemovableHandle


class Everywhere(NamedTuple):
    """A hook of all modules, and when it is called: "forward", "backward", "parameter" and so on."""

    kind: str
    call: Callable


hooks: OrderedDict[int, Any] = OrderedDict()  # those around calls of modules, by number
registrations: OrderedDict[int, Any] = OrderedDict()  # those that see what modules get
taking_kwargs: dict[int, bool] = {}
always_called: dict[int, bool] = {}
_full: bool | None = None  # whether the backward hooks are full ones, once there was one


def calls(kind: str) -> list[tuple[int, Callable]]:
    """The hooks of a kind, each with its number."""
    return [(number, hook.call) for number, hook in hooks.items() if hook.kind == kind]


def registered(kind: str, module: Any, name: str, value: Any) -> Any:
    """What a module gets under a name: the value, or what a hook made of it."""
    for hook in [hook.call for hook in registrations.values() if hook.kind == kind]:
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value


def backward_hooks() -> tuple[list[Callable], list[Callable]]:
    """The full hooks for the way back, and those that are not."""
    found = [call for _, call in calls("backward")]
    return (found, []) if _full else ([], found)


def _register_backward(hook: Callable, full: bool) -> RemovableHandle:
    global _full
    if _full is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of them."
        )
    _full = full
    return RemovableHandle(hooks, Everywhere("backward", hook))


def register_module_forward_pre_hook(hook: Callable) -> RemovableHandle:
    """Call a function each time before the `forward` of any module."""
    return RemovableHandle(hooks, Everywhere("forward_pre", hook))


def register_module_forward_hook(
    hook: Callable, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call a function each time after the `forward` of any module."""
    options = (taking_kwargs,) * with_kwargs + (always_called,) * always_call
    return RemovableHandle(hooks, Everywhere("forward", hook), *options)


def register_module_full_backward_hook(hook: Callable) -> RemovableHandle:
    """Call a function when backward has computed the gradients of the inputs of any module."""
    return _register_backward(hook, True)


def register_module_full_backward_pre_hook(hook: Callable) -> RemovableHandle:
    """Call a function when backward has computed the gradients of the outputs of any module, before it goes through the module."""
    return RemovableHandle(hooks, Everywhere("backward_pre", hook))


def register_module_backward_hook(hook: Callable) -> RemovableHandle:
    """An older form of `register_module_full_backward_hook`, which sees the last node of each module alone."""
    return _register_backward(hook, False)


def register_module_parameter_registration_hook(hook: Callable) -> RemovableHandle:
    """Call a function with each parameter that any module gets. What it returns is taken instead."""
    return RemovableHandle(registrations, Everywhere("parameter", hook))


def register_module_buffer_registration_hook(hook: Callable) -> RemovableHandle:
    """Call a function with each buffer that any module gets. What it returns is taken instead."""
    return RemovableHandle(registrations, Everywhere("buffer", hook))


def register_module_module_registration_hook(hook: Callable) -> RemovableHandle:
    """Call a function with each child that any module gets. What it returns is taken instead."""
    return RemovableHandle(registrations, Everywhere("module", hook))


manual.attach(__name__)
