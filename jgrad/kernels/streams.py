"""Random numbers on NumPy arrays: how PyTorch turns a generator's words into uniform and normal numbers, integers and coin flips.

One word gives a float32, two words (the high one first) a float64, and every function draws in the order of the elements in memory. The
generator itself is in `jgrad/random.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from jgrad.dtypes import dtype as _dtype
from jgrad.dtypes import limits_of

_F64 = np.dtype(np.float64)


class Generator(Protocol):
    """What `jgrad.Generator` is to these functions: a source of words."""

    _spare: float | None  # the second of a pair of normal numbers, for the next call

    def words(self, n: int) -> np.ndarray:
        """The next n 32-bit words, as uint64."""

    def long_words(self, n: int) -> np.ndarray:
        """The next n 64-bit words."""

    def _packed(self) -> bytes:
        """The state of the generator."""

    def _unpack(self, packed: bytes) -> None:
        """Go back to a state."""


# The generator of a type of device where none is named; `jgrad.random` sets it.
default_of: Callable[[str], Any]


# Numbers over raw arrays --------------------------------------------------------------------------------------


def _unit(generator: Generator, n: int, wide: bool) -> np.ndarray:
    """n numbers in [0, 1): multiples of 2**-53 if wide, else of 2**-24."""
    if wide:
        return (generator.long_words(n) & (2**53 - 1)) * 2.0**-53
    return (generator.words(n) & (2**24 - 1)).astype(np.float32) * np.float32(2**-24)


def uniform(
    generator: Generator, shape: tuple, dtype: _dtype, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    """Numbers that are equally likely anywhere in [low, high)."""
    result = _unit(generator, math.prod(shape), dtype.numpy is _F64)
    if (low, high) != (0.0, 1.0):
        wide = dtype.numpy is _F64
        result = _scaled(result, high - low if wide else np.float32(high) - np.float32(low), low)
    if dtype.itemsize == 2:
        result = result.astype(dtype.numpy)
        result[result == dtype.numpy.type(high)] = (
            low  # what rounding has lifted to the end, which is excluded
        )
    return result.reshape(shape)


def normal(
    generator: Generator,
    shape: tuple,
    dtype: _dtype,
    mean: float = 0.0,
    std: float = 1.0,
    contiguous: bool = True,
) -> np.ndarray:
    """Normally distributed numbers.

    `contiguous` is whether the tensor to be filled is: PyTorch makes 16 or more numbers for a contiguous tensor in another way.
    """
    n = math.prod(shape)
    if n < 16 or not contiguous:
        result = _scaled(_pairs(generator, n), std, mean)
    else:
        wide = dtype.numpy is _F64
        units = _unit(generator, n, wide)
        transform = _blocks_of_doubles if wide else _blocks_of_floats
        if n % 16:
            # The last 16 are drawn once more; of a half-precision tensor the last block had been drawn whole.
            whole = n - n % 16
            if dtype.itemsize == 2:
                last = np.concatenate([units[whole:], _unit(generator, 16 - n % 16, wide)])
            else:
                last = _unit(generator, 16, wide)
            result = np.concatenate([transform(units[:whole])[: n - 16], transform(last)])
        else:
            result = transform(units)
        result = _scaled(result, std, mean)
    return result.astype(dtype.numpy, copy=False).reshape(shape)


def integers(
    generator: Generator, low: int, high: int, shape: tuple, dtype: _dtype, wide: bool | None = None
) -> np.ndarray:
    """Integers in [low, high), of 64-bit words if `wide` or if there are 2**28 and more to choose from."""
    count, n = high - low, math.prod(shape)
    if wide is None:
        wide = count >= 2**28
    words = generator.long_words(n) if wide else generator.words(n)
    if count < 2**64:
        words = words % np.uint64(count)
    # Bits are added modulo 2**64, so the result is right whatever the sign of low.
    numbers = (words + np.uint64(low % 2**64)).view(np.int64)
    return numbers.astype(dtype.numpy, copy=False).reshape(shape)


def any_integers(generator: Generator, shape: tuple, dtype: _dtype) -> np.ndarray:
    """Integers in the whole range that `random_()` uses."""
    return integers(generator, 0, largest_integer(dtype) + 1, shape, dtype, wide=dtype.itemsize == 8)


def largest_integer(dtype: _dtype) -> int:
    """The largest integer that `random_()` makes: the dtype's, or the last of those that a float can count up to."""
    if dtype.is_floating_point:
        return 2 ** (limits_of(dtype.numpy).nmant + 1)
    return 1 if dtype.numpy.kind == "b" else int(np.iinfo(dtype.numpy).max)


def permutation(generator: Generator, n: int) -> np.ndarray:
    """The integers below n in a random order."""
    if n < 2:
        return np.arange(n)
    result = list(range(n))
    partners = np.arange(n - 1, dtype=np.uint64)
    partners += generator.words(n - 1) % (np.uint64(n) - partners)
    for i, j in enumerate(partners.tolist()):
        result[i], result[j] = result[j], result[i]
    return np.array(result)


