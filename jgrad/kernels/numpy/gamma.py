"""Gamma and Dirichlet random numbers, and how they move when their parameters do. Part of `jgrad.kernels.numpy`.

A sample x of a distribution with the parameter a and the distribution function F(x; a) follows a at the rate dx/da = -(dF/da) / (dF/dx):
the implicit reparameterised gradient (Figurnov et al. 2018). It has no closed form here. PyTorch takes a series, a saddle point expansion
(Rice) or a fitted rational function, each where it is good to about three digits. The same are here, with the same constants, since
samples of one seed shall give the same gradients.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from jgrad.kernels import streams
from jgrad.kernels.numpy.random import _refuse, _stream
from jgrad.kernels.numpy.shape import Array
from jgrad.kernels.numpy.special import by_case, digamma, elementwise, horner

__all__ = ["_dirichlet_grad", "_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad"]

# PyTorch writes these as float32 numbers and computes with them in float64.
_THIRD, _SQUEEZE = np.float32(1) / np.float32(3), float(np.float32(0.0331))


# Samples ------------------------------------------------------------------------------------------------------------------------------


def _standard_gamma(a: Array, generator: Any = None) -> Array:
    if a.dtype not in (np.float32, np.float64):
        _refuse("gamma_cpu", a)
    found = gamma_numbers(_stream(generator), a).astype(a.dtype)
    return np.maximum(found, np.finfo(a.dtype).tiny)


def _sample_dirichlet(a: Array, generator: Any = None) -> Array:
    if a.dtype not in (np.float32, np.float64):
        _refuse("dirichlet", a)
    found = gamma_numbers(_stream(generator), a.astype(np.float64))
    found /= found.sum(-1, keepdims=True)
    below_one = np.nextafter(np.ones((), a.dtype), np.zeros((), a.dtype))
    return np.clip(found.astype(a.dtype), np.finfo(a.dtype).tiny, below_one)


def gamma_numbers(generator: streams.Generator, a: Array) -> Array:
    """A gamma-distributed number in float64 for each shape parameter, in the order of the elements (Marsaglia and Tsang 2000)."""
    small = a < 1  # drawn for a + 1, which accepts more often, and scaled
    with np.errstate(all="ignore"):
        d = np.asarray(np.where(small, a + 1, a).astype(a.dtype) - _THIRD.astype(a.dtype), np.float64)
        c, power = np.asarray(1 / np.sqrt(9 * d)), np.where(small, 1 / a, 0).astype(np.float64)
    drawn = (a != 0) & (d > 0)
    draw = Draws(generator, int(drawn.sum()))
    rows = [v.ravel().tolist() for v in (drawn, d, c, power)]
    numbers = [_gamma(draw, *row) if is_drawn else 0.0 for is_drawn, *row in zip(*rows, strict=True)]
    return np.where(drawn | (a == 0), np.array(numbers, np.float64).reshape(a.shape), np.nan)


def _gamma(draw: Draws, d: float, c: float, power: float) -> float:
    draw.left -= 1
    scale = (1 - draw.unit()) ** power if power else 1.0
    while True:
        y = -1.0
        while y <= 0:
            x = draw.normal()
            y = 1 + c * x
        v, u, square = y * y * y, 1 - draw.unit(), x * x
        if u < 1 - _SQUEEZE * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


class Draws:
    """Uniform and normal numbers one by one, for a method that draws until something holds.

    They are made many at a time, which is quicker, but never more than the samples that are `left` need at least: so the generator
    stands in the end where the last number was taken.
    """

    def __init__(self, generator: streams.Generator, left: int) -> None:
        self.generator, self.left = generator, left
        self.block: Iterator[float] = iter(())

    def unit(self) -> float:
        """One uniform number."""
        for u in self.block:
            return u
        # Each sample that is left needs a uniform number and a normal one; a pair of normal numbers takes two.
        count = max(1, self.left + self.left // 2 * 2)
        self.block = iter(streams._unit(self.generator, count, True).tolist())
        return next(self.block)

    def normal(self) -> float:
        """One normal number; they come in pairs, of which the second waits for the next call."""
        if (spare := self.generator._spare) is not None:
            self.generator._spare = None
            return spare
        angle, w = 2 * math.pi * self.unit(), self.unit()
        radius = math.sqrt(-2 * math.log1p(-w))
        self.generator._spare = radius * math.sin(angle)
        return radius * math.cos(angle)


# How samples follow their parameters --------------------------------------------------------------------------------------------------


@elementwise("_standard_gamma_grad_cpu", half=False)
def _gamma_grad(a: Array, x: Array) -> Array:
    return by_case(
        (x < 0.8, _gamma_grad_of_small_samples),
        ((x >= 0.8) & (a > 8), _gamma_grad_of_large_shapes),
        ((x >= 0.8) & ~(a > 8), _gamma_grad_between),
        of=(a, x),
    )


def _standard_gamma_grad(a: Array, sample: Array) -> Array:
    """d sample / d a of a sample of `_standard_gamma(a)`."""
    return _gamma_grad(a, sample)


def _gamma_grad_of_small_samples(a: Array, x: Array) -> Array:
    """From the series of the incomplete gamma function: x^a * sum((-x)^n / (n! * (a + n)))."""
    term, series, derived = np.ones_like(x), 1 / a, 1 / (a * a)
    for n in range(1, 6):
        term = term * (-x / n)
        series = series + term / (a + n)
        derived = derived + term / ((a + n) * (a + n))
    power = x**a
    change = (np.log(x) - digamma(a)) * (power * series) - power * derived
    found = -change / (x ** (a - 1) * np.exp(-x))
    return np.where(np.isnan(found), 0, found)


def _gamma_grad_of_large_shapes(a: Array, x: Array) -> Array:
    near = (0.9 * a <= x) & (x <= 1.1 * a)
    return by_case((near, _gamma_grad_near_mean), (~near, _gamma_grad_of_tails), of=(a, x))


def _gamma_grad_near_mean(a: Array, x: Array) -> Array:
    """The expansion's own series beside its removable singularity at x = a."""
    high = 1440 * a * a + 6 * x * (53 - 120 * x) - 65 * x * x / a + a * (107 + 3600 * x)
    return (1 + 24 * a * (1 + 12 * a)) * high / (1244160 * (a * a) * (a * a))


