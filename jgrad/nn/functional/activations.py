"""The Python functions of `jgrad.nn.functional`: activations."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import warn
from jgrad.dispatch import TABLE
from jgrad.ops import activation
from jgrad.tensor import Tensor


def _inplace(name: str, *args: Any) -> Tensor:
    """An operation into its first argument."""
    return TABLE[name].call_inplace(args, {})


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element where it is positive, 0 elsewhere.

    Args:
        input: a tensor of any shape with a real dtype other than bool
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient is 1 where `input` is positive and 0 elsewhere, at 0 too.

    >>> x = jgrad.tensor([-2., 0., 3.], requires_grad=True)
    >>> y = jgrad.nn.functional.relu(x)
    >>> y.detach()
    tensor([0., 0., 3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
    return jgrad.relu_(input) if inplace else jgrad.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element, clamped to the range from 0 to 6.

    Args:
        input: a tensor of any shape
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient is 1 strictly between 0 and 6, and 0 elsewhere.

    >>> jgrad.nn.functional.relu6(jgrad.tensor([-2., 3., 8.]))
    tensor([0., 3., 6.])
    """
    return _clamped(input, 0, 6, inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element, clamped to the range from `min_val` to `max_val`.

    Args:
        input: a tensor of any shape
        min_val: the smallest value of the result
        max_val: the largest value of the result
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient is 1 strictly between the two limits, and 0 elsewhere. (The gradient of `clamp` is 1 at the limits too.)
    Raises ValueError if `min_val` is above `max_val`.

    >>> x = jgrad.tensor([-2., 0.5, 1.], requires_grad=True)
    >>> y = jgrad.nn.functional.hardtanh(x)
    >>> y.detach()
    tensor([-1.0000,  0.5000,  1.0000])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0., 1., 0.])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _clamped(input, min_val, max_val, inplace)


