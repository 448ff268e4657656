"""Indexing, selecting and joining, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.rows import MILLION, operation, random, statement

GROUP = "indexing"


def places(bound: int, *shape: int) -> Callable[[], np.ndarray]:
    return lambda: np.random.default_rng(5).integers(0, bound, shape)


def permutation() -> np.ndarray:
    return np.random.default_rng(0).permutation(MILLION)


def half() -> np.ndarray:
    return permutation()[: MILLION // 2]


def mask() -> np.ndarray:
    return random(MILLION, seed=7) > 0


MASKED = int(mask().sum())
EACH = np.arange(1000)[:, None]


# Indices may repeat, so gradients are added.


def added(to: np.ndarray, at: Any, source: np.ndarray) -> np.ndarray:
    np.add.at(to, at, source)
    return to


def flat(index: np.ndarray, width: int) -> np.ndarray:
    """Indices along rows as indices into the flat array, the only ones for which NumPy's `add.at` is fast."""
    return (EACH * width + index).reshape(-1)


def scatter_add_by_hand(x: np.ndarray, source: np.ndarray, index: np.ndarray) -> tuple:
    return added(x.copy(), index, source), lambda g: (g.copy(), g[index])


def scatter_add_rows_by_hand(x: np.ndarray, source: np.ndarray, index: np.ndarray) -> tuple:
    result = x.copy()
    added(result.reshape(-1), flat(index, x.shape[1]), source.reshape(-1))
    return result, lambda g: (g.copy(), np.take_along_axis(g, index, 1))


def gather_by_hand(x: np.ndarray, index: np.ndarray) -> tuple:
    def backward(g: np.ndarray) -> tuple:
        gradient = np.zeros_like(x)
        added(gradient.reshape(-1), flat(index, x.shape[1]), g.reshape(-1))
        return (gradient,)

    return np.take_along_axis(x, index, 1), backward


def index_by_hand(x: np.ndarray, *index: np.ndarray) -> tuple:
    return x[index], lambda g: (added(np.zeros_like(x), index, g),)


for _bins in (1000, MILLION):
    operation(
        f"scatter_add of 1e6 into {_bins:,} places",
        GROUP,
        lambda lib, x, source, index: x.scatter_add(0, index, source),
        scatter_add_by_hand,
        inputs=[(_bins,), (MILLION,)],
        constants=[places(_bins, MILLION)],
    )
operation(
    "scatter_add of 1000 x 1000 into 1000 x 100",
    GROUP,
    lambda lib, x, source, index: x.scatter_add(1, index, source),
    scatter_add_rows_by_hand,
    inputs=[(1000, 100), (1000, 1000)],
    constants=[places(100, 1000, 1000)],
)
for _name, _torch in (
    ("gather", lambda lib, x, index: x.gather(1, index)),
    ("take_along_dim", lambda lib, x, index: lib.take_along_dim(x, index, 1)),
):
    operation(
        f"{_name} of 1000 x 1000",
        GROUP,
        _torch,
        gather_by_hand,
        lambda lib, x, index: x[EACH, index],
        inputs=[(1000, 1000)],
        constants=[places(1000, 1000, 1000)],
    )
for _name, _torch in (
    ("index_select", lambda lib, x, index: x.index_select(0, index)),
    ("embedding", lambda lib, x, index: lib.nn.functional.embedding(index, x)),
):
    operation(
        f"{_name} of 20,000 rows of 10,000 x 50",
        GROUP,
        _torch,
        lambda x, index: (x.take(index, 0), lambda g: (added(np.zeros_like(x), index, g),)),
        lambda lib, x, index: x[index],
        inputs=[(10_000, 50)],
        constants=[places(10_000, 20_000)],
    )