def _gamma_grad_of_tails(a: Array, x: Array) -> Array:
    root, ratio, off = np.sqrt(8 * a), np.log(x / a), a - x
    bend = (-off - a * ratio) ** -1.5
    inner = ratio * (root / off + np.where(x < a, -bend, bend)) - np.sqrt(2 / a) * (a + x) / (off * off)
    stirling = 1 + (1 + 1 / (24 * a)) / (12 * a)
    return -stirling * x * inner / root


# Coefficients by powers of log(x / a) (rows), and of log(a): four of the numerator, four of the denominator.
_GAMMA_FIT = np.array([
    [0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084],
    [0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
    [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07],
])  # fmt: skip


def _gamma_grad_between(a: Array, x: Array) -> Array:
    by_ratio = [horner(column, np.log(x / a)) for column in _GAMMA_FIT.T]
    v = np.log(a)
    top, bottom = (c[0] + v * (c[1] + v * (c[2] + v * c[3])) for c in (by_ratio[:4], by_ratio[4:]))
    return np.exp(top / bottom)


@elementwise("_dirichlet_grad_cpu", half=False)
def _beta_grad(x: Array, a: Array, total: Array) -> Array:
    b, spread = total - a, total * x * (1 - x)
    low = (x <= 0.5) & (spread < 2.5)
    high = ~low & (x >= 0.5) & (spread < 0.75)
    large = ~low & ~high & (a > 6) & (b > 6)
    return by_case(
        (low, _beta_grad_near_zero),
        (high, lambda x, a, b: -_beta_grad_of_other_near_zero(1 - x, b, a)),
        (large, _beta_grad_of_large_shapes),
        (~low & ~high & ~large, _beta_grad_between),
        of=(x, a, b),
    )


def _dirichlet_grad(x: Array, a: Array, total: Array) -> Array:
    """dx/da / (1 - x) of a sample of the beta distribution of a and b = total - a, which is one element of a Dirichlet sample."""
    return _beta_grad(x, a, total)


def _beta_grad_near_zero(x: Array, a: Array, b: Array) -> Array:
    """From the series of the incomplete beta function: x^a * sum((1 - b) ... (n - b) * x^n / (n! * (a + n)))."""
    factor = digamma(a) - digamma(a + b) - np.log(x)
    term, series = np.ones_like(x), (factor + 1 / a) / a
    for n in range(1, 11):
        term = term * ((n - b) * x / n)
        series = series + term / (a + n) * (factor + 1 / (a + n))
    found = x * (1 - x) ** -b * series
    return np.where(np.isnan(found), 0, found)


def _beta_grad_of_other_near_zero(x: Array, a: Array, b: Array) -> Array:
    """The same by the other parameter: dx/db."""
    factor = digamma(a + b) - digamma(b)
    term, product, derived, series = np.ones_like(x), np.ones_like(x), np.zeros_like(x), factor / a
    for n in range(1, 9):
        term = term * (-x / n)
        derived = derived * (b - n) + product
        product = product * (b - n)
        series = series + term / (a + n) * (derived + factor * product)
    found = -((1 - x) ** (1 - b)) * series
    return np.where(np.isnan(found), 0, found)


def _beta_grad_of_large_shapes(x: Array, a: Array, b: Array) -> Array:
    total = a + b
    mean, deviation = a / total, np.sqrt(a * b / (total + 1)) / total
    near = (mean - 0.1 * deviation <= x) & (x <= mean + 0.1 * deviation)
    return by_case((near, _beta_grad_near_mean), (~near, _beta_grad_of_tails), of=(x, a, b))


def _beta_grad_near_mean(x: Array, a: Array, b: Array) -> Array:
    total, y = a + b, 1 - x
    by_powers = (
        47 * x * b**4,
        (43 + 20 * (16 + 27 * b) * x) * b**3,
        3 * (59 + 180 * b - 90 * x) * b**2,
        (453 + 1620 * b * y - 455 * x) * b,
        8 * y * (135 * b - 11),
    )
    high = by_powers[0] + a * (by_powers[1] + a * (by_powers[2] + a * (by_powers[3] + a * by_powers[4])))
    factor = (1 + 12 * a) * (1 + 12 * b) / (total * total)
    return factor / y * high / (12960 * a**3 * b**2 * (1 + 12 * total))


def _beta_grad_of_tails(x: Array, a: Array, b: Array) -> Array:
    total, y = a + b, 1 - x
    off = b * x - a * y
    first = -(2 * a * a * y + a * b * y + x * b * b) / (np.sqrt(2 * a / b) * total**1.5 * off * off)
    bend = (b * np.log(b / (total * y)) + a * np.log(a / (total * x))) ** -1.5
    rest = 0.5 * np.log(a / (total * x)) * (np.sqrt(8 * a * b / total) / off + np.where(off < 0, bend, -bend))
    stirling = _stirling(a) * _stirling(b) / _stirling(total)
    return stirling * (-x / np.sqrt(2 * a * b / total)) * (first + rest)


def _stirling(x: Array) -> Array:
    return 1 + 1 / (12 * x) + 1 / (288 * x * x)


# Of the numerator and of the denominator: coefficients by powers of u = log(x), of v = log(a) - u, and of log(a + b) - v.
_BETA_FIT = np.array([
    [[[1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
      [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
      [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013]],
     [[0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
      [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
      [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05]],
     [[-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
      [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
      [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05]]],
    [[[1, -0.02924021934, -0.04438342661, 0.007285809825],
      [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
      [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149]],
     [[0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
      [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
      [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05]],
     [[0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
      [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
      [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06]]],
])  # fmt: skip


def _beta_grad_between(x: Array, a: Array, b: Array) -> Array:
    """The gradient at the ends, x * (digamma(a + b) - digamma(a)) / b, times a fitted correction."""
    u = np.log(x)
    v = np.log(a) - u
    w = np.log(a + b) - v
    top, bottom = (
        horner([horner([horner(row, w) for row in matrix], v) for matrix in fit], u) for fit in _BETA_FIT
    )
    return top / bottom * x * (digamma(a + b) - digamma(a)) / b
