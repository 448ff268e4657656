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
    """The Airy function Ai. It solves the equation y'' = x * y, and goes to 0 for large x.
    
    Args:
        x: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.airy_ai(jgrad.tensor([0., 1.]))
    tensor([0.3550, 0.1353])
    """
def bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.bessel_j0(jgrad.tensor([0., 1.]))
    tensor([1.0000, 0.7652])
    """
def bessel_j1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.bessel_j1(jgrad.tensor([0., 1.]))
    tensor([0.0000, 0.4401])
    """
def bessel_y0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0. It is -inf at 0, and nan for negative numbers.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.bessel_y0(jgrad.tensor([0., 1.]))
    tensor([  -inf, 0.0883])
    """
def bessel_y1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1. It is -inf at 0, and nan for negative numbers.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.bessel_y1(jgrad.tensor([0., 1.]))
    tensor([   -inf, -0.7812])
    """
@overload
def chebyshev_polynomial_t(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n. With degree 2, for instance, it is `2 * x**2 - 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.chebyshev_polynomial_t(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-1.,  1.,  7.])
    """
@overload
def chebyshev_polynomial_t(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n. With degree 2, for instance, it is `2 * x**2 - 1`."""
@overload
def chebyshev_polynomial_t(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind of degree n. With degree 2, for instance, it is `2 * x**2 - 1`."""
@overload
def chebyshev_polynomial_u(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n. With degree 2, for instance, it is `4 * x**2 - 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.chebyshev_polynomial_u(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-1.,  3., 15.])
    """
@overload
def chebyshev_polynomial_u(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n. With degree 2, for instance, it is `4 * x**2 - 1`."""
@overload
def chebyshev_polynomial_u(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind of degree n. With degree 2, for instance, it is `4 * x**2 - 1`."""
@overload
def chebyshev_polynomial_v(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n. With degree 2, for instance, it is `4 * x**2 - 2 * x - 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.chebyshev_polynomial_v(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-1.,  1., 11.])
    """
@overload
def chebyshev_polynomial_v(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n. With degree 2, for instance, it is `4 * x**2 - 2 * x - 1`."""
@overload
def chebyshev_polynomial_v(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind of degree n. With degree 2, for instance, it is `4 * x**2 - 2 * x - 1`."""
@overload
def chebyshev_polynomial_w(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n. With degree 2, for instance, it is `4 * x**2 + 2 * x - 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.chebyshev_polynomial_w(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-1.,  5., 19.])
    """
@overload
def chebyshev_polynomial_w(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n. With degree 2, for instance, it is `4 * x**2 + 2 * x - 1`."""
@overload
def chebyshev_polynomial_w(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind of degree n. With degree 2, for instance, it is `4 * x**2 + 2 * x - 1`."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The digamma function: the derivative of `lgamma`.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for 0 and nan for negative integers.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> jgrad.lgamma(x).sum().backward()
    >>> x.grad
    tensor([-0.5772,  0.4228])
    >>> jgrad.digamma(x.detach())  # the same; the second is greater by 1
    tensor([-0.5772,  0.4228])
    """
def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The entropy of each element: `-input * log(input)`. It is 0 where the element is 0, and -inf where it is negative.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. The sum over the probabilities of a distribution is the entropy of the distribution.
    
    >>> p = jgrad.tensor([0., 0.5, 0.5])
    >>> jgrad.special.entr(p)
    tensor([0.0000, 0.3466, 0.3466])
    >>> jgrad.special.entr(p).sum()  # log(2)
    tensor(0.6931)
    """
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to the element.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its elements are between -1 and 1.
    
    >>> x = jgrad.tensor([-1., 0., 1.], requires_grad=True)
    >>> y = jgrad.erf(x)
    >>> y
    tensor([-0.8427,  0.0000,  0.8427], grad_fn=<ErfBackward0>)
    >>> y.sum().backward()
    >>> x.grad  # 2 / sqrt(pi) * exp(-x * x)
    tensor([0.4151, 1.1284, 0.4151])
    """
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complement of the error function, `1 - erf(input)`. It is exact also where it is tiny and `1 - erf(input)` would be 0.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([5.])
    >>> jgrad.erfc(x), 1 - jgrad.erf(x)
    (tensor([1.5375e-12]), tensor([0.]))
    """
def erfcx(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The scaled complement of the error function, `exp(input * input) * erfc(input)`. It is useful where `erfc` alone would be too small.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([0., 1., 20.])
    >>> jgrad.special.erfcx(x)
    tensor([1.0000, 0.4276, 0.0282])
    >>> jgrad.erfc(x)
    tensor([1.0000, 0.1573, 0.0000])
    """
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the error function: the number whose `erf` is the element.
    
    Args:
        input: a tensor of real numbers between -1 and 1; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for -1, inf for 1, and nan for numbers outside of this range.
    
    >>> jgrad.erfinv(jgrad.tensor([-1., 0., 0.5, 1., 2.]))
    tensor([  -inf, 0.0000, 0.4769,    inf,    nan])
    """
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of each element.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is the result times the natural logarithm of 2.
    
    >>> jgrad.exp2(jgrad.tensor([-1., 0., 3.]))
    tensor([0.5000, 1.0000, 8.0000])
    """
def expit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logistic function `1 / (1 + exp(-input))`, element by element. Its values lie between 0 and 1. It is also `special.expit`.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The gradient is `y * (1 - y)`, where `y` is the result.
    
    >>> x = jgrad.tensor([0., 1000.], requires_grad=True)
    >>> jgrad.sigmoid(x)
    tensor([0.5000, 1.0000], grad_fn=<SigmoidBackward0>)
    >>> jgrad.sigmoid(x).sum().backward()
    >>> x.grad
    tensor([0.2500, 0.0000])
    """
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`exp(input) - 1`, element by element. It stays accurate near 0, where `exp(input)` would be rounded to 1.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.exp(x) - 1
    tensor([0.])
    >>> jgrad.expm1(x)
    tensor([1.0000e-09])
    """
def gammainc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularized lower incomplete gamma function: which share of the gamma function's integral lies below `other`.
    
    The integral is that of `t ** (input - 1) * exp(-t)` over t from 0 to infinity. `igammac` gives the share above `other`.
    
    Args:
        input: a tensor of floating point numbers, at least 0
        other: a tensor of floating point numbers, at least 0; the shapes are broadcast
    
    Returns a new tensor with numbers between 0 and 1, and nan for negative arguments and where both are 0. Only `other` has a
    gradient: where `input` requires grad, backward raises NotImplementedError.
    
    >>> a, x = jgrad.tensor([1., 2., 3.]), jgrad.tensor([1.])
    >>> jgrad.igamma(a, x)
    tensor([0.6321, 0.2642, 0.0803])
    >>> 1 - jgrad.igammac(a, x)  # the same
    tensor([0.6321, 0.2642, 0.0803])
    """
def gammaincc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularized upper incomplete gamma function: which share of the gamma function's integral lies above `other`.
    
    The integral is that of `t ** (input - 1) * exp(-t)` over t from 0 to infinity. `igamma` gives the share below `other`.
    
    Args:
        input: a tensor of floating point numbers, at least 0
        other: a tensor of floating point numbers, at least 0; the shapes are broadcast
    
    Returns a new tensor with numbers between 0 and 1, and nan for negative arguments and where both are 0. Only `other` has a
    gradient: where `input` requires grad, backward raises NotImplementedError.
    
    >>> jgrad.igammac(jgrad.tensor([1., 2., 3.]), jgrad.tensor([1.]))
    tensor([0.3679, 0.7358, 0.9197])
    """
def gammaln(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function. For a positive integer n the gamma function is (n - 1)!.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has inf for 0 and for negative integers. Its derivative is `digamma`.
    
    >>> x = jgrad.tensor([1., 2., 5.])
    >>> jgrad.lgamma(x)
    tensor([0.0000, 0.0000, 3.1781])
    >>> jgrad.lgamma(x).exp().round(decimals=3)  # 0!, 1! and 4!
    tensor([ 1.,  1., 24.])
    """
@overload
def hermite_polynomial_h(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that physicists use, of degree n. With degree 2, for instance, it is `4 * x**2 - 2`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.hermite_polynomial_h(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-2.,  2., 14.])
    """
@overload
def hermite_polynomial_h(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that physicists use, of degree n. With degree 2, for instance, it is `4 * x**2 - 2`."""
@overload
def hermite_polynomial_h(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that physicists use, of degree n. With degree 2, for instance, it is `4 * x**2 - 2`."""
@overload
def hermite_polynomial_he(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that probability theory uses, of degree n. With degree 2, for instance, it is `x**2 - 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.hermite_polynomial_he(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-1.,  0.,  3.])
    """
@overload
def hermite_polynomial_he(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that probability theory uses, of degree n. With degree 2, for instance, it is `x**2 - 1`."""
@overload
def hermite_polynomial_he(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Hermite's polynomial, in the form that probability theory uses, of degree n. With degree 2, for instance, it is `x**2 - 1`."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its derivative is `special.i1`.
    
    >>> x = jgrad.tensor([0., 1.], requires_grad=True)
    >>> y = jgrad.i0(x)
    >>> y
    tensor([1.0000, 1.2661], grad_fn=<I0Backward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.0000, 0.5652])
    """
def i0e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, scaled: `i0(input) * exp(-abs(input))`. It stays finite where `i0` overflows.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([1., 100.])
    >>> jgrad.special.i0e(x)
    tensor([0.4658, 0.0399])
    >>> jgrad.special.i0(x)
    tensor([1.2661,    inf])
    """
def i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has the sign of the element.
    
    >>> jgrad.special.i1(jgrad.tensor([-1., 0., 1.]))
    tensor([-0.5652,  0.0000,  0.5652])
    """
def i1e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, scaled: `i1(input) * exp(-abs(input))`. It stays finite where `i1` overflows.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has the sign of the element.
    
    >>> x = jgrad.tensor([1., 100.])
    >>> jgrad.special.i1e(x)
    tensor([0.2079, 0.0397])
    >>> jgrad.special.i1(x)
    tensor([0.5652,    inf])
    """
@overload
def laguerre_polynomial_l(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n. With degree 2, for instance, it is `x**2 / 2 - 2 * x + 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.laguerre_polynomial_l(jgrad.tensor([0., 1., 2.]), 2)
    tensor([ 1.0000, -0.5000, -1.0000])
    """
@overload
def laguerre_polynomial_l(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n. With degree 2, for instance, it is `x**2 / 2 - 2 * x + 1`."""
@overload
def laguerre_polynomial_l(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Laguerre's polynomial of degree n. With degree 2, for instance, it is `x**2 / 2 - 2 * x + 1`."""
@overload
def legendre_polynomial_p(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n. With degree 2, for instance, it is `3 / 2 * x**2 - 1 / 2`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.legendre_polynomial_p(jgrad.tensor([0., 1., 2.]), 2)
    tensor([-0.5000,  1.0000,  5.5000])
    """
@overload
def legendre_polynomial_p(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n. With degree 2, for instance, it is `3 / 2 * x**2 - 1 / 2`."""
@overload
def legendre_polynomial_p(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Legendre's polynomial of degree n. With degree 2, for instance, it is `3 / 2 * x**2 - 1 / 2`."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`log(1 + input)`, element by element. It stays accurate near 0, where `1 + input` would be rounded to 1.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default float dtype
    
    Returns a new tensor. The result at -1 is -inf, that below -1 is nan.
    
    >>> x = jgrad.tensor([1e-9])
    >>> jgrad.log(1 + x)
    tensor([0.])
    >>> jgrad.log1p(x)
    tensor([1.0000e-09])
    """
def log_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the normal distribution function `special.ndtr`. It is exact also where the probability is too small for a float.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its elements are at most 0.
    
    >>> x = jgrad.tensor([0., -20.])
    >>> jgrad.special.log_ndtr(x)
    tensor([  -0.6931, -203.9172])
    >>> jgrad.special.ndtr(x).log()
    tensor([-0.6931,    -inf])
    """
def log_softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
    """The logarithm of softmax along a dimension. It is more exact than `log(softmax(input, dim))`, and does not overflow.
    
    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the exponentials of the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.
    
    >>> x = jgrad.tensor([1000., 0.])
    >>> jgrad.log_softmax(x, dim=0)
    tensor([    0., -1000.])
    >>> jgrad.log(jgrad.softmax(x, dim=0))
    tensor([0., -inf])
    """
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """`log(input / (1 - input))`, element by element: the inverse of `sigmoid`. It is also `special.logit`.
    
    Args:
        input: a tensor of real numbers; integers and bools are converted to the default float dtype; without `eps`
            a value less than 0 or greater than 1 gives nan
        eps: if given, `input` is first clamped to lie between `eps` and `1 - eps`; this avoids infinite results
    
    Returns a new tensor. With `eps`, elements that are not between these limits have the gradient 0.
    
    >>> jgrad.logit(jgrad.tensor([0., 0.5, 1.]))
    tensor([-inf, 0., inf])
    >>> x = jgrad.tensor([0., 0.5], requires_grad=True)
    >>> jgrad.logit(x, eps=0.25).sum().backward()
    >>> x.grad
    tensor([0., 4.])
    """
def logsumexp(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of the exponentials of the elements, over some dimensions. Large elements do not overflow.
    
    Args:
        input: a tensor of any shape; integers and bools are converted to the default dtype
        dim: a dimension, or a tuple of dimensions, to sum over
        keepdim: if True, the dimensions that are summed over stay in the shape, with size 1
    
    Returns a new tensor. Its gradient with respect to `input` is the softmax of `input`.
    
    >>> x = jgrad.tensor([1000., 1000.], requires_grad=True)
    >>> jgrad.exp(x).sum().log()
    tensor(inf, grad_fn=<LogBackward0>)
    >>> jgrad.logsumexp(x, dim=0).backward()
    >>> x.grad
    tensor([0.5000, 0.5000])
    """
def modified_bessel_i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0. `special.i0` is the same with a gradient.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.modified_bessel_i0(jgrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
def modified_bessel_i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1. `special.i1` is the same with a gradient.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.modified_bessel_i1(jgrad.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
def modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0. It is inf at 0, and nan for negative numbers.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.modified_bessel_k0(jgrad.tensor([0., 1.]))
    tensor([   inf, 0.4210])
    """
def modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1. It is inf at 0, and nan for negative numbers.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.modified_bessel_k1(jgrad.tensor([0., 1.]))
    tensor([   inf, 0.6019])
    """
def multigammaln(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the multivariate gamma function of p dimensions.
    
    It is the sum of `lgamma(input - j / 2)` for j from 0 to p - 1, and a constant: `p * (p - 1) / 4 * log(pi)`.
    
    Args:
        input: a tensor of real numbers, greater than (p - 1) / 2; integers and bools give results of the default dtype
        p: the number of dimensions, an int, at least 1
    
    Returns a new tensor.
    
    >>> x = jgrad.tensor([3., 4.])
    >>> jgrad.mvlgamma(x, 1)  # lgamma
    tensor([0.6931, 1.7918])
    >>> jgrad.mvlgamma(x, 2)
    tensor([1.5502, 3.5651])
    """
def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The distribution function of the standard normal distribution: the probability of a value less than the element.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Its elements are between 0 and 1.
    
    >>> jgrad.special.ndtr(jgrad.tensor([-1., 0., 1.]))
    tensor([0.1587, 0.5000, 0.8413])
    """
def ndtri(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the normal distribution function `special.ndtr`: the number below which a value is with this probability.
    
    Args:
        input: a tensor of probabilities; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for 0, inf for 1, and nan for numbers outside of this range.
    
    >>> jgrad.special.ndtri(jgrad.tensor([0., 0.5, 0.975, 1.]))
    tensor([  -inf, 0.0000, 1.9600,    inf])
    """
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of the digamma function. With n = 0 it is `digamma` itself.
    
    Args:
        n: an int, at least 0
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. Raises RuntimeError if n is negative. As a method it is called without `input`: `tensor.polygamma(n)`.
    
    >>> jgrad.polygamma(1, jgrad.tensor([1.]))  # pi * pi / 6
    tensor([1.6449])
    """
def psi(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The digamma function: the derivative of `lgamma`.
    
    Args:
        input: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has -inf for 0 and nan for negative integers.
    
    >>> x = jgrad.tensor([1., 2.], requires_grad=True)
    >>> jgrad.lgamma(x).sum().backward()
    >>> x.grad
    tensor([-0.5772,  0.4228])
    >>> jgrad.digamma(x.detach())  # the same; the second is greater by 1
    tensor([-0.5772,  0.4228])
    """
def round(input: Tensor, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """The elements rounded to the nearest number with so many decimals. A number in the middle between two is rounded to the even one.
    It is `jgrad.round`.
    
    Args:
        input: a tensor of floating point numbers
        decimals: how many digits behind the point stay; a negative number rounds to tens, hundreds, ...
    
    Returns a new tensor. The gradient is 0 everywhere.
    
    >>> jgrad.special.round(jgrad.tensor([0.5, 1.5, 2.6]))
    tensor([0., 2., 3.])
    >>> jgrad.special.round(jgrad.tensor([149., 151.]), decimals=-2)
    tensor([100., 200.])
    """
def scaled_modified_bessel_k0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The scaled function `modified_bessel_k0(x) * exp(x)`. It is inf at 0, and nan for negative numbers.
    
    Args:
        x: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.scaled_modified_bessel_k0(jgrad.tensor([0., 1.]))
    tensor([   inf, 1.1445])
    """
def scaled_modified_bessel_k1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The scaled function `modified_bessel_k1(x) * exp(x)`. It is inf at 0, and nan for negative numbers.
    
    Args:
        x: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.scaled_modified_bessel_k1(jgrad.tensor([0., 1.]))
    tensor([   inf, 1.6362])
    """
@overload
def shifted_chebyshev_polynomial_t(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `8 * x**2 - 8 * x + 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.shifted_chebyshev_polynomial_t(jgrad.tensor([0., 1., 2.]), 2)
    tensor([ 1.,  1., 17.])
    """
@overload
def shifted_chebyshev_polynomial_t(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `8 * x**2 - 8 * x + 1`."""
@overload
def shifted_chebyshev_polynomial_t(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the first kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `8 * x**2 - 8 * x + 1`."""
@overload
def shifted_chebyshev_polynomial_u(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 16 * x + 3`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.shifted_chebyshev_polynomial_u(jgrad.tensor([0., 1., 2.]), 2)
    tensor([ 3.,  3., 35.])
    """
@overload
def shifted_chebyshev_polynomial_u(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 16 * x + 3`."""
@overload
def shifted_chebyshev_polynomial_u(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the second kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 16 * x + 3`."""
@overload
def shifted_chebyshev_polynomial_v(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 20 * x + 5`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.shifted_chebyshev_polynomial_v(jgrad.tensor([0., 1., 2.]), 2)
    tensor([ 5.,  1., 29.])
    """
@overload
def shifted_chebyshev_polynomial_v(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 20 * x + 5`."""
@overload
def shifted_chebyshev_polynomial_v(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the third kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 20 * x + 5`."""
@overload
def shifted_chebyshev_polynomial_w(x: Tensor, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 12 * x + 1`.
    
    Args:
        x: where to evaluate the polynomial, a tensor or a number; integers and bools give results of the default dtype
        n: the degree, a tensor or a number; fractions are cut off, and a negative degree gives 0
    
    Returns a new tensor. One of the two must be a tensor, and their shapes are broadcast. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.shifted_chebyshev_polynomial_w(jgrad.tensor([0., 1., 2.]), 2)
    tensor([ 1.,  5., 41.])
    """
@overload
def shifted_chebyshev_polynomial_w(x: Number, n: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 12 * x + 1`."""
@overload
def shifted_chebyshev_polynomial_w(x: Tensor, n: Number, *, out: Tensor | None = None) -> Tensor:
    """Chebyshev's polynomial of the fourth kind, taken at 2 * x - 1, of degree n. With degree 2, for instance, it is `16 * x**2 - 12 * x + 1`."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The normalized sinc function `sin(pi * input) / (pi * input)`. It is 1 where the element is 0.
    
    Args:
        input: a tensor of real or complex numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. The gradient at 0 is 0.
    
    >>> x = jgrad.tensor([0., 0.5, 1.5], requires_grad=True)
    >>> y = jgrad.sinc(x)
    >>> y
    tensor([ 1.0000,  0.6366, -0.2122], grad_fn=<SincBackward0>)
    >>> y[0].backward()
    >>> x.grad[0]
    tensor(0.)
    """
def softmax(input: Tensor, dim: _int, dtype: _dtype | _type | None = None) -> Tensor:
    """The exponentials of the elements, divided by their sum along a dimension: positive numbers that add up to 1. No element overflows.
    
    Args:
        input: a tensor of any shape, with a floating dtype (or give a `dtype`)
        dim: the dimension along which the results add up to 1
        dtype: the elements are converted to this dtype first; None keeps that of `input`
    
    Returns a new tensor with the shape of `input`. Raises NotImplementedError for integers if there is no `dtype`.
    
    >>> jgrad.softmax(jgrad.tensor([[0., 0.], [1000., 0.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    """
def spherical_bessel_j0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The spherical Bessel function of order 0: `sin(x) / x`. It is 1 at 0.
    
    Args:
        x: a tensor of real numbers; integers and bools give results of the default dtype
    
    Returns a new tensor. It has no gradient: the result never requires grad.
    
    >>> jgrad.special.spherical_bessel_j0(jgrad.tensor([0., 1.]))
    tensor([1.0000, 0.8415])
    """
@overload
def xlog1py(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product `input * log(1 + other)`. It is 0 where `input` is 0, also if the logarithm is infinite or nan; it is nan where `other` is nan.
    
    Args:
        input: the factor, a tensor or a number
        other: a tensor or a number; one of the two must be a tensor, and their shapes are broadcast
        self: the name of `input` where it is a number
    
    Returns a new tensor. Integers and bools give results of the default dtype.
    
    >>> jgrad.special.xlog1py(jgrad.tensor([0., 2., 2.]), jgrad.tensor([-1., 0., -1.]))
    tensor([0., 0., -inf])
    """
@overload
def xlog1py(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product `input * log(1 + other)`. It is 0 where `input` is 0, also if the logarithm is infinite or nan; it is nan where `other` is nan."""
@overload
def xlog1py(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """The product `input * log(1 + other)`. It is 0 where `input` is 0, also if the logarithm is infinite or nan; it is nan where `other` is nan."""
@overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    
    Args:
        input: a tensor of real numbers, or a number if `other` is a tensor
        other: a tensor of real numbers that broadcasts with `input`, or a number if `input` is a tensor
    
    Returns a new tensor with the broadcast shape. Integers give the default float dtype. The gradient of `input` is 0 where `input` is 0 and
    `other` is not positive.
    
    >>> p = jgrad.tensor([0., 1.])
    >>> p * jgrad.log(p)
    tensor([nan, 0.])
    >>> jgrad.xlogy(p, p)
    tensor([0., 0.])
    """
@overload
def xlogy(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    """
@overload
def xlogy(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, element by element. It is 0 where `input` is 0, even if `other` is 0, but nan where `other` is nan. It is also
    `special.xlogy`.
    """
@overload
def zeta(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of `(other + k) ** -input` over k = 0, 1, 2, ... With `other` 1 it is Riemann's zeta function.
    
    Args:
        input: the exponent, a tensor or a number, greater than 1
        other: where the sum begins, a tensor or a number; one of the two must be a tensor, and their shapes are broadcast
        self: the name of `input` where it is a number
    
    Returns a new tensor. It has inf where `input` is 1, and nan where it is less. Only `other` has a
    gradient: where `input` requires grad, backward raises NotImplementedError.
    
    >>> jgrad.special.zeta(jgrad.tensor([2., 4.]), 1)  # pi ** 2 / 6 and pi ** 4 / 90
    tensor([1.6449, 1.0823])
    """
@overload
def zeta(self: Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of `(other + k) ** -input` over k = 0, 1, 2, ... With `other` 1 it is Riemann's zeta function."""
@overload
def zeta(input: Tensor, other: Number, *, out: Tensor | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of `(other + k) ** -input` over k = 0, 1, 2, ... With `other` 1 it is Riemann's zeta function."""
