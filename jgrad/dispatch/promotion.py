"""From the values of a call to the arguments of a kernel: raw arrays, in the common dtype of the operands where a declaration promotes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.dispatch.facts import OverloadFacts
from jgrad.dispatch.schema import NUMBERS
from jgrad.kernels import libraries
from jgrad.kernels import numpy as kernels
from jgrad.kernels.numbers import fill_number
from jgrad.tensor import Tensor


def raw_arguments(overload: OverloadFacts, values: list[Any]) -> tuple[list[Any], list[Tensor]]:
    """The kernel's arguments, and the tensors among the values."""
    raw, tensors = list(values), []
    for i in overload.index_lists:
        raw[i] = tuple([t if t is None else t._a for t in values[i]])
    for i in overload.tensor_indexes:
        v = values[i]
        if v.__class__ is list:
            raw[i] = [t._a for t in v]
            tensors += v
        elif isinstance(v, Tensor):
            raw[i] = v._a
            tensors.append(v)
    if overload.promote is not None:
        promote(overload, values, raw)
    return raw, tensors


def promote(overload: OverloadFacts, values: list[Any], raw: list[Any]) -> None:
    """Convert the operands among raw arguments to their common dtype."""
    operands = list(operands_of(overload, raw))
    common = dtypes.result_of(operands) if operands else dtypes.get_default_dtype()
    if overload.promote == "float" and common.category < dtypes.FLOATING:
        common = dtypes.get_default_dtype()
    target = common.numpy
    if (
        common in dtypes.HALVES
        and overload.numbers_in_single
        and libraries.is_array(raw[0])
        and not libraries.is_array(raw[1])
    ):
        # The number is not rounded, and one beyond the range of half precision may still give a result within it.
        target = dtypes.float32.numpy
    if overload.refuses_overflow and common not in dtypes.HALVES:
        for i in overload.promoted:
            if isinstance(raw[i], NUMBERS):
                raw[i] = fill_number(raw[i], target)
    for i in overload.promoted:
        raw[i] = [cast(a, target) for a in raw[i]] if raw[i].__class__ is list else cast(raw[i], target)
    for i, p in enumerate(overload.params):
        if p.name == "alpha":
            dtypes.check_alpha(raw[i], common)


def refuse(overload: OverloadFacts, values: list[Any]) -> None:
    """Raise PyTorch's error for operands that the declaration refuses."""
    if overload.refuses:
        getattr(kernels, f"refuse_{overload.refuses}")(values)


def half_of(overload: OverloadFacts, tensor: Tensor) -> dtypes.dtype | None:
    """The dtype of 16 bits that the result of a tensor and a number has, which `promote` has had computed in single precision, if it has one."""
    kind = tensor.dtype
    if overload.promote == "float" and kind.category < dtypes.FLOATING:
        kind = dtypes.get_default_dtype()
    return kind if kind in dtypes.HALVES else None


def operands_of(overload: OverloadFacts, raw: list[Any]) -> Iterator[Any]:
    """The arrays and numbers that decide about the common dtype."""
    for i in overload.promoted:
        if raw[i].__class__ is list:
            yield from raw[i]
        elif raw[i] is not None:
            yield raw[i]
    # Numbers that may be passed where a tensor is expected take part too: `2 ** x`.
    for p, value in zip(overload.params, raw, strict=True):
        takes_part = overload.promotes_numbers or p.name in overload.promoted_names
        if p.kind == "Number" and value is not None and not p.keyword_only and takes_part:
            yield value


def cast(operand: Any, target: np.dtype) -> Any:
    """An operand in the common dtype; Python numbers that fit no integer dtype wrap around, as in C."""
    if libraries.is_array(operand):
        # (An expanded array has no order of its own.)
        return (
            operand
            if operand.dtype is target
            else operand.astype(target, "C" if 0 in operand.strides else "K")
        )
    if operand is None:
        return None
    if target.kind in "iub":
        return np.asarray(operand, np.int64 if isinstance(operand, int) else None).astype(target)
    return np.asarray(operand, target)
