"""Python's numbers where an array's elements are expected; the same for every array library."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY, limits_of
from jgrad.kernels.narrow import is_narrow, rounded

# The names that PyTorch's errors about overflow use.
C_NAMES = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t"}


def python_number(value: Any) -> Any:
    """A number as Python's own class, also if NumPy made it."""
    return value.item() if isinstance(value, (np.number, np.bool_)) else value


def fill_number(value: Any, dtype: np.dtype) -> Any:
    """A number to fill a tensor of this dtype with; raises PyTorch's error where it would overflow."""
    value = python_number(value)
    name = C_NAMES.get(
        dtype.name,
        {"float16": "c10::Half", "float32": "float", "float64": "double"}.get(dtype.name, dtype.name),
    )
    if isinstance(value, complex) and dtype.kind != "c":
        if value.imag:
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        value = value.real
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        # Of unsigned dtypes negative integers wrap around, and nothing else that is negative.
        low = limits.min if dtype.kind == "i" else -limits.max if isinstance(value, int) else 0
        if not low <= value <= limits.max:
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        return int(value) % (limits.max + 1) if dtype.kind == "u" else int(value)
    if (
        dtype.kind == "f"
        and not is_narrow(dtype)
        and math.isfinite(value)
        and abs(value) > np.finfo(dtype).max
    ):
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    if is_narrow(dtype):
        if math.isfinite(value) and abs(value) > float(limits_of(dtype).max):
            name = FROM_NUMPY[dtype].type_name
            raise RuntimeError(f"value cannot be converted to type c10::{name} without overflow")
        return rounded(np.asarray(value, np.float64), dtype).item()
    return bool(value) if dtype.kind == "b" else value


def number_log(value: Any) -> Any:
    """The logarithm of a Python number, minus infinity at zero."""
    if isinstance(value, complex):
        return cmath.log(value) if value else -math.inf
    return math.log(value) if value > 0 else -math.inf if value == 0 else math.nan
