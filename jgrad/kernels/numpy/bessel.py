"""The kernels on NumPy arrays: Bessel and Airy functions, orthogonal polynomials. Part of `jgrad.kernels.numpy`."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np

from jgrad.kernels.numpy import special_tables as tables
from jgrad.kernels.numpy.shape import Array
from jgrad.kernels.numpy.special import EULER, by_case, elementwise, horner, polynomial

# The power series in y = (x / 2) ** 2, all of whose terms are positive: of I0, of I1 * 2 / x, and of the rest of K0 and K1 at x up to 1.
FACTORIALS = [math.factorial(k) for k in range(27)]
HARMONIC = [sum(1 / j for j in range(1, k + 1)) for k in range(14)]
I0_SERIES = tuple([1 / f**2 for f in FACTORIALS[:26]])
I1_SERIES = tuple([1 / (f * g) for f, g in itertools.pairwise(FACTORIALS)])
K0_SERIES = tuple([HARMONIC[k] / FACTORIALS[k] ** 2 for k in range(13)])
K1_SERIES = tuple([(HARMONIC[k] + HARMONIC[k + 1]) / (FACTORIALS[k] * FACTORIALS[k + 1]) for k in range(13)])

# Modified Bessel functions --------------------------------------------------------------------------------------------------------


def i0_scaled(x: Array) -> Array:
    """I0(x) * exp(-x) for x from 0."""
    return by_case(
        (x <= 8, lambda x: horner(I0_SERIES, x * x / 4) * np.exp(-x)),
        (x > 8, lambda x: polynomial(tables.I0_LARGE, 1 / x) / np.sqrt(x)),
        of=(x,),
    )


def i1_scaled(x: Array) -> Array:
    """I1(x) * exp(-x) for x from 0."""
    return by_case(
        (x <= 8, lambda x: x / 2 * horner(I1_SERIES, x * x / 4) * np.exp(-x)),
        (x > 8, lambda x: polynomial(tables.I1_LARGE, 1 / x) / np.sqrt(x)),
        of=(x,),
    )


def unscaled(scaled: Array, x: Array) -> Array:
    """Times exp(x), in two steps since exp(x) may be too large where the product is not; nothing but nan at infinity, as in PyTorch."""
    root = np.exp(x / 2)
    return scaled * root * root


def i0_double(x: Array) -> Array:
    x = np.abs(x)
    return unscaled(i0_scaled(x), x)


def i1_double(x: Array) -> Array:
    size = np.abs(x)
    return np.where(x < 0, -1, 1) * unscaled(i1_scaled(size), size)


i0 = elementwise("i0_vml_cpu")(i0_double)
special_i1 = elementwise("i1_cpu")(i1_double)
special_modified_bessel_i0 = elementwise("modified_bessel_i0_cpu", half=False)(i0_double)
special_modified_bessel_i1 = elementwise("modified_bessel_i1_cpu", half=False)(i1_double)
special_i0e = elementwise("i0e_cpu")(lambda x: i0_scaled(np.abs(x)))
special_i1e = elementwise("i1e_cpu")(lambda x: np.where(x < 0, -1, 1) * i1_scaled(np.abs(x)))


def k0_small(x: Array) -> Array:
    y = x * x / 4
    return horner(K0_SERIES, y) - (np.log(x / 2) + EULER) * horner(I0_SERIES[:13], y)


def k1_small(x: Array) -> Array:
    y = x * x / 4
    return 1 / x + x / 2 * ((np.log(x / 2) + EULER) * horner(I1_SERIES[:13], y) - horner(K1_SERIES, y) / 2)


def k_scaled(x: Array, small: Callable, table: tuple) -> Array:
    """K0 or K1, times exp(x)."""
    return by_case(
        (x == 0, lambda x: np.full_like(x, np.inf)),
        ((x > 0) & (x <= 1), lambda x: small(x) * np.exp(x)),
        (x > 1, lambda x: polynomial(table, 1 / (1 + x)) / np.sqrt(x)),
        of=(x,),
    )


def k_plain(x: Array, small: Callable, table: tuple) -> Array:
    return by_case(
        (x == 0, lambda x: np.full_like(x, np.inf)),
        ((x > 0) & (x <= 1), small),
        (x > 1, lambda x: polynomial(table, 1 / (1 + x)) / np.sqrt(x) * np.exp(-x)),
        of=(x,),
    )


@elementwise("modified_bessel_k0_cpu", half=False)
def special_modified_bessel_k0(x: Array) -> Array:
    return k_plain(x, k0_small, tables.K0_LARGE)


@elementwise("modified_bessel_k1_cpu", half=False)
def special_modified_bessel_k1(x: Array) -> Array:
    return k_plain(x, k1_small, tables.K1_LARGE)


@elementwise("scaled_modified_bessel_k0_cpu", half=False)
def special_scaled_modified_bessel_k0(x: Array) -> Array:
    return k_scaled(x, k0_small, tables.K0_LARGE)


@elementwise("scaled_modified_bessel_k1_cpu", half=False)
def special_scaled_modified_bessel_k1(x: Array) -> Array:
    return k_scaled(x, k1_small, tables.K1_LARGE)


# Bessel functions -----------------------------------------------------------------------------------------------------------------

# The first two zeros of J0 and J1, each as a number and the rest that it lacks.
ZEROS = (
    ((2.404825557695773, -1.176691651530894e-16), (5.520078110286311, 8.088597146146722e-17)),
    ((3.8317059702075125, -1.5269184090088067e-16), (7.015586669815619, -9.414165653410389e-17)),
)
ROOT_TWO_BY_PI, TWO_BY_PI = math.sqrt(2 / math.pi), 2 / math.pi


def j_small(x: Array, order: int) -> Array:
    """J0 or J1 for x from 0 to 8."""
    result = polynomial((tables.J0_SMALL, tables.J1_SMALL)[order], x * x)
    for zero, rest in ZEROS[order]:
        result *= (x - zero - rest) * (x + zero)
    return result * x if order else result


def large_parts(x: Array, order: int) -> tuple[Array, Array, Array, Array]:
    """What goes with the cosine and the sine, and both of x - pi / 4 - order * pi / 2, times the root of x."""
    t = 64 / (x * x)
    p = polynomial((tables.BESSEL0_P, tables.BESSEL1_P)[order], t)
    q = polynomial((tables.BESSEL0_Q, tables.BESSEL1_Q)[order], t) / x
    sine, cosine = np.sin(x), np.cos(x)
    scale = ROOT_TWO_BY_PI / math.sqrt(2) / np.sqrt(x)
    if order:
        return p, q, (sine - cosine) * scale, -(sine + cosine) * scale
    return p, q, (sine + cosine) * scale, (sine - cosine) * scale


def j_large(x: Array, order: int) -> Array:
    p, q, cosine, sine = large_parts(x, order)
    return p * cosine - q * sine


def y_large(x: Array, order: int) -> Array:
    p, q, cosine, sine = large_parts(x, order)
    return p * sine + q * cosine


def j_positive(x: Array, order: int) -> Array:
    return by_case((x <= 8, lambda x: j_small(x, order)), (x > 8, lambda x: j_large(x, order)), of=(x,))


def y0_small(x: Array) -> Array:
    return polynomial(tables.Y0_SMALL, x * x) + TWO_BY_PI * np.log(x) * j_small(x, 0)


def y1_small(x: Array) -> Array:
    return x * polynomial(tables.Y1_SMALL, x * x) + TWO_BY_PI * (np.log(x) * j_small(x, 1) - 1 / x)


@elementwise("bessel_j0_cpu", half=False)
def special_bessel_j0(x: Array) -> Array:
    return j_positive(np.abs(x), 0)


@elementwise("bessel_j1_cpu", half=False)
def special_bessel_j1(x: Array) -> Array:
    return np.copysign(1, x) * j_positive(np.abs(x), 1)


@elementwise("bessel_y0_cpu", half=False)
def special_bessel_y0(x: Array) -> Array:
    return by_case(
        (x == 0, lambda x: np.full_like(x, -np.inf)),
        ((x > 0) & (x <= 8), y0_small),
        (x > 8, lambda x: y_large(x, 0)),
        of=(x,),
    )


@elementwise("bessel_y1_cpu", half=False)
def special_bessel_y1(x: Array) -> Array:
    return by_case(
        (x == 0, lambda x: np.full_like(x, -np.inf)),
        ((x > 0) & (x <= 8), y1_small),
        (x > 8, lambda x: y_large(x, 1)),
        of=(x,),
    )


@elementwise("spherical_bessel_j0_cpu", half=False)
def special_spherical_bessel_j0(x: Array) -> Array:
    """sin(x) / x."""
    return np.where(np.isinf(x), 0, np.where(x == 0, 1, np.sin(x) / x))


@elementwise("airy_ai_cpu", half=False)
def special_airy_ai(x: Array) -> Array:
    return by_case(
        ((x > 2) & np.isfinite(x), airy_large),
        ((x > 1) & (x <= 2), lambda x: polynomial(tables.AIRY_1, x)),
        ((x >= 0) & (x <= 1), lambda x: polynomial(tables.AIRY_0, x)),
        ((x < 0) & (x >= -4.5), lambda x: polynomial(tables.AIRY_NEGATIVE, -x)),
        ((x < -4.5) & np.isfinite(x), airy_far_negative),
        of=(x,),
    )


def airy_large(x: Array) -> Array:
    root = np.sqrt(x)
    z = 2 / 3 * x * root
    return polynomial(tables.AIRY_LARGE, 1 / (1 + z)) * np.exp(-z) / (2 * math.sqrt(math.pi) * np.sqrt(root))


def airy_far_negative(x: Array) -> Array:
    root = np.sqrt(-x)
    z = -2 / 3 * x * root
    t = 1 / (z * z)
    sine, cosine = np.sin(z), np.cos(z)
    p, q = polynomial(tables.AIRY_P, t), polynomial(tables.AIRY_Q, t) / z
    return (p * (cosine + sine) + q * (sine - cosine)) / np.sqrt(2 * math.pi * root)


# Orthogonal polynomials -----------------------------------------------------------------------------------------------------------


def by_recurrence(x: Array, n: Array, first: Array, step: Callable) -> Array:
    """The polynomials of degree n, of which degree 0 is 1 and degree 1 is `first`; `step(k, p, q)` gives that of degree k + 1 from the
    two before it."""
    p, q = np.ones_like(x), first
    result = np.where(n == 0, 1.0, first)
    for k in range(1, int(np.maximum.reduce(n, None, initial=0).item())):
        p, q = q, step(k, p, q)
        result = np.where(n == k + 1, q, result)
    return result


def degrees(function: Callable) -> Callable:
    """A polynomial for whole degrees, as PyTorch cuts them off: 0 for negative ones, and nan for arguments that are."""

    @functools.wraps(function)
    def of_degree(x: Array, n: Array) -> Array:
        n = np.trunc(n)
        return np.where(n < 0, 0.0, function(x, np.maximum(n, 0)))

    return elementwise(f"{function.__name__.removeprefix('special_')}_cpu", half=False)(of_degree)


def alternating(n: Array) -> Array:
    """1 for even numbers, -1 for odd ones."""
    return 1 - 2 * (n % 2)


def chebyshev(
    x: Array, n: Array, first: Array, at_one: Array, at_minus_one: Array, inside: Callable
) -> Array:
    """Chebyshev's polynomials: by angles between -1 and 1 for high degrees, else by their recurrence."""
    size = np.abs(x)
    angles = (size < 1) & (n > 8)
    low = np.where(angles | (size == 1), 0, n)
    found = by_recurrence(x, low, first, lambda k, p, q: 2 * x * q - p)
    found[angles] = inside(np.arccos(x[angles]), n[angles])
    return np.where(x == 1, at_one, np.where(x == -1, at_minus_one, found))


