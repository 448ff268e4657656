"""What jgrad promises about its speed, and the check of these promises. Each promise is written here, and only here.

A figure is the time that jgrad may take at most, divided by the time of another system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.results import MEDIAN, MINIMUM, Results, Times, mean_ratio
from benchmarks.systems import AUTOGRAD, JGRAD, MYGRAD, NUMPY, TORCH

Pairs = dict[str, float]


@dataclass(frozen=True)
class Promise:
    """The promises of a group of rows: `mean` for its geometric mean over PyTorch, `row` for each row over PyTorch, `numpy` for each row over
    NumPy by hand. `own` and `own_numpy` replace these for single rows."""

    row: float
    numpy: float | None = None
    mean: float | None = None
    own: Pairs = field(default_factory=dict)
    own_numpy: Pairs = field(default_factory=dict)

    def of_row(self, name: str) -> dict[str, float | None]:
        """The promise of a row over each system."""
        return {
            TORCH: self.own.get(name, self.row),
            NUMPY: self.own_numpy.get(name, self.numpy),
            AUTOGRAD: 1.0,
            MYGRAD: 1.0,
        }


def along(promised: float, name: str, *dims: int) -> Pairs:
    return {f"{name} of 2000 x 2000 over dim {dim}": promised for dim in dims}


BLAS_BOUND = "MLP 784-1024-1024-10, batch 256, nn and optim.SGD"
CONVOLUTIONS = (
    "conv2d 3-16-32 channels, batch 16, 32 x 32",
    "conv2d (10, 3, 7, 7) with (5, 3, 3, 3), float64",
)

PROMISES = {
    "overhead": Promise(
        mean=0.5,
        row=1.0,
        numpy=5.0,
        own={"a chain of 100,000 products, per node": 0.4},  # 3 us, where PyTorch takes 7.5 us
    ),
    "small operations": Promise(row=1.0, numpy=5.0),
    "throughput": Promise(
        mean=0.9,
        row=0.9,
        numpy=1.3,
        own={
            **along(0.6, "var", 0, 1),
            **along(0.6, "max", 0, 1),
            **along(0.6, "min", 0, 1),
            **along(0.6, "cumsum", 0),
            **along(3.0, "cumsum", 1),
            "sort of 1000 x 1000": 0.6,
            "topk(10) of 1000 x 1000": 0.6,
            "exp, tanh, sigmoid, multiply, add of 1e7": 0.6,
            "matmul 512 x 512": 1.1,
            "matmul 1024 x 1024": 1.1,
            "layer_norm of 4096 x 512": 4.0,
        },
    ),
    "indexing": Promise(mean=0.8, row=0.8, numpy=1.3),
    "training": Promise(
        row=0.6,
        numpy=3.0,
        own={
            BLAS_BOUND: 1.1,
            **dict.fromkeys(CONVOLUTIONS, 2.2),
            "gradcheck of conv2d (2, 3, 5, 5) with (5, 3, 3, 3)": 1.2,
        },
        own_numpy=dict.fromkeys((BLAS_BOUND, CONVOLUTIONS[0]), 1.3),
    ),
    "second order": Promise(mean=0.7, row=0.7, numpy=5.0),
    "func": Promise(row=1.0),
}
# Over the cell without a recorder.
RECORDED = {
    "50 small forward and backward passes": 3.0,
    "60 rounds of training of a small network": 3.0,
    "operations on 1e6 elements": 1.1,
}
PEAK, KEPT, GROWTH = 0.6, 12.0, 1.0  # over PyTorch; MB; MB
IMPORT = 0.060  # seconds over `import numpy`


@dataclass(frozen=True)
class Missed:
    what: str
    over: str  # the system; empty if the promise is not a ratio
    found: str
    promised: str


def too_much(what: str, rows: list[Times], one: str, other: str, promised: float | None) -> Iterator[Missed]:
    """A row misses its promise if both medians and minimums are above it. One of them alone may be chance."""
    median, minimum = (mean_ratio(rows, one, other, figure) for figure in (MEDIAN, MINIMUM))
    if median is None or minimum is None or promised is None:
        return
    if min(median, minimum) > promised:
        yield Missed(what, other, f"{median:.2f} ({minimum:.2f})", f"{promised:g}")


def missed(results: Results) -> Iterator[Missed]:
    """The promises that the times on one thread miss."""
    for group, promise in PROMISES.items():
        rows = {name: row["one thread"] for name, row in results["rows"].items() if row["group"] == group}
        yield from too_much(f"**{group}**, geometric mean", [*rows.values()], JGRAD, TORCH, promise.mean)
        for name, times in rows.items():
            for other, promised in promise.of_row(name).items():
                yield from too_much(name, [times], JGRAD, other, promised)
    for name, times in results["recorder"].items():
        yield from too_much(f"recording {name}", [times], "recorded", "plain", RECORDED[name])
    memory = {question: found[JGRAD] for question, found in results["memory"].items()}
    for question, most in (("kept", KEPT), ("growth", GROWTH)):
        if memory.get(question, 0.0) > most:
            yield Missed(f"memory: {question}", "", f"{memory[question]:.1f} MB", f"{most:g} MB")
    if TORCH in results["memory"].get("peak", {}):
        over = memory["peak"] / results["memory"]["peak"][TORCH]
        if over > PEAK:
            yield Missed("memory: peak", TORCH, f"{over:.2f}", f"{PEAK:g}")
    imported = results["imports"].get(JGRAD, 0.0)
    if imported > IMPORT:
        yield Missed("import", "", f"{imported * 1e3:.1f} ms", f"{IMPORT * 1e3:g} ms")
