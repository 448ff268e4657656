"""What recording costs: the same work with and without `jgrad.trace()` around it, the document made as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jgrad


def small() -> Any:
    """An overhead-bound cell: some 400 steps on four floats."""
    w = jgrad.ones(4, requires_grad=True)
    for _ in range(50):
        y = (w + 1) * w.detach()
        y.sum().backward()
    return w.grad


def large() -> Any:
    """A cell of a few operations on 1e6 elements."""
    x = jgrad.full((1_000_000,), 0.5).requires_grad_()
    (x.exp() * x.tanh() + x).sum().backward()
    return x.grad


def recorded(work: Callable[[], Any]) -> Callable[[], Any]:
    def run() -> Any:
        with jgrad.trace() as t:
            result = work()
        t.document  # noqa: B018  (made when asked for)
        return result

    return run


def measured(rounds: int, slot: float, measure: Callable[..., Any]) -> dict[str, Any]:
    cells = {"50 small forward and backward passes": small, "operations on 1e6 elements": large}
    return {
        name: measure({"untraced": work, "traced": recorded(work)}, 1, rounds, slot)
        for name, work in cells.items()
    }