def chebyshev_t(x: Array, n: Array) -> Array:
    return chebyshev(x, n, x, np.ones_like(n), alternating(n), lambda a, n: np.cos(n * a))


def chebyshev_u(x: Array, n: Array) -> Array:
    ends = (n + 1, (n + 1) * alternating(n))
    return chebyshev(x, n, 2 * x, *ends, lambda a, n: np.sin((n + 1) * a) / np.sin(a))


def chebyshev_v(x: Array, n: Array) -> Array:
    ends = (np.ones_like(n), (2 * n + 1) * alternating(n))
    return chebyshev(x, n, 2 * x - 1, *ends, lambda a, n: np.cos((n + 0.5) * a) / np.cos(a / 2))


def chebyshev_w(x: Array, n: Array) -> Array:
    ends = (2 * n + 1, alternating(n))
    return chebyshev(x, n, 2 * x + 1, *ends, lambda a, n: np.sin((n + 0.5) * a) / np.sin(a / 2))


@degrees
def special_chebyshev_polynomial_t(x: Array, n: Array) -> Array:
    return chebyshev_t(x, n)


@degrees
def special_chebyshev_polynomial_u(x: Array, n: Array) -> Array:
    return chebyshev_u(x, n)


@degrees
def special_chebyshev_polynomial_v(x: Array, n: Array) -> Array:
    return chebyshev_v(x, n)


