"""Initial values of weights, with PyTorch's numbers for the same seed; all write in place and give the tensor back."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jgrad
from jgrad import manual
from jgrad.graph import overriding
from jgrad.tensor import Tensor
from jgrad.warn import say

_LINEAR = (
    "linear",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "sigmoid",
)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which weights are multiplied so that an activation after them does not change the size of the signal from layer to layer."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity == "leaky_relu":
        if param is None:
            param = 0.01
        elif isinstance(param, bool) or not isinstance(param, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + param**2))
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with random numbers that are uniform in [a, b). It works in place and is not recorded by autograd."""
    with jgrad.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with random numbers of a normal distribution. It works in place and is not recorded by autograd."""
    with jgrad.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill a tensor with random numbers of a normal distribution that is cut off outside of [a, b]. Numbers outside are drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        say(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
        )
    low, high = ((math.erf((bound - mean) / std / math.sqrt(2.0)) + 1.0) / 2.0 for bound in (a, b))
    with jgrad.no_grad():
        if high - low > 0.3:
            least, most = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
            result = tensor.normal_(mean, std, generator=generator)
            while (outside := (result < least) | (result > most)).any():
                again = jgrad.empty_like(result).normal_(mean, std, generator=generator)
                result = jgrad.where(outside, again, result)
        else:  # hardly anything would fall inside: uniform numbers, accepted with the density's probability
            peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
            result = tensor.uniform_(a, b, generator=generator)
            pending, drawn = jgrad.ones_like(result, dtype=jgrad.bool), result.clone()
            while True:
                result = jgrad.where(pending, drawn, result)
                density = drawn.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
                chance = jgrad.empty_like(drawn).uniform_(generator=generator).log_()
                pending = pending & (chance > density)
                if not pending.any():
                    break
                drawn = jgrad.empty_like(drawn).uniform_(a, b, generator=generator)
        return tensor if result is tensor else tensor.copy_(result)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill a tensor with one value. It works in place and is not recorded by autograd."""
    with jgrad.no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill a tensor with ones. It works in place and is not recorded by autograd."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill a tensor with zeros. It works in place and is not recorded by autograd."""
    with jgrad.no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """Make a tensor the identity matrix: ones on the diagonal, zeros elsewhere. It works in place and is not recorded by autograd."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with jgrad.no_grad():
        return tensor.copy_(jgrad.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Make a tensor the weight of a convolution that passes its input on, channel by channel, for as many channels as possible."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups:
        raise ValueError("dim 0 must be divisible by groups")
    outputs = tensor.size(0) // groups
    center = tuple(extent // 2 for extent in tensor.shape[2:])
    with jgrad.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(outputs, tensor.size(1))):
                tensor[(group * outputs + channel, channel, *center)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs one output depends on, and how many outputs one input."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.size(1) * window, tensor.size(0) * window


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight with uniform random numbers of variance `gain^2 * 2 / (fan_in + fan_out)`. The bounds are plus and minus sqrt(3 * variance)."""
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight with normal random numbers of mean 0 and variance `gain^2 * 2 / (fan_in + fan_out)`."""
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return normal_(tensor, 0.0, std, generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float | None:
    if 0 in tensor.shape:
        say("Initializing zero-element tensors is a no-op")
        return None
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill a weight with uniform random numbers of variance `gain^2 / fan`, so that signals keep their size from layer to layer."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill a weight with normal random numbers of mean 0 and variance `gain^2 / fan`, so that signals keep their size from layer to layer."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0, std, generator)


def bias_like_weight_(bias: Tensor | None, weight: Tensor) -> None:
    """Fill the bias of a layer with uniform random numbers between -1 / sqrt(fan_in) and 1 / sqrt(fan_in). Layers use it for their initial bias."""
    if bias is not None:
        fan_in, _ = _calculate_fan_in_and_fan_out(weight)
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        uniform_(bias, -bound, bound)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill a matrix with random numbers so that its rows, or its columns if it has more rows than columns, are orthogonal and of norm 1."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    with jgrad.no_grad():
        drawn = tensor.new_empty((rows, tensor.numel() // rows)).normal_(0, 1, generator=generator)
        wide = drawn.size(0) < drawn.size(1)
        q, r = jgrad.linalg.qr(drawn.t() if wide else drawn)
        q = q * r.diag().sign()
        return tensor.copy_((q.t() if wide else q).reshape(tensor.shape)).mul_(gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal random numbers of mean 0, and set a part of each column to zero. It works in place and is not recorded by autograd."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with jgrad.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[jgrad.randperm(rows)[:zeros], column] = 0
    return tensor


# PyTorch asks about these.
overriding.offer(globals(), ("constant_", "kaiming_uniform_", "normal_", "uniform_"))
manual.attach(__name__)


def _older(current: Callable) -> Callable:
    """The function without the underscore at the end of its name, which gives a FutureWarning."""
    old = current.__name__[:-1]

    @functools.wraps(current)
    def older(*args: Any, **kwargs: Any) -> Any:
        say(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.", FutureWarning)
        return current(*args, **kwargs)

    older.__name__ = older.__qualname__ = old
    explained = str(current.__doc__).replace(f"init.{old}_(", f"init.{old}(")
    older.__doc__ = f"The older name of `{old}_`. It gives a FutureWarning.\n\n{explained}"
    return older


uniform, normal, constant, eye, dirac = map(_older, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = map(_older, (xavier_uniform_, xavier_normal_))
kaiming_uniform, kaiming_normal = map(_older, (kaiming_uniform_, kaiming_normal_))
orthogonal, sparse = map(_older, (orthogonal_, sparse_))
