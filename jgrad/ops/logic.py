"""Logic and bits, element by element. `gcd` and `lcm` of integers are here too."""

from __future__ import annotations

from jgrad.dispatch import op
from jgrad.dispatch.options import BITWISE, POINTWISE, POINTWISE_EVERYWHERE


@op("logical_and(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_and:
    """Whether both elements are non-zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_and(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([False, False,  True])
    """


@op("logical_or(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_or:
    """Whether one of both elements is non-zero, or both are.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_or(jgrad.tensor([0, 3, 0]), jgrad.tensor([5., 0., 0.]))
    tensor([ True,  True, False])
    """


@op("logical_not(Tensor self) -> Tensor", boolean=True, **POINTWISE)
class logical_not:
    """Whether each element is zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero

    Returns a new tensor of bools. It has no gradient.

    >>> jgrad.logical_not(jgrad.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """


@op("logical_xor(Tensor self, Tensor other) -> Tensor", boolean=True, **POINTWISE)
class logical_xor:
    """Whether exactly one of both elements is non-zero.

    Args:
        input: a tensor of any dtype; nan counts as non-zero
        other: a tensor of any dtype that broadcasts with `input`

    Returns a new tensor of bools with the broadcast shape. It has no gradient.

    >>> jgrad.logical_xor(jgrad.tensor([0, 3, 3]), jgrad.tensor([5., 0., 5.]))
    tensor([ True,  True, False])
    """


@op("bitwise_and(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_and:
    """The bits that are 1 in both elements. For bools it is the logical and.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_and(jgrad.tensor([0b1100]), 0b1010) == 0b1000
    tensor([True])
    """


@op("bitwise_or(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_or:
    """The bits that are 1 in one of both elements, or in both. For bools it is the logical or.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_or(jgrad.tensor([0b1100]), 0b1010) == 0b1110
    tensor([True])
    """


@op("bitwise_xor(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_xor:
    """The bits that are 1 in exactly one of both elements. For bools it is the logical exclusive or.

    Args:
        input: a tensor of integers or bools, or a number if `other` is a tensor
        other: a tensor of integers or bools that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.bitwise_xor(jgrad.tensor([0b1100]), 0b1010) == 0b0110
    tensor([True])
    """


@op("bitwise_not(Tensor self) -> Tensor", **POINTWISE)
class bitwise_not:
    """Each element with every bit flipped. For bools it is the logical not. For signed integers it is `-input - 1`.

    Args:
        input: a tensor of integers or bools

    Returns a new tensor with the dtype of `input`.

    >>> jgrad.bitwise_not(jgrad.tensor([0, 5]))
    tensor([-1, -6])
    >>> jgrad.bitwise_not(jgrad.tensor([True, False]))
    tensor([False,  True])
    """


@op("bitwise_left_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_left_shift:
    """The bits of `input` moved to the left by `other` places: `input * 2**other` for integers.

    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape. The result is 0 where `other` is negative, or not less than the number of bits of the dtype.

    >>> jgrad.bitwise_left_shift(jgrad.tensor([1, 3]), 2)
    tensor([ 4, 12])
    """


@op("bitwise_right_shift(Tensor self, Tensor other) -> Tensor", **BITWISE)
class bitwise_right_shift:
    """The bits of `input` moved to the right by `other` places: `input / 2**other` rounded down, for integers.

    Args:
        input: a tensor of integers, or a number if `other` is a tensor
        other: a tensor of integers that broadcasts with `input`, or a number if `input` is a tensor

    Returns a new tensor with the broadcast shape. Where `other` is negative, or not less than the number of bits of the dtype, the result
    is -1 for a negative `input` and 0 for others.

    >>> jgrad.bitwise_right_shift(jgrad.tensor([-9, 9]), 1)
    tensor([-5,  4])
    """


@op("gcd(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class gcd:
    """The greatest common divisor of two integers, element by element. It is never negative, and 0 if both are 0.

    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.gcd(jgrad.tensor([12, -18]), jgrad.tensor([18, 12]))
    tensor([6, 6])
    """


@op("lcm(Tensor self, Tensor other) -> Tensor", **POINTWISE_EVERYWHERE)
class lcm:
    """The least common multiple of two integers, element by element. It is never negative, and 0 if one of both is 0.

    Args:
        input: a tensor of integers
        other: a tensor of integers that broadcasts with `input`

    Returns a new tensor with the broadcast shape and the common dtype of both.

    >>> jgrad.lcm(jgrad.tensor([4, 0]), jgrad.tensor([6, 5]))
    tensor([12,  0])
    """
