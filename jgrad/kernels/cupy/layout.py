"""The order of strides that NumPy gives results; CuPy's are row-major whatever they are made from."""

from __future__ import annotations

from typing import Any

import numpy

from jgrad.kernels.numpy.shape import packed_strides


def ordered(cupy: Any, arrays: list) -> tuple[list, list]:
    """Arrays in their common shape with the dimensions in the order of memory, and the axes that undo it. Shapes that don't go together
    raise ValueError."""
    shape = numpy.broadcast_shapes(*[a.shape for a in arrays])
    whole = [cupy.broadcast_to(a, shape) for a in arrays]
    strides = packed_strides(shape, [a.strides for a in whole])
    order = sorted(range(len(shape)), key=lambda d: -strides[d])
    return [a.transpose(order) for a in whole], sorted(range(len(shape)), key=order.__getitem__)
