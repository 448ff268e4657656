"""How the functions of `jgrad.nn.functional` read their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from jgrad import warn
from jgrad.dispatch.source import load
from jgrad.tensor import Tensor


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


def older_arguments(before: str = "reduction", same_size: bool = False) -> Callable[[Callable], Callable]:
    """A decorator for losses: the function gets PyTorch's deprecated arguments `size_average` and `reduce`, which override its `reduction`.

    `size_average` comes before the parameter that `before` names, `reduce` before `reduction`. With `same_size`, a target of another size than the
    input is warned of first.
    """

    def decorate(function: Callable) -> Callable:
        parameters = {name: shown(p) for name, p in inspect.signature(function).parameters.items()}
        written = []
        for name, text in parameters.items():
            written += ["size_average: bool | None = None"] if name == before else []
            written += ["reduce: bool | None = None"] if name == "reduction" else []
            written.append(text)
        source = f"""
from __future__ import annotations
def {function.__name__}({", ".join(written)}) -> Tensor:
    {"warn_of_broadcasting(input, target)" if same_size else ""}
    if size_average is not None or reduce is not None:
        reduction = reduction_of_flags(size_average, reduce)
    return function({", ".join(parameters)})
"""
        made: Any = load(source, function.__name__, function.__name__, {**globals(), "function": function})
        made.__doc__, made.__module__ = function.__doc__, function.__module__
        made.__signature__, made.__wrapped__ = inspect.signature(made), function
        return made

    return decorate


def shown(parameter: inspect.Parameter) -> str:
    """A parameter as Python writes it."""
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{parameter.name}: {parameter.annotation}{default}"


def warn_of_broadcasting(input: Tensor, target: Tensor) -> None:
    """Warn of a target that has another size than the input."""
    if target.size() != input.size():
        warn.say(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will likely lead to "
            "incorrect results due to broadcasting. Please ensure they have the same size.",
        )
