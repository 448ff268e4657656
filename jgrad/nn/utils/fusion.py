"""Batch normalization as a part of the layer before it, for evaluation; `torch.nn.utils.fusion`."""

from __future__ import annotations

import copy
from typing import Any

import jgrad
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Make one convolution that computes what a convolution and a batch normalization after it compute together.

    It is for evaluation, where the mean and variance of the normalization are constants.

    Args:
        conv: the convolution, in evaluation mode; it is not changed
        bn: the batch normalization, in evaluation mode, with running statistics
        transpose: whether the convolution is a transposed one

    Returns a new convolution. Raises AssertionError if one of the two is in training mode.

    >>> conv, bn = jgrad.nn.Conv1d(2, 3, 1).eval(), jgrad.nn.BatchNorm1d(3).eval()
    >>> fused = jgrad.nn.utils.fuse_conv_bn_eval(conv, bn)
    >>> x = jgrad.ones(1, 2, 5)
    >>> jgrad.allclose(fused(x), bn(conv(x)), atol=1e-5)
    True
    """
    fused = _copied(conv, bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight,
        fused.bias,
        *_statistics(bn),
        transpose,
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a convolution whose result is already normalized: a convolution and a batch normalization after it in one.

    Args:
        conv_w: the weight of the convolution
        conv_b: the bias of the convolution; None means zeros
        bn_rm: the running mean of the batch normalization
        bn_rv: the running variance of the batch normalization
        bn_eps: what is added to the variance
        bn_w: the weight of the batch normalization; None means ones
        bn_b: the bias of the batch normalization; None means zeros
        transpose: whether the convolution is a transposed one

    Returns two new Parameters: the weight `conv_w * bn_w / sqrt(bn_rv + bn_eps)` and the bias that belongs to it.

    >>> mean, variance = jgrad.tensor([1.]), jgrad.tensor([4.])
    >>> weight, bias = jgrad.nn.utils.fuse_conv_bn_weights(jgrad.ones(1, 1, 2), jgrad.tensor([5.]), mean, variance, 0., None, None)
    >>> weight, bias  # 1 / sqrt(4) and (5 - 1) / sqrt(4)
    (Parameter containing:
    tensor([[[0.5000, 0.5000]]]), Parameter containing:
    tensor([2.]))
    """
    bias_dtype = conv_w.dtype if conv_b is None else conv_b.dtype
    bias = jgrad.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = jgrad.ones_like(bn_rm) if bn_w is None else bn_w
    shift = jgrad.zeros_like(bn_rm) if bn_b is None else bn_b
    inverse = jgrad.rsqrt(bn_rv + bn_eps)
    shape = [1] * conv_w.dim()
    shape[1 if transpose else 0] = -1
    weight = (conv_w * (scale * inverse).reshape(shape)).to(dtype=conv_w.dtype)
    shifted = ((bias - bn_rm) * inverse * scale + shift).to(dtype=bias_dtype)
    return Parameter(weight, conv_w.requires_grad), Parameter(shifted, bias.requires_grad)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Make one linear layer that computes what a linear layer and a batch normalization after it compute together.

    It is for evaluation, where the mean and variance of the normalization are constants.

    Args:
        linear: the linear layer, in evaluation mode; it is not changed
        bn: the batch normalization, in evaluation mode, with running statistics; its number of features is 1 or that of the result of `linear`

    Returns a new linear layer. Raises AssertionError if one of the two is in training mode, or if the numbers of features do not fit.

    >>> linear, bn = jgrad.nn.Linear(2, 3).eval(), jgrad.nn.BatchNorm1d(3).eval()
    >>> fused = jgrad.nn.utils.fuse_linear_bn_eval(linear, bn)
    >>> x = jgrad.ones(5, 2)
    >>> jgrad.allclose(fused(x), bn(linear(x)), atol=1e-5)
    True
    """
    fused = _copied(linear, bn)
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    fused.weight, fused.bias = fuse_linear_bn_weights(fused.weight, fused.bias, *_statistics(bn))
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor,
    bn_b: Tensor,
) -> tuple[Parameter, Parameter]:
    """The weight and bias of a linear layer whose result is already normalized: a linear layer and a batch normalization after it in one.

    Args:
        linear_w: the weight of the linear layer
        linear_b: the bias of the linear layer; None means zeros
        bn_rm: the running mean of the batch normalization
        bn_rv: the running variance of the batch normalization
        bn_eps: what is added to the variance
        bn_w: the weight of the batch normalization
        bn_b: the bias of the batch normalization

    Returns two new Parameters: the weight `linear_w * bn_w / sqrt(bn_rv + bn_eps)`, row by row, and the bias that belongs to it.

    >>> mean, variance, one = jgrad.tensor([1.]), jgrad.tensor([4.]), jgrad.ones(1)
    >>> weight, bias = jgrad.nn.utils.fuse_linear_bn_weights(jgrad.ones(1, 2), jgrad.tensor([5.]), mean, variance, 0., one, one)
    >>> weight, bias  # 1 / sqrt(4) and (5 - 1) / sqrt(4) + 1
    (Parameter containing:
    tensor([[0.5000, 0.5000]]), Parameter containing:
    tensor([3.]))
    """
    bias_dtype = linear_w.dtype if linear_b is None else linear_b.dtype
    bias = jgrad.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * jgrad.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(dtype=linear_w.dtype)
    shifted = ((bias - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return Parameter(weight, linear_w.requires_grad), Parameter(shifted, bias.requires_grad)


def _copied(layer: Any, bn: Any) -> Any:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    return copy.deepcopy(layer)


def _statistics(bn: Any) -> tuple:
    """What a batch normalization does to its input."""
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
