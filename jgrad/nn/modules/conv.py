"""Convolutions and their transposes."""

from __future__ import annotations

import math
from typing import Any

import jgrad
from jgrad import manual
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
    """A convolution over sequences: each output is the sum of a short window of the input times a kernel of weights, plus a bias."""

    _dims, _convolve = 1, staticmethod(F.conv1d)


class Conv2d(_ConvNd):
    """A convolution over images: each output is the sum of a small window of the input times a kernel of weights, plus a bias."""

    _dims, _convolve = 2, staticmethod(F.conv2d)


class Conv3d(_ConvNd):
    """A convolution over volumes or videos: each output is the sum of a small window of the input times a kernel of weights, plus a bias."""

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
    """A transposed convolution over sequences. Each input adds the kernel, times its value, to a window of the result."""

    _dims, _convolve = 1, staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution over images. Each input adds the kernel, times its value, to a window of the result."""

    _dims, _convolve = 2, staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution over volumes or videos. Each input adds the kernel, times its value, to a window of the result."""

    _dims, _convolve = 3, staticmethod(F.conv_transpose3d)


manual.attach(__name__)
