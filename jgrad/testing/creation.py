"""Random tensors for tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jgrad
from jgrad import dtypes, manual, warn
from jgrad.dtypes import dtype as Dtype  # noqa: N812
from jgrad.tensor import Tensor


def make_tensor(
    *shape: int | Sequence[int],
    dtype: Dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor of random numbers from `low` to below `high`, for tests. The same seed gives the same numbers as in PyTorch."""
    extents: tuple = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    if noncontiguous and memory_format is not None:
        raise ValueError(
            f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got {noncontiguous=} and {memory_format=}"
        )
    inexact = dtype.category >= dtypes.FLOATING
    if requires_grad and not inexact:
        raise ValueError(
            f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}"
        )
    apart = noncontiguous and math.prod(extents) > 1
    if apart:
        extents = (*extents[:-1], 2 * extents[-1])
    first, last = _limits(low, high, dtype)
    if inexact:
        result = jgrad.empty(extents, device=device, dtype=dtype)
        parts = jgrad.view_as_real(result) if dtype.is_complex else result
        if last - first >= jgrad.finfo(parts.dtype).max:
            parts.uniform_(first / 2, last / 2).mul_(2)  # uniform_ can't draw from a range that is infinite
        else:
            parts.uniform_(first, last)
    else:
        result = jgrad.randint(math.ceil(first), math.ceil(last), extents, device=device, dtype=dtype)
    if apart:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = jgrad.finfo(dtype).tiny if inexact else 1
    return result.requires_grad_(requires_grad) if inexact else result


def _limits(low: float | None, high: float | None, dtype: Dtype) -> tuple[float, float]:
    """The limits of the numbers: those that were given, or the default ones, clamped to what the dtype can hold."""
    lowest: float
    highest: float
    if dtype.category == dtypes.BOOL:
        lowest, highest, default_low, default_high = 0, 2, 0, 2
    elif dtype.category == dtypes.INTEGER:
        info = jgrad.iinfo(dtype)
        # randint computes with int64, so that it can't draw the largest number of int64.
        lowest, highest, default_low, default_high = info.min, info.max + (dtype is not dtypes.int64), -9, 10
    else:
        finite = jgrad.finfo(dtype)
        lowest, highest, default_low, default_high = finite.min, finite.max, -9, 9
    low = default_low if low is None else low
    high = default_high if high is None else high
    if any([isinstance(limit, float) and math.isnan(limit) for limit in (low, high)]):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and dtype.category >= dtypes.FLOATING:
        warn.say(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated since 2.1 and will be removed in "
            "2.3. Use `torch.full(...)` instead.",
            FutureWarning,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < lowest or low >= highest:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only supports [{lowest}, {highest})"
        )
    return min(max(low, lowest), highest), min(max(high, lowest), highest)


manual.attach(__name__)
