"""What recording costs: the same work without a recorder, with one, and with the trace document made of it.

python -m benchmarks.traced
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jgrad
from benchmarks.measuring import Effort, measure
from benchmarks.results import Times


def small() -> Any:
    """An overhead-bound cell: 50 forward and backward passes of four floats."""
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


def recorded(work: Callable[[], Any], document: bool) -> Callable[[], Any]:
    def run() -> Any:
        with jgrad.trace() as t:
            result = work()
        return (result, t.document) if document else result

    return run


def measured(effort: Effort) -> dict[str, Times]:
    cells = {"50 small forward and backward passes": small, "operations on 1e6 elements": large}
    return {
        name: measure(
            {"plain": work, "recorded": recorded(work, False), "with its document": recorded(work, True)},
            1,
            effort,
        )
        for name, work in cells.items()
    }


if __name__ == "__main__":
    print(json.dumps(measured(Effort(9, 0.05, 10.0))))
