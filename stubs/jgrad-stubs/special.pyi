# Written by `python -m stubs` from jgrad's declarations.
from builtins import bool as _bool, complex as _complex, float as _float, int as _int, str as _str, type as _type
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from jgrad import return_types
from jgrad.devices import device as _device
from jgrad.dtypes import dtype as _dtype
from jgrad.formats import memory_format as _memory_format
from jgrad.random import Generator as _Generator
from jgrad.tensor import Number, Size as _Size, Tensor, layout as _layout

def airy_ai(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Airy function."""
def bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0."""
def bessel_j1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1."""
def bessel_y0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0."""
def bessel_y1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1."""
@overload
def chebyshev_polynomial_t(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_t(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_t(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_u(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_u(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_u(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_v(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_v(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_v(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_w(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_w(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n; it has no derivative, as in PyTorch."""
@overload
def chebyshev_polynomial_w(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n; it has no derivative, as in PyTorch."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""
def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-self * log(self), 0 for 0 and -inf for less."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to self."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(self), exact also where that is tiny."""
def erfcx(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(self * self) * erfc(self)."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of erf, between -1 and 1."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of self."""
def expit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-self))."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(self) - 1, exact near 0."""
def gammainc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The share of the gamma function's integral below other; derivatives by other alone."""
def gammaincc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The share of the gamma function's integral above other; derivatives by other alone."""
def gammaln(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function's absolute value."""
@overload
def hermite_polynomial_h(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as physicists have it, of degree n; it has no derivative, as in PyTorch."""
@overload
def hermite_polynomial_h(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as physicists have it, of degree n; it has no derivative, as in PyTorch."""
@overload
def hermite_polynomial_h(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as physicists have it, of degree n; it has no derivative, as in PyTorch."""
@overload
def hermite_polynomial_he(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as probabilists have it, of degree n; it has no derivative, as in PyTorch."""
@overload
def hermite_polynomial_he(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as probabilists have it, of degree n; it has no derivative, as in PyTorch."""
@overload
def hermite_polynomial_he(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, as probabilists have it, of degree n; it has no derivative, as in PyTorch."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0."""
def i0e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """i0(self) * exp(-abs(self))."""
def i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1."""
def i1e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """i1(self) * exp(-abs(self))."""
@overload
def laguerre_polynomial_l(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n; it has no derivative, as in PyTorch."""
@overload
def laguerre_polynomial_l(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n; it has no derivative, as in PyTorch."""
@overload
def laguerre_polynomial_l(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n; it has no derivative, as in PyTorch."""
@overload
def legendre_polynomial_p(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n; it has no derivative, as in PyTorch."""
@overload
def legendre_polynomial_p(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n; it has no derivative, as in PyTorch."""
@overload
def legendre_polynomial_p(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n; it has no derivative, as in PyTorch."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + self), exact near 0."""
def log_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the normal distribution."""
def log_softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
    """The logarithm of softmax, computed without its rounding errors."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(self / (1 - self)), of self kept between eps and 1 - eps."""
def logsumexp(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of exp(self) over some dimensions, without overflow."""
def modified_bessel_i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, without a derivative: i0 has one."""
def modified_bessel_i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, without a derivative: i1 has one."""
def modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0."""
def modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1."""
def multigammaln(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of p dimensions."""
def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The normal distribution: the probability of less than this."""
def ndtri(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the normal distribution."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma."""
def psi(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The derivative of lgamma."""
def round(input: Tensor, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """Rounded to a number of decimals."""
def scaled_modified_bessel_k0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """modified_bessel_k0(x) * exp(x)."""
def scaled_modified_bessel_k1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """modified_bessel_k1(x) * exp(x)."""
@overload
def shifted_chebyshev_polynomial_t(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_t(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_t(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_u(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_u(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_u(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_v(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_v(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_v(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_w(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_w(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
@overload
def shifted_chebyshev_polynomial_w(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, at 2 * x - 1, of degree n; it has no derivative, as in PyTorch."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin(pi * self) / (pi * self), 1 for 0."""
def softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
    """exp(self), divided by its sum along a dimension; `dtype` is what self is converted to first."""
def spherical_bessel_j0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin(x) / x."""
@overload
def xlog1py(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(1 + other), 0 where self is 0."""
@overload
def xlog1py(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(1 + other), 0 where self is 0."""
@overload
def xlog1py(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """self * log(1 + other), 0 where self is 0."""
@overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
@overload
def xlogy(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
@overload
def xlogy(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """self * log(other), 0 where self is 0 (unless other is nan)."""
@overload
def zeta(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k) ** -self; derivatives by other alone."""
@overload
def zeta(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k) ** -self; derivatives by other alone."""
@overload
def zeta(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k) ** -self; derivatives by other alone."""
