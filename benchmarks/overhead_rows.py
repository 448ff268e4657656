"""Overhead: tensors of a few floats, for which the engine takes nearly all of the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rows import FOUR, STEP, operation, row, statement
from benchmarks.systems import Run, System

statement("x + w", "x + w", "x + w", name="add, recorded", x=FOUR, w=STEP)
statement("x + w", "x + w", "lib.add(x, w)", name="add, no grad", recorded=False, x=FOUR, w=STEP)
statement("x * 2.0", "x * 2.0", "x * 2.0", name="multiply by a number, recorded", x=FOUR)
statement("x[1:3]", "x[1:3]", "x[1:3]", x=FOUR)
statement("x[1]", "x[1, ...]", "x[1, ...]", x=FOUR)
statement("x.view(2, 2)", "x.reshape(2, 2)", "x.reshape(2, 2)", x=FOUR)
statement("x.reshape(2, 2)", "x.reshape(2, 2)", "x.reshape(2, 2)", x=FOUR)
statement("x.detach()", "x.view()", mygrad="lib.tensor(x, copy=False, constant=True)", x=FOUR)
statement("x.clone()", "x.copy()", mygrad="+x", x=FOUR)
statement("x.sum()", "lib.add.reduce(x)", "x.sum()", name="x.sum(), recorded", x=FOUR)
statement("x.mul_(1.0)", "lib.multiply(x, 1.0, x)", recorded=False, x=FOUR.copy)


def scalar_graph_by_hand(w: np.ndarray, x: np.ndarray) -> tuple:
    a, b = w + x, w + 1
    return a * b, lambda g: (g * b + g * a,)


operation(
    "(w + x) * (w + 1), forward and backward",
    "overhead",
    lambda lib, w, x: (w + x) * (w + 1),
    scalar_graph_by_hand,
    lambda lib, w, x: (w + x) * (w + 1),
    inputs=[np.array(1.0, np.float32)],
    constants=[np.array(2.0, np.float32)],
)


def chain(length: int) -> Callable[..., Any]:
    def forward(lib: Any, x: Any, c: Any) -> Any:
        for _ in range(length):
            x = x * c
        return x

    return forward


def chain_by_hand(length: int) -> Callable[..., tuple]:
    def forward(x: np.ndarray, c: np.ndarray) -> tuple:
        def backward(g: np.ndarray) -> tuple:
            for _ in range(length):
                g = g * c
            return (g,)

        for _ in range(length):
            x = x * c
        return x, backward

    return forward


for _length in (100, 10_000, 100_000):
    operation(
        f"a chain of {_length:,} products, per node",
        "overhead",
        chain(_length),
        chain_by_hand(_length),
        chain(_length) if _length <= 10_000 else None,  # longer chains take these systems seconds
        inputs=[FOUR],
        constants=[np.ones(4, np.float32)],
        per=_length,
    )

statement(
    *[chain(10_000)] * 3,
    name="a chain of 10,000 products, dropped unused, per node",
    per=10_000,
    x=FOUR,
    c=np.ones(4, np.float32),
)

TIMES = 1000


@row("one leaf, 1,000 backward calls, per call", "overhead", per=TIMES)
def repeated(lib: Any) -> Run:
    x, c, g = lib.tensor(FOUR, requires_grad=True), lib.tensor(STEP), lib.tensor(np.ones(4, np.float32))

    def run() -> Any:
        x.grad = None
        for _ in range(TIMES):
            (x * c).backward(g)
        return x.grad

    return run


@repeated.by_hand
def _() -> Run:
    g = np.ones(4, np.float32)

    def run() -> Any:
        total = np.zeros(4, np.float32)
        for _ in range(TIMES):
            FOUR * STEP
            total += g * STEP
        return total

    return run


@repeated.in_peers
def _(peer: System) -> Run:
    gradient = peer.differentiate(lambda lib, x, c: x * c, [FOUR], [STEP])
    # These systems do not accumulate gradients, and the given gradient is random.
    scale = STEP / gradient()[1]

    def run() -> Any:
        total = np.zeros(4, np.float32)
        for _ in range(TIMES):
            total += gradient()[1]
        return total * scale

    return run


def products(lib: Any, x: Any, c: Any) -> Any:
    total = x * c
    for _ in range(TIMES - 1):
        total = total + x * c
    return total


def products_by_hand(x: np.ndarray, c: np.ndarray) -> tuple:
    def backward(g: np.ndarray) -> tuple:
        total = np.zeros(4, np.float32)
        for _ in range(TIMES):
            total += g * c
        return (total,)

    return products(np, x, c), backward


operation(
    "1,000 products of one leaf, per product",
    "overhead",
    products,
    products_by_hand,
    products,
    inputs=[FOUR],
    constants=[STEP],
    per=TIMES,
)