def bernoulli(generator: Generator, p: Any, shape: tuple | None = None) -> np.ndarray:
    """True with probability p, a number (then `shape` is needed) or an array, whose precision decides."""
    if isinstance(p, np.ndarray):
        return _unit(generator, p.size, p.dtype == _F64).reshape(p.shape) < p
    assert shape is not None
    return (_unit(generator, math.prod(shape), True) < p).reshape(shape)


def exponential(generator: Generator, shape: tuple, dtype: _dtype, rate: float = 1.0) -> np.ndarray:
    """Exponentially distributed numbers."""
    result = -1.0 / rate * np.log1p(-_unit(generator, math.prod(shape), True))
    return result.astype(dtype.numpy).reshape(shape)


def cauchy(generator: Generator, shape: tuple, median: float, sigma: float) -> np.ndarray:
    """Cauchy-distributed numbers."""
    units = _unit(generator, math.prod(shape), True)
    return (median + sigma * np.tan(math.pi * (units - 0.5))).reshape(shape)


def log_normal(generator: Generator, shape: tuple, mean: float, std: float) -> np.ndarray:
    """Numbers whose logarithms are normally distributed."""
    return np.exp(_pairs(generator, math.prod(shape)) * std + mean).reshape(shape)


def geometric(generator: Generator, shape: tuple, p: float) -> np.ndarray:
    """How many trials it takes until one succeeds that has the probability p."""
    units = _unit(generator, math.prod(shape), True)
    return np.ceil(np.log(units) / math.log1p(-p)).reshape(shape)


def poisson(generator: Generator, rates: np.ndarray) -> np.ndarray:
    """Poisson-distributed numbers, one for each rate, in the order of the elements."""
    draw = _one_by_one(generator)
    return np.array([_poisson(draw, rate) for rate in rates.ravel().tolist()]).reshape(rates.shape)


def binomial(generator: Generator, counts: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """How many of `count` trials succeed, one for each pair, in the order of the elements."""
    draw = _one_by_one(generator)
    pairs = zip(counts.ravel().tolist(), probabilities.ravel().tolist(), strict=True)
    return np.array([_binomial(draw, n, p) for n, p in pairs]).reshape(counts.shape)


def _one_by_one(generator: Generator) -> Callable[[], float]:
    """Uniform numbers for methods that draw until something holds."""
    return lambda: float(_unit(generator, 1, True)[0])


def _poisson(draw: Callable[[], float], rate: float) -> float:
    if rate < 10:
        # The product of uniform numbers falls below exp(-rate).
        if rate == 0:
            return 0.0
        least, product, k = math.exp(-rate), 1.0, 0
        while (product := product * draw()) > least:
            k += 1
        return float(k)
    # Transformed rejection (Hoermann 1993), whose constants these are.
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = draw() - 0.5, draw()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= v_r:
            return float(k)
        if k < 0 or (us < 0.013 and v > us):
            continue
        left = math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if left <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return float(k)


def _binomial(draw: Callable[[], float], count: float, p: float) -> float:
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p > 0.5:
        return count - _binomial_below_half(draw, count, 1 - p)
    return _binomial_below_half(draw, count, p) if p == p else math.nan


def _binomial_below_half(draw: Callable[[], float], count: float, p: float) -> float:
    if count * p < 10:
        # The waiting times between successes add up to the number of trials.
        waited, k, scale = 0.0, 0, math.log1p(-p)
        while (waited := waited + math.ceil(math.log(draw()) / scale)) <= count:
            k += 1
        return float(k)
    # Transformed rejection with squeeze (Hoermann 1993), whose constants these are.
    deviation = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre = count * p + 0.5
    v_r = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = math.floor((count + 1) * p)
    while True:
        u, v = draw() - 0.5, draw()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + centre)
        if us >= 0.07 and v <= v_r:
            return float(k)
        if k < 0 or k > count:
            continue
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling_tail(mode) + _stirling_tail(count - mode) - _stirling_tail(k) - _stirling_tail(count - k)
        )  # fmt: skip
        if math.log(v * alpha / (a / (us * us) + b)) <= bound:
            return float(k)


def _stirling_tail(k: float) -> float:
    """What Stirling's formula leaves of log(k!)."""
    if k <= 9:
        return math.lgamma(k + 1) - (k + 0.5) * math.log(k + 1) + (k + 1) - 0.5 * math.log(2 * math.pi)
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


# Normal numbers -----------------------------------------------------------------------------------------------


