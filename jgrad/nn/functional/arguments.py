"""How the functions of `jgrad.nn.functional` read their arguments."""

from __future__ import annotations

from typing import Any

from jgrad import warn


def each(values: Any, dim: int = 2) -> tuple:
    """One value for each dimension: a sequence as it is, a single number repeated."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,) * dim


def number_of_reduction(reduction: str) -> int:
    """The number of a reduction, which operators take: 0 for none, 1 for the mean, 2 for the sum."""
    if reduction == "elementwise_mean":
        warn.say("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        return 1
    try:
        return ("none", "mean", "sum").index(reduction)
    except ValueError:
        raise ValueError(f"{reduction} is not a valid value for reduction") from None


def reduction_of_flags(size_average: bool | None, reduce: bool | None) -> str:
    """The reduction that the two deprecated arguments stand for, with PyTorch's warning."""
    if reduce is not None and not reduce:
        reduction = "none"
    else:
        reduction = "mean" if size_average is None or size_average else "sum"
    warn.say(
        f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
    )
    return reduction


def chosen_reduction(reduction: str, size_average: bool | None, reduce: bool | None) -> int:
    """The number of the reduction, which the two deprecated arguments override."""
    if size_average is not None or reduce is not None:
        reduction = reduction_of_flags(size_average, reduce)
    return number_of_reduction(reduction)
