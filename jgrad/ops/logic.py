"""Logic and bits, element by element. `gcd` and `lcm` of integers are here too."""

from __future__ import annotations

from jgrad.dispatch import op
from jgrad.dispatch.options import BITWISE, POINTWISE, POINTWISE_EVERYWHERE


@op("logical_and(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_and:
    """Whether both elements are non-zero."""


@op("logical_or(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_or:
    """Whether one of both elements is non-zero, or both are."""


@op("logical_not(Tensor self) -> Tensor", boolean=True, **POINTWISE)
class logical_not:
    """Whether each element is zero."""


@op("logical_xor(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_xor:
    """Whether exactly one of both elements is non-zero."""


@op("bitwise_and(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_and:
    """The bits that are 1 in both elements. For bools it is the logical and."""


@op("bitwise_or(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_or:
    """The bits that are 1 in one of both elements, or in both. For bools it is the logical or."""


@op("bitwise_xor(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_xor:
    """The bits that are 1 in exactly one of both elements. For bools it is the logical exclusive or."""


@op("bitwise_not(Tensor self) -> Tensor", **POINTWISE)
class bitwise_not:
    """Each element with every bit flipped. For bools it is the logical not. For signed integers it is `-input - 1`."""


@op("bitwise_left_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_left_shift:
    """The bits of `input` moved to the left by `other` places: `input * 2**other` for integers."""


@op("bitwise_right_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_right_shift:
    """The bits of `input` moved to the right by `other` places: `input / 2**other` rounded down, for integers."""


@op("gcd(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class gcd:
    """The greatest common divisor of two integers, element by element. It is never negative, and 0 if both are 0."""


@op("lcm(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class lcm:
    """The least common multiple of two integers, element by element. It is never negative, and 0 if one of both is 0."""
