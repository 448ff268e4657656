"""The Python functions of `jgrad.nn.functional`: normalizations."""

from __future__ import annotations

import math
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn.functional.windows import pad
from jgrad.ops.pooling import avg_pool2d, avg_pool3d
from jgrad.tensor import Tensor


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each sample over its last dimensions: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    return jgrad.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides each sample by its root mean square over the last dimensions; then times `weight`. No mean is subtracted."""
    return jgrad.rms_norm(input, normalized_shape, weight, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel over the batch: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.
    In training both are computed from the batch; otherwise the running statistics are used."""
    if training:
        size = input._a.shape
        if size[0] * math.prod(size[2:]) == 1:
            raise ValueError(
                f"Expected more than 1 value per channel when training, got input size {input.size()}"
            )
    if training and eps <= 0.0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return jgrad.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes each channel of each sample by itself: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    if use_input_stats and math.prod(input._a.shape[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return jgrad.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalizes groups of channels of each sample: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    shape = input._a.shape
    size = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return jgrad.group_norm(input, num_groups, weight, bias, eps, False)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it."""
    if input.dim() < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.dim()} dimensions)"
        )
    if input.numel() == 0:
        return input
    square = input.mul(input)
    if input.dim() == 3:
        padded = pad(square.unsqueeze(1), (0, 0, size // 2, (size - 1) // 2))
        around = avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input._a.shape
        flat = square.view((sizes[0], 1, sizes[1], sizes[2], -1))
        padded = pad(flat, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        around = avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(sizes)
    return input / around.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Divides vectors by their norm, so that they have the length 1. The vectors lie along a dimension."""
    length = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / length.clamp_min(eps).expand_as(input)
    return jgrad.div(input, length.clamp_min_(eps).expand_as(input), out=out)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]


manual.attach(__name__)
