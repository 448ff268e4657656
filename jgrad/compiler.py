"""`torch.compiler`: what programs say to PyTorch's compiler. jgrad has none: functions stay as they are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.nn.compiling import compile as compile  # noqa: A004

Function = Callable[..., Any]

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "list_backends",
    "reset",
    "set_stance",
    "substitute_in_graph",
    "wrap_numpy",
]

STANCES = (
    "aot_eager_then_compile",
    "default",
    "eager_on_recompile",
    "eager_then_compile",
    "fail_on_recompile",
    "force_eager",
)


def is_compiling() -> bool:
    """Whether a function is being compiled: never, as jgrad runs each operator at once."""
    return False


def is_dynamo_compiling() -> bool:
    """Whether a function is being compiled: never."""
    return False


def is_exporting() -> bool:
    """Whether a program is being exported: never."""
    return False


def disable(fn: Function | None = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """A function that is not compiled: here the function itself, in a wrapper. Without `fn`, a decorator."""
    if fn is None:
        return lambda fn: disable(fn, recursive, reason=reason)

    @functools.wraps(fn)
    def called(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    return called


def allow_in_graph(fn: Any) -> Any:
    """A function, or each of a list of functions, that the compiler takes as it is: the same object."""
    return fn


def assume_constant_result(fn: Function) -> Function:
    """A function whose result the compiler may take for constant: the same object."""
    return fn


def wrap_numpy(fn: Function) -> Function:
    """A function on NumPy arrays as one on tensors."""
    import jgrad
    from jgrad._pytree import tree_map

    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = tree_map(lambda x: x.numpy() if isinstance(x, jgrad.Tensor) else x, (args, kwargs))
        found = fn(*args, **kwargs)
        return tree_map(lambda x: jgrad.as_tensor(x) if hasattr(x, "__array__") else x, found)

    return wrapped


def substitute_in_graph(original_fn: Function, **_: Any) -> Callable[[Function], Function]:
    """A decorator for a function that the compiler takes in place of `original_fn`. Nothing is replaced, as nothing is compiled."""
    return lambda fn: fn


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names of PyTorch's backends, which `compile` accepts."""
    return ["cudagraphs", "inductor", "openxla", "tvm"]


def reset() -> None:
    """Forget what was compiled: nothing."""


def cudagraph_mark_step_begin() -> None:
    """Mark the beginning of a step for CUDA graphs: nothing, as there are none."""


class set_stance:
    """How the compiler behaves from now on, or in a block. It only checks the name."""

    def __init__(self, stance: str = "default", **_: Any) -> None:
        if stance not in STANCES:
            raise RuntimeError(f"invalid torch.compile stance DynamoStance(stance='{stance}')")

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, fn: Function) -> Function:
        return fn


manual.attach(__name__)
