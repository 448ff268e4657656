"""Windows for spectra, as PyTorch's newer `torch.signal.windows` has them: symmetric, unless `sym=False` makes them periodic."""

# ruff: noqa: N803 (M is what PyTorch calls the number of points)

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from jgrad import dtypes, manual
from jgrad.kernels.numpy import i0
from jgrad.ops.factories import made
from jgrad.tensor import Tensor, strided

__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann", "kaiser",
    "nuttall",
]  # fmt: skip


def _window(
    name: str, M: int, options: dict[str, Any], compute: Callable[[np.ndarray], np.ndarray]
) -> Tensor:
    """A window of M points, whose values `compute` gives for their places."""
    dtype, layout = options.pop("dtype"), options["layout"]
    kind = dtypes.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if kind not in (dtypes.float32, dtypes.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {kind}")
    if not isinstance(M, int):
        raise TypeError(f"linspace(): argument 'steps' must be int, not {type(M).__name__}")
    points = np.arange(M).astype(kind.numpy)
    values = np.ones(M, kind.numpy) if M < 2 else compute(points)
    return made(name, values, arguments={"M": M}, **options)


def _last(M: int, sym: bool) -> int:
    """The place of the last point of the whole window, which a periodic one leaves out."""
    return M - 1 if sym else M


def exponential(M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided,
    device: Any = None, requires_grad: bool = False) -> Tensor:  # fmt: skip
    """An exponential window: `exp(-abs(n - center) / tau)` at the place n.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    middle = _last(M, sym) / 2 if center is None else center
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    return _window("exponential", M, options, lambda n: np.exp(-np.abs(n - middle) / tau))


def cosine(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A cosine window: the upper half of a wave, which is 1 in the middle and small, but not 0, at both ends.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    return _window("cosine", M, options, lambda n: np.sin((n + 0.5) * math.pi / (_last(M, sym) + 1)))


def gaussian(M: int, *, std: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Gaussian window: the bell of the normal distribution, with the largest value 1 in the middle.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    return _window("gaussian", M, options, lambda n: np.exp(-(((n - _last(M, sym) / 2) / std) ** 2) / 2))


def kaiser(M: int, *, beta: float = 12.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Kaiser window: a Bessel function (`jgrad.i0`) of the height of a half circle, with the largest value 1 in the middle.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}

    def compute(n: np.ndarray) -> np.ndarray:
        middle = _last(M, sym) / 2
        return i0(beta * np.sqrt(1 - ((n - middle) / middle) ** 2)) / i0(np.asarray(float(beta))).astype(
            n.dtype
        )

    return _window("kaiser", M, options, compute)


def hamming(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Hamming window: 0.54 minus 0.46 times a cosine. It does not go down to 0.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Hann window: 0.5 minus 0.5 times a cosine, which goes from 0 to 1 and back.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    return general_hamming(
        M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


def blackman(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Blackman window: 0.42, minus 0.5 times a cosine, plus 0.08 times a cosine of twice the frequency.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    return _window("blackman", M, options, lambda n: _cosines(n, (0.42, 0.5, 0.08), _last(M, sym)))


def bartlett(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Bartlett window: a triangle, which goes straight up from 0 to 1, and straight down again.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}
    return _window("bartlett", M, options, lambda n: 1 - np.abs(2 * n / _last(M, sym) - 1))


def general_cosine(M: int, *, a: Iterable, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A window made of cosines with the frequencies 0, 1, 2, ..., with given weights. Every second cosine is subtracted.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    options = {"dtype": dtype, "layout": layout, "device": device, "requires_grad": requires_grad}

    def compute(n: np.ndarray) -> np.ndarray:
        if not isinstance(a, Iterable):
            raise TypeError("Coefficients must be a list/tuple")
        if not a:
            raise ValueError("Coefficients cannot be empty")
        return _cosines(n, tuple(a), _last(M, sym))

    return _window("general_cosine", M, options, compute)


def _cosines(n: np.ndarray, weights: tuple, last: int) -> np.ndarray:
    angle = 2 * math.pi / last * n
    return sum((-1) ** k * weight * np.cos(k * angle) for k, weight in enumerate(weights))


def general_hamming(M: int, *, alpha: float = 0.54, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A window of the Hamming family: `alpha` minus `1 - alpha` times a cosine.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    return general_cosine(
        M,
        a=[alpha, 1.0 - alpha],
        sym=sym,
        dtype=dtype,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


def nuttall(M: int, *, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False) -> Tensor:  # fmt: skip
    """A Nuttall window: a sum of a constant and three cosines, whose weights make the parts of the spectrum that leak very small.
    A window is multiplied with a piece of a signal before its Fourier transform."""
    return general_cosine(
        M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, layout=layout, device=device,
        requires_grad=requires_grad,
    )  # fmt: skip


manual.attach(__name__)
