"""Throughput: arrays so large that the engine takes hardly any of the time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.rows import MILLION, operation, random, statement

GROUP = "throughput"


# A chain of elementwise operations.


def chain_by_hand(x: np.ndarray) -> tuple:
    e, t, s = np.exp(x), np.tanh(x), 1 / (1 + np.exp(-x))
    return e * t + s, lambda g: (g * (e * t + e * (1 - t * t) + s * (1 - s)),)


for _name, _size in (("1e6", MILLION), ("1e7", 10 * MILLION)):
    operation(
        f"exp, tanh, sigmoid, multiply, add of {_name}",
        GROUP,
        lambda lib, x: x.exp() * x.tanh() + x.sigmoid(),
        chain_by_hand,
        autograd=lambda lib, x: lib.exp(x) * lib.tanh(x) + 1 / (1 + lib.exp(-x)),
        mygrad=lambda lib, x: lib.exp(x) * lib.tanh(x) + lib.nnet.sigmoid(x),
        inputs=[(_size,)],
        threads=True,
    )


# Products of matrices.


for _side in (512, 1024):
    operation(
        f"matmul {_side} x {_side}",
        GROUP,
        lambda lib, a, b: a @ b,
        lambda a, b: (a @ b, lambda g: (g @ b.T, a.T @ g)),
        lambda lib, a, b: lib.matmul(a, b),
        inputs=[(_side, _side), (_side, _side)],
        threads=True,
    )

EQUATION = "bhid,bhjd->bhij"
operation(
    f"einsum {EQUATION}, 8 x 8 x 64 x 32",
    GROUP,
    lambda lib, q, k: lib.einsum(EQUATION, q, k),
    lambda q, k: (q @ k.swapaxes(-1, -2), lambda g: (g @ k, g.swapaxes(-1, -2) @ q)),
    lambda lib, q, k: lib.einsum(EQUATION, q, k),
    inputs=[(8, 8, 64, 32), (8, 8, 64, 32)],
)


def svd_by_hand(a: np.ndarray) -> tuple:
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return s, lambda g: ((u * g) @ vh,)


def solve_by_hand(a: np.ndarray, b: np.ndarray) -> tuple:
    x = np.linalg.solve(a, b)

    def backward(g: np.ndarray) -> tuple:
        gb = np.linalg.solve(a.T, g)
        return -gb @ x.T, gb

    return x, backward


operation(
    "svd of 100 x 100",
    GROUP,
    lambda lib, a: lib.linalg.svd(a, full_matrices=False).S,
    svd_by_hand,
    autograd=lambda lib, a: lib.linalg.svd(a, full_matrices=False)[1],
    inputs=[(100, 100)],
)
operation(
    "solve of 100 x 100",
    GROUP,
    lambda lib, a, b: lib.linalg.solve(a, b),
    solve_by_hand,
    autograd=lambda lib, a, b: lib.linalg.solve(a, b),
    inputs=[lambda: random(100, 100) + 20 * np.eye(100, dtype=np.float32), (100, 1)],
)


# Broadcasting and reductions.


SIDE = 2000
SQUARE = (SIDE, SIDE)

operation(
    "2000 x 2000 plus a row",
    GROUP,
    lambda lib, x, r: x + r,
    lambda x, r: (x + r, lambda g: (g.copy(), np.add.reduce(g, 0))),
    lambda lib, x, r: x + r,
    inputs=[SQUARE, (SIDE,)],
)
operation(
    "2000 x 2000 times a column",
    GROUP,
    lambda lib, x, c: x * c,
    lambda x, c: (x * c, lambda g: (g * c, np.add.reduce(g * x, 1, keepdims=True))),
    lambda lib, x, c: x * c,
    inputs=[SQUARE, (SIDE, 1)],
)


def spread(gradient: np.ndarray, dim: int) -> np.ndarray:
    """The gradient of a sum: the same for each element that was summed."""
    return np.broadcast_to(np.expand_dims(gradient, dim), SQUARE).copy()


def sum_by_hand(x: np.ndarray, dim: int) -> tuple:
    return np.add.reduce(x, dim), lambda g: (spread(g, dim),)


def mean_by_hand(x: np.ndarray, dim: int) -> tuple:
    return np.add.reduce(x, dim) / SIDE, lambda g: (spread(g / SIDE, dim),)


def var_by_hand(x: np.ndarray, dim: int) -> tuple:
    centred = x - np.add.reduce(x, dim, keepdims=True) / SIDE
    result = np.add.reduce(centred * centred, dim) / (SIDE - 1)
    return result, lambda g: (centred * np.expand_dims(g * (2 / (SIDE - 1)), dim),)


def extreme_by_hand(find: Callable[..., np.ndarray], x: np.ndarray, dim: int) -> tuple:
    places = np.expand_dims(find(x, dim), dim)

    def backward(g: np.ndarray) -> tuple:
        gradient = np.zeros_like(x)
        np.put_along_axis(gradient, places, np.expand_dims(g, dim), dim)
        return (gradient,)

    return np.take_along_axis(x, places, dim).squeeze(dim), backward


def cumsum_by_hand(x: np.ndarray, dim: int) -> tuple:
    return np.cumsum(x, dim), lambda g: (np.flip(np.cumsum(np.flip(g, dim), dim), dim),)


REDUCTIONS: dict[str, tuple] = {
    "sum": (lambda lib, x, dim: x.sum(dim), sum_by_hand, lambda lib, x, dim: lib.sum(x, axis=dim)),
    "mean": (lambda lib, x, dim: x.mean(dim), mean_by_hand, lambda lib, x, dim: lib.mean(x, axis=dim)),
    "var": (lambda lib, x, dim: x.var(dim), var_by_hand, lambda lib, x, dim: lib.var(x, axis=dim, ddof=1)),
    "max": (
        lambda lib, x, dim: x.max(dim).values,
        partial(extreme_by_hand, np.argmax),
        lambda lib, x, dim: lib.max(x, axis=dim),
    ),
    "min": (
        lambda lib, x, dim: x.min(dim).values,
        partial(extreme_by_hand, np.argmin),
        lambda lib, x, dim: lib.min(x, axis=dim),
    ),
    "cumsum": (
        lambda lib, x, dim: x.cumsum(dim),
        cumsum_by_hand,
        lambda lib, x, dim: lib.cumsum(x, axis=dim),
    ),
}
for _name, _ways in REDUCTIONS.items():
    for _dim in (0, 1):
        operation(
            f"{_name} of 2000 x 2000 over dim {_dim}",
            GROUP,
            *_ways,
            inputs=[SQUARE],
            constants=[_dim],
            threads=_name == "sum",  # the sum may use BLAS
        )
for _dim in (0, 1):
    statement(
        f"x.argmax({_dim})",
        f"x.argmax({_dim})",
        f"lib.argmax(x, axis={_dim})",
        name=f"argmax of 2000 x 2000 over dim {_dim}",
        group=GROUP,
        recorded=False,
        x=SQUARE,
    )


# Sorting.


def shuffled() -> np.ndarray:
    """A million different numbers. Libraries may order equal numbers differently."""
    return np.random.default_rng(0).permutation(MILLION).astype(np.float32).reshape(1000, 1000)


EACH = np.arange(1000)[:, None]


def chosen_by_hand(find: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> tuple:
    places = find(x)

    def backward(g: np.ndarray) -> tuple:
        gradient = np.zeros_like(x)
        np.put_along_axis(gradient, places, g, -1)
        return (gradient,)

    return np.take_along_axis(x, places, -1), backward


def largest(x: np.ndarray) -> np.ndarray:
    places = np.argpartition(x, -10, -1)[:, -10:]
    order = np.argsort(-np.take_along_axis(x, places, -1), -1)
    return np.take_along_axis(places, order, -1)


for _name, _torch, _find in (
    ("sort", lambda lib, x: x.sort().values, partial(np.argsort, axis=-1)),
    ("topk(10)", lambda lib, x: x.topk(10).values, largest),
):
    operation(
        f"{_name} of 1000 x 1000",
        GROUP,
        _torch,
        partial(chosen_by_hand, _find),
        autograd=lambda lib, x, find=_find: x[EACH, find(x._value)],
        mygrad=lambda lib, x, find=_find: x[EACH, find(x.data)],
        inputs=[shuffled],
    )


# Elementwise functions.


def sigmoid_by_hand(x: np.ndarray) -> tuple:
    result = 1 / (1 + np.exp(-x))
    return result, lambda g: (g * (1 - result) * result,)


def expm1_by_hand(x: np.ndarray) -> tuple:
    result = np.expm1(x)
    return result, lambda g: (g * (result + 1),)


operation(
    "log1p of 1e6",
    GROUP,
    lambda lib, x: lib.log1p(x),
    lambda x: (np.log1p(x), lambda g: (g / (x + 1),)),
    lambda lib, x: lib.log1p(x),
    inputs=[lambda: np.abs(random(MILLION))],
)
operation(
    "expm1 of 1e6",
    GROUP,
    lambda lib, x: lib.expm1(x),
    expm1_by_hand,
    lambda lib, x: lib.expm1(x),
    inputs=[(MILLION,)],
)
operation("erf of 1e6", GROUP, lambda lib, x: lib.erf(x), None, inputs=[(MILLION,)])  # NumPy has no erf
operation(
    "sigmoid of 1e6",
    GROUP,
    lambda lib, x: lib.sigmoid(x),
    sigmoid_by_hand,
    autograd=lambda lib, x: 1 / (1 + lib.exp(-x)),
    mygrad=lambda lib, x: lib.nnet.sigmoid(x),
    inputs=[(MILLION,)],
)
