"""The Python functions of `jgrad.nn.functional`: activations."""

from __future__ import annotations

from typing import Any

import jgrad
from jgrad import manual, warn
from jgrad.dispatch import TABLE
from jgrad.ops import activation
from jgrad.tensor import Tensor


def _inplace(name: str, *args: Any) -> Tensor:
    """An operation into its first argument."""
    return TABLE[name].call_inplace(args, {})


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element where it is positive, 0 elsewhere."""
    return jgrad.relu_(input) if inplace else jgrad.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element, clamped to the range from 0 to 6."""
    return _clamped(input, 0, 6, inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element, clamped to the range from `min_val` to `max_val`."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _clamped(input, min_val, max_val, inplace)


def _clamped(input: Tensor, low: float, high: float, inplace: bool) -> Tensor:
    return (activation.hardtanh_ if inplace else activation.hardtanh)(input, low, high)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A sigmoid made of three straight lines: 0 up to -3, `input / 6 + 1 / 2` between, 1 from 3 on."""
    return _inplace("hardsigmoid", input) if inplace else activation.hardsigmoid(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its `hardsigmoid`: 0 up to -3, `input * (input + 3) / 6` between, `input` from 3 on."""
    return _inplace("hardswish", input) if inplace else activation.hardswish(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times its sigmoid: `input * sigmoid(input)`. It is also called swish."""
    return _inplace("silu", input) if inplace else activation.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Each element times the hyperbolic tangent of its softplus: `input * tanh(softplus(input))`."""
    return _inplace("mish", input) if inplace else activation.mish(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input) - 1)` elsewhere."""
    return (activation.elu_ if inplace else activation.elu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` with fixed numbers: `scale * elu(input, alpha)` with `scale` = 1.0507 and `alpha` = 1.6733 (rounded).
    These two numbers keep the mean at 0 and the variance at 1 through many layers."""
    return (jgrad.selu_ if inplace else jgrad.selu)(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `alpha * (exp(input / alpha) - 1)` elsewhere.
    For every `alpha` the slope is 1 on both sides of zero; `elu` has this for `alpha` = 1 only."""
    return (jgrad.celu_ if inplace else jgrad.celu)(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Each element where it is positive, `negative_slope * input` elsewhere."""
    return (activation.leaky_relu_ if inplace else activation.leaky_relu)(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """`leaky_relu` with a random slope for each element that is not positive.
    In training the slopes are drawn uniformly between `lower` and `upper`; otherwise all have the mean of these two."""
    return (jgrad.rrelu_ if inplace else jgrad.rrelu)(input, lower, upper, training)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Each element where it is above `threshold`, `value` elsewhere."""
    return (jgrad.threshold_ if inplace else jgrad.threshold)(input, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along a dimension times the sigmoid of the second half. The second half decides how much of the first goes through."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return activation.glu(input, dim)


def softsign(input: Tensor) -> Tensor:
    """`input / (1 + abs(input))`: a curve from -1 to 1 that is flatter than `tanh`."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """`input - tanh(input)`."""
    return input - input.tanh()


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element, the same as `jgrad.tanh`. The results are between -1 and 1."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """`1 / (1 + exp(-input))`, the same as `jgrad.sigmoid`. The results are between 0 and 1."""
    return input.sigmoid()


def _softmax_dim(name: str, ndim: int) -> int:
    """The dimension that softmax takes if none is given, with a warning."""
    warn.say(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """`exp(input)`, divided so that the elements along a dimension sum to 1. This turns scores into probabilities."""
    dim = _softmax_dim("softmax", input.dim()) if dim is None else dim
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The softmax of `-input`: the smallest elements get the largest probabilities."""
    dim = _softmax_dim("softmin", input.dim()) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of the softmax. It is more exact than `softmax(input).log()`, which gives -inf where the softmax is rounded to zero."""
    dim = _softmax_dim("log_softmax", input.dim()) if dim is None else dim
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random sample of classes that gradients flow through: the softmax of `(logits + noise) / tau` with noise of the Gumbel distribution.
    The probability that a class gets the largest number is its softmax of `logits`."""
    if eps != 1e-10:
        warn.say("`eps` parameter is deprecated and has no effect.")
    noise = -jgrad.empty_like(logits, memory_format=jgrad.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = jgrad.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
