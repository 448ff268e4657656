"""What gradcheck compares: the function, its inputs and its results, complex ones taken apart into real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from jgrad.devices import CPU
from jgrad.dtypes import INEXACT
from jgrad.kernels import libraries
from jgrad.kernels.lazy import resolved
from jgrad.tensor import Tensor, wrap


class GradcheckError(RuntimeError):
    """An analytical and a numerical derivative differ."""


class Options(NamedTuple):
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_dtypes: bool
    fast: bool


class Part(NamedTuple):
    """The function to differentiate, with real outputs or real inputs, what it gave, and which of them were complex."""

    func: Callable[..., Any]
    inputs: tuple
    result: tuple
    complex_ones: tuple[int, ...] = ()
    imaginary: bool = False


def to_numpy(t: Tensor) -> np.ndarray:
    """The elements of a tensor of any device as a NumPy array."""
    return libraries.moved(resolved(t._a), CPU)


def to_tensor(array: np.ndarray, like: Tensor) -> Tensor:
    """A NumPy array as a tensor on the device of another one."""
    return wrap(libraries.moved(array, like.device))


def as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def differentiable_ones(result: Any) -> tuple:
    """What can have a gradient among the results."""
    return tuple([t for t in as_tuple(result) if t.requires_grad])


def inputs_to_check(inputs: tuple) -> list[tuple[int, Tensor]]:
    """The inputs that require grad, with their places."""
    return [(i, t) for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.requires_grad]


def has_derivative(value: Any) -> bool:
    return isinstance(value, Tensor) and value._a.dtype.kind in INEXACT


def parts_of_outputs(func: Callable, inputs: tuple, result: Any, outputs: tuple) -> Iterator[Part]:
    """`func` with the imaginary, then with the real parts of its complex outputs; `func` if there are none."""
    if not any([t.is_complex() for t in as_tuple(result)]):
        yield Part(func, inputs, as_tuple(result))
        return

    def part(name: str) -> Callable:
        return lambda *args: tuple([getattr(t, name) if t.is_complex() else t for t in as_tuple(func(*args))])

    complex_ones = tuple([i for i, t in enumerate(outputs) if t.is_complex()])
    for name in ("imag", "real"):
        yield Part(part(name), inputs, part(name)(*inputs), complex_ones, name == "imag")


def parts_of_inputs(func: Callable, inputs: tuple, result: Any) -> Iterator[Part]:
    """`func` of the imaginary, then of the real parts of its complex inputs, the other part as it is; `func` if there are none."""
    complex_ones = tuple([i for i, t in enumerate(inputs) if isinstance(t, Tensor) and t.is_complex()])
    if not complex_ones:
        yield Part(func, inputs, as_tuple(result))
        return

    def of(join: Callable) -> Callable:
        return lambda *args: as_tuple(
            func(*[join(t, inputs[i]) if i in complex_ones else t for i, t in enumerate(args)])
        )

    joins = {"imag": lambda t, whole: whole.real + t * 1j, "real": lambda t, whole: t + whole.imag * 1j}
    for name, join in joins.items():
        given = tuple([getattr(t, name) if i in complex_ones else t for i, t in enumerate(inputs)])
        yield Part(of(join), given, of(join)(*given), complex_ones, name == "imag")
