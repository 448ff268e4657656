"""`compile`: in an eager engine a compiled function is the function itself, as with PyTorch's backend "eager"."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jgrad import manual
from jgrad.nn.modules.module import Module

Function = Callable[..., Any]

# PyTorch's backends, by name, and the modes of its usual one.
BACKENDS = ("aot_eager", "aot_eager_decomp_partition", "aot_eager_default_partitioner", "aot_ts", "cudagraphs", "eager",
            "eager_debug", "eager_noexcept", "inductor", "openxla", "tvm")  # fmt: skip
MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


class InvalidBackend(RuntimeError):
    """There is no backend of this name."""


class OptimizedModule(Module):
    """What `compile` gives for a module: the module is its only part, and does all the work."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self._orig_mod = module

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._orig_mod(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)


def compile(  # noqa: A001
    model: Function | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Function = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """The same function: jgrad runs each operator at once, and compiles nothing. So programs that call `compile` run unchanged."""
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    if model is None:
        return lambda model: compile(model, backend=backend, mode=mode, options=options, disable=disable)
    if disable:
        return model
    _check(backend, mode)
    if isinstance(model, Module):
        return OptimizedModule(model)
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")

    @functools.wraps(model)
    def compiled(*args: Any, **kwargs: Any) -> Any:
        return model(*args, **kwargs)

    return compiled


def _check(backend: str | Function, mode: str | None) -> None:
    """Refuse a backend or mode that PyTorch does not have, or that would need a graph."""
    if callable(backend):
        raise NotImplementedError(
            "a backend that is a function gets a graph of the program, and jgrad makes none"
        )
    if backend not in BACKENDS:
        raise InvalidBackend(
            f"Invalid backend: {backend!r}, see `torch._dynamo.list_backends()` for available backends."
        )
    if backend == "inductor" and mode is not None and mode not in MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(MODES)}")


manual.attach(__name__)
