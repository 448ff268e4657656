"""A row for one operation, forward and backward with a given gradient: results and gradients are compared, both passes are timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rows import Run, leaf, random, row

Forward = Callable[..., Any]


def differentiated(
    name: str,
    group: str,
    prepare: Callable[[Any], Forward],
    inputs: Callable[[], tuple[np.ndarray, ...]],
    shape: tuple[int, ...],
    by_hand: Callable[..., tuple] | None = None,
    in_autograd: Callable[..., Any] | None = None,
) -> None:
    """`prepare(lib)` gives the function of the inputs, all of which get gradients; its result has `shape`. `by_hand` takes the inputs and the
    gradient of the result and returns the result and their gradients; `in_autograd` takes autograd's numpy and the inputs."""

    def values() -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        given = inputs()
        return given, random(*shape, seed=99).astype(given[0].dtype)

    @row(name, group)
    def declared(lib: Any) -> Run:
        given, gradient = values()
        leaves, backwards, forward = [leaf(lib, value) for value in given], lib.tensor(gradient), prepare(lib)

        def run() -> Any:
            for tensor in leaves:
                tensor.grad = None
            result = forward(*leaves)
            result.backward(backwards)
            return result, *[tensor.grad for tensor in leaves]

        return run

    if by_hand is not None:

        @declared.by_hand
        def _() -> Run:
            given, gradient = values()
            return lambda: by_hand(*given, gradient)

    if in_autograd is not None:

        @declared.in_autograd
        def _(anp: Any, autograd: Any) -> Run:
            given, gradient = values()
            whole = autograd.make_vjp(lambda inputs: in_autograd(anp, *inputs))

            def run() -> Any:
                vjp, result = whole(given)
                return result, *vjp(gradient)

            return run
