"""Windows for spectra: `jgrad.hann_window` and related functions. `jgrad/extra/signal/windows.py` has those of `jgrad.signal.windows`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad import dtypes
from jgrad.dispatch import composite
from jgrad.dtypes import FROM_NUMPY, INEXACT
from jgrad.kernels.numpy import c_name_of, i0
from jgrad.ops.factories import made
from jgrad.tensor import Tensor

# What functions take that make a tensor out of nothing.
FACTORY = "dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=None, bool requires_grad=False"
OPTIONS = ("layout", "device", "pin_memory", "requires_grad")


def cosines(steps: np.ndarray, n: int, alpha: float, beta: float) -> np.ndarray:
    return alpha - beta * np.cos(steps * np.asarray(2 * math.pi / (n - 1), steps.dtype))


def hann(steps: np.ndarray, n: int) -> np.ndarray:
    """Half a cosine, from 0 to 1 and back."""
    return cosines(steps, n, 0.5, 0.5)


def hamming(steps: np.ndarray, n: int, alpha: float, beta: float) -> np.ndarray:
    """alpha less beta times a cosine."""
    return cosines(steps, n, alpha, beta)


def blackman(steps: np.ndarray, n: int) -> np.ndarray:
    """Two cosines."""
    angle = steps * np.asarray(math.pi / (n - 1), steps.dtype)
    return (
        np.cos(angle * 4) * np.asarray(0.08, steps.dtype)
        - np.cos(angle * 2) * np.asarray(0.5, steps.dtype)
        + 0.42
    )


def bartlett(steps: np.ndarray, n: int) -> np.ndarray:
    """Straight up and straight down."""
    rising = steps * np.asarray(2 / (n - 1), steps.dtype)
    return np.where(np.arange(n) > (n - 1) // 2, 2 - rising, rising)


def kaiser(steps: np.ndarray, n: int, beta: float) -> np.ndarray:
    """A Bessel function of a half circle."""
    middle = (n - 1) / 2
    height = np.sqrt(1 - ((steps.astype(np.float64) - middle) / middle) ** 2)
    return i0(beta * height) / i0(np.asarray(beta))


_DOC = """{what}
A window is multiplied with a piece of a signal before its Fourier transform.

Args:
    window_length: how many points the window has, not negative
    periodic: if True, the last of `window_length + 1` points is left out, because in a periodic signal it would be the first again; if False,
        the window is symmetric
{shape}\
    dtype: the dtype, a floating one; None means the default dtype
    layout: None or `jgrad.strided`, the usual layout
    device: the device of the new tensor; None means the default device
    pin_memory: if True, the memory is page-locked, so that copies to a GPU are faster; needs a GPU
    requires_grad: if True, the new tensor is a leaf that requires a gradient

Returns a new vector. A window of one point is 1.

{example}
"""


def declare(name: str, compute: Callable, parameters: dict[str, Any], doc: str) -> None:
    """The overloads of a window, each of which takes one more of the parameters (given with their defaults)."""
    defaults = tuple(parameters.values())
    for count in range(len(parameters) + 1):

        def window(window_length: int, *values: Any, count: int = count) -> Tensor:
            periodic, *shape = (*values[:count], *defaults[count:])
            dtype, *options = (*values[count:], None, None, None, None, False)[:5]
            return made_window(name, compute, window_length, periodic, shape, dtype, options)

        window.__doc__ = doc
        given = "".join(f", {declaration}" for declaration in list(parameters)[:count])
        composite(f"{name}(int window_length{given}, *, {FACTORY}) -> Tensor", forms="function")(window)


def made_window(
    name: str, compute: Callable, length: int, periodic: bool, shape: list, dtype: Any, options: list
) -> Tensor:
    kind = dtypes.get_default_dtype().numpy if dtype is None else np.dtype(dtype)
    if kind.kind not in INEXACT:
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={c_name_of(kind)}, device=cpu, layout=Strided "
            "(default), requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))"
        )
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    if length < 2:
        values = np.ones(length, kind)
    else:
        if kind.kind == "c":
            raise NotImplementedError(f"\"arange_cpu\" not implemented for '{FROM_NUMPY[kind].type_name}'")
        n = length + bool(periodic)
        values = compute(np.arange(n).astype(kind), n, *shape).astype(kind)[:length]
    return made(name, values, arguments={"window_length": length}, **dict(zip(OPTIONS, options, strict=True)))


declare(
    "bartlett_window",
    bartlett,
    {"bool periodic": True},
    _DOC.format(
        what="A Bartlett window: a triangle, which goes straight up from 0 to 1, and straight down again.",
        shape="",
        example=""">>> jgrad.bartlett_window(4)
tensor([0.0000, 0.5000, 1.0000, 0.5000])
>>> jgrad.bartlett_window(5, periodic=False)
tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])""",
    ),
)
declare(
    "blackman_window",
    blackman,
    {"bool periodic": True},
    _DOC.format(
        what="A Blackman window: 0.42, minus 0.5 times a cosine, plus 0.08 times a cosine of twice the frequency.",
        shape="",
        example=""">>> jgrad.blackman_window(4)[1:]
tensor([0.3400, 1.0000, 0.3400])""",
    ),
)
declare(
    "hamming_window",
    hamming,
    {"bool periodic": True, "float alpha": 0.54, "float beta": 0.46},
    _DOC.format(
        what="A Hamming window: `alpha` minus `beta` times a cosine. It does not go down to 0.",
        shape="    alpha: the mean value of the window\n    beta: the factor of the cosine\n",
        example=""">>> jgrad.hamming_window(4)
tensor([0.0800, 0.5400, 1.0000, 0.5400])""",
    ),
)
declare(
    "hann_window",
    hann,
    {"bool periodic": True},
    _DOC.format(
        what="A Hann window: 0.5 minus 0.5 times a cosine, which goes from 0 to 1 and back.",
        shape="",
        example=""">>> jgrad.hann_window(4)
tensor([0.0000, 0.5000, 1.0000, 0.5000])
>>> jgrad.hann_window(5, periodic=False)
tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])""",
    ),
)
declare(
    "kaiser_window",
    kaiser,
    {"bool periodic": True, "float beta": 12.0},
    _DOC.format(
        what="A Kaiser window: a Bessel function (`jgrad.i0`) of the height of a half circle, 1 in the middle.",
        shape="    beta: how narrow the window is; 0 makes all values 1\n",
        example=""">>> jgrad.kaiser_window(4, True, 0.)
tensor([1., 1., 1., 1.])
>>> jgrad.kaiser_window(5, periodic=False).argmax()
tensor(2)""",
    ),
)
