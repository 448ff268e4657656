"""The layers of einops as modules of jgrad: `from einops.layers.jgrad import Rearrange`, where a program for PyTorch has `einops.layers.torch`."""

from __future__ import annotations

from typing import Any

from einops.layers import RearrangeMixin, ReduceMixin
from einops.layers._einmix import _EinmixMixin

import jgrad
from jgrad.nn import Module, Parameter
from jgrad.tensor import Tensor

__all__ = ["EinMix", "Rearrange", "Reduce"]


class Rearrange(RearrangeMixin, Module):
    """`einops.rearrange` as a layer.

    >>> layer = Rearrange("b c h w -> b (c h w)")
    >>> layer(jgrad.zeros(2, 3, 4, 4)).shape
    jgrad.Size([2, 48])
    """

    def forward(self, input: Tensor) -> Tensor:
        return self._apply_recipe(input)


class Reduce(ReduceMixin, Module):
    """`einops.reduce` as a layer.

    >>> Reduce("b c (h 2) (w 2) -> b c h w", "max")(jgrad.zeros(2, 3, 4, 4)).shape
    jgrad.Size([2, 3, 2, 2])
    """

    def forward(self, input: Tensor) -> Tensor:
        return self._apply_recipe(input)


class EinMix(_EinmixMixin, Module):
    """A linear layer whose weight and dimensions are written as a pattern of einops.

    >>> layer = EinMix("b t c -> b t d", weight_shape="c d", bias_shape="d", c=3, d=5)
    >>> layer(jgrad.zeros(2, 4, 3)).shape
    jgrad.Size([2, 4, 5])
    """

    def _create_parameters(
        self, weight_shape: Any, weight_bound: float, bias_shape: Any, bias_bound: float
    ) -> None:
        self.weight = Parameter(jgrad.zeros(weight_shape).uniform_(-weight_bound, weight_bound))
        self.bias = bias_shape and Parameter(jgrad.zeros(bias_shape).uniform_(-bias_bound, bias_bound))

    def _create_rearrange_layers(
        self,
        pre_reshape_pattern: Any,
        pre_reshape_lengths: Any,
        post_reshape_pattern: Any,
        post_reshape_lengths: Any,
    ) -> None:
        self.pre_rearrange = pre_reshape_pattern and Rearrange(pre_reshape_pattern, **pre_reshape_lengths)
        self.post_rearrange = post_reshape_pattern and Rearrange(post_reshape_pattern, **post_reshape_lengths)

    def forward(self, x: Tensor) -> Tensor:
        if self.pre_rearrange is not None:
            x = self.pre_rearrange(x)
        result = jgrad.einsum(self.einsum_pattern, x, self.weight)
        if self.bias is not None:
            result = result.add_(self.bias)
        return result if self.post_rearrange is None else self.post_rearrange(result)
