"""The kernels on NumPy arrays: the error function, the gamma function and related functions. Part of `jgrad.kernels.numpy`.

Each is computed in float64, in blocks that fit the cache, and rounded to the dtype of its argument; `erf` of float32 has a way of its own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from jgrad.dtypes import FROM_NUMPY
from jgrad.kernels.numpy import special_tables as tables
from jgrad.kernels.numpy.shape import Array
from jgrad.kernels.numpy.values import any_or_unknown

BLOCK = 16384
PI, EULER = math.pi, 0.5772156649015329
TWO_BY_ROOT_PI, HALF_ROOT_PI, ROOT_TWO_PI = (
    2 / math.sqrt(math.pi),
    math.sqrt(math.pi) / 2,
    math.sqrt(2 * math.pi),
)
LOG_ROOT_TWO_PI = 0.9189385332046727
DIGAMMA_ROOT, DIGAMMA_ROOT_REST = 1.4616321449683622, 9.549995429965697e-17


def elementwise(error_name: str, half: bool = True) -> Callable[[Callable], Callable]:
    """A kernel made from a function of one-dimensional float64 arrays (several, broadcast); `error_name` as PyTorch's errors call it,
    which raises it for dtypes that are not served: complex ones, and maybe float16."""

    def made(function: Callable) -> Callable:
        @functools.wraps(function)
        def kernel(*operands: Any) -> Array:
            dtype = np.result_type(*operands)
            if dtype.kind != "f" or (dtype.itemsize == 2 and not half):
                kind = FROM_NUMPY[dtype].type_name
                raise NotImplementedError(f"\"{error_name}\" not implemented for '{kind}'")
            arrays = np.broadcast_arrays(*map(np.asarray, operands))
            flat = [a.reshape(-1) for a in arrays]
            result = np.empty(flat[0].size, dtype)
            for start in range(0, result.size, BLOCK):
                part = slice(start, start + BLOCK)
                result[part] = function(*[a[part].astype(np.float64) for a in flat])
            return result.reshape(arrays[0].shape)

        return kernel

    return made


def polynomial(table: tuple, x: Array) -> Array:
    """What a table of `special_tables` gives for x."""
    low, high, coefficients = table
    return horner(coefficients, (2 * x - (low + high)) / (high - low))


def horner(coefficients: Any, x: Array) -> Array:
    """The polynomial in x, its lowest coefficient first."""
    numbers = np.array(coefficients, x.dtype)
    result = np.asarray(x * numbers[-1])
    result += numbers[-2]
    for i in range(len(numbers) - 3, -1, -1):
        np.multiply(result, x, result)
        np.add(result, numbers[i, ...], result)  # an array of one: that is quicker than a number
    return result


def by_case(*cases: tuple[Array, Callable], of: tuple[Array, ...]) -> Array:
    """Where the first array of a case holds, its function of what `of` has there; nan where none does."""
    result = np.full(of[0].shape, np.nan)
    for where, function in cases:
        places = np.flatnonzero(where)
        if places.size:
            result[places] = function(*[a[places] for a in of])
    return result


# The error function ---------------------------------------------------------------------------------------------------------------


def exp_of_square(x: Array, sign: int) -> Array:
    """exp(sign * x * x), of which x * x would be too inexact for large x: it is split into an exact and a small part."""
    x = np.minimum(np.abs(x), 60)
    high = (x.view(np.int64) & ~np.int64(2**27 - 1)).view(np.float64)
    return np.exp(sign * high * high) * np.exp(sign * (x - high) * (x + high))


def erfcx_from_middle(x: Array) -> Array:
    """exp(x * x) * erfc(x) for x from 0.4."""
    return polynomial(tables.ERFCX, 2 / (2 + x)) / (x + 1)


def erfc_from_middle(x: Array) -> Array:
    return exp_of_square(x, -1) * erfcx_from_middle(x)


def erf_middle(x: Array) -> Array:
    """erf between -1 and 1."""
    return x * polynomial(tables.ERF, x * x)


def erf_double(x: Array) -> Array:
    size = np.abs(x)
    return by_case(
        (size < 1, erf_middle),
        (size >= 1, lambda x: np.copysign(1 - erfc_from_middle(np.abs(x)), x)),
        of=(x,),
    )


# artanh(erf(x)) / x - 1 by x * x, for x to 4.25, as exact as a float32 can show of the tanh.
ERF_SINGLE = (
    0.128379181, 0.102771968, -0.000205712362, -0.000596852566, 7.04036138e-05, 9.95456503e-07,
    -1.26276177e-06, 1.64281584e-07, -1.04967555e-08, 3.43602508e-10, -4.58461004e-12,
)  # fmt: skip
BLOCK_SINGLE = 65536  # elements: in smaller blocks the fixed cost of a call shows


def erf_single(x: Array) -> Array:
    x = x.clip(-4.25, 4.25)
    result = horner(ERF_SINGLE, x * x)
    result *= x
    result += x
    return np.tanh(result, out=result)


erf_rounded = elementwise("erf_vml_cpu")(erf_double)


def erf(a: Array) -> Array:
    if a.dtype != np.float32:
        return erf_rounded(a)
    flat = a.reshape(-1)
    result = np.empty(flat.size, np.float32)
    for start in range(0, result.size, BLOCK_SINGLE):
        part = slice(start, start + BLOCK_SINGLE)
        result[part] = erf_single(flat[part])
    return result.reshape(a.shape)


def erfc_double(x: Array) -> Array:
    return by_case(
        (x >= 0.4, erfc_from_middle),
        (np.abs(x) < 0.4, lambda x: 1 - erf_middle(x)),
        (x <= -0.4, lambda x: 2 - erfc_from_middle(-x)),
        of=(x,),
    )


# exp(x * x) * erfc(x) * (x + 1), by 2 / (2 + x), for x to 11, as exact as a float32 can show.
ERFC_SINGLE = (
    0.5641687718344591, 0.28266422433978616, 0.20491681823958335, 0.14930073302095098, -0.1834849769956541, 0.3477104827155777,
    -0.7776266766534717, 0.44999286759147546, 0.07342818022254827, -0.15083645685470878, 0.039766039906233334,
)  # fmt: skip


def erfc_single(x: Array) -> Array:
    """The same as exact as a float32 can show, without looking which case holds where."""
    size = np.abs(x).clip(0, 11)
    result = horner(ERFC_SINGLE, 2 / (2 + size))
    result /= size + 1
    result *= np.exp(-size * size)
    sign = np.copysign(1.0, x)
    result *= sign
    result += 1 - sign  # of negative x: 2 - erfc(-x)
    return result


erfc_rounded, erfc_narrow = elementwise("erfc_vml_cpu")(erfc_double), elementwise("erfc_vml_cpu")(erfc_single)


def erfc(a: Array) -> Array:
    return (erfc_narrow if a.dtype == np.float32 else erfc_rounded)(a)


def erfcx_double(x: Array) -> Array:
    return by_case(
        (x >= 0.4, erfcx_from_middle),
        (np.abs(x) < 0.4, lambda x: np.exp(x * x) * (1 - erf_middle(x))),
        (x <= -0.4, lambda x: 2 * exp_of_square(x, 1) - erfcx_from_middle(-x)),
        of=(x,),
    )


special_erfcx = elementwise("erfcx_cpu", half=False)(erfcx_double)


def erfinv_double(y: Array) -> Array:
    w = -np.log((1 - y) * (1 + y))
    return by_case(
        (w <= 4, lambda y, w: y * polynomial(tables.ERFINV_MIDDLE, w)),
        (
            (w > 4) & (w < 40),
            lambda y, w: np.copysign((s := np.sqrt(w)) * polynomial(tables.ERFINV_ENDS, s), y),
        ),
        (np.abs(y) == 1, lambda y, w: np.copysign(np.inf, y)),
        of=(y, w),
    )


erfinv = elementwise("erfinv_vml_cpu")(erfinv_double)


@elementwise("ndtri_cpu", half=False)
def special_ndtri(p: Array) -> Array:
    """Where the normal distribution reaches p."""
    nearer = np.minimum(p, 1 - p)
    r = np.sqrt(-2 * np.log(nearer))
    return by_case(
        (r <= 2, lambda p, r: math.sqrt(2) * erfinv_double(2 * p - 1)),
        ((r > 2) & (r < 39), lambda p, r: np.copysign(r * polynomial(tables.NDTRI, 1 / r), p - 0.5)),
        (nearer == 0, lambda p, r: np.copysign(np.inf, p - 0.5)),
        of=(p, r),
    )


@elementwise("log_ndtr_cpu", half=False)
def special_log_ndtr(x: Array) -> Array:
    """The logarithm of the normal distribution."""
    return by_case(
        (x < -1, lambda x: np.log(erfcx_double(-x * math.sqrt(0.5)) / 2) - x * x / 2),
        (x >= -1, lambda x: np.log1p(-erfc(x * math.sqrt(0.5)) / 2)),
        of=(x,),
    )


# The gamma function ---------------------------------------------------------------------------------------------------------------


def lgamma_double(x: Array) -> Array:
    return by_case(
        (x >= 8, lgamma_large),
        ((x >= 1e-8) & (x < 8), lgamma_middle),
        (np.abs(x) < 1e-8, lambda x: -np.log(np.abs(x)) - EULER * x),
        (x <= -1e-8, lgamma_negative),
        of=(x,),
    )


def lgamma_large(x: Array) -> Array:
    """Stirling's formula."""
    log = np.log(x)
    found = (x - 0.5) * (log - 1) - 0.5 + LOG_ROOT_TWO_PI + polynomial(tables.STIRLING, 1 / (x * x)) / x
    return np.where(np.isinf(x), np.inf, found)