def _clamped(input: Tensor, low: float, high: float, inplace: bool) -> Tensor:
    return (activation.hardtanh_ if inplace else activation.hardtanh)(input, low, high)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between, 1 from 3 on.

    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient is 1/6 strictly between -3 and 3, and 0 elsewhere.

    >>> jgrad.nn.functional.hardsigmoid(jgrad.tensor([-4., 0., 1.5, 4.]))
    tensor([0.0000, 0.5000, 0.7500, 1.0000])
    """
    return _inplace("hardsigmoid", input) if inplace else activation.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its `hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between, `input` from 3 on.

    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    >>> jgrad.nn.functional.hardswish(jgrad.tensor([0., 1.5, 4.]))
    tensor([0.0000, 1.1250, 4.0000])
    """
    return _inplace("hardswish", input) if inplace else activation.hardswish(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its sigmoid: `input * sigmoid(input)`. It is also called swish.

    Args:
        input: a tensor of any shape with a floating point or complex dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    >>> x = jgrad.tensor([0., 100.], requires_grad=True)
    >>> y = jgrad.nn.functional.silu(x)
    >>> y.detach()
    tensor([  0., 100.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """
    return _inplace("silu", input) if inplace else activation.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`.

    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    >>> jgrad.nn.functional.mish(jgrad.tensor([0., 100.]))
    tensor([  0., 100.])
    """
    return _inplace("mish", input) if inplace else activation.mish(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input) - 1)` elsewhere.

    Args:
        input: a tensor of any shape with a floating point dtype
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `alpha` is negative.

    >>> jgrad.nn.functional.elu(jgrad.tensor([-100., 0., 2.]), alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    """
    return (activation.elu_ if inplace else activation.elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` with fixed numbers: `scale * elu(input, alpha)` with `scale` = 1.0507 and `alpha` = 1.6733 (rounded).
    These two numbers keep the mean at 0 and the variance at 1 through many layers.

    Args:
        input: a tensor of any shape with a floating point dtype
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    >>> jgrad.nn.functional.selu(jgrad.tensor([-100., 0., 1.]))
    tensor([-1.7581,  0.0000,  1.0507])
    """
    return (jgrad.selu_ if inplace else jgrad.selu)(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere.
    For every `alpha` the slope is 1 on both sides of zero; `elu` has this for `alpha` = 1 only.

    Args:
        input: a tensor of any shape with a floating point dtype
        alpha: how far the result can go below zero: for large negative elements it approaches `-alpha`; must not be 0
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `alpha` is negative.

    >>> jgrad.nn.functional.celu(jgrad.tensor([-100., 0., 2.]), alpha=0.5)
    tensor([-0.5000,  0.0000,  2.0000])
    """
    return (jgrad.celu_ if inplace else jgrad.celu)(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `negative_slope * input` elsewhere.

    Args:
        input: a tensor of any shape with a floating point dtype
        negative_slope: the factor for elements that are not positive; it is also their gradient
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient of the in-place form is computed from the result, so `backward` raises RuntimeError there if `negative_slope` is negative.

    >>> x = jgrad.tensor([-2., 3.], requires_grad=True)
    >>> y = jgrad.nn.functional.leaky_relu(x, 0.5)
    >>> y.detach()
    tensor([-1.,  3.])
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """
    return (activation.leaky_relu_ if inplace else activation.leaky_relu)(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """`leaky_relu` with a random slope for each element that is not positive.
    In training the slopes are drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two.

    Args:
        input: a tensor of any shape with a floating point dtype
        lower: the smallest slope
        upper: the largest slope
        training: whether to draw random slopes
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    >>> jgrad.nn.functional.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75)
    tensor([-4.,  8.])
    >>> noisy = jgrad.nn.functional.rrelu(jgrad.tensor([-8., 8.]), lower=0.25, upper=0.75, training=True)
    >>> -6 <= noisy[0] <= -2
    tensor(True)
    """
    return (jgrad.rrelu_ if inplace else jgrad.rrelu)(input, lower, upper, training)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Each element where it is above `threshold`, `value` elsewhere.

    Args:
        input: a tensor of any shape
        threshold: elements above this number are kept
        value: the number that replaces the others
        inplace: True writes the result into `input`, which must not be a leaf that requires grad

    Returns a new tensor; with `inplace=True` it returns `input` itself.

    The gradient is 1 where the element was kept and 0 elsewhere.

    >>> jgrad.nn.functional.threshold(jgrad.tensor([1., 2., 3.]), 2, 0)
    tensor([0., 0., 3.])
    """
    return (jgrad.threshold_ if inplace else jgrad.threshold)(input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first goes through.

    Args:
        input: a tensor with a floating point dtype; the size of `dim` must be even
        dim: the dimension that is split in two halves; negative numbers count from the last one

    Returns a new tensor, in which the size of `dim` is half of that in `input`.

    >>> jgrad.nn.functional.glu(jgrad.tensor([4., 4., 4., 100., 0., -100.]))
    tensor([4., 2., 0.])
    """
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return activation.glu(input, dim)


def softsign(input: Tensor) -> Tensor:
    """`input / (1 + abs(input))`: a curve from -1 to 1 that is flatter than `tanh`.

    Args:
        input: a tensor of any shape

    Returns a new tensor.

    >>> jgrad.nn.functional.softsign(jgrad.tensor([-3., 0., 1.]))
    tensor([-0.7500,  0.0000,  0.5000])
    """
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """`input - tanh(input)`.

    Args:
        input: a tensor of any shape

    Returns a new tensor.

    >>> jgrad.nn.functional.tanhshrink(jgrad.tensor([-20., 0., 20.]))
    tensor([-19.,   0.,  19.])
    """
    return input - input.tanh()


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element, the same as `jgrad.tanh`. The results are between -1 and 1.

    Args:
        input: a tensor of any shape

    Returns a new tensor.

    >>> jgrad.nn.functional.tanh(jgrad.tensor([-20., 0., 20.]))
    tensor([-1.,  0.,  1.])
    """
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """`1 / (1 + exp(-input))`, the same as `jgrad.sigmoid`. The results are between 0 and 1.

    Args:
        input: a tensor of any shape

    Returns a new tensor.

    >>> jgrad.nn.functional.sigmoid(jgrad.tensor([-200., 0., 200.]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    return input.sigmoid()


def _softmax_dim(name: str, ndim: int) -> int:
    """The dimension that softmax takes if none is given, with a warning."""
    warn.say(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`exp(input)`, divided so that the elements along a dimension sum to 1. This turns scores into probabilities.

    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the results sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor with the shape of `input`.

    Each result depends on all elements along the dimension, so its gradient reaches all of them.

    >>> jgrad.nn.functional.softmax(jgrad.tensor([[0., 0.], [200., 0.]]), dim=1)
    tensor([[0.5000, 0.5000],
            [1.0000, 0.0000]])
    >>> x = jgrad.zeros(2, requires_grad=True)
    >>> jgrad.nn.functional.softmax(x, dim=0)[0].backward()
    >>> x.grad
    tensor([ 0.2500, -0.2500])
    """
    dim = _softmax_dim("softmax", input.dim()) if dim is None else dim
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The softmax of `-input`: the smallest elements get the largest probabilities.

    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the results sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor with the shape of `input`.

    >>> jgrad.nn.functional.softmin(jgrad.tensor([1., 1., 200.]), dim=0)
    tensor([0.5000, 0.5000, 0.0000])
    """
    dim = _softmax_dim("softmin", input.dim()) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of the softmax. It is more exact than `softmax(input).log()`, which gives -inf where the softmax is rounded to zero.

    Args:
        input: a tensor of any shape with a floating point dtype, or any real dtype if `dtype` is given
        dim: the dimension along which the probabilities sum to 1; None picks one and warns (dimension 0 for tensors of 0, 1 or 3 dimensions, else 1)
        dtype: the elements are converted to this dtype first; None keeps that of `input`

    Returns a new tensor with the shape of `input`.

    >>> scores = jgrad.tensor([200., 0.])
    >>> jgrad.nn.functional.log_softmax(scores, dim=0)
    tensor([   0., -200.])
    >>> jgrad.nn.functional.softmax(scores, dim=0).log()
    tensor([0., -inf])
    """
    dim = _softmax_dim("log_softmax", input.dim()) if dim is None else dim
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random sample of classes that gradients flow through: the softmax of `(logits + noise) / tau` with noise of the Gumbel distribution.
    The probability that a class gets the largest number is its softmax of `logits`.

    Args:
        logits: a tensor with a floating point dtype; `dim` holds the scores of the classes
        tau: the temperature; with a small one each sample is almost a one-hot vector
        hard: True gives one-hot vectors; the gradient is that of the softmax all the same
        eps: has no effect; any other number than the default gives a warning
        dim: the dimension of the classes; negative numbers count from the last one

    Returns a new tensor with the shape of `logits`, which sums to 1 along `dim`.

    >>> jgrad.nn.functional.gumbel_softmax(jgrad.tensor([0., 100., 0.]), hard=True)
    tensor([0., 1., 0.])
    >>> sample = jgrad.nn.functional.gumbel_softmax(jgrad.zeros(1000, 2), hard=True)
    >>> jgrad.equal(sample.sum(1), jgrad.ones(1000))
    True
    """
    if eps != 1e-10:
        warn.say("`eps` parameter is deprecated and has no effect.")
    noise = -jgrad.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = jgrad.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
