"""Special functions: the error function, the gamma function, Bessel functions and related functions. `jgrad.special` has most of them."""

from __future__ import annotations

from typing import Any

from jgrad.dispatch import composite, formula, op
from jgrad.dispatch.options import FLOATING, FLOATING_EVERYWHERE, INTERNAL, POINTWISE, SPECIAL
from jgrad.dispatch.schema import Schema
from jgrad.dispatch.signatures import shown_as
from jgrad.kernels.numpy.special import HALF_ROOT_PI, PI, ROOT_TWO_PI, TWO_BY_ROOT_PI
from jgrad.ops.by_name import conj, cos, exp, log, not_implemented, round, sgn, sin, where
from jgrad.ops.creation import zeros_like
from jgrad.tensor import Tensor

# ----- The error function and the normal distribution -----


@op("erf(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class erf:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to self."""

    self = lambda grad, self: grad * (TWO_BY_ROOT_PI * exp(-(self * self)))


@op("erfc(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class erfc:
    """1 - erf(self), exact also where that is tiny."""

    self = lambda grad, self: grad * (-TWO_BY_ROOT_PI * exp(-(self * self)))


@op("erfinv(Tensor self) -> Tensor", **FLOATING)
class erfinv:
    """The inverse of erf, between -1 and 1."""

    self = lambda grad, self: grad * (HALF_ROOT_PI * exp(square_of(erfinv(self))))


@op("special_erfcx(Tensor self) -> Tensor", **SPECIAL)
class special_erfcx:
    """exp(self * self) * erfc(self)."""

    self = lambda grad, self, result: grad * (2 * self * result - TWO_BY_ROOT_PI)


@composite(
    "special_ndtr(Tensor self) -> Tensor", namespace="special", forms="function out", out_dtype="castable"
)
def special_ndtr(input: Tensor) -> Tensor:
    """The normal distribution: the probability of less than this."""
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
    """The inverse of the normal distribution."""

    self = lambda grad, result: grad * (ROOT_TWO_PI * exp(square_of(result) / 2))


@op("special_log_ndtr(Tensor self) -> Tensor", **SPECIAL)
class special_log_ndtr:
    """The logarithm of the normal distribution."""

    self = lambda grad, self, result: grad / ROOT_TWO_PI * exp(-(result + square_of(self) / 2))


@formula
def square_of(a: Any) -> Any:
    return a * a


# ----- The gamma function -----


@op("lgamma(Tensor self) -> Tensor", **FLOATING)
class lgamma:
    """The logarithm of the gamma function's absolute value."""

    self = lambda grad, self: grad * digamma(self)


@op("digamma(Tensor self) -> Tensor", **FLOATING)
class digamma:
    """The derivative of lgamma."""

    self = lambda grad, self: grad * polygamma(1, self)


@op("polygamma(int n, Tensor self) -> Tensor", promote="float", forms="function out")
class polygamma:
    """The n-th derivative of digamma."""

    self = lambda grad, n, self: grad * polygamma(n + 1, self)


@op("polygamma_(Tensor(a!) self, int n) -> Tensor(a!)", forms="method", node="PolygammaBackward1")
class polygamma_:
    """The n-th derivative of digamma, in place."""

    self = lambda grad, self, n: grad * polygamma(n + 1, self)


_AS_METHOD = Schema("polygamma(Tensor self, int n) -> Tensor", "polygamma", "", False)


@shown_as(lambda self, n: None)
def _polygamma_method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    __tracebackhide__ = True
    _, n = _AS_METHOD.bind((self, *args), kwargs, True, True)  # type: ignore[misc]
    return polygamma(n, self)


_polygamma_method.__name__ = _polygamma_method.__qualname__ = "polygamma"
_polygamma_method.__doc__ = "The n-th derivative of digamma, of this tensor."
Tensor.polygamma = _polygamma_method  # type: ignore[attr-defined]


@op("mvlgamma(Tensor self, int p) -> Tensor", **FLOATING)
class mvlgamma:
    """The logarithm of the gamma function of p dimensions."""

    self = lambda grad, self, p: grad * digamma_of_dimensions(self, p)


@formula
def digamma_of_dimensions(a: Any, p: int) -> Any:
    total = digamma(a)
    for j in range(1, p):
        total = total + digamma(a - j / 2)
    return total


@op("igamma(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class igamma:
    """The share of the gamma function's integral below other; derivatives by other alone."""

    self = lambda grad: not_implemented("igamma: input")
    other = lambda grad, self, other: grad * exp((self - 1) * log(other) - other - lgamma(self))


@op("igammac(Tensor self, Tensor other) -> Tensor", **POINTWISE)
class igammac:
    """The share of the gamma function's integral above other; derivatives by other alone."""

    self = lambda grad: not_implemented("igammac: input")
    other = lambda grad, self, other: -grad * exp((self - 1) * log(other) - other - lgamma(self))


@op("special_zeta(Tensor self, Tensor other) -> Tensor", **SPECIAL)
class special_zeta:
    """Hurwitz's zeta function: the sum of (other + k) ** -self; derivatives by other alone."""

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
    """self * log(1 + other), 0 where self is 0."""

    self = lambda grad, self, other: where(
        (self == 0) & (other <= -1), zeros_like(grad), special_xlog1py(grad, other)
    )
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
    self = lambda grad, self, other: where(
        (self == 0) & (other <= -1), zeros_like(grad), special_xlog1py(grad, other)
    )


@op("special_entr(Tensor self) -> Tensor", **SPECIAL)
class special_entr:
    """-self * log(self), 0 for 0 and -inf for less."""

    self = lambda grad, self: grad * -(1 + log(self))


@op("sinc(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class sinc:
    """sin(pi * self) / (pi * self), 1 for 0."""

    self = lambda grad, self: sinc_backward(grad, self)


@formula
def sinc_backward(grad: Any, a: Any) -> Any:
    scaled = a * PI
    square = scaled * a  # zero also where a is so small that its square underflows
    slope = (cos(scaled) * scaled - sin(scaled)) / square
    return where(square == 0, zeros_like(grad), grad * conj(slope))


@composite(
    "special_round(Tensor self, *, int decimals=0) -> Tensor", namespace="special", forms="function out"
)
def special_round(input: Tensor, decimals: int = 0) -> Tensor:
    """Rounded to a number of decimals."""
    return round(input, decimals=decimals)


# ----- Bessel and Airy functions -----


@op("i0(Tensor self) -> Tensor", **FLOATING_EVERYWHERE)
class i0:
    """The modified Bessel function of the first kind of order 0."""

    self = lambda grad, self: grad * special_i1(self)


@op("special_i0e(Tensor self) -> Tensor", **SPECIAL, node="SpecialI0EBackward0")
class special_i0e:
    """i0(self) * exp(-abs(self))."""

    self = lambda grad, self, result: grad * (special_i1e(self) - sgn(self) * result)


@op("special_i1(Tensor self) -> Tensor", **SPECIAL)
class special_i1:
    """The modified Bessel function of the first kind of order 1."""

    self = lambda grad, self, result: (
        grad * (i0(self) - quotient_at_zero(result, wider_than_half("i1_backward", self)))
    )


@op("special_i1e(Tensor self) -> Tensor", **SPECIAL, node="SpecialI1EBackward0")
class special_i1e:
    """i1(self) * exp(-abs(self))."""

    self = lambda grad, self, result: (
        grad
        * (
            special_i0e(self)
            - sgn(self) * result
            - quotient_at_zero(result, wider_than_half("i1e_backward", self))
        )
    )


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
    return where(zero, zeros_like(a) + 0.5, result / where(zero, zeros_like(a) + 1, a))


for _name, _doc in {
    "airy_ai(Tensor x)": "The Airy function.",
    "bessel_j0(Tensor self)": "The Bessel function of the first kind of order 0.",
    "bessel_j1(Tensor self)": "The Bessel function of the first kind of order 1.",
    "bessel_y0(Tensor self)": "The Bessel function of the second kind of order 0.",
    "bessel_y1(Tensor self)": "The Bessel function of the second kind of order 1.",
    "modified_bessel_i0(Tensor self)": "The modified Bessel function of the first kind of order 0, without a derivative: i0 has one.",
    "modified_bessel_i1(Tensor self)": "The modified Bessel function of the first kind of order 1, without a derivative: i1 has one.",
    "modified_bessel_k0(Tensor self)": "The modified Bessel function of the second kind of order 0.",
    "modified_bessel_k1(Tensor self)": "The modified Bessel function of the second kind of order 1.",
    "scaled_modified_bessel_k0(Tensor x)": "modified_bessel_k0(x) * exp(x).",
    "scaled_modified_bessel_k1(Tensor x)": "modified_bessel_k1(x) * exp(x).",
    "spherical_bessel_j0(Tensor x)": "sin(x) / x.",
}.items():
    op(f"special_{_name} -> Tensor", **SPECIAL)(type("without_derivative", (), {"__doc__": _doc}))

for _name, _doc in {
    "chebyshev_polynomial_t": "Chebyshev's polynomial of the first kind",
    "chebyshev_polynomial_u": "Chebyshev's polynomial of the second kind",
    "chebyshev_polynomial_v": "Chebyshev's polynomial of the third kind",
    "chebyshev_polynomial_w": "Chebyshev's polynomial of the fourth kind",
    "hermite_polynomial_h": "Hermite's polynomial, as physicists have it,",
    "hermite_polynomial_he": "Hermite's polynomial, as probabilists have it,",
    "laguerre_polynomial_l": "Laguerre's polynomial",
    "legendre_polynomial_p": "Legendre's polynomial",
    "shifted_chebyshev_polynomial_t": "Chebyshev's polynomial of the first kind, at 2 * x - 1,",
    "shifted_chebyshev_polynomial_u": "Chebyshev's polynomial of the second kind, at 2 * x - 1,",
    "shifted_chebyshev_polynomial_v": "Chebyshev's polynomial of the third kind, at 2 * x - 1,",
    "shifted_chebyshev_polynomial_w": "Chebyshev's polynomial of the fourth kind, at 2 * x - 1,",
}.items():
    for _arguments in (
        "(Tensor x, Tensor n)",
        ".x_scalar(Number x, Tensor n)",
        ".n_scalar(Tensor x, Number n)",
    ):
        _body = type(
            "without_derivative", (), {"__doc__": f"{_doc} of degree n; it has no derivative, as in PyTorch."}
        )
        op(f"special_{_name}{_arguments} -> Tensor", **SPECIAL)(_body)
