"""Special functions: the error function, the gamma function, Bessel functions and related functions. `jgrad.special` has most of them."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import FLOATING, FLOATING_EVERYWHERE, INTERNAL, POINTWISE, SPECIAL
from jgrad.dispatch.schema import Schema
from jgrad.dispatch.signatures import shown_as
from jgrad.kernels.numpy.special import HALF_ROOT_PI, PI, ROOT_TWO_PI, TWO_BY_ROOT_PI
from jgrad.ops.by_name import (
    conj,
    cos,
    exp,
    log,
    masked_fill,
    not_implemented,
    reciprocal,
    round,
    sgn,
    sin,
    where,
)
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor

# ----- The error function and the normal distribution -----


@op("erf(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class erf:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to the element."""

    self = lambda grad, self: grad * (TWO_BY_ROOT_PI * exp(-square_of(self)))


@op("erfc(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class erfc:
    """The complement of the error function, `1 - erf(input)`. It is exact also where it is tiny and `1 - erf(input)` would be 0."""

    self = lambda grad, self: grad * (-TWO_BY_ROOT_PI * exp(-square_of(self)))


@op("erfinv(Tensor self) -> Tensor", **FLOATING)
class erfinv:
    """The inverse of the error function: the number whose `erf` is the element."""

    self = lambda grad, self: grad * (HALF_ROOT_PI * exp(square_of(erfinv(self))))


@op("special_erfcx(Tensor self) -> Tensor", **SPECIAL)
class special_erfcx:
    """The scaled complement of the error function, `exp(input * input) * erfc(input)`. It is useful where `erfc` alone would be too small."""

    self = lambda grad, self, result: grad * (2 * self * result - TWO_BY_ROOT_PI)


@composite(
    "special_ndtr(Tensor self) -> Tensor", namespace="special", forms="function out", out_dtype="castable"
)
def special_ndtr(input: Tensor) -> Tensor:
    """The distribution function of the standard normal distribution: the probability of a value less than the element."""
    return _times(_plus(erf(_times(input, 0.7071067811865476)), 1), 0.5)


@op(
    "_times(Tensor self, Number other) -> Tensor",
    promote="float",
    kernel="mul",
    node="MulBackward1",
    **INTERNAL,
)
class _times:
    """A multiple."""

    self = lambda grad, other: grad * other


@op(
    "_plus(Tensor self, Number other) -> Tensor",
    promote="float",
    kernel="add",
    node="AddBackward1",
    **INTERNAL,
)
class _plus:
    """A sum with a number."""

    self = lambda grad: grad


@op("special_ndtri(Tensor self) -> Tensor", **SPECIAL)
class special_ndtri:
    """The inverse of the normal distribution function `special.ndtr`: the number below which a value is with this probability."""

    self = lambda grad, result: grad * (ROOT_TWO_PI * exp(square_of(result) / 2))


@op("special_log_ndtr(Tensor self) -> Tensor", **SPECIAL)
class special_log_ndtr:
    """The logarithm of the normal distribution function `special.ndtr`. It is exact also where the probability is too small for a float."""

    self = lambda grad, self, result: grad / ROOT_TWO_PI * exp(-(result + square_of(self) / 2))


@formula
def square_of(a: Any) -> Any:
    return a**2


# ----- The gamma function -----


@op("lgamma(Tensor self) -> Tensor", **FLOATING)
class lgamma:
    """The logarithm of the absolute value of the gamma function. For a positive integer n the gamma function is (n - 1)!."""

    self = lambda grad, self: grad * digamma(self)


@op("digamma(Tensor self) -> Tensor", **FLOATING)
class digamma:
    """The digamma function: the derivative of `lgamma`."""

    self = lambda grad, self: grad * polygamma(1, self)


@op("polygamma(int n, Tensor self) -> Tensor", promote="float", forms="function out")
class polygamma:
    """The n-th derivative of the digamma function. With n = 0 it is `digamma` itself."""

    self = lambda grad, n, self: grad * polygamma(n + 1, self)


@op("polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", forms="method", node="PolygammaBackward1")
class polygamma_:
    """The n-th derivative of the digamma function, in place: the result is written to this tensor."""

    self = lambda grad, self, n: grad * polygamma(n + 1, self)


_AS_METHOD = Schema("polygamma(Tensor self, int n) -> Tensor", "polygamma", "", False)


@shown_as(lambda self, n: None)
def _polygamma_method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    __tracebackhide__ = True
    _, n = _AS_METHOD.bind((self, *args), kwargs, True, True)  # type: ignore[misc]
    return polygamma(n, self)


_polygamma_method.__name__ = _polygamma_method.__qualname__ = "polygamma"
_polygamma_method.__doc__ = """The n-th derivative of the digamma function, of this tensor's elements.

    Args:
        n: an int, at least 0; with 0 it is `digamma` itself

    Returns a new tensor. Raises RuntimeError if n is negative.

    >>> jgrad.tensor([1.]).polygamma(1)  # pi * pi / 6
    tensor([1.6449])
    """
Tensor.polygamma = _polygamma_method  # type: ignore[attr-defined]


@op(
    "mvlgamma(Tensor self, int p) -> Tensor",
    refuses="mvlgamma",
    inplace_cast_error="mvlgamma: result type {target} can't be cast to the desired output type {result}",  # (the wrong way round, as PyTorch says it)
    **FLOATING,
)
class mvlgamma:
    """The logarithm of the multivariate gamma function of p dimensions."""

    self = lambda grad, self, p: grad * digamma_of_dimensions(self, p)


@formula
def digamma_of_dimensions(a: Any, p: int) -> Any:
    total = digamma(a)
    for j in range(1, p):
        total = total + digamma(a - j / 2)
    return total


@op("igamma(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class igamma:
    """The regularized lower incomplete gamma function: which share of the gamma function's integral lies below `other`."""

    self = lambda grad: not_implemented("igamma: input")
    other = lambda grad, self, other: grad * exp((self - 1) * log(other) - other - lgamma(self))


@op("igammac(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class igammac:
    """The regularized upper incomplete gamma function: which share of the gamma function's integral lies above `other`."""

    self = lambda grad: not_implemented("igammac: input")
    other = lambda grad, self, other: -grad * exp((self - 1) * log(other) - other - lgamma(self))


@op("special_zeta(Tensor self, Tensor other) -> Tensor", **SPECIAL)
class special_zeta:
    """Hurwitz's zeta function: the sum of `(other + k) ** -input` over k = 0, 1, 2, ... With `other` 1 it is Riemann's zeta function."""

    self = lambda grad: not_implemented("zeta")
    other = lambda grad, self, other: grad * -self * special_zeta(self + 1, other)


@op("special_zeta.self_scalar(Number self, Tensor other) -> Tensor", **SPECIAL)
class special_zeta_of_number:
    other = lambda grad, self, other: grad * -self * special_zeta(self + 1, other)


@op("special_zeta.other_scalar(Tensor self, Number other) -> Tensor", **SPECIAL)
class special_zeta_by_number:
    self = lambda grad: not_implemented("zeta")


# ----- Logarithms and the sine -----


@op("special_xlog1py(Tensor self, Tensor other) -> Tensor", **SPECIAL, node="SpecialXlog1PyBackward0")
class special_xlog1py:
    """The product `input * log(1 + other)`. It is 0 where `input` is 0, also if the logarithm is infinite or nan; it is nan where `other` is nan."""

    self = lambda grad, self, other: masked_fill(special_xlog1py(grad, other), (self == 0) & (other <= -1), 0)
    other = lambda grad, self, other: grad * self / (other + 1)


@op(
    "special_xlog1py.self_scalar(Number self, Tensor other) -> Tensor",
    **SPECIAL,
    node="SpecialXlog1PyBackward1",
)
class special_xlog1py_of_number:
    other = lambda grad, self, other: grad * self / (other + 1)


@op(
    "special_xlog1py.other_scalar(Tensor self, Number other) -> Tensor",
    **SPECIAL,
    node="SpecialXlog1PyBackward2",
)
class special_xlog1py_by_number:
    self = lambda grad, self, other: masked_fill(special_xlog1py(grad, other), (self == 0) & (other <= -1), 0)


@op("special_entr(Tensor self) -> Tensor", **SPECIAL)
class special_entr:
    """The entropy of each element: `-input * log(input)`. It is 0 where the element is 0, and -inf where it is negative."""

    self = lambda grad, self: grad * -(1 + log(self))


@op("sinc(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sinc:
    """The normalized sinc function `sin(pi * input) / (pi * input)`. It is 1 where the element is 0."""

    self = lambda grad, self: sinc_backward(grad, self)


@formula
def sinc_backward(grad: Any, a: Any) -> Any:
    scaled = a * PI
    square = a * a * PI  # zero also where a is so small that its square underflows
    slope = (scaled * cos(scaled) - sin(scaled)) / square
    return where(square == 0, zeros_like(grad), grad * conj(slope))


@composite(
    "special_round(Tensor self, *, int decimals=0) -> Tensor", namespace="special", forms="function out"
)
def special_round(input: Tensor, decimals: int = 0) -> Tensor:
    """The elements rounded to the nearest number with so many decimals. A number in the middle between two is rounded to the even one.
    It is `jgrad.round`."""
    return round(input, decimals=decimals)


# ----- Bessel and Airy functions -----


@op("i0(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class i0:
    """The modified Bessel function of the first kind of order 0."""

    self = lambda grad, self: grad * special_i1(self)


@op("special_i0e(Tensor self) -> Tensor", **SPECIAL, node="SpecialI0EBackward0")
class special_i0e:
    """The modified Bessel function of the first kind of order 0, scaled: `i0(input) * exp(-abs(input))`. It stays finite where `i0` overflows."""

    self = lambda grad, self, result: grad * (special_i1e(self) - sgn(self) * result)


@op("special_i1(Tensor self) -> Tensor", **SPECIAL)
class special_i1:
    """The modified Bessel function of the first kind of order 1."""

    self = lambda grad, self, result: (
        grad * (i0(self) - quotient_at_zero(result, wider_than_half("i1_backward", self)))
    )


@op("special_i1e(Tensor self) -> Tensor", **SPECIAL, node="SpecialI1EBackward0")
class special_i1e:
    """The modified Bessel function of the first kind of order 1, scaled: `i1(input) * exp(-abs(input))`. It stays finite where `i1` overflows."""

    self = lambda grad, self, result: i1e_backward(grad, wider_than_half("i1e_backward", self), result)


@formula
def i1e_backward(grad: Any, a: Any, result: Any) -> Any:
    zero = a == 0
    safe = where(zero, zeros_like(a) + 1, a)
    slope = special_i0e(safe) - result * (sgn(safe) + reciprocal(safe))
    return grad * where(zero, zeros_like(a) + 0.5, slope)


@formula
def wider_than_half(name: str, a: Any) -> Any:
    """The same tensor; of 16 bits PyTorch's kernel of this name takes none."""
    if a.itemsize == 2:
        kind = "BFloat16" if str(a.dtype).endswith("bfloat16") else "Half"
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind}'")
    return a


@formula
def quotient_at_zero(result: Any, a: Any) -> Any:
    """result / a, and at 0 half, its limit for i1."""
    zero = a == 0
    return where(zero, zeros_like(a) + 0.5, result * reciprocal(where(zero, zeros_like(a) + 1, a)))


for _name, (_argument, _doc, _result) in {
    "airy_ai": ("x", "The Airy function Ai. It solves the equation y'' = x * y, and goes to 0 for large x.", "[0.3550, 0.1353]"),
    "bessel_j0": ("self", "The Bessel function of the first kind of order 0.", "[1.0000, 0.7652]"),
    "bessel_j1": ("self", "The Bessel function of the first kind of order 1.", "[0.0000, 0.4401]"),
    "bessel_y0": ("self", "The Bessel function of the second kind of order 0. It is -inf at 0, and nan for negative numbers.", "[  -inf, 0.0883]"),
    "bessel_y1": ("self", "The Bessel function of the second kind of order 1. It is -inf at 0, and nan for negative numbers.", "[   -inf, -0.7812]"),
    "modified_bessel_i0": (
        "self", "The modified Bessel function of the first kind of order 0. `special.i0` is the same with a gradient.", "[1.0000, 1.2661]",
    ),
    "modified_bessel_i1": (
        "self", "The modified Bessel function of the first kind of order 1. `special.i1` is the same with a gradient.", "[0.0000, 0.5652]",
    ),
    "modified_bessel_k0": (
        "self", "The modified Bessel function of the second kind of order 0. It is inf at 0, and nan for negative numbers.", "[   inf, 0.4210]",
    ),
    "modified_bessel_k1": (
        "self", "The modified Bessel function of the second kind of order 1. It is inf at 0, and nan for negative numbers.", "[   inf, 0.6019]",
    ),
    "scaled_modified_bessel_k0": (
        "x", "The scaled function `modified_bessel_k0(x) * exp(x)`. It is inf at 0, and nan for negative numbers.", "[   inf, 1.1445]",
    ),
    "scaled_modified_bessel_k1": (
        "x", "The scaled function `modified_bessel_k1(x) * exp(x)`. It is inf at 0, and nan for negative numbers.", "[   inf, 1.6362]",
    ),
    "spherical_bessel_j0": ("x", "The spherical Bessel function of order 0: `sin(x) / x`. It is 1 at 0.", "[1.0000, 0.8415]"),
}.items():  # fmt: skip
    _text = f"""{_doc}

    Args:
        {_argument.replace("self", "input")}: a tensor of real numbers; integers and bools give results of the default dtype

    Returns a new tensor. It has no gradient: the result never requires grad.

    >>> jgrad.special.{_name}(jgrad.tensor([0., 1.]))
    tensor({_result})
    """
    op(f"special_{_name}(Tensor {_argument}) -> Tensor", **SPECIAL)(
        type("without_derivative", (), {"__doc__": _text})
    )

for _name, (_doc, _formula, _result) in {
    "chebyshev_polynomial_t": ("Chebyshev's polynomial of the first kind", "2 * x**2 - 1", "[-1.,  1.,  7.]"),
    "chebyshev_polynomial_u": ("Chebyshev's polynomial of the second kind", "4 * x**2 - 1", "[-1.,  3., 15.]"),
    "chebyshev_polynomial_v": ("Chebyshev's polynomial of the third kind", "4 * x**2 - 2 * x - 1", "[-1.,  1., 11.]"),
    "chebyshev_polynomial_w": ("Chebyshev's polynomial of the fourth kind", "4 * x**2 + 2 * x - 1", "[-1.,  5., 19.]"),
    "hermite_polynomial_h": ("Hermite's polynomial, in the form that physicists use,", "4 * x**2 - 2", "[-2.,  2., 14.]"),
    "hermite_polynomial_he": ("Hermite's polynomial, in the form that probability theory uses,", "x**2 - 1", "[-1.,  0.,  3.]"),
    "laguerre_polynomial_l": ("Laguerre's polynomial", "x**2 / 2 - 2 * x + 1", "[ 1.0000, -0.5000, -1.0000]"),
    "legendre_polynomial_p": ("Legendre's polynomial", "3 / 2 * x**2 - 1 / 2", "[-0.5000,  1.0000,  5.5000]"),
    "shifted_chebyshev_polynomial_t": ("Chebyshev's polynomial of the first kind, taken at 2 * x - 1,", "8 * x**2 - 8 * x + 1", "[ 1.,  1., 17.]"),
    "shifted_chebyshev_polynomial_u": ("Chebyshev's polynomial of the second kind, taken at 2 * x - 1,", "16 * x**2 - 16 * x + 3", "[ 3.,  3., 35.]"),
    "shifted_chebyshev_polynomial_v": ("Chebyshev's polynomial of the third kind, taken at 2 * x - 1,", "16 * x**2 - 20 * x + 5", "[ 5.,  1., 29.]"),
    "shifted_chebyshev_polynomial_w": ("Chebyshev's polynomial of the fourth kind, taken at 2 * x - 1,", "16 * x**2 - 12 * x + 1", "[ 1.,  5., 41.]"),
}.items():  # fmt: skip
    _text = f"""{_doc} of degree n. With degree 2, for instance, it is `{_formula}`.

    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0

    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.

    >>> jgrad.special.{_name}(jgrad.tensor([0., 1., 2.]), 2)
    tensor({_result})
    """
    for _arguments in (
        "(Tensor x, Tensor n)",
        ".x_scalar(Number x, Tensor n)",
        ".n_scalar(Tensor x, Number n)",
    ):
        op(f"special_{_name}{_arguments} -> Tensor", **SPECIAL)(
            type("without_derivative", (), {"__doc__": _text})
        )
