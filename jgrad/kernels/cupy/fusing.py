"""Element-wise functions as one kernel each. Replaces functions of `jgrad.kernels.numpy.fusing`, by which they run where that can't be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import cupy

from jgrad.kernels.cupy.tracing import Fused, Sum, Writer
from jgrad.kernels.numpy.fusing import summed as summed_in_steps
from jgrad.kernels.numpy.fusing import written as written_in_steps


def fused(function: Callable) -> Callable:
    one = Fused(cupy, function)

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **options) if options else one(args)

    return call


def written(function: Callable) -> Callable:
    one = Fused(cupy, function, Writer, written_in_steps(function))
    return lambda *args: one(args[:-1], args[-1])


def summed(function: Callable) -> Callable:
    in_steps = summed_in_steps(function)
    one = Fused(cupy, function, Sum, lambda *args: in_steps(*args[:-2], axis=args[-2], keepdims=args[-1]))
    return lambda *args, axis=None, keepdims=False: one(args, axis, keepdims)
