"""The kernels on NumPy arrays: one of two, element by element. Part of `jgrad.kernels.numpy`.

NumPy's `where` takes a branch for every element, which costs ten times as much where the condition is irregular. So large arrays are
chosen from by their bits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jgrad.kernels.numpy.shape import Array

INTEGERS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
MANY = 1000  # elements, below which the number of calls is what counts


def either(condition: Array, a: Any, b: Any) -> Array:
    """`a` where the condition is true, else `b`: arrays of one dtype, or an array and a number."""
    dtype = (a if hasattr(a, "dtype") else b).dtype
    integer = INTEGERS.get(dtype.itemsize)
    shapes = (), condition.shape
    if condition.size < MANY or integer is None or np.shape(a) not in shapes or np.shape(b) not in shapes:
        return np.where(condition, np.asarray(a, dtype), np.asarray(b, dtype))
    if is_zero(b) and np.shape(a):
        return only_where(a, condition)
    if is_zero(a) and np.shape(b):
        return only_where(b, ~condition)
    a_bits, b_bits = (np.asarray(x, dtype).view(integer) for x in (a, b))
    result = np.empty_like(a if np.shape(a) else b if np.shape(b) else condition, dtype)
    bits = result.view(integer)  # so that the result owns its memory
    np.copyto(bits, signs(condition))
    bits &= a_bits ^ b_bits
    bits ^= b_bits
    return result


def only_where(grad: Array, mask: Array) -> Array:
    """The gradient where the mask is true, 0 elsewhere, even for infinite gradients."""
    integer = INTEGERS.get(grad.itemsize)
    if integer is None or grad.size < MANY:
        return np.where(mask, grad, grad.dtype.type(0))
    result = np.empty_like(grad)
    bits = result.view(integer)
    np.copyto(bits, signs(mask))
    bits &= grad.view(integer)
    return result


def unless(grad: Array, mask: Array) -> Array:
    """The gradient where the mask is false, 0 elsewhere."""
    return only_where(grad, ~mask)


def signs(mask: Array) -> Array:
    """-1, which has all bits set in whatever integer it becomes, where the mask is true, else 0."""
    return np.negative(np.asarray(mask, bool).view(np.int8))


def is_zero(number: Any) -> bool:
    """Whether this is a Python number of which no bit is set."""
    return not isinstance(number, np.ndarray) and number == 0 and math.copysign(1, number) > 0
