"""Writes `jgrad/kernels/numpy/special_tables.py`: polynomials for the special functions, found with mpmath (which is installed with PyTorch).

    python -m benchmarks.special_tables

Each function is divided by a function that grows in the same way, so that the values of a table are within a small factor of each other. Its
Chebyshev series over the interval is cut where a float64 cannot hold the difference, and rewritten in powers of u, from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath as mp

TARGET = Path(__file__).parents[1] / "jgrad" / "kernels" / "numpy" / "special_tables.py"
HEAD = '''"""Tables for special functions: (low, high, the coefficients of a polynomial in u), where u runs from -1 to 1 as the argument runs from
low to high.

Written by `python -m benchmarks.special_tables`.
"""
'''
WIDTH = 108
TINY = 4e-18
M = mp.mpf


def chebyshev_series(f: Callable, low: Any, high: Any, count: int) -> list:
    """The coefficients of f's series over an interval, up to the last one that matters in float64."""
    angles = [mp.pi * (k + M(1) / 2) / count for k in range(count)]
    values = [f((high - low) / 2 * mp.cos(angle) + (low + high) / 2) for angle in angles]
    series = [
        2 / M(count) * sum(v * mp.cos(j * a) for v, a in zip(values, angles, strict=True))
        for j in range(count)
    ]
    series[0] /= 2
    smallest, rest = min(abs(v) for v in values), M(0)
    while rest + abs(series[-1]) < TINY * smallest:
        rest += abs(series.pop())
    return series


def in_powers(series: list) -> list:
    """The coefficients of powers for a Chebyshev series."""
    result = [M(0)] * len(series)
    before, polynomial = [M(0)], [M(1)]
    for k, coefficient in enumerate(series):
        for i, c in enumerate(polynomial):
            result[i] += coefficient * c
        following = [M(0)] + [(1 if k == 0 else 2) * c for c in polynomial]
        if k:
            for i, c in enumerate(before):
                following[i] -= c
        before, polynomial = polynomial, following
    return result


def in_rows(numbers: list, indent: str) -> str:
    """Numbers as lines of the file."""
    lines, line = [], indent
    for c in numbers:
        text = f"{float(c)!r}, "
        if len(line + text) > WIDTH:
            lines.append(line.rstrip())
            line = indent
        line += text
    return "\n".join([*lines, line.rstrip()])


def table(name: str, comment: str, f: Callable, low: Any, high: Any, count: int = 44) -> str:
    """The text of one table in the file."""
    low, high = M(low), M(high)
    numbers = in_rows(in_powers(chebyshev_series(f, low, high, count)), "    ")
    return f"\n# {comment}\n{name} = ({float(low)!r}, {float(high)!r}, (\n{numbers}\n))  # fmt: skip\n"


def solved(f: Callable, slope: Callable, x: Any) -> Any:
    """The root of f near x, by Newton's method."""
    for _ in range(100):
        step = f(x) / slope(x)
        x -= step
        if abs(step) < M(10) ** -44:
            break
    return x


def erfcx(x: Any) -> Any:
    return mp.exp(x * x) * mp.erfc(x)


def erfinv_middle(w: Any) -> Any:
    y = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(y) / y if w else mp.sqrt(mp.pi) / 2


def erfinv_ends(s: Any) -> Any:
    square = mp.exp(-s * s)
    one_less_y = square / (1 + mp.sqrt(1 - square))
    log = mp.log(one_less_y)
    root = solved(lambda x: mp.log(mp.erfc(x)) - log, lambda x: -2 / mp.sqrt(mp.pi) / erfcx(x), s)
    return root / s


def ndtri(t: Any) -> Any:
    r = 1 / t
    root = solved(
        lambda x: mp.log(mp.erfc(x / mp.sqrt(2)) / 2) + r * r / 2,
        lambda x: -mp.sqrt(2 / mp.pi) / erfcx(x / mp.sqrt(2)),
        r,
    )
    return root / r


