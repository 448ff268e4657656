"""How numbers are written in sentences and pictures.

The views are translated to JavaScript. This file is not, because it needs `Decimal`: its counterpart is `js/src/numbers.ts`.
`tests/translator` compares both on many numbers.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

FOUR_DIGITS = Context(4, ROUND_HALF_UP)


def number(x: float) -> str:
    """A number with four digits, without an exponent if that is readable. Halves are rounded up, as JavaScript rounds them."""
    exact = Decimal(x)
    four = FOUR_DIGITS.plus(exact)
    exponent = four.adjusted() if x else 0
    if exponent < -3 or exponent > 5:
        return f"{four.scaleb(-exponent):.3f}e{exponent}"
    s = f"{four if exponent < 4 else exact.to_integral(ROUND_HALF_UP):f}"
    return s.rstrip("0").rstrip(".") if "." in s else s


def exponential(x: float, digits: int) -> str:
    """A number with one digit before the point and `digits` after it: "-5.72e-6"."""
    if math.isinf(x):
        return str(Decimal(x))
    rounded = Context(digits + 1, ROUND_HALF_UP).plus(Decimal(x + 0.0))
    exponent = rounded.adjusted()
    return f"{rounded.scaleb(-exponent):.{digits}f}e{exponent}"