def lgamma_middle(x: Array) -> Array:
    """From the values between 0.5 and 2.5, since gamma(x + 1) is x * gamma(x)."""
    sign = np.where(x < 0.5, -1, 1)
    factor = np.where(x < 0.5, x, 1)
    x = x + (x < 0.5)
    for _ in range(6):
        high = x >= 2.5
        x -= high
        factor *= np.where(high, x, 1)
    one = x < 1.5
    found = by_case(
        (one, lambda x: polynomial(tables.LGAMMA_ONE, x)),
        (~one, lambda x: polynomial(tables.LGAMMA_TWO, x)),
        of=(x,),
    )
    return (x - 1) * (x - 2) * found + sign * np.log(factor)


def lgamma_negative(x: Array) -> Array:
    return lgamma_reflected(x, lgamma_double(-x))


def lgamma_reflected(x: Array, other: Array) -> Array:
    """The logarithm of gamma(x) from that of gamma(-x): gamma(x) * gamma(-x) is -pi / (x * sin(pi * x))."""
    sine = np.abs(np.sin(np.pi * (x - np.round(x))))
    with_poles = np.log(np.pi / (-x * sine)) - other
    return np.where(x == np.floor(x), np.inf, with_poles)


def lgamma_single(x: Array) -> Array:
    """The same as exact as a float32 can show: gamma(x + 8) is x * (x + 1) * ... * (x + 7) * gamma(x)."""
    size = np.abs(x)
    low, near = size.clip(0, 8), size < 8
    pairs = low * (low + 7)
    factor = pairs * (pairs + 6)
    factor *= pairs + 10
    factor *= pairs + 12
    result = lgamma_large(size + 8 * near)
    result -= np.log(factor) * near
    places = np.flatnonzero(np.abs(result) < 1e-6)  # next to 1 and 2, where little is left of the difference
    result[places] = lgamma_middle(size[places])
    places = np.flatnonzero(x < 0)
    result[places] = lgamma_reflected(x[places], result[places])
    return result


