"""The workloads. Each is declared in one place, in a file `*_rows.py`, in the idiom of each system: once for jgrad and PyTorch, once by hand in
NumPy (no engine on NumPy can be faster), and for autograd (HIPS) and mygrad, if they can do it. Their functions have the names of NumPy's.

- `statement`: one line of code, forward only;
- `operation`: a function of arrays, forward and backward with a given gradient;
- `@row`: a function that prepares a run, for anything else.

In the arrays of a row, a tuple of numbers is the shape of a random array, and a function makes an array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from benchmarks.systems import AUTOGRAD, JGRAD, MYGRAD, NUMPY, TORCH, Run, System, random

MILLION = 1_000_000
FOUR = np.array([0.5, 1.0, 1.5, 2.0], np.float32)
STEP = np.array([1.01, 0.99, 1.02, 0.98], np.float32)

Function = Callable[..., Any]


@dataclass
class Row:
    name: str
    group: str
    per: int  # how often a run does what the row counts
    threads: bool  # whether it is measured on all threads too
    makers: dict[str, Callable[[System], Run]] = field(default_factory=dict)

    def by_hand(self, make: Callable[[], Run]) -> Callable[[], Run]:
        """Add the row by hand in NumPy."""
        self.makers[NUMPY] = lambda system: make()
        return make

    def in_peers(self, make: Callable[[System], Run]) -> Callable[[System], Run]:
        """Add the row for autograd and mygrad. `make` gets the system."""
        self.makers[AUTOGRAD] = self.makers[MYGRAD] = make
        return make

    def in_autograd(self, make: Callable[[System], Run]) -> Callable[[System], Run]:
        self.makers[AUTOGRAD] = make
        return make

    def runs(self, systems: dict[str, System]) -> dict[str, Run]:
        return {name: self.makers[name](system) for name, system in systems.items() if name in self.makers}


ROWS: dict[str, Row] = {}


def add(name: str, group: str, per: int = 1, threads: bool = False) -> Row:
    if name in ROWS:
        raise ValueError(f"two rows named {name!r}")
    ROWS[name] = Row(name, group, per, threads)
    return ROWS[name]


def row(name: str, group: str, per: int = 1, threads: bool = False) -> Callable[[Callable[[Any], Run]], Row]:
    """Declare a row. The decorated function gets jgrad or PyTorch, and returns a run."""

    def declare(make: Callable[[Any], Run]) -> Row:
        declared = add(name, group, per, threads)
        declared.makers[JGRAD] = declared.makers[TORCH] = lambda system: make(system.lib)
        return declared

    return declare


def made(value: Any, seed: int = 0) -> Any:
    if isinstance(value, tuple):
        return random(*value, seed=seed)
    return value() if callable(value) else value


def statement(
    torch: str | Function,
    numpy: str | Function | None,
    peers: str | Function | None = None,
    *,
    autograd: str | Function | None = None,
    mygrad: str | Function | None = None,
    name: str | None = None,
    group: str = "overhead",
    per: int = 1,
    recorded: bool = True,
    **values: Any,
) -> None:
    """Declare a row of one line of code, for jgrad and PyTorch, for NumPy, and for autograd and mygrad: code with the names `lib` and those of
    `values`, or a function of them."""
    declared = add(name or str(torch), group, per)
    ways = {JGRAD: torch, TORCH: torch, NUMPY: numpy, AUTOGRAD: autograd or peers, MYGRAD: mygrad or peers}

    def make(way: str | Function, system: System) -> Run:
        tensor = system.leaf if recorded else system.plain
        known = {key: tensor(made(value, seed)) for seed, (key, value) in enumerate(values.items())}
        if isinstance(way, str):
            return eval(f"lambda: {way}", {"lib": system.lib, **known})
        return partial(way, system.lib, **known)

    declared.makers |= {system: partial(make, way) for system, way in ways.items() if way is not None}


def operation(
    name: str,
    group: str,
    torch: Function,
    by_hand: Function | None,
    peers: Function | None = None,
    *,
    autograd: Function | None = None,
    mygrad: Function | None = None,
    inputs: Sequence[Any],
    constants: Sequence[Any] = (),
    per: int = 1,
    threads: bool = False,
) -> None:
    """Declare a row that runs a function forward and backward. Functions take the library, the inputs, which all get gradients, and the constants.
    `by_hand` takes no library. It returns the result, and a function from its gradient to a tuple of the gradients of the inputs."""
    declared = add(name, group, per, threads)
    functions = {JGRAD: torch, TORCH: torch, NUMPY: by_hand, AUTOGRAD: autograd or peers, MYGRAD: mygrad or peers}  # fmt: skip

    def make(function: Function, system: System) -> Run:
        arrays = [made(value, seed) for seed, value in enumerate(inputs)]
        return system.differentiate(function, arrays, [made(value) for value in constants])

    declared.makers |= {
        system: partial(make, function) for system, function in functions.items() if function is not None
    }