@degrees
def special_chebyshev_polynomial_w(x: Array, n: Array) -> Array:
    return chebyshev_w(x, n)


@degrees
def special_shifted_chebyshev_polynomial_t(x: Array, n: Array) -> Array:
    return chebyshev_t(2 * x - 1, n)


@degrees
def special_shifted_chebyshev_polynomial_u(x: Array, n: Array) -> Array:
    return chebyshev_u(2 * x - 1, n)


@degrees
def special_shifted_chebyshev_polynomial_v(x: Array, n: Array) -> Array:
    return chebyshev_v(2 * x - 1, n)


@degrees
def special_shifted_chebyshev_polynomial_w(x: Array, n: Array) -> Array:
    return chebyshev_w(2 * x - 1, n)


@degrees
def special_hermite_polynomial_h(x: Array, n: Array) -> Array:
    return by_recurrence(x, n, 2 * x, lambda k, p, q: 2 * x * q - 2 * k * p)


@degrees
def special_hermite_polynomial_he(x: Array, n: Array) -> Array:
    return by_recurrence(x, n, x, lambda k, p, q: x * q - k * p)


@degrees
def special_laguerre_polynomial_l(x: Array, n: Array) -> Array:
    return by_recurrence(x, n, 1 - x, lambda k, p, q: ((2 * k + 1 - x) * q - k * p) / (k + 1))


@degrees
def special_legendre_polynomial_p(x: Array, n: Array) -> Array:
    found = by_recurrence(
        x, np.where(np.abs(x) == 1, 0, n), x, lambda k, p, q: ((2 * k + 1) * x * q - k * p) / (k + 1)
    )
    return np.where(x == 1, 1, np.where(x == -1, alternating(n), found))