lgamma_rounded, lgamma_narrow = (
    elementwise("lgamma_vml_cpu")(lgamma_double),
    elementwise("lgamma_vml_cpu")(lgamma_single),
)


def lgamma(a: Array) -> Array:
    return (lgamma_narrow if a.dtype == np.float32 else lgamma_rounded)(a)


@elementwise("digamma")
def digamma(x: Array) -> Array:
    """The derivative of lgamma."""
    return by_case(
        (
            (x >= 1) & (x <= 2),
            lambda x: (x - DIGAMMA_ROOT - DIGAMMA_ROOT_REST) * polynomial(tables.DIGAMMA, x),
        ),
        ((x > 0) & ((x < 1) | (x > 2)), digamma_positive),
        (
            (x < 0) & (x != np.floor(x)),
            lambda x: digamma_positive(1 - x) - np.pi / np.tan(np.pi * (x - np.round(x))),
        ),
        (x == 0, lambda x: np.copysign(np.inf, -x)),
        of=(x,),
    )


def digamma_positive(x: Array) -> Array:
    """digamma(x) is digamma(x + 1) - 1 / x, and a series for large x."""
    x, steps = x.copy(), np.zeros_like(x)
    for _ in range(10):
        small = x < 10
        if not any_or_unknown(small):
            break
        steps += np.where(small, 1 / x, 0)
        x += small
    z = 1 / (x * x)
    series = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
    return np.log(x) - 0.5 / x - z * horner(series, z) - steps


