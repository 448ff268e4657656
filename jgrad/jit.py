"""`torch.jit`: the decorators that programs use. jgrad compiles nothing, so a scripted function or module is the function or module itself.

Left out, as it would need the compiler: `trace`, `save`, `load`, `freeze`, graphs.
"""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from typing import Any, Final

from jgrad import manual, warn
from jgrad.nn.modules.module import Module

__all__ = [
    "Attribute",
    "Final",
    "ScriptModule",
    "annotate",
    "export",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "script",
    "script_if_tracing",
    "script_method",
    "unused",
]

Function = Callable[..., Any]


class ScriptModule(Module):
    """A module whose methods PyTorch would compile: here an ordinary module."""


def script(
    obj: Any, optimize: None = None, _frames_up: int = 0, _rcb: Any = None, example_inputs: Any = None
) -> Any:
    """The same function, module or class: jgrad runs each operator at once, and compiles nothing."""
    # As PyTorch's, this warning is at a line of the library: Python shows it only where a program asks for it.
    warnings.warn(
        "`torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
        stacklevel=1,
    )
    if optimize is not None:
        warn.say(
            "`optimize` is deprecated and has no effect. Use `with torch.jit.optimized_execution()` instead",
            FutureWarning,
        )
    return obj


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Mark a function that PyTorch's compiler leaves to Python: the same function. `@ignore` and `@ignore(drop=True)` are both possible."""
    if callable(drop):
        return drop
    if not builtins.isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    given = "drop_on_export=True" if kwargs.get("drop_on_export") is not None else "True" if drop else ""
    if given:
        warn.say(
            f"ignore({given}) has been deprecated. TorchScript will now drop the function call on compilation. Use torch.jit.unused now. {{}}",
            FutureWarning,
        )
    return lambda fn: fn


def unused(fn: Function) -> Function:
    """Mark a function that a compiled program would not call: the same function."""
    return fn


def export(fn: Function) -> Function:
    """Mark a method that PyTorch would compile too: the same function."""
    return fn


def interface(obj: Any) -> Any:
    """Mark a class as an interface of modules: the same class."""
    return obj


def script_method(fn: Function) -> Function:
    """Mark a method of a ScriptModule: the same function."""
    return fn


def script_if_tracing(fn: Function) -> Function:
    """A function that is compiled while a program is traced: the same function."""
    return fn


def is_scripting() -> bool:
    """Whether compiled code runs: never."""
    return False


def is_tracing() -> bool:
    """Whether a program is being traced by PyTorch's compiler: never."""
    return False


def annotate(the_type: Any, the_value: Any) -> Any:
    """A value, with its type for the compiler: the value."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:  # noqa: A001
    """Whether an object has a type, which may be written as `List[int]`: elements are looked at too."""
    from typing import Union, get_args, get_origin

    if builtins.isinstance(target_type, tuple):
        return any([isinstance(obj, t) for t in target_type])
    origin, inner = get_origin(target_type), get_args(target_type)
    if origin is None:
        return builtins.isinstance(obj, target_type if target_type is not None else type(None))
    if origin is Union or type(target_type).__name__ == "UnionType":
        return any([isinstance(obj, t) for t in inner])
    if not builtins.isinstance(obj, origin):
        return False
    if origin is dict:
        return all([isinstance(k, inner[0]) and isinstance(v, inner[1]) for k, v in obj.items()])
    if origin is tuple and not (len(inner) == 2 and inner[1] is ...):
        return len(obj) == len(inner) and all([isinstance(v, t) for v, t in zip(obj, inner, strict=True)])
    return all([isinstance(v, inner[0]) for v in obj])


def Attribute(value: Any, type: Any) -> Any:  # noqa: N802
    """A value of a ScriptModule, with its type for the compiler: the value."""
    return value


manual.attach(__name__)
