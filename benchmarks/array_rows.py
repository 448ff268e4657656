"""Reductions, orders and elementwise functions of large arrays, and small decompositions: forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.differentiated import differentiated
from benchmarks.rows import MILLION, random

GROUP = "throughput"
SIDE = 2000


def square() -> tuple[np.ndarray]:
    return (random(SIDE, SIDE),)


def spread(gradient: np.ndarray, dim: int) -> np.ndarray:
    """A gradient given to every element that was added up."""
    return np.broadcast_to(np.expand_dims(gradient, dim), (SIDE, SIDE)).copy()


def reduction(
    name: str, ours: Callable, by_hand: Callable, in_autograd: Callable, cumulative: bool = False
) -> None:
    for dim in (0, 1):
        differentiated(
            f"{name} of 2000 x 2000 over dim {dim}",
            GROUP,
            lambda lib, dim=dim: lambda x: ours(x, dim),
            square,
            (SIDE, SIDE) if cumulative else (SIDE,),
            lambda x, g, dim=dim: by_hand(x, g, dim),
            lambda anp, x, dim=dim: in_autograd(anp, x, dim),
        )


def var_by_hand(x: np.ndarray, g: np.ndarray, dim: int) -> tuple:
    centred = x - np.add.reduce(x, dim, keepdims=True) / SIDE
    result = np.add.reduce(centred * centred, dim) / (SIDE - 1)
    centred *= np.expand_dims(g * np.float32(2 / (SIDE - 1)), dim)
    return result, centred


def max_by_hand(x: np.ndarray, g: np.ndarray, dim: int) -> tuple:
    places = np.expand_dims(x.argmax(dim), dim)
    gradient = np.zeros_like(x)
    np.put_along_axis(gradient, places, np.expand_dims(g, dim), dim)
    return np.take_along_axis(x, places, dim).squeeze(dim), gradient


def cumsum_by_hand(x: np.ndarray, g: np.ndarray, dim: int) -> tuple:
    return np.cumsum(x, dim), np.flip(np.cumsum(np.flip(g, dim), dim), dim)


reduction(
    "sum",
    lambda x, dim: x.sum(dim),
    lambda x, g, dim: (np.add.reduce(x, dim), spread(g, dim)),
    lambda anp, x, dim: anp.sum(x, axis=dim),
)
reduction(
    "mean",
    lambda x, dim: x.mean(dim),
    lambda x, g, dim: (np.add.reduce(x, dim) / np.float32(SIDE), spread(g / np.float32(SIDE), dim)),
    lambda anp, x, dim: anp.mean(x, axis=dim),
)
reduction("var", lambda x, dim: x.var(dim), var_by_hand, lambda anp, x, dim: anp.var(x, axis=dim, ddof=1))
reduction("max", lambda x, dim: x.max(dim).values, max_by_hand, lambda anp, x, dim: anp.max(x, axis=dim))
reduction(
    "cumsum",
    lambda x, dim: x.cumsum(dim),
    cumsum_by_hand,
    lambda anp, x, dim: anp.cumsum(x, axis=dim),
    cumulative=True,
)


def shuffled() -> tuple[np.ndarray]:
    """A million numbers without a pair of equal ones, whose order libraries need not agree on."""
    return (np.random.default_rng(0).permutation(MILLION).astype(np.float32).reshape(1000, 1000),)


def sort_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    places = np.argsort(x, -1)
    gradient = np.empty_like(x)
    np.put_along_axis(gradient, places, g, -1)
    return np.take_along_axis(x, places, -1), gradient


def topk_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    places = np.argpartition(x, -10, -1)[:, -10:]
    values = np.take_along_axis(x, places, -1)
    order = np.argsort(-values, -1)
    places = np.take_along_axis(places, order, -1)
    gradient = np.zeros_like(x)
    np.put_along_axis(gradient, places, g, -1)
    return np.take_along_axis(values, order, -1), gradient


differentiated(
    "sort of 1000 x 1000", GROUP, lambda lib: lambda x: x.sort().values, shuffled, (1000, 1000), sort_by_hand
)
differentiated(
    "topk(10) of 1000 x 1000",
    GROUP,
    lambda lib: lambda x: x.topk(10).values,
    shuffled,
    (1000, 10),
    topk_by_hand,
)


def elementwise(
    name: str,
    inputs: Callable[[], tuple],
    by_hand: Callable[..., tuple] | None,
    in_autograd: Callable[..., Any] | None,
) -> None:
    differentiated(
        f"{name} of 1e6", GROUP, lambda lib: getattr(lib, name), inputs, (MILLION,), by_hand, in_autograd
    )


def million() -> tuple[np.ndarray]:
    return (random(MILLION),)


def sigmoid_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    result = 1 / (1 + np.exp(-x))
    return result, g * (1 - result) * result


def expm1_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    result = np.expm1(x)
    return result, g * (result + 1)


elementwise(
    "log1p",
    lambda: (np.abs(random(MILLION)),),
    lambda x, g: (np.log1p(x), g / (x + 1)),
    lambda anp, x: anp.log1p(x),
)
elementwise("expm1", million, expm1_by_hand, lambda anp, x: anp.expm1(x))
elementwise("erf", million, None, None)  # NumPy has none
elementwise("sigmoid", million, sigmoid_by_hand, lambda anp, x: 1 / (1 + anp.exp(-x)))


def attention_inputs() -> tuple[np.ndarray, np.ndarray]:
    return random(8, 8, 64, 32), random(8, 8, 64, 32, seed=1)


EQUATION = "bhid,bhjd->bhij"


def einsum_by_hand(q: np.ndarray, k: np.ndarray, g: np.ndarray) -> tuple:
    return q @ k.swapaxes(-1, -2), g @ k, g.swapaxes(-1, -2) @ q


differentiated(
    f"einsum {EQUATION}, 8 x 8 x 64 x 32",
    GROUP,
    lambda lib: lambda q, k: lib.einsum(EQUATION, q, k),
    attention_inputs,
    (8, 8, 64, 64),
    einsum_by_hand,
    lambda anp, q, k: anp.einsum(EQUATION, q, k),
)


def svd_by_hand(a: np.ndarray, g: np.ndarray) -> tuple:
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return s, (u * g) @ vh


def system() -> tuple[np.ndarray, np.ndarray]:
    return random(100, 100) + 20 * np.eye(100, dtype=np.float32), random(100, 1, seed=1)


def solve_by_hand(a: np.ndarray, b: np.ndarray, g: np.ndarray) -> tuple:
    x = np.linalg.solve(a, b)
    gb = np.linalg.solve(a.T, g)
    return x, -gb @ x.T, gb


differentiated(
    "svd of 100 x 100",
    GROUP,
    lambda lib: lambda a: lib.linalg.svd(a, full_matrices=False).S,
    lambda: (random(100, 100),),
    (100,),
    svd_by_hand,
    lambda anp, a: anp.linalg.svd(a, full_matrices=False)[1],
)
differentiated(
    "solve of 100 x 100",
    GROUP,
    lambda lib: lib.linalg.solve,
    system,
    (100, 1),
    solve_by_hand,
    lambda anp, a, b: anp.linalg.solve(a, b),
)
