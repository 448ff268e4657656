"""Convolutions and their transposes."""

from __future__ import annotations

import math
from typing import Any

import jgrad
from jgrad.nn import functional as F  # noqa: N812
from jgrad.nn import init
from jgrad.nn.modules.module import Module
from jgrad.nn.parameter import Parameter
from jgrad.tensor import Tensor


def _each(value: Any, n: int) -> Any:
    """A number for each of n dimensions."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class _ConvNd(Module):
    _dims: int
    _transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self._prepare(
            in_channels, out_channels, kernel_size, stride, padding, dilation, 0, groups, bias, padding_mode
        )
        self._make_weights(bias, device, dtype)

    def _prepare(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
    ) -> None:
        Module.__init__(self)
        n = self._dims
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (_each(v, n) for v in (kernel_size, stride, dilation))
        self.padding = padding if isinstance(padding, str) else _each(padding, n)
        self.output_padding, self.padding_mode = _each(output_padding, n), padding_mode
        self.transposed = self._transposed
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        # (A lazy layer is made without channels in PyTorch, and so it never looks at the number of its outputs.)
        for name in ("in_channels", "out_channels") if in_channels else ():
            if getattr(self, name) % groups:
                raise ValueError(f"{name} must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            listed = ", ".join(map(repr, modes))
            raise ValueError(
                f"padding_mode must be one of {{{listed}}}, but got padding_mode='{padding_mode}'"
            )

    def _make_weights(self, bias: bool, device: Any, dtype: Any) -> None:
        self.weight = Parameter(jgrad.empty(self._weight_shape(), device=device, dtype=dtype))
        self.register_parameter(
            "bias", Parameter(jgrad.empty(self.out_channels, device=device, dtype=dtype)) if bias else None
        )
        self.reset_parameters()

    def _weight_shape(self) -> tuple[int, ...]:
        channels = (self.out_channels, self.in_channels)
        first, second = channels[::-1] if self.transposed else channels
        return (first, second // self.groups, *self.kernel_size)

    def reset_parameters(self) -> None:
        """Give weight and bias new uniform random numbers between -1 / sqrt(n) and 1 / sqrt(n); n is the number of weights of one output."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        init.bias_like_weight_(self.bias, self.weight)

    @property
    def _reversed_padding_repeated_twice(self) -> list[int]:
        """The padding of both sides as `pad` takes it, the last dimension first."""
        if not isinstance(self.padding, str):
            return [p for p in reversed(self.padding) for _ in (0, 1)]
        if self.padding == "valid":
            return [0, 0] * self._dims
        totals = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
        return [part for total in reversed(totals) for part in (total // 2, total - total // 2)]

    def forward(self, input: Tensor) -> Tensor:
        padded, padding = input, self.padding
        if self.padding_mode != "zeros":
            padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * self._dims
        return type(self)._convolve(
            padded, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )

    def extra_repr(self) -> str:
        n = self._dims
        words = [
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        ]
        # (A text of padding is compared with as many zeros as it has letters, as PyTorch does: it always differs.)
        usual = {"padding": (0,) * n, "dilation": (1,) * n, "output_padding": (0,) * n, "groups": 1}
        words += [f"{k}={getattr(self, k)}" for k, value in usual.items() if getattr(self, k) != value]
        if self.bias is None:
            words.append("bias=False")
        if self.padding_mode != "zeros":
            words.append(f"padding_mode={self.padding_mode}")
        return ", ".join(words)


class Conv1d(_ConvNd):
    """A convolution over sequences: each output is the sum of a short window of the input times a kernel of weights, plus a bias.

    Args:
        in_channels: the number of channels of the input
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves from one output to the next, an int or a tuple of one int
        padding: how many elements are added at both ends of the input: an int, a tuple of one int, "valid" (none) or "same"
            (as many as the result needs to have the length of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may
    be missing. `L_out` is `(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`. `weight` has shape
    `(out_channels, in_channels // groups, kernel_size)`.

    >>> layer = jgrad.nn.Conv1d(1, 1, kernel_size=2, bias=False)
    >>> _ = layer.weight.data.copy_(jgrad.tensor([[[-1., 1.]]]))  # each element minus the one before it
    >>> layer(jgrad.tensor([[[1., 4., 9., 16.]]]))
    tensor([[[3., 5., 7.]]], grad_fn=<ConvolutionBackward0>)
    """

    _dims, _convolve = 1, staticmethod(F.conv1d)


class Conv2d(_ConvNd):
    """A convolution over images: each output is the sum of a small window of the input times a kernel of weights, plus a bias.

    Args:
        in_channels: the number of channels of the input, for example 3 for colors
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of two
        padding: how many rows and columns are added at each side of the input: an int, a tuple of two, "valid" (none) or "same"
            (as many as the result needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch
    dimension `N` may be missing. `H_out` is `(H + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`, and `W_out` is computed in the
    same way. `weight` has shape `(out_channels, in_channels // groups, kernel height, kernel width)`.

    >>> layer = jgrad.nn.Conv2d(3, 8, kernel_size=3, padding=1)
    >>> layer.weight.shape
    jgrad.Size([8, 3, 3, 3])
    >>> layer(jgrad.zeros(1, 3, 32, 32)).shape
    jgrad.Size([1, 8, 32, 32])
    >>> jgrad.nn.Conv2d(3, 8, kernel_size=3, stride=2)(jgrad.zeros(1, 3, 32, 32)).shape
    jgrad.Size([1, 8, 15, 15])
    """

    _dims, _convolve = 2, staticmethod(F.conv2d)


class Conv3d(_ConvNd):
    """A convolution over volumes or videos: each output is the sum of a small window of the input times a kernel of weights, plus a bias.

    Args:
        in_channels: the number of channels of the input
        out_channels: the number of channels of the result, which is the number of kernels
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves from one output to the next, an int or a tuple of three
        padding: how many elements are added at each side of the input: an int, a tuple of three, "valid" (none) or "same"
            (as many as the result needs to have the size of the input; this needs a stride of 1)
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        padding_mode: the values of the padding: "zeros", "reflect", "replicate" or "circular"
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The
    batch dimension `N` may be missing. `D_out` is `(D + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1`, and `H_out` and `W_out`
    are computed in the same way.

    >>> layer = jgrad.nn.Conv3d(1, 4, kernel_size=(3, 5, 5), padding=(1, 0, 0))
    >>> layer(jgrad.zeros(2, 1, 8, 16, 16)).shape
    jgrad.Size([2, 4, 8, 12, 12])
    """

    _dims, _convolve = 3, staticmethod(F.conv3d)


class _ConvTransposeNd(_ConvNd):
    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._prepare(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
        )
        self._make_weights(bias, device, dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        extra = self.output_padding if output_size is None else self._padding_for(input, output_size)
        return type(self)._convolve(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )

    def _padding_for(self, input: Tensor, output_size: list[int]) -> tuple[int, ...]:
        """The output padding that gives this size; ValueError if none does."""
        n = self._dims
        leading = 2 if input.dim() == n + 2 else 1
        if len(output_size) == leading + n:
            output_size = output_size[leading:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {leading + n} elements (got "
                f"{len(output_size)})"
            )
        least = [
            (input.size(leading + d) - 1) * self.stride[d]
            - 2 * self.padding[d]
            + self.dilation[d] * (self.kernel_size[d] - 1)
            + 1
            for d in range(n)
        ]
        most = [size + step - 1 for size, step in zip(least, self.stride, strict=True)]
        if any(not low <= size <= high for low, size, high in zip(least, output_size, most, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} to {most} (for an input of "
                f"{input.size()[2:]})"
            )
        return tuple(size - low for size, low in zip(output_size, least, strict=True))


class ConvTranspose1d(_ConvTransposeNd):
    """A transposed convolution over sequences. Each input adds the kernel, times its value, to a window of the result.

    It computes what `Conv1d` computes in backward, so it can undo the change of shape that a `Conv1d` makes.

    Args:
        in_channels: the number of channels of the input
        out_channels: the number of channels of the result
        kernel_size: the length of the window, an int or a tuple of one int
        stride: how far the window moves in the result from one input to the next, an int or a tuple of one int
        padding: how many elements are left out at both ends of the result, an int or a tuple of one int
        output_padding: how many elements the result is longer at its end, an int or a tuple of one int
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of one int
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, L_out)` for an input of shape `(N, in_channels, L)`. The batch dimension `N` may
    be missing. `L_out` is `(L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`. A second argument `output_size` asks
    for a certain length instead of `output_padding`. `weight` has shape `(in_channels, out_channels // groups, kernel_size)`.

    >>> layer = jgrad.nn.ConvTranspose1d(1, 1, kernel_size=2, stride=2, bias=False)
    >>> _ = layer.weight.data.copy_(jgrad.tensor([[[1., 10.]]]))
    >>> layer(jgrad.tensor([[[1., 2., 3.]]]))
    tensor([[[ 1., 10.,  2., 20.,  3., 30.]]], grad_fn=<ConvolutionBackward0>)
    """

    _dims, _convolve = 1, staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution over images. Each input adds the kernel, times its value, to a window of the result.

    It computes what `Conv2d` computes in backward, so it can undo the change of shape that a `Conv2d` makes.

    Args:
        in_channels: the number of channels of the input
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for both dimensions or a tuple (height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of two
        padding: how many rows and columns are left out at each side of the result, an int or a tuple of two
        output_padding: how many rows and columns the result is larger at its end, an int or a tuple of two
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of two
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, H_out, W_out)` for an input of shape `(N, in_channels, H, W)`. The batch
    dimension `N` may be missing. `H_out` is `(H - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`, and `W_out` is
    computed in the same way. A second argument `output_size` asks for a certain size instead of `output_padding`.

    >>> down = jgrad.nn.Conv2d(1, 4, kernel_size=3, stride=2, padding=1)
    >>> up = jgrad.nn.ConvTranspose2d(4, 1, kernel_size=3, stride=2, padding=1)
    >>> small = down(jgrad.zeros(1, 1, 8, 8))
    >>> small.shape, up(small).shape, up(small, output_size=(8, 8)).shape
    (jgrad.Size([1, 4, 4, 4]), jgrad.Size([1, 1, 7, 7]), jgrad.Size([1, 1, 8, 8]))
    """

    _dims, _convolve = 2, staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution over volumes or videos. Each input adds the kernel, times its value, to a window of the result.

    It computes what `Conv3d` computes in backward, so it can undo the change of shape that a `Conv3d` makes.

    Args:
        in_channels: the number of channels of the input
        out_channels: the number of channels of the result
        kernel_size: the size of the window, an int for all dimensions or a tuple (depth, height, width)
        stride: how far the window moves in the result from one input to the next, an int or a tuple of three
        padding: how many elements are left out at each side of the result, an int or a tuple of three
        output_padding: how many elements the result is larger at its end, an int or a tuple of three
        groups: channels are divided into this number of groups, and outputs of a group only depend on the inputs of the same group;
            both numbers of channels must be divisible by it
        bias: whether the layer adds a bias; if False, `layer.bias` is None
        dilation: the distance between neighbouring elements of the window, an int or a tuple of three
        padding_mode: must be "zeros"; any other raises ValueError
        device, dtype: the device and dtype of the parameters; None means the default ones

    Returns, when called, a new tensor of shape `(N, out_channels, D_out, H_out, W_out)` for an input of shape `(N, in_channels, D, H, W)`. The
    batch dimension `N` may be missing. `D_out` is `(D - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1`, and
    `H_out` and `W_out` are computed in the same way. A second argument `output_size` asks for a certain size instead of `output_padding`.

    >>> layer = jgrad.nn.ConvTranspose3d(4, 2, kernel_size=2, stride=2)
    >>> layer(jgrad.zeros(1, 4, 3, 5, 5)).shape
    jgrad.Size([1, 2, 6, 10, 10])
    """

    _dims, _convolve = 3, staticmethod(F.conv_transpose3d)
