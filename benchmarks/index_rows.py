"""Reading and writing at indices, choosing and joining: forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.differentiated import differentiated
from benchmarks.rows import MILLION, forward_backward, random, row

GROUP = "indexing"


def places(bound: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(0, bound, shape)


def two_millions() -> tuple[np.ndarray, np.ndarray]:
    return random(MILLION), random(MILLION, seed=1)


def scatter_add(bins: int) -> None:
    index = places(bins, MILLION)

    def by_hand(x: np.ndarray, source: np.ndarray, g: np.ndarray) -> tuple:
        result = x.copy()
        np.add.at(result, index, source)
        return result, g.copy(), g[index]

    def prepare(lib: Any) -> Callable:
        at = lib.tensor(index)
        return lambda x, source: x.scatter_add(0, at, source)

    inputs = lambda: (random(bins), random(MILLION, seed=1))
    differentiated(f"scatter_add of 1e6 into {bins:,} places", GROUP, prepare, inputs, (bins,), by_hand)


scatter_add(1000)
scatter_add(MILLION)

FEW, MANY = places(100, 1000, 1000), places(1000, 1000, 1000)
ROWS = np.arange(1000)[:, None]


def scatter_add_by_hand(x: np.ndarray, source: np.ndarray, g: np.ndarray) -> tuple:
    result = x.copy()
    np.add.at(result.reshape(-1), (ROWS * 100 + FEW).reshape(-1), source.reshape(-1))
    return result, g.copy(), np.take_along_axis(g, FEW, 1)


def gather_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    gradient = np.zeros_like(x)
    np.add.at(gradient.reshape(-1), (ROWS * 1000 + MANY).reshape(-1), g.reshape(-1))
    return np.take_along_axis(x, MANY, 1), gradient


def thousand() -> tuple[np.ndarray]:
    return (random(1000, 1000),)


def prepare_scatter_add(lib: Any) -> Callable:
    index = lib.tensor(FEW)
    return lambda x, source: x.scatter_add(1, index, source)


def prepare_gather(lib: Any) -> Callable:
    index = lib.tensor(MANY)
    return lambda x: x.gather(1, index)


def prepare_take_along_dim(lib: Any) -> Callable:
    index = lib.tensor(MANY)
    return lambda x: lib.take_along_dim(x, index, 1)


differentiated(
    "scatter_add of 1000 x 1000 into 1000 x 100",
    GROUP,
    prepare_scatter_add,
    lambda: (random(1000, 100), random(1000, 1000, seed=1)),
    (1000, 100),
    scatter_add_by_hand,
)
differentiated(
    "gather of 1000 x 1000",
    GROUP,
    prepare_gather,
    thousand,
    (1000, 1000),
    gather_by_hand,
    lambda anp, x: x[ROWS, MANY],
)
differentiated(
    "take_along_dim of 1000 x 1000",
    GROUP,
    prepare_take_along_dim,
    thousand,
    (1000, 1000),
    gather_by_hand,
    lambda anp, x: x[ROWS, MANY],
)

CHOSEN = places(10_000, 20_000)


def vocabulary() -> tuple[np.ndarray]:
    return (random(10_000, 50),)


def rows_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    gradient = np.zeros_like(x)
    np.add.at(gradient, CHOSEN, g)
    return x.take(CHOSEN, 0), gradient


def index_add_by_hand(x: np.ndarray, source: np.ndarray, g: np.ndarray) -> tuple:
    result = x.copy()
    np.add.at(result, CHOSEN, source)
    return result, g.copy(), g.take(CHOSEN, 0)


def prepare_index_select(lib: Any) -> Callable:
    index = lib.tensor(CHOSEN)
    return lambda x: x.index_select(0, index)


def prepare_embedding(lib: Any) -> Callable:
    index = lib.tensor(CHOSEN)
    return lambda x: lib.nn.functional.embedding(index, x)


def prepare_index_add(lib: Any) -> Callable:
    index = lib.tensor(CHOSEN)
    return lambda x, source: x.index_add(0, index, source)


for _name, _prepare in (("index_select", prepare_index_select), ("embedding", prepare_embedding)):
    differentiated(
        f"{_name} of 20,000 rows of 10,000 x 50",
        GROUP,
        _prepare,
        vocabulary,
        (20_000, 50),
        rows_by_hand,
        lambda anp, x: x[CHOSEN],
    )
differentiated(
    "index_add of 20,000 rows to 10,000 x 50",
    GROUP,
    prepare_index_add,
    lambda: (random(10_000, 50), random(20_000, 50, seed=1)),
    (10_000, 50),
    index_add_by_hand,
)

MASK = random(MILLION, seed=7) > 0
WHERE = np.flatnonzero(MASK)
HALF = np.random.default_rng(3).permutation(MILLION)[: MILLION // 2]
PAIR = places(1000, 100_000), places(1000, 2, 100_000)[1]


def masked_select_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    gradient = np.zeros_like(x)
    gradient[MASK] = g
    return x[MASK], gradient


def write_by_hand(x: np.ndarray, values: np.ndarray, g: np.ndarray) -> tuple:
    result, gradient = x.copy(), g.copy()
    result[HALF] = values
    gradient[HALF] = 0
    return result, gradient, g[HALF]


def where_by_hand(x: np.ndarray, y: np.ndarray, g: np.ndarray) -> tuple:
    return np.where(MASK, x, y), np.where(MASK, g, 0), np.where(MASK, 0, g)


def pair_by_hand(x: np.ndarray, g: np.ndarray) -> tuple:
    gradient = np.zeros_like(x)
    np.add.at(gradient, PAIR, g)
    return x[PAIR], gradient


def prepare_masked_select(lib: Any) -> Callable:
    mask = lib.tensor(MASK)
    return lambda x: x.masked_select(mask)


def prepare_write(lib: Any) -> Callable:
    index = lib.tensor(HALF)

    def forward(x: Any, values: Any) -> Any:
        y = x.clone()
        y[index] = values
        return y

    return forward


def prepare_where(lib: Any) -> Callable:
    mask = lib.tensor(MASK)
    return lambda x, y: lib.where(mask, x, y)


def prepare_pair(lib: Any) -> Callable:
    rows, columns = lib.tensor(PAIR[0]), lib.tensor(PAIR[1])
    return lambda x: x[rows, columns]


differentiated(
    "masked_select of 1e6, half of them",
    GROUP,
    prepare_masked_select,
    lambda: (random(MILLION),),
    (len(WHERE),),
    masked_select_by_hand,
    lambda anp, x: x[MASK],
)
differentiated(
    "y[index] = values, 5e5 of 1e6",
    GROUP,
    prepare_write,
    lambda: (random(MILLION), random(MILLION // 2, seed=1)),
    (MILLION,),
    write_by_hand,
)
differentiated(
    "where of 1e6",
    GROUP,
    prepare_where,
    two_millions,
    (MILLION,),
    where_by_hand,
    lambda anp, x, y: anp.where(MASK, x, y),
)
differentiated(
    "x[rows, columns], 1e5 of 1000 x 1000",
    GROUP,
    prepare_pair,
    thousand,
    (100_000,),
    pair_by_hand,
    lambda anp, x: x[PAIR],
)


@row("stack of 100 of 100 x 100", GROUP)
def stacking(lib: Any) -> Callable[[], Any]:
    return forward_backward(
        lib, lambda *parts: lib.stack(parts).sum(), *[random(100, 100, seed=i) for i in range(100)]
    )


@stacking.by_hand
def _() -> Callable[[], Any]:
    parts = [random(100, 100, seed=i) for i in range(100)]

    def run() -> Any:
        np.stack(parts).sum()
        return list(np.ones((100, 100, 100), np.float32))

    return run