def trigamma(a: Array) -> Array:
    """The second derivative of lgamma, for less than 0.5 by reflection. As many terms as PyTorch takes (they give 9 digits), in the same
    precision, as what is lost near the poles is lost there, too."""
    only_real("trigamma", a)
    x = a.astype(np.float32) if a.dtype == np.float16 else a
    low = x < 0.5
    pole = np.where(low, (math.pi / np.sin(x * math.pi)) ** 2, 0.0)
    x = np.where(low, 1 - x, x)
    total = np.zeros_like(x)
    for _ in range(6):
        total += 1 / (x * x)
        x = x + 1
    z = 1 / (x * x)
    total += (1 + 0.5 / x + z * horner((1 / 6, -1 / 30, 1 / 42), z)) / x
    return np.where(low, pole - total, total).astype(a.dtype, copy=False)


# (2 k)! / B(2 k), by which the terms of Euler's and Maclaurin's formula are divided.
EULER_MACLAURIN = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10, -2.950130727918164224e12,
    1.1646782814350067249e14, -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18,
)  # fmt: skip


HALF_ULP = 2.0**-53  # what a sum near 1 does not notice


def zeta_double(s: Array, q: Array) -> Array:
    """The sum of (q + k) ** -s over all k."""
    pole = (s == 1) | (~(s < 1) & (q <= 0) & (q == np.floor(q)))
    defined = ~pole & (s > 1) & ((q > 0) | (s == np.floor(s)))
    found = by_case((defined & np.isfinite(s) & np.isfinite(q), zeta_sum), of=(s, q))
    last = defined & np.isposinf(s) & np.isfinite(q)
    found[last] = np.select([q < 1, q == 1], [np.inf, 1], np.nan)[last]
    found[pole] = np.inf
    return found


def zeta_sum(s: Array, q: Array) -> Array:
    """The first terms one by one, the others by Euler's and Maclaurin's formula. A sum is complete when a term is too small to change it."""
    w, power, total = q.copy(), q**-s, q**-s
    open, done = np.ones_like(q, bool), 0
    while done < 9 or (open & (w <= 9)).any().item():
        more = open & ((w <= 9) | (done < 9))
        w += more
        power = np.where(more, w**-s, power)
        total += np.where(more, power, 0)
        open &= ~(more & (np.abs(power) < HALF_ULP * total))
        done += 1
    total += np.where(open, power * (w / (s - 1) - 0.5), 0)
    factor, power = s.copy(), power / w
    for k, divisor in enumerate(EULER_MACLAURIN):
        term = factor * power / divisor
        total += np.where(open, term, 0)
        open &= ~(np.abs(term / total) < HALF_ULP)
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2)
        power /= w * w
    return total


zeta_rounded = elementwise("polygamma")(zeta_double)
special_zeta = elementwise("zeta_cpu", half=False)(zeta_double)


def polygamma(n: int, a: Array) -> Array:
    """The n-th derivative of digamma."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n < 2:
        return (digamma, trigamma)[n](a)
    # Each factor is rounded, so that there is inf, or nan for inf * 0, where PyTorch has it.
    factor = (1 if n % 2 else -1) * (math.factorial(n) if n < 171 else math.inf)
    with np.errstate(over="ignore"):
        return a.dtype.type(factor) * zeta_rounded(a.dtype.type(n + 1), a)


def polygamma_(a: Array, n: int) -> None:
    if a.dtype.kind in "iub":
        kind = FROM_NUMPY[a.dtype].type_name
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")
    np.copyto(a, polygamma(n, a))


def refuse_mvlgamma(operands: list) -> None:
    """Refuse bools and complex numbers, before anything is converted."""
    a = operands[0]._a
    if a.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    if a.dtype.kind == "c":
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{FROM_NUMPY[a.dtype].type_name}'")


def mvlgamma(a: Array, p: int) -> Array:
    """The logarithm of the gamma function of p dimensions."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    constant = p * (p - 1) / 4 * math.log(math.pi)
    return elementwise("mvlgamma")(lambda x: constant + sum_of(lgamma_double(x - j / 2) for j in range(p)))(a)


