"""The Python functions of `jgrad.nn.functional`: windows and padding."""

from __future__ import annotations

from typing import Any

from jgrad.nn.functional.arguments import each
from jgrad.ops import convolution as _convolution
from jgrad.ops import padding as _padding
from jgrad.tensor import Tensor


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Every window of a batch of images as a column."""
    return _convolution.im2col(input, each(kernel_size), each(dilation), each(padding), each(stride))


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The images that columns add up to: the opposite of unfold, except that windows may overlap."""
    return _convolution.col2im(
        input, each(output_size), each(kernel_size), each(dilation), each(padding), each(stride)
    )


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The last dimensions made larger (smaller with negative numbers) at their ends; `pad` begins with the last dimension."""
    return _padding.pad(input, pad, mode, value)


__all__ = [
    name for name, made in globals().items() if getattr(made, "__module__", "") == __name__ and name[0] != "_"
]