def _pairs(generator: Generator, n: int) -> np.ndarray:
    """n normal numbers of float64 pairs; the number left over by an odd n begins the next call."""
    if not n:
        return np.empty(0)
    spare, generator._spare = generator._spare, None
    found = [] if spare is None else [spare]
    missing = n - len(found)
    u = _unit(generator, missing + missing % 2, True).tolist()
    # With the C library's functions, as PyTorch: NumPy's own differ in the last bit.
    for angle, w in zip(u[0::2], u[1::2], strict=True):
        radius, angle = math.sqrt(-2 * math.log1p(-w)), 2 * math.pi * angle
        found += radius * math.cos(angle), radius * math.sin(angle)
    if missing % 2:
        generator._spare = found.pop()
    return np.array(found)


def _blocks_of_doubles(units: np.ndarray) -> np.ndarray:
    """Normal numbers of uniform ones, in blocks of 16: element j and j + 8 become a pair."""
    pairs = units.reshape(-1, 2, 8)
    radius, angle = np.sqrt(-2 * np.log(1 - pairs[:, 0])), 2 * math.pi * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()


def _blocks_of_floats(units: np.ndarray) -> np.ndarray:
    """As `_blocks_of_doubles`, in float32 to the last bit: with Cephes' polynomials and fused multiplication."""
    result = np.empty_like(units)
    step = 2**14  # so many fit into the cache
    for start in range(0, units.size, step):
        pairs = units[start : start + step].reshape(-1, 2, 8)
        radius = np.sqrt(np.float32(-2) * _log(np.float32(1) - pairs[:, 0]))
        sine, cosine = _sine_cosine(np.float32(2 * math.pi) * pairs[:, 1])
        block = result[start : start + step].reshape(-1, 2, 8)
        np.multiply(radius, cosine, out=block[:, 0])
        np.multiply(radius, sine, out=block[:, 1])
    return result


def _float32(*numbers: float) -> list[np.float32]:
    return [np.float32(number) for number in numbers]


_LOG = _float32(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_LN2_HIGH, _LN2_LOW = _float32(0.693359375, -2.12194440e-4)
_SINE = _float32(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = _float32(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_QUARTER_PI = _float32(0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)  # in three parts
_SQRT_HALF, _FOUR_OVER_PI = _float32(math.sqrt(0.5), 4 / math.pi)
_HALF, _ONE = _float32(0.5, 1)


def _fused(a: Any, b: Any, c: Any) -> np.ndarray:
    """a * b + c, rounded to float32 once (the product of two float32 is exact in float64)."""
    return (np.multiply(a, b, dtype=np.float64) + c).astype(np.float32)


def _polynomial(x: np.ndarray, coefficients: list[np.float32]) -> np.ndarray:
    result: Any = coefficients[0]
    for c in coefficients[1:]:
        result = _fused(result, x, c)
    return result


def _log(x: np.ndarray) -> np.ndarray:
    mantissa, exponent = np.frexp(x)
    small = mantissa < _SQRT_HALF
    e = exponent.astype(np.float32) - small
    x = (mantissa - _ONE) + mantissa * small
    square = x * x
    y = _fused(_polynomial(x, _LOG) * x, square, e * _LN2_LOW)
    y = _fused(square, -_HALF, y)
    return _fused(e, _LN2_HIGH, x + y)


def _sine_cosine(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of numbers >= 0."""
    octant = (x * _FOUR_OVER_PI).astype(np.int32) + 1 & ~1
    for part in _QUARTER_PI:
        x = _fused(octant.astype(np.float32), -part, x)
    square = x * x
    c = _fused(_polynomial(square, _COSINE) * square, square, -(square * _HALF)) + _ONE
    s = _fused(_polynomial(square, _SINE) * square, x, x)
    swapped = (octant & 2).astype(bool)
    sine, cosine = np.where(swapped, c, s), np.where(swapped, s, c)
    np.negative(sine, out=sine, where=(octant & 4).astype(bool))
    np.negative(cosine, out=cosine, where=(octant + 2 & 4).astype(bool))
    return sine, cosine


def _scaled(x: np.ndarray, factor: Any, offset: Any) -> np.ndarray:
    """x * factor + offset, rounded once, as the processors do it that PyTorch is built for."""
    if x.dtype != _F64:
        return _fused(x, np.float32(factor), np.float32(offset))
    if factor == 1:
        return x + offset
    if abs(factor) > 2.0**960:  # the splitting would overflow
        return _scaled(x, factor * 2.0**-64, offset * 2.0**-64) * 2.0**64
    # The rounding error of the product, by Dekker's splitting, and that of the sum, by Knuth's.
    product = x * factor
    x_high, factor_high = _upper_half(x), _upper_half(np.float64(factor))
    x_low, factor_low = x - x_high, factor - factor_high
    lost = ((x_high * factor_high - product) + x_high * factor_low + x_low * factor_high) + x_low * factor_low
    total = product + offset
    back = total - product
    return total + (((product - (total - back)) + (offset - back)) + lost)


def _upper_half(x: Any) -> Any:
    big = x * (2.0**27 + 1)
    return big - (big - x)