def sum_of(arrays: Any) -> Any:
    return functools.reduce(np.add, arrays)


# Logarithms and the sine ----------------------------------------------------------------------------------------------------------


def only_real(name: str, *operands: Any) -> None:
    dtype = np.result_type(*operands)
    if dtype.kind == "c":
        raise NotImplementedError(f"\"{name}\" not implemented for '{FROM_NUMPY[dtype].type_name}'")


def special_xlog1py(x: Any, y: Any) -> Array:
    """x * log(1 + y), 0 where x is 0; one of both may be a number."""
    only_real("xlog1py_cpu", x, y)
    x, y = (np.asarray(v, np.result_type(x, y)) for v in (x, y))
    return np.where((x == 0) & ~np.isnan(y), 0.0, x * np.log1p(y))


def special_entr(x: Array) -> Array:
    """-x * log(x), 0 for 0 and -inf for less."""
    only_real("entr_cpu", x)
    found = np.where(x > 0, -x * np.log(x), np.where(x == 0, 0.0, np.where(x < 0, -np.inf, x)))
    return found.astype(x.dtype, copy=False)


def sinc(x: Array) -> Array:
    """sin(pi * x) / (pi * x), 1 for 0."""
    half = x.dtype == np.float16
    scaled = np.asarray(np.pi * (x.astype(np.float32) if half else x))
    found = np.where(x == 0, 1.0, np.sin(scaled) / scaled)
    return found.astype(x.dtype, copy=False)


# The incomplete gamma function ----------------------------------------------------------------------------------------------------


def log1p_less(d: Array) -> Array:
    """log(1 + d) - d without cancellation, for d around 0."""
    r = d / (2 + d)
    square = r * r
    odd = horner(tuple([1 / (2 * k + 3) for k in range(20)]), square)
    return np.where(np.abs(d) < 0.5, 2 * r * square * odd - d * r, np.log1p(d) - d)


def gamma_front(a: Array, x: Array) -> Array:
    """x ** a * exp(-x) / gamma(a + 1)."""
    large = np.exp(
        a * log1p_less((x - a) / a) - polynomial(tables.STIRLING, np.minimum(1 / (a * a), 1 / 64)) / a
    )
    return np.where(a >= 8, large / np.sqrt(2 * np.pi * a), np.exp(a * np.log(x) - x - lgamma_double(a + 1)))


def until_small(step: Callable, count: int, *arrays: Array) -> Array:
    """Repeat `step(k, *arrays)`, which gives the arrays anew and which elements are done; their last array is the result."""
    state, result, places = list(arrays), np.empty(arrays[0].shape), np.arange(arrays[0].size)
    for k in range(1, count):
        *state, done = step(k, *state)
        if done.any().item():
            result[places[done]] = state[-1][done]
            places, state = places[~done], [a[~done] for a in state]
        if not places.size:
            return result
    result[places] = state[-1]
    return result


def lower_gamma_series(a: Array, x: Array) -> Array:
    """The lower share by its power series."""

    def step(k: int, a: Array, x: Array, term: Array, total: Array) -> tuple:
        term = term * (x / (a + k))
        return a, x, term, total + term, ~(term > total * 1e-17)

    return gamma_front(a, x) * until_small(step, 20000, a, x, np.ones_like(a), np.ones_like(a))


