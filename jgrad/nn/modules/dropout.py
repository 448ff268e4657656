"""Layers that drop elements or channels at random in training."""

from __future__ import annotations

from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn.modules.module import Module
from jgrad.tensor import Tensor


class _DropoutNd(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Sets elements to zero at random, each with probability `p`, and multiplies the others by 1 / (1 - p). So the expected value stays the same.

    It does so in training mode only. After `model.eval()` it returns its input unchanged.

    Args:
        p: the probability that an element becomes zero, between 0 and 1
        inplace: whether the result is written into the input

    Returns, when called, a tensor with the shape of the input: a new one, or in evaluation mode or with `inplace` the input itself.

    >>> layer = jgrad.nn.Dropout(0.5)
    >>> kept = layer(jgrad.ones(1000))
    >>> kept.unique()  # dropped, and 1 / (1 - p)
    tensor([0., 2.])
    >>> layer.eval()(jgrad.ones(3))
    tensor([1., 1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Sets whole channels of sequences to zero at random, each with probability `p`, and multiplies the others by 1 / (1 - p).

    It does so in training mode only. After `model.eval()` it returns its input unchanged.

    Args:
        p: the probability that a channel becomes zero, between 0 and 1
        inplace: whether the result is written into the input

    Returns, when called, a tensor with the shape of the input, which is `(N, C, L)` or `(C, L)`. With `inplace` it is the input itself.

    >>> layer = jgrad.nn.Dropout1d(0.5)
    >>> dropped = layer(jgrad.ones(1, 100, 5)) == 0
    >>> bool((dropped.all(-1) == dropped.any(-1)).all())  # all of a channel, or nothing of it
    True
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Sets whole channels of images to zero at random, each with probability `p`, and multiplies the others by 1 / (1 - p).

    It does so in training mode only. After `model.eval()` it returns its input unchanged. Neighbouring pixels are often alike, so to drop single
    ones would have little effect.

    Args:
        p: the probability that a channel becomes zero, between 0 and 1
        inplace: whether the result is written into the input

    Returns, when called, a tensor with the shape of the input, which is `(N, C, H, W)`. With `inplace` it is the input itself.

    >>> layer = jgrad.nn.Dropout2d(0.5)
    >>> means = layer(jgrad.ones(1, 100, 4, 4)).mean((2, 3))  # of each channel
    >>> means.unique()
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Sets whole channels of volumes to zero at random, each with probability `p`, and multiplies the others by 1 / (1 - p).

    It does so in training mode only. After `model.eval()` it returns its input unchanged.

    Args:
        p: the probability that a channel becomes zero, between 0 and 1
        inplace: whether the result is written into the input

    Returns, when called, a tensor with the shape of the input, which is `(N, C, D, H, W)` or `(C, D, H, W)`. With `inplace` it is the input itself.

    >>> layer = jgrad.nn.Dropout3d(0.5)
    >>> means = layer(jgrad.ones(1, 100, 2, 2, 2)).mean((2, 3, 4))  # of each channel
    >>> means.unique()
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that goes together with the activation SELU: it keeps the mean 0 and the variance 1 that SELU aims at.

    Each element is set to a negative value (the limit of SELU) with probability `p`. Then all elements are scaled and shifted.
    In evaluation mode it returns its input unchanged.

    Args:
        p: the probability that an element is dropped, between 0 and 1
        inplace: accepted, but has no effect

    Returns, when called, a tensor with the shape of the input.

    >>> layer = jgrad.nn.AlphaDropout(0.5)
    >>> result = layer(jgrad.randn(100000))
    >>> abs(result.mean().item()) < 0.05, abs(result.std().item() - 1) < 0.05
    (True, True)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Alpha dropout of whole channels: each channel is dropped with probability `p`, and mean 0 and variance 1 are kept.

    The dropped channels get a negative value (the limit of SELU), then all elements are scaled and shifted.
    In evaluation mode it returns its input unchanged.

    Args:
        p: the probability that a channel is dropped, between 0 and 1
        inplace: accepted, but has no effect

    Returns, when called, a tensor with the shape of the input, which is `(N, C, *)`.

    >>> layer = jgrad.nn.FeatureAlphaDropout(0.5)
    >>> result = layer(jgrad.ones(1, 100, 5))
    >>> len(result.unique())  # the value of the dropped channels and that of the others
    2
    >>> bool((result[:, :, 0] == result[:, :, 4]).all())
    True
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)
