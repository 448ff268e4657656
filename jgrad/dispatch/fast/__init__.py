"""The fast paths: what an operator does for the usual arguments, written as straight-line Python.

Most calls are of one kind: positional arguments of the plain classes, float tensors of one dtype. For them everything that the general path
(`Overload.run`) decides is known from the declaration. What is left is the kernel, a tensor, and if a gradient is needed a node. That is
written as source, per overload, and compiled when the operator is first called, since importing must stay cheap. All other arguments go
to the general path, which also raises all errors in PyTorch's words. Both must do the same: tests run the same programs with and without
fast paths. `docs/dispatch.md` shows what is written for `mul`.

`fits.py` decides which overloads have a fast path; `function.py` and `inplace.py` write them; `joining.py` and `composite.py` are for
operators of another form; `paths.py` puts the paths of an operator's overloads together.

This file holds what the written code refers to: the switches below, which it reads as `now.ENABLED`, and `NAMES`.

Note [A function stays itself]: a public function is one object for the life of the process, so that dictionaries, `is` and pickle know it.
Its first call gives this object other code (`become`). Code that is moved so can have no closure, whose cells a function can't change. So a path
is made of compiled code and a dictionary of globals of its own, where its kernel stands by the name `kernel`. docs/dispatch.md has the figures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from jgrad import observer
from jgrad.graph import general_path, grad_mode
from jgrad.graph.grad_mode import InferenceCell
from jgrad.graph.node import sequence_numbers
from jgrad.graph.view import View, become_view, edge_to
from jgrad.kernels import libraries, narrow
from jgrad.tensor import Tensor, _plain

Parameter: type[Tensor] = (
    Tensor  # the class of parameters, which take the fast paths too; `jgrad.nn` sets it when it is loaded
)
ENABLED = True  # tests turn the fast paths off
WATCHING = False  # an observer is installed
_before_request = True  # what ENABLED was when the first request for the general path was opened


def _on_request(requested: bool) -> None:
    """Go to the general path while a request is open, then back to what `ENABLED` was before."""
    global ENABLED, _before_request
    if requested:
        _before_request, ENABLED = ENABLED, False
    else:
        ENABLED = _before_request


def _on_watch(watching: bool) -> None:
    global WATCHING
    WATCHING = watching


general_path.listeners.append(_on_request)
observer.listeners.append(_on_watch)


class _Missing:
    """Stands for an argument that was not given."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
new = object.__new__
as_array, ndarray, plain_tensor = libraries.as_array, np.ndarray, _plain
F32, F64 = np.dtype("float32"), np.dtype("float64")
NARROW = narrow.NUMPY

# What written code takes from here.
NAMES: dict[str, Any] = {
    "InferenceCell": InferenceCell, "MISSING": MISSING, "F32": F32, "F64": F64, "NARROW": NARROW, "Tensor": Tensor, "View": View,
    "as_array": as_array, "become_view": become_view, "edge_to": edge_to, "grad_mode": grad_mode, "libraries": libraries, "ndarray": ndarray,
    "new": new, "observer": observer, "plain_tensor": plain_tensor, "sequence_numbers": sequence_numbers, "now": sys.modules[__name__],
    "__builtins__": __builtins__, "__name__": __name__,  # (a warning of NumPy is told from where it comes by this name)
}  # fmt: skip


def bound(template: FunctionType, **names: Any) -> FunctionType:
    """A function with the code of a template, in which these names stand for these values."""
    made = FunctionType(template.__code__, {**NAMES, **names}, template.__name__, template.__defaults__)
    made.__qualname__ = template.__qualname__
    return made


def become(function: Any, path: FunctionType) -> None:
    """Let a function do from now on what a path does. It may be running, in this thread or in others."""
    function.__globals__.update(path.__globals__)
    function.__defaults__ = path.__defaults__
    function.__code__ = path.__code__


def beginning(first: Callable[..., Any]) -> FunctionType:
    """A function that has no path yet: its calls are those of `first`."""
    return FunctionType(_begin.__code__, {"first": first, "__builtins__": __builtins__, "__name__": __name__})


def _begin(*args: Any, **kwargs: Any) -> Any:
    __tracebackhide__ = True
    return first(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821  (a name of the function that gets this code)
