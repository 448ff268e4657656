"""The fast paths: what an operator does for the usual arguments, written as straight-line Python.

Most calls are of one kind: positional arguments of the plain classes, float tensors of one dtype. For them everything that the general path
(`Overload.run`) decides is known from the declaration. What is left is the kernel, a tensor, and if a gradient is needed a node. That is
written as source, per overload, and compiled when the operator is first called, since importing must stay cheap. All other arguments go
to the general path, which also raises all errors in PyTorch's words. Both must do the same: tests run the same programs with and without
fast paths. `docs/dispatch.md` shows what is written for `mul`.

`fits.py` decides which overloads have a fast path; `function.py` and `inplace.py` write them; `joining.py` and `composite.py` are for
operators of another form; `paths.py` puts the paths of an operator's overloads together.

This file holds what the written code refers to: the switches below and, as its other globals, the names in `NAMES`.
"""

from __future__ import annotations

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

# What written code takes from here, besides the switches.
NAMES = (
    InferenceCell, MISSING, F32, F64, NARROW, Tensor, View, as_array, become_view, edge_to, grad_mode, libraries, ndarray, new, observer,
    plain_tensor, sequence_numbers,
)  # fmt: skip