def upper_gamma_fraction(a: Array, x: Array) -> Array:
    """The upper share by its continued fraction, after Lentz."""
    b = x + 1 - a
    b = np.where(b == 0, 1e-300, b)

    def step(k: int, a: Array, x: Array, b: Array, c: Array, d: Array, total: Array) -> tuple:
        numerator = -k * (k - a)
        b = b + 2
        d = numerator * d + b
        d = 1 / np.where(d == 0, 1e-300, d)
        c = b + numerator / c
        c = np.where(c == 0, 1e-300, c)
        change = c * d
        return a, x, b, c, d, total * change, ~(np.abs(change - 1) > 1e-16)

    return gamma_front(a, x) * a * until_small(step, 20000, a, x, b, np.full_like(b, 1e300), 1 / b, 1 / b)


def upper_gamma_series(a: Array, x: Array) -> Array:
    """The upper share for small a and x, where it is the small rest of the series."""

    def step(k: int, a: Array, x: Array, factor: Array, total: Array) -> tuple:
        factor = factor * (-x / k)
        term = factor / (a + k)
        return a, x, factor, total + term, ~(np.abs(term) > np.abs(total) * 1e-17)

    log = np.log(x)
    rest = until_small(step, 2000, a, x, np.ones_like(a), np.zeros_like(a))
    return -np.expm1(a * log - lgamma_double(a + 1)) - np.exp(a * log - lgamma_double(a)) * rest


def gamma_uniform(a: Array, x: Array, upper: bool) -> Array:
    """A share for large a and x near it, after Temme."""
    mu = (x - a) / a
    half_square = -log1p_less(mu)
    eta = np.copysign(np.sqrt(2 * half_square), mu)
    rest = np.zeros_like(a)
    for powers in tables.TEMME[::-1]:
        rest = rest / a + horner(powers, eta)
    rest *= np.exp(-a * half_square) / np.sqrt(2 * np.pi * a)
    side = eta * np.sqrt(a / 2)
    return erfc(side) / 2 + rest if upper else erfc(-side) / 2 - rest


@functools.cache
def gamma_by_scipy(upper: bool) -> Callable | None:
    """SciPy's incomplete gamma function, which is several times as fast as the loops; None without SciPy."""
    try:
        from scipy import special
    except ImportError:
        return None
    return special.gammaincc if upper else special.gammainc


def gamma_inside(a: Array, x: Array, upper: bool) -> Array:
    """A share of positive numbers: whichever of the two is smaller is computed."""
    uniform = (a > 1e4) & (np.abs(x - a) < 0.3 * a)
    with_log = np.where((x > 0) & (x < 1), np.log(x), -1)
    fraction = (x > 1.1) & (x >= a)
    rest = ~fraction & np.where(x > 1.1, False, np.where(x <= 0.5, -0.4 / with_log >= a, x * 1.1 >= a))
    inside = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x) & ~uniform

    def small_upper(function: Callable) -> Callable:
        return function if upper else lambda a, x: 1 - function(a, x)

    def small_lower(a: Array, x: Array) -> Array:
        return 1 - lower_gamma_series(a, x) if upper else lower_gamma_series(a, x)

    return by_case(
        (uniform & np.isfinite(a), lambda a, x: gamma_uniform(a, x, upper)),
        (inside & fraction, small_upper(upper_gamma_fraction)),
        (inside & rest & (upper | (x > a)), small_upper(upper_gamma_series)),
        (inside & ~fraction & ~(rest & (upper | (x > a))), small_lower),
        of=(a, x),
    )


def gamma_share(a: Array, x: Array, upper: bool) -> Array:
    """The regularized incomplete gamma function, its upper or its lower part."""
    by_scipy = gamma_by_scipy(upper)
    found = gamma_inside(a, x, upper) if by_scipy is None else by_scipy(a, x)
    allowed = ~((a < 0) | (x < 0))
    # SciPy gives nan for these where the other number is nan.
    bounds = (
        (a == 0, np.where(x > 0, not upper, np.nan)),
        (x == 0, upper),
        (np.isposinf(a), np.where(np.isposinf(x), np.nan, upper)),
        (np.isposinf(x), not upper),
    )
    return np.select([allowed & where for where, _ in bounds], [value for _, value in bounds], found)


@elementwise("igamma_cpu")
def igamma(a: Array, x: Array) -> Array:
    return gamma_share(a, x, False)


@elementwise("igammac_cpu")
def igammac(a: Array, x: Array) -> Array:
    return gamma_share(a, x, True)
