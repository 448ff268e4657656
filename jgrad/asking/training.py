"""`jgrad.testing.assert_trains`: whether all parameters of a model would learn from a loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jgrad import mirrors
from jgrad.asking.answer import Answer, active
from jgrad.asking.naming import BadInput, no_tensor
from jgrad.tensor import Tensor
from jgrad.tracing import explain
from jgrad.tracing.document.passage import Passage
from jgrad.tracing.explain.rule import listed

MOST = 6  # parameters that a sentence lists


def assert_trains(model: Any, loss: Any) -> None:
    """Check that each parameter of a model that requires grad would learn from a loss. No `.grad` changes.

    Args:
        model: a module of jgrad or PyTorch
        loss: a tensor with one element that was computed from the model, or a function that computes one

    Raises AssertionError if a parameter gets no gradient, one that is exactly zero, nan or infinite, or one that is too small to change it
    even at a learning rate of 1. The message names the parameters, and the reason where the test is recorded (`pytest --jgrad`).

    >>> model = jgrad.nn.Linear(2, 1)
    >>> jgrad.testing.assert_trains(model, model(jgrad.ones(3, 2)).sum())
    >>> jgrad.testing.assert_trains(model, model(jgrad.ones(3, 2)).sum() * 0)
    Traceback (most recent call last):
    AssertionError: 2 of 2 parameters of Linear would not learn from this loss:
      weight and bias get a gradient that is exactly zero
    """
    mirrors.load()
    if not mirrors.is_module(model):
        raise BadInput(f"assert_trains: the first argument is not a model but {type(model).__name__}")
    value = loss() if isinstance(loss, Callable) and not mirrors.is_tensor(loss) else loss  # type: ignore[arg-type]
    if not mirrors.is_tensor(value):
        raise BadInput(f"assert_trains: {no_tensor('loss', value)}")
    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    kind = type(model).__name__
    if not parameters:
        raise AssertionError(f"no parameter of {kind} requires grad, so nothing would learn")
    if not value.requires_grad:
        raise AssertionError(
            f"this loss does not require grad, so none of {kind} would learn from it{_why(value)}"
        )
    gradients = mirrors.library_of(value).autograd.grad(
        [value], [*parameters.values()], retain_graph=True, allow_unused=True
    )
    found: dict[str, list[str]] = {}
    for (name, parameter), gradient in zip(parameters.items(), gradients, strict=True):
        problem = _problem(parameter, gradient)
        if problem:
            found.setdefault(problem, []).append(name)
    if found:
        count = sum(map(len, found.values()))
        lead = f"{count} of {len(parameters)} parameters of {kind} would not learn from this loss:"
        raise AssertionError("\n  ".join([lead, *_sentences(found)]))


def _problem(parameter: Any, gradient: Any) -> str:
    """What is wrong with the gradient of a parameter, as the end of a sentence; nothing if it can learn from it."""
    if gradient is None:
        return "no gradient: the loss was not computed from {it}"
    values, held = _elements(gradient), _elements(parameter)
    if np.isnan(values).any():
        return "a gradient that holds nan"
    if np.isinf(values).any():
        return "a gradient that holds infinity"
    if not values.any():
        return "a gradient that is exactly zero"
    if (held - values == held).all():
        return "a gradient that is too small to change {it}, even at a learning rate of 1"
    return ""


def _elements(tensor: Any) -> Any:
    return np.asarray(mirrors.mirror(tensor).detach().cpu().numpy())


def _sentences(found: dict[str, list[str]]) -> Iterator[str]:
    for problem, names in found.items():
        shown = names if len(names) <= MOST else [*names[: MOST - 1], f"{len(names) - MOST + 1} more"]
        it = "it" if len(names) == 1 else "them"
        yield f"{listed(shown)} get{'s' * (len(names) == 1)} {problem.format(it=it)}"


def _why(loss: Any) -> str:
    """The reason why a loss has no graph, if it was recorded."""
    for trace in reversed(active):
        tensor = mirrors.mirror(loss)
        if isinstance(tensor, Tensor) and trace.number_of(tensor) is not None:
            subject = explain.Subject.best("loss", tensor, [trace])
            return f": {Answer([Passage(explain.reason(subject)['text'], subject.log)])}"
    return ""
