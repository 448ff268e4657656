"""Batch normalization as a part of the layer before it, for evaluation; `torch.nn.utils.fusion`."""

from __future__ import annotations

import copy
from typing import Any

import jgrad
from jgrad import manual
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Make one convolution that computes what a convolution and a batch normalization after it compute together."""
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
    """The weight and bias of a convolution whose result is already normalized: a convolution and a batch normalization after it in one."""
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
    """Make one linear layer that computes what a linear layer and a batch normalization after it compute together."""
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
    """The weight and bias of a linear layer whose result is already normalized: a linear layer and a batch normalization after it in one."""
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


manual.attach(__name__)
