"""The order of strides that NumPy gives results; CuPy's are row-major whatever they are made from."""

from __future__ import annotations

from typing import Any

import numpy


def ordered(cupy: Any, arrays: list) -> tuple[list, list]:
    """Arrays in their common shape with the dimensions in the order of memory, and the axes that undo it. Shapes that don't go together
    raise ValueError."""
    shape = numpy.broadcast_shapes(*[a.shape for a in arrays])
    whole = [cupy.broadcast_to(a, shape) for a in arrays]
    order = order_of(shape, [a.strides for a in whole])
    return [a.transpose(order) for a in whole], sorted(range(len(shape)), key=order.__getitem__)


def order_of(shape: tuple, strides: list[tuple]) -> list[int]:
    """The dimensions as NumPy orders those of a result (order "K"): sorted by insertion from the innermost outwards, one further in where
    its strides are smaller, unless operands disagree."""
    inwards = list(range(len(shape)))[::-1]
    for i in range(1, len(inwards)):
        place, dim = i, inwards[i]
        for j in range(i - 1, -1, -1):
            inner = inwards[j]
            smaller = [
                abs(s[dim]) < abs(s[inner])
                for s in strides
                if s[dim] and s[inner] and shape[dim] > 1 and shape[inner] > 1
            ]
            if smaller:
                if not all(smaller):
                    break
                place = j
        inwards.insert(place, inwards.pop(i))
    return inwards[::-1]
