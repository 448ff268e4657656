"""The Python functions of `jgrad.nn.functional`: normalizations."""

from __future__ import annotations

import math
from typing import Any

import jgrad
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
    """Normalizes each sample over its last dimensions: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.

    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which mean and variance are computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        bias: is added to each element of a sample, of shape `normalized_shape`; None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero

    Returns a new tensor with the shape of `input`.

    The variance is the mean of the squared differences (it divides by n, not by n - 1). Mean and variance depend on `input`, and the gradient
    flows through them: without `weight` the gradient of `input` sums to 0 for each sample.

    >>> x = jgrad.tensor([[1., 3.], [10., 30.]])
    >>> jgrad.nn.functional.layer_norm(x, (2,), eps=0.)
    tensor([[-1.,  1.],
            [-1.,  1.]])
    """
    return jgrad.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divides each sample by its root mean square over the last dimensions; then times `weight`. No mean is subtracted.

    Args:
        input: a tensor with a floating point dtype, whose shape ends with `normalized_shape`
        normalized_shape: the sizes of the dimensions over which the mean of the squares is computed, as a tuple or list
        weight: a factor for each element of a sample, of shape `normalized_shape`; None stands for ones
        eps: a small number that is added to the mean square; None stands for `finfo(dtype).eps`

    Returns a new tensor with the shape of `input`.

    >>> x = jgrad.tensor([[1., 7.], [10., 70.]])
    >>> jgrad.nn.functional.rms_norm(x, (2,))
    tensor([[0.2000, 1.4000],
            [0.2000, 1.4000]])
    """
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
    In training both are computed from the batch; otherwise the running statistics are used.

    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        running_mean: the running means, of shape (C,); in training they are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,); in training they are updated in place. None, if none are kept
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        training: whether to use the statistics of the batch, and to update the running ones
        momentum: how far the running statistics move towards those of the batch: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero

    Returns a new tensor with the shape of `input`.

    The batch's own variance divides by n, the one for `running_var` by n - 1. In training the gradient flows through mean and variance, so
    each sample's gradient depends on the others. Raises ValueError in training if there is only one value per channel.

    >>> x = jgrad.tensor([[1., 0.], [3., 8.]])
    >>> mean, var = jgrad.zeros(2), jgrad.ones(2)
    >>> jgrad.nn.functional.batch_norm(x, mean, var, training=True, momentum=0.5, eps=1e-12)
    tensor([[-1., -1.],
            [ 1.,  1.]])
    >>> mean, var
    (tensor([1., 2.]), tensor([ 1.5000, 16.5000]))
    """
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
    """Normalizes each channel of each sample by itself: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.

    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        running_mean: the running means, of shape (C,), which are updated in place. None, if none are kept
        running_var: the running variances, of shape (C,), which are updated in place. None, if none are kept
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        use_input_stats: whether to use the statistics of `input`; otherwise the running ones are used and not changed
        momentum: how far the running statistics move towards those of `input`: 0 leaves them, 1 replaces them
        eps: a small number that is added to the variance, so that nothing is divided by zero

    Returns a new tensor with the shape of `input`.

    Raises ValueError if mean and variance would be those of a single value.

    >>> x = jgrad.tensor([[[1., 3.], [10., 30.]]])
    >>> jgrad.nn.functional.instance_norm(x, eps=0.)
    tensor([[[-1.,  1.],
             [-1.,  1.]]])
    """
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
    """Normalizes groups of channels of each sample: subtracts the mean, divides by the standard deviation; then times `weight`, plus `bias`.

    Args:
        input: a tensor of shape (N, C, ...) with a floating point dtype; dimension 1 holds the channels
        num_groups: the number of groups, by which C must be divisible; 1 normalizes each sample, C each channel of each sample
        weight: a factor for each channel, of shape (C,); None stands for ones
        bias: is added to each channel, of shape (C,); None stands for zeros
        eps: a small number that is added to the variance, so that nothing is divided by zero

    Returns a new tensor with the shape of `input`.

    >>> x = jgrad.tensor([[1., 3., 10., 30.]])
    >>> jgrad.nn.functional.group_norm(x, 2, eps=0.)
    tensor([[-1.,  1., -1.,  1.]])
    """
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
    """Divides each element by `(k + alpha * m) ** beta`, where m is the mean of the squares of the `size` channels around it.

    Args:
        input: a tensor of shape (N, C, ...) with at least three dimensions; dimension 1 holds the channels
        size: the number of channels of which the mean is computed; channels outside the tensor count as 0
        alpha: the factor of the mean
        beta: the power
        k: the number that is added, so that nothing is divided by zero

    Returns a new tensor with the shape of `input`; with no elements it returns `input` itself.

    >>> x = jgrad.tensor([[[1.], [2.]]])
    >>> jgrad.nn.functional.local_response_norm(x, size=1, alpha=1.0, beta=1.0, k=0.0)
    tensor([[[1.0000],
             [0.5000]]])
    """
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
    """Divides vectors by their norm, so that they have the length 1. The vectors lie along a dimension.

    Args:
        input: a tensor with a floating point or complex dtype
        p: the norm: 2 is the usual length, 1 the sum of the absolute values
        dim: the dimension along which the vectors lie; negative numbers count from the last one
        eps: shorter vectors are divided by this number instead
        out: a tensor that takes the result; then no gradient is possible

    Returns a new tensor with the shape of `input`, or `out`.

    >>> jgrad.nn.functional.normalize(jgrad.tensor([[3., 4.], [0., 0.]]), dim=1)
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])
    >>> jgrad.nn.functional.normalize(jgrad.tensor([[1., 3.]]), p=1, dim=1)
    tensor([[0.2500, 0.7500]])
    """
    length = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / length.clamp_min(eps).expand_as(input)
    return jgrad.div(input, length.clamp_min_(eps).expand_as(input), out=out)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