def stirling_rest(t: Any) -> Any:
    if t == 0:
        return M(1) / 12
    x = 1 / mp.sqrt(t)
    return (mp.loggamma(x) - (x - M(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def small_j(order: int) -> Callable:
    zeros = [mp.besseljzero(order, 1), mp.besseljzero(order, 2)]

    def f(s: Any) -> Any:
        x = mp.sqrt(s)
        value = mp.besselj(order, x) / x**order if x else M(1) / (1 + order)
        return value / mp.fprod(s - zero**2 for zero in zeros)

    return f


def small_y(order: int) -> Callable:
    def f(s: Any) -> Any:
        x = mp.sqrt(s)
        singular = mp.log(x) * mp.besselj(order, x) - order / x
        return (mp.bessely(order, x) - 2 / mp.pi * singular) / x**order

    return f


def large_bessel(order: int, sine: bool) -> Callable:
    def f(t: Any) -> Any:
        if t == 0:
            return M(4 * order**2 - 1) / 8 if sine else M(1)
        x = 8 / mp.sqrt(t)
        angle, scale = x - mp.pi / 4 - order * mp.pi / 2, mp.sqrt(mp.pi * x / 2)
        j, y = mp.besselj(order, x), mp.bessely(order, x)
        if sine:
            return scale * (y * mp.cos(angle) - j * mp.sin(angle)) * x
        return scale * (j * mp.cos(angle) + y * mp.sin(angle))

    return f


def large_i(order: int) -> Callable:
    return lambda t: mp.besseli(order, 1 / t) * mp.exp(-1 / t) / mp.sqrt(t) if t else 1 / mp.sqrt(2 * mp.pi)


def large_k(order: int) -> Callable:
    def f(t: Any) -> Any:
        x = 1 / t - 1
        return mp.besselk(order, x) * mp.exp(x) * mp.sqrt(x)

    return f


def large_airy(t: Any) -> Any:
    z = 1 / t - 1
    x = (3 * z / 2) ** (M(2) / 3)
    return mp.airyai(x) * 2 * mp.sqrt(mp.pi) * x ** (M(1) / 4) * mp.exp(z)


def negative_airy(sine: bool) -> Callable:
    def f(t: Any) -> Any:
        z = 1 / mp.sqrt(t)
        x, angle = (3 * z / 2) ** (M(2) / 3), z - mp.pi / 4
        scale, a, b = mp.sqrt(mp.pi) * x ** (M(1) / 4), mp.airyai(-x), mp.airybi(-x)
        if sine:
            return scale * (a * mp.sin(angle) + b * mp.cos(angle)) * z
        return scale * (a * mp.cos(angle) - b * mp.sin(angle))

    return f


def temme() -> str:
    """Powers of eta in the parts of Temme's expansion: c[0] = 1 / mu - 1 / eta, c[k] = c[k - 1]' / eta + (-1) ** k * g[k] / mu, where
    mu - log(1 + mu) = eta ** 2 / 2 and g are Stirling's numbers."""
    count = 28
    mu = [Fraction(0), Fraction(1)]  # from mu * mu' = eta * (1 + mu)
    for n in range(2, count):
        known = sum((n + 1 - i) * mu[i] * mu[n + 1 - i] for i in range(2, n))
        mu.append((mu[n - 1] - known) / (n + 1))
    inverse = [Fraction(1)]  # eta / mu
    for n in range(1, count - 1):
        inverse.append(-sum(mu[i + 1] * inverse[n - i] for i in range(1, n + 1)))
    part, lines = inverse[1:], []
    for k, stirling in enumerate((1, Fraction(1, 12), Fraction(1, 288), Fraction(-139, 51840))):
        if k:
            # Of eta, so that the slope is c[1] + ...
            sloped = [
                Fraction(0),
                *[n * c for n, c in enumerate(part)][1:],
            ]
            shifted = [(-1) ** k * stirling * c for c in inverse]
            # Both have a pole at 0, which cancels.
            part = [a + b for a, b in zip(sloped[2:], shifted[1:], strict=False)]
        kept = part[: 20 - 4 * k]
        lines.append(f"    (\n{in_rows(kept, '        ')}\n    ),")
    comment = "Temme's expansion of the incomplete gamma function: powers of eta for each power of 1 / a"
    return f"\n# {comment}\nTEMME = (\n" + "\n".join(lines) + "\n)  # fmt: skip\n"


def written() -> str:
    """The text of the whole file."""
    gamma_root = mp.findroot(mp.digamma, M("1.46"))

    def without_zeros(x: Any) -> Any:
        return mp.loggamma(x) / ((x - 1) * (x - 2))

    parts = [
        HEAD,
        table("ERF", "erf(x) / x, by x * x", lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s), 0, 1),
        table("ERFCX", "exp(x * x) * erfc(x) * (x + 1), by 2 / (2 + x), for x from 0.4",
            lambda t: erfcx(2 / t - 2) * (2 / t - 1), 0, M(2) / M("2.4")),
        table("ERFINV_MIDDLE", "erfinv(y) / y, by w = -log(1 - y * y), for w to 4", erfinv_middle, 0, 4),
        table("ERFINV_ENDS", "|erfinv(y)| / s, by s = sqrt(w)", erfinv_ends, 2, 6.125),
        table("NDTRI", "-ndtri(p) / r, by 1 / r, with r = sqrt(-2 * log(p)) from 2", ndtri, M(1) / 39, M(1) / 2),
        table("LGAMMA_ONE", "lgamma(x) / ((x - 1) * (x - 2)), by x", without_zeros, 0.5, 1.5),
        table("LGAMMA_TWO", "the same for x from 1.5", without_zeros, 1.5, 2.5),
        table("DIGAMMA", "digamma(x) / (x - its root), by x, for x from 1 to 2",
            lambda x: mp.digamma(x) / (x - gamma_root), 1, 2),
        table("STIRLING", "what Stirling's formula lacks, times x, by 1 / (x * x), for x from 8", stirling_rest, 0, M(1) / 64, 24),
    ]  # fmt: skip
    parts += [
        table(f"I{k}_LARGE", f"I{k}(x) * exp(-x) * sqrt(x), by 1 / x, for x from 8", large_i(k), 0, M(1) / 8)
        for k in (0, 1)
    ]
    parts += [
        table(
            f"K{k}_LARGE",
            f"K{k}(x) * exp(x) * sqrt(x), by 1 / (1 + x), for x from 1",
            large_k(k),
            0,
            M(1) / 2,
            50,
        )
        for k in (0, 1)
    ]
    for order in (0, 1):
        by_x, singular = (" / x", " - 1 / x") if order else ("", "")
        rest = f"Y{order}(x) - 2 / pi * (log(x) * J{order}(x){singular}){by_x}, by x * x, for x to 8"
        large = f"The part of J{order} and Y{order} for large x that goes with the cosine, by 64 / (x * x), for x from 8"
        parts += [
            table(
                f"J{order}_SMALL",
                f"J{order}(x){by_x} without its first two zeros, by x * x, for x to 8",
                small_j(order),
                0,
                64,
            ),
            table(f"BESSEL{order}_P", large, large_bessel(order, False), 0, 1, 30),
            table(
                f"BESSEL{order}_Q",
                "The part that goes with the sine, times x",
                large_bessel(order, True),
                0,
                1,
                30,
            ),
            table(f"Y{order}_SMALL", rest, small_y(order), 0, 64, 40),
        ]
    large = "Ai(x) * 2 * sqrt(pi) * x ** (1 / 4) * exp(z), by 1 / (1 + z), with z = 2 / 3 * x ** 1.5, for x from 2"
    negative = "The part of Ai(-x) for large x that goes with the cosine, by 1 / (z * z), for x from 4.5"
    parts += [
        table("AIRY_0", "Ai(x), by x", mp.airyai, 0, 1),
        table("AIRY_1", "Ai(x), by x", mp.airyai, 1, 2),
        table("AIRY_LARGE", large, large_airy, 0, 1 / (1 + M("1.88")), 50),
        table("AIRY_NEGATIVE", "Ai(-x), by x", lambda x: mp.airyai(-x), 0, 4.5, 40),
        table("AIRY_P", negative, negative_airy(False), 0, M(1) / 40, 34),
        table("AIRY_Q", "The part that goes with the sine, times z", negative_airy(True), 0, M(1) / 40, 34),
    ]
    return "".join([*parts, temme()])


if __name__ == "__main__":
    mp.mp.dps = 50
    TARGET.write_text(written())