operation(
    "index_add of 20,000 rows to 10,000 x 50",
    GROUP,
    lambda lib, x, source, index: x.index_add(0, index, source),
    lambda x, source, index: (added(x.copy(), index, source), lambda g: (g.copy(), g.take(index, 0))),
    inputs=[(10_000, 50), (20_000, 50)],
    constants=[places(10_000, 20_000)],
)
operation(
    "x[index] of 1e6, with repeats",
    GROUP,
    lambda lib, x, index: x[index],
    index_by_hand,
    lambda lib, x, index: x[index],
    inputs=[(MILLION,)],
    constants=[places(MILLION, MILLION)],
)
operation(
    "x[rows, columns], 1e5 of 1000 x 1000",
    GROUP,
    lambda lib, x, rows, columns: x[rows, columns],
    index_by_hand,
    lambda lib, x, rows, columns: x[rows, columns],
    inputs=[(1000, 1000)],
    constants=[places(1000, 100_000), lambda: places(1000, 2, 100_000)()[1]],
)


# Indices do not repeat.


def write_by_hand(x: np.ndarray, values: np.ndarray, index: np.ndarray) -> tuple:
    result = x.copy()
    result[index] = values

    def backward(g: np.ndarray) -> tuple:
        gradient = g.copy()
        gradient[index] = 0
        return gradient, g[index]

    return result, backward


def write_in_mygrad(lib: Any, x: Any, values: Any, index: np.ndarray) -> Any:
    y = +x
    y[index] = values
    return y


def write(lib: Any, x: Any, values: Any, index: Any) -> Any:
    y = x.clone()
    y[index] = values
    return y


def select_by_hand(x: np.ndarray, mask: np.ndarray) -> tuple:
    def backward(g: np.ndarray) -> tuple:
        gradient = np.zeros_like(x)
        gradient[mask] = g
        return (gradient,)

    return x[mask], backward


operation(
    "scatter_ of 1e6",
    GROUP,
    lambda lib, x, source, index: x.clone().scatter_(0, index, source),
    write_by_hand,
    mygrad=write_in_mygrad,
    inputs=[(MILLION,), (MILLION,)],
    constants=[permutation],
)
for _name, _count, _index in (
    ("y[index] = values, 5e5 of 1e6", MILLION // 2, half),
    ("y[mask] = values, half of 1e6", MASKED, mask),
):
    operation(
        _name,
        GROUP,
        write,
        write_by_hand,
        mygrad=write_in_mygrad,
        inputs=[(MILLION,), (_count,)],
        constants=[_index],
    )
for _name, _torch in (
    ("masked_select of 1e6, half of them", lambda lib, x, mask: x.masked_select(mask)),
    ("x[mask] of 1e6, half of them", lambda lib, x, mask: x[mask]),
):
    operation(
        _name,
        GROUP,
        _torch,
        select_by_hand,
        lambda lib, x, mask: x[mask],
        inputs=[(MILLION,)],
        constants=[mask],
    )
operation(
    "masked_fill of 1e6",
    GROUP,
    lambda lib, x, mask: x.masked_fill(mask, 0.0),
    lambda x, mask: (np.where(mask, np.float32(0), x), lambda g: (np.where(mask, np.float32(0), g),)),
    lambda lib, x, mask: lib.where(mask, np.float32(0), x),
    inputs=[(MILLION,)],
    constants=[mask],
)
operation(
    "where of 1e6",
    GROUP,
    lambda lib, x, y, mask: lib.where(mask, x, y),
    lambda x, y, mask: (np.where(mask, x, y), lambda g: (np.where(mask, g, 0), np.where(mask, 0, g))),
    lambda lib, x, y, mask: lib.where(mask, x, y),
    inputs=[(MILLION,), (MILLION,)],
    constants=[mask],
)
statement(
    "(x > 0) & (x < 1)",
    "(x > 0) & (x < 1)",
    "(x > 0) & (x < 1)",
    name="(x > 0) & (x < 1) of 1e6",
    group=GROUP,
    recorded=False,
    x=(MILLION,),
)


# Joining.


PARTS = [(100, 100)] * 100
for _name, _joined, _split in (
    ("cat", np.concatenate, lambda g: tuple(np.split(g, len(PARTS)))),
    ("stack", np.stack, tuple),
):
    operation(
        f"{_name} of 100 of 100 x 100",
        GROUP,
        lambda lib, *parts, join=_name: getattr(lib, join)(parts),
        lambda *parts, join=_joined, split=_split: (join(parts), split),
        lambda lib, *parts, join=_joined.__name__: getattr(lib, join)(parts),
        inputs=PARTS,
    )
