"""Element-wise functions as one kernel each. Replaces `fused` of `jgrad.kernels.numpy.fusing`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import cupy

from jgrad.kernels.cupy.tracing import Fused


def fused(function: Callable) -> Callable:
    one = Fused(cupy, function)

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **options) if options else one(args)

    return call
